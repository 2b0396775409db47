-- Harvest Book: the trees of an orchard and what was picked from them, season by season.
--
-- Weights are kept in grams and shown in the chosen unit. A tree carries its total (windfalls are not part of it), which is
-- counted anew when its harvests change. Harvests go to the bin, trees are felled: those keep their harvests.

local DAY = 24 * 60 * 60 * 1000
local KINDS = { "Apple", "Pear", "Plum" }
local QUALITIES = { "Table", "Juice", "Windfall" }
local GRAMS = { kg = 1000, lb = 453.592 }
local JOBS = { "Pruned", "Sprayed", "Mulched", "Grafted" }
local DAYS = { "Today", "Yesterday", "A week ago", "A month ago" }
local PROVERBS = { "A rainy May fills the barn", "Plant pears for your heirs", "An apple never falls far" }
local MAX_TREES, MAX_HARVESTS, MAX_JOBS = 40, 200, 12

app {
  package = "org.norn.harvest",
  title = "Harvest Book",
  main = "Main",
  bugs = { "edit_total", "unit_save", "early_season", "log_open", "shared_jobs", "young_average", "undo_keeps_bin", "day_rotated" },
  server = function(request)
    if request.path ~= "/frost" then return nil, 404 end
    local nights = {}
    for i = 1, 4 do table.insert(nights, { day = now() + i * DAY, low = (now() // 60000 * 3 + i * 5) % 9 - 4 }) end
    return nights
  end,
  application = function()
    if storage.trees then return end
    storage.next_id = 40
    storage.trees = {
      { id = 1, name = "Old Bramley", kind = 1, planted = 1998, used = 5, jobs = { "Pruned" } },
      { id = 2, name = "Gate Cox", kind = 1, planted = 2009, used = 4, jobs = {} },
      { id = 3, name = "Conference", kind = 2, planted = 2012, used = 6, jobs = { "Sprayed" } },
      { id = 4, name = "Victoria", kind = 3, planted = 2015, used = 3, jobs = {} },
      { id = 5, name = "Little Bramley", kind = 1, planted = 2022, used = 2, jobs = { "Mulched" } },
      { id = 6, name = "Storm Pear", kind = 2, planted = 1971, used = 1, jobs = {}, felled = true },
    }
    storage.harvests, storage.bin = {}, {}
    local function picked(tree, days, grams, quality)
      storage.next_id = storage.next_id + 1
      table.insert(storage.harvests, { id = storage.next_id, tree = tree, day = now() - days * DAY, grams = grams, quality = quality })
    end
    picked(6, 530, 21000, 1)
    picked(1, 512, 48000, 1)
    picked(4, 193, 15500, 1)
    picked(1, 165, 52500, 1)
    picked(1, 158, 9000, 3)
    picked(2, 160, 26000, 1)
    picked(5, 150, 3500, 2)
    picked(3, 143, 34000, 2)
    picked(3, 72, 6500, 1)
    for _, tree in ipairs(storage.trees) do
      tree.total = 0
      for _, h in ipairs(storage.harvests) do
        if h.tree == tree.id and h.quality ~= 3 then tree.total = tree.total + h.grams end
      end
    end
    prefs.unit, prefs.price, prefs.log_sort = "kg", 2, 1
  end,
}

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function show(grams) return format("%.1f %s", grams / GRAMS[prefs.unit], prefs.unit) end
local function harvests_of(tree) return filter(storage.harvests, function(h) return h.tree == tree.id end) end

local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
  return i
end

local function recount(tree)
  tree.total = 0
  for _, h in ipairs(harvests_of(tree)) do
    if h.quality ~= 3 then tree.total = tree.total + h.grams end
  end
end

local function season_of(day)
  if bug("early_season") then return 1970 + day // DAY // 365 end
  return tonumber(date(day, "%Y"))
end

local function this_season() return season_of(now()) end

-- Whether a tree is old enough to be part of averages.
local function bearing(tree, season) return season - tree.planted >= 3 or bug("young_average") end

local function newest_first(list)
  local result = copy(list)
  table.sort(result, function(a, b)
    if a.day ~= b.day then return a.day > b.day end
    return a.id > b.id
  end)
  return result
end

local function throw_away(harvest)
  if forget(storage.harvests, harvest) then table.insert(storage.bin, harvest) end
  recount(by_id(storage.trees, harvest.tree))
end

local function take_back(harvest)
  if not index_of(storage.harvests, harvest) then table.insert(storage.harvests, harvest) end
  recount(by_id(storage.trees, harvest.tree))
end

local function harvest_row(h, name)
  return column { id = "harvest_row", text { (name and name .. ": " or "") .. show(h.grams), id = "weight" },
    text { date(h.day, "%d %b %Y") .. ", " .. QUALITIES[h.quality]:lower(), id = "picked", size = "small" } }
end

local function gone(what) return column { toolbar { what, up = true }, text { "This is no longer here", id = "gone" } } end

activity "Main" {
  create = function(self, intent, saved)
    self.kind, self.query = saved and saved.kind, saved and saved.query or ""
  end,
  save = function(self, out) out.kind, out.query = self.kind, self.query end,

  -- Felled trees are hidden, but a search finds them. The tree picked last comes first.
  shown = function(self)
    local trees = filter(storage.trees, function(t)
      if self.kind and t.kind ~= self.kind then return false end
      if self.query == "" then return not t.felled end
      return contains(t.name:lower(), self.query:lower())
    end)
    table.sort(trees, function(a, b)
      if a.used ~= b.used then return a.used > b.used end
      return a.id < b.id
    end)
    return trees
  end,
  ask_kind = function(self)
    self:dialog { title = "Show", items = { "All kinds", table.unpack(KINDS) }, checked = (self.kind or 0) + 1,
      on_item = function(i) self.kind = i > 1 and i - 1 or nil end }
  end,
  duplicate = function(self, tree)
    if #storage.trees >= MAX_TREES then return toast("The orchard is full") end
    local twin = copy(tree)
    twin.id, twin.name, twin.total, twin.felled = new_id(), "Twin of " .. tree.name:sub(1, 22), 0, nil
    if not bug("shared_jobs") then twin.jobs = copy(tree.jobs) end
    table.insert(storage.trees, twin)
    toast("The twin has the same jobs, and no harvests yet")
  end,
  tree_menu = function(self, tree)
    self:popup {
      { "Pick", id = "pick", on_click = function() self:start("Harvest", { tree = tree.id }) end, enabled = not tree.felled },
      { "Edit", id = "edit_tree", on_click = function() self:start("EditTree", { id = tree.id }) end },
      { "Duplicate", id = "duplicate", on_click = function() self:duplicate(tree) end },
      { "Felled", id = "fell", checked = tree.felled == true, on_click = function() tree.felled = not tree.felled or nil end },
    }
  end,
  menu = function(self)
    return {
      { "Season", id = "season", on_click = function() self:start("Season") end },
      { "All harvests", id = "log", on_click = function() self:start("Log") end },
      { "Frost", id = "frost", on_click = function() self:start("Frost") end },
      { "Bin", id = "bin", on_click = function() self:start("Bin") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local today = now() // DAY
    return column {
      toolbar { "Harvest Book", subtitle = self.kind and KINDS[self.kind] .. " only" or nil,
        actions = { { "Filter", id = "filter", on_click = function() self:ask_kind() end } } },
      storage.advice ~= today and row { button { "Thanks", id = "thanks", on_click = function() storage.advice = today end },
        text { "For today: look for canker while the trees are bare", id = "advice", size = "small", weight = 1 } },
      field { id = "query", hint = "Find a tree, felled ones too", text = self.query, max = 30, on_change = function(s) self.query = s end },
      list { id = "trees", weight = 1, items = self:shown(), empty = text { "No trees", id = "empty" },
        row = function(t)
          return column { id = "tree_row", text { t.name .. (t.felled and " (felled)" or ""), id = "name" },
            text { KINDS[t.kind] .. ", " .. show(t.total), id = "line", size = "small" } }
        end,
        on_item_click = function(_, t) self:start("Tree", { id = t.id }) end,
        on_item_long_click = function(_, t) self:tree_menu(t) end },
      fab { id = "add_tree", desc = "New tree", on_click = function() self:start("EditTree") end },
    }
  end,
}

activity "Tree" {
  ask_job = function(self, tree)
    self:dialog { title = "What was done?", items = JOBS,
      on_item = function(i)
        if #tree.jobs >= MAX_JOBS then table.remove(tree.jobs, 1) end
        table.insert(tree.jobs, JOBS[i])
      end }
  end,
  view = function(self)
    local tree = by_id(storage.trees, self.intent.id)
    if not tree then return gone("Tree") end
    return column {
      toolbar { tree.name, up = true, subtitle = KINDS[tree.kind] .. ", planted " .. tree.planted, actions = {
        { "Edit", id = "edit", on_click = function() self:start("EditTree", { id = tree.id }) end } } },
      text { "Altogether " .. show(tree.total) .. " (windfalls not counted)", id = "total" },
      tree.felled and text { "Felled", id = "felled" },
      text { "Jobs: " .. (#tree.jobs > 0 and table.concat(tree.jobs, ", ") or "none yet"), id = "jobs" },
      button { "Add a job", id = "add_job", on_click = function() self:ask_job(tree) end },
      list { id = "harvests", items = newest_first(harvests_of(tree)), empty = text { "Nothing picked", id = "empty" },
        row = function(h) return harvest_row(h) end,
        on_item_click = function(_, h) self:start("Harvest", { id = h.id, tree = tree.id }) end,
        on_item_long_click = function(_, h)
          self:popup { { "Move to bin", id = "bin_harvest", on_click = function() throw_away(h) end } }
        end },
      not tree.felled and fab { id = "add_harvest", desc = "Pick", on_click = function() self:start("Harvest", { tree = tree.id }) end },
    }
  end,
}

activity "EditTree" {
  create = function(self, intent, saved)
    self.tree = by_id(storage.trees, intent.id)
    self.kind = saved and saved.kind or self.tree and self.tree.kind or 1
  end,
  save = function(self, out) out.kind = self.kind end,
  store = function(self)
    local name, planted = trim(self:text("name")), tonumber(self:text("planted"))
    if name == "" then return toast("It needs a name") end
    if not planted or planted < 1850 or planted > this_season() then return toast("In which year was it planted?") end
    local tree = self.tree
    if not tree then
      if #storage.trees >= MAX_TREES then return toast("The orchard is full") end
      tree = { id = new_id(), total = 0, used = now(), jobs = {} }
      table.insert(storage.trees, tree)
    end
    tree.name, tree.kind, tree.planted = name, self.kind, math.floor(planted)
    self:finish()
  end,
  view = function(self)
    local tree = self.tree
    return column {
      toolbar { tree and "Edit tree" or "New tree", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", text = tree and tree.name or "", max = 30 },
      spinner { id = "kind", items = KINDS, selected = self.kind, on_change = function(i) self.kind = i end },
      field { id = "planted", hint = "Planted in", input = "number", text = tree and tostring(tree.planted) or "", max = 4 },
    }
  end,
}

-- A weight that was typed but not saved is kept for the next time at the same tree.
activity "Harvest" {
  create = function(self, intent, saved)
    local h = by_id(storage.harvests, intent.id)
    local old = saved or h or {}
    self.harvest, self.quality = h, old.quality or 1
    self.day = old.day or now()
    if saved and bug("day_rotated") then self.day = h and h.day or now() end
    self.draft = not h and storage.draft and storage.draft.tree == intent.tree and storage.draft.weight or nil
  end,
  save = function(self, out) out.day, out.quality = self.day, self.quality end,
  leave = function(self)
    local weight = self:text("weight")
    if self.harvest or not self.intent.tree then return end
    if self.draft then storage.draft = nil end
    if weight == "" then return end
    storage.draft = { tree = self.intent.tree, weight = weight }
    toast("The weight is kept for the next time")
  end,
  back = function(self) self:leave() end,
  before = function(self) return self.harvest and format("%.1f", self.harvest.grams / GRAMS[prefs.unit]) or self.draft or "" end,
  grams = function(self)
    local number = tonumber(self:text("weight"))
    if not number or number <= 0 or number > 9999 then return nil end
    if bug("unit_save") then return math.floor(number * 1000 + 0.5) end
    if self.harvest and self:text("weight") == self:before() then return self.harvest.grams end
    return math.floor(number * GRAMS[prefs.unit] + 0.5)
  end,
  store = function(self, tree)
    local grams, h = self:grams(), self.harvest
    if not grams then return toast("How much was it?") end
    if not h then
      if #storage.harvests + #storage.bin >= MAX_HARVESTS then return toast("The book is full") end
      h = { id = new_id(), tree = tree.id }
      table.insert(storage.harvests, h)
      storage.draft = nil
      tree.used = now()
    end
    h.grams, h.day, h.quality = grams, self.day, self.quality
    if not self.harvest or not bug("edit_total") then recount(tree) end
    self:finish()
  end,
  ask_day = function(self)
    self:dialog { title = "Picked", items = DAYS, on_item = function(i) self.day = now() - ({ 0, 1, 7, 30 })[i] * DAY end }
  end,
  view = function(self)
    local tree = by_id(storage.trees, self.intent.tree)
    if not tree then return gone("Harvest") end
    local function up() self:leave() self:finish() end
    return column {
      toolbar { tree.name, up = up, subtitle = self.harvest and "Change a harvest" or "New harvest",
        actions = { { "Save", id = "save", on_click = function() self:store(tree) end } } },
      field { id = "weight", hint = "Weight in " .. prefs.unit, input = "decimal", text = self:before(), max = 6 },
      button { "Picked on " .. date(self.day, "%d %b %Y"), id = "day", on_click = function() self:ask_day() end },
      radios { id = "quality", items = QUALITIES, selected = self.quality, on_change = function(i) self.quality = i end },
    }
  end,
}

activity "Log" {
  rows = function(self)
    local rows = newest_first(storage.harvests)
    if prefs.log_sort == 2 then table.sort(rows, function(a, b) return a.grams > b.grams end) end
    return rows
  end,
  remove = function(self, h)
    throw_away(h)
    self.undo = h
    if self.timer then cancel(self.timer) end
    self.timer = self:after(5000, function() self.undo, self.timer = nil, nil end)
  end,
  undo_remove = function(self)
    local h = self.undo
    self.undo = nil
    if not index_of(storage.bin, h) then return toast("It is not in the bin any more") end
    take_back(h)
    if not bug("undo_keeps_bin") then forget(storage.bin, h) end
  end,
  open = function(self, i, h)
    if bug("log_open") then h = newest_first(storage.harvests)[i] end
    self:start("Harvest", { id = h.id, tree = h.tree })
  end,
  view = function(self)
    return column {
      toolbar { "All harvests", up = true, subtitle = prefs.log_sort == 1 and "Newest first" or "Heaviest first", actions = {
        { "Sort", id = "sort", on_click = function() prefs.log_sort = 3 - prefs.log_sort end } } },
      list { id = "log_list", weight = 1, items = self:rows(), empty = text { "Nothing picked", id = "empty" },
        row = function(h) return harvest_row(h, by_id(storage.trees, h.tree).name) end,
        on_item_click = function(i, h) self:open(i, h) end,
        on_item_swipe = function(i, direction)
          local h = self:rows()[i]
          if h and direction == "left" then self:remove(h) end
        end },
      self.undo and row { button { "Undo", id = "undo", on_click = function() self:undo_remove() end },
        text { "Moved to the bin", id = "removed", weight = 1 } },
      text { "Swipe to the left to remove", id = "how", size = "small" },
    }
  end,
}

activity "Season" {
  create = function(self, intent, saved) self.year = saved and saved.year or this_season() end,
  save = function(self, out) out.year = self.year end,
  view = function(self)
    local picked = filter(newest_first(storage.harvests), function(h) return season_of(h.day) == self.year end)
    local sums, trees, average, windfalls = { 0, 0, 0 }, {}, 0, 0
    for _, h in ipairs(picked) do
      local tree = by_id(storage.trees, h.tree)
      if h.quality == 3 then
        windfalls = windfalls + h.grams
      else
        sums[tree.kind] = sums[tree.kind] + h.grams
        if bearing(tree, self.year) then
          average = average + h.grams
          if not index_of(trees, tree.id) then table.insert(trees, tree.id) end
        end
      end
    end
    local all = sums[1] + sums[2] + sums[3]
    return column {
      toolbar { "Season " .. self.year, up = true, actions = {
        { "Previous", id = "previous", on_click = function() self.year = math.max(2000, self.year - 1) end },
        { "Next", id = "next", on_click = function() self.year = math.min(this_season(), self.year + 1) end } } },
      text { show(all) .. ", felled trees too, and " .. show(windfalls) .. " of windfalls apart", id = "sum" },
      text { format("Worth %.2f at %.2f per %s", all / GRAMS[prefs.unit] * prefs.price, prefs.price, prefs.unit), id = "worth" },
      text { #trees > 0 and "On average " .. show(average / #trees) .. " a bearing tree" or "No bearing trees", id = "average" },
      each(KINDS, function(kind, i) return sums[i] > 0 and text { kind .. ": " .. show(sums[i]), id = "kind_sum" } or nil end),
      list { id = "season_list", items = picked, empty = text { "Nothing picked in " .. self.year, id = "empty" },
        row = function(h) return harvest_row(h, by_id(storage.trees, h.tree).name) end,
        on_item_click = function(_, h) self:start("Tree", { id = h.tree }) end },
    }
  end,
}

activity "Frost" {
  create = function(self) self:load() end,
  load = function(self)
    self.loading = true
    net.get("https://weather.example.org/frost", function(reply)
      self.loading, self.failed = false, not reply.ok
      self.nights = reply.ok and reply.body or {}
    end)
  end,
  view = function(self)
    return column {
      toolbar { "Frost", up = true, subtitle = "Changes by the minute", actions = { { "Refresh", id = "refresh", on_click = function() self:load() end } } },
      self.loading and progress { id = "loading", spinning = true },
      list { id = "nights", items = self.nights or {}, empty = text { self.failed and "No connection" or "Loading", id = "empty" },
        row = function(n) return text { date(n.day, "%d %b") .. ": " .. n.low .. " degrees" .. (n.low < 0 and ", cover the blossom" or ""), id = "night" } end },
    }
  end,
}

activity "Bin" {
  restore = function(self, h)
    forget(storage.bin, h)
    take_back(h)
  end,
  menu = function(self)
    return { { "Empty", id = "empty_bin", enabled = #storage.bin > 0, on_click = function()
      self:dialog { title = "Empty the bin?", message = #storage.bin .. " for ever", cancel = "Cancel", ok = "Empty", on_ok = function() storage.bin = {} end }
    end } }
  end,
  view = function(self)
    return column {
      toolbar { "Bin", up = true },
      list { id = "bin_list", items = storage.bin, empty = text { "The bin is empty", id = "empty" },
        row = function(h) return harvest_row(h, by_id(storage.trees, h.tree).name) end,
        on_item_click = function(_, h)
          self:dialog { title = "Put it back?", message = show(h.grams), cancel = "Cancel", ok = "Restore", on_ok = function() self:restore(h) end }
        end },
    }
  end,
}

activity "Settings" {
  set_unit = function(self, unit)
    if unit == prefs.unit then return end
    prefs.unit, prefs.price = unit, unit == "kg" and 2 or 1
    storage.draft = nil
    toast("Prices start again at the usual one per " .. unit)
  end,
  ask_price = function(self)
    self:dialog { title = "Price per " .. prefs.unit, cancel = "Cancel", ok = "Set",
      view = function() return column { field { id = "new_price", input = "decimal", text = format("%.2f", prefs.price), max = 5 } } end,
      on_ok = function()
        local price = tonumber(self:text("new_price"))
        if not price or price < 0 then return true end
        prefs.price = price
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text { "Weights in" },
      radios { id = "unit", items = { "Kilograms", "Pounds" }, selected = prefs.unit == "kg" and 1 or 2,
        on_change = function(i) self:set_unit(i == 1 and "kg" or "lb") end },
      button { format("Price: %.2f per %s", prefs.price, prefs.unit), id = "price", on_click = function() self:ask_price() end },
      text { "A tree bears when it is three years old; younger ones are left out of averages", id = "bearing", size = "small" },
      button { "Proverb", id = "proverb", on_click = function() toast(PROVERBS[random(#PROVERBS)]) end },
    }
  end,
}
