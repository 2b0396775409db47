-- Purse: accounts, income and expenses, transfers, templates, budgets, statistics. Money is kept in cents, time in days.

local DAY = 24 * 60 * 60 * 1000
local OTHER = 1
local CURRENCIES = { "€", "$", "£" }
local SORTS = { "Newest first", "Oldest first", "Largest first" }
local PERIODS = { { "Last 7 days", 7 }, { "Last 30 days", 30 }, { "Everything", 100000 } }
local session = {}
local function today() return now() // DAY end
app {
  package = "org.late.expenses",
  title = "Purse",
  main = "Main",
  bugs = { "move_account", "half_transfer", "template_day", "cut_cents", "filtered_total", "kind_rotate", "budget_currency", "default_kill" },
  application = function()
    if storage.entries then return end
    local day = today()
    storage.accounts = { { id = 1, name = "Cash", balance = 7390 }, { id = 2, name = "Bank", balance = 197900 } }
    storage.categories = { { id = 1, name = "Other" }, { id = 2, name = "Food" }, { id = 3, name = "Home" }, { id = 4, name = "Travel" } }
    storage.entries = {
      { id = 11, day = day - 1, kind = "Expense", cents = 1250, category = 2, account = 1, payee = "Bakery", note = "" },
      { id = 12, day = day - 3, kind = "Expense", cents = 4600, category = 4, account = 2, payee = "Railway", note = "To the sea" },
      { id = 13, day = day - 8, kind = "Income", cents = 210000, category = 1, account = 2, payee = "Employer", note = "" },
      { id = 14, day = day - 12, kind = "Expense", cents = 1360, category = 2, account = 1, payee = "Market", note = "" },
      { id = 15, day = day - 40, kind = "Expense", cents = 7500, category = 3, account = 2, payee = "Plumber", note = "Sink" },
    }
    storage.templates = { { id = 16, name = "Coffee", kind = "Expense", cents = 320, category = 2, account = 1, payee = "Café", note = "" } }
    storage.budgets = { c2 = 20000 }
    storage.next_id = 30
    prefs.currency, prefs.default, prefs.sort, prefs.notes, prefs.confirm = 1, 1, 1, true, false
  end,
}
local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(rows, id) return (find(rows, function(r) return r.id == id end)) end
local function entry_of(id) return by_id(storage.entries, id) end
local function account_of(id) return by_id(storage.accounts, id) end
local function category_of(id) return by_id(storage.categories, id) or by_id(storage.categories, OTHER) end
local function names_of(rows) return each(rows, function(r) return r.name end) end
local function place_of(rows, id) return select(2, find(rows, function(r) return r.id == id end)) or 1 end
local function default_account()
  return account_of(session.default or prefs.default) and (session.default or prefs.default) or storage.accounts[1].id
