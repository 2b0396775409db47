-- Little Log: what a baby drank, slept and left in its nappies, day by day, for one child or more.
--
-- Amounts are kept in millilitres and shown in the chosen unit. A new bottle begins with the amount of the last one. Deleted
-- entries go to the bin and come back to the moment they belong to. A past day with fewer than three wet nappies is marked in
-- the summary; a dirty nappy is not a wet one unless it is both.

local MINUTE, HOUR, DAY = 60 * 1000, 60 * 60 * 1000, 24 * 60 * 60 * 1000
local ML_PER_OZ = 29.5735
local MAX_ENTRIES, MAX_CHILDREN, MAX_MILESTONES = 200, 5, 40
local KINDS = { bottle = "Bottle", nappy = "Nappy", sleep = "Sleep" }
local NAPPIES = { "Wet", "Dirty", "Both" }

app {
  package = "org.littlelog",
  title = "Little Log",
  main = "Main",
  bugs = { "oz_day_total", "milestones_all", "sleep_kill", "restore_time", "discard_saves", "search_nappies", "day_after_today",
    "wet_nappies" },
  application = function()
    if storage.entries then return end
    local t = now() // DAY * DAY
    local y = t - DAY
    storage.next_id = 60
    storage.child = 1
    storage.children = { { id = 1, name = "Mia", born = "2023-11-20" }, { id = 2, name = "Leo", born = "2022-02-05" } }
    storage.entries = {
      { id = 11, child = 1, kind = "bottle", time = y + 7 * HOUR, ml = 110, note = "" },
      { id = 12, child = 1, kind = "nappy", time = y + 8 * HOUR, nappy = 1, note = "" },
      { id = 13, child = 1, kind = "sleep", time = y + 10 * HOUR, minutes = 95, note = "In the pram" },
      { id = 14, child = 1, kind = "nappy", time = y + 12 * HOUR, nappy = 2, note = "" },
      { id = 15, child = 1, kind = "bottle", time = y + 13 * HOUR + 20 * MINUTE, ml = 130, note = "Left a little" },
      { id = 16, child = 1, kind = "nappy", time = y + 18 * HOUR, nappy = 3, note = "Rash, used cream" },
      { id = 17, child = 1, kind = "bottle", time = t + 2 * HOUR + 10 * MINUTE, ml = 120, note = "" },
      { id = 18, child = 1, kind = "nappy", time = t + 5 * HOUR + 30 * MINUTE, nappy = 1, note = "" },
      { id = 19, child = 1, kind = "bottle", time = t + 6 * HOUR + 45 * MINUTE, ml = 90, note = "Spat up" },
      { id = 20, child = 2, kind = "sleep", time = y + 12 * HOUR, minutes = 70, note = "" },
    }
    storage.milestones = {
      { id = 31, child = 1, what = "First smile", day = "2024-01-04" }, { id = 32, child = 1, what = "Slept through", day = "2024-02-18" },
      { id = 33, child = 2, what = "First steps", day = "2023-03-11" },
    }
    prefs.oz, prefs.clock12, prefs.notes = false, false, true
  end,
}

local asleep_now = {}

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(list, id) return id and find(list, function(x) return x.id == id end) or nil end
local function entry_of(id) return by_id(storage.entries, id) end
local function child() return by_id(storage.children, storage.child) end
local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end
local function today() return now() // DAY end
local function count_text(n, what, many) return n .. " " .. (n == 1 and what or many or what .. "s") end

local function time_text(time)
  if not prefs.clock12 then return date(time, "%H:%M") end
  local hour = tonumber(date(time, "%H"))
  return format("%d:%s %s", (hour + 11) % 12 + 1, date(time, "%M"), hour < 12 and "am" or "pm")
