#include "gui/abstraction.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "base/patience.h"
#include "gui/screen_gen.h"

namespace norn {
namespace {

constexpr Abstraction all[] = {Abstraction::activity, Abstraction::resource_ids, Abstraction::structure,
                               Abstraction::actions,  Abstraction::actions_plus, Abstraction::exact};

Screen form() {
  Screen s;
  s.package = "org.app", s.activity = ".Main";
  s.widgets.resize(4);
  s.widgets[0].cls = "android.widget.FrameLayout";
  s.widgets[1].cls = "android.widget.EditText", s.widgets[1].id = "org.app:id/name";
  s.widgets[1].set(Flag::editable);
  s.widgets[2].cls = "android.widget.CheckBox", s.widgets[2].text = "Urgent";
  s.widgets[2].set(Flag::checkable);
  s.widgets[3].cls = "android.widget.TextView", s.widgets[3].text = "12:00";
  for (Widget& w : s.widgets) w.set(Flag::enabled), w.set(Flag::visible);
  link_by_depth(s.widgets, {0, 1, 1, 1});
  return s;
}

/// The abstractions that see the change, by name.
std::set<std::string_view> who_sees(const Screen& a, const Screen& b) {
  std::set<std::string_view> out;
  for (const Abstraction kind : all)
    if (abstract(a, kind) != abstract(b, kind)) out.insert(name_of(kind));
  return out;
}
std::set<std::string_view> who_sees(auto change) {
  Screen changed = form();
  change(changed);
  return who_sees(form(), changed);
}
using Names = std::set<std::string_view>;

TEST(Abstraction, NamesLeadBackToThem) {
  for (const Abstraction a : all) EXPECT_EQ(abstraction_by_name(name_of(a)), a);
  EXPECT_EQ(abstraction_names().size(), std::size(all));
  EXPECT_EQ(abstraction_by_name("Structure"), std::nullopt);
}

TEST(Abstraction, EachIgnoresWhatItSays) {
  EXPECT_EQ(who_sees([](Screen& s) { s.widgets[1].text = "typed"; }), Names{"exact"});
  EXPECT_EQ(who_sees([](Screen& s) { s.widgets[1].set(Flag::focused); }), Names{"exact"});
  EXPECT_EQ(who_sees([](Screen& s) { s.widgets[2].bounds.left = 7; }), Names{"exact"});
  EXPECT_EQ(who_sees([](Screen& s) { s.widgets[2].package = "other"; }), Names{"exact"});
  EXPECT_EQ(who_sees([](Screen& s) { s.keyboard = true; }), Names{"exact"});
  EXPECT_EQ(who_sees([](Screen& s) { s.width = 1080; }), Names{"exact"});
  EXPECT_EQ(who_sees([](Screen& s) { s.widgets[3].text = "12:01"; }), (Names{"exact", "structure"}));
  EXPECT_EQ(who_sees([](Screen& s) { s.rotation = 1; }), (Names{"exact", "structure"}));
  EXPECT_EQ(who_sees([](Screen& s) { s.widgets[1].hint = "Name"; }), (Names{"exact", "structure"}));
}

TEST(Abstraction, EachSeesWhatItIsFor) {
  EXPECT_EQ(who_sees([](Screen& s) { s.widgets[2].set(Flag::checked); }),
            (Names{"exact", "structure", "actions+"}));
  EXPECT_EQ(who_sees([](Screen& s) { s.widgets[2].set(Flag::enabled, false); }),
            (Names{"exact", "structure", "actions", "actions+"}));
  EXPECT_EQ(who_sees([](Screen& s) { s.widgets[1].id += "2"; }),
            (Names{"exact", "structure", "resource-ids"}));
  EXPECT_EQ(who_sees([](Screen& s) { s.activity = ".Other"; }),
            (Names{"exact", "structure", "actions", "actions+", "activity"}));
  EXPECT_EQ(who_sees([](Screen& s) { s.package = "other"; }).size(), std::size(all));
  EXPECT_EQ(who_sees([](Screen& s) { s.kind = Screen::Kind::outside; }).size(), std::size(all));
  EXPECT_EQ(who_sees([](Screen& s) { std::swap(s.widgets[2], s.widgets[3]); }),
            (Names{"exact", "structure", "actions+"}));
}

TEST(Actions, ListWhatCanBeDone) {
  const auto actions_of = [](auto change) {
    Screen s = form();
    change(s.widgets[3]);
    return abstract(s, Abstraction::actions);
  };
  const StateId plain = actions_of([](Widget&) {});
  const StateId click = actions_of([](Widget& w) { w.set(Flag::clickable); });
  EXPECT_NE(plain, click);
  EXPECT_EQ(plain, actions_of([](Widget& w) { w.set(Flag::clickable), w.cls = "android.widget.ListView"; }));
  EXPECT_EQ(plain, actions_of([](Widget& w) { w.set(Flag::clickable), w.cls = "android.webkit.WebView"; }));
  EXPECT_EQ(plain, actions_of([](Widget& w) { w.set(Flag::scrollable), w.cls = "android.widget.Spinner"; }));
  EXPECT_EQ(plain, actions_of([](Widget& w) { w.set(Flag::clickable), w.set(Flag::visible, false); }));
  EXPECT_NE(plain, actions_of([](Widget& w) { w.set(Flag::scrollable), w.cls = "android.widget.ListView"; }));
}

TEST(Actions, SeeNothingUnderAWebView) {
  Screen s = form();
  s.widgets[0].cls = "android.webkit.WebView";
  Screen changed = s;
  changed.widgets[3].set(Flag::clickable);
  EXPECT_EQ(abstract(s, Abstraction::actions_plus), abstract(changed, Abstraction::actions_plus));
  EXPECT_NE(abstract(s, Abstraction::structure), abstract(changed, Abstraction::structure));
}

/// Equal under the finer one must mean equal under the coarser one: on pairs that differ little.
TEST(Abstraction, FinerOnesRefineCoarserOnes) {
  constexpr std::pair<Abstraction, Abstraction> finer[] = {
      {Abstraction::exact, Abstraction::structure},
      {Abstraction::structure, Abstraction::actions_plus},
      {Abstraction::structure, Abstraction::resource_ids},
      {Abstraction::actions_plus, Abstraction::actions},
      {Abstraction::actions, Abstraction::activity}};
  EXPECT_TRUE(rc::check([&](std::uint8_t at, std::uint16_t flags, std::uint8_t what) {
    const Screen a = *testing::screens();
    RC_PRE(!a.widgets.empty());
    Screen b = a;
    Widget& w = b.widgets[at % b.widgets.size()];
    if (what % 5 == 0) w.text = "A";
    if (what % 5 == 1) w.flags = flags & 4095;
    if (what % 5 == 2) w.bounds.left += 1;
    if (what % 5 == 3) w.id = "a:id/x";
    if (what % 5 == 4) w.cls = "android.widget.ListView";
    for (const auto& [fine, coarse] : finer)
      if (abstract(a, fine) == abstract(b, fine)) RC_ASSERT(abstract(a, coarse) == abstract(b, coarse));
  }));
}

TEST(Structure, SeesShapeAndOrder) {
  Screen a = form(), b = form();
  link_by_depth(b.widgets, {0, 1, 2, 1});
  EXPECT_NE(abstract(a, Abstraction::structure), abstract(b, Abstraction::structure));
  std::swap(a.widgets[2].text, a.widgets[3].text);
  EXPECT_NE(abstract(a, Abstraction::structure), abstract(form(), Abstraction::structure));
}

TEST(Mask, HidesTheTextOfItsPlacesOnly) {
  const Screen a = form();
  Screen b = form();
  b.widgets[3].text = "12:01";
  Mask mask{.version = 1, .places = {place_of(a, 3)}};
  EXPECT_EQ(masked_structure(a, mask), masked_structure(b, mask));
  EXPECT_NE(masked_structure(a, {}), masked_structure(b, {}));
  b.widgets[2].text = "Not urgent";
  EXPECT_NE(masked_structure(a, mask), masked_structure(b, mask));
}

TEST(Mask, OfOtherPlacesChangesNothing) {
  EXPECT_TRUE(rc::check([](std::uint64_t elsewhere) {
    const Screen s = *testing::screens();
    RC_ASSERT(masked_structure(s, {.version = 1, .places = {elsewhere}}) ==
              abstract(s, Abstraction::structure));
  }));
}

TEST(Place, FollowsTheIdElseThePosition) {
  Screen a = form(), b = form();
  b.widgets[3].text = "other", b.widgets[3].flags = 0;
  EXPECT_EQ(place_of(a, 3), place_of(b, 3));
  EXPECT_NE(place_of(a, 2), place_of(a, 3));
  std::swap(b.widgets[1], b.widgets[2]);
  EXPECT_EQ(place_of(a, 1), place_of(b, 2)) << "an id is the same place wherever it stands";
  b.activity = ".Other";
  EXPECT_NE(place_of(a, 3), place_of(b, 3));
}

TEST(Abstraction, DeepAndWideScreensStayLinear) {
  Screen s;
  s.widgets.resize(10'000);
  std::vector<std::int32_t> depths(s.widgets.size());
  for (std::size_t i = 0; i < depths.size(); ++i) depths[i] = static_cast<std::int32_t>(i);
  link_by_depth(s.widgets, depths);
  const auto start = ComputingClock::now();
  for (const Abstraction a : all) EXPECT_NE(abstract(s, a).value, 0u);
  EXPECT_NE(masked_structure(s, {.version = 1, .places = {1}}).value, 0u);
  EXPECT_LT(ComputingClock::now() - start, patience * std::chrono::milliseconds(200));
}

}  // namespace
}  // namespace norn
