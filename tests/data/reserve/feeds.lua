-- Newsstand: a feed reader. Feeds in folders, articles to read, star and queue, a search, statistics.
--
-- A feed: { id, url, title, folder = id or nil }. An article: { id, guid, feed, title, body, time, read, starred }. The queue holds
-- articles' ids in the order they will be read. Where articles are listed a scope says which: { feed = id }, { folder = id },
-- { starred = true } or {} for all.

-- What the world writes. A feed has published `out` articles at first; every request finds one more, as long as there are any.
local PRESS = {
  { url = "https://orbit.example.org/rss", title = "Orbit Daily", out = 3, items = {
    { "Lunar base plans delayed", "The agency now aims for the end of the decade." },
    { "New telescope sees first light", "Its mirror is six metres wide." },
    { "Comet visible this month", "Look to the west after sunset." },
    { "Rover finds old river bed", "The stones are round and smooth." },
    { "Rocket lands on a barge", "For the tenth time this year." } } },
  { url = "https://kernelnotes.example.org/feed", title = "Kernel Notes", out = 2, items = {
    { "A new scheduler arrives", "Latency is down, throughput is not." },
    { "File systems compared", "Four of them on the same old disk." },
    { "Release candidate five", "Nothing scary this week." },
    { "Rust in drivers", "The first one was merged." } } },
  { url = "https://tinytools.example.org/atom", title = "Tiny Tools", out = 3, items = {
    { "Ten shell tricks", "Number seven saves you hours." },
    { "A calendar for terminals", "It even knows the moon." },
    { "Plain text accounting", "Your money in a text file." },
    { "Diffs that people can read", "Colours help a lot." } } },
  { url = "https://gardenweek.example.org/rss", title = "Garden Week", out = 2, items = {
    { "When to sow tomatoes", "Not before the middle of March." },
    { "Bees and early flowers", "Crocuses are their first meal." },
    { "Pruning roses", "Cut above an outward bud." } } },
  { url = "https://slowfood.example.org/feed", title = "Slow Kitchen", out = 2, items = {
    { "Bread without kneading", "Time does the work." }, { "What to do with quinces", "Jelly, mostly." }, { "Stock from scraps", "Freeze the peels." } } },
  { url = "https://railways.example.org/rss", title = "Rail Report", out = 2, items = {
    { "Night trains are back", "Three new lines in spring." }, { "A tunnel under the strait", "The study is done." }, { "Old carriages, new paint", "A visit to the works." } } },
}
local function press_of(url) return (find(PRESS, function(p) return p.url == url end)) end

