-- Reading Log: books one wants to read, is reading and has read, on shelves, with progress, notes and a goal for the year.
-- A book names its shelf; notes and the log of pages live in lists of their own and carry the id of a book.

local DAY = 24 * 60 * 60 * 1000
local STATES = { "Reading", "To read", "Finished" }
local SORTS = { "Title", "Author", "Last changed" }
local GOALS = { 6, 12, 24, 52 }
local NO_SHELF = "No shelf"

app {
  package = "org.norn.reading",
  title = "Reading Log",
  main = "Main",
  bugs = { "form_shelf_lost", "search_author_case", "undo_forgets_notes", "finish_counts_twice", "goal_stale", "percent_as_page",
    "rename_shelf_orphans", "select_all_tabs" },
  application = function()
    if storage.books then return end
    local today = now()
    storage.shelves = { "Novels", "Nature", "Travel" }
    storage.books = {
      { id = 1, title = "The Salt Road", author = "Ines Falk", pages = 320, page = 80, state = "Reading", shelf = "Travel", changed = today - 2 * DAY },
      { id = 2, title = "Moss and Lichen", author = "Pavel Orr", pages = 180, page = 90, state = "Reading", shelf = "Nature", changed = today - DAY },
      { id = 3, title = "A Quiet Harbour", author = "Nora Lind", pages = 410, page = 0, state = "To read", shelf = "Novels", changed = today - 9 * DAY },
      { id = 4, title = "Winter Birds", author = "Pavel Orr", pages = 150, page = 0, state = "To read", shelf = "Nature", changed = today - 5 * DAY },
      { id = 5, title = "Nine Bridges", author = "Tom Adair", pages = 260, page = 260, state = "Finished", shelf = "Novels", rating = 4,
        finished = today - 20 * DAY, changed = today - 20 * DAY },
      { id = 6, title = "Letters Home", author = "Ines Falk", pages = 200, page = 200, state = "Finished", finished = today - 90 * DAY,
        changed = today - 90 * DAY },
    }
    storage.notes = { { id = 7, book = 1, text = "The map on page 12" }, { id = 8, book = 1, text = "Ask Nora about the ending" },
      { id = 9, book = 5, text = "Best chapter: the fourth" } }
    storage.log = { { book = 1, pages = 80, at = today - 2 * DAY }, { book = 2, pages = 90, at = today - DAY }, { book = 5, pages = 260, at = today - 20 * DAY },
      { book = 6, pages = 200, at = today - 90 * DAY } }
    storage.next_id = 10
    prefs.sort, prefs.percent, prefs.show_author, prefs.goal = 1, false, true, 12
  end,
}

local function book_by_id(id) return find(storage.books, function(book) return book.id == id end) end
local function notes_of(id) return filter(storage.notes, function(note) return note.book == id end) end
local function this_year(ms) return date(ms, "%Y") == date(now(), "%Y") end
local function plural(n, one) return n .. " " .. one .. (n == 1 and "" or "s") end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id - 1
end

local function finished_this_year()
  return #filter(storage.books, function(book) return book.state == "Finished" and book.finished and this_year(book.finished) end)
end

local function goal_text() return finished_this_year() .. " of " .. prefs.goal .. " this year" end

local function progress_text(book)
  if prefs.percent then return math.floor(book.page * 100 / book.pages) .. " %" end
  return "page " .. book.page .. " of " .. book.pages
end

local function sorted(books)
  local keys = { function(book) return book.title:lower() end, function(book) return book.author:lower() end, function(book) return -book.changed end }
  local key = keys[prefs.sort]
  table.sort(books, function(a, b) return key(a) < key(b) end)
  return books
end

local function log_pages(book, pages)
  if pages ~= 0 then table.insert(storage.log, { book = book.id, pages = pages, at = now() }) end
end

local function read_to(book, page)
  log_pages(book, page - book.page)
  book.page, book.changed = page, now()
end

local function finish_book(book)
  log_pages(book, bug("finish_counts_twice") and book.pages or book.pages - book.page)
  book.page, book.state, book.finished, book.changed = book.pages, "Finished", now(), now()
end

-- takes out what fits and says what it was and where, so that it can be put back
local function take_out(items, fits)
  local gone = {}
  for i = #items, 1, -1 do
    if fits(items[i]) then table.insert(gone, 1, { at = i, item = table.remove(items, i) }) end
  end
  return gone
end

