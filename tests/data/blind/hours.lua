-- Hours: where the working time goes. Minutes are whole; days are counted from 1970-01-01.
local settings = {}       -- what the screens read; prefs is what is on disk

app {
  package = "org.example.hours", title = "Hours", main = "Main",
  bugs = { "day_earlier", "discard_note", "move_total", "selection_rotate", "filtered_delete", "rounding_forgotten", "report_total", "quick_again" },
  application = function()
    if not storage.projects then
      local today = now() // 86400000
      storage.projects = {
        { id = 1, name = "Garden", rate = 20, minutes = 195 },
        { id = 2, name = "Office", rate = 45, minutes = 360 },
        { id = 3, name = "Website", rate = 60, minutes = 90 },
        { id = 4, name = "Old attic", rate = 15, minutes = 40, archived = true },
      }
      storage.entries = {
        { id = 1, project = 1, day = today - 9, minutes = 60, note = "Hedge", billable = false },
        { id = 2, project = 2, day = today - 3, minutes = 240, note = "Letters", billable = true },
        { id = 3, project = 1, day = today - 2, minutes = 90, note = "Lawn", billable = true },
        { id = 4, project = 3, day = today - 1, minutes = 90, note = "Front page", billable = true },
        { id = 5, project = 1, day = today, minutes = 45, note = "Roses", billable = true },
        { id = 6, project = 2, day = today, minutes = 120, note = "Meeting", billable = false },
        { id = 7, project = 4, day = today - 20, minutes = 40, note = "Boxes", billable = false },
      }
      storage.next_id = 8
      prefs.format, prefs.rounding, prefs.week = "clock", 1, "Monday"
    end
    settings.format, settings.rounding, settings.week = prefs.format, prefs.rounding, prefs.week
  end,
}

local function today() return now() // 86400000 end
local function day_name(d) return date(d * 86400000, "%Y-%m-%d") end
local function project(id) return (find(storage.projects, function(p) return p.id == id end)) end
local function entry(id) return (find(storage.entries, function(e) return e.id == id end)) end
local function active() return filter(storage.projects, function(p) return not p.archived end) end
local function count(n, one, many) return n .. " " .. (n == 1 and one or many) end

