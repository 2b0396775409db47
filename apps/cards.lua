-- Cards: flash cards in decks, studied one by one. Decks are made by hand or imported from a text file, which is
-- looked for with a small file browser.

app {
  package = "org.norn.cards",
  title = "Cards",
  main = "Decks",
  bugs = { "studied_card_deleted", "stats_unseen", "import_separator", "undo_rotated", "empty_limit", "again_reversed",
    "stale_count", "same_choice" },
  themis = {
    { n = 1, activity = "Decks", id = "deck_row", kind = "tap" },
    { n = 2, activity = "Deck", id = "study", kind = "tap" },
    { n = 3, activity = "Study", id = "edit", kind = "tap" },
    { n = 4, activity = "EditCard", id = "delete_card", kind = "tap" },
    { n = 5, activity = "Study", id = "show_answer", kind = "tap" },
    { n = 6, activity = "Study", id = "good", kind = "tap" },
    { n = 7, activity = "Study", kind = "rotate" },
    { n = 8, activity = "Study", id = "undo", kind = "tap" },
    { n = 9, activity = "Import", id = "entry_row", kind = "tap" },
    { n = 10, activity = "Preview", id = "separator", kind = "tap" },
    { n = 11, activity = "Preview", id = "import_now", kind = "tap" },
    { n = 12, activity = "NewDeck", id = "daily_limit", kind = "type" },
    { n = 13, activity = "NewDeck", id = "create", kind = "tap" },
  },
  application = function()
    if storage.decks then return end
    local function deck(name, ...)
      local cards = each({ ... }, function(pair) return { front = pair[1], back = pair[2], seen = 0, right = 0 } end)
      return { name = name, limit = 20, cards = cards, count = #cards }
    end
    storage.decks = {
      deck("Capitals", { "Norway", "Oslo" }, { "Peru", "Lima" }, { "Kenya", "Nairobi" }),
      deck("Rivers", { "Cologne", "Rhine" }, { "Vienna", "Danube" }),
    }
    storage.reviews = 0
    prefs.reverse = false
    prefs.confirm = true
  end,
}

local MAX_DECKS, MAX_CARDS = 15, 60

local function deck_at(i) return storage.decks[i] end

local function counted(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function add_card(deck, front, back)
  if #deck.cards >= MAX_CARDS then return false end
  table.insert(deck.cards, { front = front, back = back, seen = 0, right = 0 })
  deck.count = #deck.cards
  return true
end

local function delete_card(deck, i)
  table.remove(deck.cards, i)
  if not bug("stale_count") then deck.count = #deck.cards end
end

-- Decks and cards -----------------------------------------------------------------------------------------

activity "Decks" {
  menu = function(self)
    return {
      { "Import", id = "import", on_click = function() self:start("Import") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  ask_delete = function(self, i)
    self:dialog { title = "Delete " .. deck_at(i).name .. "?", message = "With all its cards", cancel = "Cancel",
      ok = "Delete", on_ok = function() table.remove(storage.decks, i) end }
  end,

  view = function(self)
    return column {
      toolbar { "Decks" },
      list { id = "decks", items = storage.decks, empty = text { "No decks", id = "empty" },
        row = function(deck)
          return column { id = "deck_row", text { deck.name, id = "name", size = "large" },
            text { counted(deck.count, "card"), id = "count", size = "small" } }
        end,
        on_item_click = function(i) self:start("Deck", { deck = i }) end,
        on_item_long_click = function(i) self:ask_delete(i) end },
      fab { id = "add_deck", desc = "New deck", on_click = function() self:start("NewDeck") end },
    }
  end,
}

-- A long form: everything about a deck on one page, the button at its end.
activity "NewDeck" {
  create = function(self) self.last_back = 0 end,

  back = function(self)
    if now() - self.last_back < 2000 then return false end
    self.last_back = now()
    toast("Press Back again to throw the deck away")
    return true
  end,

  submit = function(self)
    local name = trim(self:text("deck_name"))
    if name == "" or trim(self:text("question_language")) == "" then return toast("Fill in name and language") end
    if #storage.decks >= MAX_DECKS then return toast("Too many decks") end
    local limit = self:text("daily_limit")
    if not bug("empty_limit") and not tonumber(limit) then limit = "20" end
    table.insert(storage.decks, { name = name, limit = parse_int(limit), cards = {}, count = 0 })
    self:finish()
  end,

  view = function(self)
    local function labelled(label, f) return column { padding = 24, text { label, size = "small" }, f } end
    return column {
      toolbar { "New deck" },
      scroll { id = "form",
        labelled("Name of the deck", field { id = "deck_name", hint = "Name", max = 30 }),
        labelled("What is it about?", field { id = "description", hint = "Description", height = 320, input = "multiline", max = 200 }),
        labelled("Language of the questions", field { id = "question_language", hint = "Question language", text = "English", max = 20 }),
        labelled("Language of the answers", field { id = "answer_language", hint = "Answer language", max = 20 }),
        labelled("Cards a day", field { id = "daily_limit", hint = "Limit", text = "20", input = "number", max = 3 }),
        labelled("Order of the cards", radios { id = "order", items = { "As they come", "Hard ones first", "Old ones first" } }),
        labelled("When a card was answered wrong", radios { id = "wrong", items = { "Ask it again at the end", "Ask it tomorrow" } }),
        check { "Read questions aloud", id = "aloud" },
        check { "Show the hint first", id = "hint_first" },
        check { "Share this deck with others", id = "share" },
        space { height = 200 },
        button { "Create deck", id = "create", on_click = function() self:submit() end },
      },
    }
  end,
}

activity "Deck" {
  card_menu = function(self, i)
    local deck = deck_at(self.intent.deck)
    self:popup {
      { "Edit", id = "edit_card", on_click = function() self:start("EditCard", { deck = self.intent.deck, card = i }) end },
      { "Delete", id = "delete_card", on_click = function() delete_card(deck, i) end },
    }
  end,

  study = function(self, name, least)
    local deck = deck_at(self.intent.deck)
    if #deck.cards < least then return toast("Needs " .. counted(least, "card")) end
    self:start(name, { deck = self.intent.deck })
  end,

  view = function(self)
    local deck = deck_at(self.intent.deck)
    return column {
      toolbar { deck.name, up = true,
        actions = { { "Add card", id = "add_card", on_click = function() self:start("EditCard", { deck = self.intent.deck }) end } } },
      row {
        button { "Study", id = "study", on_click = function() self:study("Study", 1) end },
        button { "Quiz", id = "quiz", on_click = function() self:study("Quiz", 3) end },
      },
      list { id = "cards", items = deck.cards, empty = text { "No cards yet", id = "empty" },
        row = function(card)
          return column { id = "card_row", text { card.front, id = "front" }, text { card.back, id = "back", size = "small" } }
        end,
        on_item_click = function(i) self:start("EditCard", { deck = self.intent.deck, card = i }) end,
        on_item_long_click = function(i) self:card_menu(i) end },
    }
  end,
}

activity "EditCard" {
  store = function(self)
    local deck = deck_at(self.intent.deck)
    local front, back = trim(self:text("front")), trim(self:text("back"))
    if front == "" or back == "" then return toast("Both sides, please") end
    local card = deck.cards[self.intent.card]
    if card then
      card.front, card.back = front, back
    elseif not add_card(deck, front, back) then
      return toast("The deck is full")
    end
    self:finish()
  end,

  ask_delete = function(self)
    local function delete()
      delete_card(deck_at(self.intent.deck), self.intent.card)
      self:finish { deleted = self.intent.card }
    end
    if not prefs.confirm then return delete() end
    self:dialog { title = "Delete this card?", cancel = "Cancel", ok = "Delete", on_ok = delete }
  end,

  view = function(self)
    local card = deck_at(self.intent.deck).cards[self.intent.card]
    local actions = { { "Save", id = "save", on_click = function() self:store() end } }
    if card then table.insert(actions, { "Delete", id = "delete_card", on_click = function() self:ask_delete() end }) end
    return column {
      toolbar { card and "Edit card" or "New card", up = true, actions = actions },
      field { id = "front", hint = "Question", text = card and card.front or "", max = 60 },
      field { id = "back", hint = "Answer", text = card and card.back or "", max = 60 },
    }
  end,
}

-- Studying ------------------------------------------------------------------------------------------------

-- The queue holds places in the deck: { card =, again = }. A card answered wrong is asked again at the end.
activity "Study" {
  create = function(self, intent, saved)
    self.deck = deck_at(intent.deck)
    self.history = {}
    if saved then
      self.queue, self.at, self.answer = saved.queue, saved.at, saved.answer
      if not bug("undo_rotated") then self.history = saved.history end
      return
    end
    self.queue, self.at, self.answer = {}, 1, false
    for i = 1, math.min(#self.deck.cards, self.deck.limit) do table.insert(self.queue, { card = i }) end
  end,

  save = function(self, out)
    out.queue, out.at, out.answer = self.queue, self.at, self.answer
    if not bug("undo_rotated") then out.history = self.history end
  end,

  result = function(self, request, data)
    if request ~= "edit" or not data or bug("studied_card_deleted") then return end
    for i = #self.queue, 1, -1 do
      local item = self.queue[i]
      if item.card == data.deleted then
        table.remove(self.queue, i)
        if i < self.at then self.at = self.at - 1 end
      elseif item.card > data.deleted then
        item.card = item.card - 1
      end
    end
    self.history, self.answer = {}, false
  end,

  rate = function(self, right)
    local item = self.queue[self.at]
    local card = self.deck.cards[item.card]
    table.insert(self.history, { card = item.card, seen = card.seen, right = card.right, queued = #self.queue })
    card.seen = card.seen + 1
    storage.reviews = storage.reviews + 1
    if right then card.right = card.right + 1 else table.insert(self.queue, { card = item.card, again = true }) end
    self.at = self.at + 1
    self.answer = false
    if self.at > #self.queue or #self.queue > 3 * MAX_CARDS then self:done() end
  end,

  undo = function(self)
    local last = table.remove(self.history)
    local card = self.deck.cards[last.card]
    card.seen, card.right = last.seen, last.right
    while #self.queue > last.queued do table.remove(self.queue) end
    self.at = self.at - 1
    self.answer = false
  end,

  can_undo = function(self)
    if bug("undo_rotated") then return self.at > 1 end
    return #self.history > 0
  end,

  done = function(self)
    self:start("Done", { deck = self.intent.deck, answers = #self.queue })
    self:finish()
  end,

  question = function(self, item)
    local card = list_get(self.deck.cards, item.card)
    local reverse = prefs.reverse
    if bug("again_reversed") and item.again then reverse = false end
    if reverse then return card.back, card.front end
    return card.front, card.back
  end,

  card_view = function(self, item)
    local question, answer = self:question(item)
    return column {
      text { question, id = "question", size = "large" },
      self.answer and text { answer, id = "answer", size = "large" }
        or button { "Show answer", id = "show_answer", on_click = function() self.answer = true end },
      self.answer and row {
        button { "Again", id = "again", on_click = function() self:rate(false) end },
        button { "Good", id = "good", on_click = function() self:rate(true) end },
      },
    }
  end,

  view = function(self)
    local item = self.queue[self.at]
    local actions = {}
    if self:can_undo() then table.insert(actions, { "Undo", id = "undo", on_click = function() self:undo() end }) end
    if item then
      table.insert(actions, { "Edit", id = "edit", on_click = function()
        self:start_for_result("EditCard", "edit", { deck = self.intent.deck, card = item.card })
      end })
    end
    return column {
      toolbar { self.deck.name, up = true, subtitle = math.min(self.at, #self.queue) .. " of " .. #self.queue, actions = actions },
      item and self:card_view(item) or button { "Finish", id = "finish", on_click = function() self:done() end },
    }
  end,
}

activity "Done" {
  view = function(self)
    return column {
      toolbar { "Well done", up = true },
      text { counted(self.intent.answers, "answer") .. " given", id = "summary", size = "large" },
      text { counted(storage.reviews, "answer") .. " altogether", id = "total" },
      button { "Study again", id = "once_more", on_click = function()
        self:start("Study", { deck = self.intent.deck })
        self:finish()
      end },
    }
  end,
}

-- Three answers to choose from, one of them right.
activity "Quiz" {
  create = function(self, intent, saved)
    self.deck = deck_at(intent.deck)
    self.score, self.at = saved and saved.score or 0, saved and saved.at or 1
    self:next_question()
  end,
  save = function(self, out) out.score, out.at = self.score, self.at end,

  wrong_answers = function(self, card)
    local others = filter(self.deck.cards, function(c) return c ~= card end)
    if bug("same_choice") then
      local a, b = others[random(#others)], others[random(#others)]
      return a == b and { a.back } or { a.back, b.back }
    end
    others = shuffle(others)
    return { others[1].back, others[2].back }
  end,

  next_question = function(self)
    local card = self.deck.cards[self.at]
    if not card then return end
    local place = random(3)
    local choices = self:wrong_answers(card)
    table.insert(choices, math.min(place, #choices + 1), card.back)
    self.choices = choices
  end,

  choose = function(self, choice)
    if choice == self.deck.cards[self.at].back then self.score = self.score + 1 else toast("Wrong") end
    self.at = self.at + 1
    self:next_question()
  end,

  view = function(self)
    local card = self.deck.cards[self.at]
    if not card then
      return column { toolbar { "Quiz", up = true }, text { "Score: " .. self.score .. " of " .. #self.deck.cards, id = "score", size = "large" } }
    end
    local function choice(i)
      local answer = list_get(self.choices, i)
      return button { answer, id = "choice", on_click = function() self:choose(answer) end }
    end
    return column {
      toolbar { "Quiz", up = true, subtitle = "Question " .. self.at },
      text { card.front, id = "question", size = "large" },
      choice(1), choice(2), choice(3),
    }
  end,
}

-- Import --------------------------------------------------------------------------------------------------

-- The device's folders. "self" leads back to the top, as on a phone, so the way down never ends.
local folders = {
  [""] = { "data", "sdcard", "storage" },
  data = { "app", "local" },
  app = {}, ["local"] = { "tmp" }, tmp = {},
  sdcard = { "Alarms", "DCIM", "Download", "Music" },
  storage = { "emulated", "self" },
  emulated = { "0" }, ["0"] = { "Alarms", "DCIM", "Download", "Music" },
  self = { "data", "sdcard", "storage" },
  Alarms = {}, DCIM = { "Camera" }, Camera = {}, Music = {}, Download = { "books" }, books = {},
}
local texts = {
  ["french.csv"] = "le chat,the cat\nle chien,the dog\nla vache,the cow",
  ["spanish.csv"] = "el gato;the cat\nel perro;the dog",
}
local files_in = { Download = { "french.csv" }, books = { "spanish.csv" } }

activity "Import" {
  create = function(self, intent, saved) self.path = saved and saved.path or { "" } end,
  save = function(self, out) out.path = self.path end,

  up = function(self)
    table.remove(self.path)
    if #self.path == 0 then self:finish() end
  end,
  back = function(self)
    self:up()
    return true
  end,

  entries = function(self)
    local here = self.path[#self.path]
    local entries = { { name = "..", up = true } }
    for _, name in ipairs(folders[here] or {}) do table.insert(entries, { name = name, folder = true }) end
    for _, name in ipairs(files_in[here] or {}) do table.insert(entries, { name = name }) end
    return entries
  end,

  open = function(self, entry)
    if entry.up then return self:up() end
    if not entry.folder then return self:start("Preview", { file = entry.name }) end
    if #self.path < 40 then table.insert(self.path, entry.name) else toast("Too deep") end
  end,

  view = function(self)
    local path = table.concat(self.path, "/")
    return column {
      toolbar { "Import from", subtitle = path == "" and "/" or path },
      list { id = "entries", items = self:entries(),
        row = function(entry) return text { entry.name, id = "entry_row" } end,
        on_item_click = function(_, entry) self:open(entry) end },
    }
  end,
}

local separators = { { "Comma", "," }, { "Semicolon", ";" }, { "Tab", "\t" } }

activity "Preview" {
  create = function(self, intent, saved) self.separator = saved and saved.separator or 1 end,
  save = function(self, out) out.separator = self.separator end,

  cards = function(self)
    local cards = {}
    for _, line in ipairs(split(texts[self.intent.file], "\n")) do
      local parts = split(line, separators[self.separator][2])
      if bug("import_separator") or parts[2] then
        table.insert(cards, { front = trim(parts[1]), back = parts[2]:gsub("%s+$", "") })
      end
    end
    return cards
  end,

  import = function(self)
    local cards = self:cards()
    if #cards == 0 then return toast("No cards in this file") end
    if #storage.decks >= MAX_DECKS then return toast("Too many decks") end
    local deck = { name = self.intent.file:match("^(.+)%.") or "Imported", limit = 20, cards = {}, count = 0 }
    for _, card in ipairs(cards) do add_card(deck, card.front, card.back) end
    table.insert(storage.decks, deck)
    self:dialog { title = "Imported", message = counted(#cards, "card"), ok = "OK", on_ok = function() self:finish() end }
  end,

  view = function(self)
    return column {
      toolbar { self.intent.file, up = true },
      text "Between question and answer:",
      spinner { id = "separator", items = each(separators, function(s) return s[1] end), selected = self.separator,
        on_change = function(i) self.separator = i end },
      text { split(texts[self.intent.file], "\n")[1], id = "first_line" },
      button { "Import", id = "import_now", on_click = function() self:import() end },
    }
  end,
}

-- Statistics and settings -----------------------------------------------------------------------------------

local function sums(deck)
  local seen, right = 0, 0
  for _, card in ipairs(deck.cards) do seen, right = seen + card.seen, right + card.right end
  return seen, right
end

activity "Statistics" {
  view = function(self)
    return column {
      toolbar { "Statistics", up = true },
      text { counted(storage.reviews, "answer") .. " in " .. counted(#storage.decks, "deck"), id = "overall" },
      list { id = "decks", items = storage.decks,
        row = function(deck) return text { deck.name, id = "stat_row" } end,
        on_item_click = function(i) self:start("DeckStats", { deck = i }) end },
    }
  end,
}

activity "DeckStats" {
  create = function(self, intent)
    self.deck = deck_at(intent.deck)
    self.seen, self.right = sums(self.deck)
    if self.seen > 0 or bug("stats_unseen") then self.percent = 100 * self.right // self.seen end
  end,

  reset = function(self)
    for _, card in ipairs(self.deck.cards) do card.seen, card.right = 0, 0 end
    self:finish()
  end,

  view = function(self)
    return column {
      toolbar { self.deck.name, up = true },
      text { "Asked: " .. self.seen, id = "asked" },
      text { "Right: " .. (self.percent and self.percent .. " %" or "–"), id = "right" },
      button { "Reset", id = "reset", on_click = function() self:reset() end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Ask the other way round", id = "reverse", checked = prefs.reverse, on_change = function(b) prefs.reverse = b end },
      switch { "Confirm deletions", id = "confirm", checked = prefs.confirm, on_change = function(b) prefs.confirm = b end },
      button { "About", id = "about", on_click = function()
        self:dialog { title = "Cards 1.8", message = "Learn a little every day", ok = "OK" }
      end },
    }
  end,
}
