// Expectations about what one input shows: a number that counts rows, a row that was touched, a text that was
// saved. Each is looked at on every node of the tree and says, for every situation (`group`) it finds there,
// whether it held.
//
// Nothing is expected that the app does not do as a rule: a situation counts as learnt when it held for
// several different values and failed for far fewer (Learnt). What is left is traced to the event after which
// it no longer held, shortened while it still fails, and run from clean starts.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "detect/oracles.h"
#include "detect/reading/data.h"

namespace norn {

/// One look at one situation.
struct Case {
  std::uint64_t group = 0;  ///< the situation, e.g. this number on this page against the rows of that list
  bool held = true;
  std::uint64_t value = 0;  ///< what was compared: equal values are one observation
  std::uint64_t wrong = 0;  ///< which value or row is wrong if it failed: several situations may say so
  std::string
      words;  ///< if it failed: what is wrong, for people; empty: it is no more than a rival explanation
  /// How the page was set (ScreenData::mode), where it matters: what can be seen to be different may be
  /// different, so each mode is a situation of its own.
  std::uint64_t mode = 0;
  std::uint64_t sort =
      0;  ///< which values differ enough to be learnt from (Learnt::least); 0: every value does
  /// Something was searched for: that changes what is listed, not what is done to it. A failure says nothing
  /// about whether the rest of the app meets this, and is one if it does.
  bool aside = false;
  /// In which way it was done; 0: by the kind of the last event. What hardly ever holds in one way has gone
  /// wrong once, however often it was done: a bug makes it go wrong as often as right.
  std::uint64_t cause = 0;
  std::uint64_t row = 0;  ///< the row it is about, by its name
};

/// When a situation is learnt.
struct Learnt {
  std::uint32_t least = 3;   ///< sorts of values for which it held
  double failing = 0.25;     ///< largest share of different values for which it may fail
  double failing_least = 0;  ///< smallest share: what stands by itself and is a habit, not an accident
  std::uint32_t least_if_merged =
      0;                    ///< the same, where ways in which it hardly ever holds were counted once
  std::size_t most = 1000;  ///< different values for which it may fail: what many do is a kind of its own
  std::size_t fewest =
      1;  ///< different values for which it must fail: what one does may be how that one is meant
  /// That what holds half of the time looks so good: 7 times and once not, 9 and 2, 11 and 3 pass.
  /// Divided by the number of situations that look so good and fail at times (Holm): a long run looks at many.
  double chance = 0.05;
  /// Situations about the same value are rival explanations: one counts only if none that holds about as
  /// often fails half as often.
  bool rivals = false;
};

class Expectation {
 public:
  virtual ~Expectation() = default;
  virtual std::string_view name() const = 0;
  virtual Learnt learnt() const { return {}; }
  /// A failure is one of the list, not of one row of it: it must have come for several, or come back when
  /// another row is touched.
  virtual bool any_row() const { return false; }
  /// A failure is one of the page, not of one text: it must come back when others are typed.
  virtual bool any_text() const { return true; }
  /// What can be said about the input that ends at this node; looks back along its path as far as it needs.
  virtual void look(NodeId node, std::vector<Case>& out) = 0;
};

/// Something that is learnt, and fails at the end of an input.
struct Violation {
  NodeId node;
  std::uint64_t group = 0, wrong = 0;
  std::uint32_t times = 1;
  std::uint32_t held = 0, failed = 0;  ///< different values
  double p = 1;                        ///< that what holds half of the time looks so good
  NodeId example;                      ///< the shallowest input for which it held
  std::size_t rows = 0;                ///< for so many different ones it fails
};

/// Looks at all nodes with one expectation, and confirms what fails though it is learnt.
class Expecting {
 public:
  Expecting(OracleContext& context, DataCache& data, std::string oracle, std::unique_ptr<Expectation> what)
      : c_(context), data_(data), oracle_(std::move(oracle)), what_(std::move(what)) {}

  std::string_view name() const { return what_->name(); }
  /// Takes in the nodes that are new since the last call.
  void look();
  std::vector<Violation> violations() const;
  /// Where it failed once or twice and held too seldom for that to tell anything: more inputs there would.
  std::vector<NodeId> undecided() const;
  /// Shortens it, runs it from clean starts and reports it. True: it is in the reports.
  Result<bool> confirm(const Violation& violation);

 private:
  /// What happened in one way (Case::cause): values, as many as are needed to judge.
  struct Way {
    std::set<std::uint64_t> held, failed;
    std::set<std::uint64_t> sorts;  ///< of values for which it held
    bool hardly_ever_holds() const;
  };
  struct Tally {
    std::map<std::uint64_t, Way> ways;
    std::set<std::uint64_t> aside;  ///< failed where that does not count
    std::set<std::uint64_t> rows;   ///< for which it failed
    NodeId example;                 ///< the shallowest that held
    std::uint64_t rivals = 0;       ///< explanations of the same value in the same mode
    bool from_the_start = false;    ///< fails on the first screen: as it was made
  };
  /// How often a situation held and failed, in different values. A way in which it hardly ever holds is one
  /// failure; a value for which it held as well is not what makes it fail.
  struct Score {
    std::size_t held = 0, failed = 0, sorts = 0;
    std::size_t failed_all = 0;  ///< with those that were counted as one
    bool merged = false;         ///< several failures were counted as one
    double failing() const { return static_cast<double>(failed) / static_cast<double>(held + failed); }
  };
  using Scores = std::map<std::uint64_t, Score>;  ///< by situation
  static Score score(const Tally& tally);
  Scores scores() const;
  bool learnt(std::uint64_t situation, const Scores& scores,
              const std::multimap<std::uint64_t, std::uint64_t>& rivals) const;
  void note(NodeId node, const Case& found);
  bool newly_failed(NodeId node, std::uint64_t group) const;
  const Case* failing(NodeId node, std::uint64_t group);
  bool fails(const std::vector<Event>& input, std::uint64_t group);
  bool fails_with_other_texts(NodeId end, std::uint64_t group);
  bool fails_with_other_rows(NodeId end);
  std::vector<Event> shorten(NodeId node, std::uint64_t group, bool& minimal);

  OracleContext& c_;
  DataCache& data_;
  std::string oracle_;
  std::unique_ptr<Expectation> what_;
  std::size_t next_ = 0;
  std::map<std::uint64_t, Tally> groups_;  ///< by group and mode
  std::unordered_map<NodeId, std::vector<std::uint64_t>>
      bad_;                                      ///< groups that fail at a node, or did before it
  std::map<std::uint64_t, Violation> failures_;  ///< by group and last event
  std::vector<Case> cases_;
};

}  // namespace norn
