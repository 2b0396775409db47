// Long crash traces with a known core, for tests and benches: noise walks spliced between the events that a
// known bug needs. The noise is real (whatever the screens offer), and the trace is kept only if it still
// ends in the bug's crash.
#pragma once

#include <optional>
#include <vector>

#include "base/rng.h"
#include "device/device.h"
#include "gui/target.h"
#include "replay/lowering.h"
#include "replay/plain.h"

namespace norn::testing {

class NoisyTraces {
 public:
  /// REQUIRES: the device has snapshots.
  NoisyTraces(Device& device, App app, std::vector<Event> core, std::uint64_t seed)
      : device_(device), app_(std::move(app)), core_(std::move(core)), rng_(seed) {
    if (attempt_one(0)) crash_ = signature(*seen_.crash, Sameness::frames);
  }

  /// Of the core's crash; nothing: the core does not crash.
  std::optional<std::uint64_t> crash() const { return crash_; }

  /// About `length` events that end in the same crash as the core; nothing if no noise of that length leaves
  /// it possible.
  std::optional<std::vector<Event>> make(std::size_t length) {
    for (int attempt = 0; attempt < 6; ++attempt)
      if (auto trace = attempt_one(length)) return trace;
    return std::nullopt;
  }

 private:
  std::optional<std::vector<Event>> attempt_one(std::size_t length) {
    events_.clear();
    if (!device_.start(app_, 1) || !look()) return std::nullopt;
    for (std::size_t i = 0; i < core_.size(); ++i) {
      const std::size_t enough = length * (i + 1) / core_.size();
      for (int tries = 0; events_.size() + 1 < enough && tries < 60; ++tries)
        noise(i, std::min<std::size_t>(enough - events_.size() - 1, 3 + rng_.below(25)));
      if (!step(core_[i])) return std::nullopt;
      if (seen_.crash && i + 1 < core_.size()) return std::nullopt;
    }
    if (!seen_.crash || (crash_ && signature(*seen_.crash, Sameness::frames) != *crash_)) return std::nullopt;
    return events_;
  }

  /// A walk of about `length` after which the rest of the core, from `next` on, still ends in the crash; else
  /// it is undone.
  void noise(std::size_t next, std::size_t length) {
    const Moment before = now();
    bool good = true;
    for (std::size_t i = 0; good && i < length; ++i)
      good = step(random_event(rng_, seen_.screen)) && !seen_.crash;
    for (int i = 0; good && i < 6 && !lower(core_[next], seen_.screen, Missing::stop); ++i)
      good = step(seen_.screen.kind == Screen::Kind::app ? Event(Key{key::back}) : Event(Launch{})) &&
             !seen_.crash;
    if (!good || !still_crashes(next)) go_back(before);
    device_.forget(before.snapshot);
  }
  bool still_crashes(std::size_t next) {
    const Moment before = now();
    bool good = true;
    for (std::size_t i = next; good && i < core_.size(); ++i) good = !seen_.crash && step(core_[i]);
    good = good && seen_.crash && signature(*seen_.crash, Sameness::frames) == *crash_;
    go_back(before);
    device_.forget(before.snapshot);
    return good;
  }

  struct Moment {
    SnapshotId snapshot = 0;
    std::size_t events = 0;
    Observation seen;
  };
  Moment now() { return {device_.save().value_or(0), events_.size(), seen_}; }
  void go_back(const Moment& moment) {
    (void)device_.restore(moment.snapshot, 0);
    (void)device_.observe();
    events_.resize(moment.events);
    seen_ = moment.seen;
  }

  bool look() {
    auto seen = device_.observe();
    if (!seen) return false;
    seen_ = std::move(*seen);
    return true;
  }
  bool step(const Event& event) {
    const auto lowered = lower(event, seen_.screen, Missing::stop);
    if (!lowered || !device_.perform(lowered->action, Pace{}) || !look()) return false;
    events_.push_back(lowered->as);
    return true;
  }

  Device& device_;
  App app_;
  std::vector<Event> core_;
  Rng rng_;
  std::vector<Event> events_;
  Observation seen_;
  std::optional<std::uint64_t> crash_;
};

}  // namespace norn::testing
