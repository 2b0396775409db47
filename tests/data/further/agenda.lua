-- Agenda: events in calendars, with repetition, reminders, a month view, a search and a trash.
--
-- Days are counted since 1970, times of day in minutes. A repeating event is one record; its occurrences are computed.

local DAY = 24 * 60 * 60 * 1000
local MAX_EVENTS, MAX_CALENDARS = 200, 12
local REPEATS = { "Does not repeat", "Every day", "Every week", "Every month", "Every year" }
local ONCE, DAILY, WEEKLY, MONTHLY = 1, 2, 3, 4
local REMINDERS = { "No reminder", "At the start", "10 minutes before", "1 hour before", "1 day before" }
local LENGTHS = { 15, 30, 45, 60, 90, 120, 180, 240, 480 }
local RANGES = { 7, 14, 30 }

-- The day of a date (the usual computation with years that begin in March).
local function day_of(y, m, d)
  if m <= 2 then y = y - 1 end
  local era = y // 400
  local year = y - era * 400
  local in_year = (153 * (m + (m > 2 and -3 or 9)) + 2) // 5 + d - 1
  return era * 146097 + year * 365 + year // 4 - year // 100 + in_year - 719468
end

local function civil(day)
  local y, m, d = date(day * DAY, "%Y-%m-%d"):match("(%d+)-(%d+)-(%d+)")
  return tonumber(y), tonumber(m), tonumber(d)
end

local function month_days(y, m) return (m == 12 and day_of(y + 1, 1, 1) or day_of(y, m + 1, 1)) - day_of(y, m, 1) end

-- So many months later; a month that is too short gives its last day.
local function add_months(day, n)
  local y, m, d = civil(day)
  local months = y * 12 + m - 1 + n
  y, m = months // 12, months % 12 + 1
  return day_of(y, m, math.min(d, month_days(y, m)))
end

local function today() return now() // DAY end
local function day_text(day) return date(day * DAY, "%a %d %b %Y") end

local function clock(minutes)
  local h, m = minutes // 60 % 24, minutes % 60
  if prefs.clock24 then return format("%02d:%02d", h, m) end
  return format("%d:%02d %s", (h + 11) % 12 + 1, m, h < 12 and "am" or "pm")
end

local function length_text(minutes)
  if minutes < 60 then return minutes .. " min" end
  return minutes % 60 == 0 and minutes // 60 .. " h" or format("%d h %02d min", minutes // 60, minutes % 60)
end

local function calendar_of(id) return (find(storage.calendars, function(c) return c.id == id end)) end
local function event_of(id) return (find(storage.events, function(e) return e.id == id and not e.trashed end)) end

local function default_key(c) return bug("default_by_name") and c.name or c.id end
local function default_calendar()
  return find(storage.calendars, function(c) return default_key(c) == prefs.default_calendar end) or storage.calendars[1]
end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

