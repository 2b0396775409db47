// What nobody sees should not matter for long. Two inputs show the same page: the same title, the same fields with the same
// texts, the same tab; only what its lists hold differs. Either the data differ, or one of them still obeys something that is
// not on the screen any more: a filter that outlived its tab, a selection of another page.
//
// To tell: after the second input let the process die, start the app afresh (its data stay) and go the first input's way. What
// depends on data is still there; what depended on hidden state is not.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/hash.h"
#include "detect/pairs.h"
#include "detect/places.h"
#include "gui/difference.h"

namespace norn {
namespace {

constexpr std::size_t batch_size = 12;
constexpr std::uint32_t longest_way = 6;  ///< of the input that is gone again: longer ones rarely arrive

/// Swiping shows another part of the same list.
bool swiped(const History& tree, NodeId node) {
  return std::ranges::any_of(tree.events_to(node), [](const Event& e) {
    return std::holds_alternative<Swipe>(e) || std::holds_alternative<Drag>(e);
  });
}

/// Nodes with the same fixtures: the shallowest of each content, shallow ones first.
std::vector<std::vector<NodeId>> same_pages(const History& tree) {
  std::unordered_map<std::uint64_t, std::size_t> index;
  std::unordered_map<std::uint64_t, std::size_t> seen;  // content -> place in its page's list
  std::vector<std::vector<NodeId>> out;
  for (std::uint32_t n = 0; n < tree.size(); ++n) {
    const Screen& screen = tree.screen(NodeId{n});
    if (tree.crash(NodeId{n}) || screen.kind != Screen::Kind::app || screen.keyboard) continue;
    if (std::ranges::none_of(screen.widgets, is_list)) continue;
    const auto [page, fresh] = index.try_emplace(fixtures_shown(screen), out.size());
    if (fresh) out.emplace_back();
    auto& nodes = out[page->second];
    const auto [at, first] = seen.try_emplace(tree.key(NodeId{n}), nodes.size());
    if (first) nodes.push_back({n});
    if (!first && at->second < nodes.size() && tree.depth({n}) < tree.depth(nodes[at->second]))
      nodes[at->second] = {n};
  }
  for (auto& nodes : out) std::ranges::stable_sort(nodes, {}, [&](NodeId n) { return tree.depth(n); });
  return out;
}

Pair afresh(const History& tree, NodeId node, NodeId reference, std::uint64_t group) {
  std::vector<Event> way{System{"kill", {}}, Launch{},
                         Launch{tree.screen(tree.root()).package, tree.screen(tree.root()).activity}};
  const auto rest = tree.events_to(reference);
  way.insert(way.end(), rest.begin(), rest.end());
  const std::size_t steps = way.size();
  return {"hidden",    "the same page, reached afresh with the same data, shows something else",
          group,       node,
          {},          std::move(way),
          {{0, steps}}};
}

}  // namespace

Status hidden_oracle(OracleContext& c) {
  const History& tree = c.replay.history();
  Pairs pairs(c, "hidden");
  auto pages = same_pages(tree);
  std::erase_if(pages,
                [&](const auto& nodes) { return nodes.size() < 2 || tree.depth(nodes[0]) > longest_way; });
  for (auto& nodes : pages)
    nodes.erase(std::remove_if(nodes.begin() + 1, nodes.end(), [&](NodeId n) { return swiped(tree, n); }),
                nodes.end());
  bool more = true;
  for (std::size_t round = 0; more && c.left(); ++round) {
    std::vector<Pair> batch;
    more = false;
    for (const auto& nodes : pages) {
      if (round >= nodes.size()) continue;
      more = true;
      batch.push_back(afresh(tree, nodes[round], nodes[0], Hasher().add(nodes[0].value).finish()));
      if (batch.size() < batch_size || !c.left()) continue;
      NORN_CHECK(pairs.attempt(std::exchange(batch, {})));
    }
    if (c.left()) NORN_CHECK(pairs.attempt(std::move(batch)));
  }
  return pairs.report(Habit::held_mostly);
}

}  // namespace norn
