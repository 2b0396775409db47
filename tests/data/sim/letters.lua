-- Six states, six actions, each action with a line of its own:
--   s0 -a-> s1, s1 -b-> s2, s1 -d-> s4, s2 -c-> s3, s3 -d-> s4, s3 -f-> s5, s4 -e-> s2
app { package = "org.norn.letters", title = "Letters", main = "Main" }

local ways = {
  [0] = { a = 1 }, [1] = { b = 2, d = 4 }, [2] = { c = 3 }, [3] = { d = 4, f = 5 }, [4] = { e = 2 }, [5] = {},
}
local seen = {}
local act = {
  a = function() seen.a = true end,
  b = function() seen.b = true end,
  c = function() seen.c = true end,
  d = function() seen.d = true end,
  e = function() seen.e = true end,
  f = function() seen.f = true end,
}

activity "Main" {
  create = function(self) self.state = 0 end,
  view = function(self)
    local rows = { toolbar { "State " .. self.state } }
    for _, name in ipairs { "a", "b", "c", "d", "e", "f" } do
      local to = ways[self.state][name]
      if to then
        rows[#rows + 1] = button { name, id = name, on_click = function()
          act[name]()
          self.state = to
        end }
      end
    end
    return column(rows)
  end,
}
