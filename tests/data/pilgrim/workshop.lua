-- Spoke & Chain: the tickets of a bicycle workshop, with a price list, invoices and customers.
-- Everything of a ticket is changed on its own page.

local DAY = 24 * 60 * 60 * 1000
local STATUS = { "Received", "In repair", "Ready", "Collected" }
local DUE = { { "Today", 0 }, { "Tomorrow", 1 }, { "In three days", 3 }, { "In a week", 7 } }
local DISCOUNTS = { 0, 5, 10, 20 }

app {
  package = "org.spokechain.workshop",
  title = "Spoke & Chain",
  main = "Board",
  bugs = { "quantity_total", "mail_is_phone", "clear_search", "unpaid_collect", "count_cancelled", "cancel_applies", "due_shift", "restore_status" },
  application = function()
    if storage.tickets then return end
    local today = now() // DAY
    storage.customers = {
      { id = 1, name = "Ines Alder", phone = "555 0101", mail = "ines@example.org" }, { id = 2, name = "Jonas Birk", phone = "555 0102", mail = "" },
      { id = 3, name = "Kim Carver", phone = "", mail = "kim@example.org" },
    }
    storage.prices = {
      { id = 1, name = "Inner tube", price = 890 }, { id = 2, name = "Brake pads", price = 1450 }, { id = 3, name = "Chain", price = 2400 },
      { id = 4, name = "Half an hour of work", price = 3000 },
    }
    storage.tickets = {
      { id = 1, customer = 1, bike = "Red racer", what = "Flat tyres", status = 1, due = today + 1, urgent = false, discount = 0, paid = false,
        lines = { { name = "Inner tube", price = 890, pieces = 2 }, { name = "Half an hour of work", price = 3000, pieces = 1 } }, history = {} },
      { id = 2, customer = 2, bike = "Cargo bike", what = "Brakes squeal", status = 2, due = today, urgent = true, discount = 10, paid = false,
        lines = { { name = "Brake pads", price = 1450, pieces = 2 } }, history = { "In repair" } },
      { id = 3, customer = 3, bike = "Folding bike", what = "New chain", status = 3, due = today - 1, urgent = false, discount = 0, paid = false,
        lines = { { name = "Chain", price = 2400, pieces = 1 } }, history = { "In repair", "Ready" } },
      { id = 4, customer = 1, bike = "Child's bike", what = "Inspection", status = 1, due = today + 5, urgent = false, discount = 0, paid = false,
        lines = {}, history = {} },
      { id = 5, customer = 2, bike = "Old tandem", what = "New wheels", status = 2, due = today + 3, urgent = false, discount = 0, paid = false,
        lines = {}, history = { "In repair", "Cancelled" }, cancelled = true },
    }
    storage.next_id = 10
    prefs.urgent_first, prefs.vat = true, 19
  end,
}

local function by_id(list, id) return id and find(list, function(x) return x.id == id end) end
local function ticket_by_id(id) return by_id(storage.tickets, id) end
local function customer_by_id(id) return by_id(storage.customers, id) end
local function customer_name(id)
  local customer = customer_by_id(id)
  return customer and customer.name or "Nobody"
