// norn benchmark: tools x bugs x repeats -> found or missed, how near, what was missed first.
//
// One exploration serves all bugs of its device. Its outcome is one file in the results folder, written when
// it ends, so an interrupted benchmark goes on where it stopped; the file holds the labels of what was done,
// not the figures, so figures are always computed anew and any of these logs can be given to `norn diagnose`.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/average.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "cli/benchmark_cell.h"
#include "cli/benchmark_plan.h"
#include "cli/commands.h"
#include "cli/exec_strategy.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/version.h"
#include "device/open.h"
#include "diagnose/clues.h"
#include "diagnose/run_log.h"
#include "diagnose/table.h"
#include "explore/explore.h"
#include "formats/jflap.h"
#include "replay/fleet.h"

namespace norn::cli {
namespace {

namespace fs = std::filesystem;

struct LoadedBug {
  PlannedBug plan;
  Bug bug;
  EventFile events;
  std::string hash;  ///< of both files: a log is good for these only
};

/// The median of the seconds after which runs found a bug; nothing where none did.
std::optional<double> time_to_bug(const std::vector<double>& seconds) {
  if (seconds.empty()) return std::nullopt;
  return median(seconds);
}

constexpr std::size_t longest_name = 40;

std::string figure(std::size_t seen, std::size_t all) { return fmt::format("{}/{}", seen, all); }

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
    NORN_TRY(const std::string text, read_file(plan_file_, 1 << 22));
    NORN_TRY(plan_, read_plan(text, plan_file_, fs::path(plan_file_).parent_path()));
    for (const PlannedBug& planned : plan_.bugs) NORN_CHECK(load(planned, out));
    NORN_CHECK(try_out(out));
    if (results_.empty()) results_ = fs::path(plan_file_).replace_extension(".results").string();
    if (!against_.empty()) NORN_CHECK(may_be_compared());
    std::error_code error;
    fs::create_directories(results_, error);
    if (error) return fail(Error::Kind::io, "cannot be made: " + error.message(), results_);
    NORN_TRY(const bool finished, run_cells(out));
    NORN_TRY(const Figures now, figures_of(results_, true, out));
    std::optional<Figures> before;
    if (!against_.empty()) {
      NORN_TRY(before, figures_of(against_, false, out));
    }
    std::vector<Bug> bugs;
    for (const LoadedBug& b : bugs_) bugs.push_back(b.bug);
    if (!csv_.empty()) NORN_CHECK(write_file(csv_, table_csv(bugs, now.rows, medians(now))));
    print(now, before, out);
    out.object(dump_line(json(now, before)));
    if (!finished) return Exit::interrupted;
    return now.troubled.empty() ? Exit::done : Exit::rig_failed;
  }

 private:
  struct Figures {
    std::vector<CellResult> cells;
    std::vector<CellResult> troubled;  ///< ended early: counted nowhere, run again by the next call
    std::vector<RunResult> runs;
    std::vector<ToolRow> rows;
    /// Of the runs that found the bug, by row: seconds, sorted.
    std::vector<std::vector<double>> times;
  };

  Status load(const PlannedBug& planned, Output& out) {
    NORN_TRY(const std::string drawn, read_file(planned.automaton, std::uintmax_t{1} << 26));
    NORN_TRY(JflapFile file, read_jflap(drawn, planned.automaton.string()));
    for (const std::string& repair : file.repairs) out.warning(planned.automaton.string() + ": " + repair);
    if (!is_there(planned.events))
      return fail(Error::Kind::not_found, "is not there; it says how the events are recognised",
                  planned.events.string(), "norn learn writes it; by hand: docs/diagnose.md");
    NORN_TRY(const std::string told, read_file(planned.events, std::uintmax_t{1} << 26));
    NORN_TRY(EventFile events, read_event_file(told, planned.events.string()));
    for (const std::string& remark : events.remarks)
      out.warning(fmt::format("{}, {}", planned.events.string(), remark));
    if (events.patterns.empty())
      return fail(Error::Kind::bad_input, "tells no way to recognise the events", planned.events.string(),
                  "give matchers: docs/diagnose.md");
    NORN_TRY(Bug bug, make_bug(planned.name, std::move(file.automaton), {}, events.guards));
    bugs_.push_back(
        {planned, std::move(bug), std::move(events), hex(Hasher().add(drawn).add(told).finish())});
    return {};
  }

