// A trace of SimplyDroid's study: a folder with script.log (a Monkey script) and execute.log (what was
// injected, in which activity, and the crash).
//
// execute.log has a few lines `n;Class;package;activity;code` an event and then one MonkeyThrottleEvent line.
// The activity on the last line before it is the one that *received* the event, so it is what was seen after
// the event before. It is the last activity that was started: going back does not show.
#pragma once

#include <string_view>

#include "base/error.h"
#include "trace/step.h"

namespace norn {

bool is_simplydroid_execution(std::string_view bytes);

/// Screens are `unseen` with package and activity. If the two files disagree about the number of events, the
/// shorter one counts, and an Error is returned only where nothing is left.
Result<Trace> parse_simplydroid(std::string_view script, std::string_view execution, std::string_view folder);

}  // namespace norn
