// Every algorithm where it is hard: on rigs that fail, on apps that crash only sometimes, on pools of every
// size, interrupted at any moment. What is claimed is checked by plain replays that know nothing of the
// service.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/rng.h"
#include "reduce/subject.h"

namespace norn {
namespace {

using namespace testing;

/// So many times as many rounds in a soak.
std::uint64_t rounds(std::uint64_t quick) { return std::getenv("NORN_SOAK") ? 10 * quick : quick; }

const Subject& tips() {
  static const Subject s = *subject("tips", 1, 40);
  return s;
}

Result<std::variant<Reduction, NotReproduced>> reduced(Bench& bench, const Subject& s,
                                                       const std::string& algorithm) {
  return reduce(*bench.replay, s.noisy, options_for(s, algorithm));
}

/// A claim of 1-minimality, checked on a device of one's own.
void expect_claims_hold(const Subject& s, const Reduction& r, const std::string& what) {
  const auto events = r.plain_events();
  EXPECT_EQ(crashes_of(s, events), 1U) << what;
  for (std::size_t i = 0; r.one_minimal && i < events.size(); ++i)
    EXPECT_EQ(crashes_of(s, without(events, i)), 0U) << what << " without " << i;
}

TEST(Hardship, FaultyRigsNeverMakeAWrongResult) {
  int done = 0, proved = 0, to_prove = 0;
  for (const std::string& algorithm : algorithm_names())
    for (std::uint64_t seed = 1; seed <= rounds(3); ++seed) {
      FaultPlan plan;
      plan.seed = seed;
      for (const Fault fault :
           {Fault::lost, Fault::timeout, Fault::failed_restore, Fault::wrong_restore, Fault::garbled_dump})
        plan.chance[fault] = 0.001;
      Bench bench(tips(), 1, {}, plan);
      const auto result = reduced(bench, tips(), algorithm);
      if (!result || !std::holds_alternative<Reduction>(*result)) continue;
      const auto& r = std::get<Reduction>(*result);
      EXPECT_EQ(r.certificate.no.all(), 0U) << algorithm << seed;
      expect_claims_hold(tips(), r, algorithm + std::to_string(seed));
      ++done;
      to_prove += algorithm == "norn" || algorithm == "dd";
      proved += (algorithm == "norn" || algorithm == "dd") && r.one_minimal;
    }
  EXPECT_GE(done, static_cast<int>(algorithm_names().size() * rounds(3) * 9 / 10));
  EXPECT_EQ(proved, to_prove);  // three attempts a run are enough at such rates of failure
}

TEST(Hardship, EveryNumberOfDevicesGivesTheSameResult) {
  for (const std::string& algorithm : algorithm_names()) {
    std::vector<std::string> first;
    double makespan = 0;
    for (const std::size_t devices : {1U, 2U, 4U, 8U}) {
      Bench bench(tips(), devices);
      const auto result = reduced(bench, tips(), algorithm);
      ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result)) << algorithm;
      const auto& r = std::get<Reduction>(*result);
      if (devices == 1) first = described(r), makespan = bench.replay->spent().makespan_seconds;
      EXPECT_EQ(described(r), first) << algorithm << " on " << devices;
      EXPECT_LE(bench.replay->spent().makespan_seconds, makespan) << algorithm << " on " << devices;
      expect_claims_hold(tips(), r, algorithm);
      EXPECT_TRUE(r.one_minimal || (algorithm != "norn" && algorithm != "dd")) << algorithm;
    }
  }
}

TEST(Hardship, InterruptedAnywhereItGoesOnToTheSameResult) {
  Rng rng(11);
  for (const std::string& algorithm : algorithm_names()) {
    std::size_t answers = 0;
    Bench whole(tips());
    auto counting = options_for(tips(), algorithm);
    counting.on_progress = [&](const ReduceProgress&) { ++answers; };
    const auto straight = reduce(*whole.replay, tips().noisy, counting);
    const auto wanted = described(std::get<Reduction>(*straight));
    for (std::uint64_t round = 0; round < rounds(3); ++round) {
      History tree;
      std::stop_source stop;
      std::size_t left = 1 + rng.below(answers);
      auto stopping = options_for(tips(), algorithm);
      stopping.on_progress = [&](const ReduceProgress&) {
        if (--left == 0) stop.request_stop();
      };
      {
        Bench first(tips(), 1 + rng.below(3), {}, std::nullopt, &tree);
        const auto cut = reduce(*first.replay, tips().noisy, stopping, stop.get_token());
        ASSERT_TRUE(cut && std::holds_alternative<Reduction>(*cut)) << algorithm;
        const auto& at_the_cut = std::get<Reduction>(*cut);
        if (!at_the_cut.stopped) {
          EXPECT_EQ(described(at_the_cut), wanted) << algorithm << ": after its last answer";
        }
        expect_claims_hold(tips(), at_the_cut, algorithm + " interrupted");
      }
      Bench second(tips(), 1, {}, std::nullopt, &tree);
      const auto rest = reduced(second, tips(), algorithm);
      ASSERT_TRUE(rest && std::holds_alternative<Reduction>(*rest)) << algorithm;
      EXPECT_EQ(described(std::get<Reduction>(*rest)), wanted) << algorithm;
      // An answer from memory leaves the device where it is: a way that the whole run had gone on from may
      // have to be gone again.
      EXPECT_LE(second.replay->spent().device_seconds, whole.replay->spent().device_seconds * 1.02)
          << algorithm;
    }
  }
}

