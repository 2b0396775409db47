-- Bandstand: the songs of a band, their keys and lengths, and the set lists made of them.
--
-- Keys are kept as 0 (C) to 11 (B). A set is a list of places { song, shift }: the shift transposes the song for that
-- evening only. Between two songs of a set the band takes a breath (see Settings); it counts into the length.

app {
  package = "net.bandstand.app",
  title = "Bandstand",
  main = "Main",
  bugs = { "import_twice", "select_all_hidden", "stage_names", "swap_keys", "over_an_hour", "shared_copy",
    "undo_places", "stale_heading" },
  application = function()
    if storage.songs then return end
    storage.next_id = 200
    storage.songs = {
      { id = 1, title = "Harbour Lights", artist = "The Originals", key = 0, bpm = 96, secs = 225, tag = "slow" },
      { id = 2, title = "Brown Shoes", artist = "Kitty Lane", key = 9, bpm = 132, secs = 188, tag = "dance" },
      { id = 3, title = "Midnight Tram", artist = "The Originals", key = 4, bpm = 118, secs = 251, tag = "dance" },
      { id = 4, title = "A Letter Home", artist = "Sam Boyle", key = 7, bpm = 74, secs = 302, tag = "slow" },
      { id = 5, title = "Windmill Waltz", artist = "Traditional", key = 2, bpm = 150, secs = 197, tag = "waltz" },
      { id = 6, title = "Copper Kettle Blues", artist = "Old Jim", key = 10, bpm = 88, secs = 404, tag = "blues" },
      { id = 7, title = "Saturday Again", artist = "Kitty Lane", key = 5, bpm = 140, secs = 214, tag = "dance" },
      { id = 8, title = "Nine Bells", artist = "The Originals", key = 11, bpm = 102, secs = 268, tag = "slow" },
      { id = 9, title = "Back to the Mill", artist = "Old Jim", key = 3, bpm = 110, secs = 366, tag = "blues" },
    }
    storage.sets = {
      { id = 101, name = "Town hall, April", places = { { song = 3, shift = 0 }, { song = 1, shift = 2 }, { song = 2, shift = 0 }, { song = 4, shift = 0 } } },
      { id = 102, name = "Anna's wedding", places = { { song = 5, shift = 0 }, { song = 7, shift = -1 }, { song = 6, shift = 0 },
        { song = 9, shift = 0 }, { song = 4, shift = 0 }, { song = 1, shift = 0 }, { song = 8, shift = 0 }, { song = 3, shift = 0 },
        { song = 6, shift = 0 }, { song = 9, shift = 0 }, { song = 2, shift = 0 } } },
    }
    prefs.names = 1
    prefs.flats = true
    prefs.breath = 15
    prefs.show_bpm = false
  end,
}

local MAX_SONGS, MAX_SETS, MAX_PLACES = 80, 15, 30
local FLATS = { "C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B" }
local SHARPS = { "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B" }
local GERMAN = { Bb = "B", ["A#"] = "Ais", B = "H" }
local SORTS = { "Title", "Artist", "Tempo" }
local TAGS = { "slow", "dance", "waltz", "blues", "new" }

-- The song pack that comes with the app.
local PACK = {
  { title = "Auld Lang Syne", artist = "Traditional", key = 5, bpm = 80, secs = 170, tag = "slow" },
  { title = "Danny Boy", artist = "Traditional", key = 0, bpm = 72, secs = 195, tag = "slow" },
  { title = "Windmill Waltz", artist = "Traditional", key = 2, bpm = 150, secs = 197, tag = "waltz" },
}

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function song_of(id) return find(storage.songs, function(s) return s.id == id end) end
local function set_of(id) return find(storage.sets, function(s) return s.id == id end) end

local function international(key) return (prefs.flats and FLATS or SHARPS)[key % 12 + 1] end
local function key_name(key)
  local name = international(key)
  return prefs.names == 2 and GERMAN[name] or name
