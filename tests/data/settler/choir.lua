-- Cantus: a choir's rehearsals, its repertoire and its singers. Three sections at the bottom.

local DAY = 24 * 60 * 60 * 1000
local VOICES = { "Soprano", "Alto", "Tenor", "Bass" }
local ORDERS = { "As entered", "By title", "By composer" }

app {
  package = "org.settler.choir",
  title = "Cantus",
  main = "Main",
  bugs = { "gone_singer_present", "programme_minutes", "practised_position", "composer_kept", "register_names",
    "next_cancelled", "search_capital", "register_rotation" },
  application = function()
    if storage.pieces then return end
    storage.pieces = {
      { id = 1, title = "Ave verum", composer = "Mozart", minutes = 4, practised = true },
      { id = 2, title = "Locus iste", composer = "Bruckner", minutes = 3, practised = false },
      { id = 3, title = "Abendlied", composer = "Rheinberger", minutes = 5, practised = false },
      { id = 4, title = "Sicut cervus", composer = "Palestrina", minutes = 6, practised = true },
      { id = 5, title = "Denn er hat", composer = "Mendelssohn", minutes = 4, practised = false },
    }
    storage.singers = {
      { id = 11, first = "Ruth", last = "Adler", voice = 1 },
      { id = 12, first = "Ines", last = "Brandt", voice = 1 },
      { id = 13, first = "Olga", last = "Conrad", voice = 2 },
      { id = 14, first = "Paul", last = "Dietz", voice = 3 },
      { id = 15, first = "Jan", last = "Engel", voice = 4 },
      { id = 16, first = "Karl", last = "Falk", voice = 4 },
    }
    storage.rehearsals = {
      { id = 21, at = now() - 4 * DAY, place = "Parish hall", pieces = { 1, 2 }, minutes = 7, present = { 11, 13, 14, 15 } },
      { id = 22, at = now() + 3 * DAY, place = "School", pieces = { 2, 3, 4 }, minutes = 14, present = {} },
      { id = 23, at = now() + 10 * DAY, place = "Parish hall", pieces = { 1 }, minutes = 4, present = {} },
      { id = 24, at = now() + 17 * DAY, place = "Cathedral", pieces = { 4, 5 }, minutes = 10, present = {} },
    }
    storage.next_id = 30
  end,
}

local function by_id(rows, id) return find(rows, function(r) return r.id == id end) end
local function new_id() storage.next_id = storage.next_id + 1 return storage.next_id end
local function day(ms) return date(ms, "%Y-%m-%d") end

local function singer_name(s)
  if prefs.surname_first then return s.last .. ", " .. s.first end
  return s.first .. " " .. s.last
end

local function piece_minutes(r)
  local sum = 0
  for _, id in ipairs(r.pieces) do
    local p = by_id(storage.pieces, id)
    if p then sum = sum + p.minutes end
  end
  return sum
end

local function recount(r) r.minutes = piece_minutes(r) end

local function next_rehearsal()
  return find(storage.rehearsals, function(r)
    return r.at > now() and (not r.cancelled or bug("next_cancelled"))
  end)
end

