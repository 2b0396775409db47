#include "diagnose/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "diagnose/automaton.h"
#include "diagnose/generalise.h"
#include "diagnose/replay_teacher.h"
#include "diagnose/strange_trace.h"
#include "diagnose/variations.h"

namespace norn {
namespace {

using lsharp::Input;
using lsharp::Word;

Result<NodeId> crash_of(Replay& replay, const std::vector<Event>& events, std::stop_token stop) {
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
  return outcome.end;
}

/// Running out of what may be spent ends a search; it is no failure of it.
Status unless_spent(Status status) {
  if (!status &&
      (status.error().kind == Error::Kind::budget || status.error().kind == Error::Kind::cancelled))
    return {};
  return status;
}

/// A run into the crash that is not one of the traces given.
struct Other {
  NodeId end;
  int tried = 0;  ///< how often it was learned from
};

class Learning {
 public:
  Learning(Replay& replay, const LearnOptions& options, Progress& progress, std::stop_token stop)
      : replay_(replay),
        options_(options),
        progress_(progress),
        stop_(std::move(stop)),
        before_(replay.spent()) {}

  Status add_minimal(const std::vector<Event>& events) {
    if (events.empty()) return fail(Error::Kind::bad_input, "a trace has no events");
    NORN_TRY(const NodeId end, crash_of(replay_, events, stop_));
    const Crash& crash = *tree().crash(end);
    if (traces_.empty()) {
      out_.crash = crash;
      wanted_ = signature(crash, Sameness::frames);
    } else if (signature(crash, Sameness::frames) != wanted_) {
      return fail(Error::Kind::bad_input,
                  "the traces crash differently: " + headline(out_.crash) + " and " + headline(crash), {},
                  "learn one automaton for each");
    }
    return add_trace(run_to(tree(), on_widgets(end)));
  }

  Result<Learned> run() {
    const std::size_t known = tree().size();
    NORN_CHECK(learn_once(options_.joins == 0 ? options_.tests : quick_tests()));
    if (options_.joins > 0) {
      gather(0, known);
      vary();
      NORN_CHECK(join());
      NORN_CHECK(learn_to_the_end());
    }
    count_known();
    out_.effort = replay_.spent() - before_;
    return std::move(out_);
  }

 private:
  const History& tree() const { return replay_.history(); }
  /// The run with events on widgets instead of points, if that crashes as well.
  NodeId on_widgets(NodeId end) {
    std::vector<Event> events;
    for (const Performed& step : run_to(tree(), end)) events.push_back(on_widget(step));
    const SameCrash crash{wanted_, Sameness::frames};
    const Outcome outcome = replay_.ask({.events = replay_.intern(events), .watch = crash}, stop_);
    return outcome.verdict == Verdict::yes ? outcome.end : end;
  }
  std::size_t quick_tests() const { return std::min<std::size_t>(options_.tests, 30); }
  bool is_bug(const Crash& crash) const { return signature(crash, Sameness::frames) == wanted_; }
  ReplayTeacher::IsBug bug_check() const {
    return [this](const Crash& crash) { return is_bug(crash); };
  }

  std::vector<LearnInput> inputs() const {
    std::vector<LearnInput> all = pivots_;
    all.insert(all.end(), moves_.begin(), moves_.end());
    return all;
  }

  Status add_trace(std::vector<Performed> trace) {
    const std::size_t first = pivots_.size();
    add_pivots(trace, moves_, pivots_);
    if (pivots_.size() + 2 > lsharp::most_inputs)
      return fail(Error::Kind::bad_input,
                  fmt::format("the traces have {} distinct events, more than {}", pivots_.size(),
                              lsharp::most_inputs - 2),
                  {}, "reduce them first");
    traces_.push_back(std::move(trace));
    const std::vector<LearnInput> narrow = pivots_;
    if (options_.generalise)
      NORN_CHECK(unless_spent(generalise(replay_, traces_.back(), first, bug_check(), pivots_, stop_)));
    if (!still_crashes(traces_.back()))
      pivots_ = narrow;  // each label alone may be wider, not all of them at once
    moves_ = moves_of(traces_, pivots_, std::min(options_.moves, lsharp::most_inputs - 2 - pivots_.size()));
    return {};
  }

