-- Game Night: scores of board and card games. Players, games, plays that are over, one that is running, a leaderboard.
-- A round of the running play holds one number for each player, in the order of its players.

local DAY = 24 * 60 * 60 * 1000
local TIMES = { "All time", "This year", "This month" }
local PAGES = { "Plays", "Players", "Games" }

app {
  package = "org.norn.scores",
  title = "Game Night",
  main = "Main",
  bugs = { "low_wins_board", "delete_round_mirrored", "month_of_any_year", "name_order_case", "up_discards", "removed_player_shift",
    "again_other_players", "dealer_reset" },
  application = function()
    if storage.players then return end
    local start = now()
    storage.players = { { id = 1, name = "Mira" }, { id = 2, name = "Jonas" }, { id = 3, name = "Tilda" }, { id = 4, name = "Ravi" } }
    storage.games = { { id = 5, name = "Castles", low = false }, { id = 6, name = "Golf Cards", low = true }, { id = 7, name = "Words", low = false } }
    storage.plays = {
      { id = 8, game = 5, at = start - 366 * DAY + 5 * DAY, scores = { { player = 1, points = 88 }, { player = 2, points = 92 } } },
      { id = 9, game = 6, at = start - 40 * DAY, scores = { { player = 1, points = 31 }, { player = 3, points = 18 }, { player = 4, points = 45 } } },
      { id = 10, game = 5, at = start - 12 * DAY, scores = { { player = 2, points = 70 }, { player = 3, points = 95 } } },
      { id = 11, game = 7, at = start - DAY // 4, scores = { { player = 1, points = 210 }, { player = 4, points = 180 } } },
    }
    storage.running = { game = 5, players = { 1, 2, 4 }, dealer = 1, rounds = { { 10, 4, 7 }, { 3, 12, 5 }, { 8, 8, 1 } } }
    storage.next_id = 12
    prefs.newest_first, prefs.least = true, 1
  end,
}

local function by_id(items, id) return find(items, function(item) return item.id == id end) end
local function play_by_id(id) return by_id(storage.plays, id) end
local function game_by_id(id) return by_id(storage.games, id) end
local function player_name(id) return by_id(storage.players, id).name end
local function game_name(id) return game_by_id(id).name end
local function rule_text(game) return game.low and "Lowest score wins" or "Highest score wins" end
local function count_text(n, one) return n .. " " .. one .. (n == 1 and "" or "s") end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id - 1
end

local function players_by_name()
  local out = copy(storage.players)
  table.sort(out, function(a, b)
    if bug("name_order_case") then return a.name < b.name end
    return a.name:lower() < b.name:lower()
  end)
  return out
end

-- the ids of those who won: more than one in a draw
local function winners(play, low)
  local points = each(play.scores, function(score) return score.points end)
  local best = (low and math.min or math.max)(table.unpack(points))
  return each(filter(play.scores, function(score) return score.points == best end), function(score) return score.player end)
end

local function winners_of(play) return winners(play, game_by_id(play.game).low) end

local function result_text(play)
  local names = each(winners_of(play), player_name)
  return (#names > 1 and "Draw: " or "Won by ") .. table.concat(names, ", ")
end

local function took_part(play, player) return find(play.scores, function(score) return score.player == player end) ~= nil end

local function was_played(id)
  local running = storage.running
  if running and (running.game == id or index_of(running.players, id)) then return true end
  return find(storage.plays, function(play) return play.game == id or took_part(play, id) end) ~= nil
end

local function in_time(play, time)
  if time == 1 then return true end
  local same_year = date(play.at, "%Y") == date(now(), "%Y")
  if time == 2 then return same_year end
  return date(play.at, "%m") == date(now(), "%m") and (same_year or bug("month_of_any_year"))
end

local function gone(what) return column { toolbar { what, up = true }, text { "This is no longer there", id = "gone" } } end

-- ---- the three pages ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.page, self.time, self.game = saved.page or 1, saved.time or 1, saved.game
  end,
  save = function(self, out) out.page, out.time, out.game = self.page, self.time, self.game end,
  resume = function(self)
    if self.game and not game_by_id(self.game) then self.game = nil end
  end,
  plays = function(self)
    local out = filter(storage.plays, function(play) return in_time(play, self.time) and (not self.game or play.game == self.game) end)
    local sign = prefs.newest_first and -1 or 1
    table.sort(out, function(a, b) return sign * a.at < sign * b.at end)
    return out
  end,
  ask_time = function(self)
    self:dialog { title = "Show plays of", items = TIMES, checked = self.time, on_item = function(i) self.time = i end }
  end,
  ask_game = function(self)
    local names = each(storage.games, function(game) return game.name end)
    table.insert(names, 1, "All games")
    self:dialog { title = "Show plays of", items = names, on_item = function(i) self.game = i > 1 and storage.games[i - 1].id or nil end }
  end,
  ask_player = function(self)
    self:dialog { title = "New player", cancel = "Cancel", ok = "Add",
      view = function() return column { field { id = "player_name", hint = "Name", max = 20 } } end,
      on_ok = function()
        local name = trim(self:text("player_name"))
        if name == "" then return true end
        if find(storage.players, function(player) return player.name:lower() == name:lower() end) then toast("There is such a player") return true end
        table.insert(storage.players, { id = new_id(), name = name })
      end }
  end,
  add = function(self)
    if self.page == 2 then return self:ask_player() end
    if self.page == 3 then return self:start("EditGame") end
    if storage.running then return toast("Finish the running play first") end
    self:start("NewPlay")
  end,
  menu = function(self)
    return {
      { "Time", id = "time", enabled = self.page == 1, on_click = function() self:ask_time() end },
      { "Game", id = "game_filter", enabled = self.page == 1, on_click = function() self:ask_game() end },
      { "Leaderboard", id = "leaderboard", on_click = function() self:start("Leaderboard") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  plays_page = function(self)
    local running, plays = storage.running, self:plays()
    return column { weight = 1,
      running and card { id = "continue", on_click = function() self:start("Score") end,
        text { "Running: " .. game_name(running.game) .. ", " .. count_text(#running.rounds, "round"), id = "running" } },
      text { TIMES[self.time] .. ", " .. (self.game and game_name(self.game) or "all games") .. ": " .. count_text(#plays, "play"), id = "filter" },
      list { id = "plays", items = plays, empty = text { "No plays", id = "empty" },
        row = function(play)
          return column {
            text { game_name(play.game), id = "play" },
            text { date(play.at, "%Y-%m-%d") .. ". " .. result_text(play), id = "result", size = "small" },
          }
        end,
        on_item_click = function(_, play) self:start("Play", { id = play.id }) end },
    }
  end,
  players_page = function(self)
    return list { id = "players", items = players_by_name(), row = function(player) return text { player.name, id = "player" } end,
      on_item_click = function(_, player) self:start("Player", { id = player.id }) end }
  end,
  games_page = function(self)
    return list { id = "games", items = storage.games, empty = text { "No games", id = "empty" },
      row = function(game) return column { text { game.name, id = "game" }, text { rule_text(game), id = "rule", size = "small" } } end,
      on_item_click = function(_, game) self:start("EditGame", { id = game.id }) end }
  end,
  view = function(self)
    local pages = { self.plays_page, self.players_page, self.games_page }
    return column {
      toolbar { "Game Night", subtitle = PAGES[self.page], actions = { { "Add", id = "add", on_click = function() self:add() end } } },
      pages[self.page](self),
      bottom_bar { items = each(PAGES, function(title, i)
        return { title, id = "to_" .. title:lower(), selected = self.page == i, on_click = function() self.page = i end }
      end) },
    }
  end,
}

-- ---- a new play, and the running one ----

activity "NewPlay" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.game = saved.game or intent.game or storage.games[1] and storage.games[1].id
    self.chosen = saved.chosen or {}
    if not saved.chosen then
      for _, id in ipairs(intent.players or {}) do self.chosen[id] = true end
    end
  end,
  save = function(self, out) out.game, out.chosen = self.game, self.chosen end,
  ask_game = function(self)
    self:dialog { title = "Which game?", items = each(storage.games, function(game) return game.name end),
      on_item = function(i) self.game = storage.games[i].id end }
  end,
  begin = function(self)
    local players = each(filter(players_by_name(), function(player) return self.chosen[player.id] end), function(player) return player.id end)
    if not self.game then return toast("Which game?") end
    if #players < 2 then return toast("It takes two to play") end
    storage.running = { game = self.game, players = players, dealer = 1, rounds = {} }
    self:start("Score")
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { "New play", up = true },
      scroll {
        button { self.game and game_name(self.game) or "Choose a game", id = "choose_game", on_click = function() self:ask_game() end },
        each(players_by_name(), function(player)
          return check { player.name, id = "takes_part", checked = self.chosen[player.id] or false, on_change = function(on) self.chosen[player.id] = on or nil end }
        end),
        button { "Begin", id = "begin", on_click = function() self:begin() end },
      },
    }
  end,
}

activity "Score" {
  create = function(self) self.dealer = storage.running and not bug("dealer_reset") and storage.running.dealer or 1 end,
  set_dealer = function(self, i)
    self.dealer = (i - 1) % #storage.running.players + 1
    storage.running.dealer = self.dealer
  end,
  total = function(self, i)
    local sum = 0
    for _, round in ipairs(storage.running.rounds) do sum = sum + (round[i] or 0) end
    return sum
  end,
  add_round = function(self)
    local running = storage.running
    local round = each(running.players, function(id) return math.tointeger(tonumber(self:text("points_" .. id))) or false end)
    if index_of(round, false) then return toast("A number for everybody") end
    table.insert(running.rounds, round)
    for _, id in ipairs(running.players) do self:set_text("points_" .. id, "") end
    self:set_dealer(self.dealer + 1)
    self:hide_keyboard()
  end,
  ask_delete_round = function(self, i)
    local rounds = storage.running.rounds
    self:dialog { title = "Delete round " .. i .. "?", cancel = "Cancel", ok = "Delete",
      on_ok = function() table.remove(rounds, bug("delete_round_mirrored") and #rounds + 1 - i or i) end }
  end,
  remove_player = function(self, i)
    local running = storage.running
    table.remove(running.players, i)
    if not bug("removed_player_shift") then
      for _, round in ipairs(running.rounds) do table.remove(round, i) end
    end
    self:set_dealer(self.dealer > i and self.dealer - 1 or math.min(self.dealer, #running.players))
  end,
  ask_remove_player = function(self)
    if #storage.running.players <= 2 then return toast("It takes two to play") end
    self:dialog { title = "Who leaves?", items = each(storage.running.players, player_name), on_item = function(i) self:remove_player(i) end }
  end,
  ask_abandon = function(self)
    self:dialog { title = "Give up this play?", message = "Its rounds are lost.", cancel = "Cancel", ok = "Give up",
      on_ok = function()
        storage.running = nil
        self:finish()
      end }
  end,
  finish_play = function(self)
    local running = storage.running
    if #running.rounds == 0 then return toast("No round was played") end
    local scores = each(running.players, function(id, i) return { player = id, points = self:total(i) } end)
    local play = { id = new_id(), game = running.game, at = now(), scores = scores }
    table.insert(storage.plays, play)
    storage.running = nil
    self:start("Play", { id = play.id })
    self:finish()
  end,
  menu = function(self)
    if not storage.running then return {} end
    return {
      { "Next dealer", id = "next_dealer", on_click = function() self:set_dealer(self.dealer + 1) end },
      { "Remove player", id = "remove_player", on_click = function() self:ask_remove_player() end },
      { "Give up", id = "abandon", on_click = function() self:ask_abandon() end },
    }
  end,
  round_rows = function(self)
    local rounds, rows = storage.running.rounds, {}
    for i = #rounds, 1, -1 do
      table.insert(rows, text { "Round " .. i .. ": " .. table.concat(rounds[i], ", "), id = "round", on_long_click = function() self:ask_delete_round(i) end })
    end
    return rows
  end,
  view = function(self)
    local running = storage.running
    if not running then return gone("Running play") end
    return column {
      toolbar { game_name(running.game), subtitle = "Dealer: " .. player_name(running.players[self.dealer]), up = true },
      scroll {
        each(running.players, function(id, i)
          return row {
            text { player_name(id), id = "name", weight = 1 },
            text { tostring(self:total(i)), id = "total" },
            field { id = "points_" .. id, hint = "Points", input = "number", max = 5, width = 300 },
          }
        end),
        row {
          button { "Add round", id = "add_round", on_click = function() self:add_round() end },
          button { "Finish", id = "finish", on_click = function() self:finish_play() end },
        },
        self:round_rows(),
      },
    }
  end,
}

activity "Play" {
  again = function(self, play)
    if storage.running then return toast("Finish the running play first") end
    local last = bug("again_other_players") and storage.plays[#storage.plays] or play
    self:start("NewPlay", { game = play.game, players = each(last.scores, function(score) return score.player end) })
  end,
  ask_delete = function(self, play)
    self:dialog { title = "Delete this play?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        storage.plays = filter(storage.plays, function(other) return other.id ~= play.id end)
        self:finish()
      end }
  end,
  menu = function(self)
    local play = play_by_id(self.intent.id)
    return play and { { "Delete", id = "delete", on_click = function() self:ask_delete(play) end } } or {}
  end,
  view = function(self)
    local play = play_by_id(self.intent.id)
    if not play then return gone("Play") end
    local sign, scores = game_by_id(play.game).low and 1 or -1, copy(play.scores)
    table.sort(scores, function(a, b) return sign * a.points < sign * b.points end)
    return column {
      toolbar { game_name(play.game), subtitle = date(play.at, "%Y-%m-%d"), up = true },
      text { result_text(play), id = "result", size = "large" },
      list { id = "scores", items = scores,
        row = function(score) return row { text { player_name(score.player), id = "name", weight = 1 }, text { tostring(score.points), id = "points" } } end,
        on_item_click = function(_, score) self:start("Player", { id = score.player }) end },
      button { "Play again", id = "again", on_click = function() self:again(play) end },
    }
  end,
}

-- ---- players, games ----

activity "Player" {
  ask_name = function(self, player)
    self:dialog { title = "Rename", cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "new_name", text = player.name, max = 20 } } end,
      on_ok = function()
        local name = trim(self:text("new_name"))
        local other = find(storage.players, function(other) return other ~= player and other.name:lower() == name:lower() end)
        if name == "" or other then toast("Not this name") return true end
        player.name = name
      end }
  end,
  delete = function(self, player)
    if was_played(player.id) then return toast(player.name .. " has played") end
    storage.players = filter(storage.players, function(other) return other.id ~= player.id end)
    self:finish()
  end,
  view = function(self)
    local player = by_id(storage.players, self.intent.id)
    if not player then return gone("Player") end
    local plays = filter(storage.plays, function(play) return took_part(play, player.id) end)
    local won = filter(plays, function(play) return index_of(winners_of(play), player.id) end)
    return column {
      toolbar { player.name, up = true, actions = { { "Rename", id = "rename", on_click = function() self:ask_name(player) end },
        { "Delete", id = "delete_player", on_click = function() self:delete(player) end } } },
      text { count_text(#plays, "play") .. ", " .. #won .. " won", id = "record" },
      text { #plays > 0 and math.floor(#won * 100 / #plays + 0.5) .. " % won" or "Has not played yet", id = "rate" },
      list { id = "player_plays", items = plays,
        row = function(play) return text { date(play.at, "%Y-%m-%d") .. " " .. game_name(play.game), id = "played" } end,
        on_item_click = function(_, play) self:start("Play", { id = play.id }) end },
    }
  end,
}

activity "EditGame" {
  create = function(self, intent, saved)
    self.game = intent.id and game_by_id(intent.id) or nil
    if saved then self.low = saved.low else self.low = self.game ~= nil and self.game.low end
  end,
  save = function(self, out) out.low = self.low end,
  changed = function(self)
    local game = self.game or { name = "", low = false }
    return self:text("game_name") ~= game.name or self.low ~= game.low
  end,
  leave = function(self)
    if not self:changed() then return self:finish() end
    self:dialog { title = "Discard changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
  end,
  back = function(self)
    self:leave()
    return true
  end,
  store = function(self)
    local name = trim(self:text("game_name"))
    if name == "" then return toast("A game needs a name") end
    if find(storage.games, function(other) return other ~= self.game and other.name:lower() == name:lower() end) then return toast("There is such a game") end
    local game = self.game
    if not game then
      game = { id = new_id() }
      table.insert(storage.games, game)
    end
    game.name, game.low = name, self.low
    self:finish()
  end,
  delete = function(self)
    if was_played(self.game.id) then return toast("It was played") end
    storage.games = filter(storage.games, function(game) return game.id ~= self.game.id end)
    self:finish()
  end,
  menu = function(self) return self.game and { { "Delete", id = "delete_game", on_click = function() self:delete() end } } or {} end,
  view = function(self)
    return column {
      toolbar { self.game and "Edit game" or "New game", up = bug("up_discards") or function() self:leave() end },
      field { id = "game_name", hint = "Name", text = self.game and self.game.name or "", max = 30 },
      switch { "Lowest score wins", id = "low", checked = self.low, on_change = function(on) self.low = on end },
      button { "Save", id = "save", on_click = function() self:store() end },
    }
  end,
}

-- ---- leaderboard, settings ----

activity "Leaderboard" {
  ranking = function(self)
    local out = {}
    for _, player in ipairs(players_by_name()) do
      local entry = { name = player.name, plays = 0, wins = 0 }
      for _, play in ipairs(storage.plays) do
        local best = bug("low_wins_board") and winners(play, false) or winners_of(play)
        if took_part(play, player.id) then entry.plays = entry.plays + 1 end
        if index_of(best, player.id) then entry.wins = entry.wins + 1 end
      end
      if entry.plays >= prefs.least then table.insert(out, entry) end
    end
    table.sort(out, function(a, b) return a.wins > b.wins end)
    return out
  end,
  view = function(self)
    return column {
      toolbar { "Leaderboard", subtitle = "From " .. count_text(prefs.least, "play") .. " on", up = true },
      list { id = "ranking", items = self:ranking(), empty = text { "Nobody", id = "empty" },
        row = function(entry, i)
          return row { text { i .. ". " .. entry.name, id = "rank", weight = 1 }, text { entry.wins .. " of " .. count_text(entry.plays, "play"), id = "wins" } }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Newest plays first", id = "newest_first", checked = prefs.newest_first, on_change = function(on) prefs.newest_first = on end },
      text { "On the leaderboard from how many plays on?", id = "least_label" },
      radios { id = "least", items = { "One", "Two", "Three" }, selected = prefs.least, on_change = function(i) prefs.least = i end },
    }
  end,
}
