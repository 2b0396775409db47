-- Pocket Ledger: accounts and their transactions, transfers, budgets, scheduled payments, reports, reconciliation.
--
-- A transaction: { id, kind = 1 (expense), 2 (income) or 3 (transfer), account, to (transfers only), amount (cents, above zero), payee,
-- category = id or nil, day (counted from 1970), note, cleared }. A scheduled one has `next` and `of_month` instead of `day`.

app {
  package = "org.norn.ledger",
  title = "Pocket Ledger",
  main = "Accounts",
  bugs = { "transfer_spent", "balance_by_entry", "budget_total_month", "merge_forgets_scheduled", "small_negative", "ticks_rotated", "month_of_30_days",
    "excluded_in_worth" },
  application = function()
    if storage.accounts then return end
    local today = now() // 86400000
    storage.next_id = 200
    storage.accounts = {
      { id = 1, name = "Checking", type = 1, opening = 120000, counted = true }, { id = 2, name = "Savings", type = 2, opening = 500000, counted = true },
      { id = 3, name = "Wallet", type = 3, opening = 4000, counted = true }, { id = 4, name = "Club cash box", type = 3, opening = 21500, counted = true },
    }
    storage.categories = {
      { id = 11, name = "Groceries", kind = 1, budget = 30000 }, { id = 12, name = "Rent", kind = 1, budget = 80000 },
      { id = 13, name = "Eating out", kind = 1, budget = 10000 }, { id = 14, name = "Transport", kind = 1, budget = 0 },
      { id = 15, name = "Salary", kind = 2, budget = 0 }, { id = 16, name = "Interest", kind = 2, budget = 0 },
    }
    storage.transactions = {}
    local function add(days_ago, kind, account, amount, payee, category, cleared, to)
      table.insert(storage.transactions, { id = 100 + #storage.transactions, kind = kind, account = account, to = to, amount = amount, payee = payee,
        category = category, day = today - days_ago, note = "", cleared = cleared })
    end
    add(35, 2, 1, 210000, "Acme Ltd", 15, true)
    add(33, 1, 1, 80000, "Landlord", 12, true)
    add(20, 1, 1, 6480, "Green Market", 11, true)
    add(15, 3, 1, 30000, "To savings", nil, true, 2)
    add(12, 3, 1, 10000, "Cash machine", nil, true, 3)
    add(9, 1, 3, 2350, "Trattoria", 13, false)
    add(5, 1, 1, 5215, "Green Market", 11, false)
    add(4, 2, 1, 210000, "Acme Ltd", 15, true)
    add(2, 1, 3, 380, "City buses", 14, false)
    add(1, 1, 1, 80000, "Landlord", 12, false)
    add(0, 1, 3, 1140, "Bakery", 11, false)
    storage.scheduled = {
      { id = 51, kind = 1, account = 1, amount = 80000, payee = "Landlord", category = 12, note = "", next = today + 30, of_month = 31 },
      { id = 52, kind = 1, account = 1, amount = 2490, payee = "Train pass", category = 14, note = "", next = today + 4, of_month = 5 },
      { id = 53, kind = 3, account = 1, to = 2, amount = 30000, payee = "To savings", note = "", next = today + 14, of_month = 15 },
    }
    prefs.currency, prefs.symbol_after, prefs.account = 1, false, 1
  end,
}

