-- Homestock: what stands in which room, what it is worth, until when it is under warranty; a report for the insurance.
--
-- The value is that of one piece; totals count all pieces. The report leaves out what is not insured. A warranty that has at most
-- 60 days to go ends soon. Items go to the bin first and come back to their room, if it is still there.

local DAY = 24 * 60 * 60 * 1000
local MAX_ITEMS, MAX_ROOMS = 80, 12
local ORDERS = { { "name", "Sort by name" }, { "value", "Sort by value" }, { "newest", "Sort by newest" } }

app {
  package = "org.homestock",
  title = "Homestock",
  main = "Main",
  bugs = { "quantity_in_rooms", "hidden_value_shown", "edit_loses_star", "move_by_position", "sort_value_text", "restore_room",
    "warranty_this_month", "count_stale" },
  application = function()
    if storage.items then return end
    storage.next_id = 60
    storage.rooms = { { id = 1, name = "Kitchen" }, { id = 2, name = "Living room" }, { id = 3, name = "Study" }, { id = 4, name = "Garage" } }
    storage.items = {
      { id = 11, name = "Sofa", room = 2, cents = 95000, pieces = 1, bought = "2021-06-12", months = 24, serial = "", insured = true, star = true },
      { id = 12, name = "Camera", room = 3, cents = 64000, pieces = 1, bought = "2022-04-10", months = 24, serial = "CX-20931", insured = true },
      { id = 13, name = "Dining chair", room = 1, cents = 8000, pieces = 4, bought = "2020-09-01", months = 0, serial = "", insured = true },
      { id = 14, name = "Bicycle", room = 4, cents = 120000, pieces = 1, bought = "2023-05-20", months = 36, serial = "WBK773", insured = false },
      { id = 15, name = "Laptop", room = 3, cents = 150000, pieces = 1, bought = "2023-03-15", months = 12, serial = "5CD1234", insured = true },
      { id = 16, name = "Toaster", room = 1, cents = 4500, pieces = 1, bought = "2023-11-28", months = 24, serial = "", insured = false },
    }
    prefs.order, prefs.hide, prefs.currency, prefs.last_room = "name", false, 1, 1
  end,
}

local CURRENCIES = { "$", "€", "£" }

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(list, id) return id and find(list, function(x) return x.id == id end) or nil end
local function item_of(id)
  local item = by_id(storage.items, id)
  return item and not item.binned and item or nil
end
local function room_of(id) return by_id(storage.rooms, id) end
local function room_name(id)
  local room = room_of(id)
  return room and room.name or "No room"
