// The one place where steps enter the tree: under a lock, and into the journal before the next step begins.
#pragma once

#include <functional>
#include <mutex>

#include "base/error.h"
#include "trace/history.h"

namespace norn {

/// Makes an appended step durable: the store, or nothing in tests.
using Journal = std::function<Status(const Appended&, Heat, const Observation&)>;

class Recorder {
 public:
  explicit Recorder(History& tree, Journal journal = {}) : tree_(tree), journal_(std::move(journal)) {}

  Result<Appended> root(const Observation& seen, Heat heat) {
    const std::scoped_lock lock(mutex_);
    return journaled(tree_.append_root(seen, heat), heat, seen);
  }
  Result<Appended> step(NodeId parent, const Event& event, const Observation& seen, Heat heat) {
    const std::scoped_lock lock(mutex_);
    return journaled(tree_.append(parent, event, seen, heat), heat, seen);
  }
  EventId intern(const Event& event) {
    const std::scoped_lock lock(mutex_);
    return tree_.put_event(event);
  }
  const History& tree() const { return tree_; }

 private:
  Result<Appended> journaled(Appended what, Heat heat, const Observation& seen) {
    if (journal_) NORN_CHECK(journal_(what, heat, seen));
    return what;
  }

  History& tree_;
  Journal journal_;
  std::mutex mutex_;
};

}  // namespace norn
