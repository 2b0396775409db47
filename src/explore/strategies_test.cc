// What every strategy must do, on the maze, the simulated device and a bad rig; and what is particular to each.
#include <gtest/gtest.h>

#include <algorithm>

#include "explore/testing.h"

namespace norn {
namespace {

using testing::explored;
using testing::maze_service;
using testing::MazeOptions;
using testing::sim_service;

/// Everything the tree holds, as one number.
std::uint64_t fingerprint(const History& tree) {
  Hasher h;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const NodeId node{i};
    h.add(tree.key(node)).add(tree.counts(node).all()).add(tree.hit(node).hash());
    h.add(tree.hash(tree.samples(node).front().screen));
    if (i > 0) h.add(tree.parent(node).value).add(tree.event_key(tree.event_id(node)));
  }
  return h.finish();
}

struct Summary {
  std::vector<std::uint64_t> crashes;
  std::uint64_t tree;
  std::size_t nodes, states, restores;
  std::uint64_t covered, events;
  double seconds;
  bool operator==(const Summary&) const = default;
};
Summary explore_maze(const std::string& strategy, std::uint64_t seed, double seconds = 400,
                     MazeOptions maze = {.seed = 6}) {
  History tree;
  auto replay = maze_service(maze, tree);
  ExploreOptions options;
  options.strategy = strategy, options.seed = seed, options.seconds = seconds;
  const Exploration result = explored(*replay, options);
  Summary out{{},
              fingerprint(tree),
              tree.size(),
              result.graph.size(),
              result.restores.size(),
              result.covered.count(),
              result.events,
              result.seconds};
  for (const auto& c : result.crashes) {
    EXPECT_TRUE(c.confirmed());
    out.crashes.push_back(c.signature);
  }
  EXPECT_TRUE(std::all_of(result.restores.begin(), result.restores.end(),
                          [](const Restore& r) { return !r.why.empty(); }));
  return out;
}

class EveryStrategy : public ::testing::TestWithParam<std::string> {};
TEST_P(EveryStrategy, IsRepeatableBitForBitAndKeepsItsBudget) {
  const Summary a = explore_maze(GetParam(), 3), b = explore_maze(GetParam(), 3);
  EXPECT_EQ(a, b);
  EXPECT_GE(a.seconds, 399.99);
  EXPECT_LT(a.seconds, 430);
  EXPECT_GT(a.covered, 0U);
}
TEST_P(EveryStrategy, RunsOnTheSimulatedDevice) {
  History tree;
  auto replay = sim_service("sim:tips", tree);
  ExploreOptions options;
  options.strategy = GetParam(), options.seconds = 300;
  const Exploration result = explored(*replay, options);
  EXPECT_GT(result.covered.count(), 20U);
  EXPECT_EQ(tree.agreement().disagreed, 0U);
  History again;
  (void)explored(*sim_service("sim:tips", again), options);
  EXPECT_EQ(fingerprint(again), fingerprint(tree));
  for (const auto& c : result.crashes) EXPECT_TRUE(c.confirmed());
}
/// Everything that can go wrong with a rig, often.
FaultPlan bad_rig() {
  FaultPlan faults;
  faults.chance = {{Fault::lost, 0.002},         {Fault::timeout, 0.002},       {Fault::failed_restore, 0.1},
                   {Fault::wrong_restore, 0.05}, {Fault::dropped_event, 0.002}, {Fault::garbled_dump, 0.002}};
  return faults;
}
TEST_P(EveryStrategy, UnderFaultsNoFalseCrash) {
  History tree;
  auto replay = sim_service("sim:tips?bugs=none", tree, bad_rig());
  ExploreOptions options;
  options.strategy = GetParam(), options.seconds = 300;
  const Exploration result = explored(*replay, options);
  EXPECT_TRUE(result.crashes.empty());
  EXPECT_GT(replay->spent().unresolved, 0U) << "nothing failed: the test tests nothing";
}
TEST_P(EveryStrategy, UnderFaultsNoTraceIsLostAndCrashesHoldOnASoundRig) {
  History tree, sound_tree;
  auto replay = sim_service("sim:tips", tree, bad_rig());
  ExploreOptions options;
  options.strategy = GetParam(), options.seconds = 900;
  const Exploration result = explored(*replay, options);
  EXPECT_GE(result.seconds, 899.99) << (result.trouble ? result.trouble->message() : "");
  std::uint64_t steps = 0;
  for (std::uint32_t i = 1; i < tree.size(); ++i) steps += tree.counts(NodeId{i}).all();
  EXPECT_GE(steps, result.events);
  auto sound = sim_service("sim:tips", sound_tree);
  for (const FoundCrash& c : result.crashes) {
    if (!c.confirmed()) continue;
    const Request again{.events = sound->intern(tree.events_to(c.node)),
                        .watch = SameCrash{c.signature, Sameness::frames}};
    EXPECT_EQ(sound->ask(again).verdict, Verdict::yes);
  }
}
INSTANTIATE_TEST_SUITE_P(All, EveryStrategy, ::testing::ValuesIn(strategy_names()), [](const auto& p) {
  std::string name = p.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

TEST_P(EveryStrategy, LeavesRoomForSnapshotsToWhatIsAskedThen) {
  History tree;
  auto replay = maze_service({.seed = 6}, tree);
  ExploreOptions options;
  options.strategy = GetParam(), options.seconds = 400;
  explored(*replay, options);
  const std::size_t room = FleetOptions{}.snapshots.number;
  ASSERT_GT(tree.size(), room);
  for (std::uint32_t n = 0; n < room; ++n) EXPECT_TRUE(replay->keep(NodeId{n})) << n;
}

TEST(TimeMachine, ReturnsToSavedStatesAndSaysWhy) {
  History tree;
  auto replay = sim_service("sim:tips", tree);
  ExploreOptions options;
  options.strategy = "timemachine", options.seconds = 900, options.confirm = 0;
  const Exploration result = explored(*replay, options);
  ASSERT_GT(result.restores.size(), 3U);
  for (const Restore& r : result.restores) {
    EXPECT_FALSE(r.clean);
    EXPECT_TRUE(r.why == "loop" || r.why == "dead end" || r.why == "crash") << r.why;
  }
  EXPECT_GE(replay->spent().snapshot_loads + 1, result.restores.size());
  EXPECT_EQ(replay->spent().restarts, 1U);
}

/// Rooms one behind the other, each with a small door on and a large trap back to the first: what TimeMachine
/// is for.
TEST(TimeMachine, ComesFarWherePressingBlindlyFallsBack) {
  const auto covered = [](const std::string& strategy) {
    History tree;
    auto replay = sim_service("sim:" NORN_SOURCE_DIR "/tests/data/explore/ladder.lua", tree);
    ExploreOptions options;
    options.strategy = strategy, options.seconds = 7200, options.confirm = 0;
    return explored(*replay, options).covered.count();
  };
  const std::uint64_t travels = covered("timemachine");
  for (const char* other : {"monkey+system", "monkey+restart", "monkey+system+restart"})
    EXPECT_GE(travels, covered(other) + 3) << other;  // a room is a line
}

TEST(SwiftHand, RestartsLessThanRandomAndSeesAsMuch) {
  const MazeOptions maze{.seed = 6, .hidden = 1, .crashes = false};  // what is seen is all there is
  const Summary model = explore_maze("swifthand", 1, 400, maze),
                chance = explore_maze("random", 1, 400, maze);
  EXPECT_LT(model.restores, chance.restores);
  EXPECT_GE(model.covered, chance.covered);
}

TEST(Norn, SeesMoreThanMonkeyInAQuarterOfTheTime) {
  const Summary ours = explore_maze("norn", 1, 200), monkey = explore_maze("monkey", 1, 800);
  EXPECT_GT(ours.covered, monkey.covered);
}

}  // namespace
}  // namespace norn
