-- Earwax: a podcast client. Feeds come from a server, what was heard stays on the device.

local CATALOGUE = {
  { url = "feeds.example.org/science", title = "Science Hour", topic = "Science",
    episodes = { "Black holes", "The deep sea", "Vaccines", "Dark matter" } },
  { url = "feeds.example.org/history", title = "Old Times", topic = "History",
    episodes = { "Rome", "The plague", "Sailing ships" } },
  { url = "feeds.example.org/cooking", title = "Kitchen Talk", topic = "Food",
    episodes = { "Bread", "Knives", "Salt" } },
  { url = "feeds.example.org/code", title = "Code Review", topic = "Science",
    episodes = { "Naming things", "Off by one" } },
}

app {
  package = "org.earwax.podcasts",
  title = "Earwax",
  main = "Main",
  bugs = { "mark_all_badge", "back_uses_forward", "queue_shift", "unsubscribed_queued", "queue_speed", "defaults_overwrite",
    "duplicate_feed", "filter_resets_order" },
  server = function(request, db)
    if request.path == "/search" then
      local q = request.body.q:lower()
      local hits = {}
      for _, p in ipairs(CATALOGUE) do
        if contains(p.title:lower(), q) or contains(p.topic:lower(), q) then
          table.insert(hits, { url = p.url, title = p.title, topic = p.topic })
        end
      end
      return hits
    end
    if request.path == "/feed" then
      for _, p in ipairs(CATALOGUE) do
        if p.url == request.body.url then return p end
      end
    end
    return nil, 404
  end,
  application = function()
    if not storage.podcasts then
      storage.next_id = 100
      storage.podcasts = {
        { id = 1, url = "feeds.example.org/science", title = "Science Hour", order = "new", speed = 0 },
        { id = 2, url = "feeds.example.org/history", title = "Old Times", order = "new", speed = 0 },
      }
      storage.episodes = {
        { id = 11, podcast = 1, title = "Black holes", number = 1, length = 1800, position = 0 },
        { id = 12, podcast = 1, title = "The deep sea", number = 2, length = 2400, position = 0 },
        { id = 13, podcast = 1, title = "Vaccines", number = 3, length = 1500, position = 0, played = true },
        { id = 21, podcast = 2, title = "Rome", number = 1, length = 3000, position = 600 },
        { id = 22, podcast = 2, title = "The plague", number = 2, length = 2700, position = 0, downloaded = true },
      }
      storage.podcasts[1].unplayed = 2
      storage.podcasts[2].unplayed = 2
      storage.queue = { 22, 11, 12 }
      storage.now = { episode = 22, speed = 10 }
      storage.history = {}
      prefs.forward = 30
      prefs.back = 10
      prefs.speed = 10
      prefs.auto_delete = true
    end
    if bug("defaults_overwrite") then prefs.auto_delete = true end
  end,
}

local SPEEDS = { 8, 10, 12, 15, 20 }

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function podcast_of(id) return by_id(storage.podcasts, id) end
local function episode_of(id) return by_id(storage.episodes, id) end

