// sim:generated?seed=S&screens=N: random apps of any size that nobody has seen. Not a table of transitions: features
// such as real apps have (collections, wizards, feeds, baskets ...) with state in storage, globals and instances, behind
// menus, options and codes; mistakes are planted in their code. The same seed and size give the same text everywhere.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace norn::sim {

inline constexpr int least_screens = 10, most_screens = 2000;

/// The app's Lua text. `screens` counts activities and dialogs, roughly. bad_input outside of 10 .. 2,000.
Result<std::string> generate_source(std::uint64_t seed, int screens);

}  // namespace norn::sim
