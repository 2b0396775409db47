-- Field Journal: a birdwatcher's sightings, places, the life list, statistics and an export.
-- Sightings carry the ids of a species and of a place; a place keeps the number of its sightings.

local DAY = 24 * 60 * 60 * 1000
local function today() return now() // DAY * DAY end
local SORTS = { "Newest first", "Oldest first", "Species" }
local SPECIES = {
  { id = "blackbird", name = "Blackbird", latin = "Turdus merula", family = "Thrushes" },
  { id = "bluetit", name = "Blue Tit", latin = "Cyanistes caeruleus", family = "Tits" },
  { id = "buzzard", name = "Buzzard", latin = "Buteo buteo", family = "Hawks" },
  { id = "coaltit", name = "Coal Tit", latin = "Periparus ater", family = "Tits" },
  { id = "fieldfare", name = "Fieldfare", latin = "Turdus pilaris", family = "Thrushes" },
  { id = "greattit", name = "Great Tit", latin = "Parus major", family = "Tits" },
  { id = "heron", name = "Grey Heron", latin = "Ardea cinerea", family = "Herons" },
  { id = "kestrel", name = "Kestrel", latin = "Falco tinnunculus", family = "Falcons" },
  { id = "kingfisher", name = "Kingfisher", latin = "Alcedo atthis", family = "Kingfishers" },
  { id = "mallard", name = "Mallard", latin = "Anas platyrhynchos", family = "Ducks" },
  { id = "tufted", name = "Tufted Duck", latin = "Aythya fuligula", family = "Ducks" },
}

app {
  package = "org.fieldjournal.birds",
  title = "Field Journal",
  main = "Main",
  bugs = { "star_in_search", "undo_is_partial", "discard_keeps_count", "first_is_first_entered", "place_left_counts", "rename_to_taken",
    "statistics_hear", "only_seen_turns", "export_everything" },
  application = function()
    if storage.sightings then return end
    prefs.count_heard, prefs.sort, prefs.iso_dates = true, 1, false
    storage.places = { { id = 1, name = "Garden", seen = 2 }, { id = 2, name = "Heath", seen = 1 }, { id = 3, name = "Mill pond", seen = 3 } }
    storage.sightings = {
      { id = 11, species = "blackbird", place = 1, count = 2, day = today() - 9 * DAY, note = "Singing on the shed" },
      { id = 12, species = "kingfisher", place = 3, count = 1, day = today() - 6 * DAY, starred = true },
      { id = 13, species = "mallard", place = 3, count = 14, day = today() - 6 * DAY },
      { id = 14, species = "bluetit", place = 1, count = 5, day = today() - 3 * DAY },
      { id = 15, species = "buzzard", place = 2, count = 1, day = today() - 2 * DAY, heard = true },
      { id = 16, species = "heron", place = 3, count = 1, day = today() - DAY, note = "Standing on the weir" },
    }
    storage.next_id = 17
  end,
}

local function species_by_id(id) return find(SPECIES, function(s) return s.id == id end) end
local function sighting_by_id(id) return find(storage.sightings, function(s) return s.id == id end) end
local function place_by_id(id) return find(storage.places, function(p) return p.id == id end) end
local function place_name(id)
  local place = id and place_by_id(id)
  return place and place.name or "No place"
end
local function day_text(ms) return date(ms, prefs.iso_dates and "%Y-%m-%d" or "%d %b %Y") end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id - 1
end

local function seen_more(place_id, n)
  local place = place_id and place_by_id(place_id)
  if place then place.seen = place.seen + n end
end

local function remove_sighting(sighting)
  local _, i = sighting_by_id(sighting.id)
  if not i then return nil end
  table.remove(storage.sightings, i)
  seen_more(sighting.place, -1)
  return i
end

--- The sightings that make a species count for the life list.
local function proofs(species_id, heard_too)
  return filter(storage.sightings, function(s) return s.species == species_id and (heard_too or not s.heard) end)
