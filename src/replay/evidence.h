// Questions put to runs: to those the tree remembers, and to one that has just been made. Both are judged by
// the same rule on what was really seen, never on keys.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "replay/replay.h"

namespace norn {

/// How a run went, as far as a watch can ask.
struct Ended {
  const Screen* screen = nullptr;  ///< the last one
  const Crash* crash = nullptr;
  const Coverage* covered = nullptr;  ///< all it hit
  bool finished = false;              ///< every event was taken
};
/// REQUIRES: the run did not diverge (that is a no).
bool holds(const Watch& watch, const Ended& run);

/// A request with what is computed once.
struct Query {
  Request request;
  std::vector<EventKey> keys;
  std::uint64_t hash = 0;  ///< of what is executed: the stage's path, events, missing rule

  Query(const History& tree, Request r);
};

/// What the tree knows about a query, and the way the next run will probably go.
struct Evidence {
  Counts yes, no;
  NodeId yes_end, no_end;  ///< a run of each side, the most frequent
  std::size_t yes_used = 0, no_used = 0;
  std::optional<std::size_t> diverged;  ///< in the run of no_end
  std::vector<NodeId> likely;           ///< root first; the most frequent way as far as it is known
  std::vector<std::size_t> taken;       ///< events of the request taken when at likely[i]; 0 before the stage
};
Evidence gather(const History& tree, const Query& query);

/// Plays a request's events: what is missing is left out, ends the run or falls back to its point, as the
/// request says.
class ListChooser final : public Chooser {
 public:
  ListChooser(const History& tree, const Query& query, const Evidence& known);

  Choice next(const Place& here) override;
  void saw(const Place& here, const Appended& what) override;
  bool again() override;

  bool staged() const { return staged_; }
  /// Nothing: it ended before its end (budget).
  std::optional<bool> verdict() const;
  std::size_t used() const { return index_; }
  std::optional<std::size_t> diverged() const { return diverged_; }

 private:
  void begin(const Place& here);

  const History& tree_;
  const Query& query_;
  const Evidence& known_;
  bool begun_ = false, staged_ = false, over_ = false;
  std::size_t index_ = 0;
  std::optional<std::size_t> diverged_;
  Coverage covered_;
  bool wants_coverage_;
  bool verdict_ = false;
};

}  // namespace norn
