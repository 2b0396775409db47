// What reductions are tested on: apps with a crash whose few necessary events are known, buried in noise.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/faulty.h"
#include "device/open.h"
#include "device/sim.h"
#include "device/sim/truth.h"
#include "reduce/noisy.h"
#include "reduce/reduce.h"
#include "replay/fleet.h"

namespace norn::testing {

struct Subject {
  std::string spec;
  App app;
  std::vector<Event> core, noisy;
  std::uint64_t crash = 0;
};

/// A noisy trace of one of an app's known crashes.
inline std::optional<Subject> subject(const std::string& app, std::size_t bug, std::size_t length) {
  const auto truth = sim::load_truth(app);
  std::vector<sim::KnownBug> crashes;
  for (const auto& known : truth->bugs)
    if (known.kind == sim::KnownBug::Kind::crash && known.device.empty()) crashes.push_back(known);
  if (bug >= crashes.size()) return std::nullopt;
  Subject out{"sim:" + app, {}, crashes[bug].events, {}, 0};
  auto opened = open_device(out.spec);
  out.app = opened->app;
  NoisyTraces traces(*opened->device, out.app, out.core, 7 + bug);
  const auto noisy = traces.make(length);
  if (!noisy) return std::nullopt;
  out.noisy = *noisy;
  out.crash = *traces.crash();
  return out;
}

/// The service over devices for a subject, with a tree of its own or an older one's.
struct Bench {
  History own;
  std::unique_ptr<Replay> replay;

  explicit Bench(const Subject& s, std::size_t devices = 1, FleetOptions options = {},
                 std::optional<FaultPlan> faults = std::nullopt, History* tree = nullptr) {
    std::vector<std::unique_ptr<Device>> all;
    for (std::size_t i = 0; i < devices; ++i) {
      auto device = std::move(open_device(s.spec)->device);
      all.push_back(faults ? faulty(std::move(device), *faults) : std::move(device));
    }
    replay =
        std::make_unique<Replay>(std::make_unique<Fleet>(std::move(all), s.app, tree ? *tree : own, options));
  }
};

inline ReduceOptions options_for(const Subject& s, const std::string& algorithm = "norn") {
  ReduceOptions options;
  options.algorithm = algorithm;
  options.watch = SameCrash{s.crash, Sameness::frames};
  options.prices.snapshots = true;
  return options;
}

inline std::vector<std::string> described(const Reduction& r) {
  std::vector<std::string> out;
  for (const auto& kept : r.events) out.push_back(describe(kept.event));
  return out;
}

/// How many of `runs` plain cold replays end in the subject's crash (0: in any): the other way to a
/// certificate.
inline std::uint32_t crashes_of(const Subject& s, const std::vector<Event>& events, std::uint32_t runs = 1) {
  auto opened = open_device(s.spec);
  std::uint32_t crashed = 0;
  for (std::uint32_t i = 0; i < runs; ++i) {
    const Plain run = plain_replay(*opened->device, s.app, events, Missing::skip, 100 + i);
    crashed += run.crash && (s.crash == 0 || signature(*run.crash, Sameness::frames) == s.crash);
  }
  return crashed;
}

inline std::vector<Event> without(std::vector<Event> events, std::size_t i) {
  events.erase(events.begin() + static_cast<std::ptrdiff_t>(i));
  return events;
}

}  // namespace norn::testing
