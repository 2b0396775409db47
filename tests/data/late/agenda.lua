-- Agenda: a calendar with a day, a month and a list, repeated events, several calendars, tasks.
-- Days are counted from 1970, times are full hours; an event may repeat every day or every week.

local DAY = 24 * 60 * 60 * 1000
local REPEATS = { { "Does not repeat", 0 }, { "Every day", 1 }, { "Every week", 7 } }
local REMINDERS = { "No reminder", "10 minutes before", "1 hour before", "1 day before" }
local WEEKDAYS = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" }

local function today() return now() // DAY end

app {
  package = "org.late.agenda",
  title = "Agenda",
  main = "Main",
  bugs = { "month_columns", "only_this_day", "hidden_in_month", "series_moves", "end_stays", "day_rotate", "reminder_default", "undo_series" },
  application = function()
    if storage.events then return end
    local day = today()
    storage.calendars = { { id = 1, name = "Personal", visible = true }, { id = 2, name = "Work", visible = true } }
    storage.events = {
      { id = 11, title = "Dentist", place = "Mill Lane 3", day = day, start = 9, stop = 10, calendar = 1, every = 0, reminder = 3, skip = {} },
      { id = 12, title = "Team meeting", place = "Room 2", day = day - 14, start = 11, stop = 12, calendar = 2, every = 7, reminder = 1, skip = {} },
      { id = 13, title = "Ida's birthday", place = "", day = day + 1, start = 9, stop = 10, allday = true, calendar = 1, every = 0, reminder = 4, skip = {} },
      { id = 14, title = "Swimming", place = "Pool", day = day + 3, start = 18, stop = 20, calendar = 1, every = 0, reminder = 1, skip = {} },
      { id = 15, title = "Report due", place = "", day = day + 6, start = 16, stop = 17, calendar = 2, every = 0, reminder = 2, skip = {} },
      { id = 16, title = "Concert", place = "Town hall", day = day - 5, start = 20, stop = 22, calendar = 1, every = 0, reminder = 1, skip = {} },
    }
    storage.tasks = { { id = 17, title = "Buy a present", done = false }, { id = 18, title = "Print tickets", done = true } }
    storage.next_id = 30
    prefs.hours24, prefs.monday, prefs.reminder, prefs.length, prefs.past = true, true, 2, 1, false
  end,
}

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function event_of(id) return (find(storage.events, function(e) return e.id == id end)) end
local function calendar_of(id) return (find(storage.calendars, function(c) return c.id == id end)) or storage.calendars[1] end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function day_text(day) return WEEKDAYS[(day + 4) % 7 + 1] .. " " .. date(day * DAY, "%d %b %Y") end

local function hour_text(h)
  if prefs.hours24 then return format("%02d:00", h) end
  return (h % 12 == 0 and 12 or h % 12) .. (h % 24 < 12 and " am" or " pm")
end

local function time_text(e) return e.allday and "All day" or hour_text(e.start) .. " - " .. hour_text(e.stop) end

local function occurs(e, day)
  if day < e.day or e.to_day and day > e.to_day or e.skip["d" .. day] then return false end
  if e.every == 0 then return day == e.day end
  return (day - e.day) % e.every == 0
end

local function on_day(day, hidden_too)
  local rows = filter(storage.events, function(e) return occurs(e, day) and (hidden_too or calendar_of(e.calendar).visible) end)
  table.sort(rows, function(a, b)
    if (a.allday or false) ~= (b.allday or false) then return a.allday or false end
    if not a.allday and a.start ~= b.start then return a.start < b.start end
    return a.title:lower() < b.title:lower()
  end)
  return rows
end

-- The first day from a given one on which an event takes place; nil: no more.
local function next_day(e, from)
  for day = math.max(from, e.day), math.max(from, e.day) + 366 do
    if occurs(e, day) then return day end
  end
end