-- ---- the three sections ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.section = saved.section or "rehearsals"
    self.searching = saved.searching
    self.query = saved.query or ""
  end,
  save = function(self, out) out.section, out.searching, out.query = self.section, self.searching, self.query end,
  go = function(self, section)
    self.section = section
    self.searching, self.query = nil, ""
    self:set_text("query", "")
  end,
  pieces = function(self)
    local q = self.query
    if not bug("search_capital") then q = q:lower() end
    local rows = filter(storage.pieces, function(p)
      return q == "" or contains(p.title:lower(), q) or contains(p.composer:lower(), q)
    end)
    local order = prefs.order or 1
    if order == 2 then table.sort(rows, function(a, b) return a.title < b.title end) end
    if order == 3 then table.sort(rows, function(a, b) return a.composer < b.composer end) end
    return rows
  end,
  toggle_practised = function(self, i, piece)
    if bug("practised_position") then piece = storage.pieces[i] or piece end
    piece.practised = not piece.practised
  end,
  ask_order = function(self)
    self:dialog { title = "Order of the repertoire", items = ORDERS, checked = prefs.order or 1,
      on_item = function(i) prefs.order = i end }
  end,
  ask_remove_singer = function(self, s)
    self:dialog { title = singer_name(s) .. " leaves the choir?", cancel = "Cancel", ok = "Remove",
      on_ok = function()
        local _, i = by_id(storage.singers, s.id)
        if not i then return end
        table.remove(storage.singers, i)
        if not bug("gone_singer_present") then
          for _, r in ipairs(storage.rehearsals) do
            r.present = filter(r.present, function(id) return id ~= s.id end)
          end
        end
      end }
  end,
  ask_new_singer = function(self)
    self.voice = 1
    self:set_text("first_name", "")
    self:set_text("last_name", "")
    self:dialog { title = "New singer", cancel = "Cancel", ok = "Add",
      view = function()
        return column {
          field { id = "first_name", hint = "First name" },
          field { id = "last_name", hint = "Surname" },
          spinner { id = "new_voice", items = VOICES, selected = self.voice, on_change = function(i) self.voice = i end },
        }
      end,
      on_ok = function()
        local first, last = trim(self:text("first_name")), trim(self:text("last_name"))
        if first == "" or last == "" then return true end
        table.insert(storage.singers, { id = new_id(), first = first, last = last, voice = self.voice })
      end }
  end,
  menu = function(self)
    return {
      self.section == "repertoire" and { "Order", id = "order", on_click = function() self:ask_order() end }
        or { "Voices", id = "voices", on_click = function() self:start("Voices") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  add = function(self)
    if self.section == "repertoire" then self:start("PieceEdit") else self:ask_new_singer() end
  end,
  actions = function(self)
    local add = { "Add", id = "add", on_click = function() self:add() end }
    local search = { "Search", id = "search", on_click = function()
      self.searching, self.query = not self.searching, ""
      self:set_text("query", "")
    end }
    if self.section == "repertoire" then return { search, add } end
    return self.section == "singers" and { add } or {}
  end,
  content = function(self)
    if self.section == "rehearsals" then
      local n = next_rehearsal()
      return {
        text { n and "Next: " .. day(n.at) .. ", " .. n.place or "No rehearsal ahead", id = "next", size = "large" },
        list { id = "rehearsals_list", items = storage.rehearsals,
          row = function(r)
            return column {
              text { day(r.at) .. "  " .. r.place .. (r.cancelled and " (cancelled)" or ""), id = "rehearsal_row" },
              text { #r.pieces .. " pieces, " .. r.minutes .. " min", id = "rehearsal_sum", size = "small" },
            }
          end,
          on_item_click = function(_, r) self:start("Rehearsal", { id = r.id }) end },
      }
    end
    if self.section == "repertoire" then
      return {
        self.searching and field { id = "query", hint = "Title or composer", on_change = function(t) self.query = trim(t) end },
        list { id = "repertoire_list", items = self:pieces(), empty = text { "No such piece", id = "none" },
          row = function(p)
            return column {
              text { p.title .. (p.practised and "  *" or ""), id = "piece_row" },
              text { p.composer .. ", " .. p.minutes .. " min", id = "piece_info", size = "small" },
            }
          end,
          on_item_click = function(_, p) self:start("Piece", { id = p.id }) end,
          on_item_long_click = function(i, p) self:toggle_practised(i, p) end },
        text { "* practised; a long press changes it", id = "legend", size = "small" },
      }
    end
    return {
      text { #storage.singers .. " singers", id = "singer_count" },
      list { id = "singers_list", items = storage.singers, empty = text { "A choir of nobody", id = "none" },
        row = function(s) return text { singer_name(s) .. " - " .. VOICES[s.voice], id = "singer_row" } end,
        on_item_click = function(_, s) self:start("Singer", { id = s.id }) end,
        on_item_long_click = function(_, s) self:ask_remove_singer(s) end },
    }
  end,
  view = function(self)
    local s = self.section
    return column {
      toolbar { "Cantus", actions = self:actions() },
      self:content(),
      bottom_bar { items = {
        { "Rehearsals", id = "go_rehearsals", selected = s == "rehearsals", on_click = function() self:go("rehearsals") end },
        { "Repertoire", id = "go_repertoire", selected = s == "repertoire", on_click = function() self:go("repertoire") end },
        { "Singers", id = "go_singers", selected = s == "singers", on_click = function() self:go("singers") end },
      } },
    }
  end,
}

-- ---- one rehearsal ----

activity "Rehearsal" {
  ask_piece = function(self, r)
    local free = filter(storage.pieces, function(p) return not index_of(r.pieces, p.id) end)
    if #free == 0 then return toast("All pieces are in it already") end
    self:dialog { title = "Rehearse what?", items = each(free, function(p) return p.title end),
      on_item = function(i)
        table.insert(r.pieces, free[i].id)
        recount(r)
      end }
  end,
  ask_drop = function(self, r, id)
    local p = by_id(storage.pieces, id)
    self:dialog { title = "Leave out " .. (p and p.title or "this") .. "?", cancel = "Cancel", ok = "Leave out",
      on_ok = function()
        local i = index_of(r.pieces, id)
        if i then table.remove(r.pieces, i) end
        if not bug("programme_minutes") then recount(r) end
      end }
  end,
  view = function(self)
    local r = by_id(storage.rehearsals, self.intent.id)
    return column {
      toolbar { day(r.at), up = true, subtitle = r.place },
      r.cancelled and text { "Cancelled", id = "cancelled" },
      text { "Programme: " .. r.minutes .. " min", id = "programme" },
      text { #r.present .. " of " .. #storage.singers .. " singers present", id = "present" },
      row {
        button { "Register", id = "register", on_click = function() self:start("Register", { id = r.id }) end },
        button { r.cancelled and "Take place" or "Cancel it", id = "cancel_it", on_click = function() r.cancelled = not r.cancelled or nil end },
        button { "Add piece", id = "add_piece", on_click = function() self:ask_piece(r) end },
      },
      list { id = "programme_list", items = r.pieces, empty = text { "Nothing planned", id = "none" },
        row = function(id)
          local p = by_id(storage.pieces, id)
          return text { p.title .. " (" .. p.minutes .. " min)", id = "programme_row" }
        end,
        on_item_click = function(_, id) self:start("Piece", { id = id }) end,
        on_item_long_click = function(_, id) self:ask_drop(r, id) end },
    }
  end,
}

-- who was there; nothing is written before Done
activity "Register" {
  create = function(self, intent, saved)
    local r = by_id(storage.rehearsals, intent.id)
    self.present = saved and saved.present or copy(r.present)
  end,
  save = function(self, out)
    if not bug("register_rotation") then out.present = self.present end
  end,
  set = function(self, id, on)
    local i = index_of(self.present, id)
    if on and not i then table.insert(self.present, id) end
    if not on and i then table.remove(self.present, i) end
  end,
  view = function(self)
    local r = by_id(storage.rehearsals, self.intent.id)
    return column {
      toolbar { "Register", up = true, subtitle = #self.present .. " present" },
      list { id = "register_list", items = storage.singers, empty = text { "No singers", id = "none" },
        row = function(s)
          local name = bug("register_names") and s.first .. " " .. s.last or singer_name(s)
          return check { name, id = "here", checked = index_of(self.present, s.id) ~= nil,
            on_change = function(on) self:set(s.id, on) end }
        end },
      button { "Done", id = "done", on_click = function()
        r.present = self.present
        self:finish()
      end },
    }
  end,
}

-- ---- pieces ----

activity "Piece" {
  view = function(self)
    local p = by_id(storage.pieces, self.intent.id)
    local when = filter(storage.rehearsals, function(r) return index_of(r.pieces, p.id) ~= nil end)
    return column {
      toolbar { p.title, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("PieceEdit", { id = p.id }) end } } },
      text { "By " .. p.composer, id = "by" },
      text { p.minutes .. " minutes", id = "length" },
      text { p.practised and "Practised" or "Not practised yet", id = "state" },
      text { "Rehearsed " .. #when .. " times", id = "times" },
      list { id = "when", items = when, empty = text { "Never on a programme", id = "none" },
        row = function(r) return text { day(r.at) .. ", " .. r.place, id = "when_row" } end },
    }
  end,
}

activity "PieceEdit" {
  store = function(self, p)
    local title, composer = trim(self:text("title")), trim(self:text("composer"))
    if title == "" or composer == "" then return toast("Title and composer, please") end
    local minutes = self.minutes
    if p then
      p.title, p.minutes = title, minutes
      if not bug("composer_kept") then p.composer = composer end
      for _, r in ipairs(storage.rehearsals) do
        if index_of(r.pieces, p.id) then recount(r) end
      end
    else
      table.insert(storage.pieces, { id = new_id(), title = title, composer = composer, minutes = minutes, practised = false })
    end
    self:finish()
  end,
  create = function(self, intent, saved)
    local p = intent.id and by_id(storage.pieces, intent.id)
    self.minutes = saved and saved.minutes or p and p.minutes or 4
  end,
  save = function(self, out) out.minutes = self.minutes end,
  view = function(self)
    local p = self.intent.id and by_id(storage.pieces, self.intent.id)
    return column {
      toolbar { p and "Edit piece" or "New piece", up = true },
      scroll {
        field { id = "title", hint = "Title", text = p and p.title or "" },
        field { id = "composer", hint = "Composer", text = p and p.composer or "" },
        text { self.minutes .. " minutes", id = "minutes_text" },
        slider { id = "minutes", min = 1, max = 20, step = 1, value = self.minutes, on_change = function(v) self.minutes = v end },
        button { "Save", id = "save", on_click = function() self:store(p) end },
      },
    }
  end,
}

-- ---- singers ----

activity "Singer" {
  view = function(self)
    local s = by_id(storage.singers, self.intent.id)
    local past = filter(storage.rehearsals, function(r) return r.at < now() end)
    local came = filter(past, function(r) return index_of(r.present, s.id) ~= nil end)
    return column {
      toolbar { singer_name(s), up = true },
      text { "Came to " .. #came .. " of " .. #past .. " past rehearsals", id = "came" },
      text { "Voice", id = "voice_label" },
      radios { id = "voice", items = VOICES, selected = s.voice, on_change = function(i) s.voice = i end },
    }
  end,
}

activity "Voices" {
  view = function(self)
    return column {
      toolbar { "Voices", up = true, subtitle = #storage.singers .. " singers" },
      each(VOICES, function(name, v)
        local n = #filter(storage.singers, function(s) return s.voice == v end)
        return text { name .. ": " .. n, id = "voice_row" }
      end),
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Surname first", id = "surname_first", checked = prefs.surname_first or false,
        on_change = function(on) prefs.surname_first = on end },
      text { "How the names of singers are written, everywhere", id = "surname_help", size = "small" },
      button { "Order of the repertoire: " .. ORDERS[prefs.order or 1], id = "order_setting", on_click = function()
        self:dialog { title = "Order", items = ORDERS, checked = prefs.order or 1, on_item = function(i) prefs.order = i end }
      end },
    }
  end,
}
