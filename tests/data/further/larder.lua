-- Larder: what is in the fridge, the pantry and the cellar, until when it keeps, and what must be bought.
--
-- Amounts are kept in the unit of the item; entries of the shopping list have their own unit and are converted when put away.

local DAY = 24 * 60 * 60 * 1000
local MAX_ITEMS, MAX_PLACES, MAX_ENTRIES = 120, 15, 60
local UNITS = { "pcs", "g", "kg", "ml", "l" }
local FACTORS = { pcs = 1, g = 1, kg = 1000, ml = 1, l = 1000 }
local KINDS = { pcs = "pieces", g = "weight", kg = "weight", ml = "volume", l = "volume" }
local STEPS = { pcs = 1, g = 50, kg = 0.25, ml = 50, l = 0.25 }
local WARNINGS = { 3, 7, 14 }
local CURRENCIES = { "€", "$", "£" }
local SORTS = { { "By name", "name" }, { "By best before", "best" }, { "By place", "place" } }

local function today() return now() // DAY end
local function round(n) return math.floor(n * 1000 + 0.5) / 1000 end
local function amount_text(n, unit) return format("%.10g %s", round(n), unit) end
local function money(cents) return format("%s%.2f", prefs.currency, cents / 100) end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function item_of(id) return by_id(storage.items, id) end
local function place_of(id) return by_id(storage.places, id) end
local function place_name(id) return place_of(id) and place_of(id).name or "No place" end
local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

app {
  package = "org.norn.larder", title = "Larder", main = "Main",
  bugs = { "unit_mix", "expires_today", "select_by_position", "low_twice", "edit_truncates", "place_orphans", "search_sticks", "stale_total" },
  application = function()
    if storage.items then return end
    storage.next_id = 100
    storage.places = { { id = 1, name = "Fridge" }, { id = 2, name = "Pantry" }, { id = 3, name = "Freezer" }, { id = 4, name = "Cellar" } }
    storage.items, storage.log = {}, {}
    for i, x in ipairs {       -- name, place, unit, amount, minimum, price in cents, days it keeps
      { "Flour", 2, "kg", 1.5, 1, 120, 200 }, { "Butter", 1, "kg", 0.5, 0.25, 890, 20 }, { "Milk", 1, "l", 2, 1, 115, 4 },
      { "Eggs", 1, "pcs", 8, 8, 30, 9 }, { "Yoghurt", 1, "pcs", 3, 2, 65, 0 }, { "Rice", 2, "kg", 2, 1, 210, 300 },
      { "Tinned tomatoes", 2, "pcs", 5, 3, 89, 400 }, { "Peas", 3, "kg", 0.75, 0.5, 320, 150 }, { "Coffee", 2, "kg", 0.25, 0.5, 1490, 80 },
      { "Apple juice", 4, "l", 6, 2, 149, 120 }, { "Potatoes", 4, "kg", 4, 2, 139, 15 }, { "Cheddar", 1, "pcs", 1, 1, 349, -2 },
      { "Fish fingers", 3, "pcs", 20, 10, 25, 90 }, { "Honey", 2, "pcs", 2, 1, 549 },
    } do
      storage.items[i] = { id = i, name = x[1], place = x[2], unit = x[3], amount = x[4], min = x[5], price = x[6],
        best = x[7] and today() + x[7] or nil, note = "" }
    end
    storage.list = {
      { id = 51, item = 1, amount = 500, unit = "g" }, { id = 52, item = 4, amount = 10, unit = "pcs" },
      { id = 53, name = "Dish soap", amount = 1, unit = "pcs" }, { id = 54, item = 3, amount = 2, unit = "l" },
    }
    prefs.sort, prefs.currency, prefs.warning, prefs.auto_add, prefs.confirm = "name", "€", 7, true, true
  end,
}

-- The stock -----------------------------------------------------------------------------------------------

local function convert(n, from, to)
  if bug("unit_mix") or KINDS[from] ~= KINDS[to] then return n end
  return round(n * FACTORS[from] / FACTORS[to])
end

local function is_low(item) return item.amount < item.min end
local function value_of(item) return math.floor(item.price * item.amount + 0.5) end

