-- Radio: stations of the world by genre, favourites, what was heard lately, an alarm and a sound page.
--
-- The lists of stations come from a server, a page at a time, and are kept for when there is no network. Whatever plays is
-- shown in a bar at the bottom; a sleep timer switches it off.

local STATIONS = {
  { id = 1, name = "Jazz Lane", genre = "Jazz", rate = 128, place = "Oslo" }, { id = 2, name = "Blue Hour", genre = "Jazz", rate = 96, place = "Paris" },
  { id = 3, name = "Bop Cellar", genre = "Jazz", rate = 64, place = "Rome" }, { id = 4, name = "Sax Nights", genre = "Jazz", rate = 192, place = "Porto" },
  { id = 5, name = "Rock Box", genre = "Rock", rate = 128, place = "Leeds" }, { id = 6, name = "Amp Eleven", genre = "Rock", rate = 96, place = "Bonn" },
  { id = 7, name = "Garage FM", genre = "Rock", rate = 64, place = "Turin" }, { id = 8, name = "Riff Radio", genre = "Rock", rate = 192, place = "Lyon" },
  { id = 9, name = "News One", genre = "Talk", rate = 64, place = "Dublin" }, { id = 10, name = "Night Talk", genre = "Talk", rate = 48, place = "Malmo" },
  { id = 11, name = "Book Hour", genre = "Talk", rate = 96, place = "Vienna" },
}
local PER_PAGE = 3

