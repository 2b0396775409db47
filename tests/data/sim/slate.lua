-- Slate: stones on a drawn board of four by four, points for neighbours, Undo.
-- There is always something to undo, so which touches of the board can be is to be learnt; with the bug the points of a stone that is taken back stay.
app { package = "org.norn.slate", title = "Slate", main = "Main", bugs = { "points_stay" },
  application = function()
    if storage.stones then return end
    storage.stones, storage.moves, storage.points = { [1] = true }, { { at = 1, points = 0 } }, 0
  end }

local SIDE = 4
local function neighbours(at)
  local out, column_index = 0, (at - 1) % SIDE
  for _, step in ipairs { column_index > 0 and -1 or 0, column_index < SIDE - 1 and 1 or 0, -SIDE, SIDE } do
    if step ~= 0 and storage.stones[at + step] then out = out + 1 end
  end
  return out
end

activity "Main" {
  place = function(self, at)
    if storage.stones[at] then return end
    local points = neighbours(at)
    storage.stones[at] = true
    storage.points = storage.points + points
    table.insert(storage.moves, { at = at, points = points })
  end,
  undo = function(self)
    local move = table.remove(storage.moves)
    if not move then return end
    storage.stones[move.at] = nil
    if not bug("points_stay") then storage.points = storage.points - move.points end
  end,
  view = function(self)
    local shown = {}
    for at = 1, SIDE * SIDE do shown[at] = storage.stones[at] and "o" or "." end
    return column { toolbar { "Slate" },
      canvas { id = "slate", height = 1200, desc = table.concat(shown), on_tap = function(x, y)
        local width, height = self:size("slate")
        local column_index, row_index = math.min(SIDE - 1, x * SIDE // width), math.min(SIDE - 1, y * SIDE // height)
        self:place(math.tointeger(row_index * SIDE + column_index + 1))
      end },
      text { "Points: " .. storage.points, id = "points" },
      button { "Undo", id = "undo", on_click = function() self:undo() end } }
  end,
}
