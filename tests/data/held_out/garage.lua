-- Rental Garage: vehicles for hire, customers, bookings from handing out to return, invoices.
-- A booking covers whole days, numbered since 1970: `from` is its first, `days` how many there are. Money is in cents.

local DAY = 24 * 60 * 60 * 1000
local CLASSES = { "Car", "Van", "Bike" }
local STATES = { "Booked", "Out", "Returned" }
local CURRENCIES = { "EUR", "USD", "CHF" }
local DATES = { "%Y-%m-%d", "%d.%m.%Y", "%b %d, %Y" }
local STARTS = { { "Today", 0 }, { "Tomorrow", 1 }, { "In three days", 3 }, { "In a week", 7 } }
local MILES = 0.621371
local LONG_HIRE = 7

local function today() return now() // DAY end

app {
  package = "org.norn.garage",
  title = "Rental Garage",
  main = "Main",
  bugs = { "enclosing_overlap", "extend_keeps_total", "rate_cancel_kept", "miles_edit", "customer_by_row", "plate_case", "filter_reset",
    "history_dates" },
  application = function()
    if storage.vehicles then return end
    storage.vehicles = {
      { id = 1, name = "Blue hatchback", plate = "KA 204", class = "Car", rate = 4500, km = 48210 },
      { id = 2, name = "Estate car", plate = "KA 731", class = "Car", rate = 6000, km = 12040 },
      { id = 3, name = "Removal van", plate = "TR 18", class = "Van", rate = 8500, km = 91500 },
      { id = 4, name = "Cargo bike", plate = "CB 5", class = "Bike", rate = 1500, km = 830 },
    }
    storage.customers = { { id = 5, name = "Olga Stern" }, { id = 7, name = "Karin Holt" }, { id = 6, name = "Ben Moritz" } }
    storage.bookings = {
      { id = 8, vehicle = 1, customer = 5, from = today() + 2, days = 2, state = "Booked", total = 9000 },
      { id = 9, vehicle = 2, customer = 6, from = today() - 1, days = 4, state = "Out", total = 24000 },
      { id = 10, vehicle = 3, customer = 7, from = today() - 10, days = 1, state = "Returned", total = 8500 },
      { id = 11, vehicle = 4, customer = 5, from = today() - 30, days = 8, state = "Returned", total = 10800 },
    }
    storage.next_id = 12
    prefs.miles, prefs.discount, prefs.currency, prefs.date_format = false, true, 1, 1
  end,
}

local function by_id(items, id) return find(items, function(item) return item.id == id end) end
local function vehicle_by_id(id) return by_id(storage.vehicles, id) end
local function booking_by_id(id) return by_id(storage.bookings, id) end

local function customer_name(id)
  local customer = by_id(storage.customers, id)
  return customer and customer.name or "Former customer"
end

local function vehicle_name(id)
  local vehicle = vehicle_by_id(id)
  return vehicle and vehicle.name or "Sold vehicle"
end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id - 1
end

