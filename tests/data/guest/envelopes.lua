-- Envelope Budget: income lies under "To assign" until it is put into envelopes; spending comes out of an envelope.
--
-- Every envelope carries its own balance in cents, and so does "To assign"; an entry changes one of them, a move two.
-- Hidden envelopes are kept out of the list and of choices, but their money counts.

app {
  package = "org.guest.envelopes",
  title = "Envelope Budget",
  main = "Envelopes",
  bugs = { "transfer_undo", "delete_money", "amount_tenths", "unhide_on_edit", "log_sort_search", "edit_charges_both",
    "another_replaces", "fill_adds" },
  application = function()
    if storage.pool then return end
    storage.next_id = 50
    storage.pool = { id = 0, name = "To assign", cents = 40000 }
    storage.envelopes = {
      { id = 1, name = "Groceries", group = "Food", plan = 20000, cents = 8450 },
      { id = 2, name = "Eating out", group = "Food", plan = 6000, cents = 1250 },
      { id = 3, name = "Household", group = "Home", plan = 5000, cents = 5000 },
      { id = 4, name = "Cinema", group = "Fun", plan = 3000, cents = 1800 },
      { id = 5, name = "Old car", group = "Home", plan = 0, cents = 9000, hidden = true },
    }
    storage.entries = {
      { id = 11, income = true, cents = 90000, what = "Wages", day = "2024-02-01" },
      { id = 12, envelope = 4, cents = 1200, what = "Film night", day = "2024-02-17" },
      { id = 13, envelope = 3, cents = 999, what = "Lamp given back", day = "2024-02-20", refund = true },
      { id = 14, envelope = 2, cents = 2400, what = "Pizza", day = "2024-02-23" },
      { id = 15, envelope = 1, cents = 3275, what = "Market", day = "2024-02-24" },
      { id = 16, envelope = 1, cents = 840, what = "Bakery", day = "2024-02-27" },
    }
    prefs.sign, prefs.warn, prefs.ask = 1, 2, true
  end,
}

local GROUPS = { "Food", "Home", "Fun", "Other" }
local SIGNS = { "", "€", "$" }
local WARN = { 0, 10, 25, 50 }
local MONTHS = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December" }
local MAX_ENVELOPES, MAX_ENTRIES = 30, 200

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function envelope_of(id) return by_id(storage.envelopes, id) end
local function entry_of(id) return by_id(storage.entries, id) end
local function today() return date(now(), "%Y-%m-%d") end

-- ---- money and days ----

