-- Workout: routines of exercises, a running workout with sets, a history of workouts, records and totals.
--
-- Weights are kept in kilograms and shown in the chosen unit. A workout that runs is kept until it is finished or discarded.

app {
  package = "org.norn.workout",
  title = "Workout",
  main = "Main",
  bugs = { "edit_other_set", "muscle_rotate", "warmup_in_total", "undo_place", "form_in_kilos", "muscle_drops_search",
    "last_done_stale", "copy_shares" },
  application = function()
    if storage.exercises then return end
    local day, t = 24 * 60 * 60 * 1000, now()
    storage.next_id = 100
    storage.exercises = {
      { id = 1, name = "Bench press", muscle = "Chest" }, { id = 2, name = "Squat", muscle = "Legs" },
      { id = 3, name = "Deadlift", muscle = "Back" }, { id = 4, name = "Overhead press", muscle = "Shoulders" },
      { id = 5, name = "Barbell row", muscle = "Back" }, { id = 6, name = "Lunge", muscle = "Legs" },
      { id = 7, name = "Leg press", muscle = "Legs" },
    }
    storage.routines = {
      { id = 11, name = "Push day", items = { 1, 4 } },
      { id = 12, name = "Pull day", items = { 3, 5 } },
      { id = 13, name = "Leg day", items = { 2, 6, 7 } },
    }
    storage.sessions = {      -- newest first
      { id = 21, routine = 11, name = "Push day", time = t - 2 * day, note = "", items = { 1, 4 }, sets = {
        { id = 31, exercise = 1, reps = 10, kg = 40, warmup = true }, { id = 32, exercise = 1, reps = 8, kg = 60 },
        { id = 33, exercise = 4, reps = 6, kg = 35 } } },
      { id = 22, routine = 13, name = "Leg day", time = t - 5 * day, note = "Knees felt fine", items = { 2, 6 }, sets = {
        { id = 34, exercise = 2, reps = 5, kg = 90 }, { id = 35, exercise = 6, reps = 12, kg = 20 } } },
      { id = 23, routine = 11, name = "Push day", time = t - 9 * day, note = "", items = { 1 }, sets = {
        { id = 36, exercise = 1, reps = 8, kg = 57.5 } } },
    }
    prefs.unit = "kg"
    prefs.count_warmup = true
    prefs.show_notes = true
  end,
}

local MUSCLES = { "Arms", "Back", "Chest", "Legs", "Shoulders" }
local KG = { kg = 1, lb = 0.453592 }
local MAX_ROUTINES, MAX_EXERCISES, MAX_SETS, MAX_SESSIONS = 12, 30, 40, 60

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function exercise_of(id) return by_id(storage.exercises, id) end
local function routine_of(id) return by_id(storage.routines, id) end

local function number_in_unit(kg) return format("%.1f", kg / KG[prefs.unit]) end
local function show(kg) return number_in_unit(kg) .. " " .. prefs.unit end
local function day_of(time) return date(time, "%d %b %Y") end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end

-- The weight moved in a workout.
local function volume(session, warmups)
  local sum = 0
  for _, s in ipairs(session.sets) do
    if warmups or not s.warmup then sum = sum + s.reps * s.kg end
  end
  return sum
end

local function last_done(routine)
  local s = find(storage.sessions, function(x) return x.routine == routine.id end)
  return s and day_of(s.time) or "never"
end

local function newest_first() table.sort(storage.sessions, function(a, b) return a.time > b.time end) end

-- The running workout, or one of the history.
local function session_of(id)
  if storage.active and storage.active.id == id then return storage.active end
  return by_id(storage.sessions, id)
end

local function sets_of(session, exercise) return filter(session.sets, function(s) return s.exercise == exercise end) end

local function set_row(s, on_click)
  return row { id = "set_row", on_click = on_click, padding = 16,
    text { plural(s.reps, "rep") .. " × " .. show(s.kg), id = "set", weight = 1 },
    s.warmup and text { "warm-up", id = "warmup", size = "small" },
  }
end

-- Exercises by name, those that fit what is searched for and the muscle (1: all).
local function exercises_for(query, muscle)
  local found = filter(storage.exercises, function(e)
    return (muscle == 1 or e.muscle == MUSCLES[muscle - 1]) and contains(e.name:lower(), trim(query):lower())
  end)
  table.sort(found, function(a, b) return a.name:lower() < b.name:lower() end)
  return found
end

