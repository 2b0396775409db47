-- Repeat: interval workouts, a session that runs them, a history and statistics.

app {
  package = "org.repeat.workout",
  title = "Repeat",
  main = "Main",
  bugs = { "pause_lost", "skipped_counted", "rest_ignored", "duplicate_shared", "undo_at_end", "filtered_delete",
    "stats_after_delete", "picker_filter" },
  application = function()
    if storage.routines then return end
    storage.next_id = 50
    storage.exercises = {
      { id = 1, name = "Push-up", part = "Arms", fav = true },
      { id = 2, name = "Squat", part = "Legs" },
      { id = 3, name = "Plank", part = "Core", fav = true },
      { id = 4, name = "Lunge", part = "Legs", fav = true },
      { id = 5, name = "Sit-up", part = "Core" },
      { id = 6, name = "Dip", part = "Arms" },
    }
    storage.routines = {
      { id = 10, name = "Morning", rounds = 1, steps = { { ex = 2, seconds = 30 }, { ex = 1, seconds = 20 }, { ex = 3, seconds = 40 } } },
      { id = 11, name = "Legs", rounds = 2, steps = { { ex = 2, seconds = 40 }, { ex = 4, seconds = 30 } } },
    }
    storage.history = {
      { id = 20, routine = "Legs", day = "2020-05-02", seconds = 210, done = 4, total = 4, effort = 3, note = "" },
      { id = 21, routine = "Morning", day = "2020-05-01", seconds = 120, done = 3, total = 3, effort = 2, note = "Still sleepy" },
      { id = 22, routine = "Legs", day = "2020-04-28", seconds = 150, done = 3, total = 4, effort = 2, note = "" },
    }
    storage.totals = { workouts = 3, seconds = 480 }
    prefs.rest = 10
    prefs.goal = 3
    prefs.sound = true
    prefs.confirm_stop = true
  end,
}

local PARTS = { "All", "Arms", "Legs", "Core" }
local EFFORTS = { "Easy", "Medium", "Hard" }

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function routine_of(id) return by_id(storage.routines, id) end
local function exercise_of(id) return by_id(storage.exercises, id) end
local function exercise_name(id) local e = exercise_of(id) return e and e.name or "?" end

