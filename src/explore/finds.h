// The crashes of an exploration: each distinct one once, with the shortest ways that led to it.
//
// A crash counts only if it comes again from a clean start, and the shortest way is not always one that does
// (what a snapshot brought along is missing then). So a few ways to each are kept, and confirming tries them
// in turn.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "replay/replay.h"

namespace norn {

struct FoundCrash {
  std::uint64_t signature = 0;             ///< Sameness::frames
  NodeId node;                             ///< where the confirmed (else the shortest) path to it ends
  std::uint32_t length = 0;                ///< events of that path
  double first_seen = 0;                   ///< device seconds of this exploration
  std::uint32_t times = 0;                 ///< how often it came while exploring
  std::uint32_t reproduced = 0, runs = 0;  ///< fresh cold replays

  bool confirmed() const { return reproduced > 0; }
  bool tried() const { return runs > 0; }  ///< false: it was not replayed (interrupted)
};

/// Does the crash concern the app: its process, or a frame of its package? Every crash where none is named.
bool concerns(const Crash& crash, const std::string& package);

class Finds {
 public:
  /// A crash that an earlier exploration saw at that node.
  void remember(const Crash& crash, NodeId node, const History& history);
  /// A crash was seen at that node. True: for the first time.
  bool add(const Crash& crash, NodeId node, const History& history, double seconds);
  /// The one added last. REQUIRES: one was.
  const FoundCrash& last() const { return found_[last_].crash; }
  std::size_t size() const { return found_.size(); }

  /// Replays each so often from clean starts, by its shortest way that does it.
  void confirm(Replay& replay, std::uint32_t repeats, Progress& progress, const std::stop_token& stop);
  /// In the order they were found.
  std::vector<FoundCrash> all() const;

 private:
  struct Ways {
    FoundCrash crash;
    std::vector<NodeId> ways;  ///< shortest first
  };
  static void confirm(Ways& found, Replay& replay, std::uint32_t repeats, const std::stop_token& stop);

  std::vector<Ways> found_;
  std::size_t last_ = 0;
};

}  // namespace norn
