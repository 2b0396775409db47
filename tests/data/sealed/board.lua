-- Boards: cards in columns, with labels, checklists, due days and comments.
--
-- A board: { id, name, columns = { { id, name, limit or nil }, ... } }; the first column takes what has no other place.
-- A card: { id, board, column, title, body, labels = { ids }, due = day or nil, items = { { name, done }, ... }, ticked,
-- comments = { { id, text, day }, ... } oldest first, archived }. The order of storage.cards is that of the columns.

app {
  package = "org.norn.board",
  title = "Boards",
  main = "Boards",
  bugs = { "quick_add_end", "ticks_of_removed", "label_shows_archived", "move_up_filtered", "today_is_overdue", "copied_board_labels",
    "undo_archive_place", "comment_deleted" },
  application = function()
    if storage.boards then return end
    local today = now() // 86400000
    storage.next_id = 200
    storage.labels = { { id = 1, name = "Urgent" }, { id = 2, name = "Idea" }, { id = 3, name = "Waiting" } }
    storage.boards = {
      { id = 10, name = "House", columns = { { id = 11, name = "To do", limit = 6 }, { id = 12, name = "Doing", limit = 2 }, { id = 13, name = "Done" } } },
      { id = 20, name = "Summer party", columns = { { id = 21, name = "To do" }, { id = 22, name = "Done" } } },
    }
    local function card(id, board, column, title, labels, due, items, ticked, comments)
      return { id = id, board = board, column = column, title = title, body = "", labels = labels, due = due, items = items or {},
        ticked = ticked or 0, comments = comments or {} }
    end
    storage.cards = {
      card(31, 10, 11, "Paint the fence", {}, today + 5, { { name = "Buy paint", done = true }, { name = "Sand the wood", done = true },
        { name = "First coat" } }, 2),
      card(32, 10, 11, "Fix the tap", { 1 }, today - 2, {}, 0, { { id = 81, text = "Called the plumber", day = today - 6 },
        { id = 82, text = "He comes next week", day = today - 4 }, { id = 83, text = "Now it is Friday", day = today - 1 } }),
      card(33, 10, 11, "Clean the gutters", {}),
      card(34, 10, 11, "Insulate the attic", { 1, 2 }),
      card(35, 10, 12, "New kitchen lamp", { 3 }, nil, { { name = "Choose one" }, { name = "Order it" } }),
      card(36, 10, 13, "Replace door bell", {}),
      card(41, 20, 21, "Invitations", { 1 }, today + 12, { { name = "List of guests", done = true }, { name = "Print" } }, 1),
      card(42, 20, 21, "Lanterns", { 2 }),
      card(43, 20, 22, "Book the band", {}, nil, {}, 0, { { id = 84, text = "Deposit is paid", day = today - 20 } }),
    }
    prefs.on_top = false
    prefs.iso = true
    prefs.ask = true
  end,
}

local MAX_CARDS, MAX_BOARDS, MAX_COLUMNS, MAX_LABELS, MAX_ITEMS = 150, 10, 6, 10, 12

local function today() return now() // 86400000 end
local function day_text(day) return date(day * 86400000, prefs.iso and "%Y-%m-%d" or "%d.%m.%Y") end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function board_of(id) return by_id(storage.boards, id) end
local function card_of(id) return by_id(storage.cards, id) end
local function label_of(id) return by_id(storage.labels, id) end
local function column_of(card) return by_id(board_of(card.board).columns, card.column) end

local function toggle(list, x)
  local i = index_of(list, x)
  if i then table.remove(list, i) else table.insert(list, x) end
end
local function forget(list, item) if index_of(list, item) then toggle(list, item) end end

local function live() return filter(storage.cards, function(c) return not c.archived end) end
local function cards_in(column) return filter(live(), function(c) return c.column == column.id end) end

local function due_text(card)
  if not card.due then return "No due day" end
  local days = card.due - today()
  if days == 0 then return "Due today" end
  return (days < 0 and "Overdue since " or "Due ") .. day_text(card.due)
end
local function label_names(card)
  local names = {}
  for _, l in ipairs(storage.labels) do if index_of(card.labels, l.id) then table.insert(names, l.name) end end
  return table.concat(names, ", ")
end

-- ---- changing cards ----