local function plain(cents) return format("%d.%02d", cents // 100, cents % 100) end
local function money(cents)
  local text = plain(math.abs(cents))
  return (cents < 0 and "-" or "") .. (SIGNS[prefs.sign] ~= "" and SIGNS[prefs.sign] .. " " or "") .. text
end

-- "7", "7.5" and "7.50"; nothing for what is no amount.
local function to_cents(text)
  local whole, rest = trim(text):match("^(%d+)%.?(%d?%d?)$")
  if not whole or #whole > 6 then return nil end
  if #rest == 1 and not bug("amount_tenths") then rest = rest .. "0" end
  local cents = tonumber(whole) * 100 + (tonumber(rest) or 0)
  return cents > 0 and cents or nil
end

local function day_text(day) return day:sub(9) .. "." .. day:sub(6, 7) .. "." .. day:sub(1, 4) end
local function is_day(s)
  local y, m, d = s:match("^(20%d%d)%-(%d%d)%-(%d%d)$")
  y, m, d = tonumber(y), tonumber(m), tonumber(d)
  if not y or m < 1 or m > 12 or d < 1 or s > today() then return false end
  local longest = m == 2 and (y % 4 == 0 and 29 or 28) or (m == 4 or m == 6 or m == 9 or m == 11) and 30 or 31
  return d <= longest
end

local function total()
  local sum = storage.pool.cents
  for _, e in ipairs(storage.envelopes) do sum = sum + e.cents end
  return sum
end

local function account(id) return envelope_of(id) or storage.pool end

-- What an entry does to the money; `times` -1 takes it back.
local function book(x, times)
  local into = (x.income or x.refund) and 1 or -1
  local a = x.income and storage.pool or envelope_of(x.envelope)
  if a then a.cents = a.cents + x.cents * into * times end
end

local function signed(x) return (x.income or x.refund) and "+" .. money(x.cents) or money(-x.cents) end

local function delete_entry(self, x)
  local function go()
    book(x, -1)
    storage.entries = filter(storage.entries, function(y) return y ~= x end)
  end
  if not prefs.ask then return go() end
  self:dialog { title = "Delete this entry?", message = x.what .. ", " .. signed(x), cancel = "Cancel", ok = "Delete", on_ok = go }
end

local function leave(self)
  if self:state() == self.before then return self:finish() end
  self:dialog { title = "Discard changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
end

local function visible() return filter(storage.envelopes, function(e) return not e.hidden end) end

local function mark(e)
  if e.cents < 0 then return ", overspent" end
  return e.plan > 0 and e.cents * 100 < e.plan * WARN[prefs.warn] and ", low" or ""
end

local function entry_list(self, items)
  return list { id = "entries", items = items, empty = text { "No entries", id = "empty" },
    row = function(x)
      return column { id = "entry_row", text { x.what, id = "what" },
        text { signed(x) .. ", " .. day_text(x.day) .. ", " .. (x.income and "income" or envelope_of(x.envelope).name), id = "facts", size = "small" } }
    end,
    on_item_click = function(_, x) self:start("EntryForm", { id = x.id }) end,
    on_item_long_click = function(_, x) delete_entry(self, x) end }
end

-- ---- envelopes ----

activity "Envelopes" {
  create = function(self, intent, saved) self.all = saved and saved.all or false end,      -- for this visit only
  save = function(self, out) out.all = self.all end,
  result = function(self, request, data)
    if request ~= "move" or not data then return end
    local from, to, cents = account(data.from), account(data.to), data.cents
    from.cents, to.cents = from.cents - cents, to.cents + cents
    self:snackbar(money(cents) .. " moved to " .. to.name, "Undo", function()
      from, to = account(data.from), account(data.to)
      from.cents = from.cents + cents
      if not bug("transfer_undo") then to.cents = to.cents - cents end
    end)
  end,
  fill = function(self)
    local sum, wanting = 0, {}
    for _, e in ipairs(visible()) do
      local missing = bug("fill_adds") and e.plan or e.plan - e.cents
      if missing > 0 then
        sum = sum + missing
        table.insert(wanting, { envelope = e, cents = missing })
      end
    end
    if sum == 0 or sum > storage.pool.cents then
      return self:dialog { title = sum == 0 and "Nothing to fill" or "Not enough to assign", ok = "OK",
        message = sum == 0 and "Every envelope holds what is planned." or money(sum) .. " are needed." }
    end
    self:dialog { title = "Fill by plan?", message = money(sum) .. " go into " .. #wanting .. " of the envelopes.", cancel = "Cancel", ok = "Fill",
      on_ok = function()
        for _, w in ipairs(wanting) do w.envelope.cents = w.envelope.cents + w.cents end
        storage.pool.cents = storage.pool.cents - sum
      end }
  end,
  delete = function(self, e)
    self:dialog { title = "Delete " .. e.name .. "?", message = "Its entries go with it, its " .. money(e.cents) .. " go back to To assign.",
      cancel = "Cancel", ok = "Delete", on_ok = function()
        storage.envelopes = filter(storage.envelopes, function(x) return x ~= e end)
        storage.entries = filter(storage.entries, function(x) return x.envelope ~= e.id end)
        if not bug("delete_money") then storage.pool.cents = storage.pool.cents + e.cents end
      end }
  end,
  envelope_menu = function(self, e)
    self:popup {
      { "Edit", id = "edit", on_click = function() self:start("EnvelopeForm", { id = e.id }) end },
      { e.hidden and "Show again" or "Hide", id = "hide", on_click = function() e.hidden = not e.hidden or nil end },
      { "Delete", id = "delete", on_click = function() self:delete(e) end },
    }
  end,
  menu = function(self)
    return {
      { "Fill by plan", id = "fill", on_click = function() self:fill() end },
      { "Move money", id = "move", on_click = function() self:start_for_result("MoveForm", "move") end },
      { "Income", id = "income", on_click = function() self:start("EntryForm", { income = true }) end },
      { "New envelope", id = "new_envelope", on_click = function() self:start("EnvelopeForm") end },
      { "Hidden ones too", id = "show_hidden", checked = self.all, on_click = function() self.all = not self.all end },
      { "All entries", id = "log", on_click = function() self:start("Log") end },
      { "Months", id = "months", on_click = function() self:start("Months") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Envelopes" },
      text { "To assign: " .. money(storage.pool.cents), id = "pool", size = "large" },
      text { "In all: " .. money(total()) .. ", with hidden envelopes", id = "total", size = "small" },
      list { id = "envelopes", items = self.all and storage.envelopes or visible(), empty = text { "No envelopes", id = "empty" },
        row = function(e)
          return column { id = "envelope_row", text { e.name .. (e.hidden and " (hidden)" or ""), id = "name" },
            text { money(e.cents) .. (e.plan > 0 and " of " .. money(e.plan) .. " planned" or "") .. mark(e), id = "balance", size = "small" } }
        end,
        on_item_click = function(_, e) self:start("Envelope", { id = e.id }) end,
        on_item_long_click = function(_, e) self:envelope_menu(e) end },
      fab { id = "add", desc = "New entry", on_click = function() self:start("EntryForm") end },
    }
  end,
}

activity "Envelope" {
  view = function(self)
    local e = envelope_of(self.intent.id)
    if not e then return column { toolbar { "Envelope", up = true }, text { "This envelope is gone", id = "gone" } } end
    local items = filter(storage.entries, function(x) return x.envelope == e.id end)
    table.sort(items, function(a, b) return a.day > b.day end)
    return column {
      toolbar { e.name, up = true, subtitle = e.group, actions = { { "Edit", id = "edit", on_click = function() self:start("EnvelopeForm", { id = e.id }) end } } },
      text { "Left: " .. money(e.cents) .. mark(e), id = "left", size = "large" },
      text { e.plan > 0 and "Planned: " .. money(e.plan) or "Nothing planned", id = "plan" },
      entry_list(self, items),
      fab { id = "add", desc = "New entry", on_click = function() self:start("EntryForm", { envelope = e.id }) end },
    }
  end,
}

activity "EnvelopeForm" {
  create = function(self, intent, saved)
    local e = envelope_of(intent.id)
    self.group = saved and saved.group or e and index_of(GROUPS, e.group) or 1
    if saved then self.before = saved.before return end
    self:set_text("name", e and e.name or "")
    self:set_text("plan", e and e.plan > 0 and plain(e.plan) or "")
    self.before = self:state()
  end,
  save = function(self, out) out.group, out.before = self.group, self.before end,
  state = function(self) return self.group .. "|" .. self:text("name") .. "|" .. self:text("plan") end,
  back = function(self) leave(self) return true end,
  store = function(self)
    local e, name, plan = envelope_of(self.intent.id), trim(self:text("name")), trim(self:text("plan"))
    if name == "" then return toast("Give it a name") end
    if find(storage.envelopes, function(x) return x ~= e and x.name:lower() == name:lower() end) then return toast("There is one of this name") end
    if plan ~= "" and tonumber(plan) ~= 0 and not to_cents(plan) then return toast("What do you plan?") end
    if not e then
      if #storage.envelopes >= MAX_ENVELOPES then return toast("Too many envelopes") end
      e = { id = new_id(), cents = 0 }
      table.insert(storage.envelopes, e)
    end
    e.name, e.group, e.plan = name, GROUPS[self.group], to_cents(plan) or 0
    if bug("unhide_on_edit") then e.hidden = nil end
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { self.intent.id and "Edit envelope" or "New envelope", up = function() leave(self) end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", max = 20 },
      field { id = "plan", hint = "Planned for a month", input = "decimal", max = 9 },
      spinner { id = "group", items = GROUPS, selected = self.group, on_change = function(i) self.group = i end },
    }
  end,
}

-- ---- moves and entries ----

activity "MoveForm" {
  create = function(self, intent, saved)
    self.places = { storage.pool, table.unpack(visible()) }
    self.from, self.to = saved and saved.from or 1, saved and saved.to or math.min(2, #self.places)
    self.before = saved and saved.before or self:state()
  end,
  save = function(self, out) out.from, out.to, out.before = self.from, self.to, self.before end,
  state = function(self) return self.from .. "|" .. self.to .. "|" .. self:text("amount") end,
  back = function(self) leave(self) return true end,
  store = function(self)
    local from, to, cents = self.places[self.from], self.places[self.to], to_cents(self:text("amount"))
    if from == to then return toast("Choose two different places") end
    if not cents then return toast("How much?") end
    if cents > from.cents then return self:snackbar("There is only " .. money(from.cents) .. " in " .. from.name) end
    self:finish { from = from.id, to = to.id, cents = cents }
  end,
  view = function(self)
    local names = each(self.places, function(a) return a.name .. ": " .. money(a.cents) end)
    return column {
      toolbar { "Move money", up = function() leave(self) end, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      text { "From", size = "small" },
      spinner { id = "from", items = names, selected = self.from, on_change = function(i) self.from = i end },
      text { "To", size = "small" },
      spinner { id = "to", items = names, selected = self.to, on_change = function(i) self.to = i end },
      field { id = "amount", hint = "Amount", input = "decimal", max = 9 },
    }
  end,
}

activity "EntryForm" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.id = saved.id or intent.id
    local x = entry_of(self.id) or {}
    self.income = x.income or intent.income
    self.choices = filter(storage.envelopes, function(e) return not e.hidden or e.id == x.envelope or e.id == intent.envelope end)
    self.envelope = saved.envelope or x.envelope or intent.envelope or self.choices[1] and self.choices[1].id
    self.refund = saved.refund or saved.before == nil and x.refund or false
    if saved.before then self.before = saved.before return end
    self:set_text("amount", x.cents and plain(x.cents) or "")
    self:set_text("what", x.what or "")
    self:set_text("day", x.day or today())
    self.before = self:state()
  end,
  save = function(self, out) out.id, out.envelope, out.refund, out.before = self.id, self.envelope, self.refund, self.before end,
  state = function(self)
    return table.concat({ self:text("amount"), self:text("what"), self:text("day"), tostring(self.envelope), tostring(self.refund) }, "|")
  end,
  back = function(self) leave(self) return true end,
  store = function(self)
    local cents, what, day = to_cents(self:text("amount")), trim(self:text("what")), trim(self:text("day"))
    if not cents then return toast("How much?") end
    if what == "" then return toast("What was it?") end
    if not is_day(day) then return toast("The day must be like 2024-02-27 and not in the future") end
    if not self.income and not envelope_of(self.envelope) then return toast("Make an envelope first") end
    local x = entry_of(self.id)
    if x then
      if not (bug("edit_charges_both") and x.envelope ~= self.envelope) then book(x, -1) end
    else
      if #storage.entries >= MAX_ENTRIES then return toast("Too many entries") end
      x = { id = new_id(), income = self.income }
      table.insert(storage.entries, x)
    end
    x.cents, x.what, x.day, x.refund = cents, what, day, self.refund or nil
    if not self.income then x.envelope = self.envelope end
    book(x, 1)
    return x
  end,
  another = function(self)
    local x = self:store()
    if not x then return end
    if bug("another_replaces") then self.id = x.id end
    self.refund = false
    self:set_text("amount", "")
    self:set_text("what", "")
    self.before = self:state()
  end,
  view = function(self)
    local chosen = index_of(self.choices, envelope_of(self.envelope))
    return column {
      toolbar { (self.intent.id and "Edit " or "New ") .. (self.income and "income" or "entry"), up = function() leave(self) end, actions = {
        { "Save", id = "save", on_click = function()
          if self:store() then self:finish() end
        end },
        not self.intent.id and { "Save and another", id = "another", on_click = function() self:another() end } or nil } },
      scroll {
        not self.income and spinner { id = "envelope", items = each(self.choices, function(e) return e.name end), selected = chosen,
          on_change = function(i) self.envelope = self.choices[i].id end },
        field { id = "amount", hint = "Amount", input = "decimal", max = 9 },
        field { id = "what", hint = "What", max = 30 },
        field { id = "day", hint = "Day, like 2024-02-27", max = 10 },
        not self.income and check { "Money that came back", id = "refund", checked = self.refund, on_change = function(b) self.refund = b end },
      },
    }
  end,
}

-- ---- all entries, months, settings ----

activity "Log" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.query, self.order = saved.query or "", saved.order or 1
  end,
  save = function(self, out) out.query, out.order = self.query, self.order end,
  shown = function(self)
    local query = trim(self.query):lower()
    local items = filter(storage.entries, function(x) return query == "" or contains(x.what:lower(), query) end)
    local by_amount = self.order == 2 and not (query ~= "" and bug("log_sort_search"))
    table.sort(items, function(a, b)
      if by_amount and a.cents ~= b.cents then return a.cents > b.cents end
      return a.day > b.day
    end)
    return items
  end,
  view = function(self)
    return column {
      toolbar { "All entries", up = true },
      field { id = "query", hint = "Search", max = 20, on_change = function(s) self.query = s end },
      spinner { id = "log_order", items = { "Newest first", "Largest first" }, selected = self.order, on_change = function(i) self.order = i end },
      entry_list(self, self:shown()),
    }
  end,
}

activity "Months" {
  create = function(self, intent, saved) self.month = saved and saved.month or today():sub(1, 7) end,
  save = function(self, out) out.month = self.month end,
  go = function(self, by)
    local n = tonumber(self.month:sub(1, 4)) * 12 + tonumber(self.month:sub(6)) - 1 + by
    self.month = format("%04d-%02d", n // 12, n % 12 + 1)
  end,
  view = function(self)
    local income, spent, sums = 0, 0, {}
    for _, x in ipairs(filter(storage.entries, function(e) return e.day:sub(1, 7) == self.month end)) do
      if x.income then
        income = income + x.cents
      else
        local group, cents = envelope_of(x.envelope).group, x.refund and -x.cents or x.cents
        spent, sums[group] = spent + cents, (sums[group] or 0) + cents
      end
    end
    return column {
      toolbar { "Months", up = true },
      row {
        button { "Earlier", id = "earlier", enabled = self.month > "2023-01", on_click = function() self:go(-1) end },
        text { MONTHS[tonumber(self.month:sub(6))] .. " " .. self.month:sub(1, 4), id = "month" },
        button { "Later", id = "later", enabled = self.month < today():sub(1, 7), on_click = function() self:go(1) end },
      },
      scroll {
        text { "Income: " .. money(income), id = "income" },
        text { "Spent: " .. money(spent), id = "spent" },
        each(GROUPS, function(g) return text { g .. ": " .. money(sums[g] or 0), id = "group_sum" } end),
        text { "What came back is taken off; moves between envelopes do not count", id = "note", size = "small" },
      },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Currency", size = "small" },
        spinner { id = "currency", items = { "No sign", "€", "$" }, selected = prefs.sign, on_change = function(i) prefs.sign = i end },
        text { "An envelope is low under", size = "small" },
        spinner { id = "warn", items = each(WARN, function(w) return w .. " % of the plan" end), selected = prefs.warn, on_change = function(i) prefs.warn = i end },
        switch { "Ask before deleting entries", id = "ask", checked = prefs.ask, on_change = function(b) prefs.ask = b end },
      },
    }
  end,
}
