-- Fuel Book: fill-ups, consumption and service reminders of the cars of a household.
--
-- Distances are kept in metres of the odometer's kilometres (km), volumes in millilitres, money in cents. What is
-- shown follows the settings. Consumption is counted from one full tank to the next.

app {
  package = "org.fuelbook.android",
  title = "Fuel Book",
  main = "Main",
  bugs = { "topup_dropped", "miles_roundtrip", "sold_car_totals", "station_filter", "undo_station", "year_count",
    "day_rotation", "currency_stats" },
  application = function()
    if storage.cars then return end
    storage.next_id = 100
    storage.cars = {
      { id = 1, name = "Octavia", plate = "L-KX 204" },
      { id = 2, name = "Old van", plate = "L-T 77" },
    }
    storage.stations = {
      { id = 11, name = "Autohof Nord" },
      { id = 12, name = "Jet Ring" },
      { id = 13, name = "Village pump" },
    }
    storage.fills = {
      { id = 21, car = 1, day = 19680, km = 48210, ml = 41300, cents = 7021, full = true, station = 11 },
      { id = 22, car = 1, day = 19694, km = 48890, ml = 40800, cents = 6977, full = true, station = 12 },
      { id = 23, car = 1, day = 19708, km = 49170, ml = 15000, cents = 2640, full = false, station = 13 },
      { id = 24, car = 1, day = 19722, km = 49590, ml = 29900, cents = 5083, full = true, station = 11 },
      { id = 25, car = 1, day = 19740, km = 50240, ml = 38200, cents = 6570, full = true, station = 12 },
      { id = 26, car = 1, day = 19770, km = 50905, ml = 41000, cents = 7134, full = true, station = 11 },
      { id = 31, car = 2, day = 19700, km = 181300, ml = 60100, cents = 9916, full = true, station = 12 },
      { id = 32, car = 2, day = 19751, km = 181925, ml = 59400, cents = 9920, full = true, station = 13 },
    }
    storage.services = {
      { id = 41, car = 1, name = "Oil change", every = 15000, last = 41000 },
      { id = 42, car = 1, name = "Brake check", every = 20000, last = 30500 },
      { id = 43, car = 1, name = "Rotate tyres", every = 10000, last = 45000 },
      { id = 44, car = 2, name = "Oil change", every = 10000, last = 176000 },
    }
    prefs.car = 1
    prefs.miles = false
    prefs.currency = 1
    prefs.economy = 1
    prefs.warn = 1000
  end,
}

local DAY = 86400000
local MAX_FILLS, MAX_CARS, MAX_STATIONS, MAX_SERVICES = 120, 6, 15, 20
local KM_PER_MILE = 1.609344
local CURRENCIES = { "€", "£", "$" }
local ECONOMY = { "L/100 km", "km per litre", "mpg (imperial)" }
local SORTS = { "Newest first", "Oldest first", "Most expensive first" }

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return find(list, function(x) return x.id == id end) end
local function car_of(id) return (by_id(storage.cars, id)) end
local function fill_of(id) return (by_id(storage.fills, id)) end
local function station_name(id)
  local station = id and by_id(storage.stations, id)
  return station and station.name or "No station"
end

local function today() return now() // DAY end
local function day_text(day) return date(day * DAY, "%d %b %Y") end
local function year_of(day) return date(day * DAY, "%Y") end
local function round(x) return math.floor(x + 0.5) end

