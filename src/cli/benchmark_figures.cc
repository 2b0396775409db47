#include "cli/benchmark_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "diagnose/run_log.h"

namespace norn::cli {
namespace {

namespace fs = std::filesystem;

struct ResultFile {
  fs::path file;
  CellResult result;
};

Result<std::vector<fs::path>> files_of_results(const std::string& folder) {
  if (!fs::is_directory(folder)) return fail(Error::Kind::not_found, "is no folder of results", folder);
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".json") files.push_back(at->path());
  std::ranges::sort(files);
  return files;
}

/// The runs in a folder of results by their seeds. What was cut off is named.
Result<std::vector<ResultFile>> read_results(const std::string& folder, Progress& told) {
  NORN_TRY(const auto files, files_of_results(folder));
  std::vector<ResultFile> all;
  for (const fs::path& file : files) {
    if (auto cell = read_cell(file))
      all.push_back({file, std::move(*cell)});
    else if (const auto text = read_file(file); text && text->find("benchmark cell") != std::string::npos)
      told.warning(file.string() + ": left out: it cannot be read to its end");
  }
  std::ranges::stable_sort(all, {}, [](const ResultFile& kept) { return kept.result.cell.seed; });
  return all;
}

/// Takes the runs of one folder, one after the other.
class Counting {
 public:
  Counting(const LoadedPlan& loaded, std::string folder, Counted counted, Progress& told)
      : loaded_(loaded), folder_(std::move(folder)), counted_(counted), told_(told) {}

  void take(ResultFile kept) {
    auto& [file, cell] = kept;
    if (!of_these_tools(cell)) return;
    if (const std::string why = left_out(cell, file); !why.empty())
      return told_.warning(fmt::format("{}: left out: {}", file.string(), why));
    if (!cell.trouble.empty()) return figures_.troubled.push_back(std::move(cell));
    if (counted_ == Counted::comparable) note_differences(cell);
    if (take_runs(cell, file)) figures_.cells.push_back(std::move(cell));
  }

  Figures result() {
    std::ranges::stable_sort(figures_.runs, {}, [&](const RunResult& run) { return place_in_plan(run); });
    figures_.rows = tool_rows(loaded_.plain_bugs(), figures_.runs);
    for (const ToolRow& row : figures_.rows) figures_.times.push_back(times_of(row));
    return std::move(figures_);
  }

 private:
  bool of_these_tools(const CellResult& cell) const {
    return std::ranges::find(loaded_.plan.strategies, cell.cell.strategy) != loaded_.plan.strategies.end();
  }

  /// Why a file of results is not used; nothing: it is. Old results may be of another length and app: then
  /// that is said.
  std::string left_out(const CellResult& result, const fs::path& file) const {
    const auto app = loaded_.apps.find(result.cell.device);
    if (app == loaded_.apps.end()) return "its device is not in the plan";
    if (counted_ == Counted::comparable) return {};
    const std::vector<Cell> all = loaded_.cells();
    if (std::ranges::find(all, file.filename().string(), &Cell::file_name) == all.end())
      return "the plan asks for no such run (its budget or seed)";
    return result.cell.app != app->second ? "it is of another version of the app" : "";
  }

  /// "30m of each run there, 1h here", and the same of the app.
  void note_differences(const CellResult& old) {
    const auto say = [&](std::string what) {
      if (said_.insert(what).second) told_.warning(fmt::format("{}: {}", folder_, what));
    };
    if (old.cell.budget != loaded_.plan.budget)
      say(fmt::format("its runs had {} each, these {}", show_duration(old.cell.budget),
                      show_duration(loaded_.plan.budget)));
    if (old.cell.app != loaded_.apps.at(old.cell.device))
      say(fmt::format("{} was another version of the app then", old.cell.device));
  }

  /// False: it served none of these bugs.
  bool take_runs(const CellResult& cell, const fs::path& file) {
    bool used = false;
    for (const CellBug& seen : cell.bugs) {
      const auto bug =
          std::ranges::find_if(loaded_.bugs, [&](const LoadedBug& b) { return b.plan.name == seen.bug; });
      if (bug == loaded_.bugs.end() || bug->plan.device != cell.cell.device) continue;
      if (bug->hash != seen.hash) {
        told_.warning(
            fmt::format("{}: was made with another automaton of {}", file.filename().string(), seen.bug));
        continue;
      }
      RunResult run = match_plain(bug->bug, seen.log);
      run.bug = seen.bug, run.tool = cell.cell.strategy, run.log = file.filename().string();
      run.found = seen.found.has_value(), run.found_seconds = seen.found;
      figures_.runs.push_back(std::move(run));
      used = true;
    }
    return used;
  }

  /// Bugs in their order, for each of them the tools in theirs.
  std::pair<std::ptrdiff_t, std::ptrdiff_t> place_in_plan(const RunResult& run) const {
    return {&loaded_.bug_of(run.bug) - loaded_.bugs.data(),
            std::ranges::find(loaded_.plan.strategies, run.tool) - loaded_.plan.strategies.begin()};
  }

  std::vector<double> times_of(const ToolRow& row) const {
    std::vector<double> out;
    for (const RunResult& run : figures_.runs)
      if (run.bug == row.bug && run.tool == row.tool && run.found_seconds) out.push_back(*run.found_seconds);
    return out;
  }

  const LoadedPlan& loaded_;
  std::string folder_;
  Counted counted_;
  Progress& told_;
  std::set<std::string> said_;
  Figures figures_;
};

}  // namespace

Result<Figures> figures_of(const LoadedPlan& loaded, const std::string& folder, Counted counted,
                           Progress& told) {
  NORN_TRY(auto results, read_results(folder, told));
  Counting counting(loaded, folder, counted, told);
  for (ResultFile& kept : results) counting.take(std::move(kept));
  return counting.result();
}

Status may_be_compared(const LoadedPlan& loaded, const std::string& folder) {
  NORN_TRY(const auto files, files_of_results(folder));
  const auto serves = [](const CellResult& cell, const LoadedBug& bug) {
    return bug.plan.device == cell.cell.device &&
           std::ranges::find(cell.bugs, bug.plan.name, &CellBug::bug) != cell.bugs.end();
  };
  const bool some = std::ranges::any_of(files, [&](const fs::path& file) {
    const auto cell = read_cell(file);
    return cell && cell->trouble.empty() &&
           std::ranges::find(loaded.plan.strategies, cell->cell.strategy) != loaded.plan.strategies.end() &&
           std::ranges::any_of(loaded.bugs, [&](const LoadedBug& b) { return serves(*cell, b); });
  });
  if (some) return {};
  return fail(Error::Kind::not_found, "holds no results of these tools for these bugs", folder);
}

}  // namespace norn::cli
