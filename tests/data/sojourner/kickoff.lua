-- Kickoff: the table, the fixtures and the scorers of a small five-a-side league.
--
-- Everything on the pages is worked out from the matches: a match has a round, two teams, and once it was played the
-- goals with their scorers. A team that withdraws loses all of its matches, as the league's rules say.

app {
  package = "io.kickoff.league",
  title = "Kickoff",
  main = "Main",
  bugs = { "away_goals", "scorers_twice", "points_on_team", "round_played", "scorer_team", "withdraw_undo",
    "score_turned", "player_search" },
  application = function()
    if storage.teams then return end
    storage.next_id = 500
    storage.teams = {
      { id = 1, name = "Dynamo Canal" }, { id = 2, name = "Red Lanterns" }, { id = 3, name = "Post Office" },
      { id = 4, name = "Real Backyard" }, { id = 5, name = "Hill Street" }, { id = 6, name = "FC Library" },
    }
    storage.players = {
      { id = 11, team = 1, name = "Ana Brandt" }, { id = 12, team = 1, name = "Milo Kerr" }, { id = 13, team = 1, name = "Jo Pike" },
      { id = 21, team = 2, name = "Tariq Osei" }, { id = 22, team = 2, name = "Lena Voss" }, { id = 23, team = 2, name = "Bo Lund" },
      { id = 31, team = 3, name = "Carla Roy" }, { id = 32, team = 3, name = "Ned Quill" },
      { id = 41, team = 4, name = "Pia Ott" }, { id = 42, team = 4, name = "Rui Dias" },
      { id = 51, team = 5, name = "Samir Nolan" }, { id = 52, team = 5, name = "Eva Lindt" },
      { id = 61, team = 6, name = "Tom Archer" }, { id = 62, team = 6, name = "Ines Falk" },
    }
    storage.rounds = 5
    storage.matches = {
      { id = 101, round = 1, home = 1, away = 6, goals = { 11, 11, 62 } },
      { id = 102, round = 1, home = 2, away = 5, goals = { 21, 51 } },
      { id = 103, round = 1, home = 3, away = 4, goals = { 41, 42, 31 } },
      { id = 104, round = 2, home = 6, away = 4, goals = { 61, 62, 61 } },
      { id = 105, round = 2, home = 5, away = 3, goals = { 52 } },
      { id = 106, round = 2, home = 1, away = 2, goals = { 12, 22, 21, 21 } },
      { id = 107, round = 3, home = 2, away = 6, goals = {} },
      { id = 108, round = 3, home = 3, away = 1, goals = { 32, 11, 13 } },
      { id = 109, round = 3, home = 4, away = 5 },
      { id = 110, round = 4, home = 6, away = 5 }, { id = 111, round = 4, home = 1, away = 4 }, { id = 112, round = 4, home = 2, away = 3 },
      { id = 113, round = 5, home = 3, away = 6 }, { id = 114, round = 5, home = 4, away = 2 }, { id = 115, round = 5, home = 5, away = 1 },
    }
    storage.scored = {}          -- player's id as a text: goals; kept up to date with the matches
    for _, m in ipairs(storage.matches) do
      for _, id in ipairs(m.goals or {}) do storage.scored[tostring(id)] = (storage.scored[tostring(id)] or 0) + 1 end
    end
    for _, p in ipairs(storage.players) do p.team_name = find(storage.teams, function(t) return t.id == p.team end).name end
    prefs.win = 3
    prefs.short = false
    prefs.favourite = 0
  end,
}

local MAX_GOALS, MAX_SQUAD, MAX_ROUNDS = 20, 12, 9
local PLACES = { "All matches", "At home", "Away" }
local WIN_POINTS = { "2 points", "3 points" }

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function team_of(id) return find(storage.teams, function(t) return t.id == id end) end
local function player_of(id) return find(storage.players, function(p) return p.id == id end) end
local function match_of(id) return find(storage.matches, function(m) return m.id == id end) end
local function team_name(id)
  local team = team_of(id)
  if not team then return "?" end
  if prefs.short then
    local letters = team.name:gsub("%s", "")
    local cut = utf8.offset(letters, 4)
    return (cut and letters:sub(1, cut - 1) or letters):upper()
  end
  return team.name
end

-- Goals of both sides; own goals are not kept apart, a goal belongs to the scorer's team.
local function score(match, goals)
  local home, away = 0, 0
  for _, id in ipairs(goals or match.goals) do
    local player = player_of(id)
    if id == -match.home or player and player.team == match.home then home = home + 1 else away = away + 1 end
  end
  return home, away
