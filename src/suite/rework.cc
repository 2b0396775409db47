// Phase 3, the search. A suite is a handful of walks, and the cheapest one is a travelling salesman's problem with a device
// that says which ways exist. So it is searched as such problems are: build one greedily (the tour), then throw a part of
// it away, build that anew with a little chance, keep what is cheaper, and again.
#include <algorithm>
#include <unordered_set>

#include "suite/making.h"

namespace norn {
namespace {

constexpr std::uint32_t most_in_vain = 40;  ///< rounds of throwing away that save nothing
constexpr double rework_runs = 15;          ///< runs of the suite that it may take

/// Those that are no beginning of another, in order.
std::vector<NodeId> leaves(std::vector<NodeId> ends, const History& tree) {
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::unordered_set<NodeId> passed;
  for (const NodeId end : ends)
    for (NodeId at = end; at != tree.root();) {
      at = tree.parent(at);
      if (!passed.insert(at).second) break;
    }
  std::erase_if(ends, [&](NodeId end) { return passed.contains(end); });
  return ends;
}

}  // namespace

std::vector<NodeId> Making::pool() {
  std::vector<NodeId> ends;
  for (const auto& [path, end] : trials_.good()) ends.push_back(end);
  if (replay_.assumed_deterministic()) {
    look();
    for (const auto& [item, node] : nearest_) ends.push_back(node);
  }
  return leaves(std::move(ends), replay_.history());
}

void Making::look() {
  const History& tree = replay_.history();
  for (; looked_ < tree.size(); ++looked_) {
    const NodeId node{looked_};
    const std::uint32_t depth = tree.depth(node);
    for (const std::uint32_t item : (known_.set(material_.link(node).items) & promised_).ids()) {
      const auto [at, fresh] = nearest_.try_emplace(item, node);
      if (!fresh && depth < tree.depth(at->second)) at->second = node;
    }
  }
}

Bridges Making::all_bridges() {
  std::vector<Path> traces;
  for (const Input& input : inputs_) traces.push_back(input.path);
  for (const auto& [path, end] : trials_.good()) traces.push_back(path);
  return {traces, material_.loose_start()};
}

Member Making::ran(NodeId end, std::size_t length) {
  const auto nodes = replay_.history().path(end);
  Member out{.path = material_.path(nodes[length - 1]), .end = nodes[length - 1], .confirmed = {}};
  for (std::size_t i = 0; i < length; ++i) out.confirmed |= material_.surely(nodes[i]);
  return out;
}

ItemSet Making::missing(const std::vector<Member>& members) const {
  ItemSet out = promised_ - base_;
  for (const Member& m : members) out -= m.confirmed;
  return out;
}

void Making::trim(std::vector<Member>& members) {
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
  for (const Member& m : members)
    for (const Link& link : m.path) count(link, 1);
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return members[a].path.size() > members[b].path.size();
  });
  for (const std::size_t i : order) {
    Member& m = members[i];
    std::size_t length = m.path.size();
    for (; !m.keep && length > 0 && !alone(m.path[length - 1]); --length) count(m.path[length - 1], -1);
    if (length > 0 && length < m.path.size()) m = ran(m.end, length);
    if (length == 0) m.path.clear();
  }
  std::erase_if(members, [](const Member& m) { return m.path.empty(); });
}

void Making::tour() {
  if (!replay_.assumed_deterministic()) return;  // every question would be several cold runs
  const Bridges bridges = all_bridges();
  std::vector<Member> made;
  for (const Member& m : members_)
    if (m.keep) made.push_back(m);
  Rng rng(1);
  say("touring: {} items to cover", missing(made).count());
  repair(made, missing(made), bridges, cost(members_), rng);
  trim(made);
  if (missing(made).empty() && cost(made) < cost(members_)) members_ = std::move(made);
}

void Making::rework() {
  if (!replay_.assumed_deterministic()) return;
  const double until = spare(rework_runs);
  const Bridges bridges = all_bridges();
  Rng rng(1);
  for (std::uint32_t in_vain = 0; in_vain < most_in_vain && !enough(until);) {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (!members_[i].keep) free.push_back(i);
    if (free.empty()) return;
    say("reworking: {} traces, a run takes {:.0f} s, {} candidates replayed of {}", members_.size(),
        cost(members_), trials_.replayed(), trials_.tried());
    auto made = members_;
    for (std::size_t n = 1 + rng.below(2); n > 0 && !free.empty(); --n) {
      const std::size_t f = rng.below(free.size());
      Member& m = made[free[f]];
      const std::size_t length = rng.chance(0.5) ? 0 : rng.below(m.path.size());
      if (length == 0)
        m.path.clear();
      else
        m = ran(m.end, length);
      free.erase(free.begin() + static_cast<std::ptrdiff_t>(f));
    }
    std::erase_if(made, [](const Member& m) { return m.path.empty(); });
    repair(made, missing(made), bridges, cost(members_), rng);
    trim(made);
    const bool saves = missing(made).empty() && cost(made) < cost(members_) - 1e-9;
    in_vain = saves ? 0 : in_vain + 1;
    if (saves) members_ = std::move(made);
  }
}

}  // namespace norn
