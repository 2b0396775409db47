// How deep JSON from outside may nest.
//
// Reading and freeing a value of nlohmann/json is a loop, but copying, comparing and writing one calls itself
// for every level: a hundred thousand brackets end the program. So whoever reads JSON asks here first, before
// there is a value that could be copied. What people and tools write nests ten deep, not a thousand.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/error.h"

namespace norn {

inline constexpr std::size_t deepest_json = 1000;

/// Refuses a text whose brackets nest deeper than that, as `where`. Those in texts and in comments do not
/// count; whether it is JSON at all is not looked at. Linear in the text.
Status check_json_depth(std::string_view json, std::string_view where);

}  // namespace norn
