-- Budget: what comes in and what goes out. Money is kept in whole cents, months are counted as year * 12 + month - 1.
local sign                -- the currency, as it was when the process began

app {
  package = "org.example.budget", title = "Budget", main = "Main",
  bugs = { "transfer_cents", "filter_after_edit", "limit_currency", "sort_new", "monthly_reset", "delete_balance", "limit_back", "clear_search" },
  application = function()
    if not storage.entries then
      local m = parse_int(date(now(), "%Y")) * 12 + parse_int(date(now(), "%m")) - 1
      storage.categories = { "Food", "Home", "Travel", "Fun", "Other" }
      storage.accounts = { { id = 1, name = "Wallet", cents = 8400 }, { id = 2, name = "Bank", cents = 152050 }, { id = 3, name = "Savings", cents = 500000 } }
      storage.entries = {
        { id = 1, month = m - 1, day = 1, cents = 210000, income = true, category = "Other", account = 2, note = "Salary", monthly = true },
        { id = 2, month = m - 1, day = 3, cents = 64000, category = "Home", account = 2, note = "Rent", monthly = true },
        { id = 3, month = m - 1, day = 17, cents = 4350, category = "Food", account = 1, note = "Market" },
        { id = 4, month = m, day = 1, cents = 210000, income = true, category = "Other", account = 2, note = "Salary", monthly = true },
        { id = 5, month = m, day = 1, cents = 64000, category = "Home", account = 2, note = "Rent", monthly = true },
        { id = 6, month = m, day = 1, cents = 2780, category = "Food", account = 1, note = "Bakery" },
        { id = 7, month = m, day = 1, cents = 950, category = "Travel", account = 1, note = "Bus" },
        { id = 8, month = m, day = 1, cents = 5120, category = "Food", account = 2, note = "Supermarket" },
      }
      storage.next_id = 9
      storage.limits = { Food = 30000, Fun = 8000 }
      prefs.currency, prefs.sign_behind, prefs.order = "$", false, "newest"
    end
    sign = prefs.currency
  end,
}

local month_names = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December" }
local function month_name(m) return month_names[m % 12 + 1] .. " " .. m // 12 end
local function this_month() return parse_int(date(now(), "%Y")) * 12 + parse_int(date(now(), "%m")) - 1 end
local function count(n, one, many) return n .. " " .. (n == 1 and one or many) end
local function entry(id) return (find(storage.entries, function(e) return e.id == id end)) end
local function account(id) return (find(storage.accounts, function(a) return a.id == id end)) end

