// norn's own reducer, for whoever can start a run in the middle (snapshots) and pays for every event executed.
//
// Most events matter to nobody, those that do lie on the way to the crash or shortly before it, and a run that
// begins like an earlier one can begin at a snapshot of it. So:
//
//  1. Guess. The way to the crash in the state tree, plus a tail that grows fourfold: short runs, and often enough.
//     A way that does not lead from state to state as it was recorded is mended first: where it goes astray, the
//     things that stand before that step on its level are added, the last 1, 2, 4, ... until it leads on. What
//     works, or else the whole list, is the *trunk*.
//  2. Bisect. Keep the first i things of the trunk and, of the rest, only the *base* (the way and what was
//     found). That does it for i = all; while it does not for i = 0 there is an i where the answer changes: thing i
//     is needed with what stands before it. It joins the base, and the search goes on below i. All these
//     candidates begin like the trunk: with snapshots along it a run costs its short end only.
//     Cuts that leave the app in the state in which the next kept thing was received are tried first: only
//     there can a run go on as recorded. Of these the one that tells most for its seconds, if needed things are
//     spread evenly, as densely as those found so far.
//  3. Cut short loops: two or three things between equal states, which only go together.
//  4. Prove. Single things from the back to the front until none can go: 1-minimal, each verdict shown.
//
// Where the runs of step 2 would be dear because there is no (cheap) way to start in the middle, hdd takes
// its place.
#include <algorithm>
#include <cmath>

#include "shrink/row.h"
#include "shrink/shrink.h"
#include "shrink/state_tree.h"

namespace norn {
namespace {

constexpr double guess_share = 0.5;  ///< of the list: longer tails are no longer a cheap guess
constexpr std::uint32_t tail_factor = 4;
constexpr double searches_hinted = 1;  ///< snapshots must pay within so many searches: more is speculation
constexpr double needed_beyond_way =
    2;                              ///< things expected to be needed beside the way, before any was found
constexpr double needed_guess = 5;  ///< all of them, to tell what the search will cost
constexpr std::size_t longest_loop = 3;  ///< cut before the proof

/// Asks only about a part of the list; positions are places in it.
class Within final : public Question {
 public:
  Within(Question& outer, const Indices& part) : outer_(outer), part_(part) {}
  Verdict ask(const Candidate& candidate) override { return outer_.ask(Candidate(mapped(candidate.kept))); }
  Verdict reaches(const Candidate& candidate, StateId state) override {
    return outer_.reaches(Candidate(mapped(candidate.kept)), state);
  }
  bool stopped() const override { return outer_.stopped(); }
  Prices prices() const override { return outer_.prices(); }

 private:
  const Indices& mapped(std::span<const std::uint32_t> places) {
    buffer_.clear();
    for (const auto place : places) buffer_.push_back(part_[place]);
    return buffer_;
  }
  Question& outer_;
  const Indices& part_;
  Indices buffer_;
};

class Reducer {
 public:
  Reducer(const Problem& problem, Question& question, bool loops)
      : problem_(problem), question_(question), loops_(loops) {}

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
  bool ask(const Indices& kept) {
    if (kept.size() == problem_.size) return true;  // the whole list is taken for granted
    if (question_.stopped()) return false;
    if (question_.ask(Candidate(kept)) != Verdict::yes) return false;
    if (kept.size() < best_.size()) best_ = kept;
    return true;
  }

  // ---- 1. guess ----

