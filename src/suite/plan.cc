#include "suite/plan.h"

#include <algorithm>

namespace norn {
namespace {

constexpr std::uint32_t longest_way = 16;
constexpr std::size_t most_ends = 8;             ///< walks that may go on, of many
constexpr std::uint64_t most_work = 10'000'000;  ///< of one call: then no further round
constexpr double noise = 0.4;
constexpr double slack = 1.5;  ///< events that a round may make it dearer, for a while

}  // namespace

Planning::Planning(std::vector<Road> roads, std::uint32_t places, std::uint32_t items, const Prices& prices)
    : roads_(std::move(roads)), prices_(prices), from_(places), with_(items) {
  for (std::uint32_t r = 0; r < roads_.size(); ++r) {
    from_[roads_[r].from].push_back(r);
    for (const std::uint32_t item : roads_[r].hits) with_[item].push_back(r);
  }
  for (const auto& roads_with : with_)
    worth_.push_back(roads_with.empty() ? 0 : 1.0 / static_cast<double>(roads_with.size()));
}

double Planning::cost(std::span<const RoadWalk> walks) const {
  double sum = 0;
  for (const RoadWalk& walk : walks)
    sum += prices_.restart + prices_.event * static_cast<double>(walk.size());
  return sum;
}

const std::vector<Planning::Reached>& Planning::reach(std::uint32_t place) {
  const auto [at, fresh] = reached_.try_emplace(place);
  auto& found = at->second;
  if (!fresh) return found;
  std::vector<char> seen(from_.size(), 0);
  seen[place] = 1;
  found.push_back({place, 0, 0});
  for (std::size_t i = 0; i < found.size() && found[i].steps < longest_way; ++i)
    for (const std::uint32_t road : from_[found[i].place])
      if (!seen[roads_[road].to]) {
        seen[roads_[road].to] = 1;
        found.push_back({roads_[road].to, road, found[i].steps + 1});
      }
  return found;
}

std::optional<RoadWalk> Planning::way(std::uint32_t from, std::uint32_t to) {
  const auto& found = reach(from);
  RoadWalk out;
  // Backwards: whoever leads there was found earlier.
  for (std::size_t i = found.size(); i-- > 0;) {
    if (found[i].place != to) continue;
    if (found[i].steps == 0) {
      std::reverse(out.begin(), out.end());
      return out;
    }
    out.push_back(found[i].by);
    to = roads_[found[i].by].from;
  }
  return std::nullopt;
}

void Planning::own(std::span<const std::uint32_t> walk, int by) {
  for (const std::uint32_t road : walk)
    for (const std::uint32_t item : roads_[road].hits) {
      const bool was = owners_[item] > 0;
      owners_[item] += static_cast<std::uint32_t>(by);
      if (was == (owners_[item] > 0)) continue;
      missing_ += was ? 1 : std::size_t(-1);
      for (const std::uint32_t other : with_[item]) gain_[other] += was ? worth_[item] : -worth_[item];
    }
}

void Planning::set_owners(std::span<const RoadWalk> walks) {
  owners_.assign(with_.size(), 0);
  missing_ = 0;
  for (const auto& roads_with : with_) missing_ += roads_with.empty() ? 0 : 1;
  gain_.assign(roads_.size(), 0);
  work_ += roads_.size();
  for (std::size_t r = 0; r < roads_.size(); ++r)
    for (const std::uint32_t item : roads_[r].hits) gain_[r] += worth_[item];
  for (const RoadWalk& walk : walks) own(walk, 1);
}

bool Planning::alone(std::uint32_t road) const {
  return std::any_of(roads_[road].hits.begin(), roads_[road].hits.end(),
                     [&](std::uint32_t item) { return owners_[item] == 1; });
}

/// A stretch is taken out where the rest can be come to by another way; else the end.
void Planning::open_up(RoadWalk& walk, Rng& rng) {
  const std::size_t begin = rng.below(walk.size());
  const std::size_t end = begin + 1 + rng.below(std::min<std::size_t>(walk.size() - begin, 12));
  const std::uint32_t place = roads_[walk[begin]].from;
  auto bridge = end < walk.size() && rng.chance(0.5) ? way(place, roads_[walk[end]].from) : std::nullopt;
  RoadWalk out(walk.begin(), walk.begin() + static_cast<std::ptrdiff_t>(begin));
  if (bridge) {
    out.insert(out.end(), bridge->begin(), bridge->end());
    out.insert(out.end(), walk.begin() + static_cast<std::ptrdiff_t>(end), walk.end());
  }
  walk = std::move(out);
}

void Planning::destroy(std::vector<RoadWalk>& walks, Rng& rng) {
  for (std::size_t n = 1 + rng.below(3); n > 0 && !walks.empty(); --n) {
    const std::size_t w = rng.below(walks.size());
    if (!walks[w].empty() && !rng.chance(0.3))
      open_up(walks[w], rng);
    else
      walks[w].clear();
    if (walks[w].empty()) walks.erase(walks.begin() + static_cast<std::ptrdiff_t>(w));
  }
}

void Planning::weigh(std::uint32_t from, std::size_t walk, double more, Offer& best, Rng& rng) {
  for (const Reached& there : reach(from)) {
    const double seconds = more + prices_.event * (there.steps + 1);
    work_ += from_[there.place].size() + 1;
    for (const std::uint32_t road : from_[there.place]) {
      if (gain_[road] < 1e-12) continue;
      const double score = gain_[road] / seconds * (1 - noise * rng.unit());
      if (score > best.score) best = {score, walk, road};
    }
  }
}

void Planning::build(std::vector<RoadWalk>& walks, Rng& rng) {
  while (missing_ > 0) {
    Offer best;
    const std::size_t first = walks.size() > most_ends ? rng.below(walks.size()) : 0;
    for (std::size_t i = 0; i < std::min(walks.size(), most_ends); ++i) {
      const std::size_t w = (first + i) % walks.size();
      weigh(end(walks[w]), w, 0, best, rng);
    }
    weigh(0, walks.size(), prices_.restart, best, rng);
    if (best.score == 0) return;
    if (best.walk == walks.size()) walks.emplace_back();
    RoadWalk& walk = walks[best.walk];
    auto more = *way(end(walk), roads_[best.road].from);
    more.push_back(best.road);
    own(more, 1);
    walk.insert(walk.end(), more.begin(), more.end());
  }
}

void Planning::drop_end(RoadWalk& walk) {
  while (!walk.empty() && !alone(walk.back())) {
    own({&walk.back(), 1}, -1);
    walk.pop_back();
  }
}

void Planning::drop_detours(RoadWalk& walk) {
  for (std::size_t begin = 0; begin < walk.size(); ++begin) {
    std::size_t end = begin;
    for (; end < walk.size() && !alone(walk[end]); ++end) own({&walk[end], 1}, -1);
    const auto part = std::span(walk).subspan(begin, end - begin);
    const auto shorter =
        !part.empty() ? way(roads_[walk[begin]].from, roads_[walk[end - 1]].to) : std::nullopt;
    if (!shorter || shorter->size() >= part.size()) {
      own(part, 1);
      continue;
    }
    own(*shorter, 1);
    const auto at = walk.erase(walk.begin() + static_cast<std::ptrdiff_t>(begin),
                               walk.begin() + static_cast<std::ptrdiff_t>(end));
    walk.insert(at, shorter->begin(), shorter->end());
  }
}

void Planning::tighten(std::vector<RoadWalk>& walks, std::span<const RoadWalk> old) {
  std::stable_sort(walks.begin(), walks.end(),
                   [](const RoadWalk& a, const RoadWalk& b) { return a.size() > b.size(); });
  for (RoadWalk& walk : walks) {
    const bool is_old = std::find(old.begin(), old.end(), walk) != old.end();
    drop_end(walk);
    if (!is_old) drop_detours(walk);
  }
  std::erase_if(walks, [](const RoadWalk& walk) { return walk.empty(); });
}

std::vector<RoadWalk> Planning::improve(std::vector<RoadWalk> walks, std::uint32_t rounds,
                                        std::uint32_t gains, Rng& rng) {
  set_owners(walks);
  build(walks, rng);
  const std::size_t lacking = missing_;  // what cannot be hit
  const double more = gains > 8 ? slack * prices_.event : 0;
  auto now = walks;
  const std::uint64_t until = work_ + most_work;
  for (std::uint32_t round = 0; round < rounds && gains > 0 && work_ < until; ++round) {
    auto next = now;
    destroy(next, rng);
    set_owners(next);
    build(next, rng);
    tighten(next, now);
    if (missing_ > lacking || cost(next) > cost(now) + more * rng.unit()) continue;
    now = std::move(next);
    if (cost(now) > cost(walks) - 1e-9) continue;
    walks = now;
    --gains;
  }
  return walks;
}

}  // namespace norn
