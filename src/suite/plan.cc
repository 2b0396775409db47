#include "suite/plan.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>

namespace norn {
namespace {

constexpr double longest_plan_way = 16;           ///< events
constexpr std::size_t most_facts = 200;           ///< looked at from the end of one walk
constexpr std::size_t plan_ends = 8;              ///< walks that may go on, of many
constexpr std::uint64_t plan_work = 10'000'000;   ///< of one call: then no further round
constexpr std::uint64_t plan_walked = 3'000'000;  ///< roads of walks gone along, the same
constexpr double plan_noise = 0.4;
constexpr double plan_slack = 1.5;  ///< events that a round may make it dearer, for a while

}  // namespace

Planning::Planning(std::vector<Road> roads, std::uint32_t places, std::uint32_t items, const Prices& prices,
                   std::vector<Fact> facts)
    : roads_(std::move(roads)), prices_(prices), facts_(std::move(facts)), from_(places), with_(items) {
  set_facts();
  for (std::uint32_t r = 0; r < roads_.size(); ++r) {
    from_[roads_[r].from].push_back(r);
    for (const std::uint32_t item : roads_[r].hits) with_[item].push_back(r);
  }
  for (const auto& roads_with : with_)
    worth_.push_back(roads_with.empty() ? 0 : 1.0 / static_cast<double>(roads_with.size()));
}

void Planning::set_facts() {
  facts_after_.resize(facts_.size() + 1);
  first_fact_.assign(roads_.size(), {});
  std::vector<std::uint32_t> depth{0};
  std::vector<double> more{0};
  for (std::uint32_t i = 0; i < facts_.size(); ++i) {
    const auto& [before, road] = facts_[i];
    next_fact_.emplace(std::uint64_t{before} << 32U | road, i + 1);
    facts_after_[before].push_back(i + 1);
    depth.push_back(depth[before] + 1);
    more.push_back(more[before] + roads_[road].more);
    auto& first = first_fact_[road];
    const double gain =
        prices_.event * (static_cast<double>(first.depth) - depth.back()) + first.more - more.back();
    if (first.node == no_fact || gain > 0) first = {i + 1, depth.back(), more.back()};
  }
}

double Planning::price(std::span<const std::uint32_t> roads) const {
  return std::accumulate(roads.begin(), roads.end(), 0.0,
                         [&](double sum, std::uint32_t road) { return sum + price(road); });
}

std::uint32_t Planning::fact_of(const RoadWalk& walk, std::uint32_t from) const {
  std::uint32_t at = from;
  for (const std::uint32_t road : walk) {
    if (at == no_fact) break;
    const auto next = next_fact_.find(std::uint64_t{at} << 32U | road);
    at = next == next_fact_.end() ? no_fact : next->second;
  }
  return at;
}

RoadWalk Planning::known_way(std::uint32_t from, std::uint32_t to) const {
  RoadWalk out;
  for (; to != from; to = facts_[to - 1].before) out.push_back(facts_[to - 1].road);
  std::reverse(out.begin(), out.end());
  return out;
}

double Planning::cost(std::span<const RoadWalk> walks) const {
  double sum = 0;
  for (const RoadWalk& walk : walks) {
    sum += prices_.restart + prices_.event * static_cast<double>(walk.size());
    std::uint32_t at = 0;
    for (const std::uint32_t road : walk) {
      sum += roads_[road].more;
      const auto next = at == no_fact ? next_fact_.end() : next_fact_.find(std::uint64_t{at} << 32U | road);
      at = next == next_fact_.end() ? no_fact : next->second;
      if (at == no_fact) sum += roads_[road].risk;
    }
  }
  return sum;
}

Planning::Reach& Planning::reach(std::uint32_t place) {
  const auto [at, fresh] = reached_.try_emplace(place);
  if (!fresh) return at->second;
  auto& found = at->second.places;
  using Entry = std::tuple<double, std::uint32_t, std::uint32_t>;  // seconds, place, road
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  std::vector<double> least(from_.size(), longest_plan_way * prices_.event + 1e-9);
  std::vector<char> seen(from_.size(), 0);
  open.emplace(0, place, 0);
  while (!open.empty()) {
    const auto [seconds, here, by] = open.top();
    open.pop();
    if (seen[here]) continue;
    seen[here] = 1;
    found.push_back({here, by, seconds});
    for (const std::uint32_t road : from_[here]) {
      const double then = seconds + price(road) + roads_[road].risk;
      if (then >= least[roads_[road].to]) continue;
      least[roads_[road].to] = then;
      open.emplace(then, roads_[road].to, road);
    }
  }
  return at->second;
}

std::optional<RoadWalk> Planning::way(std::uint32_t from, std::uint32_t to) {
  auto& [found, by_number] = reach(from);
  if (by_number.empty()) {
    by_number.resize(found.size());
    std::iota(by_number.begin(), by_number.end(), 0U);
    std::sort(by_number.begin(), by_number.end(),
              [&](std::uint32_t a, std::uint32_t b) { return found[a].place < found[b].place; });
  }
  RoadWalk out;
  while (true) {
    const auto at =
        std::lower_bound(by_number.begin(), by_number.end(), to,
                         [&](std::uint32_t i, std::uint32_t place) { return found[i].place < place; });
    if (at == by_number.end() || found[*at].place != to) return std::nullopt;
    if (*at == 0) break;
    out.push_back(found[*at].by);
    to = roads_[found[*at].by].from;
  }
  std::reverse(out.begin(), out.end());
  return out;
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
  for (const RoadWalk& walk : walks) {
    own(walk, 1);
    walked_ += walk.size();
  }
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
  for (const Reached& there : reach(from).places) {
    work_ += from_[there.place].size() + 1;
    for (const std::uint32_t road : from_[there.place]) {
      if (gain_[road] < 1e-12) continue;
      const double seconds = more + there.seconds + price(road) + roads_[road].risk;
      const double score = gain_[road] / seconds * (1 - plan_noise * rng.unit());
      if (score > best.score) best = {score, walk, road, 0};
    }
  }
}

/// On along what is known to follow.
void Planning::weigh_facts(std::uint32_t fact, std::size_t walk, Offer& best, Rng& rng) {
  struct Ahead {
    std::uint32_t at, steps;
    double more;
  };
  std::vector<Ahead> open{{fact, 0, 0}};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto [at, steps, more] = open[i];
    if (at != fact) {
      const double gain = gain_[facts_[at - 1].road];
      const double score = gain / (prices_.event * steps + more) * (1 - plan_noise * rng.unit());
      if (gain > 1e-12 && score > best.score) best = {score, walk, facts_[at - 1].road, at};
    }
    if (steps < longest_plan_way)
      for (const std::uint32_t next : facts_after_[at])
        if (open.size() < most_facts)
          open.push_back({next, steps + 1, more + roads_[facts_[next - 1].road].more});
  }
  work_ += open.size();
}

