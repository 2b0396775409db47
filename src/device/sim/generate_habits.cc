// Habits are written as apps write them: once, in what all activities have in common. None stands in the way
// of what a page is for, so that every event that works without habits works with them.
#include "device/sim/generate_habits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/rng.h"

namespace norn::sim {
namespace {

constexpr std::string_view kHabits = R"lua(
-- what pages remember
local function know_habits()
  prefs.tips_seen, prefs.left = prefs.tips_seen or {}, prefs.left or {}
  prefs.openings = prefs.openings or 0
  storage.news = storage.news or { count = 0, read = 0 }
  every(news_every, function() storage.news.count = storage.news.count + 1 end)
end
starters[#starters + 1] = know_habits

-- cards under a page's title: a tip on its first visit, a question after so many pages, news from elsewhere
local function cards(self, habit)
  local out = {}
  if self.tip then
    out[#out + 1] = row {
      text { self.tip, id = "tip", weight = 1 },
      button { "Got it", id = "tip_seen", on_click = function() self.tip = nil end },
    }
  end
  if habit.asks and prefs.openings >= ask_after then
    out[#out + 1] = row {
      text { "Do you like this app?", id = "rating", weight = 1 },
      button { "Later", id = "rate_later", on_click = function() prefs.openings = 0 end },
      button { "No", id = "rate_never", on_click = function() prefs.openings = -1000000 end },
    }
  end
  if habit.news and storage.news.count > storage.news.read then
    out[#out + 1] = button { storage.news.count - storage.news.read .. " new", id = "news",
      on_click = function() self:start("News") end }
  end
  return out
end

local function as_it_was_left(name, intent, saved)
  if saved or next(intent) ~= nil then return saved end
  return prefs.left[name]
end

local function with_habits(name, page)
  local habit = habits[name]
  if not habit then return page end
  local create, save, destroy, view = page.create, page.save, page.destroy, page.view
  page.create = function(self, intent, saved)
    prefs.openings = prefs.openings + 1
    self.tip = saved and saved.tip or not prefs.tips_seen[name] and habit.tip or nil
    prefs.tips_seen[name] = true
    if habit.stays then saved = as_it_was_left(name, intent, saved) end
    if create then create(self, intent, saved) end
  end
  page.save = function(self, out)
    if save then save(self, out) end
    out.tip = self.tip
  end
  page.destroy = function(self)
    if habit.stays and save and next(self.intent) == nil then
      local out = {}
      save(self, out)
      prefs.left[name] = out
    end
    if destroy then destroy(self) end
  end
  page.view = function(self)
    local tree = view(self)
    tree[1] = { tree[1], cards(self, habit) }
    return tree
  end
  return page
end

local plain_activity = activity
local function activity(name)
  return function(page) return plain_activity(name)(with_habits(name, page)) end
end

activity "News" {
  create = function(self) storage.news.read = storage.news.count end,
  view = function(self)
    return column { toolbar { "News", up = true }, text { storage.news.count .. " messages so far", id = "messages" } }
  end,
}
)lua";

constexpr std::array<std::string_view, 5> tips{"Press long on a row for more", "Swipe to see the rest",
                                               "Everything is saved as you go", "The menu has more",
                                               "Turn the device for a wider view"};

std::vector<std::string> activities_in(const std::string& source) {
  constexpr std::string_view begin = "\nactivity \"";
  std::vector<std::string> out;
  for (std::size_t at = source.find(begin); at != source.npos; at = source.find(begin, at + 1)) {
    const std::size_t name = at + begin.size();
    out.push_back(source.substr(name, source.find('"', name) - name));
  }
  return out;
}

bool is_hub(const Plan& plan, std::string_view name) {
  return std::ranges::any_of(plan.hubs, [&](const Hub& hub) { return hub.name == name; });
}

std::string habits_of(const Plan& plan, const std::string& name, Rng& rng) {
  const double hidden = plan.hidden;
  std::string out;
  if (rng.chance(hidden)) out += fmt::format(" tip = \"{}\",", tips[rng.below(tips.size())]);
  if (rng.chance(hidden)) out += " stays = true,";
  if (is_hub(plan, name) && rng.chance(hidden)) out += " asks = true,";
  if (is_hub(plan, name) && rng.chance(hidden)) out += " news = true,";
  return out.empty() ? out : fmt::format("  {} = {{{} }},\n", name, out);
}

}  // namespace

std::string write_habits(const Plan& plan, const std::string& pages) {
  if (plan.hidden <= 0) return {};
  Rng rng(Rng(plan.seed ^ 0x68616269u).next());
  std::string out = fmt::format("\nlocal news_every, ask_after = {}, {}\nlocal habits = {{\n",
                                4000 + 1000 * rng.below(9), 6 + rng.below(9));
  for (const std::string& name : activities_in(pages)) out += habits_of(plan, name, rng);
  return out + "}\n" + std::string(kHabits);
}

}  // namespace norn::sim
