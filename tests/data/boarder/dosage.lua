-- Dosage: which medicine to take when. Today's doses, medicines with their stock, a wizard for new ones, a history.
--
-- A medicine: { id, name, form, times = { hours }, stock, archived }. One without times is taken when needed.
-- The log has a line for each dose: { med, hour, day = "2024-05-01", what = "taken" | "skipped" }. The day begins at four in the morning.

local HOUR = 3600 * 1000
local DAY = 24 * HOUR
local FORMS = { "pill", "capsule", "drop", "puff" }
local HOURS = { 7, 9, 12, 15, 18, 22 }
local STEPS = { "Name", "Times", "Stock", "All right?" }
local WARNINGS = { 3, 5, 7, 14 }

app {
  package = "org.example.dosage",
  title = "Dosage",
  main = "Today",
  bugs = { "untake_keeps_stock", "skip_uses_stock", "noon_as_zero", "wizard_forgets_times", "cancel_refills", "archived_today", "one_days",
    "back_to_medicines" },
  application = function()
    if storage.meds then return end
    storage.meds = {
      { id = 1, name = "Lisinopril", form = 1, times = { 7 }, stock = 24 },
      { id = 2, name = "Metformin", form = 1, times = { 7, 18 }, stock = 50 },
      { id = 3, name = "Vitamin D", form = 2, times = { 12 }, stock = 2 },
      { id = 4, name = "Salbutamol", form = 4, times = {}, stock = 110 },
      { id = 5, name = "Atorvastatin", form = 1, times = { 22 }, stock = 9 },
      { id = 6, name = "Ibuprofen", form = 1, times = {}, stock = 4, archived = true },
    }
    storage.next_id = 7
    prefs.twelve = false
    prefs.warning = 2
    prefs.ask_skip = true
    storage.log = {}
    for back = 4, 1, -1 do
      local day = date(now() - 4 * HOUR - back * DAY, "%Y-%m-%d")
      for _, m in ipairs(storage.meds) do
        for _, hour in ipairs(m.archived and {} or m.times) do
          table.insert(storage.log, { med = m.id, hour = hour, day = day, what = back % 2 == 0 and hour == 22 and "skipped" or "taken" })
        end
      end
    end
    table.insert(storage.log, { med = 1, hour = 7, day = date(now() - 4 * HOUR, "%Y-%m-%d"), what = "taken" })
  end,
}

