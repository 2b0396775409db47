#include "cli/read_toml.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

namespace norn::cli {
namespace {

struct NoToml {};

/// The last byte of the text that begins with the quotation mark at `at`: it ends at the closing mark (three
/// close what three opened), at the end of its line, or with the file.
std::size_t end_of_toml_text(std::string_view toml, std::size_t at) {
  const std::string_view one = toml.substr(at, 1), three = toml.substr(at, 3);
  const bool over_lines = three == std::string(3, one[0]);
  const std::string_view mark = over_lines ? three : one;
  for (at += mark.size(); at < toml.size(); ++at) {
    if (toml.substr(at).starts_with(mark)) return at + mark.size() - 1;
    if (toml[at] == '\n' && !over_lines) return at;
    if (toml[at] == '\\' && one == "\"") ++at;
  }
  return at;
}

/// Refuses a key of too many parts. Dots in texts and in comments do not count, and a number has one at most.
Status check_keys(std::string_view toml, std::string_view file) {
  std::size_t parts = 1;
  for (std::size_t at = 0; at < toml.size(); ++at) {
    if (toml[at] == '#') at = std::min(toml.find('\n', at), toml.size() - 1);
    if (toml[at] == '"' || toml[at] == '\'') at = end_of_toml_text(toml, at);
    if (at < toml.size() && std::string_view("=,[]{}\n").find(toml[at]) != std::string_view::npos) parts = 1;
    if (at < toml.size() && toml[at] == '.' && ++parts > longest_toml_key)
      return fail(Error::Kind::bad_input, fmt::format("a key has more than {} parts", longest_toml_key),
                  std::string(file));
  }
  return {};
}

}  // namespace

void no_toml() { throw NoToml(); }

Result<toml::table> read_toml(std::string_view text, std::string_view file) {
  NORN_CHECK(check_keys(text, file));
  try {
    return toml::parse(text, std::string(file));
  } catch (const toml::parse_error& error) {
    return fail(Error::Kind::bad_input, std::string(error.description()),
                fmt::format("{}:{}", file, error.source().begin.line));
  } catch (const NoToml&) {
    return fail(Error::Kind::bad_input, "is no TOML: something stands where a key or a value should begin",
                std::string(file));
  }
}

}  // namespace norn::cli
