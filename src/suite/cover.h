// Greedy set cover: again and again the set that adds most. Each set knows how many uncovered items it has;
// an index from items to sets keeps those numbers right as items get covered, and sets wait in buckets by
// their number, so the whole costs what the index costs: one visit for each (item, set) pair.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/coverage.h"

namespace norn {

/// Indices into `sets` in the order they are taken, until nothing is added. What is in `covered` counts for
/// nothing. Of equal gains the lower `cost`, then the lower index. REQUIRES: costs.size() is 0 or
/// sets.size().
std::vector<std::uint32_t> greedy_cover(std::span<const Coverage> sets, const Coverage& covered = {},
                                        std::span<const double> costs = {});

/// The same by gain per cost: what to run first so that coverage comes early. REQUIRES: costs > 0.
std::vector<std::uint32_t> early_order(std::span<const Coverage> sets, std::span<const double> costs);

}  // namespace norn
