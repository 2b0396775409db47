-- Satchel: a school timetable with subjects, grades and homework.
-- The lessons of a day are a list of their own; homework carries the id of its subject and, for the list, its name.

local DAY = 24 * 60 * 60 * 1000
local DAYS = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" }
local LENGTHS = { 45, 50, 60 }
local PERIODS = 7

app {
  package = "org.satchel.school",
  title = "Satchel",
  main = "Main",
  bugs = { "renamed_elsewhere", "exam_counts_once", "next_is_today", "copied_day_is_shared", "move_onto_another", "saturday_forgotten", "cleans_too_much",
    "back_to_today", "done_still_reminds" },
  application = function()
    if storage.subjects then return end
    prefs.saturday, prefs.length = false, 1
    storage.subjects = {
      { id = 1, name = "Biology", teacher = "Ms Okafor", grades = { { id = 61, value = 2, what = "Test" }, { id = 62, value = 3, what = "Test" } } },
      { id = 2, name = "English", teacher = "Mr Doyle", grades = { { id = 63, value = 1, what = "Test" } } },
      { id = 3, name = "History", teacher = "Ms Varga", grades = {} },
      { id = 4, name = "Maths", teacher = "Mr Lindqvist", grades = { { id = 64, value = 4, what = "Test" }, { id = 65, value = 2, what = "Test" } } },
    }
    storage.days = {
      { { id = 11, period = 1, subject = 4, room = "101" }, { id = 12, period = 2, subject = 2, room = "204" } },
      { { id = 13, period = 1, subject = 1, room = "Lab" }, { id = 14, period = 3, subject = 4, room = "101" } },
      { { id = 15, period = 2, subject = 3, room = "117" } },
      { { id = 16, period = 1, subject = 2, room = "204" }, { id = 17, period = 2, subject = 1, room = "Lab" } },
      { { id = 18, period = 1, subject = 3, room = "117" }, { id = 19, period = 2, subject = 4, room = "101" }, { id = 20, period = 4, subject = 2, room = "204" } },
      {},
    }
    storage.homework = {
      { id = 31, subject = 4, label = "Maths", title = "Page 42, 1 to 6", due = now() + 3 * DAY },
      { id = 32, subject = 2, label = "English", title = "Read chapter 3", due = now() + 6 * DAY },
      { id = 33, subject = 1, label = "Biology", title = "Draw a leaf", due = now() - DAY, done = true },
      { id = 34, subject = 4, label = "Maths", title = "Bring compasses", due = now() - 2 * DAY, done = true },
    }
    storage.next_id = 100
  end,
}

local saturday_here                               -- what the settings were told since the process began

local function subject_by_id(id) return find(storage.subjects, function(s) return s.id == id end) end
local function homework_by_id(id) return find(storage.homework, function(h) return h.id == id end) end
local function lesson_at(day, id) return find(storage.days[day] or {}, function(l) return l.id == id end) end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id - 1
end

local function saturday()
  if bug("saturday_forgotten") then return saturday_here or false end
  return prefs.saturday
end
local function day_names() return filter(DAYS, function(name) return name ~= "Sat" or saturday() end) end
local function day_of(ms) return index_of(DAYS, date(ms, "%a")) end
local function day_number(ms) return ms // DAY end

