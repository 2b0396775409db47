// Everything the service drives with, put together in one visible place: devices -> rigs -> pool -> metered
// -> retried -> given up, with the tree they write to. Only cli, tests and benches make one.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "replay/recorder.h"
#include "replay/rig.h"

namespace norn {

struct FleetOptions {
  SnapshotLimits snapshots;
  int attempts = 3;   ///< of a run whose rig fails
  int failures = 10;  ///< such runs in a row without an event: the device is lost
  double budget = std::numeric_limits<double>::infinity();  ///< seconds of makespan
  std::uint64_t seed = 1;                                   ///< of all nonces
  bool memory = true;                 ///< answer from the tree; off only to measure what it brings
  std::optional<Screen> setup_end{};  ///< where the app's set-up must end, see replay/setup_end.h
};

class Fleet {
 public:
  /// REQUIRES: at least one device; all of one kind, for the same app. The tree outlives the fleet.
  Fleet(std::vector<std::unique_ptr<Device>> devices, const App& app, History& tree, FleetOptions options,
        Journal journal = {});

  Rig& rig() { return *rig_; }
  const Rig& rig() const { return *rig_; }
  Recorder& recorder() { return recorder_; }
  Wishes& wishes() { return wishes_; }
  const FleetOptions& options() const { return options_; }
  std::size_t devices() const { return devices_; }
  bool virtual_time() const { return virtual_time_; }

 private:
  FleetOptions options_;
  Recorder recorder_;
  Wishes wishes_;
  std::size_t devices_;
  bool virtual_time_;
  std::unique_ptr<Rig> rig_;
};

}  // namespace norn
