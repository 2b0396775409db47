-- Plants: which ones need water. Days are counted from a fixed day and go on with a button.
app {
  package = "org.example.plants", title = "Plants", main = "Main",
  bugs = { "due_badge", "note_lost", "wrong_delete", "room_filter_stays", "history_twice", "rotate_search", "archived_counted",
           "undo_day", "empty_room", "gone_plant" },
}

local function today() return storage.day end
local function due(p) return not p.archived and today() - p.last >= p.every end
local function by_id(id) return find(storage.plants, function(p) return p.id == id end) end

activity "Main" {
  create = function(self, intent, saved)
    if not storage.plants then
      storage.day, storage.next = 10, 4
      storage.plants = {
        { id = 1, name = "Fern", room = "Kitchen", every = 3, last = 8, note = "", log = {} },
        { id = 2, name = "Cactus", room = "Office", every = 14, last = 2, note = "no direct sun", log = {} },
        { id = 3, name = "Basil", room = "Kitchen", every = 2, last = 7, note = "", log = {} },
      }
      storage.rooms = { "Kitchen", "Office", "Balcony" }
    end
    self.search = saved and not bug("rotate_search") and saved.search or ""
    self.room = saved and saved.room or nil
    self.badge = self:count_due()
  end,
  save = function(self, out) out.search, out.room = self.search, self.room end,
  count_due = function(self)
    return #filter(storage.plants, function(p) return due(p) or (bug("archived_counted") and p.archived and today() - p.last >= p.every) end)
  end,
  resume = function(self) if not bug("due_badge") then self.badge = self:count_due() end end,
  shown = function(self)
    return filter(storage.plants, function(p)
      return not p.archived and (not self.room or p.room == self.room) and (self.search == "" or contains(p.name:lower(), self.search:lower()))
    end)
  end,
  menu = function(self)
    local rooms = each(storage.rooms, function(r) return { r, id = "room_" .. r:lower(), on_click = function() self.room = r end } end)
    table.insert(rooms, { "All rooms", id = "room_all", on_click = function() self.room = nil end })
    return { { "Room", id = "rooms", items = rooms }, { "Next day", id = "next_day", on_click = function() self:next_day() end },
             { "Archive", id = "archive", on_click = function() self:start("Archive") end },
             { "Rooms", id = "edit_rooms", on_click = function() self:start("Rooms") end } }
  end,
  next_day = function(self)
    storage.day = storage.day + 1
    self.badge = self:count_due()
    self:snackbar("A new day", "Undo", function()
      storage.day = storage.day - (bug("undo_day") and 2 or 1)
      self.badge = self:count_due()
    end)
  end,
  view = function(self)
    local items = self:shown()
    return column {
      toolbar { "Plants", subtitle = self.room or "All rooms" },
      row { text { "Day " .. today(), id = "day" }, text { "To water: " .. self.badge, id = "badge" } },
      field { id = "search", hint = "Search", text = self.search, on_change = function(s) self.search = s end },
      list { id = "plants", items = items, empty = text { "No plants", id = "none" },
        row = function(p)
          return row { text { p.name, id = "name" }, text { due(p) and "dry" or "fine", id = "state" }, text { p.room, id = "room" } }
        end,
        on_item_click = function(i, p) self:start("Plant", { id = p.id }) end,
        on_item_long_click = function(i, p)
          self:dialog { title = "Delete " .. p.name .. "?", cancel = "Cancel", ok = "Delete", on_ok = function()
            if bug("wrong_delete") then table.remove(storage.plants, i) else
              local _, at = by_id(p.id)
              table.remove(storage.plants, at)
            end
            self.badge = self:count_due()
          end }
        end },
      fab { id = "add", desc = "New plant", on_click = function() self:start("Edit", {}) end },
    }
  end,
}