local KINDS = { "Expense", "Income", "Transfer" }
local TYPES = { "Bank account", "Savings account", "Cash", "Credit card" }
local CURRENCIES = { "$", "€", "£" }
local MAX = 300

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function account_of(id) return by_id(storage.accounts, id) end
local function category_of(id) return by_id(storage.categories, id) end
local function transaction_of(id) return by_id(storage.transactions, id) end
local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end
local function counted(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function money(cents)
  local units = cents < 0 and -(-cents // 100) or cents // 100
  local minus = (bug("small_negative") and units or cents) < 0 and "-" or ""
  local number = format("%d.%02d", math.abs(units), math.abs(cents) % 100)
  local symbol = CURRENCIES[prefs.currency]
  return prefs.symbol_after and minus .. number .. " " .. symbol or minus .. symbol .. number
end
-- Cents, or nil where it is no amount.
local function parse_amount(s)
  s = trim(s):gsub(",", ".")
  return s:match("^%-?%d+%.?%d*$") and math.floor(tonumber(s) * 100 + 0.5) or nil
end
-- Days and months; a month is the number of months since the year 0.
local function today() return now() // 86400000 end
local function day_name(day) return date(day * 86400000, "%d %b %Y") end
local function month_of(day) return tonumber(date(day * 86400000, "%Y")) * 12 + tonumber(date(day * 86400000, "%m")) - 1 end
local function month_begin(month)
  local year, m = month // 12, month % 12 + 1
  if m <= 2 then year = year - 1 end
  local before = (153 * (m + (m > 2 and -3 or 9)) + 2) // 5
  return year * 365 + year // 4 - year // 100 + year // 400 + before - 719468
end
local function month_name(month) return date(month_begin(month) * 86400000, "%b %Y") end
local function day_in(month, of_month) return month_begin(month) + math.min(of_month, month_begin(month + 1) - month_begin(month)) - 1 end

local function touches(t, account) return t.account == account.id or t.to == account.id end
-- What a transaction does to an account's balance.
local function effect(t, account)
  if t.kind == 2 then return t.account == account.id and t.amount or 0 end
  return (t.account == account.id and -t.amount or 0) + (t.to == account.id and t.amount or 0)
end
local function balance(account, which)
  local sum = account.opening
  for _, t in ipairs(storage.transactions) do
    if not which or which(t) then sum = sum + effect(t, account) end
  end
  return sum
end
local function cleared(t) return t.cleared end
local function newest_first(transactions)
  local result = copy(transactions)
  table.sort(result, function(a, b) return a.day > b.day or a.day == b.day and a.id > b.id end)
  return result
end
local function reversed(list) return each(list, function(_, i) return list[#list + 1 - i] end) end
local function add_transaction(t)
  if #storage.transactions >= MAX then toast("The ledger is full") return end
  t.id = new_id()
  table.insert(storage.transactions, t)
end
local function category_name(t)
  if t.kind == 3 then return "Transfer" end
  local category = category_of(t.category)
  return category and category.name or "Uncategorised"
end
local function accounts_name(t)
  local name = account_of(t.account).name
  return t.kind == 3 and name .. " → " .. account_of(t.to).name or name
end
local function payee(t) return t.payee ~= "" and t.payee or "(no payee)" end

-- Accounts ---------------------------------------------------------------------------------------------------

activity "Accounts" {
  delete = function(self, account)
    local used = find(storage.transactions, function(t) return touches(t, account) end) or find(storage.scheduled, function(t) return touches(t, account) end)
    if used then return toast("This account has transactions") end
    self:dialog { title = "Delete " .. account.name .. "?", cancel = "Cancel", ok = "Delete", on_ok = function() forget(storage.accounts, account) end }
  end,
  ask = function(self, account)
    self:popup {
      { "Edit", id = "edit", on_click = function() self:start("EditAccount", { id = account.id }) end },
      { "Delete", id = "delete", on_click = function() self:delete(account) end },
    }
  end,
  menu = function(self)
    local function page(label, id, name) return { label, id = id, on_click = function() self:start(name) end } end
    return { page("New account", "new_account", "EditAccount"), page("Budget", "budget", "Budget"), page("Reports", "reports", "Reports"),
      page("Scheduled", "scheduled", "Scheduled"), page("Categories", "categories", "Categories"), page("Settings", "settings", "Settings") }
  end,
  view = function(self)
    local total = 0
    for _, a in ipairs(storage.accounts) do if a.counted then total = total + balance(a) end end
    return column {
      toolbar { "Pocket Ledger", actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      text { "Net worth " .. money(total), id = "total", size = "large" },
      list { id = "accounts", items = storage.accounts, empty = text { "No accounts yet", id = "empty" },
        row = function(a)
          return row { id = "account_row",
            column { weight = 1, text { a.name, id = "name" }, text { TYPES[a.type] .. (a.counted and "" or " · not in net worth"), id = "type", size = "small" } },
            text { money(balance(a)), id = "balance" } }
        end,
        on_item_click = function(_, a) self:start("Account", { id = a.id }) end,
        on_item_long_click = function(_, a) self:ask(a) end },
      fab { id = "add", desc = "New transaction", on_click = function()
        if #storage.accounts == 0 then return toast("Make an account first") end
        self:start("EditTransaction", { account = account_of(prefs.account) and prefs.account or storage.accounts[1].id })
      end },
    }
  end,
}

activity "Account" {
  create = function(self, intent, saved) self.uncleared = saved and saved.uncleared or false end,
  save = function(self, out) out.uncleared = self.uncleared end,
  resume = function(self) if not account_of(self.intent.id) then self:finish() end end,
  -- Newest first, each with the balance after it.
  rows = function(self, account)
    local sum, after = account.opening, {}
    local mine = filter(storage.transactions, function(t) return touches(t, account) end)
    for _, t in ipairs(bug("balance_by_entry") and mine or reversed(newest_first(mine))) do
      sum = sum + effect(t, account)
      after[t.id] = sum
    end
    local shown = newest_first(filter(mine, function(t) return not (self.uncleared and t.cleared) end))
    return each(shown, function(t) return { t = t, after = after[t.id] } end)
  end,
  delete = function(self, t)
    forget(storage.transactions, t)
    self:snackbar("Transaction deleted", "Undo", function()
      if not account_of(t.account) or t.to and not account_of(t.to) then return end
      local at = #storage.transactions + 1
      while at > 1 and storage.transactions[at - 1].id > t.id do at = at - 1 end
      if t.category and not category_of(t.category) then t.category = nil end
      table.insert(storage.transactions, at, t)
    end)
  end,
  ask = function(self, t)
    self:popup {
      { t.cleared and "Mark uncleared" or "Mark cleared", id = "clear", on_click = function() t.cleared = not t.cleared end },
      { "Delete", id = "delete", on_click = function() self:delete(t) end },
    }
  end,
  view = function(self)
    local account = account_of(self.intent.id)
    if not account then return column { toolbar { "Account", up = true } } end
    local rows = self:rows(account)
    return column {
      toolbar { "Account", up = true, actions = { { "Reconcile", id = "reconcile", on_click = function() self:start("Reconcile", { id = account.id }) end },
        { "Edit", id = "edit", on_click = function() self:start("EditAccount", { id = account.id }) end } } },
      text { account.name .. ": " .. money(balance(account)), id = "balance", size = "large" },
      text { "Cleared " .. money(balance(account, cleared)), id = "cleared", size = "small" },
      check { "Uncleared only", id = "uncleared", checked = self.uncleared, on_change = function(b) self.uncleared = b end },
      list { id = "transactions", items = rows, empty = text { "No transactions", id = "empty" },
        row = function(r)
          return row { id = "transaction_row",
            column { weight = 1, text { (r.t.cleared and "✓ " or "") .. payee(r.t), id = "payee" },
              text { day_name(r.t.day) .. " · " .. category_name(r.t), id = "details", size = "small" } },
            column { text { money(effect(r.t, account)), id = "amount" }, text { money(r.after), id = "after", size = "small" } } }
        end,
        on_item_click = function(_, r) self:start("EditTransaction", { id = r.t.id }) end,
        on_item_long_click = function(_, r) self:ask(r.t) end,
        on_item_swipe = function(i, direction) if direction == "left" then self:delete(rows[i].t) end end },
      fab { id = "add", desc = "New transaction", on_click = function() self:start("EditTransaction", { account = account.id }) end },
    }
  end,
}

activity "EditAccount" {
  create = function(self, intent, saved)
    local a = account_of(intent.id)
    self.first = { name = a and a.name or "", opening = a and format("%.2f", a.opening / 100) or "0" }
    local from = saved or a or { type = 1, counted = true }
    self.type, self.counted = from.type, from.counted
  end,
  save = function(self, out) out.type, out.counted = self.type, self.counted end,
  resume = function(self) if self.intent.id and not account_of(self.intent.id) then self:finish() end end,
  store = function(self)
    local name, opening = trim(self:text("name")), parse_amount(self:text("opening"))
    local account = account_of(self.intent.id)
    if name == "" then return toast("An account needs a name") end
    if find(storage.accounts, function(a) return a ~= account and a.name:lower() == name:lower() end) then return toast("There is such an account") end
    if not opening then return toast("What was on it at first?") end
    if not account then
      if #storage.accounts >= 20 then return toast("Too many accounts") end
      account = { id = new_id() }
      table.insert(storage.accounts, account)
    end
    account.name, account.opening, account.type, account.counted = name, opening, self.type, self.counted
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { self.intent.id and "Edit account" or "New account", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { id = "form",
        field { id = "name", hint = "Name", text = self.first.name, max = 20 },
        spinner { id = "type", items = TYPES, selected = self.type, on_change = function(i) self.type = i end },
        field { id = "opening", hint = "Opening balance", text = self.first.opening, max = 10 },
        check { "Count in net worth", id = "counted", checked = self.counted, on_change = function(b) self.counted = b end },
      },
    }
  end,
}

-- Compares an account with the bank's statement: what is on it is ticked until nothing is left between them.
activity "Reconcile" {
  create = function(self, intent, saved)
    self.statement, self.ticked = saved and saved.statement or "", {}
    if saved and not bug("ticks_rotated") then self.ticked = saved.ticked end
  end,
  save = function(self, out) out.statement, out.ticked = self.statement, self.ticked end,
  resume = function(self) if not account_of(self.intent.id) then self:finish() end end,
  toggle = function(self, t)
    if index_of(self.ticked, t.id) then forget(self.ticked, t.id) else table.insert(self.ticked, t.id) end
  end,
  difference = function(self, account)
    local statement = parse_amount(self.statement)
    return statement and statement - balance(account, function(t) return t.cleared or index_of(self.ticked, t.id) ~= nil end)
  end,
  done = function(self, account)
    if self:difference(account) ~= 0 then return toast("There is still a difference") end
    for _, id in ipairs(self.ticked) do transaction_of(id).cleared = true end
    self:finish()
  end,
  view = function(self)
    local account = account_of(self.intent.id)
    if not account then return column { toolbar { "Reconcile", up = true } } end
    local difference = self:difference(account)
    return column {
      toolbar { "Reconcile", up = true, actions = { { "Done", id = "done", on_click = function() self:done(account) end } } },
      field { id = "statement", hint = "Balance on the statement", max = 10, on_change = function(s) self.statement = s end },
      text { "Ticked " .. #self.ticked .. " · difference " .. (difference and money(difference) or "–"), id = "difference" },
      list { id = "open", items = newest_first(filter(storage.transactions, function(t) return touches(t, account) and not t.cleared end)),
        empty = text { "Everything is cleared", id = "empty" },
        row = function(t)
          return row { id = "open_row", text { (index_of(self.ticked, t.id) and "☑ " or "☐ ") .. payee(t), id = "payee", weight = 1 }, text { money(effect(t, account)), id = "amount" } }
        end,
        on_item_click = function(_, t) self:toggle(t) end },
    }
  end,
}

-- Transactions -----------------------------------------------------------------------------------------------

activity "EditTransaction" {
  create = function(self, intent, saved)
    local t = transaction_of(intent.id)
    self.first = { amount = t and format("%.2f", t.amount / 100) or "", payee = t and t.payee or "", note = t and t.note or "" }
    local from = saved or t or { kind = 1, account = intent.account, day = today(), cleared = false }
    self.kind, self.account, self.to, self.category = from.kind, from.account, from.to, from.category
    self.day, self.cleared, self.monthly = from.day, from.cleared, saved and saved.monthly or false
  end,
  save = function(self, out)
    out.kind, out.account, out.to, out.category = self.kind, self.account, self.to, self.category
    out.day, out.cleared, out.monthly = self.day, self.cleared, self.monthly
  end,
  resume = function(self) if self.intent.id and not transaction_of(self.intent.id) then self:finish() end end,
  set_kind = function(self, kind)
    if kind ~= self.kind then self.category = nil end
    self.kind = kind
  end,
  choose_account = function(self, key)
    local _, at = find(storage.accounts, function(a) return a.id == self[key] end)
    self:dialog { title = key == "to" and "To which account?" or "Account", items = each(storage.accounts, function(a) return a.name end), checked = at, cancel = "Cancel",
      on_item = function(i) self[key] = storage.accounts[i].id end }
  end,
  choose_category = function(self)
    local fitting = filter(storage.categories, function(c) return c.kind == self.kind end)
    local items, at = { "Uncategorised" }, 1
    for i, c in ipairs(fitting) do
      items[i + 1] = c.name
      if c.id == self.category then at = i + 1 end
    end
    self:dialog { title = "Category", items = items, checked = at, cancel = "Cancel", on_item = function(i) self.category = i > 1 and fitting[i - 1].id or nil end }
  end,
  store = function(self)
    local amount = parse_amount(self:text("amount"))
    if not amount or amount <= 0 then return toast("How much?") end
    if not account_of(self.account) then return toast("Choose an account") end
    local transfer = self.kind == 3
    if transfer and (not account_of(self.to) or self.to == self.account) then return toast("Choose another account to transfer to") end
    local record = { kind = self.kind, account = self.account, amount = amount, payee = trim(self:text("payee")), note = trim(self:text("note")), day = self.day, cleared = self.cleared }
    if transfer then record.to = self.to else record.category = self.category end
    local old = transaction_of(self.intent.id)
    if old then
      record.id = old.id
      storage.transactions[index_of(storage.transactions, old)] = record
    else
      add_transaction(record)
      if self.monthly then self:schedule(record) end
    end
    self:finish()
  end,
  schedule = function(self, t)
    local of_month = tonumber(date(t.day * 86400000, "%d"))
    table.insert(storage.scheduled, { id = new_id(), kind = t.kind, account = t.account, to = t.to, amount = t.amount, payee = t.payee, category = t.category,
      note = t.note, next = day_in(month_of(t.day) + 1, of_month), of_month = of_month })
  end,
  ask_delete = function(self)
    self:dialog { title = "Delete this transaction?", cancel = "Cancel", ok = "Delete",
      on_ok = function() forget(storage.transactions, transaction_of(self.intent.id)) self:finish() end }
  end,
  view = function(self)
    local old = transaction_of(self.intent.id)
    local actions = { { "Save", id = "save", on_click = function() self:store() end } }
    if old then table.insert(actions, { "Delete", id = "delete", on_click = function() self:ask_delete() end }) end
    local account, to = account_of(self.account), account_of(self.to)
    return column {
      toolbar { old and "Edit" or "New transaction", up = true, actions = actions },
      scroll { id = "form",
        spinner { id = "kind", items = KINDS, selected = self.kind, on_change = function(i) self:set_kind(i) end },
        field { id = "amount", hint = "Amount", text = self.first.amount, input = "decimal", max = 9 },
        field { id = "payee", hint = "Payee", text = self.first.payee, max = 30 },
        button { (self.kind == 3 and "From: " or "Account: ") .. (account and account.name or "choose"), id = "account", on_click = function() self:choose_account("account") end },
        self.kind == 3 and button { "To: " .. (to and to.name or "choose"), id = "to", on_click = function() self:choose_account("to") end },
        self.kind ~= 3 and button { "Category: " .. category_name(self), id = "category", on_click = function() self:choose_category() end },
        row { button { "◀", id = "day_before", desc = "Day before", on_click = function() self.day = self.day - 1 end },
          text { day_name(self.day), id = "date", weight = 1 },
          button { "▶", id = "day_after", desc = "Day after", on_click = function() self.day = self.day + 1 end } },
        field { id = "note", hint = "Note", text = self.first.note, max = 60 },
        check { "Cleared", id = "cleared", checked = self.cleared, on_change = function(b) self.cleared = b end },
        not old and check { "Repeat every month", id = "monthly", checked = self.monthly, on_change = function(b) self.monthly = b end },
      },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  view = function(self)
    local query = trim(self.query):lower()
    local results = query == "" and {} or newest_first(filter(storage.transactions, function(t)
      return contains((t.payee .. "\n" .. t.note .. "\n" .. category_name(t) .. "\n" .. accounts_name(t)):lower(), query)
    end))
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Payee, note, category", max = 30, on_change = function(s) self.query = s end },
      list { id = "results", items = results, empty = text { query == "" and "Type to search" or "Nothing found", id = "empty" },
        row = function(t)
          return column { id = "result_row", text { payee(t) .. " · " .. money(t.kind == 1 and -t.amount or t.amount), id = "payee" },
            text { day_name(t.day) .. " · " .. accounts_name(t), id = "details", size = "small" } }
        end,
        on_item_click = function(_, t) self:start("EditTransaction", { id = t.id }) end },
    }
  end,
}

activity "Scheduled" {
  next_one = function(self, s)
    s.next = bug("month_of_30_days") and s.next + 30 or day_in(month_of(s.next) + 1, s.of_month)
  end,
  post = function(self, s)
    add_transaction { kind = s.kind, account = s.account, to = s.to, amount = s.amount, payee = s.payee, category = s.category, note = s.note, day = s.next, cleared = false }
    toast("Entered for " .. day_name(s.next))
    self:next_one(s)
  end,
  ask = function(self, s)
    self:popup {
      { "Enter now", id = "post", on_click = function() self:post(s) end },
      { "Skip once", id = "skip", on_click = function() self:next_one(s) end },
      { "Delete", id = "delete", on_click = function() forget(storage.scheduled, s) end },
    }
  end,
  view = function(self)
    local due = copy(storage.scheduled)
    table.sort(due, function(a, b) return a.next < b.next end)
    return column {
      toolbar { "Scheduled", up = true },
      list { id = "scheduled", items = due, empty = text { "Nothing is scheduled", id = "empty" },
        row = function(s)
          return column { id = "scheduled_row", text { payee(s) .. " · " .. money(s.kind == 1 and -s.amount or s.amount), id = "payee" },
            text { "Next " .. day_name(s.next) .. " · " .. category_name(s) .. " · " .. accounts_name(s), id = "details", size = "small" } }
        end,
        on_item_click = function(_, s) self:ask(s) end },
    }
  end,
}

-- Categories, budget, reports, settings ----------------------------------------------------------------------

local function merge(from, into)
  for _, t in ipairs(storage.transactions) do if t.category == from.id then t.category = into and into.id end end
  for _, s in ipairs(bug("merge_forgets_scheduled") and {} or storage.scheduled) do if s.category == from.id then s.category = into and into.id end end
  forget(storage.categories, from)
end

activity "Categories" {
  ask_merge = function(self, category)
    local others = filter(storage.categories, function(c) return c.kind == category.kind and c ~= category end)
    if #others == 0 then return toast("There is no other one") end
    self:dialog { title = "Merge " .. category.name .. " into", items = each(others, function(c) return c.name end), cancel = "Cancel",
      on_item = function(i) merge(category, others[i]) end }
  end,
  ask = function(self, category)
    self:popup {
      { "Merge into", id = "merge", on_click = function() self:ask_merge(category) end },
      { "Delete", id = "delete", on_click = function()
        self:dialog { title = "Delete " .. category.name .. "?", message = "Its transactions become uncategorised.", cancel = "Cancel", ok = "Delete", on_ok = function() merge(category) end }
      end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Categories", up = true },
      list { id = "categories", items = storage.categories, empty = text { "No categories", id = "empty" },
        row = function(c)
          local n = #filter(storage.transactions, function(t) return t.category == c.id end)
          return column { id = "category_row", text { c.name, id = "name" }, text { KINDS[c.kind] .. " · " .. counted(n, "transaction"), id = "details", size = "small" } }
        end,
        on_item_click = function(_, c) self:start("EditCategory", { id = c.id }) end,
        on_item_long_click = function(_, c) self:ask(c) end },
      fab { id = "add", desc = "New category", on_click = function() self:start("EditCategory") end },
    }
  end,
}

activity "EditCategory" {
  create = function(self, intent, saved)
    local c = category_of(intent.id)
    self.first = { name = c and c.name or "", budget = c and c.budget > 0 and format("%.2f", c.budget / 100) or "" }
    self.kind = saved and saved.kind or c and c.kind or 1
  end,
  save = function(self, out) out.kind = self.kind end,
  resume = function(self) if self.intent.id and not category_of(self.intent.id) then self:finish() end end,
  store = function(self)
    local name, budget = trim(self:text("name")), 0
    local category = category_of(self.intent.id)
    if name == "" then return toast("A category needs a name") end
    if find(storage.categories, function(c) return c ~= category and c.name:lower() == name:lower() end) then return toast("There is such a category") end
    if self.kind == 1 and trim(self:text("budget")) ~= "" then budget = parse_amount(self:text("budget")) end
    if not budget or budget < 0 then return toast("The budget is an amount") end
    if not category then
      if #storage.categories >= 30 then return toast("Too many categories") end
      category = { id = new_id(), kind = self.kind }
      table.insert(storage.categories, category)
    end
    category.name, category.budget = name, budget
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { self.intent.id and "Edit category" or "New category", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", text = self.first.name, max = 20 },
      not self.intent.id and spinner { id = "kind", items = { KINDS[1], KINDS[2] }, selected = self.kind, on_change = function(i) self.kind = i end },
      self.kind == 1 and field { id = "budget", hint = "Budget a month", text = self.first.budget, input = "decimal", max = 9 },
    }
  end,
}

local function in_month(month, fn) return filter(storage.transactions, function(t) return month_of(t.day) == month and fn(t) end) end
local function sum(transactions)
  local cents = 0
  for _, t in ipairs(transactions) do cents = cents + t.amount end
  return cents
end
local function month_row(self)
  return row { button { "◀", id = "previous", desc = "Previous month", on_click = function() self.month = self.month - 1 end },
    text { month_name(self.month), id = "month", weight = 1 },
    button { "▶", id = "next", desc = "Next month", on_click = function() self.month = self.month + 1 end } }
end

activity "Budget" {
  create = function(self, intent, saved) self.month = saved and saved.month or month_of(today()) end,
  save = function(self, out) out.month = self.month end,
  spent = function(self, category, month) return sum(in_month(month, function(t) return t.kind == 1 and t.category == category.id end)) end,
  view = function(self)
    local budgeted = filter(storage.categories, function(c) return c.kind == 1 and c.budget > 0 end)
    local spent, budget = 0, 0
    for _, c in ipairs(budgeted) do
      spent = spent + self:spent(c, bug("budget_total_month") and month_of(today()) or self.month)
      budget = budget + c.budget
    end
    return column {
      toolbar { "Budget", up = true },
      month_row(self),
      text { "Spent " .. money(spent) .. " of " .. money(budget), id = "total" },
      list { id = "budgets", items = budgeted, empty = text { "No category has a budget", id = "empty" },
        row = function(c)
          local gone = self:spent(c, self.month)
          return column { id = "budget_row", row { text { c.name, id = "name", weight = 1 }, text { money(gone) .. " of " .. money(c.budget), id = "spent" } },
            text { gone > c.budget and money(gone - c.budget) .. " over" or money(c.budget - gone) .. " left", id = "left", size = "small" } }
        end,
        on_item_click = function(_, c) self:start("EditCategory", { id = c.id }) end },
    }
  end,
}

activity "Reports" {
  create = function(self, intent, saved) self.kind, self.month = saved and saved.kind or 1, saved and saved.month or month_of(today()) end,
  save = function(self, out) out.kind, out.month = self.kind, self.month end,
  rows = function(self)
    local rows = {}
    local wanted = in_month(self.month, function(t) return t.kind == self.kind or bug("transfer_spent") and self.kind == 1 and t.kind ~= 2 end)
    for _, t in ipairs(wanted) do
      local name = category_name(t)
      local row = find(rows, function(r) return r.name == name end) or { name = name, cents = 0 }
      if row.cents == 0 then table.insert(rows, row) end
      row.cents = row.cents + t.amount
    end
    table.sort(rows, function(a, b) return a.cents > b.cents or a.cents == b.cents and a.name < b.name end)
    return rows, sum(wanted)
  end,
  view = function(self)
    local rows, total = self:rows()
    local worth = 0
    for _, a in ipairs(storage.accounts) do if a.counted or bug("excluded_in_worth") then worth = worth + balance(a) end end
    return column {
      toolbar { "Reports", up = true },
      tabs { id = "kinds", titles = { "Expenses", "Income" }, selected = self.kind, on_change = function(i) self.kind = i end },
      month_row(self),
      text { "Total " .. money(total), id = "total" },
      list { id = "rows", items = rows, empty = text { "Nothing in this month", id = "empty" },
        row = function(r)
          return row { id = "report_row", text { r.name, id = "name", weight = 1 }, text { money(r.cents) .. " (" .. (100 * r.cents + total // 2) // total .. " %)", id = "amount" } }
        end },
      text { "Net worth " .. money(worth), id = "worth" },
    }
  end,
}

activity "Settings" {
  choose_account = function(self)
    local _, at = find(storage.accounts, function(a) return a.id == prefs.account end)
    self:dialog { title = "New transactions go to", items = each(storage.accounts, function(a) return a.name end), checked = at, cancel = "Cancel",
      on_item = function(i) prefs.account = storage.accounts[i].id end }
  end,
  view = function(self)
    local account = account_of(prefs.account) or storage.accounts[1]
    return column {
      toolbar { "Settings", up = true },
      scroll { id = "page",
        text "Currency",
        spinner { id = "currency", items = CURRENCIES, selected = prefs.currency, on_change = function(i) prefs.currency = i end },
        switch { "Symbol after the amount", id = "symbol_after", checked = prefs.symbol_after, on_change = function(b) prefs.symbol_after = b end },
        button { "Usual account: " .. (account and account.name or "none"), id = "usual_account", enabled = account ~= nil, on_click = function() self:choose_account() end },
        button { "About", id = "about", on_click = function() self:dialog { title = "Pocket Ledger 5.0", message = "Every cent has its place", ok = "OK" } end },
      },
    }
  end,
}
