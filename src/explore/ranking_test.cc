#include "explore/ranking.h"

#include <gtest/gtest.h>

#include <cmath>

namespace norn {
namespace {

TEST(Ranking, AgreesWithHandWork) {
  EXPECT_DOUBLE_EQ(a12(std::vector<double>{1, 2, 3}, std::vector<double>{1, 2, 3}), 0.5);
  EXPECT_DOUBLE_EQ(a12(std::vector<double>{4, 5}, std::vector<double>{1, 2, 4}), 5.5 / 6);
  // scipy.stats.mannwhitneyu(range(1,11), range(6,16), method="asymptotic").pvalue
  std::vector<double> a, b;
  for (int i = 1; i <= 10; ++i) a.push_back(i), b.push_back(i + 5);
  EXPECT_NEAR(mann_whitney(a, b), 0.005, 0.003);
  // In blocks: one block is the plain test; a difference within every app shows however much the apps differ.
  EXPECT_DOUBLE_EQ(mann_whitney(std::vector<Block>{{a, b}}), mann_whitney(a, b));
  std::vector<Block> apps;
  std::vector<double> all_a, all_b;
  for (int app = 0; app < 10; ++app) {
    Block block;
    for (int i = 0; i < 5; ++i)
      block.a.push_back(100 * app + 2 * i + 3), block.b.push_back(100 * app + 2 * i);
    all_a.insert(all_a.end(), block.a.begin(), block.a.end());
    all_b.insert(all_b.end(), block.b.begin(), block.b.end());
    apps.push_back(std::move(block));
  }
  EXPECT_GT(mann_whitney(all_a, all_b), 0.5);
  // By hand, without ties: 10 blocks, each with the variance 5 * 5 * 11 / 12.
  EXPECT_NEAR(mann_whitney(apps),
              std::erfc((10 * (25 * a12(apps[0].a, apps[0].b) - 12.5) - 0.5) /
                        std::sqrt(10 * 25 * 11 / 12.0) / std::sqrt(2.0)),
              1e-12);
  const auto adjusted = holm({0.01, 0.04, 0.03});
  EXPECT_DOUBLE_EQ(adjusted[0], 0.03);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.06);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.06);
}

}  // namespace
}  // namespace norn
