#include "device/exec/exec.h"

#include <gtest/gtest.h>

namespace norn {
namespace {

const std::string lamp = "python3 " NORN_SOURCE_DIR "/examples/exec_device.py";

std::string state_of(Device& d) {
  const auto seen = d.observe();
  return seen && seen->screen.widgets.size() > 1 ? seen->screen.widgets[1].text : "?";
}

TEST(Exec, RunsTheExample) {
  auto opened = open_exec(lamp);
  ASSERT_TRUE(opened) << opened.error().message();
  Device& d = *opened->device;
  EXPECT_EQ(opened->app.name, "org.example.lamp");
  ASSERT_TRUE(d.start(opened->app, 1));
  EXPECT_EQ(state_of(d), "off");
  ASSERT_TRUE(d.perform(Touch{{540, 250}}, Pace{}));
  EXPECT_EQ(state_of(d), "on");
  EXPECT_DOUBLE_EQ(d.meter(), 5.65);
  const auto snapshot = d.save();
  ASSERT_TRUE(snapshot);
  ASSERT_TRUE(d.perform(Touch{{540, 250}}, Pace{}));
  EXPECT_EQ(state_of(d), "off");
  ASSERT_TRUE(d.perform(Touch{{540, 250}}, Pace{}));
  const auto seen = d.observe();
  ASSERT_TRUE(seen && seen->crash);
  EXPECT_EQ(seen->crash->top().type, "lamp.Broken");
  ASSERT_TRUE(d.restore(*snapshot, 0));
  EXPECT_EQ(state_of(d), "on");
}

/// A shell script that answers the first `good` calls as the example would and then does something else.
std::string misbehaving(const std::string& then) {
  return "while read -r line; do n=$((n+1)); if [ $n -le 2 ]; then "
         "echo '{\"id\":'$n',\"ok\":{\"version\":1,\"app\":{\"name\":\"a\"},\"snapshots\":true}}'; else " +
         then + "; fi; done";
}

TEST(Exec, DyingSlowAndBabblingAreErrors) {
  for (const auto& [then, kind] : {std::pair<std::string, Error::Kind>{"exit 1", Error::Kind::device},
                                   {"sleep 100", Error::Kind::timeout},
                                   {"echo hello", Error::Kind::device},
                                   {"echo '{\"id\":2,\"ok\":{}}'", Error::Kind::device},
                                   {"echo '{\"id\":3}'", Error::Kind::device},
                                   {"echo '[]'", Error::Kind::device},
                                   {"echo '{\"id\":3,\"ok\":{\"screen\":7}}'", Error::Kind::device}}) {
    auto opened = open_exec(misbehaving(then), ExecOptions{.timeout = 0.5});
    ASSERT_TRUE(opened) << opened.error().message();
    Device& d = *opened->device;
    ASSERT_TRUE(d.start(opened->app, 1));
    const auto seen = d.observe();
    ASSERT_FALSE(seen) << then;
    EXPECT_EQ(seen.error().kind, kind) << then;
    EXPECT_FALSE(d.perform(Press{4}, Pace{})) << "nothing works until it is started again";
    EXPECT_TRUE(d.start(opened->app, 1)) << "a new process";
  }
}

TEST(Exec, DeepAnswersAreRefusedNotCopied) {
  const std::string brackets =
      "python3 -c \"print('{\\\"id\\\":3,\\\"ok\\\":{\\\"screen\\\":' + '['*100000 + "
      "']'*100000 + '}}')\"";
  auto opened = open_exec(misbehaving(brackets), ExecOptions{.timeout = 10});
  ASSERT_TRUE(opened) << opened.error().message();
  ASSERT_TRUE(opened->device->start(opened->app, 1));
  const auto seen = opened->device->observe();
  ASSERT_FALSE(seen);
  EXPECT_EQ(seen.error().kind, Error::Kind::device);
  EXPECT_NE(seen.error().what.find("nested too deeply"), std::string::npos) << seen.error().message();
}

TEST(Exec, ErrorsOfTheRigAreKept) {
  auto opened =
      open_exec(misbehaving("echo '{\"id\":3,\"error\":{\"kind\":\"timeout\",\"what\":\"no screen\"}}'"));
  ASSERT_TRUE(opened);
  ASSERT_TRUE(opened->device->start(opened->app, 1));
  const auto seen = opened->device->observe();
  ASSERT_FALSE(seen);
  EXPECT_EQ(seen.error().kind, Error::Kind::timeout);
  EXPECT_EQ(seen.error().what, "no screen");
}

TEST(Exec, NullIsTheSameAsLeftOut) {
  auto opened = open_exec(misbehaving("echo '{\"id\":'$n',\"error\":null,\"ok\":{\"hit\":null}}'"));
  ASSERT_TRUE(opened);
  ASSERT_TRUE(opened->device->start(opened->app, 1));
  const auto seen = opened->device->observe();
  ASSERT_TRUE(seen) << seen.error().message();
  EXPECT_EQ(seen->screen.kind, Screen::Kind::unseen);
}

TEST(Exec, AFieldOfInfoThatHasTheWrongTypeIsNamed) {
  for (const auto& [field, name] : {std::pair<std::string, std::string>{R"("snapshots":"yes")", "snapshots"},
                                    {R"("width":"1080")", "width"},
                                    {R"("costs":{"event":"dear"})", "event"},
                                    {R"("costs":7)", "costs"},
                                    {R"("coverage_total":-1)", "coverage_total"},
                                    {R"("activities":"Main")", "activities"},
                                    {R"("app":{"name":7})", "name"}}) {
    const auto opened =
        open_exec("echo '{\"id\":1,\"ok\":{\"version\":1,\"app\":{\"name\":\"a\"}," + field + "}}'; sleep 9",
                  ExecOptions{.timeout = 1});
    ASSERT_FALSE(opened) << field;
    EXPECT_NE(opened.error().what.find(name), std::string::npos) << opened.error().message();
  }
}

TEST(Exec, RefusesWhatIsNoDevice) {
  EXPECT_FALSE(open_exec("/no/such/program 2>/dev/null", ExecOptions{.timeout = 1}));
  EXPECT_FALSE(open_exec("echo '{\"id\":1,\"ok\":{\"version\":99,\"app\":{\"name\":\"a\"}}}'; sleep 9",
                         ExecOptions{.timeout = 1}));
  EXPECT_FALSE(open_exec("echo '{\"id\":1,\"ok\":{\"version\":1}}'; sleep 9", ExecOptions{.timeout = 1}));
}

}  // namespace
}  // namespace norn
