#include "suite/joining.h"

#include <algorithm>
#include <deque>

namespace norn {
namespace {

constexpr std::uint32_t longest_way = 12, longest_bridge = 8;

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
const Bridges::Reached& Bridges::reach(Joint from) const {
  const auto [cached, fresh] = reached_.try_emplace(from);
  Reached& found = cached->second;
  if (!fresh) return found;
  found.ways.emplace(from, Way{from, nullptr, 0, 0});
  std::deque<Joint> open{from};
  while (!open.empty()) {
    const Joint here = open.front();
    open.pop_front();
    const auto [before, link_here, steps, more] = found.ways.at(here);
    if (const auto hits = hits_.find(here); hits != hits_.end())
      found.spots.push_back({here, steps, more, &hits->second});
    const auto next = steps_.find(here);
    if (steps == longest_way || next == steps_.end()) continue;
    for (const Link* link : next->second)
      if (found.ways.try_emplace(link->loose, Way{here, link, steps + 1, more + link->more}).second)
        open.push_back(link->loose);
  }
  return found;
}

std::vector<Bridges::Hit> Bridges::within(Joint from, std::uint32_t longest) const {
  std::vector<Hit> out;
  for (const Spot& spot : reach(from).spots) {
    if (spot.steps >= longest) break;
    for (const Link* link : *spot.hits)
      out.push_back({spot.at, link, spot.steps + 1, spot.more + link->more});
  }
  return out;
}

Path Bridges::way(Joint from, const Hit& hit) const {
  const auto& ways = reach(from).ways;
  Path path{*hit.link};
  for (auto w = ways.find(hit.at); w->second.link; w = ways.find(w->second.from))
    path.push_back(*w->second.link);
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<Join> Bridges::between(const Part& first, const Part& second, const Prices& prices,
                                   std::size_t most) const {
  std::vector<Join> out;
  if (first.path->empty() || first.path->back().crash) return out;
  const auto& ways = reach(first.path->back().loose).ways;
  double spared = 0;  // of the second's beginning, beyond its events' prices
  for (std::uint32_t at = 0; at <= second.matters_from; ++at) {
    if (at > 0) spared += (*second.path)[at - 1].more;
    const auto way = ways.find(at == 0 ? start_ : (*second.path)[at - 1].loose);
    if (way == ways.end() || way->second.steps > longest_bridge) continue;
    const double saving = prices.restart + prices.event * (static_cast<double>(at) - way->second.steps) +
                          spared - way->second.more;
    if (saving > 0) out.push_back({0, 0, at, saving});
  }
  std::stable_sort(out.begin(), out.end(), [](const Join& a, const Join& b) { return a.saving > b.saving; });
  if (out.size() > most) out.resize(most);
  return out;
}

Path Bridges::joined(const Path& first, const Path& second, const Join& join) const {
  const auto& ways = reach(first.back().loose).ways;
  Path bridge, out = first;
  for (auto w = ways.find(join.at == 0 ? start_ : second[join.at - 1].loose); w->second.link;
       w = ways.find(w->second.from))
    bridge.push_back(*w->second.link);
  out.insert(out.end(), bridge.rbegin(), bridge.rend());
  out.insert(out.end(), second.begin() + join.at, second.end());
  return out;
}

}  // namespace norn
