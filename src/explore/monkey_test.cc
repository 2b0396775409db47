#include "explore/monkey.h"

#include <gtest/gtest.h>

#include <map>

namespace norn {
namespace {

TEST(Monkey, TheMixIsTheStatedOne) {
  double sum = 0;
  for (const auto& share : monkey_mix) sum += share.percent;
  EXPECT_DOUBLE_EQ(sum, 100);
  MonkeyEvents monkey(3);
  std::map<MonkeyKind, int> seen;
  constexpr int draws = 200'000;
  for (int i = 0; i < draws; ++i) ++seen[monkey.draw(1080, 1920).kind];
  for (const auto& share : monkey_mix)
    EXPECT_NEAR(100.0 * seen[share.kind] / draws, share.percent, 0.4) << share.name;
}

TEST(Monkey, EventsAreWhatTheirKindSays) {
  MonkeyEvents monkey(5);
  for (int i = 0; i < 20'000; ++i) {
    const auto [kind, event] = monkey.draw(100, 200);
    if (kind == MonkeyKind::touch) {
      const auto& tap = std::get<Tap>(event);
      EXPECT_TRUE(tap.target.empty());
      EXPECT_TRUE((Rect{0, 0, 100, 200}.contains(tap.at)));
    }
    if (kind == MonkeyKind::nav) {
      EXPECT_TRUE(std::get<Key>(event).code >= key::dpad_up && std::get<Key>(event).code <= key::dpad_right);
    }
    if (kind == MonkeyKind::motion) {
      EXPECT_TRUE(std::holds_alternative<Drag>(event));
    }
    if (kind == MonkeyKind::any_key) {
      EXPECT_NE(std::get<Key>(event).code, key::power);
    }
  }
}

TEST(Monkey, SystemEventsComeEverySixtyToNinetySeconds) {
  SystemEvents events(1, {"Main"});
  std::vector<double> times;
  for (int half_seconds = 0; half_seconds < 20'000; ++half_seconds)
    if (events.due(half_seconds * 0.5)) times.push_back(half_seconds * 0.5);
  for (std::size_t i = 1; i < times.size(); ++i) {
    EXPECT_GE(times[i] - times[i - 1], 60);
    EXPECT_LE(times[i] - times[i - 1], 91);
  }
  EXPECT_GT(times.size(), 100U);
}

}  // namespace
}  // namespace norn
