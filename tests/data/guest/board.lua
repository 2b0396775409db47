-- Task Board: cards in three columns, with due days, labels and checklists, an archive and a search.
--
-- Cards stand as they were put; another order can be chosen. The column Done is always told from the latest on.
-- Doing may be limited to a few cards. Archived cards count nowhere.

app {
  package = "org.guest.board",
  title = "Task Board",
  main = "Board",
  bugs = { "move_undo", "count_archived", "restore_bare", "label_prefix", "due_not_cleared", "wip_limit", "due_text_sort",
    "labels_cancel" },
  application = function()
    if storage.cards then return end
    storage.next_id = 20
    storage.labels = { "garden", "home", "homework", "urgent" }
    storage.cards = {
      { id = 1, title = "Paint the fence", text = "Two coats of green", column = 1, due = "2024-03-12", labels = { "garden" }, items = {} },
      { id = 2, title = "Book a dentist", text = "", column = 1, due = "2024-03-09", labels = { "urgent" }, items = {} },
      { id = 3, title = "Read chapter four", text = "", column = 1, labels = { "homework" }, items = {} },
      { id = 4, title = "Fix the tap", text = "In the bathroom", column = 2, due = "2024-02-28", labels = { "home", "urgent" },
        items = { { text = "Buy a washer", done = true }, { text = "Turn off the water" } } },
      { id = 5, title = "Essay outline", text = "", column = 2, due = "2024-03-20", labels = { "homework" }, items = {} },
      { id = 6, title = "Wash the car", text = "", column = 3, labels = { "home" }, items = {} },
    }
    storage.archive = {}
    prefs.sort, prefs.limit, prefs.show_labels, prefs.ask = 1, 4, true, false
  end,
}

local COLUMNS = { "To do", "Doing", "Done" }
local SORTS = { "As arranged", "By due day", "By title" }
local LIMITS = { "No limit", "2 cards", "3 cards", "4 cards", "5 cards" }
local MONTHS = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" }
local MAX_CARDS, MAX_LABELS, MAX_ITEMS = 80, 12, 12

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function card_of(id) return (find(storage.cards, function(c) return c.id == id end)) end
local function today() return date(now(), "%Y-%m-%d") end

local function day_text(day)
  local text = tonumber(day:sub(9)) .. " " .. MONTHS[tonumber(day:sub(6, 7))]
  return day:sub(1, 4) == today():sub(1, 4) and text or text .. " " .. day:sub(1, 4)
end

local function is_day(s)
  local y, m, d = s:match("^(20%d%d)%-(%d%d)%-(%d%d)$")
  y, m, d = tonumber(y), tonumber(m), tonumber(d)
  if not y or m < 1 or m > 12 or d < 1 then return false end
  local longest = m == 2 and (y % 4 == 0 and 29 or 28) or (m == 4 or m == 6 or m == 9 or m == 11) and 30 or 31
  return d <= longest
end

local function overdue(c) return c.due and c.due < today() and c.column < 3 end
local function due_text(c) return "Due " .. day_text(c.due) .. (overdue(c) and " (overdue)" or "") end

local function checklist_text(c)
  return "Checklist " .. #filter(c.items, function(x) return x.done end) .. "/" .. #c.items
end

local function details(c)
  local parts = {}
  if c.due then table.insert(parts, due_text(c)) end
  if #c.items > 0 then table.insert(parts, checklist_text(c)) end
  if prefs.show_labels and #c.labels > 0 then table.insert(parts, table.concat(c.labels, ", ")) end
  return table.concat(parts, "; ")
end

-- ---- columns ----

local function full(column)
  return column == 2 and prefs.limit > 1 and #filter(storage.cards, function(c) return c.column == 2 end) >= prefs.limit
end

local function in_column(column, label)
  local list = filter(storage.cards, function(c) return c.column == column and (not label or index_of(c.labels, label)) end)
  if column == 3 then
    table.sort(list, function(a, b) return (a.finished or 0) > (b.finished or 0) end)
  elseif prefs.sort == 2 then
    table.sort(list, function(a, b)
      if not a.due or not b.due then return a.due ~= nil and b.due == nil end
      if bug("due_text_sort") then return day_text(a.due) < day_text(b.due) end
      return a.due < b.due
    end)
  elseif prefs.sort == 3 then
    table.sort(list, function(a, b) return a.title:lower() < b.title:lower() end)
  end
  return list
end

local function count_in(column, label)
  local count = #in_column(column, label)
  if bug("count_archived") then count = count + #filter(storage.archive, function(c) return c.column == column end) end
  return count
