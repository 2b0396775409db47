// toml++ as norn reads with it: whatever a file holds, it ends in a value or in an error.
//
// Where a file is malformed the parser relies in places on what it asserts, which ends the program, or with
// NDEBUG is undefined. Here an assertion that fails is thrown, and comes out as an error like all others.
#pragma once

#include <string_view>

#include "base/error.h"

namespace norn::cli {

/// Thrown; REQUIRES: the call comes from toml++ at work within read_toml().
[[noreturn]] void no_toml();

}  // namespace norn::cli

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(holds) ((holds) ? static_cast<void>(0) : ::norn::cli::no_toml())
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace norn::cli {

/// Parts of one key at most: a.b.c has three. Freeing a table calls itself for every one.
inline constexpr std::size_t longest_toml_key = 16;

/// The file's text as a table. Errors name `file` and the line where it is known.
Result<toml::table> read_toml(std::string_view text, std::string_view file);

}  // namespace norn::cli
