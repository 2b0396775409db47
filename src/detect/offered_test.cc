// What pages, rows and views offer is tried: each bug of tests/data/sim/ledger.lua, desk.lua, depot.lua,
// shelf.lua, attic.lua, errands.lua, slate.lua and regatta.lua shows only there, and without them nothing is said, nor of
// what quirks.lua and pedlar.lua do on purpose.
#include <gtest/gtest.h>

#include <algorithm>

#include "detect/merged.h"
#include "detect/pairs.h"
#include "detect/testing.h"

namespace norn {
namespace {

/// What is said of an app of tests/data/sim, or of another folder beside it, with these bugs.
std::vector<Report> said_of(const std::string& app, const std::string& bugs,
                            const std::vector<std::string>& oracles = {"neutral"}, double hours = 4,
                            const std::string& folder = "sim") {
  return testing::detected("sim:" NORN_SOURCE_DIR "/tests/data/" + folder + "/" + app + ".lua?bugs=" + bugs,
                           {.hours = hours, .oracles = oracles})
      .value();
}

bool says(const std::vector<Report>& found, std::string_view words) {
  return std::ranges::any_of(found, [&](const Report& r) {
    return r.words.find(words) != std::string::npos && r.came_back == r.runs;
  });
}

struct Offered {
  const char *bug, *says;
};

class Ledger : public ::testing::TestWithParam<Offered> {};

TEST_P(Ledger, SaysWhatIsWrong) {
  const auto found = said_of("ledger", GetParam().bug);
  EXPECT_TRUE(says(found, GetParam().says)) << testing::report_texts(found);
}

INSTANTIATE_TEST_SUITE_P(Bugs, Ledger,
                         ::testing::Values(Offered{"copy_stays", "still the old one"},
                                           Offered{"star_dropped", "saving a form"},
                                           Offered{"swipe_by_place", "done to another one"},
                                           Offered{"tick_turns", "loses what was chosen"}),
                         [](const auto& one) { return std::string(one.param.bug); });

TEST(LedgerWithoutBugs, IsLeftAlone) {
  const auto found = said_of("ledger", "none");
  EXPECT_TRUE(found.empty()) << testing::report_texts(found);
}

TEST(Desk, SaysWhatIsWrong) {
  const auto found = said_of("desk", "all");
  for (const char* words : {"depends on what was chosen first", "is not shown any more",
                            "capitals from small letters", "takes ticks away", "begun and cancelled"})
    EXPECT_TRUE(says(found, words)) << words;
}

TEST(Desk, IsLeftAloneWithoutBugs) {
  const auto found = said_of("desk", "none");
  EXPECT_TRUE(found.empty()) << testing::report_texts(found);
}

TEST(Depot, SaysWhatIsWrong) {
  const auto found = said_of("depot", "all", {"neutral", "values"});
  for (const char* words : {"saving a form that nobody changed", "a search was closed",
                            "the arrow at the top", "was chosen, and"})
    EXPECT_TRUE(says(found, words)) << words;
}

TEST(Depot, IsLeftAloneWithoutBugs) {
  const auto found = said_of("depot", "none", {"neutral", "values"});
  EXPECT_TRUE(found.empty()) << testing::report_texts(found);
}

TEST(Regatta, SaysWhatIsWrong) {
  const auto found = said_of("regatta", "-late_name", {"neutral", "values"});
  for (const char* words :
       {"finds more of it when it is given again", "its list shows what was found",
        "kept although the form was left", "changes something else in it", "adds another one",
        "is still listed where it had been put", "was moved, and the tick"})
    EXPECT_TRUE(says(found, words)) << words << "\n" << testing::report_texts(found);
}

// Beside the others it is chance whether these are met: what is added is another boat where a changed one is.
TEST(Regatta, WhatTheOthersHideIsSaidAlone) {
  for (const auto& [bug, words] : {Offered{"late_name", "does not stand where that order puts it"},
                                   Offered{"crew_forgotten", "undoes what was done before"}}) {
    const auto found = said_of("regatta", bug, {"neutral", "values"});
    EXPECT_TRUE(says(found, words)) << bug << "\n" << testing::report_texts(found);
  }
}

TEST(Regatta, IsLeftAloneWithoutBugs) {
  const auto found = said_of("regatta", "none", {"neutral", "values"});
  EXPECT_TRUE(found.empty()) << testing::report_texts(found);
}

// One row of seven has the note that Undo forgets; the others show under a setting, or once names are in
// small letters.
TEST(Shelf, SaysWhatIsWrong) {
  const auto found = said_of("shelf", "all", {"neutral", "values"});
  for (const char* words :
       {"what was undone is not all there", "capitals before small letters", "but is not beside", "weight in",
        "is still in \"kg\"", "was to go", "filled in and cancelled"})
    EXPECT_TRUE(says(found, words)) << words << "\n" << testing::report_texts(found);
}

TEST(Shelf, IsLeftAloneWithoutBugs) {
  const auto found = said_of("shelf", "none", {"neutral", "values"});
  EXPECT_TRUE(found.empty()) << testing::report_texts(found);
}

// What is put away, copied, selected, filtered or taken back, and a form with several ways out.
TEST(Attic, SaysWhatIsWrong) {
  const auto found = said_of("attic", "all", {"neutral", "values"}, 8);
  for (const char* words :
       {"put away and brought back", "has still counted", "changes its original",
        "says less than of its original", "Select all takes something else", "is listed again",
        "taken back has changed another page", "was entered and saved"})
    EXPECT_TRUE(says(found, words)) << words << "\n" << testing::report_texts(found);
}

TEST(Attic, IsLeftAloneWithoutBugs) {
  const auto found = said_of("attic", "none", {"neutral", "values"});
  EXPECT_TRUE(found.empty()) << testing::report_texts(found);
}

// Two ways of doing the same: a step and its opposite, a command given twice, a thing saved as it is or
// changed back, a name in small letters, another thing's page without a connection.
class Errands : public ::testing::TestWithParam<Offered> {};

TEST_P(Errands, SaysWhatIsWrong) {
  const auto found = said_of("errands", GetParam().bug, {"neutral", "values"});
  EXPECT_TRUE(says(found, GetParam().says)) << testing::report_texts(found);
}

INSTANTIATE_TEST_SUITE_P(Bugs, Errands,
                         ::testing::Values(Offered{"down_two", "its opposite does not take back"},
                                           Offered{"every_second", "finds more of it"},
                                           Offered{"small_last", "written in small letters"},
                                           Offered{"day_stays", "saved is as before"},
                                           Offered{"refused", "nobody changed cannot be saved"},
                                           Offered{"old_place", "changed back is not as it was"},
                                           Offered{"opened_goes", "opened and left is gone"},
                                           Offered{"other_line", "belongs to another thing"},
                                           Offered{"form_kept", "begins with what was entered"},
                                           Offered{"search_deleted", "is listed again"},
                                           Offered{"coupon_stays", "after it was emptied or set back"},
                                           Offered{"takes_first", "where \"3 bought\" was said"}),
                         [](const auto& one) { return std::string(one.param.bug); });

TEST(ErrandsWithoutBugs, AreLeftAlone) {
  const auto found = said_of("errands", "none", {"neutral", "values"});
  EXPECT_TRUE(found.empty()) << testing::report_texts(found);
}

// What somebody else's apps had and nothing was said of: two rows undone at once, another list after turning,
// another tab after coming back; an order that turning loses, on the second tab; a part of a sorted list in another
// order; rows of one name in a filtered list; a row that is pressed long; a form that asks in vain.
struct OfOthers {
  const char *set, *app, *bug, *says;
};

class AppsOfOthers : public ::testing::TestWithParam<OfOthers> {};

TEST_P(AppsOfOthers, SayWhatIsWrong) {
  const auto found = said_of(GetParam().app, GetParam().bug, {"neutral", "values"}, 6, GetParam().set);
  EXPECT_TRUE(says(found, GetParam().says)) << testing::report_texts(found);
}

INSTANTIATE_TEST_SUITE_P(
    Bugs, AppsOfOthers,
    ::testing::Values(OfOthers{"passenger", "fieldbook", "undo_one_of_many", "done to two rows"},
                      OfOthers{"passenger", "spareparts", "section_on_rotation", "rotating and back"},
                      OfOthers{"passenger", "windowsill", "tab_on_return",
                               "coming back undoes what was done"},
                      OfOthers{"nomad", "plants", "sort_not_kept", "rotating and back loses"},
                      OfOthers{"nomad", "podcasts", "filter_resets_order", "in another order once a part"},
                      OfOthers{"nomad", "workout", "filtered_delete", "it is done to another one"},
                      OfOthers{"nomad", "plants", "archive_position", "was to go"},
                      OfOthers{"nomad", "ledger", "asks_without_change", "asks whether to give up"},
                      OfOthers{"pilgrim", "quiznight", "archive_keeps", "is still listed where"},
                      OfOthers{"wayfarer", "houseplants", "revive_history", "brought back is not"},
                      OfOthers{"wayfarer", "recipes", "rotate_ingredients", "loses what was chosen"},
                      OfOthers{"wayfarer", "fuellog", "miles_as_km", "changes the page below"},
                      OfOthers{"wayfarer", "timetable", "later_all_lines", "one forgets"},
                      OfOthers{"pilgrim", "quiznight", "wizard_back", "undoes what was done"}),
    [](const auto& one) { return std::string(one.param.bug); });

// On a drawn board something can always be undone.
TEST(Slate, APointThatIsTouchedAndUndoneIsAsItWas) {
  const auto found = said_of("slate", "points_stay", {"neutral"});
  EXPECT_TRUE(says(found, "undoing does not bring back")) << testing::report_texts(found);
  const auto clean = said_of("slate", "none", {"neutral"});
  EXPECT_TRUE(clean.empty()) << testing::report_texts(clean);
}

// What looks like a bug and is none: quirks.lua and pedlar.lua in tests/data/sim say of each why.
class OnPurpose : public ::testing::TestWithParam<const char*> {};

TEST_P(OnPurpose, IsLeftAlone) {
  const auto found = said_of(GetParam(), "none", {"neutral", "values", "hidden"}, 6);
  EXPECT_TRUE(found.empty()) << testing::report_texts(found);
}

INSTANTIATE_TEST_SUITE_P(Apps, OnPurpose, ::testing::Values("quirks", "pedlar"),
                         [](const auto& app) { return std::string(app.param); });

// A page that ignores a setting, and (logbook.lua says which) six more things that are no bugs.
class LogbookSettings : public ::testing::TestWithParam<Offered> {};

TEST_P(LogbookSettings, SaysWhichPageIgnoresASetting) {
  const auto found = said_of("logbook", GetParam().bug, {"values"}, 6);
  EXPECT_TRUE(says(found, GetParam().says)) << testing::report_texts(found);
}

INSTANTIATE_TEST_SUITE_P(Bugs, LogbookSettings,
                         ::testing::Values(Offered{"page_clock", "stays, where it becomes"},
                                           Offered{"sum_unit",
                                                   "is still in \"ml\", where others are in \"oz\""}),
                         [](const auto& one) { return std::string(one.param.bug); });

TEST(Logbook, SaysThatCancelDoesWhatWasAsked) {
  const auto found = said_of("logbook", "cancel_empties");
  EXPECT_TRUE(says(found, "begun and cancelled")) << testing::report_texts(found);
}

TEST(Cellar, SaysThatAPageKeepsTheOldSign) {
  const auto found = said_of("cellar", "old_sign", {"values"}, 6);
  EXPECT_TRUE(says(found, "is still in") || says(found, "stays, where it becomes"))
      << testing::report_texts(found);
}

TEST(LogbookWithoutBugs, IsLeftAlone) {
  const auto found = said_of("logbook", "none", {"neutral", "values", "hidden"}, 6);
  EXPECT_TRUE(found.empty()) << testing::report_texts(found);
}

// Two cards at one place, opened one after the other, were taken for one that had forgotten its owner.
TEST(Columns, AreLeftAlone) {
  const auto found = said_of("columns", "none", {"neutral", "values"});
  EXPECT_TRUE(found.empty()) << testing::report_texts(found);
}

Screen with_text(const std::string& id, const std::string& text) {
  Screen out;
  out.widgets.emplace_back();
  out.widgets[0].cls = "android.widget.TextView", out.widgets[0].id = id, out.widgets[0].text = text;
  return out;
}

Report two_ways(const std::string& id, std::vector<Event> deviant) {
  Report out;
  out.ends_should_agree = true, out.deviant = std::move(deviant);
  out.expected = with_text(id, "1"), out.seen = with_text(id, "2");
  return out;
}

TEST(Merged, OneCauseIsOneReport) {
  const Event kill = System{"kill", {}};
  std::vector<Report> reports{two_ways("id/a", {kill, Launch{}}), two_ways("id/a", {kill}),
                              two_ways("id/a", {Rotate{1}}), two_ways("id/b", {kill})};
  reports[1].duplicates = 2;
  merge_reports(reports);
  ASSERT_EQ(reports.size(), 3U);
  EXPECT_EQ(reports[0].duplicates, 3U);
  EXPECT_EQ(reports[0].deviant.size(), 1U);  // the shorter one
}

TEST(Merged, AListOfLossesGoesOnlyIfAllOfItIsKnown) {
  std::vector<Report> reports{two_ways("id/a", {Rotate{1}}), two_ways("id/a", {Rotate{1}})};
  reports[1].more.push_back({"", "", {}, {Rotate{1}}, with_text("id/b", "1"), with_text("id/b", "2")});
  merge_reports(reports);
  EXPECT_EQ(reports.size(), 2U);
}

TEST(AsRead, ANameIsTheNewOneAndALongerTextMayBeEither) {
  Pair pair;
  pair.reads_as = {"Tram", "Bus"};
  EXPECT_EQ(as_read(pair, with_text("", "Tram"), true).widgets[0].text, "Bus");
  EXPECT_EQ(as_read(pair, with_text("", "Tram"), false).widgets[0].text, "Tram");
  EXPECT_EQ(as_read(pair, with_text("", "The Tram is late"), true).widgets[0].text,
            as_read(pair, with_text("", "The Tram is late"), false).widgets[0].text);
}

}  // namespace
}  // namespace norn
