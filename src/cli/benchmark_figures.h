// What a folder of benchmark results says: which of its runs count, and what they come to for each bug and tool.
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "cli/benchmark_loaded.h"
#include "diagnose/table.h"

namespace norn::cli {

struct Figures {
  std::vector<CellResult> cells;
  std::vector<CellResult> troubled;  ///< ended early: counted nowhere, run again by the next call
  std::vector<RunResult> runs;       ///< in the plan's order of bugs, then of tools
  std::vector<ToolRow> rows;
  /// Of the runs that found the bug, by row: seconds.
  std::vector<std::vector<double>> times;
};

/// Which runs of a folder count.
enum class Counted {
  as_planned,  ///< what the plan asks for
  comparable,  ///< of its tools and bugs, be it of another length or version of the app: that is said
};

/// What is left out is told, and why.
Result<Figures> figures_of(const LoadedPlan& loaded, const std::string& folder, Counted counted,
                           Progress& told);

/// An error where `folder` has no run of one of these tools for one of these bugs: better asked before the
/// hours of a benchmark than after them.
Status may_be_compared(const LoadedPlan& loaded, const std::string& folder);

}  // namespace norn::cli
