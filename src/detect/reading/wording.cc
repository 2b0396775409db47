#include "detect/reading/wording.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace norn {
namespace {

/// Whether a minus belongs to the number that begins at this place: "-3", "-$3", "-€ 3" but not the one of
/// "5-7".
bool is_negative(std::string_view text, std::size_t at) {
  const auto sign_of_money = [](char c) { return c == '$' || static_cast<unsigned char>(c) >= 0x80; };
  while (at > 0 && sign_of_money(text[at - 1])) --at;
  return at > 0 && text[at - 1] == '-' && (at == 1 || text[at - 2] == ' ');
}

bool minutes_at(std::string_view text, std::size_t at) {
  return at + 2 < text.size() && text[at] == ':' && is_digit(text[at + 1]) && is_digit(text[at + 2]) &&
         (at + 3 == text.size() || !is_digit(text[at + 3]));
}

constexpr std::size_t shortest_code = 5;

/// A word without what stands around it: "SPRING10:".
std::string_view bare(std::string_view word) {
  const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  while (!word.empty() && !part(word.front())) word.remove_prefix(1);
  while (!word.empty() && !part(word.back())) word.remove_suffix(1);
  return word;
}

bool is_code(std::string_view word) {
  return word.size() >= shortest_code &&
         std::ranges::all_of(word, [](char c) { return (c >= 'A' && c <= 'Z') || is_digit(c); }) &&
         std::ranges::any_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

std::vector<std::string_view> codes_in(std::string_view text) {
  std::vector<std::string_view> out;
  for (const std::string_view part : split(text, ' '))
    if (const std::string_view word = bare(part); is_code(word)) out.push_back(word);
  return out;
}

bool says_a_time(std::string_view text) {
  const auto colon = text.find(':');
  return colon != std::string_view::npos && colon > 0 && is_digit(text[colon - 1]) &&
         colon + 1 < text.size() && is_digit(text[colon + 1]);
}

namespace {

/// Three numbers with the same sign between them: "2024-05-03", "3.5.2024", "5/3/24".
bool says_a_date_in_numbers(std::string_view text) {
  for (const char sign : {'-', '.', '/'}) {
    std::size_t signs = 0;
    bool all = true;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != sign) continue;
      ++signs;
      all = all && i > 0 && is_digit(text[i - 1]) && i + 1 < text.size() && is_digit(text[i + 1]);
    }
    if (signs == 2 && all) return true;
  }
  return false;
}

}  // namespace

bool says_when(std::string_view text) {
  static constexpr std::array months{"jan", "feb", "mar", "apr", "may", "jun",
                                     "jul", "aug", "sep", "oct", "nov", "dec"};
  static constexpr std::array days{"today", "yesterday", "ago"};
  if (says_a_time(text) || says_a_date_in_numbers(text)) return true;
  const std::string small = in_small_letters(text);
  if (says_one_of(small, days)) return true;
  const bool begins_so = std::ranges::any_of(split(small, ' '), [](std::string_view word) {
    return std::ranges::any_of(months, [&](std::string_view month) { return word.starts_with(month); });
  });
  return begins_so && !numbers_in(text).empty();
}

std::string_view sign_of_money(std::string_view text) {
  static constexpr std::array<std::string_view, 8> signs{"$", "€", "£", "¥", "₹", "₽", "₩", "CHF"};
  for (const std::string_view sign : signs)
    if (text.find(sign) != std::string_view::npos) return sign;
  return {};
}

bool says_word(std::string_view text, std::string_view word) {
  const auto part = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  for (std::size_t at = text.find(word); !word.empty() && at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !part(text[at - 1])) && (end == text.size() || !part(text[end]))) return true;
  }
  return false;
}

bool says_one_of(std::string_view text, std::span<const char* const> words) {
  return std::ranges::any_of(words, [&](const char* word) { return says_word(text, word); });
}

bool says_an_address(std::string_view text) {
  const auto at = text.find('@');
  return at != std::string_view::npos && at > 0 && text[at - 1] != ' ' &&
         text.find('.', at) != std::string_view::npos && at + 1 < text.size() && text[at + 1] != ' ';
}

bool says_left_out(std::string_view text) {
  const std::string small = in_small_letters(text);
  return std::ranges::any_of(
      std::array{"not", "excluded", "without", "ignored", "skipped", "left out", "(closed)", "(archived)",
                 "(paused)", "(inactive)", "(hidden)", "(cancelled)"},
      [&](const char* word) { return says_word(small, word); });
}

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char ch) { return ch >= 'A' && ch <= 'Z' ? static_cast<char>(ch + 32) : ch; });
  return out;
}

