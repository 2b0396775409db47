-- Vault: passwords in folders, with favourites, a generator, a health report, an import and a trash.
--
-- An entry: { id, title, user, pass, url, folder = id or nil, fav, changed = day, history = { { pass, day }, ... }, trashed }.

app {
  package = "org.norn.vault",
  title = "Vault",
  main = "Main",
  bugs = { "import_again", "health_counts_trash", "search_shows_user", "restore_folder", "history_new", "view_after_kill",
    "sort_moves_selection", "edit_folder_only" },
  application = function()
    if storage.entries then return end
    local today = now() // 86400000
    storage.next_id = 100
    storage.folders = { { id = 1, name = "Banking" }, { id = 2, name = "Shopping" }, { id = 3, name = "Work" } }
    local function entry(id, title, user, pass, url, folder, ago, fav)
      return { id = id, title = title, user = user, pass = pass, url = url, folder = folder, changed = today - ago, fav = fav, history = {} }
    end
    storage.entries = {
      entry(11, "City Bank", "ann.miller", "gR7!kz92Lw#p", "https://bank.example.com", 1, 40, true),
      entry(12, "Book store", "ann@example.org", "sunshine", "https://books.example.com", 2, 700),
      entry(13, "Shoe shop", "ann@example.org", "sunshine", "https://shoes.example.com", 2, 200),
      entry(14, "Company mail", "amiller", "Tq4-Wd8-Zn1-Xx", "https://mail.corp.example", 3, 15, true),
      entry(15, "Forum", "annie77", "blue-Table-41", "https://forum.example.net", nil, 420),
      entry(16, "Library", "100234", "4711", "https://library.example.edu", nil, 95),
      entry(17, "Wiki", "am", "Ur5%yyPq0oM", "https://wiki.corp.example", 3, 3),
    }
    prefs.order = 1
    prefs.users = true
    prefs.ask = true
    prefs.length = 14
    prefs.digits = true
    prefs.symbols = false
    prefs.max_age = 365
  end,
}

local ORDERS = { "Title", "User name", "Last changed" }
local AGES = { 90, 180, 365 }
local MAX_ENTRIES, MAX_FOLDERS = 120, 15
local EXPORT = {                                    -- what the export of the browser holds
  { title = "Cinema", user = "ann@example.org", pass = "popcorn12", url = "https://cinema.example.com" },
  { title = "Railway", user = "ann.miller", pass = "Zk8.ttQ1mB.w", url = "https://rail.example.com" },
  { title = "Forum", user = "annie77", pass = "blue-Table-41", url = "https://forum.example.net" },
}

local function today() return now() // 86400000 end
local function day_text(day) return date(day * 86400000, "%Y-%m-%d") end
local function plural(n, one, many) return n .. " " .. (n == 1 and one or many or one .. "s") end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function entry_of(id) return by_id(storage.entries, id) end
local function folder_of(id) return by_id(storage.folders, id) end
local function folder_name(entry) return entry.folder and folder_of(entry.folder).name or "No folder" end

local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end

local function live() return filter(storage.entries, function(e) return not e.trashed end) end

local function sorted(entries)
  local list = copy(entries)
  table.sort(list, function(a, b)
    if prefs.order == 3 and a.changed ~= b.changed then return a.changed > b.changed end
    if prefs.order == 2 and a.user:lower() ~= b.user:lower() then return a.user:lower() < b.user:lower() end
    if a.title:lower() ~= b.title:lower() then return a.title:lower() < b.title:lower() end
    return a.id < b.id
  end)
  return list
end

local function folder_items(first)
  local items = { first }
  for _, f in ipairs(storage.folders) do table.insert(items, f.name) end
  return items
end

-- ---- passwords ----

local function strength(pass)
  local classes = 0
  for _, set in ipairs { "%l", "%u", "%d", "[^%w]" } do if pass:find(set) then classes = classes + 1 end end
  if #pass < 8 or classes == 1 then return "Weak" end
  return #pass >= 12 and classes >= 3 and "Strong" or "Fair"
end

