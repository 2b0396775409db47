-- Twigs: notebooks that are outlines. Notes have a level, a state, tags, a priority, a day they are scheduled for.
-- A notebook's notes are one flat list in order; what is below a note (its twigs) follows it with a deeper level.

local DAY = 24 * 60 * 60 * 1000
local STATES = { "None", "TODO", "NEXT", "DONE" }
local PRIORITIES = { "No priority", "A", "B", "C" }
local REPEATS = { "Does not repeat", "Every day", "Every week", "Every month" }
local STEP = { 0, 1, 7, 30 }

app {
  package = "org.voyager.twigs",
  title = "Twigs",
  main = "Notebooks",
  bugs = { "move_leaves_twigs", "repeat_stays", "agenda_stale", "state_first_only", "paste_loses_twigs", "fold_other_book",
    "delete_count", "saved_search_twice" },
  application = function()
    if storage.books then return end
    local t = now()
    storage.next_id = 100
    local function n(id, level, title, more)
      local note = more or {}
      note.id, note.level, note.title = id, level, title
      note.state, note.priority, note.tags = note.state or 1, note.priority or 1, note.tags or {}
      return note
    end
    storage.books = {
      { id = 1, name = "Getting started", notes = {
        n(1, 1, "Welcome", { body = "Tap a note to open it, touch it longer to select it." }),
        n(2, 2, "Notes can be folded"),
        n(3, 2, "Notes can be moved"),
        n(4, 1, "Tags and states", { tags = { "help" } }),
      } },
      { id = 2, name = "House", notes = {
        n(11, 1, "Kitchen", { tags = { "room" } }),
        n(12, 2, "Descale the kettle", { state = 2, scheduled = t, rep = 3 }),
        n(13, 2, "Fix the drawer", { state = 3, priority = 2 }),
        n(14, 1, "Garden"),
        n(15, 2, "Prune the roses", { state = 2, scheduled = t + 3 * DAY, body = "Only above an eye." }),
        n(16, 2, "Order seeds", { state = 4, tags = { "shop" } }),
        n(17, 1, "Call the plumber", { state = 2, scheduled = t + 1 * DAY, tags = { "phone" } }),
      } },
      { id = 3, name = "Work", notes = {
        n(21, 1, "Annual review", { state = 3, scheduled = t, priority = 2 }),
        n(22, 1, "Travel to Lyon", { state = 2, tags = { "travel" } }),
        n(23, 2, "Book the train", { state = 2, tags = { "shop" }, scheduled = t + 5 * DAY }),
        n(24, 2, "Find a hotel", { state = 1 }),
      } },
    }
    for _, b in ipairs(storage.books) do b.count, b.changed = #b.notes, t - 9 * DAY end
    storage.folded = {}
    storage.searches = { { name = "To do", query = "s:todo" }, { name = "Shopping", query = "t:shop" } }
    prefs.show_done, prefs.show_tags, prefs.new_state = true, true, 1
  end,
}

local function book_of(id) return (find(storage.books, function(b) return b.id == id end)) end
local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function note_in(book, id)
  local note, at = find(book.notes, function(n) return n.id == id end)
  return note, at
end

-- The note and the place of it anywhere.
local function locate(id)
  for _, b in ipairs(storage.books) do
    local note, at = note_in(b, id)
    if note then return note, b, at end
  end
end

local function touch(book) book.changed = now() end

-- The last index of the subtree that begins at `at`.
local function last_of(notes, at)
  local to = at
  while notes[to + 1] and notes[to + 1].level > notes[at].level do to = to + 1 end
  return to
end

local function take(book, at, to)
  local taken = {}
  for _ = at, to do table.insert(taken, table.remove(book.notes, at)) end
  return taken
end

local function put(book, at, notes)
  for i, n in ipairs(notes) do table.insert(book.notes, at + i - 1, n) end
end

local function fold_key(book, at, note)
  if bug("fold_other_book") then return "row" .. at end
  return "note" .. note.id
end

local function state_prefix(note) return note.state > 1 and STATES[note.state] .. " " or "" end

local function note_line(note)
  return state_prefix(note) .. (note.priority > 1 and "[#" .. PRIORITIES[note.priority] .. "] " or "") .. note.title
end

local function when_text(note)
  if not note.scheduled then return nil end
  local rep = note.rep and note.rep > 1 and ", " .. REPEATS[note.rep]:lower() or ""
  return date(note.scheduled, "%a %Y-%m-%d") .. rep
end

