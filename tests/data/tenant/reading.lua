-- Reading: the books I read, want to read and have read; what I read when; lines worth keeping.
--
-- A book has a status (reading, wish, done) and a page. A session is a stretch of pages of one book on one day.
-- Books go to the bin first; sessions and quotes stay until a book is deleted for good.

app {
  package = "org.lindenleaf.reading",
  title = "Reading",
  main = "Library",
  bugs = { "percent_kept", "quote_discard", "pages_total", "finish_date", "pages_sort", "bin_status", "language_new", "goal_year" },
  application = function()
    if storage.books then return end
    local today = now()
    local function ago(days) return today - days * 86400000 end
    storage.next_id = 50
    storage.shelves = { { id = 1, name = "Novels" }, { id = 2, name = "Non-fiction" }, { id = 3, name = "Travel" } }
    storage.books = {
      { id = 11, title = "The Glass Harbour", author = "Mira Holt", pages = 320, page = 120, percent = 37, status = "reading", shelf = 1,
        language = "English", rating = 0, notes = "" },
      { id = 12, title = "Small Engines", author = "T. Okafor", pages = 96, page = 24, percent = 25, status = "reading", shelf = 2,
        language = "English", rating = 0, notes = "Borrowed from Jan" },
      { id = 13, title = "Winter in Umea", author = "Eva Lind", pages = 224, page = 0, status = "wish", shelf = 3, language = "Swedish",
        rating = 0, notes = "" },
      { id = 14, title = "Long Division", author = "P. Ames", pages = 1040, page = 0, status = "wish", shelf = 1, language = "English",
        rating = 0, notes = "", fav = true },
      { id = 15, title = "Bread and Salt", author = "Ana Reyes", pages = 180, page = 180, percent = 100, status = "done", shelf = 2,
        language = "Spanish", rating = 8, notes = "", finished = ago(45) },
      { id = 16, title = "The Last Ferry", author = "Mira Holt", pages = 410, page = 410, percent = 100, status = "done", shelf = 1,
        language = "English", rating = 7, notes = "", finished = ago(120) },
    }
    storage.sessions = {
      { id = 21, book = 12, at = ago(2), from = 0, to = 24, minutes = 20 },
      { id = 22, book = 11, at = ago(4), from = 80, to = 120, minutes = 35 },
      { id = 23, book = 11, at = ago(10), from = 0, to = 80, minutes = 70 },
      { id = 24, book = 15, at = ago(45), from = 60, to = 180, minutes = 120 },
      { id = 25, book = 15, at = ago(47), from = 0, to = 60, minutes = 55 },
    }
    storage.quotes = {
      { id = 31, book = 11, text = "The sea keeps no diary.", page = 17 },
      { id = 32, book = 15, text = "Salt is the first guest at every table.", page = 4, fav = true },
      { id = 33, book = 16, text = "We were late, as hope is late.", page = 399 },
    }
    prefs.goal = 12
    prefs.as_percent = true
    prefs.auto_finish = true
    prefs.language = 1
    prefs.sort = "added"
  end,
}

local STATUS = { "reading", "wish", "done" }
local STATUS_NAME = { reading = "Reading", wish = "To read", done = "Finished" }
local LANGUAGES = { "English", "German", "Spanish", "Swedish" }
local SORTS = { { "added", "Order of adding" }, { "title", "Title" }, { "author", "Author" }, { "pages", "Shortest first" } }
local MAX = { books = 80, sessions = 150, quotes = 100, shelves = 10 }

local function fresh_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function get(list, id) return (find(storage[list], function(x) return x.id == id end)) end
local function drop(list, item)
  local at = index_of(storage[list], item)
  if at then table.remove(storage[list], at) end
  return at
end

local function live(book) return book ~= nil and not book.binned end
local function count_of(n, one) return n == 1 and "1 " .. one or n .. " " .. one .. "s" end
local function shelf_name(book)
  local shelf = book.shelf and get("shelves", book.shelf)
  return shelf and shelf.name or "No shelf"
end

-- How far a book was read.
local function percent(book)
  if bug("percent_kept") and book.percent then return book.percent end
  if book.pages == 0 then return 0 end
  return book.page * 100 // book.pages
