-- Podcatcher: a podcast player with many settings, some of which are not as neutral as they look.

local SPEEDS = { 1.0, 1.25, 1.5, 2.0 }
local PATHS = { internal = "/data/podcasts", sd = "/sdcard/podcasts" }
local BASE_SKIP = 30

local PODCASTS = {
  { id = "tea", title = "Tea Time Science", author = "Two Chemists", episodes = { "Why leaves turn", "Salt", "On boiling", "The cold cup" } },
  { id = "rail", title = "Night Trains", author = "M. Wagner", episodes = { "Sleeper to Lund", "The last buffet", "Platform nine" } },
  { id = "myth", title = "Small Myths", author = "Norns & Co", episodes = { "Three sisters", "The well", "A thread" } },
  { id = "code", title = "Off By One", author = "The Fence Posts", episodes = { "Zero", "One", "Many" } },
}

app {
  package = "org.norn.podcatcher",
  title = "Podcatcher",
  main = "Main",
  bugs = { "no_columns", "keep_nothing", "sleep_zero", "hidden_next", "card_and_back", "dark_and_back", "speed_drift", "german_and_back", "late_update" },
  themis = {
    { n = 1, activity = "Appearance", id = "grid", kind = "tap" },
    { n = 2, activity = "Main", id = "podcast", kind = "tap" },
    { n = 3, activity = "DownloadSettings", id = "auto_delete", kind = "tap" },
    { n = 4, activity = "Episode", id = "mark_played", kind = "tap" },
    { n = 5, activity = "Appearance", id = "hide_played", kind = "tap" },
    { n = 6, activity = "Player", id = "next", kind = "tap" },
    { n = 7, activity = "Episode", id = "download", kind = "tap" },
    { n = 8, activity = "Player", id = "minutes", kind = "type" },
  },
  server = function(request)
    if request.path == "/update" then return { fresh = 2 } end
    return nil, 404
  end,
  application = function()
    if storage.subscribed then return end
    storage.subscribed = { "tea", "rail", "myth", "code" }
    storage.played, storage.downloads, storage.queue = {}, {}, {}
    prefs.grid, prefs.columns, prefs.dark, prefs.text_size, prefs.language = false, 3, false, "normal", 1
    prefs.hide_played, prefs.newest_first = false, true
    prefs.auto_delete, prefs.keep, prefs.location = false, 5, "internal"
    prefs.speed, prefs.skip = 1, BASE_SKIP
  end,
}

local function podcast_by_id(id) return find(PODCASTS, function(p) return p.id == id end) end
local function key(podcast, title) return podcast.id .. "/" .. title end

-- the episodes a list shows: { title =, key = }
local function episodes_of(podcast)
  local out = {}
  for _, title in ipairs(podcast.episodes) do
    local k = key(podcast, title)
    if not (prefs.hide_played and storage.played[k]) then table.insert(out, { title = title, key = k }) end
  end
  if prefs.newest_first then return out end
  local reversed = {}
  for i = #out, 1, -1 do table.insert(reversed, out[i]) end
  return reversed
end

local function count(t)
  local n = 0
  for _ in pairs(t) do n = n + 1 end
  return n
end

local function mark_played(k)
  storage.played[k] = true
  if count(storage.played) > prefs.keep and prefs.auto_delete then storage.downloads[k] = nil end
end

-- ---- what settings do ----

local function set_grid(on)
  prefs.grid = on
  if on then
    prefs.columns = 3
  elseif bug("no_columns") then
    prefs.columns = 0                             -- "a list has no columns"
  end
end

local function set_auto_delete(on)
  prefs.auto_delete = on
  if on then
    prefs.keep = 5
  elseif bug("keep_nothing") then
    prefs.keep = nil
  end
end

local function set_dark(on)
  prefs.dark = on
  if on then
    prefs.text_size = "large"                     -- easier on the eyes at night
  elseif not bug("dark_and_back") then
    prefs.text_size = "normal"
  end
end

local function set_speed(i)
  local old = SPEEDS[prefs.speed]
  prefs.speed = i
  if bug("speed_drift") then
    prefs.skip = math.floor(prefs.skip * SPEEDS[i] / old)
  else
    prefs.skip = math.floor(BASE_SKIP * SPEEDS[i])
  end
