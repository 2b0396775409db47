// Suites where things go wrong: an app that is flaky, a rig that fails, somebody who stops it, a budget that
// is spent. And what is met on the way: crashes that nobody knew.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "device/faulty.h"
#include "replay/maze.h"
#include "suite/testing.h"

namespace norn {
namespace {

using testing::app_rig;
using testing::Devices;
using testing::events_of;
using testing::make;
using testing::Maze;
using testing::maze_rig;
using testing::MazeOptions;
using testing::record;
using testing::Rigged;
using testing::Truth;
using testing::truth_of;

TEST(Suite, FlakyAppsEndWithARateAndWithReasons) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const MazeOptions maze{.seed = seed, .pages = 6, .flaky = 0.03};
    Rigged rig = maze_rig(maze);
    const auto traces = record(*rig.replay, seed, 200);
    const auto suite = make(*rig.replay, traces);
    EXPECT_FALSE(suite.deterministic);
    for (const SuiteTrace& trace : suite.traces) {
      EXPECT_EQ(trace.yes.all() + trace.no.all(), 10U);
      EXPECT_GT(trace.rate, 0);
    }
    for (const LostItem& lost : suite.lost) EXPECT_FALSE(lost.why.empty());
    // All that the input had is there, or it is said why not.
    EXPECT_EQ(suite.after.code + suite.after.screens + suite.after.crashes + suite.lost.size(),
              suite.before.code + suite.before.screens + suite.before.crashes);
  }
}

TEST(Suite, FlakyAppsKeepTheRateThatOthersSee) {
  Rigged rig = app_rig("sim:mail?bugs=none&flaky=0.1");
  const auto suite = make(*rig.replay, record(*rig.replay, 5, 250));
  EXPECT_FALSE(suite.deterministic);
  EXPECT_EQ(suite.after.code + suite.after.screens + suite.after.crashes + suite.lost.size(),
            suite.before.code + suite.before.screens + suite.before.crashes);
  ASSERT_FALSE(suite.traces.empty());
  double said = 0, seen = 0;
  Rigged fresh = app_rig("sim:mail?bugs=none&flaky=0.1");
  for (const SuiteTrace& trace : suite.traces) {
    Request again{.events = fresh.replay->intern(events_of(*rig.tree, std::vector{trace.end})[0]),
                  .watch = rig.tree->crash(trace.end) ? Watch{AnyCrash{}} : Watch{Completes{}},
                  .expect = trace.expect,
                  .expect_by = Abstraction::actions_plus,
                  .sure = Sure::certified,
                  .repeats = 40,
                  .first_repeat = 1000};
    if (rig.tree->crash(trace.end)) again.expect.pop_back();
    const Outcome o = fresh.replay->ask(again);
    EXPECT_EQ(trace.yes.all() + trace.no.all(), 10U);
    said += trace.rate, seen += o.yes.all() / 40.0;
  }
  const auto n = static_cast<double>(suite.traces.size());
  fmt::print("flaky mail: {} traces, rate {:.2f} said, {:.2f} seen\n", n, said / n, seen / n);
  EXPECT_NEAR(said / n, seen / n, 0.2);
}

TEST(Suite, ReportsCrashesThatItWasTheFirstToMeet) {
  std::size_t all = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Rigged rig = maze_rig({.seed = seed, .pages = 8, .buttons = 4, .hidden = 4});
    const auto traces = record(*rig.replay, seed, 150);
    const auto signatures = [&](std::uint32_t begin) {
      std::set<std::uint64_t> out;
      for (std::uint32_t n = begin; n < rig.tree->size(); ++n)
        if (const Crash* crash = rig.tree->crash(NodeId{n})) out.insert(signature(*crash, Sameness::frames));
      return out;
    };
    const auto before = signatures(1);
    const auto suite = make(*rig.replay, traces);
    auto fresh = signatures(1);
    for (const std::uint64_t known : before) fresh.erase(known);
    std::set<std::uint64_t> said;
    for (const NodeId node : suite.by_catch)
      EXPECT_TRUE(said.insert(signature(*rig.tree->crash(node), Sameness::frames)).second);
    EXPECT_EQ(said, fresh);
    all += said.size();
  }
  EXPECT_GT(all, 0U);
}

/// Somebody who loses patience when so many things were said.
class Impatient final : public Progress {
 public:
  explicit Impatient(std::size_t after) : left_(after) {}
  void status(std::string_view) override {
    if (left_ > 0 && --left_ == 0) source.request_stop();
  }
  void warning(std::string_view) override {}
  std::stop_source source;

 private:
  std::size_t left_;
};

