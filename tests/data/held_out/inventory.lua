-- Home Inventory: what is in the house, room by room, with number, value and guarantee; a bin, labels, text in and out.
-- A thing in the bin keeps its room. Values are in cents, for one piece; guarantees end at a day numbered since 1970.

local DAY = 24 * 60 * 60 * 1000
local SOON = 60
local SORTS = { "Name", "Value", "Newest" }
local LABELS = { "Fragile", "Insured", "Borrowable", "Battery" }
local TERMS = { { "None" }, { "One month", 30 }, { "One year", 365 }, { "Two years", 730 } }

local function today() return now() // DAY end

app {
  package = "org.norn.inventory",
  title = "Home Inventory",
  main = "Main",
  bugs = { "import_twice", "total_with_bin", "restore_room", "soon_is_past", "default_room", "closed_search", "value_separator", "copy_shares_labels" },
  application = function()
    if storage.things then return end
    storage.rooms = { { id = 1, name = "Kitchen" }, { id = 2, name = "Living room" }, { id = 3, name = "Cellar" } }
    storage.things = {
      { id = 4, name = "Kettle", room = 1, number = 1, value = 3900, labels = {}, until_day = today() - 20 },
      { id = 5, name = "Soup plates", room = 1, number = 8, value = 650, labels = { "Fragile" } },
      { id = 6, name = "Piano", room = 2, number = 1, value = 125000, labels = { "Insured" }, until_day = today() + 400 },
      { id = 7, name = "Floor lamp", room = 2, number = 2, value = 8950, labels = {}, until_day = today() + 30 },
      { id = 8, name = "Cordless drill", room = 3, number = 1, value = 11900, labels = { "Battery", "Borrowable" }, until_day = today() + 45 },
      { id = 9, name = "Camping stove", room = 3, number = 1, value = 4500, labels = {}, binned = true },
    }
    storage.next_id = 10
    prefs.sort, prefs.show_values, prefs.room, prefs.ask_delete = 1, true, 1, true
  end,
}

local function by_id(items, id) return find(items, function(item) return item.id == id end) end
local function thing_by_id(id) return by_id(storage.things, id) end
local function room_name(id)
  local room = by_id(storage.rooms, id)
  return room and room.name or "Nowhere"
end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id - 1
end