app {
  package = "org.norn.agenda",
  title = "Agenda",
  main = "Main",
  bugs = { "week_start_cells", "month_drift", "all_day_time", "exception_day", "overnight", "default_by_name", "rotate_repeat",
    "day_add" },
  application = function()
    if storage.events then return end
    storage.next_id = 100
    storage.calendars = {
      { id = 1, name = "Personal", visible = true }, { id = 2, name = "Work", visible = true },
      { id = 3, name = "Family", visible = true }, { id = 4, name = "Sports", visible = true },
    }
    prefs.default_calendar = default_key(storage.calendars[1])
    prefs.sunday, prefs.clock24 = false, true
    prefs.range, prefs.reminder, prefs.minutes = 2, 3, 60
    storage.events = {}
    local function add(title, calendar, day, start, minutes, more)
      local e = { id = new_id(), title = title, calendar = calendar, day = day, start = start or 540, minutes = minutes or 60,
        all_day = start == nil, rep = ONCE, reminder = 1, place = "", notes = "", except = {} }
      for name, value in pairs(more or {}) do e[name] = value end
      table.insert(storage.events, e)
    end
    add("Dentist", 1, day_of(2024, 3, 1), 870, 45, { place = "Dr. Lind, Mill Road", reminder = 4 })
    add("Team meeting", 2, day_of(2024, 2, 5), 600, 60, { rep = WEEKLY, place = "Room 2", reminder = 3 })
    add("Night train to Vienna", 1, day_of(2024, 3, 4), 1290, 480, { place = "Platform 7", notes = "Coach 21, seats 15 and 16" })
    add("Pay rent", 1, day_of(2024, 3, 31), nil, nil, { rep = MONTHLY })
    add("Anna's birthday", 3, day_of(1990, 3, 9), nil, nil, { rep = 5, reminder = 5 })
    add("Swimming", 4, day_of(2024, 1, 3), 1080, 90, { rep = WEEKLY, place = "City pool" })
    add("Project review", 2, day_of(2024, 3, 7), 900, 120, { notes = "Bring the budget" })
    add("Dinner with Tom", 1, day_of(2024, 3, 2), 1140, 180, { place = "Trattoria Roma" })
    add("School concert", 3, day_of(2024, 3, 15), 1050, 90, { place = "School hall" })
    add("Tax return", 1, day_of(2024, 3, 28), nil, nil, { reminder = 5 })
    add("Lunch with Eva", 2, day_of(2024, 3, 12), 720, 60)
    add("Car inspection", 1, day_of(2024, 2, 20), 480, 30, { trashed = true })
  end,
}

-- Occurrences ---------------------------------------------------------------------------------------------

local function nth(e, previous, n)
  if e.rep == DAILY then return e.day + n end
  if e.rep == WEEKLY then return e.day + 7 * n end
  if e.rep == MONTHLY then
    if bug("month_drift") then return add_months(previous, 1) end
    return add_months(e.day, n)
  end
  return add_months(e.day, 12 * n)
end

-- The days from `from` to `to` on which the event begins.
local function occurrences(e, from, to)
  local result, day, n = {}, e.day, 0
  if e.till then to = math.min(to, e.till) end
  while day <= to do
    if day >= from and not index_of(e.except, day) then table.insert(result, day) end
    if e.rep == ONCE then break end
    n = n + 1
    day = nth(e, day, n)
  end
  return result
end

