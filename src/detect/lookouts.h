// Where one can look from a page: what its buttons, tabs, drawers and menus lead to, the page below, and what lies beside that. Found by going there.
#pragma once

#include <vector>

#include "detect/data.h"
#include "detect/oracles.h"

namespace norn {

struct Lookout {
  std::vector<Event> way;  ///< empty: the page itself
  NodeId end;
};

/// Goes back, a few times at most, until one is on that page again; the way, which begins at `from`, then leads there. None: it is not below.
NodeId back_to(OracleContext& c, DataCache& data, NodeId from, std::uint64_t page, std::vector<Event>& way);

/// The page itself first, then what lies near. Each shows something else than the others.
std::vector<Lookout> lookouts(OracleContext& c, DataCache& data, NodeId page);

}  // namespace norn
