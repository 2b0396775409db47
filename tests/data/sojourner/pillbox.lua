-- Pillbox: which medicine is due when, how much is left, and what was taken.
--
-- Amounts are kept in halves, since tablets may be broken once. Times are minutes after midnight. The log holds what
-- was taken, skipped or missed; today's page is made from the schedule and looks up the log for the state of a dose.

app {
  package = "de.pillbox.reminder",
  title = "Pillbox",
  main = "Main",
  permissions = { "POST_NOTIFICATIONS" },
  bugs = { "skip_stock", "paused_counted", "clock_on_day", "time_removed", "sunday_cells", "half_dose", "reset_stock",
    "year_back" },
  application = function()
    if storage.meds then return end
    storage.next_id = 50
    storage.meds = {
      { id = 1, name = "Levothyroxine", unit = "tablet", dose = 2, times = { 420 }, days = "daily", stock = 46, note = "Half an hour before breakfast" },
      { id = 2, name = "Metformin", unit = "tablet", dose = 2, times = { 480, 1140 }, days = "daily", stock = 24, note = "With food" },
      { id = 3, name = "Bisoprolol", unit = "tablet", dose = 1, times = { 480 }, days = "daily", stock = 9, note = "" },
      { id = 4, name = "Vitamin D", unit = "capsule", dose = 2, times = { 720 }, days = "weekdays", stock = 120, note = "" },
      { id = 5, name = "Ibuprofen", unit = "tablet", dose = 2, times = { 600, 1320 }, days = "daily", stock = 30, note = "Only when the knee hurts" },
    }
    storage.log = {}
    for day = 19755, 19782 do
      table.insert(storage.log, { med = 1, day = day, minute = 420, state = day % 9 == 0 and "missed" or "taken" })
      table.insert(storage.log, { med = 2, day = day, minute = 480, state = "taken" })
      table.insert(storage.log, { med = 2, day = day, minute = 1140, state = day % 7 == 3 and "skipped" or "taken" })
    end
    prefs.clock24 = true
    prefs.sunday = false
    prefs.low = 7
    prefs.remind = false
  end,
}

local DAY = 86400000
local MAX_MEDS, MAX_TIMES = 25, 6
local UNITS = { "tablet", "capsule", "ml", "drop" }
local DAYS = { "daily", "weekdays", "weekend" }
local DAY_NAMES = { "Every day", "Monday to Friday", "Weekend only" }
local SHOW = { "All", "Open", "Done" }
local MARKS = { taken = "✓", skipped = "–", missed = "✗" }

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function today() return now() // DAY end
local function weekday(day) return (day + 3) % 7 + 1 end        -- Monday is 1
local function med_of(id) return find(storage.meds, function(m) return m.id == id end) end

local function clock(minute)
  local hour, rest = minute // 60, minute % 60
  if prefs.clock24 then return format("%02d:%02d", hour, rest) end
  return format("%d:%02d %s", (hour + 11) % 12 + 1, rest, hour < 12 and "am" or "pm")
end

local function amount(halves)
  local whole = halves // 2
  if halves % 2 == 0 then return tostring(whole) end
  return (whole > 0 and tostring(whole) or "") .. "½"
end

local function portion(med, halves)
  local plural = halves > 2 and med.unit ~= "ml" and "s" or ""
  return amount(halves) .. " " .. med.unit .. plural
end

local function due_on(med, day)
  if med.days == "weekdays" then return weekday(day) <= 5 end
  if med.days == "weekend" then return weekday(day) > 5 end
  return true
end

local function entry_for(med, day, minute)
  return find(storage.log, function(e) return e.med == med.id and e.day == day and e.minute == minute end)
end

-- What is to be taken on a day, in the order of the day: { med, minute }.
local function doses_on(day, with_paused)
  local doses = {}
  for _, med in ipairs(storage.meds) do
    if due_on(med, day) and (with_paused or not med.paused) then
      for _, minute in ipairs(med.times) do table.insert(doses, { med = med, minute = minute }) end
    end
  end
  table.sort(doses, function(a, b) return a.minute < b.minute end)
  return doses
end

local function days_left(med)
  local per_week = #med.times * med.dose * ({ daily = 7, weekdays = 5, weekend = 2 })[med.days]
  if per_week == 0 then return nil end
  return med.stock * 7 // per_week
