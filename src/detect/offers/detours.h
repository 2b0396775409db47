// Shorter ways to what a walk found. A walk opens pages and comes back to the one it left, as it was left:
// what it did there seldom matters for what it does next, but every pair of ways that begins deep pays for it
// twice. What was done on a page itself stays, also where nothing of it is to be seen.
#pragma once

#include <map>
#include <vector>

#include "detect/oracles.h"
#include "detect/reading/data.h"

namespace norn {

class WithoutDetours {
 public:
  WithoutDetours(OracleContext& c, DataCache& data) : c_(c), data_(data) {}

  /// For each of these nodes one on whose screen the way ends without its detours, or the node itself where
  /// there are none, or it ends elsewhere. All of them are tried at once.
  std::vector<NodeId> of(const std::vector<NodeId>& nodes);

 private:
  std::vector<Event> shorter(NodeId node);

  OracleContext& c_;
  DataCache& data_;
  std::map<NodeId, NodeId> known_;
};

}  // namespace norn
