#include "formats/uiautomator.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/patience.h"
#include "base/text.h"
#include "gui/screen_gen.h"

namespace norn {
namespace {

using namespace std::literals;

Screen parsed(std::string_view bytes) {
  auto screen = parse_uiautomator(bytes, "dump.xml");
  EXPECT_TRUE(screen.has_value()) << (screen ? "" : screen.error().message());
  return screen ? *screen : Screen{};
}
std::string refusal(std::string_view bytes) {
  const auto screen = parse_uiautomator(bytes, "dump.xml");
  EXPECT_FALSE(screen.has_value()) << bytes;
  return screen ? "" : screen.error().message();
}
std::string one_node(std::string_view attributes) {
  return "<hierarchy rotation=\"0\"><node " + std::string(attributes) + " /></hierarchy>";
}

constexpr std::string_view dump =
    R"(<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="1"><node index="0" text="" )"
    R"(resource-id="" class="android.widget.FrameLayout" package="org.app" content-desc="" checkable="false" )"
    R"(checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" )"
    R"(long-clickable="false" password="false" selected="false" bounds="[0,0][1080,1920]" drawing-order="0" hint="">)"
    R"(<node index="0" text='Say "hi" &amp; go&#10;on' resource-id="org.app:id/name" class="android.widget.EditText" )"
    R"(package="org.app" content-desc="" checkable="true" checked="true" clickable="true" enabled="false" )"
    R"(focusable="true" focused="true" scrollable="true" long-clickable="true" password="true" selected="true" )"
    R"(bounds="[-1,2][30,40]" drawing-order="1" hint="Name &#128512;" /></node></hierarchy>)";

TEST(Uiautomator, ReadsEveryAttribute) {
  const Screen s = parsed(dump);
  ASSERT_EQ(s.widgets.size(), 2u);
  EXPECT_EQ(s.rotation, 1);
  EXPECT_EQ(s.package, "org.app");
  const Widget& w = s.widgets[1];
  EXPECT_EQ(w.text, "Say \"hi\" & go\non");
  EXPECT_EQ(w.id, "org.app:id/name");
  EXPECT_EQ(w.hint, "Name 😀");
  EXPECT_EQ(w.bounds, (Rect{-1, 2, 30, 40}));
  EXPECT_EQ(w.parent, 0);
  Widget all;
  all.flags = 4095;
  all.set(Flag::enabled, false);
  EXPECT_EQ(w.flags, all.flags);
  EXPECT_EQ(s.widgets[0].flags, static_cast<int>(Flag::enabled) | static_cast<int>(Flag::visible));
}

TEST(Uiautomator, WritesByteForByteWhatADeviceWrites) { EXPECT_EQ(write_uiautomator(parsed(dump)), dump); }

TEST(Uiautomator, MarksWhatHasNoName) {
  Screen s;
  s.widgets.resize(2);
  for (Widget& w : s.widgets) w.set(Flag::clickable), w.set(Flag::enabled), w.set(Flag::visible);
  link_by_depth(s.widgets, {0, 1});
  const std::string both = write_uiautomator(s);
  EXPECT_EQ(both.find("NAF"), both.find("<node") + 6);
  s.widgets[1].desc = "name";
  EXPECT_EQ(write_uiautomator(s).find("NAF"), std::string::npos);
}

TEST(Uiautomator, ToleratesWhatSurroundsTheXml) {
  const std::string text(dump);
  const Screen plain = parsed(dump);
  EXPECT_EQ(parsed(text + "UI hierchary dumped to: /dev/tty\n"), plain);
  EXPECT_EQ(parsed("\xef\xbb\xbf" + text), plain);
  EXPECT_EQ(parsed("idx -1\n14184\r\n" + text + "\r\n\0\0"s), plain);
  std::string lines = text;
  for (std::size_t at = 0; (at = lines.find("><", at)) != std::string::npos;)
    lines.replace(at, 2, ">\r\n  <");
  EXPECT_EQ(parsed(lines), plain);
  std::string wide = "\xff\xfe";
  for (const char c : text) wide += {c, '\0'};
  EXPECT_EQ(parsed(wide), plain);
}

TEST(Uiautomator, ReadsABareRootAndSeveralWindows) {
  EXPECT_EQ(parsed("<node class='a'><node class='b'/><node class='c'/></node> tail").widgets.size(), 3u);
  EXPECT_EQ(parsed("<node class='a'/>").widgets.size(), 1u);
  const Screen s = parsed("<hierarchy><node class='a'><node/></node><node class='b'/></hierarchy>");
  EXPECT_EQ(s.widgets[2].parent, -1);
  EXPECT_EQ(s.widgets[0].subtree, 2);
}

TEST(Uiautomator, PutsTheTopmostWindowLast) {
  const Screen s = parsed(
      "<displays><display id='0'>"
      "<window layer='5' type='TYPE_INPUT_METHOD'><hierarchy rotation='3'><node class='keys' "
      "package='ime'><node "
      "class='q'/></node></hierarchy></window>"
      "<window layer='1' active='true'><hierarchy rotation='3'><node class='main' "
      "package='org.app'/></hierarchy>"
      "</window></display></displays>");
  ASSERT_EQ(s.widgets.size(), 3u);
  EXPECT_EQ(s.widgets[0].cls, "main");
  EXPECT_EQ(s.widgets[2].cls, "q");
  EXPECT_EQ(s.widgets[2].parent, 1);
  EXPECT_EQ(s.package, "org.app");
  EXPECT_EQ(s.rotation, 3);
  EXPECT_TRUE(s.keyboard);
}

TEST(Uiautomator, MissingAttributesHaveTheirUsualValue) {
  const Widget w = parsed(one_node("class='android.widget.Button'")).widgets.at(0);
  EXPECT_TRUE(w.is(Flag::enabled));
  EXPECT_TRUE(w.is(Flag::visible));
  EXPECT_FALSE(w.is(Flag::clickable));
  EXPECT_EQ(w.bounds, Rect{});
  EXPECT_FALSE(parsed(one_node("visible-to-user='false'")).widgets.at(0).is(Flag::visible));
}

TEST(Uiautomator, BoundsMayBeOdd) {
  const auto bounds = [](std::string_view b) {
    return parsed(one_node("bounds='" + std::string(b) + "'")).widgets[0].bounds;
  };
  EXPECT_EQ(bounds("[476,624][572,620]"), (Rect{476, 624, 572, 620}));
  EXPECT_EQ(bounds("[0,0][0,0]"), Rect{});
  for (const auto* odd :
       {"", "[", "[1,2]", "[1,2][3", "[1,2][3,4]x", "[1 ,2][3,4]", "[1,2][3,99999999999]", "1,2,3,4"})
    EXPECT_EQ(bounds(odd), Rect{}) << odd;
}

TEST(Uiautomator, JoinsSurrogatesWrittenOneByOne) {
  EXPECT_EQ(parsed(one_node("text='&#55357;&#56832;'")).widgets[0].text, "😀");
  EXPECT_EQ(parsed(one_node("text='a&#55357;b'")).widgets[0].text,
            "a\xef\xbf\xbd"
            "b");
}

TEST(Uiautomator, EntitiesBeyondUnicodeAreNoCharacters) {
  for (const auto* odd : {"&#1228512;", "&#4294967295;", "&#xFFFFFFFFF;", "a&#x110000;b"})
    EXPECT_TRUE(is_utf8(parsed(one_node("text='" + std::string(odd) + "'")).widgets[0].text)) << odd;
}

TEST(Uiautomator, NothingOnScreenIsAScreenToo) {
  for (const auto* empty : {"<hierarchy rotation=\"0\" />", "<hierarchy rotation=\"0\"></hierarchy>"})
    EXPECT_EQ(parsed(empty).kind, Screen::Kind::nothing);
}

TEST(Uiautomator, RefusalsSayWhatItIs) {
  EXPECT_EQ(refusal(""), "dump.xml: the file is empty (take the dump again)");
  EXPECT_NE(refusal("\nERROR: could not get idle state.\n")
                .find("dump.xml:2: the device said \"could not get idle"),
            std::string::npos);
  EXPECT_NE(refusal("ERROR: null root node returned by UiTestAutomationBridge.").find("null root node"),
            std::string::npos);
  EXPECT_NE(refusal("{\"views\": []}").find("looks like JSON"), std::string::npos);
  EXPECT_NE(refusal("hello").find("not XML: begins with \"hello\""), std::string::npos);
  EXPECT_NE(
      refusal("<?xml version='1.0'?>\n<manifest package='a'><application/></manifest>").find("<manifest>"),
      std::string::npos);
  EXPECT_NE(refusal("<hierarchy><android.view.View class='android.view.View'/></hierarchy>").find("Appium"),
            std::string::npos);
  EXPECT_NE(refusal(std::string(dump) + std::string(dump)).find("several dumps"), std::string::npos);
}

TEST(Uiautomator, ACutDumpIsRefusedWhereverItIsCut) {
  for (std::size_t n = dump.find("<hierarchy") + 11; n < dump.size() - 12; n += 7) {
    const std::string message = refusal("log\n" + std::string(dump.substr(0, n)));
    EXPECT_TRUE(message.starts_with("dump.xml:2: ")) << message;
    EXPECT_NE(message.find("take it again"), std::string::npos) << message;
  }
}

TEST(Uiautomator, DamageNamesItsLine) {
  EXPECT_TRUE(refusal("<hierarchy>\n<node/>\n<node text=></node>\n</hierarchy>")
                  .starts_with("dump.xml:3: the XML is"));
}

/// What the format can hold of a screen.
Screen holdable(Screen s) {
  s.activity.clear(), s.keyboard = false, s.package.clear();
  s.kind = s.widgets.empty() ? Screen::Kind::nothing : Screen::Kind::app;
  for (Widget& w : s.widgets) w.set(Flag::editable, is_text_field_class(w.cls));
  return s;
}

TEST(Uiautomator, ReadingWhatWasWrittenKeepsEverythingItCanHold) {
  EXPECT_TRUE(rc::check([] {
    Screen s = *testing::screens();
    for (Widget& w : s.widgets)
      w.text += *rc::gen::map(rc::gen::inRange(0, 6), [](int i) {
        return std::vector<std::string>{
            "<&>'\"", "\n\t\r", "😀", "é", "\xe4\xb8\xad", "]]>"}[static_cast<std::size_t>(i)];
      });
    RC_ASSERT(parse_uiautomator(write_uiautomator(s), "x").value() == holdable(s));
  }));
}

TEST(Uiautomator, WhateverATextHoldsTheDumpCanBeRead) {
  EXPECT_TRUE(rc::check([](const std::string& text, const std::string& desc) {
    Screen s;
    s.widgets.resize(1);
    s.widgets[0].text = text, s.widgets[0].desc = desc;
    const std::string first = write_uiautomator(s);
    RC_ASSERT(write_uiautomator(parse_uiautomator(first, "x").value()) == first);
  }));
}

TEST(Uiautomator, DeepAndLargeDumpsNeedNoStackAndLittleTime) {
  for (const std::size_t depth : {5'000u, 100'000u}) {
    std::string deep = "<hierarchy>";
    for (std::size_t i = 0; i < depth; ++i) deep += "<node class='a'>";
    for (std::size_t i = 0; i < depth; ++i) deep += "</node>";
    const auto start = ComputingClock::now();
    const Screen s = parsed(deep + "</hierarchy>");
    ASSERT_EQ(s.widgets.size(), depth);
    EXPECT_EQ(s.widgets.back().parent, static_cast<std::int32_t>(depth) - 2);
    EXPECT_EQ(write_uiautomator(s).size() > deep.size(), true);
    EXPECT_LT(ComputingClock::now() - start, patience * std::chrono::seconds(1));
  }
  std::string wide = "<hierarchy>";
  for (int i = 0; i < 10'000; ++i)
    wide += "<node class='android.widget.Button' bounds='[0,0][1,1]' text='x'/>";
  EXPECT_EQ(parsed(wide + "</hierarchy>").widgets.size(), 10'000u);
}

TEST(Uiautomator, ManyOpenTagsWithoutEndAreRefusedQuickly) {
  std::string open;
  for (int i = 0; i < 200'000; ++i) open += "<node>";
  const auto start = ComputingClock::now();
  EXPECT_NE(refusal(open).find("cut off"), std::string::npos);
  refusal("<hierarchy>" + open + "</hierarchy>");
  std::string ends;
  for (int i = 0; i < 200'000; ++i) ends += "</node";
  refusal("<node>" + ends);
  EXPECT_LT(ComputingClock::now() - start, patience * std::chrono::seconds(1));
}

}  // namespace
}  // namespace norn