namespace {

/// Of a character that begins here: how many bytes it has, 0 if it is a letter or a digit. Arrows, stars, boxes,
/// ticks and pictures are none (U+2000 to U+2BFF, U+3000 to U+303F and from U+1F000 on).
std::size_t sign_at(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  if (byte(0) < 0x80) return std::isalnum(static_cast<int>(byte(0))) == 0 ? 1 : 0;
  if (byte(0) == 0xe2 && byte(1) < 0xb0) return 3;
  if (byte(0) == 0xe3 && byte(1) == 0x80) return 3;
  if (byte(0) == 0xef && byte(1) == 0xb8) return 3;  // what chooses a picture's kind
  return byte(0) == 0xf0 && byte(1) == 0x9f ? 4 : 0;
}

}  // namespace

std::string_view without_signs(std::string_view text) {
  while (!text.empty())
    if (const std::size_t size = sign_at(text); size > 0)
      text.remove_prefix(std::min(size, text.size()));
    else
      break;
  return text;
}

bool is_masked(std::string_view text) {
  constexpr std::string_view dot = "•";
  const bool some = !text.empty();
  while (text.starts_with(dot)) text.remove_prefix(dot.size());
  return some && text.find_first_not_of('*') == std::string_view::npos;
}

bool says_in_any_case(std::string_view text, std::string_view small) {
  return in_small_letters(text).find(small) != std::string::npos;
}

bool says_cancel(const Screen& screen, std::size_t i) {
  const std::string said = in_small_letters(label(screen, i));
  return said.empty() ? calls_itself(screen, i, "cancel") : said == "cancel";
}

bool says_deleting(const Screen& screen, std::size_t i) {
  return calls_itself(screen, i, "delete") || calls_itself(screen, i, "remove");
}

bool says_undoing(const Screen& screen, std::size_t i) { return calls_itself(screen, i, "undo"); }

bool says_copying(const Screen& screen, std::size_t i) {
  return calls_itself(screen, i, "copy") || calls_itself(screen, i, "duplicate") ||
         calls_itself(screen, i, "clone") || calls_itself(screen, i, "template");
}

bool says_making(const Screen& screen, std::size_t i) {
  const std::string said = in_small_letters(label(screen, i));
  return says_word(said, "new") || says_word(said, "add") || says_word(said, "create");
}

bool says_showing(const Screen& screen, std::size_t i) {
  const std::string said = in_small_letters(label(screen, i));
  return std::ranges::any_of(std::array{"show", "hide", "display", "filter"},
                             [&](const char* word) { return says_word(said, word); });
}

bool says_running(const Screen& screen, std::size_t i) {
  static constexpr std::array<std::string_view, 6> words{"play", "pause",  "start",
                                                         "stop", "resume", "record"};
  if (screen.widgets[i].is(Flag::checkable)) return false;
  const std::string says = in_small_letters(label(screen, i));
  return std::ranges::any_of(words, [&](std::string_view word) { return says_word(says, word); });
}

bool leads_up(const Widget& w) { return w.cls.ends_with("ImageButton") && w.text.empty() && w.id.empty(); }

bool calls_itself(const Screen& screen, std::size_t i, std::string_view word) {
  return in_small_letters(screen.widgets[i].id + " " + label(screen, i)).find(word) != std::string::npos;
}

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> out;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    const bool minus = is_negative(text, i);
    double number = 0;
    const auto [end, error] =
        std::from_chars(text.data() + i, text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc{}) break;
    i = static_cast<std::size_t>(end - text.data());
    for (; minutes_at(text, i); i += 3) number = 60 * number + 10 * (text[i + 1] - '0') + (text[i + 2] - '0');
    out.push_back(minus ? -number : number);
  }
  return out;
}

std::vector<double> amounts_in(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i)
    if (is_digit(text[i - 1]) && minutes_at(text, i)) return {};
  return numbers_in(text);
}

double last_digit(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && !is_digit(text[end - 1])) --end;
  const std::size_t point = text.substr(0, end).rfind('.');
  return point == std::string_view::npos ? 1 : std::pow(0.1, static_cast<double>(end - point - 1));
}

std::string_view unit_of(std::string_view text) {
  constexpr std::size_t longest_symbol = 3;  // "lbs" is one, "days" are many of a day
  std::size_t from = text.size();
  while (from > 0 && !is_digit(text[from - 1])) --from;
  const std::string_view unit = trim(text.substr(from));
  return unit.size() > longest_symbol && unit.ends_with('s') ? unit.substr(0, unit.size() - 1) : unit;
}

std::string words_beside_numbers(std::string_view text) {
  constexpr std::size_t stem = 4;
  std::string out;
  for (const std::string_view word : split(text, ' ')) {
    std::string letters(word);
    std::erase_if(letters, [](char c) {
      return is_digit(c) || std::string_view(".,:-+").find(c) != std::string_view::npos;
    });
    if (!letters.empty()) out.append(letters, 0, stem).push_back(' ');
  }
  return out;
}

}  // namespace norn
