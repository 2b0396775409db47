-- Stitch Count: knitting projects with row counters, a stash of yarn and a box of needles.
-- Forms have no save button: what was typed is kept when they are left.

local TABS = { "On the needles", "Finished" }
local SORTS = { "Date added", "Name", "Progress" }
local WEIGHTS = { "Lace", "Fingering", "Worsted", "Bulky" }
local YARD = 1.0936

app {
  package = "org.stitchcount.app",
  title = "Stitch Count",
  main = "Main",
  bugs = { "undo_zero", "search_case", "repeat_back", "stash_sum", "units_forgotten", "needle_cancel", "sort_end", "twin_rows" },
  application = function()
    if storage.projects then return end
    storage.counters = { 34, 12, 60 }
    storage.projects = {
      { id = 1, name = "Cabled scarf", counter = 1, target = 80, every = 8, note = "Slip the first stitch", needle = 2, yarns = { 1 } },
      { id = 2, name = "Baby hat", counter = 2, target = 40, every = 0, note = "", needle = 3, yarns = {} },
      { id = 3, name = "Mittens", counter = 3, target = 60, every = 0, note = "For Ida", done = true, yarns = { 2 } },
    }
    storage.yarns = {
      { id = 1, name = "Merino Soft", colour = "Moss", weight = 3, metres = 400 },
      { id = 2, name = "Alpaca Cloud", colour = "Grey", weight = 2, metres = 350 },
      { id = 3, name = "Harbour Cotton", colour = "Navy", weight = 3, metres = 250 },
    }
    storage.needles = { { id = 1, size = "3.0" }, { id = 2, size = "4.0" }, { id = 3, size = "4.5" }, { id = 4, size = "6.0" } }
    storage.metres = 1000
    storage.next_id = 10
    storage.bin = {}
    prefs.sort, prefs.yards, prefs.counter_buttons = 1, false, true
  end,
}

yards = nil                                        -- the unit of this run of the app, when it was changed in it

local function by_id(list, id) return find(list, function(x) return x.id == id end) end
local function project_by_id(id) return by_id(storage.projects, id) end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function rows_of(project) return storage.counters[project.counter] end

local function new_counter(rows)
  local id = new_id()
  storage.counters[id] = rows
  return id
end

local function whole(text) return math.max(0, math.tointeger(tonumber(text)) or 0) end

local function label(yarn) return yarn.name .. (yarn.colour ~= "" and ", " .. yarn.colour or "") end

local function percent(project)
  if project.target == 0 then return 0 end
  return rows_of(project) * 100 // project.target
end

local function progress_text(project)
  if project.target == 0 then return plural(rows_of(project), "row") end
  return rows_of(project) .. " of " .. plural(project.target, "row")
end

local function uses_yards()
  if bug("units_forgotten") then return yards or false end
  return prefs.yards
end

local function set_yards(on)
  if bug("units_forgotten") then yards = on else prefs.yards = on end
end

local function length(metres)
  if uses_yards() then return math.floor(metres * YARD + 0.5) .. " yd" end
  return metres .. " m"
end

local function count_row(project, by)
  local rows = rows_of(project)
  if by > 0 and project.target > 0 and rows >= project.target then return toast("That was the last row") end
  if by < 0 and rows == 0 then return toast("No row yet") end
  storage.counters[project.counter] = rows + by
  if by < 0 and bug("repeat_back") then project.ahead = (project.ahead or 0) + 1 end
end

-- The row of the pattern that is knitted next.
local function pattern_row(project) return (rows_of(project) + (project.ahead or 0)) % project.every + 1 end

local function sort_projects(list, sort)
  if sort == 1 then table.sort(list, function(a, b) return a.id < b.id end) end
  if sort == 2 then table.sort(list, function(a, b) return a.name:lower() < b.name:lower() end) end
  if sort == 3 then table.sort(list, function(a, b) return percent(a) > percent(b) end) end
  return list
end

local function stash_metres()
  if bug("stash_sum") then return storage.metres end
  local sum = 0
  for _, yarn in ipairs(storage.yarns) do sum = sum + yarn.metres end
  return sum
end

local function user_of(needle) return find(storage.projects, function(p) return p.needle == needle.id and not p.done end) end

-- ---- the projects ----

