#include "device/oracle.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "base/file.h"
#include "gui/abstraction.h"

namespace norn {
namespace {

/// Five events: launch in 0, then 0 0 1 0; the last needs 3 and one of {2, 4}; 4 undoes 3 in case 1.
Oracle small() {
  Oracle oracle;
  oracle.trace = "Small/1";
  oracle.states = {9, 0, 0, 1, 0};
  OracleCase machine{"undo", 1, true, {3, 5}, {{1, {2, 4}}}, {}, 1};
  OracleCase undo = machine;
  undo.undo = {{4, 3}};
  OracleCase plain = machine;
  plain.machine = false;
  OracleCase flaky = plain;
  flaky.rate = 0.6;
  oracle.cases = {machine, undo, plain, flaky};
  return oracle;
}

/// True: it crashed. Events by their numbers.
bool run(Device& device, const Oracle& oracle, const std::vector<std::uint32_t>& events, Nonce nonce = 1) {
  EXPECT_TRUE(device.start(oracle_app(oracle, 0), nonce));
  for (std::uint32_t i : events)
    EXPECT_TRUE(device.perform(Touch{std::get<Tap>(oracle_events(oracle)[i - 2]).at}, Pace{}));
  Result<Observation> seen = device.observe();
  return seen && seen->crash.has_value();
}

TEST(Oracle, RunsByTheRules) {
  Oracle oracle = small();
  auto machine = oracle_device(oracle, 0, {}, false), undo = oracle_device(oracle, 1, {}, false),
       plain = oracle_device(oracle, 2, {}, false);
  EXPECT_TRUE(run(*machine, oracle, {2, 3, 4, 5}));
  EXPECT_FALSE(run(*machine, oracle, {2, 3, 5}));  // 3 leads to state 1, where 5 has no effect
  EXPECT_TRUE(run(*machine, oracle, {3, 4, 5}));
  EXPECT_FALSE(run(*machine, oracle, {2, 4, 5}));  // 4 has no effect in state 0, 3 is missing
  EXPECT_FALSE(run(*undo, oracle, {2, 3, 4, 5}));
  EXPECT_TRUE(run(*plain, oracle, {2, 3, 5}));
  EXPECT_FALSE(run(*plain, oracle, {3, 5}));
  EXPECT_FALSE(run(*plain, oracle, {2, 3}));
}

TEST(Oracle, ShowsTheStateAndMetersTheCosts) {
  Oracle oracle = small();
  Costs costs;
  auto device = oracle_device(oracle, 0, costs, true);
  EXPECT_FALSE(device->observe());
  ASSERT_TRUE(device->start(oracle_app(oracle, 0), 1));
  EXPECT_EQ(device->observe()->screen.activity, "State0");
  EXPECT_DOUBLE_EQ(device->meter(), 5);
  std::vector<Event> events = oracle_events(oracle);
  ASSERT_EQ(events.size(), 4u);
  ASSERT_TRUE(device->perform(Touch{std::get<Tap>(events[1]).at}, Pace{}));
  EXPECT_EQ(device->observe()->screen.activity, "State1");
  EXPECT_DOUBLE_EQ(device->meter(), 5.65);
  EXPECT_NE(abstract(device->observe()->screen, Abstraction::activity),
            abstract(Screen{}, Abstraction::activity));
  EXPECT_TRUE(device->perform(Press{4}, Pace{}));  // nothing that an oracle knows
  EXPECT_EQ(device->observe()->screen.activity, "State1");
}

TEST(Oracle, SnapshotsGoBackExactly) {
  Oracle oracle = small();
  auto device = oracle_device(oracle, 2, {}, true);
  run(*device, oracle, {2, 3});
  Result<SnapshotId> id = device->save();
  ASSERT_TRUE(id);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(device->restore(*id, 0));
    ASSERT_TRUE(device->perform(Touch{{5, 0}}, Pace{}));
    Result<Observation> seen = device->observe();
    ASSERT_TRUE(seen && seen->crash);
    EXPECT_EQ(seen->screen.kind, Screen::Kind::nothing);
    EXPECT_FALSE(device->observe()->crash);  // told once
  }
  EXPECT_DOUBLE_EQ(device->meter(), 5 + 2 * 0.65 + 4 + 2 * (3 + 0.65));
  device->forget(*id);
  EXPECT_FALSE(device->restore(*id, 0));
  EXPECT_EQ(oracle_device(oracle, 0, {}, false)->save().error().kind, Error::Kind::unsupported);
}

TEST(Oracle, TheNonceDecidesFlakyRuns) {
  Oracle oracle = small();
  auto device = oracle_device(oracle, 3, {}, true);
  int crashes = 0;
  for (Nonce nonce = 1; nonce <= 1000; ++nonce) {
    bool crashed = run(*device, oracle, {2, 3, 5}, nonce);
    ASSERT_EQ(crashed, run(*device, oracle, {2, 3, 5}, nonce));
    crashes += crashed ? 1 : 0;
  }
  EXPECT_NEAR(crashes, 600, 60);
  run(*device, oracle, {2, 3});
  SnapshotId id = *device->save();
  auto after = [&](Nonce nonce) {
    EXPECT_TRUE(device->restore(id, nonce));
    EXPECT_TRUE(device->perform(Touch{{5, 0}}, Pace{}));
    return device->observe()->crash.has_value();
  };
  bool saved = after(0);
  int same = 0;
  for (Nonce nonce = 0; nonce < 100; ++nonce) same += after(nonce) == saved ? 1 : 0;
  EXPECT_EQ(after(0), saved);
  EXPECT_GT(same, 20);
  EXPECT_LT(same, 80);
}

TEST(Oracle, RefusesWhatIsNoOracle) {
  std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / ("oracle-" + std::to_string(getpid()));
  for (const char* text :
       {"", "[", "[]", "{}", R"({"states": 3})", R"({"states": [1], "cases": []})", R"({"states": [1, 1]})",
        R"({"states": [1, "a"], "cases": []})", R"({"states": [1, 1], "cases": [3]})",
        R"({"states": [1, 1], "cases": [{"need": [3]}]})", R"({"states": [1, 1], "cases": [{"need": [-1]}]})",
        R"({"states": [1, 1], "cases": [{"any": [[1]]}]})",
        R"({"states": [1, 1], "cases": [{"undo": [[1]]}]})", R"({"states": [1, 1], "cases": [{"rate": 2}]})",
        R"({"states": [1, 1], "cases": [{"kind": 2}]})"}) {
    ASSERT_TRUE(write_file(file, text));
    EXPECT_FALSE(read_oracle(file)) << text;
  }
  ASSERT_TRUE(write_file(file, R"({"states": [1, 1], "cases": [{"need": [2]}]})"));
  EXPECT_TRUE(open_oracle(file, 0, {}, true));
  EXPECT_EQ(open_oracle(file, 1, {}, true).error().kind, Error::Kind::not_found);
  std::filesystem::remove(file);
  EXPECT_FALSE(read_oracle(file));
}

TEST(Oracle, TheSharedOnesCrashAsRecorded) {
  const char* shared = std::getenv("NORN_SHARED");
  std::filesystem::path folder =
      std::filesystem::path(shared != nullptr ? shared : NORN_SOURCE_DIR "/../shared") / "data/oracles";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared data at " << folder;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    Result<Oracle> oracle = read_oracle(entry.path());
    ASSERT_TRUE(oracle) << oracle.error().message();
    for (const OracleCase& c : oracle->cases) {
      OracleRun whole(*oracle, c);
      bool crashed = false;
      for (std::uint32_t i = 2; i <= oracle->events(); ++i) crashed = whole.perform(i);
      ASSERT_TRUE(crashed) << entry.path() << " " << c.kind;
    }
  }
}

}  // namespace
}  // namespace norn
