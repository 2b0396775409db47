-- Sky Log: a catalogue of deep-sky objects in pages, a plan for tonight, and a log book of what was seen.

local DAY = 24 * 60 * 60 * 1000
local TYPES = { "Galaxy", "Nebula", "Open cluster", "Globular cluster" }
local SORTS = { "Name", "Brightness", "Constellation" }
local SEEING = { "Poor", "Fair", "Excellent" }
local SIZES = { 5, 8, 10 }
local LIMITS = { 12, 9, 8, 6 }                     -- the faintest magnitude to be shown; 12: everything

local OBJECTS = {
  { name = "Andromeda Galaxy", type = 1, where = "Andromeda", mag = 3.4 }, { name = "Beehive", type = 3, where = "Cancer", mag = 3.7 },
  { name = "Black Eye Galaxy", type = 1, where = "Coma", mag = 8.5 }, { name = "Bode's Galaxy", type = 1, where = "Great Bear", mag = 6.9 },
  { name = "Cigar Galaxy", type = 1, where = "Great Bear", mag = 8.4 }, { name = "Crab Nebula", type = 2, where = "Taurus", mag = 8.4 },
  { name = "Double Cluster", type = 3, where = "Perseus", mag = 4.3 }, { name = "Dumbbell Nebula", type = 2, where = "Fox", mag = 7.5 },
  { name = "Eagle Nebula", type = 2, where = "Serpent", mag = 6.0 }, { name = "Great Cluster", type = 4, where = "Hercules", mag = 5.8 },
  { name = "Lagoon Nebula", type = 2, where = "Archer", mag = 6.1 }, { name = "Messier 15", type = 4, where = "Pegasus", mag = 6.2 },
  { name = "Messier 3", type = 4, where = "Hunting Dogs", mag = 6.2 }, { name = "Orion Nebula", type = 2, where = "Orion", mag = 4.0 },
  { name = "Pleiades", type = 3, where = "Taurus", mag = 1.6 }, { name = "Ring Nebula", type = 2, where = "Lyre", mag = 8.8 },
  { name = "Sombrero Galaxy", type = 1, where = "Virgin", mag = 8.0 }, { name = "Starfish Cluster", type = 3, where = "Charioteer", mag = 7.4 },
  { name = "Whirlpool Galaxy", type = 1, where = "Hunting Dogs", mag = 8.4 }, { name = "Wild Duck", type = 3, where = "Shield", mag = 6.3 },
}

app {
  package = "org.skylog.app",
  title = "Sky Log",
  main = "Catalogue",
  bugs = { "page_stays", "last_page", "seen_stays", "tick_stays", "selection_kept", "rating_reset", "last_type_only", "limit_excludes" },
  application = function()
    if storage.logs then return end
    local today = now() // DAY
    storage.logs = {
      { id = 1, object = "Orion Nebula", night = today - 4, rating = 5, seeing = 3, note = "Green glow, four stars in the middle" },
      { id = 2, object = "Pleiades", night = today - 4, rating = 4, seeing = 3, note = "" },
      { id = 3, object = "Crab Nebula", night = today - 20, rating = 1, seeing = 1, note = "Hardly anything" },
    }
    storage.seen = { ["Orion Nebula"] = true, ["Pleiades"] = true, ["Crab Nebula"] = true }
    storage.plan = { { object = "Beehive", done = true }, { object = "Bode's Galaxy", done = false }, { object = "Double Cluster", done = false } }
    storage.favourites = { ["Pleiades"] = true }
    storage.next_id = 10
    prefs.size, prefs.sort, prefs.limit = 2, 1, 1
  end,
}

local function object_by_name(name) return find(OBJECTS, function(o) return o.name == name end) end
local function log_by_id(id) return id and find(storage.logs, function(l) return l.id == id end) end
local function planned(name) return find(storage.plan, function(p) return p.object == name end) end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function night_text(night) return date(night * DAY, "%Y-%m-%d") end
local function stars(rating) return string.rep("★", rating) .. string.rep("☆", 5 - rating) end

