-- Vault: user names and passwords, in groups, with a generator, an audit and the passwords that were used before.
--
-- An entry: { id, title, user, password, url, group = id or nil, notes, fav, binned, changed = ms,
-- old = { { at, password } } }. Deleting puts an entry into the bin, where it keeps its group.

app {
  package = "org.oakdoor.vault",
  title = "Vault",
  main = "Entries",
  bugs = { "same_password_kept", "one_short", "search_in_bin", "choose_hidden", "audit_bin", "favourite_at_once",
    "undo_no_group", "address_twice" },
  application = function()
    if storage.entries then return end
    local function ago(days) return now() - days * 86400000 end
    storage.last_id = 60
    storage.groups = { { id = 1, name = "Mail" }, { id = 2, name = "Shops" }, { id = 3, name = "Clubs" } }
    storage.entries = {
      { id = 11, title = "Post office mail", user = "ida.berg", password = "Kestrel-44-dune", url = "https://mail.example.org", group = 1,
        notes = "", changed = ago(20), old = { { at = ago(300), password = "sparrow12" } } },
      { id = 12, title = "Work mail", user = "ida@firm.example", password = "q7Rtz!mmP0", url = "https://webmail.firm.example", group = 1,
        notes = "Ask Tom for the second factor", changed = ago(90), old = {}, fav = true },
      { id = 13, title = "Book shop", user = "ida.berg", password = "paper", url = "https://books.example.com", group = 2, notes = "",
        changed = ago(500), old = {} },
      { id = 14, title = "Garden club", user = "member 4711", password = "Hydrangea8", url = "", group = 3, notes = "", changed = ago(40), old = {} },
      { id = 15, title = "Router", user = "admin", password = "9f-Lantern-02", url = "", notes = "Sticker below it", changed = ago(200), old = {} },
      { id = 16, title = "Old forum", user = "ida", password = "Hydrangea8", url = "https://forum.example.net", group = 3, notes = "",
        changed = ago(900), old = {}, binned = true },
    }
    prefs.by_change = false
    prefs.show_users = true
    prefs.default_user = "ida.berg"
    prefs.length = 14
    prefs.digits = true
    prefs.symbols = true
  end,
}

local MAX_ENTRIES, MAX_GROUPS, MAX_OLD = 100, 10, 5
local LETTERS, DIGITS, SYMBOLS = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ", "23456789", "!#%+-=?@"

local function next_id()
  storage.last_id = storage.last_id + 1
  return storage.last_id
end

local function entry_of(id) return (find(storage.entries, function(e) return e.id == id end)) end
local function group_of(id) return (find(storage.groups, function(g) return g.id == id end)) end
local function group_name(entry)
  local group = entry.group and group_of(entry.group)
  return group and group.name or "No group"
