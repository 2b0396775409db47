#include "explore/strategy.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "explore/avoid.h"
#include "explore/explore.h"

namespace norn {

std::vector<std::string> strategy_names() {
  return {"norn",           "timemachine",           "monkey",    "monkey+system",
          "monkey+restart", "monkey+system+restart", "swifthand", "random"};
}

Status check_strategy(const std::string& name) {
  const auto names = strategy_names();
  if (std::ranges::find(names, name) != names.end()) return {};
  const auto near = did_you_mean(name, names);
  return fail(Error::Kind::bad_input, "there is no such strategy", name,
              near ? "did you mean " + *near + "?" : fmt::format("one of {}", fmt::join(names, ", ")));
}

Result<std::unique_ptr<Strategy>> make_strategy(const std::string& name, StrategyContext& context) {
  if (name == "norn") return make_norn(context);
  if (name == "timemachine") return make_timemachine(context);
  if (name == "swifthand") return make_swifthand(context);
  if (name == "random") return make_random(context);
  if (name == "monkey") return make_monkey(context, false, false);
  if (name == "monkey+system") return make_monkey(context, true, false);
  if (name == "monkey+restart") return make_monkey(context, false, true);
  if (name == "monkey+system+restart") return make_monkey(context, true, true);
  return std::unexpected(check_strategy(name).error());
}

std::vector<Possible> StrategyContext::possible(const Screen& screen, const EventRules& rules) const {
  auto all = possible_events(screen, rules);
  if (avoid.any()) std::erase_if(all, [&](const Possible& p) { return avoid.touches(p.event, screen); });
  return all;
}

std::optional<Event> Homing::back(bool outside, int patience) {
  outside_ = outside ? outside_ + 1 : 0;
  if (outside_ < patience) return std::nullopt;
  outside_ = 0;
  return Launch{};
}

}  // namespace norn
