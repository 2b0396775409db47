#include "detect/odin/anomaly.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace norn {
namespace {

using enum Finding;
std::vector<Finding> findings(const std::vector<std::uint32_t>& sizes, AnomalyOptions options = {}) {
  std::vector<Finding> out;
  for (const Judged& j : judge(sizes, options)) out.push_back(j.finding);
  return out;
}

TEST(Anomaly, TheTableOfChecks) {
  EXPECT_EQ(findings({97, 3}), (std::vector{normal, anomalous}));
  EXPECT_EQ(findings({90, 10}), (std::vector{normal, anomalous}));
  EXPECT_EQ(findings({76, 24}), (std::vector{normal, normal}));
  EXPECT_EQ(findings({40, 38, 22}), (std::vector{normal, normal, normal}));
  EXPECT_EQ(findings({19, 1}), (std::vector{normal, anomalous}));
  EXPECT_EQ(findings({14, 1}), (std::vector{normal, anomalous}));
  EXPECT_EQ(findings({9, 1}), (std::vector{normal, undecided}));
  EXPECT_EQ(findings({30, 28, 25, 10, 4, 3}),
            (std::vector{normal, normal, normal, normal, undecided, anomalous}));
  std::vector<std::uint32_t> many(40, 2);
  many.resize(60, 1);
  for (const Finding f : findings(many)) EXPECT_NE(f, anomalous);
}

TEST(Anomaly, ThePapersRuleIsThere) {
  const AnomalyOptions paper{.rule = AnomalyRule::paper};
  EXPECT_EQ(findings({76, 24}, paper)[1], anomalous);  // s is 0 with one majority cluster
  std::vector<std::uint32_t> many(40, 2);
  many.resize(60, 1);
  int flagged = 0;
  for (const Finding f : findings(many, paper)) flagged += f == anomalous;
  EXPECT_EQ(flagged, 20);
  EXPECT_EQ(findings({97, 3}, {.rule = AnomalyRule::all})[1],
            normal);  // the outlier spoils its own yardstick
}

TEST(Anomaly, SmallAndEmptyGroupsAreNeverFlagged) {
  EXPECT_TRUE(judge({}).empty());
  EXPECT_EQ(findings({100}), (std::vector{normal}));
  for (std::uint32_t n = 1; n < 10; ++n) EXPECT_NE(findings({n, 1})[1], anomalous) << n;
}

TEST(Anomaly, BinomialEqualsCounting) {
  std::mt19937 rng(1);
  std::binomial_distribution<int> draw(30, 0.2);
  int at_most = 0;
  for (int i = 0; i < 200000; ++i) at_most += draw(rng) <= 4;
  EXPECT_NEAR(binomial_at_most(4, 30, 0.2), at_most / 200000.0, 0.01);
  EXPECT_DOUBLE_EQ(binomial_at_most(5, 5, 0.3), 1);
  EXPECT_NEAR(binomial_at_most(0, 10, 0.5), std::pow(0.5, 10), 1e-12);
}

TEST(Anomaly, FalseDiscoveryByHand) {
  // p = .01 .02 .03 .5: q = .04 .04 .04 .5
  const auto q = false_discovery(std::vector{0.02, 0.01, 0.5, 0.03});
  EXPECT_NEAR(q[0], 0.04, 1e-12);
  EXPECT_NEAR(q[1], 0.04, 1e-12);
  EXPECT_NEAR(q[2], 0.5, 1e-12);
  EXPECT_NEAR(q[3], 0.04, 1e-12);
}

TEST(Holm, AsksMoreOfEachTheMoreThereAre) {
  EXPECT_DOUBLE_EQ(holm_level({0.04}, 0.05), 0.04);
  EXPECT_DOUBLE_EQ(holm_level({0.04, 0.03}, 0.05), -1);          // 0.03 * 2 is too much
  EXPECT_DOUBLE_EQ(holm_level({0.04, 0.02}, 0.05), 0.04);        // 0.02 * 2, then 0.04 * 1
  EXPECT_DOUBLE_EQ(holm_level({0.9, 0.001, 0.02}, 0.05), 0.02);  // 0.003, 0.04, 0.9
  EXPECT_DOUBLE_EQ(holm_level({}, 0.05), -1);
  EXPECT_DOUBLE_EQ(holm_level({0.7, 0.9}, 1), 1);
}

}  // namespace
}  // namespace norn
