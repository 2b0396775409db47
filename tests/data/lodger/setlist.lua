-- Encore: what a band plays, and in which order.
--
-- Songs have a key and a length. Sets are made of songs and breaks; a song can be played in another key in a set, which does
-- not change the song. The stage shows one song at a time.

app {
  package = "org.norn.lodger.setlist",
  title = "Encore",
  main = "Main",
  bugs = { "old_length", "key_past_b", "down_two", "archive_keys", "picks_forgotten", "undo_at_end", "form_kept", "gap_at_break" },
  application = function()
    if storage.songs then return end
    local today = now() // 86400000
    storage.next_id = 80
    storage.songs = {
      { id = 1, title = "The Long Road", artist = "Own", key = 7, secs = 225, bpm = 110, note = "Starts with drums" },
      { id = 2, title = "Paper Moon", artist = "Own", key = 11, secs = 190, bpm = 95, note = "" },
      { id = 3, title = "Harbour Lights", artist = "Trad.", key = 2, secs = 260, bpm = 80, note = "" },
      { id = 4, title = "Run", artist = "Own", key = 4, secs = 175, bpm = 150, note = "Fast" },
      { id = 5, title = "The Fox", artist = "Trad.", key = 9, secs = 205, bpm = 120, note = "" },
      { id = 6, title = "Goodnight", artist = "Own", key = 0, secs = 240, bpm = 70, note = "" },
    }
    storage.sets = {
      { id = 11, name = "Friday", place = "The Anchor", day = today + 3, entries = {
        { id = 21, song = 4, shift = 0, secs = 175 }, { id = 22, song = 1, shift = 2, secs = 225 },
        { id = 24, song = 2, shift = 0, secs = 190 }, { id = 25, song = 6, shift = 0, secs = 240 } } },
      { id = 12, name = "Street party", place = "", entries = {
        { id = 26, song = 5, shift = 0, secs = 205 }, { id = 27, song = 3, shift = 0, secs = 260 } } },
      { id = 13, name = "Wedding", place = "Town hall", day = today - 30, archived = true, entries = {
        { id = 28, song = 3, shift = -1, secs = 260 }, { id = 29, pause = 30 }, { id = 30, song = 6, shift = 0, secs = 240 } } },
    }
    prefs.gap = 30
    prefs.flats = false
    prefs.bpm = true
    prefs.order = 1
  end,
}

local SHARPS = { "C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B" }
local FLATS = { "C", "D♭", "D", "E♭", "E", "F", "G♭", "G", "A♭", "A", "B♭", "B" }
local ORDERS = { "Title", "Length", "Tempo" }
local MAX_SHIFT, MAX_GAP = 6, 120
local MIN_BPM, MAX_BPM = 40, 240

local last_form = nil

local function today() return now() // 86400000 end

-- Above the page, with the keyboard out of the way.
local function tell(self, text)
  self:hide_keyboard()
  self:snackbar(text)