local function money(cents) return format("%s%d.%02d", CURRENCIES[prefs.currency], cents // 100, cents % 100) end
local function litres(ml) return format("%.2f L", ml / 1000) end
local function to_unit(km) return prefs.miles and round(km / KM_PER_MILE) or km end
local function from_unit(n) return prefs.miles and round(n * KM_PER_MILE) or round(n) end
local function distance(km) return format("%d %s", to_unit(km), prefs.miles and "mi" or "km") end

local function economy(ml, km)
  if km <= 0 or ml <= 0 then return "–" end
  if prefs.economy == 2 then return format("%.1f km/L", km * 1000 / ml) end
  if prefs.economy == 3 then return format("%.1f mpg", (km / KM_PER_MILE) / (ml / 4546.09)) end
  return format("%.1f L/100 km", ml / 10 / km)
end

-- The fill-ups of a car, in the order of its odometer.
local function fills_of(car)
  local result = filter(storage.fills, function(f) return f.car == car end)
  table.sort(result, function(a, b) return a.km < b.km end)
  return result
end

-- What was burnt up to this full tank since the full tank before it: millilitres, kilometres; nil when unknown.
local function burnt(fill)
  if not fill.full then return nil end
  local ml, previous = fill.ml, nil
  for _, f in ipairs(fills_of(fill.car)) do
    if f.id == fill.id then break end
    if f.full then
      previous, ml = f, fill.ml
    elseif not bug("topup_dropped") then
      ml = ml + f.ml
    end
  end
  if not previous then return nil end
  return ml, fill.km - previous.km
end

local function average(fills)
  local ml, km = 0, 0
  for _, f in ipairs(fills) do
    local m, k = burnt(f)
    if m then ml, km = ml + m, km + k end
  end
  return economy(ml, km)
end

local function odometer(car)
  local fills = fills_of(car)
  return #fills > 0 and fills[#fills].km or 0
end

local function due_in(service) return service.last + service.every - odometer(service.car) end

local function due_text(service)
  local left = due_in(service)
  if left < 0 then return "Overdue by " .. distance(-left) end
  return "Due in " .. distance(left)
end

-- ---- the log ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.sort = saved.sort or 1
    self.station, self.station_label = saved.station, saved.station_label
  end,
  save = function(self, out)
    out.sort, out.station, out.station_label = self.sort, self.station, self.station_label
  end,

  resume = function(self)
    if not self.station then return end
    local station = by_id(storage.stations, self.station)
    if bug("station_filter") then return end
    if station then self.station_label = station.name else self:clear_filter() end
  end,

  clear_filter = function(self) self.station, self.station_label = nil, nil end,

  shown = function(self)
    local fills = filter(storage.fills, function(f)
      if f.car ~= prefs.car then return false end
      if bug("station_filter") and self.station then return station_name(f.station) == self.station_label end
      return not self.station or f.station == self.station
    end)
    table.sort(fills, function(a, b)
      if self.sort == 3 then return a.cents > b.cents end
      if self.sort == 2 then return a.km < b.km end
      return a.km > b.km
    end)
    return fills
  end,

  remove = function(self, fill)
    local i = index_of(storage.fills, fill)
    if not i then return end
    table.remove(storage.fills, i)
    self:snackbar("Fill-up deleted", "Undo", function()
      if not car_of(fill.car) then return toast("That car is gone") end
      local again = copy(fill)
      if bug("undo_station") then again.station = nil end
      table.insert(storage.fills, math.min(i, #storage.fills + 1), again)
    end)
  end,

  context = function(self, fill)
    self:popup {
      { "Edit", id = "edit", on_click = function() self:start("Edit", { id = fill.id }) end },
      { "Delete", id = "delete", on_click = function() self:remove(fill) end },
    }
  end,

  ask_station = function(self)
    local names = each(storage.stations, function(s) return s.name end)
    table.insert(names, 1, "All stations")
    self:dialog { title = "Show fill-ups at", items = names, on_item = function(i)
      if i == 1 then return self:clear_filter() end
      self.station, self.station_label = storage.stations[i - 1].id, names[i]
    end }
  end,

  menu = function(self)
    return {
      { "Filter by station", id = "filter", on_click = function() self:ask_station() end },
      { "Sort", id = "sort", on_click = function()
        self:dialog { title = "Sort", items = SORTS, checked = self.sort, on_item = function(i) self.sort = i end }
      end },
      { "Stations", id = "stations", on_click = function() self:start("Stations") end },
    }
  end,

  drawer_items = function(self)
    local items = each(storage.cars, function(car)
      return { car.name, id = "drawer_car", checked = car.id == prefs.car, on_click = function()
        prefs.car = car.id
        self:clear_filter()
      end }
    end)
    table.insert(items, { "Services", id = "services", on_click = function() self:start("Services") end })
    table.insert(items, { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end })
    table.insert(items, { "My cars", id = "cars", on_click = function() self:start("Cars") end })
    table.insert(items, { "Settings", id = "settings", on_click = function() self:start("Settings") end })
    return items
  end,

  fill_row = function(self, fill)
    local ml, km = burnt(fill)
    return column { id = "fill_row",
      row { text { day_text(fill.day), id = "day", weight = 1 }, text { money(fill.cents), id = "cost" } },
      text { distance(fill.km) .. " · " .. litres(fill.ml) .. (fill.full and "" or " (top-up)"), id = "what", size = "small" },
      text { station_name(fill.station) .. (ml and " · " .. economy(ml, km) or ""), id = "where", size = "small" },
    }
  end,

  view = function(self)
    local car = car_of(prefs.car)
    local fills = self:shown()
    local late = #filter(storage.services, function(s) return s.car == prefs.car and due_in(s) < 0 end)
    return column {
      toolbar { car and car.name or "Fuel Book", subtitle = car and car.plate or "No car" },
      drawer { id = "drawer", header = "Fuel Book", items = self:drawer_items() },
      self.station_label and row {
        text { "At " .. self.station_label, id = "filter_label", weight = 1 },
        image_button { id = "clear_filter", desc = "Show all", on_click = function() self:clear_filter() end },
      },
      late > 0 and text { late == 1 and "1 service is overdue" or late .. " services are overdue", id = "late",
        on_click = function() self:start("Services") end },
      text { #fills .. " fill-ups · average " .. average(self.station and fills or fills_of(prefs.car)), id = "summary" },
      list { id = "fills", items = fills, empty = text { "No fill-ups yet", id = "empty" },
        row = function(fill) return self:fill_row(fill) end,
        on_item_click = function(_, fill) self:start("Fill", { id = fill.id }) end,
        on_item_long_click = function(_, fill) self:context(fill) end },
      fab { id = "add", desc = "New fill-up", on_click = function()
        if not car_of(prefs.car) then return toast("Add a car first") end
        self:start("Edit")
      end },
    }
  end,
}

-- ---- one fill-up ----

activity "Fill" {
  view = function(self)
    local fill = fill_of(self.intent.id)
    if not fill then return column { toolbar { "Fill-up", up = true }, text { "This fill-up was deleted", id = "gone" } } end
    local ml, km = burnt(fill)
    local car = car_of(fill.car)
    return column {
      toolbar { "Fill-up", up = true, subtitle = car and car.name,
        actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = fill.id }) end } } },
      text { day_text(fill.day), id = "day", size = "large" },
      text { "Odometer: " .. distance(fill.km), id = "odometer" },
      text { "Volume: " .. litres(fill.ml) .. (fill.full and ", full tank" or ", top-up"), id = "volume" },
      text { "Paid: " .. money(fill.cents), id = "paid" },
      text { format("Price: %s%.3f per litre", CURRENCIES[prefs.currency], fill.cents * 10 / fill.ml), id = "price" },
      text { "Station: " .. station_name(fill.station), id = "station" },
      text { ml and "Consumption: " .. economy(ml, km) .. " over " .. distance(km) or "Consumption: known with the next full tank",
        id = "consumption" },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local fill = intent.id and fill_of(intent.id)
    self.car = fill and fill.car or prefs.car
    if saved then
      self.day, self.station = saved.day, saved.station
    else
      self.day = fill and fill.day or today()
      self.station = fill and fill.station
    end
    if saved and bug("day_rotation") then self.day = fill and fill.day or today() end
  end,
  save = function(self, out) out.day, out.station = self.day, self.station end,

  choose_station = function(self)
    local names = each(storage.stations, function(s) return s.name end)
    table.insert(names, "No station")
    self:dialog { title = "Station", items = names, on_item = function(i)
      self.station = storage.stations[i] and storage.stations[i].id
    end }
  end,

  store = function(self)
    local fill = self.intent.id and fill_of(self.intent.id)
    local number = tonumber(self:text("odometer"))
    local volume = tonumber(self:text("volume"))
    local paid = tonumber(self:text("paid"))
    if not number or number < 1 then return toast("What does the odometer say?") end
    if not volume or volume < 0.1 then return toast("How much did you fill in?") end
    if not paid then return toast("What did you pay?") end
    local km = from_unit(number)
    -- Not touched: keep the exact kilometres, a mile more or less would creep in with each edit.
    if fill and number == to_unit(fill.km) then km = fill.km end
    if fill and bug("miles_roundtrip") then km = round(number) end
    if not fill then
      if #storage.fills >= MAX_FILLS then return toast("The book is full") end
      fill = { id = new_id(), car = self.car }
      table.insert(storage.fills, fill)
    end
    fill.km, fill.ml, fill.cents = km, round(volume * 1000), round(paid * 100)
    fill.day, fill.station, fill.full = self.day, self.station, self:checked("full")
    self:finish()
  end,

  view = function(self)
    local fill = self.intent.id and fill_of(self.intent.id)
    return column {
      toolbar { fill and "Edit fill-up" or "New fill-up", up = true,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "odometer", hint = "Odometer in " .. (prefs.miles and "mi" or "km"), input = "number", max = 6,
          text = fill and tostring(to_unit(fill.km)) or "" },
        field { id = "volume", hint = "Litres", input = "decimal", max = 6, text = fill and format("%.2f", fill.ml / 1000) or "" },
        field { id = "paid", hint = "Paid (" .. CURRENCIES[prefs.currency] .. ")", input = "decimal", max = 7,
          text = fill and format("%.2f", fill.cents / 100) or "" },
        check { "Filled to the top", id = "full", default = not fill or fill.full },
        button { station_name(self.station), id = "station", on_click = function() self:choose_station() end },
        row {
          button { "‹", id = "day_before", desc = "A day earlier", on_click = function() self.day = self.day - 1 end },
          text { day_text(self.day), id = "day", weight = 1 },
          button { "›", id = "day_after", desc = "A day later", on_click = function() self.day = math.min(today(), self.day + 1) end },
        },
      },
    }
  end,
}

