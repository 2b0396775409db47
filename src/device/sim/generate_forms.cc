// Features of generated apps in which something is filled in: a wizard of steps, a form that asks another
// screen for an answer, a basket, a safe with a number, settings.
#include "device/sim/generate_template.h"

namespace norn::sim {
namespace {

constexpr std::string_view kWizard = R"lua(
local CHOICES = { { "Plain", ${p1} }, { "Good", ${p2} }, { "Best", ${p3} } }

!lost_draft| local function draft() return storage.${key}_draft end
?lost_draft| ${key}_draft = nil
?lost_draft| local function draft()
?lost_draft|   if bug("${bug:lost_draft}") then return ${key}_draft end
?lost_draft|   return storage.${key}_draft
?lost_draft| end
?old_total| ${key}_total = nil

local function begin()
  storage.${key}_draft = { persons = 1 }
  ?lost_draft| ${key}_draft = storage.${key}_draft
  ?old_total| ${key}_total = nil
end

starters[#starters + 1] = function()
  storage.${key} = storage.${key} or {}
  storage.${key}_draft = storage.${key}_draft or { persons = 1 }
end

activity "${A}Start" {
  view = function(self)
    return column {
      toolbar { "${T}", up = true },
      button { "New request", id = "begin", on_click = function()
        begin()
        self:start("${A}Name")
      end },
      list { id = "requests", items = storage.${key}, empty = text { "No requests yet", id = "empty" },
        row = function(r) return text { r.name .. ": " .. r.total, id = "request" } end,
        on_item_long_click = function(i) table.remove(storage.${key}, i) end },
    }
  end,
}

activity "${A}Name" {
  next_step = function(self)
    local name = trim(self:text("name"))
    if name == "" then return toast("Who are you?") end
    draft().name = name
    self:hide_keyboard()
    self:start("${A}Choice")
  end,
  view = function(self)
    return column {
      toolbar { "${T}, 1 of 3", up = true },
      field { id = "name", hint = "Your name" },
      button { "Next", id = "to_choice", on_click = function() self:next_step() end },
    }
  end,
}

activity "${A}Choice" {
  create = function(self)
    !forgets_choice| self.choice = draft() and draft().choice
    ?forgets_choice| if not bug("${bug:forgets_choice}") then self.choice = draft() and draft().choice end
  end,
  next_step = function(self)
    !no_choice| if not draft().choice then return toast("Choose one") end
    ?no_choice| if not draft().choice and not bug("${bug:no_choice}") then return toast("Choose one") end
    local persons = math.tointeger(tonumber(self:text("persons"))) or 1
    !nobody| draft().persons = math.max(1, persons)
    ?nobody| draft().persons = bug("${bug:nobody}") and persons or math.max(1, persons)
    self:hide_keyboard()
    self:start("${A}Summary")
  end,
  view = function(self)
    return column {
      toolbar { "${T}, 2 of 3", up = true },
      each(CHOICES, function(c, i)
        return button { (self.choice == i and "* " or "") .. c[1], id = "choice_" .. i, on_click = function()
          self.choice = i
          draft().choice = i
        end }
      end),
      field { id = "persons", hint = "How many persons", input = "number", max = 3 },
      button { "Next", id = "to_summary", on_click = function() self:next_step() end },
    }
  end,
}

activity "${A}Summary" {
  create = function(self)
    local d = draft()
    !no_choice| if not d.choice then return end
    ?no_choice| if not d.choice and (not d.name or not bug("${bug:no_choice}")) then return end
    local price = CHOICES[d.choice]
    !no_choice| self.total = price[2] * d.persons
    ?no_choice| self.total = price[2] * d.persons
    ?old_total| if bug("${bug:old_total}") then
    ?old_total|   ${key}_total = ${key}_total or self.total       -- computed once is computed for ever
    ?old_total|   self.total = ${key}_total
    ?old_total| end
    !nobody| self.share = self.total // d.persons
    ?nobody| if d.persons > 0 or bug("${bug:nobody}") then self.share = self.total // d.persons end
  end,
  send = function(self)
    table.insert(storage.${key}, { name = draft().name or "?", total = self.total })
    begin()
    self:start("${A}Done")
    self:finish()
  end,
  view = function(self)
    if not self.total then return column { toolbar { "${T}", up = true }, text { "Nothing chosen", id = "gone" } } end
    return column {
      toolbar { "${T}, 3 of 3", up = true },
      text { "For " .. (draft().name or "?"), id = "for_whom" },
      text { "Total " .. self.total, id = "total", size = "large" },
      text { "Each pays " .. (self.share or 0), id = "share" },
      button { "Send", id = "send", on_click = function() self:send() end },
    }
  end,
}

activity "${A}Done" {
  view = function(self)
    return column { toolbar { "Thank you", up = true }, text { #storage.${key} .. " requests sent", id = "sent" } }
  end,
}
)lua";

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

constexpr std::string_view kBasket = R"lua(
local GOODS = { { "${t1}", ${p1} }, { "${t2}", ${p2} }, { "${k1}", ${p3} } }
local CODES = { [ "${code}" ] = 100, TENTH = 10 }

local function total()
  local sum = 0
  for _, line in ipairs(storage.${key}) do sum = sum + line.price * line.pieces end
  return sum - sum * math.min(100, storage.${key}_off) // 100
end

starters[#starters + 1] = function()
  storage.${key} = storage.${key} or {}
  storage.${key}_off = storage.${key}_off or 0
  storage.${key}_used = storage.${key}_used or {}
end

activity "${A}Goods" {
  view = function(self)
    return column {
      toolbar { "${T}", up = true, actions = { { "Basket", id = "basket", on_click = function() self:start("${A}Basket") end } } },
      text { "Voucher of the month: ${code}", id = "voucher", size = "small" },
      list { id = "goods", items = GOODS,
        row = function(g) return row { text { g[1], id = "good", weight = 1 }, text { tostring(g[2]), id = "price" } } end,
        on_item_click = function(_, g)
          local line = find(storage.${key}, function(l) return l.name == g[1] end)
          if line then line.pieces = line.pieces + 1 else table.insert(storage.${key}, { name = g[1], price = g[2], pieces = 1 }) end
        end },
    }
  end,
}

activity "${A}Basket" {
  create = function(self) self.shown = nil end,
  fewer = function(self, i)
    local line = storage.${key}[i]
    line.pieces = line.pieces - 1
    if line.pieces > 0 then return end
    table.remove(storage.${key}, i)
    ?removed_line| if bug("${bug:removed_line}") then toast(list_get(storage.${key}, i).name .. " is next") end
  end,
  redeem = function(self, code)
    local off = CODES[code]
    if not off then return toast("Unknown voucher") end
    !voucher_twice| if storage.${key}_used[code] then return toast("Used before") end
    ?voucher_twice| if storage.${key}_used[code] and not bug("${bug:voucher_twice}") then return toast("Used before") end
    storage.${key}_used[code] = true
    storage.${key}_off = storage.${key}_off + off
  end,
  ask_voucher = function(self)
    self:set_text("voucher_code", "")
    self:dialog { title = "Voucher", cancel = "Cancel", ok = "Redeem",
      view = function() return column { field { id = "voucher_code", hint = "Code" } } end,
      on_ok = function() self:redeem(trim(self:text("voucher_code"))) end }
  end,
  pay = function(self)
    local sum = total()
    if #storage.${key} == 0 then return toast("The basket is empty") end
    !free_lunch| local points = sum == 0 and 0 or 10000 // sum
    ?free_lunch| local points = sum == 0 and not bug("${bug:free_lunch}") and 0 or 10000 // sum
    storage.${key}, storage.${key}_off, storage.${key}_used = {}, 0, {}
    self:start("${A}Receipt", { sum = sum, points = points })
    self:finish()
  end,
  menu = function(self)
    return { { "Empty the basket", id = "empty_basket", on_click = function()
      storage.${key} = {}
      !voucher_stays| storage.${key}_off, storage.${key}_used = 0, {}
      ?voucher_stays| if not bug("${bug:voucher_stays}") then storage.${key}_off, storage.${key}_used = 0, {} end
    end } }
  end,
  view = function(self)
    return column {
      toolbar { "Basket", up = true, subtitle = storage.${key}_off > 0 and storage.${key}_off .. " % off" or nil },
      list { id = "lines", items = storage.${key}, empty = text { "Empty", id = "empty" },
        row = function(line, i)
          return row { text { line.pieces .. " x " .. line.name, id = "line", weight = 1 },
            button { "-", id = "fewer", on_click = function() self:fewer(i) end } }
        end },
      text { "Total " .. total(), id = "total", size = "large" },
      row {
        button { "Voucher", id = "ask_voucher", on_click = function() self:ask_voucher() end },
        button { "Pay", id = "pay", on_click = function() self:pay() end },
      },
    }
  end,
}

activity "${A}Receipt" {
  view = function(self)
    return column {
      toolbar { "Receipt", up = true },
      text { "Paid " .. (self.intent.sum or 0), id = "paid" },
      text { (self.intent.points or 0) .. " points", id = "points" },
    }
  end,
}
)lua";

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

constexpr std::string_view kSettings = R"lua(
starters[#starters + 1] = function()
  if prefs.${key}_rows then return end
  prefs.${key}_rows, prefs.${key}_compact, prefs.${key}_hints, prefs.${key}_unit = 4, false, true, "${k1}"
  prefs.${key}_scale = 2
end

local function set_compact(on)
  prefs.${key}_compact = on
  if on then prefs.${key}_rows = 8 end
  !compact_back| if not on then prefs.${key}_rows = 4 end
  ?compact_back| if not on then prefs.${key}_rows = bug("${bug:compact_back}") and 0 or 4 end
end

local function set_hints(on)
  prefs.${key}_hints = on
  !hints_back| prefs.${key}_scale = on and 2 or 1
  ?hints_back| if not on or not bug("${bug:hints_back}") then prefs.${key}_scale = on and 2 or 1 end
end

local function set_unit(i, label)
  !unit_back| prefs.${key}_unit = i == 2 and "${k2}" or "${k1}"
  ?unit_back| prefs.${key}_unit = i == 2 and "${k2}" or bug("${bug:unit_back}") and label or "${k1}"
end

local FACTORS = { [ "${k1}" ] = 1, [ "${k2}" ] = 12 }

activity "${A}Settings" {
  view = function(self)
    return column {
      toolbar { "${T}", up = true },
      switch { "Compact rows", id = "compact", checked = prefs.${key}_compact, on_change = set_compact },
      switch { "Hints", id = "hints", checked = prefs.${key}_hints, on_change = set_hints },
      text "Unit",
      radios { id = "unit", items = { "Usual", "${k2}" }, selected = prefs.${key}_unit == "${k2}" and 2 or 1, on_change = set_unit },
      slider { id = "volume", min = 0, max = 10, step = 1 },
      button { "Preview", id = "preview", on_click = function() self:start("${A}Preview") end },
      button { "Licences", id = "licences", on_click = function() self:dialog { title = "Licences", message = "Free for all", ok = "OK" } end },
    }
  end,
}

activity "${A}Preview" {
  create = function(self) self.page = 1 end,
  view = function(self)
    local pages = 24 // prefs.${key}_rows
    local factor = FACTORS[prefs.${key}_unit]
    return column {
      toolbar { "Preview", up = true },
      text { "Page " .. self.page .. " of " .. pages, id = "page" },
      text { 3 * factor .. " of ${q}, scale " .. prefs.${key}_scale, id = "example" },
      button { "Turn", id = "turn", on_click = function() self.page = self.page % math.max(1, pages) + 1 end },
    }
  end,
}
)lua";

}  // namespace

std::span<const FeatureTemplate> form_features() {
  static const std::vector<FeatureTemplate> features = {
      {"wizard",
       5,
       "${A}Start",
       "",
       kWizard,
       "",
       {{"lost_draft", "crash", "The draft lives in the process only and dies with it",
         "tap begin\ntype name \"Ann\"\ntap to_choice\nsystem kill\nlaunch\ntap choice_2", ""},
        {"no_choice", "crash", "The summary of a request in which nothing was chosen",
         "tap begin\ntype name \"Ann\"\ntap to_choice\ntap to_summary", "", 0, "forgets_choice"},
        {"nobody", "crash", "Shared among nobody",
         "tap begin\ntype name \"Ann\"\ntap to_choice\ntap choice_2\ntype persons \"0\"\ntap to_summary", ""},
        {"forgets_choice", "functional", "The choice is not shown any more when one comes back to it",
         "tap begin\ntype name \"Ann\"\ntap to_choice\ntap choice_2\nback\ntap to_choice", ""},
        {"old_total", "functional", "A total seen once stays when another choice is made",
         "tap begin\ntype name \"Ann\"\ntap to_choice\ntap choice_1\ntap to_summary\nback\ntap choice_3\ntap "
         "to_summary",
         ""}}},
      {"picker",
       3,
       "${A}Form",
       "",
       kPicker,
       "",
       {{"cancelled", "crash", "Nothing was chosen, but it is used", "tap choose_to\nback", ""},
        {"same_place", "crash", "Twice the same has no distance to divide by",
         "tap choose_from\ntap place \"${t2}\"\ntap choose_to\ntap place \"${t2}\"\ntap compute", "", 0,
         "wrong_slot"},
        {"wrong_slot", "functional", "After the process died the answer goes to the first place",
         "tap choose_to\nsystem kill\nlaunch\ntap place \"${t1}\"", "", 0, "cancelled"},
        {"old_answer", "functional", "The comparison stays although one side was changed",
         "tap choose_from\ntap place \"${t1}\"\ntap choose_to\ntap place \"${t2}\"\ntap compute\ntap "
         "choose_to\ntap place \"${k1}\"",
         "", 0, "wrong_slot"}}},
      {"basket",
       5,
       "${A}Goods",
       "",
       kBasket,
       "",
       {{"removed_line", "crash", "Taking the last piece of the last line names a line that is gone",
         "tap good \"${t1}\"\ntap basket\ntap fewer", ""},
        {"free_lunch", "crash", "Points for a price of nothing",
         "tap good \"${t2}\"\ntap basket\ntap ask_voucher\ntype voucher_code \"${code}\"\ntap "
         "android:id/button1\ntap pay",
         ""},
        {"voucher_twice", "functional", "A voucher counts every time",
         "tap basket\ntap ask_voucher\ntype voucher_code \"TENTH\"\ntap "
         "android:id/button1\ntap ask_voucher\ntype voucher_code "
         "\"TENTH\"\ntap android:id/button1",
         ""},
        {"voucher_stays", "functional", "Emptying the basket keeps the voucher",
         "tap basket\ntap ask_voucher\ntype voucher_code \"TENTH\"\ntap android:id/button1\nmenu\ntap "
         "empty_basket",
         ""}}},
      {"safe",
       4,
       "${A}Safe",
       "",
       kSafe,
       "",
       {{"no_number", "crash", "The number was forgotten while the safe was locked",
         "menu\ntap set_number\ntype number \"42\"\ntap android:id/button1\ntap lock\nmenu\ntap forget\ntap "
         "unlock\ntap android:id/button1",
         ""},
        {"left_open", "functional", "Locking does not hide what was open",
         "menu\ntap set_number\ntype number \"42\"\ntap android:id/button1\ntap paper \"${t1}\"\nback\ntap "
         "lock",
         ""}}},
      {"settings",
       3,
       "${A}Settings",
       "",
       kSettings,
       "",
       {{"compact_back", "crash", "Compact rows, switched on and off, leave no rows",
         "tap compact\ntap compact\ntap preview", ""},
        {"unit_back", "crash", "Going back to the usual unit stores its label",
         "tap \"${k2}\"\ntap \"Usual\"\ntap preview", ""},
        {"hints_back", "functional", "Hints, switched off and on, leave another scale",
         "tap hints\ntap hints\ntap preview", ""}}},
  };
  return features;
}

}  // namespace norn::sim
