-- Club Ladder: the ladder of a chess club, its games and open challenges.
--
-- Places are the order of storage.players. Only a challenge moves anybody: a challenger who wins takes the place of the player
-- he beat, who goes down by one with all between them. A draw, a defeat or a friendly game changes no place. Players who are
-- not active keep their place; players with games cannot be deleted, only made inactive.

local DAY = 24 * 60 * 60 * 1000
local MAX_PLAYERS, MAX_GAMES, MAX_CHALLENGES = 30, 150, 20
local PAGES = { "Ladder", "Games", "Challenges" }
local ORDERS = { "By place", "By name", "By score" }

app {
  package = "org.clubladder",
  title = "Club Ladder",
  main = "Main",
  bugs = { "draw_counts_loss", "same_player", "hidden_wrong_player", "edit_game_duplicates", "challenge_done_stays",
    "percent_decided", "draw_takes_place", "result_rotate" },
  application = function()
    if storage.players then return end
    local today = now() // DAY
    storage.next_id = 60
    storage.players = {
      { id = 1, name = "Anna Berg", phone = "555-0101", active = true },
      { id = 2, name = "Boris Kern", phone = "", active = true },
      { id = 3, name = "Clara Voss", phone = "555-0177", active = false },
      { id = 4, name = "David Lund", phone = "", active = true },
      { id = 5, name = "Emil Rask", phone = "555-0139", active = true },
      { id = 6, name = "Frida Holm", phone = "", active = true },
    }
    storage.games = {       -- in the order they were entered
      { id = 21, white = 1, black = 2, result = 2, day = today - 19, note = "Opposite bishops" },
      { id = 22, white = 4, black = 3, result = 3, day = today - 15, note = "" },
      { id = 23, white = 2, black = 5, result = 1, day = today - 12, note = "Challenge", challenge = true },
      { id = 24, white = 6, black = 4, result = 1, day = today - 6, note = "" },
      { id = 25, white = 5, black = 1, result = 3, day = today - 4, note = "Time trouble" },
      { id = 26, white = 1, black = 6, result = 1, day = today - 2, note = "" },
    }
    storage.challenges = { { id = 41, by = 4, to = 2, day = today - 1 }, { id = 42, by = 6, to = 5, day = today } }
    prefs.hide_inactive, prefs.decimal, prefs.reach = false, false, 2
  end,
}

local function today() return now() // DAY end
local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(list, id) return id and find(list, function(x) return x.id == id end) or nil end
local function player_of(id) return by_id(storage.players, id) end
local function name_of(id)
  local p = player_of(id)
  return p and p.name or "Nobody"
