// The one place that wires parts together: a store, the tree of an app, devices and the replay service over
// them.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "device/device.h"
#include "replay/fleet.h"
#include "replay/replay.h"
#include "shrink/shrink.h"
#include "store/store.h"

namespace norn::cli {

inline constexpr std::string_view usual_store = "norn.db";

/// Devices, or commands of --test, that may be at work at once.
inline constexpr std::uint32_t most_jobs = 64;

/// What every command takes that drives a device.
struct DeviceOptions {
  std::string device, setup, store{usual_store};
  double budget = std::numeric_limits<double>::infinity();
  std::uint64_t jobs = 1, snapshots = 16, repeats = 20, seed = 1;
  std::map<std::string, std::string> also;  ///< options of the command that made_by shall name

  void declare(Options& options, bool device_required_text = true);
  /// What a command that goes on by running needs beside its ids: " --setup FILE --store FILE", of both what
  /// was given here.
  std::string again() const;
};
void declare_store(Options& options, std::string& store);
/// What a command that goes on by reading needs beside its ids: " --store FILE", nothing for the usual one.
std::string in_store(const std::string& store);

/// A trace named on the command line.
struct NamedTrace {
  std::string name;
  std::vector<Event> events;
  std::optional<Crash> crash;
  std::string device;                       ///< the one it was recorded on, where the store knows
  std::optional<std::vector<Event>> setup;  ///< that it was recorded behind, where the store knows
  std::string package;                      ///< of the app it was recorded with; may be empty
  std::vector<StateId> logged;    ///< the activity in which each event was received; empty: not recorded
  std::optional<TraceInfo> info;  ///< where it is one of the store's
  Trace recorded;  ///< all that is known of it: a file may begin with a launch, and hold screens
};
/// `t17`, `c3`, a file, or `-` for standard input. What is missing in a file (it was cut off) is told to
/// `told`.
Result<NamedTrace> find_trace(const std::string& name, const std::string& store, Progress& told);

/// Where no device was named: the one that the trace was recorded on. An error where nothing says which;
/// `else_do`: what may be done instead of naming one.
Status choose_device(DeviceOptions& options, const NamedTrace& trace, const std::string& else_do = "");

/// What a run of norn import says it was made on: nothing can be run there.
inline constexpr std::string_view imported_device = "import";

class Session {
 public:
  /// Opens or makes the store, opens the devices, loads the tree, begins a run.
  static Result<std::unique_ptr<Session>> open(const DeviceOptions& options, const std::string& command,
                                               Output& out);
  ~Session();

  Replay& replay() { return *replay_; }
  Store& store() { return *store_; }
  const History& tree() const { return *tree_; }
  const App& app() const { return app_; }
  const DeviceInfo& info() const { return info_; }
  AppId app_id() const { return app_id_; }
  RunId run_id() const { return run_; }
  const MadeBy& made_by() const { return made_by_; }
  /// What the device is guessed to cost, for techniques that weigh one way of running against another.
  Prices prices() const;
  Effort spent() const;

  /// Warns where `trace` was recorded behind another set-up than this one's: what it does here says nothing
  /// of what it did there.
  void warn_of_other_setup(const std::string& trace, const std::optional<std::vector<Event>>& recorded,
                           Progress& told) const;
  /// Names the path to `node` in the store.
  Result<TraceId> keep_trace(NodeId node, const std::string& origin);
  /// Crashes seen by this session so far, in order: registered in the store as they happen.
  const std::vector<FoundId>& crashes() const { return crashes_; }
  /// Closes the run with its JSON result.
  Status finish(const std::string& kind, const std::string& json, const std::string& outcome);

 private:
  Session() = default;
  Status note(const Appended& what, const Observation& seen);

  std::unique_ptr<Store> store_;
  std::unique_ptr<History> tree_;
  std::unique_ptr<Replay> replay_;
  App app_;
  DeviceInfo info_;
  bool snapshots_ = false;  ///< the device takes them, and some may be kept
  AppId app_id_;
  RunId run_;
  MadeBy made_by_;
  std::vector<FoundId> crashes_;
  bool finished_ = false;
};

std::string id_text(char kind, std::uint32_t value);                       ///< "t17"
std::optional<std::uint32_t> stored_id(char kind, std::string_view name);  ///< "t17" -> 17; none: no such id

}  // namespace norn::cli
