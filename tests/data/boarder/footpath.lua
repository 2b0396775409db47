-- Footpath: walking trails. Search, filter, sort, several at once, walks done, statistics, metric and imperial units.
--
-- A trail: { id, name, area, meters, ascent (meters), level = 1 .. 3, star = true or nil, note, walks = { milliseconds } }.
-- Lengths are kept in meters; what is shown and typed is in the units of the settings.

local LEVELS = { "Easy", "Medium", "Hard" }
local SORTS = { "Name", "Length", "Climb", "Last walked" }
local LIMITS = { 0, 5000, 10000, 20000 }
local DAY = 24 * 3600 * 1000
local BIN_SIZE = 5

app {
  package = "org.example.footpath",
  title = "Footpath",
  main = "Main",
  bugs = { "select_all_hidden", "length_as_text", "typed_miles", "restore_unstars", "rotation_drops_filter", "row_menu_unfiltered",
    "time_by_units", "cancelled_filter" },
  application = function()
    if storage.trails then return end
    local t = now()
    storage.trails = {
      { id = 1, name = "Heron Marsh", area = "Lowlands", meters = 4200, ascent = 20, level = 1, star = true, walks = { t - 40 * DAY, t - 9 * DAY } },
      { id = 2, name = "Ridge of Crows", area = "High Fells", meters = 17600, ascent = 940, level = 3, walks = { t - 33 * DAY } },
      { id = 3, name = "Old Quarry", area = "High Fells", meters = 8300, ascent = 310, level = 2, star = true, note = "Slippery when wet", walks = {} },
      { id = 4, name = "Mill Stream", area = "Lowlands", meters = 6100, ascent = 60, level = 1, walks = { t - 3 * DAY } },
      { id = 5, name = "Abbey Round", area = "Coast", meters = 11400, ascent = 220, level = 2, walks = { t - 70 * DAY } },
      { id = 6, name = "Three Lochs", area = "High Fells", meters = 24800, ascent = 1150, level = 3, walks = {} },
      { id = 7, name = "Dune Path", area = "Coast", meters = 9700, ascent = 90, level = 1, star = true, walks = { t - 20 * DAY, t - 19 * DAY } },
    }
    storage.bin = {}
    storage.next_id = 8
    prefs.imperial = false
    prefs.pace = 4                                     -- kilometers an hour
  end,
}

local function trail_of(id) return find(storage.trails, function(t) return t.id == id end) end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function length_text(meters)
  if prefs.imperial then return format("%.1f mi", meters / 1609.344) end
  return format("%.1f km", meters / 1000)
end

local function climb_text(meters)
  if prefs.imperial then return format("%d ft", math.floor(meters * 3.28084 + 0.5)) end
  return meters .. " m"
end

