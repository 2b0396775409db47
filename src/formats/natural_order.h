// Names in the order a person means: dump2 before dump10.
#pragma once

#include <string_view>

#include "base/text.h"

namespace norn {

/// Runs of digits compare as numbers, however long; the rest by bytes. A strict weak order: equal numbers with
/// different leading zeros fall back to bytes.
inline bool natural_less(std::string_view a, std::string_view b) {
  const auto number = [&](std::string_view text, std::size_t& at) {
    while (at < text.size() && text[at] == '0') ++at;
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return text.substr(begin, at - begin);
  };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string_view x = number(a, i), y = number(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else if (a[i] != b[j]) {
      return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
    } else {
      ++i, ++j;
    }
  }
  if ((i < a.size()) != (j < b.size())) return i == a.size();
  return a < b;
}

}  // namespace norn
