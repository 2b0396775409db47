// Apart from those who use it: nothing else needs to know the library.
#include "diagnose/text_pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/text.h"

namespace norn {

struct TextPattern::Compiled {
  Compiled(const std::string& pattern, const re2::RE2::Options& options) : regex(pattern, options) {}
  re2::RE2 regex;
};

Result<TextPattern> TextPattern::make(const std::string& pattern) {
  constexpr std::size_t longest = 1000;
  if (pattern.size() > longest)
    return fail(Error::Kind::bad_input,
                fmt::format("a pattern of {} bytes, more than {}", pattern.size(), longest));
  re2::RE2::Options options;
  options.set_log_errors(false);
  TextPattern out;
  out.compiled_ = std::make_shared<const Compiled>(pattern, options);
  if (out.compiled_->regex.ok()) return out;
  return fail(Error::Kind::bad_input,
              fmt::format("\"{}\" is no regular expression: {}", shorten(printable(pattern), 80),
                          out.compiled_->regex.error()),
              {}, "patterns are RE2's, without look-ahead: not_value says what a text must not be");
}

bool TextPattern::matches(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), compiled_->regex);
}

}  // namespace norn
