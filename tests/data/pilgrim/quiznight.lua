-- Quiz Night: keeps the score of pub quizzes. Teams play rounds; once a night a team may double a round with its joker.

local PAGES = { "Rounds", "Ranking" }
local MAX_TEAMS = 12

app {
  package = "org.quiznight.scorer",
  title = "Quiz Night",
  main = "Main",
  bugs = { "wizard_back", "rank_tie", "joker_sticks", "ranking_text", "left_team", "below_zero", "empty_name", "archive_keeps" },
  application = function()
    if storage.nights then return end
    storage.teams = {
      { id = 1, name = "Quizzly Bears", captain = "Ada" }, { id = 2, name = "Agatha Quiztie", captain = "Ben" },
      { id = 3, name = "Les Quizerables", captain = "Cleo" }, { id = 4, name = "The Know-Nothings", captain = "Dan" },
    }
    storage.nights = {
      { id = 1, name = "Harbour Inn in March", place = "Harbour Inn", rounds = 4, teams = { 1, 2, 3 }, closed = { r1 = true, r2 = true }, jokers = { t2 = 2 },
        scores = { r1t1 = 6, r1t2 = 8, r1t3 = 3, r2t1 = 8, r2t2 = 3, r2t3 = 6 }, stuck = {} },
      { id = 2, name = "Winter cup", place = "Town hall", rounds = 2, teams = { 2, 4 }, closed = { r1 = true, r2 = true }, jokers = {},
        scores = { r1t2 = 7, r1t4 = 9, r2t2 = 5, r2t4 = 5 }, stuck = {} },
      { id = 3, name = "Summer quiz", place = "Beach bar", rounds = 1, teams = { 1, 3, 4 }, closed = { r1 = true }, jokers = {},
        scores = { r1t1 = 9, r1t3 = 4, r1t4 = 4 }, stuck = {}, archived = true },
    }
    storage.archive = { 3 }                        -- the ids of the nights in the archive, newest first
    storage.next_id = 10
    prefs.most, prefs.jokers = 10, true
  end,
}

local function by_id(list, id) return find(list, function(x) return x.id == id end) end
local function night_by_id(id) return id and by_id(storage.nights, id) end
local function team_by_id(id) return id and by_id(storage.teams, id) end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function round_key(round) return "r" .. round end
local function score_key(round, team) return "r" .. round .. "t" .. team end
local function joker_key(team) return "t" .. team end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function archived(night) return night.archived end

local function rounds_played(night)
  local n = 0
  for round = 1, night.rounds do
    if night.closed[round_key(round)] then n = n + 1 end
  end
  return n
end

local function score(night, round, team) return night.scores[score_key(round, team)] or 0 end

local function counted(night, round, team)
  local points = score(night, round, team)
  local doubled = night.jokers[joker_key(team)] == round or night.stuck[joker_key(team)] == round
  return doubled and points * 2 or points
end

local function total(night, team)
  local sum = 0
  for round = 1, night.rounds do sum = sum + counted(night, round, team) end
  return sum
end

local function set_joker(night, round, team, on)
  if on then
    night.jokers[joker_key(team)] = round
    night.stuck[joker_key(team)] = nil
  else
    night.jokers[joker_key(team)] = nil
    if bug("joker_sticks") then night.stuck[joker_key(team)] = round end
  end
end

local function ranked_teams(night)
  if not bug("left_team") then return night.teams end
  return each(filter(storage.teams, function(team)                  -- whoever has a score
    if index_of(night.teams, team.id) then return true end
    for round = 1, night.rounds do
      if night.scores[score_key(round, team.id)] then return true end
    end
    return false
  end), function(team) return team.id end)
end

-- { team =, points =, place = }, best first; who has the same number of points has the same place.
local function ranking(night)
  local table_ = each(ranked_teams(night), function(id) return { team = id, points = total(night, id) } end)
  table.sort(table_, function(a, b)
    if bug("ranking_text") then return tostring(a.points) > tostring(b.points) end
    return a.points > b.points
  end)
  for i, line in ipairs(table_) do
    local before = table_[i - 1]
    line.place = before and before.points == line.points and not bug("rank_tie") and before.place or i
  end
  return table_
