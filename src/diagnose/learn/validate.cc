// Does a learned automaton tell the truth? Each figure has its own sample, drawn with another seed than the
// learner's tests and run anew from clean starts; but for the W-method, which is no sample where it is small
// enough: there every test counts, whoever ran it. Where the crash comes in some of the runs only, a word is
// run until it has crashed, or so often that it would have.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "diagnose/automaton.h"
#include "diagnose/events.h"
#include "diagnose/learn/learn.h"
#include "diagnose/learn/replay_teacher.h"
#include "diagnose/learn/screen_reading.h"
#include "diagnose/learn/variations.h"
#include "diagnose/learn/w_method.h"

namespace norn {
namespace {

using lsharp::Input;
using lsharp::Output;
using lsharp::Word;

std::string shown(const BugAutomaton& bug, const Word& word) {
  std::string out;
  for (const Input i : word)
    out += (out.empty() ? "" : " ") +
           (bug.inputs[i].is_move() ? "(" + describe(bug.inputs[i].event) + ")" : bug.inputs[i].label);
  return out.empty() ? "nothing" : out;
}

bool crashed(const std::vector<Output>& run) {
  return !run.empty() && run.back().kind == Output::Kind::crash;
}

class Validator {
 public:
  Validator(Replay& replay, const BugAutomaton& bug, const ValidateOptions& options, Progress& progress,
            std::stop_token stop)
      : replay_(replay),
        bug_(bug),
        options_(options),
        progress_(progress),
        ways_(bug),
        fresh_(
            replay, bug.inputs, [&bug](const Crash& crash) { return has_signature(crash, bug.crash); },
            {.fresh = true, .rate = bug.rate}, stop),
        remembering_(
            replay, bug.inputs, [&bug](const Crash& crash) { return has_signature(crash, bug.crash); },
            {.tested = bug.rate < 1, .rate = bug.rate}, stop),
        stop_(stop),
        rng_(options.seed) {}

  Status run(std::span<const Trace> crashing) {
    for (ReplayTeacher* teacher : {&fresh_, &remembering_})
      if (auto start = teacher->start(); !start) return std::unexpected(start.error());
    std::vector<Trace> walked;
    NORN_CHECK(walk(walked));
    complete(crashing, walked);
    NORN_CHECK(precise());
    NORN_CHECK(harmless());
    return w_method();
  }
  Validation result;

 private:
  static constexpr std::size_t at_once = 16;

  void blame(std::string sentence) {
    if (result.failures.size() < 10) result.failures.push_back(std::move(sentence));
  }

  /// Other ways into the crash than those the learner walked: the seed is another.
  Status walk(std::vector<Trace>& out) {
    if (options_.wander_seconds <= 0) return {};
    progress_.status("validating: walks into the crash");
    const History& tree = replay_.history();
    const auto before = static_cast<std::uint32_t>(tree.size());
    const std::size_t length = 10 + 2 * ways_.to_crash(0)->size();
    NORN_CHECK(wander(replay_, bug_.inputs, {options_.wander_seconds, length, options_.seed + 1000}, stop_));
    for (std::uint32_t n = before; n < tree.size(); ++n)
      if (const Crash* crash = tree.crash(NodeId{n}); crash && has_signature(*crash, bug_.crash))
        out.push_back(tree.trace(NodeId{n}));
    return {};
  }

  /// Where the crash comes by chance, also if it should have come before: the run went on as it did not.
  bool is_accepted(const std::vector<std::string>& word) const {
    if (bug_.rate >= 1) return accepts(bug_.nfa, word);
    for (std::size_t n = 1; n <= word.size(); ++n)
      if (accepts(bug_.nfa, std::span(word).first(n))) return true;
    return false;
  }

  void complete(std::span<const Trace> given, std::span<const Trace> walked) {
    const ScreenReader reader(bug_);
    std::map<std::vector<std::string>, bool> words;  // all of its runs are read as runs into the crash
    for (const auto traces : {given, walked})
      for (const Trace& trace : traces) {
        bool& read = words.try_emplace(norn::pivot_word(bug_, trace), true).first->second;
        read = read && read_run(reader, trace).crash;
      }
    result.completeness.all = result.completeness_read.all = words.size();
    for (const auto& [word, as_read] : words) {
      const bool accepted = is_accepted(word), read = as_read || (accepted && bug_.rate < 1);
      result.completeness.good += accepted, result.completeness_read.good += read;
      if (!accepted || !read)
        blame(fmt::format("a crashing trace is not accepted{}: {}",
                          read       ? " by its labels"
                          : accepted ? " with its screens"
                                     : "",
                          fmt::join(word, " ")));
    }
  }

