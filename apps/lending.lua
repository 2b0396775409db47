-- Who Has My Stuff: things lent to people and borrowed from them, with dates, reminders and a history.
-- Items carry the id of a person; people live in their own list.

local DAY = 24 * 60 * 60 * 1000
local TABS = { "Lent", "Borrowed", "Returned" }
local SORTS = { "Date", "Name" }
local ADDRESS_BOOK = { "Clara Wieck", "Fanny Hensel", "Hugo Wolf" }

app {
  package = "org.norn.lending",
  title = "Who Has My Stuff",
  main = "Main",
  permissions = { "READ_CONTACTS" },
  bugs = { "no_calendar", "contacts_denied", "deleted_person", "average_of_open", "stale_notification", "edit_keeps_person", "count_after_return",
    "filter_outlives_tab" },
  themis = {
    { n = 1, activity = "Edit", id = "calendar", kind = "tap" },
    { n = 2, activity = "Edit", id = "save", kind = "tap" },
    { n = 3, activity = "Edit", id = "contacts", kind = "tap" },
    { n = 4, activity = "Item", id = "returned", kind = "tap" },
    { n = 5, activity = "People", id = "person", kind = "long" },
    { n = 6, activity = "Item", id = "remind", kind = "tap" },
    { n = 7, activity = "Person", id = "statistics", kind = "tap" },
  },
  application = function()
    if storage.items then return end
    storage.people = { { id = 1, name = "Anton" }, { id = 2, name = "Bettina" }, { id = 3, name = "Clemens" } }
    storage.items = {
      { id = 1, what = "Ladder", person = 1, direction = "Lent", since = now() - 30 * DAY, back_by = now() - 2 * DAY },
      { id = 2, what = "Poems", person = 2, direction = "Lent", since = now() - 12 * DAY },
      { id = 3, what = "Drill", person = 3, direction = "Borrowed", since = now() - 5 * DAY, back_by = now() + 9 * DAY },
      { id = 4, what = "Tent", person = 1, direction = "Borrowed", since = now() - 90 * DAY, returned = now() - 80 * DAY },
    }
    storage.next_id = 5
    storage.out = 3                     -- how many things are not where they belong
  end,
}

local function item_by_id(id) return find(storage.items, function(item) return item.id == id end) end
local function person_by_id(id) return find(storage.people, function(person) return person.id == id end) end

local function new_id()
  local id = storage.next_id
  storage.next_id = id + 1
  return id
end

local function name_of(item)
  local person = person_by_id(item.person)
  if not person and not bug("deleted_person") then return "Somebody" end
  return person.name
end

local function count_out()
  return #filter(storage.items, function(item) return not item.returned end)
end

local function give_back(item, where)
  item.returned = now()
  if where == "detail" and bug("count_after_return") then return end     -- only the swipe keeps the count
  storage.out = storage.out - 1
end

local function due_text(item)
  if item.returned then return "returned " .. date(item.returned, "%Y-%m-%d") end
  if not item.back_by then return "since " .. date(item.since, "%Y-%m-%d") end
  local days = (item.back_by - now()) // DAY
  return days < 0 and "overdue by " .. -days .. " days" or "due in " .. days .. " days"
end

-- ---- the three lists ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab = saved.tab or 1
    self.sort = saved.sort or 1
    self.person, self.chip = saved.person, saved.chip
  end,
  save = function(self, out) out.tab, out.sort, out.person, out.chip = self.tab, self.sort, self.person, self.chip end,
  shown = function(self)
    local tab = TABS[self.tab]
    local items = filter(storage.items, function(item)
      local fits = tab == "Returned" and item.returned or tab == item.direction and not item.returned
      return fits and (not self.person or item.person == self.person)
    end)
    if self.sort == 2 then
      table.sort(items, function(a, b) return a.what < b.what end)
    else
      table.sort(items, function(a, b) return a.since < b.since end)
    end
    return items
  end,
  change_tab = function(self, i)
    self.tab = i
    self.chip = nil
    if not bug("filter_outlives_tab") then self.person = nil end
  end,
  ask_filter = function(self)
    local names = each(storage.people, function(person) return person.name end)
    table.insert(names, 1, "Everybody")
    self:dialog { title = "Show things of", items = names,
      on_item = function(i)
        self.person = i > 1 and storage.people[i - 1].id or nil
        self.chip = i > 1 and names[i] or nil
      end }
  end,
  ask_sort = function(self)
    self:dialog { title = "Sort by", items = SORTS, checked = self.sort, on_item = function(i) self.sort = i end }
  end,
  ask_delete = function(self, item)
    self:dialog { title = "Delete " .. item.what .. "?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local _, i = item_by_id(item.id)
        if not i then return end
        table.remove(storage.items, i)
        if not item.returned then storage.out = storage.out - 1 end
        if not bug("stale_notification") then cancel_notification(item.id) end
        toast("Deleted")
      end }
  end,
  menu = function(self)
    return {
      { "Sort by", id = "sort", on_click = function() self:ask_sort() end },
      { "Filter by person", id = "filter", on_click = function() self:ask_filter() end },
      { "People", id = "people", on_click = function() self:start("People") end },
      { "About", id = "about", on_click = function() self:start("About") end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Who Has My Stuff", subtitle = storage.out .. " things are out" },
      tabs { id = "directions", titles = TABS, selected = self.tab, on_change = function(i) self:change_tab(i) end },
      self.chip and row { text { "Only " .. self.chip, id = "chip", weight = 1 },
        image_button { id = "clear_filter", desc = "Clear filter", on_click = function() self.person, self.chip = nil, nil end } },
      list { id = "items", items = self:shown(), empty = text { "Nothing here", id = "empty" },
        row = function(item)
          return column {
            text { item.what, id = "what" },
            text { name_of(item) .. ", " .. due_text(item), id = "who", size = "small" },
          }
        end,
        on_item_click = function(_, item) self:start("Item", { id = item.id }) end,
        on_item_long_click = function(_, item) self:ask_delete(item) end,
        on_item_swipe = function(i, direction)
          local item = self:shown()[i]
          if direction == "right" and item and not item.returned then give_back(item, "swipe") end
        end },
      fab { id = "add", desc = "Add", on_click = function() self:start("Edit", { direction = self.tab == 2 and "Borrowed" or "Lent" }) end },
    }
  end,
}

