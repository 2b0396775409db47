#include "cli/benchmark_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/average.h"
#include "base/text.h"
#include "diagnose/clues.h"

namespace norn::cli {
namespace {

constexpr std::size_t longest_name = 40;

std::string figure(std::size_t seen, std::size_t all) { return fmt::format("{}/{}", seen, all); }

std::optional<double> time_to_bug(const std::vector<double>& seconds) {
  if (seconds.empty()) return std::nullopt;
  return median(seconds);
}

std::string time_text(const std::vector<double>& seconds) {
  const auto middle = time_to_bug(seconds);
  return middle ? show_duration(*middle) : "-";
}

/// The event that was missed first, with what it is where its file says so.
std::string first_missed(const LoadedBug& bug, const ToolRow& row) {
  if (!row.united.first_missed) return "-";
  std::string missed = bug.bug.dfa.labels[*row.united.first_missed];
  if (const auto at = bug.events.events.find(missed);
      at != bug.events.events.end() && !at->second.what.empty())
    missed += " " + at->second.what;
  return missed;
}

void print_rows(const LoadedPlan& loaded, const Figures& now, Output& out) {
  std::size_t bug_width = 3, tool_width = 4;
  for (const ToolRow& r : now.rows) {
    bug_width = std::max(bug_width, std::min(longest_name, printable(r.bug).size()));
    tool_width = std::max(tool_width, std::min(longest_name, printable(r.tool).size()));
  }
  out.line(fmt::format("{:<{}}  {:<{}}  {:>9} {:>9} {:>7} {:>8} {:>4}   {:>7} {:>8} {:>4}  {}", "bug",
                       bug_width, "tool", tool_width, "found", "time", "EC", "EPC", "MD", "all EC", "all EPC",
                       "MD", "first missed"));
  for (std::size_t i = 0; i < now.rows.size(); ++i) {
    const ToolRow& r = now.rows[i];
    out.line(fmt::format("{:<{}}  {:<{}}  {:>9} {:>9} {:>7} {:>8} {:>4}   {:>7} {:>8} {:>4}  {}",
                         shorten(printable(r.bug), longest_name), bug_width,
                         shorten(printable(r.tool), longest_name), tool_width,
                         fmt::format("{} of {}", r.found, r.runs), time_text(now.times[i]),
                         figure(r.best_ec, r.events), figure(r.best_epc, r.pairs), show_distance(r.best_md),
                         figure(r.united.ec, r.events), figure(r.united.epc, r.pairs),
                         show_distance(r.united.md), printable(first_missed(loaded.bug_of(r.bug), r))));
  }
  out.line("best of a tool's runs, then all of them together; time: the median of those that found it");
}

void print_clues(const LoadedPlan& loaded, const Figures& now, Output& out) {
  for (const ToolRow& row : now.rows) {
    if (row.found > 0) continue;
    const LoadedBug& bug = loaded.bug_of(row.bug);
    out.line(fmt::format("why {} missed {}:", printable(row.tool), printable(row.bug)));
    for (const std::string& clue : clues(bug.bug, row.united, bug.events)) out.line("  - " + clue);
  }
}

const ToolRow* same_row(const Figures& figures, const ToolRow& row) {
  for (const ToolRow& other : figures.rows)
    if (other.bug == row.bug && other.tool == row.tool) return &other;
  return nullptr;
}

std::string judgement(const ToolRow& was, const ToolRow& is) {
  const auto rank = [](const ToolRow& r) {
    return std::tuple(static_cast<double>(r.found) / static_cast<double>(std::max<std::size_t>(1, r.runs)),
                      -static_cast<double>(r.best_md.value_or(1000000)), r.best_ec, r.best_epc);
  };
  return rank(is) > rank(was) ? "better" : rank(is) < rank(was) ? "worse" : "the same";
}

void compare(const Figures& now, const Earlier& earlier, Output& out) {
  out.line(fmt::format("against {}:", earlier.folder));
  for (const ToolRow& is : now.rows)
    if (const ToolRow* was = same_row(earlier.figures, is))
      out.line(
          fmt::format("  {} on {}: {}; found {} of {} -> {} of {}, MD {} -> {}, EC {} -> {}, EPC {} -> {}",
                      printable(is.tool), printable(is.bug), judgement(*was, is), was->found, was->runs,
                      is.found, is.runs, show_distance(was->best_md), show_distance(is.best_md), was->best_ec,
                      is.best_ec, was->best_epc, is.best_epc));
    else
      out.line(fmt::format("  {} on {}: was not there", printable(is.tool), printable(is.bug)));
}

JsonOut first_missed_json(const Bug& bug, const RunResult& run) {
  return run.first_missed ? JsonOut(bug.dfa.labels[*run.first_missed]) : JsonOut(nullptr);
}

JsonOut row_json(const LoadedPlan& loaded, const Figures& figures, std::size_t row) {
  const ToolRow& r = figures.rows[row];
  return {
      {"bug", r.bug},
      {"tool", r.tool},
      {"runs", r.runs},
      {"found", r.found},
      {"time_to_bug_s", or_null(time_to_bug(figures.times[row]))},
      {"best", {{"ec", {r.best_ec, r.events}}, {"epc", {r.best_epc, r.pairs}}, {"md", or_null(r.best_md)}}},
      {"union",
       {{"ec", {r.united.ec, r.events}}, {"epc", {r.united.epc, r.pairs}}, {"md", or_null(r.united.md)}}},
      {"first_missed", first_missed_json(loaded.bug_of(r.bug).bug, r.united)}};
}

}  // namespace

void print_table(const LoadedPlan& loaded, const Figures& now, const std::optional<Earlier>& earlier,
                 Output& out) {
  print_rows(loaded, now, out);
  out.line();
  print_clues(loaded, now, out);
  if (earlier) compare(now, *earlier, out);
}

std::vector<std::optional<double>> times_to_bug(const Figures& figures) {
  std::vector<std::optional<double>> out;
  for (const auto& seconds : figures.times) out.push_back(time_to_bug(seconds));
  return out;
}

JsonOut runs_json(const LoadedPlan& loaded, const Figures& figures) {
  JsonOut runs = JsonOut::array();
  for (const RunResult& run : figures.runs) {
    const Bug& bug = loaded.bug_of(run.bug).bug;
    runs.push_back({{"bug", run.bug},
                    {"tool", run.tool},
                    {"cell", run.log},
                    {"found", run.found},
                    {"time_to_bug_s", or_null(run.found_seconds)},
                    {"ec", {run.ec, bug.pivots()}},
                    {"epc", {run.epc, bug.pairs.size()}},
                    {"md", or_null(run.md)},
                    {"first_missed", first_missed_json(bug, run)}});
  }
  return runs;
}

JsonOut tools_json(const LoadedPlan& loaded, const Figures& figures) {
  JsonOut tools = JsonOut::array();
  for (std::size_t i = 0; i < figures.rows.size(); ++i) tools.push_back(row_json(loaded, figures, i));
  return tools;
}

JsonOut against_json(const LoadedPlan& loaded, const Figures& now, const Figures& before) {
  JsonOut against = JsonOut::array();
  for (std::size_t i = 0; i < now.rows.size(); ++i)
    if (const ToolRow* was = same_row(before, now.rows[i]))
      against.push_back(
          {{"bug", was->bug},
           {"tool", was->tool},
           {"verdict", judgement(*was, now.rows[i])},
           {"before", row_json(loaded, before, static_cast<std::size_t>(was - before.rows.data()))},
           {"now", row_json(loaded, now, i)}});
  return against;
}

}  // namespace norn::cli
