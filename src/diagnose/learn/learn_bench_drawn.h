// Automata drawn by hand against learned ones, for learn_bench: do they judge tools alike, and where they do
// not, who is right?
//
// Two automata differ in the words that one of them accepts and the other does not. The shortest of these are
// run on the device: it says which of the two knew better.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <map>
#include <set>

#include "base/file.h"
#include "cli/bug_events.h"
#include "cli/learn_looks.h"
#include "diagnose/analysis.h"
#include "diagnose/events.h"
#include "diagnose/learn/brute_words.h"
#include "diagnose/learn/drawing.h"
#include "diagnose/learn/learn.h"
#include "diagnose/learn/replay_teacher.h"
#include "diagnose/learn/testing.h"
#include "explore/explore.h"
#include "formats/jflap.h"

namespace norn::bench {

namespace fs = std::filesystem;
using testing::Service;
using testing::service_on;

/// Explores on a service by these strategies in turn.
inline Status explore_by(Service& on, const std::vector<std::string>& strategies, std::uint64_t seed,
                         double seconds) {
  Quiet quiet;
  for (const std::string& strategy : strategies) {
    ExploreOptions options;
    options.strategy = strategy, options.seed = seed, options.seconds = seconds, options.confirm = 0;
    options.package = on.package;
    if (auto done = explore(*on.replay, options, quiet); !done) return std::unexpected(done.error());
  }
  return {};
}

inline constexpr double half_an_hour = 1800;
inline const std::vector<std::string> everybody{"monkey", "random", "norn"};

inline std::string ratio(const Ratio& r) {
  return r.all == 0 ? std::string("-") : fmt::format("{} of {}", r.good, r.all);
}

/// An automaton with its matchers: what a tool's runs come to under it.
struct Judge {
  Bug bug;
  EventFile events;

