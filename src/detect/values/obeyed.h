// A setting that is obeyed on one page is obeyed on all (obeyed.cc).
#pragma once

#include <vector>

#include "detect/offers/settings.h"
#include "detect/oracles.h"

namespace norn {

/// Opens every page that is known with each of these settings, which were changed on the first page, and
/// reports what keeps to what it said without.
Status ask_obeyed(OracleContext& context, const std::vector<Setting>& settings);

}  // namespace norn
