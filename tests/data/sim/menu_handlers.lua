-- A menu with code for opening and other code for closing: a trace that never closes it misses a line.
app { package = "org.norn.browser", title = "Browser", main = "Main" }

activity "Main" {
  toggle = function(self)
    if self.open then
      self.open = false
    else
      self.open = true
    end
  end,
  view = function(self)
    local rows = { toolbar { "Files" }, button { "Menu", id = "menu", on_click = function() self:toggle() end } }
    if self.open then rows[#rows + 1] = button { "Option", id = "option", on_click = function() self:start("Options") end } end
    return column(rows)
  end,
}

activity "Options" {
  view = function(self) return column { toolbar { "Options" }, check { "Hidden files", id = "hidden" } } end,
}
