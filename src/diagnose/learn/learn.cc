#include "diagnose/learn/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "diagnose/learn/generalise.h"
#include "diagnose/learn/learning.h"
#include "diagnose/learn/strange_trace.h"
#include "diagnose/learn/w_method.h"

namespace norn {

using lsharp::Input;
using lsharp::Machine;
using lsharp::Word;

namespace {

constexpr const char* w_disagree = "tests of the W-method disagree";

/// Where the trace crashes, and how often it does.
struct Crashing {
  NodeId end;
  double rate = 1;
};

/// A run of these events in the tree that crashed.
std::optional<NodeId> remembered_crash(const History& tree, const std::vector<Event>& events) {
  std::vector<std::pair<NodeId, std::size_t>> todo{{tree.root(), 0}};
  while (!todo.empty()) {
    const auto [node, done] = todo.back();
    todo.pop_back();
    if (tree.crash(node)) return node;
    if (done < events.size())
      for (const NodeId next : tree.children(node, event_key(events[done])))
        todo.emplace_back(next, done + 1);
  }
  return std::nullopt;
}

/// A trace that does not crash at once is given more runs: some crash only now and then.
Result<Crashing> crash_of(Replay& replay, const std::vector<Event>& events, std::uint32_t repeats,
                          std::stop_token stop) {
  Request request{.events = replay.intern(events), .watch = AnyCrash{}};
  Outcome outcome = replay.ask(request, stop);
  std::uint32_t runs = 1;
  if (outcome.verdict == Verdict::no && !outcome.diverged && repeats > 1) {
    request.sure = Sure::certified, request.repeats = repeats;
    outcome = replay.ask(request, stop);
    runs = outcome.yes.all() + outcome.no.all();
    if (outcome.yes.all() > 0) outcome.verdict = Verdict::yes;
  }
  if (outcome.verdict == Verdict::unresolved)
    return std::unexpected(
        outcome.why.value_or(Error{Error::Kind::device, "the trace could not be run", {}, {}}));
  if (outcome.verdict == Verdict::no)
    return fail(Error::Kind::bad_input,
                outcome.diverged ? fmt::format("the trace does not crash: event {} ({}) found no target",
                                               *outcome.diverged + 1, describe(events[*outcome.diverged]))
                                 : fmt::format("the trace did not crash in {} runs", runs),
                {},
                outcome.diverged ? "give a trace that crashes from a clean start; norn reduce makes one"
                                 : "a crash that is rarer needs more: --repeats 200");
  const auto end = remembered_crash(replay.history(), events);
  if (!end) return fail(Error::Kind::device, "the crash was not kept");
  const double rate = outcome.yes.all() == 0 ? 1
                                             : static_cast<double>(outcome.yes.all()) /
                                                   static_cast<double>(outcome.yes.all() + outcome.no.all());
  return Crashing{*end, rate};
}

}  // namespace

Status unless_spent(Status status) { return !status && is_spent(status.error()) ? Status{} : status; }

Status Learning::add_minimal(const std::vector<Event>& events) {
  if (events.empty()) return fail(Error::Kind::bad_input, "a trace has no events");
  const Metered metered(replay_, costs_.labels);
  NORN_TRY(const Crashing crashing, crash_of(replay_, events, options_.repeats, stop_));
  const NodeId end = crashing.end;
  out_.rate = std::min(out_.rate, crashing.rate);
  const Crash& crash = *tree().crash(end);
  if (traces_.empty()) {
    out_.crash = crash;
    wanted_ = signature(crash, Sameness::frames);
  } else if (signature(crash, Sameness::frames) != wanted_) {
    return fail(Error::Kind::bad_input,
                "the traces crash differently: " + headline(out_.crash) + " and " + headline(crash), {},
                "learn one automaton for each");
  }
  const Kept before = keep();
  std::optional<NodeId> way = on_widgets(end);
  while (way) {
    pivots_ = before.pivots, moves_ = before.moves, traces_ = before.traces;
    NORN_CHECK(add_trace(run_to(tree(), *way)));
    way = options_.minimise ? shorter_way(traces_.back()) : std::nullopt;
  }
  given_ = pivots_.size();
  return {};
}

std::optional<NodeId> Learning::shorter_way(const std::vector<Performed>& trace) {
  const std::vector<LearnInput> all = inputs();
  ReplayTeacher teacher(replay_, all, bug_check(), manner(), stop_);
  const Word word = word_of(trace, all);
  if (!teacher.start()) return std::nullopt;
  for (std::size_t k = 0; k < word.size(); ++k) {
    Word without = word;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(k));
    const auto runs = teacher.run({{without}});
    if (!runs) return std::nullopt;
    const auto& seen = runs->front();
    if (!seen.empty() && seen.size() == without.size() && seen.back().kind == lsharp::Output::Kind::crash)
      return teacher.node(without);
  }
  return std::nullopt;
}

