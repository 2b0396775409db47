// Expectations about what actions leave behind, each on an app of tests/data/sim with one bug, and on the
// same app without.
#include <gtest/gtest.h>

#include <algorithm>

#include "detect/testing.h"

namespace norn {
namespace {

std::string data_app(const std::string& name, const std::string& bugs) {
  return "sim:" NORN_SOURCE_DIR "/tests/data/sim/" + name + ".lua?bugs=" + bugs;
}

std::vector<Report> detected(const std::string& spec, const std::string& oracle, double hours) {
  return testing::detected(spec, {.hours = hours, .oracles = {oracle}}).value();
}

struct PlantedBug {
  const char *app, *bug, *kind, *says;
  double hours;
  const char* oracle = "values";
};

void PrintTo(const PlantedBug& p, std::ostream* out) { *out << p.app << " with " << p.bug; }

class PlantedApps : public ::testing::TestWithParam<PlantedBug> {};

TEST_P(PlantedApps, TheBugIsSaidAndNothingWithoutIt) {
  const auto [app, bug, kind, says, hours, oracle] = GetParam();
  const auto found = detected(data_app(app, bug), oracle, hours);
  const auto about = std::ranges::find_if(
      found, [&](const Report& r) { return r.kind == kind && r.words.find(says) != std::string::npos; });
  ASSERT_NE(about, found.end()) << testing::report_texts(found);
  EXPECT_EQ(about->came_back, about->runs);
  EXPECT_LE(about->deviant.size(), 14U) << report_text(*about, 1);
  const auto clean = detected(data_app(app, "none"), oracle, hours);
  EXPECT_TRUE(clean.empty()) << testing::report_texts(clean);
}

INSTANTIATE_TEST_SUITE_P(
    Planted, PlantedApps,
    ::testing::Values(PlantedBug{"loans", "count_stays", "follows", "books are out", 2},
                      PlantedBug{"stars", "newest_star", "flips", "Take the star away", 1.5},
                      PlantedBug{"parcel", "lost_carrier", "saved", "was chosen and saved", 2},
                      PlantedBug{"parcel", "lost_to", "saved", "was entered and saved", 2},
                      PlantedBug{"parcel", "minutes", "appears", "is there after", 1.5},
                      PlantedBug{"watch", "takes_over", "picked", "is chosen by", 1.5},
                      PlantedBug{"pantry", "log_twice", "once", "twice", 2},
                      PlantedBug{"pantry", "code_twice", "codes", "counts again", 2},
                      PlantedBug{"pantry", "one_unit", "converted", "has become", 2},
                      PlantedBug{"pantry", "a_tenth", "appears", "is not beside", 4},
                      PlantedBug{"pantry", "cancel_keeps", "dismissed", "cancelled", 2, "neutral"},
                      PlantedBug{"pantry", "check_stuck", "controls", "cannot be taken off", 2, "neutral"},
                      PlantedBug{"pantry", "undo_last", "undo", "undoing", 2, "neutral"},
                      PlantedBug{"pantry", "badge_stale", "reopened", "opening it again", 2, "neutral"},
                      PlantedBug{"kiosk", "code_twice", "codes", "counts again", 3},
                      PlantedBug{"ferry", "still_offline", "offline", "connection", 1, "neutral"},
                      PlantedBug{"ferry", "old_beside_new", "offline", "connection", 1, "neutral"},
                      PlantedBug{"cellar", "worth_kept", "returned", "taken back", 4, "neutral"}),
    [](const auto& one) { return std::string(one.param.app) + "_" + one.param.bug; });

/// What `values` and `neutral` say in six hours on four devices, of which three minutes are explored.
std::vector<Report> said_of_lists(const std::string& bugs) {
  return testing::detected(data_app("cellar", bugs),
                           {.hours = 6, .oracles = {"neutral", "values"}, .devices = 4, .exploring = 0.03})
      .value();
}

/// What the others say of one input is tested in expectations_test.cc.
struct ListBug {
  const char *bug, *kind, *says;
};

bool says(const std::vector<Report>& found, const ListBug& b) {
  return std::ranges::any_of(found, [&](const Report& r) {
    return r.kind == b.kind && r.words.find(b.says) != std::string::npos && r.came_back == r.runs;
  });
}

TEST(Lists, BugsOfTheCellarAreSaid) {
  const auto found = said_of_lists("all");
  for (const ListBug& b : {ListBug{"search_short", "search", "is listed"},
                           {"old_filter", "filters", "does not say"},
                           {"other_row", "selected", "was selected"},
                           {"last_row", "converted", "stays"},
                           {"worth_kept", "returned", "taken back"}})
    EXPECT_TRUE(says(found, b)) << b.bug;
}

TEST(Lists, BugsOfTheGreenhouseAreSaidAndNothingOfASoundOne) {
  const auto said = [](const std::string& bugs) {
    return testing::detected(data_app("greenhouse", bugs),
                             {.hours = 3, .oracles = {"neutral"}, .devices = 4, .exploring = 0.05})
        .value();
  };
  const auto found = said("all");
  for (const ListBug& b : {ListBug{"first_only", "at once", "selected rows"},
                           {"switch_ignored", "composed", "does not decide"},
                           {"copy_shares", "copied", "changes its original"},
                           {"half_move", "unmade", "deleted again"},
                           {"tank_stays", "toggled", "taken back"}})
    EXPECT_TRUE(says(found, b)) << b.bug << "\n" << testing::report_texts(found);
  const auto forgotten = said("filter_forgotten");
  EXPECT_TRUE(says(forgotten, {"filter_forgotten", "rechosen", "chosen once more"}))
      << testing::report_texts(forgotten);
  const auto clean = said("none");
  EXPECT_TRUE(clean.empty()) << testing::report_texts(clean);
}

// That an order is kept is learnt from lists that were sorted, to which something was added then: beside bugs
// that change what is listed it is chance how many of those there are.
TEST(Lists, ARowThatStandsLastInAnOrderIsSaid) {
  const ListBug late{"late_row", "ordered", "stands above"};
  const auto found = said_of_lists(late.bug);
  EXPECT_TRUE(says(found, late)) << testing::report_texts(found);
}

TEST(Lists, NothingIsSaidOfASoundCellar) {
  const auto clean = said_of_lists("none");
  EXPECT_TRUE(clean.empty()) << testing::report_texts(clean);
}

TEST(Looks, APriceThatWasSeenOnceAndStaysIsFound) {
  const auto found = detected(data_app("tickets", "old_price"), "neutral", 2);
  const auto about = std::ranges::find_if(
      found, [](const Report& r) { return r.words.find("leaves something behind") != std::string::npos; });
  ASSERT_NE(about, found.end()) << testing::report_texts(found);
  EXPECT_EQ(about->deviant.size(), 5U) << report_text(*about, 1);  // price, back, another size, price, wait
  EXPECT_EQ(about->came_back, about->runs);
  const auto clean = detected(data_app("tickets", "none"), "neutral", 2);
  EXPECT_TRUE(clean.empty()) << testing::report_texts(clean);
}

TEST(Contradictions, ASelectionOfAnotherPageIsFound) {
  const auto found = detected(data_app("albums", "selection"), "hidden", 4);
  ASSERT_FALSE(found.empty());
  const Report& r = found.front();
  EXPECT_NE(r.words.find("the same screen and the same step"), std::string::npos) << report_text(r, 1);
  EXPECT_EQ(r.deviant.size(), 8U) << report_text(r,
                                                 1);  // open, select, leave, wait, kill, launch, open, wait
  EXPECT_TRUE(detected(data_app("albums", "none"), "hidden", 4).empty());
}

}  // namespace
}  // namespace norn
