-- Casts: podcasts with a queue, an inbox, downloads and a player that goes on while other pages are open.
--
-- Podcasts that were only looked at are stored too (subscribed = false), so that their episodes keep their state.

local DAY = 24 * 60 * 60 * 1000
local SPEEDS = { 0.8, 1.0, 1.2, 1.5, 2.0 }
local SKIPS = { 10, 15, 30, 60 }
local FILTERS = { "All episodes", "Unplayed", "Downloaded", "Favourites" }
local SORTS = { { "By title", "title" }, { "By unplayed", "unplayed" }, { "By newest episode", "newest" } }

-- title, author, subscribed, own speed, minutes listened; episodes: title, days ago, minutes, megabytes, state
local START = {
  { "The Deep Dive", "Mara Voss", true, nil, 312, {
    { "Why rivers bend", 2, 42, 38, "new" }, { "The last lighthouse keeper", 9, 55, 51, "download" },
    { "A map of silence", 16, 47, 44, "played" }, { "Counting whales", 23, 39, 36, "played" } } },
  { "History Unpacked", "Ed Tanner", true, 1.5, 845, {
    { "The spice fleet", 1, 63, 58, "new download" }, { "Letters from Ravenna", 8, 71, 66, "favourite" },
    { "The winter of 1709", 15, 58, 54, "played favourite" } } },
  { "Code and Coffee", "Lin Okafor", true, nil, 120, {
    { "Naming things", 3, 31, 28, "new" }, { "What a compiler knows", 10, 36, 33, "download" },
    { "The bug that waited", 17, 29, 27, "" }, { "Small tools", 24, 33, 30, "played" } } },
  { "Nordic Noir Hour", "Signe Dahl", true, nil, 0, {
    { "The empty ferry", 5, 48, 45, "" }, { "Snow on the tracks", 19, 52, 48, "" } } },
  { "Quiet Science", "Prof. A. Bell", true, nil, 64, {
    { "How glue works", 4, 24, 21, "download" }, { "Sleeping plants", 11, 26, 24, "played" },
    { "The weight of air", 18, 22, 20, "" } } },
  { "Garden Talk", "Rosa Field", false, nil, 0, { { "Pruning roses", 6, 35, 32, "" }, { "Compost and patience", 20, 41, 38, "" } } },
  { "Ancient Cities", "Omar Said", false, nil, 0, { { "Petra", 7, 66, 61, "" }, { "The fleet of Carthage", 21, 59, 55, "" } } },
  { "Money Matters", "Jo Lund", false, nil, 0, { { "What is inflation?", 12, 28, 26, "" } } },
}

local session = { playing = false, loading = {} }      -- the playback service: it dies with the process

app {
  package = "org.norn.casts", title = "Casts", main = "Main",
  bugs = { "undo_position", "mark_all_counter", "speed_carry", "filter_everywhere", "filtered_move", "position_unsaved",
    "search_unsubscribed", "custom_title_sort" },
  application = function()
    if storage.feeds then return end
    storage.feeds, storage.episodes = {}, {}
    for i, f in ipairs(START) do
      local feed = { id = i, title = f[1], author = f[2], subscribed = f[3], speed = f[4], listened = f[5] * 60, filter = 1, unplayed = 0 }
      table.insert(storage.feeds, feed)
      for k, e in ipairs(f[6]) do
        local state = e[5]
        table.insert(storage.episodes, { id = i * 10 + k, feed = i, title = e[1], time = now() // DAY * DAY - e[2] * DAY, seconds = e[3] * 60,
          size = e[4], new = contains(state, "new"), played = contains(state, "played"), favourite = contains(state, "favourite"),
          downloaded = contains(state, "download"), position = 0 })
        if not contains(state, "played") then feed.unplayed = feed.unplayed + 1 end
      end
    end
    storage.queue = { 12, 41, 21, 32, 51 }
    prefs.sort, prefs.speed, prefs.forward, prefs.rewind = "title", 1.0, 30, 10
    prefs.front, prefs.continuous, prefs.auto_delete = false, true, false
  end,
}

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function feed_of(id) return by_id(storage.feeds, id) end
local function feed_by(e) return feed_of(e.feed) end
local function name_of(feed) return feed.custom or feed.title end
local function subscribed(e) return feed_by(e).subscribed end

