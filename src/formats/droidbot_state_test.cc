#include "formats/droidbot_state.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/patience.h"

namespace norn {
namespace {

Screen state_of(std::string_view text) {
  auto s = parse_droidbot_state(text, "state.json");
  EXPECT_TRUE(s.has_value()) << (s ? "" : s.error().message());
  return s ? *s : Screen{};
}
std::string state_refusal(std::string_view text) {
  const auto s = parse_droidbot_state(text, "state.json");
  EXPECT_FALSE(s.has_value()) << text;
  return s ? "" : s.error().message();
}

TEST(DroidbotState, ReadsAView) {
  const Screen s = state_of(
      R"({"foreground_activity": "org.app/.ui.Main", "width": 1080, "height": 1920, "views": [
        {"class": "android.widget.FrameLayout", "parent": -1, "temp_id": 0, "text": null, "package": "org.app"},
        {"class": "android.widget.EditText", "parent": 0, "temp_id": 1, "text": "hi", "resource_id": "org.app:id/t",
         "content_description": "d", "bounds": [[30, 40], [10, -20]], "is_password": true, "visible": false,
         "enabled": false, "clickable": true, "long_clickable": true, "checked": true}]})");
  EXPECT_EQ(s.package, "org.app");
  EXPECT_EQ(s.activity, "org.app.ui.Main");
  EXPECT_EQ(s.width, 1080);
  ASSERT_EQ(s.widgets.size(), 2u);
  const Widget& w = s.widgets[1];
  EXPECT_EQ(w.parent, 0);
  EXPECT_EQ(w.bounds, (Rect{10, -20, 30, 40}));
  EXPECT_TRUE(w.is(Flag::editable) && w.is(Flag::password) && w.is(Flag::long_clickable) &&
              w.is(Flag::checked));
  EXPECT_FALSE(w.is(Flag::visible) || w.is(Flag::enabled) || w.is(Flag::focused));
}

TEST(DroidbotState, BringsViewsIntoPreOrder) {
  const Screen s =
      state_of(R"({"views": [{"class": "r"}, {"class": "a", "parent": 0}, {"class": "b", "parent": 0},
      {"class": "a1", "parent": 1}, {"class": "b1", "parent": 2}, {"class": "second"}]})");
  std::string order;
  for (const Widget& w : s.widgets) order += w.cls + " ";
  EXPECT_EQ(order, "r a a1 b b1 second ");
  EXPECT_EQ(s.widgets[5].parent, -1);
}

TEST(DroidbotState, FollowsTempIdsNotPositions) {
  const Screen s = state_of(
      R"({"views": [{"class": "child", "parent": 7, "temp_id": 3}, {"class": "root", "temp_id": 7}]})");
  EXPECT_EQ(s.widgets[0].cls, "root");
  EXPECT_EQ(s.widgets[1].parent, 0);
}

TEST(DroidbotState, RefusalsSayWhatItIs) {
  EXPECT_NE(state_refusal("").find("the file is empty"), std::string::npos);
  EXPECT_NE(state_refusal("[]").find("this is none"), std::string::npos);
  EXPECT_NE(state_refusal("{}").find("\"views\""), std::string::npos);
  EXPECT_NE(state_refusal(R"({"views": [1]})").find("view 0 is no object"), std::string::npos);
  EXPECT_EQ(state_refusal("{\n\"views\": [").find("state.json:2: the JSON is cut off"), 0u);
  EXPECT_EQ(state_refusal("{\n\"views\" [\n\n]}").find("state.json:2: not JSON near"), 0u);
  EXPECT_NE(state_refusal(R"({"views": [{"parent": 1}, {"parent": 0}, {}]})")
                .find("2 of 3 views are their own ancestors"),
            std::string::npos);
}

TEST(DroidbotState, SurvivesDeepNesting) {
  const auto start = ComputingClock::now();
  const std::string deep(200'000, '[');
  state_refusal(deep);
  state_refusal("{\"views\": " + deep + std::string(deep.size(), ']') + "x}");
  state_refusal("{\"views\": " + deep + std::string(deep.size(), ']') + "}");
  std::string chain = "{\"views\": [{}";
  for (int i = 0; i < 20'000; ++i) chain += ",{\"parent\":" + std::to_string(i) + "}";
  EXPECT_EQ(state_of(chain + "]}").widgets.size(), 20'001u);
  EXPECT_LT(ComputingClock::now() - start, patience * std::chrono::seconds(2));
}

}  // namespace
}  // namespace norn
