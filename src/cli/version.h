#pragma once

#include <string_view>

namespace norn::cli {
inline constexpr std::string_view version = "0.1.0";
}  // namespace norn::cli
