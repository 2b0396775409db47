// Comparing two samples without assuming how they are distributed: what benchmark tables of randomised tools
// need.
#pragma once

#include <span>
#include <vector>

namespace norn {

/// Vargha and Delaney: the chance that a value of `a` is larger than one of `b`, ties half.
double a12(std::span<const double> a, std::span<const double> b);
/// Two-sided Mann-Whitney U test, normal approximation with correction for ties and continuity; 1 where
/// nothing can be said.
double mann_whitney(std::span<const double> a, std::span<const double> b);
/// The same question asked of several blocks at once (apps), runs being compared within their block only:
/// sums of U and of its variance (van Elteren with equal weights). Differences between apps are then no
/// noise. Two-sided p.
struct Block {
  std::vector<double> a, b;
};
double mann_whitney(std::span<const Block> blocks);
/// Holm's step-down correction: adjusted p-values in the order given.
std::vector<double> holm(std::vector<double> p);

}  // namespace norn
