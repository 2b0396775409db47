#include "base/json_depth.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

namespace norn {
namespace {

/// Where what begins with the quotation mark at `at` ends: at the closing one, or with the text.
std::size_t end_of_text(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at)
    if (json[at] == '\\') ++at;
  return at;
}

/// The last byte of the comment that begins at `at`; `at` itself where none does.
std::size_t end_of_comment(std::string_view json, std::size_t at) {
  const std::string_view mark = json.substr(at, 2);
  if (mark == "//") return std::min(json.find('\n', at), json.size());
  if (mark != "/*") return at;
  const auto end = json.find("*/", at + 2);
  return end == json.npos ? json.size() : end + 1;
}

}  // namespace

Status check_json_depth(std::string_view json, std::string_view where) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') at = end_of_text(json, at);
    if (c == '/') at = end_of_comment(json, at);
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if ((c == '[' || c == '{') && ++depth > deepest_json)
      return fail(Error::Kind::bad_input,
                  fmt::format("the JSON is nested too deeply: more than {} levels", deepest_json),
                  std::string(where));
  }
  return {};
}

}  // namespace norn
