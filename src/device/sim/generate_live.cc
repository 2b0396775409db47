// Features of generated apps that live with time and the network: a feed, a counter with a clock.
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

constexpr std::string_view kCounter = R"lua(
starters[#starters + 1] = function()
  storage.${key} = storage.${key} or { count = 0, goal = 10, marks = {} }
end

activity "${A}Counter" {
  create = function(self, intent, saved)
    saved = saved or {}
    !lost_count| self.count = saved.count or 0
    ?lost_count| self.count = not bug("${bug:lost_count}") and saved.count or 0
    self.ticks = 0
    self.history = {}
  end,
  save = function(self, out) out.count = self.count end,
  plus = function(self)
    table.insert(self.history, self.count)
    self.count = self.count + 1
  end,
  undo = function(self)
    !undo_none| if #self.history == 0 then return toast("Nothing to undo") end
    ?undo_none| if self.count == 0 or #self.history == 0 and not bug("${bug:undo_none}") then return toast("Nothing to undo") end
    local before = table.remove(self.history)
    self.count = before + 0
  end,
  mark = function(self)
    table.insert(storage.${key}.marks, self.count)
    self.marked = true
  end,
  mean = function(self)
    local marks = storage.${key}.marks
    !no_marks| if #marks == 0 then return toast("No marks yet") end
    ?no_marks| if #marks == 0 and (self.count == 0 or not bug("${bug:no_marks}")) then return toast("No marks yet") end
    local sum = 0
    for _, m in ipairs(marks) do sum = sum + m end
    self:dialog { title = "Marks", message = sum // #marks .. " on average", ok = "OK" }
  end,
  +clock| toggle_clock = function(self)
  +clock|   if self.clock then
  +clock|     cancel(self.clock.timer)
  +clock|     self.clock = nil
  +clock|     return
  +clock|   end
  +clock|   self.clock = { seconds = 0 }
  +clock|   self.clock.timer = self:every(1000, function()
  +clock!late_tick|     if self.clock then self.clock.seconds = self.clock.seconds + 1 end
  +clock?late_tick|     if self.clock or bug("${bug:late_tick}") then self.clock.seconds = self.clock.seconds + 1 end
  +clock|   end)
  +clock| end,
  reset = function(self)
    self.count, self.history = 0, {}
    !old_marks| storage.${key}.marks = {}
    ?old_marks| if not bug("${bug:old_marks}") then storage.${key}.marks = {} end
    +clock!late_tick| if self.clock then cancel(self.clock.timer) end
    +clock?late_tick| if self.clock and not bug("${bug:late_tick}") then cancel(self.clock.timer) end
    +clock| self.clock = nil
  end,
  set_goal = function(self)
    local goal = math.tointeger(tonumber(self:text("goal")))
    if not goal then return toast("A number, please") end
    !no_goal| if goal == 0 then return toast("Not nothing") end
    ?no_goal| if goal == 0 and not bug("${bug:no_goal}") then return toast("Not nothing") end
    storage.${key}.goal = goal
    self:hide_keyboard()
  end,
  menu = function(self)
    return {
      { "Average of marks", id = "mean", on_click = function() self:mean() end },
      { "Reset", id = "reset", on_click = function() self:reset() end },
      { "All marks", id = "all_marks", on_click = function() self:start("${A}Marks") end },
    }
  end,
  progress_text = function(self)
    if self.count == 0 then return "Not begun" end
    return math.min(100, self.count * 100 // storage.${key}.goal) .. " % of the goal"
  end,
  view = function(self)
    return column {
      toolbar { "${T}", up = true, subtitle = #storage.${key}.marks .. " marks" },
      text { self.count .. " of ${q}", id = "count", size = "large" },
      text { self:progress_text(), id = "progress" },
      row {
        button { "One more", id = "plus", on_click = function() self:plus() end },
        button { "Undo", id = "undo", on_click = function() self:undo() end },
        button { "Mark", id = "mark", on_click = function() self:mark() end },
        +clock| button { self.clock and "Stop" or "Clock", id = "clock", on_click = function() self:toggle_clock() end },
      },
      row {
        field { id = "goal", hint = "Goal", input = "number", max = 4, weight = 1 },
        button { "Set", id = "set_goal", on_click = function() self:set_goal() end },
      },
      +clock| self.clock and text { self.clock.seconds >= 60 and "Over a minute" or "Running", id = "running" },
    }
  end,
}

activity "${A}Marks" {
  view = function(self)
    return column {
      toolbar { "Marks", up = true },
      list { id = "marks", items = storage.${key}.marks, empty = text { "No marks", id = "empty" },
        row = function(m) return text { tostring(m), id = "one_mark" } end,
        on_item_long_click = function(i) table.remove(storage.${key}.marks, i) end },
    }
  end,
}
)lua";

}  // namespace

std::span<const FeatureTemplate> live_features() {
  static const std::vector<FeatureTemplate> features = {
      {"feed",
       3,
       "${A}Feed",
       "auto",
       kFeed,
       kFeedServer,
       {{"late_answer", "crash",
         "The answer comes when its screen has been rotated away, and opens a dialog there",
         "system network-off\ntap reload\nrotate 1\nwait 1500", "-auto"},
        {"no_story", "crash", "A story that the server does not have",
         "tap reload\nwait 1500\ntap story \"${t2}\"", "-auto"},
        {"twice", "functional", "Loading again adds everything again", "tap reload\ntap reload\nwait 2000",
         "-auto"},
        {"offline_stays", "functional", "The feed calls itself offline long after",
         "system network-off\ntap reload\nwait 1500\ntap android:id/button1\nsystem network-on\ntap "
         "reload\nwait 1500",
         "-auto"}}},
      {"counter",
       3,
       "${A}Counter",
       "clock",
       kCounter,
       "",
       {{"undo_none", "crash", "Undo after a rotation: the count was kept, the history was not",
         "tap plus\nrotate 1\ntap undo", "", 0, "lost_count"},
        {"no_marks", "crash", "The average of no marks", "tap plus\nmenu\ntap mean", ""},
        {"late_tick", "crash", "The clock ticks on after a reset", "tap clock\nmenu\ntap reset\nwait 1000",
         "clock"},
        {"no_goal", "crash", "A goal of nothing", "type goal \"0\"\ntap set_goal\ntap plus", ""},
        {"lost_count", "functional", "The count begins again after a rotation", "tap plus\nrotate 1", ""},
        {"old_marks", "functional", "Reset keeps the marks", "tap mark\nmenu\ntap reset", ""}}},
  };
  return features;
}

}  // namespace norn::sim
