// Plans against the optimum, and the guess they rest on against what an app really does.
#include "suite/plan.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <queue>

#include "base/patience.h"
#include "replay/fleet.h"
#include "replay/maze.h"
#include "suite/fold.h"
#include "suite/random_walk.h"

namespace norn {
namespace {

struct World {
  std::vector<Road> roads;
  std::uint32_t places = 0, items = 0;
};

/// A way to every place, some ways back, and things to hit here and there.
World random_world(Rng& rng) {
  World w;
  w.places = static_cast<std::uint32_t>(3 + rng.below(8));
  const auto place = [&](std::size_t below) { return static_cast<std::uint32_t>(rng.below(below)); };
  for (std::uint32_t to = 1; to < w.places; ++to) w.roads.push_back({place(to), to});
  for (std::size_t i = rng.below(2 * w.places); i > 0; --i)
    w.roads.push_back({place(w.places), place(w.places)});
  for (Road& road : w.roads)
    if (w.items < 10 && rng.chance(0.6)) road.hits.push_back(w.items++);
  return w;
}

/// The cheapest walks that hit everything: shortest ways over (place, what was hit).
double optimum(const World& w, const Prices& prices) {
  const std::size_t all = (std::size_t{1} << w.items) - 1;
  std::vector<double> cost((all + 1) * w.places, 1e9);
  using Entry = std::pair<double, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto reach = [&](std::size_t has, std::size_t at, double now) {
    if (now >= cost[has * w.places + at]) return;
    cost[has * w.places + at] = now;
    open.emplace(now, has * w.places + at);
  };
  reach(0, 0, prices.restart);
  while (!open.empty()) {
    const auto [now, where] = open.top();
    open.pop();
    const std::size_t has = where / w.places;
    if (has == all) return now;
    for (const Road& road : w.roads) {
      if (road.from != where % w.places) continue;
      std::size_t more = has;
      for (const std::uint32_t item : road.hits) more |= std::size_t{1} << item;
      reach(more, road.to, now + prices.event + road.more);
    }
    reach(has, 0, now + prices.restart);
  }
  return 1e9;
}

/// Plans for 200 networks: their cost over the optimum's, on the average. `slow`: some roads take longer.
double over_the_optimum(bool slow) {
  Rng rng(1);
  const Prices prices;
  double sum = 0, worst = 0;
  int worlds = 0;
  for (int round = 0; round < 200; ++round) {
    World w = random_world(rng);
    if (w.items == 0) continue;
    for (Road& road : w.roads)
      if (slow && rng.chance(0.3)) road.more = 6 * prices.event * rng.unit();
    Planning planning(w.roads, w.places, w.items, prices);
    const auto walks = planning.improve({}, 100, 100, rng);
    std::vector<char> hit(w.items, 0);
    for (const RoadWalk& walk : walks) {
      std::uint32_t at = 0;
      for (const std::uint32_t road : walk) {
        EXPECT_EQ(w.roads[road].from, at);
        at = w.roads[road].to;
        for (const std::uint32_t item : w.roads[road].hits) hit[item] = 1;
      }
    }
    EXPECT_EQ(std::count(hit.begin(), hit.end(), 1), w.items);
    const double ratio = planning.cost(walks) / optimum(w, prices);
    EXPECT_GE(ratio, 1 - 1e-9);
    sum += ratio, worst = std::max(worst, ratio), ++worlds;
  }
  fmt::print("plans over the optimum, {} networks: mean {:.4f}, worst {:.2f}\n", worlds, sum / worlds, worst);
  return sum / worlds;
}

TEST(Planning, IsNearTheOptimum) { EXPECT_LT(over_the_optimum(false), 1.02); }
TEST(Planning, IsNearTheOptimumWhereSomeStepsTakeLonger) { EXPECT_LT(over_the_optimum(true), 1.04); }

TEST(Planning, NeverMakesASuiteDearerAndLeavesWhatCannotBeHit) {
  Rng rng(2);
  const Prices prices;
  for (int round = 0; round < 50; ++round) {
    World w = random_world(rng);
    w.roads.push_back({w.places, w.places, {w.items++}});  // nothing leads there
    Planning planning(w.roads, w.places + 1, w.items, prices);
    const auto first = planning.improve({}, 0, 0, rng);
    const auto more = planning.improve(first, 50, 50, rng);
    EXPECT_LE(planning.cost(more), planning.cost(first) + 1e-9);
  }
}

/// Places in a row with two roads from each to the next, and one thing to hit at the far end: all but the last
/// road may go, and no shorter way leads past any of them.
World long_row(std::uint32_t places) {
  World w{.roads = {}, .places = places, .items = 1};
  for (std::uint32_t to = 1; to < places; ++to)
    for (int side = 0; side < 2; ++side) w.roads.push_back({to - 1, to});
  w.roads.back().hits = {0};
  return w;
}
RoadWalk along(const World& w) {
  RoadWalk out;
  for (std::uint32_t road = 1; road < w.roads.size(); road += 2) out.push_back(road);
  return out;
}

TEST(Planning, TakesTimeAsAWalkIsLongNotAsItsSquare) {
  Rng rng(3);
  const Prices prices;
  const World w = long_row(20'000);
  Planning planning(w.roads, w.places, w.items, prices);
  const std::clock_t begin = std::clock();
  const auto walks = planning.improve({along(w)}, 300, 300, rng);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, patience * 10);
  ASSERT_EQ(walks.size(), 1U);
  EXPECT_EQ(walks[0].size(), w.places - 1);
  EXPECT_GT(planning.work(), 100U * w.places);  // what a limit on it would bound
}

TEST(Planning, AskedToStopGivesTheBestSoFar) {
  Rng rng(4);
  const Prices prices;
  const World w = long_row(1000);
  Planning planning(w.roads, w.places, w.items, prices);
  std::stop_source source;
  source.request_stop();
  const std::vector<RoadWalk> given{along(w)};
  const std::uint64_t before = planning.work();
  EXPECT_EQ(planning.improve(given, 1'000'000, 1'000'000, rng, source.get_token()), given);
  EXPECT_LT(planning.work() - before, 100 * w.places);
}

// ---- the guess ----

struct Rig {
  History tree;
  Knowledge known;
  std::unique_ptr<Replay> replay;
  std::vector<NodeId> ends;

