-- Packing: trips with things to pack, under categories; templates of things that are always needed; a search over all trips.

app {
  package = "org.norn.packing",
  title = "Packing list",
  main = "Main",
  bugs = { "tick_other", "deleted_counted", "rename_orphans", "untick_ignored", "edit_unpacks", "undo_empty", "start_killed",
    "search_case" },
  application = function()
    if storage.trips then return end
    local day, t = 24 * 60 * 60 * 1000, now()
    storage.next_id = 100
    storage.categories = { "Clothes", "Bathroom", "Electronics", "Papers" }
    storage.trips = {
      { id = 1, name = "Lisbon", start = t + 6 * day, days = 4, packed = 2 },
      { id = 2, name = "Hiking hut", start = t + 20 * day, days = 2, packed = 0 },
      { id = 3, name = "Oslo", start = t - 40 * day, days = 5, archived = true, packed = 2 },
    }
    storage.things = {
      { id = 11, trip = 1, name = "Shirts", category = "Clothes", count = 4, packed = true },
      { id = 12, trip = 1, name = "Socks", category = "Clothes", count = 5 },
      { id = 13, trip = 1, name = "Toothbrush", category = "Bathroom", count = 1 },
      { id = 14, trip = 1, name = "Charger", category = "Electronics", count = 1 },
      { id = 15, trip = 1, name = "Passport", category = "Papers", count = 1, packed = true },
      { id = 16, trip = 2, name = "Rain jacket", category = "Clothes", count = 1 },
      { id = 17, trip = 2, name = "Head torch", category = "Electronics", count = 1 },
      { id = 18, trip = 3, name = "Sweater", category = "Clothes", count = 2, packed = true },
      { id = 19, trip = 3, name = "Phone charger", category = "Electronics", count = 1, packed = true },
    }
    storage.templates = {
      { id = 31, name = "Beach", things = {
        { name = "Sunscreen", category = "Bathroom", count = 1 }, { name = "Swimsuit", category = "Clothes", count = 2 },
        { name = "Towel", category = "Bathroom", count = 1 } } },
      { id = 32, name = "Work", things = {
        { name = "Laptop", category = "Electronics", count = 1 }, { name = "Business cards", category = "Papers", count = 1 } } },
    }
    prefs.by_name = false
    prefs.confirm = false
  end,
}

local DAY = 24 * 60 * 60 * 1000
local MAX_TRIPS, MAX_THINGS, MAX_TEMPLATES, MAX_CATEGORIES = 15, 60, 8, 10

local draft = {}        -- of the form of a trip, as long as the process lives

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function trip_of(id) return by_id(storage.trips, id) end
local function thing_of(id) return by_id(storage.things, id) end
local function template_of(id) return by_id(storage.templates, id) end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end

local function things_of(trip) return filter(storage.things, function(x) return x.trip == trip.id end) end

-- Where a category stands; things of none are "Other", the last.
local function place_of(category) return index_of(storage.categories, category) or #storage.categories + 1 end
local function category_name(category) return index_of(storage.categories, category) and category or "Other" end

-- The things of a trip in the order they are shown.
local function ordered(trip)
  local things = things_of(trip)
  table.sort(things, function(a, b)
    local pa, pb = place_of(a.category), place_of(b.category)
    if not prefs.by_name and pa ~= pb then return pa < pb end
    return a.name:lower() < b.name:lower()
  end)
  return things
end

-- The trip remembers how many of its things are packed.
local function recount(trip)
  trip.packed = #filter(things_of(trip), function(x) return x.packed end)
end

local function progress_of(trip) return trip.packed .. " of " .. #things_of(trip) .. " packed" end
local function when(trip) return date(trip.start, "%d %b %Y") .. ", " .. plural(trip.days, "day") end
local function label(thing) return thing.name .. (thing.count > 1 and " × " .. thing.count or "") end

local function add_thing(trip, from)
  if #storage.things >= MAX_THINGS then return toast("Too many things") end
  table.insert(storage.things, { id = new_id(), trip = trip.id, name = from.name, category = from.category, count = from.count })
end

local function category_choices()
  local names = copy(storage.categories)
  table.insert(names, "Other")
  return names
end

-- Asks first if that is wanted.
local function confirmed(self, question, fn)
  if not prefs.confirm then return fn() end
  self:dialog { title = question, ok = "Delete", cancel = "Cancel", on_ok = fn }
