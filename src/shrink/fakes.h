// Questions for tests: answered by a function, counted, logged, stopped or spoilt.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "shrink/shrink.h"

namespace norn {

/// Sets of up to 64 positions as bits.
using Bits = std::uint64_t;
inline Bits bits(std::span<const std::uint32_t> positions) {
  Bits set = 0;
  for (std::uint32_t p : positions) set |= Bits{1} << p;
  return set;
}
inline Bits all_bits(std::uint32_t size) { return size == 64 ? ~Bits{0} : (Bits{1} << size) - 1; }

/// Those that others published: the first six are in the printed table, all are in reference.py.
inline const std::vector<std::string> kPublished{"dd", "hdd", "bhdd", "lhdd", "lhdd-nopre", "probdd", "cdd"};

class Fake : public Question {
 public:
  explicit Fake(std::function<bool(Bits)> works) : works_(std::move(works)) {}

  Verdict ask(const Candidate& candidate) override {
    Bits set = bits(candidate.kept);
    asked.push_back(set);
    hashes_right = hashes_right && candidate.hash == set_hash(candidate.kept);
    if (stopped() || (spoil > 0 && rng.chance(spoil))) return Verdict::unresolved;
    if (!works_(set)) return Verdict::no;
    confirmed.insert(set);
    return Verdict::yes;
  }
  bool stopped() const override { return asked.size() >= stop_after; }
  Verdict reaches(const Candidate& candidate, StateId state) override {
    return arrives ? arrives(bits(candidate.kept), state) : Verdict::unresolved;
  }

  std::function<Verdict(Bits, StateId)> arrives;  ///< the local check; none: unresolved
  std::vector<Bits> asked;
  std::set<Bits> confirmed;  ///< answered yes
  bool hashes_right = true;
  double spoil = 0;  ///< share of answers that are unresolved
  std::size_t stop_after = static_cast<std::size_t>(-1);
  Rng rng{7};

 private:
  std::function<bool(Bits)> works_;
};

}  // namespace norn
