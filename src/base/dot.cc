#include "base/dot.h"

#include "base/text.h"

namespace norn {

std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::string_view rest = text;;) {
    const std::size_t end = rest.find('\n');
    for (const char c : printable(to_utf8(rest.substr(0, end)))) {
      if (c == '"' || c == '\\') out += '\\';
      out +=
          c == '&' ? "&amp;" : std::string_view(&c, 1);  // Graphviz reads HTML's entities, also unsound ones
    }
    if (end == std::string_view::npos) break;
    out += "\\n";
    rest.remove_prefix(end + 1);
  }
  return out + '"';
}

}  // namespace norn