  /// A name that is wrong is better told now than after the hours of those before it.
  Status try_out(Output& out) {
    const std::vector<std::string> names = strategy_names();
    std::set<std::string_view> named;
    for (const std::string& strategy : plan_.strategies)
      if (!named.insert(strategy).second)
        return fail(Error::Kind::bad_input, fmt::format("names \"{}\" twice", strategy), plan_file_,
                    "repeats = 2 runs every strategy twice, with other seeds");
    for (const std::string& strategy : plan_.strategies)
      if (!strategy.starts_with("exec:") && std::ranges::find(names, strategy) == names.end()) {
        const auto near = did_you_mean(strategy, names);
        return fail(Error::Kind::bad_input, fmt::format("there is no strategy \"{}\"", strategy), plan_file_,
                    near ? fmt::format("did you mean {}?", *near) : "norn explore --help lists them");
      }
    for (const PlannedBug& bug : plan_.bugs) {
      if (apps_.contains(bug.device)) continue;
      NORN_TRY(const OpenedDevice opened, open_device(bug.device));
      apps_[bug.device] = opened.app.name + " " + opened.app.version;
      for (const LoadedBug& b : bugs_)
        if (b.plan.device == bug.device && is_of_another_app(b.events, opened.app.name))
          out.warning(fmt::format("{}: its events are of {}, but {} is {}", b.plan.events.string(),
                                  b.events.app, bug.device, opened.app.name));
    }
    return {};
  }

  std::vector<Cell> cells() const {
    std::vector<Cell> out;
    for (std::uint64_t r = 0; r < plan_.repeats; ++r)
      for (const auto& [device, app] : apps_)
        for (const std::string& strategy : plan_.strategies)
          out.push_back({device, strategy, plan_.seed + r, plan_.budget, app});
    return out;
  }

