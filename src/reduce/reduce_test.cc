#include "reduce/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "device/faulty.h"
#include "device/open.h"
#include "device/sim.h"
#include "device/sim/truth.h"
#include "reduce/noisy.h"
#include "replay/fleet.h"

namespace norn {
namespace {

struct Subject {
  std::string spec;
  App app;
  std::vector<Event> core, noisy;
  std::uint64_t crash = 0;
};

/// A noisy trace of one of an app's known crashes.
std::optional<Subject> subject(const std::string& app, std::size_t bug, std::size_t length) {
  const auto truth = sim::load_truth(app);
  std::vector<sim::KnownBug> crashes;
  for (const auto& known : truth->bugs)
    if (known.kind == sim::KnownBug::Kind::crash && known.device.empty()) crashes.push_back(known);
  if (bug >= crashes.size()) return std::nullopt;
  Subject out{"sim:" + app, {}, crashes[bug].events, {}, 0};
  auto opened = open_device(out.spec);
  out.app = opened->app;
  testing::NoisyTraces traces(*opened->device, out.app, out.core, 7 + bug);
  const auto noisy = traces.make(length);
  if (!noisy) return std::nullopt;
  out.noisy = *noisy;
  out.crash = *traces.crash();
  return out;
}

struct Bench {
  History tree;
  std::unique_ptr<Replay> replay;

  Bench(const Subject& s, std::size_t devices = 1, FleetOptions options = {},
        std::optional<FaultPlan> faults = std::nullopt) {
    std::vector<std::unique_ptr<Device>> all;
    for (std::size_t i = 0; i < devices; ++i) {
      auto device = std::move(open_device(s.spec)->device);
      all.push_back(faults ? faulty(std::move(device), *faults) : std::move(device));
    }
    replay = std::make_unique<Replay>(std::make_unique<Fleet>(std::move(all), s.app, tree, options));
  }
};

ReduceOptions options_for(const Subject& s, const std::string& algorithm = "norn") {
  ReduceOptions options;
  options.algorithm = algorithm;
  options.watch = SameCrash{s.crash, Sameness::frames};
  options.prices.snapshots = true;
  return options;
}

std::vector<std::string> described(const Reduction& r) {
  std::vector<std::string> out;
  for (const auto& kept : r.events) out.push_back(describe(kept.event));
  return out;
}

TEST(Reduce, FindsTheFewEventsOfKnownBugsInNoise) {
  int reduced = 0, shortest = 0;
  for (const char* app : {"notes", "files", "tips", "cards", "shop"}) {
    const auto s = subject(app, 0, 120);
    if (!s) continue;
    Bench bench(*s);
    const auto result = reduce(*bench.replay, s->noisy, options_for(*s));
    ASSERT_TRUE(result) << result.error().message();
    ASSERT_TRUE(std::holds_alternative<Reduction>(*result)) << app;
    const auto& r = std::get<Reduction>(*result);
    EXPECT_TRUE(r.one_minimal) << app;
    EXPECT_EQ(r.certificate.yes.cold, 20U) << app;
    EXPECT_LT(r.events.size(), s->noisy.size() / 3) << app;
    for (const auto& kept : r.events) EXPECT_EQ(kept.without_yes.all(), 0U) << app;
    ++reduced;
    shortest += r.events.size() <= s->core.size();
  }
  EXPECT_GE(reduced, 4);
  EXPECT_GE(shortest * 2, reduced);
}

TEST(Reduce, EveryAlgorithmReturnsWhatStillCrashes) {
  const auto s = subject("tips", 0, 60);
  ASSERT_TRUE(s);
  for (const std::string& algorithm : algorithm_names()) {
    Bench bench(*s);
    const auto result = reduce(*bench.replay, s->noisy, options_for(*s, algorithm));
    ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result)) << algorithm;
    EXPECT_EQ(std::get<Reduction>(*result).certificate.yes.cold, 20U) << algorithm;
  }
}

