// What the tree holds, as the suite wants it: nodes as links, and everything that must not be lost (lines of
// code, abstract screens, distinct crashes) as numbered items.
//
// An event has its price, and a wait takes the time it waits besides. What else is slow in an app the tree does
// not hold: that a whole run took longer than its events' prices is told with slower().
#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "suite/paths.h"

namespace norn {

/// A step: an event on an abstract screen, whatever came of it.
enum class ItemKind : std::uint8_t { code, screen, crash, step };

/// What else must be equal where paths are cut or joined, besides the abstract state.
enum class Joints : std::uint8_t {
  none,       ///< nothing: the paper
  structure,  ///< the widget tree with its texts, volatile ones masked
  exact,      ///< the whole screen: the released code
};

class Material {
 public:
  /// `steps`: they are items too.
  Material(const History& tree, Knowledge& known, Abstraction state, Joints joints, bool steps = false);

  /// The path from the root to `end`.
  Path path(NodeId end);
  /// Its last link.
  Link link(NodeId node);
  Joint start();
  Joint loose_start();
  /// What every run that came to this node hit with the step into it.
  ItemSet surely(NodeId node);
  /// Seconds that an event takes beyond its price, whatever it is done on.
  double more(EventId event) const;
  /// A run to `end` took so many seconds more than its links say. Which of them did nobody knows: each has its
  /// part in it, for what is asked from now on.
  void slower(NodeId end, double seconds);
  /// What a clean start alone hits: every suite has it.
  ItemSet base();

  const ItemSet& of_kind(ItemKind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  ItemKind kind(std::uint32_t item) const { return facts_[item].kind; }
  /// The code id, state or crash signature.
  std::uint64_t value(std::uint32_t item) const { return facts_[item].value; }
  /// For people: `line 17`, `screen Main`, `crash NullPointerException at ...`.
  std::string name(std::uint32_t item) const;
  const Crash* crash(std::uint32_t item) const;
  NodeId example(std::uint32_t item) const { return facts_[item].example; }  ///< a node that hits it

 private:
  struct Fact {
    ItemKind kind;
    std::uint64_t value;
    NodeId example;
  };
  std::uint32_t item(ItemKind kind, std::uint64_t value, NodeId example);
  const ItemSet& code_items(CoverageId id, NodeId example);
  StateId state(ScreenId screen);
  Joint joint(NodeId node, const Sample& sample, Joints joints);

  const History& tree_;
  Knowledge& known_;
  Abstraction abstraction_;
  Joints joints_;
  bool steps_;
  std::vector<Fact> facts_;
  std::array<std::unordered_map<std::uint64_t, std::uint32_t>, 4> numbers_;
  std::array<ItemSet, 4> kinds_;
  std::unordered_map<CoverageId, ItemSet> codes_;
  std::unordered_map<ScreenId, StateId> states_;
  std::unordered_map<NodeId, Link> links_;
};

}  // namespace norn
