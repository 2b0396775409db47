// From a long crash trace to the few events that matter, on a device.
//
// Confirm that the trace reproduces, and how often; shorten it by the algorithm asked for (shrink/); prove
// that no single event can go; make what is left plain (widgets instead of coordinates, shorter waits and
// texts); certify from clean starts. Everything is asked of the replay service, so what was executed before
// costs nothing, and a reduction that was interrupted goes on where it stopped when it is run again.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "reduce/polish.h"
#include "replay/replay.h"
#include "shrink/shrink.h"

namespace norn {

/// How far a reduction is.
struct ReduceProgress {
  std::size_t now = 0, best = 0;  ///< events of what was asked last, and of the shortest that was confirmed
  double rate = 1;                ///< at which the original does it, as far as that is known
  double device_seconds = 0;
  std::optional<double> left;  ///< seconds of makespan, see docs/reduce.md; nothing: no telling yet
};

struct ReduceOptions {
  std::string algorithm = "norn";
  Watch watch = AnyCrash{};                   ///< what must still happen
  Missing missing = Missing::skip;            ///< for events whose target is gone
  Abstraction state = Abstraction::activity;  ///< for algorithms that group events by state
  /// The state in which each event was received, from a log; empty: that of the first confirmed replay.
  std::vector<StateId> states;
  bool recorded = false;       ///< the trace has done it at least once
  std::uint32_t repeats = 20;  ///< size of the certificate, and the most runs to find the rate
  Prices prices;               ///< of the device
  std::uint32_t devices = 1;   ///< that run at once; only to tell how long it will take
  bool amplify = false;        ///< look for waits that raise the rate of a flaky crash
  std::function<void(const ReduceProgress&)> on_progress;  ///< called after every answer
};

struct Reduction {
  struct Kept {
    Event event;
    std::optional<std::size_t> from;  ///< its place in the original; none: put in (a wait)
    Counts without_yes, without_no;   ///< what happened without it; empty where that was not asked
  };
  std::vector<Kept> events;
  std::size_t original = 0;
  double original_rate = 1;  ///< as far as it was measured
  Counts original_yes, original_no;
  bool one_minimal = false;
  bool by_snapshots = false;  ///< of some events it is known from snapshots only that they are needed
  /// Runs from snapshots said what clean starts, which agree among themselves, do not: asked again from those.
  bool snapshots_wrong = false;
  bool stopped = false;  ///< by the budget or by somebody: a longer run might give less
  Outcome certificate;   ///< fresh cold runs of the result; unresolved: not all of them could be made
  bool weaker = false;   ///< the certificate says that it does it less often than what was to be kept
  std::optional<Amplified> amplified;                 ///< where it was asked for and the crash is flaky
  NodeId end;                                         ///< where the result ends in the tree
  std::vector<std::pair<double, std::size_t>> steps;  ///< device seconds, length

  std::vector<Event> plain_events() const;
};

/// Why a trace cannot be reduced: it does not do what is asked.
struct NotReproduced {
  Outcome seen;
  std::uint32_t runs = 0;
};

/// An Error only where the rig failed throughout or the algorithm is unknown. REQUIRES: !events.empty().
Result<std::variant<Reduction, NotReproduced>> reduce(Replay& replay, const std::vector<Event>& events,
                                                      const ReduceOptions& options,
                                                      std::stop_token stop = {});

}  // namespace norn
