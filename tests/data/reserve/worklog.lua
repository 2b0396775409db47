-- Worklog: a time tracker. Projects, a timer, entries by the day, weeks, reports, an export.
--
-- A project: { id, name, client, rate (cents an hour), archived }. An entry: { id, project, start (ms, full minutes), minutes,
-- note, billable }. The running timer, if there is one: { project, name, start, note }.

app {
  package = "org.norn.worklog",
  title = "Worklog",
  main = "Day",
  bugs = { "billable_total", "switch_discards", "week_last_day", "renamed_while_running", "note_lost", "stale_results", "archived_reassigned",
    "decimal_total" },
  application = function()
    if storage.projects then return end
    storage.next_id = 100
    storage.projects = {
      { id = 1, name = "Acme website", client = "Acme", rate = 6000, archived = false },
      { id = 2, name = "Bookkeeping", client = "", rate = 0, archived = false },
      { id = 3, name = "Mobile app", client = "Globex", rate = 7550, archived = false },
      { id = 4, name = "Old newsletter", client = "Acme", rate = 4000, archived = true },
    }
    storage.entries = {}
    local today = now() // 86400000
    local function entry(days_ago, hour, minute, minutes, project, note, billable)
      storage.next_id = storage.next_id + 1
      table.insert(storage.entries, { id = storage.next_id, project = project, start = ((today - days_ago) * 1440 + hour * 60 + minute) * 60000,
        minutes = minutes, note = note, billable = billable })
    end
    entry(0, 6, 30, 75, 1, "Header and menu", true)
    entry(0, 7, 45, 10, 2, "Receipts", false)
    entry(1, 9, 0, 150, 3, "Login screen", true)
    entry(1, 13, 15, 45, 1, "Call with Ann", false)
    entry(2, 10, 0, 95, 1, "Contact form", true)
    entry(3, 8, 20, 130, 3, "Sketches", true)
    entry(4, 16, 0, 50, 4, "Last issue", true)
    entry(5, 11, 0, 80, 3, "Weekend release", true)
    entry(8, 9, 30, 120, 1, "Kick-off", true)
    entry(9, 14, 0, 35, 2, "Tax letter", false)
    entry(30, 10, 0, 240, 4, "Layout", true)
    prefs.decimal, prefs.monday, prefs.rounding, prefs.currency, prefs.billable = false, true, 1, 1, true
  end,
}

local CURRENCIES = { "$", "€", "£" }
local ROUNDINGS = { 1, 5, 15 }
local MAX = 300
local current_note = ""   -- of the running timer

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function project_of(id) return by_id(storage.projects, id) end
local function entry_of(id) return by_id(storage.entries, id) end
local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end
local function active_projects()
  local result = filter(storage.projects, function(p) return not p.archived end)
  table.sort(result, function(a, b) return a.name:lower() < b.name:lower() end)
  return result
end

