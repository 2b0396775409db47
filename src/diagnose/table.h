// Many runs of many tools against many bugs, side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/analysis.h"

namespace norn {

/// One tool against one bug: the best of its runs (metric by metric) and their union.
struct ToolRow {
  std::string bug, tool;
  std::size_t runs = 0, found = 0;
  std::size_t events = 0, pairs = 0;  ///< how many there are
  std::size_t best_ec = 0, best_epc = 0;
  std::optional<std::uint32_t> best_md;
  RunResult united;
};

/// Groups runs by bug and tool, in the order they first appear. REQUIRES: each run's bug is in `bugs`.
std::vector<ToolRow> tool_rows(const std::vector<Bug>& bugs, const std::vector<RunResult>& runs);

/// One line per bug, one column group "EC EPC MD" per tool, the best values; a star where the bug was found.
/// Last, of how many bugs that was so.
std::string table_text(const std::vector<Bug>& bugs, const std::vector<ToolRow>& rows);
/// The same with all figures, one line per bug and tool. Fields that need it are quoted. `times` by row,
/// where known: seconds to the bug.
std::string table_csv(const std::vector<Bug>& bugs, const std::vector<ToolRow>& rows,
                      const std::vector<std::optional<double>>& times = {});

/// "3", "-" where there is no distance.
std::string show_distance(const std::optional<std::uint32_t>& distance);

}  // namespace norn
