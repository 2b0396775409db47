-- Tally: accounts, transactions and transfers, categories, templates, a monthly report.
-- Amounts are in cents, negative when money goes out. A transfer is a pair of transactions that know each other.

local DAY = 24 * 60 * 60 * 1000
local KINDS = { "Expense", "Income" }
local MONTHS = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December" }

app {
  package = "org.voyager.tally",
  title = "Tally",
  main = "Accounts",
  bugs = { "half_transfer_deleted", "edit_sets_today", "report_total_all", "closed_in_total", "undo_drops_category",
    "edit_income_expense", "merge_leaves_none", "template_takes_amount" },
  application = function()
    if storage.accounts then return end
    storage.next_id = 200
    storage.accounts = { { id = 1, name = "Wallet", opening = 4000 }, { id = 2, name = "Current account", opening = 125000 },
      { id = 3, name = "Savings", opening = 500000 }, { id = 4, name = "Old bank", opening = 9000 } }
    storage.categories = { { id = 1, name = "Groceries" }, { id = 2, name = "Rent" }, { id = 3, name = "Eating out" }, { id = 4, name = "Salary" },
      { id = 5, name = "Supermarket" }, { id = 6, name = "Hobby" } }
    storage.entries = {
      { id = 101, account = 1, amount = -1240, category = 3, payee = "Trattoria", day = 0 },
      { id = 102, account = 2, amount = -5615, category = 5, payee = "Fresh & Co", day = 1 },
      { id = 103, account = 1, amount = -380, category = 1, payee = "Bakery", day = 3 },
      { id = 104, account = 2, amount = 260000, category = 4, payee = "Employer", day = 4, note = "February" },
      { id = 105, account = 2, amount = -20000, payee = "Savings", day = 5, other = 106 },
      { id = 106, account = 3, amount = 20000, payee = "Current account", day = 5, other = 105 },
      { id = 107, account = 2, amount = -84000, category = 2, payee = "Landlord", day = 28, note = "Flat" },
      { id = 108, account = 2, amount = -2999, category = 6, payee = "Model trains", day = 34 },
      { id = 109, account = 1, amount = 5000, payee = "Grandma", day = 36, note = "Birthday" },
      { id = 110, account = 4, amount = -1500, payee = "Bank fee", day = 60 },
    }
    for _, e in ipairs(storage.entries) do
      e.when = now() - e.day * DAY
      e.day = nil
    end
    storage.templates = {
      { id = 1, name = "Lunch", payee = "Canteen", amount = 750, category = 3, account = 1 },
      { id = 2, name = "Weekly shopping", payee = "Fresh & Co", amount = 6000, category = 5, account = 2 },
    }
    prefs.show_closed, prefs.confirm = true, true
  end,
}

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function account_of(id) return by_id(storage.accounts, id) end
local function entry_of(id) return by_id(storage.entries, id) end
local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function money(cents)
  local sign = cents < 0 and "-" or ""
  cents = math.abs(cents)
  return format("%s%d.%02d", sign, cents // 100, cents % 100)
end

local function cents_of(s)
  local n = tonumber((s:gsub(",", ".")))
  if not n or n <= 0 or n > 1000000 then return nil end
  return math.floor(n * 100 + 0.5)
end

local function category_name(e)
  if e.other then return "Transfer" end
  local c = e.category and by_id(storage.categories, e.category)
  return c and c.name or "No category"
end

local function balance(account)
  local sum = account.opening
  for _, e in ipairs(storage.entries) do
    if e.account == account.id then sum = sum + e.amount end
  end
  return sum
end

local function open_accounts() return filter(storage.accounts, function(a) return not a.closed end) end

local function newest_first(list)
  table.sort(list, function(a, b)
    if a.when // DAY ~= b.when // DAY then return a.when > b.when end
    return a.id > b.id
  end)
  return list
end

local function drop(e)
  local at = index_of(storage.entries, e)
  if at then table.remove(storage.entries, at) end
end

local function delete_entry(e)
  drop(e)
  local other = e.other and entry_of(e.other)
  if other and not bug("half_transfer_deleted") then drop(other) end
  return other
end

local function restore_entry(e, other)
  if bug("undo_drops_category") then e.category = nil end
  table.insert(storage.entries, e)
  if other and not entry_of(other.id) then table.insert(storage.entries, other) end
end

local function bar(here, self)
  local function go(name) if name ~= here then self:start(name) if here ~= "Accounts" then self:finish() end end end
  return bottom_bar { items = {
    { "Accounts", id = "nav_accounts", selected = here == "Accounts", on_click = function() if here ~= "Accounts" then self:finish() end end },
    { "Templates", id = "nav_templates", selected = here == "Templates", on_click = function() go("Templates") end },
    { "Report", id = "nav_report", selected = here == "Report", on_click = function() go("Report") end },
  } }
end

-- ---- accounts ----

activity "Accounts" {
  total = function(self)
    local sum = 0
    for _, a in ipairs(storage.accounts) do
      if not a.closed or bug("closed_in_total") then sum = sum + balance(a) end
    end
    return sum
  end,
  ask_new = function(self)
    self:dialog { title = "New account", cancel = "Cancel", ok = "Create",
      view = function()
        return column { field { id = "account_name", hint = "Name" }, field { id = "opening", hint = "Opening balance", input = "decimal" } }
      end,
      on_ok = function()
        local name = trim(self:text("account_name"))
        if name == "" then toast("A name, please") return true end
        table.insert(storage.accounts, { id = new_id(), name = name, opening = cents_of(self:text("opening")) or 0 })
      end }
  end,
  actions_for = function(self, account)
    self:popup {
      { account.closed and "Reopen" or "Close", id = "close_account", on_click = function() account.closed = not account.closed or nil end },
      { "Rename", id = "rename_account", on_click = function()
        self:dialog { title = "Rename account", cancel = "Cancel", ok = "Rename",
          view = function() return column { field { id = "account_name", text = account.name } } end,
          on_ok = function()
            local name = trim(self:text("account_name"))
            if name == "" then return true end
            for _, e in ipairs(storage.entries) do
              local other = e.other and entry_of(e.other)
              if other and other.account == account.id then e.payee = name end
            end
            account.name = name
          end }
      end },
    }
  end,
  menu = function(self)
    return {
      { "Transfer", id = "transfer", on_click = function() self:start("Transfer") end },
      { "Categories", id = "categories", on_click = function() self:start("Categories") end },
      { "Search", id = "search", on_click = function() self:start("Search") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local shown = prefs.show_closed and storage.accounts or open_accounts()
    return column {
      toolbar { "Tally" },
      list { id = "accounts", items = shown, empty = text { "No accounts", id = "empty" },
        row = function(a)
          return row { id = "account_row", text { a.name .. (a.closed and " (closed)" or ""), id = "account", weight = 1 },
            text { money(balance(a)), id = "account_balance" } }
        end,
        on_item_click = function(_, a) self:start("Account", { id = a.id }) end,
        on_item_long_click = function(_, a) self:actions_for(a) end },
      row { text { "Total of open accounts", weight = 1 }, text { money(self:total()), id = "total" } },
      button { "New account", id = "new_account", on_click = function() self:ask_new() end },
      bar("Accounts", self),
    }
  end,
}

activity "Account" {
  entries = function(self)
    return newest_first(filter(storage.entries, function(e) return e.account == self.intent.id end))
  end,
  remove = function(self, e)
    local other = delete_entry(e)
    self:snackbar(e.other and "Transfer deleted" or "Transaction deleted", "Undo", function() restore_entry(e, other) end)
  end,
  view = function(self)
    local account = account_of(self.intent.id)
    if not account then return column { toolbar { "Account", up = true } } end
    return column {
      toolbar { account.name, up = true, subtitle = account.closed and "Closed" or nil },
      text { "Balance " .. money(balance(account)), id = "balance", size = "large" },
      list { id = "entries", items = self:entries(), empty = text { "No transactions", id = "empty" },
        row = function(e)
          return column { id = "entry_row",
            row { text { e.payee, id = "payee", weight = 1 }, text { money(e.amount), id = "amount" } },
            text { date(e.when, "%Y-%m-%d") .. " · " .. category_name(e), id = "details", size = "small" } }
        end,
        on_item_click = function(_, e) self:start("Entry", { id = e.id }) end,
        on_item_swipe = function(i, direction)
          local e = self:entries()[i]
          if e and direction == "left" then self:remove(e) end
        end },
      not account.closed and fab { id = "add", desc = "New transaction",
        on_click = function() self:start("Form", { account = account.id }) end },
    }
  end,
}

activity "Entry" {
  resume = function(self) if not entry_of(self.intent.id) then self:finish() end end,
  ask_delete = function(self, e)
    local function go()
      delete_entry(e)
      self:finish()
    end
    if not prefs.confirm then return go() end
    self:dialog { title = e.other and "Delete this transfer?" or "Delete this transaction?",
      message = e.other and "It is removed from both accounts." or nil, cancel = "Cancel", ok = "Delete", on_ok = go }
  end,
  menu = function(self)
    return {
      { "Save as template", id = "as_template", on_click = function()
        local e = entry_of(self.intent.id)
        if not e or e.other then return toast("A transfer cannot be a template") end
        if e.amount > 0 then return toast("Templates are for expenses") end
        table.insert(storage.templates, { id = new_id(), name = e.payee, payee = e.payee, amount = -e.amount, category = e.category, account = e.account })
        toast("Template saved")
      end },
    }
  end,
  view = function(self)
    local e = entry_of(self.intent.id)
    if not e then return column { toolbar { "Transaction", up = true } } end
    local other = e.other and entry_of(e.other)
    return column {
      toolbar { e.payee, up = true },
      text { money(e.amount), id = "amount", size = "large" },
      text { date(e.when, "%A, %Y-%m-%d"), id = "when" },
      text { category_name(e), id = "category" },
      text { "Account: " .. account_of(e.account).name, id = "account" },
      e.other and text { "Other account: " .. (other and account_of(other.account).name or "none"), id = "other" },
      e.note and text { "Note: " .. e.note, id = "note" },
      not e.other and button { "Edit", id = "edit", on_click = function() self:start("Form", { id = e.id }) end },
      not e.other and button { "Clone", id = "clone", on_click = function()
        local twin = copy(e)
        twin.id, twin.when = new_id(), now()
        table.insert(storage.entries, twin)
        toast("Cloned with today's date")
        self:finish()
      end },
      button { "Delete", id = "delete", on_click = function() self:ask_delete(e) end },
    }
  end,
}

-- ---- forms ----

activity "Form" {
  create = function(self, intent, saved)
    if saved then
      self.draft = saved.draft
      return
    end
    local e = intent.id and entry_of(intent.id)
    local t = intent.template and by_id(storage.templates, intent.template)
    if e then
      self.draft = { kind = e.amount > 0 and not bug("edit_income_expense") and 2 or 1, category = e.category, when = e.when }
    else
      self.draft = { kind = 1, category = t and t.category, when = now() }
    end
  end,
  save = function(self, out) out.draft = self.draft end,
  source = function(self)
    if self.intent.id then return entry_of(self.intent.id) end
    return self.intent.template and by_id(storage.templates, self.intent.template) or nil
  end,
  ask_category = function(self)
    local names = each(storage.categories, function(c) return c.name end)
    table.insert(names, 1, "No category")
    self:dialog { title = "Category", items = names,
      on_item = function(i) self.draft.category = i > 1 and storage.categories[i - 1].id or nil end }
  end,
  ask_date = function(self)
    self:dialog { title = "Date", items = { "Today", "Yesterday", "A week ago", "A month ago" },
      on_item = function(i) self.draft.when, self.draft.picked = now() - ({ 0, 1, 7, 30 })[i] * DAY, true end }
  end,
  store = function(self)
    local amount = cents_of(self:text("amount"))
    if not amount then return toast("How much was it?") end
    local payee = trim(self:text("payee"))
    if payee == "" then return toast("Who was it?") end
    local e = self.intent.id and entry_of(self.intent.id)
    if not e then
      e = { id = new_id(), account = self.intent.account }
      table.insert(storage.entries, e)
    end
    e.amount = self.draft.kind == 2 and amount or -amount
    e.payee, e.category, e.when = payee, self.draft.category, self.draft.when
    if self.intent.id and not self.draft.picked and bug("edit_sets_today") then e.when = now() end
    local note = trim(self:text("note"))
    e.note = note ~= "" and note or nil
    local t = self.intent.template and by_id(storage.templates, self.intent.template)
    if t and bug("template_takes_amount") then t.amount = amount end
    self:finish()
  end,
  view = function(self)
    local source = self:source()
    local category = self.draft.category and by_id(storage.categories, self.draft.category)
    local editing = self.intent.id ~= nil
    return column {
      toolbar { editing and "Edit transaction" or "New transaction", up = true,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        radios { id = "kind", items = KINDS, selected = self.draft.kind, on_change = function(i) self.draft.kind = i end },
        field { id = "amount", hint = "Amount", input = "decimal", text = source and money(math.abs(source.amount)) or "" },
        field { id = "payee", hint = "Payee", text = source and source.payee or "" },
        button { category and category.name or "No category", id = "category", on_click = function() self:ask_category() end },
        button { date(self.draft.when, "%Y-%m-%d"), id = "date", on_click = function() self:ask_date() end },
        field { id = "note", hint = "Note", text = editing and source and source.note or "" },
      },
    }
  end,
}

activity "Transfer" {
  create = function(self, intent, saved) self.from, self.to = saved and saved.from or 1, saved and saved.to or 2 end,
  save = function(self, out) out.from, out.to = self.from, self.to end,
  store = function(self, accounts)
    local amount = cents_of(self:text("amount"))
    if not amount then return toast("How much?") end
    local from, to = accounts[self.from], accounts[self.to]
    if not from or not to or from == to then return toast("Choose two different accounts") end
    local a, b = new_id(), new_id()
    table.insert(storage.entries, { id = a, account = from.id, amount = -amount, payee = to.name, when = now(), other = b })
    table.insert(storage.entries, { id = b, account = to.id, amount = amount, payee = from.name, when = now(), other = a })
    toast("Transferred " .. money(amount))
    self:finish()
  end,
  view = function(self)
    local accounts = open_accounts()
    local names = each(accounts, function(a) return a.name end)
    if #names < 2 then return column { toolbar { "Transfer", up = true }, text { "A transfer needs two open accounts", id = "empty" } } end
    return column {
      toolbar { "Transfer", up = true },
      text { "From", size = "small" },
      spinner { id = "from", items = names, selected = math.min(self.from, #names), on_change = function(i) self.from = i end },
      text { "To", size = "small" },
      spinner { id = "to", items = names, selected = math.min(self.to, #names), on_change = function(i) self.to = i end },
      field { id = "amount", hint = "Amount", input = "decimal" },
      button { "Transfer", id = "do_transfer", on_click = function() self:store(accounts) end },
    }
  end,
}

-- ---- templates, categories, search, report, settings ----

activity "Templates" {
  view = function(self)
    return column {
      toolbar { "Templates" },
      list { id = "templates", items = storage.templates, empty = text { "Save a transaction as a template to see it here", id = "empty" },
        row = function(t)
          local account = account_of(t.account)
          return column { id = "template_row", text { t.name .. " · " .. money(t.amount), id = "template" },
            text { t.payee .. ", " .. account.name .. " · " .. category_name(t), id = "template_details", size = "small" } }
        end,
        on_item_click = function(_, t) self:start("Form", { template = t.id, account = t.account }) end,
        on_item_long_click = function(i, t)
          self:dialog { title = "Delete template " .. t.name .. "?", cancel = "Cancel", ok = "Delete",
            on_ok = function() table.remove(storage.templates, i) end }
        end },
      bar("Templates", self),
    }
  end,
}

activity "Categories" {
  uses = function(self, c) return #filter(storage.entries, function(e) return e.category == c.id end) end,
  ask_new = function(self)
    self:dialog { title = "New category", cancel = "Cancel", ok = "Add",
      view = function() return column { field { id = "category_name", hint = "Name" } } end,
      on_ok = function()
        local name = trim(self:text("category_name"))
        if name == "" then return true end
        if find(storage.categories, function(c) return c.name == name end) then toast("There is one of that name") return true end
        table.insert(storage.categories, { id = new_id(), name = name })
      end }
  end,
  merge = function(self, from, into)
    for _, list in ipairs { storage.entries, storage.templates } do
      for _, e in ipairs(list) do
        if e.category == from.id and not bug("merge_leaves_none") then e.category = into.id end
      end
    end
    table.remove(storage.categories, index_of(storage.categories, from))
    toast(from.name .. " is now part of " .. into.name)
  end,
  ask_merge = function(self, from)
    local others = filter(storage.categories, function(c) return c ~= from end)
    if #others == 0 then return toast("There is no other category") end
    self:dialog { title = "Merge " .. from.name .. " into", items = each(others, function(c) return c.name end),
      on_item = function(i) self:merge(from, others[i]) end }
  end,
  ask_delete = function(self, c)
    local n = self:uses(c)
    if n > 0 then return toast(c.name .. " is in use. Merge it into another one.") end
    if find(storage.templates, function(t) return t.category == c.id end) then return toast("A template uses " .. c.name) end
    table.remove(storage.categories, index_of(storage.categories, c))
  end,
  view = function(self)
    return column {
      toolbar { "Categories", up = true },
      list { id = "categories", items = storage.categories, empty = text { "No categories", id = "empty" },
        row = function(c) return text { c.name .. " (" .. self:uses(c) .. ")", id = "category_row" } end,
        on_item_click = function(_, c) self:start("Search", { category = c.id }) end,
        on_item_long_click = function(_, c)
          self:popup {
            { "Merge into...", id = "merge", on_click = function() self:ask_merge(c) end },
            { "Delete", id = "delete_category", on_click = function() self:ask_delete(c) end },
          }
        end },
      fab { id = "add_category", desc = "Add category", on_click = function() self:ask_new() end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  found = function(self)
    local q = self.query:lower()
    return newest_first(filter(storage.entries, function(e)
      if self.intent.category then return e.category == self.intent.category end
      return q ~= "" and (contains(e.payee:lower(), q) or contains((e.note or ""):lower(), q))
    end))
  end,
  view = function(self)
    local category = self.intent.category and by_id(storage.categories, self.intent.category)
    local found, sum = self:found(), 0
    for _, e in ipairs(found) do sum = sum + e.amount end
    return column {
      toolbar { category and category.name or "Search", up = true },
      not self.intent.category and field { id = "query", hint = "Payee or note", on_change = function(s) self.query = s end },
      text { #found .. " found, sum " .. money(sum), id = "sum" },
      list { id = "found", items = found, empty = text { "Nothing", id = "empty" },
        row = function(e)
          return text { date(e.when, "%Y-%m-%d") .. " " .. e.payee .. " " .. money(e.amount), id = "found_row" }
        end,
        on_item_click = function(_, e) self:start("Entry", { id = e.id }) end },
    }
  end,
}

activity "Report" {
  create = function(self, intent, saved) self.back_by, self.account = saved and saved.back_by or 0, saved and saved.account or 1 end,
  save = function(self, out) out.back_by, out.account = self.back_by, self.account end,
  month = function(self)
    local y, m = tonumber(date(now(), "%Y")), tonumber(date(now(), "%m"))
    local n = y * 12 + m - 1 - self.back_by
    return n // 12, n % 12 + 1
  end,
  of_month = function(self, account)
    local y, m = self:month()
    local key = format("%04d-%02d", y, m)
    return filter(storage.entries, function(e)
      return date(e.when, "%Y-%m") == key and not e.other and (not account or e.account == account.id)
    end)
  end,
  view = function(self)
    local y, m = self:month()
    local account = self.account > 1 and storage.accounts[self.account - 1] or nil
    local sums, order = {}, {}
    for _, e in ipairs(self:of_month(account)) do
      if e.amount < 0 then
        local name = category_name(e)
        if not sums[name] then table.insert(order, name) end
        sums[name] = (sums[name] or 0) - e.amount
      end
    end
    table.sort(order, function(a, b) return sums[a] > sums[b] end)
    local spent, earned = 0, 0
    for _, e in ipairs(self:of_month(not bug("report_total_all") and account or nil)) do
      if e.amount < 0 then spent = spent - e.amount else earned = earned + e.amount end
    end
    local names = each(storage.accounts, function(a) return a.name end)
    table.insert(names, 1, "All accounts")
    return column {
      toolbar { "Report", subtitle = "Without transfers" },
      spinner { id = "report_account", items = names, selected = self.account, on_change = function(i) self.account = i end },
      row {
        image_button { id = "earlier", desc = "Earlier month", on_click = function() self.back_by = self.back_by + 1 end },
        text { MONTHS[m] .. " " .. y, id = "month", weight = 1 },
        image_button { id = "later", desc = "Later month", enabled = self.back_by > 0, on_click = function() self.back_by = self.back_by - 1 end },
      },
      text { "Spent " .. money(spent), id = "spent" },
      text { "Earned " .. money(earned), id = "earned" },
      divider {},
      list { id = "by_category", items = order, empty = text { "Nothing was spent", id = "empty" },
        row = function(name) return row { text { name, id = "report_category", weight = 1 }, text { money(sums[name]), id = "report_sum" } } end },
      bar("Report", self),
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Show closed accounts", id = "show_closed", checked = prefs.show_closed, on_change = function(on) prefs.show_closed = on end },
      switch { "Ask before deleting", id = "confirm", checked = prefs.confirm, on_change = function(on) prefs.confirm = on end },
      button { "About", id = "about", on_click = function()
        self:dialog { title = "Tally", message = #storage.entries .. " transactions in " .. #storage.accounts .. " accounts", ok = "OK" }
      end },
    }
  end,
}
