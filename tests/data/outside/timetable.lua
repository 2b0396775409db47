-- School Week: a class timetable with subjects, homework and marks. Lessons name their subject by id; times follow from the settings.

local DAY = 24 * 60 * 60 * 1000
local DAYS = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" }
local PERIODS = 8
local STARTS = { 450, 480, 510 }          -- minutes after midnight
local LENGTHS = { 40, 45, 50, 60 }

app {
  package = "org.norn.timetable",
  title = "School Week",
  main = "Main",
  bugs = { "new_lesson_wrong_day", "swap_one_way", "count_after_untick", "average_unweighted", "noon_is_zero", "subject_leaves_homework",
    "length_fixed_in_lesson", "postpone_from_today" },
  application = function()
    if storage.subjects then return end
    local today = now() // DAY
    storage.subjects = {
      { id = 1, name = "Maths", teacher = "Ms Noether", room = "12" }, { id = 2, name = "English", teacher = "Mr Shaw", room = "7" },
      { id = 3, name = "Physics", teacher = "Ms Curie", room = "Lab" }, { id = 4, name = "Art", teacher = "Mr Klee", room = "Studio" },
      { id = 5, name = "Sport", teacher = "Ms Blankers", room = "Gym" },
    }
    storage.lessons, storage.next_id = {}, 100
    for day, subjects in ipairs { { 1, 2, 3 }, { 2, 1, 4, 4 }, { 3, 3, 1 }, { 5, 5, 2 }, { 1, 2, 3, 4, 5 }, { 4 } } do
      for period, subject in ipairs(subjects) do
        table.insert(storage.lessons, { id = storage.next_id, subject = subject, day = day, period = period })
        storage.next_id = storage.next_id + 1
      end
    end
    storage.homework = {
      { id = 11, subject = 1, text = "Page 40, exercise 3", due = today + 3 },
      { id = 12, subject = 2, text = "Read chapter two", due = today + 5 },
      { id = 13, subject = 3, text = "Report on pendulums", due = today + 6, important = true },
      { id = 14, subject = 4, text = "Bring coloured paper", due = today + 4, done = true },
    }
    storage.open = 3                      -- how much homework is not done
    storage.marks = {
      { id = 21, subject = 1, percent = 60, exam = true }, { id = 22, subject = 1, percent = 90 }, { id = 23, subject = 2, percent = 75 },
      { id = 24, subject = 2, percent = 81, exam = true }, { id = 25, subject = 3, percent = 88, exam = true },
    }
    prefs.twelve, prefs.saturday, prefs.teachers, prefs.start, prefs.length = false, false, true, 2, 2
  end,
}

local function subject_by_id(id) return find(storage.subjects, function(s) return s.id == id end) end
local function lesson_by_id(id) return find(storage.lessons, function(l) return l.id == id end) end
local function homework_by_id(id) return find(storage.homework, function(h) return h.id == id end) end
local function subject_name(id) return subject_by_id(id) and subject_by_id(id).name or "?" end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function today() return now() // DAY end
local function weekday(day) return (day + 3) % 7 + 1 end              -- 1970 began on a Thursday
local function due_text(h) return DAYS[weekday(h.due)] and DAYS[weekday(h.due)] .. date(h.due * DAY, " %d %b") or date(h.due * DAY, "Sun %d %b") end
local function names(list) return each(list, function(s) return s.name end) end
local function days_shown() return prefs.saturday and 6 or 5 end

