-- Jetty: the desk of a boat hire. Bookings day by day, four steps to a new one, customers, prices and takings.
-- Times are minutes since midnight, days are counted since 1970; money is in cents.

local DAY = 24 * 60 * 60 * 1000
local WEEKDAYS = { [0] = "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" }
local STARTS = { 540, 570, 600, 630, 660, 690, 720, 780, 840, 900, 960 }
local LENGTHS = { 30, 45, 60, 90, 120, 180 }
local BOATS = {
  { id = 1, name = "Heron", kind = "Rowing boat", hour = 900, seats = 3 },
  { id = 2, name = "Otter", kind = "Rowing boat", hour = 900, seats = 3 },
  { id = 3, name = "Swan", kind = "Pedal boat", hour = 1200, seats = 4 },
  { id = 4, name = "Kingfisher", kind = "Canoe", hour = 1000, seats = 2 },
  { id = 5, name = "Old Lady", kind = "Motor boat", hour = 2800, seats = 6 },
}
local EXTRAS = { { "Life jackets", 300 }, { "Picnic basket", 1850 }, { "Fishing rod", 650 }, { "Sunshade", 200 } }
local DEPOSIT = 5000
local MAX_BOOKINGS, MAX_CUSTOMERS = 60, 30

app {
  package = "org.example.jetty",
  title = "Jetty",
  main = "Main",
  bugs = { "extras_on_back", "edit_duplicates", "weekend_friday", "minutes_carry", "cancelled_blocks", "deposit_ignored",
    "discard_saves", "mail_lost" },
  application = function()
    if storage.bookings then return end
    local today = now() // DAY
    storage.customers = {
      { id = 1, first = "Ida", last = "Brandt", phone = "0151 220", mail = "ida@example.org" },
      { id = 2, first = "Noel", last = "Fisher", phone = "0170 884" },
      { id = 3, first = "Mara", last = "Adler", phone = "0160 413", mail = "mara@example.org" },
      { id = 4, first = "Tom", last = "Zeller", phone = "0152 907", mail = "tz@example.org" },
      { id = 5, first = "Ruth", last = "Kahn", phone = "0171 356" },
    }
    storage.bookings = {
      { id = 11, boat = 1, day = today, start = 600, minutes = 60, customer = 1, extras = { 1 }, paid = true },
      { id = 12, boat = 3, day = today, start = 630, minutes = 120, customer = 3, extras = { 1, 2 } },
      { id = 13, boat = 5, day = today, start = 840, minutes = 90, customer = 2, extras = {} },
      { id = 14, boat = 4, day = today, start = 900, minutes = 60, customer = 5, extras = { 3 }, cancelled = true },
      { id = 15, boat = 2, day = today + 1, start = 540, minutes = 180, customer = 4, extras = { 4 } },
      { id = 16, boat = 5, day = today + 1, start = 660, minutes = 120, customer = 1, extras = {} },
      { id = 17, boat = 1, day = today + 2, start = 720, minutes = 60, extras = {} },
    }
    storage.next_id = 20
    prefs.deposit, prefs.show_cancelled = true, false
  end,
}

