-- Windowsill: house plants, the rooms they stand in, when they want water, and a journal of what was done.
-- A plant is thirsty when as many days went by as it was given; a snooze moves that day, not the rhythm.

local DAY = 24 * 60 * 60 * 1000
local TABS = { "Today", "Plants", "Journal" }
local OUNCE = 29.57
local MAX_PLANTS, MAX_ROOMS, MAX_JOURNAL = 40, 10, 200

app {
  package = "org.example.windowsill",
  title = "Windowsill",
  main = "Main",
  bugs = { "thirsty_stale", "water_all_rooms", "room_on_rotation", "composted_counted", "undo_keeps_journal", "plant_in_ml",
    "snooze_one_day", "tab_on_return" },
  application = function()
    if storage.plants then return end
    local today = now() // DAY
    storage.rooms = { { id = 1, name = "Kitchen" }, { id = 2, name = "Living room" }, { id = 3, name = "Bathroom" }, { id = 4, name = "Balcony" } }
    storage.plants = {
      { id = 11, name = "Basil", room = 1, every = 2, ml = 150, last = today - 3 },
      { id = 12, name = "Mint", room = 1, every = 3, ml = 200, last = today - 1 },
      { id = 13, name = "Rubber tree", room = 2, every = 7, ml = 500, last = today - 9 },
      { id = 14, name = "Aloe", room = 2, every = 14, ml = 100, last = today - 5 },
      { id = 15, name = "Boston fern", room = 3, every = 4, ml = 300, last = today - 4 },
      { id = 16, name = "Orchid", room = 3, every = 10, ml = 120, last = today - 11 },
      { id = 17, name = "Geranium", room = 4, every = 2, ml = 400, last = today - 1 },
      { id = 18, name = "Tomato", room = 4, every = 2, ml = 800, last = today - 2, composted = true },
    }
    storage.journal = {
      { plant = 14, day = today - 5, what = "Watered" },
      { plant = 15, day = today - 4, what = "Watered" },
      { plant = 11, day = today - 3, what = "Watered" },
      { plant = 18, day = today - 2, what = "Watered" },
      { plant = 12, day = today - 1, what = "Watered" },
      { plant = 17, day = today - 1, what = "Repotted" },
    }
    storage.next_id = 20
    prefs.ounces, prefs.show_snoozes, prefs.snooze = false, false, 2
  end,
}

local function today() return now() // DAY end
local function by_id(list, id) return find(list, function(x) return x.id == id end) end
local function plant_of(id) return id and by_id(storage.plants, id) end
local function room_name(id)
  local room = by_id(storage.rooms, id)
  return room and room.name or "No room"
end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function days(n) return n == 1 and "1 day" or n .. " days" end

local function due_in(plant) return plant.last + plant.every + (plant.snoozed or 0) - today() end

local function due_text(plant)
  local n = due_in(plant)
  if n < 0 then return "thirsty for " .. days(-n) end
  return n == 0 and "thirsty today" or "thirsty in " .. days(n)
end

local function amount(ml)
  if prefs.ounces then return format("%.1f fl oz", ml / OUNCE) end
  return ml .. " ml"
end

local function living() return filter(storage.plants, function(p) return not p.composted end) end

local function in_room(plants, room)
  return room and filter(plants, function(p) return p.room == room end) or plants
end

-- The driest first.
local function thirsty(room)
  local plants = in_room(filter(living(), function(p) return due_in(p) <= 0 end), room)
  table.sort(plants, function(a, b) return due_in(a) < due_in(b) end)
  return plants
end

local function note_down(plant, what)
  table.insert(storage.journal, { plant = plant.id, day = today(), what = what })
  if #storage.journal > MAX_JOURNAL then table.remove(storage.journal, 1) end
end

local function water(plant)
  plant.last, plant.snoozed = today(), nil
  note_down(plant, "Watered")
end

local function snooze(plant, n)
  plant.snoozed = (plant.snoozed or 0) + math.max(0, -due_in(plant)) + n
  note_down(plant, "Snoozed")
end

