// How fast exploring is, where the time goes, and whether an event costs the same late as early: one long exploration
// with everything a command has, the store included.
//
//   explore_speed_bench [--events N] [--screens N] [--strategy NAME] [--no-store]
//
// CPU time of this thread, each 10,000 events: in the device (the simulated app itself), in the strategy, in the store,
// and the rest (replay loop, tree, state graph). Confirming the crashes comes after and is not part of the rows.
#include <fmt/core.h>
#include <sys/resource.h>
#include <time.h>

#include <filesystem>

#include "base/text.h"
#include "device/open.h"
#include "explore/explore.h"
#include "replay/fleet.h"
#include "store/store.h"

namespace norn {
namespace {

constexpr std::uint64_t row_events = 10'000;

double cpu_now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Adds the CPU time of its life to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum), begin_(cpu_now()) {}
  ~Stopwatch() { sum_ += cpu_now() - begin_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& sum_;
  double begin_;
};

struct Times {
  double device = 0, strategy = 0, store = 0;
};

class TimedDevice final : public Device {
  template <class Call>
  auto timed(Call call) {
    const Stopwatch watch(sum_);
    return call();
  }

 public:
  TimedDevice(std::unique_ptr<Device> inner, double& sum) : inner_(std::move(inner)), sum_(sum) {}
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
  double& sum_;
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
    const Stopwatch watch(times_.strategy);
    inner_->saw(now);
  }
  Decision next(const Situation& now) override {
    const Stopwatch watch(times_.strategy);
    return inner_->next(now);
  }

 private:
  void row(std::uint64_t events) {
    rows_ = events / row_events;
    const double cpu = cpu_now() - begin_, device = times_.device - last_.device,
                 strategy = times_.strategy - last_.strategy, store = times_.store - last_.store;
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
    const Stopwatch watch(times.store);
    return store->append(id, run, *tree, what, seen.at);
  };
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<TimedDevice>(std::move(opened.device), times.device));
  Replay replay(std::make_unique<Fleet>(std::move(devices), app, *tree, FleetOptions{},
                                        plan.store ? std::move(journal) : Journal{}));
  ExploreOptions options;
  options.strategy = plan.strategy, options.events = plan.events;
  options.package = app.name, options.activities = info.activities,
  options.coverable = info.coverable;
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
  norn::Plan plan;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    const auto number = [&] {
      return static_cast<std::uint64_t>(i + 1 < argc ? norn::to_int(argv[++i]).value_or(1) : 1);
    };
    if (arg == "--events")
      plan.events = number();
    else if (arg == "--screens")
      plan.screens = number();
    else if (arg == "--strategy")
      plan.strategy = i + 1 < argc ? argv[++i] : "";
    else if (arg == "--no-store")
      plan.store = false;
    else
      return fmt::print(stderr, "explore_speed_bench: {}: unknown\n", arg), 2;
  }
  if (const auto status = norn::run(plan); !status)
    return fmt::print(stderr, "{}\n", status.error().message()), 1;
  return 0;
}
