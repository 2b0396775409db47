-- Leafy: when to water which plant. Days are whole days since 1970.

app {
  package = "org.leafy.plants",
  title = "Leafy",
  main = "Main",
  bugs = { "archive_position", "snooze_waters", "room_rename", "undo_journal", "sort_not_kept", "edit_writes_through",
    "search_archived", "default_interval" },
  application = function()
    if storage.plants then return end
    local today = now() // 86400000
    storage.next_id = 20
    storage.rooms = { "Kitchen", "Bedroom", "Balcony" }
    storage.plants = {
      { id = 1, name = "Monstera", room = "Kitchen", interval = 7, last = today - 7 },
      { id = 2, name = "Basil", room = "Balcony", interval = 2, last = today - 4 },
      { id = 3, name = "Snake plant", room = "Bedroom", interval = 14, last = today - 3 },
      { id = 4, name = "Fern", room = "Bedroom", interval = 4, last = today - 2, feed = true },
      { id = 5, name = "Orchid", interval = 10, last = today - 20, archived = true },
      { id = 6, name = "Cactus", room = "Balcony", interval = 21, last = today - 9, archived = true },
    }
    storage.journal = {
      { id = 7, plant = 4, kind = "Note", text = "New leaves", day = today - 2 },
      { id = 8, plant = 1, kind = "Watered", text = "", day = today - 7 },
    }
    prefs.interval = 7
    prefs.show_rooms = true
    prefs.vacation = false
    prefs.sort = 1
  end,
}

local SORTS = { "By due day", "By name", "By room" }
local NO_ROOM = "No room"
local MAX_PLANTS = 60

local function today() return now() // 86400000 end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function plant_of(id) return (find(storage.plants, function(p) return p.id == id end)) end

local function due_day(p) return math.max(p.last + p.interval, p.snoozed or 0) end

local function due_text(p)
  local days = due_day(p) - today()
  if days == 0 then return "Due today" end
  if days == 1 then return "Due tomorrow" end
  if days == -1 then return "Overdue by 1 day" end
  if days < 0 then return "Overdue by " .. -days .. " days" end
  return "Due in " .. days .. " days"
end

local function ago_text(day)
  local days = today() - day
  if days == 0 then return "today" end
  return days == 1 and "yesterday" or days .. " days ago"
end

local function active() return filter(storage.plants, function(p) return not p.archived end) end

local function by_name(a, b) return a.name:lower() < b.name:lower() end

local function sorted(plants, order)
  local result = copy(plants)
  table.sort(result, function(a, b)
    if order == 1 and due_day(a) ~= due_day(b) then return due_day(a) < due_day(b) end
    if order == 3 and a.room ~= b.room then return (a.room or "~") < (b.room or "~") end
    return by_name(a, b)
  end)
  return result
end

local function count_text(n, what) return n == 1 and "1 " .. what or n .. " " .. what .. "s" end

local function write_journal(plant, kind, words)
  local entry = { id = new_id(), plant = plant.id, kind = kind, text = words or "", day = today() }
  table.insert(storage.journal, 1, entry)
  if #storage.journal > 100 then table.remove(storage.journal) end
  return entry
end

local function forget_journal(id)
  storage.journal = filter(storage.journal, function(e) return e.id ~= id end)
end

local function water(p)
  local before = { last = p.last, snoozed = p.snoozed }
  p.last = today()
  p.snoozed = nil
  before.entry = write_journal(p, "Watered").id
  p.watering = before.entry
  return before
end

local function unwater(p, before)
  if p.watering == before.entry then p.last, p.snoozed = before.last, p.snoozed or before.snoozed end
  if not bug("undo_journal") then forget_journal(before.entry) end
end

local function gone(self, title)
  return column { toolbar { title, up = true }, text { "This plant is gone", id = "gone" } }
end

