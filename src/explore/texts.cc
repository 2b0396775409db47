#include "explore/texts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "base/text.h"

namespace norn {
namespace {

constexpr std::size_t most_words = 400, longest_word = 40;

constexpr std::array<const char*, 6> plain = {"Smith", "a",           "Hello world",
                                              "test",  "lorem ipsum", "Some longer text to keep"};
constexpr std::array<const char*, 7> numbers = {"1", "5", "12", "80", "3.5", "100", "2024"};
constexpr std::array<const char*, 2> emails = {"ann@example.org", "bob@example.com"};
constexpr std::array<const char*, 2> phones = {"5551234", "+49 30 123456"};
constexpr std::array<const char*, 2> urls = {"https://example.org", "example.org/a?b=c"};
constexpr std::array<const char*, 3> dates = {"2024-02-29", "12:30", "01/02/2024"};
constexpr std::array<const char*, 2> passwords = {"secret", "1234"};
/// What programs stumble over.
constexpr std::array<const char*, 14> nasty = {"",   "0",   "-1", " ",  "99999999999", "[",        "(",
                                               "%s", "'\"", ".",  "?!", "\\",          "äöü 漢字", "<b>"};

struct FieldHint {
  const char* word;
  FieldKind kind;
};
constexpr std::array<FieldHint, 24> hints = {{
    {"mail", FieldKind::email},     {"phone", FieldKind::phone},   {"tel", FieldKind::phone},
    {"url", FieldKind::url},        {"link", FieldKind::url},      {"site", FieldKind::url},
    {"date", FieldKind::date},      {"time", FieldKind::date},     {"password", FieldKind::password},
    {"pin", FieldKind::number},     {"number", FieldKind::number}, {"amount", FieldKind::number},
    {"count", FieldKind::number},   {"price", FieldKind::number},  {"age", FieldKind::number},
    {"weight", FieldKind::number},  {"height", FieldKind::number}, {"size", FieldKind::number},
    {"minutes", FieldKind::number}, {"hours", FieldKind::number},  {"quantity", FieldKind::number},
    {"year", FieldKind::number},    {"total", FieldKind::number},  {"percent", FieldKind::number},
}};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::span<const char* const> fitting(FieldKind kind) {
  switch (kind) {
    case FieldKind::number:
      return numbers;
    case FieldKind::email:
      return emails;
    case FieldKind::phone:
      return phones;
    case FieldKind::url:
      return urls;
    case FieldKind::date:
      return dates;
    case FieldKind::password:
      return passwords;
    case FieldKind::text:
      break;
  }
  return plain;
}

}  // namespace

FieldKind field_kind(const Screen& screen, std::size_t field) {
  const Widget& w = screen.widgets[field];
  if (w.is(Flag::password)) return FieldKind::password;
  const std::string words = lower(std::string(after_last(w.id, '/')) + " " + w.hint + " " + w.desc);
  for (const FieldHint& hint : hints)
    if (words.find(hint.word) != std::string::npos) return hint.kind;
  const bool digits = !w.text.empty() && std::all_of(w.text.begin(), w.text.end(), [](char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == '-';
  });
  return digits ? FieldKind::number : FieldKind::text;
}

void Texts::learn(const Screen& screen) {
  if (screen.kind != Screen::Kind::app || words_.size() >= most_words) return;
  const auto keep = [&](std::string_view text) {
    if (text.empty() || text.size() > longest_word || words_.size() >= most_words) return;
    if (known_.emplace(text).second) words_.emplace_back(text);
  };
  for (const Widget& w : screen.widgets) {
    if (w.is(Flag::editable) || w.text.empty()) continue;
    keep(w.text);
    for (const std::string_view word : split(w.text, ' '))
      if (word.size() > 2) keep(word);
  }
}

std::string Texts::choose(const Screen& screen, std::size_t field) {
  const auto any = [&](const auto& from) { return std::string(from[rng_.below(from.size())]); };
  const double draw = rng_.unit();
  if (!own_.empty() && draw < 0.3) return any(own_);
  if (draw < 0.6) return any(fitting(field_kind(screen, field)));
  if (draw < 0.75 && !words_.empty()) return any(words_);
  if (draw < 0.82) return any(plain);
  if (draw < 0.89) return any(numbers);
  if (draw < 0.9) return std::string(5000, 'x');
  return any(nasty);
}

void Texts::fill(Possible& possible, const Screen& screen) {
  auto* type = std::get_if<Type>(&possible.event);
  if (type && possible.widget >= 0) type->text = choose(screen, static_cast<std::size_t>(possible.widget));
}

}  // namespace norn
