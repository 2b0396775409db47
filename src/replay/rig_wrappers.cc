// Pool, retry, budget and giving up: each a Rig around Rigs.
#include <algorithm>
#include <condition_variable>
#include <limits>

#include "replay/rig.h"

namespace norn {
namespace {

/// Takes drives from several threads; each goes to the idle rig that is free first on the timeline (the lower
/// number of equals), and waits where none is idle. A rig that drives belongs to its drive's thread: what
/// others may ask of it is what it said when it was last idle.
class Pool final : public Rig {
 public:
  explicit Pool(std::vector<std::unique_ptr<Rig>> rigs) {
    for (auto& rig : rigs) lanes_.push_back({.rig = std::move(rig)});
  }

  Result<Drive> drive(const Journey& journey, Chooser& chooser, const Limits& limits,
                      std::stop_token stop) override {
    Lane& lane = acquire();
    auto result = lane.rig->drive(journey, chooser, limits, stop);
    release(lane);
    return result;
  }
  double free_at() const override {
    const std::scoped_lock lock(mutex_);
    double first = std::numeric_limits<double>::infinity();
    for (const Lane& lane : lanes_) first = std::min(first, lane.free_at);
    return first;
  }
  void idle_until(double time) override {
    const std::scoped_lock lock(mutex_);
    for (Lane& lane : lanes_) {
      lane.free_at = std::max(lane.free_at, time);
      if (lane.busy) continue;
      lane.rig->idle_until(time);
      lane.spent = lane.rig->spent();
    }
  }
  Effort spent() const override {
    const std::scoped_lock lock(mutex_);
    Effort sum;
    double makespan = 0;
    for (const Lane& lane : lanes_) {
      makespan = std::max(makespan, lane.spent.makespan_seconds);
      sum += lane.spent;
    }
    sum.makespan_seconds = makespan;
    return sum;
  }

 private:
  struct Lane {
    std::unique_ptr<Rig> rig;
    bool busy = false;
    double free_at = 0;
    Effort spent{};
  };

  Lane& acquire() {
    std::unique_lock lock(mutex_);
    for (;;) {
      Lane* best = nullptr;
      for (Lane& lane : lanes_)
        if (!lane.busy && (!best || lane.free_at < best->free_at)) best = &lane;
      if (best) {
        best->busy = true;
        return *best;
      }
      idle_.wait(lock);
    }
  }
  void release(Lane& lane) {
    {
      const std::scoped_lock lock(mutex_);
      lane.busy = false;
      lane.free_at = lane.rig->free_at();
      lane.spent = lane.rig->spent();
    }
    idle_.notify_one();
  }

  std::vector<Lane> lanes_;
  mutable std::mutex mutex_;
  std::condition_variable idle_;
};

/// What every wrapper passes on.
class Wrapper : public Rig {
 public:
  explicit Wrapper(std::unique_ptr<Rig> inner) : inner_(std::move(inner)) {}
  double free_at() const override { return inner_->free_at(); }
  void idle_until(double time) override { inner_->idle_until(time); }
  Effort spent() const override { return inner_->spent(); }
  std::optional<Error> lost() const override { return inner_->lost(); }

 protected:
  std::unique_ptr<Rig> inner_;
};

class Retried final : public Wrapper {
 public:
  Retried(std::unique_ptr<Rig> inner, int attempts) : Wrapper(std::move(inner)), attempts_(attempts) {}

  Result<Drive> drive(const Journey& journey, Chooser& chooser, const Limits& limits,
                      std::stop_token stop) override {
    for (int attempt = 1;; ++attempt) {
      auto result = inner_->drive(journey, chooser, limits, stop);
      if (result || !rig_failed(result.error()) || attempt >= attempts_ || !chooser.again()) return result;
    }
  }

 private:
  int attempts_;
};

class Metered final : public Wrapper {
 public:
  Metered(std::unique_ptr<Rig> inner, double seconds) : Wrapper(std::move(inner)), seconds_(seconds) {}

  Result<Drive> drive(const Journey& journey, Chooser& chooser, const Limits& limits,
                      std::stop_token stop) override {
    const double left = seconds_ - std::max(inner_->free_at(), journey.not_before);
    if (left <= 0) return fail(Error::Kind::budget, "the budget is spent", {}, "give more with --budget");
    Limits within = limits;
    within.seconds = std::min(within.seconds, left);
    return inner_->drive(journey, chooser, within, stop);
  }

 private:
  double seconds_;
};

class GivenUp final : public Wrapper {
 public:
  GivenUp(std::unique_ptr<Rig> inner, int failures) : Wrapper(std::move(inner)), most_(failures) {}

  Result<Drive> drive(const Journey& journey, Chooser& chooser, const Limits& limits,
                      std::stop_token stop) override {
    if (auto error = lost()) return std::unexpected(std::move(*error));
    auto result = inner_->drive(journey, chooser, limits, stop);
    note(result ? nullptr : &result.error());
    return result;
  }
  std::optional<Error> lost() const override {
    const std::scoped_lock lock(mutex_);
    return lost_;
  }

 private:
  void note(const Error* error) {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t events = inner_->spent().events;
    if (error && !rig_failed(*error)) return;
    failures_ = error && events == events_ ? failures_ + 1 : 0;
    events_ = events;
    if (failures_ >= most_) lost_ = *error;
  }

  mutable std::mutex mutex_;
  int most_, failures_ = 0;
  std::uint64_t events_ = 0;  ///< when it failed last
  std::optional<Error> lost_;
};

}  // namespace

std::unique_ptr<Rig> pool(std::vector<std::unique_ptr<Rig>> rigs) {
  if (rigs.size() == 1) return std::move(rigs.front());
  return std::make_unique<Pool>(std::move(rigs));
}
std::unique_ptr<Rig> retried(std::unique_ptr<Rig> inner, int attempts) {
  return std::make_unique<Retried>(std::move(inner), attempts);
}
std::unique_ptr<Rig> metered(std::unique_ptr<Rig> inner, double seconds) {
  return std::make_unique<Metered>(std::move(inner), seconds);
}
std::unique_ptr<Rig> given_up(std::unique_ptr<Rig> inner, int failures) {
  return std::make_unique<GivenUp>(std::move(inner), failures);
}

}  // namespace norn
