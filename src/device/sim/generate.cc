// From plan to text: the app's declaration, the first screen and the other menus, then each feature in a
// block of its own.
#include "device/sim/generate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "device/sim/generate_habits.h"
#include "device/sim/generate_plan.h"

namespace norn::sim {
namespace {

constexpr std::string_view kPrelude = R"lua(
-- what each feature does when the process starts, and how it names what was pinned to the first screen
starters, pin_titles = {}, {}
)lua";

constexpr std::string_view kCommon = R"lua(
-- opens a feature, after asking for its code if it has one
local function visit(self, key, name, code)
  local function go()
    storage.visited[key] = true
    self:hide_keyboard()
    self:start(name)
  end
  if not code then return go() end
  self:set_text("pass_code", "")
  self:dialog { title = "Code", cancel = "Cancel", ok = "Enter",
    view = function() return column { field { id = "pass_code", hint = "Four digits", input = "number", max = 4 } } end,
    on_ok = function()
      if self:text("pass_code") == code then go() else toast("Wrong code") end
    end }
end

local function read_manual(self, at_once)
  local intent = { action = "VIEW", uri = "manual:first" }
  if not at_once and not can_handle(intent) then return toast("There is no reader for manuals") end
  self:start_implicit(intent)
end

activity "Options" {
  view = function(self)
    local switches = {}
    for i, label in ipairs { "Show archive", "Expert tools", "Preview features", "Team functions", "Local copies", "Reports" } do
      switches[i] = switch { label, id = "flag_" .. i, checked = prefs["flag_" .. i] or false,
        on_change = function(on) prefs["flag_" .. i] = on end }
    end
    return column { toolbar { "Options", up = true }, switches }
  end,
}

activity "Kiosk" {
  back = function(self)
    toast("Press long on the clock to leave")
    return true
  end,
  view = function(self)
    return column {
      toolbar { "Presentation" },
      text { "Please do not touch", id = "sign", size = "large" },
      text { "Clock", id = "clock", on_long_click = function() self:finish() end },
    }
  end,
}
)lua";

std::string quoted_list(const std::vector<std::string>& ids) {
  std::string out;
  for (std::size_t i = 0; i < ids.size(); ++i)
    out += fmt::format("{}\"{}\"", i == 0 ? " " : i % 6 == 0 ? ",\n    " : ", ", ids[i]);
  return "{" + out + " }";
}

std::string declaration(const Plan& plan, std::string_view title) {
  std::vector<std::string> bugs;
  std::string server;
  for (const Feature& f : plan.features) {
    for (const BugTemplate& bug : f.kind->bugs) {
      if (f.choice.bugs.contains(bug.name)) bugs.push_back(fmt::format("{}_{}", f.key, bug.name));
    }
    const std::string part = fill(f.kind->server, f.words, f.choice);
    for (const std::string_view line : lines(part)) {
      if (!line.empty()) server += fmt::format("    {}\n", line);
    }
  }
  for (const Hub& hub : plan.hubs) {
    if (hub.manual) bugs.push_back(manual_bug(hub));
  }
  return fmt::format(
      "app {{\n  package = \"{}\",\n  title = \"{}\",\n  main = \"Main\",\n  bugs = {},\n  server = "
      "function(request)\n{}    return nil, "
      "404\n  end,\n  application = function()\n    storage.visited = storage.visited or {{}}\n    "
      "storage.pins = storage.pins or {{}}\n    "
      "for _, begin in ipairs(starters) do begin() end\n  end,\n}}\n",
      generated_package, title, quoted_list(bugs), server);
}

// ---- menus ----

struct Entry {
  std::string key, title, open, shown;  ///< shown: a Lua condition, or empty
};

std::string condition(const Plan& plan, const Hub& hub, const Feature& f) {
  if (f.gate == Gate::flag) return fmt::format("prefs.flag_{}", f.flag);
  if (f.gate == Gate::visited) return fmt::format("storage.visited.{}", f.after);
  if (f.gate == Gate::count)
    return fmt::format("#storage.{} > {}", f.after, plan.features[hub.features.front()].items);
  return {};
}

