-- Parcel Corner: the back room of a shop that takes in parcels for the neighbourhood. A drawer leads everywhere.

local DAY = 24 * 60 * 60 * 1000
local SHELVES = { "Floor", "Rack A", "Rack B", "Cellar" }
local FEE = 50                        -- cents for every parcel that is collected
local VAN = {
  { code = "V-310", recipient = "Okafor", sender = "Bookbarn", grams = 900 },
  { code = "V-311", recipient = "Lindgren", sender = "Shoe Loft", grams = 1500 },
}

app {
  package = "org.settler.depot",
  title = "Parcel Corner",
  main = "Main",
  bugs = { "shelf_leftover", "undo_keeps_fee", "detail_pounds", "heavy_stale", "fixed_week", "marks_travel",
    "van_twice", "mean_of_all" },
  application = function()
    if storage.parcels then return end
    local function arrived(d) return now() - d * DAY end
    storage.parcels = {
      { code = "P-104", recipient = "Moreau", sender = "Garden World", grams = 5200, shelf = 1, arrived = arrived(9), status = "waiting" },
      { code = "P-107", recipient = "Tanaka", sender = "Bookbarn", grams = 800, shelf = 2, arrived = arrived(6), status = "waiting" },
      { code = "P-109", recipient = "Silva", sender = "Wine Direct", grams = 7000, shelf = 1, arrived = arrived(4), status = "waiting" },
      { code = "P-112", recipient = "Kowalski", sender = "Shoe Loft", grams = 1400, shelf = 3, arrived = arrived(1), status = "waiting" },
      { code = "P-098", recipient = "Haddad", sender = "Bookbarn", grams = 600, shelf = 2, arrived = arrived(12), status = "collected", collected = arrived(5) },
      { code = "P-101", recipient = "Moreau", sender = "Tea House", grams = 400, shelf = 3, arrived = arrived(10), status = "collected", collected = arrived(8) },
    }
    storage.on_shelf = { 2, 1, 1, 0 }          -- waiting parcels on each
    storage.till = 2 * FEE
    storage.next_code = 113
    prefs.hold = prefs.hold or 7
    prefs.unit = prefs.unit or 1
  end,
}

