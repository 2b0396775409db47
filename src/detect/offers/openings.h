// How pages are opened. A page that was opened from another can be left by Back and opened again; the way may
// lead through a menu, a drawer or a question, and begins where its first event finds what it touches on the
// page as it usually stands.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "detect/reading/data.h"
#include "detect/reading/wording.h"

namespace norn {

/// The events that lead from one node to another below it.
std::vector<Event> events_between(const History& tree, NodeId from, NodeId to);

/// The way as it can be gone on this screen: what is not there under its name is the first of its like, as a
/// row may say something else now.
std::vector<Event> as_it_stands(const Screen& screen, std::vector<Event> way);

/// Something that says so (wording.h) was touched between two nodes.
using Says = bool (*)(const Screen& screen, std::size_t widget);
bool touched_between(const History& tree, NodeId from, NodeId to, Says says);
inline bool copies_between(const History& tree, NodeId from, NodeId to) {
  return touched_between(tree, from, to, says_copying);
}

class Openings {
 public:
  Openings(const History& tree, DataCache& data);

  /// The node from whose page the one of `opened` was opened (DataCache::opened).
  NodeId from(NodeId opened);
  /// Back, and what had opened the page of this node; of the first page: starting the app. Empty: that cannot
  /// be told.
  std::vector<Event> leave_and_open(NodeId node);
  /// By page: the other pages that these nodes open from it, each in the way that comes first among them.
  using Ways = std::map<std::uint64_t, std::map<std::uint64_t, std::vector<Event>>>;
  Ways ways_to_pages(const std::vector<NodeId>& nodes);

  /// What the event touches here is on the page as it usually stands, or a row of a list that is.
  bool stands_open(NodeId node, const Event& event);

 private:
  const History& tree_;
  DataCache& data_;
  std::unordered_map<std::uint64_t, NodeId> usual_;  ///< by page: where it stood first
};

}  // namespace norn
