-- Earshot: a podcast player with subscriptions, a queue, downloads, a sleep timer and an import of subscriptions.
-- Episodes carry the id of their show; the queue is a list of ids of episodes.

local DAY = 24 * 60 * 60 * 1000
local SKIPS = { 15, 30, 60 }
local SPEEDS = { 0.8, 1.0, 1.2, 1.5, 2.0 }
local SLEEPS = { 0, 10, 20, 45 }
local DIRECTORY = {                               -- of each episode: title, minutes, megabytes, days ago
  { feed = "harbour", title = "Harbour Tales", author = "Quay Radio", episodes = { { "The lamp keeper", 31, 28, 18 }, { "Fog", 27, 24, 4 } } },
  { feed = "loom", title = "The Loom", author = "Weft Collective", episodes = { { "Dyeing with onions", 44, 40, 25 }, { "Old patterns", 39, 35, 11 } } },
  { feed = "maps", title = "Maps Explained", author = "Ida Brandt", episodes = { { "Contour lines", 22, 20, 8 } } },
  { feed = "orbit", title = "Orbit Weekly", author = "Skyward", episodes = { { "Launch windows", 42, 38, 21 }, { "Moons of Mars", 36, 33, 14 },
    { "The long burn", 48, 44, 7 }, { "Splashdown", 40, 37, 1 } } },
  { feed = "quiet", title = "Quiet Hours", author = "Nora Lind", episodes = { { "Rain on a tent", 60, 55, 30 }, { "Night train", 55, 50, 5 } } },
  { feed = "soup", title = "Stone Soup", author = "Kitchen Table", episodes = { { "Bread at altitude", 28, 25, 10 }, { "Salt", 33, 30, 3 } } },
}
local BACKUP = { "orbit", "soup", "loom" }       -- what the file of subscriptions names
local subscribe, play, ticker

app {
  package = "org.earshot.podcasts",
  title = "Earshot",
  main = "Main",
  bugs = { "queue_outlives_show", "selection_by_row", "skip_is_thirty", "switch_forgets_place", "to_top_swaps", "import_doubles", "bulk_keeps_size",
    "sleep_not_cancelled", "speed_for_all" },
  application = function()
    if storage.shows then
      storage.player.playing, storage.player.sleep_at = false, nil
      return
    end
    prefs.skip, prefs.auto_next, prefs.sort = 2, true, 1
    storage.shows, storage.episodes, storage.next_id = {}, {}, 1
    for _, feed in ipairs { "orbit", "soup", "quiet" } do subscribe(feed) end
    for _, e in ipairs(storage.episodes) do
      e.played = (e.title == "Launch windows" or e.title == "Salt") or nil
      e.downloaded = (e.played or e.title == "The long burn") or nil
      if e.title == "Rain on a tent" then e.position = 750 end
    end
    storage.queue = each({ "Moons of Mars", "Bread at altitude", "Night train", "The long burn" }, function(title)
      return (find(storage.episodes, function(e) return e.title == title end)).id
    end)
    storage.used = 112                            -- megabytes of downloads
    storage.player = { position = 0, playing = false }
  end,
}

local function show_by_id(id) return find(storage.shows, function(s) return s.id == id end) end
local function episode_by_id(id) return find(storage.episodes, function(e) return e.id == id end) end
local function episodes_of(show_id) return filter(storage.episodes, function(e) return e.show == show_id end) end
local function show_title(e)
  local show = show_by_id(e.show)
  return show and show.title or "No longer subscribed"
