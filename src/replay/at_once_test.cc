// Devices that take real time work side by side, and the answers are those of one device.
#include "replay/at_once.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "device/exec/exec.h"
#include "replay/fleet.h"
#include "replay/maze.h"
#include "replay/plain.h"

namespace norn {
namespace {

using testing::Maze;
using testing::MazeOptions;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

TEST(AtOnce, TakesEveryNumberOnceAndStopsWhereItMayNotBegin) {
  for (const std::size_t lanes : {1U, 2U, 8U}) {
    std::mutex mutex;
    std::multiset<std::size_t> called;
    const auto next = at_once(
        lanes, 100, [](std::size_t i) { return i < 70; },
        [&](std::size_t i) {
          const std::scoped_lock lock(mutex);
          called.insert(i);
        });
    EXPECT_EQ(next, 70U);
    EXPECT_EQ(called.size(), 70U);
    for (std::size_t i = 0; i < 70; ++i) EXPECT_EQ(called.count(i), 1U);
  }
}

TEST(AtOnce, TheLowestYesCallsOffWhatLiesAbove) {
  std::stop_source user;
  LowestYes best(5, user.get_token());
  best.found(3);
  best.found(4);  // too late
  EXPECT_TRUE(best.wanted(3));
  EXPECT_FALSE(best.wanted(4));
  EXPECT_FALSE(best.token(2).stop_requested());
  EXPECT_TRUE(best.token(4).stop_requested());
  best.found(1);
  EXPECT_TRUE(best.token(2).stop_requested());
  EXPECT_FALSE(best.token(0).stop_requested());
  user.request_stop();
  EXPECT_TRUE(best.token(0).stop_requested());
}

/// A maze in real time: each event sleeps, and it is counted how many devices were busy at once.
class Paced final : public Device {
 public:
  struct Busy {
    std::atomic<int> now = 0, most = 0;
  };
  Paced(const MazeOptions& maze, std::chrono::microseconds event, Busy& busy)
      : maze_(maze), event_(event), busy_(busy) {}

  DeviceInfo info() const override {
    DeviceInfo info = maze_.info();
    info.virtual_time = false;
    return info;
  }
  Status start(const App& app, Nonce nonce) override { return maze_.start(app, nonce); }
  Result<Observation> observe() override { return maze_.observe(); }
  Status perform(const Action& action, Pace pace) override {
    const int now = ++busy_.now;
    for (int most = busy_.most; most < now && !busy_.most.compare_exchange_weak(most, now);) {
    }
    std::this_thread::sleep_for(event_);
    --busy_.now;
    return maze_.perform(action, pace);
  }
  Result<SnapshotId> save() override { return maze_.save(); }
  Status restore(SnapshotId id, Nonce nonce) override { return maze_.restore(id, nonce); }
  void forget(SnapshotId id) override { maze_.forget(id); }
  double meter() const override { return maze_.meter(); }

 private:
  Maze maze_;
  std::chrono::microseconds event_;
  Busy& busy_;
};

std::vector<Event> random_list(Rng& rng, const std::vector<Event>& alphabet, std::size_t length) {
  std::vector<Event> events;
  for (std::size_t i = 0; i < length; ++i) events.push_back(alphabet[rng.below(alphabet.size())]);
  return events;
}

struct Answered {
  std::vector<Verdict> verdicts;  ///< in a lowest_yes batch: only up to the yes
  std::vector<std::vector<Event>> ends;
  std::uint64_t unresolved = 0;
  int most_busy = 0;

  bool operator==(const Answered& o) const { return verdicts == o.verdicts && ends == o.ends; }
};

/// Several batches of both kinds and all degrees of sureness.
Answered batches_on(std::size_t devices, std::uint64_t seed) {
  const MazeOptions maze{.seed = seed, .snapshots = seed % 2 == 0};
  Paced::Busy busy;
  std::vector<std::unique_ptr<Device>> all;
  for (std::size_t i = 0; i < devices; ++i)
    all.push_back(std::make_unique<Paced>(maze, std::chrono::microseconds(50), busy));
  History tree;
  Replay replay(std::make_unique<Fleet>(std::move(all), App{}, tree, FleetOptions{}));
  Rng rng(seed);
  const auto alphabet = Maze::alphabet(maze);
  Answered out;
  for (int round = 0; round < 6; ++round) {
    std::vector<Request> batch;
    for (int i = 0; i < 16; ++i) {
      batch.push_back({.events = replay.intern(random_list(rng, alphabet, 4 + rng.below(16))),
                       .watch = rng.chance(0.5) ? Watch(AnyCrash{}) : Watch(Completes{}),
                       .missing = Missing::skip});
      batch.back().sure = std::array{Sure::once, Sure::tested, Sure::certified}[rng.below(3)];
      batch.back().repeats = 3;
    }
    const Until until = round % 2 == 0 ? Until::all : Until::lowest_yes;
    const auto outcomes = replay.ask(batch, until);
    for (const Outcome& outcome : outcomes) {
      out.verdicts.push_back(outcome.verdict);
      out.ends.push_back(tree.events_to(outcome.end));
      if (until == Until::lowest_yes && outcome.verdict == Verdict::yes) break;
    }
  }
  out.unresolved = replay.spent().unresolved;
  out.most_busy = busy.most;
  return out;
}

TEST(AtOnce, AnswersAreEqualForEveryNumberOfRealTimeDevices) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Answered one = batches_on(1, seed);
    EXPECT_EQ(one.most_busy, 1);
    EXPECT_EQ(std::count(one.verdicts.begin(), one.verdicts.end(), Verdict::unresolved), 0);
    for (const std::size_t devices : {2U, 4U, 8U}) {
      const Answered many = batches_on(devices, seed);
      EXPECT_TRUE(many == one) << devices << " devices, seed " << seed;
      EXPECT_EQ(many.unresolved, 0U) << "called off is not failed";
      EXPECT_GT(many.most_busy, 1) << devices;
      EXPECT_LE(many.most_busy, static_cast<int>(devices));
    }
  }
}

