// Which snapshots to keep and where to start from: the economics of one device.
//
// A run may begin at a clean start (restart seconds, then every event) or at a snapshot on its path (load
// seconds, then the rest). A snapshot is worth taking where *expected use times the seconds saved exceeds the
// cost of saving*. What will be used is known from hints (a technique says which nodes it will start from)
// and guessed from experience (where recent runs left the known tree: the near future resembles the near
// past). Hinted saves are taken at face value; guessed ones only while they have paid for themselves, so that
// snapshots never cost much more than they gain.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "device/device.h"
#include "replay/replay.h"

namespace norn {

/// Depths at which to save on a path so that the expected cost of the coming runs is least: uses[d] runs will
/// start at depth d, a run may begin at any of `existing` or of the answer at or above it. At most `budget`
/// new ones. Exact up to 128 distinct depths in use; beyond that neighbours are taken together.
std::vector<std::uint32_t> place_snapshots(std::span<const double> uses,
                                           std::span<const std::uint32_t> existing, std::size_t budget,
                                           const Costs& costs);

struct SnapshotLimits {
  std::size_t number = 16;
  std::uint64_t bytes = std::uint64_t{8} << 30;
};

class Planner {
 public:
  Planner(const DeviceInfo& info, SnapshotLimits limits);

  // ---- costs, measured and smoothed ----
  void measured_event(double seconds) { smooth(costs_.event, seconds, events_++); }
  void measured_restart(double seconds) { smooth(costs_.restart, seconds, restarts_++); }
  void measured_save(double seconds);
  void measured_load(double seconds) { smooth(costs_.load, seconds, loads_++); }
  const Costs& costs() const { return costs_; }

  // ---- where to begin ----
  /// The cheapest start for a run along `path` (nodes in order, the root first): the index of the node whose
  /// snapshot to load; nothing: a clean start.
  std::optional<std::size_t> best_start(std::span<const NodeId> path) const;
  SnapshotId snapshot_at(NodeId node) const { return held_.at(node).id; }
  bool holds(NodeId node) const { return held_.contains(node); }

  // ---- what to save ----
  void wish(std::vector<Hint> hints, const std::vector<NodeId>& pins);
  /// Nodes at which the coming run along `path` should save.
  std::vector<NodeId> plan(const History& tree, std::span<const NodeId> path);
  bool wants_pin(NodeId node) const { return enabled_ && pins_.contains(node) && !held_.contains(node); }
  /// A run left the known tree at this node: experience for the guesses.
  void branched_at(NodeId node);

  // ---- what happened ----
  void saved(NodeId node, SnapshotId id);
  /// Snapshot path[index] was loaded.
  void loaded(std::span<const NodeId> path, std::size_t index);
  void dropped(NodeId node) { held_.erase(node); }
  /// A snapshot to forget so that one more may be taken, least valuable first; nothing: there is room. A
  /// pinned one is never named; `full()` says that nothing can be done.
  std::optional<std::pair<NodeId, SnapshotId>> to_evict(const History& tree) const;
  bool full() const;
  void spent(double seconds) { total_ += seconds; }

 private:
  struct Held {
    SnapshotId id = 0;
    std::uint64_t used_at = 0;  ///< the run it was last saved or loaded in
  };
  static void smooth(double& value, double seconds, std::uint64_t count);
  std::vector<double> demand(const History& tree, std::span<const NodeId> path, bool guessed) const;

  Costs costs_;
  SnapshotLimits limits_;
  std::uint64_t bytes_each_;
  bool enabled_;
  std::uint64_t events_ = 0, restarts_ = 0, saves_ = 0, loads_ = 0, runs_ = 0;
  double gained_ = 0, invested_ = 0, total_ = 0;
  std::unordered_map<NodeId, Held> held_;
  std::unordered_set<NodeId> pins_;
  std::vector<Hint> hints_;
  std::deque<NodeId> recent_;
};

}  // namespace norn
