#include "explore/state_graph.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "explore/stuck.h"

namespace norn {
namespace {

std::vector<StateId> states(const std::string& letters) {
  std::vector<StateId> out;
  for (const char c : letters) out.push_back({static_cast<std::uint64_t>(c)});
  return out;
}
/// Where the walk is first called stuck, or none.
std::optional<std::size_t> stuck_at(const std::string& walk, StuckOptions options = {}) {
  StateGraph graph;
  StuckDetector detector(options);
  std::optional<StateId> before;
  const auto all = states(walk);
  for (std::size_t i = 0; i < all.size(); ++i) {
    graph.visit(all[i], before);
    before = all[i];
    if (detector.report(all[i], graph)) return i;
  }
  return std::nullopt;
}

TEST(Stuck, LoopsAreSeenAndProgressIsNot) {
  EXPECT_EQ(stuck_at("ABABABABAB"), 9U);
  EXPECT_EQ(stuck_at("ABCDEFGHIJ"), std::nullopt);
  EXPECT_EQ(stuck_at("ABABABAB"), std::nullopt);    // the window is not full
  EXPECT_EQ(stuck_at("ABABABABXY"), 9U);            // 8 of 10 are easy
  EXPECT_EQ(stuck_at("ABABABAXYZ"), std::nullopt);  // 7 of 10
  EXPECT_EQ(stuck_at("ABABABABAB", {.rule = StuckOptions::Rule::never}), std::nullopt);
}

TEST(Stuck, TheReleasedRuleCountsDistinctStates) {
  const StuckOptions code{.rule = StuckOptions::Rule::code};
  EXPECT_EQ(stuck_at("ABABABABAB", code), 9U);
  EXPECT_EQ(stuck_at("ABABABABXY", code), std::nullopt);  // 2 of 4 distinct
}

TEST(Stuck, DeadEnd) {
  EXPECT_EQ(stuck_at(std::string(200, 'A')), std::nullopt);
  EXPECT_EQ(stuck_at(std::string(201, 'A')), 200U);
  EXPECT_EQ(stuck_at("B" + std::string(150, 'A') + "B" + std::string(150, 'A')), std::nullopt);
}

TEST(Stuck, FrequentStatesAreEasy) {
  StateGraph graph;
  StuckDetector detector;
  // Ten states of which two were visited very often: 20 % of ten.
  for (int i = 0; i < 50; ++i) graph.visit({1}, std::nullopt), graph.visit({2}, std::nullopt);
  for (std::uint64_t s = 3; s <= 10; ++s) graph.visit({s}, std::nullopt);
  EXPECT_TRUE(graph.among_most_visited({1}, 0.2));
  EXPECT_TRUE(graph.among_most_visited({2}, 0.2));
  EXPECT_FALSE(graph.among_most_visited({3}, 0.2));
}

TEST(Fitness, FollowsTheFormulaAndNeverUnderflows) {
  StateGraph graph;
  for (int i = 0; i < 5; ++i) graph.visit({7}, std::nullopt);
  graph.interesting({7}, std::nullopt);
  graph.visit({8}, StateId{7});
  graph.interesting({8}, StateId{7});
  EXPECT_NEAR(std::exp(graph.log_fitness(0)), 6 * std::pow(1.1, 1) * std::pow(0.9, 4), 1e-9);
  for (int i = 0; i < 100'000; ++i) graph.visit({8}, std::nullopt);
  EXPECT_TRUE(std::isfinite(graph.log_fitness(1)));
  EXPECT_GT(graph.log_fitness(0), graph.log_fitness(1));
}

/// The other way: every walk, one by one.
void all_walks(const StateGraph& g, StateGraph::Index at, std::uint32_t left, double sum,
               const std::vector<double>& fitness, double& total, double& walks) {
  sum += fitness[at];
  if (left == 0 || g[at].next.empty()) {
    total += sum, walks += 1;
    return;
  }
  for (const auto t : g[at].next) all_walks(g, t, left - 1, sum, fitness, total, walks);
}

RC_GTEST_PROP(Fitness, NeighbourhoodEqualsBruteForce, ()) {
  StateGraph graph;
  const auto size = *rc::gen::inRange<std::uint64_t>(1, 7);
  for (std::uint64_t s = 0; s < size; ++s) graph.visit({s}, std::nullopt);
  const auto edges = *rc::gen::inRange(0, 20);
  for (int i = 0; i < edges; ++i) {
    const StateId from{*rc::gen::inRange<std::uint64_t>(0, size)},
        to{*rc::gen::inRange<std::uint64_t>(0, size)};
    graph.visit(to, from);
    if (*rc::gen::inRange(0, 3) == 0) graph.interesting(to, from);
  }
  std::vector<double> fitness;
  for (StateGraph::Index i = 0; i < graph.size(); ++i) fitness.push_back(graph.log_fitness(i));
  const double top = *std::max_element(fitness.begin(), fitness.end());
  for (double& f : fitness) f = std::exp(f - top);
  for (std::uint32_t k = 0; k <= 4; ++k) {
    const auto scores = graph.neighbourhood(k);
    for (StateGraph::Index i = 0; i < graph.size(); ++i) {
      double total = 0, walks = 0;
      all_walks(graph, i, k, 0, fitness, total, walks);
      RC_ASSERT(std::abs(scores[i] - total / walks) < 1e-9);
    }
  }
}

}  // namespace
}  // namespace norn
