-- Notes: short texts in notebooks, with tags, a lock, a search and a trash.
--
-- One main screen shows everything: the notebooks and loose notes, or the inside of one notebook, or what a
-- filter (locked, starred, a tag) leaves of it. The editor saves by itself a moment after the last key.

app {
  package = "org.norn.notes",
  title = "Notes",
  main = "Main",
  bugs = { "locked_leave", "tag_gone", "search_pattern", "trash_orphan", "search_shows_locked", "undo_star",
    "rotate_filter", "late_saved" },
  themis = {
    { n = 1, activity = "Main", id = "new_notebook", kind = "tap" },
    { n = 2, activity = "Main", id = "notebook_row", kind = "tap" },
    { n = 3, activity = "Main", id = "menu", kind = "tap" },
    { n = 4, activity = "Main", id = "filter_locked", kind = "tap" },
    { n = 5, activity = "Main", id = "leave", kind = "tap" },
    { n = 6, activity = "Main", id = "delete_note", kind = "tap" },
    { n = 7, activity = "Main", id = "delete_notebook", kind = "tap" },
    { n = 8, activity = "Main", id = "filter_trash", kind = "tap" },
    { n = 9, activity = "Tags", id = "tag_row", kind = "tap" },
    { n = 10, activity = "Tags", id = "tag_row", kind = "long" },
    { n = 11, activity = "Search", id = "query", kind = "type" },
  },
  application = function()
    if storage.notes then return end
    storage.next_id = 10
    storage.books = {}
    storage.tags = { { id = 1, name = "work" }, { id = 2, name = "home" } }
    storage.notes = {
      { id = 3, title = "Welcome", body = "Tap the pencil to write. Long-press a note for more.", tags = {} },
      { id = 4, title = "Shopping", body = "Milk, bread, apples", tags = { 2 }, starred = true },
    }
    prefs.snippets = true
    prefs.by_title = false
    prefs.pin = ""
  end,
}

local MAX_NOTES, MAX_BOOKS, MAX_TAGS = 150, 20, 12

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function note_of(id) return by_id(storage.notes, id) end
local function book_of(id) return by_id(storage.books, id) end
local function tag_of(id) return by_id(storage.tags, id) end

local function has_tag(note, id) return index_of(note.tags, id) ~= nil end

local function toggle_tag(note, id)
  local i = index_of(note.tags, id)
  if i then table.remove(note.tags, i) else table.insert(note.tags, id) end
end

local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end

local function sorted(notes)
  local result = copy(notes)
  if prefs.by_title then
    table.sort(result, function(a, b) return a.title:lower() < b.title:lower() end)
  else
    table.sort(result, function(a, b) return a.id > b.id end)
  end
  return result
end

local function shorten(line, letters)
  local cut = utf8.offset(line, letters + 1)
  return cut and cut <= #line and line:sub(1, cut - 1) .. "…" or line
end

local function matches(note, query)
  local all = (note.title .. " " .. note.body):lower()
  if bug("search_pattern") then return all:find(query:lower()) ~= nil end
  return contains(all, query:lower())
end

local function first_line(note) return shorten(split(note.body, "\n")[1] or "", 40) end

local function snippet(note) return note.locked and "Locked note" or first_line(note) end