local function duration(m)
  if settings.format == "decimal" then return format("%.2f h", m / 60) end
  return format("%d:%02d", m // 60, m % 60)
end

local function add_entry(e)
  e.id = storage.next_id
  storage.next_id = storage.next_id + 1
  table.insert(storage.entries, e)
  local p = project(e.project)
  if p then p.minutes = p.minutes + e.minutes end
end

local function remove_entry(e)
  local i = index_of(storage.entries, e)
  if not i then return end
  table.remove(storage.entries, i)
  local p = project(e.project)
  if p then p.minutes = p.minutes - e.minutes end
end

local function start_timer(p) storage.running = { project = p.id, since = now() } end

local function stop_timer()
  local r = storage.running
  if not r then return end
  storage.running = nil
  local step = ({ 1, 5, 15 })[settings.rounding]
  local minutes = math.max(1, (now() - r.since + 59999) // 60000)
  add_entry { project = r.project, day = today(), minutes = (minutes + step - 1) // step * step, note = "Timer", billable = true }
end

local function ask_name(self, title, old, done)
  self:dialog { title = title, view = function() return column { field { id = "project_name", hint = "Name", text = old, max = 30 } } end,
    cancel = "Cancel", ok = "OK", on_ok = function()
      local n = trim(self:text("project_name"))
      if n == "" then toast("Give it a name") return true end
      done(n)
    end }
end

activity "Main" {
  menu = function(self)
    return {
      { "New project", id = "new_project", on_click = function()
        ask_name(self, "New project", "", function(n)
          table.insert(storage.projects, { id = storage.next_id, name = n, rate = 30, minutes = 0 })
          storage.next_id = storage.next_id + 1
        end)
      end },
      { "Report", id = "report", on_click = function() self:start("Report") end },
      { "Archive", id = "archive", on_click = function() self:start("Archive") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  context = function(self, p)
    self:popup {
      { "Rename", id = "rename", on_click = function() ask_name(self, "Rename", p.name, function(n) p.name = n end) end },
      { "Move to archive", id = "to_archive", on_click = function()
        if storage.running and storage.running.project == p.id then return toast("Stop the timer first") end
        if #active() == 1 then return toast("One project must stay") end
        p.archived = true
      end },
    }
  end,
  view = function(self)
    local projects, total = active(), 0
    for _, p in ipairs(projects) do total = total + p.minutes end
    local running = storage.running and project(storage.running.project)
    return column {
      toolbar { "Hours", subtitle = count(#projects, "project", "projects") },
      running and row { text { "Timer runs for " .. running.name, id = "running", weight = 1 },
        button { "Stop", id = "stop", on_click = function() stop_timer() end } },
      text { "Total " .. duration(total), id = "total" },
      list { id = "projects", items = projects,
        row = function(p)
          return row { text { p.name, id = "project", weight = 1 }, text { duration(p.minutes), id = "time" },
            image_button { id = "quick", desc = "15 minutes for " .. p.name, width = 144, height = 144,
              on_click = function() self:start("Project", { id = p.id, quick = 15 }) end } }
        end,
        on_item_click = function(_, p) self:start("Project", { id = p.id }) end,
        on_item_long_click = function(_, p) self:context(p) end },
    }
  end,
}

activity "Project" {
  create = function(self, intent, saved)
    self.billable = saved and saved.billable or false
    self.oldest = saved and saved.oldest or false
    self.picked = saved and saved.picked or {}
    if intent.quick and project(intent.id) and (not saved or bug("quick_again")) then
      add_entry { project = intent.id, day = today(), minutes = intent.quick, note = "Quick", billable = true }
    end
  end,
  save = function(self, out)
    out.billable, out.oldest = self.billable, self.oldest
    if not bug("selection_rotate") then out.picked = self.picked end
  end,
  entries = function(self, all)
    local out = filter(storage.entries, function(e) return e.project == self.intent.id and (all or not self.billable or e.billable) end)
    table.sort(out, function(a, b)
      if a.day ~= b.day then if self.oldest then return a.day < b.day end return a.day > b.day end
      if self.oldest then return a.id < b.id end
      return a.id > b.id
    end)
    return out
  end,
  pick = function(self, id)
    local i = index_of(self.picked, id)
    if i then table.remove(self.picked, i) else table.insert(self.picked, id) end
  end,
  delete_picked = function(self)
    local shown, everything = self:entries(), self:entries(true)
    local doomed = {}
    for i, e in ipairs(shown) do
      if index_of(self.picked, e.id) then table.insert(doomed, bug("filtered_delete") and everything[i] or e) end
    end
    self:dialog { title = "Delete " .. count(#doomed, "entry", "entries") .. "?", cancel = "Keep", ok = "Delete", on_ok = function()
      for _, e in ipairs(doomed) do remove_entry(e) end
      self.picked = {}
    end }
  end,
  back = function(self)
    if #self.picked == 0 then return false end
    self.picked = {}
    return true
  end,
  menu = function(self)
    if #self.picked > 0 then
      return { { "Select all", id = "select_all", on_click = function() self.picked = each(self:entries(), function(e) return e.id end) end } }
    end
    return {
      { "Only billable", id = "only_billable", checked = self.billable, on_click = function() self.billable = not self.billable end },
      { "Oldest first", id = "oldest", checked = self.oldest, on_click = function() self.oldest = not self.oldest end },
    }
  end,
  timer = function(self, p)
    local r = storage.running
    if r and r.project == p.id then return button { "Stop", id = "stop", on_click = function() stop_timer() end } end
    return button { "Start", id = "start", enabled = r == nil and not p.archived, on_click = function() start_timer(p) end }
  end,
  view = function(self)
    local p = project(self.intent.id)
    if not p then return column { toolbar { "Project", up = true }, text { "This project is not here", id = "gone" } } end
    local shown = self:entries()
    local sum = 0
    for _, e in ipairs(shown) do sum = sum + e.minutes end
    local bar
    if #self.picked > 0 then
      bar = toolbar { #self.picked .. " selected", up = function() self.picked = {} end,
        actions = { { "Delete", id = "delete", on_click = function() self:delete_picked() end } } }
    else
      bar = toolbar { p.name, up = true, subtitle = self.billable and "Only billable" or nil }
    end
    return column {
      bar,
      row { text { count(#shown, "entry", "entries") .. ", " .. duration(sum), id = "summary", weight = 1 }, self:timer(p) },
      list { id = "entries", items = shown, empty = text { "No entries", id = "no_entries" },
        row = function(e)
          return row { selected = index_of(self.picked, e.id) ~= nil,
            #self.picked > 0 and image { desc = index_of(self.picked, e.id) and "Selected" or "Not selected", width = 96, height = 96 },
            text { day_name(e.day), id = "day" }, text { e.note, id = "note", weight = 1 },
            e.billable and text { "billable", id = "billable_mark", size = "small" }, text { duration(e.minutes), id = "minutes" } }
        end,
        on_item_click = function(_, e) if #self.picked > 0 then self:pick(e.id) else self:start("Entry", { id = e.id }) end end,
        on_item_long_click = function(_, e) self:pick(e.id) end },
      #self.picked == 0 and not p.archived and fab { id = "add", desc = "New entry", on_click = function() self:start("Entry", { project = p.id }) end },
    }
  end,
}

activity "Entry" {
  create = function(self, intent, saved)
    local e = entry(intent.id)
    self.day = saved and saved.day or e and e.day or today()
    self.project = saved and saved.project or e and e.project or intent.project or active()[1].id
    self.billable = e and e.billable
    if not e then self.billable = true end
    if saved then self.billable = saved.billable end
  end,
  save = function(self, out) out.day, out.project, out.billable = self.day, self.project, self.billable end,
  changed = function(self)
    local e = entry(self.intent.id)
    local minutes, note = self:text("minutes_field"), self:text("note_field")
    if not e then return minutes ~= "" or note ~= "" end
    return minutes ~= tostring(e.minutes) or note ~= e.note or self.day ~= e.day or self.project ~= e.project or self.billable ~= e.billable
  end,
  leave = function(self)
    if not self:changed() then return self:finish() end
    self:dialog { title = "Discard the changes?", cancel = "Go on editing", ok = "Discard", on_ok = function()
      local e = entry(self.intent.id)
      if e and bug("discard_note") then e.note = trim(self:text("note_field")) end
      self:finish()
    end }
  end,
  back = function(self) self:leave() return true end,
  menu = function(self)
    local e = entry(self.intent.id)
    return { { "Delete", id = "delete_entry", enabled = e ~= nil, on_click = function() if e then remove_entry(e) end self:finish() end } }
  end,
  store = function(self)
    local minutes = tonumber(self:text("minutes_field"))
    if not minutes or minutes < 1 or minutes > 1440 then return toast("Minutes from 1 to 1440, please") end
    if not project(self.project) then self.project = active()[1].id end
    local day = self.day
    if bug("day_earlier") and day < today() then day = day - 1 end
    local e = entry(self.intent.id)
    local note = trim(self:text("note_field"))
    if not e then
      add_entry { project = self.project, day = day, minutes = minutes, note = note, billable = self.billable }
      return self:finish()
    end
    local from, to = project(e.project), project(self.project)
    if not (bug("move_total") and from ~= to) then from.minutes = from.minutes - e.minutes end
    to.minutes = to.minutes + minutes
    e.project, e.day, e.minutes, e.note, e.billable = self.project, day, minutes, note, self.billable
    self:finish()
  end,
  view = function(self)
    local e = entry(self.intent.id)
    local choice = filter(storage.projects, function(p) return not p.archived or p.id == self.project end)
    local _, at = find(choice, function(p) return p.id == self.project end)
    return column {
      toolbar { e and "Edit entry" or "New entry", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        row { button { "Earlier", id = "earlier", on_click = function() self.day = self.day - 1 end },
          text { day_name(self.day), id = "chosen_day", weight = 1 },
          button { "Later", id = "later", enabled = self.day < today(), on_click = function() self.day = self.day + 1 end } },
        field { id = "minutes_field", hint = "Minutes", input = "number", text = e and tostring(e.minutes) or "", max = 4 },
        field { id = "note_field", hint = "Note", text = e and e.note or "", max = 30 },
        row { text { "Project", weight = 1 }, spinner { id = "project_choice", items = each(choice, function(p) return p.name end), selected = at or 1,
          on_change = function(i) self.project = choice[i].id end } },
        check { "Billable", id = "billable", checked = self.billable, on_change = function(on) self.billable = on end },
      },
    }
  end,
}

activity "Report" {
  create = function(self, intent, saved)
    self.range = saved and saved.range or 1
    self.billable = saved and saved.billable or false
  end,
  save = function(self, out) out.range, out.billable = self.range, self.billable end,
  first_day = function(self)
    local t = today()
    if self.range == 1 then return t - (t + (settings.week == "Sunday" and 4 or 3)) % 7 end
    if self.range == 2 then return t - 29 end
    return 0
  end,
  view = function(self)
    local rows, total, money, from = {}, 0, 0, self:first_day()
    for _, p in ipairs(storage.projects) do
      local sum, paid = 0, 0
      for _, e in ipairs(storage.entries) do
        if e.project == p.id and e.day >= from and (e.billable or not self.billable) then
          sum = sum + e.minutes
          if e.billable then paid = paid + e.minutes * p.rate end
        end
      end
      if sum > 0 then table.insert(rows, { name = p.name, sum = sum, paid = paid }) end
      total, money = total + sum, money + paid
    end
    local shown = duration(total)
    if bug("report_total") and settings.format == "decimal" then shown = format("%d.%02d h", total // 60, total % 60) end
    return column {
      toolbar { "Report", up = true, subtitle = self.range < 3 and "Since " .. day_name(from) or nil },
      tabs { id = "range", titles = { "Week", "30 days", "All" }, selected = self.range, on_change = function(i) self.range = i end },
      switch { "Billable only", id = "billable_only", checked = self.billable, on_change = function(on) self.billable = on end },
      text { "Total " .. shown .. ", earned " .. format("%.2f", money / 60), id = "report_total" },
      list { id = "report_rows", items = rows, empty = text { "Nothing was done", id = "no_work" },
        row = function(r) return row { text { r.name, id = "report_project", weight = 1 }, text { duration(r.sum), id = "report_time" },
          text { format("%.2f", r.paid / 60), id = "report_money" } } end },
    }
  end,
}

activity "Archive" {
  ask = function(self, p)
    self:dialog { title = p.name, message = "Take it out of the archive, or delete it with its entries?", cancel = "Cancel",
      ok = "Take out", on_ok = function() p.archived = nil end,
      neutral = "Delete", on_neutral = function()
        storage.entries = filter(storage.entries, function(e) return e.project ~= p.id end)
        storage.projects = filter(storage.projects, function(x) return x.id ~= p.id end)
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Archive", up = true },
      list { id = "archived", items = filter(storage.projects, function(p) return p.archived end), empty = text { "Nothing is archived", id = "no_archive" },
        row = function(p) return row { text { p.name, id = "archived_project", weight = 1 }, text { duration(p.minutes), id = "archived_time" } } end,
        on_item_click = function(_, p) self:ask(p) end },
    }
  end,
}

activity "Settings" {
  set = function(self, key, value)
    settings[key] = value
    if key == "rounding" and bug("rounding_forgotten") then return end
    prefs[key] = value
  end,
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Show times as", size = "small" },
        radios { id = "format", items = { "1:30", "1.50 h" }, selected = settings.format == "decimal" and 2 or 1,
          on_change = function(i) self:set("format", i == 2 and "decimal" or "clock") end },
        text { "Round the timer up to", size = "small" },
        radios { id = "rounding", items = { "1 minute", "5 minutes", "15 minutes" }, selected = settings.rounding, on_change = function(i) self:set("rounding", i) end },
        text { "The week begins on", size = "small" },
        radios { id = "week", items = { "Monday", "Sunday" }, selected = settings.week == "Sunday" and 2 or 1, on_change = function(_, t) self:set("week", t) end },
      },
    }
  end,
}
