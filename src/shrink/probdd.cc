// ProbDD (Wang et al., FSE 2021): each thing has a probability p of being needed, at first 0.1. Take out the
// set that promises most: its size times the chance that none of it is needed, which is a prefix of the
// things in the order of rising p. If the rest still does it, the set is gone; otherwise Bayes raises each p
// in the set,
//     p / (1 - chance that none of the set is needed),
// so a set of one becomes certain. Until every p is 1. Few questions, but long ones.
#include <algorithm>
#include <cmath>

#include "shrink/row.h"
#include "shrink/shrink.h"

namespace norn {
namespace {

constexpr double kFirstProbability = 0.1;
constexpr double kEqual = 1e-9;  // gains this close are equal: 9 * 0.9^9 and 10 * 0.9^10 are

struct Thing {
  std::uint32_t position = 0;
  double p = kFirstProbability;
};

struct Bet {
  std::size_t size = 0;  ///< this many of the likeliest to be dispensable
  double chance = 1;     ///< that none of them is needed
};

/// The prefix with the best expected gain; of equal ones the longest. The gain rises to one summit and falls.
Bet best_bet(const std::vector<Thing>& rising) {
  Bet best;
  double gain = 0, chance = 1;
  for (std::size_t k = 1; k <= rising.size(); ++k) {
    chance *= 1 - rising[k - 1].p;
    double here = static_cast<double>(k) * chance;
    if (here < gain * (1 - kEqual)) break;
    gain = std::max(gain, here);
    best = {k, chance};
  }
  return best;
}

Indices sorted_positions(const Indices& certain, const std::vector<Thing>& open, std::size_t from) {
  Indices positions = certain;
  for (std::size_t i = from; i < open.size(); ++i) positions.push_back(open[i].position);
  std::ranges::sort(positions);
  return positions;
}

}  // namespace

Shrunk probdd(const Problem& problem, Question& question) {
  std::vector<Thing> open;  // p < 1, by rising p, equal ones in the list's order
  for (std::uint32_t i = 0; i < problem.size; ++i) open.push_back({i, kFirstProbability});
  Indices certain;
  while (!open.empty() && !question.stopped()) {
    Bet bet = best_bet(open);
    auto end = open.begin() + static_cast<std::ptrdiff_t>(bet.size);
    if (question.ask(Candidate(sorted_positions(certain, open, bet.size))) == Verdict::yes) {
      open.erase(open.begin(), end);
      continue;
    }
    if (question.stopped()) break;
    for (auto it = open.begin(); it != end; ++it) it->p /= 1 - bet.chance;
    for (auto it = open.begin(); it != end; ++it)
      if (it->p > 1 - kEqual) certain.push_back(it->position);
    std::erase_if(open, [](const Thing& t) { return t.p > 1 - kEqual; });
    std::ranges::sort(open, [](const Thing& a, const Thing& b) {
      return a.p != b.p ? a.p < b.p : a.position < b.position;
    });
  }
  return ended(sorted_positions(certain, open, 0), problem, question);
}

}  // namespace norn