end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function song_of(id) return by_id(storage.songs, id) end
local function set_of(id) return by_id(storage.sets, id) end
local function without(list, id) return filter(list, function(x) return x.id ~= id end) end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end
local function length(secs) return format("%d:%02d", secs // 60, secs % 60) end
local function day_text(set) return set.day and date(set.day * 86400000, "%Y-%m-%d") or "No date" end

local function key_name(key)
  local names = prefs.flats and FLATS or SHARPS
  if bug("key_past_b") then return names[key + 1] or "" end
  return names[key % 12 + 1]
end

local function songs_in(set) return filter(set.entries, function(e) return e.song end) end

-- All songs, and a gap between two that follow each other; none before or after a break.
local function total(set)
  local secs, last = 0, nil
  for _, e in ipairs(set.entries) do
    if e.song then
      secs = secs + (bug("old_length") and e.secs or song_of(e.song).secs)
      if last and (last.song or bug("gap_at_break")) then secs = secs + prefs.gap end
    end
    last = e
  end
  return secs
end

-- "The" at the beginning does not count.
local function sort_title(song)
  local t = song.title:lower()
  return starts_with(t, "the ") and t:sub(5) or t
end

local function sorted_songs(query)
  local q = trim(query):lower()
  local result = filter(storage.songs, function(s) return contains((s.title .. "\n" .. s.artist):lower(), q) end)
  table.sort(result, function(a, b)
    if prefs.order == 2 and a.secs ~= b.secs then return a.secs < b.secs end
    if prefs.order == 3 and a.bpm ~= b.bpm then return a.bpm < b.bpm end
    return sort_title(a) < sort_title(b)
  end)
  return result
end

local function song_line(s)
  return s.artist .. (s.artist ~= "" and " · " or "") .. key_name(s.key) .. " · " .. length(s.secs) .. (prefs.bpm and " · " .. s.bpm .. " bpm" or "")
end

activity "Main" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
    self.query = saved and saved.query or ""
  end,

  save = function(self, out) out.tab, out.query = self.tab, self.query end,

  sets_page = function(self)
    local sets = filter(storage.sets, function(s) return not s.archived end)
    table.sort(sets, function(a, b)
      if (a.day or 0) ~= (b.day or 0) then return (a.day or math.huge) < (b.day or math.huge) end
      return a.id < b.id
    end)
    return {
      list { id = "sets", weight = 1, items = sets, empty = text { "No sets yet", id = "empty" },
        row = function(s)
          return column { id = "set_row", text { s.name, id = "name", size = "large" },
            text { day_text(s) .. (s.place ~= "" and " · " .. s.place or ""), id = "when", size = "small" },
            text { plural(#songs_in(s), "song") .. " · " .. length(total(s)), id = "line", size = "small" } }
        end,
        on_item_click = function(_, s) self:start("Set", { id = s.id }) end },
    }
  end,

  songs_page = function(self)
    return {
      field { id = "query", hint = "Title or artist", max = 30, text = self.query, on_change = function(s) self.query = s end },
      list { id = "songs", weight = 1, items = sorted_songs(self.query), empty = text { "No songs found", id = "empty" },
        row = function(s)
          return column { id = "song_row", text { s.title, id = "title", size = "large" }, text { song_line(s), id = "line", size = "small" } }
        end,
        on_item_click = function(_, s) self:start("Song", { id = s.id }) end },
    }
  end,

  menu = function(self)
    return {
      self.tab == 2 and { "Sort by", id = "sort", on_click = function()
        self:dialog { title = "Sort by", items = ORDERS, checked = prefs.order, cancel = "Cancel", on_item = function(i) prefs.order = i end }
      end } or { "Archive", id = "archive", on_click = function() self:start("Archive") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Encore" },
      tabs { id = "tabs", titles = { "Sets", "Songs" }, selected = self.tab, on_change = function(i) self.tab = i end },
      self.tab == 1 and self:sets_page() or self:songs_page(),
      fab { id = "add", desc = self.tab == 1 and "New set" or "New song", on_click = function()
        self:start(self.tab == 1 and "SetForm" or "SongForm")
      end },
    }
  end,
}

activity "Set" {
  result = function(self, request, data)
    local set = set_of(self.intent.id)
    if data and data.remove and set then self:remove(set, data.remove) end
  end,

  remove = function(self, set, id)
    local entry, at = find(set.entries, function(e) return e.id == id end)
    if not entry then return end
    table.remove(set.entries, at)
    self:snackbar(entry.song and song_of(entry.song).title .. " taken out" or "Break taken out", "Undo", function()
      if entry.song and not song_of(entry.song) then return tell(self, "The song is gone") end
      if bug("undo_at_end") then at = #set.entries + 1 end
      table.insert(set.entries, math.min(at, #set.entries + 1), entry)
    end)
  end,

  move = function(self, set, at, by)
    local entry = table.remove(set.entries, at)
    if by > 0 and bug("down_two") then by = 2 end
    table.insert(set.entries, math.min(at + by, #set.entries + 1), entry)
  end,

  ask_break = function(self, set)
    self:dialog { title = "A break of", items = { "10 minutes", "15 minutes", "30 minutes" }, cancel = "Cancel", on_item = function(i)
      table.insert(set.entries, { id = new_id(), pause = ({ 10, 15, 30 })[i] })
    end }
  end,

  duplicate = function(self, set)
    local n = 2
    while find(storage.sets, function(s) return s.name == set.name .. " (" .. n .. ")" end) do n = n + 1 end
    local name = set.name .. " (" .. n .. ")"
    table.insert(storage.sets, { id = new_id(), name = name, place = set.place, entries = each(set.entries, function(e)
      local twin = copy(e)
      twin.id = new_id()
      return twin
    end) })
    toast("Copied as " .. name .. ", without a date")
    self:finish()
  end,

  items = function(self, set)
    return {
      { "Add a break", id = "add_break", on_click = function() self:ask_break(set) end },
      { "Details", id = "details", on_click = function() self:start("SetForm", { id = set.id }) end },
      { "Duplicate", id = "duplicate", on_click = function() self:duplicate(set) end },
      { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
      { "Archive", id = "archive_set", on_click = function()
        set.archived = true
        set.stage = nil
        toast(set.name .. " moved to the archive")
        self:finish()
      end },
    }
  end,

  entry_row = function(self, set, e, i)
    local song = e.song and song_of(e.song)
    return row { id = song and "entry_row" or "break_row",
      column { weight = 1,
        text { song and song.title or "Break", id = "title", size = song and "large" or nil },
        text { song and key_name(song.key + e.shift) .. " · " .. length(song.secs) or e.pause .. " minutes", id = "line", size = "small" },
      },
      not set.archived and image_button { id = "up", desc = "Move up", enabled = i > 1, on_click = function() self:move(set, i, -1) end },
      not set.archived and image_button { id = "down", desc = "Move down", enabled = i < #set.entries, on_click = function() self:move(set, i, 1) end },
    }
  end,

  view = function(self)
    local set = set_of(self.intent.id)
    if not set then return column { toolbar { "Set", up = true }, text { "This set is gone", id = "gone" } } end
    local songs = songs_in(set)
    return column {
      toolbar { set.name, subtitle = day_text(set), up = true, actions = not set.archived and {
        { "Add songs", id = "add_songs", on_click = function() self:start("AddSongs", { id = set.id }) end },
        { "Stage", id = "stage", on_click = function()
          if #set.entries == 0 then return tell(self, "Nothing to play yet") end
          self:start("Stage", { id = set.id })
        end },
      } or nil, menu = not set.archived and self:items(set) or nil },
      set.archived and text { "In the archive: read only", id = "read_only", size = "small" },
      text { plural(#songs, "song") .. ", " .. length(total(set)) .. " in all", id = "total" },
      list { id = "entries", weight = 1, items = set.entries, empty = text { "No songs yet", id = "empty" },
        row = function(e, i) return self:entry_row(set, e, i) end,
        on_item_click = function(_, e)
          if set.archived then return tell(self, "This set is in the archive") end
          self:start_for_result("Entry", "entry", { set = set.id, id = e.id })
        end },
      text { prefs.gap .. " s are counted between two songs, breaks are not counted", id = "tip", size = "small" },
    }
  end,
}

activity "Entry" {
  view = function(self)
    local set = set_of(self.intent.set)
    local e = set and by_id(set.entries, self.intent.id)
    if not e then return column { toolbar { "In the set", up = true }, text { "This is not in the set any more", id = "gone" } } end
    local song = e.song and song_of(e.song)
    local take_out = button { "Take out of the set", id = "take_out", on_click = function() self:finish { remove = e.id } end }
    if not song then
      return column {
        toolbar { "Break", subtitle = set.name, up = true },
        row {
          text { "Minutes", weight = 1 },
          button { "−", id = "less", enabled = e.pause > 5, on_click = function() e.pause = e.pause - 5 end },
          text { tostring(e.pause), id = "minutes" },
          button { "+", id = "more", enabled = e.pause < 60, on_click = function() e.pause = e.pause + 5 end },
        },
        take_out,
      }
    end
    local shift = e.shift == 0 and "as written" or (e.shift > 0 and "+" or "−") .. plural(math.abs(e.shift), "semitone")
    return column {
      toolbar { song.title, subtitle = set.name, up = true },
      scroll {
        row {
          text { "Key in this set", weight = 1 },
          button { "−", id = "lower", enabled = e.shift > -MAX_SHIFT, on_click = function() e.shift = e.shift - 1 end },
          text { key_name(song.key + e.shift), id = "key" },
          button { "+", id = "higher", enabled = e.shift < MAX_SHIFT, on_click = function() e.shift = e.shift + 1 end },
        },
        text { "The song is in " .. key_name(song.key) .. ": " .. shift, id = "shift", size = "small" },
        text { "Length: " .. length(song.secs), id = "length" },
        button { "Open song", id = "open_song", on_click = function() self:start("Song", { id = song.id }) end },
        take_out,
      },
    }
  end,
}

-- Songs are added in the order in which they were ticked.
activity "AddSongs" {
  create = function(self, intent, saved)
    self.query = saved and saved.query or ""
    self.picks = saved and saved.picks or {}
  end,

  save = function(self, out) out.query, out.picks = self.query, self.picks end,

  search = function(self, s)
    self.query = s
    if bug("picks_forgotten") then
      local seen = each(sorted_songs(s), function(x) return x.id end)
      self.picks = filter(self.picks, function(id) return index_of(seen, id) end)
    end
  end,

  add = function(self, set)
    if #self.picks == 0 then return tell(self, "Tick a song first") end
    for _, id in ipairs(self.picks) do
      local song = song_of(id)
      if song then table.insert(set.entries, { id = new_id(), song = id, shift = 0, secs = song.secs }) end
    end
    self:finish()
  end,

  view = function(self)
    local set = set_of(self.intent.id)
    if not set then return column { toolbar { "Add songs", up = true }, text { "This set is gone", id = "gone" } } end
    return column {
      toolbar { "Add songs", subtitle = set.name, up = true,
        actions = { { "Add", id = "add_ticked", on_click = function() self:add(set) end } } },
      field { id = "find_song", hint = "Title or artist", max = 30, on_change = function(s) self:search(s) end },
      text { plural(#self.picks, "song") .. " ticked", id = "ticked" },
      list { id = "choice", weight = 1, items = sorted_songs(self.query), empty = text { "No songs found", id = "empty" },
        row = function(s)
          local there = find(set.entries, function(e) return e.song == s.id end) ~= nil
          local place = index_of(self.picks, s.id)
          return row { id = "choice_row",
            check { s.title, id = "pick", weight = 1, checked = place ~= nil, on_change = function()
              if place then table.remove(self.picks, place) else table.insert(self.picks, s.id) end
            end },
            text { there and "in the set" or "", id = "there", size = "small" } }
        end },
    }
  end,
}

-- The stage goes on where it was left, until the end was reached.
activity "Stage" {
  view = function(self)
    local set = set_of(self.intent.id)
    if not set or #set.entries == 0 then return column { toolbar { "Stage", up = true }, text { "Nothing to play", id = "gone" } } end
    local at = math.min(set.stage or 1, #set.entries)
    local e = set.entries[at]
    local song = e.song and song_of(e.song)
    local following = set.entries[at + 1]
    return column {
      toolbar { set.name, subtitle = at .. " of " .. #set.entries, up = true,
        actions = { { "To the beginning", id = "first", on_click = function() set.stage = nil end } } },
      text { song and song.title or "Break", id = "now", size = "large" },
      text { song and "Key " .. key_name(song.key + e.shift) .. (prefs.bpm and ", " .. song.bpm .. " bpm" or "") or e.pause .. " minutes", id = "how" },
      song and song.note ~= "" and text { song.note, id = "note", size = "small" },
      text { following and "Then: " .. (following.song and song_of(following.song).title or "a break") or "The last one", id = "next_one", size = "small" },
      row {
        button { "Back", id = "previous", enabled = at > 1, on_click = function() set.stage = at - 1 end },
        button { following and "Next" or "The end", id = "next", on_click = function()
          if following then
            set.stage = at + 1
          else
            set.stage = nil
            self:finish()
          end
        end },
      },
    }
  end,
}

-- What is written here is kept when the page is left.
activity "SetForm" {
  create = function(self, intent, saved)
    local set = set_of(intent.id)
    if saved then self.day = saved.day else self.day = set and set.day end
  end,

  save = function(self, out) out.day = self.day end,

  back = function(self)
    local set = set_of(self.intent.id)
    local name, place = trim(self:text("set_name")), trim(self:text("place"))
    if not set then
      if name == "" and place == "" and not self.day then return false end
      set = { id = new_id(), entries = {} }
      table.insert(storage.sets, set)
    end
    set.name, set.place, set.day = name ~= "" and name or "Untitled set", place, self.day
    toast("Saved")
    return false
  end,

  view = function(self)
    local set = set_of(self.intent.id)
    return column {
      toolbar { set and "Details" or "New set", up = function()
        self:back()
        self:finish()
      end },
      scroll {
        field { id = "set_name", hint = "Name", max = 30, text = set and set.name or "" },
        field { id = "place", hint = "Place", max = 40, text = set and set.place or "" },
        row {
          text { "Date", weight = 1 },
          button { "‹", id = "earlier", enabled = self.day ~= nil, on_click = function() self.day = self.day - 1 end },
          text { day_text(self), id = "day" },
          button { "›", id = "later", enabled = self.day ~= nil, on_click = function() self.day = self.day + 1 end },
        },
        button { self.day and "No date" or "Set a date", id = "date_button", on_click = function()
          if self.day then self.day = nil else self.day = today() end
        end },
        text { "Saved when you leave this page", id = "tip", size = "small" },
      },
    }
  end,
}

activity "Song" {
  ask_delete = function(self, song)
    local used = filter(storage.sets, function(s) return find(s.entries, function(e) return e.song == song.id end) end)
    if #used > 0 then
      local names = each(used, function(s) return s.name end)
      return self:dialog { title = "It is still played", message = "Take it out first: " .. table.concat(names, ", "), ok = "OK" }
    end
    self:dialog { title = "Delete " .. song.title .. "?", cancel = "Cancel", ok = "Delete", on_ok = function()
      storage.songs = without(storage.songs, song.id)
      self:finish()
    end }
  end,

  view = function(self)
    local song = song_of(self.intent.id)
    if not song then return column { toolbar { "Song", up = true }, text { "This song is gone", id = "gone" } } end
    local used = filter(storage.sets, function(s) return find(s.entries, function(e) return e.song == song.id end) end)
    return column {
      toolbar { song.title, up = true,
        actions = { { "Edit", id = "edit", on_click = function() self:start("SongForm", { id = song.id }) end } },
        menu = { { "Delete", id = "delete", on_click = function() self:ask_delete(song) end } } },
      scroll {
        song.artist ~= "" and text { "By " .. song.artist, id = "artist" },
        text { "Key: " .. key_name(song.key), id = "key" },
        text { "Length: " .. length(song.secs), id = "length" },
        text { "Tempo: " .. song.bpm .. " bpm", id = "tempo" },
        song.note ~= "" and text { song.note, id = "note" },
        text { #used == 0 and "In no set" or "In: " .. table.concat(each(used, function(s)
          return s.name .. (s.archived and " (archived)" or "")
        end), ", "), id = "used", size = "small" },
      },
    }
  end,
}

activity "SongForm" {
  create = function(self, intent, saved)
    local song = song_of(intent.id)
    if saved then
      self.key, self.bpm, self.before = saved.key, saved.bpm, saved.before
      return
    end
    self.before = { title = "", artist = "", min = "", sec = "", note = "", key = 0, bpm = 120 }
    if song then
      self.before = { title = song.title, artist = song.artist, min = tostring(song.secs // 60), sec = tostring(song.secs % 60),
        note = song.note, key = song.key, bpm = song.bpm }
    elseif bug("form_kept") and last_form then
      self.before = last_form
    end
    self.key, self.bpm = self.before.key, self.before.bpm
  end,

  save = function(self, out) out.key, out.bpm, out.before = self.key, self.bpm, self.before end,

  filled = function(self)
    return { title = self:text("title"), artist = self:text("artist"), min = self:text("min"), sec = self:text("sec"),
      note = self:text("song_note"), key = self.key, bpm = self.bpm }
  end,

  leave = function(self)
    local f, same = self:filled(), true
    for k, v in pairs(f) do same = same and v == self.before[k] end
    if same then return self:finish() end
    self:dialog { title = "Discard changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Keep editing" }
  end,

  back = function(self)
    self:leave()
    return true
  end,

  store = function(self)
    local f = self:filled()
    local min, sec = math.tointeger(tonumber(f.min ~= "" and f.min or "0")), math.tointeger(tonumber(f.sec ~= "" and f.sec or "0"))
    if trim(f.title) == "" then return tell(self, "A song needs a title") end
    if not min or not sec or sec > 59 or min < 0 or sec < 0 or min + sec == 0 then return tell(self, "How long is it? Seconds go up to 59") end
    local song = song_of(self.intent.id)
    if not song then
      song = { id = new_id() }
      table.insert(storage.songs, song)
      last_form = f
    end
    song.title, song.artist, song.note = trim(f.title), trim(f.artist), trim(f.note)
    song.secs, song.key, song.bpm = min * 60 + sec, f.key, f.bpm
    self:finish()
  end,

  view = function(self)
    local b = self.before
    return column {
      toolbar { song_of(self.intent.id) and "Edit song" or "New song", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "title", hint = "Title", max = 40, text = b.title },
        field { id = "artist", hint = "Artist", max = 40, text = b.artist },
        row {
          field { id = "min", weight = 1, hint = "Minutes", input = "number", max = 2, text = b.min },
          field { id = "sec", weight = 1, hint = "Seconds", input = "number", max = 2, text = b.sec },
        },
        spinner { id = "key", items = each(SHARPS, function(_, i) return key_name(i - 1) end), selected = self.key + 1,
          on_change = function(i) self.key = i - 1 end },
        row {
          text { "Tempo", weight = 1 },
          button { "−", id = "slower", enabled = self.bpm > MIN_BPM, on_click = function() self.bpm = self.bpm - 5 end },
          text { self.bpm .. " bpm", id = "bpm" },
          button { "+", id = "faster", enabled = self.bpm < MAX_BPM, on_click = function() self.bpm = self.bpm + 5 end },
        },
        field { id = "song_note", hint = "Notes", input = "multiline", max = 200, text = b.note },
      },
    }
  end,
}

activity "Archive" {
  ask = function(self, set)
    self:popup {
      { "Look at it", id = "look", on_click = function() self:start("Set", { id = set.id }) end },
      { "Use again", id = "use_again", on_click = function()
        set.archived = nil
        if bug("archive_keys") then
          for _, e in ipairs(set.entries) do e.shift = e.song and 0 or nil end
        end
        tell(self, set.name .. " is among the sets again")
      end },
      { "Delete", id = "delete_set", on_click = function()
        self:dialog { title = "Delete " .. set.name .. "?", message = "Its songs stay", cancel = "Cancel", ok = "Delete",
          on_ok = function() storage.sets = without(storage.sets, set.id) end }
      end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Archive", up = true },
      list { id = "archived", weight = 1, items = filter(storage.sets, function(s) return s.archived end),
        empty = text { "The archive is empty", id = "empty" },
        row = function(s)
          return column { id = "archived_row", text { s.name, id = "name" },
            text { day_text(s) .. " · " .. plural(#songs_in(s), "song"), id = "line", size = "small" } }
        end,
        on_item_click = function(_, s) self:ask(s) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        row {
          text { "Between songs", weight = 1 },
          button { "−", id = "gap_less", enabled = prefs.gap > 0, on_click = function() prefs.gap = prefs.gap - 10 end },
          text { prefs.gap .. " s", id = "gap" },
          button { "+", id = "gap_more", enabled = prefs.gap < MAX_GAP, on_click = function() prefs.gap = prefs.gap + 10 end },
        },
        text { "Counted where one song follows another; not before or after a break", id = "gap_tip", size = "small" },
        switch { "Flats instead of sharps", id = "flats", checked = prefs.flats, on_change = function(b) prefs.flats = b end },
        switch { "Show the tempo in lists and on stage", id = "tempo", checked = prefs.bpm, on_change = function(b) prefs.bpm = b end },
        button { "About", id = "about", on_click = function()
          self:dialog { title = "Encore 1.9", message = plural(#storage.songs, "song") .. ", " .. plural(#storage.sets, "set"), ok = "OK" }
        end },
      },
    }
  end,
}
