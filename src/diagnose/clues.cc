#include "diagnose/clues.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/dot.h"
#include "base/text.h"

namespace norn {
namespace {

/// Where some events may have been pivot events, nothing is sure to have never been done.
std::string_view never(const RunResult& run) {
  return run.undecided > 0 ? "was not seen to do" : "never did";
}

std::string times(std::uint64_t n) { return n == 1 ? "once" : n == 2 ? "twice" : fmt::format("{} times", n); }

/// Words about one bug's labels and states.
class Phrases {
 public:
  Phrases(const Bug& bug, const EventFile& events) : bug_(bug), events_(events) {}

  /// `3 "Changed the period"`, or `event 3` where nothing explains it.
  std::string event(Label a) const {
    const std::string& label = bug_.dfa.labels[a];
    const std::string what = explanation(a).what;
    if (what.empty()) return "event " + printable(label);
    return fmt::format("{} \"{}\"", printable(label), phrase(what));
  }

  /// Where a state is: what leads there by the shortest way.
  std::string place(DfaState state) const {
    const auto way = shortest_word_to(bug_.walk.dfa, state);
    if (!way) return after_relaunch(state);
    if (way->empty()) return "the start";
    std::string labels;
    for (const Label a : *way) labels += (labels.empty() ? "" : " ") + printable(bug_.dfa.labels[a]);
    if (way->size() == 1) return fmt::format("the place after {}", event(way->back()));
    return fmt::format("the place after {} (by {})", event(way->back()), shorten(labels, 120));
  }

  /// "on the screen X" where the event's screen is known: the last part of its activity.
  std::string there(Label a) const {
    const std::string_view where = explanation(a).where;
    if (where.empty()) return "there";
    return "there, on the screen " + phrase(where.substr(where.find_last_of("./") + 1));
  }

  const Explanation& explanation(Label a) const {
    static const Explanation nothing;
    const auto at = events_.events.find(bug_.dfa.labels[a]);
    return at == events_.events.end() ? nothing : at->second;
  }

  /// A sentence from a file, without its full stop, safe to print.
  static std::string phrase(std::string_view text) {
    std::string_view inner = trim(text);
    if (inner.ends_with('.')) inner.remove_suffix(1);
    return shorten(printable(inner), 160);
  }

 private:
  /// A union of states, which no label leads to from the start.
  std::string after_relaunch(DfaState state) const {
    for (DfaState s = 1; s < bug_.states(); ++s)
      if (bug_.walk.relaunch[s] == state && shortest_word_to(bug_.walk.dfa, s))
        return fmt::format("the start or {} (a relaunch left open which)", place(s));
    return "one of several places that a relaunch had left open";
  }

