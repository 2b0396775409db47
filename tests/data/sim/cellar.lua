-- Bottles, what they are worth, and how many go to a table. Each bug breaks what people expect of any list: a search that is cleared is still on, one letter is not looked for, a bottle stays under a
-- filter it no longer fits, another row is deleted than the one selected, a new row is not put in order, one page keeps the old currency, a name is changed in one place only, a worth
-- is not taken off, one row of several is not counted anew.
app { package = "org.norn.cellar", title = "Cellar", main = "Main",
  bugs = { "search_kept", "search_short", "old_filter", "other_row", "late_row", "old_sign", "old_name", "worth_kept", "last_row" } }

local KINDS = { "Red", "White", "Cider" }
local signs = { "$", "£" }
local sign_then           -- as it was when the process began

local function sign() return signs[storage.sign or 1] end
local function worth(b) return b.bottles * b.price end

activity "Main" {
  create = function(self, intent, saved)
    storage.all = storage.all or { { id = 1, name = "Barolo", kind = "Red", bottles = 6, price = 30 }, { id = 2, name = "Riesling", kind = "White", bottles = 12, price = 9 },
      { id = 3, name = "Merlot", kind = "Red", bottles = 3, price = 14 }, { id = 4, name = "Pommeau", kind = "Cider", bottles = 2, price = 21 } }
    storage.next, storage.worth, storage.best = storage.next or 5, storage.worth or 372, storage.best or "Barolo"
    sign_then = sign_then or sign()
    self.query, self.kind, self.order, self.picked, self.seen = "", nil, nil, {}, {}
    if saved then self.query, self.kind, self.order = saved.query, saved.kind, saved.order end
  end,
  save = function(self, out) out.query, out.kind, out.order = self.query, self.kind, self.order end,
  fits = function(self, b)
    local q = self.query:lower()
    if bug("search_short") and #q > 3 then q = q:sub(1, -2) end
    local kept = bug("old_filter") and index_of(self.seen, b.id)
    return (not self.kind or b.kind == self.kind or kept) and contains(b.name:lower(), q)
  end,
  shown = function(self)
    local out = filter(storage.all, function(b) return self:fits(b) end)
    local late
    if bug("late_row") and storage.newest then
      local _, i = find(out, function(b) return b.id == storage.newest end)
      if i and self.order then late = table.remove(out, i) end
    end
    if self.order == "price" then table.sort(out, function(a, b) return a.price < b.price or (a.price == b.price and a.id < b.id) end) end
    if self.order == "name" then table.sort(out, function(a, b) return a.name:lower() < b.name:lower() end) end
    if late then table.insert(out, late) end
    return out
  end,
  choose = function(self, kind)
    self.kind, self.seen = kind, {}
    self.seen = each(self:shown(), function(b) return b.id end)
  end,
  drop = function(self)
    local shown, gone = self:shown(), {}
    for i, b in ipairs(shown) do
      if index_of(self.picked, b.id) then table.insert(gone, bug("other_row") and self.kind and storage.all[i] or b) end
    end
    for _, b in ipairs(gone) do
      local k = index_of(storage.all, b)
      if k then table.remove(storage.all, k) end
      if not bug("worth_kept") then storage.worth = storage.worth - worth(b) end
    end
    self.picked = {}
  end,
  menu = function(self)
    return {
      { "By name", id = "by_name", on_click = function() self.order = "name" end },
      { "By price", id = "by_price", on_click = function() self.order = "price" end },
      { "Worth", id = "open_worth", on_click = function() self:start("Worth") end },
      { "Table", id = "open_table", on_click = function() self:start("Table") end },
      { "Money", id = "open_money", on_click = function() self:start("Money") end },
    }
  end,
  pick = function(self, b)
    local i = index_of(self.picked, b.id)
    if i then table.remove(self.picked, i) else table.insert(self.picked, b.id) end
  end,
  view = function(self)
    local names = { "All" }
    for _, k in ipairs(KINDS) do table.insert(names, k) end
    local at = self.kind and index_of(KINDS, self.kind)
    return column {
      toolbar { "Cellar" },
      row { field { id = "search", hint = "Search", weight = 2, text = self.query, on_change = function(t) self.query = trim(t) end },
        image_button { id = "clear", desc = "Clear", width = 144, height = 144, on_click = function()
          self:set_text("search", "")
          if not bug("search_kept") then self.query = "" end
        end },
        spinner { id = "filter", items = names, selected = at and at + 1 or 1, weight = 1, on_change = function(i) self:choose(i > 1 and KINDS[i - 1] or nil) end } },
      #self.picked > 0 and button { "Drop what is selected", id = "drop", on_click = function() self:drop() end },
      list { id = "bottles", items = self:shown(), empty = text { "Nothing", id = "none" },
        row = function(b)
          return row { #self.picked > 0 and check { "", id = "picked", checked = index_of(self.picked, b.id) ~= nil, on_change = function() self:pick(b) end },
            text { b.name, id = "name", weight = 1 }, text { b.kind, id = "kind" }, text { sign() .. b.price, id = "price" } }
        end,
        on_item_click = function(_, b) self:start("Bottle", { id = b.id }) end,
        on_item_long_click = function(_, b) self:pick(b) end },
      fab { id = "add", desc = "New bottle", on_click = function() self:start("Bottle") end },
    }
  end,
}