Result<Learned> Learning::run() {
  const std::size_t known = tree().size(), given_traces = traces_.size();
  NORN_CHECK(learn_other_rows());
  std::optional<GivenWay> given;
  if (options_.joins > 0) {
    NORN_CHECK(learn_to_the_end());
    given = GivenWay{out_.bug, out_.complete, out_.why};
    words_before_joins_ = costs_.words;
  }
  const bool sound = given && (given->complete || is_precise().value_or(false));
  const Kept own = keep();
  if (!given) NORN_CHECK(learn_to_the_end());
  if (sound)
    if (const Status more = learn_other_ways(known, given_traces); !more) {
      restore(own);
      out_.complete = false, out_.why = "looking for other ways ended: " + more.error().message();
      if (!is_spent(more.error())) out_.trouble = more.error();
    }
  count_guards_on_shortest_ways(out_.bug);
  count_known();
  out_.effort = replay_.spent() - before_;
  out_.costs = costs_;
  out_.given = std::move(given);
  out_.bug.rate = out_.rate;
  if (out_.given) out_.given->bug.rate = out_.rate;
  return std::move(out_);
}

Status Learning::learn_other_ways(std::size_t known, std::size_t given_traces) {
  gather(0, known);
  vary();
  NORN_CHECK(join(options_.joins, options_.looks));
  NORN_CHECK(learn_pages_by_name(given_traces));
  return learn_to_the_end();
}

Status Learning::learn_pages_by_name(std::size_t given_traces) {
  const Kept without = keep();
  const std::vector<Kept> steps = steps_;
  start_pages(given_traces);
  const double left = join_seconds_left();
  join_seconds_ -= left - std::min(left, named_share * costs_.words);
  const Status joined = join(options_.joins / 2, 0);
  join_seconds_ = options_.join_seconds;
  if (!joined || out_.joined == without.out.joined || !without.out.complete) return joined;
  NORN_CHECK(learn_to_the_end());
  if (out_.complete) return {};
  restore(without);
  steps_ = steps;
  return {};
}

NodeId Learning::on_widgets(NodeId end) {
  std::vector<Event> events;
  for (const Performed& step : run_to(tree(), end)) events.push_back(on_widget(step));
  const SameCrash crash{wanted_, Sameness::frames};
  const Outcome outcome = replay_.ask({.events = replay_.intern(events), .watch = crash}, stop_);
  return outcome.verdict == Verdict::yes ? outcome.end : end;
}

ReplayTeacher::IsBug Learning::bug_check() const {
  return [this](const Crash& crash) { return is_bug(crash); };
}

std::vector<LearnInput> Learning::inputs() const {
  std::vector<LearnInput> all = pivots_;
  all.insert(all.end(), moves_.begin(), moves_.end());
  all.insert(all.end(), freed_.begin(), freed_.end());
  return all;
}

