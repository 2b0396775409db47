// A bug automaton that can be run (a *machine*): an Nfa of the words that diagnose matches logs against, and
// for each of its transitions the input that takes it on a device. So a word of it is an event list, and
// "does the automaton tell the truth?" can be asked of a device. What is drawn for people, and for diagnose,
// is a smaller Nfa of the same words (drawing.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "diagnose/learn/learn_input.h"
#include "diagnose/learn/lsharp.h"
#include "trace/automaton.h"
#include "trace/crash.h"

namespace norn {

struct BugAutomaton {
  Nfa nfa;                              ///< one initial state (0); at most one final state
  std::vector<LearnInput> inputs;       ///< pivots first
  std::vector<std::uint32_t> input_of;  ///< by transition of nfa: index into inputs
  std::vector<std::uint8_t> unproven;   ///< by transition
  std::vector<std::string> crash;       ///< what a stack of this bug contains (see has_signature)
  /// By state: which pivots were possible when a run was in it, as bits, sorted; empty: it is not known
  /// (drawn by hand).
  std::vector<std::vector<std::uint64_t>> possible = {};
  std::vector<std::uint64_t> open = {};  ///< by state: pivots of which is not known where they lead
  /// Where an input whose target is not proven may lead as well. No words of the automaton and no ways
  /// through it: they are for runs whose screens show where they are.
  struct Guess {
    std::uint32_t from = 0, to = 0, input = 0;
    auto operator<=>(const Guess&) const = default;
  };
  std::vector<Guess> guesses = {};
  double rate = 1;  ///< how often the crash comes where its ways are gone

  std::size_t unproven_count() const;
  /// Every way of it is one on a device: sizes agree, states exist, labels are those of their inputs.
  Status check() const;
};

/// The part of the machine that can reach the crash, with states merged that no ending tells apart, moves
/// renamed to epsilon.
BugAutomaton to_automaton(const lsharp::Machine& machine, std::vector<LearnInput> inputs);

/// By state: the fewest pivot events from there to the crash, as MD counts them: moves are free, and so are
/// guards but for one that crashes; none: out of the crash's reach.
std::vector<std::optional<std::uint32_t>> pivots_to_crash(const BugAutomaton& bug);

/// A guard belongs to no shortest way: those that do become pivot events. Without that the crash would seem
/// nearer than any run can come to it.
void count_guards_on_shortest_ways(BugAutomaton& bug);

/// What the pivots of a machine do, seen over all states that can still crash.
struct PivotUse {
  std::vector<std::uint32_t>
      like;  ///< by pivot: the first that does the same in each of those states; itself if none
  std::vector<std::uint8_t> matters;  ///< by pivot: it leads on, or out of the crash's reach, somewhere
};
PivotUse pivot_use(const lsharp::Machine& machine);

/// The machine without those pivots. `keep` by pivot.
lsharp::Machine without_pivots(const lsharp::Machine& machine, const std::vector<std::uint8_t>& keep);

/// What identifies a crash in other people's logs and other builds: its type and the place it was thrown.
std::vector<std::string> crash_parts(const Crash& crash);

/// Ways through the automaton, as words of inputs.
class Ways {
 public:
  /// REQUIRES: bug.check(); bug outlives it.
  explicit Ways(const BugAutomaton& bug);

  bool reaches_crash() const { return far_[0].has_value(); }
  /// A way from the start to the crash over this transition; nothing where there is none.
  std::optional<lsharp::Word> over(std::size_t transition) const;
  /// A way to the crash: up to `wander` transitions by chance, then straight on.
  lsharp::Word crashing(Rng& rng, std::size_t wander) const;
  /// Up to `length` inputs by chance, most of them transitions, that should not crash.
  lsharp::Word harmless(Rng& rng, std::size_t length) const;
  /// A shortest way from the start to the state, and from the state to the crash.
  const std::optional<lsharp::Word>& access(std::size_t state) const { return near_[state]; }
  const std::optional<lsharp::Word>& to_crash(std::size_t state) const { return far_[state]; }
  /// Where the input leads: a state; nothing where the crash can no longer be reached or it is not known.
  std::optional<std::uint32_t> next(std::optional<std::uint32_t> state, lsharp::Input input) const;
  bool is_final(std::uint32_t state) const { return bug_.nfa.states[state].final; }

  /// Up to `most` ways with distinct pivot words, the shortest first, none longer than the shortest by more
  /// than `extra` pivots.
  std::vector<lsharp::Word> distinct(std::size_t most, std::size_t extra) const;

  /// The labels of a word's pivots.
  std::vector<std::string> pivot_word(const lsharp::Word& word) const;

 private:
  const BugAutomaton& bug_;
  std::vector<std::vector<std::size_t>> out_;  ///< by state: its transitions
  std::vector<std::optional<lsharp::Word>> near_, far_;
};

}  // namespace norn
