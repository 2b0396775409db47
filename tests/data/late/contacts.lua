-- People: an address book with several numbers a person, groups, favourites, a dialler, recent calls, duplicates.
-- Numbers are kept as they were typed and compared by their digits.

local TYPES = { "Mobile", "Home", "Work" }
local TABS = { "Contacts", "Favourites", "Recents" }

app {
  package = "org.late.contacts",
  title = "People",
  main = "Main",
  bugs = { "capital_sort", "selection_place", "merge_number", "recents_name", "undo_groups", "dial_format", "number_rotate", "discard_groups" },
  application = function()
    if storage.contacts then return end
    storage.groups = { { id = 1, name = "Family" }, { id = 2, name = "Choir" } }
    storage.contacts = {
      { id = 11, first = "Clara", last = "Wieck", phones = { { number = "555-0101", type = 1 } }, email = "clara@example.org", groups = { g2 = true },
        favourite = true, note = "" },
      { id = 12, first = "Hugo", last = "Wolf", phones = { { number = "555-0102", type = 1 } }, email = "", groups = {}, favourite = false, note = "" },
      { id = 13, first = "Fanny", last = "Hensel", phones = { { number = "555-0103", type = 2 }, { number = "555-0104", type = 3 } }, email = "",
        groups = { g1 = true, g2 = true }, favourite = false, note = "Plays on Sundays" },
      { id = 14, first = "Hugo", last = "Wolf", phones = { { number = "555-0199", type = 3 } }, email = "hugo@example.org", groups = {}, favourite = false, note = "" },
      { id = 15, first = "Anton", last = "Diabelli", phones = {}, email = "anton@example.org", groups = { g1 = true }, favourite = false, note = "" },
    }
    storage.recents = {
      { id = 16, number = "555-0103", name = "Fanny Hensel", time = now() - 3600000 },
      { id = 17, number = "555-0777", time = now() - 90000000 },
    }
    storage.blocked = { "555-0666" }
    storage.next_id = 30
    prefs.last_first, prefs.numbers, prefs.start_tab, prefs.confirm_call = false, true, 1, false
  end,
}
local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function contact_of(id) return (find(storage.contacts, function(c) return c.id == id end)) end
local function digits(number) return (number:gsub("%D", "")) end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function full(c) return trim(c.first .. " " .. c.last) end
local function name_of(c)
  if prefs.last_first and c.last ~= "" and c.first ~= "" then return c.last .. ", " .. c.first end
  return full(c)
end
local function sorted(rows)
  rows = copy(rows)
  table.sort(rows, function(a, b)
    if bug("capital_sort") then return name_of(a) < name_of(b) end        -- small letters come after Z (Simple Contacts, Markor: file order)
    return name_of(a):lower() < name_of(b):lower()
  end)
  return rows
end
local function owner_of(number)
  return (find(storage.contacts, function(c)
    return find(c.phones, function(p) return digits(p.number) == digits(number) end) ~= nil
  end))
end
local function is_blocked(number)
  return find(storage.blocked, function(b) return digits(b) == digits(number) end) ~= nil
end
local function toggle_blocked(number)
  local _, i = find(storage.blocked, function(b) return digits(b) == digits(number) end)
  if i then table.remove(storage.blocked, i) else table.insert(storage.blocked, number) end
