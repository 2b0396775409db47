// The inside of a Store, shared by the files that implement it: the connection, the contents, and for each
// app what connects the numbers of its tree in memory with those in the file.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "store/contents.h"
#include "store/lock.h"
#include "store/sqlite.h"
#include "store/step_record.h"
#include "store/store.h"

namespace norn {

/// What is known of an app's tree since it was loaded.
struct Loaded {
  std::uint64_t next_seq = 1;
  std::uint64_t nodes = 1;  ///< in the file; the root counts always
  std::uint32_t mask_version = 0;
  std::vector<ContentId> screens, events, coverages, crashes;  ///< the file's number of each id in memory
};

struct Store::Parts {
  Parts(sqlite::Database opened, Access how) : db(std::move(opened)), access(how), contents(db) {}

  // The lock is taken first and let go last: declared before the connection.
  std::optional<WriterLock> lock;
  sqlite::Database db;
  Access access;
  Contents contents;
  std::map<AppId, Loaded> loaded;
  bool batch = false;
  std::optional<Error> failed;  ///< after a write failed the tree in memory is ahead of the file
  sqlite::Statement begin, commit, rollback, add_step;

  /// Runs `work` in a transaction of its own (or in the open batch), all or nothing.
  template <class Work>
  Status transact(Work work) {
    NORN_CHECK(writable());
    if (batch) return work();
    NORN_CHECK(begin.run());
    Status done = work();
    if (done) done = commit.run();
    if (!done && db.in_transaction()) (void)rollback.run();
    return done;
  }
  Status writable() const;
  Result<Loaded*> loaded_app(AppId app);
  Result<StepRecord> record_of(Loaded& app, const History& history, const Appended& done);
};

inline AppId app_id(std::int64_t n) { return AppId{static_cast<std::uint32_t>(n)}; }
/// NULL in the file is `none` here.
template <class IdType>
IdType id_at(const sqlite::Statement& row, int column) {
  return row.is_null(column) ? IdType{} : IdType{static_cast<std::uint32_t>(row.number(column))};
}
template <class IdType>
void bind_id(sqlite::Statement& statement, int at, IdType id) {
  if (id)
    statement.bind(at, std::int64_t{id.value});
  else
    statement.null(at);
}
std::int64_t unix_now();
std::string encode_places(const Mask& mask);
Result<Mask> load_mask(const sqlite::Database& db, AppId app);
Result<MemoryKey> read_key(const sqlite::Statement& row, int first_column);

}  // namespace norn
