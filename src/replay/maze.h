// A small app made of chance, for tests: pages with buttons, a hidden counter that screens do not show, rooms
// that crash when the counter is right. Everything follows from the seed; `flaky` makes a button do nothing
// now and then.
#pragma once

#include <fmt/core.h>

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "base/hash.h"
#include "device/device.h"
#include "gui/target.h"

namespace norn::testing {

struct MazeOptions {
  std::uint64_t seed = 1;
  std::uint32_t pages = 6, buttons = 4, hidden = 3;
  double flaky = 0;
  bool crashes = true;
  Costs costs{};
  bool snapshots = true;
};

class Maze final : public Device {
 public:
  explicit Maze(MazeOptions options) : options_(options) {}

  DeviceInfo info() const override {
    DeviceInfo info;
    info.name = info.kind = "maze";
    info.width = 1000, info.height = 1000;
    info.snapshots = options_.snapshots;
    info.coverage = info.virtual_time = true;
    info.guess = options_.costs;
    return info;
  }
  Status start(const App&, Nonce nonce) override {
    meter_ += options_.costs.restart;
    state_ = {};
    chance_ = Rng(nonce);
    seen_ = {};
    return {};
  }
  Result<Observation> observe() override {
    Observation out;
    out.hit = Coverage(std::vector<std::uint32_t>(seen_.begin(), seen_.end()));
    seen_.clear();
    out.at = meter_;
    if (state_.crashed) {
      Crash crash;
      crash.chain.push_back({Thrown::Role::top, "java.lang.IllegalStateException", "boom", {}, 0});
      crash.chain[0].frames.push_back({fmt::format("org.maze.Page{}.press", state_.page), "Page.java", 7});
      out.crash = crash;
    }
    out.screen = screen();
    return out;
  }
  Status perform(const Action& action, Pace) override {
    meter_ += options_.costs.event;
    if (state_.crashed) return {};
    const auto* touch = std::get_if<Touch>(&action);
    const bool back = std::holds_alternative<Press>(action);
    std::uint32_t button = options_.buttons;
    if (touch)
      if (const auto widget = widget_at(screen(), touch->at)) button = number_of(*widget);
    if (!back && button == options_.buttons) return {};
    if (chance_.chance(options_.flaky)) return {};
    press(button);
    return {};
  }
  Result<SnapshotId> save() override {
    if (!options_.snapshots) return fail(Error::Kind::unsupported, "no snapshots");
    meter_ += options_.costs.save;
    saved_[++last_] = state_;
    return last_;
  }
  Status restore(SnapshotId id, Nonce nonce) override {
    meter_ += options_.costs.load;
    const auto at = saved_.find(id);
    if (at == saved_.end()) return fail(Error::Kind::device, "no such snapshot");
    state_ = at->second;
    chance_ = Rng(nonce);
    seen_ = {};
    return {};
  }
  void forget(SnapshotId id) override { saved_.erase(id); }
  double meter() const override { return meter_; }

  /// Every button there is anywhere, as events.
  static std::vector<Event> alphabet(const MazeOptions& options) {
    std::vector<Event> events{Key{key::back}};
    for (std::uint32_t p = 0; p < options.pages; ++p)
      for (std::uint32_t b = 0; b < options.buttons; ++b) {
        Tap tap;
        tap.target.id = id_of(p, b, options);
        tap.target.cls = "android.widget.Button";
        events.emplace_back(tap);
      }
    return events;
  }

 private:
  struct State {
    std::uint32_t page = 0, hidden = 0;
    bool crashed = false;
  };

  std::uint64_t roll(std::uint64_t a, std::uint64_t b, std::uint64_t c) const {
    return Hasher().add(options_.seed).add(a).add(b).add(c).finish();
  }
  /// Some buttons are on every page, some on one only.
  static std::string id_of(std::uint32_t page, std::uint32_t button, const MazeOptions& options) {
    const bool common = Hasher().add(options.seed).add(button).finish() % 2 == 0;
    return common ? fmt::format("org.maze:id/b{}", button) : fmt::format("org.maze:id/p{}_b{}", page, button);
  }
  void press(std::uint32_t button) {
    seen_.insert(state_.page * 100 + button);
    const auto next = roll(state_.page, button, state_.hidden % 2);
    if (options_.crashes && roll(state_.page, button, 77) % 9 == 0 && state_.hidden == options_.hidden - 1) {
      state_.crashed = true;
      return;
    }
    if (next % 3 == 0) state_.hidden = (state_.hidden + 1) % options_.hidden;
    if (next % 2 == 0) state_.page = static_cast<std::uint32_t>(next / 8 % options_.pages);
  }
  std::uint32_t number_of(std::size_t widget) const { return static_cast<std::uint32_t>(widget) - 1; }
  Screen screen() const {
    Screen out;
    out.package = "org.maze";
    out.activity = fmt::format("Page{}", state_.page);
    out.width = out.height = 1000;
    std::vector<std::int32_t> depths{0};
    Widget root;
    root.cls = "android.widget.FrameLayout";
    root.bounds = {0, 0, 1000, 1000};
    root.set(Flag::enabled);
    root.set(Flag::visible);
    out.widgets.push_back(root);
    for (std::uint32_t b = 0; b < options_.buttons; ++b) {
      Widget button;
      button.cls = "android.widget.Button";
      button.id = id_of(state_.page, b, options_);
      button.bounds = {0, static_cast<std::int32_t>(b) * 100, 1000, static_cast<std::int32_t>(b) * 100 + 90};
      button.set(Flag::clickable);
      button.set(Flag::enabled);
      button.set(Flag::visible);
      out.widgets.push_back(button);
      depths.push_back(1);
    }
    link_by_depth(out.widgets, depths);
    return out;
  }

  MazeOptions options_;
  State state_;
  Rng chance_;
  std::set<std::uint32_t> seen_;
  std::map<SnapshotId, State> saved_;
  SnapshotId last_ = 0;
  double meter_ = 0;
};

}  // namespace norn::testing
