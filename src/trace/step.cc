#include "trace/step.h"

#include <algorithm>

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

void keep_distinct(Crash crash, Observation& seen, std::vector<Crash>& more) {
  const auto same = [sign = signature(crash, Sameness::frames)](const Crash& other) {
    return signature(other, Sameness::frames) == sign;
  };
  if (!seen.crash)
    seen.crash = std::move(crash);
  else if (!same(*seen.crash) && std::ranges::none_of(more, same))
    more.push_back(std::move(crash));
}

}  // namespace norn
