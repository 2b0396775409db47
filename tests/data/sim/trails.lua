-- Trails for walks: how long they are, when one sets out, at which pace. Each bug breaks what people expect of any list or form: numbers are sorted as texts, what goes to the top
-- changes places with the first, the pace of one trail is that of all, noon is 0 PM, saving a new note clears the place,
-- who comes back from a trail finds another day, a deletion that is undone forgets the note, and a steep trail is stored as such before it is saved.
app { package = "org.norn.trails", title = "Trails", main = "Main",
  bugs = { "as_text", "top_swaps", "one_pace", "no_noon", "place_cleared", "day_forgotten", "undone_in_part", "steep_at_once" } }

local DAYS = { "Monday", "Tuesday", "Wednesday" }
local PACES = { "Slow", "Steady", "Fast" }

local function by_id(id) return find(storage.trails, function(t) return t.id == id end) end
local function is_taken(name, but) return find(storage.trails, function(t) return t ~= but and t.name == name end) ~= nil end
local function clock(hour)
  local h = hour % 12
  if h == 0 and not (bug("no_noon") and hour == 12) then h = 12 end
  return h .. ":00 " .. (hour < 12 and "AM" or "PM")
end

activity "Main" {
  create = function(self, intent, saved)
    storage.trails = storage.trails or { { id = 1, name = "Lake", km = 8, place = "North", note = "Boots", hour = 9, pace = 1 },
      { id = 2, name = "Ridge", km = 21, place = "East", note = "Map", hour = 7, pace = 1 }, { id = 3, name = "Mill", km = 104, place = "South", note = "Tent", hour = 11, pace = 2 },
      { id = 4, name = "Gorge", km = 13, place = "West", note = "Rope", hour = 10, pace = 1 }, { id = 5, name = "Abbey", km = 5, place = "Town", note = "Coins", hour = 14, pace = 1 } }
    storage.next = storage.next or 6
    self.day, self.by_length = saved and saved.day or 1, saved and saved.by_length or false
  end,
  save = function(self, out) out.day, out.by_length = self.day, self.by_length end,
  resume = function(self)
    if bug("day_forgotten") and self.left then self.day, self.left = 1, false end
  end,
  shown = function(self)
    local out = filter(storage.trails, function() return true end)
    if not self.by_length then return out end
    table.sort(out, function(a, b)
      if bug("as_text") then return tostring(a.km) < tostring(b.km) or (a.km == b.km and a.id < b.id) end
      return a.km < b.km or (a.km == b.km and a.id < b.id)
    end)
    return out
  end,
  move = function(self, t, to)
    local at = index_of(storage.trails, t)
    if to < 1 then return end
    if to == 1 and bug("top_swaps") then
      storage.trails[at], storage.trails[1] = storage.trails[1], t
    else
      table.remove(storage.trails, at)
      table.insert(storage.trails, to, t)
    end
  end,
  delete = function(self, t)
    local at = index_of(storage.trails, t)
    table.remove(storage.trails, at)
    self:snackbar("Deleted", "Undo", function()
      if bug("undone_in_part") then t.note = "" end
      table.insert(storage.trails, math.min(at, #storage.trails + 1), t)
    end)
  end,
  rename = function(self, t)
    self:dialog { title = "Rename", view = function() return column { field { id = "new_name", hint = "Name", text = t.name } } end, cancel = "Cancel", ok = "OK", on_ok = function()
      local name = trim(self:text("new_name"))
      if name == "" or is_taken(name, t) then toast("That name is taken") return true end
      t.name = name
    end }
  end,
  open = function(self, what, with) self.left = true self:start(what, with) end,
  menu = function(self)
    return { { "As entered", id = "as_entered", on_click = function() self.by_length = false end }, { "By length", id = "by_length", on_click = function() self.by_length = true end } }
  end,
  view = function(self)
    return column {
      toolbar { "Trails" },
      row { button { "Earlier", id = "earlier", enabled = self.day > 1, on_click = function() self.day = self.day - 1 end }, text { DAYS[self.day], id = "day", weight = 1 },
        button { "Later", id = "later", enabled = self.day < #DAYS, on_click = function() self.day = self.day + 1 end } },
      list { id = "trails", items = self:shown(), empty = text { "No trails", id = "none" },
        row = function(t) return row { text { t.name, id = "name", weight = 1 }, text { t.km .. " km", id = "km" } } end,
        on_item_click = function(_, t) self:open("Trail", { id = t.id }) end,
        on_item_long_click = function(_, t)
          self:popup { { "Rename", id = "rename", on_click = function() self:rename(t) end },
            { "Up", id = "up", enabled = not self.by_length, on_click = function() self:move(t, index_of(storage.trails, t) - 1) end },
            { "To the top", id = "top", enabled = not self.by_length, on_click = function() self:move(t, 1) end },
            { "Delete", id = "delete", on_click = function() self:delete(t) end } }
        end },
      fab { id = "add", desc = "New trail", on_click = function() self:open("Edit") end },
    }
  end,
}

activity "Trail" {
  create = function(self, intent) self.t = by_id(intent.id) end,
  later = function(self, hours) self.t.hour = math.max(6, math.min(18, self.t.hour + hours)) end,
  view = function(self)
    local t = self.t
    return column {
      toolbar { t.name, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = t.id }) end } } },
      text { t.place .. ": " .. t.note .. (t.steep and ", steep" or ""), id = "about" },
      row { button { "Sooner", id = "sooner", on_click = function() self:later(-1) end }, text { "Set out at " .. clock(t.hour), id = "hour", weight = 1 },
        button { "Later", id = "later", on_click = function() self:later(1) end } },
      spinner { id = "pace", items = PACES, selected = t.pace, on_change = function(i)
        t.pace = i
        if bug("one_pace") then each(storage.trails, function(other) other.pace = i end) end
      end },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    self.t = intent.id and by_id(intent.id)
    self.steep = self.t and self.t.steep or false
    if saved then self.steep = saved.steep end
  end,
  save = function(self, out) out.steep = self.steep end,
  store = function(self)
    local name, km = trim(self:text("name_field")), math.tointeger(tonumber(self:text("km_field")))
    if name == "" or not km then return toast("A name and whole kilometres, please") end
    if is_taken(name, self.t) then return toast("That name is taken") end
    local t = self.t
    if not t then
      t = { id = storage.next, hour = 9, pace = 1 }
      storage.next = storage.next + 1
      table.insert(storage.trails, t)
    end
    local note = trim(self:text("note_field"))
    t.place = bug("place_cleared") and t.note ~= nil and t.note ~= note and "" or trim(self:text("place_field"))
    t.name, t.km, t.note, t.steep = name, km, note, self.steep
    self:hide_keyboard() self:finish()
  end,
  view = function(self)
    local t = self.t
    return column {
      toolbar { t and "Change" or "New trail", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name_field", hint = "Name", text = t and t.name or "" },
      field { id = "km_field", hint = "Kilometres", input = "number", text = t and tostring(t.km) or "" },
      field { id = "place_field", hint = "Place", text = t and t.place or "" },
      field { id = "note_field", hint = "Note", text = t and t.note or "" },
      check { "Steep", id = "steep", checked = self.steep, on_change = function(on)
        self.steep = on
        if t and bug("steep_at_once") then t.steep = on end
      end },
    }
  end,
}
