// Settings: what can be chosen on other pages near by and is taken at once. A page is looked at under each of
// them: what works in kilograms need not in pounds, and walks seldom do much after they changed a setting.
#pragma once

#include <vector>

#include "detect/oracles.h"
#include "detect/reading/data.h"

namespace norn {

struct Setting {
  std::vector<Event> way;  ///< from the page to where it is chosen, and back
  NodeId end;              ///< the page then
};

/// Found by trying what the pages offer that one can look at from this one (lookouts.h, page_changes.h).
std::vector<Setting> settings_near(OracleContext& c, DataCache& data, NodeId page);

}  // namespace norn
