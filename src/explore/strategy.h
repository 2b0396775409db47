// What a strategy is: told what was seen, it says what comes next. Small, because the loop (explore.cc) does
// the rest.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "explore/events.h"
#include "explore/state_graph.h"
#include "replay/replay.h"

namespace norn {

struct ExploreOptions;
class Avoid;

/// Where the exploration stands, and how it came there.
struct Situation {
  NodeId node;
  const Observation& seen;
  const History& history;
  StateId state;                  ///< by the abstraction asked for; everything outside the app is one state
  std::optional<StateId> before;  ///< the state the last step began in; none after a start or a return
  const Event* event = nullptr;   ///< what led here; null after a start or a return
  bool first_visit = false;
  std::uint64_t gained = 0;  ///< coverage ids this step hit for the first time
  bool crashed = false;
  bool arrived = true;  ///< false: the node asked for was not reached
  double seconds = 0;   ///< device time so far
  std::uint64_t events = 0;

  const Screen& screen() const { return seen.screen; }
  bool outside() const { return seen.screen.kind != Screen::Kind::app; }
};

/// What to do, and for starts and returns the reason, which is logged.
struct Decision {
  Choice choice;
  std::string why = {};
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  /// After each step, before the next move is asked for: the place to ask for snapshots (Replay::keep).
  virtual void saw(const Situation& now) { (void)now; }
  virtual Decision next(const Situation& now) = 0;
  /// A strategy that cannot go on says why and answers Enough.
  virtual std::optional<Error> trouble() const { return std::nullopt; }
};

/// What the loop shares with a strategy.
struct StrategyContext {
  Replay& replay;
  const ExploreOptions& options;
  StateGraph& graph;
  const Coverage& covered;
  const Avoid& avoid;

  /// What can be done here, without what is to be avoided.
  std::vector<Possible> possible(const Screen& screen, const EventRules& rules = {}) const;
};

/// By name.
Result<std::unique_ptr<Strategy>> make_strategy(const std::string& name, StrategyContext& context);

std::unique_ptr<Strategy> make_monkey(StrategyContext& context, bool system, bool restart);
std::unique_ptr<Strategy> make_random(StrategyContext& context);
std::unique_ptr<Strategy> make_swifthand(StrategyContext& context);
std::unique_ptr<Strategy> make_timemachine(StrategyContext& context);
std::unique_ptr<Strategy> make_norn(StrategyContext& context);

/// Counts looks outside the app: Monkey's strategies come back after two in a row.
class Homing {
 public:
  /// The event that brings the app back, when it is time.
  std::optional<Event> back(bool outside, int patience = 2);

 private:
  int outside_ = 0;
};

}  // namespace norn
