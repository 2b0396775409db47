// A crashing run that an automaton rejects shows what the automaton does not know: another way in, or an
// event that matters and has no label. Shortened as far as it still crashes *and is still rejected*, it holds
// little else.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "diagnose/learn/learn_input.h"
#include "replay/replay.h"

namespace norn {

/// The run that ends at a node. REQUIRES: the tree outlives it.
std::vector<Performed> run_to(const History& tree, NodeId end);

/// The event on the widget it went to, where it was recorded as a point.
Event on_widget(const Performed& step);

/// The shortest run found, by leaving out events, that ends in that crash and of which `strange` holds; one
/// that cannot be shortened by a single event unless it was stopped. Nothing: the events do not do it again.
/// Events at a point become events on the widget there, if that crashes too. Spends about `seconds` of device
/// time at most.
Result<std::optional<NodeId>> shorten_strange(Replay& replay, NodeId end,
                                              const std::function<bool(NodeId)>& strange, double seconds,
                                              std::stop_token stop = {});

}  // namespace norn
