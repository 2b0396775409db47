-- Odo: what the cars of a household use and cost.
--
-- Fill-ups and services are kept for each car. A fill-up that does not fill the tank is counted with the next full one; the
-- odometer is kept in kilometres and shown in kilometres or miles.

app {
  package = "org.norn.lodger.garage",
  title = "Odo",
  main = "Main",
  bugs = { "stale_total", "miles_form", "car_lost", "form_car", "done_twice", "interval_below", "stats_miles", "partial_lost" },
  application = function()
    if storage.cars then return end
    local today = now() // 86400000
    storage.next_id = 40
    storage.cars = { { id = 1, name = "Polo", plate = "AB 123" }, { id = 2, name = "Van", plate = "XY 77" } }
    storage.fills = {
      { id = 11, car = 1, day = today - 41, km = 52100, litres = 380, cents = 6080, full = true, station = "Hill Road", note = "" },
      { id = 12, car = 1, day = today - 20, km = 52700, litres = 360, cents = 5940, full = true, station = "Hill Road", note = "Rain all week" },
      { id = 13, car = 1, day = today - 4, km = 53250, litres = 341, cents = 5560, full = true, station = "Harbour", note = "" },
      { id = 14, car = 2, day = today - 35, km = 8000, litres = 600, cents = 9300, full = true, station = "Harbour", note = "" },
      { id = 15, car = 2, day = today - 18, km = 8400, litres = 250, cents = 4000, full = false, station = "Motorway", note = "" },
      { id = 16, car = 2, day = today - 6, km = 8800, litres = 470, cents = 7520, full = true, station = "Harbour", note = "" },
    }
    storage.services = {
      { id = 21, car = 1, name = "Oil change", months = 12, last = today - 340 },
      { id = 22, car = 1, name = "Tyres", months = 6, last = today - 200 },
      { id = 23, car = 2, name = "Inspection", months = 24, last = today - 100 },
    }
    prefs.car = 1
    prefs.unit = "km"
    prefs.sign = "€"
    prefs.newest = true
    prefs.stations = true
  end,
}

local KM_PER_MILE = 1.609344
local MONTH = 30
local SIGNS = { "€", "$", "£" }
local RANGES = { "All time", "Last 30 days", "Last 7 days" }
local RANGE_DAYS = { 100000, 30, 7 }
local MAX_MONTHS = 60

local chosen = nil

local function today() return now() // 86400000 end

-- Above the page, with the keyboard out of the way.
local function tell(self, text)
  self:hide_keyboard()
  self:snackbar(text)
end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function car_of(id) return by_id(storage.cars, id) end
local function fill_of(id) return by_id(storage.fills, id) end
local function service_of(id) return by_id(storage.services, id) end
local function without(list, id) return filter(list, function(x) return x.id ~= id end) end

local function current_car()
  if bug("car_lost") then return car_of(chosen) or storage.cars[1] end
  return car_of(prefs.car) or storage.cars[1]
end

local function choose_car(car)
  if bug("car_lost") then chosen = car.id else prefs.car = car.id end
end

