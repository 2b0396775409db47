-- Museum Guide: the rooms and works of a small museum, with recordings to listen to, tours, favourites and one's own notes.
--
-- Works have an English and an original title; which one is shown is a setting. Recordings of a room are played from the
-- network unless they were downloaded. Children's mode leaves out works marked 16+.

local DAY = 24 * 60 * 60 * 1000
local WEEKDAYS = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" }
local HOURS = { "closed", "10:00 - 17:00", "10:00 - 17:00", "10:00 - 18:00", "10:00 - 21:00", "11:00 - 18:00", "11:00 - 17:00" }
local ROOMS = { { name = "Harbour Hall", size = 14 }, { name = "Red Cabinet", size = 9 }, { name = "Glass Gallery", size = 22 } }
local WORKS = {
  { id = 1, room = 1, title = "The Night Ferry", original = "De nachtpont", year = 1664, length = 25, hidden = "bought in Delft" },
  { id = 2, room = 1, title = "Calm Sea", original = "Kalme zee", year = 1650, length = 40, hidden = "frame is younger" },
  { id = 3, room = 1, title = "Anchor", original = "Anker", year = 1702, length = 15, hidden = "found by divers" },
  { id = 4, room = 1, title = "Map of the Coast", original = "Kaart van de kust", year = 1688, length = 55, hidden = "upside down until 1930" },
  { id = 5, room = 2, title = "The Hangman's Sword", original = "Zwaard van de beul", year = 1591, length = 35, adult = true, hidden = "from the town hall" },
  { id = 6, room = 2, title = "Lady with a Fan", original = "Dame met waaier", year = 1640, length = 20, hidden = "perhaps a copy" },
  { id = 7, room = 2, title = "Still Life with Skull", original = "Vanitas", year = 1633, length = 45, adult = true, hidden = "bought in Delft" },
  { id = 8, room = 3, title = "Green Goblet", original = "Groene roemer", year = 1580, length = 15, hidden = "mended twice" },
  { id = 9, room = 3, title = "Window of Saint Anne", original = "Sint-Annaraam", year = 1527, length = 60, hidden = "half of it is in Ghent" },
  { id = 10, room = 3, title = "Bottle Ship", original = "Flessenschip", year = 1911, length = 30, hidden = "made by a cook" },
}
local TOURS = {
  { id = 1, name = "Highlights", stops = { 1, 6, 9 } }, { id = 2, name = "All about the sea", stops = { 2, 3, 4, 10 } },
  { id = 3, name = "Dark corners", stops = { 5, 7, 8 } },
}
local EVENTS = { "Drawing class", "Curator's walk", "Organ at noon", "Family workshop", "Late opening", "Lecture on glass" }
local MAX_OWN = 12

