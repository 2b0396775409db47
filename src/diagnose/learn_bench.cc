// What learning costs and how good it is: the tables of docs/learn-figures.md.
//
//   build/release/bench/learn_bench automata [FOLDER]     every recorded automaton taken as a device
//   build/release/bench/learn_bench apps [APP...]         every crash bug of every bundled app
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/file.h"
#include "base/text.h"
#include "device/sim/bundled.h"
#include "device/sim/truth.h"
#include "diagnose/learn.h"
#include "diagnose/testing.h"
#include "formats/jflap.h"

namespace norn {
namespace {

namespace fs = std::filesystem;
using testing::AutomatonDevice;
using testing::renamed;
using testing::Service;
using testing::service_on;
using testing::traces_of;

std::size_t median(std::vector<std::size_t> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Only the traces and the rules.
LearnOptions bare_options() {
  LearnOptions options;
  options.tests = 0, options.joins = 0, options.generalise = false;
  return options;
}

int automata(const fs::path& folder) {
  fmt::print(
      "| automaton | drawn: states, transitions | as | traces | learned: states, transitions | same language "
      "| to the last "
      "correction: words | in all: words, runs, events | device time "
      "|\n|---|---|---|---|---|---|---|---|---|\n");
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".jff") files.push_back(entry.path());
  std::ranges::sort(files);
  std::size_t right = 0, all = 0;
  std::vector<std::size_t> words;
  for (const fs::path& path : files) {
    const auto text = read_file(path);
    const auto file = text ? read_jflap(*text, path.string()) : std::unexpected(text.error());
    const auto device = file ? testing::one_way(file->automaton) : std::unexpected(file.error());
    const auto traces = device ? traces_of(device->nfa) : std::vector<std::vector<Event>>{};
    if (traces.empty()) {
      fmt::print("| {} | {} | | | | | | | |\n", path.stem().string(),
                 device ? "accepts nothing" : device.error().what);
      continue;
    }
    Quiet quiet;
    Service perfect(std::make_unique<AutomatonDevice>(device->nfa), {});
    Service on(std::make_unique<AutomatonDevice>(device->nfa), {});
    const auto learned = learn(*on.replay, traces, {}, quiet);
    // Without tests: what the traces and the rules alone cost, as with a perfect judge where that is right already.
    const auto bare = learn(*perfect.replay, traces, bare_options(), quiet);
    if (!learned || !bare) {
      fmt::print("| {} | {} | | | | | | | |\n", path.stem().string(), learned.error().message());
      continue;
    }
    const bool same = !testing::difference(renamed(learned->bug), device->nfa);
    const bool at_once = !testing::difference(renamed(bare->bug), device->nfa);
    ++all, right += same;
    words.push_back(bare->words);
    fmt::print("| {} | {}, {} | {} | {} | {}, {} | {} | {}{} | {}, {}, {} | {} |\n", path.stem().string(),
               file->automaton.states.size(), file->automaton.transitions.size(),
               device->moves ? "drawn, Back" : "deterministic", traces.size(), learned->bug.nfa.states.size(),
               learned->bug.nfa.transitions.size(), same ? "yes" : "NO", bare->words,
               at_once ? "" : " (not yet right)", learned->words, learned->effort.runs,
               learned->effort.events, show_duration(learned->effort.device_seconds));
  }
  fmt::print("\n{} of {} right; words before the tests: median {}, most {}\n", right, all, median(words),
             words.empty() ? 0 : *std::ranges::max_element(words));
  return right == all ? 0 : 1;
}

constexpr double half_an_hour = 1800;
const std::vector<std::string> everybody{"monkey", "random", "norn"};

/// Traces into crashes by others, by signature: strategies and seeds the learner knows nothing of.
using Crashes = std::map<std::uint64_t, std::vector<Trace>>;
Crashes by_others(const std::string& spec) {
  Crashes out;
  for (const std::string& strategy : everybody)
    for (const std::uint64_t seed : {21U, 22U}) {
      const auto on = service_on(spec);
      if (!on || !testing::explore_by(*on, {strategy}, seed, half_an_hour)) continue;
      for (std::uint32_t n = 1; n < on->tree.size(); ++n)
        if (const Crash* crash = on->tree.crash(NodeId{n}))
          out[signature(*crash, Sameness::frames)].push_back(on->tree.trace(NodeId{n}));
    }
  return out;
}

struct Sums {
  std::size_t bugs = 0, complete = 0, precise = 0;
  Ratio precision, completeness, non_crashing, w, known;
  void add(Ratio& sum, const Ratio& one) { sum.good += one.good, sum.all += one.all; }
};

void head() {
  fmt::print(
      "| app | bug | events | labels | states | transitions | complete | joined | precision | completeness | "
      "non-crashing | W-method | words | learning | validation "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

std::string ratio(const Ratio& r) {
  return r.all == 0 ? std::string("-") : fmt::format("{} of {}", r.good, r.all);
}

void why(const std::string& bug, const Learned& learned, const Validation& valid) {
  for (const LearnInput& i : learned.bug.inputs)
    fmt::print(stderr, "{}: {:>2} {}\n", bug, i.label, describe(i));
  fmt::print(stderr, "{}: own runs {}\n", bug, ratio(learned.known));
  for (const std::string& failure : valid.failures) fmt::print(stderr, "{}: {}\n", bug, failure);
}

void row(const std::string& app, const std::string& spec, const sim::KnownBug& bug, const Crashes& others,
         Sums& sums) {
  const auto on = service_on(spec);
  if (!on) return fmt::print("| {} | {} | no such app |\n", app, bug.id);
  Quiet quiet;
  const std::vector<std::vector<Event>> traces{bug.events};
  const auto failed = [&](const Error& error) {
    fmt::print("| {} | {} | {} | {} | | | | | | | | | | | |\n", app, bug.id, bug.events.size(),
               error.message());
  };
  const auto learned = learn(*on->replay, traces, {}, quiet);
  if (!learned) return failed(learned.error());
  const auto seen = others.find(signature(learned->crash, Sameness::frames));
  const auto valid = validate(*on->replay, learned->bug,
                              seen == others.end() ? std::span<const Trace>{} : seen->second, {}, quiet);
  if (!valid) return failed(valid.error());
  const auto labels = std::ranges::count_if(learned->bug.inputs, [](const auto& i) { return !i.is_move(); });
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", app, bug.id,
             bug.events.size(), labels, learned->bug.nfa.states.size(), learned->bug.nfa.transitions.size(),
             learned->complete ? "yes" : fmt::format("no: {}", learned->why), learned->joined,
             ratio(valid->precision), ratio(valid->completeness), ratio(valid->non_crashing),
             ratio(valid->w_method), learned->words, show_duration(learned->effort.device_seconds),
             show_duration(valid->effort.device_seconds));
  if (std::getenv("NORN_WHY")) why(app + " " + bug.id, *learned, *valid);
  std::fflush(stdout);
  ++sums.bugs, sums.complete += learned->complete, sums.precise += valid->precision.whole();
  sums.add(sums.precision, valid->precision), sums.add(sums.completeness, valid->completeness);
  sums.add(sums.non_crashing, valid->non_crashing), sums.add(sums.w, valid->w_method);
  sums.add(sums.known, learned->known);
}

void foot(const Sums& s) {
  fmt::print(
      "\n{} bugs, {} learned to the end, {} without a way that does not crash; precision {} of {}, "
      "completeness {} of {} (of its own explorations {} of {}), "
      "non-crashing {} of {}, W-method {} of {}\n",
      s.bugs, s.complete, s.precise, s.precision.good, s.precision.all, s.completeness.good,
      s.completeness.all, s.known.good, s.known.all, s.non_crashing.good, s.non_crashing.all, s.w.good,
      s.w.all);
}

int apps(std::vector<std::string> names) {
  if (names.empty())
    for (const auto& file : sim::bundled_sources())
      names.emplace_back(file.name.substr(0, file.name.find('.')));
  head();
  Sums sums;
  for (const std::string& name : names) {
    const auto truth = sim::load_truth(name);
    if (!truth) continue;
    const Crashes others = by_others("sim:" + name);
    for (const sim::KnownBug& bug : truth->bugs)
      if (bug.kind == sim::KnownBug::Kind::crash && bug.device.empty())
        row(name, "sim:" + name, bug, others, sums);
  }
  foot(sums);
  return 0;
}

}  // namespace
}  // namespace norn

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string what = arguments.empty() ? "automata" : arguments[0];
  const std::vector<std::string> rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  const char* shared = std::getenv("NORN_SHARED");
  if (what == "apps") return norn::apps(rest);
  if (what == "automata")
    return norn::automata(rest.empty()
                              ? std::filesystem::path(shared ? shared : NORN_SOURCE_DIR "/../shared") /
                                    "data/jff/ddroid"
                              : std::filesystem::path(rest[0]));
  fmt::print(stderr, "say automata [FOLDER] or apps [APP...]\n");
  return 2;
}
