// Request streams with locality, and what they cost under simple snapshot policies and under the best placement in hindsight: what
// the planner is compared with. For tests and benches.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <set>
#include <vector>

#include "base/rng.h"
#include "device/device.h"

namespace norn::testing {

/// A run as the numbers of the nodes it passes, root (0) first; equal prefixes are equal numbers.
using Path = std::vector<std::uint32_t>;

struct Stream {
  std::vector<std::vector<std::uint32_t>> lists;  ///< event numbers of each request
  std::vector<Path> paths;
};

/// Each request cuts the one before (or, sometimes, an older one) at a random place and goes on differently.
inline Stream random_stream(std::uint64_t seed, std::size_t requests, std::size_t alphabet,
                            std::size_t longest) {
  Rng rng(seed);
  Stream out;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> children;
  for (std::size_t i = 0; i < requests; ++i) {
    std::vector<std::uint32_t> list;
    if (i > 0) {
      const auto& old = out.lists[rng.chance(0.8) ? i - 1 : rng.below(i)];
      list.assign(old.begin(),
                  old.begin() + static_cast<std::ptrdiff_t>(
                                    old.size() - rng.below(std::min<std::size_t>(old.size(), 6) + 1)));
    }
    for (std::size_t k = 1 + rng.below(5); k > 0 && list.size() < longest; --k)
      list.push_back(static_cast<std::uint32_t>(rng.below(alphabet)));
    Path path{0};
    for (const auto event : list) {
      const auto next = static_cast<std::uint32_t>(children.size() + 1);
      path.push_back(children.emplace(std::pair(path.back(), event), next).first->second);
    }
    out.lists.push_back(std::move(list));
    out.paths.push_back(std::move(path));
  }
  return out;
}

/// What a stream costs if `wants(node, depth)` says where to save in passing and at most `most` are held, least recently used out first.
inline double cost_of(const Stream& stream, const Costs& c, std::size_t most,
                      const std::function<bool(std::uint32_t, std::size_t)>& wants) {
  double total = 0;
  std::list<std::uint32_t> held;  // most recent first
  for (const Path& path : stream.paths) {
    std::size_t start = 0;
    bool warm = false;
    for (std::size_t d = 0; d < path.size(); ++d)
      if (std::find(held.begin(), held.end(), path[d]) != held.end() &&
          c.load < c.restart + c.event * static_cast<double>(d))
        start = d, warm = true;
    if (warm) {
      held.remove(path[start]);
      held.push_front(path[start]);
    }
    total += (warm ? c.load : c.restart) + c.event * static_cast<double>(path.size() - 1 - start);
    for (std::size_t d = start; d < path.size(); ++d)
      if (wants(path[d], d) && std::find(held.begin(), held.end(), path[d]) == held.end()) {
        total += c.save;
        held.push_front(path[d]);
        if (held.size() > most) held.pop_back();
      }
  }
  return total;
}

/// The best set of at most `most` nodes to save when first passed, found by taking the node that gains most again and again, then
/// by exchanging; exact on small trees (`exhaustive`).
inline double hindsight(const Stream& stream, const Costs& c, std::size_t most, bool exhaustive) {
  std::set<std::uint32_t> nodes;
  for (const Path& path : stream.paths) nodes.insert(path.begin(), path.end());
  const std::vector<std::uint32_t> all(nodes.begin(), nodes.end());
  const auto cost = [&](const std::set<std::uint32_t>& chosen) {
    return cost_of(stream, c, most, [&](std::uint32_t node, std::size_t) { return chosen.contains(node); });
  };
  if (exhaustive && all.size() <= 16) {
    double best = std::numeric_limits<double>::infinity();
    for (std::uint32_t bits = 0; bits < 1U << all.size(); ++bits) {
      std::set<std::uint32_t> chosen;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (bits >> i & 1) chosen.insert(all[i]);
      if (chosen.size() <= most) best = std::min(best, cost(chosen));
    }
    return best;
  }
  std::set<std::uint32_t> chosen;
  double best = cost(chosen);
  for (bool better = true; better && chosen.size() < most;) {
    better = false;
    std::uint32_t add = 0;
    for (const auto node : all) {
      auto more = chosen;
      more.insert(node);
      if (const double now = cost(more); now < best - 1e-9) best = now, add = node, better = true;
    }
    if (better) chosen.insert(add);
  }
  return best;
}

}  // namespace norn::testing
