// The driving loop, on one device: get to the node where the chooser takes over in the cheapest sound way,
// then perform, observe, append, until the chooser has enough. Snapshots are taken on the way where the
// planner wants them, and believed only after a look: a restored screen that is not the node's drops the
// snapshot and falls back to a clean start.
#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "replay/lowering.h"
#include "replay/rig.h"
#include "replay/setup_end.h"

namespace norn {
namespace {

class DeviceRig final : public Rig {
 public:
  DeviceRig(std::unique_ptr<Device> device, App app, Recorder& recorder, const Wishes& wishes,
            SnapshotLimits limits, std::optional<Screen> setup_end)
      : device_(std::move(device)),
        app_(std::move(app)),
        recorder_(recorder),
        wishes_(wishes),
        planner_(device_->info(), limits),
        setup_end_(std::move(setup_end)) {}

  Result<Drive> drive(const Journey& journey, Chooser& chooser, const Limits& limits,
                      std::stop_token stop) override {
    refresh_wishes();
    ++effort_.runs;
    const double meter = device_->meter(), started = std::max(free_at_, journey.not_before);
    auto result = travel(journey, chooser, limits, stop);
    const double seconds = device_->meter() - meter;
    planner_.spent(seconds);
    effort_.device_seconds += seconds;
    free_at_ = started + seconds;
    if (result) result->finished = free_at_, result->seconds = seconds;
    return result;
  }
  double free_at() const override { return free_at_; }
  void idle_until(double time) override { free_at_ = std::max(free_at_, time); }
  Effort spent() const override {
    Effort effort = effort_;
    effort.makespan_seconds = free_at_;
    return effort;
  }

 private:
  /// Where the device stands now.
  struct Cursor {
    NodeId node;
    Observation seen;
    Heat heat = Heat::cold;
  };

  const History& tree() const { return recorder_.tree(); }

  void refresh_wishes() {
    if (const auto version = wishes_.version(); version != wishes_version_) {
      wishes_version_ = version;
      planner_.wish(wishes_.hints(), wishes_.pins());
    }
  }

  Result<Drive> travel(const Journey& journey, Chooser& chooser, const Limits& limits, std::stop_token stop) {
    const double meter = device_->meter();
    restarts_ = 0;
    nonce_ = journey.nonce;
    stop_ = stop, until_ = meter + limits.seconds;
    const auto path = path_of(journey);
    to_save_ = journey.cold ? std::vector<NodeId>{} : planner_.plan(tree(), path);
    planner_.branched_at(path.back());
    NORN_TRY(bool arrived, go_to(path, journey.from, journey.cold));
    Drive drive{.end = cursor_.node, .staged = arrived};
    std::uint64_t events = 0;
    const auto place = [&](bool looked) {
      return Place{.node = cursor_.node,
                   .seen = cursor_.seen,
                   .history = tree(),
                   .crashed = cursor_.seen.crash.has_value(),
                   .arrived = arrived,
                   .seconds = device_->meter() - meter,
                   .events = events,
                   .looked = looked};
    };
    for (;;) {
      drive.end = cursor_.node;
      drive.heat = cursor_.heat;
      if (stop.stop_requested()) return fail(Error::Kind::cancelled, "asked to stop");
      const Place here = place(true);
      if (here.seconds >= limits.seconds || events >= limits.events) return drive;
      const Choice choice = chooser.next(here);
      arrived = true;
      if (std::holds_alternative<Enough>(choice)) return drive;
      if (std::holds_alternative<Restart>(choice)) {
        NORN_CHECK(clean_start());
        continue;
      }
      if (const auto* to = std::get_if<GoTo>(&choice)) {
        const auto way = whole_path(to->node);
        NORN_TRY(arrived, go_to(way, to->node, false));
        continue;
      }
      const bool looks = limits.pace_ms < 0 || (events + 1) % std::max(limits.look_every, 1U) == 0;
      NORN_TRY(const Appended what, step(std::get<Do>(choice).event, limits.pace_ms, looks));
      ++events;
      chooser.saw(place(looks), what);
      NORN_CHECK(save_if_wanted());
    }
  }

