// A generated feature: papers behind a number that is set, asked for and forgotten.
#include "device/sim/generate_template.h"

namespace norn::sim {
namespace {

constexpr std::string_view kSafe = R"lua(
starters[#starters + 1] = function()
  storage.${key} = storage.${key} or { locked = false, papers = { "${t1}", "${t2}" } }
end

activity "${A}Safe" {
  create = function(self, intent, saved) self.open = saved and saved.open or false end,
  save = function(self, out) out.open = self.open end,
  ask_number = function(self, title, done)
    self:set_text("number", "")
    self:dialog { title = title, cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "number", hint = "Number", input = "number", max = 6 } } end,
      on_ok = function() done(self:text("number")) end }
  end,
  set_number = function(self)
    self:ask_number("New number", function(number)
      if number == "" then return toast("A number, please") end
      storage.${key}.number = number
    end)
  end,
  lock = function(self)
    if not storage.${key}.number then return toast("Set a number first") end
    storage.${key}.locked = true
    !left_open| self.open = false
    ?left_open| if not bug("${bug:left_open}") then self.open = false end
  end,
  unlock = function(self)
    self:ask_number("Number", function(number)
      local safe = storage.${key}
      !no_number| if safe.number and number ~= safe.number then return toast("Wrong number") end
      ?no_number| if bug("${bug:no_number}") then
      ?no_number|   if #number ~= #safe.number or number ~= safe.number then return toast("Wrong number") end
      ?no_number| elseif safe.number and number ~= safe.number then
      ?no_number|   return toast("Wrong number")
      ?no_number| end
      safe.locked = false
      self.open = true
    end)
  end,
  menu = function(self)
    return {
      { "Set number", id = "set_number", enabled = not storage.${key}.locked, on_click = function() self:set_number() end },
      { "Forget number", id = "forget", on_click = function()
        storage.${key}.number = nil
        !no_number| storage.${key}.locked = false
        ?no_number| if not bug("${bug:no_number}") then storage.${key}.locked = false end
      end },
    }
  end,
  view = function(self)
    local safe = storage.${key}
    return column {
      toolbar { "${T}", up = true },
      text { safe.locked and "Locked" or "Not locked", id = "state" },
      safe.locked and button { "Unlock", id = "unlock", on_click = function() self:unlock() end }
        or button { "Lock", id = "lock", on_click = function() self:lock() end },
      (self.open or not safe.locked) and list { id = "papers", items = safe.papers, empty = text { "Nothing", id = "empty" },
        row = function(s) return text { s, id = "paper" } end,
        on_item_click = function(i, s)
          self.open = true
          self:start("${A}Paper", { title = s })
        end },
    }
  end,
}

activity "${A}Paper" {
  view = function(self)
    return column {
      toolbar { self.intent.title or "Paper", up = true },
      text { "Known to you alone", id = "secret" },
      button { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
    }
  end,
}
)lua";

}  // namespace

FeatureTemplate features::safe() {
  return {.name = "safe",
          .screens = 4,
          .entry = "${A}Safe",
          .lua = kSafe,
          .bugs = {{.name = "no_number",
                    .kind = "crash",
                    .what = "The number was forgotten while the safe was locked",
                    .events = "menu\ntap set_number\ntype number \"42\"\ntap android:id/button1\ntap "
                              "lock\nmenu\ntap forget\ntap unlock\ntap android:id/button1"},
                   {.name = "left_open",
                    .kind = "functional",
                    .what = "Locking does not hide what was open",
                    .events = "menu\ntap set_number\ntype number \"42\"\ntap android:id/button1\ntap paper "
                              "\"${t1}\"\nback\ntap lock"}}};
}

}  // namespace norn::sim
