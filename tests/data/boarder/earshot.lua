-- Earshot: podcasts. Shows, episodes, a queue, downloads in the background, a player with speed and sleep timer.
--
-- An episode: { id, show, title, day, minutes, position (minutes heard), played, file = "none" | "loading" | "here", mark = { minutes } }.
-- The queue is a list of episode ids; its first one is what the player plays.

local SPEEDS = { 80, 100, 120, 150, 200 }          -- per cent
local SECTIONS = { "New", "Queue", "Shows", "Downloads" }
local SKIPS = { 1, 5, 10 }
local MB_PER_MINUTE = 1

app {
  package = "org.example.earshot",
  title = "Earshot",
  main = "Main",
  bugs = { "next_goes_last", "unsubscribed_stay", "cancelled_arrives", "speed_of_show", "hidden_on_show_page", "size_after_delete",
    "rotation_rewinds", "undo_to_end" },
  server = function(request, db)
    if request.path == "/file" then return { size = 1 } end
    if request.path == "/news" then
      db.asked = (db.asked or 0) + 1
      if db.asked > 3 then return {} end
      return { { show = db.asked % 3 + 1, title = "Extra " .. db.asked, minutes = 12 + db.asked } }
    end
    return nil, 404
  end,
  application = function()
    if storage.shows then
      for _, e in ipairs(storage.episodes) do
        if e.file == "loading" then e.file = "none" end              -- what the dead process was loading
      end
      return
    end
    storage.shows = {
      { id = 1, title = "Salt and Tide", about = "Stories from harbours", subscribed = true },
      { id = 2, title = "Proof by Tea", about = "Mathematics over breakfast", subscribed = true, speed = 150 },
      { id = 3, title = "Night Trains", about = "Slow journeys", subscribed = true },
      { id = 4, title = "Cold Kitchen", about = "Cooking without a stove", subscribed = false },
    }
    storage.episodes = {
      { id = 11, show = 1, title = "The pilot boat", day = 40, minutes = 34, position = 0, played = true, file = "here", marks = {} },
      { id = 12, show = 1, title = "Lighthouse for sale", day = 47, minutes = 41, position = 10, played = false, file = "here", marks = { 7 } },
      { id = 13, show = 1, title = "Fog signals", day = 54, minutes = 28, position = 0, played = false, file = "none", marks = {} },
      { id = 21, show = 2, title = "Knots", day = 44, minutes = 60, position = 0, played = false, file = "here", marks = {} },
      { id = 22, show = 2, title = "What is a number", day = 51, minutes = 52, position = 0, played = true, file = "none", marks = {} },
      { id = 23, show = 2, title = "Twelve tables", day = 58, minutes = 45, position = 0, played = false, file = "none", marks = {} },
      { id = 31, show = 3, title = "Oslo to Narvik", day = 50, minutes = 75, position = 0, played = false, file = "none", marks = {} },
      { id = 32, show = 3, title = "The last sleeper", day = 57, minutes = 66, position = 0, played = false, file = "none", marks = {} },
      { id = 41, show = 4, title = "Pickles", day = 55, minutes = 20, position = 0, played = false, file = "none", marks = {} },
    }
    storage.queue = { 12, 21, 31 }
    storage.next_id = 100
    storage.megabytes = 34 + 41 + 60
    prefs.speed = 100
    prefs.hide_played = false
    prefs.skip = 2
    prefs.keep_finished = true
  end,
}

