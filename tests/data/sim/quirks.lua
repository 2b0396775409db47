-- Quirks: rooms with boxes and things, all of it as its makers want it. There is no bug; each peculiarity looks like one.
--   rows of two kinds in one list       a room lists boxes and things, and counts what is in the boxes
--   a total that leaves something out   what is "not insured" is not in it
--   rounding                            a setting hides cents, and what is added up was rounded
--   a switch that resets another one    who ships abroad cannot ship fast
--   ticks that wait for Done            who leaves a check in another way has given it up
--   a move                              from one room to the other nothing is gained
app { package = "org.norn.quirks", title = "Quirks", main = "Main", bugs = {},
  application = function()
    if storage.rooms then return end
    storage.next_id = 20
    storage.rooms = { { id = 1, name = "Kitchen" }, { id = 2, name = "Cellar" }, { id = 3, name = "Study" } }
    storage.boxes = { { id = 4, room = 2, name = "Camping" }, { id = 5, room = 3, name = "Cables" } }
    storage.things = {
      { id = 6, room = 1, name = "Kettle", value = 24.40, insured = true }, { id = 7, room = 1, name = "Pan", value = 79.35, insured = true },
      { id = 8, room = 2, name = "Pump", value = 19.30, insured = true }, { id = 9, room = 2, box = 4, name = "Tent", value = 129.20, insured = true },
      { id = 10, room = 2, box = 4, name = "Stove", value = 40.40, insured = false }, { id = 11, room = 3, name = "Lamp", value = 45.20, insured = true },
      { id = 12, room = 3, box = 5, name = "Charger", value = 15.45, insured = true },
    }
    storage.whole, storage.abroad, storage.fast = false, false, true
  end }

local function money(value) return storage.whole and string.format("$%.0f", value) or string.format("$%.2f", value) end
local function of_room(id) return filter(storage.things, function(t) return t.room == id end) end
local function of_box(id) return filter(storage.things, function(t) return t.box == id end) end
local function worth(things)
  local sum = 0
  for _, t in ipairs(things) do if t.insured then sum = sum + t.value end end
  return sum
end
local function counted(things) return #things == 1 and "1 thing" or #things .. " things" end

activity "Main" {
  menu = function(self)
    return { { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      { "Stocktaking", id = "stocktaking", on_click = function() self:start("Stocktaking") end } }
  end,
  view = function(self)
    return column { toolbar { "Quirks" },
      text { "Insured: " .. money(worth(storage.things)), id = "total" },
      list { id = "rooms", weight = 1, items = storage.rooms,
        row = function(r) return row { text { r.name, id = "room", weight = 1 }, text { money(worth(of_room(r.id))), id = "worth" } } end,
        on_item_click = function(_, r) self:start("Room", { id = r.id }) end } }
  end,
}

activity "Room" {
  inside = function(self)
    local out = filter(storage.boxes, function(b) return b.room == self.intent.id end)
    for _, t in ipairs(of_room(self.intent.id)) do if not t.box then table.insert(out, t) end end
    return out
  end,
  view = function(self)
    local room = find(storage.rooms, function(r) return r.id == self.intent.id end)
    local things = of_room(room.id)
    return column { toolbar { room.name, up = true },
      text { counted(things) .. " · " .. money(worth(things)), id = "summary" },
      list { id = "inside", weight = 1, items = self:inside(),
        row = function(x)
          if not x.value then
            return row { id = "box_row", text { "▣ " .. x.name, id = "name", weight = 1 }, text { counted(of_box(x.id)) .. " · " .. money(worth(of_box(x.id))), id = "details" } }
          end
          return row { id = "thing_row", text { x.name, id = "name", weight = 1 }, text { money(x.value) .. (x.insured and "" or " · not insured"), id = "details" } }
        end,
        on_item_click = function(_, x) if x.value then self:start("Thing", { id = x.id }) end end },
      button { "New box", id = "new_box", on_click = function()
        storage.next_id = storage.next_id + 1
        table.insert(storage.boxes, { id = storage.next_id, room = room.id, name = "Box " .. storage.next_id })
      end } }
  end,
}

activity "Thing" {
  view = function(self)
    local t = find(storage.things, function(x) return x.id == self.intent.id end)
    if not t then return column { toolbar { "Gone", up = true } } end
    local moves = {}
    for _, r in ipairs(storage.rooms) do
      if r.id ~= t.room then table.insert(moves, button { "Move to " .. r.name, id = "move", on_click = function() t.room, t.box = r.id, nil end }) end
    end
    return column { toolbar { t.name, up = true },
      text { money(t.value), id = "value" },
      check { "Insured", id = "insured", checked = t.insured, on_change = function(on) t.insured = on end },
      column(moves),
      button { "Delete", id = "delete", on_click = function()
        storage.things = filter(storage.things, function(x) return x.id ~= t.id end)
        self:finish()
      end } }
  end,
}

activity "Settings" {
  view = function(self)
    return column { toolbar { "Settings", up = true },
      switch { "Hide cents", id = "whole", checked = storage.whole, on_change = function(on) storage.whole = on end },
      switch { "Ships abroad", id = "abroad", checked = storage.abroad, on_change = function(on)
        storage.abroad = on
        if on then storage.fast = false end
      end },
      check { "Ships fast", id = "fast", checked = storage.fast, enabled = not storage.abroad, on_change = function(on) storage.fast = on end } }
  end,
}

activity "Stocktaking" {
  create = function(self, intent, saved) self.ticked = saved and saved.ticked or {} end,
  save = function(self, out) out.ticked = self.ticked end,
  view = function(self)
    local ticks = #filter(storage.things, function(t) return self.ticked["t" .. t.id] end)
    return column { toolbar { "Stocktaking", up = true, actions = { { "Done", id = "done", on_click = function()
        storage.things = filter(storage.things, function(t) return self.ticked["t" .. t.id] or ticks == 0 end)
        self:finish()
      end } } },
      text { ticks .. " seen", id = "seen" },
      list { id = "things", weight = 1, items = storage.things,
        row = function(t) return row { text { (self.ticked["t" .. t.id] and "☑ " or "☐ ") .. t.name, id = "tick" } } end,
        on_item_click = function(_, t) self.ticked["t" .. t.id] = not self.ticked["t" .. t.id] or nil end } }
  end,
}