local function count_text(n, one) return n .. " " .. one .. (n == 1 and "" or "s") end
local function plain_money(cents) return format("%d.%02d", cents // 100, cents % 100) end

local function money(cents)
  local whole, rest = tostring(cents // 100), format("%02d", cents % 100)
  while whole:find("^%d%d%d%d") do whole = whole:gsub("^(%d+)(%d%d%d)", "%1,%2") end
  return whole .. "." .. rest
end

-- cents of what was typed, nil if that is no amount
local function typed_money(s)
  local whole, rest = s:match("^(%d+)%.?(%d*)")
  if not whole or #whole > 7 then return nil end
  return tonumber(whole) * 100 + tonumber((rest .. "00"):sub(1, 2))
end

local function things_in(room)
  return filter(storage.things, function(thing) return not thing.binned and (not room or thing.room == room) end)
end

local function total(things)
  local sum = 0
  for _, thing in ipairs(things) do sum = sum + thing.number * thing.value end
  return sum
end

local function sorted(things)
  local keys = { function(thing) return thing.name:lower() end, function(thing) return -thing.value * thing.number end, function(thing) return -thing.id end }
  local key = keys[prefs.sort]
  table.sort(things, function(a, b) return key(a) < key(b) end)
  return things
end

local function guarantee_text(thing)
  if not thing.until_day then return "No guarantee" end
  local left = thing.until_day - today()
  if left < 0 then return "Guarantee ended on " .. date(thing.until_day * DAY, "%Y-%m-%d") end
  return "Guarantee for " .. count_text(left, "day")
end

local function thing_row(thing)
  local facts = thing.number .. " in " .. room_name(thing.room)
  if prefs.show_values then facts = facts .. ", " .. money(thing.value * thing.number) end
  return column { text { thing.name, id = "thing" }, text { facts, id = "facts", size = "small" } }
end

-- ---- all things, and those of a room ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.room, self.searching, self.query = saved.room, saved.searching or false, saved.query or ""
  end,
  save = function(self, out) out.room, out.searching, out.query = self.room, self.searching, self.query end,
  back = function(self)
    if not self.searching then return false end
    self:close_search()
    return true
  end,
  close_search = function(self)
    self.searching = false
    self:hide_keyboard()
    if bug("closed_search") then return end
    self.query = ""
    self:set_text("query", "")
  end,
  shown = function(self)
    local query = trim(self.query):lower()
    return sorted(filter(things_in(self.room), function(thing) return query == "" or contains(thing.name:lower(), query) end))
  end,
  ask_sort = function(self)
    self:dialog { title = "Sort by", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
  end,
  put_in_bin = function(self, thing)
    thing.binned = true
    self:snackbar(thing.name .. " is in the bin", "Undo", function() thing.binned = nil end)
  end,
  ask_delete = function(self, thing)
    if not prefs.ask_delete then return self:put_in_bin(thing) end
    self:dialog { title = "Put " .. thing.name .. " into the bin?", cancel = "Cancel", ok = "Yes", on_ok = function() self:put_in_bin(thing) end }
  end,
  add = function(self)
    local room = self.room or (bug("default_room") and storage.rooms[1].id or prefs.room)
    self:start("Edit", { room = room })
  end,
  menu = function(self)
    return {
      { "Sort by", id = "sort", on_click = function() self:ask_sort() end },
      { "Guarantees", id = "guarantees", on_click = function() self:start("Guarantees") end },
      { "Export and import", id = "exchange", on_click = function() self:start("Exchange") end },
    }
  end,
  drawer_items = function(self)
    local items = { { "All rooms", id = "all_rooms", checked = self.room == nil, on_click = function() self.room = nil end } }
    for _, room in ipairs(storage.rooms) do
      table.insert(items, { room.name, id = "room", checked = self.room == room.id, on_click = function() self.room = room.id end })
    end
    table.insert(items, { "Manage rooms", id = "manage_rooms", on_click = function() self:start("Rooms") end })
    table.insert(items, { "Bin", id = "bin", on_click = function() self:start("Bin") end })
    table.insert(items, { "Settings", id = "settings", on_click = function() self:start("Settings") end })
    return items
  end,
  resume = function(self)
    if self.room and not by_id(storage.rooms, self.room) then self.room = nil end
  end,
  view = function(self)
    local shown = self:shown()
    return column {
      toolbar { self.room and room_name(self.room) or "All rooms", subtitle = count_text(#shown, "thing"),
        actions = { { self.searching and "Close search" or "Search", id = "search",
          on_click = function()
            if self.searching then return self:close_search() end
            self.searching = true
          end } } },
      drawer { id = "rooms_drawer", header = "Home Inventory", items = self:drawer_items() },
      self.searching and field { id = "query", hint = "Name", text = self.query, on_change = function(typed) self.query = typed end },
      list { id = "things", items = shown, row = thing_row, empty = text { "Nothing here", id = "empty" },
        on_item_click = function(_, thing) self:start("Thing", { id = thing.id }) end,
        on_item_long_click = function(_, thing) self:ask_delete(thing) end },
      prefs.show_values and text { "Together " .. money(total(shown)), id = "together" },
      fab { id = "add", desc = "Add thing", on_click = function() self:add() end },
    }
  end,
}

-- ---- one thing ----

activity "Thing" {
  ask_move = function(self, thing)
    local names = each(storage.rooms, function(room) return room.name end)
    local _, at = by_id(storage.rooms, thing.room)
    self:dialog { title = "Move to", items = names, checked = at, on_item = function(i) thing.room = storage.rooms[i].id end }
  end,
  ask_label = function(self, thing)
    local free = filter(LABELS, function(label) return not index_of(thing.labels, label) end)
    if #free == 0 then return toast("It has all labels") end
    self:dialog { title = "Add label", items = free, on_item = function(_, label) table.insert(thing.labels, label) end }
  end,
  remove_label = function(self, thing, label)
    local at = index_of(thing.labels, label)
    if at then table.remove(thing.labels, at) end
  end,
  make_copy = function(self, thing)
    local twin = { id = new_id(), name = thing.name .. " (copy)", room = thing.room, number = thing.number, value = thing.value,
      until_day = thing.until_day, labels = bug("copy_shares_labels") and thing.labels or copy(thing.labels) }
    table.insert(storage.things, twin)
    self:finish()
    toast("Copied")
  end,
  menu = function(self)
    local thing = thing_by_id(self.intent.id)
    return thing and {
      { "Move to", id = "move", on_click = function() self:ask_move(thing) end },
      { "Make a copy", id = "make_copy", on_click = function() self:make_copy(thing) end },
    } or {}
  end,
  view = function(self)
    local thing = thing_by_id(self.intent.id)
    if not thing then return column { toolbar { "Thing", up = true }, text { "This is no longer there", id = "gone" } } end
    return column {
      toolbar { thing.name, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = thing.id }) end } } },
      scroll {
        text { room_name(thing.room), id = "in_room" },
        text { count_text(thing.number, "piece"), id = "number" },
        text { "One piece: " .. money(thing.value), id = "value" },
        thing.number > 1 and text { "Together: " .. money(thing.number * thing.value), id = "together" },
        text { guarantee_text(thing), id = "guarantee" },
        each(thing.labels, function(label)
          return row {
            text { label, id = "label", weight = 1 },
            image_button { id = "remove_label", desc = "Remove " .. label, on_click = function() self:remove_label(thing, label) end },
          }
        end),
        button { "Add label", id = "add_label", on_click = function() self:ask_label(thing) end },
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.thing = intent.id and thing_by_id(intent.id) or nil
    self.room = saved.room or self.thing and self.thing.room or intent.room or storage.rooms[1].id
    self.term = saved.term                       -- nil: the guarantee stays as it is
  end,
  save = function(self, out) out.room, out.term = self.room, self.term end,
  room_row = function(self)
    local _, at = by_id(storage.rooms, self.room)
    return at or 1
  end,
  ask_term = function(self)
    self:dialog { title = "Guarantee from today", items = each(TERMS, function(term) return term[1] end), checked = self.term,
      on_item = function(i) self.term = i end }
  end,
  store = function(self)
    local name, number, value = trim(self:text("name")), tonumber(self:text("number_field")), typed_money(self:text("value_field"))
    if name == "" then return toast("What is it?") end
    if not number or number < 1 or number > 9999 then return toast("How many are there?") end
    if not value then return toast("What is one worth?") end
    local thing = self.thing
    if not thing then
      thing = { id = new_id(), labels = {} }
      table.insert(storage.things, thing)
    end
    thing.name, thing.number, thing.value, thing.room = name, number, value, self.room
    if self.term then
      local days = TERMS[self.term][2]
      thing.until_day = days and today() + days or nil
    end
    self:finish()
  end,
  view = function(self)
    local thing = self.thing
    local shown = bug("value_separator") and money or plain_money
    return column {
      toolbar { thing and "Edit thing" or "New thing", up = true },
      scroll {
        field { id = "name", hint = "Name", text = thing and thing.name or "" },
        field { id = "number_field", hint = "Number", text = tostring(thing and thing.number or 1), input = "number", max = 4 },
        field { id = "value_field", hint = "Value of one", text = shown(thing and thing.value or 0), input = "decimal", max = 10 },
        spinner { id = "room_field", items = each(storage.rooms, function(room) return room.name end), selected = self:room_row(),
          on_change = function(i) self.room = storage.rooms[i].id end },
        button { self.term and "Guarantee: " .. TERMS[self.term][1] or thing and guarantee_text(thing) or "No guarantee", id = "term",
          on_click = function() self:ask_term() end },
        button { "Save", id = "save", on_click = function() self:store() end },
      },
    }
  end,
}

-- ---- rooms ----

activity "Rooms" {
  ask_name = function(self, room)
    self:dialog { title = room and "Rename room" or "New room", cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "room_name", hint = "Name", text = room and room.name or "" } } end,
      on_ok = function()
        local name = trim(self:text("room_name"))
        if name == "" then return true end
        if find(storage.rooms, function(other) return other ~= room and other.name:lower() == name:lower() end) then
          toast("There is such a room")
          return true
        end
        if room then room.name = name else table.insert(storage.rooms, { id = new_id(), name = name }) end
      end }
  end,
  delete = function(self, room)
    if #storage.rooms == 1 then return toast("One room must stay") end
    if find(storage.things, function(thing) return thing.room == room.id end) then return toast("There are things in it or in the bin") end
    local _, i = by_id(storage.rooms, room.id)
    table.remove(storage.rooms, i)
    if prefs.room == room.id then prefs.room = storage.rooms[1].id end
  end,
  view = function(self)
    return column {
      toolbar { "Rooms", up = true, subtitle = "Worth " .. money(total(bug("total_with_bin") and storage.things or things_in())) },
      list { id = "room_list", items = storage.rooms,
        row = function(room)
          local things = things_in(room.id)
          return column { text { room.name, id = "room_row" }, text { count_text(#things, "thing") .. ", " .. money(total(things)), id = "worth", size = "small" } }
        end,
        on_item_click = function(_, room) self:ask_name(room) end,
        on_item_long_click = function(_, room)
          self:popup { { "Rename", id = "rename", on_click = function() self:ask_name(room) end },
            { "Delete", id = "delete", on_click = function() self:delete(room) end } }
        end },
      fab { id = "add_room", desc = "Add room", on_click = function() self:ask_name() end },
    }
  end,
}

-- ---- bin, guarantees, exchange, settings ----

activity "Bin" {
  restore = function(self, thing)
    thing.binned = nil
    if bug("restore_room") then thing.room = prefs.room end
    toast(thing.name .. " is back")
  end,
  ask_empty = function(self)
    self:dialog { title = "Empty the bin?", message = "This cannot be undone.", cancel = "Cancel", ok = "Empty",
      on_ok = function() storage.things = things_in() end }
  end,
  menu = function(self) return { { "Empty the bin", id = "empty_bin", on_click = function() self:ask_empty() end } } end,
  view = function(self)
    return column {
      toolbar { "Bin", up = true },
      list { id = "binned", items = filter(storage.things, function(thing) return thing.binned end), empty = text { "The bin is empty", id = "empty" },
        row = function(thing)
          return row { text { thing.name, id = "binned_thing", weight = 1 },
            button { "Restore", id = "restore", on_click = function() self:restore(thing) end } }
        end },
    }
  end,
}

activity "Guarantees" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,
  shown = function(self)
    local out = filter(things_in(), function(thing)
      if not thing.until_day then return false end
      local left = thing.until_day - today()
      if self.tab == 3 then return left < 0 end
      if self.tab == 2 then return left <= SOON and (left >= 0 or bug("soon_is_past")) end
      return left >= 0
    end)
    table.sort(out, function(a, b) return a.until_day < b.until_day end)
    return out
  end,
  view = function(self)
    local shown = self:shown()
    return column {
      toolbar { "Guarantees", subtitle = count_text(#shown, "thing"), up = true },
      tabs { id = "terms", titles = { "Valid", "Ending soon", "Over" }, selected = self.tab, on_change = function(i) self.tab = i end },
      list { id = "guaranteed", items = shown, empty = text { "None", id = "empty" },
        row = function(thing) return column { text { thing.name, id = "thing" }, text { guarantee_text(thing), id = "facts", size = "small" } } end,
        on_item_click = function(_, thing) self:start("Thing", { id = thing.id }) end },
    }
  end,
}

activity "Exchange" {
  create = function(self, intent, saved) self.result = saved and saved.result end,
  save = function(self, out) out.result = self.result end,
  export = function(self)
    local lines = each(things_in(), function(thing) return room_name(thing.room) .. ";" .. thing.name .. ";" .. thing.number .. ";" .. plain_money(thing.value) end)
    clipboard.set(table.concat(lines, "\n"))
    self.result = count_text(#lines, "thing") .. " copied to the clipboard"
  end,
  known = function(self, room, name)
    return find(storage.things, function(thing) return not thing.binned and thing.room == room and thing.name == name end)
  end,
  import_line = function(self, line)
    local parts = split(line, ";")
    local room = find(storage.rooms, function(other) return other.name == parts[1] end)
    local name, number, value = parts[2], tonumber(parts[3]), typed_money(parts[4] or "")
    if not room or not name or not number or not value then return false end
    if self:known(room.id, name) and not bug("import_twice") then return false end
    table.insert(storage.things, { id = new_id(), name = name, room = room.id, number = number, value = value, labels = {} })
    return true
  end,
  import = function(self)
    local lines, taken = split(clipboard.get() or "", "\n"), 0
    lines = filter(lines, function(line) return trim(line) ~= "" end)
    for _, line in ipairs(lines) do taken = taken + (self:import_line(line) and 1 or 0) end
    self.result = taken .. " imported, " .. #lines - taken .. " left out"
  end,
  view = function(self)
    return column {
      toolbar { "Export and import", up = true },
      text { "Things as lines of text, without those that are there already.", id = "explanation" },
      button { "Export to clipboard", id = "export", on_click = function() self:export() end },
      button { "Import from clipboard", id = "import", on_click = function() self:import() end },
      self.result and text { self.result, id = "result" },
    }
  end,
}

activity "Settings" {
  ask_room = function(self)
    local names = each(storage.rooms, function(room) return room.name end)
    local _, at = by_id(storage.rooms, prefs.room)
    self:dialog { title = "Room of new things", items = names, checked = at, on_item = function(i) prefs.room = storage.rooms[i].id end }
  end,
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Show values in the list of things", id = "show_values", checked = prefs.show_values, on_change = function(on) prefs.show_values = on end },
      switch { "Ask before deleting", id = "ask_delete", checked = prefs.ask_delete, on_change = function(on) prefs.ask_delete = on end },
      button { "Room of new things: " .. room_name(prefs.room), id = "room_of_new", on_click = function() self:ask_room() end },
    }
  end,
}
