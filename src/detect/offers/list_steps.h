// Steps that change a list: on the list itself, in forms and in questions, until one is back on it. What they
// do to other pages is what returned.cc and tours.cc are about.
#pragma once

#include <vector>

#include "detect/offers/openings.h"

namespace norn {

/// A form or a question: what is done there is done to the page below.
bool asks(const ScreenData& data);
/// The same page, set in the same way: another filter shows other rows of the same data. A message may come
/// and go.
bool set_the_same(const ScreenData& a, const ScreenData& b);
/// The same, and no message either: nothing but rows and numbers differs.
bool only_data_differs(const ScreenData& a, const ScreenData& b);

class ListSteps {
 public:
  explicit ListSteps(const History& tree);

  /// Pages that stand still, undisturbed on the way and not too deep, shallow ones first.
  const std::vector<NodeId>& nodes() const { return order_; }
  bool plain(NodeId node);
  /// The last node of this page with nothing but forms and questions since; none: it was set otherwise, or
  /// has no list.
  NodeId last_before(NodeId node);
  /// The row that was touched first on the way from one to the other; null pointers where it was none.
  RowPlace touched(NodeId before, NodeId node);
  /// To the pages that are opened from here, to the one below, and to those that are opened from that; not
  /// more than `most`.
  std::vector<std::vector<Event>> ways_from(NodeId node, std::size_t most);

  DataCache& data() { return data_; }
  Openings& openings() { return openings_; }

 private:
  const History& tree_;
  DataCache data_;
  Openings openings_;
  std::vector<NodeId> order_;
  Openings::Ways ways_;
};

}  // namespace norn
