#include "diagnose/learn/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "diagnose/automaton.h"

namespace norn {
namespace {

/// The label of a transition that says "moves are known here"; no event has it.
const std::string moves_known = "\x01";

using Edges = std::set<std::pair<std::string, std::uint32_t>>;

/// An automaton without epsilon, as it is while it shrinks. The first state is the initial one.
struct Sketch {
  std::vector<Edges> out;
  std::vector<std::uint8_t> final;

  std::size_t size() const { return out.size(); }
};

/// With a transition in the place of "has moves": then whatever keeps the words keeps that too.
Nfa marked(Nfa nfa) {
  std::set<std::uint32_t> silent;
  for (const Nfa::Transition& t : nfa.transitions)
    if (t.label.empty()) silent.insert(t.from);
  const auto end = static_cast<std::uint32_t>(nfa.states.size());
  nfa.states.push_back({.name = {}, .final = true});
  for (const std::uint32_t s : silent) nfa.transitions.push_back({s, end, moves_known});
  return nfa;
}

/// A state does what can be done from it after moves; so one that only moves lead to is not needed.
Sketch without_moves(const Nfa& nfa) {
  const std::size_t states = nfa.states.size();
  std::vector<std::vector<const Nfa::Transition*>> from(states);
  for (const Nfa::Transition& t : nfa.transitions) from[t.from].push_back(&t);
  Sketch out{std::vector<Edges>(states), std::vector<std::uint8_t>(states)};
  for (std::uint32_t s = 0; s < states; ++s) {
    std::vector<std::uint8_t> seen(states, 0);
    seen[s] = 1;
    for (std::vector<std::uint32_t> todo{s}; !todo.empty();) {
      const std::uint32_t here = todo.back();
      todo.pop_back();
      out.final[s] |= static_cast<std::uint8_t>(nfa.states[here].final);
      for (const Nfa::Transition* t : from[here])
        if (!t->label.empty())
          out.out[s].emplace(t->label, t->to);
        else if (!std::exchange(seen[t->to], 1))
          todo.push_back(t->to);
    }
  }
  return out;
}

Sketch sketch_of(const Dfa& dfa) {
  // The start comes first; the dead state is left out.
  const auto number = [&](DfaState s) { return s == dfa.start ? 0 : s < dfa.start ? s : s - 1; };
  Sketch out{std::vector<Edges>(dfa.live()), std::vector<std::uint8_t>(dfa.live())};
  for (DfaState s = 1; s < dfa.size(); ++s) {
    out.final[number(s)] = dfa.final[s];
    for (const Label a : dfa.each_label())
      if (const DfaState to = dfa.step(s, a); to != dead)
        out.out[number(s)].emplace(dfa.labels[a], number(to));
  }
  return out;
}

/// Only states on a way from the start to a final one; the start in any case.
Sketch trimmed(const Sketch& all) {
  std::vector<std::uint8_t> useful = all.final;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t s = 0; s < all.size(); ++s)
      if (useful[s] == 0 &&
          std::ranges::any_of(all.out[s], [&](const auto& edge) { return useful[edge.second] != 0; }))
        useful[s] = 1, more = true;
  }
  useful[0] = 1;
  std::map<std::uint32_t, std::uint32_t> number{{0, 0}};
  std::vector<std::uint32_t> order{0};
  Sketch out;
  for (std::size_t k = 0; k < order.size(); ++k) {
    out.final.push_back(all.final[order[k]]);
    out.out.emplace_back();
    for (const auto& [label, to] : all.out[order[k]]) {
      if (useful[to] == 0) continue;
      const auto [at, fresh] = number.try_emplace(to, static_cast<std::uint32_t>(order.size()));
      if (fresh) order.push_back(to);
      out.out.back().emplace(label, at->second);
    }
  }
  return out;
}

/// edges[s] turned round: what leads to s.
std::vector<Edges> turned(const std::vector<Edges>& edges) {
  std::vector<Edges> out(edges.size());
  for (std::uint32_t s = 0; s < edges.size(); ++s)
    for (const auto& [label, to] : edges[s]) out[to].emplace(label, s);
  return out;
}

/// Who can stand in for whom: can[p][q] where q does, step by step, whatever p does. Simulation, the largest
/// one, by striking out.
class StandIns {
 public:
  /// `end` by state: it counts as the end of a word.
  StandIns(const std::vector<Edges>& edges, const std::vector<std::uint8_t>& end)
      : can_(edges.size(), std::vector<std::uint8_t>(edges.size())) {
    for (std::size_t p = 0; p < edges.size(); ++p)
      for (std::size_t q = 0; q < edges.size(); ++q) can_[p][q] = end[p] <= end[q];
    for (bool struck = true; struck;) {
      struck = false;
      for (std::size_t p = 0; p < edges.size(); ++p)
        for (std::size_t q = 0; q < edges.size(); ++q)
          if (can_[p][q] != 0 && !follows(edges[p], edges[q])) can_[p][q] = 0, struck = true;
    }
  }