-- An hour for each 600 meters of climb, besides the way; to five minutes.
local function time_text(t)
  local hours = t.meters / 1000 / prefs.pace + t.ascent / 600
  if bug("time_by_units") and prefs.imperial then hours = t.meters / 1609.344 / prefs.pace + t.ascent / 600 end
  local minutes = math.floor(hours * 12 + 0.5) * 5
  return format("%d:%02d h", minutes // 60, minutes % 60)
end

local function last_walk(t) return t.walks[#t.walks] or 0 end

-- The bin holds the last five.
local function throw_away(t)
  local at = index_of(storage.trails, t)
  if not at then return end
  table.remove(storage.trails, at)
  table.insert(storage.bin, 1, t)
  while #storage.bin > BIN_SIZE do table.remove(storage.bin) end
end

local function restore(t)
  local at = index_of(storage.bin, t)
  if not at then return end
  table.remove(storage.bin, at)
  if bug("restore_unstars") then t.star = nil end
  table.insert(storage.trails, t)
end

-- ---- the list ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.sort, self.query = saved.tab or 1, saved.sort or 1, saved.query or ""
    self.filter = saved.filter or { limit = 1 }
    self.chosen = saved.chosen
  end,
  save = function(self, out)
    out.tab, out.sort, out.query, out.chosen = self.tab, self.sort, self.query, self.chosen
    if not bug("rotation_drops_filter") then out.filter = self.filter end
  end,
  result = function(self, request, data)
    if request == "filter" and data then self.filter = data end
  end,
  back = function(self)
    if not self.chosen then return false end
    self.chosen = nil
    return true
  end,

  filtered = function(self) return self.filter.level or self.filter.limit > 1 end,

  sorted = function(self, trails)
    local function longer(a, b)
      if bug("length_as_text") then return length_text(a.meters) > length_text(b.meters) end
      return a.meters > b.meters
    end
    if self.sort == 1 then table.sort(trails, function(a, b) return a.name < b.name end) end
    if self.sort == 2 then table.sort(trails, longer) end
    if self.sort == 3 then table.sort(trails, function(a, b) return a.ascent > b.ascent end) end
    if self.sort == 4 then table.sort(trails, function(a, b) return last_walk(a) > last_walk(b) end) end
    return trails
  end,

  in_tab = function(self) return filter(storage.trails, function(t) return self.tab == 1 or t.star end) end,

  shown = function(self)
    local query, limit = self.query:lower(), LIMITS[self.filter.limit]
    return self:sorted(filter(self:in_tab(), function(t)
      return contains((t.name .. " " .. t.area):lower(), query) and (not self.filter.level or t.level == self.filter.level)
        and (limit == 0 or t.meters <= limit)
    end))
  end,

  choose = function(self, t)
    local at = index_of(self.chosen, t.id)
    if at then table.remove(self.chosen, at) else table.insert(self.chosen, t.id) end
    if #self.chosen == 0 then self.chosen = nil end
  end,
  choose_all = function(self)
    local all = bug("select_all_hidden") and self:sorted(self:in_tab()) or self:shown()
    self.chosen = each(all, function(t) return t.id end)
  end,
  for_chosen = function(self, fn)
    for _, id in ipairs(self.chosen) do
      local t = trail_of(id)
      if t then fn(t) end
    end
    self.chosen = nil
  end,
  delete_chosen = function(self)
    self:dialog { title = "Delete " .. plural(#self.chosen, "trail") .. "?", cancel = "Cancel", ok = "Delete",
      on_ok = function() self:for_chosen(throw_away) end }
  end,

  row_menu = function(self, i)
    local trails = bug("row_menu_unfiltered") and self:sorted(self:in_tab()) or self:shown()
    local t = trails[i]
    if not t then return end
    self:popup {
      { "Walked today", id = "walked", on_click = function()
        table.insert(t.walks, now())
        toast(t.name .. ": " .. plural(#t.walks, "walk"))
      end },
      { t.star and "Unstar" or "Star", id = "toggle_star", on_click = function() t.star = not t.star or nil end },
      { "Delete", id = "delete_row", on_click = function()
        throw_away(t)
        self:snackbar(t.name .. " is in the bin", "Undo", function() restore(t) end)
      end },
    }
  end,

  menu = function(self)
    return {
      { "Sort", id = "sort", on_click = function()
        self:dialog { title = "Sort by", items = SORTS, checked = self.sort, on_item = function(i) self.sort = i end }
      end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Bin", id = "bin", on_click = function() self:start("Bin") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  bar = function(self)
    if not self.chosen then
      return toolbar { "Footpath", subtitle = self:filtered() and "Filtered" or nil, actions = {
        { "Filter", id = "filter", on_click = function() self:start_for_result("Filter", "filter", self.filter) end },
        { "New trail", id = "add", on_click = function() self:start("Edit") end } } }
    end
    return toolbar { #self.chosen .. " selected", up = function() self.chosen = nil end, menu = {}, actions = {
      { "Select all", id = "select_all", on_click = function() self:choose_all() end },
      { "Star selected", id = "star_selected", on_click = function() self:for_chosen(function(t) t.star = true end) end },
      { "Delete selected", id = "delete_selected", on_click = function() self:delete_chosen() end } } }
  end,

  view = function(self)
    local stars = #filter(storage.trails, function(t) return t.star end)
    return column {
      self:bar(),
      tabs { id = "pages", titles = { "All " .. #storage.trails, "Starred " .. stars }, selected = self.tab, on_change = function(i)
        self.tab, self.chosen = i, nil
      end },
      field { id = "query", hint = "Search trails", text = self.query, max = 30, on_change = function(s) self.query, self.chosen = trim(s), nil end },
      list { id = "trails", items = self:shown(), empty = text { "No such trail", id = "empty" },
        row = function(t, i)
          local mark = self.chosen and (index_of(self.chosen, t.id) and "☑ " or "☐ ") or ""
          return row {
            column { weight = 1,
              text { mark .. t.name .. (t.star and " ★" or ""), id = "trail" },
              text { length_text(t.meters) .. ", " .. LEVELS[t.level] .. ", " .. t.area, id = "facts", size = "small" } },
            not self.chosen and image_button { id = "row_menu", desc = "More about " .. t.name, on_click = function() self:row_menu(i) end },
          }
        end,
        on_item_click = function(_, t)
          if self.chosen then return self:choose(t) end
          self:start("Trail", { id = t.id })
        end,
        on_item_long_click = function(_, t)
          self.chosen = self.chosen or {}
          self:choose(t)
        end },
    }
  end,
}

activity "Filter" {
  create = function(self, intent, saved)
    self.level = saved and saved.level or not saved and intent.level or nil
    self.limit = saved and saved.limit or intent.limit or 1
  end,
  save = function(self, out) out.level, out.limit = self.level, self.limit end,
  view = function(self)
    local function choice() return { level = self.level, limit = self.limit } end
    return column {
      toolbar { "Filter", up = true },
      text { "Level", id = "level_label", size = "small" },
      radios { id = "level", items = { "Any", "Easy", "Medium", "Hard" }, selected = (self.level or 0) + 1,
        on_change = function(i) self.level = i > 1 and i - 1 or nil end },
      text { "No longer than", id = "limit_label", size = "small" },
      spinner { id = "limit", selected = self.limit, on_change = function(i) self.limit = i end,
        items = each(LIMITS, function(m) return m == 0 and "Any length" or length_text(m) end) },
      row {
        button { "Cancel", id = "cancel", on_click = function() self:finish(bug("cancelled_filter") and choice() or nil) end },
        button { "Reset", id = "reset", on_click = function() self.level, self.limit = nil, 1 end },
        button { "Apply", id = "apply", on_click = function() self:finish(choice()) end },
      },
    }
  end,
}

-- ---- one trail ----

activity "Trail" {
  ask_walk = function(self, t)
    local days = { "Today", "Yesterday", "A week ago" }
    self:dialog { title = "Walked when?", items = days, on_item = function(i)
      table.insert(t.walks, now() - ({ 0, 1, 7 })[i] * DAY)
      table.sort(t.walks)
    end }
  end,
  menu = function(self)
    local t = trail_of(self.intent.id)
    if not t then return {} end
    return {
      { "Edit", id = "edit", on_click = function() self:start("Edit", { id = t.id }) end },
      { "Delete", id = "delete", on_click = function()
        throw_away(t)
        self:finish()
      end },
      { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
    }
  end,
  view = function(self)
    local t = trail_of(self.intent.id)
    if not t then return column { toolbar { "Trail", up = true }, text { "In the bin", id = "gone" } } end
    return column {
      toolbar { t.name, up = true, subtitle = t.area, actions = {
        { t.star and "Unstar" or "Star", id = "star", on_click = function() t.star = not t.star or nil end } } },
      text { "Length: " .. length_text(t.meters), id = "length" },
      text { "Climb: " .. climb_text(t.ascent), id = "climb" },
      text { "Time: " .. time_text(t), id = "time" },
      text { "Level: " .. LEVELS[t.level], id = "level" },
      t.note and text { t.note, id = "note", size = "small" },
      button { "I walked this", id = "add_walk", on_click = function() self:ask_walk(t) end },
      text { plural(#t.walks, "walk"), id = "walk_count" },
      list { id = "walks", items = t.walks, empty = text { "Not walked yet", id = "no_walks" },
        row = function(ms) return text { date(ms, "%Y-%m-%d"), id = "walk" } end,
        on_item_long_click = function(i)
          self:dialog { title = "Forget this walk?", cancel = "Cancel", ok = "Forget", on_ok = function() table.remove(t.walks, i) end }
        end },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local t = intent.id and trail_of(intent.id)
    self.level = saved and saved.level or t and t.level or 1
  end,
  save = function(self, out) out.level = self.level end,
  first_length = function(self, t) return length_text(t.meters):match("^[%d.]+") end,
  first_climb = function(self, t) return climb_text(t.ascent):match("^%d+") end,
  store = function(self)
    local t = self.intent.id and trail_of(self.intent.id)
    local name, length, climb = trim(self:text("name")), tonumber(self:text("length")), tonumber(self:text("climb")) or 0
    if name == "" then return toast("What is it called?") end
    if not length or length <= 0 or length > 200 then return toast("How long is it?") end
    if climb > 20000 then return toast("So high?") end
    local per_length, per_climb = 1000, 1
    if prefs.imperial then per_length, per_climb = 1609.344, 0.3048 end
    if bug("typed_miles") then per_length = 1000 end
    local fresh = t or { id = storage.next_id, walks = {} }
    if not t then
      storage.next_id = storage.next_id + 1
      table.insert(storage.trails, fresh)
    end
    local note, area = trim(self:text("note")), trim(self:text("area"))
    fresh.name, fresh.area, fresh.level, fresh.note = name, area ~= "" and area or "Elsewhere", self.level, note ~= "" and note or nil
    if not t or self:text("length") ~= self:first_length(t) then fresh.meters = math.floor(length * per_length + 0.5) end
    if not t or self:text("climb") ~= self:first_climb(t) then fresh.ascent = math.floor(climb * per_climb + 0.5) end      -- untouched, it stays exact
    self:finish()
  end,
  view = function(self)
    local t = self.intent.id and trail_of(self.intent.id) or {}
    local length, climb = t.id and self:first_length(t) or "", t.id and self:first_climb(t) or ""
    return column {
      toolbar { t.id and "Edit trail" or "New trail", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = t.name or "", max = 30 },
        field { id = "area", hint = "Area", text = t.area or "", max = 20 },
        field { id = "length", hint = prefs.imperial and "Length in miles" or "Length in kilometers", text = length, input = "decimal", max = 6 },
        field { id = "climb", hint = prefs.imperial and "Climb in feet" or "Climb in meters", text = climb, input = "number", max = 5 },
        field { id = "note", hint = "Note", text = t.note or "", input = "multiline", max = 100 },
        spinner { id = "level", items = LEVELS, selected = self.level, on_change = function(i) self.level = i end },
      },
    }
  end,
}

-- ---- statistics, bin, settings ----

activity "Statistics" {
  view = function(self)
    local walks, meters, ascent, areas, longest = 0, 0, 0, {}, nil
    for _, t in ipairs(storage.trails) do                               -- what is in the bin does not count
      walks, meters, ascent = walks + #t.walks, meters + #t.walks * t.meters, ascent + #t.walks * t.ascent
      if #t.walks > 0 then
        areas[t.area] = (areas[t.area] or 0) + #t.walks
        if not longest or t.meters > longest.meters then longest = t end
      end
    end
    local names = {}
    for name in pairs(areas) do table.insert(names, name) end
    return column {
      toolbar { "Statistics", up = true },
      text { plural(walks, "walk"), id = "walks", size = "large" },
      text { "Walked: " .. length_text(meters), id = "walked" },
      text { "Climbed: " .. climb_text(ascent), id = "climbed" },
      longest and text { "Longest: " .. longest.name .. ", " .. length_text(longest.meters), id = "longest" },
      list { id = "areas", items = names, empty = text { "No walks yet", id = "empty" },
        row = function(name)
          return column { text { name .. ": " .. plural(areas[name], "walk"), id = "area" }, progress { value = areas[name], max = walks } }
        end },
    }
  end,
}

activity "Bin" {
  view = function(self)
    return column {
      toolbar { "Bin", up = true, subtitle = "The last " .. BIN_SIZE },
      list { id = "bin_list", items = storage.bin, empty = text { "Empty", id = "empty" },
        row = function(t) return text { t.name .. (t.star and " ★" or ""), id = "trail" } end,
        on_item_click = function(_, t)
          self:dialog { title = t.name, items = { "Restore", "Delete for ever" }, on_item = function(i)
            if i == 1 then return restore(t) end
            local at = index_of(storage.bin, t)
            if at then table.remove(storage.bin, at) end
          end }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Miles and feet", id = "imperial", checked = prefs.imperial, on_change = function(b) prefs.imperial = b end },
      text { "Pace on the flat: " .. prefs.pace .. " km an hour", id = "pace_label" },
      slider { id = "pace", min = 2, max = 7, step = 1, value = prefs.pace, on_change = function(v) prefs.pace = v end },
      text { "The pace is always in kilometers.", id = "hint", size = "small" },
    }
  end,
}
