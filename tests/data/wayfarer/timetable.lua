-- Next Stop: departures of a small town's buses, without a network.
--
-- A line is a row of stops with the minutes from the first one; both directions run at the same interval.
-- Times of day are minutes since midnight.

app {
  package = "org.nextstop.timetable",
  title = "Next Stop",
  main = "Main",
  bugs = { "favourite_stays", "alarm_clock", "swap_results", "recent_twice", "later_all_lines", "alarms_counted", "fare_back",
    "minutes_backwards" },
  application = function()
    if storage.favourites then return end
    storage.next_id = 1
    storage.favourites = { 1, 4 }
    storage.recent = {}
    storage.alarms = {
      { id = 1, stop = 1, line = 1, way = 1, at = 500, before = 5, on = true },
    }
    prefs.twelve = false
    prefs.start = 8
    prefs.before = 5
  end,
}

local STOPS = {
  { id = 1, name = "Central Station", zone = 1 },
  { id = 2, name = "Market Square", zone = 1 },
  { id = 3, name = "University", zone = 1 },
  { id = 4, name = "Hospital", zone = 2 },
  { id = 5, name = "Harbour", zone = 2 },
  { id = 6, name = "Old Mill", zone = 2 },
  { id = 7, name = "Airport", zone = 3 },
  { id = 8, name = "Zoo", zone = 1 },
}
local LINES = {
  { id = 1, name = "10", stops = { 1, 2, 4, 7 }, minutes = { 0, 4, 11, 24 }, first = 320, last = 1380, every = { 20, 30 } },
  { id = 2, name = "12", stops = { 8, 1, 3, 5 }, minutes = { 0, 6, 13, 19 }, first = 345, last = 1320, every = { 15, 30 } },
  { id = 3, name = "N3", stops = { 2, 3, 6, 4 }, minutes = { 0, 5, 15, 22 }, first = 362, last = 1410, every = { 30, 60 } },
}
local FARES = { 180, 260, 350 }
local MAX_ALARMS = 20

local function stop_of(id) return (find(STOPS, function(s) return s.id == id end)) end
local function line_of(id) return (find(LINES, function(l) return l.id == id end)) end
local function alarm_of(id) return (find(storage.alarms, function(a) return a.id == id end)) end

local function clock(minutes, always_24)
  local m = minutes % 1440
  local h = m // 60
  if not prefs.twelve or always_24 then return format("%02d:%02d", h, m % 60) end
  return format("%d:%02d %s", h % 12 == 0 and 12 or h % 12, m % 60, h < 12 and "am" or "pm")
end

local function money(cents) return format("€ %.2f", cents / 100) end

-- The stops of a line in the order of travel, each with its minutes from where that way begins.
local function route(line, way)
  local result = {}
  local n = #line.stops
  for i = 1, n do
    local k = way == 1 and i or n + 1 - i
    local minutes = way == 1 and line.minutes[k] or line.minutes[n] - line.minutes[k]
    table.insert(result, { stop = line.stops[k], minutes = minutes })
  end
  return result
end

