// Suites as in DetReduce's tables 2 and 3: inputs by `random` and by `swifthand`, made small by norn and by
// the published algorithm (ten cold runs each, no memory, no snapshots) from the same input; then: do the
// small ones still catch bugs; and the whole command at 10,000 traces.
//
//     build/release/bench/suite_bench [--full] [--apps DIR] [--only NAME] [--part table|bugs|scale] [--ours]
//                                     [--mutants N] [--seed N] [--hours H] [--hidden P]
#include <sys/resource.h>

#include <array>
#include <ctime>
#include <numeric>

#include "device/sim/mutant.h"
#include "device/sim/options.h"
#include "device/sim/truth.h"
#include "explore/explore.h"
#include "replay/fleet.h"
#include "replay/maze.h"
#include "suite/bench_support.h"
#include "suite/random_walk.h"
#include "suite/run.h"

namespace {
using namespace norn;
using namespace norn::bench;

double hours(double seconds) { return seconds / 3600; }

struct Made {
  SuiteResult suite;
  double device_seconds = 0, cpu_seconds = 0;
  double certified = 0;  ///< share of traces that replay 20 of 20
  std::vector<SuiteCase> cases, original;
  Mask mask;
};

Made make(const Named& app, const std::string& strategy, double seconds, bool published, std::uint64_t seed,
          By by = By::coverage) {
  FleetOptions fleet;
  if (published) fleet.memory = false, fleet.snapshots.number = 0;
  Rigged rig = open_rig(app.spec, fleet);
  const auto traces = make_input(rig, strategy, seconds, seed);
  SuiteOptions options = published ? SuiteOptions::as_published() : SuiteOptions{};
  options.prices = prices_of(rig.info);
  options.coverable = rig.info.coverable;
  options.certificate = 1;
  options.bound = !published && by == By::coverage;
  options.by = by;
  Made out;
  const double before = rig.replay->spent().device_seconds;
  const std::clock_t begin = std::clock();
  Quiet quiet;
  auto suite = make_suite(*rig.replay, traces, options, quiet);
  out.cpu_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  out.device_seconds = rig.replay->spent().device_seconds - before;
  if (!suite) {
    fmt::print(stderr, "{}: {}\n", app.name, suite.error().message());
    return out;
  }
  out.suite = std::move(*suite);
  std::size_t sure = 0;
  for (const SuiteTrace& trace : out.suite.traces) {
    const Outcome o =
        rig.replay->ask({.events = trace.events,
                         .watch = rig.tree->crash(trace.end) ? Watch{AnyCrash{}} : Watch{Completes{}},
                         .sure = Sure::certified,
                         .repeats = 20});
    sure += o.no.all() == 0 && o.yes.all() == 20;
    out.cases.push_back(suite_case(*rig.tree, trace.end, "small"));
  }
  out.certified =
      out.suite.traces.empty() ? 1 : static_cast<double>(sure) / static_cast<double>(out.suite.traces.size());
  for (const NodeId end : traces) out.original.push_back(suite_case(*rig.tree, end, "original"));
  out.mask = rig.tree->mask();
  return out;
}

double over(double seconds, double bound) { return bound > 0 ? seconds / bound : 0; }

void head() {
  fmt::print(
      "{:<12} {:<9} {:<5}| {:>6} {:>4} {:>6} {:>5} | {:>6} {:>5} | {:>6} {:>5} | {:>6} {:>5} | {:>5} {:>5} "
      "{:>5} {:>5} | "
      "{:>6} {:>6} {:>6} {:>6} {:>5} {:>4} {:>5}\n",
      "app", "input", "by", "cover", "#scr", "#act", "#tr", "p1act", "#tr", "p2act", "#tr", "end", "#tr",
      "t0", "tp1", "tp2", "tend", "tr", "tr/t%", "choice", "bound", "20/20", "lost", "cpu");
}

void row(const Named& app, const std::string& strategy, const char* who, const Made& m) {
  const SuiteResult& s = m.suite;
  if (s.phases.size() < 4) return;
  const auto& cut = s.phases[1];
  const auto& spliced = s.phases[2];
  double last = 0;
  for (std::size_t i = 3; i < s.phases.size(); ++i) last += s.phases[i].effort.device_seconds;
  fmt::print(
      "{:<12} {:<9} {:<5}| {:>6} {:>4} {:>6} {:>5} | {:>6} {:>5} | {:>6} {:>5} | {:>6} {:>5} | {:>5.2f} "
      "{:>5.2f} {:>5.2f} "
      "{:>5.2f} | {:>6.3f} {:>6.2f} {:>6.2f} {:>6.2f} {:>5.2f} {:>4} {:>5.1f}\n",
      app.name, strategy, who, s.after.code, s.after.screens, s.before.events, s.before.traces,
      cut.after.events, cut.after.traces, spliced.after.events, spliced.after.traces, s.after.events,
      s.after.traces, hours(s.phases[0].effort.device_seconds), hours(cut.effort.device_seconds),
      hours(spliced.effort.device_seconds), hours(last), hours(s.after.run_seconds),
      100 * s.after.run_seconds / s.before.run_seconds, over(s.after.run_seconds, s.choice_at_least),
      over(s.after.run_seconds, s.run_at_least), m.certified, s.lost.size(), m.cpu_seconds);
  std::fflush(stdout);
}

/// Whether a suite notices that the app is another.
bool detects(const std::vector<SuiteCase>& cases, const Mask& mask, const std::string& spec) {
  auto opened = open_device(spec);
  if (!opened) return true;  // it does not even load
  FleetOptions fresh;
  fresh.memory = false;
  Rigged rig = open_rig(spec, fresh);
  RunSuiteOptions options;
  options.mask = mask;
  options.coverage = false;
  Quiet quiet;
  for (const SuiteCase& one : cases)
    if (run_suite(*rig.replay, std::span(&one, 1), options, quiet)[0].verdict != CaseResult::Verdict::pass)
      return true;
  return false;
}

/// How many of the changed apps each suite notices: what was given, small by coverage, small by steps.
struct Rates {
  std::size_t all = 0;
  std::array<std::size_t, 3> noticed{};
  std::size_t by_trigger = 0;  ///< known bugs only: noticed by the events that are known to trigger them
  Rates& operator+=(const Rates& o) {
    all += o.all, by_trigger += o.by_trigger;
    for (std::size_t s = 0; s < noticed.size(); ++s) noticed[s] += o.noticed[s];
    return *this;
  }
};

using Suites = std::array<const std::vector<SuiteCase>*, 3>;

void judge(const Suites& suites, const Mask& mask, const std::string& spec, Rates& rates) {
  ++rates.all;
  for (std::size_t s = 0; s < suites.size(); ++s) rates.noticed[s] += detects(*suites[s], mask, spec);
}

/// A bug's own events, as a suite made without it: is what it does seen at all?
std::vector<SuiteCase> trigger(const Named& app, const sim::KnownBug& bug) {
  Rigged rig = open_rig(app.spec);
  const Outcome o = rig.replay->ask({.events = rig.replay->intern(bug.events), .watch = AnyCrash{}});
  if (o.verdict == Verdict::unresolved) return {};
  return {suite_case(*rig.tree, o.end, bug.id)};
}

void print_rates(const char* what, const Rates& r) {
  if (r.all > 0) fmt::print("  {} {}/{}/{} of {}", what, r.noticed[0], r.noticed[1], r.noticed[2], r.all);
}

double total(const std::vector<SuiteCase>& cases, const Prices& prices) {
  double sum = 0;
  for (const SuiteCase& one : cases)
    sum += prices.restart + prices.event * static_cast<double>(one.events.size());
  return sum;
}

Rates known_bugs(const Named& app, const Suites& suites, const Mask& mask) {
  Rates known;
  const auto truth = app.group == "bundled" ? sim::load_truth(app.name) : Result<sim::Truth>{};
  if (app.group != "bundled" || !truth) return known;
  for (const auto& bug : truth->bugs) {
    if (!bug.device.empty()) continue;  // it needs another device
    const std::string spec = fmt::format("sim:{}?bugs={}", app.name, bug.id);
    judge(suites, mask, spec, known);
    const bool seen = detects(trigger(app, bug), mask, spec);
    known.by_trigger += seen;
    if (!seen) fmt::print("  {}: {} is not seen even where it happens\n", app.name, bug.id);
  }
  return known;
}

Rates mutants_of(const Named& app, const Suites& suites, const Mask& mask, std::size_t number) {
  Rates mutated;
  const auto options = sim::parse_options(app.spec);
  const auto source = options ? sim::find_source(*options) : std::unexpected(options.error());
  const std::size_t all = source ? sim::mutant_count(source->text) : 0;
  number = std::min(all, number);
  for (std::size_t i = 0; i < number; ++i)
    judge(suites, mask, fmt::format("{}&mutant={}", app.spec, i * all / number), mutated);
  return mutated;
}

void bugs(const Arguments& args, double seconds) {
  fmt::print(
      "noticed by the random suite that was given / by the small one / by the small one --by steps:\n");
  Rates all_known, all_mutated;
  for (const Named& app : apps_of(args)) {
    const Made made = make(app, "random", seconds, false, args.seed);
    const Made steps = make(app, "random", seconds, false, args.seed, By::steps);
    const Suites suites{&made.original, &made.cases, &steps.cases};
    const Rates known = known_bugs(app, suites, made.mask);
    const Rates mutated = mutants_of(app, suites, made.mask,
                                     args.mutants > 0 ? args.mutants
                                     : args.full      ? 100
                                                      : 20);
    fmt::print("{:<12}", app.name);
    print_rates("known bugs", known);
    if (known.all > 0) fmt::print(" ({} by their own events)", known.by_trigger);
    print_rates("mutants", mutated);
    const double whole = total(made.original, {});
    fmt::print("  run time {:.1f} and {:.1f} %\n", 100 * total(made.cases, {}) / whole,
               100 * total(steps.cases, {}) / whole);
    std::fflush(stdout);
    all_known += known, all_mutated += mutated;
  }
  fmt::print("{:<12}", "all");
  print_rates("known bugs", all_known);
  fmt::print(" ({} by their own events)", all_known.by_trigger);
  print_rates("mutants", all_mutated);
  fmt::print("\n");
}

// ---- scale ----

/// The whole command without a real device: an app of 400 pages in memory, 10,000 random traces of 15 events
/// on average.
void scale(std::size_t traces) {
  Rigged rig;
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<testing::Maze>(
      testing::MazeOptions{.seed = 1, .pages = 400, .buttons = 8, .hidden = 3}));
  rig.replay =
      std::make_unique<Replay>(std::make_unique<Fleet>(std::move(devices), App{}, *rig.tree, FleetOptions{}));
  std::clock_t begin = std::clock();
  const auto lap = [&] {
    const double out = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    begin = std::clock();
    return out;
  };
  testing::RandomWalk walk(1, 15 * traces, 1.0 / 15);
  if (!rig.replay->walk(NodeId{0}, walk, {})) return;
  fmt::print("\nscale: {} traces, {} actions recorded in {:.1f} s of CPU;", walk.ends.size(), 15 * traces,
             lap());
  std::fflush(stdout);
  Quiet quiet;
  const auto suite = make_suite(*rig.replay, walk.ends, {}, quiet);
  const double cpu = lap();
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  if (suite)
    fmt::print(
        " suite of {} traces, {} actions in {:.1f} s of CPU ({} candidates, {:.1f} h of device time), {} "
        "lost, {:.2f} GB at most\n",
        suite->after.traces, suite->after.events, cpu,
        std::accumulate(suite->phases.begin(), suite->phases.end(), std::uint64_t{0},
                        [](std::uint64_t n, const SuitePhase& p) { return n + p.tried; }),
        hours(rig.replay->spent().device_seconds), suite->lost.size(),
        static_cast<double>(used.ru_maxrss) / 1e6);
}

