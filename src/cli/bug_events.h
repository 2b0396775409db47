// BUG.events.json beside BUG.jff: what the labels of a learned automaton are, how to recognise them in
// recordings (the matchers that `norn diagnose --events` reads), the events themselves, and the machine whose
// words BUG.jff draws (bug_machine.h), so that they can be run (`norn learn --check`). docs/learn.md shows
// one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "diagnose/learn/bug_automaton.h"

namespace norn::cli {

/// "notes.jff" -> "notes.events.json"
std::filesystem::path events_path(const std::filesystem::path& jff);

std::string write_bug_events(const BugAutomaton& bug, const std::string& app);

/// What a drawing's events file says can be run: its machine, which must accept the words that are drawn;
/// without one the drawing itself. An epsilon move that the file does not tell is then taken to be Back.
Result<BugAutomaton> read_bug_events(const Nfa& drawn, std::string_view json, std::string_view name);

/// Both files. What was repaired in the automaton is told to `progress` where it is given.
Result<BugAutomaton> load_bug(const std::filesystem::path& jff, const std::filesystem::path& events,
                              Progress* progress = nullptr);

}  // namespace norn::cli
