#include "suite/suite.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <set>

#include "base/patience.h"
#include "device/faulty.h"
#include "device/open.h"
#include "replay/fleet.h"
#include "replay/maze.h"
#include "suite/cuts.h"
#include "suite/random_walk.h"
#include "suite/testing.h"

namespace norn {
namespace {

using testing::events_of;
using testing::make;
using testing::maze_rig;
using testing::MazeOptions;
using testing::RandomWalk;
using testing::record;
using testing::Rigged;
using testing::run_taps;
using testing::sim_rig;
using testing::Truth;
using testing::truth_of;

// ---- the paper's examples ----

constexpr const char* browser = "org.norn.browser";

class PaperExamples : public ::testing::TestWithParam<bool> {
 protected:
  SuiteOptions options() const { return GetParam() ? SuiteOptions::as_published() : SuiteOptions{}; }
};
INSTANTIATE_TEST_SUITE_P(NornAndPublished, PaperExamples, ::testing::Bool());

TEST_P(PaperExamples, Example2_1_ARedundantLoop) {
  Rigged rig = sim_rig("menu_quiet.lua");
  const auto suite =
      make(*rig.replay, {run_taps(rig, browser, {"menu", "menu", "menu", "option"})}, options());
  ASSERT_EQ(suite.traces.size(), 1U);
  EXPECT_EQ(suite.traces[0].events.size(), 2U);
  EXPECT_TRUE(suite.lost.empty());
}
TEST_P(PaperExamples, Example2_2_ANonRedundantLoop) {
  Rigged rig = sim_rig("menu_handlers.lua");
  const auto suite =
      make(*rig.replay, {run_taps(rig, browser, {"menu", "menu", "menu", "option"})}, options());
  ASSERT_EQ(suite.traces.size(), 1U);
  EXPECT_EQ(suite.traces[0].events.size(), 4U);
  EXPECT_TRUE(suite.lost.empty());
}
TEST_P(PaperExamples, Example2_3_ALoopThatLooksRedundantAndDoesNotReplayWithout) {
  Rigged rig = sim_rig("folders.lua");
  const auto suite = make(*rig.replay, {run_taps(rig, browser, {"foo", "foo", "foo"})}, options());
  ASSERT_EQ(suite.traces.size(), 1U);
  EXPECT_EQ(suite.traces[0].events.size(), 3U);
  EXPECT_GT(suite.phases[1].tried, suite.phases[1].replayed);  // a shorter one was tried in vain
  EXPECT_TRUE(suite.lost.empty());
}
TEST_P(PaperExamples, Example2_4_SplicingThreeTraces) {
  Rigged rig = sim_rig("letters.lua");
  const char* letters = "org.norn.letters";
  const std::vector<NodeId> traces{run_taps(rig, letters, {"a", "b", "c", "d"}),
                                   run_taps(rig, letters, {"a", "d", "e", "c", "d"}),
                                   run_taps(rig, letters, {"a", "b", "c", "f"})};
  const auto suite = make(*rig.replay, traces, options());
  ASSERT_EQ(suite.traces.size(), 1U);
  EXPECT_EQ(suite.traces[0].events.size(), 7U);
  EXPECT_EQ(suite.traces[0].fragments, GetParam() ? 3U : suite.traces[0].fragments);
  EXPECT_TRUE(suite.lost.empty());
}

// ---- never loses ----

class NeverLoses : public ::testing::TestWithParam<std::tuple<bool, std::size_t>> {};

TEST_P(NeverLoses, OnRandomMazes) {
  const auto [published, devices] = GetParam();
  for (std::uint64_t seed = 1; seed <= (published ? 4U : devices > 1 ? 4U : 10U); ++seed) {
    const MazeOptions maze{.seed = seed, .pages = 8, .buttons = 4, .hidden = 3};
    Rigged rig = maze_rig(maze, devices);
    const auto traces = record(*rig.replay, seed, 600);
    SuiteOptions options = published ? SuiteOptions::as_published() : SuiteOptions{};
    options.bound = !published;
    const auto suite = make(*rig.replay, traces, options);
    const Truth before = truth_of(maze_rig(maze), events_of(*rig.tree, traces));
    const Truth after = truth_of(maze_rig(maze), events_of(*rig.tree, suite));
    ASSERT_TRUE(after.has(before)) << "seed " << seed;
    EXPECT_TRUE(suite.lost.empty());
    EXPECT_EQ(suite.before.code, before.code.count());
    EXPECT_EQ(suite.before.screens, before.screens.size());
    EXPECT_EQ(suite.before.crashes, before.crashes.size());
    EXPECT_EQ(suite.after.crashes, before.crashes.size());
    EXPECT_LT(suite.after.run_seconds, suite.before.run_seconds / 3);
    EXPECT_GE(suite.after.run_seconds, suite.run_at_least);
    EXPECT_GT(suite.run_at_least, published ? -1 : suite.after.run_seconds / 4);
    for (const SuiteTrace& trace : suite.traces) EXPECT_EQ(trace.rate, 1);
  }
}
INSTANTIATE_TEST_SUITE_P(NornAndPublished, NeverLoses,
                         ::testing::Values(std::tuple(false, 1U), std::tuple(false, 4U),
                                           std::tuple(true, 1U)));

TEST(Suite, IsTheSameForEveryNumberOfDevices) {
  for (std::uint64_t seed = 21; seed <= 24; ++seed) {
    std::vector<std::vector<std::vector<Event>>> made;
    for (const std::size_t devices : {1U, 2U, 8U}) {
      const MazeOptions maze{.seed = seed, .pages = 8};
      Rigged rig = maze_rig(maze, devices);
      const auto traces = record(*rig.replay, seed, 300);
      made.push_back(events_of(*rig.tree, make(*rig.replay, traces)));
    }
    EXPECT_EQ(made[1], made[0]) << "seed " << seed;
    EXPECT_EQ(made[2], made[0]) << "seed " << seed;
  }
}

TEST(Suite, MoreDevicesNeedLessTime) {
  std::vector<double> makespans;
  for (const std::size_t devices : {1U, 4U}) {
    Rigged rig = maze_rig({.seed = 21, .pages = 8}, devices);
    const auto traces = record(*rig.replay, 21, 300);
    const double before = rig.replay->spent().makespan_seconds;
    make(*rig.replay, traces);
    makespans.push_back(rig.replay->spent().makespan_seconds - before);
  }
  fmt::print("makespan on 1 and on 4 devices: {:.0f} and {:.0f} s\n", makespans[0], makespans[1]);
  EXPECT_LT(makespans[1], makespans[0]);
}

TEST(Suite, ByCrashesKeepsCrashesOnly) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Rigged rig = maze_rig({.seed = seed, .pages = 8});
    const auto traces = record(*rig.replay, seed, 800);
    SuiteOptions options;
    options.by = By::crashes;
    const auto suite = make(*rig.replay, traces, options);
    EXPECT_EQ(suite.after.crashes, suite.before.crashes);
    EXPECT_LE(suite.traces.size(), suite.before.crashes);
    options.by = By::screens;
    const auto screens = make(*rig.replay, traces, options);
    EXPECT_EQ(screens.after.screens, screens.before.screens);
    EXPECT_EQ(screens.after.crashes, screens.before.crashes);
  }
}

