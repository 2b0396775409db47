-- A counter with three screens: the smallest app that has everything a first test needs.
app {
  package = "org.norn.counter", title = "Counter", main = "Main",
  bugs = { "divide_by_zero", "lost_on_rotation" },
}

activity "Main" {
  create = function(self, intent, saved)
    self.count = saved and saved.count or 0
  end,
  save = function(self, out)
    if not bug("lost_on_rotation") then out.count = self.count end
  end,
  result = function(self, request, data)
    if request == "step" and data then self.count = self.count + data.step end
  end,
  view = function(self)
    return column {
      toolbar { "Counter" },
      text { "Count: " .. self.count, id = "count", size = "large" },
      button { "Add one", id = "add", on_click = function() self.count = self.count + 1 end },
      button { "Add more", id = "more", on_click = function() self:start_for_result("Step", "step") end },
      button { "Share of ten", id = "share", on_click = function() self:start("Share", { count = self.count }) end },
    }
  end,
}

activity "Step" {
  view = function(self)
    return column {
      toolbar { "How many?", up = true },
      field { id = "step", hint = "A number", input = "number" },
      button { "OK", id = "ok", on_click = function() self:finish { step = parse_int(self:text("step")) } end },
    }
  end,
}

activity "Share" {
  create = function(self, intent)
    if intent.count == 0 and not bug("divide_by_zero") then
      self.share = 0
    else
      self.share = 10 // intent.count
    end
  end,
  view = function(self)
    return column {
      toolbar { "Share", up = true },
      text { "Each gets " .. self.share, id = "share" },
    }
  end,
}
