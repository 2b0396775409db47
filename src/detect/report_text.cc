// A report that reads like a bug report: steps, expected, seen, and the screens with what differs marked.
#include <fmt/core.h>

#include "base/text.h"
#include "detect/detect.h"
#include "gui/difference.h"

namespace norn {
namespace {

std::string steps(const std::vector<Event>& events) {
  std::string out;
  for (std::size_t i = 0; i < events.size(); ++i)
    out += fmt::format("  {:2}  {}\n", i + 1, describe(events[i]));
  return out;
}

std::string few(const std::vector<Change>& all, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < all.size() && i < most; ++i) {
    const char mark = all[i].kind == Change::Kind::inserted  ? '+'
                      : all[i].kind == Change::Kind::deleted ? '-'
                                                             : '~';
    out += fmt::format("    {} {}\n", mark, all[i].what);
  }
  if (all.size() > most) out += fmt::format("    and {} more\n", all.size() - most);
  return out.empty() ? "    nothing changes\n" : out;
}

/// What the last step should have done and what it did, in the terms of the oracle that asked.
std::string expected_and_seen(const Report& r) {
  if (r.oracle == "values")
    return fmt::format("Expected\n    {}\nSeen (for {})\n    {}\n",
                       r.usual < r.rare
                           ? "what any app does"
                           : fmt::format("what holds for {} of {} different values", r.usual, r.inputs),
                       r.rare, r.words) +
           (r.ends_should_agree ? few(changes(r.expected, r.seen), 6) : "");
  if (r.ends_should_agree) {
    const std::string renamed = r.reads_as.first.empty()
                                    ? ""
                                    : fmt::format(", with \"{}\" in the place of \"{}\"",
                                                  printable(r.reads_as.second), printable(r.reads_as.first));
    return fmt::format("Expected\n    the screen that the normal input leads to{}\nSeen\n{}", renamed,
                       few(changes(r.expected, r.seen), 6));
  }
  if (r.normal.empty() || r.oracle != "odin") return "Seen\n" + few(changes(r.before, r.seen), 6);
  return fmt::format("Expected (what {} of {} inputs do)\n{}Seen (what {} do)\n{}", r.usual, r.inputs,
                     few(changes(r.before, r.expected), 6), r.rare, few(changes(r.before, r.seen), 6));
}

}  // namespace

std::string report_text(const Report& r, std::size_t number) {
  const std::string place = r.place.empty() ? "" : " on " + printable(r.place);
  std::string out = fmt::format("{}. {}{}\n", number,
                                r.words.empty() ? describe(r.event) + " behaves differently" : r.words,
                                r.words.empty() ? place : "");
  out += "Steps\n" + steps(r.deviant);
  out += expected_and_seen(r);
  if (!r.difference.empty()) {
    out += "What makes the difference\n";
    for (const std::string& d : r.difference) out += "  " + d + "\n";
  }
  if (!r.normal.empty()) out += "A normal input for comparison\n" + steps(r.normal);
  for (const ReportPart& part : r.more)
    out += fmt::format("Also: {} on {}\n{}{}", part.words, printable(part.place), steps(part.deviant),
                       few(changes(part.expected, part.seen), 3));
  if (r.oracle != "odin" && !r.ends_should_agree)
    out += "Screens: - before the last step, + after it\n" + marked_outline(r.before, r.seen);
  else
    out += "Screens: - expected, + seen\n" + marked_outline(r.expected, r.seen);
  if (r.runs > 0)
    out += fmt::format(
        "Came back {} of {} times from clean starts, rate >= {:.2f} (95 %, one-sided Clopper-Pearson)",
        r.came_back, r.runs, rate_at_least(r.came_back, r.runs));
  if (r.oracle == "values") out += fmt::format("; p = {:.2g}", r.p);
  if (r.oracle == "odin" && r.inputs > 0) out += fmt::format("; p = {:.2g}, q = {:.2g}", r.p, r.q);
  if (r.duplicates > 0)
    out += fmt::format("; the same was seen in {} more {}", r.duplicates,
                       r.duplicates == 1 ? "place" : "places");
  return out + "\n";
}

}  // namespace norn
