// Snapshots that bring back another state behind an equal screen: no look can tell, only clean starts do.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "gui/target.h"
#include "reduce/reduce.h"
#include "replay/fleet.h"

namespace norn {
namespace {

/// Breaks at the third touch of its switch, which no screen shows. What it restores has forgotten the touches, or
/// counts one that was never made.
class Forgetful final : public Device {
 public:
  explicit Forgetful(bool adds = false) : adds_(adds) {}
  DeviceInfo info() const override {
    DeviceInfo out;
    out.name = out.kind = "forgetful", out.width = out.height = 1000;
    out.snapshots = out.virtual_time = true;
    return out;
  }
  Status start(const App&, Nonce) override { return now_ = {}, meter_ += 5, Status(); }
  Result<Observation> observe() override {
    Observation out;
    out.screen = screen();
    if (now_.touches == 3) out.crash = broken();
    out.at = meter_;
    return out;
  }
  Status perform(const Action& action, Pace) override {
    meter_ += 0.65;
    const auto* touch = std::get_if<Touch>(&action);
    if (touch == nullptr || now_.touches == 3) return {};
    if (touch->at.y < 100) ++now_.touches;
    if (touch->at.y >= 200) now_.page = (now_.page + 1) % 4;
    return {};
  }
  Result<SnapshotId> save() override { return saved_[++last_] = now_, meter_ += 0.1, last_; }
  Status restore(SnapshotId id, Nonce) override {
    const State& saved = saved_.at(id);
    now_ = {.touches = adds_ ? std::min(saved.touches + 1, 2U) : 0, .page = saved.page};
    return meter_ += 0.1, Status();
  }
  void forget(SnapshotId id) override { saved_.erase(id); }
  double meter() const override { return meter_; }

  static Event tap(const std::string& id) {
    Target target;
    target.id = id;
    return Tap{target, {}};
  }

 private:
  static Crash broken() {
    Thrown thrown;
    thrown.type = "Broken", thrown.frames = {{"flip", "lamp", 1}};
    Crash out;
    out.chain.push_back(thrown);
    return out;
  }

  struct State {
    std::uint32_t touches = 0, page = 0;
  };

  Screen screen() const {
    Screen out;
    out.package = "org.lamp", out.activity = "Page" + std::to_string(now_.page);
    out.width = out.height = 1000;
    std::int32_t top = 0;
    for (const char* id : {"switch", "noise", "page"}) {
      Widget w;
      w.cls = "android.widget.Button", w.id = id;
      w.bounds = {0, top, 1000, top + 90}, top += 100;
      for (const Flag flag : {Flag::clickable, Flag::enabled, Flag::visible}) w.set(flag);
      out.widgets.push_back(w);
    }
    link_by_depth(out.widgets, {0, 0, 0});
    return out;
  }

  bool adds_;
  State now_;
  std::map<SnapshotId, State> saved_;
  SnapshotId last_ = 0;
  double meter_ = 0;
};

Result<std::variant<Reduction, NotReproduced>> reduced(const std::string& algorithm, std::uint32_t repeats,
                                                       bool adds = false) {
  std::vector<Event> events;
  for (int i = 0; i < 60; ++i)
    events.push_back(Forgetful::tap(i % 20 == 19 ? "switch" : i % 3 == 0 ? "page" : "noise"));
  History tree;
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<Forgetful>(adds));
  Replay replay(std::make_unique<Fleet>(std::move(devices), App{}, tree, FleetOptions{}));
  ReduceOptions options;
  options.algorithm = algorithm, options.repeats = repeats;
  options.prices = {0.65, 5, 0.1, 0.1, true};
  return reduce(replay, events, options);
}

TEST(Lying, NothingIsCalledNeededOnASnapshotsWordAlone) {
  for (const std::string& algorithm : algorithm_names()) {
    const auto result = reduced(algorithm, 20);
    ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result)) << algorithm;
    const auto& r = std::get<Reduction>(*result);
    EXPECT_GT(r.certificate.yes.cold, 0U) << algorithm;
    EXPECT_FALSE(r.by_snapshots) << algorithm;
    EXPECT_TRUE(!r.one_minimal || r.events.size() == 3) << algorithm;
    EXPECT_TRUE(r.one_minimal || algorithm != "norn");
  }
}

TEST(Lying, WhatOnlySnapshotsDidIsNotKept) {
  bool told = false;
  for (const std::string& algorithm : algorithm_names()) {
    const auto result = reduced(algorithm, 20, true);
    ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result)) << algorithm;
    const auto& r = std::get<Reduction>(*result);
    EXPECT_EQ(r.certificate.yes.cold, 20U) << algorithm;
    EXPECT_EQ(r.certificate.no.cold, 0U) << algorithm;
    EXPECT_FALSE(r.weaker) << algorithm;
    told = told || r.snapshots_wrong;
  }
  EXPECT_TRUE(told);
}

TEST(Lying, WhereAskingAgainIsTooDearNothingIsClaimedWithoutSayingSo) {
  for (const std::uint32_t repeats : {1U, 2U, 4U}) {
    const auto result = reduced("norn", repeats);
    ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result));
    const auto& r = std::get<Reduction>(*result);
    EXPECT_TRUE(!r.one_minimal || r.by_snapshots || r.events.size() == 3) << repeats;
  }
}

}  // namespace
}  // namespace norn
