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
#include <numeric>
#include <set>
#include <string>

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

/// How a published reducer or norn fares on one trace, by the service's meter.
void measure(const std::string& spec, const App& app, const std::vector<Event>& trace, std::uint64_t crash,
             std::size_t shortest, const std::string& row, const Settings& settings, Table& table) {
  for (const std::string& name : settings.algorithms) {
    const bool own = name == "norn", snapshots = own && settings.snapshots;
    auto opened = open_device(spec);
    if (!opened) return;
    History tree;
    FleetOptions options;
    if (!snapshots) options.snapshots.number = 0;
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::move(opened->device));
    Replay replay(std::make_unique<Fleet>(std::move(devices), app, tree, options));
    const auto events = replay.intern(trace);
    Request like{.watch = SameCrash{crash, Sameness::frames}, .missing = Missing::skip};
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
    for (const std::string& r : {row, std::string("~all")}) {
      Column& column = table[r][name];
      column.seconds.push_back(replay.spent().device_seconds - begin);
      column.size += minimal.kept.size();
      column.shortest += minimal.kept.size() <= shortest;
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
    measure(spec, opened.app, events, crash, bug->events.size(), fmt::format("{} walk {:4}", kind, *length),
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
        measure(spec, opened->app, *trace, bugs[i].crash, bugs[i].events.size(),
                fmt::format("{} {:4}", kind, length), settings, table);
  }
}

}  // namespace

int main(int argc, char** argv) {
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
  fmt::print(
      "device seconds, mean/median (1-minimality pass included); then size, how often no longer than the "
      "known shortest\n{:19}",
      "");
  const auto& names = settings.algorithms;
  for (const auto& name : names) fmt::print(" {:>13}", name);
  fmt::print("   traces  norn/best\n");
  for (auto& [row, columns] : table) {
    fmt::print("{:19}", row);
    double best = 1e300, ours = 0;
    for (const auto& name : names) {
      Column& c = columns[name];
      std::ranges::sort(c.seconds);
      const double mean =
          std::accumulate(c.seconds.begin(), c.seconds.end(), 0.0) / static_cast<double>(c.seconds.size());
      fmt::print(" {:>13}", fmt::format("{:.0f}/{:.0f}", mean, c.seconds[c.seconds.size() / 2]));
      if (name == "norn")
        ours = mean;
      else
        best = std::min(best, mean);
    }
    fmt::print("   {:6}  {:.2f}\n{:19}", columns["norn"].seconds.size(), ours / best, "");
    for (const auto& name : names) {
      const Column& c = columns[name];
      const auto n = static_cast<double>(c.seconds.size());
      fmt::print(" {:>13}", fmt::format("{:.1f} {:.0f}%", static_cast<double>(c.size) / n,
                                        100 * static_cast<double>(c.shortest) / n));
    }
    fmt::print("\n");
  }
}