end
local function day_text(day) return date(day * DAY, "%a %d %b") end
local function number_of(ml) return prefs.oz and format("%.1f", ml / ML_PER_OZ) or tostring(ml) end
local function unit() return prefs.oz and "oz" or "ml" end
local function amount(ml) return number_of(ml) .. " " .. unit() end
local function span(minutes)
  if minutes < 60 then return minutes .. " min" end
  return format("%d h %02d min", minutes // 60, minutes % 60)
end

local function detail(e)
  if e.kind == "bottle" then return amount(e.ml) end
  return e.kind == "nappy" and NAPPIES[e.nappy]:lower() or span(e.minutes)
end
local function title(e) return KINDS[e.kind] .. ", " .. detail(e) end

local function entries_of(day)
  local out = filter(storage.entries, function(e) return e.child == storage.child and not e.binned and e.time // DAY == day end)
  table.sort(out, function(a, b) return a.time > b.time end)
  return out
end

local function sums(day)
  local s = { bottles = 0, ml = 0, nappies = 0, wet = 0, minutes = 0, all = 0 }
  for _, e in ipairs(entries_of(day)) do
    s.all = s.all + 1
    if e.kind == "bottle" then s.bottles, s.ml = s.bottles + 1, s.ml + e.ml end
    if e.kind == "sleep" then s.minutes = s.minutes + e.minutes end
    if e.kind == "nappy" then
      s.nappies = s.nappies + 1
      if e.nappy ~= 2 or bug("wet_nappies") then s.wet = s.wet + 1 end
    end
  end
  return s
end

local function sum_text(s, drunk)
  return count_text(s.bottles, "bottle") .. " (" .. drunk .. "), " .. count_text(s.nappies, "nappy", "nappies") .. ", sleep " .. span(s.minutes)
end

local function asleep_since(c)
  if bug("sleep_kill") then return asleep_now[c.id] end
  return c.asleep
end
local function set_asleep(c, time)
  c.asleep = time
  asleep_now[c.id] = time
end

local function last_ml()
  local last
  for _, e in ipairs(storage.entries) do
    if e.kind == "bottle" and e.child == storage.child and not e.binned and (not last or e.time >= last.time) then last = e end
  end
  return last and last.ml
end

local function is_day(s)
  local y, m, d = s:match("^(%d%d%d%d)%-(%d%d)%-(%d%d)$")
  y, m, d = tonumber(y), tonumber(m), tonumber(d)
  if not y or y < 2000 or m < 1 or m > 12 or d < 1 or s > date(now(), "%Y-%m-%d") then return false end
  local longest = m == 2 and (y % 4 == 0 and 29 or 28) or (m == 4 or m == 6 or m == 9 or m == 11) and 30 or 31
  return d <= longest
end

activity "Main" {
  create = function(self, intent, saved) self.day = saved and saved.day or today() end,
  save = function(self, out) out.day = self.day end,

  shift = function(self, days)
    local limit = bug("day_after_today") and today() + 1 or today()
    if self.day + days > limit then return toast("The future is not known yet") end
    self.day = self.day + days
  end,

  add = function(self, kind)
    if #storage.entries >= MAX_ENTRIES then return toast("Empty the bin first") end
    self:start("Entry", { kind = kind, day = self.day })
  end,

  sleep = function(self, c)
    local since = asleep_since(c)
    if not since then return set_asleep(c, now()) end
    set_asleep(c, nil)
    if #storage.entries >= MAX_ENTRIES then return toast("Empty the bin first") end
    local minutes = math.max(1, (now() - since) // MINUTE)
    table.insert(storage.entries, { id = new_id(), child = c.id, kind = "sleep", time = since, minutes = minutes, note = "" })
    toast("Slept " .. span(minutes))
  end,

  entry_menu = function(self, e)
    self:popup {
      { "Edit", id = "edit", on_click = function() self:start("Entry", { id = e.id }) end },
      { "Delete", id = "delete", on_click = function()
        e.binned = now()
        self:snackbar("Moved to the bin", "Undo", function() e.binned = nil end)
      end },
    }
  end,

  view = function(self)
    local c, s = child(), sums(self.day)
    local since = asleep_since(c)
    local drunk = bug("oz_day_total") and s.ml .. " " .. unit() or amount(s.ml)
    local function go(name) return function() self:start(name) end end
    return column {
      toolbar { c.name },
      drawer { id = "drawer", header = "Little Log", items = {
        { "Summary", id = "summary", on_click = go("Summary") }, { "Milestones", id = "milestones", on_click = go("Milestones") },
        { "Search", id = "search", on_click = go("Search") }, { "Children", id = "children", on_click = go("Children") },
        { "Bin", id = "bin", on_click = go("Bin") }, { "Settings", id = "settings", on_click = go("Settings") } } },
      row {
        button { "‹", id = "earlier", desc = "The day before", on_click = function() self:shift(-1) end },
        text { self.day == today() and "Today" or day_text(self.day), id = "day", weight = 1 },
        button { "›", id = "later", desc = "The day after", on_click = function() self:shift(1) end },
      },
      text { sum_text(s, drunk), id = "sums", size = "small" },
      since and text { c.name .. " sleeps since " .. time_text(since), id = "asleep" },
      list { id = "entries", weight = 1, items = entries_of(self.day), empty = text { "Nothing on this day", id = "empty" },
        row = function(e)
          return column { id = "entry_row", text { time_text(e.time) .. "  " .. title(e), id = "what" },
            prefs.notes and e.note ~= "" and text { e.note, id = "note", size = "small" } }
        end,
        on_item_click = function(_, e) self:start("Entry", { id = e.id }) end,
        on_item_long_click = function(_, e) self:entry_menu(e) end },
      row {
        button { "Bottle", id = "add_bottle", on_click = function() self:add("bottle") end },
        button { "Nappy", id = "add_nappy", on_click = function() self:add("nappy") end },
        button { since and "Awake" or "Asleep", id = "sleep", on_click = function() self:sleep(c) end },
      },
    }
  end,
}

activity "Entry" {
  create = function(self, intent, saved)
    local e = entry_of(intent.id)
    local kind = e and e.kind or intent.kind or "bottle"
    local ml = e and e.ml or last_ml()
    local time = e and e.time or now()
    if not e and intent.day and intent.day ~= today() then time = intent.day * DAY + now() % DAY end
    self.old = { kind = kind, ml = ml, nappy = e and e.nappy or 1, time = time, note = e and e.note or "",
      number = kind == "bottle" and ml and number_of(ml) or kind == "sleep" and e and tostring(e.minutes) or "" }
    self.nappy, self.time = saved and saved.nappy or self.old.nappy, saved and saved.time or self.old.time
    if saved and not e then self.old.time = saved.began end
  end,
  save = function(self, out) out.nappy, out.time, out.began = self.nappy, self.time, self.old.time end,

  changed = function(self)
    local old = self.old
    return self.nappy ~= old.nappy or self.time ~= old.time or self:text("note") ~= old.note or
      old.kind ~= "nappy" and self:text("number") ~= old.number
  end,

  shift = function(self, ms) self.time = math.min(now(), self.time + ms) end,

  leave = function(self)
    if not self:changed() then return self:finish() end
    self:dialog { title = "Discard your changes?", cancel = "Keep editing", ok = "Discard", on_ok = function()
      if bug("discard_saves") and self.intent.id then return self:store() end
      self:finish()
    end }
  end,
  back = function(self) self:leave() return true end,

  store = function(self)
    local kind, number = self.old.kind, tonumber(self:text("number"))
    local most = kind == "sleep" and 1440 or prefs.oz and 16 or 480
    if kind ~= "nappy" and (not number or number <= 0 or number > most) then return toast("Enter a number up to " .. most) end
    local e = entry_of(self.intent.id)
    if not e then
      if #storage.entries >= MAX_ENTRIES then return toast("Empty the bin first") end
      e = { id = new_id(), child = storage.child, kind = kind }
      table.insert(storage.entries, e)
    end
    if kind == "nappy" then e.nappy = self.nappy end
    if kind == "sleep" then e.minutes = math.max(1, math.floor(number)) end
    if kind == "bottle" then      -- left as it was: not rounded again
      local ml = math.max(1, math.floor(number * (prefs.oz and ML_PER_OZ or 1) + 0.5))
      e.ml = self:text("number") == self.old.number and self.old.ml or ml
    end
    e.time, e.note = self.time, trim(self:text("note"))
    self:finish()
  end,

  view = function(self)
    local kind, e = self.old.kind, entry_of(self.intent.id)
    return column {
      toolbar { (e and "Edit: " or "New: ") .. KINDS[kind]:lower(), up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { weight = 1,
        text { day_text(self.time // DAY) .. ", " .. time_text(self.time), id = "time", size = "large" },
        row {
          button { "− 1 h", id = "hour_less", on_click = function() self:shift(-HOUR) end },
          button { "− 10 min", id = "less", on_click = function() self:shift(-10 * MINUTE) end },
          button { "+ 10 min", id = "more", on_click = function() self:shift(10 * MINUTE) end },
          button { "+ 1 h", id = "hour_more", on_click = function() self:shift(HOUR) end },
        },
        kind == "bottle" and text { "Amount in " .. unit(), id = "unit", size = "small" },
        kind == "sleep" and text { "Minutes", id = "unit", size = "small" },
        kind ~= "nappy" and field { id = "number", hint = "Number", text = self.old.number, input = kind == "bottle" and "decimal" or "number", max = 5 },
        kind == "nappy" and radios { id = "nappy", items = NAPPIES, selected = self.nappy, on_change = function(i) self.nappy = i end },
        field { id = "note", hint = "Note", text = self.old.note, max = 80 },
      },
    }
  end,
}

activity "Summary" {
  view = function(self)
    local days, ml, counted = {}, 0, 0
    for day = today(), today() - 6, -1 do
      local s = sums(day)
      s.day = day
      table.insert(days, s)
      if s.all > 0 and day < today() then ml, counted = ml + s.ml, counted + 1 end
    end
    return column {
      toolbar { "Summary", up = true, subtitle = child().name },
      text { counted == 0 and "No full day yet" or "On average " .. amount(math.floor(ml / counted + 0.5)) .. " a day", id = "average", size = "large" },
      text { "Today and days without entries are left out of the average", id = "hint", size = "small" },
      list { id = "days", weight = 1, items = days,
        row = function(s)
          local few = s.all > 0 and s.day < today() and s.wet < 3
          return column { id = "day_row", text { s.day == today() and "Today" or day_text(s.day), id = "day" },
            text { s.all == 0 and "No entries" or sum_text(s, amount(s.ml)), id = "sums", size = "small" },
            few and text { "Few wet nappies", id = "few", size = "small" } }
        end },
    }
  end,
}

activity "Milestones" {
  ask = function(self, m)
    self:dialog { title = m and "Edit milestone" or "New milestone", ok = "Save", cancel = "Cancel",
      view = function() return column {
        field { id = "what", hint = "What", text = m and m.what or "", max = 40 },
        field { id = "when", hint = "2024-12-31", text = m and m.day or date(now(), "%Y-%m-%d"), max = 10 } } end,
      on_ok = function()
        local what, day = trim(self:text("what")), trim(self:text("when"))
        if what == "" or not is_day(day) then toast("Say what, and a day that has been") return true end
        if m then m.what, m.day = what, day return end
        table.insert(storage.milestones, { id = new_id(), child = storage.child, what = what, day = day })
      end }
  end,

  view = function(self)
    local all = filter(storage.milestones, function(m) return m.child == storage.child or bug("milestones_all") end)
    table.sort(all, function(a, b) return a.day < b.day end)
    return column {
      toolbar { "Milestones", up = true, subtitle = child().name, actions = { { "New milestone", id = "add", on_click = function()
        if #storage.milestones >= MAX_MILESTONES then return toast("That is enough") end
        self:ask()
      end } } },
      list { id = "milestones", weight = 1, items = all, empty = text { "No milestones yet", id = "empty" },
        row = function(m) return column { id = "milestone_row", text { m.what, id = "what" }, text { m.day, id = "day", size = "small" } } end,
        on_item_click = function(_, m) self:ask(m) end,
        on_item_long_click = function(_, m)
          self:dialog { title = "Delete this milestone?", message = m.what, ok = "Delete", cancel = "Cancel",
            on_ok = function() forget(storage.milestones, m) end }
        end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,

  results = function(self)
    local query = trim(self.query):lower()
    if query == "" then return {} end
    local out = filter(storage.entries, function(e)
      if e.child ~= storage.child or e.binned then return false end
      if bug("search_nappies") and e.kind == "nappy" then return false end
      return contains((title(e) .. " " .. e.note):lower(), query)
    end)
    table.sort(out, function(a, b) return a.time > b.time end)
    return out
  end,

  view = function(self)
    local results = self:results()
    return column {
      toolbar { "Search", up = true, subtitle = child().name },
      field { id = "query", hint = "In all entries and notes", text = self.query, max = 30, on_change = function(s) self.query = s end },
      text { #results .. " found", id = "found", size = "small" },
      list { id = "results", weight = 1, items = results,
        row = function(e)
          return column { id = "result_row", text { title(e), id = "what" },
            text { day_text(e.time // DAY) .. ", " .. time_text(e.time) .. (e.note ~= "" and ": " .. e.note or ""), id = "line", size = "small" } }
        end,
        on_item_click = function(_, e) self:start("Entry", { id = e.id }) end },
    }
  end,
}

activity "Children" {
  ask = function(self, c)
    self:dialog { title = c and "Edit child" or "New child", ok = "Save", cancel = "Cancel",
      view = function() return column {
        field { id = "name", hint = "Name", text = c and c.name or "", max = 20 },
        field { id = "born", hint = "Born, as 2024-12-31", text = c and c.born or "", max = 10 } } end,
      on_ok = function()
        local name, born = trim(self:text("name")), trim(self:text("born"))
        if name == "" or not is_day(born) then toast("Say the name and the day of birth") return true end
        if c then c.name, c.born = name, born return end
        table.insert(storage.children, { id = new_id(), name = name, born = born })
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Children", up = true, actions = { { "New child", id = "add", on_click = function()
        if #storage.children >= MAX_CHILDREN then return toast("That is enough") end
        self:ask()
      end } } },
      text { "Touch a child to see its log, touch longer to edit", id = "hint", size = "small" },
      list { id = "children", weight = 1, items = storage.children,
        row = function(c)
          return column { id = "child_row", text { c.name .. (c.id == storage.child and " ✓" or ""), id = "name" },
            text { "Born " .. c.born, id = "born", size = "small" } }
        end,
        on_item_click = function(_, c) storage.child = c.id self:finish() end,
        on_item_long_click = function(_, c) self:ask(c) end },
    }
  end,
}

activity "Bin" {
  view = function(self)
    local all = filter(storage.entries, function(e) return e.binned end)
    return column {
      toolbar { "Bin", up = true, actions = { { "Empty", id = "empty_bin", on_click = function()
        self:dialog { title = "Empty the bin?", message = "The entries of all children in it are gone then", ok = "Empty", cancel = "Cancel",
          on_ok = function() storage.entries = filter(storage.entries, function(e) return not e.binned end) end }
      end } } },
      list { id = "binned", weight = 1, items = all, empty = text { "The bin is empty", id = "empty" },
        row = function(e)
          return column { id = "bin_row", text { title(e), id = "what" },
            text { by_id(storage.children, e.child).name .. ", " .. day_text(e.time // DAY) .. ", " .. time_text(e.time), id = "line", size = "small" } }
        end,
        on_item_click = function(_, e)
          self:popup { { "Put back", id = "restore", on_click = function()
            if bug("restore_time") then e.time = now() end
            e.binned = nil
          end } }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll { weight = 1,
        switch { "Amounts in ounces", id = "oz", checked = prefs.oz, on_change = function(b) prefs.oz = b end },
        switch { "Times as 3:30 pm", id = "clock12", checked = prefs.clock12, on_change = function(b) prefs.clock12 = b end },
        switch { "Show notes in the log", id = "notes", checked = prefs.notes, on_change = function(b) prefs.notes = b end },
      },
    }
  end,
}
