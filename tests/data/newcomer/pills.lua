-- Pill Box: which medicine is due today, what was taken, how many are left, and what to order from the pharmacy.
--
-- A dose is a medicine's n-th time on a day. What was taken or skipped is kept in a log; medicines taken as needed have no
-- times but a limit for a day. Archived medicines keep their part of the history.

local DAY = 24 * 60 * 60 * 1000
local MONTHS = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 }
local WEEKDAYS = { "Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed" }
local SNOOZES = { 10, 20, 30, 60 }
local CLOCK = { "07:00", "08:00", "12:00", "18:00", "21:00" }
local TIPS = { "Take tablets with a full glass of water", "Keep the leaflet", "Ask before you halve a tablet", "Not in the bathroom, please" }
local MAX_MEDS, MAX_LOG, READY_AFTER = 30, 300, 20000

app {
  package = "org.norn.pills",
  title = "Pill Box",
  main = "Main",
  bugs = { "untick_stock", "leap_day", "paused_due", "rename_twice", "order_offline", "snooze_setting", "reminder_opens", "needed_limit" },
  server = function(request, db)
    if request.path ~= "/order" then return nil, 404 end
    db.orders = (db.orders or 100) + 1
    return { number = db.orders }
  end,
  application = function()
    if storage.meds then return end
    local today = now() // DAY
    storage.next_id = 20
    storage.meds = {
      { id = 1, name = "Lisinopril", dose = "1 tablet", times = { "08:00" }, stock = 28, start = today - 40 },
      { id = 2, name = "Metformin", dose = "1 tablet", times = { "08:00", "18:00" }, stock = 46, start = today - 40 },
      { id = 3, name = "Vitamin D", dose = "5 drops", times = { "12:00" }, stock = 60, start = today - 10, every = 2 },
      { id = 4, name = "Simvastatin", dose = "1 tablet", times = { "21:00" }, stock = 6, start = today - 90 },
      { id = 5, name = "Paracetamol", dose = "500 mg", times = {}, limit = 2, stock = 16, start = today - 90 },
      { id = 6, name = "Amoxicillin", dose = "1 capsule", times = { "08:00" }, stock = 2, start = today - 60, archived = true },
    }
    storage.log = {
      { med = 6, day = today - 52, slot = 1, at = now() - 52 * DAY }, { med = 4, day = today - 1, slot = 1, at = now() - 11 * 3600000 },
      { med = 1, day = today - 1, slot = 1, at = now() - DAY }, { med = 2, day = today - 1, slot = 1, at = now() - DAY },
      { med = 2, day = today - 1, slot = 2, at = now() - 14 * 3600000, skipped = true },
    }
    storage.snoozed = {}
    prefs.snooze, prefs.low, prefs.hide_done, prefs.reminders, prefs.holiday = 10, 7, false, true, false
  end,
}

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function med_of(id) return (find(storage.meds, function(m) return m.id == id end)) end
local function today() return now() // DAY end
local function day_name(day) return WEEKDAYS[day % 7 + 1] .. " " .. date(day * DAY, "%d %b") end
local function key(med, day, slot) return med.id .. "/" .. day .. "/" .. slot end

local function record_of(med, day, slot)
  return find(storage.log, function(r) return r.med == med.id and r.day == day and r.slot == slot end)
end

local function record(med, day, slot, skipped)
  table.insert(storage.log, { med = med.id, day = day, slot = slot, at = now(), skipped = skipped })
  if #storage.log > MAX_LOG then table.remove(storage.log, 1) end
end

local function on_day(med, day)
  return not med.archived and day >= med.start and (day - med.start) % (med.every or 1) == 0
end

-- The doses of a day, by time. Paused medicines are not part of it.
local function doses(day)
  local result = {}
  for _, med in ipairs(storage.meds) do
    if on_day(med, day) and not med.paused then
      for slot, time in ipairs(med.times) do table.insert(result, { med = med, slot = slot, time = time }) end
    end
  end
  table.sort(result, function(a, b) return a.time < b.time end)
  return result
end

local function still_due(day)
  local due = 0
  for _, med in ipairs(storage.meds) do
    if on_day(med, day) and (not med.paused or bug("paused_due")) then
      for slot in ipairs(med.times) do
        if not record_of(med, day, slot) then due = due + 1 end
      end
    end
  end
  return due
