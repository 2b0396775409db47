// Steps a second and bytes a step, with 94-node screens of which 98 % are repeats; and how that holds as the
// file grows to a million steps. `store_bench [STEPS]`.
#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <vector>

#include "store/store.h"
#include "store/testing.h"

namespace norn {
namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Walks with parts that are interned already, so that what is measured is the store.
class Bench {
 public:
  Bench(Store& store, AppId app, History& tree) : store_(store), app_(app), tree_(tree) {
    for (std::uint32_t i = 0; i < 400; ++i) {
      Target target;
      target.id = fmt::format("org.example.app:id/item_{}", i);
      events_.push_back(tree.put_event(Tap{target, {static_cast<std::int32_t>(i), 7}}));
    }
    at_ = tree.root();
  }

  bool steps(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const bool fresh = done_ % 50 == 0;
      const double t = fresh ? seconds() : 0;
      if (fresh) add_screen();
      if (fresh) making_ += seconds() - t;
      const Sample& seen = seen_[rng_.below(seen_.size())];
      const Appended made = done_ == 0
                                ? tree_.append_root(seen, Heat::cold)
                                : tree_.append(at_, events_[rng_.below(events_.size())], seen, Heat::cold);
      const Status kept = store_.append(app_, {}, tree_, made, static_cast<double>(done_) * 0.65);
      if (!kept) {
        fmt::print("{}\n", kept.error().message());
        return false;
      }
      at_ = rng_.chance(0.01) ? tree_.root() : made.node;
      ++done_;
    }
    return true;
  }
  double making() const { return making_; }

 private:
  void add_screen() {
    const auto number = static_cast<std::uint32_t>(seen_.size());
    Coverage hit;
    Rng lines(number);  // 12 handlers and helpers of 3 to 12 lines each
    for (int block = 0; block < 12; ++block)
      for (std::size_t first = lines.below(4000), n = 3 + lines.below(10); n-- > 0;)
        hit.add(static_cast<std::uint32_t>(first + n));
    seen_.push_back({tree_.put_screen(testing::made_up_screen(number)), tree_.put_coverage(hit), {}, 0});
  }

  Store& store_;
  AppId app_;
  History& tree_;
  Rng rng_{1};
  NodeId at_;
  std::vector<EventId> events_;
  std::vector<Sample> seen_;
  std::uint64_t done_ = 0;
  double making_ = 0;
};

void run(std::uint64_t total, bool batches) {
  const testing::TemporaryFolder folder(testing::TemporaryFolder::Where::disk);
  const auto path = folder / "bench.db";
  const auto store = Store::open(path, Access::write, "bench").value();
  const AppId app = store->app(testing::made_up_app()).value();
  const auto tree = store->load(app).value();
  Bench bench(*store, app, *tree);
  fmt::print("{}\n{:>9}  {:>10}  {:>10}  {:>10}\n",
             batches ? "batches of 100 steps a transaction" : "a transaction a step", "steps", "steps/s",
             "bytes/step", "file MB");
  std::uint64_t done = 0;
  for (std::uint64_t next = 1000; done < total; next *= 10) {
    next = std::min(next, total);
    const std::uint64_t first = done;
    const double start = seconds(), making = bench.making();
    while (done < next) {
      if (batches && !store->begin_batch()) return;
      if (!bench.steps(100) || !store->commit()) return;
      done += 100;
    }
    const double took = seconds() - start - (bench.making() - making);
    if (!store->flush()) return;
    const double bytes = static_cast<double>(std::filesystem::file_size(path));
    fmt::print("{:>9}  {:>10.0f}  {:>10.1f}  {:>10.2f}\n", done, static_cast<double>(done - first) / took,
               bytes / static_cast<double>(done), bytes / 1e6);
  }
  const Sizes s = store->sizes().value();
  fmt::print(
      "          {} screens of {:.0f} bytes, {} coverage sets of {:.0f} bytes, steps of {:.1f} bytes\n",
      s.screens, static_cast<double>(s.screen_bytes) / static_cast<double>(s.screens), s.coverages,
      static_cast<double>(s.coverage_bytes) / static_cast<double>(s.coverages),
      static_cast<double>(s.step_bytes) / static_cast<double>(s.steps));
  const double start = seconds();
  const auto again = store->load(app);
  if (again) fmt::print("          loaded {} nodes in {:.2f} s\n", (*again)->size(), seconds() - start);
}

}  // namespace
}  // namespace norn

int main(int argc, char** argv) {
  const std::uint64_t steps = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  norn::run(std::min<std::uint64_t>(steps, 200000), false);
  norn::run(steps, true);
}