local function episode_of(id)
  local e = by_id(storage.episodes, id)
  return e and subscribed(e) and e or nil
end
local function current() return storage.current and episode_of(storage.current) end
local function episodes(test) return filter(storage.episodes, function(e) return subscribed(e) and test(e) end) end
local function newest_first(list)
  table.sort(list, function(a, b) return a.time > b.time end)
  return list
end

local function clock(seconds)
  local s = math.floor(seconds)
  if s >= 3600 then return format("%d:%02d:%02d", s // 3600, s // 60 % 60, s % 60) end
  return format("%d:%02d", s // 60, s % 60)
end
local function hours(seconds) return format("%d h %02d min", math.floor(seconds) // 3600, math.floor(seconds) // 60 % 60) end

-- Playing -------------------------------------------------------------------------------------------------

local function position(e) return e.id == storage.current and session.position or e.position end
local function speed_for(e) return feed_by(e).speed or prefs.speed end

local function pause()
  if not session.playing then return end
  cancel(session.timer)
  session.playing = false
  if current() then current().position = session.position end
end

local function stop()
  pause()
  storage.current, session.position = nil, nil
end

local function dequeue(e) storage.queue = filter(storage.queue, function(id) return id ~= e.id end) end

local function enqueue(e)
  e.new = false
  if index_of(storage.queue, e.id) then return end
  if prefs.front then table.insert(storage.queue, 1, e.id) else table.insert(storage.queue, e.id) end
end

local function set_played(e, played)
  if e.played ~= played then
    feed_by(e).unplayed = feed_by(e).unplayed + (played and -1 or 1)
    e.played = played
  end
  if not played then return end
  if e.id == storage.current then stop() end
  e.position, e.new = 0, false
  if prefs.auto_delete and not e.favourite then e.downloaded = false end
  dequeue(e)
end

local ended

local function tick()
  local e = current()
  session.position = math.min(e.seconds, session.position + storage.speed)
  if not bug("position_unsaved") then e.position = session.position end
  feed_by(e).listened = feed_by(e).listened + 1
  if session.position >= e.seconds then ended(e) end
end

local function start(e)
  if e.id ~= storage.current then
    stop()
    storage.current, session.position = e.id, e.position
  end
  session.position = session.position or e.position
  e.new, e.last_played = false, now()
  if not index_of(storage.queue, e.id) then table.insert(storage.queue, 1, e.id) end
  if session.playing then return end
  session.playing = true
  session.timer = every(1000, tick)
end

local function play(e)
  if not e.downloaded and not device.online() then return toast("No connection") end
  if e.id ~= storage.current then storage.speed = speed_for(e) end
  start(e)
end

local function after_in_queue(e)
  local i = index_of(storage.queue, e.id)
  return episode_of(storage.queue[i and i + 1 or 1])
end

ended = function(e)
  local following = after_in_queue(e)
  set_played(e, true)
  following = following or episode_of(storage.queue[1])
  if prefs.continuous and following then play(following) end
end

local function seek(e, seconds)
  session.position = math.max(0, math.min(e.seconds, seconds))
  e.position = session.position
end

local function speed_changed() if current() then storage.speed = speed_for(current()) end end

local function download(e)
  if not device.online() then return toast("No connection") end
  session.loading[e.id] = true
  after(1500, function()
    session.loading[e.id] = nil
    if subscribed(e) then e.downloaded = true end
  end)
end

local function unsubscribe(feed)
  for _, e in ipairs(storage.episodes) do
    if e.feed == feed.id then
      if e.id == storage.current then stop() end
      dequeue(e)
      e.new, e.downloaded = false, false
    end
  end
  feed.subscribed = false
end

-- What many pages share -----------------------------------------------------------------------------------

local function state_of(e)
  local parts = { date(e.time, "%d %b"), clock(e.seconds) }
  if e.played then table.insert(parts, "played") elseif position(e) > 0 then table.insert(parts, clock(e.seconds - position(e)) .. " left") end
  if e.favourite then table.insert(parts, "★") end
  if e.downloaded then table.insert(parts, "on device") elseif session.loading[e.id] then table.insert(parts, "loading") end
  return table.concat(parts, " · ")
end

local function episode_row(e, id)
  return column { id = id or "episode_row", text { e.title, id = "title" },
    text { name_of(feed_by(e)), id = "podcast", size = "small" }, text { state_of(e), id = "state", size = "small" } }
end

local function actions_for(e)
  local queued = index_of(storage.queue, e.id) ~= nil
  return {
    { "Play", id = "play_episode", on_click = function() play(e) end },
    queued and { "Remove from queue", id = "dequeue", on_click = function() dequeue(e) end }
      or { "Add to queue", id = "enqueue", on_click = function() enqueue(e) end },
    e.played and { "Mark as unplayed", id = "mark_unplayed", on_click = function() set_played(e, false) end }
      or { "Mark as played", id = "mark_played", on_click = function() set_played(e, true) end },
    { e.favourite and "Remove from favourites" or "Add to favourites", id = "favourite", on_click = function() e.favourite = not e.favourite end },
    e.downloaded and { "Delete download", id = "delete_download", on_click = function() e.downloaded = false end }
      or { "Download", id = "download", enabled = not session.loading[e.id], on_click = function() download(e) end },
  }
end

local function episode_list(self, id, list_of, nothing, more)
  local widget = { id = id, items = list_of, empty = text { nothing, id = "empty" }, row = function(e) return episode_row(e) end,
    on_item_click = function(_, e) self:start("Episode", { id = e.id }) end,
    on_item_long_click = function(_, e) if subscribed(e) then self:popup(actions_for(e)) end end }
  for name, value in pairs(more or {}) do widget[name] = value end
  return list(widget)
end

local function mini(self)
  local e = current()
  return e and row { id = "mini", on_click = function() self:start("Player") end,
    text { e.title, id = "mini_title", weight = 1 },
    button { session.playing and "Pause" or "Play", id = "mini_toggle",
      on_click = function() if session.playing then pause() else play(e) end end } }
end

local function bottom(self, here)
  local function go(name)
    if here == name then return end
    if name ~= "Main" then self:start(name) end
    if here ~= "Main" then self:finish() end             -- the podcasts stay below, the others replace each other
  end
  local function item(title, id, name) return { title, id = id, selected = here == name, on_click = function() go(name) end } end
  local count = #episodes(function(e) return e.new end)
  return bottom_bar { items = { item("Podcasts", "nav_podcasts", "Main"), item("Queue", "nav_queue", "Queue"),
    item(count > 0 and "Inbox (" .. count .. ")" or "Inbox", "nav_inbox", "Inbox"), item("Downloads", "nav_downloads", "Downloads") } }
end

-- Podcasts ------------------------------------------------------------------------------------------------

activity "Main" {
  feeds = function(self)
    local feeds = filter(storage.feeds, function(f) return f.subscribed end)
    local function title(f) return (bug("custom_title_sort") and f.title or name_of(f)):lower() end
    local newest = {}
    for _, e in ipairs(storage.episodes) do newest[e.feed] = math.max(newest[e.feed] or 0, e.time) end
    table.sort(feeds, function(a, b)
      if prefs.sort == "unplayed" and a.unplayed ~= b.unplayed then return a.unplayed > b.unplayed end
      if prefs.sort == "newest" and newest[a.id] ~= newest[b.id] then return newest[a.id] > newest[b.id] end
      return title(a) < title(b)
    end)
    return feeds
  end,
  menu = function(self)
    local function page(title, id, name) return { title, id = id, on_click = function() self:start(name) end } end
    return {
      { "Sort", id = "sort", items = each(SORTS, function(s)
        return { s[1], id = "sort_" .. s[2], checked = prefs.sort == s[2], on_click = function() prefs.sort = s[2] end }
      end) },
      page("Add podcast", "discover", "Discover"), page("Favourites", "favourites", "Favourites"),
      page("History", "history", "History"), page("Statistics", "statistics", "Statistics"), page("Settings", "settings", "Settings"),
    }
  end,
  view = function(self)
    return column {
      toolbar { "Podcasts", actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      list { id = "feeds", items = self:feeds(), empty = text { "Add a podcast from the menu", id = "empty" },
        row = function(f)
          return column { id = "feed_row", text { name_of(f), id = "name", size = "large" },
            text { f.unplayed > 0 and f.unplayed .. " unplayed" or "All played", id = "unplayed", size = "small" } }
        end,
        on_item_click = function(_, f) self:start("Feed", { id = f.id }) end },
      mini(self), bottom(self, "Main"),
    }
  end,
}

activity "Feed" {
  feed = function(self) return feed_of(self.intent.id) end,
  episodes = function(self, feed)
    local kind = bug("filter_everywhere") and (prefs.filter or 1) or feed.filter
    local shown = filter(storage.episodes, function(e)
      if e.feed ~= feed.id then return false end
      return kind == 1 or kind == 2 and not e.played or kind == 3 and e.downloaded or kind == 4 and e.favourite
    end)
    table.sort(shown, function(a, b) if feed.oldest_first then return a.time < b.time else return a.time > b.time end end)
    return shown, kind
  end,
  mark_all = function(self, feed)
    self:dialog { title = "Mark all episodes as played?", ok = "Mark", cancel = "Cancel",
      on_ok = function()
        for _, e in ipairs(filter(storage.episodes, function(e) return e.feed == feed.id end)) do
          if bug("mark_all_counter") then e.played = true end
          set_played(e, true)
        end
      end }
  end,
  ask_name = function(self, feed)
    self:dialog { title = "Name of the podcast", ok = "Rename", cancel = "Cancel", neutral = "Original",
      view = function() return column { field { id = "name", text = name_of(feed), hint = feed.title, max = 40 } } end,
      on_ok = function()
        local name = trim(self:text("name"))
        feed.custom = name ~= "" and name ~= feed.title and name or nil
      end,
      on_neutral = function() feed.custom = nil end }
  end,
  ask_unsubscribe = function(self, feed)
    self:dialog { title = "Unsubscribe from " .. name_of(feed) .. "?", ok = "Unsubscribe", cancel = "Cancel",
      on_ok = function() unsubscribe(feed) self:finish() end }
  end,
  menu = function(self)
    local feed = self:feed()
    if not feed or not feed.subscribed then return {} end
    return {
      { "Oldest first", id = "oldest_first", checked = feed.oldest_first == true,
        on_click = function() feed.oldest_first = not feed.oldest_first end },
      { "Mark all as played", id = "mark_all", on_click = function() self:mark_all(feed) end },
      { "Rename", id = "rename", on_click = function() self:ask_name(feed) end },
      { "Playback speed", id = "feed_speed", on_click = function() self:ask_speed(feed) end },
      { "Unsubscribe", id = "unsubscribe", on_click = function() self:ask_unsubscribe(feed) end },
    }
  end,
  ask_speed = function(self, feed)
    local items = each(SPEEDS, function(s) return s .. "x" end)
    table.insert(items, 1, "As in the settings")
    self:dialog { title = "Playback speed", items = items, checked = feed.speed and index_of(SPEEDS, feed.speed) + 1 or 1,
      on_item = function(i)
        feed.speed = SPEEDS[i - 1]
        if current() and current().feed == feed.id then speed_changed() end
      end }
  end,
  view = function(self)
    local feed = self:feed()
    if not feed then return column { toolbar { "Podcast", up = true }, text { "No such podcast", id = "gone" } } end
    if not feed.subscribed then
      return column {
        toolbar { name_of(feed), up = true, subtitle = feed.author },
        button { "Subscribe", id = "subscribe", on_click = function() feed.subscribed = true end },
        list { id = "preview", items = newest_first(filter(storage.episodes, function(e) return e.feed == feed.id end)),
          row = function(e) return text { e.title .. " · " .. clock(e.seconds), id = "preview_row" } end },
      }
    end
    local list_of, kind = self:episodes(feed)
    return column {
      toolbar { name_of(feed), up = true, subtitle = feed.author },
      spinner { id = "filter", items = FILTERS, selected = kind,
        on_change = function(i) if bug("filter_everywhere") then prefs.filter = i else feed.filter = i end end },
      episode_list(self, "episodes", list_of, "No such episodes"),
      mini(self),
    }
  end,
}

activity "Episode" {
  view = function(self)
    local e = episode_of(self.intent.id)
    if not e then return column { toolbar { "Episode", up = true }, text { "You are not subscribed to its podcast", id = "gone" } } end
    local active = session.playing and e.id == storage.current
    local actions = actions_for(e)
    actions[1] = { active and "Pause" or "Play", id = "play", on_click = function() if active then pause() else play(e) end end }
    return column {
      toolbar { name_of(feed_by(e)), up = true },
      scroll {
        text { e.title, id = "title", size = "large" },
        text { state_of(e), id = "state" },
        text { e.size .. " MB", id = "size", size = "small" },
        index_of(storage.queue, e.id) and text { "Place in the queue: " .. index_of(storage.queue, e.id), id = "place", size = "small" },
        each(actions, function(a) return button { a[1], id = a.id, enabled = a.enabled, on_click = a.on_click } end),
      },
      mini(self),
    }
  end,
}

activity "Queue" {
  create = function(self, intent, saved) self.on_device = saved and saved.on_device or false end,
  save = function(self, out) out.on_device = self.on_device end,

  shown = function(self)
    local all = each(storage.queue, episode_of)
    return self.on_device and filter(all, function(e) return e.downloaded end) or all
  end,
  remove = function(self, e)
    local place = index_of(storage.queue, e.id)
    dequeue(e)
    self:snackbar("Removed from the queue", "Undo", function()
      if index_of(storage.queue, e.id) or not subscribed(e) then return end
      if bug("undo_position") then table.insert(storage.queue, e.id) return end
      table.insert(storage.queue, math.min(place, #storage.queue + 1), e.id)
    end)
  end,
  move = function(self, i, e, top)
    local place = bug("filtered_move") and i or index_of(storage.queue, e.id)
    if not place then return end
    local id = table.remove(storage.queue, place)
    table.insert(storage.queue, top and 1 or #storage.queue + 1, id)
  end,
  ask_clear = function(self)
    self:dialog { title = "Clear the queue?", ok = "Clear", cancel = "Cancel", on_ok = function() storage.queue = {} end }
  end,
  row_menu = function(self, i, e)
    local items = actions_for(e)
    table.insert(items, 2, { "Move to top", id = "move_top", on_click = function() self:move(i, e, true) end })
    table.insert(items, 3, { "Move to bottom", id = "move_bottom", on_click = function() self:move(i, e, false) end })
    self:popup(items)
  end,
  menu = function(self)
    return {
      { "On device only", id = "on_device", checked = self.on_device, on_click = function() self.on_device = not self.on_device end },
      { "Clear queue", id = "clear_queue", on_click = function() self:ask_clear() end },
    }
  end,
  view = function(self)
    local shown, left = self:shown(), 0
    for _, e in ipairs(shown) do left = left + e.seconds - position(e) end
    return column {
      toolbar { "Queue", up = true, subtitle = self.on_device and "On device only" or nil },
      text { #shown .. (#shown == 1 and " episode · " or " episodes · ") .. hours(left) .. " left", id = "left", size = "small" },
      episode_list(self, "queue", shown, "Nothing in the queue", {
        on_item_long_click = function(i, e) self:row_menu(i, e) end,
        on_item_swipe = function(i, direction) if direction == "left" then self:remove(shown[i]) end end }),
      mini(self), bottom(self, "Queue"),
    }
  end,
}

activity "Inbox" {
  clear = function(self)
    self:dialog { title = "Remove all from the inbox?", ok = "Remove", cancel = "Cancel",
      on_ok = function() for _, e in ipairs(storage.episodes) do e.new = false end end }
  end,
  remove = function(self, e)
    e.new = false
    self:snackbar("Removed from the inbox", "Undo", function() if subscribed(e) and not e.played then e.new = true end end)
  end,
  view = function(self)
    local new = newest_first(episodes(function(e) return e.new end))
    return column {
      toolbar { "Inbox", up = true, actions = #new > 0 and { { "Clear", id = "clear_inbox", on_click = function() self:clear() end } } or nil },
      episode_list(self, "inbox", new, "No new episodes", {
        on_item_swipe = function(i, direction) if direction == "left" then self:remove(new[i]) end end }),
      mini(self), bottom(self, "Inbox"),
    }
  end,
}

activity "Downloads" {
  view = function(self)
    local on_device, size = newest_first(episodes(function(e) return e.downloaded end)), 0
    for _, e in ipairs(on_device) do size = size + e.size end
    return column {
      toolbar { "Downloads", up = true },
      text { #on_device .. (#on_device == 1 and " episode · " or " episodes · ") .. size .. " MB", id = "size", size = "small" },
      episode_list(self, "downloads", on_device, "Nothing downloaded"),
      mini(self), bottom(self, "Downloads"),
    }
  end,
}

activity "Favourites" {
  view = function(self)
    return column {
      toolbar { "Favourites", up = true },
      episode_list(self, "favourites", newest_first(episodes(function(e) return e.favourite end)), "No favourites"),
      mini(self),
    }
  end,
}

activity "History" {
  view = function(self)
    local heard = episodes(function(e) return e.last_played end)
    table.sort(heard, function(a, b) return a.last_played > b.last_played end)
    return column {
      toolbar { "History", up = true, actions = #heard > 0 and { { "Clear", id = "clear_history", on_click = function()
        for _, e in ipairs(storage.episodes) do e.last_played = nil end
      end } } or nil },
      episode_list(self, "history", heard, "Nothing played yet"),
      mini(self),
    }
  end,
}

activity "Player" {
  skip = function(self, e)
    local following = after_in_queue(e)
    if not following then return toast("This is the end of the queue") end
    if bug("speed_carry") then start(following) else play(following) end
  end,
  view = function(self)
    local e = current()
    if not e then return column { toolbar { "Player", up = true }, text { "Nothing is playing", id = "nothing" } } end
    local at = position(e)
    return column {
      toolbar { "Player", up = true, actions = { { e.favourite and "Remove from favourites" or "Add to favourites", id = "favourite",
        on_click = function() e.favourite = not e.favourite end } } },
      scroll {
        text { e.title, id = "title", size = "large" },
        text { name_of(feed_by(e)), id = "podcast", on_click = function() self:start("Feed", { id = e.feed }) end },
        slider { id = "position", min = 0, max = e.seconds, step = 1, value = math.floor(at), on_change = function(v) seek(e, v) end },
        text { clock(at) .. " / " .. clock(e.seconds), id = "time" },
        row {
          button { "−" .. prefs.rewind, id = "rewind", desc = "Rewind", on_click = function() seek(e, position(e) - prefs.rewind) end },
          button { session.playing and "Pause" or "Play", id = "toggle", on_click = function() if session.playing then pause() else play(e) end end },
          button { "+" .. prefs.forward, id = "forward", desc = "Fast forward", on_click = function() seek(e, position(e) + prefs.forward) end },
          button { "Next", id = "next", on_click = function() self:skip(e) end },
        },
        text "Speed",
        spinner { id = "speed", items = each(SPEEDS, function(s) return s .. "x" end), selected = index_of(SPEEDS, storage.speed),
          on_change = function(i) storage.speed = SPEEDS[i] end },
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
    local all = bug("search_unsubscribed") and copy(storage.episodes) or episodes(function() return true end)
    return newest_first(filter(all, function(e) return contains(e.title:lower(), query) or contains(name_of(feed_by(e)):lower(), query) end))
  end,
  view = function(self)
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Episode or podcast", max = 40, on_change = function(s) self.query = s end },
      episode_list(self, "results", self:results(), trim(self.query) == "" and "" or "Nothing found"),
    }
  end,
}

activity "Discover" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  view = function(self)
    local query = trim(self.query):lower()
    local found = filter(storage.feeds, function(f) return not f.subscribed and contains((f.title .. "\n" .. f.author):lower(), query) end)
    return column {
      toolbar { "Add podcast", up = true },
      field { id = "query", hint = "Search the directory", max = 40, on_change = function(s) self.query = s end },
      list { id = "found", items = found, empty = text { "Nothing found", id = "empty" },
        row = function(f) return column { id = "found_row", text { f.title, id = "name" }, text { f.author, id = "author", size = "small" } } end,
        on_item_click = function(_, f) self:start("Feed", { id = f.id }) end },
    }
  end,
}

activity "Statistics" {
  ask_reset = function(self)
    self:dialog { title = "Reset the statistics?", ok = "Reset", cancel = "Cancel",
      on_ok = function() for _, f in ipairs(storage.feeds) do f.listened = 0 end end }
  end,
  view = function(self)
    local heard, total = filter(storage.feeds, function(f) return f.listened >= 60 end), 0
    for _, f in ipairs(heard) do total = total + f.listened // 60 * 60 end
    table.sort(heard, function(a, b) return a.listened > b.listened end)
    return column {
      toolbar { "Statistics", up = true, actions = { { "Reset", id = "reset", on_click = function() self:ask_reset() end } } },
      text { "Listened: " .. hours(total), id = "total", size = "large" },
      text { "Episodes played: " .. #episodes(function(e) return e.played end), id = "played" },
      list { id = "listened", items = heard, empty = text { "Nothing yet", id = "empty" },
        row = function(f)
          return row { id = "listened_row", text { name_of(f), id = "name", weight = 1 }, text { hours(f.listened), id = "time" } }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    local function seconds(id, title, key)
      return { text(title), spinner { id = id, items = each(SKIPS, function(s) return s .. " seconds" end), selected = index_of(SKIPS, prefs[key]),
        on_change = function(i) prefs[key] = SKIPS[i] end } }
    end
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text "Playback speed",
        spinner { id = "default_speed", items = each(SPEEDS, function(s) return s .. "x" end), selected = index_of(SPEEDS, prefs.speed),
          on_change = function(i)
            prefs.speed = SPEEDS[i]
            if current() and not feed_by(current()).speed then speed_changed() end
          end },
        seconds("forward_by", "Fast forward by", "forward"),
        seconds("rewind_by", "Rewind by", "rewind"),
        switch { "Play the next in the queue", id = "continuous", checked = prefs.continuous, on_change = function(b) prefs.continuous = b end },
        switch { "Add to the front of the queue", id = "front", checked = prefs.front, on_change = function(b) prefs.front = b end },
        switch { "Delete downloads of played episodes", id = "auto_delete", checked = prefs.auto_delete,
          on_change = function(b) prefs.auto_delete = b end },
      },
    }
  end,
}
