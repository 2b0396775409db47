// Request streams with locality, and what they cost under the service, under simple snapshot policies and
// under the best placement in hindsight. For tests and benches.
#pragma once

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <set>
#include <vector>

#include "base/rng.h"
#include "replay/fleet.h"
#include "replay/maze.h"

namespace norn::testing {

/// A run as the numbers of the nodes it passes, root (0) first; equal prefixes are equal numbers.
using Path = std::vector<std::uint32_t>;

struct Stream {
  std::vector<std::vector<std::uint32_t>> lists;  ///< event numbers of each request
  std::vector<Path> paths;
};

/// Numbers the nodes of the tree that the lists span.
struct StreamBuilder {
  Stream stream{};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> children{};

  void add(std::vector<std::uint32_t> list) {
    Path path{0};
    for (const auto event : list) {
      const auto next = static_cast<std::uint32_t>(children.size() + 1);
      path.push_back(children.emplace(std::pair(path.back(), event), next).first->second);
    }
    stream.lists.push_back(std::move(list));
    stream.paths.push_back(std::move(path));
  }
};

/// Each request cuts the one before (or, sometimes, an older one) at a random place and goes on differently.
inline Stream random_stream(std::uint64_t seed, std::size_t requests, std::size_t alphabet,
                            std::size_t longest) {
  Rng rng(seed);
  StreamBuilder out;
  for (std::size_t i = 0; i < requests; ++i) {
    std::vector<std::uint32_t> list;
    if (i > 0) {
      const auto& old = out.stream.lists[rng.chance(0.8) ? i - 1 : rng.below(i)];
      list.assign(old.begin(),
                  old.begin() + static_cast<std::ptrdiff_t>(
                                    old.size() - rng.below(std::min<std::size_t>(old.size(), 6) + 1)));
    }
    for (std::size_t k = 1 + rng.below(5); k > 0 && list.size() < longest; --k)
      list.push_back(static_cast<std::uint32_t>(rng.below(alphabet)));
    out.add(std::move(list));
  }
  return std::move(out.stream);
}

/// Requests that leave one trunk of 60 events somewhere in its second half and go on for four more.
inline Stream trunk_stream(std::uint64_t seed, std::size_t requests) {
  Rng rng(seed);
  std::vector<std::uint32_t> trunk;
  for (int i = 0; i < 60; ++i) trunk.push_back(static_cast<std::uint32_t>(rng.below(4)));
  StreamBuilder out;
  for (std::size_t i = 0; i < requests; ++i) {
    std::vector<std::uint32_t> list(trunk.begin(),
                                    trunk.begin() + 30 + static_cast<std::ptrdiff_t>(rng.below(30)));
    for (int k = 0; k < 4; ++k) list.push_back(static_cast<std::uint32_t>(rng.below(4)));
    out.add(std::move(list));
  }
  return std::move(out.stream);
}

/// Says whether a run saves at this place in passing.
using Policy = std::function<bool(std::size_t request, std::uint32_t node, std::size_t depth)>;

/// What a stream costs if at most `most` snapshots are held, least recently used out first.
inline double cost_of(const Stream& stream, const Costs& c, std::size_t most, const Policy& saves) {
  double total = 0;
  std::list<std::uint32_t> held;  // most recent first
  for (std::size_t i = 0; i < stream.paths.size(); ++i) {
    const Path& path = stream.paths[i];
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
      if (saves(i, path[d], d) && std::find(held.begin(), held.end(), path[d]) == held.end()) {
        total += c.save;
        held.push_front(path[d]);
        if (held.size() > most) held.pop_back();
      }
  }
  return total;
}

/// How deep each request goes in what the ones before it executed.
inline std::vector<std::size_t> branch_depths(const Stream& stream) {
  std::set<std::uint32_t> known;
  std::vector<std::size_t> out;
  for (const Path& path : stream.paths) {
    std::size_t d = 0;
    while (d + 1 < path.size() && known.contains(path[d + 1])) ++d;
    out.push_back(d);
    known.insert(path.begin(), path.end());
  }
  return out;
}

// The policies the planner is compared with.
inline double without_snapshots(const Stream& stream, const Costs& c) {
  return cost_of(stream, c, 0, [](auto, auto, auto) { return false; });
}
inline double every_so_many_steps(const Stream& stream, const Costs& c, std::size_t most, std::size_t steps) {
  return cost_of(stream, c, most, [&](auto, auto, std::size_t d) { return d > 0 && d % steps == 0; });
}
/// Saves where a run leaves what is known, and forgets what was not used for the longest time.
inline double least_recently_used(const Stream& stream, const Costs& c, std::size_t most) {
  const auto depths = branch_depths(stream);
  return cost_of(stream, c, most,
                 [&](std::size_t i, auto, std::size_t d) { return d > 0 && d == depths[i]; });
}

/// What no policy can beat: the best set of nodes to save, any number of them, by one who knows all requests
/// beforehand. Exact, by dynamic programming over the tree. A run starts at the deepest snapshot above the
/// place where it leaves what is known; saving later than at the first pass, or less than all one likes, only
/// loses. best[node][d]: the least cost of all starts below the node if the deepest snapshot above it lies at
/// depth d (0: none, a clean start).
inline double hindsight(const Stream& stream, const Costs& c) {
  std::map<std::uint32_t, std::pair<std::uint32_t, std::size_t>> nodes{{0, {0, 0}}};  // parent, depth
  std::map<std::uint32_t, double> starts;
  const auto depths = branch_depths(stream);
  double total = 0;
  for (std::size_t i = 0; i < stream.paths.size(); ++i) {
    const Path& path = stream.paths[i];
    for (std::size_t d = 1; d < path.size(); ++d) nodes.emplace(path[d], std::pair(path[d - 1], d));
    total += c.event * static_cast<double>(path.size() - 1 - depths[i]);
    if (i > 0) ++starts[path[depths[i]]];
  }
  const auto start = [&](std::size_t snapshot, std::size_t depth) {
    const double cold = c.restart + c.event * static_cast<double>(depth);
    return snapshot == 0 ? cold : std::min(cold, c.load + c.event * static_cast<double>(depth - snapshot));
  };
  std::map<std::uint32_t, std::vector<double>>
      below;  // sums over children, for each snapshot depth at or above the node
  double all = 0;
  for (auto at = nodes.rbegin(); at != nodes.rend(); ++at) {  // children have higher numbers
    const auto& [node, place] = *at;
    const auto [parent, depth] = place;
    auto& sums = below[node];
    sums.resize(depth + 1);
    const double here = starts.contains(node) ? starts[node] : 0;
    const double saved = c.save + here * start(depth, depth) + sums[depth];
    if (node == 0) {
      all = here * start(0, 0) + sums[0];
      break;
    }
    auto& up = below[parent];
    up.resize(depth);
    for (std::size_t d = 0; d < depth; ++d) up[d] += std::min(saved, here * start(d, depth) + sums[d]);
  }
  return total + c.restart + all;  // the first run starts cold
}

/// What the service spends on a stream, with its memory switched off.
inline double under_service(const Stream& stream, std::size_t snapshots) {
  History tree;
  FleetOptions options;
  options.memory = false;
  options.snapshots.number = snapshots;
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(
      std::make_unique<Maze>(MazeOptions{.seed = 3, .pages = 5, .buttons = 4, .crashes = false}));
  Replay replay(std::make_unique<Fleet>(std::move(devices), App{}, tree, options));
  for (const auto& list : stream.lists) {
    std::vector<Event> events;  // points, so that every event is always possible
    for (const auto e : list) events.push_back(Tap{{}, {500, static_cast<std::int32_t>(e) * 100 + 45}});
    replay.ask({.events = replay.intern(events), .missing = Missing::point});
  }
  return replay.spent().device_seconds;
}

/// Mean costs of many streams, each relative to the best in hindsight.
struct Compared {
  double norn = 0, none = 0, lru = 0, every8 = 0;
  double worst = 0;  ///< norn against no snapshots, in the worst stream
};
inline Compared compare(std::uint64_t first_seed, std::size_t streams, std::size_t requests,
                        std::size_t longest) {
  Compared out;
  const Costs costs;
  for (std::size_t i = 0; i < streams; ++i) {
    const Stream stream = random_stream(first_seed + i, requests, 4, longest);
    const double best = hindsight(stream, costs) * static_cast<double>(streams);
    const double ours = under_service(stream, 16), none = without_snapshots(stream, costs);
    out.norn += ours / best, out.none += none / best;
    out.lru += least_recently_used(stream, costs, 16) / best;
    out.every8 += every_so_many_steps(stream, costs, 16, 8) / best;
    out.worst = std::max(out.worst, ours / none);
  }
  return out;
}

}  // namespace norn::testing