-- Newest first; snoozes only for those who want to see them.
local function journal_of(plant)
  local out = {}
  for i = #storage.journal, 1, -1 do
    local entry = storage.journal[i]
    if (not plant or entry.plant == plant.id) and (entry.what ~= "Snoozed" or prefs.show_snoozes) then table.insert(out, entry) end
  end
  return out
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.room = saved.tab or 1, saved.room
    self:count()
  end,
  save = function(self, out) out.tab, out.room = self.tab, self.room end,
  resume = function(self)
    if self.room and not by_id(storage.rooms, self.room) then self.room = nil end
  end,
  result = function(self, request)
    if request == "journal" and bug("tab_on_return") then self.tab = 1 end
  end,
  -- From another tab Back leads to the first one, from there out.
  back = function(self)
    if self.tab == 1 then return false end
    self.tab = 1
    return true
  end,
  count = function(self) self.thirsty = #thirsty() end,

  water_one = function(self, plant)
    local before = { last = plant.last, snoozed = plant.snoozed }
    water(plant)
    self:count()
    self:snackbar(plant.name .. " was watered", "Undo", function()
      plant.last, plant.snoozed = before.last, before.snoozed
      if not bug("undo_keeps_journal") then
        for i = #storage.journal, 1, -1 do
          local entry = storage.journal[i]
          if entry.plant == plant.id and entry.what == "Watered" then table.remove(storage.journal, i) break end
        end
      end
      self:count()
    end)
  end,
  water_all = function(self)
    local room = self.room
    if bug("water_all_rooms") then room = nil end
    for _, plant in ipairs(thirsty(room)) do water(plant) end
    self:count()
  end,
  ask_room = function(self)
    local names = each(storage.rooms, function(room) return room.name end)
    table.insert(names, 1, "All rooms")
    self:dialog { title = "Show", items = names,
      on_item = function(i)
        local room = storage.rooms[i - 1]
        self.room = room and room.id or nil
      end }
  end,
  plant_menu = function(self, plant)
    self:popup {
      { "Edit", id = "edit_plant", on_click = function() self:start("Edit", { id = plant.id }) end },
      { "To the compost", id = "compost_plant", on_click = function()
        plant.composted = true
        self:count()
        toast(plant.name .. " lies on the compost")
      end },
    }
  end,
  menu = function(self)
    return {
      { "Rooms", id = "rooms", on_click = function() self:start("Rooms") end },
      { "Water use", id = "use", on_click = function() self:start("Use") end },
      { "Compost", id = "compost", on_click = function() self:start("Compost") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  today_tab = function(self)
    local plants = thirsty(self.room)
    return {
      list { id = "thirsty_list", items = plants, empty = text { "Nobody is thirsty", id = "empty" },
        row = function(plant)
          return row { id = "thirsty_row",
            column { weight = 1, text { plant.name, id = "name", size = "large" },
              text { room_name(plant.room) .. ", " .. due_text(plant) .. ", " .. amount(plant.ml), id = "info", size = "small" } },
            button { "Water", id = "water", on_click = function() self:water_one(plant) end } }
        end,
        on_item_click = function(_, plant) self:start("Plant", { id = plant.id }) end,
        on_item_swipe = function(i, direction)
          if direction ~= "left" or not plants[i] then return end
          snooze(plants[i], prefs.snooze)
          self:count()
        end },
      #plants > 1 and button { "Water these " .. #plants, id = "water_all", on_click = function() self:water_all() end },
    }
  end,
  plants_tab = function(self)
    local plants = copy(in_room(living(), self.room))
    table.sort(plants, function(a, b) return a.name:lower() < b.name:lower() end)
    return {
      list { id = "plant_list", items = plants, empty = text { "No plants here", id = "empty" },
        row = function(plant)
          return column { id = "plant_row", text { plant.name, id = "name", size = "large" },
            text { room_name(plant.room) .. ", " .. due_text(plant), id = "info", size = "small" } }
        end,
        on_item_click = function(_, plant) self:start("Plant", { id = plant.id }) end,
        on_item_long_click = function(_, plant) self:plant_menu(plant) end },
      fab { id = "add", desc = "New plant", on_click = function() self:start("Edit", { room = self.room }) end },
    }
  end,
  journal_tab = function(self)
    return {
      list { id = "journal", items = journal_of(), empty = text { "Nothing yet", id = "empty" },
        row = function(entry)
          local plant = plant_of(entry.plant)
          local name = not plant and "A lost plant" or plant.composted and plant.name .. " (composted)" or plant.name
          return text { date(entry.day * DAY, "%Y-%m-%d") .. "  " .. entry.what .. ": " .. name, id = "entry" }
        end,
        on_item_click = function(_, entry)
          if plant_of(entry.plant) then self:start_for_result("Plant", "journal", { id = entry.plant }) end
        end },
    }
  end,
  view = function(self)
    local content = self.tab == 1 and self:today_tab() or self.tab == 2 and self:plants_tab() or self:journal_tab()
    return column {
      toolbar { "Windowsill", subtitle = (bug("thirsty_stale") and self.thirsty or #thirsty()) .. " thirsty",
        actions = { { "Room", id = "room", on_click = function() self:ask_room() end } } },
      tabs { id = "tabs", titles = TABS, selected = self.tab, on_change = function(i) self.tab = i end },
      self.room and self.tab ~= 3 and row { text { "Only " .. room_name(self.room), id = "chip", weight = 1 },
        image_button { id = "clear_room", desc = "All rooms", on_click = function() self.room = nil end } },
      content,
    }
  end,
}

activity "Plant" {
  water = function(self, plant)
    if due_in(plant) <= 0 then return water(plant) end
    self:dialog { title = "Not thirsty yet", message = plant.name .. " is " .. due_text(plant), cancel = "Cancel",
      ok = "Water anyway", on_ok = function() water(plant) end }
  end,
  snooze = function(self, plant)
    snooze(plant, bug("snooze_one_day") and 1 or prefs.snooze)
  end,
  ask_note = function(self, plant)
    self:set_text("note", "")
    self:dialog { title = "Journal", cancel = "Cancel", ok = "Write",
      view = function() return column { field { id = "note", hint = "What was done", max = 30 } } end,
      on_ok = function()
        local note = trim(self:text("note"))
        if note ~= "" then note_down(plant, note) end
      end }
  end,
  ask_compost = function(self, plant)
    self:dialog { title = "To the compost?", message = "It can be rescued from there", cancel = "Cancel", ok = "Compost",
      on_ok = function()
        plant.composted = true
        self:finish()
      end }
  end,
  view = function(self)
    local plant = plant_of(self.intent.id)
    if not plant then return column { toolbar { "Plant", up = true }, text { "This plant is gone", id = "gone" } } end
    local entries = journal_of(plant)
    return column {
      toolbar { plant.name, up = true, subtitle = room_name(plant.room),
        actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = plant.id }) end } } },
      scroll {
        text { "Water it every " .. (plant.every == 1 and "day" or days(plant.every)), id = "rhythm" },
        text { "Give it " .. (bug("plant_in_ml") and plant.ml .. " ml" or amount(plant.ml)), id = "amount" },
        not plant.composted and text { "It is " .. due_text(plant), id = "due" },
        plant.composted and text { "It lies on the compost", id = "due" },
        not plant.composted and row {
          button { "Water", id = "water_plant", on_click = function() self:water(plant) end },
          button { "Snooze " .. days(prefs.snooze), id = "snooze", on_click = function() self:snooze(plant) end },
        },
        row {
          button { "Note", id = "write_note", on_click = function() self:ask_note(plant) end },
          not plant.composted and button { "Compost", id = "to_compost", on_click = function() self:ask_compost(plant) end },
        },
        divider {},
        text { #entries == 0 and "No journal" or "Journal", id = "journal_title" },
        each(entries, function(entry) return text { date(entry.day * DAY, "%Y-%m-%d") .. "  " .. entry.what, id = "plant_entry", size = "small" } end),
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    self.plant = plant_of(intent.id)
    self.room = self.plant and self.plant.room or intent.room
    self.rhythm = self.plant and self.plant.every or 7
    if saved then
      self.rhythm = saved.rhythm
      if not bug("room_on_rotation") then self.room = saved.room end
    end
  end,
  save = function(self, out) out.room, out.rhythm = self.room, self.rhythm end,
  choose_room = function(self)
    self:dialog { title = "Where does it stand?", items = each(storage.rooms, function(room) return room.name end),
      on_item = function(i) self.room = storage.rooms[i].id end }
  end,
  store = function(self)
    local name, ml = trim(self:text("plant_name")), math.tointeger(tonumber(self:text("plant_ml")))
    if name == "" then return toast("What is it called?") end
    if not ml or ml < 10 then return toast("At least 10 ml") end
    local plant = self.plant
    if not plant then
      if #storage.plants >= MAX_PLANTS then return toast("No place left on the windowsill") end
      plant = { id = new_id(), last = today() }
      table.insert(storage.plants, plant)
    end
    plant.name, plant.ml, plant.room, plant.every = name, ml, self.room, self.rhythm
    self:finish()
  end,
  view = function(self)
    local plant = self.plant
    return column {
      toolbar { plant and "Edit plant" or "New plant", up = true },
      scroll {
        field { id = "plant_name", hint = "Name", max = 24, text = plant and plant.name or "" },
        text { "Water in ml", size = "small" },
        field { id = "plant_ml", hint = "ml", input = "number", max = 4, text = plant and tostring(plant.ml) or "200" },
        button { self.room and room_name(self.room) or "Choose a room", id = "choose_room", on_click = function() self:choose_room() end },
        text { "Every " .. (self.rhythm == 1 and "day" or days(self.rhythm)), id = "every_text" },
        slider { id = "every", min = 1, max = 14, step = 1, value = self.rhythm, on_change = function(v) self.rhythm = math.floor(v) end },
        button { "Save", id = "save", on_click = function() self:store() end },
      },
    }
  end,
}

activity "Rooms" {
  inhabitants = function(self, room)
    return in_room(bug("composted_counted") and storage.plants or living(), room.id)
  end,
  ask_name = function(self, room)
    self:set_text("room_name", room and room.name or "")
    self:dialog { title = room and "Rename room" or "New room", cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "room_name", hint = "Name", max = 20 } } end,
      on_ok = function()
        local name = trim(self:text("room_name"))
        if name == "" then return true end
        if room then room.name = name return end
        if #storage.rooms >= MAX_ROOMS then return toast("Too many rooms") end
        table.insert(storage.rooms, { id = new_id(), name = name })
      end }
  end,
  remove = function(self, i, room)
    if #in_room(storage.plants, room.id) > 0 then return toast("Plants still stand in or came from here") end
    table.remove(storage.rooms, i)
  end,
  view = function(self)
    return column {
      toolbar { "Rooms", up = true },
      list { id = "room_list", items = storage.rooms, empty = text { "No rooms", id = "empty" },
        row = function(room)
          local n = #self:inhabitants(room)
          return column { id = "room_row", text { room.name, id = "name", size = "large" }, text { n == 1 and "1 plant" or n .. " plants", id = "plants", size = "small" } }
        end,
        on_item_click = function(_, room) self:ask_name(room) end,
        on_item_long_click = function(i, room) self:remove(i, room) end },
      fab { id = "add_room", desc = "New room", on_click = function() self:ask_name() end },
    }
  end,
}

