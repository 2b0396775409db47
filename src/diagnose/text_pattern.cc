// Apart from those who use it: <regex> takes longer to compile than all of them.
#include "diagnose/text_pattern.h"

#include <fmt/format.h>

#include <regex>

#include "base/text.h"

namespace norn {

struct TextPattern::Compiled {
  std::regex regex;
};

Result<TextPattern> TextPattern::make(const std::string& pattern) {
  constexpr std::size_t longest = 1000;
  if (pattern.size() > longest)
    return fail(Error::Kind::bad_input,
                fmt::format("a pattern of {} characters, more than {}", pattern.size(), longest));
  std::string text = pattern;
  auto flags = std::regex::ECMAScript;
#ifdef __GLIBCXX__
  flags |=
      std::regex_constants::__polynomial;  // breadth first: no recursion over the text, no back references
#endif
  if (text.starts_with("(?i)")) {
    text.erase(0, 4);
    flags |= std::regex::icase;
  }
  try {
    TextPattern out;
    out.compiled_ = std::make_shared<const Compiled>(std::regex(text, flags));
    return out;
  } catch (const std::regex_error& error) {
    return fail(Error::Kind::bad_input, fmt::format("\"{}\" is no regular expression: {}",
                                                    shorten(printable(pattern), 80), error.what()));
  }
}

bool TextPattern::matches(std::string_view text) const {
  text = text.substr(0, 2000);
  return std::regex_search(text.begin(), text.end(), compiled_->regex);
}

}  // namespace norn
