#include "explore/explore.h"

#include <gtest/gtest.h>

#include "explore/testing.h"

namespace norn {
namespace {

using testing::explored;
using testing::Maze;
using testing::maze_service;
using testing::MazeOptions;
using testing::sim_service;

TEST(Explore, UntilCrashStopsAtTheFirst) {
  History tree;
  auto replay = sim_service("sim:tips", tree);
  ExploreOptions options;
  options.until_crash = true, options.seconds = 3600;
  const Exploration result = explored(*replay, options);
  ASSERT_EQ(result.crashes.size(), 1U);
  EXPECT_EQ(result.crashes[0].reproduced, 3U);
  EXPECT_EQ(result.end, Exploration::End::crash);
  EXPECT_LT(result.seconds, 3600);
}

TEST(Explore, SeedTracesAreRunFirst) {
  const MazeOptions maze{.seed = 4, .crashes = false};
  History tree;
  auto replay = maze_service(maze, tree);
  const auto alphabet = Maze::alphabet(maze);
  ExploreOptions options;
  options.strategy = "monkey", options.events = 12;
  options.seed_traces = {{alphabet[1], alphabet[2], alphabet[3]}, {alphabet[2]}};
  const Exploration result = explored(*replay, options);
  EXPECT_EQ(result.events, 12U);
  EXPECT_EQ(tree.event_key(tree.event_id(tree.path(NodeId{3})[0])), event_key(alphabet[1]));
}

TEST(Explore, AfterACrashInASeedTraceTheNextOneBeginsAtOnce) {
  History tree;
  auto replay = sim_service("sim:tips", tree);
  Tap calculate;
  calculate.target.id = "org.norn.tips:id/calculate";  // no bill yet: it crashes
  ExploreOptions options;
  options.strategy = "monkey", options.events = 3, options.confirm = 1;
  options.seed_traces = {{calculate, calculate}, {}, {Key{key::menu}, Key{key::back}}};
  const Exploration result = explored(*replay, options);
  ASSERT_EQ(result.crashes.size(), 1U);
  ASSERT_EQ(result.restores.size(), 1U);
  EXPECT_EQ(result.restores[0].why, "crash in a seed trace");
  EXPECT_EQ(result.events, 3U);
}

TEST(Explore, CrashesOfAnEarlierRunAreConfirmedWithTheNewOnes) {
  History tree;
  auto replay = sim_service("sim:tips", tree);
  ExploreOptions options;
  options.until_crash = true, options.seconds = 3600, options.confirm = 0;
  const Exploration first = explored(*replay, options);
  ASSERT_EQ(first.crashes.size(), 1U);
  EXPECT_FALSE(first.crashes[0].tried());
  options.confirm = 2, options.strategy = "monkey", options.events = 1;
  options.found_before = {first.crashes[0].node, tree.root()};  // the root is no crash
  const Exploration second = explored(*replay, options);
  ASSERT_EQ(second.crashes.size(), 1U);
  EXPECT_EQ(second.crashes[0].signature, first.crashes[0].signature);
  EXPECT_EQ(second.crashes[0].reproduced, 2U);
  EXPECT_EQ(second.crashes[0].times, 0U);
}

TEST(Explore, TriageIsCalledOncePerCrashAndExploringGoesOn) {
  History tree;
  auto replay = sim_service("sim:tips", tree);
  ExploreOptions options;
  options.seconds = 1800;
  std::vector<std::uint64_t> called;
  options.triage = [&](const FoundCrash& c) { called.push_back(c.signature); };
  const Exploration result = explored(*replay, options);
  ASSERT_EQ(called.size(), result.crashes.size());
  EXPECT_GT(called.size(), 1U);
  EXPECT_GE(result.seconds, 1799.99) << static_cast<int>(result.end)
                                     << (result.trouble ? result.trouble->message() : "");
}

TEST(Explore, TheGraphKnowsWhatLedFromStateToState) {
  History tree;
  auto replay = maze_service({.seed = 3}, tree);
  ExploreOptions options;
  options.seconds = 300;
  const Exploration result = explored(*replay, options);
  const auto state_at = [&](NodeId node) { return abstract(tree.screen(node), options.state); };
  ASSERT_EQ(result.first_seen.size(), result.graph.size());
  for (StateGraph::Index i = 0; i < result.graph.size(); ++i)
    EXPECT_EQ(state_at(result.first_seen[i]), result.graph[i].id);
  ASSERT_EQ(result.transitions.size(), result.graph.transitions());
  for (const Transition& t : result.transitions) {
    EXPECT_EQ(state_at(t.by), result.graph[t.to].id);
    EXPECT_EQ(state_at(tree.parent(t.by)), result.graph[t.from].id);
  }
}

TEST(Explore, WithoutWaitingMostStepsAreNotLookedAt) {
  History tree;
  auto replay = sim_service("sim:tips", tree);
  ExploreOptions options;
  options.strategy = "monkey", options.events = 400, options.pace_ms = 200, options.look_every = 25;
  options.confirm = 1;
  const Exploration result = explored(*replay, options);
  std::size_t unseen = 0, seen = 0;
  for (std::uint32_t i = 1; i < tree.size(); ++i)
    ++(tree.screen(NodeId{i}).kind == Screen::Kind::unseen ? unseen : seen);
  EXPECT_GE(unseen, 24 * seen / 2);  // confirming looks at every step
  EXPECT_GT(result.covered.count(), 20U) << "what is hit between looks is not lost";
  // 0.2 s an event and 0.45 more for a look; starts after crashes come on top.
  const double looks = 400.0 / 25, least = 400 * 0.2 + looks * 0.45;
  EXPECT_GE(result.seconds, least - 0.01);
  EXPECT_LE(result.seconds, least + 5.0 * static_cast<double>(replay->spent().restarts) + 60);
}

TEST(Explore, BadOptionsAreErrorsInWords) {
  History tree;
  auto replay = maze_service({}, tree);
  Quiet quiet;
  ExploreOptions options;
  options.strategy = "nron";
  auto result = explore(*replay, options, quiet);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message().find("norn"), std::string::npos);
  options = {};
  options.avoid = "(";
  EXPECT_FALSE(explore(*replay, options, quiet));
}

TEST(Explore, StoppedKeepsEverything) {
  History tree;
  auto replay = maze_service({.seed = 2}, tree);
  std::stop_source source;
  ExploreOptions options;
  options.triage = [&](const FoundCrash&) { source.request_stop(); };
  options.seconds = 10'000;
  const Exploration result = explored(*replay, options, source.get_token());
  EXPECT_EQ(result.end, Exploration::End::interrupted);
  EXPECT_EQ(result.crashes.size(), 1U);
  EXPECT_GT(tree.size(), 1U);
}

}  // namespace
}  // namespace norn
