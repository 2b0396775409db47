// What the pages of a generated app remember without showing it. Of itself a feature keeps its data, and
// shows them; apps in use also know what was seen before, how a page was left, how often one came and how
// long one stayed. Where one page's past decides what another will look like, screens that look alike are
// not: traces cut or joined there go astray.
#pragma once

#include <string>

#include "device/sim/generate_plan.h"

namespace norn::sim {

/// Lua that stands between the app's declaration and `pages`, its activities: which of them have which
/// habits, each with the chance `plan.hidden`, and an `activity` that gives them those. Empty if that is 0.
std::string write_habits(const Plan& plan, const std::string& pages);

}  // namespace norn::sim
