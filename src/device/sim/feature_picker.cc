// A generated feature: a form that asks another screen for its answers.
#include "device/sim/generate_template.h"

namespace norn::sim {
namespace {

constexpr std::string_view kPicker = R"lua(
local PLACES = { { "${t1}", 3 }, { "${t2}", 11 }, { "${k1}", 17 }, { "${k2}", 29 } }
local function mark(name)
  local place = find(PLACES, function(p) return p[1] == name end)
  return place and place[2] or 0
end

activity "${A}Form" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.from, self.to = saved.from, saved.to
    self.answer = saved.answer
    ?wrong_slot| self.slot = "from"
  end,
  save = function(self, out) out.from, out.to, out.answer = self.from, self.to, self.answer end,
  choose = function(self, slot)
    ?wrong_slot| self.slot = slot
    self:start_for_result("${A}Pick", slot)
  end,
  result = function(self, request, data)
    !cancelled| if not data then return end
    ?cancelled| if not data and not bug("${bug:cancelled}") then return end
    ?wrong_slot| if bug("${bug:wrong_slot}") then request = self.slot end      -- forgotten by the next instance
    !cancelled| self[request] = data.name
    ?cancelled| self[request] = data.name
    !old_answer| self.answer = nil
    ?old_answer| if not bug("${bug:old_answer}") then self.answer = nil end
  end,
  compute = function(self)
    if not self.from or not self.to then return toast("Choose both") end
    local way = math.abs(mark(self.from) - mark(self.to))
    !same_place| if way == 0 then return toast("That is the same") end
    ?same_place| if way == 0 and not bug("${bug:same_place}") then return toast("That is the same") end
    self.answer = way .. " apart, " .. 1000 // way .. " a thousand"
  end,
  view = function(self)
    return column {
      toolbar { "${T}", up = true },
      button { self.from or "From", id = "choose_from", on_click = function() self:choose("from") end },
      button { self.to or "To", id = "choose_to", on_click = function() self:choose("to") end },
      button { "Compare", id = "compute", on_click = function() self:compute() end },
      text { self.answer or "Choose two of ${q}", id = "answer" },
    }
  end,
}

activity "${A}Pick" {
  create = function(self, intent, saved) self.only_far = saved and saved.only_far or false end,
  save = function(self, out) out.only_far = self.only_far end,
  view = function(self)
    local places = filter(PLACES, function(p) return not self.only_far or p[2] > 10 end)
    return column {
      toolbar { "Choose", up = true },
      switch { "Only large", id = "only_far", checked = self.only_far, on_change = function(on) self.only_far = on end },
      list { id = "places", items = places,
        row = function(p) return text { p[1], id = "place" } end,
        on_item_click = function(_, p) self:finish { name = p[1] } end,
        on_item_long_click = function(_, p) self:dialog { title = p[1], message = "Mark " .. p[2], ok = "OK" } end },
    }
  end,
}
)lua";

}  // namespace

FeatureTemplate features::picker() {
  return {
      .name = "picker",
      .screens = 3,
      .entry = "${A}Form",
      .lua = kPicker,
      .bugs = {
          {.name = "cancelled",
           .kind = "crash",
           .what = "Nothing was chosen, but it is used",
           .events = "tap choose_to\nback"},
          {.name = "same_place",
           .kind = "crash",
           .what = "Twice the same has no distance to divide by",
           .events = "tap choose_from\ntap place \"${t2}\"\ntap choose_to\ntap place \"${t2}\"\ntap compute",
           .conflicts = "wrong_slot"},
          {.name = "wrong_slot",
           .kind = "functional",
           .what = "After the process died the answer goes to the first place",
           .events = "tap choose_to\nsystem kill\nlaunch\ntap place \"${t1}\"",
           .conflicts = "cancelled"},
          {.name = "old_answer",
           .kind = "functional",
           .what = "The comparison stays although one side was changed",
           .events = "tap choose_from\ntap place \"${t1}\"\ntap choose_to\ntap place \"${t2}\"\ntap "
                     "compute\ntap choose_to\ntap place \"${k1}\"",
           .conflicts = "wrong_slot"}}};
}

}  // namespace norn::sim
