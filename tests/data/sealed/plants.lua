-- Plants: what to water when. Plants stand in rooms, have tags and a journal; the next watering follows from the journal
-- unless it was postponed by hand.
--
-- A plant: { id, name, species, room = id or nil, every = days, ml, tags = { ... }, since = day, snooze = day or nil, archived }.
-- A journal entry: { id, plant, day, what, ml or nil, note }. Days are counted from 1970.

app {
  package = "org.norn.plants",
  title = "Plants",
  main = "Main",
  bugs = { "journal_total_unit", "undo_water_snooze", "select_all_hidden", "rotate_room", "room_counts_archived",
    "postpone_overdue", "copy_shares_tags", "sort_case" },
  application = function()
    if storage.plants then return end
    local today = now() // 86400000
    storage.next_id = 100
    storage.rooms = { { id = 1, name = "Living room" }, { id = 2, name = "Kitchen" }, { id = 3, name = "Balcony" } }
    storage.plants = {
      { id = 11, name = "Monstera", species = "Monstera deliciosa", room = 1, every = 7, ml = 400, tags = { "Shade" }, since = today - 200 },
      { id = 12, name = "Basil", species = "Ocimum basilicum", room = 2, every = 2, ml = 150, tags = { "Sunny", "Edible" }, since = today - 30 },
      { id = 13, name = "Snake plant", species = "Dracaena trifasciata", room = 1, every = 14, ml = 200, tags = { "Shade" }, since = today - 400 },
      { id = 14, name = "Tomato", species = "Solanum lycopersicum", room = 3, every = 1, ml = 800, tags = { "Sunny", "Edible" }, since = today - 40 },
      { id = 15, name = "Aloe", species = "Aloe vera", room = 2, every = 21, ml = 100, tags = { "Sunny" }, since = today - 90 },
      { id = 16, name = "Fern", species = "Nephrolepis exaltata", every = 3, ml = 300, tags = { "Shade", "Pet safe" }, since = today - 60 },
      { id = 17, name = "Lavender", species = "Lavandula", every = 10, ml = 250, tags = { "Sunny" }, since = today - 300, archived = true },
    }
    storage.journal = {
      { id = 31, plant = 11, day = today - 10, what = "Watered", ml = 400, note = "" },
      { id = 32, plant = 11, day = today - 17, what = "Watered", ml = 350, note = "" },
      { id = 33, plant = 11, day = today - 40, what = "Repotted", note = "Pot of 24 cm" },
      { id = 34, plant = 12, day = today - 1, what = "Watered", ml = 150, note = "" },
      { id = 35, plant = 12, day = today - 3, what = "Watered", ml = 150, note = "" },
      { id = 36, plant = 13, day = today - 5, what = "Watered", ml = 200, note = "" },
      { id = 37, plant = 14, day = today - 1, what = "Watered", ml = 800, note = "" },
      { id = 38, plant = 14, day = today - 2, what = "Fertilised", note = "Half a dose" },
      { id = 39, plant = 15, day = today - 12, what = "Watered", ml = 100, note = "" },
      { id = 40, plant = 16, day = today - 2, what = "Watered", ml = 300, note = "" },
    }
    prefs.unit = "ml"
    prefs.species = true
    prefs.confirm = true
    prefs.every = 7
  end,
}

local TAGS = { "Sunny", "Shade", "Pet safe", "Edible" }
local KINDS = { "Watered", "Fertilised", "Repotted", "Pruned" }
local SORTS = { "Name", "Next watering", "Room" }
local MAX_PLANTS, MAX_ROOMS, MAX_ENTRIES = 60, 12, 400

local function today() return now() // 86400000 end
local function day_text(day) return date(day * 86400000, "%Y-%m-%d") end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function plant_of(id) return by_id(storage.plants, id) end
local function room_of(id) return by_id(storage.rooms, id) end
local function room_name(plant) return plant.room and room_of(plant.room).name or "No room" end

local function toggle(list, x)
  local i = index_of(list, x)
  if i then table.remove(list, i) else table.insert(list, x) end
end