activity "Main" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,

  shown = function(self)
    local list = filter(storage.projects, function(p) return (p.done or false) == (self.tab == 2) end)
    if bug("sort_end") then return list end
    return sort_projects(list, prefs.sort)
  end,

  ask_sort = function(self)
    self:dialog { title = "Sort by", items = SORTS, checked = prefs.sort, on_item = function(i)
      prefs.sort = i
      if bug("sort_end") then sort_projects(storage.projects, i) end
    end }
  end,

  duplicate = function(self, project)
    local twin = { id = new_id(), name = project.name .. " (copy)", target = project.target, every = project.every,
      note = project.note, yarns = copy(project.yarns) }
    twin.counter = bug("twin_rows") and project.counter or new_counter(rows_of(project))
    table.insert(storage.projects, twin)
    toast("Copied")
  end,

  delete = function(self, project)
    local _, at = project_by_id(project.id)
    if not at then return end
    table.remove(storage.projects, at)
    table.insert(storage.bin, 1, project)
    self:snackbar(project.name .. " is in the bin", "Undo", function()
      local _, place = by_id(storage.bin, project.id)
      if not place then return end
      table.remove(storage.bin, place)
      table.insert(storage.projects, math.min(at, #storage.projects + 1), project)
      if bug("undo_zero") then project.counter = new_counter(0) end
    end)
  end,

  ask_what = function(self, project)
    self:popup {
      { "Edit", id = "edit_project", on_click = function() self:start("ProjectForm", { id = project.id }) end },
      { "Copy", id = "copy_project", on_click = function() self:duplicate(project) end },
      { project.done and "Reopen" or "Finish", id = "finish_project", on_click = function() project.done = not project.done end },
      { "Delete", id = "delete_project", on_click = function() self:delete(project) end },
    }
  end,

  menu = function(self)
    return {
      { "Sort by", id = "sort", on_click = function() self:ask_sort() end },
      { "Stash", id = "stash", on_click = function() self:start("Stash") end },
      { "Needles", id = "needles", on_click = function() self:start("Needles") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Bin", id = "bin", on_click = function() self:start("Bin") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Stitch Count", subtitle = "Sorted by " .. SORTS[prefs.sort]:lower() },
      tabs { id = "shelves", titles = TABS, selected = self.tab, on_change = function(i) self.tab = i end },
      list { id = "projects", items = self:shown(), empty = text { "Nothing here yet", id = "empty" },
        row = function(project)
          return row { id = "project_row",
            column { weight = 1, text { project.name, id = "name" }, text { progress_text(project), id = "rows", size = "small" } },
            prefs.counter_buttons and not project.done and button { "+1", id = "quick_row", on_click = function() count_row(project, 1) end },
          }
        end,
        on_item_click = function(_, project) self:start("Project", { id = project.id }) end,
        on_item_long_click = function(_, project) self:ask_what(project) end },
      fab { id = "add", desc = "New project", on_click = function() self:start("ProjectForm") end },
    }
  end,
}

activity "Project" {
  choose_needle = function(self, project)
    if bug("needle_cancel") then project.needle = nil end
    local names = each(storage.needles, function(n) return n.size .. " mm" end)
    table.insert(names, 1, "No needle")
    self:dialog { title = "Needle", items = names, cancel = "Cancel",
      on_item = function(i) project.needle = i > 1 and storage.needles[i - 1].id or nil end }
  end,

  choose_yarns = function(self, project)
    local chosen = {}
    for _, id in ipairs(project.yarns) do chosen[id] = true end
    self:dialog { title = "Yarns", ok = "OK", cancel = "Cancel",
      view = function()
        return column { each(storage.yarns, function(yarn)
          return check { label(yarn), id = "yarn_check", checked = chosen[yarn.id] or false,
            on_change = function(on) chosen[yarn.id] = on or nil end }
        end) }
      end,
      on_ok = function()
        project.yarns = {}
        for _, yarn in ipairs(storage.yarns) do
          if chosen[yarn.id] then table.insert(project.yarns, yarn.id) end
        end
      end }
  end,

  ask_reset = function(self, project)
    self:dialog { title = "Start again at row 0?", cancel = "Cancel", ok = "Start again",
      on_ok = function() storage.counters[project.counter], project.ahead = 0, nil end }
  end,

  yarn_names = function(self, project)
    local names = {}
    for _, id in ipairs(project.yarns) do
      local yarn = by_id(storage.yarns, id)
      if yarn then table.insert(names, yarn.name) end
    end
    return #names > 0 and table.concat(names, ", ") or "none"
  end,

  menu = function(self)
    local project = project_by_id(self.intent.id)
    if not project then return {} end
    return {
      { project.done and "Reopen" or "Finish", id = "finish", on_click = function() project.done = not project.done end },
      { "Start again", id = "reset", on_click = function() self:ask_reset(project) end },
    }
  end,

  view = function(self)
    local project = project_by_id(self.intent.id)
    if not project then return column { toolbar { "Project", up = true }, text { "This project is gone", id = "gone" } } end
    local needle = project.needle and by_id(storage.needles, project.needle)
    return column {
      toolbar { project.name, up = true, subtitle = project.done and "Finished" or nil,
        actions = { { "Edit", id = "edit", on_click = function() self:start("ProjectForm", { id = project.id }) end } } },
      scroll {
        text { progress_text(project), id = "progress", size = "large" },
        project.target > 0 and progress { value = rows_of(project), max = project.target },
        project.every > 0 and text { "Next: pattern row " .. pattern_row(project) .. " of " .. project.every, id = "pattern" },
        not project.done and row {
          button { "Row back", id = "minus", on_click = function() count_row(project, -1) end },
          button { "Row done", id = "plus", on_click = function() count_row(project, 1) end },
        },
        text { "Needle: " .. (needle and needle.size .. " mm" or "none"), id = "needle" },
        text { "Yarns: " .. self:yarn_names(project), id = "yarns" },
        row {
          button { "Needle", id = "choose_needle", on_click = function() self:choose_needle(project) end },
          button { "Yarns", id = "choose_yarns", on_click = function() self:choose_yarns(project) end },
        },
        project.note ~= "" and text { project.note, id = "note", size = "small" },
      },
    }
  end,
}

activity "ProjectForm" {
  keep = function(self)
    local project = self.intent.id and project_by_id(self.intent.id)
    local name = trim(self:text("name"))
    local target, every = whole(self:text("target")), whole(self:text("every"))
    local note = trim(self:text("note"))
    if not project then
      if name == "" then return self:finish() end
      project = { id = new_id(), counter = new_counter(0), yarns = {} }
      project.name, project.target, project.every, project.note = name, target, every, note
      table.insert(storage.projects, project)
    else
      if name ~= "" then project.name = name end
      if every ~= project.every then project.ahead = nil end
      project.target, project.every, project.note = target, every, note
      if target > 0 and rows_of(project) > target then storage.counters[project.counter] = target end
    end
    toast("Saved")
    self:finish()
  end,
  back = function(self)
    self:keep()
    return true
  end,
  view = function(self)
    local project = self.intent.id and project_by_id(self.intent.id)
    local function number(n) return n and n > 0 and tostring(n) or "" end
    return column {
      toolbar { project and "Edit project" or "New project", up = function() self:keep() end },
      scroll {
        field { id = "name", hint = "Name", text = project and project.name or "", max = 40 },
        field { id = "target", hint = "Rows to knit", text = number(project and project.target), input = "number", max = 4 },
        field { id = "every", hint = "Rows of the pattern", text = number(project and project.every), input = "number", max = 3 },
        field { id = "note", hint = "Note", text = project and project.note or "", input = "multiline", max = 200 },
      },
    }
  end,
}

activity "Bin" {
  ask_empty = function(self)
    self:dialog { title = "Empty the bin?", message = plural(#storage.bin, "project") .. " will be gone for good", cancel = "Cancel",
      ok = "Empty", on_ok = function() storage.bin = {} end }
  end,
  view = function(self)
    return column {
      toolbar { "Bin", up = true, actions = #storage.bin > 0 and { { "Empty", id = "empty_bin", on_click = function() self:ask_empty() end } } or nil },
      list { id = "thrown", items = storage.bin, empty = text { "The bin is empty", id = "empty" },
        row = function(project)
          return row { text { project.name, id = "name", weight = 1 },
            button { "Restore", id = "restore", on_click = function()
              local _, at = by_id(storage.bin, project.id)
              if not at then return end
              table.remove(storage.bin, at)
              table.insert(storage.projects, project)
              if bug("sort_end") then sort_projects(storage.projects, prefs.sort) end
            end } }
        end },
    }
  end,
}

-- ---- the stash ----

activity "Stash" {
  create = function(self, intent, saved)
    self.query, self.weight = saved and saved.query or "", saved and saved.weight or 1
  end,
  save = function(self, out) out.query, out.weight = self.query, self.weight end,

  shown = function(self)
    return filter(storage.yarns, function(yarn)
      if self.weight > 1 and yarn.weight ~= self.weight - 1 then return false end
      local line = label(yarn)
      if bug("search_case") then return contains(line, trim(self.query)) end
      return contains(line:lower(), trim(self.query):lower())
    end)
  end,

  ask_delete = function(self, yarn)
    self:dialog { title = "Delete " .. yarn.name .. "?", cancel = "Cancel", ok = "Delete", on_ok = function()
      local _, at = by_id(storage.yarns, yarn.id)
      if not at then return end
      table.remove(storage.yarns, at)
      storage.metres = storage.metres - yarn.metres
      for _, project in ipairs(storage.projects) do
        project.yarns = filter(project.yarns, function(id) return id ~= yarn.id end)
      end
    end }
  end,

  view = function(self)
    local kinds = copy(WEIGHTS)
    table.insert(kinds, 1, "All weights")
    return column {
      toolbar { "Stash", up = true, subtitle = plural(#storage.yarns, "yarn") .. ", " .. length(stash_metres()) },
      field { id = "query", hint = "Search", max = 30, on_change = function(s) self.query = s end },
      spinner { id = "weight", items = kinds, selected = self.weight, on_change = function(i) self.weight = i end },
      list { id = "yarns", items = self:shown(), empty = text { "No yarn found", id = "empty" },
        row = function(yarn)
          return column { id = "yarn_row", text { label(yarn), id = "yarn" },
            text { WEIGHTS[yarn.weight] .. ", " .. length(yarn.metres), id = "detail", size = "small" } }
        end,
        on_item_click = function(_, yarn) self:start("YarnForm", { id = yarn.id }) end,
        on_item_long_click = function(_, yarn) self:ask_delete(yarn) end },
      fab { id = "add_yarn", desc = "New yarn", on_click = function() self:start("YarnForm") end },
    }
  end,
}

activity "YarnForm" {
  create = function(self, intent, saved)
    local yarn = intent.id and by_id(storage.yarns, intent.id)
    self.weight = saved and saved.weight or yarn and yarn.weight or 1
  end,
  save = function(self, out) out.weight = self.weight end,
  keep = function(self)
    local yarn = self.intent.id and by_id(storage.yarns, self.intent.id)
    local name = trim(self:text("name"))
    if not yarn then
      if name == "" then return self:finish() end
      yarn = { id = new_id(), metres = whole(self:text("metres")) }
      storage.metres = storage.metres + yarn.metres
      table.insert(storage.yarns, yarn)
    end
    yarn.metres = whole(self:text("metres"))
    if name ~= "" then yarn.name = name end
    yarn.colour, yarn.weight = trim(self:text("colour")), self.weight
    self:finish()
  end,
  back = function(self)
    self:keep()
    return true
  end,
  view = function(self)
    local yarn = self.intent.id and by_id(storage.yarns, self.intent.id)
    return column {
      toolbar { yarn and "Edit yarn" or "New yarn", up = function() self:keep() end },
      scroll {
        field { id = "name", hint = "Name", text = yarn and yarn.name or "", max = 30 },
        field { id = "colour", hint = "Colour", text = yarn and yarn.colour or "", max = 20 },
        field { id = "metres", hint = "Metres", text = yarn and tostring(yarn.metres) or "", input = "number", max = 5 },
        spinner { id = "weight", items = WEIGHTS, selected = self.weight, on_change = function(i) self.weight = i end },
      },
    }
  end,
}

-- ---- needles, statistics, settings ----

activity "Needles" {
  touch = function(self, needle)
    local user = user_of(needle)
    self:dialog { title = needle.size .. " mm", message = user and "In use: " .. user.name or "Free", ok = "OK",
      neutral = not user and "Remove" or nil, on_neutral = function()
        local _, at = by_id(storage.needles, needle.id)
        if not at then return end
        table.remove(storage.needles, at)
        for _, project in ipairs(storage.projects) do
          if project.needle == needle.id then project.needle = nil end
        end
      end }
  end,
  ask_new = function(self)
    self:dialog { title = "New needle", cancel = "Cancel", ok = "Add",
      view = function() return column { field { id = "size", hint = "Size in mm", input = "decimal", max = 4 } } end,
      on_ok = function()
        local size = tonumber(self:text("size"))
        if not size or size < 1 or size > 25 then
          toast("A size from 1 to 25, please")
          return true
        end
        table.insert(storage.needles, { id = new_id(), size = format("%.1f", size) })
        table.sort(storage.needles, function(a, b) return tonumber(a.size) < tonumber(b.size) end)
      end }
  end,
  view = function(self)
    local free = #filter(storage.needles, function(n) return not user_of(n) end)
    return column {
      toolbar { "Needles", up = true, subtitle = free .. " of " .. #storage.needles .. " free" },
      grid { id = "needle_grid", items = storage.needles, columns = 3, row = function(needle)
          return card { text { needle.size .. " mm", id = "size" }, text { user_of(needle) and "in use" or "free", id = "state", size = "small" } }
        end,
        on_item_click = function(_, needle) self:touch(needle) end },
      fab { id = "add_needle", desc = "New needle", on_click = function() self:ask_new() end },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local rows, done = 0, 0
    for _, project in ipairs(storage.projects) do
      rows = rows + rows_of(project)
      if project.done then done = done + 1 end
    end
    return column {
      toolbar { "Statistics", up = true },
      text { plural(#storage.projects, "project") .. ", " .. done .. " finished", id = "finished" },
      text { plural(rows, "row") .. " knitted", id = "knitted" },
      text { length(stash_metres()) .. " in the stash", id = "in_stash" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Lengths in yards", id = "yards", checked = uses_yards(), on_change = function(on) set_yards(on) end },
      switch { "Counter buttons in the list", id = "counter_buttons", checked = prefs.counter_buttons,
        on_change = function(on) prefs.counter_buttons = on end },
    }
  end,
}
