// Figures of the replay service: the planner against hindsight and simple policies, makespan by pool size,
// overhead a step.
//
//     build/release/bench/replay_bench [--full]
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string>

#include "replay/fleet.h"
#include "replay/maze.h"
#include "replay/stream.h"

namespace {
using namespace norn;
using testing::Maze;
using testing::MazeOptions;

void planner(bool full) {
  fmt::print(
      "planner on request streams with locality (no hints, no memory): device seconds relative to what "
      "nobody can beat, the best "
      "placement of any number of snapshots in hindsight\n");
  fmt::print("  {:<32} {:>6} {:>6} {:>6} {:>8}   norn / none in the worst stream\n", "streams", "norn",
             "none", "lru", "every 8");
  for (const auto& [requests, longest] : {std::pair{12U, 6U}, {50U, 12U}, {200U, 40U}, {1000U, 60U}}) {
    const std::size_t streams = full ? 200 : 20;
    const auto c = testing::compare(1, streams, requests, longest);
    fmt::print("  {:<32} {:>6.2f} {:>6.2f} {:>6.2f} {:>8.2f}   {:.3f}\n",
               fmt::format("{} of {} requests <= {}", streams, requests, longest), c.norn, c.none, c.lru,
               c.every8, c.worst);
  }
}

void shared_prefixes() {
  fmt::print(
      "\n1,000 requests that share prefixes (a trunk of 60 events, emulator's costs, 16 snapshots): device "
      "seconds\n");
  const testing::Stream stream = testing::trunk_stream(1, 1000);
  const double cold = testing::under_service(stream, 0), warm = testing::under_service(stream, 16);
  fmt::print("  cold {:.0f} s, with snapshots {:.0f} s: {:.2f} of it (best in hindsight: {:.2f})\n", cold,
             warm, warm / cold, testing::hindsight(stream, Costs{}) / cold);
}

void pools() {
  fmt::print(
      "\nbatches of 20 questions, the lowest yes wanted: makespan by number of devices (virtual seconds)\n");
  for (const std::size_t devices : {1U, 2U, 4U, 8U}) {
    const MazeOptions maze{.seed = 6};
    History tree;
    std::vector<std::unique_ptr<Device>> all;
    for (std::size_t i = 0; i < devices; ++i) all.push_back(std::make_unique<Maze>(maze));
    Replay replay(std::make_unique<Fleet>(std::move(all), App{}, tree, FleetOptions{}));
    const auto alphabet = Maze::alphabet(maze);
    Rng rng(3);
    for (int round = 0; round < 30; ++round) {
      std::vector<Request> batch;
      for (int i = 0; i < 20; ++i) {
        std::vector<Event> events;
        for (int k = 0; k < 25; ++k) events.push_back(alphabet[rng.below(alphabet.size())]);
        batch.push_back({.events = replay.intern(events), .watch = AnyCrash{}, .missing = Missing::skip});
      }
      replay.ask(batch, Until::lowest_yes);
    }
    fmt::print("  {} devices: makespan {:8.0f} s, device time {:8.0f} s\n", devices,
               replay.spent().makespan_seconds, replay.spent().device_seconds);
  }
}

/// Touches at random, and notes the computing time after each quarter of the way.
class Wander final : public Chooser {
 public:
  explicit Wander(std::uint64_t events) : part_(events / 4) {}
  Choice next(const Place& here) override {
    if (here.crashed) return Restart{};
    return Do{Tap{{}, {500, static_cast<std::int32_t>(rng_.below(4)) * 100 + 45}}};
  }
  void saw(const Place& here, const Appended&) override {
    if (here.events % part_ == 0) quarters.push_back(std::clock());
  }
  std::vector<std::clock_t> quarters{std::clock()};

 private:
  std::uint64_t part_;
  Rng rng_{5};
};

void overhead(bool full) {
  const std::uint64_t events = full ? 1'000'000 : 200'000;
  fmt::print("\none walk of {} steps on the maze (device work included): microseconds of computing a step\n",
             events);
  History tree;
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<Maze>(MazeOptions{.seed = 3, .crashes = false}));
  Replay replay(std::make_unique<Fleet>(std::move(devices), App{}, tree, FleetOptions{}));
  Wander wander(events);
  if (!replay.walk(tree.root(), wander, {.events = events})) return;
  for (std::size_t i = 1; i < wander.quarters.size(); ++i) {
    const double seconds = static_cast<double>(wander.quarters[i] - wander.quarters[i - 1]) / CLOCKS_PER_SEC;
    fmt::print("  quarter {}: {:.2f} us\n", i, seconds * 1e6 / static_cast<double>(events / 4));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool full = argc > 1 && std::string(argv[1]) == "--full";
  planner(full);
  shared_prefixes();
  pools();
  overhead(full);
}
