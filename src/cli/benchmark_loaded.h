// A benchmark's plan with everything it names: automata and events read, tools known, each device opened once.
// What is wrong is told now, not after the hours of the runs before it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/progress.h"
#include "cli/benchmark_cell.h"
#include "cli/benchmark_plan.h"
#include "diagnose/analysis.h"
#include "diagnose/events.h"

namespace norn::cli {

struct LoadedBug {
  PlannedBug plan;
  Bug bug;
  EventFile events;
  std::string hash;  ///< of both files: a log is good for these only
};

struct LoadedPlan {
  Plan plan;
  std::vector<LoadedBug> bugs;
  std::map<std::string, std::string> apps;  ///< by device: what runs there

  /// The explorations asked for, in the order in which they are made.
  std::vector<Cell> cells() const;
  /// REQUIRES: the plan has it.
  const LoadedBug& bug_of(const std::string& name) const;
  /// Only what the figures are computed with.
  std::vector<Bug> plain_bugs() const;
};

Result<LoadedPlan> load_plan(const std::string& file, Progress& told);

}  // namespace norn::cli
