// Numbers of things in words: "1 event", "2 events", "2 crashes", "2 entries".
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace norn::cli {

inline std::string counted(std::uint64_t n, std::string_view noun) {
  if (n != 1 && noun.ends_with("try")) return fmt::format("{} {}ies", n, noun.substr(0, noun.size() - 1));
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : noun.ends_with("sh") ? "es" : "s");
}

}  // namespace norn::cli
