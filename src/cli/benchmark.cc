// norn benchmark: tools x bugs x repeats -> found or missed, how near, what was missed first.
//
// One exploration serves all bugs of its device. Its outcome is one file in the results folder, written when
// it ends, so an interrupted benchmark goes on where it stopped; the file holds the labels of what was done,
// not the figures, so figures are always computed anew and any of these logs can be given to `norn diagnose`.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "cli/benchmark_table.h"
#include "cli/commands.h"
#include "cli/counted.h"
#include "cli/exec_strategy.h"
#include "cli/interrupt.h"
#include "cli/version.h"
#include "device/open.h"
#include "diagnose/run_log.h"
#include "explore/explore.h"
#include "replay/fleet.h"

namespace norn::cli {
namespace {

namespace fs = std::filesystem;

class Benchmark final : public Command {
 public:
  void declare(Options& options) override {
    options.text(plan_file_, "plan", "The plan: PLAN.toml (docs/benchmark.md)");
    options.text(results_, "--results", "Folder of the results; default: PLAN.results");
    options.text(against_, "--against", "Results of an earlier benchmark to compare with: its folder");
    options.text(csv_, "--csv", "Write the table of bugs and tools to this file");
    options.flag(force_, "--force", "Overwrite --csv");
  }

  Result<Exit> run(Output& out) override {
    if (plan_file_.empty())
      return fail(Error::Kind::bad_input, "say which plan", {},
                  "norn benchmark plan.toml; docs/benchmark.md shows one");
    if (!csv_.empty()) NORN_CHECK(may_write(csv_, force_));
    NORN_TRY(loaded_, load_plan(plan_file_, out));
    if (results_.empty()) results_ = fs::path(plan_file_).replace_extension(".results").string();
    if (!against_.empty()) NORN_CHECK(may_be_compared(loaded_, against_));
    std::error_code error;
    fs::create_directories(results_, error);
    if (error) return fail(Error::Kind::io, "cannot be made: " + error.message(), results_);
    NORN_TRY(const bool finished, run_cells(out));
    NORN_TRY(const Figures now, figures_of(loaded_, results_, Counted::as_planned, out));
    NORN_TRY(const std::optional<Earlier> earlier, earlier_figures(out));
    if (!csv_.empty())
      NORN_CHECK(write_file(csv_, table_csv(loaded_.plain_bugs(), now.rows, times_to_bug(now))));
    print_table(loaded_, now, earlier, out);
    print_counted(now, out);
    out.object(dump_line(json(now, earlier)));
    if (!finished) return Exit::interrupted;
    return now.troubled.empty() ? Exit::done : Exit::rig_failed;
  }

 private:
  bool is_done(const Cell& cell) const {
    const auto known = read_cell(fs::path(results_) / cell.file_name());
    if (!known || !known->trouble.empty() || known->cell.app != cell.app) return false;
    return std::ranges::all_of(loaded_.bugs, [&](const LoadedBug& b) {
      return b.plan.device != cell.device || std::ranges::any_of(known->bugs, [&](const CellBug& c) {
               return c.bug == b.plan.name && c.hash == b.hash;
             });
    });
  }

  /// Whether a new run says all that an old one did.
  static bool says_the_same(const CellResult& now, const CellResult& old) {
    return now.cell.app == old.cell.app && std::ranges::all_of(old.bugs, [&](const CellBug& b) {
             return std::ranges::any_of(now.bugs,
                                        [&](const CellBug& c) { return c.bug == b.bug && c.hash == b.hash; });
           });
  }

  /// A run of another version of the app, or with another automaton, is not written over: it is moved to the
  /// folder `older`.
  Status keep_older(const CellResult& now, Output& out) const {
    const fs::path file = fs::path(results_) / now.cell.file_name();
    const auto old = read_cell(file);
    if (!old || !old->trouble.empty() || says_the_same(now, *old)) return {};
    const fs::path kept = fs::path(results_) / "older" /
                          fmt::format("{}-{}.json", file.stem().string(),
                                      hex(Hasher().add(cell_json(*old)).finish()).substr(0, 8));
    std::error_code error;
    fs::create_directories(kept.parent_path(), error);
    if (!error) fs::rename(file, kept, error);
    if (error) return fail(Error::Kind::io, "cannot be moved: " + error.message(), file.string());
    out.warning(
        fmt::format("{}: left out: it is of another version of the app or of an automaton; kept as {}",
                    file.string(), kept.string()));
    return {};
  }

