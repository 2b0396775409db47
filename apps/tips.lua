-- Tips: what to pay in a restaurant. Amounts are whole cents.

app {
  package = "org.norn.tips",
  title = "Tips",
  main = "Main",
  bugs = { "empty_bill", "nobody_pays", "removed_currency", "cleared_average", "share_not_rounded", "percent_rotated" },
  themis = {
    { n = 1, activity = "Main", id = "bill", kind = "type" },
    { n = 2, activity = "Main", id = "calculate", kind = "tap" },
    { n = 3, activity = "Main", id = "fewer", kind = "tap" },
    { n = 4, activity = "Main", id = "keep", kind = "tap" },
    { n = 5, activity = "Settings", id = "currency_row", kind = "tap" },
    { n = 6, activity = "Settings", id = "currency_row", kind = "long" },
    { n = 7, activity = "Main", id = "history", kind = "tap" },
    { n = 8, activity = "History", id = "clear", kind = "tap" },
  },
  application = function()
    if storage.currencies then return end
    storage.currencies = { { code = "USD", sign = "$" }, { code = "EUR", sign = "€" }, { code = "GBP", sign = "£" } }
    storage.history = {}
    prefs.currency = "USD"
    prefs.percent = 15
    prefs.dark = false
  end,
}

local function money(cents, code)
  local currency = find(storage.currencies, function(c) return c.code == code end)
  if not currency and not bug("removed_currency") then return format("%s %d.%02d", code, cents // 100, cents % 100) end
  return format("%s%d.%02d", currency.sign, cents // 100, cents % 100)
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.percent = not bug("percent_rotated") and saved.percent or prefs.percent
    self.people = saved.people or 2
    self.result = saved.result
  end,

  save = function(self, out) out.percent, out.people, out.result = self.percent, self.people, self.result end,

  calculate = function(self)
    local typed = self:text("bill")
    local number = bug("empty_bill") and parse_number(typed) or tonumber(typed)
    if not number or number <= 0 or number > 1000000 then return toast("Enter the bill") end
    local bill = math.floor(number * 100 + 0.5)
    local sum = bill + bill * self.percent // 100
    local total = self:checked("round_up") and (sum + 99) // 100 * 100 or sum
    self.result = { bill = bill, percent = self.percent, sum = sum, total = total, currency = prefs.currency }
    self:hide_keyboard()
  end,

  share = function(self)
    local amount = bug("share_not_rounded") and self.result.sum or self.result.total
    return amount // self.people
  end,

  fewer = function(self)
    if self.people > 1 or bug("nobody_pays") then self.people = self.people - 1 end
  end,

  more = function(self)
    if self.people < 30 then self.people = self.people + 1 end
  end,

  keep = function(self)
    table.insert(storage.history, 1, { total = self.result.total, people = self.people, currency = self.result.currency })
    if #storage.history > 30 then table.remove(storage.history) end
    toast("Kept")
  end,

  menu = function(self)
    return {
      { "History", id = "history", on_click = function() self:start("History") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      { "About", id = "about", on_click = function() self:start("About") end },
    }
  end,

  result_view = function(self)
    local r = self.result
    return column {
      text { "Tip: " .. money(r.sum - r.bill, r.currency), id = "tip" },
      text { "Total: " .. money(r.total, r.currency), id = "total", size = "large" },
      text { "Each: " .. money(self:share(), r.currency), id = "each", size = "large" },
      button { "Keep", id = "keep", on_click = function() self:keep() end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Tips" },
      field { id = "bill", hint = "Bill in " .. prefs.currency, input = "decimal", max = 9 },
      row {
        text { self.percent .. " %", id = "percent" },
        each({ 10, 15, 20 }, function(p)
          return button { p .. " %", id = "percent_" .. p, on_click = function() self.percent = p end }
        end),
      },
      row {
        button { "−", id = "fewer", desc = "Fewer people", on_click = function() self:fewer() end },
        text { self.people == 1 and "1 person" or self.people .. " people", id = "people" },
        button { "+", id = "more", desc = "More people", on_click = function() self:more() end },
      },
      check { "Round up", id = "round_up" },
      button { "Calculate", id = "calculate", on_click = function() self:calculate() end },
      self.result and self:result_view(),
    }
  end,
}

activity "History" {
  create = function(self) self.any = #storage.history > 0 end,

  average = function(self)
    local sum = 0
    for _, h in ipairs(storage.history) do sum = sum + h.total // h.people end
    return sum // #storage.history
  end,

  clear = function(self)
    storage.history = {}
    if not bug("cleared_average") then self.any = false end
  end,

  forget = function(self, i)
    table.remove(storage.history, i)
    self.any = #storage.history > 0
  end,

  view = function(self)
    local actions = { { "Clear", id = "clear", on_click = function() self:clear() end } }
    return column {
      toolbar { "History", up = true, actions = self.any and actions or {} },
      self.any and text { format("Average share: %.2f", self:average() / 100), id = "average" },
      list { id = "bills", items = storage.history, empty = text { "Nothing kept yet", id = "empty" },
        row = function(h)
          return column { id = "bill_row", text { money(h.total, h.currency), id = "total" },
            text { h.people == 1 and "1 person" or h.people .. " people", id = "people", size = "small" } }
        end,
        on_item_long_click = function(i) self:forget(i) end },
    }
  end,
}

activity "Settings" {
  remove = function(self, i, currency)
    if currency.code == prefs.currency then return toast("This one is in use") end
    table.remove(storage.currencies, i)
    toast(currency.code .. " removed")
  end,

  ask_new = function(self)
    self:dialog {
      title = "New currency",
      view = function()
        return column { field { id = "code", hint = "Code", max = 3 }, field { id = "sign", hint = "Sign", max = 3 } }
      end,
      ok = "Add",
      on_ok = function()
        local code, sign = trim(self:text("code")):upper(), trim(self:text("sign"))
        if #code ~= 3 or sign == "" then return toast("A code has three letters") end
        if #storage.currencies >= 10 or find(storage.currencies, function(c) return c.code == code end) then
          return toast("There is " .. code .. " already")
        end
        table.insert(storage.currencies, { code = code, sign = sign })
      end,
      cancel = "Cancel",
    }
  end,

  view = function(self)
    return column {
      toolbar { "Settings", up = true, actions = { { "Add currency", id = "add_currency", on_click = function() self:ask_new() end } } },
      switch { "Dark theme", id = "dark", checked = prefs.dark, on_change = function(b) prefs.dark = b end },
      text { "Usual tip: " .. prefs.percent .. " %", id = "usual" },
      slider { id = "usual_percent", min = 5, max = 30, step = 5, value = prefs.percent, on_change = function(v) prefs.percent = math.floor(v) end },
      text "Currency",
      list { id = "currencies", items = storage.currencies,
        row = function(c)
          return row { id = "currency_row", selected = c.code == prefs.currency,
            text { c.code, id = "code" }, text { c.code == prefs.currency and c.sign .. " ✓" or c.sign, id = "sign" } }
        end,
        on_item_click = function(_, c) prefs.currency = c.code end,
        on_item_long_click = function(i, c) self:remove(i, c) end },
    }
  end,
}

activity "About" {
  view = function(self)
    return column {
      toolbar { "About", up = true },
      text { "Tips 1.2", id = "version", size = "large" },
      text { "A tip is a thank-you: give what you like.", id = "motto" },
      button { "Web page", id = "web", on_click = function() self:start_implicit { action = "VIEW", uri = "https://tips.example.org" } end },
    }
  end,
}
