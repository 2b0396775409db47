-- Field book: birds that were seen, how many, where and when. A search, an order, a filter by place, a selection
-- of many rows for archiving and deleting, a life list, months and an export.

local DAY = 24 * 60 * 60 * 1000
local SORTS = { "Newest first", "Species", "Most birds first" }
local PLACES = { "Reed lake", "Beech wood", "Old quarry", "Garden" }
local MONTHS = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December" }
local SPECIES = {
  { id = "wren", name = "Wren", latin = "Troglodytes troglodytes" },
  { id = "robin", name = "Robin", latin = "Erithacus rubecula" },
  { id = "heron", name = "Grey heron", latin = "Ardea cinerea" },
  { id = "mallard", name = "Mallard", latin = "Anas platyrhynchos" },
  { id = "coot", name = "Coot", latin = "Fulica atra" },
  { id = "kestrel", name = "Kestrel", latin = "Falco tinnunculus" },
  { id = "nuthatch", name = "Nuthatch", latin = "Sitta europaea" },
  { id = "crane", name = "Crane", latin = "Grus grus" },
  { id = "crow", name = "Carrion crow", latin = "Corvus corone", common = true },
}

app {
  package = "org.example.fieldbook",
  title = "Field book",
  main = "Main",
  bugs = { "select_all_hidden", "selection_after_sort", "clear_keeps_search", "sort_as_text", "life_list_stale", "undo_one_of_many",
    "latin_search", "miles_factor" },
  application = function()
    if storage.sightings then return end
    local today = now() // DAY
    local id = 0
    local function seen(species, count, place, ago, km, note)
      id = id + 1
      storage.seen[species] = (storage.seen[species] or 0) + 1
      table.insert(storage.sightings, { id = id, species = species, count = count, place = place, day = today - ago, km = km, note = note })
    end
    storage.sightings, storage.seen = {}, {}
    seen("wren", 2, 2, 41, 3, "Singing loudly")
    seen("mallard", 12, 1, 36, 5)
    seen("coot", 9, 1, 36, 5)
    seen("heron", 1, 1, 29, 5, "On one leg")
    seen("crow", 20, 3, 22, 2)
    seen("robin", 3, 4, 15, 0, "At the feeder")
    seen("wren", 1, 4, 9, 0)
    seen("kestrel", 1, 3, 6, 8, "Hovering over the edge")
    seen("mallard", 4, 1, 2, 6)
    storage.next_id = id
    prefs.sort, prefs.latin, prefs.miles, prefs.hide_common = 1, false, false, false
  end,
}

local MAX_SIGHTINGS = 80

local function species_of(id) return find(SPECIES, function(s) return s.id == id end) end
local function name_of(species) return prefs.latin and species.latin or species.name end
local function sighting_of(id) return find(storage.sightings, function(s) return s.id == id end) end
local function day_text(day) return date(day * DAY, "%Y-%m-%d") end
local function birds(n) return n == 1 and "1 bird" or n .. " birds" end
local function sightings(n) return n == 1 and "1 sighting" or n .. " sightings" end
local function current() return filter(storage.sightings, function(s) return not s.archived end) end

local function distance(km)
  if not prefs.miles then return format("%.1f km", km) end
  return format("%.1f mi", bug("miles_factor") and km * 1.609 or km / 1.609)
end

local function remember(species, by) storage.seen[species] = math.max(0, (storage.seen[species] or 0) + by) end

local function remove(sighting)
  local i = index_of(storage.sightings, sighting)
  if not i then return end
  table.remove(storage.sightings, i)
  remember(sighting.species, -1)
end

local function put_back(sighting)
  table.insert(storage.sightings, sighting)
  table.sort(storage.sightings, function(a, b) return a.id < b.id end)
  remember(sighting.species, 1)
end

