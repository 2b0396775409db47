// What `norn diagnose` is given, sorted out: automata, and logs, traces or runs to match against them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "diagnose/analysis.h"
#include "diagnose/events.h"
#include "trace/step.h"

namespace norn::cli {

/// A log or trace, and the tool it is a run of.
struct DiagnoseInput {
  std::string tool;  ///< `TOOL=FILE`, else the name of the folder the file is in; empty: there is none
  std::string path;  ///< a file, a DroidBot folder, an id in the store, or "-"
};

struct DiagnoseInputs {
  std::vector<std::string> bugs;  ///< files
  std::vector<DiagnoseInput> logs;
  std::vector<std::string> left_out;  ///< sentences: what in folders is not read, and why
};

/// Automata by their ending .jff, everything else a log; a folder stands for the logs in it, and for its
/// automata where none is given by name. Runs of norn benchmark that ended early say nothing about a tool.
Result<DiagnoseInputs> sort_inputs(const std::vector<std::string>& given);

/// The file that explains an automaton's events and lies beside it: norn learn's (BUG.events.json), or a
/// published configuration (APP_configuration-#7.json for APP_7-NFA.jff). Empty where there is none.
std::filesystem::path events_beside(const std::filesystem::path& jff);

/// How logs are read for one bug.
struct LogReading {
  const std::string& bug;
  const Alphabet& alphabet;
  const EventFile& events;
  const LogOptions& options;
  std::filesystem::path store;                     ///< where t17 and c3 are looked up
  LabelSink labels;                                ///< everything goes there,
  std::function<void(const Trace& trace)> traces;  ///< traces there as well
};

/// Text goes through in constant memory; traces (norn's, DroidBot's, Monkey's, `t17` and `c3` of the store) and
/// runs of norn benchmark are read whole. False: a benchmark's run that served other bugs.
Result<bool> feed_log(const DiagnoseInput& input, const LogReading& reading, Progress& progress);

}  // namespace norn::cli
