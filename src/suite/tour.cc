// Phase 3, touring: another suite, from nothing, always on to the step that adds most for its way; and what
// the searches of this phase share: what is known to replay, the shortest way to everything, ends that nobody
// needs.
#include <algorithm>
#include <unordered_set>

#include "suite/making.h"

namespace norn {
namespace {

/// Those that are no beginning of another, each once, in their order.
std::vector<NodeId> leaves(const std::vector<NodeId>& ends, const History& tree) {
  std::unordered_set<NodeId> passed, taken;
  for (const NodeId end : ends)
    for (NodeId at = end; at != tree.root();) {
      at = tree.parent(at);
      if (!passed.insert(at).second) break;
    }
  std::vector<NodeId> out;
  for (const NodeId end : ends)
    if (!passed.contains(end) && taken.insert(end).second) out.push_back(end);
  return out;
}

}  // namespace

std::vector<NodeId> Making::pool() {
  std::vector<NodeId> ends;
  for (const auto& [path, end] : trials_.good()) ends.push_back(end);
  if (replay_.assumed_deterministic()) {
    look();
    for (const auto& [item, node] : nearest_) ends.push_back(node);
  }
  return leaves(ends, replay_.history());
}

void Making::look() {
  const History& tree = replay_.history();
  for (; looked_ < given_nodes_; ++looked_) look(NodeId{looked_});
  for (; looked_seen_ < trials_.seen().size(); ++looked_seen_)
    for (const NodeId node : tree.path(trials_.seen()[looked_seen_])) look(node);
}

void Making::look(NodeId node) {
  const std::uint32_t depth = replay_.history().depth(node);
  for (const std::uint32_t item : (known_.set(material_.link(node).items) & promised_).ids()) {
    const auto [at, fresh] = nearest_.try_emplace(item, node);
    if (!fresh && depth < replay_.history().depth(at->second)) at->second = node;
  }
}

Bridges Making::all_bridges() {
  std::vector<Path> traces;
  for (const Input& input : inputs_) traces.push_back(input.path);
  for (const auto& [path, end] : trials_.good()) traces.push_back(path);
  return {traces, material_.loose_start()};
}

SuiteMember Making::ran(NodeId end, std::size_t length) {
  const auto nodes = replay_.history().path(end);
  length = std::min(length, nodes.size());  // it may have crashed as it should, but earlier
  SuiteMember out{.path = material_.path(nodes[length - 1]), .end = nodes[length - 1], .confirmed = {}};
  for (std::size_t i = 0; i < length; ++i) out.confirmed |= material_.surely(nodes[i]);
  return out;
}

ItemSet Making::missing(const std::vector<SuiteMember>& members) const {
  ItemSet out = promised_ - base_;
  for (const SuiteMember& m : members) out -= m.confirmed;
  return out;
}

void Making::trim(std::vector<SuiteMember>& members) {
  std::vector<std::uint32_t> owners;
  const auto count = [&](const Link& link, int by) {
    for (const std::uint32_t item : (known_.set(link.items) & promised_).ids()) {
      if (item >= owners.size()) owners.resize(item + 1U, 0);
      owners[item] += static_cast<std::uint32_t>(by);
    }
  };
  const auto alone = [&](const Link& link) {
    for (const std::uint32_t item : (known_.set(link.items) & promised_).ids())
      if (owners[item] == 1 && !base_.contains(item)) return true;
    return false;
  };
  for (const SuiteMember& m : members)
    for (const Link& link : m.path) count(link, 1);
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return members[a].path.size() > members[b].path.size();
  });
  for (const std::size_t i : order) {
    SuiteMember& m = members[i];
    std::size_t length = m.path.size();
    for (; !m.keep && length > 0 && !alone(m.path[length - 1]); --length) count(m.path[length - 1], -1);
    if (length > 0 && length < m.path.size()) m = ran(m.end, length);
    if (length == 0) m.path.clear();
  }
  std::erase_if(members, [](const SuiteMember& m) { return m.path.empty(); });
}

void Making::tour() {
  if (!replay_.assumed_deterministic()) return;  // every question would be several cold runs
  const Bridges bridges = all_bridges();
  std::vector<SuiteMember> made;
  for (const SuiteMember& m : members_)
    if (m.keep) made.push_back(m);
  Rng rng(options_.seed);
  say("touring: {} items to cover", missing(made).count());
  repair(made, missing(made), bridges, cost(members_), rng);
  trim(made);
  if (missing(made).empty() && cost(made) < cost(members_)) members_ = std::move(made);
}

}  // namespace norn