/// Every event on every abstract screen it was done on.
std::set<std::pair<std::uint64_t, EventKey>> steps_of(const History& tree, const std::vector<NodeId>& ends) {
  std::set<std::pair<std::uint64_t, EventKey>> out;
  for (const NodeId end : ends)
    for (const NodeId node : tree.path(end))
      out.emplace(abstract(tree.screen(tree.parent(node)), Abstraction::actions_plus).value,
                  event_key(tree.event(tree.event_id(node))));
  return out;
}

TEST(Suite, ByStepsKeepsEveryEventOnEveryScreen) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Rigged rig = maze_rig({.seed = seed, .pages = 8});
    const auto traces = record(*rig.replay, seed, 500);
    SuiteOptions options;
    const auto lines = make(*rig.replay, traces, options);
    options.by = By::steps;
    const auto suite = make(*rig.replay, traces, options);
    std::vector<NodeId> ends;
    for (const SuiteTrace& trace : suite.traces) ends.push_back(trace.end);
    const auto before = steps_of(*rig.tree, traces), after = steps_of(*rig.tree, ends);
    EXPECT_TRUE(std::includes(after.begin(), after.end(), before.begin(), before.end()));
    EXPECT_EQ(suite.before.steps, before.size());
    EXPECT_EQ(suite.after.code, suite.before.code);
    EXPECT_EQ(suite.after.crashes, suite.before.crashes);
    EXPECT_EQ(lines.after.steps, 0U);  // nobody asked for them
    EXPECT_LT(suite.after.run_seconds, suite.before.run_seconds);
  }
}

