// What is known about the bugs of a generated app. As with truth.h, only `norn apps`, tests and benches may
// look.
#pragma once

#include "device/sim/generate.h"
#include "device/sim/generate_plan.h"
#include "device/sim/truth.h"

namespace norn::sim {

struct GeneratedApp {
  std::string source;
  Truth truth;
};

/// The app and its bugs with events that the generator knows by construction. They have not been run:
/// see verify in generate_test.cc and the benches, which drop what does not hold.
Result<GeneratedApp> generate_app(std::uint64_t seed, int screens, double hidden = 0);
Result<GeneratedApp> app_of_plan(const Plan& plan, std::string_view title);

}  // namespace norn::sim