local function clock(seconds) return format("%d:%02d", seconds // 60, seconds % 60) end

local function several(n, one, many) return n == 1 and "1 " .. one or n .. " " .. many end

-- One rest between two exercises, none after the last one.
local function duration(r)
  local work = 0
  for _, s in ipairs(r.steps) do work = work + s.seconds end
  local rests = math.max(#r.steps * r.rounds - 1, 0)
  local rest = bug("rest_ignored") and 10 or prefs.rest
  return work * r.rounds + rests * rest
end

local function gone(title)
  return column { toolbar { title, up = true }, text { "Not there any more", id = "gone" } }
end

local function add_history(entry)
  entry.id = new_id()
  table.insert(storage.history, 1, entry)
  storage.totals.workouts = storage.totals.workouts + 1
  storage.totals.seconds = storage.totals.seconds + entry.seconds
end

local function remove_history(entry)
  local i = index_of(storage.history, entry)
  if not i then return end
  table.remove(storage.history, i)
  storage.totals.workouts = storage.totals.workouts - 1
  if not bug("stats_after_delete") then storage.totals.seconds = storage.totals.seconds - entry.seconds end
end

activity "Main" {
  duplicate = function(self, r)
    if #storage.routines >= 20 then return toast("Too many routines") end
    local twin = copy(r)
    twin.id = new_id()
    twin.name = r.name .. " copy"
    if not bug("duplicate_shared") then
      twin.steps = each(r.steps, function(s) return copy(s) end)
    else
      twin.steps = r.steps
    end
    table.insert(storage.routines, twin)
  end,

  ask_delete = function(self, r)
    self:dialog { title = "Delete " .. r.name .. "?", message = "The history stays", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local i = index_of(storage.routines, r)
        if i then table.remove(storage.routines, i) end
      end }
  end,

  row_menu = function(self, r)
    self:popup {
      { "Edit", id = "edit", on_click = function() self:start("EditRoutine", { id = r.id }) end },
      { "Duplicate", id = "duplicate", on_click = function() self:duplicate(r) end },
      { "Delete", id = "delete", on_click = function() self:ask_delete(r) end },
    }
  end,

  menu = function(self)
    return {
      { "History", id = "history", on_click = function() self:start("History") end },
      { "Statistics", id = "stats", on_click = function() self:start("Stats") end },
      { "Exercises", id = "library", on_click = function() self:start("Library") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Repeat", subtitle = #storage.history .. " done, goal " .. prefs.goal },
      list { id = "routines", items = storage.routines, empty = text { "No routines yet", id = "empty" },
        row = function(r)
          return column { id = "routine_row", text { r.name, id = "name", size = "large" },
            text { several(#r.steps, "exercise", "exercises") .. ", " .. clock(duration(r)), id = "about", size = "small" } }
        end,
        on_item_click = function(_, r) self:start("Routine", { id = r.id }) end,
        on_item_long_click = function(_, r) self:row_menu(r) end },
      fab { id = "add", desc = "New routine", on_click = function() self:start("EditRoutine") end },
    }
  end,
}

activity "EditRoutine" {
  create = function(self, intent, saved)
    local r = intent.id and routine_of(intent.id)
    self.rounds = saved and saved.rounds or r and r.rounds or 1
  end,
  save = function(self, out) out.rounds = self.rounds end,

  store = function(self)
    local name = trim(self:text("name"))
    if name == "" then return toast("Name it") end
    local r = self.intent.id and routine_of(self.intent.id)
    if not r then
      if #storage.routines >= 20 then return toast("Too many routines") end
      r = { id = new_id(), steps = {} }
      table.insert(storage.routines, r)
    end
    r.name, r.rounds = name, self.rounds
    self:finish()
  end,

  view = function(self)
    local r = self.intent.id and routine_of(self.intent.id)
    if self.intent.id and not r then return gone("Edit routine") end
    return column {
      toolbar { r and "Edit routine" or "New routine", up = true },
      field { id = "name", hint = "Name", text = r and r.name or "", max = 24 },
      row {
        button { "−", id = "fewer", desc = "Fewer rounds", on_click = function() self.rounds = math.max(self.rounds - 1, 1) end },
        text { several(self.rounds, "round", "rounds"), id = "rounds" },
        button { "+", id = "more", desc = "More rounds", on_click = function() self.rounds = math.min(self.rounds + 1, 9) end },
      },
      button { "Save", id = "save", on_click = function() self:store() end },
    }
  end,
}

activity "Routine" {
  result = function(self, request, data)
    local r = routine_of(self.intent.id)
    if request ~= "exercise" or not data or not r then return end
    if #r.steps >= 15 then return toast("Fifteen are enough") end
    table.insert(r.steps, { ex = data.ex, seconds = 30 })
  end,

  remove = function(self, r, i)
    local step = table.remove(r.steps, i)
    self:snackbar(exercise_name(step.ex) .. " removed", "Undo", function()
      if bug("undo_at_end") then
        table.insert(r.steps, step)
      else
        table.insert(r.steps, math.min(i, #r.steps + 1), step)
      end
    end)
  end,

  move_up = function(self, r, i)
    if i == 1 then return toast("It is the first") end
    r.steps[i], r.steps[i - 1] = r.steps[i - 1], r.steps[i]
  end,

  step_menu = function(self, r, i)
    self:popup {
      { "Move up", id = "move_up", on_click = function() self:move_up(r, i) end },
      { "Remove", id = "remove", on_click = function() self:remove(r, i) end },
    }
  end,

  view = function(self)
    local r = routine_of(self.intent.id)
    if not r then return gone("Routine") end
    return column {
      toolbar { r.name, up = true,
        actions = { { "Edit", id = "edit", on_click = function() self:start("EditRoutine", { id = r.id }) end } } },
      text { several(r.rounds, "round", "rounds"), id = "rounds" },
      text { "Takes " .. clock(duration(r)), id = "takes" },
      list { id = "steps", items = r.steps, empty = text { "Add an exercise", id = "empty" },
        row = function(s, i)
          return row { id = "step_row", text { i .. ". " .. exercise_name(s.ex), id = "step_name", weight = 1 }, text { clock(s.seconds), id = "step_time" } }
        end,
        on_item_click = function(i) self:start("Step", { id = r.id, step = i }) end,
        on_item_long_click = function(i) self:step_menu(r, i) end },
      row {
        button { "Add exercise", id = "add_exercise", on_click = function() self:start_for_result("Picker", "exercise") end },
        button { "Start", id = "start", enabled = #r.steps > 0, on_click = function() self:start("Session", { id = r.id }) end },
      },
    }
  end,
}

activity "Step" {
  create = function(self, intent, saved)
    local r = routine_of(intent.id)
    local s = r and intent.step and r.steps[intent.step]
    self.seconds = saved and saved.seconds or s and s.seconds or 30
  end,
  save = function(self, out) out.seconds = self.seconds end,

  view = function(self)
    local r = routine_of(self.intent.id)
    local s = r and r.steps[self.intent.step]
    if not s then return gone("Exercise") end
    return column {
      toolbar { exercise_name(s.ex), up = true, subtitle = r.name },
      text { clock(self.seconds), id = "time", size = "large" },
      row {
        button { "−10 s", id = "shorter", on_click = function() self.seconds = math.max(self.seconds - 10, 10) end },
        button { "+10 s", id = "longer", on_click = function() self.seconds = math.min(self.seconds + 10, 300) end },
      },
      button { "Save", id = "save", on_click = function()
        s.seconds = self.seconds
        self:finish()
      end },
    }
  end,
}

activity "Picker" {
  create = function(self, intent, saved)
    self.part = saved and saved.part or 1
    self.fav = saved and saved.fav or false
  end,
  save = function(self, out) out.part, out.fav = self.part, self.fav end,

  shown = function(self, e)
    if self.fav and bug("picker_filter") then return e.fav end
    if self.fav and not e.fav then return false end
    return self.part == 1 or e.part == PARTS[self.part]
  end,

  view = function(self)
    return column {
      toolbar { "Choose an exercise", up = true },
      spinner { id = "part", items = PARTS, selected = self.part, on_change = function(i) self.part = i end },
      switch { "Favourites only", id = "fav_only", checked = self.fav, on_change = function(b) self.fav = b end },
      list { id = "choices", items = filter(storage.exercises, function(e) return self:shown(e) end),
        empty = text { "None", id = "empty" },
        row = function(e) return column { id = "choice_row", text { e.name, id = "name" }, text { e.part, id = "part_name", size = "small" } } end,
        on_item_click = function(_, e) self:finish { ex = e.id } end },
    }
  end,
}

-- The steps of all rounds in one row: `at` is the position in it, `left` what remains of the present one.
activity "Session" {
  create = function(self, intent, saved)
    if saved then
      self.queue, self.at, self.left, self.title_of = saved.queue, saved.at, saved.left, saved.title
      self.done, self.spent, self.started, self.running = saved.done, saved.spent, saved.started, saved.running
      if bug("pause_lost") and self.started then self.running = true end
    else
      self.queue, self.at, self.done, self.spent = {}, 1, 0, 0
      local r = routine_of(intent.id)
      if r then
        self.title_of = r.name
        for _ = 1, r.rounds do
          for _, s in ipairs(r.steps) do table.insert(self.queue, { ex = s.ex, seconds = s.seconds }) end
        end
      end
      self.left = self.queue[1] and self.queue[1].seconds or 0
      self.started, self.running = false, false
    end
    self:every(1000, function() self:tick() end)
  end,
  save = function(self, out)
    out.queue, out.at, out.left, out.title = self.queue, self.at, self.left, self.title_of
    out.done, out.spent, out.started, out.running = self.done, self.spent, self.started, self.running
  end,

  tick = function(self)
    if not self.running or not self:is_front() then return end
    self.left = self.left - 1
    self.spent = self.spent + 1
    if self.left <= 0 then self:next(true) end
  end,

  next = function(self, done)
    if done or bug("skipped_counted") then self.done = self.done + 1 end
    if self.at == #self.queue then return self:over() end
    self.at = self.at + 1
    self.left = self.queue[self.at].seconds
  end,

  over = function(self)
    self.running = false
    self:start("Summary", { routine = self.title_of, done = self.done, total = #self.queue, seconds = self.spent })
    self:finish()
  end,

  ask_stop = function(self)
    if not prefs.confirm_stop or not self.started then return self:finish() end
    self.running = false
    self:dialog { title = "Stop the workout?", message = "Nothing is kept", cancel = "Cancel", ok = "Stop",
      on_ok = function() self:finish() end }
  end,

  back = function(self)
    if not self.queue[self.at] then return false end
    self:ask_stop()
    return true
  end,

  view = function(self)
    local step = self.queue[self.at]
    if not step then return gone("Workout") end
    local following = self.queue[self.at + 1]
    return column {
      toolbar { self.title_of, up = function() self:ask_stop() end, subtitle = self.at .. " of " .. #self.queue },
      text { exercise_name(step.ex), id = "exercise", size = "large" },
      text { clock(self.left), id = "left", size = "large" },
      text { following and "Next: " .. exercise_name(following.ex) or "The last one", id = "next" },
      text { not self.started and "Ready" or self.running and "Running" or "Paused", id = "state" },
      row {
        button { self.running and "Pause" or self.started and "Resume" or "Go", id = "go", on_click = function()
          self.running = not self.running
          self.started = true
        end },
        button { "Skip", id = "skip", enabled = self.started, on_click = function() self:next(false) end },
        button { "Done", id = "done", enabled = self.started, on_click = function() self:next(true) end },
      },
    }
  end,
}

activity "Summary" {
  create = function(self, intent, saved) self.effort = saved and saved.effort or 2 end,
  save = function(self, out) out.effort = self.effort end,

  store = function(self)
    local i = self.intent
    add_history { routine = i.routine, day = date(now(), "%Y-%m-%d"), seconds = i.seconds, done = i.done, total = i.total,
      effort = self.effort, note = trim(self:text("note")) }
    self:finish()
  end,

  view = function(self)
    local i = self.intent
    if not i.routine then return gone("Well done") end
    return column {
      toolbar { "Well done", up = true },
      scroll {
        text { i.routine, id = "routine", size = "large" },
        text { i.done .. " of " .. several(i.total, "exercise", "exercises") .. " done", id = "done" },
        text { "How was it?" },
        radios { id = "effort", items = EFFORTS, selected = self.effort, on_change = function(n) self.effort = n end },
        field { id = "note", hint = "Note", max = 60 },
        row {
          button { "Save", id = "save", on_click = function() self:store() end },
          button { "Discard", id = "discard", on_click = function() self:finish() end },
        },
      },
    }
  end,
}

activity "History" {
  create = function(self, intent, saved) self.only = saved and saved.only end,
  save = function(self, out) out.only = self.only end,

  names = function(self)
    local names = { "All routines" }
    for _, h in ipairs(storage.history) do
      if not index_of(names, h.routine) then table.insert(names, h.routine) end
    end
    if self.only and not index_of(names, self.only) then table.insert(names, self.only) end
    return names
  end,

  shown = function(self)
    return filter(storage.history, function(h) return not self.only or h.routine == self.only end)
  end,

  ask_delete = function(self, i, h)
    self:dialog { title = "Delete this workout?", message = h.routine .. ", " .. h.day, cancel = "Cancel", ok = "Delete",
      on_ok = function()
        if bug("filtered_delete") then h = storage.history[i] end
        remove_history(h)
      end }
  end,

  view = function(self)
    local shown, names = self:shown(), self:names()
    return column {
      toolbar { "History", up = true, subtitle = several(#shown, "workout", "workouts") },
      spinner { id = "only", items = names, selected = self.only and index_of(names, self.only) or 1,
        on_change = function(i, name) self.only = i > 1 and name or nil end },
      list { id = "history", items = shown, empty = text { "Nothing done yet", id = "empty" },
        row = function(h)
          return column { id = "history_row", text { h.routine, id = "routine" }, text { h.day .. ", " .. h.done .. "/" .. h.total, id = "detail", size = "small" } }
        end,
        on_item_click = function(_, h) self:start("Entry", { id = h.id }) end,
        on_item_long_click = function(i, h) self:ask_delete(i, h) end },
    }
  end,
}

activity "Entry" {
  view = function(self)
    local h = by_id(storage.history, self.intent.id)
    if not h then return gone("Workout") end
    return column {
      toolbar { h.routine, up = true, subtitle = h.day },
      text { h.done .. " of " .. h.total .. " done", id = "done" },
      text { "Time: " .. clock(h.seconds), id = "time" },
      text { "Effort: " .. EFFORTS[h.effort], id = "effort" },
      text { h.note ~= "" and h.note or "No note", id = "note" },
      button { "Change note", id = "change_note", on_click = function()
        self:dialog { title = "Note", view = function() return column { field { id = "new_note", text = h.note, max = 60 } } end,
          cancel = "Cancel", ok = "OK", on_ok = function() h.note = trim(self:text("new_note")) end }
      end },
    }
  end,
}

activity "Stats" {
  view = function(self)
    local t = storage.totals
    local best = 0
    for _, h in ipairs(storage.history) do best = math.max(best, h.seconds) end
    return column {
      toolbar { "Statistics", up = true },
      text { several(t.workouts, "workout", "workouts"), id = "workouts", size = "large" },
      text { "Total time " .. clock(t.seconds), id = "total" },
      text { "Average " .. (t.workouts > 0 and clock(t.seconds // t.workouts) or "–"), id = "average" },
      text { "Longest " .. clock(best), id = "longest" },
      progress { id = "goal_bar", value = math.min(t.workouts, prefs.goal), max = prefs.goal },
      text { t.workouts >= prefs.goal and "Goal reached" or (prefs.goal - t.workouts) .. " to go", id = "goal" },
      button { "Reset", id = "reset", enabled = t.workouts > 0, on_click = function()
        self:dialog { title = "Delete the whole history?", cancel = "Cancel", ok = "Delete", on_ok = function()
          storage.history = {}
          storage.totals = { workouts = 0, seconds = 0 }
        end }
      end },
    }
  end,
}

activity "Library" {
  create = function(self, intent, saved) self.part = saved and saved.part or 1 end,
  save = function(self, out) out.part = self.part end,

  ask_new = function(self)
    self.new_part = math.max(self.part, 2)
    self:dialog { title = "New exercise",
      view = function()
        return column {
          field { id = "exercise_name", hint = "Name", max = 20 },
          radios { id = "exercise_part", items = { "Arms", "Legs", "Core" }, selected = self.new_part - 1, on_change = function(i) self.new_part = i + 1 end },
        }
      end,
      cancel = "Cancel", ok = "Add", on_ok = function()
        local name = trim(self:text("exercise_name"))
        if name == "" or #storage.exercises >= 30 then return toast("Cannot add it") end
        if find(storage.exercises, function(e) return e.name:lower() == name:lower() end) then return toast("There is one already") end
        table.insert(storage.exercises, { id = new_id(), name = name, part = PARTS[self.new_part] })
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Exercises", up = true },
      tabs { id = "parts", titles = PARTS, selected = self.part, on_change = function(i) self.part = i end },
      list { id = "exercises", items = filter(storage.exercises, function(e) return self.part == 1 or e.part == PARTS[self.part] end),
        empty = text { "None", id = "empty" },
        row = function(e) return row { id = "exercise_row", text { (e.fav and "★ " or "") .. e.name, id = "name", weight = 1 }, text { e.part, id = "part", size = "small" } } end,
        on_item_click = function(_, e) e.fav = not e.fav end },
      fab { id = "add", desc = "New exercise", on_click = function() self:ask_new() end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text { "Rest between exercises: " .. prefs.rest .. " s", id = "rest" },
      slider { id = "rest_slider", min = 0, max = 60, step = 10, value = prefs.rest, on_change = function(v) prefs.rest = math.floor(v) end },
      text { "Goal: " .. several(prefs.goal, "workout", "workouts"), id = "goal" },
      row {
        button { "−", id = "goal_less", desc = "Lower goal", on_click = function() prefs.goal = math.max(prefs.goal - 1, 1) end },
        button { "+", id = "goal_more", desc = "Higher goal", on_click = function() prefs.goal = math.min(prefs.goal + 1, 14) end },
      },
      switch { "Sounds", id = "sound", checked = prefs.sound, on_change = function(b) prefs.sound = b end },
      switch { "Ask before stopping", id = "confirm_stop", checked = prefs.confirm_stop, on_change = function(b) prefs.confirm_stop = b end },
    }
  end,
}