TEST(Reduce, ResultIsTheSameForEveryNumberOfDevices) {
  const auto s = subject("notes", 1, 100);
  ASSERT_TRUE(s);
  std::vector<std::string> first;
  double makespan = 0;
  for (const std::size_t devices : {1U, 2U, 4U, 8U}) {
    Bench bench(*s, devices);
    const auto result = reduce(*bench.replay, s->noisy, options_for(*s));
    ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result));
    const auto events = described(std::get<Reduction>(*result));
    if (devices == 1) first = events, makespan = bench.replay->spent().makespan_seconds;
    EXPECT_EQ(events, first) << devices;
    EXPECT_LE(bench.replay->spent().makespan_seconds, makespan) << devices;
  }
}

TEST(Reduce, InterruptedItGivesTheBestConfirmedAndGoesOnLater) {
  const auto s = subject("notes", 1, 100);
  ASSERT_TRUE(s);
  Bench whole(*s);
  const auto straight = reduce(*whole.replay, s->noisy, options_for(*s));
  const auto wanted = described(std::get<Reduction>(*straight));
  for (const double share : {0.3, 0.6}) {
    History tree;
    const auto with_budget = [&](double seconds) {
      FleetOptions options;
      options.budget = seconds;
      std::vector<std::unique_ptr<Device>> devices;
      devices.push_back(std::move(open_device(s->spec)->device));
      return std::make_unique<Replay>(std::make_unique<Fleet>(std::move(devices), s->app, tree, options));
    };
    auto first = with_budget(whole.replay->spent().makespan_seconds * share);
    const auto cut = reduce(*first, s->noisy, options_for(*s));
    ASSERT_TRUE(cut);
    ASSERT_TRUE(std::holds_alternative<Reduction>(*cut));
    EXPECT_LE(std::get<Reduction>(*cut).events.size(), s->noisy.size());
    first.reset();
    auto second = with_budget(1e9);
    const auto rest = reduce(*second, s->noisy, options_for(*s));
    ASSERT_TRUE(rest && std::holds_alternative<Reduction>(*rest));
    EXPECT_EQ(described(std::get<Reduction>(*rest)), wanted);
    EXPECT_LT(second->spent().device_seconds, whole.replay->spent().device_seconds);
  }
}

TEST(Reduce, RefusesWhatDoesNotReproduce) {
  const auto s = subject("tips", 0, 40);
  ASSERT_TRUE(s);
  Bench bench(*s);
  auto options = options_for(*s);
  options.watch = SameCrash{12345, Sameness::frames};
  const auto result = reduce(*bench.replay, s->noisy, options);
  ASSERT_TRUE(result);
  ASSERT_TRUE(std::holds_alternative<NotReproduced>(*result));
  EXPECT_EQ(std::get<NotReproduced>(*result).runs, 2U);
}

TEST(Reduce, OnAFaultyRigItEndsRightOrUnresolved) {
  const auto s = subject("tips", 0, 40);
  ASSERT_TRUE(s);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    FaultPlan plan;
    plan.seed = seed;
    for (const Fault fault :
         {Fault::lost, Fault::timeout, Fault::failed_restore, Fault::wrong_restore, Fault::garbled_dump})
      plan.chance[fault] = 0.01;
    Bench bench(*s, 1, {}, plan);
    const auto result = reduce(*bench.replay, s->noisy, options_for(*s));
    if (!result || !std::holds_alternative<Reduction>(*result)) continue;
    const auto& r = std::get<Reduction>(*result);
    EXPECT_EQ(r.certificate.no.all(), 0U) << seed;
    auto plain = open_device(s->spec);
    EXPECT_TRUE(testing::plain_replay(*plain->device, s->app, r.plain_events(), Missing::skip).crashed)
        << seed;
  }
}

TEST(Reduce, ReachesAGoalInsteadOfACrash) {
  const auto s = subject("notes", 1, 100);
  ASSERT_TRUE(s);
  Bench bench(*s);
  std::vector<Event> events(s->noisy.begin(), s->noisy.end() - 1);
  auto opened = open_device(s->spec);
  const auto plain = testing::plain_replay(*opened->device, s->app, events, Missing::stop);
  auto options = options_for(*s);
  options.watch = ScreenHas{plain.screen.activity, {}};
  const auto result = reduce(*bench.replay, events, options);
  ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result));
  EXPECT_EQ(std::get<Reduction>(*result).certificate.yes.cold, 20U);
}

}  // namespace
}  // namespace norn