  /// Whether the trace crashes as its labels say it, too.
  bool still_crashes(const std::vector<Performed>& trace) {
    std::vector<LearnInput> all = inputs();
    ReplayTeacher teacher(replay_, all, bug_check(), {}, stop_);
    const Word word = word_of(trace, all);
    if (!teacher.start()) return true;
    const auto runs = teacher.run({{word}});
    return !runs || (runs->front().size() == word.size() && !word.empty() &&
                     runs->front().back().kind == lsharp::Output::Kind::crash);
  }

  Word word_of(const std::vector<Performed>& run, const std::vector<LearnInput>& all) const {
    Word word;
    for (const Performed& step : run)
      if (const auto input = input_of(all, step.event, *step.before))
        word.push_back(static_cast<Input>(*input));
    return word;
  }

  // ---- one round of learning ----

  /// Apps that were seen to do different things after the same events are asked more than once.
  Status learn_once(std::size_t tests) {
    const auto disagreed = [&] { return tree().agreement().disagreed; };
    const auto before = disagreed();
    NORN_CHECK(learn_once(tests, before > 0));
    if (before == 0 && disagreed() > 0) NORN_CHECK(learn_once(tests, true));
    return {};
  }

  Status learn_once(std::size_t tests, bool tested) {
    std::vector<LearnInput> all = inputs();
    ReplayTeacher teacher(replay_, all, bug_check(), {.tested = tested}, stop_);
    std::vector<Word> words;
    for (const auto& trace : traces_) words.push_back(word_of(trace, all));
    lsharp::Learner learner(teacher, {.pivots = pivots_.size(),
                                      .inputs = all.size(),
                                      .states = options_.states,
                                      .words = options_.words,
                                      .tests = tests,
                                      .test_length = options_.test_length,
                                      .seed = options_.seed});
    const auto remembered = remembered_words(tree(), all, 500);
    NORN_TRY(const lsharp::Report report, learner.learn(words, remembered, [&](const std::string& line) {
      progress_.status(fmt::format("[ {:.0f} s ] {}", (replay_.spent() - before_).device_seconds, line));
    }));
    out_.bug = to_automaton(report.machine, std::move(all));
    out_.bug.crash = crash_parts(out_.crash);
    out_.complete = report.complete && out_.bug.unproven_count() == 0;
    out_.why = report.why;
    out_.machine_states = report.machine.size();
    out_.words = report.words, out_.tests = report.tests, out_.mistakes = report.mistakes;
    out_.by_catch.assign(teacher.by_catch().begin(), teacher.by_catch().end());
    NORN_CHECK(out_.bug.check());
    if (const auto dfa = determinise(out_.bug.nfa)) return {};
    out_.complete = false;
    out_.why = "its deterministic form is too large to be used: too many moves lead to too many places";
    return {};
  }

  /// With all tests; where that shows that the last runs taken in lead too far, without them.
  Status learn_to_the_end() {
    for (;;) {
      NORN_CHECK(learn_once(options_.tests));
      if (out_.complete || steps_.empty() || !steps_.front().out.complete || replay_.left() <= 0) return {};
      restore(steps_.back());
      steps_.pop_back();
    }
  }

  // ---- what other runs have to say ----

  /// One event off the traces given.
  void vary() {
    progress_.status("trying the trace with other events in the place of its own");
    const std::size_t each = options_.variations / std::max<std::size_t>(traces_.size(), 1);
    for (std::size_t t = 0, given = traces_.size(); t < given; ++t)
      for (const NodeId end :
           crashing_variations(replay_, traces_[t], {wanted_, Sameness::frames}, each, options_.seed, stop_))
        others_.push_back({end});
  }

