-- Tank Log: the aquariums of a hobbyist, with water tests, livestock, chores and a guide to species.
-- Forms ask before they are left with changes.

local DAY = 24 * 60 * 60 * 1000
local PAGES = { "Tests", "Livestock", "Chores" }
local DAYS_AGO = { 0, 1, 2, 7 }
local SPECIES = {
  { name = "Amano shrimp", kind = "Shrimp", from = "Japan", litres = 20, about = "Eats algae all day." },
  { name = "Angelfish", kind = "Fish", from = "Amazon", litres = 200, about = "Tall and proud, best kept in pairs." },
  { name = "Corydoras", kind = "Fish", from = "Brazil", litres = 60, about = "Searches the sand for food." },
  { name = "Guppy", kind = "Fish", from = "Venezuela", litres = 40, about = "Soon there are more of them." },
  { name = "Neon tetra", kind = "Fish", from = "Peru", litres = 60, about = "Lives in a shoal of ten or more." },
  { name = "Nerite snail", kind = "Snail", from = "Africa", litres = 10, about = "Cleans the glass." },
}

app {
  package = "org.tanklog.app",
  title = "Tank Log",
  main = "Main",
  bugs = { "unit_edit", "discard_saves", "lowest_zero", "wrong_test", "more_of_them", "chore_everywhere", "rotate_date", "rename_stale" },
  application = function()
    if storage.tanks then return end
    local today = now() // DAY
    storage.tanks = { { id = 1, name = "Living room", litres = 120 }, { id = 2, name = "Nano cube", litres = 30 } }
    storage.tests = {
      { id = 1, tank = 1, day = today - 14, temp = 25, ph = 7.2, nitrate = 20 },
      { id = 2, tank = 1, day = today - 7, temp = 24.5, ph = 7.1, nitrate = 30 },
      { id = 3, tank = 1, day = today - 3, temp = 26, ph = 6.9, nitrate = 12 },
      { id = 4, tank = 2, day = today - 5, temp = 23, ph = 7.5, nitrate = 5 },
    }
    storage.stock = {
      { id = 1, tank = 1, species = "Neon tetra", number = 12 }, { id = 2, tank = 1, species = "Corydoras", number = 6 },
      { id = 3, tank = 2, species = "Nerite snail", number = 2 },
    }
    storage.chores = {
      { id = 1, tank = 1, name = "Change water", every = 7, last = today - 9 },
      { id = 2, tank = 1, name = "Clean filter", every = 30, last = today - 10 },
      { id = 3, tank = 2, name = "Change water", every = 7, last = today - 8 },
    }
    storage.next_id = 20
    prefs.fahrenheit, prefs.oldest_first = false, false
  end,
}

local function today() return now() // DAY end
local function day_text(day) return date(day * DAY, "%Y-%m-%d") end
local function by_id(list, id) return find(list, function(x) return x.id == id end) end
local function tank_by_id(id) return id and by_id(storage.tanks, id) end
local function of_tank(list, id) return filter(list, function(x) return x.tank == id end) end
local function plural(n, one, many) return n .. " " .. (n == 1 and one or many or one .. "s") end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function remove(list, x)
  local _, at = by_id(list, x.id)
  if at then table.remove(list, at) end
end

local function unit() return prefs.fahrenheit and "°F" or "°C" end
local function to_unit(celsius) return format("%.1f", prefs.fahrenheit and celsius * 9 / 5 + 32 or celsius) end
local function from_unit(value) return prefs.fahrenheit and (value - 32) * 5 / 9 or value end
local function number_text(x) return format("%g", x) end

local function animals(id)
  local sum = 0
  for _, entry in ipairs(of_tank(storage.stock, id)) do sum = sum + entry.number end
  return sum
end

local function tests_of(id)
  local list = of_tank(storage.tests, id)
  table.sort(list, function(a, b)
    if a.day ~= b.day then return a.day > b.day end
    return a.id > b.id
  end)
  if not prefs.oldest_first then return list end
  local turned = {}
  for i = #list, 1, -1 do table.insert(turned, list[i]) end
  return turned
