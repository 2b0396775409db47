// JFLAP files of type `fa`, both ways, and DOT out.
//
// A file drawn by hand is often a little wrong. What has one reasonable meaning is repaired and said in
// words; what has none is refused. An automaton without an initial or a final state is a value like any
// other (it accepts nothing); the reader only says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "trace/automaton.h"

namespace norn {

struct JflapFile {
  Nfa automaton;
  std::vector<std::string> repairs;  ///< sentences, in the order of the file; empty: nothing was wrong
};

/// Reads one file's bytes. `name` stands in errors. Labels are kept whole, without white space around them;
/// `<read/>` is epsilon. Refused: no XML, another type than `fa`, two states with one id, more than a million
/// states or transitions.
Result<JflapFile> read_jflap(std::string_view bytes, std::string_view name);

/// A file JFLAP opens. It knows one initial state only: several are joined by a new one with epsilon moves.
/// read_jflap(write_jflap(a)) is `a` again where `a` has at most one initial state and trimmed labels.
std::string write_jflap(const Nfa& automaton);

/// Graphviz text of the automaton: parallel transitions on one edge, epsilon as "ε".
std::string write_dot(const Nfa& automaton);

}  // namespace norn
