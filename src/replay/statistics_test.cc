#include "replay/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"
#include "replay/replay.h"

namespace norn {
namespace {

TEST(Statistics, ClopperPearsonAgreesWithClosedForms) {
  EXPECT_NEAR(rate_at_least(20, 20), std::pow(0.05, 1.0 / 20), 1e-9);  // all: alpha^(1/n)
  EXPECT_NEAR(rate_at_least(20, 20), 0.861, 5e-4);
  EXPECT_EQ(rate_at_least(0, 20), 0);
  const auto [low, high] = rate_interval(0, 10);
  EXPECT_EQ(low, 0);
  EXPECT_NEAR(high, 1 - std::pow(0.025, 0.1), 1e-9);
  const auto middle = rate_interval(5, 10);
  EXPECT_NEAR(middle.first, 0.1871, 1e-3);
  EXPECT_NEAR(middle.second, 0.8129, 1e-3);
}

TEST(Statistics, WhatWasNeverSeenIsRuledOutFromSomeRateOn) {
  EXPECT_NEAR(rate_ruled_out(12), 1 - std::pow(0.05, 1.0 / 12), 1e-9);
  EXPECT_EQ(runs_that_show(1), 1U);
  for (const double rate : {0.9, 0.5, 0.1, 0.03}) {
    const std::uint32_t n = runs_that_show(rate);
    EXPECT_LE(rate_ruled_out(n), rate);
    EXPECT_GT(rate_ruled_out(n - 1), rate);
  }
}

TEST(Statistics, IntervalsCoverTheTruth) {
  Rng rng(1);
  for (const double p : {0.1, 0.5, 0.9}) {
    int covered = 0;
    for (int i = 0; i < 2000; ++i) {
      std::uint32_t k = 0;
      for (int j = 0; j < 20; ++j) k += rng.chance(p);
      covered += rate_at_least(k, 20) <= p;
    }
    EXPECT_GE(covered, 1880) << p;  // at least 95 %, less three deviations
  }
}

/// Share of yes decisions and mean runs of the sequential test at a true rate.
std::pair<double, double> operating_point(double p, double r0, double error, int decisions) {
  Rng rng(42);
  int yes = 0;
  std::uint64_t runs = 0;
  for (int i = 0; i < decisions; ++i) {
    std::uint32_t k = 0, n = 0;
    std::optional<bool> verdict;
    while (!verdict) {
      k += rng.chance(p);
      verdict = sequential_test(k, ++n, r0, error);
    }
    yes += *verdict;
    runs += n;
  }
  return {yes / static_cast<double>(decisions), static_cast<double>(runs) / decisions};
}

TEST(Statistics, SequentialTestKeepsItsErrorsOutsideTheGap) {
  for (const double r0 : {1.0, 0.7, 0.3, 0.1}) {
    EXPECT_GE(operating_point(accept_share * r0, r0, 0.05, 2000).first, 0.935) << r0;
    EXPECT_LE(operating_point(reject_share * r0, r0, 0.05, 2000).first, 0.065) << r0;
    EXPECT_GE(operating_point(r0, r0, 0.05, 2000).first, 0.97) << r0;
    EXPECT_LE(operating_point(0, r0, 0.05, 200).first, 0.0) << r0;
  }
}

}  // namespace
}  // namespace norn
