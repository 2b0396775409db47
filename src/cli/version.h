// What `norn --version` says, and every result says that it was made by.
#pragma once

#include <string_view>

namespace norn::cli {
inline constexpr std::string_view version = "0.1.0";
}  // namespace norn::cli
