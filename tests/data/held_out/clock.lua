-- Clock: alarms, the time in other cities, a timer with presets, a stopwatch, and the alarms of the week to come.
-- Days of the week are numbered from Monday. The device's own time is UTC; cities have offsets in minutes.

local MINUTE = 60 * 1000
local DAY = 24 * 60 * MINUTE
local TABS = { "Alarms", "World", "Timer", "Stopwatch" }
local DAY_NAMES = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" }
local SNOOZES = { 5, 10, 15, 20 }
local CITIES = {
  { name = "Anchorage", offset = -540 }, { name = "Delhi", offset = 330 }, { name = "Havana", offset = -300 }, { name = "Kathmandu", offset = 345 },
  { name = "Lisbon", offset = 0 }, { name = "Nairobi", offset = 180 }, { name = "Oslo", offset = 60 }, { name = "St. John's", offset = -210 },
  { name = "Tokyo", offset = 540 }, { name = "Wellington", offset = 780 },
}

app {
  package = "org.norn.clock",
  title = "Clock",
  main = "Main",
  bugs = { "midnight_format", "week_start_shift", "half_hour_zone", "undo_to_end", "next_of_disabled", "laps_after_reset", "resume_restarts",
    "order_after_edit" },
  application = function()
    if storage.alarms then return end
    storage.alarms = {
      { id = 1, hour = 0, minute = 30, label = "Night train", days = { true, false, false, false, false, false, false }, on = false },
      { id = 2, hour = 6, minute = 30, label = "Work", days = { true, true, true, true, true, false, false }, on = true },
      { id = 3, hour = 9, minute = 15, label = "Weekend", days = { false, false, false, false, false, true, true }, on = true, snooze = 20 },
      { id = 4, hour = 21, minute = 0, label = "Water the plants", days = { false, false, true, false, false, false, false }, on = true },
    }
    storage.cities = { "Tokyo", "Lisbon", "Havana" }
    storage.presets = { { id = 5, name = "Tea", seconds = 240 }, { id = 6, name = "Rice", seconds = 1080 }, { id = 7, name = "Bread", seconds = 5400 } }
    storage.watch = { spent = 0, laps = {} }
    storage.next_id = 8
    prefs.h24, prefs.sunday_first, prefs.snooze, prefs.show_next = true, false, 10, true
  end,
}

local function alarm_by_id(id) return find(storage.alarms, function(alarm) return alarm.id == id end) end
local function city_by_name(name) return find(CITIES, function(city) return city.name == name end) end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id - 1
end

-- ---- times as text ----

local function time_text(minutes)
  local hour, minute = minutes // 60, minutes % 60
  if prefs.h24 then return format("%02d:%02d", hour, minute) end
  local twelve = (hour + 11) % 12 + 1
  if bug("midnight_format") and hour < 12 then twelve = hour end
  return format("%d:%02d %s", twelve, minute, hour < 12 and "AM" or "PM")
end

local function duration_text(ms)
  local seconds = ms // 1000
  local hours, minutes = seconds // 3600, seconds // 60 % 60
  if hours > 0 then return format("%d:%02d:%02d", hours, minutes, seconds % 60) end
  return format("%d:%02d", minutes, seconds % 60)
end