app {
  package = "org.norn.feeds",
  title = "Newsstand",
  main = "Feeds",
  bugs = { "mark_all_in_folder", "next_other_order", "back_in_selection", "unsubscribed_in_queue", "refresh_unstars", "undo_all_unread",
    "search_everywhere", "queue_bottom" },
  server = function(request, db)
    local feed = press_of(request.query.url)
    if request.path ~= "/fetch" or not feed then return nil, 404 end
    db[feed.url] = math.min((db[feed.url] or feed.out) + 1, #feed.items)
    local items = {}
    for i = 1, db[feed.url] do items[i] = { guid = feed.url .. "#" .. i, title = feed.items[i][1], body = feed.items[i][2] } end
    return { title = feed.title, items = items }
  end,
  application = function()
    if storage.feeds then return end
    storage.next_id = 100
    storage.folders = { { id = 1, name = "Technology" }, { id = 2, name = "Science" } }
    storage.feeds, storage.articles, storage.queue = {}, {}, {}
    for n, folder in ipairs { 2, 1, 1, 0 } do
      local press = PRESS[n]
      storage.feeds[n] = { id = 10 + n, url = press.url, title = press.title, folder = folder > 0 and folder or nil }
      for i = 1, press.out do
        storage.next_id = storage.next_id + 1
        table.insert(storage.articles, { id = storage.next_id, guid = press.url .. "#" .. i, feed = 10 + n, title = press.items[i][1], body = press.items[i][2],
          time = now() - ((press.out - i) * 7 + n * 2) * 3600000, read = i == 1 and n ~= 2, starred = i == 2 and n == 1 })
      end
    end
    storage.queue = { storage.articles[4].id, storage.articles[8].id, storage.articles[9].id }
    prefs.unread_only, prefs.newest_first, prefs.hide_read, prefs.size = false, true, false, 2
  end,
}

local SIZES = { "Small", "Normal", "Large" }

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function feed_of(id) return by_id(storage.feeds, id) end
local function folder_of(id) return by_id(storage.folders, id) end
local function article_of(id) return by_id(storage.articles, id) end
local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end
local function counted(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function by_title(feeds)
  local result = copy(feeds)
  table.sort(result, function(a, b) return a.title:lower() < b.title:lower() end)
  return result
end

-- Newest first.
local function articles_in(scope)
  local result = filter(storage.articles, function(a)
    if scope.feed then return a.feed == scope.feed end
    if scope.folder then return feed_of(a.feed).folder == scope.folder end
    return not scope.starred or a.starred
  end)
  table.sort(result, function(a, b) return a.time > b.time or a.time == b.time and a.id > b.id end)
  return result
end
local function as_set(articles)
  if prefs.newest_first then return articles end
  local result = {}
  for i = #articles, 1, -1 do table.insert(result, articles[i]) end
  return result
end
local function unread(scope) return #filter(articles_in(scope), function(a) return not a.read end) end
local function scope_name(scope)
  if scope.feed then return feed_of(scope.feed).title end
  if scope.folder then return folder_of(scope.folder).name end
  return scope.starred and "Starred" or "All articles"
end

local function ids_of(articles) return each(articles, function(a) return a.id end) end

-- Takes over what a server sent and tells how many articles are new.
local function merge(feed, items)
  local new = 0
  for _, item in ipairs(items) do
    local old = find(storage.articles, function(a) return a.guid == item.guid end)
    local article = old or { id = new_id(), guid = item.guid, feed = feed.id, time = now(), read = false }
    article.title, article.body = item.title, item.body
    if not old or bug("refresh_unstars") then article.starred = false end
    if not old then
      table.insert(storage.articles, article)
      new = new + 1
    end
  end
  return new
end
local function fetch(url, on_reply) net.get { url = "https://api.newsstand.example/fetch?url=" .. url, latency = 300, on_reply = on_reply } end

local function refresh()
  if not device.online() then return toast("You are offline") end
  local new, waiting, failed = 0, #storage.feeds, false
  for _, f in ipairs(storage.feeds) do
    local id = f.id
    fetch(f.url, function(reply)
      local feed = feed_of(id)
      if feed and reply.ok then new = new + merge(feed, reply.body.items) end
      failed = failed or not reply.ok
      waiting = waiting - 1
      if waiting == 0 then toast(failed and "Some feeds could not be reached" or counted(new, "new article")) end
    end)
  end
end

local function unsubscribe(feed)
  for _, a in ipairs(articles_in { feed = feed.id }) do
    if not bug("unsubscribed_in_queue") then forget(storage.queue, a.id) end
    forget(storage.articles, a)
  end
  forget(storage.feeds, feed)
end

local function toggle_queue(article)
  if index_of(storage.queue, article.id) then
    forget(storage.queue, article.id)
    toast("Removed from the queue")
  else
    table.insert(storage.queue, article.id)
    toast("Added to the queue")
  end
end

-- Marks what is unread in a scope as read; Undo takes that back.
local function mark_all_read(self, scope)
  local articles = bug("mark_all_in_folder") and not scope.feed and storage.articles or articles_in(scope)
  local marked = filter(articles, function(a) return not a.read end)
  if #marked == 0 then return toast("Nothing unread") end
  for _, a in ipairs(marked) do a.read = true end
  self:snackbar(counted(#marked, "article") .. " marked as read", "Undo", function()
    local back = bug("undo_all_unread") and articles or marked
    for _, a in ipairs(back) do a.read = false end
  end)
end

local function article_row(article, mark)
  return column { id = "article_row", selected = mark,
    text { (article.read and "" or "● ") .. article.title .. (article.starred and " ★" or ""), id = "title" },
    text { feed_of(article.feed).title .. " · " .. date(article.time, "%d %b %H:%M"), id = "details", size = "small" } }
end

-- Feeds ------------------------------------------------------------------------------------------------------

activity "Feeds" {
  rows = function(self)
    local rows = { { scope = {}, count = unread {} }, { scope = { starred = true }, count = #articles_in { starred = true } }, { queue = true, count = #storage.queue } }
    local function add(feeds, inside)
      for _, f in ipairs(by_title(feeds)) do
        local n = unread { feed = f.id }
        if n > 0 or not prefs.hide_read then table.insert(rows, { feed = f, scope = { feed = f.id }, count = n, inside = inside }) end
      end
    end
    for _, folder in ipairs(storage.folders) do
      local n = unread { folder = folder.id }
      if n > 0 or not prefs.hide_read then
        table.insert(rows, { folder = folder, scope = { folder = folder.id }, count = n })
        if not folder.collapsed then add(filter(storage.feeds, function(f) return f.folder == folder.id end), true) end
      end
    end
    add(filter(storage.feeds, function(f) return not f.folder end), false)
    return rows
  end,
  row = function(self, r)
    local folder = r.folder
    return row { id = r.feed and "feed_row" or folder and "folder_row" or "section_row",
      r.inside and space { width = 60, height = 84 },
      text { r.queue and "Queue" or scope_name(r.scope), id = "name", weight = 1 },
      text { tostring(r.count), id = "count" },
      folder and button { folder.collapsed and "▸" or "▾", id = "collapse", desc = folder.collapsed and "Expand" or "Collapse",
        on_click = function() folder.collapsed = not folder.collapsed end } }
  end,
  open = function(self, r)
    if r.queue then self:start("Queue") else self:start("Articles", r.scope) end
  end,
  ask_unsubscribe = function(self, feed)
    self:dialog { title = "Unsubscribe from " .. feed.title .. "?", message = "Its articles will be deleted.", cancel = "Cancel", ok = "Unsubscribe",
      on_ok = function() unsubscribe(feed) end }
  end,
  ask = function(self, r)
    if r.queue or r.scope.starred then return end
    local items = { { "Mark all read", id = "mark_all", on_click = function() mark_all_read(self, r.scope) end } }
    if r.feed then
      table.insert(items, { "Edit", id = "edit", on_click = function() self:start("EditFeed", { id = r.feed.id }) end })
      table.insert(items, { "Unsubscribe", id = "unsubscribe", on_click = function() self:ask_unsubscribe(r.feed) end })
    end
    self:popup(items)
  end,
  menu = function(self)
    return {
      { "Folders", id = "folders", on_click = function() self:start("Folders") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Newsstand", actions = { { "Search", id = "search", on_click = function() self:start("Search", {}) end },
        { "Refresh", id = "refresh", on_click = refresh } } },
      list { id = "feeds", items = self:rows(), row = function(r) return self:row(r) end,
        on_item_click = function(_, r) self:open(r) end,
        on_item_long_click = function(_, r) self:ask(r) end },
      fab { id = "add", desc = "Add feed", on_click = function() self:start("AddFeed") end },
    }
  end,
}

-- Shared by the two forms: a button that asks for a folder.
local function folder_button(self)
  local folder = folder_of(self.folder)
  return button { "Folder: " .. (folder and folder.name or "none"), id = "folder", on_click = function()
    local items, at = { "None" }, 1
    for i, f in ipairs(storage.folders) do
      items[i + 1] = f.name
      if f.id == self.folder then at = i + 1 end
    end
    self:dialog { title = "Folder", items = items, checked = at, cancel = "Cancel",
      on_item = function(i) self.folder = i > 1 and storage.folders[i - 1].id or nil end }
  end }
end

activity "AddFeed" {
  create = function(self, intent, saved) self.folder = saved and saved.folder end,
  save = function(self, out) out.folder = self.folder end,

  subscribed = function(self, url) return find(storage.feeds, function(f) return f.url == url end) ~= nil end,
  subscribe = function(self, url)
    if not url:match("^https?://%w[%w%.%-/]+$") then return toast("This is no web address") end
    if self:subscribed(url) then return toast("You have this feed already") end
    if not device.online() then return toast("You are offline") end
    local folder = self.folder
    self:hide_keyboard()
    fetch(url, function(reply)
      if not reply.ok then return toast("No feed was found there") end
      if self:subscribed(url) then return end
      local feed = { id = new_id(), url = url, title = reply.body.title, folder = folder_of(folder) and folder }
      table.insert(storage.feeds, feed)
      merge(feed, reply.body.items)
      toast("Subscribed to " .. feed.title)
      if not self:is_finishing() then self:finish() end
    end)
  end,

  view = function(self)
    return column {
      toolbar { "Add feed", up = true, actions = { { "Subscribe", id = "subscribe", on_click = function() self:subscribe(trim(self:text("url"))) end } } },
      field { id = "url", hint = "Address of a feed", text = "https://", max = 100 },
      folder_button(self),
      text { "Suggestions", size = "small" },
      list { id = "suggestions", items = filter(PRESS, function(p) return not self:subscribed(p.url) end), empty = text { "No more suggestions", id = "empty" },
        row = function(p) return column { id = "suggestion_row", text { p.title, id = "title" }, text { p.url, id = "address", size = "small" } } end,
        on_item_click = function(_, p) self:subscribe(p.url) end },
    }
  end,
}

activity "EditFeed" {
  create = function(self, intent, saved)
    local feed = feed_of(intent.id)
    self.first_title, self.folder = feed and feed.title or "", feed and feed.folder
    if saved then self.folder = saved.folder end
  end,
  save = function(self, out) out.folder = self.folder end,
  resume = function(self) if not feed_of(self.intent.id) then self:finish() end end,
  store = function(self)
    local feed, title = feed_of(self.intent.id), trim(self:text("title"))
    if title == "" then return toast("A feed needs a title") end
    feed.title, feed.folder = title, folder_of(self.folder) and self.folder or nil
    self:finish()
  end,
  view = function(self)
    local feed = feed_of(self.intent.id)
    return column {
      toolbar { "Edit feed", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "title", hint = "Title", text = self.first_title, max = 40 },
      folder_button(self),
      feed and text { feed.url, id = "address", size = "small" },
    }
  end,
}

activity "Folders" {
  ask_name = function(self, folder)
    self:dialog {
      title = folder and "Rename folder" or "New folder", cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "name", hint = "Name", text = folder and folder.name or "", max = 20 } } end,
      on_ok = function()
        local name = trim(self:text("name"))
        if name == "" then toast("A name, please") return true end
        if find(storage.folders, function(f) return f ~= folder and f.name:lower() == name:lower() end) then toast("There is such a folder") return true end
        if folder then folder.name = name else table.insert(storage.folders, { id = new_id(), name = name }) end
      end,
    }
  end,
  delete = function(self, folder)
    forget(storage.folders, folder)
    for _, f in ipairs(storage.feeds) do if f.folder == folder.id then f.folder = nil end end
  end,
  ask = function(self, folder)
    self:popup {
      { "Rename", id = "rename", on_click = function() self:ask_name(folder) end },
      { "Delete", id = "delete", on_click = function() self:delete(folder) end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Folders", up = true },
      list { id = "folders", items = storage.folders, empty = text { "No folders", id = "empty" },
        row = function(folder)
          return column { id = "folder_row", text { folder.name, id = "name" },
            text { counted(#filter(storage.feeds, function(f) return f.folder == folder.id end), "feed"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, folder) self:ask_name(folder) end,
        on_item_long_click = function(_, folder) self:ask(folder) end },
      fab { id = "add", desc = "New folder", on_click = function()
        if #storage.folders < 12 then self:ask_name() else toast("Too many folders") end
      end },
    }
  end,
}

-- Articles ---------------------------------------------------------------------------------------------------

activity "Articles" {
  create = function(self, intent, saved) self.picked = saved and saved.picked or {} end,
  save = function(self, out) out.picked = self.picked end,
  resume = function(self)
    self.picked = filter(self.picked, article_of)
    local scope = self.intent
    if scope.feed and not feed_of(scope.feed) or scope.folder and not folder_of(scope.folder) then self:finish() end
  end,
  back = function(self)
    if #self.picked == 0 or bug("back_in_selection") then return false end
    self.picked = {}
    return true
  end,

  shown = function(self)
    return as_set(filter(articles_in(self.intent), function(a) return not (prefs.unread_only and a.read) end))
  end,
  open = function(self, article)
    local ids = ids_of(bug("next_other_order") and articles_in(self.intent) or self:shown())
    self:start("Article", { id = article.id, ids = ids })
  end,
  toggle = function(self, article)
    if index_of(self.picked, article.id) then forget(self.picked, article.id) else table.insert(self.picked, article.id) end
  end,
  clicked = function(self, article)
    if #self.picked > 0 then self:toggle(article) else self:open(article) end
  end,
  swiped = function(self, article, direction)
    if #self.picked > 0 then return end
    if direction == "left" then article.read = not article.read end
    if direction == "right" then toggle_queue(article) end
  end,
  set = function(self, key, value)
    for _, id in ipairs(self.picked) do article_of(id)[key] = value end
    self.picked = {}
  end,

  menu = function(self)
    if #self.picked > 0 then
      return {
        { "Mark unread", id = "mark_unread", on_click = function() self:set("read", false) end },
        { "Select all", id = "select_all", on_click = function() self.picked = ids_of(self:shown()) end },
      }
    end
    return {
      { "Mark all read", id = "mark_all", on_click = function() mark_all_read(self, self.intent) end },
      { "Unread only", id = "unread_only", checked = prefs.unread_only, on_click = function() prefs.unread_only = not prefs.unread_only end },
      { "Newest first", id = "newest_first", checked = prefs.newest_first, on_click = function() prefs.newest_first = not prefs.newest_first end },
    }
  end,

  view = function(self)
    local selecting, scope = #self.picked > 0, self.intent
    if scope.feed and not feed_of(scope.feed) or scope.folder and not folder_of(scope.folder) then return column { toolbar { "Articles", up = true } } end
    local shown = self:shown()
    return column {
      selecting and toolbar { #self.picked .. " selected", up = function() self.picked = {} end, actions = {
        { "Mark read", id = "mark_read", on_click = function() self:set("read", true) end },
        { "Star", id = "star", on_click = function() self:set("starred", true) end } } }
      or toolbar { "Articles", up = true, actions = { { "Search", id = "search", on_click = function() self:start("Search", scope) end } } },
      text { scope_name(scope) .. " · " .. unread(scope) .. " unread", id = "scope" },
      list { id = "articles", items = shown, empty = text { prefs.unread_only and "Nothing unread" or "No articles", id = "empty" },
        row = function(a) return article_row(a, index_of(self.picked, a.id) ~= nil) end,
        on_item_click = function(_, a) self:clicked(a) end,
        on_item_long_click = function(_, a) self:toggle(a) end,
        on_item_swipe = function(i, direction) self:swiped(shown[i], direction) end },
    }
  end,
}

-- One article of several (ids), in the order in which they were listed.
activity "Article" {
  create = function(self, intent, saved)
    if saved then self.id = saved.id else self:show(intent.id) end
  end,
  save = function(self, out) out.id = self.id end,
  resume = function(self) if not article_of(self.id) then self:finish() end end,

  show = function(self, id)
    self.id = id
    local article = article_of(id)
    if article then article.read = true end
  end,
  step = function(self, by)
    local next_one = self.intent.ids[(index_of(self.intent.ids, self.id) or 0) + by]
    if next_one and article_of(next_one) then self:show(next_one) else toast("No more articles") end
  end,
  menu = function(self)
    local article = article_of(self.id)
    if not article then return {} end
    return {
      { "Mark unread", id = "mark_unread", on_click = function() article.read = false self:finish() end },
      { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
      { "Open in browser", id = "browse", on_click = function() self:start_implicit { action = "VIEW", uri = article.guid } end },
    }
  end,
  view = function(self)
    local article = article_of(self.id)
    if not article then return column { toolbar { "Article", up = true } } end
    local queued = index_of(storage.queue, article.id)
    return column {
      toolbar { "Article", up = true, actions = {
        { article.starred and "Unstar" or "Star", id = "star", on_click = function() article.starred = not article.starred end },
        { queued and "Remove from queue" or "Add to queue", id = "queue", on_click = function() toggle_queue(article) end } } },
      scroll { id = "page",
        text { article.title .. (article.starred and " ★" or ""), id = "title", size = "large" },
        text { feed_of(article.feed).title .. " · " .. date(article.time, "%d %b %H:%M"), id = "details", size = "small" },
        text { article.body, id = "body", size = prefs.size ~= 2 and SIZES[prefs.size]:lower() or nil } },
      row { button { "Previous", id = "previous", weight = 1, on_click = function() self:step(-1) end },
        button { "Next", id = "next", weight = 1, on_click = function() self:step(1) end } },
    }
  end,
}

activity "Queue" {
  articles = function(self) return filter(each(storage.queue, function(id) return article_of(id) or false end), function(a) return a end) end,
  move = function(self, article, place)
    forget(storage.queue, article.id)
    table.insert(storage.queue, place, article.id)
  end,
  ask = function(self, article)
    self:popup {
      { "Move to top", id = "to_top", on_click = function() self:move(article, 1) end },
      { "Move to bottom", id = "to_bottom", on_click = function() self:move(article, bug("queue_bottom") and math.max(1, #storage.queue - 1) or #storage.queue) end },
      { "Remove", id = "remove", on_click = function() toggle_queue(article) end },
    }
  end,
  view = function(self)
    local articles = self:articles()
    return column {
      toolbar { "Queue", up = true, actions = { { "Clear", id = "clear", on_click = function()
        self:dialog { title = "Clear the queue?", cancel = "Cancel", ok = "Clear", on_ok = function() storage.queue = {} end }
      end } } },
      list { id = "queue", items = articles, row = function(a) return article_row(a) end, empty = text { "The queue is empty", id = "empty" },
        on_item_click = function(_, a) self:start("Article", { id = a.id, ids = ids_of(articles) }) end,
        on_item_long_click = function(_, a) self:ask(a) end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  view = function(self)
    local query = trim(self.query):lower()
    local scope = self.intent
    local results = query == "" and {} or as_set(filter(articles_in(bug("search_everywhere") and {} or scope), function(a)
      return contains((a.title .. "\n" .. a.body):lower(), query)
    end))
    return column {
      toolbar { "Search", up = true },
      text { "In " .. scope_name(scope):gsub("^All", "all"), id = "scope", size = "small" },
      field { id = "query", hint = "Words", max = 30, on_change = function(s) self.query = s end },
      list { id = "results", items = results, row = function(a) return article_row(a) end,
        empty = text { query == "" and "Type to search" or "Nothing found", id = "empty" },
        on_item_click = function(_, a) self:start("Article", { id = a.id, ids = ids_of(results) }) end },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    return column {
      toolbar { "Statistics", up = true },
      text { counted(#storage.articles, "article") .. " in " .. counted(#storage.feeds, "feed"), id = "articles" },
      text { unread {} .. " unread, " .. #articles_in { starred = true } .. " starred, " .. #storage.queue .. " in the queue", id = "counts" },
      list { id = "feeds", items = by_title(storage.feeds), empty = text { "No feeds", id = "empty" },
        row = function(f)
          local articles = articles_in { feed = f.id }
          return column { id = "feed_row", text { f.title, id = "title" },
            text { counted(#articles, "article") .. ", " .. unread { feed = f.id } .. " unread", id = "count", size = "small" } }
        end,
        on_item_click = function(_, f) self:start("Articles", { feed = f.id }) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll { id = "page",
        switch { "Unread articles only", id = "unread_only", checked = prefs.unread_only, on_change = function(b) prefs.unread_only = b end },
        switch { "Newest articles first", id = "newest_first", checked = prefs.newest_first, on_change = function(b) prefs.newest_first = b end },
        switch { "Hide feeds without unread articles", id = "hide_read", checked = prefs.hide_read, on_change = function(b) prefs.hide_read = b end },
        text "Text size",
        radios { id = "text_size", items = SIZES, selected = prefs.size, on_change = function(i) prefs.size = i end },
        button { "About", id = "about", on_click = function() self:dialog { title = "Newsstand 3.1", message = "All the news, no trackers", ok = "OK" } end },
      },
    }
  end,
}
