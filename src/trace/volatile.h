// Which texts change by themselves? The evidence is repeats of one edge: the same event from the same node,
// run again, gave screens that are alike but for some texts.
#pragma once

#include <cstdint>
#include <set>
#include <span>

#include "gui/abstraction.h"
#include "gui/screen.h"

namespace norn {

inline constexpr std::size_t volatile_values = 3;

/// Hash of a screen without any text and description: equal for screens that differ in nothing else.
std::uint64_t skeleton(const Screen& screen);

/// The places whose text or description had at least three distinct values among those of `outcomes` that
/// have one skeleton. Text fields are left out: what they hold is no part of any key.
std::set<std::uint64_t> volatile_places(std::span<const Screen> outcomes);

}  // namespace norn