TEST(Hardship, ASpentBudgetIsSaidAndGoneOnFrom) {
  Bench whole(tips());
  const auto straight = reduced(whole, tips(), "norn");
  const auto wanted = described(std::get<Reduction>(*straight));
  for (const double share : {0.2, 0.5, 0.8, 0.95}) {
    History tree;
    FleetOptions some;
    some.budget = whole.replay->spent().makespan_seconds * share;
    {
      Bench first(tips(), 1, some, std::nullopt, &tree);
      const auto cut = reduced(first, tips(), "norn");
      ASSERT_TRUE(cut && std::holds_alternative<Reduction>(*cut)) << share;
      EXPECT_TRUE(std::get<Reduction>(*cut).stopped) << share;
    }
    Bench second(tips(), 1, {}, std::nullopt, &tree);
    const auto rest = reduced(second, tips(), "norn");
    ASSERT_TRUE(rest && std::holds_alternative<Reduction>(*rest));
    EXPECT_EQ(described(std::get<Reduction>(*rest)), wanted) << share;
    EXPECT_LT(second.replay->spent().device_seconds, whole.replay->spent().device_seconds);
  }
}

// ---- crashes that come only sometimes ----

/// Arm and Load are needed; Open crashes if what Load began has ended by then, which takes 300 to 900 ms
/// while an event takes 500: one time in three right after it. `Luck` makes the next Open crash one time in
/// two, whenever it comes.
constexpr const char* race = R"(
app { package = "org.example.race", title = "Race", main = "Main" }
activity "Main" {
  create = function(self) self.armed, self.ready, self.luck, self.n = false, false, false, 0 end,
  view = function(self)
    return column {
      button { "Arm", id = "arm", on_click = function() self.armed = true end },
      button { "Load", id = "load", on_click = function()
        self.ready = false
        self:after(600, function() self.ready = true end)
      end },
      button { "Noise", id = "noise", on_click = function() self.n = (self.n + 1) % 3 end },
      text { "Count " .. self.n, id = "count" },
      button { "Luck", id = "luck", on_click = function() self.luck = true end },
      button { "Open", id = "open", on_click = function()
        if self.armed and self.ready then error("raced") end
        if self.luck and chance("coin") then error("raced") end
        self.luck = false
      end },
    }
  end,
}
)";

Event tap(const std::string& id) {
  Target target;
  target.id = "org.example.race:id/" + id;
  return Tap{target, {}};
}

/// `core` with noise before each of its events but the last.
Subject racing(const std::string& options, const std::vector<std::string>& core) {
  static const std::string file = [] {
    const auto path =
        std::filesystem::temp_directory_path() / ("norn_race" + std::to_string(getpid()) + ".lua");
    EXPECT_TRUE(write_file(path, race));
    return path.string();
  }();
  Subject s{"sim:" + file + "?" + options, {}, {}, {}, 0};
  s.app = open_device(s.spec)->app;
  for (const std::string& id : core) s.core.push_back(tap(id));
  for (std::size_t i = 0; i < core.size(); ++i) {
    for (std::size_t k = 0; i + 1 < core.size() && k < 6; ++k) s.noisy.push_back(tap("noise"));
    s.noisy.push_back(s.core[i]);
  }
  return s;
}

ReduceOptions any_crash(const std::string& algorithm) {
  ReduceOptions options;
  options.algorithm = algorithm;
  options.prices.snapshots = true;
  return options;
}

TEST(Hardship, FlakyCrashesAreKeptByEveryAlgorithm) {
  constexpr std::uint32_t runs = 200;
  const Subject s = racing("timing=random", {"arm", "load", "open"});
  const double rate = crashes_of(s, s.noisy, runs) / static_cast<double>(runs);
  ASSERT_GT(rate, 0.2);
  ASSERT_LT(rate, 0.5);
  for (const std::string& algorithm : algorithm_names()) {
    std::vector<std::string> first;
    for (const std::size_t devices : {1U, 4U}) {
      Bench bench(s, devices);
      const auto result = reduce(*bench.replay, s.noisy, any_crash(algorithm));
      ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result)) << algorithm;
      const auto& r = std::get<Reduction>(*result);
      const auto events = r.plain_events();
      const double now = crashes_of(s, events, runs) / static_cast<double>(runs);
      EXPECT_GT(now, 0.4 * rate) << algorithm;  // what was seen to crash does crash
      for (std::size_t i = 0; r.one_minimal && i < events.size(); ++i)
        EXPECT_LT(crashes_of(s, without(events, i), runs) / static_cast<double>(runs), 0.8 * rate)
            << algorithm;
      if (algorithm != "norn") continue;  // the others ask once, warm or cold: chance decides
      if (devices == 1) first = described(r);
      EXPECT_EQ(described(r), first) << devices;
      EXPECT_TRUE(r.one_minimal);
      EXPECT_EQ(events.size(), 3U);
    }
  }
}

