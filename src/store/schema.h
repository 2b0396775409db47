// The tables, and how an older file becomes the present one. docs/store.md explains each column.
#pragma once

#include "store/sqlite.h"

namespace norn {

inline constexpr std::int64_t schema_version = 1;
inline constexpr std::int64_t application_id = 0x6e6f726e;  ///< "norn"

/// Is this file ours, whole at first sight, and of a version we know? `fresh`: it has no tables yet.
struct FileState {
  bool fresh = false;
  std::int64_t version = 0;
};
Result<FileState> inspect(const sqlite::Database& db);

/// By how much it is shorter than its header says, where nothing waits to be added to it. An error: it is no
/// store.
Result<std::uintmax_t> missing_bytes(const std::filesystem::path& path);

/// Before SQLite opens it: the first bytes and the length. A file that is missing or empty is fine.
Status inspect_header(const std::filesystem::path& path);

/// Brings a file of any earlier version (0: empty) to the present one, in one transaction.
Status upgrade(const sqlite::Database& db);

}  // namespace norn
