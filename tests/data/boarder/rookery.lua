-- Rookery: a chess club's tournament. Rounds with their games, a table, players, results sent to the federation.
--
-- A player: { id, name, rating, out = true or nil, points (halves) }. A game: { white, black or nil (a bye), result }.
-- A round: { day (ms), games }. Points are counted in halves: a win is 2, a draw 1; in the other system 6 and 2, shown as 3 and 1.

local RESULTS = { "1 - 0", "½ - ½", "0 - 1" }
local SYSTEMS = { "1, ½, 0", "3, 1, 0" }
local MONTHS = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" }
local DAY = 24 * 3600 * 1000
local MAX_ROUNDS = 9

app {
  package = "org.example.rookery",
  title = "Rookery",
  main = "Rounds",
  bugs = { "corrected_twice", "tied_places", "player_old_system", "withdrawn_paired", "rename_adds", "landscape_next", "undo_without_draws",
    "month_of_round" },
  server = function(request, db)
    if request.path == "/results" then
      db.received = (db.received or 0) + #request.body
      return { received = db.received }
    end
    return nil, 404
  end,
  application = function()
    if storage.players then return end
    storage.players = {
      { id = 1, name = "Adler", rating = 1910 }, { id = 2, name = "Brook", rating = 1740 }, { id = 3, name = "Castellan", rating = 1690 },
      { id = 4, name = "Duarte", rating = 1655 }, { id = 5, name = "Eklund", rating = 1580 }, { id = 6, name = "Farkas", rating = 1420 },
      { id = 7, name = "Gomes", rating = 1375 },
    }
    local first = now() - 15 * DAY
    storage.rounds = {
      { day = first, games = { { white = 1, black = 4, result = 1 }, { white = 5, black = 2, result = 2 }, { white = 3, black = 6, result = 1 }, { white = 7 } } },
      { day = first + 7 * DAY, games = { { white = 3, black = 1, result = 2 }, { white = 7, black = 5, result = 3 }, { white = 2, black = 4, result = 2 }, { white = 6 } } },
      { day = first + 14 * DAY, games = { { white = 1, black = 5 }, { white = 6, black = 7 }, { white = 4, black = 3 }, { white = 2 } } },
    }
    storage.next_id = 8
    storage.unsent = 0
    prefs.system = 1
    prefs.ratings = true
    prefs.point_byes = true
    recount()
  end,
}

local function player_of(id) return find(storage.players, function(p) return p.id == id end) end
local function name_of(id)
  local p = player_of(id)
  return p and p.name or "(nobody)"
end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function worth(result, white, system)
  if result == 2 then return system == 2 and 2 or 1 end
  if (result == 1) == white then return system == 2 and 6 or 2 end
  return 0
end

