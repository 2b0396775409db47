#include "replay/at_once.h"

#include <algorithm>
#include <thread>

namespace norn {

std::size_t at_once(std::size_t lanes, std::size_t jobs, const std::function<bool(std::size_t)>& may_begin,
                    const std::function<void(std::size_t)>& job) {
  std::mutex mutex;
  std::size_t next = 0;
  const auto take = [&] {
    const std::scoped_lock lock(mutex);
    return next < jobs && may_begin(next) ? next++ : jobs;
  };
  const auto work = [&] {
    for (std::size_t i = take(); i < jobs; i = take()) job(i);
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < std::min(lanes, jobs); ++i) threads.emplace_back(work);
    work();
  }
  return next;
}

LowestYes::LowestYes(std::size_t requests, std::stop_token stop)
    : sources_(requests), all_(std::move(stop), [this] {
        for (auto& source : sources_) source.request_stop();
      }) {}

void LowestYes::found(std::size_t request) {
  const std::scoped_lock lock(mutex_);
  if (request >= lowest_) return;
  lowest_ = request;
  for (std::size_t i = request + 1; i < sources_.size(); ++i) sources_[i].request_stop();
}

bool LowestYes::wanted(std::size_t request) const {
  const std::scoped_lock lock(mutex_);
  return request <= lowest_;
}

}  // namespace norn
