-- Windowsill: when to water which plant.
--
-- Plants stand in rooms and are watered every so many days. The first tab has those that are thirsty, the second all of
-- them; plants that are not at home are archived. Every watering is written into a journal.

app {
  package = "org.norn.lodger.plants",
  title = "Windowsill",
  main = "Main",
  bugs = { "stale_detail", "count_archived", "search_capitals", "edit_room", "undo_journal", "ounces_detail", "wrong_drop",
    "restore_date" },
  application = function()
    if storage.plants then return end
    local today = now() // 86400000
    storage.next_id = 20
    storage.rooms = { { id = 1, name = "Kitchen" }, { id = 2, name = "Balcony" }, { id = 3, name = "Bedroom" } }
    storage.plants = {
      { id = 11, name = "Basil", room = 1, every = 2, amount = 150, last = today - 3, note = "Likes it warm" },
      { id = 12, name = "Boston fern", room = 3, every = 4, amount = 240, last = today - 1, note = "" },
      { id = 13, name = "Geranium", room = 2, every = 3, amount = 300, last = today - 5, note = "Pick off old flowers" },
      { id = 14, name = "Cactus", room = 3, every = 30, amount = 60, last = today - 12, note = "" },
      { id = 15, name = "Mint", room = 1, every = 1, amount = 210, last = today - 1, note = "For tea" },
    }
    storage.journal = {
      { id = 9, plant = 11, name = "Basil", day = today - 3 },
      { id = 10, plant = 15, name = "Mint", day = today - 1 },
      { id = 16, plant = 14, name = "Cactus", day = today - 12 },
      { id = 17, plant = 13, name = "Geranium", day = today - 5 },
      { id = 18, plant = 12, name = "Boston fern", day = today - 1 },
    }
    prefs.unit = "ml"
    prefs.order = 1
    prefs.rooms = true
    prefs.remind = false
    prefs.hour = 8
  end,
}

local ML_PER_OUNCE = 30
local MIN_AMOUNT, MAX_AMOUNT = 30, 1500
local MAX_EVERY = 60
local ORDERS = { "Name", "Next watering" }

local function today() return now() // 86400000 end

-- Above the page, with the keyboard out of the way.
local function tell(self, text)
  self:hide_keyboard()
  self:snackbar(text)
end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function plant_of(id) return by_id(storage.plants, id) end
local function room_of(id) return by_id(storage.rooms, id) end
local function room_name(id) return room_of(id) and room_of(id).name or "No room" end

local function at_home() return filter(storage.plants, function(p) return not p.archived end) end
local function plants_in(room) return filter(at_home(), function(p) return p.room == room end) end

local function days_left(plant)
  return math.max(plant.last + plant.every, plant.snoozed or 0) - today()
end
local function thirsty(plant) return days_left(plant) <= 0 end

local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end

local function day_text(day)
  local ago = today() - day
  if ago == 0 then return "today" end
  if ago == 1 then return "yesterday" end
  return ago .. " days ago"
end

local function left_text(plant)
  local left = days_left(plant)
  if left < 0 then return "Thirsty for " .. plural(-left, "day") end
  if left == 0 then return "Water today" end
  if left == 1 then return "Water tomorrow" end
  return "Water in " .. left .. " days"
end

