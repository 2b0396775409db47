-- Errands with a place and a day, a basket, steps in an order of one's own, an inbox and timetables from a
-- server. Each bug breaks what two ways of doing the same should agree on.
app { package = "org.norn.errands", title = "Errands", main = "Main",
  bugs = { "small_last", "day_stays", "refused", "old_place", "every_second", "down_two", "opened_goes", "other_line",
    "form_kept", "search_deleted", "coupon_stays", "takes_first" },
  server = function(request)
    local lines = { Tram = { "Zoo 9:10", "Quay 9:25", "Mill 9:40" }, Ferry = { "Isle 10:00", "Cape 13:30" }, Night = { "Depot 23:55" } }
    return lines[request.path:sub(2)]
  end,
  application = function()
    if storage.errands then return end
    storage.next_id = 10
    storage.counts = { Town = 3, Home = 2, Work = 1 }
    storage.errands = {}
    for i, e in ipairs { { "Bakery", "Town", "4 March", "" }, { "Curtains", "Home", "", "Blue ones" }, { "Dentist", "Town", "12 March", "" },
      { "Keys", "Work", "", "" }, { "Parcel", "Town", "6 March", "Upstairs" }, { "Window", "Home", "9 March", "" } } do
      table.insert(storage.errands, { id = i, name = e[1], place = e[2], day = e[3], note = e[4] })
    end
    storage.basket = {}
    for i, name in ipairs { "Apples", "Bread", "Cheese", "Dates", "Eggs" } do
      table.insert(storage.basket, { name = name, bought = i == 2 or i == 3 or i == 5 })
    end
    storage.steps = { "Pack", "Lock up", "Post letters", "Catch the tram", "Fetch the bike", "Ride home" }
    storage.bin = {}
    storage.inbox = { "From Ada", "From Ben", "From Cleo", "From Dora" }
  end }

local PLACES = { "Town", "Home", "Work" }
local function errand_of(id) return (find(storage.errands, function(e) return e.id == id end)) end
local function order(name) return bug("small_last") and name or name:lower() end
local function sorted_errands()
  local out = filter(storage.errands, function() return true end)
  table.sort(out, function(a, b) return order(a.name) < order(b.name) end)
  return out
end

activity "Main" {
  menu = function(self)
    return { { "Places", id = "places", on_click = function() self:start("Places") end },
      { "Basket", id = "basket", on_click = function() self:start("Basket") end },
      { "Steps", id = "steps", on_click = function() self:start("Steps") end },
      { "Inbox", id = "inbox", on_click = function() self:start("Inbox") end },
      { "Lines", id = "lines", on_click = function() self:start("Lines") end } }
  end,
  view = function(self)
    return column { toolbar { "Errands" },
      list { id = "errands", items = sorted_errands(), empty = text { "Nothing to do", id = "none" },
        row = function(e)
          return row { text { e.name, id = "name", weight = 1 },
            text { e.place .. (e.paused and ", paused" or ""), id = "line" } }
        end,
        on_item_click = function(_, e) self:start("Errand", { id = e.id }) end,
        on_item_long_click = function(_, e)
          self:popup { { e.paused and "Go on" or "Pause", id = "pause", on_click = function() e.paused = not e.paused end } }
        end },
      fab { id = "add", desc = "New errand", on_click = function() self:start("New") end },
    }
  end,
}

local last = { "", "" }
activity "New" {
  view = function(self)
    return column { toolbar { "New errand", up = true, actions = { { "Save", id = "save", on_click = function()
        local name, note = trim(self:text("new_name")), trim(self:text("new_note"))
        if name == "" then return toast("An errand has a name") end
        storage.next_id = storage.next_id + 1
        table.insert(storage.errands, { id = storage.next_id, name = name, place = "Town", day = "", note = note })
        storage.counts.Town = storage.counts.Town + 1
        if bug("form_kept") then last = { name, note } end
        self:finish()
      end } } },
      field { id = "new_name", hint = "What", text = last[1] },
      field { id = "new_note", hint = "Note", text = last[2] } }
  end,
}

activity "Errand" {
  create = function(self, intent, saved)
    local e = errand_of(intent.id)
    self.place = saved and saved.place or index_of(PLACES, e.place)
  end,
  save = function(self, out) out.place = self.place end,
  keep = function(self)
    local e, name = errand_of(self.intent.id), trim(self:text("errand"))
    if name == "" then return toast("An errand has a name") end
    local day, note, place = trim(self:text("day")), trim(self:text("note")), PLACES[self.place]
    local changed = name ~= e.name or day ~= e.day or note ~= e.note or place ~= e.place
    if bug("refused") and not changed then return toast("Nothing to save") end
    if place ~= e.place then
      storage.counts[place] = storage.counts[place] + 1
      if not bug("old_place") then storage.counts[e.place] = storage.counts[e.place] - 1 end
    end
    e.name, e.note, e.place = name, note, place
    if day ~= "" or not bug("day_stays") then e.day = day end
    self:finish()
  end,
  view = function(self)
    local e = errand_of(self.intent.id)
    return column { toolbar { "Errand", up = true, actions = { { "Save", id = "save", on_click = function() self:keep() end } } },
      field { id = "errand", hint = "What", text = e.name },
      field { id = "day", hint = "Day", text = e.day },
      field { id = "note", hint = "Note", text = e.note },
      spinner { id = "place", items = PLACES, selected = self.place, on_change = function(i) self.place = i end } }
  end,
}

