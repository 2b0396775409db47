-- Rituals: habits that are ticked off day by day, or counted against a target; streaks, notes, reminders, an archive.
--
-- A habit's entries are kept by day ("d19783"): 1 for done, "skip" for a day that does not count, or the number that was reached.

local DAY = 24 * 60 * 60 * 1000
local MAX_HABITS, MAX_CATEGORIES = 40, 12
local YES_NO, NUMBER = 1, 2
local COLUMNS = { 3, 4, 5 }
local SORTS = { { "Manually", "manual" }, { "By name", "name" }, { "By streak", "streak" } }

local function today() return now() // DAY end
local function key(day) return "d" .. day end
local function day_text(day) return date(day * DAY, "%a %d %b %Y") end
local function days_word(n) return n == 1 and "1 day" or n .. " days" end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function habit_of(id) return by_id(storage.habits, id) end
local function category_of(id) return by_id(storage.categories, id) end
local function active() return filter(storage.habits, function(h) return not h.archived end) end

-- What a habit's entries mean -----------------------------------------------------------------------------

local function skipped(h, day) return h.entries[key(day)] == "skip" end

local function done(h, day)
  local value = h.entries[key(day)]
  if not value or value == "skip" then return false end
  if h.kind == YES_NO then return true end
  if bug("target_reached") then return value > h.target end
  return value >= h.target
end

-- The streak that goes on now and the longest one. Today may still be done; skipped days neither count nor break it.
local function streaks(h)
  local current, best, first = 0, 0, today()
  for k in pairs(h.entries) do first = math.min(first, tonumber(k:sub(2))) end
  for day = first, today() do
    if done(h, day) then
      current = current + 1
    elseif day < today() and (bug("skip_breaks") or not skipped(h, day)) then
      current = 0
    end
    best = math.max(best, current)
  end
  return current, best
end

-- To be called after every change of the entries or the target.
local function changed(h)
  local _, best = streaks(h)
  h.best = bug("best_stays") and math.max(h.best, best) or best
end

local function count_done(h, from, to)
  local n, skips = 0, 0
  for day = from, to do
    if done(h, day) then n = n + 1 elseif skipped(h, day) then skips = skips + 1 end
  end
  return n, skips
end

local function score(h)
  local n, skips = count_done(h, today() - 29, today())
  return skips == 30 and 0 or math.floor(n * 100 / (30 - skips) + 0.5)
end

local function week_start() return today() - (today() + (prefs.sunday and 4 or 3)) % 7 end
local function week_text(h) return count_done(h, week_start(), today()) .. " of " .. h.weekly end

local function mark(h, day)
  local value = h.entries[key(day)]
  if value == "skip" then return "»" end
  if h.kind == YES_NO then return value and "✓" or "·" end
  return value and value .. (done(h, day) and " ✓" or "") or "·"
end

local function set_entry(h, day, value)
  h.entries[key(day)] = value
  changed(h)
end

local function cycle(h, day)
  local value = h.entries[key(day)]
  if not value then return set_entry(h, day, 1) end
  set_entry(h, day, value == 1 and prefs.skips and "skip" or nil)
end

