-- Hours: a time sheet. Clients have projects, projects have entries: a stretch of one day, less its breaks.
--
-- Days are counted from 1970, times in minutes after midnight; an entry may end after midnight and belongs to the day
-- on which it began. An entry: { id, project, day, from, to, rest, billable, note }.

app {
  package = "org.meridian.hours",
  title = "Hours",
  main = "Week",
  bugs = { "decimal_hours", "past_midnight", "edited_last", "copied_entry", "sunday_total", "archived_offered", "timer_project",
    "report_total" },
  application = function()
    if storage.entries then return end
    local today = now() // 86400000
    storage.next_id = 100
    storage.clients = { { id = 1, name = "Bakery Blum", city = "Graz" }, { id = 2, name = "City library", city = "Linz" } }
    storage.projects = {
      { id = 11, name = "Web shop", client = 1, rate = 60, budget = 40 }, { id = 12, name = "Posters", client = 1, rate = 45, budget = 0 },
      { id = 13, name = "Catalogue", client = 2, rate = 52, budget = 20 },
      { id = 14, name = "Old website", client = 2, rate = 40, budget = 0, archived = true },
    }
    storage.entries = {}
    for i, e in ipairs {
      { -9, 14, 540, 600, 0, true, "Last fixes" }, { -8, 11, 600, 750, 15, true, "Payment" }, { -5, 12, 840, 945, 0, true, "Sunday sketches" },
      { -4, 11, 540, 720, 0, true, "Basket" }, { -3, 11, 540, 630, 0, true, "Search box" }, { -3, 13, 660, 780, 30, true, "Import" },
      { -2, 13, 600, 690, 0, false, "Meeting" },
    } do
      table.insert(storage.entries, { id = 20 + i, day = today + e[1], project = e[2], from = e[3], to = e[4], rest = e[5], billable = e[6], note = e[7] })
    end
    prefs.decimal = false
    prefs.quarters = false
    prefs.currency = 1
    prefs.billable = true
  end,
}

local CURRENCIES = { "EUR", "USD", "CHF" }
local DAY_NAMES = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" }
local MAX_ENTRIES, MAX_PROJECTS, MAX_CLIENTS = 200, 20, 12

local running_project   -- of the timer, as long as the app lives

local function next_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function with_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function entry_of(id) return with_id(storage.entries, id) end
local function project_of(id) return with_id(storage.projects, id) end
local function client_of(id) return with_id(storage.clients, id) end
local function project_name(id)
  local project = project_of(id)
  return project and project.name or "No project"
end

-- Days and times --------------------------------------------------------------------------------------

