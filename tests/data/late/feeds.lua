-- Newsprint: feeds in folders, articles that are read and starred, blocked words, search.
-- The server sends what it has for the addresses it is asked for; an article is known by its guid.

local HOUR = 60 * 60 * 1000
local SIZES = { "Small", "Normal", "Large" }

local CATALOGUE = {
  { url = "science.example.org", guid = "s1", title = "Water found on a moon", text = "A probe has seen ice under the crust.", age = 5 },
  { url = "science.example.org", guid = "s2", title = "Bees can count", text = "Up to four, a study says.", age = 30 },
  { url = "town.example.org", guid = "t1", title = "Bridge closed in May", text = "Drivers will have to go round by the mill.", age = 9 },
  { url = "town.example.org", guid = "t2", title = "Market moves to the square", text = "From next week on, every Saturday.", age = 26 },
  { url = "town.example.org", guid = "t3", title = "New trams arrive", text = "The first of twelve was seen at the depot.", age = 50 },
  { url = "chess.example.org", guid = "c1", title = "A draw in round six", text = "The leader held a worse ending.", age = 14 },
}

local session = {}

app {
  package = "org.late.feeds",
  title = "Newsprint",
  main = "Main",
  bugs = { "mark_everything", "badge_next", "refresh_star", "next_order", "rename_folder", "size_kill", "undo_all_unread", "search_rotate" },
  server = function(request, db)
    if request.path ~= "/sync" then return nil, 404 end
    db.round = math.min(4, (db.round or 0) + 1)
    local found = {}
    for _, url in ipairs(request.body.urls) do
      for _, a in ipairs(CATALOGUE) do
        if a.url == url then table.insert(found, a) end
      end
      for i = 1, db.round do
        table.insert(found, { url = url, guid = url .. "#" .. i, title = "Late news " .. i .. " from " .. (url:match("^[^./]+") or url), text = "More in the paper.", age = 0 })
      end
    end
    return found
  end,
  application = function()
    if storage.feeds then return end
    storage.folders = { { id = 1, name = "Local" } }
    storage.feeds = {
      { id = 11, name = "Science today", url = "science.example.org" },
      { id = 12, name = "Town paper", url = "town.example.org", folder = 1 },
      { id = 13, name = "Chess club", url = "chess.example.org" },
    }
    storage.articles = {}
    for _, a in ipairs(CATALOGUE) do
      table.insert(storage.articles, { guid = a.guid, url = a.url, title = a.title, text = a.text, time = now() - a.age * HOUR,
        read = a.guid == "t3", starred = a.guid == "c1" })
    end
    storage.words = {}
    storage.next_id = 30
    prefs.oldest, prefs.size, prefs.previews, prefs.confirm = false, 2, true, false
  end,
}

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function feed_of(id) return (find(storage.feeds, function(f) return f.id == id end)) end
local function feed_at(url) return (find(storage.feeds, function(f) return f.url == url end)) end
local function folder_of(id) return (find(storage.folders, function(f) return f.id == id end)) end
local function article_of(guid) return (find(storage.articles, function(a) return a.guid == guid end)) end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function text_size() return session.size or prefs.size end

local function set_text_size(i)
  if bug("size_kill") then session.size = i return end       -- a setting changed in the reader is not written (AntennaPod, FeedFlow: font size)
  prefs.size = i
end

local function blocked(a)
  return find(storage.words, function(w) return contains(a.title:lower(), w:lower()) end) ~= nil
end

local function newer(a, b)
  if a.time ~= b.time then return a.time > b.time end
  return a.guid < b.guid
end

-- The articles of a feed, of a folder, or all, in the order of the settings; without those of blocked words.
local function articles_in(feed, folder)
  local rows = filter(storage.articles, function(a)
    local f = feed_at(a.url)
    return f and (not feed or f.id == feed) and (not folder or f.folder == folder) and not blocked(a)
  end)
  table.sort(rows, function(a, b)
    if prefs.oldest then return newer(b, a) end
    return newer(a, b)
  end)
  return rows
end

local function unread_in(feed, folder)
  return #filter(articles_in(feed, folder), function(a) return not a.read or a.uncounted end)
end

local function set_read(a, read)
  a.read, a.uncounted = read, nil
end

-- Takes what the server sent; known articles keep what the reader did with them.
local function receive(found)
  local fresh = 0
  for _, a in ipairs(found) do
    local old = article_of(a.guid)
    if old then
      old.title, old.text = a.title, a.text
      if bug("refresh_star") then old.starred = false end          -- what comes again is written over the old row (FeedFlow: bookmarks after sync)
    else
      fresh = fresh + 1
      table.insert(storage.articles, { guid = a.guid, url = a.url, title = a.title, text = a.text, time = now() - a.age * HOUR, read = false, starred = false })
    end
  end
  return fresh