app {
  package = "org.example.radio",
  title = "Radio",
  main = "Main",
  bugs = { "pause_for_all", "fav_stale", "preset_changed", "alarm_edit_days", "refresh_adds", "unmute_loud", "offline_any_genre", "saver_limit" },
  server = function(request, db)
    if request.path == "/stations" then
      local all = filter(STATIONS, function(s) return s.genre == request.query.genre end)
      local first, result = (tonumber(request.query.page) - 1) * PER_PAGE, {}
      for i = first + 1, math.min(first + PER_PAGE, #all) do result[#result + 1] = all[i] end
      return { stations = result, more = first + PER_PAGE < #all }
    elseif request.path == "/search" then
      return { stations = filter(STATIONS, function(s) return contains((s.name .. " " .. s.place):lower(), request.body) end) }
    elseif request.path == "/vote" then
      db.votes = (db.votes or 11) + 1
      return { votes = db.votes }
    end
    return nil, 404
  end,
  application = function()
    if storage.known then
      storage.sleep, storage.on = nil, false                     -- nothing plays after the process was ended
      return
    end
    storage.next_id = 100
    storage.known = { copy(STATIONS[1]), copy(STATIONS[5]), copy(STATIONS[9]) }
    storage.favs = { 5, 9, 1 }
    storage.recent = { { id = 5, at = now() - 86400000, times = 2 } }
    storage.cache, storage.voted, storage.on = {}, {}, false
    storage.alarms = { { id = 50, at = 450, days = { true, true, true, true, true, false, false }, station = 9, on = true } }
    prefs.volume, prefs.bands, prefs.preset = 4, { 0, 0, 0 }, "Flat"
    prefs.saver, prefs.rates, prefs.by_name = false, true, false
  end,
}

local URL = "https://radio.example.org"
local GENRES = { "Jazz", "Rock", "Talk" }
local SONGS = { "Slow Train", "Half a Moon", "Paper Boats", "Station call", "Green Door", "Mind the Gap" }
local PRESETS = { Flat = { 0, 0, 0 }, Rock = { 6, -2, 4 }, Voice = { -4, 6, 0 } }
local PRESET_NAMES = { "Flat", "Rock", "Voice" }
local BANDS = { "Bass", "Middle", "Treble" }
local DAYS = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" }
local SAVER_RATE = 96
local sleep_timer

local function today() return now() // 86400000 end
local function by_id(list, id) return find(list, function(x) return x.id == id end) end
local function station_of(id) return (by_id(storage.known, id)) end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end
local function is_fav(id) return index_of(storage.favs, id) ~= nil end
local function clock(at) return format("%02d:%02d", at // 60, at % 60) end

local function learn(stations)
  for _, s in ipairs(stations) do
    if not station_of(s.id) then table.insert(storage.known, s) end
  end
end

local function allowed(s)
  if not prefs.saver then return true end
  return bug("saver_limit") and s.rate < SAVER_RATE or not bug("saver_limit") and s.rate <= SAVER_RATE
end

local function is_playing(id) return storage.on and storage.playing == id end

local function play(id)
  if not device.online() then return toast("No connection") end
  if storage.playing ~= id then
    local entry, i = by_id(storage.recent, id)
    if i then table.remove(storage.recent, i) end
    entry = entry or { id = id, times = 0 }
    entry.times, entry.at = entry.times + 1, now()
    table.insert(storage.recent, 1, entry)
    storage.since = now()
  end
  storage.playing, storage.on = id, true
end

local function set_sleep(minutes)
  if sleep_timer then cancel(sleep_timer) end
  sleep_timer, storage.sleep = nil, nil
  if minutes == 0 then return end
  storage.sleep = now() + minutes * 60000
  sleep_timer = after(minutes * 60000, function() storage.sleep, storage.on, sleep_timer = nil, false, nil end)
end

local function song() return SONGS[((now() - storage.since) // 15000 + storage.playing) % #SONGS + 1] end

local function station_row(s)
  return column { id = "station_row", text { s.name, id = "name", size = "large" },
    prefs.rates and text { s.genre .. ", " .. s.place .. ", " .. s.rate .. " kbit/s", id = "line", size = "small" } }
end

local function player(self)
  local s = storage.playing and station_of(storage.playing)
  return s and row { text { (storage.on and (device.online() and "Playing: " or "No connection: ") or "Paused: ") .. s.name, id = "bar", weight = 1,
      on_click = function() self:start("Now") end },
    image_button { id = "bar_button", desc = storage.on and "Pause" or "Play", on_click = function()
      if storage.on then storage.on = false else play(s.id) end
    end } }
end

activity "Main" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,
  menu = function(self)
    return {
      { "Favourites by name", id = "by_name", checked = prefs.by_name, on_click = function() prefs.by_name = not prefs.by_name end },
      { "Surprise me", id = "surprise", on_click = function() self:start("Station", { id = storage.known[random(#storage.known)].id }) end },
      { "Alarms", id = "go_alarms", on_click = function() self:start("Alarms") end },
      { "Sound", id = "go_sound", on_click = function() self:start("Sound") end },
      { "Settings", id = "go_settings", on_click = function() self:start("Settings") end },
    }
  end,

  favourites = function(self)
    local list = each(storage.favs, station_of)
    if bug("fav_stale") then
      self.seen = self.seen or list
      list = copy(self.seen)
    end
    if prefs.by_name then table.sort(list, function(a, b) return a.name:lower() < b.name:lower() end) end
    return list
  end,

  remove = function(self, s)
    local i = index_of(storage.favs, s.id)
    if not i then return end
    table.remove(storage.favs, i)
    self.seen = nil
    self:snackbar(s.name .. " removed", "Undo", function()
      if not is_fav(s.id) then table.insert(storage.favs, math.min(i, #storage.favs + 1), s.id) end
      self.seen = nil
    end)
  end,

  page = function(self)
    if self.tab == 1 then
      return list { id = "genres", items = GENRES, row = function(g) return text { g, id = "genre_row", size = "large" } end,
        on_item_click = function(_, g) self:start("Genre", { genre = g }) end }
    elseif self.tab == 2 then
      return list { id = "favourites", items = self:favourites(), row = station_row, empty = text { "No favourites", id = "empty" },
        on_item_click = function(_, s) self:start("Station", { id = s.id }) end,
        on_item_long_click = function(_, s)
          self:popup { { "Remove", id = "remove", on_click = function() self:remove(s) end } }
        end }
    end
    return list { id = "recent", items = storage.recent, empty = text { "Nothing heard yet", id = "empty" },
      row = function(r) return column { id = "recent_row", text { station_of(r.id).name, id = "name", size = "large" },
        text { "Played " .. plural(r.times, "time") .. ", last on " .. date(r.at, "%d %b %H:%M"), id = "line", size = "small" } } end,
      on_item_click = function(_, r) self:start("Station", { id = r.id }) end }
  end,

  view = function(self)
    return column {
      toolbar { "Radio", actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      tabs { id = "tabs", titles = { "Genres", "Favourites", "Recent" }, selected = self.tab, on_change = function(i) self.tab = i end },
      self:page(),
      player(self),
    }
  end,
}

activity "Genre" {
  create = function(self, intent, saved)
    self.genre = intent.genre or "Jazz"
    self.items, self.page, self.more, self.as_of = {}, 1, false, nil
    if saved and saved.items then
      self.items, self.page, self.more, self.as_of = saved.items, saved.page, saved.more, saved.as_of
    else
      self:load(1)
    end
  end,
  save = function(self, out)
    if not self.loading then out.items, out.page, out.more, out.as_of = self.items, self.page, self.more, self.as_of end
  end,

  load = function(self, page)
    if self.loading then return end
    self.loading = true
    net.get(URL .. "/stations?genre=" .. self.genre .. "&page=" .. page, function(reply)
      self.loading = false
      local key = bug("offline_any_genre") and "last" or self.genre
      if reply.ok then
        if page == 1 and not (bug("refresh_adds") and self.page > 1) then self.items = {} end
        for _, s in ipairs(reply.body.stations) do table.insert(self.items, s) end
        self.page, self.more, self.as_of = page, reply.body.more, nil
        learn(reply.body.stations)
        storage.cache[key] = { items = copy(self.items), at = now() }
      elseif page == 1 then
        local kept = storage.cache[key]
        self.items, self.page, self.more = kept and copy(kept.items) or {}, 1, false
        self.as_of = kept and "No connection. The list of " .. date(kept.at, "%H:%M") or "No connection"
      else
        toast("No connection")
      end
    end)
  end,

  view = function(self)
    local shown = filter(self.items, allowed)
    local hidden = #self.items - #shown
    return column {
      toolbar { self.genre, up = true, actions = { { "Refresh", id = "refresh", on_click = function() self:load(1) end } } },
      self.as_of and text { self.as_of, id = "as_of", size = "small" },
      self.loading and progress { id = "loading", spinning = true },
      list { id = "stations", items = shown, row = station_row, empty = text { "No stations", id = "empty" },
        on_item_click = function(_, s) self:start("Station", { id = s.id }) end },
      hidden > 0 and text { plural(hidden, "station") .. " hidden by the data saver", id = "hidden", size = "small" },
      self.more and button { "More", id = "more", on_click = function() self:load(self.page + 1) end },
      player(self),
    }
  end,
}

activity "Station" {
  vote = function(self, s)
    net.post(URL .. "/vote", s.id, function(reply)
      if not reply.ok then return toast("No connection") end
      storage.voted[tostring(s.id)] = today()
      toast("Thank you. " .. reply.body.votes .. " votes today")
    end)
  end,

  view = function(self)
    local s = station_of(self.intent.id)
    if not s then return column { toolbar { "Station", up = true }, text { "No such station", id = "gone" } } end
    local playing = bug("pause_for_all") and storage.on or is_playing(s.id)
    local heard = by_id(storage.recent, s.id)
    local voted = storage.voted[tostring(s.id)] == today()
    return column {
      toolbar { s.name, up = true, actions = { { is_fav(s.id) and "Remove favourite" or "Add favourite", id = "fav", on_click = function()
        local i = index_of(storage.favs, s.id)
        if i then table.remove(storage.favs, i) else table.insert(storage.favs, s.id) end
      end } } },
      text { s.genre .. " from " .. s.place, id = "genre" },
      text { s.rate .. " kbit/s", id = "rate" },
      button { playing and "Pause" or "Play", id = "play", on_click = function()
        if playing then storage.on = false else play(s.id) end
      end },
      text { heard and "Played " .. plural(heard.times, "time") or "Never played", id = "heard" },
      button { voted and "You have voted today" or "Vote", id = "vote", enabled = not voted, on_click = function() self:vote(s) end },
      space { weight = 1 },
      player(self),
    }
  end,
}

-- What plays now: its song (a new one every 15 seconds), the volume and the sleep timer.
activity "Now" {
  create = function(self) self:every(1000, function() end) end,

  mute = function(self)
    if prefs.before then
      prefs.volume, prefs.before = bug("unmute_loud") and 10 or prefs.before, nil
    else
      prefs.before, prefs.volume = prefs.volume, 0
    end
  end,

  ask_sleep = function(self)
    local minutes = { 0, 1, 15, 60 }
    self:dialog { title = "Sleep timer", items = each(minutes, function(n) return n == 0 and "Off" or n .. " min" end),
      on_item = function(i) set_sleep(minutes[i]) end, cancel = "Cancel" }
  end,

  view = function(self)
    local s = storage.playing and station_of(storage.playing)
    local left = storage.sleep and math.max(0, storage.sleep - now()) // 1000
    return column {
      toolbar { "Now playing", up = true },
      text { s and s.name or "Nothing", id = "station", size = "large" },
      s and text { storage.on and "Song: " .. song() or "Paused", id = "song" },
      text { prefs.before and "Muted" or "Volume: " .. prefs.volume, id = "volume_text" },
      slider { id = "volume", min = 0, max = 10, step = 1, value = prefs.volume, on_change = function(v) prefs.volume, prefs.before = v, nil end },
      row { button { prefs.before and "Unmute" or "Mute", id = "mute", on_click = function() self:mute() end },
        button { "Sleep timer", id = "sleep", on_click = function() self:ask_sleep() end } },
      left and text { format("Stops in %d:%02d", left // 60, left % 60), id = "left" },
      s and button { storage.on and "Pause" or "Play", id = "play", on_click = function()
        if storage.on then storage.on = false else play(s.id) end
      end },
    }
  end,
}

activity "Alarms" {
  view = function(self)
    local alarms = copy(storage.alarms)
    table.sort(alarms, function(a, b) return a.at < b.at end)
    return column {
      toolbar { "Alarms", up = true },
      list { id = "alarms", items = alarms, empty = text { "No alarms", id = "empty" },
        row = function(a)
          local days = {}
          for i, name in ipairs(DAYS) do if a.days[i] then days[#days + 1] = name end end
          local station = station_of(a.station)
          return row { id = "alarm_row",
            column { weight = 1, text { clock(a.at), id = "time", size = "large" },
              text { (#days == 0 and "Once" or #days == 7 and "Every day" or table.concat(days, " ")), id = "days", size = "small" },
              text { station and station.name or "Beep", id = "station", size = "small" } },
            switch { "On", id = "on", checked = a.on, on_change = function(b) a.on = b end } }
        end,
        on_item_click = function(_, a) self:start("Alarm", { id = a.id }) end,
        on_item_long_click = function(_, a)
          self:popup { { "Delete", id = "delete", on_click = function()
            table.remove(storage.alarms, index_of(storage.alarms, a))
            self:snackbar("Alarm deleted", "Undo", function() table.insert(storage.alarms, a) end)
          end } }
        end },
      fab { id = "add", desc = "New alarm", on_click = function() self:start("Alarm", {}) end },
    }
  end,
}

activity "Alarm" {
  create = function(self, intent, saved)
    local a = saved or by_id(storage.alarms, intent.id) or { at = 420, days = {} }
    self.at, self.station, self.days, self.touched = a.at, a.station, {}, a.touched
    for i = 1, 7 do self.days[i] = a.days[i] or false end
  end,
  save = function(self, out) out.at, out.station, out.days, out.touched = self.at, self.station, self.days, self.touched end,
  store = function(self)
    local a = by_id(storage.alarms, self.intent.id)
    if not a then
      if #storage.alarms >= 12 then return toast("Too many alarms") end
      storage.next_id = storage.next_id + 1
      a = { id = storage.next_id }
      table.insert(storage.alarms, a)
    end
    a.at, a.station, a.on = self.at, self.station, true
    a.days = bug("alarm_edit_days") and not self.touched and {} or self.days
    local minutes = (self.at - now() // 60000) % 1440
    toast(format("On. Next %02d:%02d is in %d h %d min", self.at // 60, self.at % 60, minutes // 60, minutes % 60))
    self:finish()
  end,

  view = function(self)
    local hours, quarters, ids, names = {}, { 0, 15, 30, 45 }, { false }, { "Beep" }
    for h = 0, 23 do hours[h + 1] = format("%02d", h) end
    local choice = copy(storage.favs)
    if self.station and not is_fav(self.station) then table.insert(choice, self.station) end
    for _, id in ipairs(choice) do
      ids[#ids + 1] = id
      names[#names + 1] = station_of(id).name
    end
    return column {
      toolbar { self.intent.id and "Edit alarm" or "New alarm", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        row { text { "Time", width = 240 },
          spinner { id = "hour", items = hours, selected = self.at // 60 + 1, weight = 1, on_change = function(i) self.at = (i - 1) * 60 + self.at % 60 end },
          spinner { id = "minute", items = each(quarters, tostring), selected = index_of(quarters, self.at % 60), weight = 1,
            on_change = function(i) self.at = self.at // 60 * 60 + quarters[i] end } },
        row { text { "Plays", width = 240 }, spinner { id = "station", items = names, selected = index_of(ids, self.station or false) or 1, weight = 1,
          on_change = function(i) self.station = ids[i] or nil end } },
        each(DAYS, function(name, i)
          return check { name, id = "day", checked = self.days[i], on_change = function(b) self.days[i], self.touched = b, true end }
        end),
      },
    }
  end,
}

activity "Sound" {
  choose = function(self, name)
    prefs.preset = name
    prefs.bands = bug("preset_changed") and PRESETS[name] or copy(PRESETS[name])
  end,

  view = function(self)
    local names = copy(PRESET_NAMES)
    if prefs.preset == "Custom" then names[4] = "Custom" end
    return column {
      toolbar { "Sound", up = true },
      spinner { id = "preset", items = names, selected = index_of(names, prefs.preset), on_change = function(_, name)
        if name ~= "Custom" then self:choose(name) end
      end },
      each(BANDS, function(band, i)
        return column { text { band .. ": " .. prefs.bands[i] .. " dB", id = "band" },
          slider { id = band:lower(), min = -10, max = 10, step = 2, value = prefs.bands[i], on_change = function(v)
            prefs.bands[i], prefs.preset = v, "Custom"
          end } }
      end),
      text { "Moving a slider makes the sound Custom", id = "how", size = "small" },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.results = saved and saved.results end,
  save = function(self, out) out.results = self.results end,
  go = function(self)
    local query = trim(self:text("query")):lower()
    if query == "" then return toast("What are you looking for?") end
    self.asked, self.error = query, nil
    self:hide_keyboard()
    net.post(URL .. "/search", query, function(reply)
      if self.asked ~= query then return end
      self.asked = nil
      if not reply.ok then self.results, self.error = nil, "No connection" return end
      self.results = reply.body.stations
      learn(self.results)
    end)
  end,

  view = function(self)
    local shown = filter(self.results or {}, allowed)
    local hidden = #(self.results or {}) - #shown
    return column {
      toolbar { "Search", up = true },
      row { field { id = "query", hint = "Name or place", max = 20, weight = 1, on_submit = function() self:go() end },
        button { "Find", id = "find", on_click = function() self:go() end } },
      self.asked and progress { id = "loading", spinning = true },
      self.error and text { self.error, id = "error" },
      self.results and text { plural(#shown, "station") .. " found" .. (hidden > 0 and ", " .. hidden .. " hidden by the data saver" or ""), id = "found", size = "small" },
      list { id = "results", items = shown, row = station_row, on_item_click = function(_, s) self:start("Station", { id = s.id }) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Data saver", id = "saver", checked = prefs.saver, on_change = function(b) prefs.saver = b end },
      text { "Lists only stations up to " .. SAVER_RATE .. " kbit/s. Favourites stay.", id = "saver_text", size = "small" },
      switch { "Details in lists", id = "rates", checked = prefs.rates, on_change = function(b) prefs.rates = b end },
      button { "Forget what was heard before", id = "forget", on_click = function()
        storage.recent = filter(storage.recent, function(r) return r.id == storage.playing end)
      end },
    }
  end,
}