end

activity "Main" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,

  trips = function(self)
    local trips = filter(storage.trips, function(t) return (t.archived == true) == (self.tab == 2) end)
    table.sort(trips, function(a, b) return a.start < b.start end)
    return trips
  end,

  delete = function(self, trip)
    local things = things_of(trip)
    storage.things = filter(storage.things, function(x) return x.trip ~= trip.id end)
    table.remove(storage.trips, index_of(storage.trips, trip))
    self:snackbar(trip.name .. " deleted", "Undo", function()
      table.insert(storage.trips, trip)
      if not bug("undo_empty") then
        for _, x in ipairs(things) do table.insert(storage.things, x) end
      end
      recount(trip)
    end)
  end,

  duplicate = function(self, trip)
    if #storage.trips >= MAX_TRIPS then return toast("Too many trips") end
    local new = { id = new_id(), name = trip.name .. " again", start = now() + 7 * DAY, days = trip.days, packed = 0 }
    table.insert(storage.trips, new)
    for _, x in ipairs(things_of(trip)) do add_thing(new, x) end
    self.tab = 1
  end,

  trip_menu = function(self, trip)
    self:popup {
      { "Edit", id = "edit_trip", on_click = function() self:start("TripForm", { id = trip.id }) end },
      { "Duplicate", id = "duplicate", on_click = function() self:duplicate(trip) end },
      { trip.archived and "Back to upcoming" or "Archive", id = "archive", on_click = function() trip.archived = not trip.archived end },
      { "Delete", id = "delete_trip", on_click = function()
        confirmed(self, "Delete " .. trip.name .. "?", function() self:delete(trip) end)
      end },
    }
  end,

  menu = function(self)
    return {
      { "Templates", id = "templates", on_click = function() self:start("Templates") end },
      { "Categories", id = "categories", on_click = function() self:start("Categories") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Trips", actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      tabs { id = "tabs", titles = { "Upcoming", "Archive" }, selected = self.tab, on_change = function(i) self.tab = i end },
      list { id = "trips", items = self:trips(), empty = text { "No trips here", id = "empty" },
        row = function(t)
          return column { id = "trip_row", text { t.name, id = "name", size = "large" },
            text { when(t), id = "when", size = "small" }, text { progress_of(t), id = "progress", size = "small" } }
        end,
        on_item_click = function(_, t) self:start("Trip", { id = t.id }) end,
        on_item_long_click = function(_, t) self:trip_menu(t) end },
      fab { id = "new_trip", desc = "New trip", on_click = function()
        draft.start = nil
        self:start("TripForm")
      end },
    }
  end,
}

activity "TripForm" {
  create = function(self, intent, saved)
    local trip = intent.id and trip_of(intent.id)
    self.start_day = trip and trip.start or now() + 7 * DAY
    if saved then
      if bug("start_killed") then saved = { start_day = draft.start } end
      self.start_day = saved.start_day or self.start_day
    end
  end,
  save = function(self, out)
    out.start_day = self.start_day
    draft.start = self.start_day
  end,

  shift = function(self, days) self.start_day = math.max(now() - 365 * DAY, self.start_day + days * DAY) end,

  store = function(self)
    local name, days = trim(self:text("trip_name")), tonumber(self:text("days"))
    if name == "" then return toast("Where to?") end
    if not days or days < 1 then return toast("How many days?") end
    local trip = self.intent.id and trip_of(self.intent.id)
    if not trip then
      if #storage.trips >= MAX_TRIPS then return toast("Too many trips") end
      trip = { id = new_id(), packed = 0 }
      table.insert(storage.trips, trip)
    end
    trip.name, trip.days, trip.start = name, math.floor(days), self.start_day
    self:finish()
  end,

  view = function(self)
    local trip = self.intent.id and trip_of(self.intent.id)
    return column {
      toolbar { trip and "Edit trip" or "New trip", up = true, actions = { { "Save", id = "save_trip", on_click = function() self:store() end } } },
      scroll {
        field { id = "trip_name", hint = "Where to", max = 30, text = trip and trip.name or "" },
        text { "Days", size = "small" },
        field { id = "days", hint = "Days", input = "number", max = 3, text = tostring(trip and trip.days or 3) },
        text { "First day", size = "small" },
        row {
          button { "−7", id = "week_earlier", desc = "A week earlier", on_click = function() self:shift(-7) end },
          button { "−1", id = "day_earlier", desc = "A day earlier", on_click = function() self:shift(-1) end },
          text { date(self.start_day, "%d %b %Y"), id = "start" },
          button { "+1", id = "day_later", desc = "A day later", on_click = function() self:shift(1) end },
          button { "+7", id = "week_later", desc = "A week later", on_click = function() self:shift(7) end },
        },
      },
    }
  end,
}

