// Where one can look from a page: what its buttons, tabs, drawers and menus lead to, the page below, and what
// lies beside that. Found by going there.
#pragma once

#include <optional>
#include <vector>

#include "detect/oracles.h"
#include "detect/reading/data.h"

namespace norn {

struct Lookout {
  std::vector<Event> way;  ///< empty: the page itself
  NodeId end;
};

/// Goes back, a few times at most, until one is on that page again, on the tab of `from` if it is its page;
/// the way, which begins at `from`, then
/// leads there. None: it is not below.
NodeId back_to(OracleContext& c, DataCache& data, NodeId from, std::uint64_t page, std::vector<Event>& way);

/// The touches that lead to a widget by which `wanted` finds something: it stands on this page, or in a menu
/// that a button beside its lists opens. Empty: it is in none.
using FindsWidget = std::optional<std::size_t> (*)(const Screen& screen);
std::vector<Event> touching_it_or_in_menu(OracleContext& c, DataCache& data, NodeId page, FindsWidget wanted);

/// The page itself first, then what lies near. Each shows something else than the others.
std::vector<Lookout> lookouts(OracleContext& c, DataCache& data, NodeId page);

}  // namespace norn
