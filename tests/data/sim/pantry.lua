-- Jars, what was taken from them, and a basket with a code. Each bug breaks what people expect of any app: Cancel keeps what was typed, a check of a menu stays
-- on, one touch is logged twice, a number is not counted again, Undo brings back something else, a code counts every time, one row is not converted, a number is
-- stored as a tenth.
app { package = "org.norn.pantry", title = "Pantry", main = "Main",
  bugs = { "cancel_keeps", "check_stuck", "log_twice", "badge_stale", "undo_last", "code_twice", "one_unit", "a_tenth" } }

local function low(j) return j.grams < 115 end
local function amount(j, i)
  if storage.ounces and not (bug("one_unit") and i == 2) then return string.format("%.1f oz", j.grams / 28.35) end
  return j.grams .. " g"
end

activity "Main" {
  create = function(self, intent, saved)
    storage.jars = storage.jars or { { id = 1, name = "Barley", grams = 120, log = {} }, { id = 2, name = "Cocoa", grams = 40, log = {} },
      { id = 3, name = "Millet", grams = 300, log = {} } }
    storage.next = storage.next or 4
    self.only_low = saved and saved.only_low or false
    self:count()
  end,
  save = function(self, out) out.only_low = self.only_low end,
  resume = function(self) if not bug("badge_stale") then self:count() end end,
  count = function(self) self.low = #filter(storage.jars, low) end,
  ask_new = function(self)
    self:set_text("jar_name", "")
    self:set_text("jar_grams", "")
    local function add()
      local name, grams = trim(self:text("jar_name")), math.tointeger(tonumber(self:text("jar_grams"))) or 10
      if name == "" then return end
      if bug("a_tenth") and grams >= 100 then grams = grams // 10 end
      table.insert(storage.jars, { id = storage.next, name = name, grams = grams, log = {} })
      storage.next = storage.next + 1
      self:count()
    end
    self:dialog { title = "New jar", cancel = "Cancel", ok = "Add",
      view = function() return column { field { id = "jar_name", hint = "Name" }, field { id = "jar_grams", hint = "Grams", input = "number" } } end,
      on_ok = add, on_cancel = function() if bug("cancel_keeps") then add() end end }
  end,
  remove = function(self, jar)
    local _, k = find(storage.jars, function(j) return j == jar end)
    table.remove(storage.jars, k)
    self:count()
    self:snackbar("Thrown away", "Undo", function()
      table.insert(storage.jars, bug("undo_last") and #storage.jars + 1 or k, jar)
      self:count()
    end)
  end,
  menu = function(self)
    return {
      { "Low only", id = "only_low", checked = self.only_low, on_click = function() self.only_low = bug("check_stuck") or not self.only_low end },
      { "Ounces", id = "ounces", checked = storage.ounces or false, on_click = function() storage.ounces = not storage.ounces end },
      { "Basket", id = "basket", on_click = function() self:start("Basket") end },
    }
  end,
  view = function(self)
    return column {
      toolbar { self.only_low and "What is low" or "Pantry", subtitle = self.low .. " running low" },
      list { id = "jars", items = filter(storage.jars, function(j) return not self.only_low or low(j) end), empty = text { "Nothing", id = "none" },
        row = function(j, i) return row { text { j.name, id = "jar", weight = 1 }, text { amount(j, i), id = "grams" } } end,
        on_item_click = function(_, j) self:start("Jar", { id = j.id }) end,
        on_item_long_click = function(_, j) self:popup { { "Throw away", id = "throw", on_click = function() self:remove(j) end } } end },
      fab { id = "add", desc = "New jar", on_click = function() self:ask_new() end },
    }
  end,
}

activity "Jar" {
  create = function(self, intent) self.jar = find(storage.jars, function(j) return j.id == intent.id end) end,
  view = function(self)
    local jar = self.jar
    if not jar then return column { toolbar { "Gone", up = true } } end
    return column {
      toolbar { jar.name, up = true },
      text { amount(jar, 1), id = "holds" },
      button { "Take", id = "take", on_click = function()
        jar.grams = math.max(0, jar.grams - 7)
        for _ = 1, bug("log_twice") and #jar.log >= 2 and 2 or 1 do table.insert(jar.log, "Taken, left " .. jar.grams) end
      end },
      list { id = "log", items = jar.log, empty = text { "Nothing taken", id = "nothing" }, row = function(l) return row { text { l, id = "line" }, image { desc = "log" } } end,
        on_item_click = function(_, l) toast(l) end },
    }
  end,
}

activity "Basket" {
  create = function(self, intent, saved)
    self.price, self.used = saved and saved.price or 90, saved and saved.used or false
  end,
  save = function(self, out) out.price, out.used = self.price, self.used end,
  view = function(self)
    return column {
      toolbar { "Basket", up = true, subtitle = "This week: HARVEST5" },
      text { "To pay: " .. self.price, id = "pay" },
      field { id = "code", hint = "Code" },
      button { "Apply", id = "apply", on_click = function()
        if self:text("code") ~= "HARVEST5" or self.used and not bug("code_twice") then return toast("Not valid") end
        self.price, self.used = self.price - 5, true
      end },
      button { "One more", id = "more", on_click = function() self.price = self.price + 30 end },
    }
  end,
}
