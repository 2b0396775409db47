// norn diagnose: why did a testing tool miss this bug?
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "cli/bug_events.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/counted.h"
#include "cli/diagnose_inputs.h"
#include "cli/graph_file.h"
#include "cli/json_result.h"
#include "cli/session.h"
#include "cli/version.h"
#include "diagnose/clues.h"
#include "diagnose/learn/screen_reading.h"
#include "diagnose/table.h"
#include "formats/jflap.h"

namespace norn::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json label_or_null(const Bug& bug, const std::optional<Label>& label) {
  return label ? Json(bug.dfa.labels[*label]) : Json(nullptr);
}
Json simple_json(const Bug& bug, const std::optional<SimpleClue>& clue) {
  if (!clue) return nullptr;
  return {{"at", clue->at},
          {"seen", label_or_null(bug, clue->seen)},
          {"expected", label_or_null(bug, clue->expected)}};
}

std::string distance_text(const std::optional<std::uint32_t>& distance) {
  if (!distance) return "no way to the crash";
  return fmt::format("crash {} event{} away", *distance, *distance == 1 ? "" : "s");
}

std::string state_name(const Bug& bug, DfaState state) {
  std::string out;
  for (const std::uint32_t s : bug.walk.dfa.members[state])
    out += (out.empty() ? "" : ",") + bug.nfa.states[s].name;
  return out;
}

/// The figures that runs and unions share.
Json figures_json(const Bug& bug, const RunResult& run, const EventFile& events) {
  const std::size_t k = bug.labels();
  Json counts = Json::object(), pairs = Json::object(), reached = Json::array();
  for (std::size_t a = 0; a < k; ++a) counts[bug.dfa.labels[a]] = run.event_counts[a];
  for (const auto& [x, y] : bug.pairs)
    pairs[bug.dfa.labels[x] + "," + bug.dfa.labels[y]] = run.pair_counts[x * k + y];
  for (const Reached& r : run.reached)
    reached.push_back({{"state", state_name(bug, bug.plain(r.state))},
                       {"distance", or_null(bug.distance[bug.plain(r.state)])},
                       {"at", r.at},
                       {"seconds", or_null(r.seconds)},
                       {"after_relaunch", bug.plain(r.state) != r.state}});
  return {{"found", run.found},
          {"found_at", or_null(run.found_at)},
          {"ec", {run.ec, bug.pivots()}},
          {"epc", {run.epc, bug.pairs.size()}},
          {"md", or_null(run.md)},
          {"md_read", or_null(run.md_read)},
          {"md_after_relaunch", run.md_after_relaunch},
          {"first_missed", label_or_null(bug, run.first_missed)},
          {"events", std::move(counts)},
          {"pairs", std::move(pairs)},
          {"total_events", run.events},
          {"other_events", run.unknown},
          {"undecided", run.undecided},
          {"relaunches", run.relaunches},
          {"clean_starts", run.clean_starts},
          {"crashes", run.crashes},
          {"other_crashes", run.other_crashes},
          {"reached", std::move(reached)},
          {"clues", clues(bug, run, events)}};
}

class Diagnose final : public Command {
 public:
  void declare(Options& options) override {
    options.list(files_, "files",
                 "Bug automata (BUG.jff), and logs, traces or folders of them; TOOL=FILE names the tool",
                 true);
    options.text(
        events_given_, "--events",
        "What the events are: matchers or a DDroid configuration; FILE, or one for each bug: FILE,FILE");
    options.choice(rules_, "--rules", {"norn", "ddroid"}, "How logs are matched (docs/diagnose.md)");
    options.choice(restart_, "--restart", {"auto", "reset", "keep", "union"},
                   "What a relaunch with data kept means");
    options.choice(format_, "--format", {"auto", "handler", "plain"},
                   "What text logs are: lines of handlers, or lists of labels");
    options.text(crash_given_, "--crash",
                 "What a stack in the log must contain to be this bug's crash: TEXT, or all of TEXT;TEXT");
    options.text(package_, "--package", "The app's package: its process starts in a logcat are relaunches");
    options.text(csv_, "--csv", "Write the table of bugs and tools to this file");
    options.text(graph_, "--graph",
                 "Write the covered automaton to this .dot or .svg file, or as it was read to this .jff file "
                 "(several bugs: one file each)");
    options.text(store_, "--store", "Where t17 and c3 are looked up");
    options.flag(force_, "--force", "Overwrite files");
  }

