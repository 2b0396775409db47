// Every reducer on the shared oracles whose crash comes only sometimes, as `norn reduce` runs them: rate of
// the original first, the 1-minimality of the result asked, a certificate of 20 cold runs at the end.
// Published reducers ask `once`, as they were published, norn tests against the measured rate. What is true
// of a result is read off the oracle.
//
//     build/release/bench/reduce_flaky_bench [--every N] [FOLDER]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/average.h"
#include "base/text.h"
#include "device/oracle.h"
#include "reduce/reduce.h"
#include "replay/fleet.h"

namespace {
using namespace norn;

struct Column {
  std::vector<double> seconds;
  std::size_t cases = 0, refused = 0, unresolved = 0, kept = 0, size = 0, claimed = 0, claimed_wrongly = 0,
              minimal = 0;
};

/// Whether these events can crash at all.
bool can_crash(const Oracle& oracle, const OracleCase& the_case, const std::vector<std::uint32_t>& places) {
  OracleRun run(oracle, the_case);
  return std::ranges::any_of(places, [&](std::uint32_t place) { return run.perform(place + 2); });
}

bool minimal(const Oracle& oracle, const OracleCase& the_case, const std::vector<std::uint32_t>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto rest = places;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    if (can_crash(oracle, the_case, rest)) return false;
  }
  return true;
}

void measure(const Oracle& oracle, std::size_t index, const std::string& name, Column& column) {
  History tree;
  FleetOptions fleet;
  if (name != "norn") fleet.snapshots.number = 0;
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(oracle_device(oracle, index, Costs{}, true));
  Replay replay(std::make_unique<Fleet>(std::move(devices), oracle_app(oracle, index), tree, fleet));
  ReduceOptions options;
  options.algorithm = name;
  options.missing = Missing::point;
  options.recorded = true;
  options.prices.snapshots = name == "norn";
  const auto result = reduce(replay, oracle_events(oracle), options);
  ++column.cases;
  if (!result) return void(++column.unresolved);
  const auto* r = std::get_if<Reduction>(&*result);
  if (!r) return void(++column.refused);
  std::vector<std::uint32_t> places;
  for (const auto& event : r->events)
    if (event.from) places.push_back(static_cast<std::uint32_t>(*event.from));
  const OracleCase& the_case = oracle.cases[index];
  const bool crashes = can_crash(oracle, the_case, places), is_minimal = minimal(oracle, the_case, places);
  column.seconds.push_back(replay.spent().device_seconds);
  column.kept += crashes;
  column.size += places.size();
  column.minimal += crashes && is_minimal;
  column.claimed += r->one_minimal;
  column.claimed_wrongly += r->one_minimal && !is_minimal;
}

void print(const std::string& name, const Column& c) {
  const auto n = static_cast<double>(std::max<std::size_t>(c.seconds.size(), 1));
  fmt::print("{:10} {:>5} {:>8} {:>12} {:>6} {:>6.2f} {:>9} {:>8} {:>8}\n", name, c.cases, c.refused,
             fmt::format("{:.0f}/{:.0f}", mean(c.seconds), median(c.seconds)), c.kept,
             static_cast<double>(c.size) / n, c.minimal, c.claimed, c.claimed_wrongly);
}

}  // namespace

int main(int argc, char** argv) {
  const char* shared = std::getenv("NORN_SHARED");
  std::filesystem::path folder =
      std::filesystem::path(shared ? shared : NORN_SOURCE_DIR "/../shared") / "data/oracles";
  std::size_t every = 1;
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]) == "--every" && i + 1 < argc)
      every = static_cast<std::size_t>(std::max(1L, static_cast<long>(to_int(argv[++i]).value_or(1))));
    else
      folder = argv[i];
  if (!std::filesystem::exists(folder)) {
    fmt::print("skipped: {} is not there\n", folder.string());
    return 0;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  const std::vector<std::string> names{"dd", "hdd", "bhdd", "lhdd", "probdd", "norn"};
  std::vector<Column> columns(names.size());
  for (std::size_t f = 0; f < files.size(); f += every) {
    const auto oracle = read_oracle(files[f]);
    for (std::size_t c = 0; oracle && c < oracle->cases.size(); ++c)
      for (std::size_t k = 0; oracle->cases[c].rate < 1 && k < names.size(); ++k)
        measure(*oracle, c, names[k], columns[k]);
  }
  fmt::print(
      "flaky cases; device seconds mean/median with rate, proof and certificate\n{:10} {:>5} {:>8} {:>12} "
      "{:>6} {:>6} {:>9} {:>8} {:>8}\n",
      "", "cases", "refused", "seconds", "kept", "size", "1-minimal", "claimed", "wrongly");
  for (std::size_t k = 0; k < names.size(); ++k) print(names[k], columns[k]);
}
