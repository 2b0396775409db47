-- Meter book: readings of the meters of a house, what was used between them and what it costs. New readings wait in
-- an outbox until they are sent to the utility, by hand or by themselves. Values and amounts are kept in tenths.

local DAY = 24 * 60 * 60 * 1000
local RANGES = { "All readings", "Last 90 days", "Last 30 days" }
local RANGE_DAYS = { nil, 90, 30 }
local KWH_PER_M3 = 10.3
local MAX_READINGS = 120
local METERS = {
  { id = "power", name = "Electricity", unit = "kWh" },
  { id = "gas", name = "Gas", unit = "m³" },
  { id = "water", name = "Water", unit = "m³" },
  { id = "solar", name = "Solar roof", unit = "kWh", earns = true },
}

app {
  package = "org.example.meterbook",
  title = "Meter book",
  main = "Main",
  bugs = { "deleted_still_waiting", "edit_stays_sent", "range_on_rotation", "difference_cached", "gas_unit_costs", "undo_wrong_meter",
    "latest_by_entry", "decimals_lost" },
  server = function(request, db)
    if request.path ~= "/readings" then return nil, 404 end
    db.count = (db.count or 0) + #(request.body or {})
    return { count = db.count }
  end,
  application = function()
    if storage.readings then return resume_sending() end
    local today, id = now() // DAY, 0
    storage.readings, storage.outbox = {}, {}
    local function read(meter, ago, value, note)
      id = id + 1
      table.insert(storage.readings, { id = id, meter = meter, day = today - ago, value = value, note = note })
      if ago < 10 then table.insert(storage.outbox, id) end
    end
    read("power", 121, 48210) read("power", 92, 51034) read("power", 61, 54127, "Guests for a week") read("power", 33, 57405) read("power", 3, 60218)
    read("gas", 120, 12402) read("gas", 62, 14755) read("gas", 31, 16308) read("gas", 4, 17120, "Read by the neighbour")
    read("water", 119, 3120) read("water", 60, 3294) read("water", 30, 3371)
    read("solar", 90, 20114) read("solar", 58, 20590) read("solar", 28, 21477)
    storage.next_id = id
    storage.prices = { power = 320, gas = 110, water = 4150, solar = 82 }       -- tenths of a cent for one unit, gas for a kWh
    prefs.kwh, prefs.auto, prefs.notes = false, false, true
    for _, meter in ipairs(METERS) do recompute(meter) end
  end,
}

