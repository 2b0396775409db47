// The slow and obvious way to every figure of diagnose, for tests and tables only: no tables, no numbering, no
// minimisation; sets of Nfa states, stepped one label at a time, as the rules are told in docs/diagnose.md.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diagnose/analysis.h"
#include "trace/automaton.h"

namespace norn::reference {

using States = std::set<std::uint32_t>;

inline States closed(const Nfa& nfa, States states) {
  for (std::size_t before = 0; before != states.size();) {
    before = states.size();
    for (const Nfa::Transition& t : nfa.transitions)
      if (t.label.empty() && states.contains(t.from)) states.insert(t.to);
  }
  return states;
}

inline States initial(const Nfa& nfa) {
  States out;
  for (std::uint32_t i = 0; i < nfa.states.size(); ++i)
    if (nfa.states[i].initial) out.insert(i);
  return closed(nfa, out);
}

inline States step(const Nfa& nfa, const States& from, const std::string& label) {
  States out;
  for (const Nfa::Transition& t : nfa.transitions)
    if (t.label == label && from.contains(t.from)) out.insert(t.to);
  return closed(nfa, out);
}

/// Letters from one Nfa state to a final one: epsilon moves cost nothing. Relaxed until nothing changes.
inline std::vector<std::optional<std::uint32_t>> distances(const Nfa& nfa) {
  std::vector<std::optional<std::uint32_t>> out(nfa.states.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    if (nfa.states[i].final) out[i] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Nfa::Transition& t : nfa.transitions) {
      if (!out[t.to]) continue;
      const std::uint32_t over = *out[t.to] + (t.label.empty() ? 0 : 1);
      if (!out[t.from] || over < *out[t.from]) out[t.from] = over, changed = true;
    }
  }
  return out;
}

inline std::optional<std::uint32_t> distance(const Nfa& nfa, const States& states) {
  const auto all = distances(nfa);
  std::optional<std::uint32_t> best;
  for (const auto s : states)
    if (all[s] && (!best || *all[s] < *best)) best = all[s];
  return best;
}

inline std::set<std::string> labels(const Nfa& nfa) {
  std::set<std::string> out;
  for (const Nfa::Transition& t : nfa.transitions)
    if (!t.label.empty()) out.insert(t.label);
  return out;
}

/// The reachable sets from which a final state can be reached.
inline std::set<States> live_sets(const Nfa& nfa) {
  std::set<States> seen;
  std::deque<States> todo{initial(nfa)};
  for (; !todo.empty(); todo.pop_front()) {
    if (!distance(nfa, todo.front()) || !seen.insert(todo.front()).second) continue;
    for (const std::string& a : labels(nfa)) todo.push_back(step(nfa, todo.front(), a));
  }
  return seen;
}

/// (x, y) such that from some reachable state x, epsilons, y lead to a state that can still reach a final one.
inline std::set<std::pair<std::string, std::string>> pairs(const Nfa& nfa) {
  States reachable = initial(nfa);
  for (std::size_t before = 0; before != reachable.size();) {
    before = reachable.size();
    for (const std::string& a : labels(nfa)) reachable.merge(step(nfa, reachable, a));
  }
  std::set<std::pair<std::string, std::string>> out;
  const auto far = distances(nfa);
  for (const Nfa::Transition& first : nfa.transitions) {
    if (first.label.empty() || !reachable.contains(first.from)) continue;
    const States middle = closed(nfa, {first.to});
    for (const Nfa::Transition& second : nfa.transitions)
      if (!second.label.empty() && middle.contains(second.from) && far[second.to])
        out.emplace(first.label, second.label);
  }
  return out;
}

struct Run {
  std::set<std::string> events;
  std::map<std::pair<std::string, std::string>, std::uint64_t> pairs;  ///< those of the automaton only
  std::optional<std::uint32_t> md;
  bool marked = true;  ///< md only after a relaunch
};

/// The matching rules, word for word.
inline Run match(const Nfa& nfa, const std::vector<std::string>& names, const MatchOptions& options,
                 const std::vector<Label>& codes) {
  const bool ddroid = options.rules == Semantics::ddroid;
  const auto wanted = pairs(nfa);
  Run run;
  States now = initial(nfa);
  bool after_relaunch = false;
  std::optional<std::string> before;
  const auto look = [&] {
    const auto d = distance(nfa, now);
    if (!d) return;
    if (!run.md || *d < *run.md)
      run.md = d, run.marked = after_relaunch;
    else if (*d == *run.md && !after_relaunch)
      run.marked = false;
  };
  const auto restart = [&] { now = initial(nfa), after_relaunch = false; };
  const auto relaunch = [&] {
    if (options.restart == OnRelaunch::keep) return;
    if (options.restart == OnRelaunch::reset) return restart();
    bool silent = false;
    for (const Nfa::Transition& t : nfa.transitions)
      silent = silent || (t.label.empty() && now.contains(t.from));
    if (options.restart == OnRelaunch::automatic && silent) return;
    const std::size_t size = now.size();
    for (const auto s : initial(nfa)) now.insert(s);
    if (now.size() != size) after_relaunch = true;
    look();
  };
  look();
  for (const Label code : codes) {
    if (code == signal::relaunch && !ddroid) relaunch();
    if (code == signal::clean_start && !ddroid) restart(), before.reset();
    if (code == signal::crash && !ddroid) relaunch(), before.reset();
    if (code >= names.size()) continue;
    const std::string& label = names[code];
    run.events.insert(label);
    States next = step(nfa, now, label);
    if (!distance(nfa, next)) {
      restart();
      look();
      if (ddroid) before.reset();
      next = step(nfa, now, label);
    }
    if (before && wanted.contains({*before, label})) ++run.pairs[{*before, label}];
    before = label;
    if (!distance(nfa, next)) {
      if (ddroid) before.reset();
      continue;
    }
    now = next;
    look();
    if (distance(nfa, now) == 0U) {
      restart();
      if (ddroid) before.reset();
    }
  }
  return run;
}

}  // namespace norn::reference
