#include "diagnose/learn/bug_automaton.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>

namespace norn {

using lsharp::Edge;
using lsharp::Input;
using lsharp::Machine;
using lsharp::Word;

namespace {

/// Classes of the states that can reach the crash: those with the same edges out of their class are one.
/// Moves within a class are no edges: they neither help nor harm.
class Quotient {
 public:
  explicit Quotient(const Machine& m) : machine_(m), class_of_(m.size(), dead) {
    const auto ways = lsharp::ways_to_crash(m);
    for (std::size_t s = 0; s < m.size(); ++s)
      if (!ways[s].empty()) class_of_[s] = 0;
    refine();
  }

  static constexpr std::uint32_t dead = 0xffffffff, crash = 0xfffffffe;
  std::uint32_t of(std::size_t state) const { return class_of_[state]; }
  std::size_t count() const { return count_; }

  /// Where an edge leads: a class, the crash, or dead.
  std::uint32_t target(const Edge& edge) const {
    if (edge.kind == Edge::Kind::crash) return crash;
    return edge.kind == Edge::Kind::state ? class_of_[edge.to] : dead;
  }

 private:
  using Signature = std::vector<std::pair<Input, std::uint32_t>>;

  Signature signature(std::size_t state) const {
    Signature out;
    for (std::size_t i = 0; i < machine_.inputs; ++i) {
      const std::uint32_t to = target(machine_.edge(state, static_cast<Input>(i)));
      if (to == dead || (i >= machine_.pivots && to == class_of_[state])) continue;
      out.emplace_back(static_cast<Input>(i), to);
    }
    return out;
  }
  void refine() {
    for (std::size_t before = 0;;) {
      std::map<std::pair<std::uint32_t, Signature>, std::uint32_t> split;
      std::vector<std::uint32_t> next(class_of_.size(), dead);
      for (std::size_t s = 0; s < class_of_.size(); ++s)
        if (class_of_[s] != dead)
          next[s] = split.try_emplace({class_of_[s], signature(s)}, static_cast<std::uint32_t>(split.size()))
                        .first->second;
      class_of_ = std::move(next);
      count_ = split.size();
      if (count_ == before) return;
      before = count_;
    }
  }