-- A new card goes to the top or to the end, as the settings say.
local function place(card, on_top)
  if #storage.cards >= MAX_CARDS then toast("Too many cards") return false end
  table.insert(storage.cards, on_top and 1 or #storage.cards + 1, card)
  return true
end
local function new_card(board, column, title)
  return { id = new_id(), board = board, column = column, title = title, body = "", labels = {}, items = {}, ticked = 0, comments = {} }
end
local function archive(self, card)
  card.archived = true
  self:snackbar(card.title .. " archived", "Undo", function()
    card.archived = nil
    if bug("undo_archive_place") and index_of(storage.cards, card) then
      forget(storage.cards, card)
      table.insert(storage.cards, card)
    end
  end)
end
local function archive_result(self, request, data)
  local card = data and data.archive and card_of(data.archive)
  if card then archive(self, card) end
end
local function copy_card(card)
  local twin = new_card(card.board, card.column, card.title)
  twin.body, twin.labels, twin.due, twin.ticked = card.body, copy(card.labels), card.due, card.ticked
  twin.items = each(card.items, function(i) return { name = i.name, done = i.done } end)
  return twin
end
local function ask_text(self, title, old, go)
  self:dialog { title = title, cancel = "Cancel", ok = "OK",
    view = function() return column { field { id = "entered", hint = "Text", text = old, max = 60 } } end,
    on_ok = function()
      local s = trim(self:text("entered"))
      if s == "" then toast("Write something") return true end
      return go(s)
    end }
end
local function ask_delete(self, title, message, go)
  if not prefs.ask then return go() end
  self:dialog { title = title, message = message, cancel = "Cancel", ok = "Delete", on_ok = go }
end
local function gone(title) return column { toolbar { title, up = true }, text { "This is gone", id = "gone" } } end

local function card_row(card, where)
  local names = label_names(card)
  return column { id = "card_row",
    text { card.title, id = "title" },
    names ~= "" and text { names, id = "labels", size = "small" },
    #card.items > 0 and text { card.ticked .. "/" .. #card.items .. " done", id = "ticks", size = "small" },
    card.due and text { due_text(card), id = "due", size = "small" },
    where and text { board_of(card.board).name .. " › " .. column_of(card).name, id = "where", size = "small" } }
end

-- ---- boards ----

activity "Boards" {
  new_board = function(self)
    ask_text(self, "New board", "", function(name)
      if #storage.boards >= MAX_BOARDS then return toast("Too many boards") end
      local columns = each({ "To do", "Doing", "Done" }, function(c) return { id = new_id(), name = c } end)
      table.insert(storage.boards, { id = new_id(), name = name, columns = columns })
    end)
  end,
  duplicate = function(self, board)
    local cards = filter(live(), function(c) return c.board == board.id end)
    if #storage.boards >= MAX_BOARDS or #storage.cards + #cards > MAX_CARDS then return toast("There is no room for a copy") end
    local twin = { id = new_id(), name = board.name .. " (copy)", columns = {} }
    local place_of = {}
    for _, c in ipairs(board.columns) do
      local column = { id = new_id(), name = c.name, limit = c.limit }
      place_of[c.id] = column.id
      table.insert(twin.columns, column)
    end
    for _, c in ipairs(cards) do
      local card = copy_card(c)
      if bug("copied_board_labels") then card.labels = {} end
      card.board, card.column = twin.id, place_of[c.column]
      table.insert(storage.cards, card)
    end
    table.insert(storage.boards, twin)
  end,

  board_menu = function(self, board)
    self:popup {
      { "Rename", id = "rename_board", on_click = function()
        ask_text(self, "Rename board", board.name, function(name) board.name = name end)
      end },
      { "Duplicate", id = "duplicate_board", on_click = function() self:duplicate(board) end },
      { "Delete", id = "delete_board", on_click = function()
        ask_delete(self, "Delete " .. board.name .. "?", "All its cards are deleted too", function()
          storage.cards = filter(storage.cards, function(c) return c.board ~= board.id end)
          forget(storage.boards, board)
        end)
      end },
    }
  end,

  menu = function(self)
    return {
      { "Upcoming", id = "upcoming", on_click = function() self:start("Upcoming") end },
      { "Labels", id = "labels", on_click = function() self:start("Labels") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Boards", actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      list { id = "boards", items = storage.boards, empty = text { "No boards", id = "empty" },
        row = function(b)
          local cards = filter(live(), function(c) return c.board == b.id end)
          local late = #filter(cards, function(c) return c.due and c.due < today() end)
          return column { id = "board_row", text { b.name, id = "name" },
            text { plural(#cards, "card") .. (late > 0 and ", " .. late .. " overdue" or ""), id = "count", size = "small" } }
        end,
        on_item_click = function(_, b) self:start("Board", { id = b.id }) end,
        on_item_long_click = function(_, b) self:board_menu(b) end },
      fab { id = "add", desc = "New board", on_click = function() self:new_board() end },
    }
  end,
}

activity "Board" {
  create = function(self, intent, saved) self.tab, self.label = saved and saved.tab or 1, saved and saved.label end,
  save = function(self, out) out.tab, out.label = self.tab, self.label end,
  resume = function(self)
    if self.label and not label_of(self.label) then self.label = nil end
    local board = board_of(self.intent.id)
    if board then self.tab = math.min(self.tab, #board.columns) end
  end,
  result = archive_result,

  column = function(self) return board_of(self.intent.id).columns[self.tab] end,
  shown = function(self)
    local column = self:column()
    return filter(storage.cards, function(c)
      if c.column ~= column.id then return false end
      if self.label and not index_of(c.labels, self.label) then return false end
      return not c.archived or (self.label and bug("label_shows_archived"))
    end)
  end,

  -- Past the neighbour that is seen, however many lie hidden between.
  step = function(self, card, by)
    local shown = self:shown()
    local i = index_of(shown, card)
    if bug("move_up_filtered") then shown = cards_in(self:column()) end
    local moved, other = shown[i], shown[i + by]
    if not moved or not other then return toast("It cannot go further") end
    forget(storage.cards, moved)
    table.insert(storage.cards, index_of(storage.cards, other) + (by > 0 and 1 or 0), moved)
  end,

  ask_column = function(self, card)
    local columns = board_of(card.board).columns
    self:dialog { title = "Move to", items = each(columns, function(c) return c.name end), checked = self.tab, on_item = function(i)
      if columns[i].id == card.column then return end
      card.column = columns[i].id
      forget(storage.cards, card)
      table.insert(storage.cards, card)
    end }
  end,

  card_menu = function(self, card)
    self:popup {
      { "Move up", id = "move_up", on_click = function() self:step(card, -1) end },
      { "Move down", id = "move_down", on_click = function() self:step(card, 1) end },
      { "Move to column", id = "move_column", on_click = function() self:ask_column(card) end },
      { "Archive", id = "archive_card", on_click = function() archive(self, card) end },
    }
  end,

  ask_label = function(self)
    local items = { "All cards", table.unpack(each(storage.labels, function(l) return l.name end)) }
    local at = self.label and index_of(storage.labels, label_of(self.label)) or 0
    self:dialog { title = "Show", items = items, checked = at + 1,
      on_item = function(i) self.label = i > 1 and storage.labels[i - 1].id or nil end }
  end,

  quick_add = function(self)
    ask_text(self, "New card", "", function(title)
      local card = new_card(self.intent.id, self:column().id, title)
      if self.label then card.labels = { self.label } end
      place(card, prefs.on_top and not bug("quick_add_end"))
    end)
  end,

  menu = function(self)
    return board_of(self.intent.id) and {
      { "Quick add", id = "quick_add", on_click = function() self:quick_add() end },
      { "Columns", id = "columns", on_click = function() self:start("Columns", { id = self.intent.id }) end },
      { "Archive", id = "open_archive", on_click = function() self:start("Archive", { id = self.intent.id }) end },
    } or {}
  end,

  view = function(self)
    local board = board_of(self.intent.id)
    if not board then return gone("Board") end
    local column_now = self:column()
    local n = #cards_in(column_now)
    local count = column_now.limit and n .. " of at most " .. plural(column_now.limit, "card") or plural(n, "card")
    local shown = self:shown()
    if self.label then count = #shown .. " shown, " .. count end
    local over = column_now.limit and n > column_now.limit
    return column {
      toolbar { board.name, up = true, actions = { { "Filter", id = "filter", on_click = function() self:ask_label() end } } },
      tabs { id = "columns_bar", titles = each(board.columns, function(c) return c.name end), selected = self.tab,
        on_change = function(i) self.tab = i end },
      row { text { count .. (over and ", too many" or ""), id = "column_count", weight = 1, size = "small" },
        self.label and button { label_of(self.label).name .. " ✕", id = "clear_filter", on_click = function() self.label = nil end } },
      list { id = "cards", items = shown, empty = text { "No cards", id = "empty" }, row = function(c) return card_row(c) end,
        on_item_click = function(_, c) self:start_for_result("Card", "card", { id = c.id }) end,
        on_item_long_click = function(_, c) self:card_menu(c) end },
      fab { id = "add", desc = "New card", on_click = function() 
        self:start("CardEdit", { board = board.id, column = column_now.id, label = self.label })
      end },
    }
  end,
}

-- ---- one card ----

activity "Card" {
  ask_due = function(self, card)
    self:dialog { title = "Due", items = { "No due day", "Today", "Tomorrow", "In a week" }, on_item = function(i)
      card.due = i > 1 and today() + ({ 0, 1, 7 })[i - 1] or nil
    end }
  end,
  ask_labels = function(self, card)
    self:dialog { title = "Labels", ok = "Done", view = function()
      return column { each(storage.labels, function(l)
        return check { l.name, id = "label", checked = index_of(card.labels, l.id) ~= nil, on_change = function() toggle(card.labels, l.id) end }
      end) }
    end }
  end,

  tick = function(self, card, item, on) item.done = on card.ticked = card.ticked + (on and 1 or -1) end,
  remove_item = function(self, card, i)
    local item = table.remove(card.items, i)
    local counted = item.done and not bug("ticks_of_removed")
    if counted then card.ticked = card.ticked - 1 end
    self:snackbar(item.name .. " removed", "Undo", function()
      table.insert(card.items, math.min(i, #card.items + 1), item)
      if counted then card.ticked = card.ticked + 1 end
    end)
  end,
  add_item = function(self, card)
    ask_text(self, "New item", "", function(name)
      if #card.items >= MAX_ITEMS then return toast("The list is long enough") end
      table.insert(card.items, { name = name, done = false })
    end)
  end,

  menu = function(self)
    local card = card_of(self.intent.id)
    if not card then return {} end
    return {
      { "Labels", id = "card_labels", on_click = function() self:ask_labels(card) end },
      { "Copy", id = "copy_card", on_click = function() if place(copy_card(card), prefs.on_top) then toast("Copied") end end },
      { "Archive", id = "archive_card", on_click = function() self:finish { archive = card.id } end },
      { "Delete", id = "delete_card", on_click = function()
        ask_delete(self, "Delete " .. card.title .. "?", "This cannot be undone", function() forget(storage.cards, card) self:finish() end)
      end },
    }
  end,

  view = function(self)
    local card = card_of(self.intent.id)
    if not card then return gone("Card") end
    local names = label_names(card)
    return column {
      toolbar { card.title, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("CardEdit", { id = card.id }) end } } },
      scroll {
        text { board_of(card.board).name .. " › " .. column_of(card).name, id = "where", size = "small" },
        card.body ~= "" and text { card.body, id = "body" },
        text { names ~= "" and names or "No labels", id = "label_line" },
        row { text { due_text(card), id = "due_line", weight = 1 }, button { "Change", id = "change_due", on_click = function() self:ask_due(card) end } },
        button { plural(#card.comments, "comment"), id = "comments", on_click = function() self:start("Comments", { id = card.id }) end },
        row { text { "Checklist: " .. card.ticked .. " of " .. #card.items .. " done", id = "checklist", weight = 1 },
          button { "Add", id = "add_item", on_click = function() self:add_item(card) end } },
        each(card.items, function(item, i)
          return row {
            check { item.name, id = "item", checked = item.done == true, weight = 1, on_change = function(on) self:tick(card, item, on) end },
            image_button { id = "remove_item", desc = "Remove " .. item.name, on_click = function() self:remove_item(card, i) end } }
        end),
      },
    }
  end,
}

activity "CardEdit" {
  create = function(self, intent, saved)
    local c = intent.id and card_of(intent.id)
    self.board = c and c.board or intent.board
    self.first = { title = c and c.title or "", body = c and c.body or "" }
    self.old_column = c and c.column or intent.column
    self.column = saved and saved.column or self.old_column
  end,
  save = function(self, out) out.column = self.column end,

  leave = function(self)
    if not board_of(self.board) then return self:finish() end
    local same = self.column == self.old_column
    for id, old in pairs(self.first) do same = same and self:text(id) == old end
    if same then return self:finish() end
    self:dialog { title = "Discard changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
  end,
  back = function(self) self:leave() return true end,

  store = function(self)
    local title = trim(self:text("title"))
    if title == "" then return toast("Give it a title") end
    local card = self.intent.id and card_of(self.intent.id)
    if not card then
      if self.intent.id then toast("The card is gone") return self:finish() end
      card = new_card(self.board, self.column, title)
      card.labels = { self.intent.label }
      if not place(card, prefs.on_top) then return end
    end
    card.title, card.body = title, trim(self:text("body"))
    if card.column ~= self.column then
      card.column = self.column
      forget(storage.cards, card)
      table.insert(storage.cards, card)
    end
    self:finish()
  end,

  view = function(self)
    if not board_of(self.board) then return gone("Card") end
    local columns = board_of(self.board).columns
    return column {
      toolbar { self.intent.id and "Edit card" or "New card", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "title", hint = "Title", text = self.first.title, max = 50 },
        spinner { id = "column", items = each(columns, function(c) return c.name end),
          selected = index_of(columns, by_id(columns, self.column)), on_change = function(i) self.column = columns[i].id end },
        field { id = "body", hint = "Description", text = self.first.body, input = "multiline", max = 400 },
      },
    }
  end,
}

activity "Comments" {
  -- The newest is on top, the oldest comes first in the card.
  newest_first = function(self, card)
    local list = copy(card.comments)
    table.sort(list, function(a, b) return a.id > b.id end)
    return list
  end,

  remove = function(self, card, i)
    local comment = self:newest_first(card)[i]
    if bug("comment_deleted") then comment = card.comments[i] end
    forget(card.comments, comment)
    self:snackbar("Comment deleted", "Undo", function()
      table.insert(card.comments, comment)
      table.sort(card.comments, function(a, b) return a.id < b.id end)
    end)
  end,

  view = function(self)
    local card = card_of(self.intent.id)
    if not card then return gone("Comments") end
    return column {
      toolbar { "Comments", up = true, subtitle = card.title },
      list { id = "comments", items = self:newest_first(card), empty = text { "No comments", id = "empty" },
        row = function(c)
          return column { id = "comment_row", text { c.text, id = "comment" }, text { day_text(c.day), id = "written", size = "small" } }
        end,
        on_item_long_click = function(i) self:popup { { "Delete", id = "delete_comment", on_click = function() self:remove(card, i) end } } end },
      fab { id = "add_comment", desc = "New comment", on_click = function()
        ask_text(self, "New comment", "", function(s) table.insert(card.comments, { id = new_id(), text = s, day = today() }) end)
      end },
    }
  end,
}

-- ---- over all boards ----

activity "Upcoming" {
  view = function(self)
    local cards = filter(live(), function(c) return c.due end)
    table.sort(cards, function(a, b) if a.due ~= b.due then return a.due < b.due end return a.id < b.id end)
    local rows = {}
    local function group(title, fits)
      local some = filter(cards, function(c) return fits(c.due - today()) end)
      if #some > 0 then table.insert(rows, { head = title .. " (" .. #some .. ")" }) end
      for _, c in ipairs(some) do table.insert(rows, { card = c }) end
    end
    local first_late = bug("today_is_overdue") and 0 or -1
    group("Overdue", function(d) return d <= first_late end)
    group("Today", function(d) return d == 0 and d > first_late end)
    group("Later", function(d) return d > 0 end)
    return column {
      toolbar { "Upcoming", up = true },
      list { id = "upcoming", items = rows, empty = text { "Nothing is due", id = "empty" },
        row = function(r) return r.head and text { r.head, id = "head", size = "large" } or card_row(r.card, true) end,
        on_item_click = function(_, r) if r.card then self:start_for_result("Card", "card", { id = r.card.id }) end end },
    }
  end,
  result = archive_result,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  result = archive_result,
  view = function(self)
    local q = trim(self.query):lower()
    local found = q == "" and {} or filter(live(), function(c)
      return contains(c.title:lower(), q) or contains(c.body:lower(), q) or contains(label_names(c):lower(), q)
    end)
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Title, text or label", max = 30, on_change = function(s) self.query = s end },
      text { plural(#found, "card"), id = "found", size = "small" },
      list { id = "results", items = found, row = function(c) return card_row(c, true) end,
        on_item_click = function(_, c) self:start_for_result("Card", "card", { id = c.id }) end },
    }
  end,
}

activity "Archive" {
  view = function(self)
    if not board_of(self.intent.id) then return gone("Archive") end
    local cards = filter(storage.cards, function(c) return c.archived and c.board == self.intent.id end)
    return column {
      toolbar { "Archive", up = true, subtitle = board_of(self.intent.id).name },
      list { id = "archived", items = cards, row = function(c) return card_row(c, true) end, empty = text { "The archive is empty", id = "empty" },
        on_item_click = function(_, c)
          self:popup {
            { "Restore", id = "restore", on_click = function() c.archived = nil toast(c.title .. " is back") end },
            { "Delete", id = "delete_card", on_click = function()
              ask_delete(self, "Delete " .. c.title .. "?", "This cannot be undone", function() forget(storage.cards, c) end)
            end },
          }
        end },
    }
  end,
}

activity "Columns" {
  delete = function(self, board, column_gone)
    if #board.columns == 1 then return toast("A board needs a column") end
    ask_delete(self, "Delete " .. column_gone.name .. "?", "Its cards go to the first column", function()
      forget(board.columns, column_gone)
      for _, c in ipairs(storage.cards) do if c.column == column_gone.id then c.column = board.columns[1].id end end
    end)
  end,
  ask_limit = function(self, c)
    local items = { "No limit" }
    for i = 1, 8 do table.insert(items, tostring(i)) end
    self:dialog { title = "Cards at most", items = items, checked = (c.limit or 0) + 1, on_item = function(i) c.limit = i > 1 and i - 1 or nil end }
  end,
  view = function(self)
    local board = board_of(self.intent.id)
    if not board then return gone("Columns") end
    return column {
      toolbar { "Columns", up = true, subtitle = board.name },
      list { id = "columns", items = board.columns,
        row = function(c)
          return column { id = "column_row", text { c.name, id = "name" },
            text { plural(#cards_in(c), "card") .. ", " .. (c.limit and "at most " .. c.limit or "no limit"), id = "limit", size = "small" } }
        end,
        on_item_click = function(_, c)
          self:popup {
            { "Rename", id = "rename_column", on_click = function() ask_text(self, "Rename column", c.name, function(s) c.name = s end) end },
            { "Limit", id = "limit_column", on_click = function() self:ask_limit(c) end },
            { "Delete", id = "delete_column", on_click = function() self:delete(board, c) end },
          }
        end },
      fab { id = "add_column", desc = "New column", on_click = function()
        if #board.columns >= MAX_COLUMNS then return toast("Too many columns") end
        ask_text(self, "New column", "", function(s) table.insert(board.columns, { id = new_id(), name = s }) end)
      end },
    }
  end,
}

activity "Labels" {
  view = function(self)
    return column {
      toolbar { "Labels", up = true },
      list { id = "labels", items = storage.labels, empty = text { "No labels", id = "empty" },
        row = function(l)
          local n = #filter(live(), function(c) return index_of(c.labels, l.id) end)
          return column { id = "label_row", text { l.name, id = "name" }, text { plural(n, "card"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, l) ask_text(self, "Rename label", l.name, function(s) l.name = s end) end,
        on_item_long_click = function(_, l)
          ask_delete(self, "Delete " .. l.name .. "?", "It is taken off all cards", function()
            forget(storage.labels, l)
            for _, c in ipairs(storage.cards) do forget(c.labels, l.id) end
          end)
        end },
      fab { id = "add_label", desc = "New label", on_click = function()
        if #storage.labels >= MAX_LABELS then return toast("Too many labels") end
        ask_text(self, "New label", "", function(s) table.insert(storage.labels, { id = new_id(), name = s }) end)
      end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "New cards on top", id = "on_top", checked = prefs.on_top, on_change = function(b) prefs.on_top = b end },
      switch { "Ask before deleting", id = "ask", checked = prefs.ask, on_change = function(b) prefs.ask = b end },
      text { "Dates", size = "small" },
      radios { id = "dates", items = { "Year-month-day", "Day.month.year" }, selected = prefs.iso and 1 or 2, on_change = function(i) prefs.iso = i == 1 end },
    }
  end,
}
