// What learning costs and how good it is: the tables of docs/learn-figures.md.
//
//   build/release/bench/learn_bench                       all of them; --write: into the document
//   build/release/bench/learn_bench automata [FOLDER]     every recorded automaton taken as a device
//   build/release/bench/learn_bench apps [APP[.BUG]...]   every crash bug of every bundled app
//   build/release/bench/learn_bench alone [APP[.BUG]...]  the same from the trace alone, without other ways
//   build/release/bench/learn_bench drawn [BUG...]        automata drawn by hand against learned ones; NORN_NARROW=1: from the trace alone
//   build/release/bench/learn_bench brute [BUG...]        automata drawn by hand against the device, by brute force
//   build/release/bench/learn_bench generated [SEED [N]]  the crash bugs of N generated apps from that seed on
//   build/release/bench/learn_bench read DIR [APP[.BUG]...]  how the automata there, kept by NORN_KEEP=DIR, read other tools' runs
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/file.h"
#include "base/text.h"
#include "cli/learn_looks.h"
#include "device/sim/bundled.h"
#include "device/sim/generate_truth.h"
#include "device/sim/truth_run.h"
#include "diagnose/analysis.h"
#include "diagnose/events.h"
#include "diagnose/learn/drawing.h"
#include "diagnose/learn/learn.h"
#include "diagnose/learn/learn_bench_drawn.h"
#include "diagnose/learn/learn_bench_reading.h"
#include "diagnose/learn/testing.h"
#include "explore/explore.h"
#include "formats/jflap.h"

