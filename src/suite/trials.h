// Does this path replay? The one place where suite asks the replay service, and what the answers teach.
//
// A path replays if its events lead through the expected screens to the expected end. What its runs hit is
// then read from the tree; a step that hit less than expected is remembered, for this and every path that
// begins alike.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "replay/replay.h"
#include "suite/material.h"
#include "suite/suite.h"

namespace norn {

struct Tried {
  Verdict verdict = Verdict::unresolved;
  NodeId end{};
  ItemSet confirmed{};      ///< yes: what all its runs hit
  bool lacking = false;     ///< yes, but a step hit less than was expected of it
  std::size_t failing = 0;  ///< no: so many links do not replay; one fewer may
  std::string why{};
  Counts yes{}, no{};
  double seconds = 0;  ///< certify: device time of one run, on the average
  NodeId sooner{};     ///< certify, not one yes: where most runs crashed as they should, but too soon
};

class Trials {
 public:
  Trials(Replay& replay, Material& material, Knowledge& known, const SuiteOptions& options,
         std::stop_token stop);

  Tried ask(const Path& path);
  /// In order; with lowest_yes what lies above the first yes may be left unresolved, with an empty `why`.
  std::vector<Tried> ask(std::span<const Path> paths, Until until);
  /// Runs events without expecting anything, leaving out those whose target is not there, and gives the path
  /// that came of it; nothing: the rig could not say.
  std::optional<NodeId> run(const std::vector<EventId>& events);
  /// Many at once, in order.
  std::vector<std::optional<NodeId>> run(std::span<const Path> paths);
  /// Fresh cold runs, so many of each. Only what ends where the path ends has replayed: a crash that comes
  /// sooner is a no. Unresolved: not all of them could be made, and nothing is concluded.
  std::vector<Tried> certify(std::span<const Path> paths, std::uint32_t runs);

  /// The budget is spent, or somebody asked to stop: at once, whether or not anything is being asked.
  bool over() const { return over_ || stop_.stop_requested(); }
  const std::stop_token& stop() const { return stop_; }
  /// Every path that has replayed, in the order of asking.
  const std::vector<std::pair<Path, NodeId>>& good() const { return good_; }
  /// Where the decided runs ended, in the order of asking: the same for every number of devices.
  const std::vector<NodeId>& seen() const { return seen_; }
  /// What the questions decided so far would have cost from clean starts: the same for every number of devices.
  double asked_seconds() const { return asked_seconds_; }
  std::uint64_t tried() const { return tried_; }
  std::uint64_t replayed() const { return replayed_; }
  const std::vector<std::uint64_t>& failed_on_run() const { return failed_on_run_; }

 private:
  Request request(const Path& path) const;
  Tried judge(const Path& path, const Outcome& outcome);
  Tried repeat(const Path& path);
  void confirm(const Path& path, Tried& tried);
  void note(const Error& why, Tried& tried);
  std::optional<NodeId> ran(const Request& request, const Outcome& outcome);
  Outcome answered(Outcome outcome) const;
  Tried certificate(const Path& path, std::span<const Outcome> runs);
  NodeId most_frequent(std::vector<NodeId> ends) const;

  Replay& replay_;
  Material& material_;
  Knowledge& known_;
  const SuiteOptions& options_;
  std::stop_token stop_;
  std::unordered_map<PrefixHash, Tried> yes_;  ///< asked before, and nothing has changed since
  std::vector<std::pair<Path, NodeId>> good_;
  std::vector<NodeId> seen_;
  std::unordered_set<std::uint64_t> run_;  ///< events that were run without expecting anything
  std::uint64_t tried_ = 0, replayed_ = 0;
  double asked_seconds_ = 0;
  std::vector<std::uint64_t> failed_on_run_;
  bool over_ = false;
};

}  // namespace norn