  bool can(std::size_t p, std::size_t q) const { return can_[p][q] != 0; }
  /// The first state that does just what this one does.
  std::uint32_t like(std::uint32_t state) const {
    std::uint32_t first = 0;
    while (!can(first, state) || !can(state, first)) ++first;
    return first;
  }
  /// One that does more than this one is reached in the same way: then this one is not needed there.
  bool is_idle(const std::pair<std::string, std::uint32_t>& edge, const Edges& beside) const {
    return std::ranges::any_of(beside, [&](const auto& other) {
      return other.first == edge.first && can(edge.second, other.second) && !can(other.second, edge.second);
    });
  }

 private:
  bool follows(const Edges& less, const Edges& more) const {
    return std::ranges::all_of(less, [&](const auto& step) {
      return std::ranges::any_of(more, [&](const auto& other) {
        return other.first == step.first && can(step.second, other.second);
      });
    });
  }

  std::vector<std::vector<std::uint8_t>> can_;
};

/// Merges states that do the same, and leaves out transitions beside which another does more.
Sketch merged_forwards(const Sketch& sketch) {
  const StandIns stand_ins(sketch.out, sketch.final);
  Sketch out{std::vector<Edges>(sketch.size()), sketch.final};
  for (std::uint32_t s = 0; s < sketch.size(); ++s)
    for (const auto& edge : sketch.out[s])
      if (!stand_ins.is_idle(edge, sketch.out[s]))
        out.out[stand_ins.like(s)].emplace(edge.first, stand_ins.like(edge.second));
  return trimmed(out);
}

/// Merges states that are reached by the same words. No transition is left out for what leads to its start: a
/// state could be left that leads to no final one any more, and whether it has moves would go with it.
Sketch merged_backwards(const Sketch& sketch) {
  std::vector<std::uint8_t> start(sketch.size(), 0);
  start[0] = 1;
  const StandIns stand_ins(turned(sketch.out), start);
  Sketch out{std::vector<Edges>(sketch.size()), std::vector<std::uint8_t>(sketch.size(), 0)};
  for (std::uint32_t s = 0; s < sketch.size(); ++s) {
    const std::uint32_t like = stand_ins.like(s);
    out.final[like] |= sketch.final[s];
    for (const auto& [label, to] : sketch.out[s]) out.out[like].emplace(label, stand_ins.like(to));
  }
  return trimmed(out);
}

std::size_t edge_count(const Sketch& sketch) {
  std::size_t out = 0;
  for (const Edges& edges : sketch.out) out += edges.size();
  return out;
}

Sketch shrunk(Sketch sketch) {
  for (;;) {
    Sketch next = merged_backwards(merged_forwards(sketch));
    if (next.size() == sketch.size() && edge_count(next) >= edge_count(sketch)) return sketch;
    sketch = std::move(next);
  }
}

/// The sketch as an automaton: marks become loops of epsilon.
Nfa drawn(Sketch sketch) {
  std::set<std::uint32_t> silent;
  for (std::uint32_t s = 0; s < sketch.size(); ++s)
    if (std::erase_if(sketch.out[s], [](const auto& edge) { return edge.first == moves_known; }) > 0)
      silent.insert(s);
  for (const std::uint32_t s : silent) sketch.out[s].emplace(std::string(), s);
  sketch = trimmed(sketch);
  Nfa out;
  const auto finals = std::ranges::count(sketch.final, 1);
  for (std::size_t s = 0; s < sketch.size(); ++s)
    out.states.push_back({.name = sketch.final[s] != 0 && finals == 1 ? "crash" : fmt::format("q{}", s),
                          .initial = s == 0,
                          .final = sketch.final[s] != 0});
  for (std::uint32_t s = 0; s < sketch.size(); ++s)
    for (const auto& [label, to] : sketch.out[s]) out.transitions.push_back({s, to, label});
  return out;
}

