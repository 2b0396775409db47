-- Local Trains: departures of a small railway, journeys with at most one change, saved journeys, service messages.
--
-- The timetable is in the app; what is late or cancelled comes from the server. Times are minutes after midnight of the day on
-- which a train sets out, so an arrival may lie beyond 1440.

local DAY = 24 * 60
local STATIONS = {
  { name = "Airport", lift = true, zone = 3 }, { name = "Harbour", lift = true, zone = 1 }, { name = "Junction", lift = false, zone = 1 },
  { name = "Mill Lane", lift = false, zone = 2 }, { name = "Oak Park", lift = true, zone = 2 }, { name = "Old Town", lift = false, zone = 1 },
  { name = "Seaview", lift = true, zone = 2 }, { name = "University", lift = true, zone = 1 },
}
local AIRPORT, HARBOUR, JUNCTION, MILL, OAK, OLD, SEAVIEW, UNI = 1, 2, 3, 4, 5, 6, 7, 8
-- Stops are { station, minutes from the first stop }; trains go both ways, the other way `back` minutes later.
local LINES = {
  { name = "S1", every = 20, first = 303, last = 1423, back = 8, stops = { { HARBOUR, 0 }, { OLD, 4 }, { JUNCTION, 9 }, { OAK, 15 }, { AIRPORT, 24 } } },
  { name = "S2", every = 30, first = 306, last = 1416, back = 11, stops = { { SEAVIEW, 0 }, { JUNCTION, 12 }, { UNI, 18 }, { MILL, 25 } } },
  { name = "R5", every = 60, first = 340, last = 1360, back = 25, stops = { { HARBOUR, 0 }, { UNI, 11 }, { AIRPORT, 22 } } },
}
local HOURS = { -1, 12 * 60, 18 * 60, 23 * 60 + 30 }
local CHANGES = { 2, 5, 10 }
local MESSAGES = { "Lift at Junction not before summer", "New shop at Harbour", "Works between Oak Park and Airport on Sunday", "Quiet coach on R5",
  "Bicycles are welcome after nine" }
local FACTS = { "R5 was a tram once", "Seaview has the oldest clock", "Nobody knows who Mill was" }

local function minute_now() return now() // 60000 % DAY end
local function station(id) return STATIONS[id] or { name = "?", lift = true, zone = 1 } end