/// Chance is drawn from (request, repeat), so a flaky app too gives every pool the same certificates.
TEST(AtOnce, CertificatesOfFlakyAppsAreEqualForEveryNumberOfDevices) {
  const MazeOptions maze{.seed = 11, .flaky = 0.1};
  std::vector<std::vector<Counts>> counts;
  for (const std::size_t devices : {1U, 2U, 4U, 8U}) {
    Paced::Busy busy;
    std::vector<std::unique_ptr<Device>> all;
    for (std::size_t i = 0; i < devices; ++i)
      all.push_back(std::make_unique<Paced>(maze, std::chrono::microseconds(50), busy));
    History tree;
    Replay replay(std::make_unique<Fleet>(std::move(all), App{}, tree, FleetOptions{}));
    Rng rng(5);
    const auto alphabet = Maze::alphabet(maze);
    counts.emplace_back();
    std::vector<Request> batch;
    for (int i = 0; i < 6; ++i)
      batch.push_back({.events = replay.intern(random_list(rng, alphabet, 30)),
                       .watch = AnyCrash{},
                       .missing = Missing::skip,
                       .sure = Sure::certified});
    for (const Outcome& outcome : replay.ask(batch)) {
      counts.back().push_back(outcome.yes);
      EXPECT_EQ(outcome.yes.all() + outcome.no.all(), 20U);
    }
    EXPECT_GT(tree.agreement().disagreed, 0U);
    EXPECT_EQ(counts.back(), counts.front()) << devices;
  }
}

struct Timed {
  std::vector<Verdict> verdicts;
  double seconds = 0;
};

Timed dials(std::size_t devices) {
  std::vector<std::unique_ptr<Device>> all;
  App app;
  for (std::size_t i = 0; i < devices; ++i) {
    auto opened = open_exec("python3 " NORN_SOURCE_DIR "/tests/data/exec/slow_device.py 0.01");
    EXPECT_TRUE(opened) << opened.error().message();
    app = opened->app;
    all.push_back(std::move(opened->device));
  }
  History tree;
  Replay replay(std::make_unique<Fleet>(std::move(all), app, tree, FleetOptions{}));
  Rng rng(4);
  std::vector<Request> batch;
  for (int i = 0; i < 16; ++i) {
    std::vector<Event> events;
    for (int k = 0; k < 6; ++k) {
      Tap tap;
      tap.target.id = fmt::format("org.example.dial:id/turn{}", 1 + rng.below(3));
      events.emplace_back(tap);
    }
    batch.push_back({.events = replay.intern(events), .watch = AnyCrash{}});
  }
  Timed out;
  const auto begin = Clock::now();
  for (const Outcome& outcome : replay.ask(batch)) out.verdicts.push_back(outcome.verdict);
  out.seconds = seconds_since(begin);
  EXPECT_EQ(replay.spent().unresolved, 0U);
  return out;
}

TEST(AtOnce, FourProcessesFinishABatchInWellUnderTheTimeOfOne) {
  const Timed one = dials(1), four = dials(4);
  EXPECT_EQ(four.verdicts, one.verdicts);
  EXPECT_GT(std::count(one.verdicts.begin(), one.verdicts.end(), Verdict::yes), 0);
  EXPECT_GT(std::count(one.verdicts.begin(), one.verdicts.end(), Verdict::no), 0);
  EXPECT_LT(four.seconds, one.seconds * 0.6);
  fmt::print("a batch on exec devices: {:.2f} s on one, {:.2f} s on four\n", one.seconds, four.seconds);
}

}  // namespace
}  // namespace norn