local function best_text(item)
  if not item.best then return "keeps" end
  local days = item.best - today()
  if days < 0 then return days == -1 and "expired yesterday" or "expired " .. -days .. " days ago" end
  if days == 0 then return "best before today" end
  return days == 1 and "best before tomorrow" or "keeps " .. days .. " days"
end

local function write_log(item, n)
  local line = { time = now(), item = item.id, name = item.name, text = (n < 0 and "−" or "+") .. amount_text(math.abs(n), item.unit) }
  table.insert(storage.log, line)
  if #storage.log > 200 then table.remove(storage.log, 1) end
  return line
end

local function forget(list, x)
  local i = index_of(list, x)
  if i then table.remove(list, i) end
end

local function entry_for(item) return (find(storage.list, function(e) return e.item == item.id and not e.bought end)) end

local function add_entry(entry)
  if #storage.list >= MAX_ENTRIES then return toast("The list is full") end
  entry.id = new_id()
  table.insert(storage.list, entry)
  return entry
end

local function add_item_to_list(item) return add_entry { item = item.id, amount = math.max(item.min, STEPS[item.unit]), unit = item.unit } end

-- Takes something out; what falls below its minimum goes to the shopping list. Returns how to take it back.
local function use(item, n)
  n = math.min(n, item.amount)
  if n <= 0 then return nil end
  item.amount = round(item.amount - n)
  local line, entry, unit = write_log(item, -n), nil, item.unit
  if prefs.auto_add and is_low(item) and (bug("low_twice") or not entry_for(item)) then entry = add_item_to_list(item) end
  return function()
    if item.unit ~= unit then return end
    item.amount = round(item.amount + n)
    forget(storage.log, line)
    if entry and not entry.bought then forget(storage.list, entry) end
  end
end

local function put_in(item, n)
  item.amount = round(item.amount + n)
  write_log(item, n)
end

local function delete_item(item)
  for _, e in ipairs(storage.list) do
    if e.item == item.id then e.item, e.name = nil, item.name end
  end
  forget(storage.items, item)
end

local function sorted(items)
  local result = copy(items)
  table.sort(result, function(a, b)
    if prefs.sort == "best" and a.best ~= b.best then return (a.best or math.huge) < (b.best or math.huge) end
    if prefs.sort == "place" and place_name(a.place) ~= place_name(b.place) then return place_name(a.place):lower() < place_name(b.place):lower() end
    return a.name:lower() < b.name:lower()
  end)
  return result
end

local function item_row(item, chosen)
  return column { id = "item_row", selected = chosen,
    text { (chosen and "✓ " or "") .. item.name, id = "name", size = "large" },
    text { amount_text(item.amount, item.unit) .. " · " .. place_name(item.place) .. " · " .. best_text(item), id = "state", size = "small" } }
end

local function item_list(self, id, items, nothing)
  return list { id = id, items = items, empty = text { nothing, id = "empty" }, row = function(item) return item_row(item) end,
    on_item_click = function(_, item) self:start("Item", { id = item.id }) end }
end

