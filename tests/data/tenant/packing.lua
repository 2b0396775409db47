-- Packing: trips with lists of things to take, the bags they go into, and templates for what is always needed.
--
-- A trip: { id, name, place, start = day, days, notes, archived, items = { item } }; an item: { id, name, number, grams,
-- bag = id or nil, essential, packed }. Days are counted from 1970. Weights are kept in grams and shown as the settings say.

app {
  package = "org.kombi.packing",
  title = "Packing",
  main = "Trips",
  bugs = { "ounces_stored", "number_once", "check_hidden", "copy_packed", "bag_takes_things", "template_twice", "unpack_undo",
    "last_day" },
  application = function()
    if storage.trips then return end
    local today = now() // 86400000
    storage.counter = 200
    storage.bags = {
      { id = 1, name = "Backpack", limit = 9000, own = 1200 }, { id = 2, name = "Toilet bag", limit = 1000, own = 80 },
      { id = 3, name = "Suitcase", limit = 20000, own = 3100 },
    }
    local function item(id, name, number, grams, bag, packed, essential)
      return { id = id, name = name, number = number, grams = grams, bag = bag, packed = packed or nil, essential = essential or nil }
    end
    storage.trips = {
      { id = 11, name = "Weekend in Bled", place = "Bled", start = today + 6, days = 3, notes = "Train leaves at 7:12", items = {
        item(21, "T-shirt", 3, 140, 1, true), item(22, "Rain jacket", 1, 380, 1), item(23, "Socks", 4, 45, 1),
        item(24, "Passport", 1, 40, nil, false, true), item(25, "Toothbrush", 1, 20, 2, true), item(26, "Sunscreen", 1, 210, 2),
        item(27, "Charger", 1, 0, 1, false, true) } },
      { id = 12, name = "Conference", place = "Lyon", start = today + 20, days = 4, notes = "", items = {
        item(31, "Laptop", 1, 1350, 3, false, true), item(32, "Shirt", 4, 210, 3), item(33, "Toothbrush", 1, 20, 2) } },
      { id = 13, name = "Ski week", place = "Zell", start = today - 40, days = 7, notes = "", items = {
        item(41, "Gloves", 2, 160, 3, true), item(42, "Goggles", 1, 130, 3, true) } },
    }
    storage.templates = {
      { id = 51, name = "Always", items = { item(61, "Passport", 1, 40, nil, nil, true), item(62, "Toothbrush", 1, 20, 2), item(63, "Water bottle", 1, 150, 1) } },
      { id = 52, name = "Swimming", items = { item(64, "Towel", 1, 320, 1), item(65, "Swimsuit", 2, 110, 1) } },
    }
    prefs.ounces = false
    prefs.hide_packed = false
    prefs.confirm = true
    prefs.empty_bags = false
  end,
}

local DAY = 86400000
local GRAMS_PER_OUNCE = 28.349523
local MAX_TRIPS, MAX_ITEMS, MAX_BAGS, MAX_TEMPLATES = 30, 60, 10, 12

local function new_id()
  storage.counter = storage.counter + 1
  return storage.counter
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function trip_of(id) return by_id(storage.trips, id) end
local function bag_of(id) return by_id(storage.bags, id) end
local function template_of(id) return by_id(storage.templates, id) end

local function remove(list, item)
  local at = index_of(list, item)
  if at then table.remove(list, at) end
end

local function today() return now() // DAY end
local function things(n) return n == 1 and "1 thing" or n .. " things" end

local function last_day(trip) return trip.start + trip.days - 1 end
local function range_text(trip)
  return date(trip.start * DAY, "%d %b") .. " to " .. date(last_day(trip) * DAY, "%d %b %Y")
end

-- Weights ---------------------------------------------------------------------------------------------

local function weight_text(grams)
  if prefs.ounces then return format("%.1f oz", grams / GRAMS_PER_OUNCE) end
  if grams < 1000 then return grams .. " g" end
  return format("%.3f kg", grams / 1000)
end

local function unit() return prefs.ounces and "oz" or "g" end

-- What a weight looks like in a field, and back.
local function typed_weight(grams)
  if grams == 0 then return "" end
  return prefs.ounces and format("%.1f", grams / GRAMS_PER_OUNCE) or tostring(grams)
end