  Result<Exit> run(Output& out) override {
    const auto begin = std::chrono::steady_clock::now();
    event_files_ = parts_of(events_given_, ',');
    signature_ = parts_of(crash_given_, ';');
    NORN_TRY(const DiagnoseInputs inputs, sort_inputs(files_));
    for (const std::string& what : inputs.left_out) out.warning(what);
    NORN_CHECK(load_bugs(inputs.bugs, out));
    NORN_CHECK(files_may_be_written());
    NORN_CHECK(match_all(inputs.logs, out));
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (out.json)
      out.object(dump_line(json(wall)));
    else
      print(out);
    NORN_CHECK(write_files(out));  // last: who has no Graphviz has the figures all the same
    return Exit::done;
  }

 private:
  static std::vector<std::string> parts_of(const std::string& text, char separator) {
    std::vector<std::string> out;
    for (const std::string_view part : split(text, separator))
      if (!part.empty()) out.emplace_back(part);
    return out;
  }

  Status load_bugs(const std::vector<std::string>& files, Output& out) {
    if (event_files_.size() > 1 && event_files_.size() != files.size())
      return fail(
          Error::Kind::bad_input,
          fmt::format("{} files for --events, but {}", event_files_.size(), counted(files.size(), "bug")), {},
          "give one for all bugs, or one for each in the same order");
    const std::map<std::string, OnRelaunch> restarts{{"auto", OnRelaunch::automatic},
                                                     {"reset", OnRelaunch::reset},
                                                     {"keep", OnRelaunch::keep},
                                                     {"union", OnRelaunch::join}};
    const MatchOptions options{rules_ == "ddroid" ? Semantics::ddroid : Semantics::norn,
                               restarts.at(restart_)};
    for (std::size_t i = 0; i < files.size(); ++i) {
      NORN_TRY(const std::string text, read_file(files[i], std::uintmax_t{1} << 28));
      NORN_TRY(JflapFile file, read_jflap(text, files[i]));
      for (const std::string& repair : file.repairs) out.warning(files[i] + ": " + repair);
      std::string name = fs::path(files[i]).stem().string();
      if (std::ranges::find(bugs_, name, &Bug::name) != bugs_.end()) name = files[i];
      NORN_TRY(EventFile events, load_events(i, files[i]));
      for (const std::string& remark : events.remarks) out.warning(fmt::format("{}, {}", files[i], remark));
      NORN_TRY(Bug bug, make_bug(std::move(name), std::move(file.automaton), options, events.guards));
      for (const std::string& remark : bug.remarks) out.warning(bug.name + ": " + remark);
      bugs_.push_back(std::move(bug));
      repairs_.push_back(std::move(file.repairs));
      for (const auto& [label, explanation] : events.events)
        if (!event_files_.empty() && !bugs_.back().dfa.find(label))
          out.warning(fmt::format("{}: no transition is labelled {}", bugs_.back().name, label));
      learned_.push_back(events.patterns.empty() ? std::nullopt : learned_bug(i, files[i]));
      events_.push_back(std::move(events));
    }
    return {};
  }

  std::string events_path_of(std::size_t bug, const std::string& jff) const {
    return event_files_.empty() ? events_beside(jff).string()
                                : event_files_[event_files_.size() == 1 ? 0 : bug];
  }

  /// The automaton as norn learn wrote it, which says what is possible in its states; none: it is drawn by
  /// hand.
  std::optional<BugAutomaton> learned_bug(std::size_t bug, const std::string& jff) const {
    auto learned = load_bug(jff, events_path_of(bug, jff));
    if (!learned || learned->possible.empty()) return std::nullopt;
    return std::move(*learned);
  }

  /// What was given for the bug, else what lies beside its automaton.
  Result<EventFile> load_events(std::size_t bug, const std::string& jff) const {
    const std::string path = events_path_of(bug, jff);
    if (path.empty()) return EventFile{};
    NORN_TRY(const std::string text, read_file(path, std::uintmax_t{1} << 26));
    return read_event_file(text, path);
  }

