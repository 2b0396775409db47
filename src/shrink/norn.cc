// norn's own reducer, for whoever can start a run in the middle (snapshots) and pays for every event executed.
//
// Most events matter to nobody, those that do lie on the way to the crash or shortly before it, and a run that
// begins like an earlier one can begin at a snapshot of it. So:
//
//  1. Guess. The way to the crash in the state tree, plus a tail that grows fourfold: short runs, and often enough.
//     A tail begins where the way passes, else its first things would be done in the wrong place. A way that does not
//     lead from state to state as it was recorded is mended first: where it goes astray, the things that stand before
//     that step on its level are added, the last 1, 2, 4, ... until it leads on, and of these what it takes to lead on.
//     What works, or else the whole list, is the *trunk*.
//  2. Bisect (bisect.h) the trunk, with the mended way as the base: the runs begin like the trunk, so that with
//     snapshots along it each costs its short end only. Where that would be dear because there is no (cheap) way
//     to start in the middle, hdd takes its place.
//  3. Cut short loops: two or three things that lead away and back, which only go together.
//  4. Prove. Single things from the back to the front until none can go: 1-minimal, each verdict shown.
//  5. Look further. Where a longer list failed that holds all of the result, the app is not monotone, and several
//     things may go together though none can alone: hdd without states, as long as it gains and for no more than
//     everything before it cost.
//
// Bisecting believes that what does it still does when more is done beside it. Where the app is otherwise, it finds
// one thing after another needed of which none is, and the proof takes them out again one by one. No look at a
// single answer can tell that from a crash that needs hundreds of things. So steps 2 to 4 are a *race*: what has
// cost as much as hdd was expected to stands still while the same steps with hdd in the place of bisecting are
// given as many seconds, then each twice as many, until one of them has come to its end; one that has more than
// halved the list gets its share twice. In each round it has had half of what it needs in the next, so what one
// of them ends in W seconds takes no more than 5 W and two first shares with the other's, mostly much less. One
// that stood still is begun anew and remembers its answers.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "shrink/bisect.h"
#include "shrink/level.h"
#include "shrink/noes.h"
#include "shrink/purse.h"
#include "shrink/row.h"
#include "shrink/shrink.h"
#include "shrink/state_tree.h"
#include "shrink/trunk.h"

namespace norn {
namespace {

constexpr double guess_share = 0.5;  ///< of the list: longer tails are no longer a cheap guess
constexpr std::uint32_t tail_factor = 4;
constexpr double needed_guess = 5;       ///< all of them, to tell what the search will cost
constexpr std::size_t longest_loop = 3;  ///< cut before the proof

/// A batch of one.
class OnlyOne final : public Batch {
 public:
  explicit OnlyOne(const Candidate& candidate) : candidate_(candidate) {}
  std::optional<Candidate> next() override { return std::exchange(candidate_, std::nullopt); }

 private:
  std::optional<Candidate> candidate_;
};

class Reducer {
 public:
  Reducer(const Problem& problem, Question& question, bool loops)
      : problem_(problem), noes_(question), question_(noes_), prices_(question.prices()), loops_(loops) {}

  Shrunk run() {
    if (problem_.size == 0) return ended({}, problem_, question_);
    guess();
    trunk_ = best_;
    Shrunk result = worth_bisecting() ? race() : attempt(Way::plainly);
    if (loses_more_together(result.kept)) result = look_further(std::move(result));
    result.confirmed = result.kept.size() < problem_.size;
    result.stopped = question_.stopped();
    return result;
  }

 private:
  enum class Way : bool { bisecting, plainly };

  /// Steps 2 to 4.
  Shrunk attempt(Way way) {
    best_ = trunk_;
    question_.will_share({}, {});
    if (best_.size() > 1 && !question_.stopped())
      best_ = way == Way::bisecting ? bisect(problem_, trunk_, base(), question_)
                                    : plainly(trunk_, problem_.states);
    if (loops_) cut_loops();
    return prove(best_);
  }
  Shrunk prove(const Indices& list) {
    hint_prefixes(list);
    return minimal_pass(list, question_);
  }

  struct Racer {
    Way way;
    std::size_t length;  ///< of the shortest list it came to
  };