end

local function step(day, by)
  day = day + by
  local number, month = tonumber(date(day * DAY, "%d")), tonumber(date(day * DAY, "%m"))
  if bug("leap_day") and number > MONTHS[month] then day = day + by end
  return day
end

local function taken_today(med)
  return #filter(storage.log, function(r) return r.med == med.id and r.day == today() and r.slot == 0 end)
end

local function remind(med)
  storage.first_reminder = storage.first_reminder or med.id
  notify { id = med.id, title = "Time for " .. med.name, text = med.dose, activity = "Medicine",
    extras = { id = bug("reminder_opens") and storage.first_reminder or med.id } }
  toast("You will find it among the notifications")
end

local function gone(what) return column { toolbar { what, up = true }, text { "This is no longer here", id = "gone" } } end

activity "Main" {
  create = function(self, intent, saved) self.day = saved and saved.day or today() end,
  save = function(self, out) out.day = self.day end,

  -- Only today's doses can be ticked.
  tick = function(self, d, on)
    if self.day ~= today() then return toast(self.day < today() and "Past days are closed" or "This day is still to come") end
    local old = record_of(d.med, self.day, d.slot)
    if on and (not old or old.skipped) then
      if d.med.stock < 1 then return toast("There is no " .. d.med.name .. " left") end
      if old then table.remove(storage.log, index_of(storage.log, old)) end
      record(d.med, self.day, d.slot)
      d.med.stock = d.med.stock - 1
      storage.snoozed[key(d.med, self.day, d.slot)] = nil
    elseif old and not on then
      table.remove(storage.log, index_of(storage.log, old))
      if not bug("untick_stock") then d.med.stock = d.med.stock + 1 end
    end
  end,
  snooze = function(self, d)
    local minutes = bug("snooze_setting") and SNOOZES[1] or prefs.snooze
    local k = key(d.med, self.day, d.slot)
    local total = tonumber(d.time:sub(1, 2)) * 60 + tonumber(d.time:sub(4)) + minutes
    storage.snoozed[k] = format("%02d:%02d", total // 60 % 24, total % 60)
  end,
  take_needed = function(self, med)
    if med.stock < 1 then return toast("There is no " .. med.name .. " left") end
    if taken_today(med) >= med.limit and not bug("needed_limit") then return toast("That was enough for one day") end
    record(med, today(), 0)
    med.stock = med.stock - 1
  end,
  dose_menu = function(self, d)
    local done = record_of(d.med, self.day, d.slot)
    local can = self.day == today() and not done
    self:popup {
      { "Snooze for " .. prefs.snooze .. " minutes", id = "snooze", enabled = can, on_click = function() self:snooze(d) end },
      { "Skip", id = "skip", enabled = can, on_click = function() record(d.med, self.day, d.slot, true) end },
      { "About " .. d.med.name, id = "about", on_click = function() self:start("Medicine", { id = d.med.id }) end },
    }
  end,
  menu = function(self)
    return {
      { "Medicines", id = "medicines", on_click = function() self:start("Medicines") end },
      { "History", id = "history", on_click = function() self:start("History") end },
      { "Order", id = "refill", on_click = function() self:start("Refill") end },
      { "Tip", id = "tip", on_click = function() self:dialog { title = "Tip", message = TIPS[random(#TIPS)], ok = "Thanks" } end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  dose_row = function(self, d)
    local done = record_of(d.med, self.day, d.slot)
    local later = storage.snoozed[key(d.med, self.day, d.slot)]
    return column {
      check { d.time .. " " .. d.med.name, id = "dose", checked = done ~= nil and not done.skipped,
        on_change = function(on) self:tick(d, on) end, on_long_click = function() self:dose_menu(d) end },
      text { done and done.skipped and "Skipped" or d.med.dose .. ", " .. d.med.stock .. " left" .. (later and ", snoozed until " .. later or ""),
        id = "dose_line", size = "small" },
    }
  end,
  view = function(self)
    local shown = doses(self.day)
    if prefs.hide_done then shown = filter(shown, function(d) return not record_of(d.med, self.day, d.slot) end) end
    local needed = self.day == today() and filter(storage.meds, function(m) return m.limit and not m.archived and not m.paused end) or {}
    return column {
      toolbar { "Pill Box", subtitle = self.day == today() and still_due(self.day) .. " still due today" or nil },
      row { image_button { id = "previous", desc = "Previous day", on_click = function() self.day = step(self.day, -1) end },
        button { day_name(self.day), id = "day", weight = 1, on_click = function() self.day = today() end },
        image_button { id = "next", desc = "Next day", on_click = function() self.day = step(self.day, 1) end } },
      prefs.tip_day ~= today() and not prefs.holiday and row { button { "OK", id = "tip_ok", on_click = function() prefs.tip_day = today() end },
        text { "Once a day: is the box for tomorrow filled?", id = "day_tip", size = "small", weight = 1 } },
      list { id = "doses", items = shown, weight = 1, empty = text { "Nothing to take", id = "empty" }, row = function(d) return self:dose_row(d) end },
      #needed > 0 and text { "As needed, not part of what is due", id = "needed_head", size = "small" },
      each(needed, function(m)
        return row { text { m.name .. ": " .. taken_today(m) .. " taken, " .. m.stock .. " left", id = "needed", weight = 1 },
          button { "Take", id = "take", on_click = function() self:take_needed(m) end } }
      end),
    }
  end,
}

activity "Medicines" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.query = saved.tab or 1, saved.query or ""
  end,
  save = function(self, out) out.tab, out.query = self.tab, self.query end,

  -- A search finds archived medicines too, whatever the tab.
  shown = function(self)
    local meds = filter(storage.meds, function(m)
      if self.query ~= "" then return contains(m.name:lower(), self.query:lower()) end
      return (m.archived == true) == (self.tab == 2)
    end)
    table.sort(meds, function(a, b) return a.name:lower() < b.name:lower() end)
    return meds
  end,
  archive = function(self, med)
    med.archived = true
    cancel_notification(med.id)
    self.undo = med.id
    if self.timer then cancel(self.timer) end
    self.timer = self:after(5000, function() self.undo, self.timer = nil, nil end)
  end,
  med_menu = function(self, med)
    local items = { { med.archived and "Take again" or "Archive", id = "archive", on_click = function()
      if med.archived then med.archived = nil else self:archive(med) end
    end } }
    if not med.archived then
      table.insert(items, { med.paused and "Resume" or "Pause", id = "pause", on_click = function() med.paused = not med.paused or nil end })
      table.insert(items, { "Remind me", id = "remind", on_click = function()
        if prefs.reminders then remind(med) else toast("Reminders are off") end
      end })
    end
    self:popup(items)
  end,
  view = function(self)
    return column {
      toolbar { "Medicines", up = true },
      tabs { id = "shelf", titles = { "In use", "Archive" }, selected = self.tab, on_change = function(i) self.tab = i end },
      field { id = "query", hint = "Search, archive included", text = self.query, max = 20, on_change = function(s) self.query = s end },
      list { id = "meds", items = self:shown(), weight = 1, empty = text { "None", id = "empty" },
        row = function(m)
          local state = m.archived and "archived" or m.paused and "paused" or #m.times > 0 and table.concat(m.times, ", ") or "as needed"
          return column { id = "med_row", text { m.name, id = "name" }, text { state, id = "state", size = "small" } }
        end,
        on_item_click = function(_, m) self:start("Medicine", { id = m.id }) end,
        on_item_long_click = function(_, m) self:med_menu(m) end },
      self.undo and row { button { "Undo", id = "undo", on_click = function()
          local med = med_of(self.undo)
          self.undo = nil
          if med then med.archived = nil end
        end }, text { "Archived", id = "archived", weight = 1 } },
      fab { id = "add", desc = "New medicine", on_click = function() self:start("EditMedicine") end },
    }
  end,
}

activity "Medicine" {
  -- The share of the scheduled doses of the last seven days that was taken; skipped ones count as missed.
  share = function(self, med)
    local due, taken = 0, 0
    for day = today() - 7, today() - 1 do
      for slot in ipairs(on_day(med, day) and med.times or {}) do
        due = due + 1
        local r = record_of(med, day, slot)
        if r and not r.skipped then taken = taken + 1 end
      end
    end
    return due, taken
  end,
  ask_stock = function(self, med)
    self:dialog { title = "Add to the box", cancel = "Cancel", ok = "Add",
      view = function() return column { field { id = "pieces", hint = "How many", input = "number", max = 3 } } end,
      on_ok = function()
        local n = tonumber(self:text("pieces"))
        if not n or n < 1 then return true end
        med.stock = math.min(999, med.stock + math.floor(n))
      end }
  end,
  view = function(self)
    local med = med_of(self.intent.id)
    if not med then return gone("Medicine") end
    local due, taken = self:share(med)
    return column {
      toolbar { med.name, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("EditMedicine", { id = med.id }) end } } },
      text { med.dose .. (#med.times > 0 and " at " .. table.concat(med.times, ", ") or " as needed"), id = "dose" },
      med.every and text { "Every " .. med.every .. " days", id = "every" },
      med.limit and text { "Not more than " .. med.limit .. " a day", id = "limit" },
      (med.paused or med.archived) and text { med.archived and "Archived" or "Paused", id = "state" },
      text { med.stock .. " left" .. (med.stock <= prefs.low and ", order soon" or ""), id = "stock" },
      due > 0 and text { "Last 7 days without today: " .. taken .. " of " .. due .. " taken", id = "share", size = "small" },
      button { "Add to the box", id = "add_stock", on_click = function() self:ask_stock(med) end },
      button { "Its history", id = "its_history", on_click = function() self:start("History", { med = med.id }) end },
    }
  end,
}

-- A new medicine left with Back is kept as a draft.
activity "EditMedicine" {
  create = function(self, intent, saved)
    self.med = med_of(intent.id)
    local from = saved or self.med or storage.draft or {}
    self.times = copy(from.times or { "08:00" })
  end,
  save = function(self, out) out.times = self.times end,
  leave = function(self)
    if self.med then return end
    storage.draft = nil
    if trim(self:text("name")) == "" then return end
    storage.draft = { name = self:text("name"), dose = self:text("dose_text"), stock = self:text("stock"), times = copy(self.times) }
    toast("Kept as a draft")
  end,
  back = function(self) self:leave() end,
  toggle_time = function(self, time, on)
    local i = index_of(self.times, time)
    if on and not i then table.insert(self.times, time) elseif i and not on then table.remove(self.times, i) end
    table.sort(self.times)
  end,
  store = function(self)
    local name, dose, stock = trim(self:text("name")), trim(self:text("dose_text")), tonumber(self:text("stock"))
    if name == "" then return toast("It needs a name") end
    local med = self.med
    if find(storage.meds, function(m) return m ~= med and m.name:lower() == name:lower() end) then return toast("There is one of that name") end
    if #self.times == 0 and not (med and med.limit) then return toast("When is it taken?") end
    if bug("rename_twice") then med = find(storage.meds, function(m) return m.name == name end) end
    if not med then
      if #storage.meds >= MAX_MEDS then return toast("Too many medicines") end
      med = { id = new_id(), start = today() }
      table.insert(storage.meds, med)
      storage.draft = nil
    end
    med.name, med.dose, med.times, med.stock = name, dose ~= "" and dose or "1 piece", copy(self.times), math.floor(stock or 0)
    self:finish()
  end,
  view = function(self)
    local med = self.med
    local old = med and { name = med.name, dose = med.dose, stock = tostring(med.stock) } or storage.draft or {}
    local function up() self:leave() self:finish() end
    return column {
      toolbar { med and "Edit medicine" or "New medicine", up = up, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        not med and old.name and text { "Your draft", id = "from_draft", size = "small" },
        field { id = "name", hint = "Name", text = old.name or "", max = 20 },
        field { id = "dose_text", hint = "Dose", text = old.dose or "", max = 20 },
        field { id = "stock", hint = "How many are in the box", input = "number", text = old.stock or "", max = 3 },
        not (med and med.limit) and each(CLOCK, function(time)
          return check { time, id = "time", checked = index_of(self.times, time) ~= nil, on_change = function(on) self:toggle_time(time, on) end }
        end),
      },
    }
  end,
}

-- Newest first; what was archived stays, for the doctor.
activity "History" {
  create = function(self, intent, saved)
    self.med = intent.med
    if saved then self.med = saved.med end
  end,
  save = function(self, out) out.med = self.med end,
  ask_med = function(self)
    local meds = copy(storage.meds)
    local items = each(meds, function(m) return m.name end)
    table.insert(items, 1, "All medicines")
    self:dialog { title = "History of", items = items, on_item = function(i) self.med = i > 1 and meds[i - 1].id or nil end }
  end,
  view = function(self)
    local rows = filter(storage.log, function(r) return not self.med or r.med == self.med end)
    table.sort(rows, function(a, b) return a.at > b.at end)
    local skipped = #filter(rows, function(r) return r.skipped end)
    return column {
      toolbar { "History", up = true, subtitle = self.med and med_of(self.med) and med_of(self.med).name or "All medicines",
        actions = { { "Filter", id = "filter", on_click = function() self:ask_med() end } } },
      text { #rows - skipped .. " taken, " .. skipped .. " skipped, archived ones too", id = "sum", size = "small" },
      list { id = "history", items = rows, empty = text { "Nothing yet", id = "empty" },
        row = function(r)
          return column { id = "history_row", text { med_of(r.med).name .. (r.skipped and " (skipped)" or ""), id = "what" },
            text { day_name(r.day) .. (r.slot == 0 and ", as needed" or ""), id = "when", size = "small" } }
        end,
        on_item_click = function(_, r) self:start("Medicine", { id = r.med }) end },
    }
  end,
}

-- What is running out can be ordered; the pharmacy needs a while, then it can be fetched.
activity "Refill" {
  create = function(self) self:every(5000, function() end) end,
  state = function(self, med)
    if not med.ordered then return "not ordered" end
    return now() - med.ordered >= READY_AFTER and "ready" or "ordered"
  end,
  order = function(self, med)
    local id = med.id
    self.sending = true
    if bug("order_offline") then med.ordered = now() end
    net.post("https://pharmacy.example.org/order", { name = med.name }, function(reply)
      self.sending = false
      if not reply.ok then return toast("No connection to the pharmacy") end
      local m = med_of(id)
      if m then m.ordered = now() end
      toast("Order " .. reply.body.number)
    end)
  end,
  fetch = function(self, med)
    med.ordered = nil
    med.stock = math.min(999, med.stock + 30)
    toast("30 more in the box")
  end,
  view = function(self)
    local low = filter(storage.meds, function(m) return not m.archived and (m.stock <= prefs.low or m.ordered) end)
    return column {
      toolbar { "Order", up = true, subtitle = prefs.low .. " or fewer left" },
      self.sending and progress { id = "sending", spinning = true },
      list { id = "low", items = low, empty = text { "There is enough of everything", id = "empty" },
        row = function(m)
          local state = self:state(m)
          return row { text { m.name .. ": " .. m.stock .. " left, " .. state, id = "low_row", weight = 1 },
            state == "not ordered" and button { "Order", id = "order", enabled = not self.sending, on_click = function() self:order(m) end },
            state == "ready" and button { "Fetched", id = "fetched", on_click = function() self:fetch(m) end } }
        end },
      button { "Call the pharmacy", id = "call", on_click = function() self:start_implicit { action = "DIAL", uri = "tel:555100" } end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text { "Snooze for" },
      spinner { id = "snooze_time", items = each(SNOOZES, function(n) return n .. " minutes" end), selected = index_of(SNOOZES, prefs.snooze),
        on_change = function(i) prefs.snooze = SNOOZES[i] end },
      text { "Order when this many are left: " .. prefs.low, id = "low_text" },
      slider { id = "low_limit", min = 0, max = 30, step = 1, value = prefs.low, on_change = function(v) prefs.low = math.floor(v) end },
      switch { "Hide what was taken or skipped", id = "hide_done", checked = prefs.hide_done, on_change = function(b) prefs.hide_done = b end },
      switch { "Reminders", id = "reminders", checked = prefs.reminders, enabled = not prefs.holiday, on_change = function(b) prefs.reminders = b end },
      switch { "Holiday", id = "holiday", checked = prefs.holiday, on_change = function(b)
        prefs.holiday = b
        if b and prefs.reminders then prefs.reminders = false toast("Reminders are off now, switch them on when you are back") end
      end },
    }
  end,
}
