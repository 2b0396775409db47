-- Field List: which bird was seen where and when, and the life list that grows out of it.

app {
  package = "org.fieldlist.birds",
  title = "Field List",
  main = "Main",
  bugs = { "trash_on_life_list", "merge_loses", "search_case", "first_is_last", "selection_by_row", "note_dropped", "export_all_years",
    "heard_in_statistics" },
  application = function()
    if storage.sightings then return end
    storage.next_id = 200
    storage.species = {
      { id = 1, name = "Blackbird", latin = "Turdus merula", family = "Thrushes" },
      { id = 2, name = "Song Thrush", latin = "Turdus philomelos", family = "Thrushes" },
      { id = 3, name = "Robin", latin = "Erithacus rubecula", family = "Flycatchers" },
      { id = 4, name = "Mallard", latin = "Anas platyrhynchos", family = "Ducks" },
      { id = 5, name = "Teal", latin = "Anas crecca", family = "Ducks" },
      { id = 6, name = "Tawny Owl", latin = "Strix aluco", family = "Owls" },
      { id = 7, name = "Kestrel", latin = "Falco tinnunculus", family = "Falcons" },
      { id = 8, name = "Great Tit", latin = "Parus major", family = "Tits" },
      { id = 9, name = "Blue Tit", latin = "Cyanistes caeruleus", family = "Tits" },
    }
    storage.sites = { { id = 101, name = "Garden" }, { id = 102, name = "Mill Pond" }, { id = 103, name = "Castle Wood" } }
    local today = math.floor(now() / 86400000)
    storage.sightings = {
      { id = 151, species = 4, site = 102, day = today - 420, count = 12, note = "" },
      { id = 152, species = 1, site = 101, day = today - 400, count = 2, note = "" },
      { id = 153, species = 6, site = 103, day = today - 380, count = 1, heard = true, note = "Calling at dusk" },
      { id = 154, species = 8, site = 101, day = today - 30, count = 3, note = "At the feeder" },
      { id = 155, species = 1, site = 103, day = today - 21, count = 1, note = "" },
      { id = 156, species = 5, site = 102, day = today - 14, count = 4, note = "Two pairs" },
      { id = 157, species = 3, site = 101, day = today - 2, count = 1, note = "" },
      { id = 158, species = 4, site = 102, day = today - 2, count = 7, note = "" },
    }
    prefs.latin = false
    prefs.heard = true
    prefs.oldest = false
  end,
}

local DAY = 86400000
local MAX_SIGHTINGS, MAX_SPECIES, MAX_SITES = 200, 60, 20

local function today() return math.floor(now() / DAY) end
local function day_text(day) return date(day * DAY, "%d %b %Y") end
local function year_of(day) return tonumber(date(day * DAY, "%Y")) end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function species_of(id) return by_id(storage.species, id) end
local function site_of(id) return by_id(storage.sites, id) end
local function sighting_of(id) return by_id(storage.sightings, id) end
local function site_name(id)
  local site = id and site_of(id)
  return site and site.name or "Somewhere"
end
local function bird_name(species) return prefs.latin and species.latin ~= "" and species.latin or species.name end

local function live() return filter(storage.sightings, function(s) return not s.trashed end) end

local function in_order(sightings, oldest)
  local result = copy(sightings)
  table.sort(result, function(a, b)
    if a.day ~= b.day then
      if oldest then return a.day < b.day end
      return a.day > b.day
    end
    return a.id > b.id
  end)
  return result
end

-- Birds that were only heard count if the settings say so.
local function counts(s) return prefs.heard or not s.heard end

local function life_list()
  local all = filter(bug("trash_on_life_list") and storage.sightings or live(), counts)
  local result = {}
  for _, species in ipairs(storage.species) do
    local first
    for _, s in ipairs(all) do
      if s.species == species.id and (not first or s.day < first) then first = s.day end
    end
    if first then table.insert(result, { species = species, first = first }) end
  end
  return result
end

