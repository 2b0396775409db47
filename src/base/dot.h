// Text for Graphviz.
#pragma once

#include <string>
#include <string_view>

namespace norn {

/// `text` as a quoted DOT string that shows exactly it: quotes, backslashes and ampersands escaped (a newline
/// in `text` breaks the line), other control characters made visible, invalid UTF-8 replaced.
std::string dot_quoted(std::string_view text);

}  // namespace norn