local function clock(s) return format("%d:%02d", s // 60, s % 60) end
local function speed_text(s) return format("%d.%d×", s // 10, s % 10) end
local function several(n, one, many) return n == 1 and "1 " .. one or n .. " " .. many end

local function recount(podcast)
  if not podcast then return end
  podcast.unplayed = #filter(storage.episodes, function(e) return e.podcast == podcast.id and not e.played end)
end

local function unqueue(id)
  local i = index_of(storage.queue, id)
  if i then table.remove(storage.queue, i) end
end

local function enqueue(id)
  if index_of(storage.queue, id) then return toast("It is in the queue") end
  if #storage.queue >= 30 then return toast("The queue is full") end
  table.insert(storage.queue, id)
  toast("Queued")
end

local function set_played(e, played)
  e.played = played
  e.position = 0
  if played and prefs.auto_delete then e.downloaded = nil end
  recount(podcast_of(e.podcast))
end

local function own_speed(e)
  local p = podcast_of(e.podcast)
  return p and p.speed > 0 and p.speed or prefs.speed
end

local function load_episode(e, speed)
  if storage.now and storage.now.episode == e.id then return end
  storage.now = { episode = e.id, speed = speed or own_speed(e) }
  if not index_of(storage.queue, e.id) then table.insert(storage.queue, 1, e.id) end
end

-- The feed's episodes that are not here yet; how many.
local function take_in(podcast, feed)
  local n = 0
  for number, title in ipairs(feed.episodes) do
    local known = find(storage.episodes, function(e) return e.podcast == podcast.id and e.number == number end)
    if not known then
      n = n + 1
      table.insert(storage.episodes, { id = new_id(), podcast = podcast.id, title = title, number = number, length = 1200 + 300 * number, position = 0 })
    end
  end
  recount(podcast)
  return n
end

local function subscribe(feed)
  local p = { id = new_id(), url = feed.url, title = feed.title, order = "new", speed = 0 }
  table.insert(storage.podcasts, p)
  take_in(p, feed)
  return p
end

local function subscribed(url) return (find(storage.podcasts, function(p) return p.url == url end)) end

local function unsubscribe(podcast)
  storage.podcasts = filter(storage.podcasts, function(p) return p.id ~= podcast.id end)
  for _, e in ipairs(storage.episodes) do
    if e.podcast == podcast.id then
      if not bug("unsubscribed_queued") then unqueue(e.id) end
      e.downloaded = nil
      e.gone = true
      if storage.now and storage.now.episode == e.id then storage.now = nil end
    end
  end
  storage.history = filter(storage.history, function(id) return not episode_of(id).gone end)
end

local function remember(e)
  local i = index_of(storage.history, e.id)
  if i then table.remove(storage.history, i) end
  table.insert(storage.history, 1, e.id)
  if #storage.history > 30 then table.remove(storage.history) end
end

local function gone(title)
  return column { toolbar { title, up = true }, text { "Not there any more", id = "gone" } }
end

local function mini_player(self)
  local e = storage.now and episode_of(storage.now.episode)
  if not e then return nil end
  return row { id = "mini", on_click = function() self:start("Player") end,
    text { "♪ " .. e.title, id = "mini_title", weight = 1 }, text { clock(e.position), id = "mini_time", size = "small" } }
end

activity "Main" {
  ask_unsubscribe = function(self, p)
    self:dialog { title = "Unsubscribe from " .. p.title .. "?", cancel = "Cancel", ok = "Unsubscribe", on_ok = function() unsubscribe(p) end }
  end,

  mark_all = function(self, p)
    for _, e in ipairs(storage.episodes) do
      if e.podcast == p.id and not e.played then
        e.played, e.position = true, 0
        if prefs.auto_delete then e.downloaded = nil end
      end
    end
    if not bug("mark_all_badge") then recount(p) end
  end,

  view = function(self)
    return column {
      toolbar { "Earwax", actions = { { "Discover", id = "discover", on_click = function() self:start("Discover") end } } },
      drawer { id = "drawer", header = "Earwax", items = {
        { "Queue", id = "to_queue", on_click = function() self:start("Queue") end },
        { "Downloads", id = "to_downloads", on_click = function() self:start("Downloads") end },
        { "History", id = "to_history", on_click = function() self:start("History") end },
        { "Settings", id = "to_settings", on_click = function() self:start("Settings") end },
      } },
      list { id = "podcasts", items = storage.podcasts, empty = text { "Discover some podcasts", id = "empty" },
        row = function(p)
          return row { id = "podcast_row", text { p.title, id = "title", weight = 1 },
            text { p.unplayed > 0 and p.unplayed .. " new" or "–", id = "unplayed", size = "small" } }
        end,
        on_item_click = function(_, p) self:start("Podcast", { id = p.id }) end,
        on_item_long_click = function(_, p)
          self:popup {
            { "Mark all played", id = "mark_all", on_click = function() self:mark_all(p) end },
            { "Unsubscribe", id = "unsubscribe", on_click = function() self:ask_unsubscribe(p) end },
          }
        end },
      mini_player(self),
    }
  end,
}

activity "Discover" {
  create = function(self, intent, saved)
    self.hits = saved and saved.hits or {}
    self.asked = saved and saved.asked
    if saved and saved.pending then self:search(saved.pending) end
  end,
  save = function(self, out) out.hits, out.asked, out.pending = self.hits, self.asked, self.pending end,

  search = function(self, q)
    self.pending = q
    self.calls = (self.calls or 0) + 1
    local call = self.calls
    net.post("https://api.example.org/search", { q = q }, function(reply)
      if call ~= self.calls then return end
      self.pending = nil
      self.asked = true
      self.hits = reply.ok and reply.body or {}
      if not reply.ok then toast("No connection") end
    end)
  end,

  start_search = function(self)
    self:hide_keyboard()
    self:search(trim(self:text("query")))
  end,

  add = function(self, url)
    url = trim(url):lower():gsub("^https?://", ""):gsub("/$", "")
    if url == "" then return toast("Which address?") end
    if subscribed(url) and not bug("duplicate_feed") then return toast("You have it already") end
    net.post("https://api.example.org/feed", { url = url }, function(reply)
      if not reply.ok then return toast("No podcast there") end
      if subscribed(url) and not bug("duplicate_feed") then return end
      subscribe(reply.body)
      toast("Subscribed")
    end)
  end,

  ask_url = function(self)
    self:dialog { title = "Add by address", view = function() return column { field { id = "url", hint = "feeds.example.org/…", max = 60 } } end,
      cancel = "Cancel", ok = "Add", on_ok = function() self:add(self:text("url")) end }
  end,

  view = function(self)
    return column {
      toolbar { "Discover", up = true, actions = { { "Add by address", id = "by_url", on_click = function() self:ask_url() end } } },
      row {
        field { id = "query", hint = "Title or topic", max = 30, weight = 1, on_submit = function() self:start_search() end },
        button { "Search", id = "go", on_click = function() self:start_search() end },
      },
      list { id = "hits", items = self.hits, empty = text { self.asked and "Nothing found" or "Look for something", id = "empty" },
        row = function(h)
          local mine = subscribed(h.url)
          return row { id = "hit_row", text { h.title, id = "title", weight = 1 }, text { mine and "Subscribed" or h.topic, id = "topic", size = "small" } }
        end,
        on_item_click = function(_, h)
          local mine = subscribed(h.url)
          if mine then self:start("Podcast", { id = mine.id }) else self:add(h.url) end
        end },
    }
  end,
}

activity "Podcast" {
  create = function(self, intent, saved) self.unplayed_only = saved and saved.unplayed_only or false end,
  save = function(self, out) out.unplayed_only = self.unplayed_only end,

  episodes = function(self, p)
    local result = filter(storage.episodes, function(e)
      return e.podcast == p.id and not (self.unplayed_only and e.played)
    end)
    table.sort(result, function(a, b)
      if p.order == "old" then return a.number < b.number end
      return a.number > b.number
    end)
    return result
  end,

  refresh = function(self, p)
    net.post("https://api.example.org/feed", { url = p.url }, function(reply)
      if not reply.ok then return toast("No connection") end
      if not podcast_of(p.id) then return end
      local n = take_in(p, reply.body)
      toast(n == 0 and "Nothing new" or several(n, "new episode", "new episodes"))
    end)
  end,

  menu = function(self)
    local p = podcast_of(self.intent.id)
    if not p then return {} end
    return {
      { "Oldest first", id = "oldest", checked = p.order == "old", on_click = function() p.order = p.order == "old" and "new" or "old" end },
      { "Refresh", id = "refresh", on_click = function() self:refresh(p) end },
      { "Podcast settings", id = "podcast_settings", on_click = function() self:start("PodcastSettings", { id = p.id }) end },
      { "Unsubscribe", id = "unsubscribe", on_click = function()
        self:dialog { title = "Unsubscribe?", message = p.title, cancel = "Cancel", ok = "Unsubscribe", on_ok = function()
          unsubscribe(p)
          self:finish()
        end }
      end },
    }
  end,

  view = function(self)
    local p = podcast_of(self.intent.id)
    if not p then return gone("Podcast") end
    local episodes = self:episodes(p)
    return column {
      toolbar { p.title, up = true, subtitle = several(#episodes, "episode", "episodes") },
      check { "Unplayed only", id = "unplayed_only", checked = self.unplayed_only, on_change = function(b)
        self.unplayed_only = b
        if bug("filter_resets_order") then p.order = "new" end
      end },
      list { id = "episodes", items = episodes, empty = text { "No episodes", id = "empty" },
        row = function(e)
          local state = e.played and "Played" or e.position > 0 and clock(e.position) .. " of " .. clock(e.length) or clock(e.length)
          return column { id = "episode_row", text { e.number .. ". " .. e.title, id = "title" },
            text { state .. (e.downloaded and ", downloaded" or ""), id = "state", size = "small" } }
        end,
        on_item_click = function(_, e) self:start("Episode", { id = e.id }) end,
        on_item_long_click = function(_, e) set_played(e, not e.played) end },
      mini_player(self),
    }
  end,
}

activity "PodcastSettings" {
  view = function(self)
    local p = podcast_of(self.intent.id)
    if not p then return gone("Podcast settings") end
    local items = { "As in settings" }
    for _, s in ipairs(SPEEDS) do table.insert(items, speed_text(s)) end
    return column {
      toolbar { p.title, up = true, subtitle = "Podcast settings" },
      text "Playback speed",
      spinner { id = "speed", items = items, selected = p.speed == 0 and 1 or index_of(SPEEDS, p.speed) + 1,
        on_change = function(i) p.speed = i == 1 and 0 or SPEEDS[i - 1] end },
      text { "Feed: " .. p.url, id = "feed", size = "small" },
    }
  end,
}

activity "Episode" {
  view = function(self)
    local e = episode_of(self.intent.id)
    local p = e and podcast_of(e.podcast)
    if not p then return gone("Episode") end
    return column {
      toolbar { e.title, up = true, subtitle = p.title },
      text { "Episode " .. e.number .. ", " .. clock(e.length), id = "length" },
      text { e.played and "Played" or e.position > 0 and "Heard until " .. clock(e.position) or "Not heard yet", id = "state" },
      text { e.downloaded and "On this device" or "Not downloaded", id = "where" },
      row {
        button { "Play", id = "play", on_click = function()
          load_episode(e)
          self:start("Player")
        end },
        button { "Queue", id = "enqueue", on_click = function() enqueue(e.id) end },
      },
      row {
        button { e.downloaded and "Delete file" or "Download", id = "download", on_click = function()
          if not e.downloaded and not device.online() then return toast("No connection") end
          e.downloaded = not e.downloaded or nil
        end },
        button { e.played and "Mark unplayed" or "Mark played", id = "mark", on_click = function() set_played(e, not e.played) end },
      },
    }
  end,
}

activity "Player" {
  move = function(self, e, seconds)
    e.position = math.max(0, e.position + seconds)
    if e.position < e.length then return end
    self:ended(e)
  end,

  ended = function(self, e)
    local i = index_of(storage.queue, e.id)
    unqueue(e.id)
    set_played(e, true)
    remember(e)
    local following = i and storage.queue[i] or storage.queue[1]
    local nxt = following and episode_of(following)
    if nxt then
      storage.now = { episode = nxt.id, speed = own_speed(nxt) }
      toast("Next: " .. nxt.title)
    else
      storage.now = nil
    end
  end,

  speed_dialog = function(self)
    self:dialog { title = "Speed", items = each(SPEEDS, speed_text), checked = index_of(SPEEDS, storage.now.speed), cancel = "Cancel",
      on_item = function(i) if storage.now then storage.now.speed = SPEEDS[i] end end }
  end,

  view = function(self)
    local e = storage.now and episode_of(storage.now.episode)
    if not e then return column { toolbar { "Player", up = true }, text { "Nothing is playing", id = "nothing" } } end
    local p = podcast_of(e.podcast)
    return column {
      toolbar { "Player", up = true, actions = { { "Queue", id = "to_queue", on_click = function() self:start("Queue") end } } },
      text { e.title, id = "title", size = "large" },
      text { p and p.title or "", id = "podcast" },
      text { clock(e.position) .. " of " .. clock(e.length), id = "position", size = "large" },
      slider { id = "seek", min = 0, max = e.length - 60, step = 60, value = math.min(e.position, e.length - 60), on_change = function(v) e.position = math.floor(v) end },
      row {
        button { "« " .. prefs.back, id = "back", desc = "Back", on_click = function()
          self:move(e, -(bug("back_uses_forward") and prefs.forward or prefs.back))
        end },
        button { speed_text(storage.now.speed), id = "speed", on_click = function() self:speed_dialog() end },
        button { prefs.forward .. " »", id = "forward", desc = "Forward", on_click = function() self:move(e, prefs.forward) end },
      },
      button { "To the end", id = "to_end", on_click = function() self:ended(e) end },
    }
  end,
}

activity "Queue" {
  create = function(self) self:find_playing() end,
  resume = function(self) self:find_playing() end,

  find_playing = function(self)
    self.playing = storage.now and index_of(storage.queue, storage.now.episode) or 0
  end,

  moved = function(self)
    if not bug("queue_shift") then self:find_playing() end
  end,

  remove = function(self, i)
    local id = storage.queue[i]
    if storage.now and storage.now.episode == id then return toast("It is playing") end
    table.remove(storage.queue, i)
    self:moved()
    self:snackbar("Removed", "Undo", function()
      if index_of(storage.queue, id) or not podcast_of(episode_of(id).podcast) then return end
      table.insert(storage.queue, math.min(i, #storage.queue + 1), id)
      self:find_playing()
    end)
  end,

  row_menu = function(self, i, id)
    self:popup {
      { "To the top", id = "to_top", on_click = function()
        table.remove(storage.queue, i)
        table.insert(storage.queue, 1, id)
        self:moved()
      end },
      { "Remove", id = "remove", on_click = function() self:remove(i) end },
    }
  end,

  menu = function(self)
    return {
      { "Clear queue", id = "clear", enabled = #storage.queue > 0, on_click = function()
        self:dialog { title = "Clear the queue?", message = "What is playing stays", cancel = "Cancel", ok = "Clear", on_ok = function()
          storage.queue = filter(storage.queue, function(id) return storage.now ~= nil and storage.now.episode == id end)
          self:find_playing()
        end }
      end },
    }
  end,

  view = function(self)
    local total = 0
    for _, id in ipairs(storage.queue) do total = total + episode_of(id).length - episode_of(id).position end
    return column {
      toolbar { "Queue", up = true, subtitle = #storage.queue .. ", " .. clock(total) },
      list { id = "queue", items = storage.queue, empty = text { "The queue is empty", id = "empty" },
        row = function(id, i)
          local e = episode_of(id)
          return row { id = "queue_row", text { (i == self.playing and "▶ " or "") .. e.title, id = "title", weight = 1 }, text { clock(e.length), id = "length", size = "small" } }
        end,
        on_item_click = function(_, id)
          local e = episode_of(id)
          load_episode(e, bug("queue_speed") and prefs.speed or nil)
          self:start("Player")
        end,
        on_item_long_click = function(i, id) self:row_menu(i, id) end },
    }
  end,
}

activity "Downloads" {
  view = function(self)
    local files = filter(storage.episodes, function(e) return e.downloaded end)
    local size = 0
    for _, e in ipairs(files) do size = size + e.length // 60 end
    return column {
      toolbar { "Downloads", up = true, subtitle = several(#files, "file", "files") .. ", " .. size .. " MB" },
      list { id = "files", items = files, empty = text { "Nothing downloaded", id = "empty" },
        row = function(e) return row { id = "file_row", text { e.title, id = "title", weight = 1 }, text { e.length // 60 .. " MB", id = "size", size = "small" } } end,
        on_item_click = function(_, e) self:start("Episode", { id = e.id }) end,
        on_item_long_click = function(_, e)
          self:dialog { title = "Delete the file?", message = e.title, cancel = "Cancel", ok = "Delete", on_ok = function() e.downloaded = nil end }
        end },
    }
  end,
}

activity "History" {
  menu = function(self)
    return { { "Clear history", id = "clear", enabled = #storage.history > 0, on_click = function() storage.history = {} end } }
  end,

  view = function(self)
    return column {
      toolbar { "History", up = true },
      list { id = "history", items = storage.history, empty = text { "Nothing heard yet", id = "empty" },
        row = function(id) return text { episode_of(id).title, id = "heard_row" } end,
        on_item_click = function(_, id) self:start("Episode", { id = id }) end },
    }
  end,
}

activity "Settings" {
  skip_row = function(self, name, label)
    return row {
      text { label .. ": " .. prefs[name] .. " s", id = name .. "_text", weight = 1 },
      button { "−", id = name .. "_less", desc = label .. " less", on_click = function() prefs[name] = math.max(prefs[name] - 5, 5) end },
      button { "+", id = name .. "_more", desc = label .. " more", on_click = function() prefs[name] = math.min(prefs[name] + 5, 90) end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      self:skip_row("forward", "Forward"),
      self:skip_row("back", "Back"),
      text "Usual speed",
      spinner { id = "usual_speed", items = each(SPEEDS, speed_text), selected = index_of(SPEEDS, prefs.speed), on_change = function(i) prefs.speed = SPEEDS[i] end },
      switch { "Delete files when played", id = "auto_delete", checked = prefs.auto_delete, on_change = function(b) prefs.auto_delete = b end },
      button { "About", id = "about", on_click = function()
        self:dialog { title = "Earwax 0.9", message = several(#storage.podcasts, "podcast", "podcasts"), ok = "OK" }
      end },
    }
  end,
}
