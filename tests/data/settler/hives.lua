-- Apis: a beekeeper's log. A board of hives, three tabs for each hive, jobs, and the season's figures.

local DAY = 24 * 60 * 60 * 1000
local MOODS = { "Calm", "Nervous", "Fierce" }
local COLOURS = { [0] = "blue", "white", "yellow", "red", "green" }
local TABS = { "Log", "Honey", "Queen" }

app {
  package = "org.settler.hives",
  title = "Apis",
  main = "Board",
  bugs = { "seen_after_delete", "honey_edit_adds", "tab_turns_back", "blue_queens", "season_first_only", "job_old_name",
    "job_position", "unite_honey" },
  application = function()
    if storage.hives then return end
    storage.hives = {
      { id = 1, name = "Linden", queen = 2023, seen = now() - 6 * DAY },
      { id = 2, name = "Meadow", queen = 2024, seen = now() - 20 * DAY },
      { id = 3, name = "Orchard", queen = 2022, seen = now() - 9 * DAY },
    }
    storage.entries = {
      { id = 11, hive = 1, at = now() - 27 * DAY, frames = 4, mood = 1, note = "New foundation" },
      { id = 12, hive = 1, at = now() - 6 * DAY, frames = 6, mood = 1 },
      { id = 13, hive = 2, at = now() - 20 * DAY, frames = 3, mood = 3, note = "Drone brood" },
      { id = 14, hive = 3, at = now() - 30 * DAY, frames = 5, mood = 2 },
      { id = 15, hive = 3, at = now() - 9 * DAY, frames = 7, mood = 1, note = "Swarm cells" },
    }
    storage.honey = {
      { id = 21, hive = 1, kg = 8 }, { id = 22, hive = 1, kg = 5 }, { id = 23, hive = 3, kg = 11 },
    }
    storage.jobs = {
      { id = 31, what = "Feed", hive = 1, name = "Linden", done = true },
      { id = 32, what = "Check for mites", hive = 2, name = "Meadow" },
      { id = 33, what = "Add super", hive = 3, name = "Orchard" },
      { id = 34, what = "Replace floor", hive = 1, name = "Linden" },
    }
    storage.next_id = 40
    prefs.overdue = prefs.overdue or 14
  end,
}

local function new_id() storage.next_id = storage.next_id + 1 return storage.next_id end
local function by_id(rows, id) return find(rows, function(r) return r.id == id end) end
local function of_hive(rows, hive) return filter(rows, function(r) return r.hive == hive end) end
local function day(ms) return date(ms, "%Y-%m-%d") end

local function entries_of(hive)
  local rows = of_hive(storage.entries, hive)
  table.sort(rows, function(a, b) return a.at > b.at end)      -- the newest first
  return rows
end

local function update_seen(h)
  local newest = entries_of(h.id)[1]
  h.seen = newest and newest.at or nil
end

local function kilos(rows)
  local sum = 0
  for _, r in ipairs(rows) do sum = sum + r.kg end
  return sum
end

local function colour(year)
  local digit = year % 5
  if digit == 0 and bug("blue_queens") then return COLOURS[4] end
  return COLOURS[digit]
end

local function job_hive(job)
  if bug("job_old_name") then return job.name end
  local h = by_id(storage.hives, job.hive)
  return h and h.name or job.name
end

-- ---- the board ----

