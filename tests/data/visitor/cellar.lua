-- Cellar: the bottles at home, which rack they lie in and when they should be drunk.
--
-- The main list can be filtered and sorted; a wine has pages for facts, tasting notes and what was drunk of it.
-- A new wine that was not saved is kept as a draft, and what is thrown away lies in a bin first.

app {
  package = "org.example.cellar",
  title = "Cellar",
  main = "Main",
  bugs = { "filter_cancel", "search_star", "edit_drops_rating", "vintage_shares_notes", "rack_counts_bin",
    "undo_keeps_entry", "wish_gone", "ready_last_year" },
  application = function()
    if storage.wines then return end
    local today = now() // 86400000
    storage.next_id, storage.racks = 40, { { id = 1, name = "Hall" }, { id = 2, name = "Stairs" }, { id = 3, name = "Garage" } }
    storage.wines = {
      { id = 11, name = "Barolo Serra", maker = "Conti", year = 2016, colour = 1, rack = 1, count = 3, price = 28,
        from = 2022, till = 2032, rating = 4, notes = { "Tar and roses" }, opened = 0, seen = 0 },
      { id = 12, name = "Riesling Steep", maker = "Weber", year = 2021, colour = 2, rack = 2, count = 6, price = 11.5,
        from = 2022, till = 2024, rating = 0, notes = {}, opened = 0, seen = 0 },
      { id = 13, name = "Chablis Vieux", maker = "Moreau", year = 2020, colour = 2, rack = 2, count = 1,
        from = 2021, till = 2026, rating = 3, notes = {}, opened = 0, seen = 0, starred = true },
      { id = 14, name = "Cava Nit", maker = "Pons", year = 2019, colour = 4, rack = 1, count = 2, price = 9,
        from = 2020, till = 2023, rating = 0, notes = {}, opened = (today - 20) * 86400000, seen = 0 },
      { id = 15, name = "Rosado Alba", maker = "Ruiz", year = 2022, colour = 3, rack = 3, count = 0, price = 7,
        from = 2022, till = 2025, rating = 2, notes = {}, opened = (today - 70) * 86400000, seen = 0 },
    }
    storage.drunk = { { id = 21, name = "Rosado Alba 2022", day = today - 70 }, { id = 22, name = "Cava Nit 2019", day = today - 20 } }
    storage.wishes = { { id = 31, name = "Sancerre" }, { id = 32, name = "Old Port" } }
    prefs.currency, prefs.sort, prefs.show_rack, prefs.short, prefs.show_empty, prefs.tips = 1, 1, true, false, false, true
  end,
}

local COLOURS = { "Red", "White", "Rose", "Sparkling" }
local CURRENCIES = { "EUR", "USD", "GBP" }
local SORTS = { "Name", "Year", "Last opened" }
local TIPS = { "Lay corks wet: store bottles on their side.", "Ten minutes in ice water cool a bottle faster than ice alone.",
  "Light ages wine. Keep the cellar dark.", "Taste before you decant." }
local FIELDS = { "name", "maker", "year", "count", "price", "from", "till" }
local MAX_WINES, MAX_LINES = 60, 30

local function today() return now() // 86400000 end
local function this_year() return tonumber(date(now(), "%Y")) end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function wine_of(id)
  local wine = by_id(storage.wines, id)
  return wine and not wine.binned and wine or nil
