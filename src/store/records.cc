// What commands leave: runs, traces, crashes, suites, results. Few and small rows, written and read whole.
#include <fmt/core.h>

#include "store/parts.h"
#include "store/step_record.h"
#include "store/store.h"
#include "trace/bytes.h"

namespace norn {
namespace {

std::string encode_options(const std::map<std::string, std::string>& options) {
  ByteWriter out;
  for (const auto& [name, value] : options) {
    out.text(name);
    out.text(value);
  }
  return std::move(out).bytes();
}
std::map<std::string, std::string> decode_options(std::string_view bytes) {
  std::map<std::string, std::string> options;
  ByteReader in(bytes);
  while (in.left() > 0) {
    std::string name(in.text());
    options.insert_or_assign(std::move(name), std::string(in.text()));
  }
  return options;
}

constexpr std::uint64_t Effort::* counters[] = {
    &Effort::runs,           &Effort::events,      &Effort::restarts,  &Effort::snapshot_saves,
    &Effort::snapshot_loads, &Effort::from_memory, &Effort::unresolved};
constexpr double Effort::* seconds[] = {&Effort::device_seconds, &Effort::makespan_seconds,
                                        &Effort::wall_seconds};

std::string encode_effort(const Effort& effort) {
  ByteWriter out;
  for (const auto field : counters) out.number(effort.*field);
  for (const auto field : seconds) out.fixed64(std::bit_cast<std::uint64_t>(effort.*field));
  return std::move(out).bytes();
}
Effort decode_effort(std::string_view bytes) {
  Effort effort;
  ByteReader in(bytes);
  for (const auto field : counters) effort.*field = in.number();
  for (const auto field : seconds) effort.*field = std::bit_cast<double>(in.fixed64());
  return effort;
}

std::string encode_traces(const std::vector<TraceId>& traces) {
  ByteWriter out;
  for (const TraceId trace : traces) out.number(trace.value);
  return std::move(out).bytes();
}

constexpr auto run_columns =
    "SELECT id, app, command, norn_version, app_name, app_hash, device, options, started, finished, outcome, "
    "effort FROM runs";
RunInfo read_run(const sqlite::Statement& row) {
  RunInfo r;
  r.id = id_at<RunId>(row, 0);
  r.app = id_at<AppId>(row, 1);
  r.command = row.string(2);
  r.made_by = {row.string(3), row.string(4), row.string(5), row.string(6), decode_options(row.bytes(7))};
  r.started = row.number(8);
  if (!row.is_null(9)) r.finished = row.number(9);
  r.outcome = row.string(10);
  if (!row.is_null(11)) r.effort = decode_effort(row.bytes(11));
  return r;
}

constexpr auto trace_columns = "SELECT id, app, node, run, origin, events, made FROM traces";
TraceInfo read_trace(const sqlite::Statement& row) {
  return {.id = id_at<TraceId>(row, 0),
          .app = id_at<AppId>(row, 1),
          .node = id_at<NodeId>(row, 2),
          .run = id_at<RunId>(row, 3),
          .origin = row.string(4),
          .events = static_cast<std::uint32_t>(row.number(5)),
          .made = row.number(6)};
}

constexpr auto found_columns =
    "SELECT id, app, node, shortest, run, signature, headline, device_seconds, made FROM found";
FoundInfo read_found(const sqlite::Statement& row) {
  return {.id = id_at<FoundId>(row, 0),
          .app = id_at<AppId>(row, 1),
          .node = id_at<NodeId>(row, 2),
          .shortest = id_at<NodeId>(row, 3),
          .run = id_at<RunId>(row, 4),
          .signature = static_cast<std::uint64_t>(row.number(5)),
          .headline = row.string(6),
          .device_seconds = row.real(7),
          .made = row.number(8)};
}

constexpr auto suite_columns = "SELECT id, app, run, name, traces, made FROM suites";
SuiteInfo read_suite(const sqlite::Statement& row) {
  SuiteInfo s{.id = id_at<SuiteId>(row, 0),
              .app = id_at<AppId>(row, 1),
              .run = id_at<RunId>(row, 2),
              .name = row.string(3),
              .traces = {},
              .made = row.number(5)};
  ByteReader in(row.bytes(4));
  while (in.left() > 0) s.traces.push_back(TraceId{static_cast<std::uint32_t>(in.number())});
  return s;
}

constexpr auto result_columns = "SELECT id, run, kind, json, made FROM results";
ResultInfo read_result(const sqlite::Statement& row) {
  return {id_at<ResultId>(row, 0), id_at<RunId>(row, 1), row.string(2), row.string(3), row.number(4)};
}

template <class Info>
Result<std::vector<Info>> all(sqlite::Statement query, Info (*read)(const sqlite::Statement&)) {
  std::vector<Info> out;
  for (;;) {
    NORN_TRY(const bool more, query.row());
    if (!more) return out;
    out.push_back(read(query));
  }
}

template <class Info>
Result<Info> one(const sqlite::Database& db, const char* columns, Info (*read)(const sqlite::Statement&),
                 std::uint32_t id, char letter, const char* what) {
  sqlite::Statement query = db.prepare(fmt::format("{} WHERE id = ?", columns));
  query.bind(1, std::int64_t{id});
  NORN_TRY(const bool there, query.row());
  if (!there)
    return fail(Error::Kind::not_found, fmt::format("there is no {} {}{}", what, letter, id), db.file(),
                "`norn runs` lists what there is");
  return read(query);
}

}  // namespace

// ---- writing ----

Result<RunId> Store::begin_run(AppId app, const std::string& command, const MadeBy& made_by) {
  const std::string options = encode_options(made_by.options);
  sqlite::Statement add = parts_->db.prepare(
      "INSERT INTO runs(app, command, started, norn_version, app_name, app_hash, device, options) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  bind_id(add, 1, app);
  add.text(2, command).bind(3, unix_now()).text(4, made_by.norn_version).text(5, made_by.app);
  add.text(6, made_by.app_hash).text(7, made_by.device).blob(8, options);
  NORN_CHECK(parts_->transact([&] { return add.run(); }));
  return RunId{static_cast<std::uint32_t>(parts_->db.last_id())};
}

Status Store::finish_run(RunId run, const Effort& effort, const std::string& outcome) {
  const std::string bytes = encode_effort(effort);
  sqlite::Statement set =
      parts_->db.prepare("UPDATE runs SET finished = ?, outcome = ?, effort = ? WHERE id = ?");
  set.bind(1, unix_now()).text(2, outcome).blob(3, bytes).bind(4, std::int64_t{run.value});
  return parts_->transact([&] { return set.run(); });
}

Result<TraceId> Store::add_trace(AppId app, RunId run, NodeId node, std::uint32_t events,
                                 const std::string& origin) {
  sqlite::Statement add = parts_->db.prepare(
      "INSERT INTO traces(app, node, run, origin, events, made) VALUES (?, ?, ?, ?, ?, ?)");
  add.bind(1, std::int64_t{app.value}).bind(2, std::int64_t{node.value});
  bind_id(add, 3, run);
  add.text(4, origin).bind(5, std::int64_t{events}).bind(6, unix_now());
  NORN_CHECK(parts_->transact([&] { return add.run(); }));
  return TraceId{static_cast<std::uint32_t>(parts_->db.last_id())};
}

Result<FoundId> Store::add_crash(AppId app, RunId run, const History& history, NodeId node,
                                 double device_seconds) {
  const Crash* crash = history.crash(node);
  if (!crash) return fail(Error::Kind::bad_input, fmt::format("no crash ends at node {}", node.value));
  const auto sign = static_cast<std::int64_t>(signature(*crash, Sameness::frames));
  sqlite::Statement find =
      parts_->db.prepare("SELECT id, shortest FROM found WHERE app = ? AND signature = ?");
  find.bind(1, std::int64_t{app.value}).bind(2, sign);
  NORN_TRY(const bool known, find.row());
  if (known) {
    const auto id = id_at<FoundId>(find, 0);
    const auto shortest = id_at<NodeId>(find, 1);
    find.reset();
    if (history.contains(shortest) && history.depth(node) >= history.depth(shortest)) return id;
    sqlite::Statement set = parts_->db.prepare("UPDATE found SET shortest = ? WHERE id = ?");
    set.bind(1, std::int64_t{node.value}).bind(2, std::int64_t{id.value});
    NORN_CHECK(parts_->transact([&] { return set.run(); }));
    return id;
  }
  sqlite::Statement add = parts_->db.prepare(
      "INSERT INTO found(app, signature, node, shortest, run, headline, device_seconds, made) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  add.bind(1, std::int64_t{app.value}).bind(2, sign);
  add.bind(3, std::int64_t{node.value}).bind(4, std::int64_t{node.value});
  bind_id(add, 5, run);
  add.text(6, headline(*crash)).bind(7, device_seconds).bind(8, unix_now());
  NORN_CHECK(parts_->transact([&] { return add.run(); }));
  return FoundId{static_cast<std::uint32_t>(parts_->db.last_id())};
}

Result<SuiteId> Store::add_suite(AppId app, RunId run, const std::string& name,
                                 const std::vector<TraceId>& traces) {
  const std::string bytes = encode_traces(traces);
  sqlite::Statement add =
      parts_->db.prepare("INSERT INTO suites(app, run, name, traces, made) VALUES (?, ?, ?, ?, ?)");
  add.bind(1, std::int64_t{app.value});
  bind_id(add, 2, run);
  add.text(3, name).blob(4, bytes).bind(5, unix_now());
  NORN_CHECK(parts_->transact([&] { return add.run(); }));
  return SuiteId{static_cast<std::uint32_t>(parts_->db.last_id())};
}

Result<ResultId> Store::add_result(RunId run, const std::string& kind, const std::string& json) {
  sqlite::Statement add =
      parts_->db.prepare("INSERT INTO results(run, kind, json, made) VALUES (?, ?, ?, ?)");
  bind_id(add, 1, run);
  add.text(2, kind).text(3, json).bind(4, unix_now());
  NORN_CHECK(parts_->transact([&] { return add.run(); }));
  return ResultId{static_cast<std::uint32_t>(parts_->db.last_id())};
}

// ---- reading ----

Result<std::vector<RunInfo>> Store::runs() {
  return all(parts_->db.prepare(fmt::format("{} ORDER BY id", run_columns)), read_run);
}
Result<std::vector<TraceInfo>> Store::traces() {
  return all(parts_->db.prepare(fmt::format("{} ORDER BY id", trace_columns)), read_trace);
}
Result<std::vector<FoundInfo>> Store::crashes() {
  return all(parts_->db.prepare(fmt::format("{} ORDER BY id", found_columns)), read_found);
}
Result<std::vector<SuiteInfo>> Store::suites() {
  return all(parts_->db.prepare(fmt::format("{} ORDER BY id", suite_columns)), read_suite);
}
Result<std::vector<ResultInfo>> Store::results(RunId run) {
  sqlite::Statement query = parts_->db.prepare(fmt::format("{} WHERE run IS ? ORDER BY id", result_columns));
  bind_id(query, 1, run);
  return all(std::move(query), read_result);
}

Result<RunSteps> Store::run_steps(const RunInfo& run) {
  RunSteps out;
  sqlite::Statement steps = parts_->db.prepare("SELECT seq, data FROM steps WHERE app = ? ORDER BY seq");
  steps.bind(1, std::int64_t{run.app.value});
  for (;;) {
    NORN_TRY(const bool more, steps.row());
    if (!more) return out;
    const auto step = decode_step(steps.bytes(1), static_cast<std::uint64_t>(steps.number(0)));
    if (!step || step->run != run.id.value) continue;
    ++out.steps;
    out.device_seconds = static_cast<double>(step->at_ms) / 1000;
  }
}

Result<RunInfo> Store::run(RunId id) { return one(parts_->db, run_columns, read_run, id.value, 'r', "run"); }
Result<TraceInfo> Store::trace(TraceId id) {
  return one(parts_->db, trace_columns, read_trace, id.value, 't', "trace");
}
Result<FoundInfo> Store::crash(FoundId id) {
  return one(parts_->db, found_columns, read_found, id.value, 'c', "crash");
}
Result<SuiteInfo> Store::suite(SuiteId id) {
  return one(parts_->db, suite_columns, read_suite, id.value, 's', "suite");
}

}  // namespace norn
