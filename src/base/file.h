// Files as whole values, with errors that name them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace norn {

/// Bytes of one file that a testing tool recorded: a log, a script, a state.
inline constexpr std::uintmax_t most_recorded = 64U << 20;

/// The whole file. A folder, a missing or unreadable file, or one over `limit` bytes is an Error that names
/// it.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::uintmax_t limit = std::uintmax_t{1} << 30);
/// The same of one that a testing tool recorded, up to most_recorded. What would keep the reader waiting for
/// somebody to write is refused by name: a pipe (but for one that a shell opened, /dev/fd/63), a device.
Result<std::string> read_recorded(const std::filesystem::path& path);
/// How a database begins, norn's store among them.
inline constexpr std::string_view database_mark{"SQLite format 3\0", 16};

/// Writes beside the target and renames, so that a reader never sees half a file. Only a plain file is ever
/// replaced, and its rights stay: a pipe, /dev/null and what a link leads to (/dev/stdout) are written to as
/// they are. A database is never written over: it may be the store that is in use.
Status write_file(const std::filesystem::path& path, std::string_view content);

/// Whether anything has that name; a name that no file can have is nobody's.
bool is_there(const std::filesystem::path& path);
/// Whether a result may be written there, asked before the work for it begins: a file that is there already
/// is overwritten with `force` only, a database never, and the folder must be there.
Status may_write(const std::filesystem::path& path, bool force);

}  // namespace norn
