// From a crash to its bug automaton, by replays on a device (docs/learn.md).
//
// The inputs are the events of the minimal traces (the pivots), as wide as replays allow (generalise.h), and
// a few moves between screens; what is seen after each is the crash, or which inputs are possible; lsharp.h
// does the rest. Then the other runs into the same crash are read: one that the automaton rejects is
// shortened (strange_trace.h), what it has to say becomes labels, and the automaton is learned again, until
// none is rejected or what may be spent is spent.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "diagnose/learn/bug_automaton.h"
#include "replay/replay.h"
#include "trace/step.h"

namespace norn {

/// Somebody who explores the app for so many seconds of device time; what is seen is left in the service's
/// tree.
using Look = std::function<Status(Replay& replay, std::uint64_t seed, double seconds, std::stop_token stop)>;

struct LearnOptions {
  std::size_t moves = 4;     ///< non-pivot widgets tried beside Back and relaunch
  std::size_t states = 100;  ///< caps: at one of them the partial automaton is returned
  std::size_t words = 4000;
  std::size_t tests = 100;  ///< words at random that must agree before the automaton is believed
  std::size_t test_length = 16;
  std::uint64_t seed = 1;
  bool minimise = false;   ///< leave out events of the traces that wide labels make unneeded
  bool generalise = true;  ///< false: a label is one widget (any row where it is the only one) and one text
  std::size_t joins = 20;  ///< rejected runs learned from at most; 0: the traces given are all
  std::size_t variations = 200;     ///< runs one event off the traces given, to look for other ways
  std::size_t endings = 200;        ///< runs of the traces' endings from places reached in other ways
  double wander_seconds = 3600;     ///< device time of one look round for more: walks, and what `look` does
  std::size_t looks = 5;            ///< looks round at most
  std::size_t fresh = 50;           ///< runs into the crash, accepted one after the other, that are enough
  Look look = {};                   ///< half of each look round; none: walks alone
  std::size_t labels = 24;          ///< at most, those of the traces given apart
  double join_seconds = 24 * 3600;  ///< device time for learning from rejected runs, shortening them included
  std::uint32_t repeats = 20;  ///< runs of a trace that does not crash at once, to see whether it does at all
  std::size_t w_tests = 20000;  ///< tests of the W-method at most, what they show is learned too; 0: none
};

/// k of n.
struct Ratio {
  std::size_t good = 0, all = 0;
  bool whole() const { return good == all; }
  bool operator==(const Ratio&) const = default;
};

/// Device time of learning, by what it went into.
struct LearnCosts {
  double labels = 0;      ///< the traces themselves, and how wide their events are
  double words = 0;       ///< the learner's questions and tests
  double looks = 0;       ///< variations, walks, explorations and endings
  double shortening = 0;  ///< rejected runs
  double w_method = 0;
};

/// Learned from the traces given alone, before other ways came in: what somebody would draw from them, with
/// their events only.
struct GivenWay {
  BugAutomaton bug;
  bool complete = false;
  std::string why;  ///< why not
};

struct Learned {
  BugAutomaton bug;
  std::optional<GivenWay> given;  ///< nothing without joins: then `bug` is it
  Crash crash;
  double rate = 1;        ///< how often the traces crash: below 1 each word is run as often as that wants
  bool complete = false;  ///< every edge proven and every test agreed
  std::string why;        ///< why not
  /// The rig failed while other ways were looked for: then `bug` is what the traces alone gave.
  std::optional<Error> trouble;
  std::size_t machine_states = 0, words = 0, tests = 0, mistakes = 0;
  std::size_t joined = 0;  ///< rejected runs that were learned from
  std::size_t fresh = 0;   ///< runs into the crash since the last rejected one, all accepted
  Ratio known;  ///< other runs into the crash, by their distinct words, that it accepts by their labels
  std::map<std::string, std::size_t> rejected_because;  ///< a reason for each of those it rejects, counted
  Ratio known_read;              ///< and those it accepts with their screens (screen_reading.h)
  std::vector<NodeId> by_catch;  ///< ends of runs that crashed in another way
  LearnCosts costs;
  Effort effort;
};

/// REQUIRES: the traces' events crash the same way from a clean start. Error: they do not, they have no or
/// too many distinct events, or the rig failed before the traces' own way was learned.
Result<Learned> learn(Replay& replay, std::span<const std::vector<Event>> minimal,
                      const LearnOptions& options, Progress& progress, std::stop_token stop = {});

struct ValidateOptions {
  std::size_t crashing = 100;   ///< walks that must crash
  std::size_t harmless = 100;   ///< walks that must not
  std::size_t w_tests = 20000;  ///< the W-method is run whole up to so many tests, else a sample of so many
  double wander_seconds = 0;    ///< device time for walks of its own into the crash, beside the traces given
  std::uint64_t seed = 2;
};

struct Validation {
  Ratio
      precision;  ///< ways through the automaton that crashed, every transition covered first; fresh cold runs
  Ratio completeness;  ///< distinct pivot words of crashing traces (given, or walked here) that it accepts
  Ratio completeness_read;  ///< the same, the traces read with their screens (screen_reading.h)
  Ratio non_crashing;       ///< runs that did not crash whose pivot word it rejects
  Ratio non_crashing_read;  ///< the same, read with their screens
  Ratio w_method;  ///< state x input (x input) x ending: did what the automaton says; remembered runs count
  std::size_t w_all = 0;  ///< how many the W-method of depth 1 has; at the least where it is most_w_tests
  std::vector<std::string> failures;  ///< sentences, the first few
  bool stopped = false;               ///< the budget was spent: the figures are of what was run
  Effort effort;
};

/// `crashing`: traces with screens that end in this bug's crash, of whatever tools.
/// An automaton that knows no way to the crash is not validated: nothing is run.
Result<Validation> validate(Replay& replay, const BugAutomaton& bug, std::span<const Trace> crashing,
                            const ValidateOptions& options, Progress& progress, std::stop_token stop = {});

/// The labels of the pivot events in a trace. REQUIRES: its screens were recorded.
std::vector<std::string> pivot_word(const BugAutomaton& bug, const Trace& trace);

struct FixOptions {
  std::size_t ways = 300;  ///< distinct pivot words at most
  std::size_t extra = 3;   ///< pivots more than the shortest way has
};

struct FixCheck {
  struct Way {
    std::vector<std::string> word;  ///< labels of its pivots
    std::vector<Event> events;
    NodeId end;
    std::uint32_t crashed = 0, runs = 0;  ///< in how many runs of it
  };
  std::size_t ways = 0, closed = 0;  ///< closed: no run of it crashed, or it could not be run any more
  std::optional<std::uint32_t> closed_runs;  ///< the fewest cold runs of a closed way that could be gone
  std::size_t impossible = 0;                ///< of those: an event of it is no longer possible
  std::size_t with_others =
      0;  ///< of the ways: the shortest one with other texts or rows that its labels stand for
  std::vector<Way> open;       ///< still crash, be it in one run of many
  std::vector<Way> elsewhere;  ///< crash in another way
  std::optional<Crash>
      at_start;             ///< the app crashes when it is started: no way could be gone, none was asked
  std::size_t unasked = 0;  ///< the budget was spent, or the rig failed
  Effort effort;
};

/// Replays the automaton's ways on a (patched) build. Where the crash comes by chance, each so often that a
/// fifth of the rate it came with would have shown (95 %).
Result<FixCheck> check_fix(Replay& patched, const BugAutomaton& bug, const FixOptions& options,
                           Progress& progress, std::stop_token stop = {});

}  // namespace norn