end
local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end
local function day_text(day) return date(day * DAY, "%d %b %Y") end
local function count_text(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function place_of(p) return index_of(storage.players, p) end
local function by_name(list)
  local out = copy(list)
  table.sort(out, function(a, b) return a.name:lower() < b.name:lower() end)
  return out
end

-- Halves of points as text.
local function points(halves)
  if prefs.decimal then return format("%.1f", halves / 2) end
  if halves % 2 == 0 then return tostring(halves // 2) end
  return (halves > 1 and tostring(halves // 2) or "") .. "½"
end

local function results() return prefs.decimal and { "1.0–0.0", "0.5–0.5", "0.0–1.0" } or { "1–0", "½–½", "0–1" } end
local function result_text(game) return results()[game.result] end

local function games_of(p) return filter(storage.games, function(g) return g.white == p.id or g.black == p.id end) end

local function halves_of(p)
  local halves = 0
  for _, g in ipairs(games_of(p)) do halves = halves + (g.white == p.id and 3 - g.result or g.result - 1) end
  return halves
end

local function record_of(p)
  local won, drawn, lost = 0, 0, 0
  for _, g in ipairs(games_of(p)) do
    local white = g.white == p.id
    if g.result == (white and 1 or 3) then won = won + 1
    elseif g.result == 2 and (white or not bug("draw_counts_loss")) then drawn = drawn + 1
    else lost = lost + 1 end
  end
  return won, drawn, lost
end

-- The challenger takes the place of the one above him.
local function overtake(by, to)
  local from, at = place_of(by), place_of(to)
  if not from or not at or at > from then return end
  table.remove(storage.players, from)
  table.insert(storage.players, at, by)
end

local function finish_challenge(challenge, game)
  local by, to = player_of(challenge.by), player_of(challenge.to)
  local won = game.result == (game.white == challenge.by and 1 or 3)
  if bug("draw_takes_place") then won = won or game.result == 2 end
  if by and to and won then overtake(by, to) end
  if not bug("challenge_done_stays") then forget(storage.challenges, challenge) end
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.page, self.order, self.query, self.result = saved.page or 1, saved.order or 1, saved.query or "", saved.result or 0
  end,
  save = function(self, out) out.page, out.order, out.query, out.result = self.page, self.order, self.query, self.result end,
  back = function(self)
    if self.page == 1 then return false end
    self.page = 1
    return true
  end,

  players = function(self)
    if self.order == 2 then return by_name(storage.players) end
    local out = copy(storage.players)
    if self.order == 3 then
      table.sort(out, function(a, b)
        local x, y = halves_of(a), halves_of(b)
        if x ~= y then return x > y end
        return place_of(a) < place_of(b)
      end)
    end
    return out
  end,

  games = function(self)
    local out, query = {}, trim(self.query):lower()
    for i = #storage.games, 1, -1 do
      local g = storage.games[i]
      local names = (name_of(g.white) .. " " .. name_of(g.black)):lower()
      if contains(names, query) and (self.result == 0 or g.result == self.result) then table.insert(out, g) end
    end
    table.sort(out, function(a, b) return a.day > b.day end)
    return out
  end,

  ladder_page = function(self)
    local all = self:players()
    local shown = filter(all, function(p) return p.active or not prefs.hide_inactive end)
    return {
      spinner { id = "order", items = ORDERS, selected = self.order, on_change = function(i) self.order = i end },
      list { id = "players", weight = 1, items = shown, empty = text { "No players", id = "empty" },
        row = function(p)
          local line = points(halves_of(p)) .. " of " .. count_text(#games_of(p), "game")
          return column { id = "player_row", text { place_of(p) .. ". " .. p.name, id = "name", size = "large" },
            text { p.active and line or line .. ", not active", id = "line", size = "small" } }
        end,
        on_item_click = function(i, p)
          if bug("hidden_wrong_player") then p = all[i] end
          self:start("Player", { id = p.id })
        end },
    }
  end,

  ask_delete_game = function(self, game)
    self:dialog { title = "Delete this game?", message = "Places on the ladder stay as they are", ok = "Delete", cancel = "Cancel",
      on_ok = function() forget(storage.games, game) end }
  end,

  games_page = function(self)
    local games = self:games()
    return {
      field { id = "query", hint = "Find a player", text = self.query, max = 24, on_change = function(s) self.query = s end },
      spinner { id = "result_filter", items = { "All results", table.unpack(results()) }, selected = self.result + 1,
        on_change = function(i) self.result = i - 1 end },
      text { count_text(#games, "game"), id = "found", size = "small" },
      list { id = "games", weight = 1, items = games, empty = text { "No games", id = "empty" },
        row = function(g)
          return column { id = "game_row", text { name_of(g.white) .. " – " .. name_of(g.black) .. "  " .. result_text(g), id = "players" },
            text { day_text(g.day) .. (g.note ~= "" and ", " .. g.note or ""), id = "day", size = "small" } }
        end,
        on_item_click = function(_, g) self:start("Game", { id = g.id }) end,
        on_item_long_click = function(_, g) self:ask_delete_game(g) end },
    }
  end,

  challenges_page = function(self)
    return {
      text { "New challenges are made on a player's page", id = "hint", size = "small" },
      list { id = "challenges", weight = 1, items = storage.challenges, empty = text { "No open challenges", id = "empty" },
        row = function(c)
          return column { id = "challenge_row", text { name_of(c.by) .. " challenges " .. name_of(c.to), id = "who" },
            text { "Since " .. day_text(c.day), id = "since", size = "small" } }
        end,
        on_item_click = function(_, c)
          self:popup {
            { "Enter the game", id = "play", on_click = function() self:start("Game", { challenge = c.id }) end },
            { "Withdraw", id = "withdraw", on_click = function()
              local at = index_of(storage.challenges, c)
              forget(storage.challenges, c)
              self:snackbar("Challenge withdrawn", "Undo", function()
                if at then table.insert(storage.challenges, math.min(at, #storage.challenges + 1), c) end
              end)
            end },
          }
        end },
    }
  end,

  add = function(self)
    if self.page == 1 then
      if #storage.players >= MAX_PLAYERS then return toast("The club is full") end
      return self:start("PlayerForm")
    end
    if #storage.games >= MAX_GAMES then return toast("Delete some games first") end
    self:start("Game")
  end,

  menu = function(self)
    return {
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Rules", id = "rules", on_click = function() self:start("Rules") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    local pages = { self.ladder_page, self.games_page, self.challenges_page }
    return column {
      toolbar { PAGES[self.page], actions = self.page < 3 and
        { { self.page == 1 and "New player" or "New game", id = "add", on_click = function() self:add() end } } or {} },
      pages[self.page](self),
      bottom_bar { items = each(PAGES, function(name, i)
        return { name, id = "nav_" .. name:lower(), selected = self.page == i, on_click = function() self.page = i end }
      end) },
    }
  end,
}

activity "Player" {
  ask_challenge = function(self, p)
    local place, above = place_of(p), {}
    for i = place - 1, 1, -1 do
      local other = storage.players[i]
      if other.active and #above < prefs.reach then table.insert(above, other) end
    end
    if not p.active then return toast("Only active players can challenge") end
    if #above == 0 then return toast("There is nobody above to challenge") end
    self:dialog { title = "Challenge whom?", items = each(above, function(o) return o.name end), cancel = "Cancel",
      on_item = function(i)
        if find(storage.challenges, function(c) return c.by == p.id and c.to == above[i].id end) then return toast("This challenge is open already") end
        if #storage.challenges >= MAX_CHALLENGES then return toast("Too many open challenges") end
        table.insert(storage.challenges, { id = new_id(), by = p.id, to = above[i].id, day = today() })
        toast(p.name .. " challenges " .. above[i].name)
      end }
  end,

  ask_delete = function(self, p)
    if #games_of(p) > 0 then return toast("A player with games can only be made inactive") end
    self:dialog { title = "Delete " .. p.name .. "?", ok = "Delete", cancel = "Cancel",
      on_ok = function()
        storage.challenges = filter(storage.challenges, function(c) return c.by ~= p.id and c.to ~= p.id end)
        forget(storage.players, p)
        self:finish()
      end }
  end,

  menu = function(self)
    local p = player_of(self.intent.id)
    return p and { { "Delete", id = "delete", on_click = function() self:ask_delete(p) end } } or {}
  end,

  view = function(self)
    local p = player_of(self.intent.id)
    if not p then return column { toolbar { "Player", up = true }, text { "This player has left the club", id = "gone" } } end
    local won, drawn, lost = record_of(p)
    local games = games_of(p)
    local open = #filter(storage.challenges, function(c) return c.by == p.id or c.to == p.id end)
    return column {
      toolbar { p.name, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("PlayerForm", { id = p.id }) end } } },
      text { "Place " .. place_of(p) .. (p.active and "" or ", not active"), id = "place", size = "large" },
      p.phone ~= "" and text { "Phone " .. p.phone, id = "phone" },
      text { "Won " .. won .. ", drawn " .. drawn .. ", lost " .. lost, id = "record" },
      text { "Score: " .. points(halves_of(p)) .. " of " .. #games, id = "score" },
      text { "Open challenges: " .. open, id = "open" },
      button { "Challenge", id = "challenge", on_click = function() self:ask_challenge(p) end },
      list { id = "games", weight = 1, items = games, empty = text { "No games yet", id = "empty" },
        row = function(g)
          local other = g.white == p.id and "White against " .. name_of(g.black) or "Black against " .. name_of(g.white)
          return text { other .. "  " .. result_text(g), id = "game_line" }
        end },
    }
  end,
}

activity "PlayerForm" {
  create = function(self, intent, saved)
    local p = player_of(intent.id)
    self.active = not p or p.active
    if saved then self.active = saved.active end
  end,
  save = function(self, out) out.active = self.active end,

  store = function(self)
    local name = trim(self:text("name"))
    if name == "" then return toast("A player needs a name") end
    local p = player_of(self.intent.id)
    local other = find(storage.players, function(o) return o.name:lower() == name:lower() end)
    if other and other ~= p then return toast("There is a player of this name") end
    if not p then
      if #storage.players >= MAX_PLAYERS then return toast("The club is full") end
      p = { id = new_id() }
      table.insert(storage.players, p)
    end
    p.name, p.phone, p.active = name, trim(self:text("phone")), self.active
    self:finish()
  end,

  view = function(self)
    local p = player_of(self.intent.id)
    return column {
      toolbar { p and "Edit player" or "New player", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", text = p and p.name or "", max = 24 },
      field { id = "phone", hint = "Phone", text = p and p.phone or "", input = "phone", max = 16 },
      switch { "Active", id = "active", checked = self.active, on_change = function(b) self.active = b end },
      not p and text { "New players begin at the foot of the ladder", id = "hint", size = "small" },
    }
  end,
}

activity "Game" {
  create = function(self, intent, saved)
    local game, challenge = by_id(storage.games, intent.id), by_id(storage.challenges, intent.challenge)
    local from = saved or game or { day = today() }
    if challenge and not saved then from.white, from.black = challenge.by, challenge.to end
    self.white, self.black, self.result, self.day = from.white, from.black, from.result or 0, from.day
    if saved and bug("result_rotate") then self.result = game and game.result or 0 end
  end,
  save = function(self, out) out.white, out.black, out.result, out.day = self.white, self.black, self.result, self.day end,

  -- Those who may play: the active ones, and whoever is chosen already.
  choices = function(self)
    return by_name(filter(storage.players, function(p) return p.active or p.id == self.white or p.id == self.black end))
  end,

  store = function(self)
    if not player_of(self.white) or not player_of(self.black) then return toast("Choose both players") end
    if self.white == self.black and not bug("same_player") then return toast("Choose two different players") end
    if self.result == 0 then return toast("Choose the result") end
    local challenge = by_id(storage.challenges, self.intent.challenge)
    local game = by_id(storage.games, self.intent.id)
    if not game or bug("edit_game_duplicates") then
      if #storage.games >= MAX_GAMES then return toast("Delete some games first") end
      game = { id = new_id(), challenge = challenge ~= nil or game and game.challenge or false }
      table.insert(storage.games, game)
    end
    game.white, game.black, game.result = self.white, self.black, self.result
    game.day, game.note = self.day, trim(self:text("note"))
    if challenge then finish_challenge(challenge, game) end
    self:finish()
  end,

  side = function(self, id)
    local players = self:choices()
    local _, at = find(players, function(p) return p.id == self[id] end)
    return spinner { id = id, items = { "Choose", table.unpack(each(players, function(p) return p.name end)) }, selected = (at or 0) + 1,
      on_change = function(i) self[id] = i > 1 and players[i - 1].id or nil end }
  end,

  view = function(self)
    local game = by_id(storage.games, self.intent.id)
    local challenge = by_id(storage.challenges, self.intent.challenge)
    return column {
      toolbar { game and "Edit game" or "New game", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { weight = 1,
        challenge and text { name_of(challenge.by) .. " challenged " .. name_of(challenge.to), id = "challenge_hint" },
        row { text { "White", weight = 1 }, not challenge and self:side("white") or text { name_of(self.white), id = "white_name" } },
        row { text { "Black", weight = 1 }, not challenge and self:side("black") or text { name_of(self.black), id = "black_name" } },
        challenge and button { "Swap colours", id = "swap", on_click = function() self.white, self.black = self.black, self.white end },
        radios { id = "result", items = results(), selected = self.result, on_change = function(i) self.result = i end },
        row {
          button { "−", id = "earlier", desc = "A day earlier", on_click = function() self.day = self.day - 1 end },
          text { day_text(self.day), id = "day" },
          button { "+", id = "later", desc = "A day later", on_click = function() self.day = math.min(today(), self.day + 1) end },
        },
        field { id = "note", hint = "Note", text = game and game.note or "", max = 60 },
        game and text { "Changing a game moves nobody on the ladder", id = "hint", size = "small" },
      },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local counts, all = { 0, 0, 0 }, #storage.games
    for _, g in ipairs(storage.games) do counts[g.result] = counts[g.result] + 1 end
    local function percent(i)
      local of = bug("percent_decided") and i ~= 2 and all - counts[2] or all
      return of == 0 and "0 %" or format("%.0f %%", counts[i] * 100 / of)
    end
    local busiest
    for _, p in ipairs(storage.players) do
      if not busiest or #games_of(p) > #games_of(busiest) then busiest = p end
    end
    return column {
      toolbar { "Statistics", up = true },
      text { count_text(all, "game"), id = "games", size = "large" },
      text { "White won: " .. counts[1] .. " (" .. percent(1) .. ")", id = "white" },
      text { "Drawn: " .. counts[2] .. " (" .. percent(2) .. ")", id = "drawn" },
      text { "Black won: " .. counts[3] .. " (" .. percent(3) .. ")", id = "black" },
      busiest and all > 0 and text { "Most games: " .. busiest.name .. " (" .. #games_of(busiest) .. ")", id = "busiest" },
      text { "Active players: " .. #filter(storage.players, function(p) return p.active end) .. " of " .. #storage.players, id = "active" },
    }
  end,
}

activity "Rules" {
  view = function(self)
    return column {
      toolbar { "Rules", up = true },
      text { "You may challenge up to " .. count_text(prefs.reach, "active player") .. " above you.", id = "reach" },
      text { "A challenger who wins takes the place of the player who was beaten.", id = "win" },
      text { "Friendly games count for the score, not for the ladder.", id = "friendly" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll { weight = 1,
        switch { "Hide players who are not active", id = "hide_inactive", checked = prefs.hide_inactive, on_change = function(b) prefs.hide_inactive = b end },
        text { "They keep their place all the same", size = "small" },
        switch { "Half points as 0.5", id = "decimal", checked = prefs.decimal, on_change = function(b) prefs.decimal = b end },
        text "How far up a challenge may go",
        radios { id = "reach", items = { "1 player", "2 players", "3 players" }, selected = prefs.reach, on_change = function(i) prefs.reach = i end },
      },
    }
  end,
}
