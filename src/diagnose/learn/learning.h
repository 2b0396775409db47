// Learning under way: what learn() keeps between its rounds. The rounds are in learn.cc, what other runs into
// the crash have to say in learn_others.cc.
#pragma once

#include <algorithm>
#include <set>

#include "diagnose/automaton.h"
#include "diagnose/learn/learn.h"
#include "diagnose/learn/replay_teacher.h"

namespace norn {

/// Adds the device time that passes while it lives to a sum.
class Metered {
 public:
  Metered(const Replay& replay, double& sum)
      : replay_(replay), sum_(sum), began_(replay.spent().device_seconds) {}
  ~Metered() { sum_ += replay_.spent().device_seconds - began_; }
  Metered(const Metered&) = delete;
  Metered& operator=(const Metered&) = delete;

 private:
  const Replay& replay_;
  double& sum_;
  double began_;
};

/// Running out of what may be spent ends a search; it is no failure of it.
Status unless_spent(Status status);

class Learning {
 public:
  /// A run into the crash that is not one of the traces given.
  struct Other {
    NodeId end;
    int tried = 0;          ///< how often it was learned from
    bool recalled = false;  ///< it was known once and rejected again: a lesson
    std::string why = {};   ///< it was not taken in
  };

  Learning(Replay& replay, const LearnOptions& options, Progress& progress, std::stop_token stop)
      : replay_(replay),
        options_(options),
        progress_(progress),
        stop_(std::move(stop)),
        before_(replay.spent()),
        caps_{options.states, options.words},
        join_seconds_(options.join_seconds) {}

  Status add_minimal(const std::vector<Event>& events);
  Result<Learned> run();

 private:
  static constexpr double named_share = 0.2;  ///< of what words have cost, for pages started by their names
  static constexpr int most_rounds = 12, most_backs = 3, most_in_vain = 6;
  static constexpr double most_shortening = 4 * 3600;  ///< seconds of device time
  const History& tree() const { return replay_.history(); }
  /// The run with events on widgets instead of points, if that crashes as well.
  NodeId on_widgets(NodeId end);
  std::size_t quick_tests() const { return std::min<std::size_t>(options_.tests, 30); }
  bool is_bug(const Crash& crash) const { return signature(crash, Sameness::frames) == wanted_; }
  ReplayTeacher::IsBug bug_check() const;
  /// How sure the answer about one word must be: what comes by chance is run as often as its rate wants.
  ReplayTeacher::Manner manner() const { return {.tested = out_.rate < 1, .rate = out_.rate}; }
  std::vector<LearnInput> inputs() const;
  Status add_trace(std::vector<Performed> trace);
  void find_moves();
  /// A way with one event less, if labels as wide as they are now leave one unneeded: any row where the trace
  /// had its own.
  std::optional<NodeId> shorter_way(const std::vector<Performed>& trace);
  /// Whether the trace crashes as its labels say it, too.
  bool still_crashes(const std::vector<Performed>& trace);
  lsharp::Word word_of(const std::vector<Performed>& run, const std::vector<LearnInput>& all) const;
  /// Apps that were seen to do different things after the same events are asked more than once.
  Status learn_once(std::size_t tests);
  Status learn_once(std::size_t tests, bool tested);
  /// How often the traces crash, once the app was seen to do different things: that a trace crashed in its
  /// first run may have been chance.
  void measure_rate();
  /// Rows that are not all alike: the row in the place of one that is not there, and one that does something
  /// else as an input of its own with the same label, each where that can be learned to the end.
  Status learn_other_rows();
  Status try_rows(const std::function<void()>& change);
  /// Where in its list such a row was, when a trace did this pivot.
  std::optional<std::uint32_t> usual_place(std::size_t pivot, const Event& row) const;
  /// What other runs brought in: events that do the same everywhere get one label; a guard that does nothing
  /// anywhere loses its own.
  lsharp::Machine simplified(const lsharp::Machine& machine);
  /// Whether a way over each of its transitions crashes, but for one in twenty. At a cap it may be wrong
  /// about much, and another way would multiply that.
  Result<bool> is_precise();
  /// With all tests, and those of the W-method; where that shows that the last runs taken in lead too far,
  /// without them.
  Status learn_to_the_end();
  /// Without the last run taken in. False: there is none, or without any of them it was no better.
  bool step_back();
  bool can_step_back() const { return !steps_.empty() && steps_.front().out.complete; }
  /// What the W-method shows to be wrong is there to be learned from the next time.
  Status run_w_tests();
  Status run_w_tests(const Ways& ways, std::span<const lsharp::Word> tests);

