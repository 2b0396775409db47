#include "detect/odin/anomaly.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "replay/replay.h"

namespace norn {
namespace {

struct Majority {
  std::vector<char> in;
  double mean = 0, deviation = 0;
  std::uint32_t holds = 0, all = 0, outside = 0;
};

Majority majority_of(std::span<const std::uint32_t> sizes, double share) {
  Majority out;
  out.in.assign(sizes.size(), 0);
  out.all = std::accumulate(sizes.begin(), sizes.end(), 0U);
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  double squares = 0;
  std::uint32_t count = 0;
  for (const std::size_t i : order) {
    if (out.holds >= share * out.all) break;
    out.in[i] = 1;
    out.holds += sizes[i];
    squares += static_cast<double>(sizes[i]) * sizes[i];
    ++count;
  }
  out.outside = static_cast<std::uint32_t>(sizes.size()) - count;
  out.mean = count == 0 ? 0 : static_cast<double>(out.holds) / count;
  out.deviation = count == 0 ? 0 : std::sqrt(std::max(0.0, squares / count - out.mean * out.mean));
  return out;
}

Judged by_score(std::uint32_t size, const Majority& m, const AnomalyOptions& options) {
  Judged out;
  if (size >= m.mean) return out;
  const double n = m.all;
  out.p = binomial_at_most(size, m.all, m.mean / (3 * n));
  if ((m.mean - size) >= options.deviations * m.deviation) out.finding = Finding::anomalous;
  return out;
}

}  // namespace

double binomial_at_most(std::uint32_t k, std::uint32_t n, double p) {
  if (k >= n || p <= 0) return 1;
  if (p >= 1) return 0;
  double sum = 0;
  for (std::uint32_t i = 0; i <= k; ++i)
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) + i * std::log(p) +
                    (n - i) * std::log1p(-p));
  return std::min(1.0, sum);
}

std::vector<Judged> judge(std::span<const std::uint32_t> sizes, const AnomalyOptions& options) {
  std::vector<Judged> out(sizes.size());
  if (sizes.size() < 2) return out;
  const bool every = options.rule == AnomalyRule::all;
  Majority m = majority_of(sizes, every ? 1.0 : options.majority);
  if (every) std::ranges::fill(m.in, char{0});
  const bool plain = options.rule != AnomalyRule::norn;
  const double n = m.all;
  if (!plain)
    m.deviation = std::max({m.deviation, m.mean / 4, std::sqrt(std::max(0.0, m.mean * (1 - m.mean / n)))});
  const bool believed = plain || rate_at_least(m.holds, m.all, options.confidence) >= options.share;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (m.in[i]) continue;
    out[i] = by_score(sizes[i], m, options);
    if (plain || out[i].finding != Finding::anomalous) continue;
    if (!believed || out[i].p > options.level / m.outside) out[i].finding = Finding::undecided;
  }
  return out;
}

double holm_level(std::vector<double> p, double level) {
  if (level >= 1) return 1;
  std::ranges::sort(p);
  double out = -1;
  for (std::size_t i = 0; i < p.size() && p[i] * static_cast<double>(p.size() - i) <= level; ++i) out = p[i];
  return out;
}

std::vector<double> false_discovery(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> q(p.size(), 1);
  double least = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    least = std::min(least, p[order[i]] * static_cast<double>(p.size()) / static_cast<double>(i + 1));
    q[order[i]] = least;
  }
  return q;
}

}  // namespace norn
