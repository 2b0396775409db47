#include "cli/json_result.h"

#include <fmt/core.h>

#include <cmath>

#include "base/text.h"
#include "cli/counted.h"

namespace norn::cli {
namespace {

double rounded(double seconds) { return std::round(seconds * 1000) / 1000; }

}  // namespace

JsonOut effort_json(const Effort& e) {
  return {{"runs", e.runs},
          {"events", e.events},
          {"restarts", e.restarts},
          {"snapshot_saves", e.snapshot_saves},
          {"snapshot_loads", e.snapshot_loads},
          {"from_memory", e.from_memory},
          {"unresolved", e.unresolved},
          {"device_seconds", rounded(e.device_seconds)},
          {"makespan_seconds", rounded(e.makespan_seconds)},
          {"wall_seconds", rounded(e.wall_seconds)}};
}

JsonOut made_by_json(const MadeBy& made_by) {
  JsonOut options = JsonOut::object();
  for (const auto& [name, value] : made_by.options) options[name] = value;
  return {{"norn", made_by.norn_version},
          {"app", made_by.app},
          {"app_hash", made_by.app_hash},
          {"device", made_by.device},
          {"options", options}};
}

JsonOut events_json(const std::vector<Event>& events) {
  JsonOut out = JsonOut::array();
  for (const Event& event : events) out.push_back(to_json_value(event));
  return out;
}

std::string effort_text(const Effort& e) {
  std::string out = fmt::format("{}, {}, {}", counted(e.runs, "run"), counted(e.events, "event"),
                                counted(e.restarts, "restart"));
  if (e.snapshot_saves + e.snapshot_loads > 0)
    out += fmt::format(", {} saved and {} loaded", counted(e.snapshot_saves, "snapshot"), e.snapshot_loads);
  out += ", " + counted(e.from_memory, "answer") + " from memory";
  if (e.unresolved > 0) out += fmt::format(", {} unresolved", e.unresolved);
  out += ", " + show_duration(e.device_seconds) + " of device time";
  if (e.makespan_seconds < e.device_seconds * 0.999)
    out += " (makespan " + show_duration(e.makespan_seconds) + ")";
  return out + fmt::format(", {:.1f} s here", e.wall_seconds);
}

}  // namespace norn::cli