local function money(cents) return format("%d.%02d %s", cents // 100, cents % 100, CURRENCIES[prefs.currency]) end
local function day_text(day) return date(day * DAY, DATES[prefs.date_format]) end
local function count_text(n, one) return n .. " " .. one .. (n == 1 and "" or "s") end

local function shown_distance(km) return prefs.miles and math.floor(km * MILES + 0.5) or km end
local function distance_text(km) return shown_distance(km) .. (prefs.miles and " mi" or " km") end

-- kilometres from what was typed; what was left as it was shown is not converted there and back
local function typed_distance(typed, km)
  if typed == shown_distance(km) then return km end
  return prefs.miles and math.floor(typed / MILES + 0.5) or typed
end

local function price(vehicle, days)
  local sum = vehicle.rate * days
  if prefs.discount and days >= LONG_HIRE then sum = sum - sum // 10 end
  return sum
end

local function conflict(vehicle, from, days, except)
  local last = from + days - 1
  return find(storage.bookings, function(other)
    if other.vehicle ~= vehicle or other.state == "Returned" or other.id == except then return false end
    local other_last = other.from + other.days - 1
    if bug("enclosing_overlap") then
      return from >= other.from and from <= other_last or last >= other.from and last <= other_last
    end
    return from <= other_last and last >= other.from
  end)
end

local function is_out(vehicle)
  return find(storage.bookings, function(booking) return booking.vehicle == vehicle.id and booking.state == "Out" end) ~= nil
end

local function by_start(bookings)
  table.sort(bookings, function(a, b) return a.from < b.from end)
  return bookings
end

local function period(booking)
  return day_text(booking.from) .. ", " .. count_text(booking.days, "day")
end

local function gone(what) return column { toolbar { what, up = true }, text { "This is no longer there", id = "gone" } } end

-- ---- vehicles ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.class, self.free_only = saved.class or 1, saved.free_only or false
  end,
  save = function(self, out) out.class, out.free_only = self.class, self.free_only end,
  restart = function(self)
    if bug("filter_reset") then self.class = 1 end
  end,
  shown = function(self)
    return filter(storage.vehicles, function(vehicle)
      return (self.class == 1 or vehicle.class == CLASSES[self.class - 1]) and not (self.free_only and is_out(vehicle))
    end)
  end,
  view = function(self)
    local shown = self:shown()
    return column {
      toolbar { "Rental Garage", subtitle = count_text(#shown, "vehicle") },
      drawer { id = "navigation", header = "Rental Garage", items = {
        { "Bookings", id = "to_bookings", on_click = function() self:start("Bookings") end },
        { "Customers", id = "to_customers", on_click = function() self:start("Customers") end },
        { "Settings", id = "to_settings", on_click = function() self:start("Settings") end },
      } },
      row {
        spinner { id = "class", items = { "All classes", table.unpack(CLASSES) }, selected = self.class, weight = 1,
          on_change = function(i) self.class = i end },
        check { "In the garage", id = "free_only", checked = self.free_only, on_change = function(on) self.free_only = on end },
      },
      list { id = "vehicles", items = shown, empty = text { "No such vehicle", id = "empty" },
        row = function(vehicle)
          return column {
            text { vehicle.name, id = "vehicle" },
            text { vehicle.plate .. ", " .. money(vehicle.rate) .. " a day" .. (is_out(vehicle) and ", out" or ""), id = "facts", size = "small" },
          }
        end,
        on_item_click = function(_, vehicle) self:start("Vehicle", { id = vehicle.id }) end },
      fab { id = "add", desc = "Add vehicle", on_click = function() self:start("EditVehicle") end },
    }
  end,
}

activity "Vehicle" {
  bookings = function(self, vehicle)
    return by_start(filter(storage.bookings, function(booking) return booking.vehicle == vehicle.id and booking.state ~= "Returned" end))
  end,
  ask_rate = function(self, vehicle)
    local rate = vehicle.rate
    local function change(by)
      rate = math.max(500, rate + by)
      if bug("rate_cancel_kept") then vehicle.rate = rate end
    end
    self:dialog { title = "Rate a day", cancel = "Cancel", ok = "Save",
      view = function()
        return row {
          button { "Less", id = "less", on_click = function() change(-500) end },
          text { money(rate), id = "new_rate", weight = 1 },
          button { "More", id = "more", on_click = function() change(500) end },
        }
      end,
      on_ok = function() vehicle.rate = rate end }
  end,
  ask_sell = function(self, vehicle)
    if #self:bookings(vehicle) > 0 then return toast("There are bookings for it") end
    self:dialog { title = "Remove " .. vehicle.name .. "?", cancel = "Cancel", ok = "Remove",
      on_ok = function()
        local _, i = vehicle_by_id(vehicle.id)
        table.remove(storage.vehicles, i)
        self:finish()
      end }
  end,
  menu = function(self)
    local vehicle = vehicle_by_id(self.intent.id)
    return vehicle and { { "Remove", id = "remove", on_click = function() self:ask_sell(vehicle) end } } or {}
  end,
  view = function(self)
    local vehicle = vehicle_by_id(self.intent.id)
    if not vehicle then return gone("Vehicle") end
    return column {
      toolbar { vehicle.name, up = true,
        actions = { { "Edit", id = "edit", on_click = function() self:start("EditVehicle", { id = vehicle.id }) end } } },
      text { vehicle.class .. ", " .. vehicle.plate, id = "plate" },
      text { distance_text(vehicle.km), id = "distance" },
      text { money(vehicle.rate) .. " a day", id = "rate" },
      row {
        button { "Change rate", id = "change_rate", on_click = function() self:ask_rate(vehicle) end },
        button { "Book", id = "book", on_click = function() self:start("NewBooking", { vehicle = vehicle.id }) end },
      },
      list { id = "vehicle_bookings", items = self:bookings(vehicle), empty = text { "No bookings", id = "empty" },
        row = function(booking)
          return column { text { customer_name(booking.customer), id = "booked_by" }, text { period(booking), id = "period", size = "small" } }
        end,
        on_item_click = function(_, booking) self:start("Booking", { id = booking.id }) end },
    }
  end,
}

activity "EditVehicle" {
  create = function(self, intent, saved)
    self.vehicle = intent.id and vehicle_by_id(intent.id) or nil
    self.class = saved and saved.class or self.vehicle and index_of(CLASSES, self.vehicle.class) or 1
  end,
  save = function(self, out) out.class = self.class end,
  taken = function(self, plate)
    local function plain(s)
      s = s:gsub("%s", "")
      return bug("plate_case") and s or s:upper()
    end
    return find(storage.vehicles, function(other) return other ~= self.vehicle and plain(other.plate) == plain(plate) end)
  end,
  store = function(self)
    local name, plate, distance = trim(self:text("name")), trim(self:text("plate_field")), tonumber(self:text("distance_field"))
    if name == "" or plate == "" then return toast("Name and plate, please") end
    if not distance or distance < 0 then return toast("How far has it gone?") end
    if self:taken(plate) then return toast("There is a vehicle with this plate") end
    local vehicle = self.vehicle
    if not vehicle then
      vehicle = { id = new_id(), rate = 5000, km = 0 }
      table.insert(storage.vehicles, vehicle)
    end
    vehicle.name, vehicle.plate, vehicle.class = name, plate, CLASSES[self.class]
    vehicle.km = bug("miles_edit") and distance or typed_distance(distance, vehicle.km)
    self:finish()
  end,
  view = function(self)
    local vehicle = self.vehicle
    return column {
      toolbar { vehicle and "Edit vehicle" or "New vehicle", up = true },
      scroll {
        field { id = "name", hint = "Name", text = vehicle and vehicle.name or "" },
        field { id = "plate_field", hint = "Plate", text = vehicle and vehicle.plate or "" },
        field { id = "distance_field", hint = prefs.miles and "Miles" or "Kilometres", input = "number", max = 7,
          text = tostring(vehicle and shown_distance(vehicle.km) or 0) },
        spinner { id = "class_field", items = CLASSES, selected = self.class, on_change = function(i) self.class = i end },
        button { "Save", id = "save", on_click = function() self:store() end },
      },
    }
  end,
}

-- ---- bookings ----

local function customers_by_name()
  local out = copy(storage.customers)
  table.sort(out, function(a, b) return a.name:lower() < b.name:lower() end)
  return out
end

activity "NewBooking" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.customer, self.start_in, self.days = saved.customer, saved.start_in or 1, saved.days or 1
  end,
  save = function(self, out) out.customer, out.start_in, out.days = self.customer, self.start_in, self.days end,
  ask_customer = function(self)
    local customers = customers_by_name()
    self:dialog { title = "Customer", items = each(customers, function(customer) return customer.name end),
      on_item = function(i) self.customer = (bug("customer_by_row") and storage.customers or customers)[i].id end }
  end,
  ask_start = function(self)
    self:dialog { title = "First day", items = each(STARTS, function(start) return start[1] end), checked = self.start_in,
      on_item = function(i) self.start_in = i end }
  end,
  store = function(self, vehicle)
    if not self.customer then return toast("Who hires it?") end
    if self.days < 1 or self.days > 60 then return toast("From 1 to 60 days") end
    local from = today() + STARTS[self.start_in][2]
    local other = conflict(vehicle.id, from, self.days)
    if other then return toast("Taken from " .. day_text(other.from)) end
    table.insert(storage.bookings, { id = new_id(), vehicle = vehicle.id, customer = self.customer, from = from, days = self.days, state = "Booked",
      total = price(vehicle, self.days) })
    self:finish()
  end,
  view = function(self)
    local vehicle = vehicle_by_id(self.intent.vehicle)
    if not vehicle then return gone("Booking") end
    return column {
      toolbar { "Book " .. vehicle.name, up = true },
      scroll {
        button { self.customer and customer_name(self.customer) or "Choose a customer", id = "choose_customer", on_click = function() self:ask_customer() end },
        button { "From: " .. STARTS[self.start_in][1], id = "choose_start", on_click = function() self:ask_start() end },
        field { id = "days", hint = "Days", text = "1", input = "number", max = 2, on_change = function(typed) self.days = tonumber(typed) or 0 end },
        text { "Price: " .. money(price(vehicle, math.max(0, self.days))), id = "preview" },
        button { "Save", id = "save", on_click = function() self:store(vehicle) end },
      },
    }
  end,
}

activity "Booking" {
  hand_out = function(self, booking, vehicle)
    if booking.from > today() then return toast("It begins on " .. day_text(booking.from)) end
    if is_out(vehicle) then return toast("It is still out") end
    booking.state = "Out"
  end,
  extend = function(self, booking, vehicle)
    if conflict(vehicle.id, booking.from, booking.days + 1, booking.id) then return toast("It is taken on that day") end
    booking.days = booking.days + 1
    if not bug("extend_keeps_total") then booking.total = price(vehicle, booking.days) end
  end,
  ask_return = function(self, booking, vehicle)
    self:dialog { title = prefs.miles and "Miles on return" or "Kilometres on return", cancel = "Cancel", ok = "Return",
      view = function() return column { field { id = "distance_now", text = tostring(shown_distance(vehicle.km)), input = "number", max = 7 } } end,
      on_ok = function()
        local typed = tonumber(self:text("distance_now"))
        local km = typed and typed_distance(typed, vehicle.km)
        if not km or km < vehicle.km then toast("It cannot be less than before") return true end
        vehicle.km, booking.state = km, "Returned"
      end }
  end,
  view = function(self)
    local booking = booking_by_id(self.intent.id)
    if not booking then return gone("Booking") end
    local vehicle = vehicle_by_id(booking.vehicle)
    local open = vehicle and booking.state ~= "Returned"
    return column {
      toolbar { "Booking", subtitle = booking.state, up = true },
      text { vehicle_name(booking.vehicle), id = "hired" },
      text { customer_name(booking.customer), id = "hired_by" },
      text { period(booking), id = "period" },
      text { "Last day: " .. day_text(booking.from + booking.days - 1), id = "last_day" },
      text { "Total: " .. money(booking.total), id = "total" },
      open and booking.state == "Booked" and button { "Hand out", id = "hand_out", on_click = function() self:hand_out(booking, vehicle) end },
      open and booking.state == "Out" and button { "Return", id = "return", on_click = function() self:ask_return(booking, vehicle) end },
      open and button { "One day more", id = "extend", on_click = function() self:extend(booking, vehicle) end },
    }
  end,
}

activity "Bookings" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,
  ask_cancel = function(self, booking)
    if booking.state ~= "Booked" then return toast("Only what has not begun can be called off") end
    self:dialog { title = "Call off this booking?", message = vehicle_name(booking.vehicle), cancel = "Keep it", ok = "Call off",
      on_ok = function()
        local _, i = booking_by_id(booking.id)
        table.remove(storage.bookings, i)
        self:snackbar("Called off", "Undo", function()
          if conflict(booking.vehicle, booking.from, booking.days) then return toast("It was booked meanwhile") end
          table.insert(storage.bookings, math.min(i, #storage.bookings + 1), booking)
        end)
      end }
  end,
  view = function(self)
    local shown = by_start(filter(storage.bookings, function(booking) return booking.state == STATES[self.tab] end))
    local sum = 0
    for _, booking in ipairs(shown) do sum = sum + booking.total end
    return column {
      toolbar { "Bookings", up = true },
      tabs { id = "booking_states", titles = STATES, selected = self.tab, on_change = function(i) self.tab = i end },
      list { id = "bookings", items = shown, empty = text { "No bookings", id = "empty" },
        row = function(booking)
          return column {
            text { vehicle_name(booking.vehicle), id = "what" },
            text { customer_name(booking.customer) .. ", " .. period(booking), id = "who", size = "small" },
          }
        end,
        on_item_click = function(_, booking) self:start("Booking", { id = booking.id }) end,
        on_item_long_click = function(_, booking) self:ask_cancel(booking) end },
      text { count_text(#shown, "booking") .. ", " .. money(sum), id = "sum" },
    }
  end,
}

-- ---- customers, settings ----

activity "Customers" {
  ask_new = function(self)
    self:dialog { title = "New customer", cancel = "Cancel", ok = "Add",
      view = function() return column { field { id = "customer_name", hint = "Name" } } end,
      on_ok = function()
        local name = trim(self:text("customer_name"))
        if name == "" then return true end
        table.insert(storage.customers, { id = new_id(), name = name })
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Customers", up = true },
      list { id = "customers", items = customers_by_name(), row = function(customer) return text { customer.name, id = "customer" } end,
        on_item_click = function(_, customer) self:start("Customer", { id = customer.id }) end },
      fab { id = "add_customer", desc = "Add customer", on_click = function() self:ask_new() end },
    }
  end,
}

activity "Customer" {
  view = function(self)
    local hired = by_start(filter(storage.bookings, function(booking) return booking.customer == self.intent.id end))
    local sum = 0
    for _, booking in ipairs(hired) do sum = sum + booking.total end
    return column {
      toolbar { customer_name(self.intent.id), up = true },
      text { count_text(#hired, "booking") .. ", " .. money(sum) .. " in all", id = "summary" },
      list { id = "history", items = hired, empty = text { "Nothing hired yet", id = "empty" },
        row = function(booking)
          local from = bug("history_dates") and date(booking.from * DAY, DATES[1]) or day_text(booking.from)
          return column { text { vehicle_name(booking.vehicle), id = "hired" }, text { from .. ", " .. booking.state:lower(), id = "when", size = "small" } }
        end,
        on_item_click = function(_, booking) self:start("Booking", { id = booking.id }) end },
    }
  end,
}

activity "Settings" {
  ask = function(self, title, key, items)
    self:dialog { title = title, items = items, checked = prefs[key], on_item = function(i) prefs[key] = i end }
  end,
  view = function(self)
    local samples = each(DATES, function(pattern) return date(now(), pattern) end)
    return column {
      toolbar { "Settings", up = true },
      switch { "Distances in miles", id = "miles", checked = prefs.miles, on_change = function(on) prefs.miles = on end },
      switch { "Ten percent off from a week on", id = "discount", checked = prefs.discount, on_change = function(on) prefs.discount = on end },
      button { "Currency: " .. CURRENCIES[prefs.currency], id = "currency", on_click = function() self:ask("Currency", "currency", CURRENCIES) end },
      button { "Dates: " .. samples[prefs.date_format], id = "dates", on_click = function() self:ask("Dates", "date_format", samples) end },
    }
  end,
}
