// Figures of the replay service: the sequential test's operating curve, the planner against hindsight and simple policies, makespan by
// pool size, overhead a step.
//
//     build/release/bench/replay_bench [--full]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "device/open.h"
#include "replay/fleet.h"
#include "replay/maze.h"
#include "replay/plain.h"
#include "replay/statistics.h"
#include "replay/stream.h"

namespace {
using namespace norn;
using testing::Maze;
using testing::MazeOptions;

void operating_curve(bool full) {
  const int decisions = full ? 2000 : 500;
  fmt::print(
      "sequential test, r0 = 0.7, error 0.05, {} decisions a row: H0 p <= 0.28, H1 p >= 0.56\n  true rate   "
      "says yes   mean runs\n",
      decisions);
  Rng rng(1);
  for (const double p : {0.05, 0.1, 0.2, 0.28, 0.35, 0.42, 0.5, 0.56, 0.7, 0.85, 0.99}) {
    int yes = 0;
    std::uint64_t runs = 0;
    for (int i = 0; i < decisions; ++i) {
      std::uint32_t k = 0, n = 0;
      std::optional<bool> verdict;
      while (!verdict) {
        k += rng.chance(p);
        verdict = sequential_test(k, ++n, 0.7, 0.05);
      }
      yes += *verdict;
      runs += n;
    }
    fmt::print("  {:9.2f} {:10.3f} {:11.1f}\n", p, yes / static_cast<double>(decisions),
               static_cast<double>(runs) / decisions);
  }
}

double under_service(const testing::Stream& stream, std::size_t snapshots) {
  MazeOptions maze{.seed = 3, .pages = 5, .buttons = 4, .crashes = false};
  History tree;
  FleetOptions options;
  options.memory = false;
  options.snapshots.number = snapshots;
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<Maze>(maze));
  Replay replay(std::make_unique<Fleet>(std::move(devices), App{}, tree, options));
  std::vector<Event> alphabet;  // points, so that every event is always possible
  for (std::int32_t b = 0; b < 4; ++b) alphabet.emplace_back(Tap{{}, {500, b * 100 + 45}});
  for (const auto& list : stream.lists) {
    std::vector<Event> events;
    for (const auto e : list) events.push_back(alphabet[e]);
    replay.ask({.events = replay.intern(events), .missing = Missing::point});
  }
  return replay.spent().device_seconds;
}

void planner(bool full) {
  fmt::print(
      "\nplanner on request streams with locality (no hints, no memory), device seconds relative to the best "
      "placement in hindsight\n");
  fmt::print("  {:<26} {:>8} {:>8} {:>8} {:>8} {:>8}   worst against none\n", "streams", "norn", "none",
             "every 4", "every 8", "best");
  const Costs costs;
  for (const auto& [requests, longest, exhaustive] : {std::tuple{12U, 6U, true}, {200U, 40U, false}}) {
    double sums[4] = {}, worst = 0;
    int streams = 0, count = full ? 40 : exhaustive ? 12 : 4;
    for (int i = 0; i < count; ++i) {
      const auto stream = testing::random_stream(static_cast<std::uint64_t>(i) + 1, requests, 4, longest);
      const double best = testing::hindsight(stream, costs, exhaustive ? 3 : 6, exhaustive);
      const double ours = under_service(stream, 16);
      const double none = testing::cost_of(stream, costs, 0, [](auto, auto) { return false; });
      const double lru = testing::cost_of(stream, costs, 16, [&](std::uint32_t node, std::size_t d) {
        (void)node;
        return d > 0 && d % 4 == 0;
      });
      const double every = testing::cost_of(stream, costs, 16,
                                            [](std::uint32_t, std::size_t d) { return d > 0 && d % 8 == 0; });
      sums[0] += ours / best, sums[1] += none / best, sums[2] += lru / best, sums[3] += every / best;
      worst = std::max(worst, ours / none);
      ++streams;
    }
    fmt::print("  {:<26}", fmt::format("{} of {} requests <= {}", streams, requests, longest));
    for (const double sum : sums) fmt::print(" {:>8.2f}", sum / streams);
    fmt::print(" {:>8.2f}   {:.3f}\n", 1.0, worst);
  }
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

class Wander final : public Chooser {
 public:
  Choice next(const Place& here) override {
    if (here.crashed) return Restart{};
    return Do{Tap{{}, {500, static_cast<std::int32_t>(rng_.below(4)) * 100 + 45}}};
  }

 private:
  Rng rng_{5};
};

void overhead(bool full) {
  fmt::print("\na walk on the maze (device work included): microseconds a step\n");
  const MazeOptions maze{.seed = 3, .crashes = false};
  History tree;
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<Maze>(maze));
  Replay replay(std::make_unique<Fleet>(std::move(devices), App{}, tree, FleetOptions{}));
  Wander wander;
  const std::uint64_t part = full ? 250'000 : 50'000;
  NodeId at = tree.root();
  for (int i = 0; i < 4; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto end = replay.walk(tree.root(), wander, {.events = part});
    if (end) at = *end;
    const double us =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    fmt::print("  steps {:>8} to {:>8}: {:.2f} us\n", part * static_cast<std::uint64_t>(i),
               part * static_cast<std::uint64_t>(i + 1), us / static_cast<double>(part));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool full = argc > 1 && std::string(argv[1]) == "--full";
  operating_curve(full);
  planner(full);
  pools();
  overhead(full);
}