end

local function progress_text(book)
  if prefs.as_percent then return percent(book) .. " %" end
  return book.page .. " of " .. book.pages .. " pages"
end

local function stars(rating) return rating == 0 and "not rated" or format("%.1f stars", rating / 2) end

local function turn_to(book, page)
  book.page = page
  book.percent = book.pages > 0 and page * 100 // book.pages or 0
end

local function set_status(book, status)
  if book.status == status then return end
  local again = book.status == "done" or status == "wish"
  book.status = status
  if status == "done" then
    book.finished = now()
    turn_to(book, book.pages)
  else
    book.finished = nil
    if again then turn_to(book, 0) end
  end
end

local function in_order(books)
  local result = copy(books)
  local by = prefs.sort
  if by == "title" or by == "author" then
    table.sort(result, function(a, b) return a[by]:lower() < b[by]:lower() end)
  elseif by == "pages" then
    table.sort(result, function(a, b)
      if bug("pages_sort") then return tostring(a.pages) < tostring(b.pages) end
      return a.pages < b.pages
    end)
  end
  return result
end

local function book_line(book)
  local parts = { book.author ~= "" and book.author or "Unknown author" }
  if book.status == "reading" then table.insert(parts, progress_text(book)) end
  if book.status == "wish" then table.insert(parts, count_of(book.pages, "page")) end
  if book.status == "done" then table.insert(parts, stars(book.rating)) end
  return table.concat(parts, " · ")
end