-- An ounce is taken as 30 ml here, as on measuring cups; whole ounces are shown.
local function amount_text(ml)
  if prefs.unit == "oz" then return (ml + ML_PER_OUNCE // 2) // ML_PER_OUNCE .. " oz" end
  return ml .. " ml"
end

local function capital(s) return s:sub(1, 1):upper() .. s:sub(2) end

-- Thirsty plants come first in every order.
local function sorted(plants)
  local result = copy(plants)
  table.sort(result, function(a, b)
    if thirsty(a) ~= thirsty(b) then return thirsty(a) end
    if prefs.order == 2 and days_left(a) ~= days_left(b) then return days_left(a) < days_left(b) end
    return a.name:lower() < b.name:lower()
  end)
  return result
end

-- Writes a watering down; false if that day has one already.
local function water(plant, day)
  local there = find(storage.journal, function(e) return e.plant == plant.id and e.day == day end)
  if there or plant.last == day then return false end
  local entry = { id = new_id(), plant = plant.id, name = plant.name, day = day }
  table.insert(storage.journal, entry)
  local before = { last = plant.last, snoozed = plant.snoozed }
  if day > plant.last then plant.last, plant.snoozed = day, nil end
  return true, function()
    local p = plant_of(plant.id)
    if p then p.last, p.snoozed = before.last, before.snoozed end
    if not bug("undo_journal") then
      storage.journal = filter(storage.journal, function(e) return e.id ~= entry.id end)
    end
  end
end

local function water_and_tell(self, plant, day)
  local done, undo = water(plant, day)
  if not done then return tell(self, plant.name .. " was watered " .. day_text(day) .. " already") end
  self:snackbar(plant.name .. " watered", "Undo", undo)
end

local function plant_row(plant, drop)
  return row { id = "plant_row",
    column { weight = 1,
      text { plant.name, id = "name", size = "large" },
      text { left_text(plant), id = "when", size = "small" },
      text { (prefs.rooms and room_name(plant.room) .. " · " or "") .. amount_text(plant.amount), id = "where", size = "small" },
    },
    drop and image_button { id = "drop", desc = "Water " .. plant.name, on_click = drop },
  }
end

activity "Main" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
    self.room = saved and saved.room
  end,

  save = function(self, out) out.tab, out.room = self.tab, self.room end,

  resume = function(self)
    if self.room and not room_of(self.room) then self.room = nil end
  end,

  items = function(self, room)
    return filter(sorted(at_home()), function(p)
      return (self.tab == 2 or thirsty(p)) and (room == nil or p.room == room)
    end)
  end,

  ask_order = function(self)
    self:dialog { title = "Sort by", items = ORDERS, checked = prefs.order, on_item = function(i) prefs.order = i end,
      cancel = "Cancel" }
  end,

  water_all = function(self)
    local plants = self:items(self.room)
    if #plants == 0 then return tell(self, "Nobody is thirsty") end
    self:dialog { title = "Water all?", message = plural(#plants, "plant") .. " will count as watered today", cancel = "Cancel",
      ok = "Water",
      on_ok = function()
        local undos = {}
        for _, p in ipairs(plants) do
          local done, undo = water(p, today())
          if done then table.insert(undos, undo) end
        end
        self:snackbar(plural(#undos, "plant") .. " watered", "Undo", function()
          for _, undo in ipairs(undos) do undo() end
        end)
      end }
  end,

  menu = function(self)
    return {
      { "Sort by", id = "sort", on_click = function() self:ask_order() end },
      self.tab == 1 and { "Water all", id = "water_all", on_click = function() self:water_all() end } or nil,
    }
  end,

  view = function(self)
    local names = { "All rooms" }
    local selected = 1
    for i, r in ipairs(storage.rooms) do
      table.insert(names, r.name)
      if r.id == self.room then selected = i + 1 end
    end
    local items = self:items(self.room)
    return column {
      toolbar { "Windowsill", actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      drawer { id = "drawer", header = "Windowsill", items = {
        { "Rooms", id = "rooms", on_click = function() self:start("Rooms") end },
        { "Journal", id = "journal", on_click = function() self:start("Journal") end },
        { "Archive", id = "archive", on_click = function() self:start("Archive") end },
        { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      } },
      tabs { id = "tabs", titles = { "Thirsty", "All plants" }, selected = self.tab, on_change = function(i) self.tab = i end },
      spinner { id = "room_filter", items = names, selected = selected, on_change = function(i)
        self.room = i > 1 and storage.rooms[i - 1].id or nil
      end },
      text { self.tab == 1 and plural(#items, "thirsty plant") or plural(#items, "plant") .. ", thirsty ones first",
        id = "count", size = "small" },
      list { id = "plants", weight = 1, items = items,
        empty = text { self.tab == 1 and "Nobody is thirsty" or "No plants here", id = "empty" },
        row = function(plant, i)
          return plant_row(plant, function()
            if bug("wrong_drop") then plant = self:items(nil)[i] end
            water_and_tell(self, plant, today())
          end)
        end,
        on_item_click = function(_, plant) self:start("Plant", { id = plant.id }) end },
      fab { id = "add", desc = "New plant", on_click = function() self:start("PlantForm", { room = self.room }) end },
    }
  end,
}

activity "Plant" {
  create = function(self)
    local plant = plant_of(self.intent.id)
    if bug("stale_detail") and plant then self.heading = plant.name end
  end,

  ask_day = function(self, plant)
    self:dialog { title = "When was it watered?", items = { "Today", "Yesterday", "Two days ago" }, cancel = "Cancel",
      on_item = function(i) water_and_tell(self, plant, today() - i + 1) end }
  end,

  ask_room = function(self, plant)
    local names, selected = { "No room" }, 1
    for i, r in ipairs(storage.rooms) do
      table.insert(names, r.name)
      if r.id == plant.room then selected = i + 1 end
    end
    self:dialog { title = "Move to", items = names, checked = selected, cancel = "Cancel", on_item = function(i)
      plant.room = i > 1 and storage.rooms[i - 1].id or nil
      tell(self, "Now in: " .. room_name(plant.room))
    end }
  end,

  items = function(self, plant)
    return {
      { "Move to another room", id = "move", on_click = function() self:ask_room(plant) end },
      { "Remind me tomorrow", id = "snooze", enabled = thirsty(plant), on_click = function()
        plant.snoozed = today() + 1
        tell(self, "Tomorrow, then")
      end },
      { "Archive", id = "archive_plant", on_click = function()
        plant.archived = true
        toast(plant.name .. " moved to the archive")
        self:finish()
      end },
    }
  end,

  view = function(self)
    local plant = plant_of(self.intent.id)
    if not plant or plant.archived then
      return column { toolbar { "Plant", up = true }, text { "This plant is not at home", id = "gone" } }
    end
    local count = #filter(storage.journal, function(e) return e.plant == plant.id end)
    return column {
      toolbar { self.heading or plant.name, up = true,
        actions = { { "Edit", id = "edit", on_click = function() self:start("PlantForm", { id = plant.id }) end } },
        menu = self:items(plant) },
      scroll {
        text { left_text(plant), id = "when", size = "large" },
        text { "Last watered: " .. day_text(plant.last), id = "last" },
        text { "Every " .. plural(plant.every, "day"), id = "every" },
        text { "Amount: " .. (bug("ounces_detail") and plant.amount .. " " .. prefs.unit or amount_text(plant.amount)), id = "amount" },
        text { "Room: " .. room_name(plant.room), id = "room" },
        plant.note ~= "" and text { plant.note, id = "note" },
        text { plural(count, "watering") .. " in the journal", id = "count", size = "small" },
        button { "Water now", id = "water", on_click = function() water_and_tell(self, plant, today()) end },
        button { "Watered earlier", id = "earlier", on_click = function() self:ask_day(plant) end },
      },
    }
  end,
}

activity "PlantForm" {
  create = function(self, intent, saved)
    local plant = plant_of(intent.id)
    if saved then
      self.room, self.days, self.amount, self.before = saved.room, saved.days, saved.amount, saved.before
    elseif plant then
      self.room, self.days, self.amount = plant.room, plant.every, plant.amount
      self.before = { name = plant.name, note = plant.note, room = self.room, every = self.days, amount = self.amount }
    else
      self.room, self.days, self.amount = intent.room, 7, 240
      self.before = { name = "", note = "", room = self.room, every = 7, amount = 240 }
    end
  end,

  save = function(self, out)
    out.room, out.days, out.amount, out.before = self.room, self.days, self.amount, self.before
  end,

  changed = function(self)
    local b = self.before
    return self:text("name") ~= b.name or self:text("note") ~= b.note or self.room ~= b.room or self.days ~= b.every
      or self.amount ~= b.amount
  end,

  leave = function(self)
    if not self:changed() then return self:finish() end
    self:dialog { title = "Discard changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Keep editing" }
  end,

  back = function(self)
    self:leave()
    return true
  end,

  store = function(self)
    local name = trim(self:text("name"))
    if name == "" then return tell(self, "Give it a name") end
    local plant = plant_of(self.intent.id)
    if not plant then
      plant = { id = new_id(), last = today() }
      table.insert(storage.plants, plant)
    end
    plant.name = capital(name)
    plant.note = self:text("note")
    plant.room, plant.every, plant.amount = self.room, self.days, self.amount
    if bug("edit_room") then plant.room = self.picked end
    self:finish()
  end,

  stepper = function(self, id, label, value, down, up)
    return row {
      text { label, weight = 1 },
      button { "−", id = id .. "_less", enabled = down ~= nil, on_click = down },
      text { value, id = id .. "_value" },
      button { "+", id = id .. "_more", enabled = up ~= nil, on_click = up },
    }
  end,

  view = function(self)
    local names, selected = { "No room" }, 1
    for i, r in ipairs(storage.rooms) do
      table.insert(names, r.name)
      if r.id == self.room then selected = i + 1 end
    end
    local plant = plant_of(self.intent.id)
    local step = prefs.unit == "oz" and ML_PER_OUNCE or 10
    return column {
      toolbar { self.intent.id and "Edit plant" or "New plant", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = plant and plant.name or "", max = 30 },
        spinner { id = "room", items = names, selected = selected, on_change = function(i)
          self.room = i > 1 and storage.rooms[i - 1].id or nil
          self.picked = self.room
        end },
        self:stepper("every", "Every", plural(self.days, "day"),
          self.days > 1 and function() self.days = self.days - 1 end or nil,
          self.days < MAX_EVERY and function() self.days = self.days + 1 end or nil),
        self:stepper("amount", "Amount", amount_text(self.amount),
          self.amount - step >= MIN_AMOUNT and function() self.amount = self.amount - step end or nil,
          self.amount + step <= MAX_AMOUNT and function() self.amount = self.amount + step end or nil),
        field { id = "note", hint = "Note", input = "multiline", text = plant and plant.note or "", max = 300 },
        not plant and text { "A new plant counts as watered today", id = "hint", size = "small" },
      },
    }
  end,
}

activity "Rooms" {
  ask_name = function(self, room)
    self:dialog {
      title = room and "Rename room" or "New room",
      view = function() return column { field { id = "room_name", hint = "Name", text = room and room.name or "", max = 24 } } end,
      ok = room and "Rename" or "Add",
      on_ok = function()
        local name = trim(self:text("room_name"))
        if name == "" then return tell(self, "A room needs a name") end
        name = capital(name)
        if find(storage.rooms, function(r) return r ~= room and r.name:lower() == name:lower() end) then
          return tell(self, "There is a " .. name .. " already")
        end
        if room then room.name = name else table.insert(storage.rooms, { id = new_id(), name = name }) end
      end,
      cancel = "Cancel",
    }
  end,

  ask_delete = function(self, room)
    local count = #filter(storage.plants, function(p) return p.room == room.id end)
    self:dialog { title = "Delete " .. room.name .. "?", cancel = "Cancel", ok = "Delete",
      message = count > 0 and "Its plants stay, without a room" or "It is empty",
      on_ok = function()
        for _, p in ipairs(storage.plants) do
          if p.room == room.id then p.room = nil end
        end
        storage.rooms = filter(storage.rooms, function(r) return r.id ~= room.id end)
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Rooms", up = true, actions = { { "New room", id = "add_room", on_click = function() self:ask_name() end } } },
      list { id = "rooms", weight = 1, items = storage.rooms, empty = text { "No rooms", id = "empty" },
        row = function(room)
          local count = #plants_in(room.id)
          if bug("count_archived") then count = #filter(storage.plants, function(p) return p.room == room.id end) end
          return column { id = "room_row", text { room.name, id = "name", size = "large" },
            text { plural(count, "plant"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, room) self:start("Room", { id = room.id }) end,
        on_item_long_click = function(_, room)
          self:popup {
            { "Rename", id = "rename_room", on_click = function() self:ask_name(room) end },
            { "Delete", id = "delete_room", on_click = function() self:ask_delete(room) end },
          }
        end },
      text { "Hold a room to rename or delete it", id = "tip", size = "small" },
    }
  end,
}

activity "Room" {
  view = function(self)
    local room = room_of(self.intent.id)
    if not room then return column { toolbar { "Room", up = true }, text { "There is no such room", id = "gone" } } end
    return column {
      toolbar { room.name, up = true },
      list { id = "plants", weight = 1, items = sorted(plants_in(room.id)), empty = text { "No plants here", id = "empty" },
        row = function(plant) return plant_row(plant) end,
        on_item_click = function(_, plant) self:start("Plant", { id = plant.id }) end },
      fab { id = "add", desc = "New plant", on_click = function() self:start("PlantForm", { room = room.id }) end },
    }
  end,
}

activity "Journal" {
  view = function(self)
    local entries = copy(storage.journal)
    table.sort(entries, function(a, b)
      if a.day ~= b.day then return a.day > b.day end
      return a.id > b.id
    end)
    return column {
      toolbar { "Journal", up = true, menu = {
        { "Clear journal", id = "clear", enabled = #entries > 0, on_click = function()
          self:dialog { title = "Clear the journal?", message = "The plants keep the day they were last watered", cancel = "Cancel",
            ok = "Clear", on_ok = function() storage.journal = {} end }
        end },
      } },
      list { id = "journal", weight = 1, items = entries, empty = text { "Nothing written yet", id = "empty" },
        row = function(e)
          local plant = plant_of(e.plant)
          return column { id = "entry", text { plant and plant.name or e.name .. " (gone)", id = "name" },
            text { "Watered " .. day_text(e.day), id = "day", size = "small" } }
        end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,

  results = function(self)
    local q = trim(self.query)
    if q == "" then return {} end
    if not bug("search_capitals") then q = q:lower() end
    return filter(sorted(at_home()), function(p) return contains((p.name .. "\n" .. p.note):lower(), q) end)
  end,

  view = function(self)
    local results = self:results()
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Name or note", max = 30, on_change = function(s) self.query = s end },
      text { trim(self.query) == "" and "Plants at home are searched" or plural(#results, "plant") .. " found", id = "found", size = "small" },
      list { id = "results", weight = 1, items = results,
        row = function(plant) return plant_row(plant) end,
        on_item_click = function(_, plant) self:start("Plant", { id = plant.id }) end },
    }
  end,
}

activity "Archive" {
  ask = function(self, plant)
    self:popup {
      { "Restore", id = "restore", on_click = function()
        plant.archived = nil
        plant.snoozed = nil
        if not bug("restore_date") then plant.last = today() end
        tell(self, plant.name .. " is at home again")
      end },
      { "Delete for ever", id = "delete", on_click = function()
        self:dialog { title = "Delete " .. plant.name .. "?", message = "This cannot be undone", cancel = "Cancel", ok = "Delete",
          on_ok = function() storage.plants = filter(storage.plants, function(p) return p.id ~= plant.id end) end }
      end },
    }
  end,

  view = function(self)
    local plants = filter(storage.plants, function(p) return p.archived end)
    table.sort(plants, function(a, b) return a.name:lower() < b.name:lower() end)
    return column {
      toolbar { "Archive", up = true },
      text { "A plant that is restored counts as watered today", id = "hint", size = "small" },
      list { id = "archived", weight = 1, items = plants, empty = text { "The archive is empty", id = "empty" },
        row = function(plant)
          return column { id = "archived_row", text { plant.name, id = "name" },
            text { room_name(plant.room), id = "where", size = "small" } }
        end,
        on_item_click = function(_, plant) self:ask(plant) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Amounts in", size = "small" },
        radios { id = "unit", items = { "Millilitres", "Ounces (a cup's: 30 ml)" }, selected = prefs.unit == "ml" and 1 or 2,
          on_change = function(i) prefs.unit = i == 1 and "ml" or "oz" end },
        switch { "Show rooms in lists", id = "show_rooms", checked = prefs.rooms, on_change = function(b) prefs.rooms = b end },
        switch { "Remind me", id = "remind", checked = prefs.remind, on_change = function(b) prefs.remind = b end },
        row {
          text { "At", weight = 1 },
          button { "−", id = "hour_less", enabled = prefs.remind and prefs.hour > 6, on_click = function() prefs.hour = prefs.hour - 1 end },
          text { prefs.hour .. ":00", id = "hour" },
          button { "+", id = "hour_more", enabled = prefs.remind and prefs.hour < 22, on_click = function() prefs.hour = prefs.hour + 1 end },
        },
        button { "About", id = "about", on_click = function()
          self:dialog { title = "Windowsill 1.4", message = plural(#at_home(), "plant") .. " at home, "
            .. plural(#storage.plants - #at_home(), "plant") .. " archived", ok = "OK" }
        end },
      },
    }
  end,
}
