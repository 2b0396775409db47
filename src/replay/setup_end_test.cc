#include "replay/setup_end.h"

#include <gtest/gtest.h>

#include "replay/fleet.h"
#include "replay/maze.h"
#include "replay/plain.h"

namespace norn {
namespace {

using testing::Maze;
using testing::MazeOptions;

/// A page with a clock and a field.
Screen page(const std::string& activity, const std::string& clock, const std::string& typed = "") {
  Screen out;
  out.package = "org.x", out.activity = activity;
  for (const auto& [id, text] : {std::pair{"clock", clock}, {"field", typed}}) {
    Widget w;
    w.cls = "android.widget.TextView", w.id = id, w.text = text;
    w.set(Flag::visible);
    w.set(Flag::editable, w.id == "field");
    out.widgets.push_back(w);
  }
  link_by_depth(out.widgets, {0, 0});
  return out;
}

TEST(SetupEnd, IsTheRecordedScreenWhateverItsFieldsHold) {
  SetupEnd end(page("Home", "9:00", "ann"));
  EXPECT_TRUE(end.check(page("Home", "9:00", "bob"), {}));
  const Status login = end.check(page("Login", "9:00", "s3cret"), {});
  ASSERT_FALSE(login);
  EXPECT_EQ(login.error().kind, Error::Kind::device);
  EXPECT_NE(login.error().what.find("org.x Login (\"9:00\") is in front"), std::string::npos)
      << login.error().what;
  EXPECT_NE(login.error().what.find("org.x Home"), std::string::npos);
  EXPECT_EQ(login.error().message().find("s3cret"), std::string::npos);
}

Screen without_ids(Screen screen) {
  for (Widget& w : screen.widgets) w.id.clear();
  return screen;
}

TEST(SetupEnd, IsKnownByItsIdsWhateverItSays) {
  SetupEnd end(page("Home", "9:00"));
  EXPECT_TRUE(end.check(page("Home", "9:17"), {}));
  Screen other = page("Home", "9:00");
  for (Widget& w : other.widgets) w.id = "login_" + w.id;
  EXPECT_FALSE(end.check(other, {}));
}

TEST(SetupEnd, WithoutIdsAClockIsSeenToBeOneAtTheThirdTime) {
  SetupEnd end(without_ids(page("Home", "9:00")));
  EXPECT_FALSE(end.check(without_ids(page("Home", "9:17")), {}));
  EXPECT_TRUE(end.check(without_ids(page("Home", "9:18")), {}));
  EXPECT_TRUE(end.check(without_ids(page("Home", "9:19")), {}));
  EXPECT_FALSE(end.check(without_ids(page("Login", "9:20")), {}));
}

TEST(SetupEnd, WhereOnlyTheActivityWasRecordedThatIsCompared) {
  Screen bare;
  bare.kind = Screen::Kind::unseen, bare.package = "org.x", bare.activity = "Home";
  SetupEnd end(bare);
  EXPECT_TRUE(end.check(page("Home", "9:17"), {}));
  EXPECT_FALSE(end.check(page("Login", "9:17"), {}));
  Screen unseen;
  unseen.kind = Screen::Kind::unseen;
  EXPECT_TRUE(SetupEnd(unseen).check(page("Login", "9:17"), {}));
  EXPECT_TRUE(SetupEnd(std::nullopt).check(page("Login", "9:17"), {}));
}

TEST(SetupEnd, ElsewhereIsUnresolvedAndNothingIsRemembered) {
  const MazeOptions maze{.seed = 4};
  const auto asked = [&](const Screen& recorded, History& tree) {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::make_unique<Maze>(maze));
    FleetOptions options;
    options.setup_end = recorded;
    Replay replay(std::make_unique<Fleet>(std::move(devices), App{}, tree, options));
    return replay.ask({.events = replay.intern(std::vector<Event>{Key{key::back}})});
  };
  Maze plain(maze);
  const Screen start = testing::plain_replay(plain, App{}, {}, Missing::stop).screen;
  History right, wrong;
  EXPECT_EQ(asked(start, right).verdict, Verdict::yes);
  const Outcome outcome = asked(page("Home", ""), wrong);
  EXPECT_EQ(outcome.verdict, Verdict::unresolved);
  ASSERT_TRUE(outcome.why);
  EXPECT_NE(outcome.why->what.find("does not end where it was recorded"), std::string::npos);
  EXPECT_LE(wrong.size(), 1U);
}

}  // namespace
}  // namespace norn
