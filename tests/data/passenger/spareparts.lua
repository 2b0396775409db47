-- Spare parts: the stock of a small repair shop, on shelves, with suppliers, an order sheet, a report and a bin.
-- The drawer leads everywhere; All parts and Low stock are two views of the same screen.

app {
  package = "org.example.spareparts",
  title = "Spare parts",
  main = "Main",
  bugs = { "plus_after_sort", "count_cancel", "copy_shares_suppliers", "shelf_rename", "restore_no_shelf", "bin_in_report",
    "vat_cut", "section_on_rotation" },
  application = function()
    if storage.parts then return end
    storage.shelves = { "A1", "A2", "B1", "Cellar" }
    storage.suppliers = { "Bolt & Sons", "Kramer", "Spring Valley" }
    storage.parts = {
      { id = 1, name = "Wing nut M6", pieces = 120, min = 50, cents = 12, shelf = "A1", from = { 1 } },
      { id = 2, name = "Drive belt 420", pieces = 3, min = 4, cents = 749, shelf = "B1", from = { 2 } },
      { id = 3, name = "Ball bearing 608", pieces = 16, min = 10, cents = 185, shelf = "A2", from = { 1, 2 } },
      { id = 4, name = "Tension spring", pieces = 41, min = 20, cents = 39, shelf = "A1", from = { 3 } },
      { id = 5, name = "Fuse 2 A", pieces = 8, min = 25, cents = 27, shelf = "A2", from = { 2 } },
      { id = 6, name = "Motor 12 V", pieces = 2, min = 0, cents = 3490, shelf = "Cellar", from = { 2 } },
      { id = 7, name = "Copper washer", pieces = 75, min = 30, cents = 9, shelf = "A1", from = { 1 } },
      { id = 8, name = "O-ring 18 mm", pieces = 5, min = 12, cents = 31, shelf = "B1", from = { 1, 3 } },
      { id = 9, name = "Carbon brush", pieces = 14, min = 6, cents = 415, shelf = "Cellar", from = { 2 }, binned = true },
    }
    storage.sheet = { { part = 5, pieces = 50 } }
    storage.next_id = 10
    prefs.vat, prefs.sort, prefs.confirm = 2, 1, true
  end,
}

local SORTS = { "As entered", "Name", "Fewest first", "Dearest first" }
local VATS = { 0, 19, 7 }
local MAX_PARTS, MAX_SHELVES = 60, 12

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id - 1
end