  /// In each round the one with the shorter list goes first: it is the likelier to end.
  Shrunk race() {
    Shrunk shortest;
    shortest.kept = trunk_;
    std::array<Racer, 2> racers{{{Way::bisecting, trunk_.size()}, {Way::plainly, trunk_.size()}}};
    for (double seconds = plain_seconds();; seconds *= 2) {
      for (Racer& racer : racers)
        if (comes_to_an_end(racer, seconds, shortest))
          return shortest.stopped ? prove(shortest.kept) : shortest;
      std::ranges::stable_sort(racers, {}, &Racer::length);
    }
  }
  /// In its share, or in twice that if the first brings it to less than half the trunk; or it was stopped.
  bool comes_to_an_end(Racer& racer, double seconds, Shrunk& shortest) {
    for (int share = 0; share < 2; ++share) {
      question_.give(seconds);
      Shrunk result = attempt(racer.way);
      const bool over = !question_.stopped() || noes_.stopped();
      question_.give(unlimited);
      racer.length = result.kept.size();
      if (racer.length <= shortest.kept.size()) shortest = std::move(result);
      if (over) return true;
      if (2 * racer.length >= trunk_.size()) return false;
    }
    return false;
  }

  /// Is it so that several things may go though none can alone? A no may be wrong, so it is asked for again.
  bool loses_more_together(const Indices& kept) {
    const auto longer = noes_.beyond(kept);
    if (!longer || question_.stopped()) return false;
    Row row(*longer);
    OnlyOne whole(row.only({0, row.size()}));
    return all_no(question_.ask_in_order(whole));
  }
  Shrunk look_further(Shrunk proved) {
    const double most = 2 * question_.spent();
    for (bool gains = true; gains && question_.spent() < most && !question_.stopped();) {
      question_.give(most - question_.spent());
      hint_prefixes(proved.kept);
      const Indices shorter = plainly(proved.kept, {});
      question_.give(unlimited);
      gains = shorter.size() < proved.kept.size();
      if (gains) proved = prove(shorter);
    }
    return proved;
  }

  static constexpr double unlimited = std::numeric_limits<double>::infinity();

  StateId state(std::uint32_t position) const {
    return problem_.states.empty() ? StateId{} : problem_.states[position];
  }
  bool ask(const Indices& kept) { return ask(Candidate(kept)); }
  bool ask(const Candidate& candidate) {
    if (candidate.kept.size() == problem_.size) return true;  // the whole list is taken for granted
    if (question_.stopped()) return false;
    if (question_.ask(candidate) != Verdict::yes) return false;
    if (candidate.kept.size() < best_.size()) best_.assign(candidate.kept.begin(), candidate.kept.end());
    return true;
  }

  // ---- 1. guess ----

  void guess() {
    best_ = everything(problem_.size);
    const StateTree tree = tree_of(problem_);
    way_ = frame_ = tree.path(problem_.size - 1);
    if (ask(way_)) return;
    if (mend(tree) && ask(frame_)) return;
    const double most = guess_share * problem_.size;
    std::uint32_t asked = problem_.size - 1;
    for (std::uint32_t tail = tail_factor; tail <= most && !question_.stopped(); tail *= tail_factor) {
      const std::uint32_t first = tail_start(tree, problem_.size - tail);
      if (first >= asked) continue;
      asked = first;
      if (ask(with_tail(asked))) return;
    }
  }
  /// Puts into the frame what the way needs to lead from state to state. False: nothing, or that cannot be
  /// found cheaply.
  bool mend(const StateTree& tree) {
    Indices kept;
    for (std::size_t i = 0; i + 1 < way_.size(); ++i)
      if (!lead_on(tree, way_[i], state(way_[i + 1]), kept)) return false;
    kept.push_back(way_.back());
    if (kept.size() == way_.size()) return false;
    frame_ = std::move(kept);
    return true;
  }
  /// Adds to what leads to `step` the step itself and what it takes beside it to come to state `next`.
  bool lead_on(const StateTree& tree, std::uint32_t step, StateId next, Indices& kept) {
    Reaching arrives(question_, next);
    const auto siblings = tree.children(tree.parent(step));  // ends with the step
    for (std::size_t count = 1;; count *= 2) {
      const std::size_t some = std::min(count, siblings.size());
      std::vector<Member> members =
          whole_subtrees(tree, {siblings.end() - static_cast<std::ptrdiff_t>(some), siblings.end()});
      members.back().events = 1;
      Level level(kept, std::move(members));
      if (static_cast<double>(level.list().size()) > guess_share * problem_.size) return false;
      const Verdict there = arrives.ask(Candidate(level.list()));
      if (there == Verdict::unresolved || (there == Verdict::no && some < count)) return false;
      if (there == Verdict::no) continue;
      if (some > 2) reduce_level(level, Cut::events, arrives);
      kept = level.list();
      return true;
    }
  }
  /// The first thing from `from` on that was received where the way passes: a sibling of one of its nodes.
  std::uint32_t tail_start(const StateTree& tree, std::uint32_t from) const {
    for (; from + 1 < problem_.size; ++from)
      if (tree.depth(from) <= way_.size() && tree.parent(from) == tree.parent(way_[tree.depth(from) - 1]))
        break;
    return from;
  }
  /// The frame, and everything from `first` on.
  Indices with_tail(std::uint32_t first) const {
    Indices kept(frame_.begin(), std::ranges::lower_bound(frame_, first));
    for (std::uint32_t p = first; p < problem_.size; ++p) kept.push_back(p);
    return kept;
  }

