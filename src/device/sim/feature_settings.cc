// A generated feature: settings that lead to one another, and a page on which they show.
#include "device/sim/generate_template.h"

namespace norn::sim {
namespace {

constexpr std::string_view kSettings = R"lua(
starters[#starters + 1] = function()
  if prefs.${key}_rows then return end
  prefs.${key}_rows, prefs.${key}_compact, prefs.${key}_hints, prefs.${key}_unit = 4, false, true, "${k1}"
  prefs.${key}_scale = 2
end

local function set_compact(on)
  prefs.${key}_compact = on
  if on then prefs.${key}_rows = 8 end
  !compact_back| if not on then prefs.${key}_rows = 4 end
  ?compact_back| if not on then prefs.${key}_rows = bug("${bug:compact_back}") and 0 or 4 end
end

local function set_hints(on)
  prefs.${key}_hints = on
  !hints_back| prefs.${key}_scale = on and 2 or 1
  ?hints_back| if not on or not bug("${bug:hints_back}") then prefs.${key}_scale = on and 2 or 1 end
end

local function set_unit(i, label)
  !unit_back| prefs.${key}_unit = i == 2 and "${k2}" or "${k1}"
  ?unit_back| prefs.${key}_unit = i == 2 and "${k2}" or bug("${bug:unit_back}") and label or "${k1}"
end

local FACTORS = { [ "${k1}" ] = 1, [ "${k2}" ] = 12 }

activity "${A}Settings" {
  view = function(self)
    return column {
      toolbar { "${T}", up = true },
      switch { "Compact rows", id = "compact", checked = prefs.${key}_compact, on_change = set_compact },
      switch { "Hints", id = "hints", checked = prefs.${key}_hints, on_change = set_hints },
      text "Unit",
      radios { id = "unit", items = { "Usual", "${k2}" }, selected = prefs.${key}_unit == "${k2}" and 2 or 1, on_change = set_unit },
      slider { id = "volume", min = 0, max = 10, step = 1 },
      button { "Preview", id = "preview", on_click = function() self:start("${A}Preview") end },
      button { "Licences", id = "licences", on_click = function() self:dialog { title = "Licences", message = "Free for all", ok = "OK" } end },
    }
  end,
}

activity "${A}Preview" {
  create = function(self) self.page = 1 end,
  view = function(self)
    local pages = 24 // prefs.${key}_rows
    local factor = FACTORS[prefs.${key}_unit]
    return column {
      toolbar { "Preview", up = true },
      text { "Page " .. self.page .. " of " .. pages, id = "page" },
      text { 3 * factor .. " of ${q}, scale " .. prefs.${key}_scale, id = "example" },
      button { "Turn", id = "turn", on_click = function() self.page = self.page % math.max(1, pages) + 1 end },
    }
  end,
}
)lua";

}  // namespace

FeatureTemplate features::settings() {
  return {.name = "settings",
          .screens = 3,
          .entry = "${A}Settings",
          .lua = kSettings,
          .bugs = {{.name = "compact_back",
                    .kind = "crash",
                    .what = "Compact rows, switched on and off, leave no rows",
                    .events = "tap compact\ntap compact\ntap preview"},
                   {.name = "unit_back",
                    .kind = "crash",
                    .what = "Going back to the usual unit stores its label",
                    .events = "tap \"${k2}\"\ntap \"Usual\"\ntap preview"},
                   {.name = "hints_back",
                    .kind = "functional",
                    .what = "Hints, switched off and on, leave another scale",
                    .events = "tap hints\ntap hints\ntap preview"}}};
}

}  // namespace norn::sim
