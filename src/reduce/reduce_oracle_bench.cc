// Every reducer on the shared oracles under the real service: what specs/perf.md calls the benchmark. The
// recording itself (one run of the whole trace) is in the tree before the meter starts, for all alike.
// Published reducers ask `once`, as they were published, without snapshots; to each the common 1-minimality
// pass is added. norn proves it itself.
//
//     build/release/bench/reduce_oracle_bench [--save S --load S --event S --restart S] [--no-snapshots] [--no-memory]
//                                             [--no-states] [--no-loops]
//                                             [--algo NAME]... [--every N] [FOLDER]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "base/average.h"
#include "base/text.h"
#include "device/oracle.h"
#include "reduce/question.h"
#include "replay/fleet.h"

namespace {
using namespace norn;

struct Settings {
  Costs costs;
  bool snapshots = true, memory = true, states = true, loops = true;
  std::size_t every = 1;
  std::vector<std::string> algorithms;
  std::filesystem::path folder;
};

struct Measured {
  double seconds = 0, with_pass = 0;
  std::size_t size = 0;
  bool one_minimal = false;
  Effort effort;
};

Measured measure(const Oracle& oracle, std::size_t index, const std::string& name, const Settings& settings) {
  History tree;
  const bool own = name == "norn";
  FleetOptions options;
  options.memory = settings.memory;
  if (!own || !settings.snapshots) options.snapshots.number = 0;
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(oracle_device(oracle, index, settings.costs, settings.snapshots));
  const App app = oracle_app(oracle, index);
  Replay replay(std::make_unique<Fleet>(std::move(devices), app, tree, options));

  const auto events = replay.intern(oracle_events(oracle));
  Request like{.watch = AnyCrash{}, .missing = Missing::point};
  Request whole = like;
  whole.events = events;
  const Outcome recorded = replay.ask(whole);
  const double begin = replay.spent().device_seconds;
  if (recorded.verdict != Verdict::yes)
    fmt::print(stderr, "{} case {}: the recording does not crash\n", oracle.trace, index);

  Problem problem{static_cast<std::uint32_t>(events.size()), {}};
  // The states are those of the recording as the service saw it.
  NodeId node = recorded.end;
  std::vector<StateId> seen;
  for (const NodeId n : tree.path(node))
    seen.push_back(abstract(tree.screen(tree.parent(n)), Abstraction::activity));
  if (settings.states) problem.states = seen;

  Prices prices{settings.costs.event, settings.costs.restart, settings.costs.save, settings.costs.load,
                settings.snapshots};
  ReplayQuestion question(replay, events, like, prices, {});
  const Algorithm algorithm = own && !settings.loops ? norn_without_loops : *algorithm_by_name(name);
  const Shrunk shrunk = algorithm(problem, question);
  Measured out;
  out.seconds = replay.spent().device_seconds - begin;
  const Shrunk minimal = own ? shrunk : minimal_pass(shrunk.kept, question);
  out.with_pass = replay.spent().device_seconds - begin;
  out.size = minimal.kept.size();
  out.one_minimal = minimal.one_minimal;
  out.effort = replay.spent();
  return out;
}

struct Column {
  std::vector<double> seconds, with_pass, sizes;
  std::size_t minimal = 0;
  Effort effort;
};

Settings parse(int argc, char** argv) {
  Settings s;
  const char* shared = std::getenv("NORN_SHARED");
  s.folder = std::filesystem::path(shared ? shared : NORN_SOURCE_DIR "/../shared") / "data/oracles";
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    const auto number = [&] { return i + 1 < argc ? to_double(argv[++i]).value_or(0) : 0; };
    if (a == "--save")
      s.costs.save = number();
    else if (a == "--load")
      s.costs.load = number();
    else if (a == "--event")
      s.costs.event = number();
    else if (a == "--restart")
      s.costs.restart = number();
    else if (a == "--no-snapshots")
      s.snapshots = false;
    else if (a == "--no-memory")
      s.memory = false;
    else if (a == "--no-states")
      s.states = false;
    else if (a == "--no-loops")
      s.loops = false;
    else if (a == "--every")
      s.every = static_cast<std::size_t>(number());
    else if (a == "--algo" && i + 1 < argc)
      s.algorithms.emplace_back(argv[++i]);
    else
      s.folder = a;
  }
  if (s.algorithms.empty()) s.algorithms = {"dd", "hdd", "bhdd", "lhdd", "lhdd-nopre", "probdd", "norn"};
  return s;
}