activity "Trip" {
  create = function(self, intent, saved) self.left = saved and saved.left or false end,
  save = function(self, out) out.left = self.left end,

  trip = function(self) return trip_of(self.intent.id) end,

  shown = function(self)
    return filter(ordered(self:trip()), function(x) return not (self.left and x.packed) end)
  end,

  -- The rows: things, and above the first of each category its name.
  rows = function(self)
    local rows, last = {}, nil
    for i, x in ipairs(self:shown()) do
      local name = category_name(x.category)
      if not prefs.by_name and name ~= last then table.insert(rows, { header = name }) end
      last = name
      table.insert(rows, { thing = x, place = i })
    end
    return rows
  end,

  tick = function(self, thing, place, packed)
    if bug("tick_other") then thing = ordered(self:trip())[place] end
    thing.packed = packed
    recount(self:trip())
  end,

  thing_menu = function(self, thing)
    self:popup {
      { "Edit", id = "edit_thing", on_click = function() self:start("ThingForm", { trip = thing.trip, id = thing.id }) end },
      { "Delete", id = "delete_thing", on_click = function()
        confirmed(self, "Delete " .. thing.name .. "?", function()
          table.remove(storage.things, index_of(storage.things, thing))
          if not bug("deleted_counted") then recount(self:trip()) end
        end)
      end },
    }
  end,

  unpack_all = function(self)
    local packed = filter(things_of(self:trip()), function(x) return x.packed end)
    local function set(b)
      for _, x in ipairs(packed) do x.packed = b end
      recount(self:trip())
    end
    set(false)
    self:snackbar("Everything unpacked", "Undo", function() set(true) end)
  end,

  choose_template = function(self)
    if #storage.templates == 0 then return toast("No templates yet") end
    self:dialog { title = "Add from", items = each(storage.templates, function(t) return t.name end), cancel = "Cancel",
      on_item = function(i) self:start("FromTemplate", { trip = self.intent.id, template = storage.templates[i].id }) end }
  end,

  menu = function(self)
    return {
      { "Add from a template", id = "from_template", on_click = function() self:choose_template() end },
      { "Unpack everything", id = "unpack_all", on_click = function() self:unpack_all() end },
      { "Summary", id = "summary", on_click = function() self:start("Summary", { id = self.intent.id }) end },
      { "Edit trip", id = "edit", on_click = function() self:start("TripForm", { id = self.intent.id }) end },
    }
  end,

  view = function(self)
    local trip = self:trip()
    return column {
      toolbar { trip.name, up = true, subtitle = when(trip) },
      row { text { progress_of(trip), id = "progress", weight = 1 },
        switch { "Only what is left", id = "only_left", checked = self.left, on_change = function(b) self.left = b end } },
      list { id = "things", items = self:rows(), empty = text { self.left and "All packed" or "Nothing to pack yet", id = "empty" },
        row = function(r)
          if r.header then return column { id = "header_row", text { r.header, id = "category", size = "small" } } end
          return row { id = "thing_row",
            text { label(r.thing), id = "name", size = "large", weight = 1 },
            check { "", id = "packed", desc = "Packed", checked = r.thing.packed == true,
              on_change = function(b) self:tick(r.thing, r.place, b) end } }
        end,
        on_item_click = function(_, r)
          if r.thing then self:start("ThingForm", { trip = trip.id, id = r.thing.id }) end
        end,
        on_item_long_click = function(_, r)
          if r.thing then self:thing_menu(r.thing) end
        end },
      fab { id = "add_thing", desc = "Add", on_click = function() self:start("ThingForm", { trip = trip.id }) end },
    }
  end,
}

