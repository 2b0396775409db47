-- Gallery Guide: works on three floors, a tour of one's own, notes, tickets and booked visits.

local DAY = 24 * 60 * 60 * 1000
local FLOORS = { en = { "Ground floor", "First floor", "Second floor" }, de = { "Erdgeschoss", "Erster Stock", "Zweiter Stock" } }
local TABS = { "Works", "Floors", "My tour" }
local SORTS = { "By room", "By year", "By artist" }
local PRICES = { adult = 12, child = 5 }
local WORKS = {
  { id = 1, en = "Reaper", de = "Schnitter", artist = "Holm", year = 1650, room = 1, floor = 1 },
  { id = 2, en = "Stone Lion", de = "Steinerner Loewe", artist = "unknown", year = 900, room = 2, floor = 1 },
  { id = 3, en = "Two Sisters", de = "Zwei Schwestern", artist = "Varga", year = 1888, room = 5, floor = 2 },
  { id = 4, en = "Harbour", de = "Hafen", artist = "Holm", year = 1662, room = 6, floor = 2 },
  { id = 5, en = "Night Train", de = "Nachtzug", artist = "Ribeiro", year = 1931, room = 9, floor = 3 },
  { id = 6, en = "Blue Chair", de = "Blauer Stuhl", artist = "Varga", year = 1895, room = 10, floor = 3 },
}

app {
  package = "org.settler.museum",
  title = "Gallery Guide",
  main = "Main",
  bugs = { "year_as_text", "floors_english", "tour_jumps_up", "note_shared", "seen_after_reset", "filter_half_saved",
    "fewer_same_price", "visit_next_day" },
  application = function()
    if storage.tour then return end
    storage.tour = { 2, 3, 5, 6 }
    storage.seen = { 1, 3 }
    storage.seen_count = 2
    storage.notes = { { key = "w2", text = "Ask about the left paw" } }
    storage.visits = { { id = 1, at = now() + 6 * DAY, adults = 2, children = 1, price = 29 } }
    storage.next_id = 2
    prefs.language = prefs.language or "en"
    prefs.sort = prefs.sort or 1
  end,
}

local function work_by_id(id) return find(WORKS, function(w) return w.id == id end) end
local function title_of(w) return prefs.language == "de" and w.de or w.en end
local function floor_name(i) return FLOORS[prefs.language][i] end
local function is_seen(w) return index_of(storage.seen, w.id) ~= nil end

local function note_key(w) return bug("note_shared") and w.artist ~= "unknown" and "a" .. w.artist or "w" .. w.id end

local function note_of(w)
  local key = note_key(w)
  return find(storage.notes, function(n) return n.key == key end)
end

local function set_note(w, s)
  local note, i = note_of(w)
  if s == "" then
    if note then table.remove(storage.notes, i) end
  elseif note then
    note.text = s
  else
    table.insert(storage.notes, { key = note_key(w), text = s })
  end
end

local function set_seen(w, on)
  local i = index_of(storage.seen, w.id)
  if on and not i then
    table.insert(storage.seen, w.id)
    storage.seen_count = storage.seen_count + 1
  elseif not on and i then
    table.remove(storage.seen, i)
    storage.seen_count = storage.seen_count - 1
  end
end

