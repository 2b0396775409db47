-- Bird Diary: which birds were seen where and when, a life list of species, places, a summary of each year.
--
-- A sighting may be uncertain: it stays in the diary but counts neither for the life list nor as birds.
-- A new sighting that is left before it was saved is kept as a draft for the next time.

local SPECIES = {
  { "Barn owl", "Tyto alba", "Owls" }, { "Blackbird", "Turdus merula", "Thrushes" }, { "Blue tit", "Cyanistes caeruleus", "Tits" },
  { "Coot", "Fulica atra", "Rails" }, { "Great tit", "Parus major", "Tits" }, { "Grey heron", "Ardea cinerea", "Herons" },
  { "Kingfisher", "Alcedo atthis", "Kingfishers" }, { "Mallard", "Anas platyrhynchos", "Ducks" },
  { "Robin", "Erithacus rubecula", "Flycatchers" }, { "Song thrush", "Turdus philomelos", "Thrushes" },
}

app {
  package = "org.guest.birds",
  title = "Bird Diary",
  main = "Diary",
  bugs = { "first_seen_swapped", "place_rename", "draft_place", "again_overwrites", "search_drops_place", "delete_returns",
    "rare_birds", "summary_stale_total" },
  application = function()
    if storage.sightings then return end
    storage.next_id = 20
    storage.places = { "Back garden", "Mill pond", "River path" }
    storage.sightings = {
      { id = 1, species = 9, place = "Back garden", day = "2023-12-09", count = 1, note = "Singing", sure = true },
      { id = 2, species = 8, place = "Mill pond", day = "2024-02-03", count = 6, note = "Three pairs", sure = true },
      { id = 3, species = 4, place = "Mill pond", day = "2024-02-03", count = 2, note = "", sure = true },
      { id = 4, species = 3, place = "Back garden", day = "2024-02-11", count = 3, note = "At the feeder", sure = true },
      { id = 5, species = 7, place = "River path", day = "2024-02-18", count = 1, note = "Only a flash of blue", sure = false },
      { id = 6, species = 8, place = "River path", day = "2024-02-18", count = 4, note = "", sure = true },
    }
    prefs.iso, prefs.latin, prefs.hide_unsure, prefs.rare = false, false, false, 1
  end,
}