local function ask_place(self, title, chosen)
  local names = each(storage.places, function(p) return p.name end)
  table.insert(names, "No place")
  self:dialog { title = title, items = names, on_item = function(i) chosen(storage.places[i] and storage.places[i].id) end, cancel = "Cancel" }
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.query, self.searching, self.place, self.picked = saved.query or "", saved.searching, saved.place or "all", saved.picked
  end,
  save = function(self, out) out.query, out.searching, out.place, out.picked = self.query, self.searching, self.place, self.picked end,
  resume = function(self)
    if type(self.place) == "number" and not place_of(self.place) then self.place = "all" end
    if self.picked then self.picked = filter(self.picked, item_of) end
    if self.picked and #self.picked == 0 then self.picked = nil end
  end,
  back = function(self)
    if self.picked then self.picked = nil return true end
    if self.searching then self:close_search() return true end
    return false
  end,
  close_search = function(self)
    self.searching = false
    if not bug("search_sticks") then self.query = "" end
    self:set_text("query", "")
    self:hide_keyboard()
  end,
  shown = function(self)
    local query = trim(self.query):lower()
    return filter(sorted(storage.items), function(item)
      if self.place == "none" and item.place or type(self.place) == "number" and item.place ~= self.place then return false end
      return contains(item.name:lower(), query)
    end)
  end,

  -- Selection
  key = function(self, i, item) return bug("select_by_position") and i or item.id end,
  chosen = function(self, i, item) return self.picked ~= nil and index_of(self.picked, self:key(i, item)) ~= nil end,
  toggle = function(self, i, item)
    self.picked = self.picked or {}
    if self:chosen(i, item) then forget(self.picked, self:key(i, item)) else table.insert(self.picked, self:key(i, item)) end
    if #self.picked == 0 then self.picked = nil end
  end,
  chosen_items = function(self)
    local shown = self:shown()
    return filter(shown, function(item) return self:chosen(index_of(shown, item), item) end)
  end,
  done = function(self, message) self.picked = nil toast(message) end,
  delete_chosen = function(self)
    local items = self:chosen_items()
    local function delete()
      for _, item in ipairs(items) do delete_item(item) end
      self:done(#items .. " deleted")
    end
    if not prefs.confirm then return delete() end
    self:dialog { title = "Delete " .. #items .. (#items == 1 and " item?" or " items?"), ok = "Delete", on_ok = delete, cancel = "Cancel" }
  end,
  move_chosen = function(self)
    ask_place(self, "Move to", function(place)
      for _, item in ipairs(self:chosen_items()) do item.place = place end
      self:done("Moved")
    end)
  end,
  list_chosen = function(self)
    each(self:chosen_items(), function(item) if not entry_for(item) then add_item_to_list(item) end end)
    self:done("On the shopping list")
  end,
  menu = function(self)
    local function page(title, id, name) return { title, id = id, on_click = function() self:start(name) end } end
    local sort = { "Sort", id = "sort", items = each(SORTS, function(s)
      return { s[1], id = "sort_" .. s[2], checked = prefs.sort == s[2], on_click = function() prefs.sort = s[2] end }
    end) }
    if self.picked then return { sort } end
    return { sort, page("Expiring", "expiring", "Expiring"), page("Running low", "low", "Low"), page("Places", "places", "Places"),
      page("History", "history", "History"), page("Statistics", "statistics", "Statistics"), page("Settings", "settings", "Settings") }
  end,
  bar = function(self)
    if self.picked then
      return toolbar { #self.picked .. " selected", up = function() self.picked = nil end, actions = {
        { "Delete", id = "delete_chosen", on_click = function() self:delete_chosen() end },
        { "Move", id = "move_chosen", on_click = function() self:move_chosen() end },
        { "To the list", id = "list_chosen", on_click = function() self:list_chosen() end } } }
    end
    return toolbar { "Larder", actions = {
      { "Search", id = "search", on_click = function() if self.searching then self:close_search() else self.searching = true end end },
      { "Shopping list", id = "shopping", on_click = function() self:start("Shopping") end } } }
  end,
  place_spinner = function(self)
    local names, keys = { "All places" }, { "all" }
    local function add(name, key) table.insert(names, name) table.insert(keys, key) end
    each(storage.places, function(p) add(p.name, p.id) end)
    add("No place", "none")
    return spinner { id = "place", items = names, selected = index_of(keys, self.place), on_change = function(i) self.place = keys[i] end }
  end,
  view = function(self)
    return column {
      self:bar(),
      self.searching and not self.picked and field { id = "query", hint = "Search", text = self.query, max = 30, on_change = function(s) self.query = s end },
      not self.picked and self:place_spinner(),
      list { id = "items", items = self:shown(), empty = text { "Nothing here", id = "empty" },
        row = function(item, i) return item_row(item, self:chosen(i, item)) end,
        on_item_click = function(i, item) if self.picked then self:toggle(i, item) else self:start("Item", { id = item.id }) end end,
        on_item_long_click = function(i, item) self:toggle(i, item) end },
      not self.picked and fab { id = "add", desc = "New item", on_click = function() self:start("Edit", { place = self.place }) end },
    }
  end,
}

-- One item ------------------------------------------------------------------------------------------------