local function forget(list, item) if index_of(list, item) then toggle(list, item) end end

-- Amounts are kept in millilitres and shown in the unit of the settings.
local function amount(ml)
  if prefs.unit == "oz" then return format("%.1f oz", ml / 29.5735) end
  return format("%d ml", ml)
end

local function amount_field(ml) return prefs.unit == "oz" and format("%.1f", ml / 29.5735) or tostring(ml) end

local function amount_typed(s)
  local x = tonumber(s)
  if not x or x <= 0 then return nil end
  local ml = math.floor((prefs.unit == "oz" and x * 29.5735 or x) + 0.5)
  return ml > 0 and ml <= 20000 and ml or nil
end

-- ---- the journal ----

local function entries_of(plant)
  local list = filter(storage.journal, function(e) return e.plant == plant.id end)
  table.sort(list, function(a, b) if a.day ~= b.day then return a.day > b.day end return a.id > b.id end)
  return list
end

local function last_watered(plant)
  local e = find(entries_of(plant), function(x) return x.what == "Watered" end)
  return e and e.day or nil
end

local function due_day(plant) return plant.snooze or (last_watered(plant) or plant.since) + plant.every end

local function due_text(plant)
  local days = due_day(plant) - today()
  if days < 0 then return "Overdue by " .. plural(-days, "day") end
  if days == 0 then return "Today" end
  return "In " .. plural(days, "day")
end

local function given(entries)
  local sum = 0
  for _, e in ipairs(entries) do sum = sum + (e.ml or 0) end
  return sum
end

local function add_entry(plant, day, what, ml, note)
  local last = last_watered(plant)
  if what == "Watered" and (not last or day > last) then plant.snooze = nil end
  local entry = { id = new_id(), plant = plant.id, day = day, what = what, ml = what == "Watered" and ml or nil, note = note }
  table.insert(storage.journal, entry)
  return entry
end

-- Waters all of them; one Undo takes it back.
local function water(self, plants)
  if #storage.journal + #plants > MAX_ENTRIES then return toast("The journal is full") end
  local done = {}
  for _, p in ipairs(plants) do
    local snooze = p.snooze
    table.insert(done, { plant = p.id, snooze = snooze, entry = add_entry(p, today(), "Watered", p.ml, "").id })
  end
  local what = #plants == 1 and plants[1].name or plural(#plants, "plant")
  self:snackbar(what .. " watered", "Undo", function()
    for _, d in ipairs(done) do
      storage.journal = filter(storage.journal, function(e) return e.id ~= d.entry end)
      local p = plant_of(d.plant)
      if p and not bug("undo_water_snooze") then p.snooze = d.snooze end
    end
  end)
end

