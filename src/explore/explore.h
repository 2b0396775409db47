// Exploring: one loop, many strategies. The loop drives a walk of the replay service, keeps the state graph,
// the coverage over device time and the crashes; a Strategy only says what comes next. All strategies
// therefore run under the same conditions: same budget, same seeds, a look at the screen after every event.
//
//   monkey, monkey+system, monkey+restart, monkey+system+restart    stock Monkey and the paper's baselines
//   random                                                          uniform over what the screen offers
//   swifthand                                                       learns a model, goes to the nearest
//                                                                   unexplored action
//   timemachine                                                     Monkey that travels back when stuck
//   norn                                                            the default: explore/norn_strategy.cc
//
// A crash counts only if it comes again from a clean start: what was found is replayed cold at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "explore/finds.h"
#include "explore/state_graph.h"
#include "explore/strategy.h"
#include "explore/stuck.h"
#include "replay/replay.h"

namespace norn {

struct TravelOptions {
  enum class Interesting : std::uint8_t { coverage, gui };
  enum class Select : std::uint8_t { neighbourhood, own };
  enum class Generator : std::uint8_t { monkey, widgets };
  Interesting interesting = Interesting::coverage;  ///< without code coverage: gui
  Select select = Select::neighbourhood;
  Generator generator = Generator::monkey;  ///< of Monkey's strategies too
  std::uint32_t steps = 3;                  ///< k of the neighbourhood
  StuckOptions stuck;
  FitnessOptions fitness;
  /// Somebody else's judgement, where given.
  std::function<Result<bool>(const Situation&)> interesting_by;
  std::function<Result<std::size_t>(const std::vector<NodeId>&, const History&)> select_by;
};

/// Parts of `norn` that can be left out, to measure what each brings.
struct NornOptions {
  bool snapshots = true, novelty = true, recombination = true;
  bool navigation = true;  ///< choose an event also for what lies behind it
  bool forms = true;       ///< fill the empty fields before a button is pressed
  bool system = true;      ///< waiting, process death, the network, the notifications
};

struct ExploreOptions {
  std::string strategy = "norn";
  std::uint64_t seed = 1;
  double seconds = std::numeric_limits<double>::infinity();  ///< of device time; confirming comes on top
  std::uint64_t events = std::numeric_limits<std::uint64_t>::max();
  Abstraction state = Abstraction::structure;  ///< of the state graph
  TravelOptions travel;
  NornOptions norn;
  std::string avoid;               ///< a regular expression: texts, ids, activities never touched
  std::vector<std::string> texts;  ///< typed into fields, beside the built-in ones
  bool stay = false;  ///< nothing that leaves the app on purpose: no Home, no calls, no other activities
  bool until_crash = false;
  bool system_events = true;  ///< off for devices that know none
  /// Stock Monkey does not wait: the next event follows after so many milliseconds, and the screen is looked
  /// at only every `look_every` events. -1: look at the settled screen after every event. Replays are always
  /// settled.
  std::int32_t pace_ms = -1;
  std::uint32_t look_every = 1;
  std::vector<std::vector<Event>> seed_traces;  ///< run first, each from a clean start
  std::vector<NodeId> found_before;     ///< crashes of an earlier run, to be confirmed with the new ones
  std::string package;                  ///< crashes of other processes do not count; empty: all count
  std::vector<std::string> activities;  ///< declared ones
  Coverable coverable;
  std::uint32_t confirm = 3;  ///< cold replays of each crash; 0: none
  /// Called for each new crash while exploring stands still; what it spends is not exploring.
  std::function<void(const FoundCrash&)> triage;
  /// A strategy of somebody else's, instead of one by name.
  std::function<Result<std::unique_ptr<Strategy>>(StrategyContext&)> custom;
};

struct Restore {
  double at = 0;  ///< device seconds
  std::string why;
  NodeId to;
  bool clean = false;  ///< a clean start
};

/// The first step that led from one state to another.
struct Transition {
  StateGraph::Index from = 0, to = 0;
  NodeId by;
};

struct Exploration {
  std::string strategy;
  std::uint64_t seed = 1;
  std::vector<FoundCrash> crashes;  ///< in the order they were found
  StateGraph graph;
  std::vector<NodeId> first_seen;     ///< by state of the graph: a node that shows it
  std::vector<double> first_seen_at;  ///< and when, in device seconds
  std::vector<Transition> transitions;
  Coverage covered;
  std::vector<std::pair<double, std::uint64_t>> over_time;  ///< device seconds, ids covered
  std::vector<Restore> restores;
  std::set<std::string> activities;  ///< seen
  double seconds = 0;                ///< device time spent exploring
  double confirm_seconds = 0;        ///< device time spent on confirming
  std::uint64_t events = 0;
  enum class End : std::uint8_t { budget, crash, interrupted, failed, enough } end = End::budget;
  std::optional<Error> trouble;  ///< why it ended early, where it did
};

/// Names of the built-in strategies.
std::vector<std::string> strategy_names();
/// Error where there is none of that name; it suggests.
Status check_strategy(const std::string& name);

/// Explores until the budget is spent. What was found is in the result and in the tree, also where it was
/// interrupted or the rig failed on the way. Error: unknown strategy, bad options, or the app cannot be
/// explored at all (crashes at its start, leaves at once, is not there): said in words.
Result<Exploration> explore(Replay& replay, const ExploreOptions& options, Progress& progress,
                            const std::stop_token& stop = {});

}  // namespace norn
