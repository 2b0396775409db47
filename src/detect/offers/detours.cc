#include "detect/offers/detours.h"

#include "detect/pairs.h"

namespace norn {
namespace {

constexpr std::size_t worth_it = 4;  ///< events less: the shorter way has to be run once by itself

/// The node of a path at which its page of `before`, which the next event leaves, is back as it was: the next
/// visit, if it shows the same. None: it does not, or nothing but a menu or question lies between.
NodeId back_again(DataCache& data, const std::vector<NodeId>& path, std::size_t before) {
  const ScreenData& here = data.of(path[before]);
  const auto shows_it = [&](NodeId n) { return !data.of(n).popup && data.of(n).page == here.page; };
  if (here.popup || shows_it(path[before + 1])) return {};
  bool left = false;
  for (std::size_t k = before + 1; k < path.size(); ++k) {
    if (shows_it(path[k]))
      return left && contents_of(data.of(path[k])) == contents_of(here) ? path[k] : NodeId{};
    left = left || !data.of(path[k]).popup;
  }
  return {};
}

}  // namespace

std::vector<Event> WithoutDetours::shorter(NodeId node) {
  const History& tree = c_.replay.history();
  std::vector<NodeId> path = tree.path(node);
  path.insert(path.begin(), tree.root());
  std::vector<Event> out;
  for (std::size_t k = 0; k + 1 < path.size();) {
    if (const NodeId back = back_again(data_, path, k)) {
      while (path[k] != back) ++k;
      continue;
    }
    out.push_back(tree.event(tree.event_id(path[++k])));
  }
  return out;
}

std::vector<NodeId> WithoutDetours::of(const std::vector<NodeId>& nodes) {
  const History& tree = c_.replay.history();
  std::vector<NodeId> asked;
  std::vector<Request> requests;
  for (const NodeId node : nodes) {
    if (!known_.emplace(node, node).second) continue;
    std::vector<Event> way = shorter(node);
    if (way.size() + worth_it > tree.depth(node)) continue;
    asked.push_back(node);
    requests.push_back({.events = c_.replay.intern(std::move(way))});
  }
  const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
  for (std::size_t k = 0; k < asked.size(); ++k) {
    const NodeId end = outcomes[k].end;
    if (outcomes[k].verdict == Verdict::yes && !tree.crash(end) &&
        alike(tree.screen(end), tree.screen(asked[k])))
      known_[asked[k]] = end;
  }
  std::vector<NodeId> out;
  for (const NodeId node : nodes) out.push_back(known_[node]);
  return out;
}

}  // namespace norn
