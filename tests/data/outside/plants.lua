-- Leafy: plant care. Plants stand in rooms, want water every so many days and now and then some feed; a diary keeps what was done.
-- A bottom bar leads to the four main pages; Today stays below the others.

local DAY = 24 * 60 * 60 * 1000
local OUNCE = 29.5735
local FEED_EVERY = 30
local SORTS = { "As planted", "Name", "Next watering" }
local KINDS = { "Everything", "Watered", "Fed", "Moved" }

app {
  package = "org.norn.plants",
  title = "Leafy",
  main = "Today",
  bugs = { "undo_keeps_diary", "archived_counted", "wrong_row_archived", "latin_not_in_room", "query_lost", "amount_unit_mixed",
    "water_all_ignores_room", "move_logged_after" },
  application = function()
    if storage.plants then return end
    local today = now() // DAY
    storage.rooms = { { id = 1, name = "Kitchen" }, { id = 2, name = "Living room" }, { id = 3, name = "Bathroom" } }
    storage.plants = {
      { id = 1, name = "Monstera", latin = "Monstera deliciosa", room = 2, every = 7, last = today - 9, fed = today - 12, ml = 500 },
      { id = 2, name = "Basil", latin = "Ocimum basilicum", room = 1, every = 1, last = today - 1, fed = today - 34, ml = 150 },
      { id = 3, name = "Aloe", latin = "Aloe vera", room = 1, every = 21, last = today - 4, fed = today - 20, ml = 100 },
      { id = 4, name = "Fern", latin = "Nephrolepis exaltata", room = 3, every = 3, last = today - 4, fed = today - 40, ml = 300 },
      { id = 5, name = "Ficus", latin = "Ficus benjamina", room = 2, every = 10, last = today - 2, fed = today - 2, ml = 400 },
    }
    storage.diary = {                                   -- the oldest first
      { id = 6, day = today - 4, plant = "Fern", kind = "Watered", ml = 300 },
      { id = 7, day = today - 2, plant = "Ficus", kind = "Fed" },
      { id = 8, day = today - 1, plant = "Basil", kind = "Watered", ml = 150 },
    }
    storage.next_id = 9
    prefs.latin, prefs.ounces, prefs.winter, prefs.feeding, prefs.sort = false, false, false, true, 1
  end,
}

local function today() return now() // DAY end
local function day_text(day) return date(day * DAY, "%d %b") end
local function plant_by_id(id) return find(storage.plants, function(p) return p.id == id end) end
local function room_by_id(id) return find(storage.rooms, function(r) return r.id == id end) end
local function living() return filter(storage.plants, function(p) return not p.archived end) end
local function in_room(id) return filter(living(), function(p) return p.room == id end) end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id - 1
end

-- On purpose: in winter everything is watered half as often, whatever the plant's own number says.
local function interval(p) return prefs.winter and p.every * 2 or p.every end
local function due_day(p) return p.last + interval(p) end
local function wants_feed(p) return prefs.feeding and p.fed + FEED_EVERY <= today() end
local function title_of(p) return prefs.latin and p.latin ~= "" and p.name .. " (" .. p.latin .. ")" or p.name end

local function amount(ml)
  if prefs.ounces then return format("%.1f fl oz", ml / OUNCE) end
  return ml .. " ml"
end

local function due_text(p)
  local days = due_day(p) - today()
  if days == 0 then return "water today" end
  return days < 0 and plural(-days, "day") .. " late" or "water in " .. plural(days, "day")
end

-- On purpose: the diary keeps the name a plant had then; it is not renamed afterwards, nor cleared when the plant goes.
local function note_down(p, kind, more)
  local entry = { id = new_id(), day = today(), plant = p.name, kind = kind }
  for k, v in pairs(more or {}) do entry[k] = v end
  table.insert(storage.diary, entry)
  return entry
end

local function water(p)
  p.last = today()
  return note_down(p, "Watered", { ml = p.ml })
end

local function move(p, room)
  if bug("move_logged_after") then p.room = room end
  local from = room_by_id(p.room)
  note_down(p, "Moved", { from = from and from.name or "nowhere", to = room_by_id(room).name })
  p.room = room
end

local function room_names() return each(storage.rooms, function(r) return r.name end) end

