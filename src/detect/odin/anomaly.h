// Which clusters of behaviours are too small to be believed: the statistics, apart from everything else.
//
// C' is the smallest set of largest clusters that holds at least 3/4 of the n inputs; m and s are mean and
// population deviation of their sizes. The paper: c is anomalous iff |c| < m and (m - |c|) / s >= 3. With one
// majority cluster s is always 0, and forty clusters of 2 with twenty of 1 make twenty anomalies. So, with s*
// = max(s, m/4, sqrt(m (1 - m/n))),
//   A  |c| < m and (m - |c|) / s* >= 3,
//   B  P(X <= |c|) <= 0.05 / (clusters outside C') for X ~ Bin(n, m / (3n)): rarer than a third of a usual
//      one by chance,
//   C  C' holds at least half of all inputs with 95 % confidence (Clopper-Pearson, one-sided),
// and D, that it comes back from a clean start, is tested by running it. A without B or C is undecided: more
// inputs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace norn {

enum class AnomalyRule : std::uint8_t {
  norn,   ///< A, B and C
  paper,  ///< the bare z-score over C'
  all,    ///< the z-score over all clusters: the variant `simple`
};

struct AnomalyOptions {
  AnomalyRule rule = AnomalyRule::norn;
  double majority = 0.75;    ///< the paper's: what normal behaviour is taken to be
  double deviations = 3;     ///< the usual z-score of an outlier
  double level = 0.05;       ///< of B, over all clusters of one event (Bonferroni)
  double share = 0.5;        ///< of C: a majority is more than half
  double confidence = 0.95;  ///< of C
};

enum class Finding : std::uint8_t { normal, undecided, anomalous };

struct Judged {
  Finding finding = Finding::normal;
  double p = 1;  ///< B's probability; 1 inside C'
};

/// One verdict per cluster, in the order given.
std::vector<Judged> judge(std::span<const std::uint32_t> sizes, const AnomalyOptions& options = {});

/// P(X <= k) for X ~ Bin(n, p).
double binomial_at_most(std::uint32_t k, std::uint32_t n, double p);

/// Holm: the largest of the given p that stands although so many were looked at, each error at most `level`
/// in all; -1: none does. A level of 1 lets all stand.
double holm_level(std::vector<double> p, double level);

/// Benjamini-Hochberg: the q-value of each p.
std::vector<double> false_discovery(std::span<const double> p);

}  // namespace norn
