-- Weight: entries with dates, a chart, a goal, reminders, export. Weights are kept in grams and shown in the chosen unit.

app {
  package = "org.norn.weight",
  title = "Weight",
  main = "Main",
  bugs = { "flat_chart", "deleted_previous", "stone_goal", "no_spreadsheet", "pound_truncated", "range_in_list", "noon" },
  themis = {
    { n = 1, activity = "Main", id = "add", kind = "tap" },
    { n = 2, activity = "Entry", id = "save", kind = "tap" },
    { n = 3, activity = "Main", id = "delete", kind = "tap" },
    { n = 4, activity = "Main", id = "entry_row", kind = "tap" },
    { n = 5, activity = "Goals", id = "goal", kind = "type" },
    { n = 6, activity = "Goals", id = "save_goal", kind = "tap" },
    { n = 7, activity = "Main", id = "settings", kind = "tap" },
    { n = 8, activity = "Main", id = "goals", kind = "tap" },
    { n = 9, activity = "Main", id = "export", kind = "tap" },
    { n = 10, activity = "Export", id = "open", kind = "tap" },
  },
  application = function()
    if storage.entries then return end
    storage.entries = {}      -- oldest first: { id, time, grams, note, previous = id of the one entered before }
    storage.reminders = {}
    storage.next_id = 0
    prefs.unit = "kg"
    prefs.goal = nil
  end,
}

local DAY = 24 * 60 * 60 * 1000
local MAX_ENTRIES = 100
local UNITS = { "kg", "lb", "st" }
local UNIT_NAMES = { "Kilogram", "Pound", "Stone" }
local GRAMS = { kg = 1000, lb = 453.592, st = 6350.29 }

local function in_unit(grams) return grams / GRAMS[prefs.unit] end

