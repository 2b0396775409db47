-- Pill Box: medicines of a household, today's doses, the stock of each, a history and a shopping list.
-- Times of doses are minutes of the day; a dose that was taken or skipped is an entry of the log.

local DAY = 24 * 60 * 60 * 1000
local TIMES = { 360, 420, 480, 600, 720, 840, 1080, 1200, 1320 }
local DOSES = { 0.5, 1, 2, 3 }
local LOW = { 3, 7, 14 }
local SORTS = { "Name", "Least left" }

app {
  package = "org.pillbox.home",
  title = "Pill Box",
  main = "Main",
  bugs = { "undo_keeps_pills", "paused_are_left", "skipped_of_all", "stock_as_text", "lasts_by_times", "bought_another", "noon_is_zero", "edit_resumes",
    "times_turn_back" },
  application = function()
    if storage.meds then return end
    prefs.person, prefs.sort, prefs.low, prefs.half_day = 1, 1, 2, false
    storage.people = { { id = 1, name = "Me" }, { id = 2, name = "Grandpa" } }
    storage.meds = {
      { id = 11, person = 1, name = "Calcium", dose = 2, times = { 480, 1200 }, stock = 100, pack = 60 },
      { id = 12, person = 1, name = "Iron", dose = 1, times = { 720 }, stock = 8, pack = 30, note = "Not with milk" },
      { id = 13, person = 1, name = "Thyroxin", dose = 0.5, times = { 420 }, stock = 20, pack = 50, note = "Before breakfast" },
      { id = 14, person = 1, name = "Vitamin D", dose = 1, times = { 480, 1200 }, stock = 6, pack = 40 },
      { id = 21, person = 2, name = "Aspirin", dose = 1, times = { 480 }, stock = 3, pack = 50 },
      { id = 22, person = 2, name = "Ramipril", dose = 1, times = { 480, 1200 }, stock = 42, pack = 100 },
    }
    local yesterday = now() // DAY - 1
    storage.log = {
      { med = 11, name = "Calcium", person = 1, day = yesterday, time = 480, state = "taken" },
      { med = 12, name = "Iron", person = 1, day = yesterday, time = 720, state = "skipped" },
      { med = 22, name = "Ramipril", person = 2, day = yesterday, time = 480, state = "taken" },
      { med = 22, name = "Ramipril", person = 2, day = yesterday, time = 1200, state = "skipped" },
      { med = 11, name = "Calcium", person = 1, day = yesterday, time = 1200, state = "taken" },
    }
    storage.next_id = 30
  end,
}

local function med_by_id(id) return find(storage.meds, function(m) return m.id == id end) end
local function person_by_id(id) return find(storage.people, function(p) return p.id == id end) end
local function today() return now() // DAY end
local function number_text(n)
  local text = format("%.2f", n):gsub("0+$", "")
  return (text:gsub("%.$", ""))
end
local function pills(n) return number_text(n) .. (n == 1 and " tablet" or " tablets") end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id - 1
end

local function time_text(minutes)
  local hour, minute = minutes // 60, minutes % 60
  if not prefs.half_day then return format("%02d:%02d", hour, minute) end
  local half = hour % 12
  if half == 0 and not bug("noon_is_zero") then half = 12 end
  return format("%d:%02d %s", half, minute, hour < 12 and "AM" or "PM")
end

local function times_text(times) return table.concat(each(times, function(t) return time_text(t) end), ", ") end

--- The medicines of the person who is shown, in the order of the cabinet.
local function mine()
  local out = filter(storage.meds, function(m) return m.person == prefs.person end)
  table.sort(out, function(a, b)
    if prefs.sort == 2 and bug("stock_as_text") then return number_text(a.stock) < number_text(b.stock) end
    if prefs.sort == 2 and a.stock ~= b.stock then return a.stock < b.stock end
    return a.name:lower() < b.name:lower()
  end)
  return out
end

