#include "detect/offers/openings.h"

#include "detect/pairs.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t longest_opening = 4;  ///< events: a drawer or menu, a question, its answer

}  // namespace

std::vector<Event> events_between(const History& tree, NodeId from, NodeId to) {
  auto out = tree.events_to(to);
  out.erase(out.begin(), out.begin() + tree.depth(from));
  return out;
}

bool touched_between(const History& tree, NodeId from, NodeId to, Says says) {
  for (; to != from; to = tree.parent(to)) {
    const Screen& before = tree.screen(tree.parent(to));
    if (const auto i = receiver_of(tree.event(tree.event_id(to)), before); i && says(before, *i)) return true;
  }
  return false;
}

std::vector<Event> as_it_stands(const Screen& screen, std::vector<Event> way) {
  Target* target = target_of(way.front());
  if (target && !target->id.empty() && !receiver_of(way.front(), screen))
    *target = {.cls = target->cls, .id = target->id, .label = {}, .path = {}, .ordinal = 0};
  return way;
}

Openings::Openings(const History& tree, DataCache& data) : tree_(tree), data_(data) {
  for (std::uint32_t n = 0; n < tree.size(); ++n) {
    const auto [at, fresh] = usual_.try_emplace(data.of({n}).page, NodeId{n});
    if (!fresh && tree.depth({n}) < tree.depth(at->second)) at->second = {n};
  }
}

bool Openings::stands_open(NodeId node, const Event& event) {
  const NodeId usual = usual_.at(data_.of(node).page);
  if (!target_of(event) || receiver_of(event, tree_.screen(usual))) return true;
  const auto touched = receiver_of(event, tree_.screen(node));
  const RowPlace place = touched ? row_of(data_.of(node), *touched) : RowPlace{};
  return place.table && data_.of(usual).table(place.table->name);
}

NodeId Openings::from(NodeId opened) {
  NodeId n = opened;
  for (std::size_t k = 0; k < longest_opening && n != tree_.root(); ++k) {
    const Event& event = tree_.event(tree_.event_id(n));
    n = tree_.parent(n);
    if (data_.of(n).popup) continue;
    if (n == tree_.root() || tree_.screen(n).keyboard || stands_open(n, event)) return n;
    const NodeId before = tree_.parent(n);  // a drawer is opened by one tap, on the same page
    const auto opener = receiver_of(tree_.event(tree_.event_id(n)), tree_.screen(before));
    const bool drawer = opener && calls_itself(tree_.screen(before), *opener, "drawer") &&
                        data_.of(before).page == data_.of(n).page && !tree_.screen(before).keyboard;
    return drawer ? before : n;
  }
  return tree_.parent(opened);
}

std::vector<Event> Openings::leave_and_open(NodeId node) {
  const NodeId opened = data_.opened(node);
  if (opened == tree_.root()) return {Key{key::back}, Launch{}};
  const NodeId begin = from(opened);
  const ScreenData& page = data_.of(begin);
  if (page.popup || page.page == data_.of(node).page || tree_.screen(begin).keyboard ||
      !data_.below(node, page.page))
    return {};
  return joined({Key{key::back}}, events_between(tree_, begin, opened));
}

Openings::Ways Openings::ways_to_pages(const std::vector<NodeId>& nodes) {
  Ways out;
  for (const NodeId n : nodes) {
    if (n == tree_.root() || data_.opened(n) != n) continue;
    const NodeId begin = from(n);
    if (!data_.of(begin).popup && !tree_.screen(begin).keyboard)
      out[data_.of(begin).page].try_emplace(data_.of(n).page, events_between(tree_, begin, n));
  }
  return out;
}

}  // namespace norn
