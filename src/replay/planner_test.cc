#include "replay/planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "base/rng.h"
#include "replay/stream.h"

namespace norn {
namespace {

double cost_of(std::span<const double> uses, const std::vector<std::uint32_t>& starts, std::size_t bought,
               const Costs& c) {
  double total = static_cast<double>(bought) * c.save;
  for (std::uint32_t d = 0; d < uses.size(); ++d) {
    double best = c.restart + c.event * d;
    for (const auto s : starts)
      if (s <= d) best = std::min(best, c.load + c.event * (d - s));
    total += uses[d] * best;
  }
  return total;
}

/// Every subset of depths.
double brute_force(std::span<const double> uses, const std::vector<std::uint32_t>& existing,
                   std::size_t budget, const Costs& c) {
  double best = std::numeric_limits<double>::infinity();
  for (std::uint32_t set = 0; set < 1U << uses.size(); ++set) {
    if (static_cast<std::size_t>(std::popcount(set)) > budget) continue;
    auto starts = existing;
    for (std::uint32_t d = 0; d < uses.size(); ++d)
      if (set >> d & 1) starts.push_back(d);
    best = std::min(best, cost_of(uses, starts, static_cast<std::size_t>(std::popcount(set)), c));
  }
  return best;
}

TEST(Planner, PlacesSnapshotsAsWellAsEverySubsetTried) {
  Rng rng(1);
  for (int round = 0; round < 400; ++round) {
    std::vector<double> uses(1 + rng.below(10));
    for (auto& u : uses) u = rng.chance(0.6) ? static_cast<double>(rng.below(9)) : 0;
    std::vector<std::uint32_t> existing;
    for (std::uint32_t d = 0; d < uses.size(); ++d)
      if (rng.chance(0.15)) existing.push_back(d);
    const Costs costs{.event = 0.1 + rng.unit() * 3,
                      .unsettled = 0.2,
                      .restart = rng.unit() * 8,
                      .save = rng.unit() * 8,
                      .load = rng.unit() * 6};
    const std::size_t budget = rng.below(4);
    const auto chosen = place_snapshots(uses, existing, budget, costs);
    ASSERT_LE(chosen.size(), budget);
    auto starts = existing;
    starts.insert(starts.end(), chosen.begin(), chosen.end());
    EXPECT_NEAR(cost_of(uses, starts, chosen.size(), costs), brute_force(uses, existing, budget, costs),
                1e-6);
  }
}

/// The yardstick itself, against every set of nodes on small trees.
TEST(Planner, HindsightIsTheLeastOfAllPlacements) {
  Rng rng(9);
  int small = 0;
  for (std::uint64_t seed = 1; small < 60; ++seed) {
    const auto stream = testing::random_stream(seed, 5, 2, 4);
    std::uint32_t nodes = 0;
    for (const auto& path : stream.paths)
      nodes = std::max(nodes, *std::max_element(path.begin(), path.end()));
    if (nodes > 12) continue;
    ++small;
    const Costs costs{.event = 0.1 + rng.unit() * 3,
                      .unsettled = 0.2,
                      .restart = rng.unit() * 8,
                      .save = rng.unit() * 4,
                      .load = rng.unit() * 6};
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t set = 0; set < 1U << nodes; ++set)
      least = std::min(least, testing::cost_of(stream, costs, 99, [&](auto, std::uint32_t node, auto) {
                         return node > 0 && (set >> (node - 1) & 1);
                       }));
    EXPECT_NEAR(testing::hindsight(stream, costs), least, 1e-6) << seed;
  }
}

TEST(Planner, ComesNearToHindsightAndBeatsSimplePolicies) {
  for (const auto& [requests, longest] : {std::pair{12U, 6U}, {50U, 12U}, {200U, 40U}}) {
    const auto c = testing::compare(1, 12, requests, longest);
    EXPECT_LE(c.norn, 1.5) << requests;
    EXPECT_LE(c.worst, 1.05) << requests;
    EXPECT_LT(c.norn, c.lru) << requests;
    EXPECT_LE(c.norn, c.every8 + 1e-9) << requests;  // equal where no run is eight events long
  }
}

TEST(Planner, LongPathsArePlacedQuickly) {
  std::vector<double> uses(5000, 1.0);
  const auto chosen = place_snapshots(uses, {}, 16, {});
  EXPECT_EQ(chosen.size(), 16U);
  EXPECT_LT(cost_of(uses, chosen, 16, {}), cost_of(uses, {}, 0, {}) / 8);
}

}  // namespace
}  // namespace norn