TEST(Suite, StoppedAtAnyMomentItSaysWhatItHas) {
  bool whole = false;
  for (std::size_t after = 1; after < 5000 && !whole; after += 1 + after) {
    Rigged rig = maze_rig({.seed = 5, .pages = 8});
    const auto traces = record(*rig.replay, 5, 150);
    Impatient progress(after);
    const auto suite = make_suite(*rig.replay, traces, {}, progress, progress.source.get_token());
    ASSERT_TRUE(suite) << suite.error().message();
    whole = !suite->stopped;
    EXPECT_EQ(suite->after.code + suite->after.screens + suite->after.crashes + suite->lost.size(),
              suite->before.code + suite->before.screens + suite->before.crashes);
    for (const LostItem& lost : suite->lost) EXPECT_FALSE(lost.why.empty());
    for (const SuiteTrace& trace : suite->traces) EXPECT_TRUE(rig.tree->contains(trace.end));
  }
  EXPECT_TRUE(whole);
}

TEST(Suite, AFailingRigIsNoAnswer) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const MazeOptions maze{.seed = 5, .pages = 8};
    FaultPlan plan{.seed = seed,
                   .chance = {{Fault::lost, 0.002}, {Fault::timeout, 0.002}, {Fault::failed_restore, 0.05}},
                   .at_calls = {}};
    Rigged healthy = maze_rig(maze);
    const auto traces = record(*healthy.replay, 5, 400);
    Devices devices;
    devices.push_back(faulty(std::make_unique<Maze>(maze), plan));
    Rigged rig(std::move(devices), App{});
    std::vector<NodeId> ends;
    for (const auto& events : events_of(*healthy.tree, traces)) {
      const Outcome o = rig.replay->ask({.events = rig.replay->intern(events), .watch = AnyCrash{}});
      if (o.verdict != Verdict::unresolved && o.end != rig.tree->root()) ends.push_back(o.end);
    }
    const auto suite = make(*rig.replay, ends);
    const Truth before = truth_of(maze_rig(maze), events_of(*rig.tree, ends));
    const Truth after = truth_of(maze_rig(maze), events_of(*rig.tree, suite));
    EXPECT_TRUE(after.has(before) || !suite.lost.empty()) << "seed " << seed;
  }
}

/// A budget that ends between the ten runs of a trace, wherever it does: all of them replay, whoever is asked.
TEST(Suite, ABudgetThatEndsInTheMiddleIsNoAnswer) {
  const MazeOptions maze{.seed = 7, .pages = 6};
  Rigged source = maze_rig(maze);
  const auto traces = record(*source.replay, 7, 60);
  const auto events = events_of(*source.tree, traces);
  for (const bool published : {true, false})
    for (double budget = 1; budget < 1200; budget *= 1.3) {
      // Its own tree, which the recording is run into first: what is asked must not depend on the one before.
      Rigged first = maze_rig(maze);
      std::vector<NodeId> ends;
      for (const auto& one : events)
        ends.push_back(first.replay->ask({.events = first.replay->intern(one), .watch = AnyCrash{}}).end);
      FleetOptions tight;
      tight.budget = budget;
      tight.memory = false;
      Devices devices;
      devices.push_back(std::make_unique<Maze>(maze));
      Replay replay(std::make_unique<Fleet>(std::move(devices), App{}, *first.tree, tight));
      SuiteOptions options = published ? SuiteOptions::as_published() : SuiteOptions{};
      options.repeats = 10;
      const auto suite = make(replay, ends, options);
      EXPECT_TRUE(suite.unstable.empty()) << budget;
      ASSERT_FALSE(suite.phases.empty());
      EXPECT_EQ(suite.phases[0].tried, suite.phases[0].replayed) << budget;
      for (const LostItem& lost : suite.lost) {
        EXPECT_TRUE(suite.stopped);
        EXPECT_NE(lost.why.find("budget"), std::string::npos) << lost.why;
      }
      for (const SuiteTrace& trace : suite.traces) EXPECT_EQ(trace.no.all(), 0U) << budget;
    }
}

TEST(Suite, StopsAtItsBudgetWithAWholeSuite) {
  const MazeOptions maze{.seed = 13, .pages = 10};
  Rigged source = maze_rig(maze);
  const auto traces = record(*source.replay, 13, 600);
  const auto events = events_of(*source.tree, traces);
  const Truth before = truth_of(maze_rig(maze), events);
  // The tree holds the recording; a service over it may spend little.
  FleetOptions tight;
  tight.budget = 150;
  Devices devices;
  devices.push_back(std::make_unique<Maze>(maze));
  Replay replay(std::make_unique<Fleet>(std::move(devices), App{}, *source.tree, tight));
  const auto suite = make(replay, traces);
  EXPECT_TRUE(suite.stopped);
  EXPECT_TRUE(truth_of(maze_rig(maze), events_of(*source.tree, suite)).has(before));
}

}  // namespace
}  // namespace norn