local function matches(species, query)
  local text = species.name .. " " .. species.latin
  if bug("search_case") then return contains(text, query) end
  return contains(text:lower(), query:lower())
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.site = saved.site
    self.marked = saved.marked
  end,
  save = function(self, out) out.site, out.marked = self.site, self.marked end,
  resume = function(self)
    if self.site and not site_of(self.site) then self.site = nil end
  end,
  back = function(self)
    if not self.marked then return false end
    self.marked = nil
    return true
  end,

  shown = function(self)
    return in_order(filter(live(), function(s) return not self.site or s.site == self.site end), prefs.oldest)
  end,

  -- Marks hold ids (rows, while the bug is on).
  key = function(self, i, s) return bug("selection_by_row") and i or s.id end,
  marked_ones = function(self)
    local result = {}
    for i, s in ipairs(self:shown()) do
      if self.marked[self:key(i, s)] then table.insert(result, s) end
    end
    return result
  end,
  mark = function(self, i, s)
    self.marked = self.marked or {}
    local key = self:key(i, s)
    self.marked[key] = not self.marked[key] or nil
    if not next(self.marked) then self.marked = nil end
  end,

  trash_marked = function(self)
    local ids = each(self:marked_ones(), function(s) return s.id end)
    for _, id in ipairs(ids) do sighting_of(id).trashed = true end
    self.marked = nil
    self:snackbar(#ids .. " in the trash", "Undo", function()
      for _, id in ipairs(ids) do
        local s = sighting_of(id)
        if s then s.trashed = nil end
      end
    end)
  end,

  move_marked = function(self)
    self:dialog { title = "Move to", items = each(storage.sites, function(site) return site.name end),
      on_item = function(i)
        local site = storage.sites[i]
        if not self.marked or not site then return end
        for _, s in ipairs(self:marked_ones()) do s.site = site.id end
        self.marked = nil
        toast("Moved to " .. site.name)
      end }
  end,

  ask_site = function(self)
    local names = { "Everywhere" }
    for _, site in ipairs(storage.sites) do table.insert(names, site.name) end
    local _, at = find(storage.sites, function(site) return site.id == self.site end)
    self:dialog { title = "Seen at", items = names, checked = at and at + 1 or 1, on_item = function(i)
      self.site = i > 1 and storage.sites[i - 1].id or nil
      self.marked = nil
    end }
  end,

  menu = function(self)
    return {
      { "Oldest first", id = "oldest", checked = prefs.oldest, on_click = function() prefs.oldest = not prefs.oldest end },
      { "Life list", id = "life", on_click = function() self:start("Life") end },
      { "Sites", id = "sites", on_click = function() self:start("Sites") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "More", id = "more", items = {
        { "Export", id = "export", on_click = function() self:start("Export") end },
        { "Trash", id = "trash", on_click = function() self:start("Trash") end },
        { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      } },
    }
  end,

  view = function(self)
    local shown = self:shown()
    local marked = self.marked
    return column {
      marked and toolbar { #self:marked_ones() .. " marked", actions = {
        { "Move", id = "move", on_click = function() self:move_marked() end },
        { "Delete", id = "delete_marked", on_click = function() self:trash_marked() end } } }
      or toolbar { "Field List", subtitle = #life_list() .. " species", actions = {
        { "Filter by site", id = "filter", on_click = function() self:ask_site() end } } },
      self.site and row { text { "At " .. site_name(self.site), id = "site_chip", weight = 1 },
        button { "Clear", id = "clear_site", on_click = function() self.site, self.marked = nil, nil end } },
      list { id = "sightings", items = shown, empty = text { "Nothing seen yet", id = "empty" },
        row = function(s, i)
          local box = marked and (marked[self:key(i, s)] and "☑ " or "☐ ") or ""
          return column { id = "sighting_row",
            text { box .. s.count .. " " .. bird_name(species_of(s.species)) .. (s.heard and " (heard)" or ""), id = "bird" },
            text { day_text(s.day) .. ", " .. site_name(s.site), id = "where", size = "small" } }
        end,
        on_item_click = function(i, s)
          if self.marked then self:mark(i, s) else self:start("Sighting", { id = s.id }) end
        end,
        on_item_long_click = function(i, s) self:mark(i, s) end },
      not marked and fab { id = "add", desc = "New sighting", on_click = function()
        if #storage.sightings >= MAX_SIGHTINGS then return toast("The book is full") end
        self:start_for_result("Species", "new")
      end },
    }
  end,

  result = function(self, request, data)
    if request == "new" and data then self:start("Edit", { species = data.species, site = self.site }) end
  end,
}

local function gone(title, what) return column { toolbar { title, up = true }, text { what, id = "gone" } } end

