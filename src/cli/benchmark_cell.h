// One run of a benchmark, as it is kept in the results folder: which tool ran where, and for each bug of that
// device the labels of what was done. The figures are computed from these anew each time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "trace/effort.h"

namespace norn::cli {

/// One exploration.
struct Cell {
  std::string device, strategy;
  std::uint64_t seed = 1;
  double budget = 0;
  std::string app = {};  ///< name and content hash of what runs on the device

  /// What its file is called: the strategy, the seed, and a hash of all that says which run it is.
  std::string file_name() const;
};

struct CellBug {
  std::string bug, hash, log;
  std::optional<double> found;
};
struct CellResult {
  Cell cell;
  double seconds = 0;
  std::uint64_t events = 0;
  std::vector<CellBug> bugs;
  std::string trouble;  ///< why it ended early: no run to judge a tool by
  Effort effort;
};

std::string cell_json(const CellResult& result);
/// Nothing where the file is no such cell.
std::optional<CellResult> read_cell(const std::filesystem::path& path);

}  // namespace norn::cli
