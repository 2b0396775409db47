#include "formats/screen_reader.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/patience.h"
#include "formats/droidbot_state.h"
#include "formats/uiautomator.h"

namespace norn {
namespace {

using namespace std::literals;

double seconds(auto&& work) {
  const auto start = ComputingClock::now();
  work();
  return std::chrono::duration<double>(ComputingClock::now() - start).count();
}

TEST(ScreenReader, TellsNewFromUnchanged) {
  ScreenReader reader;
  const auto a = "<hierarchy><node class='a'/></hierarchy>"s, b = "<hierarchy><node class='b'/></hierarchy>"s;
  EXPECT_TRUE(reader.read(a, "x").value());
  EXPECT_FALSE(reader.read(std::string(a), "x").value());
  EXPECT_TRUE(reader.read(b, "x").value());
  EXPECT_EQ(reader.screen().widgets[0].cls, "b");
  EXPECT_FALSE(reader.read("ERROR: null root node", "x").has_value());
  EXPECT_FALSE(reader.read(b, "x").value()) << "the last good one stays";
  EXPECT_FALSE(ScreenReader().read("", "x").has_value());
}

TEST(ScreenReader, KnowsTheFormatByItsContent) {
  EXPECT_EQ(parse_screen("\xef\xbb\xbf {\"views\": [{\"class\": \"d\"}]}", "x")->widgets[0].cls, "d");
  EXPECT_EQ(parse_screen("<hierarchy><a.b.C bounds='[0,0][1,1]'/></hierarchy>", "x")->widgets[0].cls,
            "a.b.C");
  EXPECT_EQ(parse_screen("\n<node class='n'/>", "x")->widgets[0].cls, "n");
}

TEST(ScreenReader, UnchangedCostsATenthOfParsing) {
  Screen s;
  s.widgets.resize(94);
  for (Widget& w : s.widgets) w.cls = "android.widget.TextView", w.text = "some text", w.package = "org.app";
  link_by_depth(s.widgets, {});
  const std::string dump = write_uiautomator(s);
  ScreenReader reader;
  ASSERT_TRUE(reader.read(dump, "x").value());
  const double same = seconds([&] {
    for (int i = 0; i < 200; ++i) ASSERT_FALSE(reader.read(dump, "x").value());
  });
  const double parse = seconds([&] {
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(parse_uiautomator(dump, "x").has_value());
  });
  EXPECT_LT(same, parse / 10);
}

}  // namespace
}  // namespace norn
