// One line of logcat in any of its dresses: -v brief, tag, process, thread, process-less "E Tag:", time,
// threadtime, in colour or not, Android Studio old and new, and the header lines of -v long; each with or
// without year, zone, epoch, monotonic and uid. What has none of these is text that belongs to the line before
// it.
#pragma once

#include <string_view>

namespace norn {

struct LogLine {
  char level = 0;  ///< V D I W E F A, or 0: no prefix was recognised and `message` is the whole line
  std::string_view tag, pid, tid, package;  ///< empty where the format does not tell
  std::string_view message;                 ///< with its leading blanks
  bool header_only = false;                 ///< -v long: the message stands on the lines that follow
};

/// Views into `line`. Linear in the length of the prefix.
LogLine parse_log_line(std::string_view line);

}  // namespace norn