local function muscle_names()
  local names = { "All muscles" }
  for _, m in ipairs(MUSCLES) do table.insert(names, m) end
  return names
end

-- The sets of a session under their exercises.
local function blocks(self, session, can_add)
  return each(session.items, function(id)
    return column {
      row { text { exercise_of(id).name, id = "exercise", size = "large", weight = 1 },
        can_add and button { "Add set", id = "add_set", on_click = function()
          self:start("SetForm", { session = session.id, exercise = id })
        end } },
      each(sets_of(session, id), function(s, i)
        return set_row(s, function()
          self:start("SetForm", { session = session.id, exercise = id, set = s.id, place = i })
        end)
      end),
    }
  end)
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab = saved.tab or "routines"
    self.query, self.muscle = saved.query or "", saved.muscle or 1
    self:look_up()
  end,
  save = function(self, out) out.tab, out.query, out.muscle = self.tab, self.query, self.muscle end,
  resume = function(self)
    if not bug("last_done_stale") then self:look_up() end
  end,
  back = function(self)
    if self.tab == "routines" then return false end
    self.tab = "routines"
    return true
  end,

  -- When each routine was done last, for the list.
  look_up = function(self)
    self.done = {}
    for _, r in ipairs(storage.routines) do self.done[r.id] = last_done(r) end
  end,

  menu = function(self)
    return {
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  ask_new_routine = function(self)
    if #storage.routines >= MAX_ROUTINES then return toast("Too many routines") end
    self:dialog { title = "New routine",
      view = function() return column { field { id = "routine_name", hint = "Name", max = 30 } } end,
      ok = "Create", cancel = "Cancel",
      on_ok = function()
        local name = trim(self:text("routine_name"))
        if name == "" then return toast("Give it a name") end
        table.insert(storage.routines, { id = new_id(), name = name, items = {} })
        self:look_up()
      end }
  end,

  duplicate = function(self, routine)
    if #storage.routines >= MAX_ROUTINES then return toast("Too many routines") end
    local items = bug("copy_shares") and routine.items or copy(routine.items)
    local at = index_of(storage.routines, routine) + 1
    table.insert(storage.routines, at, { id = new_id(), name = routine.name .. " copy", items = items })
    self:look_up()
  end,

  routine_menu = function(self, routine)
    self:popup {
      { "Duplicate", id = "duplicate", on_click = function() self:duplicate(routine) end },
      { "Delete", id = "delete_routine", on_click = function()
        if storage.active and storage.active.routine == routine.id then return toast("Finish the workout first") end
        table.remove(storage.routines, index_of(storage.routines, routine))
      end },
    }
  end,

  delete_session = function(self, session)
    table.remove(storage.sessions, index_of(storage.sessions, session))
    self:look_up()
    self:snackbar("Workout deleted", "Undo", function()
      table.insert(storage.sessions, session)
      if not bug("undo_place") then newest_first() end
      self:look_up()
    end)
  end,

  routines_tab = function(self)
    return {
      storage.active and button { "Resume " .. storage.active.name, id = "resume",
        on_click = function() self:start("Workout") end },
      list { id = "routines", weight = 1, items = storage.routines, empty = text { "No routines yet", id = "empty" },
        row = function(r)
          return column { id = "routine_row", text { r.name, id = "name", size = "large" },
            text { plural(#r.items, "exercise") .. ", last done: " .. self.done[r.id], id = "about", size = "small" } }
        end,
        on_item_click = function(_, r) self:start("Routine", { id = r.id }) end,
        on_item_long_click = function(_, r) self:routine_menu(r) end },
      button { "New routine", id = "new_routine", on_click = function() self:ask_new_routine() end },
    }
  end,

  history_tab = function(self)
    return {
      text { plural(#storage.sessions, "workout"), id = "count", size = "small" },
      list { id = "history", weight = 1, items = storage.sessions, empty = text { "No workouts yet", id = "empty" },
        row = function(s)
          return column { id = "session_row", text { s.name, id = "name", size = "large" },
            text { day_of(s.time) .. ", " .. show(volume(s, prefs.count_warmup)), id = "about", size = "small" },
            prefs.show_notes and s.note ~= "" and text { s.note, id = "note", size = "small" } }
        end,
        on_item_click = function(_, s) self:start("Session", { id = s.id }) end,
        on_item_long_click = function(_, s)
          self:popup { { "Delete", id = "delete_session", on_click = function() self:delete_session(s) end } }
        end },
    }
  end,

  exercises_tab = function(self)
    return {
      field { id = "query", hint = "Search exercises", max = 30, text = self.query, on_change = function(s) self.query = s end },
      spinner { id = "muscle", items = muscle_names(), selected = self.muscle, on_change = function(i)
        self.muscle = i
        if bug("muscle_drops_search") then self.query = "" end
      end },
      list { id = "exercises", weight = 1, items = exercises_for(self.query, self.muscle),
        empty = text { "Nothing found", id = "empty" },
        row = function(e)
          return column { id = "exercise_row", text { e.name, id = "name", size = "large" }, text { e.muscle, id = "about", size = "small" } }
        end,
        on_item_click = function(_, e) self:start("Exercise", { id = e.id }) end },
      button { "New exercise", id = "new_exercise", on_click = function() self:start("ExerciseForm") end },
    }
  end,

  view = function(self)
    local titles = { routines = "Routines", history = "History", exercises = "Exercises" }
    local function item(tab)
      return { titles[tab], id = "nav_" .. tab, selected = self.tab == tab, on_click = function() self.tab = tab end }
    end
    return column {
      toolbar { titles[self.tab] },
      self.tab == "routines" and self:routines_tab() or self.tab == "history" and self:history_tab() or self:exercises_tab(),
      bottom_bar { items = { item "routines", item "history", item "exercises" } },
    }
  end,
}

activity "Routine" {
  result = function(self, request, data)
    local r = routine_of(self.intent.id)
    if request == "pick" and data and not index_of(r.items, data.exercise) then table.insert(r.items, data.exercise) end
  end,

  begin = function(self, r)
    if storage.active and storage.active.routine ~= r.id then return toast("Finish " .. storage.active.name .. " first") end
    if not storage.active then
      if #r.items == 0 then return toast("Add an exercise first") end
      storage.active = { id = new_id(), routine = r.id, name = r.name, time = now(), note = "", items = copy(r.items), sets = {} }
    end
    self:start("Workout")
  end,

  ask_name = function(self, r)
    self:dialog { title = "Rename routine",
      view = function() return column { field { id = "routine_name", text = r.name, max = 30 } } end,
      ok = "Rename", cancel = "Cancel",
      on_ok = function()
        local name = trim(self:text("routine_name"))
        if name == "" then return toast("Give it a name") end
        r.name = name
      end }
  end,

  item_menu = function(self, r, i)
    local function swap(j) r.items[i], r.items[j] = r.items[j], r.items[i] end
    self:popup {
      { "Move up", id = "move_up", enabled = i > 1, on_click = function() swap(i - 1) end },
      { "Move down", id = "move_down", enabled = i < #r.items, on_click = function() swap(i + 1) end },
      { "Remove", id = "remove", on_click = function() table.remove(r.items, i) end },
    }
  end,

  menu = function(self)
    return { { "Rename", id = "rename", on_click = function() self:ask_name(routine_of(self.intent.id)) end } }
  end,

  view = function(self)
    local r = routine_of(self.intent.id)
    local running = storage.active and storage.active.routine == r.id
    return column {
      toolbar { r.name, up = true },
      text { "Last done: " .. last_done(r), id = "last", size = "small" },
      list { id = "items", weight = 1, items = each(r.items, exercise_of), empty = text { "No exercises yet", id = "empty" },
        row = function(e) return column { id = "item_row", text { e.name, id = "name", size = "large" }, text { e.muscle, id = "about", size = "small" } } end,
        on_item_click = function(_, e) self:start("Exercise", { id = e.id }) end,
        on_item_long_click = function(i) self:item_menu(r, i) end },
      row {
        button { "Add exercise", id = "add_item", on_click = function() self:start_for_result("Pick", "pick") end },
        button { running and "Resume workout" or "Start workout", id = "begin", on_click = function() self:begin(r) end },
      },
    }
  end,
}

activity "Pick" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  view = function(self)
    return column {
      toolbar { "Choose an exercise", up = true },
      field { id = "pick_query", hint = "Search exercises", max = 30, on_change = function(s) self.query = s end },
      list { id = "choices", items = exercises_for(self.query, 1), empty = text { "Nothing found", id = "empty" },
        row = function(e) return column { id = "choice_row", text { e.name, id = "name", size = "large" }, text { e.muscle, id = "about", size = "small" } } end,
        on_item_click = function(_, e) self:finish { exercise = e.id } end },
    }
  end,
}

activity "Workout" {
  done = function(self)
    local active = storage.active
    if #active.sets == 0 then return toast("Add a set first") end
    if #storage.sessions >= MAX_SESSIONS then return toast("Delete some old workouts first") end
    active.time = now()
    table.insert(storage.sessions, active)
    newest_first()
    storage.active = nil
    toast("Workout saved")
    self:finish()
  end,

  ask_discard = function(self)
    self:dialog { title = "Discard this workout?", message = plural(#storage.active.sets, "set") .. " will be lost",
      ok = "Discard", cancel = "Cancel",
      on_ok = function()
        storage.active = nil
        self:finish()
      end }
  end,

  menu = function(self) return { { "Discard workout", id = "discard", on_click = function() self:ask_discard() end } } end,

  view = function(self)
    local active = storage.active
    if not active then return column { toolbar { "Workout", up = true } } end
    return column {
      toolbar { active.name, up = true, actions = { { "Finish", id = "finish", on_click = function() self:done() end } } },
      text { plural(#active.sets, "set") .. ", " .. show(volume(active, prefs.count_warmup)), id = "sum" },
      scroll { id = "blocks", weight = 1, blocks(self, active, true) },
    }
  end,
}

activity "SetForm" {
  the_set = function(self) return self.intent.set and by_id(session_of(self.intent.session).sets, self.intent.set) end,

  -- What a new set begins with: the last one of this exercise.
  suggestion = function(self)
    local sets = sets_of(session_of(self.intent.session), self.intent.exercise)
    if #sets > 0 then return sets[#sets] end
    for _, s in ipairs(storage.sessions) do
      sets = sets_of(s, self.intent.exercise)
      if #sets > 0 then return sets[#sets] end
    end
    return { reps = 10, kg = 20 }
  end,

  create = function(self, intent, saved)
    local s = self:the_set()
    local from = s or self:suggestion()
    self.kg = from.kg
    self.reps, self.weight = tostring(from.reps), number_in_unit(from.kg)
    if s and bug("form_in_kilos") then self.weight = format("%.1f", from.kg) end
  end,

  store = function(self)
    local reps, weight = tonumber(self:text("reps")), tonumber(self:text("weight"))
    if not reps or reps < 1 then return toast("How many repetitions?") end
    if not weight then return toast("Which weight?") end
    local kg = weight * KG[prefs.unit]
    if self:text("weight") == number_in_unit(self.kg) then kg = self.kg end     -- untouched: not rounded
    local session, s = session_of(self.intent.session), self:the_set()
    if s and bug("edit_other_set") then s = session.sets[self.intent.place] end
    if not s then
      if #session.sets >= MAX_SETS then return toast("Enough for today") end
      s = { id = new_id(), exercise = self.intent.exercise }
      table.insert(session.sets, s)
    end
    s.reps, s.kg, s.warmup = math.floor(reps), kg, self:checked("is_warmup")
    self:finish()
  end,

  ask_delete = function(self)
    self:dialog { title = "Delete this set?", ok = "Delete", cancel = "Cancel",
      on_ok = function()
        local sets = session_of(self.intent.session).sets
        table.remove(sets, index_of(sets, self:the_set()))
        self:finish()
      end }
  end,

  view = function(self)
    local s = self:the_set()
    return column {
      toolbar { s and "Edit set" or "New set", up = true, subtitle = exercise_of(self.intent.exercise).name,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        text { "Repetitions", size = "small" },
        field { id = "reps", hint = "Repetitions", input = "number", max = 3, text = self.reps },
        text { "Weight in " .. prefs.unit, id = "weight_label", size = "small" },
        field { id = "weight", hint = "Weight", input = "decimal", max = 6, text = self.weight },
        check { "Warm-up set", id = "is_warmup", default = s ~= nil and s.warmup == true },
        s and button { "Delete set", id = "delete_set", on_click = function() self:ask_delete() end },
      },
    }
  end,
}

activity "Session" {
  ask_note = function(self, s)
    self:dialog { title = "Note",
      view = function() return column { field { id = "note_text", text = s.note, max = 80 } } end,
      ok = "Save", cancel = "Cancel", on_ok = function() s.note = trim(self:text("note_text")) end }
  end,

  view = function(self)
    local s = session_of(self.intent.id)
    local warmups = prefs.count_warmup or bug("warmup_in_total")
    return column {
      toolbar { s.name, up = true, subtitle = day_of(s.time),
        actions = { { "Note", id = "edit_note", on_click = function() self:ask_note(s) end } } },
      text { plural(#s.sets, "set") .. ", " .. show(volume(s, warmups)), id = "sum" },
      s.note ~= "" and text { s.note, id = "note", size = "small" },
      scroll { id = "blocks", weight = 1, blocks(self, s, false) },
    }
  end,
}

activity "Exercise" {
  best = function(self, id)
    local best
    for _, session in ipairs(storage.sessions) do
      for _, s in ipairs(sets_of(session, id)) do
        if not s.warmup and (not best or s.kg > best.kg) then best = s end
      end
    end
    return best
  end,

  used = function(self, id)
    if storage.active and index_of(storage.active.items, id) then return true end
    for _, r in ipairs(storage.routines) do if index_of(r.items, id) then return true end end
    for _, s in ipairs(storage.sessions) do if index_of(s.items, id) then return true end end
    return false
  end,

  delete = function(self, e)
    if self:used(e.id) then return toast("It is used in a routine or workout") end
    table.remove(storage.exercises, index_of(storage.exercises, e))
    self:finish()
  end,

  menu = function(self)
    return {
      { "Edit", id = "edit_exercise", on_click = function() self:start("ExerciseForm", { id = self.intent.id }) end },
      { "Delete", id = "delete_exercise", on_click = function() self:delete(exercise_of(self.intent.id)) end },
    }
  end,

  view = function(self)
    local e = exercise_of(self.intent.id)
    if not e then return column { toolbar { "Exercise", up = true } } end
    local best = self:best(e.id)
    local sessions = filter(storage.sessions, function(s) return #sets_of(s, e.id) > 0 end)
    return column {
      toolbar { e.name, up = true },
      text { e.muscle, id = "about" },
      text { "Best: " .. (best and show(best.kg) .. " × " .. best.reps or "none yet"), id = "best" },
      text { "Done in " .. plural(#sessions, "workout"), id = "times" },
      list { id = "times_done", items = sessions,
        row = function(s) return column { id = "done_row", text { day_of(s.time), id = "day" }, text { s.name, id = "name", size = "small" } } end,
        on_item_click = function(_, s) self:start("Session", { id = s.id }) end },
    }
  end,
}

activity "ExerciseForm" {
  create = function(self, intent, saved)
    local e = intent.id and exercise_of(intent.id)
    self.muscle = e and index_of(MUSCLES, e.muscle) or 1
    if saved and not bug("muscle_rotate") then self.muscle = saved.muscle end
  end,
  save = function(self, out) out.muscle = self.muscle end,

  store = function(self)
    local name = trim(self:text("exercise_name"))
    if name == "" then return toast("Give it a name") end
    local e = self.intent.id and exercise_of(self.intent.id)
    if not e then
      if #storage.exercises >= MAX_EXERCISES then return toast("Too many exercises") end
      e = { id = new_id() }
      table.insert(storage.exercises, e)
    end
    e.name, e.muscle = name, MUSCLES[self.muscle]
    self:finish()
  end,

  view = function(self)
    local e = self.intent.id and exercise_of(self.intent.id)
    return column {
      toolbar { e and "Edit exercise" or "New exercise", up = true,
        actions = { { "Save", id = "save_exercise", on_click = function() self:store() end } } },
      field { id = "exercise_name", hint = "Name", max = 30, text = e and e.name or "" },
      spinner { id = "form_muscle", items = MUSCLES, selected = self.muscle, on_change = function(i) self.muscle = i end },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local sets, moved = 0, 0
    for _, s in ipairs(storage.sessions) do
      sets, moved = sets + #s.sets, moved + volume(s, prefs.count_warmup)
    end
    return column {
      toolbar { "Statistics", up = true },
      text { "Workouts: " .. #storage.sessions, id = "workouts" },
      text { "Sets: " .. sets, id = "sets" },
      text { "Moved: " .. show(moved), id = "moved" },
      text { prefs.count_warmup and "Warm-up sets are counted" or "Warm-up sets are not counted", id = "how", size = "small" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text "Unit",
      radios { id = "unit", items = { "Kilogram", "Pound" }, selected = prefs.unit == "kg" and 1 or 2,
        on_change = function(i) prefs.unit = i == 1 and "kg" or "lb" end },
      switch { "Count warm-up sets in totals", id = "count_warmup", checked = prefs.count_warmup,
        on_change = function(b) prefs.count_warmup = b end },
      switch { "Show notes in the history", id = "show_notes", checked = prefs.show_notes,
        on_change = function(b) prefs.show_notes = b end },
    }
  end,
}
