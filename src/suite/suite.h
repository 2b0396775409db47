// A small regression suite out of a huge generated one, after DetReduce (ICSE 2018).
//
//   0 stabilise   which traces replay, and how far
//   1 cut         drop traces that add nothing; cut loops out of the others
//   2 splice      join fragments of different traces into fewer, longer ones
//   3 polish      cut again, now that it is known what each trace is kept for (not in the paper)
//   then order the traces so that coverage comes early, and run the whole from clean starts
//
// What the replayable input covers (code, abstract screens, distinct crashes) the suite covers too:
// everything that is kept was seen, and what the last run does not show again is sought once more in the
// input. Only what a device said counts; a rig that fails says nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "replay/replay.h"
#include "shrink/shrink.h"
#include "suite/material.h"

namespace norn {

/// What must not be lost. Crashes always count. `steps`: lines and screens as with coverage, and besides
/// every event on every abstract screen it was tried on.
enum class By : std::uint8_t { coverage, screens, crashes, steps };
std::optional<By> by_name(std::string_view name);
std::optional<Joints> joints_by_name(std::string_view name);

struct SuiteOptions {
  Abstraction state = Abstraction::actions_plus;  ///< what is one screen
  Joints joints = Joints::structure;
  std::uint32_t k = 3;  ///< fragments of a spliced trace, at most; 0: no splicing
  bool tail = false;    ///< phase 1: also cut an end that adds nothing (the released code)
  std::uint32_t repeats =
      0;  ///< 0: a sequential test decides; n: n cold runs, all must agree (the paper: 10)
  /// The paper's ways: every trace is stabilised, first come, first kept; no polishing, nothing run ahead.
  bool paper = false;
  By by = By::coverage;
  std::vector<NodeId> keep;                                 ///< traces to keep whole
  double target = std::numeric_limits<double>::infinity();  ///< seconds a run of the suite may take
  std::uint32_t certificate =
      0;          ///< cold runs of each trace at the end; 0: 1, or 10 where the app is not deterministic
  Prices prices;  ///< of the device: what a trace costs
  Coverable coverable;     ///< what the ids of coverage stand for
  std::uint64_t seed = 1;  ///< of the chance in phase 3
  bool bound = false;      ///< also compute SuiteResult::run_at_least and choice_at_least
  static SuiteOptions as_published();
};

struct SuiteFigures {
  std::uint64_t traces = 0, events = 0, screens = 0, crashes = 0, steps = 0;
  std::uint64_t code = 0, functions = 0;  ///< all ids of coverage; the functions among them
  double run_seconds = 0;                 ///< one run of all: as the check measured it, else by the prices
};

struct SuitePhase {
  std::string name;
  SuiteFigures after{};
  Effort effort{};
  std::uint64_t tried = 0, replayed = 0;       ///< candidates
  std::vector<std::uint64_t> failed_on_run{};  ///< with `repeats`: at which run a bad one showed itself
};

/// What somebody covers.
struct Covered {
  Coverage code;
  std::vector<StateId> screens;
  std::vector<std::string> crashes;  ///< headlines
  std::uint64_t steps = 0;           ///< with By::steps
  std::uint64_t count() const { return code.count() + screens.size() + crashes.size() + steps; }
};

struct SuiteTrace {
  NodeId end;  ///< where it ends in the tree
  std::vector<EventId> events{};
  std::vector<StateId> expect{};
  std::uint32_t fragments = 1;
  bool keep = false;
  Counts yes, no;                      ///< of the last cold runs
  double rate = 1;                     ///< of them; without any nobody knows
  double seconds = 0;                  ///< of one run: as the check measured it, else by the prices
  Covered only{};                      ///< what no other trace of the suite covers
  std::uint64_t adds = 0, so_far = 0;  ///< items new with it, and up to it
};

struct LostItem {
  ItemKind kind{};
  std::uint64_t value = 0;  ///< code id, state, crash signature
  std::string name, why;
  NodeId trace;  ///< an input trace that had it
};

struct SuiteResult {
  std::vector<SuiteTrace> traces;  ///< in the order to run them
  SuiteFigures before, replayable, after;
  std::vector<SuitePhase> phases;
  std::vector<LostItem> lost;    ///< the input had it and the suite has not
  std::uint64_t left_out = 0;    ///< items given up for `target`
  double least_target = 0;       ///< no trace fits into `target`: the smallest that one would fit into
  std::vector<NodeId> unstable;  ///< input traces that were found not to replay to their end
  std::vector<NodeId> by_catch;  ///< where crashes that were not known before were met, one node each
  bool stopped = false;          ///< by the budget or by somebody: a longer run might give less
  bool deterministic = false;
  double run_at_least = 0;     ///< seconds no suite of the given steps can do without; 0: not computed
  double choice_at_least = 0;  ///< seconds no choice among all traces that were executed can do without
};

/// `traces`: where they end in the tree of `replay`. An Error only where nothing can be made of them at all.
Result<SuiteResult> make_suite(Replay& replay, std::span<const NodeId> traces, const SuiteOptions& options,
                               Progress& progress, std::stop_token stop = {});

}  // namespace norn