-- The name that is shown is the one that is looked for, and the note.
local function matches(sighting, query)
  local species = species_of(sighting.species)
  local name = name_of(species)
  if bug("latin_search") then name = species.name end
  return contains((name .. " " .. (sighting.note or "")):lower(), query:lower())
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.query, self.searching, self.place, self.picked = saved.query or "", saved.searching, saved.place, saved.picked
  end,
  save = function(self, out) out.query, out.searching, out.place, out.picked = self.query, self.searching, self.place, self.picked end,
  -- Back ends one thing at a time: the selection, the search, the filter, the app.
  back = function(self)
    if self.picked then
      self.picked = nil
    elseif self.searching then
      self:toggle_search()
    elseif self.place then
      self.place = nil
    else
      return false
    end
    return true
  end,

  fits = function(self, s)
    if self.place and s.place ~= self.place then return false end
    if self.query ~= "" then return matches(s, self.query) end
    return not (prefs.hide_common and species_of(s.species).common)       -- a search finds the common ones, too
  end,
  shown = function(self)
    local list = filter(current(), function(s) return self:fits(s) end)
    if prefs.sort == 2 then
      table.sort(list, function(a, b) return name_of(species_of(a.species)) < name_of(species_of(b.species)) end)
    elseif prefs.sort == 3 then
      table.sort(list, function(a, b)
        if bug("sort_as_text") then return tostring(a.count) > tostring(b.count) end
        return a.count > b.count
      end)
    else
      table.sort(list, function(a, b) return a.day > b.day end)
    end
    return list
  end,

  -- Search, order, filter ------------------------------------------------------------------------------

  toggle_search = function(self)
    self.searching = not self.searching
    self.query = ""
    self:set_text("query", "")
  end,
  clear_search = function(self)
    self:set_text("query", "")
    if not bug("clear_keeps_search") then self.query = "" end
  end,
  set_sort = function(self, i)
    local before = self:shown()
    prefs.sort = i
    if not self.picked or not bug("selection_after_sort") then return end
    local after, selected = self:shown(), {}
    for place, s in ipairs(before) do
      if self.picked[s.id] then selected[after[place].id] = true end
    end
    self.picked = selected
  end,
  ask_sort = function(self)
    self:dialog { title = "Order", items = SORTS, checked = prefs.sort, on_item = function(i) self:set_sort(i) end }
  end,
  ask_place = function(self)
    local names = copy(PLACES)
    table.insert(names, 1, "Everywhere")
    self:dialog { title = "Where", items = names, checked = (self.place or 0) + 1, on_item = function(i) self.place = i > 1 and i - 1 or nil end }
  end,

  -- The selection --------------------------------------------------------------------------------------

  chosen = function(self) return filter(storage.sightings, function(s) return self.picked[s.id] end) end,
  toggle = function(self, s)
    self.picked[s.id] = not self.picked[s.id] or nil
    if #self:chosen() == 0 then self.picked = nil end
  end,
  select_all = function(self)
    for _, s in ipairs(bug("select_all_hidden") and current() or self:shown()) do self.picked[s.id] = true end
  end,
  archive_chosen = function(self)
    local chosen = self:chosen()
    for _, s in ipairs(chosen) do s.archived = true end
    self.picked = nil
    self:snackbar(sightings(#chosen) .. " archived", "Undo", function()
      for _, s in ipairs(chosen) do s.archived = nil end
    end)
  end,
  delete_chosen = function(self)
    local chosen, counts = self:chosen(), copy(storage.seen)
    for _, s in ipairs(chosen) do remove(s) end
    if bug("life_list_stale") then storage.seen = counts end
    self.picked = nil
    self:snackbar(sightings(#chosen) .. " deleted", "Undo", function()
      for i, s in ipairs(chosen) do
        if i == #chosen or not bug("undo_one_of_many") then put_back(s) end
      end
    end)
  end,

  menu = function(self)
    if self.picked then
      return { { "Select all", id = "select_all", on_click = function() self:select_all() end },
        { "Select none", id = "select_none", on_click = function() self.picked = nil end } }
    end
    local function go(name) return function() self:start(name) end end
    return {
      { "Where", id = "place", on_click = function() self:ask_place() end },
      { "Life list", id = "life", on_click = go("LifeList") },
      { "Months", id = "months", on_click = go("Months") },
      { "Archive", id = "archive", on_click = go("Archive") },
      { "Export", id = "export", on_click = function() self:start("Export", { place = self.place }) end },
      { "Settings", id = "settings", on_click = go("Settings") },
    }
  end,
  bar = function(self)
    local order = { "Order", id = "sort", on_click = function() self:ask_sort() end }
    if not self.picked then
      return toolbar { "Field book", actions = { { "Search", id = "search", on_click = function() self:toggle_search() end }, order } }
    end
    return toolbar { #self:chosen() .. " selected", up = function() self.picked = nil end, actions = { order,
      { "Archive them", id = "archive_chosen", on_click = function() self:archive_chosen() end },
      { "Delete them", id = "delete_chosen", on_click = function() self:delete_chosen() end } } }
  end,
  view = function(self)
    local list_shown = self:shown()
    return column {
      self:bar(),
      self.searching and row {
        field { id = "query", hint = "Name or note", weight = 1, max = 30, enabled = not self.picked, on_change = function(s) self.query = s end },
        image_button { id = "clear", desc = "Clear", enabled = not self.picked, on_click = function() self:clear_search() end },
      },
      self.place and row { text { "Only " .. PLACES[self.place], id = "chip", weight = 1 },
        image_button { id = "everywhere", desc = "Everywhere", on_click = function() self.place = nil end } },
      list { id = "sightings", items = list_shown, empty = text { "Nothing found", id = "empty" },
        row = function(s)
          return column { id = "sighting_row",
            text { (self.picked and (self.picked[s.id] and "☑ " or "☐ ") or "") .. name_of(species_of(s.species)), id = "species", size = "large" },
            text { birds(s.count) .. ", " .. PLACES[s.place] .. ", " .. day_text(s.day), id = "info", size = "small" } }
        end,
        on_item_click = function(_, s)
          if self.picked then self:toggle(s) else self:start("Sighting", { id = s.id }) end
        end,
        on_item_long_click = function(_, s)
          self.picked = self.picked or {}
          self.picked[s.id] = true
        end },
      text { sightings(#list_shown), id = "total", size = "small" },
      not self.picked and fab { id = "add", desc = "New sighting", on_click = function() self:start("Edit") end },
    }
  end,
}

activity "Sighting" {
  ask_delete = function(self, s)
    self:dialog { title = "Delete this sighting?", cancel = "Cancel", ok = "Delete", on_ok = function()
      remove(s)
      self:finish()
    end }
  end,
  menu = function(self)
    local s = sighting_of(self.intent.id)
    if not s then return {} end
    return {
      { s.archived and "Out of the archive" or "Archive", id = "to_archive", on_click = function() s.archived = not s.archived or nil end },
      { "Delete", id = "delete", on_click = function() self:ask_delete(s) end },
    }
  end,
  view = function(self)
    local s = sighting_of(self.intent.id)
    if not s then return column { toolbar { "Sighting", up = true }, text { "This sighting was deleted", id = "gone" } } end
    local species = species_of(s.species)
    return column {
      toolbar { name_of(species), up = true, subtitle = s.archived and "archived" or nil,
        actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = s.id }) end } } },
      text { prefs.latin and species.name or species.latin, id = "other_name", size = "small" },
      text { birds(s.count), id = "count", size = "large" },
      text { PLACES[s.place] .. ", " .. day_text(s.day), id = "where" },
      text { s.km > 0 and "On a walk of " .. distance(s.km) or "Seen without a walk", id = "walk" },
      text { s.note or "No note", id = "note" },
      button { "All of this species", id = "all_of_it", on_click = function() self:start("Species", { id = species.id }) end },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local s = sighting_of(intent.id)
    self.sighting = s
    self.species, self.place, self.count, self.day = s and s.species, s and s.place or 1, s and s.count or 1, s and s.day or now() // DAY
    if saved then self.species, self.place, self.count, self.day = saved.species, saved.place, saved.count, saved.day end
  end,
  save = function(self, out) out.species, out.place, out.count, out.day = self.species, self.place, self.count, self.day end,
  ask_species = function(self)
    self:dialog { title = "Which bird?", items = each(SPECIES, name_of), on_item = function(i) self.species = SPECIES[i].id end }
  end,
  store = function(self)
    if not self.species then return toast("Which bird was it?") end
    local s, note = self.sighting, trim(self:text("note_field"))
    if s then
      remember(s.species, -1)
    else
      if #storage.sightings >= MAX_SIGHTINGS then return toast("The book is full") end
      storage.next_id = storage.next_id + 1
      s = { id = storage.next_id }
      table.insert(storage.sightings, s)
    end
    remember(self.species, 1)
    s.species, s.place, s.count, s.day = self.species, self.place, self.count, self.day
    s.km, s.note = tonumber(self:text("km")) or 0, note ~= "" and note or nil
    self:finish()
  end,
  view = function(self)
    local s = self.sighting
    return column {
      toolbar { s and "Edit sighting" or "New sighting", up = true },
      scroll {
        button { self.species and name_of(species_of(self.species)) or "Which bird?", id = "choose_species", on_click = function() self:ask_species() end },
        row {
          button { "-", id = "fewer", enabled = self.count > 1, on_click = function() self.count = self.count - 1 end },
          text { birds(self.count), id = "birds", weight = 1 },
          button { "+", id = "more", on_click = function() self.count = self.count + 1 end },
        },
        row {
          button { "<", id = "earlier", on_click = function() self.day = self.day - 1 end },
          text { day_text(self.day), id = "day", weight = 1 },
          button { ">", id = "later", enabled = self.day < now() // DAY, on_click = function() self.day = self.day + 1 end },
        },
        spinner { id = "where_field", items = PLACES, selected = self.place, on_change = function(i) self.place = i end },
        field { id = "km", hint = "Walk in km", input = "decimal", max = 5, text = s and s.km > 0 and tostring(s.km) or "" },
        field { id = "note_field", hint = "Note", input = "multiline", max = 120, text = s and s.note or "" },
        button { "Save", id = "save", on_click = function() self:store() end },
      },
    }
  end,
}

