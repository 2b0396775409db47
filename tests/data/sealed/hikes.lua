-- Hikes: a log of walks, hikes and rides, with shoes and bikes, statistics by month and a goal.
--
-- A tour: { id, name, kind, day, m = metres, min = minutes, climb = metres, gear = id or nil, stars, note, trashed }.
-- Distances are kept in metres and shown in the unit of the settings.

app {
  package = "org.norn.hikes",
  title = "Hikes",
  main = "Main",
  bugs = { "gear_counts_trash", "edit_in_miles", "merge_climb", "search_distance", "month_last_day", "kind_from_stats",
    "rating_cancelled", "retired_offered" },
  application = function()
    if storage.tours then return end
    local today = now() // 86400000
    local last_month = today - tonumber(date(now(), "%d"))          -- its last day
    storage.next_id = 100
    storage.gear = { { id = 1, name = "Leather boots", start = 120000 }, { id = 2, name = "Trail runners", start = 0 },
      { id = 3, name = "Touring bike", start = 900000 } }
    local function tour(id, name, kind, day, m, min, climb, gear, stars)
      return { id = id, name = name, kind = kind, day = day, m = m, min = min, climb = climb, gear = gear, stars = stars, note = "" }
    end
    storage.tours = {
      tour(11, "Around the lake", "Walk", today, 6200, 85, 40, 2, 3),
      tour(12, "Eagle Peak", "Hike", last_month - 2, 14800, 330, 1120, 1, 5),
      tour(13, "River path", "Ride", last_month - 5, 42500, 150, 210, 3, 4),
      tour(14, "Old mill", "Walk", last_month, 4900, 70, 25, 2, 2),
      tour(15, "Ridge trail", "Hike", last_month - 9, 18300, 390, 870, 1, 4),
      tour(16, "Valley loop", "Ride", last_month - 14, 61000, 225, 540, 3, 4),
      tour(17, "Lake and peak", "Hike", last_month - 40, 21500, 480, 1310, 1, 5),
    }
    prefs.unit = "km"
    prefs.kind = "Hike"
    prefs.ask = true
    prefs.goal = 100000
  end,
}

local KINDS = { "Walk", "Hike", "Ride" }
local ORDERS = { "Newest first", "Longest first", "Name" }
local STARS = { "No rating", "★", "★★", "★★★", "★★★★", "★★★★★" }
local MAX_TOURS, MAX_GEAR = 150, 20

local function today() return now() // 86400000 end
local function day_text(day) return date(day * 86400000, "%Y-%m-%d") end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function tour_of(id) return by_id(storage.tours, id) end
local function gear_of(id) return by_id(storage.gear, id) end

local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end

-- ---- numbers ----