local MONTHS = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December" }
local MAX_SIGHTINGS, MAX_PLACES = 150, 15

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function sighting_of(id) return (find(storage.sightings, function(s) return s.id == id end)) end
local function name_of(species) return SPECIES[species][prefs.latin and 2 or 1] end
local function today() return date(now(), "%Y-%m-%d") end
local function count_text(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function day_text(day)
  return prefs.iso and day or day:sub(9) .. "." .. day:sub(6, 7) .. "." .. day:sub(1, 4)
end

local function is_day(s)
  local y, m, d = s:match("^(%d%d%d%d)%-(%d%d)%-(%d%d)$")
  y, m, d = tonumber(y), tonumber(m), tonumber(d)
  if not y or y < 1950 or m < 1 or m > 12 or d < 1 or s > today() then return false end
  local longest = m == 2 and (y % 4 == 0 and 29 or 28) or (m == 4 or m == 6 or m == 9 or m == 11) and 30 or 31
  return d <= longest
end

local function newest_first(list)
  table.sort(list, function(a, b)
    if a.day ~= b.day then return a.day > b.day end
    return a.id > b.id
  end)
  return list
end

local function birds(list)
  local sum = 0
  for _, s in ipairs(list) do
    if s.sure then sum = sum + s.count end
  end
  return sum
end

local function of_species(species) return newest_first(filter(storage.sightings, function(s) return s.species == species end)) end
local function sure_of(species) return filter(of_species(species), function(s) return s.sure end) end

local function forget(s)
  local at = index_of(storage.sightings, s)
  if at then table.remove(storage.sightings, at) end
end

local function bottom(self, here)
  local function item(title, id, name)
    return { title, id = id, selected = here == name, on_click = function()
      if here == name then return end
      if name ~= "Diary" then self:start(name) end
      if here ~= "Diary" then self:finish() end
    end }
  end
  return bottom_bar { items = { item("Diary", "nav_diary", "Diary"), item("Life list", "nav_life", "LifeList"), item("Places", "nav_places", "Places") } }
end

local function sighting_row(s, title)
  return column { id = "sighting_row", text { title .. (s.sure and "" or " (uncertain)"), id = "what" },
    text { day_text(s.day) .. ", " .. s.place, id = "where", size = "small" } }
end

-- ---- the diary ----

activity "Diary" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.query, self.place = saved.query or "", saved.place     -- both for this visit only
    self.hidden = {}
  end,
  save = function(self, out) out.query, out.place = self.query, self.place end,
  resume = function(self)
    if self.place and not index_of(storage.places, self.place) then self.place = nil end
  end,
  shown = function(self)
    local query = trim(self.query):lower()
    return newest_first(filter(storage.sightings, function(s)
      if self.hidden[s.id] or prefs.hide_unsure and not s.sure then return false end
      local names = SPECIES[s.species]
      if query ~= "" and not contains((names[1] .. " " .. names[2] .. " " .. s.note):lower(), query) then return false end
      return not self.place or s.place == self.place or query ~= "" and bug("search_drops_place")
    end))
  end,
  delete = function(self, s)
    if bug("delete_returns") then                               -- only hidden until the message is gone
      self.hidden[s.id] = true
      self:after(3900, function()
        if self.hidden[s.id] then forget(s) end
      end)
    else
      forget(s)
    end
    self:snackbar("Sighting deleted", "Undo", function()
      self.hidden[s.id] = nil
      if not sighting_of(s.id) then table.insert(storage.sightings, s) end
    end)
  end,
  menu = function(self)
    return {
      { "Years", id = "years", on_click = function() self:start("Years") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local list_of = self:shown()
    local places = { "All places", table.unpack(storage.places) }
    return column {
      toolbar { "Bird Diary" },
      field { id = "query", hint = "Search species and notes", max = 30, on_change = function(s) self.query = s end },
      spinner { id = "place", items = places, selected = self.place and index_of(places, self.place) or 1,
        on_change = function(i) self.place = i > 1 and places[i] or nil end },
      text { count_text(#list_of, "sighting") .. ", " .. count_text(birds(list_of), "certain bird") .. (prefs.hide_unsure and "; uncertain ones are hidden" or ""),
        id = "sum", size = "small" },
      list { id = "diary", items = list_of, empty = text { "No sightings", id = "empty" },
        row = function(s) return sighting_row(s, s.count .. " x " .. name_of(s.species)) end,
        on_item_click = function(_, s) self:start("Sighting", { id = s.id }) end,
        on_item_long_click = function(_, s)
          self:popup {
            { "Again today", id = "again", on_click = function() self:start("SightingForm", { again = s.id }) end },
            { "Delete", id = "delete", on_click = function() self:delete(s) end },
          }
        end },
      bottom(self, "Diary"),
      fab { id = "add", desc = "New sighting", on_click = function() self:start("SightingForm") end },
    }
  end,
}

activity "Sighting" {
  view = function(self)
    local s = sighting_of(self.intent.id)
    if not s then return column { toolbar { "Sighting", up = true }, text { "This sighting is gone", id = "gone" } } end
    return column {
      toolbar { "Sighting", up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("SightingForm", { id = s.id }) end } } },
      scroll {
        text { name_of(s.species), id = "name", size = "large" },
        text { count_text(s.count, "bird") .. (s.sure and "" or ", uncertain"), id = "number" },
        text { day_text(s.day), id = "day" },
        text { s.place, id = "place" },
        s.note ~= "" and text { s.note, id = "note" },
        button { "About this species", id = "species", on_click = function() self:start("Species", { species = s.species }) end },
      },
    }
  end,
}

activity "SightingForm" {
  create = function(self, intent, saved)
    local from = sighting_of(intent.id or intent.again)
    self.is_new = not sighting_of(intent.id) and not intent.again
    if saved then
      self.species, self.place, self.sure, self.before, self.drafted = saved.species, saved.place, saved.sure, saved.before, saved.drafted
      return
    end
    self.drafted = self.is_new and storage.draft ~= nil
    self:fill(self.drafted and storage.draft or from or {}, intent.again)
    self.before = self.drafted and "" or self:state()
  end,
  save = function(self, out)
    out.species, out.place, out.sure, out.before, out.drafted = self.species, self.place, self.sure, self.before, self.drafted
  end,
  fill = function(self, s, again)
    self.species, self.place, self.sure = s.species or 1, s.place or storage.places[1], s.sure ~= false
    if self.drafted and bug("draft_place") then self.place = storage.places[1] end
    if not index_of(storage.places, self.place) then self.place = storage.places[1] end
    self:set_text("day", not again and s.day or today())
    self:set_text("count", tostring(s.count or 1))
    self:set_text("note", not again and s.note or "")
  end,
  state = function(self)
    return table.concat({ self.species, tostring(self.place), tostring(self.sure), self:text("day"), self:text("count"), self:text("note") }, "|")
  end,
  leave = function(self)
    if self:state() == self.before then return self:finish() end
    if self.is_new then
      storage.draft = { species = self.species, place = self.place, sure = self.sure, day = self:text("day"), count = self:text("count"),
        note = self:text("note") }
      return self:finish()
    end
    self:dialog { title = "Discard changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
  end,
  back = function(self) self:leave() return true end,
  afresh = function(self)
    storage.draft, self.drafted = nil, false
    self:fill({})
    self.before = self:state()
  end,
  store = function(self)
    local day, count = trim(self:text("day")), tonumber(self:text("count"))
    if not self.place then return toast("Add a place first") end
    if not is_day(day) then return toast("The day must be like 2024-02-18 and not in the future") end
    if not count or count < 1 or count > 9999 then return toast("How many birds?") end
    local s = sighting_of(self.intent.id or bug("again_overwrites") and self.intent.again or nil)
    if not s then
      if #storage.sightings >= MAX_SIGHTINGS then return toast("The diary is full") end
      s = { id = new_id() }
      table.insert(storage.sightings, s)
    end
    s.species, s.place, s.day, s.count, s.note, s.sure = self.species, self.place, day, math.floor(count), trim(self:text("note")), self.sure
    if self.is_new then storage.draft = nil end
    self:finish()
  end,
  view = function(self)
    local names = each(SPECIES, function(_, i) return name_of(i) end)
    return column {
      toolbar { self.intent.id and "Edit sighting" or "New sighting", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        self.drafted and row { text { "This is your draft", id = "drafted", weight = 1 },
          button { "Start afresh", id = "afresh", on_click = function() self:afresh() end } },
        spinner { id = "species", items = names, selected = self.species, on_change = function(i) self.species = i end },
        spinner { id = "place", items = storage.places, selected = index_of(storage.places, self.place), on_change = function(_, name) self.place = name end },
        field { id = "day", hint = "Day, like 2024-02-18", max = 10 },
        field { id = "count", hint = "How many", input = "number", max = 4 },
        field { id = "note", hint = "Note", max = 60 },
        check { "I am certain", id = "sure", checked = self.sure, on_change = function(b) self.sure = b end },
      },
    }
  end,
}

-- ---- species ----

activity "LifeList" {
  create = function(self, intent, saved) self.seen_only = saved and saved.seen_only or false end,
  save = function(self, out) out.seen_only = self.seen_only end,
  species = function(self)
    local list = {}
    for i in ipairs(SPECIES) do
      local sure = sure_of(i)
      if #sure > 0 or not self.seen_only then table.insert(list, { species = i, sightings = #sure, birds = birds(sure) }) end
    end
    table.sort(list, function(a, b)
      if (a.birds > 0) ~= (b.birds > 0) then return a.birds > 0 end
      return name_of(a.species) < name_of(b.species)
    end)
    return list
  end,
  view = function(self)
    local list_of = self:species()
    local seen = #filter(list_of, function(x) return x.birds > 0 end)
    return column {
      toolbar { "Life list", up = true },
      text { seen .. " of " .. #SPECIES .. " species seen for certain", id = "seen" },
      check { "Only those I have seen", id = "seen_only", checked = self.seen_only, on_change = function(b) self.seen_only = b end },
      list { id = "life", items = list_of, empty = text { "Nothing yet", id = "empty" },
        row = function(x)
          local rare = (bug("rare_birds") and x.birds or x.sightings) < prefs.rare
          return column { id = "species_row", text { name_of(x.species), id = "name" },
            text { x.birds == 0 and "Not yet" or count_text(x.birds, "bird") .. " in " .. count_text(x.sightings, "sighting") .. (rare and ", rare" or ""),
              id = "birds", size = "small" } }
        end,
        on_item_click = function(_, x) self:start("Species", { species = x.species }) end },
      bottom(self, "LifeList"),
    }
  end,
}

activity "Species" {
  view = function(self)
    local species = self.intent.species
    if not SPECIES[species] then return column { toolbar { "Species", up = true }, text { "Unknown species", id = "gone" } } end
    local all, sure = of_species(species), sure_of(species)
    local first, last = sure[#sure], sure[1]
    local function first_text(day)
      if bug("first_seen_swapped") and not prefs.iso then return day:sub(6, 7) .. "." .. day:sub(9) .. "." .. day:sub(1, 4) end
      return day_text(day)
    end
    return column {
      toolbar { name_of(species), up = true, subtitle = SPECIES[species][3] },
      text { SPECIES[species][prefs.latin and 1 or 2], id = "other_name" },
      first and text { "First seen " .. first_text(first.day) .. ", last seen " .. day_text(last.day), id = "first_last" },
      text { count_text(birds(sure), "certain bird"), id = "birds" },
      list { id = "its_sightings", items = all, empty = text { "Never seen", id = "empty" },
        row = function(s) return sighting_row(s, tostring(s.count)) end,
        on_item_click = function(_, s) self:start("Sighting", { id = s.id }) end },
    }
  end,
}

-- ---- places ----

activity "Places" {
  used = function(self, name) return #filter(storage.sightings, function(s) return s.place == name end) end,
  view = function(self)
    return column {
      toolbar { "Places", up = true },
      list { id = "places", items = storage.places, empty = text { "No places", id = "empty" },
        row = function(name)
          return column { id = "place_row", text { name, id = "name" }, text { count_text(self:used(name), "sighting"), id = "used", size = "small" } }
        end,
        on_item_click = function(_, name) self:start("PlaceForm", { name = name }) end,
        on_item_long_click = function(i, name)
          if self:used(name) > 0 then
            return self:dialog { title = "This place is in use", message = "Only places without sightings can be deleted.", ok = "OK" }
          end
          self:dialog { title = "Delete " .. name .. "?", cancel = "Cancel", ok = "Delete", on_ok = function() table.remove(storage.places, i) end }
        end },
      bottom(self, "Places"),
      fab { id = "add_place", desc = "New place", on_click = function() self:start("PlaceForm") end },
    }
  end,
}

activity "PlaceForm" {
  create = function(self, intent, saved)
    if not saved then self:set_text("name", intent.name or "") end
  end,
  leave = function(self)
    if self:text("name") == (self.intent.name or "") then return self:finish() end
    self:dialog { title = "Discard changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
  end,
  back = function(self) self:leave() return true end,
  store = function(self)
    local name, old = trim(self:text("name")), self.intent.name
    if name == "" then return toast("Give the place a name") end
    if name ~= old and index_of(storage.places, name) then return toast("There is one of this name") end
    local at = index_of(storage.places, old)
    if not at and #storage.places >= MAX_PLACES then return toast("Too many places") end
    storage.places[at or #storage.places + 1] = name
    table.sort(storage.places)
    if at and not bug("place_rename") then
      for _, s in ipairs(storage.sightings) do
        if s.place == old then s.place = name end
      end
      if storage.draft and storage.draft.place == old then storage.draft.place = name end
    end
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { self.intent.name and "Rename place" or "New place", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", max = 24 },
    }
  end,
}

-- ---- years and settings ----

activity "Years" {
  create = function(self, intent, saved) self:show(saved and saved.year or tonumber(today():sub(1, 4)), true) end,
  save = function(self, out) out.year = self.year end,
  of_year = function(self) return filter(storage.sightings, function(s) return s.day:sub(1, 4) == tostring(self.year) end) end,
  show = function(self, year, first)
    self.year = year
    if first or not bug("summary_stale_total") then self.total = { #self:of_year(), birds(self:of_year()) } end
  end,
  view = function(self)
    local oldest = tonumber(today():sub(1, 4))
    for _, s in ipairs(storage.sightings) do oldest = math.min(oldest, tonumber(s.day:sub(1, 4))) end
    return column {
      toolbar { "Years", up = true },
      row {
        button { "Earlier", id = "earlier", enabled = self.year > oldest, on_click = function() self:show(self.year - 1) end },
        text { tostring(self.year), id = "year", size = "large" },
        button { "Later", id = "later", enabled = self.year < tonumber(today():sub(1, 4)), on_click = function() self:show(self.year + 1) end },
      },
      text { count_text(self.total[1], "sighting") .. ", " .. count_text(self.total[2], "certain bird"), id = "total" },
      scroll { each(MONTHS, function(month, m)
        local list_of = filter(self:of_year(), function(s) return tonumber(s.day:sub(6, 7)) == m end)
        return #list_of > 0 and text { month .. ": " .. count_text(#list_of, "sighting") .. ", " .. count_text(birds(list_of), "certain bird"), id = "month" }
      end), text { "Months without sightings are left out", id = "note", size = "small" } },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Days are written", size = "small" },
        radios { id = "days", items = { "18.02.2024", "2024-02-18" }, selected = prefs.iso and 2 or 1, on_change = function(i) prefs.iso = i == 2 end },
        switch { "Latin names", id = "latin", checked = prefs.latin, on_change = function(b) prefs.latin = b end },
        switch { "Hide uncertain sightings in the diary", id = "hide_unsure", checked = prefs.hide_unsure, on_change = function(b) prefs.hide_unsure = b end },
        text { "The life list marks species as rare up to", size = "small" },
        spinner { id = "rare_up_to", items = { "No mark", "1 sighting", "2 sightings", "3 sightings" }, selected = prefs.rare, on_change = function(i) prefs.rare = i end },
      },
    }
  end,
}
