// Clues a person can use: sentences instead of bare numbers, and the automaton as a picture with what was
// covered.
#pragma once

#include <string>
#include <vector>

#include "diagnose/analysis.h"
#include "diagnose/events.h"

namespace norn {

/// Sentences about one run or a union, the most telling first: how near it came and what was not done there,
/// which events never ran, which ran but never in the right place, what the handlers warned of. Safe to
/// print.
std::vector<std::string> clues(const Bug& bug, const RunResult& run, const EventFile& events);

/// Graphviz text: the bug's deterministic automaton; states and transitions that the run covered are green
/// with their counts, the missed ones red and dashed, the state nearest to the crash bold.
std::string coverage_dot(const Bug& bug, const RunResult& run, const EventFile& events);

}  // namespace norn
