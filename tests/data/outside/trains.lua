-- Railbird: train trips along one line of stations. Look up connections, buy tickets for the family, cancel them, keep favourite routes.
-- The timetable is the same every day; nothing is asked of a server.

local DAY = 24 * 60 * 60 * 1000
local STATIONS = { { "Northport", 0 }, { "Ashby", 45 }, { "Millbrook", 110 }, { "Castleton", 190 }, { "Riverside", 260 }, { "Southend", 330 } }
local DEPARTURES = { { 372, "R" }, { 485, "IC" }, { 612, "R" }, { 725, "IC" }, { 912, "R" }, { 1025, "IC" }, { 1212, "R" }, { 1295, "IC" } }
local AFTER = { { "Any time", 0 }, { "From noon", 720 }, { "In the evening", 1080 } }
local SORTS = { "Departure", "Duration", "Price" }
local CARDS = { 0, 25, 50 }
local TABS = { "Coming", "Past", "Cancelled" }
local PAGE = 3

app {
  package = "org.norn.trains",
  title = "Railbird",
  main = "Search",
  bugs = { "star_stale", "recent_twice", "arrival_past_midnight", "later_ignores_direct", "day_lost", "deleted_still_travels", "cancelled_still_spent",
    "return_not_reversed" },
  application = function()
    if storage.tickets then return end
    local today = now() // DAY
    storage.travellers = { { id = 1, name = "Me", card = 25 }, { id = 2, name = "Robin", card = 0 }, { id = 3, name = "Little Jo", card = 0, child = true } }
    storage.going = { 1 }                 -- ids of those who travel
    storage.tickets = {
      { id = 4, from = "Northport", to = "Millbrook", day = today - 10, dep = 612, arr = 722, kind = "R", names = { "Me" }, cents = 1140 },
      { id = 5, from = "Ashby", to = "Riverside", day = today + 3, dep = 485, arr = 597, kind = "IC", names = { "Me", "Robin" }, cents = 8400 },
    }
    storage.favourites = { { from = "Northport", to = "Riverside" } }
    storage.recent = {}
    storage.next_id = 6
    prefs.home, prefs.each_one, prefs.sort = "Northport", false, 1
  end,
}

