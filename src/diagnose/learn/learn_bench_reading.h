// How automata read other tools' runs, for learn_bench: which of those into the crash they accept, which
// steps that did not crash they take for it, and where a run that is rejected is lost.
//
// Learning takes minutes of CPU a bug, reading takes none: automata that were kept (NORN_KEEP=DIR learn_bench
// apps) can be asked again and again (learn_bench read DIR) while the reading is worked on.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "cli/bug_events.h"
#include "device/sim/truth.h"
#include "diagnose/automaton.h"
#include "diagnose/events.h"
#include "diagnose/learn/drawing.h"
#include "diagnose/learn/learn.h"
#include "diagnose/learn/learn_bench_drawn.h"
#include "diagnose/learn/screen_reading.h"
#include "diagnose/learn/strange_trace.h"
#include "formats/jflap.h"

namespace norn::bench {

/// Traces into crashes by others, by signature: strategies and seeds the learner knows nothing of.
struct Others {
  std::map<std::uint64_t, std::vector<Trace>> crashes;
  std::vector<std::unique_ptr<Service>> tools;  ///< everything they did
};
inline Others by_others(const std::string& spec) {
  Others out;
  for (const std::string& strategy : everybody)
    for (const std::uint64_t seed : {21U, 22U}) {
      auto on = service_on(spec);
      if (!on || !explore_by(*on, {strategy}, seed, half_an_hour)) continue;
      for (std::uint32_t n = 1; n < on->tree.size(); ++n)
        if (const Crash* crash = on->tree.crash(NodeId{n}))
          out.crashes[signature(*crash, Sameness::frames)].push_back(on->tree.trace(NodeId{n}));
      out.tools.push_back(std::move(on));
    }
  return out;
}

/// What other tools' labelled steps that did not crash are read as: a run into the crash is a false alarm.
struct Alarms {
  std::size_t steps = 0, by_labels = 0, by_screens = 0;

  void add(const BugAutomaton& bug, const History& tree) {
    TreeReading reading(bug, tree);
    const auto dfa = determinise(bug.nfa);
    if (!dfa) return;
    std::vector<DfaState> at(tree.size(), dead);
    at[0] = dfa->start;
    for (std::uint32_t n = 1; n < tree.size(); ++n) {
      const NodeId node{n}, parent = tree.parent(node);
      if (tree.crash(node)) continue;
      at[n] = at[parent.value];
      const auto input = input_of(bug.inputs, tree.event(tree.event_id(node)), tree.screen(parent));
      if (!input || bug.inputs[*input].is_move()) continue;
      const auto label = dfa->find(bug.inputs[*input].label);
      at[n] = label ? dfa->step(at[n], *label) : dead;
      ++steps, by_labels += dfa->final[at[n]], by_screens += reading.at(node).crash;
    }
  }
};

/// Why are crashing runs rejected with their screens? Each is shortened as far as it still crashes and is
/// still rejected.
inline void study(const std::string& name, const BugAutomaton& bug, Replay& replay,
                  std::span<const Trace> crashing) {
  const ScreenReader reader(bug);
  const auto told = [&](const Trace& run) {
    const Screen* before = &run.start->screen;
    ScreenReader::At at = reader.start();
    for (const Step& step : run.steps) {
      const auto input = input_of(bug.inputs, step.event, *before);
      const std::string label = !input                         ? "-"
                                : bug.inputs[*input].is_move() ? "move"
                                                               : bug.inputs[*input].label;
      fmt::print(stderr, "    {:<5}{:<20} {:<40} in {}{}\n", label, before->activity, describe(step.event),
                 fmt::join(at.states, " "),
                 at.held.empty() ? "" : fmt::format(" or {}", fmt::join(at.held, " ")));
      at = reader.after(at, step.event, *before, step.seen.crash ? nullptr : &step.seen.screen);
      before = &step.seen.screen;
    }
  };
  std::set<std::vector<std::string>> seen;
  for (const Trace& trace : crashing) {
    const auto word = pivot_word(bug, trace);
    if (read_run(reader, trace).crash || !seen.insert(word).second) continue;
    std::vector<Event> events;
    for (const Step& step : trace.steps) events.push_back(step.event);
    const SameCrash crash{signature(*trace.crash(), Sameness::frames), Sameness::frames};
    const Outcome again = replay.ask({.events = replay.intern(events), .watch = crash});
    fmt::print(stderr, "{}: REJECTED{}, {} events{}\n", name,
               accepts(bug.nfa, word) ? " with its screens" : "", events.size(),
               again.verdict == Verdict::yes ? "" : ", does not crash again");
    if (again.verdict != Verdict::yes) continue;
    const auto rejected = [&](NodeId end) { return !read_run(reader, replay.history().trace(end)).crash; };
    const auto shorter = shorten_strange(replay, again.end, rejected, 1e9);
    if (shorter && *shorter)
      told(replay.history().trace(**shorter));
    else
      fmt::print(stderr, "    its events do not do it again\n");
  }
}

/// Six to twelve screens.
inline std::string generated_spec(std::uint64_t seed) {
  return fmt::format("sim:generated?seed={}&screens={}", seed, 6 + seed % 7);
}

/// BUG.jff and its events file, as `norn learn` writes them.
inline Status keep(const fs::path& folder, const std::string& name, const BugAutomaton& bug) {
  NORN_TRY(const Nfa drawing, drawing_of(bug));
  const fs::path jff = folder / (name + ".jff");
  NORN_CHECK(write_file(jff, write_jflap(drawing)));
  return write_file(cli::events_path(jff), cli::write_bug_events(bug, name));
}

/// Crashing runs by their distinct words of labels: how many are read as runs into the crash, and accepted by
/// their labels.
struct Accepted {
  Ratio read, by_labels;
  void add(const Accepted& more) {
    read.good += more.read.good, read.all += more.read.all;
    by_labels.good += more.by_labels.good, by_labels.all += more.by_labels.all;
  }
};
inline Accepted accepted_of(const BugAutomaton& bug, std::span<const Trace> crashing) {
  const ScreenReader reader(bug);
  std::map<std::vector<std::string>, bool> words;
  for (const Trace& trace : crashing) {
    bool& read = words.try_emplace(pivot_word(bug, trace), true).first->second;
    read = read && read_run(reader, trace).crash;
  }
  Accepted out;
  out.read.all = out.by_labels.all = words.size();
  for (const auto& [word, read] : words) out.read.good += read, out.by_labels.good += accepts(bug.nfa, word);
  return out;
}

/// The other ways into a crash that its ground truth states, as runs of a device that the learner has nothing
/// to do with.
inline std::vector<Trace> stated_ways(const std::string& spec, const sim::KnownBug& bug) {
  std::vector<Trace> out;
  const auto on = service_on(spec);
  for (const sim::KnownBug::Way& way : bug.others) {
    const Outcome run = on->replay->ask({.events = on->replay->intern(way.events), .watch = AnyCrash{}});
    if (run.verdict == Verdict::yes) out.push_back(on->tree.trace(run.end));
  }
  return out;
}
inline std::vector<Trace> stated_ways(const std::string& app, std::string_view id) {
  if (const auto truth = sim::load_truth(app))
    for (const sim::KnownBug& bug : truth->bugs)
      if (bug.id == id) return stated_ways("sim:" + app, bug);
  return {};
}

/// It starts one of the app's pages by its name, which no tool here does but Monkey with system events.
inline bool starts_a_page(const Trace& run) {
  return std::ranges::any_of(run.steps, [](const Step& step) {
    const auto* launch = std::get_if<Launch>(&step.event);
    return launch != nullptr && !launch->activity.empty();
  });
}

/// How an automaton reads runs that it was not learned from.
struct Readings {
  Accepted tools, stated;  ///< other tools' runs; ways that the ground truth states
  Accepted by_touch;       ///< of those that start no page by its name
  Alarms alarms;

