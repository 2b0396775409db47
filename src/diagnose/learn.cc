#include "diagnose/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "diagnose/replay_teacher.h"

namespace norn {
namespace {

using lsharp::Input;
using lsharp::Word;

/// A trace as the device ran it: each event with the screen before it.
struct Ran {
  std::vector<Performed> steps;
  const Crash* crash = nullptr;
};

Result<Ran> run_trace(Replay& replay, const std::vector<Event>& events, std::stop_token stop) {
  const Outcome outcome = replay.ask({.events = replay.intern(events), .watch = AnyCrash{}}, stop);
  if (outcome.verdict == Verdict::unresolved)
    return std::unexpected(
        outcome.why.value_or(Error{Error::Kind::device, "the trace could not be run", {}, {}}));
  if (outcome.verdict == Verdict::no)
    return fail(Error::Kind::bad_input,
                outcome.diverged ? fmt::format("the trace does not crash: event {} ({}) found no target",
                                               *outcome.diverged + 1, describe(events[*outcome.diverged]))
                                 : "the trace does not crash",
                {}, "give a trace that crashes from a clean start; norn reduce makes one");
  const History& tree = replay.history();
  Ran out;
  for (const NodeId node : tree.path(outcome.end))
    out.steps.push_back({events[out.steps.size()], &tree.screen(tree.parent(node))});
  out.crash = tree.crash(outcome.end);
  return out;
}

Word word_of(const std::vector<Performed>& steps, const std::vector<LearnInput>& inputs) {
  Word word;
  for (const Performed& step : steps)
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (event_key(inputs[i].event) == event_key(step.event)) {
        word.push_back(static_cast<Input>(i));
        break;
      }
  return word;
}

}  // namespace

Result<Learned> learn(Replay& replay, std::span<const std::vector<Event>> minimal,
                      const LearnOptions& options, Progress& progress, std::stop_token stop) {
  const Effort before = replay.spent();
  if (minimal.empty()) return fail(Error::Kind::bad_input, "there is no trace to learn from");
  std::vector<std::vector<Performed>> traces;
  Learned out;
  for (const std::vector<Event>& events : minimal) {
    if (events.empty()) return fail(Error::Kind::bad_input, "a trace has no events");
    NORN_TRY(const Ran ran, run_trace(replay, events, stop));
    if (traces.empty()) {
      out.crash = *ran.crash;
    } else if (signature(*ran.crash, Sameness::frames) != signature(out.crash, Sameness::frames)) {
      return fail(Error::Kind::bad_input,
                  "the traces crash differently: " + headline(out.crash) + " and " + headline(*ran.crash), {},
                  "learn one automaton for each");
    }
    traces.push_back(ran.steps);
  }
  std::vector<LearnInput> inputs = pivots_of(traces);
  const std::size_t pivots = inputs.size();
  if (pivots + 2 > lsharp::most_inputs)
    return fail(
        Error::Kind::bad_input,
        fmt::format("the traces have {} distinct events, more than {}", pivots, lsharp::most_inputs - 2), {},
        "reduce them first");
  const auto moves = moves_of(traces, inputs, std::min(options.moves, lsharp::most_inputs - 2 - pivots));
  inputs.insert(inputs.end(), moves.begin(), moves.end());

  const auto wanted = signature(out.crash, Sameness::frames);
  ReplayTeacher teacher(
      replay, inputs, [&](const Crash& crash) { return signature(crash, Sameness::frames) == wanted; }, false,
      stop);
  std::vector<Word> words;
  for (const auto& trace : traces) words.push_back(word_of(trace, inputs));
  lsharp::Learner learner(teacher, {.pivots = pivots,
                                    .inputs = inputs.size(),
                                    .states = options.states,
                                    .words = options.words,
                                    .tests = options.tests,
                                    .test_length = options.test_length,
                                    .seed = options.seed});
  const auto remembered = remembered_words(replay.history(), inputs, 500);
  NORN_TRY(const lsharp::Report report, learner.learn(words, remembered, [&](const std::string& line) {
    progress.status(fmt::format("[ {:.0f} s ] {}", (replay.spent() - before).device_seconds, line));
  }));
  out.bug = to_automaton(report.machine, std::move(inputs));
  out.bug.crash = crash_parts(out.crash);
  out.complete = report.complete && out.bug.unproven_count() == 0;
  out.why = report.why;
  out.machine_states = report.machine.size();
  out.words = report.words, out.tests = report.tests, out.mistakes = report.mistakes;
  out.by_catch.assign(teacher.by_catch().begin(), teacher.by_catch().end());
  out.effort = replay.spent() - before;
  return out;
}

}  // namespace norn