local function ends_at(line, way) return stop_of(way == 1 and line.stops[#line.stops] or line.stops[1]).name end

-- Departures of one line and way from a stop within [from, to); kind: 1 weekday, 2 weekend.
local function departures_of(line, way, stop, kind, from, to)
  local r = route(line, way)
  local place, i = find(r, function(x) return x.stop == stop end)
  local result = {}
  if not place or i == #r then return result end
  local start = line.first
  while start <= line.last do
    local at = start + place.minutes
    if at >= from and at < to then table.insert(result, { line = line.id, way = way, at = at, start = start }) end
    start = start + line.every[kind]
  end
  return result
end

local function departures(stop, kind, from, to, only)
  local result = {}
  for _, line in ipairs(LINES) do
    if not only or only == line.id then
      for way = 1, 2 do
        for _, d in ipairs(departures_of(line, way, stop, kind, from, to)) do table.insert(result, d) end
      end
    end
  end
  table.sort(result, function(a, b) return a.at < b.at end)
  return result
end

local function lines_at(stop) return filter(LINES, function(l) return index_of(l.stops, stop) ~= nil end) end

-- One ticket for all zones from the one to the other.
local function fare(from, to)
  local zones = stop_of(to).zone - stop_of(from).zone
  if not bug("fare_back") then zones = math.abs(zones) end
  return FARES[math.max(0, zones) + 1]
end

local function alarms_on()
  if bug("alarms_counted") then return #storage.alarms end
  return #filter(storage.alarms, function(a) return a.on end)
end

local function favourite_rows()
  return each(storage.favourites, function(id)
    local d = departures(id, 1, prefs.start * 60, 1440)[1]
    return { id = id, name = stop_of(id).name, info = d and line_of(d.line).name .. " " .. ends_at(line_of(d.line), d.way) .. " " .. clock(d.at) or "nothing today" }
  end)
end

activity "Main" {
  create = function(self, intent, saved)
    self.page = saved and saved.page or 1
    self.rows = favourite_rows()
  end,
  save = function(self, out) out.page = self.page end,
  resume = function(self)
    if not bug("favourite_stays") then self.rows = favourite_rows() end
  end,

  menu = function(self)
    return {
      { "Plan a trip", id = "planner", on_click = function() self:start("Planner") end },
      { "Alarms", id = "alarms", on_click = function() self:start("Alarms") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      { "About", id = "about", on_click = function()
        self:dialog { title = "Next Stop 1.4", message = #LINES .. " lines, " .. #STOPS .. " stops", ok = "OK" }
      end },
    }
  end,

  favourite_menu = function(self, i)
    local id = self.rows[i].id
    local function move(by)
      local k = index_of(storage.favourites, id)
      local other = k and storage.favourites[k + by]
      if not other then return end
      storage.favourites[k], storage.favourites[k + by] = other, id
      self.rows = favourite_rows()
    end
    self:popup {
      { "Move up", id = "move_up", enabled = i > 1, on_click = function() move(-1) end },
      { "Move down", id = "move_down", enabled = i < #self.rows, on_click = function() move(1) end },
      { "Remove", id = "remove", on_click = function()
        local k = index_of(storage.favourites, id)
        if k then table.remove(storage.favourites, k) end
        self.rows = favourite_rows()
      end },
    }
  end,

  pages = function(self)
    if self.page == 1 then
      return list { id = "favourites", items = self.rows, empty = text { "Star a stop to find it here", id = "empty" },
        row = function(r) return column { id = "favourite_row", text { r.name, id = "stop_name" }, text { r.info, id = "stop_info", size = "small" } } end,
        on_item_click = function(_, r) self:start("Stop", { id = r.id }) end,
        on_item_long_click = function(i) self:favourite_menu(i) end }
    elseif self.page == 2 then
      local stops = copy(STOPS)
      table.sort(stops, function(a, b) return a.name < b.name end)
      return list { id = "stops", items = stops,
        row = function(s) return row { id = "stop_row", text { s.name, id = "stop_name", weight = 1 }, text { "Zone " .. s.zone, id = "zone", size = "small" } } end,
        on_item_click = function(_, s) self:start("Stop", { id = s.id }) end }
    end
    return list { id = "lines", items = LINES,
      row = function(l) return column { id = "line_row", text { "Line " .. l.name, id = "line_name" }, text { ends_at(l, 2) .. " – " .. ends_at(l, 1), id = "line_ends", size = "small" } } end,
      on_item_click = function(_, l) self:start("Line", { id = l.id }) end }
  end,

  view = function(self)
    local function item(i, title, id) return { title, id = id, selected = self.page == i, on_click = function() self.page = i end } end
    local n = alarms_on()
    return column {
      toolbar { "Next Stop", subtitle = n > 0 and (n == 1 and "1 alarm on" or n .. " alarms on") or nil,
        actions = { { "Find a stop", id = "find", on_click = function() self:start_for_result("Find", "find") end } } },
      self:pages(),
      bottom_bar { items = { item(1, "Favourites", "nav_favourites"), item(2, "Stops", "nav_stops"), item(3, "Lines", "nav_lines") } },
    }
  end,

  result = function(self, request, data)
    if request == "find" and data then self:start("Stop", { id = data.id }) end
  end,
}

local function unknown(title) return column { toolbar { title, up = true }, text { "Not in this timetable", id = "unknown" } } end

activity "Stop" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.hour = saved.hour or prefs.start
    self.kind = saved.kind or 1
    self.line = saved.line
  end,
  save = function(self, out) out.hour, out.kind, out.line = self.hour, self.kind, self.line end,

  star = function(self, id)
    local i = index_of(storage.favourites, id)
    if i then table.remove(storage.favourites, i) else table.insert(storage.favourites, id) end
    toast(i and "No longer a favourite" or "Now a favourite")
  end,

  move = function(self, by)
    self.hour = math.max(0, math.min(23, self.hour + by))
    if by > 0 and bug("later_all_lines") then self.line = nil end
  end,

  view = function(self)
    local stop = self.intent.id and stop_of(self.intent.id)
    if not stop then return unknown("Stop") end
    local lines = lines_at(stop.id)
    local names = { "All lines" }
    local selected = 1
    for i, l in ipairs(lines) do
      table.insert(names, "Line " .. l.name)
      if l.id == self.line then selected = i + 1 end
    end
    local starred = index_of(storage.favourites, stop.id) ~= nil
    return column {
      toolbar { stop.name, subtitle = "Zone " .. stop.zone, up = true, actions = {
        { starred and "Remove star" or "Star", id = "star", on_click = function() self:star(stop.id) end } } },
      row {
        spinner { id = "line_filter", items = names, selected = selected, weight = 1,
          on_change = function(i) self.line = i > 1 and lines[i - 1].id or nil end },
        spinner { id = "day_kind", items = { "Weekday", "Weekend" }, selected = self.kind, weight = 1, on_change = function(i) self.kind = i end },
      },
      row {
        button { "Earlier", id = "earlier", enabled = self.hour > 0, on_click = function() self:move(-1) end },
        text { clock(self.hour * 60) .. " – " .. clock(self.hour * 60 + 60), id = "hour", weight = 1 },
        button { "Later", id = "later", enabled = self.hour < 23, on_click = function() self:move(1) end },
      },
      list { id = "departures", items = departures(stop.id, self.kind, self.hour * 60, self.hour * 60 + 60, self.line),
        empty = text { "No departures in this hour", id = "empty" },
        row = function(d)
          local line = line_of(d.line)
          return row { id = "departure", text { clock(d.at), id = "at" }, text { line.name .. " " .. ends_at(line, d.way), id = "goes_to", weight = 1 } }
        end,
        on_item_click = function(_, d) self:start("Trip", { line = d.line, way = d.way, start = d.start, stop = stop.id, at = d.at }) end },
    }
  end,
}

activity "Line" {
  create = function(self, intent, saved) self.way = saved and saved.way or 1 end,
  save = function(self, out) out.way = self.way end,
  view = function(self)
    local line = self.intent.id and line_of(self.intent.id)
    if not line then return unknown("Line") end
    local stops = route(line, self.way)
    if self.way == 2 and bug("minutes_backwards") then
      for i, s in ipairs(stops) do s.minutes = line.minutes[#stops + 1 - i] end
    end
    return column {
      toolbar { "Line " .. line.name, subtitle = "to " .. ends_at(line, self.way), up = true, actions = {
        { "Other direction", id = "turn", on_click = function() self.way = 3 - self.way end } } },
      text { "Weekdays every " .. line.every[1] .. ", weekends every " .. line.every[2] .. " minutes", id = "every", size = "small" },
      text { "First " .. clock(line.first) .. ", last " .. clock(line.last), id = "span", size = "small" },
      list { id = "route", items = stops,
        row = function(s) return row { id = "route_row", text { stop_of(s.stop).name, id = "stop_name", weight = 1 }, text { "+" .. s.minutes .. " min", id = "minutes" } } end,
        on_item_click = function(_, s) self:start("Stop", { id = s.stop }) end },
    }
  end,
}

activity "Trip" {
  ask_alarm = function(self, line)
    local t = self.intent
    if find(storage.alarms, function(a) return a.stop == t.stop and a.line == t.line and a.way == t.way and a.at == t.at end) then
      return toast("There is an alarm for this bus")
    end
    if #storage.alarms >= MAX_ALARMS then return toast("Too many alarms") end
    storage.next_id = storage.next_id + 1
    table.insert(storage.alarms, { id = storage.next_id, stop = t.stop, line = t.line, way = t.way, at = t.at, before = prefs.before, on = true })
    toast("Alarm set")
  end,
  view = function(self)
    local t = self.intent
    local line = t.line and line_of(t.line)
    if not line then return unknown("Trip") end
    return column {
      toolbar { "Line " .. line.name, subtitle = "to " .. ends_at(line, t.way), up = true,
        actions = { { "Set alarm", id = "set_alarm", on_click = function() self:ask_alarm(line) end } } },
      list { id = "calls", items = route(line, t.way),
        row = function(s)
          return row { id = "call", text { clock(t.start + s.minutes), id = "at" },
            text { (s.stop == t.stop and "▶ " or "") .. stop_of(s.stop).name, id = "stop_name", weight = 1 } }
        end,
        on_item_click = function(_, s) if s.stop ~= t.stop then self:start("Stop", { id = s.stop }) end end },
    }
  end,
}

activity "Planner" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.from, self.to, self.found, self.fare = saved.from, saved.to, saved.found, saved.fare
  end,
  save = function(self, out) out.from, out.to, out.found, out.fare = self.from, self.to, self.found, self.fare end,

  result = function(self, request, data)
    if not data then return end
    if request == "from" then self.from = data.id else self.to = data.id end
    self.found = nil
  end,

  -- The first three direct buses from the hour on at which the day starts.
  search = function(self)
    if not self.from or not self.to then return toast("From where, and where to?") end
    if self.from == self.to then return toast("You are there already") end
    self.found, self.fare = {}, fare(self.from, self.to)
    for _, line in ipairs(LINES) do
      for way = 1, 2 do
        local r = route(line, way)
        local a, i = find(r, function(x) return x.stop == self.from end)
        local b, k = find(r, function(x) return x.stop == self.to end)
        if a and b and i < k then
          for n, d in ipairs(departures_of(line, way, self.from, 1, prefs.start * 60, 1440)) do
            if n <= 3 then table.insert(self.found, { line = line.id, way = way, start = d.start, at = d.at, arrives = d.at + b.minutes - a.minutes }) end
          end
        end
      end
    end
    table.sort(self.found, function(a, b) return a.at < b.at end)
  end,

  swap = function(self)
    self.from, self.to = self.to, self.from
    if not bug("swap_results") then self.found = nil end
  end,

  view = function(self)
    return column {
      toolbar { "Plan a trip", up = true },
      button { self.from and "From " .. stop_of(self.from).name or "From …", id = "from", on_click = function() self:start_for_result("Find", "from") end },
      button { self.to and "To " .. stop_of(self.to).name or "To …", id = "to", on_click = function() self:start_for_result("Find", "to") end },
      row {
        button { "Swap", id = "swap", on_click = function() self:swap() end },
        button { "Search", id = "search", on_click = function() self:search() end },
      },
      self.found and text { "Ticket " .. money(self.fare), id = "fare" },
      self.found and list { id = "connections", items = self.found, empty = text { "No direct bus", id = "empty" },
        row = function(c)
          local line = line_of(c.line)
          return column { id = "connection", text { clock(c.at) .. " → " .. clock(c.arrives), id = "times" },
            text { "Line " .. line.name .. " to " .. ends_at(line, c.way), id = "with", size = "small" } }
        end,
        on_item_click = function(_, c) self:start("Trip", { line = c.line, way = c.way, start = c.start, stop = self.from, at = c.at }) end },
    }
  end,
}

activity "Find" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  choose = function(self, id)
    local i = index_of(storage.recent, id)
    if i and not bug("recent_twice") then table.remove(storage.recent, i) end
    table.insert(storage.recent, 1, id)
    if #storage.recent > 4 then table.remove(storage.recent) end
    self:finish { id = id }
  end,
  view = function(self)
    local query = trim(self.query):lower()
    local rows = {}
    if query == "" then
      rows = each(storage.recent, stop_of)
    else
      rows = filter(STOPS, function(s) return contains(s.name:lower(), query) end)
    end
    return column {
      toolbar { "Find a stop", up = true, actions = { { "Forget recent", id = "forget", on_click = function() storage.recent = {} end } } },
      field { id = "query", hint = "Name of the stop", on_change = function(s) self.query = s end },
      text { query == "" and "Recent" or #rows .. " found", id = "heading", size = "small" },
      list { id = "results", items = rows, empty = text { query == "" and "Nothing looked up yet" or "No such stop", id = "empty" },
        row = function(s) return text { s.name, id = "result" } end,
        on_item_click = function(_, s) self:choose(s.id) end },
    }
  end,
}

activity "Alarms" {
  ask_before = function(self, id)
    local choices = { 2, 5, 10, 15 }
    local alarm = alarm_of(id)
    self:dialog { title = "Ring before", items = each(choices, function(n) return n .. " minutes" end), checked = index_of(choices, alarm.before),
      on_item = function(i)
        local a = alarm_of(id)
        if a then a.before = choices[i] end
      end }
  end,
  delete = function(self, alarm)
    local i = index_of(storage.alarms, alarm)
    table.remove(storage.alarms, i)
    self:snackbar("Alarm deleted", "Undo", function()
      table.insert(storage.alarms, math.min(i, #storage.alarms + 1), alarm)
    end)
  end,
  view = function(self)
    return column {
      toolbar { "Alarms", up = true },
      list { id = "alarm_list", items = storage.alarms, empty = text { "No alarms", id = "empty" },
        row = function(a)
          local line = line_of(a.line)
          return row { id = "alarm_row",
            column { weight = 1,
              text { clock(a.at - a.before, bug("alarm_clock")) .. "  " .. stop_of(a.stop).name, id = "rings" },
              text { a.before .. " minutes before line " .. line.name .. " to " .. ends_at(line, a.way), id = "for_bus", size = "small" } },
            switch { "", id = "alarm_on", desc = "On", checked = a.on, on_change = function(b) a.on = b end } }
        end,
        on_item_click = function(_, a) self:ask_before(a.id) end,
        on_item_long_click = function(_, a) self:delete(a) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    local hours = { 6, 8, 12, 17 }
    local minutes = { 2, 5, 10, 15 }
    return column {
      toolbar { "Settings", up = true },
      scroll {
        switch { "12-hour clock", id = "twelve", checked = prefs.twelve, on_change = function(b) prefs.twelve = b end },
        text "Show departures from",
        spinner { id = "start_hour", items = each(hours, function(h) return clock(h * 60) end), selected = index_of(hours, prefs.start),
          on_change = function(i) prefs.start = hours[i] end },
        text "New alarms ring",
        spinner { id = "new_before", items = each(minutes, function(m) return m .. " minutes before" end), selected = index_of(minutes, prefs.before),
          on_change = function(i) prefs.before = minutes[i] end },
      },
    }
  end,
}
