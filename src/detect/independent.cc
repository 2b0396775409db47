// Two actions that stay on one screen and do not touch each other commute (Genie).
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "detect/offers/places.h"
#include "detect/pairs.h"
#include "gui/difference.h"

namespace norn {
namespace {

constexpr std::size_t pairs_per_node = 6;

/// Widgets of `before` that the event changed, and whether anything appeared.
std::set<std::size_t> touched(const Screen& before, const Screen& after, bool& more) {
  const Rules lenient = Rules{}.with(Rule::focused).with(Rule::posture);
  const HashedScreen x = HashedScreen(before).under(lenient), y = HashedScreen(after).under(lenient);
  const TedMapping map = ted_map(x.tree(), y.tree());
  more = std::ranges::count(map.from, -1) > 0;
  std::set<std::size_t> out;
  for (std::size_t i = 0; i < map.to.size(); ++i)
    if (map.to[i] < 0 || x.widgets()[i] != y.widgets()[static_cast<std::size_t>(map.to[i])]) out.insert(i);
  return out;
}

struct LocalAction {
  Event event;
  std::size_t receiver;
  std::set<std::size_t> touches;
};

/// Actions known at this node that stay on its layout, change something and add nothing.
std::vector<LocalAction> local_actions(OracleContext& c, NodeId node) {
  const History& tree = c.replay.history();
  const Screen& screen = tree.screen(node);
  std::vector<LocalAction> out;
  for (const NodeId child : tree.children(node)) {
    const Event& event = tree.event(tree.event_id(child));
    const auto receiver = receiver_of(event, screen);
    if (!receiver || tree.crash(child) || c.groups.layout_of(child) != c.groups.layout_of(node)) continue;
    bool more = false;
    auto touches = touched(screen, tree.screen(child), more);
    if (more || touches.empty()) continue;
    touches.insert(*receiver);
    out.push_back({event, *receiver, std::move(touches)});
  }
  return out;
}

bool disjoint(const std::set<std::size_t>& a, const std::set<std::size_t>& b) {
  return std::ranges::none_of(a, [&](std::size_t i) { return b.contains(i); });
}

std::vector<Pair> both_orders(OracleContext& c, LayoutId layout, NodeId node) {
  const auto actions = local_actions(c, node);
  std::vector<Pair> out;
  for (std::size_t i = 0; i < actions.size(); ++i)
    for (std::size_t j = i + 1; j < actions.size() && out.size() < pairs_per_node; ++j) {
      const auto& [one, two] = std::pair(actions[i], actions[j]);
      if (!disjoint(one.touches, two.touches)) continue;
      out.push_back({"order",
                     fmt::format("{} and {} do not touch each other, yet their order matters",
                                 describe(one.event), describe(two.event)),
                     Hasher().add(layout.value).finish(),
                     node,
                     {one.event, two.event},
                     {two.event, one.event},
                     {{2, 2}}});
    }
  return out;
}

}  // namespace

Status independent_oracle(OracleContext& c) {
  Pairs pairs(c, "independent");
  Places places(c);
  for (auto round = places.next(); !round.empty() && c.left(); round = places.next())
    for (const auto& [layout, node] : round) {
      if (!c.left()) break;
      NORN_CHECK(pairs.attempt(both_orders(c, layout, node)));
    }
  return pairs.report(Habit::held_mostly);
}

}  // namespace norn
