// Is a suite too long, or the bound too low? On mazes the states behind the screens are known: the linear
// program of suite/bound.h can be solved over them as well as over what shows.
//
//     build/release/bench/suite_maze_bench
#include <fmt/core.h>

#include <set>
#include <string>

#include "replay/fleet.h"
#include "replay/maze.h"
#include "suite/bound.h"
#include "suite/random_walk.h"
#include "suite/suite.h"

namespace {
using namespace norn;
using testing::MazeOptions;

constexpr std::uint32_t page_items = 10000, crash_items = 20000;

/// What testing::Maze does, with its hidden counter in the open.
struct Pressed {
  std::uint32_t page, hidden;
  bool crashed;
};
Pressed press(const MazeOptions& o, std::uint32_t page, std::uint32_t hidden, std::uint32_t button) {
  const auto roll = [&](std::uint64_t c) {
    return Hasher().add(o.seed).add(page).add(button).add(c).finish();
  };
  if (o.crashes && roll(77) % 9 == 0 && hidden == o.hidden - 1) return {page, hidden, true};
  const std::uint64_t next = roll(hidden % 2);
  if (next % 3 == 0) hidden = (hidden + 1) % o.hidden;
  if (next % 2 == 0) page = static_cast<std::uint32_t>(next / 8 % o.pages);
  return {page, hidden, false};
}

std::uint32_t page_of(const History& tree, NodeId node) {
  return static_cast<std::uint32_t>(std::stoul(tree.screen(node).activity.substr(4)));
}

ItemSet items_of_step(std::uint32_t from, std::uint32_t button, std::uint32_t to, bool crashed) {
  ItemSet out;
  out.add(from * 100 + button);
  if (crashed) out.add(crash_items + from);
  if (!crashed && to != 0) out.add(page_items + to);
  return out;
}

/// The bound over the true states, of the steps between pages that were ever executed.
double truly_at_least(const MazeOptions& maze, const History& tree, const std::vector<NodeId>& ends) {
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> executed;
  const auto shown = [](std::uint32_t page, bool crashed) { return crashed ? UINT32_MAX : page; };
  for (std::uint32_t n = 1; n < tree.size(); ++n) {
    const auto hit = tree.hit(NodeId{n}).ids();
    if (hit.empty()) continue;
    executed.emplace(hit[0] / 100, hit[0] % 100, shown(page_of(tree, NodeId{n}), tree.crash(NodeId{n})));
  }
  ItemSet wanted;
  for (const NodeId end : ends)
    for (const NodeId node : tree.path(end))
      if (const auto hit = tree.hit(node).ids(); !hit.empty())
        wanted |= items_of_step(hit[0] / 100, hit[0] % 100, page_of(tree, node), tree.crash(node));
  std::vector<Passage> passages;
  for (std::uint32_t page = 0; page < maze.pages; ++page)
    for (std::uint32_t hidden = 0; hidden < maze.hidden; ++hidden)
      for (std::uint32_t button = 0; button <= maze.buttons; ++button) {
        const Pressed to = press(maze, page, hidden, button);
        if (!executed.contains({page, button, shown(to.page, to.crashed)})) continue;
        const Joint place = to.crashed ? Joint{1} << 40U : Joint{to.page} * 100 + to.hidden;
        passages.push_back(
            {Joint{page} * 100 + hidden, place, items_of_step(page, button, to.page, to.crashed)});
      }
  return cheapest_at_least(passages, 0, wanted, {}, 4'000'000'000);
}

struct Ratios {
  double shown = 0, truly = 0;
};

Ratios measure(const MazeOptions& maze, std::uint64_t events) {
  History tree;
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<testing::Maze>(maze));
  Replay replay(std::make_unique<Fleet>(std::move(devices), App{}, tree, FleetOptions{}));
  testing::RandomWalk walk(maze.seed, events);
  if (!replay.walk(NodeId{0}, walk, {})) return {};
  SuiteOptions options;
  options.bound = true;
  Quiet quiet;
  const auto suite = make_suite(replay, walk.ends, options, quiet);
  if (!suite) return {};
  return {suite->after.run_seconds / suite->run_at_least,
          suite->after.run_seconds / truly_at_least(maze, tree, walk.ends)};
}

}  // namespace

int main() {
  struct Kind {
    std::uint32_t pages, buttons, hidden;
    std::uint64_t events;
  };
  constexpr std::uint64_t seeds = 8;
  fmt::print("run time of the suite over the bound, means of {} mazes each\n", seeds);
  for (const Kind& kind : {Kind{8, 4, 1, 600}, Kind{8, 4, 3, 600}, Kind{8, 4, 8, 1000}, Kind{30, 5, 1, 3000},
                           Kind{30, 5, 3, 3000}}) {
    Ratios sum;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const Ratios one = measure(
          {.seed = seed, .pages = kind.pages, .buttons = kind.buttons, .hidden = kind.hidden}, kind.events);
      sum.shown += one.shown, sum.truly += one.truly;
    }
    fmt::print("{:>2} pages, hidden counter of {}: over what shows {:.3f}, over the true states {:.3f}\n",
               kind.pages, kind.hidden, sum.shown / seeds, sum.truly / seeds);
    std::fflush(stdout);
  }
}
