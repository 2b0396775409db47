// Anyone's own chooser as a process: one JSON line in (screen, possible events, coverage), one out (the event).
#pragma once

#include <memory>
#include <string>

#include "explore/explore.h"

namespace norn::cli {

/// Runs `/bin/sh -c command`. A process that dies or answers nonsense ends the exploration with an error that
/// says so; what was found until then is kept.
Result<std::unique_ptr<Strategy>> exec_strategy(const std::string& command, StrategyContext& context);

/// `exec:CMD` as a judge of states: {"screen","first_visit","gained"} in, true or false out.
Result<std::function<Result<bool>(const Situation&)>> exec_interesting(const std::string& command);
/// `exec:CMD` as a selector: {"states":[{"depth","screen"},...]} in, the index out.
Result<std::function<Result<std::size_t>(const std::vector<NodeId>&, const History&)>> exec_select(
    const std::string& command);

}  // namespace norn::cli