end

local function runs_low(med)
  local left = days_left(med)
  return not med.paused and left ~= nil and left < prefs.low
end

local function consumed(med)
  if bug("half_dose") then return (med.dose + 1) // 2 * 2 end
  return med.dose
end

-- Writes the state of a dose into the log; nil forgets it. The stock follows.
local function mark(dose, day, state)
  local med = dose.med
  local entry = entry_for(med, day, dose.minute)
  local before = entry and entry.state
  if before == state then return end
  if before == "taken" and not (bug("reset_stock") and state == nil) then med.stock = med.stock + (entry.used or 0) end
  local used
  if state == "taken" or (state == "skipped" and bug("skip_stock")) then
    used = math.min(med.stock, consumed(med))      -- an empty box gives nothing
    med.stock = med.stock - used
  end
  if not state then
    local i = index_of(storage.log, entry)
    if i then table.remove(storage.log, i) end
  elseif entry then
    entry.state, entry.used = state, used
  else
    table.insert(storage.log, { med = med.id, day = day, minute = dose.minute, state = state, used = used })
  end
end

local function entries_on(day)
  local result = filter(storage.log, function(e) return e.day == day and med_of(e.med) ~= nil end)
  table.sort(result, function(a, b) return a.minute < b.minute end)
  return result
end

local function days_in(year, month)
  if month == 2 then return (year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)) and 29 or 28 end
  return (month == 4 or month == 6 or month == 9 or month == 11) and 30 or 31
end

-- Days since 1970 of the first of a month.
local function first_of(year, month)
  local days = 0
  for y = 1970, year - 1 do days = days + (days_in(y, 2) == 29 and 366 or 365) end
  for m = 1, month - 1 do days = days + days_in(year, m) end
  return days
end

local MONTHS = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
  "November", "December" }

