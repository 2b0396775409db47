// For tests of suites: a replay service with its tree, over mazes or simulated apps, and taps by id.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "device/open.h"
#include "replay/fleet.h"
#include "replay/maze.h"
#include "replay/replay.h"

namespace norn::testing {

using Devices = std::vector<std::unique_ptr<Device>>;

/// A service with its tree.
struct Rigged {
  std::unique_ptr<History> tree = std::make_unique<History>();
  std::unique_ptr<Replay> replay;

  Rigged(Devices devices, const App& app, FleetOptions options = {}) {
    replay = std::make_unique<Replay>(std::make_unique<Fleet>(std::move(devices), app, *tree, options));
  }
};
inline Rigged maze_rig(const MazeOptions& maze, std::size_t devices = 1, FleetOptions options = {}) {
  Devices all;
  for (std::size_t i = 0; i < devices; ++i) all.push_back(std::make_unique<Maze>(maze));
  return {std::move(all), App{}, options};
}
inline Rigged app_rig(const std::string& spec) {
  auto opened = open_device(spec);
  EXPECT_TRUE(opened) << opened.error().message();
  Devices all;
  all.push_back(std::move(opened->device));
  return {std::move(all), opened->app};
}
inline Rigged sim_rig(const std::string& file, const std::string& query = "") {
  return app_rig("sim:" NORN_SOURCE_DIR "/tests/data/sim/" + file + query);
}

inline Event tap(const char* package, const char* id) {
  Tap out;
  out.target.id = fmt::format("{}:id/{}", package, id);
  return out;
}
/// Runs the taps and gives the node they end at.
inline NodeId run_taps(Rigged& rig, const char* package, const std::vector<const char*>& ids) {
  std::vector<Event> events;
  for (const char* id : ids) events.push_back(tap(package, id));
  const Outcome o = rig.replay->ask({.events = rig.replay->intern(events)});
  EXPECT_EQ(o.verdict, Verdict::yes);
  EXPECT_EQ(o.used, ids.size());
  return o.end;
}

}  // namespace norn::testing