end

local function set_location(i, label)
  if i == 2 then
    prefs.location = "sd"
  else
    prefs.location = bug("card_and_back") and label or "internal"
  end
end

local WORDS = { { played = "played", queue = "Queue", minutes = "min" }, { played = "gehört", queue = "Schlange", minutes = "Min." } }
words = nil                                       -- the words of the language, looked up once

local function word(name)
  if not words or not bug("german_and_back") then words = WORDS[prefs.language] end
  return words[name]
end

local function set_language(i)
  prefs.language = i
  if i ~= 1 then words = WORDS[i] end             -- English needs no dictionary
end

-- ---- the library ----

activity "Main" {
  create = function(self) self.status = nil end,
  update = function(self)
    self.status = "Updating"
    local places = #storage.subscribed
    net.get { url = "https://pods.example.org/update", latency = 1400, on_reply = function(reply)
      self.status = reply.ok and reply.body.fresh .. " new episodes" or "No connection"
      if not reply.ok then return end
      for i = 1, places do
        local id = storage.subscribed[i]
        if id or bug("late_update") then storage.last = podcast_by_id(id).title end
      end
    end }
  end,
  ask_unsubscribe = function(self, i)
    local podcast = podcast_by_id(storage.subscribed[i])
    self:dialog { title = "Unsubscribe from " .. podcast.title .. "?", cancel = "Cancel", ok = "Unsubscribe",
      on_ok = function()
        local place = index_of(storage.subscribed, podcast.id)
        if place then table.remove(storage.subscribed, place) end
      end }
  end,
  menu = function(self)
    return {
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      { "Downloads", id = "downloads", on_click = function() self:start("Downloads") end },
      { "Add podcast", id = "discover", on_click = function() self:start("Discover") end },
    }
  end,
  cover = function(self, id)
    local podcast = podcast_by_id(id)
    return column { image { desc = "Cover of " .. podcast.title, height = 160 }, text { podcast.title, id = "podcast" } }
  end,
  view = function(self)
    local properties = { id = "podcasts", items = storage.subscribed, empty = text { "No podcasts", id = "empty" },
      columns = prefs.grid and prefs.columns or nil,
      row = function(id)
        if prefs.grid then return self:cover(id) end
        return text { podcast_by_id(id).title, id = "podcast" }
      end,
      on_item_click = function(_, id) self:start("Podcast", { id = id }) end,
      on_item_long_click = function(i) self:ask_unsubscribe(i) end }
    return column {
      toolbar { "Podcatcher", actions = {
        { "Update", id = "update", on_click = function() self:update() end },
        { word("queue"), id = "queue", on_click = function() self:start("Queue") end } } },
      self.status and text { self.status, id = "status", size = "small" },
      prefs.grid and grid(properties) or list(properties),
    }
  end,
}

activity "Discover" {
  view = function(self)
    local others = filter(PODCASTS, function(p) return not index_of(storage.subscribed, p.id) end)
    return column {
      toolbar { "Add podcast", up = true },
      list { id = "others", items = others, empty = text { "You have them all", id = "empty" },
        row = function(p) return column { text { p.title, id = "other" }, text { p.author, id = "author", size = "small" } } end,
        on_item_click = function(_, p)
          table.insert(storage.subscribed, p.id)
          toast("Subscribed")
        end },
    }
  end,
}

