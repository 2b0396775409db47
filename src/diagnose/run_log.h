// What a tool did, as labels, written down while it runs: fed with each step that goes into the tree, it
// keeps what a handler log would hold. A tool that travels back in time jumps in the tree; there the log says
// "clean start" and repeats the labels on the way to the place it returned to, because that is what a log of
// a plain run to there would say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/analysis.h"
#include "diagnose/events.h"
#include "trace/history.h"

namespace norn {

class RunLog {
 public:
  /// REQUIRES: `tree` and `events` outlive it; `events` has patterns.
  RunLog(const History& tree, const Bug& bug, const EventFile& events);

  /// One step, after it was appended to the tree.
  void note(const Appended& what, const Observation& seen);

  const std::vector<Label>& codes() const { return codes_; }
  /// Device seconds from the first step to the bug's crash.
  std::optional<double> found() const { return found_; }

 private:
  void put(const Screen& before, const Event& event, const Observation& seen);

  const History& tree_;
  const EventFile& events_;
  Alphabet alphabet_;
  std::vector<Label> codes_;
  NodeId last_;
  std::optional<double> begin_, found_;
};

/// Codes as text that LogParser reads as a plain list.
std::string plain_log(const Bug& bug, const std::vector<Label>& codes);
/// The run that a plain list tells of. Several runs in it become one.
RunResult match_plain(const Bug& bug, std::string_view text);

}  // namespace norn
