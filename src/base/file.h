// Files as whole values, with errors that name them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace norn {

/// The whole file. A folder, a missing or unreadable file, or one over `limit` bytes is an Error that names
/// it.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::uintmax_t limit = std::uintmax_t{1} << 30);
/// Writes beside the target and renames, so that a reader never sees half a file.
Status write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace norn