end
local function money(cents) return format("%d.%02d", cents // 100, cents % 100) end
local function today() return now() // DAY end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function due_text(day)
  if day == today() then return "due today" end
  if day == today() + 1 then return "due tomorrow" end
  return (day < today() and "was due " or "due ") .. date(day * DAY, "%Y-%m-%d")
end

local function subtotal(ticket)
  local sum = 0
  for _, line in ipairs(ticket.lines) do sum = sum + line.price * line.pieces end
  return sum
end

local function reduced(ticket, sum) return sum - sum * ticket.discount // 100 end
local function total(ticket) return reduced(ticket, subtotal(ticket)) end

local function sorted(tickets)
  table.sort(tickets, function(a, b)
    if prefs.urgent_first and a.urgent ~= b.urgent then return a.urgent end
    if a.due ~= b.due then return a.due < b.due end
    return a.id < b.id
  end)
  return tickets
end

local function ticket_row(ticket)
  return column { text { (ticket.urgent and "! " or "") .. ticket.bike, id = "bike" },
    text { customer_name(ticket.customer) .. ", " .. due_text(ticket.due), id = "about", size = "small" } }
end

local function gone(title) return column { toolbar { title, up = true }, text { "Not found", id = "gone" } } end

-- ---- the board ----

activity "Board" {
  create = function(self, intent, saved) self.status = saved and saved.status or 1 end,
  save = function(self, out) out.status = self.status end,

  titles = function(self)
    return each(STATUS, function(name, i)
      local n = #filter(storage.tickets, function(t) return t.status == i and (not t.cancelled or bug("count_cancelled")) end)
      return name .. " (" .. n .. ")"
    end)
  end,

  menu = function(self)
    return {
      { "Customers", id = "customers", on_click = function() self:start("Customers") end },
      { "Price list", id = "prices", on_click = function() self:start("Prices") end },
      { "Cancelled tickets", id = "cancelled", on_click = function() self:start("Cancelled") end },
      { "Figures", id = "figures", on_click = function() self:start("Figures") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    local shown = sorted(filter(storage.tickets, function(t) return t.status == self.status and not t.cancelled end))
    return column {
      toolbar { "Spoke & Chain", actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      spinner { id = "status", items = self:titles(), selected = self.status, on_change = function(i) self.status = i end },
      list { id = "tickets", items = shown, empty = text { "No bicycle here", id = "empty" }, row = ticket_row,
        on_item_click = function(_, t) self:start("Ticket", { id = t.id }) end },
      fab { id = "add", desc = "New ticket", on_click = function() self:start("Intake") end },
    }
  end,
}

activity "Intake" {
  create = function(self, intent, saved)
    saved = saved or { customer = intent.customer, due = 2 }
    self.customer, self.due = saved.customer, saved.due
  end,
  save = function(self, out) out.customer, out.due = self.customer, self.due end,
  choose_customer = function(self)
    self:dialog { title = "Whose bicycle?", items = each(storage.customers, function(c) return c.name end), cancel = "Cancel",
      on_item = function(i) self.customer = storage.customers[i].id end, neutral = "New customer", on_neutral = function()
        self:start_for_result("CustomerForm", "customer")
      end }
  end,
  result = function(self, request, data)
    if request == "customer" and data then self.customer = data.id end
  end,
  store = function(self)
    local bike = trim(self:text("bike"))
    if bike == "" then return toast("What bicycle is it?") end
    if not customer_by_id(self.customer) then return toast("Whose bicycle is it?") end
    table.insert(storage.tickets, { id = new_id(), customer = self.customer, bike = bike, what = trim(self:text("what")), status = 1, due = today() + DUE[self.due][2],
      urgent = self:checked("urgent") or false, discount = 0, paid = false, lines = {}, history = {} })
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { "New ticket", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "bike", hint = "Bicycle", max = 30 },
        field { id = "what", hint = "What is wrong", max = 80 },
        button { self.customer and customer_name(self.customer) or "Choose the customer", id = "customer", on_click = function() self:choose_customer() end },
        spinner { id = "intake_due", items = each(DUE, function(d) return d[1] end), selected = self.due, on_change = function(i) self.due = i end },
        check { "Urgent", id = "urgent", default = false },
      },
    }
  end,
}

-- ---- one ticket ----

activity "Ticket" {
  set_status = function(self, ticket, status)
    if status == 4 and not ticket.paid and total(ticket) > 0 and not bug("unpaid_collect") then
      return self:dialog { title = "Not paid yet", message = money(total(ticket)) .. " are to be paid before the bicycle is collected", ok = "OK" }
    end
    ticket.status = status
    table.insert(ticket.history, STATUS[status])
  end,

  add_line = function(self, ticket)
    self:dialog { title = "Add", items = each(storage.prices, function(p) return p.name .. ", " .. money(p.price) end), cancel = "Cancel", on_item = function(i)
      local p = storage.prices[i]
      local line = find(ticket.lines, function(l) return l.name == p.name and l.price == p.price end)
      if line then
        line.pieces = line.pieces + 1
      else
        table.insert(ticket.lines, { name = p.name, price = p.price, pieces = 1 })
      end
      ticket.paid = false
    end }
  end,

  change_line = function(self, ticket, line)
    local before, pieces = line.pieces, line.pieces
    local function step(by)
      pieces = math.max(1, math.min(99, pieces + by))
      if bug("cancel_applies") then line.pieces = pieces end
    end
    self:dialog { title = line.name, ok = "OK", cancel = "Cancel",
      view = function()
        return row {
          button { "-", id = "less", width = 150, on_click = function() step(-1) end },
          text { "Pieces: " .. pieces, id = "pieces", weight = 1 },
          button { "+", id = "more", width = 150, on_click = function() step(1) end },
        }
      end,
      on_ok = function()
        line.pieces = pieces
        if pieces ~= before then ticket.paid = false end
      end,
      neutral = "Remove", on_neutral = function()
        local at = index_of(ticket.lines, line)
        if not at then return end
        table.remove(ticket.lines, at)
        local paid, rest = ticket.paid, #ticket.lines
        ticket.paid = false
        self:snackbar(line.name .. " removed", "Undo", function()
          table.insert(ticket.lines, math.min(at, #ticket.lines + 1), line)
          ticket.paid = paid and #ticket.lines == rest + 1
        end)
      end }
  end,

  ask_due = function(self, ticket)
    self:dialog { title = "Due", items = each(DUE, function(d) return d[1] end), cancel = "Cancel", on_item = function(i)
      if bug("due_shift") then i = math.max(1, i - 1) end
      ticket.due = today() + DUE[i][2]
    end }
  end,

  ask_discount = function(self, ticket)
    self:dialog { title = "Discount", items = each(DISCOUNTS, function(d) return d .. " %" end), checked = index_of(DISCOUNTS, ticket.discount), cancel = "Cancel",
      on_item = function(i)
        if ticket.discount ~= DISCOUNTS[i] then ticket.paid = false end
        ticket.discount = DISCOUNTS[i]
      end }
  end,

  ask_cancel = function(self, ticket)
    self:dialog { title = "Cancel this ticket?", message = ticket.bike .. " of " .. customer_name(ticket.customer), ok = "Cancel ticket", cancel = "Keep",
      on_ok = function()
        ticket.cancelled = true
        table.insert(ticket.history, "Cancelled")
        self:finish()
      end }
  end,

  ask_words = function(self, ticket)
    self:dialog { title = "What is wrong?", ok = "OK", cancel = "Cancel",
      view = function() return column { field { id = "words", hint = "What is wrong", text = ticket.what, max = 80 } } end,
      on_ok = function() ticket.what = trim(self:text("words")) end }
  end,

  menu = function(self)
    local ticket = ticket_by_id(self.intent.id)
    if not ticket or ticket.cancelled then return {} end
    return {
      { "Urgent", id = "mark_urgent", checked = ticket.urgent, on_click = function() ticket.urgent = not ticket.urgent end },
      { "Due", id = "change_due", on_click = function() self:ask_due(ticket) end },
      { "Discount", id = "discount", on_click = function() self:ask_discount(ticket) end },
      { "What is wrong", id = "change_words", on_click = function() self:ask_words(ticket) end },
      { "History", id = "history", on_click = function()
        self:dialog { title = "History", message = "Received" .. table.concat(each(ticket.history, function(s) return ", " .. s end)), ok = "OK" }
      end },
      { "Cancel ticket", id = "cancel_ticket", on_click = function() self:ask_cancel(ticket) end },
    }
  end,

  view = function(self)
    local ticket = ticket_by_id(self.intent.id)
    if not ticket then return gone("Ticket") end
    local open = not ticket.cancelled and ticket.status < 4
    return column {
      toolbar { ticket.bike, up = true, subtitle = (ticket.cancelled and "Cancelled" or STATUS[ticket.status]) .. (ticket.urgent and ", urgent" or "") },
      text { customer_name(ticket.customer) .. ", " .. due_text(ticket.due), id = "head" },
      ticket.what ~= "" and text { ticket.what, id = "what" },
      open and row {
        button { "Add", id = "add_line", on_click = function() self:add_line(ticket) end },
        ticket.status > 1 and button { "Back to " .. STATUS[ticket.status - 1]:lower(), id = "step_back", on_click = function() self:set_status(ticket, ticket.status - 1) end },
        button { STATUS[ticket.status + 1], id = "step", on_click = function() self:set_status(ticket, ticket.status + 1) end },
      },
      list { id = "lines", items = ticket.lines, empty = text { "Nothing done yet", id = "empty" },
        row = function(line)
          return row { text { line.pieces .. " x " .. line.name, id = "line", weight = 1 }, text { money(line.price * line.pieces), id = "amount" } }
        end,
        on_item_click = function(_, line) if open then self:change_line(ticket, line) end end },
      text { "Total: " .. money(total(ticket)) .. (ticket.discount > 0 and " (less " .. ticket.discount .. " %)" or "") .. (ticket.paid and ", paid" or ""), id = "total" },
      button { "Invoice", id = "invoice", on_click = function() self:start("Invoice", { id = ticket.id }) end },
    }
  end,
}

activity "Invoice" {
  view = function(self)
    local ticket = ticket_by_id(self.intent.id)
    if not ticket then return gone("Invoice") end
    local sum = subtotal(ticket)
    if bug("quantity_total") then
      sum = 0
      for _, line in ipairs(ticket.lines) do sum = sum + line.price end
    end
    local all = reduced(ticket, sum)
    return column {
      toolbar { "Invoice", up = true, subtitle = ticket.bike },
      scroll {
        text { "For " .. customer_name(ticket.customer), id = "for_whom" },
        each(ticket.lines, function(line)
          return text { line.name .. ": " .. line.pieces .. " x " .. money(line.price) .. " = " .. money(line.pieces * line.price), id = "position" }
        end),
        ticket.discount > 0 and text { "Discount: " .. money(sum - all), id = "less" },
        text { "To pay: " .. money(all), id = "to_pay", size = "large" },
        text { "With " .. prefs.vat .. " % VAT: " .. money(all * prefs.vat // (100 + prefs.vat)), id = "vat", size = "small" },
        not ticket.cancelled and check { "Paid", id = "paid", checked = ticket.paid, enabled = ticket.status < 4, on_change = function(on) ticket.paid = on end },
      },
    }
  end,
}

activity "Cancelled" {
  restore = function(self, ticket)
    ticket.cancelled = nil
    if bug("restore_status") then ticket.status = 1 end
    table.insert(ticket.history, "Restored")
    toast(ticket.bike .. " is on the board again")
  end,
  view = function(self)
    local shown = sorted(filter(storage.tickets, function(t) return t.cancelled end))
    return column {
      toolbar { "Cancelled tickets", up = true },
      list { id = "cancelled_list", items = shown, empty = text { "None was cancelled", id = "empty" },
        row = function(t)
          return row { column { weight = 1, text { t.bike, id = "bike" }, text { customer_name(t.customer) .. ", was " .. STATUS[t.status]:lower(), id = "about", size = "small" } },
            button { "Restore", id = "restore", on_click = function() self:restore(t) end } }
        end,
        on_item_click = function(_, t) self:start("Ticket", { id = t.id }) end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  clear = function(self)
    self:set_text("query", "")
    if not bug("clear_search") then self.query = "" end
  end,
  view = function(self)
    local query = trim(self.query):lower()
    local shown = sorted(filter(storage.tickets, function(t)
      return not t.cancelled and contains((t.bike .. " " .. t.what .. " " .. customer_name(t.customer)):lower(), query)
    end))
    return column {
      toolbar { "Search", up = true, actions = { { "Clear", id = "clear", on_click = function() self:clear() end } } },
      field { id = "query", hint = "Bicycle, fault or customer", max = 30, on_change = function(s) self.query = s end },
      text { #shown == 1 and "1 ticket" or #shown .. " tickets", id = "found", size = "small" },
      list { id = "results", items = shown, empty = text { "Nothing found", id = "empty" }, row = ticket_row,
        on_item_click = function(_, t) self:start("Ticket", { id = t.id }) end },
    }
  end,
}

-- ---- customers and prices ----

activity "Customers" {
  view = function(self)
    local shown = copy(storage.customers)
    table.sort(shown, function(a, b) return a.name:lower() < b.name:lower() end)
    return column {
      toolbar { "Customers", up = true },
      list { id = "customer_list", items = shown, empty = text { "No customer yet", id = "empty" },
        row = function(c) return text { c.name, id = "customer_name" } end,
        on_item_click = function(_, c) self:start("Customer", { id = c.id }) end },
      fab { id = "add_customer", desc = "New customer", on_click = function() self:start("CustomerForm") end },
    }
  end,
}

activity "Customer" {
  ask_delete = function(self, customer)
    if find(storage.tickets, function(t) return t.customer == customer.id end) then return toast("There are tickets of " .. customer.name) end
    self:dialog { title = "Delete " .. customer.name .. "?", ok = "Delete", cancel = "Cancel", on_ok = function()
      local at = index_of(storage.customers, customer)
      if at then table.remove(storage.customers, at) end
      self:finish()
    end }
  end,
  view = function(self)
    local customer = customer_by_id(self.intent.id)
    if not customer then return gone("Customer") end
    local tickets = sorted(filter(storage.tickets, function(t) return t.customer == customer.id and not t.cancelled end))
    local open = 0
    for _, t in ipairs(tickets) do
      if not t.paid then open = open + total(t) end
    end
    return column {
      toolbar { customer.name, up = true, actions = {
        { "Edit", id = "edit", on_click = function() self:start("CustomerForm", { id = customer.id }) end },
        { "Delete", id = "delete", on_click = function() self:ask_delete(customer) end } } },
      text { "Phone: " .. (customer.phone ~= "" and customer.phone or "-"), id = "phone_line" },
      text { "Mail: " .. (customer.mail ~= "" and customer.mail or "-"), id = "mail_line" },
      text { "Still to pay: " .. money(open), id = "open" },
      button { "New ticket", id = "new_ticket", on_click = function() self:start("Intake", { customer = customer.id }) end },
      list { id = "customer_tickets", items = tickets, empty = text { "No ticket", id = "empty" },
        row = function(t) return text { t.bike .. ": " .. STATUS[t.status]:lower(), id = "customer_ticket" } end,
        on_item_click = function(_, t) self:start("Ticket", { id = t.id }) end },
    }
  end,
}

activity "CustomerForm" {
  store = function(self)
    local name = trim(self:text("name"))
    if name == "" then return toast("The customer needs a name") end
    local customer = customer_by_id(self.intent.id)
    local editing = customer ~= nil
    if not customer then
      customer = { id = new_id() }
      table.insert(storage.customers, customer)
    end
    customer.name, customer.phone, customer.mail = name, trim(self:text("phone")), trim(self:text("mail"))
    if editing and bug("mail_is_phone") then customer.mail = customer.phone end
    self:finish { id = customer.id }
  end,
  view = function(self)
    local customer = customer_by_id(self.intent.id) or { name = "", phone = "", mail = "" }
    return column {
      toolbar { self.intent.id and "Edit customer" or "New customer", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", text = customer.name, max = 30 },
      field { id = "phone", hint = "Phone", text = customer.phone, input = "phone", max = 20 },
      field { id = "mail", hint = "Mail", text = customer.mail, input = "email", max = 40 },
    }
  end,
}

activity "Prices" {
  ask_price = function(self, p)
    self:dialog { title = p and "Edit price" or "New price", ok = "OK", cancel = "Cancel",
      neutral = p and "Delete" or nil, on_neutral = function()
        local at = index_of(storage.prices, p)
        if at then table.remove(storage.prices, at) end
      end,
      view = function()
        return column { field { id = "price_name", hint = "What", text = p and p.name or "", max = 30 },
          field { id = "price", hint = "Price", text = p and money(p.price) or "", input = "decimal", max = 8 } }
      end,
      on_ok = function()
        local name, price = trim(self:text("price_name")), tonumber(self:text("price"))
        if name == "" or not price or price < 0 then
          toast("What, and how much?")
          return true
        end
        if not p then
          p = { id = new_id() }
          table.insert(storage.prices, p)
        end
        p.name, p.price = name, math.floor(price * 100 + 0.5)
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Price list", up = true },
      text { "Changes count for what is added to tickets from now on", id = "hint", size = "small" },
      list { id = "price_list", items = storage.prices, empty = text { "No price yet", id = "empty" },
        row = function(p) return row { text { p.name, id = "price_of", weight = 1 }, text { money(p.price), id = "price_amount" } } end,
        on_item_click = function(_, p) self:ask_price(p) end },
      fab { id = "add_price", desc = "New price", on_click = function() self:ask_price() end },
    }
  end,
}

-- ---- the rest ----

activity "Figures" {
  view = function(self)
    local live = filter(storage.tickets, function(t) return not t.cancelled end)
    local paid, open = 0, 0
    for _, t in ipairs(live) do
      if t.paid then paid = paid + total(t) else open = open + total(t) end
    end
    return column {
      toolbar { "Figures", up = true },
      each(STATUS, function(name, i) return text { name .. ": " .. #filter(live, function(t) return t.status == i end), id = "number" } end),
      text { "Cancelled: " .. #storage.tickets - #live, id = "number" },
      text { "Paid: " .. money(paid), id = "paid_sum" },
      text { "Still to be paid: " .. money(open), id = "open_sum" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    local rates = { 0, 7, 19, 20 }
    return column {
      toolbar { "Settings", up = true },
      switch { "Urgent tickets first", id = "urgent_first", checked = prefs.urgent_first, on_change = function(on) prefs.urgent_first = on end },
      text { "VAT", size = "small" },
      spinner { id = "rate", items = each(rates, function(r) return r .. " %" end), selected = index_of(rates, prefs.vat), on_change = function(i) prefs.vat = rates[i] end },
    }
  end,
}