local function parse_weight(text)
  if trim(text) == "" then return 0 end
  local value = tonumber(text)
  if not value or value < 0 or value > 99999 then return nil end
  if prefs.ounces then value = value * GRAMS_PER_OUNCE end
  return math.floor(value + 0.5)
end

local function item_line(item)
  local weight = item.grams > 0 and weight_text(item.grams) or "not weighed"
  return (item.number > 1 and item.number .. " × " or "") .. weight .. (item.essential and " · essential" or "")
end

-- Lines of a list: each bag with what is in it, then what has no bag.
local function by_bag(items, shown)
  local lines = {}
  local function add(bag)
    local inside = filter(items, function(it) return it.bag == (bag and bag.id) end)
    local visible = filter(inside, shown)
    if #visible == 0 and not (bag and prefs.empty_bags and #inside == 0) then return end
    table.insert(lines, { title = bag and bag.name or "Without a bag" })
    for place, it in ipairs(visible) do table.insert(lines, { item = it, inside = inside, place = place }) end
  end
  for _, bag in ipairs(storage.bags) do add(bag) end
  add(nil)
  return lines
end

local function new_copy(item)
  return { id = new_id(), name = item.name, number = item.number, grams = item.grams, bag = item.bag, essential = item.essential }
end

local function add_template(trip, template)
  local added = 0
  for _, item in ipairs(template.items) do
    local there = find(trip.items, function(x) return x.name:lower() == item.name:lower() end)
    if (not there or bug("template_twice")) and #trip.items < MAX_ITEMS then
      table.insert(trip.items, new_copy(item))
      added = added + 1
    end
  end
  return added
end

