// From an event (what was meant) to actions (what a device is told), on the screen that is there now.
#pragma once

#include <optional>

#include "device/device.h"
#include "replay/replay.h"

namespace norn {

struct Lowered {
  Action action;
  Event as;  ///< what is really done: the event with its point of today, or its coordinate form where the
             ///< target is gone
};

/// Nothing: the target is not on the screen (or ambiguous, or the event cannot be executed at all) and
/// `missing` is not `point`, or there is no point either.
std::optional<Lowered> lower(const Event& event, const Screen& screen, Missing missing);

}  // namespace norn
