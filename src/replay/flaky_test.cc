// Flaky apps of every rate, asked through the service: outside of the gap between its hypotheses the test
// errs no more often than it says, inside there is an operating curve. NORN_SOAK makes 2,000 decisions a row
// (docs/replay.md has the tables).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>

#include "replay/fleet.h"
#include "replay/maze.h"
#include "replay/statistics.h"

namespace norn {
namespace {

/// One button that crashes the app with a certain chance.
class Coin final : public Device {
 public:
  explicit Coin(double rate) : rate_(rate), maze_({.crashes = false}) {}
  DeviceInfo info() const override { return maze_.info(); }
  Status start(const App& app, Nonce nonce) override { return begin(nonce, maze_.start(app, nonce)); }
  Result<Observation> observe() override {
    auto seen = maze_.observe();
    if (!crashed_) return seen;
    seen->crash.emplace();
    seen->crash->chain.push_back({Thrown::Role::top, "java.lang.IllegalStateException", "tails", {}, 0});
    return seen;
  }
  Status perform(const Action&, Pace) override {
    crashed_ = chance_.chance(rate_);
    return {};
  }
  Result<SnapshotId> save() override { return maze_.save(); }
  Status restore(SnapshotId id, Nonce nonce) override { return begin(nonce, maze_.restore(id, nonce)); }
  void forget(SnapshotId id) override { maze_.forget(id); }
  double meter() const override { return maze_.meter(); }

 private:
  Status begin(Nonce nonce, Status status) {
    chance_ = Rng(nonce);
    crashed_ = false;
    return status;
  }
  double rate_;
  testing::Maze maze_;
  Rng chance_;
  bool crashed_ = false;
};

Replay service(double rate, History& tree, std::uint64_t seed) {
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<Coin>(rate));
  FleetOptions options;
  options.seed = seed;
  return Replay(std::make_unique<Fleet>(std::move(devices), App{}, tree, options));
}

struct Decided {
  double yes = 0, runs = 0;  ///< share of decisions; mean
};

Decided decide(double rate, double r0, double error, int decisions) {
  int yes = 0;
  std::uint64_t runs = 0;
  for (int i = 0; i < decisions; ++i) {
    History tree;
    Replay replay = service(rate, tree, static_cast<std::uint64_t>(i) + 1);
    const Request request{.events = {replay.intern(Key{key::back})},
                          .watch = AnyCrash{},
                          .sure = Sure::tested,
                          .rate = r0,
                          .error = error};
    const Outcome outcome = replay.ask(request);
    EXPECT_NE(outcome.verdict, Verdict::unresolved);
    yes += outcome.verdict == Verdict::yes;
    runs += replay.spent().runs;
  }
  return {yes / static_cast<double>(decisions), static_cast<double>(runs) / decisions};
}

TEST(Flaky, ErrsAsSeldomAsItSaysAtEveryTrueRate) {
  const int decisions = std::getenv("NORN_SOAK") ? 2000 : 60;
  const double error = 0.05, slack = 3 * std::sqrt(error * (1 - error) / decisions);
  for (const double r0 : {1.0, 0.7, 0.3}) {
    const double reject = reject_share * r0 + 1e-9, accept = accept_share * r0 - 1e-9;
    fmt::print(
        "r0 = {}: H0 p <= {:.2f}, H1 p >= {:.2f}; {} decisions a row\n  true rate  says yes  mean runs\n", r0,
        reject, accept, decisions);
    for (const double p : {0.05, 0.1, 0.12, 0.18, 0.24, 0.28, 0.35, 0.4, 0.5, 0.56, 0.7, 0.8, 0.9, 0.99}) {
      const Decided at = decide(p, r0, error, decisions);
      const char* side = p <= reject ? "H0" : p >= accept ? "H1" : "";
      fmt::print("  {:9.2f} {:9.3f} {:10.1f}  {}\n", p, at.yes, at.runs, side);
      EXPECT_LE(p <= reject ? at.yes : 0, error + slack) << p;
      EXPECT_LE(p >= accept ? 1 - at.yes : 0, error + slack) << p;
    }
  }
}

TEST(Flaky, CertificatesAskedForAgainAreOtherRuns) {
  History tree;
  std::set<std::uint32_t> seen;
  for (int day = 0; day < 8; ++day) {
    Replay replay = service(0.5, tree, 1);
    const Outcome outcome = replay.ask({.events = {replay.intern(Key{key::back})},
                                        .watch = AnyCrash{},
                                        .sure = Sure::certified,
                                        .repeats = 100});
    EXPECT_EQ(outcome.yes.cold + outcome.no.cold, 100U);
    seen.insert(outcome.yes.cold);
  }
  EXPECT_GT(seen.size(), 2U);
}

}  // namespace
}  // namespace norn
