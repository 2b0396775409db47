// For tests of the simulated device: apps from texts, events as people write them, hashes of whole runs.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/rng.h"
#include "device/sim.h"
#include "device/sim/truth_run.h"

namespace norn::sim {

/// A device with its app, driven by lines such as `tap add`.
class Driver {
 public:
  explicit Driver(const std::string& spec) {
    auto device = open_sim(spec);
    auto app = sim_app(spec);
    if (!device || !app) {
      ADD_FAILURE() << spec << ": " << (device ? app.error() : device.error()).message();
      return;
    }
    device_ = std::move(*device);
    app_ = *app;
  }

  bool ok() const { return device_ != nullptr; }
  Device& device() { return *device_; }
  const App& app() const { return app_; }

  Observation& start(Nonce nonce = 0) {
    EXPECT_TRUE(device_->start(app_, nonce));
    return look();
  }
  Observation& look() {
    auto seen = device_->observe();
    EXPECT_TRUE(seen);
    if (seen) seen_ = std::move(*seen);
    return seen_;
  }
  Observation& perform(const Action& action) {
    EXPECT_TRUE(device_->perform(action, Pace{}));
    return look();
  }
  /// Does the lines one after another; a target that is not there fails the test.
  Observation& run(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      auto event = parse_event(line, app_.name);
      if (!event) {
        ADD_FAILURE() << event.error().message();
        return seen_;
      }
      const auto action = action_for(*event, seen_.screen);
      if (!action) {
        ADD_FAILURE() << "not there: " << line << "\n" << outline(seen_.screen);
        return seen_;
      }
      perform(*action);
    }
    return seen_;
  }

  const Observation& seen() const { return seen_; }
  /// The text of the widget with that id, or "(not there)".
  std::string text(std::string_view id) const {
    for (const Widget& w : seen_.screen.widgets)
      if (w.id.ends_with("/" + std::string(id))) return w.text;
    return "(not there)";
  }

 private:
  std::unique_ptr<Device> device_;
  App app_;
  Observation seen_;
};

/// Writes an app's text to a file of its own and gives its spec.
inline std::string spec_of(const std::string& text, const std::string& options = "profile=instant") {
  const auto path = std::filesystem::path(testing::TempDir()) / ("norn_" + hex(hash_bytes(text)) + ".lua");
  EXPECT_TRUE(write_file(path, text));
  return "sim:" + path.string() + "?" + options;
}

inline std::uint64_t hash_of(const Observation& seen) {
  Hasher h;
  h.add(content_hash(seen.screen)).add(seen.hit.hash()).add(seen.settled ? 1 : 0);
  h.add(seen.crash ? signature(*seen.crash, Sameness::exact) : 0);
  for (const std::string& line : seen.log) h.add(line);
  return h.finish();
}

/// Anything a person, a tool or the system might do on that screen.
inline Action random_action(const Screen& screen, Rng& rng) {
  const std::size_t kind = rng.below(20);
  if (kind == 0) return Press{key::back};
  if (kind == 1) return Turn{static_cast<std::int32_t>(rng.below(4))};
  if (kind == 2) return Press{rng.chance(0.5) ? key::menu : key::home};
  if (kind == 3) {
    static const std::vector<std::string> names = {"kill",    "network-off", "network-on", "sms",
                                                   "battery", "locale",      "dark-mode",  "trim-memory",
                                                   "call",    "time-zone",   "nonsense"};
    return Signal{System{names[rng.below(names.size())], {{"value", "x"}}}};
  }
  if (kind == 4) return Sleep{static_cast<std::int32_t>(rng.below(4000))};
  if (kind == 5 || screen.kind == Screen::Kind::outside) return Open{};
  Point at{static_cast<std::int32_t>(rng.below(1080)), static_cast<std::int32_t>(rng.below(1920))};
  if (!screen.widgets.empty() && rng.chance(0.9))
    at = screen.widgets[rng.below(screen.widgets.size())].bounds.center();
  if (kind == 6) return Move{at, {at.x, at.y + (rng.chance(0.5) ? 600 : -600)}, 150};
  if (kind == 7) return Move{at, {at.x + (rng.chance(0.5) ? 500 : -500), at.y}, 150};
  if (kind == 8) return Touch{at, 900};
  if (kind == 9) return TwoFingers{at, 100, 300};
  if (kind < 13) return Text{rng.chance(0.5) ? "Milk 12" : rng.chance(0.5) ? "" : "-3.5", at};
  return Touch{at};
}

}  // namespace norn::sim
