-- Listening List: shows with episodes, a queue of what to hear next, a player that is moved by hand, and a history.
--
-- The episode that is playing is not in the queue: it is taken out when it starts and goes back to the top when it is
-- stopped before its end. Heard episodes stay with their show and leave the queue if the settings say so.

app {
  package = "org.guest.listening",
  title = "Listening List",
  main = "Queue",
  bugs = { "undo_end", "gone_in_count", "wrong_row_filtered", "step_ignored", "search_rotate", "unheard_at_end",
    "history_twice", "stop_to_end" },
  application = function()
    if storage.shows then return end
    storage.next_id = 100
    storage.shows = {
      { id = 1, name = "Kitchen Science", topic = "Science" },
      { id = 2, name = "Night Trains", topic = "Stories" },
      { id = 3, name = "The Long Walk", topic = "Outdoors" },
    }
    storage.episodes = {
      { id = 11, show = 1, title = "Why bread rises", minutes = 30, day = "2024-02-06", heard = 0 },
      { id = 12, show = 1, title = "Salt and ice", minutes = 24, day = "2024-02-13", heard = 10 },
      { id = 13, show = 1, title = "A perfect egg", minutes = 42, day = "2024-02-20", heard = 0, saved = true },
      { id = 21, show = 2, title = "The last carriage", minutes = 50, day = "2024-01-28", heard = 0 },
      { id = 22, show = 2, title = "Fog at the border", minutes = 36, day = "2024-02-11", heard = 0, saved = true },
      { id = 23, show = 2, title = "Sleeper to the north", minutes = 45, day = "2024-02-25", heard = 45, played = true },
      { id = 31, show = 3, title = "Boots", minutes = 20, day = "2024-02-02", heard = 0 },
      { id = 32, show = 3, title = "Over the pass", minutes = 55, day = "2024-02-16", heard = 0 },
      { id = 33, show = 3, title = "Campfire soup", minutes = 15, day = "2024-02-29", heard = 15, played = true },
    }
    storage.queue = { 12, 21, 31, 13 }
    storage.history = { { id = 33, title = "Campfire soup", show = "The Long Walk" },
      { id = 23, title = "Sleeper to the north", show = "Night Trains" } }
    prefs.step, prefs.speed = 5, 1
    prefs.drop_heard, prefs.go_on, prefs.ask = true, true, true
  end,
}

