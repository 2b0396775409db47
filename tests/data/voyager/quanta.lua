-- Quanta: a calculator with history and memory, a unit converter, dates, a bill splitter, world clocks.
-- Home is a grid of tools.

local DAY = 24 * 60 * 60 * 1000
local HOUR = 60 * 60 * 1000

-- Units: name, symbol, factor to the base unit of the group (and an offset for temperatures).
local GROUPS = {
  { name = "Length", units = { { "Metre", "m", 1 }, { "Kilometre", "km", 1000 }, { "Centimetre", "cm", 0.01 }, { "Mile", "mi", 1609.344 },
    { "Yard", "yd", 0.9144 }, { "Foot", "ft", 0.3048 }, { "Inch", "in", 0.0254 } } },
  { name = "Mass", units = { { "Kilogram", "kg", 1 }, { "Gram", "g", 0.001 }, { "Tonne", "t", 1000 }, { "Pound", "lb", 0.45359237 },
    { "Ounce", "oz", 0.028349523 } } },
  { name = "Temperature", units = { { "Celsius", "°C", 1, 0 }, { "Fahrenheit", "°F", 5 / 9, -32 }, { "Kelvin", "K", 1, -273.15 } } },
  { name = "Volume", units = { { "Litre", "l", 1 }, { "Millilitre", "ml", 0.001 }, { "Cubic metre", "m³", 1000 }, { "Gallon", "gal", 3.785411784 },
    { "Pint", "pt", 0.473176473 }, { "Cup", "cup", 0.236588 } } },
  { name = "Time", units = { { "Second", "s", 1 }, { "Minute", "min", 60 }, { "Hour", "h", 3600 }, { "Day", "d", 86400 }, { "Week", "wk", 604800 } } },
}
local ZONES = { { "London", 0 }, { "Reykjavik", 0 }, { "Paris", 60 }, { "Cairo", 120 }, { "Tehran", 210 }, { "Mumbai", 330 }, { "Kathmandu", 345 },
  { "Tokyo", 540 }, { "Adelaide", 630 }, { "New York", -300 }, { "St. John's", -210 }, { "Denver", -420 } }
local TOOLS = { "Calculator", "Converter", "Dates", "Split bill", "World clock", "Body mass" }
local PLACES = { "0", "1", "2", "3", "4", "6" }

app {
  package = "org.voyager.quanta",
  title = "Quanta",
  main = "Home",
  bugs = { "percent_is_fraction", "swap_keeps_result", "picker_takes_position", "history_other_row", "tip_not_shared", "memory_clears_history",
    "zone_half_hours", "turn_resets_units" },
  application = function()
    if storage.history then return end
    storage.history = {
      { line = "18*24", result = "432" }, { line = "432/7", result = "61.714" }, { line = "99.9-15", result = "84.9" },
    }
    storage.favourites = { "Kilometre", "Mile" }
    storage.clocks = { "London", "Tokyo" }
    prefs.places, prefs.comma, prefs.hidden = 3, false, {}
  end,
}

local function shown_number(x)
  if x ~= x or x == math.huge or x == -math.huge then return "undefined" end
  if math.abs(x) >= 1e15 then return format("%.4g", x) end
  local s = format("%." .. prefs.places .. "f", x)
  if contains(s, ".") then s = s:gsub("0+$", ""):gsub("%.$", "") end
  if s == "-0" then s = "0" end
  return prefs.comma and (s:gsub("%.", ",")) or s
end

local function number_of(s) return tonumber((trim(s):gsub(",", "."))) end

-- ---- arithmetic: + - * / and %, from left to right with the usual precedence ----

local function parts_of(line)
  local numbers, operators, rest = {}, {}, line:gsub(",", ".")
  while true do
    local sign, digits, percent, more = rest:match("^(%-?)(%d*%.?%d*)(%%?)(.*)$")
    local value = tonumber(digits)
    if not value then return nil end
    table.insert(numbers, { value = sign == "-" and -value or value, percent = percent ~= "" })
    if more == "" then return numbers, operators end
    local operator = more:sub(1, 1)
    if not contains("+-*/", operator) then return nil end
    table.insert(operators, operator)
    rest = more:sub(2)
  end
end

