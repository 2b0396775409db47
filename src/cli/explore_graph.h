// The state graph of an exploration as Graphviz text.
#pragma once

#include <string>

#include "explore/explore.h"

namespace norn::cli {

/// A box for each state (activity, visits; interesting ones bold), an edge for each transition with the event
/// that first made it, an octagon for each crash. Texts of the app are quoted: they cannot become anything
/// else.
std::string state_graph_dot(const Exploration& exploration, const History& tree, Abstraction state);

}  // namespace norn::cli