end
local function clock(seconds) return format("%d:%02d", math.floor(seconds) // 60, math.floor(seconds) % 60) end
local function speed_text(speed) return format("%.1fx", speed) end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id - 1
end

local function unqueue(id)
  local i = index_of(storage.queue, id)
  if i then table.remove(storage.queue, i) end
end

local function set_download(e, on)
  if (e.downloaded or false) == on then return end
  e.downloaded = on or nil
  storage.used = storage.used + (on and e.size or -e.size)
end

-- ---- playing ----

local function pause()
  storage.player.playing, storage.player.sleep_at = false, nil
  if ticker then cancel(ticker) end
  ticker = nil
end

local function leave_current()
  local player = storage.player
  local e = player.episode and episode_by_id(player.episode)
  pause()
  if e and not bug("switch_forgets_place") then e.position = player.position end
  player.episode, player.position = nil, 0
end

local function mark_played(e)
  if storage.player.episode == e.id then leave_current() end
  e.played, e.position = true, 0
  unqueue(e.id)
end

local function tick()
  local player = storage.player
  local e = player.episode and episode_by_id(player.episode)
  if not e or not player.playing or player.sleep_at and now() >= player.sleep_at then return pause() end
  local show = show_by_id(e.show)
  player.position = player.position + (show and show.speed or 1)
  if player.position < e.minutes * 60 then return end
  local following, sleep_at = storage.queue[1] and episode_by_id(storage.queue[1]), player.sleep_at
  mark_played(e)
  if not following or not prefs.auto_next then return end
  play(following)
  player.sleep_at = sleep_at
end

play = function(e)
  local player, sleep_at = storage.player, storage.player.sleep_at
  if player.episode ~= e.id then
    leave_current()
    player.episode, player.position, player.sleep_at = e.id, e.position, sleep_at
  end
  unqueue(e.id)
  player.playing = true
  if not ticker then ticker = every(1000, tick) end
end

local function status(e)
  if storage.player.episode == e.id then return storage.player.playing and "Playing" or "Paused" end
  if e.played then return "Played" end
  return e.position > 0 and clock(e.position) .. " of " .. e.minutes .. " min" or e.minutes .. " min"
end

subscribe = function(feed)
  local found = find(DIRECTORY, function(s) return s.feed == feed end)
  local show = { id = new_id(), feed = feed, title = found.title, author = found.author, speed = 1.0 }
  table.insert(storage.shows, show)
  for _, e in ipairs(found.episodes) do
    table.insert(storage.episodes, { id = new_id(), show = show.id, title = e[1], minutes = e[2], size = e[3], day = now() - e[4] * DAY, position = 0 })
  end
end

local function subscribed(feed) return find(storage.shows, function(s) return s.feed == feed end) end

local function unsubscribe(show)
  for _, e in ipairs(episodes_of(show.id)) do
    if storage.player.episode == e.id then leave_current() end
    set_download(e, false)
    if not (bug("queue_outlives_show") and index_of(storage.queue, e.id)) then
      unqueue(e.id)
      local _, i = episode_by_id(e.id)
      table.remove(storage.episodes, i)
    end
  end
  local _, i = show_by_id(show.id)
  table.remove(storage.shows, i)
end

-- ---- the library ----

local function bottom(self, here)
  local function item(title, id, name)
    return { title, id = id, selected = here == name, on_click = function()
      if here == name then return end
      if name ~= "Main" then self:start(name) end
      if here ~= "Main" then self:finish() end
    end }
  end
  return bottom_bar { items = { item("Library", "nav_library", "Main"), item("Queue", "nav_queue", "Queue"), item("Downloads", "nav_downloads", "Downloads"),
    item("Discover", "nav_discover", "Discover") } }
end

local function unplayed(show) return #filter(episodes_of(show.id), function(e) return not e.played end) end

activity "Main" {
  result = function(self, _, data)
    if not data then return end
    local added = 0
    for _, feed in ipairs(BACKUP) do
      if bug("import_doubles") or not subscribed(feed) then
        subscribe(feed)
        added = added + 1
      end
    end
    toast(added == 0 and "You have them all" or added .. " added")
  end,
  menu = function(self)
    return {
      { "Sort by", id = "sort", on_click = function()
        self:dialog { title = "Sort by", items = { "Title", "Most unplayed" }, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
      end },
      { "Import subscriptions", id = "import", on_click = function()
        self:start_implicit { action = "GET_CONTENT", type = "text/*", request = "opml" }
      end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local shows = copy(storage.shows)
    table.sort(shows, function(a, b)
      if prefs.sort == 2 and unplayed(a) ~= unplayed(b) then return unplayed(a) > unplayed(b) end
      return a.title < b.title
    end)
    local current = storage.player.episode and episode_by_id(storage.player.episode)
    return column {
      toolbar { "Earshot", subtitle = #shows .. (#shows == 1 and " show" or " shows") },
      list { id = "shows", items = shows, empty = text { "No subscriptions", id = "empty" },
        row = function(s) return row { text { s.title, id = "show", weight = 1 }, text { unplayed(s) .. " unplayed", id = "unplayed" } } end,
        on_item_click = function(_, s) self:start("Show", { id = s.id }) end },
      current and button { current.title, id = "now_playing", on_click = function() self:start("Player") end },
      bottom(self, "Main"),
    }
  end,
}

activity "Show" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.oldest, self.fresh, self.chosen = saved.oldest, saved.fresh, saved.chosen        -- chosen: nil unless selecting
  end,
  save = function(self, out) out.oldest, out.fresh, out.chosen = self.oldest, self.fresh, self.chosen end,
  back = function(self)
    if not self.chosen then return false end
    self.chosen = nil
    return true
  end,
  shown = function(self)
    local out = filter(episodes_of(self.intent.id), function(e) return not self.fresh or not e.played end)
    table.sort(out, function(a, b)
      if self.oldest then return a.day < b.day end
      return a.day > b.day
    end)
    return out
  end,
  key = function(self, i, e) return bug("selection_by_row") and i or e.id end,
  toggle = function(self, i, e)
    local key = self:key(i, e)
    local at = index_of(self.chosen, key)
    if at then table.remove(self.chosen, at) else table.insert(self.chosen, key) end
    if #self.chosen == 0 then self.chosen = nil end
  end,
  with_chosen = function(self, fn)
    for i, e in ipairs(self:shown()) do
      if index_of(self.chosen, self:key(i, e)) then fn(e) end
    end
    self.chosen = nil
  end,
  ask_speed = function(self, show)
    self:dialog { title = "Speed", items = each(SPEEDS, speed_text), checked = index_of(SPEEDS, show.speed), on_item = function(i)
      for _, s in ipairs(storage.shows) do
        if s.id == show.id or bug("speed_for_all") then s.speed = SPEEDS[i] end
      end
    end }
  end,
  ask_unsubscribe = function(self, show)
    self:dialog { title = "Unsubscribe from " .. show.title .. "?", message = "Its episodes and downloads are removed", cancel = "Cancel", ok = "Unsubscribe",
      on_ok = function()
        unsubscribe(show)
        self:finish()
      end }
  end,
  menu = function(self)
    local show = show_by_id(self.intent.id)
    if not show then return {} end
    return {
      { "Oldest first", id = "oldest", checked = self.oldest or false, on_click = function() self.oldest = not self.oldest end },
      { "Only unplayed", id = "fresh", checked = self.fresh or false, on_click = function() self.fresh, self.chosen = not self.fresh, nil end },
      { "Speed", id = "speed", on_click = function() self:ask_speed(show) end },
      { "Mark all as played", id = "all_played", on_click = function() self.chosen = nil each(episodes_of(show.id), mark_played) end },
      { "Unsubscribe", id = "unsubscribe", on_click = function() self:ask_unsubscribe(show) end },
    }
  end,
  view = function(self)
    local show = show_by_id(self.intent.id)
    if not show then return column { toolbar { "Show", up = true }, text { "You are not subscribed", id = "gone" } } end
    return column {
      toolbar { self.chosen and #self.chosen .. " selected" or show.title, up = not self.chosen or function() self.chosen = nil end },
      self.chosen and row {
        button { "Played", id = "mark_chosen", on_click = function() self:with_chosen(mark_played) end },
        button { "Queue", id = "queue_chosen", on_click = function()
          self:with_chosen(function(e) if not index_of(storage.queue, e.id) and storage.player.episode ~= e.id then table.insert(storage.queue, e.id) end end)
        end },
        button { "Download", id = "download_chosen", on_click = function() self:with_chosen(function(e) set_download(e, true) end) end },
      } or text { show.author .. ", plays at " .. speed_text(show.speed), id = "author" },
      list { id = "episodes", items = self:shown(), empty = text { "No episodes", id = "empty" },
        row = function(e, i)
          local marked = self.chosen and index_of(self.chosen, self:key(i, e))
          return column {
            row { text { e.title, id = "episode", weight = 1 }, marked and text { "✓", id = "marked" } },
            text { date(e.day, "%d %b") .. ", " .. status(e) .. (e.downloaded and ", downloaded" or ""), id = "status", size = "small" },
          }
        end,
        on_item_click = function(i, e) if self.chosen then self:toggle(i, e) else self:start("Episode", { id = e.id }) end end,
        on_item_long_click = function(i, e)
          self.chosen = self.chosen or {}
          self:toggle(i, e)
        end },
    }
  end,
}

activity "Episode" {
  view = function(self)
    local e = episode_by_id(self.intent.id)
    if not e then return column { toolbar { "Episode", up = true }, text { "This episode is gone", id = "gone" } } end
    local queued = index_of(storage.queue, e.id)
    return column {
      toolbar { e.title, up = true, subtitle = show_title(e) },
      scroll {
        text { date(e.day, "%d %b %Y") .. ", " .. e.minutes .. " min, " .. e.size .. " MB", id = "facts" },
        text { status(e), id = "state", size = "large" },
        button { storage.player.episode == e.id and "Open player" or e.position > 0 and "Resume" or "Play", id = "play", on_click = function()
          play(e)
          self:start("Player")
        end },
        storage.player.episode ~= e.id and button { queued and "Remove from queue" or "Add to queue", id = "queue", on_click = function()
          if queued then unqueue(e.id) else table.insert(storage.queue, e.id) end
        end },
        button { e.downloaded and "Delete download" or "Download", id = "download", on_click = function() set_download(e, not e.downloaded) end },
        button { e.played and "Mark as unplayed" or "Mark as played", id = "mark", on_click = function()
          if e.played then e.played = nil else mark_played(e) end
        end },
        button { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
      },
    }
  end,
}

-- ---- the player ----

activity "Player" {
  skip = function(self, e, seconds)
    storage.player.position = math.max(0, math.min(e.minutes * 60 - 1, storage.player.position + seconds))
  end,
  forward = function(self, e) self:skip(e, bug("skip_is_thirty") and 30 or SKIPS[prefs.skip]) end,
  set_sleep = function(self, i) storage.player.sleep, storage.player.sleep_at = i, i > 1 and now() + SLEEPS[i] * 60000 or nil end,
  ask_sleep = function(self)
    local chosen = storage.player.sleep_at and storage.player.sleep or 1
    self:dialog { title = "Sleep timer", cancel = "Cancel", ok = "Set",
      view = function()
        return column { radios { id = "sleep_after", items = { "Off", "10 minutes", "20 minutes", "45 minutes" }, selected = chosen, on_change = function(i)
          chosen = i
          if bug("sleep_not_cancelled") then self:set_sleep(i) end
        end } }
      end,
      on_ok = function() self:set_sleep(chosen) end }
  end,
  view = function(self)
    local player = storage.player
    local e = player.episode and episode_by_id(player.episode)
    if not e then return column { toolbar { "Player", up = true }, text { "Nothing is playing", id = "nothing" } } end
    return column {
      toolbar { e.title, up = true, subtitle = show_title(e) },
      scroll {
        text { clock(player.position) .. " / " .. clock(e.minutes * 60), id = "position", size = "large" },
        row {
          button { "-" .. SKIPS[prefs.skip] .. " s", id = "rewind", on_click = function() self:skip(e, -SKIPS[prefs.skip]) end },
          button { player.playing and "Pause" or "Play", id = "play_pause", on_click = function() if player.playing then pause() else play(e) end end },
          button { "+" .. SKIPS[prefs.skip] .. " s", id = "forward", on_click = function() self:forward(e) end },
        },
        text { player.sleep_at and "Stops at " .. date(player.sleep_at, "%H:%M") or "No sleep timer", id = "sleep_state" },
        button { "Sleep timer", id = "sleep", enabled = player.playing, on_click = function() self:ask_sleep() end },
        button { "Mark as played", id = "finished", on_click = function() mark_played(e) end },
      },
    }
  end,
}

activity "Queue" {
  move = function(self, e, to)
    local queue, i = storage.queue, index_of(storage.queue, e.id)
    if not i then return end
    if to == 1 and bug("to_top_swaps") then
      queue[1], queue[i] = queue[i], queue[1]
    else
      table.insert(queue, to, table.remove(queue, i))
    end
  end,
  context = function(self, e)
    self:popup {
      { "Move to top", id = "to_top", on_click = function() self:move(e, 1) end },
      { "Move to end", id = "to_end", on_click = function() self:move(e, #storage.queue) end },
      { "Remove", id = "unqueue", on_click = function() unqueue(e.id) end },
    }
  end,
  view = function(self)
    local minutes, episodes = 0, each(storage.queue, episode_by_id)
    for _, e in ipairs(episodes) do minutes = minutes + e.minutes end
    return column {
      toolbar { "Queue", up = true, subtitle = #episodes .. (#episodes == 1 and " episode, " or " episodes, ") .. minutes .. " min" },
      #episodes > 0 and button { "Play the first", id = "play_first", on_click = function()
        play(episodes[1])
        self:start("Player")
      end },
      list { id = "queue_list", items = episodes, empty = text { "The queue is empty", id = "empty" },
        row = function(e) return column { text { e.title, id = "queued" }, text { show_title(e) .. ", " .. status(e), id = "queued_status", size = "small" } } end,
        on_item_click = function(_, e) self:start("Episode", { id = e.id }) end,
        on_item_long_click = function(_, e) self:context(e) end },
      bottom(self, "Queue"),
    }
  end,
}

activity "Downloads" {
  ask_clean = function(self)
    local done = filter(storage.episodes, function(e) return e.downloaded and e.played end)
    if #done == 0 then return toast("No download was played") end
    self:dialog { title = "Delete " .. #done .. (#done == 1 and " played download?" or " played downloads?"), cancel = "Cancel", ok = "Delete",
      on_ok = function()
        for _, e in ipairs(done) do
          if bug("bulk_keeps_size") then e.downloaded = nil else set_download(e, false) end
        end
      end }
  end,
  menu = function(self) return { { "Delete played", id = "clean", on_click = function() self:ask_clean() end } } end,
  view = function(self)
    local shown = filter(storage.episodes, function(e) return e.downloaded end)
    return column {
      toolbar { "Downloads", up = true, subtitle = storage.used .. " MB used" },
      list { id = "download_list", items = shown, empty = text { "Nothing downloaded", id = "empty" },
        row = function(e)
          return row { text { e.title, id = "downloaded", weight = 1 }, text { e.size .. " MB", id = "size" },
            image_button { id = "remove", desc = "Delete " .. e.title, on_click = function() set_download(e, false) end } }
        end,
        on_item_click = function(_, e) self:start("Episode", { id = e.id }) end },
      bottom(self, "Downloads"),
    }
  end,
}

activity "Discover" {
  view = function(self)
    return column {
      toolbar { "Discover", up = true },
      list { id = "directory", items = DIRECTORY,
        row = function(s) return row { text { s.title, id = "found", weight = 1 }, text { subscribed(s.feed) and "Subscribed" or "", id = "mine" } } end,
        on_item_click = function(_, s)
          if subscribed(s.feed) then return toast("You are subscribed") end
          self:dialog { title = s.title, message = "By " .. s.author .. ", " .. #s.episodes .. (#s.episodes == 1 and " episode" or " episodes"), cancel = "Cancel",
            ok = "Subscribe", on_ok = function() subscribe(s.feed) end }
        end },
      bottom(self, "Discover"),
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text { "Skip by", size = "small" },
      radios { id = "skip", items = each(SKIPS, function(s) return s .. " seconds" end), selected = prefs.skip, on_change = function(i) prefs.skip = i end },
      switch { "Go on with the queue", id = "auto_next", checked = prefs.auto_next, on_change = function(on) prefs.auto_next = on end },
    }
  end,
}
