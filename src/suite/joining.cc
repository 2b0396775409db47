#include "suite/joining.h"

#include <algorithm>
#include <deque>

namespace norn {
namespace {

constexpr std::uint32_t longest_bridge = 8;

}  // namespace

Bridges::Bridges(std::span<const Path> traces, Joint loose_start)
    : traces_(traces.begin(), traces.end()), start_(loose_start) {
  std::unordered_set<std::uint64_t> seen;
  for (const Path& path : traces_) {
    Joint at = start_;
    for (const Link& link : path) {
      const std::uint64_t step = Hasher().add(at).add(link.key).add(link.expect.value).finish();
      if (!link.crash && seen.insert(step).second) steps_[at].push_back(&link);
      if (seen.insert(Hasher().add(step).add(link.items).finish()).second) hits_[at].push_back(&link);
      at = link.loose;
    }
  }
}

/// Breadth first: the shortest ways.
std::unordered_map<Joint, Bridges::Way> Bridges::reach(Joint from, std::uint32_t most) const {
  std::unordered_map<Joint, Way> found{{from, {from, nullptr, 0}}};
  std::deque<Joint> open{from};
  while (!open.empty()) {
    const Joint at = open.front();
    open.pop_front();
    const std::uint32_t steps = found.at(at).steps;
    const auto next = steps_.find(at);
    if (steps == most || next == steps_.end()) continue;
    for (const Link* link : next->second)
      if (found.try_emplace(link->loose, Way{at, link, steps + 1}).second) open.push_back(link->loose);
  }
  return found;
}

std::vector<Path> Bridges::nearest(Joint from, const ItemSet& wanted, const Knowledge& known,
                                   std::uint32_t longest, std::size_t most) const {
  struct Hit {
    Joint at;
    const Link* link;
    std::uint32_t steps;
    std::uint64_t gain;
  };
  if (longest == 0) return {};
  const auto reached = reach(from, longest - 1);
  std::vector<Hit> hits;
  std::unordered_map<ItemSetId, std::uint64_t> gains;
  for (const auto& [at, way] : reached) {
    const auto here = hits_.find(at);
    if (here == hits_.end()) continue;
    for (const Link* link : here->second) {
      const auto [gain, fresh] = gains.try_emplace(link->items, 0);
      if (fresh) gain->second = (known.set(link->items) & wanted).count();
      if (gain->second > 0) hits.push_back({at, link, way.steps + 1, gain->second});
    }
  }
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    if (a.steps != b.steps) return a.steps < b.steps;
    if (a.gain != b.gain) return a.gain > b.gain;
    return std::pair(a.link->key, a.at) < std::pair(b.link->key, b.at);
  });
  if (hits.size() > most) hits.resize(most);
  std::vector<Path> out;
  for (const Hit& hit : hits) {
    Path& path = out.emplace_back();
    path.push_back(*hit.link);
    for (auto w = reached.find(hit.at); w->second.link; w = reached.find(w->second.from))
      path.push_back(*w->second.link);
    std::reverse(path.begin(), path.end());
  }
  return out;
}

std::vector<Join> Bridges::between(const Part& first, const Part& second, const Prices& prices,
                                   std::size_t most) const {
  std::vector<Join> out;
  if (first.path->empty() || first.path->back().crash) return out;
  const auto reached = reach(first.path->back().loose, longest_bridge);
  for (std::uint32_t at = 0; at <= second.matters_from; ++at) {
    const auto way = reached.find(at == 0 ? start_ : (*second.path)[at - 1].loose);
    if (way == reached.end()) continue;
    const double saving = prices.restart + prices.event * (static_cast<double>(at) - way->second.steps);
    if (saving <= 0) continue;
    Join join{0, 0, saving, *first.path};
    Path bridge;
    for (auto w = way; w->second.link; w = reached.find(w->second.from)) bridge.push_back(*w->second.link);
    join.path.insert(join.path.end(), bridge.rbegin(), bridge.rend());
    join.path.insert(join.path.end(), second.path->begin() + at, second.path->end());
    out.push_back(std::move(join));
  }
  std::stable_sort(out.begin(), out.end(), [](const Join& a, const Join& b) { return a.saving > b.saving; });
  if (out.size() > most) out.resize(most);
  return out;
}

}  // namespace norn
