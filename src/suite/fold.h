// Which state is the app in, behind a screen? Nobody sees that, but what it does next tells. The tree of runs
// is folded: two moments that look alike are taken for one state unless the same events did something else
// from there on, and so are those that follow from them (state merging, as automata are learnt from
// examples).
//
//     start -a-> P -b-> Q -a-> P'            P' is P again, unless b led elsewhere from it:
//                       `-c-> R                    start -a-> P -b-> Q -c-> R
//                                                             `<-a---'
//
// Most evidence first: what much is known of is settled before what little is known of follows it. The
// outcome agrees with everything that was added and guesses at the rest. It is good for plans; whether they
// work is for a device to say.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "suite/material.h"

namespace norn {

class Folding {
 public:
  Folding(const History& tree, Material& material);

  /// A run that came to this node.
  void add(NodeId end);
  /// Anew, with all that was added.
  void fold();

  /// Moments that were compared in the last fold(): what it took, the same on every machine.
  std::uint64_t work() const { return work_; }

  struct Way {
    std::uint32_t to = 0;
    const Link* link = nullptr;
    double trust = 1;  ///< how likely it is to happen again, as far as what looks alike tells
  };
  /// After fold(): states, 0 is that of the start.
  std::size_t size() const { return ways_.size(); }
  /// What is known to happen in a state, each event once.
  std::span<const Way> ways(std::uint32_t state) const { return ways_[state]; }
  /// The state a run was in at a node. REQUIRES: it was added before the last fold().
  std::uint32_t state(NodeId node) const { return number_[find(index_.at(node))]; }
  /// Everything that was added, as one tree: moments by number, 0 is the start, each after the one before it.
  std::size_t moments() const { return moments_.size(); }
  struct Step {
    std::uint32_t before, state;  ///< the moment before it, and the state that was in
    const Link* link;
  };
  Step step(std::uint32_t moment) const {
    const Moment& m = moments_[moment];
    return {m.before, number_[find(m.before)], &m.link};
  }

 private:
  using Index = std::uint32_t;
  struct Moment {
    NodeId node;
    Index before;         ///< the moment before it; its own of the start
    std::uint64_t alike;  ///< may be one state only if this is equal
    std::uint64_t look;   ///< more likely if this is too
    Link link;            ///< the step into it
  };
  struct Union {
    Index from, into;
    std::size_t steps;  ///< of `into` before
  };

  Index find(Index i) const {
    while (group_[i] != i) i = group_[i];
    return i;
  }
  struct Choice {
    std::size_t evidence = 0;  ///< 0: it is like none
    Index state = 0;
  };
  void begin();
  /// The settled state that most speaks for.
  Choice likest(Index moment);
  void settle(Index moment, const Choice& as);
  /// Takes both for one state with all that follows; false, and nothing has changed: that contradicts what
  /// was seen.
  bool join(Index a, Index b);
  bool join_one(Index a, Index b);
  void undo();
  void await_steps(Index group);
  void number_states();
  void set_trust();

  const History& tree_;
  Material& material_;
  std::vector<Moment> moments_;
  std::unordered_map<NodeId, Index> index_;
  std::vector<Index> group_;               ///< towards the one that stands for its state
  std::vector<std::vector<Index>> steps_;  ///< of a state: the moments after it, each event once
  std::vector<Index> below_;               ///< moments after it, however late
  std::vector<char> settled_;
  std::unordered_map<std::uint64_t, std::vector<Index>> alike_;  ///< settled ones
  std::vector<std::pair<std::size_t, Index>> waiting_;           ///< a heap: (evidence at most, the moment)
  std::vector<std::pair<Index, Index>> open_;                    ///< pairs to be joined
  std::vector<Union> joined_;
  std::uint64_t work_ = 0;
  std::vector<std::uint32_t> number_;
  std::vector<std::vector<Way>> ways_;
};

}  // namespace norn
