// Where to try an expectation: inputs that end in the app, one of each layout a round. Within a layout those
// come first whose fixtures (everything but the rows of lists) were not tried yet, or not of a page that was
// opened so, then other contents, shallow ones before deep ones: a bug that needs a filter, a mode or a
// chosen option is on a screen that shows it, not on the hundredth list of other rows.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "detect/oracles.h"

namespace norn {

/// Everything the screen shows but what its lists hold, focus and how the device is held.
std::uint64_t fixtures_shown(const Screen& screen);

/// A screen of the app, held upright, without a keyboard.
bool stands_upright(const Screen& screen);

/// Something was swiped or dragged on the way: its lists may show another part of what they hold.
bool swiped(const History& tree, NodeId node);

/// Nothing was scrolled on the way, the device was not turned, and the system left the app alone; it may have
/// been left and started again.
bool undisturbed(const History& tree, NodeId node);

class Places {
 public:
  /// `scrolled`: those too where lists may stand elsewhere than at their beginning.
  explicit Places(OracleContext& context, bool scrolled = true);
  /// One node of each layout that has any left; empty: all were given out.
  std::vector<std::pair<LayoutId, NodeId>> next();

 private:
  std::map<LayoutId, std::vector<NodeId>> nodes_;
  std::size_t round_ = 0;
};

}  // namespace norn