end
local function entries_text(n) return n == 1 and "1 entry" or n .. " entries" end
local function dots(password) return ("•"):rep(math.min(#password, 12)) end

local function present() return filter(storage.entries, function(e) return not e.binned end) end

local function in_order(entries)
  local result = copy(entries)
  table.sort(result, function(a, b)
    if prefs.by_change then return a.changed > b.changed end
    return a.title:lower() < b.title:lower()
  end)
  return result
end

local function generate(length, digits, symbols)
  local letters = LETTERS .. (digits and DIGITS or "") .. (symbols and SYMBOLS or "")
  local password = ""
  if bug("one_short") then length = length - 1 end
  for _ = 1, length do
    local i = random(#letters)
    password = password .. letters:sub(i, i)
  end
  return password
end

local function strength(password)
  if #password < 8 then return "weak" end
  return #password < 12 and "fair" or "strong"
end

local function copy_secret(text, what)
  clipboard.set(text)
  toast(what .. " copied")
end

activity "Entries" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.place = saved.place or "all"     -- "all", "fav", "none" or the id of a group
    self.query = saved.query or ""
    self.chosen = saved.chosen or {}
  end,
  save = function(self, out) out.place, out.query, out.chosen = self.place, self.query, self.chosen end,

  resume = function(self)
    if type(self.place) == "number" and not group_of(self.place) then self.place = "all" end
    self.chosen = filter(self.chosen, function(id) local e = entry_of(id) return e and not e.binned end)
  end,

  back = function(self)
    if #self.chosen > 0 then self.chosen = {} return true end
    if self.place ~= "all" then self.place = "all" return true end
    return false
  end,

  in_place = function(self, entry)
    if self.place == "all" then return true end
    if self.place == "fav" then return entry.fav == true end
    if self.place == "none" then return entry.group == nil end
    return entry.group == self.place
  end,

  shown = function(self)
    local query = trim(self.query):lower()
    local from = bug("search_in_bin") and query ~= "" and storage.entries or present()
    return in_order(filter(from, function(e)
      return self:in_place(e) and (query == "" or contains((e.title .. "\n" .. e.user .. "\n" .. e.url):lower(), query))
    end))
  end,

  -- Selection -----------------------------------------------------------------------------------------

  choose = function(self, entry)
    local at = index_of(self.chosen, entry.id)
    if at then table.remove(self.chosen, at) else table.insert(self.chosen, entry.id) end
  end,

  choose_all = function(self)
    local all = self:shown()
    if bug("choose_hidden") then all = filter(present(), function(e) return self:in_place(e) end) end
    self.chosen = each(all, function(e) return e.id end)
  end,

  with_chosen = function(self, fn)
    local ids = self.chosen
    self.chosen = {}
    for _, id in ipairs(ids) do
      local e = entry_of(id)
      if e then fn(e) end
    end
    return ids
  end,

  delete_chosen = function(self)
    local ids = self:with_chosen(function(e) e.binned = true end)
    self:snackbar(entries_text(#ids) .. " in the bin", "Undo", function()
      for _, id in ipairs(ids) do
        local e = entry_of(id)
        if e then
          e.binned = nil
          if bug("undo_no_group") then e.group = nil end
        end
      end
    end)
  end,

  move_chosen = function(self)
    local names = each(storage.groups, function(g) return g.name end)
    table.insert(names, "No group")
    self:dialog { title = "Move " .. entries_text(#self.chosen) .. " to", items = names, cancel = "Cancel",
      on_item = function(i)
        local group = storage.groups[i]
        self:with_chosen(function(e) e.group = group and group.id end)
      end }
  end,

  -- View ----------------------------------------------------------------------------------------------

  places = function(self)
    local function place(title, id, value)
      local old = self.place
      self.place = value
      local count = #filter(present(), function(e) return self:in_place(e) end)
      self.place = old
      return { title .. " (" .. count .. ")", id = id, selected = old == value, on_click = function() self.place = value self.chosen = {} end }
    end
    local items = { place("All entries", "place_all", "all"), place("Favourites", "place_fav", "fav") }
    for _, g in ipairs(storage.groups) do table.insert(items, place(g.name, "place_group", g.id)) end
    table.insert(items, place("No group", "place_none", "none"))
    for _, page in ipairs { "Groups", "Generator", "Audit", "Bin", "Settings" } do
      table.insert(items, { page == "Groups" and "Edit groups" or page, id = "open_" .. page:lower(), on_click = function() self:start(page) end })
    end
    return items
  end,

  row = function(self, entry)
    local chosen = index_of(self.chosen, entry.id) ~= nil
    return row { id = "entry_row", selected = chosen,
      #self.chosen > 0 and check { "", id = "chosen", desc = entry.title, checked = chosen, on_change = function() self:choose(entry) end },
      column { weight = 1,
        text { entry.title .. (entry.fav and " ★" or ""), id = "title" },
        text { (prefs.show_users and entry.user ~= "" and entry.user .. " · " or "") .. group_name(entry), id = "line", size = "small" } } }
  end,

  title = function(self)
    if type(self.place) == "number" then
      local group = group_of(self.place)
      return group and group.name or "Vault"
    end
    return ({ all = "Vault", fav = "Favourites", none = "No group" })[self.place]
  end,

  view = function(self)
    local choosing, shown = #self.chosen > 0, self:shown()
    return column {
      choosing and toolbar { #self.chosen .. " chosen", up = function() self.chosen = {} end, actions = {
          { "Choose all", id = "choose_all", on_click = function() self:choose_all() end },
          { "Move", id = "move", on_click = function() self:move_chosen() end },
          { "Delete", id = "delete", on_click = function() self:delete_chosen() end } } }
        or toolbar { self:title(), subtitle = entries_text(#shown) },
      not choosing and drawer { id = "places", header = "Vault", items = self:places() },
      field { id = "query", hint = "Search", text = self.query, max = 30, on_change = function(s) self.query = s self.chosen = {} end },
      list { id = "entries", items = shown, empty = text { "Nothing here", id = "empty" }, row = function(e) return self:row(e) end,
        on_item_click = function(_, e)
          if choosing then self:choose(e) else self:start("Entry", { id = e.id }) end
        end,
        on_item_long_click = function(_, e) self:choose(e) end },
      not choosing and fab { id = "add_entry", desc = "New entry",
        on_click = function() self:start("EditEntry", { group = type(self.place) == "number" and self.place or nil }) end },
    }
  end,
}

-- The password is hidden again as soon as the page is left or the device is turned.
activity "Entry" {
  create = function(self) self.open = false end,
  pause = function(self) self.open = false end,

  menu = function(self)
    local e = entry_of(self.intent.id)
    if not e then return {} end
    return {
      { "Edit", id = "edit_entry", on_click = function() self:start("EditEntry", { id = e.id }) end },
      { "Favourite", id = "favourite", checked = e.fav == true, on_click = function() e.fav = not e.fav or nil end },
      { "Old passwords", id = "old_passwords", on_click = function() self:start("Old", { id = e.id }) end },
      { "Duplicate", id = "duplicate", enabled = not e.binned, on_click = function()
        if #storage.entries >= MAX_ENTRIES then return toast("The vault is full") end
        local twin = copy(e)
        twin.id, twin.title, twin.old, twin.changed = next_id(), e.title:sub(1, 33) .. " (copy)", {}, now()
        table.insert(storage.entries, twin)
        toast("Duplicated, without old passwords")
      end },
      { "Delete", id = "delete_entry", enabled = not e.binned, on_click = function() e.binned = true self:finish() end },
    }
  end,

  view = function(self)
    local e = entry_of(self.intent.id)
    if not e then return column { toolbar { "Entry", up = true }, text { "This entry is gone", id = "gone" } } end
    return column {
      toolbar { e.title, up = true },
      scroll { id = "page",
        e.binned and text { "In the bin", id = "binned" },
        text { group_name(e) .. (e.fav and ", favourite" or ""), id = "group" },
        row { text { e.user ~= "" and e.user or "No user name", id = "user", weight = 1 },
          e.user ~= "" and button { "Copy", id = "copy_user", on_click = function() copy_secret(e.user, "User name") end } },
        row { text { self.open and e.password or dots(e.password), id = "password", weight = 1 },
          button { self.open and "Hide" or "Show", id = "show", on_click = function() self.open = not self.open end },
          button { "Copy", id = "copy_password", on_click = function() copy_secret(e.password, "Password") end } },
        text { #e.password .. " characters, " .. strength(e.password), id = "strength", size = "small" },
        e.url ~= "" and text { e.url, id = "url", on_click = function() self:start_implicit { action = "VIEW", uri = e.url } end },
        e.notes ~= "" and text { e.notes, id = "notes" },
        text { "Password of " .. date(e.changed, "%d %b %Y"), id = "changed", size = "small" },
      },
    }
  end,
}

-- A new entry starts with the usual user name and a password that was just made.
activity "EditEntry" {
  create = function(self, intent, saved)
    local e = intent.id and entry_of(intent.id)
    self.id = e and e.id
    if saved then
      self.first, self.group, self.fav = saved.first, saved.group, saved.fav
      return
    end
    self.first = e and { title = e.title, user = e.user, password = e.password, url = e.url, notes = e.notes, group = e.group, fav = e.fav == true }
      or { title = "", user = prefs.default_user, password = generate(prefs.length, prefs.digits, prefs.symbols), url = "", notes = "",
        group = intent.group, fav = false }
    self.group, self.fav = self.first.group, self.first.fav
  end,
  save = function(self, out) out.first, out.group, out.fav = self.first, self.group, self.fav end,

  result = function(self, request, data)
    if request == "password" and data then self:set_text("password", data.password) end
  end,

  leave = function(self)
    local changed = self.group ~= self.first.group or self.fav ~= self.first.fav
    for _, name in ipairs { "title", "user", "password", "url", "notes" } do
      changed = changed or self:text(name) ~= self.first[name]
    end
    if not changed then return self:finish() end
    self:dialog { title = "Discard the changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Cancel" }
  end,
  back = function(self) self:leave() return true end,

  set_fav = function(self, on)
    self.fav = on
    local e = self.id and entry_of(self.id)
    if e and bug("favourite_at_once") then e.fav = on or nil end
  end,

  -- Addresses may be typed without https.
  address = function(self, typed)
    if typed == "" then return "" end
    if typed:lower():find("^https?://") and not bug("address_twice") then return typed end
    return "https://" .. typed
  end,

  store = function(self)
    local title, user, password = trim(self:text("title")), trim(self:text("user")), self:text("password")
    if title == "" then return toast("An entry needs a title") end
    if password == "" then return toast("An entry needs a password") end
    local e = self.id and entry_of(self.id)
    if not e then
      if #storage.entries >= MAX_ENTRIES then return toast("The vault is full") end
      e = { id = next_id(), old = {}, password = password, changed = now() }
      table.insert(storage.entries, e)
    elseif e.password ~= password or bug("same_password_kept") then
      table.insert(e.old, 1, { at = now(), password = e.password })
      while #e.old > MAX_OLD do table.remove(e.old) end
      if e.password ~= password then e.changed = now() end
    end
    e.title, e.user, e.password, e.url, e.notes = title, user, password, self:address(trim(self:text("url"))), trim(self:text("notes"))
    e.group, e.fav = self.group and group_of(self.group) and self.group, self.fav or nil
    self:finish()
  end,

  view = function(self)
    local groups = { { name = "No group" } }
    for _, g in ipairs(storage.groups) do table.insert(groups, g) end
    local _, at = find(groups, function(g) return g.id == self.group end)
    return column {
      toolbar { self.id and "Edit entry" or "New entry", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { id = "form",
        field { id = "title", hint = "Title", text = self.first.title, max = 40 },
        field { id = "user", hint = "User name (may be empty)", text = self.first.user, max = 40 },
        field { id = "password", hint = "Password", text = self.first.password, max = 40 },
        button { "Make a password", id = "make", on_click = function() self:start_for_result("Generator", "password", { use = true }) end },
        field { id = "url", hint = "Address", text = self.first.url, max = 80 },
        spinner { id = "group_of_entry", items = each(groups, function(g) return g.name end), selected = at or 1,
          on_change = function(i) self.group = groups[i].id end },
        switch { "Favourite", id = "fav", checked = self.fav, on_change = function(b) self:set_fav(b) end },
        field { id = "notes", hint = "Notes", text = self.first.notes, input = "multiline", max = 300 },
      },
    }
  end,
}

activity "Generator" {
  create = function(self, intent, saved)
    self.length, self.digits, self.symbols = prefs.length, prefs.digits, prefs.symbols
    self.password = saved and saved.password
    if saved then self.length, self.digits, self.symbols = saved.length, saved.digits, saved.symbols end
    if not self.password then self:make() end
  end,
  save = function(self, out) out.length, out.digits, out.symbols, out.password = self.length, self.digits, self.symbols, self.password end,

  make = function(self) self.password = generate(self.length, self.digits, self.symbols) end,

  view = function(self)
    return column {
      toolbar { "Generator", up = true },
      scroll { id = "page",
        text { self.password, id = "made", size = "large" },
        text { #self.password .. " characters, " .. strength(self.password), id = "strength", size = "small" },
        text { "Length: " .. self.length, id = "length_label" },
        slider { id = "length", min = 6, max = 30, step = 1, value = self.length, on_change = function(v) self.length = math.floor(v) self:make() end },
        check { "Digits", id = "digits", checked = self.digits, on_change = function(b) self.digits = b self:make() end },
        check { "Symbols", id = "symbols", checked = self.symbols, on_change = function(b) self.symbols = b self:make() end },
        row { button { "Another", id = "another", on_click = function() self:make() end },
          button { "Copy", id = "copy", on_click = function() copy_secret(self.password, "Password") end },
          self.intent.use and button { "Use", id = "use", on_click = function() self:finish { password = self.password } end } },
        button { "Keep as my settings", id = "keep", on_click = function()
          prefs.length, prefs.digits, prefs.symbols = self.length, self.digits, self.symbols
          toast("New entries will have such passwords")
        end },
      },
    }
  end,
}

activity "Old" {
  create = function(self) self.open = false end,
  pause = function(self) self.open = false end,

  view = function(self)
    local e = entry_of(self.intent.id)
    if not e then return column { toolbar { "Old passwords", up = true }, text { "This entry is gone", id = "gone" } } end
    return column {
      toolbar { "Old passwords", up = true, actions = { { self.open and "Hide" or "Show", id = "show_old", on_click = function() self.open = not self.open end },
        { "Forget", id = "forget", on_click = function() e.old = {} end } } },
      text { e.title .. ", the last " .. MAX_OLD .. " at most", id = "of", size = "small" },
      list { id = "old", items = e.old, empty = text { "It never had another password", id = "empty" },
        row = function(o) return column { id = "old_row", text { self.open and o.password or dots(o.password), id = "password" },
          text { "until " .. date(o.at, "%d %b %Y"), id = "until", size = "small" } } end },
    }
  end,
}

activity "Groups" {
  ask = function(self, group)
    self:dialog {
      title = group and "Rename group" or "New group",
      view = function() return column { field { id = "group_name", hint = "Name", text = group and group.name or "", max = 20 } } end,
      ok = "Save",
      on_ok = function()
        local name = trim(self:text("group_name"))
        if name == "" then toast("A group needs a name") return true end
        local same = find(storage.groups, function(g) return g.name:lower() == name:lower() end)
        if same and same ~= group then toast("There is such a group") return true end
        if group then group.name = name return end
        if #storage.groups >= MAX_GROUPS then return toast("Too many groups") end
        table.insert(storage.groups, { id = next_id(), name = name })
      end,
      cancel = "Cancel",
    }
  end,

  delete = function(self, group)
    self:dialog { title = "Delete " .. group.name .. "?", message = "Its entries stay, without a group.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        table.remove(storage.groups, index_of(storage.groups, group))
        for _, e in ipairs(storage.entries) do if e.group == group.id then e.group = nil end end
      end }
  end,

  -- The order of the groups is that of the drawer.
  up = function(self, i)
    if i == 1 then return end
    storage.groups[i - 1], storage.groups[i] = storage.groups[i], storage.groups[i - 1]
  end,

  view = function(self)
    return column {
      toolbar { "Groups", up = true, actions = { { "New group", id = "add_group", on_click = function() self:ask(nil) end } } },
      list { id = "groups", items = storage.groups, empty = text { "No groups", id = "empty" },
        row = function(g, i) return row { id = "group_row",
          column { weight = 1, text { g.name, id = "name" },
            text { entries_text(#filter(present(), function(e) return e.group == g.id end)), id = "count", size = "small" } },
          image_button { id = "move_up", desc = "Move up", enabled = i > 1, on_click = function() self:up(i) end },
          image_button { id = "delete_group", desc = "Delete group", on_click = function() self:delete(g) end } } end,
        on_item_click = function(_, g) self:ask(g) end },
    }
  end,
}

activity "Audit" {
  findings = function(self)
    local findings, entries = {}, in_order(present())
    local compared = bug("audit_bin") and storage.entries or entries
    for _, e in ipairs(entries) do
      local reasons = {}
      if #e.password < 8 then table.insert(reasons, "short") end
      if find(compared, function(x) return x.id ~= e.id and x.password == e.password end) then table.insert(reasons, "used twice") end
      if now() - e.changed > 365 * 86400000 then table.insert(reasons, "older than a year") end
      if #reasons > 0 then table.insert(findings, { entry = e, text = table.concat(reasons, ", ") }) end
    end
    return findings, #entries
  end,

  view = function(self)
    local findings, count = self:findings()
    return column {
      toolbar { "Audit", up = true },
      text { #findings .. " of " .. entries_text(count) .. " to look at", id = "summary", size = "large" },
      text { "Entries in the bin and old passwords are left out", id = "rule", size = "small" },
      list { id = "findings", items = findings, empty = text { "All is well", id = "empty" },
        row = function(f) return column { id = "finding_row", text { f.entry.title, id = "title" }, text { f.text, id = "reason", size = "small" } } end,
        on_item_click = function(_, f) self:start("Entry", { id = f.entry.id }) end },
    }
  end,
}

activity "Bin" {
  ask_empty = function(self)
    self:dialog { title = "Empty the bin?", message = "This cannot be undone.", cancel = "Cancel", ok = "Empty",
      on_ok = function() storage.entries = present() end }
  end,

  view = function(self)
    local binned = in_order(filter(storage.entries, function(e) return e.binned end))
    return column {
      toolbar { "Bin", up = true, subtitle = entries_text(#binned), actions = { { "Empty the bin", id = "empty_bin", on_click = function() self:ask_empty() end } } },
      list { id = "binned", items = binned, empty = text { "The bin is empty", id = "empty" },
        row = function(e) return row { id = "binned_row",
          column { weight = 1, text { e.title, id = "title" }, text { group_name(e), id = "line", size = "small" } },
          button { "Restore", id = "restore", on_click = function() e.binned = nil end } } end },
    }
  end,
}

activity "Settings" {
  ask_user = function(self)
    self:dialog {
      title = "Usual user name",
      view = function() return column { field { id = "new_user", text = prefs.default_user, max = 40 } } end,
      ok = "OK",
      on_ok = function() prefs.default_user = trim(self:text("new_user")) end,
      cancel = "Cancel",
    }
  end,

  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll { id = "options",
        switch { "User names in the list", id = "show_users", checked = prefs.show_users, on_change = function(b) prefs.show_users = b end },
        switch { "Newest passwords first", id = "by_change", checked = prefs.by_change, on_change = function(b) prefs.by_change = b end },
        text { "Otherwise entries are sorted by title", size = "small" },
        text { "Usual user name: " .. (prefs.default_user ~= "" and prefs.default_user or "none"), id = "usual_user" },
        button { "Change", id = "change_user", on_click = function() self:ask_user() end },
        text { format("New passwords: %d characters%s%s", prefs.length, prefs.digits and ", digits" or "", prefs.symbols and ", symbols" or ""), id = "new_passwords" },
        text { "These are set in the generator", size = "small" },
      },
    }
  end,
}
