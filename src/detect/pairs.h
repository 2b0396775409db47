// Two ways that ought to end alike. Most expectations that hold in every app can be said so: rotating and
// back or doing nothing, a switch there and back or leaving it alone, one order of two actions or the other,
// what an undone action leaves and what was there before it. A pair names both ways and the places at which
// the screens must agree.
//
// Pairs are tried in batches, so that all devices work. What fails is tried again with time to settle on both
// ways (a message that fades is no behaviour), and counted beside what held: an expectation that this app
// never meets there is a habit of the app, not a bug. What is left is shortened while the same widgets
// differ, merged where the same widgets differ, and run from clean starts on both ways.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "detect/oracles.h"

namespace norn {

struct Pair {
  std::string family;       ///< failures of one family with the same effect are one report
  std::string name;         ///< for people: "rotating and back"
  std::uint64_t group = 0;  ///< where it should hold as a rule, e.g. this event on this layout
  NodeId base;              ///< both ways begin here
  std::vector<Event> plain, other;
  /// After so many events of each way the screens must agree; the first that do not are what fails. Later
  /// ones need not be reached.
  std::vector<std::pair<std::size_t, std::size_t>> agree;
  bool same_page = false;   ///< compared only where both show the same fixtures (places.h)
  bool any_order = false;   ///< the same rows in another order are the same
  bool telling = true;      ///< that it holds says something about its group
  bool one_report = false;  ///< of all failures of the group, whatever their effect
  bool agrees = true;       ///< else the ends differ anyway, and Pairs::Stands says what of that is wrong
  /// Where the plain way says the first and nothing else, the other says the second: it was renamed. A longer
  /// text with it may do either. Empty: nothing was.
  std::pair<std::string, std::string> reads_as{};
};

/// A screen with the names that Pair::reads_as gives; `plain`: of the plain way.
Screen as_read(const Pair& pair, Screen screen, bool plain);

/// How often a group must have held for its failures to be reported.
enum class Habit : std::uint8_t {
  held_once,    ///< it held at least once in this group
  held_mostly,  ///< in this group more different pairs held than failed
  none,         ///< the expectation stands by itself
};

/// Whether two screens show the same: everything but focus, rotation, the keyboard and where things are.
bool alike(const Screen& a, const Screen& b);
/// Classes and ids of widgets that are not the same on both.
using KindsOfWidgets = std::set<std::pair<std::string, std::string>>;
KindsOfWidgets kinds_that_differ(const Screen& a, const Screen& b);
/// One way, then the other.
std::vector<Event> joined(std::vector<Event> a, const std::vector<Event>& b);

/// Where each of these ways from a node ends; none: it could not be gone, or crashed.
std::vector<NodeId> ends_of(OracleContext& c, NodeId from, const std::vector<std::vector<Event>>& ways);

/// One of each situation, then the second of each, and so on: what comes last may not be tried any more.
std::vector<Pair> in_rounds(std::map<std::uint64_t, std::vector<Pair>> by_situation);

class Pairs {
 public:
  Pairs(OracleContext& context, std::string oracle) : c_(context), oracle_(std::move(oracle)) {}

  /// Runs them and keeps what fails. Out of budget is no error: what was tried counts.
  Status attempt(std::vector<Pair> batch);
  /// Confirms, shortens and reports what failed and is no habit. `stands`: whether a failure may be reported,
  /// where that is more than a question of how often its group held.
  using Stands = std::function<bool(const Pair& cut, NodeId plain_end, NodeId other_end)>;
  Status report(Habit habit, const Stands& stands = {});
  /// Called for every pair whose ways could be compared, once: where they ended, or first differed.
  using Compared = std::function<void(const Pair& pair, NodeId plain_end, NodeId other_end)>;
  void on_compared(Compared what) { compared_ = std::move(what); }

  struct Tally {
    std::uint32_t held = 0, failed = 0;
  };
  Tally tally(std::uint64_t group) const {
    const auto at = groups_.find(group);
    return at == groups_.end() ? Tally{} : at->second;
  }
  /// How many groups held at least as often as they failed, and how many did not.
  Tally groups() const;

 private:
  struct Failure {
    Pair pair;  ///< cut at the place that failed, with time to settle
    std::uint64_t effect = 0;
    NodeId plain_end, other_end;
    std::uint32_t times = 1;
  };
  /// Failures with the same effect are one report: that of the shallowest of them that may be reported.
  struct Alike {
    std::uint32_t times = 0;
    std::vector<Failure> shallowest{};
  };
  struct Judged {
    bool held = false;        ///< compared at least once, and alike wherever it was
    NodeId plain{}, other{};  ///< the first two that were compared
    std::optional<Pair> cut;  ///< at the first place where it fails
  };
  struct Ends {
    Verdict verdict = Verdict::unresolved;  ///< yes: both ran and their screens differ
    NodeId plain, other;
  };

  std::vector<Outcome> run_all(const std::vector<Pair>& batch);
  bool same(const Pair& pair, const Screen& plain, const Screen& other) const;
  static bool same_as_read(const Pair& pair, const Screen& a, const Screen& b);
  Judged judged(const Pair& pair, const Outcome& plain, const Outcome& other) const;
  void failed(Failure failure);
  Ends differ(const std::vector<Event>& prefix, const Pair& pair);
  void shorten(Failure& failure, Report& out);
  /// The same widgets differ if one merely waits: a clock, a song that plays.
  bool comes_with_time(const Failure& failure, const std::vector<Event>& normal);
  bool may_be_reported(const Failure& failure, Habit habit, const Stands& stands);
  Status confirm(Failure failure);
  std::uint64_t effect(const Pair& pair, NodeId plain, NodeId other) const;

  OracleContext& c_;
  std::string oracle_;
  std::map<std::uint64_t, Tally> groups_;
  std::map<std::uint64_t, Alike> failures_;  ///< by family and effect, or group
  Compared compared_;
};

}  // namespace norn
