-- A folder in a folder in a folder that all look alike; in the last there are pictures.
app { package = "org.norn.browser", title = "Browser", main = "Main" }

activity "Main" {
  create = function(self) self.depth = 0 end,
  view = function(self)
    if self.depth < 3 then
      return column { toolbar { "Files" }, button { "foo", id = "foo", on_click = function() self.depth = self.depth + 1 end } }
    end
    return column { toolbar { "Files" }, button { "One", id = "one" }, button { "Two", id = "two" } }
  end,
}
