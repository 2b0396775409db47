-- Twelve rooms one behind the other. The small door leads on; the large trap leads back to the first room. Pressing
-- blindly hardly ever comes far: this is what going back to a saved state is for.
app { package = "org.example.ladder", title = "Ladder", main = "Room" }

local names = {
  function() return "cellar" end,
  function() return "kitchen" end,
  function() return "hall" end,
  function() return "stairs" end,
  function() return "library" end,
  function() return "study" end,
  function() return "bedroom" end,
  function() return "bath" end,
  function() return "attic" end,
  function() return "roof" end,
  function() return "chimney" end,
  function() return "sky" end,
}

activity "Room" {
  create = function(self, _, saved) self.room = saved and saved.room or 1 end,
  save = function(self, out) out.room = self.room end,
  view = function(self)
    local name = names[self.room]()
    return column {
      button { "On", id = "from_" .. name, weight = 1,
               on_click = function() self.room = math.min(self.room + 1, #names) end },
      button { "Trap", id = "trap", weight = 3, on_click = function() self.room = 1 end },
    }
  end,
}