local function duration(minutes)
  if prefs.decimal then return format("%.2f h", minutes / 60) end
  return format("%d:%02d h", minutes // 60, minutes % 60)
end
local function money(cents) return format("%s%d.%02d", CURRENCIES[prefs.currency], cents // 100, cents % 100) end
local function counted(n) return n == 1 and "1 entry" or n .. " entries" end

-- Days are counted from the first of January 1970, a Thursday.
local function today() return now() // 86400000 end
local function day_of(entry) return entry.start // 86400000 end
local function day_name(day) return date(day * 86400000, "%a %d %b") end
local function clock(ms) return date(ms, "%H:%M") end
local function week_of(day) return prefs.monday and day - (day + 3) % 7 or day - (day + 4) % 7 end
-- The first day of the month that lies so many months after this one.
local function month_begin(offset)
  local month = tonumber(date(now(), "%Y")) * 12 + tonumber(date(now(), "%m")) - 1 + offset
  local day = today() + offset * 30
  local function of(d) return tonumber(date(d * 86400000, "%Y")) * 12 + tonumber(date(d * 86400000, "%m")) - 1 end
  while of(day) >= month do day = day - 1 end
  while of(day) < month do day = day + 1 end
  return day
end

local function entries_between(first, last)
  local result = filter(storage.entries, function(e) return day_of(e) >= first and day_of(e) <= last end)
  table.sort(result, function(a, b) return a.start < b.start or a.start == b.start and a.id < b.id end)
  return result
end
local function sum(entries)
  local minutes = 0
  for _, e in ipairs(entries) do minutes = minutes + e.minutes end
  return minutes
end
local function entries_of(project) return filter(storage.entries, function(e) return e.project == project.id end) end
local function newest_first(entries)
  local result = copy(entries)
  table.sort(result, function(a, b) return a.start > b.start or a.start == b.start and a.id > b.id end)
  return result
end

local function add_entry(entry)
  if #storage.entries >= MAX then toast("Too many entries") return end
  entry.id = new_id()
  table.insert(storage.entries, entry)
end

-- The timer.
local function timer_note() return bug("note_lost") and current_note or storage.running.note end
local function set_note(note)
  current_note = note
  if not bug("note_lost") then storage.running.note = note end
end
local function stop_timer()
  local running = storage.running
  local minutes = math.max(1, math.min(1440, (now() - running.start) // 60000))     -- no entry is shorter than a minute
  add_entry { project = running.project, start = running.start, minutes = minutes, note = timer_note(), billable = prefs.billable }
  storage.running = nil
end
local function start_timer(project, note)
  if storage.running and not bug("switch_discards") then stop_timer() end
  storage.running = { project = project.id, name = project.name, start = now() // 60000 * 60000, note = "" }
  set_note(note or "")
end

local function entry_row(entry, with_day)
  local project = project_of(entry.project)
  local line = clock(entry.start) .. " – " .. clock(entry.start + entry.minutes * 60000) .. " · " .. duration(entry.minutes)
  return column { id = "entry_row",
    row { text { project.name, id = "project", weight = 1 }, entry.billable and text { CURRENCIES[prefs.currency], id = "billable", desc = "Billable" } },
    text { (with_day and day_name(day_of(entry)) .. " " or "") .. line, id = "time", size = "small" },
    entry.note ~= "" and text { entry.note, id = "note", size = "small" } }
end

-- One day; the main page shows today. -------------------------------------------------------------------------

activity "Day" {
  create = function(self, intent, saved) self.day = saved and saved.day or intent.day or today() end,
  save = function(self, out) out.day = self.day end,

  delete = function(self, entry)
    forget(storage.entries, entry)
    self:snackbar("Entry deleted", "Undo", function()
      if project_of(entry.project) then table.insert(storage.entries, entry) end
    end)
  end,
  continue = function(self, entry)
    local project = project_of(entry.project)
    if project.archived then return toast("This project is archived") end
    start_timer(project, entry.note)
  end,
  duplicate = function(self, entry)
    add_entry { project = entry.project, start = entry.start + (today() - day_of(entry)) * 86400000, minutes = entry.minutes, note = entry.note, billable = entry.billable }
    self.day = today()
  end,
  ask = function(self, entry)
    self:popup {
      { "Continue", id = "continue", on_click = function() self:continue(entry) end },
      { "Copy to today", id = "duplicate", on_click = function() self:duplicate(entry) end },
      { "Delete", id = "delete", on_click = function() self:delete(entry) end },
    }
  end,
  ask_note = function(self)
    self:dialog { title = "What are you doing?", view = function() return column { field { id = "note", hint = "Note", text = timer_note(), max = 60 } } end,
      cancel = "Cancel", ok = "OK", on_ok = function() if storage.running then set_note(trim(self:text("note"))) end end }
  end,

  menu = function(self)
    return {
      { "Add entry", id = "add_entry", on_click = function() self:start("EditEntry", { day = self.day }) end },
      { "Week", id = "week", on_click = function() self:start("Week", { day = self.day }) end },
      { "Projects", id = "projects", on_click = function() self:start("Projects") end },
      { "Export", id = "export", on_click = function() self:start("Export") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  timer = function(self)
    local running = storage.running
    if not running then return false end
    local note = timer_note()
    return card { id = "timer",
      text { bug("renamed_while_running") and running.name or project_of(running.project).name, id = "running_project", size = "large" },
      text { "Since " .. clock(running.start) .. " · " .. duration((now() - running.start) // 60000), id = "running_time" },
      row { button { note ~= "" and note or "Add a note", id = "running_note", weight = 1, on_click = function() self:ask_note() end },
        button { "Stop", id = "stop", on_click = stop_timer } },
    }
  end,

  view = function(self)
    local entries = entries_between(self.day, self.day)
    return column {
      toolbar { "Worklog", up = self.intent.day ~= nil, actions = {
        { "Search", id = "search", on_click = function() self:start("Search") end },
        { "Reports", id = "reports", on_click = function() self:start("Reports") end } } },
      row { button { "◀", id = "previous", desc = "Previous day", on_click = function() self.day = self.day - 1 end },
        text { day_name(self.day) .. (self.day == today() and " (today)" or ""), id = "date", weight = 1, on_click = function() self.day = today() end },
        button { "▶", id = "next", desc = "Next day", on_click = function() self.day = self.day + 1 end } },
      text { "Total " .. duration(sum(entries)), id = "total" },
      self:timer(),
      list { id = "entries", items = entries, row = function(e) return entry_row(e) end, empty = text { "Nothing on this day", id = "empty" },
        on_item_click = function(_, e) self:start("EditEntry", { id = e.id }) end,
        on_item_long_click = function(_, e) self:ask(e) end,
        on_item_swipe = function(i, direction) if direction == "left" then self:delete(entries[i]) end end },
      fab { id = "start", desc = "Start timer", on_click = function() self:start("Start") end },
    }
  end,
}

activity "Start" {
  view = function(self)
    return column {
      toolbar { "Start timer", up = true },
      list { id = "projects", items = active_projects(), empty = text { "No projects yet", id = "empty" },
        row = function(p)
          return column { id = "project_row", text { p.name, id = "name" }, p.client ~= "" and text { p.client, id = "client", size = "small" } }
        end,
        on_item_click = function(_, p)
          start_timer(p)
          self:finish()
        end },
      fab { id = "add", desc = "New project", on_click = function() self:start("EditProject") end },
    }
  end,
}

activity "EditEntry" {
  create = function(self, intent, saved)
    local e = entry_of(intent.id)
    local start = e and e.start or (intent.day or today()) * 86400000 + 9 * 3600000
    self.first = { start = clock(start), minutes = tostring(e and e.minutes or 60), note = e and e.note or "" }
    self.day, self.billable = start // 86400000, prefs.billable
    if e then self.billable = e.billable end
    local offered = self:offered()
    local choice = by_id(offered, e and e.project or intent.project) or offered[1]
    self.project = choice and choice.id
    if saved then self.day, self.billable, self.project = saved.day, saved.billable, saved.project end
  end,
  save = function(self, out) out.day, out.billable, out.project = self.day, self.billable, self.project end,
  resume = function(self) if self.intent.id and not entry_of(self.intent.id) then self:finish() end end,

  -- The projects to choose from: those in use and, for an old entry, its own.
  offered = function(self)
    local result = active_projects()
    local entry = entry_of(self.intent.id)
    local own = entry and project_of(entry.project)
    if own and own.archived and not bug("archived_reassigned") then table.insert(result, own) end
    return result
  end,
  choose_project = function(self)
    local offered = self:offered()
    local _, at = find(offered, function(p) return p.id == self.project end)
    self:dialog { title = "Project", items = each(offered, function(p) return p.name end), checked = at, cancel = "Cancel",
      on_item = function(i) self.project = offered[i].id end }
  end,

  store = function(self)
    local hour, minute = trim(self:text("start")):match("^(%d%d?):(%d%d)$")
    hour, minute = tonumber(hour), tonumber(minute)
    if not hour or hour > 23 or minute > 59 then return toast("The start is a time such as 9:30") end
    local minutes = tonumber(self:text("minutes"))
    if not minutes or minutes < 1 or minutes > 1440 then return toast("How many minutes?") end
    if not project_of(self.project) then return toast("Choose a project") end
    local record = { project = self.project, start = (self.day * 1440 + hour * 60 + minute) * 60000, minutes = minutes, note = trim(self:text("note")), billable = self.billable }
    local old = entry_of(self.intent.id)
    if old then
      for key, value in pairs(record) do old[key] = value end
    else
      add_entry(record)
    end
    self:finish()
  end,
  ask_delete = function(self, entry)
    self:dialog { title = "Delete this entry?", cancel = "Cancel", ok = "Delete", on_ok = function() forget(storage.entries, entry) self:finish() end }
  end,

  view = function(self)
    local entry, project = entry_of(self.intent.id), project_of(self.project)
    local actions = { { "Save", id = "save", on_click = function() self:store() end } }
    if entry then table.insert(actions, { "Delete", id = "delete", on_click = function() self:ask_delete(entry) end }) end
    return column {
      toolbar { entry and "Edit entry" or "New entry", up = true, actions = actions },
      scroll { id = "form",
        button { project and project.name or "Choose a project", id = "project", on_click = function() self:choose_project() end },
        row { button { "◀", id = "day_before", desc = "Day before", on_click = function() self.day = self.day - 1 end },
          text { day_name(self.day), id = "date", weight = 1 },
          button { "▶", id = "day_after", desc = "Day after", on_click = function() self.day = self.day + 1 end } },
        field { id = "start", hint = "Start", text = self.first.start, max = 5 },
        field { id = "minutes", hint = "Minutes", text = self.first.minutes, input = "number", max = 4 },
        field { id = "note", hint = "Note", text = self.first.note, max = 60 },
        check { "Billable", id = "billable", checked = self.billable, on_change = function(b) self.billable = b end },
      },
    }
  end,
}

activity "Week" {
  create = function(self, intent, saved) self.day = saved and saved.day or intent.day or today() end,
  save = function(self, out) out.day = self.day end,
  view = function(self)
    local first = week_of(self.day)
    local days = {}
    for i = 1, 7 do days[i] = first + i - 1 end
    return column {
      toolbar { "Week", up = true },
      row { button { "◀", id = "previous", desc = "Previous week", on_click = function() self.day = self.day - 7 end },
        text { day_name(first) .. " – " .. day_name(first + 6), id = "week", weight = 1 },
        button { "▶", id = "next", desc = "Next week", on_click = function() self.day = self.day + 7 end } },
      text { "Total " .. duration(sum(entries_between(first, first + 6))), id = "total" },
      list { id = "days", items = days,
        row = function(day)
          return row { id = "day_row", text { day_name(day), id = "day", weight = 1 }, text { duration(sum(entries_between(day, day))), id = "time" } }
        end,
        on_item_click = function(_, day) self:start("Day", { day = day }) end },
    }
  end,
}

-- Projects ---------------------------------------------------------------------------------------------------

activity "Projects" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,

  ask = function(self, project)
    local function unless_running(fn)
      return function()
        if storage.running and storage.running.project == project.id then return toast("Stop the timer first") end
        fn()
      end
    end
    self:popup {
      { "Edit", id = "edit", on_click = function() self:start("EditProject", { id = project.id }) end },
      { project.archived and "Restore" or "Archive", id = "archive", on_click = unless_running(function() project.archived = not project.archived end) },
      { "Delete", id = "delete", on_click = unless_running(function()
        self:dialog { title = "Delete " .. project.name .. "?", message = counted(#entries_of(project)) .. " will be deleted, too.", cancel = "Cancel", ok = "Delete",
          on_ok = function()
            forget(storage.projects, project)
            storage.entries = filter(storage.entries, function(e) return e.project ~= project.id end)
          end }
      end) },
    }
  end,

  view = function(self)
    local shown = self.tab == 1 and active_projects() or filter(storage.projects, function(p) return p.archived end)
    return column {
      toolbar { "Projects", up = true },
      tabs { id = "tabs", titles = { "Active", "Archived" }, selected = self.tab, on_change = function(i) self.tab = i end },
      list { id = "projects", items = shown, empty = text { self.tab == 1 and "No projects yet" or "Nothing archived", id = "empty" },
        row = function(p)
          return column { id = "project_row", text { p.name, id = "name" },
            text { (p.client ~= "" and p.client .. " · " or "") .. duration(sum(entries_of(p))), id = "details", size = "small" } }
        end,
        on_item_click = function(_, p) self:start("Project", { id = p.id }) end,
        on_item_long_click = function(_, p) self:ask(p) end },
      fab { id = "add", desc = "New project", on_click = function() self:start("EditProject") end },
    }
  end,
}

local function earned(minutes, project) return math.floor(minutes * project.rate / 60 + 0.5) end

activity "Project" {
  resume = function(self) if not project_of(self.intent.id) then self:finish() end end,
  view = function(self)
    local project = project_of(self.intent.id)
    if not project then return column { toolbar { "Project", up = true } } end
    local entries = entries_of(project)
    local first = week_of(today())
    local week = filter(entries, function(e) return day_of(e) >= first and day_of(e) < first + 7 end)
    local billable = filter(entries, function(e) return e.billable end)
    local actions = { { "Edit", id = "edit", on_click = function() self:start("EditProject", { id = project.id }) end } }
    if not project.archived then
      table.insert(actions, { "Add entry", id = "add_entry", on_click = function() self:start("EditEntry", { project = project.id }) end })
    end
    return column {
      toolbar { "Project", up = true, actions = actions },
      text { project.name .. (project.archived and " (archived)" or ""), id = "name", size = "large" },
      text { (project.client ~= "" and project.client .. " · " or "") .. (project.rate > 0 and money(project.rate) .. " an hour" or "No rate"), id = "details", size = "small" },
      text { "Total " .. duration(sum(entries)) .. ", this week " .. duration(sum(week)), id = "total" },
      text { "Earned " .. money(earned(sum(billable), project)), id = "earned" },
      list { id = "entries", items = newest_first(entries), row = function(e) return entry_row(e, true) end, empty = text { "No entries", id = "empty" },
        on_item_click = function(_, e) self:start("EditEntry", { id = e.id }) end },
    }
  end,
}

activity "EditProject" {
  create = function(self, intent)
    local p = project_of(intent.id)
    self.first = { name = p and p.name or "", client = p and p.client or "", rate = p and p.rate > 0 and format("%.2f", p.rate / 100) or "" }
  end,
  store = function(self)
    local name = trim(self:text("name"))
    local old = project_of(self.intent.id)
    if name == "" then return toast("A project needs a name") end
    if find(storage.projects, function(p) return p ~= old and p.name:lower() == name:lower() end) then return toast("There is a project of this name") end
    local rate = trim(self:text("rate"))
    if rate ~= "" and not tonumber(rate) then return toast("The rate is a number") end
    if not old then
      if #storage.projects >= 40 then return toast("Too many projects") end
      old = { id = new_id(), archived = false }
      table.insert(storage.projects, old)
    end
    old.name, old.client, old.rate = name, trim(self:text("client")), math.floor((tonumber(rate) or 0) * 100 + 0.5)
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { self.intent.id and "Edit project" or "New project", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { id = "form",
        field { id = "name", hint = "Name", text = self.first.name, max = 30 },
        field { id = "client", hint = "Client", text = self.first.client, max = 30 },
        field { id = "rate", hint = "Hourly rate", text = self.first.rate, input = "decimal", max = 7 },
      },
    }
  end,
}

-- Reports, search, export, settings --------------------------------------------------------------------------

-- What counts in a report: every entry rounded up as the settings say.
local function rounded(entry)
  local step = ROUNDINGS[prefs.rounding]
  return (entry.minutes + step - 1) // step * step
end

activity "Reports" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.period, self.offset, self.billable = saved.period or 1, saved.offset or 0, saved.billable or false
  end,
  save = function(self, out) out.period, out.offset, out.billable = self.period, self.offset, self.billable end,

  range = function(self)
    if self.period == 1 then
      local first = week_of(today()) + 7 * self.offset
      return first, first + (bug("week_last_day") and 5 or 6)
    elseif self.period == 2 then
      return month_begin(self.offset), month_begin(self.offset + 1) - 1
    end
    return 0, 1000000
  end,
  range_name = function(self)
    local first = self:range()
    if self.period == 1 then return day_name(first) .. " – " .. day_name(first + 6) end
    return self.period == 2 and date(first * 86400000, "%b %Y") or "All time"
  end,

  rows = function(self)
    local rows, total, amount = {}, 0, 0
    for _, e in ipairs(entries_between(self:range())) do
      local counts = e.billable or not self.billable
      if counts then
        local row = find(rows, function(r) return r.project.id == e.project end)
        if not row then
          row = { project = project_of(e.project), minutes = 0, billable = 0 }
          table.insert(rows, row)
        end
        row.minutes = row.minutes + rounded(e)
        if e.billable then row.billable = row.billable + rounded(e) end
      end
      if counts or bug("billable_total") then total = total + rounded(e) end
    end
    for _, r in ipairs(rows) do
      r.amount = earned(r.billable, r.project)
      amount = amount + r.amount
    end
    table.sort(rows, function(a, b) return a.minutes > b.minutes or a.minutes == b.minutes and a.project.name < b.project.name end)
    return rows, total, amount
  end,

  view = function(self)
    local rows, total, amount = self:rows()
    local sum_line = bug("decimal_total") and format("%d:%02d h", total // 60, total % 60) or duration(total)
    return column {
      toolbar { "Reports", up = true },
      tabs { id = "period", titles = { "Week", "Month", "All" }, selected = self.period, on_change = function(i) self.period, self.offset = i, 0 end },
      row { self.period < 3 and button { "◀", id = "previous", desc = "Earlier", on_click = function() self.offset = self.offset - 1 end },
        text { self:range_name(), id = "range", weight = 1 },
        self.period < 3 and button { "▶", id = "next", desc = "Later", on_click = function() self.offset = self.offset + 1 end } },
      check { "Billable only", id = "billable_only", checked = self.billable, on_change = function(b) self.billable = b end },
      text { "Total " .. sum_line .. " · " .. money(amount), id = "total" },
      list { id = "rows", items = rows, empty = text { "Nothing in this time", id = "empty" },
        row = function(r)
          return row { id = "report_row", text { r.project.name, id = "project", weight = 1 }, text { duration(r.minutes), id = "time" },
            text { r.amount > 0 and money(r.amount) or "–", id = "amount" } }
        end,
        on_item_click = function(_, r) self:start("Project", { id = r.project.id }) end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved)
    self.query = saved and saved.query or ""
    self:search()
  end,
  save = function(self, out) out.query = self.query end,
  resume = function(self) if not bug("stale_results") then self:search() end end,
  search = function(self)
    local query = trim(self.query):lower()
    self.results = query == "" and {} or newest_first(filter(storage.entries, function(e)
      local project = project_of(e.project)
      return contains((e.note .. "\n" .. project.name .. "\n" .. project.client):lower(), query)
    end))
  end,
  view = function(self)
    local typed = trim(self.query) ~= ""
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Note, project or client", max = 30, on_change = function(s) self.query = s self:search() end },
      typed and text { counted(#self.results) .. ", " .. duration(sum(self.results)), id = "count", size = "small" },
      list { id = "results", items = self.results, row = function(e) return entry_row(e, true) end,
        empty = text { typed and "Nothing found" or "Type to search", id = "empty" },
        on_item_click = function(_, e) self:start("EditEntry", { id = e.id }) end },
    }
  end,
}

activity "Export" {
  view = function(self)
    local function cell(s) return (s:gsub(";", ",")) end
    local lines = { "date;start;minutes;project;note" }
    for _, e in ipairs(entries_between(0, 1000000)) do
      table.insert(lines, table.concat({ date(e.start, "%Y-%m-%d"), clock(e.start), e.minutes, cell(project_of(e.project).name), cell(e.note) }, ";"))
    end
    return column {
      toolbar { "Export", up = true, actions = { { "Copy", id = "copy", on_click = function()
        clipboard.set(table.concat(lines, "\n"))
        toast("Copied")
      end }, { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/csv" } end } } },
      list { id = "lines", items = lines, row = function(line) return text { line, id = "line", size = "small" } end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll { id = "page",
        switch { "Hours as decimal numbers", id = "decimal", checked = prefs.decimal, on_change = function(b) prefs.decimal = b end },
        switch { "The week begins on Monday", id = "monday", checked = prefs.monday, on_change = function(b) prefs.monday = b end },
        switch { "New entries are billable", id = "default_billable", checked = prefs.billable, on_change = function(b) prefs.billable = b end },
        text "Currency",
        spinner { id = "currency", items = CURRENCIES, selected = prefs.currency, on_change = function(i) prefs.currency = i end },
        text "Round times in reports",
        radios { id = "rounding", items = { "Not at all", "Up to 5 minutes", "Up to 15 minutes" }, selected = prefs.rounding, on_change = function(i) prefs.rounding = i end },
        button { "About", id = "about", on_click = function() self:dialog { title = "Worklog 1.7", message = "Where has the time gone?", ok = "OK" } end },
      },
    }
  end,
}
