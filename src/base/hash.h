// Content hashes: 64 bits of xxHash, the same on every machine and in every process. Order and borders count:
// ("ab","c") and ("a","bc") differ, and so do two siblings swapped.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace norn {

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = 0);

/// Sixteen lower-case hex digits.
std::string hex(std::uint64_t hash);

/// Mixes values one after another into one hash.
class Hasher {
 public:
  Hasher& add(std::uint64_t value) {
    state_ = std::rotl(state_ ^ (value * 0x9e3779b97f4a7c15ULL), 29) * 0xbf58476d1ce4e5b9ULL;
    return *this;
  }
  Hasher& add(std::string_view text) { return add(hash_bytes(text, text.size())); }
  std::uint64_t finish() const {
    std::uint64_t h = state_ ^ (state_ >> 32);
    h *= 0x94d049bb133111ebULL;
    return h ^ (h >> 29);
  }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3ULL;
};

}  // namespace norn
