// The W-method (Chow, 1978) for bug automata: a test for each state, then up to two inputs, then each ending
// that tells where the automaton is then from its other states (harmonised state identifiers; Petrenko,
// Yevtushenko et al., 1993: all of W's endings after every state would show the same). If the app has at most
// one state more than the automaton and all of them agree, the automaton is right.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "diagnose/learn/bug_automaton.h"

namespace norn {

inline constexpr std::size_t most_w_tests = 200000;  ///< are listed; there may be more

/// The tests, those of which the automaton says how they end; in order, so that neighbours begin alike.
std::vector<lsharp::Word> w_tests(const BugAutomaton& bug, const Ways& ways);

/// So many of them by chance, still in order.
void sample(std::vector<lsharp::Word>& tests, std::size_t most, Rng& rng);

/// After how many inputs the automaton says that a word crashes, 0 for never. Nothing where it does not say:
/// a move of which is only known that it does not help.
std::optional<std::size_t> foretold(const BugAutomaton& bug, const Ways& ways, const lsharp::Word& word);

}  // namespace norn
