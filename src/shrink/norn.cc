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
//  2. Bisect. Keep the first i things of the trunk and, of the rest, only the *base* (the mended way and what
//     was found). That does it for i = all; while it does not for i = 0 there is an i where the answer changes: thing i
//     is needed with what stands before it. It joins the base, and the search goes on below i. All these
//     candidates begin like the trunk: with snapshots along it a run costs its short end only.
//     Cuts that leave the app in the state in which the next kept thing was received are tried first: only
//     there can a run go on as recorded. Of these the one that tells most for its seconds, if needed things are
//     spread evenly, as densely as those found so far.
//  3. Cut short loops: two or three things that lead away and back, which only go together.
//  4. Prove. Single things from the back to the front until none can go: 1-minimal, each verdict shown.
//
// Where the runs of step 2 would be dear because there is no (cheap) way to start in the middle, hdd takes
// its place.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "shrink/level.h"
#include "shrink/row.h"
#include "shrink/shrink.h"
#include "shrink/state_tree.h"
#include "shrink/trunk.h"

namespace norn {
namespace {

constexpr double guess_share = 0.5;  ///< of the list: longer tails are no longer a cheap guess
constexpr std::uint32_t tail_factor = 4;
constexpr double searches_hinted = 1;  ///< snapshots must pay within so many searches: more is speculation
constexpr double needed_beyond_way =
    1;                              ///< things expected to be needed beside the way, before any was found
constexpr double needed_guess = 5;  ///< all of them, to tell what the search will cost
constexpr std::size_t longest_loop = 3;  ///< cut before the proof

class Reducer {
 public:
  Reducer(const Problem& problem, Question& question, bool loops)
      : problem_(problem), question_(question), prices_(question.prices()), loops_(loops) {}

  Shrunk run() {
    if (problem_.size == 0) return ended({}, problem_, question_);
    guess();
    if (best_.size() > 1 && !question_.stopped()) worth_bisecting() ? bisect() : shrink_plainly();
    if (loops_) cut_loops();
    hint_prefixes(best_);
    Shrunk result = minimal_pass(best_, question_);
    result.confirmed = result.kept.size() < problem_.size;
    return result;
  }

 private:
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

  // ---- 2. bisect ----

  /// Compares what bisecting will cost with what hdd will, both by rule of thumb.
  bool worth_bisecting() const {
    const Prices& p = prices_;
    const auto n = static_cast<double>(best_.size());
    const double runs = needed_guess * std::log2(n + 1), half = p.event * n / 2;
    double a_run = p.restart + half;
    double once = 0;
    if (p.snapshots) {
      // s snapshots cost s saves and shorten the replayed part to half / s.
      const double s = std::clamp(std::sqrt(runs * half / std::max(p.save, 0.01)), 1.0, 16.0);
      a_run = std::min(a_run, p.load + half / s);
      once = s * p.save;
    }
    const double plainly = 5 * p.event * n + 30 * p.restart;
    return once + runs * a_run <= plainly;
  }
  void shrink_plainly() {
    if (best_.size() == problem_.size) {
      best_ = hdd(problem_, question_).kept;
      return;
    }
    const Indices part = best_;
    Problem inner{static_cast<std::uint32_t>(part.size()), {}};
    for (const auto p : part) inner.states.push_back(state(p));
    Within within(question_, part);
    const Shrunk shrunk = hdd(inner, within);
    best_.clear();
    for (const auto place : shrunk.kept) best_.push_back(part[place]);
  }

  void bisect() {
    trunk_ = Trunk(best_, best_.size() > frame_.size() ? frame_ : way_);
    trunk_.add_to_base(trunk_.size() - 1);
    sort_by_state();
    lowest_ = trunk_.size();
    std::size_t high = trunk_.size() - 1;  // works(high) always holds
    bool frame_fails = true;               // the guess asked it alone
    while (high > 0 && !question_.stopped()) {
      while (high > 0 && trunk_.base_from(high - 1) > trunk_.base_from(high)) --high;
      if (high == 0) break;
      hint_search(high);
      const std::size_t found = next_needed(high, frame_fails);
      if (found == 0) break;
      ++finds_;
      frame_fails = false;
      trunk_.add_to_base(high = found - 1);
    }
    const Candidate kept = trunk_.cut(lowest_);
    best_.assign(kept.kept.begin(), kept.kept.end());
  }
  bool works(std::size_t cut) {
    const Candidate candidate = trunk_.cut(cut);
    if (candidate.kept.size() < problem_.size &&
        (question_.stopped() || question_.ask(candidate) != Verdict::yes))
      return false;
    lowest_ = std::min(lowest_, cut);
    return true;
  }

  /// The least cut found that works while the one below it does not: 0 < cut <= high. 0: nothing more is
  /// needed, or stopped.
  std::size_t next_needed(std::size_t high, bool frame_fails) {
    const auto between = among_consistent(high, frame_fails);
    if (!between || question_.stopped()) return 0;
    auto [fails, holds] = *between;
    // Between two consistent cuts: mostly the last thing of the detour is the needed one.
    if (holds - fails > 1 && !works(holds - 1)) return holds;
    if (holds - fails > 1) --holds;
    while (holds - fails > 1 && !question_.stopped()) {
      const std::size_t middle = fails + (holds - fails) / 2;
      (works(middle) ? holds : fails) = middle;
    }
    return question_.stopped() ? 0 : holds;
  }

