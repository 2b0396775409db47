#include "trace/effort.h"

#include <gtest/gtest.h>

namespace norn {
namespace {

TEST(Effort, AddsAndSubtractsEveryField) {
  const Effort a{1, 2, 3, 4, 5, 6, 7, 8.0, 9.0, 10.0}, b{10, 20, 30, 40, 50, 60, 70, 80.0, 90.0, 100.0};
  Effort sum = a;
  sum += b;
  const Effort same[] = {a, sum - b};
  for (const Effort& e : same) {
    EXPECT_EQ(e.runs, 1U);
    EXPECT_EQ(e.events, 2U);
    EXPECT_EQ(e.restarts, 3U);
    EXPECT_EQ(e.snapshot_saves, 4U);
    EXPECT_EQ(e.snapshot_loads, 5U);
    EXPECT_EQ(e.from_memory, 6U);
    EXPECT_EQ(e.unresolved, 7U);
    EXPECT_EQ(e.device_seconds, 8.0);
    EXPECT_EQ(e.makespan_seconds, 9.0);
    EXPECT_EQ(e.wall_seconds, 10.0);
  }
  EXPECT_EQ(sum.unresolved, 77U);
  EXPECT_EQ(sum.wall_seconds, 110.0);
}

}  // namespace
}  // namespace norn
