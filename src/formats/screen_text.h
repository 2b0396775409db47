// What surrounds the XML of a saved screen: log lines, shell prompts and "dumped to" messages around it, or
// an error message in its place. Finds the XML, or says what the text is instead.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace norn {

/// The part [begin, end) of a text that is XML, and the name of its outermost element.
struct XmlPart {
  std::size_t begin = 0, end = 0;
  std::string root;
};

/// Finds the XML from its first tag (or declaration) to the last end tag of its outermost element. No XML,
/// and XML whose outermost element never ends, are Errors.
Result<XmlPart> find_xml(std::string_view text, std::string_view file);

/// "file:12", the line of byte `at`.
std::string place_in(std::string_view file, std::string_view text, std::size_t at);

/// Surrogates that were written one by one, as three bytes each (`&#55357;&#56832;` in old dumps, Java's
/// modified UTF-8), joined to the characters they mean; a lone one becomes U+FFFD. Other bytes are left
/// alone.
std::string join_surrogates(std::string_view text);

}  // namespace norn