local function bottom(self, here)
  local function item(title, id, name)
    return { title, id = id, selected = here == name, on_click = function()
      if here == name then return end
      if name ~= "Today" then self:start(name) end
      if here ~= "Today" then self:finish() end
    end }
  end
  return bottom_bar { items = { item("Today", "nav_today", "Today"), item("Plants", "nav_plants", "Plants"), item("Rooms", "nav_rooms", "Rooms"),
    item("Diary", "nav_diary", "Diary") } }
end

-- ---- what is due ----

activity "Today" {
  create = function(self, intent, saved) self.room = saved and saved.room end,
  save = function(self, out) out.room = self.room end,
  due = function(self, room)
    local out = filter(living(), function(p) return due_day(p) <= today() and (not room or p.room == room) end)
    table.sort(out, function(a, b) return due_day(a) < due_day(b) end)      -- On purpose: the thirstiest first, not by name
    return out
  end,
  water_one = function(self, p)
    local last = p.last
    local entry = water(p)
    self:snackbar("Watered " .. p.name, "Undo", function()
      p.last = last
      if bug("undo_keeps_diary") then return end
      local _, i = find(storage.diary, function(e) return e.id == entry.id end)
      if i then table.remove(storage.diary, i) end
    end)
  end,
  ask_all = function(self)
    local shown = self:due(self.room)
    if #shown == 0 then return toast("Nothing to water") end
    self:dialog { title = "Water all?", message = plural(#shown, "plant"), cancel = "Cancel", ok = "Water",
      on_ok = function()
        for _, p in ipairs(self:due(not bug("water_all_ignores_room") and self.room or nil)) do water(p) end
      end }
  end,
  choose_room = function(self)
    local names = room_names()
    table.insert(names, 1, "All rooms")
    self:dialog { title = "Show", items = names, on_item = function(i) self.room = i > 1 and storage.rooms[i - 1].id or nil end }
  end,
  menu = function(self)
    return {
      { "Former plants", id = "former", on_click = function() self:start("Former") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local room = self.room and room_by_id(self.room)
    if not room then self.room = nil end                -- the room was deleted meanwhile
    local due = self:due(self.room)
    return column {
      toolbar { "Today", subtitle = #due .. " to water" },
      row {
        button { room and room.name or "All rooms", id = "room_filter", weight = 1, on_click = function() self:choose_room() end },
        button { "Water all", id = "water_all", on_click = function() self:ask_all() end },
      },
      list { id = "due_list", items = due, empty = text { "Nothing to do today", id = "empty" },
        row = function(p)
          return row {
            column { weight = 1,
              text { title_of(p), id = "due_plant" },
              text { due_text(p) .. ", " .. amount(p.ml) .. (wants_feed(p) and ", feed too" or ""), id = "due_info", size = "small" } },
            button { "Water", id = "water", on_click = function() self:water_one(p) end },
          }
        end,
        on_item_click = function(_, p) self:start("Plant", { id = p.id }) end },
      bottom(self, "Today"),
    }
  end,
}

-- ---- plants ----

local function ask_archive(self, p, done)
  self:dialog { title = "Say goodbye to " .. p.name .. "?", message = "It will be among the former plants.", cancel = "Cancel", ok = "Goodbye",
    on_ok = function()
      p.archived = today()
      if done then done() end
    end }
end

activity "Plants" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = not bug("query_lost") and self.query or nil end,
  shown = function(self)
    local query = trim(self.query):lower()
    local out = filter(living(), function(p) return contains(p.name:lower(), query) or contains(p.latin:lower(), query) end)
    if prefs.sort == 2 then table.sort(out, function(a, b) return a.name:lower() < b.name:lower() end) end
    if prefs.sort == 3 then table.sort(out, function(a, b) return due_day(a) < due_day(b) end) end
    return out
  end,
  row_menu = function(self, i, p)
    self:popup {
      { "Edit", id = "edit_plant", on_click = function() self:start("EditPlant", { id = p.id }) end },
      { "Say goodbye", id = "archive_plant", on_click = function()
        ask_archive(self, bug("wrong_row_archived") and living()[i] or p)
      end },
    }
  end,
  ask_sort = function(self)
    self:dialog { title = "Sort by", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
  end,
  view = function(self)
    local shown = self:shown()
    return column {
      toolbar { "Plants", subtitle = plural(#shown, "plant"), actions = { { "Sort", id = "sort", on_click = function() self:ask_sort() end } } },
      field { id = "query", hint = "Search", on_change = function(s) self.query = s end },
      list { id = "plant_list", items = shown, empty = text { "No such plant", id = "empty" },
        row = function(p)
          return column { text { title_of(p), id = "plant_row" },
            text { room_by_id(p.room).name .. ", " .. due_text(p), id = "plant_info", size = "small" } }
        end,
        on_item_click = function(_, p) self:start("Plant", { id = p.id }) end,
        on_item_long_click = function(i, p) self:row_menu(i, p) end },
      fab { id = "add_plant", desc = "Add plant", on_click = function() self:start("EditPlant") end },
      bottom(self, "Plants"),
    }
  end,
}

activity "Plant" {
  ask_move = function(self, p)
    local others = filter(storage.rooms, function(r) return r.id ~= p.room end)
    if #others == 0 then return toast("There is no other room") end
    self:dialog { title = "Move " .. p.name .. " to", items = each(others, function(r) return r.name end),
      on_item = function(i) move(p, others[i].id) end }
  end,
  menu = function(self)
    local p = plant_by_id(self.intent.id)
    if not p or p.archived then return {} end
    return {
      { "Edit", id = "edit", on_click = function() self:start("EditPlant", { id = p.id }) end },
      { "Say goodbye", id = "goodbye", on_click = function() ask_archive(self, p, function() self:finish() end) end },
    }
  end,
  view = function(self)
    local p = plant_by_id(self.intent.id)
    if not p or p.archived then return column { toolbar { "Plant", up = true }, text { "This plant is gone", id = "gone" } } end
    local watered = p.last == today()
    return column {
      toolbar { p.name, up = true },
      scroll {
        text { p.latin ~= "" and p.latin or "No Latin name", id = "latin" },
        text { "Stands in: " .. room_by_id(p.room).name, id = "place" },
        text { "Every " .. plural(interval(p), "day") .. (prefs.winter and " (winter)" or "") .. ", " .. amount(p.ml), id = "need" },
        text { "Last watered " .. day_text(p.last), id = "last" },
        text { "Next: " .. due_text(p), id = "next" },
        text { "Last fed " .. day_text(p.fed) .. (wants_feed(p) and ", feed it" or ""), id = "fed" },
        -- On purpose: once a day is enough, a plant cannot be drowned.
        button { watered and "Watered today" or "Water", id = "water_now", enabled = not watered, on_click = function() water(p) end },
        button { "Feed", id = "feed", enabled = p.fed ~= today(), on_click = function() p.fed = today() note_down(p, "Fed") end },
        button { "Move", id = "move", on_click = function() self:ask_move(p) end },
      },
    }
  end,
}

activity "EditPlant" {
  create = function(self, intent, saved)
    self.plant = intent.id and plant_by_id(intent.id) or nil
    self.room = saved and saved.room or self.plant and self.plant.room or intent.room or storage.rooms[1].id
    if not room_by_id(self.room) then self.room = storage.rooms[1].id end
  end,
  save = function(self, out) out.room = self.room end,
  shown_amount = function(self)
    local ml = self.plant and self.plant.ml
    if not ml then return "" end
    return prefs.ounces and format("%.1f", ml / OUNCE) or tostring(ml)
  end,
  read_amount = function(self)
    local typed = trim(self:text("amount"))
    local number = tonumber(typed)
    if not number or number <= 0 or number > 5000 then return nil end
    if self.plant and typed == self:shown_amount() and not bug("amount_unit_mixed") then return self.plant.ml end   -- nothing lost by rounding
    if prefs.ounces and not bug("amount_unit_mixed") then number = number * OUNCE end
    return math.max(1, math.floor(number + 0.5))
  end,
  store = function(self)
    local name = trim(self:text("name"))
    local every, ml = tonumber(self:text("every")), self:read_amount()
    if name == "" then return toast("It needs a name") end
    if find(living(), function(p) return p ~= self.plant and p.name:lower() == name:lower() end) then return toast("There is a " .. name .. " already") end
    if not every or every < 1 or every > 90 then return toast("Water every 1 to 90 days") end
    if not ml then return toast("How much water?") end
    local p = self.plant
    if not p then
      p = { id = new_id(), room = self.room, last = today(), fed = today() }      -- On purpose: a new plant comes watered and fed
      table.insert(storage.plants, p)
    elseif p.room ~= self.room then
      move(p, self.room)
    end
    p.name, p.latin, p.every, p.ml = name, trim(self:text("latin_name")), every, ml
    self:finish()
  end,
  view = function(self)
    local p = self.plant
    local _, place = room_by_id(self.room)
    return column {
      toolbar { p and "Edit plant" or "New plant", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = p and p.name or "", max = 30 },
        field { id = "latin_name", hint = "Latin name", text = p and p.latin or "", max = 40 },
        field { id = "every", hint = "Water every ... days", input = "number", max = 2, text = p and tostring(p.every) or "" },
        field { id = "amount", hint = prefs.ounces and "Water, fl oz" or "Water, ml", input = "decimal", max = 6, text = self:shown_amount() },
        spinner { id = "room", items = room_names(), selected = place, on_change = function(i) self.room = storage.rooms[i].id end },
      },
    }
  end,
}

-- ---- rooms ----

activity "Rooms" {
  ask_name = function(self, room)
    self:set_text("room_name", room and room.name or "")
    self:dialog { title = room and "Rename " .. room.name or "New room", cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "room_name", hint = "Name", max = 30 } } end,
      on_ok = function()
        local name = trim(self:text("room_name"))
        if name == "" then return true end
        local twin = find(storage.rooms, function(r) return r ~= room and r.name:lower() == name:lower() end)
        if twin then return toast("There is a " .. name .. " already") or true end
        if room then room.name = name else table.insert(storage.rooms, { id = new_id(), name = name }) end
      end }
  end,
  delete = function(self, room)
    if #in_room(room.id) > 0 then return toast("Move the plants out first") end
    if #storage.rooms == 1 then return toast("One room must stay") end
    self:dialog { title = "Delete " .. room.name .. "?", cancel = "Cancel", ok = "Delete",
      on_ok = function() table.remove(storage.rooms, (index_of(storage.rooms, room))) end }
  end,
  count = function(self, room)
    if bug("archived_counted") then return #filter(storage.plants, function(p) return p.room == room.id end) end
    return #in_room(room.id)                            -- On purpose: former plants do not count, nor do they hold a room
  end,
  view = function(self)
    return column {
      toolbar { "Rooms" },
      list { id = "room_list", items = storage.rooms,
        row = function(r)
          return row { text { r.name, id = "room_row", weight = 1 }, text { plural(self:count(r), "plant"), id = "room_count" } }
        end,
        on_item_click = function(_, r) self:start("Room", { id = r.id }) end,
        on_item_long_click = function(_, r)
          self:popup { { "Rename", id = "rename_room", on_click = function() self:ask_name(r) end },
            { "Delete", id = "delete_room", on_click = function() self:delete(r) end } }
        end },
      fab { id = "add_room", desc = "Add room", on_click = function() self:ask_name() end },
      bottom(self, "Rooms"),
    }
  end,
}

activity "Room" {
  create = function(self, intent, saved) self.ticked = saved and saved.ticked or {} end,   -- On purpose: ticks are forgotten when leaving the room
  save = function(self, out) out.ticked = self.ticked end,
  water_ticked = function(self)
    local done = 0
    for _, p in ipairs(in_room(self.intent.id)) do
      if self.ticked["p" .. p.id] and p.last ~= today() and water(p) then done = done + 1 end
    end
    self.ticked = {}
    toast(plural(done, "plant") .. " watered")
  end,
  view = function(self)
    local room = room_by_id(self.intent.id)
    if not room then return column { toolbar { "Room", up = true }, text { "There is no such room", id = "gone" } } end
    local plants = in_room(room.id)
    local ticked = #filter(plants, function(p) return self.ticked["p" .. p.id] end)
    return column {
      toolbar { room.name, up = true, subtitle = plural(#plants, "plant") },
      button { "Water ticked (" .. ticked .. ")", id = "water_ticked", enabled = ticked > 0, on_click = function() self:water_ticked() end },
      list { id = "room_plants", items = plants, empty = text { "No plants here", id = "empty" },
        row = function(p)
          return row {
            check { "", id = "tick", desc = "Tick " .. p.name, checked = self.ticked["p" .. p.id] == true,
              on_change = function(on) self.ticked["p" .. p.id] = on or nil end },
            column { weight = 1, text { bug("latin_not_in_room") and p.name or title_of(p), id = "room_plant" },
              text { due_text(p), id = "room_due", size = "small" } },
          }
        end,
        on_item_click = function(_, p) self:start("Plant", { id = p.id }) end },
      fab { id = "add_here", desc = "Add plant here", on_click = function() self:start("EditPlant", { room = room.id }) end },
    }
  end,
}

-- ---- diary, former plants, settings ----

activity "Diary" {
  create = function(self, intent, saved) self.kind = saved and saved.kind or 1 end,
  save = function(self, out) out.kind = self.kind end,
  view = function(self)
    local entries = filter(storage.diary, function(e) return self.kind == 1 or e.kind == KINDS[self.kind] end)
    local newest = {}
    for i = #entries, 1, -1 do table.insert(newest, entries[i]) end
    return column {
      toolbar { "Diary", subtitle = #newest .. (#newest == 1 and " entry" or " entries") },
      spinner { id = "kind", items = KINDS, selected = self.kind, on_change = function(i) self.kind = i end },
      list { id = "diary_list", items = newest, empty = text { "Nothing written down", id = "empty" },
        row = function(e)
          local more = e.kind == "Watered" and ", " .. amount(e.ml) or e.kind == "Moved" and " from " .. e.from .. " to " .. e.to or ""
          return column { text { e.plant .. ": " .. e.kind:lower() .. more, id = "entry" }, text { day_text(e.day), id = "entry_day", size = "small" } }
        end },
      bottom(self, "Diary"),
    }
  end,
}

activity "Former" {
  restore = function(self, p)
    if find(living(), function(q) return q.name:lower() == p.name:lower() end) then return toast("There is a " .. p.name .. " already") end
    p.archived = nil
    p.last = today() - interval(p)                      -- On purpose: whatever comes back is thirsty
    if not room_by_id(p.room) then p.room = storage.rooms[1].id end
    toast(p.name .. " is back")
  end,
  ask_delete = function(self, p)
    self:dialog { title = "Forget " .. p.name .. "?", message = "This cannot be undone.", cancel = "Cancel", ok = "Forget",
      on_ok = function() table.remove(storage.plants, (index_of(storage.plants, p))) end }
  end,
  view = function(self)
    return column {
      toolbar { "Former plants", up = true },
      list { id = "former_list", items = filter(storage.plants, function(p) return p.archived end), empty = text { "All are still with you", id = "empty" },
        row = function(p)
          return row { column { weight = 1, text { title_of(p), id = "former_plant" }, text { "until " .. day_text(p.archived), id = "until", size = "small" } },
            button { "Bring back", id = "restore", on_click = function() self:restore(p) end } }
        end,
        on_item_long_click = function(_, p) self:ask_delete(p) end },
    }
  end,
}

activity "Settings" {
  set_winter = function(self, on)
    prefs.winter = on
    if on then
      prefs.feeding_before, prefs.feeding = prefs.feeding, false      -- On purpose: nothing is fed in winter; spring brings the old choice back
    else
      prefs.feeding = prefs.feeding_before
    end
  end,
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Show Latin names in lists", id = "latin_names", checked = prefs.latin, on_change = function(on) prefs.latin = on end },
      switch { "Winter rest", id = "winter", checked = prefs.winter, on_change = function(on) self:set_winter(on) end },
      switch { "Remind me of feeding", id = "feeding", checked = prefs.feeding, enabled = not prefs.winter, on_change = function(on) prefs.feeding = on end },
      text { "Amounts in", id = "amounts" },
      radios { id = "units", items = { "Millilitres", "Fluid ounces" }, selected = prefs.ounces and 2 or 1, on_change = function(i) prefs.ounces = i == 2 end },
      text { plural(#living(), "plant") .. " in " .. plural(#storage.rooms, "room"), id = "summary" },
    }
  end,
}