  void add(const Readings& more) {
    tools.add(more.tools), stated.add(more.stated), by_touch.add(more.by_touch);
    alarms.steps += more.alarms.steps;
    alarms.by_screens += more.alarms.by_screens, alarms.by_labels += more.alarms.by_labels;
  }
  void print(const std::string& of) const {
    fmt::print(
        "{}: {} words, {} stated ways ({} by labels), {} ({}) of those that start no page by its name; of {} "
        "steps that did not crash {} read as the crash, {} by labels\n",
        of, ratio(tools.read), ratio(stated.read), ratio(stated.by_labels), ratio(by_touch.read),
        ratio(by_touch.by_labels), alarms.steps, alarms.by_screens, alarms.by_labels);
  }
};

/// The device of a kept automaton, by the first part of its file's name.
inline std::string spec_of(const std::string& app) {
  constexpr std::string_view seeded = "seed ";
  if (!app.starts_with(seeded)) return "sim:" + app;
  return generated_spec(std::strtoull(app.c_str() + seeded.size(), nullptr, 10));
}

/// The automata of a folder by their apps; their names, or those of their apps: only these.
inline std::map<std::string, std::vector<fs::path>> kept_in(const fs::path& folder,
                                                            const std::vector<std::string>& names) {
  std::map<std::string, std::vector<fs::path>> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string stem = entry.path().stem().string(), app = stem.substr(0, stem.find('.'));
    const auto is_named = [&](const std::string& name) { return name == stem || name == app; };
    const bool wanted = names.empty() || std::ranges::any_of(names, is_named);
    if (wanted && entry.path().extension() == ".jff") out[app].push_back(entry.path());
  }
  for (auto& [app, files] : out) std::ranges::sort(files);
  return out;
}

/// A file names the crash by its type and place; the tables go by all of its frames, so that a word more may
/// be counted here.
inline int read_kept(const fs::path& folder, const std::vector<std::string>& names) {
  Readings sum;
  for (const auto& [app, files] : kept_in(folder, names)) {
    const Others others = by_others(spec_of(app));
    for (const fs::path& file : files) {
      const auto bug = cli::load_bug(file, cli::events_path(file));
      if (!bug) return fmt::print(stderr, "{}\n", bug.error().message()), 2;
      std::vector<Trace> crashing;
      for (const auto& [signature, traces] : others.crashes)
        if (has_signature(*traces.front().crash(), bug->crash))
          crashing.insert(crashing.end(), traces.begin(), traces.end());
      const std::string name = file.stem().string();
      const auto ways = stated_ways(app, name.substr(name.find('.') + 1));
      std::vector<Trace> touched = ways;
      std::erase_if(touched, starts_a_page);
      Readings one{.tools = accepted_of(*bug, crashing),
                   .stated = accepted_of(*bug, ways),
                   .by_touch = accepted_of(*bug, touched),
                   .alarms = {}};
      for (const auto& tool : others.tools) one.alarms.add(*bug, tool->tree);
      one.print(name);
      sum.add(one);
      if (!std::getenv("NORN_WHY")) continue;
      crashing.insert(crashing.end(), ways.begin(), ways.end());
      if (const auto on = service_on(spec_of(app))) study(name, *bug, *on->replay, crashing);
    }
  }
  sum.print("in all");
  return 0;
}

}  // namespace norn::bench
