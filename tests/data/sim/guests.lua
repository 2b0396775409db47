-- Guests of a party: a list, a form that asks before it throws changes away, and a bug for each way of saving, leaving and coming back.
app { package = "org.test.guests", title = "Guests", main = "Main", 
  bugs = { "note_cleared", "earlier_each_time", "discard_keeps", "loud_forgotten", "gift_back", "counts_again",
    "undo_first", "sorted_edit", "ticks_lost", "note_alone" } }
local loud = false       -- gone with the process
local function guest(id) return (find(storage.guests, function(g) return g.id == id end)) end
activity "Main" {
  create = function(self)
    storage.guests = storage.guests or {
      { id = 1, name = "Wilma", hour = 19, note = "brings a cake" }, { id = 2, name = "Anton", hour = 18, note = "", child = true },
      { id = 3, name = "Greta", hour = 20, note = "has a dog" } }
  end,
  shown = function(self)
    local out = copy(storage.guests)
    if prefs.by_hour then table.sort(out, function(a, b) return a.hour < b.hour end) end
    return out
  end,
  menu = function(self) return {
    { "By hour", id = "by_hour", checked = prefs.by_hour or false, on_click = function() prefs.by_hour = not prefs.by_hour end },
    { "Gifts", id = "gifts", on_click = function() self:start("Gifts") end },
    { "Tasks", id = "tasks", on_click = function() self:start("Tasks") end },
    { "Settings", id = "settings", on_click = function() self:start("Settings") end } } end,
  uninvite = function(self, i, g)
    table.remove(storage.guests, i)
    storage.gone = storage.gone or {}
    table.insert(storage.gone, { guest = g, at = i })
    self:snackbar(g.name .. " does not come", "Undo", function()
      local last = table.remove(storage.gone, bug("undo_first") and 1 or nil)
      table.insert(storage.guests, math.min(last.at, #storage.guests + 1), last.guest)
    end)
  end,
  view = function(self)
    return column { toolbar { "Guests" },
      text { (storage.rung or 0) .. " times rung", id = "rung" },
      button { "Ring", id = "ring", on_click = function() self:start("Ring") end },
      list { id = "guests", items = self:shown(),
        row = function(g) return row { text { g.name, id = "name" }, text { "from " .. g.hour, id = "hour" }, g.child and text { "child", id = "mark" } } end,
        on_item_click = function(i, g) self:start("Edit", { id = (bug("sorted_edit") and storage.guests[i] or g).id }) end,
        on_item_long_click = function(_, g) self:uninvite(index_of(storage.guests, g), g) end } }
  end,
}
activity "Edit" {
  create = function(self, intent, saved) self.child = (saved or guest(intent.id)).child or false end,
  save = function(self, out) out.child = self.child end,
  leave = function(self)
    local g = guest(self.intent.id)
    if self:text("name") == g.name and self:text("note") == g.note and self.child == (g.child or false) then return self:finish() end
    self:dialog { title = "Discard the changes?", cancel = "Stay", ok = "Discard", on_ok = function()
      if bug("discard_keeps") then g.note = self:text("note") end
      self:finish()
    end }
  end,
  back = function(self) self:leave() return true end,
  store = function(self)
    local g = guest(self.intent.id)
    if trim(self:text("name")) == "" then return toast("Who?") end
    if bug("earlier_each_time") then g.hour = g.hour - 1 end
    local note = self:text("note")
    if bug("note_cleared") and note == g.note then note = "" end
    if bug("note_alone") and self:text("name") == g.name then note = g.note end
    g.name, g.note, g.child = self:text("name"), note, self.child
    self:finish()
  end,
  view = function(self)
    local g = guest(self.intent.id)
    return column { toolbar { "Guest", up = function() self:leave() end, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", text = g.name, max = 20 },
      field { id = "note", hint = "Note", text = g.note, max = 40 },
      check { "Child", id = "child", checked = self.child, on_change = function(on) self.child = on end } }
  end,
}
activity "Settings" {
  view = function(self)
    local on = prefs.loud
    if bug("loud_forgotten") then on = loud end
    return column { toolbar { "Settings", up = true },
      switch { "Loud", id = "loud", checked = on or false, on_change = function(to) prefs.loud = to loud = to end },
      switch { "Late", id = "late", checked = prefs.late or false, on_change = function(to) prefs.late = to end } }
  end,
}
activity "Tasks" {
  create = function(self, intent, saved) self.done = saved and saved.done or {} end,
  save = function(self, out) if not bug("ticks_lost") then out.done = self.done end end,
  view = function(self)
    return column { toolbar { "Tasks", up = true }, list { id = "tasks", items = { "Sweep", "Cook", "Lay the table" },
      row = function(t) return check { t, id = "task", checked = self.done[t] or false, on_change = function(on) self.done[t] = on end } end } }
  end,
}
activity "Ring" {
  create = function(self, intent, saved)
    if not saved or bug("counts_again") then storage.rung = (storage.rung or 0) + 1 end
  end,
  view = function(self) return column { toolbar { "It rings", up = true } } end,
}
activity "Gifts" {
  create = function(self)
    storage.gifts = storage.gifts or { "book", "ball", "kite", "drum" }
    self.gifts = bug("gift_back") and copy(storage.gifts) or storage.gifts
  end,
  view = function(self)
    return column { toolbar { "Gifts", up = true },
      button { "One more", id = "more", on_click = function()
        local name = "gift " .. #storage.gifts
        if #self.gifts > 8 then return end
        table.insert(self.gifts, name)
        if bug("gift_back") then table.insert(storage.gifts, name) end
      end },
      list { id = "gifts", items = self.gifts, row = function(g) return text { g, id = "gift" } end,
        on_item_click = function(i, g)
          self:dialog { title = "Give " .. g .. " away?", cancel = "Keep", ok = "Give", on_ok = function() table.remove(self.gifts, i) end }
        end } }
  end,
}
