-- Leafy: houseplants by room, when each wants water, a log of what was done, and the plants that were given away.
--
-- Days are kept as numbers of days since 1970. A plant is due when its interval has passed since it was last watered; in
-- winter mode every interval counts twice. After three waterings without fertiliser the plant's page says that it is time.

local DAY = 24 * 60 * 60 * 1000
local MAX_PLANTS, MAX_ROOMS, MAX_LOG = 60, 12, 200
local KINDS_OF_WORK = { "Watered", "Fertilised", "Repotted" }

local function today() return now() // DAY end

app {
  package = "org.leafy.plants",
  title = "Leafy",
  main = "Main",
  bugs = { "water_all_ignores_room", "menu_by_name", "winter_not_in_detail", "undo_keeps_log", "edit_room_default",
    "room_count_given", "search_case", "fertilise_hint_all" },
  application = function()
    if storage.plants then return end
    local t = today()
    storage.next_id = 50
    storage.rooms = { { id = 1, name = "Kitchen" }, { id = 2, name = "Living room" }, { id = 3, name = "Bedroom" } }
    storage.plants = {
      { id = 11, name = "Basil", kind = "Ocimum basilicum", room = 1, every = 2, last = t - 2, note = "Water from below" },
      { id = 12, name = "Calathea", kind = "Goeppertia orbifolia", room = 3, every = 5, last = t - 8, note = "" },
      { id = 13, name = "Fig", kind = "Ficus lyrata", room = 2, every = 7, last = t - 7, note = "Turn it once a month", fav = true },
      { id = 14, name = "Jade", kind = "Crassula ovata", room = 2, every = 14, last = t - 3, note = "" },
      { id = 15, name = "Orchid", kind = "Phalaenopsis", room = 3, every = 9, last = t - 5, note = "Only rain water" },
    }
    storage.log = {     -- oldest first
      { id = 21, plant = 12, what = "Repotted", day = t - 20 }, { id = 22, plant = 13, what = "Fertilised", day = t - 18 },
      { id = 23, plant = 13, what = "Watered", day = t - 14 }, { id = 24, plant = 12, what = "Watered", day = t - 8 },
      { id = 25, plant = 13, what = "Watered", day = t - 7 }, { id = 26, plant = 15, what = "Watered", day = t - 5 },
      { id = 27, plant = 14, what = "Watered", day = t - 3 },
      { id = 29, plant = 14, what = "Fertilised", day = t - 3 }, { id = 28, plant = 11, what = "Watered", day = t - 2 },
    }
    prefs.winter, prefs.show_room, prefs.iso, prefs.by_due = false, true, false, false
  end,
}

local snoozed = {}      -- plant id -> day; deliberately not stored: "Not today" holds until the app is closed

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function plant_of(id) return id and by_id(storage.plants, id) end
local function room_of(id) return id and by_id(storage.rooms, id) end
local function room_name(id)
  local room = room_of(id)
  return room and room.name or "No room"
