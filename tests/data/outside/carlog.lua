-- Car Log: fill-ups, services and other costs of the household's cars. Kept in kilometres, centilitres and cents whatever is shown.

local DAY = 24 * 60 * 60 * 1000
local MILE, GALLON = 1.609344, 3.785411784
local TABS = { "Fill-ups", "Services", "Costs" }
local UNITS = { "l/100 km", "km/l", "mpg" }
local SYMBOLS = { "€", "$", "£" }

app {
  package = "org.norn.carlog",
  title = "Car Log",
  main = "Cars",
  bugs = { "partial_ignored", "undo_loses_full", "sold_still_fills", "moved_still_counted", "clashes_with_itself", "year_total_of_all",
    "done_from_due", "tab_after_adding" },
  application = function()
    if storage.cars then return end
    local today = now() // DAY
    storage.cars = { { id = 1, name = "Golf", plate = "AB 123", fills = 5 }, { id = 2, name = "Panda", plate = "CD 456", fills = 3 },
      { id = 3, name = "Volvo", plate = "EF 789", fills = 1, sold = true } }
    storage.fills = {
      { id = 11, car = 1, odo = 82000, cl = 4500, cents = 7650, full = true, day = today - 90 },
      { id = 12, car = 1, odo = 82700, cl = 4340, cents = 7378, full = true, day = today - 70 },
      { id = 13, car = 1, odo = 83100, cl = 2000, cents = 3400, day = today - 50 },
      { id = 14, car = 1, odo = 83500, cl = 3200, cents = 5440, full = true, day = today - 32 },
      { id = 15, car = 1, odo = 84200, cl = 4480, cents = 7616, full = true, day = today - 8 },
      { id = 19, car = 2, odo = 29900, cl = 2950, cents = 4720, full = true, day = today - 75 },
      { id = 16, car = 2, odo = 30500, cl = 3000, cents = 5100, full = true, day = today - 40 },
      { id = 17, car = 2, odo = 31100, cl = 3120, cents = 5304, full = true, day = today - 14 },
      { id = 18, car = 3, odo = 210000, cl = 5000, cents = 8000, full = true, day = today - 400 },
    }
    storage.services = {
      { id = 21, car = 1, what = "Tyres", every = 10000, last = 80000 }, { id = 22, car = 1, what = "Oil", every = 15000, last = 68000 },
      { id = 23, car = 2, what = "Oil", every = 20000, last = 25000 },
    }
    storage.costs = { { id = 31, car = 1, what = "Insurance", cents = 42000, day = today - 60 }, { id = 32, car = 2, what = "Car wash", cents = 1200, day = today - 20 } }
    storage.next_id = 40
    prefs.miles, prefs.unit, prefs.symbol, prefs.sold = false, 1, 1, true
  end,
}

