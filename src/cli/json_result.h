// What every result object has: what made it, and what it cost. Brings in nlohmann/json: include in .cc files
// only.
#pragma once

#include <optional>

#include "formats/json_values.h"
#include "trace/effort.h"

namespace norn::cli {

/// The value, or null where there is none.
template <class Value>
JsonOut or_null(const std::optional<Value>& value) {
  return value ? JsonOut(*value) : JsonOut(nullptr);
}

JsonOut effort_json(const Effort& effort);
JsonOut made_by_json(const MadeBy& made_by);
JsonOut events_json(const std::vector<Event>& events);
/// One line for people: "212 runs, 4120 events, 37 restarts, 148 snapshots loaded, ... 45m 11s of device time".
std::string effort_text(const Effort& effort);

}  // namespace norn::cli