local function logs_of(name) return filter(storage.logs, function(l) return l.object == name end) end

local function seen(name)
  if bug("seen_stays") then return storage.seen[name] or false end
  return #logs_of(name) > 0
end

local function remove_logs(ids)
  storage.logs = filter(storage.logs, function(l) return not ids[l.id] end)
end

local function toggle_plan(name)
  local _, at = planned(name)
  if at then
    table.remove(storage.plan, at)
    toast("Not in the plan any more")
  else
    table.insert(storage.plan, { object = name, done = false })
    toast("In tonight's plan")
  end
end

local function bright_enough(object)
  if prefs.limit == 1 then return true end
  if bug("limit_excludes") then return object.mag < LIMITS[prefs.limit] end
  return object.mag <= LIMITS[prefs.limit]
end

local function places(self, here)
  local function go(name)
    return function() if name ~= here then self:start(name) end end
  end
  return drawer { id = "places", header = "Sky Log", items = {
    { "Catalogue", id = "go_catalogue", on_click = go("Catalogue") }, { "Tonight's plan", id = "go_plan", on_click = go("Plan") },
    { "Log book", id = "go_logs", on_click = go("LogBook") }, { "Statistics", id = "go_statistics", on_click = go("Statistics") },
    { "Settings", id = "go_settings", on_click = go("Settings") } } }
end

local function gone(title) return column { toolbar { title, up = true }, text { "There is no such thing", id = "gone" } } end

-- ---- the catalogue ----