  const Bug& bug_;
  const EventFile& events_;
};

/// How often `label` was done in a state, marked or not.
std::uint64_t done_in(const Bug& bug, const RunResult& run, DfaState state, Label label) {
  const std::size_t k = bug.labels();
  std::uint64_t count = 0;
  for (std::size_t row = state; row * k + label < run.moves.size(); row += bug.states())
    count += run.moves[row * k + label];
  return count;
}

/// "reached X 14 times, never did Y there; did it 3 times elsewhere": what stands between a state and the
/// crash.
std::vector<std::string> at_the_edge(const Bug& bug, const RunResult& run, const Phrases& say) {
  std::vector<std::string> out;
  std::vector<DfaState> told;
  const auto been = visits(bug, run);
  for (const Reached& r : run.reached) {
    const DfaState state = bug.plain(r.state);
    if (bug.distance[state] != run.md || std::ranges::find(told, state) != told.end()) continue;
    told.push_back(state);
    for (const Label a : bug.dfa.each_label()) {
      if (!bug.leads_on(state, a)) continue;
      const std::uint64_t elsewhere = run.event_counts[a] - done_in(bug, run, state, a);
      out.push_back(fmt::format(
          "reached {} {}, {} {} {}; {}", say.place(state), times(been[state]), never(run), say.event(a),
          say.there(a), elsewhere == 0 ? "nor anywhere else" : "did it " + times(elsewhere) + " elsewhere"));
    }
  }
  return out;
}

void verdict(const Bug& bug, const RunResult& run, std::vector<std::string>& out) {
  const auto whole = bug.start_distance();
  if (!whole) {
    out.push_back(
        "the automaton accepts nothing: there is no way from an initial to a final state, so nothing can be "
        "matched");
    return;
  }
  if (run.found)
    out.push_back(fmt::format("found: the crash was logged after {} {} event{}",
                              run.found_at.value_or(run.events),
                              bug.pivots() == bug.labels() ? "pivot" : "labelled",
                              run.found_at.value_or(run.events) == 1 ? "" : "s"));
  if (run.found && run.md != 0U && run.undecided == 0)
    out.push_back(
        "the way it was found is not one the automaton knows: the automaton is incomplete, or the log is");
  if (run.other_crashes > 0 && !run.found)
    out.push_back(fmt::format("crashed in another way {}: no such stack has all the texts of the bug's crash",
                              times(run.other_crashes)));
  if (!run.found && run.md == 0U && run.other_crashes > 0)
    out.push_back("the automaton's final state was reached: is it the bug's crash all the same?");
  else if (!run.found && run.md == 0U)
    out.push_back(
        run.md_after_relaunch
            ? "the automaton's final state was reached only if what was done before a relaunch still counts, "
              "and no crash was logged: likely it does not count; else the log lacks the crash, or the "
              "automaton accepts too much"
            : "the automaton's final state was reached, but no crash was logged: the log lacks it, or the "
              "automaton accepts too much");
  if (!run.found && run.md != 0U)
    out.push_back(fmt::format(
        "missed: came within {} of {} events{}", *run.md, *whole,
        run.md_after_relaunch ? ", and that only if what was done before a relaunch still counts" : ""));
}

void missing_events(const Bug& bug, const RunResult& run, const Phrases& say, std::vector<std::string>& out) {
  std::vector<Label> missed;
  for (const Label a : bug.dfa.each_label())
    if (run.event_counts[a] == 0 && bug.guard[a] == 0) missed.push_back(a);
  std::ranges::sort(missed, {}, [&](Label a) { return bug.rank[a]; });
  for (const Label a : missed) {
    std::string line = fmt::format("{} {}", never(run), say.event(a));
    if (!say.explanation(a).reason.empty())
      line += fmt::format("; usual reason: {}", Phrases::phrase(say.explanation(a).reason));
    out.push_back(line);
  }
}

/// Pairs of the bug's own trace that never ran although both events did: right events, wrong order.
/// DDroid forgets a pair where matching went back to the start, so there the log may have it all the same.
void missing_pairs(const Bug& bug, const RunResult& run, const Phrases& say, std::vector<std::string>& out) {
  for (std::size_t i = 1; i < bug.trace.size(); ++i) {
    const Label x = bug.trace[i - 1], y = bug.trace[i];
    if (bug.guard[x] != 0 || bug.guard[y] != 0) continue;
    if (run.pair_counts[x * bug.labels() + y] > 0 || run.event_counts[x] == 0 || run.event_counts[y] == 0)
      continue;
    const bool forgets = bug.options.rules == Semantics::ddroid;
    out.push_back(fmt::format("did {} {} and {} {}, but never the second right after the first{}",
                              say.event(x), times(run.event_counts[x]), say.event(y),
                              times(run.event_counts[y]),
                              forgets ? " without going back to the start of the automaton" : ""));
  }
}

void warnings(const Bug& bug, const RunResult& run, const Phrases& say, std::vector<std::string>& out) {
  for (const Label a : bug.dfa.each_label())
    if (run.warnings[a] > 0)
      out.push_back(fmt::format(
          "warning at {}, {}{}", say.event(a), times(run.warnings[a]),
          say.explanation(a).warning.empty() ? "" : ": " + Phrases::phrase(say.explanation(a).warning)));
}

void what_was_missed(const Bug& bug, const RunResult& run, const EventFile& events, const Phrases& say,
                     std::vector<std::string>& out) {
  if (run.md != 0U) {
    const auto edge = at_the_edge(bug, run, say);
    out.insert(out.end(), edge.begin(), edge.end());
  }
  missing_events(bug, run, say, out);
  missing_pairs(bug, run, say, out);
  warnings(bug, run, say, out);
  if (run.ec == bug.pivots() && !events.all_events_happened.empty())
    out.push_back("every event ran: " + Phrases::phrase(events.all_events_happened));
}

/// By state: labels alone lead there from the start.
std::vector<std::uint8_t> reachable(const Dfa& dfa) {
  std::vector<std::uint8_t> seen(dfa.size());
  std::vector<DfaState> todo{dfa.start};
  seen[dfa.start] = 1;
  while (!todo.empty()) {
    const DfaState s = todo.back();
    todo.pop_back();
    for (const Label a : dfa.each_label())
      if (!std::exchange(seen[dfa.step(s, a)], 1)) todo.push_back(dfa.step(s, a));
  }
  return seen;
}

std::string state_names(const Bug& bug, DfaState state) {
  std::string out;
  for (const std::uint32_t s : bug.walk.dfa.members[state])
    out += (out.empty() ? "" : ",") + bug.nfa.states[s].name;
  return shorten(out, 200);
}

}  // namespace

std::vector<std::string> clues(const Bug& bug, const RunResult& run, const EventFile& events) {
  const Phrases say(bug, events);
  std::vector<std::string> out;
  verdict(bug, run, out);
  if (!bug.start_distance()) return out;
  if (!run.found) what_was_missed(bug, run, events, say, out);
  if (run.undecided > 0)
    out.push_back(fmt::format("{} may have been {}; the record does not show what {} touched",
                              run.undecided == 1 ? "1 event" : fmt::format("{} events", run.undecided),
                              run.undecided == 1 ? "a pivot event" : "pivot events",
                              run.undecided == 1 ? "it" : "they"));
  return out;
}

std::string coverage_dot(const Bug& bug, const RunResult& run, const EventFile& events) {
  const Phrases say(bug, events);
  std::string out =
      "digraph bug {\n  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\", fillcolor=white];\n";
  // Sets of states that only a relaunch makes are drawn where a run was there.
  const auto been = visits(bug, run);
  const auto drawn = reachable(bug.walk.dfa);
  for (DfaState s = 1; s < bug.states(); ++s) {
    const std::uint64_t count = been[s];
    if (!drawn[s] && count == 0) continue;
    const bool nearest = run.md && bug.distance[s] == run.md && count > 0;
    out += fmt::format("  s{} [label={}, fillcolor={}{}{}];\n", s,
                       dot_quoted(fmt::format("{}\n{} to the crash, {}", state_names(bug, s),
                                              *bug.distance[s], times(count))),
                       count > 0 ? "palegreen" : "mistyrose", nearest ? ", penwidth=3" : "",
                       bug.walk.dfa.final[s] ? ", peripheries=2" : "");
    for (const Label a : bug.dfa.each_label()) {
      const DfaState to = bug.walk.dfa.step(s, a);
      if (to == dead) continue;
      const std::uint64_t done = done_in(bug, run, s, a);
      out += fmt::format("  s{} -> s{} [label={}, tooltip={}, {}];\n", s, to,
                         dot_quoted(fmt::format("{}: {}", bug.dfa.labels[a], done)), dot_quoted(say.event(a)),
                         done > 0 ? "color=darkgreen, penwidth=2" : "color=red, style=dashed");
    }
  }
  if (bug.walk.dfa.start != dead)
    out += fmt::format("  start [shape=point];\n  start -> s{};\n", bug.walk.dfa.start);
  return out + "}\n";
}

}  // namespace norn
