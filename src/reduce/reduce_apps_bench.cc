// Reducers on known bugs of apps: traces of 100, 300 and 1,000 events that end in them, real noise between the necessary events.
// Bundled and generated apps apart. Published reducers ask `once` without snapshots and get the common 1-minimality pass.
//
//     build/release/bench/reduce_apps_bench [--full] [--bugs N] [--generated N] [--seed S]
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
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
  std::size_t bugs = 3, generated = 6;
  std::uint64_t seed = 1;
};

struct Column {
  std::vector<double> seconds;
  std::size_t size = 0, shortest = 0, minimal = 0;
};
using Table = std::map<std::string, std::map<std::string, Column>>;

/// How a published reducer or norn fares on one trace, by the service's meter.
void measure(const std::string& spec, const App& app, const std::vector<Event>& trace, std::uint64_t crash,
             std::size_t shortest, const std::string& row, Table& table) {
  for (const std::string name : {"dd", "hdd", "bhdd", "lhdd", "probdd", "norn"}) {
    const bool own = name == "norn";
    auto opened = open_device(spec);
    if (!opened) return;
    History tree;
    FleetOptions options;
    if (!own) options.snapshots.number = 0;
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::move(opened->device));
    Replay replay(std::make_unique<Fleet>(std::move(devices), app, tree, options));
    const auto events = replay.intern(trace);
    Request like{.watch = SameCrash{crash, Sameness::frames}, .missing = Missing::skip};
    Request whole = like;
    whole.events = events;
    if (replay.ask(whole).verdict != Verdict::yes) return;
    const double begin = replay.spent().device_seconds;
    Problem problem{static_cast<std::uint32_t>(events.size()), {}};
    const auto way = replay.likely_way(whole);
    for (std::size_t i = 0, at = 0; i < events.size(); ++i) {
      while (at + 1 < way.size() && way[at + 1].second <= i) ++at;
      problem.states.push_back(abstract(tree.screen(way[at].first), Abstraction::activity));
    }
    ReplayQuestion question(replay, events, like, {0.65, 5, 4, 3, own}, {});
    const Shrunk shrunk = (*algorithm_by_name(name))(problem, question);
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

void take(const std::string& kind, const std::string& spec, const std::vector<sim::KnownBug>& bugs,
          const Settings& settings, Table& table) {
  std::size_t used = 0;
  for (const auto& bug : bugs) {
    if (bug.kind != sim::KnownBug::Kind::crash || !bug.device.empty() || used == settings.bugs) continue;
    auto opened = open_device(spec);
    if (!opened) return;
    testing::NoisyTraces traces(*opened->device, opened->app, bug.events, settings.seed + used);
    if (!traces.crash()) continue;
    ++used;
    for (const std::size_t length : settings.lengths)
      if (const auto trace = traces.make(length))
        measure(spec, opened->app, *trace, *traces.crash(), bug.events.size(),
                fmt::format("{} {:4}", kind, length), table);
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
  }
  Table table;
  for (const std::string& app : sim_apps())
    if (const auto truth = sim::load_truth(app)) take("bundled", "sim:" + app, truth->bugs, settings, table);
  for (std::size_t i = 0; i < settings.generated; ++i) {
    const std::uint64_t seed = settings.seed * 1000 + i;
    if (const auto app = sim::generate_app(seed, 40))
      take("generated", fmt::format("sim:generated?seed={}&screens=40", seed), app->truth.bugs, settings,
           table);
  }
  fmt::print(
      "device seconds, mean/median (1-minimality pass included); then size, how often no longer than the "
      "known shortest\n{:15}",
      "");
  const std::vector<std::string> names{"dd", "hdd", "bhdd", "lhdd", "probdd", "norn"};
  for (const auto& name : names) fmt::print(" {:>13}", name);
  fmt::print("   traces  norn/best\n");
  for (auto& [row, columns] : table) {
    fmt::print("{:15}", row);
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
    fmt::print("   {:6}  {:.2f}\n{:15}", columns["norn"].seconds.size(), ours / best, "");
    for (const auto& name : names) {
      const Column& c = columns[name];
      const auto n = static_cast<double>(c.seconds.size());
      fmt::print(" {:>13}", fmt::format("{:.1f} {:.0f}%", static_cast<double>(c.size) / n,
                                        100 * static_cast<double>(c.shortest) / n));
    }
    fmt::print("\n");
  }
}
