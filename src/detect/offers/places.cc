#include "detect/offers/places.h"

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "gui/difference.h"
#include "gui/event.h"

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

namespace {

/// Some event on the way to the node is such; no event is copied.
template <class Is>
bool any_event(const History& tree, NodeId node, Is is) {
  for (; node != tree.root(); node = tree.parent(node))
    if (is(tree.event(tree.event_id(node)))) return true;
  return false;
}

bool swipes(const Event& e) { return std::holds_alternative<Swipe>(e) || std::holds_alternative<Drag>(e); }

}  // namespace

bool swiped(const History& tree, NodeId node) { return any_event(tree, node, swipes); }

bool undisturbed(const History& tree, NodeId node) {
  return !any_event(tree, node, [](const Event& e) {
    return swipes(e) || std::holds_alternative<Rotate>(e) || std::holds_alternative<System>(e);
  });
}

namespace {

/// What opened the page, as far as the last event tells: a page that is asked for one thing and for another
/// looks the same, and hands its answer on to different places.
std::uint64_t asked_by(const History& tree, NodeId node) {
  if (node == tree.root()) return 0;
  const Event& event = tree.event(tree.event_id(node));
  const Target* target = target_of(event);
  const std::string& before = tree.screen(tree.parent(node)).activity;
  if (!target || before == tree.screen(node).activity) return 0;
  return Hasher().add(before).add(kind_name(event)).add(target->id).finish();
}

}  // namespace

Places::Places(OracleContext& c, bool scrolled) {
  const History& tree = c.replay.history();
  for (std::uint32_t n = 0; n < tree.size(); ++n)
    if (!tree.crash(NodeId{n}) && tree.screen(NodeId{n}).kind == Screen::Kind::app &&
        (scrolled || !swiped(tree, {n})))
      nodes_[c.groups.layout_of({n})].push_back({n});
  for (auto& [layout, nodes] : nodes_) {
    std::ranges::stable_sort(nodes, {}, [&](NodeId n) { return tree.depth(n); });
    std::set<std::uint64_t> contents, fixtures;
    const auto fresh = [&](std::set<std::uint64_t>& known, std::uint64_t shown, NodeId n) {
      return known.insert(Hasher().add(shown).add(asked_by(tree, n)).finish()).second;
    };
    std::erase_if(nodes, [&](NodeId n) { return !fresh(contents, tree.key(n), n); });
    std::ranges::stable_partition(
        nodes, [&](NodeId n) { return fresh(fixtures, fixtures_shown(tree.screen(n)), n); });
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