activity "Places" {
  view = function(self)
    return column { toolbar { "Places", up = true },
      list { id = "places", items = PLACES, row = function(p)
        return row { text { p, id = "place_name", weight = 1 }, text { storage.counts[p] .. " to do", id = "to_do" } } end } }
  end,
}

activity "Basket" {
  create = function(self, _, saved) self.coupon = saved and saved.coupon or 0 end,
  save = function(self, out) out.coupon = self.coupon end,
  bought = function(self) return #filter(storage.basket, function(t) return t.bought end) end,
  menu = function(self)
    return { { "Start over", id = "start_over", on_click = function()
      for _, t in ipairs(storage.basket) do t.bought = false end
      if not bug("coupon_stays") then self.coupon = 0 end
    end }, { "Remove bought", id = "remove_bought", on_click = function()
      if bug("takes_first") then table.remove(storage.basket, 1) end
      local i = 1
      while i <= #storage.basket do
        if storage.basket[i].bought then
          table.remove(storage.basket, i)
          if bug("every_second") then i = i + 1 end
        else
          i = i + 1
        end
      end
    end } }
  end,
  view = function(self)
    return column { toolbar { "Basket", up = true, subtitle = self:bought() .. " bought" },
      row { text { self.coupon .. " % off", id = "off", weight = 1 },
        button { "Coupon", id = "coupon", on_click = function() self.coupon = self.coupon + 5 end } },
      list { id = "things", items = storage.basket, empty = text { "Empty", id = "empty" },
        row = function(t) return check { t.name, id = "thing", checked = t.bought, on_change = function(on) t.bought = on end } end } }
  end,
}

activity "Steps" {
  move = function(self, i, by)
    local to = math.max(1, math.min(#storage.steps, i + by))
    table.insert(storage.steps, to, table.remove(storage.steps, i))
  end,
  view = function(self)
    return column { toolbar { "Steps", up = true },
      list { id = "steps", items = storage.steps, row = function(s, i)
        return row { text { s, id = "step", weight = 1 },
          image_button { desc = "Move up", id = "up", enabled = i > 1, on_click = function() self:move(i, -1) end },
          image_button { desc = "Move down", id = "down", enabled = i < #storage.steps,
            on_click = function() self:move(i, bug("down_two") and 2 or 1) end } }
      end } }
  end,
}

activity "Inbox" {
  create = function(self, _, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  shown = function(self)
    local out = filter(storage.inbox, function(l) return self.query == "" or contains(l:lower(), self.query) end)
    if self.query ~= "" and bug("search_deleted") then
      for _, l in ipairs(storage.bin) do if contains(l:lower(), self.query) then table.insert(out, l) end end
    end
    return out
  end,
  view = function(self)
    return column { toolbar { "Inbox", up = true },
      field { id = "find", hint = "Search", on_change = function(s) self.query = s:lower() end },
      list { id = "letters", items = self:shown(), empty = text { "No letters", id = "no_letter" },
        row = function(l) return text { l, id = "letter" } end,
        on_item_click = function(_, l)
          if bug("opened_goes") then table.remove(storage.inbox, index_of(storage.inbox, l)) end
          self:start("Letter", { from = l })
        end } }
  end,
}

activity "Letter" {
  view = function(self)
    return column { toolbar { self.intent.from, up = true, actions = { { "Delete", id = "delete", on_click = function()
        local l = table.remove(storage.inbox, index_of(storage.inbox, self.intent.from))
        table.insert(storage.bin, l)
        self:finish()
      end } } }, text { "Dear reader", id = "words" } }
  end,
}

activity "Lines" {
  view = function(self)
    return column { toolbar { "Lines", up = true },
      list { id = "lines", items = { "Tram", "Ferry", "Night" }, row = function(l) return text { l, id = "line_name" } end,
        on_item_click = function(_, l) self:start("Line", { line = l }) end } }
  end,
}

local seen = {}  -- what was fetched last, as long as the process lives
activity "Line" {
  create = function(self)
    self.stops, self.asked = {}, true
    net.get { url = "https://errands.example.org/" .. self.intent.line, latency = 300, on_reply = function(reply)
      self.asked = false
      if reply.ok then
        self.stops, seen.last, seen[self.intent.line] = reply.body, reply.body, reply.body
      else
        self.stops = (bug("other_line") and seen.last) or seen[self.intent.line] or {}
      end
    end }
  end,
  view = function(self)
    return column { toolbar { self.intent.line, up = true }, self.asked and progress { spinning = true },
      list { id = "stops", items = self.stops, empty = text { "No times", id = "no_times" },
        row = function(s) return text { s, id = "stop" } end } }
  end,
}
