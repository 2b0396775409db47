#include "shrink/trunk.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "shrink/fakes.h"

namespace norn {
namespace {

TEST(Trunk, CutsAsWrittenDown) {
  Trunk trunk({0, 1, 2, 3, 4, 5, 6, 7}, {1, 5, 7});
  const auto cut = [&](std::size_t first) {
    const Candidate c = trunk.cut(first);
    EXPECT_EQ(c.hash, set_hash(c.kept));
    return Indices(c.kept.begin(), c.kept.end());
  };
  EXPECT_EQ(cut(5), (Indices{0, 1, 2, 3, 4, 5, 7}));
  EXPECT_EQ(cut(0), (Indices{1, 5, 7}));
  EXPECT_EQ(cut(8), (Indices{0, 1, 2, 3, 4, 5, 6, 7}));
  trunk.add_to_base(3);
  EXPECT_EQ(cut(2), (Indices{0, 1, 3, 5, 7}));
}

/// The buffer that is kept from question to question, against lists made anew.
TEST(Trunk, IsWhatAListMadeAnewWouldBe) {
  Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    Indices list, base;
    for (std::uint32_t p = 0; p < 60; ++p)
      if (rng.chance(0.6)) list.push_back(p);
    for (const auto p : list)
      if (rng.chance(0.2)) base.push_back(p);
    if (list.empty()) continue;
    Trunk trunk(list, base);
    for (int question = 0; question < 30; ++question) {
      const std::size_t first = rng.below(list.size() + 1), more = rng.below(list.size());
      if (rng.chance(0.2)) {
        trunk.add_to_base(more);
        base.push_back(list[more]);
      }
      Indices wanted;
      for (std::size_t i = 0; i < list.size(); ++i)
        if (i < first || std::ranges::find(base, list[i]) != base.end()) wanted.push_back(list[i]);
      const Candidate c = trunk.cut(first);
      EXPECT_TRUE(std::ranges::equal(c.kept, wanted));
      EXPECT_EQ(c.hash, set_hash(wanted));
    }
  }
}

TEST(Within, AsksAboutThePartOnly) {
  Fake fake([](Bits set) { return (set & 0b1010'0000) == 0b1010'0000; });
  const Indices part{1, 3, 5, 7};
  Within within(fake, part);
  const Shrunk shrunk = dd({4, {}}, within);
  EXPECT_EQ(shrunk.kept, (Indices{2, 3}));  // places of 5 and 7
  EXPECT_TRUE(fake.hashes_right);
  for (const Bits set : fake.asked) EXPECT_EQ(set & ~Bits{0b1010'1010}, 0U);
}

}  // namespace
}  // namespace norn
