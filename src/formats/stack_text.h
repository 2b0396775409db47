// Java stack traces as text, line by line: from logcat, from Monkey's output, from a bug report.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/crash.h"

namespace norn {

/// "at org.app.Main.onClick(Main.java:12)", also with a blank before the bracket; nothing if it is no frame.
std::optional<Frame> parse_java_frame(std::string_view line);
/// "#00 pc 0004bd80  /system/lib/libc.so (abort+164) (BuildId: ...)"; nothing if it is no frame.
std::optional<Frame> parse_native_frame(std::string_view line);

/// Puts the lines of one source (a thread's log, a text without prefixes) together into crashes.
///
/// A crash begins at a head that says so ("FATAL EXCEPTION: main", "Process: org.app, PID: 7"), or at a line
/// that reads like an exception and is followed by a frame; it ends at the first line that cannot belong to
/// it.
class StackText {
 public:
  /// `fatal`: the source is one in which an exception without a head is still a crash of the app.
  explicit StackText(bool fatal = true) : fatal_(fatal) {}

  /// A crash that this line showed to be complete, if there was one.
  std::optional<Crash> line(std::string_view text);
  /// The crash that is still open, if there is one.
  std::optional<Crash> finish();
  /// Something may be going on: a head was read or an exception has begun.
  bool open() const { return headed_ || open_; }
  /// Where the process's name is known from elsewhere.
  void process_hint(std::string_view package) { hint_ = package; }

 private:
  std::optional<Crash> head(std::string_view line);
  bool begin(std::string_view line);
  void begin_thrown(Thrown::Role role, std::string_view text);
  bool more(std::string_view line, std::size_t indent);
  bool joins_partial(std::string_view line);

  bool fatal_;
  std::string partial_;  ///< "at org.app.Main.onCl": a frame that a terminal wrapped
  std::size_t suppressed_indent_ = 0;
  bool headed_ = false;  ///< a head was read and the exception must follow
  bool component_stack_ = false;
  int waiting_ = 0;  ///< lines since the exception without any frame
  std::string process_, hint_;
  std::optional<bool> handled_;
  std::optional<Crash> open_;
};

}  // namespace norn