  /// Error: this drive was asked to stop, or its time is over: to be asked before an event that no chooser
  /// chose, on the way to a node or in a set-up.
  Status may_go_on() const {
    if (stop_.stop_requested()) return fail(Error::Kind::cancelled, "asked to stop");
    if (device_->meter() < until_) return {};
    return fail(Error::Kind::budget, "the budget is spent", {}, "give more with --budget");
  }

  std::vector<NodeId> whole_path(NodeId node) const {
    auto path = tree().path(node);
    path.insert(path.begin(), tree().root());
    return path;
  }
  std::vector<NodeId> path_of(const Journey& journey) const {
    if (!journey.likely.empty()) return {journey.likely.begin(), journey.likely.end()};
    return whole_path(journey.from);
  }

  /// Puts the device at `target` or beyond it on `path`. False: it went elsewhere, or crashed on the way; the
  /// cursor says where.
  Result<bool> go_to(std::span<const NodeId> path, NodeId target, bool cold) {
    const auto target_index =
        static_cast<std::size_t>(std::find(path.begin(), path.end(), target) - path.begin());
    std::size_t index = 0;
    if (const auto start = cold ? std::nullopt : planner_.best_start(path); start && restore(path, *start)) {
      index = *start;
    } else {
      NORN_CHECK(clean_start());
    }
    NORN_CHECK(save_if_wanted());
    while (index < target_index) {
      if (cursor_.seen.crash) return false;
      NORN_CHECK(may_go_on());
      NORN_CHECK(step(tree().event(tree().event_id(path[index + 1])), -1));
      if (cursor_.node != path[++index]) return false;
      NORN_CHECK(save_if_wanted());
    }
    return !cursor_.seen.crash || index == target_index;
  }

  Status clean_start() {
    const double meter = device_->meter();
    ++effort_.restarts;
    NORN_CHECK(device_->start(app_, Hasher().add(nonce_).add(restarts_++).finish()));
    NORN_TRY(Observation seen, look());
    for (std::size_t i = 0; i < app_.setup.size() && !seen.crash; ++i) {
      NORN_CHECK(may_go_on());
      const auto lowered = lower(app_.setup[i], seen.screen, Missing::stop);
      if (!lowered)
        return fail(Error::Kind::device,
                    "the set-up does not find its target: " + describe_safely(app_.setup[i]),
                    "set-up event " + std::to_string(i + 1), "record the set-up again with norn record");
      NORN_CHECK(device_->perform(lowered->action, Pace{}));
      NORN_TRY(seen, look());
    }
    if (!seen.crash) NORN_CHECK(setup_end_.check(seen.screen, tree().mask()));
    planner_.measured_restart(device_->meter() - meter);
    NORN_TRY(const Appended root, recorder_.root(seen, Heat::cold));
    cursor_ = {root.node, std::move(seen), Heat::cold};
    return {};
  }

  /// Typed texts of a set-up are secret.
  static std::string describe_safely(Event event) {
    if (auto* type = std::get_if<Type>(&event)) type->text = "***";
    return describe(event);
  }

  /// False: the snapshot failed or was not what it should be, and is gone.
  bool restore(std::span<const NodeId> path, std::size_t index) {
    const NodeId node = path[index];
    const SnapshotId snapshot = planner_.snapshot_at(node);
    const double meter = device_->meter();
    ++effort_.snapshot_loads;
    if (device_->restore(snapshot, Hasher().add(nonce_).add(~restarts_++).finish() | 1)) {
      auto seen = look();
      if (seen && tree().observation_key(*seen) == tree().key(node)) {
        planner_.measured_load(device_->meter() - meter);
        planner_.loaded(path, index);
        cursor_ = {node, std::move(*seen), Heat::warm};
        return true;
      }
    }
    planner_.dropped(node);
    device_->forget(snapshot);
    return false;
  }

  /// One observation, believed only if the screen had settled or three looks in a row agree: a dump that was
  /// cut off may be cut off twice.
  Result<Observation> look() {
    constexpr int most_looks = 6, enough = 3;
    NORN_TRY(Observation seen, device_->observe());
    for (int i = 1, alike = 1; !seen.settled; ++i) {
      if (i == most_looks)
        return fail(Error::Kind::device, "the screen is another one at every look", device_->info().name);
      NORN_TRY(Observation again, device_->observe());
      again.hit |= seen.hit;
      again.log.insert(again.log.begin(), seen.log.begin(), seen.log.end());
      if (!again.crash) again.crash = seen.crash;
      alike = again.screen == seen.screen ? alike + 1 : 1;
      seen = std::move(again);
      if (alike == enough) break;
    }
    return seen;
  }

