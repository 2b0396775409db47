// A generated feature: stories from a server that may be slow or away.
#include "device/sim/generate_template.h"

namespace norn::sim {
namespace {

constexpr std::string_view kFeed = R"lua(
starters[#starters + 1] = function() storage.${key}_read = storage.${key}_read or {} end

activity "${A}Feed" {
  create = function(self, intent, saved)
    self.stories = saved and saved.stories or {}
    self.offline = saved and saved.offline or false
    self.state = "Not loaded"
    +auto| if not saved then self:load() end
  end,
  save = function(self, out) out.stories, out.offline = self.stories, self.offline end,
  load = function(self)
    self.state = "Loading"
    net.get { url = "https://feeds.example.org/${key}", latency = 1500, on_reply = function(reply)
      !late_answer| if self:is_finishing() then return end
      ?late_answer| if self:is_finishing() and not bug("${bug:late_answer}") then return end
      if not reply.ok then
        self.state, self.offline = "Failed", true
        return self:dialog { title = "No connection", message = reply.error or "Try again later", ok = "OK" }
      end
      self.state = "Loaded"
      !offline_stays| self.offline = false
      ?offline_stays| if not bug("${bug:offline_stays}") then self.offline = false end
      !twice| self.stories = reply.body
      ?twice| if not bug("${bug:twice}") then self.stories = {} end
      ?twice| for _, s in ipairs(reply.body) do table.insert(self.stories, s) end
    end }
  end,
  menu = function(self)
    return { { "Mark all as read", id = "mark_read", on_click = function()
      for _, s in ipairs(self.stories) do storage.${key}_read[s] = true end
    end } }
  end,
  view = function(self)
    return column {
      toolbar { "${T}", up = true, subtitle = self.state, actions = { { "Reload", id = "reload", on_click = function() self:load() end } } },
      self.offline and text { "You are offline", id = "offline" },
      list { id = "stories", items = self.stories, empty = text { "No ${q}", id = "empty" },
        row = function(s) return row { text { s, id = "story", weight = 1 }, storage.${key}_read[s] and text { "read", id = "read" } } end,
        on_item_click = function(_, s) self:start("${A}Story", { title = s }) end },
    }
  end,
}

activity "${A}Story" {
  create = function(self, intent)
    self.body = "..."
    if not intent.title then return end
    storage.${key}_read[intent.title] = true
    net.get { url = "https://feeds.example.org/${key}/story?title=" .. intent.title:gsub("[^%w]", "+"), latency = 400, on_reply = function(reply)
      if reply.status == 0 then
        self.body = "No connection"
        return
      end
      !no_story| self.body = reply.body and reply.body.text or "Not found"
      ?no_story| self.body = bug("${bug:no_story}") and reply.body.text or reply.body and reply.body.text or "Not found"
    end }
  end,
  view = function(self)
    return column {
      toolbar { self.intent.title or "Story", up = true },
      scroll { text { self.body, id = "body" } },
      button { "In the browser", id = "browser", on_click = function() self:start_implicit { action = "VIEW", uri = "https://feeds.example.org" } end },
    }
  end,
}
)lua";

constexpr std::string_view kFeedServer = R"lua(
if request.path == "/${key}" then return { "${t1}", "${t2}", "${k1}" } end
if request.path == "/${key}/story" then
  local title = request.query.title or ""
  if starts_with("${t2}", title:sub(1, 2)) then return nil, 404 end
  return { text = "All about " .. title }
end
)lua";

}  // namespace

FeatureTemplate features::feed() {
  return {
      .name = "feed",
      .screens = 3,
      .entry = "${A}Feed",
      .options = "auto",
      .lua = kFeed,
      .server = kFeedServer,
      .bugs = {{.name = "late_answer",
                .kind = "crash",
                .what = "The answer comes when its screen has been rotated away, and opens a dialog there",
                .events = "system network-off\ntap reload\nrotate 1\nwait 1500",
                .needs = "-auto"},
               {.name = "no_story",
                .kind = "crash",
                .what = "A story that the server does not have",
                .events = "tap reload\nwait 1500\ntap story \"${t2}\"",
                .needs = "-auto"},
               {.name = "twice",
                .kind = "functional",
                .what = "Loading again adds everything again",
                .events = "tap reload\ntap reload\nwait 2000",
                .needs = "-auto"},
               {.name = "offline_stays",
                .kind = "functional",
                .what = "The feed calls itself offline long after",
                .events = "system network-off\ntap reload\nwait 1500\ntap android:id/button1\nsystem "
                          "network-on\ntap reload\nwait 1500",
                .needs = "-auto"}}};
}

}  // namespace norn::sim