  /// The runs into this crash among the nodes [from, to), the shortest first.
  void gather(std::size_t from, std::size_t to) {
    const std::size_t most = others_.size() + 100;
    std::vector<NodeId> found;
    for (std::size_t n = std::max<std::size_t>(from, 1); n < to; ++n) {
      const NodeId node{static_cast<std::uint32_t>(n)};
      if (const Crash* crash = tree().crash(node); crash && is_bug(*crash)) found.push_back(node);
    }
    std::ranges::stable_sort(found, {}, [&](NodeId node) { return tree().depth(node); });
    for (const NodeId node : found)
      if (others_.size() < most) others_.push_back({node});
  }

  std::vector<std::string> labels_to(NodeId end, const std::vector<LearnInput>& all) const {
    std::vector<std::string> out;
    for (const Input i : word_of(run_to(tree(), end), all))
      if (!all[i].is_move()) out.push_back(all[i].label);
    return out;
  }
  bool rejected(NodeId end) const { return !accepts(out_.bug.nfa, labels_to(end, out_.bug.inputs)); }

  Other* next_rejected() {
    for (Other& other : others_)
      if (other.tried < 3 && rejected(other.end)) return &other;
    return nullptr;
  }

  Status join() {
    bool wandered = false;
    for (std::size_t rounds = 0; rounds < options_.joins;) {
      if (replay_.left() <= 0 || stop_.stop_requested()) return {};
      Other* other = next_rejected();
      if (other == nullptr) {
        if (wandered) return {};
        wandered = true;
        NORN_CHECK(unless_spent(look_around()));
        continue;
      }
      ++rounds;
      ++other->tried;
      NORN_CHECK(learn_from(*other));
    }
    return {};
  }

  Status look_around() {
    const std::size_t from = tree().size();
    progress_.status("looking for other ways into the crash");
    std::size_t longest = 0;
    for (const auto& trace : traces_) longest = std::max(longest, trace.size());
    const WalkOptions walk{options_.wander_seconds, 10 + 2 * longest, options_.seed};
    NORN_CHECK(wander(replay_, out_.bug.inputs, walk, stop_));
    gather(from, tree().size());
    return {};
  }

  double join_seconds_left() const { return options_.join_seconds - join_spent_; }

  /// What a run taken in changes.
  struct Kept {
    std::vector<LearnInput> pivots, moves;
    std::vector<std::vector<Performed>> traces;
    Learned out;
  };

  /// Takes one rejected run in; where that leads nowhere (too many labels or states), everything is as before.
  Status learn_from(Other& other) {
    const double began = replay_.spent().device_seconds;
    const auto strange = [this](NodeId end) { return rejected(end); };
    progress_.status(fmt::format("a run of {} events is rejected: shortening it", tree().depth(other.end)));
    const auto shorter = shorten_strange(replay_, other.end, strange, join_seconds_left(), stop_);
    if (!shorter) return unless_spent(std::unexpected(shorter.error()));
    join_spent_ += replay_.spent().device_seconds - began;
    if (!*shorter) return other.tried = 3, Status();
    Kept kept{pivots_, moves_, traces_, out_};
    NORN_CHECK(unless_spent(take_in(**shorter)));
    const bool small = pivots_.size() <= options_.labels || pivots_.size() == kept.pivots.size();
    if (small) NORN_CHECK(learn_once(quick_tests()));
    if (small && (out_.complete || !kept.out.complete) && !rejected(**shorter)) {
      ++out_.joined;
      steps_.push_back(std::move(kept));
      return {};
    }
    other.tried = 3;
    restore(kept);
    return {};
  }

