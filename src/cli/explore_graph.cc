#include "cli/explore_graph.h"

#include <fmt/format.h>

#include "base/dot.h"
#include "base/text.h"

namespace norn::cli {
namespace {

constexpr std::size_t longest_label = 60;

std::string place_of(const Screen& screen) {
  switch (screen.kind) {
    case Screen::Kind::app:
      return screen.activity.empty() ? screen.package : std::string(after_last(screen.activity, '.'));
    case Screen::Kind::outside:
      return "outside: " + screen.package;
    case Screen::Kind::nothing:
      return "no window";
    case Screen::Kind::unseen:
      break;
  }
  return "not looked";
}

std::string event_label(const History& tree, NodeId node) {
  return dot_quoted(shorten(describe(tree.event(tree.event_id(node))), longest_label));
}

/// The state the crashing event was performed in; none where the graph does not know it.
std::optional<StateGraph::Index> before(const Exploration& e, const History& tree, NodeId crash,
                                        Abstraction state) {
  const Screen& screen = tree.screen(tree.parent(crash));
  if (screen.kind != Screen::Kind::app) return std::nullopt;
  return e.graph.find(abstract(screen, state));
}

}  // namespace

std::string state_graph_dot(const Exploration& e, const History& tree, Abstraction state) {
  std::string out = "digraph states {\n  node [shape=box];\n";
  for (std::size_t i = 0; i < e.graph.size(); ++i) {
    const auto& s = e.graph[static_cast<StateGraph::Index>(i)];
    const std::string label = fmt::format(
        "{}\n{} visits", shorten(place_of(tree.screen(e.first_seen[i])), longest_label), s.visits);
    out += fmt::format("  s{} [label={}{}];\n", i, dot_quoted(label), s.interesting ? ", style=bold" : "");
  }
  for (const Transition& t : e.transitions)
    out += fmt::format("  s{} -> s{} [label={}];\n", t.from, t.to, event_label(tree, t.by));
  for (std::size_t i = 0; i < e.crashes.size(); ++i) {
    const Crash* crash = tree.crash(e.crashes[i].node);
    if (!crash) continue;
    out += fmt::format("  crash{} [label={}, shape=octagon, color=red];\n", i, dot_quoted(headline(*crash)));
    if (const auto from = before(e, tree, e.crashes[i].node, state))
      out += fmt::format("  s{} -> crash{} [label={}, color=red];\n", *from, i,
                         event_label(tree, e.crashes[i].node));
  }
  return out + "}\n";
}

}  // namespace norn::cli
