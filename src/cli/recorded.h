// What a recording says that a tree of executed steps does not hold: the lines that were logged, the clock,
// what had not settled, where it came from. An import keeps it as one result of its run; whoever takes the
// trace out of the store again gets it back.
#pragma once

#include <string>

#include "store/store.h"

namespace norn::cli {

/// Keeps it with the run that imports `trace`.
Status keep_recorded(Store& store, RunId run, const Trace& trace);

/// The path to `node`, with what the run that imported it kept; of any other run the path alone.
Result<Trace> stored_trace(Store& store, AppId app, NodeId node, RunId run);

}  // namespace norn::cli