-- The occurrence on that day or the next one after it; of a series that is over, the last one.
local function nearest(e, day)
  if e.rep == ONCE then return e.day end
  local before = occurrences(e, e.day, day)
  return occurrences(e, day, day + 800)[1] or before[#before] or e.day
end

local function last_day(e, day) return e.all_day and day or day + (e.start + e.minutes - 1) // 1440 end

local function shown_events()
  return filter(storage.events, function(e) return not e.trashed and calendar_of(e.calendar).visible end)
end

-- What the calendars that are shown have between two days: { event, day, first = the day it began }, in order.
local function entries(from, to)
  local result = {}
  local before = bug("overnight") and 0 or 1       -- what began the evening before may still go on
  for _, e in ipairs(shown_events()) do
    for _, first in ipairs(occurrences(e, from - before, to)) do
      for day = math.max(first, from), math.min(last_day(e, first), to) do
        local start = e.all_day and -1 or day > first and 0 or e.start
        table.insert(result, { event = e, day = day, first = first, start = start })
      end
    end
  end
  table.sort(result, function(a, b)
    if a.day ~= b.day then return a.day < b.day end
    if a.start ~= b.start then return a.start < b.start end
    return a.event.title:lower() < b.event.title:lower()
  end)
  return result
end

local function times(entry)
  local e = entry.event
  if e.all_day then return "All day" end
  if entry.day > entry.first then return "until " .. clock(e.start + e.minutes) end
  return clock(e.start) .. " – " .. clock(e.start + e.minutes)
end

local function entry_row(entry)
  local e = entry.event
  return column { id = "entry_row",
    text { e.title, id = "title", size = "large" },
    text { times(entry) .. " · " .. calendar_of(e.calendar).name, id = "time", size = "small" },
  }
end

-- Deleting ------------------------------------------------------------------------------------------------

local function trash(e)
  e.trashed = true
  toast("Moved to the trash")
end

local function delete_one(e, day)
  local others = e.till and #occurrences(e, e.day, e.till) > 1 or not e.till
  if not others then return trash(e) end
  table.insert(e.except, bug("exception_day") and e.day or day)
end

local function delete_following(e, day)
  if #occurrences(e, e.day, day - 1) == 0 then return trash(e) end
  e.till = day - 1
end

local function ask_delete(self, e, day, done)
  if e.rep == ONCE then
    return self:dialog { title = "Delete " .. e.title .. "?", ok = "Delete", cancel = "Cancel",
      on_ok = function() trash(e) done() end }
  end
  self:dialog { title = "Delete " .. e.title, items = { "Only this one", "This and all following", "The whole series" },
    on_item = function(i)
      if i == 1 then delete_one(e, day) elseif i == 2 then delete_following(e, day) else trash(e) end
      done()
    end, cancel = "Cancel" }
end

local function entry_menu(self, entry)
  local e = entry.event
  self:popup {
    { "Edit", id = "edit_entry", on_click = function() self:start("Edit", { id = e.id }) end },
    { "Duplicate", id = "duplicate_entry", on_click = function() self:start("Edit", { copy = e.id, day = entry.first }) end },
    { "Delete", id = "delete_entry", on_click = function() ask_delete(self, e, entry.first, function() end) end },
  }
end

-- The agenda ----------------------------------------------------------------------------------------------

activity "Main" {
  items = function(self)
    local items, last = {}, nil
    for _, entry in ipairs(entries(today(), today() + RANGES[prefs.range] - 1)) do
      if entry.day ~= last then table.insert(items, { header = entry.day }) end
      last = entry.day
      table.insert(items, entry)
    end
    return items
  end,

  menu = function(self)
    return {
      { "Calendars", id = "calendars", on_click = function() self:start("Calendars") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Trash", id = "trash", on_click = function() self:start("Trash") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Agenda", actions = {
        { "Month", id = "month", on_click = function() self:start("Month") end },
        { "Search", id = "search", on_click = function() self:start("Search") end } } },
      text { "Next " .. RANGES[prefs.range] .. " days", id = "range_label", size = "small" },
      list { id = "agenda", items = self:items(), empty = text { "Nothing planned", id = "empty" },
        row = function(item) return item.header and text { day_text(item.header), id = "day_header" } or entry_row(item) end,
        on_item_click = function(_, item)
          if item.header then self:start("Day", { day = item.header }) else self:start("Event", { id = item.event.id, day = item.first }) end
        end,
        on_item_long_click = function(_, item) if not item.header then entry_menu(self, item) end end },
      fab { id = "add", desc = "New event", on_click = function() self:start("Edit") end },
    }
  end,
}

activity "Month" {
  create = function(self, intent, saved)
    local y, m = civil(today())
    self.year, self.month = saved and saved.year or y, saved and saved.month or m
  end,
  save = function(self, out) out.year, out.month = self.year, self.month end,

  go = function(self, n)
    local months = self.year * 12 + self.month - 1 + n
    self.year, self.month = months // 12, months % 12 + 1
  end,
  go_today = function(self) self.year, self.month = civil(today()) end,

  cells = function(self)
    local first, length = day_of(self.year, self.month, 1), month_days(self.year, self.month)
    local counts, cells = {}, {}
    for _, entry in ipairs(entries(first, first + length - 1)) do counts[entry.day] = (counts[entry.day] or 0) + 1 end
    local lead = (first + 3) % 7                                   -- days since Monday
    if prefs.sunday and not bug("week_start_cells") then lead = (first + 4) % 7 end
    for _ = 1, lead do table.insert(cells, {}) end
    for d = 1, length do table.insert(cells, { day = first + d - 1, number = d, count = counts[first + d - 1] or 0 }) end
    return cells
  end,
  view = function(self)
    local names = prefs.sunday and { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" } or
      { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" }
    return column {
      toolbar { date(day_of(self.year, self.month, 1) * DAY, "%B %Y"), up = true,
        actions = { { "Today", id = "today", on_click = function() self:go_today() end } } },
      row { button { "‹", id = "previous", desc = "Previous month", on_click = function() self:go(-1) end },
        button { "›", id = "next", desc = "Next month", on_click = function() self:go(1) end } },
      row { each(names, function(name) return text { name, id = "weekday", weight = 1, size = "small" } end) },
      grid { id = "days", columns = 7, items = self:cells(),
        row = function(cell)
          if not cell.day then return text { "", id = "blank" } end
          return column { id = "day_cell", selected = cell.day == today(), text { tostring(cell.number), id = "number" },
            text { cell.count > 0 and ("•"):rep(math.min(cell.count, 3)) or " ", id = "dots", size = "small" } }
        end,
        on_item_click = function(_, cell) if cell.day then self:start("Day", { day = cell.day }) end end },
    }
  end,
}

activity "Day" {
  create = function(self, intent, saved) self.day = saved and saved.day or intent.day or today() end,
  save = function(self, out) out.day = self.day end,
  view = function(self)
    return column {
      toolbar { day_text(self.day), up = true },
      row { button { "‹", id = "previous", desc = "Previous day", on_click = function() self.day = self.day - 1 end },
        button { "›", id = "next", desc = "Next day", on_click = function() self.day = self.day + 1 end } },
      list { id = "entries", items = entries(self.day, self.day), empty = text { "Nothing on this day", id = "empty" },
        row = entry_row,
        on_item_click = function(_, entry) self:start("Event", { id = entry.event.id, day = entry.first }) end,
        on_item_long_click = function(_, entry) entry_menu(self, entry) end },
      fab { id = "add", desc = "New event", on_click = function()
        self:start("Edit", { day = bug("day_add") and self.intent.day or self.day })
      end },
    }
  end,
}

-- One event -----------------------------------------------------------------------------------------------

activity "Event" {
  menu = function(self)
    local e = event_of(self.intent.id)
    if not e then return {} end
    local day = nearest(e, self.intent.day or today())
    return {
      { "Duplicate", id = "duplicate", on_click = function() self:start("Edit", { copy = e.id, day = day }) end },
      { "Delete", id = "delete", on_click = function() ask_delete(self, e, day, function() self:finish() end) end },
    }
  end,

  next_dates = function(self, e)
    local days = occurrences(e, today(), today() + 800)
    if #days == 0 then return { text { "No more dates", id = "next_date", size = "small" } } end
    return { text "Next dates", each({ table.unpack(days, 1, 4) }, function(day)
      return text { day_text(day), id = "next_date", size = "small" }
    end) }
  end,
  view = function(self)
    local e = event_of(self.intent.id)
    if not e then return column { toolbar { "Event", up = true, menu = {} }, text { "This event was deleted", id = "gone" } } end
    local day = nearest(e, self.intent.day or today())
    return column {
      toolbar { e.title, up = true,
        actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = e.id }) end } } },
      scroll {
        text { day_text(day), id = "date", size = "large" },
        text { e.all_day and "All day" or clock(e.start) .. " – " .. clock(e.start + e.minutes), id = "times" },
        not e.all_day and text { length_text(e.minutes), id = "length", size = "small" },
        e.place ~= "" and text { e.place, id = "place" },
        text { calendar_of(e.calendar).name, id = "calendar" },
        text { REMINDERS[e.reminder], id = "reminder" },
        e.notes ~= "" and text { e.notes, id = "notes" },
        text { REPEATS[e.rep] .. (e.till and " until " .. day_text(e.till) or ""), id = "repeats" },
        e.rep ~= ONCE and self:next_dates(e),
      },
    }
  end,
}

