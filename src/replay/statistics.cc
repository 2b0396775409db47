#include "replay/statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "replay/replay.h"

namespace norn {
namespace {

/// P(X >= k) for X ~ Bin(n, p), summed in logarithms.
double upper_tail(std::uint32_t k, std::uint32_t n, double p) {
  if (k == 0 || p >= 1) return 1;
  if (p <= 0) return 0;
  const double ln_p = std::log(p), ln_q = std::log1p(-p), ln_n = std::lgamma(n + 1.0);
  double sum = 0;
  for (std::uint32_t i = k; i <= n; ++i)
    sum += std::exp(ln_n - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) + i * ln_p + (n - i) * ln_q);
  return std::min(sum, 1.0);
}

/// The p at which P(X >= k) = tail; the tail grows with p.
double solve(std::uint32_t k, std::uint32_t n, double tail) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (upper_tail(k, n, middle) < tail ? low : high) = middle;
  }
  return (low + high) / 2;
}

double lower_bound(std::uint32_t k, std::uint32_t n, double alpha) { return k == 0 ? 0 : solve(k, n, alpha); }
double upper_bound(std::uint32_t k, std::uint32_t n, double alpha) {
  return k == n ? 1 : solve(k + 1, n, 1 - alpha);
}

}  // namespace

double rate_at_least(std::uint32_t k, std::uint32_t n, double confidence) {
  return lower_bound(k, n, 1 - confidence);
}

double rate_ruled_out(std::uint32_t n, double confidence) { return 1 - std::pow(1 - confidence, 1.0 / n); }

std::uint32_t runs_that_show(double rate, double confidence) {
  if (rate >= 1) return 1;
  return static_cast<std::uint32_t>(std::ceil(std::log(1 - confidence) / std::log1p(-rate)));
}

std::pair<double, double> rate_interval(std::uint32_t k, std::uint32_t n, double confidence) {
  const double alpha = (1 - confidence) / 2;
  return {lower_bound(k, n, alpha), upper_bound(k, n, alpha)};
}

std::optional<bool> sequential_test(std::uint32_t k, std::uint32_t n, double r0, double error,
                                    std::uint32_t cap) {
  const double p1 = std::clamp(accept_share * r0, 1e-6, 1 - 1e-6);
  const double p0 = std::clamp(reject_share * r0, 1e-7, p1 / 1.01);
  const double ratio = k * std::log(p1 / p0) + (n - k) * std::log((1 - p1) / (1 - p0));
  const double border = std::log((1 - error) / error);
  if (ratio >= border) return true;
  if (ratio <= -border) return false;
  if (n >= cap) return ratio >= 0;
  return std::nullopt;
}

}  // namespace norn