end

local function sync(urls, done)
  net.post { url = "https://reader.example.org/sync", body = { urls = urls }, latency = 400, on_reply = function(reply)
    if not reply.ok then return toast("The server cannot be reached") end
    done(receive(filter(reply.body, function(a) return feed_at(a.url) end)))
  end }
end

local function article_row(a)
  return column { id = "article_row",
    text { (a.read and "" or "● ") .. (a.starred and "★ " or "") .. a.title, id = "title" },
    text { feed_at(a.url).name .. ", " .. date(a.time, "%d %b %H:%M"), id = "source", size = "small" },
    prefs.previews and text { a.text, id = "preview", size = "small" } }
end

local function open_article(self, rows, a)
  self:start("Article", { guid = a.guid, guids = each(rows, function(r) return r.guid end) })
end

-- ---- the list ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.feed, self.folder = saved.tab or 1, saved.feed, saved.folder
  end,
  save = function(self, out) out.tab, out.feed, out.folder = self.tab, self.feed, self.folder end,
  resume = function(self)
    if self.feed and not feed_of(self.feed) then self.feed = nil end
    if self.folder and not folder_of(self.folder) then self.folder = nil end
  end,
  back = function(self)
    if not self.feed and not self.folder then return false end
    self.feed, self.folder = nil, nil
    return true
  end,
  shown = function(self)
    return filter(articles_in(self.feed, self.folder), function(a)
      return self.tab == 1 or self.tab == 2 and not a.read or self.tab == 3 and a.starred
    end)
  end,
  refresh = function(self)
    if not device.online() then return toast("You are offline") end
    sync(each(storage.feeds, function(f) return f.url end), function(fresh) toast(plural(fresh, "new article")) end)
    toast("Refreshing")
  end,
  mark_all = function(self)
    local rows = articles_in(self.feed, self.folder)
    if bug("mark_everything") then rows = articles_in() end       -- marks every feed, not the one on the screen (FeedFlow, K-9: mark all as read)
    local changed = filter(rows, function(a) return not a.read end)
    if #changed == 0 then return toast("Nothing is unread") end
    each(changed, function(a) set_read(a, true) end)
    local guids = each(bug("undo_all_unread") and rows or changed, function(a) return a.guid end)   -- undo also "unreads" what was read before (FeedFlow)
    self:snackbar(#changed .. " marked as read", "Undo", function()
      for _, guid in ipairs(guids) do
        local a = article_of(guid)
        if a then set_read(a, false) end
      end
    end)
  end,
  ask_mark_all = function(self)
    if not prefs.confirm then return self:mark_all() end
    self:dialog { title = "Mark all as read?", cancel = "Cancel", ok = "Mark", on_ok = function() self:mark_all() end }
  end,
  heading = function(self)
    return self.feed and feed_of(self.feed).name or self.folder and folder_of(self.folder).name or "All feeds"
  end,
  drawer_items = function(self)
    local items = { { "All feeds (" .. unread_in() .. ")", id = "scope", on_click = function() self.feed, self.folder = nil, nil end } }
    for _, f in ipairs(storage.folders) do
      table.insert(items, { "Folder " .. f.name .. " (" .. unread_in(nil, f.id) .. ")", id = "scope", on_click = function() self.feed, self.folder = nil, f.id end })
    end
    for _, f in ipairs(storage.feeds) do
      table.insert(items, { f.name .. " (" .. unread_in(f.id) .. ")", id = "scope", on_click = function() self.feed, self.folder = f.id, nil end })
    end
    return items
  end,
  menu = function(self)
    return {
      { "Mark all as read", id = "mark_all", on_click = function() self:ask_mark_all() end },
      { "Feeds", id = "feeds", on_click = function() self:start("Feeds") end },
      { "Folders", id = "folders", on_click = function() self:start("Folders") end },
      { "Blocked words", id = "words", on_click = function() self:start("Words") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local rows = self:shown()
    return column {
      drawer { id = "scopes", header = "Newsprint", items = self:drawer_items() },
      toolbar { self:heading(), subtitle = unread_in(self.feed, self.folder) .. " unread", actions = {
        { "Search", id = "search", on_click = function() self:start("Search") end },
        { "Refresh", id = "refresh", on_click = function() self:refresh() end } } },
      tabs { id = "tabs", titles = { "All", "Unread", "Starred" }, selected = self.tab, on_change = function(i) self.tab = i end },
      list { id = "articles", items = rows, row = article_row, empty = text { "No articles", id = "empty" },
        on_item_click = function(_, a) open_article(self, rows, a) end,
        on_item_long_click = function(_, a)
          self:popup {
            { a.read and "Mark as unread" or "Mark as read", id = "toggle_read", on_click = function() set_read(a, not a.read) end },
            { a.starred and "Remove star" or "Star", id = "toggle_star", on_click = function() a.starred = not a.starred end },
          }
        end },
    }
  end,
}

-- ---- one article ----

activity "Article" {
  create = function(self, intent, saved)
    self.guid = saved and saved.guid or intent.guid
    local a = article_of(self.guid)
    if a and not saved then set_read(a, true) end
  end,
  save = function(self, out) out.guid = self.guid end,
  order = function(self)
    local guids = filter(self.intent.guids or {}, article_of)
    if bug("next_order") then           -- next and previous have an order of their own (FeedFlow, AntennaPod: sort order in the pager)
      table.sort(guids, function(a, b) return newer(article_of(a), article_of(b)) end)
    end
    return guids
  end,
  step = function(self, by)
    local guids = self:order()
    local guid = guids[(index_of(guids, self.guid) or 0) + by]
    if not guid then return toast("No more articles") end
    self.guid = guid
    local a = article_of(guid)
    if bug("badge_next") and not a.read then a.uncounted = true end     -- the badge is not told of what is read by "next" (AntennaPod: counters)
    a.read = true
  end,
  menu = function(self)
    local a = article_of(self.guid)
    if not a then return {} end
    return {
      { "Mark as unread", id = "mark_unread", on_click = function()
        set_read(a, false)
        self:finish()
      end },
      { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
    }
  end,
  view = function(self)
    local a = article_of(self.guid)
    local f = a and feed_at(a.url)
    if not f then return column { toolbar { "Article", up = true }, text { "This article is gone", id = "gone" } } end
    local size = ({ "small", nil, "large" })[text_size()]
    return column {
      toolbar { f.name, up = true, actions = {
        { a.starred and "Remove star" or "Star", id = "star", on_click = function() a.starred = not a.starred end } } },
      scroll {
        text { (a.starred and "★ " or "") .. a.title, id = "headline", size = "large" },
        text { date(a.time, "%d %b %Y %H:%M"), id = "time", size = "small" },
        text { a.text, id = "body", size = size },
        row { button { "Previous", id = "previous", on_click = function() self:step(-1) end },
          button { "Next", id = "next", on_click = function() self:step(1) end } },
        button { "Text: " .. SIZES[text_size()], id = "text_size", on_click = function() set_text_size(text_size() % 3 + 1) end },
      },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out)
    if not bug("search_rotate") then out.query = self.query end       -- the field keeps its text, the list forgets it (NewPipe: search after rotation)
  end,
  view = function(self)
    local query = trim(self.query):lower()
    local rows = filter(articles_in(), function(a) return contains((a.title .. " " .. a.text):lower(), query) end)
    return column {
      toolbar { "Search", subtitle = plural(#rows, "article"), up = true },
      field { id = "query", hint = "Search articles", max = 30, on_change = function(s) self.query = s end },
      list { id = "found", items = rows, row = article_row, empty = text { "Nothing found", id = "empty" },
        on_item_click = function(_, a) open_article(self, rows, a) end },
    }
  end,
}

-- ---- feeds, folders, words ----

local function ask_text(self, title, first, fn)
  self:dialog { title = title, view = function() return column { field { id = "name_field", hint = "Name", text = first, max = 24 } } end,
    cancel = "Cancel", ok = "OK", on_ok = function()
      local s = trim(self:text("name_field"))
      if s == "" then return true end
      return fn(s)
    end }
end

activity "Feeds" {
  rename = function(self, f, name)
    if bug("rename_folder") then f.folder = nil end              -- renaming takes the feed out of its folder (FeedFlow: category lost on edit)
    f.name = name
  end,
  ask_folder = function(self, f)
    local names = each(storage.folders, function(folder) return folder.name end)
    table.insert(names, 1, "No folder")
    self:dialog { title = "Folder of " .. f.name, items = names, on_item = function(i) f.folder = i > 1 and storage.folders[i - 1].id or nil end }
  end,
  ask_remove = function(self, f)
    self:dialog { title = "Delete " .. f.name .. "?", message = "With its articles", cancel = "Cancel", ok = "Delete", on_ok = function()
      table.remove(storage.feeds, index_of(storage.feeds, f))
      storage.articles = filter(storage.articles, function(a) return a.url ~= f.url end)
    end }
  end,
  view = function(self)
    return column {
      toolbar { "Feeds", up = true, actions = { { "Add", id = "add_feed", on_click = function() self:start("AddFeed") end } } },
      list { id = "feeds", items = storage.feeds, empty = text { "No feeds", id = "empty" },
        row = function(f)
          local folder = f.folder and folder_of(f.folder)
          return row { id = "feed_row", column { weight = 1, text { f.name, id = "name" },
            text { (folder and folder.name or "No folder") .. ", " .. f.url, id = "info", size = "small" } },
            text { tostring(unread_in(f.id)), id = "badge" } }
        end,
        on_item_click = function(_, f)
          self:popup {
            { "Rename", id = "rename", on_click = function() ask_text(self, "Rename", f.name, function(s) self:rename(f, s) end) end },
            { "Folder", id = "folder", on_click = function() self:ask_folder(f) end },
            { "Delete", id = "delete", on_click = function() self:ask_remove(f) end },
          }
        end },
    }
  end,
}

activity "AddFeed" {
  create = function(self, intent, saved) self.folder = saved and saved.folder or 0 end,
  save = function(self, out) out.folder = self.folder end,
  store = function(self)
    local url, name = trim(self:text("url")):lower(), trim(self:text("feed_name"))
    if not url:match("^[%w%-]+%.[%w%-%.]+$") then return toast("This is no address") end
    if feed_at(url) then return toast("You have this feed already") end
    table.insert(storage.feeds, { id = new_id(), name = name ~= "" and name or url, url = url, folder = self.folder > 0 and self.folder or nil })
    if device.online() then sync({ url }, function() end) end
    self:finish()
  end,
  view = function(self)
    local names = each(storage.folders, function(f) return f.name end)
    table.insert(names, 1, "No folder")
    local _, chosen = find(storage.folders, function(f) return f.id == self.folder end)
    return column {
      toolbar { "New feed", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "url", hint = "news.example.org", max = 30 },
      field { id = "feed_name", hint = "Name", max = 24 },
      spinner { id = "folder", items = names, selected = (chosen or 0) + 1,
        on_change = function(i) self.folder = i > 1 and storage.folders[i - 1].id or 0 end },
    }
  end,
}

activity "Folders" {
  ask_name = function(self, folder)
    ask_text(self, folder and "Rename" or "New folder", folder and folder.name or "", function(s)
      local same = find(storage.folders, function(f) return f.name:lower() == s:lower() end)
      if same and same ~= folder then return true end
      if folder then folder.name = s else table.insert(storage.folders, { id = new_id(), name = s }) end
    end)
  end,
  remove = function(self, folder)
    for _, f in ipairs(storage.feeds) do
      if f.folder == folder.id then f.folder = nil end
    end
    table.remove(storage.folders, index_of(storage.folders, folder))
  end,
  view = function(self)
    return column {
      toolbar { "Folders", up = true, actions = { { "Add", id = "add_folder", on_click = function() self:ask_name() end } } },
      list { id = "folders", items = storage.folders, empty = text { "No folders", id = "empty" },
        row = function(folder)
          local n = #filter(storage.feeds, function(f) return f.folder == folder.id end)
          return row { id = "folder_row", text { folder.name, id = "name", weight = 1 }, text { plural(n, "feed"), id = "count" } }
        end,
        on_item_click = function(_, folder) self:ask_name(folder) end,
        on_item_long_click = function(_, folder)
          self:dialog { title = "Delete folder " .. folder.name .. "?", message = "Its feeds stay", cancel = "Cancel", ok = "Delete",
            on_ok = function() self:remove(folder) end }
        end },
    }
  end,
}

activity "Words" {
  view = function(self)
    return column {
      toolbar { "Blocked words", up = true, actions = { { "Add", id = "add_word", on_click = function()
        ask_text(self, "Block articles about", "", function(s)
          if find(storage.words, function(w) return w:lower() == s:lower() end) then return true end
          table.insert(storage.words, s)
        end)
      end } } },
      list { id = "words", items = storage.words, empty = text { "No words", id = "empty" },
        row = function(w) return text { w, id = "word_row" } end,
        on_item_swipe = function(i)
          local w = table.remove(storage.words, i)
          self:snackbar(w .. " is no longer blocked", "Undo", function() table.insert(storage.words, math.min(i, #storage.words + 1), w) end)
        end },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local all = articles_in()
    return column {
      toolbar { "Statistics", up = true },
      text { plural(#storage.feeds, "feed"), id = "feeds" },
      text { plural(#all, "article"), id = "articles" },
      text { #filter(all, function(a) return a.read end) .. " read", id = "read" },
      text { #filter(all, function(a) return a.starred end) .. " starred", id = "starred" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text "Order",
        radios { id = "order", items = { "Newest first", "Oldest first" }, selected = prefs.oldest and 2 or 1, on_change = function(i) prefs.oldest = i == 2 end },
        text "Text size",
        spinner { id = "size", items = SIZES, selected = text_size(), on_change = function(i) set_text_size(i) end },
        switch { "Show previews", id = "previews", checked = prefs.previews, on_change = function(b) prefs.previews = b end },
        switch { "Ask before marking all", id = "confirm", checked = prefs.confirm, on_change = function(b) prefs.confirm = b end },
      },
    }
  end,
}
