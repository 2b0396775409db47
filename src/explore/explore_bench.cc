// Strategies against each other: same apps, same seeds, same device time.
//
//   explore_bench [--full] [--seeds N] [--first-seed N] [--minutes M] [--apps DIR] [--generated N]
//                 [--first-generated SEED] [--screens N] [--strategies a,b,c] [--against NAME]
//                 [--only bundled|generated|apps] [--no-launches] [--jobs N]
//
// Line coverage, states and distinct known bugs (confirmed from a clean start), in the end and over time, per
// group of apps: bundled, generated, somebody else's (DIR: app.lua, and app.bugs.json where bugs are known).
// --no-launches: system events start no activity by its name, as on a phone where they are not exported.
// `monkey-unsettled` does not wait for the screen; `timemachine-widgets`, `monkey+system-widgets` and the
// like draw from what the screen offers instead of Monkey's mix; `norn-snapshots` and the like are norn
// without that part. Quick: 3 seeds, 30 minutes of device time; --full: 20 seeds, 2 hours. Options are read
// in order, so `--full --seeds 5` is a quarter of the latter.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/text.h"
#include "device/open.h"
#include "explore/bench_main.h"
#include "explore/bench_subjects.h"
#include "explore/bench_tables.h"
#include "explore/explore.h"
#include "replay/fleet.h"

namespace norn {
namespace {

/// Stock Monkey at its throttle of 200 ms; what it hit and crashed is read off every 25 events, that is, 5
/// seconds.
constexpr std::int32_t unsettled_pace = 200;
constexpr std::uint32_t unsettled_looks = 25;

struct Plan {
  SubjectPlan subjects;
  TablePlan table{.strategies = {"monkey-unsettled", "monkey", "monkey+system", "monkey+restart",
                                 "monkey+system+restart", "random", "swifthand", "timemachine", "norn",
                                 "norn-snapshots", "norn-novelty", "norn-recombination", "norn-navigation",
                                 "norn-forms", "norn-system", "norn-everything"}};
  std::uint64_t first_seed = 1, jobs = 1;
  bool launches = true;
};

ExploreOptions options_for(const std::string& strategy, std::uint64_t seed, double minutes) {
  ExploreOptions options;
  options.strategy = strategy.substr(0, strategy.find('-'));
  if (strategy == "monkey-unsettled") options.pace_ms = unsettled_pace, options.look_every = unsettled_looks;
  if (strategy.ends_with("-widgets")) options.travel.generator = TravelOptions::Generator::widgets;
  const auto with = [&](const char* part) {
    return strategy != std::string("norn-") + part && strategy != "norn-everything";
  };
  options.norn = {.snapshots = with("snapshots"),
                  .novelty = with("novelty"),
                  .recombination = with("recombination"),
                  .navigation = with("navigation"),
                  .forms = with("forms"),
                  .system = with("system")};
  options.seed = seed;
  options.seconds = minutes * 60;
  options.confirm = 1;
  return options;
}

StrategyRow run_one(Subject& subject, const std::string& strategy, std::uint64_t seed, const Plan& plan) {
  History tree;
  ExploreOptions options = options_for(strategy, seed, plan.table.minutes);
  auto replay = service(subject.device, tree, &options);
  if (!plan.launches) options.activities.clear();
  StrategyRow row;
  if (!replay) return row;
  Quiet quiet;
  const double begin = cpu_now();
  const auto result = explore(*replay, options, quiet);
  row.cpu = cpu_now() - begin;
  if (!result)
    return fmt::print(stderr, "{} {}: {}\n", subject.name, strategy, result.error().message()), row;
  subject.lines = options.coverable.lines;
  row.coverage = 100.0 * static_cast<double>(options.coverable.lines_of(result->covered)) /
                 static_cast<double>(std::max<std::uint64_t>(options.coverable.lines, 1));
  row.states = static_cast<double>(result->graph.size());
  row.events = static_cast<double>(result->events);
  row.over_time = result->over_time;
  row.coverable = options.coverable.total();
  row.state_times = result->first_seen_at;
  for (const FoundCrash& crash : result->crashes) {
    if (!crash.confirmed()) continue;
    ++row.crashes;
    if (!subject.bugs.contains(crash.signature)) continue;
    ++row.bugs;
    row.bug_times.push_back(crash.first_seen);
  }
  return row;
}

Status run(const Plan& plan) {
  NORN_TRY(auto all, subjects(plan.subjects));
  const auto& strategies = plan.table.strategies;
  Table table;
  for (const auto& s : strategies) table[s].resize(all.size(), std::vector<StrategyRow>(plan.table.seeds));
  const std::size_t jobs = strategies.size() * all.size() * plan.table.seeds;
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> workers;
  for (std::size_t w = 0; w < plan.jobs; ++w)
    workers.emplace_back([&] {
      for (std::size_t j; (j = next++) < jobs;) {
        const auto& strategy = strategies[j % strategies.size()];
        const std::size_t app = j / strategies.size() % all.size(), seed = j / strategies.size() / all.size();
        table[strategy][app][seed] = run_one(all[app], strategy, plan.first_seed + seed, plan);
      }
    });
  workers.clear();
  print_apps(all, table, plan.table);
  for (const char* group : {"bundled", "generated", "apps"}) print_group(group, all, table, plan.table);
  double cpu = 0;
  for (const auto& [strategy, runs] : table)
    for (const auto& rows : runs)
      for (const StrategyRow& r : rows) cpu += r.cpu;
  fmt::print("\n{} explorations, {:.0f} s of CPU\n", jobs, cpu);
  return {};
}

}  // namespace
}  // namespace norn

int main(int argc, char** argv) {
  using norn::into;
  norn::Plan plan;
  norn::TablePlan& table = plan.table;
  std::string strategies;
  return norn::bench_main(argc, argv,
                          {{"--full", norn::when([&] { table.seeds = 20, table.minutes = 120; })},
                           {"--seeds", into(table.seeds)},
                           {"--first-seed", into(plan.first_seed)},
                           {"--minutes", into(table.minutes)},
                           {"--generated", into(plan.subjects.generated)},
                           {"--first-generated", into(plan.subjects.first_generated)},
                           {"--screens", into(plan.subjects.screens)},
                           {"--no-launches", norn::when([&] { plan.launches = false; })},
                           {"--apps", into(plan.subjects.apps)},
                           {"--only", into(plan.subjects.only)},
                           {"--strategies", into(strategies)},
                           {"--against", into(table.against)},
                           {"--jobs", into(plan.jobs)}},
                          [&] {
                            if (!strategies.empty()) table.strategies.clear();
                            if (!strategies.empty())
                              for (const auto s : norn::split(strategies, ','))
                                table.strategies.emplace_back(s);
                            return norn::run(plan);
                          });
}
