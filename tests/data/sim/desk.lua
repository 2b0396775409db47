-- Desk: letters that are searched, filtered, ticked and edited in place.
-- Each bug is of the kind that shows only where a list is shown in two ways at once, or where something is begun and cancelled.
app { package = "org.norn.desk", title = "Desk", main = "Main",
  bugs = { "kind_drops_search", "kind_outlives", "capitals", "ticks_drop", "edit_stays" },
  application = function()
    if storage.letters then return end
    storage.letters = {
      { id = 1, name = "Notary", kind = "Office" }, { id = 2, name = "Landlord", kind = "Office" }, { id = 3, name = "Cousin", kind = "Family" },
      { id = 4, name = "Grandma", kind = "Family" }, { id = 5, name = "Library", kind = "Town" }, { id = 6, name = "Mayor", kind = "Town" } }
  end }

local KINDS = { "All kinds", "Office", "Family", "Town" }
local function matching(query, kind)
  return filter(storage.letters, function(l)
    return contains(l.name:lower(), trim(query):lower()) and (kind == 1 or l.kind == KINDS[kind])
  end)
end
local function letter_row(l) return row { text { l.name, id = "name" }, text { l.kind, id = "kind" } } end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.query, self.kind, self.editing = saved.query or "", saved.kind or 1, saved.editing
  end,
  save = function(self, out) out.query, out.kind, out.editing = self.query, self.kind, self.editing end,
  menu = function(self)
    return { { "Find", id = "find", on_click = function() self:start("Find") end }, { "Send", id = "send", on_click = function() self:start("Send") end },
      { "Bin", id = "bin", on_click = function() self:start("Bin") end } }
  end,
  done = function(self, kept)
    self.editing = nil
    if not kept then self:set_text("title", "") end
  end,
  view = function(self)
    return column { toolbar { "Desk" },
      field { id = "query", hint = "Search", text = self.query, on_change = function(s) self.query = s end },
      spinner { id = "kinds", items = KINDS, selected = self.kind, on_change = function(i)
        self.kind = i
        if bug("kind_drops_search") then self.query = "" end
      end },
      list { id = "letters", weight = 1, items = matching(self.query, self.kind), empty = text { "Nothing", id = "empty" }, row = letter_row,
        on_item_click = function(_, l)
          self.editing = l.id
          self:set_text("title", l.name)
        end },
      row { self.editing and button { "Cancel", id = "cancel", on_click = function() self:done(bug("edit_stays")) end } or nil,
        self.editing and button { "Rename", id = "rename", on_click = function()
          local name = trim(self:text("title"))
          if name ~= "" then find(storage.letters, function(l) return l.id == self.editing end).name = name end
          self:done()
        end } or nil,
        field { id = "title", hint = "New name", weight = 1 } },
    }
  end,
}

-- Lists nothing until something is looked for.
activity "Find" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  view = function(self)
    local found = trim(self.query) == "" and {} or filter(storage.letters, function(l)
      if bug("capitals") then return contains(l.name, trim(self.query)) end
      return contains(l.name:lower(), trim(self.query):lower())
    end)
    return column { toolbar { "Find", up = true },
      field { id = "words", hint = "Find a letter", on_change = function(s) self.query = s end },
      list { id = "found", items = found, row = letter_row } }
  end,
}

-- Some of them are ticked and sent.
activity "Send" {
  create = function(self, intent, saved) self.query, self.ticked = saved and saved.query or "", saved and saved.ticked or {} end,
  save = function(self, out) out.query, out.ticked = self.query, self.ticked end,
  view = function(self)
    return column { toolbar { "Send", up = true },
      field { id = "receiver", hint = "Search", text = self.query, on_change = function(s)
        self.query = s
        if bug("ticks_drop") then self.ticked = {} end
      end },
      list { id = "to_send", items = matching(self.query, 1), row = function(l)
        return row { text { l.name, id = "name", weight = 1 }, check { id = "tick", desc = "Send", checked = index_of(self.ticked, l.id) ~= nil,
          on_change = function()
            local i = index_of(self.ticked, l.id)
            if i then table.remove(self.ticked, i) else table.insert(self.ticked, l.id) end
          end } }
      end } }
  end,
}

-- The order is chosen anew with every search; with the bug what was filtered by kind stays filtered.
activity "Bin" {
  create = function(self, intent, saved) self.query, self.kind, self.hidden = saved and saved.query or "", saved and saved.kind or 1, saved and saved.hidden or 1 end,
  save = function(self, out) out.query, out.kind, out.hidden = self.query, self.kind, self.hidden end,
  view = function(self)
    return column { toolbar { "Bin", up = true },
      field { id = "thrown", hint = "Search", text = self.query, on_change = function(s)
        self.query, self.kind = s, 1
        if not bug("kind_outlives") then self.hidden = 1 end
      end },
      spinner { id = "thrown_kinds", items = KINDS, selected = self.kind, on_change = function(i) self.kind, self.hidden = i, i end },
      list { id = "thrown_letters", items = matching(self.query, self.hidden), empty = text { "Nothing", id = "empty" }, row = letter_row } }
  end,
}