local function round(x) return math.floor(x + 0.5) end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end
local function money(cents) return format("%d.%02d %s", cents // 100, cents % 100, prefs.sign) end
local function litres_text(tenths) return format("%d.%d L", tenths // 10, tenths % 10) end
local function in_unit(km) return prefs.unit == "mi" and round(km / KM_PER_MILE) or km end
local function distance(km) return in_unit(km) .. " " .. prefs.unit end
local function day_name(day) return date(day * 86400000, "%Y-%m-%d") end

-- A car's fill-ups by the odometer.
local function fills_of(car)
  local result = filter(storage.fills, function(f) return f.car == car end)
  table.sort(result, function(a, b) return a.km < b.km end)
  return result
end

-- Litres (in tenths) and kilometres since the tank was full before; nil for the first and for partial ones.
local function used(fill)
  if not fill.full then return nil end
  local litres, from = 0, nil
  for _, f in ipairs(fills_of(fill.car)) do
    if f.id == fill.id then
      if not from then return nil end
      return litres + f.litres, f.km - from
    end
    if f.full then
      litres, from = 0, f.km
    elseif from and not bug("partial_lost") then
      litres = litres + f.litres
    end
  end
end

local function per_hundred(tenths, km)
  local way = prefs.unit == "mi" and km / KM_PER_MILE or km
  local x = round(tenths * 100 / way)
  return format("%d.%d L/100 %s", x // 10, x % 10, prefs.unit)
end

local function consumption(fill)
  local litres, km = used(fill)
  return litres and per_hundred(litres, km) or "–"
end

local function due_in(service) return service.last + service.months * MONTH - today() end

local function due_text(service)
  local days = due_in(service)
  if days < 0 then return "Overdue for " .. plural(-days, "day") end
  if days == 0 then return "Due today" end
  return "Due in " .. plural(days, "day")
end

local function delete_fill(self, fill)
  local kept = copy(fill)
  storage.fills = without(storage.fills, fill.id)
  self:snackbar("Fill-up deleted", "Undo", function()
    if car_of(kept.car) and not fill_of(kept.id) then table.insert(storage.fills, kept) end
  end)
end

activity "Main" {
  create = function(self, intent, saved) self.range = saved and saved.range or 1 end,
  save = function(self, out) out.range = self.range end,

  resume = function(self) self:count() end,

  result = function(self, request, data)
    local fill = data and data.delete and fill_of(data.delete)
    if fill then delete_fill(self, fill) end
  end,

  shown = function(self)
    local result = filter(fills_of(current_car().id), function(f) return today() - f.day < RANGE_DAYS[self.range] end)
    if prefs.newest then table.sort(result, function(a, b) return a.km > b.km end) end
    return result
  end,

  count = function(self)
    local cents = 0
    for _, f in ipairs(self:shown()) do cents = cents + f.cents end
    self.total = cents
    return cents
  end,

  fill_menu = function(self, fill)
    self:popup {
      { "Edit", id = "edit_fill", on_click = function() self:start("FillForm", { id = fill.id }) end },
      { "Delete", id = "delete_fill", on_click = function() delete_fill(self, fill) end },
    }
  end,

  menu = function(self)
    return {
      { "Newest first", id = "newest", checked = prefs.newest, on_click = function() prefs.newest = not prefs.newest end },
      { "Show stations", id = "show_stations", checked = prefs.stations, on_click = function() prefs.stations = not prefs.stations end },
    }
  end,

  view = function(self)
    local car = current_car()
    local fills = self:shown()
    local total = bug("stale_total") and self.total or self:count()
    return column {
      toolbar { "Odo", subtitle = car.plate ~= "" and car.plate or nil },
      drawer { id = "drawer", header = "Odo", items = {
        { "Services", id = "services", on_click = function() self:start("Services") end },
        { "Statistics", id = "stats", on_click = function() self:start("Stats") end },
        { "Cars", id = "cars", on_click = function() self:start("Cars") end },
        { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      } },
      row {
        spinner { id = "car", weight = 1, items = each(storage.cars, function(c) return c.name end),
          selected = index_of(storage.cars, car) or 1,
          on_change = function(i)
            choose_car(storage.cars[i])
            self:count()
          end },
        spinner { id = "range", weight = 1, items = RANGES, selected = self.range, on_change = function(i)
          self.range = i
          self:count()
        end },
      },
      text { plural(#fills, "fill-up") .. " · " .. money(total), id = "summary" },
      list { id = "fills", weight = 1, items = fills, empty = text { "No fill-ups here", id = "empty" },
        row = function(f)
          return column { id = "fill_row",
            row { text { distance(f.km), id = "odometer", weight = 1 }, text { consumption(f), id = "consumption" } },
            text { day_name(f.day) .. " · " .. litres_text(f.litres) .. " · " .. money(f.cents) .. (f.full and "" or " · partial"),
              id = "line", size = "small" },
            prefs.stations and f.station ~= "" and text { f.station, id = "station", size = "small" } }
        end,
        on_item_click = function(_, f) self:start_for_result("Fill", "fill", { id = f.id }) end,
        on_item_long_click = function(_, f) self:fill_menu(f) end },
      fab { id = "add", desc = "New fill-up", on_click = function() self:start("FillForm") end },
    }
  end,
}

activity "Fill" {
  view = function(self)
    local f = fill_of(self.intent.id)
    if not f then return column { toolbar { "Fill-up", up = true }, text { "This fill-up is gone", id = "gone" } } end
    local litres, km = used(f)
    return column {
      toolbar { "Fill-up", subtitle = car_of(f.car).name, up = true,
        actions = { { "Edit", id = "edit", on_click = function() self:start("FillForm", { id = f.id }) end } },
        menu = { { "Delete", id = "delete", on_click = function() self:finish { delete = f.id } end } } },
      scroll {
        text { day_name(f.day), id = "day", size = "large" },
        text { "Odometer: " .. distance(f.km), id = "odometer" },
        text { "Fuel: " .. litres_text(f.litres) .. (f.full and ", full tank" or ", partial"), id = "fuel" },
        text { "Paid: " .. money(f.cents), id = "paid" },
        f.litres > 0 and text { "A litre: " .. money(round(f.cents * 10 / f.litres)), id = "litre" },
        text { "Used: " .. consumption(f), id = "used" },
        litres and text { "Since the last full tank: " .. distance(km) .. " with " .. litres_text(litres), id = "since", size = "small" },
        not f.full and text { "A partial fill-up is counted with the next full one", id = "partial", size = "small" },
        f.station ~= "" and text { "Station: " .. f.station, id = "station" },
        f.note ~= "" and text { f.note, id = "note" },
      },
    }
  end,
}

-- A new fill-up begins with the station of the newest one. Leaving the form does not save.
activity "FillForm" {
  create = function(self, intent, saved)
    local f = fill_of(intent.id)
    if saved then
      self.car, self.full, self.ago = saved.car, saved.full, saved.ago
    elseif f then
      self.car, self.full, self.ago = f.car, f.full, today() - f.day
    else
      self.car, self.full, self.ago = current_car().id, true, 0
    end
  end,

  save = function(self, out) out.car, out.full, out.ago = self.car, self.full, self.ago end,

  last_station = function(self)
    local best
    for _, f in ipairs(storage.fills) do
      if not best or f.day > best.day or f.day == best.day and f.id > best.id then best = f end
    end
    return best and best.station or ""
  end,

  read_km = function(self, f)
    local x = tonumber(self:text("odometer"))
    if not x or x < 1 then return nil end
    if f and x == in_unit(f.km) and not bug("miles_form") then return f.km end     -- not touched: as exact as before
    return prefs.unit == "mi" and not bug("miles_form") and round(x * KM_PER_MILE) or math.floor(x)
  end,

  store = function(self)
    local f = fill_of(self.intent.id)
    local km, litres, paid = self:read_km(f), tonumber(self:text("litres")), tonumber(self:text("paid"))
    if not km then return tell(self, "What does the odometer say?") end
    if not litres or litres < 0.1 then return tell(self, "How many litres?") end
    if not paid or paid < 0 then return tell(self, "How much was it?") end
    local car = (car_of(self.car) or storage.cars[1]).id
    if bug("form_car") and not f then car = current_car().id end
    local day = today() - self.ago
    local clash = find(storage.fills, function(o)
      local order = not bug("miles_form") and (o.day < day and o.km > km or o.day > day and o.km < km)
      return o.car == car and o ~= f and (o.km == km or order)
    end)
    if clash then
      return self:dialog { title = "Check the odometer", ok = "OK",
        message = car_of(car).name .. " had " .. distance(clash.km) .. " on " .. day_name(clash.day) }
    end
    if not f then
      f = { id = new_id() }
      table.insert(storage.fills, f)
    end
    f.car, f.day, f.km, f.litres, f.cents, f.full = car, day, km, round(litres * 10), round(paid * 100), self.full
    f.station, f.note = trim(self:text("station")), trim(self:text("note"))
    toast("Saved for " .. car_of(car).name)
    self:finish()
  end,

  view = function(self)
    local f = fill_of(self.intent.id)
    local car = car_of(self.car) or storage.cars[1]
    local fills = fills_of(car.id)
    local last = fills[#fills]
    return column {
      toolbar { f and "Edit fill-up" or "New fill-up", up = true,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        spinner { id = "car", items = each(storage.cars, function(c) return c.name end), selected = index_of(storage.cars, car) or 1,
          on_change = function(i) self.car = storage.cars[i].id end },
        field { id = "odometer", hint = "Odometer (" .. prefs.unit .. ")", input = "number", max = 7, text = f and tostring(in_unit(f.km)) or "" },
        text { last and "Highest so far: " .. distance(last.km) or "The first fill-up of this car", id = "highest", size = "small" },
        field { id = "litres", hint = "Litres", input = "decimal", max = 6, text = f and format("%d.%d", f.litres // 10, f.litres % 10) or "" },
        field { id = "paid", hint = "Paid (" .. prefs.sign .. ")", input = "decimal", max = 7,
          text = f and format("%d.%02d", f.cents // 100, f.cents % 100) or "" },
        check { "Full tank", id = "full", checked = self.full, on_change = function(b) self.full = b end },
        row {
          text { "Date", weight = 1 },
          button { "‹", id = "earlier", on_click = function() self.ago = self.ago + 1 end },
          text { day_name(today() - self.ago), id = "day" },
          button { "›", id = "later", enabled = self.ago > 0, on_click = function() self.ago = self.ago - 1 end },
        },
        field { id = "station", hint = "Station", max = 30, text = f and f.station or self:last_station() },
        field { id = "note", hint = "Note", max = 100, text = f and f.note or "" },
      },
    }
  end,
}

activity "Services" {
  done = function(self, s)
    local before = s.last
    if bug("done_twice") then
      s = { id = new_id(), car = s.car, name = s.name, months = s.months }
      table.insert(storage.services, s)
    end
    s.last = today()
    local id = s.id
    self:snackbar(s.name .. " done", "Undo", function()
      local again = service_of(id)
      if again then again.last = before end
    end)
  end,

  ask = function(self, s)
    self:popup {
      { "Done today", id = "done", on_click = function() self:done(s) end },
      { "Edit", id = "edit_service", on_click = function() self:start("ServiceForm", { id = s.id }) end },
      { "Delete", id = "delete_service", on_click = function()
        self:dialog { title = "Delete " .. s.name .. "?", cancel = "Cancel", ok = "Delete",
          on_ok = function() storage.services = without(storage.services, s.id) end }
      end },
    }
  end,

  view = function(self)
    local car = current_car()
    local services = filter(storage.services, function(s) return s.car == car.id end)
    table.sort(services, function(a, b) return due_in(a) < due_in(b) end)
    return column {
      toolbar { "Services", subtitle = car.name, up = true },
      list { id = "services", weight = 1, items = services, empty = text { "No services for this car", id = "empty" },
        row = function(s)
          return column { id = "service_row", text { s.name, id = "name", size = "large" }, text { due_text(s), id = "due" },
            text { "Every " .. plural(s.months, "month"), id = "interval", size = "small" } }
        end,
        on_item_click = function(_, s) self:ask(s) end },
      text { "A month is 30 days here", id = "tip", size = "small" },
      fab { id = "add", desc = "New service", on_click = function() self:start("ServiceForm") end },
    }
  end,
}

activity "ServiceForm" {
  create = function(self, intent, saved)
    local s = service_of(intent.id)
    self.months = saved and saved.months or s and s.months or 3
  end,

  save = function(self, out) out.months = self.months end,

  store = function(self)
    local name = trim(self:text("service_name"))
    if name == "" then return tell(self, "What has to be done?") end
    local s = service_of(self.intent.id)
    if not s then
      s = { id = new_id(), car = current_car().id, last = today() }
      table.insert(storage.services, s)
    end
    s.name, s.months = name, self.months
    self:finish()
  end,

  view = function(self)
    local s = service_of(self.intent.id)
    local function less()
      if self.months <= 1 and not bug("interval_below") then return tell(self, "At least one month") end
      self.months = self.months - 1
    end
    return column {
      toolbar { s and "Edit service" or "New service", up = true,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "service_name", hint = "Service", max = 30, text = s and s.name or "" },
        row {
          text { "Every", weight = 1 },
          button { "−", id = "less", on_click = less },
          text { plural(self.months, "month"), id = "months" },
          button { "+", id = "more", enabled = self.months < MAX_MONTHS, on_click = function() self.months = self.months + 1 end },
        },
        not s and text { "Counted from today, for " .. current_car().name, id = "hint", size = "small" },
      },
    }
  end,
}

activity "Stats" {
  view = function(self)
    local car = current_car()
    local fills = fills_of(car.id)
    local cents, litres, km, all = 0, 0, 0, 0
    for _, f in ipairs(fills) do
      local l, k = used(f)
      if l then litres, km = litres + l, km + k end
      cents, all = cents + f.cents, all + f.litres
    end
    local driven = #fills > 1 and fills[#fills].km - fills[1].km or 0
    local services = filter(storage.services, function(s) return s.car == car.id and due_in(s) < 0 end)
    local way = bug("stats_miles") and driven .. " km" or distance(driven)
    return column {
      toolbar { "Statistics", subtitle = car.name, up = true },
      scroll {
        text { "Fill-ups: " .. #fills, id = "count" },
        text { "Driven: " .. way, id = "driven" },
        text { "Fuel: " .. litres_text(all), id = "fuel" },
        text { "Paid: " .. money(cents), id = "paid" },
        text { "On average: " .. (km > 0 and per_hundred(litres, km) or "–"), id = "average" },
        text { "Overdue services: " .. #services, id = "overdue" },
        text { "From the first fill-up to the last, of all time", id = "tip", size = "small" },
      },
    }
  end,
}

activity "Cars" {
  ask = function(self, car)
    local problem
    self:dialog {
      title = car and "Edit car" or "New car",
      view = function()
        return column {
          field { id = "car_name", hint = "Name", max = 24, text = car and car.name or "" },
          field { id = "car_plate", hint = "Plate", max = 12, text = car and car.plate or "" },
          problem and text { problem, id = "problem", size = "small" },
        }
      end,
      ok = "Save", cancel = "Cancel",
      on_ok = function()
        local name, plate = trim(self:text("car_name")), trim(self:text("car_plate")):upper()
        problem = name == "" and "A car needs a name" or nil
        if problem then return true end
        if car then
          car.name, car.plate = name, plate
        else
          table.insert(storage.cars, { id = new_id(), name = name, plate = plate })
        end
      end,
    }
  end,

  ask_delete = function(self, car)
    if #storage.cars == 1 then return tell(self, "The last car stays") end
    local count = #fills_of(car.id)
    self:dialog { title = "Delete " .. car.name .. "?", message = "With " .. plural(count, "fill-up") .. " and its services, for ever",
      cancel = "Cancel", ok = "Delete",
      on_ok = function()
        storage.cars = without(storage.cars, car.id)
        storage.fills = filter(storage.fills, function(f) return f.car ~= car.id end)
        storage.services = filter(storage.services, function(s) return s.car ~= car.id end)
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Cars", up = true, actions = { { "New car", id = "add_car", on_click = function() self:ask() end } } },
      list { id = "cars", weight = 1, items = storage.cars,
        row = function(c)
          return row { id = "car_row",
            column { weight = 1, text { c.name, id = "name", size = "large" },
              text { (c.plate ~= "" and c.plate .. " · " or "") .. plural(#fills_of(c.id), "fill-up"), id = "line", size = "small" } },
            image_button { id = "delete", desc = "Delete " .. c.name, on_click = function() self:ask_delete(c) end } }
        end,
        on_item_click = function(_, c) self:ask(c) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Distances in", size = "small" },
        radios { id = "unit", items = { "Kilometres", "Miles (whole ones)" }, selected = prefs.unit == "km" and 1 or 2,
          on_change = function(i) prefs.unit = i == 1 and "km" or "mi" end },
        text { "Currency", size = "small" },
        spinner { id = "sign", items = SIGNS, selected = index_of(SIGNS, prefs.sign) or 1, on_change = function(i) prefs.sign = SIGNS[i] end },
        text { "Amounts are not converted", id = "tip", size = "small" },
        button { "About", id = "about", on_click = function()
          self:dialog { title = "Odo 5.2", message = plural(#storage.fills, "fill-up") .. " of " .. plural(#storage.cars, "car"), ok = "OK" }
        end },
      },
    }
  end,
}