  Status match_all(const std::vector<DiagnoseInput>& logs, Output& out) {
    LogOptions options;
    options.format = format_ == "plain"     ? LogOptions::Format::plain
                     : format_ == "handler" ? LogOptions::Format::handler
                                            : LogOptions::Format::automatic;
    options.package = package_;
    options.crash_signature = signature_;
    for (std::size_t b = 0; b < bugs_.size(); ++b) {
      const Alphabet alphabet(bugs_[b].dfa.labels);
      for (const DiagnoseInput& log : logs) {
        out.status(fmt::format("{}: {}", bugs_[b].name, log.path));
        Analyser analyser(bugs_[b]);
        std::vector<std::optional<std::uint32_t>> read;  // by trace
        const auto read_screens = [&](const Trace& trace) {
          if (learned_[b]) read.push_back(read_run(ScreenReader(*learned_[b]), trace).nearest);
        };
        const LogReading reading{bugs_[b].name, alphabet,
                                 events_[b],    options,
                                 store_,        [&](const LabelBatch& batch) { analyser.feed(batch); },
                                 read_screens};
        NORN_TRY(const bool is_told, feed_log(log, reading, out));
        if (!is_told) continue;
        std::vector<RunResult> runs = analyser.finish();
        for (std::size_t i = 0; i < runs.size() && runs.size() == read.size(); ++i) runs[i].md_read = read[i];
        for (std::size_t i = 0; i < runs.size(); ++i) {
          RunResult& run = runs[i];
          run.log = log.path;
          run.number = runs.size() > 1 ? i + 1 : 0;
          run.tool = log.tool;
          if (run.events + run.undecided == 0 && run.unknown > 0)
            out.warning(fmt::format("{}: of its {} none is one of {}", log.path,
                                    counted(run.unknown, "event"), bugs_[b].name));
          if (run.is_empty() && b == 0) out.warning(log.path + ": tells of no event at all; is it a log?");
          runs_.push_back(std::move(run));
          bug_of_.push_back(b);
        }
      }
    }
    for (const DiagnoseInput& log : logs)
      if (std::ranges::find(runs_, log.path, &RunResult::log) == runs_.end())
        out.warning(log.path + ": is a benchmark's run for other bugs than these (by the names in its plan)");
    rows_ = tool_rows(bugs_, runs_);
    return {};
  }

  /// All runs against one bug; none: there were no logs.
  std::optional<RunResult> united(std::size_t bug) const {
    std::vector<const RunResult*> runs;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (bug_of_[i] == bug) runs.push_back(&runs_[i]);
    if (runs.empty()) return std::nullopt;
    return unite(bugs_[bug], runs);
  }

  Status files_may_be_written() const {
    if (!csv_.empty()) NORN_CHECK(may_write(csv_, force_));
    for (std::size_t b = 0; !graph_.empty() && b < bugs_.size(); ++b) {
      const fs::path path = graph_path(b);
      NORN_CHECK(path.extension() == ".jff" ? may_write(path, force_) : may_write_graph(path, force_));
    }
    return {};
  }

  Status write_files(Output& out) {
    if (!csv_.empty()) {
      NORN_CHECK(write_file(csv_, table_csv(bugs_, rows_)));
      out.line("wrote " + csv_);
    }
    for (std::size_t b = 0; !graph_.empty() && b < bugs_.size(); ++b) NORN_CHECK(write_graph(b, out));
    return {};
  }

  /// Of several bugs each has a file of its own.
  fs::path graph_path(std::size_t b) const {
    fs::path path = graph_;
    if (bugs_.size() < 2) return path;
    std::string name = bugs_[b].name;
    std::ranges::replace(name, '/', '_');
    return path.replace_filename(path.stem().string() + "-" + name + path.extension().string());
  }

  Status write_graph(std::size_t b, Output& out) {
    const auto run = united(b).value_or(Analyser(bugs_[b]).finish().front());
    const fs::path path = graph_path(b);
    NORN_CHECK(path.extension() == ".jff"
                   ? write_file(path, write_jflap(bugs_[b].nfa))
                   : cli::write_graph(path, coverage_dot(bugs_[b], run, events_[b]), force_));
    out.line("wrote " + path.string());
    return {};
  }

  Json automaton_json(std::size_t b) const {
    const Bug& bug = bugs_[b];
    const auto epsilon =
        std::ranges::count_if(bug.nfa.transitions, [](const auto& t) { return t.label.empty(); });
    return {{"bug", bug.name},
            {"nfa",
             {{"states", bug.nfa.states.size()},
              {"transitions", bug.nfa.transitions.size()},
              {"epsilon", epsilon}}},
            {"dfa", {{"states", bug.dfa.live()}, {"minimal", bug.minimal}}},
            {"distance", or_null(bug.start_distance())},
            {"pairs", bug.pairs.size()},
            {"labels", bug.dfa.labels},
            {"repairs", repairs_[b]},
            {"remarks", bug.remarks}};
  }

