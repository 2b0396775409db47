#include "store/schema.h"

#include <fmt/core.h>

#include <array>
#include <cstring>
#include <fstream>

#include "base/file.h"

namespace norn {
namespace {

// AUTOINCREMENT where people or other rows keep an id: one that was given is never given again.
// upgrades[v] turns version v into v + 1. An upgrade that has been released is never changed again.
constexpr std::array<const char*, schema_version> upgrades = {R"sql(
CREATE TABLE apps(
  id INTEGER PRIMARY KEY AUTOINCREMENT, identity INTEGER NOT NULL UNIQUE,
  name TEXT NOT NULL, version TEXT NOT NULL, options TEXT NOT NULL, setup BLOB NOT NULL,
  device_kind TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, locale TEXT NOT NULL);
CREATE TABLE runs(
  id INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER, command TEXT NOT NULL, started INTEGER NOT NULL, finished INTEGER,
  outcome TEXT NOT NULL DEFAULT '', norn_version TEXT NOT NULL, app_name TEXT NOT NULL, app_hash TEXT NOT NULL,
  device TEXT NOT NULL, options BLOB NOT NULL, effort BLOB);
CREATE TABLE steps(
  app INTEGER NOT NULL, seq INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(app, seq)) WITHOUT ROWID;
CREATE TABLE screens(
  id INTEGER PRIMARY KEY, hash INTEGER NOT NULL UNIQUE, shape INTEGER NOT NULL, activity INTEGER NOT NULL,
  base INTEGER NOT NULL, depth INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX screens_by_shape ON screens(shape, id);
CREATE INDEX screens_by_activity ON screens(activity, id);
CREATE TABLE dictionaries(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE events(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL UNIQUE, data BLOB NOT NULL);
CREATE TABLE coverages(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL UNIQUE, data BLOB NOT NULL);
CREATE TABLE crashes(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL UNIQUE, data BLOB NOT NULL);
CREATE TABLE masks(app INTEGER PRIMARY KEY, version INTEGER NOT NULL, places BLOB NOT NULL);
CREATE TABLE traces(
  id INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, node INTEGER NOT NULL, run INTEGER, origin TEXT NOT NULL,
  events INTEGER NOT NULL, made INTEGER NOT NULL);
CREATE TABLE found(
  id INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, signature INTEGER NOT NULL, node INTEGER NOT NULL,
  shortest INTEGER NOT NULL, run INTEGER, headline TEXT NOT NULL, device_seconds REAL NOT NULL,
  made INTEGER NOT NULL, UNIQUE(app, signature));
CREATE TABLE suites(
  id INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, run INTEGER, name TEXT NOT NULL, traces BLOB NOT NULL,
  made INTEGER NOT NULL);
CREATE TABLE results(
  id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER, kind TEXT NOT NULL, json TEXT NOT NULL, made INTEGER NOT NULL);
)sql"};

std::uint64_t big_endian(const unsigned char* bytes, int count) {
  std::uint64_t n = 0;
  for (int i = 0; i < count; ++i) n = n << 8 | bytes[i];
  return n;
}

}  // namespace

Result<std::uintmax_t> missing_bytes(const std::filesystem::path& path) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(path, failed);
  if (failed || size == 0) return 0;
  std::array<unsigned char, 100> head{};
  std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(head.data()), head.size());
  if (std::memcmp(head.data(), database_mark.data(), database_mark.size()) != 0)
    return fail(Error::Kind::bad_input, "is not a norn store", path.string(),
                "name another file with --store");
  const std::uint64_t page = big_endian(&head[16], 2), pages = big_endian(&head[28], 4);
  const auto wal = std::filesystem::file_size(path.string() + "-wal", failed);
  const std::uintmax_t whole = (page == 1 ? 65536 : page) * pages;
  return (failed || wal == 0) && size < whole ? whole - size : 0;
}

Status inspect_header(const std::filesystem::path& path) {
  NORN_TRY(const auto missing, missing_bytes(path));
  if (missing == 0) return {};
  return fail(Error::Kind::bad_input, "is damaged: it is shorter than it was", path.string(),
              advice_if_damaged);
}

Result<FileState> inspect(const sqlite::Database& db) {
  NORN_TRY(const std::int64_t tables, db.number("SELECT count(*) FROM sqlite_master"));
  NORN_TRY(const std::int64_t owner, db.number("PRAGMA application_id"));
  NORN_TRY(const std::int64_t version, db.number("PRAGMA user_version"));
  if (tables == 0 && version == 0) return FileState{.fresh = true, .version = 0};
  if (owner != application_id)
    return fail(Error::Kind::bad_input, "is a database, but not a norn store", db.file(),
                "name another file with --store");
  if (version > schema_version)
    return fail(
        Error::Kind::unsupported,
        fmt::format("was written by a newer norn (file version {}, known up to {})", version, schema_version),
        db.file(), "use that norn");
  return FileState{.fresh = false, .version = version};
}

Status upgrade(const sqlite::Database& db) {
  NORN_TRY(const FileState state, inspect(db));
  if (state.version == schema_version) return {};
  NORN_CHECK(db.run("BEGIN IMMEDIATE"));
  const auto all = [&]() -> Status {
    for (auto v = static_cast<std::size_t>(state.version); v < upgrades.size(); ++v)
      NORN_CHECK(db.run(upgrades[v]));
    NORN_CHECK(db.run(fmt::format("PRAGMA application_id = {}", application_id).c_str()));
    NORN_CHECK(db.run(fmt::format("PRAGMA user_version = {}", schema_version).c_str()));
    return db.run("COMMIT");
  };
  Status done = all();
  if (!done && db.in_transaction()) (void)db.run("ROLLBACK");
  return done;
}

}  // namespace norn
