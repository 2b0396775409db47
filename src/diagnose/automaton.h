// From the automaton a person drew (or `learn` learned) to the table a log is stepped through.
//
// An Nfa may move on epsilon and be in several states at once. The subset construction makes each reachable
// *set* of its states one Dfa state; sets from which no final state can be reached are all the one dead
// state, because a log that got there is as good as lost. So every other state is live: something accepted
// goes through it, and each pair of adjacent transitions occurs in some accepted word. Which pairs there are
// and how far it is to a final state then depends on the language alone, not on how it was drawn.
#pragma once

#include <cstdint>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "trace/automaton.h"

namespace norn {

using Label = std::uint16_t;     ///< index into Dfa::labels
using DfaState = std::uint32_t;  ///< 0 is the dead state
inline constexpr DfaState dead = 0;

/// A complete deterministic automaton as one flat table.
struct Dfa {
  std::vector<std::string> labels;                  ///< distinct, never empty strings, in natural order
  DfaState start = dead;                            ///< dead: it accepts nothing
  std::vector<std::uint8_t> final;                  ///< by state; final[dead] is 0
  std::vector<DfaState> next;                       ///< next[state * labels.size() + label]
  std::vector<std::vector<std::uint32_t>> members;  ///< the Nfa states a state stands for; empty for dead

  std::size_t size() const { return final.size(); }      ///< the dead state included
  std::size_t live() const { return final.size() - 1; }  ///< without it
  auto each_label() const { return std::views::iota(Label{0}, static_cast<Label>(labels.size())); }
  DfaState step(DfaState state, Label label) const { return next[state * labels.size() + label]; }
  bool accepts(std::span<const Label> word) const;
  std::optional<Label> find(std::string_view label) const;
};

/// How large an automaton may become.
struct DfaLimits {
  std::size_t labels = 1000;
  std::size_t cells = std::size_t{1} << 20;    ///< states times labels
  std::size_t members = std::size_t{1} << 24;  ///< Nfa states summed over the Dfa's states
};

/// What a restart of the app with its data kept does to the set of states a run may be in.
enum class OnRelaunch : std::uint8_t {
  automatic,  ///< nothing where a present state has an epsilon move (it is one), else as `join`
  reset,      ///< back to the initial states
  keep,       ///< nothing
  join,       ///< the present states and the initial ones ("union")
};

/// A Dfa whose states also know where a relaunch leads.
struct RestartDfa {
  Dfa dfa;
  std::vector<DfaState> relaunch;     ///< by state; relaunch[dead] = start
  std::vector<std::uint8_t> widened;  ///< by state: a relaunch there adds states it was not in
};

/// Labels in their natural order: numbers by value, then the rest by text (1 2 10 a b).
std::vector<std::string> in_order(const std::set<std::string>& labels);
/// The labels of an automaton without repeats, in their natural order.
std::vector<std::string> labels_of(const Nfa& nfa);

/// Whether the automaton accepts the word, without making it deterministic. REQUIRES: its transitions lead to
/// states.
bool accepts(const Nfa& nfa, std::span<const std::string> word);

/// The same language without epsilon: same states, more transitions and final states.
Nfa without_epsilon(const Nfa& nfa);

/// Subset construction, with dead sets merged. Error where it grows beyond the limits.
Result<Dfa> determinise(const Nfa& nfa, const DfaLimits& limits = {});
/// The same, closed under relaunches too.
Result<RestartDfa> determinise(const Nfa& nfa, OnRelaunch restart, const DfaLimits& limits = {});

/// The smallest Dfa of the same language (Hopcroft). `members` are joined.
Dfa minimise(const Dfa& dfa);

/// By state: the least number of labels to a final state; none for the dead state.
std::vector<std::optional<std::uint32_t>> distances(const Dfa& dfa);

/// A shortest word that one of them accepts and the other does not; nothing: there is none. With `restart`
/// words have relaunches in them, which are empty labels and do what that says. Error where a deterministic
/// form grows beyond the limits.
Result<std::optional<std::vector<std::string>>> difference(const Nfa& a, const Nfa& b,
                                                           std::optional<OnRelaunch> restart = {},
                                                           const DfaLimits& limits = {});

/// The pairs (x, y) that label two adjacent transitions between live states, sorted.
std::vector<std::pair<Label, Label>> adjacent_pairs(const Dfa& dfa);

/// A shortest accepted word from `from`; ties are decided for the smaller label. None if there is no way.
std::optional<std::vector<Label>> shortest_word(const Dfa& dfa, DfaState from);
/// A shortest word from the start to `to`.
std::optional<std::vector<Label>> shortest_word_to(const Dfa& dfa, DfaState to);

}  // namespace norn
