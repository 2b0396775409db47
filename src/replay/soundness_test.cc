// The service's answers equal plain cold replays, on every bundled and on generated apps, whatever the order,
// snapshots, memory and number of devices. A fresh seed a day, printed. NORN_SOAK_APPS and NORN_SOAK_REQUESTS
// make it long.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "base/text.h"
#include "device/open.h"
#include "device/sim.h"
#include "replay/fleet.h"
#include "replay/plain.h"

namespace norn {
namespace {

std::size_t from_environment(const char* name, std::size_t otherwise) {
  const char* value = std::getenv(name);
  return value ? static_cast<std::size_t>(to_int(value).value_or(static_cast<std::int64_t>(otherwise)))
               : otherwise;
}

/// Bundled apps first, then generated ones.
std::string app_number(std::size_t i, std::uint64_t seed) {
  const auto bundled = sim_apps();
  if (i < bundled.size()) return "sim:" + bundled[i];
  return fmt::format("sim:generated?seed={}&screens={}", seed % 100000 + i, 10 + i % 30);
}

struct Wrong {
  std::size_t requests = 0, wrong = 0, from_memory = 0;
};

Wrong check(const std::string& spec, std::size_t requests, std::uint64_t seed, std::size_t devices) {
  Wrong out;
  Rng rng(seed);
  std::vector<std::unique_ptr<Device>> pool;
  auto plain = open_device(spec);
  EXPECT_TRUE(plain) << spec << ": " << plain.error().message();
  for (std::size_t i = 0; i < devices; ++i) pool.push_back(std::move(open_device(spec)->device));
  History tree;
  FleetOptions options;
  options.snapshots.number = rng.below(3) == 0 ? 0 : 1 + rng.below(16);
  Replay replay(std::make_unique<Fleet>(std::move(pool), plain->app, tree, options));
  std::vector<std::vector<Event>> walks;
  for (int i = 0; i < 4; ++i)
    walks.push_back(testing::random_walk(rng, *plain->device, plain->app, 12 + rng.below(20)));
  for (std::size_t i = 0; i < requests; ++i) {
    const auto events = testing::composed(rng, walks);
    const Missing missing = rng.below(2) == 0 ? Missing::skip : Missing::stop;
    const auto truth = testing::plain_replay(*plain->device, plain->app, events, missing);
    Watch watch = AnyCrash{};
    if (rng.chance(0.4)) watch = Completes{};
    if (rng.chance(0.4))
      watch = Reaches{abstract(truth.screen, Abstraction::structure), Abstraction::structure};
    Request request{.events = replay.intern(events), .watch = watch, .missing = missing};
    request.sure = rng.chance(0.5) ? Sure::once : Sure::tested;
    const Outcome outcome = replay.ask(request);
    ++out.requests;
    const bool right = outcome.verdict == (testing::expected(watch, truth) ? Verdict::yes : Verdict::no);
    out.wrong += !right;
    EXPECT_TRUE(right) << spec << " request " << i << " of seed " << seed;
  }
  out.from_memory = replay.spent().from_memory;
  EXPECT_EQ(tree.agreement().disagreed, 0U) << spec;
  return out;
}

TEST(Soundness, OnAppsAnswersEqualPlainColdReplays) {
  const std::size_t apps = from_environment("NORN_SOAK_APPS", 20),
                    requests = from_environment("NORN_SOAK_REQUESTS", 50);
  const std::uint64_t seed =
      from_environment("NORN_SEED", static_cast<std::size_t>(std::time(nullptr) / 86400));
  Wrong all;
  for (std::size_t i = 0; i < apps; ++i) {
    const Wrong one = check(app_number(i, seed), requests, seed * 1000 + i, 1 + i % 3);
    all.requests += one.requests, all.wrong += one.wrong, all.from_memory += one.from_memory;
  }
  fmt::print("seed of the day {}: {} apps, {} requests, {} answered from memory, {} wrong\n", seed, apps,
             all.requests, all.from_memory, all.wrong);
}

}  // namespace
}  // namespace norn