/// Lays states out by their distance from the start.
void lay_out(Nfa& nfa) {
  std::vector<std::size_t> depth(nfa.states.size(), 0);
  std::deque<std::uint32_t> todo{0};
  std::set<std::uint32_t> seen{0};
  for (; !todo.empty(); todo.pop_front())
    for (const Nfa::Transition& t : nfa.transitions)
      if (t.from == todo.front() && seen.insert(t.to).second) {
        depth[t.to] = depth[t.from] + 1;
        todo.push_back(t.to);
      }
  std::map<std::size_t, std::size_t> used;
  for (std::size_t s = 0; s < nfa.states.size(); ++s) {
    nfa.states[s].x = 100 + 160 * static_cast<double>(depth[s]);
    nfa.states[s].y = 100 + 110 * static_cast<double>(used[depth[s]]++);
  }
}

/// The transitions of a drawing that some proven way of the machine to the crash goes over. The two are gone
/// through side by side.
class ProvenWays {
 public:
  ProvenWays(const Nfa& drawing, const BugAutomaton& bug) : drawing_(drawing), bug_(bug) { walk(); }

  /// By transition of the drawing.
  std::vector<std::uint8_t> covered() const {
    std::vector<std::uint8_t> out(drawing_.transitions.size(), 0);
    std::set<Pair> ends;
    std::deque<Pair> todo;
    for (const auto& [pair, before] : reached_)
      if (drawing_.states[pair.first].final && bug_.nfa.states[pair.second].final)
        ends.insert(pair), todo.push_back(pair);
    for (; !todo.empty(); todo.pop_front())
      for (const Before& step : reached_.at(todo.front())) {
        if (step.transition) out[*step.transition] = 1;
        if (ends.insert(step.from).second) todo.push_back(step.from);
      }
    return out;
  }

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  ///< of a drawing's state and a machine's
  struct Before {
    Pair from;
    std::optional<std::size_t> transition;  ///< of the drawing; none: a move of the machine
  };

  void walk() {
    reached_[{0, 0}];
    for (std::deque<Pair> todo{{0, 0}}; !todo.empty(); todo.pop_front()) {
      const Pair here = todo.front();
      const auto go = [&](Pair to, std::optional<std::size_t> over) {
        const auto [at, fresh] = reached_.try_emplace(to);
        at->second.push_back({here, over});
        if (fresh) todo.push_back(to);
      };
      for (std::size_t t = 0; t < bug_.nfa.transitions.size(); ++t) {
        const Nfa::Transition& step = bug_.nfa.transitions[t];
        if (step.from != here.second || bug_.unproven[t] != 0) continue;
        if (step.label.empty()) go({here.first, step.to}, std::nullopt);
        for (std::size_t d = 0; d < drawing_.transitions.size() && !step.label.empty(); ++d)
          if (const auto& edge = drawing_.transitions[d]; edge.from == here.first && edge.label == step.label)
            go({edge.to, step.to}, d);
      }
    }
  }

  const Nfa& drawing_;
  const BugAutomaton& bug_;
  std::map<Pair, std::vector<Before>> reached_;
};

void note_unproven(const BugAutomaton& bug, Nfa& drawing) {
  if (bug.unproven_count() == 0) return;
  const std::vector<std::uint8_t> covered = ProvenWays(drawing, bug).covered();
  for (std::size_t t = 0; t < drawing.transitions.size(); ++t) {
    const Nfa::Transition& edge = drawing.transitions[t];
    if (covered[t] == 0 && !edge.label.empty())
      drawing.notes.push_back(fmt::format("unproven: {} -{}-> {}", drawing.states[edge.from].name, edge.label,
                                          drawing.states[edge.to].name));
  }
}

}  // namespace

Nfa drawing_of(const Nfa& machine) {
  const Nfa told = marked(machine);
  const auto dfa = determinise(told);
  Nfa out = machine;
  if (dfa && dfa->start == dead)
    out = {{{.name = "q0", .initial = true}}, {}, {}};
  else if (dfa) {
    const auto size = [](const Nfa& nfa) { return std::tuple(nfa.states.size(), nfa.transitions.size()); };
    out = drawn(sketch_of(minimise(*dfa)));
    if (Nfa other = drawn(shrunk(trimmed(without_moves(told)))); size(other) < size(out))
      out = std::move(other);
  }
  lay_out(out);
  return out;
}

Result<Nfa> drawing_of(const BugAutomaton& bug) {
  Nfa out = drawing_of(bug.nfa);
  if (out.transitions != bug.nfa.transitions) {
    NORN_TRY(const auto word, difference(out, bug.nfa, OnRelaunch::automatic));
    if (word)
      return fail(Error::Kind::bad_input,
                  fmt::format("the automaton drawn is not the one learned: they differ in \"{}\"",
                              fmt::join(*word, " ")),
                  {}, "this is a mistake of norn; please report it");
  }
  note_unproven(bug, out);
  return out;
}

}  // namespace norn