Status Learning::add_trace(std::vector<Performed> trace) {
  const std::size_t first = pivots_.size();
  std::vector<LearnInput> moves = moves_;
  moves.insert(moves.end(), freed_.begin(), freed_.end());
  add_pivots(trace, moves, pivots_);
  if (pivots_.size() + freed_.size() + moves_besides > lsharp::most_inputs)
    return fail(Error::Kind::bad_input,
                fmt::format("the traces have {} distinct events, more than {}", pivots_.size(),
                            lsharp::most_inputs - moves_besides),
                {}, "reduce them first");
  traces_.push_back(std::move(trace));
  const std::vector<LearnInput> narrow = pivots_;
  if (options_.generalise)
    NORN_CHECK(unless_spent(generalise(replay_, traces_.back(), first, bug_check(), pivots_, stop_)));
  find_moves();
  if (!still_crashes(traces_.back())) {
    pivots_ = narrow;  // each label alone may be wider, not all of them at once
    find_moves();
  }
  return {};
}

void Learning::find_moves() {
  const std::size_t room = lsharp::most_inputs - moves_besides - pivots_.size() - freed_.size();
  moves_ = moves_of(traces_, pivots_, std::min(options_.moves, room));
}

bool Learning::still_crashes(const std::vector<Performed>& trace) {
  std::vector<LearnInput> all = inputs();
  ReplayTeacher teacher(replay_, all, bug_check(), manner(), stop_);
  const Word word = word_of(trace, all);
  if (!teacher.start()) return true;
  const auto runs = teacher.run({{word}});
  return !runs || (runs->front().size() == word.size() && !word.empty() &&
                   runs->front().back().kind == lsharp::Output::Kind::crash);
}

Word Learning::word_of(const std::vector<Performed>& run, const std::vector<LearnInput>& all) const {
  Word word;
  for (const Performed& step : run)
    if (const auto input = input_of(all, step.event, *step.before))
      word.push_back(static_cast<Input>(*input));
  return word;
}

Status Learning::learn_once(std::size_t tests) {
  const auto disagreed = [&] { return tree().agreement().disagreed > 0; };
  const bool before = disagreed();
  if (before) measure_rate();
  NORN_CHECK(learn_once(tests, before || out_.rate < 1));
  if (before || out_.rate < 1 || !disagreed()) return {};
  measure_rate();
  return learn_once(tests, true);
}

void Learning::measure_rate() {
  if (std::exchange(is_measured_, true) || out_.rate < 1) return;
  const Metered metered(replay_, costs_.labels);
  for (const auto& trace : traces_) {
    Request request{.watch = AnyCrash{}, .sure = Sure::certified, .repeats = options_.repeats};
    for (const Performed& step : trace) request.events.push_back(replay_.intern(step.event));
    const Outcome outcome = replay_.ask(request, stop_);
    const std::uint32_t yes = outcome.yes.all(), all = yes + outcome.no.all();
    if (yes > 0) out_.rate = std::min(out_.rate, static_cast<double>(yes) / static_cast<double>(all));
  }
}

