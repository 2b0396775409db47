// The replay service: one question, "what happens if I run this event sequence?", answered in the cheapest
// way that is sound: from the tree of everything ever executed, from the nearest snapshot, from a clean
// start, on any of several devices. All techniques ask it and nothing else.
//
//   reduce   ask({events, SameCrash{..}, Missing::skip})      does this shorter list still crash?
//   suite    ask({events, Covers{..}, expect, Sure::tested})  does the spliced list replay?
//   detect   ask({from = node, {event}, Completes{}})         what does this event do, there?
//   learn    ask({word, AnyCrash{}, Missing::stop})           does this word of the automaton crash?
//   explore  walk(node, chooser)                              what follows, from that state seen earlier?
//
// A failing rig is never an answer (`unresolved`), outcomes are counts, and three degrees of sureness say how
// many of them are wanted: a search asks `once`, what is kept is `tested`, what is printed is `certified`.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/verdict.h"
#include "gui/abstraction.h"
#include "trace/coverage.h"
#include "trace/crash.h"
#include "trace/effort.h"
#include "trace/history.h"

namespace norn {

class Device;
class Fleet;

enum class Sure : std::uint8_t {
  once,       ///< any one run, remembered or new
  tested,     ///< a sequential test has decided; one run, while the app has shown itself deterministic
  certified,  ///< a fresh sample of fixed size, each run from a clean start
};

/// What an event means whose target is not on the screen.
enum class Missing : std::uint8_t {
  stop,   ///< the run has diverged: no
  skip,   ///< the event is left out
  point,  ///< its recorded point is used
};

// What is watched for: closed, so that it can be asked of remembered runs, stored, and sent elsewhere.
struct Completes {};  ///< every event was performed and nothing crashed
struct AnyCrash {};
struct SameCrash {
  std::uint64_t signature = 0;
  Sameness sameness = Sameness::frames;
};
struct Reaches {  ///< the screen after the last event is in this state
  StateId state;
  Abstraction abstraction = Abstraction::structure;
};
struct Covers {  ///< the run hits all of these
  Coverage wanted;
};
struct ScreenHas {  ///< the last screen is of that activity (names_activity) and shows that text; either may
                    ///< be empty
  std::string activity, text;
};
using Watch = std::variant<Completes, AnyCrash, SameCrash, Reaches, Covers, ScreenHas>;

struct Request {
  NodeId from{0};                 ///< the root, or a node whose own path is run first
  std::vector<EventId> events{};  ///< from Replay::intern()
  Watch watch = Completes{};
  /// The state after each event, or empty; a run that goes elsewhere has diverged: no.
  std::vector<StateId> expect{};
  Abstraction expect_by = Abstraction::structure;
  Missing missing = Missing::stop;
  Sure sure = Sure::once;
  double rate = 1;                 ///< tested: r0, the rate of what the asker started from
  double error = 0.05;             ///< tested: of this one decision, each way
  std::uint32_t repeats = 20;      ///< certified: sample size
  std::uint32_t first_repeat = 0;  ///< certified: the number of its first run; other numbers, other chance
};

/// How a run ended.
struct Ending {
  NodeId end{};
  std::size_t used = 0;                   ///< events it took; the last of them crashed where `end` is a crash
  std::optional<std::size_t> diverged{};  ///< the event that found no target or led elsewhere
};

struct Outcome {
  Verdict verdict = Verdict::unresolved;
  Counts yes{}, no{};            ///< the runs it rests on
  std::uint32_t not_staged = 0;  ///< runs that did not reach `from`: neither a no nor the rig's fault
  NodeId end{};                  ///< where a run of the winning side ended (also: that crashed); of fresh
                                 ///< ones that said yes the longest: none of them needed more events
  std::size_t used = 0;          ///< events that run took before it ended
  std::optional<std::size_t> diverged{};  ///< the event that found no target or led elsewhere, in that run
  std::optional<Ending> a_no{};  ///< of fresh runs, also where others said yes: the last that said no
  std::optional<Error> why{};    ///< why it is unresolved, or the stage was missed
  bool from_memory = false;      ///< no device was touched
  double seconds = 0;            ///< device time of the runs that were made for it
};

enum class Until : std::uint8_t { all, lowest_yes };

/// Where a walk stands.
struct Place {
  NodeId node;
  const Observation& seen;  ///< the last observation: screen, what the step hit, its crash
  const History& history;
  bool crashed = false;  ///< the last event crashed: only a restart or a return leads on
  bool arrived = true;   ///< false: the node asked for was not reached; `node` is where the walk is instead
  double seconds = 0;    ///< device seconds of this walk so far
  std::uint64_t events = 0;
  bool looked = true;  ///< false: nobody looked after the last event; `seen` is what was seen before
};

struct Do {
  Event event;
};
struct Restart {};
struct GoTo {
  NodeId node;
};
struct Enough {};
using Choice = std::variant<Do, Restart, GoTo, Enough>;

/// Who chooses the next event: a strategy, a person, a fixed list.
class Chooser {
 public:
  virtual ~Chooser() = default;
  virtual Choice next(const Place& here) = 0;
  /// The rig failed on the way. True: forget what happened, everything is driven again from the beginning.
  virtual bool again() { return false; }
  /// Called after each step with what was appended: node, whether it is new, coverage and crash.
  virtual void saw(const Place& here, const Appended& what) { (void)here, (void)what; }
};

/// What a walk may spend.
struct Limits {
  double seconds = std::numeric_limits<double>::infinity();  ///< device time of this walk
  std::uint64_t events = std::numeric_limits<std::uint64_t>::max();
  std::int32_t pace_ms = -1;  ///< -1: wait until settled; else go on after so many milliseconds
  /// With a pace: look only after every so many events. The steps between are in the tree as not looked at;
  /// what they hit and a crash among them show in the next look.
  std::uint32_t look_every = 1;
};

/// A node that will be started from about so many times soon: lets the planner place snapshots.
struct Hint {
  NodeId node;
  double uses = 1;
};

/// Thread-safe: calls from several threads take turns.
class Replay {
 public:
  explicit Replay(std::unique_ptr<Fleet> fleet);
  ~Replay();