local function meter_of(id) return find(METERS, function(m) return m.id == id end) end
local function reading_of(id) return find(storage.readings, function(r) return r.id == id end) end
local function day_text(day) return date(day * DAY, "%Y-%m-%d") end
local function tenths(n) return format("%d.%d", n // 10, n % 10) end
local function money(cents) return (cents < 0 and "-" or "") .. format("%d.%02d", math.abs(cents) // 100, math.abs(cents) % 100) end
local function readings(n) return n == 1 and "1 reading" or n .. " readings" end

-- Oldest first; there is never more than one reading of a meter on a day.
local function readings_of(meter)
  local list = filter(storage.readings, function(r) return r.meter == meter.id end)
  table.sort(list, function(a, b) return a.day < b.day end)
  return list
end

-- What was used since the reading before. A lower value means that the meter was replaced and began at zero.
function recompute(meter)
  local before
  for _, r in ipairs(readings_of(meter)) do
    r.used = before and (r.value >= before.value and r.value - before.value or r.value) or nil
    before = r
  end
end

local function latest(meter)
  local list = readings_of(meter)
  if bug("latest_by_entry") then list = filter(storage.readings, function(r) return r.meter == meter.id end) end
  return list[#list]
end

-- The dial of a gas meter knows only m³; what was used can be shown in kWh.
local function used_text(meter, used, m3)
  if meter.id == "gas" and prefs.kwh and not m3 then return format("%.1f kWh", used * KWH_PER_M3 / 10) end
  return tenths(used) .. " " .. meter.unit
end

local function cost(meter, used)
  local units = meter.id == "gas" and used * KWH_PER_M3 / 10 or used / 10
  local cents = math.floor(units * storage.prices[meter.id] / 10 + 0.5)
  return meter.earns and -cents or cents
end

-- ---- sending ----

local function waiting(id) return index_of(storage.outbox, id) end
local function leave_outbox(id)
  local i = waiting(id)
  if i then table.remove(storage.outbox, i) end
end

local sending, timer, touched = false, nil, {}      -- touched: changed again while it was being sent

local function send()
  if sending or #storage.outbox == 0 then return end
  local ids = copy(storage.outbox)
  sending, touched = true, {}
  net.post("https://utility.example.org/readings", ids, function(reply)
    sending = false
    storage.last_result = reply.ok and readings(#ids) .. " sent" or "No connection"
    if not reply.ok then return end
    for _, id in ipairs(ids) do
      if not touched[id] then leave_outbox(id) end
    end
  end)
end

local function send_later()
  if not prefs.auto then return end
  if timer then cancel(timer) end
  timer = after(5000, function()
    timer = nil
    send()
  end)
end

function resume_sending()
  sending, timer = false, nil
  send_later()
end

local function to_outbox(id)
  touched[id] = true
  if not waiting(id) then table.insert(storage.outbox, id) end
  send_later()
end

-- ---- the three sections ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.section, self.range = saved.section or "meters", 1
    self:set_range(1)
    if saved.range then
      if bug("range_on_rotation") then self.range = saved.range else self:set_range(saved.range) end
    end
  end,
  save = function(self, out) out.section, out.range = self.section, self.range end,
  set_range = function(self, i)
    self.range = i
    self.since = RANGE_DAYS[i] and now() // DAY - RANGE_DAYS[i] or nil
  end,
  menu = function(self)
    return {
      { "Prices", id = "prices", on_click = function() self:start("Prices") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      { "About", id = "about", on_click = function()
        self:dialog { title = "Meter book", message = readings(#storage.readings) .. " of " .. #METERS .. " meters", ok = "OK" }
      end },
    }
  end,
  meters = function(self)
    return { scroll { each(METERS, function(meter)
      local last = latest(meter)
      return card { id = "meter", on_click = function() self:start("Meter", { meter = meter.id }) end,
        text { meter.name, id = "meter_name", size = "large" },
        text { last and tenths(last.value) .. " " .. meter.unit .. " on " .. day_text(last.day) or "Never read", id = "meter_last", size = "small" } }
    end) } }
  end,
  used_since = function(self, meter)
    local sum = 0
    for _, r in ipairs(readings_of(meter)) do
      if r.used and (not self.since or r.day >= self.since) then sum = sum + r.used end
    end
    return sum
  end,
  costs = function(self)
    local sum = 0
    local rows = each(METERS, function(meter)
      local used = self:used_since(meter)
      sum = sum + cost(meter, used)
      return row { text { meter.name .. ": " .. used_text(meter, used, bug("gas_unit_costs")), id = "cost_used", weight = 1 }, text { money(cost(meter, used)), id = "cost" } }
    end)
    return {
      spinner { id = "range", items = RANGES, selected = self.range, on_change = function(i) self:set_range(i) end },
      scroll { rows, divider {}, text { (sum < 0 and "Earned: " or "Together: ") .. money(math.abs(sum)), id = "together", size = "large" } },
    }
  end,
  outbox = function(self)
    return {
      list { id = "outbox", items = storage.outbox, empty = text { "Nothing waits", id = "empty" },
        row = function(id)
          local r = reading_of(id)
          return text { r and meter_of(r.meter).name .. ", " .. day_text(r.day) .. ": " .. tenths(r.value) or "A reading that was deleted", id = "waiting" }
        end,
        on_item_click = function(_, id) if reading_of(id) then self:start("Reading", { id = id }) end end },
      storage.last_result and text { storage.last_result, id = "last_result", size = "small" },
      button { "Send now", id = "send", enabled = #storage.outbox > 0 and not sending, on_click = send },
    }
  end,
  view = function(self)
    local names = { meters = "Meters", costs = "Costs", outbox = "Outbox" }
    local function item(section, id)
      return { names[section], id = id, selected = self.section == section, on_click = function() self.section = section end }
    end
    return column {
      toolbar { names[self.section], subtitle = #storage.outbox > 0 and #storage.outbox .. " waiting" or nil },
      self[self.section](self),
      bottom_bar { items = { item("meters", "nav_meters"), item("costs", "nav_costs"), item("outbox", "nav_outbox") } },
    }
  end,
}

-- ---- one meter ----

activity "Meter" {
  delete = function(self, r)
    local was_waiting = waiting(r.id)
    local i = index_of(storage.readings, r)
    if not i then return end
    table.remove(storage.readings, i)
    if not bug("deleted_still_waiting") then leave_outbox(r.id) end
    local meter = meter_of(r.meter)
    if not bug("difference_cached") then recompute(meter) end
    self:snackbar(was_waiting and "Deleted" or "Deleted here, the utility keeps it", "Undo", function()
      local taken = find(readings_of(meter), function(other) return other.day == r.day end)
      if taken then return toast("There is a new reading of that day") end
      if bug("undo_wrong_meter") then r.meter = METERS[1].id end
      table.insert(storage.readings, math.min(i, #storage.readings + 1), r)
      if was_waiting then to_outbox(r.id) end
      recompute(meter)
    end)
  end,
  reading_menu = function(self, r)
    self:popup {
      { "Edit", id = "edit_reading", on_click = function() self:start("Reading", { id = r.id }) end },
      { "Delete", id = "delete_reading", on_click = function() self:delete(r) end },
    }
  end,
  view = function(self)
    local meter = meter_of(self.intent.meter)
    if not meter then return column { toolbar { "Meter", up = true }, text { "No such meter", id = "gone" } } end
    local list_of_it, newest = readings_of(meter), {}
    for i = #list_of_it, 1, -1 do table.insert(newest, list_of_it[i]) end
    return column {
      toolbar { meter.name, up = true, subtitle = readings(#newest),
        actions = { { "Chart", id = "chart", on_click = function() self:start("Chart", { meter = meter.id }) end } } },
      list { id = "readings", items = newest, empty = text { "Never read", id = "empty" },
        row = function(r)
          return column { id = "reading_row",
            text { day_text(r.day) .. ": " .. tenths(r.value) .. " " .. meter.unit, id = "value" },
            text { (r.used and "+ " .. used_text(meter, r.used) or "first reading") .. (waiting(r.id) and ", waiting" or ", sent"), id = "used", size = "small" },
            prefs.notes and r.note and text { r.note, id = "note", size = "small" } }
        end,
        on_item_click = function(_, r) self:start("Reading", { id = r.id }) end,
        on_item_long_click = function(_, r) self:reading_menu(r) end },
      fab { id = "add", desc = "New reading", on_click = function() self:start("Reading", { meter = meter.id }) end },
    }
  end,
}

activity "Reading" {
  create = function(self, intent, saved)
    self.reading = reading_of(intent.id)
    self.meter = meter_of(self.reading and self.reading.meter or intent.meter)
    self.day = saved and saved.day or self.reading and self.reading.day or now() // DAY
  end,
  save = function(self, out) out.day = self.day end,
  store = function(self)
    local typed = tonumber(self:text("reading_value"))
    if not typed then return toast("What does the meter say?") end
    local other = find(readings_of(self.meter), function(r) return r.day == self.day and r ~= self.reading end)
    if other then return toast("There is already one of this day") end
    local before
    for _, r in ipairs(readings_of(self.meter)) do
      if r.day < self.day and r ~= self.reading then before = r end
    end
    local value = math.floor(typed * 10 + 0.5)
    if before and value < before.value then
      return self:dialog { title = "Lower than before", message = "It was " .. tenths(before.value) .. " on " .. day_text(before.day), cancel = "Correct it",
        ok = "New meter", on_ok = function() self:write(value) end }
    end
    self:write(value)
  end,
  write = function(self, value)
    local r, note = self.reading, trim(self:text("reading_note"))
    note = note ~= "" and note or nil
    local new = not r
    if new then
      if #storage.readings >= MAX_READINGS then return toast("The book is full") end
      storage.next_id = storage.next_id + 1
      r = { id = storage.next_id, meter = self.meter.id }
      table.insert(storage.readings, r)
    end
    local changed = r.value ~= value or r.day ~= self.day          -- a note is nobody else's business
    r.value, r.day, r.note = value, self.day, note
    recompute(self.meter)
    if new or changed and not bug("edit_stays_sent") then to_outbox(r.id) end
    self:finish()
  end,
  view = function(self)
    local r, meter = self.reading, self.meter
    if not meter then return column { toolbar { "Reading", up = true }, text { "No such reading", id = "gone" } } end
    local shown = ""
    if r then shown = bug("decimals_lost") and tostring(r.value // 10) or tenths(r.value) end
    return column {
      toolbar { r and "Edit reading" or "New reading", up = true, subtitle = meter.name },
      scroll {
        field { id = "reading_value", hint = meter.unit, input = "decimal", max = 9, text = shown },
        row {
          button { "<", id = "earlier", on_click = function() self.day = self.day - 1 end },
          text { day_text(self.day), id = "day", weight = 1 },
          button { ">", id = "later", enabled = self.day < now() // DAY, on_click = function() self.day = self.day + 1 end },
        },
        field { id = "reading_note", hint = "Note", max = 60, text = r and r.note or "" },
        button { "Save", id = "save", on_click = function() self:store() end },
      },
    }
  end,
}

-- What was used in a day, from reading to reading.
activity "Chart" {
  view = function(self)
    local meter = meter_of(self.intent.meter)
    if not meter then return column { toolbar { "Chart", up = true }, text { "No such meter", id = "gone" } } end
    local bars, most, before = {}, 1, nil
    for _, r in ipairs(readings_of(meter)) do
      if before and r.used then
        local daily = math.floor(r.used / math.max(1, r.day - before.day) + 0.5)
        most = math.max(most, daily)
        table.insert(bars, { day = r.day, daily = daily })
      end
      before = r
    end
    return column {
      toolbar { meter.name, up = true, subtitle = "a day" },
      #bars == 0 and text { "Two readings are needed", id = "empty" },
      scroll { each(bars, function(bar)
        return column { text { "until " .. day_text(bar.day) .. ": " .. used_text(meter, bar.daily), id = "bar" }, progress { value = bar.daily, max = most } }
      end) },
    }
  end,
}

-- ---- prices and settings ----

activity "Prices" {
  ask_price = function(self, meter)
    self:set_text("price_field", "")
    self:dialog { title = meter.name, cancel = "Cancel", ok = "Set",
      view = function() return column { field { id = "price_field", hint = "Cents", input = "decimal", max = 6 } } end,
      on_ok = function()
        local cents = tonumber(self:text("price_field"))
        if not cents then return true end
        storage.prices[meter.id] = math.floor(cents * 10 + 0.5)
      end }
  end,
  view = function(self)
    return column {
      toolbar { "Prices", up = true, subtitle = "in cents" },
      list { id = "price_list", items = METERS,
        row = function(meter)
          return text { meter.name .. ": " .. tenths(storage.prices[meter.id]) .. " for a " .. (meter.unit == "kWh" and "kWh" or meter.id == "gas" and "kWh" or "m³"), id = "price" }
        end,
        on_item_click = function(_, meter) self:ask_price(meter) end },
      text { "Gas is always paid by the kWh, the solar roof earns", id = "hint", size = "small" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      button { "Units", id = "units", on_click = function() self:start("Units") end },
      button { "Sending", id = "sending", on_click = function() self:start("Sending") end },
      switch { "Show notes in lists", id = "notes", checked = prefs.notes, on_change = function(on) prefs.notes = on end },
    }
  end,
}

activity "Units" {
  view = function(self)
    return column {
      toolbar { "Units", up = true },
      text { "Gas that was used", id = "gas_label" },
      radios { id = "gas_unit", items = { "m³", "kWh" }, selected = prefs.kwh and 2 or 1, on_change = function(i) prefs.kwh = i == 2 end },
      text { "The meter itself is always read in m³", id = "hint", size = "small" },
    }
  end,
}

activity "Sending" {
  view = function(self)
    return column {
      toolbar { "Sending", up = true },
      switch { "Send new readings by itself", id = "auto", checked = prefs.auto, on_change = function(on)
        prefs.auto = on
        if on then send_later() end
      end },
      text { "Some seconds after the last one was written", id = "hint", size = "small" },
      text { #storage.outbox == 0 and "Nothing waits" or readings(#storage.outbox) .. (#storage.outbox == 1 and " waits" or " wait"), id = "state" },
    }
  end,
}
