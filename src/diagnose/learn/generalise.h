// How wide is a label? An event of a minimal trace names one widget and one text; what matters may be less:
// any row of the list, any number in the field, any text with a bracket in it. Replays decide: the trace is
// run with another row or text in its place, and the label becomes wider only where it crashes all the same.
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "diagnose/learn/learn_input.h"
#include "replay/replay.h"
#include "trace/crash.h"

namespace norn {

/// Widens the pivots from `first` on, as far as this trace shows it, and drops those that an earlier one then
/// covers. An Error only where the rig failed. REQUIRES: the trace's events are among the pivots.
Status generalise(Replay& replay, std::span<const Performed> trace, std::size_t first,
                  const std::function<bool(const Crash&)>& is_bug, std::vector<LearnInput>& pivots,
                  std::stop_token stop = {});

}  // namespace norn
