-- Greenhouse: trays of which a kind is shown, that are watered one by one or several at once out of a tank, and beds
-- between which water is moved. Each bug shows on another page, or after something that walks seldom do.
app { package = "org.norn.greenhouse", title = "Greenhouse", main = "Main",
  bugs = { "filter_forgotten", "switch_ignored", "first_only", "tank_stays", "half_move", "copy_shares" },
  application = function()
    if storage.trays then return end
    storage.trays = {
      { id = 1, name = "Basil", kind = 2, ready = true }, { id = 2, name = "Lettuce", kind = 3 },
      { id = 3, name = "Dill", kind = 2 }, { id = 4, name = "Rocket", kind = 3, ready = true },
      { id = 5, name = "Thyme", kind = 2 } }
    storage.tank, storage.next_id = 50, 10
    storage.beds = {
      { id = 1, name = "North bed", water = 30, seeds = { "Peas", "Beans" } },
      { id = 2, name = "South bed", water = 45, seeds = { "Leeks", "Chard" } } }
    storage.moves = {}
  end }

local KINDS = { "All kinds", "Herb", "Salad" }
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function has(list, id) return find(list, function(x) return x == id end) ~= nil end
local function new_id() storage.next_id = storage.next_id + 1 return storage.next_id end

local function water(tray, wet)
  if not tray.wet == not wet then return end
  tray.wet = wet
  if wet then storage.tank = storage.tank - 1 elseif not bug("tank_stays") then storage.tank = storage.tank + 1 end
end

activity "Main" {
  create = function(self, intent, saved)
    self.kind, self.ready = saved and saved.kind or 1, saved and saved.ready or false
    self.all, self.chosen = saved and saved.all or false, saved and saved.chosen or {}
  end,
  save = function(self, out) out.kind, out.ready, out.all, out.chosen = self.kind, self.ready, self.all, self.chosen end,
  result = function(self, request, data) if data and bug("filter_forgotten") then self.all = true end end,
  shown = function(self)
    return filter(storage.trays, function(t)
      if self.all then return true end
      if self.ready and bug("switch_ignored") then return t.ready end
      return (self.kind == 1 or t.kind == self.kind) and (not self.ready or t.ready)
    end)
  end,
  menu = function(self)
    return { { "Kind", id = "kind", on_click = function()
        self:dialog { title = "Show", items = KINDS, checked = self.kind, on_item = function(i) self.kind, self.all = i, false end }
      end },
      { "Tank", id = "tank", on_click = function() self:start("Tank") end },
      { "Beds", id = "beds", on_click = function() self:start("Beds") end } }
  end,
  back = function(self)
    if #self.chosen == 0 then return false end
    self.chosen = {}
    return true
  end,
  choose = function(self, id)
    if has(self.chosen, id) then self.chosen = filter(self.chosen, function(c) return c ~= id end)
    else table.insert(self.chosen, id) end
  end,
  water_chosen = function(self)
    for k, id in ipairs(self.chosen) do
      if k == 1 or not bug("first_only") then water(by_id(storage.trays, id), true) end
    end
    self.chosen = {}
  end,
  view = function(self)
    local choosing = #self.chosen > 0
    return column { toolbar { choosing and #self.chosen .. " chosen" or "Trays" },
      text { KINDS[self.kind], id = "kind_shown" },
      switch { "Ready only", id = "ready", checked = self.ready, on_change = function(b) self.ready = b end },
      list { id = "trays", items = self:shown(),
        row = function(t)
          return row { id = "tray", selected = has(self.chosen, t.id), text { t.name, id = "name", weight = 1 },
            text { t.wet and "watered" or "dry", id = "state" } }
        end,
        on_item_click = function(_, t)
          if #self.chosen > 0 then return self:choose(t.id) end
          self:popup { { "Watered", id = "wet", on_click = function() water(t, true) end },
            { "Dry", id = "dry", on_click = function() water(t, false) end },
            { "Edit", id = "edit", on_click = function() self:start_for_result("Tray", "edit", { id = t.id }) end } }
        end,
        on_item_long_click = function(_, t) self:choose(t.id) end },
      choosing and button { "Water them", id = "water_them", on_click = function() self:water_chosen() end } }
  end,
}

activity "Tray" {
  view = function(self)
    local tray = by_id(storage.trays, self.intent.id)
    return column { toolbar { tray.name, up = true },
      field { id = "note", hint = "Note", text = tray.note or "Sown in May" },
      button { "Save", id = "save", on_click = function()
        tray.note = self:text("note")
        self:finish { saved = true }
      end } }
  end,
}

activity "Tank" {
  view = function(self)
    return column { toolbar { "Tank", up = true }, text { storage.tank .. " litres left", id = "left" } }
  end,
}

activity "Beds" {
  copy_bed = function(self, bed)
    local twin = copy(bed)
    twin.id, twin.name = new_id(), bed.name .. " copy"
    if not bug("copy_shares") then twin.seeds = each(bed.seeds, function(s) return s end) end
    table.insert(storage.beds, twin)
  end,
  view = function(self)
    return column { toolbar { "Beds", up = true },
      list { id = "beds", items = storage.beds,
        row = function(b) return row { id = "bed", text { b.name, id = "bed_name", weight = 1 }, text { b.water .. " l", id = "water" } } end,
        on_item_click = function(_, b) self:start("Bed", { id = b.id }) end,
        on_item_long_click = function(_, b)
          self:popup { { "Duplicate", id = "duplicate", on_click = function() self:copy_bed(b) end } }
        end },
      button { "Move water", id = "move", on_click = function() self:start("Move") end } }
  end,
}

activity "Bed" {
  remove = function(self, move)
    storage.moves = filter(storage.moves, function(m) return m.id ~= move.id end)
    local from, to = by_id(storage.beds, 1), by_id(storage.beds, 2)
    if self.intent.id == 1 or not bug("half_move") then from.water = from.water + move.litres end
    if self.intent.id == 2 or not bug("half_move") then to.water = to.water - move.litres end
  end,
  view = function(self)
    local bed = by_id(storage.beds, self.intent.id)
    return column { toolbar { bed.name, up = true }, text { bed.water .. " litres", id = "bed_water" },
      list { id = "seeds", items = bed.seeds,
        row = function(s) return row { id = "seed", text { s, id = "seed_name" } } end,
        on_item_long_click = function(i)
          self:popup { { "Remove", id = "remove", on_click = function() table.remove(bed.seeds, i) end } }
        end },
      list { id = "moves", items = bed.id <= 2 and storage.moves or {},
        row = function(m) return row { id = "move_row", text { "Moved " .. m.litres .. " l", id = "moved" } } end,
        on_item_click = function(_, m)
          self:dialog { title = "Delete this move?", cancel = "Cancel", ok = "Delete", on_ok = function() self:remove(m) end }
        end } }
  end,
}

activity "Move" {
  view = function(self)
    return column { toolbar { "From north to south", up = true },
      field { id = "litres", hint = "Litres", input = "number", max = 3 },
      button { "Save", id = "save_move", on_click = function()
        local litres = tonumber(self:text("litres"))
        if not litres or litres <= 0 then return toast("How many litres?") end
        storage.beds[1].water, storage.beds[2].water = storage.beds[1].water - litres, storage.beds[2].water + litres
        table.insert(storage.moves, { id = new_id(), litres = litres })
        self:finish()
      end } }
  end,
}
