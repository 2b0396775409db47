#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace norn {
namespace {

void append_code_point(std::string& out, char32_t c) {
  if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) c = 0xfffd;
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

/// Length of the valid UTF-8 sequence at the head of `s`, 0 if there is none.
std::size_t sequence_length(std::string_view s) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char a = at(0);
  if (a < 0x80) return 1;
  const std::size_t n = a >= 0xf0 ? 4 : a >= 0xe0 ? 3 : 2;
  if (a < 0xc2 || a > 0xf4 || s.size() < n) return 0;
  for (std::size_t i = 1; i < n; ++i)
    if ((at(i) & 0xc0) != 0x80) return 0;
  if (a == 0xe0 && at(1) < 0xa0) return 0;   // overlong
  if (a == 0xed && at(1) >= 0xa0) return 0;  // surrogates
  if (a == 0xf0 && at(1) < 0x90) return 0;   // overlong
  if (a == 0xf4 && at(1) >= 0x90) return 0;  // beyond Unicode
  return n;
}

/// Of the valid sequence that `s` begins with.
char32_t code_point(std::string_view s, std::size_t length) {
  const auto head = static_cast<unsigned char>(s[0]);
  if (length == 1) return head;
  char32_t c = head & (0x7f >> length);
  for (std::size_t i = 1; i < length; ++i) c = c << 6 | (static_cast<unsigned char>(s[i]) & 0x3f);
  return c;
}

/// Beyond ASCII: the second set of control characters, marks of direction, and ends of lines.
bool steers(char32_t c) {
  return (c >= 0x80 && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x206f);
}

std::string from_utf16(std::string_view bytes, bool little) {
  const auto unit = [&](std::size_t i) {
    const auto a = static_cast<unsigned char>(bytes[i]), b = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<char32_t>(little ? a | (b << 8) : (a << 8) | b);
  };
  std::string out;
  out.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    char32_t c = unit(i);
    if (c >= 0xd800 && c < 0xdc00 && i + 3 < bytes.size()) {
      const char32_t low = unit(i + 2);
      if (low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        i += 2;
      }
    }
    append_code_point(out, c);
  }
  return out;
}

/// Most of the odd (or even) bytes of a head of ASCII text in UTF-16 are zero.
std::optional<bool> looks_utf16_little(std::string_view bytes) {
  const std::size_t n = std::min<std::size_t>(bytes.size(), 256) & ~std::size_t{1};
  if (n < 8) return std::nullopt;
  std::size_t even = 0, odd = 0;
  for (std::size_t i = 0; i < n; i += 2) {
    even += bytes[i] == 0;
    odd += bytes[i + 1] == 0;
  }
  if (odd * 10 > n * 4 && even == 0) return true;
  if (even * 10 > n * 4 && odd == 0) return false;
  return std::nullopt;
}

/// Length of the line's end at the head of the text.
std::size_t line_end(std::string_view text) {
  for (const std::string_view several : {"\r\r\n", "\r\n"})
    if (text.starts_with(several)) return several.size();
  return 1;
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t n = sequence_length(bytes);
    if (n == 0) return false;
    bytes.remove_prefix(n);
  }
  return true;
}

std::string to_utf8(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe")) return from_utf16(bytes.substr(2), true);
  if (bytes.starts_with("\xfe\xff")) return from_utf16(bytes.substr(2), false);
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  if (const auto little = looks_utf16_little(bytes)) return from_utf16(bytes, *little);
  if (is_utf8(bytes)) return std::string(bytes);
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t n = sequence_length(bytes);
    if (n == 0) append_code_point(out, 0xfffd);
    out += bytes.substr(0, n);
    bytes.remove_prefix(std::max<std::size_t>(n, 1));
  }
  return out;
}

std::string_view trim(std::string_view text) {
  const char* blank = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = text.find_first_of("\r\n");
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end);
    text.remove_prefix(line_end(text));
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (;;) {
    const auto end = text.find(separator);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::int64_t> to_int(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<double> to_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::string first_characters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count)
    end += std::max<std::size_t>(1, sequence_length(text.substr(end)));
  return std::string(text.substr(0, end));
}

std::string shorten(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t cut = limit > 3 ? limit - 3 : 0;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
  return std::string(text.substr(0, cut)) + "…";
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(sequence_length(text), 1);
    const char32_t c = code_point(text, length);
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else if (c < 0x20 || c == 0x7f)
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    else if (length > 1 && steers(c))
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += text.substr(0, length);
    text.remove_prefix(length);
  }
  return out;
}

std::string quoted(std::string_view text, std::size_t limit) {
  return fmt::format("\"{}\"", printable(shorten(text, limit)));
}

std::string_view after_last(std::string_view text, char c) { return text.substr(text.rfind(c) + 1); }

std::optional<std::string> did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  std::size_t best = word.size() / 2 + 1;
  std::optional<std::string> nearest;
  for (const auto& name : names) {
    std::vector<std::size_t> row(name.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j < row.size(); ++j) {
        const std::size_t above = row[j];
        row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (word[i - 1] != name[j - 1])});
        diagonal = above;
      }
    }
    if (row.back() < best) {
      best = row.back();
      nearest = name;
    }
  }
  return nearest;
}

std::optional<double> parse_duration(std::string_view text) {
  const auto finite = [](double seconds) {
    return seconds >= 0 && std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
  };
  if (const auto plain = to_double(text)) return finite(*plain);
  if (text.empty()) return std::nullopt;
  double total = 0;
  while (!text.empty()) {
    const auto unit = text.find_first_of("dhms");
    if (unit == std::string_view::npos) return std::nullopt;
    const auto number = to_double(text.substr(0, unit)).and_then(finite);
    if (!number) return std::nullopt;
    std::size_t width = 1;
    double factor = 1;
    if (text.substr(unit).starts_with("ms"))
      width = 2, factor = 0.001;
    else if (text[unit] == 'm')
      factor = 60;
    else if (text[unit] == 'h')
      factor = 3600;
    else if (text[unit] == 'd')
      factor = 86400;
    total += *number * factor;
    text.remove_prefix(unit + width);
  }
  return finite(total);
}

std::string show_duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const long long s = std::llround(seconds);
  if (s < 3600) return fmt::format("{}m {:02}s", s / 60, s % 60);
  return fmt::format("{}h {:02}m", s / 3600, s / 60 % 60);
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace norn
