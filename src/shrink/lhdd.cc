// lhdd (SimplyDroid, ASE 2017): bhdd with two short cuts on the crash's level and above.
//
// Pre-selection: the crash's ancestors are the last nodes of their levels, so the last 1, 2, 4, ... nodes of
// a level are tried first, at last the whole level; reduction goes on within the first selection that works.
//
// Local check: above the crash's level the last node stands for its own event only, and a candidate works if
// the state observed after it is the one in which the next recorded event was received. So the long tail is
// not executed; but that the crash needs nothing else is a guess. The result is therefore run once, and if it
// does not crash bhdd starts over.
//
// If no selection works on a level above the crash's, bhdd reduces that level with whole subtrees and the
// crash as criterion. On the crash's level the two come to the same, so the whole level needs no run of its
// own.
#include <algorithm>

#include "shrink/level.h"
#include "shrink/shrink.h"

namespace norn {
namespace {

/// The last 1, 2, 4, ... members, each more than the one before; then all of them if `whole`.
class Selections final : public Batch {
 public:
  Selections(Level& level, bool whole) : level_(level), whole_(whole) {}
  std::optional<Candidate> next() override {
    if (last_ == level_.size()) return std::nullopt;
    last_ = std::min(last_ == 0 ? 1 : 2 * last_, level_.size());
    if (last_ == level_.size() && !whole_) return std::nullopt;
    return level_.without({0, level_.size() - last_});
  }

 private:
  Level& level_;
  bool whole_;
  std::size_t last_ = 0;
};

class Lhdd {
 public:
  Lhdd(const Problem& problem, Question& question, bool preselect)
      : problem_(problem),
        question_(question),
        preselect_(preselect),
        tree_(tree_of(problem)),
        confirmed_(everything(problem.size)) {}

  Shrunk run() {
    if (problem_.size == 0) return {};
    Indices guess = by_levels();
    if (guess != confirmed_ && !question_.stopped() && question_.ask(Candidate(guess)) == Verdict::yes)
      confirmed_ = guess;
    if (guess != confirmed_ && !question_.stopped()) fall_back();
    return ended(std::move(confirmed_), problem_, question_);
  }

 private:
  Indices by_levels() {
    Indices context;
    std::vector<std::uint32_t> nodes = tree_.children(StateTree::root);
    for (std::uint32_t depth = 1; !nodes.empty() && !question_.stopped(); ++depth) {
      Level level = depth < crash_depth_ ? above(context, nodes) : at_or_below(context, nodes, depth);
      context = with_nodes(context, level);
      nodes = next_level(tree_, level);
    }
    return context;
  }

  /// A level above the crash's, with the local check.
  Level above(const Indices& context, const std::vector<std::uint32_t>& nodes) {
    std::vector<Member> members = whole_subtrees(tree_, nodes);
    members.back().events = 1;
    Level level(context, std::move(members));
    Reaching local(question_, problem_.states[nodes.back() + 1]);  // its first child: the event recorded next
    if (!preselect_ || select(level, local, true)) {
      reduce_level(level, Cut::events, local);
      return level;
    }
    return with_crash(Level(context, whole_subtrees(tree_, nodes)));
  }

  Level at_or_below(const Indices& context, const std::vector<std::uint32_t>& nodes, std::uint32_t depth) {
    Level level(context, whole_subtrees(tree_, nodes));
    if (preselect_ && depth == crash_depth_ && select(level, question_, false)) confirmed_ = level.list();
    return with_crash(std::move(level));
  }

  Level with_crash(Level level) {
    if (reduce_level(level, Cut::events, question_)) confirmed_ = level.list();
    return level;
  }

  /// True if a selection worked: the level is cut down to it.
  static bool select(Level& level, Question& criterion, bool whole) {
    Selections selections(level, whole);
    Answers answers = ask_all(criterion, selections);
    if (!answers.yes) return false;
    std::size_t last = std::min(std::size_t{1} << *answers.yes, level.size());
    level.drop({0, level.size() - last});
    return true;
  }

  void fall_back() {
    Shrunk balanced = bhdd(problem_, question_);
    if (balanced.kept.size() < confirmed_.size()) confirmed_ = std::move(balanced.kept);
  }

  const Problem& problem_;
  Question& question_;
  bool preselect_;
  StateTree tree_;
  Indices confirmed_;  ///< the last list that was seen to crash
  std::uint32_t crash_depth_ = problem_.size == 0 ? 0 : tree_.depth(problem_.size - 1);
};

}  // namespace

Shrunk lhdd(const Problem& problem, Question& question) { return Lhdd(problem, question, true).run(); }
Shrunk lhdd_nopre(const Problem& problem, Question& question) { return Lhdd(problem, question, false).run(); }

}  // namespace norn