void table(const Arguments& args, double seconds) {
  fmt::print(
      "inputs of {:.2f} h of device time, bugs switched off, seed {}; times in hours of device time; tr: one "
      "run of "
      "the result,\ncover: lines and functions; choice: over the least that any choice among all executed "
      "traces and their beginnings needs (set cover, linear program);\nbound: over the least any suite of "
      "the executed steps needs (linear program over the abstract states)\n\n",
      hours(seconds), args.seed);
  head();
  std::vector<double> time_ratio, run_ratio, bound_ratio, choice_ratio;
  for (const Named& app : apps_of(args))
    for (const std::string strategy : {"random", "swifthand"}) {
      const Made ours = make(app, strategy, seconds, false, args.seed);
      row(app, strategy, "norn", ours);
      if (ours.suite.traces.empty()) continue;
      bound_ratio.push_back(over(ours.suite.after.run_seconds, ours.suite.run_at_least));
      choice_ratio.push_back(over(ours.suite.after.run_seconds, ours.suite.choice_at_least));
      if (args.ours) continue;
      const Made theirs = make(app, strategy, seconds, true, args.seed);
      row(app, strategy, "paper", theirs);
      if (theirs.suite.traces.empty()) continue;
      time_ratio.push_back(ours.device_seconds / theirs.device_seconds);
      run_ratio.push_back(ours.suite.after.run_seconds / theirs.suite.after.run_seconds);
    }
  fmt::print("\nmedians: run time of the result {:.2f} of the least choice, {:.2f} of the lower bound",
             upper_median(choice_ratio), upper_median(bound_ratio));
  if (!args.ours)
    fmt::print(", {:.2f} of the paper's; device time {:.3f} of the paper's", upper_median(run_ratio),
               upper_median(time_ratio));
  fmt::print("\n\n");
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments args = arguments(argc, argv);
  const double seconds = 3600 * (args.hours > 0 ? args.hours : args.full ? 8.0 : 0.5);
  const auto wanted = [&](const char* part) { return args.part.empty() || args.part == part; };
  if (wanted("table")) table(args, seconds);
  if (wanted("bugs")) bugs(args, seconds);
  if (wanted("scale")) scale(args.full || args.part.empty() ? 10000 : 1000);
}