local function plant_row(p)
  return column { id = "plant_row",
    text { p.name, id = "name", size = "large" },
    text { due_text(p), id = "due", size = "small" },
    prefs.show_rooms and text { p.room or NO_ROOM, id = "room", size = "small" },
  }
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab = saved.tab or 1
    self.order = prefs.sort
  end,
  resume = function(self)
    if not bug("sort_not_kept") then self.order = prefs.sort end
  end,
  save = function(self, out) out.tab = self.tab end,

  due = function(self)
    if prefs.vacation then return {} end
    return filter(active(), function(p) return due_day(p) <= today() end)
  end,

  sort_dialog = function(self)
    self:dialog { title = "Sort plants", items = SORTS, checked = self.order, cancel = "Cancel",
      on_item = function(i)
        self.order = i
        if not bug("sort_not_kept") then prefs.sort = i end
      end }
  end,

  water_now = function(self, p)
    local before = water(p)
    self:snackbar(p.name .. " watered", "Undo", function() unwater(p, before) end)
  end,

  water_all = function(self)
    local due = self:due()
    if #due == 0 then return toast("Nothing to water") end
    self:dialog { title = "Water all?", message = count_text(#due, "plant"), cancel = "Cancel", ok = "Water",
      on_ok = function() for _, p in ipairs(due) do water(p) end end }
  end,

  menu = function(self)
    return {
      { "Sort", id = "sort", on_click = function() self:sort_dialog() end },
      { "Water all due", id = "water_all", on_click = function() self:water_all() end },
      { "Week ahead", id = "week", on_click = function() self:start("Week") end },
      { "Journal", id = "journal", on_click = function() self:start("Journal") end },
      { "Archive", id = "archive", on_click = function() self:start("Archive") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  page = function(self)
    if self.tab == 3 then
      return list { id = "rooms", items = storage.rooms, empty = text { "No rooms", id = "empty" },
        row = function(name)
          local n = #filter(active(), function(p) return p.room == name end)
          return column { id = "room_row", text { name, id = "name", size = "large" }, text { count_text(n, "plant"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, name) self:start("Room", { room = name }) end }
    end
    local plants = self.tab == 1 and self:due() or active()
    return list { id = "plants", items = sorted(plants, self.order),
      empty = text { self.tab == 1 and (prefs.vacation and "On vacation: nothing is due" or "All plants are happy") or "No plants", id = "empty" },
      row = plant_row,
      on_item_click = function(_, p) self:start("Plant", { id = p.id }) end,
      on_item_long_click = function(_, p) self:water_now(p) end }
  end,

  view = function(self)
    return column {
      toolbar { "Leafy", subtitle = #self:due() .. " to water",
        actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      tabs { id = "tabs", titles = { "Today", "All", "Rooms" }, selected = self.tab, on_change = function(i) self.tab = i end },
      self:page(),
      fab { id = "add", desc = self.tab == 3 and "Add room" or "Add plant", on_click = function()
        if self.tab == 3 then self:start("Rooms") else self:start("Edit") end
      end },
    }
  end,
}

activity "Plant" {
  snooze = function(self, p, days)
    if bug("snooze_waters") then p.last = today() end
    p.snoozed = today() + days
    toast("Snoozed")
  end,

  snooze_dialog = function(self, p)
    self:dialog { title = "Snooze for", items = { "1 day", "2 days", "5 days" }, cancel = "Cancel",
      on_item = function(i) self:snooze(p, ({ 1, 2, 5 })[i]) end }
  end,

  ask_delete = function(self, p)
    self:dialog { title = "Delete " .. p.name .. "?", message = "Its journal is deleted too", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        storage.plants = filter(storage.plants, function(x) return x.id ~= p.id end)
        storage.journal = filter(storage.journal, function(e) return e.plant ~= p.id end)
        self:finish()
      end }
  end,

  menu = function(self)
    local p = plant_of(self.intent.id)
    if not p then return {} end
    return {
      { p.archived and "Restore" or "Archive", id = "archive", on_click = function()
        p.archived = not p.archived
        self:finish()
      end },
      { "Delete", id = "delete", on_click = function() self:ask_delete(p) end },
    }
  end,

  view = function(self)
    local p = plant_of(self.intent.id)
    if not p then return gone(self, "Plant") end
    local notes = filter(storage.journal, function(e) return e.plant == p.id end)
    return column {
      toolbar { p.name, up = true, subtitle = p.archived and "Archived" or nil,
        actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = p.id }) end } } },
      text { "Room: " .. (p.room or NO_ROOM), id = "room" },
      text { "Every " .. count_text(p.interval, "day"), id = "interval" },
      text { "Last watered " .. ago_text(p.last), id = "last" },
      text { due_text(p), id = "due", size = "large" },
      p.feed and text { "Needs fertiliser", id = "feed" },
      row {
        button { "Water", id = "water", on_click = function()
          local before = water(p)
          self:snackbar("Watered", "Undo", function() unwater(p, before) end)
        end },
        button { "Snooze", id = "snooze", on_click = function() self:snooze_dialog(p) end },
        button { "Note", id = "note", on_click = function() self:start("Note", { id = p.id }) end },
      },
      text { #notes == 1 and "1 entry" or #notes .. " entries", id = "entries", size = "small" },
      list { id = "entries_list", items = notes, empty = text { "Nothing written yet", id = "empty" },
        row = function(e) return text { e.kind .. " " .. ago_text(e.day) .. (e.text ~= "" and ": " .. e.text or ""), id = "entry" } end },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    self.id = intent.id
    if saved then
      self.draft = saved.draft
      return
    end
    local p = self.id and plant_of(self.id)
    if p then
      if bug("edit_writes_through") then
        self.draft = p
      else
        self.draft = { room = p.room, interval = p.interval, feed = p.feed }
      end
    else
      self.draft = { interval = bug("default_interval") and 7 or prefs.interval, feed = false }
    end
  end,
  save = function(self, out) out.draft = self.draft end,

  store = function(self)
    local name = trim(self:text("name"))
    if name == "" then return toast("Give it a name") end
    local p = self.id and plant_of(self.id)
    if not p then
      if #storage.plants >= MAX_PLANTS then return toast("Too many plants") end
      p = { id = new_id(), last = today() }
      table.insert(storage.plants, p)
    end
    local room = index_of(storage.rooms, self.draft.room) and self.draft.room or nil
    p.name, p.room, p.interval, p.feed = name, room, self.draft.interval, self.draft.feed
    self:finish()
  end,

  view = function(self)
    local p = self.id and plant_of(self.id)
    if self.id and not p then return gone(self, "Edit plant") end
    local d = self.draft
    local rooms = { NO_ROOM }
    for _, r in ipairs(storage.rooms) do table.insert(rooms, r) end
    return column {
      toolbar { p and "Edit plant" or "New plant", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", max = 30, text = p and p.name or "" },
        text "Room",
        spinner { id = "room", items = rooms, selected = d.room and index_of(rooms, d.room) or 1,
          on_change = function(i, name) d.room = i > 1 and name or nil end },
        text { "Every " .. count_text(d.interval, "day"), id = "interval" },
        slider { id = "days", min = 1, max = 30, step = 1, value = d.interval, on_change = function(v) d.interval = math.floor(v) end },
        check { "Needs fertiliser", id = "feed", checked = d.feed or false, on_change = function(b) d.feed = b end },
        button { "Save", id = "save_bottom", on_click = function() self:store() end },
      },
    }
  end,
}

activity "Note" {
  view = function(self)
    local p = plant_of(self.intent.id)
    if not p then return gone(self, "Note") end
    return column {
      toolbar { "Note on " .. p.name, up = true },
      field { id = "words", hint = "What did you see?", input = "multiline", max = 200 },
      button { "Keep", id = "keep", on_click = function()
        local words = trim(self:text("words"))
        if words == "" then return toast("Write something") end
        write_journal(p, "Note", words)
        self:finish()
      end },
    }
  end,
}

activity "Room" {
  view = function(self)
    local name = self.intent.room or ""
    local plants = filter(active(), function(p) return p.room == name end)
    return column {
      toolbar { name, up = true, subtitle = count_text(#plants, "plant") },
      list { id = "plants", items = sorted(plants, 2), empty = text { "No plants here", id = "empty" }, row = plant_row,
        on_item_click = function(_, p) self:start("Plant", { id = p.id }) end },
      button { "All rooms", id = "all_rooms", on_click = function() self:finish() end },
    }
  end,
}

activity "Rooms" {
  taken = function(self, name) return name == NO_ROOM or index_of(storage.rooms, name) ~= nil end,

  ask_new = function(self)
    self:dialog { title = "New room", view = function() return column { field { id = "new_room", hint = "Name", max = 20 } } end,
      cancel = "Cancel", ok = "Add", on_ok = function()
        local name = trim(self:text("new_room"))
        if name == "" or self:taken(name) or #storage.rooms >= 12 then return toast("Cannot add this room") end
        table.insert(storage.rooms, name)
      end }
  end,

  ask_rename = function(self, i, old)
    self:dialog { title = "Rename room", view = function() return column { field { id = "room_name", text = old, max = 20 } } end,
      cancel = "Cancel", ok = "Rename", on_ok = function()
        local name = trim(self:text("room_name"))
        if name == old then return end
        if name == "" or self:taken(name) then return toast("Choose another name") end
        storage.rooms[i] = name
        if bug("room_rename") then return end
        for _, p in ipairs(storage.plants) do
          if p.room == old then p.room = name end
        end
      end }
  end,

  ask_delete = function(self, i, name)
    self:dialog { title = "Delete " .. name .. "?", message = "Its plants stay", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        table.remove(storage.rooms, i)
        for _, p in ipairs(storage.plants) do
          if p.room == name then p.room = nil end
        end
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Manage rooms", up = true },
      list { id = "rooms", items = storage.rooms, empty = text { "No rooms", id = "empty" },
        row = function(name) return text { name, id = "room_name_row" } end,
        on_item_click = function(i, name) self:ask_rename(i, name) end,
        on_item_long_click = function(i, name) self:ask_delete(i, name) end },
      fab { id = "add_room", desc = "Add room", on_click = function() self:ask_new() end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,

  results = function(self)
    local q = trim(self.query):lower()
    if q == "" then return {} end
    local from = bug("search_archived") and storage.plants or active()
    return sorted(filter(from, function(p) return contains(p.name:lower(), q) or contains((p.room or ""):lower(), q) end), 2)
  end,

  view = function(self)
    local results = self:results()
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Name or room", max = 30, on_change = function(s) self.query = s end },
      text { #results .. " found", id = "found", size = "small" },
      list { id = "results", items = results, row = plant_row,
        on_item_click = function(_, p) self:start("Plant", { id = p.id }) end },
    }
  end,
}

activity "Week" {
  view = function(self)
    local days = {}
    for d = 0, 6 do
      local names = {}
      for _, p in ipairs(sorted(active(), 2)) do
        local due = due_day(p)
        if due == today() + d or (d == 0 and due < today()) then table.insert(names, p.name) end
      end
      table.insert(days, { label = d == 0 and "Today" or d == 1 and "Tomorrow" or date((today() + d) * 86400000, "%Y-%m-%d"),
        names = #names > 0 and table.concat(names, ", ") or "–" })
    end
    return column {
      toolbar { "Week ahead", up = true },
      list { id = "days", items = days,
        row = function(d) return column { id = "day_row", text { d.label, id = "day" }, text { d.names, id = "names", size = "small" } } end },
    }
  end,
}

activity "Journal" {
  create = function(self, intent, saved) self.kind = saved and saved.kind or 1 end,
  save = function(self, out) out.kind = self.kind end,

  view = function(self)
    local kinds = { "Everything", "Watered", "Note" }
    local entries = filter(storage.journal, function(e) return self.kind == 1 or e.kind == kinds[self.kind] end)
    return column {
      toolbar { "Journal", up = true, subtitle = #entries .. (#entries == 1 and " entry" or " entries") },
      spinner { id = "kind", items = kinds, selected = self.kind, on_change = function(i) self.kind = i end },
      list { id = "entries", items = entries, empty = text { "Nothing here", id = "empty" },
        row = function(e)
          local p = plant_of(e.plant)
          return column { id = "entry_row", text { (p and p.name or "?") .. ": " .. e.kind, id = "what" },
            text { ago_text(e.day) .. (e.text ~= "" and " · " .. e.text or ""), id = "detail", size = "small" } }
        end,
        on_item_click = function(_, e) self:start("Plant", { id = e.plant }) end,
        on_item_long_click = function(_, e)
          if e.kind ~= "Note" then return toast("Only notes can be deleted") end
          self:dialog { title = "Delete note?", cancel = "Cancel", ok = "Delete", on_ok = function() forget_journal(e.id) end }
        end },
    }
  end,
}

activity "Archive" {
  archived = function(self) return filter(storage.plants, function(p) return p.archived end) end,

  restore = function(self, i, p)
    if bug("archive_position") then p = self:archived()[i] end
    p.archived = false
    toast("Restored")
  end,

  view = function(self)
    local plants = sorted(self:archived(), 2)
    return column {
      toolbar { "Archive", up = true },
      list { id = "archived", items = plants, empty = text { "The archive is empty", id = "empty" },
        row = function(p) return column { id = "archived_row", text { p.name, id = "name" } } end,
        on_item_click = function(_, p) self:start("Plant", { id = p.id }) end,
        on_item_long_click = function(i, p) self:restore(i, p) end },
      text { "Long-press to restore", id = "help", size = "small" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Vacation mode", id = "vacation", checked = prefs.vacation, on_change = function(b) prefs.vacation = b end },
      switch { "Show rooms in lists", id = "show_rooms", checked = prefs.show_rooms, on_change = function(b) prefs.show_rooms = b end },
      text { "New plants: every " .. count_text(prefs.interval, "day"), id = "usual" },
      slider { id = "usual_days", min = 1, max = 30, step = 1, value = prefs.interval, on_change = function(v) prefs.interval = math.floor(v) end },
      button { "Manage rooms", id = "rooms", on_click = function() self:start("Rooms") end },
      button { "About", id = "about", on_click = function()
        self:dialog { title = "Leafy 1.4", message = count_text(#active(), "plant"), ok = "OK" }
      end },
    }
  end,
}