local function start_of(period)
  local minutes = 8 * 60 + (period - 1) * (LENGTHS[prefs.length] + 10)
  return format("%02d:%02d", minutes // 60, minutes % 60)
end

local function sorted_lessons(day)
  local out = filter(storage.days[day], function() return true end)
  table.sort(out, function(a, b) return a.period < b.period end)
  return out
end

local function average(subject)
  local sum, weights = 0, 0
  for _, grade in ipairs(subject.grades) do
    local weight = bug("exam_counts_once") and 1 or grade.weight or 1
    sum, weights = sum + grade.value * weight, weights + weight
  end
  return weights > 0 and format("%.2f", sum / weights) or "no grades"
end

local function due_text(h)
  local days = day_number(h.due) - day_number(now())
  local text = days == 0 and "today" or days == 1 and "tomorrow" or date(h.due, "%a %d %b")
  return (days < 0 and not h.done) and "overdue since " .. text or "due " .. text
end

local function set_done(h, done)
  h.done = done or nil
  if not done then return end
  h.remind = nil
  if not bug("done_still_reminds") then cancel_notification(h.id) end
end

local function remind(h)
  h.remind = true
  notify { id = h.id, title = h.label .. " homework", text = h.title, activity = "EditHomework", extras = { id = h.id } }
end

local function delete_homework(h)
  local _, i = homework_by_id(h.id)
  if i then table.remove(storage.homework, i) end
  cancel_notification(h.id)
end

local function choose_subject(self, on_chosen)
  if #storage.subjects == 0 then return toast("There are no subjects yet") end
  self:dialog { title = "Subject", items = each(storage.subjects, function(s) return s.name end), on_item = function(i) on_chosen(storage.subjects[i].id) end }
end

-- ---- the timetable ----

activity "Main" {
  create = function(self, intent, saved) self.day = saved and saved.day or self:today() end,
  save = function(self, out) out.day = self.day end,
  resume = function(self)
    if bug("back_to_today") or self.day > #day_names() then self.day = self:today() end
  end,
  today = function(self)
    local day = day_of(now())
    return day and day <= #day_names() and day or 1
  end,
  copy_day = function(self, to)
    storage.days[to] = each(storage.days[self.day], function(lesson)
      if bug("copied_day_is_shared") then return lesson end
      local new = copy(lesson)
      new.id = new_id()
      return new
    end)
    self.day = to
  end,
  ask_copy = function(self)
    if #storage.days[self.day] == 0 then return toast("There are no lessons to copy") end
    local names = day_names()
    self:dialog { title = "Copy " .. DAYS[self.day] .. " to", items = names, on_item = function(to)
      if to == self.day then return end
      if #storage.days[to] == 0 then return self:copy_day(to) end
      self:dialog { title = "Replace " .. names[to] .. "?", message = "Its lessons are removed", cancel = "Cancel", ok = "Replace",
        on_ok = function() self:copy_day(to) end }
    end }
  end,
  menu = function(self)
    return {
      { "Copy day", id = "copy_day", on_click = function() self:ask_copy() end },
      { "Subjects", id = "subjects", on_click = function() self:start("Subjects") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local open = #filter(storage.homework, function(h) return not h.done end)
    return column {
      toolbar { "Satchel", subtitle = date(now(), "%a %d %b") },
      tabs { id = "days", titles = day_names(), selected = self.day, on_change = function(i) self.day = i end },
      button { "Homework (" .. open .. ")", id = "homework", on_click = function() self:start("Homework") end },
      list { id = "lessons", items = sorted_lessons(self.day), empty = text { "No lessons", id = "empty" },
        row = function(l)
          return row { text { start_of(l.period), id = "time" }, text { subject_by_id(l.subject).name, id = "lesson", weight = 1 }, text { l.room, id = "room" } }
        end,
        on_item_click = function(_, l) self:start("Lesson", { day = self.day, id = l.id }) end },
      fab { id = "add", desc = "New lesson", on_click = function() self:start("EditLesson", { day = self.day }) end },
    }
  end,
}

activity "Lesson" {
  ask_delete = function(self)
    self:dialog { title = "Delete this lesson?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local _, i = lesson_at(self.intent.day, self.intent.id)
        if i then table.remove(storage.days[self.intent.day], i) end
        self:finish()
      end }
  end,
  view = function(self)
    local l = lesson_at(self.intent.day, self.intent.id)
    if not l then return column { toolbar { "Lesson", up = true }, text { "This lesson was deleted", id = "gone" } } end
    local subject = subject_by_id(l.subject)
    local work = filter(storage.homework, function(h) return h.subject == l.subject and not h.done end)
    return column {
      toolbar { subject.name, up = true, subtitle = DAYS[self.intent.day], actions = {
        { "Edit", id = "edit", on_click = function() self:start("EditLesson", { day = self.intent.day, id = l.id }) end },
        { "Delete", id = "delete", on_click = function() self:ask_delete() end } } },
      text { "Lesson " .. l.period .. ", from " .. start_of(l.period), id = "when" },
      text { "Room " .. l.room, id = "where" },
      subject.teacher ~= "" and text { "Teacher: " .. subject.teacher, id = "who" },
      list { id = "lesson_work", items = work, empty = text { "No homework", id = "empty" }, row = function(h) return text { h.title .. ", " .. due_text(h), id = "work" } end,
        on_item_click = function(_, h) self:start("EditHomework", { id = h.id }) end },
      button { "Add homework", id = "add_work", on_click = function() self:start("EditHomework", { subject = l.subject }) end },
    }
  end,
}

activity "EditLesson" {
  create = function(self, intent, saved)
    self.day = intent.day or 1
    self.lesson = intent.id and lesson_at(self.day, intent.id)
    self.subject = saved and saved.subject or self.lesson and self.lesson.subject
    self.period = saved and saved.period or self.lesson and self.lesson.period or self:first_free()
  end,
  save = function(self, out) out.subject, out.period = self.subject, self.period end,
  holder = function(self, period)
    return find(storage.days[self.day], function(l) return l.period == period and l ~= self.lesson end)
  end,
  first_free = function(self)
    for period = 1, PERIODS do
      if not self:holder(period) then return period end
    end
    return PERIODS
  end,
  store = function(self)
    local room = trim(self:text("room"))
    if not self.subject then return toast("Choose a subject") end
    if room == "" then return toast("In which room?") end
    local holder = self:holder(self.period)
    if holder and not (self.lesson and bug("move_onto_another")) then return toast("There is " .. subject_by_id(holder.subject).name .. " at that time") end
    local l = self.lesson or { id = new_id() }
    if not self.lesson then table.insert(storage.days[self.day], l) end
    l.subject, l.period, l.room = self.subject, self.period, room
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { self.lesson and "Edit lesson" or "New lesson", up = true, subtitle = DAYS[self.day] },
      scroll {
        button { self.subject and subject_by_id(self.subject).name or "Choose a subject", id = "choose_subject",
          on_click = function() choose_subject(self, function(id) self.subject = id end) end },
        row {
          button { "-", id = "earlier", enabled = self.period > 1, on_click = function() self.period = self.period - 1 end },
          text { "Lesson " .. self.period .. ", " .. start_of(self.period), id = "period", weight = 1 },
          button { "+", id = "later", enabled = self.period < PERIODS, on_click = function() self.period = self.period + 1 end },
        },
        field { id = "room", hint = "Room", text = self.lesson and self.lesson.room or "" },
        button { "Save", id = "save", on_click = function() self:store() end },
      },
    }
  end,
}

-- ---- subjects and grades ----

local function ask_subject(self, subject)
  local name, teacher = subject and subject.name or "", subject and subject.teacher or ""
  self:set_text("subject_name", name)
  self:set_text("teacher", teacher)
  self:dialog { title = subject and "Edit subject" or "New subject", cancel = "Cancel", ok = "Save",
    view = function() return column { field { id = "subject_name", hint = "Name", text = name }, field { id = "teacher", hint = "Teacher", text = teacher } } end,
    on_ok = function()
      local new = trim(self:text("subject_name"))
      if new == "" or find(storage.subjects, function(s) return s ~= subject and s.name:lower() == new:lower() end) then
        toast(new == "" and "It needs a name" or new .. " is there already")
        return true
      end
      if not subject then
        subject = { id = new_id(), grades = {} }
        table.insert(storage.subjects, subject)
      end
      subject.name, subject.teacher = new, trim(self:text("teacher"))
      if not bug("renamed_elsewhere") then
        for _, h in ipairs(storage.homework) do
          if h.subject == subject.id then h.label = new end
          if h.subject == subject.id and h.remind then remind(h) end
        end
      end
      table.sort(storage.subjects, function(a, b) return a.name:lower() < b.name:lower() end)
    end }
end

activity "Subjects" {
  view = function(self)
    return column {
      toolbar { "Subjects", up = true },
      list { id = "subject_list", items = storage.subjects, empty = text { "No subjects", id = "empty" },
        row = function(s) return row { text { s.name, id = "subject", weight = 1 }, text { average(s), id = "average" } } end,
        on_item_click = function(_, s) self:start("Subject", { id = s.id }) end },
      fab { id = "add_subject", desc = "New subject", on_click = function() ask_subject(self, nil) end },
    }
  end,
}

activity "Subject" {
  ask_grade = function(self, subject)
    local value, exam = 1, false
    self:dialog { title = "New grade", cancel = "Cancel", ok = "Add",
      view = function()
        return column {
          row {
            button { "-", id = "lower", enabled = value > 1, on_click = function() value = value - 1 end },
            text { tostring(value), id = "grade_value", weight = 1 },
            button { "+", id = "higher", enabled = value < 6, on_click = function() value = value + 1 end },
          },
          check { "Exam, counts twice", id = "exam", checked = exam, on_change = function(on) exam = on end },
        }
      end,
      on_ok = function()
        table.insert(subject.grades, { id = new_id(), value = value, what = exam and "Exam" or "Test", weight = exam and 2 or nil })
      end }
  end,
  delete = function(self, subject)
    for day, lessons in ipairs(storage.days) do storage.days[day] = filter(lessons, function(l) return l.subject ~= subject.id end) end
    for _, h in ipairs(filter(storage.homework, function(h) return h.subject == subject.id end)) do delete_homework(h) end
    local _, i = subject_by_id(subject.id)
    table.remove(storage.subjects, i)
    self:finish()
  end,
  view = function(self)
    local s = subject_by_id(self.intent.id)
    if not s then return column { toolbar { "Subject", up = true }, text { "This subject was deleted", id = "gone" } } end
    return column {
      toolbar { s.name, up = true, subtitle = s.teacher ~= "" and s.teacher or nil, actions = {
        { "Edit", id = "edit_subject", on_click = function() ask_subject(self, s) end },
        { "Delete", id = "delete_subject", on_click = function()
          self:dialog { title = "Delete " .. s.name .. "?", message = "With its lessons, grades and homework", cancel = "Cancel", ok = "Delete",
            on_ok = function() self:delete(s) end }
        end } } },
      text { "Average: " .. average(s), id = "subject_average", size = "large" },
      list { id = "grades", items = s.grades, empty = text { "No grades yet", id = "empty" },
        row = function(g) return text { g.what .. ": " .. g.value, id = "grade" } end,
        on_item_long_click = function(i, g)
          self:dialog { title = "Delete " .. g.what .. " with " .. g.value .. "?", cancel = "Cancel", ok = "Delete", on_ok = function() table.remove(s.grades, i) end }
        end },
      button { "Add grade", id = "add_grade", on_click = function() self:ask_grade(s) end },
    }
  end,
}

-- ---- homework ----

activity "Homework" {
  create = function(self, intent, saved) self.subject = saved and saved.subject end,
  save = function(self, out) out.subject = self.subject end,
  shown = function(self)
    local out = filter(storage.homework, function(h) return not self.subject or h.subject == self.subject end)
    table.sort(out, function(a, b)
      if (a.done or false) ~= (b.done or false) then return not a.done end
      return a.due < b.due
    end)
    return out
  end,
  ask_filter = function(self)
    local names = each(storage.subjects, function(s) return s.name end)
    table.insert(names, 1, "All subjects")
    self:dialog { title = "Show homework of", items = names, on_item = function(i) self.subject = i > 1 and storage.subjects[i - 1].id or nil end }
  end,
  ask_clean = function(self)
    local finished = filter(self:shown(), function(h) return h.done end)
    if #finished == 0 then return toast("Nothing is finished") end
    self:dialog { title = "Delete finished homework (" .. #finished .. ")?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        if bug("cleans_too_much") then finished = filter(storage.homework, function(h) return h.done end) end
        each(finished, delete_homework)
      end }
  end,
  context = function(self, h)
    self:popup {
      { h.remind and "Stop reminding" or "Remind me", id = "remind", enabled = not h.done, on_click = function()
        if not h.remind then return remind(h) end
        h.remind = nil
        cancel_notification(h.id)
      end },
      { "Delete", id = "delete_work", on_click = function() delete_homework(h) end },
    }
  end,
  menu = function(self)
    return {
      { "Filter by subject", id = "filter", on_click = function() self:ask_filter() end },
      { "Delete finished", id = "clean", on_click = function() self:ask_clean() end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Homework", up = true, subtitle = self.subject and subject_by_id(self.subject).name or "All subjects" },
      list { id = "work_list", items = self:shown(), empty = text { "No homework", id = "empty" },
        row = function(h)
          return row {
            check { h.label, id = "done", checked = h.done or false, on_change = function(on) set_done(h, on) end },
            column { text { h.title, id = "work_title" }, text { due_text(h) .. (h.remind and ", reminder" or ""), id = "due", size = "small" } },
          }
        end,
        on_item_click = function(_, h) self:start("EditHomework", { id = h.id }) end,
        on_item_long_click = function(_, h) self:context(h) end },
      fab { id = "add_homework", desc = "New homework", on_click = function() self:start("EditHomework", { subject = self.subject }) end },
    }
  end,
}

activity "EditHomework" {
  create = function(self, intent, saved)
    self.work = intent.id and homework_by_id(intent.id)
    self.subject = saved and saved.subject or self.work and self.work.subject or intent.subject
    self.due = saved and saved.due or self.work and self.work.due or now() + DAY
  end,
  save = function(self, out) out.subject, out.due = self.subject, self.due end,
  next_lesson = function(self)
    for days = bug("next_is_today") and 0 or 1, 7 do
      local day = day_of(now() + days * DAY)
      if day and day <= #day_names() and find(storage.days[day], function(l) return l.subject == self.subject end) then return now() + days * DAY end
    end
  end,
  choose_due = function(self)
    self:dialog { title = "Due", items = { "Tomorrow", "Next lesson", "In a week" }, on_item = function(i)
      if i == 2 and not self.subject then return toast("Choose a subject first") end
      local due = i == 2 and self:next_lesson() or i ~= 2 and now() + (i == 1 and 1 or 7) * DAY
      if not due then return toast("That subject has no lessons") end
      self.due = due
    end }
  end,
  store = function(self)
    local title = trim(self:text("work_name"))
    if not self.subject then return toast("Choose a subject") end
    if title == "" then return toast("What is to be done?") end
    local h = self.work
    if not h then
      h = { id = new_id() }
      table.insert(storage.homework, h)
    end
    h.subject, h.label, h.title, h.due = self.subject, subject_by_id(self.subject).name, title, self.due
    if h.remind then remind(h) end
    self:finish()
  end,
  view = function(self)
    if self.intent.id and not homework_by_id(self.intent.id) then
      return column { toolbar { "Homework", up = true }, text { "This was deleted", id = "gone" } }
    end
    return column {
      toolbar { self.work and "Edit homework" or "New homework", up = true },
      scroll {
        button { self.subject and subject_by_id(self.subject).name or "Choose a subject", id = "work_subject",
          on_click = function() choose_subject(self, function(id) self.subject = id end) end },
        field { id = "work_name", hint = "What", text = self.work and self.work.title or "" },
        button { "Due " .. date(self.due, "%a %d %b"), id = "choose_due", on_click = function() self:choose_due() end },
        button { "Save", id = "save_work", on_click = function() self:store() end },
      },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Lessons on Saturday", id = "saturday", checked = saturday(), on_change = function(on)
        saturday_here = on
        if not bug("saturday_forgotten") then prefs.saturday = on end
      end },
      text { "Minutes of a lesson", size = "small" },
      radios { id = "length", items = each(LENGTHS, tostring), selected = prefs.length, on_change = function(i) prefs.length = i end },
    }
  end,
}
