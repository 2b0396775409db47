// norn's own trace file: JSON lines, versioned. Grammar and a worked example: docs/trace-format.md.
//
//   {"norn":"trace","version":1,"origin":"explore"}
//   {"start":{"screen":{...}}}
//   {"event":{"kind":"tap",...},"seen":{"screen":0,...}}
//   {"end":1}
//
// A screen that was written before is a number: how many distinct screens stand before it in the file. Each
// step is one line, so a file that was cut off anywhere still gives its readable prefix. A set-up is the same
// format.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "gui/event.h"
#include "gui/screen.h"
#include "trace/crash.h"
#include "trace/step.h"

namespace norn {

inline constexpr int trace_version = 1;  ///< the newest that is written; every one up to it is read

/// Writes line by line, so that a step can be on disk before the next begins. Each function returns whole
/// lines with their ends.
class TraceWriter {
 public:
  std::string header(std::string_view origin);
  std::string start(const Observation& seen);
  std::string step(const Step& step);
  std::string end();

 private:
  std::string observation(const Observation& seen);

  std::unordered_map<std::uint64_t, std::size_t> screens_;  ///< content hash -> number
  std::size_t steps_ = 0;
};

std::string write_trace(const Trace& trace);

struct ReadTrace {
  Trace trace;
  std::vector<std::string> warnings;  ///< sentences: what is missing or was left out
  bool complete = true;               ///< the end line was there and agrees
};
/// A file that is cut off gives its readable prefix and a warning; a line that is JSON but no step, a newer
/// version, or something else altogether is an Error that names the line. `file` is for errors.
Result<ReadTrace> read_trace(std::string_view bytes, std::string_view file);
/// Does it begin like a trace file (of any version)?
bool is_trace_json(std::string_view bytes);

// ---- single values as one line of JSON, for whoever needs no more than text ----

std::string event_to_json(const Event& event);
std::string screen_to_json(const Screen& screen);
std::string observation_to_json(const Observation& seen);
std::string crash_to_json(const Crash& crash);
Result<Event> event_from_json(std::string_view text);
Result<Screen> screen_from_json(std::string_view text);
Result<Observation> observation_from_json(std::string_view text);
Result<Crash> crash_from_json(std::string_view text);

}  // namespace norn
