// Looks at other pages before and after a step that changes a list, and at every page under each setting. What a page says about the data of another is learnt from visits before and after the same
// change, and whether it obeys a setting from a visit after that was changed; walks like a person's seldom make these.
#pragma once

#include <vector>

#include "detect/oracles.h"

namespace norn {

/// Makes such inputs while there is time. Error::budget: nothing is left.
Status make_tours(OracleContext& context);
/// Opens every page that is known once from each of these nodes, at which a setting was changed.
void tour_under(OracleContext& context, const std::vector<NodeId>& settings);

}  // namespace norn