local function metres() return prefs.unit == "mi" and 1609.344 or 1000 end
local function distance(m) return format("%.1f %s", m / metres(), prefs.unit) end
local function distance_field(m) return format("%.1f", m / metres()) end
local function height(m) return prefs.unit == "mi" and format("%d ft", math.floor(m / 0.3048 + 0.5)) or format("%d m", m) end
local function height_unit() return prefs.unit == "mi" and "ft" or "m" end
local function height_field(m) return (height(m):match("%d+")) end
local function duration(min) return format("%d:%02d h", min // 60, min % 60) end

local function pace(tour)
  local seconds = math.floor(tour.min * 60 * metres() / tour.m + 0.5)
  return format("%d:%02d min/%s", seconds // 60, seconds % 60, prefs.unit)
end

local function sum(tours, what)
  local n = 0
  for _, t in ipairs(tours) do n = n + t[what] end
  return n
end

local function live() return filter(storage.tours, function(t) return not t.trashed end) end

local function sorted(tours, order)
  local list = copy(tours)
  table.sort(list, function(a, b)
    if order == 2 and a.m ~= b.m then return a.m > b.m end
    if order == 3 and a.name:lower() ~= b.name:lower() then return a.name:lower() < b.name:lower() end
    if a.day ~= b.day then return a.day > b.day end
    return a.id > b.id
  end)
  return list
end

-- Months are counted: year * 12 + month - 1.
local function month_of(day)
  return tonumber(date(day * 86400000, "%Y")) * 12 + tonumber(date(day * 86400000, "%m")) - 1
end
local function month_text(month) return format("%04d-%02d", month // 12, month % 12 + 1) end

local function in_month(tours, month)
  return filter(tours, function(t)
    if bug("month_last_day") and month_of(t.day + 1) ~= month then return false end
    return month_of(t.day) == month
  end)
end

local function gear_tours(gear) return filter(live(), function(t) return t.gear == gear.id end) end
local function gear_distance(gear)
  local used = bug("gear_counts_trash") and filter(storage.tours, function(t) return t.gear == gear.id end) or gear_tours(gear)
  return gear.start + sum(used, "m")
end

-- ---- deleting ----

local function trash(self, tours)
  local ids = each(tours, function(t) return t.id end)
  for _, t in ipairs(tours) do t.trashed = true end
  self:snackbar(plural(#ids, "tour") .. " deleted", "Undo", function()
    for _, t in ipairs(storage.tours) do if index_of(ids, t.id) then t.trashed = nil end end
  end)
end

local function ask_trash(self, tours, go)
  if not prefs.ask then return go() end
  self:dialog { title = "Delete " .. (#tours == 1 and tours[1].name or plural(#tours, "tour")) .. "?", cancel = "Cancel", ok = "Delete", on_ok = go }
end

local function trash_result(self, data)
  local tour = data and data.trash and tour_of(data.trash)
  if tour then trash(self, { tour }) end
end

local function tour_row(t, mark)
  return column { id = "tour_row", selected = mark,
    text { (mark and "✓ " or "") .. t.name, id = "name" },
    text { day_text(t.day) .. " · " .. t.kind .. " · " .. distance(t.m) .. " · " .. duration(t.min), id = "facts", size = "small" } }
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.query, self.searching, self.kind, self.order = saved.query or "", saved.searching, saved.kind or 1, saved.order or 1
    self.chosen = saved.chosen
  end,
  save = function(self, out)
    out.query, out.searching, out.kind, out.order, out.chosen = self.query, self.searching, self.kind, self.order, self.chosen
  end,
  resume = function(self) self:tidy() end,
  result = function(self, request, data) trash_result(self, data) end,
  back = function(self)
    if self.chosen then self.chosen = nil return true end
    if self.searching then self:end_search() return true end
    return false
  end,

  end_search = function(self)
    self.searching, self.query = nil, ""
    self:set_text("query", "")
    self:hide_keyboard()
  end,
  of_kind = function(self) return filter(live(), function(t) return self.kind == 1 or t.kind == KINDS[self.kind - 1] end) end,
  shown = function(self)
    local q = trim(self.query):lower()
    return sorted(filter(self:of_kind(), function(t)
      return q == "" or contains(t.name:lower(), q) or contains(t.note:lower(), q)
    end), self.order)
  end,

  tidy = function(self)
    if not self.chosen then return end
    local shown = each(self:shown(), function(t) return t.id end)
    self.chosen = filter(self.chosen, function(id) return index_of(shown, id) end)
    if #self.chosen == 0 then self.chosen = nil end
  end,
  choose = function(self, tour)
    self.chosen = self.chosen or {}
    local i = index_of(self.chosen, tour.id)
    if i then table.remove(self.chosen, i) else table.insert(self.chosen, tour.id) end
    self:tidy()
  end,
  chosen_tours = function(self) return each(self.chosen, tour_of) end,

  -- One tour out of several: begun with the first of them, everything added up.
  merge = function(self)
    local parts = self:chosen_tours()
    table.sort(parts, function(a, b) if a.day ~= b.day then return a.day < b.day end return a.id < b.id end)
    local whole = copy(parts[1])
    whole.id, whole.m, whole.min = new_id(), sum(parts, "m"), sum(parts, "min")
    if not bug("merge_climb") then whole.climb = sum(parts, "climb") end
    for _, t in ipairs(parts) do forget(storage.tours, t) end
    table.insert(storage.tours, whole)
    self.chosen = nil
    self:snackbar(plural(#parts, "tour") .. " merged", "Undo", function()
      local now_there = tour_of(whole.id)
      if not now_there then return end
      forget(storage.tours, now_there)
      for _, t in ipairs(parts) do
        if t.gear and not gear_of(t.gear) then t.gear = nil end
        table.insert(storage.tours, t)
      end
    end)
  end,

  ask_kind = function(self)
    self:dialog { title = "Change to", items = KINDS, on_item = function(i)
      for _, t in ipairs(self:chosen_tours()) do t.kind = KINDS[i] end
      self.chosen = nil
    end }
  end,

  menu = function(self)
    if self.chosen then
      return {
        { "Select all", id = "select_all", on_click = function() self.chosen = each(self:shown(), function(t) return t.id end) end },
        { "Merge", id = "merge", enabled = #self.chosen > 1, on_click = function() self:merge() end },
        { "Change kind", id = "change_kind", on_click = function() self:ask_kind() end },
      }
    end
    return {
      { "Statistics", id = "stats", on_click = function() self:start("Stats") end },
      { "Goal", id = "goal", on_click = function() self:start("Goal") end },
      { "Gear", id = "gear", on_click = function() self:start("Gear") end },
      { "Trash", id = "trash", on_click = function() self:start("Trash") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    local shown = self:shown()
    local long = sum(bug("search_distance") and self:of_kind() or shown, "m")
    local bar = toolbar { "Hikes", actions = {
      { "Search", id = "search", on_click = function() if self.searching then self:end_search() else self.searching = true end end } } }
    if self.chosen then
      bar = toolbar { #self.chosen .. " selected", up = function() self.chosen = nil end, actions = {
        { "Delete", id = "delete_selected", on_click = function()
          local tours = self:chosen_tours()
          ask_trash(self, tours, function() trash(self, tours) self.chosen = nil end)
        end } } }
    end
    return column { bar,
      self.searching and field { id = "query", hint = "Search tours", text = self.query, max = 30, on_change = function(s) self.query = s self:tidy() end },
      row {
        spinner { id = "kind", items = { "All kinds", table.unpack(KINDS) }, selected = self.kind, weight = 1,
          on_change = function(i) self.kind = i self:tidy() end },
        spinner { id = "order", items = ORDERS, selected = self.order, weight = 1, on_change = function(i) self.order = i end },
      },
      text { plural(#shown, "tour") .. ", " .. distance(long), id = "summary", size = "small" },
      list { id = "tours", items = shown, empty = text { "No tours", id = "empty" },
        row = function(t) return tour_row(t, self.chosen and index_of(self.chosen, t.id) ~= nil) end,
        on_item_click = function(_, t)
          if self.chosen then self:choose(t) else self:start_for_result("Tour", "tour", { id = t.id }) end
        end,
        on_item_long_click = function(_, t) self:choose(t) end },
      not self.chosen and fab { id = "add", desc = "New tour", on_click = function() self:start("TourEdit") end },
    }
  end,
}

activity "Tour" {
  ask_stars = function(self, tour)
    local stars = tour.stars
    self:dialog { title = "How was it?", cancel = "Cancel", ok = "OK",
      view = function()
        return column { radios { id = "stars", items = STARS, selected = stars + 1, on_change = function(i)
          stars = i - 1
          if bug("rating_cancelled") then tour.stars = stars end
        end } }
      end,
      on_ok = function() tour.stars = stars end }
  end,

  ask_note = function(self, tour)
    self:dialog { title = "Note", cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "note_text", text = tour.note, hint = "Note", max = 120 } } end,
      on_ok = function() tour.note = trim(self:text("note_text")) end }
  end,

  menu = function(self)
    local tour = tour_of(self.intent.id)
    if not tour then return {} end
    return {
      { "Note", id = "edit_note", on_click = function() self:ask_note(tour) end },
      { "Repeat today", id = "again", on_click = function()
        if #storage.tours >= MAX_TOURS then return toast("The log is full") end
        local again = copy(tour)
        again.id, again.day, again.stars, again.note = new_id(), today(), 0, ""
        table.insert(storage.tours, again)
        toast("Added for today")
      end },
      { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
      { "Delete", id = "delete", on_click = function() ask_trash(self, { tour }, function() self:finish { trash = tour.id } end) end },
    }
  end,

  view = function(self)
    local tour = tour_of(self.intent.id)
    if not tour or tour.trashed then return column { toolbar { "Tour", up = true }, text { "This tour is gone", id = "gone" } } end
    return column {
      toolbar { tour.name, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("TourEdit", { id = tour.id }) end } } },
      scroll {
        text { tour.kind .. ", " .. day_text(tour.day), id = "day" },
        text { "Distance: " .. distance(tour.m), id = "distance" },
        text { "Time: " .. duration(tour.min), id = "time" },
        text { "Pace: " .. pace(tour), id = "pace" },
        text { "Climb: " .. height(tour.climb), id = "climb" },
        text { "Gear: " .. (tour.gear and gear_of(tour.gear).name or "none"), id = "tour_gear" },
        row { text { STARS[tour.stars + 1], id = "stars_line", weight = 1 },
          button { "Rate", id = "rate", on_click = function() self:ask_stars(tour) end } },
        tour.note ~= "" and text { tour.note, id = "note", size = "small" },
      },
    }
  end,
}

activity "TourEdit" {
  create = function(self, intent, saved)
    local t = intent.id and tour_of(intent.id)
    self.first = { name = t and t.name or "", dist = t and distance_field(t.m) or "", min = t and tostring(t.min) or "",
      climb = t and height_field(t.climb) or "" }
    self.start = { kind = t and t.kind or prefs.kind, gear = t and t.gear, day = t and t.day or intent.day or today() }
    if not t and intent.day and bug("kind_from_stats") then self.start.kind = "Hike" end
    local from = saved or self.start
    self.kind, self.gear, self.day = from.kind, from.gear, from.day
  end,
  save = function(self, out) out.kind, out.gear, out.day = self.kind, self.gear, self.day end,

  dirty = function(self)
    for id, old in pairs(self.first) do if self:text(id) ~= old then return true end end
    return self.kind ~= self.start.kind or self.gear ~= self.start.gear or self.day ~= self.start.day
  end,
  leave = function(self)
    if not self:dirty() then return self:finish() end
    self:dialog { title = "Discard changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
  end,
  back = function(self) self:leave() return true end,

  -- What is retired is not offered, unless this tour was made with it.
  offered = function(self)
    return filter(storage.gear, function(g) return not g.retired or g.id == self.start.gear or bug("retired_offered") end)
  end,

  store = function(self)
    local name, dist, min = trim(self:text("name")), tonumber(self:text("dist")), tonumber(self:text("min"))
    local climb = tonumber(self:text("climb")) or 0
    if name == "" then return toast("Give it a name") end
    if not dist or dist < 0.1 or dist > 500 then return toast("How far was it?") end
    if not min or min < 1 then return toast("How long did it take?") end
    local tour = self.intent.id and tour_of(self.intent.id)
    local unit = bug("edit_in_miles") and tour and 1000 or metres()
    local m = math.floor(dist * unit + 0.5)
    if tour and self:text("dist") == self.first.dist and unit == metres() then m = tour.m end
    if not tour then
      if self.intent.id then toast("The tour is gone") return self:finish() end
      if #storage.tours >= MAX_TOURS then return toast("The log is full") end
      tour = { id = new_id(), stars = 0, note = "" }
      table.insert(storage.tours, tour)
    end
    if not tour.climb or self:text("climb") ~= self.first.climb then
      tour.climb = math.floor(climb * (prefs.unit == "mi" and 0.3048 or 1) + 0.5)
    end
    tour.name, tour.m, tour.min = name, m, min
    tour.kind, tour.gear, tour.day = self.kind, self.gear, self.day
    self:finish()
  end,

  view = function(self)
    local offered = self:offered()
    local at = self.gear and index_of(offered, gear_of(self.gear)) or 0
    return column {
      toolbar { self.intent.id and "Edit tour" or "New tour", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = self.first.name, max = 40 },
        row {
          spinner { id = "kind", items = KINDS, selected = index_of(KINDS, self.kind), weight = 1, on_change = function(i) self.kind = KINDS[i] end },
          spinner { id = "gear", items = { "No gear", table.unpack(each(offered, function(g) return g.name end)) }, selected = at + 1, weight = 1,
            on_change = function(i) self.gear = i > 1 and offered[i - 1].id or nil end },
        },
        row {
          button { "Earlier", id = "earlier", on_click = function() self.day = self.day - 1 end },
          text { day_text(self.day), id = "day", weight = 1 },
          button { "Later", id = "later", enabled = self.day < today(), on_click = function() self.day = self.day + 1 end },
        },
        field { id = "dist", hint = "Distance in " .. prefs.unit, text = self.first.dist, input = "decimal", max = 6 },
        field { id = "min", hint = "Minutes", text = self.first.min, input = "number", max = 4 },
        field { id = "climb", hint = "Climb in " .. height_unit(), text = self.first.climb, input = "number", max = 5 },
      },
    }
  end,
}

activity "Stats" {
  create = function(self, intent, saved)
    self.tab, self.month = saved and saved.tab or 1, saved and saved.month or month_of(today())
  end,
  save = function(self, out) out.tab, out.month = self.tab, self.month end,
  result = function(self, request, data) trash_result(self, data) end,

  month_page = function(self)
    local tours = sorted(in_month(live(), self.month), 1)
    return column { weight = 1,
      row {
        button { "Previous", id = "previous", on_click = function() self.month = self.month - 1 end },
        text { month_text(self.month), id = "month", weight = 1 },
        button { "Next", id = "next", enabled = self.month < month_of(today()), on_click = function() self.month = self.month + 1 end },
      },
      text { plural(#tours, "tour") .. ", " .. distance(sum(tours, "m")), id = "month_distance" },
      text { duration(sum(tours, "min")) .. ", " .. height(sum(tours, "climb")) .. " up", id = "month_time" },
      list { id = "tours", items = tours, row = function(t) return tour_row(t) end, empty = text { "No tours", id = "empty" },
        on_item_click = function(_, t) self:start_for_result("Tour", "tour", { id = t.id }) end },
      fab { id = "add", desc = "New tour", on_click = function() self:start("TourEdit", { day = today() }) end },
    }
  end,

  kinds_page = function(self)
    return column { weight = 1,
      text { plural(#live(), "tour") .. ", " .. distance(sum(live(), "m")), id = "all_distance" },
      list { id = "kinds", items = KINDS, row = function(kind)
        local tours = filter(live(), function(t) return t.kind == kind end)
        return row { id = "kind_row", text { kind .. ": " .. plural(#tours, "tour"), id = "kind_tours", weight = 1 },
          text { distance(sum(tours, "m")), id = "kind_distance" } }
      end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Statistics", up = true },
      tabs { id = "tabs", titles = { "Months", "Kinds" }, selected = self.tab, on_change = function(i) self.tab = i end },
      self.tab == 1 and self:month_page() or self:kinds_page(),
    }
  end,
}

activity "Goal" {
  view = function(self)
    local done = sum(filter(live(), function(t) return month_of(t.day) == month_of(today()) end), "m")
    local shown = math.floor(prefs.goal / metres() + 0.5)
    return column {
      toolbar { "Goal", up = true },
      text { "Goal for " .. month_text(month_of(today())) .. ": " .. shown .. " " .. prefs.unit, id = "goal_line" },
      slider { id = "goal", min = 10, max = 300, step = 10, value = shown, on_change = function(v) prefs.goal = math.floor(v * metres() + 0.5) end },
      text { "So far " .. distance(done) .. ", " .. done * 100 // prefs.goal .. " %", id = "so_far" },
      progress { id = "bar", value = math.min(done, prefs.goal), max = prefs.goal },
      text { done >= prefs.goal and "You made it" or distance(prefs.goal - done) .. " to go", id = "to_go" },
    }
  end,
}

activity "Gear" {
  ask_new = function(self)
    self:dialog { title = "New gear", cancel = "Cancel", ok = "Add",
      view = function() return column { field { id = "gear_name", hint = "Name", max = 30 } } end,
      on_ok = function()
        local name = trim(self:text("gear_name"))
        if name == "" then toast("Give it a name") return true end
        if #storage.gear >= MAX_GEAR then return toast("Too much gear") end
        table.insert(storage.gear, { id = new_id(), name = name, start = 0 })
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Gear", up = true },
      list { id = "gear_list", items = storage.gear, empty = text { "No gear", id = "empty" },
        row = function(g)
          return column { id = "gear_row", text { g.name .. (g.retired and " (retired)" or ""), id = "name" },
            text { distance(gear_distance(g)), id = "gear_distance", size = "small" } }
        end,
        on_item_click = function(_, g) self:start("GearItem", { id = g.id }) end },
      fab { id = "add_gear", desc = "New gear", on_click = function() self:ask_new() end },
    }
  end,
}

activity "GearItem" {
  result = function(self, request, data) trash_result(self, data) end,
  ask_name = function(self, gear)
    self:dialog { title = "Rename", cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "gear_name", hint = "Name", text = gear.name, max = 30 } } end,
      on_ok = function()
        local name = trim(self:text("gear_name"))
        if name == "" then toast("Give it a name") return true end
        gear.name = name
      end }
  end,
  ask_delete = function(self, gear)
    self:dialog { title = "Delete " .. gear.name .. "?", message = "Its tours are kept", cancel = "Cancel", ok = "Delete", on_ok = function()
      for _, t in ipairs(storage.tours) do if t.gear == gear.id then t.gear = nil end end
      forget(storage.gear, gear)
      self:finish()
    end }
  end,
  menu = function(self)
    local gear = gear_of(self.intent.id)
    if not gear then return {} end
    return {
      { "Rename", id = "rename", on_click = function() self:ask_name(gear) end },
      { "Delete", id = "delete_gear", on_click = function() self:ask_delete(gear) end },
    }
  end,
  view = function(self)
    local gear = gear_of(self.intent.id)
    if not gear then return column { toolbar { "Gear", up = true }, text { "This is gone", id = "gone" } } end
    local tours = sorted(gear_tours(gear), 1)
    return column {
      toolbar { gear.name, up = true },
      text { distance(gear_distance(gear)) .. ", of this " .. distance(gear.start) .. " before", id = "total" },
      switch { "Retired", id = "retired", checked = gear.retired == true, on_change = function(b) gear.retired = b end },
      list { id = "tours", items = tours, row = function(t) return tour_row(t) end, empty = text { "Not used yet", id = "empty" },
        on_item_click = function(_, t) self:start_for_result("Tour", "tour", { id = t.id }) end },
    }
  end,
}

activity "Trash" {
  view = function(self)
    local gone = sorted(filter(storage.tours, function(t) return t.trashed end), 1)
    return column {
      toolbar { "Trash", up = true, actions = { { "Empty", id = "empty_trash", on_click = function()
        self:dialog { title = "Empty the trash?", cancel = "Cancel", ok = "Empty", on_ok = function() storage.tours = live() end }
      end } } },
      list { id = "trashed", items = gone, row = function(t) return tour_row(t) end, empty = text { "The trash is empty", id = "empty" },
        on_item_click = function(_, t)
          self:popup {
            { "Restore", id = "restore", on_click = function() t.trashed = nil toast(t.name .. " restored") end },
            { "Delete for good", id = "delete_forever", on_click = function()
              ask_trash(self, { t }, function() forget(storage.tours, t) end)
            end },
          }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Units", size = "small" },
        radios { id = "unit", items = { "Kilometres", "Miles" }, selected = prefs.unit == "mi" and 2 or 1,
          on_change = function(i) prefs.unit = i == 2 and "mi" or "km" end },
        text { "New tours are", size = "small" },
        spinner { id = "default_kind", items = KINDS, selected = index_of(KINDS, prefs.kind), on_change = function(i) prefs.kind = KINDS[i] end },
        switch { "Ask before deleting", id = "ask", checked = prefs.ask, on_change = function(b) prefs.ask = b end },
      },
    }
  end,
}
