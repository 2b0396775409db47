-- Roster: contacts, favourites and groups, with birthdays, blocked numbers, duplicates and a trash.

local DAY = 24 * 60 * 60 * 1000
local MAX_CONTACTS, MAX_GROUPS, MAX_PHONES = 150, 20, 5
local PHONE_TYPES = { "Mobile", "Home", "Work" }
local MONTHS = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December" }
local MONTH_DAYS = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 }
local TABS = { "Contacts", "Favourites", "Groups" }

app {
  package = "org.norn.roster", title = "Roster", main = "Main",
  bugs = { "section_letters", "select_all_hidden", "trashed_in_count", "merge_numbers", "phone_row", "discard_groups", "birthday_wrap",
    "blocked_format" },
  application = function()
    if storage.contacts then return end
    storage.next_id = 100
    storage.groups = { { id = 1, name = "Family" }, { id = 2, name = "Friends" }, { id = 3, name = "Work" }, { id = 4, name = "Choir" } }
    storage.blocked = { "+1 900 555 0199" }
    storage.contacts = {}
    for i, x in ipairs {
      { "Anna", "Berg", "", { { 1, "+46 70 555 0101" } }, "anna@example.org", { 3, 9 }, { 1 }, true },
      { "Ben", "Ode", "Harbour Books", { { 1, "555 0134" }, { 3, "555 0190" } }, "ben@example.org", nil, { 3 } },
      { "Clara", "Novak", "", { { 1, "555 0177" } }, "", { 7, 21 }, { 2 } },
      { "Clara", "Novak", "City Choir", { { 2, "555 0148" } }, "clara@example.org", nil, { 4 } },
      { "David", "Young", "", { { 1, "555 0122" }, { 2, "555 0123" }, { 3, "555 0124" } }, "", nil, { 3 }, true },
      { "Eva", "Adler", "", { { 1, "555 0160" } }, "eva@example.org", { 1, 14 }, { 1 } },
      { "Farid", "Zaman", "", { { 1, "555 0181" } }, "", { 12, 2 }, { 2, 4 } },
      { "Grace", "Lund", "Lund & Sons", {}, "grace@example.org", nil, { 3 } },
      { "Hugo", "Castle", "", { { 1, "555 0119" } }, "", { 2, 20 }, { 2 } },
      { "", "", "Pizza Porto", { { 3, "555 0155" } }, "", nil, {} },
      { "Ines", "Moreau", "", { { 1, "+33 6 55 50 12 00" } }, "ines@example.org", { 3, 30 }, { 4 }, true },
      { "Jonas", "Berg", "", { { 2, "555 0102" } }, "", nil, { 1 } },
      { "Karl", "Ost", "", { { 2, "555 0170" } }, "", nil, {}, false, true },
    } do
      storage.contacts[i] = { id = i, first = x[1], last = x[2], company = x[3], phones = each(x[4], function(p) return { type = p[1], number = p[2] } end),
        email = x[5], month = x[6] and x[6][1], day = x[6] and x[6][2], groups = x[7], favourite = x[8] == true, trashed = x[9], note = "" }
    end
    prefs.sort_last, prefs.last_first, prefs.numbers, prefs.tab = false, false, false, 1
  end,
}

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function contact_of(id) return (find(storage.contacts, function(c) return c.id == id and not c.trashed end)) end
local function group_of(id) return (find(storage.groups, function(g) return g.id == id end)) end
local function forget(list, x) if index_of(list, x) then table.remove(list, index_of(list, x)) end end
local function toggle(list, x) if index_of(list, x) then forget(list, x) else table.insert(list, x) end end
local function add_to(c, group) if not index_of(c.groups, group) then table.insert(c.groups, group) end end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end

local function digits(number) return (number:gsub("[^%d+]", "")) end
local function same_number(a, b)
  if bug("blocked_format") then return a == b end
  return digits(a) == digits(b)
end

-- Names and order -----------------------------------------------------------------------------------------

local function full_name(c) return trim(c.first .. " " .. c.last) end
local function display(c)
  if full_name(c) == "" then return c.company ~= "" and c.company or c.phones[1] and c.phones[1].number or c.email end
  if prefs.last_first and c.first ~= "" and c.last ~= "" then return c.last .. ", " .. c.first end
  return full_name(c)
