-- Quest Log: the papers of a pen-and-paper round. Heroes with their hit points and packs, quests, a journal, a fight, a chest.
--
-- The first page has a tab for the party, the quests and the journal; what is needed less often is in the drawer. Heroes that
-- fell lie in the graveyard and can come back from it.

app {
  package = "org.example.questlog",
  title = "Quest Log",
  main = "Main",
  bugs = { "give_keeps", "fight_turn", "quest_untick", "split_buried", "search_stays", "shared_conditions", "total_unit", "level_at_last" },
  application = function()
    if storage.heroes then return end
    local today = now() // 86400000
    storage.next_id, storage.chest = 60, 100
    storage.heroes = {
      { id = 1, name = "Kira", class = 1, level = 3, xp = 250, hp = 22, max = 24, gold = 12, opened = 3, cond = {}, items = {
        { id = 11, name = "Rope", weight = 10, count = 1 }, { id = 12, name = "Torch", weight = 1, count = 5 },
        { id = 13, name = "Moon key", weight = 1, count = 1, quest = true } } },
      { id = 2, name = "Bran", class = 2, level = 3, xp = 120, hp = 30, max = 30, gold = 5, opened = 2, cond = { Poisoned = true }, items = {
        { id = 14, name = "Axe", weight = 8, count = 1 } } },
      { id = 3, name = "Sil", class = 3, level = 2, xp = 60, hp = 9, max = 14, gold = 30, opened = 1, cond = {}, items = {
        { id = 15, name = "Torch", weight = 1, count = 2 } } },
      { id = 4, name = "Oldo", class = 1, level = 1, xp = 20, hp = 0, max = 10, gold = 0, opened = 0, buried = true, cond = {}, items = {} },
    }
    storage.quests = {
      { id = 21, title = "The moon gate", steps = { { "Find the key", true }, { "Cross the marsh", true }, { "Open the gate", false } } },
      { id = 22, title = "Rats in the mill", done = true, steps = { { "Catch the rats", true } } },
    }
    storage.journal = {
      { id = 31, title = "Session 1", day = today - 21, body = "Met at the inn. Oldo fell into the well." },
      { id = 32, title = "Session 2", day = today - 7, body = "Caught the rats. The miller paid a hundred gold." },
    }
    prefs.metric, prefs.by_opened, prefs.gritty, prefs.quick, prefs.recap = false, false, false, true, true
  end,
}

local CLASSES = { "Ranger", "Fighter", "Wizard", "Priest" }
local CONDITIONS = { "Poisoned", "Frightened", "Cursed", "Unconscious" }
local NAMES = { "Alda", "Borin", "Cass", "Dorn", "Elwe", "Fenn", "Gwyn", "Hark" }
local NO_CONDITIONS, MAX_HEROES, MAX_LINES = {}, 12, 30

local function today() return now() // 86400000 end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end
local function clean(s) return (trim(s):gsub("%s+", " "):gsub("^%l", string.upper)) end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function short(s)
  local cut = utf8.offset(s, 41)
  return cut and cut <= #s and s:sub(1, cut - 1) .. "..." or s
end

local function hero_of(id)
  local hero = by_id(storage.heroes, id)
  return hero and not hero.buried and hero or nil
end

