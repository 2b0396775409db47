-- Leafy: what grows in which room, and when it wants water.
--
-- Days are whole numbers since 1970. The log is one list for all plants; what a plant's page shows is picked out of it.

app {
  package = "org.leafy.plants",
  title = "Leafy",
  main = "Main",
  bugs = { "undo_keeps_log", "room_orphans", "snooze_other", "default_every", "room_at_once", "room_count", "revive_history",
    "winter_today" },
  application = function()
    if storage.plants then return end
    local today = math.floor(now() / 86400000)
    storage.next_id = 40
    storage.rooms = { { id = 1, name = "Kitchen", count = 2 }, { id = 2, name = "Living room", count = 2 }, { id = 3, name = "Office", count = 1 } }
    storage.plants = {
      { id = 11, name = "Basil", species = "Ocimum basilicum", room = 1, every = 2, last = today - 2, note = "" },
      { id = 12, name = "Monstera", species = "Monstera deliciosa", room = 2, every = 7, last = today - 3, note = "Likes a wipe" },
      { id = 13, name = "Fern", species = "Nephrolepis exaltata", room = 2, every = 3, last = today - 5, note = "" },
      { id = 14, name = "Aloe", species = "Aloe vera", room = 3, every = 14, last = today - 15, note = "Never too much" },
      { id = 15, name = "Mint", species = "Mentha spicata", room = 1, every = 2, last = today - 1, note = "" },
    }
    storage.log = {
      { id = 21, plant = 15, kind = "Watered", day = today - 1 },
      { id = 22, plant = 11, kind = "Watered", day = today - 2 },
      { id = 23, plant = 12, kind = "Watered", day = today - 3 },
      { id = 24, plant = 13, kind = "Watered", day = today - 5 },
      { id = 25, plant = 12, kind = "Repotted", day = today - 9 },
      { id = 26, plant = 14, kind = "Watered", day = today - 15 },
    }
    prefs.every = 7
    prefs.winter = false
    prefs.confirm = true
    prefs.order = 1
  end,
}

local DAY = 86400000
local KINDS = { "Watered", "Fertilised", "Repotted" }
local INTERVALS = { 3, 5, 7, 10, 14 }
local MAX_PLANTS, MAX_ROOMS = 60, 12

local function today() return math.floor(now() / DAY) end
local function day_text(day) return date(day * DAY, "%d %b %Y") end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function plant_of(id) return (find(storage.plants, function(p) return p.id == id end)) end
local function room_of(id) return (find(storage.rooms, function(r) return r.id == id end)) end
local function room_name(id)
  local room = id and room_of(id)
  return room and room.name or "No room"
end

local function living() return filter(storage.plants, function(p) return not p.gone end) end

local function days_between(plant) return prefs.winter and plant.every * 2 or plant.every end
local function due(plant) return math.max(plant.last + days_between(plant), plant.snoozed or 0) end    -- snoozed: until that day

local function due_text(plant)
  local days = due(plant) - today()
  if days < -1 then return -days .. " days late" end
  if days == -1 then return "1 day late" end
  if days == 0 then return "today" end
  return days == 1 and "tomorrow" or "in " .. days .. " days"
end

-- How many plants stand in a room is kept with the room.
local function recount()
  for _, room in ipairs(storage.rooms) do
    room.count = #filter(living(), function(p) return p.room == room.id end)
  end
end

local function log_of(plant) return filter(storage.log, function(e) return e.plant == plant.id end) end

local function record(plant, kind)
  local entry = { id = new_id(), plant = plant.id, kind = kind, day = today() }
  table.insert(storage.log, 1, entry)
  return entry
end

local function water(screen, plants)
  local before = {}
  for _, plant in ipairs(plants) do
    local entry = record(plant, "Watered")
    table.insert(before, { id = plant.id, last = plant.last, snoozed = plant.snoozed, entry = entry.id })
    plant.last, plant.snoozed = today(), nil
  end
  local what = #plants == 1 and plants[1].name .. " watered" or #plants .. " plants watered"
  screen:snackbar(what, "Undo", function()
    for _, old in ipairs(before) do
      local plant = plant_of(old.id)
      if plant then plant.last, plant.snoozed = old.last, old.snoozed end
      if not bug("undo_keeps_log") then
        storage.log = filter(storage.log, function(e) return e.id ~= old.entry end)
      end
    end
  end)
end

local function thirsty()
  return filter(living(), function(p)
    if bug("winter_today") then return math.max(p.last + p.every, p.snoozed or 0) <= today() end
    return due(p) <= today()
  end)
end

local function by_due(plants)
  local result = copy(plants)
  table.sort(result, function(a, b)
    if due(a) ~= due(b) then return due(a) < due(b) end
    return a.name < b.name
  end)
  return result
