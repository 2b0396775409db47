// T_k: all paths from the start made of at most k fragments of the library's traces, joined where joints are
// equal; and in it the path that adds most to what is confirmed. T_k is exponential: it is searched, never
// written down.
//
// The library is kept as one tree (traces that begin alike share their beginning), a fragment is a way down
// in it, a switch a move to another node with the same joint. The search goes depth first, the most promising
// move first, and leaves out every branch whose upper bound is below the best path found:
//
//     gain so far + min( the most that r more switches could add, counted fragment by fragment;
//                        the size of everything within reach of r switches that is not had yet )
//
// and, where the bound only equals the best gain, every branch that could not be shorter. The bounds are
// tables over (node, switches left), made anew only when what is wanted has changed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "suite/paths.h"

namespace norn {

struct Splice {
  Path path;
  std::uint32_t fragments = 1;
  std::uint64_t gain = 0;
};

class Splices {
 public:
  /// `work`: words of bit sets a search may look at; beyond that the best so far is the answer. `known`
  /// outlives it; what it learns later is heeded. REQUIRES: k > 0.
  Splices(std::span<const Path> library, Joint start, const Knowledge& known, std::uint32_t k,
          std::uint64_t work = 2'000'000);

  /// The path that adds most of what is wanted; of equal ones the one with fewer links, then with fewer
  /// fragments. Nothing: no path of T_k that may be tried adds anything.
  std::optional<Splice> best(const ItemSet& wanted);

 private:
  using Word = std::uint64_t;
  struct Node {
    const Link* link = nullptr;  ///< null at the root
    std::uint32_t parent = 0;
    Joint joint = 0;
    std::vector<std::uint32_t> children{};
    std::uint32_t height = 0;  ///< links to the deepest leaf below
  };
  struct Move {
    std::uint32_t node, fragments, cost;
    std::uint64_t gain, bound;
    PrefixHash prefix;
  };
  struct Frame {
    Move at;
    std::vector<Move> moves;
    std::size_t next = 0;
  };

  void add(const Path& path);
  void set_groups();
  void prepare(const ItemSet& wanted);
  void set_own(const ItemSet& wanted);
  void set_reach(std::uint32_t r);
  void set_most(std::uint32_t r);
  void set_least(std::uint32_t r);
  std::vector<Move> moves_from(const Move& at, const Word* has);
  void consider(const Move& from, std::uint32_t node, std::uint32_t fragments, const Word* has,
                std::vector<Move>& moves);
  void rate(Move& move, const Word* has, const ItemSet* special);
  bool better(const Move& move) const;
  bool hopeless(const Move& move) const;
  void remember(const Move& move);
  Word* row(std::vector<Word>& table, std::size_t i) { return table.data() + i * words_; }
  const Word* row(const std::vector<Word>& table, std::size_t i) const { return table.data() + i * words_; }
  void fill(const ItemSet& items, Word* bits) const;

  const Knowledge& known_;
  std::uint32_t k_;
  std::uint64_t work_, worked_ = 0;
  std::vector<Path> library_;
  std::vector<Node> nodes_;
  std::vector<std::vector<std::uint32_t>> groups_;  ///< nodes with a joint that have links below
  std::vector<std::uint32_t> group_of_;

  ItemSet wanted_;
  bool prepared_ = false;
  std::size_t words_ = 0;
  std::vector<std::uint32_t> place_;  ///< item -> bit
  std::vector<Word> own_;             ///< what a node's link hits of what is wanted
  std::vector<std::vector<Word>> reach_, group_reach_;
  std::vector<std::vector<std::uint32_t>> most_, group_most_, least_, group_least_;

  std::vector<Frame> stack_;
  std::vector<Word> has_, next_has_;
  Splice best_;
  std::vector<std::uint32_t> best_nodes_;
};

}  // namespace norn
