-- Flat Share: who paid what for the flat, who owes whom, and the payments that settle it. Everything is kept in cents.

local DAY = 24 * 60 * 60 * 1000
local CATEGORIES = { "Home", "Food", "Fun", "Deposit" }
local SORTS = { "Newest first", "Dearest first", "Name" }
local CURRENCIES = { "€", "$", "£" }
local SPANS = { { "All time" }, { "Last 30 days", 30 }, { "Last 7 days", 7 } }

app {
  package = "org.norn.flatshare",
  title = "Flat Share",
  main = "Bills",
  bugs = { "ticks_lost", "binned_in_statistics", "copy_shares_people", "swap_loses_one", "one_digit_cents", "stale_balances", "dearest_as_text",
    "cancelled_category" },
  application = function()
    if storage.bills then return end
    local today = now() // DAY
    storage.mates = { { id = 1, name = "Ana" }, { id = 2, name = "Ben" }, { id = 3, name = "Chris" }, { id = 4, name = "Dora", gone = true } }
    storage.bills = {
      { id = 11, what = "Electricity", cents = 8460, payer = 1, shares = { 1, 2, 3 }, category = "Home", day = today - 20 },
      { id = 12, what = "Pizza night", cents = 4250, payer = 2, shares = { 1, 2, 3 }, category = "Food", day = today - 12 },
      { id = 13, what = "Light bulbs", cents = 999, payer = 3, shares = { 1, 2, 3 }, category = "Home", day = today - 9 },
      { id = 14, what = "Internet", cents = 2990, payer = 1, shares = { 1, 2, 3 }, category = "Home", day = today - 6 },
      { id = 15, what = "Groceries", cents = 12075, payer = 3, shares = { 1, 3 }, category = "Food", day = today - 3 },
      { id = 16, what = "Spare keys", cents = 15000, payer = 2, shares = { 1, 2, 3 }, category = "Deposit", day = today - 30 },
      { id = 17, what = "Old heater", cents = 4000, payer = 1, shares = { 1, 4 }, category = "Home", day = today - 60 },
    }
    storage.payments = { { id = 18, from = 4, to = 1, cents = 2000, day = today - 50 }, { id = 19, from = 1, to = 2, cents = 3000, day = today - 10 } }
    storage.next_id = 20
    prefs.currency, prefs.whole, prefs.ask, prefs.me, prefs.sort = 1, false, true, 1, 1
  end,
}

local function mate_by_id(id) return find(storage.mates, function(m) return m.id == id end) end
local function bill_by_id(id) return find(storage.bills, function(b) return b.id == id and not b.binned end) end
local function name_of(id) return mate_by_id(id) and mate_by_id(id).name or "Nobody" end
local function bills() return filter(storage.bills, function(b) return not b.binned end) end
local function mates_here() return filter(storage.mates, function(m) return not m.gone end) end
local function day_text(day) return date(day * DAY, "%d %b %Y") end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id - 1
end