local function evaluate(line)
  local numbers, operators = parts_of(line)
  if not numbers then return nil end
  local sum, term, sign = 0, nil, 1
  for i, n in ipairs(numbers) do
    local operator = operators[i - 1]
    local value = n.value
    if operator == "+" or operator == "-" then
      sum, sign, term = sum + sign * term, operator == "+" and 1 or -1, nil
    end
    if n.percent then
      local alone = not operators[i] or operators[i] == "+" or operators[i] == "-"
      if not term and i > 1 and alone and not bug("percent_is_fraction") then value = sum * value / 100 else value = value / 100 end
    end
    if not term then term = value
    elseif operator == "*" then term = term * value
    else term = value == 0 and 0 / 0 or term / value end
  end
  return sum + sign * term
end

-- ---- home ----

local SCREEN_OF = { Calculator = "Calculator", Converter = "Groups", Dates = "Dates", ["Split bill"] = "Split", ["World clock"] = "Clocks",
  ["Body mass"] = "BodyMass" }

activity "Home" {
  view = function(self)
    local tools = filter(TOOLS, function(t) return not prefs.hidden[t] end)
    return column {
      toolbar { "Quanta", actions = { { "Settings", id = "settings", on_click = function() self:start("Settings") end } } },
      grid { id = "tools", items = tools, columns = 2, empty = text { "All tools are hidden. See the settings.", id = "empty" },
        row = function(t) return card { id = "tool", text { t, id = "tool_name", size = "large" } } end,
        on_item_click = function(_, t) self:start(SCREEN_OF[t]) end },
      text { "Favourite units: " .. (#storage.favourites > 0 and table.concat(storage.favourites, ", ") or "none"), id = "favourite_units", size = "small" },
    }
  end,
}

-- ---- calculator ----

activity "Calculator" {
  create = function(self, intent, saved)
    self.line, self.fresh = saved and saved.line or intent.line or "", saved and saved.fresh or false
  end,
  save = function(self, out) out.line, out.fresh = self.line, self.fresh end,
  result = function(self, request, data) if data then self.line, self.fresh = data.line, false end end,
  press = function(self, key)
    local digit = key:match("%d") or key == "."
    if self.fresh and digit then self.line = "" end               -- a digit after = begins a new calculation
    self.fresh = false
    if #self.line >= 24 then return end
    if not digit and key ~= "-" and self.line == "" then return end
    if self.line:match("[%+%-%*/]$") and contains("+-*/", key) then self.line = self.line:sub(1, -2) end
    if self.line == "" and contains("+*/", key) then return end
    self.line = self.line .. (key == "." and prefs.comma and "," or key)
  end,
  equals = function(self)
    if self.line == "" then return end
    local value = evaluate(self.line)
    if not value then return toast("That is not complete") end
    local result = shown_number(value)
    if result == "undefined" then return toast("Not defined") end
    table.insert(storage.history, { line = self.line, result = result })
    if #storage.history > 30 then table.remove(storage.history, 1) end
    self.line, self.fresh = result, true
  end,
  add_to_memory = function(self, sign)
    local value = evaluate(self.line)
    if not value or value ~= value then return toast("Nothing to keep") end
    storage.memory = (storage.memory or 0) + sign * value
  end,
  key = function(self, label, id) return button { label, id = id, weight = 1, on_click = function() self:press(label) end } end,
  view = function(self)
    local live = self.line ~= "" and not self.fresh and evaluate(self.line) or nil
    local memory = storage.memory
    return column {
      toolbar { "Calculator", up = true, subtitle = memory and "M = " .. shown_number(memory) or nil,
        actions = { { "History", id = "history", on_click = function() self:start_for_result("History", "line") end } } },
      text { self.line == "" and "0" or self.line, id = "line", size = "large" },
      text { live and "= " .. shown_number(live) or " ", id = "live" },
      row { button { "MC", id = "mc", weight = 1, enabled = memory ~= nil, on_click = function()
          storage.memory = nil
          if bug("memory_clears_history") then storage.history = {} end
        end },
        button { "MR", id = "mr", weight = 1, enabled = memory ~= nil, on_click = function()
          local s = shown_number(memory)
          if self.line:match("[%+%-%*/]$") then self.line = self.line .. s else self.line = s end
          self.fresh = false
        end },
        button { "M+", id = "m_plus", weight = 1, on_click = function() self:add_to_memory(1) end },
        button { "M-", id = "m_minus", weight = 1, on_click = function() self:add_to_memory(-1) end } },
      row { self:key("7", "k7"), self:key("8", "k8"), self:key("9", "k9"), self:key("/", "divide") },
      row { self:key("4", "k4"), self:key("5", "k5"), self:key("6", "k6"), self:key("*", "times") },
      row { self:key("1", "k1"), self:key("2", "k2"), self:key("3", "k3"), self:key("-", "minus") },
      row { self:key("0", "k0"), self:key(".", "point"), self:key("%", "percent"), self:key("+", "plus") },
      row {
        button { "C", id = "clear", weight = 1, on_click = function() self.line, self.fresh = "", false end },
        button { "Back", id = "backspace", desc = "Delete", weight = 1, on_click = function() self.line, self.fresh = self.line:sub(1, -2), false end },
        button { "=", id = "equals", weight = 2, on_click = function() self:equals() end },
      },
    }
  end,
}

activity "History" {
  newest_first = function(self)
    local list = {}
    for i = #storage.history, 1, -1 do table.insert(list, storage.history[i]) end
    return list
  end,
  remove = function(self, i)
    local at = bug("history_other_row") and i or #storage.history - i + 1
    table.remove(storage.history, at)
    toast("Removed")
  end,
  menu = function(self)
    return { { "Clear history", id = "clear_history", on_click = function()
      self:dialog { title = "Clear the history?", cancel = "Cancel", ok = "Clear", on_ok = function() storage.history = {} end }
    end } }
  end,
  view = function(self)
    return column {
      toolbar { "History", up = true },
      list { id = "lines", items = self:newest_first(), empty = text { "No calculations yet", id = "empty" },
        row = function(h) return text { h.line .. " = " .. h.result, id = "history_row" } end,
        on_item_click = function(_, h) self:finish { line = h.line } end,
        on_item_long_click = function(i, h)
          self:popup {
            { "Copy result", id = "copy", on_click = function() clipboard.set(h.result) toast("Copied " .. h.result) end },
            { "Remove", id = "remove", on_click = function() self:remove(i) end },
          }
        end },
    }
  end,
}

-- ---- converter ----

activity "Groups" {
  view = function(self)
    return column {
      toolbar { "Converter", up = true },
      list { id = "groups", items = GROUPS, row = function(g)
          return column { id = "group_row", text { g.name, id = "group" }, text { #g.units .. " units", id = "group_size", size = "small" } }
        end,
        on_item_click = function(i) self:start("Converter", { group = i }) end },
    }
  end,
}

local function convert(value, from, to)
  local base = from[4] and (value + from[4]) * from[3] or value * from[3]
  return to[4] and base / to[3] - to[4] or base / to[3]
end

activity "Converter" {
  create = function(self, intent, saved)
    self.from, self.to = 1, 2
    if saved then
      self.value, self.out = saved.value, saved.out
      if not bug("turn_resets_units") then self.from, self.to = saved.from, saved.to end
    end
    self.value = self.value or "1"
    self.out = self.out or ""
    if not saved then self:compute() end
  end,
  save = function(self, out) out.from, out.to, out.value, out.out = self.from, self.to, self.value, self.out end,
  group = function(self) return GROUPS[self.intent.group] end,
  compute = function(self)
    local n = number_of(self.value)
    local units = self:group().units
    self.out = n and shown_number(convert(n, units[self.from], units[self.to])) or ""
  end,
  resume = function(self) self:compute() end,
  result = function(self, request, data)
    if not data then return end
    if request == "from" then self.from = data.unit else self.to = data.unit end
    self:compute()
  end,
  view = function(self)
    local units = self:group().units
    local from, to = units[self.from], units[self.to]
    return column {
      toolbar { self:group().name, up = true, actions = {
        { "All units", id = "all_units", on_click = function() self:start("Table", { group = self.intent.group, from = self.from, value = self.value }) end } } },
      row { button { from[1], id = "from", weight = 1, on_click = function() self:start_for_result("Units", "from", { group = self.intent.group }) end },
        image_button { id = "swap", desc = "Swap units", on_click = function()
          self.from, self.to = self.to, self.from
          if not bug("swap_keeps_result") then self:compute() end
        end },
        button { to[1], id = "to", weight = 1, on_click = function() self:start_for_result("Units", "to", { group = self.intent.group }) end } },
      field { id = "value", hint = "Value", text = self.value, on_change = function(s) self.value = s self:compute() end },
      text { self.out ~= "" and self.value .. " " .. from[2] .. " = " .. self.out .. " " .. to[2] or "Enter a number", id = "out", size = "large" },
      button { "Copy", id = "copy", enabled = self.out ~= "", on_click = function() clipboard.set(self.out) toast("Copied " .. self.out) end },
    }
  end,
}

activity "Units" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  shown = function(self)
    local rows = {}
    for i, u in ipairs(GROUPS[self.intent.group].units) do
      if contains(u[1]:lower(), self.query:lower()) or u[2] == self.query then table.insert(rows, { unit = u, index = i }) end
    end
    table.sort(rows, function(a, b)                                -- favourites first
      local x, y = index_of(storage.favourites, a.unit[1]) ~= nil, index_of(storage.favourites, b.unit[1]) ~= nil
      if x ~= y then return x end
      return a.index < b.index
    end)
    return rows
  end,
  view = function(self)
    return column {
      toolbar { "Choose a unit", up = true },
      field { id = "unit_query", hint = "Search units", on_change = function(s) self.query = s end },
      list { id = "units", items = self:shown(), empty = text { "No such unit", id = "empty" },
        row = function(r)
          return text { (index_of(storage.favourites, r.unit[1]) and "★ " or "") .. r.unit[1] .. " (" .. r.unit[2] .. ")", id = "unit_row" }
        end,
        on_item_click = function(i, r)
          local searching = self.query ~= ""
          self:finish { unit = bug("picker_takes_position") and searching and i or r.index }
        end,
        on_item_long_click = function(_, r)
          local at = index_of(storage.favourites, r.unit[1])
          if at then table.remove(storage.favourites, at) else table.insert(storage.favourites, r.unit[1]) end
          toast(at and "No longer a favourite" or "Favourite")
        end },
    }
  end,
}

activity "Table" {
  view = function(self)
    local units = GROUPS[self.intent.group].units
    local n = number_of(self.intent.value) or 1
    return column {
      toolbar { shown_number(n) .. " " .. units[self.intent.from][2], up = true },
      list { id = "conversions", items = units, row = function(u)
        return row { text { u[1], id = "table_unit", weight = 1 }, text { shown_number(convert(n, units[self.intent.from], u)) .. " " .. u[2], id = "table_value" } }
      end },
    }
  end,
}

-- ---- dates ----

activity "Dates" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
    self.first, self.second = saved and saved.first or 0, saved and saved.second or 14
    self.mode, self.days = saved and saved.mode or 1, saved and saved.days or 7
  end,
  save = function(self, out) out.tab, out.first, out.second, out.mode, out.days = self.tab, self.first, self.second, self.mode, self.days end,
  pick = function(self, key)
    local offsets = { 0, 1, 7, 30, 100, -1, -30 }
    self:dialog { title = "Date", items = each(offsets, function(o) return date(now() + o * DAY, "%Y-%m-%d") end),
      on_item = function(i) self[key] = offsets[i] end }
  end,
  difference = function(self)
    local days = math.abs(self.second - self.first)
    local function s(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
    return s(days, "day"), s(days // 7, "week") .. " and " .. s(days % 7, "day")
  end,
  view = function(self)
    local days, weeks = self:difference()
    return column {
      toolbar { "Dates", up = true },
      tabs { id = "date_tabs", titles = { "Difference", "Add days" }, selected = self.tab, on_change = function(i) self.tab = i end },
      button { "From " .. date(now() + self.first * DAY, "%Y-%m-%d"), id = "first", on_click = function() self:pick("first") end },
      self.tab == 1 and {
        button { "To " .. date(now() + self.second * DAY, "%Y-%m-%d"), id = "second", on_click = function() self:pick("second") end },
        text { days, id = "days", size = "large" },
        text { weeks, id = "weeks" },
      } or {
        radios { id = "mode", items = { "Add", "Subtract" }, selected = self.mode, on_change = function(i) self.mode = i end },
        slider { id = "days_slider", min = 0, max = 60, step = 1, value = self.days, on_change = function(v) self.days = v end },
        text { self.days .. " days", id = "slider_days" },
        text { date(now() + (self.first + (self.mode == 1 and 1 or -1) * self.days) * DAY, "%A, %Y-%m-%d"), id = "date_result", size = "large" },
      },
    }
  end,
}

-- ---- bills, clocks, bodies ----

activity "Split" {
  create = function(self, intent, saved)
    self.people, self.tip, self.total = saved and saved.people or 2, saved and saved.tip or 1, saved and saved.total or ""
  end,
  save = function(self, out) out.people, out.tip, out.total = self.people, self.tip, self.total end,
  view = function(self)
    local percents = { 0, 5, 10, 15, 20 }
    local bill = number_of(self.total) or 0
    local tip = bill * percents[self.tip] / 100
    local each_pays = ((bug("tip_not_shared") and bill or bill + tip)) / self.people
    local function m(x) return format("%.2f", x) end
    return column {
      toolbar { "Split bill", up = true },
      field { id = "bill", hint = "Bill", input = "decimal", text = self.total, on_change = function(s) self.total = s end },
      row { text { "Tip", weight = 1 },
        spinner { id = "tip", items = each(percents, function(p) return p .. " %" end), selected = self.tip, on_change = function(i) self.tip = i end } },
      row { text { "People", weight = 1 },
        button { "-", id = "fewer", enabled = self.people > 1, on_click = function() self.people = self.people - 1 end },
        text { tostring(self.people), id = "people" },
        button { "+", id = "more", enabled = self.people < 20, on_click = function() self.people = self.people + 1 end } },
      divider {},
      text { "Tip " .. m(tip), id = "tip_amount" },
      text { "Total " .. m(bill + tip), id = "total" },
      text { "Each pays " .. m(each_pays), id = "each", size = "large" },
    }
  end,
}

local function zone_text(minutes)
  local sign = minutes < 0 and "-" or "+"
  minutes = math.abs(minutes)
  return "UTC" .. sign .. minutes // 60 .. (minutes % 60 > 0 and format(":%02d", minutes % 60) or "")
end

local function city_time(zone)
  local minutes = zone[2]
  if bug("zone_half_hours") then minutes = minutes // 60 * 60 end
  return date(now() + minutes * 60 * 1000, "%H:%M")
end

activity "Clocks" {
  view = function(self)
    return column {
      toolbar { "World clock", up = true },
      list { id = "clocks", items = storage.clocks, empty = text { "Add a city", id = "empty" },
        row = function(city)
          local zone = find(ZONES, function(z) return z[1] == city end)
          return row { id = "clock_row",
            column { weight = 1, text { city, id = "city" }, text { zone_text(zone[2]), id = "zone", size = "small" } },
            text { city_time(zone), id = "city_time", size = "large" } }
        end,
        on_item_long_click = function(i, city)
          self:dialog { title = "Remove " .. city .. "?", cancel = "Cancel", ok = "Remove", on_ok = function() table.remove(storage.clocks, i) end }
        end },
      fab { id = "add_city", desc = "Add city", on_click = function()
        local free = filter(ZONES, function(z) return not index_of(storage.clocks, z[1]) end)
        self:dialog { title = "City", items = each(free, function(z) return z[1] end), on_item = function(_, city) table.insert(storage.clocks, city) end }
      end },
    }
  end,
}

activity "BodyMass" {
  view = function(self)
    local height, weight = number_of(self:text("height")), number_of(self:text("weight"))
    local index = height and weight and height > 0 and weight / (height / 100) ^ 2 or nil
    local word = index and (index < 18.5 and "Underweight" or index < 25 and "Normal" or index < 30 and "Overweight" or "Obese")
    return column {
      toolbar { "Body mass", up = true },
      field { id = "height", hint = "Height in cm", input = "decimal" },
      field { id = "weight", hint = "Weight in kg", input = "decimal" },
      text { index and "Index " .. shown_number(index) or "Enter height and weight", id = "index", size = "large" },
      word and text { word, id = "word" },
    }
  end,
}

-- ---- settings ----

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        row { text { "Decimal places", weight = 1 },
          spinner { id = "places", items = PLACES, selected = index_of(PLACES, tostring(prefs.places)) or 1,
            on_change = function(i) prefs.places = tonumber(PLACES[i]) end } },
        switch { "Decimal comma", id = "comma", checked = prefs.comma, on_change = function(on) prefs.comma = on end },
        text { "Tools on the first page", size = "small" },
        each(TOOLS, function(t)
          return check { t, id = "show_tool", checked = not prefs.hidden[t], on_change = function(on) prefs.hidden[t] = not on or nil end }
        end),
        button { "Restore defaults", id = "restore", on_click = function()
          self:dialog { title = "Restore defaults?", message = "Only the settings, not the history.", cancel = "Cancel", ok = "Restore",
            on_ok = function() prefs.places, prefs.comma, prefs.hidden = 3, false, {} end }
        end },
        button { "Help", id = "help", on_click = function()
          self:dialog { title = "Help", message = "200+10% is 220: a percentage after + or - is a part of what comes before it. Touch a unit longer to make it a favourite.",
            ok = "OK" }
        end },
      },
    }
  end,
}