  Rig(const testing::MazeOptions& maze, std::uint64_t seed, std::uint64_t events) {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::make_unique<testing::Maze>(maze));
    replay =
        std::make_unique<Replay>(std::make_unique<Fleet>(std::move(devices), App{}, tree, FleetOptions{}));
    testing::RandomWalk walk(seed, events);
    EXPECT_TRUE(replay->walk(NodeId{0}, walk, {}));
    ends = walk.ends;
  }
};

const Folding::Way* way(const Folding& model, std::uint32_t state, EventKey key) {
  for (const Folding::Way& one : model.ways(state))
    if (one.link->key == key) return &one;
  return nullptr;
}

TEST(Folding, AgreesWithEverythingThatWasSeen) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Rig rig({.seed = seed, .pages = 8}, seed, 800);
    Material material(rig.tree, rig.known, Abstraction::actions_plus, Joints::structure);
    Folding model(rig.tree, material);
    for (const NodeId end : rig.ends) model.add(end);
    model.fold();
    EXPECT_LT(model.size() * 4, rig.tree.size());
    for (const NodeId end : rig.ends) {
      std::uint32_t state = 0;
      for (const NodeId node : rig.tree.path(end)) {
        const Link link = material.link(node);
        const Folding::Way* next = way(model, state, link.key);
        ASSERT_TRUE(next);
        ASSERT_EQ(next->link->expect, link.expect);
        ASSERT_EQ(next->link->items, link.items);
        state = next->to;
        ASSERT_EQ(state, model.state(node));
      }
    }
  }
}

/// Of the steps of unseen runs that the guess has an opinion on: how many go as it says.
double foretold(const testing::MazeOptions& maze, bool hidden) {
  Rig rig(maze, 1, 4000), other(maze, 99, 400);
  // One tree, so that events and items have the same numbers.
  std::vector<NodeId> unseen;
  for (const NodeId end : other.ends) {
    const Outcome o =
        rig.replay->ask({.events = rig.replay->intern(other.tree.events_to(end)), .watch = AnyCrash{}});
    unseen.push_back(o.end);
  }
  Material material(rig.tree, rig.known, Abstraction::actions_plus, Joints::structure);
  Folding model(rig.tree, material);
  for (const NodeId end : rig.ends) model.add(end);
  model.fold();
  int right = 0, all = 0;
  for (const NodeId end : unseen) {
    std::uint32_t state = 0;
    for (const NodeId node : rig.tree.path(end)) {
      const Link link = material.link(node);
      const Folding::Way* next = way(model, state, link.key);
      if (!next) break;
      ++all;
      right += next->link->expect == link.expect;
      if (next->link->expect != link.expect) break;
      state = next->to;
    }
  }
  EXPECT_GT(all, hidden ? 100 : 200);
  return right / static_cast<double>(all);
}

TEST(Folding, ForetellsWhatWasNeverRun) {
  EXPECT_EQ(foretold({.seed = 3, .pages = 6, .hidden = 1}, false), 1);
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    sum += foretold({.seed = seed, .pages = 6, .hidden = 3}, true);
  fmt::print("steps of unseen runs foretold with a hidden counter: {:.3f}\n", sum / 5);
  EXPECT_GT(sum / 5, 0.9);
}

}  // namespace
}  // namespace norn
