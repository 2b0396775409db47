-- Lamps and rooms: a bug needs three things done in one room in the right order, another one a rotation at the wrong time.
app { package = "org.example.lamps", title = "Lamps", main = "Main", bugs = { "fuse", "lost_room", "empty_scene" } }

local rooms = { "Kitchen", "Hall", "Cellar" }

activity "Main" {
  view = function(self)
    return column {
      toolbar { "Lamps" },
      list { id = "rooms", items = rooms, on_item_click = function(i) self:start("Room", { room = rooms[i] }) end },
      button { "Scenes", id = "scenes", on_click = function() self:start("Scenes") end },
    }
  end,
}

activity "Room" {
  create = function(self, _, saved) self.on, self.dim = saved and saved.on or false, saved and saved.dim or 0 end,
  save = function(self, out)
    out.on = self.on
    if not bug("lost_room") then out.dim = self.dim end
  end,
  view = function(self)
    return column {
      toolbar { self.intent.room, up = true },
      switch { "Light", id = "light", checked = self.on, on_change = function(on) self.on = on end },
      button { "Dim", id = "dim", enabled = self.on, on_click = function()
        self.dim = self.dim + 1
        if bug("fuse") and self.dim == 3 and self.intent.room == "Cellar" then
          throw("java.lang.ArithmeticException", "no such level")
        end
        self.dim = self.dim % 4
      end },
      button { "Keep as scene", id = "keep", on_click = function()
        storage.scenes = storage.scenes or {}
        table.insert(storage.scenes, self.intent.room .. " " .. self.dim)
      end },
    }
  end,
}

activity "Scenes" {
  view = function(self)
    return column {
      toolbar { "Scenes", up = true },
      list { id = "kept", items = storage.scenes or {} },
      button { "Play last", id = "play", on_click = function()
        local scenes = storage.scenes or {}
        if #scenes == 0 and not bug("empty_scene") then return toast("No scene") end
        toast("Playing " .. scenes[#scenes]:upper())
      end },
    }
  end,
}
