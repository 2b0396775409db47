// How a run whose screens are known is read by a bug automaton.
//
// A word of labels is all that a bare log shows. A run with screens shows more: after each event which
// labelled events are possible, and that is what the automaton's states were told apart by. So a state that
// does not fit the screen is not the one the run is in. And where no state fits, an event without a label has
// led to a place that the automaton knows by another way: a search's result, a notification, a folder reached
// by a longer path. DDroid draws such an event as epsilon, "any event that is no pivot event and moves
// between abstract states"; here it is read so. It led to the nearest states that fit: those with the fewest
// labelled events between, or one more than that, as an event without a label may do what one with a label
// does (a photo is put in the queue from its menu as well as by its button). Until there is one that fits (a
// page the automaton knows nothing of), the run has not moved.
//
// Where a labelled event or a move leads may not be proven (at a cap); then it leads to any of the states it
// may lead to, and the screen decides.
//
// An event without a label may also do what its screen does not show: put a photo in the queue, raise a
// count. The simplest reading is that it did not. Where the screens contradict that, a labelled event or a
// move having led to where it leads from none of the states, the run was elsewhere before: in one of the
// states that fit every screen since the last event without a label, wherever that one led (`hidden`).
//
// Time passes whatever is done. In a state in which a wait leads to the crash, an event that the automaton
// does not know there takes time as well, and the crash comes all the same: within as many events as it takes
// on the longest way the automaton knows (`fuse`).
//
// Back leads back. An automaton that was not learned to its end takes places for one that differ: the page of
// an entry, say, in a list from which something is missing and in one that is whole. There a run that leaves
// a page by a move, to one that it came from, may be in the states again that it was in then (`trail`).
//
// What is done on a page is done wherever one goes then. Where an event without a label leads to a page that
// is known by another way (a notification, a page that is started by its name), what is done there is known;
// and so is what it comes to when the run is back: what the automaton says of the two states, the one it came
// to and the one it is in now, after the same events, namely those that lead from the first to where it had
// left (`detours`).
//
// A labelled event that is known to lead out of the crash's reach ends the reading, until an event without a
// label: that may lead back. One that was never tried there does not. What its labels alone make a run into
// the crash is one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diagnose/learn/bug_automaton.h"
#include "trace/history.h"
#include "trace/step.h"

namespace norn {

/// Reads runs by one automaton. Where the automaton does not say what is possible in its states (drawn by
/// hand), runs are read as words of labels.
class ScreenReader {
 public:
  /// REQUIRES: bug.check(); bug outlives it.
  explicit ScreenReader(const BugAutomaton& bug);

  /// Left by an event without a label for a place that is known by another way.
  struct Detour {
    std::vector<std::uint32_t> left;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> since;  ///< to which it led, and where it is since
  };

  /// Where a run may be.
  struct At {
    std::vector<std::uint32_t> by_labels;  ///< sorted: says its word of labels
    std::vector<std::uint32_t> states;     ///< sorted: say its screens
    std::vector<std::uint32_t> held;  ///< sorted: left by an event without a label; it may come back to them
    /// Left by a label out of the crash's reach: only an event without one may lead back.
    std::vector<std::uint32_t> lost = {};
    /// Sorted: where it may be if events without a label did more than was seen. None before the first of them.
    std::vector<std::uint32_t> hidden = {};
    std::uint32_t fuse = 0;  ///< time leads to the crash within so many events
    /// Where it was before each labelled event that it did not come back from.
    std::vector<std::vector<std::uint32_t>> trail = {};
    std::vector<Detour> detours = {};  ///< the last few
    bool crash = false;                ///< so far it is one into the crash, says the automaton
  };
  At start() const;
  /// After one event more. `after`: what was seen then; null: the app crashed.
  At after(const At& at, const Event& event, const Screen& before, const Screen* after) const;
  /// The fewest pivot events from there to the crash, as MD counts them (guards do not count); none: out of
  /// its reach.
  std::optional<std::uint32_t> distance(const At& at) const;

