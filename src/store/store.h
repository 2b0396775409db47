// The store: one SQLite file that holds everything norn ever executed and found, for all apps.
//
// Each step is one transaction in the write-ahead log, written before append() returns: kill -9 loses nothing
// that was acknowledged. fsync happens when the log is folded into the file (every few thousand steps), in
// flush() and at the end: only a power cut can take the last steps, and never more than those.
//
// One writer (a lock that names its holder), any number of readers beside it, in this and other processes.
// An object is used by one thread at a time. docs/store.md has the tables and formats.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/id.h"
#include "trace/app.h"
#include "trace/effort.h"
#include "trace/history.h"

namespace norn {

using AppId = Id<struct AppTag>;
using RunId = Id<struct RunTag>;        ///< r1, r2 ...
using TraceId = Id<struct TraceTag>;    ///< t1: a path in an app's tree
using FoundId = Id<struct FoundTag>;    ///< c1: a distinct crash of an app
using SuiteId = Id<struct SuiteTag>;    ///< s1
using ResultId = Id<struct ResultTag>;  ///< one JSON object of a run

enum class Access : std::uint8_t { read, write };

struct RunInfo {
  RunId id;
  AppId app;
  std::string command;
  MadeBy made_by;
  std::int64_t started = 0;              ///< seconds since 1970
  std::optional<std::int64_t> finished;  ///< none: it runs, or was killed
  std::string outcome;
  Effort effort;
};
struct TraceInfo {
  TraceId id;
  AppId app;
  NodeId node;
  RunId run;
  std::string origin;
  std::uint32_t events = 0;
  std::int64_t made = 0;
};
/// A crash of an app, one for each signature (`frames`).
struct FoundInfo {
  FoundId id;
  AppId app;
  NodeId node;      ///< where it was first seen
  NodeId shortest;  ///< the shortest path to it so far
  RunId run;
  std::uint64_t signature = 0;
  std::string headline;
  double device_seconds = 0;  ///< of the run, when first seen
  std::int64_t made = 0;
};
struct SuiteInfo {
  SuiteId id;
  AppId app;
  RunId run;
  std::string name;
  std::vector<TraceId> traces;
  std::int64_t made = 0;
};
struct ResultInfo {
  ResultId id;
  RunId run;
  std::string kind, json;
  std::int64_t made = 0;
};

/// What a run executed, by the log of steps: known also of one that was killed.
struct RunSteps {
  std::uint64_t steps = 0;    ///< clean starts included
  double device_seconds = 0;  ///< the meter at its last step
};

/// What takes how much room.
struct Sizes {
  std::uint64_t file_bytes = 0;  ///< the write-ahead log included
  std::uint64_t steps = 0, screens = 0, events = 0, coverages = 0, crashes = 0, apps = 0, runs = 0,
                traces = 0;
  std::uint64_t step_bytes = 0, screen_bytes = 0, coverage_bytes = 0;
};
struct Freed {
  std::uint64_t screens = 0, events = 0, coverages = 0, crashes = 0, apps = 0, bytes = 0;
};
struct Salvaged {
  std::uint64_t apps = 0, steps = 0, runs = 0, traces = 0, found = 0, suites = 0, results = 0;
  std::optional<std::uint64_t> steps_lost = 0;  ///< none: how many there were cannot be read
};

class Store {
 public:
  /// Opens, or with Access::write makes or upgrades, the file. `command` is what the lock tells others.
  /// Error::busy where somebody else writes; bad_input where it is damaged or no store at all.
  static Result<std::unique_ptr<Store>> open(const std::filesystem::path& path, Access access,
                                             const std::string& command = {});
  /// Copies what can be read of a damaged store into a new one.
  static Result<Salvaged> salvage(const std::filesystem::path& damaged, const std::filesystem::path& fresh);
  ~Store();

  // ---- apps and their trees ----
  Result<AppId> app(const MemoryKey& key);  ///< finds or makes
  Result<std::optional<AppId>> find_app(const MemoryKey& key);
  Result<MemoryKey> key(AppId app);
  Result<std::vector<AppId>> apps();
  Result<std::unique_ptr<History>> load(AppId app);  ///< rebuilds the tree; node ids are what they were

  /// Keeps what one History::append() did; `at`: the device-time meter. Acknowledged when it returns.
  /// REQUIRES: `history` came from load(app) of this object, and every append to it is kept, in order.
  Status append(AppId app, RunId run, const History& history, const Appended& done, double at = 0);
  /// From here to commit() one transaction: 10 times faster, acknowledged only then. For imports.
  Status begin_batch();
  Status commit();
  /// All that was acknowledged is on the disk itself when it returns.
  Status flush();

  // ---- what commands leave ----
  Result<RunId> begin_run(AppId app, const std::string& command, const MadeBy& made_by);
  Status finish_run(RunId run, const Effort& effort, const std::string& outcome);
  Result<TraceId> add_trace(AppId app, RunId run, NodeId node, std::uint32_t events,
                            const std::string& origin);
  /// The crash that ends at `node`: known by its signature, or new. REQUIRES: history.crash(node).
  Result<FoundId> add_crash(AppId app, RunId run, const History& history, NodeId node, double device_seconds);
  Result<SuiteId> add_suite(AppId app, RunId run, const std::string& name,
                            const std::vector<TraceId>& traces);
  Result<ResultId> add_result(RunId run, const std::string& kind, const std::string& json);

  Result<std::vector<RunInfo>> runs();
  Result<std::vector<TraceInfo>> traces();
  Result<std::vector<FoundInfo>> crashes();
  Result<std::vector<SuiteInfo>> suites();
  Result<std::vector<ResultInfo>> results(RunId run);
  Result<RunSteps> run_steps(const RunInfo& run);  ///< reads all steps of the app
  Result<RunInfo> run(RunId id);  ///< Error::not_found where there is none; so too the next three
  Result<TraceInfo> trace(TraceId id);
  Result<FoundInfo> crash(FoundId id);
  Result<SuiteInfo> suite(SuiteId id);

  // ---- upkeep ----
  Result<Sizes> sizes();
  /// Forgets an app: its tree, traces, crashes and suites (an old version, a mistake). gc() then frees.
  Status remove_app(AppId app);
  /// Removes contents no step uses and apps without steps, runs, traces; gives the room back.
  Result<Freed> gc();
  /// Reads every page: Error if anything is wrong. Takes about a second per 100 MB.
  Status check();

 private:
  struct Parts;
  explicit Store(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace norn
