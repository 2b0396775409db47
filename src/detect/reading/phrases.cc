#include "detect/reading/phrases.h"

#include <algorithm>

#include "base/text.h"
#include "detect/reading/wording.h"

namespace norn {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

/// What parts the phrases of a text: at so many bytes here; 0: nothing.
std::size_t separator_at(std::string_view text, std::size_t i) {
  for (const std::string_view sign : {"· ", "• ", "–", "—"})
    if (text.substr(i).starts_with(sign)) return sign.size();
  if (text[i] == '(' || text[i] == ')' || text[i] == ';' || text[i] == '|') return 1;
  const bool before_space = i + 1 < text.size() && text[i + 1] == ' ';
  return before_space && (text[i] == ',' || text[i] == ':') ? 1 : 0;
}

/// Where "km/h" or "L/100 km" ends whose stroke is at `at`.
std::size_t end_of_rate(std::string_view text, std::size_t at) {
  const auto skip = [&](auto is) {
    while (at < text.size() && is(text[at]) && separator_at(text, at) == 0) ++at;
  };
  ++at;
  const std::size_t number = at;
  skip(is_digit);
  if (at > number && at < text.size() && text[at] == ' ') ++at;
  skip(is_letter);
  return at;
}

}  // namespace

bool has_digit(std::string_view text) { return std::ranges::any_of(text, is_digit); }

std::set<std::string> units_in(std::string_view text) {
  std::set<std::string> out;
  if (!has_digit(text)) return out;
  if (const std::string_view sign = sign_of_money(text); !sign.empty()) out.emplace(sign);
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (!is_digit(text[i - 1]) || is_digit(text[i])) continue;
    const std::size_t from = text[i] == ' ' ? i + 1 : i;
    std::size_t end = from;
    while (end < text.size() && is_letter(text[end]) && separator_at(text, end) == 0) ++end;
    if (end == from) continue;
    if (end < text.size() && text[end] == '/') end = end_of_rate(text, end);
    out.emplace(text.substr(from, end - from));
    i = end;
  }
  return out;
}

std::vector<std::string> phrases_of(std::string_view text) {
  std::vector<std::string> out;
  std::size_t from = 0;
  const auto end_phrase = [&](std::size_t at) {
    if (const std::string_view phrase = trim(text.substr(from, at - from)); !phrase.empty())
      out.emplace_back(phrase);
  };
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = separator_at(text, i);
    if (size == 0) {
      ++i;
      continue;
    }
    end_phrase(i);
    from = i += size;
  }
  end_phrase(text.size());
  return out;
}

std::string shape_of(std::string_view phrase) {
  std::string out;
  for (const char c : phrase) {
    const char kind = is_digit(c) ? '9' : is_letter(c) ? 'a' : c;
    if (out.empty() || out.back() != kind || (kind != '9' && kind != 'a')) out += kind;
  }
  return out;
}

}  // namespace norn
