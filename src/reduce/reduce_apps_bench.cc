// Reducers on known bugs of apps: traces of 100, 300 and 1,000 events that end in them. Either real noise
// between the necessary events, or random walks that found the bug themselves at about that length. Bundled
// and generated apps apart. Published reducers ask `once` without snapshots and get the common 1-minimality
// pass.
//
//     build/release/bench/reduce_apps_bench [--full] [--bugs N] [--generated N] [--seed S] [--walks N] [--no-bundled]
//                                           [--algo NAME]... [--state ABSTRACTION] [--no-snapshots] [--no-states] [--no-loops]
//
// --walks N: instead of noise, up to N random walks an app. The last three take something from norn, for
// ablations.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/average.h"
#include "base/text.h"
#include "device/open.h"
#include "device/sim.h"
#include "device/sim/generate_truth.h"
#include "device/sim/truth.h"
#include "reduce/noisy.h"
#include "reduce/question.h"
#include "replay/fleet.h"

namespace {
using namespace norn;

struct Settings {
  std::vector<std::size_t> lengths{100, 300};
  std::size_t bugs = 3, generated = 6, walks = 0;
  std::uint64_t seed = 1;
  bool bundled = true, snapshots = true, states = true, loops = true;
  Abstraction state = Abstraction::activity;
  std::vector<std::string> algorithms;
};

struct Column {
  std::vector<double> seconds;
  std::size_t size = 0, shortest = 0, minimal = 0;
};
using Table = std::map<std::string, std::map<std::string, Column>>;

/// A trace to reduce.
struct Case {
  std::string spec;  ///< of the device
  std::vector<Event> trace;
  std::uint64_t crash = 0;   ///< its signature
  std::size_t shortest = 0;  ///< events that are known to be enough
  std::string row;           ///< of the table
};

/// How each published reducer and norn fare on one trace, by the service's meter.
void measure(const Case& one, const Settings& settings, Table& table) {
  for (const std::string& name : settings.algorithms) {
    const bool own = name == "norn", snapshots = own && settings.snapshots;
    auto opened = open_device(one.spec);
    if (!opened) return;
    History tree;
    FleetOptions options;
    if (!snapshots) options.snapshots.number = 0;
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::move(opened->device));
    Replay replay(std::make_unique<Fleet>(std::move(devices), opened->app, tree, options));
    const auto events = replay.intern(one.trace);
    Request like{.watch = SameCrash{one.crash, Sameness::frames}, .missing = Missing::skip};
    Request whole = like;
    whole.events = events;
    if (replay.ask(whole).verdict != Verdict::yes) return;
    const double begin = replay.spent().device_seconds;
    Problem problem{static_cast<std::uint32_t>(events.size()), received_in(replay, whole, settings.state)};
    if (own && !settings.states) problem.states.clear();
    ReplayQuestion question(replay, events, like, {0.65, 5, 4, 3, snapshots}, {});
    question.abstraction = settings.state;
    const Algorithm algorithm = own && !settings.loops ? norn_without_loops : *algorithm_by_name(name);
    const Shrunk shrunk = algorithm(problem, question);
    const Shrunk minimal = own ? shrunk : minimal_pass(shrunk.kept, question);
    for (const std::string& row : {one.row, std::string("~all")}) {
      Column& column = table[row][name];
      column.seconds.push_back(replay.spent().device_seconds - begin);
      column.size += minimal.kept.size();
      column.shortest += minimal.kept.size() <= one.shortest;
      column.minimal += minimal.one_minimal;
    }
  }
}

/// A crash that can be had on this device, and how few events are known to be enough.
struct Bug {
  std::uint64_t crash = 0;
  std::vector<Event> events;
};
std::vector<Bug> crashes_of(const OpenedDevice& opened, const std::vector<sim::KnownBug>& known,
                            const Settings& settings) {
  std::vector<Bug> out;
  for (const auto& bug : known) {
    if (bug.kind != sim::KnownBug::Kind::crash || !bug.device.empty() || out.size() == settings.bugs)
      continue;
    testing::NoisyTraces core(*opened.device, opened.app, bug.events, settings.seed);
    if (core.crash()) out.push_back({*core.crash(), bug.events});
  }
  return out;
}

/// Random walks that end in one of the bugs when they are about as long as wanted; one for each bug and length.
void take_walks(const std::string& kind, const std::string& spec, const OpenedDevice& opened,
                const std::vector<Bug>& bugs, const Settings& settings, Table& table) {
  std::set<std::pair<std::uint64_t, std::size_t>> taken;
  Rng rng(settings.seed);
  const std::size_t longest = settings.lengths.back() * 3 / 2;
  for (std::size_t walk = 0; walk < settings.walks; ++walk) {
    const auto events = testing::random_walk(rng, *opened.device, opened.app, longest);
    const auto end = testing::plain_replay(*opened.device, opened.app, events, Missing::skip);
    if (!end.crash) continue;
    const auto crash = signature(*end.crash, Sameness::frames);
    const auto bug = std::ranges::find(bugs, crash, &Bug::crash);
    const auto length = std::ranges::find_if(settings.lengths, [&](std::size_t wanted) {
      return events.size() >= wanted / 2 && events.size() < wanted * 3 / 2;
    });
    if (bug == bugs.end() || length == settings.lengths.end() || !taken.insert({crash, *length}).second)
      continue;
    measure({.spec = spec,
             .trace = events,
             .crash = crash,
             .shortest = bug->events.size(),
             .row = fmt::format("{} walk {:4}", kind, *length)},
            settings, table);
  }
}

