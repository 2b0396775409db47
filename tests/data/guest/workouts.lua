-- Workout Log: workouts made of sets, the exercises they are made of, what was lifted, in kilograms or pounds.
--
-- Weights are kept in grams. Warm-up sets never count in a total. Archived exercises are hidden where one chooses,
-- but what was logged with them stays.

local EXERCISES = { { "Squat", "Legs" }, { "Lunge", "Legs" }, { "Bench press", "Chest" }, { "Push-up", "Chest" }, { "Barbell row", "Back" },
  { "Pull-up", "Back", true } }
local WORKOUTS = {
  { "2024-02-27", "Felt strong", { { 1, 60, 8, true }, { 1, 100, 3 }, { 1, 90, 5 }, { 5, 55, 8 } } },
  { "2024-02-23", "", { { 3, 40, 10, true }, { 3, 62.5, 6 }, { 4, 0, 20 } } },
  { "2024-01-18", "Short one", { { 1, 80, 8 }, { 6, 0, 9 } } },
}

local refresh_best

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

app {
  package = "org.guest.workouts",
  title = "Workout Log",
  main = "Workouts",
  bugs = { "edit_lb", "repeat_shares", "best_stale", "exercise_rotate", "search_archived", "delete_sorted", "reps_forgotten",
    "group_moved" },
  application = function()
    if storage.workouts then return end
    storage.exercises = {}
    for i, e in ipairs(EXERCISES) do
      table.insert(storage.exercises, { id = i, name = e[1], group = e[2], archived = e[3] })
    end
    storage.next_id = #EXERCISES
    storage.workouts = {}
    for _, w in ipairs(WORKOUTS) do
      table.insert(storage.workouts, { id = new_id(), day = w[1], note = w[2], sets = each(w[3], function(s)
        return { id = new_id(), exercise = s[1], grams = math.floor(s[2] * 1000), reps = s[3], warm = s[4], group = EXERCISES[s[1]][2] }
      end) })
    end
    prefs.unit, prefs.reps, prefs.ask, prefs.notes, prefs.oldest = "kg", 8, true, true, false
    each(storage.exercises, refresh_best)
  end,
}

local GROUPS = { "Legs", "Chest", "Back", "Arms", "Other" }
local REPS = { 5, 8, 10, 12 }
local MONTHS = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" }
local MAX_WORKOUTS, MAX_SETS, MAX_EXERCISES = 60, 30, 40
local session_reps

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function exercise_of(id) return by_id(storage.exercises, id) end
local function workout_of(id) return by_id(storage.workouts, id) end

-- ---- units and days ----