activity "Edit" {
  initial = function(self, intent)
    local e = event_of(intent.id or intent.copy)
    if e then
      return { calendar = e.calendar, day = intent.day or e.day, begin = e.start, minutes = e.minutes, all_day = e.all_day,
        rep = e.rep, reminder = e.reminder, title = e.title, place = e.place, notes = e.notes }
    end
    local hour = math.min(now() % DAY // 3600000 + 1, 23)
    return { calendar = default_calendar().id, day = intent.day or today(), begin = hour * 60, minutes = prefs.minutes,
      all_day = false, rep = ONCE, reminder = prefs.reminder, title = "", place = "", notes = "" }
  end,
  create = function(self, intent, saved)
    self.base = saved and saved.base or self:initial(intent)
    local from = saved or self.base
    self.calendar, self.day, self.begin, self.minutes = from.calendar, from.day, from.begin, from.minutes
    self.all_day, self.reminder = from.all_day, from.reminder
    self.rep = from.rep or self.base.rep
  end,
  save = function(self, out)
    out.base = self.base
    out.calendar, out.day, out.begin, out.minutes = self.calendar, self.day, self.begin, self.minutes
    out.all_day, out.reminder = self.all_day, self.reminder
    if not bug("rotate_repeat") then out.rep = self.rep end
  end,
  changed = function(self)
    for _, name in ipairs { "calendar", "day", "begin", "minutes", "all_day", "rep", "reminder" } do
      if self[name] ~= self.base[name] then return true end
    end
    return find({ "title", "place", "notes" }, function(id) return self:text(id) ~= self.base[id] end) ~= nil
  end,
  leave = function(self)
    if not self:changed() then return self:finish() end
    self:dialog { title = "Discard your changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Keep editing" }
  end,
  back = function(self) self:leave() return true end,

  store = function(self)
    local title = trim(self:text("title"))
    if title == "" then return toast("Give it a title") end
    local e = event_of(self.intent.id)
    if not e then
      if #storage.events >= MAX_EVENTS then return toast("Too many events: empty the trash") end
      e = { id = new_id(), except = {} }
      table.insert(storage.events, e)
    elseif e.day ~= self.day or e.rep ~= self.rep then
      e.except, e.till = {}, nil                                    -- they were days of the old series
    end
    e.title, e.place, e.notes = title, trim(self:text("place")), trim(self:text("notes"))
    e.calendar = (calendar_of(self.calendar) or default_calendar()).id
    e.day, e.start, e.minutes, e.all_day = self.day, self.begin, self.minutes, self.all_day
    e.rep, e.reminder = self.rep, self.reminder
    self:finish()
  end,
  set_all_day = function(self, on)
    self.all_day = on
    if on and bug("all_day_time") then self.begin = 0 end            -- a whole day begins at midnight
  end,
  view = function(self)
    local place = index_of(storage.calendars, calendar_of(self.calendar) or default_calendar())
    return column {
      toolbar { self.intent.id and "Edit event" or "New event", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "title", hint = "Title", text = self.base.title, max = 60 },
        row {
          button { "−", id = "day_before", desc = "A day earlier", on_click = function() self.day = self.day - 1 end },
          text { day_text(self.day), id = "day", weight = 1 },
          button { "+", id = "day_after", desc = "A day later", on_click = function() self.day = self.day + 1 end },
          button { "+7", id = "week_after", desc = "A week later", on_click = function() self.day = self.day + 7 end },
        },
        switch { "All day", id = "all_day", checked = self.all_day, on_change = function(b) self:set_all_day(b) end },
        not self.all_day and row {
          button { "−", id = "earlier", desc = "Half an hour earlier", on_click = function() self.begin = math.max(0, self.begin - 30) end },
          text { clock(self.begin) .. " – " .. clock(self.begin + self.minutes), id = "times", weight = 1 },
          button { "+", id = "later", desc = "Half an hour later", on_click = function() self.begin = math.min(1410, self.begin + 30) end },
        },
        not self.all_day and spinner { id = "length", items = each(LENGTHS, length_text), selected = index_of(LENGTHS, self.minutes),
          on_change = function(i) self.minutes = LENGTHS[i] end },
        self.intent.id and self.base.rep ~= ONCE and text { "Changes the whole series", id = "series", size = "small" },
        spinner { id = "repeat", items = REPEATS, selected = self.rep, on_change = function(i) self.rep = i end },
        spinner { id = "calendar", items = each(storage.calendars, function(c) return c.name end), selected = place,
          on_change = function(i) self.calendar = storage.calendars[i].id end },
        spinner { id = "reminder", items = REMINDERS, selected = self.reminder, on_change = function(i) self.reminder = i end },
        field { id = "place", hint = "Place", text = self.base.place, max = 60 },
        field { id = "notes", hint = "Notes", text = self.base.notes, input = "multiline", max = 500 },
      },
    }
  end,
}