  /// Ids for events to put into requests; equal events get equal ids.
  EventId intern(const Event& event);
  std::vector<EventId> intern(std::span<const Event> events);

  /// One outcome per request, in order. With lowest_yes the answer is the yes with the lowest index:
  /// everything below it is decided, what lies above may be left unresolved, and the result is the same for
  /// every number of devices.
  std::vector<Outcome> ask(std::span<const Request> requests, Until until = Until::all,
                           std::stop_token stop = {});
  Outcome ask(const Request& request, std::stop_token stop = {});

  /// Drives a device from `from` on as the chooser says; a cursor, so a long walk costs what its events cost.
  /// Returns where it ended. Each step is in the tree (and the store) before the next begins.
  Result<NodeId> walk(NodeId from, Chooser& chooser, Limits limits, std::stop_token stop = {});

  /// What the tree alone says, no device touched; unresolved where it is not sure enough.
  Outcome recall(const Request& request) const;
  /// The way a request will probably go, as far as the tree knows it: nodes, root first, each with how many
  /// of the request's events are taken there.
  std::vector<std::pair<NodeId, std::size_t>> likely_way(const Request& request) const;
  /// Replaces the hints given before.
  void will_use(std::span<const Hint> hints);
  /// Pins a snapshot at `node`: taken when the walk stands there or a run passes it next, kept until
  /// released. May be called by a chooser. Error::busy when every snapshot the budget allows is pinned
  /// already.
  Status keep(NodeId node);
  void release(NodeId node);

  const History& history() const;
  Effort spent() const;
  /// Seconds of makespan still to spend; infinity without a budget, none on a device that is lost.
  double left() const;
  /// The device is gone for good, and why: nothing is answered any more but from the tree.
  std::optional<Error> lost() const;
  /// Whether one run is enough for `tested`: at least 30 repeats of edges, none of which disagreed.
  bool assumed_deterministic() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Exact (Clopper-Pearson) bounds for a rate of which k of n were seen. One-sided: the rate is at least `low`
/// with the given confidence. REQUIRES: k <= n, n > 0.
double rate_at_least(std::uint32_t k, std::uint32_t n, double confidence = 0.95);
/// None in n runs: what comes at this rate or more would have shown. REQUIRES: n > 0.
double rate_ruled_out(std::uint32_t n, double confidence = 0.95);
/// How many runs it takes to rule this rate out. REQUIRES: 0 < rate <= 1.
std::uint32_t runs_that_show(double rate, double confidence = 0.95);
/// Two-sided interval.
std::pair<double, double> rate_interval(std::uint32_t k, std::uint32_t n, double confidence = 0.95);

}  // namespace norn