local function points_text(halves)
  if halves % 2 == 0 then return tostring(halves // 2) end
  return (halves > 1 and halves // 2 or "") .. "½"
end

-- The month from 1.
local function month_of(ms) return math.tointeger(tonumber(date(ms, "%m"))) end
local function day_of(ms) return math.tointeger(tonumber(date(ms, "%d"))) end

local function day_text(round) return day_of(round.day) .. " " .. MONTHS[month_of(round.day)] end

local function add(id, halves)
  local p = player_of(id)
  if p then p.points = p.points + halves end
end

-- What a game brings, added or taken away again. A bye is a win without colours, if byes count.
local function account(game, sign)
  if not game.black then
    if prefs.point_byes then add(game.white, sign * worth(1, true, prefs.system)) end
    return
  end
  if not game.result then return end
  add(game.white, sign * worth(game.result, true, prefs.system))
  add(game.black, sign * worth(game.result, false, prefs.system))
end

function recount()
  for _, p in ipairs(storage.players) do p.points = 0 end
  for _, round in ipairs(storage.rounds) do
    for _, game in ipairs(round.games) do account(game, 1) end
  end
end

local function set_result(game, result)
  if game.result == result then return end
  if not (bug("corrected_twice") and game.result and result) then account(game, -1) end
  game.result = result
  account(game, 1)
  storage.unsent = storage.unsent + 1
end

local function open_games(round) return #filter(round.games, function(g) return g.black and not g.result end) end

-- The sum of the opponents' points decides between equals.
local function buchholz(p)
  local sum = 0
  for _, round in ipairs(storage.rounds) do
    for _, g in ipairs(round.games) do
      local other = g.black and g.result and (g.white == p.id and g.black or g.black == p.id and g.white)
      if other then sum = sum + (player_of(other) or { points = 0 }).points end
    end
  end
  return sum
end

local function standings()
  local lines = each(storage.players, function(p) return { player = p, points = p.points, second = buchholz(p) } end)
  table.sort(lines, function(a, b)
    if a.points ~= b.points then return a.points > b.points end
    if a.second ~= b.second then return a.second > b.second end
    return a.player.rating > b.player.rating
  end)
  for i, line in ipairs(lines) do
    local above = lines[i - 1]
    local equal = above and above.points == line.points and above.second == line.second
    line.place = equal and not bug("tied_places") and above.place or i               -- full equals share a place
  end
  return lines
end

local function met(a, b)
  for _, round in ipairs(storage.rounds) do
    for _, g in ipairs(round.games) do
      if g.white == a and g.black == b or g.white == b and g.black == a then return true end
    end
  end
end

-- From the top of the table down, each with the next one not met yet; who is left over has a bye.
local function pair_round()
  local free, games = {}, {}
  for _, line in ipairs(standings()) do
    if not line.player.out or bug("withdrawn_paired") then table.insert(free, line.player.id) end
  end
  while #free > 1 do
    local a, at = table.remove(free, 1), 1
    for i, b in ipairs(free) do
      if not met(a, b) then
        at = i
        break
      end
    end
    local b = table.remove(free, at)
    table.insert(games, #games % 2 == 0 and { white = a, black = b } or { white = b, black = a })
  end
  if free[1] then table.insert(games, { white = free[1] }) end
  local last = storage.rounds[#storage.rounds]
  local round = { day = last and last.day + 7 * DAY or now(), games = games }
  table.insert(storage.rounds, round)
  for _, g in ipairs(games) do
    if not g.black then account(g, 1) end
  end
end

local function bottom(self, here)
  local function item(name)
    return { name, id = "nav_" .. name:lower(), selected = here == name, on_click = function()
      if here == name then return end
      if name ~= "Rounds" then self:start(name) end
      if here ~= "Rounds" then self:finish() end
    end }
  end
  return bottom_bar { items = { item("Rounds"), item("Table"), item("Players") } }
end

-- ---- rounds ----

local sending = false

activity "Rounds" {
  create = function(self, intent, saved) self.number = saved and saved.number or #storage.rounds end,
  save = function(self, out) out.number = self.number end,

  turn = function(self, by) self.number = math.max(1, math.min(#storage.rounds, self.number + by)) end,

  ask_result = function(self, game)
    if not game.black then return toast(name_of(game.white) .. " has a bye") end
    local items = copy(RESULTS)
    table.insert(items, "Not played")
    self:dialog { title = name_of(game.white) .. " against " .. name_of(game.black), items = items, checked = game.result or 4,
      on_item = function(i) set_result(game, RESULTS[i] and i or nil) end }
  end,

  clear = function(self, round)
    local old = each(round.games, function(g) return g.result or false end)
    for _, g in ipairs(round.games) do
      if g.result then set_result(g, nil) end
    end
    self:snackbar("Round " .. self.number .. " cleared", "Undo", function()
      for i, g in ipairs(round.games) do
        local result = old[i] or nil
        if result and not g.result and not (bug("undo_without_draws") and result == 2) then set_result(g, result) end
      end
    end)
  end,

  new_round = function(self)
    if #storage.rounds >= MAX_ROUNDS then return toast("This was the last round") end
    for i, round in ipairs(storage.rounds) do
      if open_games(round) > 0 then return toast("Round " .. i .. " is not over") end
    end
    if #filter(storage.players, function(p) return not p.out end) < 2 then return toast("Too few players") end
    pair_round()
    self.number = #storage.rounds
  end,

  send = function(self)
    if storage.unsent == 0 then return toast("Everything is sent") end
    if not device.online() then return toast("You are offline") end
    if sending then return toast("Sending") end
    local sent = storage.unsent
    sending = true
    net.post("https://federation.example.org/results", each(storage.rounds, function(r) return #r.games end), function(reply)
      sending = false
      if not reply.ok then return toast("Not sent") end
      storage.unsent = math.max(0, storage.unsent - sent)
    end)
  end,

  menu = function(self)
    local round = storage.rounds[self.number]
    return {
      { "Pair next round", id = "new_round", on_click = function() self:new_round() end },
      { "Clear results", id = "clear", on_click = function() self:clear(round) end },
      { "Go to round", id = "go_to", on_click = function()
        self:dialog { title = "Go to", items = each(storage.rounds, function(r, i) return "Round " .. i .. ", " .. day_text(r) end), checked = self.number,
          on_item = function(i) self.number = i end }
      end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  pager = function(self)
    local wide = device.landscape()
    return row {
      button { wide and "Previous round" or "<", id = "previous", enabled = self.number > 1, on_click = function() self:turn(-1) end },
      text { "Round " .. self.number .. " of " .. #storage.rounds, id = "round", weight = 1 },
      button { wide and "Next round" or ">", id = "next", enabled = self.number < #storage.rounds,
        on_click = function()
          if wide and bug("landscape_next") then return end
          self:turn(1)
        end },
    }
  end,

  view = function(self)
    local round = storage.rounds[self.number]
    return column {
      toolbar { "Rookery", subtitle = storage.unsent > 0 and plural(storage.unsent, "change") .. " not sent" or "All sent",
        actions = { { "Send results", id = "send", on_click = function() self:send() end } } },
      self:pager(),
      text { day_text(round) .. ", " .. (open_games(round) == 0 and "finished" or plural(open_games(round), "game") .. " to play"), id = "day" },
      list { id = "games", items = round.games,
        row = function(g, i)
          return row { text { i .. ". " .. name_of(g.white) .. (g.black and " – " .. name_of(g.black) or ""), id = "game", weight = 1 },
            text { not g.black and "bye" or g.result and RESULTS[g.result] or "?", id = "result" } }
        end,
        on_item_click = function(_, g) self:ask_result(g) end,
        on_item_long_click = function(i) self:start("Game", { round = self.number, game = i }) end },
      bottom(self, "Rounds"),
    }
  end,
}

activity "Game" {
  view = function(self)
    local round = storage.rounds[self.intent.round]
    local g = round and round.games[self.intent.game]
    if not g then return column { toolbar { "Game", up = true }, text { "No such game", id = "gone" } } end
    local when = day_text(round)
    if bug("month_of_round") then when = day_of(round.day) .. " " .. MONTHS[month_of(round.day) % 12 + 1] end      -- counted from nought
    local white, black = player_of(g.white), player_of(g.black)
    return column {
      toolbar { "Round " .. self.intent.round .. ", board " .. self.intent.game, up = true },
      text { "Played on " .. when, id = "when" },
      text { "White: " .. name_of(g.white) .. (prefs.ratings and white and ", " .. white.rating or ""), id = "white" },
      text { g.black and "Black: " .. name_of(g.black) .. (prefs.ratings and black and ", " .. black.rating or "") or "A bye", id = "black" },
      text { "Result: " .. (g.result and RESULTS[g.result] or not g.black and "bye" or "not yet"), id = "result", size = "large" },
      button { "White's page", id = "open_white", on_click = function() self:start("Player", { id = g.white }) end },
      g.black and button { "Black's page", id = "open_black", on_click = function() self:start("Player", { id = g.black }) end },
    }
  end,
}

-- ---- the table ----

activity "Table" {
  view = function(self)
    return column {
      toolbar { "Table", up = true, subtitle = "System " .. SYSTEMS[prefs.system] },
      list { id = "table", items = standings(), empty = text { "Nobody plays", id = "empty" },
        row = function(line)
          return row {
            text { line.place .. ". " .. line.player.name .. (line.player.out and " (out)" or ""), id = "line", weight = 1 },
            text { points_text(line.points), id = "points" },
            text { " / " .. points_text(line.second), id = "second", size = "small" },
          }
        end,
        on_item_click = function(_, line) self:start("Player", { id = line.player.id }) end },
      bottom(self, "Table"),
    }
  end,
}

-- ---- players ----

activity "Players" {
  create = function(self, intent, saved) self.by_rating = saved and saved.by_rating or false end,
  save = function(self, out) out.by_rating = self.by_rating end,
  view = function(self)
    local players = copy(storage.players)
    table.sort(players, function(a, b)
      if self.by_rating and a.rating ~= b.rating then return a.rating > b.rating end
      return a.name < b.name
    end)
    local playing = #filter(players, function(p) return not p.out end)
    return column {
      toolbar { "Players", up = true, subtitle = playing .. " of " .. #players .. " playing", actions = {
        { "New player", id = "add", on_click = function() self:start("EditPlayer") end } } },
      toggle { "By rating", id = "by_rating", checked = self.by_rating, on_change = function(b) self.by_rating = b end },
      list { id = "players", items = players,
        row = function(p)
          return row { text { p.name .. (p.out and " (out)" or ""), id = "player", weight = 1 }, prefs.ratings and text { tostring(p.rating), id = "rating" } }
        end,
        on_item_click = function(_, p) self:start("Player", { id = p.id }) end },
      bottom(self, "Players"),
    }
  end,
}

activity "Player" {
  games = function(self)
    local id, lines = self.intent.id, {}
    for i, round in ipairs(storage.rounds) do
      local g, at = find(round.games, function(x) return x.white == id or x.black == id end)
      if g then table.insert(lines, { round = i, at = at, game = g, white = g.white == id }) end
    end
    return lines
  end,
  points_of = function(self, line, system)
    if not line.game.black then return prefs.point_byes and worth(1, true, system) or 0 end
    return line.game.result and worth(line.game.result, line.white, system)
  end,
  withdraw = function(self, p)
    if p.out then
      p.out = nil
      return
    end
    self:dialog { title = p.name .. " withdraws?", message = "Games played still count. There will be no new ones.", cancel = "Cancel", ok = "Withdraw",
      on_ok = function() p.out = true end }
  end,
  view = function(self)
    local p = player_of(self.intent.id)
    if not p then return column { toolbar { "Player", up = true }, text { "No such player", id = "gone" } } end
    local system, lines, sum, whites, blacks = bug("player_old_system") and 1 or prefs.system, self:games(), 0, 0, 0
    for _, line in ipairs(lines) do
      sum = sum + (self:points_of(line, system) or 0)
      if line.game.black and line.white then whites = whites + 1 end
      if line.game.black and not line.white then blacks = blacks + 1 end
    end
    return column {
      toolbar { p.name, up = true, subtitle = p.out and "Withdrawn" or prefs.ratings and "Rating " .. p.rating or nil, actions = {
        { "Edit", id = "edit", on_click = function() self:start("EditPlayer", { id = p.id }) end } } },
      text { "Points: " .. points_text(sum), id = "sum", size = "large" },
      text { whites .. " with White, " .. blacks .. " with Black", id = "colours" },
      button { p.out and "Back in" or "Withdraw", id = "withdraw", on_click = function() self:withdraw(p) end },
      list { id = "player_games", items = lines, empty = text { "No games yet", id = "empty" },
        row = function(line)
          local g, got = line.game, self:points_of(line, system)
          local against = g.black and name_of(line.white and g.black or g.white) .. (line.white and " (White)" or " (Black)") or "bye"
          return row { text { line.round .. ": " .. against, id = "against", weight = 1 }, text { got and points_text(got) or "?", id = "got" } }
        end,
        on_item_click = function(_, line) self:start("Game", { round = line.round, game = line.at }) end },
    }
  end,
}

activity "EditPlayer" {
  store = function(self)
    local p = self.intent.id and player_of(self.intent.id)
    local name, rating = trim(self:text("name")), tonumber(self:text("rating")) or 1000
    if name == "" then return toast("A name, please") end
    if find(storage.players, function(other) return other ~= p and other.name:lower() == name:lower() end) then return toast("There is a " .. name .. " already") end
    if #storage.players >= 20 and not p then return toast("The hall is full") end
    if p and not (bug("rename_adds") and name ~= p.name) then
      p.name, p.rating = name, rating // 1
    else
      table.insert(storage.players, { id = storage.next_id, name = name, rating = rating // 1, points = 0 })
      storage.next_id = storage.next_id + 1
    end
    self:finish()
  end,
  view = function(self)
    local p = self.intent.id and player_of(self.intent.id)
    return column {
      toolbar { p and "Edit player" or "New player", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = p and p.name or "", max = 20 },
        field { id = "rating", hint = "Rating", text = p and tostring(p.rating) or "", input = "number", max = 4 },
        text { "Without a rating: 1000. A new player is paired from the next round on.", id = "hint", size = "small" },
      },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text { "Points for a win, a draw, a loss", id = "system_label", size = "small" },
      radios { id = "system", items = SYSTEMS, selected = prefs.system, on_change = function(i)
        prefs.system = i
        recount()
      end },
      switch { "A bye counts as a win", id = "point_byes", checked = prefs.point_byes, on_change = function(b)
        prefs.point_byes = b
        recount()
      end },
      switch { "Show ratings", id = "ratings", checked = prefs.ratings, on_change = function(b) prefs.ratings = b end },
    }
  end,
}
