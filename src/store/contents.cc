#include "store/contents.h"

#include <fmt/core.h>

#include <vector>

#include "base/hash.h"
#include "gui/abstraction.h"

namespace norn {
namespace {

constexpr std::int64_t longest_chain = 16;
constexpr std::size_t most_recent = 512;
constexpr std::size_t dictionary_size = 16 << 10;
constexpr std::int64_t enough_to_train = 200;

// How a screen's row is to be read: `base` > 0 is the screen it differs from, otherwise one of these.
constexpr std::int64_t alone = 0, with_dictionary = -1;

std::int64_t as_signed(std::uint64_t hash) { return static_cast<std::int64_t>(hash); }

std::unexpected<Error> missing(const std::string& file, const char* what, ContentId id) {
  return fail(Error::Kind::bad_input, fmt::format("is damaged: {} {} is not there", what, id), file,
              advice_if_damaged);
}

}  // namespace

Contents::Contents(const sqlite::Database& db)
    : db_(db),
      find_screen_(db.prepare("SELECT id FROM screens WHERE hash = ?")),
      find_event_(db.prepare("SELECT id FROM events WHERE hash = ?")),
      find_coverage_(db.prepare("SELECT id FROM coverages WHERE hash = ?")),
      find_crash_(db.prepare("SELECT id FROM crashes WHERE hash = ?")),
      add_screen_(db.prepare(
          "INSERT INTO screens(hash, shape, activity, base, depth, data) VALUES (?, ?, ?, ?, ?, ?)")),
      add_event_(db.prepare("INSERT INTO events(hash, data) VALUES (?, ?)")),
      add_coverage_(db.prepare("INSERT INTO coverages(hash, data) VALUES (?, ?)")),
      add_crash_(db.prepare("INSERT INTO crashes(hash, data) VALUES (?, ?)")),
      get_screen_(db.prepare("SELECT data, hash, base FROM screens WHERE id = ?")),
      get_event_(db.prepare("SELECT data FROM events WHERE id = ?")),
      get_coverage_(db.prepare("SELECT data FROM coverages WHERE id = ?")),
      get_crash_(db.prepare("SELECT data FROM crashes WHERE id = ?")),
      by_shape_(db.prepare("SELECT id, depth FROM screens WHERE shape = ? ORDER BY id DESC LIMIT 1")),
      by_activity_(db.prepare("SELECT id, depth FROM screens WHERE activity = ? ORDER BY id DESC LIMIT 1")) {}

// ---- writing ----

Result<ContentId> Contents::find(sqlite::Statement& query, std::uint64_t hash) {
  query.bind(1, as_signed(hash));
  NORN_TRY(const bool there, query.row());
  const auto id = there ? static_cast<ContentId>(query.number(0)) : ContentId{0};
  query.reset();
  return id;
}

Result<ContentId> Contents::put(sqlite::Statement& query, sqlite::Statement& insert, std::string_view bytes,
                                std::uint64_t hash) {
  NORN_TRY(const ContentId known, find(query, hash));
  if (known != 0) return known;
  NORN_CHECK(insert.bind(1, as_signed(hash)).blob(2, bytes).run());
  return static_cast<ContentId>(db_.last_id());
}

Result<ContentId> Contents::put_event(std::string_view encoded) {
  return put(find_event_, add_event_, encoded, hash_bytes(encoded));
}
Result<ContentId> Contents::put_crash(std::string_view encoded) {
  return put(find_crash_, add_crash_, encoded, hash_bytes(encoded));
}
Result<ContentId> Contents::put_coverage(const Coverage& hit) {
  const std::string bytes = hit.serialise();
  return put(find_coverage_, add_coverage_, bytes, hash_bytes(bytes));
}

Result<ContentId> Contents::latest_like(std::uint64_t shape, std::uint64_t activity, std::int64_t& depth) {
  for (sqlite::Statement* query : {&by_shape_, &by_activity_}) {
    query->bind(1, as_signed(query == &by_shape_ ? shape : activity));
    NORN_TRY(const bool there, query->row());
    if (!there) continue;
    const auto id = static_cast<ContentId>(query->number(0));
    depth = query->number(1) + 1;
    query->reset();
    return id;
  }
  return ContentId{0};
}

Result<ContentId> Contents::put_screen(const Screen& screen, std::string_view packed, std::uint64_t hash) {
  NORN_TRY(const ContentId known, find(find_screen_, hash));
  if (known != 0) return known;
  const std::uint64_t shape = abstract(screen, Abstraction::resource_ids).value;
  const std::uint64_t activity = abstract(screen, Abstraction::activity).value;
  std::int64_t depth = 0, base = alone;
  NORN_TRY(const ContentId like, latest_like(shape, activity, depth));
  std::string data;
  if (like != 0 && depth <= longest_chain) {
    NORN_TRY(const StoredScreen before, this->screen(like));
    data = zstd_.pack(packed, before.packed);
    base = like;
  } else {
    depth = 0;
    NORN_TRY(const std::string_view dictionary, this->dictionary());
    base = dictionary.empty() ? alone : with_dictionary;
    data = zstd_.pack(packed, dictionary);
  }
  NORN_CHECK(add_screen_.bind(1, as_signed(hash))
                 .bind(2, as_signed(shape))
                 .bind(3, as_signed(activity))
                 .bind(4, base)
                 .bind(5, depth)
                 .blob(6, data)
                 .run());
  const auto id = static_cast<ContentId>(db_.last_id());
  remember(id, {std::string(packed), hash});
  ++screens_since_training_try_;
  return id;
}

Status Contents::maybe_train() {
  if (screens_since_training_try_ < enough_to_train) return {};
  screens_since_training_try_ = 0;
  NORN_TRY(const std::string_view known, dictionary());
  if (!known.empty()) return {};
  std::vector<std::string> samples;
  for (const auto& [id, screen] : recent_) samples.push_back(screen.packed);
  const std::string made = train_dictionary(samples, dictionary_size);
  if (made.empty()) return {};
  NORN_CHECK(db_.prepare("INSERT INTO dictionaries(id, data) VALUES (1, ?)").blob(1, made).run());
  dictionary_ = made;
  return {};
}

void Contents::forget() {
  recent_.clear();
  dictionary_known_ = false;
}

// ---- reading ----

Result<std::string_view> Contents::dictionary() {
  if (!dictionary_known_) {
    sqlite::Statement query = db_.prepare("SELECT data FROM dictionaries WHERE id = 1");
    NORN_TRY(const bool there, query.row());
    dictionary_ = there ? query.string(0) : std::string();
    dictionary_known_ = true;
  }
  return std::string_view(dictionary_);
}

Result<std::string> Contents::fetch(sqlite::Statement& get, ContentId id, const char* what) {
  get.bind(1, std::int64_t{id});
  NORN_TRY(const bool there, get.row());
  if (!there) return missing(db_.file(), what, id);
  std::string bytes = get.string(0);
  get.reset();
  return bytes;
}

/// The row as it is stored, its data still compressed.
Result<Contents::Row> Contents::raw_screen(ContentId id) {
  get_screen_.bind(1, std::int64_t{id});
  NORN_TRY(const bool there, get_screen_.row());
  if (!there) return missing(db_.file(), "screen", id);
  Row row{{get_screen_.string(0), static_cast<std::uint64_t>(get_screen_.number(1))}, get_screen_.number(2)};
  get_screen_.reset();
  return row;
}

Result<Contents::StoredScreen> Contents::screen(ContentId id) {
  // Down the chain of bases to one that is known or stands alone, then up again.
  std::vector<std::pair<ContentId, Row>> chain;
  std::string packed;
  for (std::int64_t at = id;;) {
    if (const auto known = recent_.find(static_cast<ContentId>(at)); known != recent_.end()) {
      if (chain.empty()) return known->second;
      packed = known->second.packed;
      break;
    }
    NORN_TRY(Row row, raw_screen(static_cast<ContentId>(at)));
    const std::int64_t base = row.base;
    chain.emplace_back(static_cast<ContentId>(at), std::move(row));
    if (chain.size() > longest_chain + 1) return missing(db_.file(), "the base of screen", id);
    at = base;
    if (base > 0) continue;
    if (base == with_dictionary) {
      NORN_TRY(packed, dictionary());
    }
    break;
  }
  for (; !chain.empty(); chain.pop_back()) {
    auto& [number, row] = chain.back();
    NORN_TRY(row.screen.packed, zstd_.unpack(row.screen.packed, packed));
    packed = row.screen.packed;
    remember(number, row.screen);
  }
  return StoredScreen{packed, recent_.at(id).hash};
}

void Contents::remember(ContentId id, const StoredScreen& screen) {
  if (recent_.size() >= most_recent) recent_.clear();
  recent_.insert_or_assign(id, screen);
}

}  // namespace norn