local function show(grams)
  if prefs.unit ~= "st" then return format("%.1f %s", in_unit(grams), prefs.unit) end
  local pounds = math.floor(grams / GRAMS.lb + 0.5)
  return format("%d st %d lb", pounds // 14, pounds % 14)
end

local function to_grams(number)
  local grams = number * GRAMS[prefs.unit]
  if bug("pound_truncated") then return math.floor(grams / 100) * 100 end   -- scales show tenths of a kilogram
  return math.floor(grams + 0.5)
end

local function sensible(number) return number and number > 0 and to_grams(number) < 500000 end

local function entry_of(id) return (find(storage.entries, function(e) return e.id == id end)) end

local function add_entry(grams, time, note)
  storage.next_id = storage.next_id + 1
  local last = storage.entries[#storage.entries]
  table.insert(storage.entries, { id = storage.next_id, grams = grams, time = time, note = note or "", previous = last and last.id })
  table.sort(storage.entries, function(a, b) return a.time < b.time end)
end

local function extremes(entries)
  local low, high = entries[1].grams, entries[1].grams
  for _, e in ipairs(entries) do low, high = math.min(low, e.grams), math.max(high, e.grams) end
  return low, high
end

activity "Main" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
    self.range = saved and saved.range or 3
    self.picked = nil
  end,
  save = function(self, out) out.tab, out.range = self.tab, self.range end,

  -- The entries of the last week, month, or all.
  in_range = function(self)
    local days = ({ 7, 31, 100000 })[self.range]
    return filter(storage.entries, function(e) return now() - e.time <= days * DAY end)
  end,

  load_sample = function(self)
    for i, grams in ipairs { 82400, 82000, 81700, 81900, 81200, 80800, 80900, 80300 } do
      add_entry(grams, now() - (8 - i) * 5 * DAY, "")
    end
  end,

  ask_delete = function(self, entry)
    self:popup {
      { "Edit", id = "edit", on_click = function() self:start("Entry", { id = entry.id }) end },
      { "Delete", id = "delete", on_click = function()
        table.remove(storage.entries, index_of(storage.entries, entry))
        toast("Deleted")
      end },
    }
  end,

  menu = function(self)
    return {
      { "Goals", id = "goals", on_click = function() self:start("Goals") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Reminders", id = "reminders", on_click = function() self:start("Reminders") end },
      { "Export", id = "export", on_click = function() self:start("Export") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  list_tab = function(self)
    local entries = bug("range_in_list") and self:in_range() or storage.entries
    if #entries == 0 then
      return { text { "No entries yet", id = "empty" },
        #storage.entries == 0 and button { "Try with sample data", id = "sample", on_click = function() self:load_sample() end } }
    end
    return list { id = "entries", items = entries,
      row = function(e)
        return column { id = "entry_row", text { show(e.grams), id = "weight", size = "large" },
          text { date(e.time, "%d %b %Y"), id = "date", size = "small" } }
      end,
      on_item_click = function(_, e) self:start("Detail", { id = e.id }) end,
      on_item_long_click = function(_, e) self:ask_delete(e) end }
  end,

  -- Heights of the points in a chart of 500 pixels.
  heights = function(self, entries)
    local low, high = extremes(entries)
    return each(entries, function(e)
      if high == low and not bug("flat_chart") then return 250 end
      return (e.grams - low) * 500 // (high - low)
    end)
  end,

  pick = function(self, entries, x)
    local width = math.max(1, (self:size("chart")))
    local i = math.floor(x * #entries / width) + 1
    self.picked = entries[math.max(1, math.min(i, #entries))].id
  end,

  chart_tab = function(self)
    local entries = self:in_range()
    local ranges = radios { id = "range", items = { "Week", "Month", "All" }, selected = self.range,
      on_change = function(i) self.range, self.picked = i, nil end }
    if #entries == 0 then return { ranges, text { "Nothing to draw", id = "empty" } } end
    local picked = self.picked and entry_of(self.picked)
    return { ranges,
      canvas { id = "chart", height = 500, desc = "Chart: " .. table.concat(self:heights(entries), " "),
        on_tap = function(x) self:pick(entries, x) end },
      text { picked and date(picked.time, "%d %b") .. ": " .. show(picked.grams) or "Tap the chart", id = "picked" },
      prefs.goal and text { "Goal: " .. show(prefs.goal), id = "goal_line" },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Weight" },
      tabs { id = "tabs", titles = { "List", "Chart" }, selected = self.tab, on_change = function(i) self.tab = i end },
      self.tab == 1 and self:list_tab() or self:chart_tab(),
      fab { id = "add", desc = "New entry", on_click = function() self:start("Entry") end },
    }
  end,
}

activity "Entry" {
  create = function(self, intent, saved)
    local entry = intent.id and entry_of(intent.id)
    self.time = saved and saved.time or entry and entry.time or now()
  end,
  save = function(self, out) out.time = self.time end,

  store = function(self)
    local number = tonumber(self:text("weight"))
    if not sensible(number) then return toast("Enter your weight") end
    local entry = self.intent.id and entry_of(self.intent.id)
    if not entry and #storage.entries >= MAX_ENTRIES then return toast("Delete some entries first") end
    if entry then
      entry.grams, entry.time, entry.note = to_grams(number), self.time, self:text("note")
      table.sort(storage.entries, function(a, b) return a.time < b.time end)
    else
      add_entry(to_grams(number), self.time, self:text("note"))
    end
    self:finish()
  end,

  shift = function(self, days) self.time = math.min(now(), self.time + days * DAY) end,

  view = function(self)
    local entry = self.intent.id and entry_of(self.intent.id)
    return column {
      toolbar { entry and "Edit entry" or "New entry", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "weight", hint = "Weight in " .. prefs.unit, input = "decimal", max = 7,
        text = entry and format("%.1f", in_unit(entry.grams)) or "" },
      field { id = "note", hint = "Note", text = entry and entry.note or "", max = 60 },
      row {
        button { "−", id = "earlier", desc = "A day earlier", on_click = function() self:shift(-1) end },
        text { date(self.time, "%d %b %Y"), id = "day" },
        button { "+", id = "later", desc = "A day later", on_click = function() self:shift(1) end },
      },
    }
  end,
}

activity "Detail" {
  change = function(self, entry)
    if not entry.previous then return "First entry" end
    local before = entry_of(entry.previous)
    if not before and not bug("deleted_previous") then return "No earlier entry" end
    return format("%+.1f kg since the last one", (entry.grams - before.grams) / 1000)
  end,

  view = function(self)
    local entry = entry_of(self.intent.id)
    if not entry then return column { toolbar { "Entry", up = true }, text { "Deleted", id = "deleted" } } end
    return column {
      toolbar { date(entry.time, "%d %b %Y"), up = true,
        actions = { { "Edit", id = "edit", on_click = function() self:start("Entry", { id = entry.id }) end } } },
      text { show(entry.grams), id = "weight", size = "large" },
      text { self:change(entry), id = "change" },
      entry.note ~= "" and text { entry.note, id = "note" },
    }
  end,
}

activity "Goals" {
  create = function(self)
    self.prefilled = ""
    if not prefs.goal then return end
    self.prefilled = format("%.1f", in_unit(prefs.goal))
    if bug("stone_goal") then self.prefilled = show(prefs.goal):gsub(" kg$", ""):gsub(" lb$", "") end
  end,

  store = function(self)
    local text = trim(self:text("goal"))
    local number = tonumber(text)
    if bug("stone_goal") and text == self.prefilled and text ~= "" then number = parse_number(text) end   -- as it was
    if not sensible(number) then return toast("Enter a goal") end
    prefs.goal = to_grams(number)
    self:finish()
  end,

  view = function(self)
    local last = storage.entries[#storage.entries]
    return column {
      toolbar { "Goal", up = true, actions = { { "Save", id = "save_goal", on_click = function() self:store() end } } },
      field { id = "goal", hint = "Goal in " .. prefs.unit, text = self.prefilled, input = "decimal", max = 10 },
      text { prefs.goal and "Goal: " .. show(prefs.goal) or "No goal yet", id = "current" },
      prefs.goal and last and text { format("%.1f kg to go", math.abs(last.grams - prefs.goal) / 1000), id = "to_go" },
      prefs.goal and button { "Forget the goal", id = "forget", on_click = function() prefs.goal = nil self:finish() end },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local entries = storage.entries
    if #entries == 0 then return column { toolbar { "Statistics", up = true }, text { "No entries yet", id = "empty" } } end
    local low, high = extremes(entries)
    local sum = 0
    for _, e in ipairs(entries) do sum = sum + e.grams end
    return column {
      toolbar { "Statistics", up = true },
      text { "Entries: " .. #entries, id = "entries" },
      text { "Lowest: " .. show(low), id = "lowest" },
      text { "Highest: " .. show(high), id = "highest" },
      text { "Average: " .. show(sum // #entries), id = "average" },
    }
  end,
}

activity "Reminders" {
  add = function(self, hour, afternoon)
    if #storage.reminders >= 8 then return toast("Enough reminders") end
    if bug("noon") then
      if afternoon then hour = hour + 12 elseif hour == 12 then hour = 0 end
    else
      hour = hour % 12 + (afternoon and 12 or 0)
    end
    table.insert(storage.reminders, { hour = hour, on = true })
  end,

  ask_new = function(self)
    local hour, afternoon = 12, false
    local hours = {}
    for i = 1, 12 do hours[i] = tostring(i) end
    self:dialog {
      title = "Remind me at",
      view = function()
        return column {
          spinner { id = "hour", items = hours, selected = hour, on_change = function(i) hour = i end },
          radios { id = "half", items = { "am", "pm" }, selected = afternoon and 2 or 1, on_change = function(i) afternoon = i == 2 end },
        }
      end,
      ok = "Add", on_ok = function() self:add(hour, afternoon) end, cancel = "Cancel",
    }
  end,

  view = function(self)
    return column {
      toolbar { "Reminders", up = true, actions = { { "Add", id = "add_reminder", on_click = function() self:ask_new() end } } },
      list { id = "reminders", items = storage.reminders, empty = text { "No reminders", id = "empty" },
        row = function(r)
          return row { id = "reminder_row", text { format("%02d:00", r.hour), id = "time" },
            switch { "", id = "on", desc = "On", checked = r.on, on_change = function(b) r.on = b end } }
        end,
        on_item_long_click = function(i) table.remove(storage.reminders, i) end },
      button { "Show one now", id = "test", on_click = function()
        notify { id = 1, title = "Weight", text = "Time to step on the scales", activity = "Entry" }
      end },
    }
  end,
}

local FORMATS = { { "Text", "text/csv" }, { "Spreadsheet", "application/vnd.ms-excel" } }

activity "Export" {
  create = function(self, intent, saved) self.format = saved and saved.format or 1 end,
  save = function(self, out) out.format = self.format end,

  open = function(self)
    if #storage.entries == 0 then return toast("There is nothing to export") end
    local intent = { action = "VIEW", uri = "file:///sdcard/weight", type = FORMATS[self.format][2] }
    if not bug("no_spreadsheet") and not can_handle(intent) then return toast("No app can open this") end
    self:start_implicit(intent)
  end,

  view = function(self)
    return column {
      toolbar { "Export", up = true },
      radios { id = "format", items = each(FORMATS, function(f) return f[1] end), selected = self.format,
        on_change = function(i) self.format = i end },
      button { "Open", id = "open", on_click = function() self:open() end },
      button { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
    }
  end,
}

activity "Settings" {
  ask_erase = function(self)
    self:dialog { title = "Erase all entries?", cancel = "Cancel", ok = "Erase", on_ok = function() storage.entries = {} end }
  end,

  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text "Unit",
      radios { id = "unit", items = UNIT_NAMES, selected = index_of(UNITS, prefs.unit), on_change = function(i) prefs.unit = UNITS[i] end },
      button { "Erase all entries", id = "erase", on_click = function() self:ask_erase() end },
    }
  end,
}
