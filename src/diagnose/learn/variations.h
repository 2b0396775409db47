// One step off: what a trace does with another event in the place of one of its own, with one more put in,
// with a page started by its name, with its ending elsewhere. Cheaper than exploring, and aimed at what an
// automaton must know: other widgets that do the same, other ways to a page, and events that make a
// difference.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "diagnose/learn/learn_input.h"
#include "replay/replay.h"

namespace norn {

/// Runs up to `most` variations of the trace, those with an event replaced first; the ends of those that end
/// in this crash. What cannot be done any more is left out. Stops early where the rig fails or the budget is
/// spent.
std::vector<NodeId> crashing_variations(Replay& replay, std::span<const Performed> trace, SameCrash crash,
                                        std::size_t most, std::uint64_t seed, std::stop_token stop = {});

/// The trace with pages started by their names, as a link, a notification or another app does: one of its
/// pages instead of the way to it, what is done on a page done later, from elsewhere, with Back after it, and
/// any page that was seen after each of its beginnings. Up to `most` runs, the shortest first; the ends of
/// those that end in this crash.
std::vector<NodeId> crashing_by_name(Replay& replay, std::span<const Performed> trace, SameCrash crash,
                                     std::size_t most, std::stop_token stop = {});

/// Where else can an ending of a trace be done? From each kind of screen in the tree, by each kind of screen
/// before it, every ending whose first event is possible there; up to `most` runs, the shortest first. What
/// they show is left in the tree.
void run_endings(Replay& replay, std::span<const std::vector<Performed>> traces, SameCrash crash,
                 std::size_t most, std::stop_token stop = {});

struct WalkOptions {
  double seconds = 0;       ///< of device time
  std::size_t length = 30;  ///< events of most walks at most; some are five times as long
  std::uint64_t seed = 1;
};

/// Walks from clean starts, one event of the inputs and one of any kind in turn by chance: what leads into
/// the crash among other things. Everything is left in the tree. An Error only where the rig failed.
Status wander(Replay& replay, std::span<const LearnInput> inputs, const WalkOptions& options,
              std::stop_token stop = {});

}  // namespace norn
