-- A kiosk with a basket, offers, crates in crates, a till and two gifts. Each bug needs something that is seldom done by chance: a code that another page shows
-- is taken twice, a crate is made inside another one, a till is looked into before it is shut, the process dies while the second of two gifts is chosen.
app { package = "org.test.kiosk", title = "Kiosk", main = "Main",
  bugs = { "code_twice", "crate_outside", "till_open", "gift_slot" },
  application = function()
    if storage.basket then return end
    storage.basket, storage.off, storage.used = {}, 0, {}
    storage.crates = { { id = 1, name = "Yard", parent = 0 }, { id = 2, name = "Fruit", parent = 1 }, { id = 3, name = "Paper", parent = 1 } }
    storage.next_id = 4
    storage.shut, storage.gifts = false, {}
  end,
}
local GOODS = { { "Apples", 8 }, { "Honey", 12 }, { "Candles", 20 } }
local CODES = { SUMMER7 = 20 }

activity "Main" {
  view = function(self)
    return column {
      toolbar { "Kiosk" },
      button { "Basket", id = "basket", on_click = function() self:start("Basket") end },
      button { "Goods", id = "goods", on_click = function() self:start("Goods") end },
      button { "Offers", id = "offers", on_click = function() self:start("Offers") end },
      button { "Crates", id = "crates", on_click = function() self:start("Crates") end },
      button { "Till", id = "till", on_click = function() self:start("Till") end },
      button { "Gifts", id = "gifts", on_click = function() self:start("Gifts") end },
    }
  end,
}

activity "Offers" {
  view = function(self)
    return column { toolbar { "Offers", up = true }, text { "This week: SUMMER7 on all goods", id = "offer" }, text { "Closed on MONDAYS", id = "hours" } }
  end,
}

activity "Goods" {
  view = function(self)
    return column { toolbar { "Goods", up = true },
      list { id = "all_goods", items = GOODS,
        row = function(g) return row { text { g[1], id = "good", weight = 1 }, text { "$" .. g[2], id = "price" } } end,
        on_item_click = function(_, g) table.insert(storage.basket, { name = g[1], price = g[2] }) end } }
  end,
}

activity "Basket" {
  redeem = function(self, word)
    local off = CODES[word]
    if not off then return toast("Nobody knows that") end
    if storage.used[word] and not bug("code_twice") then return toast("Taken already") end
    storage.used[word] = true
    storage.off = storage.off + off
  end,
  menu = function(self)
    return { { "Promotion", id = "promotion", on_click = function()
      self:set_text("word", "")
      self:dialog { title = "Promotion", cancel = "Cancel", ok = "Take",
        view = function() return column { field { id = "word", hint = "From the leaflet" } } end,
        on_ok = function() self:redeem(trim(self:text("word"))) end }
    end } }
  end,
  view = function(self)
    local sum = 0
    for _, line in ipairs(storage.basket) do sum = sum + line.price end
    return column { toolbar { "Basket", up = true },
      list { id = "lines", items = storage.basket, empty = text { "Nothing yet", id = "empty" },
        row = function(l) return row { text { l.name, id = "line", weight = 1 }, text { "$" .. l.price, id = "line_price" } } end },
      text { "To pay: $" .. math.max(0, sum - sum * storage.off // 100), id = "sum" } }
  end,
}

activity "Crates" {
  create = function(self, intent, saved) self.at = saved and saved.at or 1 end,
  save = function(self, out) out.at = self.at end,
  ask_new = function(self)
    self:set_text("crate_name", "")
    self:dialog { title = "New crate", cancel = "Cancel", ok = "Make",
      view = function() return column { field { id = "crate_name", hint = "Name" } } end,
      on_ok = function()
        local name = trim(self:text("crate_name"))
        if name == "" then return true end
        table.insert(storage.crates, { id = storage.next_id, name = name, parent = bug("crate_outside") and 1 or self.at })
        storage.next_id = storage.next_id + 1
      end }
  end,
  back = function(self)
    if self.at == 1 then return self:finish() end
    self.at = find(storage.crates, function(c) return c.id == self.at end).parent
    return true
  end,
  view = function(self)
    local here = find(storage.crates, function(c) return c.id == self.at end)
    return column { toolbar { here.name, up = true },
      list { id = "crate_list", items = filter(storage.crates, function(c) return c.parent == self.at end), empty = text { "Empty", id = "empty" },
        row = function(c) return text { c.name, id = "crate" } end,
        on_item_click = function(_, c) self.at = c.id end },
      fab { "New crate", id = "new_crate", on_click = function() self:ask_new() end } }
  end,
}

activity "Till" {
  create = function(self, intent, saved) self.seen = saved and saved.seen or false end,
  save = function(self, out) out.seen = self.seen end,
  view = function(self)
    local hidden = storage.shut and not self.seen
    return column { toolbar { "Till", up = true },
      text { storage.shut and "Shut" or "Open", id = "state" },
      button { storage.shut and "Open it" or "Shut it", id = "shut", on_click = function()
        storage.shut = not storage.shut
        if storage.shut and not bug("till_open") then self.seen = false end
      end },
      not hidden and list { id = "notes", items = { "Float", "Takings" }, row = function(n) return text { n, id = "note" } end,
        on_item_click = function(_, n)
          self.seen = true
          self:start("Count", { title = n })
        end } }
  end,
}

activity "Count" {
  view = function(self) return column { toolbar { self.intent.title or "Count", up = true }, text { "$140", id = "amount" } } end,
}

activity "Gifts" {
  choose = function(self, slot)
    self.slot = slot
    self:start_for_result("Choose", slot)
  end,
  create = function(self, intent, saved) self.slot = saved and saved.slot end,
  save = function(self, out) if not bug("gift_slot") then out.slot = self.slot end end,
  result = function(self, request, data) if data then storage.gifts[self.slot or 1] = data.name end end,
  view = function(self)
    return column { toolbar { "Gifts", up = true },
      text { "Big: " .. (storage.gifts[1] or "none"), id = "big_gift" }, button { "Choose big", id = "choose_big", on_click = function() self:choose(1) end },
      text { "Small: " .. (storage.gifts[2] or "none"), id = "small_gift" }, button { "Choose small", id = "choose_small", on_click = function() self:choose(2) end } }
  end,
}

activity "Choose" {
  view = function(self)
    return column { toolbar { "Choose", up = true },
      list { id = "choices", items = { "Card", "Ribbon", "Box" }, row = function(n) return text { n, id = "choice" } end,
        on_item_click = function(_, n) self:finish({ name = n }) end } }
  end,
}
