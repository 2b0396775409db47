#include "replay/replay.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "replay/fleet.h"
#include "replay/lowering.h"
#include "replay/maze.h"
#include "replay/plain.h"

namespace norn {
namespace {

using testing::expected;
using testing::Maze;
using testing::MazeOptions;
using testing::Plain;
using testing::plain_replay;

std::unique_ptr<Replay> service(const MazeOptions& maze, History& tree, const FleetOptions& options = {},
                                std::size_t devices = 1) {
  std::vector<std::unique_ptr<Device>> all;
  for (std::size_t i = 0; i < devices; ++i) all.push_back(std::make_unique<Maze>(maze));
  return std::make_unique<Replay>(std::make_unique<Fleet>(std::move(all), App{}, tree, options));
}

std::vector<Event> random_events(Rng& rng, const std::vector<Event>& alphabet, std::size_t length) {
  std::vector<Event> events;
  for (std::size_t i = 0; i < length; ++i) events.push_back(alphabet[rng.below(alphabet.size())]);
  return events;
}

/// Requests that share prefixes, as techniques make them.
std::vector<Event> next_events(Rng& rng, const std::vector<Event>& alphabet,
                               std::vector<std::vector<Event>>& pool) {
  std::vector<Event> events;
  if (!pool.empty() && rng.chance(0.7)) {
    const auto& old = pool[rng.below(pool.size())];
    events.assign(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(rng.below(old.size() + 1)));
  }
  const auto more = random_events(rng, alphabet, 1 + rng.below(12));
  events.insert(events.end(), more.begin(), more.end());
  pool.push_back(events);
  return events;
}

class Soundness : public ::testing::TestWithParam<std::tuple<Missing, std::size_t>> {};

TEST_P(Soundness, AnswersEqualPlainColdReplays) {
  const auto [missing, devices] = GetParam();
  int crashes = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const MazeOptions maze{.seed = seed, .snapshots = seed % 3 != 0};
    History tree;
    auto replay = service(maze, tree, {}, devices);
    Maze plain(maze);
    const auto alphabet = Maze::alphabet(maze);
    Rng rng(seed);
    std::vector<std::vector<Event>> pool;
    for (int i = 0; i < 60; ++i) {
      const auto events = next_events(rng, alphabet, pool);
      const Plain truth = plain_replay(plain, App{}, events, missing);
      crashes += truth.crashed;
      Watch watch = AnyCrash{};
      if (rng.chance(0.3)) watch = Completes{};
      if (rng.chance(0.3))
        watch = Reaches{abstract(truth.screen, Abstraction::activity), Abstraction::activity};
      Request request{.events = replay->intern(events), .watch = watch, .missing = missing};
      request.sure = rng.chance(0.5) ? Sure::once : Sure::tested;
      const Outcome outcome = replay->ask(request);
      ASSERT_EQ(outcome.verdict, expected(watch, truth) ? Verdict::yes : Verdict::no)
          << "seed " << seed << " request " << i;
    }
    EXPECT_GT(replay->spent().from_memory, 0U);
  }
  if (missing != Missing::stop) {
    EXPECT_GT(crashes, 20);
  }
}
INSTANTIATE_TEST_SUITE_P(EveryRuleAndPool, Soundness,
                         ::testing::Combine(::testing::Values(Missing::stop, Missing::skip, Missing::point),
                                            ::testing::Values(1U, 3U)));

TEST(Replay, RemembersEveryRunAndAnswersOtherQuestionsAboutIt) {
  const MazeOptions maze{.seed = 4};
  History tree;
  auto replay = service(maze, tree);
  Rng rng(9);
  const auto events = replay->intern(random_events(rng, Maze::alphabet(maze), 30));
  Request request{.events = events, .watch = AnyCrash{}, .missing = Missing::skip};
  const Outcome first = replay->ask(request);
  const auto runs = replay->spent().runs;
  EXPECT_EQ(replay->ask(request).verdict, first.verdict);
  request.watch = Completes{};
  EXPECT_NE(replay->ask(request).verdict, first.verdict);
  EXPECT_EQ(replay->spent().runs, runs);
  EXPECT_EQ(replay->spent().from_memory, 2U);
}

TEST(Replay, SnapshotsPayOnRequestsThatSharePrefixes) {
  const MazeOptions maze{.seed = 2, .pages = 30, .crashes = false};
  Rng rng(1);
  const auto alphabet = Maze::alphabet(maze);
  const auto trunk = random_events(rng, alphabet, 60);
  const auto ask_all = [&](const FleetOptions& options) {
    History tree;
    auto replay = service(maze, tree, options);
    Rng chance(7);
    for (int i = 0; i < 1000; ++i) {
      std::vector<Event> events(trunk.begin(),
                                trunk.begin() + 30 + static_cast<std::ptrdiff_t>(chance.below(30)));
      for (const auto& event : random_events(chance, alphabet, 4)) events.push_back(event);
      replay->ask({.events = replay->intern(events), .missing = Missing::skip});
    }
    return replay->spent();
  };
  FleetOptions without;
  without.snapshots.number = 0;
  const double cold = ask_all(without).device_seconds, warm = ask_all({}).device_seconds;
  EXPECT_LT(warm, cold / 3) << "with " << warm << " without " << cold;
}

TEST(Replay, ABatchPlacesSnapshotsForWhatItAsksNext) {
  const MazeOptions maze{.seed = 2, .pages = 30, .crashes = false};
  Rng rng(1);
  const auto alphabet = Maze::alphabet(maze);
  const auto trunk = random_events(rng, alphabet, 80);
  std::vector<std::vector<Event>> branches;
  for (int i = 0; i < 40; ++i) branches.push_back(random_events(rng, alphabet, 8));
  struct Asked {
    std::vector<Verdict> verdicts;
    Effort spent;
  };
  const auto ask_all = [&](std::size_t snapshots, std::size_t devices) {
    History tree;
    FleetOptions options;
    options.snapshots.number = snapshots;
    auto replay = service(maze, tree, options, devices);
    const std::vector<EventId> events = replay->intern(trunk);
    const Outcome stood = replay->ask({.events = events, .missing = Missing::skip});
    replay->ask({.events = events, .missing = Missing::skip, .sure = Sure::certified, .repeats = 3});
    EXPECT_TRUE(replay->assumed_deterministic());
    std::vector<Request> requests;
    for (const auto& branch : branches)
      requests.push_back({.from = stood.end, .events = replay->intern(branch), .missing = Missing::skip});
    Asked out;
    for (const Outcome& o : replay->ask(requests)) out.verdicts.push_back(o.verdict);
    out.spent = replay->spent();
    EXPECT_EQ(replay->keep(stood.end).has_value(), snapshots > 0) << "hints pin nothing";
    return out;
  };
  for (const std::size_t devices : {1U, 3U}) {
    const Asked cold = ask_all(0, devices), warm = ask_all(1, devices);
    EXPECT_EQ(warm.verdicts, cold.verdicts);
    EXPECT_EQ(warm.spent.snapshot_saves, devices) << "one on each, at the first run";
    EXPECT_EQ(warm.spent.snapshot_loads + warm.spent.restarts, warm.spent.runs);
    EXPECT_LE(warm.spent.restarts, 4 + devices);
    EXPECT_LT(warm.spent.device_seconds, 0.8 * cold.spent.device_seconds) << devices;
  }
}

TEST(Replay, LowestYesIsTheSameForEveryPoolSizeAndMakespanFalls) {
  std::vector<std::vector<std::size_t>> found;
  std::vector<double> makespans;
  for (const std::size_t devices : {1U, 2U, 4U, 8U}) {
    found.emplace_back();
    double makespan = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const MazeOptions maze{.seed = seed};
      History tree;
      auto replay = service(maze, tree, {}, devices);
      Rng rng(seed);
      const auto alphabet = Maze::alphabet(maze);
      for (int round = 0; round < 5; ++round) {
        std::vector<Request> batch;
        for (int i = 0; i < 20; ++i)
          batch.push_back({.events = replay->intern(random_events(rng, alphabet, 25)),
                           .watch = AnyCrash{},
                           .missing = Missing::skip});
        const auto outcomes = replay->ask(batch, Until::lowest_yes);
        const auto yes = std::find_if(outcomes.begin(), outcomes.end(),
                                      [](const Outcome& o) { return o.verdict == Verdict::yes; });
        found.back().push_back(static_cast<std::size_t>(yes - outcomes.begin()));
      }
      makespan += replay->spent().makespan_seconds;
    }
    makespans.push_back(makespan);
  }
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_EQ(found[i], found[0]);
  for (std::size_t i = 1; i < makespans.size(); ++i) EXPECT_LT(makespans[i], makespans[i - 1]);
}