  Result<Appended> step(const Event& event, std::int32_t pace_ms, bool looks = true) {
    const auto lowered = lower(event, cursor_.seen.screen, Missing::point);
    if (!lowered) return fail(Error::Kind::bad_input, "this event cannot be executed", describe(event));
    const double meter = device_->meter();
    ++effort_.events;
    NORN_CHECK(device_->perform(lowered->action, Pace{pace_ms}));
    if (!looks) return unseen_step(lowered->as);
    NORN_TRY(Observation seen, look());
    if (pace_ms < 0 && !std::holds_alternative<Sleep>(lowered->action))
      planner_.measured_event(device_->meter() - meter);
    NORN_TRY(const Appended what, recorder_.step(cursor_.node, lowered->as, seen, cursor_.heat));
    cursor_.node = what.node;
    cursor_.seen = std::move(seen);
    return what;
  }

  /// The last screen seen stays what the chooser is shown.
  Result<Appended> unseen_step(const Event& event) {
    Observation unseen;
    unseen.screen.kind = Screen::Kind::unseen;
    unseen.settled = false;
    NORN_TRY(const Appended what, recorder_.step(cursor_.node, event, unseen, cursor_.heat));
    cursor_.node = what.node;
    cursor_.seen.hit = {};
    cursor_.seen.log.clear();
    return what;
  }

  /// A save that fails costs only its gain; a device that is gone will say so at the next call.
  Status save_if_wanted() {
    refresh_wishes();
    const NodeId node = cursor_.node;
    const bool planned = std::find(to_save_.begin(), to_save_.end(), node) != to_save_.end();
    if (cursor_.seen.crash || planner_.holds(node) || !(planned || planner_.wants_pin(node))) return {};
    if (const auto victim = planner_.to_evict(tree())) {
      device_->forget(victim->second);
      planner_.dropped(victim->first);
    }
    if (planner_.full()) return {};
    const double meter = device_->meter();
    ++effort_.snapshot_saves;
    if (const auto saved = device_->save()) {
      planner_.saved(node, *saved);
      planner_.measured_save(device_->meter() - meter);
    }
    return {};
  }

  std::unique_ptr<Device> device_;
  App app_;
  Recorder& recorder_;
  const Wishes& wishes_;
  Planner planner_;
  SetupEnd setup_end_;
  Cursor cursor_;
  std::vector<NodeId> to_save_;
  Nonce nonce_ = 0;
  std::stop_token stop_;  ///< of the drive that is under way, as the next
  double until_ = 0;      ///< by the device's meter
  std::uint64_t restarts_ = 0, wishes_version_ = 0;
  double free_at_ = 0;
  Effort effort_;
};

}  // namespace

std::unique_ptr<Rig> device_rig(std::unique_ptr<Device> device, App app, Recorder& recorder,
                                const Wishes& wishes, SnapshotLimits limits,
                                std::optional<Screen> setup_end) {
  return std::make_unique<DeviceRig>(std::move(device), std::move(app), recorder, wishes, limits,
                                     std::move(setup_end));
}

void Wishes::hint(std::span<const Hint> hints) {
  const std::scoped_lock lock(mutex_);
  hints_.assign(hints.begin(), hints.end());
  ++version_;
}
void Wishes::pin(NodeId node) {
  const std::scoped_lock lock(mutex_);
  pins_.insert(node);
  ++version_;
}
void Wishes::unpin(NodeId node) {
  const std::scoped_lock lock(mutex_);
  pins_.erase(node);
  ++version_;
}
std::vector<Hint> Wishes::hints() const {
  const std::scoped_lock lock(mutex_);
  return hints_;
}
std::vector<NodeId> Wishes::pins() const {
  const std::scoped_lock lock(mutex_);
  return {pins_.begin(), pins_.end()};
}
std::uint64_t Wishes::version() const {
  const std::scoped_lock lock(mutex_);
  return version_;
}

}  // namespace norn