-- Minutes from the line's first stop (way 2: from its last) to a station; nil if it does not stop there.
local function offset(line, way, id)
  local stop = find(line.stops, function(s) return s[1] == id end)
  if not stop then return nil end
  return way == 1 and stop[2] or line.stops[#line.stops][2] - stop[2]
end

local function last_stop(line, way) return line.stops[way == 1 and #line.stops or 1][1] end

-- When trains of a line leave a station, not before `after`, at most n.
local function times(line, way, id, after, n)
  local result, at = {}, offset(line, way, id)
  local start = line.first + (way == 2 and line.back or 0)
  while at and start <= line.last and #result < n do
    if start + at >= after then table.insert(result, start + at) end
    start = start + line.every
  end
  return result
end

-- Late trains differ from minute to minute, cancelled ones do not.
local function board(id)
  local rows = {}
  for _, line in ipairs(LINES) do
    for way = 1, 2 do
      if last_stop(line, way) ~= id then
        for _, min in ipairs(times(line, way, id, minute_now(), 3)) do
          local late = (min + now() // 30000) % 9
          table.insert(rows, { line = line.name, to = last_stop(line, way), min = min, late = late < 4 and late or 0, cancelled = min % 17 == 3 })
        end
      end
    end
  end
  table.sort(rows, function(a, b) return a.min < b.min end)
  return rows
end

app {
  package = "org.norn.railway",
  title = "Local Trains",
  main = "Main",
  bugs = { "offline_sticks", "swap_labels", "noon", "recent_twice", "past_midnight", "change_time", "swipe_saved", "step_free" },
  server = function(request)
    if request.path == "/board" then return board(tonumber(request.query.station) or HARBOUR) end
    if request.path == "/messages" then
      local list, at = {}, now() // 60000
      for i = 0, 2 do table.insert(list, { id = (at // 5 + i) % #MESSAGES + 1, text = MESSAGES[(at // 5 + i) % #MESSAGES + 1] }) end
      return list
    end
    return nil, 404
  end,
  application = function()
    if storage.saved then return end
    storage.station = JUNCTION
    storage.recents = { HARBOUR, AIRPORT }
    storage.stars = { UNI }
    storage.looked = {}
    storage.plan = { from = SEAVIEW, to = AIRPORT, at = 1 }
    storage.saved = { { from = OAK, to = HARBOUR }, { from = AIRPORT, to = UNI }, { from = HARBOUR, to = SEAVIEW } }
    storage.read = {}
    prefs.clock12, prefs.change, prefs.step_free, prefs.auto, prefs.saver = false, 2, false, true, false
  end,
}

local function clock(min)
  local m = min % DAY
  if not prefs.clock12 then return format("%02d:%02d", m // 60, m % 60) end
  local hour = m // 60 % 12
  local afternoon = m >= 12 * 60
  if bug("noon") then afternoon = m // 60 > 12 end
  return format("%d:%02d %s", hour == 0 and 12 or hour, m % 60, afternoon and "pm" or "am")
end

local function hour_text(i) return i == 1 and "Now" or clock(HOURS[i]) end
local function route(from, to) return station(from).name .. " - " .. station(to).name end
local function hop(from, to, after, n)
  local legs = {}
  for _, line in ipairs(LINES) do
    for way = 1, 2 do
      local a, b = offset(line, way, from), offset(line, way, to)
      if a and b and a < b then
        for _, dep in ipairs(times(line, way, from, after, n)) do
          table.insert(legs, { line = line.name, from = from, to = to, dep = dep, arr = dep + b - a })
        end
      end
    end
  end
  return legs
end

-- Journeys: lists of one or two legs. Whoever needs lifts changes only where there is one.
local function journeys(from, to, after)
  local result = each(hop(from, to, after, 2), function(leg) return { leg } end)
  local wait = bug("change_time") and CHANGES[1] or prefs.change
  for id, place in ipairs(STATIONS) do
    if id ~= from and id ~= to and (place.lift or not prefs.step_free or bug("step_free")) then
      for _, first in ipairs(hop(from, id, after, 2)) do
        for _, second in ipairs(hop(id, to, first.arr + wait, 1)) do
          if second.line ~= first.line then table.insert(result, { first, second }) end
        end
      end
    end
  end
  local function arrival(j) return j[#j].arr end
  table.sort(result, function(a, b)
    if arrival(a) ~= arrival(b) then return arrival(a) < arrival(b) end
    if #a ~= #b then return #a < #b end
    return a[1].dep > b[1].dep
  end)
  while #result > 5 do table.remove(result) end
  return result
end

local function duration(journey)
  local dep, arr = journey[1].dep, journey[#journey].arr
  if bug("past_midnight") then return arr % DAY - dep % DAY end
  return arr - dep
end

local function remember(id)
  local old = index_of(storage.recents, id)
  if old and not bug("recent_twice") then table.remove(storage.recents, old) end
  table.insert(storage.recents, 1, id)
  while #storage.recents > 4 do table.remove(storage.recents) end
end

local function save_journey(from, to)
  local old = find(storage.saved, function(s) return s.from == from and s.to == to end)
  if old then return toast("Saved already") end
  if #storage.saved >= 20 then return toast("Too many saved journeys") end
  table.insert(storage.saved, { from = from, to = to })
  toast("Saved")
end

activity "Main" {
  create = function(self, intent, saved)
    self.page = saved and saved.page or 1
    self.rows = {}
    self.from, self.to, self.at = storage.plan.from, storage.plan.to, storage.plan.at
    self:load()
    self:every(60000, function() if prefs.auto then self:load() end end)
  end,
  save = function(self, out) out.page = self.page end,
  result = function(self, request, data)
    if not data then return end
    remember(data.station)
    if request == "station" then
      storage.station, self.rows = data.station, {}
      self:load()
    elseif request == "from" or request == "to" then
      self[request], storage.plan[request] = data.station, data.station
    end
  end,
  load = function(self)
    local id = storage.station
    self.loading = true
    net.get("https://trains.example.org/board?station=" .. id, function(reply)
      if id ~= storage.station then return end
      self.loading = false
      if reply.ok then
        self.rows = reply.body
        if not bug("offline_sticks") then self.offline = false end
      else
        self.offline = true
        self.rows = each(board(id), function(r) return { line = r.line, to = r.to, min = r.min, late = 0 } end)
      end
    end)
  end,
  swap = function(self)
    self.from, self.to = self.to, self.from
    if not bug("swap_labels") then storage.plan.from, storage.plan.to = self.from, self.to end
  end,
  search = function(self)
    local from, to = self.from, self.to
    if bug("swap_labels") then from, to = storage.plan.from, storage.plan.to end
    if from == to then return toast("You are there already") end
    self:start("Results", { from = from, to = to, at = self.at })
  end,
  ask_time = function(self)
    self:dialog { title = "Leave at", items = each(HOURS, function(_, i) return hour_text(i) end), checked = self.at,
      on_item = function(i) self.at, storage.plan.at = i, i end }
  end,
  saved_journeys = function(self)
    local list = copy(storage.saved)
    table.sort(list, function(a, b) return route(a.from, a.to) < route(b.from, b.to) end)
    return list
  end,
  remove_saved = function(self, i)
    local item = self:saved_journeys()[i]
    if bug("swipe_saved") then item = storage.saved[i] end
    if not item then return end
    table.remove(storage.saved, index_of(storage.saved, item))
    self.removed = item
    if self.timer then cancel(self.timer) end
    self.timer = self:after(5000, function() self.removed = nil end)
  end,
  menu = function(self)
    return {
      { "Messages", id = "messages", on_click = function() self:start("Messages") end },
      { "Did you know?", id = "fact", on_click = function() toast(FACTS[random(#FACTS)]) end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  board_page = function(self)
    local running = #filter(self.rows, function(r) return not r.cancelled end)
    return column { weight = 1, height = "fill",
      row { button { station(storage.station).name, id = "choose_station", weight = 1, on_click = function() self:start_for_result("Stations", "station") end },
        button { "About it", id = "about_station", on_click = function() self:start("Station", { id = storage.station }) end } },
      self.offline and text { "Offline: trains as planned, without delays", id = "offline" },
      self.loading and progress { id = "loading", spinning = true },
      text { running .. " departures" .. (running < #self.rows and ", cancelled ones not counted" or ""), id = "running", size = "small" },
      list { id = "board", items = self.rows, empty = not self.loading and text { "No more trains today", id = "empty" } or nil,
        row = function(r)
          return column { id = "train_row", text { clock(r.min) .. "  " .. r.line .. " to " .. station(r.to).name, id = "train" },
            text { r.cancelled and "Cancelled" or r.late > 0 and r.late .. " min late" or "On time", id = "state", size = "small" } }
        end,
        on_item_click = function(_, r) self:start("Train", { line = r.line, to = r.to, at = storage.station, min = r.min }) end },
    }
  end,
  plan_page = function(self)
    return column { weight = 1, height = "fill",
      button { "From " .. station(self.from).name, id = "from", on_click = function() self:start_for_result("Stations", "from") end },
      button { "To " .. station(self.to).name, id = "to", on_click = function() self:start_for_result("Stations", "to") end },
      row { button { "Swap", id = "swap", on_click = function() self:swap() end },
        button { "Leave: " .. hour_text(self.at), id = "leave", on_click = function() self:ask_time() end } },
      button { "Search", id = "search", on_click = function() self:search() end },
      text { "Your last search stays here", id = "stays", size = "small" },
    }
  end,
  saved_page = function(self)
    return column { weight = 1, height = "fill",
      list { id = "saved", items = self:saved_journeys(), weight = 1, empty = text { "Nothing saved", id = "empty" },
        row = function(s) return text { route(s.from, s.to), id = "saved_row" } end,
        on_item_click = function(_, s) self:start("Results", { from = s.from, to = s.to, at = 1 }) end,
        on_item_swipe = function(i, direction) if direction == "left" then self:remove_saved(i) end end },
      self.removed and row { text { "Journey removed", id = "removed", weight = 1 },
        button { "Undo", id = "undo", on_click = function()
          table.insert(storage.saved, self.removed)
          self.removed = nil
        end } },
      text { "Swipe to the left to remove", id = "how", size = "small" },
    }
  end,

  view = function(self)
    local pages = { self.board_page, self.plan_page, self.saved_page }
    return column {
      toolbar { "Local Trains", actions = { self.page == 1 and { "Refresh", id = "refresh", on_click = function() self:load() end } or nil } },
      pages[self.page](self),
      bottom_bar { items = {
        { "Departures", id = "page_board", selected = self.page == 1, on_click = function() self.page = 1 end },
        { "Plan", id = "page_plan", selected = self.page == 2, on_click = function() self.page = 2 end },
        { "Saved", id = "page_saved", selected = self.page == 3, on_click = function() self.page = 3 end } } },
    }
  end,
}

-- Chooses a station: the last used ones first, then those with a star, then the others.
activity "Stations" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  rows = function(self)
    local rows, others = {}, {}
    local recents = self.query == "" and storage.recents or {}
    for _, id in ipairs(recents) do table.insert(rows, { id = id, recent = true }) end
    for id, place in ipairs(STATIONS) do
      if contains(place.name:lower(), self.query:lower()) and not index_of(recents, id) then
        table.insert(index_of(storage.stars, id) and rows or others, { id = id })
      end
    end
    for _, r in ipairs(others) do table.insert(rows, r) end
    return rows
  end,
  station_menu = function(self, r)
    local starred = index_of(storage.stars, r.id)
    self:popup {
      { starred and "Remove star" or "Star", id = "star", on_click = function()
        if starred then table.remove(storage.stars, starred) else table.insert(storage.stars, r.id) end
      end },
      { "About it", id = "about", on_click = function() self:start("Station", { id = r.id }) end },
      r.recent and { "Forget the last used", id = "forget", on_click = function() storage.recents = {} end } or nil,
    }
  end,
  view = function(self)
    return column {
      toolbar { "Stations", up = true },
      field { id = "query", hint = "Station", text = self.query, max = 20, on_change = function(s) self.query = s end },
      list { id = "stations", items = self:rows(), empty = text { "No such station", id = "empty" },
        row = function(r)
          local hint = r.recent and "last used" or index_of(storage.stars, r.id) and "starred" or "zone " .. station(r.id).zone
          return column { id = "station_row", text { station(r.id).name, id = "name" }, text { hint, id = "hint", size = "small" } }
        end,
        on_item_click = function(_, r) self:finish { station = r.id } end,
        on_item_long_click = function(_, r) self:station_menu(r) end },
    }
  end,
}

activity "Station" {
  create = function(self, intent, saved)
    local key = "s" .. (intent.id or 0)
    if not saved then storage.looked[key] = (storage.looked[key] or 0) + 1 end
  end,
  view = function(self)
    local id = self.intent.id
    if not id then return column { toolbar { "Station", up = true }, text { "No station chosen", id = "none" } } end
    local lines = filter(LINES, function(line) return offset(line, 1, id) ~= nil end)
    return column {
      toolbar { station(id).name, up = true },
      text { "Zone " .. station(id).zone, id = "zone" },
      text { station(id).lift and "With a lift" or "Stairs only", id = "lift" },
      text { "Lines: " .. table.concat(each(lines, function(l) return l.name end), ", "), id = "lines" },
      text { "You looked here " .. storage.looked["s" .. id] .. (storage.looked["s" .. id] == 1 and " time" or " times"), id = "looked", size = "small" },
      button { "Show on a map", id = "map", on_click = function() self:start_implicit { action = "VIEW", uri = "geo:52.1,4.3" } end },
    }
  end,
}

activity "Results" {
  view = function(self)
    local from, to, at = self.intent.from or SEAVIEW, self.intent.to or AIRPORT, self.intent.at or 1
    local found = journeys(from, to, at == 1 and minute_now() or HOURS[at])
    return column {
      toolbar { route(from, to), up = true, actions = { { "Save", id = "save", on_click = function() save_journey(from, to) end } } },
      list { id = "journeys", items = found, empty = text { "No train any more", id = "empty" },
        row = function(j)
          local last = j[#j]
          local how = #j == 1 and "direct, " .. j[1].line
            or "change at " .. station(j[1].to).name .. ", " .. j[2].dep - j[1].arr .. " min to do it"
          return column { id = "journey_row", text { clock(j[1].dep) .. " to " .. clock(last.arr) .. ", " .. duration(j) .. " min", id = "when" },
            text { how, id = "how", size = "small" } }
        end,
        on_item_click = function(_, j) self:start("Journey", { legs = j }) end },
    }
  end,
}

activity "Journey" {
  view = function(self)
    local legs = self.intent.legs or {}
    return column {
      toolbar { "Journey", up = true, actions = {
        { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end } } },
      each(legs, function(leg)
        return column {
          text { leg.line, id = "line", size = "large" },
          text { clock(leg.dep) .. " " .. station(leg.from).name, id = "start" },
          text { clock(leg.arr) .. " " .. station(leg.to).name, id = "arrive" },
          text { leg.dep - minute_now() <= 30 and "Platform " .. (leg.from + #leg.line) % 4 + 1 or "Platform: known 30 min before", id = "platform", size = "small" },
        }
      end),
      #legs == 0 and text { "No journey chosen", id = "none" },
    }
  end,
}

activity "Train" {
  view = function(self)
    local i = self.intent
    local line = find(LINES, function(l) return l.name == i.line end)
    if not line then return column { toolbar { "Train", up = true }, text { "No train chosen", id = "none" } } end
    local way = last_stop(line, 1) == i.to and 1 or 2
    local stops = copy(line.stops)
    table.sort(stops, function(a, b) return offset(line, way, a[1]) < offset(line, way, b[1]) end)
    return column {
      toolbar { line.name .. " to " .. station(i.to).name, up = true },
      list { id = "stops", items = stops,
        row = function(s)
          return text { clock(i.min + offset(line, way, s[1]) - offset(line, way, i.at)) .. "  " .. station(s[1]).name, id = "stop_row" }
        end,
        on_item_click = function(_, s) self:start("Station", { id = s[1] }) end },
    }
  end,
}

activity "Messages" {
  create = function(self)
    self.loading = true
    net.get("https://trains.example.org/messages", function(reply)
      self.loading = false
      self.list, self.failed = reply.ok and reply.body or {}, not reply.ok
    end)
  end,
  unread = function(self) return #filter(self.list or {}, function(m) return not index_of(storage.read, m.id) end) end,
  read = function(self, m)
    if not index_of(storage.read, m.id) then table.insert(storage.read, m.id) end
    self:dialog { title = "Message", message = m.text, ok = "Close" }
  end,
  view = function(self)
    return column {
      toolbar { "Messages", up = true, subtitle = self:unread() .. " unread" },
      self.loading and progress { id = "loading", spinning = true },
      list { id = "message_list", items = self.list or {}, empty = text { self.failed and "No connection" or "No messages", id = "empty" },
        row = function(m) return text { (index_of(storage.read, m.id) and "" or "New: ") .. m.text, id = "message_row" } end,
        on_item_click = function(_, m) self:read(m) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Clock with am and pm", id = "clock12", checked = prefs.clock12, on_change = function(b) prefs.clock12 = b end },
      text { "Time to change trains, at least" },
      spinner { id = "change", items = each(CHANGES, function(n) return n .. " min" end), selected = index_of(CHANGES, prefs.change),
        on_change = function(i) prefs.change = CHANGES[i] end },
      switch { "Without stairs", id = "step_free", checked = prefs.step_free, on_change = function(b) prefs.step_free = b end },
      text { "Change only at stations that have a lift", id = "step_free_hint", size = "small" },
      switch { "Refresh every minute", id = "auto", checked = prefs.auto, enabled = not prefs.saver, on_change = function(b) prefs.auto = b end },
      switch { "Save data", id = "saver", checked = prefs.saver, on_change = function(b)
        prefs.saver = b
        if b and prefs.auto then prefs.auto = false toast("Refreshing every minute is off now") end
      end },
    }
  end,
}
