// Every edge of the tree is one input (the path to its node) and what one event did there. Groups collect
// them by what is comparable: the layout of the screen before and the role of the event (model/role.h), twice
// where the role is general enough to cover several labels: once for the label, once for any row.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "detect/odin/cluster.h"
#include "gui/popup.h"
#include "model/model.h"
#include "model/role.h"

namespace norn {

struct Group {
  LayoutId layout;
  Event event;  ///< as it was seen first
  Role role;    ///< of that event
  bool general = false;
  std::vector<Behaviour> behaviours;                        ///< one a node
  std::unordered_map<std::uint64_t, std::uint32_t> prints;  ///< under the first rules: how many behave so
};
std::uint64_t group_key(LayoutId layout, std::uint64_t role);

class Groups {
 public:
  Groups(const History& tree, Layouts& layouts, const ClusterOptions& options)
      : tree_(tree),
        layouts_(layouts),
        rules_(first_rules(options)),
        prints_(tree, options.texts || options.simple) {}

  /// Takes in the edges that were appended since the last call.
  void update();
  /// Begins anew: layouts were given anew.
  void reset();

  const std::unordered_map<std::uint64_t, Group>& all() const { return groups_; }
  const Group* find(LayoutId layout, std::uint64_t role) const;
  /// Groups (keys) of a layout whose events differ by more than the label of a row.
  const std::vector<std::uint64_t>& of(LayoutId layout) const;
  LayoutId layout_of(NodeId node);
  /// The nearest page that is no popup, on the way here or here itself.
  NodeId page_under(NodeId node) const;
  Prints& prints() { return prints_; }
  std::uint64_t pairs() const { return pairs_; }

 private:
  bool started_apart(NodeId before, NodeId after, const Event& event);
  void put(NodeId before, NodeId after, const Event& event, const Role& role, std::uint64_t key,
           bool general);

  const History& tree_;
  Layouts& layouts_;
  Rules rules_;
  Prints prints_;
  std::size_t next_ = 1;
  std::uint64_t pairs_ = 0;
  std::unordered_map<std::uint64_t, Group> groups_;
  std::unordered_map<LayoutId, std::vector<std::uint64_t>> by_layout_;
  std::unordered_map<NodeId, LayoutId> layout_;
  std::unordered_set<NodeId> apart_;
};

}  // namespace norn
