// Native crashes as text, line by line: from logcat's DEBUG lines, from a tombstone file, from Monkey's output.
#pragma once

#include <optional>
#include <string_view>

#include "trace/crash.h"

namespace norn {

/// ", code 1 ..." without its comma.
std::string_view without_comma(std::string_view text);

/// Reads one native crash: from "*** ***" to the end of the first back trace.
class TombstoneText {
 public:
  /// "*** *** ***": a crash begins here.
  static bool begins(std::string_view text);

  /// A crash that this line showed to be complete.
  std::optional<Crash> line(std::string_view text);
  /// The crash that is still open, if anything is known of it.
  std::optional<Crash> finish();
  bool open() const { return open_.has_value(); }

 private:
  void begin();
  void add_message(std::string_view text);
  std::optional<Crash> inside(std::string_view text);

  std::optional<Crash> open_;
  bool in_trace_ = false;
};

}  // namespace norn
