// A generated feature: goods, a basket of them, vouchers, and a receipt.
#include "device/sim/generate_template.h"

namespace norn::sim {
namespace {

constexpr std::string_view kBasket = R"lua(
local GOODS = { { "${t1}", ${p1} }, { "${t2}", ${p2} }, { "${k1}", ${p3} } }
local CODES = { [ "${code}" ] = 100, TENTH = 10 }

local function total()
  local sum = 0
  for _, line in ipairs(storage.${key}) do sum = sum + line.price * line.pieces end
  return sum - sum * math.min(100, storage.${key}_off) // 100
end

starters[#starters + 1] = function()
  storage.${key} = storage.${key} or {}
  storage.${key}_off = storage.${key}_off or 0
  storage.${key}_used = storage.${key}_used or {}
end

activity "${A}Goods" {
  view = function(self)
    return column {
      toolbar { "${T}", up = true, actions = { { "Basket", id = "basket", on_click = function() self:start("${A}Basket") end } } },
      text { "Voucher of the month: ${code}", id = "voucher", size = "small" },
      list { id = "goods", items = GOODS,
        row = function(g) return row { text { g[1], id = "good", weight = 1 }, text { tostring(g[2]), id = "price" } } end,
        on_item_click = function(_, g)
          local line = find(storage.${key}, function(l) return l.name == g[1] end)
          if line then line.pieces = line.pieces + 1 else table.insert(storage.${key}, { name = g[1], price = g[2], pieces = 1 }) end
        end },
    }
  end,
}

activity "${A}Basket" {
  create = function(self) self.shown = nil end,
  fewer = function(self, i)
    local line = storage.${key}[i]
    line.pieces = line.pieces - 1
    if line.pieces > 0 then return end
    table.remove(storage.${key}, i)
    ?removed_line| if bug("${bug:removed_line}") then toast(list_get(storage.${key}, i).name .. " is next") end
  end,
  redeem = function(self, code)
    local off = CODES[code]
    if not off then return toast("Unknown voucher") end
    !voucher_twice| if storage.${key}_used[code] then return toast("Used before") end
    ?voucher_twice| if storage.${key}_used[code] and not bug("${bug:voucher_twice}") then return toast("Used before") end
    storage.${key}_used[code] = true
    storage.${key}_off = storage.${key}_off + off
  end,
  ask_voucher = function(self)
    self:set_text("voucher_code", "")
    self:dialog { title = "Voucher", cancel = "Cancel", ok = "Redeem",
      view = function() return column { field { id = "voucher_code", hint = "Code" } } end,
      on_ok = function() self:redeem(trim(self:text("voucher_code"))) end }
  end,
  pay = function(self)
    local sum = total()
    if #storage.${key} == 0 then return toast("The basket is empty") end
    !free_lunch| local points = sum == 0 and 0 or 10000 // sum
    ?free_lunch| local points = sum == 0 and not bug("${bug:free_lunch}") and 0 or 10000 // sum
    storage.${key}, storage.${key}_off, storage.${key}_used = {}, 0, {}
    self:start("${A}Receipt", { sum = sum, points = points })
    self:finish()
  end,
  menu = function(self)
    return { { "Empty the basket", id = "empty_basket", on_click = function()
      storage.${key} = {}
      !voucher_stays| storage.${key}_off, storage.${key}_used = 0, {}
      ?voucher_stays| if not bug("${bug:voucher_stays}") then storage.${key}_off, storage.${key}_used = 0, {} end
    end } }
  end,
  view = function(self)
    return column {
      toolbar { "Basket", up = true, subtitle = storage.${key}_off > 0 and storage.${key}_off .. " % off" or nil },
      list { id = "lines", items = storage.${key}, empty = text { "Empty", id = "empty" },
        row = function(line, i)
          return row { text { line.pieces .. " x " .. line.name, id = "line", weight = 1 },
            button { "-", id = "fewer", on_click = function() self:fewer(i) end } }
        end },
      text { "Total " .. total(), id = "total", size = "large" },
      row {
        button { "Voucher", id = "ask_voucher", on_click = function() self:ask_voucher() end },
        button { "Pay", id = "pay", on_click = function() self:pay() end },
      },
    }
  end,
}

activity "${A}Receipt" {
  view = function(self)
    return column {
      toolbar { "Receipt", up = true },
      text { "Paid " .. (self.intent.sum or 0), id = "paid" },
      text { (self.intent.points or 0) .. " points", id = "points" },
    }
  end,
}
)lua";

}  // namespace

FeatureTemplate features::basket() {
  return {
      .name = "basket",
      .screens = 5,
      .entry = "${A}Goods",
      .lua = kBasket,
      .bugs = {
          {.name = "removed_line",
           .kind = "crash",
           .what = "Taking the last piece of the last line names a line that is gone",
           .events = "tap good \"${t1}\"\ntap basket\ntap fewer"},
          {.name = "free_lunch",
           .kind = "crash",
           .what = "Points for a price of nothing",
           .events = "tap good \"${t2}\"\ntap basket\ntap ask_voucher\ntype voucher_code \"${code}\"\ntap "
                     "android:id/button1\ntap pay"},
          {.name = "voucher_twice",
           .kind = "functional",
           .what = "A voucher counts every time",
           .events = "tap basket\ntap ask_voucher\ntype voucher_code \"TENTH\"\ntap android:id/button1\ntap "
                     "ask_voucher\ntype voucher_code \"TENTH\"\ntap android:id/button1"},
          {.name = "voucher_stays",
           .kind = "functional",
           .what = "Emptying the basket keeps the voucher",
           .events = "tap basket\ntap ask_voucher\ntype voucher_code \"TENTH\"\ntap "
                     "android:id/button1\nmenu\ntap empty_basket"}}};
}

}  // namespace norn::sim