-- ---- the three pages behind the bottom bar ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.page = saved.page or "today"
    self.show = saved.show or 1
    self.year = saved.year or tonumber(date(now(), "%Y"))
    self.month = saved.month or tonumber(date(now(), "%m"))
  end,
  save = function(self, out) out.page, out.show, out.year, out.month = self.page, self.show, self.year, self.month end,
  back = function(self)
    if self.page == "today" then return false end
    self.page = "today"
    return true
  end,
  menu = function(self)
    return {
      { "Report", id = "report", on_click = function() self:start("Report") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  -- Today

  open_doses = function(self)
    return filter(doses_on(today()), function(d)
      local entry = entry_for(d.med, today(), d.minute)
      if self.show == 2 then return not entry end
      if self.show == 3 then return entry ~= nil end
      return true
    end)
  end,

  dose_menu = function(self, dose)
    self:popup {
      { "Taken", id = "mark_taken", on_click = function() mark(dose, today(), "taken") end },
      { "Skip", id = "mark_skipped", on_click = function() mark(dose, today(), "skipped") end },
      { "Not yet", id = "mark_open", on_click = function() mark(dose, today(), nil) end },
      { "About this medicine", id = "about_medicine", on_click = function() self:start("Medicine", { id = dose.med.id }) end },
    }
  end,

  today_page = function(self)
    local doses = doses_on(today(), bug("paused_counted"))
    local taken = #filter(doses, function(d)
      local entry = entry_for(d.med, today(), d.minute)
      return entry and entry.state == "taken"
    end)
    local low = filter(storage.meds, runs_low)
    return {
      text { taken .. " of " .. #doses .. " doses taken", id = "progress_text" },
      #low > 0 and text { "Running low: " .. table.concat(each(low, function(m) return m.name end), ", "), id = "low_banner", size = "small" },
      radios { id = "show", items = SHOW, selected = self.show, on_change = function(i) self.show = i end },
      list { id = "doses", items = self:open_doses(), empty = text { "Nothing here", id = "no_doses" },
        row = function(d)
          local entry = entry_for(d.med, today(), d.minute)
          return row { id = "dose_row",
            text { clock(d.minute), id = "time" },
            column { weight = 1, text { d.med.name, id = "name", size = "large" },
              text { portion(d.med, d.med.dose), id = "portion", size = "small" } },
            text { entry and entry.state or "", id = "state" } }
        end,
        on_item_click = function(_, d)
          if entry_for(d.med, today(), d.minute) then self:dose_menu(d) else mark(d, today(), "taken") end
        end,
        on_item_long_click = function(_, d) self:dose_menu(d) end },
    }
  end,

  -- Medicines

  medicines_page = function(self)
    return {
      list { id = "medicines", items = storage.meds, empty = text { "No medicines", id = "no_medicines" },
        row = function(m)
          local left = days_left(m)
          return column { id = "medicine_row",
            text { m.name .. (m.paused and " (paused)" or ""), id = "name", size = "large" },
            text { portion(m, m.stock) .. " left" .. (left and not m.paused and ", enough for " .. left .. " days" or ""), id = "left", size = "small" } }
        end,
        on_item_click = function(_, m) self:start("Medicine", { id = m.id }) end,
        on_item_swipe = function(i, direction)
          local med = storage.meds[i]
          if not med then return end
          med.paused = direction == "left" and true or nil
          toast(med.paused and med.name .. " paused" or med.name .. " goes on")
        end },
      fab { id = "add", desc = "New medicine", on_click = function() self:start("Edit") end },
    }
  end,

  -- History

  month_by = function(self, step)
    self.month = self.month + step
    if self.month > 12 then self.month, self.year = 1, self.year + 1 end
    if self.month < 1 then
      self.month = 12
      if not bug("year_back") then self.year = self.year - 1 end
    end
  end,

  cells = function(self)
    local first = first_of(self.year, self.month)
    local blank = weekday(first) - 1
    if prefs.sunday and not bug("sunday_cells") then blank = weekday(first) % 7 end
    local cells = {}
    for i = 1, blank do cells[i] = { label = "" } end
    for i = 1, days_in(self.year, self.month) do
      local day = first + i - 1
      local entries = entries_on(day)
      local good = #filter(entries, function(e) return e.state == "taken" end)
      local sign = #entries == 0 and "" or good == #entries and "✓" or good .. "/" .. #entries
      table.insert(cells, { day = day, label = tostring(i), sign = sign })
    end
    return cells
  end,

  history_page = function(self)
    local names = { "Mo", "Tu", "We", "Th", "Fr", "Sa", "Su" }
    if prefs.sunday then names = { "Su", "Mo", "Tu", "We", "Th", "Fr", "Sa" } end
    return {
      row { button { "‹", id = "month_before", desc = "Month before", on_click = function() self:month_by(-1) end },
        text { MONTHS[self.month] .. " " .. self.year, id = "month", weight = 1 },
        button { "›", id = "month_after", desc = "Month after", on_click = function() self:month_by(1) end } },
      row { each(names, function(n) return text { n, id = "weekday", weight = 1 } end) },
      grid { id = "calendar", columns = 7, items = self:cells(),
        row = function(cell)
          return column { id = "cell", text { cell.label, id = "number" }, text { cell.sign or "", id = "sign", size = "small" } }
        end,
        on_item_click = function(_, cell)
          if cell.day then self:start("Day", { day = cell.day }) end
        end },
    }
  end,

  view = function(self)
    local titles = { today = "Today", medicines = "Medicines", history = "History" }
    local function tab(name)
      return { titles[name], id = "tab_" .. name, selected = self.page == name, on_click = function() self.page = name end }
    end
    return column {
      toolbar { titles[self.page], subtitle = self.page == "today" and date(now(), "%A, %d %B") or nil },
      self.page == "today" and self:today_page() or self.page == "medicines" and self:medicines_page() or self:history_page(),
      bottom_bar { items = { tab "today", tab "medicines", tab "history" } },
    }
  end,
}

-- ---- a day of the past ----

activity "Day" {
  line = function(self, entry)
    local minute = entry.minute
    if bug("clock_on_day") then return format("%02d:%02d", minute // 60, minute % 60) end
    return clock(minute)
  end,

  correct = function(self, entry)
    local med = med_of(entry.med)
    self:dialog { title = med.name, items = { "taken", "skipped", "missed" }, checked = index_of({ "taken", "skipped", "missed" }, entry.state),
      on_item = function(_, state) entry.state = state end }       -- the past: the stock stays as it was counted
  end,

  view = function(self)
    local day = self.intent.day or today()
    local entries = entries_on(day)
    local good = #filter(entries, function(e) return e.state == "taken" end)
    return column {
      toolbar { date(day * DAY, "%a %d %b %Y"), up = true },
      text { #entries == 0 and "Nothing was written down" or good .. " of " .. #entries .. " taken", id = "day_summary" },
      list { id = "entries", items = entries, weight = 1,
        row = function(e)
          return row { id = "entry_row", text { self:line(e), id = "time" }, text { med_of(e.med).name, id = "name", weight = 1 },
            text { MARKS[e.state] .. " " .. e.state, id = "state" } }
        end,
        on_item_click = function(_, e) if e.day < today() then self:correct(e) else toast("Change it on the page Today") end end },
    }
  end,
}

-- ---- one medicine ----

activity "Medicine" {
  ask_refill = function(self, med)
    self:dialog { title = "Refill", message = portion(med, med.stock) .. " left", ok = "Add", cancel = "Cancel",
      view = function() return column { field { id = "refill", hint = "How many came in", input = "number", max = 4 } } end,
      on_ok = function()
        local count = tonumber(self:text("refill"))
        if not count then return toast("How many?") end
        med.stock = med.stock + count * 2
      end }
  end,

  ask_delete = function(self, med)
    self:dialog { title = "Delete " .. med.name .. "?", message = "Its history is deleted too.", ok = "Delete", cancel = "Cancel",
      on_ok = function()
        local i = index_of(storage.meds, med)
        if i then table.remove(storage.meds, i) end
        storage.log = filter(storage.log, function(e) return e.med ~= med.id end)
        self:finish()
      end }
  end,

  menu = function(self)
    local med = med_of(self.intent.id)
    if not med then return {} end
    return {
      { "Paused", id = "pause", checked = med.paused == true, on_click = function() med.paused = not med.paused or nil end },
      { "Delete", id = "delete", on_click = function() self:ask_delete(med) end },
    }
  end,

  view = function(self)
    local med = med_of(self.intent.id)
    if not med then return column { toolbar { "Medicine", up = true }, text { "Deleted", id = "gone" } } end
    local left = days_left(med)
    return column {
      toolbar { med.name, up = true, subtitle = med.paused and "Paused" or nil,
        actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = med.id }) end } } },
      text { "Dose: " .. portion(med, med.dose), id = "dose" },
      text { "At " .. table.concat(each(med.times, clock), ", "), id = "times" },
      text { DAY_NAMES[index_of(DAYS, med.days)], id = "days" },
      med.note ~= "" and text { med.note, id = "note" },
      text { "In stock: " .. portion(med, med.stock), id = "stock" },
      text { left and "Enough for " .. left .. " days" or "No times set", id = "enough" },
      runs_low(med) and text { "Time to get a new pack", id = "low" },
      button { "Refill", id = "refill_button", on_click = function() self:ask_refill(med) end },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local med = intent.id and med_of(intent.id)
    if saved then
      self.times, self.unit, self.days, self.dose = saved.times, saved.unit, saved.days, saved.dose
    else
      self.times = med and copy(med.times) or { 480 }
      self.unit = med and index_of(UNITS, med.unit) or 1
      self.days = med and index_of(DAYS, med.days) or 1
      self.dose = med and med.dose or 2
    end
  end,
  save = function(self, out) out.times, out.unit, out.days, out.dose = self.times, self.unit, self.days, self.dose end,

  sorted_times = function(self)
    local times = copy(self.times)
    table.sort(times)
    return times
  end,

  ask_time = function(self)
    if #self.times >= MAX_TIMES then return toast("Six times a day is the most") end
    local hour, quarter = 13, 1
    local hours = {}
    for i = 1, 24 do hours[i] = clock((i - 1) * 60) end
    self:dialog { title = "Add a time", ok = "Add", cancel = "Cancel",
      view = function()
        return column {
          spinner { id = "hour", items = hours, selected = hour, on_change = function(i) hour = i end },
          spinner { id = "quarter", items = { ":00", ":15", ":30", ":45" }, selected = quarter, on_change = function(i) quarter = i end },
        }
      end,
      on_ok = function()
        local minute = (hour - 1) * 60 + (quarter - 1) * 15
        if index_of(self.times, minute) then return toast("That time is there already") end
        table.insert(self.times, minute)
      end }
  end,

  drop_time = function(self, i, minute)
    if bug("time_removed") then return table.remove(self.times, i) end
    table.remove(self.times, index_of(self.times, minute))
  end,

  store = function(self)
    local name = trim(self:text("name"))
    if name == "" then return toast("What is it called?") end
    if #self.times == 0 then return toast("When is it taken?") end
    local med = self.intent.id and med_of(self.intent.id)
    if not med then
      if #storage.meds >= MAX_MEDS then return toast("Too many medicines") end
      med = { id = new_id(), stock = 2 * (tonumber(self:text("count")) or 0) }
      table.insert(storage.meds, med)
    end
    med.name, med.note = name, trim(self:text("note"))
    med.unit, med.days, med.dose, med.times = UNITS[self.unit], DAYS[self.days], self.dose, self:sorted_times()
    self:finish()
  end,

  view = function(self)
    local med = self.intent.id and med_of(self.intent.id)
    return column {
      toolbar { med and "Edit medicine" or "New medicine", up = true,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = med and med.name or "", max = 30 },
        field { id = "note", hint = "Note", text = med and med.note or "", max = 60 },
        not med and field { id = "count", hint = "How many are there", input = "number", max = 4 },
        row {
          button { "−", id = "less", desc = "Smaller dose", on_click = function() self.dose = math.max(1, self.dose - 1) end },
          text { amount(self.dose) .. " at a time", id = "dose_text", weight = 1 },
          button { "+", id = "more", desc = "Larger dose", on_click = function() self.dose = math.min(20, self.dose + 1) end },
        },
        spinner { id = "unit", items = UNITS, selected = self.unit, on_change = function(i) self.unit = i end },
        spinner { id = "days", items = DAY_NAMES, selected = self.days, on_change = function(i) self.days = i end },
        each(self:sorted_times(), function(minute, i)
          return row { text { clock(minute), id = "time_text", weight = 1 },
            image_button { id = "remove_time", desc = "Remove " .. clock(minute), on_click = function() self:drop_time(i, minute) end } }
        end),
        button { "Add a time", id = "add_time", on_click = function() self:ask_time() end },
      },
    }
  end,
}

