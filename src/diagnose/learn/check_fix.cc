// Is a bug fixed? The automaton's ways are replayed on the patched build: the shortest ones, one over each
// transition, and the shortest with other texts and rows in the places where its labels stand for more than
// one. A fix that looks at what was typed may close the one and leave the other open. Where the crash comes
// in some of the runs only, each way is run as often as that wants.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "diagnose/events.h"
#include "diagnose/learn/learn.h"
#include "diagnose/learn/replay_teacher.h"

namespace norn {

using lsharp::Output;
using lsharp::Word;

namespace {

class FixChecker {
 public:
  FixChecker(Replay& patched, const BugAutomaton& bug, const FixOptions& options, Progress& progress,
             std::stop_token stop)
      : patched_(patched),
        bug_(bug),
        options_(options),
        progress_(progress),
        stop_(std::move(stop)),
        ways_(bug) {}

  Result<FixCheck> run() {
    const Effort before = patched_.spent();
    const std::vector<Word> words = plain_ways();
    if (words.empty()) return fail(Error::Kind::bad_input, "the automaton has no way to the crash");
    NORN_CHECK(try_ways(bug_.inputs, words));
    if (out_.unasked == 0) NORN_CHECK(try_others(words.front()));
    out_.effort = patched_.spent() - before;
    return std::move(out_);
  }

 private:
  /// The shortest ways, and those over a transition that are too long to be among them.
  std::vector<Word> plain_ways() const {
    std::vector<Word> words = ways_.distinct(options_.ways, options_.extra);
    std::set<std::vector<std::string>> known;
    for (const Word& word : words) known.insert(ways_.pivot_word(word));
    for (std::size_t t = 0; t < bug_.nfa.transitions.size(); ++t)
      if (auto word = ways_.over(t); word && known.insert(ways_.pivot_word(*word)).second)
        words.push_back(std::move(*word));
    return words;
  }

  /// The shortest way with each other event that one of its labels stands for.
  Status try_others(const Word& shortest) {
    for (const lsharp::Input i : std::set<lsharp::Input>(shortest.begin(), shortest.end()))
      for (const Event& other : others_like(bug_.inputs[i])) {
        std::vector<LearnInput> inputs = bug_.inputs;
        inputs[i].event = other, inputs[i].also.clear(), inputs[i].any_row = false;
        NORN_CHECK(try_ways(inputs, {shortest}, true));
      }
    return {};
  }

  /// `others`: those that cannot be gone are none.
  Status try_ways(const std::vector<LearnInput>& inputs, const std::vector<Word>& words,
                  bool others = false) {
    ReplayTeacher teacher(
        patched_, inputs, [this](const Crash& crash) { return has_signature(crash, bug_.crash); },
        {.tested = bug_.rate < 1, .rate = bug_.rate}, stop_);
    if (auto start = teacher.start(); !start) return std::unexpected(start.error());
    constexpr std::size_t at_once = 16;
    for (std::size_t k = 0; k < words.size(); k += at_once) {
      const std::span<const Word> some = std::span(words).subspan(k, std::min(at_once, words.size() - k));
      progress_.status(fmt::format("way {} of {}, {} still open", k, words.size(), out_.open.size()));
      const auto runs = teacher.run(some);
      if (!runs) {
        if (out_.closed + out_.open.size() == 0) return std::unexpected(runs.error());
        out_.unasked += words.size() - k, out_.ways += words.size() - k;
        return {};
      }
      for (std::size_t i = 0; i < some.size(); ++i) {
        const auto& run = (*runs)[i];
        const bool stopped =
            run.size() < some[i].size() && (run.empty() || run.back().kind == Output::Kind::alive);
        if (others && stopped) continue;
        ++out_.ways, out_.with_others += others;
        judge(teacher, some[i], run);
      }
    }
    return {};
  }

  void judge(const ReplayTeacher& teacher, const Word& word, const std::vector<Output>& run) {
    const auto kind = run.empty() ? Output::Kind::alive : run.back().kind;
    if (kind == Output::Kind::alive) {
      ++out_.closed;
      out_.impossible += run.size() < word.size();
      return;
    }
    const Word done(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(run.size()));
    const NodeId end = teacher.node(done).value_or(NodeId{});
    (kind == Output::Kind::ended ? out_.elsewhere : out_.open)
        .push_back({ways_.pivot_word(done), patched_.history().events_to(end), end});
  }

  Replay& patched_;
  const BugAutomaton& bug_;
  const FixOptions& options_;
  Progress& progress_;
  std::stop_token stop_;
  Ways ways_;
  FixCheck out_;
};

}  // namespace

Result<FixCheck> check_fix(Replay& patched, const BugAutomaton& bug, const FixOptions& options,
                           Progress& progress, std::stop_token stop) {
  NORN_CHECK(bug.check());
  return FixChecker(patched, bug, options, progress, std::move(stop)).run();
}

}  // namespace norn