  /// Runs words some at a time; each(word, what was seen).
  template <class Each>
  Status each_run(ReplayTeacher& teacher, const std::vector<Word>& words, std::string_view what, Each each) {
    for (std::size_t k = 0; k < words.size(); k += at_once) {
      const std::span<const Word> some = std::span(words).subspan(k, std::min(at_once, words.size() - k));
      progress_.status(fmt::format("validating: {} {} of {}", what, k, words.size()));
      NORN_TRY(const auto runs, teacher.run(some));
      for (std::size_t i = 0; i < some.size(); ++i) each(some[i], runs[i]);
    }
    return {};
  }

  Status precise() {
    std::vector<Word> words;
    for (std::size_t t = 0; t < bug_.nfa.transitions.size(); ++t)
      if (auto word = ways_.over(t)) words.push_back(std::move(*word));
    while (words.size() < options_.crashing)
      words.push_back(ways_.crashing(rng_, 3 * bug_.nfa.states.size()));
    return each_run(fresh_, words, "way", [&](const Word& word, const std::vector<Output>& run) {
      ++result.precision.all;
      if (crashed(run) && run.size() == word.size())
        ++result.precision.good;
      else
        blame(fmt::format("a way does not crash: {} ({})", shown(bug_, word),
                          crashed(run) ? fmt::format("it crashed after {} events", run.size())
                          : run.size() < word.size()
                              ? fmt::format("event {} was not possible", run.size() + 1)
                              : "nothing happened"));
    });
  }

  Status harmless() {
    std::vector<Word> words;
    for (std::size_t i = 0; i < options_.harmless; ++i)
      words.push_back(ways_.harmless(rng_, 2 * bug_.nfa.states.size() + 2));
    TreeReading reading(bug_, replay_.history());
    return each_run(fresh_, words, "harmless walk", [&](const Word& word, const std::vector<Output>& run) {
      ++result.non_crashing.all, ++result.non_crashing_read.all;
      const Word done(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(run.size()));
      if (const auto end = fresh_.node(done); end && !crashed(run))
        result.non_crashing_read.good += !reading.at(*end).crash;
      if (crashed(run))
        blame(fmt::format("crashes against expectation: {}", shown(bug_, done)));
      else if (accepts(bug_.nfa, ways_.pivot_word(done)))
        blame(
            fmt::format("does not crash, but other moves between the same events do: {}", shown(bug_, done)));
      else
        ++result.non_crashing.good;
    });
  }

  Status w_method() {
    std::vector<Word> words = w_tests(bug_, ways_);
    result.w_all = words.size();
    sample(words, options_.w_tests, rng_);
    return each_run(
        remembering_, words, "W-method test", [&](const Word& word, const std::vector<Output>& run) {
          ++result.w_method.all;
          if (*foretold(bug_, ways_, word) == (crashed(run) ? run.size() : 0))
            ++result.w_method.good;
          else
            blame(fmt::format("{}: {}", crashed(run) ? "crashes against expectation" : "does not crash",
                              shown(bug_, word)));
        });
  }

  Replay& replay_;
  const BugAutomaton& bug_;
  const ValidateOptions& options_;
  Progress& progress_;
  Ways ways_;
  ReplayTeacher fresh_, remembering_;
  std::stop_token stop_;
  Rng rng_;
};

}  // namespace

std::vector<std::string> pivot_word(const BugAutomaton& bug, const Trace& trace) {
  static const Screen nothing = [] {
    Screen screen;
    screen.kind = Screen::Kind::unseen;
    return screen;
  }();
  std::vector<std::string> out;
  const Screen* before = trace.start ? &trace.start->screen : &nothing;
  for (const Step& step : trace.steps) {
    const auto input = input_of(bug.inputs, step.event, *before);
    if (input && !bug.inputs[*input].is_move()) out.push_back(bug.inputs[*input].label);
    before = &step.seen.screen;
  }
  return out;
}

Result<Validation> validate(Replay& replay, const BugAutomaton& bug, std::span<const Trace> crashing,
                            const ValidateOptions& options, Progress& progress, std::stop_token stop) {
  NORN_CHECK(bug.check());
  const Effort before = replay.spent();
  if (!Ways(bug).reaches_crash()) {
    Validation nothing;
    nothing.stopped = replay.left() <= 0 || stop.stop_requested();
    return nothing;
  }
  Validator validator(replay, bug, options, progress, stop);
  const Status status = validator.run(crashing);
  if (!status && !is_spent(status.error())) return std::unexpected(status.error());
  validator.result.stopped = !status;
  validator.result.effort = replay.spent() - before;
  return std::move(validator.result);
}

}  // namespace norn
