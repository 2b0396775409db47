#include "formats/dumpsys.h"

#include <gtest/gtest.h>

namespace norn {
namespace {

std::string front(std::string_view text) {
  const auto c = focused_activity(text, "dump.txt");
  return c ? c->package + " " + c->activity : c.error().message();
}

TEST(Component, IsTakenApartAndCompleted) {
  EXPECT_EQ(parse_component("org.app/.ui.Main"), (Component{"org.app", "org.app.ui.Main"}));
  EXPECT_EQ(parse_component("org.app/other.Main$1"), (Component{"org.app", "other.Main$1"}));
  for (const auto* odd :
       {"", "/", "org.app/", "/x", "noDot/x", "org.app/a/b", "org.app/.", "org app/.x", ".a/.b"})
    EXPECT_EQ(parse_component(odd), std::nullopt) << odd;
}

TEST(Dumpsys, KnowsTheNamesOfAllVersions) {
  EXPECT_EQ(front("  mResumedActivity: HistoryRecord{408204d0 a.b/.C}\r\n"), "a.b a.b.C");  // 2.3
  EXPECT_EQ(front("  mFocusedActivity: ActivityRecord{4a u0 a.b/.C t14}\n"), "a.b a.b.C");  // 5
  EXPECT_EQ(front("  mFocusedApp=AppWindowToken{a token=Token{b ActivityRecord{c u0 a.b/.C t14}}}"),
            "a.b a.b.C");                                                                             // 7
  EXPECT_EQ(front("    mResumedActivity: ActivityRecord{d u0 a.b/.C t5}\n"), "a.b a.b.C");            // 9
  EXPECT_EQ(front("  ResumedActivity: ActivityRecord{d u0 a.b/.C t5}\n"), "a.b a.b.C");               // 10
  EXPECT_EQ(front("      topResumedActivity=ActivityRecord{16812046 u0 a.b/.C t4}\n"), "a.b a.b.C");  // 12
  EXPECT_EQ(front("  mCurrentFocus=Window{7a6b78e u0 a.b/a.b.C}\n"), "a.b a.b.C");
  EXPECT_EQ(front("  imeInputTarget in display# 0 Window{dc u0 a.b/c.D type=1 }\n"), "a.b c.D");  // 13
}

TEST(Dumpsys, ResumedBeatsStackAndWindow) {
  EXPECT_EQ(front("mCurrentFocus=Window{1 u0 w.w/w.W}\nmResumedActivity: ActivityRecord{1 u0 s.s/.S t1}\n"
                  "  ResumedActivity: ActivityRecord{1 u0 r.r/.R t1}"),
            "r.r r.r.R");
}

TEST(Dumpsys, OfSeveralDisplaysTheOneWithTheFocusedWindow) {
  EXPECT_EQ(
      front("mFocusedApp=ActivityRecord{1 u0 sys.ui/.Sub t9}\nmFocusedApp=ActivityRecord{2 u0 a.b/.C t4}\n"
            "mCurrentFocus=Window{3 u0 a.b/a.b.C}\nmCurrentFocus=null\n"),
      "a.b a.b.C");
}

TEST(Dumpsys, PopupsAndPathsAreNoActivities) {
  EXPECT_EQ(front("mCurrentFocus=Window{1 u0 PopupWindow:3f}\nmFocusedApp=ActivityRecord{2 u0 a.b/.C t4}"),
            "a.b a.b.C");
  EXPECT_EQ(front("mLastResumedActivity: ActivityRecord{2 u0 a.b/.C t4}\nx").find("dump.txt: does not tell"),
            0u);
}

TEST(Dumpsys, SaysWhenNothingHasTheFocus) {
  const auto nothing = focused_activity("  mCurrentFocus=null\n  mFocusedApp=null\n", "d");
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind, Error::Kind::not_found);
  EXPECT_EQ(focused_activity("", "d").error().kind, Error::Kind::bad_input);
}

}  // namespace
}  // namespace norn