TEST(Replay, StopsAtItsBudgetAndSaysSo) {
  const MazeOptions maze{.seed = 3, .crashes = false};
  History tree;
  FleetOptions options;
  options.budget = 20;
  auto replay = service(maze, tree, options);
  Rng rng(2);
  const Outcome outcome = replay->ask(
      {.events = replay->intern(random_events(rng, Maze::alphabet(maze), 200)), .missing = Missing::skip});
  EXPECT_EQ(outcome.verdict, Verdict::unresolved);
  ASSERT_TRUE(outcome.why);
  EXPECT_EQ(outcome.why->kind, Error::Kind::budget);
  EXPECT_LE(replay->spent().makespan_seconds, 21);
  EXPECT_GT(tree.size(), 5U);  // what was executed is kept
}

TEST(Replay, NeitherTheWayToANodeNorASetupGoesOnBeyondTheEnd) {
  const MazeOptions maze{.seed = 3, .crashes = false};
  History tree;
  Rng rng(2);
  const auto first = service(maze, tree);
  const auto events = first->intern(random_events(rng, Maze::alphabet(maze), 200));
  const NodeId far = first->ask({.events = events, .missing = Missing::skip}).end;
  ASSERT_GT(tree.depth(far), 50U);
  const Request request{.from = far, .sure = Sure::certified, .repeats = 1};
  FleetOptions short_of_time;
  short_of_time.budget = 20;

  const auto spent = service(maze, tree, short_of_time);
  const Outcome late = spent->ask(request);
  ASSERT_TRUE(late.why);
  EXPECT_EQ(late.why->kind, Error::Kind::budget);
  EXPECT_EQ(late.not_staged, 0U);
  EXPECT_LE(spent->spent().makespan_seconds, 21);

  std::stop_source asked;
  asked.request_stop();
  const auto stopped = service(maze, tree);
  const Outcome called_off = stopped->ask(request, asked.get_token());
  ASSERT_TRUE(called_off.why);
  EXPECT_EQ(called_off.why->kind, Error::Kind::cancelled);
  EXPECT_EQ(stopped->spent().events, 0U);

  App long_setup;
  long_setup.setup.assign(1000, Key{key::back});
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<Maze>(maze));
  History fresh;
  Replay behind(std::make_unique<Fleet>(std::move(devices), long_setup, fresh, short_of_time));
  const Outcome never = behind.ask({.events = behind.intern(Maze::alphabet(maze))});
  ASSERT_TRUE(never.why);
  EXPECT_EQ(never.why->kind, Error::Kind::budget);
  EXPECT_LE(behind.spent().makespan_seconds, 21);
}

