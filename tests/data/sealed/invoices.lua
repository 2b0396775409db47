-- Invoices: a freelancer's bills: clients with their terms, a catalogue, drafts, what is open, what was paid, reports.
--
-- An invoice: { id, no, client, day, terms = days, tax = percent, discount = percent, status = "draft" | "sent" | "paid",
-- paid_day or nil, items = { { id, what, qty = hundredths, cents }, ... } }. Money is in cents; numbers are never used twice.

app {
  package = "org.norn.invoices",
  title = "Invoices",
  main = "Main",
  bugs = { "preview_tax", "number_reused", "paid_without_day", "report_currency", "edited_quantity", "copy_is_paid", "client_terms",
    "up_discards" },
  application = function()
    if storage.invoices then return end
    local today = now() // 86400000
    storage.next_id, storage.next_no = 200, 108
    storage.clients = { { id = 1, name = "Blue Studio", city = "Bremen", terms = 30 }, { id = 2, name = "Harbour Cafe", city = "Kiel", terms = 7 },
      { id = 3, name = "Norden Press", city = "Hamburg", terms = 14 }, { id = 4, name = "Tall Ships", city = "Rostock", terms = 14 } }
    storage.products = { { id = 11, name = "Design, hour", cents = 8500 }, { id = 12, name = "Translation, page", cents = 2950 },
      { id = 13, name = "Travel, day", cents = 12000 } }
    local function invoice(id, no, client, ago, terms, discount, status, paid_ago, items)
      return { id = id, no = no, client = client, day = today - ago, terms = terms, tax = 19, discount = discount, status = status,
        paid_day = paid_ago and today - paid_ago, items = each(items, function(i, n) return { id = n, what = i[1], qty = i[2], cents = i[3] } end) }
    end
    storage.invoices = {
      invoice(31, 101, 1, 95, 30, 0, "paid", 70, { { "Design, hour", 1200, 8500 } }),
      invoice(32, 102, 3, 80, 14, 5, "paid", 61, { { "Translation, page", 4000, 2950 } }),
      invoice(33, 103, 2, 33, 7, 0, "paid", 25, { { "Menu card", 100, 42000 } }),
      invoice(34, 104, 3, 24, 14, 0, "sent", nil, { { "Translation, page", 1850, 2950 }, { "Proof reading", 300, 4000 } }),
      invoice(35, 105, 1, 12, 30, 10, "sent", nil, { { "Design, hour", 2250, 8500 }, { "Travel, day", 200, 12000 } }),
      invoice(36, 106, 4, 3, 14, 0, "draft", nil, { { "Poster", 100, 65000 }, { "Design, hour", 250, 8500 } }),
      invoice(37, 107, 2, 1, 7, 15, "draft", nil, { { "Web page", 100, 98000 } }),
    }
    prefs.currency = 1
    prefs.tax = 19
    prefs.terms = 14
    prefs.ask = true
  end,
}

local CURRENCIES = { { "Euro", "€" }, { "Dollar", "$" }, { "Pound", "£" } }
local STATUSES, STATUS_TITLES = { "sent", "draft", "paid" }, { "Open", "Drafts", "Paid" }
local ORDERS = { "Newest", "Highest", "Client" }
local TAXES, TERMS, DISCOUNTS = { 0, 7, 19, 25 }, { 7, 14, 30, 60 }, { 0, 5, 10, 15, 20 }
local MAX_INVOICES, MAX_CLIENTS, MAX_PRODUCTS, MAX_ITEMS = 100, 30, 20, 12