end

-- To the end of the column; what is done is marked with when.
local function put(c, column)
  table.remove(storage.cards, index_of(storage.cards, c))
  table.insert(storage.cards, c)
  c.column = column
  c.finished = column == 3 and now() or nil
end

local function archive(c)
  table.remove(storage.cards, index_of(storage.cards, c))
  table.insert(storage.archive, 1, c)
end

local function restore(c)
  table.remove(storage.archive, index_of(storage.archive, c))
  if bug("restore_bare") then
    c = { id = c.id, title = c.title, text = c.text, column = c.column, due = c.due, items = c.items, finished = c.finished, labels = {} }
  end
  table.insert(storage.cards, c)
end

local function ask_archive(self, c, done)
  local function go()
    archive(c)
    toast("Archived")
    if done then done() end
  end
  if not prefs.ask then return go() end
  self:dialog { title = "Archive this card?", message = c.title, cancel = "Cancel", ok = "Archive", on_ok = go }
end

activity "Board" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.label = saved.tab or 1, saved.label          -- the label only for this visit
  end,
  save = function(self, out) out.tab, out.label = self.tab, self.label end,
  resume = function(self)
    if self.label and not index_of(storage.labels, self.label) then self.label = nil end
  end,
  move = function(self, c, column)
    if full(column) then return self:snackbar("Doing is full") end
    local before, place, finished = c.column, index_of(storage.cards, c), c.finished
    put(c, column)
    self:snackbar("Moved to " .. COLUMNS[column], "Undo", function()
      local at = index_of(storage.cards, c)
      if not at then return end
      table.remove(storage.cards, at)
      table.insert(storage.cards, math.min(place, #storage.cards + 1), c)
      c.column, c.finished = not bug("move_undo") and before or 1, finished
    end)
  end,
  card_menu = function(self, c)
    local items = {}
    for i, name in ipairs(COLUMNS) do
      if i ~= c.column then
        table.insert(items, { "Move to " .. name, id = "move_" .. i, on_click = function() self:move(c, i) end })
      end
    end
    table.insert(items, { "Archive", id = "archive_card", on_click = function() ask_archive(self, c) end })
    self:popup(items)
  end,
  ask_label = function(self)
    local items = { "All cards", table.unpack(storage.labels) }
    self:dialog { title = "Only cards with", items = items, checked = index_of(items, self.label) or 1,
      on_item = function(i) self.label = storage.labels[i - 1] end }
  end,
  menu = function(self)
    return {
      { "Order", id = "order", on_click = function()
        self:dialog { title = "Order", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
      end },
      { "Labels", id = "labels", on_click = function() self:start("Labels") end },
      { "Archive", id = "archive", on_click = function() self:start("Archive") end },
      { "Overview", id = "overview", on_click = function() self:start("Overview") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local titles = {}
    for i, name in ipairs(COLUMNS) do titles[i] = name .. " (" .. count_in(i, self.label) .. ")" end
    return column {
      toolbar { "Task Board", actions = {
        { "Search", id = "search", on_click = function() self:start("Search") end },
        { "Filter by label", id = "filter", on_click = function() self:ask_label() end } } },
      tabs { id = "columns", titles = titles, selected = self.tab, on_change = function(i) self.tab = i end },
      self.label and row { text { "Only: " .. self.label, id = "only", weight = 1 },
        button { "Show all", id = "show_all", on_click = function() self.label = nil end } },
      text { self.tab == 3 and "Latest first" or SORTS[prefs.sort], id = "sorted", size = "small" },
      list { id = "cards", items = in_column(self.tab, self.label), empty = text { "No cards here", id = "empty" },
        row = function(c)
          local more = details(c)
          return column { id = "card_row", text { c.title, id = "title" }, more ~= "" and text { more, id = "details", size = "small" } }
        end,
        on_item_click = function(_, c) self:start("Card", { id = c.id }) end,
        on_item_long_click = function(_, c) self:card_menu(c) end },
      fab { id = "add", desc = "New card", on_click = function() self:start("CardForm", { column = self.tab }) end },
    }
  end,
}

activity "Card" {
  create = function(self, intent, saved)
    local c = card_of(intent.id)
    if saved and saved.draft and c then self:ask_labels(c, saved.draft) end    -- the open choice outlives rotation
  end,
  save = function(self, out) out.draft = self.draft end,
  ask_labels = function(self, c, draft)
    self.draft = draft or (bug("labels_cancel") and c.labels or copy(c.labels))
    self:dialog {
      title = "Labels",
      view = function()
        return scroll { each(storage.labels, function(name)
          local has = index_of(self.draft, name)
          return check { name, id = "label_check", checked = has ~= nil, on_change = function()
            if has then table.remove(self.draft, has) else table.insert(self.draft, name) end
          end }
        end) }
      end,
      ok = "OK", on_ok = function() c.labels, self.draft = self.draft, nil end,
      cancel = "Cancel", on_cancel = function() self.draft = nil end,
    }
  end,
  add_item = function(self, c)
    local text = trim(self:text("new_item"))
    if text == "" or #c.items >= MAX_ITEMS then return toast(text == "" and "Write something first" or "The checklist is full") end
    table.insert(c.items, { text = text })
    self:set_text("new_item", "")
  end,
  menu = function(self)
    local c = card_of(self.intent.id)
    if not c then return { { "Close", id = "close", on_click = function() self:finish() end } } end
    return {
      { "Archive", id = "archive_card", on_click = function() ask_archive(self, c, function() self:finish() end) end },
      { "Remove ticked items", id = "clean", enabled = #filter(c.items, function(x) return x.done end) > 0,
        on_click = function() c.items = filter(c.items, function(x) return not x.done end) end },
    }
  end,
  view = function(self)
    local c = card_of(self.intent.id)
    if not c then return column { toolbar { "Card", up = true }, text { "This card is not on the board", id = "gone" } } end
    return column {
      toolbar { "Card", up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("CardForm", { id = c.id }) end } } },
      scroll {
        text { c.title, id = "title", size = "large" },
        text { "In " .. COLUMNS[c.column], id = "column" },
        c.due and text { due_text(c), id = "due" },
        c.text ~= "" and text { c.text, id = "text" },
        text { #c.labels > 0 and "Labels: " .. table.concat(c.labels, ", ") or "No labels", id = "labels_text" },
        button { "Change labels", id = "change_labels", on_click = function() self:ask_labels(c) end },
        #c.items > 0 and text { checklist_text(c), id = "checklist" },
        each(c.items, function(x) return check { x.text, id = "item", checked = x.done == true, on_change = function(b) x.done = b or nil end } end),
        row { field { id = "new_item", hint = "New item", max = 40, weight = 1 },
          button { "Add", id = "add_item", on_click = function() self:add_item(c) end } },
      },
    }
  end,
}

activity "CardForm" {
  create = function(self, intent, saved)
    local c = card_of(intent.id)
    self.column = saved and saved.column or c and c.column or intent.column or 1
    if saved or not c then return end
    self:set_text("title", c.title)
    self:set_text("text", c.text)
    self:set_text("due", c.due or "")
  end,
  save = function(self, out) out.column = self.column end,
  dirty = function(self)
    local c = card_of(self.intent.id) or { title = "", text = "", column = self.intent.column or 1 }
    return self:text("title") ~= c.title or self:text("text") ~= c.text or self:text("due") ~= (c.due or "") or self.column ~= c.column
  end,
  leave = function(self)
    if not self:dirty() then return self:finish() end
    self:dialog { title = "Discard changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
  end,
  back = function(self) self:leave() return true end,
  store = function(self)
    local title, due, c = trim(self:text("title")), trim(self:text("due")), card_of(self.intent.id)
    if title == "" then return toast("Give the card a title") end
    if due ~= "" and not is_day(due) then return toast("The day must be like 2024-03-09") end
    if not (c and c.column == self.column) and full(self.column) and not (c and bug("wip_limit")) then return self:snackbar("Doing is full") end
    if not c then
      if #storage.cards >= MAX_CARDS then return toast("Too many cards") end
      c = { id = new_id(), labels = {}, items = {} }
      table.insert(storage.cards, c)
    end
    c.title, c.text = title, self:text("text")
    if due ~= "" then c.due = due elseif not bug("due_not_cleared") then c.due = nil end
    if c.column ~= self.column then put(c, self.column) end
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { self.intent.id and "Edit card" or "New card", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "title", hint = "Title", max = 40 },
        field { id = "text", hint = "More about it", max = 200 },
        field { id = "due", hint = "Due day, like 2024-03-09", max = 10 },
        spinner { id = "column", items = COLUMNS, selected = self.column, on_change = function(i) self.column = i end },
      },
    }
  end,
}

activity "Labels" {
  add = function(self)
    local name = trim(self:text("new_label")):lower()
    if name == "" then return toast("Give the label a name") end
    if index_of(storage.labels, name) then return toast("There is one of this name") end
    if #storage.labels >= MAX_LABELS then return toast("Too many labels") end
    table.insert(storage.labels, name)
    table.sort(storage.labels)
    self:set_text("new_label", "")
  end,
  delete = function(self, name)
    self:dialog { title = "Delete " .. name .. "?", message = "The cards stay, without this label.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        storage.labels = filter(storage.labels, function(l) return l ~= name end)
        for _, cards in ipairs { storage.cards, storage.archive } do
          for _, c in ipairs(cards) do
            c.labels = filter(c.labels, function(l) return l ~= name and not (bug("label_prefix") and starts_with(l, name)) end)
          end
        end
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Labels", up = true },
      row { field { id = "new_label", hint = "New label", max = 16, weight = 1 }, button { "Add", id = "add_label", on_click = function() self:add() end } },
      text { "Numbers of cards on the board; long-press to delete", id = "note", size = "small" },
      list { id = "label_list", items = storage.labels, empty = text { "No labels", id = "empty" },
        row = function(name)
          local count = #filter(storage.cards, function(c) return index_of(c.labels, name) end)
          return row { id = "label_row", text { name, id = "name", weight = 1 }, text { tostring(count), id = "count" } }
        end,
        on_item_long_click = function(_, name) self:delete(name) end },
    }
  end,
}

activity "Archive" {
  card_menu = function(self, c)
    self:popup {
      { "Restore", id = "restore", on_click = function()
        if full(c.column) then return self:snackbar("Doing is full") end
        restore(c)
        toast("Back in " .. COLUMNS[c.column])
      end },
      { "Delete for ever", id = "delete", on_click = function()
        self:dialog { title = "Delete for ever?", message = c.title, cancel = "Cancel", ok = "Delete",
          on_ok = function() storage.archive = filter(storage.archive, function(x) return x ~= c end) end }
      end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Archive", up = true },
      list { id = "archived", items = storage.archive, empty = text { "The archive is empty", id = "empty" },
        row = function(c)
          return column { id = "archive_row", text { c.title, id = "title" },
            text { "From " .. COLUMNS[c.column] .. (#c.labels > 0 and "; " .. table.concat(c.labels, ", ") or ""), id = "from", size = "small" } }
        end,
        on_item_click = function(_, c) self:card_menu(c) end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.query, self.open_only = saved.query or "", saved.open_only or false
  end,
  save = function(self, out) out.query, out.open_only = self.query, self.open_only end,
  results = function(self)
    local query = trim(self.query):lower()
    if query == "" then return {} end
    return filter(storage.cards, function(c)
      if self.open_only and c.column == 3 then return false end
      return contains((c.title .. " " .. c.text .. " " .. table.concat(c.labels, " ")):lower(), query)
    end)
  end,
  view = function(self)
    local results = self:results()
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Title, text or label", max = 30, on_change = function(s) self.query = s end },
      check { "Without Done", id = "open_only", checked = self.open_only, on_change = function(b) self.open_only = b end },
      text { trim(self.query) == "" and "The archive is not searched" or #results .. " found", id = "found", size = "small" },
      list { id = "results", items = results,
        row = function(c) return column { id = "result_row", text { c.title, id = "title" }, text { "In " .. COLUMNS[c.column], id = "where", size = "small" } } end,
        on_item_click = function(_, c) self:start("Card", { id = c.id }) end },
    }
  end,
}

activity "Overview" {
  view = function(self)
    local late = #filter(storage.cards, overdue)
    local open = #filter(storage.cards, function(c) return c.column < 3 end)
    return column {
      toolbar { "Overview", up = true },
      scroll {
        text { open .. " open, " .. #storage.cards - open .. " done", id = "open", size = "large" },
        text { late .. " overdue; what is done is never overdue", id = "late" },
        text { #storage.archive .. " in the archive, counted nowhere else", id = "archived" },
        each(storage.labels, function(name)
          return text { name .. ": " .. #filter(storage.cards, function(c) return index_of(c.labels, name) and c.column < 3 end) .. " open", id = "label_count" }
        end),
      },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Doing takes at most", size = "small" },
        spinner { id = "limit", items = LIMITS, selected = prefs.limit, on_change = function(i) prefs.limit = i end },
        switch { "Labels on the board", id = "show_labels", checked = prefs.show_labels, on_change = function(b) prefs.show_labels = b end },
        switch { "Ask before archiving", id = "ask", checked = prefs.ask, on_change = function(b) prefs.ask = b end },
      },
    }
  end,
}
