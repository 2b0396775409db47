-- Pedlar: goods, a round with stops, logins and music, all of it as its makers want it. There is no bug; each
-- peculiarity looks like one.
--   ticks that a button hands to the page below   who leaves "Add stops" without Add has given them up
--   a control that takes its value off the page   after "No date" the date begins anew
--   a catalogue                                   a pack keeps its name, whatever the deck made of it is called
--   a password                                    is hidden again when the device is turned; another one is proposed
--                                                 for each new login, and when one was changed is told
--   a row moved by hand                           puts the list in no order
--   Select all of two rows                        chooses the other one, too
--   several rows binned at once                   one of them restored brings not all back
--   two pairs of + and −                          of one form, beside their values
--   one and many                                  "1 stop" is in the same unit as "3 stops"
--   music                                         does not go on when the process has died
app { package = "org.norn.pedlar", title = "Pedlar", main = "Main", bugs = {},
  application = function()
    if storage.stops then return end
    storage.next_id = 30
    storage.songs = { "Alder", "Birch", "Cedar", "Elm", "Fir" }
    storage.stops = { { id = 1, name = "Mill", days = 3, crates = 20, day = 4 }, { id = 2, name = "Forge", days = 1, crates = 5 },
      { id = 3, name = "Quay", days = 2, crates = 10, day = 9 } }
    storage.places = { "Abbey", "Bridge", "Castle" }
    storage.decks, storage.bin = {}, {}
    storage.logins = { { id = 11, name = "Bank", user = "ida.berg", password = "lime-Table-41", old = 0 },
      { id = 12, name = "Forum", user = "ida.berg", password = "grey-Chair-07", old = 1 }, { id = 13, name = "Shop", user = "idab", password = "blue-Lamp-93", old = 0 } }
  end }