-- Choose a species, or add one.
activity "Species" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,

  ask_new = function(self)
    self:dialog { title = "New species", cancel = "Cancel", ok = "Add",
      view = function()
        return column {
          field { id = "species_name", hint = "Name", text = trim(self.query), max = 30 },
          field { id = "species_latin", hint = "Latin name", max = 40 },
        }
      end,
      on_ok = function()
        local name = trim(self:text("species_name"))
        if name == "" then toast("It needs a name") return true end
        if find(storage.species, function(s) return s.name:lower() == name:lower() end) then toast("It is in the list") return true end
        if #storage.species >= MAX_SPECIES then return toast("Too many species") end
        local species = { id = new_id(), name = name, latin = trim(self:text("species_latin")), family = "Others" }
        table.insert(storage.species, species)
        self:finish { species = species.id }
      end }
  end,

  view = function(self)
    local query = trim(self.query)
    local found = filter(storage.species, function(s) return query == "" or matches(s, query) end)
    table.sort(found, function(a, b) return bird_name(a) < bird_name(b) end)
    return column {
      toolbar { "Which bird?", up = true, actions = { { "New species", id = "new_species", on_click = function() self:ask_new() end } } },
      field { id = "query", hint = "Search", text = "", on_change = function(s) self.query = s end },
      list { id = "species_list", items = found, empty = text { "No such bird", id = "empty" },
        row = function(s) return column { id = "species_row", text { bird_name(s), id = "species_title" }, text { s.family, id = "family", size = "small" } } end,
        on_item_click = function(_, s) self:finish { species = s.id } end },
    }
  end,
}

