// Events as people write them: `tap save`, `drag 100,200 500,200` (docs/sim-apps.md, Ground truth). The files
// of known bugs are written so, and a person who records may answer so.
#pragma once

#include <string_view>

#include "base/error.h"
#include "gui/event.h"

namespace norn::sim {

/// One event in the notation of docs/sim-apps.md: `tap save`, `tap row "Milk"`, `type title "x"`, `swipe list
/// up`, `tap 540,300`, `back`, `system broadcast action=x`. Texts in quotes know \" \\ \n and \t. Ids without
/// ':' belong to `package`.
Result<Event> parse_event(std::string_view line, std::string_view package);

}  // namespace norn::sim
