// From a suspicion to a report: it comes back from clean starts or it does not; its shortest inputs; and the
// smallest change that turns a normal input into the deviant one (Zeller's dd, over the edits between the
// two).
#pragma once

#include <functional>

#include "detect/detect.h"
#include "detect/odin/groups.h"
#include "shrink/shrink.h"

namespace norn {

/// How behaviours of one group are told apart.
struct Yardstick {
  LayoutId layout;
  std::uint64_t role = 0;  ///< of the event: specific or general, as the group has it
  Rules rules;
  std::uint64_t usual = 0, rare = 0;  ///< fingerprints
};

/// Runs the input from `repeats` clean starts: how many of them ended on a node that is `wanted`, of how many
/// that got there.
Result<std::pair<std::uint32_t, std::uint32_t>> clean_starts(Replay& replay, const std::vector<Event>& input,
                                                             std::uint32_t repeats,
                                                             const std::function<bool(NodeId)>& wanted,
                                                             std::stop_token stop);

class Confirm {
 public:
  Confirm(Replay& replay, Groups& groups, const DetectOptions& options, std::stop_token stop)
      : replay_(replay), groups_(groups), options_(options), stop_(std::move(stop)) {}

  /// Clean starts of the whole input: how many ended in the fingerprint, of how many that got there.
  Result<std::pair<std::uint32_t, std::uint32_t>> come_back(const std::vector<Event>& input,
                                                            const Yardstick& by, std::uint64_t print);
  /// Shorter inputs that still end so; the last event is kept. Empty: not once seen.
  std::vector<Event> shorten(const std::vector<Event>& input, const Yardstick& by, std::uint64_t print,
                             bool& minimal);
  /// The smallest set of edits that turns `normal` into an input that deviates, in words.
  std::vector<std::string> difference(const std::vector<Event>& normal, const std::vector<Event>& deviant,
                                      const Yardstick& by);
  /// Runs the input once; does it end with this fingerprint on that layout? `end`: where it ended.
  Verdict ends_so(const std::vector<Event>& input, const Yardstick& by, std::uint64_t print,
                  NodeId* end = nullptr);
  void begin_report() { asked_ = 0; }
  bool spent() const;

 private:
  bool is(NodeId end, const Event& last, const Yardstick& by, std::uint64_t print);

  Replay& replay_;
  Groups& groups_;
  const DetectOptions& options_;
  std::stop_token stop_;
  std::uint32_t asked_ = 0;
};

}  // namespace norn