activity "Trips" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,

  trips = function(self)
    local trips = filter(storage.trips, function(t) return not t.archived and (last_day(t) >= today()) == (self.tab == 1) end)
    table.sort(trips, function(a, b) return a.start < b.start end)
    return trips
  end,

  ask_copy = function(self, trip)
    if #storage.trips >= MAX_TRIPS then return toast("Too many trips") end
    self:dialog { title = "Copy " .. trip.name .. "?", message = "The copy starts in a week, with nothing packed.", cancel = "Cancel", ok = "Copy",
      on_ok = function()
        local twin = { id = new_id(), name = trip.name .. " again", place = trip.place, start = today() + 7, days = trip.days, notes = trip.notes, items = {} }
        for _, item in ipairs(trip.items) do
          local other = new_copy(item)
          if bug("copy_packed") then other.packed = item.packed end
          table.insert(twin.items, other)
        end
        table.insert(storage.trips, twin)
        self:start("Trip", { id = twin.id })
      end }
  end,

  ask_delete = function(self, trip)
    local function delete() remove(storage.trips, trip) end
    if not prefs.confirm then return delete() end
    self:dialog { title = "Delete " .. trip.name .. "?", message = things(#trip.items) .. " on its list", cancel = "Cancel", ok = "Delete", on_ok = delete }
  end,

  trip_menu = function(self, trip)
    self:popup {
      { "Edit", id = "edit_trip", on_click = function() self:start("EditTrip", { id = trip.id }) end },
      { "Copy", id = "copy_trip", on_click = function() self:ask_copy(trip) end },
      { "Archive", id = "archive_trip", on_click = function()
        trip.archived = true
        self:snackbar(trip.name .. " archived", "Undo", function() trip.archived = nil end)
      end },
      { "Delete", id = "delete_trip", on_click = function() self:ask_delete(trip) end },
    }
  end,

  view = function(self)
    return column {
      drawer { id = "pages", header = "Packing", items = each({ "Bags", "Templates", "Archive", "Settings" }, function(page)
        return { page, id = "open_" .. page:lower(), on_click = function() self:start(page) end }
      end) },
      toolbar { "Trips" },
      tabs { id = "when_tabs", titles = { "Upcoming", "Past" }, selected = self.tab, on_change = function(i) self.tab = i end },
      list { id = "trips", items = self:trips(), empty = text { "No trips here", id = "empty" },
        row = function(t)
          return column { id = "trip_row", text { t.name, id = "name" }, text { range_text(t) .. " · " .. things(#t.items), id = "line", size = "small" } }
        end,
        on_item_click = function(_, t) self:start("Trip", { id = t.id }) end,
        on_item_long_click = function(_, t) self:trip_menu(t) end },
      fab { id = "add_trip", desc = "New trip", on_click = function() self:start("EditTrip") end },
    }
  end,
}

activity "Trip" {
  create = function(self, intent, saved) self.query = saved and saved.query end,
  save = function(self, out) out.query = self.query end,
  back = function(self)
    if not self.query then return false end
    self.query = nil
    return true
  end,

  visible = function(self, item)
    local query = trim(self.query or ""):lower()
    return not (prefs.hide_packed and item.packed) and (query == "" or contains(item.name:lower(), query))
  end,

  lines = function(self, trip) return by_bag(trip.items, function(it) return self:visible(it) end) end,

  toggle_search = function(self)
    self.query = not self.query and "" or nil
    self:set_text("query", "")
  end,

  set_packed = function(self, line, packed)
    local item = line.item
    if prefs.hide_packed and bug("check_hidden") then item = line.inside[line.place] end
    item.packed = packed or nil
  end,

  unpack_all = function(self, trip)
    local before = filter(trip.items, function(it) return it.packed end)
    for _, it in ipairs(trip.items) do it.packed = nil end
    self:snackbar("Everything is unpacked", "Undo", function()
      for _, it in ipairs(bug("unpack_undo") and trip.items or before) do it.packed = true end
    end)
  end,

  ask_template = function(self, trip)
    if #storage.templates == 0 then return toast("There are no templates") end
    self:dialog { title = "Add a template", items = each(storage.templates, function(t) return t.name end), cancel = "Cancel",
      on_item = function(i)
        local added = add_template(trip, storage.templates[i])
        toast(added == 0 and "Everything is on the list already" or things(added) .. " added")
      end }
  end,

  item_menu = function(self, trip, item)
    local same = filter(trip.items, function(it) return it.bag == item.bag and self:visible(it) end)
    local above = same[(index_of(same, item) or 1) - 1]
    self:popup {
      { "Essential", id = "toggle_essential", checked = item.essential == true, on_click = function() item.essential = not item.essential or nil end },
      { "Move up", id = "move_up", enabled = above ~= nil, on_click = function()
        local a, b = index_of(trip.items, above), index_of(trip.items, item)
        trip.items[a], trip.items[b] = item, above
      end },
      { "Delete", id = "delete_item", on_click = function()
        local at = index_of(trip.items, item)
        table.remove(trip.items, at)
        self:snackbar(item.name .. " deleted", "Undo", function()
          if item.bag and not bag_of(item.bag) then item.bag = nil end
          table.insert(trip.items, math.min(at, #trip.items + 1), item)
        end)
      end },
    }
  end,

  menu = function(self)
    local trip = trip_of(self.intent.id)
    if not trip then return {} end
    return {
      { "Edit trip", id = "edit_trip", on_click = function() self:start("EditTrip", { id = trip.id }) end },
      { "Hide what is packed", id = "hide_packed", checked = prefs.hide_packed, on_click = function() prefs.hide_packed = not prefs.hide_packed end },
      { "Add a template", id = "add_template", on_click = function() self:ask_template(trip) end },
      { "Keep as a template", id = "keep_template", on_click = function()
        if #storage.templates >= MAX_TEMPLATES then return toast("Too many templates") end
        table.insert(storage.templates, { id = new_id(), name = trip.name, items = each(trip.items, new_copy) })
        toast("Kept with " .. things(#trip.items))
      end },
      { "Unpack all", id = "unpack_all", on_click = function() self:unpack_all(trip) end },
      { "Weights", id = "weights", on_click = function() self:start("Weights", { id = trip.id }) end },
    }
  end,

  row = function(self, trip, line)
    if line.title then return text { line.title, id = "bag_title", size = "large" } end
    return row { id = "item_row",
      check { "", id = "packed", desc = line.item.name, checked = line.item.packed == true, on_change = function(b) self:set_packed(line, b) end },
      column { weight = 1, text { line.item.name, id = "name" }, text { item_line(line.item), id = "line", size = "small" } } }
  end,

  view = function(self)
    local trip = trip_of(self.intent.id)
    if not trip then return column { toolbar { "Trip", up = true }, text { "This trip is gone", id = "gone" } } end
    local packed = #filter(trip.items, function(it) return it.packed end)
    local missing = #filter(trip.items, function(it) return it.essential and not it.packed end)
    return column {
      toolbar { trip.name, up = true, actions = { { "Search", id = "search", on_click = function() self:toggle_search() end } } },
      text { (trip.place ~= "" and trip.place .. ", " or "") .. range_text(trip), id = "when" },
      text { packed .. " of " .. things(#trip.items) .. " packed" .. (missing > 0 and ", " .. missing .. " essential still out" or ""), id = "packed_count" },
      trip.notes ~= "" and text { trip.notes, id = "notes", size = "small" },
      self.query and field { id = "query", hint = "Find on this list", text = self.query, max = 20, on_change = function(s) self.query = s end },
      list { id = "items", items = self:lines(trip), row = function(line) return self:row(trip, line) end,
        empty = text { #trip.items == 0 and "Nothing on the list" or "Nothing to show", id = "empty" },
        on_item_click = function(_, line) if line.item then self:start("Item", { trip = trip.id, id = line.item.id }) end end,
        on_item_long_click = function(_, line) if line.item then self:item_menu(trip, line.item) end end },
      fab { id = "add_item", desc = "New thing", on_click = function() self:start("Item", { trip = trip.id }) end },
    }
  end,
}

-- One thing of a trip or of a template.
activity "Item" {
  owner = function(self)
    return self.intent.trip and trip_of(self.intent.trip) or self.intent.template and template_of(self.intent.template) or nil
  end,

  create = function(self, intent, saved)
    local owner = self:owner()
    local item = owner and intent.id and by_id(owner.items, intent.id)
    self.id = item and item.id
    self.first = saved and saved.first or item and { name = item.name, number = item.number, weight = typed_weight(item.grams), bag = item.bag, essential = item.essential }
      or { name = "", number = 1, weight = "" }
    local from = saved or self.first
    self.number, self.bag, self.essential = from.number, from.bag, from.essential
    self.unit = saved and saved.unit or unit()
  end,
  save = function(self, out)
    out.first, out.number, out.bag, out.essential, out.unit = self.first, self.number, self.bag, self.essential, self.unit
  end,

  leave = function(self)
    local f = self.first
    local same = self:text("name") == f.name and self:text("weight") == f.weight and self.number == f.number and self.bag == f.bag
      and (self.essential or false) == (f.essential or false)
    if same then return self:finish() end
    self:dialog { title = "Discard the changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Cancel" }
  end,
  back = function(self)
    if not self:owner() then return false end
    self:leave()
    return true
  end,

  store = function(self, owner)
    local name, typed = trim(self:text("name")), self:text("weight")
    if name == "" then return toast("What is it?") end
    local grams = parse_weight(typed)
    if not grams then return toast("This is no weight") end
    if bug("ounces_stored") and prefs.ounces then grams = math.floor((tonumber(typed) or 0) + 0.5) end
    local item = self.id and by_id(owner.items, self.id)
    if not item then
      if #owner.items >= MAX_ITEMS then return toast("The list is full") end
      item = { id = new_id(), grams = grams }
      table.insert(owner.items, item)
    end
    if typed ~= self.first.weight then item.grams = grams end   -- rounding does not add up
    item.name, item.number, item.bag, item.essential = name, self.number, self.bag and bag_of(self.bag) and self.bag, self.essential or nil
    self:finish()
  end,

  view = function(self)
    local owner = self:owner()
    if not owner then return column { toolbar { "Thing", up = true }, text { "This list is gone", id = "gone" } } end
    local bags = { { name = "Without a bag" } }
    for _, b in ipairs(storage.bags) do table.insert(bags, b) end
    local _, at = find(bags, function(b) return b.id == self.bag end)
    return column {
      toolbar { self.id and "Edit thing" or "New thing", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store(owner) end } } },
      scroll { id = "form",
        field { id = "name", hint = "What", text = self.first.name, max = 25 },
        row { text { "How many: " .. self.number, id = "number", weight = 1 },
          button { "−", id = "fewer", desc = "Fewer", enabled = self.number > 1, on_click = function() self.number = math.max(self.number - 1, 1) end },
          button { "+", id = "more", desc = "More", enabled = self.number < 20, on_click = function() self.number = math.min(self.number + 1, 20) end } },
        text { "Weight of one in " .. self.unit .. ", empty if it was not weighed", id = "weight_label", size = "small" },
        field { id = "weight", hint = "Weight", text = self.first.weight, input = "decimal", max = 7 },
        spinner { id = "bag", items = each(bags, function(b) return b.name end), selected = at or 1, on_change = function(i) self.bag = bags[i].id end },
        check { "Essential", id = "essential", checked = self.essential == true, on_change = function(b) self.essential = b end },
      },
    }
  end,
}

-- A new trip starts in a week and may begin with a template.
activity "EditTrip" {
  create = function(self, intent, saved)
    local trip = intent.id and trip_of(intent.id)
    self.id = trip and trip.id
    self.first = trip and { name = trip.name, place = trip.place, days = tostring(trip.days), notes = trip.notes, start = trip.start }
      or { name = "", place = "", days = "3", notes = "", start = today() + 7 }
    self.start_day, self.template = saved and saved.start_day or self.first.start, saved and saved.template
    self.days = saved and saved.days or self.first.days
  end,
  save = function(self, out) out.start_day, out.template, out.days = self.start_day, self.template, self.days end,

  last_day_text = function(self)
    local days = tonumber(self.days)
    if not days or days < 1 then return "?" end
    local last = last_day { start = self.start_day, days = math.floor(days) }
    if bug("last_day") then last = self.start_day + math.floor(days) end
    return date(last * DAY, "%A, %d %b %Y")
  end,

  leave = function(self)
    local f = self.first
    local same = self:text("name") == f.name and self:text("place") == f.place and self:text("days") == f.days and self:text("notes") == f.notes
      and self.start_day == f.start and not self.template
    if same then return self:finish() end
    self:dialog { title = "Discard the changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Cancel" }
  end,
  back = function(self) self:leave() return true end,

  store = function(self)
    local name, days = trim(self:text("name")), tonumber(self:text("days"))
    if name == "" then return toast("Give the trip a name") end
    if not days or days < 1 or days > 90 then return toast("A trip takes 1 to 90 days") end
    local trip = self.id and trip_of(self.id)
    if not trip then
      if #storage.trips >= MAX_TRIPS then return toast("Too many trips") end
      trip = { id = new_id(), items = {} }
      table.insert(storage.trips, trip)
      local template = self.template and template_of(self.template)
      if template then add_template(trip, template) end
    end
    trip.name, trip.place, trip.days, trip.notes, trip.start = name, trim(self:text("place")), math.floor(days), trim(self:text("notes")), self.start_day
    self:finish()
  end,

  view = function(self)
    local templates = { { name = "An empty list" } }
    for _, t in ipairs(storage.templates) do table.insert(templates, t) end
    local _, at = find(templates, function(t) return t.id == self.template end)
    local function step(label, id, desc, by)
      return button { label, id = id, desc = desc, on_click = function() self.start_day = self.start_day + by end }
    end
    return column {
      toolbar { self.id and "Edit trip" or "New trip", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { id = "form",
        field { id = "name", hint = "Name", text = self.first.name, max = 25 },
        field { id = "place", hint = "Where to", text = self.first.place, max = 25 },
        text { "First day: " .. date(self.start_day * DAY, "%A, %d %b %Y"), id = "first_day" },
        row { step("−7", "week_earlier", "A week earlier", -7), step("−1", "day_earlier", "A day earlier", -1), step("+1", "day_later", "A day later", 1),
          step("+7", "week_later", "A week later", 7) },
        text { "Days, the first and the last one among them", size = "small" },
        field { id = "days", hint = "Days", text = self.first.days, input = "number", max = 2, on_change = function(s) self.days = s end },
        text { "Last day: " .. self:last_day_text(), id = "last_day" },
        not self.id and text { "Begin with", size = "small" },
        not self.id and spinner { id = "template", items = each(templates, function(t) return t.name end), selected = at or 1,
          on_change = function(i) self.template = templates[i].id end },
        field { id = "notes", hint = "Notes", text = self.first.notes, input = "multiline", max = 200 },
      },
    }
  end,
}

activity "Weights" {
  view = function(self)
    local trip = trip_of(self.intent.id)
    if not trip then return column { toolbar { "Weights", up = true }, text { "This trip is gone", id = "gone" } } end
    local rows, total, unweighed = {}, 0, 0
    local function add(bag)
      local inside = filter(trip.items, function(it) return it.bag == (bag and bag.id) end)
      if #inside == 0 then return end
      local weight = bag and bag.own or 0
      total = total + weight
      for _, it in ipairs(inside) do
        weight = weight + it.grams * it.number
        total = total + it.grams * (bug("number_once") and 1 or it.number)
        if it.grams == 0 then unweighed = unweighed + 1 end
      end
      table.insert(rows, { name = bag and bag.name or "Without a bag", weight = weight, limit = bag and bag.limit or 0 })
    end
    for _, bag in ipairs(storage.bags) do add(bag) end
    add(nil)
    return column {
      toolbar { "Weights", up = true },
      text { trip.name .. ": " .. weight_text(total), id = "total", size = "large" },
      unweighed > 0 and text { things(unweighed) .. " not weighed and left out", id = "unweighed", size = "small" },
      list { id = "bags", items = rows, empty = text { "Nothing on the list", id = "empty" },
        row = function(r)
          local line = weight_text(r.weight)
          if r.limit > 0 then line = line .. " of " .. weight_text(r.limit) .. (r.weight > r.limit and ", too heavy" or "") end
          return column { id = "bag_row", text { r.name, id = "name" }, text { line, id = "weight", size = "small" } }
        end },
      text { "Bags weigh something too: what they are themselves is included", id = "hint", size = "small" },
    }
  end,
}

activity "Bags" {
  uses = function(self, bag)
    local count = 0
    for _, t in ipairs(storage.trips) do
      if not t.archived then count = count + #filter(t.items, function(it) return it.bag == bag.id end) end
    end
    return count
  end,

  ask = function(self, bag)
    local label = unit()
    self:dialog {
      title = bag and "Edit bag" or "New bag",
      view = function() return column {
        field { id = "bag_name", hint = "Name", text = bag and bag.name or "", max = 20 },
        text { "Its own weight in " .. label, size = "small" },
        field { id = "bag_own", hint = "Own weight", text = bag and typed_weight(bag.own) or "", input = "decimal", max = 7 },
        text { "Limit in " .. label .. ", empty for none", size = "small" },
        field { id = "bag_limit", hint = "Limit", text = bag and typed_weight(bag.limit) or "", input = "decimal", max = 7 } } end,
      ok = "Save",
      on_ok = function()
        local name = trim(self:text("bag_name"))
        local own, limit = parse_weight(self:text("bag_own")), parse_weight(self:text("bag_limit"))
        if name == "" then toast("A bag needs a name") return true end
        if not own or not limit then toast("This is no weight") return true end
        if not bag then
          if #storage.bags >= MAX_BAGS then return toast("Too many bags") end
          bag = { id = new_id(), own = own, limit = limit }
          table.insert(storage.bags, bag)
        end
        if self:text("bag_own") ~= typed_weight(bag.own) then bag.own = own end
        if self:text("bag_limit") ~= typed_weight(bag.limit) then bag.limit = limit end
        bag.name = name
      end,
      cancel = "Cancel",
    }
  end,

  delete = function(self, bag)
    self:dialog { title = "Delete " .. bag.name .. "?", message = "What is in it stays on the lists, without a bag.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        remove(storage.bags, bag)
        if bug("bag_takes_things") then return end
        for _, lists in ipairs { storage.trips, storage.templates } do
          for _, list in ipairs(lists) do
            for _, it in ipairs(list.items) do if it.bag == bag.id then it.bag = nil end end
          end
        end
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Bags", up = true },
      list { id = "bags", items = storage.bags, empty = text { "No bags", id = "empty" },
        row = function(b) return row { id = "bag_row",
          column { weight = 1, text { b.name, id = "name" },
            text { weight_text(b.own) .. (b.limit > 0 and ", up to " .. weight_text(b.limit) or ", no limit") .. " · " .. things(self:uses(b)), id = "line", size = "small" } },
          image_button { id = "delete_bag", desc = "Delete bag", on_click = function() self:delete(b) end } } end,
        on_item_click = function(_, b) self:ask(b) end },
      text { "The things of archived trips are not counted", id = "hint", size = "small" },
      fab { id = "add_bag", desc = "New bag", on_click = function() self:ask(nil) end },
    }
  end,
}

local function ask_template_name(self, template)
  self:dialog {
    title = template and "Rename template" or "New template",
    view = function() return column { field { id = "template_name", hint = "Name", text = template and template.name or "", max = 25 } } end,
    ok = "Save",
    on_ok = function()
      local name = trim(self:text("template_name"))
      if name == "" then toast("A template needs a name") return true end
      if template then template.name = name return end
      if #storage.templates >= MAX_TEMPLATES then return toast("Too many templates") end
      table.insert(storage.templates, { id = new_id(), name = name, items = {} })
    end,
    cancel = "Cancel",
  }
end

activity "Templates" {
  view = function(self)
    return column {
      toolbar { "Templates", up = true },
      list { id = "templates", items = storage.templates, empty = text { "No templates", id = "empty" },
        row = function(t) return column { id = "template_row", text { t.name, id = "name" }, text { things(#t.items), id = "count", size = "small" } } end,
        on_item_click = function(_, t) self:start("Template", { id = t.id }) end },
      text { "Adding a template to a trip leaves out what is on its list already. Trips do not change with their templates.", id = "hint", size = "small" },
      fab { id = "new_template", desc = "New template", on_click = function() ask_template_name(self, nil) end },
    }
  end,
}

activity "Template" {
  menu = function(self)
    local t = template_of(self.intent.id)
    if not t then return {} end
    return {
      { "Rename", id = "rename_template", on_click = function() ask_template_name(self, t) end },
      { "Delete", id = "delete_template", on_click = function()
        remove(storage.templates, t)
        self:finish()
      end },
    }
  end,

  view = function(self)
    local t = template_of(self.intent.id)
    if not t then return column { toolbar { "Template", up = true }, text { "This template is gone", id = "gone" } } end
    return column {
      toolbar { t.name, up = true },
      list { id = "items", items = by_bag(t.items, function() return true end), empty = text { "Nothing on the list", id = "empty" },
        row = function(line)
          if line.title then return text { line.title, id = "bag_title", size = "large" } end
          return row { id = "item_row",
            column { weight = 1, text { line.item.name, id = "name" }, text { item_line(line.item), id = "line", size = "small" } },
            image_button { id = "delete_item", desc = "Take off the list", on_click = function() remove(t.items, line.item) end } }
        end,
        on_item_click = function(_, line) if line.item then self:start("Item", { template = t.id, id = line.item.id }) end end },
      fab { id = "add_item", desc = "New thing", on_click = function() self:start("Item", { template = t.id }) end },
    }
  end,
}

activity "Archive" {
  trip_menu = function(self, trip)
    self:popup {
      { "Bring back", id = "bring_back", on_click = function() trip.archived = nil end },
      { "Delete", id = "delete_trip", on_click = function()
        if not prefs.confirm then return remove(storage.trips, trip) end
        self:dialog { title = "Delete " .. trip.name .. "?", cancel = "Cancel", ok = "Delete", on_ok = function() remove(storage.trips, trip) end }
      end },
    }
  end,

  view = function(self)
    local archived = filter(storage.trips, function(t) return t.archived end)
    table.sort(archived, function(a, b) return a.start < b.start end)
    return column {
      toolbar { "Archive", up = true },
      list { id = "archived", items = archived, empty = text { "The archive is empty", id = "empty" },
        row = function(t) return column { id = "archived_row", text { t.name, id = "name" }, text { range_text(t), id = "line", size = "small" } } end,
        on_item_click = function(_, t) self:trip_menu(t) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    local function option(name, title, about)
      return { switch { title, id = name, checked = prefs[name], on_change = function(b) prefs[name] = b end }, about and text { about, size = "small" } }
    end
    return column {
      toolbar { "Settings", up = true },
      scroll { id = "options",
        option("ounces", "Weights in ounces", "Weights are kept in grams: an ounce is 28.35 g"),
        option("hide_packed", "Hide what is packed", "It still counts"),
        option("empty_bags", "Show bags with nothing in them"),
        option("confirm", "Ask before a trip is deleted"),
        button { "About", id = "about", on_click = function()
          self:dialog { title = "Packing 3.1", message = "A thing counts once, however many of it are taken. Its weight counts for each.", ok = "OK" }
        end },
      },
    }
  end,
}