local function by_id(list, id) return find(list, function(x) return x.id == id end) end
local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function weekday(day) return (day + 4) % 7 end                -- the first of January 1970 was a Thursday
local function closed(day) return weekday(day) == 1 end             -- on Mondays the boats are mended
local function day_text(day) return WEEKDAYS[weekday(day)] .. ", " .. date(day * DAY, "%Y-%m-%d") end
local function clock(minutes) return format("%d:%02d", minutes // 60, minutes % 60) end
local function money(cents) return format("%d.%02d", cents // 100, cents % 100) end
local function length_text(minutes)
  if minutes < 60 then return minutes .. " min" end
  return minutes // 60 .. " h" .. (minutes % 60 > 0 and " " .. minutes % 60 .. " min" or "")
end

local function end_text(b)
  if bug("minutes_carry") then return format("%d:%02d", b.start // 60 + b.minutes // 60, b.start % 60 + b.minutes % 60) end
  return clock(b.start + b.minutes)
end

local function customer_name(id)
  local c = by_id(storage.customers, id)
  return c and c.first .. " " .. c.last or "Walk-in"
end

local function is_weekend(day)
  local w = weekday(day)
  if bug("weekend_friday") then return w == 5 or w == 6 end
  return w == 6 or w == 0
end

-- Two hours and more are 10 % cheaper, a weekend is 20 % dearer; the boat's price goes up to full ten cents.
local function boat_price(b)
  local cents = by_id(BOATS, b.boat).hour * b.minutes / 60
  if b.minutes >= 120 then cents = cents * 0.9 end
  if is_weekend(b.day) then cents = cents * 1.2 end
  return math.ceil(cents / 10 - 0.001) * 10
end

local function extras_price(b)
  local cents = 0
  for _, i in ipairs(b.extras) do cents = cents + EXTRAS[i][2] end
  return cents
end

local function price(b) return boat_price(b) + extras_price(b) end
local function extras_text(b)
  local names = each(b.extras, function(i) return EXTRAS[i][1] end)
  return #names > 0 and table.concat(names, ", ") or "No extras"
end

local function on_day(day, also_cancelled)
  local list = filter(storage.bookings, function(b) return b.day == day and (also_cancelled or not b.cancelled) end)
  table.sort(list, function(a, b) return a.start < b.start end)
  return list
end

local function overlaps(a, b) return a.start < b.start + b.minutes and b.start < a.start + a.minutes end

-- The booking that keeps a boat from going out then, if there is one.
local function taken_by(draft)
  return find(on_day(draft.day), function(b) return b.boat == draft.boat and b.id ~= draft.id and overlaps(b, draft) end)
end

-- ---- the day ----

activity "Main" {
  create = function(self, intent, saved) self.day = saved and saved.day or now() // DAY end,
  save = function(self, out) out.day = self.day end,
  menu = function(self)
    local function go(name) return function() self:start(name, { day = self.day }) end end
    return {
      { "Boats", id = "boats", on_click = go("Boats") },
      { "Customers", id = "customers", on_click = go("Customers") },
      { "Prices", id = "prices", on_click = go("Prices") },
      { "Takings", id = "takings", on_click = go("Takings") },
      { "Settings", id = "settings", on_click = go("Settings") },
    }
  end,
  view = function(self)
    local list_of_day = on_day(self.day, prefs.show_cancelled)
    return column {
      toolbar { "Jetty", subtitle = self.day == now() // DAY and "today" or nil },
      row {
        button { "<", id = "day_before", on_click = function() self.day = self.day - 1 end },
        text { day_text(self.day), id = "day", weight = 1, on_click = function() self.day = now() // DAY end },
        button { ">", id = "day_after", on_click = function() self.day = self.day + 1 end },
      },
      list { id = "bookings", items = list_of_day, empty = text { closed(self.day) and "Closed on Mondays" or "No bookings", id = "empty" },
        row = function(b)
          return column { id = "booking_row",
            text { clock(b.start) .. " " .. by_id(BOATS, b.boat).name .. (b.cancelled and " (cancelled)" or ""), id = "what", size = "large" },
            text { customer_name(b.customer) .. ", back at " .. end_text(b) .. (b.paid and ", paid" or ""), id = "who", size = "small" } }
        end,
        on_item_click = function(_, b) self:start("Booking", { id = b.id }) end },
      fab { id = "add", desc = "New booking", on_click = function() self:start("Wizard", { day = self.day }) end },
    }
  end,
}

activity "Booking" {
  ask_cancel = function(self, b)
    self:dialog { title = "Cancel this booking?", message = b.paid and "What was paid is given back" or nil,
      ok = "Cancel it", on_ok = function() b.cancelled, b.paid = true, nil end, cancel = "Keep it" }
  end,
  view = function(self)
    local b = by_id(storage.bookings, self.intent.id)
    if not b then return column { toolbar { "Booking", up = true }, text { "No such booking", id = "gone" } } end
    local boat = by_id(BOATS, b.boat)
    local deposit = prefs.deposit or bug("deposit_ignored")
    return column {
      toolbar { boat.name, up = true, subtitle = boat.kind,
        actions = { not b.cancelled and { "Edit", id = "edit", on_click = function() self:start("Wizard", { id = b.id }) end } or nil } },
      scroll {
        b.cancelled and text { "Cancelled", id = "state", size = "large" },
        text { day_text(b.day), id = "day" },
        text { clock(b.start) .. " to " .. end_text(b) .. ", " .. length_text(b.minutes), id = "time" },
        text { customer_name(b.customer), id = "customer", on_click = b.customer and function() self:start("Customer", { id = b.customer }) end or nil },
        text { extras_text(b), id = "extras" },
        text { "Price: " .. money(price(b)), id = "price", size = "large" },
        deposit and not b.cancelled and text { "Deposit: " .. money(DEPOSIT), id = "deposit" },
        not b.cancelled and check { "Paid", id = "paid", checked = b.paid == true, on_change = function(on) b.paid = on or nil end },
        not b.cancelled and button { "Cancel booking", id = "cancel_booking", on_click = function() self:ask_cancel(b) end },
        b.cancelled and button { "Book again", id = "book_again", on_click = function()
          if taken_by(b) then return toast("The boat is taken by now") end
          b.cancelled = nil
        end },
      },
    }
  end,
}

-- ---- four steps to a booking ----

activity "Wizard" {
  create = function(self, intent, saved)
    local old = by_id(storage.bookings, intent.id)
    self.step, self.draft = 1, { day = intent.day or now() // DAY, start = 600, minutes = 60, extras = {} }
    if old then
      self.draft = copy(old)
      self.draft.extras = copy(old.extras)
    end
    if saved then self.step, self.draft = saved.step, saved.draft end
  end,
  save = function(self, out) out.step, out.draft = self.step, self.draft end,
  back = function(self)
    if self.step == 1 then return false end
    self:go(self.step - 1)
    return true
  end,
  go = function(self, step)
    if self.step == 4 and step == 3 and bug("extras_on_back") then self.draft.extras = {} end
    self.step = step
  end,
  finish_draft = function(self)
    local d = self.draft
    if taken_by(d) then return toast("The boat is taken by now") end
    local _, i = by_id(storage.bookings, d.id)
    if i and not bug("edit_duplicates") then
      storage.bookings[i] = d
    else
      if #storage.bookings >= MAX_BOOKINGS then return toast("The book is full") end
      d.id = new_id()
      table.insert(storage.bookings, d)
    end
    self:finish()
  end,

  boat_step = function(self)
    return list { id = "boat_list", items = BOATS,
      row = function(boat)
        return column { id = "boat_row", text { (self.draft.boat == boat.id and "✓ " or "") .. boat.name, id = "boat_name", size = "large" },
          text { boat.kind .. ", " .. boat.seats .. " seats, " .. money(boat.hour) .. " an hour", id = "boat_info", size = "small" } }
      end,
      on_item_click = function(_, boat)
        self.draft.boat = boat.id
        self:go(2)
      end }
  end,
  time_step = function(self)
    local d = self.draft
    local other = taken_by(d)
    return scroll {
      row {
        button { "<", id = "earlier", on_click = function() d.day = d.day - 1 end },
        text { day_text(d.day), id = "draft_day", weight = 1 },
        button { ">", id = "later", on_click = function() d.day = d.day + 1 end },
      },
      text { "From", size = "small" },
      spinner { id = "start", items = each(STARTS, clock), selected = index_of(STARTS, d.start), on_change = function(i) d.start = STARTS[i] end },
      text { "For", size = "small" },
      spinner { id = "length", items = each(LENGTHS, length_text), selected = index_of(LENGTHS, d.minutes), on_change = function(i) d.minutes = LENGTHS[i] end },
      text { "Back at " .. end_text(d), id = "back_at" },
      other and text { "Taken from " .. clock(other.start) .. " by " .. customer_name(other.customer), id = "taken" },
      closed(d.day) and text { "Closed on Mondays", id = "closed" },
      button { "Next", id = "next", enabled = not other and not closed(d.day), on_click = function() self:go(3) end },
    }
  end,
  who_step = function(self)
    local people = copy(storage.customers)
    table.sort(people, function(a, b) return a.last < b.last end)
    table.insert(people, 1, {})
    return list { id = "who_list", items = people,
      row = function(c) return text { (self.draft.customer == c.id and "✓ " or "") .. (c.id and c.last .. ", " .. c.first or "Walk-in"), id = "who_row" } end,
      on_item_click = function(_, c)
        self.draft.customer = c.id
        self:go(4)
      end }
  end,
  extras_step = function(self)
    local d = self.draft
    return scroll {
      each(EXTRAS, function(extra, i)
        local at = index_of(d.extras, i)
        return check { extra[1] .. ", " .. money(extra[2]), id = "extra", checked = at ~= nil, on_change = function()
          if at then table.remove(d.extras, at) else table.insert(d.extras, i) table.sort(d.extras) end
        end }
      end),
      divider {},
      text { by_id(BOATS, d.boat).name .. " for " .. customer_name(d.customer), id = "summary" },
      text { day_text(d.day) .. ", " .. clock(d.start) .. " to " .. end_text(d), id = "summary_time" },
      text { "Boat: " .. money(boat_price(d)), id = "boat_price" },
      text { "Extras: " .. money(extras_price(d)), id = "extras_price" },
      text { "Together: " .. money(price(d)), id = "together", size = "large" },
      prefs.deposit and text { "and " .. money(DEPOSIT) .. " deposit", id = "summary_deposit" },
      button { d.id and "Save" or "Book", id = "book", on_click = function() self:finish_draft() end },
    }
  end,
  view = function(self)
    local steps = { "boat_step", "time_step", "who_step", "extras_step" }
    return column {
      toolbar { self.draft.id and "Edit booking" or "New booking", up = true, subtitle = "step " .. self.step .. " of 4" },
      self[steps[self.step]](self),
    }
  end,
}

-- ---- boats and customers ----

activity "Boats" {
  create = function(self, intent) self.day = intent.day or now() // DAY end,
  state = function(self, boat)
    local all = filter(on_day(self.day, bug("cancelled_blocks")), function(b) return b.boat == boat.id end)
    if #all == 0 then return "free all day" end
    return "out " .. table.concat(each(all, function(b) return clock(b.start) .. " to " .. end_text(b) end), ", ")
  end,
  view = function(self)
    return column {
      toolbar { "Boats", up = true, subtitle = day_text(self.day) },
      list { id = "fleet", items = BOATS,
        row = function(boat) return column { id = "fleet_row", text { boat.name, id = "fleet_name", size = "large" }, text { boat.kind .. ", " .. self:state(boat), id = "fleet_state", size = "small" } } end,
        on_item_click = function(_, boat) toast(boat.seats .. " seats, " .. money(boat.hour) .. " an hour") end },
    }
  end,
}

activity "Customers" {
  view = function(self)
    local people = copy(storage.customers)
    table.sort(people, function(a, b) return a.last < b.last end)
    return column {
      toolbar { "Customers", up = true },
      list { id = "people", items = people, empty = text { "Nobody", id = "empty" },
        row = function(c) return text { c.last .. ", " .. c.first, id = "person" } end,
        on_item_click = function(_, c) self:start("Customer", { id = c.id }) end },
      fab { id = "add_customer", desc = "New customer", on_click = function() self:start("EditCustomer") end },
    }
  end,
}

activity "Customer" {
  view = function(self)
    local c = by_id(storage.customers, self.intent.id)
    if not c then return column { toolbar { "Customer", up = true }, text { "Nobody", id = "gone" } } end
    local mine = filter(storage.bookings, function(b) return b.customer == c.id end)
    return column {
      toolbar { c.first .. " " .. c.last, up = true,
        actions = { { "Edit", id = "edit_customer", on_click = function() self:start("EditCustomer", { id = c.id }) end } } },
      text { "Phone: " .. (c.phone or "none"), id = "phone" },
      text { "Mail: " .. (c.mail or "none"), id = "mail" },
      button { "Call", id = "call", enabled = c.phone ~= nil, on_click = function() self:start_implicit { action = "DIAL", uri = "tel:100" } end },
      list { id = "history", items = mine, empty = text { "No bookings yet", id = "empty" },
        row = function(b) return text { date(b.day * DAY, "%Y-%m-%d") .. " " .. by_id(BOATS, b.boat).name .. (b.cancelled and " (cancelled)" or ""), id = "past" } end,
        on_item_click = function(_, b) self:start("Booking", { id = b.id }) end },
    }
  end,
}

activity "EditCustomer" {
  create = function(self, intent) self.customer = by_id(storage.customers, intent.id) end,
  typed = function(self)
    local function value(id)
      local s = trim(self:text(id))
      return s ~= "" and s or nil
    end
    return { first = value("first"), last = value("last"), phone = value("phone"), mail = value("mail") }
  end,
  changed = function(self)
    local new, old = self:typed(), self.customer or {}
    return new.first ~= old.first or new.last ~= old.last or new.phone ~= old.phone or new.mail ~= old.mail
  end,
  store = function(self)
    local new = self:typed()
    if not new.first or not new.last then return toast("Both names, please") end
    local c = self.customer
    if not c then
      if #storage.customers >= MAX_CUSTOMERS then return toast("Too many customers") end
      c = { id = new_id(), mail = new.mail }
      table.insert(storage.customers, c)
    end
    c.first, c.last, c.phone = new.first, new.last, new.phone
    c.mail = not bug("mail_lost") and new.mail or self.customer == nil and c.mail or nil
    self:finish()
  end,
  back = function(self)
    if not self:changed() then return false end
    self:dialog { title = "Save the changes?", ok = "Save", on_ok = function() self:store() end, neutral = "Discard",
      on_neutral = function()
        if bug("discard_saves") and self.customer then return self:store() end
        self:finish()
      end, cancel = "Go on editing" }
    return true
  end,
  view = function(self)
    local c = self.customer or {}
    return column {
      toolbar { self.customer and "Edit customer" or "New customer", up = function() if not self:back() then self:finish() end end },
      scroll {
        field { id = "first", hint = "First name", max = 20, text = c.first or "" },
        field { id = "last", hint = "Last name", max = 20, text = c.last or "" },
        field { id = "phone", hint = "Phone", input = "phone", max = 20, text = c.phone or "" },
        field { id = "mail", hint = "Mail", input = "email", max = 40, text = c.mail or "" },
        button { "Save", id = "save", on_click = function() self:store() end },
      },
    }
  end,
}

-- ---- money ----

activity "Prices" {
  view = function(self)
    return column {
      toolbar { "Prices", up = true },
      scroll {
        each(BOATS, function(boat) return text { boat.name .. ": " .. money(boat.hour) .. " an hour", id = "rate" } end),
        divider {},
        each(EXTRAS, function(extra) return text { extra[1] .. ": " .. money(extra[2]), id = "extra_rate" } end),
        divider {},
        text { "Saturdays and Sundays 20 % more, from two hours on 10 % less", id = "rules", size = "small" },
        text { "Mondays closed", id = "mondays", size = "small" },
      },
    }
  end,
}

activity "Takings" {
  create = function(self, intent) self.day = intent.day or now() // DAY end,
  view = function(self)
    local paid, open = 0, 0
    for _, b in ipairs(on_day(self.day)) do
      if b.paid then paid = paid + price(b) else open = open + price(b) end
    end
    return column {
      toolbar { "Takings", up = true, subtitle = day_text(self.day) },
      each(on_day(self.day), function(b) return text { clock(b.start) .. " " .. by_id(BOATS, b.boat).name .. ": " .. money(price(b)) .. (b.paid and "" or " (open)"), id = "taking" } end),
      divider {},
      text { "Paid: " .. money(paid), id = "paid_sum", size = "large" },
      text { "Open: " .. money(open), id = "open_sum" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Ask for a deposit", id = "deposit_on", checked = prefs.deposit, on_change = function(on) prefs.deposit = on end },
      switch { "Show cancelled bookings", id = "show_cancelled", checked = prefs.show_cancelled, on_change = function(on) prefs.show_cancelled = on end },
      text { "A touch on the date leads back to today", id = "hint", size = "small" },
    }
  end,
}
