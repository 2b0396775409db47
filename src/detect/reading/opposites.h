// Buttons of which one takes back what the other does, as they call themselves: up and down, more and less,
// earlier and later, + and −.
#pragma once

#include "gui/screen.h"

namespace norn {

/// The labels or ids of the two differ in one word, and that is said of opposite directions.
bool say_opposites(const Screen& screen, std::size_t i, std::size_t j);

}  // namespace norn
