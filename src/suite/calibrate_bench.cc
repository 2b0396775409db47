// Is the simulator like life? DetReduce's paper tells how often spliced traces replay on real apps; the same
// is measured here on bundled and generated ones. Far off, and what suite gains here says little.
//
//     build/release/bench/calibrate_bench [--full] [--apps DIR] [--only NAME] [--ours] [--seed N] [--hours H]
//                                         [--hidden P]
#include <array>
#include <map>

#include "explore/explore.h"
#include "replay/fleet.h"
#include "suite/bench_support.h"
#include "suite/material.h"

namespace {
using namespace norn;
using namespace norn::bench;

constexpr std::size_t longest = 20;  ///< links of a splice, as in the paper

/// A random path of exactly k fragments: nothing where chance did not find one.
std::optional<Path> random_splice(
    const std::vector<Path>& library, Joint start, std::uint32_t k, Rng& rng,
    const std::map<Joint, std::vector<std::pair<std::size_t, std::size_t>>>& places) {
  Path out;
  Joint at = start;
  for (std::uint32_t f = 0; f < k; ++f) {
    const auto here = places.find(at);
    if (here == places.end()) return std::nullopt;
    const auto [t, from] = here->second[rng.below(here->second.size())];
    const std::size_t room = std::min(library[t].size() - from, longest - std::min(longest, out.size()));
    const std::size_t left = k - f - 1;
    if (room <= left) return std::nullopt;
    const std::size_t length = 1 + rng.below(room - left);
    out.insert(out.end(), library[t].begin() + static_cast<std::ptrdiff_t>(from),
               library[t].begin() + static_cast<std::ptrdiff_t>(from + length));
    if (out.back().crash && left > 0) return std::nullopt;
    at = out.back().joint;
  }
  return out;
}

struct Table {
  std::array<std::uint32_t, 10> good{}, made{};
};

Table splices(Rigged& rig, const SuiteResult& suite, std::size_t samples, std::uint64_t seed) {
  Knowledge known;
  Material material(*rig.tree, known, Abstraction::actions_plus, Joints::none);
  std::vector<Path> library;
  for (const SuiteTrace& trace : suite.traces) library.push_back(material.path(trace.end));
  std::map<Joint, std::vector<std::pair<std::size_t, std::size_t>>> places;
  for (std::size_t t = 0; t < library.size(); ++t)
    for (std::size_t at = 0; at < library[t].size(); ++at)
      places[at == 0 ? material.start() : library[t][at - 1].joint].emplace_back(t, at);
  Rng rng(seed);
  Table out;
  for (std::uint32_t k = 1; k <= 10; ++k)
    for (std::size_t tries = 0; out.made[k - 1] < samples && tries < samples * 200; ++tries) {
      const auto path = random_splice(library, material.start(), k, rng, places);
      if (!path) continue;
      Request request;
      for (const Link& link : *path) {
        request.events.push_back(link.event);
        if (!link.crash) request.expect.push_back(link.expect);
      }
      request.expect_by = Abstraction::actions_plus;
      if (path->back().crash) request.watch = SameCrash{path->back().expect.value, Sameness::frames};
      request.sure = Sure::tested;
      const Outcome o = rig.replay->ask(request);
      if (o.verdict == Verdict::unresolved) continue;
      ++out.made[k - 1];
      out.good[k - 1] += o.verdict == Verdict::yes;
    }
  return out;
}

/// The same of what phase 1 leaves of an input of so many seconds.
Table splices_of(const std::string& spec, double seconds, std::size_t samples, std::uint64_t seed) {
  Rigged rig = open_rig(spec);
  const auto traces = make_input(rig, "random", seconds, seed);
  SuiteOptions first = SuiteOptions::as_published();
  first.repeats = 0, first.k = 0, first.certificate = 1;
  Quiet quiet;
  const auto suite = make_suite(*rig.replay, traces, first, quiet);
  return suite ? splices(rig, *suite, samples, seed) : Table{};
}

void print_row(const std::string& name, const Table& table) {
  fmt::print("{:<14}", name);
  for (std::size_t k = 0; k < 10; ++k)
    if (table.made[k] == 0)
      fmt::print("{:>6}", "-");
    else
      fmt::print("{:>6.2f}", table.good[k] / static_cast<double>(table.made[k]));
  fmt::print("\n");
  std::fflush(stdout);
}

struct Totals {
  std::uint64_t tried = 0, replayed = 0;
  std::vector<std::uint64_t> failed = std::vector<std::uint64_t>(10, 0);
  std::vector<double> share, phase1, phase2;  ///< of each app, percent
};

void add(const SuiteResult& suite, Totals& totals) {
  std::uint64_t tried = 0, replayed = 0;
  for (std::size_t p = 1; p < 3; ++p) {
    tried += suite.phases[p].tried, replayed += suite.phases[p].replayed;
    for (std::size_t i = 0; i < suite.phases[p].failed_on_run.size() && i < 10; ++i)
      totals.failed[i] += suite.phases[p].failed_on_run[i];
  }
  totals.tried += tried, totals.replayed += replayed;
  totals.share.push_back(100 * static_cast<double>(replayed) /
                         static_cast<double>(std::max<std::uint64_t>(tried, 1)));
  const auto removed = [](std::uint64_t from, std::uint64_t to) {
    return from == 0 ? 0 : 100 * (1 - static_cast<double>(to) / static_cast<double>(from));
  };
  totals.phase1.push_back(removed(suite.before.events, suite.phases[1].after.events));
  totals.phase2.push_back(removed(suite.phases[1].after.events, suite.phases[2].after.events));
}

void print_totals(const char* what, const Totals& t) {
  std::uint64_t failed = 0;
  for (const std::uint64_t n : t.failed) failed += n;
  fmt::print(
      "{}: {} candidates, {:.1f} % replay, {:.1f} % in the median of the apps (paper, all: 37.5); of the "
      "failures "
      "{:.1f} % on run 1 (paper 96.9):",
      what, t.tried,
      100.0 * static_cast<double>(t.replayed) / static_cast<double>(std::max<std::uint64_t>(t.tried, 1)),
      upper_median(t.share),
      100.0 * static_cast<double>(t.failed[0]) / static_cast<double>(std::max<std::uint64_t>(failed, 1)));
  for (const std::uint64_t n : t.failed) fmt::print(" {}", n);
  fmt::print(
      "\n  removed of the events, medians: phase 1 {:.1f} % (paper 91.3), phase 2 {:.1f} % (paper 33.1)\n",
      upper_median(t.phase1), upper_median(t.phase2));
}

SuiteResult published(Rigged& rig, const std::vector<NodeId>& traces) {
  SuiteOptions options = SuiteOptions::as_published();
  options.prices = prices_of(rig.info);
  options.certificate = 1;
  Quiet quiet;
  auto suite = make_suite(*rig.replay, traces, options, quiet);
  return suite ? std::move(*suite) : SuiteResult{};
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments args = arguments(argc, argv);
  const double seconds = 3600 * (args.hours > 0 ? args.hours : args.full ? 8.0 : 0.5);
  const std::size_t samples = args.full ? 200 : 60;
  fmt::print(
      "share of {} random splices of k fragments (at most {} events) that replay; library: phase 1 of the "
      "published\n"
      "algorithm on {:.1f} h of random, seed {}\n\n{:<14}",
      samples, longest, seconds / 3600, args.seed, "k");
  for (int k = 1; k <= 10; ++k) fmt::print("{:>6}", k);
  fmt::print("\n");
  const std::map<std::string, std::array<int, 10>> paper{
      {"paper acar", {195, 159, 119, 96, 94, 80, 70, 47, 54, 47}},
      {"paper astrid", {189, 108, 93, 64, 51, 41, 22, 16, 19, 14}},
      {"paper cnote", {186, 117, 77, 73, 53, 31, 22, 31, 16, 11}},
      {"paper emobile", {199, 169, 139, 116, 96, 93, 62, 41, 50, 57}}};
  for (const auto& [name, counts] : paper) {
    Table table;
    for (std::size_t k = 0; k < 10; ++k)
      table.good[k] = static_cast<std::uint32_t>(counts[k]), table.made[k] = 200;
    print_row(name, table);
  }
  const std::array<std::pair<const char*, double>, 3> ways{
      {{"as they are", 1}, {"timing=random", 0.25}, {"flaky=0.002", 0.25}}};
  std::array<Totals, 3> totals;
  for (const Named& app : apps_of(args)) {
    print_row(app.name, splices_of(app.spec, seconds, samples, args.seed));
    for (std::size_t i = 0; i < ways.size(); ++i) {
      FleetOptions cold;
      cold.memory = false, cold.snapshots.number = 0;
      Rigged rig = open_rig(i == 0 ? app.spec : fmt::format("{}&{}", app.spec, ways[i].first), cold);
      add(published(rig, make_input(rig, "random", seconds * ways[i].second, args.seed)), totals[i]);
    }
  }
  fmt::print("\n");
  for (std::size_t i = 0; i < ways.size(); ++i) print_totals(ways[i].first, totals[i]);
}
