#include "shrink/purse.h"

#include <gtest/gtest.h>

#include <bit>

#include "shrink/fakes.h"
#include "shrink/noes.h"
#include "shrink/row.h"

namespace norn {
namespace {

constexpr Bits few = 7;

TEST(Purse, PaysOnceAndStandsStillWhenItIsEmpty) {
  Fake fake([](Bits set) { return set == few; });
  Purse purse(fake);
  const Indices three{0, 1, 2}, two{0, 1};
  purse.give(1);
  EXPECT_EQ(purse.ask(Candidate(three)), Verdict::yes);
  EXPECT_EQ(purse.spent(), expected_seconds(purse.prices(), 0, 0, 3));
  EXPECT_TRUE(purse.stopped());
  EXPECT_EQ(purse.ask(Candidate(two)), Verdict::unresolved);
  EXPECT_EQ(purse.ask(Candidate(three)), Verdict::yes);
  purse.give(1);
  EXPECT_FALSE(purse.stopped());
  EXPECT_EQ(purse.ask(Candidate(two)), Verdict::no);
  EXPECT_EQ(fake.asked.size(), 2U);
}

/// Stopped after every amount and begun anew, a search asks the same questions and comes to the same end.
TEST(Purse, ASearchBegunAnewGoesOnWhereItStopped) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    const Bits need = rng.next() & all_bits(20), parity = rng.next() & all_bits(20);
    const auto works = [&](Bits set) {
      return (set & need & 0x11111) == (need & 0x11111) && std::popcount(set & parity) % 2 == 0;
    };
    Fake whole(works), pieces(works);
    Remembering remembers(whole);
    const Indices expected = hdd({20, {}}, remembers).kept;
    Purse purse(pieces);
    Shrunk shrunk;
    do {
      purse.give(1 + 50 * rng.unit());
      shrunk = hdd({20, {}}, purse);
    } while (purse.stopped());
    ASSERT_EQ(shrunk.kept, expected);
    ASSERT_EQ(pieces.asked, whole.asked);
  }
}

TEST(Purse, ARunThatBeginsAtASnapshotCostsItsEnd) {
  const Prices prices{.event = 1, .restart = 100, .save = 1, .load = 2, .snapshots = true};
  EXPECT_EQ(expected_seconds(prices, 64, 60, 63), 2 + 2 + 3);
  EXPECT_EQ(expected_seconds(prices, 64, 0, 3), 103);
  Fake fake([](Bits) { return false; });
  struct Priced final : Question {
    Priced(Fake& f, Prices p) : fake(f), all(p) {}
    Verdict ask(const Candidate& c) override { return fake.ask(c); }
    Prices prices() const override { return all; }
    Fake& fake;
    Prices all;
  } priced(fake, prices);
  Purse purse(priced);
  Indices list = everything(64);
  purse.will_share(list, {});
  list.erase(list.begin() + 60);
  purse.ask(Candidate(list));
  EXPECT_EQ(purse.spent(), expected_seconds(prices, 64, 60, 63));
}

TEST(Noes, TellsOfALongerListThatFailed) {
  Fake fake([](Bits set) { return set == few; });
  Noes noes(fake);
  const Indices three{0, 1, 2}, two{0, 1}, other{0, 1, 63}, four{0, 1, 2, 63};
  for (const Indices* list : {&three, &two, &other}) noes.ask(Candidate(*list));
  EXPECT_FALSE(noes.beyond(three));
  Row row(four);
  noes.ask(row.only({0, 4}));
  EXPECT_EQ(noes.beyond(three), four);
}

}  // namespace
}  // namespace norn
