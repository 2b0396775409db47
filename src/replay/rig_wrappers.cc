// Pool, retry and budget: each a Rig around Rigs.
#include <algorithm>
#include <condition_variable>
#include <limits>

#include "replay/rig.h"

namespace norn {
namespace {

/// Takes drives from several threads; each goes to the idle rig that is free first on the timeline (the lower
/// number of equals), and waits where none is idle.
class Pool final : public Rig {
 public:
  explicit Pool(std::vector<std::unique_ptr<Rig>> rigs) : rigs_(std::move(rigs)), busy_(rigs_.size()) {}

  Result<Drive> drive(const Journey& journey, Chooser& chooser, const Limits& limits,
                      std::stop_token stop) override {
    const std::size_t lane = acquire();
    auto result = rigs_[lane]->drive(journey, chooser, limits, stop);
    release(lane);
    return result;
  }
  double free_at() const override {
    const std::scoped_lock lock(mutex_);
    double first = std::numeric_limits<double>::infinity();
    for (const auto& rig : rigs_) first = std::min(first, rig->free_at());
    return first;
  }
  void idle_until(double time) override {
    const std::scoped_lock lock(mutex_);
    for (const auto& rig : rigs_) rig->idle_until(time);
  }
  Effort spent() const override {
    const std::scoped_lock lock(mutex_);
    Effort sum;
    double makespan = 0;
    for (const auto& rig : rigs_) {
      const Effort one = rig->spent();
      makespan = std::max(makespan, one.makespan_seconds);
      sum += one;
    }
    sum.makespan_seconds = makespan;
    return sum;
  }

 private:
  std::size_t acquire() {
    std::unique_lock lock(mutex_);
    for (;;) {
      std::size_t best = rigs_.size();
      for (std::size_t i = 0; i < rigs_.size(); ++i)
        if (!busy_[i] && (best == rigs_.size() || rigs_[i]->free_at() < rigs_[best]->free_at())) best = i;
      if (best < rigs_.size()) {
        busy_[best] = true;
        return best;
      }
      idle_.wait(lock);
    }
  }
  void release(std::size_t lane) {
    {
      const std::scoped_lock lock(mutex_);
      busy_[lane] = false;
    }
    idle_.notify_one();
  }

  std::vector<std::unique_ptr<Rig>> rigs_;
  std::vector<bool> busy_;
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

 protected:
  std::unique_ptr<Rig> inner_;
};

bool rig_failed(const Error& error) {
  return error.kind == Error::Kind::device || error.kind == Error::Kind::timeout;
}

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

}  // namespace norn
