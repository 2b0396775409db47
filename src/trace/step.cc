#include "trace/step.h"

namespace norn {

std::vector<Event> Trace::events() const {
  std::vector<Event> out;
  out.reserve(steps.size());
  for (const Step& step : steps) out.push_back(step.event);
  return out;
}

const Crash* Trace::crash() const {
  const Observation* last = !steps.empty() ? &steps.back().seen : start ? &*start : nullptr;
  return last != nullptr && last->crash ? &*last->crash : nullptr;
}

}  // namespace norn