end
local function delete_contacts(self, ids)
  local before, gone = storage.contacts, {}
  storage.contacts = filter(before, function(c) return not ids["c" .. c.id] end)
  for i, c in ipairs(before) do
    if ids["c" .. c.id] then table.insert(gone, { at = i, contact = c }) end
  end
  self:snackbar(plural(#gone, "contact") .. " deleted", "Undo", function()
    for _, g in ipairs(gone) do
      if bug("undo_groups") then g.contact.groups = {} end           -- undo brings the row back without its links (Tasks: tags after undo)
      table.insert(storage.contacts, math.min(g.at, #storage.contacts + 1), g.contact)
    end
  end)
end
local function call(self, number)
  local function go()
    local c = owner_of(number)
    table.insert(storage.recents, 1, { id = new_id(), number = number, name = c and full(c), time = now() })
    self:start("Call", { number = number })
  end
  if not prefs.confirm_call then return go() end
  self:dialog { title = "Call " .. number .. "?", cancel = "Cancel", ok = "Call", on_ok = go }
end
activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab = saved.tab or prefs.start_tab
    self.searching = saved.searching or false
    self.chosen = saved.chosen                       -- nil: not selecting; else by "c" .. id
    self.places = saved.places or {}
  end,
  save = function(self, out) out.tab, out.searching, out.chosen, out.places = self.tab, self.searching, self.chosen, self.places end,
  result = function(self, request, data) if data and data.delete then delete_contacts(self, { ["c" .. data.delete] = true }) end end,
  back = function(self)
    if self.chosen then
      self.chosen, self.places = nil, {}
      return true
    end
    if self.searching then self:toggle_search() return true end
    return false
  end,
  change_tab = function(self, i)
    self.tab = i
    if i == 3 and self.searching then self:toggle_search() end
  end,
  toggle_search = function(self)
    self.searching = not self.searching
    self:set_text("query", "")
    self:hide_keyboard()
  end,
  shown = function(self)
    local query = self.searching and trim(self:text("query")):lower() or ""
    local number = digits(query)
    return sorted(filter(storage.contacts, function(c)
      if self.tab == 2 and not c.favourite then return false end
      if contains(full(c):lower(), query) or contains(name_of(c):lower(), query) then return true end
      return number ~= "" and find(c.phones, function(p) return contains(digits(p.number), number) end) ~= nil
    end))
  end,
  is_chosen = function(self, c, i)
    if bug("selection_place") then return self.places["p" .. i] == true end   -- the selection is of places; a search moves it (Amaze: multi-select)
    return self.chosen["c" .. c.id] == true
  end,
  choose = function(self, c, i)
    local on = not self:is_chosen(c, i)
    self.places["p" .. i] = on or nil
    self.chosen["c" .. c.id] = on or nil
  end,
  selection = function(self)
    if not bug("selection_place") then return filter(storage.contacts, function(c) return self.chosen["c" .. c.id] end) end
    local rows = {}
    for i, c in ipairs(self:shown()) do
      if self.places["p" .. i] then table.insert(rows, c) end
    end
    return rows
  end,
  ask_delete = function(self)
    local rows = self:selection()
    if #rows == 0 then return toast("Nobody is selected") end
    self:dialog { title = "Delete " .. plural(#rows, "contact") .. "?", message = table.concat(each(rows, name_of), ", "), cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local ids = {}
        for _, c in ipairs(rows) do ids["c" .. c.id] = true end
        self.chosen, self.places = nil, {}
        delete_contacts(self, ids)
      end }
  end,
  menu = function(self)
    return {
      { "Dialler", id = "dialler", on_click = function() self:start("Dialler") end },
      { "Groups", id = "groups", on_click = function() self:start("Groups") end },
      { "Duplicates", id = "duplicates", on_click = function() self:start("Duplicates") end },
      { "Blocked numbers", id = "blocked", on_click = function() self:start("Blocked") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  recents = function(self)
    return list { id = "recents", items = storage.recents, empty = text { "No calls", id = "empty" },
      row = function(r)
        local c = owner_of(r.number)
        local name = c and name_of(c) or r.number
        if bug("recents_name") and r.name then name = r.name end      -- the name is copied when it is called and never looked up again (Simple Dialer)
        return column { id = "recent_row", text { name, id = "caller" },
          text { (name ~= r.number and r.number .. ", " or "") .. date(r.time, "%d %b %H:%M") .. (is_blocked(r.number) and ", blocked" or ""), id = "when", size = "small" } }
      end,
      on_item_click = function(_, r)
        local c = owner_of(r.number)
        self:popup {
          { "Call", id = "call", on_click = function() call(self, r.number) end },
          c and { "Show contact", id = "show", on_click = function() self:start_for_result("Contact", "contact", { id = c.id }) end }
            or { "Add to contacts", id = "add_number", on_click = function() self:start("Edit", { number = r.number }) end },
          { "Remove", id = "remove", on_click = function() table.remove(storage.recents, index_of(storage.recents, r)) end },
        }
      end }
  end,
  contacts = function(self)
    local rows = self:shown()
    return { self.searching and field { id = "query", hint = "Name or number", max = 25 },
      list { id = "contacts", items = rows, empty = text { "Nobody", id = "empty" },
        row = function(c, i)
          return row { id = "contact_row",
            self.chosen and check { "", id = "chosen", desc = "Select " .. name_of(c), checked = self:is_chosen(c, i), on_change = function() self:choose(c, i) end },
            column { weight = 1, text { (c.favourite and "★ " or "") .. name_of(c), id = "name" },
              prefs.numbers and c.phones[1] and text { c.phones[1].number, id = "number", size = "small" } } }
        end,
        on_item_click = function(i, c)
          if self.chosen then return self:choose(c, i) end
          self:start_for_result("Contact", "contact", { id = c.id })
        end,
        on_item_long_click = function(i, c)
          self.chosen = self.chosen or {}
          if not self:is_chosen(c, i) then self:choose(c, i) end
        end } }
  end,
  bar = function(self)
    if self.chosen then
      return toolbar { #self:selection() .. " selected", actions = {
        { "Search", id = "search", on_click = function() self:toggle_search() end },
        { "Delete", id = "delete_selected", on_click = function() self:ask_delete() end } } }
    end
    return toolbar { "People", subtitle = plural(#storage.contacts, "contact"),
      actions = self.tab < 3 and { { self.searching and "Close search" or "Search", id = "search", on_click = function() self:toggle_search() end } } or {} }
  end,
  view = function(self)
    return column {
      self:bar(),
      not self.chosen and tabs { id = "tabs", titles = TABS, selected = self.tab, on_change = function(i) self:change_tab(i) end },
      self.tab == 3 and self:recents() or self:contacts(),
      not self.chosen and fab { id = "add", desc = "New contact", on_click = function() self:start("Edit") end },
    }
  end,
}
activity "Contact" {
  ask_delete = function(self, c)
    self:dialog { title = "Delete " .. name_of(c) .. "?", cancel = "Cancel", ok = "Delete", on_ok = function() self:finish { delete = c.id } end }
  end,
  menu = function(self)
    local c = contact_of(self.intent.id)
    return c and { { "Delete", id = "delete", on_click = function() self:ask_delete(c) end } } or {}
  end,
  view = function(self)
    local c = contact_of(self.intent.id)
    if not c then return column { toolbar { "Contact", up = true }, text { "This contact was deleted", id = "gone" } } end
    local groups = each(filter(storage.groups, function(g) return c.groups["g" .. g.id] end), function(g) return g.name end)
    return column {
      toolbar { name_of(c), up = true, actions = {
        { c.favourite and "Remove from favourites" or "Add to favourites", id = "favourite", on_click = function() c.favourite = not c.favourite end },
        { "Edit", id = "edit", on_click = function() self:start("Edit", { id = c.id }) end } } },
      scroll {
        c.favourite and text { "★ Favourite", id = "is_favourite", size = "small" },
        each(c.phones, function(p)
          return row { text { TYPES[p.type] .. ": " .. p.number .. (is_blocked(p.number) and " (blocked)" or ""), id = "phone", weight = 1 },
            button { "Call", id = "call", on_click = function() call(self, p.number) end },
            button { is_blocked(p.number) and "Unblock" or "Block", id = "block", on_click = function() toggle_blocked(p.number) end } }
        end),
        #c.phones == 0 and text { "No number", id = "no_number" },
        c.email ~= "" and text { c.email, id = "email", on_click = function() self:start_implicit { action = "SENDTO", uri = "mailto:" .. c.email } end },
        text { #groups > 0 and "Groups: " .. table.concat(groups, ", ") or "In no group", id = "in_groups" },
        c.note ~= "" and text { c.note, id = "note" },
      },
    }
  end,
}
activity "Edit" {
  create = function(self, intent, saved)
    local c = intent.id and contact_of(intent.id)
    local from = c and c.phones or intent.number and { { number = intent.number, type = 1 } } or { { number = "", type = 1 } }
    self.phones, self.serial = {}, 0
    for _, p in ipairs(from) do self:add_phone(p.number, p.type) end
    if saved and saved.phones then self.phones, self.serial = saved.phones, saved.serial end
    self.groups = saved and saved.groups or c and c.groups or {}
    if not bug("discard_groups") then self.groups = copy(self.groups) end    -- edits the stored table itself, also if nothing is saved (Loop, K-9 identities)
  end,
  save = function(self, out)
    out.groups = self.groups
    if bug("number_rotate") then return end              -- rows added to a form are lost by rotation (Simple Contacts: more numbers)
    out.phones, out.serial = self.phones, self.serial
  end,
  add_phone = function(self, number, type)
    self.serial = self.serial + 1
    table.insert(self.phones, { key = self.serial, number = number, type = type })
  end,
  store = function(self)
    local first, last = trim(self:text("first")), trim(self:text("last"))
    if first == "" and last == "" then return toast("Who is it?") end
    local c = self.intent.id and contact_of(self.intent.id)
    if not c then
      c = { id = new_id(), favourite = false }
      table.insert(storage.contacts, c)
    end
    local phones = filter(self.phones, function(p) return digits(p.number) ~= "" end)
    c.first, c.last, c.email, c.note, c.groups = first, last, trim(self:text("email")), trim(self:text("note")), copy(self.groups)
    c.phones = each(phones, function(p) return { number = trim(p.number), type = p.type } end)
    self:finish()
  end,
  view = function(self)
    local c = self.intent.id and contact_of(self.intent.id) or { first = "", last = "", email = "", note = "" }
    return column {
      toolbar { self.intent.id and "Edit contact" or "New contact", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "first", hint = "First name", text = c.first, max = 20 },
        field { id = "last", hint = "Surname", text = c.last, max = 20 },
        each(self.phones, function(p, i)
          return row { field { id = "phone_" .. p.key, hint = "Number", text = p.number, input = "phone", max = 15, weight = 1, on_change = function(s) p.number = s end },
            spinner { id = "type_" .. p.key, items = TYPES, selected = p.type, on_change = function(k) p.type = k end },
            image_button { id = "remove_" .. p.key, desc = "Remove number", on_click = function() table.remove(self.phones, i) end } }
        end),
        button { "Add number", id = "add_number", enabled = #self.phones < 4, on_click = function() self:add_phone("", 1) end },
        field { id = "email", hint = "E-mail", text = c.email, input = "email", max = 30 },
        each(storage.groups, function(g)
          return check { g.name, id = "in_group", checked = self.groups["g" .. g.id] or false, on_change = function(b) self.groups["g" .. g.id] = b or nil end }
        end),
        field { id = "note", hint = "Note", text = c.note, max = 60 },
      },
    }
  end,
}
activity "Dialler" {
  match = function(self, number)
    if digits(number) == "" then return nil end
    if not bug("dial_format") then return owner_of(number) end
    return (find(storage.contacts, function(c)         -- compared as typed: dashes count (Simple Dialer, K-9: address formats)
      return find(c.phones, function(p) return p.number == number end) ~= nil
    end))
  end,
  view = function(self)
    local number = trim(self:text("number"))
    local c = self:match(number)
    return column {
      toolbar { "Dialler", up = true },
      field { id = "number", hint = "Number", input = "phone", max = 15 },
      text { c and name_of(c) or digits(number) == "" and "Type a number" or "Unknown number", id = "match" },
      button { "Call", id = "call", enabled = digits(number) ~= "", on_click = function() call(self, number) end },
      not c and digits(number) ~= "" and button { "Add to contacts", id = "add_contact", on_click = function() self:start("Edit", { number = number }) end },
    }
  end,
}
activity "Call" {
  view = function(self)
    local number = self.intent.number or ""
    local c = number ~= "" and owner_of(number)
    return column {
      text { c and name_of(c) or "Unknown", id = "caller", size = "large" },
      text { number, id = "number" },
      text { "Calling", id = "state" },
      button { "Hang up", id = "hang_up", on_click = function() self:finish() end },
    }
  end,
}
activity "Blocked" {
  ask_add = function(self)
    self:dialog { title = "Block a number", view = function() return column { field { id = "blocked_number", hint = "Number", input = "phone", max = 15 } } end,
      cancel = "Cancel", ok = "Block", on_ok = function()
        local number = trim(self:text("blocked_number"))
        if digits(number) == "" then return true end
        if not is_blocked(number) then toggle_blocked(number) end
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Blocked numbers", up = true, actions = { { "Add", id = "add_blocked", on_click = function() self:ask_add() end } } },
      list { id = "blocked", items = storage.blocked, empty = text { "No number is blocked", id = "empty" },
        row = function(number)
          local c = owner_of(number)
          return row { id = "blocked_row", text { number .. (c and ", " .. name_of(c) or ""), id = "number", weight = 1 },
            button { "Unblock", id = "unblock", on_click = function() toggle_blocked(number) end } }
        end },
    }
  end,
}
activity "Groups" {
  ask_name = function(self, group)
    self:dialog { title = group and "Rename" or "New group",
      view = function() return column { field { id = "group_name", hint = "Name", text = group and group.name or "", max = 20 } } end,
      cancel = "Cancel", ok = "OK", on_ok = function()
        local name = trim(self:text("group_name"))
        local same = find(storage.groups, function(g) return g.name:lower() == name:lower() end)
        if name == "" or same and same ~= group then return true end
        if group then group.name = name else table.insert(storage.groups, { id = new_id(), name = name }) end
      end }
  end,
  remove = function(self, group)
    for _, c in ipairs(storage.contacts) do c.groups["g" .. group.id] = nil end
    table.remove(storage.groups, index_of(storage.groups, group))
  end,
  view = function(self)
    return column {
      toolbar { "Groups", up = true, actions = { { "Add", id = "add_group", on_click = function() self:ask_name() end } } },
      list { id = "groups", items = storage.groups, empty = text { "No groups", id = "empty" },
        row = function(g)
          local n = #filter(storage.contacts, function(c) return c.groups["g" .. g.id] end)
          return row { id = "group_row", text { g.name, id = "name", weight = 1 }, text { tostring(n), id = "count" } }
        end,
        on_item_click = function(_, g) self:start("Members", { id = g.id }) end,
        on_item_long_click = function(_, g)
          self:popup { { "Rename", id = "rename", on_click = function() self:ask_name(g) end },
            { "Delete", id = "delete", on_click = function() self:remove(g) end } }
        end },
    }
  end,
}
activity "Members" {
  view = function(self)
    local group = find(storage.groups, function(g) return g.id == self.intent.id end)
    if not group then return column { toolbar { "Group", up = true }, text { "This group was deleted", id = "gone" } } end
    local key = "g" .. group.id
    return column {
      toolbar { group.name, subtitle = plural(#filter(storage.contacts, function(c) return c.groups[key] end), "member"), up = true },
      list { id = "people", items = sorted(storage.contacts), empty = text { "Nobody", id = "empty" },
        row = function(c)
          return row { id = "person_row", check { name_of(c), id = "member", checked = c.groups[key] or false, on_change = function(b) c.groups[key] = b or nil end } }
        end },
    }
  end,
}
activity "Duplicates" {
  result = function(self, request, data) if data and data.delete then delete_contacts(self, { ["c" .. data.delete] = true }) end end,
  pairs_of = function(self)
    local rows, seen = {}, {}
    for _, c in ipairs(storage.contacts) do
      local key = full(c):lower()
      if seen[key] then table.insert(rows, { a = seen[key], b = c }) else seen[key] = c end
    end
    return rows
  end,
  merge = function(self, a, b)
    for _, p in ipairs(b.phones) do
      local known = find(a.phones, function(q) return digits(q.number) == digits(p.number) end)
      if not known and not bug("merge_number") then table.insert(a.phones, p) end    -- merging drops what only the second has (Simple Contacts: merge)
    end
    if a.email == "" then a.email = b.email end
    if a.note == "" then a.note = b.note elseif b.note ~= "" and b.note ~= a.note then a.note = a.note .. "; " .. b.note end
    for k in pairs(b.groups) do a.groups[k] = true end
    a.favourite = a.favourite or b.favourite
    table.remove(storage.contacts, index_of(storage.contacts, b))
  end,
  view = function(self)
    return column {
      toolbar { "Duplicates", up = true },
      list { id = "duplicates", items = self:pairs_of(), empty = text { "No duplicates", id = "empty" },
        row = function(d)
          local numbers = each(d.a.phones, function(p) return p.number end)
          for _, p in ipairs(d.b.phones) do table.insert(numbers, p.number) end
          return row { id = "duplicate_row", column { weight = 1, text { name_of(d.a), id = "name" }, text { table.concat(numbers, ", "), id = "numbers", size = "small" } },
            button { "Merge", id = "merge", on_click = function() self:merge(d.a, d.b) end } }
        end,
        on_item_click = function(_, d) self:start_for_result("Contact", "contact", { id = d.a.id }) end },
    }
  end,
}
activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text "Names",
        radios { id = "names", items = { "First name first", "Surname first" }, selected = prefs.last_first and 2 or 1, on_change = function(i) prefs.last_first = i == 2 end },
        text "Start with",
        spinner { id = "start_tab", items = TABS, selected = prefs.start_tab, on_change = function(i) prefs.start_tab = i end },
        switch { "Show numbers in the list", id = "numbers", checked = prefs.numbers, on_change = function(b) prefs.numbers = b end },
        switch { "Ask before calling", id = "confirm_call", checked = prefs.confirm_call, on_change = function(b) prefs.confirm_call = b end },
      },
    }
  end,
}
