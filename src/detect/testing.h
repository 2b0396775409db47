// For tests and benchmarks: two simple strategies that make bootstrap inputs, a service over a named device,
// and what detect reports there.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/file.h"
#include "detect/detect.h"
#include "device/faulty.h"
#include "device/open.h"
#include "gui/difference.h"
#include "gui/target.h"
#include "replay/fleet.h"

namespace norn::testing {

/// An app's text as a file; whole at every moment, because tests run side by side. Where it cannot be
/// written, opening it fails.
inline std::string app_file(const std::string& name, std::string_view text) {
  const auto path = std::filesystem::temp_directory_path() / ("norn_detect_" + name + ".lua");
  (void)write_file(path, text);
  return path.string();
}

/// A rig that now and then loses its device, an event or the state that it was to go back to.
inline FaultPlan some_faults() {
  return {.seed = 5,
          .chance = {{Fault::lost, 0.002},
                     {Fault::timeout, 0.002},
                     {Fault::wrong_restore, 0.02},
                     {Fault::dropped_event, 0.01}},
          .at_calls = {}};
}

inline std::string report_texts(const std::vector<Report>& reports) {
  std::string out;
  for (std::size_t i = 0; i < reports.size(); ++i) out += report_text(reports[i], i + 1);
  return out;
}

/// Points of what is drawn: a plain leaf that takes touches.
inline void add_points(const Widget& w, std::vector<Event>& out) {
  constexpr int side = 4;
  if (!w.cls.ends_with(".View") || w.subtree > 1) return;
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column)
      out.emplace_back(Tap{{},
                           {w.bounds.left + (w.bounds.right - w.bounds.left) * (2 * column + 1) / (2 * side),
                            w.bounds.top + (w.bounds.bottom - w.bounds.top) * (2 * row + 1) / (2 * side)}});
}

/// Everything that can be done on a screen, with a few texts.
inline std::vector<Event> possible(const Screen& s) {
  static const char* const texts[] = {"", "milk", "12", "1:05", "a"};
  std::vector<Event> out{Key{key::back}};
  for (std::size_t i = 0; i < s.widgets.size(); ++i) {
    const std::uint8_t can = accepted_by(s.widgets[i]);
    if (can == 0) continue;
    const Target t = make_target(s, i);
    const Point at = s.widgets[i].bounds.center();
    if (can & accepts_tap) out.emplace_back(Tap{t, at});
    if (can & accepts_tap) add_points(s.widgets[i], out);
    if (can & accepts_long) out.emplace_back(LongPress{t, at});
    if (can & accepts_text)
      for (const char* text : texts) out.emplace_back(Type{t, at, text});
    if (can & accepts_swipe) out.emplace_back(Swipe{t, Direction::up, at, {at.x, at.y - 300}});
  }
  out.emplace_back(Rotate{1 - s.rotation % 2});
  return out;
}

/// `fresh`: what was done least often on such a screen; otherwise anything, at random.
class Explorer final : public Chooser {
 public:
  Explorer(std::uint64_t seed, std::size_t length, bool fresh) : rng_(seed), length_(length), fresh_(fresh) {}
  Choice next(const Place& here) override {
    if (here.crashed || here.events >= length_) return Enough{};
    if (here.seen.screen.kind != Screen::Kind::app)
      return Do{outside_++ % 2 == 0 ? Event(Key{key::back}) : Event(Launch{})};
    const auto all = possible(here.seen.screen);
    return Do{all[fresh_ && rng_.chance(0.8) ? least(all, here) : rng_.below(all.size())]};
  }

 private:
  std::size_t least(const std::vector<Event>& all, const Place& here) {
    const auto state = abstract(here.seen.screen, Abstraction::actions);
    std::size_t best = rng_.below(all.size());
    for (std::size_t k = 0; k < all.size(); ++k)
      if (done_[state.value ^ event_key(all[k])] < done_[state.value ^ event_key(all[best])]) best = k;
    ++done_[state.value ^ event_key(all[best])];
    return best;
  }
  Rng rng_;
  std::size_t length_;
  bool fresh_;
  std::size_t outside_ = 0;
  std::unordered_map<std::uint64_t, int> done_;
};

/// Inputs of both strategies until `seconds` of makespan are left.
inline std::vector<BootstrapInput> explore_until(Replay& replay, double seconds_left, std::uint64_t seed,
                                                 std::size_t length = 25, std::size_t most = 100000) {
  std::vector<BootstrapInput> out;
  Explorer wild(seed, length, false), fresh(seed + 1, length, true);
  while (replay.left() > seconds_left && out.size() < most) {
    Explorer& who = out.size() % 2 == 0 ? wild : fresh;
    const auto end = replay.walk(NodeId{0}, who, {.events = length});
    if (!end && end.error().kind == Error::Kind::budget) break;
    if (end) out.push_back({*end, out.size() % 2 == 0 ? "random" : "least-tried"});
    if (!end && replay.history().size() == 0) break;
  }
  return out;
}

struct Service {
  History tree;
  std::unique_ptr<Replay> replay;
};

inline Result<std::unique_ptr<Service>> serve(const std::string& spec, const FleetOptions& options,
                                              std::size_t devices = 1, const FaultPlan* faults = nullptr) {
  auto out = std::make_unique<Service>();
  std::vector<std::unique_ptr<Device>> all;
  App app;
  for (std::size_t i = 0; i < devices; ++i) {
    NORN_TRY(OpenedDevice one, open_device(spec));
    app = one.app;
    all.push_back(faults ? faulty(std::move(one.device), *faults) : std::move(one.device));
  }
  out->replay = std::make_unique<Replay>(std::make_unique<Fleet>(std::move(all), app, out->tree, options));
  return out;
}

/// How an app is examined: for so long, of which a part goes into exploring first.
struct Examining {
  double hours = 2;
  std::vector<std::string> oracles = {"values"};
  std::size_t devices = 2;
  double exploring = 0.2;
};

/// The reports about an app, explored with the same seed every time.
inline Result<std::vector<Report>> detected(const std::string& spec, const Examining& how,
                                            const FaultPlan* faults = nullptr) {
  FleetOptions fleet;
  fleet.budget = how.hours * 3600;
  NORN_TRY(const auto service, serve(spec, fleet, how.devices, faults));
  const auto inputs = explore_until(*service->replay, fleet.budget * (1 - how.exploring), 3);
  Quiet quiet;
  DetectOptions options;
  options.oracles = how.oracles;
  NORN_TRY(Detection found, detect(*service->replay, inputs, options, quiet));
  return std::move(found.reports);
}

}  // namespace norn::testing
