// BUG.events.json beside BUG.jff: what the labels of a learned automaton are, how to recognise them in recordings (the matchers
// that `norn diagnose --events` reads), and the events themselves, so that its words can be run (`norn learn --check`).
// docs/learn.md shows one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "diagnose/bug_automaton.h"

namespace norn::cli {

/// "notes.jff" -> "notes.events.json"
std::filesystem::path events_path(const std::filesystem::path& jff);

std::string write_bug_events(const BugAutomaton& bug, const std::string& app);

/// Joins an automaton with its events file. An epsilon move that the file does not tell is taken to be Back.
Result<BugAutomaton> read_bug_events(Nfa nfa, std::string_view json, std::string_view name);

/// Both files. What was repaired in the automaton is told to `progress` where it is given.
Result<BugAutomaton> load_bug(const std::filesystem::path& jff, const std::filesystem::path& events,
                              Progress* progress = nullptr);

}  // namespace norn::cli
