-- Meter Book: what the meters at home read, and what was used and paid in between.
--
-- A meter has its readings, its months and a goal. Readings that are deleted go to a bin; months can be compared and put into
-- a report, and a page of its own shows the power that is drawn right now.

app {
  package = "org.example.meterbook",
  title = "Meter Book",
  main = "Main",
  bugs = { "middle_use", "add_wrong_meter", "edit_moves_date", "swap_names_only", "restore_stays", "rounding_stored", "currency_restart",
    "base_fee_twice" },
  server = function(request, db)
    if request.path ~= "/power" then return nil, 404 end
    db.n = (db.n or 0) + 1
    return { watts = 180 + db.n * 37 % 90 }
  end,
  application = function()
    if storage.meters then return end
    local today = now() // 86400000
    storage.next_id, storage.reports, storage.bin = 60, 0, {}
    storage.meters = {
      { id = 1, name = "Electricity", unit = 1, price = 0.32, base = 9, goal = 250, entered = 3 },
      { id = 2, name = "Water", unit = 2, price = 3.9, base = 4, entered = 2 },
      { id = 3, name = "Gas", unit = 2, price = 1.1, base = 7, entered = 1 },
    }
    storage.readings = {}
    for i, r in ipairs { { 1, 92, 4100 }, { 1, 61, 4352.5 }, { 1, 30, 4610 }, { 1, 1, 4821.5, true }, { 2, 92, 310 }, { 2, 61, 318.2 },
      { 2, 30, 327 }, { 2, 15, 330 }, { 2, 1, 334.6 }, { 3, 30, 1204 }, { 3, 1, 1256 } } do
      storage.readings[i] = { id = 10 + i, meter = r[1], day = today - r[2], value = r[3], guess = r[4] or false, note = "" }
    end
    prefs.currency, prefs.decimals, prefs.by_entry, prefs.hints = 1, true, false, true
  end,
}

local UNITS = { "kWh", "m3", "l" }
local CURRENCIES = { "EUR", "USD", "GBP" }
local MAX_READINGS, MAX_METERS = 90, 8
local chosen_currency                                            -- where "currency_restart" keeps it

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function today() return now() // 86400000 end
local function day_text(day) return date(day * 86400000, "%d %b %Y") end
local function month_of(day) return date(day * 86400000, "%b %Y") end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function meter_of(id) return by_id(storage.meters, id) end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end
local function number(x) return prefs.decimals and format("%.1f", x) or format("%d", math.floor(x + 0.5)) end
local function amount(meter, x) return number(x) .. " " .. UNITS[meter.unit] end

local function currency()
  if bug("currency_restart") then return chosen_currency or 1 end
  return prefs.currency
end

local function money(x) return format("%s %.2f", CURRENCIES[currency()], x) end

