-- Every Day: habits that are ticked or measured day by day, streaks, groups, notes, an archive.
-- A habit's log has a value for a day: true, a number, or "skip". Days are counted from 1970.

local DAY = 24 * 60 * 60 * 1000
local SORTS = { "My order", "Name", "Streak" }
local WEEKDAYS = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" }

local function today() return now() // DAY end

app {
  package = "org.late.habits",
  title = "Every Day",
  main = "Main",
  bugs = { "best_stays", "undo_at_end", "sorted_delete", "week_begins", "reminder_on", "skip_counts", "week_rotate", "group_takes_all" },
  application = function()
    if storage.habits then return end
    local function log(...)
      local t, day = {}, today()
      for _, back in ipairs { ... } do t["d" .. day - back] = true end
      return t
    end
    storage.groups = { { id = 1, name = "Morning" }, { id = 2, name = "Evening" } }
    storage.habits = {
      { id = 11, name = "Meditate", question = "Did you sit still?", kind = 1, group = 1, reminder = true, hour = 7, log = log(0, 1, 2, 3, 6, 7), notes = {} },
      { id = 12, name = "Water", question = "How many glasses?", kind = 2, target = 8, unit = "glasses", group = 0, reminder = false, hour = 9,
        log = { ["d" .. today() - 1] = 9, ["d" .. today()] = 3 }, notes = {} },
      { id = 13, name = "Floss", question = "", kind = 1, group = 2, reminder = false, hour = 21, log = log(1, 2, 5), notes = {} },
      { id = 14, name = "Call home", question = "", kind = 1, group = 2, reminder = true, hour = 19, log = log(4), notes = { { id = 20, text = "On Mondays she is out" } } },
    }
    storage.next_id = 30
    prefs.sort, prefs.monday, prefs.skips, prefs.streaks, prefs.hide_done = 1, true, true, true, false
  end,
}

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function habit_of(id) return (find(storage.habits, function(h) return h.id == id end)) end
local function group_of(id) return (find(storage.groups, function(g) return g.id == id end)) end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function value(h, day) return h.log["d" .. day] end

local function number(x)
  local s = format("%.1f", x)
  return (s:gsub("%.0$", ""))
end

local function done(h, day)
  local v = value(h, day)
  if h.kind == 1 then return v == true end
  return type(v) == "number" and v >= h.target
end

local function mark(h, day)
  local v = value(h, day)
  if v == "skip" then return "»" end
  if h.kind == 1 then return v and "✓" or "·" end
  return v and number(v) or "0"
end

-- Skipped days neither count nor break a streak.
local function streak_before(h, day)
  local n = 0
  for d = day, day - 400, -1 do
    if done(h, d) then n = n + 1 elseif value(h, d) ~= "skip" then break end
  end
  return n
end

local function streak(h)
  local day = today()
  if done(h, day) then return streak_before(h, day) end
  return streak_before(h, day - 1)
end

local function best_streak(h)
  local best, run = 0, 0
  for d = today() - 400, today() do
    if done(h, d) then run = run + 1 elseif value(h, d) ~= "skip" then run = 0 end
    best = math.max(best, run)
  end
  if bug("best_stays") then          -- the record is only ever raised, also when the day is unticked again (Loop Habit Tracker: best streaks)
    best = math.max(best, h.best or 0)
    h.best = best
  end
  return best
end

local function total(h)
  local n = 0
  for d = today() - 400, today() do
    if done(h, d) then n = n + 1 end
    if bug("skip_counts") and value(h, d) == "skip" then n = n + 1 end      -- skipped days counted as done (Loop Habit Tracker: skip and totals)
  end
  return n
end

local function week_start(day)
  local weekday = (day + 4) % 7                  -- 0: Sunday
  return prefs.monday and day - (weekday + 6) % 7 or day - weekday
end

local function enter(self, h, day)
  if h.kind == 1 then
    h.log["d" .. day] = not value(h, day) or nil
    return
  end
  local old = value(h, day)
  self:dialog { title = h.question ~= "" and h.question or h.name,
    view = function()
      return column { field { id = "amount", hint = h.unit ~= "" and h.unit or "How much", text = type(old) == "number" and number(old) or "", input = "decimal", max = 5 } }
    end,
    cancel = "Cancel", ok = "OK", on_ok = function()
      local x = tonumber(self:text("amount"))
      h.log["d" .. day] = x and x > 0 and x or nil
    end }
end

local function active() return filter(storage.habits, function(h) return not h.archived end) end