local function episode_of(id) return find(storage.episodes, function(e) return e.id == id end) end
local function show_of(id) return find(storage.shows, function(s) return s.id == id end) end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function clock(minutes) return format("%d:%02d", minutes // 60, minutes % 60) end

-- A show's own speed goes before the general one.
local function speed_for(e, anywhere)
  local own = show_of(e.show).speed
  if bug("speed_of_show") and anywhere == "player" then own = nil end
  return own or prefs.speed
end

local function left_of(e, where) return math.ceil((e.minutes - e.position) * 100 / speed_for(e, where)) end

local function subtitle_of(e)
  if e.played then return "Played" end
  local text = e.position > 0 and clock(left_of(e)) .. " left" or clock(left_of(e))
  if e.file == "here" then text = text .. ", downloaded" end
  if e.file == "loading" then text = text .. ", downloading" end
  return text
end

local loading = {}                                   -- episode id: number of the download

local function remove_file(e)
  if e.file == "here" and not bug("size_after_delete") then storage.megabytes = storage.megabytes - e.minutes * MB_PER_MINUTE end
  loading[e.id] = nil
  e.file = "none"
end

local function download(e)
  if e.file ~= "none" then return end
  if not device.online() then return toast("You are offline") end
  e.file = "loading"
  storage.next_id = storage.next_id + 1
  local number = storage.next_id
  loading[e.id] = number
  net.get { url = "https://cast.example.org/file?id=" .. e.id, latency = 2500, on_reply = function(reply)
    e = episode_of(e.id)
    if not e or e.file == "here" then return end
    if loading[e.id] ~= number and not bug("cancelled_arrives") then return end
    loading[e.id] = nil
    if not reply.ok then
      e.file = "none"
      return
    end
    e.file = "here"
    storage.megabytes = storage.megabytes + e.minutes * MB_PER_MINUTE
  end }
end

local function cancel_download(e)
  loading[e.id] = nil
  e.file = "none"
end

local function dequeue(id)
  local at = index_of(storage.queue, id)
  if at then table.remove(storage.queue, at) end
  return at
end

-- Next is after what is being played, not before it.
local function enqueue(id, as_next)
  dequeue(id)
  if as_next and not bug("next_goes_last") then
    table.insert(storage.queue, math.min(2, #storage.queue + 1), id)
  else
    table.insert(storage.queue, id)
  end
end

local function finish_episode(e)
  e.played, e.position = true, 0
  dequeue(e.id)
  if not prefs.keep_finished then remove_file(e) end
end

local function episode_row(e)
  return column {
    text { e.title, id = "episode" },
    text { show_of(e.show).title .. " · " .. subtitle_of(e), id = "state", size = "small" },
  }
end

-- ---- the sections ----

activity "Main" {
  create = function(self, intent, saved) self.section = saved and saved.section or "New" end,
  save = function(self, out) out.section = self.section end,
  back = function(self)
    if self.section == "New" then return false end
    self.section = "New"
    return true
  end,

  episodes = function(self)
    if self.section == "Queue" then return each(storage.queue, episode_of) end
    local found = filter(storage.episodes, function(e)
      if self.section == "Downloads" then return e.file ~= "none" end
      return show_of(e.show).subscribed and not (prefs.hide_played and e.played)
    end)
    table.sort(found, function(a, b) return a.day > b.day end)
    return found
  end,

  unqueue = function(self, e)
    local at = dequeue(e.id)
    if not at then return end
    self:snackbar("Removed from the queue", "Undo", function()
      if index_of(storage.queue, e.id) then return end
      if bug("undo_to_end") then at = #storage.queue + 1 end
      table.insert(storage.queue, math.min(at, #storage.queue + 1), e.id)
    end)
  end,

  swiped = function(self, i, direction)
    local e = self:episodes()[i]
    if not e or direction ~= "left" then return end
    if self.section == "Queue" then return self:unqueue(e) end
    if self.section == "Downloads" then
      if e.file == "loading" then return cancel_download(e) end
      remove_file(e)
    end
  end,

  actions = function(self, e)
    local queued = index_of(storage.queue, e.id)
    self:popup {
      { "Play next", id = "play_next", on_click = function() enqueue(e.id, true) end },
      { "Add to queue", id = "add_to_queue", enabled = not queued, on_click = function() enqueue(e.id) end },
      { e.played and "Mark unplayed" or "Mark played", id = "mark_played", on_click = function()
        if e.played then e.played = false else finish_episode(e) end
      end },
    }
  end,

  refresh = function(self)
    if not device.online() then return toast("You are offline") end
    net.get("https://cast.example.org/news", function(reply)
      if not reply.ok then return toast("Nothing heard") end
      for _, n in ipairs(reply.body) do
        storage.next_id = storage.next_id + 1
        table.insert(storage.episodes, { id = storage.next_id, show = n.show, title = n.title, day = 60 + #storage.episodes, minutes = n.minutes,
          position = 0, played = false, file = "none", marks = {} })
      end
      toast(plural(#reply.body, "new episode"))
    end)
  end,

  shows = function(self)
    return list { id = "shows", items = storage.shows,
      row = function(s)
        return column { text { s.title, id = "show" },
          text { s.subscribed and "Subscribed" or s.about, id = "about", size = "small" } }
      end,
      on_item_click = function(_, s) self:start("Show", { id = s.id }) end }
  end,

  drawer_items = function(self)
    local items = each(SECTIONS, function(name) return { name, id = "section", on_click = function() self.section = name end } end)
    table.insert(items, { "Search", id = "section", on_click = function() self:start("Search") end })
    table.insert(items, { "Settings", id = "section", on_click = function() self:start("Settings") end })
    return items
  end,

  view = function(self)
    local episodes = self.section ~= "Shows" and self:episodes()
    local total = 0
    for _, e in ipairs(episodes or {}) do total = total + left_of(e) end
    local below = self.section == "Queue" and plural(#episodes, "episode") .. ", " .. clock(total)
      or self.section == "Downloads" and storage.megabytes .. " MB used" or nil
    return column {
      drawer { id = "sections", header = "Earshot", items = self:drawer_items() },
      toolbar { self.section, subtitle = below, actions = { { "Refresh", id = "refresh", on_click = function() self:refresh() end } } },
      not episodes and self:shows(),
      episodes and list { id = "episodes", items = episodes, row = episode_row, empty = text { "Nothing here", id = "empty" },
        on_item_click = function(_, e) self:start("Episode", { id = e.id }) end,
        on_item_long_click = function(_, e) self:actions(e) end,
        on_item_swipe = function(i, direction) self:swiped(i, direction) end },
      storage.queue[1] and button { "▶ " .. episode_of(storage.queue[1]).title, id = "now_playing", on_click = function() self:start("Player") end },
    }
  end,
}

-- ---- a show ----

activity "Show" {
  unsubscribe = function(self, s)
    self:dialog { title = "Unsubscribe?", message = "Its episodes leave the queue and the downloads", cancel = "Cancel", ok = "Unsubscribe",
      on_ok = function()
        s.subscribed = false
        if bug("unsubscribed_stay") then return end
        for _, e in ipairs(storage.episodes) do
          if e.show == s.id then
            dequeue(e.id)
            if e.file == "loading" then cancel_download(e) else remove_file(e) end
          end
        end
      end }
  end,
  ask_speed = function(self, s)
    local names = each(SPEEDS, function(p) return p .. " %" end)
    table.insert(names, 1, "As everywhere")
    local here = s.speed and index_of(SPEEDS, s.speed) + 1 or 1
    self:dialog { title = "Speed of this show", items = names, checked = here, on_item = function(i) s.speed = SPEEDS[i - 1] end }
  end,
  episodes = function(self, s)
    local hide = prefs.hide_played and not bug("hidden_on_show_page")
    local found = filter(storage.episodes, function(e) return e.show == s.id and not (hide and e.played) end)
    table.sort(found, function(a, b) return a.day > b.day end)
    return found
  end,
  view = function(self)
    local s = show_of(self.intent.id)
    if not s then return column { toolbar { "Show", up = true }, text { "No such show", id = "gone" } } end
    local episodes = self:episodes(s)
    return column {
      toolbar { s.title, up = true, subtitle = plural(#episodes, "episode") },
      text { s.about, id = "about" },
      row {
        button { s.subscribed and "Unsubscribe" or "Subscribe", id = "subscribe", on_click = function()
          if s.subscribed then self:unsubscribe(s) else s.subscribed = true end
        end },
        button { "Speed: " .. (s.speed and s.speed .. " %" or "as everywhere"), id = "show_speed", on_click = function() self:ask_speed(s) end },
      },
      list { id = "episodes", items = episodes, row = episode_row, empty = text { "No episodes", id = "empty" },
        on_item_click = function(_, e) self:start("Episode", { id = e.id }) end },
    }
  end,
}

activity "Episode" {
  play = function(self, e)
    dequeue(e.id)
    table.insert(storage.queue, 1, e.id)
    e.played = false
    self:start("Player")
  end,
  menu = function(self)
    local e = episode_of(self.intent.id)
    return e and {
      { e.played and "Mark unplayed" or "Mark played", id = "mark_played", on_click = function()
        if e.played then e.played = false else finish_episode(e) end
      end },
      { "Go to show", id = "go_to_show", on_click = function() self:start("Show", { id = e.show }) end },
    } or {}
  end,
  view = function(self)
    local e = episode_of(self.intent.id)
    if not e then return column { toolbar { "Episode", up = true }, text { "No such episode", id = "gone" } } end
    local at = index_of(storage.queue, e.id)
    return column {
      toolbar { "Episode", up = true },
      text { e.title, id = "title", size = "large" },
      text { show_of(e.show).title .. " · " .. plural(e.minutes, "minute"), id = "facts" },
      text { subtitle_of(e), id = "state" },
      text { at and (at == 1 and "Playing now" or "Number " .. at .. " of the queue") or "Not in the queue", id = "place" },
      button { "Play", id = "play", on_click = function() self:play(e) end },
      button { at and "Remove from queue" or "Add to queue", id = "queue", on_click = function()
        if at then dequeue(e.id) else enqueue(e.id) end
      end },
      e.file == "none" and button { "Download", id = "download", on_click = function() download(e) end },
      e.file == "loading" and button { "Cancel download", id = "cancel_download", on_click = function() cancel_download(e) end },
      e.file == "here" and button { "Delete download", id = "delete_download", on_click = function() remove_file(e) end },
      #e.marks > 0 and text { "Bookmarks: " .. table.concat(each(e.marks, clock), ", "), id = "marks" },
    }
  end,
}

-- ---- the player ----

activity "Player" {
  create = function(self, intent, saved)
    self.heard = saved and saved.heard
    self.sleep = saved and saved.sleep or 0
    local e = self:episode()
    if saved and e and bug("rotation_rewinds") then e.position = 0 end
  end,
  save = function(self, out) out.heard, out.sleep = self.heard, self.sleep end,
  episode = function(self) return storage.queue[1] and episode_of(storage.queue[1]) end,

  skip = function(self, e, by)
    e.position = math.max(0, e.position + by)
    if e.position < e.minutes then return end
    finish_episode(e)
    if self.sleep == 1 then                            -- sleep at the end of the episode
      self.sleep = 0
      return self:finish()
    end
    if #storage.queue == 0 then return self:finish() end
    toast("Next: " .. self:episode().title)
  end,

  ask_sleep = function(self)
    self:dialog { title = "Sleep timer", items = { "Off", "At the end of the episode" }, checked = self.sleep + 1,
      on_item = function(i) self.sleep = i - 1 end }
  end,

  ask_mark = function(self, e)
    if index_of(e.marks, e.position) then return toast("Already marked") end
    table.insert(e.marks, e.position)
    table.sort(e.marks)
  end,

  view = function(self)
    local e = self:episode()
    if not e then return column { toolbar { "Player", up = true }, text { "The queue is empty", id = "empty" } } end
    local by = SKIPS[prefs.skip]
    return column {
      toolbar { "Player", up = true, subtitle = self.sleep == 1 and "Sleeps after this one" or nil,
        actions = { { "Sleep timer", id = "sleep", on_click = function() self:ask_sleep() end } } },
      text { e.title, id = "title", size = "large" },
      text { show_of(e.show).title, id = "show" },
      progress { value = e.position, max = e.minutes },
      row { text { clock(e.position), id = "position", weight = 1 }, text { "-" .. clock(left_of(e, "player")), id = "left" } },
      text { "Speed " .. speed_for(e, "player") .. " %", id = "speed" },
      row {
        button { "-" .. by, id = "rewind", on_click = function() self:skip(e, -by) end },
        button { "+" .. by, id = "forward", on_click = function() self:skip(e, by) end },
        button { "Finish", id = "finish", on_click = function() self:skip(e, e.minutes) end },
      },
      button { "Bookmark", id = "bookmark", on_click = function() self:ask_mark(e) end },
      list { id = "marks", items = e.marks, empty = text { "No bookmarks", id = "no_marks" },
        row = function(m) return text { "Bookmark at " .. clock(m), id = "mark" } end,
        on_item_click = function(_, m) e.position = m end,
        on_item_long_click = function(i) table.remove(e.marks, i) end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  view = function(self)
    local query = self.query:lower()
    local found = query == "" and {} or filter(storage.episodes, function(e)
      return contains((e.title .. " " .. show_of(e.show).title):lower(), query)     -- also what is played or not subscribed to
    end)
    return column {
      toolbar { "Search", up = true, subtitle = query ~= "" and plural(#found, "match"):gsub("matchs", "matches") or nil },
      field { id = "query", hint = "Episode or show", max = 30, on_change = function(s) self.query = trim(s) end },
      list { id = "found", items = found, row = episode_row, empty = text { query == "" and "Search everything" or "Nothing found", id = "empty" },
        on_item_click = function(_, e) self:start("Episode", { id = e.id }) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Hide played episodes", id = "hide_played", checked = prefs.hide_played, on_change = function(b) prefs.hide_played = b end },
      switch { "Keep downloads of played episodes", id = "keep_finished", checked = prefs.keep_finished,
        on_change = function(b) prefs.keep_finished = b end },
      text { "Speed", id = "speed_label", size = "small" },
      spinner { id = "speed", items = each(SPEEDS, function(p) return p .. " %" end), selected = index_of(SPEEDS, prefs.speed),
        on_change = function(i) prefs.speed = SPEEDS[i] end },
      text { "Skip by minutes", id = "skip_label", size = "small" },
      radios { id = "skip", items = each(SKIPS, tostring), selected = prefs.skip, on_change = function(i) prefs.skip = i end },
      text { "Search finds played episodes, too.", id = "hint", size = "small" },
    }
  end,
}
