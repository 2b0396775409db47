// For tests of suites: a replay service with its tree, over mazes or simulated apps; taps by id and random
// walks; what traces do, found out on devices of their own.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "device/open.h"
#include "replay/fleet.h"
#include "replay/maze.h"
#include "replay/replay.h"
#include "suite/random_walk.h"
#include "suite/suite.h"

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

inline std::vector<NodeId> record(Replay& replay, std::uint64_t seed, std::uint64_t events) {
  RandomWalk walk(seed, events);
  EXPECT_TRUE(replay.walk(NodeId{0}, walk, {}));
  return walk.ends;
}

/// What a list of traces does, found out on devices of its own.
struct Truth {
  Coverage code;
  std::set<StateId> screens;
  std::set<std::uint64_t> crashes;
  bool has(const Truth& o) const {
    return o.code.within(code) &&
           std::includes(screens.begin(), screens.end(), o.screens.begin(), o.screens.end()) &&
           std::includes(crashes.begin(), crashes.end(), o.crashes.begin(), o.crashes.end());
  }
};
inline Truth truth_of(Rigged fresh, const std::vector<std::vector<Event>>& traces) {
  Truth out;
  for (const auto& events : traces) {
    const Outcome o = fresh.replay->ask({.events = fresh.replay->intern(events),
                                         .watch = Completes{},
                                         .sure = Sure::certified,
                                         .repeats = 1});
    for (const NodeId node : fresh.tree->path(o.end)) {
      out.code |= fresh.tree->hit(node);
      if (const Crash* crash = fresh.tree->crash(node))
        out.crashes.insert(signature(*crash, Sameness::frames));
      else
        out.screens.insert(abstract(fresh.tree->screen(node), Abstraction::actions_plus));
    }
  }
  out.code |= fresh.tree->hit(fresh.tree->root());
  out.screens.insert(abstract(fresh.tree->screen(fresh.tree->root()), Abstraction::actions_plus));
  return out;
}
inline std::vector<std::vector<Event>> events_of(const History& tree, const std::vector<NodeId>& ends) {
  std::vector<std::vector<Event>> out;
  for (const NodeId end : ends) out.push_back(tree.events_to(end));
  return out;
}
inline std::vector<std::vector<Event>> events_of(const History& tree, const SuiteResult& suite) {
  std::vector<NodeId> ends;
  for (const SuiteTrace& trace : suite.traces) ends.push_back(trace.end);
  return events_of(tree, ends);
}
inline SuiteResult make(Replay& replay, const std::vector<NodeId>& traces, const SuiteOptions& options = {}) {
  Quiet quiet;
  auto suite = make_suite(replay, traces, options, quiet);
  EXPECT_TRUE(suite) << suite.error().message();
  return suite ? std::move(*suite) : SuiteResult{};
}

}  // namespace norn::testing
