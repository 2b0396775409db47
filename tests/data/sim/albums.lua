-- Albums whose pictures can be selected. With the bug, leaving an album by the arrow keeps the selected places for the next one.
app { package = "org.norn.albums", title = "Albums", main = "Main", bugs = { "selection" } }

local ALBUMS = { Garden = { "rose", "pond", "bench" }, Holidays = { "beach", "harbour", "boat" }, Town = { "square", "bridge", "tower" } }
local selected = {}

activity "Main" {
  view = function(self)
    return column {
      toolbar { "Albums" },
      list { id = "albums", items = { "Garden", "Holidays", "Town" }, row = function(a) return text { a, id = "album" } end,
        on_item_click = function(_, a) self:start("Album", { name = a }) end },
    }
  end,
}

activity "Album" {
  create = function(self, intent, saved)
    if not saved and not bug("selection") then selected = {} end
  end,
  view = function(self)
    return column {
      toolbar { self.intent.name, up = true },
      list { id = "pictures", items = ALBUMS[self.intent.name],
        row = function(p, i) return row { text { p, id = "picture", weight = 1 }, selected[i] and text { "selected", id = "mark" } } end,
        on_item_long_click = function(i) selected[i] = not selected[i] or nil end },
    }
  end,
}