void Planning::weigh_known_starts(std::size_t walk, Offer& best, Rng& rng) {
  work_ += roads_.size();
  for (std::uint32_t road = 0; road < roads_.size(); ++road) {
    const auto& [node, depth, more] = first_fact_[road];
    if (gain_[road] < 1e-12 || node == no_fact) continue;
    const double seconds = prices_.restart + prices_.event * depth + more;
    const double score = gain_[road] / seconds * (1 - plan_noise * rng.unit());
    if (score > best.score) best = {score, walk, road, node};
  }
}

void Planning::build(std::vector<RoadWalk>& walks, Rng& rng, const std::stop_token& stop) {
  std::vector<std::uint32_t> facts;  // where each walk ends among them
  if (missing_ > 0)
    for (const RoadWalk& walk : walks) facts.push_back(fact_of(walk));
  while (missing_ > 0 && !stop.stop_requested()) {
    Offer best;
    const std::size_t first = walks.size() > plan_ends ? rng.below(walks.size()) : 0;
    for (std::size_t i = 0; i < std::min(walks.size(), plan_ends); ++i) {
      const std::size_t w = (first + i) % walks.size();
      weigh(end(walks[w]), w, 0, best, rng);
      if (facts[w] != no_fact) weigh_facts(facts[w], w, best, rng);
    }
    weigh(0, walks.size(), prices_.restart, best, rng);
    weigh_known_starts(walks.size(), best, rng);
    if (best.score == 0) return;
    if (best.walk == walks.size()) walks.emplace_back(), facts.push_back(0);
    RoadWalk& walk = walks[best.walk];
    auto more =
        best.fact > 0 ? known_way(facts[best.walk], best.fact) : *way(end(walk), roads_[best.road].from);
    if (best.fact == 0) more.push_back(best.road);
    own(more, 1);
    walk.insert(walk.end(), more.begin(), more.end());
    facts[best.walk] = best.fact > 0 ? best.fact : fact_of(more, facts[best.walk]);
  }
}

void Planning::drop_end(RoadWalk& walk) {
  while (!walk.empty() && !alone(walk.back())) {
    own({&walk.back(), 1}, -1);
    walk.pop_back();
  }
}

/// A stretch that may go from one place on may go from the next on as well, up to the same end at least. So one
/// window is moved along the walk, and what lies in it is not owned: a stretch that stays costs each of its roads
/// once, one that is replaced no more than the short way that is put in its place.
void Planning::drop_detours(RoadWalk& walk) {
  RoadWalk done, ahead(walk.rbegin(), walk.rend());  // what is next comes last
  std::size_t window = 0;
  double seconds = 0;  // of the window
  while (!ahead.empty()) {
    for (; window < ahead.size(); ++window, ++walked_) {
      const std::uint32_t& road = ahead[ahead.size() - 1 - window];
      if (alone(road)) break;
      own({&road, 1}, -1);
      seconds += price(road);
    }
    const auto shorter =
        window > 0 ? way(roads_[ahead.back()].from, roads_[ahead[ahead.size() - window]].to) : std::nullopt;
    if (shorter && price(*shorter) < seconds - 1e-9) {
      own(*shorter, 1);
      ahead.resize(ahead.size() - window);
      ahead.insert(ahead.end(), shorter->rbegin(), shorter->rend());
      window = 0, seconds = 0;
    }
    if (ahead.empty()) break;
    done.push_back(ahead.back());
    ahead.pop_back();
    if (window > 0) own({&done.back(), 1}, 1), --window, seconds -= price(done.back());
  }
  walk = std::move(done);
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
                                        std::uint32_t gains, Rng& rng, const std::stop_token& stop) {
  set_owners(walks);
  build(walks, rng, stop);
  const std::size_t lacking = missing_;  // what cannot be hit
  const double more = gains > 8 ? plan_slack * prices_.event : 0;
  auto now = walks;
  const std::uint64_t until = work_ + plan_work, walked_until = walked_ + plan_walked;
  for (std::uint32_t round = 0; round < rounds && gains > 0 && !stop.stop_requested(); ++round) {
    if (work_ >= until || walked_ >= walked_until) break;
    auto next = now;
    destroy(next, rng);
    set_owners(next);
    build(next, rng, stop);
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
