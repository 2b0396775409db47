// Devices by name: `sim:NAME`, `sim:path/app.lua?options`, `exec:COMMAND`, `oracle:FILE?case=N`.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "device/device.h"

namespace norn {

struct OpenedDevice {
  std::unique_ptr<Device> device;
  App app;
};

/// Errors name what is wrong with the name and suggest.
Result<OpenedDevice> open_device(std::string_view spec);

}  // namespace norn