local function generate()
  local sets = { "abcdefghijkmnopqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ" }
  if prefs.digits then table.insert(sets, "23456789") end
  if prefs.symbols then table.insert(sets, "!#%+-=?@") end
  local out = {}
  for i = 1, prefs.length do
    local set = sets[i <= #sets and i or random(#sets)]
    local at = random(#set)
    table.insert(out, set:sub(at, at))
  end
  return table.concat(out)
end

local function set_password(entry, pass)
  if entry.pass == pass then return end
  table.insert(entry.history, 1, { pass = bug("history_new") and pass or entry.pass, day = today() })
  entry.pass, entry.changed = pass, today()
end

local function reused()
  local among = bug("health_counts_trash") and storage.entries or live()
  local count = {}
  for _, e in ipairs(among) do count[e.pass] = (count[e.pass] or 0) + 1 end
  return filter(live(), function(e) return count[e.pass] > 1 end)
end
local function weak() return filter(live(), function(e) return strength(e.pass) == "Weak" end) end
local function old() return filter(live(), function(e) return today() - e.changed > prefs.max_age end) end

-- ---- moving to the trash ----

local function trash(self, entries)
  local ids = each(entries, function(e) return e.id end)
  for _, e in ipairs(entries) do e.trashed = today() end
  self:snackbar(plural(#ids, "entry", "entries") .. " moved to the trash", "Undo", function()
    for _, e in ipairs(storage.entries) do if index_of(ids, e.id) then e.trashed = nil end end
  end)
end

local function ask_trash(self, entries, go)
  if not prefs.ask then return go() end
  self:dialog { title = "Move " .. (#entries == 1 and entries[1].title or plural(#entries, "entry", "entries")) .. " to the trash?",
    cancel = "Cancel", ok = "Move", on_ok = go }
end

local function entry_row(entry, mark, with_folder, users)
  return column { id = "entry_row", selected = mark,
    text { (mark and "✓ " or "") .. (entry.fav and "★ " or "") .. entry.title, id = "title" },
    users and text { entry.user, id = "user", size = "small" },
    with_folder and text { folder_name(entry), id = "folder", size = "small" } }
end

local held                                          -- what the list showed last

activity "Main" {
  create = function(self, intent, saved)
    self.mode = "all"
    if saved then
      self.mode, self.chosen = saved.mode, saved.chosen
      if bug("view_after_kill") then self.mode = held or "all" end
    end
  end,
  save = function(self, out)
    out.mode, out.chosen = self.mode, self.chosen
    held = self.mode
  end,
  resume = function(self)
    if type(self.mode) == "number" and not folder_of(self.mode) then self.mode = "all" end
    if self.chosen then self:tidy() end
  end,
  result = function(self, request, data)
    if not data then return end
    if data.folder then self:show(data.folder) end
    local entry = data.trash and entry_of(data.trash)
    if entry then trash(self, { entry }) end
  end,
  back = function(self)
    if self.chosen then self.chosen = nil return true end
    if self.mode ~= "all" then self.mode = "all" return true end
    return false
  end,

  show = function(self, mode) self.mode, self.chosen = mode, nil end,
  shown = function(self)
    return sorted(filter(live(), function(e)
      return self.mode == "all" or self.mode == "fav" and e.fav or e.folder == self.mode
    end))
  end,

  -- Selection
  tidy = function(self)
    self.chosen = filter(self.chosen, function(id) return find(self:shown(), function(e) return e.id == id end) end)
    if #self.chosen == 0 then self.chosen = nil end
  end,
  choose = function(self, entry)
    self.chosen = self.chosen or {}
    local i = index_of(self.chosen, entry.id)
    if i then table.remove(self.chosen, i) else table.insert(self.chosen, entry.id) end
    self:tidy()
  end,
  chosen_entries = function(self) return each(self.chosen, entry_of) end,

  set_order = function(self, order)
    local places = {}
    for i, e in ipairs(self:shown()) do if self.chosen and index_of(self.chosen, e.id) then table.insert(places, i) end end
    prefs.order = order
    if self.chosen and bug("sort_moves_selection") then
      local now_there = self:shown()
      self.chosen = each(places, function(i) return now_there[i].id end)
    end
  end,

  ask_move = function(self)
    self:dialog { title = "Move to", items = folder_items("No folder"), on_item = function(i)
      for _, e in ipairs(self:chosen_entries()) do e.folder = i > 1 and storage.folders[i - 1].id or nil end
      self.chosen = nil
    end }
  end,

  menu = function(self)
    if self.chosen then
      return {
        { "Select all", id = "select_all", on_click = function() self.chosen = each(self:shown(), function(e) return e.id end) end },
        { "Move to folder", id = "move_selected", on_click = function() self:ask_move() end },
        { "Add to favourites", id = "fav_selected", on_click = function()
          for _, e in ipairs(self:chosen_entries()) do e.fav = true end
          self.chosen = nil
        end },
      }
    end
    return {
      { "Folders", id = "folders", on_click = function() self:start_for_result("Folders", "folder") end },
      { "Import", id = "import", on_click = function() self:start("Import") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  title_text = function(self)
    if self.mode == "all" then return "All entries" end
    return self.mode == "fav" and "Favourites" or folder_of(self.mode).name
  end,

  drawer_items = function(self)
    local items = {
      { "All entries", id = "show_all", on_click = function() self:show("all") end },
      { "Favourites", id = "show_fav", on_click = function() self:show("fav") end },
    }
    for _, f in ipairs(storage.folders) do
      table.insert(items, { f.name, id = "show_folder", on_click = function() self:show(f.id) end })
    end
    table.insert(items, { "Health", id = "health", on_click = function() self:start("Health") end })
    table.insert(items, { "Generator", id = "generator", on_click = function() self:start("Generator") end })
    table.insert(items, { "Trash", id = "trash", on_click = function() self:start("Trash") end })
    return items
  end,

  view = function(self)
    local shown = self:shown()
    local bar = toolbar { self:title_text(), subtitle = tostring(#shown),
      actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } }
    if self.chosen then
      bar = toolbar { #self.chosen .. " selected", up = function() self.chosen = nil end, actions = {
        { "Delete", id = "delete_selected", on_click = function()
          local entries = self:chosen_entries()
          ask_trash(self, entries, function() trash(self, entries) self.chosen = nil end)
        end } } }
    end
    return column {
      drawer { id = "drawer", header = "Vault", items = self:drawer_items() },
      bar,
      spinner { id = "order", items = ORDERS, selected = prefs.order, on_change = function(i) self:set_order(i) end },
      list { id = "entries", items = shown, empty = text { "Nothing here", id = "empty" },
        row = function(e)
          return entry_row(e, self.chosen and index_of(self.chosen, e.id) ~= nil, type(self.mode) ~= "number", prefs.users)
        end,
        on_item_click = function(_, e)
          if self.chosen then self:choose(e) else self:start_for_result("Entry", "entry", { id = e.id }) end
        end,
        on_item_long_click = function(_, e) self:choose(e) end },
      not self.chosen and fab { id = "add", desc = "New entry", on_click = function()
        self:start("EntryEdit", { folder = type(self.mode) == "number" and self.mode or nil })
      end },
    }
  end,
}

activity "Entry" {
  create = function(self, intent, saved) self.reveal = saved and saved.reveal or false end,
  save = function(self, out) out.reveal = self.reveal end,

  copy_text = function(self, what, s)
    clipboard.set(s)
    toast(what .. " copied")
  end,

  menu = function(self)
    local entry = entry_of(self.intent.id)
    if not entry then return {} end
    return {
      { "Favourite", id = "favourite", checked = entry.fav == true, on_click = function() entry.fav = not entry.fav end },
      { "Earlier passwords", id = "history", on_click = function() self:start("History", { id = entry.id }) end },
      { "Copy user name", id = "copy_user", on_click = function() self:copy_text("User name", entry.user) end },
      { "Delete", id = "delete", on_click = function()
        ask_trash(self, { entry }, function() self:finish { trash = entry.id } end)
      end },
    }
  end,

  view = function(self)
    local entry = entry_of(self.intent.id)
    if not entry or entry.trashed then return column { toolbar { "Entry", up = true }, text { "This entry is gone", id = "gone" } } end
    return column {
      toolbar { (entry.fav and "★ " or "") .. entry.title, up = true,
        actions = { { "Edit", id = "edit", on_click = function() self:start("EntryEdit", { id = entry.id }) end } } },
      scroll {
        text { "User name: " .. entry.user, id = "user" },
        row { text { "Password: " .. (self.reveal and entry.pass or "••••••••"), id = "pass", weight = 1 },
          button { self.reveal and "Hide" or "Show", id = "reveal", on_click = function() self.reveal = not self.reveal end },
          button { "Copy", id = "copy", on_click = function() self:copy_text("Password", entry.pass) end } },
        text { "Strength: " .. strength(entry.pass), id = "strength" },
        text { entry.url ~= "" and entry.url or "No address", id = "url" },
        text { "Folder: " .. folder_name(entry), id = "folder" },
        text { "Changed " .. day_text(entry.changed) .. ", " .. plural(#entry.history, "earlier password"), id = "changed", size = "small" },
      },
    }
  end,
}

activity "History" {
  ask_again = function(self, entry, h)
    self:dialog { title = "Use this password again?", message = h.pass, cancel = "Cancel", ok = "Use", on_ok = function()
      set_password(entry, h.pass)
      self:finish()
    end }
  end,
  view = function(self)
    local entry = entry_of(self.intent.id)
    if not entry then return column { toolbar { "Earlier passwords", up = true } } end
    return column {
      toolbar { "Earlier passwords", up = true, subtitle = entry.title },
      list { id = "history", items = entry.history, empty = text { "Never changed", id = "empty" },
        row = function(h)
          return column { id = "history_row", text { h.pass, id = "old_pass" }, text { "Until " .. day_text(h.day), id = "until", size = "small" } }
        end,
        on_item_click = function(_, h) self:ask_again(entry, h) end },
    }
  end,
}

activity "EntryEdit" {
  create = function(self, intent, saved)
    local e = intent.id and entry_of(intent.id) or { title = "", user = "", pass = "", url = "", folder = intent.folder }
    self.first = { title = e.title, user = e.user, pass = e.pass, url = e.url }
    self.old_folder, self.folder, self.pass = e.folder, e.folder, e.pass
    if saved then self.folder, self.pass = saved.folder, saved.pass end
  end,
  save = function(self, out) out.folder, out.pass = self.folder, self.pass end,
  result = function(self, request, data)
    if not data then return end
    self.pass = data.pass
    self:set_text("pass", data.pass)
  end,

  typed = function(self)
    for id, before in pairs(self.first) do if self:text(id) ~= before then return true end end
    return false
  end,
  leave = function(self)
    if not self:typed() and self.folder == self.old_folder then return self:finish() end
    self:dialog { title = "Discard changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
  end,
  back = function(self) self:leave() return true end,

  store = function(self)
    local title, pass = trim(self:text("title")), self:text("pass")
    if title == "" then return toast("A title, please") end
    if pass == "" then return toast("A password, please") end
    local entry = self.intent.id and entry_of(self.intent.id)
    if entry and bug("edit_folder_only") and not self:typed() then return self:finish() end     -- nothing to write
    if not entry then
      if #storage.entries >= MAX_ENTRIES then return toast("The vault is full") end
      entry = { id = new_id(), pass = pass, changed = today(), history = {} }
      table.insert(storage.entries, entry)
    end
    set_password(entry, pass)
    entry.title, entry.user, entry.url, entry.folder = title, trim(self:text("user")), trim(self:text("url")), self.folder
    self:finish()
  end,

  view = function(self)
    local at = self.folder and index_of(storage.folders, folder_of(self.folder)) or 0
    return column {
      toolbar { self.intent.id and "Edit entry" or "New entry", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "title", hint = "Title", text = self.first.title, max = 40 },
        spinner { id = "folder", items = folder_items("No folder"), selected = at + 1,
          on_change = function(i) self.folder = i > 1 and storage.folders[i - 1].id or nil end },
        field { id = "user", hint = "User name", text = self.first.user, max = 40 },
        row { field { id = "pass", hint = "Password", text = self.first.pass, max = 40, weight = 1, on_change = function(s) self.pass = s end },
          button { "Generate", id = "generate", on_click = function() self:start_for_result("Generator", "pass", { use = true }) end } },
        text { self.pass == "" and "No password yet" or "Strength: " .. strength(self.pass), id = "strength", size = "small" },
        field { id = "url", hint = "Address", text = self.first.url, max = 60 },
      },
    }
  end,
}

activity "Generator" {
  create = function(self, intent, saved) self.pass = saved and saved.pass or generate() end,
  save = function(self, out) out.pass = self.pass end,
  set = function(self, name, value)
    prefs[name] = value
    self.pass = generate()
  end,
  view = function(self)
    return column {
      toolbar { "Generator", up = true, actions = { { "Another", id = "another", on_click = function() self.pass = generate() end } } },
      scroll {
      text { self.pass, id = "generated", size = "large" },
      text { "Strength: " .. strength(self.pass), id = "strength", size = "small" },
      text { "Length: " .. prefs.length, id = "length_label" },
      slider { id = "length", min = 6, max = 30, value = prefs.length, on_change = function(v) self:set("length", math.floor(v)) end },
      switch { "Digits", id = "digits", checked = prefs.digits, on_change = function(b) self:set("digits", b) end },
      switch { "Symbols", id = "symbols", checked = prefs.symbols, on_change = function(b) self:set("symbols", b) end },
      self.intent.use and button { "Use this password", id = "use", on_click = function() self:finish { pass = self.pass } end }
        or button { "Copy", id = "copy", on_click = function() clipboard.set(self.pass) toast("Copied") end },
      },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  result = function(self, request, data)
    local entry = data and entry_of(data.trash)
    if entry then trash(self, { entry }) end
  end,
  view = function(self)
    local q = trim(self.query):lower()
    local found = q == "" and {} or sorted(filter(live(), function(e)
      return contains(e.title:lower(), q) or contains(e.user:lower(), q) or contains(e.url:lower(), q)
    end))
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Title, user name or address", max = 30, on_change = function(s) self.query = s end },
      text { #found .. " found", id = "found", size = "small" },
      list { id = "results", items = found,
        row = function(e) return entry_row(e, false, true, prefs.users or bug("search_shows_user")) end,
        on_item_click = function(_, e) self:start_for_result("Entry", "entry", { id = e.id }) end },
    }
  end,
}

activity "Folders" {
  ask_name = function(self, folder)
    self:dialog { title = folder and "Rename folder" or "New folder", cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "folder_name", hint = "Name", text = folder and folder.name or "", max = 20 } } end,
      on_ok = function()
        local name = trim(self:text("folder_name"))
        if name == "" then toast("Give it a name") return true end
        local same = find(storage.folders, function(f) return f ~= folder and f.name:lower() == name:lower() end)
        if same then toast("There is such a folder") return true end
        if folder then folder.name = name return end
        if #storage.folders >= MAX_FOLDERS then return toast("Too many folders") end
        table.insert(storage.folders, { id = new_id(), name = name })
      end }
  end,
  delete = function(self, folder)
    self:dialog { title = "Delete " .. folder.name .. "?", message = "Its entries are kept without a folder", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        for _, e in ipairs(storage.entries) do if e.folder == folder.id then e.folder = nil end end
        forget(storage.folders, folder)
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Folders", up = true },
      list { id = "folders", items = storage.folders, empty = text { "No folders", id = "empty" },
        row = function(f)
          local n = #filter(live(), function(e) return e.folder == f.id end)
          return column { id = "folder_row", text { f.name, id = "name" }, text { plural(n, "entry", "entries"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, f) self:finish { folder = f.id } end,
        on_item_long_click = function(_, f)
          self:popup {
            { "Rename", id = "rename", on_click = function() self:ask_name(f) end },
            { "Delete", id = "delete", on_click = function() self:delete(f) end },
          }
        end },
      fab { id = "add_folder", desc = "New folder", on_click = function() self:ask_name() end },
    }
  end,
}

activity "Health" {
  line = function(self, id, label, entries)
    return button { label .. ": " .. #entries, id = id, enabled = #entries > 0,
      on_click = function() self:start("Issues", { kind = id }) end }
  end,
  view = function(self)
    local bad = {}
    for _, entries in ipairs { weak(), reused(), old() } do for _, e in ipairs(entries) do bad[e.id] = true end end
    local good = #filter(live(), function(e) return not bad[e.id] end)
    return column {
      toolbar { "Health", up = true },
      text { good .. " of " .. plural(#live(), "password") .. " without complaint", id = "good" },
      self:line("weak", "Weak", weak()),
      self:line("reused", "Used more than once", reused()),
      self:line("old", "Older than " .. prefs.max_age .. " days", old()),
    }
  end,
}

activity "Issues" {
  result = function(self, request, data)
    local entry = data and entry_of(data.trash)
    if entry then trash(self, { entry }) end
  end,
  view = function(self)
    local kinds = { weak = { "Weak", weak }, reused = { "Used more than once", reused }, old = { "Old", old } }
    local kind = kinds[self.intent.kind] or kinds.weak
    return column {
      toolbar { kind[1], up = true },
      list { id = "issues", items = sorted(kind[2]()), empty = text { "None left", id = "empty" },
        row = function(e) return entry_row(e, false, true, prefs.users) end,
        on_item_click = function(_, e) self:start_for_result("Entry", "entry", { id = e.id }) end },
    }
  end,
}

activity "Import" {
  create = function(self, intent, saved) self.report = saved and saved.report end,
  save = function(self, out) out.report = self.report end,
  result = function(self, request, data)
    if not data then return end
    local added, skipped = 0, 0
    for _, e in ipairs(EXPORT) do
      local known = find(live(), function(x) return x.title == e.title and x.user == e.user end)
      if known and bug("import_again") then known = not known.imported and known or nil end
      if known or #storage.entries >= MAX_ENTRIES then
        skipped = skipped + 1
      else
        table.insert(storage.entries, { id = new_id(), title = e.title, user = e.user, pass = e.pass, url = e.url, changed = today(),
          history = {}, imported = true })
        added = added + 1
      end
    end
    self.report = added .. " imported, " .. skipped .. " skipped"
  end,
  view = function(self)
    return column {
      toolbar { "Import", up = true },
      text { "Passwords exported by your browser. Entries with the same title and user name are skipped.", id = "explain", size = "small" },
      button { "Choose file", id = "choose", on_click = function()
        self:start_implicit { action = "GET_CONTENT", type = "text/*", request = "file" }
      end },
      self.report and text { self.report, id = "report" },
      text { plural(#live(), "entry", "entries") .. " in the vault", id = "total" },
    }
  end,
}

activity "Trash" {
  restore = function(self, e)
    e.trashed = nil
    if bug("restore_folder") then e.folder = nil end
    toast(e.title .. " restored")
  end,
  ask_empty = function(self)
    self:dialog { title = "Empty the trash?", message = "This cannot be undone", cancel = "Cancel", ok = "Empty",
      on_ok = function() storage.entries = live() end }
  end,
  view = function(self)
    local gone = sorted(filter(storage.entries, function(e) return e.trashed end))
    return column {
      toolbar { "Trash", up = true, actions = { { "Empty", id = "empty_trash", on_click = function() self:ask_empty() end } } },
      list { id = "trashed", items = gone, empty = text { "The trash is empty", id = "empty" },
        row = function(e)
          return column { id = "trash_row", text { e.title, id = "title" }, text { "Deleted " .. day_text(e.trashed), size = "small" } }
        end,
        on_item_click = function(_, e)
          self:popup {
            { "Restore", id = "restore", on_click = function() self:restore(e) end },
            { "Delete for good", id = "delete_forever", on_click = function()
              self:dialog { title = "Delete " .. e.title .. " for good?", cancel = "Cancel", ok = "Delete",
                on_ok = function() forget(storage.entries, e) end }
            end },
          }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Show user names in lists", id = "users", checked = prefs.users, on_change = function(b) prefs.users = b end },
      switch { "Ask before deleting", id = "ask", checked = prefs.ask, on_change = function(b) prefs.ask = b end },
      text { "Passwords are old after", size = "small" },
      radios { id = "max_age", items = each(AGES, function(d) return d .. " days" end), selected = index_of(AGES, prefs.max_age),
        on_change = function(i) prefs.max_age = AGES[i] end },
    }
  end,
}