activity "Item" {
  use = function(self, item, n)
    local undo = use(item, n)
    if undo then self:snackbar("Used " .. amount_text(n, item.unit), "Undo", undo) end
  end,
  ask_amount = function(self, item, title, done)
    self:dialog { title = title, ok = "OK", cancel = "Cancel",
      view = function() return column { field { id = "amount", hint = "Amount in " .. item.unit, input = "decimal", max = 8 } } end,
      on_ok = function()
        local n = tonumber(self:text("amount"))
        if not n or round(n) <= 0 or n >= 100000 then toast("Enter an amount") return true end
        done(round(n))
      end }
  end,
  ask_delete = function(self, item)
    local function delete() delete_item(item) self:finish() end
    if not prefs.confirm then return delete() end
    self:dialog { title = "Delete " .. item.name .. "?", ok = "Delete", on_ok = delete, cancel = "Cancel" }
  end,
  menu = function(self)
    local item = item_of(self.intent.id)
    return item and {
      { "Move", id = "move", on_click = function() ask_place(self, "Move to", function(place) item.place = place end) end },
      { "Delete", id = "delete", on_click = function() self:ask_delete(item) end },
    } or {}
  end,
  view = function(self)
    local item = item_of(self.intent.id)
    if not item then return column { toolbar { "Item", up = true }, text { "This item was deleted", id = "gone" } } end
    local step, entry = STEPS[item.unit], entry_for(item)
    local lines = filter(storage.log, function(l) return l.item == item.id end)
    return column {
      toolbar { item.name, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = item.id }) end } } },
      scroll {
        text { amount_text(item.amount, item.unit), id = "amount_now", size = "large" },
        is_low(item) and text { "Running low: at least " .. amount_text(item.min, item.unit), id = "low_note" },
        text { place_name(item.place), id = "place_name" },
        text { best_text(item) .. (item.best and " (" .. date(item.best * DAY, "%d %b %Y") .. ")" or ""), id = "best" },
        text { money(item.price) .. " per " .. item.unit .. ", " .. money(value_of(item)) .. " in all", id = "price" },
        item.note ~= "" and text { item.note, id = "note" },
        row { button { "−", id = "less", desc = "Use " .. amount_text(step, item.unit), enabled = item.amount > 0,
            on_click = function() self:use(item, math.min(step, item.amount)) end },
          button { "Use", id = "use", enabled = item.amount > 0, on_click = function()
            self:ask_amount(item, "Use how much?", function(n) self:use(item, math.min(n, item.amount)) end)
          end },
          button { "Add", id = "put_in", on_click = function() self:ask_amount(item, "Add how much?", function(n) put_in(item, n) end) end } },
        entry and text { "On the shopping list: " .. amount_text(entry.amount, entry.unit), id = "on_list" }
          or button { "To the shopping list", id = "to_list", on_click = function() add_item_to_list(item) end },
        #lines > 0 and text "Lately",
        each({ table.unpack(lines, math.max(1, #lines - 4)) }, function(l)
          return text { date(l.time, "%d %b %H:%M  ") .. l.text, id = "log_line", size = "small" }
        end),
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local item = item_of(intent.id)
    local place = type(intent.place) == "number" and intent.place or nil
    self.base = saved and saved.base or item and { name = item.name, amount = format("%.10g", item.amount), min = format("%.10g", item.min),
      price = format("%.2f", item.price / 100), note = item.note, unit = item.unit, place = item.place, best = item.best }
      or { name = "", amount = "", min = "", price = "", note = "", unit = "pcs", place = place }
    local from = saved or self.base
    self.unit, self.place, self.best = from.unit, from.place, from.best
  end,
  save = function(self, out) out.base, out.unit, out.place, out.best = self.base, self.unit, self.place, self.best end,

  leave = function(self)
    local changed = self.unit ~= self.base.unit or self.place ~= self.base.place or self.best ~= self.base.best or
      find({ "name", "amount", "min", "price", "note" }, function(id) return self:text(id) ~= self.base[id] end) ~= nil
    if not changed then return self:finish() end
    self:dialog { title = "Discard your changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Keep editing" }
  end,
  back = function(self) self:leave() return true end,

  number = function(self, id)
    if trim(self:text(id)) == "" then return 0 end
    local n = tonumber(self:text(id))
    return n and n >= 0 and n < 100000 and round(n) or nil
  end,
  store = function(self)
    local name, item = trim(self:text("name")), item_of(self.intent.id)
    local amount, min, price = self:number("amount"), self:number("min"), self:number("price")
    if name == "" then return toast("Give it a name") end
    if find(storage.items, function(x) return x ~= item and x.name:lower() == name:lower() end) then return toast("There is one of that name") end
    if not amount or not min or not price then return toast("Check the numbers") end
    if bug("edit_truncates") then amount = math.floor(amount) end
    if not item then
      if #storage.items >= MAX_ITEMS then return toast("Too many items") end
      item = { id = new_id() }
      table.insert(storage.items, item)
    end
    item.name, item.amount, item.min, item.price = name, amount, min, math.floor(price * 100 + 0.5)
    item.unit, item.place, item.best, item.note = self.unit, place_of(self.place) and self.place or nil, self.best, trim(self:text("note"))
    for _, e in ipairs(storage.list) do
      if e.item == item.id and KINDS[e.unit] ~= KINDS[item.unit] then e.unit = item.unit end
    end
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { self.intent.id and "Edit item" or "New item", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = self.base.name, max = 30 },
        row { field { id = "amount", hint = "Amount", text = self.base.amount, input = "decimal", max = 8, weight = 1 },
          spinner { id = "unit", items = UNITS, selected = index_of(UNITS, self.unit), on_change = function(i) self.unit = UNITS[i] end } },
        field { id = "min", hint = "At least", text = self.base.min, input = "decimal", max = 8 },
        field { id = "price", hint = "Price per unit", text = self.base.price, input = "decimal", max = 8 },
        button { place_name(self.place), id = "choose_place", desc = "Place", on_click = function()
          ask_place(self, "Place", function(place) self.place = place end)
        end },
        check { "Best before", id = "has_best", checked = self.best ~= nil, on_change = function(b) self.best = b and today() + 7 or nil end },
        self.best and row { button { "−", id = "day_before", desc = "A day earlier", on_click = function() self.best = self.best - 1 end },
          text { date(self.best * DAY, "%d %b %Y"), id = "best_day", weight = 1 },
          button { "+", id = "day_after", desc = "A day later", on_click = function() self.best = self.best + 1 end },
          button { "+30", id = "month_after", desc = "30 days later", on_click = function() self.best = self.best + 30 end } },
        field { id = "note", hint = "Note", text = self.base.note, max = 80 },
      },
    }
  end,
}

-- The shopping list ---------------------------------------------------------------------------------------

activity "Shopping" {
  resume = function(self) self:refresh() end,

  -- What the entries that are not bought yet will cost.
  refresh = function(self)
    local total = 0
    for _, e in ipairs(storage.list) do total = total + (e.bought and 0 or self:cost(e)) end
    self.total = total
  end,
  cost = function(self, e)
    local item = item_of(e.item)
    return item and math.floor(item.price * round(e.amount * FACTORS[e.unit] / FACTORS[item.unit]) + 0.5) or 0
  end,
  add = function(self)
    local name = trim(self:text("new_entry"))
    if name == "" then return end
    local item = find(storage.items, function(x) return x.name:lower() == name:lower() end)
    local entry = item and entry_for(item) or find(storage.list, function(e) return e.name and e.name:lower() == name:lower() and not e.bought end)
    if entry then return toast("It is on the list already") end
    if item then add_item_to_list(item) else add_entry { name = name, amount = 1, unit = "pcs" } end
    self:set_text("new_entry", "")
    self:refresh()
  end,
  ask_amount = function(self, e)
    local item = item_of(e.item)
    local units = filter(UNITS, function(u) return not item or KINDS[u] == KINDS[item.unit] end)
    local unit = e.unit
    self:dialog { title = item and item.name or e.name, ok = "Change", cancel = "Cancel", neutral = "Remove",
      view = function()
        return column { field { id = "entry_amount", hint = "Amount", text = format("%.10g", e.amount), input = "decimal", max = 8 },
          spinner { id = "entry_unit", items = units, selected = index_of(units, unit), on_change = function(i) unit = units[i] end } }
      end,
      on_ok = function()
        local n = tonumber(self:text("entry_amount"))
        if not n or round(n) <= 0 or n >= 100000 then toast("Enter an amount") return true end
        e.amount, e.unit = round(n), unit
        if not bug("stale_total") then self:refresh() end
      end,
      on_neutral = function() forget(storage.list, e) self:refresh() end }
  end,
  put_away = function(self)
    local bought = filter(storage.list, function(e) return e.bought end)
    if #bought == 0 then return toast("Nothing is ticked off") end
    for _, e in ipairs(bought) do
      local item = item_of(e.item)
      if item then put_in(item, convert(e.amount, e.unit, item.unit)) end
    end
    storage.list = filter(storage.list, function(e) return not e.bought end)
    self:refresh()
    toast(#bought .. " put away")
  end,
  view = function(self)
    local entries = filter(storage.list, function(e) return not e.bought end)
    for _, e in ipairs(filter(storage.list, function(x) return x.bought end)) do table.insert(entries, e) end
    return column {
      toolbar { "Shopping list", up = true, actions = { { "Put away", id = "put_away", on_click = function() self:put_away() end } } },
      row { field { id = "new_entry", hint = "What else?", max = 30, weight = 1, on_submit = function() self:add() end },
        button { "Add", id = "add_entry", on_click = function() self:add() end } },
      text { "Still to buy: " .. money(self.total or 0), id = "total" },
      list { id = "entries", items = entries, empty = text { "Nothing to buy", id = "empty" },
        row = function(e)
          local item = item_of(e.item)
          return row { id = "entry_row",
            check { "", id = "bought", desc = "Bought", checked = e.bought == true, on_change = function(b) e.bought = b self:refresh() end },
            text { item and item.name or e.name, id = "entry_name", weight = 1 },
            text { amount_text(e.amount, e.unit) .. (item and " · " .. money(self:cost(e)) or ""), id = "amount_line", size = "small" } }
        end,
        on_item_click = function(_, e) self:ask_amount(e) end },
    }
  end,
}

-- Overviews -----------------------------------------------------------------------------------------------

activity "Expiring" {
  view = function(self)
    local rows = {}
    local function section(title, test)
      local items = filter(storage.items, function(item) return item.best and item.amount > 0 and test(item.best - today()) end)
      table.sort(items, function(a, b) return a.best < b.best end)
      if #items > 0 then table.insert(rows, { header = title .. " (" .. #items .. ")" }) end
      for _, item in ipairs(items) do table.insert(rows, item) end
    end
    local last = bug("expires_today") and 0 or -1
    section("Expired", function(days) return days <= last end)
    section("Within " .. prefs.warning .. " days", function(days) return days > last and days <= prefs.warning end)
    return column {
      toolbar { "Expiring", up = true },
      list { id = "expiring_list", items = rows, empty = text { "Everything keeps", id = "empty" },
        row = function(x) return x.header and text { x.header, id = "header" } or item_row(x) end,
        on_item_click = function(_, x) if not x.header then self:start("Item", { id = x.id }) end end },
    }
  end,
}

activity "Low" {
  view = function(self)
    local low = sorted(filter(storage.items, is_low))
    local missing = filter(low, function(item) return not entry_for(item) end)
    return column {
      toolbar { "Running low", up = true },
      #missing > 0 and button { "Put all on the shopping list", id = "add_all", on_click = function() each(missing, add_item_to_list) end },
      item_list(self, "low_list", low, "There is enough of everything"),
    }
  end,
}

activity "Places" {
  ask_name = function(self, place)
    self:dialog { title = place and "Rename place" or "New place", ok = "Save", cancel = "Cancel",
      view = function() return column { field { id = "place_name", hint = "Name", text = place and place.name or "", max = 20 } } end,
      on_ok = function()
        local name = trim(self:text("place_name"))
        local same = name:lower() == "no place" or find(storage.places, function(p) return p ~= place and p.name:lower() == name:lower() end)
        if name == "" or same then toast(same and "There is one of that name" or "Give it a name") return true end
        if place then place.name = name return end
        if #storage.places >= MAX_PLACES then return toast("Too many places") end
        table.insert(storage.places, { id = new_id(), name = name })
      end }
  end,
  ask_delete = function(self, place)
    self:dialog { title = "Delete " .. place.name .. "?", message = "What is there stays in stock, without a place", ok = "Delete", cancel = "Cancel",
      on_ok = function()
        forget(storage.places, place)
        if bug("place_orphans") then return end
        for _, item in ipairs(storage.items) do
          if item.place == place.id then item.place = nil end
        end
      end }
  end,
  view = function(self)
    local rows = copy(storage.places)
    table.insert(rows, { name = "No place" })
    return column {
      toolbar { "Places", up = true, actions = { { "New", id = "new_place", on_click = function() self:ask_name() end } } },
      list { id = "place_list", items = rows,
        row = function(p)
          local n = #filter(storage.items, function(item) return item.place == p.id end)
          return row { id = "place_row", text { p.name, id = "name", weight = 1 }, text { n .. (n == 1 and " item" or " items"), id = "count" } }
        end,
        on_item_click = function(_, p) self:start("Place", { id = p.id }) end,
        on_item_long_click = function(_, p)
          if not p.id then return end
          self:popup { { "Rename", id = "rename", on_click = function() self:ask_name(p) end },
            { "Delete", id = "delete_place", on_click = function() self:ask_delete(p) end } }
        end },
    }
  end,
}

activity "Place" {
  view = function(self)
    local id = place_of(self.intent.id) and self.intent.id or nil
    return column {
      toolbar { place_name(id), up = true },
      item_list(self, "place_items", sorted(filter(storage.items, function(item) return item.place == id end)), "Nothing here"),
    }
  end,
}

activity "History" {
  view = function(self)
    local lines = {}
    for i = #storage.log, 1, -1 do table.insert(lines, storage.log[i]) end
    return column {
      toolbar { "History", up = true, actions = #lines > 0 and { { "Clear", id = "clear", on_click = function() storage.log = {} end } } or nil },
      list { id = "log", items = lines, empty = text { "Nothing used or added yet", id = "empty" },
        row = function(l)
          local item = item_of(l.item)
          return row { id = "log_row", text { item and item.name or l.name, id = "name", weight = 1 }, text { l.text, id = "change" },
            text { date(l.time, "%d %b %H:%M"), id = "time", size = "small" } }
        end },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local values, total, stocked, expired = {}, 0, 0, 0
    for _, item in ipairs(storage.items) do
      local value, place = value_of(item), place_name(item.place)
      values[place], total = (values[place] or 0) + value, total + value
      if item.amount > 0 then stocked = stocked + 1 end
      if item.amount > 0 and item.best and item.best < today() then expired = expired + 1 end
    end
    local names = {}
    for name in pairs(values) do table.insert(names, name) end
    return column {
      toolbar { "Statistics", up = true },
      scroll {
        text { "In stock: " .. stocked, id = "stocked" },
        text { "Running low: " .. #filter(storage.items, is_low), id = "low" },
        text { "Expired: " .. expired, id = "expired" },
        text { "Value: " .. money(total), id = "value", size = "large" },
        each(names, function(name) return text { name .. ": " .. money(values[name]), id = "place_value" } end),
      },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text "Currency",
        radios { id = "currency", items = CURRENCIES, selected = index_of(CURRENCIES, prefs.currency),
          on_change = function(i) prefs.currency = CURRENCIES[i] end },
        text "Warn before the date",
        spinner { id = "warning", items = each(WARNINGS, function(n) return n .. " days" end), selected = index_of(WARNINGS, prefs.warning),
          on_change = function(i) prefs.warning = WARNINGS[i] end },
        switch { "Put what runs low in use on the shopping list", id = "auto_add", checked = prefs.auto_add, on_change = function(b) prefs.auto_add = b end },
        switch { "Ask before deleting", id = "confirm", checked = prefs.confirm, on_change = function(b) prefs.confirm = b end },
      },
    }
  end,
}