  // ---- 2. search ----

  const Indices& base() const { return trunk_.size() > frame_.size() ? frame_ : way_; }

  /// Compares what bisecting will cost with what hdd will, both by rule of thumb.
  bool worth_bisecting() const {
    const Prices& p = prices_;
    const auto n = static_cast<double>(trunk_.size());
    const double runs = needed_guess * std::log2(n + 1), half = p.event * n / 2;
    double a_run = p.restart + half;
    double once = 0;
    if (p.snapshots) {
      // s snapshots cost s saves and shorten the replayed part to half / s.
      const double s = std::clamp(std::sqrt(runs * half / std::max(p.save, 0.01)), 1.0, 16.0);
      a_run = std::min(a_run, p.load + half / s);
      once = s * p.save;
    }
    return once + runs * a_run <= plain_seconds();
  }
  double plain_seconds() const {
    return 5 * prices_.event * static_cast<double>(trunk_.size()) + 30 * prices_.restart;
  }
  /// What hdd makes of `part`, given the states of all things; without states it is one level.
  Indices plainly(const Indices& part, const std::vector<StateId>& states) {
    Problem inner{static_cast<std::uint32_t>(part.size()), {}};
    if (!states.empty())
      for (const auto p : part) inner.states.push_back(states[p]);
    Within within(question_, part);
    Indices kept;
    for (const auto place : hdd(inner, within).kept) kept.push_back(part[place]);
    return kept;
  }

  // ---- loops: into a screen and out again, which no single deletion can remove ----

  void cut_loops() {
    std::vector<StateId> screens = question_.screens(Candidate(best_));
    for (std::size_t width = longest_loop; width >= 2; --width)
      for (std::size_t end = best_.size(); end > width && !question_.stopped();) {
        --end;
        if (is_loop(end - width, end, screens) && ask(without(end - width, end)))
          screens = question_.screens(Candidate(best_));
        end = std::min(end, best_.size());
      }
  }
  /// They leave a state and come back to it; or, where screens are known, a screen. Where they are not, two
  /// things that stay in one state count too: a dialog opened and closed.
  bool is_loop(std::size_t begin, std::size_t end, const std::vector<StateId>& screens) const {
    const auto returns = [&](const auto& where) {
      if (where(begin) != where(end)) return false;
      for (std::size_t i = begin + 1; i < end; ++i)
        if (where(i) != where(end)) return true;
      return false;
    };
    const auto in_state = [&](std::size_t i) { return state(best_[i]); };
    if (returns(in_state)) return true;
    if (screens.size() != best_.size()) return end - begin == 2 && in_state(begin) == in_state(end);
    return returns([&](std::size_t i) { return screens[i]; });
  }
  Indices without(std::size_t begin, std::size_t end) const {
    Indices kept(best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(begin));
    kept.insert(kept.end(), best_.begin() + static_cast<std::ptrdiff_t>(end), best_.end());
    return kept;
  }

  // ---- hints: where the coming candidates leave the list they begin like ----

  /// The proving pass leaves after every prefix once.
  void hint_prefixes(const Indices& list) {
    question_.will_share(list, std::vector<double>(list.size() + 1, 1.0));
  }

  const Problem& problem_;
  Noes noes_;
  Purse question_;
  const Prices prices_;
  bool loops_;
  Indices best_;
  std::vector<std::uint32_t> way_;
  Indices frame_;  ///< the way, mended
  Indices trunk_;
};

}  // namespace

Shrunk norn_reducer(const Problem& problem, Question& question) {
  return Reducer(problem, question, true).run();
}
Shrunk norn_without_loops(const Problem& problem, Question& question) {
  return Reducer(problem, question, false).run();
}

}  // namespace norn
