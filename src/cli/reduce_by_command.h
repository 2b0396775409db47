// norn reduce --test CMD: the question is a command of the user's, so it works with any rig. States are those
// that the trace recorded itself, where it did: nothing else is known of the app. What the command answered
// is kept (kept_answers.h).
#pragma once

#include <string>

#include "cli/session.h"

namespace norn::cli {

struct ByCommand {
  std::string command, algorithm, out_file;
  std::string answers;  ///< the file that keeps them
  std::uint64_t repeats = 20, jobs = 1;
  double timeout = 600;  ///< seconds a candidate may take
  double budget = 0;     ///< seconds of this machine's clock
  bool explain = false;  ///< say what the command answered without each event
};

/// CMD gets each candidate as a trace file: exit 0 yes, 1 no, anything else (or too long) unresolved.
Result<Exit> reduce_by_command(const NamedTrace& trace, const ByCommand& options, Output& out);

}  // namespace norn::cli
