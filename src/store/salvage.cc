// What can be read of a damaged store, copied into a new one.
//
// Rows are read one after another; where SQLite stops at a damaged page, reading goes on a little further, in
// strides that double, until rows come again. A step whose contents or whose parent are lost is left out, and
// with it all that grew from it: the trees shrink, they never lie. Nodes are numbered anew, and traces and
// crashes are carried over to the new numbers, or dropped with their nodes.
#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "store/parts.h"
#include "store/schema.h"
#include "store/store.h"
#include "trace/codec.h"

namespace norn {
namespace {

/// A store that SQLite will read: the damaged one or, where its end is missing, a copy with noughts in the
/// place of that, beside the new store for as long as this lives.
class Lengthened {
 public:
  static Result<Lengthened> of(const std::filesystem::path& damaged, const std::filesystem::path& fresh) {
    Lengthened out;
    out.path_ = damaged;
    NORN_TRY(const auto missing, missing_bytes(damaged));
    if (missing == 0) return out;
    std::error_code failed;
    out.path_ = out.copy_ = fresh.string() + ".lengthened";
    std::filesystem::copy_file(damaged, out.copy_, std::filesystem::copy_options::overwrite_existing, failed);
    if (!failed)
      std::filesystem::resize_file(out.copy_, std::filesystem::file_size(damaged) + missing, failed);
    if (failed) return fail(Error::Kind::io, "cannot be written: " + failed.message(), out.copy_.string());
    return out;
  }
  Lengthened(Lengthened&& other) noexcept
      : path_(std::move(other.path_)), copy_(std::exchange(other.copy_, std::filesystem::path())) {}
  ~Lengthened() {
    std::error_code ignored;
    for (const char* ending : {"", "-wal", "-shm"})
      if (!copy_.empty()) std::filesystem::remove(copy_.string() + ending, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  Lengthened() = default;
  std::filesystem::path path_, copy_;
};

using Renumbered = std::unordered_map<std::uint32_t, NodeId>;

/// A row of the log of steps, if it is one that was written there.
std::optional<StepRecord> step_of(const sqlite::Statement& row) {
  return decode_step(row.bytes(1), static_cast<std::uint64_t>(row.number(0)));
}

/// Calls `take` for every step of `app` that can be read.
template <class Take>
void each_step(const sqlite::Database& db, AppId app, Take take) {
  constexpr std::int64_t widest = std::int64_t{1} << 32;
  std::int64_t next = 1, stride = 1;
  while (stride < widest) {
    sqlite::Statement rows =
        db.prepare("SELECT seq, data FROM steps WHERE app = ? AND seq >= ? ORDER BY seq");
    rows.bind(1, std::int64_t{app.value}).bind(2, next + stride - 1);
    for (;;) {
      const Result<bool> more = rows.row();
      if (!more) break;
      if (!*more) return;
      const auto step = step_of(rows);
      if (!step || rows.number(0) < next) continue;
      take(*step);
      next = rows.number(0) + 1;
      stride = 1;
    }
    stride *= 2;
  }
}

/// How many steps of `app` there were: they are numbered from 1 on. Nothing where the last cannot be read.
std::optional<std::uint64_t> steps_there_were(const sqlite::Database& db, AppId app) {
  sqlite::Statement last = db.prepare("SELECT seq, data FROM steps WHERE app = ? ORDER BY seq DESC LIMIT 1");
  const Result<bool> there = last.bind(1, std::int64_t{app.value}).row();
  if (!there) return std::nullopt;
  if (!*there) return 0;
  return step_of(last) ? std::optional(static_cast<std::uint64_t>(last.number(0))) : std::nullopt;
}

/// A row of any table but steps: those that cannot be read end the copying of that table.
template <class Info, class Take>
Status each(Result<std::vector<Info>> rows, Take take) {
  if (!rows) return {};
  for (const Info& row : *rows) NORN_CHECK(take(row));
  return {};
}

template <class Value>
Result<Value> decoded(const Result<std::string>& bytes, Result<Value> (*decode)(std::string_view)) {
  if (!bytes) return std::unexpected(bytes.error());
  return decode(*bytes);
}

class Rescue {
 public:
  Rescue(sqlite::Database& from, Store& old, Store& fresh)
      : from_(from), contents_(from), old_(old), fresh_(fresh) {}

  Result<Salvaged> all() {
    NORN_CHECK(fresh_.begin_batch());
    const Result<std::vector<AppId>> apps = old_.apps();
    if (!apps) done_.steps_lost.reset();
    NORN_CHECK(each(apps, [&](AppId app) { return take_app(app); }));
    NORN_CHECK(each(old_.runs(), [&](const RunInfo& run) { return take_run(run); }));
    NORN_CHECK(each(apps, [&](AppId app) { return take_steps(app); }));
    NORN_CHECK(take_records());
    NORN_CHECK(fresh_.flush());
    return done_;
  }

 private:
  Status take_run(const RunInfo& run) {
    NORN_TRY(const RunId id, fresh_.begin_run(renumbered(run.app), run.command, run.made_by));
    runs_[run.id] = id;
    ++done_.runs;
    return run.finished ? fresh_.finish_run(id, run.effort, run.outcome) : Status{};
  }

  Status take_app(AppId app) {
    const Result<MemoryKey> key = old_.key(app);
    if (!key) return {};
    NORN_TRY(apps_[app], fresh_.app(*key));
    ++done_.apps;
    return {};
  }

  Status take_steps(AppId app) {
    std::uint64_t taken = 0;
    if (const AppId made = renumbered(app)) {
      NORN_TRY(trees_[app], fresh_.load(made));
      Status stored;
      each_step(from_, app, [&](const StepRecord& step) {
        if (!stored) return;
        const Result<bool> kept = take_step(step, made, *trees_[app], nodes_[app]);
        if (!kept) stored = std::unexpected(kept.error());
        taken += kept.value_or(false) ? 1 : 0;
      });
      NORN_CHECK(stored);
    }
    lose(steps_there_were(from_, app), taken);
    return {};
  }

  void lose(std::optional<std::uint64_t> there_were, std::uint64_t taken) {
    done_.steps += taken;
    if (!there_were) done_.steps_lost.reset();
    if (done_.steps_lost) *done_.steps_lost += *there_were - std::min(*there_were, taken);
  }

  /// False: it cannot be kept. An error: the new file cannot be written.
  Result<bool> take_step(const StepRecord& step, AppId app, History& tree, Renumbered& nodes) {
    const std::optional<Sample> sample = read_sample(step, tree);
    if (!sample) return false;
    const Heat heat = step.warm ? Heat::warm : Heat::cold;
    Appended made;
    if (step.node == 0) {
      made = tree.append_root(*sample, heat);
    } else {
      const auto place = nodes.find(step.parent.value_or(step.node));
      const auto event = decoded(contents_.event(step.event), decode_event);
      if (place == nodes.end() || !event) return false;
      const NodeId parent = step.parent ? place->second : tree.parent(place->second);
      made = tree.append(parent, tree.put_event(*event), *sample, heat);
    }
    nodes.try_emplace(step.node, made.node);
    const auto run = runs_.find(RunId{step.run});
    NORN_CHECK(fresh_.append(app, run == runs_.end() ? RunId{} : run->second, tree, made,
                             static_cast<double>(step.at_ms) / 1000));
    return true;
  }

  std::optional<Sample> read_sample(const StepRecord& step, History& tree) {
    Sample sample;
    if (step.screen != 0) {
      const auto stored = contents_.screen(step.screen);
      if (!stored) return std::nullopt;
      const auto screen = decode_screen(stored->packed);
      if (!screen) return std::nullopt;
      sample.screen = tree.put_screen(*screen);
    }
    if (step.hit != 0) {
      const auto hit = decoded(contents_.coverage(step.hit), Coverage::parse);
      if (!hit) return std::nullopt;
      sample.hit = tree.put_coverage(*hit);
    }
    if (step.crash != 0) {
      const auto crash = decoded(contents_.crash(step.crash), decode_crash);
      if (!crash) return std::nullopt;
      sample.crash = tree.put_crash(*crash);
    }
    return sample;
  }

  Status take_records() {
    NORN_CHECK(each(old_.traces(), [&](const TraceInfo& t) -> Status {
      const NodeId node = renumbered(t.app, t.node);
      if (!node) return {};
      NORN_TRY(traces_[t.id], fresh_.add_trace(apps_[t.app], runs_[t.run], node, t.events, t.origin));
      ++done_.traces;
      return {};
    }));
    NORN_CHECK(each(old_.crashes(), [&](const FoundInfo& c) -> Status {
      const NodeId node = renumbered(c.app, c.node);
      if (!node || !trees_[c.app]->crash(node)) return {};
      ++done_.found;
      NORN_CHECK(fresh_.add_crash(apps_[c.app], runs_[c.run], *trees_[c.app], node, c.device_seconds));
      return {};
    }));
    NORN_CHECK(each(old_.suites(), [&](const SuiteInfo& s) -> Status {
      if (!apps_.contains(s.app)) return {};
      std::vector<TraceId> kept;
      for (const TraceId t : s.traces)
        if (traces_.contains(t)) kept.push_back(traces_[t]);
      ++done_.suites;
      NORN_CHECK(fresh_.add_suite(apps_[s.app], runs_[s.run], s.name, kept));
      return {};
    }));
    for (const auto& [old, made] : std::map(runs_))
      NORN_CHECK(each(old_.results(old), [&, id = made](const ResultInfo& r) -> Status {
        ++done_.results;
        NORN_CHECK(fresh_.add_result(id, r.kind, r.json));
        return {};
      }));
    return {};
  }

  /// No app: it could not be read.
  AppId renumbered(AppId app) const {
    const auto it = apps_.find(app);
    return it == apps_.end() ? AppId{} : it->second;
  }
  NodeId renumbered(AppId app, NodeId node) {
    const auto it = nodes_[app].find(node.value);
    return it == nodes_[app].end() ? NodeId{} : it->second;
  }

  sqlite::Database& from_;
  Contents contents_;
  Store &old_, &fresh_;
  Salvaged done_;
  std::map<RunId, RunId> runs_{{RunId{}, RunId{}}};
  std::map<AppId, AppId> apps_;
  std::map<TraceId, TraceId> traces_;
  std::map<AppId, Renumbered> nodes_;
  std::map<AppId, std::unique_ptr<History>> trees_;
};

}  // namespace

Result<Salvaged> Store::salvage(const std::filesystem::path& damaged, const std::filesystem::path& fresh) {
  if (std::filesystem::exists(fresh))
    return fail(Error::Kind::bad_input, "is there already", fresh.string(), "name a new file");
  const auto copied = [&]() -> Result<Salvaged> {
    NORN_TRY(const Lengthened whole, Lengthened::of(damaged, fresh));
    NORN_TRY(sqlite::Database from, sqlite::Database::open(whole.path(), sqlite::Database::Mode::read));
    NORN_TRY(sqlite::Database again, sqlite::Database::open(whole.path(), sqlite::Database::Mode::read));
    Store old(std::make_unique<Parts>(std::move(again), Access::read));
    NORN_TRY(const std::unique_ptr<Store> out, open(fresh, Access::write, "salvage"));
    return Rescue(from, old, *out).all();
  };
  Result<Salvaged> done = copied();
  if (!done && done.error().advice == advice_if_damaged)
    done.error().advice = "nothing of it can be read: put back a copy of it, or begin a new store";
  return done;
}

}  // namespace norn
