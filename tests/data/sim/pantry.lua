-- A pantry: what is there, with a search, and the same on a page of its own. With bugs, a search overlooks what has run out; the other page misses some
-- amounts.
app { package = "org.norn.pantry", title = "Pantry", main = "Main", bugs = { "overlooked", "old_amount" } }

local START = { { "Flour", 5 }, { "Sugar", 3 }, { "Salt", 6 }, { "Beans", 0 }, { "Rice", 4 }, { "Honey", 2 }, { "Yeast", 1 } }

activity "Main" {
  create = function(self, intent, saved)
    if not storage.goods then
      storage.goods = {}
      for i, g in ipairs(START) do storage.goods[i] = { name = g[1], amount = g[2], counted = g[2] } end
    end
    self.words = ""
  end,
  found = function(self, g)
    if bug("overlooked") and g.amount == 0 and self.words ~= "" then return false end
    return contains(g.name:lower(), self.words:lower())
  end,
  more = function(self, g)
    g.amount = g.amount + 1
    if not bug("old_amount") or g.amount % 7 > 0 then g.counted = g.amount end
  end,
  view = function(self)
    return column {
      toolbar { "Pantry", actions = { { "Shelf", id = "shelf", on_click = function() self:start("Shelf") end } } },
      field { id = "words", hint = "Search", on_change = function(t) self.words = trim(t) end },
      list { id = "goods", items = filter(storage.goods, function(g) return self:found(g) end), empty = text { "Nothing", id = "empty" },
        row = function(g) return row { text { g.name, id = "name", weight = 1 }, text { tostring(g.amount), id = "amount" } } end,
        on_item_click = function(_, g) self:more(g) end },
    }
  end,
}

activity "Shelf" {
  view = function(self)
    return column {
      toolbar { "Shelf", up = true },
      list { id = "shelf", items = storage.goods,
        row = function(g) return row { text { g.name, id = "label", weight = 1 }, text { tostring(g.counted), id = "pieces" } } end },
    }
  end,
}
