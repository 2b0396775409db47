-- A form with texts and choices, and a length of time that is set. One bug forgets a choice when the form is saved, one a text
-- unless the other was changed, too, one the minutes of the time.
app { package = "org.norn.parcel", title = "Parcel", main = "Main", bugs = { "lost_carrier", "lost_to", "minutes" } }

local CARRIERS = { "Ants", "Bees", "Cranes", "Doves", "Eagles", "Foxes" }
local SIZES = { "Tiny", "Small", "Large", "Huge" }

activity "Main" {
  create = function() storage.parcel = storage.parcel or { from = "Lund", to = "Oslo", carrier = "Ants", size = "Small" } end,
  view = function(self)
    return column {
      toolbar { "Parcel" },
      button { "Edit", id = "edit", on_click = function() self:start("Edit") end },
      button { "Pause", id = "pause", on_click = function() self:start("Pause") end },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    self.carrier = saved and saved.carrier or storage.parcel.carrier
    self.size = saved and saved.size or storage.parcel.size
  end,
  save = function(self, out) out.carrier, out.size = self.carrier, self.size end,
  choose = function(self, what, items) self:dialog { title = what, items = items, on_item = function(i) self[what] = items[i] end } end,
  view = function(self)
    return column {
      toolbar { "Edit", up = true },
      field { id = "from", hint = "From", text = storage.parcel.from },
      field { id = "to", hint = "To", text = storage.parcel.to },
      button { self.carrier, id = "carrier", on_click = function() self:choose("carrier", CARRIERS) end },
      button { self.size, id = "size", on_click = function() self:choose("size", SIZES) end },
      button { "Save", id = "save", on_click = function()
        local p = storage.parcel
        if not bug("lost_to") or self:text("from") ~= p.from then p.to = self:text("to") end
        p.from, p.size = self:text("from"), self.size
        if not bug("lost_carrier") then p.carrier = self.carrier end
        self:hide_keyboard()
        self:finish()
      end },
    }
  end,
}

activity "Pause" {
  view = function(self)
    return column {
      toolbar { "Pause", up = true },
      field { id = "length", hint = "Length", text = "0:30" },
      button { "Set", id = "set", on_click = function()
        local m, s = self:text("length"):match("^(%d+):(%d%d)$")
        if not m then return toast("Minutes and seconds, please") end
        local all = (bug("minutes") and 0 or 60 * tonumber(m)) + tonumber(s)
        self:set_text("length", string.format("%d:%02d", all // 60, all % 60))
      end },
    }
  end,
}