end

local function counts(match) return match.goals ~= nil and not match.void end

local function result_text(match)
  if match.void then return "void" end
  if not match.goals then return "–" end
  return format("%d : %d", score(match))
end

local function tally(goals, by)
  for _, id in ipairs(goals or {}) do
    local key = tostring(id)
    if id > 0 then storage.scored[key] = (storage.scored[key] or 0) + by end
  end
end

-- Puts a result into a match, or takes it out (goals nil).
local function enter(match, goals)
  if not (bug("scorers_twice") and goals) then tally(match.goals, -1) end
  match.goals = goals
  tally(goals, 1)
end

local function empty_line(team) return { team = team, played = 0, won = 0, drawn = 0, lost = 0, plus = 0, minus = 0, points = 0 } end

local function add_result(line, plus, minus, win)
  line.played, line.plus, line.minus = line.played + 1, line.plus + plus, line.minus + minus
  if plus > minus then
    line.won, line.points = line.won + 1, line.points + win
  elseif plus == minus then
    line.drawn, line.points = line.drawn + 1, line.points + 1
  else
    line.lost = line.lost + 1
  end
end

-- The line of a team; place 1: all matches, 2: at home, 3: away.
local function line_of(team, place, win)
  local line = empty_line(team)
  for _, m in ipairs(storage.matches) do
    if counts(m) then
      local home, away = score(m)
      if m.home == team.id and place ~= 3 then
        add_result(line, home, away, win)
      elseif m.away == team.id and place ~= 2 then
        add_result(line, away, home, win)
        if place == 3 and bug("away_goals") then line.plus, line.minus = line.plus - away + home, line.minus - home + away end
      end
    end
  end
  return line
end

local function standings(place)
  local lines = each(filter(storage.teams, function(t) return not t.withdrawn end), function(t) return line_of(t, place, prefs.win) end)
  table.sort(lines, function(a, b)
    if a.points ~= b.points then return a.points > b.points end
    if a.plus - a.minus ~= b.plus - b.minus then return a.plus - a.minus > b.plus - b.minus end
    return a.plus > b.plus
  end)
  return lines
end

local function in_round(round) return filter(storage.matches, function(m) return m.round == round end) end

-- The round that is on: the first with a match to be played.
local function current_round()
  for round = 1, storage.rounds do
    if find(in_round(round), function(m) return not m.goals and not m.void end) then return round end
  end
  return storage.rounds
end

