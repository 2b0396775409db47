// The Runtime behind the Device interface: costs on the meter, snapshots by number, errors as values.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "base/text.h"
#include "device/sim.h"
#include "device/sim/runtime.h"

namespace norn {
namespace {

using sim::Moment;
using sim::Options;
using sim::Runtime;

class SimDevice final : public Device {
 public:
  SimDevice(std::string spec, std::unique_ptr<Runtime> runtime)
      : spec_(std::move(spec)), runtime_(std::move(runtime)) {}

  DeviceInfo info() const override {
    const Options& o = runtime_->options();
    DeviceInfo info;
    info.name = spec_;
    info.kind = "sim";
    info.width = o.width;
    info.height = o.height;
    info.locale = o.locale;
    info.snapshots = o.snapshots;
    info.coverage = true;
    info.virtual_time = true;
    info.guess = o.costs;
    info.coverable = runtime_->source().coverable();
    info.snapshot_bytes = last_snapshot_;
    for (const auto& d : runtime_->declarations()) info.activities.push_back(d.name);
    return info;
  }

  Status start(const App& app, Nonce nonce) override {
    if (!app.name.empty() && app.name != runtime_->manifest().package)
      return fail(Error::Kind::bad_input,
                  "this device runs " + runtime_->manifest().package + ", not " + app.name, spec_);
    meter_ += runtime_->options().costs.restart;
    runtime_->start(nonce);
    started_ = true;
    if (!stuck()) settle();
    return answered();
  }

  Result<Observation> observe() override {
    NORN_CHECK(need_start());
    if (pending_) {
      meter_ += std::max(0.0, runtime_->options().costs.event - runtime_->options().costs.unsettled);
      settle();
      NORN_CHECK(answered());
    }
    Observation seen;
    seen.screen = runtime_->screen();
    seen.hit = runtime_->vm().take_coverage();
    seen.crash = std::exchange(runtime_->world().crash, std::nullopt);
    seen.log = std::exchange(runtime_->world().log, {});
    seen.at = meter_;
    seen.settled = settled_;
    return seen;
  }

  Status perform(const Action& action, Pace pace) override {
    NORN_CHECK(need_start());
    const Costs& costs = runtime_->options().costs;
    if (const auto* sleep = std::get_if<Sleep>(&action)) {
      const std::int32_t ms = std::max(sleep->ms, 0);
      if (!runtime_->options().instant) meter_ += ms / 1000.0;
      runtime_->guarded([&] { runtime_->advance(ms); });
      pending_ = true;
      return answered();
    }
    runtime_->guarded([&] { runtime_->act(action, pace.settled()); });
    if (stuck()) return answered();
    if (pace.settled()) {
      meter_ += costs.event;
      settle();
    } else {
      meter_ += costs.unsettled;
      runtime_->guarded([&] { runtime_->advance(pace.after_ms); });
      pending_ = true;
    }
    return answered();
  }

  Result<SnapshotId> save() override {
    NORN_CHECK(need_start());
    NORN_CHECK(need_snapshots());
    meter_ += runtime_->options().costs.save;
    Moment moment = runtime_->save();
    last_snapshot_ = moment.memory.size + sizeof(sim::World);
    snapshots_.emplace(++next_, Saved{std::move(moment), pending_, settled_});
    return next_;
  }

  Status restore(SnapshotId snapshot, Nonce nonce) override {
    NORN_CHECK(need_snapshots());
    const auto at = snapshots_.find(snapshot);
    if (at == snapshots_.end())
      return fail(Error::Kind::not_found, "there is no snapshot " + std::to_string(snapshot), spec_);
    meter_ += runtime_->options().costs.load;
    runtime_->restore(at->second.moment, nonce);
    pending_ = at->second.pending;
    settled_ = at->second.settled;
    started_ = true;
    return {};
  }

  void forget(SnapshotId snapshot) override { snapshots_.erase(snapshot); }
  double meter() const override { return meter_; }

 private:
  struct Saved {
    Moment moment;
    bool pending, settled;
  };

  Status need_start() const {
    if (started_) return {};
    return fail(Error::Kind::device, "the app was not started", spec_, "call start() first");
  }
  Status need_snapshots() const {
    if (runtime_->options().snapshots) return {};
    return fail(Error::Kind::unsupported, "a phone has no snapshots", spec_, "use profile=emulator");
  }

  bool stuck() { return runtime_->vm().stuck(); }
  /// A simulator that gave up on the app has seen nothing.
  Status answered() {
    if (!stuck()) return {};
    started_ = false;
    return fail(Error::Kind::timeout, "the app keeps the simulator computing without end", spec_,
                "it works on huge texts or lists; start it again");
  }

  void settle() {
    std::int64_t waited = 0;
    settled_ = false;
    runtime_->guarded([&] { settled_ = runtime_->settle(waited); });
    if (!runtime_->options().instant) meter_ += static_cast<double>(waited) / 1000.0;
    pending_ = false;
  }

  std::string spec_;
  std::unique_ptr<Runtime> runtime_;
  std::map<SnapshotId, Saved> snapshots_;
  SnapshotId next_ = 0;
  double meter_ = 0;
  std::uint64_t last_snapshot_ = 0;
  bool started_ = false, pending_ = false, settled_ = true;
};

/// Every bug that is switched on or off by name is one of the app's: a misspelt one would change nothing in
/// silence.
Status check_bugs(const Options& options, const std::vector<std::string>& declared) {
  if (options.bugs == "all" || options.bugs == "none") return {};
  for (std::string_view id : split(options.bugs, ',')) {
    if (id.starts_with('-')) id.remove_prefix(1);
    if (std::ranges::find(declared, id) != declared.end()) continue;
    const auto near = did_you_mean(id, declared);
    return fail(Error::Kind::bad_input, fmt::format("the app declares no bug \"{}\"", id),
                "bugs=" + options.bugs,
                near ? "did you mean " + *near + "?" : "its app { bugs = ... } lists them");
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Device>> open_sim(std::string_view spec) {
  NORN_TRY(Options options, sim::parse_options(spec));
  NORN_TRY(sim::Source source, sim::find_source(options));
  NORN_TRY(std::unique_ptr<Runtime> runtime, Runtime::load(std::move(source), std::move(options)));
  NORN_CHECK(check_bugs(runtime->options(), runtime->manifest().bugs));
  return std::make_unique<SimDevice>(std::string(spec), std::move(runtime));
}

Result<App> sim_app(std::string_view spec) {
  NORN_TRY(Options options, sim::parse_options(spec));
  NORN_TRY(sim::Source source, sim::find_source(options));
  App app;
  app.version = hex(hash_bytes(source.text));
  app.options = options.behaviour();
  NORN_TRY(std::unique_ptr<Runtime> runtime, Runtime::load(std::move(source), std::move(options)));
  app.name = runtime->manifest().package;
  return app;
}

std::vector<std::string> sim_apps() { return sim::bundled_apps(); }

}  // namespace norn