local function in_unit(grams) return prefs.unit == "lb" and grams / 453.592 or grams / 1000 end
local function number_text(grams) return (format("%.1f", in_unit(grams)):gsub("%.0$", "")) end
local function weight_text(grams) return grams == 0 and "own weight" or number_text(grams) .. " " .. prefs.unit end
local function to_grams(number, unit) return math.floor(number * (unit == "lb" and 453.592 or 1000) + 0.5) end
local function total_text(grams) return format("%.0f %s", in_unit(grams), prefs.unit) end
local function count(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function set_text(s) return weight_text(s.grams) .. " x " .. s.reps .. (s.warm and " (warm-up)" or "") end

local function today() return date(now(), "%Y-%m-%d") end
local function day_text(day) return tonumber(day:sub(9)) .. " " .. MONTHS[tonumber(day:sub(6, 7))] .. " " .. day:sub(1, 4) end
local function days(day)   -- since some day long ago
  local y, m, d = tonumber(day:sub(1, 4)), tonumber(day:sub(6, 7)), tonumber(day:sub(9))
  if m < 3 then y, m = y - 1, m + 12 end
  return 365 * y + y // 4 - y // 100 + y // 400 + (153 * (m - 3) + 2) // 5 + d
end
local function is_day(s)
  local y, m, d = s:match("^(%d%d%d%d)%-(%d%d)%-(%d%d)$")
  y, m, d = tonumber(y), tonumber(m), tonumber(d)
  if not y or m < 1 or m > 12 or d < 1 or s > today() then return false end
  local long = m == 2 and ((y % 4 == 0 and y % 100 ~= 0 or y % 400 == 0) and 29 or 28) or (m == 4 or m == 6 or m == 9 or m == 11) and 30 or 31
  return d <= long
end

-- ---- what was lifted ----

local function lifted(w)
  local sum = 0
  for _, s in ipairs(w.sets) do
    if not s.warm then sum = sum + s.grams * s.reps end
  end
  return sum
end

local function sets_of(exercise)
  local list = {}
  for _, w in ipairs(storage.workouts) do
    for _, s in ipairs(w.sets) do
      if s.exercise == exercise.id then table.insert(list, { set = s, day = w.day }) end
    end
  end
  table.sort(list, function(a, b) return a.day > b.day end)
  return list
end

-- The heaviest working set; of equally heavy ones that with the most repetitions.
refresh_best = function(exercise)
  exercise.best = nil
  for _, x in ipairs(sets_of(exercise)) do
    local s, b = x.set, exercise.best
    if not s.warm and (not b or s.grams > b.grams or s.grams == b.grams and s.reps > b.reps) then
      exercise.best = { grams = s.grams, reps = s.reps }
    end
  end
end

local function clone(s)
  local twin = copy(s)
  twin.id = new_id()
  return twin
end

local function default_reps() return session_reps or prefs.reps end

local function sorted_workouts(oldest)
  local list = copy(storage.workouts)
  table.sort(list, function(a, b)
    if a.day ~= b.day then return (a.day < b.day) == oldest end
    return (a.id < b.id) == oldest
  end)
  return list
end

local function ask(self, title, message, ok, fn)
  if not prefs.ask then return fn() end
  self:dialog { title = title, message = message, cancel = "Cancel", ok = ok, on_ok = fn }
end

local function leave(self)
  if not self:dirty() then return self:finish() end
  self:dialog { title = "Discard changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
end

-- ---- workouts ----

activity "Workouts" {
  add = function(self, sets)
    if #storage.workouts >= MAX_WORKOUTS then return toast("Too many workouts") end
    local w = { id = new_id(), day = today(), note = "", sets = sets }
    table.insert(storage.workouts, w)
    self:start("Workout", { id = w.id })
  end,
  resume = function(self)                      -- nothing was written into it: it is not kept
    local before = #storage.workouts
    storage.workouts = filter(storage.workouts, function(w) return #w.sets > 0 or w.note ~= "" end)
    if #storage.workouts < before then self:snackbar("The empty workout was not kept") end
  end,
  delete = function(self, i, w)
    ask(self, "Delete this workout?", day_text(w.day) .. ", " .. count(#w.sets, "set"), "Delete", function()
      local victim = bug("delete_sorted") and sorted_workouts(false)[i] or w
      table.remove(storage.workouts, index_of(storage.workouts, victim))
      each(storage.exercises, refresh_best)
    end)
  end,
  view = function(self)
    return column {
      drawer { id = "drawer", header = "Workout Log", items = {
        { "Exercises", id = "nav_exercises", on_click = function() self:start("Exercises") end },
        { "Progress", id = "nav_progress", on_click = function() self:start("Progress") end },
        { "Settings", id = "nav_settings", on_click = function() self:start("Settings") end },
      } },
      toolbar { "Workouts", actions = { { prefs.oldest and "Newest first" or "Oldest first", id = "order",
        on_click = function() prefs.oldest = not prefs.oldest end } } },
      text { count(#storage.workouts, "workout") .. ", " .. (prefs.oldest and "oldest first" or "newest first"), id = "count", size = "small" },
      list { id = "workouts", items = sorted_workouts(prefs.oldest), empty = text { "No workouts yet", id = "empty" },
        row = function(w)
          return column { id = "workout_row", text { day_text(w.day), id = "day" },
            text { count(#w.sets, "set") .. ", " .. total_text(lifted(w)) .. " without warm-ups", id = "sum", size = "small" },
            prefs.notes and w.note ~= "" and text { w.note, id = "note", size = "small" } }
        end,
        on_item_click = function(_, w) self:start("Workout", { id = w.id }) end,
        on_item_long_click = function(i, w)
          self:popup {
            { "Repeat today", id = "repeat_today", on_click = function()
              self:add(each(w.sets, function(s) return bug("repeat_shares") and s or clone(s) end))
            end },
            { "Delete", id = "delete", on_click = function() self:delete(i, w) end },
          }
        end },
      fab { id = "add", desc = "New workout", on_click = function() self:add({}) end },
    }
  end,
}

activity "Workout" {
  delete_set = function(self, w, s)
    local place = index_of(w.sets, s)
    table.remove(w.sets, place)
    if not bug("best_stale") then refresh_best(exercise_of(s.exercise)) end
    self:snackbar("Set deleted", "Undo", function()
      table.insert(w.sets, math.min(place, #w.sets + 1), s)
      refresh_best(exercise_of(s.exercise))
    end)
  end,
  view = function(self)
    local w = workout_of(self.intent.id)
    if not w then return column { toolbar { "Workout", up = true }, text { "This workout is gone", id = "gone" } } end
    return column {
      toolbar { day_text(w.day), up = true, actions = { { "Day and note", id = "edit", on_click = function() self:start("WorkoutForm", { id = w.id }) end } } },
      w.note ~= "" and text { w.note, id = "note" },
      text { "Lifted: " .. total_text(lifted(w)) .. " without warm-ups", id = "lifted" },
      list { id = "sets", items = w.sets, empty = text { "No sets yet", id = "empty" },
        row = function(s)
          return column { id = "set_row", text { exercise_of(s.exercise).name, id = "exercise" }, text { set_text(s), id = "what", size = "small" } }
        end,
        on_item_click = function(_, s) self:start("SetForm", { workout = w.id, set = s.id }) end,
        on_item_long_click = function(i, s)
          self:popup {
            { "Once more", id = "duplicate", enabled = #w.sets < MAX_SETS, on_click = function() table.insert(w.sets, i + 1, clone(s)) end },
            { "Delete set", id = "delete_set", on_click = function() self:delete_set(w, s) end },
          }
        end },
      fab { id = "add_set", desc = "Add a set", on_click = function()
        if #w.sets >= MAX_SETS then toast("Too many sets") else self:start("SetForm", { workout = w.id }) end
      end },
    }
  end,
}

activity "WorkoutForm" {
  create = function(self, intent, saved)
    local w = workout_of(intent.id)
    if saved or not w then return end
    self:set_text("day", w.day)
    self:set_text("note", w.note)
  end,
  dirty = function(self)
    local w = workout_of(self.intent.id)
    return w and (self:text("day") ~= w.day or self:text("note") ~= w.note)
  end,
  back = function(self) leave(self) return true end,
  store = function(self)
    local w = workout_of(self.intent.id)
    if not w then return self:finish() end
    if not is_day(self:text("day")) then return toast("The day must be like 2024-02-27 and not in the future") end
    w.day, w.note = self:text("day"), trim(self:text("note"))
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { "Day and note", up = function() leave(self) end, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "day", hint = "Day", max = 10 },
      field { id = "note", hint = "Note", max = 60 },
    }
  end,
}

activity "SetForm" {
  create = function(self, intent, saved)
    local w = workout_of(intent.workout)
    local s = w and (intent.set and by_id(w.sets, intent.set) or w.sets[#w.sets])       -- a new one begins like the last one
    self.choices = filter(storage.exercises, function(e) return not e.archived or s and e.id == s.exercise end)
    self.exercise = s and s.exercise or self.choices[1] and self.choices[1].id
    if not saved then
      self.shown = s and s.grams > 0 and number_text(s.grams) or ""
      self:set_text("weight", self.shown)
      self:set_text("reps", tostring(intent.set and s and s.reps or default_reps()))
      self.warm = intent.set and s and s.warm or false
      self.start_state = self:state()
    else
      self.shown, self.warm, self.start_state = saved.shown, saved.warm, saved.start_state
      if not bug("exercise_rotate") then self.exercise = saved.exercise end
    end
  end,
  save = function(self, out) out.exercise, out.shown, out.warm, out.start_state = self.exercise, self.shown, self.warm, self.start_state end,
  state = function(self) return self:text("weight") .. "|" .. self:text("reps") .. "|" .. tostring(self.warm) .. "|" .. tostring(self.exercise) end,
  dirty = function(self) return self:state() ~= self.start_state end,
  back = function(self) leave(self) return true end,
  store = function(self)
    local w, reps, text = workout_of(self.intent.workout), tonumber(self:text("reps")), self:text("weight")
    local weight = tonumber(text == "" and "0" or text)
    if not w then return self:finish() end
    if not exercise_of(self.exercise) then return toast("There is no exercise to choose") end
    if not weight or weight < 0 or weight > 1000 then return toast("What did you lift?") end
    if not reps or reps < 1 or reps > 200 then return toast("How many repetitions?") end
    local s = by_id(w.sets, self.intent.set) or { id = new_id() }
    if s.reps and bug("edit_lb") then
      s.grams = to_grams(weight, "kg")
    elseif not s.reps or text ~= self.shown then
      s.grams = to_grams(weight, prefs.unit)
    end
    local before = exercise_of(s.exercise)
    s.exercise, s.reps, s.warm, s.group = self.exercise, math.floor(reps), self.warm or nil, exercise_of(self.exercise).group
    if not index_of(w.sets, s) then table.insert(w.sets, s) end
    refresh_best(exercise_of(s.exercise))
    if before then refresh_best(before) end
    self:finish()
  end,
  view = function(self)
    local place = index_of(self.choices, exercise_of(self.exercise)) or 1
    return column {
      toolbar { self.intent.set and "Edit set" or "New set", up = function() leave(self) end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        spinner { id = "exercise", items = each(self.choices, function(e) return e.name end), selected = place,
          on_change = function(i) self.exercise = self.choices[i].id end },
        text { "Weight in " .. prefs.unit .. ", empty for your own weight", size = "small" },
        field { id = "weight", hint = "Weight", input = "decimal", max = 6 },
        text { "Repetitions", size = "small" },
        field { id = "reps", hint = "Repetitions", input = "number", max = 3 },
        check { "Warm-up", id = "warm", checked = self.warm, on_change = function(b) self.warm = b end },
      },
    }
  end,
}

-- ---- exercises ----

activity "Exercises" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.query, self.archived = saved.query or "", saved.archived or false
  end,
  save = function(self, out) out.query, out.archived = self.query, self.archived end,
  shown = function(self)
    local query = trim(self.query):lower()
    local list = filter(storage.exercises, function(e)
      if query ~= "" and not contains(e.name:lower(), query) then return false end
      return self.archived or not e.archived or query ~= "" and bug("search_archived")
    end)
    table.sort(list, function(a, b) return a.name:lower() < b.name:lower() end)
    return list
  end,
  exercise_menu = function(self, e)
    self:popup {
      { "Edit", id = "edit", on_click = function() self:start("ExerciseForm", { id = e.id }) end },
      { e.archived and "Take out of the archive" or "Archive", id = "archive", on_click = function() e.archived = not e.archived or nil end },
      { "Delete", id = "delete", enabled = #sets_of(e) == 0, on_click = function()
        ask(self, "Delete " .. e.name .. "?", "It was never used.", "Delete", function()
          storage.exercises = filter(storage.exercises, function(x) return x ~= e end)
        end)
      end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Exercises", up = true },
      field { id = "query", hint = "Search", max = 20, on_change = function(s) self.query = s end },
      check { "Show archived", id = "archived", checked = self.archived, on_change = function(b) self.archived = b end },
      list { id = "exercises", items = self:shown(), empty = text { "Nothing here", id = "empty" },
        row = function(e)
          return column { id = "exercise_row", text { e.name .. (e.archived and " (archived)" or ""), id = "name" }, text { e.group, id = "group", size = "small" } }
        end,
        on_item_click = function(_, e) self:start("Exercise", { id = e.id }) end,
        on_item_long_click = function(_, e) self:exercise_menu(e) end },
      fab { id = "add_exercise", desc = "New exercise", on_click = function()
        if #storage.exercises >= MAX_EXERCISES then toast("Too many exercises") else self:start("ExerciseForm") end
      end },
    }
  end,
}

activity "Exercise" {
  view = function(self)
    local e = exercise_of(self.intent.id)
    if not e then return column { toolbar { "Exercise", up = true }, text { "This exercise is gone", id = "gone" } } end
    local sets = sets_of(e)
    return column {
      toolbar { e.name, up = true, subtitle = e.group },
      text { e.best and "Best: " .. set_text(e.best) or "No best set yet", id = "best" },
      text { count(#sets, "set") .. ", newest first", id = "count", size = "small" },
      list { id = "history", items = sets, empty = text { "Never done", id = "empty" },
        row = function(x) return column { id = "history_row", text { set_text(x.set), id = "what" }, text { day_text(x.day), id = "day", size = "small" } } end },
    }
  end,
}

activity "ExerciseForm" {
  create = function(self, intent, saved)
    local e = exercise_of(intent.id)
    self.group = saved and saved.group or e and index_of(GROUPS, e.group) or 1
    if e and not saved then self:set_text("name", e.name) end
  end,
  save = function(self, out) out.group = self.group end,
  dirty = function(self)
    local e = exercise_of(self.intent.id) or { name = "", group = GROUPS[1] }
    return self:text("name") ~= e.name or GROUPS[self.group] ~= e.group
  end,
  back = function(self) leave(self) return true end,
  store = function(self)
    local e, name = exercise_of(self.intent.id), trim(self:text("name"))
    if name == "" then return toast("Give it a name") end
    if find(storage.exercises, function(x) return x ~= e and x.name:lower() == name:lower() end) then return toast("There is one of this name") end
    if not e then
      e = { id = new_id() }
      table.insert(storage.exercises, e)
    end
    e.name, e.group = name, GROUPS[self.group]
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { self.intent.id and "Edit exercise" or "New exercise", up = function() leave(self) end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", max = 24 },
      spinner { id = "group", items = GROUPS, selected = self.group, on_change = function(i) self.group = i end },
    }
  end,
}

-- ---- progress and settings ----

activity "Progress" {
  create = function(self, intent, saved) self.period = saved and saved.period or 2 end,      -- for this visit only
  save = function(self, out) out.period = self.period end,
  view = function(self)
    local from = days(today()) - ({ 7, 30, 1e6 })[self.period]
    local total, sums, workouts = 0, {}, filter(storage.workouts, function(w) return days(w.day) > from end)
    for _, w in ipairs(workouts) do
      for _, s in ipairs(w.sets) do
        local group = bug("group_moved") and s.group or exercise_of(s.exercise).group
        if not s.warm then sums[group] = (sums[group] or 0) + s.grams * s.reps end
      end
      total = total + lifted(w)
    end
    return column {
      toolbar { "Progress", up = true },
      spinner { id = "period", items = { "Last 7 days", "Last 30 days", "All the time" }, selected = self.period, on_change = function(i) self.period = i end },
      scroll {
        text { "Lifted: " .. total_text(total), id = "total", size = "large" },
        text { count(#workouts, "workout") .. "; warm-ups and your own weight do not count", id = "note", size = "small" },
        each(GROUPS, function(g) return text { g .. ": " .. total_text(sums[g] or 0), id = "group_sum" } end),
      },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Unit", size = "small" },
        radios { id = "unit", items = { "kg", "lb" }, selected = prefs.unit == "kg" and 1 or 2, on_change = function(_, unit) prefs.unit = unit end },
        text { "Repetitions of a new set", size = "small" },
        spinner { id = "default_reps", items = each(REPS, tostring), selected = index_of(REPS, default_reps()), on_change = function(i)
          if bug("reps_forgotten") then session_reps = REPS[i] else prefs.reps = REPS[i] end
        end },
        switch { "Notes in the list", id = "notes", checked = prefs.notes, on_change = function(b) prefs.notes = b end },
        switch { "Ask before deleting", id = "ask", checked = prefs.ask, on_change = function(b) prefs.ask = b end },
      },
    }
  end,
}