end
local function kept() return filter(storage.wines, function(w) return not w.binned end) end
local function full_name(w) return w.name .. " " .. w.year end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end
local function money(amount) return format("%s %.2f", CURRENCIES[prefs.currency], amount) end
local function rack_name(id) return (by_id(storage.racks, id) or storage.racks[1]).name end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function remove_from(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end

local function ready(w)
  if this_year() < w.from then return "too young" end
  return this_year() > (bug("ready_last_year") and w.till - 1 or w.till) and "past its best" or "ready"
end

local function bottles(wines)
  local sum = 0
  for _, w in ipairs(wines) do sum = sum + w.count end
  return sum
end

local function sorted(wines)
  local result = copy(wines)
  table.sort(result, function(a, b)
    if prefs.sort == 2 and a.year ~= b.year then return a.year < b.year end
    if prefs.sort == 3 and a.opened ~= b.opened then return a.opened > b.opened end
    return full_name(a):lower() < full_name(b):lower()
  end)
  return result
end

local function wine_row(w)
  local line = COLOURS[w.colour] .. ", " .. plural(w.count, "bottle")
  if prefs.show_rack then line = line .. ", " .. rack_name(w.rack) end
  return column { id = "wine_row",
    text { (w.starred and "* " or "") .. full_name(w), id = "name", size = "large" },
    not prefs.short and text { line, id = "line", size = "small" },
  }
end

activity "Main" {
  create = function(self, intent, saved) self.filter = saved and saved.filter or { colour = 1, ready = false } end,
  save = function(self, out) out.filter = self.filter end,
  menu = function(self)
    return {
      { "Sort by", id = "sort", items = each(SORTS, function(name, i)
        return { name, id = "sort_" .. i, checked = prefs.sort == i, on_click = function() prefs.sort = i end }
      end) },
      { "Show empty", id = "show_empty", checked = prefs.show_empty, on_click = function() prefs.show_empty = not prefs.show_empty end } }
  end,

  ask_filter = function(self)
    local chosen = bug("filter_cancel") and self.filter or { colour = self.filter.colour, ready = self.filter.ready }
    self:dialog { title = "Filter",
      view = function()
        return column {
          radios { id = "colours", items = { "All colours", "Red", "White", "Rose", "Sparkling" }, selected = chosen.colour,
            on_change = function(i) chosen.colour = i end },
          check { "Ready to drink", id = "ready", checked = chosen.ready, on_change = function(b) chosen.ready = b end },
        }
      end,
      ok = "Apply", on_ok = function() self.filter = chosen end, cancel = "Cancel" }
  end,

  wine_menu = function(self, w)
    self:popup { { w.starred and "Remove star" or "Star", id = "star", on_click = function() w.starred = not w.starred end },
      { "To the bin", id = "bin_wine", on_click = function()
        w.binned = true
        self:snackbar(full_name(w) .. " is in the bin", "Undo", function() w.binned = nil end)
      end } }
  end,

  view = function(self)
    local colour, only_ready = self.filter.colour, self.filter.ready
    local found = filter(sorted(kept()), function(w)
      return (colour == 1 or w.colour == colour - 1) and (not only_ready or ready(w) == "ready")
    end)
    local shown = filter(found, function(w) return prefs.show_empty or w.count > 0 end)
    local hidden = #found - #shown
    return column {
      toolbar { "Cellar", actions = {
        { "Search", id = "search", on_click = function() self:start("Search") end },
        { "Filter", id = "filter", on_click = function() self:ask_filter() end } } },
      drawer { id = "drawer", header = "Cellar", items = each({ "Racks", "Drunk", "Wishes", "Statistics", "Bin", "Settings" },
        function(name) return { name, id = "go_" .. name:lower(), on_click = function() self:start(name) end } end) },
      prefs.tips and prefs.tip_day ~= today() and row {
        text { "Tip of the day: " .. TIPS[today() % #TIPS + 1], id = "tip", weight = 1, size = "small" },
        button { "Got it", id = "tip_ok", on_click = function() prefs.tip_day = today() end } },
      (colour > 1 or only_ready) and row {
        text { "Filter: " .. (COLOURS[colour - 1] or "All colours") .. (only_ready and ", ready" or ""), id = "filter_label", weight = 1 },
        button { "Clear", id = "clear_filter", on_click = function() self.filter = { colour = 1, ready = false } end } },
      text { plural(bottles(shown), "bottle"), id = "total", size = "small" },
      list { id = "wines", items = shown, row = wine_row, empty = text { "No wine here", id = "empty" },
        on_item_click = function(_, w) self:start("Wine", { id = w.id }) end,
        on_item_long_click = function(_, w) self:wine_menu(w) end },
      hidden > 0 and text { plural(hidden, "empty wine") .. " hidden", id = "hidden", size = "small" },
      fab { id = "add", desc = "New wine", on_click = function() self:start("Edit", {}) end },
    }
  end,
}

activity "Wine" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
    local wine = wine_of(intent.id)
    if wine and not saved then wine.seen = wine.seen + 1 end
  end,
  save = function(self, out) out.tab = self.tab end,
  menu = function(self)
    local wine = wine_of(self.intent.id)
    if not wine then return {} end
    return {
      { "Edit", id = "edit", on_click = function() self:start("Edit", { id = wine.id }) end },
      { "Move to", id = "move", items = each(storage.racks, function(rack)
        return { rack.name, id = "move_rack", checked = rack.id == wine.rack, on_click = function() wine.rack = rack.id end }
      end) },
      { "New vintage", id = "vintage", on_click = function() self:new_vintage(wine) end } }
  end,

  -- The same wine a year younger: one bottle, not rated yet, with the notes so far to begin with.
  new_vintage = function(self, wine)
    if wine.year >= this_year() then return toast("The next vintage is not out yet") end
    if #storage.wines > MAX_WINES then return toast("The cellar is full") end
    local young = copy(wine)
    young.id, young.year, young.count, young.rating = new_id(), wine.year + 1, 1, 0
    young.from, young.till, young.opened, young.seen, young.starred = wine.from + 1, wine.till + 1, 0, 0, false
    young.notes = bug("vintage_shares_notes") and wine.notes or { table.unpack(wine.notes) }
    table.insert(storage.wines, young)
    toast("Added " .. full_name(young))
  end,

  drink = function(self, wine)
    local before = wine.opened
    local entry = { id = new_id(), name = full_name(wine), day = today() }
    wine.count, wine.opened = wine.count - 1, now()
    table.insert(storage.drunk, entry)
    self:snackbar("Cheers!", "Undo", function()
      wine.count, wine.opened = wine.count + 1, before
      if not bug("undo_keeps_entry") then remove_from(storage.drunk, entry) end
    end)
  end,

  rate = function(self, wine)
    self:dialog { title = "Rating", items = { "1", "2", "3", "4", "5" }, checked = wine.rating > 0 and wine.rating or nil,
      on_item = function(i) wine.rating = i end,
      neutral = "No rating", on_neutral = function() wine.rating = 0 end, cancel = "Cancel" }
  end,

  add_note = function(self, wine, note)
    if note == "" or #wine.notes >= MAX_LINES then return toast("Cannot add this note") end
    table.insert(wine.notes, note)
    self:set_text("new_note", "")
  end,

  facts = function(self, wine)
    return scroll {
      text { wine.maker .. ", " .. wine.year, id = "maker" }, text { COLOURS[wine.colour] .. " wine", id = "colour" },
      text { "Lies in: " .. rack_name(wine.rack), id = "rack" }, text { "Bottles: " .. wine.count, id = "count" },
      text { wine.price and "Price: " .. money(wine.price) .. " a bottle" or "No price", id = "price" },
      text { format("Drink from %d to %d: %s", wine.from, wine.till, ready(wine)), id = "window" },
      button { wine.rating > 0 and "Rating: " .. wine.rating .. " of 5" or "Not rated", id = "rate", on_click = function() self:rate(wine) end },
      row { button { "Drink one", id = "drink", enabled = wine.count > 0, on_click = function() self:drink(wine) end },
        button { "Add one", id = "add_one", on_click = function() wine.count = math.min(wine.count + 1, 999) end } },
      text { "Looked at " .. plural(wine.seen, "time"), id = "seen", size = "small" },
    }
  end,

  notes = function(self, wine)
    return column { weight = 1,
      row { field { id = "new_note", hint = "Tasting note", max = 80, weight = 1 },
        button { "Add", id = "add_note", on_click = function() self:add_note(wine, trim(self:text("new_note"))) end } },
      list { id = "notes", items = wine.notes, empty = text { "No notes", id = "empty" },
        row = function(note) return text { note, id = "note_row" } end,
        on_item_long_click = function(i)
          self:popup { { "Delete note", id = "delete_note", on_click = function() table.remove(wine.notes, i) end } }
        end },
    }
  end,

  view = function(self)
    local wine = wine_of(self.intent.id)
    if not wine then return column { toolbar { "Wine", up = true }, text { "This wine is no longer here", id = "gone" } } end
    return column {
      toolbar { wine.name, up = true },
      tabs { id = "pages", titles = { "Facts", "Notes" }, selected = self.tab, on_change = function(i) self.tab = i end },
      self.tab == 1 and self:facts(wine) or self:notes(wine),
    }
  end,
}

-- A new wine (from a wish, from the draft of last time, or empty) or one that is there already.
activity "Edit" {
  create = function(self, intent, saved)
    local wine, wish = wine_of(intent.id), by_id(storage.wishes, intent.wish)
    if saved then self.from_draft = saved.from_draft else self.from_draft = not wine and not intent.wish and storage.draft ~= nil end
    self.start_with = wine or wish and { name = wish.name } or self.from_draft and storage.draft or {}
    local w = saved or self.start_with
    self.colour, self.rack = w.colour or 1, w.rack or 1
    if wish and bug("wish_gone") then remove_from(storage.wishes, wish) end
  end,
  save = function(self, out) out.colour, out.rack, out.from_draft = self.colour, self.rack, self.from_draft end,
  typed = function(self)
    local t = { colour = self.colour, rack = self.rack }
    for _, id in ipairs(FIELDS) do t[id] = self:text(id) end
    return t
  end,

  pause = function(self)
    if self.saved or self.intent.id or self.intent.wish then return end
    local t = self:typed()
    storage.draft = table.concat(each(FIELDS, function(id) return t[id] end)) ~= "" and t or nil
  end,

  store = function(self)
    local t = self:typed()
    local year, count = tonumber(t.year), tonumber(t.count) or 1
    t.name = trim(t.name):gsub("%s+", " "):gsub("^%l", string.upper)
    t.maker = trim(t.maker) ~= "" and trim(t.maker) or "Unknown"
    if t.name == "" then return toast("Give it a name") end
    if year and year < 100 then year = year > this_year() % 100 and 1900 + year or 2000 + year end   -- 98 is 1998
    if not year or year < 1900 or year > this_year() then return toast("Which year?") end
    t.from = tonumber(t.from) or year + 1
    t.till = tonumber(t.till) or t.from + 5
    if t.from < year or t.till < t.from then return toast("The years to drink it do not fit") end
    t.year, t.count, t.price = year, count, tonumber(t.price)
    self:keep(t, wine_of(self.intent.id), by_id(storage.wishes, self.intent.wish))
  end,

  keep = function(self, t, wine, wish)
    if wine then
      for _, key in ipairs(FIELDS) do wine[key] = t[key] end
      if bug("edit_drops_rating") and wine.rack ~= t.rack then wine.rating = 0 end
      wine.colour, wine.rack = t.colour, t.rack
    else
      if #storage.wines > MAX_WINES then return toast("The cellar is full") end
      t.id, t.rating, t.notes, t.opened, t.seen = new_id(), 0, {}, 0, 0
      table.insert(storage.wines, t)
      if wish then remove_from(storage.wishes, wish) elseif not self.intent.wish then storage.draft = nil end
    end
    self.saved = true
    self:finish()
  end,

  view = function(self)
    local w = self.start_with
    local function line(id, hint, input, max, word)
      local value = w[id] and tostring(w[id]) or ""
      return row { text { word, width = 320 }, field { id = id, hint = hint, input = input, max = max, text = value, weight = 1 } }
    end
    return column {
      toolbar { w.id and "Edit wine" or "New wine", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      self.from_draft and text { "Your draft of last time", id = "draft", size = "small" },
      scroll {
        line("name", "Name of the wine", "text", 30, "Name"), line("maker", "Unknown", "text", 30, "Maker"),
        line("year", "2020 or 20", "number", 4, "Year"), line("count", "1", "number", 3, "Bottles"),
        line("price", "None", "decimal", 7, "Price"), line("from", "A year later", "number", 4, "Drink from"),
        line("till", "Five years on", "number", 4, "Drink till"),
        spinner { id = "colour", items = COLOURS, selected = self.colour, on_change = function(i) self.colour = i end },
        spinner { id = "rack", items = each(storage.racks, function(r) return r.name end), selected = self.rack,
          on_change = function(i) self.rack = i end } },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  view = function(self)
    local query = trim(self.query):lower()
    local results = query == "" and {} or filter(sorted(kept()), function(w) return contains((full_name(w) .. " " .. w.maker):lower(), query) end)
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Name, maker or year", max = 30, on_change = function(s) self.query = s end },
      text { query == "" and "Empty wines are searched as well" or plural(#results, "wine") .. " found", id = "found", size = "small" },
      list { id = "results", items = results,
        row = function(w, i)
          return row { id = "result_row", text { full_name(w), id = "name", weight = 1 },
            image_button { id = "star", desc = w.starred and "Remove star" or "Star", on_click = function()
              local hit = bug("search_star") and sorted(kept())[i] or w
              hit.starred = not hit.starred
            end } }
        end,
        on_item_click = function(_, w) self:start("Wine", { id = w.id }) end },
    }
  end,
}

activity "Racks" {
  view = function(self)
    return column {
      toolbar { "Racks", up = true },
      list { id = "racks", items = storage.racks,
        row = function(rack)
          local inside = filter(sorted(kept()), function(w) return w.rack == rack.id and w.count > 0 end)
          local counted = bug("rack_counts_bin") and filter(storage.wines, function(w) return w.rack == rack.id end) or inside
          return column { id = "rack_row", text { rack.name, id = "name", size = "large" },
            text { #inside == 0 and "Empty" or table.concat(each(inside, full_name), ", "), id = "names", size = "small" },
            text { plural(bottles(counted), "bottle"), id = "count", size = "small" } }
        end },
    }
  end,
}

activity "Drunk" {
  view = function(self)
    local items = copy(storage.drunk)
    table.sort(items, function(a, b) return a.id > b.id end)
    local recent = #filter(items, function(d) return d.day > today() - tonumber(date(now(), "%j")) end)
    return column {
      toolbar { "Drunk", up = true },
      text { plural(recent, "bottle") .. " this year (" .. #items - recent .. " older not counted)", id = "sum" },
      list { id = "drunk", items = items, empty = text { "Nothing drunk yet", id = "empty" },
        row = function(d) return column { id = "drunk_row", text { d.name, id = "name" },
          text { date(d.day * 86400000, "%d %b %Y"), id = "day", size = "small" } } end },
    }
  end,
}

activity "Wishes" {
  add = function(self, name)
    if name == "" or #storage.wishes >= MAX_LINES then return toast("Cannot add this wish") end
    table.insert(storage.wishes, { id = new_id(), name = name })
    self:set_text("wish", "")
  end,
  view = function(self)
    return column {
      toolbar { "Wishes", up = true },
      row { field { id = "wish", hint = "What to look for", max = 30, weight = 1 },
        button { "Add", id = "add_wish", on_click = function() self:add(trim(self:text("wish"))) end } },
      text { "Tap a wish when you have bought it, hold it to drop it", id = "how", size = "small" },
      list { id = "wishes", items = storage.wishes, empty = text { "No wishes left", id = "empty" },
        row = function(wish) return text { wish.name, id = "wish_row" } end,
        on_item_click = function(_, wish) self:start("Edit", { wish = wish.id }) end,
        on_item_long_click = function(_, wish) remove_from(storage.wishes, wish) end },
    }
  end,
}

activity "Statistics" {
  create = function(self, intent, saved) self.pick = saved and saved.pick or self:suggest() end,
  save = function(self, out) out.pick = self.pick end,
  suggest = function(self)
    local fit = filter(kept(), function(w) return w.count > 0 and ready(w) == "ready" end)
    return #fit > 0 and full_name(fit[random(#fit)]) or "nothing is ready"
  end,

  view = function(self)
    local value, unpriced = 0, 0
    for _, w in ipairs(kept()) do
      if w.price then value = value + w.price * w.count else unpriced = unpriced + w.count end
    end
    return column {
      toolbar { "Statistics", up = true },
      scroll {
        text { plural(bottles(kept()), "bottle") .. " of " .. plural(#kept(), "wine"), id = "total", size = "large" },
        text { "Worth " .. money(value), id = "value" },
        unpriced > 0 and text { plural(unpriced, "bottle") .. " without a price not counted", id = "unpriced", size = "small" },
        each(COLOURS, function(name, i)
          return text { name .. ": " .. bottles(filter(kept(), function(w) return w.colour == i end)), id = "of_colour" }
        end),
        divider {},
        text { "Tonight: " .. self.pick, id = "pick" },
        button { "Another", id = "another", on_click = function() self.pick = self:suggest() end },
      },
    }
  end,
}

activity "Bin" {
  view = function(self)
    local items = filter(storage.wines, function(w) return w.binned end)
    return column {
      toolbar { "Bin", up = true, actions = { { "Empty", id = "empty_bin", on_click = function()
        self:dialog { title = "Empty the bin?", message = plural(#items, "wine"), cancel = "Cancel",
          ok = "Empty", on_ok = function() storage.wines = kept() end }
      end } } },
      list { id = "bin", items = items, empty = text { "The bin is empty", id = "empty" },
        row = function(w) return column { id = "bin_row", text { full_name(w), id = "name" }, text { plural(w.count, "bottle"), id = "line", size = "small" } } end,
        on_item_click = function(_, w)
          self:popup { { "Restore", id = "restore", on_click = function() w.binned = nil end },
            { "Delete for ever", id = "delete", on_click = function() remove_from(storage.wines, w) end } }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text { "Currency", size = "small" },
      spinner { id = "currency", items = CURRENCIES, selected = prefs.currency, on_change = function(i) prefs.currency = i end },
      switch { "Short rows (no rack)", id = "short", checked = prefs.short, on_change = function(b)
        prefs.short, prefs.show_rack = b, prefs.show_rack and not b
      end },
      switch { "Show the rack in the list", id = "show_rack", checked = prefs.show_rack, on_change = function(b)
        prefs.show_rack, prefs.short = b, prefs.short and not b
      end },
      switch { "Tip of the day", id = "tips", checked = prefs.tips, on_change = function(b) prefs.tips = b end },
    }
  end,
}
