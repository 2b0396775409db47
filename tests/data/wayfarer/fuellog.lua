-- Tank Book: fill-ups, other costs and services of one or more vehicles.
--
-- Distances are kept in kilometres, money in cents; both are turned into what the settings say when they are shown.

app {
  package = "org.tankbook",
  title = "Tank Book",
  main = "Main",
  bugs = { "average_first", "orphan_costs", "cost_currency", "filtered_total", "date_duplicates", "unit_forgotten", "miles_as_km",
    "service_for_all" },
  application = function()
    if storage.vehicles then return end
    local today = math.floor(now() / 86400000)
    storage.next_id = 60
    storage.vehicles = { { id = 1, name = "Blue van" }, { id = 2, name = "Scooter" } }
    storage.fills = {
      { id = 11, vehicle = 1, day = today - 40, odo = 84200, litres = 48, price = 168 },
      { id = 12, vehicle = 1, day = today - 28, odo = 84800, litres = 45, price = 172 },
      { id = 13, vehicle = 1, day = today - 9, odo = 85300, litres = 38.5, price = 165 },
      { id = 14, vehicle = 2, day = today - 20, odo = 6100, litres = 6, price = 170 },
      { id = 15, vehicle = 2, day = today - 4, odo = 6300, litres = 6.4, price = 174 },
    }
    storage.costs = {
      { id = 31, vehicle = 1, what = "Liability", kind = "Insurance", cents = 32000, day = today - 60 },
      { id = 32, vehicle = 1, what = "New tyres", kind = "Repair", cents = 41050, day = today - 33 },
      { id = 33, vehicle = 1, what = "Airport", kind = "Parking", cents = 1800, day = today - 12 },
      { id = 34, vehicle = 2, what = "Plate", kind = "Insurance", cents = 5900, day = today - 50 },
    }
    storage.services = {
      { id = 51, vehicle = 1, what = "Oil change", every = 15000, last = 72000 },
      { id = 52, vehicle = 1, what = "Brakes", every = 30000, last = 60000 },
      { id = 53, vehicle = 2, what = "Oil change", every = 3000, last = 4000 },
    }
    storage.current = 1
    prefs.unit = "km"
    prefs.currency = "€"
    prefs.per_100 = true
  end,
}

local DAY = 86400000
local MILE = 1.609344
local KINDS = { "Insurance", "Tax", "Repair", "Parking" }
local CURRENCIES = { "€", "$", "£" }
local MAX_ROWS = 120

local session_unit        -- only the broken settings page writes here

local function today() return math.floor(now() / DAY) end
local function day_text(day) return date(day * DAY, "%d %b %Y") end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function remove_id(list, id)
  local item = by_id(list, id)
  if item then table.remove(list, index_of(list, item)) end
end

local function vehicle_of(id) return by_id(storage.vehicles, id) end
local function current() return vehicle_of(storage.current) or storage.vehicles[1] end

local function unit() return session_unit or prefs.unit end
local function round(x) return math.floor(x + 0.5) end
local function in_unit(km) return unit() == "mi" and km / MILE or km end
local function to_km(x) return unit() == "mi" and x * MILE or x end

