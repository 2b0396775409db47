#include "trace/coverage.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

namespace norn {
namespace {

Coverage make(const std::vector<std::uint32_t>& ids) { return Coverage(ids); }

/// Runs and loners, near 0 and near the largest id.
std::vector<std::uint32_t> arbitrary_ids() {
  std::vector<std::uint32_t> out;
  for (const auto first : *rc::gen::arbitrary<std::vector<std::uint32_t>>()) {
    const auto base = *rc::gen::element(first, first % 300, 0xffffffffU - first % 300);
    for (std::uint32_t i = 0, n = *rc::gen::inRange<std::uint32_t>(1, 9); i < n && base + i >= base; ++i)
      out.push_back(base + i);
  }
  return out;
}

TEST(Coverage, WritesAndReadsAnySet) {
  EXPECT_TRUE(rc::check([] {
    const Coverage set = make(arbitrary_ids());
    const auto back = Coverage::parse(set.serialise());
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == set);
  }));
}

TEST(Coverage, AgreesWithAStandardSet) {
  EXPECT_TRUE(rc::check([] {
    const auto a = arbitrary_ids(), b = arbitrary_ids();
    const std::set<std::uint32_t> sa(a.begin(), a.end()), sb(b.begin(), b.end());
    std::vector<std::uint32_t> both, beyond;
    std::set_intersection(sa.begin(), sa.end(), sb.begin(), sb.end(), std::back_inserter(both));
    std::set_difference(sa.begin(), sa.end(), sb.begin(), sb.end(), std::back_inserter(beyond));
    RC_ASSERT(make(a).ids() == std::vector(sa.begin(), sa.end()));
    RC_ASSERT((make(a) & make(b)).ids() == both);
    RC_ASSERT((make(a) - make(b)).ids() == beyond);
    RC_ASSERT(make(a).count_beyond(make(b)) == beyond.size());
    RC_ASSERT(make(a).within(make(a) | make(b)));
  }));
}

TEST(Coverage, HashDependsOnTheSetAlone) {
  Coverage up, down;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    up.add(i * 3);
    down.add((4999 - i) * 3);
  }
  EXPECT_EQ(up.hash(), down.hash());
  down.add(1);
  EXPECT_NE(up.hash(), down.hash());
}

TEST(Coverage, RefusesWhatIsNoSet) {
  EXPECT_TRUE(Coverage::parse("")->empty());
  EXPECT_FALSE(Coverage::parse("\x01"));                          // a skip without a run
  EXPECT_FALSE(Coverage::parse("\x80\x80\x80\x80\x80\x80\x00"));  // a number that never ends
  EXPECT_FALSE(Coverage::parse("\xff\xff\xff\xff\x0f\x01"));      // beyond the largest id
  EXPECT_FALSE(
      Coverage::parse(std::string_view("\x00\xfe\xff\xff\xff\x0f", 6)));  // four thousand million ids
  EXPECT_EQ(Coverage::parse(std::string_view("\xff\xff\xff\xff\x0f\x00", 6))->ids(),
            std::vector<std::uint32_t>{0xffffffff});
}

TEST(Coverage, ReadingAnyBytesNeverFailsBadly) {
  EXPECT_TRUE(rc::check([] {
    const auto bytes = *rc::gen::arbitrary<std::vector<char>>();
    const auto set = Coverage::parse(std::string_view(bytes.data(), bytes.size()));
    if (set && set->count() < 100'000) RC_ASSERT(*Coverage::parse(set->serialise()) == *set);
  }));
}

}  // namespace
}  // namespace norn