end

local function sort_key(c)
  if full_name(c) == "" then return display(c):lower() end
  return trim(prefs.sort_last and c.last .. " " .. c.first or full_name(c)):lower()
end

local function letter(c)
  local key = bug("section_letters") and full_name(c) ~= "" and full_name(c) or sort_key(c)
  local first = key:sub(1, (utf8.offset(key, 2) or 2) - 1):upper()
  return first:match("^[%d%p%s]") and "#" or first
end

local function sorted(list)
  local result = copy(list)
  table.sort(result, function(a, b)
    if sort_key(a) ~= sort_key(b) then return sort_key(a) < sort_key(b) end
    return a.id < b.id
  end)
  return result
end

local function contacts(test) return sorted(filter(storage.contacts, function(c) return not c.trashed and (not test or test(c)) end)) end
local function members(group) return contacts(function(c) return index_of(c.groups, group.id) ~= nil end) end
local function groups_text(ids)
  local names = each(filter(storage.groups, function(g) return index_of(ids, g.id) ~= nil end), function(g) return g.name end)
  return #names > 0 and table.concat(names, ", ") or "No groups"
end

local function is_blocked(number) return find(storage.blocked, function(b) return same_number(b, number) end) ~= nil end

local function contact_row(c, chosen)
  return column { id = "contact_row", selected = chosen, text { (chosen and "✓ " or "") .. display(c), id = "name", size = "large" },
    prefs.numbers and text { c.phones[1] and c.phones[1].number or "No number", id = "number", size = "small" } }
end

local function contact_list(self, id, list_of, nothing, more)
  local widget = { id = id, items = list_of, empty = text { nothing, id = "empty" }, row = function(c) return contact_row(c) end,
    on_item_click = function(_, c) self:start("Contact", { id = c.id }) end }
  for name, value in pairs(more or {}) do widget[name] = value end
  return list(widget)
end