local function add_to(list)
  storage.next_id = storage.next_id + 1
  table.insert(list, { id = storage.next_id })
  return list[#list]
end

local function clock(minutes)
  local h, m = minutes // 60, minutes % 60
  if not prefs.twelve then return format("%d:%02d", h, m) end
  local hour = h % 12
  if hour == 0 and not bug("noon_is_zero") then hour = 12 end
  return format("%d:%02d %s", hour, m, h < 12 and "am" or "pm")
end
-- Ten minutes between lessons; on purpose the break after the fourth is half an hour long.
local function begin_of(period)
  return STARTS[prefs.start] + (period - 1) * (LENGTHS[prefs.length] + 10) + (period > 4 and 20 or 0)
end
local function room_of(l)                                             -- On purpose: a lesson without a room of its own follows its subject
  return l.room or subject_by_id(l.subject) and subject_by_id(l.subject).room or "?"
end

local function lessons_on(day)
  local out = filter(storage.lessons, function(l) return l.day == day end)
  table.sort(out, function(a, b) return a.period < b.period end)
  return out
end
local function lesson_at(day, period) return find(storage.lessons, function(l) return l.day == day and l.period == period end) end
-- On purpose: an exam counts twice.
local function average(marks, weighted)
  local sum, count = 0, 0
  for _, m in ipairs(marks) do
    local weight = m.exam and weighted and 2 or 1
    sum, count = sum + m.percent * weight, count + weight
  end
  return count > 0 and format("%.1f %%", sum / count) or "no marks"
end
local function remove(list, item) return table.remove(list, (index_of(list, item))) end

-- ---- the week ----

activity "Main" {
  create = function(self, intent, saved)
    local day = weekday(today())
    self.day = saved and saved.day or day <= 5 and day or 1           -- opens on today, at weekends on Monday
  end,
  save = function(self, out) out.day = self.day end,
  add = function(self) self:start("EditLesson", { day = bug("new_lesson_wrong_day") and math.min(weekday(today()), 5) or self.day }) end,
  menu = function(self)
    local function go(title, name) return { title, id = "go_" .. name:lower(), on_click = function() self:start(name) end } end
    return { go("Subjects", "Subjects"), go("Marks", "Marks"), go("Whole week", "Week"), go("Settings", "Settings") }
  end,
  view = function(self)
    if self.day > days_shown() then self.day = 1 end
    local titles = {}
    for i = 1, days_shown() do titles[i] = DAYS[i] end
    return column {
      toolbar { "School Week", subtitle = storage.open .. " to do",
        actions = { { "Homework", id = "homework", on_click = function() self:start("Homework") end } } },
      tabs { id = "days", titles = titles, selected = self.day, on_change = function(i) self.day = i end },
      list { id = "lesson_list", items = lessons_on(self.day), empty = text { "A free day", id = "empty" },
        row = function(l)
          return row { text { l.period .. ".", id = "period" },
            column { weight = 1, text { subject_name(l.subject), id = "lesson" },
              text { clock(begin_of(l.period)) .. " to " .. clock(begin_of(l.period) + LENGTHS[prefs.length]), id = "times", size = "small" } },
            text { room_of(l), id = "room" } }
        end,
        on_item_click = function(_, l) self:start("Lesson", { id = l.id }) end },
      fab { id = "add_lesson", desc = "Add lesson", on_click = function() self:add() end },
    }
  end,
}

activity "Week" {
  view = function(self)
    local total = 0
    for day = 1, days_shown() do total = total + #lessons_on(day) end   -- On purpose: Saturdays that are hidden do not count
    local rows = {}
    for day = 1, days_shown() do
      local there = lessons_on(day)
      table.insert(rows, column { text { DAYS[day] .. ": " .. plural(#there, "lesson"), id = "week_day" },
        text { table.concat(each(there, function(l) return subject_name(l.subject) end), ", "), id = "week_lessons", size = "small" } })
    end
    return column { toolbar { "Whole week", up = true, subtitle = plural(total, "lesson") }, scroll { rows } }
  end,
}

activity "Lesson" {
  move = function(self, l, period)
    local other = lesson_at(l.day, period)
    if bug("swap_one_way") then
      l.period = period
      if other then other.period = l.period end
      return
    end
    if other then other.period = l.period end                         -- On purpose: what is in the way takes the free place
    l.period = period
  end,
  ask_move = function(self, l)
    local items = {}
    for p = 1, PERIODS do
      local there = lesson_at(l.day, p)
      items[p] = p .. "." .. (there and " " .. subject_name(there.subject) or "")
    end
    self:dialog { title = "Move to", items = items, checked = l.period, on_item = function(p) self:move(l, p) end }
  end,
  ask_delete = function(self, l)
    self:dialog { title = "Delete this lesson?", cancel = "Cancel", ok = "Delete", on_ok = function() remove(storage.lessons, l) self:finish() end }
  end,
  menu = function(self)
    local l = lesson_by_id(self.intent.id)
    if not l then return {} end
    return {
      { "Edit", id = "edit", on_click = function() self:start("EditLesson", { id = l.id }) end },
      { "Delete", id = "delete", on_click = function() self:ask_delete(l) end },
    }
  end,
  view = function(self)
    local l = lesson_by_id(self.intent.id)
    if not l then return column { toolbar { "Lesson", up = true }, text { "This lesson is gone", id = "gone" } } end
    local start = begin_of(l.period)
    local todo = #filter(storage.homework, function(h) return h.subject == l.subject and not h.done end)
    return column {
      toolbar { subject_name(l.subject), up = true },
      text { DAYS[l.day] .. ", " .. l.period .. ". lesson", id = "when" },
      text { clock(start) .. " to " .. clock(start + (bug("length_fixed_in_lesson") and 45 or LENGTHS[prefs.length])), id = "from_to" },
      text { "Room: " .. room_of(l), id = "where" },
      prefs.teachers and text { "Teacher: " .. subject_by_id(l.subject).teacher, id = "who" },
      text { todo == 0 and "No homework" or todo .. " to do", id = "todo" },
      button { "Move", id = "move", on_click = function() self:ask_move(l) end },
      button { "Add homework", id = "lesson_homework", on_click = function() self:start("EditHomework", { subject = l.subject }) end },
      button { "Subject", id = "open_subject", on_click = function() self:start("Subject", { id = l.subject }) end },
    }
  end,
}

activity "EditLesson" {
  create = function(self, intent, saved)
    local l = intent.id and lesson_by_id(intent.id) or nil
    self.lesson = l
    local from = saved or l or { day = intent.day or 1 }
    self.subject, self.day, self.period = from.subject, from.day, from.period
    if not self.subject and storage.subjects[1] then self.subject = storage.subjects[1].id end
    if self.period then return end
    self.period = 1
    while self.period < PERIODS and lesson_at(self.day, self.period) do self.period = self.period + 1 end     -- the first free one
  end,
  save = function(self, out) out.subject, out.day, out.period = self.subject, self.day, self.period end,
  store = function(self)
    if not self.subject then return toast("Add a subject first") end
    local other = lesson_at(self.day, self.period)
    if other and other ~= self.lesson then return toast("There is " .. subject_name(other.subject) .. " already") end
    local l = self.lesson
    if not l then l = add_to(storage.lessons) end
    local room = trim(self:text("own_room"))
    l.subject, l.day, l.period, l.room = self.subject, self.day, self.period, room ~= "" and room or nil
    self:finish()
  end,
  view = function(self)
    local _, place = subject_by_id(self.subject)
    local days, periods = {}, {}
    for i = 1, math.max(days_shown(), self.day) do days[i] = DAYS[i] end
    for p = 1, PERIODS do periods[p] = p .. ". lesson, " .. clock(begin_of(p)) end
    return column {
      toolbar { self.lesson and "Edit lesson" or "New lesson", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      spinner { id = "subject", items = names(storage.subjects), selected = place, on_change = function(i) self.subject = storage.subjects[i].id end },
      spinner { id = "day", items = days, selected = self.day, on_change = function(i) self.day = i end },
      spinner { id = "period_choice", items = periods, selected = self.period, on_change = function(i) self.period = i end },
      field { id = "own_room", hint = "Room, if not the usual one", text = self.lesson and self.lesson.room or "", max = 12 },
    }
  end,
}

-- ---- homework ----

activity "Homework" {
  create = function(self, intent, saved) self.subject = saved and saved.subject end,
  save = function(self, out) out.subject = self.subject end,
  tick = function(self, h, done)
    h.done = done or nil
    if done then storage.open = storage.open - 1 elseif not bug("count_after_untick") then storage.open = storage.open + 1 end
  end,
  shown = function(self)
    local out = filter(storage.homework, function(h) return not self.subject or h.subject == self.subject end)
    local function rank(h) return h.done and 2 or h.important and 0 or 1 end
    -- On purpose: important first, done last, only then by date
    table.sort(out, function(a, b) return rank(a) < rank(b) or rank(a) == rank(b) and a.due < b.due end)
    return out
  end,
  delete = function(self, h)
    local place = index_of(storage.homework, h)
    table.remove(storage.homework, place)
    if not h.done then storage.open = storage.open - 1 end
    self:snackbar("Deleted", "Undo", function()
      if not subject_by_id(h.subject) then return end
      table.insert(storage.homework, math.min(place, #storage.homework + 1), h)
      if not h.done then storage.open = storage.open + 1 end
    end)
  end,
  row_menu = function(self, h)
    self:popup {
      { "Edit", id = "edit_homework", on_click = function() self:start("EditHomework", { id = h.id }) end },
      { "Postpone by a week", id = "postpone", on_click = function() h.due = (bug("postpone_from_today") and today() or h.due) + 7 end },
      { "Delete", id = "delete_homework", on_click = function() self:delete(h) end },
    }
  end,
  menu = function(self)
    local function clear() storage.homework = filter(storage.homework, function(h) return not h.done end) end
    return { { "Clear what is done", id = "clear_done", on_click = clear } }
  end,
  view = function(self)
    local _, place = subject_by_id(self.subject)
    if not place then self.subject = nil end
    local choices = names(storage.subjects)
    table.insert(choices, 1, "All subjects")
    return column {
      toolbar { "Homework", up = true, subtitle = storage.open .. " to do" },
      spinner { id = "subject_filter", items = choices, selected = place and place + 1 or 1,
        on_change = function(i) self.subject = i > 1 and storage.subjects[i - 1].id or nil end },
      list { id = "homework_list", items = self:shown(), empty = text { "Nothing to do", id = "empty" },
        row = function(h)
          return row { check { "", id = "done", desc = "Done: " .. h.text, checked = h.done == true, on_change = function(on) self:tick(h, on) end },
            column { weight = 1, text { (h.important and "! " or "") .. h.text, id = "homework_row" },
              text { subject_name(h.subject) .. ", for " .. due_text(h), id = "homework_info", size = "small" } } }
        end,
        on_item_click = function(_, h) self:row_menu(h) end },
      fab { id = "add_homework", desc = "Add homework", on_click = function() self:start("EditHomework", { subject = self.subject }) end },
    }
  end,
}

activity "EditHomework" {
  create = function(self, intent, saved)
    local h = intent.id and homework_by_id(intent.id) or nil
    self.homework = h
    local from = saved or h or { subject = intent.subject, due = today() + 1 }
    self.subject, self.due, self.important = from.subject, from.due, from.important
    if not subject_by_id(self.subject) then self.subject = storage.subjects[1] and storage.subjects[1].id or nil end
  end,
  save = function(self, out) out.subject, out.due, out.important = self.subject, self.due, self.important end,
  next_lesson = function(self)                                        -- the next day after today that has this subject
    for day = today() + 1, today() + 7 do
      local there = weekday(day) <= days_shown() and lessons_on(weekday(day)) or {}
      if find(there, function(l) return l.subject == self.subject end) then return day end
    end
  end,
  choose_due = function(self)
    self:dialog { title = "For when?", items = { "Tomorrow", "Next lesson", "In a week" }, on_item = function(i)
      local day = i == 1 and today() + 1 or i == 3 and today() + 7 or self:next_lesson()
      if day then self.due = day else toast("No lesson in this subject") end
    end }
  end,
  store = function(self)
    local what = trim(self:text("what"))
    if what == "" then return toast("What is to be done?") end
    if not self.subject then return toast("Add a subject first") end
    local h = self.homework
    if not h then
      h = add_to(storage.homework)
      storage.open = storage.open + 1
    end
    h.text, h.subject, h.due, h.important = what, self.subject, self.due, self.important or nil
    self:finish()
  end,
  view = function(self)
    local _, place = subject_by_id(self.subject)
    return column {
      toolbar { self.homework and "Edit homework" or "New homework", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "what", hint = "What", text = self.homework and self.homework.text or "", max = 60 },
      spinner { id = "homework_subject", items = names(storage.subjects), selected = place, on_change = function(i) self.subject = storage.subjects[i].id end },
      button { "For " .. due_text(self), id = "due", on_click = function() self:choose_due() end },
      check { "Important", id = "important", checked = self.important == true, on_change = function(on) self.important = on end },
    }
  end,
}

-- ---- subjects and marks ----

local function marks_of(id) return filter(storage.marks, function(m) return m.subject == id end) end

activity "Subjects" {
  view = function(self)
    local sorted = copy(storage.subjects)
    table.sort(sorted, function(a, b) return a.name:lower() < b.name:lower() end)
    return column {
      toolbar { "Subjects", up = true },
      list { id = "subject_list", items = sorted, empty = text { "No subjects", id = "empty" },
        row = function(s) return column { text { s.name, id = "subject_row" }, prefs.teachers and text { s.teacher, id = "subject_teacher", size = "small" } } end,
        on_item_click = function(_, s) self:start("Subject", { id = s.id }) end },
      fab { id = "add_subject", desc = "Add subject", on_click = function() self:start("EditSubject") end },
    }
  end,
}

activity "Subject" {
  ask_mark = function(self, s)
    self:set_text("percent", "")
    self.exam = false
    self:dialog { title = "New mark", cancel = "Cancel", ok = "Add",
      view = function()
        return column { field { id = "percent", hint = "Per cent", input = "number", max = 3 },
          check { "Exam, counts twice", id = "exam", checked = self.exam, on_change = function(on) self.exam = on end } }
      end,
      on_ok = function()
        local percent = tonumber(self:text("percent"))
        if not percent or percent > 100 then return toast("0 to 100") or true end
        local m = add_to(storage.marks)
        m.subject, m.percent, m.exam = s.id, percent, self.exam or nil
      end }
  end,
  delete = function(self, s)
    local lessons = #filter(storage.lessons, function(l) return l.subject == s.id end)
    self:dialog { title = "Delete " .. s.name .. "?", message = "Its " .. plural(lessons, "lesson") .. ", homework and marks go too.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        remove(storage.subjects, s)
        storage.lessons = filter(storage.lessons, function(l) return l.subject ~= s.id end)
        storage.marks = filter(storage.marks, function(m) return m.subject ~= s.id end)
        if not bug("subject_leaves_homework") then
          storage.open = storage.open - #filter(storage.homework, function(h) return h.subject == s.id and not h.done end)
          storage.homework = filter(storage.homework, function(h) return h.subject ~= s.id end)
        end
        self:finish()
      end }
  end,
  menu = function(self)
    local s = subject_by_id(self.intent.id)
    if not s then return {} end
    return {
      { "Edit", id = "edit", on_click = function() self:start("EditSubject", { id = s.id }) end },
      { "Delete", id = "delete", on_click = function() self:delete(s) end },
    }
  end,
  view = function(self)
    local s = subject_by_id(self.intent.id)
    if not s then return column { toolbar { "Subject", up = true }, text { "This subject is gone", id = "gone" } } end
    return column {
      toolbar { s.name, up = true, actions = { { "Add mark", id = "add_mark", on_click = function() self:ask_mark(s) end } } },
      text { (prefs.teachers and s.teacher .. ", room " or "Room ") .. s.room, id = "about" },
      text { "Average: " .. average(marks_of(s.id), not bug("average_unweighted")), id = "average" },
      list { id = "mark_list", items = marks_of(s.id), empty = text { "No marks yet", id = "empty" },
        row = function(m) return text { m.percent .. " %" .. (m.exam and ", exam" or ""), id = "mark" } end,
        on_item_long_click = function(_, m)
          self:dialog { title = "Delete this mark?", cancel = "Cancel", ok = "Delete", on_ok = function() remove(storage.marks, m) end }
        end },
    }
  end,
}

activity "EditSubject" {
  store = function(self)
    local s = subject_by_id(self.intent.id)
    local name = trim(self:text("name"))
    if name == "" then return toast("It needs a name") end
    if find(storage.subjects, function(o) return o ~= s and o.name:lower() == name:lower() end) then return toast("There is " .. name .. " already") end
    if not s then s = add_to(storage.subjects) end
    s.name, s.teacher, s.room = name, trim(self:text("teacher")), trim(self:text("usual_room"))
    self:finish()
  end,
  view = function(self)
    local s = subject_by_id(self.intent.id) or { name = "", teacher = "", room = "" }
    return column {
      toolbar { s.id and "Edit subject" or "New subject", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", text = s.name, max = 20 },
      field { id = "teacher", hint = "Teacher", text = s.teacher, max = 30 },
      field { id = "usual_room", hint = "Room", text = s.room, max = 12 },
    }
  end,
}

activity "Marks" {
  view = function(self)
    return column {
      toolbar { "Marks", up = true },
      text { "All subjects: " .. average(storage.marks, true), id = "overall" },
      list { id = "average_list", items = storage.subjects,
        row = function(s) return row { text { s.name, id = "average_subject", weight = 1 }, text { average(marks_of(s.id), true), id = "subject_average" } } end,
        on_item_click = function(_, s) self:start("Subject", { id = s.id }) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "12-hour clock", id = "twelve", checked = prefs.twelve, on_change = function(on) prefs.twelve = on end },
      switch { "School on Saturdays", id = "saturday", checked = prefs.saturday, on_change = function(on) prefs.saturday = on end },
      switch { "Show teachers", id = "teachers", checked = prefs.teachers, on_change = function(on) prefs.teachers = on end },
      text { "Minutes of a lesson", id = "length_label" },
      radios { id = "length", items = each(LENGTHS, tostring), selected = prefs.length, on_change = function(i) prefs.length = i end },
      text { "The first begins at", id = "start_label" },
      spinner { id = "start", items = each(STARTS, clock), selected = prefs.start, on_change = function(i) prefs.start = i end },
    }
  end,
}
