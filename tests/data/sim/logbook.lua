-- Logbook: drinks of the day, with settings for clock and unit. Three bugs:
--   page_clock      a drink's page shows 24 hours whatever the setting
--   sum_unit        the summary is in millilitres whatever the setting
--   cancel_empties  Cancel in the question whether to empty all does so
-- and without them what looks like a bug and is none:
--   a button that begins and ends something lists it         Asleep, Awake
--   a switch hides what was entered                          Show notes
--   a search looks where rows show nothing                   the code on a drink's page
--   of two numbers one is about what is shown                In all stays when a shelf is chosen
--   what is moved to where it is stays                       the selected drink and its shelf
--   Undo undoes what was done before                         on whichever page it is touched
app { package = "org.norn.logbook", title = "Logbook", main = "Main", bugs = { "page_clock", "sum_unit", "cancel_empties" },
  application = function()
    if storage.drinks then return end
    storage.drinks = {
      { name = "Water", at = 14 * 60 + 20, ml = 250, shelf = "Kitchen", note = "cold", code = "WX7741" },
      { name = "Juice", at = 13 * 60 + 5, ml = 180, shelf = "Cellar", note = "", code = "JQ2090" },
      { name = "Tea", at = 16 * 60 + 45, ml = 330, shelf = "Kitchen", note = "green", code = "TB5512" },
      { name = "Cocoa", at = 19 * 60 + 10, ml = 220, shelf = "Study", note = "", code = "CK8834" },
    }
    storage.half_day, storage.ounces, storage.notes = false, false, true
  end }

local SHELVES = { "Kitchen", "Cellar", "Study" }

local function clock(at, whole)
  local h, m = at // 60, at % 60
  if whole or not storage.half_day then return string.format("%02d:%02d", h, m) end
  return string.format("%d:%02d %s", (h + 11) % 12 + 1, m, h < 12 and "am" or "pm")
end
local function amount(ml, metric)
  if metric or not storage.ounces then return ml .. " ml" end
  return string.format("%.1f oz", ml / 29.57)
end
local function sum(list)
  local out = 0
  for _, d in ipairs(list) do out = out + d.ml end
  return out
end

activity "Main" {
  create = function(self) self.shelf, self.query, self.chosen = 1, "", nil end,
  shown = function(self)
    return filter(storage.drinks, function(d)
      return (self.shelf == 1 or d.shelf == SHELVES[self.shelf - 1]) and
        (contains(d.name:lower(), self.query:lower()) or contains(d.code:lower(), self.query:lower()))
    end)
  end,
  move = function(self)
    local d = self.chosen
    self:dialog { title = "Move to", items = SHELVES, on_item = function(i) d.shelf, self.chosen = SHELVES[i], nil end, cancel = "Cancel" }
  end,
  menu = function(self)
    return { { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      { "Summary", id = "summary", on_click = function() self:start("Summary") end } }
  end,
  view = function(self)
    local shown = self:shown()
    return column {
      self.chosen and toolbar { "1 selected", actions = { { "Move", id = "move", on_click = function() self:move() end } } } or toolbar { "Logbook" },
      field { id = "query", hint = "Name or code", on_change = function(t) self.query = t end },
      spinner { id = "shelf", items = { "All shelves", "Kitchen", "Cellar", "Study" }, selected = self.shelf, on_change = function(i) self.shelf = i end },
      text { "Shown: " .. amount(sum(shown)), id = "part" }, text { "In all: " .. amount(sum(storage.drinks)), id = "whole" },
      list { id = "drinks", weight = 1, items = shown, empty = text { "Nothing", id = "empty" },
        row = function(d)
          return row { selected = self.chosen == d, text { d.name, id = "name", weight = 1 }, text { d.shelf .. " · " .. clock(d.at), id = "line" },
            text { amount(d.ml), id = "ml" }, storage.notes and d.note ~= "" and text { d.note, id = "note" }, d.done and text { "empty", id = "done" } }
        end,
        on_item_long_click = function(_, d) self.chosen = d end,
        on_item_click = function(_, d) self:start("Drink", { name = d.name }) end },
      button { storage.asleep and "Awake" or "Asleep", id = "sleep", on_click = function()
        storage.asleep = not storage.asleep
        if not storage.asleep then
          table.insert(storage.drinks, { name = "Rest " .. #storage.drinks, at = 20 * 60, ml = 0, shelf = "Study", note = "", code = "RS10" .. #storage.drinks })
        end
      end },
      button { "Empty all", id = "empty_all", on_click = function()
        local function empty()
          for _, d in ipairs(storage.drinks) do d.done = true end
          storage.emptied = true
        end
        self:dialog { title = "Empty all?", ok = "Empty", on_ok = empty, cancel = "Cancel", on_cancel = bug("cancel_empties") and empty or nil }
      end } }
  end,
}

activity "Drink" {
  view = function(self)
    local d = find(storage.drinks, function(x) return x.name == self.intent.name end)
    if not d then return column { toolbar { "Gone", up = true } } end
    return column { toolbar { d.name, up = true },
      text { "At: " .. clock(d.at, bug("page_clock")), id = "at" }, text { amount(d.ml), id = "amount" },
      text { "Code: " .. d.code, id = "code" }, text { d.done and "It is empty" or "There is some left", id = "state" },
      storage.notes and text { "Note: " .. d.note, id = "noted" },
      button { "Note", id = "write", on_click = function() self:start("Note", { name = d.name }) end },
      storage.emptied and button { "Undo", id = "undo", on_click = function()
        for _, x in ipairs(storage.drinks) do x.done = nil end
        storage.emptied = nil
      end } }
  end,
}

activity "Note" {
  view = function(self)
    local d = find(storage.drinks, function(x) return x.name == self.intent.name end)
    return column { toolbar { "Note", up = true },
      field { id = "text", hint = "Note", text = d.note },
      button { "Save", id = "save", on_click = function()
        d.note = self:text("text")
        self:finish()
      end } }
  end,
}

activity "Summary" {
  view = function(self)
    return column { toolbar { "Summary", up = true },
      text { "Today: " .. amount(sum(storage.drinks), bug("sum_unit")), id = "today" },
      text { "Goal: " .. amount(1800), id = "goal" } }
  end,
}

activity "Settings" {
  view = function(self)
    return column { toolbar { "Settings", up = true },
      switch { "Times with am and pm", id = "half_day", checked = storage.half_day, on_change = function(on) storage.half_day = on end },
      switch { "Ounces", id = "ounces", checked = storage.ounces, on_change = function(on) storage.ounces = on end },
      switch { "Show notes", id = "notes", checked = storage.notes, on_change = function(on) storage.notes = on end } }
  end,
}
