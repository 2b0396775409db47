// An app's source text and what can be known about it without running it: which lines have code, which functions there
// are and what to call them in a stack trace. Both are read from the compiled chunk, so they agree with what the line
// hook reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace norn::sim {

struct Function {
  std::string name;                  ///< Main.view.on_click; <main> for the file itself
  std::int32_t first = 0, last = 0;  ///< lines; 0,0 for the file itself
};

struct Source {
  std::string file;  ///< notes.lua
  std::string text;
  std::vector<std::int32_t> lines;  ///< those with code, ascending: coverage ids are these numbers
  std::vector<Function> functions;  ///< outer before inner

  std::int32_t last_line() const { return lines.empty() ? 0 : lines.back(); }
  /// The name of the function defined at these lines; "?" if there is none.
  const std::string& function_name(std::int32_t first, std::int32_t last) const;
};

/// Compiles (never runs) the text. A syntax error names file and line.
Result<Source> read_source(std::string file, std::string text);

}  // namespace norn::sim