local function part_of(id) return id and find(storage.parts, function(p) return p.id == id end) end
local function stocked() return filter(storage.parts, function(p) return not p.binned end) end
local function on_shelf(shelf) return filter(stocked(), function(p) return p.shelf == shelf end) end
local function low(part) return part.pieces < part.min end
local function pcs(n) return n == 1 and "1 piece" or n .. " pieces" end
local function money(cents) return format("%d.%02d", cents // 100, cents % 100) end
local function with_vat(cents)
  local rate = VATS[prefs.vat]
  if bug("vat_cut") then return cents * (100 + rate) // 100 end
  return (cents * (100 + rate) + 50) // 100
end

local function sheet_line(id) return find(storage.sheet, function(line) return line.part == id end) end

local function order(part, pieces)
  local line = sheet_line(part.id)
  if line then line.pieces = line.pieces + pieces else table.insert(storage.sheet, { part = part.id, pieces = pieces }) end
  toast(pcs(pieces) .. " on the order sheet")
end

local function to_bin(part)
  part.binned = true
  local line, i = sheet_line(part.id)
  if i then table.remove(storage.sheet, i) end
  return line, i
end

-- ---- the lists ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.section, self.title = saved.section or "all", saved.title or "All parts"
    if bug("section_on_rotation") then self.section = "all" end
  end,
  save = function(self, out) out.section, out.title = self.section, self.title end,
  back = function(self)
    if self.section == "all" then return false end
    self:show("all", "All parts")
    return true
  end,
  show = function(self, section, title) self.section, self.title = section, title end,

  -- What runs short is sorted by how much is missing, whatever the other list is sorted by.
  shown = function(self)
    local parts = stocked()
    if self.section == "low" then
      parts = filter(parts, low)
      table.sort(parts, function(a, b) return a.min - a.pieces > b.min - b.pieces end)
    elseif prefs.sort == 2 then
      table.sort(parts, function(a, b) return a.name:lower() < b.name:lower() end)
    elseif prefs.sort == 3 then
      table.sort(parts, function(a, b) return a.pieces < b.pieces end)
    elseif prefs.sort == 4 then
      table.sort(parts, function(a, b) return a.cents > b.cents end)
    end
    return parts
  end,
  change = function(self, i, by)
    local part = self:shown()[i]
    if bug("plus_after_sort") and self.section == "all" then part = stocked()[i] end
    if part and part.pieces + by >= 0 then part.pieces = part.pieces + by end
  end,
  ask_sort = function(self)
    self:dialog { title = "Sort", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
  end,
  part_menu = function(self, part)
    self:popup {
      { "Edit", id = "edit_part", on_click = function() self:start("Edit", { id = part.id }) end },
      { "Order " .. pcs(math.max(1, part.min)), id = "order_part", on_click = function() order(part, math.max(1, part.min)) end },
      { "To the bin", id = "bin_part", on_click = function()
        local line, place = to_bin(part)
        self:snackbar(part.name .. " is in the bin", "Undo", function()
          part.binned = nil
          if line and not sheet_line(part.id) then table.insert(storage.sheet, math.min(place, #storage.sheet + 1), line) end
        end)
      end },
    }
  end,
  view = function(self)
    local short = #filter(stocked(), low)
    local function go(name) return function() self:start(name) end end
    return column {
      drawer { id = "drawer", header = short == 1 and "1 part runs short" or short .. " parts run short", items = {
        { "All parts", id = "nav_all", on_click = function() self:show("all", "All parts") end },
        { "Low stock", id = "nav_low", on_click = function() self:show("low", "Low stock") end },
        { "Shelves", id = "nav_shelves", on_click = go("Shelves") },
        { "Order sheet", id = "nav_sheet", on_click = go("Sheet") },
        { "Report", id = "nav_report", on_click = go("Report") },
        { "Bin", id = "nav_bin", on_click = go("Bin") },
        { "Settings", id = "nav_settings", on_click = go("Settings") },
      } },
      toolbar { self.title, actions = { self.section == "all" and { "Sort", id = "sort", on_click = function() self:ask_sort() end } or nil } },
      list { id = "parts", items = self:shown(), empty = text { self.section == "low" and "Nothing runs short" or "No parts", id = "empty" },
        row = function(part, i)
          return row { id = "part_row",
            column { weight = 1, text { part.name, id = "name" },
              text { pcs(part.pieces) .. (low(part) and ", low" or "") .. (device.landscape() and ", " .. money(part.cents) .. " each" or ""), id = "pieces", size = "small" } },
            button { "-", id = "minus", enabled = part.pieces > 0, on_click = function() self:change(i, -1) end },
            button { "+", id = "plus", on_click = function() self:change(i, 1) end } }
        end,
        on_item_click = function(_, part) self:start("Part", { id = part.id }) end,
        on_item_long_click = function(_, part) self:part_menu(part) end },
      fab { id = "add", desc = "New part", on_click = function() self:start("Edit") end },
    }
  end,
}

-- ---- one part ----

activity "Part" {
  ask_count = function(self, part)
    self.counted = part.pieces
    local function set(n)
      self.counted = n
      if bug("count_cancel") then part.pieces = n end
    end
    self:dialog { title = "Count " .. part.name, cancel = "Cancel", ok = "Set",
      view = function()
        return row {
          button { "-10", id = "ten_less", enabled = self.counted >= 10, on_click = function() set(self.counted - 10) end },
          button { "-1", id = "one_less", enabled = self.counted > 0, on_click = function() set(self.counted - 1) end },
          text { tostring(self.counted), id = "counted", size = "large" },
          button { "+1", id = "one_more", on_click = function() set(self.counted + 1) end },
          button { "+10", id = "ten_more", on_click = function() set(self.counted + 10) end },
        }
      end,
      on_ok = function() part.pieces = self.counted end }
  end,
  ask_suppliers = function(self, part)
    self:dialog { title = "Suppliers of " .. part.name, ok = "Done",
      view = function()
        return column { each(storage.suppliers, function(name, i)
          local at = index_of(part.from, i)
          return check { name, id = "supplier", checked = at ~= nil,
            on_change = function() if at then table.remove(part.from, at) else table.insert(part.from, i) table.sort(part.from) end end }
        end) }
      end }
  end,
  ask_shelf = function(self, part)
    self:dialog { title = "Move to", items = storage.shelves, on_item = function(_, shelf) part.shelf = shelf end }
  end,
  duplicate = function(self, part)
    if #storage.parts >= MAX_PARTS then return toast("The shop is full") end
    local new = copy(part)
    new.id, new.name, new.pieces = new_id(), part.name .. " (copy)", 0      -- a copy begins with an empty box
    if not bug("copy_shares_suppliers") then new.from = copy(part.from) end
    table.insert(storage.parts, new)
    self:start("Part", { id = new.id })
    self:finish()
  end,
  ask_bin = function(self, part)
    local function away()
      to_bin(part)
      self:finish()
    end
    if not prefs.confirm then return away() end
    self:dialog { title = "Put " .. part.name .. " into the bin?", cancel = "Cancel", ok = "Bin", on_ok = away }
  end,
  menu = function(self)
    local part = part_of(self.intent.id)
    if not part then return {} end
    if part.binned then
      return { { "Out of the bin", id = "out_of_bin", on_click = function()
        part.binned = nil
        if not index_of(storage.shelves, part.shelf) then part.shelf = nil end
      end } }
    end
    return {
      { "Duplicate", id = "duplicate", on_click = function() self:duplicate(part) end },
      { "To the bin", id = "bin", on_click = function() self:ask_bin(part) end },
    }
  end,
  view = function(self)
    local part = part_of(self.intent.id)
    if not part then return column { toolbar { "Part", up = true }, text { "This part is gone", id = "gone" } } end
    local names = each(part.from, function(i) return storage.suppliers[i] end)
    local line = sheet_line(part.id)
    return column {
      toolbar { part.name, up = true, subtitle = part.binned and "in the bin" or nil,
        actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = part.id }) end } } },
      scroll {
        text { pcs(part.pieces) .. (low(part) and ", should be " .. part.min or ""), id = "stock", size = "large" },
        text { "Shelf: " .. (part.shelf or "none"), id = "shelf" },
        text { "Price: " .. money(part.cents) .. ", with VAT " .. money(with_vat(part.cents)), id = "price" },
        text { "From: " .. (#names > 0 and table.concat(names, ", ") or "nobody"), id = "from" },
        line and text { pcs(line.pieces) .. " on order", id = "on_order" },
        not part.binned and column {
          button { "Count", id = "count", on_click = function() self:ask_count(part) end },
          button { "Move to another shelf", id = "move", on_click = function() self:ask_shelf(part) end },
          button { "Suppliers", id = "suppliers", on_click = function() self:ask_suppliers(part) end },
          button { "Order 10", id = "order_ten", enabled = #part.from > 0, on_click = function() order(part, 10) end },
        },
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent) self.part = part_of(intent.id) end,
  store = function(self)
    local name, price, min = trim(self:text("part_name")), tonumber(self:text("part_price")), tonumber(self:text("part_min"))
    if name == "" then return toast("A part needs a name") end
    if not price then return toast("What does it cost?") end
    local part = self.part
    if not part then
      if #storage.parts >= MAX_PARTS then return toast("The shop is full") end
      part = { id = new_id(), pieces = 0, from = {} }
      table.insert(storage.parts, part)
    end
    part.name, part.cents, part.min = name, math.floor(price * 100 + 0.5), math.tointeger(min) or 0
    self:finish()
  end,
  view = function(self)
    local part = self.part
    return column {
      toolbar { part and "Edit part" or "New part", up = true },
      scroll {
        field { id = "part_name", hint = "Name", max = 30, text = part and part.name or "" },
        field { id = "part_price", hint = "Price of one", input = "decimal", max = 8, text = part and money(part.cents) or "" },
        field { id = "part_min", hint = "Never fewer than", input = "number", max = 4, text = part and tostring(part.min) or "" },
        text { "0: may run out", id = "hint", size = "small" },
        button { "Save", id = "save", on_click = function() self:store() end },
      },
    }
  end,
}

-- ---- shelves ----

activity "Shelves" {
  ask_name = function(self, i)
    local old = storage.shelves[i]
    self:set_text("shelf_name", old or "")
    self:dialog { title = old and "Rename " .. old or "New shelf", cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "shelf_name", hint = "Name", max = 16 } } end,
      on_ok = function()
        local name = trim(self:text("shelf_name"))
        if name == "" or name == old then return end
        if index_of(storage.shelves, name) then return toast("There is already " .. name) end
        if not old then
          if #storage.shelves < MAX_SHELVES then table.insert(storage.shelves, name) end
          return
        end
        storage.shelves[i] = name
        for _, part in ipairs(storage.parts) do
          if part.shelf == old and not bug("shelf_rename") then part.shelf = name end
        end
      end }
  end,
  -- What stood there stays in the stock, without a place.
  remove = function(self, i)
    local old = table.remove(storage.shelves, i)
    for _, part in ipairs(storage.parts) do
      if part.shelf == old then part.shelf = nil end
    end
  end,
  shelf_menu = function(self, i)
    self:popup {
      { "Rename", id = "rename_shelf", on_click = function() self:ask_name(i) end },
      { "Take down", id = "remove_shelf", on_click = function() self:remove(i) end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Shelves", up = true },
      list { id = "shelf_list", items = storage.shelves, empty = text { "No shelves", id = "empty" },
        row = function(shelf)
          local n = #on_shelf(shelf)
          return column { id = "shelf_row", text { shelf, id = "name", size = "large" }, text { n == 1 and "1 part" or n .. " parts", id = "parts", size = "small" } }
        end,
        on_item_click = function(_, shelf) self:start("Shelf", { shelf = shelf }) end,
        on_item_long_click = function(i) self:shelf_menu(i) end },
      fab { id = "add_shelf", desc = "New shelf", on_click = function() self:ask_name() end },
    }
  end,
}

activity "Shelf" {
  view = function(self)
    local shelf = self.intent.shelf or "?"
    return column {
      toolbar { "Shelf " .. shelf, up = true },
      list { id = "shelf_parts", items = on_shelf(shelf), empty = text { "Nothing stands here", id = "empty" },
        row = function(part) return text { part.name .. ": " .. pcs(part.pieces), id = "shelf_part" } end,
        on_item_click = function(_, part) self:start("Part", { id = part.id }) end },
    }
  end,
}

-- ---- orders, bin, report, settings ----

activity "Sheet" {
  arrived = function(self)
    for _, line in ipairs(storage.sheet) do
      local part = part_of(line.part)
      if part then part.pieces = part.pieces + line.pieces end
    end
    storage.sheet = {}
  end,
  view = function(self)
    local sum = 0
    for _, line in ipairs(storage.sheet) do
      local part = part_of(line.part)
      sum = sum + (part and part.cents or 0) * line.pieces
    end
    return column {
      toolbar { "Order sheet", up = true },
      list { id = "sheet", items = storage.sheet, empty = text { "Nothing to order", id = "empty" },
        row = function(line)
          local part = part_of(line.part)
          return text { pcs(line.pieces) .. " of " .. (part and part.name or "something"), id = "sheet_row" }
        end,
        on_item_click = function(_, line) self:start("Part", { id = line.part }) end,
        on_item_long_click = function(i) table.remove(storage.sheet, i) end },
      text { "Sum: " .. money(sum) .. ", with VAT " .. money(with_vat(sum)), id = "sum" },
      button { "Everything arrived", id = "arrived", enabled = #storage.sheet > 0, on_click = function() self:arrived() end },
    }
  end,
}

activity "Bin" {
  ask = function(self, part)
    self:dialog { title = part.name, items = { "Put back", "Delete for good" },
      on_item = function(i)
        if i == 1 then
          part.binned = nil
          if bug("restore_no_shelf") or not index_of(storage.shelves, part.shelf) then part.shelf = nil end
        else
          local place = index_of(storage.parts, part)
          if place then table.remove(storage.parts, place) end
        end
      end }
  end,
  view = function(self)
    local parts = filter(storage.parts, function(p) return p.binned end)
    return column {
      toolbar { "Bin", up = true },
      list { id = "bin_list", items = parts, empty = text { "The bin is empty", id = "empty" },
        row = function(part) return text { part.name, id = "binned" } end,
        on_item_click = function(_, part) self:ask(part) end },
      button { "Empty the bin", id = "empty_bin", enabled = #parts > 0, on_click = function()
        storage.parts = stocked()
      end },
    }
  end,
}

activity "Report" {
  value = function(self, parts)
    local cents, pieces = 0, 0
    for _, part in ipairs(parts) do
      cents = cents + part.cents * part.pieces
      pieces = pieces + part.pieces
    end
    return cents, pieces
  end,
  view = function(self)
    local cents, pieces = self:value(bug("bin_in_report") and storage.parts or stocked())
    local placeless = self:value(on_shelf(nil))
    return column {
      toolbar { "Report", up = true, subtitle = date(now(), "%Y-%m-%d") },
      scroll {
        each(storage.shelves, function(shelf) return text { "Shelf " .. shelf .. ": " .. money((self:value(on_shelf(shelf)))), id = "shelf_value" } end),
        placeless > 0 and text { "Without a shelf: " .. money(placeless), id = "placeless_value" },
        divider {},
        text { "Stock: " .. pcs(pieces), id = "all_pieces" },
        text { "Value: " .. money(cents), id = "all_value", size = "large" },
        text { "With " .. VATS[prefs.vat] .. " % VAT: " .. money(with_vat(cents)), id = "all_vat" },
      },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text { "VAT", id = "vat_label" },
      radios { id = "vat", items = { "None", "19 %", "7 %" }, selected = prefs.vat, on_change = function(i) prefs.vat = i end },
      switch { "Ask before a part goes to the bin", id = "confirm", checked = prefs.confirm, on_change = function(on) prefs.confirm = on end },
      text { "The menu of the list never asks: there one can undo", id = "hint", size = "small" },
    }
  end,
}
