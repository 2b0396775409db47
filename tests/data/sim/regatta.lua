-- Regatta: boats with a form and a bin, a search page, things to do that are ticked and moved, and races that are set up in three steps.
-- Each bug shows only after something that walks seldom do: two neighbours ticked, a name that belongs in the middle, a step back.
app { package = "org.norn.regatta", title = "Regatta", main = "Main",
  bugs = { "late_name", "note_emptied", "edit_adds", "class_at_once", "still_away", "clear_keeps", "clear_skips", "tick_stays", "crew_forgotten" },
  application = function()
    if storage.boats then return end
    storage.boats = {
      { id = 1, name = "Swift", sail = 41, note = "New mast", class = 1 }, { id = 2, name = "Curlew", sail = 17, note = "", class = 2 },
      { id = 3, name = "Petrel", sail = 96, note = "Leaks", class = 1 }, { id = 4, name = "Gannet", sail = 63, note = "", class = 3 } }
    storage.away, storage.races, storage.next_id, storage.by_name = {}, {}, 10, false
    storage.jobs = { { name = "Ropes", done = true }, { name = "Varnish" }, { name = "Flags" }, { name = "Buoys" } }
  end }

local CLASSES = { "Dinghy", "Yawl", "Cutter" }
local function boat_of(id) return find(storage.boats, function(b) return b.id == id end) end
local function sort_by_name() table.sort(storage.boats, function(a, b) return a.name:lower() < b.name:lower() end) end

activity "Main" {
  shown = function(self)
    if not storage.by_name or bug("late_name") then return storage.boats end
    local boats = copy(storage.boats)
    table.sort(boats, function(a, b) return a.name:lower() < b.name:lower() end)
    return boats
  end,
  menu = function(self)
    return {
      { "Sort", id = "sort", on_click = function()
        self:dialog { title = "Sort by", items = { "Sail", "Name" }, checked = storage.by_name and 2 or 1, on_item = function(i)
          storage.by_name = i == 2
          if not bug("late_name") then return end
          if i == 2 then sort_by_name() else table.sort(storage.boats, function(a, b) return a.id < b.id end) end
        end }
      end },
      { "Ashore", id = "ashore", on_click = function() self:start("Ashore") end },
      { "Find", id = "find", on_click = function() self:start("Find") end },
      { "To do", id = "jobs", on_click = function() self:start("Jobs") end },
      { "New race", id = "race", on_click = function() self:start("Race") end },
    }
  end,
  ask_ashore = function(self, boat)
    self:dialog { title = boat.name, items = { "Take ashore" }, on_item = function()
      table.insert(storage.away, boat)
      storage.boats = filter(storage.boats, function(b) return b.id ~= boat.id end)
    end }
  end,
  view = function(self)
    return column { toolbar { "Regatta" },
      list { id = "boats", items = self:shown(),
        row = function(b) return row { id = "boat", text { b.name, id = "name", weight = 1 }, text { CLASSES[b.class], id = "class" } } end,
        on_item_click = function(_, b) self:start("Boat", { id = b.id }) end,
        on_item_long_click = function(_, b) self:ask_ashore(b) end },
      fab { id = "add", desc = "New boat", on_click = function() self:start("Boat") end } }
  end,
}

activity "Boat" {
  create = function(self, intent, saved)
    local boat = boat_of(intent.id)
    self.class, self.sail = saved and saved.class or boat and boat.class or 1, saved and saved.sail or boat and boat.sail or 50
  end,
  save = function(self, out) out.class, out.sail = self.class, self.sail end,
  store = function(self)
    local boat, name, note = boat_of(self.intent.id), trim(self:text("boat_name")), trim(self:text("note"))
    if name == "" then return toast("A boat needs a name") end
    if boat and bug("note_emptied") and note == boat.note and self.sail ~= boat.sail then note = "" end
    if boat and bug("edit_adds") and name ~= boat.name then boat = nil end
    if not boat then
      storage.next_id = storage.next_id + 1
      boat = { id = storage.next_id }
      table.insert(storage.boats, boat)
    end
    boat.name, boat.note, boat.class, boat.sail = name, note, self.class, self.sail
    self:finish()
  end,
  view = function(self)
    local boat = boat_of(self.intent.id)
    return column { toolbar { boat and "Boat" or "New boat", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "boat_name", hint = "Name", text = boat and boat.name or "" },
      field { id = "note", hint = "Note", text = boat and boat.note or "" },
      spinner { id = "classes", items = CLASSES, selected = self.class, on_change = function(i)
        self.class = i
        if boat and bug("class_at_once") then boat.class = i end
      end },
      row { text { "Sail " .. self.sail, id = "sail" }, button { "Next sail", id = "next_sail", on_click = function() self.sail = self.sail + 1 end } } }
  end,
}