local function by_code(code) return find(storage.parcels, function(p) return p.code == code end) end
local function with_status(s) return filter(storage.parcels, function(p) return p.status == s end) end
local function money(cents) return format("%d.%02d", cents // 100, cents % 100) end

local function weight(grams)
  if prefs.unit == 2 then return format("%.1f lb", grams / 453.6) end
  return format("%.1f kg", grams / 1000)
end

local function until_day(p, hold) return p.arrived + hold * DAY end

local function is_overdue(p)
  local hold = bug("fixed_week") and 7 or prefs.hold
  return p.status == "waiting" and until_day(p, hold) < now()
end

local function shelf_add(shelf, n) storage.on_shelf[shelf] = storage.on_shelf[shelf] + n end

local function collect(p)
  p.status, p.collected = "collected", now()
  shelf_add(p.shelf, -1)
  storage.till = storage.till + FEE
end

local function uncollect(p)
  p.status, p.collected = "waiting", nil
  shelf_add(p.shelf, 1)
  if not bug("undo_keeps_fee") then storage.till = storage.till - FEE end
end

local function move(p, shelf)
  if p.status == "waiting" and shelf ~= p.shelf then
    if not bug("shelf_leftover") then shelf_add(p.shelf, -1) end
    shelf_add(shelf, 1)
  end
  p.shelf = shelf
end

-- ---- the lists ----

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.section = saved.section or "waiting"
    self.heavy = saved.heavy
    self.marked = saved.marked or {}
    self:refresh()
  end,
  save = function(self, out) out.section, out.heavy, out.marked = self.section, self.heavy, self.marked end,
  resume = function(self)
    if not (bug("heavy_stale") and self.heavy) then self:refresh() end
  end,
  refresh = function(self)
    self.rows = filter(with_status(self.section), function(p) return not self.heavy or p.grams >= 5000 end)
  end,
  go = function(self, section)
    self.section, self.heavy = section, nil
    if not bug("marks_travel") then self.marked = {} end
    self:refresh()
  end,
  toggle = function(self, p)
    local i = index_of(self.marked, p.code)
    if i then table.remove(self.marked, i) else table.insert(self.marked, p.code) end
  end,
  collect_marked = function(self)
    local done = {}
    for _, code in ipairs(self.marked) do
      local p = by_code(code)
      if p and p.status == "waiting" then
        collect(p)
        table.insert(done, p)
      end
    end
    self.marked = {}
    self:refresh()
    self:snackbar(#done .. " collected", "Undo", function()
      for _, p in ipairs(done) do
        if p.status == "collected" then uncollect(p) end
      end
      self:refresh()
    end)
  end,
  unload_van = function(self)
    local new = 0
    for _, v in ipairs(VAN) do
      if bug("van_twice") or not by_code(v.code) then
        table.insert(storage.parcels, { code = v.code, recipient = v.recipient, sender = v.sender, grams = v.grams, shelf = 4,
          arrived = now(), status = "waiting" })
        shelf_add(4, 1)
        new = new + 1
      end
    end
    self:refresh()
    toast(new == 0 and "Everything on the van's list is here already" or new .. " parcels to the cellar")
  end,
  menu = function(self)
    return {
      { "Heavy ones only", id = "heavy", checked = self.heavy or false, on_click = function()
        self.heavy, self.marked = not self.heavy or nil, {}
        self:refresh()
      end },
      { "Unload the van", id = "van", on_click = function() self:unload_van() end },
    }
  end,
  view = function(self)
    local waiting = self.section == "waiting"
    local n = #self.marked
    return column {
      toolbar { waiting and "Waiting" or "Collected",
        subtitle = n > 0 and n .. " marked" or #self.rows .. " parcels" },
      drawer { id = "nav", header = "Parcel Corner", items = {
        { "Waiting", id = "nav_waiting", on_click = function() self:go("waiting") end },
        { "Collected", id = "nav_collected", on_click = function() self:go("collected") end },
        { "Shelves", id = "nav_shelves", on_click = function() self:start("Shelves") end },
        { "Figures", id = "nav_figures", on_click = function() self:start("Figures") end },
        { "Settings", id = "nav_settings", on_click = function() self:start("Settings") end },
      } },
      self.heavy and text { "Only " .. weight(5000) .. " and more", id = "heavy_chip" },
      list { id = "parcels", items = self.rows, empty = text { "No parcels", id = "empty" },
        row = function(p)
          local mark = index_of(self.marked, p.code) and "[x] " or ""
          return column {
            text { mark .. p.code .. "  " .. p.recipient, id = "parcel_row" },
            text { weight(p.grams) .. ", " .. SHELVES[p.shelf] .. (is_overdue(p) and ", overdue" or ""), id = "parcel_info", size = "small" },
          }
        end,
        on_item_click = function(_, p)
          if #self.marked > 0 and waiting then self:toggle(p) else self:start("Parcel", { code = p.code }) end
        end,
        on_item_long_click = function(_, p) if waiting then self:toggle(p) end end },
      n > 0 and row {
        waiting and button { "Collect", id = "collect_marked", on_click = function() self:collect_marked() end },
        button { "Unmark", id = "unmark", on_click = function() self.marked = {} end },
      },
      n == 0 and waiting and fab { id = "take_in", desc = "Take in a parcel", on_click = function() self:start("TakeIn") end },
    }
  end,
}

-- ---- one parcel ----

activity "Parcel" {
  ask_shelf = function(self, p)
    self:dialog { title = "Put " .. p.code .. " where?", items = SHELVES, checked = p.shelf,
      on_item = function(i) move(p, i) end }
  end,
  hand_out = function(self, p)
    self:dialog { title = "Hand out " .. p.code .. "?", message = p.recipient .. " pays " .. money(FEE), cancel = "Cancel", ok = "Hand out",
      on_ok = function() collect(p) end }
  end,
  take_back = function(self, p)
    self:dialog { title = "Take back " .. p.code .. "?", message = "The fee of " .. money(FEE) .. " is returned", cancel = "Cancel", ok = "Take back",
      on_ok = function()
        p.status, p.collected = "waiting", nil
        shelf_add(p.shelf, 1)
        storage.till = storage.till - FEE
      end }
  end,
  view = function(self)
    local p = by_code(self.intent.code)
    local shown = weight(p.grams)
    if bug("detail_pounds") and prefs.unit == 2 then shown = format("%.1f lb", p.grams / 1000) end
    return column {
      toolbar { p.code, up = true, subtitle = p.recipient,
        actions = { { "Edit", id = "edit", on_click = function() self:start("TakeIn", { code = p.code }) end } } },
      text { "From " .. p.sender, id = "sender" },
      text { "Weight " .. shown, id = "weight" },
      text { "Shelf: " .. SHELVES[p.shelf], id = "shelf" },
      text { "Arrived " .. date(p.arrived, "%Y-%m-%d"), id = "arrived" },
      p.status == "waiting" and text { "Held until " .. date(until_day(p, prefs.hold), "%Y-%m-%d"), id = "held" },
      p.collected and text { "Collected " .. date(p.collected, "%Y-%m-%d"), id = "collected" },
      p.status == "waiting" and button { "Move", id = "move", on_click = function() self:ask_shelf(p) end },
      p.status == "waiting" and button { "Hand out", id = "hand_out", on_click = function() self:hand_out(p) end },
      p.status == "collected" and button { "Take back", id = "take_back", on_click = function() self:take_back(p) end },
    }
  end,
}

-- a new parcel, or one to correct
activity "TakeIn" {
  create = function(self, intent, saved)
    local p = intent.code and by_code(intent.code)
    self.hectos = saved and saved.hectos or p and p.grams // 100 or 10
    self.shelf = saved and saved.shelf or p and p.shelf or 1
  end,
  save = function(self, out) out.hectos, out.shelf = self.hectos, self.shelf end,
  store = function(self, p)
    local recipient, sender = trim(self:text("recipient")), trim(self:text("sender_field"))
    if recipient == "" then return toast("For whom?") end
    if sender == "" then sender = "unknown" end
    if p then
      p.recipient, p.sender, p.grams = recipient, sender, self.hectos * 100
      move(p, self.shelf)
    else
      table.insert(storage.parcels, { code = "P-" .. storage.next_code, recipient = recipient, sender = sender,
        grams = self.hectos * 100, shelf = self.shelf, arrived = now(), status = "waiting" })
      storage.next_code = storage.next_code + 1
      shelf_add(self.shelf, 1)
    end
    self:finish()
  end,
  view = function(self)
    local p = self.intent.code and by_code(self.intent.code)
    return column {
      toolbar { p and "Correct " .. p.code or "Take in", up = true },
      scroll {
        field { id = "recipient", hint = "Recipient", text = p and p.recipient or "" },
        field { id = "sender_field", hint = "Sender", text = p and p.sender or "" },
        text { "Weight " .. weight(self.hectos * 100), id = "weight_text" },
        slider { id = "weight_slider", min = 1, max = 100, step = 1, value = self.hectos, on_change = function(v) self.hectos = v end },
        spinner { id = "shelf_spinner", items = SHELVES, selected = self.shelf, on_change = function(i) self.shelf = i end },
        button { "Save", id = "save", on_click = function() self:store(p) end },
      },
    }
  end,
}

-- ---- shelves, figures, settings ----

activity "Shelves" {
  view = function(self)
    return column {
      toolbar { "Shelves", up = true },
      list { id = "shelves", items = SHELVES,
        row = function(name, i) return text { name .. ": " .. storage.on_shelf[i] .. " waiting", id = "shelf_row" } end,
        on_item_click = function(i) self:start("Shelf", { shelf = i }) end },
    }
  end,
}

activity "Shelf" {
  view = function(self)
    local here = filter(with_status("waiting"), function(p) return p.shelf == self.intent.shelf end)
    local grams = 0
    for _, p in ipairs(here) do grams = grams + p.grams end
    return column {
      toolbar { SHELVES[self.intent.shelf], up = true },
      text { "Load: " .. weight(grams), id = "load" },
      list { id = "shelf_list", items = here, empty = text { "Empty shelf", id = "empty" },
        row = function(p) return text { p.code .. "  " .. p.recipient, id = "shelf_parcel" } end,
        on_item_click = function(_, p) self:start("Parcel", { code = p.code }) end },
    }
  end,
}

activity "Figures" {
  view = function(self)
    local waiting = with_status("waiting")
    local grams = 0
    for _, p in ipairs(waiting) do grams = grams + p.grams end
    local by = bug("mean_of_all") and #storage.parcels or #waiting
    local late = #filter(waiting, is_overdue)
    return column {
      toolbar { "Figures", up = true },
      text { "Waiting: " .. #waiting .. " parcels, " .. weight(grams), id = "sum" },
      text { "Mean weight of a waiting parcel: " .. (#waiting > 0 and weight(grams / by) or "-"), id = "mean" },
      text { "Overdue: " .. late, id = "late" },
      text { "Collected: " .. #with_status("collected") .. " parcels", id = "done" },
      text { "Fees in the till: " .. money(storage.till), id = "till" },
      text { "Every parcel handed out costs " .. money(FEE), id = "fee", size = "small" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text { "Parcels are held for " .. prefs.hold .. " days", id = "hold_text" },
      slider { id = "hold", min = 3, max = 14, step = 1, value = prefs.hold, on_change = function(v) prefs.hold = v end },
      text { "Weights in", id = "unit_label" },
      radios { id = "unit", items = { "Kilograms", "Pounds" }, selected = prefs.unit, on_change = function(i) prefs.unit = i end },
    }
  end,
}
