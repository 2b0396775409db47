-- Homebox: what is where at home. Rooms hold boxes and things, boxes hold things; things are lent, moved, thrown away.
--
-- A box: { id, room, name }. A thing: { id, name, room, box = id or nil, qty, value (cents for one), tag = id or nil, note, lent = who
-- or nil, trashed }. A thing in a box has the box's room.

app {
  package = "org.norn.inventory",
  title = "Homebox",
  main = "Rooms",
  bugs = { "moved_box_room", "tag_report_quantity", "restored_loose", "trashed_still_lent", "any_tag_keeps_filter", "place_rotated",
    "delete_selected_shifted", "lent_value_shown" },
  application = function()
    if storage.rooms then return end
    storage.next_id = 200
    storage.rooms = { { id = 1, name = "Kitchen" }, { id = 2, name = "Study" }, { id = 3, name = "Cellar" } }
    storage.boxes = { { id = 11, room = 2, name = "Cables" }, { id = 12, room = 3, name = "Toolbox" }, { id = 13, room = 3, name = "Camping" } }
    storage.tags = { { id = 21, name = "Electronics" }, { id = 22, name = "Tools" }, { id = 23, name = "Outdoor" } }
    storage.things = {}
    local function thing(name, room, box, qty, value, tag, lent)
      table.insert(storage.things, { id = 100 + #storage.things, name = name, room = room, box = box, qty = qty, value = value, tag = tag, note = "", lent = lent, trashed = false })
    end
    thing("Espresso machine", 1, nil, 1, 24900, 21)
    thing("Cast iron pan", 1, nil, 2, 3950)
    thing("Monitor", 2, nil, 1, 18000, 21)
    thing("Desk lamp", 2, nil, 1, 4500, 21, "Bob")
    thing("HDMI cable", 2, 11, 4, 700, 21)
    thing("USB charger", 2, 11, 3, 1500, 21)
    thing("Hammer", 3, 12, 1, 1200, 22)
    thing("Screwdriver", 3, 12, 6, 350, 22)
    thing("Power drill", 3, 12, 1, 8900, 22, "Carol")
    thing("Tent", 3, 13, 1, 12900, 23)
    thing("Sleeping bag", 3, 13, 2, 6000, 23)
    thing("Bicycle pump", 3, nil, 1, 1900, 23)
    prefs.sort, prefs.currency, prefs.show_values = 1, 1, true
  end,
}

local CURRENCIES = { "$", "€", "£" }
local SORTS = { "Name", "Value", "Newest first" }
local MAX = 200

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function room_of(id) return by_id(storage.rooms, id) end
local function box_of(id) return by_id(storage.boxes, id) end
local function tag_of(id) return by_id(storage.tags, id) end
local function thing_of(id) return by_id(storage.things, id) end
local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end
local function counted(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function boxes(n) return n .. (n == 1 and " box" or " boxes") end
local function money(cents) return format("%s%d.%02d", CURRENCIES[prefs.currency], cents // 100, cents % 100) end

local function things_where(fn) return filter(storage.things, function(t) return not t.trashed and fn(t) end) end
local function things_in_room(room) return things_where(function(t) return t.room == room.id end) end
local function things_in_box(box) return things_where(function(t) return t.box == box.id end) end
local function boxes_in(room)
  local result = filter(storage.boxes, function(b) return b.room == room.id end)
  table.sort(result, function(a, b) return a.name:lower() < b.name:lower() end)
  return result
end
local function worth(things)
  local sum = 0
  for _, t in ipairs(things) do sum = sum + t.qty * t.value end
  return sum
end
local function sorted(things)
  local result = copy(things)
  table.sort(result, function(a, b)
    if prefs.sort == 3 then return a.id > b.id end
    local x, y = a.qty * a.value, b.qty * b.value
    if prefs.sort == 2 and x ~= y then return x > y end
    return a.name:lower() < b.name:lower()
  end)
  return result
end
-- "7 things · $120.00", or without the value
local function summary(things) return counted(#things, "thing") .. (prefs.show_values and " · " .. money(worth(things)) or "") end

local function place_name(room, box)
  room, box = room_of(room), box_of(box)
  if not room then return "Nowhere" end
  return room.name .. (box and " › " .. box.name or "")
end

local function thing_row(thing, mark, with_place)
  local details = {}
  if with_place then table.insert(details, place_name(thing.room, thing.box)) end
  if prefs.show_values then table.insert(details, money(thing.qty * thing.value)) end
  local tag = tag_of(thing.tag)
  if tag then table.insert(details, tag.name) end
  if thing.lent then table.insert(details, "lent to " .. thing.lent) end
  return column { id = "thing_row", selected = mark,
    text { thing.name .. (thing.qty ~= 1 and " × " .. thing.qty or ""), id = "name" },
    #details > 0 and text { table.concat(details, " · "), id = "details", size = "small" } }
end

-- To the trash; the answer takes that back.
local function trash(things)
  for _, t in ipairs(things) do t.trashed = true end
  return function()
    for _, t in ipairs(things) do if room_of(t.room) and thing_of(t.id) then t.trashed = false end end
  end
end

local function move_box(box, room)
  box.room = room
  if bug("moved_box_room") then return end
  for _, t in ipairs(storage.things) do if t.box == box.id then t.room = room end end
end

local function ask_name(self, title, name, on_name)
  self:dialog { title = title, view = function() return column { field { id = "name", hint = "Name", text = name, max = 30 } } end, cancel = "Cancel", ok = "OK",
    on_ok = function()
      local typed = trim(self:text("name"))
      if typed == "" then toast("A name, please") return true end
      on_name(typed)
    end }
end

-- Rooms, boxes -----------------------------------------------------------------------------------------------

activity "Rooms" {
  ask = function(self, room)
    self:popup {
      { "Rename", id = "rename", on_click = function() ask_name(self, "Rename room", room.name, function(name) room.name = name end) end },
      { "Delete", id = "delete", on_click = function() self:delete(room) end },
    }
  end,
  delete = function(self, room)
    if #boxes_in(room) > 0 or #things_in_room(room) > 0 then return toast("This room is not empty") end
    for _, t in ipairs(storage.things) do if t.room == room.id then t.room = nil end end     -- in the trash
    forget(storage.rooms, room)
  end,
  menu = function(self)
    return {
      { "Report", id = "report", on_click = function() self:start("Report") end },
      { "Tags", id = "tags", on_click = function() self:start("Tags") end },
      { "Trash", id = "trash", on_click = function() self:start("Trash") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Homebox", actions = { { "Search", id = "search", on_click = function() self:start("Search") end },
        { "Lent", id = "lent", on_click = function() self:start("Lent") end } } },
      text { "Altogether " .. summary(things_where(function() return true end)), id = "all" },
      list { id = "rooms", items = storage.rooms, empty = text { "No rooms yet", id = "empty" },
        row = function(r)
          return column { id = "room_row", text { r.name, id = "name", size = "large" },
            text { boxes(#boxes_in(r)) .. " · " .. summary(things_in_room(r)), id = "details", size = "small" } }
        end,
        on_item_click = function(_, r) self:start("Room", { id = r.id }) end,
        on_item_long_click = function(_, r) self:ask(r) end },
      fab { id = "add", desc = "New room", on_click = function()
        if #storage.rooms >= 20 then return toast("Too many rooms") end
        ask_name(self, "New room", "", function(name) table.insert(storage.rooms, { id = new_id(), name = name }) end)
      end },
    }
  end,
}

activity "Room" {
  resume = function(self) if not room_of(self.intent.id) then self:finish() end end,
  result = function(self, request, data)
    local box = box_of(request)
    if box and data then move_box(box, data.room) end
  end,
  add_box = function(self)
    if #storage.boxes >= 40 then return toast("Too many boxes") end
    ask_name(self, "New box", "", function(name) table.insert(storage.boxes, { id = new_id(), room = self.intent.id, name = name }) end)
  end,
  delete = function(self, box)
    local function remove()
      for _, t in ipairs(storage.things) do if t.box == box.id then t.box = nil end end
      forget(storage.boxes, box)
    end
    if #things_in_box(box) == 0 then return remove() end
    self:dialog { title = "Delete " .. box.name .. "?", message = "Its things stay in the room.", cancel = "Cancel", ok = "Delete", on_ok = remove }
  end,
  ask = function(self, box)
    self:popup {
      { "Rename", id = "rename", on_click = function() ask_name(self, "Rename box", box.name, function(name) box.name = name end) end },
      { "Move to a room", id = "move", on_click = function() self:start_for_result("PickPlace", box.id, { rooms = true }) end },
      { "Delete", id = "delete", on_click = function() self:delete(box) end },
    }
  end,
  view = function(self)
    local room = room_of(self.intent.id)
    if not room then return column { toolbar { "Room", up = true } } end
    local rows = each(boxes_in(room), function(b) return { box = b } end)
    for _, t in ipairs(sorted(things_where(function(t) return t.room == room.id and not t.box end))) do table.insert(rows, { thing = t }) end
    return column {
      toolbar { "Room", up = true, actions = { { "New box", id = "add_box", on_click = function() self:add_box() end } } },
      text { room.name .. " · " .. summary(things_in_room(room)), id = "summary" },
      list { id = "inside", items = rows, empty = text { "Nothing in here", id = "empty" },
        row = function(r)
          if r.thing then return thing_row(r.thing) end
          return column { id = "box_row", text { "▣ " .. r.box.name, id = "name" }, text { summary(things_in_box(r.box)), id = "details", size = "small" } }
        end,
        on_item_click = function(_, r) if r.box then self:start("Box", { id = r.box.id }) else self:start("Thing", { id = r.thing.id }) end end,
        on_item_long_click = function(_, r) if r.box then self:ask(r.box) end end },
      fab { id = "add", desc = "New thing", on_click = function() self:start("EditThing", { room = room.id }) end },
    }
  end,
}

-- What is in a box; a long press begins to select.
activity "Box" {
  create = function(self, intent, saved) self.picked = saved and saved.picked or {} end,
  save = function(self, out) out.picked = self.picked end,
  resume = function(self)
    local box = box_of(self.intent.id)
    if not box then return self:finish() end
    self.picked = filter(self.picked, function(id) return find(things_in_box(box), function(t) return t.id == id end) ~= nil end)
  end,
  back = function(self)
    if #self.picked == 0 then return false end
    self.picked = {}
    return true
  end,
  result = function(self, request, data)
    if not data then return end
    for _, id in ipairs(self.picked) do
      local thing = thing_of(id)
      if thing then thing.room, thing.box = data.room, data.box end
    end
    self.picked = {}
    toast("Moved to " .. place_name(data.room, data.box))
  end,

  things = function(self) return sorted(things_in_box(box_of(self.intent.id))) end,
  toggle = function(self, thing)
    if index_of(self.picked, thing.id) then forget(self.picked, thing.id) else table.insert(self.picked, thing.id) end
  end,
  delete_selected = function(self)
    local rest, gone, places = self:things(), {}, {}
    for at, t in ipairs(rest) do if index_of(self.picked, t.id) then table.insert(places, at) end end
    for n, at in ipairs(places) do
      if not bug("delete_selected_shifted") then at = at - n + 1 end       -- those before are gone already
      if rest[at] then table.insert(gone, table.remove(rest, at)) end
    end
    self.picked = {}
    self:snackbar(counted(#places, "thing") .. " in the trash", "Undo", trash(gone))
  end,

  menu = function(self)
    local box = box_of(self.intent.id)
    if not box then return {} end
    if #self.picked > 0 then
      return { { "Select all", id = "select_all", on_click = function() self.picked = each(self:things(), function(t) return t.id end) end } }
    end
    return { { "Rename box", id = "rename", on_click = function() ask_name(self, "Rename box", box.name, function(name) box.name = name end) end } }
  end,
  view = function(self)
    local box = box_of(self.intent.id)
    if not box then return column { toolbar { "Box", up = true } } end
    local selecting = #self.picked > 0
    return column {
      selecting and toolbar { #self.picked .. " selected", up = function() self.picked = {} end, actions = {
        { "Move", id = "move", on_click = function() self:start_for_result("PickPlace", "things") end },
        { "Delete", id = "delete", on_click = function() self:delete_selected() end } } }
      or toolbar { "Box", up = true },
      text { place_name(box.room, box.id) .. " · " .. summary(things_in_box(box)), id = "summary" },
      list { id = "things", items = self:things(), empty = text { "This box is empty", id = "empty" },
        row = function(t) return thing_row(t, index_of(self.picked, t.id) ~= nil) end,
        on_item_click = function(_, t) if #self.picked > 0 then self:toggle(t) else self:start("Thing", { id = t.id }) end end,
        on_item_long_click = function(_, t) self:toggle(t) end },
      not selecting and fab { id = "add", desc = "New thing", on_click = function() self:start("EditThing", { room = box.room, box = box.id }) end },
    }
  end,
}

-- A room or a box; the answer is { room, box }.
activity "PickPlace" {
  view = function(self)
    local rows = {}
    for _, r in ipairs(storage.rooms) do
      table.insert(rows, { room = r.id })
      for _, b in ipairs(self.intent.rooms and {} or boxes_in(r)) do table.insert(rows, { room = r.id, box = b.id }) end
    end
    return column {
      toolbar { self.intent.rooms and "Choose a room" or "Choose a place", up = true },
      list { id = "places", items = rows, empty = text { "No rooms yet", id = "empty" },
        row = function(p) return text { place_name(p.room, p.box), id = "place_row" } end,
        on_item_click = function(_, p) self:finish(p) end },
    }
  end,
}

-- Things -----------------------------------------------------------------------------------------------------

activity "Thing" {
  resume = function(self)
    local thing = thing_of(self.intent.id)
    if not thing or thing.trashed then self:finish() end
  end,
  result = function(self, request, data)
    local thing = thing_of(self.intent.id)
    if thing and data then thing.room, thing.box = data.room, data.box end
  end,
  lend = function(self, thing)
    if thing.lent then
      thing.lent = nil
      return toast("It is back")
    end
    ask_name(self, "Lend to whom?", "", function(name) thing.lent = name end)
  end,
  menu = function(self)
    local thing = thing_of(self.intent.id)
    if not thing then return {} end
    return {
      { "Move", id = "move", on_click = function() self:start_for_result("PickPlace", "thing") end },
      { thing.lent and "Returned" or "Lend", id = "lend", on_click = function() self:lend(thing) end },
      { "Delete", id = "delete", on_click = function()
        trash { thing }
        toast("In the trash")
        self:finish()
      end },
    }
  end,
  view = function(self)
    local thing = thing_of(self.intent.id)
    if not thing then return column { toolbar { "Thing", up = true } } end
    local tag = tag_of(thing.tag)
    return column {
      toolbar { "Thing", up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("EditThing", { id = thing.id }) end } } },
      scroll { id = "page",
        text { thing.name, id = "name", size = "large" },
        text { place_name(thing.room, thing.box), id = "place" },
        row { button { "−", id = "fewer", desc = "One less", enabled = thing.qty > 1, on_click = function() thing.qty = thing.qty - 1 end },
          text { counted(thing.qty, "piece"), id = "qty", weight = 1 },
          button { "+", id = "more", desc = "One more", enabled = thing.qty < 999, on_click = function() thing.qty = thing.qty + 1 end } },
        prefs.show_values and text { "Value " .. money(thing.qty * thing.value) .. (thing.qty > 1 and " (" .. money(thing.value) .. " each)" or ""), id = "value" },
        text { "Tag: " .. (tag and tag.name or "none"), id = "tag" },
        thing.lent and text { "Lent to " .. thing.lent, id = "lent" },
        thing.note ~= "" and text { thing.note, id = "note", size = "small" },
      },
    }
  end,
}

activity "EditThing" {
  create = function(self, intent, saved)
    local t = thing_of(intent.id)
    self.first = { name = t and t.name or "", qty = tostring(t and t.qty or 1), value = t and format("%.2f", t.value / 100) or "", note = t and t.note or "" }
    local from = t or intent
    self.room, self.box, self.tag = from.room, from.box, from.tag
    if not saved then return end
    self.tag = saved.tag
    if not bug("place_rotated") then self.room, self.box = saved.room, saved.box end
  end,
  save = function(self, out) out.room, out.box, out.tag = self.room, self.box, self.tag end,
  resume = function(self) if self.intent.id and not thing_of(self.intent.id) then self:finish() end end,
  result = function(self, request, data) if data then self.room, self.box = data.room, data.box end end,

  choose_tag = function(self)
    local items, at = { "None" }, 1
    for i, tag in ipairs(storage.tags) do
      items[i + 1] = tag.name
      if tag.id == self.tag then at = i + 1 end
    end
    self:dialog { title = "Tag", items = items, checked = at, cancel = "Cancel", on_item = function(i) self.tag = i > 1 and storage.tags[i - 1].id or nil end }
  end,
  store = function(self)
    local name, qty, typed = trim(self:text("name")), tonumber(self:text("qty")), trim(self:text("value"))
    if name == "" then return toast("A thing needs a name") end
    if not qty or qty < 1 then return toast("How many are there?") end
    if typed ~= "" and not tonumber(typed) then return toast("The value is a number") end
    if not room_of(self.room) then return toast("Where is it?") end
    local thing = thing_of(self.intent.id)
    if not thing then
      if #storage.things >= MAX then return toast("Too many things") end
      thing = { id = new_id(), trashed = false }
      table.insert(storage.things, thing)
    end
    thing.name, thing.qty, thing.value, thing.note = name, qty, math.floor((tonumber(typed) or 0) * 100 + 0.5), trim(self:text("note"))
    thing.room, thing.box, thing.tag = self.room, self.box, self.tag
    self:finish()
  end,
  view = function(self)
    local tag = tag_of(self.tag)
    return column {
      toolbar { self.intent.id and "Edit thing" or "New thing", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { id = "form",
        field { id = "name", hint = "Name", text = self.first.name, max = 40 },
        button { "Place: " .. place_name(self.room, self.box), id = "place", on_click = function() self:start_for_result("PickPlace", "place") end },
        button { "Tag: " .. (tag and tag.name or "none"), id = "tag", on_click = function() self:choose_tag() end },
        field { id = "qty", hint = "How many", text = self.first.qty, input = "number", max = 3 },
        field { id = "value", hint = "Value of one", text = self.first.value, input = "decimal", max = 8 },
        field { id = "note", hint = "Note", text = self.first.note, max = 100 },
      },
    }
  end,
}

-- Lists over all rooms ---------------------------------------------------------------------------------------

activity "Search" {
  create = function(self, intent, saved)
    self.query, self.tag = saved and saved.query or "", saved and saved.tag
  end,
  save = function(self, out) out.query, out.tag = self.query, self.tag end,
  resume = function(self) if self.tag and not tag_of(self.tag) then self.tag = nil end end,
  choose_tag = function(self)
    local items, at = { "Any tag" }, 1
    for i, tag in ipairs(storage.tags) do
      items[i + 1] = tag.name
      if tag.id == self.tag then at = i + 1 end
    end
    self:dialog { title = "Tag", items = items, checked = at, cancel = "Cancel", on_item = function(i)
      local tag = storage.tags[i - 1]
      if tag or not bug("any_tag_keeps_filter") then self.tag = tag and tag.id end
    end }
  end,
  view = function(self)
    local query, tag = trim(self.query):lower(), tag_of(self.tag)
    local results = things_where(function(t)
      return (not tag or t.tag == tag.id) and contains((t.name .. "\n" .. t.note .. "\n" .. place_name(t.room, t.box)):lower(), query)
    end)
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Name, note or place", max = 30, on_change = function(s) self.query = s end },
      button { tag and tag.name or "Any tag", id = "tag", on_click = function() self:choose_tag() end },
      text { summary(results), id = "summary", size = "small" },
      list { id = "results", items = sorted(results), row = function(t) return thing_row(t, false, true) end, empty = text { "Nothing found", id = "empty" },
        on_item_click = function(_, t) self:start("Thing", { id = t.id }) end },
    }
  end,
}

activity "Lent" {
  things = function(self)
    local lent = bug("trashed_still_lent") and filter(storage.things, function(t) return t.lent end) or things_where(function(t) return t.lent end)
    table.sort(lent, function(a, b) return a.lent:lower() < b.lent:lower() end)
    return lent
  end,
  returned = function(self, thing)
    local who = thing.lent
    thing.lent = nil
    self:snackbar(thing.name .. " is back", "Undo", function() thing.lent = who end)
  end,
  view = function(self)
    local things = self:things()
    return column {
      toolbar { "Lent", up = true },
      text { counted(#things, "thing") .. " lent", id = "count", size = "small" },
      list { id = "lent", items = things, empty = text { "Nothing is lent", id = "empty" },
        row = function(t)
          local value = (prefs.show_values or bug("lent_value_shown")) and " · " .. money(t.qty * t.value) or ""
          return row { id = "lent_row", column { weight = 1, text { t.name, id = "name" }, text { "To " .. t.lent .. value, id = "who", size = "small" } },
            button { "Returned", id = "returned", on_click = function() self:returned(t) end } }
        end,
        on_item_click = function(_, t) self:start("Thing", { id = t.id }) end },
    }
  end,
}

activity "Report" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,
  rows = function(self)
    if self.tab == 1 then
      return each(storage.rooms, function(r)
        local things = things_in_room(r)
        return { name = r.name, count = #things, value = worth(things) }
      end)
    end
    local function row(name, id)
      local things, value = things_where(function(t) return t.tag == id end), 0
      for _, t in ipairs(things) do value = value + t.value * (bug("tag_report_quantity") and 1 or t.qty) end
      return { name = name, count = #things, value = value }
    end
    local rows = each(storage.tags, function(tag) return row(tag.name, tag.id) end)
    table.insert(rows, row("No tag", nil))
    return rows
  end,
  view = function(self)
    return column {
      toolbar { "Report", up = true },
      tabs { id = "tabs", titles = { "By room", "By tag" }, selected = self.tab, on_change = function(i) self.tab = i end },
      text { "Altogether " .. summary(things_where(function() return true end)), id = "all" },
      list { id = "rows", items = self:rows(), row = function(r)
        return row { id = "report_row", text { r.name, id = "name", weight = 1 }, text { counted(r.count, "thing"), id = "count" },
          prefs.show_values and text { money(r.value), id = "value" } }
      end },
    }
  end,
}

activity "Tags" {
  named = function(self, title, tag)
    ask_name(self, title, tag and tag.name or "", function(name)
      if find(storage.tags, function(t) return t ~= tag and t.name:lower() == name:lower() end) then return toast("There is such a tag") end
      if tag then tag.name = name else table.insert(storage.tags, { id = new_id(), name = name }) end
    end)
  end,
  delete = function(self, tag)
    for _, t in ipairs(storage.things) do if t.tag == tag.id then t.tag = nil end end
    forget(storage.tags, tag)
  end,
  view = function(self)
    return column {
      toolbar { "Tags", up = true },
      list { id = "tags", items = storage.tags, empty = text { "No tags", id = "empty" },
        row = function(tag)
          return column { id = "tag_row", text { tag.name, id = "name" },
            text { counted(#things_where(function(t) return t.tag == tag.id end), "thing"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, tag) self:named("Rename tag", tag) end,
        on_item_long_click = function(_, tag)
          self:dialog { title = "Delete " .. tag.name .. "?", message = "Things lose this tag.", cancel = "Cancel", ok = "Delete", on_ok = function() self:delete(tag) end }
        end },
      fab { id = "add", desc = "New tag", on_click = function() if #storage.tags < 15 then self:named("New tag") else toast("Too many tags") end end },
    }
  end,
}

activity "Trash" {
  restore = function(self, thing)
    if not room_of(thing.room) then return self:start_for_result("PickPlace", thing.id) end     -- its room is gone
    if bug("restored_loose") then thing.box = nil end
    thing.trashed = false
    toast("Back in " .. place_name(thing.room, thing.box))
  end,
  result = function(self, request, data)
    local thing = thing_of(request)
    if thing and data then thing.room, thing.box, thing.trashed = data.room, data.box, false end
  end,
  ask = function(self, thing)
    self:popup {
      { "Restore", id = "restore", on_click = function() self:restore(thing) end },
      { "Delete for ever", id = "delete", on_click = function() forget(storage.things, thing) end },
    }
  end,
  view = function(self)
    local things = filter(storage.things, function(t) return t.trashed end)
    return column {
      toolbar { "Trash", up = true, actions = { { "Empty trash", id = "empty_trash", on_click = function()
        self:dialog { title = "Delete " .. counted(#things, "thing") .. " for ever?", cancel = "Cancel", ok = "Delete",
          on_ok = function() storage.things = filter(storage.things, function(t) return not t.trashed end) end }
      end } } },
      list { id = "things", items = sorted(things), row = function(t) return thing_row(t, false, true) end, empty = text { "The trash is empty", id = "empty" },
        on_item_click = function(_, t) self:ask(t) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll { id = "page",
        switch { "Show values", id = "show_values", checked = prefs.show_values, on_change = function(b) prefs.show_values = b end },
        text "Currency",
        spinner { id = "currency", items = CURRENCIES, selected = prefs.currency, on_change = function(i) prefs.currency = i end },
        text "Sort things by",
        radios { id = "sort", items = SORTS, selected = prefs.sort, on_change = function(i) prefs.sort = i end },
        button { "About", id = "about", on_click = function() self:dialog { title = "Homebox 0.9", message = "Find it again", ok = "OK" } end },
      },
    }
  end,
}