local function remove_from(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end

local function party()
  local result = filter(storage.heroes, function(h) return not h.buried end)
  table.sort(result, function(a, b)
    if prefs.by_opened and a.opened ~= b.opened then return a.opened > b.opened end
    return a.name < b.name
  end)
  return result
end

local function weigh(pounds, with_bug)
  return format("%.1f %s", prefs.metric and not with_bug and pounds * 0.4536 or pounds, prefs.metric and "kg" or "lb")
end

local function state_text(hero)
  local list = filter(CONDITIONS, function(name) return hero.cond[name] end)
  return #list > 0 and table.concat(list, ", ") or "Fine"
end

local function set_hp(hero, hp)
  hero.hp = math.max(0, math.min(hero.max, hp))
  hero.cond.Unconscious = hero.hp == 0 or nil
end

local function leave_fight(i)
  local fight = storage.fight
  table.remove(fight.list, i)
  if i < fight.turn and not bug("fight_turn") then fight.turn = fight.turn - 1 end
  if fight.turn > #fight.list then fight.turn, fight.round = 1, fight.round + 1 end
  if #fight.list == 0 then storage.fight = nil end
end

local function ask_text(self, title, hint, fn)
  self:dialog { title = title, view = function() return column { field { id = "answer", hint = hint, max = 25 } } end,
    ok = "OK", cancel = "Cancel", on_ok = function()
      local answer = clean(self:text("answer"))
      if answer ~= "" then fn(answer) else toast("Nothing was typed") end
    end }
end

activity "Main" {
  create = function(self, intent, saved)
    self.tab, self.searching, self.query = saved and saved.tab or 1, saved and saved.searching or false, saved and saved.query or ""
  end,
  save = function(self, out) out.tab, out.searching, out.query = self.tab, self.searching, self.query end,
  menu = function(self)
    return { { "Last opened first", id = "by_opened", checked = prefs.by_opened, on_click = function() prefs.by_opened = not prefs.by_opened end } }
  end,

  close_search = function(self)
    self.searching = false
    if not bug("search_stays") then
      self.query = ""
      self:set_text("query", "")
    end
    self:hide_keyboard()
  end,

  back = function(self)
    if self.tab ~= 3 or not self.searching then return false end
    self:close_search()
    return true
  end,

  heroes = function(self)
    return column { weight = 1,
      list { id = "heroes", items = party(), empty = text { "Nobody is left", id = "empty" },
        row = function(h)
          return column { id = "hero_row", text { h.name .. ", " .. CLASSES[h.class] .. " " .. h.level, id = "name", size = "large" },
            text { h.hp .. " of " .. h.max .. " hit points, " .. state_text(h), id = "line", size = "small" } }
        end,
        on_item_click = function(_, h) self:start("Hero", { id = h.id }) end },
      fab { id = "add_hero", desc = "New hero", on_click = function() self:start("EditHero", {}) end },
    }
  end,

  quests = function(self)
    return column { weight = 1,
      list { id = "quests", items = storage.quests, empty = text { "No quests", id = "empty" },
        row = function(q)
          local done = #filter(q.steps, function(s) return s[2] end)
          return column { id = "quest_row", text { q.title, id = "title", size = "large" },
            text { (q.done and "Done, " or "") .. done .. " of " .. plural(#q.steps, "step"), id = "line", size = "small" } }
        end,
        on_item_click = function(_, q) self:start("Quest", { id = q.id }) end },
      fab { id = "add_quest", desc = "New quest", on_click = function()
        ask_text(self, "New quest", "Title", function(title)
          if #storage.quests < MAX_LINES then table.insert(storage.quests, { id = new_id(), title = title, steps = {} }) end
        end)
      end },
    }
  end,

  journal = function(self)
    local query = trim(self.query):lower()
    local shown = filter(storage.journal, function(e) return contains((e.title .. " " .. e.body):lower(), query) end)
    table.sort(shown, function(a, b) return a.id > b.id end)
    return column { weight = 1,
      self.searching and row { field { id = "query", hint = "Find in the journal", max = 30, weight = 1, text = self.query, on_change = function(s) self.query = s end },
        button { "Close", id = "close_search", on_click = function() self:close_search() end } },
      not self.searching and button { "Search the journal", id = "open_search", on_click = function() self.searching = true end },
      list { id = "journal", items = shown, empty = text { query == "" and "The journal is empty" or "Nothing found", id = "empty" },
        row = function(e) return column { id = "entry_row", text { e.title, id = "title", size = "large" },
          text { date(e.day * 86400000, "%d %b") .. ": " .. short(e.body), id = "line", size = "small" } } end,
        on_item_click = function(_, e) self:start("Entry", { id = e.id }) end },
      fab { id = "add_entry", desc = "New entry", on_click = function() self:start("Entry", {}) end },
    }
  end,

  view = function(self)
    local pages, last = { self.heroes, self.quests, self.journal }, storage.journal[#storage.journal]
    return column {
      toolbar { "Quest Log" },
      drawer { id = "drawer", header = "Quest Log", items = each({ "Fight", "Chest", "Graveyard", "Rules" }, function(name)
        return { name, id = "go_" .. name:lower(), on_click = function() self:start(name) end }
      end) },
      prefs.recap and last and prefs.recap_day ~= today() and row { text { "Last time: " .. short(last.body), id = "recap", weight = 1, size = "small" },
        button { "OK", id = "recap_ok", on_click = function() prefs.recap_day = today() end } },
      tabs { id = "tabs", titles = { "Party", "Quests", "Journal" }, selected = self.tab, on_change = function(i) self.tab = i end },
      pages[self.tab](self),
    }
  end,
}

activity "Hero" {
  create = function(self, intent, saved)
    local hero = hero_of(intent.id)
    if hero and not saved then hero.opened = now() end
  end,
  menu = function(self)
    local hero = hero_of(self.intent.id)
    return hero and { { "Bury", id = "bury", on_click = function() self:ask_bury(hero) end } } or {}
  end,

  ask_bury = function(self, hero)
    self:dialog { title = "Bury " .. hero.name .. "?", message = hero.gold .. " gold will go to the chest", cancel = "Cancel",
      ok = "Bury", on_ok = function()
        hero.buried, storage.chest, hero.gold = true, storage.chest + hero.gold, 0
        local _, i = find(storage.fight and storage.fight.list or {}, function(f) return f.hero == hero.id end)
        if i then leave_fight(i) end
        self:finish()
      end }
  end,

  learn = function(self, hero)
    hero.xp = hero.xp + 50
    local needed = hero.level * 100
    if hero.xp < needed or bug("level_at_last") and hero.xp == needed then return end
    hero.level, hero.xp, hero.max = hero.level + 1, hero.xp - needed, hero.max + 5
    toast(hero.name .. " is level " .. hero.level)
  end,

  rest = function(self, hero)
    hero.cond = { Cursed = hero.cond.Cursed }
    set_hp(hero, prefs.gritty and hero.hp + math.max(1, hero.max // 2) or hero.max)
    toast(hero.cond.Cursed and "A rest does not lift the curse" or "Rested")
  end,

  view = function(self)
    local hero = hero_of(self.intent.id)
    if not hero then return column { toolbar { "Hero", up = true }, text { "This hero is not in the party", id = "gone" } } end
    return column {
      toolbar { hero.name, up = true },
      scroll {
        text { CLASSES[hero.class] .. ", level " .. hero.level, id = "level" },
        row { text { hero.xp .. " of " .. hero.level * 100 .. " XP", id = "xp", weight = 1 },
          button { "+50 XP", id = "learn", on_click = function() self:learn(hero) end } },
        row { text { "Hit points: " .. hero.hp .. " of " .. hero.max, id = "hp", weight = 1 },
          button { "-1", id = "hurt", enabled = hero.hp > 0, on_click = function() set_hp(hero, hero.hp - 1) end },
          button { "+1", id = "heal", enabled = hero.hp < hero.max, on_click = function() set_hp(hero, hero.hp + 1) end },
          button { "Rest", id = "rest", on_click = function() self:rest(hero) end } },
        text { "Gold: " .. hero.gold, id = "gold" },
        each(CONDITIONS, function(name)
          return check { name, id = "condition", checked = hero.cond[name] or false, enabled = name ~= "Unconscious",
            on_change = function(b) hero.cond[name] = b or nil end }
        end),
        button { "Pack: " .. plural(#hero.items, "kind") .. " of things", id = "pack", on_click = function() self:start("Pack", { id = hero.id }) end },
      },
    }
  end,
}

activity "EditHero" {
  create = function(self, intent, saved) self.class = saved and saved.class or 1 end,
  save = function(self, out) out.class = self.class end,
  store = function(self)
    local name, max = clean(self:text("name")), tonumber(self:text("max")) or 10
    if name == "" or max == 0 then return toast("A hero needs a name and hit points") end
    if #storage.heroes >= MAX_HEROES then return toast("There are enough heroes") end
    table.insert(storage.heroes, { id = new_id(), name = name, class = self.class, level = 1, xp = 0, hp = max, max = max, gold = 0,
      opened = 0, cond = bug("shared_conditions") and NO_CONDITIONS or {}, items = {} })
    self:finish()
  end,

  view = function(self)
    return column {
      toolbar { "New hero", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      row { field { id = "name", hint = "Name", max = 20, weight = 1 },
        button { "Any", id = "any", on_click = function() self:set_text("name", NAMES[random(#NAMES)]) end } },
      field { id = "max", hint = "Hit points (10)", input = "number", max = 3 },
      spinner { id = "class", items = CLASSES, selected = self.class, on_change = function(i) self.class = i end },
    }
  end,
}

activity "Pack" {
  add = function(self, hero)
    local name, weight = clean(self:text("thing")), tonumber(self:text("weight")) or 0
    if name == "" or #hero.items >= MAX_LINES then return toast("Cannot add this") end
    table.insert(hero.items, { id = new_id(), name = name, weight = prefs.metric and weight / 0.4536 or weight, count = 1 })
    self:set_text("thing", "")
    self:set_text("weight", "")
  end,

  drop = function(self, hero, item)
    local i = index_of(hero.items, item)
    table.remove(hero.items, i)
    self:snackbar(item.name .. " dropped", "Undo", function() table.insert(hero.items, math.min(i, #hero.items + 1), item) end)
  end,

  ask_give = function(self, hero, item)
    local others = filter(party(), function(h) return h ~= hero end)
    if #others == 0 then return toast("There is nobody else") end
    self:dialog { title = "Give " .. item.name .. " to", items = each(others, function(h) return h.name end), cancel = "Cancel",
      on_item = function(i)
        local same = find(others[i].items, function(x) return x.name == item.name and x.weight == item.weight end)
        if same then same.count = same.count + item.count else table.insert(others[i].items, copy(item)) end
        if not (same and bug("give_keeps")) then remove_from(hero.items, item) end
        toast(others[i].name .. " has it now")
      end }
  end,

  view = function(self)
    local hero = hero_of(self.intent.id)
    if not hero then return column { toolbar { "Pack", up = true }, text { "This hero is not in the party", id = "gone" } } end
    local total, left_out = 0, 0
    for _, item in ipairs(hero.items) do
      if item.quest then left_out = left_out + 1 else total = total + item.weight * item.count end
    end
    return column {
      toolbar { "Pack of " .. hero.name, up = true },
      row { field { id = "thing", hint = "Thing", max = 20, weight = 2 }, field { id = "weight", hint = prefs.metric and "kg" or "lb", input = "decimal", max = 5, weight = 1 },
        button { "Add", id = "add_thing", on_click = function() self:add(hero) end } },
      list { id = "things", items = hero.items, empty = text { "The pack is empty", id = "empty" },
        row = function(item)
          return row { id = "thing_row", column { weight = 1, text { item.name .. (item.count > 1 and " x" .. item.count or ""), id = "name" },
              text { item.quest and "Quest thing" or weigh(item.weight * item.count), id = "line", size = "small" } },
            button { "-", id = "less", enabled = item.count > 1, on_click = function() item.count = item.count - 1 end },
            button { "+", id = "more", enabled = item.count < 99, on_click = function() item.count = item.count + 1 end } }
        end,
        on_item_long_click = function(_, item)
          self:popup { { "Give to", id = "give", on_click = function() self:ask_give(hero, item) end },
            { "Quest thing", id = "quest_thing", checked = item.quest == true, on_click = function() item.quest = not item.quest end },
            { "Drop", id = "drop", on_click = function() self:drop(hero, item) end } }
        end },
      text { "Carries " .. weigh(total, bug("total_unit")) .. (left_out > 0 and " (" .. plural(left_out, "quest thing") .. " not counted)" or ""), id = "total" },
    }
  end,
}

activity "Quest" {
  view = function(self)
    local quest = by_id(storage.quests, self.intent.id)
    if not quest then return column { toolbar { "Quest", up = true }, text { "No such quest", id = "gone" } } end
    return column {
      toolbar { quest.title, up = true },
      text { quest.done and "Done" or "Open", id = "state" },
      list { id = "steps", items = quest.steps, empty = text { "No steps yet", id = "empty" },
        row = function(s) return check { s[1], id = "step", checked = s[2], on_change = function(b)
          s[2] = b
          local all = #filter(quest.steps, function(x) return x[2] end) == #quest.steps
          if all or not bug("quest_untick") then quest.done = all end
        end } end },
      button { "Add a step", id = "add_step", enabled = #quest.steps < MAX_LINES, on_click = function()
        ask_text(self, "New step", "What is to be done", function(name)
          table.insert(quest.steps, { name, false })
          quest.done = false
        end)
      end },
    }
  end,
}

-- An entry of the journal is saved when it is left; one without a word is not kept.
activity "Entry" {
  create = function(self, intent, saved) self.id = saved and saved.id or intent.id end,
  save = function(self, out) out.id = self.id end,
  pause = function(self)
    local entry, title, body = by_id(storage.journal, self.id), clean(self:text("title")), trim(self:text("body"))
    if not entry then
      if body == "" or #storage.journal >= MAX_LINES then return end
      self.id = new_id()
      entry = { id = self.id, day = today() }
      table.insert(storage.journal, entry)
    end
    entry.title, entry.body = title ~= "" and title or "Untitled", body
  end,

  view = function(self)
    local entry = by_id(storage.journal, self.id) or { title = "Session " .. #storage.journal + 1, body = "" }
    return column {
      toolbar { "Journal", up = true },
      field { id = "title", hint = "Title", max = 30, text = entry.title },
      field { id = "body", hint = "What happened", input = "multiline", max = 300, text = entry.body },
    }
  end,
}

activity "Fight" {
  enter = function(self, fighter)
    local fight, i = storage.fight, 1
    while fight.list[i] and fight.list[i].speed >= fighter.speed do i = i + 1 end
    table.insert(fight.list, i, fighter)
    if i <= fight.turn then fight.turn = fight.turn + 1 end
  end,

  begin = function(self)
    local heroes = filter(party(), function(h) return h.hp > 0 end)
    if #heroes == 0 then return toast("Nobody can fight") end
    storage.fight = { list = {}, turn = 1, round = 1 }
    for _, h in ipairs(heroes) do self:enter { hero = h.id, speed = random(20) } end
    storage.fight.turn = 1
  end,

  menu = function(self) return storage.fight and { { "End the fight", id = "end_fight", on_click = function() storage.fight = nil end } } or {} end,
  view = function(self)
    local fight = storage.fight
    if not fight then
      return column { toolbar { "Fight", up = true }, text { "Everybody who can stand rolls for speed", id = "how" },
        button { "Begin", id = "begin", on_click = function() self:begin() end } }
    end
    return column {
      toolbar { "Fight, round " .. fight.round, up = true },
      list { id = "fighters", items = fight.list,
        row = function(f, i)
          local hero = by_id(storage.heroes, f.hero)
          return column { id = "fighter_row", text { (i == fight.turn and "> " or "") .. (hero and hero.name or f.name), id = "name", size = "large" },
            text { "Speed " .. f.speed .. (hero and ", " .. hero.hp .. " hit points" or ""), id = "line", size = "small" } }
        end,
        on_item_long_click = function(i) self:popup { { "Leaves the fight", id = "leaves", on_click = function() leave_fight(i) end } } end },
      row { button { "Next", id = "next", on_click = function()
          fight.turn = fight.turn % #fight.list + 1
          if fight.turn == 1 then fight.round = fight.round + 1 end
        end },
        button { "Add a foe", id = "add_foe", on_click = function()
          if #fight.list >= MAX_LINES then return toast("Too crowded") end
          ask_text(self, "New foe", "Name", function(name) self:enter { name = name, speed = random(20) } end)
        end } },
    }
  end,
}

activity "Chest" {
  split = function(self)
    local heroes = party()
    local n = bug("split_buried") and #storage.heroes or #heroes
    if n == 0 then return toast("There is nobody to share it") end
    local share = storage.chest // n
    for _, h in ipairs(heroes) do h.gold = h.gold + share end
    storage.chest = storage.chest % n
    toast(share .. " gold each" .. (storage.chest > 0 and ", " .. storage.chest .. " stays in the chest" or ""))
  end,

  view = function(self)
    local all = storage.chest
    for _, h in ipairs(party()) do all = all + h.gold end
    return column {
      toolbar { "Chest", up = true },
      text { storage.chest .. " gold in the chest", id = "chest", size = "large" },
      row { button { "Put in 50", id = "put", enabled = storage.chest < 9999, on_click = function() storage.chest = storage.chest + 50 end },
        button { "Split", id = "split", enabled = storage.chest > 0, on_click = function() self:split() end } },
      text { "What cannot be split evenly stays in the chest", id = "how", size = "small" },
      list { id = "purses", items = party(), row = function(h) return text { h.name .. ": " .. h.gold .. " gold", id = "purse_row" } end },
      text { "All together: " .. all .. " gold", id = "all" },
    }
  end,
}

activity "Graveyard" {
  view = function(self)
    return column {
      toolbar { "Graveyard", up = true },
      list { id = "graves", items = filter(storage.heroes, function(h) return h.buried end), empty = text { "No graves", id = "empty" },
        row = function(h) return column { id = "grave_row", text { h.name, id = "name" }, text { CLASSES[h.class] .. " " .. h.level, id = "line", size = "small" } } end,
        on_item_click = function(_, h)
          h.buried = nil
          set_hp(h, 1)
          toast(h.name .. " is back with one hit point")
        end },
    }
  end,
}

activity "Rules" {
  view = function(self)
    return column {
      toolbar { "Rules", up = true },
      switch { "Weights in kilograms", id = "metric", checked = prefs.metric, on_change = function(b) prefs.metric = b end },
      switch { "Gritty: a rest heals half", id = "gritty", checked = prefs.gritty, on_change = function(b) prefs.gritty, prefs.quick = b, not b end },
      switch { "Quick: a rest heals all", id = "quick", checked = prefs.quick, on_change = function(b) prefs.quick, prefs.gritty = b, not b end },
      switch { "Once a day: what happened last", id = "recap", checked = prefs.recap, on_change = function(b) prefs.recap = b end },
    }
  end,
}
