-- Five Dice: a dice game for one phone and several people. The table is drawn on a canvas and takes raw taps:
-- five dice in the first row (tap: hold), the cup below them (tap: roll), nine categories in three columns.

local MAX_ROLLS = 3
local DICE_HEIGHT, CUP_BOTTOM, CELL_HEIGHT = 200, 360, 120
local CATEGORIES = { "Ones", "Twos", "Threes", "Fours", "Fives", "Sixes", "Three alike", "Straight", "Chance" }
local ROBOT = "Robot"

app {
  package = "org.norn.dice",
  title = "Five Dice",
  main = "Main",
  bugs = { "lost_history", "removed_player", "reset_stats", "all_held", "shared_totals", "held_after_turn", "score_order", "late_robot" },
  themis = {
    { n = 1, activity = "Game", id = "board", kind = "tap" },
    { n = 2, activity = "Game", kind = "rotate" },
    { n = 3, activity = "Game", id = "undo", kind = "tap" },
    { n = 4, activity = "Players", id = "player", kind = "long" },
    { n = 5, activity = "Main", id = "continue", kind = "tap" },
    { n = 6, activity = "Scores", id = "reset_stats", kind = "tap" },
    { n = 7, activity = "Scores", id = "stats", kind = "tap" },
  },
  application = function()
    storage.players = storage.players or { { name = "Ann" }, { name = "Bob" } }
    storage.fame = storage.fame or { { name = "Grandma", points = 112 }, { name = "Ida", points = 87 }, { name = "Rolf", points = 9 } }
    prefs.rounds = prefs.rounds or 3
  end,
}

robot_timer = nil

-- ---- the rules ----

local function clone(value)
  if type(value) ~= "table" then return value end
  local out = {}
  for k, v in pairs(value) do out[k] = clone(v) end
  return out
end

local function counts(dice)
  local n = { 0, 0, 0, 0, 0, 0 }
  for _, face in ipairs(dice) do n[face] = n[face] + 1 end
  return n
end

local function sum(dice)
  local total = 0
  for _, face in ipairs(dice) do total = total + face end
  return total
end

local function points_for(category, dice)
  local n = counts(dice)
  if category <= 6 then return n[category] * category end
  if category == 7 then
    for face = 1, 6 do
      if n[face] >= 3 then return sum(dice) end
    end
    return 0
  end
  if category == 8 then
    local row = n[2] > 0 and n[3] > 0 and n[4] > 0 and n[5] > 0 and (n[1] > 0 or n[6] > 0)
    return row and 30 or 0
  end
  return sum(dice)
end

local function new_game(with_robot)
  local game = { id = now(), names = {}, current = 1, rolls = 0, dice = { 1, 2, 3, 4, 5 }, held = {}, scores = {}, totals = {}, cup = 3,
    rounds = prefs.rounds }
  for _, player in ipairs(storage.players) do table.insert(game.names, player.name) end
  if with_robot then table.insert(game.names, ROBOT) end
  for i = 1, #game.names do
    game.scores[i] = {}
    game.totals[i] = 0
  end
  return game
end

local function filled(scores)
  local n = 0
  for category = 1, #CATEGORIES do
    if scores[category] then n = n + 1 end
  end
  return n
end

local function is_over(game)
  for _, scores in ipairs(game.scores) do
    if filled(scores) < game.rounds then return false end
  end
  return true
end

local function current_name(game)
  if bug("removed_player") and game.names[game.current] ~= ROBOT then
    return list_get(storage.players, game.current).name        -- the people of today, not those who began the game
  end
  return game.names[game.current]
end

local function roll(game)
  local loose, places = {}, 0
  for i = 1, 5 do
    if not game.held[i] then
      table.insert(loose, i)
      places = places + i
    end
  end
  if #loose == 0 and not bug("all_held") then return false end
  for _, i in ipairs(loose) do game.dice[i] = random(6) end
  game.cup = places // #loose                                  -- the cup stands in the middle of the dice it threw
  game.rolls = game.rolls + 1
  return true
end

local function next_turn(game)
  if game.rolls == MAX_ROLLS or not bug("held_after_turn") then game.held = {} end
  game.rolls = 0
  game.cup = 3
  game.current = game.current % #game.names + 1