activity "Plant" {
  view = function(self)
    local p = by_id(self.intent.id)
    if not p and not bug("gone_plant") then return column { toolbar { "Gone", up = true } } end
    return column {
      toolbar { p.name, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = p.id }) end } } },
      text { "Every " .. p.every .. " days", id = "every" },
      text { "Last on day " .. p.last, id = "last" },
      text { p.note == "" and "No note" or p.note, id = "note" },
      text { "Watered " .. #p.log .. " times", id = "times" },
      button { "Water", id = "water", on_click = function()
        p.last = today()
        table.insert(p.log, today())
        if bug("history_twice") and #p.log > 2 then table.insert(p.log, today()) end
      end },
      button { "Archive", id = "put_away", on_click = function() p.archived = true self:finish() end },
      list { id = "log", items = p.log, row = function(d) return text { "Day " .. d, id = "log_row" } end },
    }
  end,
}

activity "Edit" {
  create = function(self, intent)
    local p = intent.id and by_id(intent.id)
    self.room = p and p.room or storage.rooms[1]
  end,
  view = function(self)
    local p = self.intent.id and by_id(self.intent.id)
    return scroll { column {
      toolbar { p and "Edit plant" or "New plant", up = true },
      field { id = "name", hint = "Name", text = p and p.name or "" },
      field { id = "every", hint = "Days", input = "number", text = p and tostring(p.every) or "7" },
      field { id = "note", hint = "Note", text = p and p.note or "" },
      spinner { id = "room", items = storage.rooms, selected = index_of(storage.rooms, self.room) or 1, on_change = function(_, t) self.room = t end },
      button { "Save", id = "save", on_click = function()
        local name, every = trim(self:text("name")), tonumber(self:text("every")) or 0
        if name == "" or every < 1 then return toast("Name and days, please") end
        local target = p
        if not target then
          target = { id = storage.next, last = today(), log = {} }
          storage.next = storage.next + 1
          table.insert(storage.plants, target)
        end
        target.name, target.every, target.room = name, math.floor(every), self.room
        if not (bug("note_lost") and p) then target.note = self:text("note") else target.note = "" end
        self:finish()
      end },
    } }
  end,
}

activity "Archive" {
  view = function(self)
    local old = filter(storage.plants, function(p) return p.archived end)
    return column {
      toolbar { "Archive", up = true },
      text { #old .. " put away", id = "count" },
      list { id = "old", items = old, empty = text { "Nothing here", id = "nothing" },
        row = function(p) return text { p.name, id = "old_name" } end,
        on_item_click = function(_, p) p.archived = nil toast("Back again") end },
    }
  end,
}

activity "Rooms" {
  view = function(self)
    return column {
      toolbar { "Rooms", up = true },
      field { id = "new_room", hint = "New room" },
      button { "Add", id = "add_room", on_click = function()
        local r = trim(self:text("new_room"))
        if r ~= "" and not index_of(storage.rooms, r) then table.insert(storage.rooms, r) self:set_text("new_room", "") end
      end },
      list { id = "rooms", items = storage.rooms,
        row = function(r)
          local n = #filter(storage.plants, function(p) return p.room == r and not p.archived end)
          return row { text { r, id = "room_name" }, text { tostring(n), id = "room_count" } }
        end,
        on_item_long_click = function(i, r)
          if find(storage.plants, function(p) return p.room == r end) and not bug("empty_room") then return toast("Not empty") end
          table.remove(storage.rooms, i)
          if #storage.rooms == 0 then throw("java.lang.IllegalStateException", "no room left") end
        end,
        on_item_click = function(_, r) self:start("Room", { room = r }) end },
    }
  end,
}

local last_room
activity "Room" {
  view = function(self)
    local shown = bug("room_filter_stays") and last_room or self.intent.room
    local here = filter(storage.plants, function(p) return p.room == shown and not p.archived end)
    return column {
      toolbar { self.intent.room, up = true },
      switch { "Show here first", id = "pin", checked = last_room == self.intent.room, on_change = function(on) last_room = on and self.intent.room or nil end },
      list { id = "here", items = here, empty = text { "Empty", id = "nobody" }, row = function(p) return text { p.name, id = "here_name" } end,
        on_item_click = function(_, p) self:start("Plant", { id = p.id }) end },
    }
  end,
}