local function by_id(list, id) return find(list, function(x) return x.id == id end) end
local function of_car(list, id) return filter(list, function(x) return x.car == id end) end
local function remove(list, item) return table.remove(list, (index_of(list, item))) end
local function round(x) return math.floor(x + 0.5) end
local function distance(km) return prefs.miles and round(km / MILE) .. " mi" or km .. " km" end
local function plain(cents) return format("%d.%02d", cents // 100, cents % 100) end
local function money(cents) return SYMBOLS[prefs.symbol] .. plain(cents) end
local function day_text(day) return date(day * DAY, "%d %b %Y") end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function cars_here() return filter(storage.cars, function(c) return not c.sold end) end

local function add_to(list, item)
  item.id = storage.next_id
  storage.next_id = storage.next_id + 1
  table.insert(list, item)
  return item
end

-- What was typed as a distance, in kilometres; `old` stays if it was not touched, so that nothing is lost by rounding.
local function shown_distance(km) return km and tostring(prefs.miles and round(km / MILE) or km) or "" end
local function read_distance(s, old)
  local number = tonumber(s)
  if not number or number < 1 then return nil end
  if old and s == shown_distance(old) then return old end
  return prefs.miles and round(number * MILE) or number
end

local function read_hundredths(s)
  local number = tonumber(s)
  return number and number > 0 and number < 100000 and math.max(1, round(number * 100)) or nil
end

local function fills_of(id)                             -- by odometer, the highest last
  local out = of_car(storage.fills, id)
  table.sort(out, function(a, b) return a.odo < b.odo end)
  return out
end

local function odometer(id)
  local fills = fills_of(id)
  return #fills > 0 and fills[#fills].odo or 0
end

-- Kilometres and centilitres between full tanks, up to the i-th fill-up. On purpose: only from full to full can consumption be known;
-- what was put in between by half counts to the next full one.
local function stretch(fills, i)
  if not fills[i].full then return nil end
  local cl = fills[i].cl
  for k = i - 1, 1, -1 do
    if fills[k].full then return fills[i].odo - fills[k].odo, cl end
    if not bug("partial_ignored") then cl = cl + fills[k].cl end
  end
  return nil
end

local function consumption(km, cl)
  if not km or km <= 0 then return nil end
  if prefs.unit == 1 then return format("%.1f l/100 km", cl / km) end
  if prefs.unit == 2 then return format("%.1f km/l", km * 100 / cl) end
  return format("%.1f mpg", km / MILE / (cl / 100 / GALLON))
end

local function average(id)
  local fills, km, cl = fills_of(id), 0, 0
  for i = 1, #fills do
    local k, c = stretch(fills, i)
    if k then km, cl = km + k, cl + c end
  end
  return consumption(km, cl) or "not known yet"
end

local function spent(id)
  local fuel, other = 0, 0
  for _, f in ipairs(of_car(storage.fills, id)) do fuel = fuel + f.cents end
  for _, c in ipairs(of_car(storage.costs, id)) do other = other + c.cents end
  return fuel, other
end

-- ---- the cars ----

activity "Cars" {
  quick_fill = function(self)
    local here = cars_here()
    if #here == 0 then return toast("There is no car to fill") end
    local last, day = here[1].id, 0
    for _, f in ipairs(storage.fills) do
      if f.day >= day and by_id(here, f.car) then last, day = f.car, f.day end
    end
    self:start("EditFill", { car = last })              -- the one that was filled last
  end,
  menu = function(self)
    return {
      { "New car", id = "new_car", on_click = function() self:start("EditCar") end },
      { "Compare", id = "compare", on_click = function() self:start("Compare") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local shown = filter(storage.cars, function(c) return prefs.sold or not c.sold end)
    table.sort(shown, function(a, b) return not a.sold and b.sold end)        -- On purpose: sold ones come last
    local total = 0
    for _, c in ipairs(cars_here()) do                  -- On purpose: a sold car's money is no longer counted
      local fuel, other = spent(c.id)
      total = total + fuel + other
    end
    return column {
      toolbar { "Car Log" },
      text { "Costs of " .. plural(#cars_here(), "car") .. ": " .. money(total), id = "all_costs" },
      list { id = "car_list", items = shown, empty = text { "No cars", id = "empty" },
        row = function(c)
          return row { column { weight = 1, text { c.name .. (c.sold and " (sold)" or ""), id = "car_row" },
            text { c.plate .. ", " .. distance(odometer(c.id)), id = "car_info", size = "small" } }, text { plural(c.fills, "fill-up"), id = "fill_count" } }
        end,
        on_item_click = function(_, c) self:start("Car", { id = c.id }) end },
      fab { id = "quick_fill", desc = "Fill up", on_click = function() self:quick_fill() end },
    }
  end,
}

activity "Car" {
  create = function(self, intent, saved)
    self.tab, self.year = saved and saved.tab or 1, saved and saved.year
  end,
  save = function(self, out) out.tab, out.year = self.tab, self.year end,
  result = function(self, request, data)
    if data and bug("tab_after_adding") then self.tab = 1 end
  end,
  year_of = function(self, f) return date(f.day * DAY, "%Y") end,
  delete_fill = function(self, f)
    local car = by_id(storage.cars, f.car)
    remove(storage.fills, f)
    car.fills = car.fills - 1
    self:snackbar("Deleted", "Undo", function()
      if not index_of(storage.cars, car) then return end
      local again = { id = f.id, car = f.car, odo = f.odo, cl = f.cl, cents = f.cents, day = f.day, note = f.note }
      if not bug("undo_loses_full") then again.full = f.full end
      table.insert(storage.fills, again)
      car.fills = car.fills + 1
    end)
  end,
  finish_service = function(self, s)
    self:set_text("service_cost", "")
    self:dialog { title = s.what .. " done?", cancel = "Cancel", ok = "Done",
      view = function() return column { field { id = "service_cost", hint = "What it cost, if anything", input = "decimal", max = 8 } } end,
      on_ok = function()
        local cents = read_hundredths(self:text("service_cost"))
        if cents then add_to(storage.costs, { car = s.car, what = s.what, cents = cents, day = now() // DAY }) end
        s.last = bug("done_from_due") and s.last + s.every or odometer(s.car)
      end }
  end,
  ask_sell = function(self, car)
    self:dialog { title = "Sell " .. car.name .. "?", message = "Its log stays, but nothing can be added.", cancel = "Cancel", ok = "Sell", on_ok = function() car.sold = true end }
  end,
  ask_delete = function(self, car)
    self:dialog { title = "Delete " .. car.name .. "?", message = "All its entries go too.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        remove(storage.cars, car)
        for _, name in ipairs { "fills", "services", "costs" } do storage[name] = filter(storage[name], function(x) return x.car ~= car.id end) end
        self:finish()
      end }
  end,
  menu = function(self)
    local car = by_id(storage.cars, self.intent.id)
    if not car then return {} end
    return {
      { "Edit", id = "edit", on_click = function() self:start("EditCar", { id = car.id }) end },
      { "Sell", id = "sell", visible = not car.sold, on_click = function() self:ask_sell(car) end },
      { "Take back", id = "take_back", visible = car.sold == true, on_click = function() car.sold = nil end },
      { "Delete", id = "delete", on_click = function() self:ask_delete(car) end },
    }
  end,
  fill_tab = function(self, car)
    local fills, rows, years = fills_of(car.id), {}, { "All years" }
    local cl, cents = 0, 0
    for i = #fills, 1, -1 do
      if not index_of(years, self:year_of(fills[i])) then table.insert(years, self:year_of(fills[i])) end
    end
    if self.year and not index_of(years, self.year) then self.year = nil end          -- its last fill-up was deleted
    for i = #fills, 1, -1 do
      local year = self:year_of(fills[i])
      if not self.year or year == self.year then table.insert(rows, { fill = fills[i], used = consumption(stretch(fills, i)) }) end
      if not self.year or year == self.year or bug("year_total_of_all") then cl, cents = cl + fills[i].cl, cents + fills[i].cents end
    end
    return {
      spinner { id = "year", items = years, selected = self.year and index_of(years, self.year) or 1, on_change = function(i, year) self.year = i > 1 and year or nil end },
      text { format("%.2f l for ", cl / 100) .. money(cents), id = "fill_sum" },
      list { id = "fill_list", items = rows, empty = text { "No fill-ups", id = "empty" },
        row = function(r)
          return row { column { weight = 1, text { distance(r.fill.odo), id = "fill_row" },
            text { day_text(r.fill.day) .. ", " .. (r.used or r.fill.full and "full" or "not full"), id = "fill_info", size = "small" } },
            text { money(r.fill.cents), id = "fill_price" } }
        end,
        on_item_click = function(_, r) self:start("Fill", { id = r.fill.id }) end,
        on_item_long_click = function(_, r) self:delete_fill(r.fill) end },
    }
  end,
  service_tab = function(self, car)
    local services, odo = of_car(storage.services, car.id), odometer(car.id)
    table.sort(services, function(a, b) return a.last + a.every < b.last + b.every end)     -- On purpose: the most urgent first
    return list { id = "service_list", items = services, empty = text { "No services", id = "empty" },
      row = function(s)
        local left = s.last + s.every - odo
        return row { column { weight = 1, text { s.what, id = "service_row" },
          text { left < 0 and "overdue by " .. distance(-left) or "due in " .. distance(left), id = "service_due", size = "small" } },
          not car.sold and button { "Done", id = "service_done", on_click = function() self:finish_service(s) end } }
      end,
      on_item_click = function(_, s)
        if not car.sold then self:start_for_result("EditService", "service", { id = s.id, car = car.id }) end
      end }
  end,
  cost_tab = function(self, car)
    local fuel, other = spent(car.id)
    local fills = fills_of(car.id)
    local km = #fills > 1 and fills[#fills].odo - fills[1].odo or 0
    return {
      text { "Fuel " .. money(fuel) .. ", other " .. money(other), id = "cost_parts" },
      text { "Together " .. money(fuel + other), id = "cost_total" },
      text { "Average " .. average(car.id) .. " over " .. distance(km), id = "cost_average" },
      list { id = "cost_list", items = of_car(storage.costs, car.id), empty = text { "No other costs", id = "empty" },
        row = function(c)
          return row { column { weight = 1, text { c.what, id = "cost_row" }, text { day_text(c.day), id = "cost_day", size = "small" } }, text { money(c.cents), id = "cost_sum" } }
        end,
        on_item_long_click = function(_, c)
          self:dialog { title = "Delete " .. c.what .. "?", cancel = "Cancel", ok = "Delete", on_ok = function() remove(storage.costs, c) end }
        end },
    }
  end,
  view = function(self)
    local car = by_id(storage.cars, self.intent.id)
    if not car then return column { toolbar { "Car", up = true }, text { "This car is gone", id = "gone" } } end
    local form = ({ "EditFill", "EditService", "EditCost" })[self.tab]
    -- On purpose: to the log of a sold car nothing can be added
    local may_add = not car.sold or self.tab == 1 and bug("sold_still_fills")
    return column {
      toolbar { car.name, up = true, subtitle = car.sold and "sold" or distance(odometer(car.id)) },
      tabs { id = "car_tabs", titles = TABS, selected = self.tab, on_change = function(i) self.tab = i end },
      self.tab == 1 and self:fill_tab(car) or self.tab == 2 and self:service_tab(car) or self:cost_tab(car),
      may_add and fab { id = "add", desc = "Add", on_click = function() self:start_for_result(form, "added", { car = car.id }) end },
    }
  end,
}

activity "EditCar" {
  store = function(self)
    local car, name, plate = by_id(storage.cars, self.intent.id), trim(self:text("name")), trim(self:text("plate")):upper()
    if name == "" then return toast("Which car is it?") end
    if plate ~= "" and find(storage.cars, function(c) return c ~= car and c.plate == plate end) then return toast("This plate is known already") end
    car = car or add_to(storage.cars, { fills = 0 })
    car.name, car.plate = name, plate
    self:finish()
  end,
  view = function(self)
    local car = by_id(storage.cars, self.intent.id) or { name = "", plate = "" }
    return column {
      toolbar { car.id and "Edit car" or "New car", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", text = car.name, max = 20 },
      field { id = "plate", hint = "Plate", text = car.plate, max = 12 },
    }
  end,
}

-- ---- fill-ups ----

activity "Fill" {
  view = function(self)
    local f = by_id(storage.fills, self.intent.id)
    local car = f and by_id(storage.cars, f.car)
    if not car then return column { toolbar { "Fill-up", up = true }, text { "This fill-up is gone", id = "gone" } } end
    local fills = fills_of(car.id)
    local km, cl = stretch(fills, (index_of(fills, f)))
    return column {
      toolbar { "Fill-up", up = true, subtitle = car.name,
        actions = not car.sold and { { "Edit", id = "edit_fill", on_click = function() self:start("EditFill", { id = f.id }) end } } or nil },
      text { day_text(f.day) .. " at " .. distance(f.odo), id = "fill_when" },
      text { format("%.2f l, ", f.cl / 100) .. money(f.cents), id = "fill_what" },
      text { money(round(f.cents * 100 / f.cl)) .. " a litre", id = "fill_litre" },
      text { f.full and "Filled up" or "Not full", id = "fill_full" },
      text { km and consumption(km, cl) .. " over " .. distance(km) or "Consumption is not known", id = "fill_used" },
      f.note and text { f.note, id = "fill_note" },
    }
  end,
}

activity "EditFill" {
  create = function(self, intent, saved)
    local f = by_id(storage.fills, intent.id)
    self.fill = f
    self.car = saved and saved.car or f and f.car or intent.car or cars_here()[1] and cars_here()[1].id
    if saved then self.full = saved.full elseif f then self.full = f.full else self.full = true end
  end,
  save = function(self, out) out.car, out.full = self.car, self.full or false end,
  store = function(self)
    local f, car = self.fill, by_id(storage.cars, self.car)
    local odo = read_distance(self:text("odo"), f and f.odo)
    local cl, cents = read_hundredths(self:text("litres")), read_hundredths(self:text("price"))
    if not car or car.sold and not bug("sold_still_fills") then return toast("Which car?") end
    if not odo or odo > 2000000 then return toast("What does the odometer say?") end
    if not cl then return toast("How many litres?") end
    if not cents then return toast("What did it cost?") end
    -- On purpose: an earlier reading may be added later; only the same one twice is refused
    local twin = find(of_car(storage.fills, car.id), function(o) return o.odo == odo and (o ~= f or bug("clashes_with_itself")) end)
    if twin then return toast("There is a fill-up at " .. distance(odo)) end
    if not f then
      f = add_to(storage.fills, { car = car.id, day = now() // DAY })
      car.fills = car.fills + 1
    elseif f.car ~= car.id then
      local before = by_id(storage.cars, f.car)
      if before and not bug("moved_still_counted") then before.fills = before.fills - 1 end
      f.car, car.fills = car.id, car.fills + 1
    end
    local note = trim(self:text("note"))
    f.odo, f.cl, f.cents, f.full, f.note = odo, cl, cents, self.full or nil, note ~= "" and note or nil
    self:finish { id = f.id }
  end,
  view = function(self)
    local f, here = self.fill, filter(storage.cars, function(c) return not c.sold or bug("sold_still_fills") and c.id == self.car end)
    local _, place = by_id(here, self.car)
    return column {
      toolbar { f and "Edit fill-up" or "New fill-up", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        spinner { id = "car_choice", items = each(here, function(c) return c.name end), selected = place or 0, on_change = function(i) self.car = here[i].id end },
        field { id = "odo", hint = prefs.miles and "Odometer, mi" or "Odometer, km", input = "number", max = 7, text = shown_distance(f and f.odo) },
        field { id = "litres", hint = "Litres", input = "decimal", max = 7, text = f and plain(f.cl) or "" },
        field { id = "price", hint = "Paid", input = "decimal", max = 8, text = f and plain(f.cents) or "" },
        check { "Filled up to the top", id = "full", checked = self.full == true, on_change = function(on) self.full = on end },
        field { id = "note", hint = "Note", max = 60, text = f and f.note or "" },
      },
    }
  end,
}

-- ---- services, costs, comparison, settings ----

activity "EditService" {
  store = function(self)
    local s, what = by_id(storage.services, self.intent.id), trim(self:text("what"))
    local every = read_distance(self:text("every"), s and s.every)
    if what == "" then return toast("What is to be done?") end
    if not every then return toast("How often?") end
    s = s or add_to(storage.services, { car = self.intent.car, last = odometer(self.intent.car) })
    s.what, s.every = what, every
    self:finish { id = s.id }
  end,
  delete = function(self, s)
    remove(storage.services, s)
    self:finish()
  end,
  view = function(self)
    local s = by_id(storage.services, self.intent.id)
    if not by_id(storage.cars, self.intent.car) then return column { toolbar { "Service", up = true }, text { "This car is gone", id = "gone" } } end
    return column {
      toolbar { s and "Edit service" or "New service", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "what", hint = "What", max = 20, text = s and s.what or "" },
      field { id = "every", hint = prefs.miles and "Every ... miles" or "Every ... kilometres", input = "number", max = 6, text = shown_distance(s and s.every) },
      s and button { "Delete", id = "delete_service", on_click = function() self:delete(s) end },
    }
  end,
}

activity "EditCost" {
  store = function(self)
    local what, cents = trim(self:text("what")), read_hundredths(self:text("sum"))
    if what == "" then return toast("What was it?") end
    if not cents then return toast("How much was it?") end
    local cost = add_to(storage.costs, { car = self.intent.car, what = what, cents = cents, day = now() // DAY })
    self:finish { id = cost.id }
  end,
  view = function(self)
    if not by_id(storage.cars, self.intent.car) then return column { toolbar { "Cost", up = true }, text { "This car is gone", id = "gone" } } end
    return column {
      toolbar { "New cost", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "what", hint = "What", max = 30 },
      field { id = "sum", hint = "Sum", input = "decimal", max = 8 },
    }
  end,
}

activity "Compare" {
  view = function(self)
    return column {
      toolbar { "Compare", up = true },
      list { id = "compare_list", items = cars_here(), empty = text { "No cars", id = "empty" },
        row = function(c)
          local fuel, other = spent(c.id)
          return column { text { c.name .. ": " .. average(c.id), id = "compare_car" },
            text { plural(#of_car(storage.fills, c.id), "fill-up") .. ", " .. money(fuel + other), id = "compare_info", size = "small" } }
        end },
    }
  end,
}

activity "Settings" {
  set_miles = function(self, on)
    prefs.miles = on
    prefs.unit = on and 3 or 1             -- On purpose: who drives miles wants mpg; it can be changed afterwards
  end,
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Miles", id = "miles", checked = prefs.miles, on_change = function(on) self:set_miles(on) end },
      text { "Consumption in", id = "unit_label" },
      radios { id = "unit", items = UNITS, selected = prefs.unit, on_change = function(i) prefs.unit = i end },
      text { "Currency", id = "symbol_label" },
      spinner { id = "symbol", items = SYMBOLS, selected = prefs.symbol, on_change = function(i) prefs.symbol = i end },
      switch { "Show sold cars", id = "sold", checked = prefs.sold, on_change = function(on) prefs.sold = on end },
    }
  end,
}