local function lasts(med)
  if bug("lasts_by_times") then return math.floor(med.stock / #med.times) end
  return math.floor(med.stock / (med.dose * #med.times))
end

local function days_text(n) return n == 1 and "1 day" or n .. " days" end

-- ---- doses ----

local function entry_of(med, time)
  return find(storage.log, function(e) return e.med == med.id and e.time == time and e.day == today() end)
end

local function take(med, time)
  if med.stock < med.dose then return toast("There are not enough left: buy some first") end
  med.stock = med.stock - med.dose
  table.insert(storage.log, { med = med.id, name = med.name, person = med.person, day = today(), time = time, state = "taken", dose = med.dose })
end

local function skip(med, time)
  table.insert(storage.log, { med = med.id, name = med.name, person = med.person, day = today(), time = time, state = "skipped" })
end

local function undo(med, time)
  local entry, i = entry_of(med, time)
  if not entry then return end
  table.remove(storage.log, i)
  if entry.state == "taken" and not bug("undo_keeps_pills") then med.stock = med.stock + entry.dose end
end

local function doses()
  local out = {}
  for _, med in ipairs(mine()) do
    for _, time in ipairs(med.times) do table.insert(out, { med = med, time = time }) end
  end
  table.sort(out, function(a, b)
    if a.time ~= b.time then return a.time < b.time end
    return a.med.name:lower() < b.med.name:lower()
  end)
  return out
end

activity "Main" {
  context = function(self, dose)
    local entry = entry_of(dose.med, dose.time)
    if entry then
      return self:popup {
        { entry.state == "taken" and "I have not taken it" or "I have not skipped it", id = "undo", on_click = function() undo(dose.med, dose.time) end },
        { "About the medicine", id = "about", on_click = function() self:start("Medicine", { id = dose.med.id }) end },
      }
    end
    self:popup {
      { "Take", id = "take", on_click = function() take(dose.med, dose.time) end },
      { "Skip", id = "skip", on_click = function() skip(dose.med, dose.time) end },
      { "About the medicine", id = "about", on_click = function() self:start("Medicine", { id = dose.med.id }) end },
    }
  end,
  take_all = function(self)
    local due = filter(doses(), function(d) return not d.med.paused and not entry_of(d.med, d.time) and d.time <= now() // 60000 % 1440 end)
    if #due == 0 then return toast("Nothing is due") end
    for _, d in ipairs(due) do take(d.med, d.time) end
  end,
  menu = function(self)
    return {
      { "Take all that is due", id = "take_all", on_click = function() self:take_all() end },
      { "History", id = "history", on_click = function() self:start("History") end },
      { "People", id = "people", on_click = function() self:start("People") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local shown = filter(doses(), function(d) return not d.med.paused end)
    local left = filter(bug("paused_are_left") and doses() or shown, function(d) return not entry_of(d.med, d.time) end)
    return column {
      toolbar { person_by_id(prefs.person).name, subtitle = #left .. (#left == 1 and " dose left" or " doses left") },
      list { id = "doses", items = shown, empty = text { "No doses today", id = "empty" },
        row = function(d)
          local entry = entry_of(d.med, d.time)
          return row {
            text { time_text(d.time), id = "time" },
            column { weight = 1, text { d.med.name, id = "dose" }, text { pills(d.med.dose), id = "amount", size = "small" } },
            text { entry and entry.state or "", id = "state" },
          }
        end,
        on_item_click = function(_, d) self:context(d) end },
      row {
        button { "Cabinet", id = "cabinet", on_click = function() self:start("Cabinet") end },
        button { "To buy", id = "shopping", on_click = function() self:start("Shopping") end },
      },
    }
  end,
}

-- ---- the cabinet ----

activity "Cabinet" {
  menu = function(self)
    return { { "Sort by", id = "sort", on_click = function()
      self:dialog { title = "Sort by", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
    end } }
  end,
  view = function(self)
    return column {
      toolbar { "Cabinet", up = true, subtitle = person_by_id(prefs.person).name },
      list { id = "meds", items = mine(), empty = text { "No medicines", id = "empty" },
        row = function(m) return row { text { m.name .. (m.paused and " (paused)" or ""), id = "med", weight = 1 }, text { number_text(m.stock) .. " left", id = "left" } } end,
        on_item_click = function(_, m) self:start("Medicine", { id = m.id }) end },
      fab { id = "add", desc = "New medicine", on_click = function() self:start("EditMedicine", {}) end },
    }
  end,
}

activity "Medicine" {
  ask_delete = function(self, med)
    self:dialog { title = "Delete " .. med.name .. "?", message = "What was taken stays in the history", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local _, i = med_by_id(med.id)
        if i then table.remove(storage.meds, i) end
        self:finish()
      end }
  end,
  view = function(self)
    local med = med_by_id(self.intent.id)
    if not med then return column { toolbar { "Medicine", up = true }, text { "This medicine was deleted", id = "gone" } } end
    return column {
      toolbar { med.name, up = true, subtitle = med.paused and "Paused" or nil, actions = {
        { "Edit", id = "edit", on_click = function() self:start("EditMedicine", { id = med.id }) end },
        { "Delete", id = "delete", on_click = function() self:ask_delete(med) end } } },
      scroll {
        text { pills(med.dose) .. " at " .. times_text(med.times), id = "plan", size = "large" },
        text { pills(med.stock) .. " left", id = "stock_left" },
        text { "Lasts " .. days_text(lasts(med)), id = "lasts" },
        med.note and text { med.note, id = "note_text" },
        button { med.paused and "Resume" or "Pause", id = "pause", on_click = function() med.paused = not med.paused or nil end },
        button { "A new box (" .. med.pack .. ")", id = "new_box", on_click = function() med.stock = med.stock + med.pack end },
        button { "Leaflet", id = "leaflet", on_click = function()
          self:start_implicit { action = "VIEW", uri = "https://leaflets.example.org/" .. med.id }
        end },
      },
    }
  end,
}

activity "EditMedicine" {
  create = function(self, intent, saved)
    local med = intent.id and med_by_id(intent.id)
    self.med = med
    self.dose = saved and saved.dose or med and med.dose or 1
    self.times = saved and saved.times or copy(med and med.times or {})
  end,
  save = function(self, out)
    out.dose = self.dose
    if not bug("times_turn_back") then out.times = self.times end
  end,
  add_time = function(self)
    local free = filter(TIMES, function(t) return not index_of(self.times, t) end)
    self:dialog { title = "When", items = each(free, function(t) return time_text(t) end), on_item = function(i)
      table.insert(self.times, free[i])
      table.sort(self.times)
    end }
  end,
  store = function(self)
    local name, stock, pack = trim(self:text("name")), tonumber(self:text("stock")), math.tointeger(tonumber(self:text("pack")))
    if name == "" then return toast("It needs a name") end
    if #self.times == 0 then return toast("When is it taken?") end
    if not stock or stock < 0 then return toast("How many are left?") end
    if not pack or pack < 1 then return toast("How many are in a box?") end
    local med = self.med
    if not med then
      med = { id = new_id(), person = prefs.person }
      table.insert(storage.meds, med)
    elseif bug("edit_resumes") then
      med.paused = nil
    end
    local note = trim(self:text("note"))
    med.name, med.dose, med.times, med.stock, med.pack, med.note = name, self.dose, self.times, stock, pack, note ~= "" and note or nil
    self:finish()
  end,
  view = function(self)
    local med = self.med
    return column {
      toolbar { med and "Edit medicine" or "New medicine", up = true },
      scroll {
        field { id = "name", hint = "Name", text = med and med.name or "" },
        button { "Dose: " .. pills(self.dose), id = "dose_button", on_click = function()
          self:dialog { title = "Dose", items = each(DOSES, pills), checked = index_of(DOSES, self.dose), on_item = function(i) self.dose = DOSES[i] end }
        end },
        each(self.times, function(t, i)
          return row { text { time_text(t), id = "at", weight = 1 },
            image_button { id = "remove_time", desc = "Not at " .. time_text(t), on_click = function() table.remove(self.times, i) end } }
        end),
        button { "Add a time", id = "add_time", enabled = #self.times < #TIMES, on_click = function() self:add_time() end },
        field { id = "stock", hint = "Tablets left", input = "decimal", max = 6, text = med and number_text(med.stock) or "" },
        field { id = "pack", hint = "Tablets in a box", input = "number", max = 4, text = med and tostring(med.pack) or "" },
        field { id = "note", hint = "Note", text = med and med.note or "" },
        button { "Save", id = "save", on_click = function() self:store() end },
      },
    }
  end,
}

activity "Shopping" {
  low = function(self) return filter(mine(), function(m) return lasts(m) < LOW[prefs.low] end) end,
  bought = function(self, i, med)
    if bug("bought_another") then med = mine()[i] end
    med.stock = med.stock + med.pack
    toast(med.name .. ": " .. number_text(med.stock) .. " left")
  end,
  view = function(self)
    return column {
      toolbar { "To buy", up = true, subtitle = "For less than " .. days_text(LOW[prefs.low]) },
      list { id = "low_list", items = self:low(), empty = text { "Enough of everything", id = "empty" },
        row = function(m, i)
          return row { column { weight = 1, text { m.name, id = "low_name" }, text { number_text(m.stock) .. " left, lasts " .. days_text(lasts(m)), id = "low_left", size = "small" } },
            button { "Bought", id = "bought", on_click = function() self:bought(i, m) end } }
        end,
        on_item_click = function(_, m) self:start("Medicine", { id = m.id }) end },
    }
  end,
}

-- ---- the rest ----

activity "History" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,
  shown = function(self)
    local out = filter(storage.log, function(e)
      if self.tab == 3 then return e.state == "skipped" and (e.person == prefs.person or bug("skipped_of_all")) end
      return e.person == prefs.person and (self.tab == 1 or e.state == "taken")
    end)
    table.sort(out, function(a, b)
      if a.day ~= b.day then return a.day > b.day end
      return a.time > b.time
    end)
    return out
  end,
  ask_clear = function(self)
    self:dialog { title = "Clear the history before today?", message = "Of " .. person_by_id(prefs.person).name, cancel = "Cancel", ok = "Clear",
      on_ok = function()
        storage.log = filter(storage.log, function(e) return e.person ~= prefs.person or e.day >= today() end)
      end }
  end,
  menu = function(self) return { { "Clear", id = "clear", on_click = function() self:ask_clear() end } } end,
  view = function(self)
    return column {
      toolbar { "History", up = true, subtitle = person_by_id(prefs.person).name },
      tabs { id = "states", titles = { "All", "Taken", "Skipped" }, selected = self.tab, on_change = function(i) self.tab = i end },
      list { id = "log", items = self:shown(), empty = text { "Nothing yet", id = "empty" },
        row = function(e)
          local med = med_by_id(e.med)
          return column { text { (med and med.name or e.name) .. ", " .. e.state, id = "entry" },
            text { date(e.day * DAY, "%d %b") .. ", " .. time_text(e.time), id = "entry_time", size = "small" } }
        end },
    }
  end,
}

activity "People" {
  ask_name = function(self, person)
    local before = person and person.name or ""
    self:set_text("person_name", before)
    self:dialog { title = person and "Rename" or "New person", cancel = "Cancel", ok = "Save",
      view = function() return column { field { id = "person_name", hint = "Name", text = before } } end,
      on_ok = function()
        local name = trim(self:text("person_name"))
        if name == "" or find(storage.people, function(p) return p ~= person and p.name:lower() == name:lower() end) then
          toast(name == "" and "Please type a name" or name .. " is there already")
          return true
        end
        if person then person.name = name else table.insert(storage.people, { id = new_id(), name = name }) end
      end }
  end,
  ask_delete = function(self, person)
    if #storage.people == 1 then return toast("Somebody has to stay") end
    self:dialog { title = "Delete " .. person.name .. "?", message = "With all medicines and the history", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local _, i = person_by_id(person.id)
        if not i then return end
        table.remove(storage.people, i)
        storage.meds = filter(storage.meds, function(m) return m.person ~= person.id end)
        storage.log = filter(storage.log, function(e) return e.person ~= person.id end)
        if prefs.person == person.id then prefs.person = storage.people[1].id end
      end }
  end,
  view = function(self)
    return column {
      toolbar { "People", up = true },
      list { id = "people_list", items = storage.people,
        row = function(p) return row { text { p.name, id = "person", weight = 1 }, p.id == prefs.person and text { "✓", id = "current" } } end,
        on_item_click = function(_, p)
          prefs.person = p.id
          self:finish()
        end,
        on_item_long_click = function(_, p)
          self:popup {
            { "Rename", id = "rename", on_click = function() self:ask_name(p) end },
            { "Delete", id = "delete_person", on_click = function() self:ask_delete(p) end },
          }
        end },
      fab { id = "add_person", desc = "New person", on_click = function() self:ask_name(nil) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Times with AM and PM", id = "half_day", checked = prefs.half_day, on_change = function(on) prefs.half_day = on end },
      text { "To buy when it lasts for less than", size = "small" },
      radios { id = "low", items = each(LOW, days_text), selected = prefs.low, on_change = function(i) prefs.low = i end },
    }
  end,
}
