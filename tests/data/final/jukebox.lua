-- Jukebox: songs, albums and playlists; a queue that is played; favourites, tags that can be edited, a search.
--
-- The queue is a list of songs and the place of the current one in it. Nothing is really played: songs are long.

app {
  package = "org.norn.jukebox",
  title = "Jukebox",
  main = "Main",
  bugs = { "queue_slips", "next_is_last", "sorted_tap", "removed_in_total", "repeat_killed", "old_title", "short_in_search",
    "selects_hidden" },
  application = function()
    if storage.songs then return end
    storage.next_id = 100
    storage.songs = {
      { id = 1, title = "Amber Road", artist = "The Lanterns", album = "Night Maps", track = 1, secs = 214, fav = true },
      { id = 2, title = "Blue Hour", artist = "Mira Vale", album = "Tides", track = 2, secs = 187 },
      { id = 3, title = "Copper Wire", artist = "Old Station", album = "Signals", track = 1, secs = 242 },
      { id = 4, title = "Drift", artist = "Mira Vale", album = "Tides", track = 1, secs = 201, fav = true },
      { id = 5, title = "Echo Park", artist = "The Lanterns", album = "Night Maps", track = 2, secs = 178 },
      { id = 6, title = "Interlude", artist = "Mira Vale", album = "Tides", track = 3, secs = 42 },
      { id = 7, title = "Low Bridge", artist = "Old Station", album = "Signals", track = 2, secs = 263 },
    }
    storage.playlists = {
      { id = 21, name = "Morning", songs = { 2, 5, 1 } },
      { id = 22, name = "Driving", songs = { 7, 3 } },
    }
    storage.queue, storage.at, storage.playing = {}, 0, false
    storage.recent = {}
    prefs.hide_short = false
    prefs.show_artist = true
    prefs.repeat_all = false
    prefs.sort = 1
  end,
}

local SORTS = { "Title", "Artist", "Length" }
local MAX_QUEUE, MAX_PLAYLISTS, MAX_IN_LIST = 30, 10, 30