std::vector<Entry> entries_of(const Plan& plan, const Hub& hub) {
  std::vector<Entry> out;
  for (const std::size_t child : hub.hubs) {
    const Hub& to = plan.hubs[child];
    out.push_back({to.name, to.title, fmt::format("self:start(\"{}\")", to.name), {}});
  }
  for (const std::size_t feature : hub.features) {
    const Feature& f = plan.features[feature];
    const std::string code = f.gate == Gate::code ? fmt::format(", \"{}\"", f.code) : "";
    out.push_back({f.key, f.title, fmt::format("visit(self, \"{}\", \"{}\"{})", f.key, f.entry, code),
                   condition(plan, hub, f)});
  }
  return out;
}

std::string label(const Entry& e) { return fmt::format("{} ({})", e.title, e.key); }

std::string as_button(const Entry& e) {
  const std::string guard = e.shown.empty() ? "" : e.shown + " and ";
  return fmt::format("{}button {{ \"{}\", id = \"go_{}\", on_click = function() {} end }},\n", guard,
                     label(e), e.key, e.open);
}

/// A menu item; a guarded one is there only while its condition holds.
std::string as_item(const Entry& e) {
  const std::string guard = e.shown.empty() ? "" : fmt::format("if {} then ", e.shown);
  return fmt::format(
      "    {}table.insert(items, {{ \"{}\", id = \"go_{}\", on_click = function() {} end }}){}\n", guard,
      label(e), e.key, e.open, e.shown.empty() ? "" : " end");
}

std::string as_row(const Entry& e) {
  const std::string guard = e.shown.empty() ? "" : fmt::format("if {} then ", e.shown);
  return fmt::format("    {}table.insert(rows, {{ \"{}\", function() {} end }}){}\n", guard, label(e), e.open,
                     e.shown.empty() ? "" : " end");
}

std::string items_method(const Hub& hub, const std::vector<Entry>& entries) {
  std::string out = "  entries = function(self)\n    local items = {}\n";
  for (const Entry& e : entries) out += as_item(e);
  (void)hub;
  return out + "    return items\n  end,\n";
}

std::string content(const Hub& hub, const std::vector<Entry>& entries) {
  std::string out;
  const std::size_t half = (entries.size() + 1) / 2;
  switch (hub.kind) {
    case HubKind::buttons:
      for (const Entry& e : entries) out += "      " + as_button(e);
      break;
    case HubKind::tabs:
      out +=
          "      tabs { id = \"sides\", titles = { \"Usual\", \"More\" }, selected = self.side, on_change = "
          "function(i) self.side = i end },\n";
      for (std::size_t i = 0; i < entries.size(); ++i)
        out += fmt::format("      self.side == {} and {}", i < half ? 1 : 2, as_button(entries[i]));
      break;
    case HubKind::list:
      out +=
          "      list { id = \"entries\", items = self:rows(), row = function(r) return text { r[1], id = "
          "\"entry\" } end,\n"
          "        on_item_click = function(_, r) r[2]() end },\n";
      break;
    case HubKind::drawer:
      out +=
          "      text { \"Everything is in the drawer\", id = \"hint\" },\n      drawer { id = \"drawer\", "
          "items = self:entries() },\n";
      break;
    case HubKind::menu:
      out += "      text { \"Everything is in the menu\", id = \"hint\" },\n";
      break;
  }
  return out;
}

std::string rows_method(const std::vector<Entry>& entries) {
  std::string out = "  rows = function(self)\n    local rows = {}\n";
  for (const Entry& e : entries) out += as_row(e);
  return out + "    return rows\n  end,\n";
}

std::string menu_method(const Hub& hub, bool first) {
  const bool listed = hub.kind == HubKind::menu;
  if (!listed && !first) return {};
  std::string out =
      fmt::format("  menu = function(self)\n    local items = {}\n", listed ? "self:entries()" : "{}");
  if (first)
    out +=
        "    table.insert(items, { \"Options\", id = \"options\", on_click = function() "
        "self:start(\"Options\") end })\n";
  return out + "    return items\n  end,\n";
}

