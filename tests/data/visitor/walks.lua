-- Walkies: the diary of somebody who walks other people's dogs.
--
-- A bar at the bottom leads to the walks of today, the dogs, the bills and the rest. A walk is planned, started and
-- timed, and in the end it stands on the bill of the dog's owner; dogs that have left lie in an archive.

app {
  package = "org.example.walkies",
  title = "Walkies",
  main = "Main",
  bugs = { "timer_pause", "pay_all", "move_keeps_old", "clock_sort", "cancel_hidden", "restore_owner", "rotate_week", "weekend_saturday" },
  application = function()
    if storage.walks then return end
    local today = now() // 86400000
    storage.next_id = 60
    storage.owners = { { id = 1, name = "Ann Berg", phone = "555 010 234" }, { id = 2, name = "Carl Diaz", phone = "555 077 100" },
      { id = 3, name = "Eve Fox", phone = "555 031 909" } }
    storage.dogs = {
      { id = 11, name = "Rex", breed = "Beagle", owner = 1, code = "4711", note = "Pulls on the lead", last = today },
      { id = 12, name = "Luna", breed = "Poodle", owner = 2, code = "0815", note = "", last = today - 5 },
      { id = 13, name = "Bo", breed = "Mixed", owner = 2, code = "0815", note = "No other dogs", last = today - 2 },
      { id = 14, name = "Milo", breed = "Terrier", owner = 3, code = "2580", note = "Moved away", last = today - 90, archived = true },
    }
    storage.walks = {
      { id = 21, dog = 11, day = today - 6, at = 600, len = 60, state = "done" },
      { id = 22, dog = 12, day = today - 5, at = 540, len = 30, state = "done" },
      { id = 23, dog = 11, day = today - 3, at = 900, len = 30, state = "cancelled" },
      { id = 24, dog = 13, day = today - 2, at = 660, len = 60, state = "done" },
      { id = 25, dog = 11, day = today, at = 420, len = 30, state = "done" },
      { id = 26, dog = 12, day = today, at = 630, len = 60, state = "planned" },
      { id = 27, dog = 13, day = today, at = 840, len = 30, state = "planned" },
      { id = 28, dog = 11, day = today + 1, at = 540, len = 45, state = "planned" },
    }
    prefs.rate, prefs.weekend, prefs.flat = 18, true, false
    prefs.half_day, prefs.by_last, prefs.hide_done = false, false, false
  end,
}

local LENGTHS = { 15, 30, 45, 60, 90 }
local MINUTES = { 0, 15, 30, 45 }
local MAX_WALKS, MAX_DOGS, EXTRA = 80, 25, 5

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function today() return now() // 86400000 end
local function day_text(day) return date(day * 86400000, "%a %d %b") end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function dog_of(id) return by_id(storage.dogs, id) end
local function owner_of(id) return by_id(storage.owners, id) end
local function walk_of(id) return by_id(storage.walks, id) end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end
local function money(amount) return format("EUR %.2f", amount) end
local function names(list) return each(list, function(x) return x.name end) end

