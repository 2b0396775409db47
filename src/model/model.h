// The GUI model: a deterministic automaton mined from traces.
//
// The traces already are a prefix tree: the history. Its nodes are merged in Blue-Fringe order: states that
// are final are red, their not yet merged successors blue; each blue node, shallow ones first, is merged into
// the first red state that takes it, or becomes red itself. Two nodes may merge only if their screens are of
// one layout (model/layouts.h), and merging stays deterministic by merging the successors under equal events,
// and so on; if anything fails on the way, all of it is undone. Equal inputs with dissimilar outcomes stay
// two nodes: a flaky edge, shown, not walked.
//
// Added traces are folded in where they fit; the first that contradicts the model, or an event of a new kind,
// makes it mine again from all traces (similarities are remembered).
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/rng.h"
#include "model/layouts.h"
#include "trace/history.h"

namespace norn {

using ModelState = Id<struct ModelStateTag>;

struct ModelEdge {
  EventId event;  ///< as it was performed the first time
  ModelState to;
  bool flaky = false;  ///< the event had dissimilar outcomes from one node
};

class Model {
 public:
  /// The tree outlives the model.
  explicit Model(const History& tree, SimilarOptions options = {});

  /// Adds the path from the root to `end`. Call mine() before looking at states.
  void add(NodeId end);
  /// Brings the states up to date.
  void mine();

  std::size_t nodes() const { return nodes_.size(); }
  std::size_t states() const { return reds_.size(); }
  ModelState initial() const { return reds_.empty() ? ModelState{} : ModelState{0}; }
  /// None: the node was not added (or mine() was not called since).
  ModelState state_of(NodeId node) const;
  LayoutId layout_of(NodeId node) const;
  LayoutId layout(ModelState state) const;
  std::vector<NodeId> members(ModelState state) const;
  std::vector<ModelEdge> edges(ModelState state) const;
  std::size_t transitions() const;
  Layouts& layouts() { return layouts_; }
  std::uint32_t mined() const { return mined_; }  ///< how often from scratch

  /// A random walk from the initial state to `target`: every distinct successor from which the target can
  /// still be reached within the length, plus "stop here" at the target, is equally likely. Empty: there is
  /// none, or it is where it begins.
  std::vector<ModelEdge> random_walk(ModelState target, std::size_t most, Rng& rng) const;
  /// Steps from each state to `target` over edges that are not flaky; -1: no way.
  std::vector<std::int32_t> distances(ModelState target) const;

  /// `state 3  Main (14 inputs)` and its edges, one a line.
  std::string text() const;
  std::string dot() const;

 private:
  struct Node {
    NodeId id;
    std::uint32_t block;  ///< union-find
    std::uint32_t size = 1;
    LayoutId layout;
    bool red = false;
    /// Events to successors (index of a node); meaningful at the block's root.
    std::unordered_map<EventKey, std::uint32_t> next;
  };
  struct Undo;
  std::uint32_t find(std::uint32_t node) const;
  void put(NodeId id);
  void label(Node& node);
  void rebuild();
  bool link(std::uint32_t node, std::vector<std::uint32_t>& blue);
  void settle(std::uint32_t blue);
  bool merge(std::uint32_t a, std::uint32_t b);
  static constexpr std::uint32_t flaky_mark = 0x80000000;

  const History& tree_;
  Layouts layouts_;
  std::vector<Node> nodes_;
  std::unordered_map<NodeId, std::uint32_t> index_;
  std::vector<std::uint32_t> reds_;  ///< a node of each red block
  std::unordered_map<std::uint32_t, std::uint32_t> state_;
  std::size_t linked_ = 0;  ///< nodes before this are in the model
  bool stale_ = true;       ///< must be mined from scratch
  std::uint32_t mined_ = 0;
};

}  // namespace norn
