#include "device/faulty.h"

#include "device/sim/testing.h"

namespace norn {
namespace {

const std::string counter = "sim:" NORN_SOURCE_DIR "/tests/data/sim/counter.lua?profile=instant";

struct Rig {
  explicit Rig(FaultPlan plan)
      : app(*sim_app(counter)), device(faulty(*open_sim(counter), std::move(plan))) {}
  App app;
  std::unique_ptr<Device> device;
};

TEST(Faulty, DoesNothingWithoutAPlan) {
  Rig rig({});
  auto plain = *open_sim(counter);
  Rng rng(3);
  ASSERT_TRUE(rig.device->start(rig.app, 1));
  ASSERT_TRUE(plain->start(rig.app, 1));
  for (int i = 0; i < 50; ++i) {
    const auto a = rig.device->observe(), b = plain->observe();
    ASSERT_TRUE(a && b);
    ASSERT_EQ(a->screen, b->screen);
    const Action action = sim::random_action(a->screen, rng);
    ASSERT_TRUE(rig.device->perform(action, Pace{}));
    ASSERT_TRUE(plain->perform(action, Pace{}));
  }
}

TEST(Faulty, StaysLostUntilItIsStartedAgain) {
  Rig rig({.seed = 1, .chance = {}, .at_calls = {{Fault::lost, {2}}}});
  ASSERT_TRUE(rig.device->start(rig.app, 1));
  ASSERT_TRUE(rig.device->observe());
  EXPECT_EQ(rig.device->perform(Press{key::back}, Pace{}).error().kind, Error::Kind::device);
  EXPECT_EQ(rig.device->observe().error().kind, Error::Kind::device);
  EXPECT_FALSE(rig.device->save());
  ASSERT_TRUE(rig.device->start(rig.app, 1));
  EXPECT_TRUE(rig.device->observe());
}

TEST(Faulty, TimesOutOnceAndDoesNothingThen) {
  Rig rig({.seed = 1, .chance = {}, .at_calls = {{Fault::timeout, {2}}}});
  ASSERT_TRUE(rig.device->start(rig.app, 1));
  const auto before = rig.device->observe();
  EXPECT_EQ(rig.device->perform(Touch{{540, 430}}, Pace{}).error().kind, Error::Kind::timeout);
  EXPECT_EQ(rig.device->observe()->screen, before->screen);
}

TEST(Faulty, DropsAnEventSilently) {
  Rig rig({.seed = 1, .chance = {}, .at_calls = {{Fault::dropped_event, {0}}}});
  ASSERT_TRUE(rig.device->start(rig.app, 1));
  const auto before = rig.device->observe();
  ASSERT_TRUE(rig.device->perform(Touch{{540, 430}}, Pace{}));
  EXPECT_EQ(rig.device->observe()->screen, before->screen);
  ASSERT_TRUE(rig.device->perform(Touch{{540, 430}}, Pace{}));
  EXPECT_NE(rig.device->observe()->screen, before->screen);
}

TEST(Faulty, RestoresWrongly) {
  Rig rig({.seed = 1, .chance = {}, .at_calls = {{Fault::failed_restore, {0}}, {Fault::wrong_restore, {0}}}});
  ASSERT_TRUE(rig.device->start(rig.app, 1));
  const auto first = rig.device->observe()->screen;
  const auto a = rig.device->save();
  ASSERT_TRUE(rig.device->perform(Touch{{540, 430}}, Pace{}));
  const auto second = rig.device->observe()->screen;
  const auto b = rig.device->save();
  ASSERT_TRUE(a && b);
  EXPECT_EQ(rig.device->restore(*a, 0).error().kind, Error::Kind::device);
  ASSERT_TRUE(rig.device->restore(*a, 0));
  EXPECT_EQ(rig.device->observe()->screen, second) << "the other one";
  ASSERT_TRUE(rig.device->restore(*a, 0));
  EXPECT_EQ(rig.device->observe()->screen, first);
}

TEST(Faulty, GarblesADumpVisibly) {
  Rig rig({.seed = 1, .chance = {{Fault::garbled_dump, 1.0}}, .at_calls = {}});
  ASSERT_TRUE(rig.device->start(rig.app, 1));
  int errors = 0, screens = 0;
  for (int i = 0; i < 40; ++i) {
    const auto seen = rig.device->observe();
    if (!seen) {
      ++errors;
      continue;
    }
    ++screens;
    EXPECT_FALSE(seen->settled);
    for (std::size_t w = 0; w < seen->screen.widgets.size(); ++w)
      EXPECT_LE(w + static_cast<std::size_t>(seen->screen.widgets[w].subtree), seen->screen.widgets.size());
  }
  EXPECT_GT(errors, 0);
  EXPECT_GT(screens, 0);
}

TEST(Faulty, RepeatsItself) {
  const auto run = [] {
    Rig rig({.seed = 5,
             .chance = {{Fault::lost, 0.1}, {Fault::timeout, 0.1}, {Fault::dropped_event, 0.1}},
             .at_calls = {}});
    std::string out;
    for (int i = 0; i < 60; ++i) {
      if (const auto s = rig.device->start(rig.app, 1); !s)
        out += s.error().kind == Error::Kind::timeout ? 't' : 'l';
      if (const auto s = rig.device->perform(Touch{{540, 430}}, Pace{}); !s) out += 'p';
      const auto seen = rig.device->observe();
      out += seen ? hex(content_hash(seen->screen)) : "o";
    }
    return out;
  };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace norn
