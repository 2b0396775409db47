#include "explore/ranking.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace norn {

double a12(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return 0.5;
  double wins = 0;
  for (const double x : a)
    for (const double y : b) wins += x > y ? 1 : x == y ? 0.5 : 0;
  return wins / (static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

namespace {

/// How far U is from what chance gives, and how far chance may take it.
struct Moments {
  double beyond = 0, variance = 0;
};

Moments moments(std::span<const double> a, std::span<const double> b) {
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  if (n == 0 || m == 0) return {};
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  std::sort(all.begin(), all.end());
  double ties = 0;
  for (std::size_t i = 0; i < all.size();) {
    const auto end = static_cast<std::size_t>(std::upper_bound(all.begin(), all.end(), all[i]) - all.begin());
    const auto t = static_cast<double>(end - i);
    ties += t * t * t - t;
    i = end;
  }
  const double total = n + m;
  return {a12(a, b) * n * m - n * m / 2, n * m / 12 * (total + 1 - ties / (total * (total - 1)))};
}

double two_sided(Moments sum) {
  if (sum.variance <= 0) return 1;
  const double z = std::max(0.0, std::abs(sum.beyond) - 0.5) / std::sqrt(sum.variance);
  return std::erfc(z / std::sqrt(2.0));
}

}  // namespace

double mann_whitney(std::span<const double> a, std::span<const double> b) { return two_sided(moments(a, b)); }

double mann_whitney(std::span<const Block> blocks) {
  Moments sum;
  for (const Block& block : blocks) {
    const Moments one = moments(block.a, block.b);
    sum.beyond += one.beyond, sum.variance += one.variance;
  }
  return two_sided(sum);
}

std::vector<double> holm(std::vector<double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return p[x] < p[y]; });
  double least = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    least = std::max(least, std::min(1.0, p[order[i]] * static_cast<double>(order.size() - i)));
    p[order[i]] = least;
  }
  return p;
}

}  // namespace norn
