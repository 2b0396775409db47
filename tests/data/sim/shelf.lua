-- Shelf: parcels with weights and notes, two units, Undo.
-- Each bug shows only for one row of many, under a setting, or once names are written in small letters.
app { package = "org.norn.shelf", title = "Shelf", main = "Main",
  bugs = { "undo_note", "cut_pounds", "coded_order", "stuck_unit", "mirrored", "stars_stay" },
  application = function()
    if storage.parcels then return end
    prefs.unit = "kg"
    storage.next_id = 8
    storage.wishes = { "Twine", "Labels", "Tape", "Scales", "Stamps" }
    storage.stars = 3
    storage.parcels = {}
    for i, name in ipairs { "Anvil", "Basket", "Crate", "Drum", "Easel", "Flask", "Globe" } do
      table.insert(storage.parcels, { id = i, name = name, grams = 1000 * (i + 2), note = i == 5 and "Fragile" or "" })
    end
  end }

local GRAMS = { kg = 1000, lb = 453.592 }
local function show(grams, unit) return format("%.1f %s", grams / GRAMS[unit], unit) end
local function to_grams(number)
  local grams = number * GRAMS[prefs.unit]
  if bug("cut_pounds") then return math.floor(grams / 500) * 500 end
  return math.floor(grams + 0.5)
end
local function order(name) return bug("coded_order") and name or name:lower() end
local function sorted_parcels()
  local out = filter(storage.parcels, function() return true end)
  table.sort(out, function(a, b) return order(a.name) < order(b.name) end)
  return out
end
local function parcel_of(id) return (find(storage.parcels, function(p) return p.id == id end)) end

activity "Main" {
  menu = function(self)
    return { { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      { "Heaviest", id = "heaviest", on_click = function() self:start("Heaviest") end },
      { "Wishes", id = "wishes", on_click = function() self:start("Wishes") end } }
  end,
  delete = function(self, parcel)
    table.remove(storage.parcels, index_of(storage.parcels, parcel))
    self:snackbar("Deleted", "Undo", function()
      if bug("undo_note") then parcel = { id = parcel.id, name = parcel.name, grams = parcel.grams, note = "" } end
      table.insert(storage.parcels, parcel)
    end)
  end,
  view = function(self)
    return column { toolbar { "Shelf" },
      list { id = "parcels", weight = 1, items = sorted_parcels(), empty = text { "Nothing", id = "empty" },
        row = function(p) return row { text { p.name, id = "name", weight = 1 }, text { show(p.grams, prefs.unit), id = "weight" } } end,
        on_item_click = function(_, p) self:start("Parcel", { id = p.id }) end,
        on_item_long_click = function(_, p)
          self:popup { { "Delete", id = "delete", on_click = function() self:delete(p) end } }
        end },
      fab { id = "add", desc = "New parcel", on_click = function() self:start("New") end },
    }
  end,
}

activity "Parcel" {
  view = function(self)
    local p = parcel_of(self.intent.id)
    if not p then return column { toolbar { "Gone", up = true } } end
    return column { toolbar { p.name, up = true },
      text { "Weight: " .. show(p.grams, bug("stuck_unit") and "kg" or prefs.unit), id = "heavy" },
      text { p.note == "" and "No note" or p.note, id = "note" } }
  end,
}

local function extreme(which)
  local out = storage.parcels[1] and storage.parcels[1].grams or 0
  for _, p in ipairs(storage.parcels) do out = which(out, p.grams) end
  return show(out, prefs.unit)
end

activity "Heaviest" {
  view = function(self)
    return column { toolbar { "Heaviest", up = true }, text { "The heaviest: " .. extreme(math.max), id = "most" },
      button { "The lightest", id = "other_end", on_click = function() self:start("Lightest") end } }
  end,
}

activity "Lightest" {
  view = function(self)
    return column { toolbar { "Lightest", up = true }, text { "The lightest: " .. extreme(math.min), id = "least" } }
  end,
}

activity "New" {
  view = function(self)
    return column { toolbar { "New parcel", up = true },
      field { id = "new_name", hint = "Name" },
      field { id = "new_weight", hint = "Weight in " .. prefs.unit, input = "number", max = 4 },
      button { "Save", id = "save", on_click = function()
        local name, number = trim(self:text("new_name")), tonumber(self:text("new_weight"))
        if name == "" or not number then return toast("A name and a weight are needed") end
        storage.next_id = storage.next_id + 1
        table.insert(storage.parcels, { id = storage.next_id, name = name, grams = to_grams(number), note = "" })
        self:finish()
      end } }
  end,
}

-- What is wanted can be deleted, and is rated in a dialog that covers most of the screen.
activity "Wishes" {
  rate = function(self)
    local stars = storage.stars
    self:dialog { title = "How much?", cancel = "Cancel", ok = "OK",
      view = function()
        return column { radios { id = "stars", items = { "None", "One", "Two", "Three", "Four", "Five", "Six", "Seven" }, selected = stars + 1,
          on_change = function(i)
            stars = i - 1
            if bug("stars_stay") then storage.stars = stars end
          end } }
      end,
      on_ok = function() storage.stars = stars end }
  end,
  view = function(self)
    return column { toolbar { "Wishes", up = true },
      text { "Wanted this much: " .. storage.stars, id = "wanted" },
      button { "Rate", id = "rate", on_click = function() self:rate() end },
      list { id = "wanted_list", weight = 1, items = storage.wishes, empty = text { "Nothing", id = "no_wish" },
        row = function(w) return row { text { w, id = "wish" } } end,
        on_item_long_click = function(i)
          self:popup { { "Delete", id = "delete_wish", on_click = function()
            table.remove(storage.wishes, bug("mirrored") and #storage.wishes + 1 - i or i)
          end } }
        end } }
  end,
}

activity "Settings" {
  view = function(self)
    return column { toolbar { "Settings", up = true },
      radios { id = "unit", items = { "Kilogram", "Pound" }, selected = prefs.unit == "kg" and 1 or 2,
        on_change = function(i) prefs.unit = i == 1 and "kg" or "lb" end } }
  end,
}
