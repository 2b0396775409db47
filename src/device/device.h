// The one narrow interface where the world begins. A phone, an emulator, a browser tab, a simulated app,
// somebody's rig.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "gui/event.h"
#include "gui/screen.h"
#include "trace/app.h"
#include "trace/step.h"

namespace norn {

// ---- Actions: what a device is told. They exist only between the driving loop and the device. ----

struct Touch {
  Point at;
  std::int32_t ms = 50;
};  ///< 500 ms and longer is a long press
struct Move {
  Point from, to;
  std::int32_t ms = 300;
};  ///< one finger; fast is a fling, slow a drag
struct TwoFingers {
  Point at;
  std::int32_t from = 0, to = 0;
};
struct Text {
  std::string text;         ///< replaces the text of what has the focus
  std::optional<Point> at;  ///< where to tap first to give it the focus: one action, one event's cost
};
struct Press {
  std::int32_t key = 0;
};
struct Open {
  std::string package, activity;
};  ///< to the front, data kept; both may be empty: the app
struct Turn {
  std::int32_t rotation = 0;
};
struct Signal {
  System what;
};
struct Sleep {
  std::int32_t ms = 0;
};
using Action = std::variant<Touch, Move, TwoFingers, Text, Press, Open, Turn, Signal, Sleep>;

/// How a device is driven: wait until the screen has settled, or go on after so many milliseconds
/// (Monkey-like).
struct Pace {
  std::int32_t after_ms = -1;
  bool settled() const { return after_ms < 0; }
};

/// Seconds on the device-time meter. `event` is one event settled and observed.
struct Costs {
  double event = 0.65, unsettled = 0.2, restart = 5, save = 4, load = 3;
};

struct DeviceInfo {
  std::string name;  ///< sim:notes, exec:./rig.py
  std::string kind;  ///< sim, exec, adb: part of memory's key
  std::int32_t width = 0, height = 0;
  std::string locale;
  bool snapshots = false;
  bool coverage = false;
  bool virtual_time = false;            ///< the meter does not follow the wall clock
  Costs guess;                          ///< first guess; the planner measures
  Coverable coverable;                  ///< what there is to cover
  std::uint64_t snapshot_bytes = 0;     ///< size of one, roughly; 0 where unknown
  std::vector<std::string> activities;  ///< declared ones, where known
};

using SnapshotId = std::uint64_t;

/// One thread at a time. A failed call leaves the device usable: the next start() or restore() must be tried.
class Device {
 public:
  virtual ~Device() = default;
  virtual DeviceInfo info() const = 0;
  /// Clean data, the app in front. Set-up is run by the driving loop.
  virtual Status start(const App& app, Nonce nonce) = 0;
  /// What was seen since the last call; waits until the screen has settled, or says that it did not.
  virtual Result<Observation> observe() = 0;
  virtual Status perform(const Action& action, Pace pace) = 0;
  /// Error::unsupported where there are no snapshots.
  virtual Result<SnapshotId> save() = 0;
  /// Nonce 0: exactly the future that was saved; another: the app's chance is drawn anew from it.
  virtual Status restore(SnapshotId snapshot, Nonce nonce) = 0;
  virtual void forget(SnapshotId snapshot) = 0;
  /// The device-time meter in seconds: never goes back.
  virtual double meter() const = 0;
};

}  // namespace norn