  bool is_done(const Cell& cell) const {
    const auto known = read_cell(fs::path(results_) / cell.file_name());
    if (!known || !known->trouble.empty() || known->cell.app != cell.app) return false;
    return std::ranges::all_of(bugs_, [&](const LoadedBug& b) {
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
    const std::vector<Cell> all = cells();
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
    for (const LoadedBug& b : bugs_)
      if (b.plan.device == cell.device) logs.emplace_back(&b, RunLog(tree, b.bug, b.events));
    FleetOptions options;
    options.seed = cell.seed;
    options.snapshots.number = plan_.snapshots;
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
    CellResult out{cell, done.seconds, done.events, {}, "", replay.spent()};
    if (done.trouble) out.trouble = done.trouble->message();
    for (const auto& [bug, log] : logs)
      out.bugs.push_back({bug->plan.name, bug->hash, plain_log(bug->bug, log.codes()), log.found()});
    return out;
  }

  /// Why a file of results is not used; nothing: it is. Old results may be of another length and app: then
  /// that is said.
  std::string left_out(const CellResult& result, const fs::path& file, bool planned) const {
    const auto app = apps_.find(result.cell.device);
    if (app == apps_.end()) return "its device is not in the plan";
    if (!planned) return {};
    const std::vector<Cell> all = cells();
    if (std::ranges::find(all, file.filename().string(), &Cell::file_name) == all.end())
      return "the plan asks for no such run (its budget or seed)";
    return result.cell.app != app->second ? "it is of another version of the app" : "";
  }

  /// "30m of each run there, 1h here", and the same of the app.
  void note_differences(const CellResult& old, std::set<std::string>& told, Output& out) const {
    const auto say = [&](std::string what) {
      if (told.insert(what).second) out.warning(fmt::format("{}: {}", against_, what));
    };
    if (old.cell.budget != plan_.budget)
      say(fmt::format("its runs had {} each, these {}", show_duration(old.cell.budget),
                      show_duration(plan_.budget)));
    if (old.cell.app != apps_.at(old.cell.device))
      say(fmt::format("{} was another version of the app then", old.cell.device));
  }

  Result<std::vector<fs::path>> files_of_results(const std::string& folder) const {
    if (!fs::is_directory(folder)) return fail(Error::Kind::not_found, "is no folder of results", folder);
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
      if (at->path().extension() == ".json") files.push_back(at->path());
    std::ranges::sort(files);
    return files;
  }
  /// The folder to compare with has a run of one of these tools for one of these bugs: better asked now than
  /// after hours.
  Status may_be_compared() const {
    NORN_TRY(const auto files, files_of_results(against_));
    const bool some = std::ranges::any_of(files, [&](const fs::path& file) {
      const auto cell = read_cell(file);
      return cell && cell->trouble.empty() &&
             std::ranges::find(plan_.strategies, cell->cell.strategy) != plan_.strategies.end() &&
             std::ranges::any_of(bugs_, [&](const LoadedBug& b) {
               return b.plan.device == cell->cell.device &&
                      std::ranges::find(cell->bugs, b.plan.name, &CellBug::bug) != cell->bugs.end();
             });
    });
    if (some) return {};
    return fail(Error::Kind::not_found, "holds no results of these tools for these bugs", against_);
  }

  struct Kept {
    fs::path file;
    CellResult result;
  };
  /// The runs in a folder of results by their seeds. What was cut off is named.
  Result<std::vector<Kept>> read_results(const std::string& folder, Output& out) const {
    NORN_TRY(const auto files, files_of_results(folder));
    std::vector<Kept> all;
    for (const fs::path& file : files) {
      if (auto cell = read_cell(file))
        all.push_back({file, std::move(*cell)});
      else if (const auto text = read_file(file); text && text->find("benchmark cell") != std::string::npos)
        out.warning(file.string() + ": left out: it cannot be read to its end");
    }
    std::ranges::stable_sort(all, {}, [](const Kept& kept) { return kept.result.cell.seed; });
    return all;
  }

  /// Bugs in their order, for each of them the tools in theirs.
  std::pair<std::ptrdiff_t, std::ptrdiff_t> place_in_plan(const RunResult& run) const {
    return {&bug_of(run.bug) - bugs_.data(),
            std::ranges::find(plan_.strategies, run.tool) - plan_.strategies.begin()};
  }

  /// What the plan asks for, out of a folder of results; not `planned`: all that is comparable.
  Result<Figures> figures_of(const std::string& folder, bool planned, Output& out) const {
    NORN_TRY(auto results, read_results(folder, out));
    Figures figures;
    std::set<std::string> told;
    for (auto& [file, cell] : results) {
      if (std::ranges::find(plan_.strategies, cell.cell.strategy) == plan_.strategies.end()) continue;
      if (const std::string why = left_out(cell, file, planned); !why.empty()) {
        out.warning(fmt::format("{}: left out: {}", file.string(), why));
        continue;
      }
      if (!cell.trouble.empty()) {
        figures.troubled.push_back(std::move(cell));
        continue;
      }
      if (!planned) note_differences(cell, told, out);
      take(std::move(cell), file, figures, out);
    }
    std::ranges::stable_sort(figures.runs, {}, [&](const RunResult& run) { return place_in_plan(run); });
    std::vector<Bug> bugs;
    for (const LoadedBug& b : bugs_) bugs.push_back(b.bug);
    figures.rows = tool_rows(bugs, figures.runs);
    for (const ToolRow& row : figures.rows) {
      figures.times.emplace_back();
      for (const RunResult& run : figures.runs)
        if (run.bug == row.bug && run.tool == row.tool && run.found_seconds)
          figures.times.back().push_back(*run.found_seconds);
      std::ranges::sort(figures.times.back());
    }
    return figures;
  }

  void take(CellResult cell, const fs::path& file, Figures& figures, Output& out) const {
    bool used = false;
    for (const CellBug& seen : cell.bugs) {
      const auto bug =
          std::ranges::find_if(bugs_, [&](const LoadedBug& b) { return b.plan.name == seen.bug; });
      if (bug == bugs_.end() || bug->plan.device != cell.cell.device) continue;
      if (bug->hash != seen.hash) {
        out.warning(
            fmt::format("{}: was made with another automaton of {}", file.filename().string(), seen.bug));
        continue;
      }
      RunResult run = match_plain(bug->bug, seen.log);
      run.bug = seen.bug, run.tool = cell.cell.strategy, run.log = file.filename().string();
      run.found = seen.found.has_value(), run.found_seconds = seen.found;
      figures.runs.push_back(std::move(run));
      used = true;
    }
    if (used) figures.cells.push_back(std::move(cell));
  }

  static std::vector<std::optional<double>> medians(const Figures& figures) {
    std::vector<std::optional<double>> out;
    for (const auto& times : figures.times) out.push_back(time_to_bug(times));
    return out;
  }

  static std::string time_text(const std::vector<double>& times) {
    const auto middle = time_to_bug(times);
    return middle ? show_duration(*middle) : "-";
  }

  const LoadedBug& bug_of(const std::string& name) const {
    return *std::ranges::find_if(bugs_, [&](const LoadedBug& b) { return b.plan.name == name; });
  }

  void print(const Figures& now, const std::optional<Figures>& before, Output& out) const {
    std::size_t bug_width = 3, tool_width = 4;
    for (const ToolRow& r : now.rows) {
      bug_width = std::max(bug_width, std::min(longest_name, printable(r.bug).size()));
      tool_width = std::max(tool_width, std::min(longest_name, printable(r.tool).size()));
    }
    out.line(fmt::format("{:<{}}  {:<{}}  {:>9} {:>9} {:>7} {:>8} {:>4}   {:>7} {:>8} {:>4}  {}", "bug",
                         bug_width, "tool", tool_width, "found", "time", "EC", "EPC", "MD", "all EC",
                         "all EPC", "MD", "first missed"));
    for (std::size_t i = 0; i < now.rows.size(); ++i) {
      const ToolRow& r = now.rows[i];
      const Bug& bug = bug_of(r.bug).bug;
      const auto& events = bug_of(r.bug).events.events;
      std::string missed = "-";
      if (r.united.first_missed) {
        missed = bug.dfa.labels[*r.united.first_missed];
        if (const auto at = events.find(missed); at != events.end() && !at->second.what.empty())
          missed += " " + at->second.what;
      }
      out.line(fmt::format("{:<{}}  {:<{}}  {:>9} {:>9} {:>7} {:>8} {:>4}   {:>7} {:>8} {:>4}  {}",
                           shorten(printable(r.bug), longest_name), bug_width,
                           shorten(printable(r.tool), longest_name), tool_width,
                           fmt::format("{} of {}", r.found, r.runs), time_text(now.times[i]),
                           figure(r.best_ec, r.events), figure(r.best_epc, r.pairs), show_distance(r.best_md),
                           figure(r.united.ec, r.events), figure(r.united.epc, r.pairs),
                           show_distance(r.united.md), printable(missed)));
    }
    out.line("best of a tool's runs, then all of them together; time: the median of those that found it");
    out.line();
    for (const ToolRow& row : now.rows) {
      if (row.found > 0) continue;
      const LoadedBug& bug = bug_of(row.bug);
      out.line(fmt::format("why {} missed {}:", printable(row.tool), printable(row.bug)));
      for (const std::string& clue : clues(bug.bug, row.united, bug.events)) out.line("  - " + clue);
    }
    if (before) compare(now, *before, out);
    for (const CellResult& cell : now.troubled)
      out.warning(fmt::format("{} on {}, seed {}, is not counted: {}", cell.cell.strategy, cell.cell.device,
                              cell.cell.seed, cell.trouble));
    if (!now.troubled.empty())
      out.line(fmt::format("{} runs ended early and are not counted; the next call runs them again",
                           now.troubled.size()));
    out.line(fmt::format("{} of {} runs in {}", now.cells.size(), cells().size(), results_));
  }

  static const ToolRow* same_row(const Figures& figures, const ToolRow& row) {
    for (const ToolRow& other : figures.rows)
      if (other.bug == row.bug && other.tool == row.tool) return &other;
    return nullptr;
  }
  static std::string judgement(const ToolRow& was, const ToolRow& is) {
    const auto rank = [](const ToolRow& r) {
      return std::tuple(static_cast<double>(r.found) / static_cast<double>(std::max<std::size_t>(1, r.runs)),
                        -static_cast<double>(r.best_md.value_or(1000000)), r.best_ec, r.best_epc);
    };
    return rank(is) > rank(was) ? "better" : rank(is) < rank(was) ? "worse" : "the same";
  }

  void compare(const Figures& now, const Figures& before, Output& out) const {
    out.line(fmt::format("against {}:", against_));
    for (const ToolRow& is : now.rows)
      if (const ToolRow* was = same_row(before, is))
        out.line(
            fmt::format("  {} on {}: {}; found {} of {} -> {} of {}, MD {} -> {}, EC {} -> {}, EPC {} -> {}",
                        printable(is.tool), printable(is.bug), judgement(*was, is), was->found, was->runs,
                        is.found, is.runs, show_distance(was->best_md), show_distance(is.best_md),
                        was->best_ec, is.best_ec, was->best_epc, is.best_epc));
      else
        out.line(fmt::format("  {} on {}: was not there", printable(is.tool), printable(is.bug)));
  }

  JsonOut row_json(const ToolRow& r, const std::vector<double>& times) const {
    const auto number = [](const auto& value) { return value ? JsonOut(*value) : JsonOut(nullptr); };
    const Bug& bug = bug_of(r.bug).bug;
    return {
        {"bug", r.bug},
        {"tool", r.tool},
        {"runs", r.runs},
        {"found", r.found},
        {"time_to_bug_s", number(time_to_bug(times))},
        {"best", {{"ec", {r.best_ec, r.events}}, {"epc", {r.best_epc, r.pairs}}, {"md", number(r.best_md)}}},
        {"union",
         {{"ec", {r.united.ec, r.events}}, {"epc", {r.united.epc, r.pairs}}, {"md", number(r.united.md)}}},
        {"first_missed",
         r.united.first_missed ? JsonOut(bug.dfa.labels[*r.united.first_missed]) : JsonOut(nullptr)}};
  }

  JsonOut json(const Figures& now, const std::optional<Figures>& before) const {
    const auto number = [](const auto& value) { return value ? JsonOut(*value) : JsonOut(nullptr); };
    JsonOut runs = JsonOut::array(), tools = JsonOut::array(), against = JsonOut::array();
    for (const RunResult& run : now.runs) {
      const Bug& bug = bug_of(run.bug).bug;
      runs.push_back({{"bug", run.bug},
                      {"tool", run.tool},
                      {"cell", run.log},
                      {"found", run.found},
                      {"time_to_bug_s", number(run.found_seconds)},
                      {"ec", {run.ec, bug.pivots()}},
                      {"epc", {run.epc, bug.pairs.size()}},
                      {"md", number(run.md)},
                      {"first_missed",
                       run.first_missed ? JsonOut(bug.dfa.labels[*run.first_missed]) : JsonOut(nullptr)}});
    }
    for (std::size_t i = 0; i < now.rows.size(); ++i) tools.push_back(row_json(now.rows[i], now.times[i]));
    if (before)
      for (std::size_t i = 0; i < now.rows.size(); ++i)
        if (const ToolRow* was = same_row(*before, now.rows[i]))
          against.push_back(
              {{"bug", was->bug},
               {"tool", was->tool},
               {"verdict", judgement(*was, now.rows[i])},
               {"before", row_json(*was, before->times[static_cast<std::size_t>(was - before->rows.data())])},
               {"now", row_json(now.rows[i], now.times[i])}});
    MadeBy made;
    made.norn_version = version;
    made.options = {{"plan", plan_file_},
                    {"seed", std::to_string(plan_.seed)},
                    {"repeats", std::to_string(plan_.repeats)},
                    {"budget", fmt::format("{}", plan_.budget)}};
    JsonOut out{{"plan", plan_file_},
                {"results", results_},
                {"cells", now.cells.size()},
                {"planned", cells().size()},
                {"not_counted", now.troubled.size()},
                {"runs", runs},
                {"tools", tools}};
    if (before) out["against"] = against;
    out["made_by"] = made_by_json(made);
    out["effort"] = effort_json(spent_);
    return out;
  }

  std::string plan_file_, results_, against_, csv_;
  bool force_ = false;
  Plan plan_;
  std::vector<LoadedBug> bugs_;
  std::map<std::string, std::string> apps_;  ///< by device: what runs there
  Effort spent_;
};

}  // namespace

std::unique_ptr<Command> make_benchmark() { return std::make_unique<Benchmark>(); }

}  // namespace norn::cli