  void guess() {
    best_ = everything(problem_.size);
    const StateTree tree(states());
    way_ = tree.path(problem_.size - 1);
    if (ask(way_)) return;
    frame_ = mended(tree);
    if (frame_.size() > way_.size() && ask(frame_)) return;
    const double most = guess_share * problem_.size;
    for (std::uint32_t tail = tail_factor; tail <= most && !question_.stopped(); tail *= tail_factor)
      if (ask(with_tail(tail))) return;
  }
  /// The way with what it needs to lead from state to state; as it is where that cannot be found cheaply.
  Indices mended(const StateTree& tree) {
    Indices kept;
    for (std::size_t i = 0; i + 1 < way_.size(); ++i) {
      const auto level = tree.children(tree.parent(way_[i]));  // ends with the way's own node
      for (std::size_t more = 0;; more = more == 0 ? 1 : 2 * more) {
        const std::size_t before = std::min(more, level.size() - 1);
        Indices longer = kept;
        for (std::uint32_t p = level[level.size() - 1 - before]; p <= way_[i]; ++p) longer.push_back(p);
        if (static_cast<double>(longer.size()) > guess_share * problem_.size) return way_;
        const Verdict leads_on = question_.reaches(Candidate(longer), state(way_[i + 1]));
        if (leads_on == Verdict::unresolved || (leads_on == Verdict::no && before < more)) return way_;
        if (leads_on == Verdict::no) continue;
        kept = std::move(longer);
        break;
      }
    }
    kept.push_back(way_.back());
    return kept;
  }
  std::vector<StateId> states() const {
    return problem_.states.empty() ? std::vector<StateId>(problem_.size) : problem_.states;
  }
  /// The mended way and the last `tail` things.
  Indices with_tail(std::uint32_t tail) const {
    const std::uint32_t first = problem_.size - std::min(tail, problem_.size);
    Indices kept;
    for (const auto p : frame_)
      if (p < first) kept.push_back(p);
    for (std::uint32_t p = first; p < problem_.size; ++p) kept.push_back(p);
    return kept;
  }

  // ---- 2. bisect ----

  /// Compares what bisecting will cost with what hdd will, both by rule of thumb.
  bool worth_bisecting() const {
    const Prices p = question_.prices();
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
    const Indices trunk = best_;
    Problem part{static_cast<std::uint32_t>(trunk.size()), {}};
    for (const auto p : trunk) part.states.push_back(state(p));
    Within within(question_, trunk);
    const Shrunk shrunk = hdd(part, within);
    best_.clear();
    for (const auto place : shrunk.kept) best_.push_back(trunk[place]);
  }

  /// The first `cut` things of the trunk and the base of the rest.
  Indices candidate(std::size_t cut) const {
    Indices kept(trunk_.begin(), trunk_.begin() + static_cast<std::ptrdiff_t>(cut));
    for (std::size_t i = cut; i < trunk_.size(); ++i)
      if (in_base_[i]) kept.push_back(trunk_[i]);
    return kept;
  }
  bool works(std::size_t cut) { return ask(candidate(cut)); }

  void bisect() {
    trunk_ = best_;
    in_base_.assign(trunk_.size(), false);
    for (std::size_t i = 0; i < trunk_.size(); ++i)
      in_base_[i] = std::binary_search(way_.begin(), way_.end(), trunk_[i]);
    in_base_.back() = true;
    std::size_t high = trunk_.size() - 1;  // works(high) always holds
    bool way_fails = true;                 // the guess asked the way alone
    while (high > 0 && !question_.stopped()) {
      while (high > 0 && in_base_[high - 1]) --high;
      if (high == 0) break;
      hint_search(high);
      const std::size_t found = next_needed(high, way_fails);
      if (found == 0) break;
      ++finds_;
      way_fails = false;
      in_base_[high = found - 1] = true;
    }
  }

