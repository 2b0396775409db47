// Strategies against each other: same apps, same seeds, same device time.
//
//   explore_bench [--full] [--seeds N] [--minutes M] [--apps DIR] [--generated N] [--first-generated SEED]
//                 [--strategies a,b,c] [--only bundled|generated|apps] [--jobs N]
//
// Line coverage, states and distinct known bugs (confirmed from a clean start) per group of apps: bundled, generated,
// somebody else's. A crash is a known bug if it has the signature that the bug's own trigger events produce; the truth
// is asked only here. A12 is the mean over apps, p a Mann-Whitney test in blocks of apps with Holm over the rows.
// `monkey-unsettled` does not wait for the screen; `norn-snapshots` and the like are norn without
// that part. Quick: 3 seeds, 30 minutes of device time; --full: 20 seeds, 2 hours.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#include "base/file.h"
#include "base/text.h"
#include "device/open.h"
#include "device/sim.h"
#include "device/sim/generate_truth.h"
#include "device/sim/truth.h"
#include "explore/explore.h"
#include "explore/ranking.h"
#include "replay/fleet.h"

namespace norn {
namespace {

/// Stock Monkey at its throttle of 200 ms; what it hit and crashed is read off every 25 events, that is, 5 seconds.
constexpr std::int32_t unsettled_pace = 200;
constexpr std::uint32_t unsettled_looks = 25;

struct Subject {
  std::string group, name, device;
  std::map<std::uint64_t, std::string> bugs;  ///< signature -> id
  std::uint64_t lines = 0;
};

struct Row {
  double coverage = 0, states = 0, bugs = 0, crashes = 0, events = 0, wall = 0;
  std::vector<std::pair<double, std::uint64_t>> over_time;
};

struct Plan {
  std::uint64_t seeds = 3, generated = 12, first_generated = 9000;
  double minutes = 30;
  std::string apps, only;
  std::vector<std::string> strategies{"monkey-unsettled",
                                      "monkey",
                                      "monkey+system",
                                      "monkey+restart",
                                      "monkey+system+restart",
                                      "random",
                                      "swifthand",
                                      "timemachine",
                                      "norn",
                                      "norn-snapshots",
                                      "norn-novelty",
                                      "norn-recombination",
                                      "norn-navigation",
                                      "norn-forms",
                                      "norn-system",
                                      "norn-everything"};
  std::size_t jobs = 1;
};

ExploreOptions options_for(const std::string& strategy, std::uint64_t seed, double minutes) {
  ExploreOptions options;
  options.strategy = strategy.substr(0, strategy.find('-'));
  if (strategy == "monkey-unsettled") options.pace_ms = unsettled_pace, options.look_every = unsettled_looks;
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

std::unique_ptr<Replay> service(const std::string& spec, History& tree, ExploreOptions* options = nullptr) {
  auto opened = open_device(spec);
  if (!opened) return fmt::print(stderr, "{}\n", opened.error().message()), nullptr;
  if (options) {
    const DeviceInfo info = opened->device->info();
    options->activities = info.activities;
    options->coverable = info.coverable;
    options->package = opened->app.name;
  }
  std::vector<std::unique_ptr<Device>> devices;
  const App app = opened->app;
  devices.push_back(std::move(opened->device));
  return std::make_unique<Replay>(std::make_unique<Fleet>(std::move(devices), app, tree, FleetOptions{}));
}

/// The signature each known crash has, by running its own events; what does not hold is left out.
void learn_bugs(Subject& subject, const sim::Truth& truth) {
  for (const auto& bug : truth.bugs) {
    if (bug.kind != sim::KnownBug::Kind::crash || !bug.device.empty()) continue;
    History tree;
    auto replay = service(subject.device, tree);
    if (!replay) return;
    const Outcome outcome = replay->ask({.events = replay->intern(bug.events), .watch = AnyCrash{}});
    if (outcome.verdict != Verdict::yes) continue;
    subject.bugs[signature(*tree.crash(outcome.end), Sameness::frames)] = bug.id;
  }
}

std::vector<Subject> subjects(const Plan& plan) {
  std::vector<Subject> out;
  if (plan.only.empty() || plan.only == "bundled")
    for (const std::string& name : sim_apps())
      if (auto truth = sim::load_truth(name)) {
        out.push_back({"bundled", name, "sim:" + name, {}});
        learn_bugs(out.back(), *truth);
      }
  if (plan.only.empty() || plan.only == "generated")
    for (std::uint64_t i = 0; i < plan.generated; ++i) {
      const std::uint64_t seed = plan.first_generated + i;
      const int screens = 20 + static_cast<int>(i % 3) * 20;
      if (auto app = sim::generate_app(seed, screens)) {
        out.push_back({"generated",
                       fmt::format("{}/{}", seed, screens),
                       fmt::format("sim:generated?seed={}&screens={}", seed, screens),
                       {}});
        learn_bugs(out.back(), app->truth);
      }
    }
  if (!plan.apps.empty())
    for (const auto& file : std::filesystem::directory_iterator(plan.apps)) {
      if (file.path().extension() != ".lua") continue;
      Subject subject{"apps", file.path().stem().string(), "sim:" + file.path().string(), {}};
      auto beside = file.path();
      const auto app = sim_app(subject.device);
      if (const auto text = read_file(beside.replace_extension(".bugs.json")); text && app)
        if (const auto truth = sim::parse_truth(*text, app->name, beside.string()))
          learn_bugs(subject, *truth);
      out.push_back(std::move(subject));
    }
  return out;
}

Row run_one(Subject& subject, const std::string& strategy, std::uint64_t seed, double minutes) {
  History tree;
  ExploreOptions options = options_for(strategy, seed, minutes);
  auto replay = service(subject.device, tree, &options);
  Quiet quiet;
  const auto begin = std::chrono::steady_clock::now();
  const auto result = explore(*replay, options, quiet);
  Row row;
  row.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!result)
    return fmt::print(stderr, "{} {}: {}\n", subject.name, strategy, result.error().message()), row;
  subject.lines = options.coverable.lines;
  row.coverage = 100.0 * static_cast<double>(options.coverable.lines_of(result->covered)) /
                 static_cast<double>(std::max<std::uint64_t>(options.coverable.lines, 1));
  row.states = static_cast<double>(result->graph.size());
  row.events = static_cast<double>(result->events);
  row.over_time = result->over_time;
  for (const FoundCrash& crash : result->crashes) {
    row.crashes += crash.confirmed() ? 1 : 0;
    row.bugs += crash.confirmed() && subject.bugs.contains(crash.signature) ? 1 : 0;
  }
  return row;
}

/// Device seconds until that many ids were covered; infinity: never.
double time_to(const Row& row, double wanted) {
  for (const auto& [seconds, covered] : row.over_time)
    if (static_cast<double>(covered) >= wanted) return seconds;
  return std::numeric_limits<double>::infinity();
}

using Table = std::map<std::string, std::vector<std::vector<Row>>>;  ///< strategy -> subject -> seeds

double mean_of(const std::vector<Row>& rows, double Row::* field) {
  std::vector<double> v;
  for (const Row& r : rows) v.push_back(r.*field);
  return median(v);
}

/// One strategy against another: runs are compared app by app.
struct Versus {
  double a12_coverage = 0.5, a12_bugs = 0.5, p_coverage = 1, p_bugs = 1;
};
Versus compare(const std::vector<std::vector<Row>>& ours, const std::vector<std::vector<Row>>& theirs,
               const std::vector<std::size_t>& members) {
  std::vector<Block> coverage, bugs;
  Versus out{0, 0};
  for (const std::size_t i : members) {
    Block c, b;
    for (const Row& r : ours[i]) c.a.push_back(r.coverage), b.a.push_back(r.bugs);
    for (const Row& r : theirs[i]) c.b.push_back(r.coverage), b.b.push_back(r.bugs);
    out.a12_coverage += a12(c.a, c.b) / static_cast<double>(members.size());
    out.a12_bugs += a12(b.a, b.b) / static_cast<double>(members.size());
    coverage.push_back(std::move(c)), bugs.push_back(std::move(b));
  }
  out.p_coverage = mann_whitney(coverage), out.p_bugs = mann_whitney(bugs);
  return out;
}

/// What the paper claims: ahead of Monkey with system events and of both that restart.
void print_paper(const Table& table, const std::vector<std::size_t>& members) {
  if (!table.contains("timemachine")) return;
  std::vector<std::string> others;
  std::vector<Versus> all;
  std::vector<double> p_coverage, p_bugs;
  for (const char* other : {"monkey+system", "monkey+restart", "monkey+system+restart"})
    if (table.contains(other)) {
      others.emplace_back(other);
      all.push_back(compare(table.at("timemachine"), table.at(other), members));
      p_coverage.push_back(all.back().p_coverage), p_bugs.push_back(all.back().p_bugs);
    }
  p_coverage = holm(p_coverage), p_bugs = holm(p_bugs);
  for (std::size_t i = 0; i < all.size(); ++i)
    fmt::print("timemachine against {}: coverage A12 {:.2f}, p {:.4f}; bugs A12 {:.2f}, p {:.4f}\n",
               others[i], all[i].a12_coverage, p_coverage[i], all[i].a12_bugs, p_bugs[i]);
}

void print_group(const std::string& group, const std::vector<Subject>& all, const Table& table,
                 const Plan& plan) {
  std::vector<std::size_t> members;
  std::size_t known = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].group == group) members.push_back(i), known += all[i].bugs.size();
  if (members.empty()) return;
  fmt::print("\n{}: {} apps, {} known crashes, {} seeds, {} minutes of device time\n", group, members.size(),
             known, plan.seeds, plan.minutes);
  fmt::print("{:<24} {:>8} {:>8} {:>7} {:>8} {:>8} | vs monkey+system: {:>5} {:>7} {:>5} {:>7} | {:>9}\n",
             "strategy", "cover %", "states", "bugs", "of known", "crashes", "A12c", "p(cov)", "A12b",
             "p(bugs)", "events/s");
  std::vector<double> p_coverage, p_bugs;
  const bool has_base = table.contains("monkey+system");
  for (const auto& s : plan.strategies)
    if (has_base) {
      const Versus v = compare(table.at(s), table.at("monkey+system"), members);
      p_coverage.push_back(v.p_coverage);
      p_bugs.push_back(v.p_bugs);
    }
  p_coverage = holm(p_coverage), p_bugs = holm(p_bugs);
  for (std::size_t k = 0; k < plan.strategies.size(); ++k) {
    const auto& s = plan.strategies[k];
    std::vector<double> coverage, states;
    double bugs = 0, crashes = 0, events = 0, wall = 0;
    for (const std::size_t i : members) {
      const auto& rows = table.at(s)[i];
      coverage.push_back(mean_of(rows, &Row::coverage));
      states.push_back(mean_of(rows, &Row::states));
      for (const Row& r : rows) bugs += r.bugs, crashes += r.crashes, events += r.events, wall += r.wall;
    }
    const auto per_seed = static_cast<double>(plan.seeds);
    const Versus v = has_base ? compare(table.at(s), table.at("monkey+system"), members) : Versus{};
    fmt::print(
        "{:<24} {:>8.1f} {:>8.0f} {:>7.1f} {:>8} {:>8.1f} | {:>17} {:>5.2f} {:>7.4f} {:>5.2f} {:>7.4f} | "
        "{:>9.0f}\n",
        s, median(coverage), median(states), bugs / per_seed, known, crashes / per_seed, "", v.a12_coverage,
        has_base ? p_coverage[k] : 1, v.a12_bugs, has_base ? p_bugs[k] : 1, events / std::max(wall, 1e-9));
  }
  print_paper(table, members);
  if (!table.contains("norn") || !table.contains("timemachine")) return;
  std::vector<double> share;
  std::vector<std::string> behind;
  double norn_bugs = 0, tm_bugs = 0;
  for (const std::size_t i : members) {
    const auto& ours = table.at("norn")[i];
    const auto& theirs = table.at("timemachine")[i];
    std::vector<double> each;
    for (std::size_t seed = 0; seed < ours.size(); ++seed) {
      const double wanted =
          theirs[seed].over_time.empty() ? 0 : static_cast<double>(theirs[seed].over_time.back().second);
      each.push_back(time_to(ours[seed], wanted) / (plan.minutes * 60));
      norn_bugs += ours[seed].bugs, tm_bugs += theirs[seed].bugs;
    }
    share.push_back(median(each));
    if (table.contains("monkey") &&
        (mean_of(ours, &Row::coverage) < mean_of(table.at("monkey")[i], &Row::coverage) ||
         mean_of(ours, &Row::bugs) < mean_of(table.at("monkey")[i], &Row::bugs)))
      behind.push_back(all[i].name);
  }
  fmt::print(
      "norn reaches timemachine's final coverage in {:.3f} of the device time (median over apps; worst "
      "{:.2f}); "
      "bugs {:.2f} times timemachine's; behind monkey on: {}\n",
      median(share), *std::max_element(share.begin(), share.end()), norn_bugs / std::max(tm_bugs, 1e-9),
      behind.empty() ? "no app" : fmt::format("{}", fmt::join(behind, ", ")));
}

