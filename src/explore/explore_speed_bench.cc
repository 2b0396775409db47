// How fast exploring is, where the time goes, and whether an event costs the same late as early: one long
// exploration with everything a command has, the store included.
//
//   explore_speed_bench [--events N] [--screens N] [--strategy NAME] [--no-store]
//
// CPU time of this thread, each 10,000 events, and what part of the time goes to the device (the simulated
// app itself), the strategy, the store, and the rest (replay loop, tree, state graph). Confirming the crashes
// comes after and is not part of the rows.
#include <fmt/core.h>
#include <sys/resource.h>

#include <filesystem>

#include "device/open.h"
#include "explore/bench_main.h"
#include "explore/explore.h"
#include "replay/fleet.h"
#include "store/store.h"

namespace norn {
namespace {

constexpr std::uint64_t row_events = 10'000;

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Asking for the CPU time of a thread costs more than many of the things measured: parts are timed in one
/// event of 4.
constexpr std::uint64_t one_of = 4;
constexpr double in_all = one_of;  ///< times what was measured

struct Times {
  double device = 0, strategy = 0, store = 0;
  bool measured = false;  ///< this event
};

/// Adds the CPU time of its life to a sum.
class Stopwatch {
 public:
  Stopwatch(const Times& times, double& sum) : sum_(times.measured ? &sum : nullptr) {
    if (sum_) begin_ = cpu_now();
  }
  ~Stopwatch() {
    if (sum_) *sum_ += cpu_now() - begin_;
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double* sum_;
  double begin_ = 0;
};

class TimedDevice final : public Device {
  template <class Call>
  auto timed(Call call) {
    const Stopwatch watch(times_, times_.device);
    return call();
  }

 public:
  TimedDevice(std::unique_ptr<Device> inner, Times& times) : inner_(std::move(inner)), times_(times) {}
  DeviceInfo info() const override { return inner_->info(); }
  Status start(const App& app, Nonce nonce) override {
    return timed([&] { return inner_->start(app, nonce); });
  }
  Result<Observation> observe() override {
    return timed([&] { return inner_->observe(); });
  }
  Status perform(const Action& action, Pace pace) override {
    return timed([&] { return inner_->perform(action, pace); });
  }
  Result<SnapshotId> save() override {
    return timed([&] { return inner_->save(); });
  }
  Status restore(SnapshotId snapshot, Nonce nonce) override {
    return timed([&] { return inner_->restore(snapshot, nonce); });
  }
  void forget(SnapshotId snapshot) override { inner_->forget(snapshot); }
  double meter() const override { return inner_->meter(); }

 private:
  std::unique_ptr<Device> inner_;
  Times& times_;
};

/// Prints a row whenever another 10,000 events are done.
class TimedStrategy final : public Strategy {
 public:
  TimedStrategy(std::unique_ptr<Strategy> inner, Times& times) : inner_(std::move(inner)), times_(times) {
    fmt::print("{:>8} {:>8} {:>9} | {:>7} {:>9} {:>7} {:>7} | {:>7}\n", "events", "CPU s", "events/s",
               "device", "strategy", "store", "rest", "MB");
  }
  void saw(const Situation& now) override {
    if (now.events / row_events > rows_) row(now.events);
    const Stopwatch watch(times_, times_.strategy);
    inner_->saw(now);
  }
  Decision next(const Situation& now) override {
    times_.measured = now.events % one_of == 0;
    const Stopwatch watch(times_, times_.strategy);
    return inner_->next(now);
  }

 private:
  void row(std::uint64_t events) {
    rows_ = events / row_events;
    const double cpu = cpu_now() - begin_, device = in_all * (times_.device - last_.device),
                 strategy = in_all * (times_.strategy - last_.strategy),
                 store = in_all * (times_.store - last_.store);
    const auto share = [&](double part) { return fmt::format("{:.0f} %", 100 * part / cpu); };
    fmt::print("{:>8} {:>8.2f} {:>9.0f} | {:>7} {:>9} {:>7} {:>7} | {:>7.0f}\n", events, cpu,
               row_events / cpu, share(device), share(strategy), share(store),
               share(cpu - device - strategy - store), peak_megabytes());
    last_ = times_, begin_ = cpu_now();
  }

  std::unique_ptr<Strategy> inner_;
  Times& times_;
  Times last_;
  std::uint64_t rows_ = 0;
  double begin_ = cpu_now();
};

struct Plan {
  std::uint64_t events = 100'000, screens = 2000;
  std::string strategy = "norn";
  bool store = true;
};

Status run(const Plan& plan) {
  Times times;
  NORN_TRY(auto opened, open_device(fmt::format("sim:generated?seed=7&screens={}", plan.screens)));
  const DeviceInfo info = opened.device->info();
  const App app = opened.app;
  const auto file = std::filesystem::temp_directory_path() / fmt::format("norn_speed_{}.db", getpid());
  NORN_TRY(auto store, Store::open(file, Access::write, "bench"));
  NORN_TRY(const AppId id, store->app({app, info.kind, info.width, info.height, info.locale}));
  NORN_TRY(const auto tree, store->load(id));
  NORN_TRY(const RunId run, store->begin_run(id, "bench", {}));
  Journal journal = [&](const Appended& what, Heat, const Observation& seen) {
    const Stopwatch watch(times, times.store);
    return store->append(id, run, *tree, what, seen.at);
  };
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<TimedDevice>(std::move(opened.device), times));
  Replay replay(std::make_unique<Fleet>(std::move(devices), app, *tree, FleetOptions{},
                                        plan.store ? std::move(journal) : Journal{}));
  ExploreOptions options;
  options.strategy = plan.strategy, options.events = plan.events;
  options.package = app.name, options.activities = info.activities, options.coverable = info.coverable;
  options.custom = [&](StrategyContext& context) -> Result<std::unique_ptr<Strategy>> {
    NORN_TRY(auto inner, make_strategy(plan.strategy, context));
    return std::make_unique<TimedStrategy>(std::move(inner), times);
  };
  const double begin = cpu_now();
  Quiet quiet;
  NORN_TRY(const Exploration result, explore(replay, options, quiet));
  const Effort spent = replay.spent();
  const double cpu = cpu_now() - begin;
  fmt::print(
      "all: {} events ({} while exploring), {} clean starts, {} returns in {:.1f} s of CPU: {:.0f} events/s; "
      "{:.0f} "
      "MB; {} states, {} crashes; store {:.1f} MB\n",
      spent.events, result.events, spent.restarts, spent.snapshot_loads, cpu,
      static_cast<double>(spent.events) / cpu, peak_megabytes(), result.graph.size(), result.crashes.size(),
      static_cast<double>(std::filesystem::file_size(file)) / 1e6);
  store.reset();
  for (const char* end : {"", "-wal", "-shm", "-lock"}) std::filesystem::remove(file.string() + end);
  return {};
}

}  // namespace
}  // namespace norn

int main(int argc, char** argv) {
  using norn::into;
  norn::Plan plan;
  return norn::bench_main(argc, argv,
                          {{"--events", into(plan.events)},
                           {"--screens", into(plan.screens)},
                           {"--strategy", into(plan.strategy)},
                           {"--no-store", norn::when([&] { plan.store = false; })}},
                          [&] { return norn::run(plan); });
}