  const Machine& machine_;
  std::vector<std::uint32_t> class_of_;
  std::size_t count_ = 0;
};

/// What was seen in each state, for runs that are read with their screens (screen_reading.h).
void note_possible(const Machine& machine, const Quotient& classes,
                   const std::map<std::uint32_t, std::uint32_t>& number, BugAutomaton& bug) {
  bug.possible.resize(bug.nfa.states.size());
  bug.open.resize(bug.nfa.states.size());
  const std::uint64_t pivots = (std::uint64_t{1} << machine.pivots) - 1;
  for (std::size_t s = 0; s < machine.size(); ++s) {
    const auto at = number.find(classes.of(s));
    if (at == number.end()) continue;
    bug.possible[at->second].push_back(machine.out[s].enabled & pivots);
    for (std::size_t i = 0; i < machine.pivots; ++i)
      if (const Edge& edge = machine.edge(s, static_cast<Input>(i));
          edge.kind == Edge::Kind::none && !edge.proven)
        bug.open[at->second] |= std::uint64_t{1} << i;
  }
  for (auto& seen : bug.possible) {
    std::ranges::sort(seen);
    seen.erase(std::ranges::unique(seen).begin(), seen.end());
  }
}

/// Where unproven inputs may lead, but for what the automaton says already and for places out of the crash's
/// reach.
void note_guesses(const Machine& machine, const Quotient& classes,
                  const std::map<std::uint32_t, std::uint32_t>& number, BugAutomaton& bug) {
  std::set<BugAutomaton::Guess> told, guesses;
  for (std::size_t t = 0; t < bug.nfa.transitions.size(); ++t)
    told.insert({bug.nfa.transitions[t].from, bug.nfa.transitions[t].to, bug.input_of[t]});
  for (std::size_t s = 0; s < machine.size(); ++s)
    for (std::uint32_t i = 0; i < machine.inputs; ++i)
      for (const std::uint32_t maybe : machine.edge(s, static_cast<Input>(i)).maybe) {
        const auto from = number.find(classes.of(s)), to = number.find(classes.of(maybe));
        if (from != number.end() && to != number.end()) guesses.insert({from->second, to->second, i});
      }
  std::ranges::set_difference(guesses, told, std::back_inserter(bug.guesses));
}

}  // namespace

std::size_t BugAutomaton::unproven_count() const {
  return static_cast<std::size_t>(std::ranges::count(unproven, 1));
}

Status BugAutomaton::check() const {
  const auto bad = [](std::string what) { return fail(Error::Kind::bad_input, std::move(what)); };
  const auto starts = std::ranges::count_if(nfa.states, [](const auto& s) { return s.initial; });
  if (starts != 1)
    return bad(fmt::format("the automaton has {} initial states; to be run it must have one", starts));
  if (!nfa.states[0].initial) return bad("the first state must be the initial one");
  if (std::ranges::none_of(nfa.states, [](const auto& s) { return s.final; }) && !nfa.transitions.empty())
    return bad("the automaton has no final state, so no way of it is one to the crash");
  if (!(rate > 0 && rate <= 1)) return bad(fmt::format("a crash cannot come at a rate of {}", rate));
  if (inputs.empty() || inputs.size() > lsharp::most_inputs)
    return bad(fmt::format("{} inputs; 1 to {} are possible", inputs.size(), lsharp::most_inputs));
  if (input_of.size() != nfa.transitions.size() || unproven.size() != nfa.transitions.size())
    return bad("not every transition says which input takes it");
  if ((!possible.empty() || !open.empty()) &&
      (possible.size() != nfa.states.size() || open.size() != nfa.states.size()))
    return bad("not every state says what is possible in it");
  for (const Guess& guess : guesses)
    if (guess.from >= nfa.states.size() || guess.to >= nfa.states.size() || guess.input >= inputs.size())
      return bad("a guess leads nowhere");
  for (std::size_t t = 0; t < input_of.size(); ++t) {
    const Nfa::Transition& transition = nfa.transitions[t];
    if (transition.from >= nfa.states.size() || transition.to >= nfa.states.size() ||
        input_of[t] >= inputs.size())
      return bad("a transition leads nowhere");
    if (inputs[input_of[t]].label != transition.label)
      return bad(fmt::format("transition \"{}\" is taken by an input labelled \"{}\"", transition.label,
                             inputs[input_of[t]].label));
  }
  return {};
}

BugAutomaton to_automaton(const Machine& machine, std::vector<LearnInput> inputs) {
  const Quotient classes(machine);
  BugAutomaton bug;
  bug.inputs = std::move(inputs);
  bug.nfa.states.push_back({.name = "q0", .initial = true});
  if (classes.of(0) == Quotient::dead) return bug;

  // Number classes in the order they are reached; the crash comes last.
  std::vector<std::size_t> member(classes.count());
  for (std::size_t s = machine.size(); s-- > 0;)
    if (classes.of(s) != Quotient::dead) member[classes.of(s)] = s;
  std::map<std::uint32_t, std::uint32_t> number{{classes.of(0), 0}};
  std::vector<std::uint32_t> order{classes.of(0)};
  const auto edges_of = [&](std::uint32_t c, auto&& each) {
    for (std::size_t i = 0; i < machine.inputs; ++i) {
      const std::uint32_t to = classes.target(machine.edge(member[c], static_cast<Input>(i)));
      if (to != Quotient::dead && !(i >= machine.pivots && to == c)) each(static_cast<std::uint32_t>(i), to);
    }
  };
  for (std::size_t k = 0; k < order.size(); ++k)
    edges_of(order[k], [&](std::uint32_t, std::uint32_t to) {
      if (to != Quotient::crash && number.try_emplace(to, static_cast<std::uint32_t>(order.size())).second)
        order.push_back(to);
    });
  for (std::size_t k = 1; k < order.size(); ++k) bug.nfa.states.push_back({.name = fmt::format("q{}", k)});
  number[Quotient::crash] = static_cast<std::uint32_t>(order.size());
  bug.nfa.states.push_back({.name = "crash", .final = true});

  const auto doubtful = [&](std::uint32_t c, std::uint32_t input) {
    for (std::size_t s = 0; s < machine.size(); ++s)
      if (classes.of(s) == c && !machine.edge(s, static_cast<Input>(input)).proven) return true;
    return false;
  };
  std::set<std::pair<std::uint32_t, std::uint32_t>> epsilon;
  for (std::size_t k = 0; k < order.size(); ++k)
    edges_of(order[k], [&](std::uint32_t input, std::uint32_t to) {
      const auto from = static_cast<std::uint32_t>(k);
      if (bug.inputs[input].is_move() && !epsilon.emplace(from, number[to]).second) return;
      bug.nfa.transitions.push_back({from, number[to], bug.inputs[input].label});
      bug.input_of.push_back(input);
      bug.unproven.push_back(doubtful(order[k], input));
    });
  note_possible(machine, classes, number, bug);
  note_guesses(machine, classes, number, bug);
  return bug;
}

PivotUse pivot_use(const Machine& machine) {
  const Quotient classes(machine);
  std::map<std::vector<std::uint32_t>, std::uint32_t> first;
  PivotUse out;
  for (std::uint32_t i = 0; i < machine.pivots; ++i) {
    std::vector<std::uint32_t> column;
    bool matters = false, leads = false;
    for (std::size_t s = 0; s < machine.size(); ++s) {
      if (classes.of(s) == Quotient::dead) continue;
      const Edge& edge = machine.edge(s, static_cast<Input>(i));
      column.push_back(classes.target(edge));
      matters = matters || (machine.out[s].can(static_cast<Input>(i)) && column.back() != classes.of(s));
      leads = leads || column.back() != Quotient::dead;
    }
    out.like.push_back(leads ? first.try_emplace(std::move(column), i).first->second : i);
    out.matters.push_back(matters);
  }
  return out;
}

Machine without_pivots(const Machine& machine, const std::vector<std::uint8_t>& keep) {
  std::vector<Input> kept, number(machine.inputs, 0);
  for (std::size_t i = 0; i < machine.inputs; ++i)
    if (i >= machine.pivots || keep[i] != 0) {
      number[i] = static_cast<Input>(kept.size());
      kept.push_back(static_cast<Input>(i));
    }
  Machine out;
  out.inputs = kept.size();
  out.pivots = kept.size() - (machine.inputs - machine.pivots);
  for (std::size_t s = 0; s < machine.size(); ++s) {
    lsharp::Output seen{machine.out[s].kind, 0};
    for (const Input i : kept) {
      if (machine.out[s].can(i)) seen.enabled |= std::uint64_t{1} << number[i];
      out.edges.push_back(machine.edge(s, i));
    }
    out.out.push_back(seen);
  }
  return out;  // without access words: those may use what was dropped
}

std::vector<std::string> crash_parts(const Crash& crash) {
  const Thrown& root = crash.root();
  std::vector<std::string> out{root.type};
  if (!root.frames.empty()) out.push_back(root.frames.front().function);
  return out;
}

namespace {

/// Of ways with as many pivot events those with fewer guards are shorter, as diagnose has it (Bug::cost).
using Length = std::uint64_t;
using Lengths = std::vector<std::optional<Length>>;
constexpr Length one_guard = 1, one_pivot = Length{1} << 32;

/// What a transition adds to a way.
Length length_of(const BugAutomaton& bug, std::size_t transition) {
  const Nfa::Transition& edge = bug.nfa.transitions[transition];
  if (edge.label.empty()) return 0;
  const bool counts = !bug.inputs[bug.input_of[transition]].guard || bug.nfa.states[edge.to].final;
  return counts ? one_pivot : one_guard;
}

/// How far each state is from those that are at 0 already, against the arrows or along them. Rounds until
/// nothing gets nearer.
Lengths spread(const BugAutomaton& bug, Lengths out, bool against) {
  for (bool nearer = true; nearer;) {
    nearer = false;
    for (std::size_t t = 0; t < bug.nfa.transitions.size(); ++t) {
      const Nfa::Transition& edge = bug.nfa.transitions[t];
      const auto& known = out[against ? edge.to : edge.from];
      auto& next = out[against ? edge.from : edge.to];
      if (!known || (next && *next <= *known + length_of(bug, t))) continue;
      next = *known + length_of(bug, t);
      nearer = true;
    }
  }
  return out;
}

Lengths from_start(const BugAutomaton& bug) {
  Lengths out(bug.nfa.states.size());
  out[0] = 0;
  return spread(bug, std::move(out), false);
}

Lengths to_crash(const BugAutomaton& bug) {
  Lengths out(bug.nfa.states.size());
  for (std::size_t s = 0; s < out.size(); ++s)
    if (bug.nfa.states[s].final) out[s] = 0;
  return spread(bug, std::move(out), true);
}

/// The labels of guards on shortest ways.
std::set<std::string> guards_on_shortest_ways(const BugAutomaton& bug) {
  const Lengths near = from_start(bug), far = to_crash(bug);
  std::set<std::string> out;
  for (std::size_t t = 0; t < bug.nfa.transitions.size(); ++t) {
    const Nfa::Transition& edge = bug.nfa.transitions[t];
    if (bug.inputs[bug.input_of[t]].guard && near[edge.from] && far[edge.to] &&
        *near[edge.from] + length_of(bug, t) + *far[edge.to] == far[0])
      out.insert(edge.label);
  }
  return out;
}

}  // namespace

std::vector<std::optional<std::uint32_t>> pivots_to_crash(const BugAutomaton& bug) {
  std::vector<std::optional<std::uint32_t>> out;
  for (const auto& length : to_crash(bug))
    out.push_back(length ? std::optional(static_cast<std::uint32_t>(*length / one_pivot)) : std::nullopt);
  return out;
}

void count_guards_on_shortest_ways(BugAutomaton& bug) {
  for (std::set<std::string> found; !(found = guards_on_shortest_ways(bug)).empty();)
    for (LearnInput& input : bug.inputs)
      if (found.contains(input.label)) input.guard = false;
}

Ways::Ways(const BugAutomaton& bug)
    : bug_(bug), out_(bug.nfa.states.size()), near_(out_.size()), far_(out_.size()) {
  for (std::size_t t = 0; t < bug.nfa.transitions.size(); ++t) out_[bug.nfa.transitions[t].from].push_back(t);
  const auto input = [&](std::size_t t) { return static_cast<Input>(bug.input_of[t]); };
  near_[0] = Word{};
  std::deque<std::uint32_t> todo{0};
  for (; !todo.empty(); todo.pop_front())
    for (const std::size_t t : out_[todo.front()]) {
      auto& to = near_[bug.nfa.transitions[t].to];
      if (to) continue;
      to = near_[todo.front()];
      to->push_back(input(t));
      todo.push_back(bug.nfa.transitions[t].to);
    }
  for (std::uint32_t s = 0; s < out_.size(); ++s)
    if (is_final(s)) far_[s] = Word{}, todo.push_back(s);
  for (; !todo.empty(); todo.pop_front())
    for (std::size_t t = 0; t < bug.nfa.transitions.size(); ++t) {
      const Nfa::Transition& edge = bug.nfa.transitions[t];
      if (edge.to != todo.front() || far_[edge.from]) continue;
      far_[edge.from] = Word{input(t)};
      far_[edge.from]->insert(far_[edge.from]->end(), far_[edge.to]->begin(), far_[edge.to]->end());
      todo.push_back(edge.from);
    }
}

std::optional<Word> Ways::over(std::size_t transition) const {
  const Nfa::Transition& t = bug_.nfa.transitions[transition];
  if (!near_[t.from] || !far_[t.to]) return std::nullopt;
  Word word = *near_[t.from];
  word.push_back(static_cast<Input>(bug_.input_of[transition]));
  word.insert(word.end(), far_[t.to]->begin(), far_[t.to]->end());
  return word;
}

Word Ways::crashing(Rng& rng, std::size_t wander) const {
  Word word;
  std::uint32_t state = 0;
  for (std::size_t k = rng.below(wander + 1); k > 0 && !out_[state].empty(); --k) {
    const std::size_t t = out_[state][rng.below(out_[state].size())];
    word.push_back(static_cast<Input>(bug_.input_of[t]));
    state = bug_.nfa.transitions[t].to;
  }
  word.insert(word.end(), far_[state]->begin(), far_[state]->end());
  return word;
}

Word Ways::harmless(Rng& rng, std::size_t length) const {
  Word word;
  std::optional<std::uint32_t> state = 0;
  for (std::size_t k = 1 + rng.below(length); k > 0; --k) {
    Input input = static_cast<Input>(rng.below(bug_.inputs.size()));
    if (state && !out_[*state].empty() && rng.chance(0.7))
      input = static_cast<Input>(bug_.input_of[out_[*state][rng.below(out_[*state].size())]]);
    const auto to = next(state, input);
    if (to && is_final(*to)) break;
    word.push_back(input);
    state = to;
  }
  return word;
}

std::optional<std::uint32_t> Ways::next(std::optional<std::uint32_t> state, Input input) const {
  if (!state) return std::nullopt;
  for (const std::size_t t : out_[*state])
    if (bug_.input_of[t] == input) return bug_.nfa.transitions[t].to;
  if (bug_.inputs[input].is_move()) return state;  // it stays, or leads where the crash is out of reach
  return std::nullopt;
}

std::vector<Word> Ways::distinct(std::size_t most, std::size_t extra) const {
  struct At {
    std::uint32_t state;
    Word word;
    std::vector<std::string> pivots;
  };
  std::vector<Word> out;
  if (!reaches_crash()) return out;
  const auto count = [&](const Word& w) { return pivot_word(w).size(); };
  const std::size_t longest = count(*far_[0]) + extra;
  std::set<std::vector<std::string>> found;
  std::set<std::pair<std::uint32_t, std::vector<std::string>>> seen;
  std::deque<At> todo{{0, {}, {}}};
  constexpr std::size_t patience = 200000;
  for (std::size_t looked = 0; !todo.empty() && out.size() < most && looked < patience;
       ++looked, todo.pop_front()) {
    const At here = std::move(todo.front());
    if (is_final(here.state)) {
      if (found.insert(here.pivots).second) out.push_back(here.word);
      continue;
    }
    for (const std::size_t t : out_[here.state]) {
      At next{bug_.nfa.transitions[t].to, here.word, here.pivots};
      next.word.push_back(static_cast<Input>(bug_.input_of[t]));
      if (!bug_.nfa.transitions[t].label.empty()) next.pivots.push_back(bug_.nfa.transitions[t].label);
      if (!far_[next.state] || next.pivots.size() + count(*far_[next.state]) > longest) continue;
      if (seen.emplace(next.state, next.pivots).second) todo.push_back(std::move(next));
    }
  }
  return out;
}

std::vector<std::string> Ways::pivot_word(const Word& word) const {
  std::vector<std::string> out;
  for (const Input i : word)
    if (!bug_.inputs[i].is_move()) out.push_back(bug_.inputs[i].label);
  return out;
}

}  // namespace norn