activity "Board" {
  ask_new = function(self)
    self:set_text("hive_name", "")
    self:dialog { title = "New hive", cancel = "Cancel", ok = "Add",
      view = function() return column { field { id = "hive_name", hint = "Name" } } end,
      on_ok = function()
        local name = trim(self:text("hive_name"))
        if name == "" then return true end
        table.insert(storage.hives, { id = new_id(), name = name, queen = 2024 })
      end }
  end,
  menu = function(self)
    return {
      { "Season", id = "season", on_click = function() self:start("Season") end },
      { "Queen colours", id = "colours", on_click = function() self:start("Colours") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local open = #filter(storage.jobs, function(j) return not j.done end)
    return column {
      toolbar { "Apis", subtitle = #storage.hives .. " hives" },
      grid { id = "hives", items = storage.hives, columns = 2, empty = text { "No hives", id = "empty" },
        row = function(h)
          local late = not h.seen or now() - h.seen > prefs.overdue * DAY
          return card {
            text { h.name, id = "hive_card", size = "large" },
            text { h.seen and "seen " .. day(h.seen) or "never seen", id = "seen", size = "small" },
            text { late and "needs a look" or "all right", id = "state", size = "small" },
          }
        end,
        on_item_click = function(_, h) self:start("Hive", { id = h.id }) end },
      button { "Jobs (" .. open .. " open)", id = "jobs", on_click = function() self:start("Jobs") end },
      fab { id = "add_hive", desc = "New hive", on_click = function() self:ask_new() end },
    }
  end,
}

-- ---- one hive ----

activity "Hive" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
  end,
  save = function(self, out)
    if not bug("tab_turns_back") then out.tab = self.tab end
  end,
  ask_rename = function(self, h)
    self:set_text("new_name", "")
    self:dialog { title = "Rename " .. h.name, cancel = "Cancel", ok = "Rename",
      view = function() return column { field { id = "new_name", hint = "New name" } } end,
      on_ok = function()
        local name = trim(self:text("new_name"))
        if name == "" then return true end
        h.name = name
      end }
  end,
  ask_unite = function(self, h)
    local others = filter(storage.hives, function(o) return o.id ~= h.id end)
    if #others == 0 then return toast("There is no other hive") end
    self:dialog { title = "Unite " .. h.name .. " with", items = each(others, function(o) return o.name end),
      on_item = function(i) self:unite(h, others[i]) end }
  end,
  -- everything goes to the other hive; its queen stays
  unite = function(self, h, other)
    for _, e in ipairs(storage.entries) do if e.hive == h.id then e.hive = other.id end end
    for _, j in ipairs(storage.jobs) do
      if j.hive == h.id then j.hive, j.name = other.id, other.name end
    end
    if bug("unite_honey") then
      storage.honey = filter(storage.honey, function(y) return y.hive ~= h.id end)
    else
      for _, y in ipairs(storage.honey) do if y.hive == h.id then y.hive = other.id end end
    end
    storage.hives = filter(storage.hives, function(o) return o.id ~= h.id end)
    update_seen(by_id(storage.hives, other.id))
    toast(h.name .. " is now part of " .. other.name)
    self:finish()
  end,
  ask_delete_entry = function(self, h, e)
    self:dialog { title = "Delete the entry of " .. day(e.at) .. "?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local _, i = by_id(storage.entries, e.id)
        if i then table.remove(storage.entries, i) end
        if not bug("seen_after_delete") then update_seen(by_id(storage.hives, h.id)) end
      end }
  end,
  ask_delete_honey = function(self, y)
    self:dialog { title = "Delete " .. y.kg .. " kg?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local _, i = by_id(storage.honey, y.id)
        if i then table.remove(storage.honey, i) end
      end }
  end,
  menu = function(self)
    local h = by_id(storage.hives, self.intent.id)
    return {
      { "Rename", id = "rename", on_click = function() self:ask_rename(h) end },
      { "Add a job", id = "add_job", on_click = function() self:ask_job(h) end },
      { "Unite with ...", id = "unite", on_click = function() self:ask_unite(h) end },
    }
  end,
  ask_job = function(self, h)
    local kinds = { "Feed", "Check for mites", "Add super", "Replace floor" }
    self:dialog { title = "Job for " .. h.name, items = kinds,
      on_item = function(_, what)
        table.insert(storage.jobs, { id = new_id(), what = what, hive = h.id, name = h.name })
        toast("Noted")
      end }
  end,
  content = function(self, h)
    if self.tab == 1 then
      return {
        list { id = "log", items = entries_of(h.id), empty = text { "No entries", id = "empty" },
          row = function(e)
            return column {
              text { day(e.at) .. "  " .. e.frames .. " frames, " .. MOODS[e.mood]:lower(), id = "entry_row" },
              e.note and text { e.note, id = "entry_note", size = "small" },
            }
          end,
          on_item_click = function(_, e) self:start("Inspect", { hive = h.id, id = e.id }) end,
          on_item_long_click = function(_, e) self:ask_delete_entry(h, e) end },
        button { "Inspect now", id = "inspect", on_click = function() self:start("Inspect", { hive = h.id }) end },
      }
    end
    if self.tab == 2 then
      local rows = of_hive(storage.honey, h.id)
      return {
        text { "In all " .. kilos(rows) .. " kg", id = "hive_total" },
        list { id = "honey", items = rows, empty = text { "No honey yet", id = "empty" },
          row = function(y, i) return text { "Harvest " .. i .. ": " .. y.kg .. " kg", id = "honey_row" } end,
          on_item_click = function(_, y) self:start("Harvest", { hive = h.id, id = y.id }) end,
          on_item_long_click = function(_, y) self:ask_delete_honey(y) end },
        button { "Harvest", id = "harvest", on_click = function() self:start("Harvest", { hive = h.id }) end },
      }
    end
    return {
      text { "Queen of " .. h.queen, id = "queen_year", size = "large" },
      text { "Marked " .. colour(h.queen), id = "queen_colour" },
      row {
        button { "Older", id = "older", on_click = function() h.queen = h.queen - 1 end },
        button { "Younger", id = "younger", on_click = function() h.queen = h.queen + 1 end },
      },
      button { "Colours", id = "see_colours", on_click = function() self:start("Colours") end },
    }
  end,
  view = function(self)
    local h = by_id(storage.hives, self.intent.id)
    if not h then return column { toolbar { "Hive", up = true }, text { "This hive was united with another", id = "gone" } } end
    return column {
      toolbar { h.name, up = true },
      tabs { id = "tabs", titles = TABS, selected = self.tab, on_change = function(i) self.tab = i end },
      self:content(h),
    }
  end,
}

activity "Inspect" {
  create = function(self, intent, saved)
    local e = intent.id and by_id(storage.entries, intent.id)
    self.frames = saved and saved.frames or e and e.frames or 5
    self.mood = saved and saved.mood or e and e.mood or 1
  end,
  save = function(self, out) out.frames, out.mood = self.frames, self.mood end,
  store = function(self, e)
    if not e then
      e = { id = new_id(), hive = self.intent.hive, at = now() }
      table.insert(storage.entries, e)
    end
    local note = trim(self:text("note"))
    e.frames, e.mood, e.note = self.frames, self.mood, note ~= "" and note or nil
    update_seen(by_id(storage.hives, e.hive))
    self:finish()
  end,
  view = function(self)
    local e = self.intent.id and by_id(storage.entries, self.intent.id)
    local h = by_id(storage.hives, self.intent.hive)
    return column {
      toolbar { e and "Entry of " .. day(e.at) or "Inspect", up = true, subtitle = h.name },
      scroll {
        text { "Brood on " .. self.frames .. " frames", id = "frames_text" },
        slider { id = "frames", min = 0, max = 12, step = 1, value = self.frames, on_change = function(v) self.frames = v end },
        radios { id = "mood", items = MOODS, selected = self.mood, on_change = function(i) self.mood = i end },
        field { id = "note", hint = "Note", text = e and e.note or "" },
        button { "Save", id = "save", on_click = function() self:store(e) end },
      },
    }
  end,
}

activity "Harvest" {
  create = function(self, intent, saved)
    local y = intent.id and by_id(storage.honey, intent.id)
    self.kg = saved and saved.kg or y and y.kg or 5
  end,
  save = function(self, out) out.kg = self.kg end,
  store = function(self, y)
    if y and not bug("honey_edit_adds") then
      y.kg = self.kg
    else
      table.insert(storage.honey, { id = new_id(), hive = self.intent.hive, kg = self.kg })
    end
    self:finish()
  end,
  view = function(self)
    local y = self.intent.id and by_id(storage.honey, self.intent.id)
    return column {
      toolbar { y and "Correct harvest" or "Harvest", up = true },
      text { self.kg .. " kg", id = "kg_text", size = "large" },
      row {
        button { "- 1 kg", id = "less", enabled = self.kg > 1, on_click = function() self.kg = self.kg - 1 end },
        button { "+ 1 kg", id = "more", on_click = function() self.kg = self.kg + 1 end },
      },
      button { "Save", id = "save_harvest", on_click = function() self:store(y) end },
    }
  end,
}

-- ---- jobs, season, colours, settings ----

activity "Jobs" {
  shown = function(self)
    return filter(storage.jobs, function(j) return not (prefs.hide_done and j.done) end)
  end,
  view = function(self)
    return column {
      toolbar { "Jobs", up = true, actions = { { prefs.hide_done and "Show done jobs" or "Hide done jobs", id = "hide_done",
        on_click = function() prefs.hide_done = not prefs.hide_done end } } },
      list { id = "job_list", items = self:shown(), empty = text { "Nothing to do", id = "empty" },
        row = function(j, i)
          return check { j.what .. " (" .. job_hive(j) .. ")", id = "job", checked = j.done or false,
            on_change = function(on)
              local job = bug("job_position") and storage.jobs[i] or j
              job.done = on
            end }
        end },
    }
  end,
}

activity "Season" {
  view = function(self)
    local total = 0
    each(storage.hives, function(h)
      local rows = of_hive(storage.honey, h.id)
      if bug("season_first_only") then total = total + (rows[1] and rows[1].kg or 0) else total = total + kilos(rows) end
    end)
    return column {
      toolbar { "Season", up = true },
      text { "Honey of all hives: " .. total .. " kg", id = "season_total", size = "large" },
      text { #storage.entries .. " inspections", id = "inspections" },
      list { id = "season_hives", items = storage.hives, empty = text { "No hives", id = "empty" },
        row = function(h)
          return text { h.name .. ": " .. kilos(of_hive(storage.honey, h.id)) .. " kg, " .. #of_hive(storage.entries, h.id) .. " inspections",
            id = "season_row" }
        end,
        on_item_click = function(_, h) self:start("Hive", { id = h.id }) end },
    }
  end,
}

activity "Colours" {
  view = function(self)
    return column {
      toolbar { "Queen colours", up = true },
      text { "The last digit of her year:", id = "colours_intro" },
      each({ "1 or 6: white", "2 or 7: yellow", "3 or 8: red", "4 or 9: green", "5 or 0: blue" },
        function(s) return text { s, id = "colour_row" } end),
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text { "A hive needs a look after " .. prefs.overdue .. " days", id = "overdue_text" },
      slider { id = "overdue", min = 5, max = 30, step = 1, value = prefs.overdue, on_change = function(v) prefs.overdue = v end },
      switch { "Hide done jobs", id = "hide_switch", checked = prefs.hide_done or false, on_change = function(on) prefs.hide_done = on end },
    }
  end,
}
