-- Depot: vans in the order of their names, each with a keeper and a distance that is shown in kilometres or miles.
-- Each bug is of the kind that shows only under a setting, after a search was closed, by the arrow at the top, or where something was chosen.
app { package = "org.norn.depot", title = "Depot", main = "Main",
  bugs = { "miles_saved", "search_closed", "up_silent", "keeper_by_place" },
  application = function()
    if storage.vans then return end
    storage.vans = { { id = 1, name = "Badger", km = 900, keeper = 0 }, { id = 2, name = "Ferret", km = 420, keeper = 0 },
      { id = 3, name = "Heron", km = 150, keeper = 0 }, { id = 4, name = "Magpie", km = 780, keeper = 0 } }
    storage.next, prefs.miles = 5, false
  end }

local KEEPERS = { "Ulrich", "Agnes", "Milan", "Tessa", "Boris" }
local function by_id(id) return find(storage.vans, function(v) return v.id == id end) end
local function shown(km) return prefs.miles and (km * 5 + 4) // 8 or km end
local function sort() table.sort(storage.vans, function(a, b) return a.name:lower() < b.name:lower() end) end

activity "Main" {
  create = function(self, intent, saved) self.query, self.open = saved and saved.query or "", saved and saved.open or false end,
  save = function(self, out) out.query, out.open = self.query, self.open end,
  back = function(self)
    if not self.open then return false end
    self.open = false
    if not bug("search_closed") then self.query = "" end
    return true
  end,
  menu = function(self) return { { "Settings", id = "settings", on_click = function() self:start("Settings") end } } end,
  view = function(self)
    local vans = filter(storage.vans, function(v) return contains(v.name:lower(), self.query:lower()) end)
    return column {
      toolbar { "Depot", actions = { { "Search", id = "search", on_click = function() self.open, self.query = true, "" end } } },
      self.open and field { id = "query", hint = "Search", text = self.query, on_change = function(s) self.query = s end } or nil,
      list { id = "vans", items = vans, empty = text { "No vans", id = "empty" },
        row = function(v) return row { text { v.name, id = "name", weight = 1 }, text { shown(v.km) .. (prefs.miles and " mi" or " km"), id = "far" } } end,
        on_item_click = function(_, v) self:start("Van", { id = v.id }) end },
      fab { id = "add", desc = "New van", on_click = function() self:start("Van") end },
    }
  end,
}

activity "Van" {
  create = function(self, intent, saved) self.keeper = saved and saved.keeper or intent.id and by_id(intent.id).keeper or 0 end,
  save = function(self, out) out.keeper = self.keeper end,
  changed = function(self)
    local van = self.intent.id and by_id(self.intent.id)
    return self:text("van_name") ~= (van and van.name or "") or self.keeper ~= (van and van.keeper or 0)
  end,
  leave = function(self)
    if not self:changed() then return self:finish() end
    self:dialog { title = "Discard changes?", ok = "Discard", cancel = "Cancel", on_ok = function() self:finish() end }
  end,
  back = function(self) self:leave() return true end,
  ask_keeper = function(self)
    local names = copy(KEEPERS)
    table.sort(names)
    self:dialog { title = "Keeper", items = names,
      on_item = function(i) self.keeper = bug("keeper_by_place") and i or index_of(KEEPERS, names[i]) end }
  end,
  store = function(self)
    local name, far = trim(self:text("van_name")), math.tointeger(tonumber(self:text("far_field"))) or 0
    if name == "" then return toast("A name, please") end
    local van = self.intent.id and by_id(self.intent.id)
    local new = not van
    if new then
      van = { id = storage.next, km = 0 }
      storage.next = storage.next + 1
      table.insert(storage.vans, van)
    end
    van.name, van.keeper = name, self.keeper
    if bug("miles_saved") or not prefs.miles then van.km = far elseif far ~= shown(van.km) then van.km = (far * 16 + 5) // 10 end
    sort()
    self:finish()
  end,
  view = function(self)
    local van = self.intent.id and by_id(self.intent.id)
    return column {
      toolbar { van and "Van" or "New van", up = function() if bug("up_silent") then self:finish() else self:leave() end end,
        actions = { { "Save", id = "save_van", on_click = function() self:store() end } } },
      field { id = "van_name", hint = "Name", text = van and van.name or "" },
      field { id = "far_field", hint = prefs.miles and "Miles" or "Kilometres", input = "number", max = 5, text = van and tostring(shown(van.km)) or "0" },
      button { self.keeper == 0 and "Choose a keeper" or "Kept by " .. KEEPERS[self.keeper], id = "keeper", on_click = function() self:ask_keeper() end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column { toolbar { "Settings", up = true },
      switch { "Miles", id = "miles", checked = prefs.miles, on_change = function(b) prefs.miles = b end } }
  end,
}