activity "Podcast" {
  create = function(self, intent) self.podcast = podcast_by_id(intent.id) end,
  menu = function(self)
    return { { "Newest first", id = "newest_first", checked = prefs.newest_first, on_click = function() prefs.newest_first = not prefs.newest_first end } }
  end,
  view = function(self)
    local podcast = self.podcast
    if not podcast then return column { toolbar { "Podcast", up = true }, text { "Unknown podcast", id = "gone" } } end
    return column {
      toolbar { podcast.title, up = true, subtitle = podcast.author },
      image { id = "cover", desc = "Cover", height = math.min(400, device.width() // prefs.columns) },
      list { id = "episodes", items = episodes_of(podcast), empty = text { "All " .. word("played"), id = "empty" },
        row = function(e)
          return text { e.title .. (storage.played[e.key] and " (" .. word("played") .. ")" or ""), id = "episode",
            size = prefs.text_size == "large" and "large" or nil }
        end,
        on_item_click = function(_, e) self:start("Episode", { podcast = podcast.id, title = e.title }) end },
    }
  end,
}

activity "Episode" {
  create = function(self, intent)
    self.podcast = podcast_by_id(intent.podcast)
    self.key = self.podcast and key(self.podcast, intent.title or "")
  end,
  download = function(self)
    storage.downloads[self.key] = PATHS[prefs.location] .. "/" .. self.key
    toast("Downloaded")
  end,
  toggle_played = function(self)
    if storage.played[self.key] then
      storage.played[self.key] = nil
    else
      mark_played(self.key)
    end
  end,
  view = function(self)
    local podcast, title = self.podcast, self.intent.title
    if not podcast or not title then return column { toolbar { "Episode", up = true }, text { "Unknown episode", id = "gone" } } end
    local path = storage.downloads[self.key]
    return column {
      toolbar { title, up = true, subtitle = podcast.title },
      text { path and "In " .. path or "Not downloaded", id = "where", size = "small" },
      button { "Play", id = "play", on_click = function() self:start("Player", { podcast = podcast.id, title = title }) end },
      button { path and "Delete download" or "Download", id = "download", on_click = function()
        if path then storage.downloads[self.key] = nil else self:download() end
      end },
      button { storage.played[self.key] and "Mark as new" or "Mark as " .. word("played"), id = "mark_played",
        on_click = function() self:toggle_played() end },
      button { "Add to queue", id = "enqueue", on_click = function()
        table.insert(storage.queue, { podcast = podcast.id, title = title })
        toast(#storage.queue .. " in the queue")
      end },
      button { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
    }
  end,
}

-- ---- the player ----

activity "Player" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.podcast = podcast_by_id(intent.podcast)
    self.title = saved.title or intent.title
    self.position = saved.position or 0
    self.sleep = saved.sleep
  end,
  save = function(self, out) out.title, out.position, out.sleep = self.title, self.position, self.sleep end,
  next_episode = function(self)
    local episodes = episodes_of(self.podcast)
    local _, place = find(episodes, function(e) return e.title == self.title end)
    if not place and not bug("hidden_next") then place = 0 end
    local following = episodes[place + 1]
    if not following then return toast("That was the last one") end
    self.title, self.position = following.title, 0
  end,
  ask_sleep = function(self)
    self:set_text("minutes", "")
    self:dialog { title = "Sleep timer", cancel = "Cancel", ok = "Start",
      view = function() return column { field { id = "minutes", hint = "Minutes", input = "number", max = 3 } } end,
      on_ok = function()
        local minutes = math.tointeger(tonumber(self:text("minutes")))
        if not minutes then return toast("How long?") end
        if minutes == 0 and not bug("sleep_zero") then
          self.sleep = nil
        else
          self.sleep = { minutes = minutes, since = now() }
        end
      end }
  end,
  sleep_text = function(self)
    if not self.sleep then return "No sleep timer" end
    local gone = (now() - self.sleep.since) // 60000
    return "Sleep timer: " .. math.min(100, gone * 100 // self.sleep.minutes) .. " % of " .. self.sleep.minutes .. " " .. word("minutes")
  end,
  view = function(self)
    if not self.podcast or not self.title then return column { toolbar { "Player", up = true }, text { "Nothing to play", id = "gone" } } end
    return column {
      toolbar { self.title, up = true, subtitle = self.podcast.title },
      image { id = "artwork", desc = "Cover of " .. self.podcast.title, height = 400 },
      text { "At " .. self.position .. " s", id = "position" },
      row {
        button { "Skip " .. prefs.skip .. " s", id = "skip", on_click = function() self.position = self.position + prefs.skip end },
        button { "Next", id = "next", on_click = function() self:next_episode() end },
      },
      row {
        button { "Speed " .. SPEEDS[prefs.speed], id = "speed", on_click = function() set_speed(prefs.speed % #SPEEDS + 1) end },
        button { "Sleep", id = "sleep", on_click = function() self:ask_sleep() end },
      },
      text { self:sleep_text(), id = "sleep_state", size = "small" },
    }
  end,
}

activity "Queue" {
  view = function(self)
    return column {
      toolbar { word("queue"), up = true },
      list { id = "queue_list", items = storage.queue, empty = text { "Nothing queued", id = "empty" },
        row = function(entry) return text { entry.title, id = "queued" } end,
        on_item_click = function(_, entry) self:start("Player", entry) end,
        on_item_long_click = function(i) table.remove(storage.queue, i) end },
      button { "Clear", id = "clear_queue", enabled = #storage.queue > 0, on_click = function() storage.queue = {} end },
    }
  end,
}

activity "Downloads" {
  view = function(self)
    local keys = {}
    for k in pairs(storage.downloads) do table.insert(keys, k) end
    return column {
      toolbar { "Downloads", up = true },
      list { id = "download_list", items = keys, empty = text { "Nothing downloaded", id = "empty" },
        row = function(k) return text { storage.downloads[k], id = "download_row" } end,
        on_item_long_click = function(_, k) storage.downloads[k] = nil end },
    }
  end,
}

-- ---- settings ----

activity "Settings" {
  view = function(self)
    local function entry(title, id, name) return button { title, id = id, on_click = function() self:start(name) end } end
    return column {
      toolbar { "Settings", up = true },
      entry("Appearance", "appearance", "Appearance"),
      entry("Playback", "playback", "Playback"),
      entry("Downloads", "download_settings", "DownloadSettings"),
      button { "About", id = "about", on_click = function()
        self:dialog { title = "About", message = "Podcatcher 2.1", ok = "OK", neutral = "Web site",
          on_neutral = function() self:start_implicit { action = "VIEW", uri = "https://pods.example.org" } end }
      end },
    }
  end,
}

activity "Appearance" {
  view = function(self)
    return column {
      toolbar { "Appearance", up = true },
      switch { "Show as grid", id = "grid", checked = prefs.grid, on_change = set_grid },
      switch { "Dark theme", id = "dark", checked = prefs.dark, on_change = set_dark },
      text { "Text size: " .. prefs.text_size, id = "text_size", size = "small" },
      switch { "Hide played episodes", id = "hide_played", checked = prefs.hide_played, on_change = function(on) prefs.hide_played = on end },
      text "Language",
      radios { id = "language", items = { "English", "Deutsch" }, selected = prefs.language, on_change = set_language },
    }
  end,
}

activity "Playback" {
  view = function(self)
    return column {
      toolbar { "Playback", up = true },
      text { "Speed", id = "speed_label" },
      spinner { id = "default_speed", items = each(SPEEDS, function(s) return tostring(s) end), selected = prefs.speed,
        on_change = function(i)
          if i ~= prefs.speed then set_speed(i) end
        end },
      text { "Skips " .. prefs.skip .. " seconds", id = "skips" },
      switch { "Newest first", id = "newest", checked = prefs.newest_first, on_change = function(on) prefs.newest_first = on end },
      switch { "Continue with the next episode", id = "continuous", default = true },
      switch { "Pause for notifications", id = "duck", default = false },
    }
  end,
}

activity "DownloadSettings" {
  view = function(self)
    return column {
      toolbar { "Downloads", up = true },
      switch { "Delete played episodes", id = "auto_delete", checked = prefs.auto_delete, on_change = set_auto_delete },
      prefs.auto_delete and text { "Keeps " .. prefs.keep .. " played episodes", id = "keeps" },
      text "Where",
      radios { id = "location", items = { "Internal", "SD card" }, selected = prefs.location == "sd" and 2 or 1, on_change = set_location },
      switch { "Download over mobile data", id = "mobile", default = false },
      button { "Delete all downloads", id = "delete_all", on_click = function()
        self:dialog { title = "Delete all downloads?", cancel = "Cancel", ok = "Delete", on_ok = function() storage.downloads = {} end }
      end },
    }
  end,
}