TEST(Suite, TakesLittleTimeAndMemoryForManyTraces) {
  const bool soak = std::getenv("NORN_SOAK") != nullptr;  // 10,000 traces, 150,000 events: 5 minutes, 2 GB
  const std::uint64_t events = soak ? 150000 : 4500;
  Rigged rig = maze_rig({.seed = 1, .pages = soak ? 400U : 60U, .buttons = 8, .hidden = 3});
  RandomWalk walk(1, events, 1.0 / 15);
  ASSERT_TRUE(rig.replay->walk(NodeId{0}, walk, {}));
  const std::clock_t begin = std::clock();
  const auto suite = make(*rig.replay, walk.ends);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, patience * (soak ? 300 : 20));
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  if (!sanitized) {
    EXPECT_LT(used.ru_maxrss, 2'000'000);  // kilobytes
  }
  EXPECT_TRUE(suite.lost.empty());
  EXPECT_EQ(suite.after.code, suite.before.code);
}

TEST(Suite, KeepsWhatItIsToldToKeepAndMeetsItsTarget) {
  const MazeOptions maze{.seed = 3, .pages = 10};
  Rigged rig = maze_rig(maze);
  const auto traces = record(*rig.replay, 3, 800);
  SuiteOptions options;
  options.keep = {traces[2]};
  const auto kept = make(*rig.replay, traces, options);
  const bool there = std::any_of(kept.traces.begin(), kept.traces.end(), [&](const SuiteTrace& t) {
    return t.keep && rig.tree->events_to(t.end) == rig.tree->events_to(traces[2]);
  });
  EXPECT_TRUE(there);
  EXPECT_TRUE(kept.lost.empty());

  const auto whole = make(*rig.replay, traces);
  options.keep.clear();
  options.target = whole.after.run_seconds / 2;
  const auto half = make(*rig.replay, traces, options);
  EXPECT_LE(half.after.run_seconds, options.target);
  EXPECT_GT(half.left_out, 0U);
  // Coverage comes early: half of the time covers clearly more than half.
  EXPECT_GT(half.after.code * 2, whole.after.code);
}

TEST(Suite, TellsWhatOnlyEachTraceCovers) {
  Rigged rig = maze_rig({.seed = 8, .pages = 10});
  const auto suite = make(*rig.replay, record(*rig.replay, 8, 700));
  for (const SuiteTrace& trace : suite.traces) {
    EXPECT_GT(trace.only.count(), 0U);  // else it would not be there
    for (const SuiteTrace& other : suite.traces) {
      if (&other == &trace) continue;
      for (const NodeId node : rig.tree->path(other.end))
        EXPECT_EQ((rig.tree->hit(node) & trace.only.code).count(), 0U);
    }
  }
}

