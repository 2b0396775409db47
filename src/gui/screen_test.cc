#include "gui/screen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>

#include "base/patience.h"
#include "base/text.h"
#include "gui/screen_gen.h"

namespace norn {
namespace {

Widget named(std::string text) {
  Widget w;
  w.text = std::move(text);
  return w;
}

Screen showing(std::vector<Widget> widgets) {
  Screen s;
  s.widgets = std::move(widgets);
  return s;
}

Screen chain(std::size_t n) {
  Screen s;
  s.widgets.resize(n);
  std::vector<std::int32_t> depths(n);
  for (std::size_t i = 0; i < n; ++i) depths[i] = static_cast<std::int32_t>(i);
  link_by_depth(s.widgets, depths);
  return s;
}

double seconds(auto&& work) {
  const auto start = ComputingClock::now();
  work();
  return std::chrono::duration<double>(ComputingClock::now() - start).count();
}

TEST(Rect, CenterSurvivesInvertedAndHugeBounds) {
  constexpr auto lo = std::numeric_limits<std::int32_t>::min(), hi = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ((Rect{lo, hi, lo, hi}.center()), (Point{lo, hi}));
  EXPECT_EQ((Rect{476, 624, 572, 620}.center()), (Point{524, 622}));
}

TEST(Widget, SetsAndClearsOneFlag) {
  Widget w;
  w.set(Flag::visible), w.set(Flag::enabled), w.set(Flag::visible, false);
  EXPECT_EQ(w.flags, static_cast<std::uint16_t>(Flag::enabled));
}

TEST(Label, PrefersTextThenDescriptionThenHintThenWhatIsBelow) {
  Screen s = showing({named(""), named("below")});
  link_by_depth(s.widgets, {0, 1});
  EXPECT_EQ(label(s, 0), "below");
  s.widgets[0].hint = "h";
  EXPECT_EQ(label(s, 0), "h");
  s.widgets[0].desc = "d";
  EXPECT_EQ(label(s, 0), "d");
  s.widgets[0].text = "t";
  EXPECT_EQ(label(s, 0), "t");
}

TEST(Label, NeverIsWhatSomebodyTyped) {
  Screen s = showing({named(""), named("typed")});
  link_by_depth(s.widgets, {0, 1});
  s.widgets[1].set(Flag::editable);
  EXPECT_EQ(label(s, 1), "");
  EXPECT_EQ(label(s, 0), "");
  s.widgets[1].hint = "Name";
  EXPECT_EQ(label(s, 1), "Name");
}

TEST(Label, LooksDownNoFurtherThanItsReach) {
  Screen s;
  s.widgets.resize(label_reach + 2);
  std::vector<std::int32_t> depths(s.widgets.size(), 1);
  depths[0] = 0;
  link_by_depth(s.widgets, depths);
  s.widgets[label_reach].text = "last seen";
  EXPECT_EQ(label(s, 0), "last seen");
  std::swap(s.widgets[label_reach].text, s.widgets[label_reach + 1].text);
  EXPECT_EQ(label(s, 0), "");
}

TEST(Path, CountsWindowsAndChildren) {
  Screen s;
  s.widgets.resize(7);
  link_by_depth(s.widgets, {0, 1, 2, 1, 0, 1, 1});
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < 7; ++i) paths.push_back(path_of(s, i));
  EXPECT_EQ(paths, (std::vector<std::string>{"/0", "/0/0", "/0/0/0", "/0/1", "/1", "/1/0", "/1/1"}));
}

TEST(Path, IsDifferentForEveryWidget) {
  EXPECT_TRUE(rc::check([] {
    const Screen s = *testing::screens();
    std::set<std::string> paths;
    for (std::size_t i = 0; i < s.widgets.size(); ++i) paths.insert(path_of(s, i));
    RC_ASSERT(paths.size() == s.widgets.size());
  }));
}

TEST(Links, AgreeWithCountingDescendants) {
  EXPECT_TRUE(rc::check([] {
    const Screen s = *testing::screens();
    for (std::size_t i = 0; i < s.widgets.size(); ++i) {
      std::int32_t below = 0;
      for (std::size_t j = 0; j < s.widgets.size(); ++j)
        for (auto k = static_cast<std::int32_t>(j); k >= 0; k = s.widgets[static_cast<std::size_t>(k)].parent)
          below += k == static_cast<std::int32_t>(i);
      RC_ASSERT(below == s.widgets[i].subtree);
    }
  }));
}

TEST(Links, DepthThatJumpsIsOneDeeperOnly) {
  std::vector<Widget> w(3);
  link_by_depth(w, {5, 9, -3});
  EXPECT_EQ(w[1].parent, 0);
  EXPECT_EQ(w[2].parent, -1);
}

TEST(ContentHash, TellsPermutationsApart) {
  std::vector<std::string> words = {"a", "b", "c", "d"};
  std::set<std::uint64_t> hashes;
  do {
    Screen s;
    for (const auto& word : words) s.widgets.push_back(named(word));
    link_by_depth(s.widgets, {0, 1, 1, 1});
    hashes.insert(content_hash(s));
  } while (std::ranges::next_permutation(words).found);
  EXPECT_EQ(hashes.size(), 24u);
}

TEST(ContentHash, TellsBordersAndEqualSiblingsApart) {
  const auto of = [](std::string text, std::string desc) {
    Screen s = showing({named(std::move(text))});
    s.widgets[0].desc = std::move(desc);
    return content_hash(s);
  };
  EXPECT_NE(of("ab", "c"), of("a", "bc"));
  EXPECT_NE(of("a", ""), of("", "a"));
  EXPECT_NE(content_hash(showing({named("a"), named("a")})), content_hash(Screen{}));
}

TEST(ContentHash, IsEqualExactlyForEqualScreens) {
  EXPECT_TRUE(rc::check([] {
    const Screen a = *testing::screens(), b = *testing::screens();
    RC_ASSERT((content_hash(a) == content_hash(b)) == (a == b));
    RC_ASSERT(content_hash(a) == content_hash(Screen(a)));
  }));
}

TEST(ContentHash, SeesShape) {
  Screen a, b;
  a.widgets.resize(3), b.widgets.resize(3);
  link_by_depth(a.widgets, {0, 1, 1});
  link_by_depth(b.widgets, {0, 1, 2});
  EXPECT_NE(content_hash(a), content_hash(b));
}

TEST(ContentHash, IsTheSameInEveryProcess) {
  Screen s;
  s.package = "org.app", s.activity = ".Main";
  s.widgets = {named("Save")};
  EXPECT_EQ(content_hash(s), content_hash(Screen(s)));
  EXPECT_EQ(content_hash(Screen{}), 6845544838031606888u) << "pinned: stores depend on it";
}

TEST(Outline, ShowsOneSafeLineAWidget) {
  Screen s;
  s.package = "org.app", s.activity = ".Main";
  s.widgets = {named(""), named("Sa\x1bve")};
  s.widgets[0].cls = "android.widget.FrameLayout";
  s.widgets[1].cls = "android.widget.Button", s.widgets[1].id = "org.app:id/save";
  for (Widget& w : s.widgets) w.set(Flag::enabled), w.set(Flag::visible);
  link_by_depth(s.widgets, {0, 1});
  EXPECT_EQ(outline(s),
            "app org.app .Main\n  FrameLayout [0,0][0,0]\n    Button id/save \"Sa\\x1bve\" [0,0][0,0]\n");
}

TEST(Outline, HidesPasswords) {
  Screen s = showing({named("secret")});
  s.widgets[0].set(Flag::password);
  EXPECT_EQ(outline(s).find("secret"), std::string::npos);
}

TEST(Screen, DeepAndWideScreensStayLinear) {
  for (const Screen& s : {chain(5'000), [] {
                            Screen wide;
                            wide.widgets.resize(10'000);
                            std::vector<std::int32_t> depths(10'000, 1);
                            depths[0] = 0;
                            link_by_depth(wide.widgets, depths);
                            return wide;
                          }()}) {
    EXPECT_LT(seconds([&] {
                for (std::size_t i = 0; i < s.widgets.size(); ++i) EXPECT_TRUE(label(s, i).empty());
                EXPECT_FALSE(path_of(s, s.widgets.size() - 1).empty());
                EXPECT_LT(outline(s).size(), s.widgets.size() * 200);
                EXPECT_NE(content_hash(s), 0u);
              }),
              0.5 * patience);
  }
}

TEST(TextField, IsKnownByItsClass) {
  EXPECT_TRUE(is_text_field_class("android.widget.EditText"));
  EXPECT_TRUE(is_text_field_class("androidx.appcompat.widget.AppCompatEditText"));
  EXPECT_TRUE(is_text_field_class("android.widget.MultiAutoCompleteTextView"));
  EXPECT_FALSE(is_text_field_class("android.widget.TextView"));
  EXPECT_FALSE(is_text_field_class(""));
}

TEST(Activity, IsNamedByWholePartsOfItsName) {
  for (const char* name : {"org.app/.ui.Deck", ".ui.Deck", "ui.Deck", "Deck", "/.ui.Deck"})
    EXPECT_TRUE(names_activity("org.app/.ui.Deck", name)) << name;
  for (const char* name : {"eck", "i.Deck", "", ".ui", "NewDeck", "org.app/.ui.Deck.x"})
    EXPECT_FALSE(names_activity("org.app/.ui.Deck", name)) << name;
  EXPECT_FALSE(names_activity("NewDeck", "Deck"));
  EXPECT_TRUE(names_activity("", ""));
}

}  // namespace
}  // namespace norn