 private:
  using States = std::vector<std::uint32_t>;
  /// Labels are bits: that of the first pivot that has it.
  std::uint64_t labels_of(std::uint64_t pivots) const;
  std::uint64_t possible_on(const Screen& screen) const;
  /// Those of the states that fit what is possible.
  States fitting(const States& states, std::uint64_t possible) const;
  enum class By : std::uint8_t { transitions, guesses_too };
  /// With what moves lead to.
  States closed(States states, By by = By::guesses_too) const;
  /// By state: the fewest labelled events of a way there from one of these; `nowhere`: there is none.
  std::vector<std::uint32_t> labels_from(const States& states) const;
  /// The nearest states that fit, none of these doing so, and those that are further by one labelled event;
  /// nothing where there is none.
  States nearest(const States& states, std::uint64_t possible) const;
  States here(const At& at, const Screen& screen) const;
  States over(const States& from, const std::string& label, By by = By::guesses_too) const;
  using Performed = std::optional<std::size_t>;  ///< which of the inputs an event is
  /// What the event does, from these states. False: it has no label, or what it does there is not known.
  bool take(Performed input, const States& from, At& at) const;
  /// Where it is then, says the screen. `left`: where it was.
  void place(const States& left, Performed input, bool explained, std::uint64_t possible, At& at) const;
  bool is_lost(const States& states, const std::string& label) const;
  bool is_final(std::uint32_t state) const { return bug_.nfa.states[state].final; }
  bool says_nothing(std::uint64_t possible) const { return (possible & placed_) == 0; }
  /// At::hidden after an event that is known there to be this input; nothing: one that may lead anywhere.
  States hidden_after(const States& hidden, Performed input, std::uint64_t possible) const;
  bool is_whole() const;
  /// Where it is back, after a move to such a screen, of where labelled events led it from; those are
  /// forgotten.
  States back_on_trail(At& at, std::uint64_t possible) const;
  /// Where it is, back on such a screen where it left for this detour, with what was done meanwhile.
  States back_from(const Detour& detour, std::uint64_t possible) const;
  /// The detours after an event that is known there to be this input, which led to these states.
  void follow(const At& before, Performed input, bool explained, At& at) const;
  void find_fuses();
  /// At::fuse after this event, done in one of these states.
  std::uint32_t fuse_after(std::uint32_t fuse, const States& from, Performed input,
                           std::uint64_t possible) const;

  struct Way {
    std::uint32_t to, input;
    bool guess;  ///< else a transition
  };
  static constexpr std::uint32_t nowhere = 0xffffffff, longest_fuse = 8;
  static constexpr std::size_t longest_trail = 8, most_detours = 4;
  bool is_move(const Way& way) const { return bug_.inputs[way.input].is_move(); }
  static bool counts(const Way& way, By by) { return by == By::guesses_too || !way.guess; }

  const BugAutomaton& bug_;
  std::vector<std::vector<Way>> out_;                 ///< by state
  std::vector<std::optional<std::uint32_t>> far_;     ///< by state: pivot events to the crash
  std::vector<std::vector<std::uint64_t>> possible_;  ///< by state: labels
  std::vector<std::uint32_t> fuse_;                   ///< by state: see At::fuse; 0: time does nothing there
  bool whole_ = false;                                ///< every edge of it is proven
  std::size_t pivots_ = 0;
  std::vector<std::uint64_t> bit_;  ///< by pivot: of its label
  std::uint64_t placed_ =
      0;  ///< labels that belong to a place: a screen that offers none of them says nothing
};

struct RunRead {
  bool crash = false;  ///< it is one into the crash
  std::optional<std::uint32_t>
      nearest;  ///< the least distance to the crash on its way; none: it is out of reach from the start
};

/// REQUIRES: it began with a clean start.
RunRead read_run(const ScreenReader& reader, const Trace& run);

/// The runs of a tree, each beginning read once.
class TreeReading {
 public:
  /// REQUIRES: bug.check(); both outlive it; nodes that were read stay as they are.
  TreeReading(const BugAutomaton& bug, const History& tree) : reader_(bug), tree_(tree) {}

  const ScreenReader::At& at(NodeId node);

 private:
  ScreenReader reader_;
  const History& tree_;
  std::unordered_map<NodeId, ScreenReader::At> read_;
};

}  // namespace norn
