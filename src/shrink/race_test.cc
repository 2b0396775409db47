// norn on apps where what does it need not do it when more is done beside it: what an early thing does decides
// which rows the later ones hit. Beside it, by the same prices: hdd, and norn's own steps where no run can start in
// the middle.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/rng.h"
#include "shrink/purse.h"

namespace norn {
namespace {

/// A list of rows that are known by their place only. `add` puts a row on top, a tap takes out the row at its place
/// (none there: nothing happens), `sum` breaks if the row of an early number was taken out and the numbers left
/// are at least `least` and add up to a multiple of `modulus`.
struct Rows {
  static constexpr int add = -1, sum = -2;
  std::vector<int> walk;  ///< ends with the first sum that breaks
  int wanted = 2, modulus = 7;
  std::size_t least = 3;

  bool breaks(std::span<const std::uint32_t> kept) const {
    std::vector<int> rows{1, 2, 3};
    int next = 4;
    bool taken = false;
    for (const auto p : kept) {
      const int what = walk[p];
      if (what == add && rows.size() < 20) rows.insert(rows.begin(), next++);
      if (what >= 0 && what < static_cast<int>(rows.size())) {
        taken = taken || rows[static_cast<std::size_t>(what)] == wanted;
        rows.erase(rows.begin() + what);
      }
      if (what == sum && taken && rows.size() >= least &&
          std::accumulate(rows.begin(), rows.end(), 0) % modulus == 0)
        return true;
    }
    return false;
  }
  Problem problem() const {
    const auto size = static_cast<std::uint32_t>(walk.size());
    return {size, std::vector<StateId>(size)};
  }
};

/// A walk of about `length` that ends in the crash; the sum is rare, else the walk would be short.
Rows random_rows(Rng& rng, std::size_t length) {
  Rows rows;
  rows.wanted = 1 + static_cast<int>(rng.below(3)), rows.modulus = 3 + static_cast<int>(rng.below(9));
  Indices all;
  for (std::uint32_t i = 0; i < 100 * length; ++i) {
    const bool late = i + 1 >= length;
    const int other = rng.chance(0.4) ? Rows::add : static_cast<int>(rng.below(12));
    rows.walk.push_back(late && i % 2 == 0 ? Rows::sum : other);
    all.push_back(i);
    if (late && rows.breaks(all)) return rows;
  }
  return rows;
}

struct Spent {
  std::size_t size = 0;
  double seconds = 0;
};

/// By the prices; what is asked again costs nothing.
Spent spent(const Rows& rows, Algorithm algorithm, Prices prices) {
  class Instant final : public Question {
   public:
    Instant(const Rows& rows, Prices prices) : rows_(rows), prices_(prices) {}
    Verdict ask(const Candidate& c) override { return rows_.breaks(c.kept) ? Verdict::yes : Verdict::no; }
    Prices prices() const override { return prices_; }

   private:
    const Rows& rows_;
    Prices prices_;
  } instant(rows, prices);
  Purse purse(instant);
  Shrunk shrunk = algorithm(rows.problem(), purse);
  shrunk = minimal_pass(shrunk.kept, purse);
  EXPECT_TRUE(shrunk.one_minimal && rows.breaks(shrunk.kept));
  return {shrunk.kept.size(), purse.spent()};
}

TEST(Race, IsNeverFarBehindWhereThingsShiftWhatLaterOnesDo) {
  Rng rng(11);
  Spent ours, published;
  for (int round = 0; round < 60; ++round) {
    const Rows rows = random_rows(rng, 60 + rng.below(400));
    const Prices cold, warm{.event = 0.65, .restart = 5, .save = 2, .load = 1.5, .snapshots = true};
    const Spent by_norn = spent(rows, norn_reducer, warm), by_plain = spent(rows, norn_reducer, cold),
                by_hdd = spent(rows, hdd, cold);
    const double share = 5 * cold.event * static_cast<double>(rows.walk.size()) + 30 * cold.restart;
    EXPECT_LE(by_norn.seconds, 5 * by_plain.seconds + 2 * share);
    ours.size += by_norn.size, ours.seconds += by_norn.seconds;
    published.size += by_hdd.size, published.seconds += by_hdd.seconds;
  }
  EXPECT_LT(ours.seconds, published.seconds);
  EXPECT_LT(ours.size, published.size);
}

}  // namespace
}  // namespace norn