local function today() return now() // 86400000 end
local function day_text(day) return date(day * 86400000, "%Y-%m-%d") end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function plain(cents) return format("%d.%02d", cents // 100, cents % 100) end
local function money(cents) return CURRENCIES[prefs.currency][2] .. " " .. plain(cents) end
local function quantity(qty) return qty % 100 == 0 and tostring(qty // 100) or format("%.2f", qty / 100) end
local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function invoice_of(id) return by_id(storage.invoices, id) end
local function client_of(id) return by_id(storage.clients, id) end
local function number(invoice) return "No. " .. invoice.no end
local function toggle(list, x)
  local i = index_of(list, x)
  if i then table.remove(list, i) else table.insert(list, x) end
end
local function forget(list, item) if index_of(list, item) then toggle(list, item) end end
local function next_number()
  if bug("number_reused") then return 101 + #storage.invoices end
  storage.next_no = storage.next_no + 1
  return storage.next_no - 1
end

-- ---- sums ----

local function percent(cents, p) return (cents * p + 50) // 100 end
local function line_sum(item) return (item.qty * item.cents + 50) // 100 end
local function sums(invoice)
  local net = 0
  for _, item in ipairs(invoice.items) do net = net + line_sum(item) end
  local off = percent(net, invoice.discount)
  local tax = percent(net - off, invoice.tax)
  return { net = net, off = off, tax = tax, total = net - off + tax }
end
local function total_of(invoices)
  local total = 0
  for _, i in ipairs(invoices) do total = total + sums(i).total end
  return total
end
local function due_day(invoice) return invoice.day + invoice.terms end
local function status_text(invoice)
  if invoice.status == "draft" then return "Draft" end
  if invoice.status == "paid" then return "Paid " .. (invoice.paid_day and day_text(invoice.paid_day) or "(day unknown)") end
  local days = today() - due_day(invoice)
  return days > 0 and "Overdue by " .. plural(days, "day") or "Due " .. day_text(due_day(invoice))
end
local function with_status(...)
  local wanted = { ... }
  return filter(storage.invoices, function(i) return index_of(wanted, i.status) end)
end
local function of_client(invoices, client) return filter(invoices, function(i) return i.client == client.id end) end
-- ---- what is done to several invoices; each can be undone ----

local function set_status(self, invoices, status, several)
  local before = each(invoices, function(i) return { id = i.id, status = i.status, paid_day = i.paid_day } end)
  for _, i in ipairs(invoices) do
    i.status = status
    i.paid_day = status == "paid" and not (several and bug("paid_without_day")) and today() or nil
  end
  self:snackbar(plural(#invoices, "invoice") .. " marked " .. (status == "draft" and "as draft" or status), "Undo", function()
    for _, b in ipairs(before) do local i = invoice_of(b.id) if i then i.status, i.paid_day = b.status, b.paid_day end end
  end)
end
local function delete_drafts(self, invoices)
  local gone = copy(invoices)
  for _, i in ipairs(gone) do forget(storage.invoices, i) end
  self:snackbar(plural(#gone, "draft") .. " deleted", "Undo", function()
    for _, i in ipairs(gone) do if client_of(i.client) then table.insert(storage.invoices, i) end end
  end)
end
local function ask_delete(self, what, go)
  if not prefs.ask then return go() end
  self:dialog { title = "Delete " .. what .. "?", cancel = "Cancel", ok = "Delete", on_ok = go }
end
local function delete_result(self, data)
  local invoice = data and data.delete and invoice_of(data.delete)
  if invoice then delete_drafts(self, { invoice }) end
end
local function invoice_row(i, mark)
  return column { id = "invoice_row", selected = mark,
    text { (mark and "✓ " or "") .. number(i) .. "  " .. client_of(i.client).name, id = "title" },
    row { text { status_text(i), id = "status", size = "small", weight = 1 }, text { money(sums(i).total), id = "amount", size = "small" } } }
end
local function gone(title) return column { toolbar { title, up = true }, text { "This is gone", id = "gone" } } end

local function newest(invoices)
  local list = copy(invoices)
  table.sort(list, function(a, b) if a.day ~= b.day then return a.day > b.day end return a.id > b.id end)
  return list
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.query, self.order, self.chosen = saved.tab or 1, saved.query or "", saved.order or 1, saved.chosen
  end,
  save = function(self, out) out.tab, out.query, out.order, out.chosen = self.tab, self.query, self.order, self.chosen end,
  resume = function(self) self:tidy() end,
  result = function(self, request, data) delete_result(self, data) if data and data.new then self.tab = 2 end end,
  back = function(self)
    if self.chosen then self.chosen = nil return true end
    if self.tab ~= 1 then self.tab = 1 return true end
    return false
  end,
  shown = function(self)
    local q = trim(self.query):lower()
    local list = newest(filter(with_status(STATUSES[self.tab]), function(i)
      return q == "" or contains(tostring(i.no), q) or contains(client_of(i.client).name:lower(), q)
    end))
    if self.order == 2 then table.sort(list, function(a, b) return sums(a).total > sums(b).total end) end
    if self.order == 3 then
      table.sort(list, function(a, b) return client_of(a.client).name:lower() < client_of(b.client).name:lower() end)
    end
    return list
  end,
  tidy = function(self)
    if not self.chosen then return end
    local shown = each(self:shown(), function(i) return i.id end)
    self.chosen = filter(self.chosen, function(id) return index_of(shown, id) end)
    if #self.chosen == 0 then self.chosen = nil end
  end,
  choose = function(self, invoice)
    self.chosen = self.chosen or {}
    toggle(self.chosen, invoice.id)
    self:tidy()
  end,
  chosen_invoices = function(self) return each(self.chosen, invoice_of) end,
  mark = function(self, status) set_status(self, self:chosen_invoices(), status, true) self.chosen = nil end,

  menu = function(self)
    if not self.chosen then
      return {
        { "Clients", id = "clients", on_click = function() self:start("Clients") end },
        { "Catalogue", id = "catalogue", on_click = function() self:start("Catalogue") end },
        { "Report", id = "report", on_click = function() self:start("Report") end },
        { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      }
    end
    return {
      { "Select all", id = "select_all", on_click = function() self.chosen = each(self:shown(), function(i) return i.id end) end },
      { "Mark sent", id = "mark_sent", enabled = self.tab ~= 1, on_click = function() self:mark("sent") end },
      { "Mark paid", id = "mark_paid", enabled = self.tab == 1, on_click = function() self:mark("paid") end },
      { "Delete", id = "delete_selected", enabled = self.tab == 2, on_click = function()
        local invoices = self:chosen_invoices()
        ask_delete(self, plural(#invoices, "draft"), function() delete_drafts(self, invoices) self.chosen = nil end)
      end },
    }
  end,

  view = function(self)
    local shown = self:shown()
    return column {
      self.chosen and toolbar { #self.chosen .. " selected", up = function() self.chosen = nil end } or toolbar { "Invoices" },
      tabs { id = "tabs", titles = STATUS_TITLES, selected = self.tab, on_change = function(i) self.tab, self.chosen = i, nil end },
      row {
        field { id = "query", hint = "Number or client", text = self.query, max = 30, weight = 1,
          on_change = function(s) self.query = s self:tidy() end },
        spinner { id = "order", items = ORDERS, selected = self.order, on_change = function(i) self.order = i end },
      },
      text { plural(#shown, "invoice") .. ", " .. money(total_of(shown)), id = "summary", size = "small" },
      list { id = "invoices", items = shown, empty = text { "No invoices", id = "empty" },
        row = function(i) return invoice_row(i, self.chosen and index_of(self.chosen, i.id) ~= nil) end,
        on_item_click = function(_, i)
          if self.chosen then self:choose(i) else self:start_for_result("Invoice", "invoice", { id = i.id }) end
        end,
        on_item_long_click = function(_, i) self:choose(i) end },
      not self.chosen and fab { id = "add", desc = "New invoice", on_click = function()
        if #storage.clients == 0 then return toast("Add a client first") end
        self:start_for_result("InvoiceEdit", "new")
      end },
    }
  end,
}

-- ---- one invoice ----

activity "Invoice" {
  create = function(self, intent, saved) self.id = saved and saved.id or intent.id end,
  save = function(self, out) out.id = self.id end,
  duplicate = function(self, invoice)
    if #storage.invoices >= MAX_INVOICES then return toast("Too many invoices") end
    local twin = copy(invoice)
    twin.id, twin.no, twin.day = new_id(), next_number(), today()
    twin.items = each(invoice.items, function(i) return copy(i) end)
    if not bug("copy_is_paid") then twin.status, twin.paid_day = "draft", nil end
    table.insert(storage.invoices, twin)
    self.id = twin.id
    toast("This is the copy")
  end,
  remove_item = function(self, invoice, i)
    local item = table.remove(invoice.items, i)
    self:snackbar(item.what .. " removed", "Undo", function() table.insert(invoice.items, math.min(i, #invoice.items + 1), item) end)
  end,

  menu = function(self)
    local invoice = invoice_of(self.id)
    if not invoice then return {} end
    local function mark(title, id, status)
      return { title, id = id, on_click = function() set_status(self, { invoice }, status) end }
    end
    local items = { { "Duplicate", id = "duplicate", on_click = function() self:duplicate(invoice) end } }
    if invoice.status == "draft" then
      table.insert(items, mark("Mark sent", "mark_sent", "sent"))
      table.insert(items, { "Delete", id = "delete", on_click = function()
        ask_delete(self, number(invoice), function() self:finish { delete = invoice.id } end)
      end })
    elseif invoice.status == "sent" then
      table.insert(items, mark("Mark paid", "mark_paid", "paid"))
      table.insert(items, mark("Back to draft", "mark_draft", "draft"))
    else
      table.insert(items, mark("Not paid yet", "mark_unpaid", "sent"))
    end
    return items
  end,

  view = function(self)
    local invoice = invoice_of(self.id)
    if not invoice then return gone("Invoice") end
    local draft, s = invoice.status == "draft", sums(invoice)
    local actions = { { "Preview", id = "preview", on_click = function() self:start("Preview", { id = invoice.id }) end } }
    if draft then
      table.insert(actions, { "Edit", id = "edit", on_click = function() self:start("InvoiceEdit", { id = invoice.id }) end })
    end
    return column {
      toolbar { number(invoice), up = true, actions = actions },
      text { client_of(invoice.client).name .. ", " .. day_text(invoice.day), id = "client" },
      text { status_text(invoice), id = "status" },
      list { id = "items", items = invoice.items, empty = text { "No items", id = "empty" },
        row = function(item)
          return row { id = "item_row", text { quantity(item.qty) .. " × " .. item.what, id = "what", weight = 1 },
            text { money(line_sum(item)), id = "line" } }
        end,
        on_item_click = function(_, item)
          if draft then self:start("ItemEdit", { id = invoice.id, item = item.id }) else toast("Only drafts can be changed") end
        end,
        on_item_long_click = function(i) if draft then self:remove_item(invoice, i) else toast("Only drafts can be changed") end end },
      s.off > 0 and text { "Discount " .. invoice.discount .. " %: -" .. money(s.off), id = "off", size = "small" },
      text { "Tax " .. invoice.tax .. " %: " .. money(s.tax), id = "tax", size = "small" },
      text { "Total: " .. money(s.total), id = "total", size = "large" },
      draft and button { "Add item", id = "add_item", enabled = #invoice.items < MAX_ITEMS,
        on_click = function() self:start("ItemEdit", { id = invoice.id }) end },
    }
  end,
}

activity "Preview" {
  view = function(self)
    local invoice = invoice_of(self.intent.id)
    if not invoice then return gone("Preview") end
    local client, s = client_of(invoice.client), sums(invoice)
    if bug("preview_tax") then s.tax = percent(s.net, invoice.tax) s.total = s.net - s.off + s.tax end
    return column {
      toolbar { "Preview", up = true },
      scroll {
        text { client.name, id = "to" },
        text { client.city, id = "city", size = "small" },
        text { "Invoice " .. invoice.no .. " of " .. day_text(invoice.day), id = "head", size = "large" },
        each(invoice.items, function(item)
          return text { quantity(item.qty) .. " × " .. item.what .. " at " .. money(item.cents) .. " = " .. money(line_sum(item)), id = "line" }
        end),
        text { "Net " .. money(s.net), id = "net" },
        s.off > 0 and text { "Discount -" .. money(s.off), id = "off" },
        text { "Tax " .. money(s.tax), id = "tax" },
        text { "To pay " .. money(s.total) .. " until " .. day_text(due_day(invoice)), id = "to_pay", size = "large" },
      },
    }
  end,
}

local function ask_discard(self)
  self:dialog { title = "Discard changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
end

local function leave_form(self)
  for key, old in pairs(self.first) do if self.now[key] ~= old then return ask_discard(self) end end
  self:finish()
end

activity "InvoiceEdit" {
  create = function(self, intent, saved)
    local i = intent.id and invoice_of(intent.id)
    local client = client_of(intent.client) or storage.clients[1] or { terms = prefs.terms }
    self.first = i and { client = i.client, day = i.day, terms = i.terms, discount = i.discount }
      or { client = client.id, day = today(), terms = client.terms, discount = 0 }
    self.now = saved and saved.now or copy(self.first)
  end,
  save = function(self, out) out.now = self.now end,
  leave = leave_form,
  back = function(self) self:leave() return true end,
  set_client = function(self, client)
    if client.id == self.now.client then return end
    self.now.client = client.id
    if not bug("client_terms") then self.now.terms = client.terms end
  end,
  store = function(self)
    local invoice = self.intent.id and invoice_of(self.intent.id)
    if not self.now.client then return toast("Add a client first") end
    if not invoice then
      if #storage.invoices >= MAX_INVOICES then return toast("Too many invoices") end
      invoice = { id = new_id(), no = next_number(), tax = prefs.tax, status = "draft", items = {} }
      table.insert(storage.invoices, invoice)
    end
    for key, value in pairs(self.now) do invoice[key] = value end
    self:finish { new = not self.intent.id }
  end,

  view = function(self)
    local n = self.now
    return column {
      toolbar { self.intent.id and "Edit invoice" or "New invoice", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        text { "Client", size = "small" },
        spinner { id = "client", items = each(storage.clients, function(c) return c.name end), selected = index_of(storage.clients, client_of(n.client)),
          on_change = function(i) self:set_client(storage.clients[i]) end },
        row {
          button { "Earlier", id = "earlier", on_click = function() n.day = n.day - 1 end },
          text { day_text(n.day), id = "day", weight = 1 },
          button { "Later", id = "later", on_click = function() n.day = n.day + 1 end },
        },
        text { "To be paid within", size = "small" },
        spinner { id = "terms", items = each(TERMS, function(d) return d .. " days" end), selected = index_of(TERMS, n.terms),
          on_change = function(i) n.terms = TERMS[i] end },
        text { "Due " .. day_text(n.day + n.terms), id = "due" },
        text { "Discount", size = "small" },
        spinner { id = "discount", items = each(DISCOUNTS, function(d) return d .. " %" end), selected = index_of(DISCOUNTS, n.discount),
          on_change = function(i) n.discount = DISCOUNTS[i] end },
      },
    }
  end,
}

local function cents_typed(s)
  local x = tonumber(s)
  return x and x > 0 and x < 100000 and math.floor(x * 100 + 0.5) or nil
end

activity "ItemEdit" {
  create = function(self, intent, saved)
    local invoice = invoice_of(intent.id)
    local item = invoice and intent.item and by_id(invoice.items, intent.item)
    self.first = { what = item and item.what or "", qty = item and quantity(item.qty) or "1", price = item and plain(item.cents) or "" }
    self.now = saved and saved.now or copy(self.first)
  end,
  save = function(self, out) out.now = self.now end,
  leave = leave_form,
  back = function(self) self:leave() return true end,
  from_catalogue = function(self)
    if #storage.products == 0 then return toast("The catalogue is empty") end
    self:dialog { title = "Catalogue", items = each(storage.products, function(p) return p.name end), on_item = function(i)
      self.now.what, self.now.price = storage.products[i].name, plain(storage.products[i].cents)
      self:set_text("what", self.now.what)
      self:set_text("price", self.now.price)
    end }
  end,
  store = function(self)
    local what, qty, cents = trim(self.now.what), cents_typed(self.now.qty), cents_typed(self.now.price)
    if what == "" then return toast("What is it?") end
    if not qty then return toast("How many?") end
    if not cents then return toast("At what price?") end
    local invoice = invoice_of(self.intent.id)
    if not invoice then return self:finish() end
    local items = invoice.items
    local item = self.intent.item and by_id(items, self.intent.item)
    if item and bug("edited_quantity") then qty = math.max(qty // 100, 1) * 100 end
    if not item then item = { id = new_id() } table.insert(items, item) end
    item.what, item.qty, item.cents = what, qty, cents
    self:finish()
  end,

  view = function(self)
    local qty, cents = cents_typed(self.now.qty), cents_typed(self.now.price)
    local function input(id, hint, kind, max)
      return field { id = id, hint = hint, text = self.first[id], input = kind, max = max, on_change = function(s) self.now[id] = s end }
    end
    return column {
      toolbar { self.intent.item and "Edit item" or "New item", up = function() self:leave() end, actions = {
        { "Catalogue", id = "from_catalogue", on_click = function() self:from_catalogue() end },
        { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        input("what", "What", "text", 40),
        input("qty", "Quantity", "decimal", 6),
        input("price", "Price", "decimal", 8),
        text { "Sum: " .. (qty and cents and money(line_sum { qty = qty, cents = cents }) or "-"), id = "line_sum" },
      },
    }
  end,
}

-- ---- clients and catalogue ----

activity "Clients" {
  view = function(self)
    local clients = copy(storage.clients)
    table.sort(clients, function(a, b) return a.name:lower() < b.name:lower() end)
    return column {
      toolbar { "Clients", up = true },
      list { id = "clients", items = clients, empty = text { "No clients", id = "empty" },
        row = function(c)
          local open = total_of(of_client(with_status("sent"), c))
          return column { id = "client_row", text { c.name, id = "name" },
            text { open > 0 and money(open) .. " open" or "Nothing open", id = "open", size = "small" } }
        end,
        on_item_click = function(_, c) self:start("Client", { id = c.id }) end },
      fab { id = "add_client", desc = "New client", on_click = function() self:start("ClientEdit") end },
    }
  end,
}

activity "Client" {
  result = function(self, request, data) delete_result(self, data) end,
  menu = function(self)
    local client = client_of(self.intent.id)
    if not client then return {} end
    return {
      { "New invoice", id = "new_invoice", on_click = function() self:start("InvoiceEdit", { client = client.id }) end },
      { "Delete", id = "delete_client", on_click = function()
        if #of_client(storage.invoices, client) > 0 then return toast("There are invoices of this client") end
        ask_delete(self, client.name, function() forget(storage.clients, client) self:finish() end)
      end },
    }
  end,
  view = function(self)
    local client = client_of(self.intent.id)
    if not client then return gone("Client") end
    return column {
      toolbar { client.name, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("ClientEdit", { id = client.id }) end } } },
      text { client.city .. ", pays within " .. plural(client.terms, "day"), id = "facts" },
      text { "Open: " .. money(total_of(of_client(with_status("sent"), client))), id = "open" },
      text { "Paid: " .. money(total_of(of_client(with_status("paid"), client))), id = "paid" },
      list { id = "invoices", items = newest(of_client(storage.invoices, client)), row = function(i) return invoice_row(i) end,
        empty = text { "No invoices", id = "empty" },
        on_item_click = function(_, i) self:start_for_result("Invoice", "invoice", { id = i.id }) end },
    }
  end,
}

activity "ClientEdit" {
  create = function(self, intent, saved)
    local c = intent.id and client_of(intent.id) or { name = "", city = "", terms = prefs.terms }
    self.first = { name = c.name, city = c.city, terms = c.terms }
    self.terms = saved and saved.terms or c.terms
  end,
  save = function(self, out) out.terms = self.terms end,
  leave = function(self)
    local same = self:text("name") == self.first.name and self:text("city") == self.first.city and self.terms == self.first.terms
    if same then self:finish() else ask_discard(self) end
  end,
  back = function(self) self:leave() return true end,
  store = function(self)
    local name = trim(self:text("name"))
    if name == "" then return toast("Give a name") end
    local client = self.intent.id and client_of(self.intent.id)
    if not client then
      if #storage.clients >= MAX_CLIENTS then return toast("Too many clients") end
      client = { id = new_id() }
      table.insert(storage.clients, client)
    end
    client.name, client.city, client.terms = name, trim(self:text("city")), self.terms
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { self.intent.id and "Edit client" or "New client",
        up = function() if bug("up_discards") then self:finish() else self:leave() end end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = self.first.name, max = 30 },
        field { id = "city", hint = "City", text = self.first.city, max = 30 },
        text { "Pays within", size = "small" },
        spinner { id = "terms", items = each(TERMS, function(d) return d .. " days" end), selected = index_of(TERMS, self.terms),
          on_change = function(i) self.terms = TERMS[i] end },
      },
    }
  end,
}

activity "Catalogue" {
  ask = function(self, product)
    self:dialog { title = product and "Change" or "New", cancel = "Cancel", ok = "OK",
      view = function()
        return column { field { id = "product_name", hint = "Name", text = product and product.name or "", max = 40 },
          field { id = "product_price", hint = "Price", text = product and plain(product.cents) or "", input = "decimal", max = 8 } }
      end,
      on_ok = function()
        local name, cents = trim(self:text("product_name")), cents_typed(self:text("product_price"))
        if name == "" or not cents then toast("A name and a price, please") return true end
        if product then product.name, product.cents = name, cents return end
        if #storage.products >= MAX_PRODUCTS then return toast("The catalogue is full") end
        table.insert(storage.products, { id = new_id(), name = name, cents = cents })
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Catalogue", up = true },
      list { id = "products", items = storage.products, empty = text { "Nothing yet", id = "empty" },
        row = function(p) return row { id = "product_row", text { p.name, id = "name", weight = 1 }, text { money(p.cents), id = "price" } } end,
        on_item_click = function(_, p) self:ask(p) end,
        on_item_long_click = function(_, p) ask_delete(self, p.name, function() forget(storage.products, p) end) end },
      fab { id = "add_product", desc = "New product", on_click = function() self:ask() end },
    }
  end,
}

activity "Report" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,
  view = function(self)
    local function shown(cents) return bug("report_currency") and "€ " .. plain(cents) or money(cents) end
    local rows, by_month = {}, {}
    for _, i in ipairs(with_status("paid")) do
      local month = i.paid_day and date(i.paid_day * 86400000, "%Y-%m")
      if month then by_month[month] = (by_month[month] or 0) + sums(i).total end
    end
    local all = 0
    if self.tab == 1 then
      for month, cents in pairs(by_month) do table.insert(rows, 1, { month, cents }) all = all + cents end
    else
      for _, c in ipairs(storage.clients) do
        local cents = total_of(of_client(with_status("sent", "paid"), c))
        table.insert(rows, { c.name, cents })
        all = all + cents
      end
      table.sort(rows, function(a, b) return a[2] > b[2] end)
    end
    return column {
      toolbar { "Report", up = true },
      tabs { id = "report_tabs", titles = { "Income", "Billed" }, selected = self.tab, on_change = function(i) self.tab = i end },
      text { (self.tab == 1 and "Paid in all: " or "Billed in all: ") .. shown(all), id = "report_total" },
      list { id = "report", items = rows, empty = text { "Nothing yet", id = "empty" },
        row = function(r) return row { id = "report_row", text { r[1], id = "name", weight = 1 }, text { shown(r[2]), id = "sum" } } end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Currency", size = "small" },
        radios { id = "currency", items = each(CURRENCIES, function(c) return c[1] end), selected = prefs.currency, on_change = function(i) prefs.currency = i end },
        text { "Tax of new invoices", size = "small" },
        spinner { id = "tax", items = each(TAXES, function(t) return t .. " %" end), selected = index_of(TAXES, prefs.tax),
          on_change = function(i) prefs.tax = TAXES[i] end },
        text { "New clients pay within", size = "small" },
        spinner { id = "terms", items = each(TERMS, function(d) return d .. " days" end), selected = index_of(TERMS, prefs.terms),
          on_change = function(i) prefs.terms = TERMS[i] end },
        switch { "Ask before deleting", id = "ask", checked = prefs.ask, on_change = function(b) prefs.ask = b end },
      },
    }
  end,
}
