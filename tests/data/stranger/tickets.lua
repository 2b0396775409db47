-- Tram & Bus: tickets bought from a balance, used when the ride begins, with an account, saved trips and what was spent.
--
-- A ride on one or two zones lasts an hour, on three zones an hour and a half; a day ticket holds until midnight. A card has
-- four rides; it is over when the last of them has ended. Only a ticket nobody has used can be given back, for what it cost.

local MINUTE, DAY = 60 * 1000, 24 * 60 * 60 * 1000
local MAX_TICKETS, MAX_TRIPS, MAX_ENTRIES = 60, 20, 150

local KINDS = {
  { name = "Single", prices = { 240, 320, 400 } },
  { name = "Day ticket", prices = { 700, 900, 1100 } },
  { name = "4-ride card", prices = { 880, 1180, 1480 }, rides = 4 },
}
local WHO = { { name = "Adult", percent = 100 }, { name = "Child", percent = 50 }, { name = "Senior", percent = 75 } }
local ZONES = { "1 zone", "2 zones", "3 zones" }
local ENTRY_KINDS = { "Purchases", "Refunds", "Top-ups" }

app {
  package = "org.trambus.tickets",
  title = "Tram & Bus",
  main = "Wallet",
  bugs = { "refund_adult_price", "only_one_ticket", "cancel_activates", "clock_in_detail", "zones_rotate", "shown_total",
    "strip_last_ride", "long_ride_time" },
  application = function()
    if storage.tickets then return end
    local t = now()
    storage.next_id = 30
    storage.tickets = {     -- oldest first
      { id = 1, kind = 2, zones = 1, who = 1, price = 700, bought = t - 3 * DAY, till = t - 3 * DAY + 30 * MINUTE },
      { id = 2, kind = 3, zones = 1, who = 3, price = 660, bought = t - 2 * DAY, rides = 2, till = t - DAY },
      { id = 3, kind = 1, zones = 2, who = 2, price = 160, bought = t - DAY },
      { id = 4, kind = 1, zones = 3, who = 1, price = 400, bought = t - 40 * MINUTE },
    }
    storage.entries = {     -- oldest first
      { id = 11, kind = 3, label = "Top-up", cents = 5000, time = t - 4 * DAY },
      { id = 12, kind = 1, label = "Day ticket", cents = -700, time = t - 3 * DAY },
      { id = 13, kind = 1, label = "4-ride card", cents = -660, time = t - 2 * DAY },
      { id = 14, kind = 1, label = "Single", cents = -160, time = t - DAY },
      { id = 15, kind = 1, label = "Single", cents = -400, time = t - 40 * MINUTE },
    }
    storage.balance = 3080
    storage.trips = {
      { id = 21, from = "Harbour", to = "University", zones = 2 }, { id = 22, from = "Home", to = "Airport", zones = 3 },
    }
    storage.last_kind = 1
    prefs.clock12, prefs.ask, prefs.who = false, true, 1
  end,
}

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return id and find(list, function(x) return x.id == id end) or nil end
local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end
local function count_text(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function price_of(kind, zones, who) return KINDS[kind].prices[zones] * WHO[who].percent // 100 end
local function money(cents) return format("%s€%d.%02d", cents < 0 and "-" or "", math.abs(cents) // 100, math.abs(cents) % 100) end

local function time_text(time, clock12)
  if not clock12 then return date(time, "%H:%M") end
  local hour = tonumber(date(time, "%H"))
  return format("%d:%s %s", (hour + 11) % 12 + 1, date(time, "%M"), hour < 12 and "am" or "pm")
end
local function moment(time, clock12) return date(time, "%d %b") .. ", " .. time_text(time, clock12) end

local function running(t) return t.till ~= nil and now() <= t.till end
local function is_over(t)
  if not t.rides then return t.till ~= nil and not running(t) end
  if bug("strip_last_ride") then return t.rides <= 1 end
  return t.rides == 0 and not running(t)
end

local function state_text(t, clock12)
  if running(t) then
    return "Valid until " .. time_text(t.till, clock12) .. (t.rides and ", " .. count_text(t.rides, "ride") .. " left" or "")
  end
  if is_over(t) then return t.rides and "Used up" or "Expired " .. moment(t.till, clock12) end
  return t.rides and count_text(t.rides, "ride") .. " left" or "Not used yet"
end

local function ticket_name(t) return KINDS[t.kind].name .. ", " .. ZONES[t.zones] end

local function ride_end(t)
  if t.kind == 2 then return (now() // DAY + 1) * DAY - MINUTE end
  local minutes = 60
  if t.zones == 3 and not bug("long_ride_time") then minutes = 90 end
  return now() + minutes * MINUTE
end

local function use(t)
  t.till = ride_end(t)
  if t.rides then t.rides = t.rides - 1 end
end

local function book(kind, label, cents)
  if #storage.entries >= MAX_ENTRIES then table.remove(storage.entries, 1) end
  table.insert(storage.entries, { id = new_id(), kind = kind, label = label, cents = cents, time = now() })
  storage.balance = storage.balance + cents
end

local function can_refund(t) return not t.till and (not t.rides or t.rides == KINDS[t.kind].rides) end

activity "Wallet" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,

  tickets = function(self)
    local out = {}
    for i = #storage.tickets, 1, -1 do
      local t = storage.tickets[i]
      if is_over(t) == (self.tab == 2) then table.insert(out, t) end
    end
    return out
  end,

  ask_top_up = function(self)
    self:dialog { title = "Top up by", items = { "€10.00", "€20.00", "€50.00" }, cancel = "Cancel",
      on_item = function(i)
        local cents = ({ 1000, 2000, 5000 })[i]
        if storage.balance + cents > 20000 then return toast("The balance may be €200.00 at most") end
        book(3, "Top-up", cents)
        toast(money(cents) .. " added")
      end }
  end,

  ask_clear = function(self)
    self:dialog { title = "Remove used tickets?", message = "They stay in your account", ok = "Remove", cancel = "Cancel",
      on_ok = function() storage.tickets = filter(storage.tickets, function(t) return not is_over(t) end) end }
  end,

  menu = function(self)
    return {
      { "Account", id = "account", on_click = function() self:start("Account") end },
      { "My trips", id = "trips", on_click = function() self:start("Trips") end },
      { "Spending", id = "spending", on_click = function() self:start("Spending") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    local tickets = self:tickets()
    return column {
      toolbar { "Tram & Bus", actions = { { "Top up", id = "top_up", on_click = function() self:ask_top_up() end } } },
      text { "Balance: " .. money(storage.balance), id = "balance", size = "large" },
      tabs { id = "tabs", titles = { "Valid", "Used" }, selected = self.tab, on_change = function(i) self.tab = i end },
      self.tab == 2 and #tickets > 0 and button { "Remove used tickets", id = "clear_used", on_click = function() self:ask_clear() end },
      list { id = "tickets", weight = 1, items = tickets,
        empty = text { self.tab == 1 and "No tickets. Buy one below." or "No used tickets", id = "empty" },
        row = function(t)
          return column { id = "ticket_row", text { ticket_name(t), id = "name", size = "large" },
            text { WHO[t.who].name .. " · " .. state_text(t, prefs.clock12), id = "state", size = "small" } }
        end,
        on_item_click = function(_, t) self:start("Ticket", { id = t.id }) end },
      fab { id = "buy", desc = "Buy a ticket", on_click = function() self:start("Buy") end },
    }
  end,
}

activity "Ticket" {
  use = function(self, t)
    local function go()
      use(t)
      toast("Have a good ride")
    end
    if not prefs.ask then return go() end
    self:dialog { title = t.rides and "Use one ride now?" or "Use this ticket now?", message = "It is valid from this moment on",
      ok = "Use", on_ok = go, cancel = "Cancel", on_cancel = bug("cancel_activates") and go or nil }
  end,

  refund = function(self, t)
    self:dialog { title = "Give this ticket back?", message = money(t.price) .. " will be added to your balance", cancel = "Cancel",
      ok = "Give back", on_ok = function()
        forget(storage.tickets, t)
        book(2, KINDS[t.kind].name, bug("refund_adult_price") and price_of(t.kind, t.zones, 1) or t.price)
        self:finish()
      end }
  end,

  view = function(self)
    local t = by_id(storage.tickets, self.intent.id)
    if not t then return column { toolbar { "Ticket", up = true }, text { "This ticket is not here any more", id = "gone" } } end
    local clock12 = prefs.clock12
    if bug("clock_in_detail") then clock12 = false end
    local usable = not is_over(t) and not running(t)
    return column {
      toolbar { KINDS[t.kind].name, up = true },
      text { ZONES[t.zones] .. ", " .. WHO[t.who].name, id = "what", size = "large" },
      text { state_text(t, clock12), id = "state" },
      text { "Bought: " .. moment(t.bought, clock12), id = "bought" },
      text { "Paid: " .. money(t.price), id = "paid" },
      usable and button { t.rides and "Use one ride" or "Use now", id = "use", on_click = function() self:use(t) end },
      can_refund(t) and button { "Give back", id = "refund", on_click = function() self:refund(t) end },
      button { "Buy another like this", id = "again", on_click = function()
        self:start("Buy", { kind = t.kind, zones = t.zones, who = t.who })
      end },
    }
  end,
}

activity "Buy" {
  create = function(self, intent, saved)
    local from = saved or intent
    self.kind, self.who = from.kind or storage.last_kind, from.who or prefs.who
    self.zones, self.count = from.zones or 1, from.count or 1
    if saved and bug("zones_rotate") then self.zones = intent.zones or 1 end
  end,
  save = function(self, out) out.kind, out.zones, out.who, out.count = self.kind, self.zones, self.who, self.count end,

  total = function(self) return self.count * price_of(self.kind, self.zones, self.who) end,

  pay = function(self)
    local total = self:total()
    if total > storage.balance then return toast("Not enough balance: top up first") end
    if #storage.tickets + self.count > MAX_TICKETS then return toast("The wallet is full") end
    self:dialog { title = "Pay " .. money(total) .. "?", message = count_text(self.count, "ticket") .. ": " .. KINDS[self.kind].name,
      ok = "Pay", on_ok = function() self:buy() end, cancel = "Cancel" }
  end,

  buy = function(self)
    local price = price_of(self.kind, self.zones, self.who)
    book(1, KINDS[self.kind].name .. (self.count > 1 and " × " .. self.count or ""), -price * self.count)
    for _ = 1, bug("only_one_ticket") and 1 or self.count do
      table.insert(storage.tickets, { id = new_id(), kind = self.kind, zones = self.zones, who = self.who, price = price, bought = now(),
        rides = KINDS[self.kind].rides })
    end
    storage.last_kind = self.kind
    self:finish()
  end,

  view = function(self)
    return column {
      toolbar { "Buy tickets", up = true },
      scroll { weight = 1,
        text { "Balance: " .. money(storage.balance), id = "balance", size = "small" },
        radios { id = "kind", items = each(KINDS, function(k) return k.name end), selected = self.kind, on_change = function(i) self.kind = i end },
        spinner { id = "zones", items = ZONES, selected = self.zones, on_change = function(i) self.zones = i end },
        spinner { id = "who", items = each(WHO, function(w) return w.name end), selected = self.who, on_change = function(i) self.who = i end },
        row {
          button { "−", id = "fewer", desc = "One less", on_click = function() self.count = math.max(1, self.count - 1) end },
          text { count_text(self.count, "ticket"), id = "count" },
          button { "+", id = "more", desc = "One more", on_click = function() self.count = math.min(5, self.count + 1) end },
        },
        text { "Total: " .. money(self:total()), id = "total", size = "large" },
        text { "Five tickets at a time at most. The kind bought last comes first next time.", id = "hint", size = "small" },
        button { "Pay", id = "pay", on_click = function() self:pay() end },
      },
    }
  end,
}

activity "Account" {
  create = function(self, intent, saved) self.kind = saved and saved.kind or 0 end,
  save = function(self, out) out.kind = self.kind end,

  entries = function(self)
    local out = {}
    for i = #storage.entries, 1, -1 do
      local e = storage.entries[i]
      if self.kind == 0 or e.kind == self.kind then table.insert(out, e) end
    end
    return out
  end,

  view = function(self)
    local entries, sum = self:entries(), 0
    for _, e in ipairs(bug("shown_total") and storage.entries or entries) do sum = sum + e.cents end
    return column {
      toolbar { "Account", up = true, subtitle = "Balance: " .. money(storage.balance) },
      spinner { id = "kind", items = { "Everything", table.unpack(ENTRY_KINDS) }, selected = self.kind + 1,
        on_change = function(i) self.kind = i - 1 end },
      text { "Sum of those shown: " .. money(sum), id = "sum" },
      list { id = "entries", weight = 1, items = entries, empty = text { "Nothing here", id = "empty" },
        row = function(e)
          local label = e.kind == 2 and "Refund: " .. e.label or e.label
          return row { id = "entry_row",
            column { weight = 1, text { label, id = "label" }, text { moment(e.time, prefs.clock12), id = "time", size = "small" } },
            text { money(e.cents), id = "cents" } }
        end },
    }
  end,
}

activity "Trips" {
  trip_menu = function(self, trip)
    self:popup {
      { "Edit", id = "edit", on_click = function() self:start("Trip", { id = trip.id }) end },
      { "Save the way back too", id = "way_back", on_click = function()
        if #storage.trips >= MAX_TRIPS then return toast("That is enough trips") end
        local there = find(storage.trips, function(x) return x.from == trip.to and x.to == trip.from end)
        if there then return toast("The way back is there already") end
        table.insert(storage.trips, { id = new_id(), from = trip.to, to = trip.from, zones = trip.zones })
      end },
      { "Delete", id = "delete", on_click = function()
        self:dialog { title = "Delete this trip?", message = trip.from .. " – " .. trip.to, ok = "Delete", cancel = "Cancel",
          on_ok = function() forget(storage.trips, trip) end }
      end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "My trips", up = true },
      text { "Touch a trip to buy a ticket for it", id = "hint", size = "small" },
      list { id = "trips", weight = 1, items = storage.trips, empty = text { "No trips yet", id = "empty" },
        row = function(trip)
          return column { id = "trip_row", text { trip.from .. " – " .. trip.to, id = "name" },
            text { ZONES[trip.zones] .. ", " .. money(price_of(1, trip.zones, prefs.who)) .. " one way", id = "price", size = "small" } }
        end,
        on_item_click = function(_, trip) self:start("Buy", { kind = 1, zones = trip.zones }) end,
        on_item_long_click = function(_, trip) self:trip_menu(trip) end },
      fab { id = "add_trip", desc = "New trip", on_click = function()
        if #storage.trips >= MAX_TRIPS then return toast("That is enough trips") end
        self:start("Trip")
      end },
    }
  end,
}

activity "Trip" {
  create = function(self, intent, saved)
    local trip = by_id(storage.trips, intent.id)
    self.zones = saved and saved.zones or trip and trip.zones or 1
  end,
  save = function(self, out) out.zones = self.zones end,

  swap = function(self)
    local from, to = self:text("from"), self:text("to")
    self:set_text("from", to)
    self:set_text("to", from)
  end,

  store = function(self)
    local from, to = trim(self:text("from")), trim(self:text("to"))
    if from == "" or to == "" then return toast("From where to where?") end
    if from:lower() == to:lower() then return toast("That is no trip") end
    local trip = by_id(storage.trips, self.intent.id)
    if not trip then
      if #storage.trips >= MAX_TRIPS then return toast("That is enough trips") end
      trip = { id = new_id() }
      table.insert(storage.trips, trip)
    end
    trip.from, trip.to, trip.zones = from, to, self.zones
    self:finish()
  end,

  view = function(self)
    local trip = by_id(storage.trips, self.intent.id)
    return column {
      toolbar { trip and "Edit trip" or "New trip", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "from", hint = "From", text = trip and trip.from or "", max = 24 },
      field { id = "to", hint = "To", text = trip and trip.to or "", max = 24 },
      button { "Swap", id = "swap", on_click = function() self:swap() end },
      spinner { id = "zones", items = ZONES, selected = self.zones, on_change = function(i) self.zones = i end },
    }
  end,
}

activity "Spending" {
  view = function(self)
    local sum, days = 0, {}
    local bought = filter(storage.entries, function(e) return e.kind == 1 end)
    for _, e in ipairs(bought) do
      local day = date(e.time, "%d %b")
      if #days == 0 or days[#days].day ~= day then table.insert(days, { day = day, cents = 0 }) end
      days[#days].cents = days[#days].cents - e.cents
      sum = sum - e.cents
    end
    return column {
      toolbar { "Spending", up = true },
      text { "Spent on tickets: " .. money(sum), id = "spent", size = "large" },
      text { count_text(#bought, "purchase"), id = "purchases" },
      #bought > 0 and text { "On average " .. money(sum // #bought), id = "average" },
      text { "Refunds are not taken off", id = "hint", size = "small" },
      divider {},
      list { id = "days", weight = 1, items = days, empty = text { "Nothing bought yet", id = "empty" },
        row = function(d) return row { id = "day_row", text { d.day, id = "day", weight = 1 }, text { money(d.cents), id = "cents" } } end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll { weight = 1,
        switch { "Times as 3:30 pm", id = "clock12", checked = prefs.clock12, on_change = function(b) prefs.clock12 = b end },
        switch { "Ask before a ticket is used", id = "ask", checked = prefs.ask, on_change = function(b) prefs.ask = b end },
        text "I usually travel as",
        radios { id = "who", items = each(WHO, function(w) return w.name end), selected = prefs.who, on_change = function(i) prefs.who = i end },
        button { "Help", id = "help", on_click = function()
          self:dialog { title = "Tickets", message = "A ticket is valid from the moment you use it. Unused tickets can be given back.", ok = "OK" }
        end },
      },
    }
  end,
}
