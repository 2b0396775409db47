// A generated feature: cards that move through the columns of a board.
#include "device/sim/generate_template.h"

namespace norn::sim {
namespace {

constexpr std::string_view kBoard = R"lua(
local COLUMNS = { "Waiting", "At work", "Finished" }

local function in_column(c) return filter(storage.${key}, function(x) return x.column == c end) end

starters[#starters + 1] = function()
  if storage.${key} then return end
  storage.${key} = ${items}
  for i, x in ipairs(storage.${key}) do x.column = i == #storage.${key} and 2 or 1 end
  ?old_count| storage.${key}_finished = 0
end

activity "${A}Board" {
  create = function(self, intent, saved)
    self.column = saved and saved.column or 1
    self.chosen = saved and saved.chosen
  end,
  save = function(self, out) out.column, out.chosen = self.column, self.chosen end,
  selected_item = function(self)
    if not self.chosen then return nil end
    ?moved_row| if bug("${bug:moved_row}") then return list_get(in_column(self.column), self.chosen) end
    return in_column(self.column)[self.chosen]
  end,
  move = function(self, item, step)
    item.column = item.column + step
    ?old_count| if step > 0 and item.column == 3 then storage.${key}_finished = storage.${key}_finished + 1 end
    ?old_count| if step < 0 and item.column == 2 and not bug("${bug:old_count}") then storage.${key}_finished = storage.${key}_finished - 1 end
    !moved_row| self.chosen = nil
    ?moved_row| if not bug("${bug:moved_row}") then self.chosen = nil end
  end,
  show = function(self, c)
    self.column = c
    !kept_row| self.chosen = nil
    ?kept_row| if not bug("${bug:kept_row}") or #in_column(c) == 0 then self.chosen = nil end
    ?kept_row| if self.chosen and not in_column(c)[self.chosen] then self.chosen = nil end
  end,
  +clear| ask_clear = function(self)
  +clear|   self:dialog { title = "Throw away what is finished?", cancel = "Cancel", ok = "Throw away",
  +clear|     on_ok = function()
  +clear!clear_all|       storage.${key} = filter(storage.${key}, function(x) return x.column ~= 3 end)
  +clear?clear_all|       local shown = self.column
  +clear?clear_all|       storage.${key} = filter(storage.${key}, function(x) return x.column ~= (bug("${bug:clear_all}") and shown or 3) end)
  +clear?old_count|       storage.${key}_finished = 0
  +clear|       self.chosen = nil
  +clear|     end }
  +clear| end,
  menu = function(self)
    return {
      +clear| { "Clear finished", id = "clear", on_click = function() self:ask_clear() end },
      { "Legend", id = "legend", on_click = function() self:dialog { title = "Legend", message = table.concat(COLUMNS, ", "), ok = "OK" } end },
    }
  end,
  finished = function(self)
    ?old_count| if bug("${bug:old_count}") then return storage.${key}_finished end
    return #in_column(3)
  end,
  view = function(self)
    local item = self:selected_item()
    return column {
      toolbar { "${T}", up = true, subtitle = self:finished() .. " finished" },
      tabs { id = "columns", titles = COLUMNS, selected = self.column, on_change = function(c) self:show(c) end },
      row {
        button { "Backward", id = "backward", enabled = item ~= nil and item.column > 1, on_click = function() self:move(item, -1) end },
        button { "Forward", id = "forward", enabled = item ~= nil and item.column < 3, on_click = function() self:move(item, 1) end },
        text { item and item.title .. " is chosen" or "Choose a ${o}", id = "chosen" },
      },
      list { id = "cards", items = in_column(self.column), empty = text { "Nothing here", id = "empty" },
        row = function(x) return text { x.title, id = "card" } end,
        on_item_click = function(i) self.chosen = i end,
        on_item_long_click = function(_, x) self:start("${A}Card", { id = x.id }) end },
    }
  end,
}

activity "${A}Card" {
  view = function(self)
    local item = find(storage.${key}, function(x) return x.id == self.intent.id end)
    if not item then return column { toolbar { "${T}", up = true }, text { "Gone", id = "gone" } } end
    return column {
      toolbar { item.title, up = true },
      text { "In " .. COLUMNS[item.column], id = "where" },
      text { item.amount .. " ${q}", id = "how_many" },
      button { "One more", id = "more", on_click = function() item.amount = item.amount + 1 end },
    }
  end,
}
)lua";

}  // namespace

FeatureTemplate features::board() {
  return {.name = "board",
          .screens = 4,
          .entry = "${A}Board",
          .options = "clear",
          .lua = kBoard,
          .bugs = {{.name = "moved_row",
                    .kind = "crash",
                    .what = "The chosen place stays when its only card has gone to the next column",
                    .events = "tap \"At work\"[0]\ntap card \"${tl}\"\ntap forward",
                    .items = 3},
                   {.name = "old_count",
                    .kind = "functional",
                    .what = "Taking a ${o} back from the finished ones still counts it",
                    .events = "tap \"At work\"[0]\ntap card \"${tl}\"\ntap forward\ntap \"Finished\"[0]\ntap "
                              "card \"${tl}\"\ntap backward",
                    .conflicts = "moved_row"},
                   {.name = "kept_row",
                    .kind = "functional",
                    .what = "Changing the column chooses the card at the same place there",
                    .events = "tap card \"${t1}\"\ntap \"At work\"[0]"},
                   {.name = "clear_all",
                    .kind = "functional",
                    .what = "Clearing what is finished clears the column that is shown",
                    .events = "menu\ntap clear\ntap android:id/button1",
                    .needs = "clear"}}};
}

}  // namespace norn::sim