-- Calendars, search, trash --------------------------------------------------------------------------------

activity "Calendars" {
  ask_name = function(self, calendar)
    self:dialog { title = calendar and "Rename calendar" or "New calendar", ok = "Save", cancel = "Cancel",
      view = function() return column { field { id = "name", hint = "Name", text = calendar and calendar.name or "", max = 30 } } end,
      on_ok = function()
        local name = trim(self:text("name"))
        local same = find(storage.calendars, function(c) return c ~= calendar and c.name:lower() == name:lower() end)
        if name == "" or same then toast(same and "There is one of that name" or "Give it a name") return true end
        if calendar then calendar.name = name return end
        if #storage.calendars >= MAX_CALENDARS then return toast("Too many calendars") end
        table.insert(storage.calendars, { id = new_id(), name = name, visible = true })
      end }
  end,

  count = function(self, calendar)
    return #filter(storage.events, function(e) return e.calendar == calendar.id and not e.trashed end)
  end,

  ask_delete = function(self, calendar)
    if #storage.calendars == 1 then return toast("One calendar must stay") end
    self:dialog { title = "Delete " .. calendar.name .. "?", message = "Events deleted for ever: " .. self:count(calendar),
      ok = "Delete", cancel = "Cancel",
      on_ok = function()
        local was_default = calendar == default_calendar()
        table.remove(storage.calendars, index_of(storage.calendars, calendar))
        storage.events = filter(storage.events, function(e) return e.calendar ~= calendar.id end)
        if was_default then prefs.default_calendar = default_key(storage.calendars[1]) end
      end }
  end,

  calendar_menu = function(self, calendar)
    self:popup {
      { "Make default", id = "make_default", on_click = function() prefs.default_calendar = default_key(calendar) end },
      { "Rename", id = "rename", on_click = function() self:ask_name(calendar) end },
      { "Delete", id = "delete_calendar", on_click = function() self:ask_delete(calendar) end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Calendars", up = true, actions = { { "New", id = "new_calendar", on_click = function() self:ask_name() end } } },
      list { id = "calendar_list", items = storage.calendars,
        row = function(c)
          local n = self:count(c)
          return row { id = "calendar_row",
            column { weight = 1, text { c.name, id = "name" },
              text { n .. (n == 1 and " event" or " events") .. (c == default_calendar() and " · default" or ""), id = "count",
                size = "small" } },
            check { "", id = "visible", desc = "Show " .. c.name, checked = c.visible, on_change = function(b) c.visible = b end } }
        end,
        on_item_click = function(_, c) self:calendar_menu(c) end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,

  results = function(self)
    local query = trim(self.query):lower()
    if query == "" then return {} end
    local results = filter(shown_events(), function(e) return contains((e.title .. "\n" .. e.place .. "\n" .. e.notes):lower(), query) end)
    table.sort(results, function(a, b) return nearest(a, today()) < nearest(b, today()) end)
    return results
  end,
  view = function(self)
    local results = self:results()
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Title, place or notes", max = 40, on_change = function(s) self.query = s end },
      list { id = "results", items = results, empty = text { trim(self.query) == "" and "" or "Nothing found", id = "empty" },
        row = function(e)
          return column { id = "result_row", text { e.title, id = "title" }, text { day_text(nearest(e, today())), id = "date", size = "small" } }
        end,
        on_item_click = function(_, e) self:start("Event", { id = e.id, day = nearest(e, today()) }) end },
    }
  end,
}

activity "Trash" {
  trashed = function(self) return filter(storage.events, function(e) return e.trashed end) end,

  event_menu = function(self, e)
    self:popup {
      { "Restore", id = "restore", on_click = function() e.trashed = nil end },
      { "Delete for ever", id = "delete_forever", on_click = function() table.remove(storage.events, index_of(storage.events, e)) end },
    }
  end,

  ask_empty = function(self)
    self:dialog { title = "Empty the trash?", ok = "Empty", cancel = "Cancel",
      on_ok = function() storage.events = filter(storage.events, function(e) return not e.trashed end) end }
  end,
  view = function(self)
    local events = self:trashed()
    local empty = { "Empty", id = "empty_trash", on_click = function() self:ask_empty() end }
    return column {
      toolbar { "Trash", up = true, actions = #events > 0 and { empty } or nil },
      list { id = "trash_list", items = events, empty = text { "The trash is empty", id = "empty" },
        row = function(e)
          return column { id = "trash_row", text { e.title, id = "title" },
            text { day_text(e.day) .. " · " .. calendar_of(e.calendar).name, id = "date", size = "small" } }
        end,
        on_item_click = function(_, e) self:event_menu(e) end },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local y, m = civil(today())
    local first = day_of(y, m, 1)
    local total, total_minutes, lines = 0, 0, {}
    for _, c in ipairs(filter(storage.calendars, function(c) return c.visible end)) do
      local count, minutes = 0, 0
      for _, e in ipairs(shown_events()) do
        local n = e.calendar == c.id and #occurrences(e, first, first + month_days(y, m) - 1) or 0
        count = count + n
        if not e.all_day then minutes = minutes + n * e.minutes end
      end
      total, total_minutes = total + count, total_minutes + minutes
      table.insert(lines, { c.name, count, minutes })
    end
    return column {
      toolbar { "Statistics", up = true, subtitle = date(now(), "%B %Y") },
      scroll {
        each(lines, function(l) return text { format("%s: %d (%s)", l[1], l[2], length_text(l[3])), id = "calendar_line" } end),
        divider {},
        text { "All: " .. total .. " (" .. length_text(total_minutes) .. ")", id = "total", size = "large" },
      },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text "First day of the week",
        radios { id = "week_start", items = { "Monday", "Sunday" }, selected = prefs.sunday and 2 or 1, on_change = function(i) prefs.sunday = i == 2 end },
        switch { "24-hour clock", id = "clock24", checked = prefs.clock24, on_change = function(b) prefs.clock24 = b end },
        text "Agenda shows",
        spinner { id = "range", items = each(RANGES, function(n) return n .. " days" end), selected = prefs.range,
          on_change = function(i) prefs.range = i end },
        text "New events",
        spinner { id = "default_length", items = each(LENGTHS, length_text), selected = index_of(LENGTHS, prefs.minutes),
          on_change = function(i) prefs.minutes = LENGTHS[i] end },
        spinner { id = "default_reminder", items = REMINDERS, selected = prefs.reminder, on_change = function(i) prefs.reminder = i end },
      },
    }
  end,
}