app {
  package = "org.norn.habits",
  title = "Rituals",
  main = "Main",
  bugs = { "reverse_tap", "skip_breaks", "target_reached", "edit_reminder", "note_stays", "best_stays", "hidden_count", "sort_case" },
  application = function()
    if storage.habits then return end
    storage.next_id = 100
    storage.categories = { { id = 1, name = "Health" }, { id = 2, name = "Mind" }, { id = 3, name = "Home" } }
    storage.habits = {}
    prefs.sort, prefs.columns, prefs.reverse, prefs.sunday, prefs.skips, prefs.hide_done = "manual", 4, false, false, true, false
    local function add(name, category, weekly, history, more)
      local h = { id = new_id(), name = name, category = category, weekly = weekly, kind = YES_NO, target = 1, unit = "", entries = {}, notes = {}, best = 0 }
      for k, value in pairs(more or {}) do h[k] = value end
      local values = split(history, " ")                     -- oldest first, the last one is today's
      for i, v in ipairs(values) do
        if v ~= "-" then h.entries[key(today() - #values + i)] = tonumber(v) end
      end
      table.insert(storage.habits, h)
      local _, best = streaks(h)
      h.best = best
      return h
    end
    local meditate = add("Meditate", 2, 7, "1 - 1 1 1 - 1 1 1 1 1 1 1 -", { reminder = 7 })
    local run = add("Run", 1, 3, "- 1 - - 1 1 - 1 - - 1 1 1 -", { reminder = 18 })
    add("Drink water", 1, 7, "6 9 10 7 9 10 - 9 9 7 10 9 9 3", { kind = NUMBER, target = 8, unit = "glasses" })
    add("Read", 2, 5, "25 - 30 22 - - 31 24 12 - 28 35 - -", { kind = NUMBER, target = 20, unit = "pages", reminder = 21 })
    add("eat fruit", 1, 6, "1 1 - 1 1 1 1 - 1 1 1 - 1 1")
    add("Tidy the desk", 3, 5, "- - 1 1 1 - 1 - - 1 1 - - -")
    add("Call parents", nil, 2, "- 1 - - - - 1 - 1 - - - - 1")
    add("Learn Spanish", 2, 5, "1 1 1 - - - - - - - - - - -", { archived = true })
    meditate.notes[key(today() - 1)] = "Ten minutes in the park"
    run.notes[key(today() - 3)] = "Knee hurts a little"
  end,
}

local function sorted(habits)
  local result = copy(habits)
  if prefs.sort == "name" then
    table.sort(result, function(a, b)
      if bug("sort_case") then return a.name < b.name end
      return a.name:lower() < b.name:lower()
    end)
  elseif prefs.sort == "streak" then
    table.sort(result, function(a, b) return (streaks(a)) > (streaks(b)) end)
  end
  return result
end

local function ask_value(self, h, day)
  local value = h.entries[key(day)]
  self:dialog { title = h.name .. ", " .. date(day * DAY, "%d %b"), ok = "Save", cancel = "Cancel",
    view = function()
      return column { field { id = "value", hint = h.unit ~= "" and h.unit or "How many?", input = "number", max = 4,
        text = type(value) == "number" and tostring(value) or "" } }
    end,
    on_ok = function()
      local n = tonumber(self:text("value"))
      set_entry(h, day, n and n > 0 and n or nil)
    end }
end

local function tap_day(self, h, day) if h.kind == YES_NO then cycle(h, day) else ask_value(self, h, day) end end

local function category_spinner(id, chosen, first, on_change)
  local names, ids = { first }, { false }
  for _, c in ipairs(storage.categories) do
    table.insert(names, c.name)
    table.insert(ids, c.id)
  end
  return spinner { id = id, items = names, selected = index_of(ids, chosen or false) or 1, on_change = function(i) on_change(ids[i] or nil) end }
end

activity "Main" {
  create = function(self, intent, saved) self.category = saved and saved.category end,
  save = function(self, out) out.category = self.category end,
  resume = function(self) if not category_of(self.category) then self.category = nil end end,

  -- The days of the columns: today first, or last.
  days = function(self)
    local days = {}
    for i = 1, prefs.columns do days[i] = prefs.reverse and today() - prefs.columns + i or today() - i + 1 end
    return days
  end,

  menu = function(self)
    local function page(title, id, name) return { title, id = id, on_click = function() self:start(name) end } end
    return {
      { "Hide what is done", id = "hide_done", checked = prefs.hide_done, on_click = function() prefs.hide_done = not prefs.hide_done end },
      { "Sort", id = "sort", items = each(SORTS, function(s)
        return { s[1], id = "sort_" .. s[2], checked = prefs.sort == s[2], on_click = function() prefs.sort = s[2] end }
      end) },
      page("Order", "order", "Order"), page("Journal", "journal", "Journal"), page("Reminders", "reminders", "Reminders"),
      page("Categories", "categories", "Categories"), page("Archive", "archive", "Archive"), page("Settings", "settings", "Settings"),
    }
  end,

  habit_row = function(self, h, days)
    return row { id = "habit_row",
      column { weight = 1, text { h.name, id = "name" }, text { "Streak: " .. days_word((streaks(h))), id = "streak", size = "small" } },
      each(days, function(day, i)
        local meant = bug("reverse_tap") and today() - i + 1 or day
        return button { mark(h, day), id = "cell", desc = h.name .. " " .. date(day * DAY, "%d %b"), on_click = function() tap_day(self, h, meant) end,
          on_long_click = function() self:start("Entry", { id = h.id, day = meant }) end }
      end) }
  end,

  view = function(self)
    local days = self:days()
    local habits = filter(sorted(active()), function(h) return not self.category or h.category == self.category end)
    local shown = filter(habits, function(h) return not prefs.hide_done or not (done(h, today()) or skipped(h, today())) end)
    local counted = bug("hidden_count") and shown or habits
    return column {
      toolbar { "Rituals", actions = { { "Overview", id = "overview", on_click = function() self:start("Overview") end } } },
      text { #filter(counted, function(h) return done(h, today()) end) .. " of " .. #counted .. " done today", id = "progress" },
      category_spinner("category", self.category, "All categories", function(id) self.category = id end),
      row { text { "", weight = 1 }, each(days, function(day) return text { date(day * DAY, "%a %d"), id = "day", size = "small" } end) },
      list { id = "habits", items = shown, empty = text { #habits > 0 and "All done" or "No habits here", id = "empty" },
        row = function(h) return self:habit_row(h, days) end,
        on_item_click = function(_, h) self:start("Habit", { id = h.id }) end },
      fab { id = "add", desc = "New habit", on_click = function() self:start("Edit", { category = self.category }) end },
    }
  end,
}

-- One habit -----------------------------------------------------------------------------------------------

local function reminder_text(h) return h.reminder and format("%02d:00", h.reminder) or "Off" end

local function ask_delete(self, h, after_it)
  self:dialog { title = "Delete " .. h.name .. "?", message = "Its history is lost", ok = "Delete", cancel = "Cancel",
    on_ok = function()
      table.remove(storage.habits, index_of(storage.habits, h))
      if after_it then after_it() end
    end }
end

local function ask_reminder(self, h)
  local items = { "Off" }
  for hour = 6, 22 do table.insert(items, format("%02d:00", hour)) end
  self:dialog { title = "Remind me of " .. h.name, items = items, checked = h.reminder and h.reminder - 4 or 1, cancel = "Cancel",
    on_item = function(i) h.reminder = i > 1 and i + 4 or nil end }
end

local function gone(title, what) return column { toolbar { title, up = true }, text { what, id = "gone" } } end

activity "Habit" {
  menu = function(self)
    local h = habit_of(self.intent.id)
    return h and {
      { h.archived and "Restore" or "Archive", id = "archive_habit", on_click = function()
        h.archived = not h.archived
        self:finish()
      end },
      { "Delete", id = "delete_habit", on_click = function() ask_delete(self, h, function() self:finish() end) end },
    } or {}
  end,

  view = function(self)
    local h = habit_of(self.intent.id)
    if not h then return gone("Habit", "This habit was deleted") end
    local notes = {}
    for k, note in pairs(h.notes) do table.insert(notes, { day = tonumber(k:sub(2)), note = note }) end
    table.sort(notes, function(a, b) return a.day > b.day end)
    local total = 0
    for k in pairs(h.entries) do total = total + (done(h, tonumber(k:sub(2))) and 1 or 0) end
    return column {
      toolbar { h.name, up = true, subtitle = h.archived and "Archived" or nil, actions = {
        { "Calendar", id = "calendar", on_click = function() self:start("Calendar", { id = h.id }) end },
        { "Edit", id = "edit", on_click = function() self:start("Edit", { id = h.id }) end } } },
      scroll {
        text { category_of(h.category) and category_of(h.category).name or "No category", id = "category_line", size = "small" },
        h.kind == NUMBER and text { "Target: " .. h.target .. " " .. h.unit, id = "target_line" },
        text { "Score: " .. score(h) .. " %", id = "score", size = "large" },
        text { "Current streak: " .. days_word((streaks(h))), id = "current" },
        text { "Best streak: " .. days_word(h.best), id = "best" },
        text { "This week: " .. week_text(h), id = "week" },
        text { "Done in all: " .. days_word(total), id = "total" },
        text { "Reminder: " .. reminder_text(h), id = "reminder", on_click = function() ask_reminder(self, h) end },
        #notes > 0 and text "Notes",
        each(notes, function(n)
          return text { date(n.day * DAY, "%d %b: ") .. n.note, id = "note_line", size = "small",
            on_click = function() self:start("Entry", { id = h.id, day = n.day }) end }
        end),
      },
    }
  end,
}

activity "Calendar" {
  create = function(self, intent, saved) self.month = saved and saved.month or 0 end,      -- months from now, 0 or less
  save = function(self, out) out.month = self.month end,

  -- The first day of the month shown and of the one after it.
  bounds = function(self)
    local function first_before(day) return day - tonumber(date(day * DAY, "%d")) + 1 end
    local first = first_before(today())
    for _ = 1, -self.month do first = first_before(first - 1) end
    return first, first_before(first + 31)
  end,

  view = function(self)
    local h = habit_of(self.intent.id)
    if not h then return gone("Calendar", "This habit was deleted") end
    local first, following = self:bounds()
    local cells = {}
    for _ = 1, (first + (prefs.sunday and 4 or 3)) % 7 do table.insert(cells, {}) end
    for day = first, following - 1 do table.insert(cells, { day = day }) end
    local names = prefs.sunday and { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" } or { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" }
    return column {
      toolbar { h.name, up = true, subtitle = date(first * DAY, "%B %Y") },
      row { button { "‹", id = "previous", desc = "Previous month", on_click = function() self.month = self.month - 1 end },
        button { "›", id = "next", desc = "Next month", enabled = self.month < 0, on_click = function() self.month = self.month + 1 end },
        text { "Done: " .. count_done(h, first, math.min(following - 1, today())), id = "done_in_month" } },
      row { each(names, function(name) return text { name, id = "weekday", weight = 1, size = "small" } end) },
      grid { id = "month_grid", columns = 7, items = cells,
        row = function(cell)
          if not cell.day then return text { "", id = "blank" } end
          return column { id = "day_cell", text { tostring(cell.day - first + 1), id = "number" },
            text { cell.day <= today() and mark(h, cell.day) or " ", id = "mark", size = "small" } }
        end,
        on_item_click = function(_, cell) if cell.day and cell.day <= today() then tap_day(self, h, cell.day) end end,
        on_item_long_click = function(_, cell)
          if cell.day and cell.day <= today() then self:start("Entry", { id = h.id, day = cell.day }) end
        end },
    }
  end,
}

-- What was done on one day, with a note.
activity "Entry" {
  create = function(self, intent, saved)
    local h = habit_of(intent.id)
    self.day = intent.day or today()
    local value = h and h.entries[key(self.day)]
    self.base = saved and saved.base or { state = value == "skip" and 3 or value and 2 or 1, value = type(value) == "number" and tostring(value) or "",
      note = h and h.notes[key(self.day)] or "" }
    self.state = saved and saved.state or self.base.state
  end,
  save = function(self, out) out.base, out.state = self.base, self.state end,

  store = function(self, h)
    local value, note = tonumber(self:text("value")), trim(self:text("note"))
    if h.kind == YES_NO then value = ({ false, 1, "skip" })[self.state] or nil elseif value == 0 then value = nil end
    if note ~= "" or not bug("note_stays") then h.notes[key(self.day)] = note ~= "" and note or nil end
    set_entry(h, self.day, value)
    self:finish()
  end,

  leave = function(self)
    local h = habit_of(self.intent.id)
    local same = not h or self:text("note") == self.base.note and
      (h.kind == YES_NO and self.state == self.base.state or h.kind == NUMBER and self:text("value") == self.base.value)
    if same then return self:finish() end
    self:dialog { title = "Discard your changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Keep editing" }
  end,
  back = function(self) self:leave() return true end,

  view = function(self)
    local h = habit_of(self.intent.id)
    if not h then return gone("Entry", "This habit was deleted") end
    local states = { "Not done", "Done" }
    if prefs.skips or self.base.state == 3 then table.insert(states, "Skipped") end
    return column {
      toolbar { h.name, up = function() self:leave() end, subtitle = day_text(self.day),
        actions = { { "Save", id = "save", on_click = function() self:store(h) end } } },
      h.kind == YES_NO and radios { id = "state", items = states, selected = self.state, on_change = function(i) self.state = i end }
        or field { id = "value", hint = h.unit ~= "" and h.unit or "How many?", input = "number", max = 4, text = self.base.value },
      field { id = "note", hint = "Note", text = self.base.note, max = 120 },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local h = habit_of(intent.id)
    self.base = saved and saved.base or { name = h and h.name or "", target = h and h.kind == NUMBER and tostring(h.target) or "",
      unit = h and h.unit or "", kind = h and h.kind or YES_NO, weekly = h and h.weekly or 7, category = h and h.category or not h and intent.category or nil }
    local from = saved or self.base
    self.kind, self.weekly, self.category = from.kind, from.weekly, from.category
  end,
  save = function(self, out) out.base, out.kind, out.weekly, out.category = self.base, self.kind, self.weekly, self.category end,

  leave = function(self)
    local base = self.base
    local same = self.kind == base.kind and self.weekly == base.weekly and self.category == base.category and self:text("name") == base.name and
      (self.kind == YES_NO or self:text("target") == base.target and self:text("unit") == base.unit)
    if same then return self:finish() end
    self:dialog { title = "Discard your changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Keep editing" }
  end,
  back = function(self) self:leave() return true end,

  store = function(self)
    local name, target, h = trim(self:text("name")), tonumber(self:text("target")), habit_of(self.intent.id)
    if name == "" then return toast("Give it a name") end
    if find(storage.habits, function(x) return x ~= h and x.name:lower() == name:lower() end) then return toast("There is one of that name") end
    if self.kind == YES_NO then target = 1 elseif not target or target < 1 then return toast("Set a target") end
    if not h then
      if #storage.habits >= MAX_HABITS then return toast("Too many habits") end
      h = { id = new_id(), kind = self.kind, entries = {}, notes = {}, best = 0 }
      table.insert(storage.habits, h)
    elseif bug("edit_reminder") then
      local new = { id = h.id, kind = h.kind, entries = h.entries, notes = h.notes, best = h.best, archived = h.archived }
      storage.habits[index_of(storage.habits, h)] = new
      h = new
    end
    h.name, h.target, h.unit, h.weekly = name, target, self.kind == NUMBER and trim(self:text("unit")) or "", self.weekly
    h.category = category_of(self.category) and self.category or nil
    changed(h)
    self:finish()
  end,

  view = function(self)
    local counts = {}
    for i = 1, 7 do counts[i] = i == 1 and "Once a week" or i == 7 and "Every day" or i .. " times a week" end
    return column {
      toolbar { self.intent.id and "Edit habit" or "New habit", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = self.base.name, max = 30 },
        not self.intent.id and radios { id = "kind", items = { "Yes or no", "A number" }, selected = self.kind, on_change = function(i) self.kind = i end },
        self.kind == NUMBER and row { field { id = "target", hint = "Target", text = self.base.target, input = "number", max = 4, weight = 1 },
          field { id = "unit", hint = "Unit", text = self.base.unit, max = 12, weight = 1 } },
        spinner { id = "weekly", items = counts, selected = self.weekly, on_change = function(i) self.weekly = i end },
        category_spinner("habit_category", self.category, "No category", function(id) self.category = id end),
      },
    }
  end,
}

-- Overviews -----------------------------------------------------------------------------------------------

activity "Overview" {
  view = function(self)
    local habits, week, goal = active(), 0, 0
    local best = nil
    for _, h in ipairs(habits) do
      week, goal = week + (count_done(h, week_start(), today())), goal + h.weekly
      if not best or h.best > best.best then best = h end
    end
    table.sort(habits, function(a, b) return score(a) > score(b) end)
    return column {
      toolbar { "Overview", up = true },
      text { #filter(habits, function(h) return done(h, today()) end) .. " of " .. #habits .. " done today", id = "done_today", size = "large" },
      text { "This week: " .. week .. " of " .. goal, id = "week_total" },
      best and best.best > 0 and text { "Best streak: " .. days_word(best.best) .. " (" .. best.name .. ")", id = "best_streak" },
      list { id = "scores", items = habits, empty = text { "No habits", id = "empty" },
        row = function(h)
          return row { id = "score_row", text { h.name, id = "name", weight = 1 },
            text { week_text(h) .. " this week · " .. score(h) .. " %", id = "score", size = "small" } }
        end,
        on_item_click = function(_, h) self:start("Habit", { id = h.id }) end },
    }
  end,
}

activity "Journal" {
  view = function(self)
    local notes = {}
    for _, h in ipairs(active()) do
      for k, note in pairs(h.notes) do table.insert(notes, { habit = h, day = tonumber(k:sub(2)), note = note }) end
    end
    table.sort(notes, function(a, b) return a.day > b.day end)
    return column {
      toolbar { "Journal", up = true },
      list { id = "notes", items = notes, empty = text { "No notes", id = "empty" },
        row = function(n)
          return column { id = "journal_row", text { n.note, id = "note_text" },
            text { n.habit.name .. " · " .. day_text(n.day), id = "from", size = "small" } }
        end,
        on_item_click = function(_, n) self:start("Entry", { id = n.habit.id, day = n.day }) end },
    }
  end,
}

activity "Reminders" {
  view = function(self)
    local habits = active()
    table.sort(habits, function(a, b) return (a.reminder or 99) < (b.reminder or 99) end)
    return column {
      toolbar { "Reminders", up = true },
      list { id = "reminder_list", items = habits, empty = text { "No habits", id = "empty" },
        row = function(h) return row { id = "reminder_row", text { h.name, id = "name", weight = 1 }, text { reminder_text(h), id = "time" } } end,
        on_item_click = function(_, h) ask_reminder(self, h) end },
    }
  end,
}

activity "Order" {
  swap = function(self, a, b)
    local i, k = index_of(storage.habits, a), index_of(storage.habits, b)
    storage.habits[i], storage.habits[k] = b, a
  end,

  view = function(self)
    local habits = active()
    return column {
      toolbar { "Order", up = true },
      text { "The order when the list is sorted manually", id = "explanation", size = "small" },
      list { id = "order_list", items = habits, empty = text { "No habits", id = "empty" },
        row = function(h, i)
          return row { id = "order_row", text { h.name, id = "name", weight = 1 },
            image_button { id = "up", desc = "Up", enabled = i > 1, on_click = function() self:swap(h, habits[i - 1]) end },
            image_button { id = "down", desc = "Down", enabled = i < #habits, on_click = function() self:swap(h, habits[i + 1]) end } }
        end },
    }
  end,
}

activity "Archive" {
  restore = function(self, h)
    h.archived = nil
    self:snackbar(h.name .. " restored", "Undo", function() h.archived = true end)
  end,

  view = function(self)
    local archived = filter(storage.habits, function(h) return h.archived end)
    return column {
      toolbar { "Archive", up = true },
      list { id = "archived", items = archived, empty = text { "The archive is empty", id = "empty" },
        row = function(h)
          return column { id = "archive_row", text { h.name, id = "name" }, text { "Best streak: " .. days_word(h.best), id = "best", size = "small" } }
        end,
        on_item_click = function(_, h)
          self:popup { { "Show", id = "show", on_click = function() self:start("Habit", { id = h.id }) end },
            { "Restore", id = "restore", on_click = function() self:restore(h) end },
            { "Delete", id = "delete", on_click = function() ask_delete(self, h) end } }
        end,
        on_item_swipe = function(i, direction) if direction == "right" then self:restore(archived[i]) end end },
    }
  end,
}

activity "Categories" {
  ask_name = function(self, category)
    self:dialog { title = category and "Rename category" or "New category", ok = "Save", cancel = "Cancel",
      view = function() return column { field { id = "category_name", hint = "Name", text = category and category.name or "", max = 20 } } end,
      on_ok = function()
        local name = trim(self:text("category_name"))
        local same = find(storage.categories, function(c) return c ~= category and c.name:lower() == name:lower() end)
        if name == "" or same then toast(same and "There is one of that name" or "Give it a name") return true end
        if category then category.name = name return end
        if #storage.categories >= MAX_CATEGORIES then return toast("Too many categories") end
        table.insert(storage.categories, { id = new_id(), name = name })
      end }
  end,

  delete = function(self, category)
    table.remove(storage.categories, index_of(storage.categories, category))
    for _, h in ipairs(storage.habits) do
      if h.category == category.id then h.category = nil end
    end
  end,

  view = function(self)
    return column {
      toolbar { "Categories", up = true, actions = { { "New", id = "new_category", on_click = function() self:ask_name() end } } },
      list { id = "category_list", items = storage.categories, empty = text { "No categories", id = "empty" },
        row = function(c)
          local n = #filter(active(), function(h) return h.category == c.id end)
          return row { id = "category_row", text { c.name, id = "name", weight = 1 }, text { n .. (n == 1 and " habit" or " habits"), id = "count" } }
        end,
        on_item_click = function(_, c)
          self:popup { { "Rename", id = "rename", on_click = function() self:ask_name(c) end },
            { "Delete", id = "delete_category", on_click = function() self:delete(c) end } }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    local function option(title, id, name) return switch { title, id = id, checked = prefs[name], on_change = function(b) prefs[name] = b end } end
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text "Days in the list",
        spinner { id = "columns", items = each(COLUMNS, function(n) return tostring(n) end), selected = index_of(COLUMNS, prefs.columns),
          on_change = function(i) prefs.columns = COLUMNS[i] end },
        option("Oldest day first", "reverse", "reverse"),
        option("Weeks begin on Sunday", "sunday", "sunday"),
        option("Days can be skipped", "skips", "skips"),
      },
    }
  end,
}