  /// The least cut found that works while the one below it does not: 0 < cut <= high. 0: nothing more is needed, or
  /// stopped.
  std::size_t next_needed(std::size_t high, bool way_fails) {
    const auto between = among_consistent(high, way_fails);
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

  /// Neighbours among the consistent cuts below `high` (0 and `high` included): the lower fails, the upper works. None:
  /// nothing below `high` is needed.
  std::optional<std::pair<std::size_t, std::size_t>> among_consistent(std::size_t high, bool way_fails) {
    const std::vector<std::size_t> cuts = consistent_cuts(high);
    const Belief belief = belief_of(cuts);
    std::size_t holds = cuts.size() - 1, fails = way_fails ? 0 : none;
    while (holds != 0 && holds - fails > 1 && !question_.stopped()) {
      const std::size_t probe = best_probe(belief, fails, holds);
      (works(cuts[probe]) ? holds : fails) = probe;
    }
    if (fails == none) return std::nullopt;
    return std::pair(cuts[fails], cuts[holds]);
  }

  static constexpr std::size_t none =
      static_cast<std::size_t>(-1);  ///< the place before the first: -1 + 1 == 0

  /// For each consistent cut: the chance that it works, and what asking costs.
  struct Belief {
    std::vector<double> works, seconds;
  };
  Belief belief_of(const std::vector<std::size_t>& cuts) const {
    const std::size_t high = cuts.back();
    const auto n = static_cast<double>(trunk_.size());
    const double density =
        (1 + static_cast<double>(finds_)) / (n / needed_beyond_way + n - static_cast<double>(high));
    std::size_t rest = static_cast<std::size_t>(std::count(in_base_.begin(), in_base_.end(), true)), at = 0;
    Belief out;
    for (const std::size_t cut : cuts) {
      for (; at < cut; ++at) rest -= in_base_[at] ? 1 : 0;
      out.works.push_back(std::exp(-density * static_cast<double>(high - cut)));
      out.seconds.push_back(expected_seconds(cut, rest));
    }
    return out;
  }
  /// Of a run that keeps the first `cut` things and `rest` others. Snapshots stand some 16 to a trunk.
  double expected_seconds(std::size_t cut, std::size_t rest) const {
    const Prices p = question_.prices();
    const double from_start = p.restart + p.event * static_cast<double>(cut);
    const double gap = p.event * static_cast<double>(trunk_.size()) / 32;
    return (p.snapshots ? std::min(from_start, p.load + gap) : from_start) +
           p.event * static_cast<double>(rest);
  }
  /// The question that tells most for its seconds.
  static std::size_t best_probe(const Belief& belief, std::size_t fails, std::size_t holds) {
    const double below = fails == none ? 0 : belief.works[fails];
    const double range = std::max(belief.works[holds] - below, 1e-12);
    std::size_t best = fails + 1;
    double most = -1;
    for (std::size_t i = fails + 1; i < holds; ++i) {
      const double p = std::clamp((belief.works[i] - below) / range, 1e-9, 1 - 1e-9);
      const double told = -(p * std::log2(p) + (1 - p) * std::log2(1 - p)) / belief.seconds[i];
      if (told > most) most = told, best = i;
    }
    return best;
  }

  /// Cuts after which the app is where the next kept thing was received; 0 first, `high` last.
  std::vector<std::size_t> consistent_cuts(std::size_t high) const {
    std::size_t next = high;
    while (!in_base_[next]) ++next;
    std::vector<std::size_t> cuts{high};
    for (std::size_t i = high; i-- > 1;) {
      if (in_base_[i]) next = i;
      if (state(trunk_[i]) == state(trunk_[next]) && i < high) cuts.push_back(i);
    }
    cuts.push_back(0);
    std::ranges::reverse(cuts);
    return cuts;
  }

  // ---- loops: into a screen and out again, which no single deletion can remove ----

  /// Two things may undo each other within one state (a dialog opened and closed); three count only if they leave it.
  void cut_loops() {
    for (std::size_t width = longest_loop; width >= 2; --width)
      for (std::size_t end = best_.size(); end > width && !question_.stopped();) {
        --end;
        if (is_loop(end - width, end) && (width == 2 || leaves(end - width, end)))
          ask(without(end - width, end));
        end = std::min(end, best_.size());
      }
  }
  bool is_loop(std::size_t begin, std::size_t end) const { return state(best_[begin]) == state(best_[end]); }
  bool leaves(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      if (state(best_[i]) != state(best_[end])) return true;
    return false;
  }
  Indices without(std::size_t begin, std::size_t end) const {
    Indices kept(best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(begin));
    kept.insert(kept.end(), best_.begin() + static_cast<std::ptrdiff_t>(end), best_.end());
    return kept;
  }

  // ---- hints: where the coming candidates leave the list they begin like ----

  /// A search will leave the trunk anywhere below `high`.
  void hint_search(std::size_t high) {
    std::vector<double> uses(trunk_.size() + 1);
    const auto places = static_cast<double>(high + 1);
    for (std::size_t i = 0; i <= high; ++i) uses[i] = searches_hinted * std::log2(places) / places;
    question_.will_share(trunk_, uses);
  }
  /// The proving pass leaves after every prefix once.
  void hint_prefixes(const Indices& list) {
    question_.will_share(list, std::vector<double>(list.size() + 1, 1.0));
  }

  const Problem& problem_;
  Question& question_;
  bool loops_;
  Indices best_;
  std::vector<std::uint32_t> way_;
  Indices frame_;  ///< the way, mended
  Indices trunk_;
  std::vector<bool> in_base_;
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
