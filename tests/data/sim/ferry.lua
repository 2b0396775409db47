-- Sailings that are fetched, and greetings that are sent; those that could not be are kept and sent with the
-- next. With the bugs, the page goes on calling itself offline, or shows what is fetched after a failure beside
-- what was there.
app { package = "org.norn.ferry", title = "Ferry", main = "Main", bugs = { "still_offline", "old_beside_new" },
  server = function(request, db)
    if request.path == "/sailings" then return { "Oban 9:10", "Mallaig 11:40", "Ullapool 17:05" } end
    db.sent = (db.sent or 0) + #(request.body or {})
    return { sent = db.sent }
  end }

activity "Main" {
  create = function(self) self.sailings, self.kept, self.sent, self.offline, self.failed = {}, {}, 0, false, false end,
  fetch = function(self)
    net.get { url = "https://ferry.example.org/sailings", latency = 700, on_reply = function(reply)
      if not reply.ok then
        self.offline, self.failed = true, true
        return self:dialog { title = "No connection", message = "Try again later", ok = "OK" }
      end
      if not (self.failed and bug("old_beside_new")) then self.sailings = {} end
      for _, s in ipairs(reply.body) do table.insert(self.sailings, s) end
      if not bug("still_offline") then self.offline = false end
    end }
  end,
  greet = function(self)
    table.insert(self.kept, "Ahoy")
    net.post { url = "https://ferry.example.org/greetings", body = self.kept, latency = 300, on_reply = function(reply)
      if reply.ok then self.kept, self.sent = {}, reply.body.sent end
    end }
  end,
  view = function(self)
    return column {
      toolbar { "Ferry" },
      self.offline and text { "You are offline", id = "offline" },
      button { "Fetch", id = "fetch", on_click = function() self:fetch() end },
      button { "Send a greeting", id = "greet", on_click = function() self:greet() end },
      text { #self.kept .. " kept, " .. self.sent .. " sent", id = "greetings" },
      list { id = "sailings", items = self.sailings, empty = text { "No sailings", id = "empty" },
        row = function(s) return text { s, id = "sailing" } end },
    }
  end,
}
