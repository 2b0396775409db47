// A part of the neutral oracle: leaving a page and opening it again (reopened.cc).
#pragma once

#include "detect/pairs.h"

namespace norn {

/// Something was done on a page; then Back, and the same touch that had opened it: for the same rows and settings it says the same numbers.
Status try_reopened(OracleContext& c);

}  // namespace norn