-- A thing of a trip, or (template = id) a new one of a template.
activity "ThingForm" {
  create = function(self, intent, saved)
    local x = intent.id and thing_of(intent.id)
    self.category = saved and saved.category or x and place_of(x.category) or 1
    self.count = saved and saved.count or x and x.count or 1
  end,
  save = function(self, out) out.category, out.count = self.category, self.count end,

  store = function(self)
    local name = trim(self:text("thing_name"))
    if name == "" then return toast("What is it?") end
    local new = { name = name, category = category_choices()[self.category], count = self.count }
    local x = self.intent.id and thing_of(self.intent.id)
    if x then
      x.name, x.category, x.count = new.name, new.category, new.count
      if bug("edit_unpacks") then x.packed = false end
      recount(trip_of(x.trip))
    elseif self.intent.template then
      table.insert(template_of(self.intent.template).things, new)
    else
      add_thing(trip_of(self.intent.trip), new)
    end
    self:finish()
  end,

  view = function(self)
    local x = self.intent.id and thing_of(self.intent.id)
    return column {
      toolbar { x and "Edit" or "Add", up = true, actions = { { "Save", id = "save_thing", on_click = function() self:store() end } } },
      scroll {
        field { id = "thing_name", hint = "What", max = 30, text = x and x.name or "" },
        spinner { id = "category", items = category_choices(), selected = math.min(self.category, #storage.categories + 1),
          on_change = function(i) self.category = i end },
        row {
          button { "−", id = "fewer", desc = "Fewer", on_click = function() self.count = math.max(1, self.count - 1) end },
          text { tostring(self.count), id = "how_many" },
          button { "+", id = "more", desc = "More", on_click = function() self.count = math.min(99, self.count + 1) end },
        },
      },
    }
  end,
}

activity "FromTemplate" {
  create = function(self, intent, saved)
    self.ticked = saved and saved.ticked or each(template_of(intent.template).things, function() return true end)
  end,
  save = function(self, out) out.ticked = self.ticked end,

  add = function(self)
    local trip, added = trip_of(self.intent.trip), 0
    for i, x in ipairs(template_of(self.intent.template).things) do
      if self.ticked[i] or bug("untick_ignored") then
        add_thing(trip, x)
        added = added + 1
      end
    end
    toast(plural(added, "thing") .. " added")
    self:finish()
  end,

  view = function(self)
    local template = template_of(self.intent.template)
    return column {
      toolbar { template.name, up = true, actions = { { "Add", id = "add_ticked", on_click = function() self:add() end } } },
      text { "To be added:", size = "small" },
      scroll { each(template.things, function(x, i)
        return check { label(x), id = "wanted", checked = self.ticked[i], on_change = function(b) self.ticked[i] = b end }
      end) },
    }
  end,
}

activity "Summary" {
  view = function(self)
    local trip = trip_of(self.intent.id)
    local lines, pieces = {}, 0
    for _, name in ipairs(category_choices()) do
      local things = filter(things_of(trip), function(x) return category_name(x.category) == name end)
      for _, x in ipairs(things) do pieces = pieces + x.count end
      if #things > 0 then
        local packed = #filter(things, function(x) return x.packed end)
        table.insert(lines, text { name .. ": " .. packed .. " of " .. #things, id = "line" })
      end
    end
    return column {
      toolbar { "Summary", up = true, subtitle = trip.name },
      text { plural(pieces, "piece") .. " in all", id = "pieces" },
      scroll { lines },
    }
  end,
}

activity "Templates" {
  ask_new = function(self)
    if #storage.templates >= MAX_TEMPLATES then return toast("Too many templates") end
    self:dialog { title = "New template",
      view = function() return column { field { id = "template_name", hint = "Name", max = 30 } } end,
      ok = "Create", cancel = "Cancel",
      on_ok = function()
        local name = trim(self:text("template_name"))
        if name == "" then return toast("Give it a name") end
        table.insert(storage.templates, { id = new_id(), name = name, things = {} })
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Templates", up = true, actions = { { "New template", id = "new_template", on_click = function() self:ask_new() end } } },
      list { id = "templates", items = storage.templates, empty = text { "No templates yet", id = "empty" },
        row = function(t)
          return column { id = "template_row", text { t.name, id = "name", size = "large" }, text { plural(#t.things, "thing"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, t) self:start("Template", { id = t.id }) end,
        on_item_long_click = function(i, t)
          self:popup { { "Delete", id = "delete_template", on_click = function()
            confirmed(self, "Delete " .. t.name .. "?", function() table.remove(storage.templates, i) end)
          end } }
        end },
    }
  end,
}

activity "Template" {
  view = function(self)
    local t = template_of(self.intent.id)
    return column {
      toolbar { t.name, up = true },
      list { id = "template_things", items = t.things, empty = text { "Nothing in it yet", id = "empty" },
        row = function(x)
          return column { id = "template_thing", text { label(x), id = "name", size = "large" },
            text { category_name(x.category), id = "category", size = "small" } }
        end,
        on_item_long_click = function(i)
          self:popup { { "Remove", id = "remove", on_click = function() table.remove(t.things, i) end } }
        end },
      fab { id = "add_to_template", desc = "Add", on_click = function()
        if #t.things >= 12 then return toast("Too many things") end
        self:start("ThingForm", { template = t.id })
      end },
    }
  end,
}

activity "Categories" {
  -- All things everywhere that are of a category get another.
  retag = function(self, old, new)
    for _, x in ipairs(storage.things) do if x.category == old then x.category = new end end
    for _, t in ipairs(storage.templates) do
      for _, x in ipairs(t.things) do if x.category == old then x.category = new end end
    end
  end,

  ask_name = function(self, i)
    local old = storage.categories[i]
    self:dialog { title = old and "Rename category" or "New category",
      view = function() return column { field { id = "category_name", hint = "Name", text = old or "", max = 20 } } end,
      ok = "OK", cancel = "Cancel",
      on_ok = function()
        local name = trim(self:text("category_name"))
        if name == "" or name == old then return end
        if name == "Other" or index_of(storage.categories, name) then return toast("There is one of that name") end
        if old and not bug("rename_orphans") then self:retag(old, name) end
        storage.categories[i] = name
      end }
  end,

  delete = function(self, i)
    confirmed(self, "Delete " .. storage.categories[i] .. "?", function()
      self:retag(storage.categories[i], "Other")
      table.remove(storage.categories, i)
    end)
  end,

  category_menu = function(self, i)
    local c = storage.categories
    local function swap(j) c[i], c[j] = c[j], c[i] end
    self:popup {
      { "Rename", id = "rename", on_click = function() self:ask_name(i) end },
      { "Move up", id = "move_up", enabled = i > 1, on_click = function() swap(i - 1) end },
      { "Move down", id = "move_down", enabled = i < #c, on_click = function() swap(i + 1) end },
      { "Delete", id = "delete_category", on_click = function() self:delete(i) end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Categories", up = true, actions = { { "New category", id = "new_category", on_click = function()
        if #storage.categories >= MAX_CATEGORIES then return toast("Too many categories") end
        self:ask_name(#storage.categories + 1)
      end } } },
      list { id = "category_list", items = storage.categories, empty = text { "No categories", id = "empty" },
        row = function(name)
          local n = #filter(storage.things, function(x) return x.category == name end)
          return column { id = "category_row", text { name, id = "name", size = "large" }, text { plural(n, "thing"), id = "count", size = "small" } }
        end,
        on_item_click = function(i) self:ask_name(i) end,
        on_item_long_click = function(i) self:category_menu(i) end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,

  results = function(self)
    local query = trim(self.query)
    if query == "" then return {} end
    local found = filter(storage.things, function(x)
      if bug("search_case") then return contains(x.name, query) end
      return contains(x.name:lower(), query:lower())
    end)
    table.sort(found, function(a, b) return a.name:lower() < b.name:lower() end)
    return found
  end,

  view = function(self)
    local results = self:results()
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Find a thing in all trips", max = 30, on_change = function(s) self.query = s end },
      text { #results .. " found", id = "found", size = "small" },
      list { id = "results", items = results,
        row = function(x)
          return column { id = "result_row", text { label(x), id = "name", size = "large" }, text { trip_of(x.trip).name, id = "trip", size = "small" } }
        end,
        on_item_click = function(_, x) self:start("Trip", { id = x.trip }) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Sort things by name, without categories", id = "by_name", checked = prefs.by_name, on_change = function(b) prefs.by_name = b end },
      switch { "Ask before deleting", id = "confirm", checked = prefs.confirm, on_change = function(b) prefs.confirm = b end },
      text { plural(#storage.trips, "trip") .. ", " .. plural(#storage.things, "thing"), id = "about", size = "small" },
    }
  end,
}
