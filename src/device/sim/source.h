// An app's source text and what can be known about it without running it: which lines have code, which
// functions there are and what to call them in a stack trace. Both are read from the compiled chunk, so they
// agree with what the line hook reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "trace/coverage.h"

namespace norn::sim {

struct Function {
  std::string name;                  ///< Main.view.on_click; <main> for the file itself
  std::int32_t first = 0, last = 0;  ///< lines; 0,0 for the file itself
};

struct Source {
  std::string file;  ///< notes.lua
  std::string text;
  std::vector<std::int32_t>
      lines;  ///< those with code in functions, ascending: their coverage ids are these numbers
  std::vector<Function>
      functions;  ///< outer before inner, so ascending by first line; the file itself is the first

  std::int32_t last_line() const { return lines.empty() ? 0 : lines.back(); }
  /// The function defined at these lines (the outermost of several); null if there is none.
  const Function* function_at(std::int32_t first, std::int32_t last) const;
  /// Coverage ids of functions follow those of the lines. REQUIRES: one of `functions`.
  std::uint32_t coverage_id(const Function& function) const {
    return static_cast<std::uint32_t>(last_line() + (&function - functions.data()));
  }
  /// What can be covered by using the app: the file's own code runs before that, once.
  Coverable coverable() const;
};

/// Compiles (never runs) the text. A syntax error names file and line.
Result<Source> read_source(std::string file, std::string text);

}  // namespace norn::sim
