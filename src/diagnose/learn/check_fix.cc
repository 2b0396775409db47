// Is a bug fixed? The automaton's ways are replayed on the patched build: the shortest ones, one over each
// transition, and the shortest with other texts and rows in the places where its labels stand for more than
// one. A fix that looks at what was typed may close the one and leave the other open. One run that shows the
// crash opens a way, whatever the others did. Where the crash came in some of the runs only, a fix may have
// made it rarer instead of impossible: each way is run until the crash is seen, or so often that a fifth of
// the rate would have shown.
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

constexpr double left_over = 0.2;  ///< the share of the crash's rate that a fix must not leave unseen

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
    NORN_TRY(const Output start, teacher_of(bug_.inputs).start());
    if (start.kind != Output::Kind::alive) {
      out_.at_start = *patched_.history().crash(patched_.history().root());
      out_.ways = out_.unasked = words.size();
    } else {
      NORN_CHECK(try_ways(bug_.inputs, words));
    }
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
    NORN_TRY(const auto screens, screens_on(shortest));
    for (const lsharp::Input i : std::set<lsharp::Input>(shortest.begin(), shortest.end())) {
      std::vector<LearnInput> tried{bug_.inputs[i]};
      for (const Event& other : others_like(bug_.inputs[i])) {
        LearnInput instead = bug_.inputs[i];
        instead.event = other, instead.also.clear(), instead.any_row = false;
        const auto is_known = [&](const LearnInput& known) {
          for (std::size_t k = 0; k < screens.size(); ++k)
            if (shortest[k] == i && !is_same_on(*screens[k], known, instead)) return false;
          return true;
        };
        if (std::ranges::any_of(tried, is_known)) continue;
        std::vector<LearnInput> inputs = bug_.inputs;
        inputs[i] = instead;
        tried.push_back(std::move(instead));
        NORN_CHECK(try_ways(inputs, {shortest}, true));
      }
    }
    return {};
  }

  /// The screens that the events of a way are performed on, as far as it can be gone.
  Result<std::vector<const Screen*>> screens_on(const Word& word) {
    ReplayTeacher teacher = teacher_of(bug_.inputs);
    if (auto start = teacher.start(); !start) return std::unexpected(start.error());
    NORN_TRY(const auto runs, teacher.run({{word}}));
    std::vector<const Screen*> out;
    for (std::size_t k = 0; k <= runs[0].size() && k < word.size(); ++k)
      if (const auto node = teacher.node({word.begin(), word.begin() + static_cast<std::ptrdiff_t>(k)});
          node && !patched_.history().crash(*node))
        out.push_back(&patched_.history().screen(*node));
    return out;
  }

  /// Whether the second can do nothing on this screen but what the first does there: the only row is every row.
  static bool is_same_on(const Screen& screen, const LearnInput& first, const LearnInput& second) {
    const auto one = event_on(first, screen), other = event_on(second, screen);
    return !other || (one && same_event(*other, *one, screen));
  }

  ReplayTeacher teacher_of(const std::vector<LearnInput>& inputs) {
    return {patched_,
            inputs,
            [this](const Crash& crash) { return has_signature(crash, bug_.crash); },
            {.tested = bug_.rate < 1, .rate = bug_.rate},
            stop_};
  }

  /// `others`: those that cannot be gone are none.
  Status try_ways(const std::vector<LearnInput>& inputs, const std::vector<Word>& words,
                  bool others = false) {
    ReplayTeacher teacher = teacher_of(inputs);
    if (auto start = teacher.start(); !start) return std::unexpected(start.error());
    const std::size_t at_once = bug_.rate < 1 ? 1 : 16;  // what was judged stays where the budget ends
    for (std::size_t k = 0; k < words.size(); k += at_once) {
      const std::span<const Word> some = std::span(words).subspan(k, std::min(at_once, words.size() - k));
      progress_.status(fmt::format("way {} of {}, {} still open", k, words.size(), out_.open.size()));
      const auto runs = teacher.run(some);
      if (!runs) return give_up(runs.error(), words.size() - k);
      for (std::size_t i = 0; i < some.size(); ++i) {
        const auto& run = (*runs)[i];
        const bool stopped =
            run.size() < some[i].size() && (run.empty() || run.back().kind == Output::Kind::alive);
        if (others && stopped) continue;
        if (!stopped)
          if (const Status more = run_on(teacher, some[i]); !more)
            return give_up(more.error(), words.size() - k - i);
        ++out_.ways, out_.with_others += others;
        judge(teacher, some[i], stopped);
      }
    }
    return {};
  }

  /// So many ways are left. Error: nothing was seen before.
  Status give_up(const Error& error, std::size_t left) {
    if (out_.closed + out_.open.size() + out_.elsewhere.size() == 0) return std::unexpected(error);
    out_.unasked += left, out_.ways += left;
    return {};
  }

  /// A crash that comes by chance may have become rarer: some more runs at a time, until it is seen or enough
  /// were made.
  Status run_on(ReplayTeacher& teacher, const Word& word) {
    if (bug_.rate >= 1) return {};
    constexpr std::uint32_t at_once = 8;
    const std::uint32_t wanted = runs_that_show(left_over * bug_.rate, 0.95);
    for (auto seen = teacher.ended(word); seen.bug == 0 && seen.all() < wanted;) {
      NORN_CHECK(teacher.repeat(word, std::min(at_once, wanted - seen.all())));
      const auto now = teacher.ended(word);
      if (now.all() == seen.all()) break;  // it cannot be gone any more
      seen = now;
    }
    return {};
  }

  void judge(ReplayTeacher& teacher, const Word& word, bool stopped) {
    const auto seen = teacher.ended(word);
    if (seen.bug > 0) return add(out_.open, word, seen.crash, seen.bug, seen.all());
    if (seen.other > 0) return add(out_.elsewhere, word, seen.elsewhere, seen.other, seen.all());
    ++out_.closed;
    out_.impossible += stopped;
    if (!stopped) out_.closed_runs = std::min(seen.calm, out_.closed_runs.value_or(seen.calm));
  }

  void add(std::vector<FixCheck::Way>& ways, const Word& word, NodeId end, std::uint32_t crashed,
           std::uint32_t runs) const {
    const Word done(word.begin(), word.begin() + patched_.history().depth(end));
    ways.push_back({ways_.pivot_word(done), patched_.history().events_to(end), end, crashed, runs});
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
