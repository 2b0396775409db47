-- Earwig: a podcast player. Podcasts with episodes, a queue, downloads, favourites, a sleep timer.
-- Episodes carry the id of their podcast; the queue is a list of ids of episodes.

local DAY = 24 * 60 * 60 * 1000
local SECTIONS = { "Queue", "Subscriptions", "Downloads", "Favourites", "History" }
local FILTERS = { "All episodes", "Not played", "Downloaded", "Favourites" }
local SORTS = { "Newest first", "Oldest first", "Title", "Duration" }
local SKIPS = { 10, 15, 30, 60 }
local SPEEDS = { "0.75x", "1.00x", "1.25x", "1.50x" }

local DIRECTORY = {
  { title = "Slow Kitchen", author = "Ida Holm", episodes = { { "Stock from scratch", 35 }, { "The patience of dough", 52 } } },
  { title = "Orbit Daily", author = "Deep Sky Radio", episodes = { { "Why the Moon leaves us", 12 }, { "A quiet sun", 14 } } },
  { title = "Chess Stories", author = "R. Endgame", episodes = { { "The immortal game", 41 } } },
}

app {
  package = "org.voyager.earwig",
  title = "Earwig",
  main = "Home",
  bugs = { "queue_undo_end", "filter_leaks", "mark_all_counter", "delete_unstars", "skip_fixed", "sleep_extend",
    "unsubscribe_queue", "duration_as_text" },
  server = function(request)
    if request.path ~= "/directory" then return nil, 404 end
    local wanted = (request.query.q or ""):lower()
    return filter({ 1, 2, 3 }, function(i) return contains(DIRECTORY[i].title:lower(), wanted) end)
  end,
  application = function()
    if storage.feeds then return end
    storage.next_id = 100
    storage.feeds = {
      { id = 1, title = "Harbour Tales", author = "Nora Quay", unplayed = 3 },
      { id = 2, title = "Rust and Bolts", author = "The Garage", unplayed = 2 },
      { id = 3, title = "History in Short", author = "M. Clio", unplayed = 3 },
    }
    storage.episodes = {
      { id = 11, feed = 1, title = "The lighthouse keeper", age = 2, minutes = 48, downloaded = true },
      { id = 12, feed = 1, title = "Fog on the bar", age = 9, minutes = 102 },
      { id = 13, feed = 1, title = "Knots", age = 16, minutes = 9, favourite = true },
      { id = 14, feed = 1, title = "A letter from Bergen", age = 23, minutes = 37, played = true, listened = 5 },
      { id = 21, feed = 2, title = "Carburettors", age = 4, minutes = 63, downloaded = true, favourite = true },
      { id = 22, feed = 2, title = "Welding for cowards", age = 11, minutes = 55, played = true, listened = 8 },
      { id = 23, feed = 2, title = "The last steam lorry", age = 18, minutes = 8 },
      { id = 31, feed = 3, title = "The Hansa", age = 1, minutes = 15 },
      { id = 32, feed = 3, title = "Salt", age = 8, minutes = 17, downloaded = true },
      { id = 33, feed = 3, title = "Tulips", age = 15, minutes = 14 },
      { id = 34, feed = 3, title = "The plague year", age = 22, minutes = 16, played = true, listened = 20 },
    }
    for _, e in ipairs(storage.episodes) do
      e.position = 0
      e.published = now() - e.age * DAY
      if e.listened then e.listened = now() - e.listened * DAY end
    end
    storage.queue = { 21, 11, 32 }
    storage.playing = 21
    storage.filters = {}
    storage.sorts = {}
    prefs.skip_forward, prefs.skip_back, prefs.speed = 30, 10, 2
    prefs.finished_leave_queue = true
    prefs.ask_before_delete = false
  end,
}

local function feed_of(id) return (find(storage.feeds, function(f) return f.id == id end)) end
local function episode_of(id) return (find(storage.episodes, function(e) return e.id == id end)) end
local function episodes_of(feed) return filter(storage.episodes, function(e) return e.feed == feed end) end
local function podcast_name(e)
  local feed = feed_of(e.feed)
  return feed and feed.title or "Unknown podcast"