  RunResult over(const std::vector<Trace>& runs) const {
    const Alphabet alphabet(bug.dfa.labels);
    std::vector<RunResult> results;
    for (const Trace& run : runs) {
      Analyser analyser(bug);
      label_trace(run, alphabet, events, [&](const LabelBatch& batch) { analyser.feed(batch); });
      for (RunResult& result : analyser.finish()) results.push_back(std::move(result));
    }
    std::vector<const RunResult*> all;
    for (const RunResult& result : results) all.push_back(&result);
    return unite(bug, all);
  }
};

inline Result<Judge> judge_of(Nfa nfa, const std::string& told, const std::string& name) {
  NORN_TRY(EventFile events, read_event_file(told, name));
  NORN_TRY(Bug bug, make_bug(name, std::move(nfa), {}, events.guards));
  return Judge{std::move(bug), std::move(events)};
}

inline Result<Judge> drawn_judge(const fs::path& jff) {
  NORN_TRY(const std::string text, read_file(jff));
  NORN_TRY(JflapFile file, read_jflap(text, jff.string()));
  NORN_TRY(const std::string told, read_file(cli::events_path(jff)));
  return judge_of(std::move(file.automaton), told, jff.string());
}

/// A learned automaton and the device it was learned on.
struct Pupil {
  const Service& on;
  BugAutomaton bug;
  Judge judge;
};

inline Result<Pupil> pupil_of(const Service& on, const BugAutomaton& bug, const std::string& id) {
  NORN_TRY(Nfa drawing, drawing_of(bug));
  NORN_TRY(Judge judge, judge_of(std::move(drawing), cli::write_bug_events(bug, on.package), id));
  return Pupil{on, bug, std::move(judge)};
}

inline Result<Learned> learned_on(Service& on, const std::string& app, const std::string& id) {
  Quiet quiet;
  const std::vector<std::vector<Event>> traces{testing::events_of_bug(app, id)};
  LearnOptions options;
  options.look = cli::look_by_tools(on.package);
  if (std::getenv("NORN_NARROW")) options.joins = 0;
  return learn(*on.replay, traces, options, quiet);
}

/// Whole runs of a tool: from a clean start to where it ended.
inline std::vector<Trace> runs_of(const std::string& spec, const std::string& strategy) {
  std::vector<Trace> out;
  const auto on = service_on(spec);
  if (!on || !explore_by(*on, {strategy}, 31, half_an_hour)) return out;
  for (std::uint32_t n = 1; n < on->tree.size(); ++n)
    if (on->tree.children(NodeId{n}).empty()) out.push_back(on->tree.trace(NodeId{n}));
  return out;
}

struct Cells {
  Ratio ec, epc, md;
  bool compare(const Judge& a, const Judge& b, const std::vector<Trace>& runs) {
    const RunResult x = a.over(runs), y = b.over(runs);
    const auto share = [](std::size_t seen, std::size_t all) {
      return all == 0 ? 0.0 : static_cast<double>(seen) / static_cast<double>(all);
    };
    const auto close = [](double p, double q) { return std::abs(p - q) < 0.005; };
    const bool same_ec = close(share(x.ec, a.bug.pivots()), share(y.ec, b.bug.pivots())),
               same_epc = close(share(x.epc, a.bug.pairs.size()), share(y.epc, b.bug.pairs.size())),
               same_md = x.md == y.md;
    ++ec.all, ++epc.all, ++md.all;
    ec.good += same_ec, epc.good += same_epc, md.good += same_md;
    if (std::getenv("NORN_WHY"))
      fmt::print(stderr, "  EC {}/{} {}/{}  EPC {}/{} {}/{}  MD {} {}\n", x.ec, a.bug.pivots(), y.ec,
                 b.bug.pivots(), x.epc, a.bug.pairs.size(), y.epc, b.bug.pairs.size(), x.md.value_or(99),
                 y.md.value_or(99));
    return same_ec && same_epc && same_md;
  }
};

using Words = std::vector<std::vector<std::string>>;

/// The shortest words that `a` accepts and `b` does not, one for each pair of states they may be in.
inline Words only_in(const Dfa& a, const Dfa& b, std::size_t most) {
  struct At {
    DfaState a, b;
    std::vector<std::string> word;
  };
  Words out;
  std::set<std::pair<DfaState, DfaState>> seen{{a.start, b.start}};
  for (std::deque<At> todo{{a.start, b.start, {}}}; !todo.empty() && out.size() < most; todo.pop_front()) {
    const At here = todo.front();
    if (a.final[here.a] && !b.final[here.b]) out.push_back(here.word);
    for (const Label x : a.each_label()) {
      const auto y = b.find(a.labels[x]);
      At next{a.step(here.a, x), y ? b.step(here.b, *y) : dead, here.word};
      next.word.push_back(a.labels[x]);
      if (next.a != dead && seen.emplace(next.a, next.b).second) todo.push_back(std::move(next));
    }
  }
  return out;
}

/// A way through the automaton with this word of labels.
inline std::optional<lsharp::Word> way_of(const BugAutomaton& bug, const std::vector<std::string>& word) {
  struct At {
    std::uint32_t state;
    std::size_t done;
    lsharp::Word way;
  };
  std::set<std::pair<std::uint32_t, std::size_t>> seen{{0, 0}};
  for (std::deque<At> todo{{0, 0, {}}}; !todo.empty(); todo.pop_front()) {
    const At here = todo.front();
    if (here.done == word.size() && bug.nfa.states[here.state].final) return here.way;
    for (std::size_t t = 0; t < bug.nfa.transitions.size(); ++t) {
      const Nfa::Transition& edge = bug.nfa.transitions[t];
      const bool free = edge.label.empty();
      if (edge.from != here.state || (!free && (here.done == word.size() || word[here.done] != edge.label)))
        continue;
      At next{edge.to, here.done + (free ? 0 : 1), here.way};
      next.way.push_back(static_cast<lsharp::Input>(bug.input_of[t]));
      if (seen.emplace(next.state, next.done).second) todo.push_back(std::move(next));
    }
  }
  return std::nullopt;
}

/// The drawing as an automaton that can be run: its events are those of the learned one, its epsilon this move.
inline BugAutomaton runnable(const Nfa& drawn, const BugAutomaton& learned, std::uint32_t move) {
  BugAutomaton out{drawn, learned.inputs, {}, {}, learned.crash};
  for (const Nfa::Transition& t : drawn.transitions) {
    const auto input = std::ranges::find(learned.inputs, t.label, &LearnInput::label);
    out.input_of.push_back(t.label.empty() ? move
                                           : static_cast<std::uint32_t>(input - learned.inputs.begin()));
  }
  out.unproven.assign(out.input_of.size(), 0);
  return out;
}

/// Whether the device crashes at the end of this way. A move that is not possible is left out.
inline bool crashes(const Pupil& pupil, lsharp::Word way) {
  const BugAutomaton& bug = pupil.bug;
  ReplayTeacher teacher(*pupil.on.replay, bug.inputs,
                        [&](const Crash& crash) { return has_signature(crash, bug.crash); }, {});
  if (!teacher.start()) return false;
  for (;;) {
    const auto runs = teacher.run({{way}});
    if (!runs) return false;
    const std::size_t done = runs->front().size();
    if (done == way.size()) return done > 0 && runs->front().back().kind == lsharp::Output::Kind::crash;
    if (!bug.inputs[way[done]].is_move()) return false;
    way.erase(way.begin() + static_cast<std::ptrdiff_t>(done));
  }
}

/// Who is right about the words that only one of them accepts?
struct Verdicts {
  Ratio only_learned;  ///< of the words that only the learned one accepts, those that crash
  Ratio only_drawn;    ///< of those that only the drawing accepts
};

inline Verdicts ask_device(const Pupil& pupil, const Judge& drawn, const std::string& name) {
  constexpr std::size_t most = 60;
  const BugAutomaton& bug = pupil.bug;
  Verdicts out;
  const bool why = std::getenv("NORN_WHY") != nullptr;
  const auto tell = [&](const char* what, const auto& word, bool crash) {
    if (why)
      fmt::print(stderr, "{}: {} {}: {}\n", name, what, fmt::join(word, " "), crash ? "crashes" : "no crash");
  };
  for (const auto& word : only_in(pupil.judge.bug.dfa, drawn.bug.dfa, most)) {
    const auto way = way_of(bug, word);
    const bool crash = way && crashes(pupil, *way);
    ++out.only_learned.all, out.only_learned.good += crash;
    tell("only learned", word, crash);
  }
  for (const auto& word : only_in(drawn.bug.dfa, pupil.judge.bug.dfa, most)) {
    bool crash = false;
    for (std::uint32_t i = 0; i < bug.inputs.size() && !crash; ++i)
      if (bug.inputs[i].is_move()) {
        const auto way = way_of(runnable(drawn.bug.nfa, bug, i), word);
        crash = way && crashes(pupil, *way);
      }
    ++out.only_drawn.all, out.only_drawn.good += crash;
    tell("only drawn", word, crash);
  }
  return out;
}

/// One way of learning, over all bugs.
struct Comparison {
  std::string what;
  Cells cells{};
  Ratio only_learned{}, only_drawn{};
  std::size_t differing = 0,
              drawings_fault = 0;  ///< cells; those of bugs where the device never sided with the drawing