-- Boats that were taken ashore; with the bug they stay listed here when they are afloat again.
activity "Ashore" {
  view = function(self)
    return column { toolbar { "Ashore", up = true },
      list { id = "away", items = storage.away, empty = text { "All are afloat", id = "empty" }, row = function(b)
        return row { text { b.name, id = "name", weight = 1 }, button { "Launch", id = "launch", on_click = function()
          if not boat_of(b.id) then table.insert(storage.boats, b) end
          if not bug("still_away") then storage.away = filter(storage.away, function(x) return x.id ~= b.id end) end
        end } }
      end } }
  end,
}

activity "Find" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  view = function(self)
    local query = trim(self.query):lower()
    return column { toolbar { "Find", up = true },
      row { field { id = "query", hint = "Name", weight = 1, on_change = function(s) self.query = s end },
        button { "Clear", id = "clear", on_click = function()
          self:set_text("query", "")
          if not bug("clear_keeps") then self.query = "" end
        end } },
      list { id = "found", items = filter(storage.boats, function(b) return contains(b.name:lower(), query) end),
        empty = text { "No such boat", id = "empty" }, row = function(b) return text { b.name, id = "name" } end } }
  end,
}

activity "Jobs" {
  up = function(self, i)
    if i == 1 then return end
    local a, b = storage.jobs[i - 1], storage.jobs[i]
    storage.jobs[i - 1], storage.jobs[i] = b, a
    if bug("tick_stays") then a.done, b.done = b.done, a.done end
  end,
  clear = function(self)
    if not bug("clear_skips") then
      storage.jobs = filter(storage.jobs, function(j) return not j.done end)
      return
    end
    local i = 1
    for _ = 1, #storage.jobs do
      if storage.jobs[i] and storage.jobs[i].done then table.remove(storage.jobs, i) end
      i = i + 1
    end
  end,
  view = function(self)
    return column { toolbar { "To do", up = true, actions = { { "Remove done", id = "clear", on_click = function() self:clear() end } } },
      list { id = "jobs", items = storage.jobs, empty = text { "Nothing to do", id = "empty" }, row = function(j, i)
        return row { id = "job", check { id = "done", desc = "Done", checked = j.done or false, on_change = function(on) j.done = on or nil end },
          text { j.name, id = "name", weight = 1 }, button { "Up", id = "up", on_click = function() self:up(i) end } }
      end } }
  end,
}

-- A race: its name, then who starts, then the course. Going back one step keeps what was chosen.
activity "Race" {
  create = function(self, intent, saved)
    saved = saved or { step = 1, crew = {}, laps = 3 }
    self.step, self.crew, self.laps = saved.step, saved.crew, saved.laps
  end,
  save = function(self, out) out.step, out.crew, out.laps = self.step, self.crew, self.laps end,
  back = function(self)
    if self.step == 1 then return false end
    if bug("crew_forgotten") and self.step == 3 then self.crew = {} end
    self.step = self.step - 1
    return true
  end,
  next = function(self)
    if self.step == 2 and #self.crew < 2 then return toast("Two boats at least") end
    if self.step == 3 then return self:finish() end
    self.step = self.step + 1
  end,
  view = function(self)
    local body
    if self.step == 1 then
      body = column { text { "Which wind?", id = "wind" }, check { "Light winds only", id = "light" } }
    elseif self.step == 2 then
      body = list { id = "starters", items = storage.boats, row = function(b)
        return check { b.name, id = "starter", checked = index_of(self.crew, b.id) ~= nil, on_change = function(on)
          self.crew = filter(self.crew, function(id) return id ~= b.id end)
          if on then table.insert(self.crew, b.id) end
        end }
      end }
    else
      body = column { text { "Laps: " .. self.laps, id = "laps" }, button { "One more", id = "more", on_click = function() self.laps = self.laps + 1 end } }
    end
    return column { toolbar { "New race", up = true }, body, button { self.step < 3 and "Next" or "Start", id = "next", on_click = function() self:next() end } }
  end,
}
