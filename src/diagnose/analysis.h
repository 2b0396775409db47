// How far along a bug's automaton did a run get?
//
//   EC   pivot events seen, of all
//   EPC  pairs of pivot events seen right after each other, of all pairs on adjacent transitions (guards,
//        which `learn` may add as labels, are no pivot events: EC and EPC are those of the language without
//        them, MD does not count them)
//   MD   least distance to the crash over the states reached
//   ET   how often each event and pair ran
//
// The whole matching rule is one table, made before a log is read: for each state and label where the run
// goes on, and whether the pair counts. A state's number also says whether the run went on from the union of
// states after a relaunch (the upper half). Reading a log is then one table look-up and two counters per
// label, and everything else is read off the counters afterwards.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "diagnose/automaton.h"
#include "diagnose/labels.h"
#include "trace/automaton.h"

namespace norn {

enum class Semantics : std::uint8_t {
  norn,    ///< pairs by the log; a clean start resets; relaunches as OnRelaunch says
  ddroid,  ///< the published tool: the pair after a reset is forgotten, restarts are ignored
};

struct MatchOptions {
  Semantics rules = Semantics::norn;
  OnRelaunch restart = OnRelaunch::automatic;
};

/// A bug ready for matching: its automaton in all the forms that are needed.
struct Bug {
  /// What one label does in one state.
  struct Cell {
    std::uint32_t next = 0;     ///< where the run goes on
    Label before = 0;           ///< the label that the next pair begins with; labels.size(): none
    std::uint8_t breaks = 0;    ///< the pair that ends here does not count; 2: a guard, which pairs go over
    std::uint8_t rejected = 0;  ///< the automaton died: back to the start, fed once more
  };

  std::string name;
  std::vector<std::string> remarks;  ///< sentences: where a rule could not be followed to the letter
  MatchOptions options;
  Nfa nfa;
  Dfa dfa;                         ///< subset construction, live states only
  std::size_t minimal = 0;         ///< live states of the smallest Dfa of the same language
  RestartDfa walk;                 ///< what is stepped through
  std::vector<std::uint64_t> way;  ///< by state of walk.dfa: the least cost() to the crash; no_way: none
  std::vector<std::optional<std::uint32_t>> distance;  ///< by state of walk.dfa: pivot events to the crash
  std::vector<std::pair<Label, Label>> pairs;          ///< adjacent ones, sorted; guards passed over
  std::vector<std::uint8_t> guard;  ///< by label: it is matched, and counts in neither EC, EPC nor MD
  std::vector<Label> trace;         ///< a shortest accepted word: the bug's trace
  std::vector<std::uint32_t> rank;  ///< by label: its place in that trace, others after it
  std::vector<Cell> cells;          ///< by walk state, upper half too, and label