local TOPICS = { "Science", "Stories", "Outdoors", "Music", "News" }
local STEPS, SPEEDS = { 1, 5, 10 }, { 1.0, 1.25, 1.5, 2.0 }
local MAX_SHOWS, MAX_HISTORY = 25, 20

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function show_of(id) return (find(storage.shows, function(s) return s.id == id end)) end
local function episode_of(id) return (find(storage.episodes, function(e) return e.id == id end)) end
local function time_text(m) return m >= 60 and format("%d h %d min", m // 60, m % 60) or m .. " min" end
local function day_text(day) return day:sub(9) .. "." .. day:sub(6, 7) .. "." .. day:sub(1, 4) end

local function state_text(e)
  return e.played and "Heard" or e.heard > 0 and e.heard .. " of " .. e.minutes .. " min heard" or "Unheard"
end

-- ---- the queue ----

local function unqueue(id)
  local place = index_of(storage.queue, id)
  if place then table.remove(storage.queue, place) end
  return place
end

local function enqueue(id, place)
  if index_of(storage.queue, id) or storage.current == id then return end
  table.insert(storage.queue, math.min(place or #storage.queue + 1, #storage.queue + 1), id)
end

local function queued()
  return filter(each(storage.queue, function(id) return episode_of(id) or false end), function(e) return e end)
end

local function time_left()
  local total = 0
  for _, e in ipairs(queued()) do total = total + e.minutes - e.heard end
  return math.ceil(total / SPEEDS[prefs.speed])
end

local function mark_heard(e)
  e.played, e.heard = true, e.minutes
  if prefs.drop_heard then unqueue(e.id) end
  if storage.current == e.id then storage.current = nil end
  if not bug("history_twice") then
    storage.history = filter(storage.history, function(h) return h.id ~= e.id end)
  end
  table.insert(storage.history, 1, { id = e.id, title = e.title, show = show_of(e.show).name })
  storage.history[MAX_HISTORY + 1] = nil
end

local function mark_unheard(e)
  e.played = nil
  if not bug("unheard_at_end") then e.heard = 0 end
end

-- What was playing goes back to the top of the queue, unless it is over.
local function stop()
  local e = storage.current and episode_of(storage.current)
  storage.current = nil
  if e then enqueue(e.id, not bug("stop_to_end") and 1 or nil) end
end

local function play(e)
  if storage.current == e.id then return end
  stop()
  unqueue(e.id)
  if e.played then e.played, e.heard = nil, 0 end
  storage.current = e.id
end

local function finished(e)
  mark_heard(e)
  local next_one = prefs.go_on and find(queued(), function(q) return not q.played end)
  if next_one then play(next_one) end
end

local function unsubscribe(show)
  for _, e in ipairs(filter(storage.episodes, function(x) return x.show == show.id end)) do
    if not bug("gone_in_count") then unqueue(e.id) end
    if storage.current == e.id then storage.current = nil end
  end
  storage.episodes = filter(storage.episodes, function(e) return e.show ~= show.id end)
  storage.shows = filter(storage.shows, function(s) return s ~= show end)
end

local function ask_unsubscribe(self, show, done)
  local function go()
    unsubscribe(show)
    if done then done() end
  end
  if not prefs.ask then return go() end
  self:dialog { title = "Unsubscribe?", message = show.name .. " and its episodes are removed. The history stays.",
    cancel = "Cancel", ok = "Unsubscribe", on_ok = go }
end

local function bottom(self, here)
  local function item(title, id, name)
    return { title, id = id, selected = here == name, on_click = function()
      if here == name then return end
      if name ~= "Queue" then self:start(name) end
      if here ~= "Queue" then self:finish() end
    end }
  end
  return bottom_bar { items = { item("Queue", "nav_queue", "Queue"), item("Shows", "nav_shows", "Shows"),
    item("History", "nav_history", "History") } }
end

local function episode_row(e, with_show)
  return column { id = "episode_row", text { e.title, id = "title" },
    text { (with_show and show_of(e.show).name .. ", " or day_text(e.day) .. ", ") .. time_text(e.minutes) .. ", " .. state_text(e)
      .. (e.saved and ", on this phone" or ""), id = "details", size = "small" } }
end

activity "Queue" {
  remove = function(self, e)
    local place = unqueue(e.id)
    self:snackbar("Removed from the queue", "Undo", function()
      if episode_of(e.id) then enqueue(e.id, not bug("undo_end") and place or nil) end
    end)
  end,
  episode_menu = function(self, e)
    self:popup {
      { "Play now", id = "play_now", on_click = function() play(e) end },
      { "Move to the top", id = "to_top", on_click = function() unqueue(e.id) enqueue(e.id, 1) end },
      { "Mark as heard", id = "mark_heard", enabled = not e.played, on_click = function() mark_heard(e) end },
      { "Remove from queue", id = "remove", on_click = function() self:remove(e) end },
    }
  end,
  menu = function(self)
    return {
      { "Clear queue", id = "clear_queue", enabled = #queued() > 0, on_click = function()
        self:dialog { title = "Clear the queue?", message = "The episodes stay with their shows.", cancel = "Cancel", ok = "Clear",
          on_ok = function() storage.queue = {} end }
      end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local e = storage.current and episode_of(storage.current)
    local speed = SPEEDS[prefs.speed]
    return column {
      toolbar { "Queue", actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      text { #storage.queue .. " in the queue, " .. time_text(time_left()) .. " left" .. (speed ~= 1 and " at " .. speed .. "x" or ""),
        id = "left" },
      e and text { "Without the one that is playing", id = "without", size = "small" },
      list { id = "queue", items = queued(), empty = text { "The queue is empty", id = "empty" },
        row = function(q) return episode_row(q, true) end,
        on_item_click = function(_, q) self:start("Episode", { id = q.id }) end,
        on_item_long_click = function(_, q) self:episode_menu(q) end },
      e and card { id = "now", on_click = function() self:start("Player") end,
        text { "Playing: " .. e.title, id = "now_title" }, text { e.heard .. " of " .. e.minutes .. " min", id = "now_time", size = "small" } },
      bottom(self, "Queue"),
    }
  end,
}

activity "Player" {
  seek = function(self, e, by)
    if bug("step_ignored") then by = by < 0 and -5 or 5 end
    e.heard = math.max(0, e.heard + by)
    if e.heard < e.minutes then return end
    toast(e.title .. " is over")
    finished(e)
  end,
  view = function(self)
    local e = storage.current and episode_of(storage.current)
    if not e then
      return column { toolbar { "Player", up = true }, text { "Nothing is playing", id = "nothing" } }
    end
    return column {
      toolbar { "Player", up = true },
      scroll {
        text { e.title, id = "title", size = "large" }, text { show_of(e.show).name, id = "show" },
        text { e.heard .. " of " .. e.minutes .. " min", id = "position" },
        progress { id = "bar", value = e.heard, max = e.minutes },
        row {
          button { "- " .. prefs.step .. " min", id = "rewind", on_click = function() self:seek(e, -prefs.step) end },
          button { "+ " .. prefs.step .. " min", id = "forward", on_click = function() self:seek(e, prefs.step) end },
        },
        button { "Stop", id = "stop", on_click = function() stop() self:finish() end },
      },
    }
  end,
}

activity "Episode" {
  view = function(self)
    local e = episode_of(self.intent.id)
    if not e then return column { toolbar { "Episode", up = true }, text { "This episode is gone", id = "gone" } } end
    local in_queue, playing = index_of(storage.queue, e.id), storage.current == e.id
    return column {
      toolbar { "Episode", up = true },
      scroll {
        text { e.title, id = "title", size = "large" },
        text { show_of(e.show).name, id = "show", on_click = function() self:start("Show", { id = e.show }) end },
        text { day_text(e.day) .. ", " .. time_text(e.minutes), id = "facts" }, text { state_text(e), id = "state" },
        button { playing and "Open the player" or "Play", id = "play", on_click = function()
          play(e)
          self:start("Player")
        end },
        not playing and button { in_queue and "Remove from queue" or "Add to queue", id = "toggle_queue", on_click = function()
          if in_queue then unqueue(e.id) else enqueue(e.id) end
        end },
        button { e.played and "Mark as unheard" or "Mark as heard", id = "mark", on_click = function()
          if e.played then mark_unheard(e) else mark_heard(e) end
        end },
        button { e.saved and "Delete from this phone" or "Download", id = "download", on_click = function()
          e.saved = not e.saved or nil
          toast(e.saved and "Downloaded" or "Deleted")
        end },
      },
    }
  end,
}

activity "Shows" {
  shows = function(self)
    local list = each(storage.shows, function(s)
      local all = filter(storage.episodes, function(e) return e.show == s.id end)
      return { show = s, all = #all, unheard = #filter(all, function(e) return not e.played end) }
    end)
    table.sort(list, function(a, b)
      if (a.unheard > 0) ~= (b.unheard > 0) then return a.unheard > 0 end
      return a.show.name:lower() < b.show.name:lower()
    end)
    return list
  end,
  view = function(self)
    return column {
      toolbar { "Shows", up = true },
      text { "By name; shows without anything unheard at the end", id = "order", size = "small" },
      list { id = "shows", items = self:shows(), empty = text { "No shows yet", id = "empty" },
        row = function(x)
          return column { id = "show_row", text { x.show.name, id = "name" },
            text { x.show.topic .. ", " .. x.unheard .. " of " .. x.all .. " unheard", id = "count", size = "small" } }
        end,
        on_item_click = function(_, x) self:start("Show", { id = x.show.id }) end,
        on_item_long_click = function(_, x)
          self:popup {
            { "Edit", id = "edit_show", on_click = function() self:start("ShowForm", { id = x.show.id }) end },
            { "Unsubscribe", id = "unsubscribe", on_click = function() ask_unsubscribe(self, x.show) end },
          }
        end },
      bottom(self, "Shows"),
      fab { id = "add_show", desc = "Add a show", on_click = function() self:start("ShowForm") end },
    }
  end,
}

activity "Show" {
  create = function(self, intent, saved) self.filter = saved and saved.filter or 1 end,   -- for this visit only
  save = function(self, out) out.filter = self.filter end,
  all = function(self)
    local list = filter(storage.episodes, function(e) return e.show == self.intent.id end)
    table.sort(list, function(a, b) return a.day > b.day end)
    return list
  end,
  shown = function(self)
    return filter(self:all(), function(e)
      if self.filter == 2 then return not e.played end
      return self.filter == 1 or e.saved
    end)
  end,
  episode_menu = function(self, i, e)
    local target = bug("wrong_row_filtered") and self:all()[i] or e
    self:popup {
      { "Add to queue", id = "add_to_queue", enabled = not index_of(storage.queue, e.id) and storage.current ~= e.id, on_click = function() enqueue(target.id) end },
      { e.played and "Mark as unheard" or "Mark as heard", id = "mark", on_click = function()
        if e.played then mark_unheard(target) else mark_heard(target) end
      end },
    }
  end,
  menu = function(self)
    local show = show_of(self.intent.id)
    if not show then return { { "Close", id = "close", on_click = function() self:finish() end } } end
    return {
      { "Mark all as heard", id = "mark_all", on_click = function()
        each(filter(self:all(), function(e) return not e.played end), mark_heard)
      end },
      { "Edit show", id = "edit_show", on_click = function() self:start("ShowForm", { id = show.id }) end },
      { "Unsubscribe", id = "unsubscribe", on_click = function() ask_unsubscribe(self, show, function() self:finish() end) end },
    }
  end,
  view = function(self)
    local show = show_of(self.intent.id)
    if not show then return column { toolbar { "Show", up = true }, text { "You are not subscribed", id = "gone" } } end
    return column {
      toolbar { show.name, up = true, subtitle = show.topic },
      spinner { id = "filter", items = { "All episodes", "Unheard", "On this phone" }, selected = self.filter,
        on_change = function(i) self.filter = i end },
      list { id = "episodes", items = self:shown(), empty = text { "No episodes", id = "empty" },
        row = function(e) return episode_row(e) end,
        on_item_click = function(_, e) self:start("Episode", { id = e.id }) end,
        on_item_long_click = function(i, e) self:episode_menu(i, e) end },
    }
  end,
}

activity "ShowForm" {
  create = function(self, intent, saved)
    local show = show_of(intent.id)
    self.topic = saved and saved.topic or show and index_of(TOPICS, show.topic) or 1
    if not saved and show then self:set_text("name", show.name) end
  end,
  save = function(self, out) out.topic = self.topic end,
  dirty = function(self)
    local show = show_of(self.intent.id)
    return self:text("name") ~= (show and show.name or "") or TOPICS[self.topic] ~= (show and show.topic or TOPICS[1])
  end,
  leave = function(self)
    if not self:dirty() then return self:finish() end
    self:dialog { title = "Discard changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
  end,
  back = function(self) self:leave() return true end,
  store = function(self)
    local name, show = trim(self:text("name")), show_of(self.intent.id)
    if name == "" then return toast("Give the show a name") end
    if find(storage.shows, function(s) return s ~= show and s.name:lower() == name:lower() end) then return toast("You have this show") end
    if not show then
      if #storage.shows >= MAX_SHOWS then return toast("Too many shows") end
      show = { id = new_id() }
      table.insert(storage.shows, show)
      table.insert(storage.episodes, { id = new_id(), show = show.id, title = "Trailer: " .. name, minutes = 3, day = date(now(), "%Y-%m-%d"), heard = 0 })
    end
    show.name, show.topic = name, TOPICS[self.topic]
    for _, h in ipairs(storage.history) do
      local e = episode_of(h.id)
      if e and e.show == show.id then h.show = name end
    end
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { self.intent.id and "Edit show" or "New show", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", max = 30 },
      text { "Topic", size = "small" },
      spinner { id = "topic", items = TOPICS, selected = self.topic, on_change = function(i) self.topic = i end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.query, self.only = not bug("search_rotate") and saved.query or "", saved.only or false
  end,
  save = function(self, out) out.query, out.only = self.query, self.only end,
  results = function(self)
    local query = trim(self.query):lower()
    if query == "" then return {} end
    return filter(storage.episodes, function(e)
      return not (self.only and e.played) and contains((e.title .. " " .. show_of(e.show).name):lower(), query)
    end)
  end,
  view = function(self)
    local results = self:results()
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Episode or show", max = 40, on_change = function(s) self.query = s end },
      check { "Unheard only", id = "only", checked = self.only, on_change = function(b) self.only = b end },
      text { trim(self.query) == "" and "Type to search" or #results .. " found", id = "found", size = "small" },
      list { id = "results", items = results,
        row = function(e) return episode_row(e, true) end,
        on_item_click = function(_, e) self:start("Episode", { id = e.id }) end },
    }
  end,
}

activity "History" {
  menu = function(self)
    return { { "Clear history", id = "clear_history", enabled = #storage.history > 0, on_click = function()
      self:dialog { title = "Clear the history?", message = "What you have heard stays marked.", cancel = "Cancel", ok = "Clear",
        on_ok = function() storage.history = {} end }
    end } }
  end,
  view = function(self)
    return column {
      toolbar { "History", up = true },
      text { "The last " .. MAX_HISTORY .. " you heard to the end, also those you marked as unheard since", id = "note", size = "small" },
      list { id = "history", items = storage.history, empty = text { "Nothing heard yet", id = "empty" },
        row = function(h)
          return column { id = "history_row", text { h.title, id = "title" },
            text { h.show .. (episode_of(h.id) and "" or " (no longer subscribed)"), id = "show", size = "small" } }
        end,
        on_item_click = function(_, h)
          if episode_of(h.id) then self:start("Episode", { id = h.id }) else toast("You are no longer subscribed") end
        end },
      bottom(self, "History"),
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Back and forward by", size = "small" },
        spinner { id = "step", items = each(STEPS, function(s) return s .. " min" end), selected = index_of(STEPS, prefs.step),
          on_change = function(i) prefs.step = STEPS[i] end },
        text { "Speed, for the time that is left", size = "small" },
        spinner { id = "speed", items = each(SPEEDS, function(s) return s .. "x" end), selected = prefs.speed,
          on_change = function(i) prefs.speed = i end },
        switch { "Heard episodes leave the queue", id = "drop_heard", checked = prefs.drop_heard, on_change = function(b) prefs.drop_heard = b end },
        switch { "Go on with the next one", id = "go_on", checked = prefs.go_on, on_change = function(b) prefs.go_on = b end },
        switch { "Ask before unsubscribing", id = "ask", checked = prefs.ask, on_change = function(b) prefs.ask = b end },
      },
    }
  end,
}