local function today() return date(now() - 4 * HOUR, "%Y-%m-%d") end
local function med_of(id) return find(storage.meds, function(m) return m.id == id end) end
local function count(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function time_text(hour)
  if not prefs.twelve then return format("%02d:00", hour) end
  local h = hour % 12
  if h == 0 and not bug("noon_as_zero") then h = 12 end
  return h .. ":00 " .. (hour < 12 and "am" or "pm")
end

local function times_text(m)
  if #m.times == 0 then return "when needed" end
  return table.concat(each(m.times, time_text), ", ")
end

local function days_left(m) return #m.times > 0 and m.stock // #m.times or nil end

local function days_text(m)
  local days = days_left(m)
  if not days then return count(m.stock, FORMS[m.form]) .. " left" end
  if days == 0 then return "Not enough for a day" end
  if bug("one_days") then return days .. " days left" end
  return count(days, "day") .. " left"
end

local function is_low(m)
  local days = days_left(m)
  return days and days < WARNINGS[prefs.warning] and not m.archived
end

local function line_of(med, hour, day)
  return find(storage.log, function(l) return l.med == med and l.hour == hour and l.day == day end)
end

-- Skipped doses stay in the box.
local function mark(m, hour, what)
  table.insert(storage.log, { med = m.id, hour = hour, day = today(), what = what })
  if what == "taken" or bug("skip_uses_stock") then m.stock = math.max(0, m.stock - 1) end
end

local function unmark(m, hour)
  local line, at = line_of(m.id, hour, today())
  if not line then return end
  table.remove(storage.log, at)
  if line.what == "taken" and not bug("untake_keeps_stock") then m.stock = m.stock + 1 end
end

local function bottom(self, here)
  local function item(name)
    return { name, id = "nav_" .. name:lower(), selected = here == name, on_click = function()
      if here == name then return end
      if name ~= "Today" then self:start(name) end
      if here ~= "Today" then self:finish() end
    end }
  end
  return bottom_bar { items = { item("Today"), item("Medicines"), item("History") } }
end

-- ---- today ----

activity "Today" {
  doses = function(self)
    local doses = {}
    for _, m in ipairs(storage.meds) do
      if not m.archived or bug("archived_today") then
        for _, hour in ipairs(m.times) do table.insert(doses, { med = m, hour = hour, line = line_of(m.id, hour, today()) }) end
      end
    end
    table.sort(doses, function(a, b) return a.hour < b.hour end)
    return doses
  end,

  toggle = function(self, dose)
    if dose.line then return unmark(dose.med, dose.hour) end
    if dose.med.stock == 0 then return toast("There is none left of " .. dose.med.name) end
    mark(dose.med, dose.hour, "taken")
  end,

  skip = function(self, dose)
    if dose.line then return toast("Already " .. dose.line.what) end
    if not prefs.ask_skip then return mark(dose.med, dose.hour, "skipped") end
    self:dialog { title = "Skip " .. dose.med.name .. "?", message = "It stays in the box", cancel = "Cancel", ok = "Skip",
      on_ok = function() mark(dose.med, dose.hour, "skipped") end }
  end,

  actions = function(self, dose)
    self:popup {
      { "Skip", id = "skip", on_click = function() self:skip(dose) end },
      { "About " .. dose.med.name, id = "open_med", on_click = function() self:start("Medicine", { id = dose.med.id, from = "Today" }) end },
    }
  end,

  menu = function(self)
    return {
      { "Take all", id = "take_all", on_click = function()
        for _, dose in ipairs(self:doses()) do
          if not dose.line and dose.med.stock > 0 then mark(dose.med, dose.hour, "taken") end
        end
      end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    local doses = self:doses()
    local done = #filter(doses, function(d) return d.line ~= nil end)
    local low = filter(storage.meds, is_low)
    return column {
      toolbar { "Today", subtitle = done .. " of " .. count(#doses, "dose") },
      low[1] and text { "Running low: " .. table.concat(each(low, function(m) return m.name end), ", "), id = "low" },
      list { id = "doses", items = doses, empty = text { "Nothing to take today", id = "empty" },
        row = function(d)
          local sign = d.line and (d.line.what == "taken" and "✓ " or "– ") or "○ "
          return row { text { sign .. d.med.name, id = "dose", weight = 1 }, text { time_text(d.hour), id = "time" } }
        end,
        on_item_click = function(_, d) self:toggle(d) end,
        on_item_long_click = function(_, d) self:actions(d) end },
      bottom(self, "Today"),
    }
  end,
}

-- ---- medicines ----

activity "Medicines" {
  menu = function(self)
    return { { "Archive", id = "archive", on_click = function() self:start("Archive") end } }
  end,
  view = function(self)
    local meds = filter(storage.meds, function(m) return not m.archived end)
    table.sort(meds, function(a, b) return a.name < b.name end)
    return column {
      toolbar { "Medicines", up = true, subtitle = count(#meds, "medicine"), actions = {
        { "Add medicine", id = "add", on_click = function() self:start("Wizard") end } } },
      list { id = "meds", items = meds, empty = text { "No medicines", id = "empty" },
        row = function(m)
          return column { row { text { m.name, id = "med", weight = 1 }, text { (is_low(m) and "! " or "") .. days_text(m), id = "left" } },
            text { times_text(m), id = "times", size = "small" } }
        end,
        on_item_click = function(_, m) self:start("Medicine", { id = m.id, from = "Medicines" }) end },
      bottom(self, "Medicines"),
    }
  end,
}

activity "Medicine" {
  leave = function(self)
    if bug("back_to_medicines") and self.intent.from ~= "Medicines" then self:start("Medicines") end
    self:finish()
    return true
  end,
  back = function(self) return self:leave() end,

  refill = function(self, m)
    local function add()
      local n = tonumber(self:text("amount"))
      if n and n > 0 then m.stock = math.min(999, m.stock + n // 1) end
    end
    self:set_text("amount", "")
    self:dialog { title = "Refill " .. m.name, ok = "Add", cancel = "Cancel",
      view = function() return column { text { "In the box: " .. m.stock, id = "in_box" }, field { id = "amount", hint = "How many more", input = "number", max = 3 } } end,
      on_ok = add, on_cancel = bug("cancel_refills") and add or nil }
  end,

  take_now = function(self, m)
    if m.stock == 0 then return toast("There is none left") end
    table.insert(storage.log, { med = m.id, hour = date(now(), "%H") // 1, day = today(), what = "taken", extra = true })
    m.stock = m.stock - 1
  end,

  ask_archive = function(self, m)
    self:dialog { title = "Archive " .. m.name .. "?", message = "It is not asked for any more. The history keeps it.", cancel = "Cancel", ok = "Archive",
      on_ok = function()
        m.archived = true
        self:leave()
      end }
  end,

  view = function(self)
    local m = med_of(self.intent.id)
    if not m then return column { toolbar { "Medicine", up = true }, text { "Deleted", id = "gone" } } end
    local lines = filter(storage.log, function(l) return l.med == m.id and l.what == "taken" end)
    return column {
      toolbar { m.name, up = function() self:leave() end, actions = {
        { "Edit", id = "edit", on_click = function() self:start("Edit", { id = m.id }) end } } },
      text { "Take: " .. times_text(m), id = "times" },
      text { "Stock: " .. count(m.stock, FORMS[m.form]), id = "stock" },
      #m.times > 0 and text { days_text(m), id = "days" },
      text { "Taken " .. count(#lines, "time") .. " so far", id = "taken" },
      button { "Refill", id = "refill", on_click = function() self:refill(m) end },
      #m.times == 0 and button { "Take one now", id = "take_now", on_click = function() self:take_now(m) end },
      not m.archived and button { "Archive", id = "archive", on_click = function() self:ask_archive(m) end },
    }
  end,
}

local function hour_checks(chosen)
  return each(HOURS, function(hour)
    return check { time_text(hour), id = "hour_" .. hour, checked = index_of(chosen, hour) ~= nil, on_change = function(on)
      local at = index_of(chosen, hour)
      if on and not at then table.insert(chosen, hour) end
      if not on and at then table.remove(chosen, at) end
      table.sort(chosen)
    end }
  end)
end

activity "Edit" {
  create = function(self, intent, saved)
    local m = med_of(intent.id) or { name = "", times = {}, form = 1 }
    self.name = m.name
    self.times = saved and saved.times or copy(m.times)
    self.form = saved and saved.form or m.form
  end,
  save = function(self, out) out.times, out.form = self.times, self.form end,
  store = function(self)
    local m, name = med_of(self.intent.id), trim(self:text("name"))
    if name == "" then return toast("What is it called?") end
    if not m then return self:finish() end
    m.name, m.times, m.form = name, self.times, self.form
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { "Edit medicine", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = self.name, max = 30 },
        spinner { id = "form", items = FORMS, selected = self.form, on_change = function(i) self.form = i end },
        hour_checks(self.times),
      },
    }
  end,
}

-- ---- a new one, in four steps ----

activity "Wizard" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.step = saved.step or 1
    self.draft = saved.draft or { name = "", form = 1, times = {}, stock = "" }
  end,
  save = function(self, out) out.step, out.draft = self.step, self.draft end,

  onward = function(self)
    local d = self.draft
    if self.step == 1 and trim(d.name) == "" then return toast("What is it called?") end
    if self.step == 1 and find(storage.meds, function(m) return m.name:lower() == trim(d.name):lower() end) then return toast("You have this already") end
    if self.step == 3 and not tonumber(d.stock) then return toast("How many are in the box?") end
    self:hide_keyboard()
    if self.step < 4 then
      self.step = self.step + 1
      return
    end
    table.insert(storage.meds, { id = storage.next_id, name = trim(d.name), form = d.form, times = d.times, stock = tonumber(d.stock) // 1 })
    storage.next_id = storage.next_id + 1
    self:finish()
  end,

  backward = function(self)
    if self.step == 1 then
      self:ask_leave()
      return true
    end
    self:hide_keyboard()
    if self.step == 3 and bug("wizard_forgets_times") then self.draft.times = {} end
    self.step = self.step - 1
    return true
  end,
  back = function(self) return self:backward() end,

  ask_leave = function(self)
    if trim(self.draft.name) == "" then return self:finish() end
    self:dialog { title = "Leave without adding?", ok = "Leave", on_ok = function() self:finish() end, cancel = "Stay" }
  end,

  page = function(self)
    local d = self.draft
    if self.step == 1 then
      return column {
        field { id = "new_name", hint = "Name", text = d.name, max = 30, on_change = function(s) d.name = s end },
        radios { id = "new_form", items = FORMS, selected = d.form, on_change = function(i) d.form = i end },
      }
    end
    if self.step == 2 then
      return column { text { "None: when needed", id = "hint", size = "small" }, hour_checks(d.times) }
    end
    if self.step == 3 then
      return field { id = "new_stock", hint = "How many are in the box", text = d.stock, input = "number", max = 3, on_change = function(s) d.stock = s end }
    end
    return column {
      text { trim(d.name), id = "sum_name", size = "large" },
      text { "Take: " .. times_text(d), id = "sum_times" },
      text { "Stock: " .. count(tonumber(d.stock) or 0, FORMS[d.form]), id = "sum_stock" },
    }
  end,

  view = function(self)
    return column {
      toolbar { "New medicine", subtitle = self.step .. " of 4: " .. STEPS[self.step], up = function() self:ask_leave() end },
      scroll {
        self:page(),
        row {
          button { "Back", id = "previous", enabled = self.step > 1, on_click = function() self:backward() end },
          button { self.step == 4 and "Add" or "Next", id = "next", on_click = function() self:onward() end },
        },
      },
    }
  end,
}

-- ---- archive, history, settings ----

activity "Archive" {
  view = function(self)
    local meds = filter(storage.meds, function(m) return m.archived end)
    return column {
      toolbar { "Archive", up = true },
      list { id = "archived", items = meds, empty = text { "Nothing archived", id = "empty" },
        row = function(m) return text { m.name, id = "med" } end,
        on_item_click = function(_, m)
          self:popup {
            { "Take up again", id = "unarchive", on_click = function() m.archived = nil end },
            { "Delete for ever", id = "delete", on_click = function()
              storage.log = filter(storage.log, function(l) return l.med ~= m.id end)      -- its history goes with it
              table.remove(storage.meds, index_of(storage.meds, m))
            end },
          }
        end },
    }
  end,
}

activity "History" {
  create = function(self, intent, saved) self.only = saved and saved.only or 1 end,
  save = function(self, out) out.only = self.only end,
  -- What is taken when needed counts for nothing in the share.
  share = function(self)
    local planned = filter(storage.log, function(l) return not l.extra end)
    local taken = #filter(planned, function(l) return l.what == "taken" end)
    return #planned > 0 and (taken * 100 + #planned // 2) // #planned or 0
  end,
  view = function(self)
    local names = { "Everything", "Taken", "Skipped" }
    local lines = filter(storage.log, function(l) return self.only == 1 or l.what == names[self.only]:lower() end)
    table.sort(lines, function(a, b)
      if a.day ~= b.day then return a.day > b.day end
      return a.hour > b.hour
    end)
    return column {
      toolbar { "History", up = true, subtitle = self:share() .. " % taken" },
      spinner { id = "only", items = names, selected = self.only, on_change = function(i) self.only = i end },
      list { id = "lines", items = lines, empty = text { "Nothing yet", id = "empty" },
        row = function(l)
          return row { text { med_of(l.med).name .. (l.what == "skipped" and " (skipped)" or ""), id = "line", weight = 1 },
            text { l.day .. " " .. time_text(l.hour), id = "when", size = "small" } }
        end,
        on_item_click = function(_, l) self:start("Medicine", { id = l.med, from = "History" }) end },
      bottom(self, "History"),
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "12-hour clock", id = "twelve", checked = prefs.twelve, on_change = function(b) prefs.twelve = b end },
      switch { "Ask before skipping", id = "ask_skip", checked = prefs.ask_skip, on_change = function(b) prefs.ask_skip = b end },
      text { "Warn when there is less than", id = "warn_label", size = "small" },
      spinner { id = "warning", items = each(WARNINGS, function(n) return n .. " days" end), selected = prefs.warning,
        on_change = function(i) prefs.warning = i end },
      text { "The day begins at four in the morning.", id = "hint", size = "small" },
    }
  end,
}