void take(const std::string& kind, const std::string& spec, const std::vector<sim::KnownBug>& known,
          const Settings& settings, Table& table) {
  const auto opened = open_device(spec);
  if (!opened) return;
  const auto bugs = crashes_of(*opened, known, settings);
  if (settings.walks > 0) return take_walks(kind, spec, *opened, bugs, settings, table);
  for (std::size_t i = 0; i < bugs.size(); ++i) {
    testing::NoisyTraces traces(*opened->device, opened->app, bugs[i].events, settings.seed + i);
    for (const std::size_t length : settings.lengths)
      if (const auto trace = traces.make(length))
        measure({.spec = spec,
                 .trace = *trace,
                 .crash = bugs[i].crash,
                 .shortest = bugs[i].events.size(),
                 .row = fmt::format("{} {:4}", kind, length)},
                settings, table);
  }
}

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    const auto number = [&] {
      return i + 1 < argc ? static_cast<std::size_t>(to_int(argv[++i]).value_or(1)) : 1;
    };
    if (a == "--full")
      settings.lengths = {100, 300, 1000}, settings.generated = 20;
    else if (a == "--bugs")
      settings.bugs = number();
    else if (a == "--generated")
      settings.generated = number();
    else if (a == "--seed")
      settings.seed = number();
    else if (a == "--walks")
      settings.walks = number();
    else if (a == "--no-bundled")
      settings.bundled = false;
    else if (a == "--no-snapshots")
      settings.snapshots = false;
    else if (a == "--no-states")
      settings.states = false;
    else if (a == "--no-loops")
      settings.loops = false;
    else if (a == "--state" && i + 1 < argc)
      settings.state = abstraction_by_name(argv[++i]).value_or(Abstraction::activity);
    else if (a == "--algo" && i + 1 < argc)
      settings.algorithms.emplace_back(argv[++i]);
  }
  if (settings.algorithms.empty()) settings.algorithms = {"dd", "hdd", "bhdd", "lhdd", "probdd", "norn"};
  return settings;
}

Table measure_all(const Settings& settings) {
  Table table;
  for (const std::string& app : sim_apps())
    if (const auto truth = sim::load_truth(app); truth && settings.bundled)
      take("bundled", "sim:" + app, truth->bugs, settings, table);
  for (std::size_t i = 0; i < settings.generated; ++i) {
    const std::uint64_t seed = settings.seed * 1000 + i;
    if (const auto app = sim::generate_app(seed, 40))
      take("generated", fmt::format("sim:generated?seed={}&screens=40", seed), app->truth.bugs, settings,
           table);
  }
  return table;
}

/// Mean and median device seconds of each algorithm, and norn's mean over the best of the others'.
void print_seconds(const std::map<std::string, Column>& columns, const std::vector<std::string>& names) {
  double best = 1e300, ours = 0;
  std::size_t traces = 0;
  for (const auto& name : names) {
    std::vector<double> seconds = columns.at(name).seconds;
    std::ranges::sort(seconds);
    const double average = mean(seconds);
    fmt::print(" {:>13}", fmt::format("{:.0f}/{:.0f}", average, seconds[seconds.size() / 2]));
    if (name == "norn")
      ours = average, traces = seconds.size();
    else
      best = std::min(best, average);
  }
  fmt::print("   {:6}  {:.2f}", traces, ours / best);
}

/// Mean size of the results, and how often one is no longer than the known shortest.
void print_sizes(const std::map<std::string, Column>& columns, const std::vector<std::string>& names) {
  for (const auto& name : names) {
    const Column& c = columns.at(name);
    const auto n = static_cast<double>(c.seconds.size());
    fmt::print(" {:>13}", fmt::format("{:.1f} {:.0f}%", static_cast<double>(c.size) / n,
                                      100 * static_cast<double>(c.shortest) / n));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = parse(argc, argv);
  const Table table = measure_all(settings);
  fmt::print(
      "device seconds, mean/median (1-minimality pass included); then size, how often no longer than the "
      "known shortest\n{:19}",
      "");
  for (const auto& name : settings.algorithms) fmt::print(" {:>13}", name);
  fmt::print("   traces  norn/best\n");
  for (const auto& [row, columns] : table) {
    fmt::print("{:19}", row);
    print_seconds(columns, settings.algorithms);
    fmt::print("\n{:19}", "");
    print_sizes(columns, settings.algorithms);
    fmt::print("\n");
  }
}