  std::size_t labels() const { return dfa.labels.size(); }
  std::size_t pivots() const;  ///< labels that are no guards: what EC counts
  std::size_t states() const { return walk.dfa.size(); }
  /// A walk state without the mark "after a relaunch".
  DfaState plain(std::uint32_t state) const {
    return state < states() ? state : state - static_cast<DfaState>(states());
  }
  static constexpr std::uint64_t no_way = ~std::uint64_t{0}, one_pivot = std::uint64_t{1} << 32;
  /// Ways with fewer pivot events are shorter, then those with fewer guards. What crashes is one event in any
  /// case.
  std::uint64_t cost(DfaState state, Label label) const {
    return guard[label] != 0 && !walk.dfa.final[walk.dfa.step(state, label)] ? 1 : one_pivot;
  }
  /// Whether a shortest way to the crash from this state begins with the label.
  bool leads_on(DfaState state, Label label) const {
    const std::uint64_t rest = way[walk.dfa.step(state, label)];
    return rest != no_way && rest + cost(state, label) == way[state];
  }
  std::optional<std::uint32_t> start_distance() const { return distance[walk.dfa.start]; }
};

/// `guards`: labels of events that decide whether others crash, but belong to no shortest way (docs/learn.md).
Result<Bug> make_bug(std::string name, Nfa nfa, const MatchOptions& options = {},
                     const std::set<std::string>& guards = {});

/// What a simple comparison would blame.
struct SimpleClue {
  std::uint64_t at = 0;           ///< pivot events before it
  std::optional<Label> seen;      ///< what the run did there; none: the log ended
  std::optional<Label> expected;  ///< what the bug needed there
};

/// The first time a state was reached.
struct Reached {
  std::uint32_t state = 0;  ///< of Bug::cells; see Bug::plain
  std::uint64_t at = 0;     ///< pivot events up to then
  std::optional<double> seconds;
};

/// One run against one bug, or the union of several.
struct RunResult {
  std::string bug, log, tool;
  std::size_t number = 0;  ///< which run of its log, from 1; 0: the only one
  bool found = false;      ///< the crash was logged
  std::optional<std::uint64_t> found_at;
  std::optional<double> found_seconds;
  std::uint64_t events = 0;  ///< pivot events in all
  std::uint64_t unknown = 0, undecided = 0, relaunches = 0, clean_starts = 0, crashes = 0, runs = 1;
  std::uint64_t other_crashes = 0;  ///< of the crashes: not the bug's
  std::uint64_t begun_clean = 0;    ///< of the clean starts: a run began with it

  std::vector<std::uint64_t> moves;        ///< by cell: how often that label was done in that state
  std::vector<std::uint64_t> pair_counts;  ///< labels x labels
  std::vector<std::uint64_t> warnings;     ///< by label
  std::vector<std::uint64_t> relaunched;   ///< by plain state: how often a relaunch led there
  std::vector<Reached> reached;            ///< in the order of time

  /// The log told nothing: no event, no start, no crash.
  bool is_empty() const { return events + unknown + undecided + relaunches + clean_starts + crashes == 0; }

  // Derived from the above by finish().
  std::vector<std::uint64_t> event_counts;  ///< by label
  std::size_t ec = 0, epc = 0;              ///< how many were seen; all are bug.pivots(), bug.pairs.size()
  std::optional<std::uint32_t> md;          ///< none: the automaton accepts nothing
  std::optional<std::uint32_t>
      md_read;                     ///< the same, read with its screens (screen_reading.h); none: it was not
  bool md_after_relaunch = false;  ///< only reached through a union of states after a relaunch
  std::optional<Label> first_missed;               ///< none when md is 0 or none
  std::optional<SimpleClue> simple_tc, simple_rv;  ///< none: no difference; of single runs only
};

/// Feeds on batches; one result per run in the log (at least one).
class Analyser {
 public:
  /// REQUIRES: bug outlives it.
  explicit Analyser(const Bug& bug);
  void feed(const LabelBatch& batch);
  std::vector<RunResult> finish();

 private:
  void begin();
  void end();
  void signal(Label code, std::optional<double> seconds);
  void first_move(std::uint32_t state, Label label, std::uint64_t at, std::optional<double> seconds);
  void reach(std::uint32_t state, std::uint64_t at, std::optional<double> seconds);
  SimpleClue reject(std::uint32_t state, Label label, std::uint64_t at) const;

  const Bug& bug_;
  RunResult run_;
  std::vector<RunResult> done_;
  std::vector<std::uint8_t> visited_;
  std::vector<std::uint64_t> pairs_;  ///< one more row than RunResult::pair_counts: pairs that do not count
  std::vector<Label> prefix_;         ///< the run's first events, as many as the bug's trace has
  std::uint32_t state_ = 0;
  Label before_ = 0;
};

/// Fills the derived fields. REQUIRES: `run` is of `bug`.
void finish(const Bug& bug, RunResult& run);
/// The union: counts added, states of both, earliest times. REQUIRES: both of `bug`, at least one run.
RunResult unite(const Bug& bug, const std::vector<const RunResult*>& runs);

/// By plain state: how often the run came to it (marked or not); also by starting and by relaunches.
std::vector<std::uint64_t> visits(const Bug& bug, const RunResult& run);

}  // namespace norn