local function plain(cents) return format("%d.%02d", cents // 100, cents % 100) end

-- On purpose: without cents amounts are rounded for the eye only, sums are made of the exact ones.
local function money(cents)
  local sign, c = cents < 0 and "-" or "", math.abs(cents)
  return sign .. CURRENCIES[prefs.currency] .. (prefs.whole and tostring((c + 50) // 100) or plain(c))
end

local function parse_money(s)
  local whole, cents = trim(s):match("^(%d+)[.,]?(%d*)$")
  if not whole or #whole > 6 or #cents > 2 then return nil end
  if bug("one_digit_cents") then return tonumber(whole) * 100 + (tonumber(cents) or 0) end
  return tonumber(whole) * 100 + tonumber((cents .. "00"):sub(1, 2))
end

-- Who bears how much. On purpose: cents that cannot be shared are borne by the payer, or the first if the payer does not share.
local function split_of(bill)
  local each_one, out = bill.cents // #bill.shares, {}
  for _, id in ipairs(bill.shares) do out[id] = each_one end
  local odd = out[bill.payer] and bill.payer or bill.shares[1]
  out[odd] = out[odd] + bill.cents - each_one * #bill.shares
  return out
end

local function account_of(id)
  local a = { paid = 0, share = 0, sent = 0, received = 0 }
  for _, bill in ipairs(bills()) do
    if bill.payer == id then a.paid = a.paid + bill.cents end
    a.share = a.share + (split_of(bill)[id] or 0)
  end
  for _, p in ipairs(storage.payments) do
    if p.from == id then a.sent = a.sent + p.cents end
    if p.to == id then a.received = a.received + p.cents end
  end
  a.balance = a.paid - a.share + a.sent - a.received
  return a
end

local function balances()
  return each(storage.mates, function(m) return { id = m.id, cents = account_of(m.id).balance } end)
end

-- The fewest payments are not looked for: who owes most pays whom is owed most, until all are even.
local function suggestions(sums)
  local left, out = each(sums, function(s) return { id = s.id, cents = s.cents } end), {}
  while #left > 1 do
    table.sort(left, function(a, b) return a.cents < b.cents end)
    local low, high = left[1], left[#left]
    local cents = math.min(-low.cents, high.cents)
    if cents <= 0 then break end
    table.insert(out, { from = low.id, to = high.id, cents = cents })
    low.cents, high.cents = low.cents + cents, high.cents - cents
  end
  return out
end

local function names(list) return each(list, function(m) return m.name end) end
local function place_of(list, id)
  local _, i = find(list, function(m) return m.id == id end)
  return i or 1
end

local function bin(self, b, done)
  local function really()
    b.binned = true
    done()
  end
  if not prefs.ask then return really() end
  self:dialog { title = "Delete " .. b.what .. "?", cancel = "Cancel", ok = "Delete", on_ok = really }
end

-- ---- bills ----

activity "Bills" {
  create = function(self, intent, saved) self.category = saved and saved.category or 1 end,
  save = function(self, out) out.category = self.category end,
  shown = function(self)
    local out = filter(bills(), function(b) return self.category == 1 or b.category == CATEGORIES[self.category - 1] end)
    if prefs.sort == 1 then
      table.sort(out, function(a, b) return a.day > b.day or a.day == b.day and a.id > b.id end)
    elseif prefs.sort == 2 then
      table.sort(out, function(a, b)
        if bug("dearest_as_text") then return plain(a.cents) > plain(b.cents) end
        return a.cents > b.cents
      end)
    else
      table.sort(out, function(a, b) return a.what:lower() < b.what:lower() end)
    end
    return out
  end,
  total = function(self, shown)
    local total = 0
    for _, b in ipairs(shown) do
      if b.category ~= "Deposit" then total = total + b.cents end     -- On purpose: a deposit comes back, it is not spent
    end
    return total
  end,
  bin = function(self, b)
    bin(self, b, function() self:snackbar(b.what .. " is in the bin", "Undo", function() b.binned = nil end) end)
  end,
  ask_sort = function(self)
    self:dialog { title = "Sort by", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
  end,
  view = function(self)
    local shown = self:shown()
    local kinds = copy(CATEGORIES)
    table.insert(kinds, 1, "All categories")
    local function go(title, name) return { title, id = "go_" .. name:lower(), on_click = function() self:start(name) end } end
    return column {
      toolbar { "Flat Share", subtitle = #shown .. (#shown == 1 and " bill" or " bills"), actions = { { "Sort", id = "sort", on_click = function() self:ask_sort() end } } },
      drawer { id = "drawer", header = "Flat Share", items = { go("Balances", "Balances"), go("Payments", "Payments"), go("Flatmates", "Mates"),
        go("Statistics", "Statistics"), go("Bin", "Bin"), go("Settings", "Settings") } },
      spinner { id = "category_filter", items = kinds, selected = self.category, on_change = function(i) self.category = i end },
      text { "Spent without deposits: " .. money(self:total(shown)), id = "total" },
      list { id = "bill_list", items = shown, empty = text { "No bills", id = "empty" },
        row = function(b)
          return row { column { weight = 1, text { b.what, id = "bill_row" },
            text { name_of(b.payer) .. ", " .. day_text(b.day), id = "bill_info", size = "small" } }, text { money(b.cents), id = "bill_amount" } }
        end,
        on_item_click = function(_, b) self:start("Bill", { id = b.id }) end,
        on_item_long_click = function(_, b) self:bin(b) end },
      fab { id = "add_bill", desc = "Add bill", on_click = function() self:start("EditBill") end },
    }
  end,
}

activity "Bill" {
  duplicate = function(self, b)
    local twin = copy(b)
    twin.id, twin.what, twin.day = new_id(), b.what .. " (copy)", now() // DAY      -- On purpose: a copy is of today
    if not bug("copy_shares_people") then twin.shares = copy(b.shares) end
    table.insert(storage.bills, twin)
    self:start("Bill", { id = twin.id })
    self:finish()
  end,
  menu = function(self)
    local b = bill_by_id(self.intent.id)
    if not b then return {} end
    return {
      { "Edit", id = "edit", on_click = function() self:start("EditBill", { id = b.id }) end },
      { "Duplicate", id = "duplicate", on_click = function() self:duplicate(b) end },
      { "Delete", id = "delete", on_click = function() bin(self, b, function() self:finish() end) end },
    }
  end,
  view = function(self)
    local b = bill_by_id(self.intent.id)
    if not b then return column { toolbar { "Bill", up = true }, text { "This bill is gone", id = "gone" } } end
    local split = split_of(b)
    return column {
      toolbar { b.what, up = true },
      text { money(b.cents), id = "amount_shown", size = "large" },
      text { "Paid by " .. name_of(b.payer) .. " on " .. day_text(b.day), id = "paid" },
      text { b.category, id = "category_shown" },
      text { "Shared by", id = "shared" },
      list { id = "share_list", items = b.shares,
        row = function(id) return row { text { name_of(id), id = "sharer", weight = 1 }, text { money(split[id]), id = "share" } } end,
        on_item_click = function(_, id) self:start("Mate", { id = id }) end },
    }
  end,
}

activity "EditBill" {
  create = function(self, intent, saved)
    local b = intent.id and bill_by_id(intent.id) or nil
    self.bill = b
    self.payer = saved and saved.payer or b and b.payer or prefs.me
    self.category = saved and saved.category or b and b.category or "Home"
    self.ticked = saved and saved.ticked
    if self.ticked then return end
    self.ticked = {}
    for _, id in ipairs(b and b.shares or each(mates_here(), function(m) return m.id end)) do self.ticked["m" .. id] = true end   -- On purpose: a new one is for all
  end,
  save = function(self, out)
    out.payer, out.category = self.payer, self.category
    if not bug("ticks_lost") then out.ticked = self.ticked end
  end,
  people = function(self)                               -- who moved out is offered only where she already is in the bill
    local b = self.bill
    return filter(storage.mates, function(m) return not m.gone or b and (b.payer == m.id or index_of(b.shares, m.id)) end)
  end,
  set_category = function(self, name)
    self.category = name
    if self.bill and bug("cancelled_category") then self.bill.category = name end
  end,
  store = function(self)
    local what, cents = trim(self:text("what")), parse_money(self:text("amount"))
    local sharers = filter(self:people(), function(m) return self.ticked["m" .. m.id] end)
    if what == "" then return toast("What was it?") end
    if not cents or cents == 0 then return toast("How much was it?") end
    if #sharers == 0 then return toast("Who shares it?") end
    local b = self.bill
    if not b then
      b = { id = new_id(), day = now() // DAY, shares = {} }
      table.insert(storage.bills, b)
    end
    b.what, b.cents, b.payer, b.category = what, cents, self.payer, self.category
    while #b.shares > 0 do table.remove(b.shares) end
    for _, m in ipairs(sharers) do table.insert(b.shares, m.id) end
    self:finish()
  end,
  view = function(self)
    local b, people = self.bill, self:people()
    return column {
      toolbar { b and "Edit bill" or "New bill", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "what", hint = "What", text = b and b.what or "", max = 40 },
        field { id = "amount", hint = "Amount", input = "decimal", text = b and plain(b.cents) or "", max = 10 },
        text { "Paid by", id = "paid_by" },
        spinner { id = "payer", items = names(people), selected = place_of(people, self.payer), on_change = function(i) self.payer = people[i].id end },
        spinner { id = "category", items = CATEGORIES, selected = index_of(CATEGORIES, self.category), on_change = function(_, name) self:set_category(name) end },
        text { "Shared by", id = "shared_by" },
        each(people, function(m)
          return check { m.name, id = "sharer_tick", checked = self.ticked["m" .. m.id] == true, on_change = function(on) self.ticked["m" .. m.id] = on or nil end }
        end),
      },
    }
  end,
}

-- ---- who owes whom ----

activity "Balances" {
  create = function(self) self.sums = balances() end,
  resume = function(self)
    if not bug("stale_balances") then self.sums = balances() end
  end,
  view = function(self)
    local sums = filter(self.sums, function(s) return s.cents ~= 0 or not mate_by_id(s.id).gone end)
    table.sort(sums, function(a, b) return a.cents > b.cents end)       -- On purpose: who is owed most comes first
    local ways = suggestions(self.sums)
    return column {
      toolbar { "Balances", up = true, actions = { { "New payment", id = "new_payment", on_click = function() self:start("Settle") end } } },
      each(sums, function(s) return row { text { name_of(s.id), id = "balance_name", weight = 1 }, text { money(s.cents), id = "balance" } } end),
      text { #ways == 0 and "All is even" or "To get even", id = "even" },
      list { id = "ways", items = ways,
        row = function(w) return text { name_of(w.from) .. " pays " .. name_of(w.to) .. " " .. money(w.cents), id = "way" } end,
        on_item_click = function(_, w) self:start("Settle", w) end },
    }
  end,
}

activity "Settle" {
  create = function(self, intent, saved)
    local here = mates_here()
    self.from = saved and saved.from or intent.from or prefs.me
    self.to = saved and saved.to or intent.to or (find(here, function(m) return m.id ~= self.from end) or here[1]).id
  end,
  save = function(self, out) out.from, out.to = self.from, self.to end,
  swap = function(self)
    if bug("swap_loses_one") then
      self.from = self.to
      self.to = self.from
    else
      self.from, self.to = self.to, self.from
    end
  end,
  store = function(self)
    local cents = parse_money(self:text("sum"))
    if self.from == self.to then return toast("Nobody pays himself") end
    if not cents or cents == 0 then return toast("How much?") end
    table.insert(storage.payments, { id = new_id(), from = self.from, to = self.to, cents = cents, day = now() // DAY })
    self:finish()
  end,
  view = function(self)
    local all = filter(storage.mates, function(m) return not m.gone or m.id == self.from or m.id == self.to end)
    return column {
      toolbar { "Payment", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "sum", hint = "Amount", input = "decimal", max = 10, text = self.intent.cents and plain(self.intent.cents) or "" },
      text { "From", id = "from_label" },
      spinner { id = "from", items = names(all), selected = place_of(all, self.from), on_change = function(i) self.from = all[i].id end },
      text { "To", id = "to_label" },
      spinner { id = "to", items = names(all), selected = place_of(all, self.to), on_change = function(i) self.to = all[i].id end },
      button { "Swap", id = "swap", on_click = function() self:swap() end },
    }
  end,
}

activity "Payments" {
  ask_delete = function(self, p)
    self:dialog { title = "Delete this payment?", message = name_of(p.from) .. " to " .. name_of(p.to) .. ", " .. money(p.cents), cancel = "Cancel", ok = "Delete",
      on_ok = function() table.remove(storage.payments, (index_of(storage.payments, p))) end }
  end,
  view = function(self)
    return column {
      toolbar { "Payments", up = true },
      list { id = "payment_list", items = storage.payments, empty = text { "No payments", id = "empty" },
        row = function(p)
          return row { column { weight = 1, text { name_of(p.from) .. " to " .. name_of(p.to), id = "payment" }, text { day_text(p.day), id = "payment_day", size = "small" } },
            text { money(p.cents), id = "payment_amount" } }
        end,
        on_item_long_click = function(_, p) self:ask_delete(p) end },
      fab { id = "add_payment", desc = "New payment", on_click = function() self:start("Settle") end },
    }
  end,
}

-- ---- flatmates ----

activity "Mates" {
  ask_new = function(self)
    self:set_text("mate_name", "")
    self:dialog { title = "New flatmate", cancel = "Cancel", ok = "Add",
      view = function() return column { field { id = "mate_name", hint = "Name", max = 20 } } end,
      on_ok = function()
        local name = trim(self:text("mate_name"))
        if name == "" then return true end
        if find(storage.mates, function(m) return m.name:lower() == name:lower() end) then return toast("There is a " .. name .. " already") or true end
        table.insert(storage.mates, { id = new_id(), name = name })
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Flatmates", up = true, subtitle = #mates_here() .. " live here" },
      list { id = "mate_list", items = storage.mates,
        row = function(m) return row { text { m.name, id = "mate_row", weight = 1 }, text { m.gone and "moved out" or money(account_of(m.id).balance), id = "mate_state" } } end,
        on_item_click = function(_, m) self:start("Mate", { id = m.id }) end },
      fab { id = "add_mate", desc = "Add flatmate", on_click = function() self:ask_new() end },
    }
  end,
}

activity "Mate" {
  set_gone = function(self, m, gone)
    m.gone = gone or nil
    if gone and prefs.me == m.id then prefs.me = mates_here()[1].id end     -- somebody who lives here has to be the usual payer
  end,
  view = function(self)
    local m = mate_by_id(self.intent.id)
    if not m then return column { toolbar { "Flatmate", up = true }, text { "Nobody of that name", id = "gone" } } end
    local a = account_of(m.id)
    local mine = filter(storage.payments, function(p) return p.from == m.id or p.to == m.id end)    -- a payment is on both people's pages
    -- On purpose: nobody leaves with debts, and somebody has to stay.
    local may_leave = m.gone or a.balance == 0 and #mates_here() > 1
    return column {
      toolbar { m.name, up = true },
      text { "Paid " .. money(a.paid) .. ", own share " .. money(a.share), id = "mate_bills" },
      text { "Sent " .. money(a.sent) .. ", received " .. money(a.received), id = "mate_payments" },
      text { "Balance " .. money(a.balance), id = "mate_balance", size = "large" },
      switch { "Moved out", id = "moved_out", checked = m.gone == true, enabled = may_leave, on_change = function(on) self:set_gone(m, on) end },
      not may_leave and text { "Can move out when even", id = "why_not", size = "small" },
      list { id = "mate_payment_list", items = mine, empty = text { "No payments", id = "empty" },
        row = function(p)
          return text { (p.from == m.id and "To " .. name_of(p.to) or "From " .. name_of(p.from)) .. " " .. money(p.cents), id = "mate_payment" }
        end },
    }
  end,
}

-- ---- statistics, bin, settings ----

activity "Statistics" {
  create = function(self, intent, saved) self.span = saved and saved.span or 1 end,
  save = function(self, out) out.span = self.span end,
  sum = function(self, category)
    local days, sum = SPANS[self.span][2], 0
    for _, b in ipairs(bug("binned_in_statistics") and storage.bills or bills()) do
      if b.category == category and (not days or b.day > now() // DAY - days) then sum = sum + b.cents end
    end
    return sum
  end,
  view = function(self)
    local total = 0
    for _, c in ipairs(CATEGORIES) do total = total + (c ~= "Deposit" and self:sum(c) or 0) end
    return column {
      toolbar { "Statistics", up = true },
      spinner { id = "span", items = each(SPANS, function(s) return s[1] end), selected = self.span, on_change = function(i) self.span = i end },
      each(CATEGORIES, function(c) return row { text { c, id = "stat_name", weight = 1 }, text { money(self:sum(c)), id = "stat_sum" } } end),
      text { "Spent without deposits: " .. money(total), id = "stat_total" },
    }
  end,
}

activity "Bin" {
  ask_empty = function(self, binned)
    self:dialog { title = "Empty the bin?", message = #binned .. " bills go for ever.", cancel = "Cancel", ok = "Empty",
      on_ok = function() storage.bills = bills() end }
  end,
  view = function(self)
    local binned = filter(storage.bills, function(b) return b.binned end)
    return column {
      toolbar { "Bin", up = true, actions = #binned > 0 and { { "Empty", id = "empty_bin", on_click = function() self:ask_empty(binned) end } } or nil },
      list { id = "bin_list", items = binned, empty = text { "The bin is empty", id = "empty" },
        row = function(b)
          return row { text { b.what .. ", " .. money(b.cents), id = "binned", weight = 1 }, button { "Restore", id = "restore", on_click = function() b.binned = nil end } }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    local here = mates_here()
    return column {
      toolbar { "Settings", up = true },
      text { "Currency (amounts are not converted)", id = "currency_label" },
      radios { id = "currency", items = CURRENCIES, selected = prefs.currency, on_change = function(i) prefs.currency = i end },
      switch { "Hide cents", id = "whole", checked = prefs.whole, on_change = function(on) prefs.whole = on end },
      switch { "Ask before a bill goes to the bin", id = "ask", checked = prefs.ask, on_change = function(on) prefs.ask = on end },
      text { "Usual payer", id = "me_label" },
      spinner { id = "me", items = names(here), selected = place_of(here, prefs.me), on_change = function(i) prefs.me = here[i].id end },
    }
  end,
}