end
local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function clock(seconds) return format("%d:%02d", seconds // 60, seconds % 60) end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function leave_queue(id)
  local at = index_of(storage.queue, id)
  if at then table.remove(storage.queue, at) end
  if storage.playing == id then storage.playing = storage.queue[1] end
  return at
end

local function set_played(e, played)
  if (e.played or false) == played then return end
  e.played = played
  if played then
    e.listened, e.position = now(), 0
    if prefs.finished_leave_queue then leave_queue(e.id) end
  end
  local feed = feed_of(e.feed)
  if feed then feed.unplayed = feed.unplayed + (played and -1 or 1) end
end

local function enqueue(id)
  if index_of(storage.queue, id) then return toast("Already in the queue") end
  table.insert(storage.queue, id)
  storage.playing = storage.playing or id
  toast("Added to the queue")
end

local function play(e)
  local at = index_of(storage.queue, e.id)
  if at then table.remove(storage.queue, at) end
  table.insert(storage.queue, 1, e.id)         -- what plays is on top of the queue
  storage.playing = e.id
end

local function delete_download(e)
  e.downloaded = nil
  if bug("delete_unstars") then e.favourite = nil end
  toast("Download deleted")
end

local function unsubscribe(feed)
  local gone = episodes_of(feed.id)
  storage.feeds = filter(storage.feeds, function(f) return f.id ~= feed.id end)
  for _, e in ipairs(gone) do
    local queued = index_of(storage.queue, e.id)
    if not (queued and bug("unsubscribe_queue")) then
      leave_queue(e.id)
      storage.episodes = filter(storage.episodes, function(o) return o.id ~= e.id end)
    end
  end
  storage.filters[feed.id], storage.sorts[feed.id] = nil, nil
end

local function sorted(list, how)
  local by = copy(list)
  table.sort(by, function(a, b)
    if how == 2 then return a.published < b.published end
    if how == 3 then return a.title < b.title end
    if how == 4 then
      if bug("duration_as_text") then return a.minutes .. " min" < b.minutes .. " min" end
      return a.minutes < b.minutes
    end
    return a.published > b.published
  end)
  return by
end

local function episode_row(e, with_podcast)
  local marks = (e.favourite and "★ " or "") .. (e.played and "✓ " or "")
  local state = date(e.published, "%d %b") .. " · " .. e.minutes .. " min" .. (e.downloaded and " · downloaded" or "")
  return column { id = "episode_row",
    text { marks .. e.title, id = "episode_title" },
    text { with_podcast and podcast_name(e) .. " · " .. state or state, id = "episode_state", size = "small" },
  }
end

local function mini_player(self)
  local e = storage.playing and episode_of(storage.playing)
  return e and card { id = "mini_player", on_click = function() self:start("Player") end,
    text { e.title, id = "mini_title" },
    text { clock(e.position) .. " / " .. clock(e.minutes * 60), id = "mini_position", size = "small" },
  }
end

-- ---- the sections behind the drawer ----

activity "Home" {
  create = function(self, intent, saved) self.section = saved and saved.section or intent.section or "Queue" end,
  save = function(self, out) out.section = self.section end,
  back = function(self)
    if self.section == "Queue" then return false end
    self.section = "Queue"
    return true
  end,
  shown = function(self)
    if self.section == "Queue" then return each(storage.queue, episode_of) end
    local picked = filter(storage.episodes, function(e)
      if self.section == "Downloads" then return e.downloaded end
      if self.section == "Favourites" then return e.favourite end
      return e.listened ~= nil
    end)
    if self.section == "History" then
      table.sort(picked, function(a, b) return a.listened > b.listened end)
      return picked
    end
    return sorted(picked, 1)
  end,
  swiped = function(self, e)
    if self.section == "Queue" then
      local was_playing = storage.playing
      local at = leave_queue(e.id)
      self:snackbar("Removed from the queue", "Undo", function()
        if not episode_of(e.id) or index_of(storage.queue, e.id) then return end
        if bug("queue_undo_end") then table.insert(storage.queue, e.id)
        else table.insert(storage.queue, math.min(at, #storage.queue + 1), e.id) end
        storage.playing = was_playing
      end)
    elseif self.section == "Downloads" then
      if not prefs.ask_before_delete then return delete_download(e) end
      self:dialog { title = "Delete download?", message = e.title, cancel = "Keep", ok = "Delete",
        on_ok = function() delete_download(e) end }
    elseif self.section == "Favourites" then
      e.favourite = nil
    elseif self.section == "History" then
      e.listened = nil
    end
  end,
  hint = function(self)
    if self.section == "Queue" then
      local minutes = 0
      for _, e in ipairs(self:shown()) do minutes = minutes + e.minutes - e.position // 60 end
      return plural(#storage.queue, "episode") .. " · " .. minutes .. " min left"
    end
    if self.section == "Subscriptions" then return plural(#storage.feeds, "podcast") end
    return plural(#self:shown(), "episode")
  end,
  menu = function(self)
    return {
      self.section == "Queue" and { "Clear queue", id = "clear_queue", on_click = function()
        self:dialog { title = "Clear queue?", message = "The episodes themselves stay.", cancel = "Cancel", ok = "Clear",
          on_ok = function() storage.queue, storage.playing = {}, nil end }
      end } or { "Add podcast", id = "add_podcast", on_click = function() self:start("Discover") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    return column {
      drawer { id = "nav", header = "Earwig", items = each(SECTIONS, function(name)
        return { name, id = "nav_item", on_click = function() self.section = name end }
      end) },
      toolbar { self.section, subtitle = self:hint() },
      self.section == "Subscriptions" and grid { id = "podcasts", items = storage.feeds, columns = 2,
        row = function(feed)
          return column { id = "podcast_tile",
            text { feed.title, id = "podcast_title" },
            text { feed.unplayed > 0 and feed.unplayed .. " unplayed" or "all played", id = "podcast_count", size = "small" } }
        end,
        empty = text { "No podcasts yet. Add one from the menu.", id = "empty" },
        on_item_click = function(_, feed) self:start("Feed", { id = feed.id }) end }
      or list { id = "episodes", items = self:shown(), row = function(e) return episode_row(e, true) end,
        empty = text { "Nothing here", id = "empty" },
        on_item_click = function(_, e) self:start("Episode", { id = e.id }) end,
        on_item_swipe = function(i)
          local e = self:shown()[i]
          if e then self:swiped(e) end
        end },
      mini_player(self),
    }
  end,
}

-- ---- one podcast ----

activity "Feed" {
  resume = function(self) if not feed_of(self.intent.id) then self:finish() end end,
  filter_in_use = function(self)
    if bug("filter_leaks") then return storage.last_filter or 1 end
    return storage.filters[self.intent.id] or 1
  end,
  shown = function(self)
    local how = self:filter_in_use()
    local picked = filter(episodes_of(self.intent.id), function(e)
      return how == 1 or how == 2 and not e.played or how == 3 and e.downloaded or how == 4 and e.favourite
    end)
    return sorted(picked, storage.sorts[self.intent.id] or 1)
  end,
  ask_filter = function(self)
    self:dialog { title = "Show", items = FILTERS, checked = storage.filters[self.intent.id] or 1,
      on_item = function(i) storage.filters[self.intent.id], storage.last_filter = i, i end }
  end,
  ask_sort = function(self)
    self:dialog { title = "Sort by", items = SORTS, checked = storage.sorts[self.intent.id] or 1,
      on_item = function(i) storage.sorts[self.intent.id] = i end }
  end,
  mark_all = function(self)
    local feed = feed_of(self.intent.id)
    local unplayed = feed.unplayed
    self:dialog { title = "Mark all as played?", cancel = "Cancel", ok = "Mark all", on_ok = function()
      for _, e in ipairs(episodes_of(self.intent.id)) do
        set_played(e, true)
      end
      if bug("mark_all_counter") then feed.unplayed = unplayed end
    end }
  end,
  menu = function(self)
    return {
      { "Mark all as played", id = "mark_all", on_click = function() self:mark_all() end },
      { "Sort", id = "sort", on_click = function() self:ask_sort() end },
      { "Rename podcast", id = "rename", on_click = function()
        local feed = feed_of(self.intent.id)
        self:dialog { title = "Rename podcast", cancel = "Cancel", ok = "Rename",
          view = function() return column { field { id = "podcast_name", text = feed.title } } end,
          on_ok = function()
            local name = trim(self:text("podcast_name"))
            if name == "" then return true end
            feed.title = name
          end }
      end },
      { "Unsubscribe", id = "unsubscribe", on_click = function()
        local feed = feed_of(self.intent.id)
        self:dialog { title = "Unsubscribe?", message = "All episodes of " .. feed.title .. " will be removed.", cancel = "Cancel",
          ok = "Unsubscribe", on_ok = function()
            unsubscribe(feed)
            self:finish()
          end }
      end },
    }
  end,
  view = function(self)
    local feed = feed_of(self.intent.id)
    if not feed then return column { toolbar { "Podcast", up = true } } end
    local own = storage.filters[feed.id] or 1
    return column {
      toolbar { feed.title, up = true, subtitle = feed.author,
        actions = { { "Filter", id = "filter", on_click = function() self:ask_filter() end } } },
      own > 1 and text { "Filtered: " .. FILTERS[own], id = "filtered" },
      list { id = "episodes", items = self:shown(), row = function(e) return episode_row(e, false) end,
        empty = text { "No episodes", id = "empty" },
        on_item_click = function(_, e) self:start("Episode", { id = e.id }) end,
        on_item_long_click = function(_, e)
          self:popup {
            { e.played and "Mark as unplayed" or "Mark as played", id = "toggle_played", on_click = function() set_played(e, not e.played) end },
            { "Add to queue", id = "add_to_queue", on_click = function() enqueue(e.id) end },
          }
        end },
      mini_player(self),
    }
  end,
}

-- ---- one episode ----

activity "Episode" {
  download = function(self, e)
    if not device.online() then return toast("No connection") end
    e.downloaded = true
    toast("Downloaded")
  end,
  view = function(self)
    local e = episode_of(self.intent.id)
    if not e then return column { toolbar { "Episode", up = true }, text { "This episode was removed", id = "gone" } } end
    local queued = index_of(storage.queue, e.id)
    return column {
      toolbar { podcast_name(e), up = true, actions = {
        { e.favourite and "Remove from favourites" or "Add to favourites", id = "favourite", on_click = function()
          e.favourite = not e.favourite or nil
        end } } },
      scroll {
        text { (e.favourite and "★ " or "") .. e.title, id = "episode_title", size = "large" },
        text { "Published " .. date(e.published, "%Y-%m-%d") .. ", " .. e.minutes .. " minutes", id = "published" },
        text { e.played and "Played" or e.position > 0 and "Stopped at " .. clock(e.position) or "Not played yet", id = "played_state" },
        button { storage.playing == e.id and "Open player" or "Play", id = "play", on_click = function()
          if storage.playing ~= e.id then play(e) end
          self:start("Player")
        end },
        button { queued and "Remove from queue" or "Add to queue", id = "queue_button", on_click = function()
          if queued then leave_queue(e.id) else enqueue(e.id) end
        end },
        button { e.downloaded and "Delete download" or "Download", id = "download", on_click = function()
          if e.downloaded then delete_download(e) else self:download(e) end
        end },
        button { e.played and "Mark as unplayed" or "Mark as played", id = "played", on_click = function()
          set_played(e, not e.played)
        end },
      },
    }
  end,
}

-- ---- the player ----

activity "Player" {
  seek = function(self, e, by)
    e.position = math.max(0, math.min(e.minutes * 60, e.position + by))
    if e.position == e.minutes * 60 then
      set_played(e, true)
      toast("Finished: " .. e.title)
    end
  end,
  ask_sleep = function(self)
    if storage.sleep then
      return self:dialog { title = "Sleep timer", message = storage.sleep .. " minutes left", ok = "Add 10 minutes", cancel = "Close",
        neutral = "Switch off",
        on_ok = function()
          storage.sleep = bug("sleep_extend") and 10 or storage.sleep + 10
          toast("Sleep timer: 10 minutes added")
        end,
        on_neutral = function() storage.sleep = nil end }
    end
    local minutes = { 15, 30, 45 }
    self:dialog { title = "Sleep timer", items = each(minutes, function(m) return m .. " minutes" end),
      on_item = function(i) storage.sleep = minutes[i] end }
  end,
  view = function(self)
    local e = storage.playing and episode_of(storage.playing)
    if not e then
      return column { toolbar { "Player", up = true }, text { "Nothing to play. Add episodes to the queue.", id = "empty" } }
    end
    local total = e.minutes * 60
    return column {
      toolbar { "Player", up = true, actions = { { "Sleep timer", id = "sleep", on_click = function() self:ask_sleep() end } } },
      text { e.title, id = "title", size = "large" },
      text { podcast_name(e), id = "podcast" },
      progress { value = e.position, max = total, id = "bar" },
      row { text { clock(e.position), id = "position", weight = 1 }, text { "-" .. clock(total - e.position), id = "remaining" } },
      row {
        button { "-" .. prefs.skip_back .. " s", id = "rewind", on_click = function() self:seek(e, -prefs.skip_back) end },
        button { "+" .. prefs.skip_forward .. " s", id = "forward", on_click = function()
          self:seek(e, bug("skip_fixed") and 30 or prefs.skip_forward)
        end },
        button { "Next", id = "next", on_click = function()
          local at = index_of(storage.queue, e.id) or 0
          local following = storage.queue[at + 1]
          if following then storage.playing = following else toast("End of the queue") end
        end },
      },
      row {
        text { "Speed", weight = 1 },
        spinner { id = "speed", items = SPEEDS, selected = prefs.speed, on_change = function(i) prefs.speed = i end },
      },
      storage.sleep and text { "Stops in " .. storage.sleep .. " minutes", id = "sleep_info" },
      button { "Show episode", id = "show_episode", on_click = function() self:start("Episode", { id = e.id }) end },
    }
  end,
}

-- ---- finding podcasts ----

activity "Discover" {
  create = function(self, intent, saved) self.found = saved and saved.found end,
  save = function(self, out) out.found = self.found end,
  look = function(self)
    if not device.online() then return toast("No connection") end
    self.loading = true
    net.get("https://directory.example.org/directory?q=" .. trim(self:text("query")), function(reply)
      self.loading = false
      if reply.ok then self.found = reply.body elseif not self:is_finishing() then toast("The directory does not answer") end
    end)
  end,
  subscribe = function(self, entry)
    if find(storage.feeds, function(f) return f.title == entry.title end) then return toast("You have this podcast already") end
    local feed = { id = new_id(), title = entry.title, author = entry.author, unplayed = #entry.episodes }
    table.insert(storage.feeds, feed)
    for i, it in ipairs(entry.episodes) do
      table.insert(storage.episodes, { id = new_id(), feed = feed.id, title = it[1], minutes = it[2], position = 0, published = now() - (i * 7 - 5) * DAY })
    end
    toast("Subscribed to " .. feed.title)
  end,
  view = function(self)
    return column {
      toolbar { "Add podcast", up = true },
      row {
        field { id = "query", hint = "Search the directory", weight = 1, on_submit = function() self:look() end },
        button { "Search", id = "look", on_click = function() self:look() end },
      },
      self.loading and progress { id = "loading", spinning = true },
      self.found and list { id = "found", items = self.found, empty = text { "Nothing found", id = "empty" },
        row = function(i)
          return column { id = "found_row", text { DIRECTORY[i].title, id = "found_title" },
            text { DIRECTORY[i].author .. " · " .. plural(#DIRECTORY[i].episodes, "episode"), id = "found_author", size = "small" } }
        end,
        on_item_click = function(_, i) self:subscribe(DIRECTORY[i]) end },
    }
  end,
}

-- ---- statistics and settings ----

activity "Statistics" {
  view = function(self)
    local rows, total = {}, 0
    for _, feed in ipairs(storage.feeds) do
      local minutes, played = 0, 0
      for _, e in ipairs(episodes_of(feed.id)) do
        if e.played then minutes, played = minutes + e.minutes, played + 1 end
      end
      total = total + minutes
      table.insert(rows, text { feed.title .. ": " .. minutes .. " min in " .. plural(played, "episode"), id = "stat_row" })
    end
    return column { toolbar { "Statistics", up = true }, text { "Listened to " .. total .. " min in all", id = "stat_total", size = "large" },
      divider {}, scroll { rows } }
  end,
}

activity "Settings" {
  ask_skip = function(self, key, title)
    self:dialog { title = title, items = each(SKIPS, function(s) return s .. " seconds" end), checked = index_of(SKIPS, prefs[key]) or 1,
      on_item = function(i) prefs[key] = SKIPS[i] end }
  end,
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Playback", size = "small" },
        button { "Fast forward: " .. prefs.skip_forward .. " s", id = "skip_forward", on_click = function() self:ask_skip("skip_forward", "Fast forward") end },
        button { "Rewind: " .. prefs.skip_back .. " s", id = "skip_back", on_click = function() self:ask_skip("skip_back", "Rewind") end },
        switch { "Finished episodes leave the queue", id = "finished_leave", checked = prefs.finished_leave_queue,
          on_change = function(on) prefs.finished_leave_queue = on end },
        text { "Storage", size = "small" },
        switch { "Ask before a download is deleted", id = "ask_delete", checked = prefs.ask_before_delete,
          on_change = function(on) prefs.ask_before_delete = on end },
        button { "Delete all downloads", id = "delete_all", on_click = function()
          self:dialog { title = "Delete all downloads?", cancel = "Cancel", ok = "Delete", on_ok = function()
            for _, e in ipairs(storage.episodes) do e.downloaded = nil end
          end }
        end },
      },
    }
  end,
}