  Json json(double wall) const {
    MadeBy made;
    made.norn_version = version;
    made.options = {{"rules", rules_}, {"restart", restart_}, {"format", format_}};
    Effort effort;  // nothing is run on a device here
    effort.wall_seconds = wall;
    Json runs = Json::array(), automata = Json::array(), tools = Json::array(), all = Json::object();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const Bug& bug = bugs_[bug_of_[i]];
      Json run{{"bug", bug.name}, {"log", runs_[i].log}, {"tool", runs_[i].tool}};
      if (runs_[i].number > 0) run["run"] = runs_[i].number;
      run.update(figures_json(bug, runs_[i], events_[bug_of_[i]]));
      run["simple_tc"] = simple_json(bug, runs_[i].simple_tc);
      run["simple_rv"] = simple_json(bug, runs_[i].simple_rv);
      runs.push_back(std::move(run));
    }
    for (std::size_t b = 0; b < bugs_.size(); ++b) {
      automata.push_back(automaton_json(b));
      const auto run = united(b);
      Json figures = run ? figures_json(bugs_[b], *run, events_[b]) : Json(nullptr);
      if (bugs_.size() == 1 && run)
        all = std::move(figures);
      else if (bugs_.size() > 1)
        all[bugs_[b].name] = std::move(figures);
    }
    for (const ToolRow& row : rows_)
      tools.push_back({{"bug", row.bug},
                       {"tool", row.tool},
                       {"runs", row.runs},
                       {"found", row.found},
                       {"best",
                        {{"ec", {row.best_ec, row.events}},
                         {"epc", {row.best_epc, row.pairs}},
                         {"md", or_null(row.best_md)}}},
                       {"union",
                        {{"ec", {row.united.ec, row.events}},
                         {"epc", {row.united.epc, row.pairs}},
                         {"md", or_null(row.united.md)}}}});
    return {{"runs", std::move(runs)},   {"union", std::move(all)},       {"automata", std::move(automata)},
            {"tools", std::move(tools)}, {"made_by", made_by_json(made)}, {"effort", effort_json(effort)}};
  }

  void print(Output& out) const {
    for (std::size_t b = 0; b < bugs_.size(); ++b) print_bug(b, out);
    if (rows_.size() > 1) out.line(table_text(bugs_, rows_) + "best of a tool's runs; * found");
  }

  static std::string md_remark(const RunResult& run) {
    return (run.md_after_relaunch ? " (after relaunch)" : "") +
           (run.md_read && run.md_read != run.md ? fmt::format(" ({} with screens)", *run.md_read) : "");
  }

  void print_bug(std::size_t b, Output& out) const {
    const Bug& bug = bugs_[b];
    out.line(fmt::format("{}: {}, {}; deterministic: {}; {}, {}; {}", printable(bug.name),
                         counted(bug.nfa.states.size(), "state"),
                         counted(bug.nfa.transitions.size(), "transition"), counted(bug.dfa.live(), "state"),
                         counted(bug.pivots(), "event"), counted(bug.pairs.size(), "pair"),
                         distance_text(bug.start_distance())));
    std::size_t count = 0;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (bug_of_[i] != b) continue;
      const RunResult& run = runs_[i];
      out.line(fmt::format("  {:<6}  EC {}/{}  EPC {}/{}  MD {}{}  first missed {:<4}  {}",
                           run.found ? "found" : "missed", run.ec, bug.pivots(), run.epc, bug.pairs.size(),
                           show_distance(run.md), md_remark(run),
                           run.first_missed ? printable(bug.dfa.labels[*run.first_missed]) : "-",
                           printable(run.log) + (run.number > 0 ? fmt::format(", run {}", run.number) : "")));
      ++count;
    }
    const auto all = united(b);
    if (!all) return;
    if (count > 1)
      out.line(fmt::format("  together: EC {}/{}  EPC {}/{}  MD {}{}", all->ec, bug.pivots(), all->epc,
                           bug.pairs.size(), show_distance(all->md), md_remark(*all)));
    for (const std::string& clue : clues(bug, *all, events_[b])) out.line("  - " + clue);
    out.line();
  }

  std::vector<std::optional<BugAutomaton>> learned_;  ///< by bug
  std::vector<std::string> files_, event_files_, signature_;
  std::string events_given_, crash_given_;
  std::string rules_ = "norn", restart_ = "auto", format_ = "auto", package_, csv_, graph_,
              store_{usual_store};
  bool force_ = false;
  std::vector<Bug> bugs_;
  std::vector<EventFile> events_;                  ///< by bug
  std::vector<std::vector<std::string>> repairs_;  ///< by bug
  std::vector<RunResult> runs_;
  std::vector<std::size_t> bug_of_;  ///< by run
  std::vector<ToolRow> rows_;
};

}  // namespace

std::unique_ptr<Command> make_diagnose() { return std::make_unique<Diagnose>(); }

}  // namespace norn::cli
