// Jobs on several threads, for pools of devices that take real time: a thread a device. The tree has one
// writer at a time all the same: steps enter it under the recorder's lock.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>
#include <stop_token>
#include <vector>

namespace norn {

/// Calls job(0), job(1), ... on `lanes` threads, each taking the next number while may_begin(number) is true;
/// with one lane all in the calling thread. Returns the first number not taken: all below it were called and
/// are done.
std::size_t at_once(std::size_t lanes, std::size_t jobs, const std::function<bool(std::size_t)>& may_begin,
                    const std::function<void(std::size_t)>& job);

/// The lowest yes of a batch so far: what lies above it is called off. Any thread.
class LowestYes {
 public:
  /// `stop` calls off everything.
  LowestYes(std::size_t requests, std::stop_token stop);

  void found(std::size_t request);
  bool wanted(std::size_t request) const;
  std::stop_token token(std::size_t request) const { return sources_[request].get_token(); }

 private:
  mutable std::mutex mutex_;
  std::size_t lowest_ = std::numeric_limits<std::size_t>::max();
  std::vector<std::stop_source> sources_;
  std::stop_callback<std::function<void()>> all_;
};

}  // namespace norn