local function delete_plants(self, plants)
  local gone, entries = copy(plants), {}
  for _, p in ipairs(plants) do
    for _, e in ipairs(entries_of(p)) do table.insert(entries, e) forget(storage.journal, e) end
    forget(storage.plants, p)
  end
  self:snackbar(plural(#gone, "plant") .. " deleted", "Undo", function()
    for _, p in ipairs(gone) do if p.room and not room_of(p.room) then p.room = nil end table.insert(storage.plants, p) end
    for _, e in ipairs(entries) do table.insert(storage.journal, e) end
  end)
end

local function ask_delete(self, plants, go)
  if not prefs.confirm then return go() end
  self:dialog { title = "Delete " .. (#plants == 1 and plants[1].name or plural(#plants, "plant")) .. "?",
    message = "The journal goes with it", cancel = "Cancel", ok = "Delete", on_ok = go }
end

local function alive() return filter(storage.plants, function(p) return not p.archived end) end

local function name_key(p) return bug("sort_case") and p.name or p.name:lower() end

local function sorted(plants, order)
  local list = copy(plants)
  table.sort(list, function(a, b)
    if order == 2 and due_day(a) ~= due_day(b) then return due_day(a) < due_day(b) end
    if order == 3 and room_name(a) ~= room_name(b) then return room_name(a) < room_name(b) end
    if name_key(a) ~= name_key(b) then return name_key(a) < name_key(b) end
    return a.id < b.id
  end)
  return list
end

-- ---- the main screen ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.query, self.order = saved.tab or 1, saved.query or "", saved.order or 1
    self.room, self.tag, self.chosen = saved.room, saved.tag, saved.chosen
  end,
  save = function(self, out)
    out.tab, out.query, out.order, out.room, out.tag, out.chosen = self.tab, self.query, self.order, self.room, self.tag, self.chosen
  end,
  resume = function(self)
    if self.room and not room_of(self.room) then self.room = nil end
    if self.chosen then self:keep_chosen() end
  end,
  result = function(self, request, data)
    local plant = data and plant_of(data.delete)
    if plant then delete_plants(self, { plant }) end
  end,
  back = function(self)
    if self.chosen then self.chosen = nil return true end
    if self.tab ~= 1 then self.tab = 1 return true end
    return false
  end,
  filtered = function(self)
    return filter(alive(), function(p) return (not self.room or p.room == self.room) and (not self.tag or index_of(p.tags, self.tag)) end)
  end,
  shown = function(self)
    local q = trim(self.query):lower()
    return sorted(filter(self:filtered(), function(p)
      return q == "" or contains(p.name:lower(), q) or contains(p.species:lower(), q)
    end), self.order)
  end,
  due = function(self) return sorted(filter(alive(), function(p) return due_day(p) <= today() end), 2) end,

  -- Selection: what is no longer there is no longer selected; without any it ends.
  keep_chosen = function(self)
    self.chosen = filter(self.chosen, function(id) local p = plant_of(id) return p and not p.archived end)
    if #self.chosen == 0 then self.chosen = nil end
  end,
  choose = function(self, plant)
    self.chosen = self.chosen or {}
    toggle(self.chosen, plant.id)
    self:keep_chosen()
  end,
  choose_all = function(self)
    local all = bug("select_all_hidden") and self:filtered() or self:shown()
    if #all > 0 then self.chosen = each(all, function(p) return p.id end) end
  end,
  chosen_plants = function(self) return each(self.chosen, plant_of) end,
  search = function(self, s)
    self.query = s
    if not self.chosen then return end
    local shown = each(self:shown(), function(p) return p.id end)
    self.chosen = filter(self.chosen, function(id) return index_of(shown, id) end)
    self:keep_chosen()
  end,
  ask_move = function(self)
    self:dialog { title = "Move to", items = { "No room", table.unpack(each(storage.rooms, function(r) return r.name end)) },
      on_item = function(i)
        for _, p in ipairs(self:chosen_plants()) do p.room = i > 1 and storage.rooms[i - 1].id or nil end
        self.chosen = nil
      end }
  end,
  ask_room = function(self)
    local at = self.room and index_of(storage.rooms, room_of(self.room)) or 0
    self:dialog { title = "Room", items = { "All rooms", table.unpack(each(storage.rooms, function(r) return r.name end)) },
      checked = at + 1, on_item = function(i) self.room = i > 1 and storage.rooms[i - 1].id or nil self.chosen = nil end }
  end,
  ask_tag = function(self)
    self:dialog { title = "Tag", items = { "All tags", table.unpack(TAGS) }, checked = (index_of(TAGS, self.tag) or 0) + 1,
      on_item = function(i) self.tag = TAGS[i - 1] self.chosen = nil end }
  end,
  ask_room_name = function(self, room)
    self:dialog { title = room and "Rename room" or "New room", cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "room_name", hint = "Name", text = room and room.name or "", max = 24 } } end,
      on_ok = function()
        local name = trim(self:text("room_name"))
        if name == "" then toast("Give it a name") return true end
        if find(storage.rooms, function(r) return r ~= room and r.name:lower() == name:lower() end) then toast("There is such a room") return true end
        if room then room.name = name return end
        if #storage.rooms >= MAX_ROOMS then return toast("Too many rooms") end
        table.insert(storage.rooms, { id = new_id(), name = name })
      end }
  end,
  room_menu = function(self, room)
    self:popup {
      { "Rename", id = "rename_room", on_click = function() self:ask_room_name(room) end },
      { "Delete", id = "delete_room", on_click = function()
        self:dialog { title = "Delete " .. room.name .. "?", message = "Its plants stay, without a room", cancel = "Cancel", ok = "Delete",
          on_ok = function()
            for _, p in ipairs(storage.plants) do if p.room == room.id then p.room = nil end end
            forget(storage.rooms, room)
            if self.room == room.id then self.room = nil end
          end }
      end },
    }
  end,

  menu = function(self)
    if self.chosen then
      return {
        { "Water", id = "water_selected", on_click = function() water(self, self:chosen_plants()) self.chosen = nil end },
        { "Move", id = "move_selected", on_click = function() self:ask_move() end },
      }
    end
    return {
      { "Archive", id = "archive", on_click = function() self:start("Archive") end },
      { "Statistics", id = "stats", on_click = function() self:start("Stats") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  open = function(self, plant) self:start_for_result("Plant", "plant", { id = plant.id }) end,
  today_page = function(self)
    local due = self:due()
    local ml = 0
    for _, p in ipairs(due) do ml = ml + p.ml end
    return column { weight = 1,
      text { #due == 0 and "Nothing to do" or plural(#due, "plant") .. ", " .. amount(ml), id = "due_summary" },
      list { id = "due", items = due, empty = text { "All plants have water", id = "empty" },
        row = function(p)
          return row { id = "due_row",
            column { weight = 1, text { p.name, id = "name" }, text { due_text(p), id = "when", size = "small" } },
            button { "Water", id = "water", on_click = function() water(self, { p }) end } }
        end,
        on_item_click = function(_, p) self:open(p) end },
      #due > 1 and button { "Water all", id = "water_all", on_click = function() water(self, due) end },
    }
  end,
  plants_page = function(self)
    local shown = self:shown()
    return column { weight = 1,
      field { id = "query", hint = "Search plants", text = self.query, max = 30, on_change = function(s) self:search(s) end },
      row {
        spinner { id = "order", items = SORTS, selected = self.order, on_change = function(i) self.order = i end, weight = 1 },
        button { self.room and room_of(self.room).name or "All rooms", id = "room_filter", on_click = function() self:ask_room() end },
        button { self.tag or "All tags", id = "tag_filter", on_click = function() self:ask_tag() end },
      },
      text { plural(#shown, "plant"), id = "count", size = "small" },
      list { id = "plants", items = shown, empty = text { "No such plants", id = "empty" },
        row = function(p)
          local on = self.chosen and index_of(self.chosen, p.id) ~= nil
          return column { id = "plant_row", selected = on, text { (on and "✓ " or "") .. p.name, id = "name" },
            prefs.species and text { p.species, id = "species", size = "small" },
            text { room_name(p) .. " · " .. due_text(p), id = "when", size = "small" } }
        end,
        on_item_click = function(_, p) if self.chosen then self:choose(p) else self:open(p) end end,
        on_item_long_click = function(_, p) self:choose(p) end },
      not self.chosen and fab { id = "add", desc = "New plant", on_click = function() self:start("PlantEdit", { room = self.room }) end },
    }
  end,
  rooms_page = function(self)
    return column { weight = 1,
      list { id = "rooms", items = storage.rooms, empty = text { "No rooms", id = "empty" },
        row = function(r)
          local inside = bug("room_counts_archived") and storage.plants or alive()
          local n = #filter(inside, function(p) return p.room == r.id end)
          return column { id = "room_row", text { r.name, id = "name" }, text { plural(n, "plant"), id = "room_count", size = "small" } }
        end,
        on_item_click = function(_, r)
          self.room, self.tag, self.query, self.tab = r.id, nil, "", 2
          self:set_text("query", "")
        end,
        on_item_long_click = function(_, r) self:room_menu(r) end },
      button { "New room", id = "new_room", on_click = function() self:ask_room_name() end },
    }
  end,

  view = function(self)
    local bar = toolbar { "Plants" }
    if self.chosen then
      bar = toolbar { #self.chosen .. " selected", up = function() self.chosen = nil end, actions = {
        { "Select all", id = "select_all", on_click = function() self:choose_all() end },
        { "Delete", id = "delete_selected", on_click = function()
          local plants = self:chosen_plants()
          ask_delete(self, plants, function() delete_plants(self, plants) self.chosen = nil end)
        end } } }
    end
    local page = self.tab == 1 and self:today_page() or self.tab == 2 and self:plants_page() or self:rooms_page()
    return column { bar,
      tabs { id = "tabs", titles = { "Today", "Plants", "Rooms" }, selected = self.tab,
        on_change = function(i) self.tab, self.chosen = i, nil end },
      page }
  end,
}

-- ---- one plant ----

activity "Plant" {
  create = function(self, intent, saved) self.id = saved and saved.id or intent.id end,
  save = function(self, out) out.id = self.id end,
  postpone = function(self, plant)
    local old = plant.snooze
    plant.snooze = (bug("postpone_overdue") and due_day(plant) or math.max(due_day(plant), today())) + 1
    self:snackbar("Postponed to " .. day_text(plant.snooze), "Undo", function() plant.snooze = old end)
  end,
  duplicate = function(self, plant)
    if #storage.plants >= MAX_PLANTS then return toast("Too many plants") end
    local twin = { id = new_id(), name = plant.name .. " (copy)", species = plant.species, room = plant.room, every = plant.every,
      ml = plant.ml, tags = copy(plant.tags), since = today() }
    if bug("copy_shares_tags") then twin.tags = plant.tags end
    table.insert(storage.plants, twin)
    self.id = twin.id
    toast("This is the copy")
  end,
  ask_tags = function(self, plant)
    self:dialog { title = "Tags", ok = "Done", view = function()
      return column { each(TAGS, function(t)
        return check { t, id = "tag", checked = index_of(plant.tags, t) ~= nil, on_change = function() toggle(plant.tags, t) end }
      end) }
    end }
  end,

  menu = function(self)
    local plant = plant_of(self.id)
    if not plant then return {} end
    return {
      { "Tags", id = "tags", on_click = function() self:ask_tags(plant) end },
      { "Duplicate", id = "duplicate", on_click = function() self:duplicate(plant) end },
      { "Archive", id = "archive_plant", on_click = function() plant.archived = true toast(plant.name .. " archived") self:finish() end },
      { "Delete", id = "delete", on_click = function() ask_delete(self, { plant }, function() self:finish { delete = plant.id } end) end },
    }
  end,

  view = function(self)
    local plant = plant_of(self.id)
    if not plant then return column { toolbar { "Plant", up = true }, text { "This plant is gone", id = "gone" } } end
    local tags = filter(TAGS, function(t) return index_of(plant.tags, t) end)
    local last = last_watered(plant)
    return column {
      toolbar { plant.name, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("PlantEdit", { id = plant.id }) end } } },
      scroll {
        prefs.species and text { plant.species ~= "" and plant.species or "Species unknown", id = "species" },
        text { room_name(plant), id = "room" },
        text { #tags > 0 and table.concat(tags, ", ") or "No tags", id = "tag_line", size = "small" },
        text { "Next watering: " .. day_text(due_day(plant)) .. " (" .. due_text(plant):lower() .. ")", id = "next" },
        text { "Last watered: " .. (last and day_text(last) or "never"), id = "last" },
        text { "Every " .. plural(plant.every, "day") .. ", " .. amount(plant.ml), id = "rhythm" },
        row {
          button { "Water", id = "water", on_click = function() water(self, { plant }) end },
          button { "Postpone", id = "postpone", on_click = function() self:postpone(plant) end },
          button { "Journal", id = "journal", on_click = function() self:start("Journal", { id = plant.id }) end },
        },
      },
    }
  end,
}

activity "PlantEdit" {
  create = function(self, intent, saved)
    local p = intent.id and plant_of(intent.id) or { name = "", species = "", room = intent.room, every = prefs.every, ml = 200 }
    self.first = { name = p.name, species = p.species, every = tostring(p.every), ml = amount_field(p.ml) }
    self.old_room, self.room = p.room, p.room
    if saved and not bug("rotate_room") then self.room = saved.room end
  end,
  save = function(self, out) out.room = self.room end,
  dirty = function(self)
    for id, old in pairs(self.first) do if self:text(id) ~= old then return true end end
    return self.room ~= self.old_room
  end,
  leave = function(self)
    if not self:dirty() then return self:finish() end
    self:dialog { title = "Discard changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
  end,
  back = function(self) self:leave() return true end,
  store = function(self)
    local name, every, ml = trim(self:text("name")), tonumber(self:text("every")), amount_typed(self:text("ml"))
    if name == "" then return toast("Give it a name") end
    if not every or every < 1 or every > 365 then return toast("Every 1 to 365 days") end
    if not ml then return toast("How much water?") end
    local plant = self.intent.id and plant_of(self.intent.id)
    if not plant then
      if #storage.plants >= MAX_PLANTS then return toast("Too many plants") end
      plant = { id = new_id(), tags = {}, since = today() }
      table.insert(storage.plants, plant)
    end
    if plant.every and plant.every ~= every then plant.snooze = nil end
    if not plant.ml or self:text("ml") ~= self.first.ml or not self.intent.id then plant.ml = ml end
    plant.name, plant.species, plant.every, plant.room = name, trim(self:text("species")), every, self.room
    self:finish()
  end,

  view = function(self)
    local at = self.room and index_of(storage.rooms, room_of(self.room)) or 0
    return column {
      toolbar { self.intent.id and "Edit plant" or "New plant", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = self.first.name, max = 30 },
        field { id = "species", hint = "Species", text = self.first.species, max = 40 },
        spinner { id = "room", items = { "No room", table.unpack(each(storage.rooms, function(r) return r.name end)) }, selected = at + 1,
          on_change = function(i) self.room = i > 1 and storage.rooms[i - 1].id or nil end },
        text { "Days between waterings", size = "small" },
        field { id = "every", hint = "Days", text = self.first.every, input = "number", max = 3 },
        text { "Amount in " .. prefs.unit, size = "small" },
        field { id = "ml", hint = "Amount", text = self.first.ml, input = "decimal", max = 6 },
      },
    }
  end,
}

activity "Journal" {
  create = function(self, intent, saved) self.kind = saved and saved.kind or 1 end,
  save = function(self, out) out.kind = self.kind end,
  resume = function(self) if not plant_of(self.intent.id) then self:finish() end end,
  remove = function(self, entry)
    forget(storage.journal, entry)
    self:snackbar("Entry deleted", "Undo", function() table.insert(storage.journal, entry) end)
  end,

  view = function(self)
    local plant = plant_of(self.intent.id)
    if not plant then return column { toolbar { "Journal", up = true } } end
    local entries = filter(entries_of(plant), function(e) return self.kind == 1 or e.what == KINDS[self.kind - 1] end)
    local sum = given(entries)
    return column {
      toolbar { "Journal", up = true, subtitle = plant.name },
      spinner { id = "kind", items = { "Everything", table.unpack(KINDS) }, selected = self.kind, on_change = function(i) self.kind = i end },
      text { plural(#entries, "time") .. ", " .. (bug("journal_total_unit") and sum .. " ml" or amount(sum)), id = "journal_total" },
      list { id = "entries", items = entries, empty = text { "Nothing yet", id = "empty" },
        row = function(e)
          return column { id = "entry_row", text { day_text(e.day) .. "  " .. e.what .. (e.ml and ", " .. amount(e.ml) or ""), id = "entry" },
            e.note ~= "" and text { e.note, id = "note", size = "small" } }
        end,
        on_item_long_click = function(_, e) self:remove(e) end },
      fab { id = "add", desc = "New entry", on_click = function() self:start("EntryEdit", { id = plant.id }) end },
    }
  end,
}

activity "EntryEdit" {
  create = function(self, intent, saved)
    self.kind, self.ago = saved and saved.kind or 1, saved and saved.ago or 0
    local plant = plant_of(intent.id)
    self.first_ml = plant and amount_field(plant.ml) or ""
  end,
  save = function(self, out) out.kind, out.ago = self.kind, self.ago end,
  leave = function(self)
    local same = self.kind == 1 and self.ago == 0 and self:text("note") == "" and self:text("ml") == self.first_ml
    if same then return self:finish() end
    self:dialog { title = "Discard changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
  end,
  back = function(self) self:leave() return true end,

  store = function(self)
    local plant = plant_of(self.intent.id)
    if not plant then return self:finish() end
    local typed = self:text("ml")
    local ml = typed == self.first_ml and plant.ml or amount_typed(typed)
    if self.kind == 1 and not ml then return toast("How much water?") end
    if #storage.journal >= MAX_ENTRIES then return toast("The journal is full") end
    add_entry(plant, today() - self.ago, KINDS[self.kind], ml, trim(self:text("note")))
    self:finish()
  end,

  view = function(self)
    return column {
      toolbar { "New entry", up = function() self:leave() end, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        spinner { id = "kind", items = KINDS, selected = self.kind, on_change = function(i) self.kind = i end },
        row {
          button { "Earlier", id = "earlier", enabled = self.ago < 60, on_click = function() self.ago = self.ago + 1 end },
          text { day_text(today() - self.ago), id = "day", weight = 1 },
          button { "Later", id = "later", enabled = self.ago > 0, on_click = function() self.ago = self.ago - 1 end },
        },
        field { id = "ml", hint = "Amount in " .. prefs.unit, text = self.first_ml, input = "decimal", max = 6, enabled = self.kind == 1 },
        field { id = "note", hint = "Note", max = 60 },
      },
    }
  end,
}

activity "Archive" {
  view = function(self)
    return column {
      toolbar { "Archive", up = true },
      list { id = "archived", items = sorted(filter(storage.plants, function(p) return p.archived end), 1),
        empty = text { "The archive is empty", id = "empty" },
        row = function(p)
          return column { id = "archive_row", text { p.name, id = "name" }, text { room_name(p) .. ", since " .. day_text(p.since), size = "small" } }
        end,
        on_item_click = function(_, p)
          self:popup {
            { "Restore", id = "restore", on_click = function() p.archived = nil toast(p.name .. " is back") end },
            { "Delete", id = "delete", on_click = function() ask_delete(self, { p }, function() delete_plants(self, { p }) end) end },
          }
        end },
    }
  end,
}

activity "Stats" {
  view = function(self)
    local week = filter(storage.journal, function(e) return e.day > today() - 7 end)
    local rooms = copy(storage.rooms)
    table.insert(rooms, { name = "No room" })
    local function week_in(room)
      return given(filter(week, function(e) return plant_of(e.plant).room == room.id end))
    end
    return column {
      toolbar { "Statistics", up = true },
      text { plural(#alive(), "plant") .. ", " .. #storage.plants - #alive() .. " archived", id = "plants" },
      text { "Last seven days: " .. amount(given(week)), id = "week" },
      text { "All in all: " .. amount(given(storage.journal)), id = "all" },
      list { id = "rooms", items = rooms, row = function(r)
        return row { id = "stat_row", text { r.name, id = "name", weight = 1 }, text { amount(week_in(r)), id = "room_amount" } }
      end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text { "Unit of amounts", size = "small" },
      radios { id = "unit", items = { "Millilitres", "Fluid ounces" }, selected = prefs.unit == "oz" and 2 or 1,
        on_change = function(i) prefs.unit = i == 2 and "oz" or "ml" end },
      switch { "Show species", id = "species", checked = prefs.species, on_change = function(b) prefs.species = b end },
      switch { "Ask before deleting plants", id = "confirm", checked = prefs.confirm, on_change = function(b) prefs.confirm = b end },
      text { "New plants: every " .. plural(prefs.every, "day"), id = "every_label" },
      slider { id = "every", min = 1, max = 30, value = prefs.every, on_change = function(v) prefs.every = math.floor(v) end },
    }
  end,
}
