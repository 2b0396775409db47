// The simulated device: a small deterministic Android-like runtime whose apps are Lua programs
// (docs/sim-apps.md).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"

namespace norn {

/// `sim:NAME?key=value&...`, with or without "sim:". Errors name what is wrong and suggest.
Result<std::unique_ptr<Device>> open_sim(std::string_view spec);
/// The app behind the same spec: package, hash of the source (mutated if asked), behaviour options.
Result<App> sim_app(std::string_view spec);
/// Names of the bundled apps.
std::vector<std::string> sim_apps();

}  // namespace norn
