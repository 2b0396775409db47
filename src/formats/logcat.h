// Crashes out of logcat text: Java exceptions, native tombstones, ANRs, and what an app's own reporter wrote.
//
// A log interleaves many threads, so lines are sorted by (process, thread, tag) first and each such stream is
// read by itself; lines without a prefix (Android Studio, multi-line messages) go to the stream before them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "trace/crash.h"

namespace norn {

struct LogcatCrash {
  Crash crash;
  std::size_t line = 0;  ///< of its first line, counted from 1
};

/// All crashes in the order in which they begin. Reads any bytes (UTF-8, UTF-16, CRLF); a text without a
/// crash gives an empty list. `handled` is true for what an app (ACRA, Timber, System.err, an error page of
/// its own) reported itself.
std::vector<LogcatCrash> parse_logcat(std::string_view bytes);

/// Does it look like a log at all: prefixed lines, a stack, a tombstone?
bool is_logcat(std::string_view bytes);

/// What an instrumented app logs about the progress towards a bug: `Event 3: ...`, `Warning 2: ...`,
/// `Crash!`.
struct ThemisLine {
  enum class Kind : std::uint8_t { event, warning, crash };
  Kind kind = Kind::event;
  std::int32_t number = 0;  ///< 0 for a crash
  std::string text;         ///< what follows the number
  std::size_t line = 0;     ///< counted from 1
  bool operator==(const ThemisLine&) const = default;
};
/// Lines of tag Themis (or of any tag in a log that has none), and plain lines without a prefix.
std::vector<ThemisLine> themis_lines(std::string_view bytes);

}  // namespace norn
