#include "gui/difference.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "gui/screen_gen.h"

namespace norn {
namespace {

Widget widget(const std::string& cls, std::string id, std::string text = {}) {
  Widget w;
  w.cls = "android.widget." + cls, w.id = std::move(id), w.text = std::move(text);
  w.set(Flag::enabled), w.set(Flag::visible);
  if (cls == "Button") w.set(Flag::clickable);
  return w;
}

/// A title, a list with rows, a button.
Screen list_screen(const std::string& title, const std::vector<std::string>& rows) {
  Screen s;
  s.package = "org.app", s.activity = "Main";
  std::vector<std::int32_t> depths{0, 1, 1};
  s.widgets = {widget("FrameLayout", ""), widget("TextView", "title", title), widget("ListView", "list")};
  for (const auto& row : rows) s.widgets.push_back(widget("Button", "row", row)), depths.push_back(2);
  s.widgets.push_back(widget("Button", "add", "Add")), depths.push_back(1);
  link_by_depth(s.widgets, depths);
  return s;
}

std::uint64_t print(const Screen& a, const Screen& b, Rules rules = {}) {
  return fingerprint(HashedScreen(a).under(rules), HashedScreen(b).under(rules));
}

TEST(Difference, NoiseOnBothScreensCancels) {
  const auto one = print(list_screen("Mon", {"a"}), list_screen("Mon", {"a", "x"}));
  EXPECT_EQ(one, print(list_screen("Tue", {"b", "c"}), list_screen("Tue", {"b", "c", "x"})));
  EXPECT_NE(one, print(list_screen("Mon", {"a"}), list_screen("Mon", {"a", "y"})));
}

TEST(Difference, ARuleForgetsOneThing) {
  const Screen a = list_screen("t", {"a"});
  const Rules text = Rules{}.with(Rule::text);
  EXPECT_EQ(print(a, list_screen("t", {"a", "x"}), text), print(a, list_screen("t", {"a", "y"}), text));
  EXPECT_NE(print(a, list_screen("t", {"a", "x"}), text), print(a, a, text));
  // Rows that are equal by then are one row: adding another is no change any more.
  EXPECT_EQ(print(a, list_screen("t", {"a", "x"}), text.with(Rule::rows)),
            print(a, a, text.with(Rule::rows)));
}

TEST(Difference, SilentWidgetsGoAndTheirChildrenStay) {
  const HashedScreen s = HashedScreen(list_screen("t", {"a", "b"})).under(Rules{}.with(Rule::silent));
  EXPECT_EQ(s.tree().size(), 3U);
  for (const TedNode& n : s.tree().nodes()) EXPECT_EQ(n.subtree, 1);
}

TEST(Difference, APageIsThePageWhateverItsRows) {
  const auto page = [](const Screen& s) { return HashedScreen(s).fixtures(); };
  EXPECT_EQ(page(list_screen("t", {"a", "b"})), page(list_screen("u", {})));
  Screen other = list_screen("t", {"a", "b"});
  other.widgets.back().id = "other";
  EXPECT_DOUBLE_EQ(overlap(page(other), page(list_screen("t", {}))), 0.75);
  EXPECT_DOUBLE_EQ(overlap({}, {}), 1);
}

TEST(Difference, LeavingTheAppIsAChange) {
  const Screen a = list_screen("t", {});
  Screen b = a;
  b.kind = Screen::Kind::outside;
  Rules all{(1U << rule_count) - 1};
  EXPECT_NE(print(a, b, all), print(a, a, all));
}

RC_GTEST_PROP(Difference, EqualScreensHaveNoChangesAndRulesNeverSplit, ()) {
  const Screen a = *testing::screens(), b = *testing::screens();
  RC_ASSERT(changes(a, a).empty());
  const Rules rules{*rc::gen::inRange<std::uint32_t>(0, 1U << rule_count)};
  RC_ASSERT(print(a, a, rules) == print(b, b, rules));
  const HashedScreen x = HashedScreen(a).under(rules);
  RC_ASSERT(x.under(rules).tree().hash() == x.tree().hash());
}

TEST(Difference, OutlinesMarkWhatDiffers) {
  const std::string text = marked_outline(list_screen("t", {"a", "b"}), list_screen("t", {"a", "c"}));
  EXPECT_NE(text.find("-     Button id/row \"b\""), std::string::npos) << text;
  EXPECT_NE(text.find("+     Button id/row \"c\""), std::string::npos) << text;
  EXPECT_EQ(text.find("+     Button id/row \"a\""), std::string::npos) << text;
}

}  // namespace
}  // namespace norn
