// norn replay --suite: does a suite still pass, here or on another version of the app?
#pragma once

#include <string>

#include "cli/session.h"

namespace norn::cli {

struct SuiteRun {
  std::string suite;  ///< s3
  std::string junit;  ///< a file to write, or empty
  bool force = false;
  std::uint32_t times = 1;
};
Result<Exit> replay_suite(const SuiteRun& run, DeviceOptions device, Output& out);

}  // namespace norn::cli
