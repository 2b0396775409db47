// A benchmark's plan: which tools run on which bugs, how often, how long. docs/benchmark.md shows one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace norn::cli {

struct PlannedBug {
  std::string name, device;
  std::filesystem::path automaton, events;
};

struct Plan {
  std::vector<std::string> strategies;  ///< names, or exec:CMD
  std::uint64_t repeats = 3, seed = 1, snapshots = 16;
  double budget = 3600;  ///< device seconds of one exploration
  std::vector<PlannedBug> bugs;
};

/// Paths in it are relative to `folder`. Errors name `file`, the line, and what to do.
Result<Plan> read_plan(std::string_view text, std::string_view file, const std::filesystem::path& folder);

}  // namespace norn::cli
