// Turning the device makes the page anew; that is no reason to do anything again. A page that does something
// when it is opened (adds a quarter of an hour, sends, counts) and does it once more when it is turned leaves
// its traces in the data: so after a step or an opening, turning and back, then Back, must lead to what Back
// alone leads to.
//
// The page below is made anew, too, and may begin anew with what was not stored: so nothing was changed on it
// since it was opened.
#include <algorithm>
#include <map>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/openings.h"
#include "detect/offers/places.h"
#include "detect/reading/remembered.h"

namespace norn {
namespace {

constexpr std::size_t turns_of_a_step = 2;  ///< the same kind of step on the same page
constexpr std::uint32_t deepest_turn = 80;  ///< events before it: longer ones cost much

bool can_be_turned(const History& tree, DataCache& data, NodeId node) {
  const Screen& screen = tree.screen(node);
  return node != tree.root() && tree.depth(node) <= deepest_turn && !tree.crash(node) &&
         screen.kind == Screen::Kind::app && !screen.keyboard && screen.rotation == 0 &&
         !data.of(node).popup && !swiped(tree, node);
}

/// Rows or numbers: whether a page says "Loading" while it is turned is another matter.
bool counts_otherwise(const ScreenData& a, const ScreenData& b) {
  return rows_shown(a) != rows_shown(b) || std::ranges::any_of(a.values, [&](const ShownValue& v) {
           const ShownValue* other = b.value(v.name);
           return other && numbers_in(other->text) != numbers_in(v.text);
         });
}

std::vector<Pair> turns(const History& tree) {
  DataCache data(tree);
  Openings openings(tree, data);
  std::vector<NodeId> order;
  for (std::uint32_t n = 1; n < tree.size(); ++n)
    if (can_be_turned(tree, data, {n})) order.push_back({n});
  std::ranges::stable_sort(order, {}, [&](NodeId n) { return tree.depth(n); });
  std::map<std::uint64_t, std::vector<Pair>> by_step;
  for (const NodeId n : order) {
    auto& pairs = by_step[Hasher().add(data.of(n).page).add(data.deed(n)).finish()];
    const NodeId opened = data.opened(n);
    if (pairs.size() >= turns_of_a_step || opened == tree.root()) continue;
    const NodeId below = openings.from(opened);
    if (data.of(below).page == data.of(n).page || !data.below(n, data.of(below).page) ||
        !same_in_any_order(data.of(data.opened(below)), data.of(below)))
      continue;
    pairs.push_back({.family = "remade",
                     .name = "turning the device before going back changes what the page below says",
                     .group = data.of(n).page,
                     .base = n,
                     .plain = {Key{key::back}},
                     .other = {Rotate{1}, Rotate{0}, Key{key::back}},
                     .agree = {{1, 3}},
                     .any_order = true});
  }
  return in_rounds(std::move(by_step));
}

}  // namespace

Status try_remade(OracleContext& c) {
  const History& tree = c.replay.history();
  Pairs pairs(c, "neutral");
  NORN_CHECK(
      in_batches(c, turns(tree), [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId plain, NodeId other) {
    const ScreenData before = data_of(tree.screen(cut.base)), a = data_of(tree.screen(plain)),
                     b = data_of(tree.screen(other));
    return a.page == b.page && a.page != before.page && a.mode == b.mode && counts_otherwise(a, b);
  });
}

}  // namespace norn
