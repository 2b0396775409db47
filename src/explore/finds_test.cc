#include "explore/finds.h"

#include <gtest/gtest.h>

#include "explore/testing.h"

namespace norn {
namespace {

Crash crash_in(const std::string& function, const std::string& process = "org.app") {
  Crash crash;
  crash.process = process;
  crash.chain.push_back({Thrown::Role::top, "java.lang.IllegalStateException", "no", {}, 0});
  crash.chain[0].frames.push_back({function, "App.java", 7});
  return crash;
}

TEST(Finds, OnlyTheAppsOwnCrashesCount) {
  EXPECT_TRUE(concerns(crash_in("org.app.Main.go"), "org.app"));
  EXPECT_TRUE(concerns(crash_in("android.Looper.loop", "org.app:sync"), "org.app"));
  EXPECT_TRUE(concerns(crash_in("org.app.Main.go", "com.android.phone"), "org.app")) << "a frame of the app";
  EXPECT_FALSE(concerns(crash_in("com.android.phone.Call", "com.android.phone"), "org.app"));
  EXPECT_TRUE(concerns(crash_in("com.android.phone.Call", "com.android.phone"), ""));
  EXPECT_FALSE(concerns(crash_in("org.apple.Main.go", "org.apple"), "org.app")) << "it only begins alike";
}

/// A tree with a path of so many events; the node at its end.
NodeId path_of(History& tree, int length, std::int32_t first_key) {
  if (tree.size() == 0) tree.append_root(Observation{}, Heat::cold);
  NodeId at = tree.root();
  for (int i = 0; i < length; ++i) at = tree.append(at, Key{first_key + i}, Observation{}, Heat::cold).node;
  return at;
}

TEST(Finds, EachOnceWithItsShortestWays) {
  History tree;
  Finds finds;
  const NodeId nine = path_of(tree, 9, 100), four = path_of(tree, 4, 200), six = path_of(tree, 6, 300),
               two = path_of(tree, 2, 400);
  EXPECT_TRUE(finds.add(crash_in("org.app.A"), nine, tree, 10));
  EXPECT_TRUE(finds.add(crash_in("org.app.B"), six, tree, 20));
  EXPECT_EQ(finds.last().node, six);
  for (const NodeId node : {four, six, two, two})
    EXPECT_FALSE(finds.add(crash_in("org.app.A"), node, tree, 30));
  EXPECT_EQ(finds.last().node, two);
  const auto all = finds.all();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].node, two);
  EXPECT_EQ(all[0].length, 2U);
  EXPECT_EQ(all[0].times, 5U);
  EXPECT_DOUBLE_EQ(all[0].first_seen, 10);
  EXPECT_FALSE(all[0].tried());
  EXPECT_EQ(all[1].times, 1U);
}

/// The shortest way need not crash from a clean start; then the next one is tried.
TEST(Finds, ConfirmingTriesTheWaysInTurn) {
  History tree;
  auto replay = testing::sim_service("sim:tips", tree);
  ExploreOptions options;
  options.until_crash = true, options.seconds = 3600, options.confirm = 0;
  const Exploration found = testing::explored(*replay, options);
  ASSERT_EQ(found.crashes.size(), 1U);
  const NodeId crashes = found.crashes[0].node, harmless = tree.children(tree.root()).front();
  Finds finds;
  finds.add(*tree.crash(crashes), crashes, tree, 1);
  if (harmless != crashes) finds.add(*tree.crash(crashes), harmless, tree, 2);
  Quiet quiet;
  finds.confirm(*replay, 4, quiet, {});
  EXPECT_EQ(finds.all()[0].node, crashes);
  EXPECT_EQ(finds.all()[0].reproduced, 4U);
  EXPECT_EQ(finds.all()[0].runs, 4U);
}

}  // namespace
}  // namespace norn