local function traveller_by_id(id) return find(storage.travellers, function(t) return t.id == id end) end
local function ticket_by_id(id) return find(storage.tickets, function(t) return t.id == id end) end
local function km_of(name) return find(STATIONS, function(s) return s[1] == name end)[2] end
local function halfway(from, to)
  local _, i = find(STATIONS, function(s) return s[1] == from end)
  local _, j = find(STATIONS, function(s) return s[1] == to end)
  return STATIONS[(i + j) // 2][1]
end
local function money(cents) return format("%d.%02d", cents // 100, cents % 100) end
local function day_text(day) return date(day * DAY, "%a %d %b") end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function span(minutes) return format("%d h %02d min", minutes // 60, minutes % 60) end
local function route(r) return r.from .. " to " .. r.to end
local function same_route(a, b) return a.from == b.from and a.to == b.to end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id - 1
end

local function clock(minutes)
  if minutes < 1440 or bug("arrival_past_midnight") then return format("%02d:%02d", minutes // 60, minutes % 60) end
  return format("%02d:%02d (+1)", minutes // 60 - 24, minutes % 60)
end

-- All trains of a day from one station to another. On purpose: a regional train goes only so far, then one has to change; an IC never.
local function connections(from, to)
  local way = km_of(to) - km_of(from)
  local km = math.abs(way)
  return each(DEPARTURES, function(d)
    local dep = d[1] + (way < 0 and 20 or 0)
    if d[2] == "IC" then return { dep = dep, arr = dep + km // 2 + 5, kind = "IC", changes = 0, base = 500 + km * 20 } end
    local changes = km > 150 and 1 or 0
    return { dep = dep, arr = dep + km + 15 * changes, kind = "R", changes = changes, base = 200 + km * 12 }
  end)
end

-- On purpose: children pay half and have no card; every fare is rounded up to ten cents by itself.
local function fare(c, t, first)
  local cents = c.base * (first and 160 or 100) // 100
  if t and t.child then cents = cents // 2 elseif t then cents = cents * (100 - t.card) // 100 end
  return (cents + 9) // 10 * 10
end

local function fare_for_all(c, first)
  local sum = 0
  for _, id in ipairs(storage.going) do sum = sum + fare(c, traveller_by_id(id), first) end
  return sum
end

local function remember(r)
  local _, i = find(storage.recent, function(o) return same_route(o, r) end)
  if i and not bug("recent_twice") then table.remove(storage.recent, i) end
  table.insert(storage.recent, 1, { from = r.from, to = r.to })
  if #storage.recent > 4 then table.remove(storage.recent) end
end

local function favourite(r)                -- On purpose: there and back are two routes
  local _, i = find(storage.favourites, function(f) return same_route(f, r) end)
  return i
end

-- ---- looking for a train ----

activity "Search" {
  create = function(self, intent, saved)
    local s = saved or intent
    self.from, self.to = s.from or prefs.home, s.to
    self.day, self.after, self.home = s.day or 1, s.after or 1, s.home or prefs.home
    self.first, self.bike, self.fast, self.direct = s.first or false, s.bike or false, s.fast or false, s.direct or false
    self:look_up_star()
  end,
  save = function(self, out)
    for _, k in ipairs { "from", "to", "home", "after", "first", "bike", "fast", "direct" } do out[k] = self[k] end
    if not bug("day_lost") then out.day = self.day end
  end,
  look_up_star = function(self) self.starred = self.to and favourite(self) ~= nil end,
  set_route = function(self, from, to)
    self.from, self.to = from, to
    if not bug("star_stale") then self:look_up_star() end
  end,
  resume = function(self)
    if self.from == self.home and not self.to then self.from = prefs.home end      -- another home station, and nothing chosen yet
    self.home = prefs.home
    if not bug("star_stale") then self:look_up_star() end              -- the favourites may have been changed on their page
  end,
  result = function(self, request, data)
    if not data then return end
    if request == "from" then self:set_route(data.name, self.to) end
    if request == "to" then self:set_route(self.from, data.name) end
    if request == "favourite" then self:set_route(data.from, data.to) end
  end,
  star = function(self)
    if not self.to or self.from == self.to then return toast("Where to?") end
    local i = favourite(self)
    if i then table.remove(storage.favourites, i) else table.insert(storage.favourites, { from = self.from, to = self.to }) end
    self:look_up_star()
  end,
  swap = function(self)
    if not self.to then return toast("Where to?") end
    self:set_route(self.to, self.from)
  end,
  set_bike = function(self, on)
    self.bike = on
    if on then self.fast = false end       -- On purpose: fast trains take no bicycles
  end,
  search = function(self)
    if not self.to then return toast("Where to?") end
    if self.from == self.to then return toast("You are there already") end
    if #storage.going == 0 then return toast("Who travels?") end
    remember(self)
    self:start("Results", { from = self.from, to = self.to, day = now() // DAY + self.day, after = AFTER[self.after][2],
      first = self.first, bike = self.bike, fast = self.fast, direct = self.direct })
  end,
  menu = function(self)
    return {
      { "Tickets", id = "tickets", on_click = function() self:start("Tickets") end },
      { "Favourite routes", id = "favourites", on_click = function() self:start_for_result("Favourites", "favourite") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local days = {}
    for i = 1, 7 do days[i] = day_text(now() // DAY + i) end            -- On purpose: tickets are sold until the evening before
    return column {
      toolbar { "Railbird", up = self.intent.from and true or nil,
        actions = { { self.starred and "Remove star" or "Star this route", id = "star", on_click = function() self:star() end } } },
      scroll {
        button { "From " .. self.from, id = "from", on_click = function() self:start_for_result("Stations", "from") end },
        button { self.to and "To " .. self.to or "Where to?", id = "to", on_click = function() self:start_for_result("Stations", "to") end },
        button { "Swap", id = "swap", on_click = function() self:swap() end },
        row { spinner { id = "day", weight = 1, items = days, selected = self.day, on_change = function(i) self.day = i end },
          spinner { id = "after", weight = 1, items = each(AFTER, function(a) return a[1] end), selected = self.after, on_change = function(i) self.after = i end } },
        button { plural(#storage.going, "traveller"), id = "travellers", on_click = function() self:start("Travellers") end },
        check { "First class", id = "first", checked = self.first, on_change = function(on) self.first = on end },
        check { "With bicycles", id = "bike", checked = self.bike, on_change = function(on) self:set_bike(on) end },
        check { "Fast trains only", id = "fast", checked = self.fast, enabled = not self.bike, on_change = function(on) self.fast = on end },
        check { "Direct trains only", id = "direct", checked = self.direct, on_change = function(on) self.direct = on end },
        button { "Search", id = "search", on_click = function() self:search() end },
        #storage.recent > 0 and text { "Recent", id = "recent_label" },
        each(storage.recent, function(r) return text { route(r), id = "recent", on_click = function() self:set_route(r.from, r.to) end } end),
      },
    }
  end,
}

activity "Stations" {
  view = function(self)
    local query = trim(self:text("station_query")):lower()
    return column {
      toolbar { "Station", up = true },
      field { id = "station_query", hint = "Name of the station" },
      list { id = "station_list", items = filter(STATIONS, function(s) return contains(s[1]:lower(), query) end), empty = text { "No such station", id = "empty" },
        row = function(s) return text { s[1], id = "station" } end,
        on_item_click = function(_, s) self:finish { name = s[1] } end },
    }
  end,
}

activity "Favourites" {
  ask_delete = function(self, r)
    self:dialog { title = "Remove " .. route(r) .. "?", cancel = "Cancel", ok = "Remove",
      on_ok = function() table.remove(storage.favourites, favourite(r)) end }
  end,
  view = function(self)
    local sorted = copy(storage.favourites)
    table.sort(sorted, function(a, b) return route(a) < route(b) end)
    return column {
      toolbar { "Favourite routes", up = true, subtitle = plural(#sorted, "route") },
      list { id = "favourite_list", items = sorted, empty = text { "No favourite routes", id = "empty" },
        row = function(r) return text { route(r), id = "favourite" } end,
        on_item_click = function(_, r) self:finish { from = r.from, to = r.to } end,
        on_item_long_click = function(_, r) self:ask_delete(r) end },
    }
  end,
}

activity "Results" {
  create = function(self, intent, saved) self.pages = saved and saved.pages or 1 end,
  save = function(self, out) out.pages = self.pages end,
  result = function(self, request, data)
    if not data then return end
    self:start("Ticket", { id = data.ticket })
    self:finish()                          -- On purpose: after buying, Back leads to the search, not to the offers
  end,
  fits = function(self, c, page)
    local want = self.intent
    if c.dep < want.after or want.bike and c.kind == "IC" or want.fast and c.kind ~= "IC" then return false end
    return not want.direct or c.changes == 0 or page > 1 and bug("later_ignores_direct")
  end,
  shown = function(self)                   -- PAGE trains a page, and whether there are more
    local out, more = {}, false
    for _, c in ipairs(connections(self.intent.from, self.intent.to)) do
      if self:fits(c, #out // PAGE + 1) then
        if #out == self.pages * PAGE then more = true break end
        table.insert(out, c)
      end
    end
    if prefs.sort == 2 then table.sort(out, function(a, b) return a.arr - a.dep < b.arr - b.dep end) end
    if prefs.sort == 3 then table.sort(out, function(a, b) return fare_for_all(a, self.intent.first) < fare_for_all(b, self.intent.first) end) end
    return out, more
  end,
  ask_sort = function(self)
    self:dialog { title = "Sort by", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
  end,
  open = function(self, c)
    self:start_for_result("Connection", "buy", { from = self.intent.from, to = self.intent.to, day = self.intent.day, first = self.intent.first, dep = c.dep })
  end,
  view = function(self)
    local r = self.intent
    if not r.from then return column { toolbar { "Trains", up = true }, text { "Search first", id = "gone" } } end
    local shown, more = self:shown()
    return column {
      toolbar { "Trains", up = true, subtitle = day_text(r.day), actions = { { "Sort", id = "sort", on_click = function() self:ask_sort() end } } },
      text { route(r), id = "route" },
      list { id = "train_list", items = shown, empty = text { "No train fits", id = "empty" },
        row = function(c)
          local price = fare_for_all(c, r.first)
          return row { column { weight = 1, text { clock(c.dep) .. " to " .. clock(c.arr), id = "train" },
            text { c.kind .. ", " .. span(c.arr - c.dep) .. ", " .. (c.changes == 0 and "direct" or plural(c.changes, "change")), id = "train_info", size = "small" } },
            text { prefs.each_one and money(price // math.max(1, #storage.going)) .. " per person" or money(price), id = "price" } }
        end,
        on_item_click = function(_, c) self:open(c) end },
      more and button { "Later trains", id = "later", on_click = function() self.pages = self.pages + 1 end },
    }
  end,
}

activity "Connection" {
  buy = function(self, c)
    local r, id = self.intent, new_id()
    local names = each(storage.going, function(i) return traveller_by_id(i) and traveller_by_id(i).name or "Guest" end)
    table.insert(storage.tickets, { id = id, from = r.from, to = r.to, day = r.day, dep = c.dep, arr = c.arr, kind = c.kind, first = r.first or nil,
      names = names, cents = fare_for_all(c, r.first) })
    self:finish { ticket = id }
  end,
  view = function(self)
    local r = self.intent
    local c = r.from and find(connections(r.from, r.to), function(o) return o.dep == r.dep end)
    if not c then return column { toolbar { "Train", up = true }, text { "There is no such train", id = "gone" } } end
    return column {
      toolbar { c.kind .. " " .. clock(c.dep), up = true, subtitle = day_text(r.day) },
      text { route(r) .. (r.first and ", first class" or ""), id = "route" },
      text { "Arrives " .. clock(c.arr) .. ", takes " .. span(c.arr - c.dep), id = "arrival" },
      c.changes > 0 and text { "Change at " .. halfway(r.from, r.to) .. ", 15 min", id = "change" },
      each(storage.going, function(id)
        local t = traveller_by_id(id)
        return row { text { t and t.name or "Guest", id = "goer", weight = 1 }, text { money(fare(c, t, r.first)), id = "goer_fare" } }
      end),
      text { "Total " .. money(fare_for_all(c, r.first)), id = "total", size = "large" },
      button { "Buy", id = "buy", enabled = #storage.going > 0, on_click = function()
        self:dialog { title = "Buy for " .. money(fare_for_all(c, r.first)) .. "?", cancel = "Cancel", ok = "Buy", on_ok = function() self:buy(c) end }
      end },
    }
  end,
}

-- ---- tickets ----

local function state_of(t) return t.cancelled and 3 or t.day < now() // DAY and 2 or 1 end
local function fee(t) return t.cents // 10 end            -- On purpose: a tenth is kept when a ticket is cancelled

activity "Tickets" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,
  spent = function(self)
    local sum = 0
    for _, t in ipairs(storage.tickets) do sum = sum + (t.cancelled and not bug("cancelled_still_spent") and fee(t) or t.cents) end
    return sum
  end,
  view = function(self)
    local shown = filter(storage.tickets, function(t) return state_of(t) == self.tab end)
    table.sort(shown, function(a, b) return a.day * 1440 + a.dep < b.day * 1440 + b.dep end)
    return column {
      toolbar { "Tickets", up = true, subtitle = plural(#shown, "ticket") },
      tabs { id = "ticket_tabs", titles = TABS, selected = self.tab, on_change = function(i) self.tab = i end },
      text { "Spent on all trips: " .. money(self:spent()), id = "spent" },
      list { id = "ticket_list", items = shown, empty = text { "No tickets", id = "empty" },
        row = function(t)
          return row { column { weight = 1, text { route(t), id = "ticket" }, text { day_text(t.day) .. ", " .. clock(t.dep), id = "ticket_info", size = "small" } },
            text { money(t.cents), id = "ticket_price" } }
        end,
        on_item_click = function(_, t) self:start("Ticket", { id = t.id }) end },
    }
  end,
}

activity "Ticket" {
  ask_cancel = function(self, t)
    self:dialog { title = "Cancel this ticket?", message = money(t.cents - fee(t)) .. " come back, " .. money(fee(t)) .. " are kept.", cancel = "Keep it", ok = "Cancel ticket",
      on_ok = function() t.cancelled = true end }
  end,
  way_back = function(self, t)
    local from, to = t.to, t.from
    if bug("return_not_reversed") then from, to = t.from, t.to end
    self:start("Search", { from = from, to = to, first = t.first })
  end,
  view = function(self)
    local t = ticket_by_id(self.intent.id)
    if not t then return column { toolbar { "Ticket", up = true }, text { "No such ticket", id = "gone" } } end
    return column {
      toolbar { "Ticket", up = true, subtitle = TABS[state_of(t)] },
      text { route(t), id = "route", size = "large" },
      text { day_text(t.day) .. ", " .. t.kind .. (t.first and ", first class" or ""), id = "when" },
      text { clock(t.dep) .. " to " .. clock(t.arr), id = "times" },
      text { table.concat(t.names, ", "), id = "names" },
      text { t.cancelled and "Given back " .. money(t.cents - fee(t)) .. " of " .. money(t.cents) or money(t.cents), id = "paid" },
      state_of(t) == 1 and button { "Cancel ticket", id = "cancel_ticket", on_click = function() self:ask_cancel(t) end },
      button { "Return journey", id = "way_back", on_click = function() self:way_back(t) end },
    }
  end,
}

-- ---- travellers and settings ----

activity "Travellers" {
  set_going = function(self, t, on)
    local i = index_of(storage.going, t.id)
    if on and not i then table.insert(storage.going, t.id) elseif i and not on then table.remove(storage.going, i) end
  end,
  ask_delete = function(self, t)
    if #storage.travellers == 1 then return toast("Somebody has to travel") end
    self:dialog { title = "Delete " .. t.name .. "?", message = "Tickets stay valid.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        if not bug("deleted_still_travels") then self:set_going(t, false) end
        table.remove(storage.travellers, (index_of(storage.travellers, t)))
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Travellers", up = true, subtitle = #storage.going .. " on this trip" },
      list { id = "traveller_list", items = storage.travellers,
        row = function(t)
          return row { check { "", id = "goes", desc = t.name .. " travels", checked = index_of(storage.going, t.id) ~= nil, on_change = function(on) self:set_going(t, on) end },
            column { weight = 1, text { t.name, id = "traveller" },
              text { t.child and "Child" or t.card > 0 and "Card " .. t.card or "No card", id = "traveller_info", size = "small" } } }
        end,
        on_item_click = function(_, t) self:start("EditTraveller", { id = t.id }) end,
        on_item_long_click = function(_, t) self:ask_delete(t) end },
      fab { id = "add_traveller", desc = "Add traveller", on_click = function() self:start("EditTraveller") end },
    }
  end,
}

activity "EditTraveller" {
  create = function(self, intent, saved)
    self.traveller = traveller_by_id(intent.id)
    local from = saved or self.traveller or { card = 0 }
    self.card, self.child = from.card, from.child or false
  end,
  save = function(self, out) out.card, out.child = self.card, self.child end,
  set_child = function(self, on)
    self.child = on
    if on then self.card = 0 end           -- On purpose: there are no cards for children
  end,
  store = function(self)
    local name, t = trim(self:text("name")), self.traveller
    if name == "" then return toast("What is the name?") end
    if find(storage.travellers, function(o) return o ~= t and o.name:lower() == name:lower() end) then return toast("There is a " .. name .. " already") end
    if not t then
      t = { id = new_id() }
      table.insert(storage.travellers, t)
    end
    t.name, t.card, t.child = name, self.card, self.child or nil
    self:finish()
  end,
  view = function(self)
    local t = self.traveller
    return column {
      toolbar { t and "Edit traveller" or "New traveller", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", text = t and t.name or "", max = 20 },
      switch { "Child", id = "child", checked = self.child, on_change = function(on) self:set_child(on) end },
      radios { id = "card", items = { "No card", "Card 25", "Card 50" }, selected = index_of(CARDS, self.card), enabled = not self.child,
        on_change = function(i) self.card = CARDS[i] end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    local names = each(STATIONS, function(s) return s[1] end)
    return column {
      toolbar { "Settings", up = true },
      text { "Home station, where searches begin", id = "home_label" },
      spinner { id = "home", items = names, selected = index_of(names, prefs.home), on_change = function(_, name) prefs.home = name end },
      switch { "Offers: average price per person", id = "each_one", checked = prefs.each_one, on_change = function(on) prefs.each_one = on end },
      button { "Clear recent searches", id = "clear_recent", enabled = #storage.recent > 0, on_click = function() storage.recent = {} end },
    }
  end,
}