-- A week's water, room by room.
activity "Use" {
  weekly = function(self, room)
    local sum = 0
    for _, plant in ipairs(in_room(living(), room)) do sum = sum + plant.ml * 7 / plant.every end
    return math.floor(sum + 0.5)
  end,
  view = function(self)
    local all = self:weekly()
    return column {
      toolbar { "Water use", up = true, subtitle = "in a week" },
      scroll {
        each(storage.rooms, function(room)
          local ml = self:weekly(room.id)
          return column { text { room.name .. ": " .. amount(ml), id = "room_use" }, progress { value = ml, max = math.max(1, all) } }
        end),
        divider {},
        text { "Together: " .. amount(all), id = "all_use", size = "large" },
      },
    }
  end,
}

activity "Compost" {
  ask = function(self, plant)
    self:dialog { title = plant.name, items = { "Rescue", "Delete for good" },
      on_item = function(i)
        if i == 1 then
          plant.composted, plant.last, plant.snoozed = nil, today(), nil      -- it gets its first drink at once
          return
        end
        local place = index_of(storage.plants, plant)
        if place then table.remove(storage.plants, place) end
        storage.journal = filter(storage.journal, function(entry) return entry.plant ~= plant.id end)
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Compost", up = true },
      list { id = "compost_list", items = filter(storage.plants, function(p) return p.composted end),
        empty = text { "The compost is empty", id = "empty" },
        row = function(plant) return text { plant.name, id = "composted" } end,
        on_item_click = function(_, plant) self:ask(plant) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Fluid ounces", id = "ounces", checked = prefs.ounces, on_change = function(on) prefs.ounces = on end },
      text { "The Edit page always asks for ml", id = "hint", size = "small" },
      switch { "Show snoozes in the journal", id = "show_snoozes", checked = prefs.show_snoozes, on_change = function(on) prefs.show_snoozes = on end },
      text { "A snooze lasts", id = "snooze_label" },
      radios { id = "snooze_days", items = { "1 day", "2 days", "3 days" }, selected = prefs.snooze, on_change = function(i) prefs.snooze = i end },
    }
  end,
}