TEST(Replay, ABudgetThatEndsDuringTheStartAnswersNothing) {
  const MazeOptions maze{.seed = 3};
  for (const Sure sure : {Sure::once, Sure::certified}) {
    History tree;
    FleetOptions options;
    options.budget = 1;  // a restart takes longer
    auto replay = service(maze, tree, options);
    const Outcome outcome = replay->ask({.events = replay->intern(Maze::alphabet(maze)), .sure = sure});
    EXPECT_EQ(outcome.verdict, Verdict::unresolved);
    EXPECT_EQ(outcome.not_staged, 0U);
    ASSERT_TRUE(outcome.why);
    EXPECT_EQ(outcome.why->kind, Error::Kind::budget);
  }
}

TEST(Replay, ACertificateWhoseStageIsNeverReachedIsNoAnswer) {
  History tree;
  NodeId stage;
  Maze plain(MazeOptions{.seed = 4});
  Rng rng(9);
  const auto walk = testing::random_walk(rng, plain, App{}, 1);
  {
    auto replay = service({.seed = 4}, tree);
    stage = replay->ask({.events = replay->intern(walk)}).end;
    ASSERT_TRUE(stage);
  }
  auto replay = service({.seed = 7}, tree);  // another app by now: the same way leads elsewhere
  const Outcome outcome = replay->ask({.from = stage, .sure = Sure::certified, .repeats = 3});
  EXPECT_EQ(outcome.verdict, Verdict::unresolved);
  EXPECT_EQ(outcome.not_staged, 3U);
  ASSERT_TRUE(outcome.why);
  EXPECT_EQ(outcome.why->kind, Error::Kind::device);
}

