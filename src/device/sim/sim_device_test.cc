#include <gtest/gtest.h>

#include "device/sim.h"
#include "gui/target.h"

namespace norn {
namespace {

TEST(SimDevice, RunsTheCounter) {
  auto device = open_sim("sim:" NORN_SOURCE_DIR "/tests/data/sim/counter.lua");
  ASSERT_TRUE(device) << device.error().message();
  auto app = sim_app("sim:" NORN_SOURCE_DIR "/tests/data/sim/counter.lua");
  ASSERT_TRUE(app);
  ASSERT_TRUE((*device)->start(*app, 0));
  auto seen = (*device)->observe();
  ASSERT_TRUE(seen);
  std::puts(outline(seen->screen).c_str());
  const auto tap = [&](const char* id) {
    for (const Widget& w : seen->screen.widgets)
      if (w.id.ends_with(std::string("/") + id)) {
        EXPECT_TRUE((*device)->perform(Touch{w.bounds.center()}, Pace{}));
        seen = (*device)->observe();
        return;
      }
    FAIL() << "no " << id;
  };
  auto snapshot = (*device)->save();
  tap("add");
  std::puts(outline(seen->screen).c_str());
  ASSERT_TRUE((*device)->restore(*snapshot, 0));
  seen = (*device)->observe();
  tap("share");
  std::puts(outline(seen->screen).c_str());
  ASSERT_TRUE(seen->crash);
  std::puts(headline(*seen->crash).c_str());
  std::puts(seen->crash->top().message.c_str());
}

}  // namespace
}  // namespace norn
