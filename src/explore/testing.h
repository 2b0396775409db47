// For tests of exploring: a replay service over one device, and an exploration that must not fail.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/faulty.h"
#include "device/open.h"
#include "explore/explore.h"
#include "replay/fleet.h"
#include "replay/maze.h"

namespace norn::testing {

inline std::unique_ptr<Replay> service(std::unique_ptr<Device> device, const App& app, History& tree) {
  std::vector<std::unique_ptr<Device>> all;
  all.push_back(std::move(device));
  return std::make_unique<Replay>(std::make_unique<Fleet>(std::move(all), app, tree, FleetOptions{}));
}

inline std::unique_ptr<Replay> maze_service(const MazeOptions& maze, History& tree) {
  return service(std::make_unique<Maze>(maze), App{}, tree);
}

inline std::unique_ptr<Replay> sim_service(const std::string& spec, History& tree,
                                           const FaultPlan& faults = {}) {
  auto opened = open_device(spec);
  EXPECT_TRUE(opened) << opened.error().message();
  if (!faults.chance.empty()) opened->device = faulty(std::move(opened->device), faults);
  return service(std::move(opened->device), opened->app, tree);
}

inline Exploration explored(Replay& replay, const ExploreOptions& options, const std::stop_token& stop = {}) {
  Quiet quiet;
  auto result = explore(replay, options, quiet, stop);
  EXPECT_TRUE(result) << result.error().message();
  return result ? std::move(*result) : Exploration{};
}

}  // namespace norn::testing
