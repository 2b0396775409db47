// A Rig executes one drive from the cheapest sound point. Everything that makes devices more is a Rig around
// Rigs:
//     devices -> device_rig (driving loop + snapshots) -> pool -> metered -> retried -> given_up
// stacked in one visible place (fleet.cc).
//
// There is one driving loop: perform, observe, append. Replaying, recording and exploring differ only in the
// Chooser. Time is a timeline in seconds of makespan: a rig says when it is free, a drive says when it ended.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <unordered_set>
#include <vector>

#include "device/device.h"
#include "replay/planner.h"
#include "replay/recorder.h"
#include "replay/replay.h"
#include "trace/effort.h"

namespace norn {

/// Where a drive begins.
struct Journey {
  NodeId from{0};  ///< the chooser takes over here
  std::span<const NodeId>
      likely{};  ///< nodes it will probably pass, root first, through `from` and beyond; may be empty
  Nonce nonce = 0;
  bool cold = false;      ///< only from a clean start
  double not_before = 0;  ///< on the timeline
};

struct Drive {
  NodeId end;
  bool staged = true;  ///< `from` was reached
  Heat heat = Heat::cold;
  double finished = 0;  ///< on the timeline
  double seconds = 0;   ///< device time, the way to the start included
};

class Rig {
 public:
  virtual ~Rig() = default;
  /// Error: the rig failed (device, timeout), the budget is spent, or it was asked to stop; what was executed
  /// until then is in the tree.
  virtual Result<Drive> drive(const Journey& journey, Chooser& chooser, const Limits& limits,
                              std::stop_token stop) = 0;
  virtual double free_at() const = 0;
  virtual void idle_until(double time) = 0;
  virtual Effort spent() const = 0;
  /// Set once it is not driven any more: the last error of a device that is gone for good.
  virtual std::optional<Error> lost() const { return std::nullopt; }
};

/// What askers want kept, for all planners: hints and pins.
class Wishes {
 public:
  void hint(std::span<const Hint> hints);
  void pin(NodeId node);
  void unpin(NodeId node);
  std::vector<Hint> hints() const;
  std::vector<NodeId> pins() const;
  std::uint64_t version() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Hint> hints_;
  std::unordered_set<NodeId> pins_;
  std::uint64_t version_ = 0;
};

std::unique_ptr<Rig> device_rig(std::unique_ptr<Device> device, App app, Recorder& recorder,
                                const Wishes& wishes, SnapshotLimits limits,
                                std::optional<Screen> setup_end = {});
/// Many at once: a drive goes to the rig that is free first on the timeline, so virtual time decides, not the
/// scheduler.
std::unique_ptr<Rig> pool(std::vector<std::unique_ptr<Rig>> rigs);
/// Tries again when the rig failed and the chooser can begin anew.
std::unique_ptr<Rig> retried(std::unique_ptr<Rig> inner, int attempts);
/// Refuses when `seconds` of makespan are spent, and ends drives there.
std::unique_ptr<Rig> metered(std::unique_ptr<Rig> inner, double seconds);
/// Lost once so many drives in a row failed of which none got as far as an event: else a device that is gone
/// would be asked for as long as there is something to ask, for its clock stands still.
std::unique_ptr<Rig> given_up(std::unique_ptr<Rig> inner, int failures);

}  // namespace norn