local session = {}      -- what is not worth keeping

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function song_of(id) return by_id(storage.songs, id) end
local function playlist_of(id) return by_id(storage.playlists, id) end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end
local function length(secs) return format("%d:%02d", secs // 60, secs % 60) end
local function ids(songs) return each(songs, function(s) return s.id end) end

local function total(songs)
  local sum = 0
  for _, s in ipairs(songs) do sum = sum + s.secs end
  return sum
end

-- Songs that are not too short for what the settings say.
local function long_enough(songs) return filter(songs, function(s) return not (prefs.hide_short and s.secs < 60) end) end

local function sorted(songs, by)
  songs = copy(songs)
  table.sort(songs, function(a, b)
    if by == 2 and a.artist:lower() ~= b.artist:lower() then return a.artist:lower() < b.artist:lower() end
    if by == 3 and a.secs ~= b.secs then return a.secs < b.secs end
    return a.title:lower() < b.title:lower()
  end)
  return songs
end

local function repeats()
  if bug("repeat_killed") then return session.repeat_all == true end
  return prefs.repeat_all
end

-- Playing ---------------------------------------------------------------------------------------------

local function current() return storage.queue[storage.at] and song_of(storage.queue[storage.at]) end

local function go_to(i)
  storage.at, storage.playing = i, true
  local song = current()
  storage.shown = song.title
  storage.recent = filter(storage.recent, function(id) return id ~= song.id end)
  table.insert(storage.recent, 1, song.id)
  if #storage.recent > 10 then table.remove(storage.recent) end
end

local function play(songs, i)
  if #songs == 0 then return toast("Nothing to play") end
  storage.queue = ids(songs)
  go_to(i)
end

local function skip(step)
  local n = #storage.queue
  if n == 0 then return end
  local to = storage.at + step
  if repeats() then to = (to - 1) % n + 1 end
  if to < 1 or to > n then return toast(step > 0 and "This is the last song" or "This is the first song") end
  go_to(to)
end

local function enqueue(songs, next)
  if #songs == 0 then return toast("Nothing to add") end
  if #storage.queue + #songs > MAX_QUEUE then return toast("The queue is full") end
  local begins = #storage.queue == 0
  for i, s in ipairs(songs) do
    if next and not bug("next_is_last") then
      table.insert(storage.queue, storage.at + i, s.id)
    else
      table.insert(storage.queue, s.id)
    end
  end
  if begins then
    go_to(1)
    storage.playing = false
  end
  toast(plural(#songs, "song") .. " added to the queue")
end

local function unqueue(i)
  table.remove(storage.queue, i)
  if #storage.queue == 0 then
    storage.at, storage.playing = 0, false
  elseif i < storage.at and not bug("queue_slips") then
    storage.at = storage.at - 1
  elseif storage.at > #storage.queue then
    storage.at = #storage.queue
  end
  if current() then storage.shown = current().title end
end

-- The bar at the bottom of most screens.
local function player_bar(self)
  local song = current()
  if not song then return nil end
  return row { id = "player", on_click = function() self:start("Playing") end, padding = 16,
    text { bug("old_title") and storage.shown or song.title, id = "now", weight = 1 },
    button { storage.playing and "Pause" or "Play", id = "play_pause", on_click = function() storage.playing = not storage.playing end },
  }
end

local function song_menu(self, song)
  self:popup {
    { "Play next", id = "play_next", on_click = function() enqueue({ song }, true) end },
    { "Add to queue", id = "to_queue", on_click = function() enqueue({ song }) end },
    { "Add to a playlist", id = "to_playlist", on_click = function() self:start("AddTo", { songs = { song.id } }) end },
    { "Favourite", id = "favourite", checked = song.fav == true, on_click = function() song.fav = not song.fav end },
    { "Edit tags", id = "edit_tags", on_click = function() self:start("Tags", { id = song.id }) end },
  }
end

local function song_row(self, song, chosen)
  return row { id = "song_row",
    column { weight = 1, text { (song.fav and "♥ " or "") .. song.title, id = "title", size = "large" },
      text { (prefs.show_artist and song.artist .. ", " or "") .. length(song.secs), id = "about", size = "small" } },
    chosen ~= nil and text { chosen and "☑" or "☐", id = "chosen" },
    chosen == nil and image_button { id = "more", desc = "More", on_click = function() song_menu(self, song) end },
  }
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.fav, self.picked = saved.tab or 1, saved.fav or false, saved.picked
  end,
  save = function(self, out) out.tab, out.fav, out.picked = self.tab, self.fav, self.picked end,
  back = function(self)
    if not self.picked then return false end
    self.picked = nil
    return true
  end,

  songs = function(self)
    local songs = filter(long_enough(storage.songs), function(s) return s.fav or not self.fav end)
    return sorted(songs, prefs.sort)
  end,

  -- Several songs at once -------------------------------------------------------------------------------

  toggle = function(self, song)
    local i = index_of(self.picked, song.id)
    if i then table.remove(self.picked, i) else table.insert(self.picked, song.id) end
    if #self.picked == 0 then self.picked = nil end
  end,

  select_all = function(self)
    self.picked = ids(bug("selects_hidden") and long_enough(storage.songs) or self:songs())
  end,

  with_picked = function(self, fn)
    local picked = self.picked
    self.picked = nil
    fn(filter(sorted(storage.songs, prefs.sort), function(s) return index_of(picked, s.id) end))
  end,

  picked_bar = function(self)
    return toolbar { #self.picked .. " selected", up = function() self.picked = nil end, actions = {
      { "Select all", id = "select_all", on_click = function() self:select_all() end },
      { "Add to queue", id = "queue_picked", on_click = function() self:with_picked(function(songs) enqueue(songs) end) end },
      { "Add to a playlist", id = "list_picked", on_click = function()
        self:with_picked(function(songs) self:start("AddTo", { songs = ids(songs) }) end)
      end },
    } }
  end,

  -- Tabs ------------------------------------------------------------------------------------------------

  songs_tab = function(self)
    local songs = self:songs()
    return {
      not self.picked and row {
        spinner { id = "sort", items = SORTS, selected = prefs.sort, weight = 1, on_change = function(i) prefs.sort = i end },
        switch { "Favourites", id = "only_fav", checked = self.fav, on_change = function(b) self.fav = b end },
      },
      list { id = "songs", weight = 1, items = songs, empty = text { "No songs", id = "empty" },
        row = function(s)
          local chosen = nil
          if self.picked then chosen = index_of(self.picked, s.id) ~= nil end
          return song_row(self, s, chosen)
        end,
        on_item_click = function(i, s)
          if self.picked then return self:toggle(s) end
          if bug("sorted_tap") then songs = sorted(songs, 1) end
          play(songs, i)
        end,
        on_item_long_click = function(_, s)
          if not self.picked then self.picked = { s.id } end
        end },
    }
  end,

  albums_tab = function(self)
    local names = {}
    for _, s in ipairs(long_enough(storage.songs)) do
      if not index_of(names, s.album) then table.insert(names, s.album) end
    end
    table.sort(names)
    return list { id = "albums", weight = 1, items = names,
      row = function(name)
        local songs = filter(long_enough(storage.songs), function(s) return s.album == name end)
        return column { id = "album_row", text { name, id = "name", size = "large" },
          text { plural(#songs, "song") .. ", " .. length(total(songs)), id = "about", size = "small" } }
      end,
      on_item_click = function(_, name) self:start("Album", { name = name }) end }
  end,

  ask_new = function(self)
    if #storage.playlists >= MAX_PLAYLISTS then return toast("Too many playlists") end
    self:dialog { title = "New playlist",
      view = function() return column { field { id = "list_name", hint = "Name", max = 30 } } end,
      ok = "Create", cancel = "Cancel",
      on_ok = function()
        local name = trim(self:text("list_name"))
        if name == "" then return toast("Give it a name") end
        table.insert(storage.playlists, { id = new_id(), name = name, songs = {} })
      end }
  end,

  delete = function(self, p, i)
    table.remove(storage.playlists, i)
    self:snackbar(p.name .. " deleted", "Undo", function()
      table.insert(storage.playlists, math.min(i, #storage.playlists + 1), p)
    end)
  end,

  playlists_tab = function(self)
    return {
      list { id = "playlists", weight = 1, items = storage.playlists, empty = text { "No playlists yet", id = "empty" },
        row = function(p)
          return column { id = "playlist_row", text { p.name, id = "name", size = "large" }, text { plural(#p.songs, "song"), id = "about", size = "small" } }
        end,
        on_item_click = function(_, p) self:start("Playlist", { id = p.id }) end,
        on_item_long_click = function(i, p)
          self:popup { { "Delete", id = "delete_playlist", on_click = function() self:delete(p, i) end } }
        end },
      button { "New playlist", id = "new_playlist", on_click = function() self:ask_new() end },
    }
  end,

  menu = function(self)
    return {
      { "Recently played", id = "recent", on_click = function() self:start("Recent") end },
      { "Queue", id = "queue", on_click = function() self:start("Queue") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    return column {
      self.picked and self:picked_bar() or
        toolbar { "Jukebox", actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      not self.picked and tabs { id = "tabs", titles = { "Songs", "Albums", "Playlists" }, selected = self.tab,
        on_change = function(i) self.tab = i end },
      self.tab == 1 and self:songs_tab() or self.tab == 2 and self:albums_tab() or self:playlists_tab(),
      player_bar(self),
    }
  end,
}

activity "Album" {
  view = function(self)
    local songs = filter(long_enough(storage.songs), function(s) return s.album == self.intent.name end)
    table.sort(songs, function(a, b) return a.track < b.track end)
    return column {
      toolbar { self.intent.name, up = true, actions = { { "Play all", id = "play_all", on_click = function() play(songs, 1) end } } },
      text { plural(#songs, "song") .. ", " .. length(total(songs)), id = "total", size = "small" },
      list { id = "album_songs", weight = 1, items = songs, empty = text { "No songs", id = "empty" },
        row = function(s) return song_row(self, s) end,
        on_item_click = function(i) play(songs, i) end },
      player_bar(self),
    }
  end,
}

activity "Playlist" {
  create = function(self) self:count() end,
  resume = function(self) self:count() end,

  songs = function(self) return each(playlist_of(self.intent.id).songs, song_of) end,
  count = function(self) self.secs = total(self:songs()) end,

  song_menu = function(self, i)
    local all = playlist_of(self.intent.id).songs
    local function swap(j) all[i], all[j] = all[j], all[i] end
    self:popup {
      { "Move up", id = "move_up", enabled = i > 1, on_click = function() swap(i - 1) end },
      { "Move down", id = "move_down", enabled = i < #all, on_click = function() swap(i + 1) end },
      { "Remove", id = "remove", on_click = function()
        table.remove(all, i)
        if not bug("removed_in_total") then self:count() end
      end },
    }
  end,

  ask_name = function(self)
    local p = playlist_of(self.intent.id)
    self:dialog { title = "Rename playlist",
      view = function() return column { field { id = "list_name", text = p.name, max = 30 } } end,
      ok = "Rename", cancel = "Cancel",
      on_ok = function()
        local name = trim(self:text("list_name"))
        if name == "" then return toast("Give it a name") end
        p.name = name
      end }
  end,

  menu = function(self)
    return {
      { "Rename", id = "rename", on_click = function() self:ask_name() end },
      { "Add all to queue", id = "queue_all", on_click = function() enqueue(self:songs()) end },
    }
  end,

  view = function(self)
    local p, songs = playlist_of(self.intent.id), self:songs()
    return column {
      toolbar { p.name, up = true, actions = { { "Play all", id = "play_all", on_click = function() play(songs, 1) end } } },
      text { plural(#songs, "song") .. ", " .. length(self.secs), id = "total", size = "small" },
      list { id = "list_songs", weight = 1, items = songs, empty = text { "No songs in it yet", id = "empty" },
        row = function(s) return song_row(self, s) end,
        on_item_click = function(i) play(songs, i) end,
        on_item_long_click = function(i) self:song_menu(i) end },
      player_bar(self),
    }
  end,
}

activity "AddTo" {
  add = function(self, p)
    if #p.songs + #self.intent.songs > MAX_IN_LIST then return toast("The playlist is full") end
    for _, id in ipairs(self.intent.songs) do table.insert(p.songs, id) end
    toast("Added to " .. p.name)
    self:finish()
  end,

  view = function(self)
    return column {
      toolbar { "Add to", up = true, subtitle = plural(#self.intent.songs, "song") },
      list { id = "targets", items = storage.playlists, empty = text { "No playlists yet", id = "empty" },
        row = function(p) return column { id = "target_row", text { p.name, id = "name", size = "large" }, text { plural(#p.songs, "song"), id = "about", size = "small" } } end,
        on_item_click = function(_, p) self:add(p) end },
    }
  end,
}

activity "Playing" {
  view = function(self)
    local song = current()
    if not song then return column { toolbar { "Playing", up = true }, text { "Nothing to play", id = "nothing" } } end
    return column {
      toolbar { "Playing", up = true, actions = { { "Queue", id = "open_queue", on_click = function() self:start("Queue") end } } },
      scroll {
        text { song.title, id = "title", size = "large" },
        text { song.artist .. ", " .. song.album, id = "about" },
        text { storage.at .. " of " .. #storage.queue .. ", " .. length(song.secs), id = "place", size = "small" },
        row {
          button { "Previous", id = "previous", on_click = function() skip(-1) end },
          button { storage.playing and "Pause" or "Play", id = "play_pause", on_click = function() storage.playing = not storage.playing end },
          button { "Next", id = "next", on_click = function() skip(1) end },
        },
        switch { "Repeat the queue", id = "repeat_all", checked = repeats(),
          on_change = function(b) prefs.repeat_all, session.repeat_all = b, b end },
        switch { "Favourite", id = "is_fav", checked = song.fav == true, on_change = function(b) song.fav = b end },
        button { "Edit tags", id = "edit_this", on_click = function() self:start("Tags", { id = song.id }) end },
      },
    }
  end,
}

activity "Queue" {
  entry_menu = function(self, i)
    self:popup { { "Remove from queue", id = "unqueue", on_click = function() unqueue(i) end } }
  end,

  clear = function(self)
    self:dialog { title = "Clear the queue?", ok = "Clear", cancel = "Cancel",
      on_ok = function() storage.queue, storage.at, storage.playing = {}, 0, false end }
  end,

  menu = function(self) return { { "Clear", id = "clear", on_click = function() self:clear() end } } end,

  view = function(self)
    return column {
      toolbar { "Queue", up = true },
      text { plural(#storage.queue, "song") .. ", " .. length(total(each(storage.queue, song_of))), id = "total", size = "small" },
      list { id = "entries", items = storage.queue, empty = text { "The queue is empty", id = "empty" },
        row = function(id, i)
          local song = song_of(id)
          return column { id = "queue_row", text { (i == storage.at and "▶ " or "") .. song.title, id = "title" },
            text { length(song.secs), id = "about", size = "small" } }
        end,
        on_item_click = function(i) go_to(i) end,
        on_item_long_click = function(i) self:entry_menu(i) end },
    }
  end,
}

activity "Tags" {
  store = function(self)
    local song, title, artist, album = song_of(self.intent.id), trim(self:text("title")), trim(self:text("artist")), trim(self:text("album"))
    if title == "" or artist == "" or album == "" then return toast("Nothing may be empty") end
    song.title, song.artist, song.album = title, artist, album
    self:finish()
  end,

  view = function(self)
    local song = song_of(self.intent.id)
    return column {
      toolbar { "Edit tags", up = true, actions = { { "Save", id = "save_tags", on_click = function() self:store() end } } },
      scroll {
        text { "Title", size = "small" }, field { id = "title", hint = "Title", text = song.title, max = 40 },
        text { "Artist", size = "small" }, field { id = "artist", hint = "Artist", text = song.artist, max = 40 },
        text { "Album", size = "small" }, field { id = "album", hint = "Album", text = song.album, max = 40 },
      },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,

  results = function(self)
    local query = trim(self.query):lower()
    if query == "" then return {} end
    local songs = bug("short_in_search") and storage.songs or long_enough(storage.songs)
    return sorted(filter(songs, function(s) return contains((s.title .. "\n" .. s.artist):lower(), query) end), 1)
  end,

  view = function(self)
    local results = self:results()
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Title or artist", max = 30, on_change = function(s) self.query = s end },
      text { #results .. " found", id = "found", size = "small" },
      list { id = "results", weight = 1, items = results, row = function(s) return song_row(self, s) end,
        on_item_click = function(i) play(results, i) end },
      player_bar(self),
    }
  end,
}

activity "Recent" {
  view = function(self)
    return column {
      toolbar { "Recently played", up = true },
      list { id = "recent_songs", items = each(storage.recent, song_of), empty = text { "Nothing played yet", id = "empty" },
        row = function(s) return song_row(self, s) end,
        on_item_click = function(_, s) play({ s }, 1) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Hide songs shorter than a minute", id = "hide_short", checked = prefs.hide_short, on_change = function(b) prefs.hide_short = b end },
      text { "In songs, albums and search", size = "small" },
      switch { "Show artists in lists", id = "show_artist", checked = prefs.show_artist, on_change = function(b) prefs.show_artist = b end },
      text { plural(#storage.songs, "song") .. ", " .. length(total(storage.songs)), id = "library", size = "small" },
    }
  end,
}