TEST(Replay, ACertificateOfNoRunsIsRefused) {
  History tree;
  const auto replay = service({.seed = 4}, tree);
  const Outcome outcome = replay->ask({.sure = Sure::certified, .repeats = 0});
  EXPECT_EQ(outcome.verdict, Verdict::unresolved);
  ASSERT_TRUE(outcome.why);
  EXPECT_EQ(outcome.why->kind, Error::Kind::bad_input);
}

TEST(Replay, CertificatesAreColdAndFresh) {
  const MazeOptions maze{.seed = 5, .crashes = false};
  History tree;
  auto replay = service(maze, tree);
  Rng rng(3);
  Request request{.events = replay->intern(random_events(rng, Maze::alphabet(maze), 10)),
                  .missing = Missing::skip};
  replay->ask(request);
  request.sure = Sure::certified;
  const Outcome outcome = replay->ask(request);
  EXPECT_EQ(outcome.yes, (Counts{20, 0}));
  EXPECT_EQ(replay->spent().restarts, 21U);
  EXPECT_TRUE(replay->assumed_deterministic());
}

/// A chooser that presses random buttons and now and then goes back to a node it kept.
class Wanderer final : public Chooser {
 public:
  Wanderer(Replay& replay, std::uint64_t seed) : replay_(replay), rng_(seed) {}
  Choice next(const Place& here) override {
    if (here.crashed) return Restart{};
    if (here.events >= 300) return Enough{};
    if (kept_ && rng_.chance(0.1)) return GoTo{kept_};
    const auto clickable = 1 + rng_.below(here.seen.screen.widgets.size() - 1);
    return Do{Tap{make_target(here.seen.screen, clickable), {}}};
  }
  void saw(const Place& here, const Appended& what) override {
    EXPECT_EQ(here.node, what.node);
    ++steps;
    if (!kept_ && here.events == 20 && !here.crashed && replay_.keep(here.node)) kept_ = here.node;
  }
  std::uint64_t steps = 0;

 private:
  Replay& replay_;
  Rng rng_;
  NodeId kept_;
};

TEST(Replay, WalksAndTravelsInTime) {
  const MazeOptions maze{.seed = 6};
  History tree;
  auto replay = service(maze, tree);
  Wanderer wanderer(*replay, 4);
  ASSERT_TRUE(replay->walk(tree.root(), wanderer, {}));
  EXPECT_EQ(wanderer.steps, 300U);
  EXPECT_GT(replay->spent().snapshot_loads, 0U);
  EXPECT_EQ(tree.agreement().disagreed, 0U);
}

TEST(Replay, FlakyAppsAreTestedByRate) {
  int wrong = 0, decided = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const MazeOptions maze{.seed = 11, .flaky = 0.02};
    History tree;
    FleetOptions options;
    options.seed = seed;
    auto replay = service(maze, tree, options);
    Rng rng(3);
    const auto alphabet = Maze::alphabet({.seed = 11});
    // Ten presses: finishes with rate 1 whatever chance does, so H1 holds; AnyCrash hardly ever, so H0 does.
    Request request{.events = replay->intern(random_events(rng, alphabet, 10)),
                    .missing = Missing::skip,
                    .sure = Sure::tested};
    decided += 2;
    wrong += replay->ask(request).verdict != Verdict::yes;
    request.watch = SameCrash{1234, Sameness::frames};
    wrong += replay->ask(request).verdict != Verdict::no;
  }
  EXPECT_LE(wrong, decided / 20);
}

}  // namespace
}  // namespace norn