end

local function by_name(plants)
  local result = copy(plants)
  table.sort(result, function(a, b) return a.name:lower() < b.name:lower() end)
  return result
end

activity "Main" {
  create = function(self, intent, saved) self.section = saved and saved.section or 1 end,
  save = function(self, out) out.section = self.section end,

  back = function(self)
    if self.section == 1 then return false end
    self.section = 1
    return true
  end,

  menu = function(self)
    return {
      { "Rooms", id = "rooms", on_click = function() self:start("Rooms") end },
      { "History", id = "history", on_click = function() self:start("History") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Compost heap", id = "compost", on_click = function() self:start("Compost") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  today_menu = function(self, i, plant)
    self:popup {
      { "Water", id = "water_one", on_click = function() water(self, { plant }) end },
      { "Tomorrow", id = "snooze", on_click = function()
        local which = bug("snooze_other") and thirsty()[i] or plant
        which.snoozed = today() + 1
        toast(plant.name .. ": tomorrow")
      end },
    }
  end,

  today_section = function(self)
    local plants = by_due(thirsty())
    return {
      text { #plants == 0 and "All is well" or "To water: " .. #plants, id = "to_water" },
      list { id = "thirsty", items = plants, empty = text { "Nobody is thirsty today", id = "empty" },
        row = function(p)
          return column { id = "thirsty_row", text { p.name, id = "name", size = "large" },
            text { room_name(p.room) .. " · " .. due_text(p), id = "when", size = "small" } }
        end,
        on_item_click = function(_, p) self:start("Plant", { id = p.id }) end,
        on_item_long_click = function(i, p) self:today_menu(i, p) end,
        on_item_swipe = function(i, direction)
          if direction == "right" and plants[i] then water(self, { plants[i] }) end
        end },
    }
  end,

  -- By room: a header for each room, then what stands in it.
  plant_rows = function(self)
    if prefs.order == 2 then return each(by_name(living()), function(p) return { plant = p } end) end
    local rows = {}
    local function group(name, plants)
      if #plants == 0 then return end
      table.insert(rows, { header = name })
      for _, p in ipairs(by_name(plants)) do table.insert(rows, { plant = p }) end
    end
    for _, room in ipairs(storage.rooms) do
      group(room.name, filter(living(), function(p) return p.room == room.id end))
    end
    group("No room", filter(living(), function(p) return p.room == nil end))
    return rows
  end,

  plants_section = function(self)
    return {
      radios { id = "order", items = { "By room", "By name" }, selected = prefs.order, on_change = function(i) prefs.order = i end },
      list { id = "plants", items = self:plant_rows(), empty = text { "No plants yet", id = "empty" },
        row = function(item)
          if item.header then return text { item.header, id = "room_header" } end
          local p = item.plant
          return row { id = "plant_row", text { p.name, id = "name", weight = 1 }, text { due_text(p), id = "when", size = "small" } }
        end,
        on_item_click = function(_, item) if item.plant then self:start("Plant", { id = item.plant.id }) end end },
    }
  end,

  calendar_section = function(self)
    local days = {}
    for offset = 0, 6 do
      local names = {}
      for _, p in ipairs(by_name(living())) do
        local day = math.max(due(p), today())
        if day == today() + offset then table.insert(names, p.name) end
      end
      table.insert(days, { day = today() + offset, names = #names > 0 and table.concat(names, ", ") or "–" })
    end
    return list { id = "calendar", items = days,
      row = function(d)
        return column { text { date(d.day * DAY, "%a %d %b"), id = "day" }, text { d.names, id = "names", size = "small" } }
      end }
  end,

  -- The toolbar's button is another one in each section.
  action = function(self)
    if self.section == 1 then
      return { "Water all", id = "water_all", on_click = function()
        local plants = thirsty()
        if #plants == 0 then return toast("Nobody is thirsty") end
        water(self, plants)
      end }
    elseif self.section == 2 then
      return { "New plant", id = "add", on_click = function()
        if #storage.plants >= MAX_PLANTS then return toast("No more space for plants") end
        self:start("Edit")
      end }
    end
  end,

  view = function(self)
    local sections = { self.today_section, self.plants_section, self.calendar_section }
    local function item(i, title, id)
      return { title, id = id, selected = self.section == i, on_click = function() self.section = i end }
    end
    return column {
      toolbar { "Leafy", actions = { self:action() } },
      sections[self.section](self),
      bottom_bar { items = { item(1, "Today", "nav_today"), item(2, "Plants", "nav_plants"), item(3, "Week", "nav_week") } },
    }
  end,
}

local function gone(title)
  return column { toolbar { title, up = true }, text { "This plant is no longer here", id = "gone" } }
end

activity "Plant" {
  compost = function(self, plant)
    local function go()
      plant.gone = today()
      recount()
      self:finish()
    end
    if not prefs.confirm then return go() end
    self:dialog { title = "Put " .. plant.name .. " on the compost?", message = "You can revive it from there.",
      ok = "Compost", on_ok = go, cancel = "Cancel" }
  end,

  ask_note = function(self, plant)
    self:dialog { title = "Note",
      view = function() return column { field { id = "note_text", text = plant.note, hint = "Note", max = 80 } } end,
      ok = "Save", on_ok = function() plant.note = trim(self:text("note_text")) end, cancel = "Cancel" }
  end,

  menu = function(self)
    local plant = plant_of(self.intent.id)
    if not plant or plant.gone then return {} end
    return {
      { "Fertilised", id = "fertilise", on_click = function() record(plant, "Fertilised") end },
      { "Repotted", id = "repot", on_click = function() record(plant, "Repotted") end },
      { "Note", id = "note", on_click = function() self:ask_note(plant) end },
      { "To the compost", id = "to_compost", on_click = function() self:compost(plant) end },
    }
  end,

  view = function(self)
    local plant = plant_of(self.intent.id)
    if not plant or plant.gone then return gone("Plant") end
    local log = log_of(plant)
    return column {
      toolbar { plant.name, subtitle = plant.species ~= "" and plant.species or nil, up = true,
        actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = plant.id }) end } } },
      scroll {
        text { "Room: " .. room_name(plant.room), id = "room" },
        text { "Every " .. days_between(plant) .. " days", id = "every" },
        text { "Next: " .. due_text(plant), id = "next" },
        plant.note ~= "" and text { plant.note, id = "note_line" },
        button { "Water now", id = "water", on_click = function() water(self, { plant }) end },
        divider {},
        text { "Log (" .. #log .. ")", id = "log_title" },
        each(log, function(e) return text { day_text(e.day) .. "  " .. e.kind, id = "log_line", size = "small" } end),
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local plant = intent.id and plant_of(intent.id)
    if saved then
      self.room, self.every = saved.room, saved.every
    elseif plant then
      self.room, self.every = plant.room, plant.every
    else
      self.room = nil
      self.every = bug("default_every") and 7 or prefs.every
    end
  end,
  save = function(self, out) out.room, out.every = self.room, self.every end,

  store = function(self)
    local name = trim(self:text("plant_name"))
    if name == "" then return toast("What is it called?") end
    if self.room and not room_of(self.room) then self.room = nil end
    local plant = self.intent.id and plant_of(self.intent.id)
    if plant then
      plant.name, plant.species = name, trim(self:text("species"))
      plant.room, plant.every = self.room, self.every
      if not bug("room_count") then recount() end
    else
      table.insert(storage.plants, { id = new_id(), name = name, species = trim(self:text("species")), room = self.room,
        every = self.every, last = today(), note = "" })
      recount()
    end
    self:finish()
  end,

  view = function(self)
    local plant = self.intent.id and plant_of(self.intent.id)
    if self.intent.id and (not plant or plant.gone) then return gone("Edit") end
    local names = { "No room" }
    local selected = 1
    for i, room in ipairs(storage.rooms) do
      table.insert(names, room.name)
      if room.id == self.room then selected = i + 1 end
    end
    return column {
      toolbar { plant and "Edit plant" or "New plant", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "plant_name", hint = "Name", text = plant and plant.name or "", max = 30 },
        field { id = "species", hint = "Species", text = plant and plant.species or "", max = 40 },
        spinner { id = "room_choice", items = names, selected = selected, on_change = function(i)
          local room = storage.rooms[i - 1]
          self.room = room and room.id
          if plant and bug("room_at_once") then plant.room = self.room end
        end },
        row {
          button { "−", id = "less", desc = "Fewer days", on_click = function() self.every = math.max(1, self.every - 1) end },
          text { "Every " .. self.every .. " days", id = "every_days", weight = 1 },
          button { "+", id = "more", desc = "More days", on_click = function() self.every = math.min(60, self.every + 1) end },
        },
      },
    }
  end,
}

activity "Rooms" {
  ask_name = function(self, room)
    self:dialog { title = room and "Rename room" or "New room",
      view = function() return column { field { id = "room_name", hint = "Name", text = room and room.name or "", max = 25 } } end,
      ok = room and "Rename" or "Add", cancel = "Cancel",
      on_ok = function()
        local name = trim(self:text("room_name"))
        if name == "" then toast("Give it a name") return true end
        local same = find(storage.rooms, function(r) return r.name:lower() == name:lower() and r ~= room end)
        if same then toast("There is such a room") return true end
        if room then room.name = name return end
        if #storage.rooms >= MAX_ROOMS then return toast("Too many rooms") end
        table.insert(storage.rooms, { id = new_id(), name = name, count = 0 })
      end }
  end,

  ask_delete = function(self, room)
    self:dialog { title = "Delete " .. room.name .. "?", message = "Its plants stay, without a room.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local i = index_of(storage.rooms, room)
        if not i then return end
        table.remove(storage.rooms, i)
        if bug("room_orphans") then return end
        for _, p in ipairs(storage.plants) do
          if p.room == room.id then p.room = nil end
        end
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Rooms", up = true },
      list { id = "room_list", items = storage.rooms, empty = text { "No rooms", id = "empty" },
        row = function(room)
          return row { id = "room_row", text { room.name, id = "room_title", weight = 1 },
            text { room.count == 1 and "1 plant" or room.count .. " plants", id = "room_plants", size = "small" } }
        end,
        on_item_click = function(_, room)
          self:popup {
            { "Rename", id = "rename", on_click = function() self:ask_name(room) end },
            { "Delete", id = "delete", on_click = function() self:ask_delete(room) end },
          }
        end },
      fab { id = "add_room", desc = "New room", on_click = function() self:ask_name() end },
    }
  end,
}

activity "History" {
  create = function(self, intent, saved) self.kind = saved and saved.kind or 1 end,
  save = function(self, out) out.kind = self.kind end,
  view = function(self)
    local kinds = { "Everything" }
    for _, kind in ipairs(KINDS) do table.insert(kinds, kind) end
    local entries = filter(storage.log, function(e)
      return plant_of(e.plant) ~= nil and (self.kind == 1 or e.kind == kinds[self.kind])
    end)
    return column {
      toolbar { "History", up = true, subtitle = #entries .. " entries" },
      spinner { id = "kind", items = kinds, selected = self.kind, on_change = function(i) self.kind = i end },
      list { id = "entries", items = entries, empty = text { "Nothing happened", id = "empty" },
        row = function(e)
          return column { id = "entry", text { plant_of(e.plant).name .. ": " .. e.kind, id = "what" },
            text { day_text(e.day), id = "day", size = "small" } }
        end,
        on_item_click = function(_, e) self:start("Plant", { id = e.plant }) end },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local rows, all = {}, 0
    for _, p in ipairs(living()) do
      local n = #filter(log_of(p), function(e) return e.kind == "Watered" end)
      all = all + n
      table.insert(rows, { name = p.name, n = n })
    end
    table.sort(rows, function(a, b) return a.n > b.n end)
    return column {
      toolbar { "Statistics", up = true },
      text { "Living plants: " .. #rows, id = "living" },
      text { "Waterings: " .. all, id = "waterings" },
      list { id = "ranking", items = rows, empty = text { "No plants", id = "empty" },
        row = function(r) return row { text { r.name, id = "rank_name", weight = 1 }, text { r.n .. "×", id = "rank_count" } } end },
    }
  end,
}

activity "Compost" {
  ask = function(self, plant)
    self:popup {
      { "Revive", id = "revive", on_click = function()
        plant.gone = nil
        if bug("revive_history") then plant.id = new_id() end
        if plant.room and not room_of(plant.room) then plant.room = nil end
        recount()
        toast(plant.name .. " lives again")
      end },
      { "Delete for ever", id = "forget", on_click = function()
        self:dialog { title = "Delete " .. plant.name .. " for ever?", message = "Its log is deleted too.", cancel = "Cancel", ok = "Delete",
          on_ok = function()
            local i = index_of(storage.plants, plant)
            if not i then return end
            table.remove(storage.plants, i)
            storage.log = filter(storage.log, function(e) return e.plant ~= plant.id end)
          end }
      end },
    }
  end,
  view = function(self)
    local plants = filter(storage.plants, function(p) return p.gone end)
    return column {
      toolbar { "Compost heap", up = true },
      list { id = "heap", items = plants, empty = text { "Nothing rots here", id = "empty" },
        row = function(p)
          return column { id = "heap_row", text { p.name, id = "name" }, text { "since " .. day_text(p.gone), id = "since", size = "small" } }
        end,
        on_item_click = function(_, p) self:ask(p) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text "New plants are watered every",
        spinner { id = "default_days", items = each(INTERVALS, function(n) return n .. " days" end), selected = index_of(INTERVALS, prefs.every),
          on_change = function(i) prefs.every = INTERVALS[i] end },
        switch { "Winter: water half as often", id = "winter", checked = prefs.winter, on_change = function(b) prefs.winter = b end },
        switch { "Ask before composting", id = "confirm", checked = prefs.confirm, on_change = function(b) prefs.confirm = b end },
      },
    }
  end,
}
