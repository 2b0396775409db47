// A generated feature: a counter with a goal, marks, an undo and a clock.
#include "device/sim/generate_template.h"

namespace norn::sim {
namespace {

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

FeatureTemplate features::counter() {
  return {.name = "counter",
          .screens = 3,
          .entry = "${A}Counter",
          .options = "clock",
          .lua = kCounter,
          .bugs = {{.name = "undo_none",
                    .kind = "crash",
                    .what = "Undo after a rotation: the count was kept, the history was not",
                    .events = "tap plus\nrotate 1\ntap undo",
                    .conflicts = "lost_count"},
                   {.name = "no_marks",
                    .kind = "crash",
                    .what = "The average of no marks",
                    .events = "tap plus\nmenu\ntap mean"},
                   {.name = "late_tick",
                    .kind = "crash",
                    .what = "The clock ticks on after a reset",
                    .events = "tap clock\nmenu\ntap reset\nwait 1000",
                    .needs = "clock"},
                   {.name = "no_goal",
                    .kind = "crash",
                    .what = "A goal of nothing",
                    .events = "type goal \"0\"\ntap set_goal\ntap plus"},
                   {.name = "lost_count",
                    .kind = "functional",
                    .what = "The count begins again after a rotation",
                    .events = "tap plus\nrotate 1"},
                   {.name = "old_marks",
                    .kind = "functional",
                    .what = "Reset keeps the marks",
                    .events = "tap mark\nmenu\ntap reset"}}};
}

}  // namespace norn::sim
