-- Five Boxes: words of foreign languages, learned with cards.
--
-- Every card is in one of five boxes. A right answer moves it up one box, a wrong one moves it back to the first; from the
-- fourth box on a card counts as learned. Packs of cards are got from a server.

app {
  package = "org.norn.lodger.vocab",
  title = "Five Boxes",
  main = "Main",
  bugs = { "practice_turned", "offline_added", "moved_stays", "reverse_answer", "repeat_counted", "filter_returns", "select_hidden",
    "wrong_one_down" },
  server = function(request)
    local packs = {
      { id = 1, name = "Italian food", cards = { { "il pane", "bread" }, { "la mela", "apple" }, { "il latte", "milk" } } },
      { id = 2, name = "German colours", cards = { { "rot", "red" }, { "blau", "blue" }, { "grün", "green" }, { "gelb", "yellow" } } },
      { id = 3, name = "Swedish animals", cards = { { "hund", "dog" }, { "katt", "cat" } } },
    }
    if request.path == "/packs" then
      local result = {}
      for _, p in ipairs(packs) do table.insert(result, { id = p.id, name = p.name, count = #p.cards }) end
      return result
    end
    local id = tonumber(request.path:match("^/packs/(%d+)$"))
    if id and packs[id] then return packs[id] end
    return nil, 404
  end,
  application = function()
    if storage.decks then return end
    storage.next_id = 60
    storage.decks = { { id = 1, name = "Spanish" }, { id = 2, name = "French" } }
    storage.cards = {
      { id = 11, deck = 1, term = "el perro", meaning = "dog", note = "", box = 1 },
      { id = 12, deck = 1, term = "la casa", meaning = "house", note = "", box = 2 },
      { id = 13, deck = 1, term = "mañana", meaning = "tomorrow", note = "Also: morning", box = 4 },
      { id = 14, deck = 1, term = "el árbol", meaning = "tree", note = "", box = 5 },
      { id = 15, deck = 1, term = "correr", meaning = "to run", note = "", box = 1, paused = true },
      { id = 16, deck = 2, term = "le chien", meaning = "dog", note = "", box = 3 },
      { id = 17, deck = 2, term = "la fenêtre", meaning = "window", note = "", box = 4 },
    }
    storage.from_pack = {}
    storage.answers = { right = 0, wrong = 0 }
    prefs.size = 5
    prefs.reverse = false
    prefs.notes = true
  end,
}

local BOXES, LEARNED = 5, 4
local FILTERS = { "All cards", "To learn", "Learned", "Paused" }
local SIZES = { 3, 5, 10 }
local PLAIN = { ["á"] = "a", ["à"] = "a", ["â"] = "a", ["ä"] = "a", ["é"] = "e", ["è"] = "e", ["ê"] = "e", ["í"] = "i", ["ñ"] = "n",
  ["ó"] = "o", ["ö"] = "o", ["ú"] = "u", ["ü"] = "u", ["ç"] = "c" }

-- Above the page, with the keyboard out of the way.
local function tell(self, text)
  self:hide_keyboard()
  self:snackbar(text)
end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function deck_of(id) return by_id(storage.decks, id) end
local function card_of(id) return by_id(storage.cards, id) end
local function cards_in(deck) return filter(storage.cards, function(c) return c.deck == deck end) end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end

-- Letters without accents, so that nobody has to type them in a search.
local function plain(s)
  local result = s:lower():gsub("[\xC3][\x80-\xBF]", function(letter) return PLAIN[letter] end)
  return result
end

local function same_term(deck, term, but)
  return find(storage.cards, function(c) return c.deck == deck and c ~= but and c.term:lower() == term:lower() end)
end

local function drop_cards(ids)
  storage.cards = filter(storage.cards, function(c) return not index_of(ids, c.id) end)
end

local function ask_deck_name(self, deck)
  self:dialog {
    title = deck and "Rename deck" or "New deck",
    view = function() return column { field { id = "deck_name", hint = "Name", max = 30, text = deck and deck.name or "" } } end,
    ok = deck and "Rename" or "Add", cancel = "Cancel",
    on_ok = function()
      local name = trim(self:text("deck_name"))
      if name == "" then return tell(self, "A deck needs a name") end
      if find(storage.decks, function(d) return d ~= deck and d.name:lower() == name:lower() end) then
        return tell(self, "There is a deck " .. name .. " already")
      end
      if deck then deck.name = name else table.insert(storage.decks, { id = new_id(), name = name }) end
    end,
  }
end

activity "Main" {
  ask_delete = function(self, deck)
    self:dialog { title = "Delete " .. deck.name .. "?", message = "With " .. plural(#cards_in(deck.id), "card"), cancel = "Cancel",
      ok = "Delete",
      on_ok = function()
        storage.cards = filter(storage.cards, function(c) return c.deck ~= deck.id end)
        storage.decks = filter(storage.decks, function(d) return d.id ~= deck.id end)
      end }
  end,

  menu = function(self)
    return {
      { "Get packs", id = "packs", on_click = function() self:start("Packs") end },
      { "Statistics", id = "stats", on_click = function() self:start("Stats") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Five Boxes", actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      list { id = "decks", weight = 1, items = storage.decks, empty = text { "No decks yet", id = "empty" },
        row = function(d)
          local cards = cards_in(d.id)
          local learned = #filter(cards, function(c) return c.box >= LEARNED and not c.paused end)
          return column { id = "deck_row", text { d.name, id = "name", size = "large" },
            text { plural(#cards, "card") .. ", " .. learned .. " learned", id = "count", size = "small" } }
        end,
        on_item_click = function(_, d) self:start("Deck", { id = d.id }) end,
        on_item_long_click = function(_, d)
          self:popup {
            { "Rename", id = "rename_deck", on_click = function() ask_deck_name(self, d) end },
            { "Delete", id = "delete_deck", on_click = function() self:ask_delete(d) end },
          }
        end },
      fab { id = "add", desc = "New deck", on_click = function() ask_deck_name(self) end },
    }
  end,
}

activity "Deck" {
  create = function(self, intent, saved)
    self.show = saved and saved.show or 1
    self.picked = saved and saved.picked or {}
  end,

  save = function(self, out) out.show, out.picked = self.show, self.picked end,

  restart = function(self) self.back_again = true end,

  back = function(self)
    if #self.picked == 0 then return false end
    self.picked = {}
    return true
  end,

  shown = function(self)
    local show = self.show
    if bug("filter_returns") and self.back_again then show = 1 end
    local cards = filter(cards_in(self.intent.id), function(c)
      if show == 2 then return c.box < LEARNED and not c.paused end
      if show == 3 then return c.box >= LEARNED and not c.paused end
      if show == 4 then return c.paused end
      return true
    end)
    table.sort(cards, function(a, b) return plain(a.term) < plain(b.term) end)
    return cards
  end,

  pick = function(self, card)
    local at = index_of(self.picked, card.id)
    if at then table.remove(self.picked, at) else table.insert(self.picked, card.id) end
  end,

  pick_all = function(self)
    local cards = bug("select_hidden") and cards_in(self.intent.id) or self:shown()
    self.picked = each(cards, function(c) return c.id end)
  end,

  delete_picked = function(self)
    local ids = self.picked
    self:dialog { title = "Delete " .. plural(#ids, "card") .. "?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        drop_cards(ids)
        self.picked = {}
      end }
  end,

  move_picked = function(self)
    local others = filter(storage.decks, function(d) return d.id ~= self.intent.id end)
    if #others == 0 then return tell(self, "There is no other deck") end
    self:dialog { title = "Move to", items = each(others, function(d) return d.name end), cancel = "Cancel", on_item = function(i)
      local moved, stays = 0, 0
      for _, id in ipairs(self.picked) do
        local card = card_of(id)
        if card and same_term(others[i].id, card.term) then
          stays = stays + 1
        elseif card then
          if bug("moved_stays") then
            card = copy(card)
            card.id = new_id()
            table.insert(storage.cards, card)
          end
          card.deck = others[i].id
          moved = moved + 1
        end
      end
      self.picked = {}
      tell(self, moved .. " moved" .. (stays > 0 and ", " .. stays .. " there already" or ""))
    end }
  end,

  view = function(self)
    local deck = deck_of(self.intent.id)
    if not deck then return column { toolbar { "Deck", up = true }, text { "This deck is gone", id = "gone" } } end
    local cards = self:shown()
    local picking = #self.picked > 0
    local bar
    if picking then
      bar = toolbar { #self.picked .. " selected", up = function() self.picked = {} end, actions = {
        { "Select all", id = "select_all", on_click = function() self:pick_all() end },
        { "Move", id = "move", on_click = function() self:move_picked() end },
        { "Delete", id = "delete_cards", on_click = function() self:delete_picked() end },
      } }
    else
      bar = toolbar { deck.name, up = true, actions = {
        { "Practise", id = "practise", on_click = function()
          if not find(cards_in(deck.id), function(c) return not c.paused end) then return tell(self, "There is nothing to practise") end
          self:start("Practice", { deck = deck.id })
        end },
      } }
    end
    return column {
      bar,
      spinner { id = "show", items = FILTERS, selected = self.show, enabled = not picking, on_change = function(i)
        self.show, self.back_again = i, false
      end },
      list { id = "cards", weight = 1, items = cards, empty = text { "No cards here", id = "empty" },
        row = function(c)
          return row { id = "card_row", selected = index_of(self.picked, c.id) ~= nil,
            picking and check { "", id = "picked", checked = index_of(self.picked, c.id) ~= nil, on_change = function() self:pick(c) end },
            column { weight = 1, text { c.term, id = "term", size = "large" }, text { c.meaning, id = "meaning" } },
            text { c.paused and "paused" or "Box " .. c.box, id = "box", size = "small" } }
        end,
        on_item_click = function(_, c)
          if picking then self:pick(c) else self:start("CardForm", { id = c.id }) end
        end,
        on_item_long_click = function(_, c) self:pick(c) end },
      text { plural(#cards, "card"), id = "count", size = "small" },
      not picking and fab { id = "add", desc = "New card", on_click = function() self:start("CardForm", { deck = deck.id }) end },
    }
  end,
}

activity "CardForm" {
  create = function(self, intent, saved)
    local c = card_of(intent.id)
    self.paused = saved and saved.paused
    if not saved then self.paused = c and c.paused or false end
  end,

  save = function(self, out) out.paused = self.paused end,

  deck = function(self)
    local c = card_of(self.intent.id)
    return deck_of(c and c.deck or self.intent.deck) or storage.decks[1]
  end,

  leave = function(self)
    local c = card_of(self.intent.id) or { term = "", meaning = "", note = "" }
    if self:text("term") == c.term and self:text("meaning") == c.meaning and self:text("note") == c.note
      and self.paused == (c.paused or false) then return self:finish() end
    self:dialog { title = "Leave without saving?", ok = "Leave", on_ok = function() self:finish() end, cancel = "Stay" }
  end,

  back = function(self)
    self:leave()
    return true
  end,

  store = function(self)
    local term, meaning, deck = trim(self:text("term")), trim(self:text("meaning")), self:deck()
    if not deck then return tell(self, "Make a deck first") end
    if term == "" or meaning == "" then return tell(self, "Both sides, please") end
    local c = card_of(self.intent.id)
    if same_term(deck.id, term, c) then return tell(self, deck.name .. " has a card " .. term .. " already") end
    if not c then
      c = { id = new_id(), deck = deck.id, box = 1 }
      table.insert(storage.cards, c)
    end
    c.term, c.meaning, c.note, c.paused = term, meaning, trim(self:text("note")), self.paused or nil
    self:finish()
  end,

  view = function(self)
    local c = card_of(self.intent.id)
    local deck = self:deck()
    return column {
      toolbar { c and "Edit card" or "New card", subtitle = deck and deck.name or nil, up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } },
        menu = c and { { "Delete", id = "delete", on_click = function()
          self:dialog { title = "Delete " .. c.term .. "?", cancel = "Cancel", ok = "Delete", on_ok = function()
            drop_cards { c.id }
            self:finish()
          end }
        end } } or nil },
      scroll {
        field { id = "term", hint = "Foreign word", max = 40, text = c and c.term or "" },
        field { id = "meaning", hint = "Meaning", max = 40, text = c and c.meaning or "" },
        field { id = "note", hint = "Note", max = 80, text = c and c.note or "" },
        check { "Paused: not asked", id = "paused", checked = self.paused, on_change = function(b) self.paused = b end },
        c and text { "In box " .. c.box .. " of " .. BOXES, id = "box", size = "small" },
      },
    }
  end,
}

-- Asks the cards of the lowest boxes; what was wrong is asked once more at the end, without moving the card again.
activity "Practice" {
  create = function(self, intent, saved)
    if saved and not bug("practice_turned") then
      self.queue, self.at, self.open, self.right, self.first, self.missed =
        saved.queue, saved.at, saved.open, saved.right, saved.first, saved.missed
      return
    end
    local cards = filter(cards_in(intent.deck), function(c) return not c.paused end)
    table.sort(cards, function(a, b) return a.box < b.box end)
    self.queue = {}
    for i = 1, math.min(prefs.size, #cards) do table.insert(self.queue, cards[i].id) end
    self.at, self.open, self.right, self.first, self.missed = 1, saved and saved.open or false, 0, #self.queue, {}
  end,

  save = function(self, out)
    out.queue, out.at, out.open, out.right, out.first, out.missed = self.queue, self.at, self.open, self.right, self.first, self.missed
  end,

  back = function(self)
    if self.at == 1 then return false end
    self:dialog { title = "Stop practising?", message = "What you answered so far counts", ok = "Stop",
      on_ok = function() self:finish() end, cancel = "Go on" }
    return true
  end,

  answer = function(self, card, right)
    local again = self.at > self.first
    if right and (not again or bug("repeat_counted")) then self.right = self.right + 1 end
    if not again and card then
      storage.answers[right and "right" or "wrong"] = storage.answers[right and "right" or "wrong"] + 1
      if right then
        card.box = math.min(card.box + 1, BOXES)
      else
        card.box = bug("wrong_one_down") and math.max(card.box - 1, 1) or 1
        table.insert(self.queue, card.id)
        table.insert(self.missed, card.id)
      end
    end
    self.at, self.open = self.at + 1, false
    if self.at > #self.queue then
      self:start("Result", { deck = self.intent.deck, right = self.right, of = self.first, missed = self.missed })
      self:finish()
    end
  end,

  view = function(self)
    local card = card_of(self.queue[self.at])
    local deck = deck_of(self.intent.deck)
    if not card or not deck then
      return column { toolbar { "Practice", up = true }, text { "There is nothing to ask", id = "gone" } }
    end
    local question = prefs.reverse and card.meaning or card.term
    local answer = prefs.reverse and not bug("reverse_answer") and card.term or card.meaning
    return column {
      toolbar { deck.name, up = function() if not self:back() then self:finish() end end },
      progress { id = "progress", value = self.at - 1, max = #self.queue },
      text { "Card " .. self.at .. " of " .. #self.queue .. (self.at > self.first and ", once more" or ""), id = "place", size = "small" },
      text { question, id = "question", size = "large" },
      self.open and text { answer, id = "answer", size = "large" },
      self.open and prefs.notes and card.note ~= "" and text { card.note, id = "note", size = "small" },
      not self.open and button { "Show the answer", id = "show_answer", on_click = function() self.open = true end },
      self.open and row {
        button { "I was wrong", id = "wrong", on_click = function() self:answer(card, false) end },
        button { "I was right", id = "right", on_click = function() self:answer(card, true) end },
      },
    }
  end,
}

activity "Result" {
  view = function(self)
    local i = self.intent
    local missed = filter(each(i.missed or {}, function(id) return card_of(id) or false end), function(c) return c end)
    return column {
      toolbar { "Result", up = true },
      text { (i.right or 0) .. " of " .. (i.of or 0) .. " right at once", id = "score", size = "large" },
      text { #missed == 0 and "No mistakes" or "To look at again:", id = "missed_title" },
      list { id = "missed", weight = 1, items = missed,
        row = function(c) return row { id = "missed_row", text { c.term, id = "term", weight = 1 }, text { c.meaning, id = "meaning" } } end },
      i.deck and deck_of(i.deck) and find(cards_in(i.deck), function(c) return not c.paused end)
        and button { "Practise again", id = "again", on_click = function()
          self:start("Practice", { deck = i.deck })
          self:finish()
        end },
    }
  end,
}

activity "Packs" {
  create = function(self, intent, saved)
    self.packs = saved and saved.packs
    if not self.packs then self:load() end
  end,

  save = function(self, out) out.packs = self.packs end,

  load = function(self)
    self.failed, self.loading = nil, true
    net.get("https://boxes.example.org/packs", function(reply)
      self.loading = false
      if reply.ok then self.packs = reply.body else self.failed = true end
    end)
  end,

  added = function(self, pack)
    local deck = storage.from_pack["p" .. pack.id]
    if bug("offline_added") and deck == 0 then return true end
    return deck ~= nil and deck_of(deck) ~= nil
  end,

  get = function(self, pack)
    self.loading = true
    if bug("offline_added") then storage.from_pack["p" .. pack.id] = 0 end
    net.get("https://boxes.example.org/packs/" .. pack.id, function(reply)
      self.loading = false
      if not reply.ok then return toast("No connection: " .. pack.name .. " was not added") end
      if self:added(pack) and not bug("offline_added") then return end
      local name, n = pack.name, 2
      while find(storage.decks, function(d) return d.name:lower() == name:lower() end) do
        name, n = pack.name .. " " .. n, n + 1
      end
      local deck = { id = new_id(), name = name }
      table.insert(storage.decks, deck)
      storage.from_pack["p" .. pack.id] = deck.id
      for _, c in ipairs(reply.body.cards) do
        table.insert(storage.cards, { id = new_id(), deck = deck.id, term = c[1], meaning = c[2], note = "", box = 1 })
      end
      toast(pack.name .. " is among your decks")
    end)
  end,

  view = function(self)
    return column {
      toolbar { "Packs", up = true },
      self.loading and progress { id = "loading", spinning = true },
      self.failed and column {
        text { "No connection", id = "failed" },
        button { "Try again", id = "retry", on_click = function() self:load() end },
      },
      list { id = "packs", weight = 1, items = self.packs or {},
        row = function(p)
          local added = self:added(p)
          return row { id = "pack_row",
            column { weight = 1, text { p.name, id = "name", size = "large" }, text { plural(p.count, "card"), id = "count", size = "small" } },
            button { added and "Added" or "Add", id = "get", enabled = not added and not self.loading, on_click = function() self:get(p) end } }
        end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,

  view = function(self)
    local q = plain(trim(self.query))
    local found = q == "" and {} or filter(storage.cards, function(c)
      return contains(plain(c.term), q) or contains(plain(c.meaning), q)
    end)
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Word or meaning", max = 30, on_change = function(s) self.query = s end },
      text { q == "" and "Accents do not matter" or plural(#found, "card") .. " found", id = "found", size = "small" },
      list { id = "results", weight = 1, items = found,
        row = function(c)
          return column { id = "result_row", text { c.term .. " – " .. c.meaning, id = "card" },
            text { deck_of(c.deck).name, id = "deck", size = "small" } }
        end,
        on_item_click = function(_, c) self:start("CardForm", { id = c.id }) end },
    }
  end,
}

activity "Stats" {
  view = function(self)
    local counts, paused = {}, 0
    for box = 1, BOXES do counts[box] = 0 end
    for _, c in ipairs(storage.cards) do
      counts[c.box] = counts[c.box] + 1
      if c.paused then paused = paused + 1 end
    end
    local a = storage.answers
    return column {
      toolbar { "Statistics", up = true },
      scroll {
        each(counts, function(n, box) return text { "Box " .. box .. ": " .. plural(n, "card"), id = "box" } end),
        text { plural(paused, "card") .. " paused (counted in the boxes, too)", id = "paused", size = "small" },
        text { "Answers: " .. a.right .. " right, " .. a.wrong .. " wrong", id = "answers" },
      },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Cards in one practice", size = "small" },
        radios { id = "size", items = each(SIZES, function(n) return n .. " cards" end), selected = index_of(SIZES, prefs.size) or 2,
          on_change = function(i) prefs.size = SIZES[i] end },
        switch { "Ask for the foreign word", id = "reverse", checked = prefs.reverse, on_change = function(b) prefs.reverse = b end },
        switch { "Notes with the answer", id = "notes", checked = prefs.notes, on_change = function(b) prefs.notes = b end },
        text { "A right answer moves a card up one box, a wrong one moves it back to box 1. Asking once more moves nothing.",
          id = "rules", size = "small" },
        button { "Begin anew", id = "reset", on_click = function()
          self:dialog { title = "Put all cards into box 1?", message = "The answers counted so far go, too", cancel = "Cancel", ok = "Begin anew",
            on_ok = function()
              for _, c in ipairs(storage.cards) do c.box = 1 end
              storage.answers = { right = 0, wrong = 0 }
              tell(self, "All cards are in box 1")
            end }
        end },
      },
    }
  end,
}
