-- Who has the watch: one of a list, of which there are two. With the bug, the other list takes over the place that was touched.
app { package = "org.norn.watch", title = "Watch", main = "Main", bugs = { "takes_over" } }

local CREWS = { { "Anton", "Berta", "Cedric", "Dora", "Emil" }, { "Fanny", "Georg", "Hanna", "Ivo", "Jule" } }

activity "Main" {
  create = function(self, intent, saved)
    self.crew, self.place = saved and saved.crew or 1, saved and saved.place
  end,
  save = function(self, out) out.crew, out.place = self.crew, self.place end,
  view = function(self)
    local names = CREWS[self.crew]
    return column {
      toolbar { "Watch" },
      text { self.place and names[self.place] .. " has the watch" or "Nobody", id = "who" },
      tabs { id = "crews", titles = { "Port", "Starboard" }, selected = self.crew, on_change = function(c)
        self.crew = c
        if not bug("takes_over") then self.place = nil end
      end },
      list { id = "crew", items = names, row = function(n) return text { n, id = "member" } end,
        on_item_click = function(i) self.place = i end },
    }
  end,
}