local function money(c, currency)
  local minus = c < 0 and "-" or ""
  c = math.abs(c)
  local s = format("%d.%02d", c // 100, c % 100)
  currency = currency or prefs.currency
  return minus .. (prefs.sign_behind and s .. " " .. currency or currency .. s)
end

local function parse_money(s)
  local x = tonumber(s)
  if not x or x <= 0 or x > 100000 then return nil end
  local c = math.floor(x * 100 + 0.5)
  return c > 0 and c or nil
end

local function signed(e) return e.income and e.cents or -e.cents end

local function book(e, direction)      -- 1: the entry begins to count, -1: it no longer does
  local a = account(e.account)
  a.cents = a.cents + direction * signed(e)
end

local function spent(month, category)
  local sum = 0
  for _, e in ipairs(storage.entries) do
    if e.month == month and not e.income and (not category or e.category == category) then sum = sum + e.cents end
  end
  return sum
end

local function earned(month)
  local sum = 0
  for _, e in ipairs(storage.entries) do if e.month == month and e.income then sum = sum + e.cents end end
  return sum
end

activity "Main" {
  create = function(self, intent, saved) self.month = saved and saved.month or this_month() end,
  save = function(self, out) out.month = self.month end,
  category_row = function(self, c)
    local used, limit = spent(self.month, c), storage.limits[c]
    return row { text { c, id = "category", weight = 1 }, text { limit and money(used) .. " of " .. money(limit) or money(used), id = "used" },
      limit and used > limit and text { "Over", id = "over", size = "small" } }
  end,
  view = function(self)
    local income, out = earned(self.month), spent(self.month)
    return column {
      toolbar { "Budget" },
      drawer { id = "drawer", header = "Budget", items = {
        { "Entries", id = "go_entries", on_click = function() self:start("Entries") end },
        { "Limits", id = "go_limits", on_click = function() self:start("Limits") end },
        { "Accounts", id = "go_accounts", on_click = function() self:start("Accounts") end },
        { "Months", id = "go_months", on_click = function() self:start("Months") end },
        { "Settings", id = "go_settings", on_click = function() self:start("Settings") end },
      } },
      row {
        button { "Before", id = "before", on_click = function() self.month = self.month - 1 end },
        text { month_name(self.month), id = "month", weight = 1 },
        button { "After", id = "after", enabled = self.month < this_month(), on_click = function() self.month = self.month + 1 end },
      },
      row { text { "In " .. money(income), id = "income", weight = 1 }, text { "Out " .. money(out), id = "out", weight = 1 },
        text { "Left " .. money(income - out), id = "left", weight = 1 } },
      list { id = "categories", items = storage.categories, row = function(c) return self:category_row(c) end,
        on_item_click = function(_, c) self:start("Entries", { category = c }) end },
      fab { id = "add", desc = "New entry", on_click = function() self:start("Entry") end },
    }
  end,
}

activity "Entries" {
  create = function(self, intent, saved)
    self.query = saved and saved.query or ""
    self.category = intent.category
    if saved then self.category = saved.category end
    self.seen = {}       -- the ids that were listed when the category was chosen
  end,
  save = function(self, out) out.query, out.category = self.query, self.category end,
  matches = function(self, e)
    if self.category and e.category ~= self.category and not index_of(self.seen, e.id) then return false end
    return self.query == "" or contains(e.note:lower(), self.query:lower())
  end,
  shown = function(self)
    local out = filter(storage.entries, function(e) return self:matches(e) end)
    local late
    if bug("sort_new") and prefs.order == "amount" and storage.newest then
      local _, i = find(out, function(e) return e.id == storage.newest end)
      if i then late = table.remove(out, i) end
    end
    table.sort(out, function(a, b)
      if prefs.order == "amount" and a.cents ~= b.cents then return a.cents > b.cents end
      if a.month ~= b.month then return a.month > b.month end
      if a.day ~= b.day then return a.day > b.day end
      return a.id > b.id
    end)
    if late then table.insert(out, late) end
    return out
  end,
  choose = function(self, c)
    self.category = c
    self.seen = {}
    if c and bug("filter_after_edit") then self.seen = each(self:shown(), function(e) return e.id end) end
  end,
  delete = function(self, e)
    self:dialog { title = "Delete " .. (e.note ~= "" and e.note or "the entry") .. "?", cancel = "Keep", ok = "Delete", on_ok = function()
      local i = index_of(storage.entries, e)
      if not i then return end
      table.remove(storage.entries, i)
      if not bug("delete_balance") then book(e, -1) end
      self:snackbar("Deleted", "Undo", function()
        if entry(e.id) then return end
        table.insert(storage.entries, e)
        if not bug("delete_balance") then book(e, 1) end
      end)
    end }
  end,
  menu = function(self)
    return {
      { "Newest first", id = "by_date", checked = prefs.order == "newest", on_click = function() prefs.order = "newest" end },
      { "Largest first", id = "by_amount", checked = prefs.order == "amount", on_click = function() prefs.order = "amount" end },
    }
  end,
  view = function(self)
    local names = { "All" }
    for _, c in ipairs(storage.categories) do table.insert(names, c) end
    local chosen = self.category and index_of(storage.categories, self.category)
    local shown, sum = self:shown(), 0
    for _, e in ipairs(shown) do sum = sum + signed(e) end
    return column {
      toolbar { "Entries", up = true },
      row {
        field { id = "search", hint = "Search", max = 30, weight = 2, text = self.query, on_change = function(t) self.query = trim(t) end },
        image_button { id = "clear", desc = "Clear the search", width = 144, height = 144, on_click = function()
          self:set_text("search", "")
          if not bug("clear_search") then self.query = "" end
        end },
        spinner { id = "filter", items = names, selected = chosen and chosen + 1 or 1, weight = 1,
          on_change = function(i) self:choose(i > 1 and storage.categories[i - 1] or nil) end },
      },
      text { count(#shown, "entry", "entries") .. ", " .. money(sum), id = "summary" },
      list { id = "entries", items = shown, empty = text { "No entries", id = "no_entries" },
        row = function(e)
          return row { text { format("%d-%02d-%02d", e.month // 12, e.month % 12 + 1, e.day), id = "day" },
            column { weight = 1, text { e.note ~= "" and e.note or e.category, id = "note" },
              text { e.category .. ", " .. account(e.account).name .. (e.monthly and ", monthly" or ""), id = "details", size = "small" } },
            text { money(signed(e)), id = "amount" } }
        end,
        on_item_click = function(_, e) self:start("Entry", { id = e.id }) end,
        on_item_long_click = function(_, e) self:delete(e) end },
      fab { id = "add", desc = "New entry", on_click = function() self:start("Entry", { category = self.category }) end },
    }
  end,
}

activity "Entry" {
  create = function(self, intent, saved)
    local e = entry(intent.id) or { category = intent.category or storage.categories[1], account = 1 }
    local from = saved or { income = e.income, category = e.category, account = e.account, monthly = e.monthly }
    if not saved and intent.id and bug("monthly_reset") then from.monthly = false end
    self.income, self.category, self.account, self.monthly = from.income or false, from.category, from.account, from.monthly or false
  end,
  save = function(self, out) out.income, out.category, out.account, out.monthly = self.income, self.category, self.account, self.monthly end,
  store = function(self)
    local cents = parse_money(self:text("amount_field"))
    if not cents then return toast("An amount up to 100000, please") end
    local e = entry(self.intent.id)
    if e then
      book(e, -1)
    else
      e = { id = storage.next_id, month = this_month(), day = parse_int(date(now(), "%d")) }
      storage.newest = e.id
      storage.next_id = storage.next_id + 1
      table.insert(storage.entries, e)
    end
    e.cents, e.note, e.income, e.category, e.account = cents, trim(self:text("note_field")), self.income or nil, self.category, self.account
    e.monthly = self.monthly or nil
    book(e, 1)
    self:finish()
  end,
  view = function(self)
    local e = entry(self.intent.id)
    local _, at = find(storage.accounts, function(a) return a.id == self.account end)
    return column {
      toolbar { e and "Edit entry" or "New entry", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        radios { id = "kind", items = { "Expense", "Income" }, selected = self.income and 2 or 1, on_change = function(i) self.income = i == 2 end },
        field { id = "amount_field", hint = "Amount", input = "decimal", max = 9, text = e and format("%d.%02d", e.cents // 100, e.cents % 100) or "" },
        field { id = "note_field", hint = "Note", max = 30, text = e and e.note or "" },
        row { text { "Category", weight = 1 }, spinner { id = "category_choice", items = storage.categories, selected = index_of(storage.categories, self.category) or 1,
          on_change = function(_, c) self.category = c end } },
        row { text { "Account", weight = 1 }, spinner { id = "account_choice", items = each(storage.accounts, function(a) return a.name end), selected = at or 1,
          on_change = function(i) self.account = storage.accounts[i].id end } },
        check { "Every month", id = "monthly", checked = self.monthly, on_change = function(on) self.monthly = on end },
      },
    }
  end,
}

activity "Limits" {
  create = function(self) self.limits = bug("limit_back") and copy(storage.limits) or storage.limits end,
  set = function(self, category, cents)
    self.limits[category] = cents
    if cents or not bug("limit_back") then storage.limits[category] = cents end
  end,
  ask = function(self, c)
    local now_set = self.limits[c]
    self:dialog { title = "Limit for " .. c,
      view = function() return column { field { id = "limit_field", hint = "A month", input = "decimal", max = 9,
        text = now_set and format("%d.%02d", now_set // 100, now_set % 100) or "" } } end,
      cancel = "Cancel", neutral = now_set and "Remove" or nil, on_neutral = function() self:set(c, nil) end,
      ok = "Save", on_ok = function()
        local cents = parse_money(self:text("limit_field"))
        if not cents then toast("An amount up to 100000, please") return true end
        self:set(c, cents)
      end }
  end,
  view = function(self)
    local currency = bug("limit_currency") and sign or prefs.currency
    local total = 0
    for _, cents in pairs(self.limits) do total = total + cents end
    return column {
      toolbar { "Limits", up = true },
      text { "Together " .. money(total, currency) .. " a month", id = "together" },
      list { id = "limits", items = storage.categories,
        row = function(c)
          return row { text { c, id = "limit_category", weight = 1 }, text { self.limits[c] and money(self.limits[c], currency) or "No limit", id = "limit" } }
        end,
        on_item_click = function(_, c) self:ask(c) end },
    }
  end,
}

activity "Accounts" {
  ask = function(self, old)
    self:dialog { title = old and "Rename" or "New account",
      view = function() return column { field { id = "account_name", hint = "Name", max = 20, text = old and old.name or "" } } end,
      cancel = "Cancel", ok = "OK", on_ok = function()
        local n = trim(self:text("account_name"))
        if n == "" then toast("Give it a name") return true end
        if old then old.name = n return end
        table.insert(storage.accounts, { id = #storage.accounts + 1, name = n, cents = 0 })
      end }
  end,
  menu = function(self)
    return { { "Transfer", id = "transfer", on_click = function() self:start("Transfer") end },
             { "New account", id = "new_account", on_click = function() self:ask() end } }
  end,
  view = function(self)
    local total = 0
    for _, a in ipairs(storage.accounts) do total = total + a.cents end
    return column {
      toolbar { "Accounts", up = true },
      text { "All accounts " .. money(total), id = "all_accounts" },
      list { id = "accounts", items = storage.accounts,
        row = function(a) return row { text { a.name, id = "account", weight = 1 }, text { money(a.cents), id = "balance" } } end,
        on_item_click = function(_, a) self:ask(a) end },
    }
  end,
}

activity "Transfer" {
  create = function(self, intent, saved)
    self.from = saved and saved.from or 2
    self.to = saved and saved.to or 1
  end,
  save = function(self, out) out.from, out.to = self.from, self.to end,
  move = function(self)
    local cents = parse_money(self:text("sum"))
    if not cents then return toast("An amount up to 100000, please") end
    if self.from == self.to then return toast("Choose two accounts") end
    local from, to = storage.accounts[self.from], storage.accounts[self.to]
    from.cents = from.cents - cents
    if bug("transfer_cents") then cents = cents // 100 * 100 end
    to.cents = to.cents + cents
    self:finish()
  end,
  view = function(self)
    local names = each(storage.accounts, function(a) return a.name end)
    return column {
      toolbar { "Transfer", up = true },
      scroll {
        row { text { "From", weight = 1 }, spinner { id = "from", items = names, selected = self.from, on_change = function(i) self.from = i end } },
        row { text { "To", weight = 1 }, spinner { id = "to", items = names, selected = self.to, on_change = function(i) self.to = i end } },
        field { id = "sum", hint = "Amount", input = "decimal", max = 9 },
        button { "Transfer", id = "do_transfer", on_click = function() self:move() end },
      },
    }
  end,
}

activity "Months" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,
  view = function(self)
    local months, sum = {}, 0
    for m = this_month(), this_month() - 11, -1 do
      local cents = self.tab == 1 and spent(m) or self.tab == 2 and earned(m) or 0
      sum = sum + cents
      table.insert(months, { m = m, cents = cents })
    end
    return column {
      toolbar { "Months", up = true },
      tabs { id = "what", titles = { "Out", "In" }, selected = self.tab, on_change = function(i) self.tab = i end },
      text { "Twelve months: " .. money(sum), id = "year_sum" },
      list { id = "months", items = months,
        row = function(x) return row { text { month_name(x.m), id = "month_row", weight = 1 }, text { money(x.cents), id = "month_sum" } } end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    local signs = { "$", "€", "£" }
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Currency", size = "small" },
        radios { id = "currency", items = { "Dollar", "Euro", "Pound" }, selected = index_of(signs, prefs.currency), on_change = function(i) prefs.currency = signs[i] end },
        switch { "Sign behind the amount", id = "sign_behind", checked = prefs.sign_behind, on_change = function(on) prefs.sign_behind = on end },
      },
    }
  end,
}
