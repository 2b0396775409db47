-- Kitty: what a group spends together. Expenses in two currencies, balances, transfers, a bin, members.
--
-- An expense: { id, title, cents, currency, kind, payer, sharers = { member ids }, day, transfer = true or nil, checked }.
-- Money is kept in cents of the currency it was paid in; everything is shown in euros.

local KINDS = { "Food", "Transport", "Lodging", "Fun", "Other" }
local CURRENCIES = { "EUR", "GBP" }
local SORTS = { "By day", "By amount", "By title" }
local DAY = 24 * 3600 * 1000

app {
  package = "org.example.kitty",
  title = "Kitty",
  main = "Main",
  bugs = { "lost_cent", "edit_resets_kind", "rotate_resets_sharers", "swipe_unsorted", "undo_keeps_total", "old_name_in_rows",
    "pounds_as_euros", "transfer_is_spending" },
  application = function()
    if storage.expenses then return end
    storage.members = { { id = 1, name = "Ana" }, { id = 2, name = "Ben" }, { id = 3, name = "Carla" }, { id = 4, name = "Dov" } }
    local start = now() - 6 * DAY
    storage.first_day = start
    storage.expenses = {
      { id = 1, title = "Ferry tickets", cents = 12400, currency = "EUR", kind = 2, payer = 1, sharers = { 1, 2, 3, 4 }, day = 1 },
      { id = 2, title = "Cottage", cents = 36000, currency = "GBP", kind = 3, payer = 2, sharers = { 1, 2, 3, 4 }, day = 1 },
      { id = 3, title = "Fish and chips", cents = 4150, currency = "GBP", kind = 1, payer = 3, sharers = { 1, 2, 3 }, day = 2 },
      { id = 4, title = "Museum", cents = 2800, currency = "EUR", kind = 4, payer = 4, sharers = { 3, 4 }, day = 3 },
      { id = 5, title = "Bus day pass", cents = 1960, currency = "EUR", kind = 2, payer = 1, sharers = { 1, 2, 3, 4 }, day = 3 },
      { id = 6, title = "Groceries", cents = 5325, currency = "EUR", kind = 1, payer = 2, sharers = { 1, 2, 3, 4 }, day = 4 },
      { id = 7, title = "Dov pays Ben back", cents = 6000, currency = "EUR", kind = 5, payer = 4, sharers = { 2 }, day = 5, transfer = true },
      { id = 8, title = "Ice cream", cents = 1180, currency = "EUR", kind = 1, payer = 3, sharers = { 1, 2, 3, 4 }, day = 5 },
    }
    storage.bin = {}
    storage.next_id = 20
    prefs.rate = 120                    -- cents for a pound
    prefs.confirm = false
    prefs.whole = false
    storage.spent = 0
    for _, e in ipairs(storage.expenses) do
      if not e.transfer then storage.spent = storage.spent + (e.currency == "GBP" and e.cents * prefs.rate // 100 or e.cents) end
    end
  end,
}

local function euros(e)
  return e.currency == "GBP" and e.cents * prefs.rate // 100 or e.cents
end

local function money(cents)
  local sign = cents < 0 and "-" or ""
  cents = math.abs(cents)
  if prefs.whole then return sign .. (cents + 50) // 100 .. " €" end
  return format("%s%d.%02d €", sign, cents // 100, cents % 100)
end

local function expense_of(id) return find(storage.expenses, function(e) return e.id == id end) end
local function member_of(id) return find(storage.members, function(m) return m.id == id end) end
local function name_of(id) return (member_of(id) or { name = "Somebody" }).name end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function payer_name(e)
  if bug("old_name_in_rows") and e.payer_name then return e.payer_name end
  return name_of(e.payer)
end

-- Transfers between members are no spending of the group.
local function count_in(e, sign)
  if e.transfer and not bug("transfer_is_spending") then return end
  storage.spent = storage.spent + sign * euros(e)
end

local function recount()
  storage.spent = 0
  for _, e in ipairs(storage.expenses) do
    if not e.transfer then storage.spent = storage.spent + euros(e) end
  end
end

local function remove_expense(e)
  local at = index_of(storage.expenses, e)
  if not at then return end
  table.remove(storage.expenses, at)
  table.insert(storage.bin, 1, e)
  count_in(e, -1)
  return at
end

-- Cents that cannot be divided are paid by the first sharers, a cent each.
local function parts(e)
  local result, n, all = {}, #e.sharers, euros(e)
  for i, id in ipairs(e.sharers) do
    local part = all // n
    if not bug("lost_cent") and i <= all % n then part = part + 1 end
    result[id] = part
  end
  return result
end

local function balances()
  local of = {}
  for _, m in ipairs(storage.members) do of[m.id] = 0 end
  for _, e in ipairs(storage.expenses) do
    of[e.payer] = (of[e.payer] or 0) + euros(e)
    for id, part in pairs(parts(e)) do of[id] = (of[id] or 0) - part end
  end
  return of
end

-- Who owes most pays who is owed most, until nobody owes anything.
local function settlement()
  local of, plan = balances(), {}
  for _ = 1, 2 * #storage.members do
    local low, high
    for _, m in ipairs(storage.members) do
      if not low or of[m.id] < of[low] then low = m.id end
      if not high or of[m.id] > of[high] then high = m.id end
    end
    if not low or of[low] > -50 or of[high] < 50 then break end      -- less than half a euro is not worth a transfer
    local cents = math.min(-of[low], of[high])
    table.insert(plan, { from = low, to = high, cents = cents })
    of[low], of[high] = of[low] + cents, of[high] - cents
  end
  return plan
end

local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

-- ---- the three tabs ----

activity "Main" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
    self.sort = saved and saved.sort or 1
  end,
  save = function(self, out) out.tab, out.sort = self.tab, self.sort end,

  shown = function(self)
    local items = copy(storage.expenses)
    if self.sort == 1 then table.sort(items, function(a, b) return a.day > b.day end) end
    if self.sort == 2 then table.sort(items, function(a, b) return euros(a) > euros(b) end) end
    if self.sort == 3 then table.sort(items, function(a, b) return a.title < b.title end) end
    return items
  end,

  delete = function(self, e)
    local at = remove_expense(e)
    if not at then return end
    self:snackbar(e.title .. " deleted", "Undo", function()
      local _, in_bin = find(storage.bin, function(b) return b.id == e.id end)
      if not in_bin then return end
      table.remove(storage.bin, in_bin)
      table.insert(storage.expenses, math.min(at, #storage.expenses + 1), e)
      if not bug("undo_keeps_total") then count_in(e, 1) end
    end)
  end,

  swiped = function(self, i, direction)
    local shown = bug("swipe_unsorted") and self.sort > 1 and storage.expenses or self:shown()
    local e = shown[i]
    if not e then return end
    if direction == "right" then
      e.checked = not e.checked or nil                                -- looked at the receipt
    elseif direction == "left" then
      if not prefs.confirm then return self:delete(e) end
      self:dialog { title = "Delete " .. e.title .. "?", ok = "Delete", on_ok = function() self:delete(e) end, cancel = "Cancel" }
    end
  end,

  settle = function(self, t)
    self:dialog { title = name_of(t.from) .. " pays " .. name_of(t.to), message = money(t.cents), cancel = "Cancel", ok = "Paid",
      on_ok = function()
        local e = { id = new_id(), title = name_of(t.from) .. " pays " .. name_of(t.to), cents = t.cents, currency = "EUR", kind = 5,
          payer = t.from, sharers = { t.to }, day = (now() - storage.first_day) // DAY + 1, transfer = true }
        table.insert(storage.expenses, e)
        count_in(e, 1)
      end }
  end,

  menu = function(self)
    return {
      { "Sort", id = "sort", items = each(SORTS, function(name, i)
        return { name, id = "sort_item", checked = self.sort == i, on_click = function() self.sort = i end }
      end) },
      { "By kind", id = "kinds", on_click = function() self:start("Kinds") end },
      { "Members", id = "members", on_click = function() self:start("Members") end },
      { "Bin", id = "bin", on_click = function() self:start("Bin") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  content = function(self)
    if self.tab == 1 then
      return list { id = "expenses", items = self:shown(), empty = text { "No expenses yet", id = "empty" },
        row = function(e)
          return column {
            row { text { (e.checked and "✓ " or "") .. e.title, id = "title", weight = 1 }, text { money(euros(e)), id = "amount" } },
            text { "Day " .. e.day .. ", " .. (e.transfer and "transfer by " or "paid by ") .. payer_name(e), id = "who", size = "small" },
          }
        end,
        on_item_click = function(_, e) self:start("Expense", { id = e.id }) end,
        on_item_swipe = function(i, direction) self:swiped(i, direction) end }
    end
    local of, sum = balances(), 0
    for _, cents in pairs(of) do sum = sum + cents end
    if self.tab == 2 then
      return column {
        list { id = "balances", items = storage.members,
          row = function(m)
            return row { text { m.name, id = "member", weight = 1 }, text { (of[m.id] > 0 and "+" or "") .. money(of[m.id]), id = "balance" } }
          end,
          on_item_click = function(_, m) self:start("Member", { id = m.id }) end },
        text { "All together: " .. money(sum), id = "check" },
      }
    end
    return list { id = "plan", items = settlement(), empty = text { "All square", id = "empty" },
      row = function(t) return text { name_of(t.from) .. " → " .. name_of(t.to) .. ": " .. money(t.cents), id = "transfer" } end,
      on_item_click = function(_, t) self:settle(t) end }
  end,

  view = function(self)
    return column {
      toolbar { "Kitty", subtitle = "Spent together: " .. money(storage.spent) },
      tabs { id = "pages", titles = { "Expenses", "Balances", "Settle up" }, selected = self.tab, on_change = function(i) self.tab = i end },
      self:content(),
      self.tab == 1 and fab { id = "add", desc = "Add expense", on_click = function() self:start("Edit") end },
    }
  end,
}

-- ---- one expense ----

activity "Expense" {
  delete = function(self, e)
    local function go()
      remove_expense(e)
      self:finish()
    end
    if not prefs.confirm then return go() end
    self:dialog { title = "Delete " .. e.title .. "?", ok = "Delete", on_ok = go, cancel = "Cancel" }
  end,
  view = function(self)
    local e = expense_of(self.intent.id)
    if not e then return column { toolbar { "Expense", up = true }, text { "This expense is in the bin", id = "gone" } } end
    local part = parts(e)
    return column {
      toolbar { e.title, up = true, actions = {
        { "Edit", id = "edit", on_click = function() self:start("Edit", { id = e.id }) end },
        { "Delete", id = "delete", on_click = function() self:delete(e) end } } },
      text { money(euros(e)), id = "amount", size = "large" },
      e.currency == "GBP" and text { format("%d.%02d £ at %d.%02d", e.cents // 100, e.cents % 100, prefs.rate // 100, prefs.rate % 100), id = "foreign" },
      text { "Day " .. e.day .. ", " .. date(storage.first_day + (e.day - 1) * DAY, "%Y-%m-%d"), id = "day" },
      text { "Kind: " .. KINDS[e.kind], id = "kind" },
      text { "Paid by " .. payer_name(e), id = "payer" },
      text { "For " .. plural(#e.sharers, "person"):gsub("persons", "people"), id = "sharers" },
      list { id = "parts", items = e.sharers,
        row = function(id) return row { text { name_of(id), id = "sharer", weight = 1 }, text { money(part[id]), id = "part" } } end,
        on_item_click = function(_, id) self:start("Member", { id = id }) end },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local e = intent.id and expense_of(intent.id)
    self.expense = e
    self.payer = saved and saved.payer or e and e.payer or (storage.members[1] or {}).id
    self.kind = saved and saved.kind or e and e.kind or 1
    if bug("edit_resets_kind") and not saved then self.kind = 1 end
    self.currency = saved and saved.currency or e and e.currency or "EUR"
    self.in_it = {}
    for _, m in ipairs(storage.members) do self.in_it[m.id] = not e or index_of(e.sharers, m.id) ~= nil end
    if saved and not bug("rotate_resets_sharers") then
      for _, m in ipairs(storage.members) do self.in_it[m.id] = index_of(saved.sharers, m.id) ~= nil end
    end
  end,
  save = function(self, out) out.payer, out.kind, out.currency, out.sharers = self.payer, self.kind, self.currency, self:sharers() end,

  sharers = function(self)
    local ids = {}
    for _, m in ipairs(storage.members) do
      if self.in_it[m.id] then table.insert(ids, m.id) end
    end
    return ids
  end,

  choose_payer = function(self)
    self:dialog { title = "Paid by", items = each(storage.members, function(m) return m.name end),
      on_item = function(i) self.payer = storage.members[i].id end }
  end,

  store = function(self)
    local title, amount = trim(self:text("title")), tonumber(self:text("amount"))
    if title == "" then return toast("What was it for?") end
    if not amount or amount <= 0 or amount > 100000 then return toast("How much was it?") end
    local sharers = self:sharers()
    if #sharers == 0 then return toast("For whom was it?") end
    local e = self.expense
    if e then count_in(e, -1) end
    local fresh = e or { id = new_id(), day = (now() - storage.first_day) // DAY + 1 }
    fresh.title, fresh.cents, fresh.currency, fresh.kind = title, math.floor(amount * 100 + 0.5), self.currency, self.kind
    fresh.payer, fresh.sharers = self.payer, sharers
    if not e then table.insert(storage.expenses, fresh) end
    count_in(fresh, 1)
    self:finish()
  end,

  view = function(self)
    local e = self.expense
    return column {
      toolbar { e and "Edit expense" or "New expense", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "title", hint = "What for", text = e and e.title or "", max = 40 },
        row {
          field { id = "amount", hint = "Amount", input = "decimal", weight = 1, max = 9, text = e and format("%d.%02d", e.cents // 100, e.cents % 100) or "" },
          spinner { id = "currency", items = CURRENCIES, selected = index_of(CURRENCIES, self.currency),
            on_change = function(_, name) self.currency = name end },
        },
        spinner { id = "kind", items = KINDS, selected = self.kind, on_change = function(i) self.kind = i end },
        button { "Paid by " .. name_of(self.payer), id = "payer", on_click = function() self:choose_payer() end },
        text { "For", id = "for_label", size = "small" },
        each(storage.members, function(m)
          return check { m.name, id = "sharer_" .. m.id, checked = self.in_it[m.id] or false, on_change = function(b) self.in_it[m.id] = b end }
        end),
      },
    }
  end,
}

-- ---- kinds, members, bin ----

activity "Kinds" {
  view = function(self)
    local sums, all = {}, 0
    for i in ipairs(KINDS) do sums[i] = 0 end
    for _, e in ipairs(storage.expenses) do
      if not e.transfer then
        local cents = bug("pounds_as_euros") and e.cents or euros(e)
        sums[e.kind], all = sums[e.kind] + cents, all + cents
      end
    end
    return column {
      toolbar { "By kind", up = true },
      list { id = "kind_list", items = KINDS,
        row = function(name, i)
          return column {
            row { text { name, id = "kind", weight = 1 }, text { money(sums[i]), id = "sum" } },
            progress { value = all > 0 and sums[i] * 100 // all or 0, max = 100 },
          }
        end },
      text { "All: " .. money(all), id = "all" },
    }
  end,
}

activity "Members" {
  ask_name = function(self, m)
    self:set_text("member_name", m and m.name or "")
    self:dialog { title = m and "Rename " .. m.name or "New member", cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "member_name", hint = "Name", max = 20 } } end,
      on_ok = function()
        local name = trim(self:text("member_name"))
        if name == "" then return true end
        if not m then table.insert(storage.members, { id = new_id(), name = name }) return end
        for _, e in ipairs(storage.expenses) do
          if e.payer == m.id then e.payer_name = e.payer_name or m.name end     -- as it was called then
        end
        m.name = name
      end }
  end,
  ask_remove = function(self, m)
    local busy_in = find(storage.expenses, function(e) return e.payer == m.id or index_of(e.sharers, m.id) end)
    if busy_in then return toast(m.name .. " has a part in " .. busy_in.title) end
    table.remove(storage.members, index_of(storage.members, m))
  end,
  view = function(self)
    return column {
      toolbar { "Members", up = true, subtitle = plural(#storage.members, "member") },
      list { id = "member_list", items = storage.members, empty = text { "Nobody", id = "empty" },
        row = function(m) return text { m.name, id = "member" } end,
        on_item_click = function(_, m) self:start("Member", { id = m.id }) end,
        on_item_long_click = function(_, m)
          self:popup {
            { "Rename", id = "rename", on_click = function() self:ask_name(m) end },
            { "Remove", id = "remove", on_click = function() self:ask_remove(m) end },
          }
        end },
      fab { id = "add_member", desc = "Add member", on_click = function() self:ask_name() end },
    }
  end,
}

activity "Member" {
  view = function(self)
    local m = member_of(self.intent.id)
    if not m then return column { toolbar { "Member", up = true }, text { "Has left", id = "gone" } } end
    local paid = filter(storage.expenses, function(e) return e.payer == m.id end)
    local sum = 0
    for _, e in ipairs(paid) do sum = sum + euros(e) end
    return column {
      toolbar { m.name, up = true },
      text { "Balance: " .. money(balances()[m.id] or 0), id = "balance", size = "large" },
      text { "Paid " .. money(sum) .. " in " .. plural(#paid, "expense"), id = "paid" },
      list { id = "paid_list", items = paid, empty = text { "Has paid nothing yet", id = "empty" },
        row = function(e) return row { text { e.title, id = "title", weight = 1 }, text { money(euros(e)), id = "amount" } } end,
        on_item_click = function(_, e) self:start("Expense", { id = e.id }) end },
    }
  end,
}

activity "Bin" {
  view = function(self)
    return column {
      toolbar { "Bin", up = true, actions = { { "Empty bin", id = "empty_bin", on_click = function() storage.bin = {} end } } },
      list { id = "bin_list", items = storage.bin, empty = text { "The bin is empty", id = "empty" },
        row = function(e) return row { text { e.title, id = "title", weight = 1 }, text { money(euros(e)), id = "amount" } } end,
        on_item_click = function(i, e)
          self:dialog { title = "Restore " .. e.title .. "?", cancel = "Cancel", ok = "Restore", on_ok = function()
            if storage.bin[i] ~= e then return end
            table.remove(storage.bin, i)
            table.insert(storage.expenses, e)
            count_in(e, 1)
          end }
        end },
    }
  end,
}

activity "Settings" {
  ask_rate = function(self)
    self:set_text("rate", format("%d.%02d", prefs.rate // 100, prefs.rate % 100))
    self:dialog { title = "Euros for a pound", cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "rate", input = "decimal", max = 5 } } end,
      on_ok = function()
        local rate = tonumber(self:text("rate"))
        if not rate or rate < 0.1 or rate > 10 then return true end
        prefs.rate = math.floor(rate * 100 + 0.5)
        recount()
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Ask before deleting", id = "confirm", checked = prefs.confirm, on_change = function(b) prefs.confirm = b end },
      switch { "Whole euros", id = "whole", checked = prefs.whole, on_change = function(b) prefs.whole = b end },
      button { format("1 £ = %d.%02d €", prefs.rate // 100, prefs.rate % 100), id = "set_rate", on_click = function() self:ask_rate() end },
      text { "Differences under half a euro are not settled.", id = "hint", size = "small" },
    }
  end,
}
