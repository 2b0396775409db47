// What the benches of suite share: apps by name, inputs made by exploring, a tree's traces.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "device/open.h"
#include "device/sim.h"
#include "explore/explore.h"
#include "replay/fleet.h"
#include "suite/suite.h"

namespace norn::bench {

struct Rigged {
  std::unique_ptr<History> tree = std::make_unique<History>();
  std::unique_ptr<Replay> replay;
  DeviceInfo info;
};

/// Ends the program with a message where the device cannot be opened: a bench has no better answer.
inline Rigged open_rig(const std::string& spec, FleetOptions options = {}) {
  auto opened = open_device(spec);
  if (!opened) {
    fmt::print(stderr, "{}\n", opened.error().message());
    std::exit(2);
  }
  Rigged rig;
  rig.info = opened->device->info();
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::move(opened->device));
  rig.replay =
      std::make_unique<Replay>(std::make_unique<Fleet>(std::move(devices), opened->app, *rig.tree, options));
  return rig;
}

/// The traces of a tree: where it ends.
inline std::vector<NodeId> leaves(const History& tree) {
  std::vector<NodeId> out;
  for (std::uint32_t i = 1; i < tree.size(); ++i)
    if (tree.children(NodeId{i}).empty()) out.push_back(NodeId{i});
  return out;
}

/// Fills the rig's tree with what a strategy does in so many device seconds.
inline std::vector<NodeId> make_input(Rigged& rig, const std::string& strategy, double seconds,
                                      std::uint64_t seed) {
  ExploreOptions options;
  options.strategy = strategy;
  options.seed = seed;
  options.seconds = seconds;
  options.confirm = 0;
  options.system_events = false;
  options.stay = true;
  Quiet quiet;
  const auto done = explore(*rig.replay, options, quiet);
  if (!done) fmt::print(stderr, "{}: {}\n", rig.info.name, done.error().message());
  return leaves(*rig.tree);
}

inline Prices prices_of(const DeviceInfo& info) {
  return {info.guess.event, info.guess.restart, info.guess.save, info.guess.load, info.snapshots};
}

struct Named {
  std::string name, spec, group;
};

struct Arguments {
  bool full = false;
  std::string apps, only;   ///< a folder; a part of the names of those wanted
  std::string part;         ///< one part of the bench; empty: all
  bool ours = false;        ///< without the published algorithm
  std::size_t mutants = 0;  ///< of each app; 0: what the bench takes
  std::uint64_t seed = 4711;
  double hours = 0;
  double hidden = 0.3;  ///< of generated apps: as in life, says calibrate_bench
};
inline Arguments arguments(int argc, char** argv) {
  Arguments out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--full")
      out.full = true;
    else if (word == "--apps" && more)
      out.apps = argv[++i];
    else if (word == "--only" && more)
      out.only = argv[++i];
    else if (word == "--part" && more)
      out.part = argv[++i];
    else if (word == "--mutants" && more)
      out.mutants = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--ours")
      out.ours = true;
    else if (word == "--seed" && more)
      out.seed = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--hours" && more)
      out.hours = std::strtod(argv[++i], nullptr);
    else if (word == "--hidden" && more)
      out.hidden = std::strtod(argv[++i], nullptr);
    else {
      fmt::print(
          stderr,
          "usage: {} [--full] [--apps DIR] [--only NAME] [--part PART] [--ours] [--mutants N] [--seed N] "
          "[--hours H] [--hidden P]\n",
          argv[0]);
      std::exit(2);
    }
  }
  return out;
}

/// Bundled, generated, and somebody's own, apart.
inline std::vector<Named> apps_of(const Arguments& args) {
  const auto [full, folder, seed] = std::tuple(args.full, args.apps, args.seed);
  std::vector<Named> out;
  const std::vector<std::string> quick{"notes", "mail", "shop"};
  for (const std::string& name : full ? sim_apps() : quick)
    out.push_back({name, fmt::format("sim:{}?bugs=none", name), "bundled"});
  for (std::uint64_t i = 0; i < (full ? 6U : 2U); ++i)
    out.push_back({fmt::format("gen-{}", seed + i),
                   fmt::format("sim:generated?seed={}&screens={}&hidden={}&bugs=none", seed + i,
                               full ? 30 + 20 * i : 30, args.hidden),
                   "generated"});
  if (!folder.empty())
    for (const auto& file : std::filesystem::directory_iterator(folder))
      if (file.path().extension() == ".lua")
        out.push_back(
            {file.path().stem().string(), fmt::format("sim:{}?bugs=none", file.path().string()), "--apps"});
  std::erase_if(out, [&](const Named& app) {
    if (app.name.find(args.only) == std::string::npos) return true;
    const auto opened = open_device(app.spec);
    if (!opened) fmt::print(stderr, "{} is left out: {}\n", app.name, opened.error().message());
    return !opened;
  });
  return out;
}

/// Of an even number the larger of the two in the middle, as the figures in docs/suite.md are.
inline double upper_median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace norn::bench
