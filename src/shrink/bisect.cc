#include "shrink/bisect.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "shrink/purse.h"
#include "shrink/trunk.h"

namespace norn {
namespace {

constexpr double searches_hinted = 1;  ///< snapshots must pay within so many searches: more is speculation
constexpr double needed_beyond_way =
    1;  ///< things expected to be needed beside the way, before any was found

class Bisection {
 public:
  Bisection(const Problem& problem, Indices trunk, const Indices& base, Question& question)
      : problem_(problem),
        question_(question),
        prices_(question.prices()),
        trunk_(std::move(trunk), base),
        lowest_(trunk_.size()) {}

  Indices run() {
    trunk_.add_to_base(trunk_.size() - 1);
    sort_by_state();
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
    return {kept.kept.begin(), kept.kept.end()};
  }

 private:
  StateId state(std::uint32_t position) const {
    return problem_.states.empty() ? StateId{} : problem_.states[position];
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
      const double told = -(p * std::log2(p) + (1 - p) * std::log2(1 - p)) / seconds(*at);
      if (told > most) most = told, best = static_cast<std::size_t>(at - cuts.begin());
    }
    return best;
  }
  /// Needed things to the thing, as dense as those found so far.
  double density_below(std::size_t high) const {
    const auto n = static_cast<double>(trunk_.size());
    return (1 + static_cast<double>(finds_)) / (n / needed_beyond_way + n - static_cast<double>(high));
  }
  /// Of a run that keeps the first `cut` things and the base.
  double seconds(std::size_t cut) const {
    return expected_seconds(prices_, trunk_.size(), cut, cut + trunk_.base_from(cut));
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

  /// A search will leave the trunk anywhere below `high`.
  void hint_search(std::size_t high) {
    const auto places = static_cast<double>(high + 1);
    uses_.assign(high + 1, searches_hinted * std::log2(places) / places);
    question_.will_share(trunk_.list(), uses_);
  }

  const Problem& problem_;
  Question& question_;
  const Prices prices_;
  Trunk trunk_;
  std::unordered_map<StateId, std::vector<std::size_t>>
      by_state_;        ///< places of the trunk by the state received in
  std::size_t lowest_;  ///< cut of the trunk that worked
  std::vector<double> uses_;
  std::size_t finds_ = 0;
};

}  // namespace

Indices bisect(const Problem& problem, Indices trunk, const Indices& base, Question& question) {
  return Bisection(problem, std::move(trunk), base, question).run();
}

}  // namespace norn