std::string codes_text(const Plan& plan, const Hub& hub) {
  std::string out;
  for (const std::size_t feature : hub.features) {
    const Feature& f = plan.features[feature];
    if (f.gate == Gate::code) out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", f.key, f.code);
  }
  return out;
}

constexpr std::string_view kPins =
    "      each(storage.pins, function(pin) return text { \"Pinned: \" .. pin_titles[pin.of](pin.id), id = "
    "\"pinned\" } end),\n";

std::string extras(const Plan& plan, const Hub& hub, bool first) {
  std::string out;
  if (first) out += kPins;
  if (hub.link != 0) {
    const Hub& to = plan.hubs[hub.link];
    out += fmt::format(
        "      button {{ \"See also {}\", id = \"see_also\", on_click = function() self:start(\"{}\") end "
        "}},\n",
        to.title, to.name);
  }
  if (hub.manual)
    out += fmt::format(
        "      button {{ \"Manual\", id = \"{0}\", on_click = function() read_manual(self, bug(\"{0}\")) "
        "end }},\n",
        manual_bug(hub));
  if (hub.kiosk)
    out +=
        "      button { \"Presentation\", id = \"kiosk\", on_click = function() self:start(\"Kiosk\") end "
        "},\n";
  if (const std::string codes = codes_text(plan, hub); !codes.empty())
    out += fmt::format(
        "      image_button {{ id = \"help\", desc = \"Help\", on_click = function() self:dialog {{ title = "
        "\"Codes\", message = \"{}\", ok = "
        "\"OK\" }} end }},\n",
        codes);
  return out;
}

std::string write_hub(const Plan& plan, const Hub& hub, std::string_view title) {
  const bool first = &hub == &plan.hubs.front();
  const auto entries = entries_of(plan, hub);
  std::string out = fmt::format("\nactivity \"{}\" {{\n", hub.name);
  if (hub.kind == HubKind::tabs)
    out +=
        "  create = function(self, intent, saved) self.side = saved and saved.side or 1 end,\n"
        "  save = function(self, out) out.side = self.side end,\n";
  if (hub.kind == HubKind::list) out += rows_method(entries);
  if (hub.kind == HubKind::drawer || hub.kind == HubKind::menu) out += items_method(hub, entries);
  out += menu_method(hub, first);
  out += fmt::format("  view = function(self)\n    return column {{\n      toolbar {{ \"{}\"{} }},\n",
                     first ? title : std::string_view(hub.title),
                     first || hub.kind == HubKind::drawer ? "" : ", up = true");
  return out + content(hub, entries) + extras(plan, hub, first) + "    }\n  end,\n}\n";
}

}  // namespace

std::string write_source(const Plan& plan, std::string_view title) {
  std::string out =
      fmt::format("-- {}: {} features behind {} menus\n", title, plan.features.size(), plan.hubs.size());
  out += kPrelude;
  out += '\n' + declaration(plan, title);
  std::string pages(kCommon);
  for (const Hub& hub : plan.hubs) pages += write_hub(plan, hub, title);
  for (const Feature& f : plan.features)
    pages += fmt::format("\n-- ---- {}: {} ----\ndo{}end\n", f.title, f.kind->name,
                         fill(f.kind->lua, f.words, f.choice));
  return out + write_habits(plan, pages) + pages;
}

Result<std::string> generate_source(std::uint64_t seed, std::int64_t screens, double hidden) {
  if (screens < least_screens || screens > most_screens)
    return fail(Error::Kind::bad_input,
                fmt::format("generated apps have {} to {} screens", least_screens, most_screens),
                fmt::format("screens={}", screens), "for example sim:generated?seed=1&screens=100");
  if (!(hidden >= 0 && hidden <= 1))
    return fail(Error::Kind::bad_input, "the share of pages with hidden state is a number from 0 to 1",
                fmt::format("hidden={}", hidden), "for example sim:generated?seed=1&hidden=0.5");
  return write_source(plan_app(seed, static_cast<int>(screens), hidden), fmt::format("Generated {}", seed));
}

}  // namespace norn::sim