  Status take_in(NodeId end) {
    std::vector<Performed> run = run_to(tree(), end);
    if (adopt(run)) return {};
    const std::size_t first = pivots_.size();
    name_unknown(run);
    NORN_CHECK(add_trace(run));
    NORN_TRY(const auto minimal,
             shorten_strange(replay_, end, [](NodeId) { return true; }, join_seconds_left(), stop_));
    std::set<std::size_t> needed;
    if (minimal)
      for (const Performed& step : run_to(tree(), *minimal))
        if (const auto input = input_of(pivots_, step.event, *step.before)) needed.insert(*input);
    for (std::size_t i = first; i < pivots_.size(); ++i) pivots_[i].guard = !needed.contains(i);
    return {};
  }

  /// Whether the automaton is right about the run if its unknown events are read as known ones in the same role: then they are.
  bool adopt(const std::vector<Performed>& run) {
    std::vector<LearnInput> wider = pivots_;
    bool changed = false;
    for (const Performed& step : run) {
      if (input_of(wider, step.event, *step.before)) continue;
      const auto alike = std::ranges::find_if(
          wider, [&](const LearnInput& input) { return same_role(input.event, step.event); });
      if (alike == wider.end()) return false;
      alike->also.push_back(step.event);
      changed = true;
    }
    if (!changed) return false;
    std::vector<LearnInput> all = wider;
    all.insert(all.end(), moves_.begin(), moves_.end());
    std::vector<std::string> word;
    for (const Input i : word_of(run, all))
      if (!all[i].is_move()) word.push_back(all[i].label);
    if (!accepts(out_.bug.nfa, word)) return false;
    pivots_ = std::move(wider);
    return true;
  }

  /// Where every event has a label and the run is rejected all the same, a label may stand for too much: the events that are not
  /// what it performs get labels of their own.
  void name_unknown(const std::vector<Performed>& run) {
    const bool all_known = std::ranges::all_of(run, [&](const Performed& step) {
      return input_of(out_.bug.inputs, step.event, *step.before).has_value();
    });
    if (!all_known) return;
    for (const Performed& step : run) {
      const auto input = input_of(pivots_, step.event, *step.before);
      if (!input) continue;
      const auto performed = event_on(pivots_[*input], *step.before);
      if (!performed || same_event(*performed, step.event, *step.before)) continue;
      if (std::ranges::any_of(
              pivots_, [&](const LearnInput& p) { return event_key(p.event) == event_key(step.event); }))
        continue;
      LearnInput own = pivots_[*input];
      own.label = std::to_string(pivots_.size() + 1);
      own.event = step.event, own.also.clear(), own.any_row = false, own.typed = Typed::exact;
      pivots_.push_back(std::move(own));
    }
  }

  void count_known() {
    std::set<std::vector<std::string>> words;
    for (const Other& other : others_) words.insert(labels_to(other.end, out_.bug.inputs));
    for (const auto& word : words) ++out_.known.all, out_.known.good += accepts(out_.bug.nfa, word);
  }

  void restore(const Kept& kept) {
    pivots_ = kept.pivots, moves_ = kept.moves, traces_ = kept.traces, out_ = kept.out;
  }

  Replay& replay_;
  const LearnOptions& options_;
  Progress& progress_;
  std::stop_token stop_;
  Effort before_;
  std::uint64_t wanted_ = 0;
  std::vector<LearnInput> pivots_, moves_;
  std::vector<std::vector<Performed>> traces_;
  std::vector<Other> others_;
  std::vector<Kept> steps_;  ///< how it was before each run taken in
  double join_spent_ = 0;
  Learned out_;
};

}  // namespace

Result<Learned> learn(Replay& replay, std::span<const std::vector<Event>> minimal,
                      const LearnOptions& options, Progress& progress, std::stop_token stop) {
  if (minimal.empty()) return fail(Error::Kind::bad_input, "there is no trace to learn from");
  Learning learning(replay, options, progress, std::move(stop));
  for (const std::vector<Event>& events : minimal) NORN_CHECK(learning.add_minimal(events));
  return learning.run();
}

}  // namespace norn
