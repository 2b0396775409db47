// What walks like a person's seldom do, done on purpose, for expectations to learn from. Looks at other pages
// before and after a step that changes a list, and at every page under each setting. What a page says about
// the data of another is learnt from visits before and after the same change, whether it obeys a setting from
// a visit after that was changed; and whether a form for something new stores all that is entered, from one
// that is filled in wholly, left and opened again.
#pragma once

#include <vector>

#include "detect/oracles.h"
#include "detect/reading/data.h"

namespace norn {

/// Makes such inputs while there is time. Error::budget: nothing is left.
Status make_tours(OracleContext& context);
/// Fills forms for something new in, also where a button of theirs brings more fields, leaves them by what
/// saves and by Back, and opens what was made.
void tour_forms(OracleContext& context);
/// Types the codes that the app shows wherever a text is taken and a made-up one does nothing, and those that
/// work once more.
void tour_codes(OracleContext& context);

/// Opens every page that is known, one from the other, beginning with the first page of the app: for each
/// page a node that shows it. What cannot be opened, or not in time, is left out.
std::vector<NodeId> tour_pages(OracleContext& context, DataCache& data);

}  // namespace norn
