// What steps are made of, each stored once in the file under a number of its own, found again by content:
// screens, events, coverage sets, crashes. Apps and versions of an app share them.
//
// A new screen is written as the difference to the latest one of the same shape (resource ids), else of the
// same activity; after 16 differences in a row, and for the first of an activity, it stands alone, compressed
// with the file's dictionary once there is one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "gui/screen.h"
#include "store/compress.h"
#include "store/sqlite.h"
#include "trace/coverage.h"

namespace norn {

/// The number of a stored content; 0: none.
using ContentId = std::uint32_t;

class Contents {
 public:
  explicit Contents(const sqlite::Database& db);

  // ---- writing: inside a transaction of the caller's ----
  /// `packed`: encode(screen), `hash`: content_hash(screen).
  Result<ContentId> put_screen(const Screen& screen, std::string_view packed, std::uint64_t hash);
  Result<ContentId> put_event(std::string_view encoded);
  Result<ContentId> put_coverage(const Coverage& hit);
  Result<ContentId> put_crash(std::string_view encoded);
  /// Trains the file's dictionary once there are screens enough to learn from.
  Status maybe_train();
  /// After a rollback: forgets what was remembered of the rows that are gone.
  void forget();

  // ---- reading ----
  struct StoredScreen {
    std::string packed;
    std::uint64_t hash = 0;
  };
  Result<StoredScreen> screen(ContentId id);
  Result<std::string> event(ContentId id) { return fetch(get_event_, id, "event"); }
  Result<std::string> coverage(ContentId id) { return fetch(get_coverage_, id, "coverage set"); }
  Result<std::string> crash(ContentId id) { return fetch(get_crash_, id, "crash"); }

 private:
  struct Row {
    StoredScreen screen;
    std::int64_t base = 0;
  };
  Result<ContentId> put(sqlite::Statement& find, sqlite::Statement& insert, std::string_view bytes,
                        std::uint64_t hash);
  Result<std::string> fetch(sqlite::Statement& get, ContentId id, const char* what);
  Result<ContentId> find(sqlite::Statement& query, std::uint64_t hash);
  Result<ContentId> latest_like(std::uint64_t shape, std::uint64_t activity, std::int64_t& depth);
  Result<std::string_view> dictionary();
  Result<Row> raw_screen(ContentId id);
  void remember(ContentId id, const StoredScreen& screen);

  const sqlite::Database& db_;
  Compressor zstd_;
  std::string dictionary_;
  bool dictionary_known_ = false;
  std::int64_t screens_since_training_try_ = 0;
  std::unordered_map<ContentId, StoredScreen> recent_;
  sqlite::Statement find_screen_, find_event_, find_coverage_, find_crash_;
  sqlite::Statement add_screen_, add_event_, add_coverage_, add_crash_;
  sqlite::Statement get_screen_, get_event_, get_coverage_, get_crash_;
  sqlite::Statement by_shape_, by_activity_;
};

}  // namespace norn