void print_apps(const std::vector<Subject>& all, const Table& table, const Plan& plan) {
  fmt::print("\nper app: coverage % / bugs (medians)\n{:<14} {:>6} {:>5}", "app", "lines", "bugs");
  for (const auto& s : plan.strategies) fmt::print(" {:>14.14}", s);
  fmt::print("\n");
  for (std::size_t i = 0; i < all.size(); ++i) {
    fmt::print("{:<14} {:>6} {:>5}", all[i].name, all[i].lines, all[i].bugs.size());
    for (const auto& s : plan.strategies)
      fmt::print(" {:>9.1f}/{:<4.1f}", mean_of(table.at(s)[i], &Row::coverage),
                 mean_of(table.at(s)[i], &Row::bugs));
    fmt::print("\n");
  }
}

int run(const Plan& plan) {
  const auto begin = std::chrono::steady_clock::now();
  auto all = subjects(plan);
  Table table;
  for (const auto& s : plan.strategies) table[s].resize(all.size(), std::vector<Row>(plan.seeds));
  const std::size_t jobs = plan.strategies.size() * all.size() * plan.seeds;
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> workers;
  for (std::size_t w = 0; w < plan.jobs; ++w)
    workers.emplace_back([&] {
      for (std::size_t j; (j = next++) < jobs;) {
        const auto& strategy = plan.strategies[j % plan.strategies.size()];
        const std::size_t app = j / plan.strategies.size() % all.size(),
                          seed = j / plan.strategies.size() / all.size();
        table[strategy][app][seed] = run_one(all[app], strategy, seed + 1, plan.minutes);
      }
    });
  workers.clear();
  print_apps(all, table, plan);
  for (const char* group : {"bundled", "generated", "apps"}) print_group(group, all, table, plan);
  fmt::print("\n{:.0f} s\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return 0;
}

}  // namespace
}  // namespace norn

int main(int argc, char** argv) {
  norn::Plan plan;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    const auto number = [&] { return i + 1 < argc ? norn::to_double(argv[++i]).value_or(1) : 1.0; };
    const auto word = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (arg == "--full")
      plan.seeds = 20, plan.minutes = 120;
    else if (arg == "--seeds")
      plan.seeds = static_cast<std::uint64_t>(number());
    else if (arg == "--minutes")
      plan.minutes = number();
    else if (arg == "--generated")
      plan.generated = static_cast<std::uint64_t>(number());
    else if (arg == "--first-generated")
      plan.first_generated = static_cast<std::uint64_t>(number());
    else if (arg == "--jobs")
      plan.jobs = static_cast<std::size_t>(number());
    else if (arg == "--apps")
      plan.apps = word();
    else if (arg == "--only")
      plan.only = word();
    else if (arg == "--strategies") {
      plan.strategies.clear();
      const std::string list = word();
      for (const auto s : norn::split(list, ',')) plan.strategies.emplace_back(s);
    } else
      return fmt::print(stderr, "explore_bench: {}: unknown\n", arg), 2;
  }
  return norn::run(plan);
}