end
local function money(cents, sign)
  local s = format("%d.%02d", math.abs(cents) // 100, math.abs(cents) % 100)
  return (cents < 0 and "-" or "") .. (sign or CURRENCIES[prefs.currency]) .. s
end
-- Cents out of what was typed; nil: no amount.
local function parse_money(s)
  local x = tonumber(s)
  if not x or x < 0 or x >= 1000000 then return nil end
  if bug("cut_cents") then return math.floor(x * 100) end      -- 19.99 * 100 is 1998.99...: a cent is lost (MyExpenses: rounding of amounts)
  return math.floor(x * 100 + 0.5)
end
local function amount_text(cents) return format("%d.%02d", cents // 100, cents % 100) end
local function is_transfer(e) return e.kind == "To" or e.kind == "From" end
local function signed(e) return (e.kind == "Income" or e.kind == "From") and e.cents or -e.cents end
local function book(e, sign)
  local account = account_of(e.account)
  if account then account.balance = account.balance + sign * signed(e) end
end
local function insert(e)
  if not account_of(e.account) then e.account = storage.accounts[1].id end
  table.insert(storage.entries, e)
  book(e, 1)
end
local function delete(e)
  local i = index_of(storage.entries, e)
  if not i then return end
  table.remove(storage.entries, i)
  book(e, -1)
end
local function label(e)
  if not is_transfer(e) then return e.payee ~= "" and e.payee or category_of(e.category).name end
  local other = account_of(e.other)
  return (e.kind == "To" and "Transfer to " or "Transfer from ") .. (other and other.name or "?")
end
-- Deletes an entry, of a transfer both sides; the message takes it back.
local function delete_with_undo(self, id)
  local e = entry_of(id)
  if not e then return end
  local twin = e.twin and entry_of(e.twin)
  if bug("half_transfer") then twin = nil end       -- a transfer deleted on one side only (MyExpenses: transfer peer)
  delete(e)
  if twin then delete(twin) end
  self:snackbar("Deleted", "Undo", function()
    insert(e)
    if twin then insert(twin) end
  end)
end
activity "Main" {
  create = function(self, intent, saved)
    self.account, self.category = saved and saved.account, saved and saved.category
    self.searching = saved and saved.searching or false
  end,
  save = function(self, out) out.account, out.category, out.searching = self.account, self.category, self.searching end,
  resume = function(self)
    if self.account and not account_of(self.account) then self.account = nil end
    if self.category and not by_id(storage.categories, self.category) then self.category = nil end
  end,
  result = function(self, request, data) if data and data.delete then delete_with_undo(self, data.delete) end end,
  found = function(self)
    local query = self.searching and trim(self:text("query")):lower() or ""
    return filter(storage.entries, function(e)
      return (not self.account or e.account == self.account) and contains((label(e) .. " " .. (e.note or "")):lower(), query)
    end)
  end,
  shown = function(self)
    local rows = filter(self:found(), function(e)
      return not self.category or not is_transfer(e) and category_of(e.category).id == self.category
    end)
    table.sort(rows, function(a, b)
      if prefs.sort == 3 and a.cents ~= b.cents then return a.cents > b.cents end
      if a.day ~= b.day then return (a.day < b.day) == (prefs.sort == 2) end
      return (a.id < b.id) == (prefs.sort == 2) and a.id ~= b.id
    end)
    return rows
  end,
  total = function(self, rows)
    if bug("filtered_total") then rows = self:found() end          -- the sum forgets the category filter (MyExpenses: filter and sum)
    local sum = 0
    for _, e in ipairs(rows) do sum = sum + signed(e) end
    return sum
  end,
  balance = function(self)
    local sum = 0
    for _, a in ipairs(storage.accounts) do
      if not self.account or a.id == self.account then sum = sum + a.balance end
    end
    return sum
  end,
  ask_category = function(self)
    local names = names_of(storage.categories)
    table.insert(names, 1, "All categories")
    self:dialog { title = "Show", items = names, on_item = function(i) self.category = i > 1 and storage.categories[i - 1].id or nil end }
  end,
  toggle_search = function(self)
    self.searching = not self.searching
    self:set_text("query", "")
    self:hide_keyboard()
  end,
  back = function(self)
    if self.searching then self:toggle_search() return true end
    return false
  end,
  menu = function(self)
    return {
      { "Sort", id = "sort", on_click = function()
        self:dialog { title = "Sort", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
      end },
      { "Transfer", id = "transfer", on_click = function() self:start("Transfer", { from = self.account }) end },
      { "Templates", id = "templates", on_click = function() self:start("Templates") end },
      { "Accounts", id = "accounts", on_click = function() self:start("Accounts") end },
      { "Categories", id = "categories", on_click = function() self:start("Categories") end },
      { "Budgets", id = "budgets", on_click = function() self:start("Budgets") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local rows = self:shown()
    local names = names_of(storage.accounts)
    table.insert(names, 1, "All accounts")
    return column {
      toolbar { "Purse", subtitle = "Balance " .. money(self:balance()), actions = {
        { self.searching and "Close search" or "Search", id = "search", on_click = function() self:toggle_search() end },
        { "Filter", id = "filter", on_click = function() self:ask_category() end } } },
      spinner { id = "account", items = names, selected = self.account and place_of(storage.accounts, self.account) + 1 or 1,
        on_change = function(i) self.account = i > 1 and storage.accounts[i - 1].id or nil end },
      self.searching and field { id = "query", hint = "Search", max = 30 },
      self.category and row { text { "Only " .. category_of(self.category).name, id = "chip", weight = 1 },
        image_button { id = "clear", desc = "Clear filter", on_click = function() self.category = nil end } },
      text { (#rows == 1 and "1 entry, " or #rows .. " entries, ") .. money(self:total(rows)), id = "total" },
      list { id = "entries", items = rows, empty = text { "No entries", id = "empty" },
        row = function(e)
          return row { id = "entry_row",
            column { weight = 1, text { label(e), id = "payee" },
              text { date(e.day * DAY, "%d %b %Y") .. (prefs.notes and e.note and e.note ~= "" and ", " .. e.note or ""), id = "when", size = "small" } },
            text { money(signed(e)), id = "amount" } }
        end,
        on_item_click = function(_, e) self:start_for_result("Detail", "detail", { id = e.id }) end },
      fab { id = "add", desc = "New entry", on_click = function() self:start("Entry", { account = self.account }) end },
    }
  end,
}
activity "Detail" {
  ask_delete = function(self, e)
    if not prefs.confirm then return self:finish { delete = e.id } end
    self:dialog { title = "Delete this entry?", cancel = "Cancel", ok = "Delete", on_ok = function() self:finish { delete = e.id } end }
  end,
  ask_template = function(self, e)
    self:dialog { title = "Name of the template", view = function() return column { field { id = "template_name", text = label(e), max = 20 } } end,
      cancel = "Cancel", ok = "Save", on_ok = function()
        local name = trim(self:text("template_name"))
        if name == "" then return true end
        local t = copy(e)
        t.id, t.name = new_id(), name
        if not bug("template_day") then t.day = nil end      -- a template keeps the day it was made from (MyExpenses: date of templates)
        table.insert(storage.templates, t)
        toast("Template saved")
      end }
  end,
  view = function(self)
    local e = entry_of(self.intent.id)
    if not e then return column { toolbar { "Entry", up = true }, text { "This was deleted", id = "gone" } } end
    local account = account_of(e.account)
    return column {
      toolbar { label(e), up = true, actions = { { "Delete", id = "delete", on_click = function() self:ask_delete(e) end } } },
      scroll {
        text { money(signed(e)), id = "amount", size = "large" },
        text { "Account: " .. (account and account.name or "?"), id = "in_account" },
        not is_transfer(e) and text { "Category: " .. category_of(e.category).name, id = "in_category" },
        text { date(e.day * DAY, "%d %b %Y"), id = "when" },
        e.note and e.note ~= "" and text { e.note, id = "note" },
        not is_transfer(e) and button { "Edit", id = "edit", on_click = function() self:start("Entry", { id = e.id }) end },
        not is_transfer(e) and button { "Save as template", id = "template", on_click = function() self:ask_template(e) end },
      },
    }
  end,
}
activity "Entry" {
  create = function(self, intent, saved)
    local from = intent.id and entry_of(intent.id) or intent.template and by_id(storage.templates, intent.template) or {}
    saved = saved or {}
    self.kind = saved.kind or from.kind or "Expense"
    self.category = saved.category or from.category or OTHER
    self.account = saved.account or account_of(from.account) and from.account or intent.account or default_account()
    self.day = saved.day or from.day or today()
    self.first = from
  end,
  save = function(self, out)
    out.category, out.account, out.day = self.category, self.account, self.day
    if not bug("kind_rotate") then out.kind = self.kind end        -- income turns into an expense by rotation (MyExpenses: amount sign)
  end,
  store = function(self)
    local cents = parse_money(self:text("amount"))
    if not cents or cents == 0 then return toast("Enter an amount") end
    local fresh = { kind = self.kind, cents = cents, category = self.category, account = self.account, day = self.day,
      payee = trim(self:text("payee")), note = trim(self:text("note")) }
    local old = self.intent.id and entry_of(self.intent.id)
    if old then
      if bug("move_account") then old.account = fresh.account end     -- moved to another account: the old balance is not given back (MyExpenses)
      book(old, -1)
      for k, v in pairs(fresh) do old[k] = v end
      book(old, 1)
    else
      fresh.id = new_id()
      insert(fresh)
    end
    self:finish()
  end,
  view = function(self)
    local first = self.first
    return column {
      toolbar { self.intent.id and "Edit entry" or "New entry", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        radios { id = "kind", items = { "Expense", "Income" }, selected = self.kind == "Income" and 2 or 1,
          on_change = function(_, s) self.kind = s end },
        field { id = "amount", hint = "Amount", text = first.cents and amount_text(first.cents) or "", input = "decimal", max = 9 },
        field { id = "payee", hint = "Payee", text = first.payee or "", max = 20 },
        spinner { id = "category", items = names_of(storage.categories), selected = place_of(storage.categories, self.category),
          on_change = function(i) self.category = storage.categories[i].id end },
        spinner { id = "in_account", items = names_of(storage.accounts), selected = place_of(storage.accounts, self.account),
          on_change = function(i) self.account = storage.accounts[i].id end },
        row { button { "-", id = "earlier", desc = "A day earlier", on_click = function() self.day = self.day - 1 end },
          text { date(self.day * DAY, "%d %b %Y"), id = "day" },
          button { "+", id = "later", desc = "A day later", enabled = self.day < today(), on_click = function() self.day = self.day + 1 end } },
        field { id = "note", hint = "Note", text = first.note or "", max = 40 },
      },
    }
  end,
}
activity "Transfer" {
  create = function(self, intent, saved)
    self.from = saved and saved.from or intent.from or default_account()
    local other = find(storage.accounts, function(a) return a.id ~= self.from end)
    self.to = saved and saved.to or other and other.id or self.from
  end,
  save = function(self, out) out.from, out.to = self.from, self.to end,
  store = function(self)
    local cents = parse_money(self:text("amount"))
    if not cents or cents == 0 then return toast("Enter an amount") end
    if self.from == self.to then return toast("Choose two accounts") end
    local a, b = new_id(), new_id()
    insert { id = a, twin = b, day = today(), kind = "To", cents = cents, account = self.from, other = self.to }
    insert { id = b, twin = a, day = today(), kind = "From", cents = cents, account = self.to, other = self.from }
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { "Transfer", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "amount", hint = "Amount", input = "decimal", max = 9 },
      text "From",
      spinner { id = "from", items = names_of(storage.accounts), selected = place_of(storage.accounts, self.from),
        on_change = function(i) self.from = storage.accounts[i].id end },
      text "To",
      spinner { id = "to", items = names_of(storage.accounts), selected = place_of(storage.accounts, self.to),
        on_change = function(i) self.to = storage.accounts[i].id end },
    }
  end,
}
activity "Templates" {
  view = function(self)
    return column {
      toolbar { "Templates", up = true },
      list { id = "templates", items = storage.templates, empty = text { "No templates", id = "empty" },
        row = function(t) return row { id = "template_row", text { t.name, id = "name", weight = 1 }, text { money(signed(t)), id = "amount" } } end,
        on_item_click = function(_, t) self:start("Entry", { template = t.id }) end,
        on_item_long_click = function(_, t)
          self:dialog { title = "Delete template " .. t.name .. "?", cancel = "Cancel", ok = "Delete",
            on_ok = function() table.remove(storage.templates, index_of(storage.templates, t)) end }
        end },
    }
  end,
}
local function ask_name(self, title, rows, first, fn)
  self:dialog { title = title, view = function() return column { field { id = "name_field", hint = "Name", text = first, max = 20 } } end,
    cancel = "Cancel", ok = "OK", on_ok = function()
      local name = trim(self:text("name_field"))
      local same = find(rows, function(r) return r.name:lower() == name:lower() end)
      if name == "" or same and same.name ~= first then return true end
      fn(name)
    end }
end
activity "Accounts" {
  remove = function(self, a)
    if #storage.accounts == 1 then return toast("One account has to stay") end
    if find(storage.entries, function(e) return e.account == a.id end) then return toast("There are entries in this account") end
    table.remove(storage.accounts, index_of(storage.accounts, a))
  end,
  view = function(self)
    return column {
      toolbar { "Accounts", up = true, actions = { { "Add", id = "add_account", on_click = function()
        ask_name(self, "New account", storage.accounts, "", function(name) table.insert(storage.accounts, { id = new_id(), name = name, balance = 0 }) end)
      end } } },
      list { id = "accounts", items = storage.accounts,
        row = function(a) return row { id = "account_row", text { a.name, id = "name", weight = 1 }, text { money(a.balance), id = "balance" } } end,
        on_item_click = function(_, a)
          self:popup {
            { "Rename", id = "rename", on_click = function() ask_name(self, "Rename", storage.accounts, a.name, function(name) a.name = name end) end },
            { "Delete", id = "delete_account", on_click = function() self:remove(a) end },
          }
        end },
    }
  end,
}
activity "Categories" {
  remove = function(self, c)
    for _, rows in ipairs { storage.entries, storage.templates } do
      for _, e in ipairs(rows) do
        if e.category == c.id then e.category = OTHER end
      end
    end
    storage.budgets["c" .. c.id] = nil
    table.remove(storage.categories, index_of(storage.categories, c))
  end,
  view = function(self)
    return column {
      toolbar { "Categories", up = true, actions = { { "Add", id = "add_category", on_click = function()
        ask_name(self, "New category", storage.categories, "", function(name) table.insert(storage.categories, { id = new_id(), name = name }) end)
      end } } },
      list { id = "categories", items = storage.categories,
        row = function(c)
          local n = #filter(storage.entries, function(e) return not is_transfer(e) and category_of(e.category) == c end)
          return row { id = "category_row", text { c.name, id = "name", weight = 1 }, text { tostring(n), id = "count" } }
        end,
        on_item_click = function(_, c)
          if c.id == OTHER then return toast("This one stays as it is") end
          self:popup {
            { "Rename", id = "rename", on_click = function() ask_name(self, "Rename", storage.categories, c.name, function(name) c.name = name end) end },
            { "Delete", id = "delete_category", on_click = function() self:remove(c) end },
          }
        end },
    }
  end,
}
local function spent(category, days)
  local sum = 0
  for _, e in ipairs(storage.entries) do
    if e.kind == "Expense" and category_of(e.category).id == category and e.day > today() - days then sum = sum + e.cents end
  end
  return sum
end
activity "Budgets" {
  ask = function(self, c)
    local limit = storage.budgets["c" .. c.id]
    self:dialog { title = "Budget for " .. c.name, cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "limit", hint = "No limit", text = limit and amount_text(limit) or "", input = "decimal", max = 9 } } end,
      on_ok = function()
        local cents = parse_money(self:text("limit"))
        storage.budgets["c" .. c.id] = cents and cents > 0 and cents or nil
      end }
  end,
  view = function(self)
    local sign = bug("budget_currency") and "€" or nil         -- one page has its own idea of the currency (MyExpenses: home currency)
    return column {
      toolbar { "Budgets", subtitle = "Last 30 days", up = true },
      list { id = "budgets", items = storage.categories,
        row = function(c)
          local limit, used = storage.budgets["c" .. c.id], spent(c.id, 30)
          return column { id = "budget_row", text { c.name, id = "name" },
            text { money(used, sign) .. (limit and " of " .. money(limit, sign) or ", no limit") .. (limit and used > limit and ", too much" or ""),
              id = "used", size = "small" } }
        end,
        on_item_click = function(_, c) self:ask(c) end },
    }
  end,
}
activity "Statistics" {
  create = function(self, intent, saved) self.period = saved and saved.period or 2 end,
  save = function(self, out) out.period = self.period end,
  view = function(self)
    local days = PERIODS[self.period][2]
    local income, expenses = 0, 0
    for _, e in ipairs(storage.entries) do
      if e.day > today() - days then
        if e.kind == "Income" then income = income + e.cents elseif e.kind == "Expense" then expenses = expenses + e.cents end
      end
    end
    return column {
      toolbar { "Statistics", up = true },
      spinner { id = "period", items = each(PERIODS, function(p) return p[1] end), selected = self.period, on_change = function(i) self.period = i end },
      scroll {
        text { "Income: " .. money(income), id = "income" },
        text { "Expenses: " .. money(expenses), id = "expenses" },
        text { "Saved: " .. money(income - expenses), id = "saved" },
        each(storage.categories, function(c) return text { c.name .. ": " .. money(spent(c.id, days)), id = "by_category", size = "small" } end),
      },
    }
  end,
}
activity "Settings" {
  set_default = function(self, id)
    if bug("default_kill") then session.default = id return end    -- a setting that lives in memory only (K-9: default identity)
    prefs.default = id
  end,
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text "Currency",
        radios { id = "currency", items = CURRENCIES, selected = prefs.currency, on_change = function(i) prefs.currency = i end },
        text "Account for new entries",
        spinner { id = "default", items = names_of(storage.accounts), selected = place_of(storage.accounts, default_account()),
          on_change = function(i) self:set_default(storage.accounts[i].id) end },
        switch { "Show notes in the list", id = "notes", checked = prefs.notes, on_change = function(b) prefs.notes = b end },
        switch { "Ask before deleting", id = "confirm", checked = prefs.confirm, on_change = function(b) prefs.confirm = b end },
      },
    }
  end,
}