local function clock(at)
  if not prefs.half_day then return format("%02d:%02d", at // 60, at % 60) end
  return format("%d:%02d %s", (at // 60 + 11) % 12 + 1, at % 60, at < 720 and "am" or "pm")
end

local function stopwatch(ms) return format("%d:%02d", ms // 60000, ms // 1000 % 60) end
local function elapsed(run) return (run.paused_at or now()) - run.started - run.paused end
local function weekday(day) return (day + 3) % 7 + 1 end        -- Monday is 1

local function price(walk)
  local extra = prefs.weekend and weekday(walk.day) >= (bug("weekend_saturday") and 7 or 6)
  return prefs.rate * walk.len / 60 + (extra and EXTRA or 0), extra
end

local function walks_of_day(day)
  local result = filter(storage.walks, function(w) return w.day == day end)
  table.sort(result, function(a, b)
    if bug("clock_sort") then return clock(a.at) < clock(b.at) end
    return a.at < b.at
  end)
  return result
end

local function active_dogs()
  local result = filter(storage.dogs, function(d) return not d.archived end)
  table.sort(result, function(a, b)
    if prefs.by_last and a.last ~= b.last then return a.last > b.last end
    return a.name:lower() < b.name:lower()
  end)
  return result
end

local function walks_of_owner(id, state)
  return filter(storage.walks, function(w) return w.state == state and not w.paid and dog_of(w.dog).owner == id end)
end

local function sum(walks)
  local total = 0
  for _, w in ipairs(walks) do total = total + price(w) end
  return total
end

local function last_text(dog)
  local days = today() - dog.last
  return dog.last == 0 and "Never walked" or days == 0 and "Walked today" or "Walked " .. plural(days, "day") .. " ago"
end

local function gone(title) return column { toolbar { title, up = true }, text { "Not here any more", id = "gone" } } end

activity "Main" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
    self:every(1000, function() end)                            -- the stopwatch on the bar
  end,
  save = function(self, out) out.tab = self.tab end,
  back = function(self)
    if self.tab == 1 then return false end
    self.tab = 1
    return true
  end,

  menu = function(self)
    return { { "Hide done walks", id = "hide_done", checked = prefs.hide_done, on_click = function() prefs.hide_done = not prefs.hide_done end } }
  end,

  walk_menu = function(self, walk, i)
    if storage.run and storage.run.walk == walk.id then return self:start("Run") end
    if walk.state ~= "planned" then return toast("This walk is " .. walk.state) end
    self:popup {
      { "Start walk", id = "begin", on_click = function()
        if storage.run then return toast("Finish the other walk first") end
        storage.run = { walk = walk.id, started = now(), paused = 0 }
        self:start("Run")
      end },
      { "Edit", id = "edit_walk", on_click = function() self:start("Plan", { id = walk.id }) end },
      { "Cancel walk", id = "call_off", on_click = function()
        local hit = bug("cancel_hidden") and walks_of_day(today())[i] or walk
        hit.state = "cancelled"
        self:snackbar("Walk cancelled", "Undo", function() hit.state = "planned" end)
      end },
    }
  end,

  day_page = function(self)
    local items = filter(walks_of_day(today()), function(w) return not prefs.hide_done or w.state ~= "done" end)
    local hidden = #walks_of_day(today()) - #items
    return column { weight = 1,
      prefs.hint_day ~= today() and row { text { "Water and bags packed?", id = "hint", weight = 1 },
        button { "Yes", id = "hint_ok", on_click = function() prefs.hint_day = today() end } },
      text { day_text(today()) .. (hidden > 0 and ", " .. hidden .. " done hidden" or ""), id = "day", size = "small" },
      list { id = "walks", items = items, empty = text { "No walks today", id = "empty" },
        row = function(w)
          return column { id = "walk_row", text { clock(w.at) .. "  " .. dog_of(w.dog).name, id = "name", size = "large" },
            text { w.len .. " min, " .. (storage.run and storage.run.walk == w.id and "out now" or w.state), id = "line", size = "small" } }
        end,
        on_item_click = function(i, w) self:walk_menu(w, i) end },
      fab { id = "add_walk", desc = "Plan a walk", on_click = function() self:start("Plan", {}) end },
    }
  end,

  dogs_page = function(self)
    return column { weight = 1,
      list { id = "dogs", items = active_dogs(), empty = text { "No dogs yet", id = "empty" },
        row = function(d) return column { id = "dog_row", text { d.name, id = "name", size = "large" }, text { last_text(d), id = "line", size = "small" } } end,
        on_item_click = function(_, d) self:start("Dog", { id = d.id }) end },
      fab { id = "add_dog", desc = "New dog", on_click = function() self:start("EditDog", {}) end },
    }
  end,

  bills_page = function(self)
    return list { id = "bills", items = storage.owners,
      row = function(o)
        local walks = walks_of_owner(o.id, "done")
        return column { id = "bill_row", text { o.name, id = "name", size = "large" },
          text { #walks == 0 and "Nothing open" or money(sum(walks)) .. " for " .. plural(#walks, "walk"), id = "line", size = "small" } }
      end,
      on_item_click = function(_, o) self:start("Bill", { id = o.id }) end }
  end,

  more_page = function(self)
    return column { weight = 1, each({ "Week", "Archive", "Settings" }, function(name)
      return button { name, id = "go_" .. name:lower(), on_click = function() self:start(name) end }
    end) }
  end,

  view = function(self)
    local pages = { self.day_page, self.dogs_page, self.bills_page, self.more_page }
    return column {
      toolbar { "Walkies" },
      pages[self.tab](self),
      storage.run and button { "Out with " .. dog_of(walk_of(storage.run.walk).dog).name .. ", " .. stopwatch(elapsed(storage.run)), id = "running",
        on_click = function() self:start("Run") end },
      bottom_bar { items = each({ "Today", "Dogs", "Bills", "More" }, function(name, i)
        return { name, id = "tab_" .. name:lower(), selected = self.tab == i, on_click = function() self.tab = i end }
      end) },
    }
  end,
}

activity "Run" {
  create = function(self) self:every(1000, function() end) end,

  pause_or_go = function(self, run)
    if not run.paused_at then run.paused_at = now() return end
    if not bug("timer_pause") then run.paused = run.paused + now() - run.paused_at end
    run.paused_at = nil
  end,

  done = function(self, walk, dog)
    walk.state, dog.last = "done", today()
    toast(dog.name .. " is back after " .. stopwatch(elapsed(storage.run)))
    storage.run = nil
    self:finish()
  end,

  view = function(self)
    local run = storage.run
    if not run then return gone("Walk") end
    local walk = walk_of(run.walk)
    local dog = dog_of(walk.dog)
    return column {
      toolbar { "Walking " .. dog.name, up = true },
      text { stopwatch(elapsed(run)), id = "time", size = "large" },
      text { "Booked: " .. walk.len .. " min" .. (run.paused_at and ", pause" or ""), id = "booked" },
      dog.note ~= "" and text { dog.note, id = "note" },
      row { button { run.paused_at and "Go on" or "Pause", id = "pause", on_click = function() self:pause_or_go(run) end },
        button { "Back home", id = "finish", on_click = function() self:done(walk, dog) end } },
      text { "Longer or shorter walks are billed as booked", id = "rule", size = "small" },
    }
  end,
}

-- A new walk (for the dog of the intent, if it names one) or another time for one that is planned.
activity "Plan" {
  create = function(self, intent, saved)
    local w = saved or walk_of(intent.id) or { dog = intent.dog, day = today() + 1, at = 600, len = 30 }
    self.walk = { dog = w.dog or (active_dogs()[1] or {}).id, day = w.day, at = w.at, len = w.len }
  end,
  save = function(self, out) out.dog, out.day, out.at, out.len = self.walk.dog, self.walk.day, self.walk.at, self.walk.len end,
  store = function(self)
    local old, w = walk_of(self.intent.id), self.walk
    if not w.dog then return toast("There is no dog to walk") end
    if old and not (bug("move_keeps_old") and old.day ~= w.day) then
      old.dog, old.day, old.at, old.len = w.dog, w.day, w.at, w.len
    else
      if #storage.walks >= MAX_WALKS then return toast("The diary is full") end
      table.insert(storage.walks, { id = new_id(), dog = w.dog, day = w.day, at = w.at, len = w.len, state = "planned" })
    end
    toast("Planned for " .. day_text(w.day) .. ", " .. clock(w.at))
    self:finish()
  end,

  view = function(self)
    local w, dogs, days = self.walk, active_dogs(), {}
    for i = 0, 13 do days[i + 1] = i == 0 and "Today" or i == 1 and "Tomorrow" or day_text(today() + i) end
    local function pick(id, label, items, selected, fn)
      return row { text { label, width = 320 }, spinner { id = id, items = items, selected = selected, weight = 1, on_change = fn } }
    end
    return column {
      toolbar { walk_of(self.intent.id) and "Edit walk" or "Plan a walk", up = true,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        pick("dog", "Dog", names(dogs), index_of(each(dogs, function(d) return d.id end), w.dog) or 1, function(i) w.dog = dogs[i].id end),
        pick("day", "Day", days, w.day - today() + 1, function(i) w.day = today() + i - 1 end),
        pick("hour", "Hour", each({ 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18 }, function(h) return clock(h * 60) end), w.at // 60 - 6,
          function(i) w.at = (i + 6) * 60 + w.at % 60 end),
        pick("minute", "Minute", each(MINUTES, tostring), index_of(MINUTES, w.at % 60), function(i) w.at = w.at // 60 * 60 + MINUTES[i] end),
        pick("len", "Length", each(LENGTHS, function(n) return n .. " min" end), index_of(LENGTHS, w.len), function(i) w.len = LENGTHS[i] end),
        text { format("Price: %s", money((price(w)))), id = "price" },
      },
    }
  end,
}

activity "Dog" {
  show_code = function(self)
    self.code = true
    if self.timer then cancel(self.timer) end
    self.timer = self:after(5000, function() self.code, self.timer = nil, nil end)
  end,

  menu = function(self)
    local dog = dog_of(self.intent.id)
    return dog and { { "Edit", id = "edit_dog", on_click = function() self:start("EditDog", { id = dog.id }) end },
      { "Archive", id = "archive_dog", on_click = function() self:ask_archive(dog) end } } or {}
  end,

  ask_archive = function(self, dog)
    local planned = filter(storage.walks, function(w) return w.dog == dog.id and w.state == "planned" end)
    if storage.run and dog_of(walk_of(storage.run.walk).dog) == dog then return toast(dog.name .. " is out now") end
    self:dialog { title = "Archive " .. dog.name .. "?", message = plural(#planned, "planned walk") .. " will be cancelled", cancel = "Cancel",
      ok = "Archive", on_ok = function()
        dog.archived = true
        for _, w in ipairs(planned) do w.state = "cancelled" end
        self:finish()
      end }
  end,

  view = function(self)
    local dog = dog_of(self.intent.id)
    if not dog or dog.archived then return gone("Dog") end
    local coming = filter(storage.walks, function(w) return w.dog == dog.id and w.state == "planned" end)
    table.sort(coming, function(a, b) return a.day * 1440 + a.at < b.day * 1440 + b.at end)
    return column {
      toolbar { dog.name, up = true },
      text { dog.breed, id = "breed" }, text { last_text(dog), id = "last" }, dog.note ~= "" and text { dog.note, id = "note" },
      button { "Owner: " .. owner_of(dog.owner).name, id = "owner", on_click = function() self:start("Owner", { id = dog.owner }) end },
      row { text { "Door code: " .. (not self.code and "****" or dog.code ~= "" and dog.code or "none"), id = "code", weight = 1 },
        button { "Show 5 s", id = "show_code", on_click = function() self:show_code() end } },
      button { "Plan a walk", id = "plan", on_click = function() self:start("Plan", { dog = dog.id }) end },
      list { id = "coming", items = coming, empty = text { "Nothing planned", id = "empty" },
        row = function(w) return text { day_text(w.day) .. ", " .. clock(w.at) .. ", " .. w.len .. " min", id = "coming_row" } end,
        on_item_click = function(_, w) self:start("Plan", { id = w.id }) end },
    }
  end,
}

activity "EditDog" {
  create = function(self, intent, saved)
    local dog = dog_of(intent.id)
    self.owner = saved and saved.owner or dog and index_of(each(storage.owners, function(o) return o.id end), dog.owner) or 1
  end,
  save = function(self, out) out.owner = self.owner end,
  store = function(self)
    local name, breed, code = trim(self:text("name")), trim(self:text("breed")), self:text("code")
    if name == "" then return toast("What is the dog's name?") end
    local dog = dog_of(self.intent.id)
    if not dog then
      if #storage.dogs >= MAX_DOGS then return toast("Too many dogs") end
      dog = { id = new_id(), last = 0 }
      table.insert(storage.dogs, dog)
    end
    dog.name, dog.breed, dog.owner = name, breed ~= "" and breed or "Mixed", storage.owners[self.owner].id
    dog.code, dog.note = code, trim(self:text("note"))
    self:finish()
  end,

  view = function(self)
    local dog = dog_of(self.intent.id) or {}
    return column {
      toolbar { dog.id and "Edit dog" or "New dog", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", max = 20, text = dog.name or "" },
        field { id = "breed", hint = "Breed (empty: Mixed)", max = 20, text = dog.breed or "" },
        field { id = "code", hint = "Door code", input = "number", max = 6, text = dog.code or "" },
        field { id = "note", hint = "Good to know", max = 60, text = dog.note or "" },
        spinner { id = "owner", items = names(storage.owners), selected = self.owner, on_change = function(i) self.owner = i end },
      },
    }
  end,
}

activity "Owner" {
  ask_phone = function(self, owner)
    self:dialog { title = "Phone of " .. owner.name,
      view = function() return column { field { id = "phone", input = "phone", max = 20, text = owner.phone } } end,
      ok = "Save", cancel = "Cancel",
      on_ok = function()
        local digits = self:text("phone"):gsub("%D", "")
        if #digits < 5 then return toast("That is no phone number") end
        owner.phone = trim(digits:gsub("%d%d%d", "%0 "))         -- in groups of three
      end }
  end,

  view = function(self)
    local owner = owner_of(self.intent.id)
    if not owner then return gone("Owner") end
    local dogs = filter(storage.dogs, function(d) return d.owner == owner.id and not d.archived end)
    return column {
      toolbar { owner.name, up = true },
      row { text { owner.phone, id = "number", weight = 1 },
        button { "Call", id = "call", on_click = function() self:start_implicit { action = "DIAL", uri = "tel:" .. owner.phone:gsub(" ", "") } end },
        button { "Change", id = "change", on_click = function() self:ask_phone(owner) end } },
      text { #dogs == 0 and "No dogs now" or "Dogs: " .. table.concat(names(dogs), ", "), id = "dogs" },
      button { "Bill", id = "bill", on_click = function() self:start("Bill", { id = owner.id }) end },
    }
  end,
}

activity "Bill" {
  pay = function(self, owner, walks)
    if bug("pay_all") then walks = filter(storage.walks, function(w) return w.state == "done" and not w.paid end) end
    for _, w in ipairs(walks) do w.paid = true end
    self:snackbar("Paid by " .. owner.name, "Undo", function() for _, w in ipairs(walks) do w.paid = nil end end)
  end,

  view = function(self)
    local owner = owner_of(self.intent.id)
    if not owner then return gone("Bill") end
    local walks, off = walks_of_owner(owner.id, "done"), #walks_of_owner(owner.id, "cancelled")
    return column {
      toolbar { "Bill for " .. owner.name, up = true },
      list { id = "lines", items = walks, empty = text { "Nothing to pay", id = "empty" },
        row = function(w)
          local amount, extra = price(w)
          return column { id = "line_row", text { day_text(w.day) .. "  " .. dog_of(w.dog).name .. ", " .. w.len .. " min", id = "walk" },
            text { money(amount) .. (extra and " with weekend extra" or ""), id = "amount", size = "small" } }
        end },
      text { "Total: " .. money(sum(walks)), id = "total", size = "large" },
      off > 0 and text { plural(off, "cancelled walk") .. " not charged", id = "off", size = "small" },
      button { "Paid", id = "paid", enabled = #walks > 0, on_click = function() self:pay(owner, walks) end },
    }
  end,
}

activity "Week" {
  create = function(self, intent, saved) self.offset = saved and not bug("rotate_week") and saved.offset or 0 end,
  save = function(self, out) out.offset = self.offset end,
  view = function(self)
    local monday, days = today() - weekday(today()) + 1 + self.offset * 7, {}
    for i = 0, 6 do days[i + 1] = monday + i end
    local function go(n) self.offset = math.max(-8, math.min(8, self.offset + n)) end
    return column {
      toolbar { "Week of " .. date(monday * 86400000, "%d %b"), up = true, actions = { { "This week", id = "now", on_click = function() self.offset = 0 end } } },
      row { button { "Before", id = "before", on_click = function() go(-1) end }, button { "After", id = "after", on_click = function() go(1) end } },
      list { id = "week", items = days,
        row = function(day)
          local walks = filter(walks_of_day(day), function(w) return w.state ~= "cancelled" end)
          local dogs = table.concat(each(walks, function(w) return clock(w.at) .. " " .. dog_of(w.dog).name end), ", ")
          return column { id = "day_row", text { day_text(day) .. (day == today() and " (today)" or ""), id = "day" },
            text { #walks == 0 and "-" or dogs, id = "dogs", size = "small" } }
        end },
    }
  end,
}

activity "Archive" {
  view = function(self)
    local dogs = filter(storage.dogs, function(d) return d.archived end)
    return column {
      toolbar { "Archive", subtitle = "Tap to bring back", up = true },
      list { id = "dogs", items = dogs, empty = text { "No dogs in the archive", id = "empty" },
        row = function(d) return column { id = "dog_row", text { d.name, id = "name" }, text { "Owner: " .. owner_of(d.owner).name, id = "owner", size = "small" } } end,
        on_item_click = function(_, d)
          d.archived = nil
          if bug("restore_owner") then d.owner = storage.owners[1].id end
          toast(d.name .. " is back")
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text { "An hour costs " .. money(prefs.rate), id = "rate_label" },
      slider { id = "rate", min = 10, max = 40, step = 1, value = prefs.rate, on_change = function(value) prefs.rate = value end },
      switch { "Weekend (Sat, Sun): " .. money(EXTRA) .. " extra", id = "weekend", checked = prefs.weekend, on_change = function(b)
        prefs.weekend, prefs.flat = b, prefs.flat and not b
      end },
      switch { "Same price every day", id = "flat", checked = prefs.flat, on_change = function(b)
        prefs.flat, prefs.weekend = b, prefs.weekend and not b
      end },
      switch { "Clock with am and pm", id = "half_day", checked = prefs.half_day, on_change = function(b) prefs.half_day = b end },
      switch { "Dogs by last walk", id = "by_last", checked = prefs.by_last, on_change = function(b) prefs.by_last = b end },
      text { "Open bills follow the price of today", id = "how", size = "small" },
    }
  end,
}
