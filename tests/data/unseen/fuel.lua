-- Fuel: what a car drinks. Amounts in whole cents and tenths of litres.
app {
  package = "org.example.fuel", title = "Fuel", main = "Main",
  bugs = { "total_after_delete", "unit_average", "cancel_keeps", "double_tap_adds", "filter_year", "sort_lost", "favourite_other", "no_cars", "price_comma" },
}

local function money(c) return format("%d.%02d", c // 100, c % 100) end

activity "Main" {
  create = function(self, intent, saved)
    if not storage.cars then
      storage.cars = { { name = "Red", fills = { { year = 2023, litres = 400, cents = 7200 }, { year = 2024, litres = 350, cents = 6100 } } },
                       { name = "Van", fills = { { year = 2024, litres = 610, cents = 10900 } } } }
      prefs.unit = "litres"
    end
  end,
  menu = function(self)
    return { { "Settings", id = "settings", on_click = function() self:start("Settings") end },
             { "New car", id = "new_car", on_click = function() self:ask() end } }
  end,
  ask = function(self)
    local draft = {}
    self:dialog { title = "New car", view = function() return column { field { id = "car_name", hint = "Name" } } end,
      ok = "Create", on_ok = function()
        local n = trim(self:text("car_name"))
        if n ~= "" then table.insert(storage.cars, { name = n, fills = {} }) end
      end,
      cancel = "Cancel", on_cancel = function()
        local n = trim(self:text("car_name"))
        if bug("cancel_keeps") and n ~= "" then table.insert(storage.cars, { name = n, fills = {} }) end
      end }
  end,
  view = function(self)
    local favourites = #filter(storage.cars, function(c) return c.favourite end)
    return column {
      toolbar { "Cars" },
      text { favourites .. " favourites", id = "favourites" },
      list { id = "cars", items = storage.cars, empty = text { "No car", id = "no_car" },
        row = function(c, i)
          return row { check { "Favourite", id = "favourite", checked = c.favourite or false, on_change = function(on)
              local target = bug("favourite_other") and i > 2 and storage.cars[1] or c
              target.favourite = on or nil
            end }, text { c.name, id = "car", weight = 1 }, text { #c.fills .. " fills", id = "fills" } }
        end,
        on_item_click = function(i) self:start("Car", { car = i }) end,
        on_item_long_click = function(i, c)
          self:dialog { title = "Sell " .. c.name .. "?", cancel = "No", ok = "Yes", on_ok = function()
            table.remove(storage.cars, i)
            if bug("no_cars") then need(storage.cars[1], "first car") end
          end }
        end },
    }
  end,
}

local sort_by = "year"
activity "Car" {
  create = function(self, intent, saved)
    self.year = saved and saved.year or nil
    if bug("sort_lost") and saved then sort_by = "year" end
    local total = 0
    for _, f in ipairs(storage.cars[intent.car].fills) do total = total + f.cents end
    self.total = total
  end,
  save = function(self, out) out.year = self.year end,
  sum = function(self)
    local t = 0
    for _, f in ipairs(self:shown()) do t = t + f.cents end
    return t
  end,
  shown = function(self)
    local all = filter(storage.cars[self.intent.car].fills, function(f) return not self.year or f.year == self.year end)
    table.sort(all, function(a, b) if sort_by == "cost" then return a.cents > b.cents end return a.year < b.year end)
    return all
  end,
  average = function(self)
    local litres = 0
    for _, f in ipairs(self:shown()) do litres = litres + f.litres end
    if litres == 0 then return "-" end
    if prefs.unit == "gallons" and not bug("unit_average") then return money(self:sum() * 38 // litres) end
    return money(self:sum() * 10 // litres)
  end,
  menu = function(self)
    return { { "By cost", id = "by_cost", checked = sort_by == "cost", on_click = function() sort_by = sort_by == "cost" and "year" or "cost" end },
             { "Only 2024", id = "only", checked = self.year == 2024, on_click = function()
                 if self.year then if not bug("filter_year") then self.year = nil end else self.year = 2024 end
             end } }
  end,
  view = function(self)
    local car = storage.cars[self.intent.car]
    local fills = self:shown()
    return column {
      toolbar { car.name, up = true },
      text { "Total " .. money(bug("total_after_delete") and self.deleted and self.total or self:sum()), id = "total" },
      text { "Average " .. self:average() .. " per " .. (prefs.unit == "gallons" and "gallon" or "litre"), id = "average" },
      text { #fills .. " entries", id = "entries" },
      list { id = "list", items = fills, empty = text { "Never filled", id = "never" },
        row = function(f) return row { text { tostring(f.year), id = "year" }, text { money(f.cents), id = "cost" } } end,
        on_item_long_click = function(_, f)
          table.remove(car.fills, index_of(car.fills, f))
          self.deleted = true
        end },
      fab { id = "fill", desc = "Fill up", on_click = function() self:start_for_result("Fill", "fill", { car = self.intent.car }) end },
    }
  end,
  result = function(self, request, data)
    if data then table.insert(storage.cars[self.intent.car].fills, data) self.total = self.total + data.cents self.deleted = nil end
  end,
}

activity "Fill" {
  view = function(self)
    return column {
      toolbar { "Fill up", up = true },
      field { id = "litres", hint = "Litres", input = "decimal" },
      field { id = "price", hint = "Paid", input = "decimal" },
      radios { id = "when", items = { "2023", "2024" }, selected = self.when or 2, on_change = function(i) self.when = i end },
      button { "Save", id = "save", on_click = function()
        local l, c = tonumber(self:text("litres")), tonumber(self:text("price"))
        if not l or not c or l <= 0 or c <= 0 or l > 1000 or c > 10000 then return toast("Numbers, please") end
        local cents = math.floor(c * 100 + 0.5)
        if bug("price_comma") and c >= 100 then cents = cents // 10 end
        self:finish({ year = ({ 2023, 2024 })[self.when or 2], litres = math.max(1, math.floor(l * 10)), cents = cents })
      end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      radios { id = "unit", items = { "litres", "gallons" }, selected = prefs.unit == "gallons" and 2 or 1, on_change = function(_, t) prefs.unit = t end },
    }
  end,
}