local function put_back(items, gone)
  for _, one in ipairs(gone) do table.insert(items, math.min(one.at, #items + 1), one.item) end
end

local function delete_books(ids)
  return { books = take_out(storage.books, function(book) return ids[book.id] end),
    notes = take_out(storage.notes, function(note) return ids[note.book] end) }
end

local function restore_books(gone)
  put_back(storage.books, gone.books)
  if not bug("undo_forgets_notes") then put_back(storage.notes, gone.notes) end
end

local function book_row(book)
  return column {
    text { book.title, id = "title" },
    prefs.show_author and text { "by " .. book.author, id = "author", size = "small" },
    text { book.state == "Reading" and progress_text(book) or plural(book.pages, "page"), id = "progress", size = "small" },
  }
end

-- ---- the three lists ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab = saved.tab or 1
    self.selecting, self.chosen = saved.selecting or false, saved.chosen or {}
    self.goal = goal_text()
  end,
  resume = function(self)
    if not bug("goal_stale") then self.goal = goal_text() end
  end,
  save = function(self, out) out.tab, out.selecting, out.chosen = self.tab, self.selecting, self.chosen end,
  back = function(self)
    if not self.selecting then return false end
    self:stop_selecting()
    return true
  end,
  stop_selecting = function(self) self.selecting, self.chosen = false, {} end,
  shown = function(self)
    return sorted(filter(storage.books, function(book) return book.state == STATES[self.tab] end))
  end,
  count = function(self)
    local n = 0
    for _ in pairs(self.chosen) do n = n + 1 end
    return n
  end,
  toggle = function(self, book)
    self.chosen[book.id] = not self.chosen[book.id] or nil
    if self:count() == 0 then self:stop_selecting() end
  end,
  select_all = function(self)
    for _, book in ipairs(bug("select_all_tabs") and storage.books or self:shown()) do self.chosen[book.id] = true end
  end,
  delete_chosen = function(self)
    local n, gone = self:count(), delete_books(self.chosen)
    self:stop_selecting()
    self.goal = goal_text()
    self:snackbar(plural(n, "book") .. " deleted", "Undo", function()
      restore_books(gone)
      self.goal = goal_text()
    end)
  end,
  ask_shelf = function(self)
    self:dialog { title = "Put on shelf", items = storage.shelves,
      on_item = function(_, name)
        for _, book in ipairs(storage.books) do
          if self.chosen[book.id] then book.shelf, book.changed = name, now() end
        end
        self:stop_selecting()
      end }
  end,
  ask_sort = function(self)
    self:dialog { title = "Sort by", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
  end,
  menu = function(self)
    if self.selecting then
      return { { "Select all", id = "select_all", on_click = function() self:select_all() end },
        { "Put on shelf", id = "put_on_shelf", on_click = function() self:ask_shelf() end } }
    end
    return {
      { "Sort by", id = "sort", on_click = function() self:ask_sort() end },
      { "Shelves", id = "shelves", on_click = function() self:start("Shelves") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  bar = function(self)
    if self.selecting then
      return toolbar { self:count() .. " selected", up = function() self:stop_selecting() end,
        actions = { { "Delete", id = "delete", on_click = function() self:delete_chosen() end } } }
    end
    return toolbar { "Reading Log", subtitle = self.goal,
      actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } }
  end,
  view = function(self)
    return column {
      self:bar(),
      tabs { id = "states", titles = STATES, selected = self.tab,
        on_change = function(i)
          self.tab = i
          self:stop_selecting()
        end },
      list { id = "books", items = self:shown(), empty = text { "No books here", id = "empty" },
        row = function(book)
          if not self.selecting then return book_row(book) end
          return row { image { id = "mark", desc = self.chosen[book.id] and "Selected" or "Not selected" }, book_row(book) }
        end,
        on_item_click = function(_, book)
          if self.selecting then return self:toggle(book) end
          self:start("Book", { id = book.id })
        end,
        on_item_long_click = function(_, book)
          self.selecting = true
          self:toggle(book)
        end },
      fab { id = "add", desc = "Add book", on_click = function() self:start("Edit", { state = STATES[self.tab] }) end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  found = function(self)
    local query = trim(self.query):lower()
    if query == "" then return {} end
    return sorted(filter(storage.books, function(book)
      local author = bug("search_author_case") and book.author or book.author:lower()
      return contains(book.title:lower(), query) or contains(author, query)
    end))
  end,
  view = function(self)
    local found = self:found()
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Title or author", on_change = function(text) self.query = text end },
      text { plural(#found, "book") .. " found", id = "found" },
      list { id = "results", items = found, row = book_row, on_item_click = function(_, book) self:start("Book", { id = book.id }) end },
    }
  end,
}

-- ---- one book ----

activity "Book" {
  ask_progress = function(self, book)
    local now_at = prefs.percent and math.floor(book.page * 100 / book.pages) or book.page
    self:dialog { title = prefs.percent and "How many percent?" or "Which page?", cancel = "Cancel", ok = "Save",
      view = function() return column { field { id = "reached", text = tostring(now_at), input = "number", max = 5 } } end,
      on_ok = function()
        local reached = tonumber(self:text("reached"))
        local most = prefs.percent and 100 or book.pages
        if not reached or reached < 0 or reached > most then toast("A number from 0 to " .. most) return true end
        if reached == now_at then return end
        if prefs.percent and not bug("percent_as_page") then reached = math.ceil(reached * book.pages / 100) end
        read_to(book, reached)
      end }
  end,
  ask_rating = function(self, book)
    self:dialog { title = "Rating", items = { "1 star", "2 stars", "3 stars", "4 stars", "5 stars" }, checked = book.rating,
      on_item = function(i) book.rating = i end }
  end,
  ask_note = function(self, book)
    self:dialog { title = "New note", cancel = "Cancel", ok = "Add",
      view = function() return column { field { id = "note_text", hint = "Note" } } end,
      on_ok = function()
        local words = trim(self:text("note_text"))
        if words == "" then return true end
        table.insert(storage.notes, { id = new_id(), book = book.id, text = words })
      end }
  end,
  ask_delete_note = function(self, note)
    self:dialog { title = "Delete this note?", message = note.text, cancel = "Cancel", ok = "Delete",
      on_ok = function() storage.notes = filter(storage.notes, function(other) return other.id ~= note.id end) end }
  end,
  begin = function(self, book)
    book.state, book.page, book.finished, book.changed = "Reading", 0, nil, now()
  end,
  view = function(self)
    local book = book_by_id(self.intent.id)
    if not book then return column { toolbar { "Book", up = true }, text { "There is no such book", id = "gone" } } end
    local notes = notes_of(book.id)
    return column {
      toolbar { book.title, subtitle = book.author, up = true,
        actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = book.id }) end } } },
      scroll {
        text { book.state, id = "state" },
        text { book.shelf or NO_SHELF, id = "shelf" },
        text { progress_text(book), id = "reached_text" },
        progress { id = "bar", value = book.page, max = book.pages },
        book.finished and text { "Finished on " .. date(book.finished, "%Y-%m-%d"), id = "finished_on" },
        text { book.rating and "Rated " .. book.rating .. " of 5" or "Not rated", id = "rating" },
        book.state == "Reading" and button { "Update progress", id = "update", on_click = function() self:ask_progress(book) end },
        book.state == "Reading" and button { "Finished", id = "finish", on_click = function() finish_book(book) end },
        book.state ~= "Reading" and button { book.state == "Finished" and "Read again" or "Start reading", id = "begin",
          on_click = function() self:begin(book) end },
        button { "Rate", id = "rate", on_click = function() self:ask_rating(book) end },
        text { plural(#notes, "note"), id = "note_count" },
        each(notes, function(note)
          return text { note.text, id = "note", on_long_click = function() self:ask_delete_note(note) end }
        end),
        button { "Add note", id = "add_note", on_click = function() self:ask_note(book) end },
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    self.book = intent.id and book_by_id(intent.id) or nil
    self.shelf = self.book and self.book.shelf or nil
    if saved and not bug("form_shelf_lost") then self.shelf = saved.shelf end
  end,
  save = function(self, out) out.shelf = self.shelf end,
  ask_shelf = function(self)
    local names = copy(storage.shelves)
    table.insert(names, NO_SHELF)
    self:dialog { title = "Shelf", items = names, checked = index_of(names, self.shelf or NO_SHELF),
      on_item = function(_, name) self.shelf = name ~= NO_SHELF and name or nil end }
  end,
  store = function(self)
    local title, author, pages = trim(self:text("title_field")), trim(self:text("author_field")), tonumber(self:text("pages_field"))
    if title == "" then return toast("A book needs a title") end
    if not pages or pages < 1 or pages > 99999 then return toast("How many pages?") end
    local book = self.book
    if not book then
      local state = self.intent.state or "To read"
      book = { id = new_id(), state = state, page = 0 }
      table.insert(storage.books, book)
      if state == "Finished" then book.page, book.finished = pages, now() end
    end
    book.title, book.author, book.pages, book.shelf, book.changed = title, author ~= "" and author or "Unknown", pages, self.shelf, now()
    book.page = book.state == "Finished" and pages or math.min(book.page, pages)
    self:finish()
  end,
  view = function(self)
    local book = self.book
    return column {
      toolbar { book and "Edit book" or "New book", up = true },
      scroll {
        field { id = "title_field", hint = "Title", text = book and book.title or "" },
        field { id = "author_field", hint = "Author", text = book and book.author or "" },
        field { id = "pages_field", hint = "Pages", text = book and tostring(book.pages) or "", input = "number", max = 5 },
        button { self.shelf or NO_SHELF, id = "choose_shelf", on_click = function() self:ask_shelf() end },
        button { "Save", id = "save", on_click = function() self:store() end },
      },
    }
  end,
}

-- ---- shelves ----

local function books_on(name) return filter(storage.books, function(book) return book.shelf == name end) end

local function rename_shelf(old, new)
  storage.shelves[index_of(storage.shelves, old)] = new
  if bug("rename_shelf_orphans") then return end
  for _, book in ipairs(books_on(old)) do book.shelf = new end
end

local function delete_shelf(name)
  table.remove(storage.shelves, index_of(storage.shelves, name))
  for _, book in ipairs(books_on(name)) do book.shelf = nil end
end

activity "Shelves" {
  ask_name = function(self, title, old, on_name)
    self:dialog { title = title, cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "shelf_name", hint = "Name", text = old } } end,
      on_ok = function()
        local name = trim(self:text("shelf_name"))
        if name == "" then return true end
        if name == old then return end
        if index_of(storage.shelves, name) or name == NO_SHELF then toast("There is such a shelf") return true end
        on_name(name)
      end }
  end,
  ask_delete = function(self, name)
    self:dialog { title = "Delete " .. name .. "?", message = "Its books stay.", cancel = "Cancel", ok = "Delete", on_ok = function() delete_shelf(name) end }
  end,
  options = function(self, name)
    self:popup {
      { "Rename", id = "rename", on_click = function() self:ask_name("Rename shelf", name, function(new) rename_shelf(name, new) end) end },
      { "Delete", id = "delete_shelf", on_click = function() self:ask_delete(name) end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Shelves", up = true },
      list { id = "shelf_list", items = storage.shelves, empty = text { "No shelves", id = "empty" },
        row = function(name) return row { text { name, id = "shelf", weight = 1 }, text { plural(#books_on(name), "book"), id = "size" } } end,
        on_item_click = function(_, name) self:start("Shelf", { name = name }) end,
        on_item_long_click = function(_, name) self:options(name) end },
      fab { id = "add_shelf", desc = "Add shelf",
        on_click = function() self:ask_name("New shelf", "", function(name) table.insert(storage.shelves, name) end) end },
    }
  end,
}

activity "Shelf" {
  view = function(self)
    return column {
      toolbar { self.intent.name or "Shelf", up = true },
      list { id = "on_shelf", items = sorted(books_on(self.intent.name)), empty = text { "This shelf is empty", id = "empty" }, row = book_row,
        on_item_click = function(_, book) self:start("Book", { id = book.id }) end },
    }
  end,
}

-- ---- statistics, settings ----

activity "Statistics" {
  view = function(self)
    local pages, stars, rated = 0, 0, 0
    for _, entry in ipairs(storage.log) do
      if this_year(entry.at) then pages = pages + entry.pages end
    end
    for _, book in ipairs(storage.books) do
      if book.rating then stars, rated = stars + book.rating, rated + 1 end
    end
    return column {
      toolbar { "Statistics", up = true },
      text { plural(#storage.books, "book") .. " in the log", id = "in_all" },
      text { "Finished: " .. goal_text(), id = "finished" },
      text { plural(pages, "page") .. " read this year", id = "pages_read" },
      text { rated > 0 and format("Average rating %.1f", stars / rated) or "Nothing rated yet", id = "average" },
    }
  end,
}

activity "Settings" {
  ask_goal = function(self)
    self:dialog { title = "Books a year", items = each(GOALS, function(n) return plural(n, "book") end), checked = index_of(GOALS, prefs.goal),
      on_item = function(i) prefs.goal = GOALS[i] end }
  end,
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Progress in percent", id = "percent", checked = prefs.percent, on_change = function(on) prefs.percent = on end },
      switch { "Show authors in lists", id = "show_author", checked = prefs.show_author, on_change = function(on) prefs.show_author = on end },
      button { "Goal: " .. plural(prefs.goal, "book") .. " a year", id = "goal", on_click = function() self:ask_goal() end },
    }
  end,
}
