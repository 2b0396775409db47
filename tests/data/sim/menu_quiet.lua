-- A menu that opens and closes without code of its own for either: opening and closing it in between adds nothing.
app { package = "org.norn.browser", title = "Browser", main = "Main" }

activity "Main" {
  view = function(self)
    local rows = { toolbar { "Files" }, button { "Menu", id = "menu", on_click = function() self.open = not self.open end } }
    if self.open then rows[#rows + 1] = button { "Option", id = "option", on_click = function() self:start("Options") end } end
    return column(rows)
  end,
}

activity "Options" {
  view = function(self) return column { toolbar { "Options" }, check { "Hidden files", id = "hidden" } } end,
}
