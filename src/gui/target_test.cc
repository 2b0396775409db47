#include "gui/target.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/patience.h"
#include "gui/screen_gen.h"

namespace norn {
namespace {

Widget clickable(std::string cls, std::string id, std::string text) {
  Widget w;
  w.cls = std::move(cls), w.id = std::move(id), w.text = std::move(text);
  w.set(Flag::enabled), w.set(Flag::visible), w.set(Flag::clickable);
  return w;
}

/// A list of two rows with the same id, and a Save button.
Screen list_screen() {
  Screen s;
  s.widgets = {clickable("List", "list", ""), clickable("Row", "row", "milk"),
               clickable("Row", "row", "eggs"), clickable("Button", "", "Save")};
  link_by_depth(s.widgets, {0, 1, 1, 1});
  return s;
}

std::optional<std::size_t> found(const Target& t, const Screen& s) {
  const Resolution r = resolve(t, s);
  const auto* f = std::get_if<Found>(&r);
  return f ? std::optional(f->widget) : std::nullopt;
}

Target by(std::string id, std::string label) {
  return {.cls = {}, .id = std::move(id), .label = std::move(label), .path = {}, .ordinal = {}};
}

TEST(Resolve, OnlyWidgetWithTheIdIsItWhateverItSays) {
  EXPECT_EQ(found(by("list", "gone"), list_screen()), 0u);
}

TEST(Resolve, LabelDecidesAmongEqualIds) {
  const Screen s = list_screen();
  EXPECT_EQ(found(by("row", "eggs"), s), 2u);
  EXPECT_TRUE(std::holds_alternative<NotThere>(resolve(by("row", "bread"), s)));
  const Resolution r = resolve(by("row", ""), s);
  ASSERT_TRUE(std::holds_alternative<Ambiguous>(r));
  EXPECT_EQ(std::get<Ambiguous>(r).widgets, (std::vector<std::size_t>{1, 2}));
}

TEST(Resolve, LabelWithoutClassIsTheWidgetsOwn) {
  Screen s = list_screen();
  EXPECT_EQ(found(by("", "milk"), s), 1u) << "the list inherits the label but is not called so";
}

TEST(Resolve, OrdinalDecidesOnlyWithinWhatIsThere) {
  Target t = by("row", "");
  t.ordinal = 1;
  EXPECT_EQ(found(t, list_screen()), 2u);
  t.ordinal = 2;
  EXPECT_TRUE(std::holds_alternative<NotThere>(resolve(t, list_screen())));
  t.ordinal = -1;
  EXPECT_TRUE(std::holds_alternative<NotThere>(resolve(t, list_screen())));
}

TEST(Resolve, ClassMustFitWhenGiven) {
  Target t = by("list", "");
  t.cls = "Other";
  EXPECT_TRUE(std::holds_alternative<NotThere>(resolve(t, list_screen())));
}

TEST(Resolve, PathsThatAreNoneAreNotThere) {
  const Screen s = list_screen();
  for (const char* path : {"0", "/", "//", "/0/3", "/1", "/0/0/0", "/-1", "/x", "/99999999999999999999999"}) {
    Target t;
    t.path = path;
    EXPECT_TRUE(std::holds_alternative<NotThere>(resolve(t, s))) << path;
  }
  Target t;
  t.path = "/0/2";
  EXPECT_EQ(found(t, s), 3u);
}

TEST(Resolve, EmptyScreenHasNothing) {
  EXPECT_TRUE(std::holds_alternative<NotThere>(resolve(by("row", ""), Screen{})));
}

TEST(MakeTarget, FindsItsWidgetAgain) {
  EXPECT_TRUE(rc::check([] {
    const Screen s = *testing::screens();
    for (std::size_t i = 0; i < s.widgets.size(); ++i) {
      const Target t = make_target(s, i);
      RC_ASSERT(!t.empty());
      RC_ASSERT(found(t, s) == std::optional(i));
    }
  }));
}

TEST(MakeTarget, SetsAnOrdinalOnlyWhereNeeded) {
  EXPECT_TRUE(rc::check([] {
    const Screen s = *testing::screens();
    for (std::size_t i = 0; i < s.widgets.size(); ++i) {
      Target t = make_target(s, i);
      if (!t.ordinal) continue;
      t.ordinal.reset();
      RC_ASSERT(std::holds_alternative<Ambiguous>(resolve(t, s)));
    }
  }));
}

TEST(MakeTarget, DoesNotNameAListAfterItsFirstRow) {
  Screen s = list_screen();
  s.widgets[0].set(Flag::scrollable);
  const Target t = make_target(s, 0);
  s.widgets[1].text = "scrolled";
  EXPECT_EQ(t, make_target(s, 0));
  EXPECT_EQ(found(t, s), 0u);
}

TEST(MakeTarget, RowIsFoundWhenRowsComeAndGo) {
  Screen s = list_screen();
  const Target eggs = make_target(s, 2);
  EXPECT_FALSE(eggs.ordinal);
  s.widgets[1].text = "bread";
  EXPECT_EQ(found(eggs, s), 2u);
}

TEST(WidgetAt, InnermostOfTheTopmostWindow) {
  Screen s;
  s.widgets = {clickable("Root", "", ""), clickable("Button", "", ""), clickable("Dialog", "", ""),
               clickable("Ok", "", "")};
  s.widgets[0].bounds = {0, 0, 100, 100};
  s.widgets[1].bounds = {0, 0, 60, 60};
  s.widgets[2].bounds = {20, 20, 80, 80};
  s.widgets[3].bounds = {50, 50, 70, 70};
  s.widgets[2].set(Flag::clickable, false);
  link_by_depth(s.widgets, {0, 1, 0, 1});
  EXPECT_EQ(widget_at(s, {10, 10}), 1u);
  EXPECT_EQ(widget_at(s, {90, 90}), 0u);
  EXPECT_EQ(widget_at(s, {55, 55}), 3u);
  EXPECT_EQ(widget_at(s, {30, 30}), std::nullopt) << "the dialog covers the button";
  EXPECT_EQ(widget_at(s, {100, 100}), std::nullopt);
  s.widgets[3].set(Flag::enabled, false);
  EXPECT_EQ(widget_at(s, {55, 55}), std::nullopt);
}

TEST(WidgetAt, AgreesWithBruteForceInOneWindow) {
  EXPECT_TRUE(rc::check([](std::uint8_t x, std::uint8_t y) {
    Screen s = *testing::screens();
    RC_PRE(!s.widgets.empty());
    std::vector<std::int32_t> depths(s.widgets.size(), 1);
    depths[0] = 0;
    link_by_depth(s.widgets, depths);
    s.widgets[0].bounds = {0, 0, 4, 4};
    const Point p{x % 4, y % 4};
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < s.widgets.size(); ++i) {
      const Widget& w = s.widgets[i];
      const bool touch = w.is(Flag::clickable) || w.is(Flag::long_clickable) || w.is(Flag::checkable) ||
                         w.is(Flag::scrollable) || w.is(Flag::editable);
      if (touch && w.is(Flag::enabled) && w.is(Flag::visible) && w.bounds.contains(p)) last = i;
    }
    RC_ASSERT(widget_at(s, p) == last);
  }));
}

TEST(Resolve, IsFastEnoughToRunForEveryEvent) {
  Screen s;
  std::vector<std::int32_t> depths;
  for (int i = 0; i < 100; ++i) {
    s.widgets.push_back(
        clickable("android.widget.Button", i % 2 ? "org.app:id/row" : "", "item " + std::to_string(i)));
    depths.push_back(i % 10);
  }
  link_by_depth(s.widgets, depths);
  const auto start = ComputingClock::now();
  for (std::size_t i = 0; i < 20'000; ++i) ASSERT_EQ(found(make_target(s, i % 100), s), i % 100);
  const std::chrono::duration<double> took = ComputingClock::now() - start;
  RecordProperty("pairs_per_second", std::to_string(20'000 / took.count()));
  EXPECT_LT(took.count(), 1.0 * patience) << "20,000 pairs of make_target and resolve";
}

TEST(MakeTarget, DeepScreensStayLinear) {
  Screen s;
  s.widgets.resize(10'000);
  std::vector<std::int32_t> depths(s.widgets.size());
  for (std::size_t i = 0; i < depths.size(); ++i) depths[i] = static_cast<std::int32_t>(i);
  link_by_depth(s.widgets, depths);
  EXPECT_EQ(found(make_target(s, 9'999), s), 9'999u);
}

}  // namespace
}  // namespace norn
