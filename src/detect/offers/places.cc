#include "detect/offers/places.h"

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "gui/difference.h"

namespace norn {

std::uint64_t fixtures_shown(const Screen& screen) {
  const HashedScreen shown =
      HashedScreen(screen).under(Rules{}.with(Rule::contents).with(Rule::focused).with(Rule::posture));
  Hasher h;
  for (const std::uint64_t part : shown.whole()) h.add(part);
  return h.add(shown.tree().hash()).finish();
}

bool stands_upright(const Screen& screen) {
  return screen.kind == Screen::Kind::app && screen.rotation == 0 && !screen.keyboard;
}

bool swiped(const History& tree, NodeId node) {
  return std::ranges::any_of(tree.events_to(node), [](const Event& e) {
    return std::holds_alternative<Swipe>(e) || std::holds_alternative<Drag>(e);
  });
}

bool undisturbed(const History& tree, NodeId node) {
  return !swiped(tree, node) && std::ranges::none_of(tree.events_to(node), [](const Event& e) {
    return std::holds_alternative<Rotate>(e) || std::holds_alternative<System>(e);
  });
}

Places::Places(OracleContext& c, bool scrolled) {
  const History& tree = c.replay.history();
  for (std::uint32_t n = 0; n < tree.size(); ++n)
    if (!tree.crash(NodeId{n}) && tree.screen(NodeId{n}).kind == Screen::Kind::app &&
        (scrolled || !swiped(tree, {n})))
      nodes_[c.groups.layout_of({n})].push_back({n});
  for (auto& [layout, nodes] : nodes_) {
    std::ranges::stable_sort(nodes, {}, [&](NodeId n) { return tree.depth(n); });
    std::set<std::uint64_t> contents, fixtures;
    std::erase_if(nodes, [&](NodeId n) { return !contents.insert(tree.key(n)).second; });
    std::ranges::stable_partition(
        nodes, [&](NodeId n) { return fixtures.insert(fixtures_shown(tree.screen(n))).second; });
  }
}

std::vector<std::pair<LayoutId, NodeId>> Places::next() {
  std::vector<std::pair<LayoutId, NodeId>> out;
  for (const auto& [layout, nodes] : nodes_)
    if (round_ < nodes.size()) out.emplace_back(layout, nodes[round_]);
  ++round_;
  return out;
}

}  // namespace norn
