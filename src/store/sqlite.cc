#include "store/sqlite.h"

#include <fmt/core.h>

namespace norn::sqlite {

bool is_damage(int code) { return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB; }

Error error_of(sqlite3* db, int code, const std::string& file) {
  const std::string detail = db ? sqlite3_errmsg(db) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_FULL:
      return {Error::Kind::io, "the disk is full: the last step was not stored, all before it are", file,
              "free some space and run again"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return {Error::Kind::io, "cannot be written: it, or its folder, is read-only", file,
              "choose another file with --store"};
    case SQLITE_CANTOPEN:
      return {Error::Kind::io, "cannot be opened: " + detail, file, "is its folder there, and writable?"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {Error::Kind::busy, "is in use by another program", file,
              "try again when that one has finished"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {Error::Kind::bad_input, "is damaged: " + detail, file, advice_if_damaged};
    case SQLITE_IOERR:
      return {Error::Kind::io, "reading or writing failed: " + detail, file, "is the disk full or failing?"};
    default:
      return {Error::Kind::io, fmt::format("database error {}: {}", code, detail), file, {}};
  }
}

Statement::Statement(sqlite3* db, std::string_view sql, std::string file) : file_(std::move(file)), db_(db) {
  sqlite3_stmt* made = nullptr;
  prepared_ = sqlite3_prepare_v3(db, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                                 &made, nullptr);
  statement_.reset(made);
}

Statement& Statement::bind(int at, std::int64_t n) {
  sqlite3_bind_int64(statement_.get(), at, n);
  return *this;
}
Statement& Statement::bind(int at, double n) {
  sqlite3_bind_double(statement_.get(), at, n);
  return *this;
}
Statement& Statement::text(int at, std::string_view t) {
  sqlite3_bind_text64(statement_.get(), at, t.data(), t.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}
Statement& Statement::blob(int at, std::string_view bytes) {
  sqlite3_bind_blob64(statement_.get(), at, bytes.data(), bytes.size(), SQLITE_STATIC);
  return *this;
}
Statement& Statement::null(int at) {
  sqlite3_bind_null(statement_.get(), at);
  return *this;
}

Result<bool> Statement::row() {
  if (prepared_ != SQLITE_OK) return std::unexpected(error_of(db_, prepared_, file_));
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    reset();
    return false;
  }
  Error error = error_of(db_, code, file_);
  reset();
  return std::unexpected(std::move(error));
}

Status Statement::run() {
  for (;;) {
    NORN_TRY(const bool more, row());
    if (!more) return {};
  }
}

void Statement::reset() { sqlite3_reset(statement_.get()); }
std::int64_t Statement::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }
std::string_view Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return data ? std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size))
              : std::string_view();
}
bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

namespace {

int flags_of(Database::Mode mode) {
  const int common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI;
  switch (mode) {
    case Database::Mode::create:
      return common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Database::Mode::write:
      return common | SQLITE_OPEN_READWRITE;
    case Database::Mode::read:
      return common | SQLITE_OPEN_READONLY;
  }
  return common;
}

/// A URI, so that a file on a read-only disk (no -shm beside it can be made) opens as one that never changes.
std::string uri_of(const std::filesystem::path& path, bool immutable) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    if (c == '%' || c == '?' || c == '#')
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      uri += c;
  }
  return immutable ? uri + "?immutable=1" : uri;
}

}  // namespace

Result<Database> Database::open(const std::filesystem::path& path, Mode mode) {
  Database out;
  out.file_ = path.string();
  const auto attempt = [&](bool immutable) {
    sqlite3* raw = nullptr;
    int code = sqlite3_open_v2(uri_of(path, immutable).c_str(), &raw, flags_of(mode), nullptr);
    out.db_.reset(raw);
    if (code == SQLITE_OK) sqlite3_busy_timeout(raw, 10000);
    if (code == SQLITE_OK)
      code = sqlite3_exec(raw, "SELECT count(*) FROM sqlite_master", nullptr, nullptr, nullptr);
    return code;
  };
  int code = attempt(false);
  const auto nothing_pending = [&] {
    std::error_code none;
    const auto size = std::filesystem::file_size(path.string() + "-wal", none);
    return none || size == 0;
  };
  if (code != SQLITE_OK && !is_damage(code) && mode == Mode::read && nothing_pending() &&
      std::filesystem::exists(path))
    code = attempt(true);
  if (code != SQLITE_OK) return std::unexpected(error_of(out.db_.get(), code, out.file_));
  return out;
}

Status Database::run(const char* sql) const {
  const int code = sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return std::unexpected(error_of(db_.get(), code, file_));
  return {};
}

Result<std::int64_t> Database::number(std::string_view sql, std::int64_t otherwise) const {
  Statement query = prepare(sql);
  NORN_TRY(const bool there, query.row());
  const std::int64_t n = there && !query.is_null(0) ? query.number(0) : otherwise;
  query.reset();
  return n;
}

}  // namespace norn::sqlite
