// What one event did: the step; and what a device reports: the observation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/event.h"
#include "gui/screen.h"
#include "trace/coverage.h"
#include "trace/crash.h"

namespace norn {

/// What a device saw since it was last asked. A step stores what it *hit*, not what was new.
struct Observation {
  Screen screen;
  Coverage hit;
  std::optional<Crash> crash;
  double at = 0;                 ///< the device-time meter: seconds, never goes back
  bool settled = true;           ///< false: the screen was still changing when the time to wait was over
  std::vector<std::string> log;  ///< lines the app logged (Themis lines among them)

  bool operator==(const Observation&) const = default;
};

struct Step {
  Event event;
  Observation seen;

  bool operator==(const Step&) const = default;
};

/// A path in values: what import makes, what export writes, what a person passes around as a file.
struct Trace {
  std::string origin;                ///< where it came from: a file, a strategy, a person
  std::optional<Observation> start;  ///< the screen before the first event, where known
  std::vector<Step> steps;

  std::vector<Event> events() const;
  /// The crash it ends in, if it does.
  const Crash* crash() const;

  bool operator==(const Trace&) const = default;
};

/// A crash that was found at a step. Where the step has one already, it goes to `more`, unless it is the same
/// (`frames`) as one that is known there: an app that cannot start crashes again and again.
void keep_distinct(Crash crash, Observation& seen, std::vector<Crash>& more);

}  // namespace norn