-- ---- works, floors, my tour ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab = saved.tab or 1
    self.floor, self.chip = saved.floor, saved.chip
  end,
  save = function(self, out)
    out.tab, out.chip = self.tab, self.chip
    if not bug("filter_half_saved") then out.floor = self.floor end
  end,
  works = function(self)
    local rows = filter(WORKS, function(w) return not self.floor or w.floor == self.floor end)
    if prefs.sort == 2 then
      if bug("year_as_text") then
        table.sort(rows, function(a, b) return tostring(a.year) < tostring(b.year) end)
      else
        table.sort(rows, function(a, b) return a.year < b.year end)
      end
    elseif prefs.sort == 3 then
      table.sort(rows, function(a, b) return a.artist:lower() < b.artist:lower() end)
    end
    return rows
  end,
  ask_floor = function(self)
    local names = copy(FLOORS[prefs.language])
    table.insert(names, 1, "Whole house")
    self:dialog { title = "Works on which floor?", items = names, checked = (self.floor or 0) + 1,
      on_item = function(i)
        self.floor = i > 1 and i - 1 or nil
        self.chip = self.floor
      end }
  end,
  ask_sort = function(self)
    self:dialog { title = "Sort works", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
  end,
  ask_reset = function(self)
    self:dialog { title = "Begin anew?", message = "All works count as not seen", cancel = "Cancel", ok = "Begin anew",
      on_ok = function()
        storage.seen = {}
        if not bug("seen_after_reset") then storage.seen_count = 0 end
      end }
  end,
  stop_menu = function(self, i)
    local id = storage.tour[i]
    self:popup {
      { "Move up", id = "move_up", enabled = i > 1, on_click = function()
        table.remove(storage.tour, i)
        table.insert(storage.tour, bug("tour_jumps_up") and 1 or i - 1, id)
      end },
      { "Move down", id = "move_down", enabled = i < #storage.tour, on_click = function()
        table.remove(storage.tour, i)
        table.insert(storage.tour, i + 1, id)
      end },
      { "Leave out", id = "leave_out", on_click = function()
        table.remove(storage.tour, i)
        self:snackbar(title_of(work_by_id(id)) .. " left out", "Undo", function()
          if not index_of(storage.tour, id) then table.insert(storage.tour, math.min(i, #storage.tour + 1), id) end
        end)
      end },
    }
  end,
  menu = function(self)
    return {
      { "Sort", id = "sort", on_click = function() self:ask_sort() end },
      { "Tickets", id = "tickets", on_click = function() self:start("Tickets") end },
      { "My visits", id = "visits", on_click = function() self:start("Visits") end },
      { "Begin anew", id = "reset", on_click = function() self:ask_reset() end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  content = function(self)
    if self.tab == 1 then
      return {
        self.chip and row {
          text { "Only " .. floor_name(self.chip), id = "chip", weight = 1 },
          image_button { id = "clear_floor", desc = "Whole house", on_click = function() self.floor, self.chip = nil, nil end },
        },
        list { id = "works", items = self:works(),
          row = function(w)
            return column {
              text { title_of(w) .. (is_seen(w) and "  (seen)" or ""), id = "work_row" },
              text { w.artist .. ", " .. w.year .. ", room " .. w.room, id = "work_info", size = "small" },
            }
          end,
          on_item_click = function(_, w) self:start("Work", { id = w.id }) end },
      }
    end
    if self.tab == 2 then
      return {
        list { id = "floors", items = { 1, 2, 3 },
          row = function(f)
            local name = bug("floors_english") and FLOORS.en[f] or floor_name(f)
            local n = #filter(WORKS, function(w) return w.floor == f end)
            return text { name .. ": " .. n .. " works", id = "floor_row" }
          end,
          on_item_click = function(_, f) self:start("Floor", { floor = f }) end },
      }
    end
    return {
      text { #storage.tour .. " stops", id = "stops" },
      list { id = "tour", items = storage.tour, empty = text { "Add works from their pages", id = "empty" },
        row = function(id, i)
          local w = work_by_id(id)
          return text { i .. ". " .. title_of(w) .. " (room " .. w.room .. ")", id = "stop_row" }
        end,
        on_item_click = function(_, id) self:start("Work", { id = id }) end,
        on_item_long_click = function(i) self:stop_menu(i) end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Gallery Guide", subtitle = "Seen " .. storage.seen_count .. " of " .. #WORKS,
        actions = self.tab == 1 and { { "Filter", id = "filter", on_click = function() self:ask_floor() end } } or {} },
      tabs { id = "tabs", titles = TABS, selected = self.tab, on_change = function(i) self.tab = i end },
      self:content(),
    }
  end,
}

activity "Floor" {
  view = function(self)
    local f = self.intent.floor
    local rows = filter(WORKS, function(w) return w.floor == f end)
    return column {
      toolbar { floor_name(f), up = true, subtitle = #filter(rows, is_seen) .. " of " .. #rows .. " seen" },
      list { id = "floor_works", items = rows,
        row = function(w) return text { "Room " .. w.room .. ": " .. title_of(w), id = "floor_work" } end,
        on_item_click = function(_, w) self:start("Work", { id = w.id }) end },
    }
  end,
}

-- ---- one work ----

activity "Work" {
  ask_note = function(self, w)
    local note = note_of(w)
    self:set_text("note_field", note and note.text or "")
    self:dialog { title = "Note on " .. title_of(w), cancel = "Cancel", ok = "Keep",
      view = function() return column { field { id = "note_field", hint = "Note", text = note and note.text or "" } } end,
      on_ok = function() set_note(w, trim(self:text("note_field"))) end }
  end,
  view = function(self)
    local w = work_by_id(self.intent.id)
    local note = note_of(w)
    local stop = index_of(storage.tour, w.id)
    local others = filter(WORKS, function(o) return o.artist == w.artist and o.id ~= w.id and w.artist ~= "unknown" end)
    return column {
      toolbar { title_of(w), up = true, subtitle = w.artist },
      text { "Year " .. w.year, id = "year" },
      text { floor_name(w.floor) .. ", room " .. w.room, id = "where" },
      text { note and "Note: " .. note.text or "No note", id = "note" },
      check { "Seen", id = "seen", checked = is_seen(w), on_change = function(on) set_seen(w, on) end },
      row {
        button { "Note", id = "edit_note", on_click = function() self:ask_note(w) end },
        stop and text { "Stop " .. stop .. " of my tour", id = "stop" }
          or button { "Add to my tour", id = "add_stop", on_click = function() table.insert(storage.tour, w.id) end },
      },
      #others > 0 and text { "Also by " .. w.artist, id = "also" },
      list { id = "others", items = others,
        row = function(o) return text { title_of(o), id = "other_row" } end,
        on_item_click = function(_, o) self:start("Work", { id = o.id }) end },
    }
  end,
}

-- ---- tickets and visits ----

activity "Tickets" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.adults, self.children = saved.adults or 1, saved.children or 0
    self.day = saved.day or 1
    self.total = saved.total or PRICES.adult
  end,
  save = function(self, out)
    out.adults, out.children, out.day, out.total = self.adults, self.children, self.day, self.total
  end,
  change = function(self, kind, n)
    self[kind] = self[kind] + n
    if n < 0 and bug("fewer_same_price") then return end
    self.total = self.adults * PRICES.adult + self.children * PRICES.child
  end,
  day_at = function(self) return now() + self.day * DAY end,
  book = function(self)
    if self.adults + self.children == 0 then return toast("For whom?") end
    local at = self:day_at()
    if bug("visit_next_day") then at = at + DAY end
    table.insert(storage.visits, { id = storage.next_id, at = at, adults = self.adults, children = self.children, price = self.total })
    storage.next_id = storage.next_id + 1
    self:start("Visits")
    self:finish()
  end,
  counter = function(self, kind, label)
    return row {
      text { label .. ": " .. self[kind], id = kind, weight = 1 },
      button { "-", id = kind .. "_less", enabled = self[kind] > 0, on_click = function() self:change(kind, -1) end },
      button { "+", id = kind .. "_more", enabled = self[kind] < 9, on_click = function() self:change(kind, 1) end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Tickets", up = true },
      self:counter("adults", "Adults at " .. PRICES.adult),
      self:counter("children", "Children at " .. PRICES.child),
      row {
        button { "Earlier", id = "earlier", enabled = self.day > 1, on_click = function() self.day = self.day - 1 end },
        text { date(self:day_at(), "%Y-%m-%d"), id = "visit_day", weight = 1 },
        button { "Later", id = "later", enabled = self.day < 30, on_click = function() self.day = self.day + 1 end },
      },
      text { "Total " .. self.total .. " euros", id = "total", size = "large" },
      button { "Book for " .. date(self:day_at(), "%Y-%m-%d"), id = "book", on_click = function() self:book() end },
    }
  end,
}

activity "Visits" {
  ask_cancel = function(self, v)
    self:dialog { title = "Cancel the visit?", message = date(v.at, "%Y-%m-%d"), cancel = "Keep", ok = "Cancel visit",
      on_ok = function()
        storage.visits = filter(storage.visits, function(o) return o.id ~= v.id end)
      end }
  end,
  view = function(self)
    local rows = copy(storage.visits)
    table.sort(rows, function(a, b) return a.at < b.at end)
    local sum = 0
    for _, v in ipairs(rows) do sum = sum + v.price end
    return column {
      toolbar { "My visits", up = true, subtitle = #rows .. " booked" },
      list { id = "visits_list", items = rows, empty = text { "Nothing booked", id = "empty" },
        row = function(v)
          return column {
            text { date(v.at, "%Y-%m-%d"), id = "visit_row" },
            text { v.adults .. " adults, " .. v.children .. " children, " .. v.price .. " euros", id = "visit_info", size = "small" },
          }
        end,
        on_item_long_click = function(_, v) self:ask_cancel(v) end },
      text { "Altogether " .. sum .. " euros", id = "visits_sum" },
      text { "To be paid at the desk; a long press cancels", id = "visits_help", size = "small" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text { "Names of works and floors", id = "language_label" },
      radios { id = "language", items = { "English", "Deutsch" }, selected = prefs.language == "de" and 2 or 1,
        on_change = function(i) prefs.language = i == 2 and "de" or "en" end },
      text { "Menus and buttons are always English", id = "language_help", size = "small" },
    }
  end,
}