local function ask_delete(self, h, target)
  self:dialog { title = "Delete " .. h.name .. "?", message = "With all its days", cancel = "Cancel", ok = "Delete", on_ok = function()
    local at = index_of(storage.habits, target)
    table.remove(storage.habits, at)
    self:snackbar(h.name .. " deleted", "Undo", function()
      if bug("undo_at_end") then at = #storage.habits + 1 end         -- undo does not put it back in its place (Tasks: order after undo)
      table.insert(storage.habits, math.min(at, #storage.habits + 1), target)
    end)
  end }
end

-- ---- the list ----

activity "Main" {
  create = function(self, intent, saved) self.group = saved and saved.group end,
  save = function(self, out) out.group = self.group end,
  resume = function(self) if self.group and not group_of(self.group) then self.group = nil end end,
  in_order = function(self)
    return filter(active(), function(h)
      return (not self.group or h.group == self.group) and not (prefs.hide_done and done(h, today()))
    end)
  end,
  shown = function(self)
    local rows = self:in_order()
    if prefs.sort == 2 then table.sort(rows, function(a, b) return a.name:lower() < b.name:lower() end) end
    if prefs.sort == 3 then table.sort(rows, function(a, b) return streak(a) > streak(b) end) end
    return rows
  end,
  move = function(self, h, by)
    local i = index_of(storage.habits, h)
    local other = i + by
    while storage.habits[other] and storage.habits[other].archived do other = other + by end
    if not storage.habits[other] then return toast("It is there already") end
    storage.habits[i], storage.habits[other] = storage.habits[other], storage.habits[i]
  end,
  archive = function(self, h)
    h.archived = true
    self:snackbar(h.name .. " archived", "Undo", function() h.archived = nil end)
  end,
  context = function(self, i, h)
    local target = bug("sorted_delete") and self:in_order()[i] or h      -- the place on the screen taken as the place in the store (Amaze, AntennaPod)
    local free = prefs.sort == 1 and not self.group and not prefs.hide_done
    self:popup {
      { "Edit", id = "edit", on_click = function() self:start("Edit", { id = h.id }) end },
      { "Move up", id = "up", enabled = free, on_click = function() self:move(h, -1) end },
      { "Move down", id = "down", enabled = free, on_click = function() self:move(h, 1) end },
      { "Archive", id = "archive", on_click = function() self:archive(h) end },
      { "Delete", id = "delete", on_click = function() ask_delete(self, h, target) end },
    }
  end,
  ask_group = function(self)
    local names = each(storage.groups, function(g) return g.name end)
    table.insert(names, 1, "All groups")
    self:dialog { title = "Show", items = names, on_item = function(i) self.group = i > 1 and storage.groups[i - 1].id or nil end }
  end,
  menu = function(self)
    return {
      { "Sort", id = "sort", on_click = function()
        self:dialog { title = "Sort by", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
      end },
      { "Hide what is done", id = "hide_done", checked = prefs.hide_done, on_click = function() prefs.hide_done = not prefs.hide_done end },
      { "Groups", id = "groups", on_click = function() self:start("Groups") end },
      { "Archive", id = "open_archive", on_click = function() self:start("Archive") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local all = active()
    local finished = #filter(all, function(h) return done(h, today()) end)
    return column {
      toolbar { "Every Day", subtitle = finished .. " of " .. #all .. " done today",
        actions = { { "Filter", id = "filter", on_click = function() self:ask_group() end } } },
      self.group and text { "Group: " .. group_of(self.group).name, id = "chip" },
      list { id = "habits", items = self:shown(), empty = text { "Nothing to do", id = "empty" },
        row = function(h)
          return row { id = "habit_row",
            column { weight = 1, text { h.name, id = "name" },
              prefs.streaks and text { plural(streak(h), "day") .. " in a row", id = "streak", size = "small" } },
            button { mark(h, today()), id = "tick", on_click = function() enter(self, h, today()) end } }
        end,
        on_item_click = function(_, h) self:start("Habit", { id = h.id }) end,
        on_item_long_click = function(i, h) self:context(i, h) end },
      fab { id = "add", desc = "New habit", on_click = function() self:start("Edit", { group = self.group }) end },
    }
  end,
}

-- ---- one habit ----

activity "Habit" {
  create = function(self, intent, saved)
    self.back_weeks = saved and saved.back_weeks or 0
    if bug("week_rotate") and saved then self.page = week_start(today()) end    -- title and page disagree after rotation (Simple Calendar: week view)
  end,
  save = function(self, out) out.back_weeks = self.back_weeks end,
  turn = function(self, by)
    self.back_weeks = math.max(0, self.back_weeks + by)
    self.page = nil
  end,
  long = function(self, h, day)
    if not prefs.skips then return toast("Skipping is switched off") end
    if value(h, day) == "skip" then h.log["d" .. day] = nil else h.log["d" .. day] = "skip" end
  end,
  view = function(self)
    local h = habit_of(self.intent.id)
    if not h then return column { toolbar { "Habit", up = true }, text { "This habit was deleted", id = "gone" } } end
    local shown_from = week_start(today()) - 7 * self.back_weeks
    local first = self.page or shown_from
    if bug("week_begins") then first = first + 6 - (first + 9) % 7 end      -- one page ignores the first day of the week (Simple Calendar, Loop)
    local days = {}
    for i = 0, 6 do
      local day = first + i
      days[#days + 1] = row { id = "day_row", text { WEEKDAYS[(day + 4) % 7 + 1] .. " " .. date(day * DAY, "%d %b"), id = "day", weight = 1 },
        button { mark(h, day), id = "mark", enabled = day <= today(), on_click = function() enter(self, h, day) end,
          on_long_click = function() self:long(h, day) end } }
    end
    return column {
      toolbar { h.name, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = h.id }) end },
        { "Notes", id = "notes", on_click = function() self:start("Notes", { id = h.id }) end } } },
      scroll {
        h.question ~= "" and text { h.question, id = "question" },
        h.kind == 2 and text { "Target: " .. number(h.target) .. " " .. h.unit, id = "target" },
        text { h.reminder and format("Reminder at %02d:00", h.hour) or "No reminder", id = "reminder", size = "small" },
        text { "Streak: " .. plural(streak(h), "day"), id = "streak" },
        text { "Best: " .. plural(best_streak(h), "day"), id = "best" },
        text { "Total: " .. plural(total(h), "day"), id = "total" },
        row { button { "<", id = "previous_week", desc = "Week before", on_click = function() self:turn(1) end },
          text { "Week of " .. date(shown_from * DAY, "%d %b"), id = "week" },
          button { ">", id = "next_week", desc = "Week after", enabled = self.back_weeks > 0, on_click = function() self:turn(-1) end } },
        days,
      },
    }
  end,
}

activity "Notes" {
  ask = function(self, h, note)
    self:dialog { title = note and "Note" or "New note",
      view = function() return column { field { id = "note_text", hint = "Note", text = note and note.text or "", max = 60 } } end,
      cancel = "Cancel", ok = "Save", on_ok = function()
        local s = trim(self:text("note_text"))
        if s == "" then return true end
        if note then note.text = s else table.insert(h.notes, { id = new_id(), text = s }) end
      end }
  end,
  view = function(self)
    local h = habit_of(self.intent.id)
    if not h then return column { toolbar { "Notes", up = true }, text { "This habit was deleted", id = "gone" } } end
    return column {
      toolbar { "Notes", subtitle = h.name, up = true, actions = { { "Add", id = "add_note", on_click = function() self:ask(h) end } } },
      list { id = "notes", items = h.notes, empty = text { "No notes", id = "empty" },
        row = function(note) return text { note.text, id = "note_row" } end,
        on_item_click = function(_, note) self:ask(h, note) end,
        on_item_swipe = function(i)
          local note = table.remove(h.notes, i)
          self:snackbar("Note deleted", "Undo", function() table.insert(h.notes, math.min(i, #h.notes + 1), note) end)
        end },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local h = intent.id and habit_of(intent.id) or { kind = 1, group = intent.group or 0, reminder = false, hour = 8 }
    local s = saved or h
    self.kind, self.group, self.reminder, self.hour = s.kind, s.group, s.reminder, s.hour
  end,
  save = function(self, out) out.kind, out.group, out.reminder, out.hour = self.kind, self.group, self.reminder, self.hour end,
  store = function(self)
    local name, target = trim(self:text("name")), tonumber(self:text("target"))
    if name == "" then return toast("Give it a name") end
    if self.kind == 2 and (not target or target <= 0) then return toast("How much is enough?") end
    local h = self.intent.id and habit_of(self.intent.id)
    if not h then
      h = { id = new_id(), log = {}, notes = {}, kind = self.kind }
      table.insert(storage.habits, h)
    end
    h.name, h.question, h.group, h.hour = name, trim(self:text("question")), self.group, self.hour
    if h.kind == 2 then h.target, h.unit = target, trim(self:text("unit")) end
    h.reminder = self.reminder
    if bug("reminder_on") and self.intent.id then h.reminder = h.reminder or self.was_on end    -- what is on cannot be switched off (Loop: remove a reminder)
    self:finish()
  end,
  resume = function(self)
    local h = self.intent.id and habit_of(self.intent.id)
    self.was_on = h and h.reminder
  end,
  view = function(self)
    local h = self.intent.id and habit_of(self.intent.id) or { name = "", question = "" }
    local names = each(storage.groups, function(g) return g.name end)
    table.insert(names, 1, "No group")
    local _, chosen = find(storage.groups, function(g) return g.id == self.group end)
    local hours = {}
    for i = 0, 23 do hours[i + 1] = format("%02d:00", i) end
    return column {
      toolbar { self.intent.id and "Edit habit" or "New habit", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = h.name, max = 20 },
        field { id = "question", hint = "Question", text = h.question, max = 40 },
        not self.intent.id and radios { id = "kind", items = { "Yes or no", "Measured" }, selected = self.kind, on_change = function(i) self.kind = i end },
        self.kind == 2 and field { id = "target", hint = "Target", text = h.target and number(h.target) or "", input = "decimal", max = 5 },
        self.kind == 2 and field { id = "unit", hint = "Unit", text = h.unit or "", max = 10 },
        spinner { id = "group", items = names, selected = (chosen or 0) + 1,
          on_change = function(i) self.group = i > 1 and storage.groups[i - 1].id or 0 end },
        switch { "Remind me", id = "reminder", checked = self.reminder, on_change = function(b) self.reminder = b end },
        self.reminder and spinner { id = "hour", items = hours, selected = self.hour + 1, on_change = function(i) self.hour = i - 1 end },
      },
    }
  end,
}

-- ---- the rest ----

activity "Archive" {
  view = function(self)
    return column {
      toolbar { "Archive", up = true },
      list { id = "archived", items = filter(storage.habits, function(h) return h.archived end), empty = text { "Nothing archived", id = "empty" },
        row = function(h)
          return row { id = "archived_row", text { h.name, id = "name", weight = 1 },
            button { "Restore", id = "restore", on_click = function() h.archived = nil end } }
        end,
        on_item_click = function(_, h) self:start("Habit", { id = h.id }) end,
        on_item_long_click = function(_, h) ask_delete(self, h, h) end },
    }
  end,
}

activity "Groups" {
  ask_name = function(self, group)
    self:dialog { title = group and "Rename" or "New group",
      view = function() return column { field { id = "group_name", hint = "Name", text = group and group.name or "", max = 20 } } end,
      cancel = "Cancel", ok = "OK", on_ok = function()
        local name = trim(self:text("group_name"))
        local same = find(storage.groups, function(g) return g.name:lower() == name:lower() end)
        if name == "" or same and same ~= group then return true end
        if group then group.name = name else table.insert(storage.groups, { id = new_id(), name = name }) end
      end }
  end,
  ask_remove = function(self, group)
    self:dialog { title = "Delete the group " .. group.name .. "?", message = "Its habits stay, without a group", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        table.remove(storage.groups, index_of(storage.groups, group))
        if bug("group_takes_all") then             -- deleting a container deletes what is in it (AntennaPod, Tasks: lists)
          storage.habits = filter(storage.habits, function(h) return h.group ~= group.id end)
        end
        for _, h in ipairs(storage.habits) do
          if h.group == group.id then h.group = 0 end
        end
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Groups", up = true, actions = { { "Add", id = "add_group", on_click = function() self:ask_name() end } } },
      list { id = "groups", items = storage.groups, empty = text { "No groups", id = "empty" },
        row = function(g)
          local n = #filter(active(), function(h) return h.group == g.id end)
          return row { id = "group_row", text { g.name, id = "name", weight = 1 }, text { plural(n, "habit"), id = "count" } }
        end,
        on_item_click = function(_, g) self:ask_name(g) end,
        on_item_long_click = function(_, g) self:ask_remove(g) end },
    }
  end,
}

activity "Statistics" {
  create = function(self, intent, saved) self.days = saved and saved.days or 1 end,
  save = function(self, out) out.days = self.days end,
  view = function(self)
    local span = ({ 7, 30 })[self.days]
    local rows = each(active(), function(h)
      local n = 0
      for d = today() - span + 1, today() do n = n + (done(h, d) and 1 or 0) end
      return { name = h.name, n = n }
    end)
    return column {
      toolbar { "Statistics", up = true },
      tabs { id = "span", titles = { "7 days", "30 days" }, selected = self.days, on_change = function(i) self.days = i end },
      list { id = "figures", items = rows, empty = text { "No habits", id = "empty" },
        row = function(r)
          return row { id = "figure_row", text { r.name, id = "name", weight = 1 }, text { r.n .. " of " .. span, id = "figure" } }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text "The week begins on",
        radios { id = "first_day", items = { "Monday", "Sunday" }, selected = prefs.monday and 1 or 2, on_change = function(i) prefs.monday = i == 1 end },
        switch { "Days can be skipped", id = "skips", checked = prefs.skips, on_change = function(b) prefs.skips = b end },
        switch { "Show streaks in the list", id = "streaks", checked = prefs.streaks, on_change = function(b) prefs.streaks = b end },
        button { "About", id = "about", on_click = function() self:start("About") end },
      },
    }
  end,
}

activity "About" {
  view = function(self) return column { toolbar { "About", up = true }, text { "Every Day 1.4", id = "version" } } end,
}
