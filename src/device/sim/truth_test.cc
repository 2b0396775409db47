#include "device/sim/truth.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "device/sim/bundled.h"

namespace norn::sim {
namespace {

constexpr std::string_view package = "org.norn.notes";

Event event_of(std::string_view line) {
  auto event = parse_event(line, package);
  EXPECT_TRUE(event) << line << ": " << event.error().message();
  return event ? *event : Event{Raw{}};
}

Target id(std::string text) {
  return Target{.cls = {}, .id = std::move(text), .label = {}, .path = {}, .ordinal = {}};
}

TEST(ParseEvent, CompletesIdsWithThePackage) {
  EXPECT_EQ(event_of("tap save"), Event(Tap{.target = id("org.norn.notes:id/save"), .at = {}}));
  EXPECT_EQ(event_of("long android:id/button1"),
            Event(LongPress{.target = id("android:id/button1"), .at = {}}));
}

TEST(ParseEvent, TakesLabelsAndOrdinals) {
  Target both = id("org.norn.notes:id/row");
  both.label = "Pay \"rent\"";
  EXPECT_EQ(event_of(R"(tap row "Pay \"rent\"")"), Event(Tap{.target = both, .at = {}}));
  Target third = id("org.norn.notes:id/row");
  third.ordinal = 2;
  EXPECT_EQ(event_of("tap row[2]"), Event(Tap{.target = third, .at = {}}));
  Target label;
  label.label = "Open navigation drawer";
  EXPECT_EQ(event_of("tap \"Open navigation drawer\""), Event(Tap{.target = label, .at = {}}));
}

TEST(ParseEvent, ReadsEveryKind) {
  EXPECT_EQ(event_of("tap 540,300"), Event(Tap{.target = {}, .at = {540, 300}}));
  EXPECT_EQ(event_of("type title \"a b\""),
            Event(Type{.target = id("org.norn.notes:id/title"), .at = {}, .text = "a b"}));
  EXPECT_EQ(event_of("type title \"\""),
            Event(Type{.target = id("org.norn.notes:id/title"), .at = {}, .text = ""}));
  EXPECT_EQ(event_of("type \"x\""), Event(Type{.target = {}, .at = {}, .text = "x"}));
  EXPECT_EQ(
      event_of("swipe list up"),
      Event(Swipe{.target = id("org.norn.notes:id/list"), .direction = Direction::up, .from = {}, .to = {}}));
  EXPECT_EQ(event_of("drag 1,2 3,4"), Event(Drag{.target = {}, .from = {1, 2}, .to = {3, 4}}));
  EXPECT_EQ(event_of("pinch 540,600 100 400"),
            Event(Pinch{.target = {}, .at = {540, 600}, .from = 100, .to = 400}));
  EXPECT_EQ(event_of("back"), Event(Key{key::back}));
  EXPECT_EQ(event_of("menu"), Event(Key{key::menu}));
  EXPECT_EQ(event_of("key 24"), Event(Key{24}));
  EXPECT_EQ(event_of("launch Main"), Event(Launch{.package = std::string(package), .activity = "Main"}));
  EXPECT_EQ(event_of("rotate 1"), Event(Rotate{1}));
  EXPECT_EQ(event_of("wait 3000"), Event(Wait{3000}));
  EXPECT_EQ(event_of("system broadcast action=x n=1"),
            Event(System{"broadcast", {{"action", "x"}, {"n", "1"}}}));
}

TEST(ParseEvent, RefusesWhatIsNoEvent) {
  for (const char* line : {"",
                           "  ",
                           "\"tap\"",
                           "dance",
                           "tap",
                           "tap save now",
                           "tap \"open",
                           "tap row[x]",
                           "tap row[2",
                           "tap row[-1]",
                           "type title",
                           "swipe list",
                           "swipe list north",
                           "swipe up",
                           "drag 1,2",
                           "drag a,b c,d",
                           "pinch 1,2 3",
                           "key",
                           "key x",
                           "rotate",
                           "wait 99999999999",
                           "back 2",
                           "system",
                           "system broadcast x"})
    EXPECT_FALSE(parse_event(line, package)) << line;
}

RC_GTEST_PROP(ParseEvent, NeverFallsOver, (const std::string& line)) {
  for (const char* verb : {"", "tap ", "type x ", "swipe ", "drag ", "system "})
    (void)parse_event(verb + line, package);
}

TEST(ParseTruth, SaysWhatIsWrong) {
  const auto message = [](std::string_view json) {
    const auto truth = parse_truth(json, package, "x.bugs.json");
    return truth ? std::string("fine") : truth.error().message();
  };
  EXPECT_EQ(message(R"({"app":"x","what":"y","bugs":[]})"), "fine");
  EXPECT_NE(message("{").find("not JSON"), std::string::npos);
  EXPECT_NE(message("[]").find("object"), std::string::npos);
  EXPECT_NE(message(R"({"app":"x","what":"y"})").find("\"bugs\""), std::string::npos);
  const auto with_bug = [&](std::string_view bug) {
    return message(fmt::format(R"({{"app":"x","what":"y","bugs":[{}]}})", bug));
  };
  EXPECT_EQ(with_bug(R"({"id":"a","kind":"flaky","what":"w","device":"timing=random","events":["back"]})"),
            "fine");
  EXPECT_NE(with_bug(R"({"id":"a","kind":"odd","what":"w","events":["back"]})").find("no kind"),
            std::string::npos);
  EXPECT_NE(with_bug(R"({"id":"a","kind":"crash","what":"w","events":["hop"]})").find("hop"),
            std::string::npos);
  EXPECT_NE(with_bug(R"({"id":"a","kind":"crash","what":"w","events":[]})").find("events"),
            std::string::npos);
  const auto with_others = [&](std::string_view kind, std::string_view others) {
    return with_bug(
        fmt::format(R"({{"id":"a","kind":"{}","what":"w","events":["back"],"others":{}}})", kind, others));
  };
  EXPECT_EQ(with_others("crash", R"([["menu","back"],["rotate 1"]])"), "fine");
  for (const char* others : {R"("back")", R"(["back"])", "[[]]", R"([["hop"]])", "[[1]]"})
    EXPECT_NE(with_others("crash", others).find("bug \"a\""), std::string::npos) << others;
  EXPECT_NE(with_others("functional", R"([["back"]])").find("into a crash"), std::string::npos);
}

TEST(LoadTruth, EveryBundledAppHasOne) {
  EXPECT_GE(bundled_sources().size(), 12u);
  for (const BundledFile& app : bundled_sources()) {
    const std::string name(app.name.substr(0, app.name.find('.')));
    const auto truth = load_truth(name);
    ASSERT_TRUE(truth) << truth.error().message();
    EXPECT_EQ(truth->app, name);
    std::set<std::string> ids;
    for (const KnownBug& bug : truth->bugs) {
      EXPECT_TRUE(ids.insert(bug.id).second) << name << " has two bugs " << bug.id;
      EXPECT_NE(app.text.find(fmt::format("bug(\"{}\")", bug.id)), std::string_view::npos)
          << name << " never asks " << bug.id;
    }
    EXPECT_GE(ids.size(), 5u) << name;
    EXPECT_LE(ids.size(), 9u) << name;
  }
  EXPECT_FALSE(load_truth("nonsense"));
}

}  // namespace
}  // namespace norn::sim
