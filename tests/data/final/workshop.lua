-- Workshop: parts in stock at their places, taken and put back; a list of what to order, projects that need parts, a report.
--
-- Prices are kept in cents. Whatever changes an amount is written to the log.

app {
  package = "org.norn.workshop",
  title = "Workshop",
  main = "Main",
  bugs = { "report_of_all", "below_zero", "sort_as_text", "moves_first", "selection_rotate", "undo_one", "arrived_other",
    "cancel_keeps" },
  application = function()
    if storage.parts then return end
    storage.next_id = 100
    storage.places = { { id = 1, name = "Drawer A" }, { id = 2, name = "Drawer B" }, { id = 3, name = "Shelf" } }
    storage.parts = {
      { id = 11, name = "Hinge", place = 1, amount = 18, minimum = 4, cents = 240, note = "" },
      { id = 12, name = "M4 screw", place = 1, amount = 90, minimum = 50, cents = 5, note = "20 mm" },
      { id = 13, name = "Wall plug", place = 2, amount = 35, minimum = 20, cents = 12, note = "" },
      { id = 14, name = "Cable tie", place = 2, amount = 15, minimum = 25, cents = 8, note = "" },
      { id = 15, name = "Wood glue", place = 3, amount = 12, minimum = 5, cents = 650, note = "Keep from frost" },
    }
    storage.orders = { { id = 21, part = 14, amount = 50 }, { id = 22, part = 11, amount = 4 } }
    storage.projects = {
      { id = 31, name = "Birdhouse", needs = { { part = 12, amount = 12 }, { part = 11, amount = 2 } } },
      { id = 32, name = "Cable duct", needs = { { part = 14, amount = 30 } } },
    }
    storage.log = {}
    prefs.sort = 1
    prefs.warn = true
    prefs.currency = 1
  end,
}

