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

}  // namespace

std::string report_text(const Report& r, std::size_t number) {
  const std::string place = r.place.empty() ? "" : " on " + printable(r.place);
  std::string out = fmt::format("{}. {}{}\n", number,
                                r.words.empty() ? describe(r.event) + " behaves differently" : r.words,
                                r.words.empty() ? place : "");
  out += "Steps\n" + steps(r.deviant);
  if (!r.normal.empty()) {
    if (r.oracle == "values" && r.inputs > 0)
      out += fmt::format("Expected (holds for {} of {} different values)\n", r.usual, r.inputs);
    else if (r.inputs > 0)
      out += fmt::format("Expected (what {} of {} inputs do)\n", r.usual, r.inputs);
    else
      out += "Expected\n";
    if (r.oracle == "odin") out += few(changes(r.before, r.expected), 6);
    if (r.oracle == "values")
      out += fmt::format("Seen (for {})\n    {}\n", r.rare, r.words);
    else
      out += r.inputs > 0 ? fmt::format("Seen (what {} do)\n", r.rare) : "Seen\n";
    if (r.oracle != "values" || r.ends_should_agree)
      out += few(changes(r.oracle == "odin" ? r.before : r.expected, r.seen), 6);
  } else {
    out += "Seen\n" + few(changes(r.before, r.seen), 6);
  }
  if (!r.difference.empty()) {
    out += "What makes the difference\n";
    for (const std::string& d : r.difference) out += "  " + d + "\n";
  }
  if (!r.normal.empty()) out += "A normal input for comparison\n" + steps(r.normal);
  for (const ReportPart& part : r.more)
    out += fmt::format("Also: {} on {}\n{}{}", part.words, printable(part.place), steps(part.deviant),
                       few(changes(part.expected, part.seen), 3));
  if (r.oracle == "values" && !r.ends_should_agree)
    out += "Screens: - before the last step, + after it\n" + marked_outline(r.before, r.seen);
  else
    out += "Screens: - expected, + seen\n" + marked_outline(r.expected, r.seen);
  if (r.runs > 0)
    out += fmt::format(
        "Came back {} of {} times from clean starts, rate >= {:.2f} (95 %, one-sided Clopper-Pearson)",
        r.came_back, r.runs, rate_at_least(r.came_back, r.runs));
  if (r.oracle == "values") out += fmt::format("; p = {:.2g}", r.p);
  if (r.oracle == "odin" && r.inputs > 0) out += fmt::format("; p = {:.2g}, q = {:.2g}", r.p, r.q);
  if (r.duplicates > 0) out += fmt::format("; the same was seen in {} more places", r.duplicates);
  return out + "\n";
}

}  // namespace norn