  /// The table's cells for one bug.
  Result<std::string> add(const std::string& name, const Pupil& pupil, const Judge& drawn,
                          const std::vector<std::vector<Trace>>& tools) {
    const Verdicts verdicts = ask_device(pupil, drawn, name);
    const bool right = verdicts.only_learned.whole() && verdicts.only_drawn.good == 0;
    std::size_t same = 0;
    if (std::getenv("NORN_WHY")) {
      fmt::print(stderr, "{} {}\n", name, what);
      for (const LearnInput& i : pupil.bug.inputs) fmt::print(stderr, "  {:>2} {}\n", i.label, describe(i));
    }
    for (const auto& tool : tools) same += cells.compare(drawn, pupil.judge, tool);
    differing += tools.size() - same;
    if (right) drawings_fault += tools.size() - same;
    const auto sum = [](Ratio& all, const Ratio& one) { all.good += one.good, all.all += one.all; };
    sum(only_learned, verdicts.only_learned), sum(only_drawn, verdicts.only_drawn);
    const Bug& bug = pupil.judge.bug;
    return fmt::format("{}{}, {}, {} | {} | {} | {} of {}", bug.pivots(),
                       bug.pivots() < bug.labels() ? fmt::format(" + {}", bug.labels() - bug.pivots()) : "",
                       bug.dfa.live(), bug.pairs.size(), ratio(verdicts.only_learned),
                       ratio(verdicts.only_drawn), same, tools.size());
  }

