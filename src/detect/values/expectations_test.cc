// What an expectation says about one input: on an app with one bug it fails at its end, on the same app
// without the bug it holds there.
#include "detect/values/expectations.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "detect/testing.h"
#include "device/sim/truth_event.h"

namespace norn {
namespace {

struct Said {
  bool held = false, failed = false;
};

/// As its ids have it.
std::string package_of(const Screen& screen, const std::string& app) {
  for (const Widget& w : screen.widgets)
    if (const auto end = w.id.find(":id/"); end != std::string::npos && !w.id.starts_with("android"))
      return w.id.substr(0, end);
  return "org.norn." + app;
}

/// Runs the events on the app of tests/data/sim and asks the expectation about all of it, as it comes;
/// counted is what it says of the end.
Said said_at_the_end(const std::string& app, const std::string& bugs, const std::vector<std::string>& lines,
                     MakeExpectation make) {
  auto service = testing::serve("sim:" NORN_SOURCE_DIR "/tests/data/sim/" + app + ".lua?bugs=" + bugs,
                                FleetOptions{}, 1);
  if (!service) {
    ADD_FAILURE() << service.error().message();
    return {};
  }
  Replay& replay = *(*service)->replay;
  std::vector<Event> events;
  const std::vector<Event> nothing{Wait{1}};
  (void)replay.ask({.events = replay.intern(nothing)});
  const std::string package = package_of(replay.history().screen(replay.history().root()), app);
  for (const std::string& line : lines) {
    const auto event = sim::parse_event(line, package);
    if (!event) {
      ADD_FAILURE() << event.error().message();
      return {};
    }
    events.push_back(*event);
  }
  const Outcome end = replay.ask({.events = replay.intern(events)});
  EXPECT_EQ(end.used, events.size());
  DataCache data(replay.history());
  std::vector<Case> cases;
  const auto expectation = make(replay.history(), data);
  for (const NodeId node : replay.history().path(end.end)) cases.clear(), expectation->look(node, cases);
  return {std::ranges::any_of(cases, &Case::held),
          std::ranges::any_of(cases, [](const Case& c) { return !c.held && !c.words.empty(); })};
}

struct Spoken {
  const char *app, *bug;
  MakeExpectation make;
  std::vector<std::string> events;
};

class OneInput : public ::testing::TestWithParam<Spoken> {};

TEST_P(OneInput, FailsWithTheBugAndHoldsWithoutIt) {
  const auto& [app, bug, make, events] = GetParam();
  EXPECT_TRUE(said_at_the_end(app, bug, events, make).failed);
  const Said sound = said_at_the_end(app, "none", events, make);
  EXPECT_TRUE(sound.held);
  EXPECT_FALSE(sound.failed);
}

INSTANTIATE_TEST_SUITE_P(
    Apps, OneInput,
    ::testing::Values(Spoken{"cellar", "search_kept", expect_search, {"type search \"Mer\"", "tap clear"}},
                      Spoken{"cellar", "search_short", expect_search, {"type search \"Barolox\""}},
                      Spoken{"cellar",
                             "old_filter",
                             expect_filters,
                             {"tap filter", "tap \"Red\"", "tap name \"Merlot\"", "tap bottle_kind",
                              "tap \"White\"", "tap save"}},
                      Spoken{"cellar",
                             "other_row",
                             expect_selected,
                             {"tap filter", "tap \"Red\"", "long name \"Merlot\"", "tap drop"}},
                      Spoken{"cellar",
                             "old_sign",
                             expect_signs,
                             {"menu", "tap open_money", "tap \"Pound\"", "back", "menu", "tap open_worth"}},
                      Spoken{"cellar",
                             "old_name",
                             expect_edited,
                             {"menu", "tap open_worth", "back", "tap name \"Barolo\"",
                              "type bottle_name \"Brunello\"", "tap save", "menu", "tap open_worth"}},
                      Spoken{"cellar",
                             "late_row",
                             expect_ordered,
                             {"menu", "tap by_price", "tap add", "type bottle_name \"Asti\"",
                              "type bottle_price \"1\"", "tap save"}},
                      Spoken{"cellar", "last_row", expect_converted, {"menu", "tap open_table", "tap more"}},
                      Spoken{"ledger", "total_unfiltered", expect_in_view, {"tap filter", "tap \"Food\""}},
                      Spoken{"trails", "as_text", expect_as_texts, {"menu", "tap by_length"}},
                      Spoken{"../lodger/recipes",  // one row moves, and nobody moved it by hand
                             "time_as_text",
                             expect_as_texts,
                             {"tap \"More options\"", "tap \"Sort by\"", "tap \"Time\""}},
                      Spoken{"../pilgrim/workshop",  // "due tomorrow" names "Tomorrow"
                             "due_shift",
                             expect_entries,
                             {"tap bike \"Child's bike\"", "menu", "tap change_due", "tap \"Tomorrow\""}},
                      Spoken{"../wayfarer/houseplants",
                             "snooze_other",
                             expect_deleted,
                             {"long thirsty_row \"Basil\"", "tap snooze"}},
                      Spoken{"../wayfarer/birding",
                             "export_all_years",
                             expect_only,
                             {"menu", "tap more", "tap export", "tap this_year"}},
                      Spoken{"../pilgrim/skylog",
                             "page_stays",
                             expect_formats,
                             {"tap next", "tap types", "tap type_check[3]", "tap android:id/button1"}},
                      Spoken{"trails", "top_swaps", expect_rows, {"long name \"Mill\"", "tap top"}},
                      Spoken{"trails", "no_noon", expect_formats, {"tap name \"Mill\"", "tap later"}}),
    [](const auto& one) { return std::string(one.param.bug); });

// Two cards at one place are two cards, whatever the first one's owner is called now.
TEST(OneInput, SaysNothingOfAnotherThing) {
  EXPECT_FALSE(said_at_the_end("columns", "none",
                               {"tap title \"Paint the fence\"", "type owner_field \"Kabode\"", "tap save",
                                "tap title \"Call the bank\""},
                               expect_saved)
                   .failed);
}

}  // namespace
}  // namespace norn
