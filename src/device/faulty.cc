#include "device/faulty.h"

#include <algorithm>
#include <array>

namespace norn {
namespace {

class Faulty final : public Device {
 public:
  Faulty(std::unique_ptr<Device> inner, FaultPlan plan)
      : inner_(std::move(inner)), plan_(std::move(plan)), rng_(plan_.seed) {}

  DeviceInfo info() const override { return inner_->info(); }
  double meter() const override { return inner_->meter(); }

  Status start(const App& app, Nonce nonce) override {
    lost_ = false;
    NORN_CHECK(honest_faults());
    return inner_->start(app, nonce);
  }

  Result<Observation> observe() override {
    NORN_CHECK(honest_faults());
    auto seen = inner_->observe();
    if (seen) shown_ = content_hash(seen->screen);
    if (!seen || !strikes(Fault::garbled_dump)) return seen;
    if (rng_.chance(0.5))
      return fail(Error::Kind::device, "the screen could not be read: cut off in the middle", name());
    return garbled(std::move(*seen));
  }

  Status perform(const Action& action, Pace pace) override {
    NORN_CHECK(honest_faults());
    if (!strikes(Fault::dropped_event)) return inner_->perform(action, pace);
    return inner_->perform(Sleep{pace.settled() ? 500 : pace.after_ms}, pace);
  }

  Result<SnapshotId> save() override {
    NORN_CHECK(honest_faults());
    auto id = inner_->save();
    if (id) saved_.emplace(*id, shown_);
    return id;
  }

  Status restore(SnapshotId snapshot, Nonce nonce) override {
    lost_ = false;
    NORN_CHECK(honest_faults());
    if (strikes(Fault::failed_restore))
      return fail(Error::Kind::device, "the snapshot could not be loaded", name());
    if (strikes(Fault::wrong_restore)) snapshot = another(snapshot);
    if (const auto at = saved_.find(snapshot); at != saved_.end()) shown_ = at->second;
    return inner_->restore(snapshot, nonce);
  }

  void forget(SnapshotId snapshot) override {
    saved_.erase(snapshot);
    inner_->forget(snapshot);
  }

 private:
  std::string name() const { return inner_->info().name; }

  /// Is it time for this fault? Counts one call that could suffer it.
  bool strikes(Fault fault) {
    const std::uint64_t call = calls_[static_cast<std::size_t>(fault)]++;
    bool hit = false;
    if (const auto chance = plan_.chance.find(fault); chance != plan_.chance.end())
      hit = rng_.chance(chance->second);
    const auto chosen = plan_.at_calls.find(fault);
    if (chosen != plan_.at_calls.end())
      hit = hit || std::find(chosen->second.begin(), chosen->second.end(), call) != chosen->second.end();
    return hit;
  }

  Status honest_faults() {
    if (lost_ || strikes(Fault::lost)) {
      lost_ = true;
      return fail(Error::Kind::device, "the device is lost", name(), "start it again");
    }
    if (strikes(Fault::timeout))
      return fail(Error::Kind::timeout, "the device did not answer in time", name());
    return {};
  }

  SnapshotId another(SnapshotId wanted) {
    std::vector<SnapshotId> others;
    for (const auto& [id, screen] : saved_)
      if (screen != saved_[wanted]) others.push_back(id);
    return others.empty() ? wanted : others[rng_.below(others.size())];
  }

  /// What a dump looks like that was cut off and patched up: half the widgets, the last text broken.
  static Observation garbled(Observation seen) {
    auto& widgets = seen.screen.widgets;
    widgets.resize(std::max<std::size_t>(widgets.size() / 2, widgets.empty() ? 0 : 1));
    for (std::size_t i = 0; i < widgets.size(); ++i)
      widgets[i].subtree = static_cast<std::int32_t>(
          std::min(static_cast<std::size_t>(widgets[i].subtree), widgets.size() - i));
    if (!widgets.empty()) widgets.back().text += "\xEF\xBF\xBD";
    seen.settled = false;
    return seen;
  }

  std::unique_ptr<Device> inner_;
  FaultPlan plan_;
  Rng rng_;
  std::array<std::uint64_t, static_cast<std::size_t>(Fault::count_)> calls_{};
  std::map<SnapshotId, std::uint64_t> saved_;  ///< with the screen it was taken on
  std::uint64_t shown_ = 0;
  bool lost_ = false;
};

}  // namespace

std::string_view name_of(Fault fault) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(Fault::count_)> names = {
      "lost", "timeout", "failed-restore", "wrong-restore", "dropped-event", "garbled-dump"};
  return names[static_cast<std::size_t>(fault)];
}

std::unique_ptr<Device> faulty(std::unique_ptr<Device> inner, FaultPlan plan) {
  return std::make_unique<Faulty>(std::move(inner), std::move(plan));
}

}  // namespace norn
