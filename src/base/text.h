// Small functions over text that comes from outside: always valid UTF-8 afterwards, never longer than asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace norn {

/// UTF-8 out of what a file may hold: a UTF-8 or UTF-16 (either order) byte order mark is understood and
/// removed, UTF-16 without a mark is recognised by its zero bytes, invalid bytes become U+FFFD.
std::string to_utf8(std::string_view bytes);
bool is_utf8(std::string_view bytes);

/// 0 to 9, whatever the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trim(std::string_view text);
/// Lines without their ends; "\n", "\r\n", "\r\r\n" and a lone "\r" all end a line.
std::vector<std::string_view> lines(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
/// The whole of `text` as a number, or nothing.
std::optional<std::int64_t> to_int(std::string_view text);
std::optional<double> to_double(std::string_view text);

/// At most `limit` bytes, cut between characters, with "…" where something was cut.
std::string shorten(std::string_view text, std::size_t limit);
/// So many characters from its beginning, which may be several bytes each.
std::string first_characters(std::string_view text, std::size_t count);
/// Control characters as \n, \t, \x1b, and what turns the direction of a text or ends its line as \u202e, so that
/// text from an app can neither drive a terminal nor be read as other than it is.
std::string printable(std::string_view text);
/// In quotation marks, printable, at most `limit` bytes of it.
std::string quoted(std::string_view text, std::size_t limit);
/// The text as one word of a shell: as it is where that is safe, else in single quotes.
std::string shell_word(std::string_view text);
/// What follows the last `c`; all of it if there is none.
std::string_view after_last(std::string_view text, char c);

/// The member of `names` nearest to `word` by edit distance, if it is near enough to suggest.
std::optional<std::string> did_you_mean(std::string_view word, const std::vector<std::string>& names);

/// "90s", "30m", "2h", "1h30m", or plain seconds.
std::optional<double> parse_duration(std::string_view text);
/// "41.5 s", "3m 20s", "2h 05m".
std::string show_duration(double seconds);

}  // namespace norn
