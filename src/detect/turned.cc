// What somebody ticked, chose or selected on a page is still so when the device is turned and back. Apps differ in how much of a page they keep, but in these things they are of one mind: where most
// kinds of choices of an app survive turning, one that does not was forgotten.
#include <algorithm>
#include <map>

#include "base/hash.h"
#include "detect/data.h"
#include "detect/neutral.h"
#include "detect/places.h"
#include "detect/remembered.h"

namespace norn {
namespace {

constexpr std::size_t turns_of_a_choice = 2;  ///< the same kind of choice on the same page
constexpr std::uint32_t deepest_choice = 80;  ///< events before it: longer ones cost much

/// The step to this node chose something on a page that is still there.
bool chose(const History& tree, DataCache& data, NodeId node) {
  const NodeId before = node == tree.root() ? node : tree.parent(node);
  const Screen &a = tree.screen(before), &b = tree.screen(node);
  return before != node && tree.depth(node) <= deepest_choice && !tree.crash(node) &&
         b.kind == Screen::Kind::app && a.rotation == 0 && b.rotation == 0 && !b.keyboard &&
         !data.of(node).popup && data.of(before).page == data.of(node).page && choices_differ(a, b) &&
         !swiped(tree, node);
}

std::vector<Pair> choices_turned(const History& tree) {
  DataCache data(tree);
  std::vector<NodeId> order;
  for (std::uint32_t n = 1; n < tree.size(); ++n)
    if (chose(tree, data, {n})) order.push_back({n});
  std::ranges::stable_sort(order, {}, [&](NodeId n) { return tree.depth(n); });
  std::map<std::uint64_t, std::vector<Pair>> by_choice;
  for (const NodeId n : order)
    if (auto& pairs = by_choice[Hasher().add(data.of(n).page).add(data.deed(n)).finish()];
        pairs.size() < turns_of_a_choice)
      pairs.push_back({.family = "turned",
                       .name = "turning the device and back loses what was chosen",
                       .group = Hasher().add("turned").finish(),
                       .base = n,
                       .plain = {},
                       .other = {Rotate{1}, Rotate{0}},
                       .agree = {{0, 2}},
                       .any_order = true});
  return in_rounds(std::move(by_choice));
}

}  // namespace

Status try_turned(OracleContext& c) {
  const History& tree = c.replay.history();
  Pairs pairs(c, "neutral");
  NORN_CHECK(in_batches(c, choices_turned(tree),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::held_mostly, [&](const Pair&, NodeId plain, NodeId other) {
    return choices_differ(tree.screen(plain), tree.screen(other));
  });
}

}  // namespace norn