-- ---- table, fixtures, scorers ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.place, self.round = saved.tab or 1, saved.place or 1, saved.round or current_round()
  end,
  save = function(self, out) out.tab, out.place, out.round = self.tab, self.place, self.round end,

  menu = function(self)
    return {
      { "Players", id = "players", on_click = function() self:start("Players") end },
      { "Teams", id = "teams", on_click = function() self:start("Teams") end },
      { "Add a round", id = "add_round", on_click = function()
        if storage.rounds >= MAX_ROUNDS then return toast("The season is long enough") end
        storage.rounds = storage.rounds + 1
        self.tab, self.round = 2, storage.rounds
      end },
      { "Share table", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  table_tab = function(self)
    local lines = standings(self.place)
    return {
      spinner { id = "place", items = PLACES, selected = self.place, on_change = function(i) self.place = i end },
      row { text { "Team", id = "head_team", weight = 1 }, text { "P  Goals  Pts", id = "head_rest" } },
      list { id = "table", items = lines,
        row = function(line, i)
          return column { id = "table_row",
            row { text { i .. ". " .. team_name(line.team.id) .. (prefs.favourite == line.team.id and " ♥" or ""), id = "team", weight = 1 },
              text { tostring(line.played), id = "played" },
              text { line.plus .. ":" .. line.minus, id = "goals" },
              text { tostring(line.points), id = "points" } },
            text { format("W %d  D %d  L %d", line.won, line.drawn, line.lost), id = "record", size = "small" } }
        end,
        on_item_click = function(_, line) self:start("Team", { id = line.team.id }) end,
        on_item_long_click = function(_, line) prefs.favourite = prefs.favourite == line.team.id and 0 or line.team.id end },
    }
  end,

  played_in = function(self, matches)
    return #filter(matches, function(m)
      if bug("round_played") then return m.entered or m.goals ~= nil end
      return m.goals ~= nil
    end)
  end,

  postpone = function(self, match)
    if match.round >= storage.rounds then return toast("There is no later round") end
    match.round = match.round + 1
    toast("Moved to round " .. match.round)
  end,

  match_menu = function(self, match)
    if match.void then return toast("This match does not count") end
    self:popup {
      match.goals and { "Clear result", id = "clear_result", on_click = function() enter(match, nil) end }
        or { "Postpone", id = "postpone", on_click = function() self:postpone(match) end },
      { "Swap home and away", id = "swap", enabled = not match.goals, on_click = function() match.home, match.away = match.away, match.home end },
    }
  end,

  fixtures_tab = function(self)
    self.round = math.min(self.round, storage.rounds)
    local matches = in_round(self.round)
    return {
      row {
        button { "‹", id = "round_before", desc = "Round before", enabled = self.round > 1, on_click = function() self.round = self.round - 1 end },
        text { "Round " .. self.round .. " of " .. storage.rounds, id = "round", weight = 1 },
        button { "›", id = "round_after", desc = "Next round", enabled = self.round < storage.rounds, on_click = function() self.round = self.round + 1 end },
      },
      text { self:played_in(matches) .. " of " .. #matches .. " played", id = "round_state", size = "small" },
      list { id = "matches", items = matches, empty = text { "No matches in this round", id = "no_matches" },
        row = function(m)
          return row { id = "match_row", text { team_name(m.home) .. " – " .. team_name(m.away), id = "teams", weight = 1 },
            text { result_text(m), id = "result" } }
        end,
        on_item_click = function(_, m)
          if m.void then return toast("This match does not count") end
          self:start("Match", { id = m.id })
        end,
        on_item_long_click = function(_, m) self:match_menu(m) end },
      button { "Add a match", id = "add_match", on_click = function() self:start("NewMatch", { round = self.round }) end },
    }
  end,

  -- Scorers of matches that do not count keep their goals: only teams lose their points.
  scorers_tab = function(self)
    local best = filter(storage.players, function(p) return (storage.scored[tostring(p.id)] or 0) > 0 end)
    table.sort(best, function(a, b) return storage.scored[tostring(a.id)] > storage.scored[tostring(b.id)] end)
    return list { id = "scorers", items = best, empty = text { "No goals yet", id = "no_goals" },
      row = function(p)
        local team = bug("scorer_team") and p.team_name or team_name(p.team)
        return row { id = "scorer_row", text { p.name, id = "name", weight = 1 }, text { team, id = "team", size = "small" },
          text { tostring(storage.scored[tostring(p.id)]), id = "goals" } }
      end,
      on_item_click = function(_, p) self:start("Player", { id = p.id }) end }
  end,

  view = function(self)
    return column {
      toolbar { "Kickoff", subtitle = "Season 2024" },
      tabs { id = "tabs", titles = { "Table", "Fixtures", "Scorers" }, selected = self.tab, on_change = function(i) self.tab = i end },
      self.tab == 1 and self:table_tab() or self.tab == 2 and self:fixtures_tab() or self:scorers_tab(),
    }
  end,
}

-- ---- entering a result ----

activity "Match" {
  create = function(self, intent, saved)
    local match = match_of(intent.id)
    self.goals = match and copy(match.goals or {}) or {}
    if saved and not bug("score_turned") then self.goals = saved.goals end
  end,
  save = function(self, out) out.goals = self.goals end,

  ask_scorer = function(self, match, team)
    if #self.goals >= MAX_GOALS then return toast("That is not football any more") end
    local squad = filter(storage.players, function(p) return p.team == team end)
    local names = each(squad, function(p) return p.name end)
    table.insert(names, "Somebody else")
    self:dialog { title = "Goal for " .. team_name(team), items = names, on_item = function(i)
      table.insert(self.goals, squad[i] and squad[i].id or -team)
    end }
  end,

  store = function(self, match)
    enter(match, copy(self.goals))
    match.entered = true
    self:finish()
  end,

  goal_text = function(self, match, id)
    local player = id > 0 and player_of(id)
    local team = player and player.team or -id
    return (player and player.name or "Somebody else") .. " (" .. team_name(team) .. ")"
  end,

  view = function(self)
    local match = match_of(self.intent.id)
    if not match then return column { toolbar { "Match", up = true }, text { "This match is gone", id = "gone" } } end
    local home, away = score(match, self.goals)
    return column {
      toolbar { "Result", up = true, subtitle = "Round " .. match.round,
        actions = { { "Save", id = "save", on_click = function() self:store(match) end } } },
      row { text { team_name(match.home), id = "home_name", weight = 1 }, text { tostring(home), id = "home_score", size = "large" },
        button { "+", id = "home_goal", desc = "Goal for the home team", on_click = function() self:ask_scorer(match, match.home) end } },
      row { text { team_name(match.away), id = "away_name", weight = 1 }, text { tostring(away), id = "away_score", size = "large" },
        button { "+", id = "away_goal", desc = "Goal for the away team", on_click = function() self:ask_scorer(match, match.away) end } },
      text { "Goals (touch one to take it back)", id = "goals_title", size = "small" },
      list { id = "goal_list", items = self.goals, empty = text { "No goals", id = "no_goals" },
        row = function(id) return text { self:goal_text(match, id), id = "goal_row" } end,
        on_item_click = function(i) table.remove(self.goals, i) end },
    }
  end,
}

activity "NewMatch" {
  create = function(self, intent, saved)
    self.home, self.away = saved and saved.home or 1, saved and saved.away or 2
  end,
  save = function(self, out) out.home, out.away = self.home, self.away end,

  teams = function(self) return filter(storage.teams, function(t) return not t.withdrawn end) end,

  store = function(self)
    local teams = self:teams()
    local home, away = teams[self.home], teams[self.away]
    if not home or not away or home == away then return toast("Two teams are needed") end
    local round = self.intent.round or 1
    local busy = find(in_round(round), function(m)
      return not m.void and (m.home == home.id or m.away == home.id or m.home == away.id or m.away == away.id)
    end)
    if busy then return toast("One of them plays in this round already") end
    table.insert(storage.matches, { id = new_id(), round = round, home = home.id, away = away.id })
    self:finish()
  end,

  view = function(self)
    local names = each(self:teams(), function(t) return t.name end)
    return column {
      toolbar { "New match", up = true, subtitle = "Round " .. (self.intent.round or 1),
        actions = { { "Save", id = "save_match", on_click = function() self:store() end } } },
      text "Home",
      spinner { id = "home", items = names, selected = self.home, on_change = function(i) self.home = i end },
      text "Away",
      spinner { id = "away", items = names, selected = self.away, on_change = function(i) self.away = i end },
    }
  end,
}

-- ---- teams ----

activity "Teams" {
  withdraw = function(self, team)
    local touched = {}
    for _, m in ipairs(storage.matches) do
      if (m.home == team.id or m.away == team.id) and not m.void then
        m.void = true
        table.insert(touched, m.id)
      end
    end
    team.withdrawn = true
    self:snackbar(team.name .. " withdrew", "Undo", function()
      team.withdrawn = nil
      for _, id in ipairs(touched) do
        local m = match_of(id)
        if m and not (bug("withdraw_undo") and m.goals) then m.void = nil end
      end
    end)
  end,

  ask_withdraw = function(self, team)
    if team.withdrawn then return toast(team.name .. " has withdrawn") end
    self:dialog { title = team.name .. " withdraws?", message = "None of its matches will count.", ok = "Withdraw", cancel = "Cancel",
      on_ok = function() self:withdraw(team) end }
  end,

  view = function(self)
    return column {
      toolbar { "Teams", up = true },
      list { id = "team_list", items = storage.teams,
        row = function(t)
          local squad = #filter(storage.players, function(p) return p.team == t.id end)
          return column { id = "team_row", text { t.name, id = "name", size = "large" },
            text { t.withdrawn and "withdrawn" or squad .. " players", id = "squad", size = "small" } }
        end,
        on_item_click = function(_, t) self:start("Team", { id = t.id }) end,
        on_item_long_click = function(_, t) self:ask_withdraw(t) end },
    }
  end,
}

activity "Team" {
  ask_name = function(self, team)
    self:dialog { title = "Rename team", ok = "Rename", cancel = "Cancel",
      view = function() return column { field { id = "team_name", hint = "Name", text = team.name, max = 20 } } end,
      on_ok = function()
        local name = trim(self:text("team_name"))
        if name == "" then return end
        team.name = name
      end }
  end,

  ask_player = function(self, team)
    if #filter(storage.players, function(p) return p.team == team.id end) >= MAX_SQUAD then return toast("The squad is full") end
    self:dialog { title = "New player", ok = "Add", cancel = "Cancel",
      view = function() return column { field { id = "player_name", hint = "Name", max = 24 } } end,
      on_ok = function()
        local name = trim(self:text("player_name"))
        if name == "" then return end
        table.insert(storage.players, { id = new_id(), team = team.id, name = name, team_name = team.name })
      end }
  end,

  results = function(self, team)
    return filter(storage.matches, function(m) return (m.home == team.id or m.away == team.id) and m.goals ~= nil end)
  end,

  view = function(self)
    local team = team_of(self.intent.id)
    if not team then return column { toolbar { "Team", up = true }, text { "No such team", id = "gone" } } end
    local line = line_of(team, 1, bug("points_on_team") and 3 or prefs.win)
    local squad = filter(storage.players, function(p) return p.team == team.id end)
    return column {
      toolbar { team.name, up = true, subtitle = team.withdrawn and "withdrawn" or nil,
        actions = { { "Rename", id = "rename", on_click = function() self:ask_name(team) end },
          { "Add player", id = "add_player", on_click = function() self:ask_player(team) end } } },
      scroll {
        text { line.points .. " points from " .. line.played .. " matches", id = "team_points" },
        text { "Goals " .. line.plus .. ":" .. line.minus, id = "team_goals" },
        text { "Results", id = "results_title", size = "large" },
        each(self:results(team), function(m)
          return text { "Round " .. m.round .. ": " .. team_name(m.home) .. " – " .. team_name(m.away) .. "  " .. result_text(m), id = "team_result" }
        end),
        text { "Squad", id = "squad_title", size = "large" },
        each(squad, function(p)
          return text { p.name, id = "squad_row", on_click = function() self:start("Player", { id = p.id }) end }
        end),
      },
    }
  end,
}

-- ---- players ----

activity "Players" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,

  found = function(self)
    local query = bug("player_search") and self.query or self.query:lower()
    local players = filter(storage.players, function(p)
      return query == "" or contains(p.name:lower(), query) or contains(team_name(p.team):lower(), query)
    end)
    table.sort(players, function(a, b) return a.name < b.name end)
    return players
  end,

  view = function(self)
    local players = self:found()
    return column {
      toolbar { "Players", up = true, subtitle = #players .. " shown" },
      field { id = "query", hint = "Player or team", on_change = function(s) self.query = trim(s) end },
      list { id = "player_list", items = players, empty = text { "Nobody found", id = "nobody" },
        row = function(p)
          return row { id = "player_row", text { p.name, id = "name", weight = 1 }, text { team_name(p.team), id = "team", size = "small" } }
        end,
        on_item_click = function(_, p) self:start("Player", { id = p.id }) end },
    }
  end,
}

activity "Player" {
  ask_team = function(self, player)
    local teams = filter(storage.teams, function(t) return not t.withdrawn and t.id ~= player.team end)
    if find(storage.matches, function(m) return index_of(m.goals or {}, player.id) ~= nil end) then
      return toast("Goals were scored for this team already")
    end
    self:dialog { title = "Move to", items = each(teams, function(t) return t.name end), on_item = function(i)
      player.team = teams[i].id
      player.team_name = teams[i].name
    end }
  end,

  ask_name = function(self, player)
    self:dialog { title = "Rename player", ok = "Rename", cancel = "Cancel",
      view = function() return column { field { id = "new_name", hint = "Name", text = player.name, max = 24 } } end,
      on_ok = function()
        local name = trim(self:text("new_name"))
        if name ~= "" then player.name = name end
      end }
  end,

  view = function(self)
    local player = player_of(self.intent.id)
    if not player then return column { toolbar { "Player", up = true }, text { "No such player", id = "gone" } } end
    local goals = storage.scored[tostring(player.id)] or 0
    return column {
      toolbar { player.name, up = true, subtitle = team_name(player.team),
        actions = { { "Rename", id = "rename_player", on_click = function() self:ask_name(player) end } } },
      text { goals == 1 and "1 goal this season" or goals .. " goals this season", id = "season_goals" },
      button { "Change team", id = "change_team", on_click = function() self:ask_team(player) end },
      button { "Open team", id = "open_team", on_click = function() self:start("Team", { id = player.team }) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text { "For a win", id = "win_title" },
      radios { id = "win", items = WIN_POINTS, selected = prefs.win - 1, on_change = function(i) prefs.win = i + 1 end },
      switch { "Short names", id = "short", checked = prefs.short, on_change = function(b) prefs.short = b end },
      button { "About", id = "about", on_click = function()
        self:dialog { title = "Kickoff 0.8", message = #storage.teams .. " teams, " .. #storage.matches .. " matches", ok = "OK" }
      end },
    }
  end,
}
