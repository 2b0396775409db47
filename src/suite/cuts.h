// L(t): the traces left of t after cutting zero or more loops, from the shortest up, one at a time.
//
// A loop is a stretch between two positions with the same joint. So a trace left over is a way over the
// positions 0..n with two kinds of move: do the next step (costs one), or jump to a later position with the
// same joint (free; no two jumps in a row). Ways are expanded best first with an exact lower bound on what is
// still to pay, so the first ones come out without looking at the exponentially many others.
//
// Only ways that keep what is needed are of interest. A needed item that one step alone provides makes that
// step a must: no jump crosses it. Other needed items fall into classes with the same providers; a way is
// dropped as soon as it has passed the last provider of a class it lacks.
#pragma once

#include <optional>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "suite/paths.h"

namespace norn {

struct CutRules {
  bool tail = false;                        ///< also leave out an end that adds nothing
  std::size_t ways = std::size_t{1} << 20;  ///< so many are looked at before the choice of providers is fixed
};

class Cuts {
 public:
  /// `path` and `known` outlive it; what `known` learns later is heeded.
  Cuts(const Path& path, Joint start, const ItemSet& needed, const Knowledge& known, CutRules rules = {});

  /// The next shortest that keeps what is needed and begins with no failing prefix. Each (events, states) once.
  std::optional<Path> next();

 private:
  struct Way {
    std::uint32_t parent, at, cost;
    std::uint32_t failures;  ///< that were known when it was last looked at
    std::uint64_t has;       ///< classes of needed items
    PrefixHash prefix;
    bool ended = false;
  };
  struct Waiting {
    std::uint32_t bound, at, way;
    bool operator<(const Waiting& o) const {
      if (bound != o.bound) return bound > o.bound;
      return at != o.at ? at < o.at : way > o.way;
    }
  };

  void find_musts(const ItemSet& needed);
  void keep_classes(std::vector<std::vector<std::uint32_t>> lists);
  void set_bounds();
  void begin();
  void push(const Way& way, std::uint32_t still);
  void expand(std::uint32_t way);
  bool dead(Way& way) const;
  std::optional<Path> emit(std::uint32_t way);
  Joint joint(std::size_t at) const { return at == 0 ? start_ : path_[at - 1].joint; }
  std::uint64_t all_classes() const { return classes_ == 64 ? ~0ULL : (1ULL << classes_) - 1; }

  const Path& path_;
  Joint start_;
  ItemSet needed_;
  const Knowledge& known_;
  CutRules rules_;
  std::vector<char> must_;                ///< of step i + 1
  std::vector<std::uint32_t> next_must_;  ///< the first must beyond a position; n + 1: none
  std::uint32_t classes_ = 0;
  std::vector<std::uint64_t> provides_,
      due_;                                ///< by step; by position: classes whose last provider is behind
  std::vector<std::uint32_t> after_step_;  ///< least number of steps from a position, jumping allowed
  std::unordered_map<Joint, std::vector<std::uint32_t>> places_;
  std::vector<Way> ways_;
  std::priority_queue<Waiting> open_;
  std::unordered_set<PrefixHash> emitted_;
  bool pinned_ = false, whole_given_ = false;
};

}  // namespace norn
