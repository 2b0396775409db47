#include "diagnose/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace norn {
namespace {

const Bug* find_bug(const std::vector<Bug>& bugs, const std::string& name) {
  const auto at = std::ranges::find(bugs, name, &Bug::name);
  return at == bugs.end() ? nullptr : &*at;
}

ToolRow make_row(const Bug& bug, const std::string& tool, const std::vector<const RunResult*>& runs) {
  ToolRow row{.bug = bug.name,
              .tool = tool,
              .runs = runs.size(),
              .events = bug.pivots(),
              .pairs = bug.pairs.size(),
              .best_md = {},
              .united = unite(bug, runs)};
  for (const RunResult* run : runs) {
    row.found += run->found;
    row.best_ec = std::max(row.best_ec, run->ec);
    row.best_epc = std::max(row.best_epc, run->epc);
    if (run->md && (!row.best_md || *run->md < *row.best_md)) row.best_md = run->md;
  }
  return row;
}

std::string percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.0f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

/// A name as a cell. One that a spreadsheet would take for a formula gets an apostrophe, which it takes for
/// "this is text".
std::string csv_cell(std::string field) {
  if (!field.empty() && std::string_view("=+-@\t\r").find(field[0]) != std::string_view::npos)
    field.insert(0, 1, '\'');
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::vector<std::string> distinct_tools(const std::vector<ToolRow>& rows) {
  std::vector<std::string> tools;
  for (const ToolRow& row : rows)
    if (std::ranges::find(tools, row.tool) == tools.end()) tools.push_back(row.tool);
  return tools;
}

}  // namespace

std::string show_distance(const std::optional<std::uint32_t>& distance) {
  return distance ? std::to_string(*distance) : "-";
}

std::vector<ToolRow> tool_rows(const std::vector<Bug>& bugs, const std::vector<RunResult>& runs) {
  std::vector<std::pair<std::string, std::string>> groups;
  for (const RunResult& run : runs)
    if (std::ranges::find(groups, std::pair(run.bug, run.tool)) == groups.end())
      groups.emplace_back(run.bug, run.tool);
  std::vector<ToolRow> rows;
  for (const auto& [name, tool] : groups) {
    const Bug* bug = find_bug(bugs, name);
    std::vector<const RunResult*> members;
    for (const RunResult& run : runs)
      if (run.bug == name && run.tool == tool) members.push_back(&run);
    if (bug != nullptr) rows.push_back(make_row(*bug, tool, members));
  }
  return rows;
}

std::string table_text(const std::vector<Bug>& bugs, const std::vector<ToolRow>& rows) {
  const std::vector<std::string> tools = distinct_tools(rows);
  std::size_t width = 5;
  for (const Bug& bug : bugs) width = std::max(width, std::min<std::size_t>(40, printable(bug.name).size()));
  std::string out = fmt::format("{:<{}}  {:>4}", "", width, "");
  for (const std::string& tool : tools) out += fmt::format("  {:<16}", shorten(printable(tool), 16));
  out += fmt::format("\n{:<{}}  {:>4}", "bug", width, "dist");
  for (std::size_t i = 0; i < tools.size(); ++i) out += fmt::format("  {:>4} {:>5} {:>5}", "EC", "EPC", "MD");
  for (const Bug& bug : bugs) {
    out += fmt::format("\n{:<{}}  {:>4}", shorten(printable(bug.name), 40), width,
                       show_distance(bug.start_distance()));
    for (const std::string& tool : tools) {
      const auto row =
          std::ranges::find_if(rows, [&](const ToolRow& r) { return r.bug == bug.name && r.tool == tool; });
      if (row == rows.end())
        out += fmt::format("  {:>4} {:>5} {:>5}", "", "", "");
      else
        out += fmt::format("  {:>4} {:>5} {:>5}", percent(row->best_ec, row->events),
                           percent(row->best_epc, row->pairs),
                           show_distance(row->best_md) + (row->found > 0 ? "*" : ""));
    }
  }
  out += fmt::format("\n{:<{}}  {:>4}", "found", width, "");
  for (const std::string& tool : tools) {
    const auto of_tool = [&](const ToolRow& r) { return r.tool == tool; };
    const auto has_it = [&](const ToolRow& r) { return r.tool == tool && r.found > 0; };
    out += fmt::format("  {:>16}", fmt::format("{} of {}", std::ranges::count_if(rows, has_it),
                                               std::ranges::count_if(rows, of_tool)));
  }
  return out + "\n";
}

std::string table_csv(const std::vector<Bug>& bugs, const std::vector<ToolRow>& rows,
                      const std::vector<std::optional<double>>& times) {
  std::string out =
      "bug,tool,runs,found,distance,events,pairs,best_ec,best_epc,best_md,union_ec,union_epc,union_md,first_"
      "missed";
  out += times.empty() ? "\n" : ",time_to_bug_s\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ToolRow& row = rows[i];
    const Bug* bug = find_bug(bugs, row.bug);
    if (bug == nullptr) continue;
    const auto optional = [](const auto& d) { return d ? std::to_string(*d) : std::string(); };
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}", csv_cell(row.bug), csv_cell(row.tool),
                       row.runs, row.found, optional(bug->start_distance()), row.events, row.pairs,
                       row.best_ec, row.best_epc, optional(row.best_md), row.united.ec, row.united.epc,
                       optional(row.united.md),
                       row.united.first_missed ? csv_cell(bug->dfa.labels[*row.united.first_missed]) : "");
    if (i < times.size()) out += times[i] ? fmt::format(",{:.1f}", *times[i]) : ",";
    out += '\n';
  }
  return out;
}

}  // namespace norn
