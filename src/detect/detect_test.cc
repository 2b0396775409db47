#include "detect/detect.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "detect/testing.h"

namespace norn {
namespace {

using testing::explore_until;
using testing::serve;

/// Opening an item works, except for the fourth, which lands on the settings; the shelf can be filled.
constexpr const char* shelf = R"(
app { package = "org.test.shelf", title = "Shelf", main = "Main", bugs = { "fourth", "sticky" } }
activity "Main" {
  create = function(self) storage.items = storage.items or { "one", "two" } self.asc = true end,
  view = function(self)
    return column {
      toolbar { "Shelf" },
      button { "Add", id = "add", on_click = function()
        if #storage.items < 9 then table.insert(storage.items, "item " .. #storage.items + 1) end end },
      button { "Turn round", id = "turn", on_click = function() self.asc = not self.asc end },
      button { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      list { id = "items", items = storage.items,
        row = function(item) return text { item, id = "row" } end,
        on_item_click = function(i, item)
          if bug("fourth") and i == 4 then return self:start("Settings") end
          self:start("Item", { name = item })
        end },
    }
  end,
}
activity "Item" { view = function(self) return column { toolbar { self.intent.name, up = true },
  text { "About " .. self.intent.name, id = "about" },
  button { "Like", id = "like", on_click = function() storage.liked = self.intent.name toast("Liked") end } } end }
activity "Settings" { view = function(self) return column { toolbar { "Settings", up = true },
  switch { "Loud", id = "loud" }, switch { "Fast", id = "fast" } } end }
)";

std::string shelf_file() { return testing::app_file("shelf", shelf); }

Result<Detection> detect_on(const std::string& spec, double budget, DetectOptions options = {},
                            const FaultPlan* faults = nullptr, std::uint64_t seed = 1) {
  FleetOptions fleet;
  fleet.budget = budget;
  NORN_TRY(auto service, serve(spec, fleet, 1, faults));
  const auto inputs = explore_until(*service->replay, budget * 0.7, seed);
  Quiet quiet;
  options.seed = seed;
  auto found = detect(*service->replay, inputs, options, quiet);
  return found;
}

std::string all_text(const Detection& d) {
  std::string out;
  for (std::size_t i = 0; i < d.reports.size(); ++i) out += report_text(d.reports[i], i + 1) + "\n";
  return out;
}

bool about(const Report& r, std::string_view activity) {
  return r.seen.activity.find(activity) != std::string::npos;
}

TEST(Detect, FindsTheRowThatGoesElsewhereAndIsolatesWhy) {
  DetectOptions options;
  options.oracles = {"odin"};
  const auto found = detect_on("sim:" + shelf_file(), 5400, options);
  ASSERT_TRUE(found) << found.error().message();
  const auto hit = std::ranges::find_if(found->reports, [](const Report& r) { return about(r, "Settings"); });
  ASSERT_NE(hit, found->reports.end()) << all_text(*found) << found->groups << " " << found->covered;
  EXPECT_EQ(hit->came_back, hit->runs);
  EXPECT_EQ(hit->deviant.size(), 3U) << report_text(*hit, 1);  // two items are added, the fourth is opened
  EXPECT_NE(report_text(*hit, 1).find("Steps"), std::string::npos);
  EXPECT_GT(found->shares.at("random"), 0U);
  EXPECT_GT(found->hits, 0U) << "of " << found->walks << " calibrated walks";
}

TEST(Detect, SaysNothingAboutTheCleanApp) {
  DetectOptions options;
  options.oracles = {"neutral", "hidden", "independent", "odin"};
  const auto found = detect_on("sim:" + shelf_file() + "?bugs=none", 5400, options);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->reports.empty()) << all_text(*found);
}

TEST(Detect, UnderAFaultyRigNothingIsReportedThatDoesNotComeBack) {
  const FaultPlan plan = testing::some_faults();
  const std::string spec = "sim:" + shelf_file() + "?bugs=none";
  DetectOptions options;
  options.oracles = {"neutral", "hidden", "odin"};
  const auto found = detect_on(spec, 5400, options, &plan);
  ASSERT_TRUE(found) << found.error().message();
  for (const Report& r : found->reports) EXPECT_GT(2 * r.came_back, r.runs);
  EXPECT_TRUE(found->reports.empty()) << all_text(*found);
}

TEST(Detect, AnInterruptionBeforeAnythingWasExploredIsCalledSo) {
  const auto service = testing::serve("sim:" + shelf_file(), {});
  ASSERT_TRUE(service);
  Quiet quiet;
  std::stop_source stop;
  const auto unexplored = detect(*(*service)->replay, {}, {}, quiet, stop.get_token());
  ASSERT_FALSE(unexplored);
  EXPECT_EQ(unexplored.error().kind, Error::Kind::bad_input);
  stop.request_stop();
  const auto interrupted = detect(*(*service)->replay, {}, {}, quiet, stop.get_token());
  ASSERT_FALSE(interrupted);
  EXPECT_EQ(interrupted.error().kind, Error::Kind::cancelled);
}

TEST(Detect, TheVariantsRun) {
  DetectOptions nocalib;
  nocalib.oracles = {"odin"};
  nocalib.calibrate = false;
  EXPECT_TRUE(detect_on("sim:" + shelf_file(), 1200, nocalib));
  DetectOptions simple;
  simple.oracles = {"odin"};
  simple.cluster.simple = true, simple.cluster.anomaly.rule = AnomalyRule::all;
  EXPECT_TRUE(detect_on("sim:" + shelf_file(), 1200, simple));
}

TEST(Detect, NeutralEventsMustBeNeutral) {
  DetectOptions options;
  options.oracles = {"neutral"};
  const auto found = detect_on("sim:tips", 3600, options);
  ASSERT_TRUE(found) << found.error().message();
  const auto rotated = std::ranges::find_if(
      found->reports, [](const Report& r) { return r.words.find("rotating") != std::string::npos; });
  EXPECT_NE(rotated, found->reports.end()) << all_text(*found);
}

TEST(Detect, AnEmptyFolderInAZipMustNotLeaveTheFileManager) {
  // The paper's motivating bug. In this app it is no deviation (every input that opens that folder does it),
  // so it takes one sentence; the inputs come from exploring alone.
  DetectOptions options;
  options.oracles = {};
  options.properties = {{"zip.txt", "when activity Archive\nthen tap entry_row \"empty\"\nexpect in-app\n"}};
  const auto found = detect_on("sim:files", 3600, options);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->reports.size(), 1U);
  EXPECT_EQ(found->reports[0].seen.kind, Screen::Kind::outside);
  EXPECT_EQ(found->reports[0].came_back, found->reports[0].runs);
  const auto clean = detect_on("sim:files?bugs=none", 3600, options);
  ASSERT_TRUE(clean);
  EXPECT_TRUE(clean->reports.empty());
}

TEST(Detect, TheEmptyFolderInAZipIsFoundFromExplorationAlone) {
  DetectOptions options;
  options.oracles = {"values"};
  const auto hit = [](const Detection& d) {
    return std::ranges::find_if(d.reports, [](const Report& r) {
      return r.words.find("row \"empty\" leaves the app") != std::string::npos;
    });
  };
  const auto found = detect_on("sim:files", 4 * 3600, options);
  ASSERT_TRUE(found) << found.error().message();
  ASSERT_NE(hit(*found), found->reports.end()) << all_text(*found);
  EXPECT_EQ(hit(*found)->seen.kind, Screen::Kind::outside);
  EXPECT_EQ(hit(*found)->came_back, hit(*found)->runs);
  EXPECT_LE(hit(*found)->deviant.size(), 5U) << report_text(*hit(*found), 1);
  const auto clean = detect_on("sim:files?bugs=none", 4 * 3600, options);
  ASSERT_TRUE(clean);
  EXPECT_EQ(hit(*clean), clean->reports.end()) << all_text(*clean);
}

TEST(Detect, OwnPropertiesAreChecked) {
  DetectOptions options;
  options.oracles = {};
  options.walk_share = 0.3;
  options.properties = {{"own.txt",
                         "# rows open items\nwhen activity Main\nthen tap row\nexpect activity Item\n\n"
                         "when activity Item\nthen tap like\nexpect in-app\n"}};
  const auto found = detect_on("sim:" + shelf_file(), 5400, options);
  ASSERT_TRUE(found);
  for (const Report& r : found->reports) EXPECT_TRUE(about(r, "Settings")) << report_text(r, 1);
  options.properties = {{"bad.txt", "when activity Main\nexpect x\n"}};
  const auto bad = detect_on("sim:" + shelf_file(), 600, options);
  ASSERT_TRUE(bad);
  EXPECT_TRUE(bad->stopped);
}

}  // namespace
}  // namespace norn
