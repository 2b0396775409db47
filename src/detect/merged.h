// One cause, one report. Expectations that look at the same thing from several sides may each find it: what
// the process's death loses is lost on the page itself, when it is opened again, and behind a page that looks
// the same. Of reports about two ways that should end alike those are one that differ in the same kinds of
// widgets on the same page after the same was done to the app, and of which there are fewer or more in both; of
// reports about what one input shows those that one expectation makes of the same input.
#pragma once

#include <vector>

#include "detect/detect.h"

namespace norn {

/// Keeps the one with the shortest input of each kind, in the place of the first; it counts the others as
/// duplicates. A list of losses (Report::more) goes only if all of it is known.
void merge_reports(std::vector<Report>& reports);

}  // namespace norn
