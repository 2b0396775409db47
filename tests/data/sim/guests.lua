-- Guests of a party: a list, a form that asks before it throws changes away, and a bug for each way of saving, leaving and coming back.
app { package = "org.test.guests", title = "Guests", main = "Main", bugs = { "note_cleared", "earlier_each_time", "discard_keeps" } }
local function guest(id) return (find(storage.guests, function(g) return g.id == id end)) end
activity "Main" {
  create = function(self)
    storage.guests = storage.guests or {
      { id = 1, name = "Wilma", hour = 19, note = "brings a cake" }, { id = 2, name = "Anton", hour = 18, note = "", child = true },
      { id = 3, name = "Greta", hour = 20, note = "has a dog" } }
  end,
  view = function(self)
    return column { toolbar { "Guests" },
      list { id = "guests", items = storage.guests,
        row = function(g) return row { text { g.name, id = "name" }, text { "from " .. g.hour, id = "hour" }, g.child and text { "child", id = "mark" } } end,
        on_item_click = function(_, g) self:start("Edit", { id = g.id }) end } }
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
