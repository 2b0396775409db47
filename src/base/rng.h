// Chance that can be repeated: the same seed gives the same numbers on every machine (std:: distributions do
// not).
#pragma once

#include <cstddef>
#include <cstdint>

namespace norn {

/// What a device's own chance is seeded with. 0 after a restore means: exactly the future that was saved.
using Nonce = std::uint64_t;

/// splitmix64: 8 bytes of state, good enough for search and simulation, copyable into snapshots.
class Rng {
  __extension__ typedef unsigned __int128 Wide;

 public:
  explicit Rng(std::uint64_t seed = 1) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, n). REQUIRES: n > 0.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>((static_cast<Wide>(next()) * n) >> 64); }
  /// Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  bool chance(double p) { return unit() < p; }
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_;
};

}  // namespace norn