activity "Sighting" {
  menu = function(self)
    local s = self.intent.id and sighting_of(self.intent.id)
    if not s or s.trashed then return {} end
    return {
      { "All of this species", id = "open_bird", on_click = function() self:start("Bird", { id = s.species }) end },
      { "Seen again today", id = "again", on_click = function()
        if #storage.sightings >= MAX_SIGHTINGS then return toast("The book is full") end
        table.insert(storage.sightings, { id = new_id(), species = s.species, site = s.site, day = today(), count = s.count, heard = s.heard, note = "" })
        toast("Added for today")
      end },
      { "Delete", id = "delete", on_click = function()
        s.trashed = true
        self:finish()
      end },
    }
  end,
  view = function(self)
    local s = self.intent.id and sighting_of(self.intent.id)
    if not s or s.trashed then return gone("Sighting", "This sighting was deleted") end
    local species = species_of(s.species)
    return column {
      toolbar { bird_name(species), subtitle = species.family, up = true, actions = {
        { "Edit", id = "edit", on_click = function() self:start("Edit", { id = s.id }) end } } },
      scroll {
        text { "Count: " .. s.count, id = "count_line" },
        text { day_text(s.day), id = "day_line" },
        text { site_name(s.site), id = "site_line" },
        s.heard and text { "Only heard", id = "heard_line" },
        text { s.note ~= "" and s.note or "No note", id = "note_line" },
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local s = intent.id and sighting_of(intent.id)
    if saved then
      self.day, self.site, self.count, self.heard = saved.day, saved.site, saved.count, saved.heard
    elseif s then
      self.day, self.site, self.count, self.heard = s.day, s.site, s.count, s.heard or false
    else
      self.day, self.site, self.count, self.heard = today(), intent.site, 1, false
    end
  end,
  save = function(self, out) out.day, out.site, out.count, out.heard = self.day, self.site, self.count, self.heard end,

  store = function(self)
    local s = self.intent.id and sighting_of(self.intent.id)
    local note = trim(self:text("note"))
    if s then
      if bug("note_dropped") and note == s.note and s.count ~= self.count then note = "" end
    else
      s = { id = new_id(), species = self.intent.species }
      table.insert(storage.sightings, s)
    end
    if self.site and not site_of(self.site) then self.site = nil end
    s.day, s.site, s.count, s.heard, s.note = self.day, self.site, self.count, self.heard or nil, note
    self:finish()
  end,

  view = function(self)
    local s = self.intent.id and sighting_of(self.intent.id)
    local species = species_of(s and s.species or self.intent.species)
    if not species or self.intent.id and (not s or s.trashed) then return gone("Edit", "This sighting was deleted") end
    local names = { "Somewhere" }
    local at = 1
    for i, site in ipairs(storage.sites) do
      table.insert(names, site.name)
      if site.id == self.site then at = i + 1 end
    end
    return column {
      toolbar { bird_name(species), up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        row {
          button { "−", id = "fewer", desc = "Fewer", on_click = function() self.count = math.max(1, self.count - 1) end },
          text { "Count " .. self.count, id = "count", weight = 1 },
          button { "+", id = "more", desc = "More", on_click = function() self.count = math.min(999, self.count + 1) end },
        },
        row {
          button { "‹", id = "earlier", desc = "A day earlier", on_click = function() self.day = self.day - 1 end },
          text { day_text(self.day), id = "day", weight = 1 },
          button { "›", id = "later", desc = "A day later", on_click = function() self.day = math.min(today(), self.day + 1) end },
        },
        spinner { id = "site", items = names, selected = at, on_change = function(i) self.site = i > 1 and storage.sites[i - 1].id or nil end },
        check { "Only heard", id = "heard", checked = self.heard, on_change = function(b) self.heard = b end },
        field { id = "note", hint = "Note", text = s and s.note or "", max = 80 },
      },
    }
  end,
}

activity "Bird" {
  view = function(self)
    local species = self.intent.id and species_of(self.intent.id)
    if not species then return gone("Bird", "Not a bird of this list") end
    local seen = in_order(filter(live(), function(s) return s.species == species.id end), false)
    local proper = filter(seen, counts)
    local first = proper[bug("first_is_last") and 1 or #proper]
    return column {
      toolbar { bird_name(species), subtitle = species.family, up = true },
      text { first and "First: " .. day_text(first.day) .. ", " .. site_name(first.site) or "Never seen", id = "first" },
      text { #seen == 1 and "1 sighting" or #seen .. " sightings", id = "times" },
      list { id = "seen", items = seen, empty = text { "No sightings", id = "empty" },
        row = function(s) return text { day_text(s.day) .. " – " .. s.count .. ", " .. site_name(s.site) .. (s.heard and " (heard)" or ""), id = "seen_row" } end,
        on_item_click = function(_, s) self:start("Sighting", { id = s.id }) end },
    }
  end,
}

activity "Life" {
  create = function(self, intent, saved)
    self.sort = saved and saved.sort or 1
    self.family = saved and saved.family
  end,
  save = function(self, out) out.sort, out.family = self.sort, self.family end,
  view = function(self)
    local families = { "All families" }
    for _, s in ipairs(storage.species) do
      if not index_of(families, s.family) then table.insert(families, s.family) end
    end
    local birds = filter(life_list(), function(l) return not self.family or l.species.family == self.family end)
    table.sort(birds, function(a, b)
      if self.sort == 2 and a.first ~= b.first then return a.first < b.first end
      return bird_name(a.species) < bird_name(b.species)
    end)
    return column {
      toolbar { "Life list", subtitle = #birds .. " species", up = true },
      spinner { id = "families", items = families, selected = self.family and index_of(families, self.family) or 1,
        on_change = function(i, name) self.family = i > 1 and name or nil end },
      radios { id = "life_sort", items = { "By name", "By first day" }, selected = self.sort, on_change = function(i) self.sort = i end },
      list { id = "life_birds", items = birds, empty = text { "None yet", id = "empty" },
        row = function(l)
          return row { id = "life_row", text { bird_name(l.species), id = "life_bird", weight = 1 }, text { day_text(l.first), id = "life_day", size = "small" } }
        end,
        on_item_click = function(_, l) self:start("Bird", { id = l.species.id }) end },
    }
  end,
}

activity "Sites" {
  ask_name = function(self, site)
    self:dialog { title = site and "Rename site" or "New site", cancel = "Cancel", ok = "Save",
      view = function() return column { field { id = "site_name", hint = "Name", text = site and site.name or "", max = 30 } } end,
      on_ok = function()
        local name = trim(self:text("site_name"))
        if name == "" then toast("It needs a name") return true end
        if find(storage.sites, function(s) return s ~= site and s.name:lower() == name:lower() end) then toast("There is such a site") return true end
        if site then site.name = name return end
        if #storage.sites >= MAX_SITES then return toast("Too many sites") end
        table.insert(storage.sites, { id = new_id(), name = name })
      end }
  end,

  ask_merge = function(self, site)
    local others = filter(storage.sites, function(s) return s ~= site end)
    if #others == 0 then return toast("There is no other site") end
    self:dialog { title = "Merge " .. site.name .. " into", items = each(others, function(s) return s.name end),
      on_item = function(i)
        local k = index_of(storage.sites, site)
        if not k or not index_of(storage.sites, others[i]) then return end
        table.remove(storage.sites, k)
        if bug("merge_loses") then
          storage.sightings = filter(storage.sightings, function(s) return s.site ~= site.id end)
        end
        for _, s in ipairs(storage.sightings) do
          if s.site == site.id then s.site = others[i].id end
        end
      end }
  end,

  ask_delete = function(self, site)
    self:dialog { title = "Delete " .. site.name .. "?", message = "Its sightings stay, seen somewhere.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local k = index_of(storage.sites, site)
        if not k then return end
        table.remove(storage.sites, k)
        for _, s in ipairs(storage.sightings) do
          if s.site == site.id then s.site = nil end
        end
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Sites", up = true },
      list { id = "site_list", items = storage.sites, empty = text { "No sites", id = "empty" },
        row = function(site)
          local n = #filter(live(), function(s) return s.site == site.id end)
          return row { id = "site_row", text { site.name, id = "site_title", weight = 1 }, text { n == 1 and "1 sighting" or n .. " sightings", id = "site_count", size = "small" } }
        end,
        on_item_click = function(_, site)
          self:popup {
            { "Rename", id = "rename", on_click = function() self:ask_name(site) end },
            { "Merge", id = "merge", on_click = function() self:ask_merge(site) end },
            { "Delete", id = "delete_site", on_click = function() self:ask_delete(site) end },
          }
        end },
      fab { id = "add_site", desc = "New site", on_click = function() self:ask_name() end },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local all = bug("heard_in_statistics") and live() or filter(live(), counts)
    local species, birds, years = {}, 0, {}
    for _, s in ipairs(all) do
      species[s.species] = true
      birds = birds + s.count
      local y = year_of(s.day)
      years[y] = (years[y] or 0) + 1
    end
    local n = 0
    for _ in pairs(species) do n = n + 1 end
    local rows = {}
    for y, k in pairs(years) do table.insert(rows, { y = y, n = k }) end
    table.sort(rows, function(a, b) return a.y > b.y end)
    return column {
      toolbar { "Statistics", up = true },
      scroll {
        text { "Species: " .. n, id = "stat_species" },
        text { "Sightings: " .. #all, id = "stat_sightings" },
        text { "Birds: " .. birds, id = "stat_birds" },
        each(rows, function(r) return row { text { tostring(r.y), id = "year", weight = 1 }, text { tostring(r.n), id = "year_count" } } end),
        not prefs.heard and text { "Without birds that were only heard", id = "stat_hint", size = "small" },
      },
    }
  end,
}

activity "Export" {
  create = function(self, intent, saved) self.this_year = saved and saved.this_year or false end,
  save = function(self, out) out.this_year = self.this_year end,
  view = function(self)
    local year = year_of(today())
    local rows = in_order(live(), true)
    if self.this_year and not bug("export_all_years") then rows = filter(rows, function(s) return year_of(s.day) == year end) end
    local lines = each(rows, function(s)
      return date(s.day * DAY, "%Y-%m-%d") .. "," .. species_of(s.species).name .. "," .. s.count .. "," .. site_name(s.site)
    end)
    return column {
      toolbar { "Export", up = true, actions = { { "Copy", id = "copy", on_click = function()
        clipboard.set(table.concat(lines, "\n"))
        toast(#lines .. " lines copied")
      end } } },
      switch { "Only " .. year, id = "this_year", checked = self.this_year, on_change = function(b) self.this_year = b end },
      list { id = "lines", items = lines, empty = text { "Nothing to export", id = "empty" }, row = function(l) return text { l, id = "line", size = "small" } end },
    }
  end,
}

activity "Trash" {
  view = function(self)
    local trashed = in_order(filter(storage.sightings, function(s) return s.trashed end), false)
    return column {
      toolbar { "Trash", up = true, actions = { { "Empty", id = "empty_trash", on_click = function()
        if #trashed == 0 then return toast("Nothing in it") end
        self:dialog { title = "Delete " .. #trashed .. " for ever?", cancel = "Cancel", ok = "Delete",
          on_ok = function() storage.sightings = live() end }
      end } } },
      list { id = "trashed", items = trashed, empty = text { "The trash is empty", id = "empty" },
        row = function(s)
          return column { id = "trash_row", text { s.count .. " " .. bird_name(species_of(s.species)), id = "bird" },
            text { day_text(s.day) .. ", tap to restore", id = "trash_info", size = "small" } }
        end,
        on_item_click = function(_, s)
          s.trashed = nil
          toast("Restored")
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        switch { "Latin names", id = "latin", checked = prefs.latin, on_change = function(b) prefs.latin = b end },
        switch { "Count birds only heard", id = "count_heard", checked = prefs.heard, on_change = function(b) prefs.heard = b end },
      },
    }
  end,
}