namespace norn {
namespace {

namespace fs = std::filesystem;
using bench::Alarms;
using bench::by_others;
using bench::Others;
using bench::ratio;
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
  options.tests = 0, options.w_tests = 0, options.joins = 0, options.generalise = false;
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
    // Without tests: what the traces and the rules alone cost, as with a perfect judge where that is right
    // already.
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

struct Sums {
  std::size_t bugs = 0, complete = 0, precise = 0;
  Ratio precision, completeness, read, non_crashing, non_crashing_read, w, known, known_read, lean, whole_w;
  bench::Accepted stated;
  Alarms alarms;
  void add(Ratio& sum, const Ratio& one) { sum.good += one.good, sum.all += one.all; }
};

void head() {
  fmt::print(
      "| app | bug | events | labels | states | needed | machine | complete | joined | precision | "
      "completeness | by labels | "
      "stated ways | by labels | non-crashing | W-method | words | learning | validation "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

/// States of the smallest deterministic automaton of the same language; 0: it is too large to be made.
std::size_t states_needed(const Nfa& nfa) {
  const auto dfa = determinise(nfa);
  return dfa ? minimise(*dfa).live() : 0;
}

std::string w_shown(const Validation& v) {
  return v.w_method.all == v.w_all ? ratio(v.w_method)
                                   : fmt::format("{} (of {})", ratio(v.w_method), v.w_all);
}

void why(const std::string& bug, const Learned& learned, const Validation& valid) {
  for (const LearnInput& i : learned.bug.inputs)
    fmt::print(stderr, "{}: {:>2} {}\n", bug, i.label, describe(i));
  fmt::print(stderr, "{}: own runs {} with screens, {} by labels\n", bug, ratio(learned.known_read),
             ratio(learned.known));
  for (const auto& [reason, count] : learned.rejected_because)
    fmt::print(stderr, "{}: {} by labels not: {}\n", bug, count, reason);
  const LearnCosts& c = learned.costs;
  fmt::print(stderr,
             "{}: labels {:.0f} s, words {:.0f} s, looks {:.0f} s, shortening {:.0f} s, W-method {:.0f} s\n",
             bug, c.labels, c.words, c.looks, c.shortening, c.w_method);
  for (const std::string& failure : valid.failures) fmt::print(stderr, "{}: {}\n", bug, failure);
}

void row(const std::string& app, const std::string& spec, const sim::KnownBug& bug, const Others& others,
         Sums& sums, bool alone = false) {
  const auto on = service_on(spec);
  if (!on) return fmt::print("| {} | {} | no such app |\n", app, bug.id);
  Quiet quiet;
  const std::vector<std::vector<Event>> traces{bug.events};
  const auto failed = [&](const Error& error) {
    fmt::print("| {} | {} | {} | {} | | | | | | | | | | | | | | | |\n", app, bug.id, bug.events.size(),
               error.message());
  };
  LearnOptions options;
  options.look = cli::look_by_tools(on->package);
  if (alone) options.joins = 0;
  const auto learned = learn(*on->replay, traces, options, quiet);
  if (!learned) return failed(learned.error());
  const auto seen = others.crashes.find(signature(learned->crash, Sameness::frames));
  const auto valid =
      validate(*on->replay, learned->bug,
               seen == others.crashes.end() ? std::span<const Trace>{} : seen->second, {}, quiet);
  if (!valid) return failed(valid.error());
  const auto labels = std::ranges::count_if(learned->bug.inputs, [](const auto& i) { return !i.is_move(); });
  const auto drawing = drawing_of(learned->bug);
  if (!drawing) return failed(drawing.error());
  const std::vector<Trace> ways = bench::stated_ways(spec, bug);
  const bench::Accepted stated = bench::accepted_of(learned->bug, ways);
  const std::size_t states = drawing->states.size(), needed = states_needed(learned->bug.nfa);
  fmt::print(
      "| {} | {} | {} | {} | {} | {} | {}, {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} "
      "|\n",
      app, bug.id, bug.events.size(), labels, states, needed > 0 ? std::to_string(needed) : "-",
      learned->bug.nfa.states.size(), learned->bug.nfa.transitions.size(),
      learned->complete ? "yes" : fmt::format("no: {}", learned->why), learned->joined,
      ratio(valid->precision), ratio(valid->completeness_read), ratio(valid->completeness),
      ratio(stated.read), ratio(stated.by_labels), ratio(valid->non_crashing), w_shown(*valid),
      learned->words, show_duration(learned->effort.device_seconds),
      show_duration(valid->effort.device_seconds));
  if (std::getenv("NORN_WHY")) why(app + " " + bug.id, *learned, *valid);
  if (std::getenv("NORN_WHY")) {
    if (seen != others.crashes.end())
      bench::study(app + " " + bug.id, learned->bug, *on->replay, seen->second);
    bench::study(app + " " + bug.id, learned->bug, *on->replay, ways);
  }
  if (const char* folder = std::getenv("NORN_KEEP"))
    if (const Status kept = bench::keep(folder, app + "." + bug.id, learned->bug); !kept)
      fmt::print(stderr, "{}\n", kept.error().message());
  std::fflush(stdout);
  ++sums.bugs, sums.complete += learned->complete, sums.precise += valid->precision.whole();
  sums.add(sums.precision, valid->precision), sums.add(sums.completeness, valid->completeness);
  sums.add(sums.non_crashing, valid->non_crashing), sums.add(sums.w, valid->w_method);
  sums.add(sums.known, learned->known), sums.add(sums.known_read, learned->known_read);
  sums.add(sums.read, valid->completeness_read), sums.stated.add(stated);
  sums.add(sums.non_crashing_read, valid->non_crashing_read);
  for (const auto& tool : others.tools) sums.alarms.add(learned->bug, tool->tree);
  sums.add(sums.lean, {needed > 0 && states <= 2 * needed, 1});
  sums.add(sums.whole_w, {valid->w_method.all == valid->w_all, 1});
}

void foot(const Sums& s) {
  fmt::print(
      "\n{} bugs, {} learned to the end, {} without a way that does not crash; precision {}, completeness {} "
      "with screens, {} by labels alone (of its own explorations {} and {}; of the ways that the ground "
      "truth "
      "states {} and {}), non-crashing {} and {}, "
      "W-method "
      "{} (all of its tests for {}); states at most twice the needed in {}. Of {} labelled steps of other "
      "tools that did not crash {} are read as the crash with screens, {} by labels alone\n",
      s.bugs, s.complete, s.precise, ratio(s.precision), ratio(s.read), ratio(s.completeness),
      ratio(s.known_read), ratio(s.known), ratio(s.stated.read), ratio(s.stated.by_labels),
      ratio(s.non_crashing_read), ratio(s.non_crashing), ratio(s.w), ratio(s.whole_w), ratio(s.lean),
      s.alarms.steps, s.alarms.by_screens, s.alarms.by_labels);
}

/// Fresh apps by the generator; what its truth says wrongly is left out.
int generated(std::uint64_t first, std::uint64_t count) {
  head();
  Sums sums;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const int screens = 6 + static_cast<int>(seed % 7);
    const std::string spec = bench::generated_spec(seed);
    const auto app = sim::generate_app(seed, screens);
    auto verifier = sim::Verifier::open(spec);
    if (!app || !verifier) continue;
    const Others others = by_others(spec);
    for (const sim::KnownBug& bug : app->truth.bugs) {
      if (bug.kind != sim::KnownBug::Kind::crash || !bug.device.empty()) continue;
      if (const auto problem = verifier->problem(bug); problem && problem->empty())
        row(fmt::format("seed {}", seed), spec, bug, others, sums);
    }
  }
  foot(sums);
  return 0;
}

int apps(std::vector<std::string> names, bool alone = false) {
  if (names.empty())
    for (const auto& file : sim::bundled_sources())
      names.emplace_back(file.name.substr(0, file.name.find('.')));
  head();
  Sums sums;
  for (const std::string& which : names) {
    const std::string name = which.substr(0, which.find('.'));
    const auto truth = sim::load_truth(name);
    if (!truth) continue;
    const Others others = by_others("sim:" + name);
    for (const sim::KnownBug& bug : truth->bugs)
      if (bug.kind == sim::KnownBug::Kind::crash && bug.device.empty() &&
          (which == name || which == name + "." + bug.id))
        row(name, "sim:" + name, bug, others, sums, alone);
  }
  foot(sums);
  return 0;
}

/// docs/learn-figures.md as it is.
int document(const fs::path& recorded) {
  fmt::print(
      "# learn: figures\n\nMade by `scripts/bench learn --write`, part by part: `learn_bench automata`, "
      "`apps`, `alone`, `generated`, `brute`, `drawn`.\n[learn](learn.md) explains the columns.\nDevice "
      "time: 5 s a "
      "restart, "
      "0.65 s an event, 4 s and 3 s a snapshot saved and loaded.\n\n"
      "## Recorded automata as devices\n"
      "Each automaton of DDroid's data taken as an app that behaves exactly like it; screens show which "
      "events are possible "
      "and nothing else, so states with the same events look alike.\nWhere the drawing lets every event and "
      "move lead to "
      "one state, the device is the drawing, its epsilon moves being Back; else it is the deterministic "
      "form. The traces are "
      "shortest words that together\nhave every label. \"Same language\" is decided exactly, not up to a "
      "length. As EC, EPC "
      "and MD depend on an automaton's language alone, they are the same where it is.\n\n");
  const int wrong = automata(recorded);
  fmt::print(
      "\n## Crash bugs of the bundled apps\n"
      "From one minimal trace of each that needs no chance. *joined*: rejected runs it learned from. "
      "*states*: of BUG.jff. *needed*: states of the "
      "smallest deterministic automaton of the same language (\"-\": too large to be made). *machine*: "
      "states and transitions of what BUG.jff draws. "
      "Completeness is measured on "
      "crashing traces of `monkey`, `random` and `norn`, half an hour each with two seeds,\nnone of which "
      "the learner saw (it looks round with `random`, `norn` and `timemachine` and other seeds); "
      "\"-\": those found none; counted as distinct words of labels, accepted with their screens "
      "([learn](learn.md#reading-a-run-its-labels-or-its-screens)), and *by labels* alone. *stated ways*: "
      "the same "
      "for the other ways that "
      "the ground truth states (docs/sim-apps.md). *W-method*: tests "
      "that agreed; (of n): a sample of the n there are, 200000 "
      "meaning at "
      "least. `NORN_WHY=1` prints labels and failing words.\n\n");
  apps({});
  fmt::print(
      "\nFrom the trace alone, the automaton that is written as BUG.trace.jff (`learn_bench alone`). Its "
      "completeness is that of one way in; what it is for is the comparison with drawings below.\n\n");
  apps({}, true);
  fmt::print(
      "\n## Crash bugs of generated apps\nSeeds 7400 to 7411, by which nothing was chosen; bugs whose "
      "stated events do not "
      "crash are left out.\n\n");
  generated(7400, 12);
  fmt::print(
      "\n## Drawn automata against the device\nThe automata of tests/data/drawn are drawn by hand, pages "
      "times "
      "what matters in the app's data. Are they right? Nothing of the learner is used to tell: words of "
      "their labels "
      "are run\nin every way there is, with each row a label may mean and any moves between them "
      "(src/diagnose/brute_words.h): all words up to length 4, and those of the W-method for the drawing's "
      "states "
      "with two labels between. *undecided*:\naccepted, but not all ways could be tried, and none of those "
      "that were "
      "crashes. A matcher names the handler it means: kind, activity, id, as the apps' own handler tables "
      "do; the dialog of an "
      "OK button; a value only where\nthe event is about one (a number, a name without extension, a "
      "bracket). "
      "The drawings were corrected from such runs: drawn from the bugs' descriptions alone, 13 of the 16 "
      "lacked "
      "ways that crash (2353 words of those that were run),\nand the cells below agreed in EC 40, EPC 19 and "
      "MD 26 of 48.\n\n");
  bench::brute({});
  fmt::print(
      "\n## Drawn against learned\nThe same automata against those learned: "
      "from the bug's trace alone (BUG.trace.jff), and with other ways (BUG.jff)."
      " Three tools, half an hour each; a cell "
      "is what a tool's "
      "runs come to, and is alike where EC, EPC and MD are.\nWhere the two languages differ, the shortest "
      "words that only one "
      "of them accepts (one for each pair of states, up to 60) were run on the device: *crash* says how many "
      "of them do. "
      "A word that only the learned one accepts and that crashes is a way the drawing does not know; one "
      "that only the "
      "drawing accepts and that does not crash is a mistake of the drawing, or needs another row or text "
      "than the "
      "learner's, with which it was run (the table above tells); the other two are mistakes of learn.\n\n");
  fmt::print(
      "{}",
      R"(**What is compared with what.** A drawing is of one minimal trace: its labels are that trace's events. Its counterpart is the automaton learned from the same trace, BUG.trace.jff, which `norn learn` writes for this use: the same events and pairs, so EC, EPC and MD
must come out the same, and the aim of 95 % of the cells is about these two. BUG.jff, with other ways, is a larger thing: events of other shortest ways are pivot events of it (more labels and pairs), a
label stands for every widget that was seen to do the same (the menu key, and the button that opens the same menu), so more is read from a log, and pairs go over guards. EC and EPC are then shares of something larger, and
MD may be less because a way is known that the drawing does not have. Nothing is projected away to make the two alike; instead the device is asked who is right.

)");
  bench::drawn({});
  return wrong;
}

}  // namespace
}  // namespace norn

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string what = arguments.empty() ? "all" : arguments[0];
  const std::vector<std::string> rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  const char* shared = std::getenv("NORN_SHARED");
  const auto recorded =
      std::filesystem::path(shared ? shared : NORN_SOURCE_DIR "/../shared") / "data/jff/ddroid";
  const auto number = [&](std::size_t i, std::uint64_t otherwise) {
    return i < rest.size() ? std::strtoull(rest[i].c_str(), nullptr, 10) : otherwise;
  };
  if (what == "all") return norn::document(recorded);
  if (what == "--write") {
    const std::string file = NORN_SOURCE_DIR "/docs/learn-figures.md";
    return std::freopen((file + ".new").c_str(), "w", stdout) == nullptr ? 2
           : norn::document(recorded) != 0                               ? 1
           : std::fflush(stdout) != 0                                    ? 2
                                      : std::rename((file + ".new").c_str(), file.c_str());
  }
  if (what == "apps" || what == "alone") return norn::apps(rest, what == "alone");
  if (what == "drawn") return norn::bench::drawn(rest);
  if (what == "brute") return norn::bench::brute(rest);
  if (what == "generated") return norn::generated(number(0, 7400), number(1, 12));
  if (what == "read" && !rest.empty()) return norn::bench::read_kept(rest[0], {rest.begin() + 1, rest.end()});
  if (what == "automata") return norn::automata(rest.empty() ? recorded : std::filesystem::path(rest[0]));
  fmt::print(stderr,
             "say nothing (all of it), --write, automata [FOLDER], apps [APP[.BUG]...], alone "
             "[APP[.BUG]...], drawn [BUG...], brute [BUG...] or "
             "generated [SEED [N]], read DIR [APP[.BUG]...]\n");
  return 2;
}