-- ---- one thing ----

activity "Item" {
  remind = function(self, item)
    notify { id = item.id, title = "Ask for " .. item.what, text = name_of(item) .. " has it", activity = "Item", extras = { id = item.id } }
    toast("You will be reminded")
  end,
  give_back = function(self, item)
    give_back(item, "detail")
    cancel_notification(item.id)
    self:finish()
  end,
  ask_message = function(self, item)
    self:dialog { title = "Message to " .. name_of(item), items = { "Mail", "Text message", "Anything else" },
      on_item = function(i)
        if i == 1 then self:start_implicit { action = "SENDTO", uri = "mailto:friend@example.org" } end
        if i == 2 then self:start_implicit { action = "SENDTO", uri = "tel:100" } end
        if i == 3 then self:start_implicit { action = "SEND", type = "text/plain" } end
      end }
  end,
  view = function(self)
    local item = item_by_id(self.intent.id)
    if not item and not (bug("stale_notification") and self.intent.id) then
      return column { toolbar { "Thing", up = true }, text { "This was deleted", id = "gone" } }
    end
    return column {
      toolbar { item.what, up = true,
        actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = item.id }) end } } },
      text { item.direction == "Lent" and "Lent to " .. name_of(item) or "Borrowed from " .. name_of(item), id = "who" },
      text { "Since " .. date(item.since, "%Y-%m-%d"), id = "since" },
      text { due_text(item), id = "due" },
      item.note and text { item.note, id = "note" },
      not item.returned and button { "Returned", id = "returned", on_click = function() self:give_back(item) end },
      not item.returned and button { "Remind me", id = "remind", on_click = function() self:remind(item) end },
      button { "Message", id = "message", on_click = function() self:ask_message(item) end },
      person_by_id(item.person) and button { "Person", id = "open_person", on_click = function() self:start("Person", { id = item.person }) end },
    }
  end,
}