TEST(Suite, RefusesNothingAtAll) {
  Rigged rig = maze_rig({});
  Quiet quiet;
  EXPECT_FALSE(make_suite(*rig.replay, {}, {}, quiet));
  const std::vector<NodeId> wrong{NodeId{12345}};
  record(*rig.replay, 1, 5);
  EXPECT_FALSE(make_suite(*rig.replay, wrong, {}, quiet));
}

// ---- against the optimum ----

/// The cheapest choice of beginnings and cuts of the traces that covers everything: over all sets of items.
double cheapest(const History& tree, const std::vector<NodeId>& traces, const Prices& prices) {
  Knowledge known;
  Material material(tree, known, Abstraction::actions_plus, Joints::structure);
  std::map<std::uint32_t, std::size_t> bit;
  const ItemSet base = material.base();
  std::vector<std::pair<std::uint32_t, double>> candidates;
  const auto mask = [&](const ItemSet& items) {
    std::uint32_t out = 0;
    for (const std::uint32_t item : items.ids())
      if (!base.contains(item)) out |= 1U << bit.try_emplace(item, bit.size()).first->second;
    return out;
  };
  for (const NodeId end : traces) {
    const Path path = material.path(end);
    Cuts cuts(path, material.start(), {}, known, {.tail = true});
    while (const auto cut = cuts.next())
      candidates.emplace_back(mask(items_of(*cut, known)),
                              prices.restart + prices.event * static_cast<double>(cut->size()));
  }
  EXPECT_LE(bit.size(), 20U);
  std::vector<double> cost(std::size_t{1} << bit.size(), 1e9);
  cost[0] = 0;
  for (std::size_t has = 0; has < cost.size(); ++has)
    for (const auto& [items, price] : candidates)
      if (cost[has] < 1e9) cost[has | items] = std::min(cost[has | items], cost[has] + price);
  return cost.back();
}

TEST(Suite, IsWithinTenPercentOfTheOptimumOnSmallSuites) {
  std::vector<double> ratios, spliced;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    // Nothing hidden: every cut replays, so that what is possible can be computed.
    const MazeOptions maze{.seed = seed, .pages = 3, .buttons = 3, .hidden = 1, .crashes = false};
    Rigged rig = maze_rig(maze);
    RandomWalk walk(seed, 45, 0.15);
    ASSERT_TRUE(rig.replay->walk(NodeId{0}, walk, {}));
    std::vector<NodeId> traces = walk.ends;
    std::erase_if(traces, [&](NodeId end) { return rig.tree->depth(end) > 9; });
    if (traces.size() > 8) traces.resize(8);
    if (traces.empty()) continue;
    SuiteOptions options;
    const double optimum = cheapest(*rig.tree, traces, options.prices);
    if (optimum <= 0) continue;
    options.k = 0;
    const double ours = make(*rig.replay, traces, options).after.run_seconds;
    EXPECT_GE(ours, optimum - 1e-9);
    ratios.push_back(ours / optimum);
    options.k = 3;
    spliced.push_back(make(*rig.replay, traces, options).after.run_seconds / optimum);
  }
  for (auto* all : {&ratios, &spliced}) {
    std::sort(all->begin(), all->end());
    double sum = 0;
    for (const double r : *all) sum += r;
    const auto at = [&](double q) {
      return (*all)[static_cast<std::size_t>(q * static_cast<double>(all->size() - 1))];
    };
    fmt::print(
        "{} over the optimum of subsets and cuts, {} suites: mean {:.3f}, min {:.2f}, median {:.2f}, 90 % "
        "{:.2f}, max {:.2f}\n",
        all == &ratios ? "cuts alone" : "with splices", all->size(), sum / static_cast<double>(all->size()),
        at(0), at(0.5), at(0.9), at(1));
    EXPECT_LE(sum / static_cast<double>(all->size()), 1.1);
  }
}

}  // namespace
}  // namespace norn
