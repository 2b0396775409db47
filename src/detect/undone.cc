// A widget that calls itself Undo brings back the last screen of that kind before the undone action. Which actions can be
// undone is learnt where nothing else could have been.
#include <algorithm>
#include <optional>
#include <set>

#include "base/hash.h"
#include "detect/data.h"
#include "detect/neutral.h"
#include "gui/difference.h"
#include "gui/target.h"

namespace norn {
namespace {

bool offers_undo(const Screen& screen) {
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if ((accepted_by(screen.widgets[i]) & accepts_tap) != 0 && calls_itself(screen, i, "undo")) return true;
  return false;
}

/// The last screen like the one that undoing led to, before the action that was undone. That is the action right before: if
/// one could have undone in between, or did something else on that page (typed into a search), it may be another.
std::optional<NodeId> before_the_undone(OracleContext& c, DataCache& data, NodeId undone) {
  const History& tree = c.replay.history();
  const LayoutId layout = c.groups.layout_of(undone);
  for (NodeId n = tree.parent(undone); n != tree.root();) {
    n = tree.parent(n);
    if (c.groups.layout_of(n) == layout) return n;
    if (offers_undo(tree.screen(n)) || data.of(n).page == data.of(undone).page) break;
  }
  return std::nullopt;
}

/// What was done: on a drawn board each point is an action of its own.
std::uint64_t action_of(const Event& event, const Role& role) {
  const Target* target = target_of(event);
  return target && target->empty() ? Hasher().add(describe(event)).finish() : role.general;
}

}  // namespace

std::vector<Pair> undo_pairs(OracleContext& c, bool sure) {
  const History& tree = c.replay.history();
  DataCache data(tree);
  std::vector<Pair> out;
  std::set<std::uint64_t> seen;
  for (std::uint32_t n = 2; n < tree.size(); ++n) {
    const NodeId undone{n}, done = tree.parent(undone);
    const auto* tap = std::get_if<Tap>(&tree.event(tree.event_id(undone)));
    if (!tap || tree.crash(undone)) continue;
    const auto i = receiver_of(*tap, tree.screen(done));
    if (!i || !calls_itself(tree.screen(done), *i, "undo")) continue;
    const auto base = before_the_undone(c, data, undone);
    if (!base || alike(tree.screen(*base), tree.screen(done))) continue;  // nothing was done
    if (offers_undo(tree.screen(*base)) == sure) continue;
    if (!seen.insert(Hasher().add(tree.key(*base)).add(tree.key(undone)).finish()).second) continue;
    const auto role = role_of(tree.event(tree.event_id(done)), tree.screen(tree.parent(done)));
    if (!role) continue;
    auto way = tree.events_to(undone);
    way.erase(way.begin(), way.begin() + tree.depth(*base));
    out.push_back({.family = "undo",
                   .name = "undoing does not bring back what was there",
                   .group = action_of(tree.event(tree.event_id(done)), *role),
                   .base = *base,
                   .plain = {},
                   .other = std::move(way),
                   .agree = {},
                   .one_report = true});
    out.back().agree = {{0, out.back().other.size()}};
  }
  std::ranges::stable_sort(out, {}, [&](const Pair& p) { return tree.depth(p.base); });
  return out;
}

}  // namespace norn
