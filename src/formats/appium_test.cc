#include "formats/appium.h"

#include <gtest/gtest.h>

namespace norn {
namespace {

TEST(Appium, TagNameIsTheClass) {
  const auto s = parse_appium(
      "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n"
      "<hierarchy index=\"0\" class=\"hierarchy\" rotation=\"1\" width=\"1080\" height=\"2400\">\n"
      "  <android.widget.FrameLayout index=\"0\" package=\"org.app\" bounds=\"[0,0][10,20]\" "
      "displayed=\"true\">\n"
      "    <org.app.Outer$Inner text=\"2 $\" displayed=\"false\" "
      "resource-id=\"org.app:id/x\"/>\n"
      "    <android.widget.EditText text=\"Name\" showing-hint=\"true\"/>\n"
      "  </android.widget.FrameLayout>\n</hierarchy>",
      "page.xml");
  ASSERT_TRUE(s) << s.error().message();
  ASSERT_EQ(s->widgets.size(), 3u);
  EXPECT_EQ(s->width, 1080);
  EXPECT_EQ(s->height, 2400);
  EXPECT_EQ(s->rotation, 1);
  EXPECT_EQ(s->package, "org.app");
  EXPECT_EQ(s->widgets[0].cls, "android.widget.FrameLayout");
  EXPECT_EQ(s->widgets[1].cls, "org.app.Outer$Inner");
  EXPECT_EQ(s->widgets[1].text, "2 $");
  EXPECT_FALSE(s->widgets[1].is(Flag::visible));
  EXPECT_EQ(s->widgets[2].hint, "Name");
  EXPECT_EQ(s->widgets[2].text, "");
  EXPECT_TRUE(s->widgets[2].is(Flag::editable));
  EXPECT_EQ(s->widgets[2].parent, 0);
}

TEST(Appium, ReadsABareRoot) {
  const auto s = parse_appium(
      "<android.widget.FrameLayout bounds='[0,0][1,1]'><android.view.View/></android.widget.FrameLayout>",
      "x");
  ASSERT_TRUE(s) << s.error().message();
  EXPECT_EQ(s->widgets.size(), 2u);
}

TEST(Appium, RefusesOtherDialectsByName) {
  EXPECT_EQ(parse_appium("<hierarchy><node class='a'/></hierarchy>", "x").error().message(),
            "x:1: a uiautomator dump, not an Appium page source");
  EXPECT_NE(
      parse_appium("<AppiumAUT><XCUIElementTypeApplication/></AppiumAUT>", "x").error().message().find("iOS"),
      std::string::npos);
  EXPECT_NE(parse_appium("<html><body/></html>", "x").error().message().find("<html>"), std::string::npos);
}

}  // namespace
}  // namespace norn
