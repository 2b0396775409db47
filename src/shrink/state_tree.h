// The state tree of a trace groups its events by the state in which each was received: an event received in a
// state already on the way here closes the detour in between and stands beside the earlier event.
//
//     received in   A  A  B  C  B  A  B  (crash)          0  1            5
//     event         0  1  2  3  4  5  6                      └─ 2  4      └─ 6
//                                                               └─ 3
//
// The root stands for the launch; it is always executed and never a candidate, so it is not among the nodes:
// node i is thing i of the list. Walking up from the previous node, the first node in the same state gets the
// new one as its next sibling; if there is none, the new one becomes a child of the previous node. So nodes
// come in pre-order, a subtree is a range of the list, all children of a node share one state, states on a
// path are pairwise distinct, and the last thing (the crash) and its ancestors are the last nodes of their
// levels.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gui/abstraction.h"

namespace norn {

class StateTree {
 public:
  static constexpr std::uint32_t root = 0xffffffff;

  /// states[i]: in which thing i was received. O(n).
  explicit StateTree(std::span<const StateId> states);

  std::uint32_t size() const { return static_cast<std::uint32_t>(parent_.size()); }
  std::uint32_t parent(std::uint32_t node) const { return parent_[node]; }
  /// 1 for the children of the root.
  std::uint32_t depth(std::uint32_t node) const { return depth_[node]; }
  /// Its subtree is [node, node + weight(node)).
  std::uint32_t weight(std::uint32_t node) const { return weight_[node]; }
  std::vector<std::uint32_t> children(std::uint32_t node) const;
  /// From the first level down to the node, itself included.
  std::vector<std::uint32_t> path(std::uint32_t node) const;

 private:
  std::vector<std::uint32_t> parent_, depth_, weight_;
};

/// One node a line, indented by depth (at most 30 levels, deeper ones say how deep): `label` gives the text.
std::string outline(const StateTree& tree, const std::function<std::string(std::uint32_t)>& label);

}  // namespace norn
