#include "detect/reading/opposites.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "detect/reading/wording.h"

namespace norn {
namespace {

constexpr std::pair<std::string_view, std::string_view> directions[] = {
    {"up", "down"},
    {"more", "less"},
    {"more", "fewer"},
    {"plus", "minus"},
    {"inc", "dec"},
    {"raise", "lower"},
    {"increase", "decrease"},
    {"increment", "decrement"},
    {"higher", "lower"},
    {"earlier", "later"},
    {"older", "newer"},
    {"next", "previous"},
    {"next", "prev"},
    {"forward", "backward"},
    {"forward", "back"},
    {"left", "right"},
    {"louder", "quieter"},
    {"faster", "slower"},
    {"longer", "shorter"},
    {"larger", "smaller"},
    {"bigger", "smaller"},
    {"wider", "narrower"},
    {"brighter", "darker"},
    {"+", "-"},
    {"+", "−"},
    {"+", "–"},
    {"<", ">"},
    {"‹", "›"},
    {"«", "»"},
    {"◀", "▶"},
    {"◄", "►"},
    {"←", "→"},
    {"↑", "↓"},
    {"▲", "▼"},
};

/// In small letters; a sign is a word of its own.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  bool open = false;
  const std::string small = in_small_letters(text);
  for (std::size_t i = 0; i < small.size();) {
    const auto c = static_cast<unsigned char>(small[i]);
    std::size_t bytes = 1;
    while (c >= 0xC0 && i + bytes < small.size() &&
           (static_cast<unsigned char>(small[i + bytes]) & 0xC0) == 0x80)
      ++bytes;
    const bool letter = is_digit(small[i]) || (c >= 'a' && c <= 'z') || (c >= 0xC3 && c < 0xE2);
    if (letter) {
      if (!open) out.emplace_back();
      out.back().append(small, i, bytes);
    } else if (c != ' ' && c != '_' && c != '.' && c != ',') {
      out.emplace_back(small, i, bytes);
    }
    open = letter;
    i += bytes;
  }
  return out;
}

bool are_opposites(std::string_view a, std::string_view b) {
  return std::ranges::any_of(directions, [&](const auto& d) {
    return (d.first == a && d.second == b) || (d.first == b && d.second == a);
  });
}

bool differ_in_a_direction(std::string_view a, std::string_view b) {
  const auto x = words_of(a), y = words_of(b);
  if (x.size() != y.size()) return false;
  std::size_t opposite = 0, other = 0;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (x[k] != y[k]) ++(are_opposites(x[k], y[k]) ? opposite : other);
  return opposite == 1 && other == 0;
}

std::string_view last_part(std::string_view id) { return id.substr(id.rfind('/') + 1); }

}  // namespace

bool say_opposites(const Screen& screen, std::size_t i, std::size_t j) {
  if (numbers_in(label(screen, i)) != numbers_in(label(screen, j))) return false;  // 30 forward, 10 back
  return differ_in_a_direction(label(screen, i), label(screen, j)) ||
         differ_in_a_direction(last_part(screen.widgets[i].id), last_part(screen.widgets[j].id));
}

}  // namespace norn
