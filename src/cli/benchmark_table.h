// The figures of a benchmark, for people and as JSON; beside those of an earlier one where there are any.
// This header brings in nlohmann/json: include it in .cc files only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/benchmark_figures.h"
#include "cli/command.h"
#include "cli/json_result.h"

namespace norn::cli {

/// Earlier figures, and the folder they are of.
struct Earlier {
  std::string folder;
  Figures figures;
};

/// Tools by bug, why a tool missed one, and what has become of the earlier figures.
void print_table(const LoadedPlan& loaded, const Figures& now, const std::optional<Earlier>& earlier,
                 Output& out);

/// By row of figures: the median of the seconds after which a bug was found; nothing where it was not.
std::vector<std::optional<double>> times_to_bug(const Figures& figures);

// The parts of the JSON object.
JsonOut runs_json(const LoadedPlan& loaded, const Figures& figures);
JsonOut tools_json(const LoadedPlan& loaded, const Figures& figures);
JsonOut against_json(const LoadedPlan& loaded, const Figures& now, const Figures& before);

}  // namespace norn::cli