local function move_to_trash(self, list_of)
  for _, c in ipairs(list_of) do c.trashed = true end
  self:snackbar(plural(#list_of, "contact") .. " deleted", "Undo", function() for _, c in ipairs(list_of) do c.trashed = nil end end)
end

local function ask_group_name(self, group)
  self:dialog { title = group and "Rename group" or "New group", ok = "Save", cancel = "Cancel",
    view = function() return column { field { id = "group_name", hint = "Name", text = group and group.name or "", max = 25 } } end,
    on_ok = function()
      local name = trim(self:text("group_name"))
      local same = find(storage.groups, function(g) return g ~= group and g.name:lower() == name:lower() end)
      if name == "" or same then toast(same and "There is one of that name" or "Give it a name") return true end
      if group then group.name = name return end
      if #storage.groups >= MAX_GROUPS then return toast("Too many groups") end
      table.insert(storage.groups, { id = new_id(), name = name })
    end }
end

local function ask_delete_group(self, group, done)
  self:dialog { title = "Delete " .. group.name .. "?", message = "Its members stay", ok = "Delete", cancel = "Cancel",
    on_ok = function()
      forget(storage.groups, group)
      for _, c in ipairs(storage.contacts) do forget(c.groups, group.id) end
      if done then done() end
    end }
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.query, self.searching, self.picked = saved.tab or prefs.tab, saved.query or "", saved.searching, saved.picked
  end,
  save = function(self, out) out.tab, out.query, out.searching, out.picked = self.tab, self.query, self.searching, self.picked end,
  resume = function(self) if self.picked then self:pick(filter(self.picked, contact_of)) end end,
  back = function(self)
    if self.picked then self.picked = nil return true end
    if self.searching then self:close_search() return true end
    return false
  end,
  close_search = function(self)
    self.searching, self.query = false, ""
    self:set_text("query", "")
    self:hide_keyboard()
  end,
  go = function(self, tab)
    self.picked = nil
    if self.searching then self:close_search() end
    self.tab = tab
  end,
  shown = function(self)
    local query = trim(self.query):lower()
    if query == "" then return contacts() end
    local number = query:match("^[%d%s+()/-]+$") and digits(query) or ""
    return contacts(function(c)
      if contains((full_name(c) .. "\n" .. display(c) .. "\n" .. c.company .. "\n" .. c.email):lower(), query) then return true end
      return number ~= "" and find(c.phones, function(p) return contains(digits(p.number), number) end) ~= nil
    end)
  end,
  with_letters = function(self, list_of)
    local rows, last = {}, nil
    for _, c in ipairs(list_of) do
      if letter(c) ~= last then table.insert(rows, { letter = letter(c) }) end
      last = letter(c)
      table.insert(rows, c)
    end
    return rows
  end,
  pick = function(self, ids) self.picked = #ids > 0 and ids or nil end,
  toggle = function(self, c)
    self.picked = self.picked or {}
    toggle(self.picked, c.id)
    self:pick(self.picked)
  end,
  pick_all = function(self)
    self:pick(each(bug("select_all_hidden") and contacts() or self:shown(), function(c) return c.id end))
  end,
  picked_contacts = function(self) return contacts(function(c) return index_of(self.picked, c.id) ~= nil end) end,
  delete_picked = function(self)
    local list_of = self:picked_contacts()
    self.picked = nil
    move_to_trash(self, list_of)
  end,
  group_picked = function(self)
    if #storage.groups == 0 then return toast("There are no groups") end
    self:dialog { title = "Add to group", items = each(storage.groups, function(g) return g.name end), cancel = "Cancel",
      on_item = function(i)
        local group = storage.groups[i]
        each(self:picked_contacts(), function(c) add_to(c, group.id) end)
        self.picked = nil
        toast("Added to " .. group.name)
      end }
  end,
  menu = function(self)
    if self.picked then return {} end
    local function page(title, id, name) return { title, id = id, on_click = function() self:start(name) end } end
    return { page("Birthdays", "birthdays", "Birthdays"), page("Duplicates", "duplicates", "Duplicates"),
      page("Blocked numbers", "blocked", "Blocked"), page("Trash", "trash", "Trash"), page("Overview", "overview", "Overview"),
      page("Settings", "settings", "Settings") }
  end,
  bar = function(self)
    if self.picked then
      return toolbar { #self.picked .. " selected", up = function() self.picked = nil end, actions = {
        { "Select all", id = "select_all", on_click = function() self:pick_all() end },
        { "Add to group", id = "group_picked", on_click = function() self:group_picked() end },
        { "Delete", id = "delete_picked", on_click = function() self:delete_picked() end } } }
    end
    return toolbar { "Roster", actions = self.tab == 1 and { { "Search", id = "search", on_click = function()
      if self.searching then self:close_search() else self.searching = true end
    end } } or nil }
  end,
  contacts_tab = function(self)
    return {
      self.searching and not self.picked and field { id = "query", hint = "Name, company or number", text = self.query, max = 30,
        on_change = function(s) self.query = s end },
      contact_list(self, "contacts", self:with_letters(self:shown()), "No contacts", {
        row = function(c)
          if c.letter then return text { c.letter, id = "letter", size = "small" } end
          return contact_row(c, self.picked and index_of(self.picked, c.id) ~= nil)
        end,
        on_item_click = function(_, c)
          if c.letter then return end
          if self.picked then self:toggle(c) else self:start("Contact", { id = c.id }) end
        end,
        on_item_long_click = function(_, c) if not c.letter then self:toggle(c) end end }),
      not self.picked and fab { id = "add", desc = "New contact", on_click = function() self:start("Edit") end },
    }
  end,
  groups_tab = function(self)
    return {
      list { id = "groups", items = storage.groups, empty = text { "No groups", id = "empty" },
        row = function(g)
          local n = #members(g)
          if bug("trashed_in_count") then n = #filter(storage.contacts, function(c) return index_of(c.groups, g.id) ~= nil end) end
          return row { id = "group_row", text { g.name, id = "group_label", weight = 1 }, text { plural(n, "contact"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, g) self:start("Group", { id = g.id }) end,
        on_item_long_click = function(_, g)
          self:popup { { "Rename", id = "rename", on_click = function() ask_group_name(self, g) end },
            { "Delete", id = "delete_group", on_click = function() ask_delete_group(self, g) end } }
        end },
      fab { id = "add_group", desc = "New group", on_click = function() ask_group_name(self) end },
    }
  end,
  view = function(self)
    local favourites = contacts(function(c) return c.favourite end)
    return column {
      self:bar(),
      tabs { id = "tabs", titles = TABS, selected = self.tab, on_change = function(i) self:go(i) end },
      self.tab == 1 and self:contacts_tab() or self.tab == 2 and contact_list(self, "favourites", favourites, "No favourites") or self:groups_tab(),
    }
  end,
}

-- One contact ---------------------------------------------------------------------------------------------

local function days_until(c)
  local function day_in(year)
    local leap = year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
    local day = (year - 1970) * 365 + (year - 1969) // 4 - (year - 1901) // 100 + (year - 1601) // 400
    for m = 1, c.month - 1 do day = day + (m == 2 and not leap and 28 or MONTH_DAYS[m]) end
    return day + math.min(c.day, c.month == 2 and not leap and 28 or c.day) - 1
  end
  local year, today = tonumber(date(now(), "%Y")), now() // DAY
  local day = day_in(year)
  return (day < today and day_in(year + 1) or day) - today
end

local function birthday_text(c)
  local days = days_until(c)
  return c.day .. " " .. MONTHS[c.month] .. ", " .. (days == 0 and "today" or days == 1 and "tomorrow" or "in " .. days .. " days")
end

activity "Contact" {
  delete = function(self, c)
    self:dialog { title = "Delete " .. display(c) .. "?", message = "It can be restored from the trash", ok = "Delete", cancel = "Cancel",
      on_ok = function() c.trashed = true self:finish() end }
  end,
  number_menu = function(self, p)
    self:popup {
      { "Copy", id = "copy", on_click = function() clipboard.set(p.number) toast("Copied") end },
      is_blocked(p.number) and { "Unblock", id = "unblock", on_click = function()
        storage.blocked = filter(storage.blocked, function(b) return not same_number(b, p.number) end)
      end } or { "Block", id = "block", on_click = function() table.insert(storage.blocked, p.number) end },
    }
  end,
  menu = function(self)
    local c = contact_of(self.intent.id)
    return c and { { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
      { "Delete", id = "delete", on_click = function() self:delete(c) end } } or {}
  end,
  view = function(self)
    local c = contact_of(self.intent.id)
    if not c then return column { toolbar { "Contact", up = true }, text { "This contact was deleted", id = "gone" } } end
    return column {
      toolbar { display(c), up = true, actions = {
        { c.favourite and "Remove from favourites" or "Add to favourites", id = "favourite", on_click = function() c.favourite = not c.favourite end },
        { "Edit", id = "edit", on_click = function() self:start("Edit", { id = c.id }) end } } },
      scroll {
        c.favourite and text { "★ Favourite", id = "is_favourite" },
        c.company ~= "" and text { c.company, id = "company" },
        each(c.phones, function(p)
          return text { PHONE_TYPES[p.type] .. ": " .. p.number .. (is_blocked(p.number) and " (blocked)" or ""), id = "phone_line",
            on_click = function() self:start_implicit { action = "DIAL" } end, on_long_click = function() self:number_menu(p) end }
        end),
        c.email ~= "" and text { c.email, id = "email_line", on_click = function() self:start_implicit { action = "SENDTO" } end },
        c.month and text { "Birthday: " .. birthday_text(c), id = "birthday" },
        text { groups_text(c.groups), id = "groups_line" },
        c.note ~= "" and text { c.note, id = "note_line" },
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local c = contact_of(intent.id)
    local start_groups = group_of(intent.group) and { intent.group } or {}
    if saved then self.base, self.types, self.groups, self.month = saved.base, saved.types, saved.groups, saved.month return end
    self.base = { first = c and c.first or "", last = c and c.last or "", company = c and c.company or "", email = c and c.email or "",
      note = c and c.note or "", day = c and c.day and tostring(c.day) or "", month = c and c.month or nil,
      phones = c and each(c.phones, function(p) return { type = p.type, number = p.number } end) or {}, groups = copy(c and c.groups or start_groups) }
    self.types = each(self.base.phones, function(p) return p.type end)
    self.groups = bug("discard_groups") and c and c.groups or copy(self.base.groups)
    self.month = self.base.month
  end,
  save = function(self, out) out.base, out.types, out.groups, out.month = self.base, self.types, self.groups, self.month end,
  numbers = function(self) return each(self.types, function(_, i) return trim(self:text("phone_" .. i)) end) end,
  add_phone = function(self)
    if #self.types >= MAX_PHONES then return toast("That is enough") end
    table.insert(self.types, 1)
    self:set_text("phone_" .. #self.types, "")
  end,
  remove_phone = function(self, i)
    local numbers = self:numbers()
    table.remove(numbers, i)
    table.remove(self.types, i)
    if bug("phone_row") then return end
    for k, number in ipairs(numbers) do self:set_text("phone_" .. k, number) end
  end,
  ask_groups = function(self)
    if #storage.groups == 0 then return toast("There are no groups") end
    self:dialog { title = "Groups", ok = "Done",
      view = function() return scroll { each(storage.groups, function(g)
        return check { g.name, id = "group", checked = index_of(self.groups, g.id) ~= nil, on_change = function() toggle(self.groups, g.id) end }
      end) } end }
  end,
  changed = function(self)
    if find({ "first", "last", "company", "email", "note" }, function(id) return self:text(id) ~= self.base[id] end) then return true end
    if self.month ~= self.base.month or self.month and self:text("day") ~= self.base.day or #self.types ~= #self.base.phones then return true end
    for i, number in ipairs(self:numbers()) do
      if number ~= self.base.phones[i].number or self.types[i] ~= self.base.phones[i].type then return true end
    end
    return groups_text(self.groups) ~= groups_text(self.base.groups)
  end,
  leave = function(self)
    if not self:changed() then return self:finish() end
    self:dialog { title = "Discard your changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Keep editing" }
  end,
  back = function(self) self:leave() return true end,
  store = function(self)
    local phones, day = {}, tonumber(self:text("day"))
    for i, number in ipairs(self:numbers()) do
      if number ~= "" then table.insert(phones, { type = self.types[i], number = number }) end
    end
    local function value(id) return trim(self:text(id)) end
    if value("first") .. value("last") .. value("company") .. value("email") == "" and #phones == 0 then return toast("Give it a name") end
    if self.month and (not day or day < 1 or day > MONTH_DAYS[self.month]) then return toast("There is no such day") end
    local c = contact_of(self.intent.id)
    if not c then
      if #storage.contacts >= MAX_CONTACTS then return toast("Too many contacts") end
      c = { id = new_id(), favourite = false }
      table.insert(storage.contacts, c)
    end
    c.first, c.last, c.company, c.email, c.note = value("first"), value("last"), value("company"), value("email"), value("note")
    c.phones, c.month, c.day = phones, self.month, self.month and day or nil
    c.groups = filter(self.groups, function(id) return group_of(id) ~= nil end)
    self:finish()
  end,
  view = function(self)
    local months = copy(MONTHS)
    table.insert(months, 1, "No birthday")
    return column {
      toolbar { self.intent.id and "Edit contact" or "New contact", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "first", hint = "First name", text = self.base.first, max = 30 },
        field { id = "last", hint = "Last name", text = self.base.last, max = 30 },
        field { id = "company", hint = "Company", text = self.base.company, max = 30 },
        each(self.types, function(kind, i)
          return row {
            spinner { id = "type_" .. i, items = PHONE_TYPES, selected = kind, on_change = function(k) self.types[i] = k end },
            field { id = "phone_" .. i, hint = "Number", input = "phone", max = 20, weight = 1,
              text = self.base.phones[i] and self.base.phones[i].number or "" },
            image_button { id = "remove_" .. i, desc = "Remove number", on_click = function() self:remove_phone(i) end },
          }
        end),
        button { "Add number", id = "add_phone", on_click = function() self:add_phone() end },
        field { id = "email", hint = "E-mail", text = self.base.email, input = "email", max = 40 },
        spinner { id = "month", items = months, selected = (self.month or 0) + 1, on_change = function(i) self.month = i > 1 and i - 1 or nil end },
        self.month and field { id = "day", hint = "Day", text = self.base.day, input = "number", max = 2 },
        button { groups_text(self.groups), id = "choose_groups", desc = "Groups", on_click = function() self:ask_groups() end },
        field { id = "note", hint = "Note", text = self.base.note, input = "multiline", max = 200 },
      },
    }
  end,
}

-- Groups --------------------------------------------------------------------------------------------------

activity "Group" {
  menu = function(self)
    local group = group_of(self.intent.id)
    return group and {
      { "New contact", id = "new_member", on_click = function() self:start("Edit", { group = group.id }) end },
      { "Rename", id = "rename", on_click = function() ask_group_name(self, group) end },
      { "Delete", id = "delete_group", on_click = function() ask_delete_group(self, group, function() self:finish() end) end },
    } or {}
  end,
  view = function(self)
    local group = group_of(self.intent.id)
    if not group then return column { toolbar { "Group", up = true }, text { "This group was deleted", id = "gone" } } end
    local list_of = members(group)
    local addresses = #filter(list_of, function(c) return c.email ~= "" end)
    return column {
      toolbar { group.name, up = true, subtitle = plural(#list_of, "contact"),
        actions = { { "Members", id = "choose_members", on_click = function() self:start("Members", { id = group.id }) end } } },
      button { "E-mail to " .. plural(addresses, "member"), id = "email_all", enabled = addresses > 0,
        on_click = function() self:start_implicit { action = "SENDTO" } end },
      contact_list(self, "members", list_of, "Nobody yet", {
        on_item_long_click = function(_, c)
          self:popup { { "Remove from group", id = "remove_member", on_click = function() forget(c.groups, group.id) end } }
        end }),
    }
  end,
}

activity "Members" {
  create = function(self, intent, saved)
    local group = group_of(intent.id)
    self.ids = saved and saved.ids or group and each(members(group), function(c) return c.id end) or {}
  end,
  save = function(self, out) out.ids = self.ids end,
  store = function(self, group)
    for _, c in ipairs(contacts()) do
      if (index_of(self.ids, c.id) ~= nil) ~= (index_of(c.groups, group.id) ~= nil) then toggle(c.groups, group.id) end
    end
    self:finish()
  end,
  view = function(self)
    local group = group_of(self.intent.id)
    if not group then return column { toolbar { "Members", up = true }, text { "This group was deleted", id = "gone" } } end
    return column {
      toolbar { group.name, up = true, actions = { { "Save", id = "save", on_click = function() self:store(group) end } } },
      list { id = "everybody", items = contacts(),
        row = function(c) return check { display(c), id = "member", checked = index_of(self.ids, c.id) ~= nil,
          on_change = function() toggle(self.ids, c.id) end } end },
    }
  end,
}

-- The rest ------------------------------------------------------------------------------------------------

activity "Birthdays" {
  view = function(self)
    local list_of = contacts(function(c) return c.month ~= nil end)
    table.sort(list_of, function(a, b)
      if bug("birthday_wrap") then return a.month * 100 + a.day < b.month * 100 + b.day end
      return days_until(a) < days_until(b)
    end)
    return column {
      toolbar { "Birthdays", up = true },
      contact_list(self, "birthday_list", list_of, "No birthdays", {
        row = function(c) return column { id = "birthday_row", text { display(c), id = "name" }, text { birthday_text(c), id = "date", size = "small" } } end }),
    }
  end,
}

activity "Duplicates" {
  doubles = function(self)
    local by_name, result = {}, {}
    for _, c in ipairs(contacts(function(c) return full_name(c) ~= "" end)) do
      local key = full_name(c):lower()
      by_name[key] = by_name[key] or {}
      table.insert(by_name[key], c)
      if #by_name[key] == 2 then table.insert(result, by_name[key]) end
    end
    return result
  end,
  merge = function(self, list_of)
    local kept = list_of[1]
    for i = 2, #list_of do
      local c = list_of[i]
      for _, p in ipairs(bug("merge_numbers") and #kept.phones > 0 and {} or c.phones) do
        if not find(kept.phones, function(k) return digits(k.number) == digits(p.number) end) then table.insert(kept.phones, p) end
      end
      each(c.groups, function(id) add_to(kept, id) end)
      if kept.company == "" then kept.company = c.company end
      if kept.email == "" then kept.email = c.email end
      kept.note = trim(kept.note .. "\n" .. c.note)
      if not kept.month then kept.month, kept.day = c.month, c.day end
      kept.favourite = kept.favourite or c.favourite
      forget(storage.contacts, c)
    end
    self:start("Contact", { id = kept.id })
  end,
  view = function(self)
    return column {
      toolbar { "Duplicates", up = true },
      list { id = "doubles", items = self:doubles(), empty = text { "No duplicates", id = "empty" },
        row = function(list_of)
          return row { id = "double_row", text { display(list_of[1]) .. " (" .. #list_of .. ")", id = "name", weight = 1 },
            button { "Merge", id = "merge", on_click = function() self:merge(list_of) end } }
        end },
    }
  end,
}

activity "Blocked" {
  block = function(self)
    local number = trim(self:text("new_number"))
    if digits(number) == "" then return toast("Enter a number") end
    if is_blocked(number) then return toast("It is blocked already") end
    table.insert(storage.blocked, number)
    self:set_text("new_number", "")
  end,
  view = function(self)
    return column {
      toolbar { "Blocked numbers", up = true },
      row { field { id = "new_number", hint = "Number", input = "phone", max = 20, weight = 1, on_submit = function() self:block() end },
        button { "Block", id = "block_number", on_click = function() self:block() end } },
      list { id = "blocked_list", items = storage.blocked, empty = text { "Nothing is blocked", id = "empty" },
        row = function(number)
          local owner = contacts(function(c) return find(c.phones, function(p) return same_number(p.number, number) end) ~= nil end)[1]
          return column { id = "blocked_row", text { number, id = "number" }, owner and text { display(owner), id = "owner", size = "small" } }
        end,
        on_item_long_click = function(i) self:popup { { "Unblock", id = "unblock", on_click = function() table.remove(storage.blocked, i) end } } end },
    }
  end,
}

activity "Trash" {
  view = function(self)
    local list_of = sorted(filter(storage.contacts, function(c) return c.trashed end))
    return column {
      toolbar { "Trash", up = true, actions = #list_of > 0 and { { "Empty", id = "empty_trash", on_click = function()
        self:dialog { title = "Delete " .. plural(#list_of, "contact") .. " for ever?", ok = "Delete", cancel = "Cancel",
          on_ok = function() storage.contacts = filter(storage.contacts, function(c) return not c.trashed end) end }
      end } } or nil },
      contact_list(self, "trash_list", list_of, "The trash is empty", { on_item_click = function(_, c)
        self:popup { { "Restore", id = "restore", on_click = function() c.trashed = nil end },
          { "Delete for ever", id = "delete_forever", on_click = function() forget(storage.contacts, c) end } }
      end }),
    }
  end,
}

activity "Overview" {
  view = function(self)
    local function count(test) return #contacts(test) end
    return column {
      toolbar { "Overview", up = true },
      scroll {
        text { plural(count(), "contact"), id = "total", size = "large" },
        text { "Favourites: " .. count(function(c) return c.favourite end), id = "favourites" },
        text { "With a number: " .. count(function(c) return #c.phones > 0 end), id = "with_number" },
        text { "With e-mail: " .. count(function(c) return c.email ~= "" end), id = "with_email" },
        text { "In no group: " .. count(function(c) return #c.groups == 0 end), id = "no_group" },
        each(storage.groups, function(g) return text { g.name .. ": " .. #members(g), id = "group_line" } end),
      },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text "Sort by",
        radios { id = "sort_by", items = { "First name", "Last name" }, selected = prefs.sort_last and 2 or 1,
          on_change = function(i) prefs.sort_last = i == 2 end },
        switch { "Show the last name first", id = "last_first", checked = prefs.last_first, on_change = function(b) prefs.last_first = b end },
        switch { "Show numbers in lists", id = "numbers", checked = prefs.numbers, on_change = function(b) prefs.numbers = b end },
        text "Open with",
        spinner { id = "start_tab", items = TABS, selected = prefs.tab, on_change = function(i) prefs.tab = i end },
      },
    }
  end,
}
