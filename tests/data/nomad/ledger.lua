-- Pennywise: accounts, entries, budgets. Amounts are whole cents; an account's balance is kept, not computed.

app {
  package = "org.pennywise.ledger",
  title = "Pennywise",
  main = "Main",
  bugs = { "edit_counts_twice", "half_transfer", "report_transfers", "hidden_in_search", "month_lost", "orphaned_entries",
    "template_kind", "asks_without_change" },
  application = function()
    if storage.accounts then return end
    storage.next_id = 100
    storage.accounts = {
      { id = 1, name = "Cash", balance = 4250 },
      { id = 2, name = "Bank", balance = 105000 },
      { id = 3, name = "Savings", balance = 200000 },
    }
    storage.categories = {
      { id = 10, name = "Food", limit = 20000 },
      { id = 11, name = "Rent" },
      { id = 12, name = "Fun", limit = 5000 },
      { id = 13, name = "Salary" },
      { id = 14, name = "Other" },
    }
    -- month 0 is the first one of the book
    storage.month = 2
    storage.entries = {
      { id = 20, account = 1, category = 10, amount = -1250, note = "Market", month = 2 },
      { id = 21, account = 2, category = 11, amount = -65000, note = "Flat", month = 2 },
      { id = 22, account = 2, category = 13, amount = 180000, note = "Pay", month = 2 },
      { id = 23, account = 2, amount = -10000, transfer = 24, note = "Transfer", month = 2 },
      { id = 24, account = 3, amount = 10000, transfer = 23, note = "Transfer", month = 2 },
      { id = 25, account = 1, category = 12, amount = -4500, note = "Cinema", month = 2 },
      { id = 26, account = 1, category = 10, amount = -2000, note = "Bakery", month = 1 },
      { id = 27, account = 2, category = 11, amount = -65000, note = "Flat", month = 1 },
    }
    storage.templates = { { id = 30, name = "Pay day", income = true, amount = 180000, category = 13, account = 2 } }
    prefs.currency = 1
    prefs.hide = false
    prefs.cents = true
  end,
}

local SIGNS = { "€", "$", "£" }
local MONTHS = { "January", "February", "March", "April", "May", "June" }
local OTHER = 14

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function account_of(id) return by_id(storage.accounts, id) end
local function category_of(id) return by_id(storage.categories, id) end
local function entry_of(id) return by_id(storage.entries, id) end

