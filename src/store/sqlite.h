// SQLite behind values: a connection, statements, and errors that name the file and say what to do.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace norn {
/// What every error about a damaged store says is to be done.
inline constexpr const char* advice_if_damaged = "norn gc --salvage NEW.db copies what can be read";
}  // namespace norn

namespace norn::sqlite {

/// What a failed call means: disk full, read-only, damaged, busy.
Error error_of(sqlite3* db, int code, const std::string& file);
bool is_damage(int code);

/// A prepared statement that is used again and again. bind() positions count from 1, columns from 0.
class Statement {
 public:
  Statement() = default;
  Statement(sqlite3* db, std::string_view sql, std::string file);

  Statement& bind(int at, std::int64_t n);
  Statement& bind(int at, double n);
  Statement& text(int at, std::string_view t);
  Statement& blob(int at, std::string_view bytes);  ///< not copied: must outlive the run
  Statement& null(int at);

  /// One row more? Resets itself at the end and on error.
  Result<bool> row();
  /// Runs to the end; rows are dropped.
  Status run();
  void reset();

  std::int64_t number(int column) const;
  double real(int column) const;
  std::string_view bytes(int column) const;  ///< until the next row()
  std::string string(int column) const { return std::string(bytes(column)); }
  bool is_null(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::string file_;
  int prepared_ = SQLITE_OK;
  sqlite3* db_ = nullptr;
};

class Database {
 public:
  enum class Mode : std::uint8_t { create, write, read };
  static Result<Database> open(const std::filesystem::path& path, Mode mode);

  Statement prepare(std::string_view sql) const { return {db_.get(), sql, file_}; }
  Status run(const char* sql) const;
  /// The first column of the first row, or `otherwise`.
  Result<std::int64_t> number(std::string_view sql, std::int64_t otherwise = 0) const;
  std::int64_t last_id() const { return sqlite3_last_insert_rowid(db_.get()); }
  std::int64_t changes() const { return sqlite3_changes64(db_.get()); }
  bool in_transaction() const { return sqlite3_get_autocommit(db_.get()) == 0; }
  const std::string& file() const { return file_; }

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  std::unique_ptr<sqlite3, Close> db_;
  std::string file_;
};

}  // namespace norn::sqlite
