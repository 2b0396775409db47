#include "base/average.h"

#include <gtest/gtest.h>

namespace norn {
namespace {

TEST(Average, IsTheMiddleOfManyAndNoughtOfNone) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_DOUBLE_EQ(median({}), 0);
  EXPECT_DOUBLE_EQ(mean(std::vector<double>{1, 2, 6}), 3);
  EXPECT_DOUBLE_EQ(mean({}), 0);
}

}  // namespace
}  // namespace norn