activity "Edit" {
  title = "Edit",
  create = function(self, intent, saved)
    self.item = intent.id and item_by_id(intent.id) or nil
    self.person = saved and saved.person or self.item and self.item.person
    self.back_by = saved and saved.back_by or self.item and self.item.back_by
  end,
  save = function(self, out) out.person, out.back_by = self.person, self.back_by end,
  person_name = function(self)
    local person = self.person and person_by_id(self.person)
    return person and person.name
  end,
  choose_person = function(self)
    local names = each(storage.people, function(person) return person.name end)
    self:dialog { title = "Who?", items = names, on_item = function(i) self.person = storage.people[i].id end }
  end,
  choose_date = function(self)
    self:dialog { title = "Back by", items = { "Tomorrow", "In a week", "In a month", "No date" },
      on_item = function(i)
        local days = ({ 1, 7, 30 })[i]
        self.back_by = days and now() + days * DAY or nil
      end }
  end,
  contact_names = function(self)
    if not has_permission("READ_CONTACTS") then return nil end
    return ADDRESS_BOOK
  end,
  choose_contact = function(self)
    self:ask_permission("READ_CONTACTS", function(granted)
      if self:is_finishing() then return end
      if not granted and not bug("contacts_denied") then return toast("No contacts without your permission") end
      local names = self:contact_names()
      self:dialog { title = #names .. " contacts", items = names,
        on_item = function(_, name)
          local person = find(storage.people, function(p) return p.name == name end)
          if not person then
            person = { id = new_id(), name = name }
            table.insert(storage.people, person)
          end
          self.person = person.id
        end }
    end)
  end,
  store = function(self)
    local what = trim(self:text("what"))
    if what == "" then return toast("What is it?") end
    if not self.person then return toast("Who has it?") end
    local item = self.item
    if item then
      item.what, item.back_by = what, self.back_by
      if not bug("edit_keeps_person") or item.person == nil then item.person = self.person end
    else
      item = { id = new_id(), what = what, person = self.person, direction = self.intent.direction or "Lent", since = now(), back_by = self.back_by }
      table.insert(storage.items, item)
      storage.out = storage.out + 1
    end
    local note = trim(self:text("note"))
    item.note = note ~= "" and note or nil
    if self:checked("calendar") and self.back_by then self:add_to_calendar(item) end
    self:finish()
  end,
  add_to_calendar = function(self, item)
    local intent = { action = "INSERT", type = "vnd.android.cursor.item/event" }
    if not bug("no_calendar") and not can_handle(intent) then return toast("There is no calendar") end
    self:start_implicit(intent)
  end,
  view = function(self)
    local item = self.item
    return column {
      toolbar { item and "Edit" or "New", up = true },
      scroll {
        field { id = "what", hint = "What", text = item and item.what or "" },
        field { id = "note", hint = "Note", text = item and item.note or "", input = "multiline" },
        button { self:person_name() or "Choose a person", id = "choose_person", on_click = function() self:choose_person() end },
        button { "From contacts", id = "contacts", on_click = function() self:choose_contact() end },
        button { self.back_by and "Back by " .. date(self.back_by, "%Y-%m-%d") or "No return date", id = "back_by",
          on_click = function() self:choose_date() end },
        check { "Add to calendar", id = "calendar", default = false, enabled = self.back_by ~= nil },
        button { "Save", id = "save", on_click = function() self:store() end },
      },
    }
  end,
}

-- ---- people ----

activity "People" {
  ask_delete = function(self, person)
    local open = find(storage.items, function(item) return item.person == person.id and not item.returned end)
    if open then return toast(person.name .. " still has to do with " .. open.what) end
    self:dialog { title = "Delete " .. person.name .. "?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local _, i = person_by_id(person.id)
        if i then table.remove(storage.people, i) end
      end }
  end,
  ask_new = function(self)
    self:dialog { title = "New person", cancel = "Cancel", ok = "Add",
      view = function() return column { field { id = "person_name", hint = "Name" } } end,
      on_ok = function()
        local name = trim(self:text("person_name"))
        if name == "" then return true end
        table.insert(storage.people, { id = new_id(), name = name })
      end }
  end,
  view = function(self)
    return column {
      toolbar { "People", up = true },
      list { id = "people_list", items = storage.people, empty = text { "Nobody", id = "empty" },
        row = function(person) return text { person.name, id = "person" } end,
        on_item_click = function(_, person) self:start("Person", { id = person.id }) end,
        on_item_long_click = function(_, person) self:ask_delete(person) end },
      fab { id = "add_person", desc = "Add person", on_click = function() self:ask_new() end },
    }
  end,
}

activity "Person" {
  loans = function(self) return filter(storage.items, function(item) return item.person == self.intent.id end) end,
  statistics = function(self)
    local loans = self:loans()
    if #loans == 0 then return toast("Nothing lent or borrowed yet") end
    local days, done = 0, 0
    for _, item in ipairs(loans) do
      if item.returned then
        days = days + (item.returned - item.since) // DAY
        done = done + 1
      end
    end
    if done == 0 and not bug("average_of_open") then return toast("Nothing came back yet") end
    self:dialog { title = "Statistics", message = "On average back after " .. days // done .. " days", ok = "OK" }
  end,
  view = function(self)
    local person = person_by_id(self.intent.id)
    if not person then return column { toolbar { "Person", up = true }, text { "Deleted", id = "gone" } } end
    return column {
      toolbar { person.name, up = true },
      row {
        button { "Statistics", id = "statistics", on_click = function() self:statistics() end },
        button { "Call", id = "call", on_click = function() self:start_implicit { action = "DIAL", uri = "tel:100" } end },
      },
      list { id = "loans", items = self:loans(), empty = text { "No history", id = "empty" },
        row = function(item) return text { item.what .. ": " .. due_text(item), id = "loan" } end,
        on_item_click = function(_, item) self:start("Item", { id = item.id }) end },
    }
  end,
}

activity "About" {
  view = function(self)
    return column {
      toolbar { "About", up = true },
      text { "Keeps track of what you lend and borrow.", id = "about" },
      text { count_out() .. " of " .. #storage.items .. " things are out", id = "summary" },
      button { "Web site", id = "web", on_click = function() self:start_implicit { action = "VIEW", uri = "https://stuff.example.org" } end },
    }
  end,
}