end
local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end
local function kept() return filter(storage.plants, function(p) return not p.given end) end
local function count_text(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function day_text(day) return date(day * DAY, prefs.iso and "%Y-%m-%d" or "%d %b %Y") end
local function star(p) return (p.fav and "★ " or "") .. p.name end

local function interval(p) return prefs.winter and p.every * 2 or p.every end
local function due_in(p) return p.last + interval(p) - today() end
local function is_due(p) return due_in(p) <= 0 end
local function is_snoozed(p) return snoozed[p.id] == today() end

local function when_text(days)
  if days == 0 then return "Water today" end
  if days < 0 then return count_text(-days, "day") .. " late" end
  return "Water in " .. count_text(days, "day")
end

local function note_work(p, what)
  local entry = { id = new_id(), plant = p.id, what = what, day = today() }
  if #storage.log >= MAX_LOG then table.remove(storage.log, 1) end
  table.insert(storage.log, entry)
  return entry
end

-- Waters the plants; returns how to take it back.
local function water(plants)
  local before = each(plants, function(p)
    local was = { plant = p, last = p.last }
    p.last = today()
    was.entry = note_work(p, "Watered")
    return was
  end)
  return function()
    for _, was in ipairs(before) do
      was.plant.last = was.last
      if not bug("undo_keeps_log") then forget(storage.log, was.entry) end
    end
  end
end

local function wants_fertiliser(p)
  local waterings = 0
  for _, entry in ipairs(storage.log) do
    if entry.plant == p.id or bug("fertilise_hint_all") then
      if entry.what == "Watered" then waterings = waterings + 1 end
      if entry.what == "Fertilised" and entry.plant == p.id then waterings = 0 end
    end
  end
  return waterings >= 3
end

local function matches(p, query)
  local all = p.name .. " " .. p.kind
  if bug("search_case") then return contains(all, query) end
  return contains(all:lower(), query:lower())
end

local function give_away(p)
  p.given = today()
  snoozed[p.id] = nil
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.room, self.query = saved.tab or 1, saved.room, saved.query or ""
  end,
  save = function(self, out) out.tab, out.room, out.query = self.tab, self.room, self.query end,
  resume = function(self) if not room_of(self.room) then self.room = nil end end,

  shown = function(self, by_due)
    local plants = filter(kept(), function(p)
      if self.room and p.room ~= self.room then return false end
      if self.tab == 1 then return is_due(p) and not is_snoozed(p) end
      return matches(p, trim(self.query))
    end)
    table.sort(plants, function(a, b)
      if by_due and due_in(a) ~= due_in(b) then return due_in(a) < due_in(b) end
      return a.name:lower() < b.name:lower()
    end)
    return plants
  end,

  water = function(self, plants)
    local undo = water(plants)
    local what = #plants == 1 and plants[1].name or count_text(#plants, "plant")
    self:snackbar(what .. " watered", "Undo", undo)
  end,

  water_all = function(self)
    local plants = self:shown(prefs.by_due)
    if bug("water_all_ignores_room") then
      plants = filter(kept(), function(p) return is_due(p) and not is_snoozed(p) end)
    end
    self:water(plants)
  end,

  plant_menu = function(self, p)
    self:popup {
      { "Water now", id = "water_now", on_click = function() self:water { p } end },
      { "Not today", id = "snooze", enabled = is_due(p) and not is_snoozed(p), on_click = function()
        snoozed[p.id] = today()
        toast(p.name .. ": not today")
      end },
      { "Favourite", id = "favourite", checked = p.fav == true, on_click = function() p.fav = not p.fav end },
      { "Give away", id = "give_away", on_click = function()
        give_away(p)
        self:snackbar(p.name .. " given away", "Undo", function() p.given = nil end)
      end },
    }
  end,

  add = function(self)
    if #storage.plants >= MAX_PLANTS then return toast("That is enough plants") end
    self:start("Edit", { room = self.room })
  end,

  menu = function(self)
    return {
      { "Most urgent first", id = "sort_due", checked = prefs.by_due, on_click = function() prefs.by_due = not prefs.by_due end },
      { "Rooms", id = "rooms", on_click = function() self:start("Rooms") end },
      { "Log", id = "log", on_click = function() self:start("Log") end },
      { "Given away", id = "former", on_click = function() self:start("Former") end },
      { "Numbers", id = "numbers", on_click = function() self:start("Numbers") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  plant_row = function(self, p)
    local line = when_text(due_in(p))
    if self.tab == 2 and is_snoozed(p) then line = line .. ", not today" end
    return column { id = "plant_row", text { star(p), id = "name", size = "large" },
      text { prefs.show_room and line .. " · " .. room_name(p.room) or line, id = "line", size = "small" } }
  end,

  view = function(self)
    local plants = self:shown(prefs.by_due)
    local rooms = { "All rooms", table.unpack(each(storage.rooms, function(r) return r.name end)) }
    local _, at = find(storage.rooms, function(r) return r.id == self.room end)
    local asleep = #filter(kept(), function(p) return is_due(p) and is_snoozed(p) end)
    return column {
      toolbar { "Leafy", subtitle = prefs.winter and "Winter mode" or nil },
      tabs { id = "tabs", titles = { "Due", "All" }, selected = self.tab, on_change = function(i) self.tab = i end },
      spinner { id = "room", items = rooms, selected = (at or 0) + 1,
        on_change = function(i) self.room = i > 1 and storage.rooms[i - 1].id or nil end },
      self.tab == 2 and field { id = "query", hint = "Name or kind", text = self.query, max = 30, on_change = function(s) self.query = s end },
      self.tab == 1 and #plants > 0 and button { "Water all of these", id = "water_all", on_click = function() self:water_all() end },
      list { id = "plants", weight = 1, items = plants,
        empty = text { self.tab == 1 and "Nobody is thirsty" or "No plants", id = "empty" },
        row = function(p) return self:plant_row(p) end,
        on_item_click = function(_, p) self:start("Plant", { id = p.id }) end,
        on_item_long_click = function(i, p) self:plant_menu(bug("menu_by_name") and self:shown(false)[i] or p) end },
      self.tab == 1 and asleep > 0 and text { asleep .. " put off until the app is closed", id = "put_off", size = "small" },
      fab { id = "add", desc = "New plant", on_click = function() self:add() end },
    }
  end,
}

activity "Plant" {
  work = function(self, p, what)
    if what == "Watered" then return self:snackbar("Watered", "Undo", water { p }) end
    local entry = note_work(p, what)
    self:snackbar(what, "Undo", function() forget(storage.log, entry) end)
  end,

  menu = function(self)
    local p = plant_of(self.intent.id)
    if not p or p.given then return {} end
    return {
      { "Give away", id = "give_away", on_click = function()
        self:dialog { title = "Give " .. p.name .. " away?", message = "You find it under Given away", cancel = "Cancel",
          ok = "Give away", on_ok = function() give_away(p) self:finish() end }
      end },
    }
  end,

  view = function(self)
    local p = plant_of(self.intent.id)
    if not p or p.given then return column { toolbar { "Plant", up = true }, text { "This plant is not here any more", id = "gone" } } end
    local every = bug("winter_not_in_detail") and p.every or interval(p)
    local days = p.last + every - today()
    local log = filter(storage.log, function(e) return e.plant == p.id end)
    local recent = {}
    for i = #log, math.max(1, #log - 4), -1 do table.insert(recent, log[i]) end
    return column {
      toolbar { p.name, up = true, actions = {
        { p.fav and "Remove from favourites" or "Add to favourites", id = "favourite", on_click = function() p.fav = not p.fav end },
        { "Edit", id = "edit", on_click = function() self:start("Edit", { id = p.id }) end } } },
      scroll { weight = 1,
        text { star(p), id = "name", size = "large" },
        p.kind ~= "" and text { p.kind, id = "kind" },
        text { room_name(p.room), id = "room" },
        text { "Every " .. count_text(every, "day") .. (every ~= p.every and " (winter mode)" or ""), id = "every" },
        text { "Last watered: " .. day_text(p.last), id = "last" },
        text { "Next: " .. day_text(p.last + every) .. " (" .. when_text(days) .. ")", id = "next" },
        wants_fertiliser(p) and text { "Time to fertilise", id = "fertilise_hint" },
        p.note ~= "" and text { p.note, id = "note" },
        row {
          button { "Water", id = "water", on_click = function() self:work(p, "Watered") end },
          button { "Fertilise", id = "fertilise", on_click = function() self:work(p, "Fertilised") end },
          button { "Repot", id = "repot", on_click = function() self:work(p, "Repotted") end },
        },
        text { #recent == 0 and "Nothing in the log" or "From the log", id = "log_title", size = "small" },
        each(recent, function(e) return text { day_text(e.day) .. "  " .. e.what, id = "log_line" } end),
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local p = plant_of(intent.id)
    self.old = { room = intent.room, every = "7", name = "", kind = "", note = "" }
    if p then self.old = { room = p.room, every = tostring(p.every), name = p.name, kind = p.kind, note = p.note } end
    self.room = self.old.room
    if p and bug("edit_room_default") then self.room = nil end
    if saved then self.room = saved.room end
  end,
  save = function(self, out) out.room = self.room end,

  changed = function(self)
    if self.room ~= self.old.room then return true end
    for _, id in ipairs { "name", "kind", "every", "note" } do
      if self:text(id) ~= self.old[id] then return true end
    end
    return false
  end,

  leave = function(self)
    if not self:changed() then return self:finish() end
    self:dialog { title = "Discard your changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Keep editing" }
  end,
  back = function(self) self:leave() return true end,

  store = function(self)
    local name, every = trim(self:text("name")), tonumber(self:text("every"))
    if name == "" then return toast("A plant needs a name") end
    if not every or every < 1 or every > 60 then return toast("Water every 1 to 60 days") end
    local p = plant_of(self.intent.id)
    if not p then
      if #storage.plants >= MAX_PLANTS then return toast("That is enough plants") end
      p = { id = new_id(), last = today() }
      table.insert(storage.plants, p)
    end
    p.name, p.kind, p.note = name, trim(self:text("kind")), trim(self:text("note"))
    p.every, p.room = math.floor(every), room_of(self.room) and self.room or nil
    self:finish()
  end,

  view = function(self)
    local rooms = { "No room", table.unpack(each(storage.rooms, function(r) return r.name end)) }
    local _, at = find(storage.rooms, function(r) return r.id == self.room end)
    return column {
      toolbar { plant_of(self.intent.id) and "Edit plant" or "New plant", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { weight = 1,
        field { id = "name", hint = "Name", text = self.old.name, max = 24 },
        field { id = "kind", hint = "Kind", text = self.old.kind, max = 40 },
        text { "Room", size = "small" },
        spinner { id = "room", items = rooms, selected = (at or 0) + 1,
          on_change = function(i) self.room = i > 1 and storage.rooms[i - 1].id or nil end },
        text { "Days between waterings", size = "small" },
        field { id = "every", hint = "Days", text = self.old.every, input = "number", max = 2 },
        field { id = "note", hint = "Note", text = self.old.note, input = "multiline", max = 120 },
        not plant_of(self.intent.id) and text { "A new plant counts as watered today", id = "new_hint", size = "small" },
      },
    }
  end,
}

activity "Rooms" {
  ask_name = function(self, room)
    self:dialog {
      title = room and "Rename room" or "New room",
      view = function() return column { field { id = "room_name", hint = "Name", text = room and room.name or "", max = 20 } } end,
      ok = room and "Rename" or "Add", cancel = "Cancel",
      on_ok = function()
        local name = trim(self:text("room_name"))
        if name == "" then toast("A room needs a name") return true end
        local other = find(storage.rooms, function(r) return r.name:lower() == name:lower() end)
        if other and other ~= room then toast("There is such a room already") return true end
        if room then room.name = name else table.insert(storage.rooms, { id = new_id(), name = name }) end
      end,
    }
  end,

  ask_delete = function(self, room)
    self:dialog { title = "Delete " .. room.name .. "?", message = "Its plants stay, without a room", ok = "Delete", cancel = "Cancel",
      on_ok = function()
        for _, p in ipairs(storage.plants) do if p.room == room.id then p.room = nil end end
        forget(storage.rooms, room)
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Rooms", up = true, actions = { { "Add room", id = "add_room", on_click = function()
        if #storage.rooms >= MAX_ROOMS then return toast("That is enough rooms") end
        self:ask_name()
      end } } },
      list { id = "rooms", items = storage.rooms, empty = text { "No rooms", id = "empty" },
        row = function(r)
          local plants = bug("room_count_given") and storage.plants or kept()
          local n = #filter(plants, function(p) return p.room == r.id end)
          return column { id = "room_row", text { r.name, id = "name" }, text { count_text(n, "plant"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, r)
          self:popup {
            { "Rename", id = "rename", on_click = function() self:ask_name(r) end },
            { "Delete", id = "delete", on_click = function() self:ask_delete(r) end },
          }
        end },
    }
  end,
}

activity "Log" {
  create = function(self, intent, saved) self.kind = saved and saved.kind or 0 end,
  save = function(self, out) out.kind = self.kind end,

  entries = function(self)
    local out = {}
    for i = #storage.log, 1, -1 do
      local e = storage.log[i]
      if self.kind == 0 or e.what == KINDS_OF_WORK[self.kind] then table.insert(out, e) end
    end
    return out
  end,

  view = function(self)
    local entries = self:entries()
    return column {
      toolbar { "Log", up = true },
      spinner { id = "kind", items = { "Everything", table.unpack(KINDS_OF_WORK) }, selected = self.kind + 1,
        on_change = function(i) self.kind = i - 1 end },
      text { #entries .. (#entries == 1 and " entry" or " entries"), id = "count", size = "small" },
      list { id = "entries", weight = 1, items = entries, empty = text { "Nothing yet", id = "empty" },
        row = function(e)
          local p = plant_of(e.plant)
          return column { id = "entry_row", text { (p and p.name or "A former plant") .. ": " .. e.what, id = "what" },
            text { day_text(e.day), id = "day", size = "small" } }
        end,
        on_item_long_click = function(_, e)
          self:dialog { title = "Delete this entry?", message = "When the plant was watered last is not changed by this",
            ok = "Delete", on_ok = function() forget(storage.log, e) end, cancel = "Cancel" }
        end },
    }
  end,
}

activity "Former" {
  ask_delete = function(self, p)
    self:dialog { title = "Delete " .. p.name .. " for ever?", message = "Its log goes too", ok = "Delete", cancel = "Cancel",
      on_ok = function()
        storage.log = filter(storage.log, function(e) return e.plant ~= p.id end)
        forget(storage.plants, p)
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Given away", up = true },
      list { id = "former", items = filter(storage.plants, function(p) return p.given end),
        empty = text { "You kept them all", id = "empty" },
        row = function(p)
          return column { id = "former_row", text { star(p), id = "name" }, text { "Since " .. day_text(p.given), id = "since", size = "small" } }
        end,
        on_item_click = function(_, p)
          self:popup {
            { "Take back", id = "take_back", on_click = function() p.given = nil toast(p.name .. " is back") end },
            { "Delete for ever", id = "delete", on_click = function() self:ask_delete(p) end },
          }
        end },
    }
  end,
}

activity "Numbers" {
  view = function(self)
    local plants = kept()
    local month = filter(storage.log, function(e)
      local p = plant_of(e.plant)
      return p and not p.given and e.day > today() - 30
    end)
    local function of(what) return #filter(month, function(e) return e.what == what end) end
    local late = #filter(plants, function(p) return due_in(p) < 0 end)
    return column {
      toolbar { "Numbers", up = true },
      text { count_text(#plants, "plant") .. " in " .. count_text(#storage.rooms, "room"), id = "plants", size = "large" },
      text { "Favourites: " .. #filter(plants, function(p) return p.fav end), id = "favourites" },
      text { "Due: " .. #filter(plants, is_due) .. ", of these late: " .. late, id = "due" },
      divider {},
      text "The last 30 days",
      text { "Watered: " .. of("Watered"), id = "watered" },
      text { "Fertilised: " .. of("Fertilised"), id = "fertilised" },
      text { "Repotted: " .. of("Repotted"), id = "repotted" },
      text { "Plants that were given away are not counted", id = "hint", size = "small" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll { weight = 1,
        switch { "Winter mode", id = "winter", checked = prefs.winter, on_change = function(b) prefs.winter = b end },
        text { "All plants are watered half as often", size = "small" },
        switch { "Show the room in lists", id = "show_room", checked = prefs.show_room, on_change = function(b) prefs.show_room = b end },
        switch { "Dates as 2024-12-31", id = "iso", checked = prefs.iso, on_change = function(b) prefs.iso = b end },
        button { "Clear the log", id = "clear_log", on_click = function()
          self:dialog { title = "Clear the log?", message = #storage.log .. " entries will be deleted", ok = "Clear", cancel = "Cancel",
            on_ok = function() storage.log = {} toast("Log cleared") end }
        end },
      },
    }
  end,
}
