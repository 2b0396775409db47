// The part of BUG.events.json that says how the automaton is run: the machine (diagnose/bug_automaton.h), of
// which BUG.jff is a smaller drawing. And how files without one are read: the automaton is then its own
// machine, with lists beside it in files of the time before there was one, or with nothing but events where a
// person drew it. docs/learn.md shows one.
//
// This header brings in nlohmann/json: include it in .cc files only.
#pragma once

#include <string_view>

#include "base/error.h"
#include "diagnose/learn/bug_automaton.h"
#include "formats/json_values.h"

namespace norn::cli {

/// {"states","final","transitions","guesses","possible","open"}
JsonOut machine_json(const BugAutomaton& bug);

/// States and labelled transitions of such an object. `name`: of the file, for errors.
Result<Nfa> machine_states(const JsonIn& machine, std::string_view name);
/// Which input takes each transition, which are unproven, and where those may lead as well. REQUIRES: bug.nfa
/// is of machine_states(), bug.inputs were read.
Status read_machine(const JsonIn& machine, BugAutomaton& bug, std::string_view name);
/// The same where there is no machine. Of epsilon that the file does not tell the first move is taken; of a
/// label its first input.
void name_inputs(const JsonIn& root, BugAutomaton& bug);
/// What is possible and what is open in each state, where the object says so. REQUIRES: bug.inputs were read.
Status read_possible(const JsonIn& object, BugAutomaton& bug, std::string_view name);

}  // namespace norn::cli
