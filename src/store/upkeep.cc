// Sizes, forgetting, freeing, checking.
#include <fmt/core.h>

#include <unordered_set>

#include "store/parts.h"
#include "store/store.h"

namespace norn {
namespace {

std::uint64_t bytes_of(const std::string& file) {
  std::uint64_t total = 0;
  for (const char* suffix : {"", "-wal"}) {
    std::error_code missing;
    const auto size = std::filesystem::file_size(file + suffix, missing);
    if (!missing) total += size;
  }
  return total;
}

/// Which contents the steps use, and the screens those are built on.
struct Used {
  std::unordered_set<ContentId> screens, events, coverages, crashes;
};

Result<Used> used_contents(const sqlite::Database& db) {
  Used used;
  sqlite::Statement steps = db.prepare("SELECT seq, data FROM steps");
  for (;;) {
    NORN_TRY(const bool more, steps.row());
    if (!more) break;
    const auto step = decode_step(steps.bytes(1), static_cast<std::uint64_t>(steps.number(0)));
    if (!step)
      return fail(Error::Kind::bad_input, "is damaged: nothing is freed", db.file(), advice_if_damaged);
    used.screens.insert(step->screen);
    used.events.insert(step->event);
    used.coverages.insert(step->hit);
    used.crashes.insert(step->crash);
  }
  // A base has a smaller number than what is built on it, so one pass from the last to the first is enough.
  sqlite::Statement screens = db.prepare("SELECT id, base FROM screens ORDER BY id DESC");
  for (;;) {
    NORN_TRY(const bool more, screens.row());
    if (!more) return used;
    const std::int64_t base = screens.number(1);
    if (base > 0 && used.screens.contains(static_cast<ContentId>(screens.number(0))))
      used.screens.insert(static_cast<ContentId>(base));
  }
}

Result<std::uint64_t> remove_unused(const sqlite::Database& db, const char* table,
                                    const std::unordered_set<ContentId>& used) {
  std::vector<std::int64_t> unused;
  sqlite::Statement rows = db.prepare(fmt::format("SELECT id FROM {}", table));
  for (;;) {
    NORN_TRY(const bool more, rows.row());
    if (!more) break;
    if (!used.contains(static_cast<ContentId>(rows.number(0)))) unused.push_back(rows.number(0));
  }
  sqlite::Statement drop = db.prepare(fmt::format("DELETE FROM {} WHERE id = ?", table));
  for (const std::int64_t id : unused) NORN_CHECK(drop.bind(1, id).run());
  return unused.size();
}

}  // namespace

Result<Sizes> Store::sizes() {
  const sqlite::Database& db = parts_->db;
  Sizes s;
  s.file_bytes = bytes_of(db.file());
  struct Query {
    std::uint64_t Sizes::* field;
    const char* sql;
  };
  constexpr Query queries[] = {
      {&Sizes::steps, "SELECT count(*) FROM steps"},
      {&Sizes::screens, "SELECT count(*) FROM screens"},
      {&Sizes::events, "SELECT count(*) FROM events"},
      {&Sizes::coverages, "SELECT count(*) FROM coverages"},
      {&Sizes::crashes, "SELECT count(*) FROM crashes"},
      {&Sizes::apps, "SELECT count(*) FROM apps"},
      {&Sizes::runs, "SELECT count(*) FROM runs"},
      {&Sizes::traces, "SELECT count(*) FROM traces"},
      {&Sizes::step_bytes, "SELECT sum(length(data)) FROM steps"},
      {&Sizes::screen_bytes, "SELECT sum(length(data)) FROM screens"},
      {&Sizes::coverage_bytes, "SELECT sum(length(data)) FROM coverages"},
  };
  for (const Query& q : queries) {
    NORN_TRY(const std::int64_t n, db.number(q.sql));
    s.*q.field = static_cast<std::uint64_t>(n);
  }
  return s;
}

Status Store::remove_app(AppId app) {
  parts_->loaded.erase(app);
  return parts_->transact([&]() -> Status {
    for (const char* table : {"steps", "masks", "traces", "found", "suites"})
      NORN_CHECK(parts_->db.prepare(fmt::format("DELETE FROM {} WHERE app = ?", table))
                     .bind(1, std::int64_t{app.value})
                     .run());
    return {};
  });
}

Result<Freed> Store::gc() {
  NORN_CHECK(commit());
  const sqlite::Database& db = parts_->db;
  Freed freed;
  const std::uint64_t before = bytes_of(db.file());
  NORN_CHECK(parts_->transact([&]() -> Status {
    NORN_TRY(const Used used, used_contents(db));
    NORN_TRY(freed.screens, remove_unused(db, "screens", used.screens));
    NORN_TRY(freed.events, remove_unused(db, "events", used.events));
    NORN_TRY(freed.coverages, remove_unused(db, "coverages", used.coverages));
    NORN_TRY(freed.crashes, remove_unused(db, "crashes", used.crashes));
    NORN_CHECK(db.run(
        "DELETE FROM apps WHERE id NOT IN (SELECT DISTINCT app FROM steps) AND id NOT IN (SELECT app "
        "FROM traces) AND id NOT IN (SELECT app FROM runs WHERE app IS NOT NULL AND finished IS NULL)"));
    freed.apps = static_cast<std::uint64_t>(db.changes());
    return {};
  }));
  parts_->contents.forget();
  parts_->loaded.clear();  // numbers of contents that are gone must not be used again
  NORN_CHECK(db.run("VACUUM"));
  NORN_CHECK(db.run("PRAGMA wal_checkpoint(TRUNCATE)"));
  const std::uint64_t after = bytes_of(db.file());
  freed.bytes = before > after ? before - after : 0;
  return freed;
}

Status Store::check() {
  sqlite::Statement quick = parts_->db.prepare("PRAGMA quick_check(1)");
  NORN_TRY(const bool there, quick.row());
  if (const std::string found = there ? quick.string(0) : "no answer"; found != "ok")
    return fail(Error::Kind::bad_input, "is damaged: " + found, parts_->db.file(), advice_if_damaged);
  quick.reset();
  NORN_TRY(const std::vector<AppId> all, apps());
  const auto kept = parts_->loaded;
  for (const AppId app : all) NORN_CHECK(load(app));
  parts_->loaded = kept;
  return {};
}

}  // namespace norn