  /// From runs among the first `known` nodes, from variations of the traces given, from looks round.
  Status learn_other_ways(std::size_t known, std::size_t given_traces);

  // ---- what other runs have to say (learn_others.cc) ----
  /// One event off the traces given.
  void vary();
  /// The traces given, which are the first ones, with pages started by their names.
  void start_pages(std::size_t given_traces);
  /// Learns from those last of all, and from none of them where what is learned to the end without them
  /// cannot be with them: pages lie over each other as often as they are started.
  Status learn_pages_by_name(std::size_t given_traces);
  /// The runs into this crash among the nodes [from, to), the shortest first.
  void gather(std::size_t from, std::size_t to);
  std::vector<std::string> labels_to(NodeId end, const std::vector<LearnInput>& all) const;
  bool rejected(NodeId end) const { return !accepts(out_.bug.nfa, labels_to(end, out_.bug.inputs)); }
  Other* next_rejected();
  /// Learns from up to `most` rejected runs; looks round for more as long as there are `looks`.
  Status join(std::size_t most, std::size_t looks);
  /// Returns how many runs into the crash it met. What endings bring counts as known, not as met: they are
  /// made from what is known.
  Result<std::size_t> look_around();
  double join_seconds_left() const {
    return join_seconds_ - (costs_.shortening + costs_.words - words_before_joins_);
  }
  /// See shorten_strange(), with what is left of the time for it.
  Result<std::optional<NodeId>> shortened(NodeId end, const std::function<bool(NodeId)>& strange);
  /// What a run taken in changes.
  struct Kept {
    std::vector<LearnInput> pivots, moves, freed;
    std::vector<std::vector<Performed>> traces;
    Learned out;
  };
  Kept keep() const { return {pivots_, moves_, freed_, traces_, out_}; }
  /// Takes one rejected run in; where that leads nowhere (too many labels or states), everything is as before.
  Status learn_from(Other& other);
  Status take_in(NodeId end);
  /// Learns with what was taken in: its guards as moves where that accepts no more that does not crash, else
  /// as labels. Whether the run that ends there is accepted then.
  Result<bool> learn_as_moves_or_guards(const Kept& before, NodeId end);
  /// Why it was no good.
  std::string why_not_taken(const Kept& before, NodeId end) const;
  /// Whether the automaton is right about the run if its unknown events are read as known ones in the same
  /// role: then they are.
  bool adopt(const std::vector<Performed>& run);
  bool is_known_move(const Performed& step) const;
  /// A label may stand for too much: an event of a rejected run that is not what its label performs becomes
  /// an input of its own. Another row is still the same thing to do, and shares the label; another text,
  /// where nothing else explains the run, is another thing.
  void name_unknown(const std::vector<Performed>& run);
  /// Learning anew may forget: what it met once and rejects now is learned from again, once each.
  Status recall();
  std::string why_rejected(const Other& other) const;
  void count_known();
  /// Of the traces and the other runs, how many the automaton accepts.
  std::size_t known_accepted() const;
  void restore(const Kept& kept);

  // ---- which guards are needed (learn_guards.cc) ----
  /// Makes moves of the guards that were not there before. Whether there are any.
  bool make_moves_of_guards(const Kept& before);
  /// Of everything run so far: beginnings that end with a label, did not crash, and are accepted. As good as
  /// all: it cannot be told.
  std::size_t wrongly_accepted(const BugAutomaton& bug) const;

  Replay& replay_;
  const LearnOptions& options_;
  Progress& progress_;
  std::stop_token stop_;
  Effort before_;
  std::uint64_t wanted_ = 0;
  std::vector<LearnInput> pivots_, moves_;
  std::vector<LearnInput> freed_;  ///< moves that were guards
  std::size_t given_ = 0;          ///< pivots of the traces given: the first ones
  std::vector<std::vector<Performed>> traces_;
  std::vector<Other> others_;
  std::vector<Kept> steps_;  ///< how it was before each row and each run taken in
  std::size_t looks_ = 0;
  int in_vain_ = 0;          ///< runs one after the other that could not be taken in
  std::string why_no_more_;  ///< why no more runs were learned from
  struct Caps {
    std::size_t states, words;
  } caps_;                       ///< of one learning
  std::vector<NodeId> lessons_;  ///< ends of runs about which an automaton was wrong
  LearnCosts costs_;
  bool is_measured_ = false;  ///< see measure_rate()
  double words_before_joins_ = 0;
  double join_seconds_;  ///< of device time, for learning from rejected runs and shortening them
  Learned out_;
};

}  // namespace norn