  void print() const {
    fmt::print(
        "\nLearned {}: cells (bug x tool) that agree with the drawing: EC {}, EPC {}, MD {}. Words that only "
        "the learned "
        "automaton accepts: {} crash on the device; words that only the drawing accepts: {} crash. Of the {} "
        "cells in which "
        "a figure differs, {} are of bugs where the device sided with the learned automaton in every word.\n",
        what, ratio(cells.ec), ratio(cells.epc), ratio(cells.md), ratio(only_learned), ratio(only_drawn),
        differing, drawings_fault);
  }
};

/// The drawings of these bugs (app.bug); of all where none is named.
inline std::vector<fs::path> drawings(const std::vector<std::string>& names) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(NORN_SOURCE_DIR "/tests/data/drawn"))
    if (entry.path().extension() == ".jff" &&
        (names.empty() || std::ranges::find(names, entry.path().stem().string()) != names.end()))
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// Every drawing against the device, by brute force.
inline int brute(const std::vector<std::string>& names) {
  fmt::print(
      "| bug | states | words | of which crash | the drawing lacks | accepts wrongly | undecided | events "
      "|\n|---|---|---|---|---|---|---|---|\n");
  std::size_t wrong = 0;
  for (const fs::path& file : drawings(names)) {
    const std::string name = file.stem().string(), app = name.substr(0, name.find('.'));
    const auto judge = drawn_judge(file);
    auto on = open_device("sim:" + app);
    if (!judge || !on) return fmt::print(stderr, "{}: cannot be judged\n", name), 2;
    const auto found = testing::Brute(judge->bug, judge->events,
                                      testing::events_of_bug(app, name.substr(app.size() + 1)), *on, {})
                           .run();
    if (!found) return fmt::print(stderr, "{}: {}\n", name, found.error().message()), 2;
    fmt::print("| {} | {} | {}{} | {} | {} | {} | {} | {} |\n", name, judge->bug.nfa.states.size(),
               found->words, found->whole ? "" : " (not all)", found->crash, found->lacking.size(),
               found->wrong.size(), found->undecided, found->events);
    std::fflush(stdout);
    wrong += found->lacking.size() + found->wrong.size();
    const auto tell = [&](const char* what, const std::vector<testing::LabelWord>& words) {
      for (std::size_t i = 0; i < words.size() && i < 12 && std::getenv("NORN_WHY"); ++i) {
        std::string said;
        for (const Label a : words[i]) said += " " + judge->bug.dfa.labels[a];
        fmt::print(stderr, "{}: {}:{}\n", name, what, said);
      }
    };
    tell("lacks", found->lacking), tell("accepts wrongly", found->wrong);
  }
  return wrong == 0 ? 0 : 1;
}

inline int drawn(const std::vector<std::string>& names) {
  const auto files = drawings(names);
  Comparison narrow{"from the bug's trace alone"}, wide{"with other ways"};
  fmt::print(
      "| bug | drawn: labels, live states, pairs | learned from its trace: labels + guards, live states, "
      "pairs | only "
      "learned: crash | only drawn: crash | cells alike | learned with other ways | only learned: crash | "
      "only drawn: crash "
      "| cells alike |\n|---|---|---|---|---|---|---|---|---|---|\n");
  std::map<std::string, std::vector<std::vector<Trace>>> runs;
  for (const fs::path& file : files) {
    const std::string name = file.stem().string(), app = name.substr(0, name.find('.')),
                      id = name.substr(app.size() + 1);
    auto& tools = runs[app];
    if (tools.empty())
      for (const std::string& strategy : everybody) tools.push_back(runs_of("sim:" + app, strategy));
    const auto by_hand = drawn_judge(file);
    if (!by_hand) return fmt::print(stderr, "{}\n", by_hand.error().message()), 2;
    std::string line = fmt::format("| {} | {}, {}, {}", name, by_hand->bug.labels(), by_hand->bug.dfa.live(),
                                   by_hand->bug.pairs.size());
    const auto on = service_on("sim:" + app);
    const auto learned = learned_on(*on, app, id);
    if (!learned) return fmt::print(stderr, "{}\n", learned.error().message()), 2;
    const auto compare = [&](Comparison& one, const BugAutomaton& bug) {
      const auto pupil = pupil_of(*on, bug, id);
      const auto cells = pupil ? one.add(name, *pupil, *by_hand, tools) : std::unexpected(pupil.error());
      line += " | " + (cells ? *cells : cells.error().message());
    };
    compare(narrow, learned->given ? learned->given->bug : learned->bug);
    if (learned->given) compare(wide, learned->bug);
    fmt::print("{} |\n", line);
    std::fflush(stdout);
  }
  narrow.print(), wide.print();
  return 0;
}

}  // namespace norn::bench