activity "Bottle" {
  create = function(self, intent)
    self.b = intent.id and find(storage.all, function(b) return b.id == intent.id end)
    self.kind = self.b and self.b.kind or KINDS[1]
  end,
  store = function(self)
    local name, price = trim(self:text("bottle_name")), math.tointeger(tonumber(self:text("bottle_price")))
    if name == "" or not price then return toast("A name and a price in whole coins, please") end
    local b = self.b
    if b then
      storage.worth = storage.worth - worth(b)
      if storage.best == b.name and not bug("old_name") then storage.best = name end
    else
      b = { id = storage.next, bottles = 1 }
      storage.next, storage.newest = storage.next + 1, storage.next
      table.insert(storage.all, b)
    end
    b.name, b.price, b.kind = name, price, self.kind
    storage.worth = storage.worth + worth(b)
    self:hide_keyboard() self:finish()
  end,
  view = function(self)
    local b = self.b
    return column {
      toolbar { b and "Change" or "New bottle", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "bottle_name", hint = "Name", text = b and b.name or "" },
      field { id = "bottle_price", hint = "Price", input = "number", text = b and tostring(b.price) or "" },
      spinner { id = "bottle_kind", items = KINDS, selected = index_of(KINDS, self.kind), on_change = function(_, k) self.kind = k end },
      button { "This is the best", id = "best", enabled = b ~= nil, on_click = function() storage.best = b.name end },
    }
  end,
}

activity "Worth" {
  view = function(self)
    return column { toolbar { "Worth", up = true }, text { "All of it: " .. (bug("old_sign") and sign_then or sign()) .. storage.worth, id = "worth" },
      text { "The best: " .. storage.best, id = "best" } }
  end,
}

activity "Table" {
  create = function(self) self.guests = 4 end,
  view = function(self)
    local shown = storage.all
    return column { toolbar { "Table", up = true }, text { self.guests .. " guests", id = "guests" },
      row { button { "Fewer", id = "fewer", enabled = self.guests > 2, on_click = function() self.guests = self.guests - 2 end },
        button { "More", id = "more", enabled = self.guests < 12, on_click = function() self.guests = self.guests + 2 end } },
      list { id = "glasses", items = shown, row = function(b, i)
        local guests = bug("last_row") and i == #shown and 4 or self.guests
        return row { text { b.name, id = "wine", weight = 1 }, text { guests * (i + 1) * 3 .. " cl", id = "glass" } }
      end } }
  end,
}

activity "Money" {
  view = function(self)
    return column { toolbar { "Money", up = true }, radios { id = "sign", items = { "Dollar", "Pound" }, selected = storage.sign or 1, on_change = function(i) storage.sign = i end } }
  end,
}