-- ---- statistics ----

activity "Statistics" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
    self.year = saved and saved.year or 1
    self.picked = nil
  end,
  save = function(self, out) out.tab, out.year = self.tab, self.year end,

  years = function(self)
    local years = {}
    for _, f in ipairs(storage.fills) do
      local year = year_of(f.day)
      if not index_of(years, year) then table.insert(years, year) end
    end
    table.sort(years, function(a, b) return a > b end)
    table.insert(years, 1, "All years")
    return years
  end,

  fills = function(self, car)
    local year = self:years()[self.year]
    return filter(storage.fills, function(f)
      if car and f.car ~= car then return false end
      return self.year == 1 or year_of(f.day) == year
    end)
  end,

  sum = function(self, fills)
    local cents, ml = 0, 0
    for _, f in ipairs(fills) do cents, ml = cents + f.cents, ml + f.ml end
    return cents, ml
  end,

  cost = function(self, cents)
    if bug("currency_stats") then return format("€%d.%02d", cents // 100, cents % 100) end
    return money(cents)
  end,

  totals_tab = function(self)
    local fills = self:fills()
    local cents, ml = self:sum(fills)
    local count = bug("year_count") and #storage.fills or #fills
    return { each(storage.cars, function(car)
        local mine = self:fills(car.id)
        local c = self:sum(mine)
        return card { id = "car_card", text { car.name, id = "car_name", size = "large" },
          text { #mine .. " fill-ups, " .. self:cost(c), id = "car_cost" },
          text { "Average " .. average(mine), id = "car_average" } }
      end),
      text { "Household", id = "household", size = "large" },
      text { "Fill-ups: " .. count, id = "total_count" },
      text { "Fuel: " .. litres(ml), id = "total_fuel" },
      text { "Spent: " .. self:cost(cents), id = "total_spent" },
    }
  end,

  points = function(self)
    local points = {}
    for _, f in ipairs(fills_of(prefs.car)) do
      local ml, km = burnt(f)
      if ml and index_of(self:fills(), f) then table.insert(points, { fill = f, ml = ml, km = km }) end
    end
    return points
  end,

  chart_tab = function(self)
    local points = self:points()
    if #points == 0 then return text { "Nothing to draw", id = "no_chart" } end
    local picked = find(points, function(p) return p.fill.id == self.picked end)
    return {
      canvas { id = "chart", height = 420,
        desc = "Chart: " .. table.concat(each(points, function(p) return economy(p.ml, p.km) end), ", "),
        on_tap = function(x)
          local width = math.max(1, (self:size("chart")))
          local i = math.floor(x * #points / width) + 1
          self.picked = points[math.max(1, math.min(i, #points))].fill.id
        end },
      text { picked and day_text(picked.fill.day) .. ": " .. economy(picked.ml, picked.km) or "Touch the chart", id = "picked" },
    }
  end,

  view = function(self)
    local years = self:years()
    if self.year > #years then self.year = 1 end
    return column {
      toolbar { "Statistics", up = true },
      tabs { id = "stat_tabs", titles = { "Totals", "Consumption" }, selected = self.tab, on_change = function(i) self.tab = i end },
      spinner { id = "year", items = years, selected = self.year, on_change = function(i) self.year = i end },
      scroll { self.tab == 1 and self:totals_tab() or self:chart_tab() },
    }
  end,
}

-- ---- services ----

activity "Services" {
  items = function(self)
    local items = filter(storage.services, function(s) return s.car == prefs.car end)
    table.sort(items, function(a, b) return due_in(a) < due_in(b) end)
    return items
  end,

  ask_done = function(self, service)
    self:dialog { title = service.name, message = "Done at " .. distance(odometer(service.car)) .. "?",
      ok = "Done", on_ok = function() service.last = odometer(service.car) end, cancel = "Cancel",
      neutral = "Delete", on_neutral = function()
        local i = index_of(storage.services, service)
        if i then table.remove(storage.services, i) end
      end }
  end,

  ask_new = function(self)
    self:dialog { title = "New service", ok = "Add", cancel = "Cancel",
      view = function()
        return column {
          field { id = "service_name", hint = "What", max = 30 },
          field { id = "service_every", hint = "Every (" .. (prefs.miles and "mi" or "km") .. ")", input = "number", max = 6 },
        }
      end,
      on_ok = function()
        local name, every = trim(self:text("service_name")), tonumber(self:text("service_every"))
        if name == "" or not every or every < 1 then toast("Give it a name and a distance") return true end
        if #storage.services >= MAX_SERVICES then return toast("Too many services") end
        table.insert(storage.services, { id = new_id(), car = prefs.car, name = name, every = from_unit(every), last = odometer(prefs.car) })
      end }
  end,

  state = function(self, service)
    local left = due_in(service)
    if left < 0 then return "!" end
    return left <= prefs.warn and "soon" or ""
  end,

  view = function(self)
    local car = car_of(prefs.car)
    return column {
      toolbar { "Services", up = true, subtitle = car and car.name or "" },
      list { id = "service_list", items = self:items(), empty = text { "No services planned", id = "empty" },
        row = function(s)
          return column { id = "service_row",
            row { text { s.name, id = "name", weight = 1 }, text { self:state(s), id = "state" } },
            text { due_text(s) .. " · every " .. distance(s.every), id = "due", size = "small" } }
        end,
        on_item_click = function(_, s) self:ask_done(s) end },
      car and fab { id = "add_service", desc = "New service", on_click = function() self:ask_new() end },
    }
  end,
}

-- ---- cars, stations, settings ----

activity "Cars" {
  ask_name = function(self, car)
    self:dialog { title = car and "Edit car" or "New car", ok = "Save", cancel = "Cancel",
      view = function()
        return column { field { id = "car_name", hint = "Name", text = car and car.name or "", max = 20 },
          field { id = "car_plate", hint = "Plate", text = car and car.plate or "", max = 12 } }
      end,
      on_ok = function()
        local name = trim(self:text("car_name"))
        if name == "" then toast("A car needs a name") return true end
        if not car then
          if #storage.cars >= MAX_CARS then return toast("That is a garage, not a household") end
          car = { id = new_id() }
          table.insert(storage.cars, car)
          if not car_of(prefs.car) then prefs.car = car.id end
        end
        car.name, car.plate = name, trim(self:text("car_plate"))
      end }
  end,

  sell = function(self, car)
    self:dialog { title = "Remove " .. car.name .. "?", message = "Its fill-ups and services go with it.", ok = "Remove", cancel = "Cancel",
      on_ok = function()
        local i = index_of(storage.cars, car)
        if i then table.remove(storage.cars, i) end
        if not bug("sold_car_totals") then
          storage.fills = filter(storage.fills, function(f) return f.car ~= car.id end)
        end
        storage.services = filter(storage.services, function(s) return s.car ~= car.id end)
        if prefs.car == car.id then prefs.car = storage.cars[1] and storage.cars[1].id or 0 end
      end }
  end,

  view = function(self)
    return column {
      toolbar { "My cars", up = true },
      list { id = "car_list", items = storage.cars, empty = text { "No cars", id = "empty" },
        row = function(car)
          return column { id = "car_row", text { car.name, id = "name", size = "large" },
            text { car.plate .. " · " .. #fills_of(car.id) .. " fill-ups", id = "info", size = "small" } }
        end,
        on_item_click = function(_, car) self:ask_name(car) end,
        on_item_long_click = function(_, car) self:sell(car) end },
      fab { id = "add_car", desc = "New car", on_click = function() self:ask_name() end },
    }
  end,
}

activity "Stations" {
  visits = function(self, station)
    local count = #filter(storage.fills, function(f) return f.station == station.id end)
    return count == 1 and "1 visit" or count .. " visits"
  end,

  ask_name = function(self, station)
    self:dialog { title = station and "Rename station" or "New station", ok = "Save", cancel = "Cancel",
      view = function() return column { field { id = "station_name", hint = "Name", text = station and station.name or "", max = 25 } } end,
      on_ok = function()
        local name = trim(self:text("station_name"))
        if name == "" then return end
        if station then
          station.name = name
        elseif #storage.stations < MAX_STATIONS then
          table.insert(storage.stations, { id = new_id(), name = name })
        end
      end,
      neutral = station and "Delete", on_neutral = function()
        local i = index_of(storage.stations, station)
        if i then table.remove(storage.stations, i) end
        for _, f in ipairs(storage.fills) do if f.station == station.id then f.station = nil end end
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Stations", up = true },
      list { id = "station_list", items = storage.stations, empty = text { "No stations", id = "empty" },
        row = function(s)
          return row { id = "station_row", text { s.name, id = "name", weight = 1 }, text { self:visits(s), id = "visits" } }
        end,
        on_item_click = function(_, s) self:ask_name(s) end },
      fab { id = "add_station", desc = "New station", on_click = function() self:ask_name() end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        switch { "Odometer in miles", id = "miles", checked = prefs.miles, on_change = function(b) prefs.miles = b end },
        text { "Consumption", id = "economy_title" },
        radios { id = "economy", items = ECONOMY, selected = prefs.economy, on_change = function(i) prefs.economy = i end },
        text { "Currency", id = "currency_title" },
        spinner { id = "currency", items = CURRENCIES, selected = prefs.currency, on_change = function(i) prefs.currency = i end },
        text { "Warn before a service: " .. distance(prefs.warn), id = "warn_label" },
        slider { id = "warn", min = 500, max = 3000, step = 500, value = prefs.warn, on_change = function(v) prefs.warn = v end },
      },
    }
  end,
}
