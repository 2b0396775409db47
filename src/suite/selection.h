// The cheapest suite out of traces that are known to replay: which of them to run, and each how far. A trace
// costs a restart and its events; every beginning of it is a trace too. Greedy by gain per second, where
// going on with a trace that was taken already costs only the events; then whatever the others make
// superfluous is given back. No device is asked.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "shrink/shrink.h"
#include "trace/coverage.h"

namespace norn {

struct Selected {
  std::uint32_t trace = 0, length = 0;
};

/// `pool`: what each step of each trace hits. All of `wanted` that the pool has is covered by the answer, or
/// as much as `seconds` have room for. `more`: what each of those steps takes beyond an event's price; empty:
/// nothing.
std::vector<Selected> cheapest_suite(std::span<const std::vector<Coverage>> pool, const Coverage& wanted,
                                     const Prices& prices,
                                     double seconds = std::numeric_limits<double>::infinity(),
                                     std::span<const std::vector<double>> more = {});

}  // namespace norn
