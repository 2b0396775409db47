-- Homeroom: a pupil's timetable, homework and grades.
--
-- Lessons lie in a plan of five days and seven periods, every week or only in week A or B. Days are days since 1970.
-- Grades are German ones: 1 is the best, 6 the worst; a grade has a weight.

app {
  package = "org.homeroom.planner",
  title = "Homeroom",
  main = "Main",
  bugs = { "today_times", "weight_forgotten", "swipe_count", "orphan_grades", "filter_after_edit", "week_later",
    "room_copied", "today_week" },
  application = function()
    if storage.subjects then return end
    storage.next_id = 300
    storage.subjects = {
      { id = 1, name = "Mathematics", short = "Mat", teacher = "Ms Okafor", room = "R 204" },
      { id = 2, name = "English", short = "Eng", teacher = "Mr Hale", room = "R 112" },
      { id = 3, name = "Biology", short = "Bio", teacher = "Dr Winter", room = "Lab 2" },
      { id = 4, name = "History", short = "His", teacher = "Mr Duarte", room = "R 015" },
      { id = 5, name = "Sports", short = "Spo", teacher = "Ms Lang", room = "Gym" },
      { id = 6, name = "Music", short = "Mus", teacher = "Mr Sato", room = "Aula" },
    }
    storage.lessons = {}
    -- for each day the subjects of its periods, 0: free
    local plan = {
      { 1, 1, 2, 0, 3, 4 }, { 2, 3, 3, 1, 5, 5 }, { 4, 1, 6, 2, 0, 3 }, { 5, 2, 1, 4 }, { 3, 1, 2, 6 },
    }
    for day, periods in ipairs(plan) do
      for period, subject in ipairs(periods) do
        if subject > 0 then
          table.insert(storage.lessons, { id = #storage.lessons + 101, day = day, period = period, subject = subject, week = "both" })
        end
      end
    end
    table.insert(storage.lessons, { id = 151, day = 5, period = 5, subject = 4, week = "A" })
    table.insert(storage.lessons, { id = 152, day = 1, period = 4, subject = 6, week = "A" })
    table.insert(storage.lessons, { id = 153, day = 1, period = 4, subject = 5, week = "B" })
    table.insert(storage.lessons, { id = 154, day = 4, period = 5, subject = 3, week = "B", room = "Greenhouse" })
    storage.homework = {
      { id = 201, subject = 1, text = "Page 84, 3 to 7", due = 19786, done = false },
      { id = 202, subject = 2, text = "Read chapter 5", due = 19787, done = false },
      { id = 203, subject = 3, text = "Draw a leaf cell", due = 19783, done = true },
      { id = 204, subject = 4, text = "Essay about the Hanse", due = 19795, done = false },
      { id = 205, subject = 6, text = "Practise the round", due = 19790, done = false },
    }
    storage.open = 4
    storage.grades = {
      { id = 251, subject = 1, what = "Test on fractions", value = 2, weight = 2 },
      { id = 252, subject = 1, what = "Oral", value = 1, weight = 1 },
      { id = 253, subject = 2, what = "Vocabulary", value = 3, weight = 1 },
      { id = 254, subject = 2, what = "Essay", value = 2, weight = 2 },
      { id = 255, subject = 3, what = "Test on cells", value = 4, weight = 2 },
      { id = 256, subject = 3, what = "Herbarium", value = 1, weight = 1 },
      { id = 257, subject = 5, what = "Long jump", value = 2, weight = 1 },
    }
    prefs.first = 480
    prefs.minutes = 45
    prefs.pause = 10
    prefs.ab = true
    prefs.decimals = 2
  end,
}

local DAY = 86400000
local MAX_SUBJECTS, MAX_HOMEWORK, MAX_GRADES = 15, 60, 80
local DAYS = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday" }
local WEEKS = { "both", "A", "B" }
local WEEK_NAMES = { "Every week", "Week A", "Week B" }
local SHOW = { "All homework", "Open", "Done" }
local PERIODS = 7
local LENGTHS = { 40, 45, 50, 60 }
local STARTS = { 450, 480, 510 }

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function subject_of(id) return by_id(storage.subjects, id) end
local function subject_name(id)
  local subject = subject_of(id)
  return subject and subject.name or "No subject"
end

local function today() return now() // DAY end
local function weekday(day) return (day + 3) % 7 + 1 end           -- Monday is 1
local function monday_of(day) return day - weekday(day) + 1 end
local function week_of(day) return (day + 3) // 7 % 2 == 0 and "A" or "B" end
local function day_text(day) return date(day * DAY, "%a %d %b") end
local function clock(minute) return format("%d:%02d", minute // 60, minute % 60) end

local function starts_at(period, minutes) return prefs.first + (period - 1) * (minutes + prefs.pause) end
local function period_text(period, minutes)
  local start = starts_at(period, minutes)
  return clock(start) .. "–" .. clock(start + minutes)
end

local function holds(lesson, week)
  if lesson.week == "both" then return true end
  return lesson.week == (prefs.ab and week or "A")       -- without A/B weeks the plan of week A holds
end

local function lesson_at(day, period, week)
  return (find(storage.lessons, function(l) return l.day == day and l.period == period and holds(l, week) end))
end

local function lessons_of(day, week)
  local result = filter(storage.lessons, function(l) return l.day == day and holds(l, week) end)
  table.sort(result, function(a, b) return a.period < b.period end)
  return result
end

local function room_of(lesson)
  local subject = subject_of(lesson.subject)
  return lesson.room or subject and subject.room or ""
end

local function recount() storage.open = #filter(storage.homework, function(h) return not h.done end) end

local function due_text(due)
  local days = due - today()
  if days == 0 then return "today" end
  if days == 1 then return "tomorrow" end
  if days < 0 then return "late, " .. day_text(due) end
  return day_text(due)
end

-- The first day after today with a lesson of the subject; a week from now if there is none.
local function next_lesson(subject)
  for day = today() + 1, today() + 21 do
    if find(lessons_of(weekday(day), week_of(day)), function(l) return l.subject == subject end) then return day end
  end
  return today() + 7
end

local function average(grades)
  local sum, weights = 0, 0
  for _, g in ipairs(grades) do sum, weights = sum + g.value * g.weight, weights + g.weight end
  if weights == 0 then return "–" end
  return format(prefs.decimals == 1 and "%.1f" or "%.2f", sum / weights)
end

local function grades_of(subject) return filter(storage.grades, function(g) return g.subject == subject end) end

-- ---- today, week, homework, grades ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.page = saved.page or "today"
    self.day, self.offset = saved.day or today(), saved.offset or 0
    self.show, self.showing = saved.show or 1, saved.showing or saved.show or 1
  end,
  save = function(self, out)
    out.page, out.day, out.offset, out.show, out.showing = self.page, self.day, self.offset, self.show, self.showing
  end,

  back = function(self)
    if self.page == "today" then return false end
    self.page = "today"
    return true
  end,

  result = function(self, request, data)
    if request == "homework" and data and bug("filter_after_edit") then self.showing = 1 end
  end,

  go = function(self, page)
    self.page = page
    if page == "today" then self.day = today() end
  end,

  drawer_items = function(self)
    local function item(name, title)
      return { title, id = "go_" .. name, checked = self.page == name, on_click = function() self:go(name) end }
    end
    return { item("today", "Today"), item("week", "Timetable"), item("homework", "Homework (" .. storage.open .. ")"), item("grades", "Grades"),
      { "Subjects", id = "go_subjects", on_click = function() self:start("Subjects") end },
      { "Settings", id = "go_settings", on_click = function() self:start("Settings") end } }
  end,

  -- Today

  today_page = function(self)
    local week = bug("today_week") and week_of(today()) or week_of(self.day)
    local lessons = lessons_of(weekday(self.day), week)
    local minutes = bug("today_times") and 45 or prefs.minutes
    local due = filter(storage.homework, function(h) return h.due == self.day and not h.done end)
    return {
      row {
        button { "‹", id = "day_before", desc = "Day before", on_click = function() self.day = self.day - 1 end },
        text { date(self.day * DAY, "%A, %d %b") .. (prefs.ab and " · week " .. week_of(self.day) or ""), id = "day", weight = 1 },
        button { "›", id = "day_after", desc = "Day after", on_click = function() self.day = self.day + 1 end },
      },
      list { id = "lessons", items = lessons, weight = 1, empty = text { "No lessons", id = "no_lessons" },
        row = function(l)
          return row { id = "lesson_row", text { period_text(l.period, minutes), id = "time" },
            text { subject_name(l.subject), id = "name", weight = 1 }, text { room_of(l), id = "room" } }
        end,
        on_item_click = function(_, l) self:start("Lesson", { id = l.id }) end },
      #due > 0 and text { "Due: " .. table.concat(each(due, function(h) return subject_name(h.subject) end), ", "), id = "due_here" },
      text { storage.open == 1 and "1 task open" or storage.open .. " tasks open", id = "open_tasks", on_click = function() self:go("homework") end },
    }
  end,

  -- The timetable

  cells = function(self, monday)
    local week = week_of(monday)
    local cells = { { head = "" } }
    for day = 1, 5 do table.insert(cells, { head = date((monday + day - 1) * DAY, "%a %d") }) end
    for period = 1, PERIODS do
      table.insert(cells, { head = clock(starts_at(period, prefs.minutes)) })
      for day = 1, 5 do table.insert(cells, { day = day, period = period, lesson = lesson_at(day, period, week) }) end
    end
    return cells
  end,

  week_page = function(self)
    local monday = monday_of(today()) + self.offset * 7
    return {
      row {
        button { "‹", id = "week_before", desc = "Week before", on_click = function() self.offset = self.offset - 1 end },
        text { date(monday * DAY, "%d %b") .. " – " .. date((monday + 4) * DAY, "%d %b") .. (prefs.ab and " · week " .. week_of(monday) or ""),
          id = "week", weight = 1 },
        button { "›", id = "week_after", desc = "Week after", on_click = function() self.offset = self.offset + 1 end },
      },
      grid { id = "plan", columns = 6, items = self:cells(monday),
        row = function(cell)
          if cell.head then return text { cell.head, id = "head", size = "small" } end
          local subject = cell.lesson and subject_of(cell.lesson.subject)
          return column { id = "cell", text { subject and subject.short or "·", id = "short" },
            text { cell.lesson and room_of(cell.lesson) or "", id = "cell_room", size = "small" } }
        end,
        on_item_click = function(_, cell)
          if cell.head then return end
          if cell.lesson then return self:start("Lesson", { id = cell.lesson.id }) end
          if #storage.subjects == 0 then return toast("Add a subject first") end
          self:start("Lesson", { day = cell.day, period = cell.period })
        end },
    }
  end,

  -- Homework

  tasks = function(self)
    local result = filter(storage.homework, function(h)
      if self.showing == 2 then return not h.done end
      if self.showing == 3 then return h.done end
      return true
    end)
    table.sort(result, function(a, b) return a.due < b.due end)
    return result
  end,

  drop_task = function(self, task)
    local i = index_of(storage.homework, task)
    if not i then return end
    table.remove(storage.homework, i)
    if not bug("swipe_count") then recount() end
    self:snackbar("Task deleted", "Undo", function()
      if not subject_of(task.subject) then return toast("That subject is gone") end
      table.insert(storage.homework, task)
      recount()
    end)
  end,

  homework_page = function(self)
    return {
      spinner { id = "show", items = SHOW, selected = self.show, on_change = function(i) self.show, self.showing = i, i end },
      list { id = "tasks", items = self:tasks(), empty = text { "Nothing to do", id = "no_tasks" },
        row = function(h)
          return row { id = "task_row",
            check { "", id = "done", desc = "Done", checked = h.done, on_change = function(b)
              h.done = b
              recount()
            end },
            column { weight = 1, text { h.text, id = "text" }, text { subject_name(h.subject) .. " · " .. due_text(h.due), id = "due", size = "small" } } }
        end,
        on_item_click = function(_, h) self:start_for_result("Task", "homework", { id = h.id }) end,
        on_item_swipe = function(i, direction)
          local task = self:tasks()[i]
          if task and direction == "left" then self:drop_task(task) end
        end },
      fab { id = "add_task", desc = "New task", on_click = function()
        if #storage.subjects == 0 then return toast("Add a subject first") end
        self:start_for_result("EditTask", "homework")
      end },
    }
  end,

  -- Grades

  grades_page = function(self)
    local count = #storage.grades
    return {
      text { "Average " .. average(storage.grades) .. " from " .. (count == 1 and "1 grade" or count .. " grades"), id = "overall", size = "large" },
      list { id = "grade_subjects", items = storage.subjects, empty = text { "No subjects", id = "no_subjects" },
        row = function(s)
          local grades = grades_of(s.id)
          return row { id = "grade_subject_row", text { s.name, id = "name", weight = 1 },
            text { #grades .. (#grades == 1 and " grade" or " grades"), id = "count", size = "small" }, text { average(grades), id = "average" } }
        end,
        on_item_click = function(_, s) self:start("Grades", { subject = s.id }) end },
    }
  end,

  view = function(self)
    local titles = { today = "Today", week = "Timetable", homework = "Homework", grades = "Grades" }
    local page = self[self.page .. "_page"](self)
    return column {
      toolbar { titles[self.page] },
      drawer { id = "drawer", header = "Homeroom", items = self:drawer_items() },
      page,
    }
  end,
}

-- ---- a lesson of the plan ----

activity "Lesson" {
  create = function(self, intent, saved)
    local lesson = intent.id and by_id(storage.lessons, intent.id)
    self.subject = saved and saved.subject or lesson and lesson.subject or storage.subjects[1] and storage.subjects[1].id
    self.week = saved and saved.week or lesson and index_of(WEEKS, lesson.week) or 1
  end,
  save = function(self, out) out.subject, out.week = self.subject, self.week end,

  -- Two lessons do not fit into one period of the same week.
  in_the_way = function(self, day, period, id)
    return find(storage.lessons, function(l)
      return l.day == day and l.period == period and l.id ~= id
        and (l.week == "both" or self.week == 1 or l.week == WEEKS[self.week])
    end)
  end,

  store = function(self)
    local lesson = self.intent.id and by_id(storage.lessons, self.intent.id)
    local day, period = lesson and lesson.day or self.intent.day or 1, lesson and lesson.period or self.intent.period or 1
    if self:in_the_way(day, period, lesson and lesson.id) then return toast("Another lesson is there in that week") end
    if not lesson then
      lesson = { id = new_id(), day = day, period = period }
      table.insert(storage.lessons, lesson)
    end
    local room = trim(self:text("room"))
    lesson.subject, lesson.week, lesson.room = self.subject, WEEKS[self.week], room ~= "" and room or nil
    local subject = subject_of(self.subject)
    if bug("room_copied") and not lesson.room and subject then lesson.room = subject.room end
    self:finish()
  end,

  remove = function(self)
    local lesson = by_id(storage.lessons, self.intent.id)
    local i = lesson and index_of(storage.lessons, lesson)
    if i then table.remove(storage.lessons, i) end
    self:finish()
  end,

  view = function(self)
    local lesson = self.intent.id and by_id(storage.lessons, self.intent.id)
    if self.intent.id and not lesson or not subject_of(self.subject) then
      return column { toolbar { "Lesson", up = true }, text { "This lesson is gone", id = "gone" } }
    end
    local day, period = lesson and lesson.day or self.intent.day or 1, lesson and lesson.period or self.intent.period or 1
    local names = each(storage.subjects, function(s) return s.name end)
    local subject = subject_of(self.subject)
    return column {
      toolbar { lesson and "Lesson" or "New lesson", up = true, subtitle = DAYS[day] .. ", period " .. period,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      spinner { id = "subject", items = names, selected = index_of(storage.subjects, subject), on_change = function(i) self.subject = storage.subjects[i].id end },
      text { subject.teacher, id = "teacher" },
      field { id = "room", hint = "Room (else " .. subject.room .. ")", text = lesson and lesson.room or "", max = 15 },
      prefs.ab and radios { id = "week_choice", items = WEEK_NAMES, selected = self.week, on_change = function(i) self.week = i end },
      lesson and button { "Remove from the plan", id = "remove", on_click = function() self:remove() end },
    }
  end,
}

-- ---- one task ----

activity "Task" {
  create = function(self) self.changed = false end,
  result = function(self, request, data) if data then self.changed = true end end,
  back = function(self)
    if not self.changed then return false end
    self:finish { changed = true }
    return true
  end,

  later = function(self, task)
    task.due = (bug("week_later") and today() or task.due) + 7
    toast("Due " .. due_text(task.due))
  end,

  ask_delete = function(self, task)
    self:dialog { title = "Delete this task?", message = task.text, ok = "Delete", cancel = "Cancel", on_ok = function()
      local i = index_of(storage.homework, task)
      if i then table.remove(storage.homework, i) end
      recount()
      self:finish { deleted = true }
    end }
  end,

  view = function(self)
    local task = by_id(storage.homework, self.intent.id)
    if not task then return column { toolbar { "Task", up = true }, text { "This task was deleted", id = "gone" } } end
    return column {
      toolbar { subject_name(task.subject), up = function() self:finish(self.changed and { changed = true } or nil) end,
        actions = { { "Edit", id = "edit", on_click = function() self:start_for_result("EditTask", "edit", { id = task.id }) end },
          { "Delete", id = "delete", on_click = function() self:ask_delete(task) end } } },
      text { task.text, id = "task_text", size = "large" },
      text { "Due " .. date(task.due * DAY, "%A, %d %B"), id = "task_due" },
      check { "Done", id = "task_done", checked = task.done, on_change = function(b)
        task.done = b
        recount()
      end },
      button { "A week later", id = "later", on_click = function() self:later(task) end },
    }
  end,
}

activity "EditTask" {
  create = function(self, intent, saved)
    local task = intent.id and by_id(storage.homework, intent.id)
    self.subject = saved and saved.subject or task and task.subject or storage.subjects[1] and storage.subjects[1].id
    self.due = saved and saved.due or task and task.due or today() + 1
  end,
  save = function(self, out) out.subject, out.due = self.subject, self.due end,

  store = function(self)
    local what = trim(self:text("what"))
    if what == "" then return toast("What is to be done?") end
    local task = self.intent.id and by_id(storage.homework, self.intent.id)
    if not task then
      if #storage.homework >= MAX_HOMEWORK then return toast("That is far too much homework") end
      task = { id = new_id(), done = false }
      table.insert(storage.homework, task)
    end
    task.text, task.subject, task.due = what, self.subject, self.due
    recount()
    self:finish { changed = true }
  end,

  view = function(self)
    local task = self.intent.id and by_id(storage.homework, self.intent.id)
    local subject = subject_of(self.subject)
    if not subject then return column { toolbar { "Task", up = true }, text { "Its subject is gone", id = "gone" } } end
    return column {
      toolbar { task and "Edit task" or "New task", up = true,
        actions = { { "Save", id = "save_task", on_click = function() self:store() end } } },
      field { id = "what", hint = "What is to be done", text = task and task.text or "", max = 60 },
      spinner { id = "task_subject", items = each(storage.subjects, function(s) return s.name end), selected = index_of(storage.subjects, subject),
        on_change = function(i) self.subject = storage.subjects[i].id end },
      row {
        button { "−", id = "sooner", desc = "A day sooner", on_click = function() self.due = math.max(today(), self.due - 1) end },
        text { day_text(self.due), id = "due_day", weight = 1 },
        button { "+", id = "day_later", desc = "A day later", on_click = function() self.due = self.due + 1 end },
      },
      button { "Next lesson", id = "next_lesson", on_click = function() self.due = next_lesson(self.subject) end },
    }
  end,
}

-- ---- grades of a subject ----

activity "Grades" {
  ask_grade = function(self, grade)
    local value = grade and grade.value or 2
    local weight = grade and grade.weight or 1
    if grade and bug("weight_forgotten") then weight = 1 end
    self:dialog { title = grade and "Edit grade" or "New grade", ok = "Save", cancel = "Cancel",
      view = function()
        return column {
          field { id = "grade_what", hint = "What for", text = grade and grade.what or "", max = 30 },
          text { "Grade: " .. value, id = "grade_value" },
          slider { id = "value", min = 1, max = 6, step = 1, value = value, on_change = function(v) value = v end },
          radios { id = "weight", items = { "counts once", "counts twice" }, selected = weight, on_change = function(i) weight = i end },
        }
      end,
      on_ok = function()
        local what = trim(self:text("grade_what"))
        if not grade then
          if #storage.grades >= MAX_GRADES then return toast("Too many grades") end
          grade = { id = new_id(), subject = self.intent.subject }
          table.insert(storage.grades, grade)
        end
        grade.what, grade.value, grade.weight = what ~= "" and what or "Grade", value, weight
      end,
      neutral = grade and "Delete", on_neutral = function()
        local i = index_of(storage.grades, grade)
        if i then table.remove(storage.grades, i) end
      end }
  end,

  view = function(self)
    local subject = subject_of(self.intent.subject)
    if not subject then return column { toolbar { "Grades", up = true }, text { "This subject was deleted", id = "gone" } } end
    local grades = grades_of(subject.id)
    return column {
      toolbar { subject.name, up = true, subtitle = "Average " .. average(grades) },
      list { id = "grades", items = grades, empty = text { "No grades yet", id = "no_grades" },
        row = function(g)
          return row { id = "grade_row", text { g.what, id = "what", weight = 1 }, text { tostring(g.value), id = "value_text" },
            text { g.weight == 2 and "×2" or "", id = "weight_text", size = "small" } }
        end,
        on_item_click = function(_, g) self:ask_grade(g) end },
      fab { id = "add_grade", desc = "New grade", on_click = function() self:ask_grade() end },
    }
  end,
}

-- ---- subjects and settings ----

activity "Subjects" {
  ask_subject = function(self, subject)
    self:dialog { title = subject and "Edit subject" or "New subject", ok = "Save", cancel = "Cancel",
      view = function()
        return column { field { id = "subject_name", hint = "Name", text = subject and subject.name or "", max = 20 },
          field { id = "subject_short", hint = "Short (as in the plan)", text = subject and subject.short or "", max = 4 },
          field { id = "subject_teacher", hint = "Teacher", text = subject and subject.teacher or "", max = 20 },
          field { id = "subject_room", hint = "Room", text = subject and subject.room or "", max = 15 } }
      end,
      on_ok = function()
        local name, short = trim(self:text("subject_name")), trim(self:text("subject_short"))
        if name == "" or short == "" then toast("A name and a short name, please") return true end
        if not subject then
          if #storage.subjects >= MAX_SUBJECTS then return toast("Too many subjects") end
          subject = { id = new_id() }
          table.insert(storage.subjects, subject)
        end
        subject.name, subject.short = name, short
        subject.teacher, subject.room = trim(self:text("subject_teacher")), trim(self:text("subject_room"))
      end }
  end,

  ask_delete = function(self, subject)
    self:dialog { title = "Delete " .. subject.name .. "?", message = "Its lessons, homework and grades are deleted too.", ok = "Delete", cancel = "Cancel",
      on_ok = function()
        local i = index_of(storage.subjects, subject)
        if i then table.remove(storage.subjects, i) end
        local function others(x) return x.subject ~= subject.id end
        storage.lessons, storage.homework = filter(storage.lessons, others), filter(storage.homework, others)
        if not bug("orphan_grades") then storage.grades = filter(storage.grades, others) end
        recount()
      end }
  end,

  hours = function(self, subject)
    local hours = 0
    for _, l in ipairs(storage.lessons) do
      if l.subject == subject.id then hours = hours + ((l.week == "both" or not prefs.ab and l.week == "A") and 2 or prefs.ab and 1 or 0) end
    end
    return format("%.1f", hours / 2)
  end,

  view = function(self)
    return column {
      toolbar { "Subjects", up = true },
      list { id = "subject_list", items = storage.subjects, empty = text { "No subjects", id = "empty" },
        row = function(s)
          return column { id = "subject_row", text { s.name, id = "name", size = "large" },
            text { s.teacher .. " · " .. s.room .. " · " .. self:hours(s) .. " lessons a week", id = "info", size = "small" } }
        end,
        on_item_click = function(_, s) self:ask_subject(s) end,
        on_item_long_click = function(_, s) self:ask_delete(s) end },
      fab { id = "add_subject", desc = "New subject", on_click = function() self:ask_subject() end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        switch { "Weeks A and B", id = "ab", checked = prefs.ab, on_change = function(b) prefs.ab = b end },
        text { "Without them the plan of week A holds every week.", id = "ab_info", size = "small" },
        text "First lesson",
        spinner { id = "first", items = each(STARTS, clock), selected = index_of(STARTS, prefs.first), on_change = function(i) prefs.first = STARTS[i] end },
        text "Length of a lesson",
        spinner { id = "minutes", items = each(LENGTHS, function(m) return m .. " minutes" end), selected = index_of(LENGTHS, prefs.minutes),
          on_change = function(i) prefs.minutes = LENGTHS[i] end },
        text { "Break: " .. prefs.pause .. " minutes", id = "pause_label" },
        slider { id = "pause", min = 5, max = 20, step = 5, value = prefs.pause, on_change = function(v) prefs.pause = v end },
        text "Averages",
        radios { id = "decimals", items = { "2.3", "2.33" }, selected = prefs.decimals, on_change = function(i) prefs.decimals = i end },
      },
    }
  end,
}