-- Done with a repeating note means: on to the next time.
local function set_state(note, book, state)
  touch(book)
  if state == 4 and note.rep and note.rep > 1 and note.scheduled then
    if not bug("repeat_stays") then note.scheduled = note.scheduled + STEP[note.rep] * DAY end
    note.state = 2
    toast("Next time: " .. date(note.scheduled, "%Y-%m-%d"))
    return
  end
  note.state = state
end

local function delete_subtree(book, at)
  local taken = take(book, at, last_of(book.notes, at))
  book.count = book.count - (bug("delete_count") and 1 or #taken)
  touch(book)
  return #taken
end

local function matches(note, query)
  for _, word in ipairs(filter(split(query:lower(), " "), function(w) return w ~= "" end)) do
    local key, value = word:match("^(%a):(.+)$")
    if key == "s" then
      if STATES[note.state]:lower() ~= value then return false end
    elseif key == "t" then
      if not index_of(each(note.tags, function(t) return t:lower() end), value) then return false end
    elseif not contains(note.title:lower(), word) and not contains((note.body or ""):lower(), word) then
      return false
    end
  end
  return true
end

-- ---- the notebooks ----

activity "Notebooks" {
  ask_name = function(self, book)
    self:dialog { title = book and "Rename notebook" or "New notebook", cancel = "Cancel", ok = book and "Rename" or "Create",
      view = function() return column { field { id = "book_name", hint = "Name", text = book and book.name or "" } } end,
      on_ok = function()
        local name = trim(self:text("book_name"))
        if name == "" then return true end
        if find(storage.books, function(b) return b.name == name and b ~= book end) then toast("Notebook exists") return true end
        if book then book.name = name else
          table.insert(storage.books, { id = new_id(), name = name, notes = {}, count = 0, changed = now() })
        end
      end }
  end,
  ask_delete = function(self, book)
    self:dialog { title = "Delete " .. book.name .. "?", message = plural(#book.notes, "note") .. " will be deleted with it.", cancel = "Cancel",
      ok = "Delete", on_ok = function() table.remove(storage.books, index_of(storage.books, book)) end }
  end,
  view = function(self)
    return column {
      toolbar { "Twigs", actions = {
        { "Agenda", id = "agenda", on_click = function() self:start("Agenda") end },
        { "Search", id = "search", on_click = function() self:start("Search") end },
        { "Settings", id = "settings", on_click = function() self:start("Settings") end } } },
      list { id = "books", items = storage.books, empty = text { "No notebooks", id = "empty" },
        row = function(b)
          return column { id = "book_row", text { b.name, id = "book" },
            text { plural(b.count, "note") .. " · changed " .. date(b.changed, "%d %b"), id = "book_info", size = "small" } }
        end,
        on_item_click = function(_, b) self:start("Notebook", { id = b.id }) end,
        on_item_long_click = function(_, b)
          self:popup {
            { "Rename", id = "rename", on_click = function() self:ask_name(b) end },
            { "Delete", id = "delete", on_click = function() self:ask_delete(b) end },
          }
        end },
      fab { id = "new_book", desc = "New notebook", on_click = function() self:ask_name() end },
    }
  end,
}

-- ---- one outline ----

activity "Notebook" {
  create = function(self, intent, saved) self.chosen = saved and saved.chosen or {} end,
  save = function(self, out) out.chosen = self.chosen end,
  resume = function(self)
    local book = book_of(self.intent.id)
    if not book then return self:finish() end
    self.chosen = filter(self.chosen, function(id) return note_in(book, id) ~= nil end)
  end,
  back = function(self)
    if #self.chosen == 0 then return false end
    self.chosen = {}
    return true
  end,
  -- Rows that are not inside something folded.
  rows = function(self, book)
    local rows, hidden_below = {}, nil
    for at, note in ipairs(book.notes) do
      if hidden_below and note.level <= hidden_below then hidden_below = nil end
      if not hidden_below then
        local has_twigs = last_of(book.notes, at) > at
        local folded = has_twigs and storage.folded[fold_key(book, at, note)] or false
        if prefs.show_done or note.state ~= 4 or has_twigs then
          table.insert(rows, { note = note, at = at, has_twigs = has_twigs, folded = folded })
        end
        if folded then hidden_below = note.level end
      end
    end
    return rows
  end,
  choose = function(self, note)
    local at = index_of(self.chosen, note.id)
    if at then table.remove(self.chosen, at) else table.insert(self.chosen, note.id) end
  end,
  ask_state = function(self, book)
    self:dialog { title = "Set state", items = STATES, on_item = function(i)
      for k, id in ipairs(self.chosen) do
        if k == 1 or not bug("state_first_only") then set_state(note_in(book, id), book, i) end
      end
      self.chosen = {}
    end }
  end,
  move = function(self, book, by)
    if #self.chosen ~= 1 then return toast("Select one note to move") end
    local notes = book.notes
    local note, at = note_in(book, self.chosen[1])
    local to = last_of(notes, at)
    local target
    if by < 0 then
      target = at - 1
      while target > 0 and notes[target].level > note.level do target = target - 1 end
      if target < 1 or notes[target].level < note.level then return toast("Cannot move further up") end
    else
      if not notes[to + 1] or notes[to + 1].level < note.level then return toast("Cannot move further down") end
      target = at + last_of(notes, to + 1) - to
    end
    if bug("move_leaves_twigs") then
      if by > 0 then target = last_of(notes, to + 1) end
      to = at
    end
    put(book, target, take(book, at, to))
    touch(book)
  end,
  shift = function(self, book, by)
    for _, id in ipairs(self.chosen) do
      local note, at = note_in(book, id)
      local above = book.notes[at - 1]
      local level = note.level + by
      if level < 1 or level > (above and above.level + 1 or 1) then return toast("Cannot change the level") end
      local to = last_of(book.notes, at)
      for i = at, to do book.notes[i].level = book.notes[i].level + by end
    end
    touch(book)
  end,
  cut = function(self, book)
    if #self.chosen ~= 1 then return toast("Select one note to cut") end
    local _, at = note_in(book, self.chosen[1])
    local taken = take(book, at, last_of(book.notes, at))
    book.count = book.count - #taken
    storage.clip = taken
    touch(book)
    self.chosen = {}
    toast(plural(#taken, "note") .. " cut")
  end,
  paste = function(self, book)
    local clip = storage.clip
    if bug("paste_loses_twigs") then clip = { clip[1] } end
    local top = clip[1].level
    for _, n in ipairs(clip) do n.level = n.level - top + 1 end
    put(book, #book.notes + 1, clip)
    book.count = book.count + #clip
    storage.clip = nil
    touch(book)
    toast("Pasted at the end")
  end,
  ask_delete = function(self, book)
    self:dialog { title = "Delete " .. plural(#self.chosen, "note") .. "?", message = "Notes below go with them.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        for _, id in ipairs(self.chosen) do
          local _, at = note_in(book, id)
          if at then delete_subtree(book, at) end
        end
        self.chosen = {}
      end }
  end,
  bars = function(self, book)
    return {
      row {
        button { "State", id = "set_state", on_click = function() self:ask_state(book) end },
        button { "Cut", id = "cut", on_click = function() self:cut(book) end },
        button { "Delete", id = "delete_notes", on_click = function() self:ask_delete(book) end },
      },
      row {
        image_button { id = "up", desc = "Move up", on_click = function() self:move(book, -1) end },
        image_button { id = "down", desc = "Move down", on_click = function() self:move(book, 1) end },
        image_button { id = "promote", desc = "Promote", on_click = function() self:shift(book, -1) end },
        image_button { id = "demote", desc = "Demote", on_click = function() self:shift(book, 1) end },
      },
    }
  end,
  menu = function(self)
    local book = book_of(self.intent.id)
    if not book then return {} end
    return {
      { "Paste", id = "paste", enabled = storage.clip ~= nil, on_click = function() self:paste(book) end },
      { "Unfold all", id = "unfold_all", on_click = function()
        for at, n in ipairs(book.notes) do storage.folded[fold_key(book, at, n)] = nil end
      end },
    }
  end,
  view = function(self)
    local book = book_of(self.intent.id)
    if not book then return column { toolbar { "Notebook", up = true } } end
    local choosing = #self.chosen > 0
    return column {
      toolbar { choosing and #self.chosen .. " selected" or book.name, up = true },
      list { id = "outline", items = self:rows(book), empty = text { "No notes yet", id = "empty" },
        row = function(r)
          local note = r.note
          local small = when_text(note)
          if prefs.show_tags and #note.tags > 0 then small = (small and small .. " · " or "") .. ":" .. table.concat(note.tags, ":") .. ":" end
          return row { id = "note_line",
            space { width = (note.level - 1) * 60, height = 20 },
            r.has_twigs and image_button { id = "fold", desc = r.folded and "Unfold" or "Fold", on_click = function()
              local key = fold_key(book, r.at, note)
              storage.folded[key] = not storage.folded[key] or nil
            end },
            column { id = "note_row", weight = 1, selected = index_of(self.chosen, note.id) ~= nil,
              on_click = function() if choosing then self:choose(note) else self:start("Note", { id = note.id }) end end,
              on_long_click = function() self:choose(note) end,
              text { string.rep("*", note.level) .. " " .. note_line(note) .. (r.folded and " …" or ""), id = "note" },
              small and text { small, id = "note_info", size = "small" } },
          }
        end },
      choosing and self:bars(book),
      not choosing and fab { id = "new_note", desc = "New note", on_click = function() self:start("Note", { book = book.id }) end },
    }
  end,
}

-- ---- one note, in an editor ----

activity "Note" {
  create = function(self, intent, saved)
    if saved then self.draft = saved.draft return end
    local note = intent.id and locate(intent.id)
    self.draft = note and { state = note.state, priority = note.priority, tags = copy(note.tags), scheduled = note.scheduled, rep = note.rep or 1 }
      or { state = prefs.new_state, priority = 1, tags = {}, rep = 1 }
    self.draft.changed = false
  end,
  save = function(self, out) out.draft = self.draft end,
  resume = function(self)
    if self.intent.id and not locate(self.intent.id) then self:finish() end
  end,
  change = function(self, key, value)
    self.draft[key], self.draft.changed = value, true
  end,
  back = function(self)
    if not self.draft.changed then return false end
    self:dialog { title = "Note has been changed", message = "Save the changes?", cancel = "Keep editing", ok = "Save", neutral = "Discard",
      on_ok = function() self:store() end, on_neutral = function() self:finish() end }
    return true
  end,
  store = function(self)
    local title = trim(self:text("title"))
    if title == "" then return toast("Title cannot be empty") end
    local d, note, book = self.draft, nil, nil
    if self.intent.id then
      note, book = locate(self.intent.id)
    else
      book = book_of(self.intent.book)
      note = { id = new_id(), level = 1, state = 1 }
      table.insert(book.notes, note)
      book.count = book.count + 1
    end
    local body = trim(self:text("body"))
    note.title, note.body = title, body ~= "" and body or nil
    note.priority, note.tags, note.scheduled, note.rep = d.priority, copy(d.tags), d.scheduled, d.rep
    if note.state ~= d.state then set_state(note, book, d.state) end
    touch(book)
    self:finish()
  end,
  ask_date = function(self)
    self:dialog { title = "Scheduled", items = { "Not scheduled", "Today", "Tomorrow", "In a week", "In a month" },
      on_item = function(i)
        local days = ({ false, 0, 1, 7, 30 })[i]
        self:change("scheduled", days and now() + days * DAY or nil)
      end }
  end,
  ask_tag = function(self)
    self:dialog { title = "Add tag", cancel = "Cancel", ok = "Add", view = function() return column { field { id = "tag", hint = "Tag" } } end,
      on_ok = function()
        local tag = trim(self:text("tag")):gsub("[ :]", "_")
        if tag == "" then return true end
        if not index_of(self.draft.tags, tag) then
          table.insert(self.draft.tags, tag)
          self.draft.changed = true
        end
      end }
  end,
  menu = function(self)
    if not self.intent.id then return {} end
    return {
      { "Delete", id = "delete", on_click = function()
        self:dialog { title = "Delete this note?", message = "Notes below go with it.", cancel = "Cancel", ok = "Delete", on_ok = function()
          local _, book, at = locate(self.intent.id)
          if book then delete_subtree(book, at) end
          self:finish()
        end }
      end },
    }
  end,
  view = function(self)
    local note, book
    if self.intent.id then note, book = locate(self.intent.id) end
    local d = self.draft
    local function touched() self.draft.changed = true end
    return column {
      toolbar { note and "Note" or "New note", up = function() if not self:back() then self:finish() end end, subtitle = book and book.name or nil,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "title", hint = "Title", text = note and note.title or "", on_change = touched },
        row { text { "State", weight = 1 }, spinner { id = "state", items = STATES, selected = d.state, on_change = function(i) self:change("state", i) end } },
        row { text { "Priority", weight = 1 },
          spinner { id = "priority", items = PRIORITIES, selected = d.priority, on_change = function(i) self:change("priority", i) end } },
        button { d.scheduled and date(d.scheduled, "%a %Y-%m-%d") or "Not scheduled", id = "scheduled", on_click = function() self:ask_date() end },
        d.scheduled and spinner { id = "rep", items = REPEATS, selected = d.rep, on_change = function(i) self:change("rep", i) end },
        row { each(d.tags, function(t, i)
          return button { t .. " ×", id = "tag_chip", on_click = function()
            table.remove(self.draft.tags, i)
            self.draft.changed = true
          end }
        end) },
        button { "Add tag", id = "add_tag", on_click = function() self:ask_tag() end },
        field { id = "body", hint = "Text", text = note and note.body or "", input = "multiline", on_change = touched },
      },
    }
  end,
}

-- ---- agenda, searches, settings ----

activity "Agenda" {
  create = function(self) self.days = self:collect() end,
  resume = function(self) if not bug("agenda_stale") then self.days = self:collect() end end,
  collect = function(self)
    local days, today = {}, now() // DAY
    for offset = 0, 6 do
      local lines = {}
      for _, b in ipairs(storage.books) do
        for _, n in ipairs(b.notes) do
          local due = n.scheduled and n.scheduled // DAY - today
          if due and n.state ~= 4 and (due == offset or offset == 0 and due < 0) then
            table.insert(lines, { id = n.id, line = note_line(n) .. (due < 0 and " (late)" or ""), book = b.name })
          end
        end
      end
      if #lines > 0 or offset == 0 then
        table.insert(days, { title = date(now() + offset * DAY, "%A, %d %B"), lines = lines })
      end
    end
    return days
  end,
  view = function(self)
    local rows = {}
    for _, d in ipairs(self.days) do
      table.insert(rows, text { d.title, id = "agenda_day", size = "large" })
      if #d.lines == 0 then table.insert(rows, text { "Nothing today", id = "nothing" }) end
      for _, l in ipairs(d.lines) do
        table.insert(rows, column { id = "agenda_row", on_click = function() self:start("Note", { id = l.id }) end,
          text { l.line, id = "agenda_note" }, text { l.book, id = "agenda_book", size = "small" } })
      end
    end
    return column { toolbar { "Agenda", up = true, subtitle = "The next seven days" }, scroll { id = "agenda_days", rows } }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  found = function(self)
    local found = {}
    if trim(self.query) == "" then return found end
    for _, b in ipairs(storage.books) do
      for _, n in ipairs(b.notes) do
        if matches(n, self.query) then table.insert(found, { note = n, book = b.name }) end
      end
    end
    return found
  end,
  run = function(self, query)
    self.query = query
    self:set_text("query", query)
    self:hide_keyboard()
  end,
  ask_saved = function(self, search)
    self:dialog { title = search and "Edit search" or "Save search", cancel = "Cancel", ok = "Save",
      view = function()
        return column { field { id = "search_name", hint = "Name", text = search and search.name or "" },
          field { id = "search_query", hint = "Query", text = search and search.query or self.query } }
      end,
      on_ok = function()
        local name, query = trim(self:text("search_name")), trim(self:text("search_query"))
        if name == "" or query == "" then toast("Name and query, please") return true end
        if search and not bug("saved_search_twice") then
          search.name, search.query = name, query
        else
          table.insert(storage.searches, { name = name, query = query })
        end
      end }
  end,
  view = function(self)
    local found = self:found()
    local searching = trim(self.query) ~= ""
    return column {
      toolbar { "Search", up = true, actions = {
        { "Save search", id = "save_search", on_click = function() self:ask_saved() end } } },
      field { id = "query", hint = "Words, s:state, t:tag", on_change = function(s) self.query = s end },
      searching and text { plural(#found, "note") .. " found", id = "found_count" },
      searching and list { id = "found", items = found, empty = text { "Nothing found", id = "empty" },
        row = function(f)
          return column { id = "found_row", text { note_line(f.note), id = "found_note" }, text { f.book, id = "found_book", size = "small" } }
        end,
        on_item_click = function(_, f) self:start("Note", { id = f.note.id }) end },
      not searching and list { id = "searches", items = storage.searches, empty = text { "No saved searches", id = "no_searches" },
        row = function(s) return column { id = "search_row", text { s.name, id = "search_name_row" }, text { s.query, id = "search_query_row", size = "small" } } end,
        on_item_click = function(_, s) self:run(s.query) end,
        on_item_long_click = function(i, s)
          self:popup {
            { "Edit", id = "edit_search", on_click = function() self:ask_saved(s) end },
            { "Delete", id = "delete_search", on_click = function() table.remove(storage.searches, i) end },
          }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Show notes that are done", id = "show_done", checked = prefs.show_done, on_change = function(on) prefs.show_done = on end },
      switch { "Show tags in outlines", id = "show_tags", checked = prefs.show_tags, on_change = function(on) prefs.show_tags = on end },
      row { text { "State of new notes", weight = 1 },
        spinner { id = "new_state", items = STATES, selected = prefs.new_state, on_change = function(i) prefs.new_state = i end } },
      button { "Help", id = "help", on_click = function()
        self:dialog { title = "Help", ok = "OK",
          message = "When a repeating note is done it goes back to TODO and moves to its next day. Cut notes are pasted at the end of a notebook." }
      end },
    }
  end,
}
