-- Choir Folder: the sheet music of a small choir, who has borrowed copies of it, and the programmes of its concerts.
--
-- Pieces go to the bin first and keep their place in the programmes meanwhile, where they are not shown. Loans carry the
-- number of copies; a singer who is on leave does not borrow any.

local DAY = 24 * 60 * 60 * 1000
local VOICES = { "SATB", "SSA", "SSATB", "TTBB" }
local SORTS = { "Title", "Composer", "Duration" }
local HINTS = { "Long-press a piece for more", "Swipe a loan away when the copies are back", "Encores do not count in a programme" }
local MAX_PIECES, MAX_CONCERTS, MAX_LOANS = 60, 12, 60

app {
  package = "org.norn.choir",
  title = "Choir Folder",
  main = "Main",
  bugs = { "search_rotated", "lent_copies", "bin_total", "undo_first", "duration_order", "rename_cancel", "star_row", "leave_lend" },
  application = function()
    if storage.pieces then return end
    storage.next_id = 30
    storage.pieces = {
      { id = 1, title = "Ave verum corpus", composer = "Mozart", voices = "SATB", seconds = 170, copies = 32, opened = 0 },
      { id = 2, title = "Cantique de Jean Racine", composer = "Faure", voices = "SATB", seconds = 320, copies = 28, starred = true, opened = 0 },
      { id = 3, title = "Evening Song", composer = "Traditional", voices = "SSA", seconds = 105, copies = 14, opened = 0 },
      { id = 4, title = "Jesu, meine Freude", composer = "Bach", voices = "SSATB", seconds = 1230, copies = 25, opened = 0,
        note = "Second soprano is weak" },
      { id = 5, title = "Lift Thine Eyes", composer = "Mendelssohn", voices = "SSA", seconds = 130, copies = 18, opened = 0 },
      { id = 6, title = "Locus iste", composer = "Bruckner", voices = "SATB", seconds = 180, copies = 30, starred = true, opened = 0,
        note = "Loved by everybody" },
      { id = 7, title = "Sailors' Chorus", composer = "Wagner", voices = "TTBB", seconds = 215, copies = 12, opened = 0 },
    }
    storage.singers = {
      { id = 11, name = "Anna Berg", part = "Soprano" }, { id = 12, name = "Jan de Wit", part = "Bass" },
      { id = 13, name = "Olga Frey", part = "Alto", leave = true }, { id = 14, name = "Tom Hale", part = "Tenor" },
    }
    storage.loans = { { id = 21, piece = 6, singer = 12, copies = 1 } }
    storage.concerts = {
      { id = 23, name = "Spring evening", day = now() + 30 * DAY,
        programme = { { piece = 2 }, { piece = 5 }, { piece = 6 }, { piece = 3, encore = true } } },
      { id = 24, name = "Town hall", day = now() - 60 * DAY, programme = { { piece = 1 }, { piece = 4 } } },
    }
    prefs.sort, prefs.composers, prefs.compact, prefs.confirm = 1, true, false, true
  end,
}

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function counted(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function length(seconds) return format("%d:%02d", seconds // 60, seconds % 60) end
local function whole(text) local n = tonumber(text) return n and math.floor(n) or 0 end
local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end
local function loans_of(key, id) return filter(storage.loans, function(l) return l[key] == id end) end

local function lent(piece)
  local loans, sum = loans_of("piece", piece.id), 0
  if bug("lent_copies") then return #loans end
  for _, loan in ipairs(loans) do sum = sum + loan.copies end
  return sum
end

local function sorted(pieces)
  local result = copy(pieces)
  local function key(p)
    if prefs.sort == 3 then return bug("duration_order") and length(p.seconds) or p.seconds end
    return (prefs.sort == 1 and p.title or p.composer):lower()
  end
  table.sort(result, function(a, b) return key(a) < key(b) end)
  return result
end

local function repertoire() return filter(storage.pieces, function(p) return not p.binned end) end
-- Seconds of a programme, without the encores.
local function programme_time(concert)
  local sum = 0
  for _, entry in ipairs(concert.programme) do
    local piece = by_id(storage.pieces, entry.piece)
    if not entry.encore and (not piece.binned or bug("bin_total")) then sum = sum + piece.seconds end
  end
  return sum
end

local function erase(piece)
  for _, c in ipairs(storage.concerts) do c.programme = filter(c.programme, function(e) return e.piece ~= piece.id end) end
  storage.loans = filter(storage.loans, function(l) return l.piece ~= piece.id end)
  forget(storage.pieces, piece)
end

local function gone(what) return column { toolbar { what, up = true }, text { "This is no longer here", id = "gone" } } end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.voices = saved.tab or 1, saved.voices
    self.query = not bug("search_rotated") and saved.query or ""
  end,
  save = function(self, out) out.tab, out.voices, out.query = self.tab, self.voices, self.query end,

  -- What is written into the private note is found too.
  matches = function(self, p) return contains((p.title .. " " .. p.composer .. " " .. (p.note or "")):lower(), self.query:lower()) end,
  shown = function(self)
    local pieces = filter(sorted(repertoire()), function(p)
      if self.tab == 2 and not p.starred or self.tab == 3 and not p.last then return false end
      return (not self.voices or p.voices == self.voices) and self:matches(p)
    end)
    if self.tab == 3 then table.sort(pieces, function(a, b) return a.last > b.last end) end
    return pieces
  end,
  ask_sort = function(self) self:dialog { title = "Sort by", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end } end,
  ask_voices = function(self)
    local items = { "All voices", table.unpack(VOICES) }
    self:dialog { title = "Show", items = items, on_item = function(i) self.voices = i > 1 and VOICES[i - 1] or nil end }
  end,
  move_to_bin = function(self, piece)
    piece.binned = true
    self.undo = { id = bug("undo_first") and self.undo and self.undo.id or piece.id, title = piece.title }
    if self.timer then cancel(self.timer) end
    self.timer = self:after(5000, function() self.undo, self.timer = nil, nil end)
  end,
  undo_bin = function(self)
    local piece = by_id(storage.pieces, self.undo.id)
    if piece then piece.binned = nil end
    self.undo = nil
  end,
  piece_menu = function(self, i, piece)
    local target = bug("star_row") and sorted(repertoire())[i] or piece
    self:popup {
      { piece.starred and "Remove star" or "Star", id = "star_piece", on_click = function() target.starred = not target.starred end },
      { "Edit", id = "edit_piece", on_click = function() self:start("EditPiece", { id = piece.id }) end },
      { "Move to bin", id = "bin_piece", on_click = function() self:move_to_bin(piece) end },
    }
  end,
  suggest = function(self)
    local pieces = repertoire()
    local piece = pieces[random(math.max(1, #pieces))]
    if not piece then return toast("There is nothing to sing") end
    self:snackbar("How about " .. piece.title .. "?", "Open", function() self:start("Piece", { id = piece.id }) end)
  end,
  menu = function(self)
    return { { "Sing something", id = "suggest", on_click = function() self:suggest() end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end } }
  end,
  row = function(self, p)
    local small = p.voices .. ", " .. length(p.seconds)
    if prefs.composers then small = p.composer .. ", " .. small end
    return column { id = "piece_row",
      text { p.title .. (p.starred and " *" or ""), id = "title", size = prefs.large and "large" or nil },
      not prefs.compact and text { small, id = "line", size = "small" },
    }
  end,
  view = function(self)
    local pieces = self:shown()
    local day = now() // DAY
    return column {
      drawer { id = "drawer", header = "Choir Folder", items = {
        { "Concerts", id = "concerts", on_click = function() self:start("Concerts") end },
        { "Singers", id = "singers", on_click = function() self:start("Singers") end },
        { "Bin", id = "bin", on_click = function() self:start("Bin") end },
      } },
      toolbar { "Choir Folder", subtitle = self.voices and self.voices .. ": " .. #pieces or counted(#pieces, "piece"), actions = {
        { "Sort", id = "sort", on_click = function() self:ask_sort() end },
        { "Filter", id = "filter", on_click = function() self:ask_voices() end } } },
      prefs.hint_day ~= day and row { text { "Hint of the day: " .. HINTS[day % #HINTS + 1], id = "hint", size = "small", weight = 1 },
        button { "Got it", id = "got_it", on_click = function() prefs.hint_day = day end } },
      tabs { id = "shelf", titles = { "All", "Starred", "Recent" }, selected = self.tab, on_change = function(i) self.tab = i end },
      field { id = "query", hint = "Search titles, composers and notes", text = self.query, max = 30,
        on_change = function(s) self.query = s end },
      list { id = "pieces", weight = 1, items = pieces, empty = text { "No pieces", id = "empty" },
        row = function(p) return self:row(p) end,
        on_item_click = function(_, p) self:start("Piece", { id = p.id }) end,
        on_item_long_click = function(i, p) self:piece_menu(i, p) end },
      self.undo and row { button { "Undo", id = "undo", on_click = function() self:undo_bin() end },
        text { self.undo.title .. " is in the bin", id = "binned", weight = 1 } },
      fab { id = "add", desc = "New piece", on_click = function() self:start("EditPiece") end },
    }
  end,
}

activity "Piece" {
  create = function(self, intent, saved)
    local piece = by_id(storage.pieces, intent.id)
    if saved or not piece then return end
    piece.opened = piece.opened + 1
    piece.last = now()
  end,
  ask_copies = function(self, piece, singer)
    self:dialog { title = "Copies for " .. singer.name, cancel = "Cancel", ok = "Lend",
      view = function() return column { field { id = "loan_copies", input = "number", text = "1", max = 3 } } end,
      on_ok = function()
        local n = whole(self:text("loan_copies"))
        if n < 1 or n > piece.copies - lent(piece) then
          toast("Not that many in the cupboard")
          return true
        end
        if #storage.loans >= MAX_LOANS then return toast("Too many loans") end
        table.insert(storage.loans, { id = new_id(), piece = piece.id, singer = singer.id, copies = n })
      end }
  end,
  ask_singer = function(self, piece)
    local singers = filter(storage.singers, function(s) return not s.leave or bug("leave_lend") end)
    if #singers == 0 then return toast("Everybody is on leave") end
    self:dialog { title = "Lend to", items = each(singers, function(s) return s.name end),
      on_item = function(i) self:ask_copies(piece, singers[i]) end }
  end,
  take_back = function(self, loan)
    forget(storage.loans, loan)
    self:snackbar("Copies are back", "Undo", function() if by_id(storage.pieces, loan.piece) then table.insert(storage.loans, loan) end end)
  end,
  view = function(self)
    local piece = by_id(storage.pieces, self.intent.id)
    if not piece then return gone("Piece") end
    return column {
      toolbar { piece.title, up = true, subtitle = piece.composer, actions = {
        { "Edit", id = "edit", on_click = function() self:start("EditPiece", { id = piece.id }) end } } },
      text { piece.voices .. ", " .. length(piece.seconds), id = "facts" },
      text { counted(piece.copies, "copy"):gsub("copys", "copies") .. ": " .. lent(piece) .. " lent, " .. piece.copies - lent(piece)
        .. " in the cupboard", id = "copies" },
      piece.note and text { "Note: " .. piece.note, id = "note", size = "small" },
      text { "Opened " .. counted(piece.opened, "time"), id = "opened", size = "small" },
      piece.binned and text { "This piece is in the bin", id = "in_bin" } or button { "Lend copies", id = "lend", on_click = function() self:ask_singer(piece) end },
      list { id = "loans", items = loans_of("piece", piece.id), empty = text { "Nobody has a copy", id = "empty" },
        row = function(loan)
          return column { id = "loan_row", text { by_id(storage.singers, loan.singer).name, id = "who" },
            text { loan.copies == 1 and "1 copy" or loan.copies .. " copies", id = "how_many", size = "small" } }
        end,
        on_item_click = function(_, loan) self:start("Singer", { id = loan.singer }) end,
        on_item_swipe = function(i) local loan = loans_of("piece", piece.id)[i] if loan then self:take_back(loan) end end },
    }
  end,
}

-- A new piece that is left with Back is kept as a draft and offered the next time.
activity "EditPiece" {
  create = function(self, intent, saved)
    self.piece = by_id(storage.pieces, intent.id)
    local from = self.piece or storage.draft
    self.voices = saved and saved.voices or from and index_of(VOICES, from.voices) or 1
  end,
  save = function(self, out) out.voices = self.voices end,
  leave = function(self)
    if self.piece then return end
    storage.draft = nil
    if trim(self:text("title")) == "" then return end
    local draft = { voices = VOICES[self.voices] }
    for _, id in ipairs { "title", "composer", "minutes", "seconds", "copies", "note" } do draft[id] = self:text(id) end
    storage.draft = draft
    toast("Kept as a draft")
  end,
  back = function(self) self:leave() end,
  store = function(self)
    local title, composer = trim(self:text("title")), trim(self:text("composer"))
    local seconds = whole(self:text("minutes")) * 60 + whole(self:text("seconds"))
    if title == "" then return toast("It needs a title") end
    if seconds < 1 then return toast("How long is it?") end
    local piece, copies = self.piece, whole(self:text("copies"))
    if piece and copies < lent(piece) then return toast(lent(piece) .. " are lent") end
    if not piece then
      if #storage.pieces >= MAX_PIECES then return toast("The cupboard is full") end
      piece = { id = new_id(), opened = 0 }
      table.insert(storage.pieces, piece)
      storage.draft = nil
    end
    local note = trim(self:text("note"))
    piece.title, piece.composer, piece.voices = title, composer ~= "" and composer or "Unknown", VOICES[self.voices]
    piece.seconds, piece.copies, piece.note = seconds, copies, note ~= "" and note or nil
    self:finish()
  end,
  view = function(self)
    local p = self.piece
    local old = p and { title = p.title, composer = p.composer, minutes = tostring(p.seconds // 60), seconds = tostring(p.seconds % 60),
      copies = tostring(p.copies), note = p.note } or storage.draft or {}
    local function up() self:leave() self:finish() end
    return column {
      toolbar { p and "Edit piece" or "New piece", up = up, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        not p and old.title and text { "Going on with your draft", id = "from_draft", size = "small" },
        field { id = "title", hint = "Title", text = old.title or "", max = 30 },
        field { id = "composer", hint = "Composer", text = old.composer or "", max = 30 },
        spinner { id = "voices", items = VOICES, selected = self.voices, on_change = function(i) self.voices = i end },
        row { field { id = "minutes", hint = "Minutes", input = "number", text = old.minutes or "", max = 2, weight = 1 },
          field { id = "seconds", hint = "Seconds", input = "number", text = old.seconds or "", max = 2, weight = 1 } },
        field { id = "copies", hint = "Copies", input = "number", text = old.copies or "", max = 3 },
        field { id = "note", hint = "Private note", text = old.note or "", max = 60 },
      },
    }
  end,
}

activity "Concerts" {
  ask_new = function(self)
    if #storage.concerts >= MAX_CONCERTS then return toast("Too many concerts") end
    self:dialog { title = "New concert", cancel = "Cancel", ok = "Add",
      view = function() return column { field { id = "concert_name", hint = "Name", max = 30 } } end,
      on_ok = function()
        local name = trim(self:text("concert_name"))
        if name == "" then return true end
        table.insert(storage.concerts, { id = new_id(), name = name, day = now() + 14 * DAY, programme = {} })
      end }
  end,
  view = function(self)
    local concerts = copy(storage.concerts)
    table.sort(concerts, function(a, b) return a.day > b.day end)
    return column {
      toolbar { "Concerts", up = true },
      list { id = "concerts", items = concerts, empty = text { "No concerts", id = "empty" },
        row = function(c)
          return column { id = "concert_row", text { c.name, id = "name" },
            text { date(c.day, "%d %b %Y") .. (c.day < now() and ", over" or ""), id = "when", size = "small" } }
        end,
        on_item_click = function(_, c) self:start("Concert", { id = c.id }) end },
      fab { id = "add_concert", desc = "New concert", on_click = function() self:ask_new() end },
    }
  end,
}

activity "Concert" {
  entries = function(self, concert)
    return filter(concert.programme, function(e) return not by_id(storage.pieces, e.piece).binned end)
  end,
  ask_name = function(self, concert)
    self:dialog { title = "Rename concert", cancel = "Cancel", ok = "Rename",
      view = function()
        return column { field { id = "new_name", text = concert.name, max = 30,
          on_change = function(s) if bug("rename_cancel") then concert.name = s end end } }
      end,
      on_ok = function()
        local name = trim(self:text("new_name"))
        if name == "" then return true end
        concert.name = name
      end }
  end,
  ask_piece = function(self, concert)
    local free = filter(sorted(repertoire()), function(p)
      return not find(concert.programme, function(e) return e.piece == p.id end)
    end)
    if #free == 0 then return toast("Everything is in the programme") end
    self:dialog { title = "Add", items = each(free, function(p) return p.title end),
      on_item = function(i) table.insert(concert.programme, { piece = free[i].id }) end }
  end,
  move = function(self, concert, i, by)
    local entries = self:entries(concert)
    local a, b = index_of(concert.programme, entries[i]), index_of(concert.programme, entries[i + by])
    if a and b then concert.programme[a], concert.programme[b] = concert.programme[b], concert.programme[a] end
  end,
  entry_menu = function(self, concert, i, entry)
    self:popup {
      { "Earlier", id = "earlier", enabled = i > 1, on_click = function() self:move(concert, i, -1) end },
      { "Later", id = "later", enabled = i < #self:entries(concert), on_click = function() self:move(concert, i, 1) end },
      { "Encore", id = "encore", checked = entry.encore == true, on_click = function() entry.encore = not entry.encore end },
      { "Remove", id = "remove", on_click = function() forget(concert.programme, entry) end },
    }
  end,
  menu = function(self)
    local concert = by_id(storage.concerts, self.intent.id)
    if not concert then return {} end
    return { { "Rename", id = "rename", on_click = function() self:ask_name(concert) end } }
  end,
  view = function(self)
    local concert = by_id(storage.concerts, self.intent.id)
    if not concert then return gone("Concert") end
    return column {
      toolbar { concert.name, up = true, subtitle = date(concert.day, "%d %b %Y") },
      text { "Music: " .. length(programme_time(concert)) .. " (encores not counted)", id = "total" },
      list { id = "programme", items = self:entries(concert), empty = text { "The programme is empty", id = "empty" },
        row = function(e, i)
          local p = by_id(storage.pieces, e.piece)
          return column { id = "entry_row", text { p.title, id = "entry" },
            text { length(p.seconds) .. (e.encore and ", encore" or ""), id = "entry_time", size = "small" } }
        end,
        on_item_click = function(_, e) self:start("Piece", { id = e.piece }) end,
        on_item_long_click = function(i, e) self:entry_menu(concert, i, e) end },
      fab { id = "add_entry", desc = "Add a piece", on_click = function() self:ask_piece(concert) end },
    }
  end,
}

activity "Singers" {
  view = function(self)
    local singers = copy(storage.singers)
    table.sort(singers, function(a, b)                   -- who is on leave comes last
      if (a.leave == true) ~= (b.leave == true) then return not a.leave end
      return a.name < b.name
    end)
    return column {
      toolbar { "Singers", up = true },
      text { "Singers on leave do not borrow copies", id = "rule", size = "small" },
      list { id = "singers", items = singers, empty = text { "Nobody", id = "empty" },
        row = function(s)
          return column { id = "singer_row", text { s.name, id = "name" }, text { s.part .. (s.leave and ", on leave" or ""), id = "part", size = "small" } }
        end,
        on_item_click = function(_, s) self:start("Singer", { id = s.id }) end },
    }
  end,
}

activity "Singer" {
  view = function(self)
    local singer = by_id(storage.singers, self.intent.id)
    if not singer then return gone("Singer") end
    return column {
      toolbar { singer.name, up = true, subtitle = singer.part },
      switch { "On leave", id = "leave", checked = singer.leave == true, on_change = function(b) singer.leave = b or nil end },
      list { id = "borrowed", items = loans_of("singer", singer.id), empty = text { "Has nothing", id = "empty" },
        row = function(loan) return text { by_id(storage.pieces, loan.piece).title .. " x " .. loan.copies, id = "borrowed_row" } end,
        on_item_click = function(_, loan) self:start("Piece", { id = loan.piece }) end },
    }
  end,
}

activity "Bin" {
  ask_empty = function(self)
    local binned = filter(storage.pieces, function(p) return p.binned end)
    if #binned == 0 then return toast("It is empty") end
    local function empty() for _, p in ipairs(binned) do erase(p) end end
    if not prefs.confirm then return empty() end
    self:dialog { title = "Empty the bin?", message = counted(#binned, "piece") .. " and their loans", cancel = "Cancel", ok = "Empty", on_ok = empty }
  end,
  view = function(self)
    return column {
      toolbar { "Bin", up = true, actions = { { "Empty", id = "empty_bin", on_click = function() self:ask_empty() end } } },
      list { id = "binned", items = filter(storage.pieces, function(p) return p.binned end), empty = text { "The bin is empty", id = "empty" },
        row = function(p) return text { p.title, id = "binned_row" } end,
        on_item_click = function(_, p)
          self:popup { { "Restore", id = "restore", on_click = function() p.binned = nil end },
            { "Delete for ever", id = "erase", on_click = function() erase(p) end } }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Show composers", id = "composers", checked = prefs.composers, on_change = function(b) prefs.composers = b end },
      switch { "One line for a piece", id = "compact", checked = prefs.compact,
        on_change = function(b)
          prefs.compact = b
          if b and prefs.large then prefs.large = false toast("Large titles are off now: they need two lines") end
        end },
      switch { "Large titles", id = "large", checked = prefs.large == true, enabled = not prefs.compact, on_change = function(b) prefs.large = b end },
      switch { "Ask before emptying the bin", id = "confirm", checked = prefs.confirm, on_change = function(b) prefs.confirm = b end },
      button { "About", id = "about", on_click = function() self:dialog { title = "Choir Folder 1.8", message = "For choirs of up to thirty", ok = "OK" } end },
    }
  end,
}