local function remove_from(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end

local function readings_of(id)
  local result = filter(storage.readings, function(r) return r.meter == id end)
  table.sort(result, function(a, b) return a.day < b.day end)
  return result
end

local function before(r) return (find(readings_of(r.meter), function(_, i) return readings_of(r.meter)[i + 1] == r end)) end

local function same_day(r)
  return (find(storage.readings, function(x) return x.meter == r.meter and x.day == r.day and x ~= r end))
end

-- What was used since the reading before; a lower value means that a new meter began at zero.
local function use_of(r)
  local last = before(r)
  if not last then return nil end
  return r.value >= last.value and r.value - last.value or r.value
end

local function shown_use(r)
  if not bug("middle_use") then return use_of(r) end
  if r.use == nil then r.use = use_of(r) end
  return r.use
end

local function months_of(meter)
  local list, index = {}, {}
  for _, r in ipairs(readings_of(meter.id)) do
    local use, key = use_of(r), month_of(r.day)
    if use and not index[key] then
      list[#list + 1] = { name = key, use = 0, cost = bug("base_fee_twice") and 0 or meter.base, guess = false }
      index[key] = list[#list]
    end
    if use then
      local month = index[key]
      month.use, month.cost, month.guess = month.use + use, month.cost + use * meter.price, month.guess or r.guess
      if bug("base_fee_twice") then month.cost = month.cost + meter.base end
    end
  end
  return list
end

local function sorted_meters()
  local result = copy(storage.meters)
  if prefs.by_entry then table.sort(result, function(a, b) return a.entered > b.entered end) end
  return result
end

local function names(list) return each(list, function(x) return x.name end) end

activity "Main" {
  menu = function(self)
    return { { "Last entered first", id = "by_entry", checked = prefs.by_entry, on_click = function() prefs.by_entry = not prefs.by_entry end },
      { "New meter", id = "new_meter", on_click = function() self:start("EditMeter", {}) end } }
  end,

  view = function(self)
    return column {
      toolbar { "Meter Book", actions = { { "Live power", id = "live", on_click = function() self:start("Live") end } } },
      drawer { id = "drawer", header = "Meter Book", items = each({ "Compare", "Report", "Bin", "Settings" }, function(name)
        return { name, id = "go_" .. name:lower(), on_click = function() self:start(name) end }
      end) },
      prefs.hints and prefs.hint_day ~= today() and row { text { "Read the meters on the same day every month", id = "hint", weight = 1 },
        button { "OK", id = "hint_ok", on_click = function() prefs.hint_day = today() end } },
      list { id = "meters", items = sorted_meters(),
        row = function(m)
          local all = readings_of(m.id)
          local last = all[#all]
          return column { id = "meter_row", text { m.name, id = "name", size = "large" },
            text { last and amount(m, last.value) .. " on " .. day_text(last.day) or "No reading yet", id = "last", size = "small" },
            text { plural(#all, "reading"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, m) self:start("Meter", { id = m.id }) end },
      fab { id = "add", desc = "New reading", on_click = function() self:start("Reading", {}) end },
    }
  end,
}

activity "Meter" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,
  menu = function(self)
    return { { "Edit meter", id = "edit_meter", on_click = function() self:start("EditMeter", { id = self.intent.id }) end } }
  end,

  delete = function(self, r)
    remove_from(storage.readings, r)
    table.insert(storage.bin, r)
    self:snackbar("Reading deleted", "Undo", function()
      if not index_of(storage.bin, r) or same_day(r) then return end
      remove_from(storage.bin, r)
      table.insert(storage.readings, r)
    end)
  end,

  ask_goal = function(self, meter)
    self:dialog { title = "Goal for a month",
      view = function() return column { field { id = "goal", input = "number", max = 5, hint = UNITS[meter.unit], text = meter.goal and tostring(meter.goal) or "" } } end,
      ok = "Set", cancel = "Cancel", neutral = "No goal", on_neutral = function() meter.goal = nil end,
      on_ok = function()
        local goal = tonumber(self:text("goal"))
        if not goal or goal == 0 then return toast("That is no goal") end
        meter.goal = goal
      end }
  end,

  readings = function(self, meter)
    local all = readings_of(meter.id)
    local sure = filter(all, function(r) return not r.guess end)
    local first = 1                                               -- an average begins with the last change of the meter
    for i = 2, #sure do
      if sure[i].value < sure[i - 1].value then first = i end
    end
    local days = #sure > 1 and sure[#sure].day - sure[first].day or 0
    local rows = {}
    for i = #all, 1, -1 do rows[#rows + 1] = all[i] end
    return column { weight = 1,
      days > 0 and text { format("%.2f %s a day on average%s", (sure[#sure].value - sure[first].value) / days, UNITS[meter.unit],
        #sure < #all and ", " .. plural(#all - #sure, "estimated reading") .. " left out" or ""), id = "average", size = "small" },
      list { id = "readings", items = rows, empty = text { "No readings yet", id = "empty" },
        row = function(r)
          local use, last = shown_use(r), before(r)
          return column { id = "reading_row", text { amount(meter, r.value) .. (r.guess and " (estimated)" or ""), id = "value" },
            text { day_text(r.day) .. (use and ", " .. number(use) .. " used" or "") .. (last and last.value > r.value and ", new meter" or ""), id = "line", size = "small" },
            r.note ~= "" and text { r.note, id = "note", size = "small" } }
        end,
        on_item_click = function(_, r) self:start("Reading", { id = r.id }) end,
        on_item_long_click = function(_, r)
          self:popup { { "Delete", id = "delete", on_click = function() self:delete(r) end } }
        end },
      fab { id = "add", desc = "New reading", on_click = function() self:start("Reading", { meter = meter.id }) end },
    }
  end,

  months = function(self, meter)
    return list { id = "months", items = months_of(meter), empty = text { "Two readings make the first month", id = "empty" },
      row = function(m)
        return column { id = "month_row", text { m.name .. ": " .. amount(meter, m.use) .. (m.guess and " (estimated)" or ""), id = "use" },
          text { money(m.cost) .. " with the base fee", id = "cost", size = "small" } }
      end }
  end,

  goal = function(self, meter)
    local months = months_of(meter)
    local last = months[#months]
    return column { weight = 1,
      text { meter.goal and "Goal: " .. meter.goal .. " " .. UNITS[meter.unit] .. " a month" or "No goal", id = "goal_text" },
      meter.goal and last and progress { value = math.min(last.use, meter.goal), max = meter.goal },
      meter.goal and last and text { last.name .. ": " .. format("%d", last.use * 100 // meter.goal) .. " % of it", id = "reached" },
      button { "Set goal", id = "set_goal", on_click = function() self:ask_goal(meter) end },
    }
  end,

  view = function(self)
    local meter = meter_of(self.intent.id)
    if not meter then return column { toolbar { "Meter", up = true }, text { "No such meter", id = "gone" } } end
    local pages = { self.readings, self.months, self.goal }
    return column {
      toolbar { meter.name, up = true },
      tabs { id = "tabs", titles = { "Readings", "Months", "Goal" }, selected = self.tab, on_change = function(i) self.tab = i end },
      pages[self.tab](self, meter),
    }
  end,
}

-- A new reading, of any meter, or one that is there. What was typed for a new one is kept until it is saved.
activity "Reading" {
  create = function(self, intent, saved)
    local draft = storage.draft and (not intent.meter or intent.meter == storage.draft.meter) and storage.draft
    self.old = by_id(storage.readings, intent.id)
    local r = saved or self.old or draft or {}
    self.drafted = saved and saved.drafted or not saved and not self.old and draft and true or false
    self.owner = self.drafted or saved and saved.owner or false    -- the draft that is kept is this page's
    self.meter, self.day, self.guess = r.meter or intent.meter or storage.meters[1].id, r.day or today(), r.guess or false
    self.text_before = self.old and number(self.old.value) or draft and draft.value or ""
    self.note_before = self.old and self.old.note or draft and draft.note or ""
  end,
  save = function(self, out) out.meter, out.day, out.guess, out.drafted, out.owner = self.meter, self.day, self.guess, self.drafted, self.owner end,
  pause = function(self)
    if self.old or self.intent.id or self.stored then return end
    local value, note = self:text("value"), self:text("note")
    if value .. note ~= "" then
      storage.draft = { meter = self.meter, day = self.day, guess = self.guess, value = value, note = note }
      self.owner = true
    elseif self.owner then
      storage.draft = nil
    end
  end,

  store = function(self)
    local typed = trim(self:text("value"))
    local value = tonumber((typed:gsub("%s", ""):gsub(",", ".")))
    if not value or value < 0 or value > 9999999 then return toast("What does the meter say?") end
    if self.old and typed == self.text_before and not bug("rounding_stored") then value = self.old.value end
    local same = find(storage.readings, function(r) return r.meter == self.meter and r.day == self.day and r ~= self.old end)
    if same then return toast("There is a reading of that day") end
    local lower
    for _, r in ipairs(readings_of(self.meter)) do
      if r.day < self.day and r ~= self.old then lower = r end
    end
    if not lower or value >= lower.value then return self:keep(value) end
    self:dialog { title = "Less than before", message = "It was " .. number(lower.value) .. " on " .. day_text(lower.day) .. ". Is there a new meter?",
      ok = "New meter", on_ok = function() self:keep(value) end, cancel = "Cancel" }
  end,

  keep = function(self, value)
    local r = self.old
    if not r then
      if #storage.readings >= MAX_READINGS then return toast("The book is full") end
      r = { id = new_id() }
      table.insert(storage.readings, r)
    end
    r.meter = bug("add_wrong_meter") and self.intent.meter or self.meter
    r.day = self.old and bug("edit_moves_date") and self.day - 1 or self.day
    r.value, r.guess, r.note, r.use = value, self.guess, trim(self:text("note")), nil
    meter_of(r.meter).entered = now()
    self.stored = true
    if self.owner then storage.draft = nil end
    self:finish()
  end,

  view = function(self)
    local ids = each(storage.meters, function(m) return m.id end)
    return column {
      toolbar { self.old and "Edit reading" or "New reading", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      self.drafted and text { "Your draft of last time", id = "draft", size = "small" },
      scroll {
        spinner { id = "meter", items = names(storage.meters), selected = index_of(ids, self.meter), on_change = function(i) self.meter = ids[i] end },
        row { button { "Day before", id = "day_before", on_click = function() self.day = self.day - 1 end },
          text { day_text(self.day), id = "day", weight = 1 },
          button { "Day after", id = "day_after", enabled = self.day < today(), on_click = function() self.day = self.day + 1 end } },
        field { id = "value", hint = "Reading, such as 4830,5", max = 12, text = self.text_before },
        check { "Estimated", id = "guess", checked = self.guess, on_change = function(b) self.guess = b end },
        field { id = "note", hint = "Note", max = 40, text = self.note_before },
      },
    }
  end,
}

activity "EditMeter" {
  create = function(self, intent, saved) self.unit = saved and saved.unit or (meter_of(intent.id) or {}).unit or 1 end,
  save = function(self, out) out.unit = self.unit end,
  store = function(self)
    local name, price, base = trim(self:text("name")), tonumber(self:text("price")), tonumber(self:text("base")) or 0
    if name == "" or not price then return toast("A name and a price, please") end
    local meter = meter_of(self.intent.id)
    if not meter then
      if #storage.meters >= MAX_METERS then return toast("Too many meters") end
      meter = { id = new_id(), unit = self.unit, entered = 0 }
      table.insert(storage.meters, meter)
    end
    if meter.unit ~= self.unit and meter.goal then
      meter.goal = nil
      toast("The goal was in " .. UNITS[meter.unit] .. " and is gone")
    end
    meter.name, meter.price, meter.base, meter.unit = name, price, base, self.unit
    self:finish()
  end,

  view = function(self)
    local m = meter_of(self.intent.id) or {}
    return column {
      toolbar { m.id and "Edit meter" or "New meter", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", max = 20, text = m.name or "" },
        text { "Price of a unit, base fee of a month", size = "small" },
        field { id = "price", hint = "Price", input = "decimal", max = 6, text = m.price and tostring(m.price) or "" },
        field { id = "base", hint = "No base fee", input = "decimal", max = 6, text = m.base and tostring(m.base) or "" },
        spinner { id = "unit", items = UNITS, selected = self.unit, on_change = function(i) self.unit = i end },
        m.goal and text { "Another unit takes the goal away", id = "unit_hint", size = "small" },
      },
    }
  end,
}

activity "Compare" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.meter, self.left, self.right, self.turned = saved.meter or 1, saved.left, saved.right, saved.turned
  end,
  save = function(self, out) out.meter, out.left, out.right, out.turned = self.meter, self.left, self.right, self.turned end,
  view = function(self)
    local meter = storage.meters[self.meter]
    local months = months_of(meter)
    local left, right = math.min(self.left or #months - 1, #months), math.min(self.right or #months, #months)
    local a, b = months[left], months[right]
    if bug("swap_names_only") and self.turned then a, b = b, a end
    local difference = a and b and b.use - a.use
    local function pick(id, i, key)
      return spinner { id = id, items = names(months), selected = i, on_change = function(n) self.left, self.right, self.turned, self[key] = left, right, false, n end }
    end
    return column {
      toolbar { "Compare", up = true },
      spinner { id = "meter", items = names(storage.meters), selected = self.meter, on_change = function(i)
        self.meter, self.left, self.right, self.turned = i, nil, nil, false
      end },
      not difference and text { "Two months are needed", id = "few" },
      difference and column { pick("left", left, "left"), text { amount(meter, a.use), id = "left_use" },
        pick("right", right, "right"), text { amount(meter, b.use), id = "right_use" },
        text { difference == 0 and "The same" or amount(meter, math.abs(difference)) .. (difference > 0 and " more" or " less") .. " in " .. months[right].name, id = "difference", size = "large" },
        button { "Swap", id = "swap", on_click = function() self.left, self.right, self.turned = right, left, not self.turned end } },
    }
  end,
}

activity "Report" {
  create = function(self, intent, saved)
    if not saved then storage.reports = storage.reports + 1 end
    self.back = saved and saved.back or 2
  end,
  save = function(self, out) out.back = self.back end,
  view = function(self)
    local months, rows, total = {}, {}, 0
    local day = today()
    for i = 1, 4 do
      months[i] = month_of(day)
      day = day - tonumber(date(day * 86400000, "%d"))             -- the last of the month before
    end
    for _, m in ipairs(storage.meters) do
      local month = find(months_of(m), function(x) return x.name == months[self.back] end)
      if month then
        rows[#rows + 1] = m.name .. ": " .. amount(m, month.use) .. ", " .. money(month.cost)
        total = total + month.cost
      end
    end
    local left_out = #storage.meters - #rows
    return column {
      toolbar { "Report no. " .. storage.reports, up = true },
      spinner { id = "month", items = months, selected = self.back, on_change = function(i) self.back = i end },
      each(rows, function(line) return text { line, id = "line" } end),
      text { "Total: " .. money(total), id = "total", size = "large" },
      left_out > 0 and text { plural(left_out, "meter") .. " without a reading then left out", id = "left_out", size = "small" },
      button { "Copy", id = "copy", on_click = function()
        clipboard.set(table.concat(rows, "\n"))
        toast("Report copied")
      end },
    }
  end,
}

activity "Live" {
  create = function(self, intent, saved)
    self.most = saved and saved.most
    self:load()
    self:every(5000, function() self:load() end)
  end,
  save = function(self, out) out.most = self.most end,
  load = function(self)
    net.get("https://plug.example.org/power", function(reply)
      self.watts, self.error = reply.ok and reply.body.watts, not reply.ok
      if self.watts then self.most = math.max(self.most or 0, self.watts) end
    end)
  end,

  view = function(self)
    return column {
      toolbar { "Live power", up = true },
      text { self.error and "The plug does not answer" or self.watts and "Now " .. self.watts .. " W" or "Asking the plug", id = "watts", size = "large" },
      self.most and text { "Highest since this page was opened: " .. self.most .. " W", id = "most" },
      text { "Asked every five seconds", id = "how", size = "small" },
    }
  end,
}

activity "Bin" {
  restore = function(self, r)
    if same_day(r) then return toast("There is a reading of that day") end
    table.insert(storage.readings, r)
    if not bug("restore_stays") then remove_from(storage.bin, r) end
  end,

  view = function(self)
    return column {
      toolbar { "Bin", up = true, actions = { { "Empty", id = "empty_bin", on_click = function() storage.bin = {} end } } },
      text { "Tap a reading to restore it", id = "how", size = "small" },
      list { id = "bin", items = storage.bin, empty = text { "The bin is empty", id = "empty" },
        row = function(r) return column { id = "bin_row", text { meter_of(r.meter).name .. ", " .. day_text(r.day), id = "name" },
          text { amount(meter_of(r.meter), r.value), id = "value", size = "small" } } end,
        on_item_click = function(_, r) self:restore(r) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      spinner { id = "currency", items = CURRENCIES, selected = currency(), on_change = function(i) prefs.currency, chosen_currency = i, i end },
      switch { "Show decimals", id = "decimals", checked = prefs.decimals, on_change = function(b) prefs.decimals = b end },
      switch { "Hints on the first page", id = "hints", checked = prefs.hints, on_change = function(b) prefs.hints = b end },
      text { "Prices and readings are kept as they were typed", id = "how", size = "small" },
    }
  end,
}