end

local function life_count(heard_too)
  return #filter(SPECIES, function(s) return #proofs(s.id, heard_too) > 0 end)
end

local function matching(query, place)
  query = trim(query or ""):lower()
  local out = filter(storage.sightings, function(s)
    local fits = query == "" or contains(species_by_id(s.species).name:lower(), query) or contains((s.note or ""):lower(), query)
    return fits and (not place or s.place == place)
  end)
  table.sort(out, function(a, b)
    if prefs.sort == 3 then return species_by_id(a.species).name < species_by_id(b.species).name end
    if prefs.sort == 2 then return a.day < b.day end
    return a.day > b.day
  end)
  return out
end

-- ---- the journal ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.query, self.searching, self.place = saved.query or "", saved.searching, saved.place
  end,
  save = function(self, out) out.query, out.searching, out.place = self.query, self.searching, self.place end,
  resume = function(self)
    if self.place and not place_by_id(self.place) then self.place = nil end
  end,
  back = function(self)
    if not self.searching then return false end
    self:end_search()
    return true
  end,
  end_search = function(self)
    self.searching, self.query = false, ""
    self:set_text("query", "")
    self:hide_keyboard()
  end,
  shown = function(self) return matching(self.query, self.place) end,
  toggle_star = function(self, i, sighting)
    if bug("star_in_search") then sighting = matching("")[i] end       -- the row of the list without search and filter
    sighting.starred = not sighting.starred or nil
  end,
  delete = function(self, sighting)
    local i = remove_sighting(sighting)
    if not i then return end
    self:snackbar(species_by_id(sighting.species).name .. " deleted", "Undo", function()
      local back = copy(sighting)
      if bug("undo_is_partial") then back.starred, back.note = nil, nil end
      table.insert(storage.sightings, math.min(i, #storage.sightings + 1), back)
      seen_more(back.place, 1)
    end)
  end,
  context = function(self, i, sighting)
    self:popup {
      { sighting.starred and "Remove star" or "Add star", id = "star", on_click = function() self:toggle_star(i, sighting) end },
      { "Edit", id = "context_edit", on_click = function() self:start("Edit", { id = sighting.id }) end },
      { "Delete", id = "context_delete", on_click = function() self:delete(sighting) end },
    }
  end,
  ask_place = function(self)
    local names = each(storage.places, function(p) return p.name end)
    table.insert(names, 1, "All places")
    self:dialog { title = "Show sightings at", items = names,
      on_item = function(i) self.place = i > 1 and storage.places[i - 1].id or nil end }
  end,
  menu = function(self)
    return {
      { "Sort by", id = "sort", on_click = function()
        self:dialog { title = "Sort by", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
      end },
      { "Filter by place", id = "filter", on_click = function() self:ask_place() end },
      { "Places", id = "places", on_click = function() self:start("Places") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Export", id = "export", on_click = function() self:start("Export", { query = self.query, place = self.place }) end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local shown = self:shown()
    return column {
      toolbar { "Field Journal", subtitle = #shown .. (#shown == 1 and " sighting" or " sightings"), actions = {
        { "Search", id = "search", on_click = function() if self.searching then self:end_search() else self.searching = true end end },
        { "Life list", id = "life_list", on_click = function() self:start("LifeList") end } } },
      self.searching and field { id = "query", hint = "Species or note", text = self.query, on_change = function(s) self.query = s end },
      self.place and row { text { "Only " .. place_name(self.place), id = "only", weight = 1 },
        image_button { id = "clear_place", desc = "All places", on_click = function() self.place = nil end } },
      list { id = "sightings", items = shown, empty = text { "No sightings", id = "empty" },
        row = function(s)
          return column {
            row { text { species_by_id(s.species).name, id = "species", weight = 1 }, s.starred and text { "★", id = "starred" } },
            text { s.count .. (s.heard and " heard, " or " seen, ") .. place_name(s.place) .. ", " .. day_text(s.day), id = "what", size = "small" },
          }
        end,
        on_item_click = function(_, s) self:start("Sighting", { id = s.id }) end,
        on_item_long_click = function(i, s) self:context(i, s) end },
      fab { id = "add", desc = "New sighting", on_click = function() self:start("Edit", {}) end },
    }
  end,
}

activity "Sighting" {
  ask_delete = function(self, s)
    self:dialog { title = "Delete this sighting?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        remove_sighting(s)
        self:finish()
      end }
  end,
  view = function(self)
    local s = sighting_by_id(self.intent.id)
    if not s then return column { toolbar { "Sighting", up = true }, text { "This sighting was deleted", id = "gone" } } end
    local species = species_by_id(s.species)
    return column {
      toolbar { species.name, up = true, subtitle = species.latin, actions = {
        { "Edit", id = "edit", on_click = function() self:start("Edit", { id = s.id }) end },
        { "Delete", id = "delete", on_click = function() self:ask_delete(s) end } } },
      text { s.count .. (s.count == 1 and " bird" or " birds") .. (s.heard and ", only heard" or ""), id = "birds", size = "large" },
      text { place_name(s.place), id = "at_place" },
      text { day_text(s.day), id = "on_day" },
      s.note and text { s.note, id = "note_text" },
      s.starred and text { "★ One of your favourites", id = "favourite" },
      button { "About this species", id = "about_species", on_click = function() self:start("Species", { id = s.species }) end },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local s = intent.id and sighting_by_id(intent.id)
    self.sighting = s
    self.draft = saved and saved.draft or { species = s and s.species, place = s and s.place, count = s and s.count or 1, day = s and s.day or today(),
      heard = s and s.heard or false }
    self.original = saved and saved.original or copy(self.draft)
  end,
  save = function(self, out) out.draft, out.original = self.draft, self.original end,
  changed = function(self)
    for _, key in ipairs { "species", "place", "count", "day", "heard" } do
      if self.draft[key] ~= self.original[key] then return true end
    end
    return self:text("note") ~= (self.sighting and self.sighting.note or "")
  end,
  leave = function(self)
    if not self:changed() then return self:finish() end
    self:dialog { title = "Discard your changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
  end,
  back = function(self)
    self:leave()
    return true
  end,
  step = function(self, n)
    self.draft.count = math.max(1, self.draft.count + n)
    if bug("discard_keeps_count") and self.sighting then self.sighting.count = self.draft.count end
  end,
  choose_species = function(self)
    self:dialog { title = "Species", items = each(SPECIES, function(s) return s.name end), on_item = function(i) self.draft.species = SPECIES[i].id end }
  end,
  choose_place = function(self)
    local names = each(storage.places, function(p) return p.name end)
    table.insert(names, "No place")
    self:dialog { title = "Where", items = names, on_item = function(i) self.draft.place = storage.places[i] and storage.places[i].id or nil end }
  end,
  choose_day = function(self)
    self:dialog { title = "When", items = { "Today", "Yesterday", "A week ago", "A month ago" },
      on_item = function(i) self.draft.day = today() - ({ 0, 1, 7, 30 })[i] * DAY end }
  end,
  store = function(self)
    local d, s = self.draft, self.sighting
    if not d.species then return toast("Which bird was it?") end
    if not s then
      s = { id = new_id() }
      table.insert(storage.sightings, s)
      seen_more(d.place, 1)
    elseif s.place ~= d.place then
      seen_more(d.place, 1)
      if not bug("place_left_counts") then seen_more(s.place, -1) end
    end
    s.species, s.place, s.count, s.day, s.heard = d.species, d.place, d.count, d.day, d.heard or nil
    local note = trim(self:text("note"))
    s.note = note ~= "" and note or nil
    self:finish()
  end,
  view = function(self)
    local d = self.draft
    return column {
      toolbar { self.intent.id and "Edit sighting" or "New sighting", up = function() self:leave() end },
      scroll {
        button { d.species and species_by_id(d.species).name or "Choose a species", id = "choose_species", on_click = function() self:choose_species() end },
        row {
          button { "-", id = "fewer", enabled = d.count > 1, on_click = function() self:step(-1) end },
          text { d.count .. (d.count == 1 and " bird" or " birds"), id = "count", weight = 1 },
          button { "+", id = "more", on_click = function() self:step(1) end },
        },
        button { place_name(d.place), id = "choose_place", on_click = function() self:choose_place() end },
        button { day_text(d.day), id = "choose_day", on_click = function() self:choose_day() end },
        check { "Only heard", id = "heard", checked = d.heard, on_change = function(on) d.heard = on end },
        field { id = "note", hint = "Note", text = self.sighting and self.sighting.note or "", input = "multiline" },
        button { "Save", id = "save", on_click = function() self:store() end },
      },
    }
  end,
}

-- ---- species ----

activity "LifeList" {
  create = function(self, intent, saved)
    self.only_seen = saved and saved.only_seen or false
  end,
  save = function(self, out)
    if not bug("only_seen_turns") then out.only_seen = self.only_seen end
  end,
  view = function(self)
    local shown = filter(SPECIES, function(s) return not self.only_seen or #proofs(s.id, prefs.count_heard) > 0 end)
    return column {
      toolbar { "Life list", up = true, subtitle = life_count(prefs.count_heard) .. " of " .. #SPECIES .. " species" },
      switch { "Only those I have", id = "only_seen", checked = self.only_seen, on_change = function(on) self.only_seen = on end },
      list { id = "life", items = shown, empty = text { "Nothing seen yet", id = "empty" },
        row = function(s)
          local times = #proofs(s.id, prefs.count_heard)
          return row { text { s.name, id = "life_name", weight = 1 }, text { times > 0 and "✓ " .. times or "-", id = "times" } }
        end,
        on_item_click = function(_, s) self:start("Species", { id = s.id }) end },
    }
  end,
}

activity "Species" {
  first = function(self, all)
    local first = all[1]
    if bug("first_is_first_entered") then return first end
    for _, s in ipairs(all) do
      if s.day < first.day then first = s end
    end
    return first
  end,
  view = function(self)
    local species, all = species_by_id(self.intent.id), proofs(self.intent.id, true)
    if not species then return column { toolbar { "Species", up = true }, text { "Unknown species", id = "unknown" } } end
    local most = 0
    for _, s in ipairs(all) do most = math.max(most, s.count) end
    return column {
      toolbar { species.name, up = true, subtitle = species.latin },
      text { "Family: " .. species.family, id = "family" },
      #all > 0 and text { "First: " .. day_text(self:first(all).day), id = "first" },
      #all > 0 and text { "Most at once: " .. most, id = "most" },
      button { "Read more", id = "read_more", on_click = function()
        self:start_implicit { action = "VIEW", uri = "https://birds.example.org/" .. species.id }
      end },
      list { id = "of_species", items = all, empty = text { "Not in your journal yet", id = "empty" },
        row = function(s) return text { s.count .. " at " .. place_name(s.place) .. ", " .. day_text(s.day), id = "of_species_row" } end,
        on_item_click = function(_, s) self:start("Sighting", { id = s.id }) end },
    }
  end,
}

-- ---- places ----

activity "Places" {
  taken = function(self, name, but)
    return find(storage.places, function(p) return p ~= but and p.name:lower() == name:lower() end)
  end,
  ask_name = function(self, place)
    local before = place and place.name or ""
    self:set_text("place_name", before)
    self:dialog { title = place and "Rename place" or "New place", cancel = "Cancel", ok = "Save",
      view = function() return column { field { id = "place_name", hint = "Name", text = before } } end,
      on_ok = function()
        local name = trim(self:text("place_name"))
        if name == "" then return true end
        if self:taken(name, place) and not (place and bug("rename_to_taken")) then
          toast("There is already a place " .. name)
          return true
        end
        if place then place.name = name else table.insert(storage.places, { id = new_id(), name = name, seen = 0 }) end
      end }
  end,
  ask_delete = function(self, place)
    self:dialog { title = "Delete " .. place.name .. "?", message = "Its sightings stay in the journal", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local _, i = place_by_id(place.id)
        if not i then return end
        table.remove(storage.places, i)
        for _, s in ipairs(storage.sightings) do
          if s.place == place.id then s.place = nil end
        end
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Places", up = true },
      list { id = "place_list", items = storage.places, empty = text { "No places", id = "empty" },
        row = function(p) return row { text { p.name, id = "place", weight = 1 }, text { p.seen .. (p.seen == 1 and " sighting" or " sightings"), id = "seen" } } end,
        on_item_click = function(_, p) self:ask_name(p) end,
        on_item_long_click = function(_, p) self:ask_delete(p) end },
      fab { id = "add_place", desc = "New place", on_click = function() self:ask_name(nil) end },
    }
  end,
}

-- ---- the rest ----

activity "Statistics" {
  view = function(self)
    local birds, by_day, best, heard_too = 0, {}, nil, prefs.count_heard or bug("statistics_hear")
    for _, s in ipairs(storage.sightings) do
      birds = birds + s.count
      local day = date(s.day, "%Y-%m-%d")
      by_day[day] = (by_day[day] or 0) + 1
      if not best or by_day[day] > by_day[date(best, "%Y-%m-%d")] then best = s.day end
    end
    return column {
      toolbar { "Statistics", up = true },
      text { "Sightings: " .. #storage.sightings, id = "total" },
      text { "Birds counted: " .. birds, id = "birds" },
      text { "Species on the life list: " .. life_count(heard_too), id = "species_total" },
      text { "Best day: " .. (best and day_text(best) or "none yet"), id = "best_day" },
    }
  end,
}

activity "Export" {
  create = function(self, intent, saved) self.kind = saved and saved.kind or 1 end,
  save = function(self, out) out.kind = self.kind end,
  lines = function(self)
    local chosen = bug("export_everything") and matching("") or matching(self.intent.query, self.intent.place)
    return each(chosen, function(s)
      local name, day = species_by_id(s.species).name, date(s.day, "%Y-%m-%d")
      if self.kind == 2 then return day .. ";" .. name .. ";" .. s.count .. ";" .. place_name(s.place) end
      return day .. ": " .. s.count .. " " .. name .. ", " .. place_name(s.place)
    end)
  end,
  view = function(self)
    local lines = self:lines()
    return column {
      toolbar { "Export", up = true, subtitle = self.intent.place and place_name(self.intent.place) or "All places" },
      radios { id = "kind", items = { "Plain text", "CSV" }, selected = self.kind, on_change = function(i) self.kind = i end },
      row {
        button { "Copy", id = "copy", enabled = #lines > 0, on_click = function()
          clipboard.set(table.concat(lines, "\n"))
          toast("Copied")
        end },
        button { "Share", id = "share", enabled = #lines > 0, on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
      },
      text { "Lines: " .. #lines, id = "line_count" },
      list { id = "preview", items = lines, empty = text { "Nothing to export", id = "empty" }, row = function(s) return text { s, id = "line" } end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Heard birds count for the life list", id = "count_heard", checked = prefs.count_heard, on_change = function(on) prefs.count_heard = on end },
      switch { "Dates as year-month-day", id = "iso_dates", checked = prefs.iso_dates, on_change = function(on) prefs.iso_dates = on end },
      text { "Version 2.4", id = "version", size = "small" },
    }
  end,
}
