// Opening, and the trees: how steps get into the file and back into memory.
//
// The table `steps` is a log, one row a step, in the order they were executed. Loading an app plays it back:
// node ids are the order in which nodes were made, so they are the same in every process. Nothing is ever
// updated in place, so a step costs one short row and one page of the write-ahead log.
#include "store/store.h"

#include <fmt/core.h>

#include <chrono>
#include <cmath>

#include "store/parts.h"
#include "store/schema.h"
#include "trace/bytes.h"
#include "trace/codec.h"

namespace norn {

std::int64_t unix_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Store::Store(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Store::~Store() {
  if (parts_->batch) (void)commit();
}

// ---- opening ----

namespace {

Status configure(const sqlite::Database& db) {
  NORN_CHECK(db.run("PRAGMA journal_mode = WAL"));
  NORN_CHECK(db.run("PRAGMA synchronous = NORMAL"));
  NORN_CHECK(db.run("PRAGMA wal_autocheckpoint = 4000"));
  NORN_CHECK(db.run("PRAGMA journal_size_limit = 33554432"));
  return db.run("PRAGMA cache_size = -16000");
}

Result<sqlite::Database> open_to_write(const std::filesystem::path& path) {
  NORN_TRY(sqlite::Database db, sqlite::Database::open(path, sqlite::Database::Mode::create));
  NORN_TRY(const FileState state, inspect(db));
  NORN_CHECK(configure(db));
  if (state.version < schema_version) NORN_CHECK(upgrade(db));
  return db;
}

Result<sqlite::Database> open_to_read(const std::filesystem::path& path) {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    return fail(Error::Kind::not_found, "there is no such store", path.string(),
                "commands that run something make it; name another with --store");
  NORN_TRY(sqlite::Database db, sqlite::Database::open(path, sqlite::Database::Mode::read));
  NORN_TRY(const FileState state, inspect(db));
  if (state.fresh || state.version < schema_version)
    return fail(Error::Kind::unsupported, "was written by an older norn, or is empty", path.string(),
                "run any command that writes to it once: that upgrades it");
  return db;
}

}  // namespace

Result<std::unique_ptr<Store>> Store::open(const std::filesystem::path& path, Access access,
                                           const std::string& command) {
  std::error_code unknown;
  if (const auto kind = std::filesystem::status(path, unknown);
      std::filesystem::exists(kind) && !std::filesystem::is_regular_file(kind))
    return fail(Error::Kind::bad_input, "is no file that can be a store", path.string(),
                "name another with --store");
  std::optional<WriterLock> lock;
  if (access == Access::write) {
    NORN_TRY(lock, WriterLock::take(path, command));
  }
  NORN_CHECK(inspect_header(path));
  NORN_TRY(sqlite::Database db, access == Access::write ? open_to_write(path) : open_to_read(path));
  auto parts = std::make_unique<Parts>(std::move(db), access);
  parts->lock = std::move(lock);
  parts->begin = parts->db.prepare("BEGIN IMMEDIATE");
  parts->commit = parts->db.prepare("COMMIT");
  parts->rollback = parts->db.prepare("ROLLBACK");
  parts->add_step = parts->db.prepare("INSERT INTO steps(app, seq, data) VALUES (?, ?, ?)");
  return std::unique_ptr<Store>(new Store(std::move(parts)));
}

Status Store::Parts::writable() const {
  if (failed) return std::unexpected(*failed);
  if (access == Access::read) return fail(Error::Kind::io, "was opened for reading only", db.file(), "");
  return {};
}

// ---- apps ----

Result<MemoryKey> read_key(const sqlite::Statement& row, int at) {
  MemoryKey key;
  key.app.name = row.string(at);
  key.app.version = row.string(at + 1);
  key.app.options = row.string(at + 2);
  NORN_TRY(key.app.setup, decode_events(row.bytes(at + 3)));
  key.device_kind = row.string(at + 4);
  key.width = static_cast<std::int32_t>(row.number(at + 5));
  key.height = static_cast<std::int32_t>(row.number(at + 6));
  key.locale = row.string(at + 7);
  return key;
}

Result<std::optional<AppId>> Store::find_app(const MemoryKey& key) {
  sqlite::Statement query = parts_->db.prepare("SELECT id FROM apps WHERE identity = ?");
  query.bind(1, static_cast<std::int64_t>(identity(key)));
  NORN_TRY(const bool there, query.row());
  return there ? std::optional(app_id(query.number(0))) : std::nullopt;
}

Result<AppId> Store::app(const MemoryKey& key) {
  NORN_TRY(const std::optional<AppId> known, find_app(key));
  if (known) return *known;
  const std::string setup = encode(key.app.setup);
  sqlite::Statement add = parts_->db.prepare(
      "INSERT INTO apps(identity, name, version, options, setup, device_kind, width, height, locale) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  add.bind(1, static_cast<std::int64_t>(identity(key))).text(2, key.app.name).text(3, key.app.version);
  add.text(4, key.app.options).blob(5, setup).text(6, key.device_kind);
  add.bind(7, std::int64_t{key.width}).bind(8, std::int64_t{key.height}).text(9, key.locale);
  NORN_CHECK(parts_->transact([&] { return add.run(); }));
  return app_id(parts_->db.last_id());
}

Result<MemoryKey> Store::key(AppId app) {
  sqlite::Statement query = parts_->db.prepare(
      "SELECT name, version, options, setup, device_kind, width, height, locale FROM apps WHERE id = ?");
  query.bind(1, std::int64_t{app.value});
  NORN_TRY(const bool there, query.row());
  if (!there)
    return fail(Error::Kind::not_found, fmt::format("there is no app {}", app.value), parts_->db.file());
  return read_key(query, 0);
}

Result<std::vector<AppId>> Store::apps() {
  std::vector<AppId> out;
  sqlite::Statement query = parts_->db.prepare("SELECT id FROM apps ORDER BY id");
  for (;;) {
    NORN_TRY(const bool more, query.row());
    if (!more) return out;
    out.push_back(app_id(query.number(0)));
  }
}

// ---- masks ----

std::string encode_places(const Mask& mask) {
  ByteWriter out;
  for (const std::uint64_t place : mask.places) out.fixed64(place);
  return std::move(out).bytes();
}

Result<Mask> load_mask(const sqlite::Database& db, AppId app) {
  Mask mask;
  sqlite::Statement query = db.prepare("SELECT version, places FROM masks WHERE app = ?");
  query.bind(1, std::int64_t{app.value});
  NORN_TRY(const bool there, query.row());
  if (!there) return mask;
  mask.version = static_cast<std::uint32_t>(query.number(0));
  ByteReader in(query.bytes(1));
  while (in.left() >= 8) mask.places.insert(in.fixed64());
  return mask;
}

// ---- loading ----

namespace {

/// Plays an app's log back into a tree, fetching each content when it is first mentioned.
class Loader {
 public:
  Loader(Contents& contents, const std::string& file) : contents_(contents), file_(file) {}

  Status apply(const StepRecord& step, History& history, Loaded& app) {
    Sample sample;
    NORN_TRY(sample.screen, screen(step.screen, history, app));
    NORN_TRY(sample.hit, coverage(step.hit, history, app));
    NORN_TRY(sample.crash, crash(step.crash, history, app));
    NORN_TRY(const EventId event, this->event(step.event, history, app));
    sample.count = 1;
    if (step.node == 0) {
      if (history.counts(history.root()).all() == 0) history.put_node({}, {}, sample);
    } else if (step.parent) {
      if (step.node != history.size() || *step.parent >= step.node || !event) return damaged();
      history.put_node(NodeId{*step.parent}, event, sample);
    } else if (step.node >= history.size()) {
      return damaged();
    }
    history.put_sample(NodeId{step.node}, sample, step.warm ? Counts{0, 1} : Counts{1, 0});
    return {};
  }

 private:
  template <class IdType>
  using Seen = std::unordered_map<ContentId, IdType>;

  Status damaged() const {
    return fail(Error::Kind::bad_input, "is damaged: its steps do not fit together", file_,
                advice_if_damaged);
  }
  template <class IdType>
  static void note(std::vector<ContentId>& numbers, IdType id, ContentId number) {
    if (numbers.size() <= id.value) numbers.resize(id.value + 1, 0);
    numbers[id.value] = number;
  }

  Result<ScreenId> screen(ContentId number, History& history, Loaded& app) {
    if (number == 0) return ScreenId{};
    if (const auto known = screens_.find(number); known != screens_.end()) return known->second;
    NORN_TRY(Contents::StoredScreen stored, contents_.screen(number));
    NORN_TRY(const ScreenId id, history.put_packed_screen(std::move(stored.packed), stored.hash));
    note(app.screens, id, number);
    return screens_[number] = id;
  }
  Result<EventId> event(ContentId number, History& history, Loaded& app) {
    if (number == 0) return EventId{};
    if (const auto known = events_.find(number); known != events_.end()) return known->second;
    NORN_TRY(const std::string bytes, contents_.event(number));
    NORN_TRY(const Event value, decode_event(bytes));
    const EventId id = history.put_event(value);
    note(app.events, id, number);
    return events_[number] = id;
  }
  Result<CoverageId> coverage(ContentId number, History& history, Loaded& app) {
    if (number == 0) return CoverageId{};
    if (const auto known = coverages_.find(number); known != coverages_.end()) return known->second;
    NORN_TRY(const std::string bytes, contents_.coverage(number));
    NORN_TRY(const Coverage value, Coverage::parse(bytes));
    const CoverageId id = history.put_coverage(value);
    note(app.coverages, id, number);
    return coverages_[number] = id;
  }
  Result<CrashId> crash(ContentId number, History& history, Loaded& app) {
    if (number == 0) return CrashId{};
    if (const auto known = crashes_.find(number); known != crashes_.end()) return known->second;
    NORN_TRY(const std::string bytes, contents_.crash(number));
    NORN_TRY(const Crash value, decode_crash(bytes));
    const CrashId id = history.put_crash(value);
    note(app.crashes, id, number);
    return crashes_[number] = id;
  }

  Contents& contents_;
  std::string file_;
  Seen<ScreenId> screens_;
  Seen<EventId> events_;
  Seen<CoverageId> coverages_;
  Seen<CrashId> crashes_;
};

}  // namespace

Result<std::unique_ptr<History>> Store::load(AppId app) {
  auto history = std::make_unique<History>();
  Loaded loaded;
  NORN_CHECK(
      parts_->db.run(parts_->batch ? "SELECT 1" : "BEGIN"));  // one view of a file that others write to
  const auto read = [&]() -> Status {
    NORN_TRY(const Mask mask, load_mask(parts_->db, app));
    history->set_mask(mask);
    loaded.mask_version = mask.version;
    Loader loader(parts_->contents, parts_->db.file());
    sqlite::Statement steps = parts_->db.prepare("SELECT seq, data FROM steps WHERE app = ? ORDER BY seq");
    steps.bind(1, std::int64_t{app.value});
    for (;;) {
      NORN_TRY(const bool more, steps.row());
      if (!more) return {};
      const auto seq = static_cast<std::uint64_t>(steps.number(0));
      const auto step = decode_step(steps.bytes(1), seq);
      if (!step || seq != loaded.next_seq)
        return fail(Error::Kind::bad_input,
                    fmt::format("is damaged at step {} of app {}", loaded.next_seq, app.value),
                    parts_->db.file(), advice_if_damaged);
      NORN_CHECK(loader.apply(*step, *history, loaded));
      ++loaded.next_seq;
    }
  };
  const Status done = read();
  if (!parts_->batch) (void)parts_->db.run("ROLLBACK");
  if (!done) return std::unexpected(done.error());
  loaded.nodes = history->size();
  parts_->loaded[app] = std::move(loaded);
  return history;
}

// ---- appending ----

Result<Loaded*> Store::Parts::loaded_app(AppId app) {
  const auto it = loaded.find(app);
  if (it == loaded.end())
    return fail(Error::Kind::bad_input, "steps can be stored only for a tree that was loaded from the store",
                db.file());
  return &it->second;
}

namespace {

/// The file's number of a content in memory; `put` stores one that has none yet.
template <class IdType, class Put>
Result<ContentId> number_of(std::vector<ContentId>& numbers, IdType id, Put put) {
  if (!id) return ContentId{0};
  if (numbers.size() <= id.value) numbers.resize(id.value + 1, 0);
  if (numbers[id.value] == 0) {
    NORN_TRY(numbers[id.value], put());
  }
  return numbers[id.value];
}

}  // namespace

Result<StepRecord> Store::Parts::record_of(Loaded& app, const History& h, const Appended& done) {
  StepRecord step;
  step.node = done.node.value;
  if (done.new_node && done.node != h.root()) step.parent = h.parent(done.node).value;
  step.warm = done.heat == Heat::warm;
  const Sample& s = done.sample;
  NORN_TRY(step.event, number_of(app.events, done.event,
                                 [&] { return contents.put_event(encode(h.event(done.event))); }));
  NORN_TRY(step.screen, number_of(app.screens, s.screen, [&] {
             return contents.put_screen(h.copy_screen(s.screen), h.packed(s.screen), h.hash(s.screen));
           }));
  NORN_TRY(step.hit,
           number_of(app.coverages, s.hit, [&] { return contents.put_coverage(h.coverage(s.hit)); }));
  NORN_TRY(step.crash,
           number_of(app.crashes, s.crash, [&] { return contents.put_crash(encode(h.crash(s.crash))); }));
  return step;
}

Status Store::append(AppId app, RunId run, const History& history, const Appended& done, double at) {
  NORN_CHECK(parts_->writable());
  NORN_TRY(Loaded* const loaded, parts_->loaded_app(app));
  const bool makes = done.new_node && done.node != history.root();
  if (makes ? done.node.value != loaded->nodes : done.node.value >= loaded->nodes)
    return fail(Error::Kind::bad_input, "a step was not stored: the tree in memory is ahead of the file",
                parts_->db.file());
  const Status kept = parts_->transact([&]() -> Status {
    NORN_TRY(StepRecord step, parts_->record_of(*loaded, history, done));
    step.run = run.value;
    step.at_ms = at > 0 ? static_cast<std::uint64_t>(std::llround(at * 1000)) : 0;
    if (history.mask_version() != loaded->mask_version) {
      const Mask mask = history.mask();
      const std::string places = encode_places(mask);
      sqlite::Statement put =
          parts_->db.prepare("INSERT OR REPLACE INTO masks(app, version, places) VALUES (?, ?, ?)");
      NORN_CHECK(
          put.bind(1, std::int64_t{app.value}).bind(2, std::int64_t{mask.version}).blob(3, places).run());
      loaded->mask_version = mask.version;
    }
    NORN_CHECK(parts_->contents.maybe_train());
    const std::string bytes = encode(step, loaded->next_seq);
    return parts_->add_step.bind(1, std::int64_t{app.value})
        .bind(2, static_cast<std::int64_t>(loaded->next_seq))
        .blob(3, bytes)
        .run();
  });
  if (!kept) {
    parts_->failed = kept.error();
    return kept;
  }
  ++loaded->next_seq;
  if (makes) ++loaded->nodes;
  return {};
}

Status Store::begin_batch() {
  NORN_CHECK(parts_->writable());
  if (parts_->batch) return {};
  NORN_CHECK(parts_->begin.run());
  parts_->batch = true;
  return {};
}

Status Store::commit() {
  if (!parts_->batch) return {};
  parts_->batch = false;
  Status done = parts_->failed ? std::unexpected(*parts_->failed) : parts_->commit.run();
  if (done) return {};
  if (parts_->db.in_transaction()) (void)parts_->rollback.run();
  parts_->failed = done.error();
  return done;
}

Status Store::flush() {
  NORN_CHECK(commit());
  NORN_CHECK(parts_->writable());
  return parts_->db.run("PRAGMA wal_checkpoint(FULL)");
}

}  // namespace norn
