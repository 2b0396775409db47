// exec:CMD: any program that speaks a device's calls as JSON lines on stdin and stdout (docs/exec-device.md).
// A process that dies, hangs or babbles is an Error and is killed; the next start() begins a new one. Never a
// wrong answer: a reply must carry the number of its request.
#pragma once

#include <memory>
#include <string>

#include "device/device.h"

namespace norn {

struct ExecOptions {
  double timeout = 120;  ///< seconds for one call
};

struct ExecDevice {
  std::unique_ptr<Device> device;
  App app;
};

inline constexpr int exec_protocol_version = 1;

/// Starts the command (by /bin/sh) and asks what it is.
Result<ExecDevice> open_exec(const std::string& command, ExecOptions options = {});

}  // namespace norn