  /// Neighbours among the consistent cuts below `high` (0 and `high` included): the lower fails, the upper
  /// works. None: nothing below `high` is needed.
  std::optional<std::pair<std::size_t, std::size_t>> among_consistent(std::size_t high, bool frame_fails) {
    const std::vector<std::size_t> cuts = consistent_cuts(high);
    std::size_t holds = cuts.size() - 1, fails = frame_fails ? 0 : none;
    while (holds != 0 && holds - fails > 1 && !question_.stopped()) {
      const std::size_t probe = best_probe(cuts, fails, holds);
      (works(cuts[probe]) ? holds : fails) = probe;
    }
    if (fails == none) return std::nullopt;
    return std::pair(cuts[fails], cuts[holds]);
  }

  static constexpr std::size_t none =
      static_cast<std::size_t>(-1);  ///< the place before the first: -1 + 1 == 0

  /// Of the consistent cuts between the two, the question that tells most for its seconds: of some thirty
  /// whose chances to work are spread evenly.
  std::size_t best_probe(const std::vector<std::size_t>& cuts, std::size_t fails, std::size_t holds) const {
    constexpr int looked_at = 32;
    const auto high = static_cast<double>(cuts.back()), density = density_below(cuts.back());
    const auto chance = [&](std::size_t cut) {
      return std::exp(density * (static_cast<double>(cut) - high));
    };
    const double below = fails == none ? 0 : chance(cuts[fails]);
    const double range = std::max(chance(cuts[holds]) - below, 1e-12);
    auto at = cuts.begin() + static_cast<std::ptrdiff_t>(fails + 1);
    const auto last = cuts.begin() + static_cast<std::ptrdiff_t>(holds - 1);
    std::size_t best = fails + 1;
    double most = -1;
    for (int k = 1; k < looked_at; ++k) {
      const double cut = high + std::log(below + range * k / looked_at) / density;
      at = std::min(
          std::lower_bound(at, last, cut, [](std::size_t a, double b) { return static_cast<double>(a) < b; }),
          last);
      const double p = std::clamp((chance(*at) - below) / range, 1e-9, 1 - 1e-9);
      const double told = -(p * std::log2(p) + (1 - p) * std::log2(1 - p)) / expected_seconds(*at);
      if (told > most) most = told, best = static_cast<std::size_t>(at - cuts.begin());
    }
    return best;
  }
  /// Needed things to the thing, as dense as those found so far.
  double density_below(std::size_t high) const {
    const auto n = static_cast<double>(trunk_.size());
    return (1 + static_cast<double>(finds_)) / (n / needed_beyond_way + n - static_cast<double>(high));
  }
  /// Of a run that keeps the first `cut` things and the base. Snapshots stand some 16 to a trunk.
  double expected_seconds(std::size_t cut) const {
    const double from_start = prices_.restart + prices_.event * static_cast<double>(cut);
    const double gap = prices_.event * static_cast<double>(trunk_.size()) / 32;
    return (prices_.snapshots ? std::min(from_start, prices_.load + gap) : from_start) +
           prices_.event * static_cast<double>(trunk_.base_from(cut));
  }

  /// Cuts after which the app is where the next kept thing was received; 0 first, `high` last.
  std::vector<std::size_t> consistent_cuts(std::size_t high) const {
    std::vector<std::size_t> cuts{0};
    std::size_t from = 1;
    for (const std::size_t next : trunk_.base()) {
      const auto& same = by_state_.at(state(trunk_.list()[next]));
      const std::size_t to = std::min(next + 1, high);
      cuts.insert(cuts.end(), std::ranges::lower_bound(same, from), std::ranges::lower_bound(same, to));
      from = std::max(from, to);
      if (next >= high) break;
    }
    cuts.push_back(high);
    return cuts;
  }
  void sort_by_state() {
    by_state_.clear();
    std::vector<std::size_t>* places = nullptr;
    for (std::size_t i = 0; i < trunk_.size(); ++i) {
      const StateId here = state(trunk_.list()[i]);
      if (i == 0 || here != state(trunk_.list()[i - 1])) places = &by_state_[here];
      places->push_back(i);
    }
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

  /// A search will leave the trunk anywhere below `high`.
  void hint_search(std::size_t high) {
    const auto places = static_cast<double>(high + 1);
    uses_.assign(high + 1, searches_hinted * std::log2(places) / places);
    question_.will_share(trunk_.list(), uses_);
  }
  /// The proving pass leaves after every prefix once.
  void hint_prefixes(const Indices& list) {
    question_.will_share(list, std::vector<double>(list.size() + 1, 1.0));
  }

  const Problem& problem_;
  Question& question_;
  const Prices prices_;
  bool loops_;
  Indices best_;
  std::vector<std::uint32_t> way_;
  Indices frame_;  ///< the way, mended
  Trunk trunk_;
  std::unordered_map<StateId, std::vector<std::size_t>>
      by_state_;            ///< places of the trunk by the state received in
  std::size_t lowest_ = 0;  ///< cut of the trunk that worked
  std::vector<double> uses_;
  std::size_t finds_ = 0;
};

}  // namespace

Shrunk norn_reducer(const Problem& problem, Question& question) {
  return Reducer(problem, question, true).run();
}
Shrunk norn_without_loops(const Problem& problem, Question& question) {
  return Reducer(problem, question, false).run();
}

}  // namespace norn