Status Learning::learn_once(std::size_t tests, bool tested) {
  const Metered metered(replay_, costs_.words);
  std::vector<LearnInput> all = inputs();
  ReplayTeacher teacher(replay_, all, bug_check(), {.tested = tested, .rate = out_.rate}, stop_);
  std::vector<Word> words;
  for (const auto& trace : traces_) words.push_back(word_of(trace, all));
  lsharp::Learner learner(teacher, {.pivots = pivots_.size(),
                                    .inputs = all.size(),
                                    .states = caps_.states,
                                    .words = caps_.words,
                                    .tests = tests,
                                    .test_length = options_.test_length,
                                    .seed = options_.seed});
  auto remembered = remembered_words(tree(), all, 500);
  for (const NodeId end : lessons_) remembered.push_back(word_of(run_to(tree(), end), all));
  NORN_TRY(lsharp::Report report, learner.learn(words, remembered, [&](const std::string& line) {
    progress_.status(fmt::format("[ {:.0f} s ] {}", (replay_.spent() - before_).device_seconds, line));
  }));
  const Machine machine = report.complete ? simplified(report.machine) : report.machine;
  out_.bug = to_automaton(machine, inputs());
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

Status Learning::learn_other_rows() {
  if (std::ranges::all_of(pivots_, [](const LearnInput& p) { return p.unlike.empty(); })) return {};
  std::vector<std::optional<std::uint32_t>> places;
  for (LearnInput& pivot : pivots_) places.push_back(std::exchange(pivot.place, std::nullopt));
  NORN_CHECK(learn_once(quick_tests()));
  for (std::size_t i = 0; i < given_ && out_.complete; ++i) {
    if (pivots_[i].unlike.empty()) continue;
    NORN_CHECK(try_rows([&] { pivots_[i].place = places[i]; }));
    if (pivots_.size() >= options_.labels) continue;
    LearnInput other = pivots_[i];
    other.event = other.unlike.front();
    other.also.clear(), other.unlike.clear(), other.any_row = false;
    other.place = usual_place(i, other.event);
    NORN_CHECK(try_rows([&] { pivots_.push_back(other); }));
  }
  return {};
}

Status Learning::try_rows(const std::function<void()>& change) {
  Kept kept = keep();
  change();
  caps_ = {options_.states / 2, options_.words / 4};  // what is much larger with it is better without
  const Status learned = learn_once(quick_tests());
  caps_ = {options_.states, options_.words};
  if (learned && out_.complete)
    steps_.push_back(std::move(kept));
  else
    restore(kept);
  return learned;
}

std::optional<std::uint32_t> Learning::usual_place(std::size_t pivot, const Event& row) const {
  for (const auto& trace : traces_)
    for (const Performed& step : trace)
      if (input_of(pivots_, step.event, *step.before) == pivot)
        if (const auto place = place_of(row, *step.before)) return place;
  return std::nullopt;
}

Machine Learning::simplified(const Machine& machine) {
  const PivotUse use = pivot_use(machine);
  std::vector<std::uint8_t> keep(pivots_.size(), 1);
  for (std::size_t i = given_; i < pivots_.size(); ++i)
    keep[i] = use.like[i] != i ? !absorb(pivots_[use.like[i]], pivots_[i])
                               : !pivots_[i].guard || use.matters[i] != 0;
  if (std::ranges::find(keep, 0) == keep.end()) return machine;
  std::vector<LearnInput> kept;
  for (std::size_t i = 0; i < pivots_.size(); ++i)
    if (keep[i] != 0) kept.push_back(std::move(pivots_[i]));
  pivots_ = std::move(kept);
  for (std::size_t i = 0; i < pivots_.size(); ++i) widen_by_example(pivots_, i);
  renumber(pivots_);
  return without_pivots(machine, keep);
}

Result<bool> Learning::is_precise() {
  const Metered metered(replay_, costs_.words);
  const Ways ways(out_.bug);
  std::vector<Word> words;
  for (std::size_t t = 0; t < out_.bug.nfa.transitions.size(); ++t)
    if (auto word = ways.over(t)) words.push_back(std::move(*word));
  ReplayTeacher teacher(replay_, out_.bug.inputs, bug_check(), manner(), stop_);
  NORN_TRY(const lsharp::Output start, teacher.start());
  (void)start;
  NORN_TRY(const auto runs, teacher.run(words));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < words.size(); ++i)
    wrong += runs[i].size() != words[i].size() || runs[i].back().kind != lsharp::Output::Kind::crash;
  return 20 * wrong <= words.size();
}

