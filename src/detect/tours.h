// Looks at other pages before and after a step that changes a list. What a page says about the data of another is learnt from visits before and after the same
// change; walks like a person's seldom make both.
#pragma once

#include "detect/oracles.h"

namespace norn {

/// Makes such inputs while there is time. Error::budget: nothing is left.
Status make_tours(OracleContext& context);

}  // namespace norn
