// The two tests the service decides with. Fixed hypotheses lose flaky crashes, so they are relative to the
// rate r0 that the asker started from: H1: p >= 0.8 r0 against H0: p <= 0.4 r0, by Wald's sequential test.
// Between the two there is no bound.
#pragma once

#include <cstdint>
#include <optional>

namespace norn {

inline constexpr double accept_share = 0.8, reject_share = 0.4;

/// Wald's sequential probability ratio test on k yes of n runs. Nothing: run once more.
/// After `cap` runs it decides for the nearer hypothesis.
std::optional<bool> sequential_test(std::uint32_t k, std::uint32_t n, double r0, double error,
                                    std::uint32_t cap = 2000);

}  // namespace norn
