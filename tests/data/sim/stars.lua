-- Songs that can be given a star. With the bug, taking a star away takes the newest one.
app { package = "org.norn.stars", title = "Stars", main = "Main", bugs = { "newest_star" } }

activity "Main" {
  create = function() storage.stars = storage.stars or {} end,
  view = function(self)
    return column {
      toolbar { "Songs" },
      list { id = "songs", items = { "Aria", "Ballad", "Chorale", "Duet", "Etude", "Fugue", "Gavotte", "Hymn", "Jig", "Lied" }, row = function(s) return text { s, id = "song" } end,
        on_item_click = function(_, s) self:start("Song", { name = s }) end },
    }
  end,
}

activity "Song" {
  view = function(self)
    local _, k = find(storage.stars, function(s) return s == self.intent.name end)
    return column {
      toolbar { self.intent.name or "Song", up = true },
      button { k and "Take the star away" or "Give a star", id = "star", on_click = function()
        if not k then table.insert(storage.stars, self.intent.name) else table.remove(storage.stars, bug("newest_star") and #storage.stars or k) end
      end },
    }
  end,
}