local SORTS = { "Name", "Amount", "Price" }
local CURRENCIES = { "€", "$", "£" }
local MAX_PARTS, MAX_PLACES, MAX_ORDERS, MAX_PROJECTS, MAX_LOG = 40, 10, 15, 10, 40

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function part_of(id) return by_id(storage.parts, id) end
local function place_of(id) return by_id(storage.places, id) end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end
local function money(cents)
  local all = math.abs(cents)
  return format("%s%d.%02d %s", cents < 0 and "-" or "", all // 100, all % 100, CURRENCIES[prefs.currency])
end
local function forget(list, x) table.remove(list, index_of(list, x)) end

local function parts_at(place) return filter(storage.parts, function(p) return p.place == place.id end) end

local function value_of(parts)
  local sum = 0
  for _, p in ipairs(parts) do sum = sum + p.amount * p.cents end
  return sum
end

local function sorted(parts, by)
  parts = copy(parts)
  table.sort(parts, function(a, b)
    if by == 2 and a.amount ~= b.amount then
      if bug("sort_as_text") then return tostring(a.amount) < tostring(b.amount) end
      return a.amount < b.amount
    end
    if by == 3 and a.cents ~= b.cents then return a.cents < b.cents end
    return a.name:lower() < b.name:lower()
  end)
  return parts
end

local function write_log(s)
  table.insert(storage.log, 1, { time = now(), text = s })
  if #storage.log > MAX_LOG then table.remove(storage.log) end
end

local function change(part, by, why)
  part.amount = math.min(99999, part.amount + by)
  write_log(part.name .. ": " .. format("%+d", by) .. ", " .. why)
end

-- A part leaves the stock, the list of orders and all projects.
local function delete_part(part)
  forget(storage.parts, part)
  storage.orders = filter(storage.orders, function(o) return o.part ~= part.id end)
  for _, project in ipairs(storage.projects) do
    project.needs = filter(project.needs, function(n) return n.part ~= part.id end)
  end
end

local function place_names(first)
  local names = first and { first } or {}
  for _, p in ipairs(storage.places) do table.insert(names, p.name) end
  return names
end

local function part_row(part, chosen)
  return row { id = "part_row",
    column { weight = 1, text { part.name, id = "name", size = "large" },
      text { place_of(part.place).name .. ", " .. money(part.cents), id = "about", size = "small" } },
    prefs.warn and part.amount < part.minimum and text { "low", id = "low", size = "small" },
    text { tostring(part.amount), id = "amount" },
    chosen ~= nil and text { chosen and "☑" or "☐", id = "chosen" },
  }
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.query, self.picked = saved.query or "", saved.picked
    if bug("selection_rotate") then self.picked = nil end
  end,
  save = function(self, out) out.query, out.picked = self.query, self.picked end,
  back = function(self)
    if not self.picked then return false end
    self.picked = nil
    return true
  end,

  parts = function(self)
    local query = trim(self.query):lower()
    return sorted(filter(storage.parts, function(p) return contains(p.name:lower(), query) end), prefs.sort)
  end,

  toggle = function(self, part)
    local i = index_of(self.picked, part.id)
    if i then table.remove(self.picked, i) else table.insert(self.picked, part.id) end
    if #self.picked == 0 then self.picked = nil end
  end,

  move_picked = function(self)
    self:dialog { title = "Move to", items = place_names(), cancel = "Cancel",
      on_item = function(i)
        for _, id in ipairs(self.picked) do
          part_of(id).place = storage.places[i].id
          if bug("moves_first") then break end
        end
        toast(plural(#self.picked, "part") .. " moved to " .. storage.places[i].name)
        self.picked = nil
      end }
  end,

  delete_picked = function(self)
    self:dialog { title = "Delete " .. plural(#self.picked, "part") .. "?", ok = "Delete", cancel = "Cancel",
      on_ok = function()
        for _, id in ipairs(self.picked) do delete_part(part_of(id)) end
        self.picked = nil
      end }
  end,

  menu = function(self)
    local function go(name)
      return function()
        self.picked = nil
        self:start(name)
      end
    end
    return {
      { "Places", id = "places", on_click = go("Places") },
      { "To order", id = "orders", on_click = go("Orders") },
      { "Projects", id = "projects", on_click = go("Projects") },
      { "Report", id = "report", on_click = go("Report") },
      { "Log", id = "log", on_click = go("Log") },
      { "Settings", id = "settings", on_click = go("Settings") },
    }
  end,

  bar = function(self)
    if not self.picked then return toolbar { "Parts" } end
    return toolbar { #self.picked .. " selected", up = function() self.picked = nil end, actions = {
      { "Move", id = "move_picked", on_click = function() self:move_picked() end },
      { "Delete", id = "delete_picked", on_click = function() self:delete_picked() end },
    } }
  end,

  view = function(self)
    local parts = self:parts()
    return column {
      self:bar(),
      not self.picked and field { id = "query", hint = "Find a part", max = 30, text = self.query, on_change = function(s) self.query = s end },
      not self.picked and row { text { "Sorted by", size = "small" },
        spinner { id = "sort", items = SORTS, selected = prefs.sort, on_change = function(i) prefs.sort = i end } },
      list { id = "parts", items = parts, empty = text { "No parts", id = "empty" },
        row = function(p)
          local chosen = nil
          if self.picked then chosen = index_of(self.picked, p.id) ~= nil end
          return part_row(p, chosen)
        end,
        on_item_click = function(_, p)
          if self.picked then self:toggle(p) else self:start("Part", { id = p.id }) end
        end,
        on_item_long_click = function(_, p)
          if not self.picked then self.picked = { p.id } end
        end },
      not self.picked and fab { id = "add_part", desc = "New part", on_click = function() self:start("PartForm") end },
    }
  end,
}

activity "Part" {
  -- Asks how many are taken or put.
  ask = function(self, title, fn)
    self:dialog { title = title,
      view = function() return column { field { id = "pieces", hint = "How many", input = "number", max = 4, text = "1" } } end,
      ok = "OK", cancel = "Cancel",
      on_ok = function()
        local n = tonumber(self:text("pieces"))
        if not n or n < 1 then return toast("How many?") end
        fn(math.floor(n))
      end }
  end,

  take = function(self, part, n)
    if n > part.amount and not bug("below_zero") then return toast("There are only " .. part.amount) end
    change(part, -n, "taken")
    self:snackbar(n .. " taken", "Undo", function() change(part, bug("undo_one") and 1 or n, "taken back") end)
  end,

  -- The least amount that should be there, changed in steps.
  ask_minimum = function(self, part)
    local minimum = part.minimum
    local function step(by)
      minimum = math.max(0, math.min(999, minimum + by))
      if bug("cancel_keeps") then part.minimum = minimum end
    end
    self:dialog { title = "Warn below",
      view = function()
        return row {
          button { "−5", id = "less", on_click = function() step(-5) end },
          text { tostring(minimum), id = "limit" },
          button { "+5", id = "more", on_click = function() step(5) end },
        }
      end,
      ok = "OK", cancel = "Cancel", on_ok = function() part.minimum = minimum end }
  end,

  order = function(self, part)
    if find(storage.orders, function(o) return o.part == part.id end) then return toast("It is on the list already") end
    if #storage.orders >= MAX_ORDERS then return toast("The list is full") end
    self:ask("Order", function(n)
      table.insert(storage.orders, { id = new_id(), part = part.id, amount = n })
      toast("Added to the list")
    end)
  end,

  duplicate = function(self, part)
    if #storage.parts >= MAX_PARTS then return toast("Too many parts") end
    local new = copy(part)
    new.id, new.name, new.amount = new_id(), part.name .. " (copy)", 0
    table.insert(storage.parts, new)
    self:start("Part", { id = new.id })
    self:finish()
  end,

  ask_delete = function(self, part)
    self:dialog { title = "Delete " .. part.name .. "?", ok = "Delete", cancel = "Cancel",
      on_ok = function()
        delete_part(part)
        self:finish()
      end }
  end,

  menu = function(self)
    local part = part_of(self.intent.id)
    if not part then return {} end
    return {
      { "Edit", id = "edit", on_click = function() self:start("PartForm", { id = part.id }) end },
      { "Order", id = "order", on_click = function() self:order(part) end },
      { "Duplicate", id = "duplicate", on_click = function() self:duplicate(part) end },
      { "Delete", id = "delete", on_click = function() self:ask_delete(part) end },
    }
  end,

  view = function(self)
    local part = part_of(self.intent.id)
    if not part then return column { toolbar { "Part", up = true } } end
    return column {
      toolbar { part.name, up = true },
      scroll {
        text { part.amount .. " in stock", id = "amount", size = "large" },
        prefs.warn and part.amount < part.minimum and text { "Below the minimum", id = "low" },
        text { "Place: " .. place_of(part.place).name, id = "place" },
        text { "Price: " .. money(part.cents) .. ", all: " .. money(value_of { part }), id = "price" },
        part.note ~= "" and text { part.note, id = "note", size = "small" },
        row {
          button { "Take", id = "take", on_click = function() self:ask("Take", function(n) self:take(part, n) end) end },
          button { "Put", id = "put", on_click = function() self:ask("Put", function(n) change(part, n, "put") end) end },
        },
        button { "Warn below " .. part.minimum, id = "minimum", on_click = function() self:ask_minimum(part) end },
      },
    }
  end,
}

activity "PartForm" {
  create = function(self, intent, saved)
    local part = intent.id and part_of(intent.id)
    self.place = saved and saved.place or part and index_of(storage.places, place_of(part.place)) or 1
  end,
  save = function(self, out) out.place = self.place end,

  store = function(self)
    local name, amount, price = trim(self:text("part_name")), tonumber(self:text("stock")), tonumber(self:text("unit_price"))
    if name == "" then return toast("What is it?") end
    if not amount then return toast("How many are there?") end
    local part = self.intent.id and part_of(self.intent.id)
    if not part then
      if #storage.parts >= MAX_PARTS then return toast("Too many parts") end
      part = { id = new_id(), amount = 0, minimum = 0 }
      table.insert(storage.parts, part)
    end
    part.name, part.place, part.note = name, storage.places[self.place].id, trim(self:text("remark"))
    part.cents = math.floor((price or 0) * 100 + 0.5)
    if math.floor(amount) ~= part.amount then change(part, math.floor(amount) - part.amount, "counted") end
    self:finish()
  end,

  view = function(self)
    local part = self.intent.id and part_of(self.intent.id)
    return column {
      toolbar { part and "Edit part" or "New part", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "part_name", hint = "Name", max = 30, text = part and part.name or "" },
        spinner { id = "at_place", items = place_names(), selected = self.place, on_change = function(i) self.place = i end },
        text { "In stock", size = "small" },
        field { id = "stock", hint = "In stock", input = "number", max = 5, text = part and tostring(part.amount) or "1" },
        text { "Price", size = "small" },
        field { id = "unit_price", hint = "Price", input = "decimal", max = 7, text = part and format("%.2f", part.cents / 100) or "" },
        field { id = "remark", hint = "Note", max = 60, text = part and part.note or "" },
      },
    }
  end,
}

activity "Places" {
  ask_name = function(self, place)
    if not place and #storage.places >= MAX_PLACES then return toast("Too many places") end
    self:dialog { title = place and "Rename place" or "New place",
      view = function() return column { field { id = "place_name", hint = "Name", text = place and place.name or "", max = 30 } } end,
      ok = "OK", cancel = "Cancel",
      on_ok = function()
        local name = trim(self:text("place_name"))
        if name == "" then return toast("Give it a name") end
        if place then place.name = name else table.insert(storage.places, { id = new_id(), name = name }) end
      end }
  end,

  place_menu = function(self, place)
    self:popup {
      { "Rename", id = "rename", on_click = function() self:ask_name(place) end },
      { "Delete", id = "delete_place", on_click = function()
        if #parts_at(place) > 0 then return toast("It is not empty") end
        if #storage.places == 1 then return toast("One place is needed") end
        forget(storage.places, place)
      end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Places", up = true, actions = { { "New place", id = "new_place", on_click = function() self:ask_name() end } } },
      list { id = "place_list", items = storage.places,
        row = function(p)
          return column { id = "place_row", text { p.name, id = "name", size = "large" }, text { plural(#parts_at(p), "part"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, p) self:start("Place", { id = p.id }) end,
        on_item_long_click = function(_, p) self:place_menu(p) end },
    }
  end,
}

activity "Place" {
  view = function(self)
    local place = place_of(self.intent.id)
    local parts = sorted(parts_at(place), 1)
    return column {
      toolbar { place.name, up = true },
      text { plural(#parts, "part") .. ", " .. money(value_of(parts)), id = "sum", size = "small" },
      list { id = "parts_here", items = parts, empty = text { "Nothing here", id = "empty" }, row = function(p) return part_row(p) end,
        on_item_click = function(_, p) self:start("Part", { id = p.id }) end },
    }
  end,
}

activity "Orders" {
  arrived = function(self, order)
    local booked = bug("arrived_other") and storage.orders[1] or order
    change(part_of(booked.part), order.amount, "arrived")
    forget(storage.orders, order)
    toast(order.amount .. " × " .. part_of(order.part).name .. " arrived")
  end,

  order_menu = function(self, order)
    self:popup { { "Take off the list", id = "drop", on_click = function()
      local i = index_of(storage.orders, order)
      forget(storage.orders, order)
      self:snackbar("Taken off the list", "Undo", function()
        if part_of(order.part) then table.insert(storage.orders, math.min(i, #storage.orders + 1), order) end
      end)
    end } }
  end,

  view = function(self)
    local sum = 0
    for _, o in ipairs(storage.orders) do sum = sum + o.amount * part_of(o.part).cents end
    return column {
      toolbar { "To order", up = true },
      text { "Costs " .. money(sum), id = "sum", size = "small" },
      list { id = "order_list", items = storage.orders, empty = text { "Nothing to order", id = "empty" },
        row = function(o)
          local part = part_of(o.part)
          return row { id = "order_row",
            column { weight = 1, text { o.amount .. " × " .. part.name, id = "name", size = "large" },
              text { part.amount .. " in stock", id = "stock", size = "small" } },
            button { "Arrived", id = "arrived", on_click = function() self:arrived(o) end } }
        end,
        on_item_click = function(_, o) self:start("Part", { id = o.part }) end,
        on_item_long_click = function(_, o) self:order_menu(o) end },
    }
  end,
}

activity "Projects" {
  ask_new = function(self)
    if #storage.projects >= MAX_PROJECTS then return toast("Too many projects") end
    self:dialog { title = "New project",
      view = function() return column { field { id = "project_name", hint = "Name", max = 30 } } end,
      ok = "Create", cancel = "Cancel",
      on_ok = function()
        local name = trim(self:text("project_name"))
        if name == "" then return toast("Give it a name") end
        table.insert(storage.projects, { id = new_id(), name = name, needs = {} })
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Projects", up = true, actions = { { "New project", id = "new_project", on_click = function() self:ask_new() end } } },
      list { id = "project_list", items = storage.projects, empty = text { "No projects yet", id = "empty" },
        row = function(p)
          return column { id = "project_row", text { p.name, id = "name", size = "large" }, text { plural(#p.needs, "part"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, p) self:start("Project", { id = p.id }) end,
        on_item_long_click = function(_, p)
          self:popup { { "Delete", id = "delete_project", on_click = function() forget(storage.projects, p) end } }
        end },
    }
  end,
}

activity "Project" {
  result = function(self, request, data)
    if not data then return end
    local needs = by_id(storage.projects, self.intent.id).needs
    local need = find(needs, function(n) return n.part == data.part end)
    if need then need.amount = data.amount else table.insert(needs, { part = data.part, amount = data.amount }) end
  end,

  build = function(self, project)
    local missing = find(project.needs, function(n) return part_of(n.part).amount < n.amount end)
    if missing then return toast("Not enough: " .. part_of(missing.part).name) end
    for _, n in ipairs(project.needs) do change(part_of(n.part), -n.amount, project.name) end
    toast("All parts taken")
  end,

  view = function(self)
    local project = by_id(storage.projects, self.intent.id)
    local cost = 0
    for _, n in ipairs(project.needs) do cost = cost + n.amount * part_of(n.part).cents end
    return column {
      toolbar { project.name, up = true, subtitle = "Parts for " .. money(cost) },
      list { id = "needs", weight = 1, items = project.needs, empty = text { "No parts needed yet", id = "empty" },
        row = function(n)
          local part = part_of(n.part)
          return column { id = "need_row", text { n.amount .. " × " .. part.name, id = "name", size = "large" },
            text { n.amount > part.amount and n.amount - part.amount .. " missing" or "in stock", id = "state", size = "small" } }
        end,
        on_item_click = function(_, n) self:start("Part", { id = n.part }) end,
        on_item_long_click = function(i)
          self:popup { { "Remove", id = "remove", on_click = function() table.remove(project.needs, i) end } }
        end },
      row {
        button { "Add a part", id = "add_need", on_click = function() self:start_for_result("Need", "need") end },
        button { "Take all", id = "build", on_click = function() self:build(project) end },
      },
    }
  end,
}

activity "Need" {
  create = function(self, intent, saved) self.part = saved and saved.part or 1 end,
  save = function(self, out) out.part = self.part end,

  view = function(self)
    local parts = sorted(storage.parts, 1)
    return column {
      toolbar { "Add a part", up = true, actions = { { "Add", id = "add", on_click = function()
        local n = tonumber(self:text("needed"))
        if #parts == 0 then return toast("There are no parts") end
        if not n or n < 1 then return toast("How many?") end
        self:finish { part = parts[self.part].id, amount = math.floor(n) }
      end } } },
      spinner { id = "which", items = each(parts, function(p) return p.name end), selected = self.part, on_change = function(i) self.part = i end },
      field { id = "needed", hint = "How many", input = "number", max = 4, text = "1" },
    }
  end,
}

activity "Report" {
  create = function(self, intent, saved) self.place = saved and saved.place or 1 end,
  save = function(self, out) out.place = self.place end,

  view = function(self)
    local parts = self.place == 1 and storage.parts or parts_at(storage.places[self.place - 1])
    local lines = sorted(parts, 1)
    local total = value_of(bug("report_of_all") and storage.parts or parts)
    return column {
      toolbar { "Report", up = true },
      spinner { id = "of_place", items = place_names("All places"), selected = self.place, on_change = function(i) self.place = i end },
      text { "Total: " .. money(total), id = "total", size = "large" },
      list { id = "lines", items = lines, empty = text { "Nothing here", id = "empty" },
        row = function(p)
          return row { id = "line_row", text { p.amount .. " × " .. p.name, id = "name", weight = 1 }, text { money(value_of { p }), id = "value" } }
        end },
    }
  end,
}

activity "Log" {
  view = function(self)
    return column {
      toolbar { "Log", up = true, actions = { { "Clear", id = "clear", on_click = function() storage.log = {} end } } },
      list { id = "log_lines", items = storage.log, empty = text { "Nothing has changed yet", id = "empty" },
        row = function(l)
          return column { id = "log_row", text { l.text, id = "what" }, text { date(l.time, "%d %b %H:%M"), id = "time", size = "small" } }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text "Currency",
      radios { id = "currency", items = { "Euro", "Dollar", "Pound" }, selected = prefs.currency, on_change = function(i) prefs.currency = i end },
      switch { "Warn when parts run low", id = "warn", checked = prefs.warn, on_change = function(b) prefs.warn = b end },
    }
  end,
}