end

local function score(game, category)
  local points = points_for(category, game.dice)
  game.scores[game.current][category] = points
  game.totals[game.current] = game.totals[game.current] + points
  next_turn(game)
end

-- ---- the robot: rolls once and takes its best category ----

local function robot_move(game)
  game.held = {}
  roll(game)
  local best, best_points = nil, -1
  for category = 1, #CATEGORIES do
    local points = points_for(category, game.dice)
    if not game.scores[game.current][category] and points > best_points then best, best_points = category, points end
  end
  score(game, best)
end

local function wake_robot()
  local game = storage.game
  if robot_timer or not game or is_over(game) or game.names[game.current] ~= ROBOT then return end
  local id = game.id
  robot_timer = after(2000, function()
    robot_timer = nil
    local g = storage.game
    if not bug("late_robot") and (not g or g.id ~= id) then return end
    if g.names[g.current] == ROBOT and not is_over(g) then robot_move(g) end
  end)
end

-- ---- screens ----

activity "Main" {
  view = function(self)
    return column {
      toolbar { "Five Dice" },
      image { id = "logo", desc = "Five dice", height = 240 },
      button { "New game", id = "new_game", on_click = function() self:start("Setup") end },
      storage.game and button { "Continue", id = "continue", on_click = function() self:start("Game") end },
      button { "Players", id = "players", on_click = function() self:start("Players") end },
      button { "Hall of fame", id = "scores", on_click = function() self:start("Scores") end },
      button { "Rules", id = "rules", on_click = function() self:start("Rules") end },
    }
  end,
}

activity "Setup" {
  begin = function(self)
    storage.game = new_game(self:checked("robot"))
    self:start("Game")
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { "New game", up = true },
      text { #storage.players .. " players", id = "count" },
      each(storage.players, function(player) return text { player.name, id = "name" } end),
      text "Length",
      radios { id = "rounds", items = { "Quick (3 rounds)", "Full (9 rounds)" }, selected = prefs.rounds == 9 and 2 or 1,
        on_change = function(i) prefs.rounds = i == 2 and 9 or 3 end },
      check { "Add the robot", id = "robot", default = false },
      button { "Start", id = "start", on_click = function() self:begin() end },
    }
  end,
}

activity "Players" {
  title = "Players",
  add = function(self, name)
    if name == "" then return toast("A player needs a name") end
    if #storage.players >= 6 then return toast("Six are enough") end
    table.insert(storage.players, { name = name })
  end,
  ask_name = function(self, title, old, done)
    self:dialog { title = title, cancel = "Cancel", ok = "OK",
      view = function() return column { field { id = "player_name", hint = "Name", text = old, max = 12 } } end,
      on_ok = function() done(trim(self:text("player_name"))) end }
  end,
  ask_remove = function(self, i)
    if #storage.players == 1 then return toast("Somebody has to play") end
    self:dialog { title = "Remove " .. storage.players[i].name .. "?", cancel = "Keep", ok = "Remove",
      on_ok = function() table.remove(storage.players, i) end }
  end,
  view = function(self)
    return column {
      toolbar { "Players", up = true },
      list { id = "player_list", items = storage.players,
        row = function(player) return text { player.name, id = "player" } end,
        on_item_click = function(i, player)
          self:ask_name("Rename", player.name, function(name)
            if name ~= "" then player.name = name end
          end)
        end,
        on_item_long_click = function(i) self:ask_remove(i) end },
      fab { id = "add_player", desc = "Add player",
        on_click = function() self:ask_name("New player", "", function(name) self:add(name) end) end },
    }
  end,
}