-- Every species ever seen; the archive counts, too.
activity "LifeList" {
  view = function(self)
    local seen = filter(SPECIES, function(s) return (storage.seen[s.id] or 0) > 0 end)
    return column {
      toolbar { "Life list", up = true, subtitle = #seen .. " of " .. #SPECIES .. " species" },
      list { id = "life_list", items = seen, empty = text { "No birds yet", id = "empty" },
        row = function(species)
          return column { id = "life_row", text { name_of(species), id = "life_name", size = "large" }, text { sightings(storage.seen[species.id]), id = "life_count", size = "small" } }
        end,
        on_item_click = function(_, species) self:start("Species", { id = species.id }) end },
    }
  end,
}

activity "Species" {
  view = function(self)
    local species = species_of(self.intent.id)
    if not species then return column { toolbar { "Species", up = true }, text { "Unknown species", id = "gone" } } end
    local mine = filter(storage.sightings, function(s) return s.species == species.id end)
    table.sort(mine, function(a, b) return a.day < b.day end)
    local most = 0
    for _, s in ipairs(mine) do most = math.max(most, s.count) end
    return column {
      toolbar { name_of(species), up = true },
      text { "At most " .. birds(most) .. " at once", id = "most" },
      list { id = "of_species", items = mine, empty = text { "Never seen", id = "empty" },
        row = function(s) return text { day_text(s.day) .. " " .. PLACES[s.place] .. ": " .. birds(s.count) .. (s.archived and " (archived)" or ""), id = "of_row" } end,
        on_item_click = function(_, s) self:start("Sighting", { id = s.id }) end },
    }
  end,
}

activity "Months" {
  view = function(self)
    local sums, all = {}, 0
    for _, s in ipairs(current()) do
      local month = tonumber(date(s.day * DAY, "%m"))
      sums[month] = (sums[month] or 0) + s.count
      all = all + s.count
    end
    local rows = {}
    for month = 1, 12 do
      if sums[month] then
        table.insert(rows, column { text { MONTHS[month] .. ": " .. birds(sums[month]), id = "month" }, progress { value = sums[month], max = all } })
      end
    end
    return column { toolbar { "Months", up = true, subtitle = birds(all) }, scroll { rows } }
  end,
}

activity "Archive" {
  view = function(self)
    return column {
      toolbar { "Archive", up = true },
      list { id = "archived", items = filter(storage.sightings, function(s) return s.archived end), empty = text { "The archive is empty", id = "empty" },
        row = function(s) return text { name_of(species_of(s.species)) .. ", " .. day_text(s.day), id = "archived_row" } end,
        on_item_click = function(_, s) self:start("Sighting", { id = s.id }) end,
        on_item_long_click = function(_, s) s.archived = nil end },
      text { "A long touch takes a sighting out again", id = "hint", size = "small" },
    }
  end,
}

activity "Export" {
  view = function(self)
    local lines = filter(current(), function(s) return not self.intent.place or s.place == self.intent.place end)
    return column {
      toolbar { "Export", up = true, subtitle = self.intent.place and PLACES[self.intent.place] or "everywhere" },
      scroll {
        text { "day;latin;count;place", id = "head", size = "small" },
        each(lines, function(s) return text { day_text(s.day) .. ";" .. species_of(s.species).latin .. ";" .. s.count .. ";" .. PLACES[s.place], id = "line", size = "small" } end),
        button { "Share " .. sightings(#lines), id = "share", enabled = #lines > 0, on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
      },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Latin names", id = "latin", checked = prefs.latin, on_change = function(on) prefs.latin = on end },
      switch { "Miles", id = "miles", checked = prefs.miles, on_change = function(on) prefs.miles = on end },
      switch { "Hide common birds", id = "hide_common", checked = prefs.hide_common, on_change = function(on) prefs.hide_common = on end },
      text { "They are still found by a search and counted", id = "hint", size = "small" },
    }
  end,
}