local function grouped(n)      -- of a whole number, not negative
  if n < 1000 then return format("%d", n) end
  return grouped(n // 1000) .. "," .. format("%03d", n % 1000)
end

local function distance(km) return grouped(round(in_unit(km))) .. " " .. unit() end
local function money(cents, sign)
  return (sign or prefs.currency) .. " " .. format("%.2f", cents / 100)
end

local function fill_cents(f) return round(f.litres * f.price) end

local function fills_of(vehicle)
  local result = filter(storage.fills, function(f) return f.vehicle == vehicle.id end)
  table.sort(result, function(a, b) return a.odo < b.odo end)
  return result
end

local function costs_of(vehicle)
  local result = filter(storage.costs, function(c) return c.vehicle == vehicle.id end)
  table.sort(result, function(a, b) return a.day > b.day end)
  return result
end

local function odometer(vehicle)
  local fills = fills_of(vehicle)
  return #fills > 0 and fills[#fills].odo or 0
end

local function consumption(litres, km)
  if km < 1 then return "–" end
  if prefs.per_100 then return format("%.1f l/100 %s", litres / in_unit(km) * 100, unit()) end
  return format("%.1f %s/l", in_unit(km) / litres, unit())
end

-- What was filled first was burnt before the book began.
local function average(vehicle)
  local fills = fills_of(vehicle)
  if #fills < 2 then return "–" end
  local litres = 0
  for i, f in ipairs(fills) do
    if i > 1 or bug("average_first") then litres = litres + f.litres end
  end
  return consumption(litres, fills[#fills].odo - fills[1].odo)
end

local function sum(list, fn)
  local n = 0
  for _, x in ipairs(list) do n = n + fn(x) end
  return n
end
local function cost_cents(c) return c.cents end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab = saved.tab or 1
    self.kind = saved.kind or 1
  end,
  save = function(self, out) out.tab, out.kind = self.tab, self.kind end,

  menu = function(self)
    return {
      { "Vehicles", id = "vehicles", on_click = function() self:start("Vehicles") end },
      { "Services", id = "services", on_click = function() self:start("Services") end },
      { "All costs", id = "report", on_click = function() self:start("Report") end },
      { "Export", id = "export", on_click = function() self:start("Export") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  fills_tab = function(self, vehicle)
    local fills = fills_of(vehicle)
    local rows = {}
    for i = #fills, 1, -1 do table.insert(rows, { fill = fills[i], before = fills[i - 1] }) end
    return list { id = "fills", items = rows, empty = text { "No fill-ups yet", id = "empty" },
      row = function(r)
        local f = r.fill
        return column { id = "fill_row",
          text { day_text(f.day) .. " · " .. distance(f.odo), id = "fill_head" },
          text { format("%.1f l · ", f.litres) .. money(fill_cents(f)) .. " · "
            .. (r.before and consumption(f.litres, f.odo - r.before.odo) or "first"), id = "fill_line", size = "small" } }
      end,
      on_item_click = function(_, r) self:start("Fill", { id = r.fill.id }) end }
  end,

  costs_tab = function(self, vehicle)
    local names = { "All kinds" }
    for _, k in ipairs(KINDS) do table.insert(names, k) end
    local all = costs_of(vehicle)
    local shown = filter(all, function(c) return self.kind == 1 or c.kind == names[self.kind] end)
    return {
      spinner { id = "kind_filter", items = names, selected = self.kind, on_change = function(i) self.kind = i end },
      text { "Total: " .. money(sum(bug("filtered_total") and all or shown, cost_cents)), id = "cost_total" },
      list { id = "costs", items = shown, empty = text { "No costs", id = "empty" },
        row = function(c)
          return row { id = "cost_row",
            column { weight = 1, text { c.what, id = "cost_what" }, text { c.kind .. " · " .. day_text(c.day), id = "cost_info", size = "small" } },
            text { money(c.cents, bug("cost_currency") and "€" or nil), id = "cost_sum" } }
        end,
        on_item_click = function(_, c) self:start("Cost", { id = c.id }) end },
    }
  end,

  summary_tab = function(self, vehicle)
    local fills, costs = fills_of(vehicle), costs_of(vehicle)
    local fuel, other = sum(fills, fill_cents), sum(costs, cost_cents)
    return scroll {
      text { "Odometer: " .. distance(odometer(vehicle)), id = "sum_odo" },
      text { "Fill-ups: " .. #fills, id = "sum_fills" },
      text { "Average: " .. average(vehicle), id = "sum_average" },
      text { "Fuel: " .. money(fuel), id = "sum_fuel" },
      text { "Other costs: " .. money(other), id = "sum_other" },
      text { "Together: " .. money(fuel + other), id = "sum_all" },
    }
  end,

  view = function(self)
    local vehicle = current()
    local tabs_of = { self.fills_tab, self.costs_tab, self.summary_tab }
    return column {
      toolbar { "Tank Book" },
      spinner { id = "vehicle", items = each(storage.vehicles, function(v) return v.name end),
        selected = index_of(storage.vehicles, vehicle), on_change = function(i) storage.current = storage.vehicles[i].id end },
      tabs { id = "tabs", titles = { "Fill-ups", "Costs", "Summary" }, selected = self.tab, on_change = function(i) self.tab = i end },
      tabs_of[self.tab](self, vehicle),
      self.tab < 3 and fab { id = "add", desc = self.tab == 1 and "New fill-up" or "New cost", on_click = function()
        if #storage.fills + #storage.costs >= MAX_ROWS then return toast("The book is full") end
        self:start(self.tab == 1 and "Fill" or "Cost", { vehicle = vehicle.id })
      end },
    }
  end,
}

local function day_row(self)
  return row {
    button { "−", id = "earlier", desc = "A day earlier", on_click = function() self.day = self.day - 1 end },
    text { day_text(self.day), id = "day", weight = 1 },
    button { "+", id = "later", desc = "A day later", on_click = function() self.day = math.min(today(), self.day + 1) end },
  }
end

local function gone(title) return column { toolbar { title, up = true }, text { "Not in the book any more", id = "gone" } } end

local function number_text(x) return x == math.floor(x) and format("%d", math.floor(x)) or format("%.2f", x) end

activity "Fill" {
  create = function(self, intent, saved)
    local fill = intent.id and by_id(storage.fills, intent.id)
    self.day = saved and saved.day or fill and fill.day or today()
    self.odo_text = saved and saved.odo_text or fill and format("%d", round(in_unit(fill.odo))) or ""
  end,
  save = function(self, out) out.day, out.odo_text = self.day, self.odo_text end,

  store = function(self)
    local fill = self.intent.id and by_id(storage.fills, self.intent.id)
    local vehicle = fill and fill.vehicle or self.intent.vehicle or current().id
    local odo, litres, price = tonumber(self:text("odo")), tonumber(self:text("litres")), tonumber(self:text("price"))
    if not odo or odo <= 0 then return toast("What does the odometer say?") end
    if not litres or litres < 0.01 then return toast("How many litres?") end
    if not price or price < 0.01 then return toast("What was a litre?") end
    if not vehicle_of(vehicle) then return toast("That vehicle is gone") end
    local km = to_km(odo)
    if fill and self:text("odo") == self.odo_text then km = fill.odo end      -- as it was, not rounded
    if fill and bug("miles_as_km") then km = odo end
    local near = find(storage.fills, function(f) return f ~= fill and f.vehicle == vehicle and math.abs(f.odo - km) < 1 end)
    if near then return toast("There is a fill-up at this distance") end
    if fill and bug("date_duplicates") and self.day ~= fill.day then fill = nil end
    if not fill then
      fill = { id = new_id(), vehicle = vehicle }
      table.insert(storage.fills, fill)
    end
    fill.day, fill.odo, fill.litres, fill.price = self.day, km, round(litres * 100) / 100, round(price * 100)
    self:finish()
  end,

  menu = function(self)
    if not self.intent.id then return {} end
    return { { "Delete", id = "delete", on_click = function()
      self:dialog { title = "Delete this fill-up?", cancel = "Cancel", ok = "Delete", on_ok = function()
        remove_id(storage.fills, self.intent.id)
        self:finish()
      end }
    end } }
  end,

  view = function(self)
    local fill = self.intent.id and by_id(storage.fills, self.intent.id)
    if self.intent.id and not fill then return gone("Fill-up") end
    return column {
      toolbar { fill and "Fill-up" or "New fill-up", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "odo", hint = "Odometer in " .. unit(), input = "number", text = self.odo_text, max = 7 },
        field { id = "litres", hint = "Litres", input = "decimal", text = fill and number_text(fill.litres) or "", max = 6 },
        field { id = "price", hint = "Price of a litre", input = "decimal", text = fill and format("%.2f", fill.price / 100) or "", max = 6 },
        day_row(self),
      },
    }
  end,
}

activity "Cost" {
  create = function(self, intent, saved)
    local cost = intent.id and by_id(storage.costs, intent.id)
    self.day = saved and saved.day or cost and cost.day or today()
    self.kind = saved and saved.kind or cost and index_of(KINDS, cost.kind) or 3
  end,
  save = function(self, out) out.day, out.kind = self.day, self.kind end,

  store = function(self)
    local what, sum_text = trim(self:text("what")), tonumber(self:text("sum"))
    if what == "" then return toast("What was it for?") end
    if not sum_text or sum_text < 0.01 then return toast("How much was it?") end
    local cost = self.intent.id and by_id(storage.costs, self.intent.id)
    local vehicle = cost and cost.vehicle or self.intent.vehicle or current().id
    if not cost and not vehicle_of(vehicle) then return toast("That vehicle is gone") end
    if not cost then
      cost = { id = new_id(), vehicle = vehicle }
      table.insert(storage.costs, cost)
    end
    cost.what, cost.kind, cost.cents, cost.day = what, KINDS[self.kind], round(sum_text * 100), self.day
    self:finish()
  end,

  menu = function(self)
    if not self.intent.id then return {} end
    return { { "Delete", id = "delete", on_click = function()
      self:dialog { title = "Delete this cost?", cancel = "Cancel", ok = "Delete", on_ok = function()
        remove_id(storage.costs, self.intent.id)
        self:finish()
      end }
    end } }
  end,

  view = function(self)
    local cost = self.intent.id and by_id(storage.costs, self.intent.id)
    if self.intent.id and not cost then return gone("Cost") end
    return column {
      toolbar { cost and "Cost" or "New cost", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "what", hint = "What for", text = cost and cost.what or "", max = 30 },
        field { id = "sum", hint = "Sum in " .. prefs.currency, input = "decimal", text = cost and format("%.2f", cost.cents / 100) or "", max = 9 },
        radios { id = "kind", items = KINDS, selected = self.kind, on_change = function(i) self.kind = i end },
        day_row(self),
      },
    }
  end,
}

activity "Vehicles" {
  ask_name = function(self, vehicle)
    self:dialog { title = vehicle and "Rename" or "New vehicle", cancel = "Cancel", ok = "Save",
      view = function() return column { field { id = "vehicle_name", hint = "Name", text = vehicle and vehicle.name or "", max = 25 } } end,
      on_ok = function()
        local name = trim(self:text("vehicle_name"))
        if name == "" then toast("It needs a name") return true end
        if vehicle then vehicle.name = name return end
        if #storage.vehicles >= 8 then return toast("The garage is full") end
        table.insert(storage.vehicles, { id = new_id(), name = name })
      end }
  end,

  ask_delete = function(self, vehicle)
    if #storage.vehicles == 1 then return toast("One vehicle has to stay") end
    self:dialog { title = "Delete " .. vehicle.name .. "?", message = "With its fill-ups, costs and services.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        if #storage.vehicles == 1 then return end
        local function others(list) return filter(list, function(x) return x.vehicle ~= vehicle.id end) end
        remove_id(storage.vehicles, vehicle.id)
        storage.fills, storage.services = others(storage.fills), others(storage.services)
        if not bug("orphan_costs") then storage.costs = others(storage.costs) end
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Vehicles", up = true },
      list { id = "garage", items = storage.vehicles,
        row = function(v)
          return column { id = "vehicle_row", text { v.name, id = "vehicle_title" },
            text { distance(odometer(v)) .. ", " .. #fills_of(v) .. " fill-ups", id = "vehicle_info", size = "small" } }
        end,
        on_item_click = function(_, v)
          self:popup {
            { "Rename", id = "rename", on_click = function() self:ask_name(v) end },
            { "Delete", id = "delete", on_click = function() self:ask_delete(v) end },
          }
        end },
      fab { id = "add_vehicle", desc = "New vehicle", on_click = function() self:ask_name() end },
    }
  end,
}

activity "Services" {
  left = function(self, s)
    local vehicle = vehicle_of(s.vehicle)
    return s.last + s.every - odometer(vehicle)
  end,

  done = function(self, s)
    for _, other in ipairs(storage.services) do
      if other == s or bug("service_for_all") and other.what == s.what then other.last = odometer(vehicle_of(other.vehicle)) end
    end
    toast(s.what .. " done")
  end,

  ask_new = function(self)
    local vehicle = current()
    self:dialog { title = "Service for " .. vehicle.name, cancel = "Cancel", ok = "Add",
      view = function()
        return column {
          field { id = "service_what", hint = "What", max = 25 },
          field { id = "service_every", hint = "Every how many " .. unit(), input = "number", max = 6 },
        }
      end,
      on_ok = function()
        local what, every = trim(self:text("service_what")), tonumber(self:text("service_every"))
        if what == "" or not every or every < 1 then toast("What, and how often?") return true end
        if #storage.services >= 30 then return toast("Too many services") end
        table.insert(storage.services, { id = new_id(), vehicle = vehicle.id, what = what, every = to_km(every), last = odometer(vehicle) })
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Services", up = true },
      list { id = "service_list", items = storage.services, empty = text { "No services", id = "empty" },
        row = function(s)
          local left = round(self:left(s))
          return column { id = "service_row",
            text { s.what .. " – " .. vehicle_of(s.vehicle).name, id = "service_title" },
            text { left < 0 and "overdue by " .. distance(-left) or "due in " .. distance(left), id = "service_due", size = "small" } }
        end,
        on_item_click = function(_, s)
          self:popup {
            { "Done", id = "done", on_click = function() self:done(s) end },
            { "Delete", id = "delete", on_click = function() remove_id(storage.services, s.id) end },
          }
        end },
      fab { id = "add_service", desc = "New service", on_click = function() self:ask_new() end },
    }
  end,
}

activity "Report" {
  create = function(self, intent, saved) self.by = saved and saved.by or 1 end,
  save = function(self, out) out.by = self.by end,
  view = function(self)
    local rows = {}
    if self.by == 1 then
      for _, v in ipairs(storage.vehicles) do
        table.insert(rows, { v.name, sum(fills_of(v), fill_cents) + sum(costs_of(v), cost_cents) })
      end
    else
      table.insert(rows, { "Fuel", sum(storage.fills, fill_cents) })
      for _, k in ipairs(KINDS) do
        table.insert(rows, { k, sum(filter(storage.costs, function(c) return c.kind == k end), cost_cents) })
      end
    end
    local total = sum(storage.fills, fill_cents) + sum(storage.costs, cost_cents)
    return column {
      toolbar { "All costs", up = true },
      radios { id = "by", items = { "By vehicle", "By kind" }, selected = self.by, on_change = function(i) self.by = i end },
      scroll {
        each(rows, function(r) return row { text { r[1], id = "report_name", weight = 1 }, text { money(r[2]), id = "report_sum" } } end),
        divider {},
        text { "Everything: " .. money(total), id = "report_total" },
      },
    }
  end,
}

activity "Export" {
  lines = function(self)
    local out = { "date;odometer;litres;sum" }
    for _, f in ipairs(fills_of(current())) do
      table.insert(out, day_text(f.day) .. ";" .. round(in_unit(f.odo)) .. ";" .. format("%.1f", f.litres) .. ";" .. format("%.2f", fill_cents(f) / 100))
    end
    return out
  end,
  view = function(self)
    local lines = self:lines()
    return column {
      toolbar { "Export", subtitle = current().name, up = true },
      button { "Copy " .. #lines .. " lines", id = "copy", on_click = function()
        clipboard.set(table.concat(lines, "\n"))
        toast("Copied")
      end },
      scroll { each(lines, function(l) return text { l, id = "csv", size = "small" } end) },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text "Distances in",
        radios { id = "unit", items = { "Kilometres", "Miles" }, selected = unit() == "mi" and 2 or 1, on_change = function(i)
          local choice = i == 2 and "mi" or "km"
          if bug("unit_forgotten") then session_unit = choice else prefs.unit = choice end
        end },
        text "Currency",
        spinner { id = "currency", items = CURRENCIES, selected = index_of(CURRENCIES, prefs.currency),
          on_change = function(i) prefs.currency = CURRENCIES[i] end },
        switch { "Consumption per 100", id = "per_100", checked = prefs.per_100, on_change = function(b) prefs.per_100 = b end },
      },
    }
  end,
}
