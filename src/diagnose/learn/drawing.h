// What a person would draw of a bug: a small automaton with the words of a machine.
//
// The machine (bug_automaton.h) can be run: its moves are transitions, and a menu that only Back leaves is a
// state of its own. None of that shows in a word of labels. A drawing keeps the words and lets go of the
// rest. Two ways lead to one: the smallest deterministic automaton, and the machine without its moves, in
// which a state that another can stand in for is left out; the one with fewer states is taken. Neither is
// always the smaller: determinising multiplies what rows that are not alike do, and the other way only merges
// what it finds by looking one step ahead and one step back.
//
// One thing besides the words counts when a log is read: whether a relaunch of the app is a move of the
// automaton or leads to the start (OnRelaunch). So a state of the drawing that stands for a state with moves
// has epsilon to itself: an event without a label is known there, and nothing that matters comes of it.
#pragma once

#include "base/error.h"
#include "diagnose/learn/bug_automaton.h"
#include "trace/automaton.h"

namespace norn {

/// A small automaton that accepts the same words, and the same after any relaunch; deterministic but for
/// loops of epsilon, or without choice between moves. Where it cannot be told whether it does, because a
/// deterministic form is too large, the automaton itself. REQUIRES: one initial state, the first; every
/// transition leads on to a final state. The drawing's states are numbered along the shortest ways, and so
/// laid out.
Nfa drawing_of(const Nfa& machine);

/// The drawing of a machine, with a note for each transition that no proven way to the crash goes over.
/// Error: it is not of the same language, which would be a mistake of this program.
Result<Nfa> drawing_of(const BugAutomaton& bug);

}  // namespace norn