end

local function chore_text(chore)
  local left = chore.last + chore.every - today()
  if left < 0 then return "overdue by " .. plural(-left, "day") end
  if left == 0 then return "due today" end
  return "due in " .. plural(left, "day")
end

local function overdue(id) return #filter(of_tank(storage.chores, id), function(c) return c.last + c.every < today() end) end

local function add_animals(tank, species, number)
  local entry = find(storage.stock, function(e) return e.tank == tank and e.species == species end)
  if not entry then
    table.insert(storage.stock, { id = new_id(), tank = tank, species = species, number = number })
  elseif bug("more_of_them") then
    entry.number = number
  else
    entry.number = entry.number + number
  end
end

local function gone(title) return column { toolbar { title, up = true }, text { "This is not there any more", id = "gone" } } end

-- Leaving a form: asks when something was changed.
local function leave(self)
  if not self:changed() then return self:finish() end
  self:dialog { title = "Keep your changes?", ok = "Save", on_ok = function() self:store() end, cancel = "Go on editing",
    neutral = "Discard", on_neutral = function()
      if bug("discard_saves") and self.name == "TankForm" then return self:store() end
      self:finish()
    end }
end

activity "Main" {
  menu = function(self)
    return {
      { "Species guide", id = "guide", on_click = function() self:start("Guide") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  ask_delete = function(self, tank)
    self:dialog { title = "Delete " .. tank.name .. "?", message = "With its tests, livestock and chores", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        remove(storage.tanks, tank)
        local function others(x) return x.tank ~= tank.id end
        storage.tests, storage.stock, storage.chores = filter(storage.tests, others), filter(storage.stock, others), filter(storage.chores, others)
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Tank Log", subtitle = plural(#storage.tanks, "tank") },
      list { id = "tanks", items = storage.tanks, empty = text { "No tank yet", id = "empty" },
        row = function(tank)
          local late = overdue(tank.id)
          return column { id = "tank_row", text { tank.name, id = "tank" },
            text { number_text(tank.litres) .. " litres, " .. plural(animals(tank.id), "animal"), id = "tank_info", size = "small" },
            late > 0 and text { plural(late, "chore") .. " overdue", id = "late", size = "small" } }
        end,
        on_item_click = function(_, tank) self:start("Tank", { id = tank.id, name = tank.name }) end,
        on_item_long_click = function(_, tank) self:ask_delete(tank) end },
      fab { id = "add_tank", desc = "New tank", on_click = function() self:start("TankForm") end },
    }
  end,
}

activity "TankForm" {
  changed = function(self)
    local tank = tank_by_id(self.intent.id)
    return self:text("name") ~= (tank and tank.name or "") or self:text("litres") ~= (tank and number_text(tank.litres) or "")
  end,
  store = function(self)
    local name, litres = trim(self:text("name")), tonumber(self:text("litres"))
    if name == "" then return toast("The tank needs a name") end
    if not litres or litres <= 0 then return toast("How many litres?") end
    local tank = tank_by_id(self.intent.id)
    if not tank then
      tank = { id = new_id() }
      table.insert(storage.tanks, tank)
      table.insert(storage.chores, { id = new_id(), tank = tank.id, name = "Change water", every = 7, last = today() })
    end
    tank.name, tank.litres = name, litres
    self:finish()
  end,
  back = function(self)
    leave(self)
    return true
  end,
  view = function(self)
    local tank = tank_by_id(self.intent.id)
    return column {
      toolbar { tank and "Edit tank" or "New tank", up = function() leave(self) end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", text = tank and tank.name or "", max = 30 },
      field { id = "litres", hint = "Litres", text = tank and number_text(tank.litres) or "", input = "number", max = 5 },
    }
  end,
}

-- ---- one tank ----

activity "Tank" {
  create = function(self, intent, saved) self.page = saved and saved.page or 1 end,
  save = function(self, out) out.page = self.page end,

  ask_delete_test = function(self, i)
    local test = tests_of(self.intent.id)[i]
    if not test then return end
    self:dialog { title = "Delete the test of " .. day_text(test.day) .. "?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        if bug("wrong_test") and prefs.oldest_first then           -- the place is looked up in the other order
          local list = tests_of(self.intent.id)
          test = list[#list + 1 - i] or test
        end
        remove(storage.tests, test)
      end }
  end,

  fewer = function(self, entry)
    if entry.number > 1 then
      entry.number = entry.number - 1
      return
    end
    self:dialog { title = "No " .. entry.species .. " left?", cancel = "Cancel", ok = "Remove",
      on_ok = function() remove(storage.stock, entry) end }
  end,

  ask_stock = function(self, id)
    local names = each(SPECIES, function(s) return s.name end)
    self:dialog { title = "Which species?", items = names, on_item = function(_, name)
      self:dialog { title = "How many " .. name .. "?", cancel = "Cancel", ok = "Add",
        view = function() return column { field { id = "number", hint = "Number", input = "number", max = 3 } } end,
        on_ok = function()
          local number = tonumber(self:text("number")) or 0
          if number < 1 then
            toast("One at least")
            return true
          end
          add_animals(id, name, number)
        end }
    end }
  end,

  done = function(self, chore)
    local list = { chore }
    if bug("chore_everywhere") then list = filter(storage.chores, function(c) return c.name == chore.name end) end
    local before = each(list, function(c) return c.last end)
    for _, c in ipairs(list) do c.last = today() end
    self:snackbar(chore.name .. ": done today", "Undo", function()
      for i, c in ipairs(list) do c.last = before[i] end
    end)
  end,

  ask_chore = function(self, id)
    self:dialog { title = "New chore", cancel = "Cancel", ok = "Add",
      view = function()
        return column { field { id = "chore_name", hint = "What", max = 30 }, field { id = "chore_days", hint = "Every how many days", input = "number", max = 3 } }
      end,
      on_ok = function()
        local name, days = trim(self:text("chore_name")), tonumber(self:text("chore_days")) or 0
        if name == "" or days < 1 then
          toast("What, and every how many days?")
          return true
        end
        table.insert(storage.chores, { id = new_id(), tank = id, name = name, every = days, last = today() })
      end }
  end,

  add = function(self, id)
    if self.page == 1 then self:start("TestForm", { tank = id }) end
    if self.page == 2 then self:ask_stock(id) end
    if self.page == 3 then self:ask_chore(id) end
  end,

  menu = function(self)
    local tank = tank_by_id(self.intent.id)
    if not tank then return {} end
    return {
      { "Edit tank", id = "edit_tank", on_click = function() self:start("TankForm", { id = tank.id }) end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics", { id = tank.id }) end },
    }
  end,

  tests = function(self, id)
    return list { id = "tests", items = tests_of(id), empty = text { "No test yet", id = "empty" },
      row = function(test)
        return column { text { day_text(test.day), id = "test_day" },
          text { to_unit(test.temp) .. " " .. unit() .. ", pH " .. number_text(test.ph) .. ", nitrate " .. number_text(test.nitrate), id = "values", size = "small" } }
      end,
      on_item_click = function(_, test) self:start("TestForm", { tank = id, id = test.id }) end,
      on_item_long_click = function(i) self:ask_delete_test(i) end }
  end,
  stock = function(self, id)
    return list { id = "stock", items = of_tank(storage.stock, id), empty = text { "Nobody lives here", id = "empty" },
      row = function(entry)
        return row { text { entry.species .. ": " .. entry.number, id = "entry", weight = 1 },
          button { "-", id = "fewer", on_click = function() self:fewer(entry) end },
          button { "+", id = "more", on_click = function() entry.number = entry.number + 1 end } }
      end }
  end,
  chores = function(self, id)
    return list { id = "chores", items = of_tank(storage.chores, id), empty = text { "Nothing to do", id = "empty" },
      row = function(chore)
        return row { column { weight = 1, text { chore.name, id = "chore" }, text { chore_text(chore), id = "due", size = "small" } },
          button { "Done", id = "done", on_click = function() self:done(chore) end } }
      end,
      on_item_long_click = function(_, chore)
        self:dialog { title = "Delete the chore " .. chore.name .. "?", cancel = "Cancel", ok = "Delete", on_ok = function() remove(storage.chores, chore) end }
      end }
  end,

  view = function(self)
    local id = self.intent.id
    local tank = tank_by_id(id)
    if not tank then return gone("Tank") end
    local counts = { plural(#of_tank(storage.tests, id), "test"), plural(animals(id), "animal"), plural(#of_tank(storage.chores, id), "chore") }
    return column {
      toolbar { bug("rename_stale") and self.intent.name or tank.name, up = true, subtitle = counts[self.page] },
      tabs { id = "pages", titles = PAGES, selected = self.page, on_change = function(i) self.page = i end },
      self.page == 1 and self:tests(id),
      self.page == 2 and self:stock(id),
      self.page == 3 and self:chores(id),
      fab { id = "add", desc = "Add", on_click = function() self:add(id) end },
    }
  end,
}

activity "TestForm" {
  create = function(self, intent, saved)
    local test = intent.id and by_id(storage.tests, intent.id)
    self.first_day = saved and saved.first_day or test and test.day or today()
    self.day = self.first_day
    if saved and not bug("rotate_date") then self.day = saved.day end
  end,
  save = function(self, out) out.day, out.first_day = self.day, self.first_day end,

  values = function(self)
    local test = self.intent.id and by_id(storage.tests, self.intent.id)
    if not test then return { temp = "", ph = "", nitrate = "" } end
    return { temp = bug("unit_edit") and format("%.1f", test.temp) or to_unit(test.temp), ph = number_text(test.ph), nitrate = number_text(test.nitrate) }
  end,

  changed = function(self)
    local values = self:values()
    return self.day ~= self.first_day or self:text("temp") ~= values.temp or self:text("ph") ~= values.ph or self:text("nitrate") ~= values.nitrate
  end,

  store = function(self)
    if not tank_by_id(self.intent.tank) then return self:finish() end
    local temp, ph, nitrate = tonumber(self:text("temp")), tonumber(self:text("ph")), tonumber(self:text("nitrate"))
    if not temp or not ph or not nitrate then return toast("All three values, please") end
    if ph < 0 or ph > 14 or nitrate < 0 then return toast("There is no such value") end
    local test = self.intent.id and by_id(storage.tests, self.intent.id)
    local same = test and self:text("temp") == self:values().temp and not bug("unit_edit")
    if not same and (from_unit(temp) > 45 or from_unit(temp) < -20) then return toast("No fish lives at that temperature") end
    if not test then
      test = { id = new_id(), tank = self.intent.tank }
      table.insert(storage.tests, test)
    end
    if not same then test.temp = from_unit(temp) end
    test.day, test.ph, test.nitrate = self.day, ph, nitrate
    self:finish()
  end,

  choose_day = function(self)
    local items = { "Today", "Yesterday", "Two days ago", "A week ago" }
    self:dialog { title = "When?", items = items, cancel = "Cancel", on_item = function(i) self.day = today() - DAYS_AGO[i] end }
  end,

  back = function(self)
    leave(self)
    return true
  end,

  view = function(self)
    if not tank_by_id(self.intent.tank) then return column { toolbar { "Test", up = true }, text { "Choose a tank first", id = "gone" } } end
    local values = self:values()
    return column {
      toolbar { self.intent.id and "Edit test" or "New test", up = function() leave(self) end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        button { "Day: " .. day_text(self.day), id = "day", on_click = function() self:choose_day() end },
        field { id = "temp", hint = "Temperature in " .. unit(), text = values.temp, input = "decimal", max = 5 },
        field { id = "ph", hint = "pH", text = values.ph, input = "decimal", max = 4 },
        field { id = "nitrate", hint = "Nitrate in mg/l", text = values.nitrate, input = "decimal", max = 5 },
      },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local tank = tank_by_id(self.intent.id)
    if not tank then return gone("Statistics") end
    local tests = tests_of(tank.id)
    if #tests == 0 then return column { toolbar { "Statistics", up = true, subtitle = tank.name }, text { "No test yet", id = "empty" } } end
    local sum, low, high = 0, bug("lowest_zero") and 0 or tests[1].nitrate, tests[1].nitrate
    for _, test in ipairs(tests) do
      sum = sum + test.temp
      low, high = math.min(low, test.nitrate), math.max(high, test.nitrate)
    end
    return column {
      toolbar { "Statistics", up = true, subtitle = tank.name },
      text { plural(#tests, "test"), id = "number_of_tests" },
      text { "Average temperature: " .. to_unit(sum / #tests) .. " " .. unit(), id = "average" },
      text { "Lowest nitrate: " .. number_text(low), id = "lowest" },
      text { "Highest nitrate: " .. number_text(high), id = "highest" },
      text { "Litres for each animal: " .. (animals(tank.id) > 0 and format("%.1f", tank.litres / animals(tank.id)) or "-"), id = "room" },
    }
  end,
}

-- ---- species ----

activity "Guide" {
  create = function(self, intent, saved)
    self.query, self.kind = saved and saved.query or "", saved and saved.kind or 1
  end,
  save = function(self, out) out.query, out.kind = self.query, self.kind end,
  view = function(self)
    local kinds = { "All animals", "Fish", "Shrimp", "Snail" }
    local query = trim(self.query):lower()
    local shown = filter(SPECIES, function(s)
      return (self.kind == 1 or s.kind == kinds[self.kind]) and contains(s.name:lower(), query)
    end)
    return column {
      toolbar { "Species guide", up = true, subtitle = plural(#shown, "species", "species") },
      field { id = "query", hint = "Search", max = 30, on_change = function(s) self.query = s end },
      spinner { id = "kind", items = kinds, selected = self.kind, on_change = function(i) self.kind = i end },
      list { id = "species", items = shown, empty = text { "No such animal", id = "empty" },
        row = function(s) return column { text { s.name, id = "species_name" }, text { s.kind .. " from " .. s.from, id = "origin", size = "small" } } end,
        on_item_click = function(_, s) self:start("Species", { name = s.name }) end },
    }
  end,
}

activity "Species" {
  choose_tank = function(self, species)
    if #storage.tanks == 0 then return toast("There is no tank yet") end
    self:dialog { title = "Put one into", items = each(storage.tanks, function(t) return t.name end), cancel = "Cancel", on_item = function(i)
      add_animals(storage.tanks[i].id, species.name, 1)
      toast("One " .. species.name .. " more")
    end }
  end,
  view = function(self)
    local species = find(SPECIES, function(s) return s.name == self.intent.name end)
    if not species then return gone("Species") end
    local homes = filter(storage.tanks, function(t)
      return find(storage.stock, function(e) return e.tank == t.id and e.species == species.name end) ~= nil
    end)
    return column {
      toolbar { species.name, up = true },
      text { species.about, id = "about" },
      text { species.kind .. " from " .. species.from .. ", from " .. species.litres .. " litres", id = "facts" },
      text { #homes > 0 and "Lives in: " .. table.concat(each(homes, function(t) return t.name end), ", ") or "You have none", id = "homes" },
      button { "Put one into a tank", id = "put", on_click = function() self:choose_tank(species) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Temperatures in °F", id = "fahrenheit", checked = prefs.fahrenheit, on_change = function(on) prefs.fahrenheit = on end },
      switch { "Oldest test first", id = "oldest_first", checked = prefs.oldest_first, on_change = function(on) prefs.oldest_first = on end },
    }
  end,
}