end

local function team_name(id)
  local team = team_by_id(id)
  return team and team.name or "Unknown team"
end

local function gone(title) return column { toolbar { title, up = true }, text { "This is gone", id = "gone" } } end

activity "Main" {
  sections = function(self)
    local rows = {}
    local function add(title, fits)
      local nights = filter(storage.nights, function(n) return not archived(n) and fits(n) end)
      if #nights == 0 then return end
      table.insert(rows, { title = title .. " (" .. #nights .. ")" })
      for _, night in ipairs(nights) do table.insert(rows, { night = night }) end
    end
    add("Being played", function(n) return rounds_played(n) < n.rounds end)
    add("Over", function(n) return rounds_played(n) == n.rounds end)
    return rows
  end,
  winner = function(self, night)
    local first = filter(ranking(night), function(line) return line.place == 1 end)
    return table.concat(each(first, function(line) return team_name(line.team) end), ", ")
  end,
  ask_archive = function(self, night)
    self:dialog { title = night.name, items = { "Archive", "Play again with the same teams" }, cancel = "Cancel", on_item = function(i)
      if i == 2 then return self:start("Wizard", { teams = copy(night.teams), place = night.place }) end
      night.archived = true
      if not index_of(storage.archive, night.id) then table.insert(storage.archive, 1, night.id) end
      toast("Archived")
    end }
  end,
  menu = function(self)
    return {
      { "Teams", id = "teams", on_click = function() self:start("Teams") end },
      { "Archive", id = "archive", on_click = function() self:start("Archive") end },
      { "Rules", id = "rules", on_click = function() self:start("Rules") end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Quiz Night" },
      list { id = "nights", items = self:sections(), empty = text { "No quiz yet", id = "empty" },
        row = function(line)
          if line.title then return text { line.title, id = "section", size = "small" } end
          local night = line.night
          local over = rounds_played(night) == night.rounds
          return column { id = "night_row", text { night.name, id = "night" },
            text { plural(#night.teams, "team") .. ", " .. (over and "won by " .. self:winner(night)
              or rounds_played(night) .. " of " .. plural(night.rounds, "round") .. " played"), id = "state", size = "small" } }
        end,
        on_item_click = function(_, line) if line.night then self:start("Night", { id = line.night.id }) end end,
        on_item_long_click = function(_, line) if line.night then self:ask_archive(line.night) end end },
      fab { id = "add", desc = "New quiz", on_click = function() self:start("Wizard") end },
    }
  end,
}

-- ---- a new night, in three steps ----

activity "Wizard" {
  create = function(self, intent, saved)
    saved = saved or { step = 1, night_name = "", place = intent.place or "", chosen = intent.teams or {}, rounds = 4 }
    self.step, self.night_name, self.place, self.chosen, self.rounds = saved.step, saved.night_name, saved.place, saved.chosen, saved.rounds
  end,
  save = function(self, out)
    out.step, out.night_name, out.place, out.chosen, out.rounds = self.step, self.night_name, self.place, self.chosen, self.rounds
  end,

  choose = function(self, id, on)
    self.chosen = filter(self.chosen, function(x) return x ~= id end)
    if on then table.insert(self.chosen, id) end
  end,

  next = function(self)
    if self.step == 1 and trim(self.night_name) == "" then return toast("The quiz needs a name") end
    if self.step == 2 and #self.chosen < 2 then return toast("Two teams at least") end
    self:hide_keyboard()
    if self.step < 3 then
      self.step = self.step + 1
      return
    end
    table.sort(self.chosen)
    local night = { id = new_id(), name = trim(self.night_name), place = trim(self.place), rounds = self.rounds, teams = self.chosen, closed = {}, jokers = {},
      scores = {}, stuck = {}, archived = false }
    table.insert(storage.nights, 1, night)
    self:start("Night", { id = night.id })
    self:finish()
  end,

  back = function(self)
    if self.step > 1 then
      if bug("wizard_back") and self.step == 3 then self.chosen = {} end
      self.step = self.step - 1
      return true
    end
    if trim(self.night_name) == "" then return false end
    self:dialog { title = "Give up this quiz?", ok = "Give up", on_ok = function() self:finish() end, cancel = "Go on" }
    return true
  end,

  view = function(self)
    return column {
      toolbar { "New quiz", subtitle = "Step " .. self.step .. " of 3",
        actions = { { self.step < 3 and "Next" or "Create", id = "next", on_click = function() self:next() end } } },
      self.step == 1 and column {
        field { id = "night_name", hint = "Name", text = self.night_name, max = 40, on_change = function(s) self.night_name = s end },
        field { id = "place", hint = "Place", text = self.place, max = 40, on_change = function(s) self.place = s end },
      },
      self.step == 2 and column {
        text { plural(#self.chosen, "team") .. " chosen", id = "chosen" },
        scroll { each(storage.teams, function(team)
          return check { team.name, id = "team_check", checked = index_of(self.chosen, team.id) ~= nil, on_change = function(on) self:choose(team.id, on) end }
        end) },
      },
      self.step == 3 and column {
        text { trim(self.night_name), id = "summary", size = "large" },
        text { "At " .. (trim(self.place) ~= "" and trim(self.place) or "an unknown place") .. ", " .. plural(#self.chosen, "team"), id = "summary_more" },
        row {
          text { plural(self.rounds, "round"), id = "rounds", weight = 1 },
          button { "Fewer", id = "fewer", enabled = self.rounds > 1, on_click = function() self.rounds = self.rounds - 1 end },
          button { "More", id = "more", enabled = self.rounds < 8, on_click = function() self.rounds = self.rounds + 1 end },
        },
      },
    }
  end,
}

-- ---- one night ----

activity "Night" {
  create = function(self, intent, saved) self.page = saved and saved.page or 1 end,
  save = function(self, out) out.page = self.page end,

  ask_teams = function(self, night)
    local chosen = copy(night.teams)
    self:dialog { title = "Who plays?", ok = "OK", cancel = "Cancel",
      view = function()
        return column { each(storage.teams, function(team)
          return check { team.name, id = "team_check", checked = index_of(chosen, team.id) ~= nil, on_change = function(on)
            chosen = filter(chosen, function(x) return x ~= team.id end)
            if on then table.insert(chosen, team.id) end
          end }
        end) }
      end,
      on_ok = function()
        if #chosen < 2 then
          toast("Two teams at least")
          return true
        end
        table.sort(chosen)
        night.teams = chosen
      end }
  end,

  ask_rename = function(self, night)
    self:dialog { title = "Rename", ok = "OK", cancel = "Cancel",
      view = function() return column { field { id = "new_name", hint = "Name", text = night.name, max = 40 } } end,
      on_ok = function()
        local name = trim(self:text("new_name"))
        if name == "" then
          toast("The quiz needs a name")
          return true
        end
        night.name = name
      end }
  end,

  menu = function(self)
    local night = night_by_id(self.intent.id)
    if not night then return {} end
    return {
      { "Rename", id = "rename", on_click = function() self:ask_rename(night) end },
      { "Who plays", id = "who_plays", on_click = function() self:ask_teams(night) end },
      { "One round more", id = "more_rounds", enabled = night.rounds < 8, on_click = function() night.rounds = night.rounds + 1 end },
    }
  end,

  view = function(self)
    local night = night_by_id(self.intent.id)
    if not night then return gone("Quiz") end
    local rounds = {}
    for i = 1, night.rounds do rounds[i] = i end
    return column {
      toolbar { night.name, up = true, subtitle = night.place ~= "" and night.place or nil },
      tabs { id = "pages", titles = PAGES, selected = self.page, on_change = function(i) self.page = i end },
      self.page == 1 and list { id = "rounds", items = rounds,
        row = function(round)
          return column { text { "Round " .. round, id = "round" },
            text { night.closed[round_key(round)] and "played" or "open", id = "round_state", size = "small" } }
        end,
        on_item_click = function(_, round) self:start("Round", { id = night.id, round = round }) end },
      self.page == 2 and list { id = "ranking", items = ranking(night),
        row = function(line)
          return row { text { line.place .. ". " .. team_name(line.team), id = "ranked", weight = 1 }, text { plural(line.points, "point"), id = "points" } }
        end,
        on_item_click = function(_, line) self:start("Team", { id = line.team }) end },
    }
  end,
}

activity "Round" {
  create = function(self, intent, saved) self.round = saved and saved.round or intent.round or 1 end,
  save = function(self, out) out.round = self.round end,

  change = function(self, night, team, by)
    local key = score_key(self.round, team)
    local points = (night.scores[key] or 0) + by
    if by > 0 and points > prefs.most then return toast("There are " .. prefs.most .. " questions a round") end
    if points < 0 and not bug("below_zero") then return end
    night.scores[key] = points
  end,

  team_row = function(self, night, id)
    local joker = night.jokers[joker_key(id)]
    local points = score(night, self.round, id)
    return row { id = "score_row",
      column { weight = 1, text { team_name(id), id = "team" },
        text { plural(points, "point") .. (joker == self.round and ", doubled to " .. points * 2 or ""), id = "score", size = "small" } },
      button { "-", id = "minus", width = 140, on_click = function() self:change(night, id, -1) end },
      button { "+", id = "plus", width = 140, on_click = function() self:change(night, id, 1) end },
      prefs.jokers and check { "Joker", id = "joker", width = 260, checked = joker == self.round, enabled = joker == nil or joker == self.round,
        on_change = function(on) set_joker(night, self.round, id, on) end },
    }
  end,

  view = function(self)
    local night = night_by_id(self.intent.id)
    if not night or self.round > night.rounds then return gone("Round") end
    local key = round_key(self.round)
    return column {
      toolbar { "Round " .. self.round, up = true, subtitle = night.name,
        actions = { { night.closed[key] and "Open again" or "Close", id = "close", on_click = function() night.closed[key] = not night.closed[key] or nil end } } },
      list { id = "scores", items = night.teams, row = function(id) return self:team_row(night, id) end },
      row {
        button { "Previous", id = "previous", enabled = self.round > 1, on_click = function() self.round = self.round - 1 end },
        button { "Next", id = "next_round", enabled = self.round < night.rounds, on_click = function() self.round = self.round + 1 end },
      },
    }
  end,
}

-- ---- teams ----

activity "Teams" {
  ask_team = function(self, team)
    self:dialog { title = team and "Edit team" or "New team", cancel = "Cancel", ok = team and "OK" or "Add",
      view = function()
        return column { field { id = "team_name", hint = "Name", text = team and team.name or "", max = 30 },
          field { id = "captain", hint = "Captain", text = team and team.captain or "", max = 30 } }
      end,
      on_ok = function()
        local name, captain = trim(self:text("team_name")), trim(self:text("captain"))
        if name == "" and not (team and bug("empty_name")) then
          toast("A team needs a name")
          return true
        end
        if not team then
          team = { id = new_id() }
          table.insert(storage.teams, team)
        end
        team.name, team.captain = name, captain
      end }
  end,
  delete = function(self, team)
    local night = find(storage.nights, function(n)
      return index_of(n.teams, team.id) ~= nil or find(ranked_teams(n), function(id) return id == team.id end) ~= nil
    end)
    if night then return toast(team.name .. " plays in " .. night.name) end
    local at = index_of(storage.teams, team)
    if not at then return end
    table.remove(storage.teams, at)
    self:snackbar(team.name .. " deleted", "Undo", function() table.insert(storage.teams, math.min(at, #storage.teams + 1), team) end)
  end,
  view = function(self)
    return column {
      toolbar { "Teams", up = true },
      list { id = "team_list", items = storage.teams, empty = text { "No team yet", id = "empty" },
        row = function(team)
          return column { id = "team_row", text { team.name, id = "team" }, text { team.captain ~= "" and "Captain: " .. team.captain or "No captain", id = "who", size = "small" } }
        end,
        on_item_click = function(_, team) self:start("Team", { id = team.id }) end,
        on_item_long_click = function(_, team)
          self:popup {
            { "Edit", id = "edit_team", on_click = function() self:ask_team(team) end },
            { "Delete", id = "delete_team", on_click = function() self:delete(team) end },
          }
        end },
      fab { id = "add_team", desc = "New team", on_click = function()
        if #storage.teams >= MAX_TEAMS then return toast("No more than " .. MAX_TEAMS .. " teams") end
        self:ask_team()
      end },
    }
  end,
}

activity "Team" {
  view = function(self)
    local team = team_by_id(self.intent.id)
    if not team then return gone("Team") end
    local played, best = {}, nil
    for _, night in ipairs(storage.nights) do
      local line = find(ranking(night), function(x) return x.team == team.id end)
      if line then
        table.insert(played, { night = night, line = line })
        if not best or line.place < best then best = line.place end
      end
    end
    return column {
      toolbar { team.name, up = true, subtitle = team.captain ~= "" and "Captain: " .. team.captain or nil },
      text { best and "Best place: " .. best or "Never played", id = "best" },
      list { id = "history", items = played, empty = text { "No quiz yet", id = "empty" },
        row = function(x)
          return column { text { x.night.name, id = "night" }, text { plural(x.line.points, "point") .. ", place " .. x.line.place, id = "result", size = "small" } }
        end,
        on_item_click = function(_, x) self:start("Night", { id = x.night.id }) end },
    }
  end,
}

-- ---- the rest ----

activity "Archive" {
  nights = function(self)
    local list = {}
    for _, id in ipairs(storage.archive) do
      local night = night_by_id(id)
      if night then table.insert(list, night) end
    end
    return list
  end,
  take_out = function(self, night)
    night.archived = false
    if not bug("archive_keeps") then storage.archive = filter(storage.archive, function(id) return id ~= night.id end) end
    toast(night.name .. " is back in the list")
  end,
  ask_delete = function(self, night)
    self:dialog { title = "Delete " .. night.name .. " for ever?", cancel = "Cancel", ok = "Delete", on_ok = function()
      storage.archive = filter(storage.archive, function(id) return id ~= night.id end)
      local at = index_of(storage.nights, night)
      if at then table.remove(storage.nights, at) end
    end }
  end,
  view = function(self)
    return column {
      toolbar { "Archive", up = true },
      list { id = "archived", items = self:nights(), empty = text { "The archive is empty", id = "empty" },
        row = function(night)
          return row { column { weight = 1, text { night.name, id = "night" }, text { night.place, id = "place", size = "small" } },
            button { "Take out", id = "take_out", on_click = function() self:take_out(night) end } }
        end,
        on_item_click = function(_, night) self:start("Night", { id = night.id }) end,
        on_item_long_click = function(_, night) self:ask_delete(night) end },
    }
  end,
}

activity "Rules" {
  view = function(self)
    return column {
      toolbar { "Rules", up = true },
      row {
        text { plural(prefs.most, "question") .. " a round", id = "most", weight = 1 },
        button { "5", id = "most_5", on_click = function() prefs.most = 5 end },
        button { "10", id = "most_10", on_click = function() prefs.most = 10 end },
      },
      switch { "Jokers", id = "jokers", checked = prefs.jokers, on_change = function(on) prefs.jokers = on end },
      text { "A joker doubles the points of one round. Every team has one joker a night.", id = "rule_joker" },
      text { "Teams with the same number of points share a place, the next place is left out.", id = "rule_tie" },
    }
  end,
}