local function today() return now() // 86400000 end
local function monday_of(day) return day - (day + 3) % 7 end
local function day_text(day) return DAY_NAMES[(day + 3) % 7 + 1] .. ", " .. date(day * 86400000, "%d %b") end
local function clock(minutes) return format("%02d:%02d", minutes // 60, minutes % 60) end

local function parse_clock(text)
  local h, m = trim(text):match("^(%d%d?):(%d%d)$")
  h, m = tonumber(h), tonumber(m)
  if not h or h > 23 or m > 59 then return nil end
  return h * 60 + m
end

local function span(minutes)
  if not prefs.decimal then return format("%d:%02d h", minutes // 60, minutes % 60) end
  if bug("decimal_hours") then return format("%d.%02d h", minutes // 60, minutes % 60) end
  return format("%.2f h", minutes / 60)
end

local function worked(entry) return (entry.to - entry.from) % 1440 - entry.rest end

local function sum(entries)
  local total = 0
  for _, e in ipairs(entries) do total = total + worked(e) end
  return total
end

local function money(cents) return format("%d.%02d %s", cents // 100, cents % 100, CURRENCIES[prefs.currency]) end

local function put(entry)
  local _, at = find(storage.entries, function(e) return e.day > entry.day or (e.day == entry.day and e.from > entry.from) end)
  table.insert(storage.entries, at or #storage.entries + 1, entry)
end

local function in_order(entries)
  local result = copy(entries)
  table.sort(result, function(a, b)
    if a.day ~= b.day or bug("edited_last") then return a.day < b.day end
    return a.from < b.from
  end)
  return result
end

-- Projects that may get new entries, and the one that an entry has already.
local function offered(current)
  return filter(storage.projects, function(p) return not p.archived or p.id == current end)
end

local function entries_between(first, last)
  return in_order(filter(storage.entries, function(e) return e.day >= first and e.day <= last end))
end

activity "Week" {
  create = function(self, intent, saved) self.monday = saved and saved.monday or monday_of(today()) end,
  save = function(self, out) out.monday = self.monday end,

  -- Each day with entries has a line of its own above them.
  lines = function(self)
    local lines, day = {}, nil
    for _, e in ipairs(entries_between(self.monday, self.monday + 6)) do
      if e.day ~= day then
        day = e.day
        table.insert(lines, { day = day, total = sum(filter(storage.entries, function(x) return x.day == day end)) })
      end
      table.insert(lines, { entry = e })
    end
    return lines
  end,

  delete = function(self, entry)
    local _, at = find(storage.entries, function(e) return e.id == entry.id end)
    if not at then return end
    table.remove(storage.entries, at)
    self:snackbar("Entry deleted", "Undo", function()
      if project_of(entry.project) then put(entry) end
    end)
  end,

  copy_today = function(self, entry)
    if #storage.entries >= MAX_ENTRIES then return toast("Too many entries") end
    local again = copy(entry)
    again.day = today()
    if not bug("copied_entry") then again.id = next_id() end
    put(again)
    self.monday = monday_of(again.day)
    toast("Copied to today")
  end,

  entry_menu = function(self, entry)
    self:popup {
      { "Copy to today", id = "copy_today", on_click = function() self:copy_today(entry) end },
      { "Billable", id = "toggle_billable", checked = entry.billable, on_click = function() entry.billable = not entry.billable end },
      { "Delete", id = "delete_entry", on_click = function() self:delete(entry) end },
    }
  end,

  row = function(self, line)
    if line.day then
      return row { id = "day_row", text { day_text(line.day), id = "day", weight = 1, size = "large" }, text { span(line.total), id = "day_total" } }
    end
    local e = line.entry
    return row { id = "entry_row",
      column { weight = 1, text { project_name(e.project) .. (e.note ~= "" and ": " .. e.note or ""), id = "what" },
        text { clock(e.from) .. " to " .. clock(e.to) .. (e.rest > 0 and ", break " .. e.rest .. " min" or "") .. (e.billable and "" or ", not billable"),
          id = "when", size = "small" } },
      text { span(worked(e)), id = "length" } }
  end,

  view = function(self)
    local total = sum(entries_between(self.monday, self.monday + (bug("sunday_total") and 5 or 6)))
    return column {
      drawer { id = "pages", header = "Hours", items = each({ "Timer", "Projects", "Clients", "Report", "Settings" }, function(page)
        return { page, id = "open_" .. page:lower(), on_click = function() self:start(page) end }
      end) },
      toolbar { "Week", actions = { { "This week", id = "this_week", on_click = function() self.monday = monday_of(today()) end } } },
      row { button { "‹", id = "previous_week", desc = "Previous week", on_click = function() self.monday = self.monday - 7 end },
        text { date(self.monday * 86400000, "%d %b") .. " to " .. date((self.monday + 6) * 86400000, "%d %b %Y"), id = "week_range", weight = 1 },
        button { "›", id = "next_week", desc = "Next week", on_click = function() self.monday = self.monday + 7 end } },
      text { "Total: " .. span(total), id = "week_total" },
      list { id = "entries", items = self:lines(), empty = text { "Nothing in this week", id = "empty" },
        row = function(line) return self:row(line) end,
        on_item_click = function(_, line)
          if line.entry then self:start("Entry", { id = line.entry.id }) else self:start("Entry", { day = line.day }) end
        end,
        on_item_long_click = function(_, line) if line.entry then self:entry_menu(line.entry) end end },
      fab { id = "add_entry", desc = "New entry", on_click = function()
        self:start("Entry", { day = self.monday == monday_of(today()) and today() or self.monday })
      end },
    }
  end,
}

-- A new entry begins where the last one of that day ended.
activity "Entry" {
  create = function(self, intent, saved)
    local e = intent.id and entry_of(intent.id)
    self.id = e and e.id
    if not e then
      local day, from = intent.day or today(), 540
      for _, other in ipairs(entries_between(day, day)) do
        if other.to > other.from and other.to <= 1380 then from = math.max(from, other.to) end
      end
      local projects = offered(nil)
      e = { day = day, project = projects[1] and projects[1].id, from = from, to = from + 60 < 1440 and from + 60 or 1439, rest = 0, billable = prefs.billable, note = "" }
    end
    self.first = copy(e)
    local source = saved or e
    self.day, self.project, self.billable = source.day, source.project, source.billable
  end,
  save = function(self, out) out.day, out.project, out.billable = self.day, self.project, self.billable end,

  leave = function(self)
    local f = self.first
    local same = self.day == f.day and self.project == f.project and self.billable == f.billable and self:text("note") == f.note
      and self:text("from") == clock(f.from) and self:text("to") == clock(f.to) and self:text("rest") == tostring(f.rest)
    if same then return self:finish() end
    self:dialog { title = "Discard the changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Cancel" }
  end,
  back = function(self) self:leave() return true end,

  store = function(self)
    local from, to, rest = parse_clock(self:text("from")), parse_clock(self:text("to")), tonumber(self:text("rest")) or 0
    local project = project_of(self.project) or offered(nil)[1]
    if not project then return toast("Make a project first") end
    if not from or not to then return toast("Times look like 9:30") end
    if from == to then return toast("That is no time at all") end
    if to < from and bug("past_midnight") then return toast("The end is before the start") end
    rest = math.floor(rest)
    if rest >= (to - from) % 1440 then return toast("The break is too long") end
    local e = self.id and entry_of(self.id)
    local new = { id = e and e.id or next_id(), project = project.id, day = self.day, from = from, to = to, rest = rest, billable = self.billable,
      note = trim(self:text("note")) }
    if not e then
      if #storage.entries >= MAX_ENTRIES then return toast("Too many entries") end
      put(new)
    else
      table.remove(storage.entries, index_of(storage.entries, e))
      if bug("edited_last") then table.insert(storage.entries, new) else put(new) end
    end
    self:finish()
  end,

  view = function(self)
    local projects = bug("archived_offered") and storage.projects or offered(self.first.project)
    local _, at = find(projects, function(p) return p.id == self.project end)
    return column {
      toolbar { self.id and "Edit entry" or "New entry", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { id = "form",
        spinner { id = "project", items = each(projects, function(p) return p.name end), selected = at or 1,
          on_change = function(i) self.project = projects[i].id end },
        row { button { "‹", id = "day_before", desc = "Day before", on_click = function() self.day = self.day - 1 end },
          text { day_text(self.day), id = "entry_day", weight = 1 },
          button { "›", id = "day_after", desc = "Day after", on_click = function() self.day = self.day + 1 end } },
        field { id = "from", hint = "From", text = clock(self.first.from), max = 5 },
        field { id = "to", hint = "To", text = clock(self.first.to), max = 5 },
        text { "An end before the start is on the next day", id = "midnight", size = "small" },
        field { id = "rest", hint = "Break in minutes", text = tostring(self.first.rest), input = "number", max = 3 },
        check { "Billable", id = "billable", checked = self.billable, on_change = function(b) self.billable = b end },
        field { id = "note", hint = "What was done", text = self.first.note, max = 40 },
      },
    }
  end,
}

activity "Timer" {
  create = function(self, intent, saved) self.project = saved and saved.project end,
  save = function(self, out) out.project = self.project end,

  current = function(self)
    local timer = storage.timer
    local id = self.project
    if timer then id = timer.project end
    if timer and bug("timer_project") then id = running_project end
    return project_of(id) or offered(nil)[1]
  end,

  begin = function(self)
    local project = self:current()
    if not project then return toast("Make a project first") end
    storage.timer = { start = now(), project = project.id }
    running_project = project.id
  end,

  stop_timer = function(self)
    local timer, project = storage.timer, self:current()
    storage.timer = nil
    if not project then return toast("The project is gone") end
    if #storage.entries >= MAX_ENTRIES then return toast("Too many entries") end
    local from = timer.start // 60000 % 1440
    local length = math.min(math.max((now() - timer.start) // 60000, 1), 1439)
    put { id = next_id(), project = project.id, day = timer.start // 86400000, from = from, to = (from + length) % 1440, rest = 0,
      billable = prefs.billable, note = "Timer" }
    toast(span(length) .. " for " .. project.name)
  end,

  choose = function(self, project)
    self.project = project.id
    if storage.timer then storage.timer.project, running_project = project.id, project.id end
  end,

  view = function(self)
    local timer, current, projects = storage.timer, self:current(), offered(nil)
    return column {
      toolbar { "Timer", up = true },
      text { timer and "Running since " .. clock(timer.start // 60000 % 1440) or "Not running", id = "state", size = "large" },
      text { current and current.name or "No project", id = "current" },
      timer and button { "Stop", id = "stop", on_click = function() self:stop_timer() end }
        or button { "Start", id = "start", on_click = function() self:begin() end },
      timer and button { "Throw away", id = "throw_away", on_click = function() storage.timer = nil end },
      text { "What was begun is stored in whole minutes, one at least", id = "hint", size = "small" },
      list { id = "projects", items = projects, empty = text { "No projects", id = "empty" },
        row = function(p) return row { id = "project_row", selected = p == current, text { p.name, id = "name", weight = 1 },
          p == current and text { "✓", id = "mark" } } end,
        on_item_click = function(_, p) self:choose(p) end },
    }
  end,
}

activity "Projects" {
  create = function(self, intent, saved) self.all = saved and saved.all or false end,
  save = function(self, out) out.all = self.all end,

  view = function(self)
    local shown = filter(storage.projects, function(p) return self.all or not p.archived end)
    return column {
      toolbar { "Projects", up = true },
      switch { "Show archived ones", id = "show_archived", checked = self.all, on_change = function(b) self.all = b end },
      list { id = "projects", items = shown, empty = text { "No projects", id = "empty" },
        row = function(p)
          local client = client_of(p.client)
          return column { id = "project_row", text { p.name .. (p.archived and " (archived)" or ""), id = "name" },
            text { (client and client.name or "No client") .. " · " .. span(sum(filter(storage.entries, function(e) return e.project == p.id end))), id = "line", size = "small" } }
        end,
        on_item_click = function(_, p) self:start("Project", { id = p.id }) end },
      text { "Archived projects keep their entries but are not offered for new ones", id = "rule", size = "small" },
      fab { id = "add_project", desc = "New project", on_click = function() self:start("EditProject") end },
    }
  end,
}

activity "Project" {
  ask_delete = function(self, project)
    local count = #filter(storage.entries, function(e) return e.project == project.id end)
    self:dialog { title = "Delete " .. project.name .. "?", message = count == 1 and "Its entry goes with it." or "Its " .. count .. " entries go with it.",
      cancel = "Cancel", ok = "Delete",
      on_ok = function()
        storage.entries = filter(storage.entries, function(e) return e.project ~= project.id end)
        if storage.timer and storage.timer.project == project.id then storage.timer = nil end
        table.remove(storage.projects, index_of(storage.projects, project))
        self:finish()
      end }
  end,

  menu = function(self)
    local p = project_of(self.intent.id)
    if not p then return {} end
    return {
      { "Edit", id = "edit_project", on_click = function() self:start("EditProject", { id = p.id }) end },
      { p.archived and "Take out of the archive" or "Archive", id = "archive_project", on_click = function() p.archived = not p.archived or nil end },
      { "Delete", id = "delete_project", on_click = function() self:ask_delete(p) end },
    }
  end,

  view = function(self)
    local p = project_of(self.intent.id)
    if not p then return column { toolbar { "Project", up = true }, text { "This project is gone", id = "gone" } } end
    local entries = in_order(filter(storage.entries, function(e) return e.project == p.id end))
    local client, total = client_of(p.client), sum(entries)
    return column {
      toolbar { p.name, up = true },
      text { client and client.name .. ", " .. client.city or "No client", id = "client" },
      text { p.rate .. " " .. CURRENCIES[prefs.currency] .. " an hour" .. (p.archived and ", archived" or ""), id = "rate" },
      text { "Total: " .. span(total), id = "project_total", size = "large" },
      p.budget > 0 and text { total <= p.budget * 60 and span(p.budget * 60 - total) .. " left of " .. span(p.budget * 60)
        or span(total - p.budget * 60) .. " over " .. span(p.budget * 60), id = "budget" },
      list { id = "entries", items = entries, empty = text { "No entries", id = "empty" },
        row = function(e) return row { id = "entry_row",
          column { weight = 1, text { e.note ~= "" and e.note or "No note", id = "what" }, text { date(e.day * 86400000, "%d %b %Y"), id = "when", size = "small" } },
          text { span(worked(e)), id = "length" } } end,
        on_item_click = function(_, e) self:start("Entry", { id = e.id }) end },
    }
  end,
}

activity "EditProject" {
  create = function(self, intent, saved)
    local p = intent.id and project_of(intent.id)
    self.id = p and p.id
    self.first = p or { name = "", client = intent.client, rate = 50, budget = 0 }
    self.client = self.first.client
    if saved then self.client = saved.client end
  end,
  save = function(self, out) out.client = self.client end,

  store = function(self)
    local name, rate, budget = trim(self:text("name")), tonumber(self:text("rate")), tonumber(self:text("budget")) or 0
    if name == "" then return toast("A project needs a name") end
    local same = find(storage.projects, function(p) return p.name:lower() == name:lower() end)
    if same and same.id ~= self.id then return toast("There is such a project") end
    if not rate then return toast("How much is an hour?") end
    local p = self.id and project_of(self.id)
    if not p then
      if #storage.projects >= MAX_PROJECTS then return toast("Too many projects") end
      p = { id = next_id() }
      table.insert(storage.projects, p)
    end
    p.name, p.rate, p.budget, p.client = name, math.floor(rate), math.floor(budget), self.client and client_of(self.client) and self.client
    self:finish()
  end,

  view = function(self)
    local clients = { { name = "No client" } }
    for _, c in ipairs(storage.clients) do table.insert(clients, c) end
    local _, at = find(clients, function(c) return c.id == self.client end)
    return column {
      toolbar { self.id and "Edit project" or "New project", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { id = "form",
        field { id = "name", hint = "Name", text = self.first.name, max = 25 },
        text { "Client", size = "small" },
        spinner { id = "client", items = each(clients, function(c) return c.name end), selected = at or 1, on_change = function(i) self.client = clients[i].id end },
        text { "Rate an hour", size = "small" },
        field { id = "rate", hint = "Rate an hour", text = tostring(self.first.rate), input = "number", max = 4 },
        text { "Budget in hours, 0 for none", size = "small" },
        field { id = "budget", hint = "Budget in hours, 0 for none", text = tostring(self.first.budget), input = "number", max = 4 },
      },
    }
  end,
}

activity "Clients" {
  ask = function(self, client)
    self:dialog {
      title = client and "Edit client" or "New client",
      view = function() return column {
        field { id = "client_name", hint = "Name", text = client and client.name or "", max = 25 },
        field { id = "client_city", hint = "City", text = client and client.city or "", max = 20 } } end,
      ok = "Save",
      on_ok = function()
        local name, city = trim(self:text("client_name")), trim(self:text("client_city"))
        if name == "" or city == "" then toast("Name and city, please") return true end
        local same = find(storage.clients, function(c) return c.name:lower() == name:lower() end)
        if same and same ~= client then toast("There is such a client") return true end
        if not client then
          if #storage.clients >= MAX_CLIENTS then return toast("Too many clients") end
          client = { id = next_id() }
          table.insert(storage.clients, client)
        end
        client.name, client.city = name, city
      end,
      cancel = "Cancel",
    }
  end,

  delete = function(self, client)
    local count = #filter(storage.projects, function(p) return p.client == client.id end)
    if count > 0 then return toast(count == 1 and "A project belongs to this client" or count .. " projects belong to this client") end
    table.remove(storage.clients, index_of(storage.clients, client))
  end,

  view = function(self)
    return column {
      toolbar { "Clients", up = true },
      list { id = "clients", items = storage.clients, empty = text { "No clients", id = "empty" },
        row = function(c) return row { id = "client_row",
          column { weight = 1, text { c.name, id = "name" }, text { c.city, id = "city", size = "small" } },
          image_button { id = "delete_client", desc = "Delete client", on_click = function() self:delete(c) end } } end,
        on_item_click = function(_, c) self:ask(c) end },
      fab { id = "add_client", desc = "New client", on_click = function() self:ask(nil) end },
    }
  end,
}

local RANGES = { "This week", "Last week", "This month", "Last month", "Everything" }

activity "Report" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.range, self.by_client, self.billable = saved.range or 5, saved.by_client or false, saved.billable or false
  end,
  save = function(self, out) out.range, out.by_client, out.billable = self.range, self.by_client, self.billable end,

  within = function(self, day)
    local monday, month = monday_of(today()), date(now(), "%Y-%m")
    local that = date(day * 86400000, "%Y-%m")
    if self.range == 1 then return day >= monday and day <= monday + 6 end
    if self.range == 2 then return day >= monday - 7 and day < monday end
    if self.range == 3 then return that == month end
    if self.range == 4 then return that == date((today() - tonumber(date(now(), "%d"))) * 86400000, "%Y-%m") end
    return true
  end,

  counted = function(self, entry)
    local minutes = worked(entry)
    if prefs.quarters then minutes = (minutes + 14) // 15 * 15 end
    local project = project_of(entry.project)
    local cents = entry.billable and project and (minutes * project.rate * 100 + 30) // 60 or 0
    return minutes, cents
  end,

  groups = function(self)
    local groups, minutes, cents = {}, 0, 0
    for _, e in ipairs(filter(in_order(storage.entries), function(x) return self:within(x.day) end)) do
      local m, c = self:counted(e)
      local shown = e.billable or not self.billable
      if shown then
        local project = project_of(e.project)
        local client = project and client_of(project.client)
        local name = self.by_client and (client and client.name or "No client") or project_name(e.project)
        local group = find(groups, function(g) return g.name == name end)
        if not group then
          group = { name = name, minutes = 0, cents = 0 }
          table.insert(groups, group)
        end
        group.minutes, group.cents = group.minutes + m, group.cents + c
      end
      if shown or bug("report_total") then minutes, cents = minutes + m, cents + c end
    end
    table.sort(groups, function(a, b) return a.minutes > b.minutes end)
    return groups, minutes, cents
  end,

  view = function(self)
    local groups, minutes, cents = self:groups()
    return column {
      toolbar { "Report", up = true, actions = { { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end } } },
      spinner { id = "range", items = RANGES, selected = self.range, on_change = function(i) self.range = i end },
      check { "Billable only", id = "billable_only", checked = self.billable, on_change = function(b) self.billable = b end },
      check { "By client", id = "by_client", checked = self.by_client, on_change = function(b) self.by_client = b end },
      text { "Total: " .. span(minutes) .. ", " .. money(cents), id = "report_total", size = "large" },
      list { id = "groups", items = groups, empty = text { "Nothing to report", id = "empty" },
        row = function(g) return row { id = "group_row", text { g.name, id = "name", weight = 1 }, text { span(g.minutes) .. ", " .. money(g.cents), id = "numbers" } } end },
      text { "Hours that are not billable cost nothing." .. (prefs.quarters and " Entries are rounded up to quarters." or ""), id = "hint", size = "small" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    local function option(name, title) return switch { title, id = name, checked = prefs[name], on_change = function(b) prefs[name] = b end } end
    return column {
      toolbar { "Settings", up = true },
      scroll { id = "options",
        option("decimal", "Hours as decimals"),
        text { "An hour and a quarter is 1.25 h instead of 1:15 h", size = "small" },
        option("quarters", "Round up to quarters in reports"),
        text { "The week, the projects and their budgets show what was worked", size = "small" },
        option("billable", "New entries are billable"),
        text { "Currency", size = "small" },
        spinner { id = "currency", items = CURRENCIES, selected = prefs.currency, on_change = function(i) prefs.currency = i end },
        text { "Amounts are not converted, only named", size = "small" },
      },
    }
  end,
}
