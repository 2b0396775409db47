-- Ledger: expenses with a search, a filter, a star and a plan of what is due.
-- Each bug is of the kind that shows only where things are done in another place, order or view than usual.
app { package = "org.norn.ledger", title = "Ledger", main = "Main",
  bugs = { "total_unfiltered", "copy_stays", "star_dropped", "swipe_by_place", "tick_turns" },
  application = function()
    if storage.entries then return end
    storage.entries = {
      { id = 1, name = "Bakery", kind = "Food", amount = 12, star = true }, { id = 2, name = "Tram", kind = "Travel", amount = 30 },
      { id = 3, name = "Market", kind = "Food", amount = 25 }, { id = 4, name = "Cinema", kind = "Fun", amount = 18 } }
    storage.plan = { { id = 1, name = "Bakery" }, { id = 3, name = "Market" }, { id = 4, name = "Cinema" } }
  end }

local function entry(id) return find(storage.entries, function(e) return e.id == id end) end

activity "Main" {
  create = function(self, intent, saved)
    self.kind, self.query = saved and saved.kind, saved and saved.query or ""
  end,
  save = function(self, out) out.kind, out.query = self.kind, self.query end,
  found = function(self) return filter(storage.entries, function(e) return contains(e.name:lower(), self.query:lower()) end) end,
  shown = function(self) return filter(self:found(), function(e) return not self.kind or e.kind == self.kind end) end,
  total = function(self)
    local sum = 0
    for _, e in ipairs(bug("total_unfiltered") and self:found() or self:shown()) do sum = sum + e.amount end
    return sum
  end,
  ask_kind = function(self)
    self:dialog { title = "Show", items = { "All", "Food", "Travel", "Fun" },
      on_item = function(i) self.kind = ({ false, "Food", "Travel", "Fun" })[i] or nil end }
  end,
  drop = function(self, e)
    local i = index_of(storage.entries, e)
    table.remove(storage.entries, i)
    local planned, at = find(storage.plan, function(p) return p.id == e.id end)
    if planned then table.remove(storage.plan, at) end
    self:snackbar(e.name .. " deleted", "Undo", function()
      table.insert(storage.entries, math.min(i, #storage.entries + 1), e)
      if planned then table.insert(storage.plan, math.min(at, #storage.plan + 1), planned) end
    end)
  end,
  menu = function(self) return { { "Plan", id = "open_plan", on_click = function() self:start("Plan") end } } end,
  view = function(self)
    return column {
      toolbar { "Ledger", actions = { { "Filter", id = "filter", on_click = function() self:ask_kind() end } } },
      field { id = "query", hint = "Search", text = self.query, on_change = function(s) self.query = s end },
      self.kind and text { "Only " .. self.kind, id = "chip" } or nil,
      text { "Total " .. self:total(), id = "total" },
      list { id = "entries", items = self:shown(),
        row = function(e) return row { text { e.name, id = "name" }, text { tostring(e.amount), id = "amount" }, text { e.star and "*" or "-", id = "star" } } end,
        on_item_click = function(_, e) self:start("Edit", { id = e.id }) end,
        on_item_swipe = function(i, direction)
          local e = (bug("swipe_by_place") and storage.entries or self:shown())[i]
          if direction == "left" and e then self:drop(e) end
        end },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.paid, self.private, self.split = saved.paid, saved.private, saved.split
  end,
  save = function(self, out)
    out.private, out.split = self.private, self.split
    if not bug("tick_turns") then out.paid = self.paid end
  end,
  store = function(self)
    local e = entry(self.intent.id)
    e.name = self:text("entry_name")
    if bug("star_dropped") then e.star = nil end
    for _, p in ipairs(storage.plan) do
      if p.id == e.id and not bug("copy_stays") then p.name = e.name end
    end
    self:finish()
  end,
  view = function(self)
    local e = entry(self.intent.id)
    return column { toolbar { "Entry", up = true },
      field { id = "entry_name", hint = "Name", text = e.name, max = 20 },
      check { "Private", id = "private", checked = self.private == true, on_change = function(on) self.private = on end },
      check { "Split", id = "split", checked = self.split == true, on_change = function(on) self.split = on end },
      check { "Paid", id = "paid", checked = self.paid == true, on_change = function(on) self.paid = on end },
      button { "Save", id = "save", on_click = function() self:store() end } }
  end,
}

activity "Plan" {
  view = function(self)
    return column { toolbar { "Plan", up = true },
      list { id = "planned", items = storage.plan, row = function(p) return text { p.name, id = "due" } end } }
  end,
}
