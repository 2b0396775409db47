-- No bug: tabs that count their own lists as far as they are shown, and a form for something new that begins like the last one, but for what is usual.
app { package = "org.norn.columns", title = "Columns", main = "Board" }

local columns = { "To do", "Doing", "Done" }

local function start()
  storage.cards = {
    { id = 1, title = "Paint the fence", hours = "3", owner = "Ann", place = "Home", column = 1 }, { id = 2, title = "Call the bank", hours = "1", owner = "Bob", place = "Home", column = 1 },
    { id = 3, title = "Essay outline", hours = "5", owner = "Ann", place = "Home", column = 1 }, { id = 4, title = "Fix the tap", hours = "2", owner = "Ann", place = "Home", column = 2 },
    { id = 5, title = "Book a dentist", hours = "1", owner = "Bob", place = "Home", column = 2 }, { id = 6, title = "Water plants", hours = "4", owner = "Ann", place = "Home", column = 3 },
  }
  storage.next, storage.owner, storage.place = 7, "Ann", "Home"
end

local whose = { "Everybody's", "Ann's", "Bob's", "Short ones" }

local function in_column(k, only)
  local out = {}
  for _, c in ipairs(storage.cards) do
    local shown = only == 1 or only == 4 and tonumber(c.hours) and tonumber(c.hours) < 3 or only == 2 and c.owner == "Ann" or only == 3 and c.owner == "Bob"
    if c.column == k and shown then table.insert(out, c) end end
  return out
end

local function by_id(id)
  for _, c in ipairs(storage.cards) do if c.id == id then return c end end
end

activity "Board" {
  create = function(self, intent, saved)
    if not storage.cards then start() end
    self.tab, self.only = saved and saved.tab or 1, saved and saved.only or 1
  end,
  save = function(self, out) out.tab, out.only = self.tab, self.only end,
  view = function(self)
    local titles = {}
    for k, name in ipairs(columns) do titles[k] = name .. " (" .. #in_column(k, self.only) .. ")" end
    return column { toolbar { "Columns" },
      tabs { id = "columns", titles = titles, selected = self.tab, on_change = function(i) self.tab = i end },
      spinner { id = "only", items = whose, selected = self.only, on_change = function(i) self.only = i end },
      list { id = "cards", weight = 1, items = in_column(self.tab, self.only),
        row = function(c) return row { text { c.title, id = "title" }, text { c.hours .. " h", id = "hours" } } end,
        on_item_click = function(_, c) self:start("Card", { id = c.id }) end,
        on_item_long_click = function(_, c)
          local entries = {}
          for k, name in ipairs(columns) do
            if k ~= c.column then table.insert(entries, { "Move to " .. name, id = "move_" .. k, on_click = function() c.column = k end }) end
          end
          self:popup(entries)
        end },
      button { "Add a card", id = "add", on_click = function() self:start("Card", {}) end } }
  end,
}

activity "Card" {
  create = function(self, intent, saved)
    local c = intent.id and by_id(intent.id)
    self.title = saved and saved.title or c and c.title or ""
    self.hours = saved and saved.hours or c and c.hours or "8"
    self.owner = saved and saved.owner or c and c.owner or storage.owner
    self.place = saved and saved.place or c and c.place or storage.place
  end,
  save = function(self, out) out.title, out.hours, out.owner, out.place = self.title, self.hours, self.owner, self.place end,
  view = function(self)
    return column { toolbar { self.intent.id and "Card" or "New card", up = true },
      field { id = "name", hint = "Title", text = self.title, on_change = function(t) self.title = t end },
      field { id = "hours_field", hint = "Hours", text = self.hours, on_change = function(t) self.hours = t end },
      field { id = "owner_field", hint = "Owner", text = self.owner, on_change = function(t) self.owner = t end },
      field { id = "place_field", hint = "Place", text = self.place, on_change = function(t) self.place = t end },
      button { "Save", id = "save", on_click = function()
        local c = self.intent.id and by_id(self.intent.id)
        if not c then
          c = { id = storage.next, column = 1 }
          storage.next = storage.next + 1
          table.insert(storage.cards, c)
        end
        c.title, c.hours = self.title == "" and "Untitled " .. c.id or self.title, self.hours
        c.owner, c.place, storage.owner, storage.place = self.owner, self.place, self.owner, self.place
        self:finish()
      end } }
  end,
}