activity "Catalogue" {
  single_top = true,
  create = function(self, intent, saved)
    saved = saved or { page = 1, query = "", types = {}, favourites = false }
    self.page, self.query, self.types, self.favourites = saved.page, saved.query, saved.types, saved.favourites
  end,
  save = function(self, out) out.page, out.query, out.types, out.favourites = self.page, self.query, self.types, self.favourites end,

  fits = function(self, object)
    if not bright_enough(object) then return false end
    if self.favourites and not storage.favourites[object.name] then return false end
    if not contains(object.name:lower(), trim(self.query):lower()) then return false end
    if #self.types == 0 then return true end
    if bug("last_type_only") then return object.type == self.types[#self.types] end
    return index_of(self.types, object.type) ~= nil
  end,

  found = function(self)
    local list = filter(OBJECTS, function(o) return self:fits(o) end)
    if prefs.sort == 2 then table.sort(list, function(a, b) return a.mag < b.mag end) end
    if prefs.sort == 3 then table.sort(list, function(a, b) return a.where < b.where end) end
    return list
  end,

  pages = function(self, n)
    local size = SIZES[prefs.size]
    if bug("last_page") then return math.max(1, n // size) end
    return math.max(1, (n + size - 1) // size)
  end,

  narrowed = function(self) if not bug("page_stays") then self.page = 1 end end,

  ask_types = function(self)
    local chosen = copy(self.types)
    self:dialog { title = "Which types?", ok = "Show", cancel = "Cancel",
      view = function()
        return column { each(TYPES, function(name, i)
          return check { name, id = "type_check", checked = index_of(chosen, i) ~= nil, on_change = function(on)
            chosen = filter(chosen, function(x) return x ~= i end)
            if on then table.insert(chosen, i) end
          end }
        end) }
      end,
      on_ok = function()
        table.sort(chosen)
        local before = table.concat(self.types, ",")
        self.types = chosen
        if table.concat(chosen, ",") ~= before then self:narrowed() end
      end }
  end,

  ask_sort = function(self)
    self:dialog { title = "Sort by", items = SORTS, checked = prefs.sort, on_item = function(i)
      prefs.sort = i
      self.page = 1
    end }
  end,

  menu = function(self)
    return {
      { "Sort by", id = "sort", on_click = function() self:ask_sort() end },
      { "Favourites only", id = "favourites", checked = self.favourites, on_click = function()
        self.favourites = not self.favourites
        self.page = 1
      end },
    }
  end,

  view = function(self)
    local found = self:found()
    local size, pages = SIZES[prefs.size], self:pages(#found)
    local page = bug("page_stays") and self.page or math.min(self.page, pages)
    local shown = {}
    for i = (page - 1) * size + 1, math.min(page * size, #found) do table.insert(shown, found[i]) end
    return column {
      places(self, "Catalogue"),
      toolbar { "Catalogue", subtitle = plural(#found, "object"), actions = { { "Types", id = "types", on_click = function() self:ask_types() end } } },
      field { id = "query", hint = "Search", text = self.query, max = 30, on_change = function(s)
        self.query = s
        self.page = 1
      end },
      #self.types > 0 and row { text { table.concat(each(self.types, function(i) return TYPES[i] end), ", "), id = "chosen_types", weight = 1 },
        image_button { id = "all_types", desc = "All types", on_click = function()
          self.types = {}
          self.page = 1
        end } },
      list { id = "objects", items = shown, empty = text { "Nothing to see here", id = "empty" },
        row = function(o)
          return column { text { o.name .. (storage.favourites[o.name] and " ♥" or ""), id = "object" },
            text { TYPES[o.type] .. " in " .. o.where .. ", " .. format("%.1f", o.mag) .. " mag" .. (seen(o.name) and ", seen" or ""), id = "facts", size = "small" } }
        end,
        on_item_click = function(_, o) self:start("Object", { name = o.name }) end,
        on_item_long_click = function(_, o) toggle_plan(o.name) end },
      row {
        button { "Previous", id = "previous", enabled = page > 1, on_click = function() self.page = page - 1 end },
        text { "Page " .. page .. " of " .. pages, id = "page", weight = 1 },
        button { "Next", id = "next", enabled = page < pages, on_click = function() self.page = page + 1 end },
      },
    }
  end,
}

activity "Object" {
  view = function(self)
    local o = object_by_name(self.intent.name)
    if not o then return gone("Object") end
    local logs = logs_of(o.name)
    return column {
      toolbar { o.name, up = true, actions = { { storage.favourites[o.name] and "No favourite" or "Favourite", id = "favourite", on_click = function()
        storage.favourites[o.name] = not storage.favourites[o.name] or nil
      end } } },
      text { TYPES[o.type] .. " in " .. o.where, id = "kind" },
      text { "Magnitude " .. format("%.1f", o.mag), id = "magnitude" },
      text { seen(o.name) and "Seen" or "Not seen yet", id = "seen" },
      row {
        button { planned(o.name) and "Take from plan" or "Add to plan", id = "plan", on_click = function() toggle_plan(o.name) end },
        button { "Log it", id = "log_it", on_click = function() self:start("LogForm", { object = o.name }) end },
      },
      list { id = "entries", items = logs, empty = text { "No entry in the log book", id = "empty" },
        row = function(l) return text { night_text(l.night) .. " " .. stars(l.rating), id = "entry" } end,
        on_item_click = function(_, l) self:start("Entry", { id = l.id }) end },
    }
  end,
}

-- ---- the plan ----

activity "Plan" {
  single_top = true,
  move_down = function(self, i)
    local a, b = storage.plan[i], storage.plan[i + 1]
    if not a or not b then return end
    a.object, b.object = b.object, a.object
    if not bug("tick_stays") then a.done, b.done = b.done, a.done end
  end,
  clear_done = function(self)
    local before = storage.plan
    storage.plan = filter(before, function(p) return not p.done end)
    local n = #before - #storage.plan
    if n == 0 then return toast("Nothing is done yet") end
    local function names() return table.concat(each(storage.plan, function(p) return p.object end), "|") end
    local rest = names()
    self:snackbar(plural(n, "object") .. " cleared", "Undo", function()
      if names() == rest then storage.plan = before end
    end)
  end,
  view = function(self)
    local done = #filter(storage.plan, function(p) return p.done end)
    return column {
      places(self, "Plan"),
      toolbar { "Tonight's plan", subtitle = done .. " of " .. #storage.plan .. " done",
        actions = { { "Clear done", id = "clear_done", on_click = function() self:clear_done() end } } },
      list { id = "planned", items = storage.plan, empty = text { "No plan for tonight", id = "empty" },
        row = function(p, i)
          return row { check { p.object, id = "done", weight = 1, checked = p.done, on_change = function(on) p.done = on end },
            button { "Down", id = "down", enabled = i < #storage.plan, on_click = function() self:move_down(i) end } }
        end,
        on_item_swipe = function(i, direction)
          if direction == "left" and storage.plan[i] then table.remove(storage.plan, i) end
        end },
    }
  end,
}

-- ---- the log book ----

activity "LogBook" {
  single_top = true,
  create = function(self, intent, saved)
    self.selecting, self.selected = saved and saved.selecting or false, {}
    for _, id in ipairs(saved and saved.selected or {}) do self.selected[id] = true end
  end,
  save = function(self, out) out.selecting, out.selected = self.selecting, self:selected_ids() end,

  selected_ids = function(self)
    local ids = {}
    for id in pairs(self.selected) do
      if log_by_id(id) or bug("selection_kept") then table.insert(ids, id) end
    end
    return ids
  end,

  rows = function(self)
    local logs = copy(storage.logs)
    table.sort(logs, function(a, b)
      if a.night ~= b.night then return a.night > b.night end
      return a.id < b.id
    end)
    local rows, last = {}, nil
    for _, l in ipairs(logs) do
      if l.night ~= last then table.insert(rows, { night = l.night }) end
      last = l.night
      table.insert(rows, { entry = l })
    end
    return rows
  end,

  begin = function(self, entry)
    self.selecting = true
    if entry then self.selected[entry.id] = true end
  end,
  stop_selecting = function(self) self.selecting, self.selected = false, {} end,

  touch = function(self, entry)
    if not self.selecting then return self:start("Entry", { id = entry.id }) end
    self.selected[entry.id] = not self.selected[entry.id] or nil
    if #self:selected_ids() == 0 then self:stop_selecting() end
  end,

  ask_delete = function(self)
    local ids = self.selected
    self:dialog { title = "Delete the selected entries?", cancel = "Cancel", ok = "Delete", on_ok = function()
      remove_logs(ids)
      if bug("selection_kept") then self.selecting = false else self:stop_selecting() end
    end }
  end,

  back = function(self)
    if not self.selecting then return false end
    self:stop_selecting()
    return true
  end,

  view = function(self)
    local bar = self.selecting and toolbar { #self:selected_ids() .. " selected", up = function() self:stop_selecting() end,
        actions = { { "Delete", id = "delete_selected", on_click = function() self:ask_delete() end } } }
      or toolbar { "Log book", subtitle = #storage.logs .. (#storage.logs == 1 and " entry" or " entries") }
    return column {
      not self.selecting and places(self, "LogBook"),
      bar,
      list { id = "log", items = self:rows(), empty = text { "Nothing was seen yet", id = "empty" },
        row = function(line)
          if line.night then return text { "Night of " .. night_text(line.night), id = "night", size = "small" } end
          local l = line.entry
          return row { self.selecting and check { id = "marked", desc = "Selected", checked = self.selected[l.id] or false, on_change = function() self:touch(l) end },
            text { l.object, id = "log_object", weight = 1 }, text { stars(l.rating), id = "log_rating" } }
        end,
        on_item_click = function(_, line) if line.entry then self:touch(line.entry) end end,
        on_item_long_click = function(_, line) if line.entry and not self.selecting then self:begin(line.entry) end end },
    }
  end,
}

activity "Entry" {
  ask_delete = function(self, l)
    self:dialog { title = "Delete this entry?", cancel = "Cancel", ok = "Delete", on_ok = function()
      remove_logs { [l.id] = true }
      self:finish()
    end }
  end,
  view = function(self)
    local l = log_by_id(self.intent.id)
    if not l then return gone("Entry") end
    return column {
      toolbar { l.object, up = true, actions = {
        { "Edit", id = "edit", on_click = function() self:start("LogForm", { object = l.object, id = l.id }) end },
        { "Delete", id = "delete", on_click = function() self:ask_delete(l) end } } },
      text { "Night of " .. night_text(l.night), id = "entry_night" },
      text { stars(l.rating), id = "entry_rating" },
      text { "Seeing: " .. SEEING[l.seeing], id = "entry_seeing" },
      l.note ~= "" and text { l.note, id = "entry_note" },
      button { "About the object", id = "about", on_click = function() self:start("Object", { name = l.object }) end },
    }
  end,
}

activity "LogForm" {
  create = function(self, intent, saved)
    local l = log_by_id(intent.id)
    self.rating, self.seeing = l and not bug("rating_reset") and l.rating or 3, l and l.seeing or 2
    self.night = l and l.night or now() // DAY
    if saved then self.rating, self.seeing, self.night = saved.rating, saved.seeing, saved.night end
  end,
  save = function(self, out) out.rating, out.seeing, out.night = self.rating, self.seeing, self.night end,

  store = function(self)
    local l = log_by_id(self.intent.id)
    if not l then
      storage.next_id = storage.next_id + 1
      l = { id = storage.next_id, object = self.intent.object }
      table.insert(storage.logs, l)
      storage.seen[l.object] = true
    end
    l.rating, l.seeing, l.night, l.note = self.rating, self.seeing, self.night, trim(self:text("note"))
    self:finish()
  end,

  view = function(self)
    if not object_by_name(self.intent.object) then return gone("Log it") end
    local l = log_by_id(self.intent.id)
    return column {
      toolbar { l and "Edit entry" or "New entry", up = true, subtitle = self.intent.object },
      scroll {
        row {
          button { "Earlier", id = "earlier", on_click = function() self.night = self.night - 1 end },
          text { night_text(self.night), id = "form_night", weight = 1 },
          button { "Later", id = "later", enabled = self.night < now() // DAY, on_click = function() self.night = self.night + 1 end },
        },
        row {
          button { "Less", id = "less", enabled = self.rating > 1, on_click = function() self.rating = self.rating - 1 end },
          text { stars(self.rating), id = "form_rating", weight = 1 },
          button { "More", id = "more", enabled = self.rating < 5, on_click = function() self.rating = self.rating + 1 end },
        },
        spinner { id = "seeing", items = SEEING, selected = self.seeing, on_change = function(i) self.seeing = i end },
        field { id = "note", hint = "Note", text = l and l.note or "", input = "multiline", max = 200 },
        row {
          button { "Cancel", id = "cancel", on_click = function() self:finish() end },
          button { "Save", id = "save", on_click = function() self:store() end },
        },
      },
    }
  end,
}

-- ---- the rest ----

activity "Statistics" {
  single_top = true,
  view = function(self)
    local all = #filter(OBJECTS, function(o) return seen(o.name) end)
    return column {
      places(self, "Statistics"),
      toolbar { "Statistics" },
      text { "Seen " .. all .. " of " .. #OBJECTS .. " objects", id = "all_seen" },
      each(TYPES, function(name, i)
        local these = filter(OBJECTS, function(o) return o.type == i end)
        local n = #filter(these, function(o) return seen(o.name) end)
        return column { text { name .. ": " .. n .. " of " .. #these, id = "type_seen" }, progress { value = n, max = #these } }
      end),
      text { "Entries in the log book: " .. #storage.logs, id = "all_logs" },
    }
  end,
}

activity "Settings" {
  single_top = true,
  view = function(self)
    return column {
      places(self, "Settings"),
      toolbar { "Settings" },
      text { "Objects on a page", size = "small" },
      spinner { id = "page_size", items = each(SIZES, function(n) return tostring(n) end), selected = prefs.size, on_change = function(i) prefs.size = i end },
      text { "Faintest objects to show", size = "small" },
      spinner { id = "faintest", items = { "All", "Up to 9.0 mag", "Up to 8.0 mag", "Up to 6.0 mag" }, selected = prefs.limit,
        on_change = function(i) prefs.limit = i end },
    }
  end,
}
