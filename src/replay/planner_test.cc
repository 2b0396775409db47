#include "replay/planner.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "base/rng.h"

namespace norn {
namespace {

double cost_of(std::span<const double> uses, std::vector<std::uint32_t> starts, std::size_t bought,
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

TEST(Planner, LongPathsArePlacedQuickly) {
  std::vector<double> uses(5000, 1.0);
  const auto chosen = place_snapshots(uses, {}, 16, {});
  EXPECT_EQ(chosen.size(), 16U);
  EXPECT_LT(cost_of(uses, chosen, 16, {}), cost_of(uses, {}, 0, {}) / 8);
}

}  // namespace
}  // namespace norn