activity "Library" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
    self.shelf = saved and saved.shelf
    self.fav = saved and saved.fav or false
  end,
  save = function(self, out) out.tab, out.shelf, out.fav = self.tab, self.shelf, self.fav end,
  resume = function(self) if self.shelf and not get("shelves", self.shelf) then self.shelf = nil end end,
  back = function(self)
    if not self.shelf and not self.fav then return false end
    self.shelf, self.fav = nil, false
    return true
  end,

  books = function(self)
    return in_order(filter(storage.books, function(b)
      return not b.binned and b.status == STATUS[self.tab] and (not self.shelf or b.shelf == self.shelf) and (not self.fav or b.fav)
    end))
  end,

  move_to_bin = function(self, book)
    book.binned = true
    self:snackbar(book.title .. " is in the bin", "Undo", function()
      local same = get("books", book.id)
      if same then same.binned = nil end
    end)
  end,

  book_menu = function(self, book)
    local items = { { "Favourite", id = "favourite", checked = book.fav == true, on_click = function() book.fav = not book.fav end } }
    for _, status in ipairs(STATUS) do
      if status ~= book.status then
        table.insert(items, { "Move to " .. STATUS_NAME[status], id = "move_to_" .. status, on_click = function() set_status(book, status) end })
      end
    end
    table.insert(items, { "Edit", id = "edit_book", on_click = function() self:start("EditBook", { id = book.id }) end })
    table.insert(items, { "Put into the bin", id = "bin_book", on_click = function() self:move_to_bin(book) end })
    self:popup(items)
  end,

  places = function(self)
    local function filter_item(title, id, shelf, fav)
      return { title, id = id, selected = self.shelf == shelf and self.fav == fav, on_click = function() self.shelf, self.fav = shelf, fav end }
    end
    local items = { filter_item("All books", "all_books", nil, false), filter_item("Favourites", "favourites", nil, true) }
    for _, s in ipairs(storage.shelves) do table.insert(items, filter_item(s.name, "shelf", s.id, false)) end
    for _, page in ipairs { "Shelves", "Quotes", "Diary", "Goal", "Statistics", "Bin", "Settings" } do
      table.insert(items, { page == "Shelves" and "Edit shelves" or page, id = "open_" .. page:lower(), on_click = function() self:start(page) end })
    end
    return items
  end,

  menu = function(self)
    return {
      { "Sort by", id = "sort", items = each(SORTS, function(s)
        return { s[2], id = "sort_by", checked = prefs.sort == s[1], on_click = function() prefs.sort = s[1] end }
      end) },
    }
  end,

  view = function(self)
    local shelf = self.shelf and get("shelves", self.shelf)
    local books = self:books()
    return column {
      drawer { id = "places", header = "Reading", items = self:places() },
      toolbar { self.fav and "Favourites" or shelf and shelf.name or "Library", subtitle = count_of(#books, "book") },
      tabs { id = "status_tabs", titles = { "Reading", "To read", "Finished" }, selected = self.tab, on_change = function(i) self.tab = i end },
      list { id = "books", items = books, empty = text { "No books here", id = "empty" },
        row = function(b) return column { id = "book_row",
          text { b.title .. (b.fav and " ♥" or ""), id = "title" }, text { book_line(b), id = "line", size = "small" } } end,
        on_item_click = function(_, b) self:start("Book", { id = b.id }) end,
        on_item_long_click = function(_, b) self:book_menu(b) end },
      fab { id = "add_book", desc = "Add a book", on_click = function() self:start("EditBook", { status = STATUS[self.tab], shelf = self.shelf }) end },
    }
  end,
}

activity "Book" {
  finish_book = function(self, book)
    self:dialog { title = "Finished " .. book.title .. "?", message = "The pages you did not log are not added to the statistics.",
      ok = "Finished", on_ok = function() set_status(book, "done") end, cancel = "Not yet" }
  end,

  menu = function(self)
    local book = get("books", self.intent.id)
    if not live(book) then return {} end
    return {
      { "Edit", id = "edit_book", on_click = function() self:start("EditBook", { id = book.id }) end },
      { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
      { "Put into the bin", id = "bin_book", on_click = function() book.binned = true self:finish() end },
    }
  end,

  view = function(self)
    local book = get("books", self.intent.id)
    if not live(book) then return column { toolbar { "Book", up = true }, text { "This book is not in your library", id = "gone" } } end
    local sessions = filter(storage.sessions, function(s) return s.book == book.id end)
    local quotes = filter(storage.quotes, function(q) return q.book == book.id end)
    return column {
      toolbar { book.title, up = true, actions = { { book.fav and "Favourite" or "Not a favourite", id = "favourite", on_click = function() book.fav = not book.fav end } } },
      scroll { id = "page",
        text { book.author ~= "" and book.author or "Unknown author", id = "author", size = "large" },
        text { STATUS_NAME[book.status] .. ", " .. shelf_name(book) .. ", " .. book.language, id = "status" },
        text { book.page .. " of " .. count_of(book.pages, "page") .. " (" .. percent(book) .. " %)", id = "progress_line" },
        progress { id = "progress", value = book.page, max = book.pages },
        text { "Rating: " .. stars(book.rating), id = "rating" },
        book.finished and text { "Finished on " .. date(book.finished, "%d %B %Y"), id = "finished" },
        book.notes ~= "" and text { book.notes, id = "notes" },
        row {
          book.status == "reading" and button { "Log reading", id = "log", on_click = function() self:start("LogReading", { id = book.id }) end },
          book.status == "reading" and button { "Finished", id = "finish_book", on_click = function() self:finish_book(book) end },
          book.status == "wish" and button { "Start reading", id = "start_reading", on_click = function() set_status(book, "reading") end },
          button { "Add quote", id = "add_quote", on_click = function() self:start("EditQuote", { book = book.id }) end } },
        divider {},
        text { count_of(#sessions, "session") .. ", " .. count_of(#quotes, "quote"), id = "counts", size = "small" },
        each(sessions, function(s) return row { text { date(s.at, "%d %b %Y"), id = "session_day", weight = 1 },
          text { "pages " .. s.from .. " to " .. s.to, id = "session_pages" } } end),
        each(quotes, function(q) return text { "“" .. q.text .. "” (" .. q.page .. ")", id = "quote_text",
          on_click = function() self:start("EditQuote", { id = q.id }) end } end),
      },
    }
  end,
}

activity "EditBook" {
  create = function(self, intent, saved)
    local book = intent.id and get("books", intent.id)
    self.id = book and book.id
    self.first = book and copy(book) or { title = "", author = "", pages = 0, shelf = intent.shelf, language = LANGUAGES[prefs.language] or LANGUAGES[1],
      rating = 0, notes = "", status = intent.status or "wish" }
    local from = saved or self.first
    self.shelf, self.language, self.rating = from.shelf, from.language, from.rating
  end,
  save = function(self, out) out.shelf, out.language, out.rating = self.shelf, self.language, self.rating end,

  leave = function(self)
    local f = self.first
    local same = self:text("title") == f.title and self:text("author") == f.author and self:text("pages") == self:pages_text()
      and self:text("notes") == f.notes and self.shelf == f.shelf and self.language == f.language and self.rating == f.rating
    if same then return self:finish() end
    self:dialog { title = "Leave without saving?", ok = "Leave", on_ok = function() self:finish() end, cancel = "Stay" }
  end,
  back = function(self) self:leave() return true end,

  pages_text = function(self) return self.first.pages > 0 and tostring(self.first.pages) or "" end,

  store = function(self)
    local title, pages = trim(self:text("title")), tonumber(self:text("pages"))
    if title == "" then return toast("A book needs a title") end
    if not pages or pages < 1 or pages > 5000 then return toast("How many pages does it have?") end
    pages = math.floor(pages)
    local book = self.id and get("books", self.id)
    if book and book.status == "reading" and pages < book.page then return toast("You are on page " .. book.page .. " already") end
    if not book then
      if #storage.books >= MAX.books then return toast("Your library is full") end
      book = { id = fresh_id(), page = 0, status = self.first.status, language = self.first.language }
      if book.status == "done" then book.page, book.finished = pages, now() end
      if not bug("language_new") then book.language = self.language end
      table.insert(storage.books, book)
    else
      book.language = self.language
      if book.status == "done" then
        book.page = pages
        if bug("finish_date") then book.finished = now() end
      end
    end
    book.title, book.author, book.pages, book.notes = title, trim(self:text("author")), pages, trim(self:text("notes"))
    book.shelf, book.rating = self.shelf and get("shelves", self.shelf) and self.shelf, self.rating
    self:finish()
  end,

  view = function(self)
    local shelves = { { name = "No shelf" } }
    for _, s in ipairs(storage.shelves) do table.insert(shelves, s) end
    local _, shelf_at = find(shelves, function(s) return s.id == self.shelf end)
    return column {
      toolbar { self.id and "Edit book" or "New book", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { id = "form",
        not self.id and text { "Goes to: " .. STATUS_NAME[self.first.status], id = "goes_to", size = "small" },
        field { id = "title", hint = "Title", text = self.first.title, max = 40 },
        field { id = "author", hint = "Author", text = self.first.author, max = 30 },
        field { id = "pages", hint = "Pages", text = self:pages_text(), input = "number", max = 4 },
        text { "Language", size = "small" },
        spinner { id = "language", items = LANGUAGES, selected = index_of(LANGUAGES, self.language) or 1, on_change = function(_, name) self.language = name end },
        text { "Shelf", size = "small" },
        spinner { id = "shelf_of_book", items = each(shelves, function(s) return s.name end), selected = shelf_at or 1,
          on_change = function(i) self.shelf = shelves[i].id end },
        text { "Rating: " .. stars(self.rating), id = "rating_label", size = "small" },
        slider { id = "rating", min = 0, max = 10, step = 1, value = self.rating, on_change = function(v) self.rating = math.floor(v) end },
        field { id = "notes", hint = "Notes", text = self.first.notes, input = "multiline", max = 300 },
      },
    }
  end,
}

-- The form begins where the last session ended.
activity "LogReading" {
  store = function(self, book)
    local to, minutes = tonumber(self:text("to_page")), tonumber(self:text("minutes")) or 0
    if not to then return toast("Which page are you on now?") end
    to, minutes = math.floor(to), math.floor(minutes)
    if to <= book.page then return toast("You were on page " .. book.page .. " already") end
    if to > book.pages then return toast("The book has " .. count_of(book.pages, "page")) end
    if minutes < 0 or minutes > 1440 then return toast("A day has 1440 minutes") end
    table.insert(storage.sessions, 1, { id = fresh_id(), book = book.id, at = now(), from = book.page, to = to, minutes = minutes })
    while #storage.sessions > MAX.sessions do table.remove(storage.sessions) end
    turn_to(book, to)
    if to == book.pages and prefs.auto_finish then
      set_status(book, "done")
      toast("Finished!")
    end
    self:finish()
  end,

  view = function(self)
    local book = get("books", self.intent.id)
    if not live(book) then return column { toolbar { "Log reading", up = true }, text { "This book is not in your library", id = "gone" } } end
    return column {
      toolbar { "Log reading", up = true, actions = { { "Save", id = "save", on_click = function() self:store(book) end } } },
      scroll { id = "form",
        text { book.title, id = "title", size = "large" },
        text { "From page " .. book.page .. " of " .. book.pages, id = "from_page" },
        field { id = "to_page", hint = "To page", input = "number", max = 4 },
        field { id = "minutes", hint = "Minutes (may be empty)", input = "number", max = 4 },
      },
    }
  end,
}

activity "Diary" {
  -- The page goes back with the session that brought it here; older sessions leave no trace in the book.
  delete = function(self, session)
    local book = get("books", session.book)
    local last = book and book.status == "reading" and book.page == session.to
    local at = drop("sessions", session)
    if not at then return end
    if last then turn_to(book, session.from) end
    if bug("pages_total") then storage.kept_pages = (storage.kept_pages or 0) + session.to - session.from end
    self:snackbar("Session deleted", "Undo", function()
      local same = get("books", session.book)
      if not same then return end
      table.insert(storage.sessions, math.min(at, #storage.sessions + 1), session)
      if bug("pages_total") then storage.kept_pages = (storage.kept_pages or 0) - session.to + session.from end
      if last and same.page == session.from and same.status == "reading" then turn_to(same, session.to) end
    end)
  end,

  view = function(self)
    return column {
      toolbar { "Diary", up = true, subtitle = count_of(#storage.sessions, "session") },
      list { id = "sessions", items = storage.sessions, empty = text { "Nothing was logged", id = "empty" },
        row = function(s)
          local book = get("books", s.book)
          return row { id = "session_row",
            column { weight = 1, text { (book and book.title or "Deleted book") .. (book and book.binned and " (bin)" or ""), id = "title" },
              text { format("%s · pages %d to %d · %d min", date(s.at, "%d %b %Y"), s.from, s.to, s.minutes), id = "line", size = "small" } },
            image_button { id = "delete_session", desc = "Delete session", on_click = function() self:delete(s) end } }
        end },
    }
  end,
}

activity "Quotes" {
  create = function(self, intent, saved)
    self.query = saved and saved.query or ""
    self.only_fav = saved and saved.only_fav or false
  end,
  save = function(self, out) out.query, out.only_fav = self.query, self.only_fav end,

  shown = function(self)
    local query = trim(self.query):lower()
    return filter(storage.quotes, function(q)
      local book = get("books", q.book)
      return (not self.only_fav or q.fav) and (query == "" or contains((q.text .. " " .. (book and book.title or "")):lower(), query))
    end)
  end,

  quote_menu = function(self, quote)
    self:popup {
      { "Favourite", id = "favourite", checked = quote.fav == true, on_click = function() quote.fav = not quote.fav end },
      { "Copy", id = "copy_quote", on_click = function() clipboard.set(quote.text) toast("Copied") end },
      { "Delete", id = "delete_quote", on_click = function()
        local at = drop("quotes", quote)
        self:snackbar("Quote deleted", "Undo", function()
          if get("books", quote.book) then table.insert(storage.quotes, math.min(at, #storage.quotes + 1), quote) end
        end)
      end },
    }
  end,

  view = function(self)
    local shown = self:shown()
    return column {
      toolbar { "Quotes", up = true, subtitle = #shown .. " of " .. #storage.quotes },
      field { id = "query", hint = "Words or title", max = 30, on_change = function(s) self.query = s end },
      check { "Favourites only", id = "only_fav", checked = self.only_fav, on_change = function(b) self.only_fav = b end },
      list { id = "quotes", items = shown, empty = text { "No quotes", id = "empty" },
        row = function(q)
          local book = get("books", q.book)
          return column { id = "quote_row", text { q.text .. (q.fav and " ♥" or ""), id = "quote" },
            text { (book and book.title or "Deleted book") .. ", page " .. q.page, id = "source", size = "small" } }
        end,
        on_item_click = function(_, q) self:start("EditQuote", { id = q.id }) end,
        on_item_long_click = function(_, q) self:quote_menu(q) end },
      text { "Quotes of books in the bin are shown too", id = "hint", size = "small" },
    }
  end,
}

-- A new quote starts on the page where the book is open.
activity "EditQuote" {
  create = function(self, intent)
    local quote = intent.id and get("quotes", intent.id)
    local book = get("books", quote and quote.book or intent.book)
    self.id, self.book = quote and quote.id, book and book.id
    self.first = { text = quote and quote.text or "", page = tostring(quote and quote.page or book and book.page or 0) }
  end,

  leave = function(self)
    if self:text("quote") == self.first.text and self:text("quote_page") == self.first.page then return self:finish() end
    self:dialog { title = "Discard what you typed?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Keep writing" }
  end,
  back = function(self)
    if not self.book then return false end
    self:leave()
    return true
  end,

  typed = function(self, text)
    local quote = self.id and get("quotes", self.id)
    if quote and trim(text) ~= "" and bug("quote_discard") then quote.text = trim(text) end
  end,

  store = function(self)
    local text, page = trim(self:text("quote")), tonumber(self:text("quote_page"))
    if text == "" then return toast("There is nothing to keep") end
    local quote = self.id and get("quotes", self.id)
    if not quote then
      if #storage.quotes >= MAX.quotes then return toast("Too many quotes") end
      quote = { id = fresh_id(), book = self.book }
      table.insert(storage.quotes, quote)
    end
    quote.text, quote.page = text, page and math.floor(page) or 0
    self:finish()
  end,

  view = function(self)
    local book = self.book and get("books", self.book)
    if not book then return column { toolbar { "Quote", up = true }, text { "This book is not in your library", id = "gone" } } end
    return column {
      toolbar { self.id and "Edit quote" or "New quote", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { id = "form",
        text { book.title, id = "title", size = "large" },
        field { id = "quote", hint = "The quote", text = self.first.text, input = "multiline", max = 300, on_change = function(s) self:typed(s) end },
        field { id = "quote_page", hint = "Page", text = self.first.page, input = "number", max = 4 },
      },
    }
  end,
}

activity "Shelves" {
  ask_name = function(self, shelf)
    self:dialog {
      title = shelf and "Rename shelf" or "New shelf",
      view = function() return column { field { id = "shelf_name", hint = "Name", text = shelf and shelf.name or "", max = 20 } } end,
      ok = "Save",
      on_ok = function()
        local name = trim(self:text("shelf_name"))
        if name == "" then toast("A shelf needs a name") return true end
        local same = find(storage.shelves, function(s) return s.name:lower() == name:lower() end)
        if same and same ~= shelf then toast("There is such a shelf") return true end
        if shelf then shelf.name = name return end
        if #storage.shelves >= MAX.shelves then return toast("Too many shelves") end
        table.insert(storage.shelves, { id = fresh_id(), name = name })
      end,
      cancel = "Cancel",
    }
  end,

  delete = function(self, shelf)
    self:dialog { title = "Delete " .. shelf.name .. "?", message = "Its books stay in your library.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        drop("shelves", shelf)
        for _, b in ipairs(storage.books) do if b.shelf == shelf.id then b.shelf = nil end end
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Shelves", up = true, actions = { { "New shelf", id = "add_shelf", on_click = function() self:ask_name(nil) end } } },
      list { id = "shelves", items = storage.shelves, empty = text { "No shelves", id = "empty" },
        row = function(s)
          local books = #filter(storage.books, function(b) return b.shelf == s.id and not b.binned end)
          return row { id = "shelf_row", column { weight = 1, text { s.name, id = "name" }, text { count_of(books, "book"), id = "count", size = "small" } },
            image_button { id = "delete_shelf", desc = "Delete shelf", on_click = function() self:delete(s) end } }
        end,
        on_item_click = function(_, s) self:ask_name(s) end },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local books = filter(storage.books, live)
    local pages, minutes = 0, 0
    for _, s in ipairs(storage.sessions) do
      pages = pages + s.to - s.from
      minutes = minutes + s.minutes
    end
    if bug("pages_total") then pages = pages + (storage.kept_pages or 0) end
    return column {
      toolbar { "Statistics", up = true },
      scroll { id = "page",
        text { count_of(pages, "page") .. " in " .. count_of(#storage.sessions, "session"), id = "pages_read", size = "large" },
        text { format("%d h %d min of reading", minutes // 60, minutes % 60), id = "time_read" },
        text { "Logged sessions only, those of books in the bin among them", id = "pages_rule", size = "small" },
        divider {},
        each(STATUS, function(status)
          return text { STATUS_NAME[status] .. ": " .. #filter(books, function(b) return b.status == status end), id = "count_" .. status }
        end),
        each(storage.shelves, function(s)
          return text { s.name .. ": " .. #filter(books, function(b) return b.shelf == s.id end), id = "count_shelf" }
        end),
      },
    }
  end,
}

activity "Goal" {
  ask_goal = function(self)
    self:dialog {
      title = "Books a year",
      view = function() return column { field { id = "new_goal", text = tostring(prefs.goal), input = "number", max = 3 } } end,
      ok = "Set",
      on_ok = function()
        local goal = tonumber(self:text("new_goal"))
        if not goal or goal < 1 then toast("At least one") return true end
        prefs.goal = math.floor(goal)
      end,
      cancel = "Cancel",
    }
  end,

  view = function(self)
    local year = date(now(), "%Y")
    local done = in_order(filter(storage.books, function(b)
      return live(b) and b.status == "done" and (bug("goal_year") or (b.finished and date(b.finished, "%Y") == year))
    end))
    return column {
      toolbar { "Goal", up = true, actions = { { "Change the goal", id = "change_goal", on_click = function() self:ask_goal() end } } },
      text { #done .. " of " .. count_of(prefs.goal, "book"), id = "goal", size = "large" },
      progress { id = "goal_progress", value = math.min(#done, prefs.goal), max = prefs.goal },
      text { "Books finished in " .. year .. " count", id = "goal_rule", size = "small" },
      list { id = "counted", items = done, empty = text { "None yet", id = "empty" },
        row = function(b) return column { id = "counted_row", text { b.title, id = "title" },
          text { b.finished and date(b.finished, "%d %b %Y") or "", id = "day", size = "small" } } end,
        on_item_click = function(_, b) self:start("Book", { id = b.id }) end },
    }
  end,
}

activity "Bin" {
  restore = function(self, book)
    book.binned = nil
    if bug("bin_status") then book.status = "wish" end
    toast(book.title .. " is back")
  end,

  ask_empty = function(self)
    self:dialog { title = "Empty the bin?", message = "Quotes and sessions of these books go with them.", cancel = "Cancel", ok = "Empty",
      on_ok = function()
        storage.books = filter(storage.books, live)
        storage.sessions = filter(storage.sessions, function(s) return get("books", s.book) ~= nil end)
        storage.quotes = filter(storage.quotes, function(q) return get("books", q.book) ~= nil end)
      end }
  end,

  view = function(self)
    local binned = filter(storage.books, function(b) return b.binned end)
    return column {
      toolbar { "Bin", up = true, subtitle = count_of(#binned, "book"), actions = { { "Empty the bin", id = "empty_bin", on_click = function() self:ask_empty() end } } },
      list { id = "binned", items = binned, empty = text { "The bin is empty", id = "empty" },
        row = function(b) return row { id = "binned_row",
          column { weight = 1, text { b.title, id = "title" }, text { "Was in: " .. STATUS_NAME[b.status], id = "was_in", size = "small" } },
          button { "Restore", id = "restore", on_click = function() self:restore(b) end } } end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll { id = "options",
        switch { "Progress in percent", id = "as_percent", checked = prefs.as_percent, on_change = function(b) prefs.as_percent = b end },
        switch { "The last page finishes a book", id = "auto_finish", checked = prefs.auto_finish, on_change = function(b) prefs.auto_finish = b end },
        text { "Language of new books", size = "small" },
        spinner { id = "new_language", items = LANGUAGES, selected = prefs.language, on_change = function(i) prefs.language = i end },
        text { "A book that leaves Finished, or goes back to To read, starts at page 0 again. Its sessions stay.", id = "hint", size = "small" },
      },
    }
  end,
}