/// Every tap may be the one that crashes, so a run that crashed early shows nothing about the rest.
TEST(Hardship, ACrashThatMayComeAtAnyEventIsNotCutAtALuckyOne) {
  constexpr std::uint32_t runs = 200;
  const auto path =
      std::filesystem::temp_directory_path() / ("norn_five" + std::to_string(getpid()) + ".lua");
  ASSERT_TRUE(write_file(path, R"(
app { package = "org.example.race", title = "Five", main = "Main" }
activity "Main" { view = function(self) return column {
  button { "Go", id = "go", on_click = function() if random(100) <= 5 then error("five") end end },
} end }
)"));
  Subject s{"sim:" + path.string() + "?content=random", {}, {}, {}, 0};
  s.app = open_device(s.spec)->app;
  s.noisy.assign(40, tap("go"));
  const double rate = crashes_of(s, s.noisy, runs) / static_cast<double>(runs);
  std::size_t low = 0;
  for (std::uint64_t seed = 1; seed <= rounds(10); ++seed) {
    FleetOptions fleet;
    fleet.seed = seed;
    Bench bench(s, 1, fleet);
    const auto result = reduce(*bench.replay, s.noisy, any_crash("norn"));
    ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result)) << seed;
    const auto& r = std::get<Reduction>(*result);
    const double now = crashes_of(s, r.plain_events(), runs) / static_cast<double>(runs);
    low += now < 0.55 * rate;  // 0.8 was to be kept; a rate measured by 20 runs is never exact
    EXPECT_NEAR(r.original_rate, rate, 0.25) << seed;
    EXPECT_FALSE(r.one_minimal && r.weaker) << seed;
  }
  EXPECT_LE(low, rounds(10) / 20);
  std::filesystem::remove(path);
}

TEST(Hardship, AmplifyPutsTheWaitWhereTheRaceIsLost) {
  constexpr std::uint32_t runs = 200;
  const Subject s = racing("timing=random", {"arm", "load", "open"});
  Bench bench(s);
  auto options = any_crash("norn");
  options.amplify = true;
  const auto result = reduce(*bench.replay, s.noisy, options);
  ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result));
  const auto& r = std::get<Reduction>(*result);
  ASSERT_TRUE(r.amplified);
  EXPECT_LT(r.amplified->before, 0.6);
  EXPECT_EQ(r.amplified->waits, 1U);
  ASSERT_EQ(r.events.size(), 4U);
  EXPECT_TRUE(std::holds_alternative<Wait>(r.events[2].event));  // between Load and Open, nowhere else
  EXPECT_FALSE(r.events[2].from);
  EXPECT_GE(r.certificate.yes.cold, 18U);
  EXPECT_GE(crashes_of(s, r.plain_events(), runs), runs * 9 / 10);
  EXPECT_TRUE(r.one_minimal);  // of the events that were there before
}

/// Whatever chance the runs meet: noise goes although the rate is measured by 20 runs, and no wait looks good
/// by chance, beyond two in a hundred.
TEST(Hardship, AmplifyLeavesAloneWhatNoWaitCanRaise) {
  const Subject s = racing("flaky=0.5", {"luck", "open"});
  std::string noise_kept, waits_put_in;  // at which seeds
  std::size_t wrong = 0;
  for (std::uint64_t seed = 1; seed <= rounds(20); ++seed) {
    FleetOptions fleet;
    fleet.seed = seed;
    Bench bench(s, 1, fleet);
    auto options = any_crash("norn");
    options.amplify = options.recorded = true;
    const auto result = reduce(*bench.replay, s.noisy, options);
    ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result)) << seed;
    const auto& r = std::get<Reduction>(*result);
    ASSERT_TRUE(r.amplified) << seed;
    const std::size_t waits = r.amplified->waits;
    if (r.events.size() > 2 + waits) noise_kept += ' ' + std::to_string(seed);
    if (waits > 0) waits_put_in += ' ' + std::to_string(seed);
    EXPECT_TRUE(waits > 0 || r.amplified->tried == 3 * r.events.size()) << seed;  // three lengths before each
    wrong += waits > 0 || r.events.size() > 2;
  }
  EXPECT_LE(wrong, rounds(20) / 50) << "noise kept:" << noise_kept << "; waits put in:" << waits_put_in;
}

}  // namespace
}  // namespace norn
