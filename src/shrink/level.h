// One level of a state tree as hdd, bhdd and lhdd reduce it. Its members stand for whole subtrees (or, the
// last one in lhdd, for its own event only); what the levels above kept is the context of every candidate.
#pragma once

#include <vector>

#include "shrink/row.h"
#include "shrink/shrink.h"
#include "shrink/state_tree.h"

namespace norn {

/// Of the problem's states; without them a tree of one level.
StateTree tree_of(const Problem& problem);

/// A node and how many events from it on it stands for: they are also its weight.
struct Member {
  std::uint32_t node = 0;
  std::uint32_t events = 1;
};

std::vector<Member> whole_subtrees(const StateTree& tree, const std::vector<std::uint32_t>& nodes);

class Level {
 public:
  /// REQUIRES: both ascending and without common events.
  Level(const Indices& context, std::vector<Member> members);

  const std::vector<Member>& members() const { return members_; }
  std::size_t size() const { return members_.size(); }
  /// Context and members together.
  const Indices& list() const { return list_; }

  /// All but these members; valid until the next call. O(length).
  Candidate without(Run members);
  void drop(Run members);

 private:
  void place();

  std::vector<Member> members_;
  Indices list_, rest_;
  std::vector<std::size_t> offsets_;  ///< where in list_ each member's events begin
  std::vector<std::uint64_t> sums_;   ///< sums_[i]: hash of the first i members' events
  std::uint64_t hash_ = 0;
};

/// How a level is cut into n chunks.
enum class Cut : bool {
  nodes,   ///< equally many members: hdd
  events,  ///< a chunk is closed when its events reach total/n; always n chunks, none empty: bhdd and lhdd
};
/// Where the chunks begin, and the end. REQUIRES: 1 <= n <= members.size().
std::vector<std::size_t> borders(const std::vector<Member>& members, std::size_t n, Cut cut);

/// Reduces within a level: the last chunk alone; then the complements from the chunk before the last down to
/// the first; then finer. The last chunk leads to the crash (or, below the crash's level, simply comes last)
/// and is never dropped. True if anything was.
bool reduce_level(Level& level, Cut cut, Question& criterion);

/// The local check as a question.
class Reaching final : public Question {
 public:
  Reaching(Question& inner, StateId state) : inner_(inner), state_(state) {}
  Verdict ask(const Candidate& candidate) override { return inner_.reaches(candidate, state_); }
  bool stopped() const override { return inner_.stopped(); }

 private:
  Question& inner_;
  StateId state_;
};

/// The candidates of the next level: the children of what was kept on this one.
std::vector<std::uint32_t> next_level(const StateTree& tree, const Level& level);
/// Context for the next level: this level's own events are kept too.
Indices with_nodes(const Indices& context, const Level& level);

}  // namespace norn