struct Results {
  std::map<std::string, std::map<std::string, Column>> table;  ///< by row, then by algorithm
  std::map<std::string, std::size_t> larger;  ///< cases whose result is larger than dd's, by kind
};

void measure_case(const Oracle& oracle, std::size_t index, const Settings& settings, Results& results) {
  const OracleCase& the_case = oracle.cases[index];
  std::size_t size_of_dd = 0;
  for (const auto& name : settings.algorithms) {
    const Measured m = measure(oracle, index, name, settings);
    if (name == "dd") size_of_dd = m.size;
    if (name == "norn" && size_of_dd > 0 && m.size > size_of_dd) ++results.larger[the_case.kind];
    for (const std::string& row : {the_case.kind + (the_case.machine ? " m" : ""), std::string("~all")}) {
      Column& column = results.table[row][name];
      column.seconds.push_back(m.seconds);
      column.with_pass.push_back(m.with_pass);
      column.sizes.push_back(static_cast<double>(m.size));
      column.minimal += m.one_minimal;
      column.effort += m.effort;
    }
  }
}

Results measure_all(const Settings& settings) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(settings.folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  Results results;
  for (std::size_t f = 0; f < files.size(); f += settings.every) {
    const auto oracle = read_oracle(files[f]);
    if (!oracle) {
      fmt::print(stderr, "{}\n", oracle.error().message());
      continue;
    }
    for (std::size_t c = 0; c < oracle->cases.size(); ++c)
      if (oracle->cases[c].rate >= 1) measure_case(*oracle, c, settings, results);
  }
  return results;
}

/// Mean and median of each algorithm, and norn's over the best of the others'.
void print_row(const std::map<std::string, Column>& columns, const std::vector<std::string>& names) {
  double best = 1e300, best_median = 1e300;
  for (const auto& name : names) {
    const Column& c = columns.at(name);
    fmt::print(" {:>12}", fmt::format("{:.0f}/{:.0f}", mean(c.with_pass), median(c.with_pass)));
    if (name != "norn")
      best = std::min(best, mean(c.with_pass)), best_median = std::min(best_median, median(c.with_pass));
  }
  if (columns.contains("norn"))
    fmt::print("   {:.2f}/{:.2f}", mean(columns.at("norn").with_pass) / best,
               median(columns.at("norn").with_pass) / best_median);
}

void print_effort(const std::string& name, const Column& c) {
  const auto n = static_cast<double>(c.sizes.size());
  fmt::print(
      "{:10} size {:.2f}  1-minimal {}/{}  runs {:.1f}  events {:.0f}  restarts {:.1f}  saves {:.1f}  "
      "loads {:.1f}  from memory {:.1f}\n",
      name, mean(c.sizes), c.minimal, c.sizes.size(), static_cast<double>(c.effort.runs) / n,
      static_cast<double>(c.effort.events) / n, static_cast<double>(c.effort.restarts) / n,
      static_cast<double>(c.effort.snapshot_saves) / n, static_cast<double>(c.effort.snapshot_loads) / n,
      static_cast<double>(c.effort.from_memory) / n);
}

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = parse(argc, argv);
  if (!std::filesystem::exists(settings.folder)) {
    fmt::print("skipped: {} is not there\n", settings.folder.string());
    return 0;
  }
  const auto begun = std::chrono::steady_clock::now();
  Results results = measure_all(settings);
  fmt::print(
      "device seconds with the 1-minimality pass, mean/median; event {} s, restart {} s, save {} s, load {} "
      "s{}\n{:10}",
      settings.costs.event, settings.costs.restart, settings.costs.save, settings.costs.load,
      settings.snapshots ? "" : ", no snapshots", "");
  for (const auto& name : settings.algorithms) fmt::print(" {:>12}", name);
  fmt::print("   norn/best\n");
  for (const auto& [row, columns] : results.table) {
    fmt::print("{:10}", row);
    print_row(columns, settings.algorithms);
    fmt::print("\n");
  }
  for (const auto& name : settings.algorithms) print_effort(name, results.table["~all"][name]);
  for (const auto& [kind, cases] : results.larger) fmt::print("larger than dd's: {} {}\n", kind, cases);
  fmt::print("wall {:.1f} s\n",
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
}
