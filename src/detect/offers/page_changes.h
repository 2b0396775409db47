// What can be changed on a page in one go, found by doing it: a field is filled in, a check or a choice is
// touched, a button pressed that leaves one on the page, an entry of a menu or of a choice taken, a row
// pressed long. What a walk happened to do would leave most of it out.
#pragma once

#include <vector>

#include "detect/oracles.h"
#include "detect/reading/data.h"

namespace norn {

struct PageChange {
  std::vector<Event> events;
  NodeId end;              ///< the same page, without a keyboard, showing something else
  std::uint64_t what = 0;  ///< the same for the same change of another item's page
};

/// Fields first. What offers Undo, leaves the page or goes by itself is none.
std::vector<PageChange> page_changes(OracleContext& c, DataCache& data, NodeId page);

/// Pages as they were opened, upright and without a popup, shallow ones first: at most so many of a page that
/// was opened in one way, and of few ways.
std::vector<NodeId> opened_pages(const History& tree, DataCache& data, std::size_t most);

}  // namespace norn