local function offset_text(offset)
  local sign = offset < 0 and "-" or "+"
  return format("UTC%s%d:%02d", sign, math.abs(offset) // 60, math.abs(offset) % 60)
end

local function alarm_time(alarm) return alarm.hour * 60 + alarm.minute end
local function weekday(ms) return (ms // DAY + 3) % 7 + 1 end
local function week_order() return prefs.sunday_first and { 7, 1, 2, 3, 4, 5, 6 } or { 1, 2, 3, 4, 5, 6, 7 } end
local function repeats(days) return index_of(days, true) ~= nil end

local function days_text(days)
  if not repeats(days) then return "Once" end
  if not index_of(days, false) then return "Every day" end
  return table.concat(each(filter(week_order(), function(d) return days[d] end), function(d) return DAY_NAMES[d] end), " ")
end

-- ---- when alarms ring ----

-- the moment an alarm rings next
local function next_ring(alarm)
  local midnight = now() // DAY * DAY
  for ahead = 0, 7 do
    local at = midnight + ahead * DAY + alarm_time(alarm) * MINUTE
    if at > now() and (not repeats(alarm.days) or alarm.days[weekday(at)]) then return at end
  end
end

local function next_text()
  local first
  for _, alarm in ipairs(storage.alarms) do
    local at = (alarm.on or bug("next_of_disabled")) and next_ring(alarm)
    if at and (not first or at < first) then first = at end
  end
  if not first then return "No alarm" end
  return "Next: " .. DAY_NAMES[weekday(first)] .. " " .. time_text(first % DAY // MINUTE)
end

local function sort_alarms()
  table.sort(storage.alarms, function(a, b) return alarm_time(a) < alarm_time(b) end)
end

-- ---- the four tabs ----

activity "Main" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,
  menu = function(self)
    return {
      { "Week ahead", id = "week", on_click = function() self:start("Week") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  alarms = function(self)
    return list { id = "alarms", items = storage.alarms, empty = text { "No alarms", id = "empty" },
      row = function(alarm)
        return row {
          column { weight = 1,
            text { time_text(alarm_time(alarm)), id = "alarm_time", size = "large" },
            text { (alarm.label ~= "" and alarm.label .. ", " or "") .. days_text(alarm.days), id = "alarm_label", size = "small" } },
          switch { id = "alarm_on", desc = "On", checked = alarm.on, on_change = function(on) alarm.on = on end },
        }
      end,
      on_item_click = function(_, alarm) self:start("EditAlarm", { id = alarm.id }) end }
  end,

  city_row = function(self, name)
    local offset = city_by_name(name).offset
    if bug("half_hour_zone") then offset = offset // 60 * 60 end
    local there = now() + offset * MINUTE
    local days = there // DAY - now() // DAY
    local day = days > 0 and "Tomorrow" or days < 0 and "Yesterday" or "Today"
    return row {
      column { weight = 1, text { name, id = "city" }, text { day .. ", " .. offset_text(city_by_name(name).offset), id = "city_day", size = "small" } },
      text { time_text(there % DAY // MINUTE), id = "city_time", size = "large" },
    }
  end,
  remove_city = function(self, name)
    local at = index_of(storage.cities, name)
    table.remove(storage.cities, at)
    self:snackbar(name .. " removed", "Undo", function()
      if index_of(storage.cities, name) then return end
      local last = #storage.cities + 1
      table.insert(storage.cities, bug("undo_to_end") and last or math.min(at, last), name)
    end)
  end,
  move_up = function(self, name)
    local at = index_of(storage.cities, name)
    if at > 1 then table.insert(storage.cities, at - 1, table.remove(storage.cities, at)) end
  end,
  world = function(self)
    return list { id = "cities", items = storage.cities, empty = text { "No cities", id = "empty" }, row = function(name) return self:city_row(name) end,
      on_item_long_click = function(_, name)
        self:popup { { "Move up", id = "move_up", on_click = function() self:move_up(name) end },
          { "Remove", id = "remove", on_click = function() self:remove_city(name) end } }
      end,
      on_item_swipe = function(i) if storage.cities[i] then self:remove_city(storage.cities[i]) end end }
  end,

  start_timer = function(self, preset)
    local length = preset.seconds * 1000
    storage.timer = { name = preset.name, length = length, ends = now() + length }
  end,
  pause_timer = function(self)
    local timer = storage.timer
    timer.left, timer.ends = math.max(0, timer.ends - now()), nil
  end,
  resume_timer = function(self)
    local timer = storage.timer
    timer.ends, timer.left = now() + (bug("resume_restarts") and timer.length or timer.left), nil
  end,
  timer_card = function(self, timer)
    local over = timer.ends and timer.ends <= now()
    local state = over and "Time is up" or timer.ends and "Ends at " .. date(timer.ends, "%H:%M:%S") or duration_text(timer.left) .. " left"
    return card {
      text { timer.name, id = "timer_name", size = "large" },
      text { state, id = "timer_state" },
      row {
        timer.ends and not over and button { "Pause", id = "pause", on_click = function() self:pause_timer() end },
        timer.left and button { "Resume", id = "resume", on_click = function() self:resume_timer() end },
        button { over and "OK" or "Cancel", id = "cancel_timer", on_click = function() storage.timer = nil end },
      },
    }
  end,
  timer = function(self)
    return column { weight = 1,
      storage.timer and self:timer_card(storage.timer),
      list { id = "presets", items = storage.presets, empty = text { "No presets", id = "empty" },
        row = function(preset) return row { text { preset.name, id = "preset", weight = 1 }, text { duration_text(preset.seconds * 1000), id = "length" } } end,
        on_item_click = function(_, preset) self:start_timer(preset) end,
        on_item_long_click = function(_, preset) self:start("EditPreset", { id = preset.id }) end },
    }
  end,

  spent = function(self)
    local watch = storage.watch
    return watch.spent + (watch.since and now() - watch.since or 0)
  end,
  stop_watch = function(self) storage.watch.spent, storage.watch.since = self:spent(), nil end,
  reset_watch = function(self)
    storage.watch.spent, storage.watch.since = 0, nil
    if not bug("laps_after_reset") then storage.watch.laps = {} end
  end,
  stopwatch = function(self)
    local watch = storage.watch
    return column { weight = 1,
      text { watch.since and "Running" or duration_text(watch.spent), id = "spent", size = "large" },
      row {
        not watch.since and button { "Start", id = "start", on_click = function() watch.since = now() end },
        watch.since and button { "Stop", id = "stop", on_click = function() self:stop_watch() end },
        watch.since and button { "Lap", id = "lap", on_click = function() table.insert(watch.laps, self:spent()) end },
        not watch.since and button { "Reset", id = "reset", on_click = function() self:reset_watch() end },
      },
      list { id = "laps", items = watch.laps, empty = text { "No laps", id = "empty" },
        row = function(at, i)
          local lap = at - (watch.laps[i - 1] or 0)
          return text { "Lap " .. i .. ": " .. duration_text(lap) .. ", in all " .. duration_text(at), id = "lap_row" }
        end },
    }
  end,

  view = function(self)
    local pages = { self.alarms, self.world, self.timer, self.stopwatch }
    local adds = { "EditAlarm", "Cities", "EditPreset" }
    return column {
      toolbar { "Clock", subtitle = prefs.show_next and next_text() or nil },
      tabs { id = "tabs", titles = TABS, selected = self.tab, on_change = function(i) self.tab = i end },
      pages[self.tab](self),
      adds[self.tab] and fab { id = "add", desc = "Add", on_click = function() self:start(adds[self.tab]) end },
    }
  end,
}

-- ---- an alarm ----

activity "EditAlarm" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.alarm = intent.id and alarm_by_id(intent.id) or nil
    self.days = saved.days or copy(self.alarm and self.alarm.days or { false, false, false, false, false, false, false })
    self.snooze = saved.snooze or self.alarm and self.alarm.snooze or 0     -- 0: as in the settings
  end,
  save = function(self, out) out.days, out.snooze = self.days, self.snooze end,
  ask_snooze = function(self)
    local items = each(SNOOZES, function(n) return n .. " minutes" end)
    table.insert(items, 1, "As in the settings")
    self:dialog { title = "Snooze", items = items, checked = (index_of(SNOOZES, self.snooze) or 0) + 1, on_item = function(i) self.snooze = SNOOZES[i - 1] or 0 end }
  end,
  ask_delete = function(self)
    self:dialog { title = "Delete this alarm?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        storage.alarms = filter(storage.alarms, function(alarm) return alarm.id ~= self.alarm.id end)
        self:finish()
      end }
  end,
  store = function(self)
    local hour, minute = tonumber(self:text("hour")), tonumber(self:text("minute"))
    if not hour or hour < 0 or hour > 23 or not minute or minute < 0 or minute > 59 then return toast("There is no such time") end
    local alarm = self.alarm or { id = new_id() }
    alarm.hour, alarm.minute, alarm.label, alarm.days, alarm.on = hour, minute, trim(self:text("label")), self.days, true
    alarm.snooze = self.snooze > 0 and self.snooze or nil
    if not self.alarm then table.insert(storage.alarms, alarm) end
    if not self.alarm or not bug("order_after_edit") then sort_alarms() end
    self:finish()
  end,
  toggle = function(self, place, day, on)
    self.days[bug("week_start_shift") and place or day] = on
  end,
  menu = function(self) return self.alarm and { { "Delete", id = "delete", on_click = function() self:ask_delete() end } } or {} end,
  view = function(self)
    local alarm = self.alarm
    return column {
      toolbar { alarm and "Edit alarm" or "New alarm", subtitle = days_text(self.days), up = true,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        row {
          field { id = "hour", hint = "Hour (0 to 23)", text = alarm and format("%02d", alarm.hour) or "07", input = "number", max = 2, weight = 1 },
          field { id = "minute", hint = "Minute", text = alarm and format("%02d", alarm.minute) or "00", input = "number", max = 2, weight = 1 },
        },
        field { id = "label", hint = "Label", text = alarm and alarm.label or "", max = 40 },
        each(week_order(), function(day, place)
          return check { DAY_NAMES[day], id = "day", checked = self.days[day], on_change = function(on) self:toggle(place, day, on) end }
        end),
        button { "Snooze for " .. (self.snooze > 0 and self.snooze or prefs.snooze) .. " minutes", id = "snooze", on_click = function() self:ask_snooze() end },
      },
    }
  end,
}

activity "Week" {
  view = function(self)
    local entries = {}
    for ahead = 0, 6 do
      local day = now() + ahead * DAY
      for _, alarm in ipairs(storage.alarms) do
        local fits = repeats(alarm.days) and alarm.days[weekday(day)] or not repeats(alarm.days) and next_ring(alarm) // DAY == day // DAY
        local passed = ahead == 0 and alarm_time(alarm) * MINUTE <= now() % DAY
        if alarm.on and fits and not passed then table.insert(entries, { day = day, alarm = alarm }) end
      end
    end
    return column {
      toolbar { "Week ahead", up = true },
      list { id = "entries", items = entries, empty = text { "No alarm in the next seven days", id = "empty" },
        row = function(entry)
          return text { DAY_NAMES[weekday(entry.day)] .. " " .. time_text(alarm_time(entry.alarm)) .. " " .. entry.alarm.label, id = "entry" }
        end,
        on_item_click = function(_, entry) self:start("EditAlarm", { id = entry.alarm.id }) end },
    }
  end,
}

-- ---- cities, presets, settings ----

activity "Cities" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  choose = function(self, city)
    if index_of(storage.cities, city.name) then return toast(city.name .. " is there already") end
    table.insert(storage.cities, city.name)
    self:finish()
  end,
  view = function(self)
    local query = trim(self.query):lower()
    return column {
      toolbar { "Add city", up = true },
      field { id = "query", hint = "City", on_change = function(typed) self.query = typed end },
      list { id = "found", items = filter(CITIES, function(city) return contains(city.name:lower(), query) end), empty = text { "No such city", id = "empty" },
        row = function(city) return row { text { city.name, id = "found_city", weight = 1 }, text { offset_text(city.offset), id = "offset" } } end,
        on_item_click = function(_, city) self:choose(city) end },
    }
  end,
}

activity "EditPreset" {
  create = function(self, intent)
    self.preset = intent.id and find(storage.presets, function(preset) return preset.id == intent.id end) or nil
  end,
  store = function(self)
    local name, minutes, seconds = trim(self:text("preset_name")), tonumber(self:text("minutes")), tonumber(self:text("seconds"))
    if name == "" then return toast("A name, please") end
    if not minutes or minutes < 0 or not seconds or seconds < 0 or seconds > 59 or minutes + seconds == 0 then return toast("How long?") end
    local preset = self.preset
    if not preset then
      preset = { id = new_id() }
      table.insert(storage.presets, preset)
    end
    preset.name, preset.seconds = name, minutes * 60 + seconds
    self:finish()
  end,
  delete = function(self)
    storage.presets = filter(storage.presets, function(preset) return preset.id ~= self.preset.id end)
    self:finish()
  end,
  view = function(self)
    local preset = self.preset
    return column {
      toolbar { preset and "Edit preset" or "New preset", up = true },
      field { id = "preset_name", hint = "Name", text = preset and preset.name or "", max = 30 },
      row {
        field { id = "minutes", hint = "Minutes", text = tostring(preset and preset.seconds // 60 or 5), input = "number", max = 3, weight = 1 },
        field { id = "seconds", hint = "Seconds", text = tostring(preset and preset.seconds % 60 or 0), input = "number", max = 2, weight = 1 },
      },
      button { "Save", id = "save", on_click = function() self:store() end },
      preset and button { "Delete", id = "delete", on_click = function() self:delete() end },
    }
  end,
}

activity "Settings" {
  ask_snooze = function(self)
    self:dialog { title = "Snooze", items = each(SNOOZES, function(n) return n .. " minutes" end), checked = index_of(SNOOZES, prefs.snooze),
      on_item = function(i) prefs.snooze = SNOOZES[i] end }
  end,
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "24 hours", id = "h24", checked = prefs.h24, on_change = function(on) prefs.h24 = on end },
      switch { "Weeks begin on Sunday", id = "sunday_first", checked = prefs.sunday_first, on_change = function(on) prefs.sunday_first = on end },
      switch { "Show the next alarm", id = "show_next", checked = prefs.show_next, on_change = function(on) prefs.show_next = on end },
      button { "Snooze for " .. prefs.snooze .. " minutes", id = "snooze", on_click = function() self:ask_snooze() end },
    }
  end,
}