-- ---- report and settings ----

activity "Report" {
  create = function(self, intent, saved) self.span = saved and saved.span or 1 end,
  save = function(self, out) out.span = self.span end,

  share = function(self, med, days)
    local entries = filter(storage.log, function(e) return e.med == med.id and e.day > today() - days and e.day <= today() end)
    local good = #filter(entries, function(e) return e.state == "taken" end)
    if #entries == 0 then return med.name .. ": nothing written down" end
    return format("%s: %d of %d (%d %%)", med.name, good, #entries, good * 100 // #entries)
  end,

  view = function(self)
    local days = ({ 7, 30 })[self.span]
    return column {
      toolbar { "Report", up = true,
        actions = { { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end } } },
      radios { id = "span", items = { "Last 7 days", "Last 30 days" }, selected = self.span, on_change = function(i) self.span = i end },
      scroll { each(storage.meds, function(med) return text { self:share(med, days), id = "report_line" } end) },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        switch { "24-hour clock", id = "clock24", checked = prefs.clock24, on_change = function(b) prefs.clock24 = b end },
        switch { "Week starts on Sunday", id = "sunday", checked = prefs.sunday, on_change = function(b) prefs.sunday = b end },
        text { "Warn when there is less than " .. prefs.low .. " days left", id = "low_label" },
        slider { id = "low", min = 1, max = 21, step = 1, value = prefs.low, on_change = function(v) prefs.low = v end },
        switch { "Reminders", id = "remind", checked = prefs.remind, on_change = function(b)
          if not b then prefs.remind = false cancel_notification(1) return end
          self:ask_permission("POST_NOTIFICATIONS", function(granted)
            prefs.remind = granted
            if granted then notify { id = 1, title = "Pillbox", text = "Have you taken everything?", activity = "Main" } else toast("No reminders then") end
          end)
        end },
        button { "About", id = "about", on_click = function()
          self:dialog { title = "Pillbox 4.1", message = #storage.meds .. " medicines, " .. #storage.log .. " entries in the log", ok = "OK" }
        end },
      },
    }
  end,
}