  /// False: interrupted.
  Result<bool> run_cells(Output& out) {
    const std::vector<Cell> all = loaded_.cells();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (is_done(all[i])) continue;
      if (interruption().stop_requested()) return false;
      out.status(fmt::format("[ {} of {} ] {} on {}, seed {}", i + 1, all.size(), all[i].strategy,
                             all[i].device, all[i].seed));
      NORN_TRY(const CellResult result, explore_cell(all[i]));
      if (interruption().stop_requested()) return false;  // what it did is not a whole run
      NORN_CHECK(keep_older(result, out));
      NORN_CHECK(write_file(fs::path(results_) / all[i].file_name(), cell_json(result)));
      spent_ += result.effort;
    }
    return true;
  }

  Result<CellResult> explore_cell(const Cell& cell) const {
    NORN_TRY(OpenedDevice opened, open_device(cell.device));
    const DeviceInfo info = opened.device->info();
    History tree;
    std::vector<std::pair<const LoadedBug*, RunLog>> logs;
    for (const LoadedBug& b : loaded_.bugs)
      if (b.plan.device == cell.device) logs.emplace_back(&b, RunLog(tree, b.bug, b.events));
    FleetOptions options;
    options.seed = cell.seed;
    options.snapshots.number = loaded_.plan.snapshots;
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::move(opened.device));
    Replay replay(std::make_unique<Fleet>(std::move(devices), opened.app, tree, options,
                                          [&](const Appended& what, Heat, const Observation& seen) -> Status {
                                            for (auto& [bug, log] : logs) log.note(what, seen);
                                            return {};
                                          }));
    ExploreOptions wanted;
    wanted.strategy = cell.strategy;
    wanted.seed = cell.seed;
    wanted.seconds = cell.budget;
    wanted.package = opened.app.name;
    wanted.activities = info.activities;
    wanted.coverable = info.coverable;
    wanted.confirm = 0;  // whether the bug came is read off the log
    if (cell.strategy.starts_with("exec:"))
      wanted.custom = [command = cell.strategy.substr(5)](StrategyContext& context) {
        return exec_strategy(command, context);
      };
    Quiet quiet;
    NORN_TRY(const Exploration done, norn::explore(replay, wanted, quiet, interruption()));
    CellResult out{.cell = cell,
                   .seconds = done.seconds,
                   .events = done.events,
                   .bugs = {},
                   .trouble = done.trouble ? done.trouble->message() : "",
                   .effort = replay.spent()};
    for (const auto& [bug, log] : logs)
      out.bugs.push_back({bug->plan.name, bug->hash, plain_log(bug->bug, log.codes()), log.found()});
    return out;
  }

  Result<std::optional<Earlier>> earlier_figures(Output& out) const {
    if (against_.empty()) return std::nullopt;
    NORN_TRY(Figures figures, figures_of(loaded_, against_, Counted::comparable, out));
    return Earlier{.folder = against_, .figures = std::move(figures)};
  }

  void print_counted(const Figures& now, Output& out) const {
    for (const CellResult& cell : now.troubled)
      out.warning(fmt::format("{} on {}, seed {}, is not counted: {}", cell.cell.strategy, cell.cell.device,
                              cell.cell.seed, cell.trouble));
    if (!now.troubled.empty())
      out.line(counted(now.troubled.size(), "run") +
               " ended early, not counted; the next call runs them again");
    out.line(fmt::format("{} of {} runs in {}", now.cells.size(), loaded_.cells().size(), results_));
  }

  JsonOut json(const Figures& now, const std::optional<Earlier>& earlier) const {
    MadeBy made;
    made.norn_version = version;
    made.options = {{"plan", plan_file_},
                    {"seed", std::to_string(loaded_.plan.seed)},
                    {"repeats", std::to_string(loaded_.plan.repeats)},
                    {"budget", fmt::format("{}", loaded_.plan.budget)}};
    JsonOut out{{"plan", plan_file_},
                {"results", results_},
                {"cells", now.cells.size()},
                {"planned", loaded_.cells().size()},
                {"not_counted", now.troubled.size()},
                {"runs", runs_json(loaded_, now)},
                {"tools", tools_json(loaded_, now)}};
    if (earlier) out["against"] = against_json(loaded_, now, earlier->figures);
    out["made_by"] = made_by_json(made);
    out["effort"] = effort_json(spent_);
    return out;
  }

  std::string plan_file_, results_, against_, csv_;
  bool force_ = false;
  LoadedPlan loaded_;
  Effort spent_;
};

}  // namespace

std::unique_ptr<Command> make_benchmark() { return std::make_unique<Benchmark>(); }

}  // namespace norn::cli