activity "Game" {
  create = function(self, intent, saved)
    self.history = {}
    self.can_undo = 0
    if saved then
      self.can_undo = saved.can_undo or 0
      if not bug("lost_history") then self.history = saved.history or {} end
    end
  end,
  save = function(self, out)
    out.can_undo = self.can_undo
    out.history = self.history
  end,
  resume = function(self) wake_robot() end,

  remember = function(self, game)
    local before = clone(game)
    if bug("shared_totals") then before.totals = game.totals end     -- the copy still points at the live totals
    table.insert(self.history, before)
    self.can_undo = self.can_undo + 1
  end,
  undo = function(self)
    local before = table.remove(self.history)
    self.can_undo = self.can_undo - 1
    storage.game.current = before.current
    for _, key in ipairs { "rolls", "dice", "held", "scores", "totals", "cup" } do storage.game[key] = before[key] end
  end,
  tap_die = function(self, game, i)
    if game.rolls == 0 then return toast("Roll first") end
    game.held[i] = not game.held[i]
  end,
  tap_cup = function(self, game)
    if game.rolls == MAX_ROLLS then return toast("Choose a category") end
    self:remember(game)
    if not roll(game) then
      table.remove(self.history)
      self.can_undo = self.can_undo - 1
      toast("All dice are held")
    end
  end,
  tap_category = function(self, game, category)
    if game.rolls == 0 then return toast("Roll first") end
    if game.scores[game.current][category] then return toast("Already taken") end
    self:remember(game)
    score(game, category)
    wake_robot()
  end,
  tap_board = function(self, x, y)
    local game = storage.game
    if not game or is_over(game) or game.names[game.current] == ROBOT then return end
    local width = self:size("board")
    if y < DICE_HEIGHT then return self:tap_die(game, math.min(5, x * 5 // width + 1)) end
    if y < CUP_BOTTOM then return self:tap_cup(game) end
    local column_index = math.min(2, x * 3 // width)
    local row_index = math.min(2, (y - CUP_BOTTOM) // CELL_HEIGHT)
    self:tap_category(game, math.tointeger(row_index * 3 + column_index + 1))
  end,
  finish_game = function(self)
    local game = storage.game
    local stats = storage.stats or { games = 0, points = 0 }
    for i, name in ipairs(game.names) do
      stats.games = stats.games + 1
      stats.points = stats.points + game.totals[i]
      table.insert(storage.fame, { name = name, points = game.totals[i] })
    end
    table.sort(storage.fame, function(a, b) return a.points > b.points end)
    storage.stats = stats
    local names, totals = clone(game.names), clone(game.totals)
    storage.game = nil
    self:start("Results", { names = names, totals = totals })
    self:finish()
  end,
  menu = function(self)
    return {
      { "Score sheet", id = "sheet", on_click = function() self:start("Sheet") end },
      { "Rules", id = "rules", on_click = function() self:start("Rules") end },
      { "Give up", id = "give_up", on_click = function()
        self:dialog { title = "Give up?", message = "The game is thrown away", cancel = "Play on", ok = "Give up",
          on_ok = function()
            storage.game = nil
            self:finish()
          end }
      end },
    }
  end,
  back = function(self)
    if not storage.game then return false end
    self:dialog { title = "Leave the table?", message = "The game waits for you", cancel = "Stay", ok = "Leave",
      on_ok = function() self:finish() end }
    return true
  end,
  describe = function(self, game)
    local faces = {}
    for i, face in ipairs(game.dice) do faces[i] = face .. (game.held[i] and "*" or "") end
    local taken = {}
    for category, name in ipairs(CATEGORIES) do
      local points = game.scores[game.current][category]
      if points then table.insert(taken, name .. " " .. points) end
    end
    return "Dice " .. table.concat(faces, " ") .. ", cup at " .. game.cup .. ", " .. table.concat(taken, ", ")
  end,
  view = function(self)
    local game = storage.game
    if not game then return column { toolbar { "Five Dice", up = true }, text { "No game", id = "status" } } end
    if is_over(game) then
      return column {
        toolbar { "Five Dice" },
        text { "The game is over", id = "status" },
        button { "Results", id = "results", on_click = function() self:finish_game() end },
      }
    end
    return column {
      toolbar { "Five Dice", subtitle = current_name(game) },
      text { game.rolls == 0 and "Tap the cup to roll" or "Roll " .. game.rolls .. " of " .. MAX_ROLLS, id = "status" },
      canvas { id = "board", height = CUP_BOTTOM + 3 * CELL_HEIGHT, desc = self:describe(game),
        on_tap = function(x, y) self:tap_board(x, y) end },
      row {
        text { "Total " .. game.totals[game.current], id = "total", weight = 1 },
        button { "Undo", id = "undo", enabled = self.can_undo > 0, on_click = function() self:undo() end },
      },
    }
  end,
}

activity "Sheet" {
  view = function(self)
    local game = storage.game
    if not game then return column { toolbar { "Score sheet", up = true }, text { "No game", id = "empty" } } end
    return column {
      toolbar { "Score sheet", up = true },
      scroll {
        each(game.names, function(name, i)
          return column {
            text { name .. ": " .. game.totals[i], id = "player_total" },
            each(CATEGORIES, function(category, c)
              local points = game.scores[i][c]
              return text { "   " .. category .. ": " .. (points and tostring(points) or "-"), id = "line", size = "small" }
            end),
          }
        end),
      },
    }
  end,
}

activity "Results" {
  view = function(self)
    local names, totals = self.intent.names or {}, self.intent.totals or {}
    local winner = 1
    for i, total in ipairs(totals) do
      if total > totals[winner] then winner = i end
    end
    return column {
      toolbar { "Results", up = true },
      text { names[winner] and names[winner] .. " wins" or "Nobody wins", id = "winner", size = "large" },
      each(names, function(name, i) return text { name .. ": " .. totals[i], id = "result" } end),
      button { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
      button { "Hall of fame", id = "fame", on_click = function() self:start("Scores") end },
    }
  end,
}

activity "Scores" {
  create = function(self, intent, saved) self.by_name = saved and saved.by_name or false end,
  save = function(self, out) out.by_name = self.by_name end,
  sort = function(self)
    self.by_name = not self.by_name
    if self.by_name then
      table.sort(storage.fame, function(a, b) return a.name < b.name end)
    elseif bug("score_order") then
      table.sort(storage.fame, function(a, b) return tostring(a.points) > tostring(b.points) end)
    else
      table.sort(storage.fame, function(a, b) return a.points > b.points end)
    end
  end,
  menu = function(self)
    return {
      { "Clear hall of fame", id = "clear_fame", on_click = function()
        self:dialog { title = "Clear the hall of fame?", cancel = "Cancel", ok = "Clear", on_ok = function() storage.fame = {} end }
      end },
      { "Reset statistics", id = "reset_stats", on_click = function()
        self:dialog { title = "Reset statistics?", cancel = "Cancel", ok = "Reset",
          on_ok = function() storage.stats = { games = 0, points = 0 } end }
      end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Hall of fame", up = true },
      row {
        button { self.by_name and "Sort by points" or "Sort by name", id = "sort", on_click = function() self:sort() end },
        button { "Statistics", id = "stats", on_click = function() self:start("Stats") end },
      },
      list { id = "fame", items = storage.fame, empty = text { "Nobody yet", id = "empty" },
        row = function(entry) return text { entry.name .. "   " .. entry.points, id = "entry" } end,
        on_item_click = function(i, entry) toast(entry.name .. " had " .. entry.points .. " points") end },
    }
  end,
}

activity "Stats" {
  create = function(self)
    local stats = storage.stats
    if not stats then return end
    if stats.games == 0 and not bug("reset_stats") then return end
    self.average = stats.points // stats.games
  end,
  view = function(self)
    return column {
      toolbar { "Statistics", up = true },
      text { self.average and "Average: " .. self.average .. " points" or "No games yet", id = "average" },
      text { "Games: " .. (storage.stats and storage.stats.games or 0), id = "games" },
    }
  end,
}

activity "Rules" {
  create = function(self, intent, saved) self.page = saved and saved.page or 1 end,
  save = function(self, out) out.page = self.page end,
  pages = { "Roll up to three times. Tap a die to hold it.", "Then choose one free category on the board.",
    "Three alike and Chance count all dice. A straight is worth 30.", "Most points win." },
  view = function(self)
    return column {
      toolbar { "Rules", up = true, subtitle = "Page " .. self.page .. " of " .. #self.pages },
      text { self.pages[self.page], id = "rule" },
      row {
        button { "Previous", id = "previous", enabled = self.page > 1, on_click = function() self.page = self.page - 1 end },
        button { "Next", id = "next", enabled = self.page < #self.pages, on_click = function() self.page = self.page + 1 end },
      },
    }
  end,
}