Status Learning::learn_to_the_end() {
  std::optional<Kept> most;   // with every run taken in, where some had to be left out
  std::optional<Kept> whole;  // before the last lessons, and how many known runs it accepts
  std::size_t accepted = 0;
  bool recalled = false;  // the last lessons were known runs, no test disagreed
  int rounds = 0, backs = 0;
  const auto is_usable = [&] { return determinise(out_.bug.nfa).has_value(); };
  const auto may_go_back = [&] { return can_step_back() && (backs < most_backs || !is_usable()); };
  const auto go_back = [&] {
    if (!may_go_back()) return most ? restore(*most) : void(), false;
    if (!most && is_usable()) most = keep();
    ++backs, rounds = 0, whole.reset();
    return step_back();
  };
  for (;;) {
    NORN_CHECK(learn_once(options_.tests));
    if (replay_.left() <= 0) return {};
    if (whole && !out_.complete) {
      if (!recalled && !may_go_back() && !most && known_accepted() >= accepted && is_usable()) return {};
      const std::string why = out_.why;
      restore(*whole);
      if (recalled) return {};  // what leads too far is left out again
      out_.complete = false, out_.why = w_disagree + (", and learning from them ends: " + why);
    } else if (out_.complete && rounds++ == most_rounds) {
      out_.complete = false, out_.why = w_disagree;
    }
    if (!out_.complete) {
      if (go_back()) continue;
      return {};
    }
    whole = keep();
    accepted = known_accepted();
    const std::size_t lessons = lessons_.size();
    NORN_CHECK(unless_spent(run_w_tests()));
    recalled = lessons_.size() == lessons;
    if (recalled) NORN_CHECK(unless_spent(recall()));
    if (lessons_.size() == lessons) return {};
  }
}

bool Learning::step_back() {
  if (!can_step_back()) return false;
  restore(steps_.back());
  steps_.pop_back();
  return true;
}

/// A few of them first: an automaton that is wrong shows it there, and is learned anew before the rest is
/// paid for.
Status Learning::run_w_tests() {
  const Metered metered(replay_, costs_.w_method);
  const Ways ways(out_.bug);
  Rng rng(options_.seed);
  std::vector<Word> all = w_tests(out_.bug, ways);
  sample(all, options_.w_tests, rng);
  std::vector<Word> few = all;
  sample(few, options_.w_tests / 10, rng);
  const std::size_t lessons = lessons_.size();
  NORN_CHECK(run_w_tests(ways, few));
  return lessons_.size() > lessons ? Status() : run_w_tests(ways, all);
}

Status Learning::run_w_tests(const Ways& ways, std::span<const Word> tests) {
  const BugAutomaton& bug = out_.bug;
  ReplayTeacher teacher(replay_, bug.inputs, bug_check(), manner(), stop_);
  NORN_TRY(const lsharp::Output start, teacher.start());
  (void)start;
  constexpr std::size_t at_once = 16;
  for (std::size_t k = 0; k < tests.size(); k += at_once) {
    progress_.status(fmt::format("W-method: test {} of {}", k, tests.size()));
    const std::span<const Word> some = tests.subspan(k, std::min(at_once, tests.size() - k));
    NORN_TRY(const auto runs, teacher.run(some));
    for (std::size_t i = 0; i < some.size(); ++i) {
      const bool crashed = !runs[i].empty() && runs[i].back().kind == lsharp::Output::Kind::crash;
      if (*foretold(bug, ways, some[i]) == (crashed ? runs[i].size() : 0)) continue;
      const Word done(some[i].begin(), some[i].begin() + static_cast<std::ptrdiff_t>(runs[i].size()));
      if (const auto end = teacher.node(done)) lessons_.push_back(*end);
    }
  }
  return {};
}

Result<Learned> learn(Replay& replay, std::span<const std::vector<Event>> minimal,
                      const LearnOptions& options, Progress& progress, std::stop_token stop) {
  if (minimal.empty()) return fail(Error::Kind::bad_input, "there is no trace to learn from");
  Learning learning(replay, options, progress, std::move(stop));
  for (const std::vector<Event>& events : minimal) NORN_CHECK(learning.add_minimal(events));
  return learning.run();
}

}  // namespace norn
