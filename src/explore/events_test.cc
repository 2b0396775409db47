// What a screen offers, what must not be touched, and what is typed.
#include "explore/events.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "explore/avoid.h"
#include "explore/texts.h"

namespace norn {
namespace {

Screen small_screen() {
  Screen s;
  s.package = "org.app", s.activity = "Main", s.width = 1000, s.height = 1000;
  const auto add = [&](std::string cls, std::string id, std::string text, Rect r,
                       std::initializer_list<Flag> flags) {
    Widget w;
    w.cls = std::move(cls), w.id = std::move(id), w.text = std::move(text), w.bounds = r;
    w.set(Flag::visible);
    for (const Flag f : flags) w.set(f);
    s.widgets.push_back(w);
  };
  add("android.widget.FrameLayout", "", "", {0, 0, 1000, 1000}, {Flag::enabled});
  add("android.widget.Button", "org.app:id/save", "Save", {0, 0, 100, 100}, {Flag::enabled, Flag::clickable});
  add("android.widget.Button", "org.app:id/gone", "Delete account", {0, 100, 100, 200},
      {Flag::enabled, Flag::clickable});
  add("android.widget.Button", "org.app:id/off", "Off", {0, 200, 100, 300}, {Flag::clickable});
  add("android.widget.EditText", "org.app:id/mail", "", {0, 300, 100, 400},
      {Flag::enabled, Flag::clickable, Flag::editable});
  add("android.widget.ListView", "org.app:id/list", "", {0, 400, 1000, 900},
      {Flag::enabled, Flag::scrollable});
  link_by_depth(s.widgets, {0, 1, 1, 1, 1, 1});
  return s;
}

TEST(Events, WhatAScreenOffers) {
  std::vector<std::string> seen;
  for (const auto& p : possible_events(small_screen())) seen.push_back(describe(p.event));
  const std::vector<std::string> wanted{"tap \"Save\"", "tap \"Delete account\""};
  for (const auto& w : wanted) EXPECT_EQ(std::count(seen.begin(), seen.end(), w), 1) << w;
  EXPECT_EQ(std::count(seen.begin(), seen.end(), "tap \"Off\""), 0);
  const auto kinds = [&](std::string_view kind) {
    const auto all = possible_events(small_screen());
    return std::count_if(all.begin(), all.end(),
                         [&](const Possible& p) { return kind_name(p.event) == kind; });
  };
  EXPECT_EQ(kinds("type"), 1);
  EXPECT_EQ(kinds("swipe"), 2);
  EXPECT_EQ(kinds("key"), 2);
  EXPECT_EQ(kinds("rotate"), 1);
}

TEST(Events, FieldsAreReadByTheirWords) { EXPECT_EQ(field_kind(small_screen(), 4), FieldKind::email); }

TEST(Avoid, ByTextIdAndPoint) {
  const auto avoid = Avoid::parse("delete|^org.app:id/save$");
  ASSERT_TRUE(avoid);
  const Screen s = small_screen();
  const auto all = possible_events(s);
  EXPECT_EQ(
      std::count_if(all.begin(), all.end(), [&](const Possible& p) { return avoid->touches(p.event, s); }),
      2);
  EXPECT_TRUE(avoid->touches(Tap{{}, {50, 150}}, s));
  EXPECT_FALSE(avoid->touches(Tap{{}, {50, 350}}, s));
  EXPECT_FALSE(Avoid::parse("("));
}

}  // namespace
}  // namespace norn