local PACKS = { "Colours", "Animals", "Weather" }
local playing = nil -- as long as the process lives
local function some(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end
local function of(list, id) return (find(list, function(x) return x.id == id end)) end

activity "Main" {
  menu = function(self)
    return each({ "Round", "Decks", "Logins", "Bin", "Music", "Settings" }, function(page)
      return { page, id = page:lower(), on_click = function() self:start(page) end }
    end)
  end,
  view = function(self)
    local crates = 0
    for _, s in ipairs(storage.stops) do crates = crates + s.crates end
    return column { toolbar { "Pedlar" },
      text { some(#storage.stops, "stop") .. (storage.dozens and "" or ", " .. some(crates, "crate")), id = "summary" } }
  end,
}

activity "Settings" {
  view = function(self)
    return column { toolbar { "Settings", up = true },
      switch { "Leave out crates", id = "dozens", checked = storage.dozens or false, on_change = function(on) storage.dozens = on end } }
  end,
}

activity "Round" {
  move = function(self, i, by)
    if storage.stops[i + by] then table.insert(storage.stops, i + by, table.remove(storage.stops, i)) end
  end,
  view = function(self)
    return column { toolbar { "Round", up = true, actions = { { "Add stops", id = "add_stops", on_click = function() self:start("AddStops") end } } },
      list { id = "stops", items = storage.stops,
        row = function(s, i)
          return row { text { s.name, id = "stop", weight = 1 },
            image_button { desc = "Move up", id = "up", enabled = i > 1, on_click = function() self:move(i, -1) end },
            image_button { desc = "Move down", id = "down", enabled = i < #storage.stops, on_click = function() self:move(i, 1) end } }
        end,
        on_item_click = function(_, s) self:start("Stop", { id = s.id }) end } }
  end,
}

activity "AddStops" {
  create = function(self, _, saved) self.ticked = saved and saved.ticked or {} end,
  save = function(self, out) out.ticked = self.ticked end,
  view = function(self)
    local n = 0
    for _, p in ipairs(storage.places) do if self.ticked[p] then n = n + 1 end end
    return column { toolbar { "Add stops", up = true, actions = { { "Add", id = "add_ticked", on_click = function()
        for _, p in ipairs(storage.places) do
          if self.ticked[p] then
            storage.next_id = storage.next_id + 1
            table.insert(storage.stops, { id = storage.next_id, name = p, days = 1, crates = 5 })
          end
        end
        self:finish()
      end } } },
      text { some(n, "place") .. " ticked", id = "ticked" },
      list { id = "places", items = storage.places, row = function(p)
        return check { p, id = "place", checked = self.ticked[p] or false, on_change = function(on) self.ticked[p] = on or nil end }
      end } }
  end,
}

activity "Stop" {
  create = function(self, intent, saved)
    local s = saved or of(storage.stops, intent.id)
    self.days, self.crates, self.day = s.days, s.crates, s.day
  end,
  save = function(self, out) out.days, out.crates, out.day = self.days, self.crates, self.day end,
  view = function(self)
    local s = of(storage.stops, self.intent.id)
    return column { toolbar { "Stop", up = true, actions = { { "Save", id = "save", on_click = function()
        s.days, s.crates, s.day = self.days, self.crates, self.day
        self:finish()
      end } } },
      text { s.name, id = "stop_name" },
      row { text { "Every" }, button { "−", id = "days_less", enabled = self.days > 1, on_click = function() self.days = self.days - 1 end },
        text { some(self.days, "day"), id = "days" }, button { "+", id = "days_more", on_click = function() self.days = self.days + 1 end } },
      row { text { "Load" }, button { "−", id = "load_less", enabled = self.crates > 5, on_click = function() self.crates = self.crates - 5 end },
        text { some(self.crates, "crate"), id = "load" }, button { "+", id = "load_more", on_click = function() self.crates = self.crates + 5 end } },
      self.day and row { text { "Date" }, button { "‹", id = "earlier", enabled = self.day > 1, on_click = function() self.day = self.day - 1 end },
        text { "March " .. self.day, id = "day" }, button { "›", id = "later", enabled = self.day < 31, on_click = function() self.day = self.day + 1 end } },
      button { self.day and "No date" or "Set a date", id = "date_button", on_click = function() self.day = not self.day and 1 or nil end } }
  end,
}

activity "Decks" {
  menu = function(self) return { { "Get packs", id = "packs", on_click = function() self:start("Packs") end } } end,
  view = function(self)
    return column { toolbar { "Decks", up = true },
      list { id = "decks", items = storage.decks, empty = text { "No decks yet", id = "empty" },
        row = function(d) return text { d.name, id = "deck" } end,
        on_item_click = function(_, d) self:start("Deck", { id = d.id }) end } }
  end,
}

activity "Deck" {
  view = function(self)
    local d = of(storage.decks, self.intent.id)
    return column { toolbar { "Deck", up = true, actions = { { "Save", id = "save", on_click = function()
        if trim(self:text("deck_name")) ~= "" then d.name = trim(self:text("deck_name")) end
        self:finish()
      end } } }, field { id = "deck_name", hint = "Name", text = d.name } }
  end,
}

activity "Packs" {
  view = function(self)
    return column { toolbar { "Packs", up = true },
      list { id = "pack_list", items = PACKS, row = function(p)
        local there = find(storage.decks, function(d) return d.pack == p end)
        return row { text { p, id = "pack", weight = 1 }, button { there and "Added" or "Add", id = "get", enabled = not there, on_click = function()
          storage.next_id = storage.next_id + 1
          table.insert(storage.decks, { id = storage.next_id, name = p, pack = p })
        end } }
      end } }
  end,
}

activity "Logins" {
  create = function(self) self.chosen = nil end,
  bin = function(self)
    for i = #storage.logins, 1, -1 do
      if self.chosen[storage.logins[i].id] then table.insert(storage.bin, table.remove(storage.logins, i)) end
    end
    self.chosen = nil
  end,
  back = function(self)
    if self.chosen then self.chosen = nil return true end
  end,
  view = function(self)
    local actions = self.chosen and {
      { "Select all", id = "select_all", on_click = function() for _, l in ipairs(storage.logins) do self.chosen[l.id] = true end end },
      { "Delete", id = "delete", on_click = function() self:bin() end } } or nil
    return column { toolbar { self.chosen and "Selecting" or "Logins", up = true, actions = actions },
      list { id = "logins", items = storage.logins, empty = text { "No logins", id = "empty" },
        row = function(l) return row { id = "login_row", selected = self.chosen and self.chosen[l.id] or false, text { l.name, id = "login" } } end,
        on_item_click = function(_, l)
          if self.chosen then self.chosen[l.id] = not self.chosen[l.id] or nil else self:start("Login", { id = l.id }) end
        end,
        on_item_long_click = function(_, l) self.chosen = self.chosen or {} self.chosen[l.id] = true end },
      not self.chosen and fab { id = "add", desc = "New login", on_click = function() self:start("Edit", {}) end } }
  end,
}

activity "Login" {
  view = function(self)
    local l = of(storage.logins, self.intent.id)
    if not l then return column { toolbar { "Gone", up = true } } end
    return column { toolbar { l.name, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = l.id }) end } } },
      text { "User: " .. l.user, id = "user" },
      text { self.shown and l.password or "••••••••••••", id = "password" },
      button { self.shown and "Hide" or "Show", id = "show", on_click = function() self.shown = not self.shown end },
      text { l.old == 0 and "Never changed" or some(l.old, "earlier password"), id = "changed" } }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    storage.proposed = (storage.proposed or 40) + (saved and 0 or 7)
    self.proposal = saved and saved.proposal or "Pass-" .. storage.proposed * 7919 % 99991
  end,
  save = function(self, out) out.proposal = self.proposal end,
  keep = function(self, l)
    local name, user, password = trim(self:text("name")), trim(self:text("user")), trim(self:text("password"))
    if name == "" or password == "" then return toast("A login has a name and a password") end
    if not l then
      storage.next_id = storage.next_id + 1
      table.insert(storage.logins, { id = storage.next_id, name = name, user = user, password = password, old = 0 })
    else
      if l.password ~= password then l.old = l.old + 1 end
      l.name, l.user, l.password = name, user, password
    end
    self:finish()
  end,
  view = function(self)
    local l = self.intent.id and of(storage.logins, self.intent.id)
    return column { toolbar { l and "Edit login" or "New login", up = true, actions = { { "Save", id = "save", on_click = function() self:keep(l) end } } },
      field { id = "name", hint = "Name", text = l and l.name or "" },
      field { id = "user", hint = "User", text = l and l.user or storage.logins[1] and storage.logins[1].user or "" },
      field { id = "password", hint = "Password", text = l and l.password or self.proposal } }
  end,
}

activity "Bin" {
  view = function(self)
    return column { toolbar { "Bin", up = true },
      list { id = "binned", items = storage.bin, empty = text { "The bin is empty", id = "empty" },
        row = function(l, i)
          return row { text { l.name, id = "gone", weight = 1 }, image_button { desc = "Restore", id = "restore", on_click = function()
            table.insert(storage.logins, table.remove(storage.bin, i))
          end } }
        end } }
  end,
}

activity "Music" {
  view = function(self)
    return column { toolbar { "Music", up = true },
      text { playing and "Playing: " .. playing or "Nothing plays", id = "bar" },
      list { id = "songs", items = storage.songs, row = function(s)
        return row { text { s, id = "song", weight = 1 },
          image_button { desc = playing == s and "Pause" or "Play", id = "play", on_click = function() playing = playing ~= s and s or nil end } }
      end } }
  end,
}