-- Notes that lie in a notebook go to the trash with it; from there they come back as loose notes.
local function delete_book(book)
  for _, note in ipairs(storage.notes) do
    if note.book == book.id and not (bug("trash_orphan") and note.trashed) then
      note.trashed = true
      note.book = nil
    end
  end
  forget(storage.books, book)
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.mode = "all"
    self.book, self.label, self.tag = saved.book, saved.label, saved.tag
    if not bug("rotate_filter") then self.mode = saved.mode or "all" end
  end,

  save = function(self, out)
    out.mode, out.book, out.label, out.tag = self.mode, self.book, self.label, self.tag
  end,

  resume = function(self)
    if self.tag and not bug("tag_gone") and not tag_of(self.tag) then self:show("all") end
  end,

  result = function(self, request, data)
    if request == "tag" and data then
      self.mode = "tag"
      self.tag = data.tag
    end
  end,

  back = function(self)
    if self.book then
      self:close_book()
    elseif self.mode ~= "all" then
      self:show("all")
      self.label = nil
    else
      return false
    end
    return true
  end,

  -- Filters -------------------------------------------------------------------------------------------

  show = function(self, mode)
    self.mode = mode
    self.tag = nil
    if mode == "locked" and bug("locked_leave") then self.book = nil end   -- locked notes of all notebooks
  end,

  shown = function(self, note)
    if note.trashed then return false end
    if self.mode == "locked" and not note.locked then return false end
    if self.mode == "starred" and not note.starred then return false end
    if self.mode == "tag" and not has_tag(note, self.tag) then return false end
    if self.book then return note.book == self.book end
    return self.mode ~= "all" or note.book == nil
  end,

  items = function(self)
    local items = {}
    if not self.book and self.mode == "all" then
      for _, book in ipairs(storage.books) do table.insert(items, { book = book }) end
    end
    for _, note in ipairs(sorted(storage.notes)) do
      if self:shown(note) then table.insert(items, { note = note }) end
    end
    return items
  end,

  open_filters = function(self)
    self:popup {
      { "All notes", id = "filter_all", on_click = function() self:show("all") end },
      { "Starred", id = "filter_starred", on_click = function() self:show("starred") end },
      { "Locked", id = "filter_locked", on_click = function() self:show("locked") end },
      { "Tags", id = "filter_tags", on_click = function() self:start_for_result("Tags", "tag") end },
      { "Trash", id = "filter_trash", on_click = function() self:start("Trash") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  -- Notebooks -----------------------------------------------------------------------------------------

  new_book = function(self)
    if #storage.books >= MAX_BOOKS then return toast("Too many notebooks") end
    storage.book_count = (storage.book_count or 0) + 1
    table.insert(storage.books, { id = new_id(), name = "Notebook " .. storage.book_count })
  end,

  open_book = function(self, book)
    self.book = book.id
    self.label = book.name
  end,

  close_book = function(self)
    local book = book_of(self.book)
    toast("Left " .. book.name)
    self.book, self.label = nil, nil
    self.mode = "all"
  end,

  book_menu = function(self, book)
    self:popup {
      { "Rename", id = "rename_notebook", on_click = function() self:ask_name(book) end },
      { "Delete notebook", id = "delete_notebook", on_click = function()
        delete_book(book)
        toast(book.name .. " deleted")
      end },
    }
  end,

  ask_name = function(self, book)
    self:dialog {
      title = "Rename notebook",
      view = function() return column { field { id = "notebook_name", text = book.name, max = 30 } } end,
      ok = "Rename",
      on_ok = function()
        local name = trim(self:text("notebook_name"))
        if name ~= "" then book.name = name end
      end,
      cancel = "Cancel",
    }
  end,

  -- Notes ---------------------------------------------------------------------------------------------

  open_note = function(self, note)
    if not note.locked or prefs.pin == "" then return self:start("Note", { id = note.id }) end
    self:dialog {
      title = "Enter PIN",
      view = function() return column { field { id = "pin", input = "password", max = 4 } } end,
      ok = "Unlock",
      on_ok = function()
        if self:text("pin") == prefs.pin then self:start("Note", { id = note.id }) else toast("Wrong PIN") end
      end,
      cancel = "Cancel",
    }
  end,

  delete_note = function(self, note)
    local before = copy(note)
    if bug("undo_star") then
      before = { id = note.id, title = note.title, body = note.body, book = note.book, tags = note.tags,
        locked = note.locked }
    end
    note.trashed = true
    self.undo = { note = note, before = before }
    if self.undo_timer then cancel(self.undo_timer) end
    self.undo_timer = self:after(4000, function() self.undo, self.undo_timer = nil, nil end)
  end,

  undo_delete = function(self)
    local before = self.undo.before
    local i = index_of(storage.notes, self.undo.note)
    self.undo = nil
    if not i then return toast("The note is gone") end
    if before.book and not book_of(before.book) then before.book = nil end
    storage.notes[i] = before
  end,

  note_menu = function(self, note)
    self:popup {
      { "Star", id = "star_note", checked = note.starred == true,
        on_click = function() note.starred = not note.starred end },
      { "Lock", id = "lock_note", checked = note.locked == true,
        on_click = function() note.locked = not note.locked end },
      { "Delete", id = "delete_note", on_click = function() self:delete_note(note) end },
    }
  end,

  title_text = function(self)
    if self.tag then return "#" .. tag_of(self.tag).name end
    local names = { all = "Notes", starred = "Starred", locked = "Locked" }
    return names[self.mode] or "Notes"
  end,

  item_row = function(self, item)
    if item.book then return column { id = "notebook_row", text { item.book.name, id = "name", size = "large" } } end
    local note = item.note
    return column { id = "note_row",
      text { (note.starred and "★ " or "") .. note.title, id = "title", size = "large" },
      prefs.snippets and text { snippet(note), id = "snippet", size = "small" },
    }
  end,

  view = function(self)
    return column {
      toolbar { self:title_text(),
        actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      self.label and button { "‹ " .. self.label, id = "leave", on_click = function() self:close_book() end },
      list { id = "notes", weight = 1, items = self:items(), empty = text { "Nothing here", id = "empty" },
        row = function(item) return self:item_row(item) end,
        on_item_click = function(_, item)
          if item.book then self:open_book(item.book) else self:open_note(item.note) end
        end,
        on_item_long_click = function(_, item)
          if item.book then self:book_menu(item.book) else self:note_menu(item.note) end
        end },
      self.undo and row { text { "Moved to trash", id = "deleted", weight = 1 },
        button { "Undo", id = "undo", on_click = function() self:undo_delete() end } },
      row {
        image_button { id = "menu", desc = "Menu", on_click = function() self:open_filters() end },
        button { "New note", id = "add", on_click = function() self:start("Note", { book = self.book }) end },
        not self.book and button { "New notebook", id = "new_notebook", on_click = function() self:new_book() end },
      },
    }
  end,
}

activity "Note" {
  create = function(self, intent, saved) self.id = saved and saved.id or intent.id end,
  save = function(self, out) out.id = self.id end,

  pause = function(self)
    if not bug("late_saved") and self.timer then cancel(self.timer) end
    self:store()
  end,

  -- Writes what is typed; a note without a word is not kept.
  store = function(self)
    local title, body = trim(self:text("title")), self:text("body")
    local note = self.id and note_of(self.id)
    if not note then
      if title == "" and trim(body) == "" then return nil end
      if #storage.notes >= MAX_NOTES then return toast("Too many notes") end
      local book = self.intent.book
      note = { id = new_id(), tags = {}, book = book and book_of(book) and book or nil }
      self.id = note.id
      table.insert(storage.notes, note)
    end
    note.title = title ~= "" and title or "Untitled"
    note.body = body
    return note
  end,

  changed = function(self)
    if self.timer then cancel(self.timer) end
    self.timer = after(450, function()
      self.timer = nil
      self:store()
      self:snackbar("Saved")
    end)
  end,

  with_note = function(self, fn)
    local note = self:store()
    if note then fn(note) else toast("Write something first") end
  end,

  ask_tags = function(self)
    self:with_note(function(note)
      self:dialog {
        title = "Tags",
        view = function()
          return column { each(storage.tags, function(tag)
            return check { tag.name, id = "tag", checked = has_tag(note, tag.id),
              on_change = function() toggle_tag(note, tag.id) end }
          end) }
        end,
        ok = "Done",
      }
    end)
  end,

  menu = function(self)
    return {
      { "Tags", id = "tags", on_click = function() self:ask_tags() end },
      { "Share", id = "share", on_click = function()
        self:with_note(function() self:start_implicit { action = "SEND", type = "text/plain" } end)
      end },
    }
  end,

  view = function(self)
    local note = self.id and note_of(self.id)
    return column {
      toolbar { note and "Edit note" or "New note", up = true,
        actions = { { "Save", id = "save", on_click = function() self:finish() end } } },
      field { id = "title", hint = "Title", text = note and note.title or "", max = 60,
        on_change = function() self:changed() end },
      field { id = "body", hint = "Write here", input = "multiline", text = note and note.body or "", max = 2000,
        on_change = function() self:changed() end },
    }
  end,
}

activity "Tags" {
  ask_new = function(self)
    self:dialog {
      title = "New tag",
      view = function() return column { field { id = "tag_name", hint = "Name", max = 20 } } end,
      ok = "Add",
      on_ok = function()
        local name = trim(self:text("tag_name"))
        if name == "" or #storage.tags >= MAX_TAGS then return toast("Cannot add this tag") end
        table.insert(storage.tags, { id = new_id(), name = name })
      end,
      cancel = "Cancel",
    }
  end,

  ask_delete = function(self, tag)
    self:dialog { title = "Delete #" .. tag.name .. "?", message = "Notes keep their text", cancel = "Cancel",
      ok = "Delete",
      on_ok = function()
        forget(storage.tags, tag)
        for _, note in ipairs(storage.notes) do
          if has_tag(note, tag.id) then toggle_tag(note, tag.id) end
        end
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Tags", up = true, actions = { { "Add tag", id = "add_tag", on_click = function() self:ask_new() end } } },
      list { id = "tags", items = storage.tags, empty = text { "No tags", id = "empty" },
        row = function(tag)
          local count = #filter(storage.notes, function(n) return has_tag(n, tag.id) and not n.trashed end)
          return column { id = "tag_row", text { tag.name, id = "name" }, text { count .. " notes", id = "count", size = "small" } }
        end,
        on_item_click = function(_, tag) self:finish { tag = tag.id } end,
        on_item_long_click = function(_, tag) self:ask_delete(tag) end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,

  results = function(self)
    if self.query == "" then return {} end
    return filter(sorted(storage.notes), function(n) return not n.trashed and matches(n, self.query) end)
  end,

  view = function(self)
    local results = self:results()
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Find in notes", max = 40, on_change = function(s) self.query = s end },
      text { #results .. " found", id = "found", size = "small" },
      list { id = "results", items = results,
        row = function(note)
          local line = bug("search_shows_locked") and first_line(note) or snippet(note)
          return column { id = "result_row", text { note.title, id = "title" }, text { line, id = "line", size = "small" } }
        end,
        on_item_click = function(_, note)
          if note.locked and prefs.pin ~= "" then toast("Unlock it first") else self:start("Note", { id = note.id }) end
        end },
    }
  end,
}

activity "Trash" {
  trashed = function(self) return filter(storage.notes, function(n) return n.trashed end) end,

  note_menu = function(self, note)
    self:popup {
      { "Restore", id = "restore", on_click = function() note.trashed = false end },
      { "Delete for ever", id = "delete_forever", on_click = function() forget(storage.notes, note) end },
    }
  end,

  ask_empty = function(self)
    self:dialog { title = "Empty the trash?", cancel = "Cancel", ok = "Empty",
      on_ok = function() storage.notes = filter(storage.notes, function(n) return not n.trashed end) end }
  end,

  view = function(self)
    return column {
      toolbar { "Trash", up = true, actions = { { "Empty", id = "empty_trash", on_click = function() self:ask_empty() end } } },
      list { id = "trash", items = self:trashed(), empty = text { "The trash is empty", id = "empty" },
        row = function(note)
          local from = note.book and book_of(note.book).name or "Loose notes"
          return column { id = "trash_row", text { note.title, id = "title" }, text { "From: " .. from, id = "from", size = "small" } }
        end,
        on_item_click = function(_, note) self:note_menu(note) end },
    }
  end,
}

activity "Settings" {
  ask_pin = function(self)
    self:dialog {
      title = "PIN for locked notes",
      view = function() return column { field { id = "new_pin", input = "number", max = 4, hint = "Four digits" } } end,
      ok = "Set",
      on_ok = function()
        local pin = self:text("new_pin")
        if #pin ~= 4 then return toast("Four digits, please") end
        prefs.pin = pin
      end,
      cancel = "Cancel",
      neutral = "No PIN",
      on_neutral = function() prefs.pin = "" end,
    }
  end,

  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Show first line", id = "snippets", checked = prefs.snippets, on_change = function(b) prefs.snippets = b end },
      switch { "Sort by title", id = "by_title", checked = prefs.by_title, on_change = function(b) prefs.by_title = b end },
      button { prefs.pin == "" and "Set a PIN" or "Change the PIN", id = "pin_button", on_click = function() self:ask_pin() end },
      button { "About", id = "about", on_click = function()
        self:dialog { title = "Notes 2.3", message = #storage.notes .. " notes in " .. #storage.books .. " notebooks", ok = "OK" }
      end },
    }
  end,
}