end

local function length(secs) return format("%d:%02d", secs // 60, secs % 60) end

local function long_length(secs)
  if secs < 3600 then return length(secs) end
  if bug("over_an_hour") then return length(secs % 3600) end
  return format("%d:%02d:%02d", secs // 3600, secs // 60 % 60, secs % 60)
end

local function parse_length(s)
  local minutes, secs = s:match("^(%d+):(%d%d)$")
  if minutes and tonumber(secs) < 60 then return tonumber(minutes) * 60 + tonumber(secs) end
  return nil
end

local function set_secs(set)
  local total = 0
  for _, place in ipairs(set.places) do
    local song = song_of(place.song)
    total = total + (song and song.secs or 0)
  end
  return total + math.max(0, #set.places - 1) * prefs.breath
end

local function set_info(set)
  return (#set.places == 1 and "1 song" or #set.places .. " songs") .. ", " .. long_length(set_secs(set))
end

local function sorted(songs, by)
  local result = copy(songs)
  table.sort(result, function(a, b)
    if by == 3 then return a.bpm < b.bpm end
    if by == 2 and a.artist ~= b.artist then return a.artist:lower() < b.artist:lower() end
    return a.title:lower() < b.title:lower()
  end)
  return result
end

-- Takes songs out of the book and out of all sets; what is returned undoes it.
local function remove_songs(ids)
  local songs, places = {}, {}
  for i = #storage.songs, 1, -1 do
    if ids[tostring(storage.songs[i].id)] then table.insert(songs, 1, table.remove(storage.songs, i)) end
  end
  for _, set in ipairs(storage.sets) do
    for i = #set.places, 1, -1 do
      if ids[tostring(set.places[i].song)] then
        table.insert(places, 1, { set = set.id, at = i, place = set.places[i] })
        table.remove(set.places, i)
      end
    end
  end
  return function()
    for _, song in ipairs(songs) do table.insert(storage.songs, song) end
    if bug("undo_places") then return end
    for _, p in ipairs(places) do
      local set = set_of(p.set)
      if set then table.insert(set.places, math.min(p.at, #set.places + 1), p.place) end
    end
  end
end

-- ---- songs and sets ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.sort, self.query, self.tag = saved.tab or 1, saved.sort or 1, saved.query or "", saved.tag
    self.marked = saved.marked            -- nil: nothing is being selected; else a set of ids as texts
  end,
  save = function(self, out)
    out.tab, out.sort, out.query, out.tag, out.marked = self.tab, self.sort, self.query, self.tag, self.marked
  end,

  back = function(self)
    if not self.marked then return false end
    self.marked = nil
    return true
  end,

  shown = function(self)
    local query = self.query:lower()
    return sorted(filter(storage.songs, function(s)
      if self.tag and s.tag ~= self.tag then return false end
      return query == "" or contains(s.title:lower(), query) or contains(s.artist:lower(), query)
    end), self.sort)
  end,

  -- Selection

  marks = function(self)
    local count = 0
    for _ in pairs(self.marked or {}) do count = count + 1 end
    return count
  end,

  toggle = function(self, song)
    local id = tostring(song.id)
    self.marked = self.marked or {}
    self.marked[id] = not self.marked[id] or nil
    if self:marks() == 0 then self.marked = nil end
  end,

  -- What is no longer shown is no longer selected.
  prune = function(self)
    if not self.marked then return end
    local kept
    for _, song in ipairs(self:shown()) do
      local id = tostring(song.id)
      if self.marked[id] then
        kept = kept or {}
        kept[id] = true
      end
    end
    self.marked = kept
  end,

  select_all = function(self)
    for _, song in ipairs(bug("select_all_hidden") and storage.songs or self:shown()) do self.marked[tostring(song.id)] = true end
  end,

  delete = function(self, ids)
    local count = 0
    for _ in pairs(ids) do count = count + 1 end
    local undo = remove_songs(ids)
    self.marked = nil
    self:snackbar(count == 1 and "1 song deleted" or count .. " songs deleted", "Undo", undo)
  end,

  ask_add = function(self)
    if #storage.sets == 0 then return toast("There are no sets yet") end
    self:dialog { title = "Add to", items = each(storage.sets, function(s) return s.name end), on_item = function(i)
      local set = storage.sets[i]
      for _, song in ipairs(self:shown()) do
        if self.marked and self.marked[tostring(song.id)] and #set.places < MAX_PLACES then
          table.insert(set.places, { song = song.id, shift = 0 })
        end
      end
      toast("Added to " .. set.name)
      self.marked = nil
    end }
  end,

  -- Sets

  ask_set_name = function(self, set)
    self:dialog { title = set and "Rename set" or "New set", ok = "Save", cancel = "Cancel",
      view = function() return column { field { id = "set_name", hint = "Name", text = set and set.name or "", max = 30 } } end,
      on_ok = function()
        local name = trim(self:text("set_name"))
        if name == "" then toast("Give it a name") return true end
        if set then set.name = name return end
        if #storage.sets >= MAX_SETS then return toast("Too many sets") end
        table.insert(storage.sets, { id = new_id(), name = name, places = {} })
      end }
  end,

  copy_set = function(self, set)
    if #storage.sets >= MAX_SETS then return toast("Too many sets") end
    local places = bug("shared_copy") and set.places or each(set.places, function(p) return copy(p) end)
    table.insert(storage.sets, { id = new_id(), name = set.name .. " (copy)", places = places })
  end,

  set_context = function(self, set)
    self:popup {
      { "Rename", id = "rename_set", on_click = function() self:ask_set_name(set) end },
      { "Make a copy", id = "copy_set", on_click = function() self:copy_set(set) end },
      { "Delete", id = "delete_set", on_click = function()
        local i = index_of(storage.sets, set)
        if i then table.remove(storage.sets, i) end
      end },
    }
  end,

  -- The rest

  import = function(self)
    local count = 0
    for _, song in ipairs(PACK) do
      local known = find(storage.songs, function(s) return s.title == song.title and s.artist == song.artist end)
      if (not known or bug("import_twice")) and #storage.songs < MAX_SONGS then
        local new = copy(song)
        new.id = new_id()
        table.insert(storage.songs, new)
        count = count + 1
      end
    end
    self:dialog { title = "Song pack", message = count == 0 and "You have all of its songs" or count .. " new songs", ok = "OK" }
  end,

  ask_tag = function(self)
    local items = copy(TAGS)
    table.insert(items, 1, "Everything")
    self:dialog { title = "Show only", items = items, on_item = function(i)
      self.tag = i > 1 and items[i] or nil
      self:prune()
    end }
  end,

  menu = function(self)
    return {
      { "Sort by", id = "sort", on_click = function()
        self:dialog { title = "Sort by", items = SORTS, checked = self.sort, on_item = function(i) self.sort = i end }
      end },
      { "Filter by tag", id = "filter", on_click = function() self:ask_tag() end },
      { "Import song pack", id = "import", on_click = function() self:import() end },
      { "Metronome", id = "metronome", on_click = function() self:start("Metronome") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  song_row = function(self, song)
    local marked = self.marked and self.marked[tostring(song.id)]
    return row { id = "song_row", selected = marked and true or nil,
      self.marked and text { marked and "☑" or "☐", id = "mark" },
      column { weight = 1, text { song.title, id = "title", size = "large" },
        text { song.artist .. (prefs.show_bpm and ", " .. song.bpm .. " bpm" or ""), id = "artist", size = "small" } },
      column { text { key_name(song.key), id = "key" }, text { length(song.secs), id = "length", size = "small" } } }
  end,

  songs_tab = function(self)
    local songs = self:shown()
    return {
      field { id = "query", hint = "Search songs", text = self.query, on_change = function(s)
        self.query = trim(s)
        self:prune()
      end },
      self.tag and row { text { "Tag: " .. self.tag, id = "tag_chip", weight = 1 },
        image_button { id = "clear_tag", desc = "All tags", on_click = function() self.tag = nil end } },
      list { id = "songs", items = songs, empty = text { "No songs found", id = "no_songs" },
        row = function(song) return self:song_row(song) end,
        on_item_click = function(_, song)
          if self.marked then self:toggle(song) else self:start("Song", { id = song.id }) end
        end,
        on_item_long_click = function(_, song) self:toggle(song) end,
        on_item_swipe = function(i, direction)
          local song = self:shown()[i]
          if direction == "left" and song and not self.marked then self:delete { [tostring(song.id)] = true } end
        end },
      not self.marked and fab { id = "add_song", desc = "New song", on_click = function() self:start("EditSong") end },
    }
  end,

  sets_tab = function(self)
    return {
      list { id = "sets", items = storage.sets, empty = text { "No sets yet", id = "no_sets" },
        row = function(set)
          return column { id = "set_row", text { set.name, id = "name", size = "large" }, text { set_info(set), id = "info", size = "small" } }
        end,
        on_item_click = function(_, set) self:start("Set", { id = set.id }) end,
        on_item_long_click = function(_, set) self:set_context(set) end },
      fab { id = "add_set", desc = "New set", on_click = function() self:ask_set_name() end },
    }
  end,

  bar = function(self)
    if self.marked then
      return toolbar { self:marks() .. " selected", up = function() self.marked = nil end,
        actions = { { "Select all", id = "select_all", on_click = function() self:select_all() end },
          { "Add to set", id = "add_to_set", on_click = function() self:ask_add() end },
          { "Delete", id = "delete_songs", on_click = function() self:delete(self.marked) end } } }
    end
    return toolbar { "Bandstand", subtitle = self.tab == 1 and #self:shown() .. " songs" or #storage.sets .. " sets" }
  end,

  view = function(self)
    return column {
      self:bar(),
      tabs { id = "tabs", titles = { "Songs", "Sets" }, selected = self.tab, on_change = function(i) self.tab, self.marked = i, nil end },
      self.tab == 1 and self:songs_tab() or self:sets_tab(),
    }
  end,
}

-- ---- one song ----

activity "Song" {
  create = function(self, intent)
    local song = song_of(intent.id)
    self.heading = song and song.title
  end,

  sets_with = function(self, song)
    local names = {}
    for _, set in ipairs(storage.sets) do
      if find(set.places, function(p) return p.song == song.id end) then table.insert(names, set.name) end
    end
    return #names > 0 and "In: " .. table.concat(names, ", ") or "In no set"
  end,

  view = function(self)
    local song = song_of(self.intent.id)
    if not song then return column { toolbar { "Song", up = true }, text { "This song was deleted", id = "gone" } } end
    local function chord(n) return key_name(song.key + n) end
    return column {
      toolbar { bug("stale_heading") and self.heading or song.title, up = true, subtitle = song.artist,
        actions = { { "Edit", id = "edit", on_click = function() self:start("EditSong", { id = song.id }) end } } },
      text { "Key of " .. key_name(song.key), id = "key", size = "large" },
      text { song.bpm .. " bpm, " .. length(song.secs) .. ", " .. song.tag, id = "facts" },
      text { "Chords: " .. chord(0) .. "  " .. chord(5) .. "  " .. chord(7), id = "chords" },
      text { self:sets_with(song), id = "in_sets" },
      button { "Metronome", id = "metronome", on_click = function() self:start("Metronome", { bpm = song.bpm }) end },
    }
  end,
}

activity "EditSong" {
  create = function(self, intent, saved)
    local song = intent.id and song_of(intent.id)
    self.key = saved and saved.key or song and song.key or 0
    self.tag = saved and saved.tag or song and index_of(TAGS, song.tag) or #TAGS
  end,
  save = function(self, out) out.key, out.tag = self.key, self.tag end,

  store = function(self)
    local title, artist = trim(self:text("title")), trim(self:text("artist"))
    local secs, bpm = parse_length(trim(self:text("length"))), tonumber(self:text("bpm"))
    if title == "" then return toast("Every song has a title") end
    if not secs then return toast("How long? Like 3:25") end
    if not bpm or bpm < 30 or bpm > 260 then return toast("Tempo from 30 to 260") end
    local song = self.intent.id and song_of(self.intent.id)
    if not song then
      if #storage.songs >= MAX_SONGS then return toast("The book is full") end
      song = { id = new_id() }
      table.insert(storage.songs, song)
    end
    song.title, song.artist = title, artist ~= "" and artist or "Unknown"
    song.secs, song.bpm, song.key, song.tag = secs, math.floor(bpm), self.key, TAGS[self.tag]
    self:finish()
  end,

  view = function(self)
    local song = self.intent.id and song_of(self.intent.id)
    local keys = {}
    for i = 0, 11 do keys[i + 1] = key_name(i) end
    return column {
      toolbar { song and "Edit song" or "New song", up = true,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "title", hint = "Title", text = song and song.title or "", max = 40 },
        field { id = "artist", hint = "Artist", text = song and song.artist or "", max = 40 },
        field { id = "length", hint = "Length (m:ss)", text = song and length(song.secs) or "", max = 5 },
        field { id = "bpm", hint = "Tempo (bpm)", input = "number", text = song and tostring(song.bpm) or "", max = 3 },
        text "Key",
        spinner { id = "key", items = keys, selected = self.key + 1, on_change = function(i) self.key = i - 1 end },
        text "Tag",
        spinner { id = "tag", items = TAGS, selected = self.tag, on_change = function(i) self.tag = i end },
      },
    }
  end,
}

-- ---- one set ----

activity "Set" {
  move = function(self, set, i, by)
    local j = i + by
    if j < 1 or j > #set.places then return end
    local a, b = set.places[i], set.places[j]
    if bug("swap_keys") then
      a.song, b.song = b.song, a.song
    else
      set.places[i], set.places[j] = b, a
    end
  end,

  ask_place = function(self, set, i)
    local place = set.places[i]
    local song = song_of(place.song)
    self:popup {
      { "Move up", id = "move_up", enabled = i > 1, on_click = function() self:move(set, i, -1) end },
      { "Move down", id = "move_down", enabled = i < #set.places, on_click = function() self:move(set, i, 1) end },
      { "Half a tone up", id = "tone_up", on_click = function() place.shift = (place.shift + 6) % 12 - 5 end },
      { "Half a tone down", id = "tone_down", on_click = function() place.shift = (place.shift + 5) % 12 - 6 end },
      { "Show song", id = "show_song", on_click = function() if song then self:start("Song", { id = song.id }) end end },
      { "Take out", id = "take_out", on_click = function() table.remove(set.places, i) end },
    }
  end,

  ask_song = function(self, set)
    if #set.places >= MAX_PLACES then return toast("Nobody plays that long") end
    local songs = sorted(storage.songs, 1)
    self:dialog { title = "Add a song", items = each(songs, function(s) return s.title end),
      on_item = function(i) table.insert(set.places, { song = songs[i].id, shift = 0 }) end }
  end,

  view = function(self)
    local set = set_of(self.intent.id)
    if not set then return column { toolbar { "Set", up = true }, text { "This set was deleted", id = "gone" } } end
    return column {
      toolbar { set.name, up = true, subtitle = set_info(set),
        actions = { { "Stage", id = "stage", on_click = function()
          if #set.places == 0 then return toast("Add songs first") end
          self:start("Stage", { id = set.id })
        end } } },
      list { id = "places", items = set.places, empty = text { "Nothing to play yet", id = "no_places" },
        row = function(place, i)
          local song = song_of(place.song)
          local key = song and key_name(song.key + place.shift) or "?"
          if place.shift ~= 0 then key = key .. format(" (%+d)", place.shift) end
          return row { id = "place_row", text { i .. ".", id = "number" },
            text { song and song.title or "?", id = "title", weight = 1 },
            text { key, id = "key" } }
        end,
        on_item_click = function(i) self:ask_place(set, i) end },
      fab { id = "add_place", desc = "Add a song", on_click = function() self:ask_song(set) end },
    }
  end,
}

-- Big letters for the stage, one song at a time.
activity "Stage" {
  create = function(self, intent, saved) self.at = saved and saved.at or 1 end,
  save = function(self, out) out.at = self.at end,

  view = function(self)
    local set = set_of(self.intent.id)
    local place = set and set.places[self.at]
    local song = place and song_of(place.song)
    if not song then return column { toolbar { "Stage", up = true }, text { "Nothing to play", id = "gone" } } end
    local next_place = set.places[self.at + 1]
    local next_song = next_place and song_of(next_place.song)
    local key = song.key + place.shift
    return column {
      toolbar { set.name, up = true, subtitle = self.at .. " of " .. #set.places },
      text { song.title, id = "stage_title", size = "large" },
      text { "in " .. (bug("stage_names") and international(key) or key_name(key)), id = "stage_key", size = "large" },
      text { song.bpm .. " bpm", id = "stage_bpm" },
      text { next_song and "Next: " .. next_song.title or "Last song", id = "stage_next", size = "small" },
      row {
        button { "Back", id = "previous", enabled = self.at > 1, on_click = function() self.at = self.at - 1 end },
        button { "Next", id = "next", enabled = self.at < #set.places, on_click = function() self.at = self.at + 1 end },
      },
    }
  end,
}

-- ---- tools ----

activity "Metronome" {
  create = function(self, intent, saved)
    self.bpm = saved and saved.bpm or intent.bpm or 100
    self.beats = saved and saved.beats or 4
    self.taps = {}
  end,
  save = function(self, out) out.bpm, out.beats = self.bpm, self.beats end,

  tap = function(self)
    table.insert(self.taps, now())
    local n = #self.taps
    if n < 2 then return end
    local step = self.taps[n] - self.taps[n - 1]
    if step > 0 then self.bpm = math.max(30, math.min(260, 60000 // step)) end
  end,

  view = function(self)
    return column {
      toolbar { "Metronome", up = true },
      text { self.bpm .. " bpm", id = "tempo", size = "large" },
      slider { id = "tempo_slider", min = 30, max = 260, step = 2, value = self.bpm, on_change = function(v) self.bpm = v end },
      text { self.beats .. "/4", id = "beats" },
      radios { id = "beat_choice", items = { "2/4", "3/4", "4/4" }, selected = self.beats - 1, on_change = function(i) self.beats = i + 1 end },
      canvas { id = "tap_area", height = 400, desc = "Tap the tempo here", on_tap = function() self:tap() end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Note names", id = "names_title" },
        radios { id = "names", items = { "International (B, Bb)", "German (H, B)" }, selected = prefs.names, on_change = function(i) prefs.names = i end },
        switch { "Flats instead of sharps", id = "flats", checked = prefs.flats, on_change = function(b) prefs.flats = b end },
        switch { "Tempo in the list", id = "show_bpm", checked = prefs.show_bpm, on_change = function(b) prefs.show_bpm = b end },
        text { "Breath between songs: " .. prefs.breath .. " s", id = "breath_label" },
        slider { id = "breath", min = 0, max = 60, step = 5, value = prefs.breath, on_change = function(v) prefs.breath = v end },
        button { "About", id = "about", on_click = function()
          self:dialog { title = "Bandstand 1.9", message = "Made by a drummer who forgets keys.", ok = "OK" }
        end },
      },
    }
  end,
}
