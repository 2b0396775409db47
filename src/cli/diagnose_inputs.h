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
};

/// Automata by their ending .jff, everything else a log; a folder stands for the files in it that are either.
Result<DiagnoseInputs> sort_inputs(const std::vector<std::string>& given);

/// The file that explains an automaton's events and lies beside it: norn learn's (BUG.events.json), or a
/// published configuration (APP_configuration-#7.json for APP_7-NFA.jff). Empty where there is none.
std::filesystem::path events_beside(const std::filesystem::path& jff);

using TraceSink = std::function<void(const Trace& trace)>;

/// Reads a log and feeds it to `sink`, traces to `traces` as well. Text goes through in constant memory;
/// traces (norn's, DroidBot's, Monkey's, `t17` and `c3` of the store) and runs of norn benchmark are read
/// whole. False: a benchmark's run that served other bugs.
Result<bool> feed_log(const DiagnoseInput& input, const std::string& bug, const Alphabet& alphabet,
                      const EventFile& events, const LogOptions& options, const std::filesystem::path& store,
                      const LabelSink& sink, const TraceSink& traces, Progress& progress);

}  // namespace norn::cli
