// Runs of DroidBot and its descendants (Genie, Kea, Humanoid): a folder with events/event_*.json and
// states/state_*.json (or all_states/), or only the transition graph utg.js.
//
// An event names the states before and after it. States whose file is missing (killed runs, runs that were
// cut) are tolerated: the step is `unseen`, and counted.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "gui/event.h"
#include "gui/screen.h"
#include "trace/step.h"

namespace norn {

struct DroidbotRun {
  Trace trace;
  std::string package;             ///< of the app under test; empty where nothing tells
  std::size_t states = 0;          ///< files read
  std::size_t missing_states = 0;  ///< references to a state that has no readable file
  std::size_t unreadable = 0;      ///< files that are no JSON (a run killed while writing)
  std::string first_unreadable;    ///< the first of them, and why
  bool graph_only = false;         ///< from utg.js: events in order, screens without widgets
  std::vector<Crash> more;         ///< crashes of steps that have another one
  std::vector<Crash> crashes;      ///< of the app in the run's logcat.txt; at which step is not known
};

/// Does this folder hold such a run?
bool is_droidbot_run(const std::filesystem::path& folder);
/// Refused only where there is neither a readable event nor a graph; cancelled once it was asked to stop.
Result<DroidbotRun> read_droidbot_run(const std::filesystem::path& folder, const std::stop_token& stop = {});

/// The "event" object of an event file as an event of norn; `before` (may be empty) helps to find the widget.
/// What norn has no word for becomes Raw.
Event droidbot_event(std::string_view json, const Screen& before);

}  // namespace norn
