// The same screen, the same event, another outcome: something that cannot be seen decides. Either the data
// differ, which are shown elsewhere, or the process remembers something that it should have forgotten: a
// selection of a page that was left, a total that was computed once.
//
// The tree already holds such contradictions. To tell which it is: let the process die where the less usual
// outcome was seen, come back, see that the screen is the same, and do it again. What depends on data happens
// again; if what others got from this screen happens now, only the process knew the difference.
#include "detect/contradicted.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/places.h"
#include "detect/reading/data.h"
#include "gui/popup.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t contradictions_at_once = 12;
constexpr std::size_t outcomes_kept = 8;  ///< of one event on one screen: more are data

/// What one event did on one screen: the shallowest input of each outcome, shallow ones first.
using Doings = std::map<std::uint64_t, std::vector<NodeId>>;

std::uint64_t doing(const History& tree, NodeId after) {
  return Hasher().add(tree.key(tree.parent(after))).add(event_key(tree.event(tree.event_id(after)))).finish();
}

/// Both have the same values beside their lists: nothing was opened or closed that may have covered some.
bool same_parts(const ScreenData& a, const ScreenData& b) {
  return std::ranges::equal(a.values, b.values, {}, &ShownValue::name, &ShownValue::name);
}

/// It leads on, not merely back to a page that was left: what such a page forgets while it is covered is
/// another expectation (neutral). Who chooses a row comes back with an answer.
bool leads_on(const History& tree, NodeId after) {
  const std::string& activity = tree.screen(after).activity;
  NodeId n = tree.parent(after);
  const auto receiver = receiver_of(tree.event(tree.event_id(after)), tree.screen(n));
  if (receiver && says_undoing(tree.screen(n), *receiver)) return false;
  if (tree.screen(n).activity == activity)
    return same_parts(data_of(tree.screen(n)), data_of(tree.screen(after)));
  if (receiver && row_of(data_of(tree.screen(n)), *receiver).row) return true;
  while (n != tree.root() && tree.screen(n).activity != activity) n = tree.parent(n);
  return tree.screen(n).activity != activity;
}

/// A popup hides what lies below it: that is no hidden state.
bool compares(const History& tree, NodeId after) {
  const NodeId before = tree.parent(after);
  const Screen &a = tree.screen(before), &b = tree.screen(after);
  return !tree.crash(after) && a.kind == Screen::Kind::app && !is_popup(a) && b.kind == Screen::Kind::app &&
         !a.keyboard && !b.keyboard && std::holds_alternative<Tap>(tree.event(tree.event_id(after)));
}

Doings doings_of(const History& tree) {
  std::vector<NodeId> order;
  for (std::uint32_t n = 1; n < tree.size(); ++n)
    if (compares(tree, {n}) && leads_on(tree, {n})) order.push_back({n});
  std::ranges::stable_sort(order, {}, [&](NodeId n) { return tree.depth(n); });
  Doings out;
  for (const NodeId n : order)
    if (auto& outcomes = out[doing(tree, n)];
        outcomes.size() < outcomes_kept &&
        std::ranges::none_of(outcomes, [&](NodeId m) { return tree.key(m) == tree.key(n); }))
      outcomes.push_back(n);
  std::erase_if(out, [](const auto& one) { return one.second.size() < 2; });
  return out;
}

/// What is under way is waited for first: it would die with the process.
Pair after_a_death(const OracleContext& c, DataCache& data, NodeId after) {
  const History& tree = c.replay.history();
  const Event event = tree.event(tree.event_id(after)), wait = Wait{c.options.settle_ms};
  return {.family = "contradiction",
          .name = "the same screen and the same step lead elsewhere, until the process is started anew",
          .group = Hasher().add(data.of(tree.parent(after)).page).add(data.deed(after)).finish(),
          .base = tree.parent(after),
          .plain = {wait, event},
          .other = {wait, System{"kill", {}}, Launch{}, event},
          .agree = {{1, 3}, {2, 4}}};
}

/// One of each situation (page and step) a round, shallow ones first.
std::vector<std::vector<Pair>> rounds(const OracleContext& c, const Doings& doings) {
  const History& tree = c.replay.history();
  DataCache data(tree);
  std::map<std::uint64_t, std::vector<Pair>> by_situation;
  for (const auto& [key, outcomes] : doings)
    for (std::size_t k = 1; k < outcomes.size(); ++k) {
      if (!undisturbed(tree, outcomes[k])) continue;
      Pair pair = after_a_death(c, data, outcomes[k]);
      by_situation[pair.group].push_back(std::move(pair));
    }
  std::vector<std::vector<Pair>> out;
  for (auto& [group, pairs] : by_situation) {
    std::ranges::stable_sort(pairs, {}, [&](const Pair& p) { return tree.depth(p.base); });
    if (out.size() < pairs.size()) out.resize(pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) out[k].push_back(std::move(pairs[k]));
  }
  return out;
}

}  // namespace

Status contradictions(OracleContext& c) {
  const History& tree = c.replay.history();
  const Doings doings = doings_of(tree);
  Pairs pairs(c, "hidden");
  for (auto& round : rounds(c, doings))
    for (std::size_t k = 0; k < round.size() && c.left(); k += contradictions_at_once) {
      const auto first = round.begin() + static_cast<std::ptrdiff_t>(k);
      const auto last =
          round.begin() + static_cast<std::ptrdiff_t>(std::min(round.size(), k + contradictions_at_once));
      NORN_CHECK(pairs.attempt({std::make_move_iterator(first), std::make_move_iterator(last)}));
    }
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId, NodeId other_end) {
    if (cut.agree.front().first < 3) return false;  // the screen itself was not kept: neutral tells
    const auto known = doings.find(Hasher().add(tree.key(cut.base)).add(event_key(cut.plain[1])).finish());
    return known != doings.end() && std::ranges::any_of(known->second, [&](NodeId n) {
             return alike(tree.screen(n), tree.screen(other_end));
           });
  });
}

}  // namespace norn
