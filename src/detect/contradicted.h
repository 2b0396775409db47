// A part of the hidden oracle: contradicted.cc says what it expects.
#pragma once

#include "detect/pairs.h"

namespace norn {

/// Tries contradictions of the tree until `context.until` and reports those that a new process does not show.
Status contradictions(OracleContext& context);

}  // namespace norn