-- What the question in the event's page was answered with; undone by the message.
local function delete_event(self, how)
  local e = how and event_of(how.delete)
  if not e then return end
  if how.scope == "this" and bug("only_this_day") then how.scope = "following" end  -- one deleted, the later ones gone too (Simple Calendar: recurrence)
  if how.scope == "this" then
    e.skip["d" .. how.day] = true
    self:snackbar("Deleted on this day", "Undo", function() e.skip["d" .. how.day] = nil end)
  elseif how.scope == "following" and how.day > e.day then
    local before = e.to_day
    e.to_day = how.day - 1
    self:snackbar("Deleted", "Undo", function() e.to_day = before end)
  else
    local i = index_of(storage.events, e)
    table.remove(storage.events, i)
    self:snackbar(e.title .. " deleted", "Undo", function()
      if bug("undo_series") then e.every = 0 end          -- undo brings back one event of a series (Tasks: undo loses the recurrence)
      table.insert(storage.events, math.min(i, #storage.events + 1), e)
    end)
  end
end

local function event_row(e, day, with_day)
  return column { id = "event_row", text { e.title, id = "title" },
    text { (with_day and day_text(day) .. ", " or "") .. time_text(e) .. (e.place ~= "" and ", " .. e.place or ""), id = "when", size = "small" } }
end

-- ---- day, month, list ----

activity "Main" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
    self.day = saved and saved.day or today()
  end,
  save = function(self, out)
    out.tab = self.tab
    if not bug("day_rotate") then out.day = self.day end         -- back to today by rotation (Simple Calendar: day view)
  end,
  result = function(self, request, data) delete_event(self, data) end,
  open = function(self, e, day) self:start_for_result("Event", "event", { id = e.id, day = day }) end,
  turn = function(self, by)
    if self.tab ~= 2 then self.day = self.day + by return end
    local first = self:month_start()
    self.day = by < 0 and first - 1 or first + 31
    self.day = self:month_start()
  end,
  month_start = function(self) return self.day - tonumber(date(self.day * DAY, "%d")) + 1 end,
  day_tab = function(self)
    return list { id = "events", items = on_day(self.day), empty = text { "Nothing on this day", id = "empty" },
      row = function(e) return event_row(e, self.day) end,
      on_item_click = function(_, e) self:open(e, self.day) end }
  end,
  month_tab = function(self)
    local first, names, cells = self:month_start(), {}, {}
    for i = 0, 6 do
      names[#names + 1] = text { WEEKDAYS[(i + (prefs.monday and 1 or 0)) % 7 + 1], id = "weekday", weight = 1, size = "small" }
    end
    local weekday = (first + 4) % 7
    local monday = prefs.monday or bug("month_columns")           -- the names of the columns change, the numbers stay (Simple Calendar: week start)
    for day = first - (monday and (weekday + 6) % 7 or weekday), first - 1 do cells[#cells + 1] = { title = date(day * DAY, "%d %b"), day = day } end
    for day = first, first + 30 do
      if day == first or date(day * DAY, "%d") ~= "01" then
        local n = #on_day(day, bug("hidden_in_month"))            -- a hidden calendar is counted in one view (Simple Calendar: event types)
        cells[#cells + 1] = { title = tonumber(date(day * DAY, "%d")) .. (n > 0 and " (" .. n .. ")" or ""), day = day }
      else
        break
      end
    end
    return { row { names },
      grid { id = "month", items = cells, columns = 7, row = function(c) return text { c.title, id = "cell", size = "small" } end,
        on_item_click = function(_, c) self.day, self.tab = c.day, 1 end } }
  end,
  list_tab = function(self)
    local rows = {}
    for day = self.day, self.day + 30 do
      for _, e in ipairs(on_day(day)) do rows[#rows + 1] = { e = e, day = day } end
    end
    return list { id = "upcoming", items = rows, empty = text { "Nothing in the next 30 days", id = "empty" },
      row = function(r) return event_row(r.e, r.day, true) end,
      on_item_click = function(_, r) self:open(r.e, r.day) end }
  end,
  menu = function(self)
    return {
      { "Calendars", id = "calendars", on_click = function() self:start("Calendars") end },
      { "Tasks", id = "tasks", on_click = function() self:start("Tasks") end },
      { "The week in figures", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local title = self.tab == 2 and date(self.day * DAY, "%b %Y") or self.tab == 3 and "From " .. day_text(self.day) or day_text(self.day)
    return column {
      toolbar { "Agenda", actions = {
        { "Today", id = "today", on_click = function() self.day = today() end },
        { "Search", id = "search", on_click = function() self:start("Search") end } } },
      tabs { id = "tabs", titles = { "Day", "Month", "List" }, selected = self.tab, on_change = function(i) self.tab = i end },
      row { button { "<", id = "previous", desc = "Previous", on_click = function() self:turn(-1) end },
        text { title, id = "shown_day", weight = 1 },
        button { ">", id = "next", desc = "Next", on_click = function() self:turn(1) end } },
      self.tab == 1 and self:day_tab() or self.tab == 2 and self:month_tab() or self:list_tab(),
      fab { id = "add", desc = "New event", on_click = function() self:start("Edit", { day = self.day }) end },
    }
  end,
}

-- ---- one event ----

activity "Event" {
  create = function(self, intent, saved) self.day = saved and saved.day or intent.day or today() end,
  save = function(self, out) out.day = self.day end,
  result = function(self, request, data) if data then self.day = data.day end end,
  ask_delete = function(self, e)
    if e.every == 0 then
      return self:dialog { title = "Delete " .. e.title .. "?", cancel = "Cancel", ok = "Delete",
        on_ok = function() self:finish { delete = e.id, day = self.day, scope = "all" } end }
    end
    local scopes = { "this", "following", "all" }
    self:dialog { title = "Delete " .. e.title, items = { "Only on this day", "This and all later days", "All days" },
      on_item = function(i) self:finish { delete = e.id, day = self.day, scope = scopes[i] } end }
  end,
  view = function(self)
    local e = event_of(self.intent.id)
    if not e then return column { toolbar { "Event", up = true }, text { "This event was deleted", id = "gone" } } end
    local every = find(REPEATS, function(r) return r[2] == e.every end)
    return column {
      toolbar { e.title, up = true, actions = {
        { "Edit", id = "edit", on_click = function() self:start_for_result("Edit", "edit", { id = e.id, day = self.day }) end },
        { "Delete", id = "delete", on_click = function() self:ask_delete(e) end } } },
      scroll {
        text { day_text(self.day), id = "day" },
        text { time_text(e), id = "time" },
        e.place ~= "" and text { "At " .. e.place, id = "place" },
        text { "Calendar: " .. calendar_of(e.calendar).name, id = "calendar" },
        text { every[1], id = "every" },
        e.to_day and text { "Until " .. day_text(e.to_day), id = "until" },
        text { REMINDERS[e.reminder], id = "reminder" },
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local e = intent.id and event_of(intent.id)
    local s = saved or e or { start = 12, stop = 12 + prefs.length, calendar = 1, every = 0, reminder = prefs.reminder }
    self.from_day = intent.day or today()
    self.day = saved and saved.day or self.from_day
    self.start_hour, self.stop_hour, self.calendar, self.every, self.reminder = s.start, s.stop, s.calendar, s.every, s.reminder
    self.allday = s.allday or false
    if bug("reminder_default") and e and not saved and e.reminder == 1 then self.reminder = prefs.reminder end  -- "none" read as "not set" (Tasks, Etar)
  end,
  save = function(self, out)
    out.day, out.start, out.stop, out.allday = self.day, self.start_hour, self.stop_hour, self.allday
    out.calendar, out.every, out.reminder = self.calendar, self.every, self.reminder
  end,
  set_start = function(self, h)
    local length = self.stop_hour - self.start_hour
    self.start_hour = h
    if bug("end_stays") then return end                      -- the end stays before the new start (Simple Calendar: start later than end)
    self.stop_hour = math.min(24, h + length)
  end,
  set_stop = function(self, h)
    if h <= self.start_hour then return toast("It cannot end before it begins") end
    self.stop_hour = h
  end,
  -- A series is moved by as many days as the day that was opened.
  move = function(self, e)
    local by = self.day - self.from_day
    if bug("series_moves") then e.day = self.day return end   -- editing a later day makes it the first one (Simple Calendar: earlier ones vanish)
    e.day = e.day + by
    if e.to_day then e.to_day = e.to_day + by end
    local skip = {}
    for k in pairs(e.skip) do skip["d" .. tonumber(k:sub(2)) + by] = true end
    e.skip = skip
  end,
  store = function(self)
    local title = trim(self:text("title"))
    if title == "" then return toast("Give it a title") end
    local e = self.intent.id and event_of(self.intent.id)
    if e then
      self:move(e)
    else
      e = { id = new_id(), day = self.day, every = self.every, skip = {} }
      table.insert(storage.events, e)
    end
    e.title, e.place, e.allday, e.start, e.stop = title, trim(self:text("place")), self.allday, self.start_hour, self.stop_hour
    e.calendar, e.reminder = self.calendar, self.reminder
    self:finish { day = self.day }
  end,
  view = function(self)
    local e = self.intent.id and event_of(self.intent.id) or { title = "", place = "", every = 0 }
    local starts, stops = {}, {}
    for h = 0, 23 do starts[h + 1], stops[h + 1] = hour_text(h), hour_text(h + 1) end
    local _, calendar = find(storage.calendars, function(c) return c.id == self.calendar end)
    local _, every = find(REPEATS, function(r) return r[2] == self.every end)
    return column {
      toolbar { self.intent.id and "Edit event" or "New event", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "title", hint = "Title", text = e.title, max = 25 },
        field { id = "place", hint = "Place", text = e.place, max = 25 },
        row { button { "-", id = "earlier", desc = "A day earlier", on_click = function() self.day = self.day - 1 end },
          text { day_text(self.day), id = "day" },
          button { "+", id = "later", desc = "A day later", on_click = function() self.day = self.day + 1 end } },
        check { "All day", id = "allday", checked = self.allday, on_change = function(b) self.allday = b end },
        not self.allday and row { text "From", spinner { id = "start", items = starts, selected = self.start_hour + 1, on_change = function(i) self:set_start(i - 1) end },
          text "To", spinner { id = "stop", items = stops, selected = self.stop_hour, on_change = function(i) self:set_stop(i) end } },
        not self.intent.id and spinner { id = "every", items = each(REPEATS, function(r) return r[1] end), selected = every,
          on_change = function(i) self.every = REPEATS[i][2] end },
        self.intent.id and self.every > 0 and text { REPEATS[every][1] .. ": all days are changed", id = "series", size = "small" },
        spinner { id = "calendar", items = each(storage.calendars, function(c) return c.name end), selected = calendar or 1,
          on_change = function(i) self.calendar = storage.calendars[i].id end },
        spinner { id = "reminder", items = REMINDERS, selected = self.reminder, on_change = function(i) self.reminder = i end },
      },
    }
  end,
}

activity "Search" {
  result = function(self, request, data) delete_event(self, data) end,
  found = function(self)
    local query = trim(self:text("query")):lower()
    if query == "" then return {} end
    local rows = {}
    for _, e in ipairs(storage.events) do
      local day = next_day(e, today()) or prefs.past and next_day(e, e.day)
      if day and calendar_of(e.calendar).visible and contains((e.title .. " " .. e.place):lower(), query) then rows[#rows + 1] = { e = e, day = day } end
    end
    table.sort(rows, function(a, b)
      if a.day ~= b.day then return a.day < b.day end
      return a.e.title:lower() < b.e.title:lower()
    end)
    return rows
  end,
  view = function(self)
    local rows = self:found()
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Title or place", max = 25 },
      list { id = "found", items = rows, empty = text { trim(self:text("query")) == "" and "Type something" or "Nothing found", id = "empty" },
        row = function(r) return event_row(r.e, r.day, true) end,
        on_item_click = function(_, r) self:start_for_result("Event", "event", { id = r.e.id, day = r.day }) end },
    }
  end,
}

-- ---- calendars, tasks, figures, settings ----

activity "Calendars" {
  ask_name = function(self, calendar)
    self:dialog { title = calendar and "Rename" or "New calendar",
      view = function() return column { field { id = "calendar_name", hint = "Name", text = calendar and calendar.name or "", max = 20 } } end,
      cancel = "Cancel", ok = "OK", on_ok = function()
        local name = trim(self:text("calendar_name"))
        local same = find(storage.calendars, function(c) return c.name:lower() == name:lower() end)
        if name == "" or same and same ~= calendar then return true end
        if calendar then calendar.name = name else table.insert(storage.calendars, { id = new_id(), name = name, visible = true }) end
      end }
  end,
  ask_remove = function(self, calendar)
    if calendar.id == 1 then return toast("This one has to stay") end
    self:dialog { title = "Delete " .. calendar.name .. "?", message = "Its events go to " .. calendar_of(1).name, cancel = "Cancel", ok = "Delete",
      on_ok = function()
        for _, e in ipairs(storage.events) do
          if e.calendar == calendar.id then e.calendar = 1 end
        end
        table.remove(storage.calendars, index_of(storage.calendars, calendar))
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Calendars", up = true, actions = { { "Add", id = "add_calendar", on_click = function() self:ask_name() end } } },
      list { id = "calendars", items = storage.calendars,
        row = function(c)
          local n = #filter(storage.events, function(e) return calendar_of(e.calendar) == c end)
          return row { id = "calendar_row", check { "", id = "visible", desc = "Show " .. c.name, checked = c.visible, on_change = function(b) c.visible = b end },
            text { c.name, id = "name", weight = 1 }, text { plural(n, "event"), id = "count" } }
        end,
        on_item_click = function(_, c) self:ask_name(c) end,
        on_item_long_click = function(_, c) self:ask_remove(c) end },
    }
  end,
}

activity "Tasks" {
  add = function(self)
    local title = trim(self:text("task"))
    if title == "" then return toast("What is to be done?") end
    table.insert(storage.tasks, { id = new_id(), title = title, done = false })
    self:set_text("task", "")
    self:hide_keyboard()
  end,
  view = function(self)
    local open = #filter(storage.tasks, function(t) return not t.done end)
    return column {
      toolbar { "Tasks", subtitle = open .. " open", up = true },
      row { field { id = "task", hint = "New task", max = 25, weight = 1, on_submit = function() self:add() end },
        button { "Add", id = "add_task", on_click = function() self:add() end } },
      list { id = "tasks", items = storage.tasks, empty = text { "No tasks", id = "empty" },
        row = function(t) return row { id = "task_row", check { t.title, id = "done", checked = t.done, on_change = function(b) t.done = b end } } end,
        on_item_swipe = function(i)
          local t = table.remove(storage.tasks, i)
          self:snackbar("Task deleted", "Undo", function() table.insert(storage.tasks, math.min(i, #storage.tasks + 1), t) end)
        end },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local n, hours, most, busiest = 0, 0, 0, nil
    for day = today(), today() + 6 do
      local rows = on_day(day)
      n = n + #rows
      if #rows > most then most, busiest = #rows, day end
      for _, e in ipairs(rows) do hours = hours + (e.allday and 0 or e.stop - e.start) end
    end
    return column {
      toolbar { "The next 7 days", up = true },
      text { plural(n, "event"), id = "events" },
      text { plural(hours, "hour") .. " taken", id = "hours" },
      text { busiest and "Most on " .. day_text(busiest) or "All days are free", id = "busiest" },
      text { plural(#filter(storage.tasks, function(t) return not t.done end), "open task"), id = "open_tasks" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        switch { "24 hours", id = "hours24", checked = prefs.hours24, on_change = function(b) prefs.hours24 = b end },
        text "The week begins on",
        radios { id = "first_day", items = { "Monday", "Sunday" }, selected = prefs.monday and 1 or 2, on_change = function(i) prefs.monday = i == 1 end },
        text "Reminder of new events",
        spinner { id = "default_reminder", items = REMINDERS, selected = prefs.reminder, on_change = function(i) prefs.reminder = i end },
        text "Length of new events",
        spinner { id = "length", items = { "1 hour", "2 hours", "3 hours" }, selected = prefs.length, on_change = function(i) prefs.length = i end },
        switch { "Find past events too", id = "past", checked = prefs.past, on_change = function(b) prefs.past = b end },
      },
    }
  end,
}