app {
  package = "org.norn.museum",
  title = "Museum Guide",
  main = "Main",
  bugs = { "favourite_title", "stop_again", "past_end", "download_total", "clear_results", "hours_today", "note_elsewhere", "child_search" },
  server = function(request)
    if request.path == "/recordings" then return { ok = true } end
    if request.path == "/events" then
      local list, at = {}, now() // 120000
      for i = 0, 2 do table.insert(list, EVENTS[(at + i) % #EVENTS + 1]) end
      return list
    end
    return nil, 404
  end,
  application = function()
    storage.visits = (storage.visits or 0) + 1
    if storage.favourites then return end
    storage.favourites = { { id = 6, title = "Lady with a Fan" } }
    storage.recent, storage.notes = {}, { w4 = "Show this to Ben" }
    storage.tours = {}
    storage.own = { 2, 8, 9 }
    storage.packs, storage.used = { r1 = true }, ROOMS[1].size
    prefs.original, prefs.child, prefs.order, prefs.large = false, false, 1, false
  end,
}

local function work_of(id) return (find(WORKS, function(w) return w.id == id end)) end
local function title_of(w) return prefs.original and w.original or w.title end
local function allowed(w) return not (prefs.child and w.adult) end
local function favourite_of(id) return find(storage.favourites, function(f) return f.id == id end) end
local function clock(seconds) return format("%d:%02d", seconds // 60, seconds % 60) end
local function works_in(room) return filter(WORKS, function(w) return w.room == room and allowed(w) end) end
local function gone(what) return column { toolbar { what, up = true }, text { "Nothing was chosen", id = "gone" } } end

local function minutes(stops)
  local sum = 0
  for _, id in ipairs(stops) do sum = sum + work_of(id).length end
  return (sum + 59) // 60
end

-- What was looked at last comes first.
local function looked_at(id)
  local old = index_of(storage.recent, id)
  if old then table.remove(storage.recent, old) end
  table.insert(storage.recent, 1, id)
  while #storage.recent > 5 do table.remove(storage.recent) end
end

local function work_row(w)
  return column { id = "work_row", text { title_of(w) .. (favourite_of(w.id) and " *" or ""), id = "title", size = prefs.large and "large" or nil },
    text { w.year .. ", " .. clock(w.length) .. (w.adult and ", 16+" or ""), id = "line", size = "small" } }
end

activity "Main" {
  surprise = function(self)
    local works = filter(WORKS, allowed)
    self:start("Work", { id = works[random(#works)].id })
  end,
  menu = function(self)
    return {
      { "Surprise me", id = "surprise", on_click = function() self:surprise() end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local today = now() // DAY
    local recent = filter(each(storage.recent, work_of), allowed)
    return column {
      drawer { id = "drawer", header = "Museum Guide", items = {
        { "Tours", id = "tours", on_click = function() self:start("Tours") end },
        { "Favourites", id = "favourites", on_click = function() self:start("Favourites") end },
        { "My tour", id = "own", on_click = function() self:start("Own") end },
        { "Recordings", id = "downloads", on_click = function() self:start("Downloads") end },
        { "Your visit", id = "visit", on_click = function() self:start("Visit") end },
      } },
      toolbar { "Museum Guide", actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      text { storage.visits == 1 and "Welcome" or "Welcome back, this is your visit number " .. storage.visits, id = "welcome", size = "small" },
      prefs.hint_day ~= today and row { text { "Today's hint: the cafe is quiet after two", id = "hint", size = "small", weight = 1 },
        button { "Thanks", id = "thanks", on_click = function() prefs.hint_day = today end } },
      grid { id = "rooms", columns = 2, items = ROOMS, height = 420,
        row = function(r, i)
          return card { id = "room_card", text { r.name, id = "room" }, text { #works_in(i) .. " works", id = "count", size = "small" } }
        end,
        on_item_click = function(i) self:start("Room", { room = i }) end },
      text { "Looked at last" },
      list { id = "recent", items = recent, empty = text { "Nothing yet", id = "empty" }, row = work_row,
        on_item_click = function(_, w) self:start("Work", { id = w.id }) end },
    }
  end,
}

activity "Room" {
  shown = function(self)
    local works = works_in(self.intent.room)
    if prefs.order == 2 then table.sort(works, function(a, b) return a.year < b.year end) end
    return works
  end,
  menu = function(self)
    return {
      { "As they hang", id = "by_wall", checked = prefs.order == 1, on_click = function() prefs.order = 1 end },
      { "Oldest first", id = "by_year", checked = prefs.order == 2, on_click = function() prefs.order = 2 end },
    }
  end,
  view = function(self)
    local room = ROOMS[self.intent.room]
    if not room then return gone("Room") end
    return column {
      toolbar { room.name, up = true, subtitle = prefs.child and "Without works marked 16+" or nil },
      list { id = "works", items = self:shown(), empty = text { "No works", id = "empty" }, row = work_row,
        on_item_click = function(_, w) self:start("Work", { id = w.id }) end,
        on_item_long_click = function(_, w)
          self:popup {
            { "Favourite", id = "favourite", checked = favourite_of(w.id) ~= nil, on_click = function()
              local old, i = favourite_of(w.id)
              if old then table.remove(storage.favourites, i) else table.insert(storage.favourites, { id = w.id, title = title_of(w) }) end
            end },
            { "Add to my tour", id = "add_own", on_click = function()
              if index_of(storage.own, w.id) then return toast("It is there already") end
              if #storage.own >= MAX_OWN then return toast("That is a long tour already") end
              table.insert(storage.own, w.id)
              toast("Added")
            end },
          }
        end },
    }
  end,
}

-- One work; the arrows lead through its room.
activity "Work" {
  create = function(self, intent, saved)
    self.id = saved and saved.id or intent.id
    self.at, self.playing = saved and saved.at or 0, saved and saved.playing or false
    if self.id then looked_at(self.id) end
    self:every(1000, function()
      if not self.playing then return end
      local w = work_of(self.id)
      self.at = math.min(self.at + 1, math.max(w.length, self.at))
      if self.at >= w.length then self.playing = false end
    end)
  end,
  save = function(self, out) out.id, out.at, out.playing = self.id, self.at, self.playing end,
  stop = function(self) self.playing = false end,
  neighbour = function(self, by)
    local works = works_in(work_of(self.id).room)
    local i = 1
    for k, w in ipairs(works) do if w.id == self.id then i = k end end
    return works[i + by]
  end,
  go = function(self, w)
    self.id, self.at, self.playing = w.id, 0, false
    looked_at(w.id)
  end,
  play = function(self, w)
    if self.playing then self.playing = false return end
    if not storage.packs["r" .. w.room] and not device.online() then return toast("No connection, and not downloaded") end
    if self.at >= w.length then self.at = 0 end
    self.playing = true
  end,
  forward = function(self, w)
    self.at = self.at + 10
    if not bug("past_end") then self.at = math.min(self.at, w.length) end
  end,
  -- What was typed into the note is kept when it is cancelled, and is there when it is opened again.
  ask_note = function(self)
    local id = bug("note_elsewhere") and self.intent.id or self.id
    local key = "w" .. (id or self.id)
    local drafts = storage.drafts or {}
    storage.drafts = drafts
    self:dialog { title = "Your note", cancel = "Later", ok = "Save",
      view = function()
        return column { field { id = "note_text", text = drafts[key] or storage.notes[key] or "", max = 60 },
          drafts[key] and text { "Not saved yet", id = "not_saved", size = "small" } }
      end,
      on_ok = function()
        local note = trim(self:text("note_text"))
        storage.notes[key], drafts[key] = note ~= "" and note or nil, nil
      end,
      on_cancel = function()
        local typed = self:text("note_text")
        drafts[key] = typed ~= (storage.notes[key] or "") and typed or nil
      end }
  end,
  view = function(self)
    local w = work_of(self.id)
    if not w then return gone("Work") end
    if not allowed(w) then return column { toolbar { "Work", up = true }, text { "Not in children's mode", id = "not_now" } } end
    local before, after = self:neighbour(-1), self:neighbour(1)
    local note = storage.notes["w" .. w.id]
    return column {
      toolbar { title_of(w), up = true, subtitle = ROOMS[w.room].name .. ", " .. w.year },
      image { desc = "Picture of " .. title_of(w), height = 300 },
      text { clock(self.at) .. " / " .. clock(w.length), id = "position" },
      row { button { self.playing and "Pause" or "Play", id = "play", on_click = function() self:play(w) end },
        button { "10 s on", id = "forward", on_click = function() self:forward(w) end },
        button { "Restart", id = "restart", on_click = function() self.at = 0 end } },
      text { note and "Your note: " .. note or "No note", id = "note" },
      button { "Note", id = "edit_note", on_click = function() self:ask_note() end },
      row { button { "Previous", id = "previous", enabled = before ~= nil, on_click = function() if before then self:go(before) end end },
        button { "Next", id = "next", enabled = after ~= nil, on_click = function() if after then self:go(after) end end } },
    }
  end,
}

-- Finds titles in both languages and what the curators wrote, which is shown nowhere else.
activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  clear = function(self)
    self:set_text("query", "")
    if not bug("clear_results") then self.query = "" end
  end,
  found = function(self)
    if self.query == "" then return {} end
    return filter(WORKS, function(w)
      if not allowed(w) and not bug("child_search") then return false end
      return contains((w.title .. " " .. w.original .. " " .. w.hidden):lower(), self.query:lower())
    end)
  end,
  view = function(self)
    local found = self:found()
    return column {
      toolbar { "Search", up = true, actions = { { "Clear", id = "clear", on_click = function() self:clear() end } } },
      field { id = "query", hint = "Titles and curators' remarks", text = self.query, max = 30, on_change = function(s) self.query = s end },
      text { self.query == "" and "Type something" or #found .. " found", id = "found", size = "small" },
      list { id = "results", items = found, row = work_row, on_item_click = function(_, w) self:start("Work", { id = w.id }) end },
    }
  end,
}

local function progress_of(tour)
  local key = "t" .. tour.id
  storage.tours[key] = storage.tours[key] or { seen = {}, count = 0 }
  return storage.tours[key]
end

local function stops_of(tour) return filter(tour.stops, function(id) return allowed(work_of(id)) end) end

local function seen_of(tour)
  local done = storage.tours["t" .. tour.id]
  if not done then return 0 end
  if bug("stop_again") then return done.count end
  return #filter(stops_of(tour), function(id) return index_of(done.seen, id) end)
end

activity "Tours" {
  view = function(self)
    return column {
      toolbar { "Tours", up = true },
      list { id = "tours", items = TOURS,
        row = function(t)
          local stops = stops_of(t)
          return column { id = "tour_row", text { t.name, id = "name" },
            text { #stops .. " stops, " .. minutes(stops) .. " min to listen, walking not counted", id = "line", size = "small" } }
        end,
        on_item_click = function(_, t) self:start("Tour", { id = t.id }) end },
    }
  end,
}

activity "Tour" {
  open = function(self, tour, id)
    local done = progress_of(tour)
    if not index_of(done.seen, id) then table.insert(done.seen, id) end
    done.count = done.count + 1
    self:start("Work", { id = id })
  end,
  menu = function(self)
    return { { "Start again", id = "again", on_click = function() storage.tours["t" .. (self.intent.id or 0)] = nil end } }
  end,
  view = function(self)
    local tour = TOURS[self.intent.id]
    if not tour then return gone("Tour") end
    local stops = stops_of(tour)
    local seen = storage.tours["t" .. tour.id] and storage.tours["t" .. tour.id].seen or {}
    return column {
      toolbar { tour.name, up = true, subtitle = seen_of(tour) .. " of " .. #stops .. " seen" },
      list { id = "stops", items = stops, empty = text { "Nothing for children here", id = "empty" },
        row = function(id)
          return column { id = "stop_row", text { title_of(work_of(id)), id = "stop" },
            text { ROOMS[work_of(id).room].name .. (index_of(seen, id) and ", seen" or ""), id = "where", size = "small" } }
        end,
        on_item_click = function(_, id) self:open(tour, id) end },
    }
  end,
}

activity "Own" {
  shown = function(self) return filter(storage.own, function(id) return allowed(work_of(id)) end) end,
  move = function(self, i, by)
    local shown = self:shown()
    local a, b = index_of(storage.own, shown[i]), index_of(storage.own, shown[i + by])
    if a and b then storage.own[a], storage.own[b] = storage.own[b], storage.own[a] end
  end,
  view = function(self)
    local shown = self:shown()
    return column {
      toolbar { "My tour", up = true, subtitle = #shown .. " stops, " .. minutes(shown) .. " min to listen" },
      list { id = "own_list", items = shown, empty = text { "Long-press a work in its room to add it", id = "empty" },
        row = function(id) return text { title_of(work_of(id)), id = "own_row" } end,
        on_item_click = function(_, id) self:start("Work", { id = id }) end,
        on_item_long_click = function(i, id)
          self:popup {
            { "Earlier", id = "earlier", enabled = i > 1, on_click = function() self:move(i, -1) end },
            { "Later", id = "later", enabled = i < #shown, on_click = function() self:move(i, 1) end },
            { "Remove", id = "remove", on_click = function()
              local k = index_of(storage.own, id)
              if k then table.remove(storage.own, k) end
            end },
          }
        end },
    }
  end,
}

activity "Favourites" {
  remove = function(self, f)
    local i = index_of(storage.favourites, f)
    if not i then return end
    table.remove(storage.favourites, i)
    self.undo = { item = f, i = i }
    if self.timer then cancel(self.timer) end
    self.timer = self:after(5000, function() self.undo, self.timer = nil, nil end)
  end,
  put_back = function(self)
    if not favourite_of(self.undo.item.id) then
      table.insert(storage.favourites, math.min(self.undo.i, #storage.favourites + 1), self.undo.item)
    end
    self.undo = nil
  end,
  view = function(self)
    local shown = filter(storage.favourites, function(f) return allowed(work_of(f.id)) end)
    return column {
      toolbar { "Favourites", up = true },
      list { id = "favourite_list", items = shown, weight = 1, empty = text { "Long-press a work in its room to add it", id = "empty" },
        row = function(f) return text { bug("favourite_title") and f.title or title_of(work_of(f.id)), id = "favourite_row" } end,
        on_item_click = function(_, f) self:start("Work", { id = f.id }) end,
        on_item_long_click = function(_, f)
          self:popup { { "Remove", id = "remove", on_click = function() self:remove(f) end } }
        end },
      self.undo and row { button { "Undo", id = "undo", on_click = function() self:put_back() end }, text { "Removed", id = "removed", weight = 1 } },
    }
  end,
}

activity "Downloads" {
  create = function(self) self.loading = {} end,
  download = function(self, i)
    local key = "r" .. i
    self.loading[key] = true
    net.get { url = "https://museum.example.org/recordings?room=" .. i, latency = 2000, on_reply = function(reply)
      self.loading[key] = nil
      if not reply.ok then return toast("No connection") end
      if storage.packs[key] then return end
      storage.packs[key] = true
      storage.used = storage.used + ROOMS[i].size
    end }
  end,
  delete = function(self, i)
    storage.packs["r" .. i] = nil
    if not bug("download_total") then storage.used = storage.used - ROOMS[i].size end
  end,
  view = function(self)
    return column {
      toolbar { "Recordings", up = true, subtitle = storage.used .. " MB on this device" },
      list { id = "packs", items = ROOMS,
        row = function(r, i)
          local key = "r" .. i
          return row { text { r.name .. ", " .. r.size .. " MB", id = "pack", weight = 1 },
            self.loading[key] and progress { id = "loading", spinning = true }
              or storage.packs[key] and button { "Delete", id = "delete_pack", on_click = function() self:delete(i) end }
              or button { "Download", id = "download_pack", on_click = function() self:download(i) end } }
        end },
    }
  end,
}

activity "Visit" {
  create = function(self)
    net.get("https://museum.example.org/events", function(reply) self.events = reply.ok and reply.body or {} end)
  end,
  view = function(self)
    local day = (now() // DAY + 3) % 7 + 1                 -- the first of January 1970 was a Thursday
    local today = HOURS[bug("hours_today") and day % 7 + 1 or day]
    return column {
      toolbar { "Your visit", up = true },
      scroll {
        text { "Today, " .. WEEKDAYS[day] .. ": " .. today, id = "today" },
        each(WEEKDAYS, function(name, i) return text { name .. ": " .. HOURS[i], id = "hours", size = "small" } end),
        text { "What is on now (changes all the time)" },
        not self.events and progress { id = "loading", spinning = true },
        self.events and #self.events == 0 and text { "No connection", id = "no_events" },
        each(self.events or {}, function(e) return text { e, id = "event" } end),
        button { "The way to the museum", id = "way", on_click = function() self:start_implicit { action = "VIEW", uri = "geo:51.5,3.6" } end },
      },
    }
  end,
}

activity "Settings" {
  set_child = function(self, on)
    prefs.child = on
    if on and not prefs.large then prefs.large = true toast("Large titles are on now as well") end
  end,
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Original titles", id = "original", checked = prefs.original, on_change = function(b) prefs.original = b end },
      switch { "Children's mode", id = "child", checked = prefs.child, on_change = function(b) self:set_child(b) end },
      text { "Leaves out works marked 16+ everywhere", id = "child_hint", size = "small" },
      switch { "Large titles", id = "large", checked = prefs.large, on_change = function(b) prefs.large = b end },
    }
  end,
}