end
local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end
local function kept() return filter(storage.items, function(x) return not x.binned end) end
local function count_text(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function total_of(x) return x.cents * x.pieces end
local function plain_money(cents) return format("%s%d.%02d", CURRENCIES[prefs.currency], cents // 100, cents % 100) end
local function money(cents) return prefs.hide and "•••" or plain_money(cents) end
local function title(x) return (x.star and "★ " or "") .. x.name .. (x.pieces > 1 and " × " .. x.pieces or "") end

local function days_in(y, m)
  if m == 2 then return y % 4 == 0 and (y % 100 ~= 0 or y % 400 == 0) and 29 or 28 end
  return (m == 4 or m == 6 or m == 9 or m == 11) and 30 or 31
end
local function day_parts(s)
  local y, m, d = s:match("^(%d%d%d%d)%-(%d%d)%-(%d%d)$")
  return tonumber(y), tonumber(m), tonumber(d)
end
local function today() return date(now(), "%Y-%m-%d") end
local function is_day(s)
  local y, m, d = day_parts(s)
  return y ~= nil and y >= 1950 and m >= 1 and m <= 12 and d >= 1 and d <= days_in(y, m) and s <= today()
end

-- The last day of the warranty, or nil.
local function warranty_end(x)
  if x.months == 0 then return nil end
  local y, m, d = day_parts(x.bought)
  local months = y * 12 + m - 1 + x.months
  y, m = months // 12, months % 12 + 1
  return format("%04d-%02d-%02d", y, m, math.min(d, days_in(y, m)))
end

local function warranty_text(x)
  local last = warranty_end(x)
  if not last then return "No warranty" end
  if last < today() then return "Warranty ended " .. last end
  local soon = last <= date(now() + 60 * DAY, "%Y-%m-%d")
  if bug("warranty_this_month") then soon = last:sub(1, 7) == today():sub(1, 7) end
  return "Warranty until " .. last .. (soon and ", ends soon" or "")
end

local function sorted(items)
  table.sort(items, function(a, b)
    if prefs.order == "value" then
      local x, y = total_of(a), total_of(b)
      if bug("sort_value_text") then x, y = tostring(x), tostring(y) end
      if x ~= y then return x > y end
    elseif prefs.order == "newest" and a.bought ~= b.bought then
      return a.bought > b.bought
    end
    return a.name:lower() < b.name:lower()
  end)
  return items
end

local function sum(items)
  local cents = 0
  for _, x in ipairs(items) do cents = cents + total_of(x) end
  return cents
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.room, self.query, self.picked = saved.room, saved.query or "", saved.picked     -- picked: ids, while items are being chosen
    self.count = #kept()
  end,
  save = function(self, out) out.room, out.query, out.picked = self.room, self.query, self.picked end,
  resume = function(self)
    if not room_of(self.room) then self.room = nil end
    if self.picked then self.picked = filter(self.picked, item_of) end
    if self.picked and #self.picked == 0 then self.picked = nil end
  end,
  result = function(self, request, data) if request == "rooms" and data then self.room = data.room end end,
  back = function(self)
    if not self.picked then return false end
    self.picked = nil
    return true
  end,

  items = function(self)
    local query = trim(self.query):lower()
    return sorted(filter(kept(), function(x)
      return (not self.room or x.room == self.room) and contains((x.name .. " " .. x.serial):lower(), query)
    end))
  end,

  toggle = function(self, x)
    local i = index_of(self.picked, x.id)
    if i then table.remove(self.picked, i) else table.insert(self.picked, x.id) end
    if #self.picked == 0 then self.picked = nil end
  end,

  picked_items = function(self)
    local items, all = {}, bug("move_by_position") and kept() or self:items()
    for i, x in ipairs(self:items()) do
      if index_of(self.picked, x.id) then table.insert(items, all[i]) end
    end
    return items
  end,

  ask_move = function(self)
    local names = each(storage.rooms, function(r) return r.name end)
    if #names == 0 then return toast("There are no rooms") end
    self:dialog { title = "Move to", items = names, cancel = "Cancel", on_item = function(i)
      for _, x in ipairs(self:picked_items()) do x.room = storage.rooms[i].id end
      self.picked = nil
    end }
  end,

  ask_delete = function(self)
    local chosen = filter(self:items(), function(x) return index_of(self.picked, x.id) end)
    self:dialog { title = "Put " .. count_text(#chosen, "item") .. " into the bin?", cancel = "Cancel", ok = "Delete", on_ok = function()
      for _, x in ipairs(chosen) do x.binned = true end
      self.picked = nil
    end }
  end,

  menu = function(self)
    if self.picked then return {} end
    local items = each(ORDERS, function(o)
      return { o[2], id = "sort_" .. o[1], checked = prefs.order == o[1], on_click = function() prefs.order = o[1] end }
    end)
    table.insert(items, { "Rooms", id = "rooms", on_click = function() self:start_for_result("Rooms", "rooms") end })
    for _, name in ipairs { "Warranties", "Report", "Bin", "Settings" } do
      table.insert(items, { name, id = name:lower(), on_click = function() self:start(name) end })
    end
    return items
  end,

  bar = function(self)
    if not self.picked then return toolbar { "Homestock" } end
    return toolbar { #self.picked .. " selected", up = function() self.picked = nil end, actions = {
      { "Move", id = "move", on_click = function() self:ask_move() end },
      { "Delete", id = "delete", on_click = function() self:ask_delete() end } } }
  end,

  view = function(self)
    local rooms = { "All rooms", table.unpack(each(storage.rooms, function(r) return r.name end)) }
    local _, at = find(storage.rooms, function(r) return r.id == self.room end)
    return column {
      self:bar(),
      not self.picked and field { id = "query", hint = "Name or serial number", text = self.query, max = 24, on_change = function(s) self.query = s end },
      not self.picked and spinner { id = "room", items = rooms, selected = (at or 0) + 1,
        on_change = function(i) self.room = i > 1 and storage.rooms[i - 1].id or nil end },
      text { count_text(bug("count_stale") and self.count or #kept(), "item") .. " at home", id = "count", size = "small" },
      list { id = "items", weight = 1, items = self:items(), empty = text { "Nothing found", id = "empty" },
        row = function(x)
          return column { id = "item_row", selected = self.picked ~= nil and index_of(self.picked, x.id) ~= nil,
            text { title(x), id = "name", size = "large" },
            text { room_name(x.room) .. " · " .. money(total_of(x)), id = "line", size = "small" } }
        end,
        on_item_click = function(_, x) if self.picked then self:toggle(x) else self:start("Item", { id = x.id }) end end,
        on_item_long_click = function(_, x)
          self.picked = self.picked or {}
          self:toggle(x)
        end },
      not self.picked and fab { id = "add", desc = "New item", on_click = function()
        if #storage.items >= MAX_ITEMS then return toast("Empty the bin first") end
        self:start("Edit", { room = self.room })
      end },
    }
  end,
}

activity "Item" {
  menu = function(self)
    local x = item_of(self.intent.id)
    if not x then return {} end
    return {
      { "Make a copy", id = "copy", on_click = function()
        if #storage.items >= MAX_ITEMS then return toast("Empty the bin first") end
        local twin = copy(x)
        twin.id, twin.serial, twin.star = new_id(), "", nil
        table.insert(storage.items, twin)
        toast("Copied, without its serial number")
      end },
      { "Delete", id = "delete", on_click = function()
        self:dialog { title = "Delete " .. x.name .. "?", message = "You find it in the bin", ok = "Delete", cancel = "Cancel",
          on_ok = function() x.binned = true self:finish() end }
      end },
    }
  end,

  view = function(self)
    local x = item_of(self.intent.id)
    if not x then return column { toolbar { "Item", up = true }, text { "This item is not here any more", id = "gone" } } end
    local show = bug("hidden_value_shown") and plain_money or money
    return column {
      toolbar { x.name, up = true, actions = {
        { x.star and "Remove star" or "Add star", id = "star", on_click = function() x.star = not x.star or nil end },
        { "Edit", id = "edit", on_click = function() self:start("Edit", { id = x.id }) end } } },
      text { title(x), id = "name", size = "large" },
      text { room_name(x.room), id = "room" },
      text { "Value: " .. show(x.cents) .. (x.pieces > 1 and " each, " .. show(total_of(x)) .. " in all" or ""), id = "value" },
      text { "Bought: " .. x.bought, id = "bought" },
      text { warranty_text(x), id = "warranty" },
      x.serial ~= "" and text { "Serial number: " .. x.serial, id = "serial" },
      text { x.insured and "Insured" or "Not insured", id = "insured" },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local x = item_of(intent.id)
    self.old = x and copy(x) or { name = "", pieces = 1, bought = today(), months = 24, serial = "", insured = false,
      room = intent.room or room_of(prefs.last_room) and prefs.last_room or nil }
    self.room, self.insured = self.old.room, self.old.insured
    if saved then self.room, self.insured = saved.room, saved.insured end
  end,
  save = function(self, out) out.room, out.insured = self.room, self.insured end,

  store = function(self)
    local name, value = trim(self:text("name")), tonumber(self:text("value"))
    local pieces, months = tonumber(self:text("pieces")), tonumber(self:text("months"))
    local bought = trim(self:text("bought"))
    if name == "" then return toast("An item needs a name") end
    if not value or value < 0 or value > 99999 then return toast("Enter the value of one piece") end
    if not pieces or pieces < 1 or pieces > 99 then return toast("Enter 1 to 99 pieces") end
    if not is_day(bought) then return toast("Bought on a day such as 2023-12-31") end
    if not months or months < 0 or months > 120 then return toast("Enter up to 120 months of warranty") end
    local x = item_of(self.intent.id)
    if not x and #storage.items >= MAX_ITEMS then return toast("Empty the bin first") end
    local new = { id = x and x.id or new_id(), name = name, room = room_of(self.room) and self.room or nil, cents = math.floor(value * 100 + 0.5),
      pieces = math.floor(pieces), bought = bought, months = math.floor(months), serial = trim(self:text("serial")), insured = self.insured }
    if x and not bug("edit_loses_star") then new.star = x.star end
    if x then storage.items[index_of(storage.items, x)] = new else table.insert(storage.items, new) end
    if not x and new.room then prefs.last_room = new.room end
    self:finish()
  end,

  view = function(self)
    local old = self.old
    local rooms = { "No room", table.unpack(each(storage.rooms, function(r) return r.name end)) }
    local _, at = find(storage.rooms, function(r) return r.id == self.room end)
    return column {
      toolbar { old.id and "Edit item" or "New item", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { weight = 1,
        field { id = "name", hint = "Name", text = old.name, max = 24 },
        spinner { id = "room", items = rooms, selected = (at or 0) + 1,
          on_change = function(i) self.room = i > 1 and storage.rooms[i - 1].id or nil end },
        text { "Value of one piece in " .. CURRENCIES[prefs.currency], id = "value_hint", size = "small" },
        field { id = "value", hint = "Value", text = old.cents and format("%d.%02d", old.cents // 100, old.cents % 100) or "", input = "decimal", max = 8 },
        text { "Pieces", size = "small" },
        field { id = "pieces", hint = "Pieces", text = tostring(old.pieces), input = "number", max = 2 },
        text { "Bought on", size = "small" },
        field { id = "bought", hint = "2023-12-31", text = old.bought, max = 10 },
        text { "Months of warranty, 0 for none", size = "small" },
        field { id = "months", hint = "Months", text = tostring(old.months), input = "number", max = 3 },
        field { id = "serial", hint = "Serial number", text = old.serial, max = 20 },
        switch { "Insured", id = "insured", checked = self.insured, on_change = function(b) self.insured = b end },
      },
    }
  end,
}

activity "Rooms" {
  ask_name = function(self, room)
    self:dialog { title = room and "Rename room" or "New room", ok = "Save", cancel = "Cancel",
      view = function() return column { field { id = "room_name", hint = "Name", text = room and room.name or "", max = 20 } } end,
      on_ok = function()
        local name = trim(self:text("room_name"))
        if name == "" then toast("A room needs a name") return true end
        local other = find(storage.rooms, function(r) return r.name:lower() == name:lower() end)
        if other and other ~= room then toast("There is such a room") return true end
        if room then room.name = name else table.insert(storage.rooms, { id = new_id(), name = name }) end
      end }
  end,

  room_menu = function(self, room)
    self:popup {
      { "Rename", id = "rename", on_click = function() self:ask_name(room) end },
      { "Delete", id = "delete", on_click = function()
        self:dialog { title = "Delete " .. room.name .. "?", message = "Its items stay, without a room", ok = "Delete", cancel = "Cancel",
          on_ok = function()
            for _, x in ipairs(storage.items) do if x.room == room.id then x.room = nil end end
            forget(storage.rooms, room)
          end }
      end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Rooms", up = true, actions = { { "New room", id = "add_room", on_click = function()
        if #storage.rooms >= MAX_ROOMS then return toast("That is enough rooms") end
        self:ask_name()
      end } } },
      list { id = "rooms", weight = 1, items = storage.rooms, empty = text { "No rooms", id = "empty" },
        row = function(r)
          local items, cents = filter(kept(), function(x) return x.room == r.id end), 0
          for _, x in ipairs(items) do cents = cents + (bug("quantity_in_rooms") and x.cents or total_of(x)) end
          return column { id = "room_row", text { r.name, id = "name" },
            text { count_text(#items, "item") .. ", " .. money(cents), id = "line", size = "small" } }
        end,
        on_item_click = function(_, r) self:finish { room = r.id } end,
        on_item_long_click = function(_, r) self:room_menu(r) end },
    }
  end,
}

activity "Warranties" {
  view = function(self)
    local items = filter(kept(), function(x) return warranty_end(x) and warranty_end(x) >= today() end)
    table.sort(items, function(a, b) return warranty_end(a) < warranty_end(b) end)
    return column {
      toolbar { "Warranties", up = true },
      text { "Warranties that have ended are not shown", id = "hint", size = "small" },
      list { id = "warranties", weight = 1, items = items, empty = text { "No warranties", id = "empty" },
        row = function(x) return column { id = "warranty_row", text { title(x), id = "name" }, text { warranty_text(x), id = "line", size = "small" } } end,
        on_item_click = function(_, x) self:start("Item", { id = x.id }) end },
    }
  end,
}

activity "Report" {
  view = function(self)
    local insured = filter(kept(), function(x) return x.insured end)
    local others = filter(kept(), function(x) return not x.insured end)
    table.sort(insured, function(a, b) return total_of(a) > total_of(b) end)
    return column {
      toolbar { "Insurance report", up = true },
      text { "Insured: " .. money(sum(insured)), id = "insured", size = "large" },
      text { count_text(#others, "item") .. " not insured, " .. money(sum(others)) .. ", left out", id = "others", size = "small" },
      list { id = "insured_items", weight = 1, items = insured, empty = text { "Nothing is insured", id = "empty" },
        row = function(x) return row { id = "report_row", text { title(x), id = "name", weight = 1 }, text { money(total_of(x)), id = "total" } } end },
      button { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
    }
  end,
}

activity "Bin" {
  item_menu = function(self, x)
    self:popup {
      { "Put back", id = "restore", on_click = function()
        x.binned = nil
        if bug("restore_room") then x.room = storage.rooms[1] and storage.rooms[1].id end
        toast(x.name .. " is back")
      end },
      { "Delete for ever", id = "destroy", on_click = function() forget(storage.items, x) end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Bin", up = true },
      list { id = "binned", weight = 1, items = filter(storage.items, function(x) return x.binned end), empty = text { "The bin is empty", id = "empty" },
        row = function(x) return column { id = "bin_row", text { title(x), id = "name" }, text { "From: " .. room_name(x.room), id = "from", size = "small" } } end,
        on_item_click = function(_, x) self:item_menu(x) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll { weight = 1,
        switch { "Hide values", id = "hide", checked = prefs.hide, on_change = function(b) prefs.hide = b end },
        text { "Values are then seen only when an item is edited", size = "small" },
        text "Currency",
        radios { id = "currency", items = { "Dollar", "Euro", "Pound" }, selected = prefs.currency, on_change = function(i) prefs.currency = i end },
        text { "Amounts are not converted", size = "small" },
      },
    }
  end,
}