local function plain(cents) return format("%d.%02d", cents // 100, cents % 100) end

local function money(cents, open)
  if prefs.hide and not open then return "•••" end
  local sign = cents < 0 and "−" or ""
  cents = math.abs(cents)
  local words = prefs.cents and plain(cents) or tostring((cents + 50) // 100)
  return sign .. SIGNS[prefs.currency] .. words
end

local function cents_of(s)
  local n = tonumber(s)
  if not n or n <= 0 or n > 1000000 then return nil end
  return math.floor(n * 100 + 0.5)
end


local function names(list) return each(list, function(x) return x.name end) end

local function position(list, id)
  local _, i = find(list, function(x) return x.id == id end)
  return i or 1
end

local function book(entry, sign)
  local a = account_of(entry.account)
  if a then a.balance = a.balance + sign * entry.amount end
end

local function add_entry(entry)
  entry.id = new_id()
  table.insert(storage.entries, 1, entry)
  book(entry, 1)
  return entry
end

local function drop(entry)
  local i = index_of(storage.entries, entry)
  if not i then return end
  table.remove(storage.entries, i)
  book(entry, -1)
end

local function delete_entry(entry)
  local twin = entry.transfer and entry_of(entry.transfer)
  drop(entry)
  if twin and not bug("half_transfer") then drop(twin) end
end

local function what(entry)
  if entry.transfer then return "Transfer" end
  local c = category_of(entry.category)
  return c and c.name or "?"
end

local function spent(category, month)
  local sum = 0
  for _, e in ipairs(storage.entries) do
    if e.category == category and e.month == month and e.amount < 0 then sum = sum - e.amount end
  end
  return sum
end

local function gone(title)
  return column { toolbar { title, up = true }, text { "Not there any more", id = "gone" } }
end

local function entry_row(e, open)
  local a = account_of(e.account)
  return row { id = "entry_row",
    column { weight = 1, text { e.note ~= "" and e.note or what(e), id = "note" }, text { what(e) .. ", " .. (a and a.name or "?"), id = "about", size = "small" } },
    text { money(e.amount, open), id = "amount" } }
end

activity "Main" {
  menu = function(self)
    return {
      { "Transfer", id = "transfer", on_click = function() self:start("Transfer") end },
      { "Report", id = "report", on_click = function() self:start("Report") end },
      { "Budgets", id = "budgets", on_click = function() self:start("Budgets") end },
      { "Categories", id = "categories", on_click = function() self:start("Categories") end },
      { "Templates", id = "templates", on_click = function() self:start("Templates") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    local total = 0
    for _, a in ipairs(storage.accounts) do total = total + a.balance end
    return column {
      toolbar { "Pennywise", subtitle = MONTHS[storage.month + 1],
        actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      text { "All: " .. money(total), id = "total", size = "large" },
      list { id = "accounts", items = storage.accounts, empty = text { "No accounts", id = "empty" },
        row = function(a) return row { id = "account_row", text { a.name, id = "name", weight = 1 }, text { money(a.balance), id = "balance" } } end,
        on_item_click = function(_, a) self:start("Account", { id = a.id }) end },
      button { "New account", id = "new_account", on_click = function() self:start("EditAccount") end },
      fab { id = "add", desc = "New entry", on_click = function() self:start("Edit", { account = 1 }) end },
    }
  end,
}

activity "Account" {
  menu = function(self)
    local a = account_of(self.intent.id)
    if not a then return {} end
    return { { "Rename", id = "rename", on_click = function() self:start("EditAccount", { id = a.id }) end } }
  end,

  view = function(self)
    local a = account_of(self.intent.id)
    if not a then return gone("Account") end
    local entries = filter(storage.entries, function(e) return e.account == a.id end)
    return column {
      toolbar { a.name, up = true, subtitle = money(a.balance) },
      text { #entries == 1 and "1 entry" or #entries .. " entries", id = "count", size = "small" },
      list { id = "entries", items = entries, empty = text { "No entries", id = "empty" }, row = function(e) return entry_row(e) end,
        on_item_click = function(_, e) self:start("Entry", { id = e.id }) end },
      fab { id = "add", desc = "New entry", on_click = function() self:start("Edit", { account = a.id }) end },
    }
  end,
}

activity "EditAccount" {
  view = function(self)
    local a = self.intent.id and account_of(self.intent.id)
    return column {
      toolbar { a and "Rename account" or "New account", up = true },
      field { id = "account_name", hint = "Name", max = 20, text = a and a.name or "" },
      not a and field { id = "opening", hint = "Opening balance", input = "decimal", max = 9 },
      button { "Save", id = "save", on_click = function()
        local name = trim(self:text("account_name"))
        if name == "" then return toast("Name it") end
        local other = find(storage.accounts, function(x) return x.name:lower() == name:lower() and x ~= a end)
        if other then return toast("There is one already") end
        if a then
          a.name = name
        elseif #storage.accounts >= 10 then
          return toast("Too many accounts")
        else
          table.insert(storage.accounts, { id = new_id(), name = name, balance = cents_of(self:text("opening")) or 0 })
        end
        self:finish()
      end },
    }
  end,
}

activity "Entry" {
  menu = function(self)
    local e = entry_of(self.intent.id)
    if not e or e.transfer then return {} end
    return { { "Save as template", id = "as_template", on_click = function() self:ask_template(e) end } }
  end,

  ask_template = function(self, e)
    self:dialog { title = "Template", view = function() return column { field { id = "template_name", hint = "Name", max = 20, text = e.note } } end,
      cancel = "Cancel", ok = "Save", on_ok = function()
        local name = trim(self:text("template_name"))
        if name == "" or #storage.templates >= 15 then return toast("Not saved") end
        table.insert(storage.templates, { id = new_id(), name = name, income = e.amount > 0, amount = math.abs(e.amount),
          category = e.category, account = e.account })
        toast("Saved")
      end }
  end,

  ask_delete = function(self, e)
    self:dialog { title = "Delete this entry?", message = e.transfer and "Both sides of the transfer are deleted" or nil, cancel = "Cancel", ok = "Delete",
      on_ok = function()
        delete_entry(e)
        self:finish()
      end }
  end,

  view = function(self)
    local e = entry_of(self.intent.id)
    if not e then return gone("Entry") end
    local a = account_of(e.account)
    return column {
      toolbar { e.note ~= "" and e.note or what(e), up = true },
      text { money(e.amount), id = "amount", size = "large" },
      text { "Category: " .. what(e), id = "category" },
      text { "Account: " .. (a and a.name or "?"), id = "account" },
      text { "Month: " .. MONTHS[e.month + 1], id = "month" },
      row {
        button { "Edit", id = "edit", enabled = not e.transfer, on_click = function() self:start("Edit", { id = e.id }) end },
        button { "Delete", id = "delete", on_click = function() self:ask_delete(e) end },
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local e = intent.id and entry_of(intent.id)
    local t = intent.template and by_id(storage.templates, intent.template)
    if saved then
      self.draft = saved.draft
    elseif e then
      self.draft = { income = e.amount > 0, category = e.category, account = e.account }
    elseif t then
      self.draft = { income = t.income, category = t.category, account = t.account }
      if bug("template_kind") then self.draft.income = false end
    else
      self.draft = { income = false, category = storage.categories[1].id, account = intent.account or storage.accounts[1].id }
    end
    if e then
      self.first = { amount = plain(math.abs(e.amount)), note = e.note }
    else
      self.first = { amount = t and plain(t.amount) or "", note = t and t.name or "" }
    end
    self.first.income, self.first.category, self.first.account = self.draft.income, self.draft.category, self.draft.account
    if saved then self.first = saved.first end
  end,
  save = function(self, out) out.draft, out.first = self.draft, self.first end,

  changed = function(self)
    local f, d = self.first, self.draft
    if bug("asks_without_change") then
      local e = self.intent.id and entry_of(self.intent.id)
      if e and tonumber(self:text("amount")) ~= e.amount / 100 then return true end
    end
    return self:text("amount") ~= f.amount or self:text("note") ~= f.note or d.income ~= f.income
      or d.category ~= f.category or d.account ~= f.account
  end,

  leave = function(self)
    if not self:changed() then return self:finish() end
    self:dialog { title = "Discard the changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
  end,

  back = function(self)
    self:leave()
    return true
  end,

  store = function(self)
    local cents, d = cents_of(self:text("amount")), self.draft
    if not cents then return toast("Enter an amount") end
    if not category_of(d.category) then d.category = OTHER end
    local note = trim(self:text("note"))
    local amount = d.income and cents or -cents
    local e = self.intent.id and entry_of(self.intent.id)
    if e then
      if not bug("edit_counts_twice") then book(e, -1) end
      e.amount, e.category, e.account, e.note = amount, d.category, d.account, note
      book(e, 1)
    else
      add_entry { account = d.account, category = d.category, amount = amount, note = note, month = storage.month }
    end
    self:finish()
  end,

  view = function(self)
    if self.intent.id and not entry_of(self.intent.id) then return column { toolbar { "Edit entry" }, text { "Not there any more", id = "gone" } } end
    local d = self.draft
    if not category_of(d.category) then d = copy(d) d.category = OTHER end
    local f = self.first
    return column {
      toolbar { self.intent.id and "Edit entry" or "New entry", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        radios { id = "kind", items = { "Expense", "Income" }, selected = d.income and 2 or 1, on_change = function(i) self.draft.income = i == 2 end },
        field { id = "amount", hint = "Amount", input = "decimal", max = 9, text = f.amount },
        field { id = "note", hint = "Note", max = 30, text = f.note },
        text "Category",
        spinner { id = "category", items = names(storage.categories), selected = position(storage.categories, d.category),
          on_change = function(i) self.draft.category = storage.categories[i].id end },
        text "Account",
        spinner { id = "account", items = names(storage.accounts), selected = position(storage.accounts, d.account),
          on_change = function(i) self.draft.account = storage.accounts[i].id end },
      },
    }
  end,
}

activity "Transfer" {
  create = function(self, intent, saved)
    self.from = saved and saved.from or 1
    self.to = saved and saved.to or 2
  end,
  save = function(self, out) out.from, out.to = self.from, self.to end,

  store = function(self)
    local cents = cents_of(self:text("amount"))
    if not cents then return toast("Enter an amount") end
    if self.from == self.to then return toast("Choose two accounts") end
    local out = add_entry { account = storage.accounts[self.from].id, amount = -cents, note = "Transfer", month = storage.month }
    local into = add_entry { account = storage.accounts[self.to].id, amount = cents, note = "Transfer", month = storage.month }
    out.transfer, into.transfer = into.id, out.id
    self:finish()
  end,

  view = function(self)
    local accounts = names(storage.accounts)
    return column {
      toolbar { "Transfer", up = true },
      text "From",
      spinner { id = "from", items = accounts, selected = self.from, on_change = function(i) self.from = i end },
      text "To",
      spinner { id = "to", items = accounts, selected = self.to, on_change = function(i) self.to = i end },
      button { "Swap", id = "swap", on_click = function() self.from, self.to = self.to, self.from end },
      field { id = "amount", hint = "Amount", input = "decimal", max = 9 },
      button { "Transfer", id = "save", on_click = function() self:store() end },
    }
  end,
}

activity "Report" {
  create = function(self, intent, saved)
    self.month = saved and not bug("month_lost") and saved.month or storage.month
    self.tab = saved and saved.tab or 1
  end,
  save = function(self, out) out.month, out.tab = self.month, self.tab end,

  rows = function(self)
    local rows, sum = {}, 0
    local wanted = self.tab == 1 and -1 or 1
    for _, c in ipairs(storage.categories) do
      local part = 0
      for _, e in ipairs(storage.entries) do
        if e.category == c.id and e.month == self.month and e.amount * wanted > 0 then part = part + math.abs(e.amount) end
      end
      if part > 0 then table.insert(rows, { name = c.name, id = c.id, sum = part }) end
    end
    for _, e in ipairs(storage.entries) do
      if e.month == self.month and e.amount * wanted > 0 and (bug("report_transfers") or not e.transfer) then
        sum = sum + math.abs(e.amount)
      end
    end
    table.sort(rows, function(a, b) return a.sum > b.sum end)
    return rows, sum
  end,

  view = function(self)
    local rows, sum = self:rows()
    return column {
      toolbar { "Report", up = true, subtitle = MONTHS[self.month + 1] },
      tabs { id = "tabs", titles = { "Expenses", "Income" }, selected = self.tab, on_change = function(i) self.tab = i end },
      row {
        button { "‹", id = "before", desc = "Month before", enabled = self.month > 0, on_click = function() self.month = self.month - 1 end },
        text { MONTHS[self.month + 1], id = "month", weight = 1 },
        button { "›", id = "after", desc = "Month after", enabled = self.month < storage.month, on_click = function() self.month = self.month + 1 end },
      },
      text { "Sum: " .. money(sum), id = "sum", size = "large" },
      list { id = "rows", items = rows, empty = text { "Nothing in this month", id = "empty" },
        row = function(r) return row { id = "report_row", text { r.name, id = "name", weight = 1 }, text { money(r.sum), id = "part" } } end,
        on_item_click = function(_, r) self:start("Category", { id = r.id }) end },
    }
  end,
}

activity "Budgets" {
  ask_limit = function(self, c)
    self:dialog { title = "Limit for " .. c.name,
      view = function() return column { field { id = "limit", input = "decimal", hint = "A month", max = 8, text = c.limit and plain(c.limit) or "" } } end,
      cancel = "Cancel", ok = "Set", neutral = "No limit",
      on_ok = function()
        local cents = cents_of(self:text("limit"))
        if not cents then return toast("Enter a limit") end
        c.limit = cents
      end,
      on_neutral = function() c.limit = nil end }
  end,

  view = function(self)
    return column {
      toolbar { "Budgets", up = true, subtitle = MONTHS[storage.month + 1] },
      list { id = "budgets", items = storage.categories,
        row = function(c)
          local s = spent(c.id, storage.month)
          local state = not c.limit and "No limit" or s > c.limit and money(s - c.limit) .. " over" or money(c.limit - s) .. " left of " .. money(c.limit)
          return column { id = "budget_row", text { c.name, id = "name" }, text { state, id = "state", size = "small" } }
        end,
        on_item_click = function(_, c) self:ask_limit(c) end },
    }
  end,
}

activity "Categories" {
  taken = function(self, name, but)
    return find(storage.categories, function(c) return c ~= but and c.name:lower() == name:lower() end) ~= nil
  end,

  ask_name = function(self, c)
    self:dialog { title = c and "Rename category" or "New category",
      view = function() return column { field { id = "category_name", hint = "Name", max = 20, text = c and c.name or "" } } end,
      cancel = "Cancel", ok = "OK", on_ok = function()
        local name = trim(self:text("category_name"))
        if name == "" or self:taken(name, c) then return toast("Choose another name") end
        if c then
          c.name = name
        elseif #storage.categories < 15 then
          table.insert(storage.categories, { id = new_id(), name = name })
        end
      end }
  end,

  ask_delete = function(self, c)
    if c.id == OTHER then return toast("This one stays") end
    self:dialog { title = "Delete " .. c.name .. "?", message = "Its entries go to " .. category_of(OTHER).name, cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local i = index_of(storage.categories, c)
        if not i then return end
        table.remove(storage.categories, i)
        local lists = { storage.templates, not bug("orphaned_entries") and storage.entries or {} }
        for _, list in ipairs(lists) do
          for _, e in ipairs(list) do
            if e.category == c.id then e.category = OTHER end
          end
        end
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Categories", up = true },
      list { id = "categories", items = storage.categories,
        row = function(c)
          local n = #filter(storage.entries, function(e) return e.category == c.id end)
          return row { id = "category_row", text { c.name, id = "name", weight = 1 }, text { n == 1 and "1 entry" or n .. " entries", id = "count", size = "small" } }
        end,
        on_item_click = function(_, c) self:start("Category", { id = c.id }) end,
        on_item_long_click = function(_, c)
          self:popup {
            { "Rename", id = "rename", on_click = function() self:ask_name(c) end },
            { "Delete", id = "delete", on_click = function() self:ask_delete(c) end },
          }
        end },
      fab { id = "add", desc = "New category", on_click = function() self:ask_name() end },
    }
  end,
}

activity "Category" {
  view = function(self)
    local c = category_of(self.intent.id)
    if not c then return gone("Category") end
    local entries = filter(storage.entries, function(e) return e.category == c.id end)
    return column {
      toolbar { c.name, up = true, subtitle = #entries == 1 and "1 entry" or #entries .. " entries" },
      list { id = "entries", items = entries, empty = text { "No entries", id = "empty" }, row = function(e) return entry_row(e) end,
        on_item_click = function(_, e) self:start("Entry", { id = e.id }) end },
    }
  end,
}

activity "Templates" {
  view = function(self)
    return column {
      toolbar { "Templates", up = true },
      list { id = "templates", items = storage.templates, empty = text { "Save an entry as a template", id = "empty" },
        row = function(t)
          return row { id = "template_row", text { t.name, id = "name", weight = 1 }, text { money(t.income and t.amount or -t.amount), id = "amount" } }
        end,
        on_item_click = function(_, t) self:start("Edit", { template = t.id }) end,
        on_item_long_click = function(i, t)
          self:dialog { title = "Delete " .. t.name .. "?", cancel = "Cancel", ok = "Delete", on_ok = function()
            storage.templates = filter(storage.templates, function(x) return x.id ~= t.id end)
          end }
        end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,

  view = function(self)
    local q = trim(self.query):lower()
    local found = q == "" and {} or filter(storage.entries, function(e)
      return contains(e.note:lower(), q) or contains(what(e):lower(), q)
    end)
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Note or category", max = 30, on_change = function(s) self.query = s end },
      text { #found .. " found", id = "found", size = "small" },
      list { id = "results", items = found, row = function(e) return entry_row(e, bug("hidden_in_search")) end,
        on_item_click = function(_, e) self:start("Entry", { id = e.id }) end },
    }
  end,
}

activity "Settings" {
  ask_month = function(self)
    if storage.month >= #MONTHS - 1 then return toast("The book is full") end
    self:dialog { title = "Begin " .. MONTHS[storage.month + 2] .. "?", message = "New entries go there", cancel = "Cancel", ok = "Begin",
      on_ok = function() storage.month = storage.month + 1 end }
  end,

  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text "Currency",
      radios { id = "currency", items = SIGNS, selected = prefs.currency, on_change = function(i) prefs.currency = i end },
      switch { "Hide amounts", id = "hide", checked = prefs.hide, on_change = function(b) prefs.hide = b end },
      switch { "Show cents", id = "cents", checked = prefs.cents, on_change = function(b) prefs.cents = b end },
      button { "Begin a new month", id = "new_month", on_click = function() self:ask_month() end },
    }
  end,
}
