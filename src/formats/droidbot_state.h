// The state files of DroidBot and its descendants (Genie, Kea, Humanoid): one JSON object a screen, the views
// as a flat list that refers to parents by number.
#pragma once

#include <string_view>

#include "base/error.h"
#include "gui/screen.h"

namespace norn {

/// The screen of a state file. Tolerates null and missing fields, views in any order, and files of all the
/// years. `foreground_activity` gives package and activity (completed with the package); inverted bounds are
/// turned round. Refused: what is not JSON or no state, and views that are their own ancestors.
Result<Screen> parse_droidbot_state(std::string_view bytes, std::string_view file);

}  // namespace norn
