-- Tickets of three sizes and what they cost. With the bug, what was computed once is shown until the app is started anew.
app { package = "org.norn.tickets", title = "Tickets", main = "Main", bugs = { "old_price" } }

local PRICES = { Child = 4, Adult = 9, Group = 25 }
local known

activity "Main" {
  view = function(self)
    storage.size = storage.size or "Adult"
    return column {
      toolbar { "Tickets" },
      text { "For: " .. storage.size, id = "size" },
      each({ "Child", "Adult", "Group" }, function(s)
        return button { s, id = "to_" .. s:lower(), on_click = function() storage.size = s end }
      end),
      button { "Price", id = "price", on_click = function() self:start("Price") end },
      button { "About", id = "about", on_click = function() self:start("About") end },
    }
  end,
}

activity "Price" {
  create = function(self)
    if not bug("old_price") or not known then known = PRICES[storage.size] end
  end,
  view = function(self)
    return column { toolbar { "Price", up = true }, text { "Costs " .. (known or 0), id = "cost" } }
  end,
}

activity "About" {
  view = function(self)
    return column { toolbar { "About", up = true }, text { "Sold at the gate", id = "what" } }
  end,
}
