// sim:generated?seed=S&screens=N: random apps of any size that nobody has seen. Not a table of transitions:
// features such as real apps have (collections, wizards, feeds, baskets ...) with state in storage, globals
// and instances, behind menus, options and codes; mistakes are planted in their code. The same seed and size
// give the same text everywhere.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace norn::sim {

inline constexpr int least_screens = 10, most_screens = 2000;

/// The app's Lua text. `screens` counts activities and dialogs, roughly; `hidden` is the share of pages that
/// remember what they do not show (generate_habits.h). bad_input outside of 10 .. 2,000 and 0 .. 1.
Result<std::string> generate_source(std::uint64_t seed, std::int64_t screens, double hidden = 0);

}  // namespace norn::sim
