// Each expectation on a small app that breaks it in one place, and on the same app without the bug.
#include "detect/pairs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "detect/testing.h"

namespace norn {
namespace {

/// A list with a filter, a setting with a side effect, deletion with Undo, a counter that rotation should keep.
constexpr const char* desk = R"(
app { package = "org.test.desk", title = "Desk", main = "Main", bugs = { "filter", "side_effect", "undo", "rotation", "sort_back" } }
activity "Main" {
  create = function(self, intent, saved)
    storage.items = storage.items or { { name = "pen", star = true }, { name = "ink", star = false }, { name = "map", star = false } }
    storage.size = storage.size or "small"
    saved = saved or { tab = 1, only = false, chip = false, count = 0 }
    self.tab, self.only, self.chip, self.gone, self.sorted = saved.tab, saved.only, saved.chip, saved.gone, saved.sorted or false
    self.count = bug("rotation") and 0 or saved.count
  end,
  save = function(self, out)
    out.tab, out.only, out.chip, out.gone, out.count, out.sorted = self.tab, self.only, self.chip, self.gone, self.count, self.sorted
  end,
  menu = function(self) return { { "Sorted", id = "sorted", checked = self.sorted, on_click = function()
    self.sorted = not self.sorted
    if self.sorted and bug("sort_back") then table.sort(storage.items, function(a, b) return a.name < b.name end) end end } } end,
  shown = function(self)
    local out = {}
    for _, item in ipairs(storage.items) do
      if not self.only or item.star then table.insert(out, (item.star and "* " or "") .. item.name) end
    end
    if self.sorted then table.sort(out) end
    return out
  end,
  view = function(self)
    local rows = self.tab == 1 and self:shown() or { "about" }
    return column {
      toolbar { "Desk " .. self.tab },
      self.only and self.chip and text { "only stars", id = "chip" } or nil,
      text { "text is " .. storage.size, id = "size" },
      button { "Count " .. self.count, id = "count", on_click = function() self.count = self.count + 1 end },
      button { "Stars", id = "stars", on_click = function() self.only, self.chip = true, true end },
      button { "Tab", id = "tab", on_click = function()
        self.tab, self.chip = 3 - self.tab, false
        if not bug("filter") then self.only = false end end },
      switch { "Dark", id = "dark", checked = storage.dark, on_change = function(on)
        storage.dark = on
        if on then storage.size = "large" elseif not bug("side_effect") then storage.size = "small" end end },
      button { "Delete first", id = "delete", on_click = function()
        if #storage.items > 1 then self.gone = table.remove(storage.items, 1) end end },
      self.gone and button { "Undo", id = "undo", on_click = function()
        if bug("undo") then self.gone.star = false end
        table.insert(storage.items, 1, self.gone) self.gone = nil end } or nil,
      list { id = "items", items = rows, row = function(item) return text { item, id = "row" } end },
    }
  end,
}
)";

std::string spec(const std::string& bugs) {
  return "sim:" + testing::app_file("desk", desk) + "?bugs=" + bugs;
}

std::vector<Report> found_in(const std::string& device, const std::string& oracle, double budget = 7200) {
  FleetOptions fleet;
  fleet.budget = budget;
  auto service = testing::serve(device, fleet, 2);
  if (!service) {
    ADD_FAILURE() << service.error().message();
    return {};
  }
  Replay& replay = *(*service)->replay;
  const auto inputs = testing::explore_until(replay, fleet.budget * 0.7, 3);
  Quiet quiet;
  DetectOptions options;
  options.oracles = {oracle};
  const auto found = detect(replay, inputs, options, quiet);
  EXPECT_TRUE(found);
  return found ? found->reports : std::vector<Report>{};
}

std::vector<Report> found_on(const std::string& bugs, const std::string& oracle) {
  return found_in(spec(bugs), oracle);
}

bool any_says(const std::vector<Report>& reports, std::string_view word) {
  return std::ranges::any_of(reports,
                             [&](const Report& r) { return r.words.find(word) != std::string::npos; });
}

TEST(Pairs, ASoundAppKeepsWhatNothingShouldChange) {
  const auto neutral = found_on("none", "neutral");
  EXPECT_TRUE(neutral.empty()) << testing::report_texts(neutral);
  const auto hidden = found_on("none", "hidden");
  EXPECT_TRUE(hidden.empty()) << testing::report_texts(hidden);
}

TEST(Pairs, ACountThatRotationLosesIsFoundWithItsShortestInput) {
  const auto found = found_on("rotation", "neutral");
  ASSERT_TRUE(any_says(found, "rotating")) << testing::report_texts(found);
  const auto& r =
      *std::ranges::find_if(found, [](const Report& f) { return f.words.starts_with("rotating"); });
  EXPECT_EQ(r.deviant.size(), 4U) << report_text(r, 1);  // count, rotate, rotate, wait
  EXPECT_TRUE(r.ends_should_agree);
  EXPECT_EQ(r.came_back, r.runs);
  EXPECT_NE(report_text(r, 1).find("Expected\n    the screen that the normal input leads to\nSeen\n    ~ "),
            std::string::npos)
      << report_text(r, 1);
}

/// Purses with coins, their sum, a draft that goes with the page, how often the page was opened, and a filter
/// that does.
constexpr const char* purses = R"(
app { package = "org.test.purses", title = "Purses", main = "Main", bugs = { "old_sum" } }
activity "Main" {
  create = function(self) storage.purses = storage.purses or { { name = "red", coins = { 5, 20, 10 } }, { name = "blue", coins = { 50, 5 } } } end,
  view = function(self)
    return column { toolbar { "Purses" }, list { id = "purses", items = storage.purses,
      row = function(p) return text { p.name, id = "purse" } end, on_item_click = function(i) self:start("Purse", { purse = i }) end } }
  end,
}
activity "Purse" {
  create = function(self)
    self.purse, self.clicks, self.small = storage.purses[self.intent.purse], 0, false
    self.purse.visits = (self.purse.visits or 0) + 1
    self.sum = self:added()
  end,
  added = function(self)
    local sum = 0
    for _, coin in ipairs(self.purse.coins) do sum = sum + coin end
    return sum
  end,
  view = function(self)
    return column {
      toolbar { self.purse.name, up = true },
      text { "Worth " .. self.sum, id = "sum" },
      text { "Opened " .. self.purse.visits .. " times", id = "visits" },
      button { "Clicked " .. self.clicks, id = "clicks", on_click = function() self.clicks = self.clicks + 1 end },
      check { "Small ones", id = "small", checked = self.small, on_change = function(on) self.small = on end },
      list { id = "coins", items = filter(self.purse.coins, function(c) return not self.small or c < 15 end),
        row = function(c) return text { tostring(c), id = "coin" } end,
        on_item_long_click = function(i)
          if #self.purse.coins > 1 then table.remove(self.purse.coins, i) end
          if not bug("old_sum") then self.sum = self:added() end
        end },
    }
  end,
}
)";

TEST(Pairs, ANumberThatOnlyOpeningThePageAgainCorrectsIsFound) {
  const std::string file = "sim:" + testing::app_file("purses", purses);
  const auto found = found_in(file + "?bugs=old_sum", "neutral");
  EXPECT_TRUE(any_says(found, "opening it again")) << testing::report_texts(found);
  const auto sound = found_in(file + "?bugs=none", "neutral");
  EXPECT_FALSE(any_says(sound, "opening it again")) << testing::report_texts(sound);
}

TEST(Pairs, ASwitchThatLeavesSomethingBehindIsFound) {
  EXPECT_TRUE(any_says(found_on("side_effect", "neutral"), "Dark"))
      << testing::report_texts(found_on("side_effect", "neutral"));
}

TEST(Pairs, AnEntryOfAMenuThatIsTakenBackButStaysIsFound) {
  EXPECT_TRUE(any_says(found_on("sort_back", "neutral"), "Sorted"))
      << testing::report_texts(found_on("sort_back", "neutral"));
}

TEST(Pairs, AnUndoThatForgetsTheStarIsFound) {
  EXPECT_TRUE(any_says(found_on("undo", "neutral"), "undoing"))
      << testing::report_texts(found_on("undo", "neutral"));
}

TEST(Pairs, AFilterThatNobodySeesIsFound) {
  const auto found = found_on("filter", "hidden");
  EXPECT_TRUE(any_says(found, "afresh")) << testing::report_texts(found);
}

/// tests/data/sim/guests.lua with these bugs.
std::vector<Report> found_among_guests(const std::string& bugs) {
  return found_in("sim:" NORN_SOURCE_DIR "/tests/data/sim/guests.lua?bugs=" + bugs, "neutral", 5400);
}

TEST(Pairs, APartyWithoutBugsIsLeftAlone) {
  const auto found = found_among_guests("none");
  EXPECT_TRUE(found.empty()) << testing::report_texts(found);
}

TEST(Pairs, SavingWhatNobodyChangedChangesNothing) {
  const auto note = found_among_guests("note_cleared");
  EXPECT_TRUE(any_says(note, "when it is opened again")) << testing::report_texts(note);
  const auto hour = found_among_guests("earlier_each_time");
  EXPECT_TRUE(any_says(hour, "changes the page below")) << testing::report_texts(hour);
}

TEST(Pairs, WhatWasChangedAloneIsSaved) {
  const auto found = found_among_guests("note_alone");
  EXPECT_TRUE(any_says(found, "is as before when it is opened")) << testing::report_texts(found);
}

TEST(Pairs, WhatWasDiscardedIsNotKept) {
  const auto found = found_among_guests("discard_keeps");
  EXPECT_TRUE(any_says(found, "cancelled")) << testing::report_texts(found);
}

TEST(Pairs, WhatWasSetAndRemovedIsSoWhenThePageIsOpenedAgain) {
  const auto loud = found_among_guests("loud_forgotten");
  EXPECT_TRUE(any_says(loud, "lost when the process dies")) << testing::report_texts(loud);
  const auto gift = found_among_guests("gift_back");
  EXPECT_TRUE(any_says(gift, "is undone by leaving it")) << testing::report_texts(gift);
}

TEST(Pairs, TurningTheDeviceDoesNothingAgain) {
  const auto found = found_among_guests("counts_again");
  EXPECT_TRUE(any_says(found, "turning the device")) << testing::report_texts(found);
}

TEST(Pairs, UndoUndoesTheSecondOfTwo) {
  const auto found = found_among_guests("undo_first");
  EXPECT_TRUE(any_says(found, "undoing")) << testing::report_texts(found);
}

TEST(Pairs, TurningTheDeviceLosesNoTicks) {
  const auto found = found_among_guests("ticks_lost");
  EXPECT_TRUE(any_says(found, "loses what was chosen")) << testing::report_texts(found);
}

TEST(Pairs, WhatIsDoneToARowDoesNotDependOnTheOrder) {
  const auto found = found_among_guests("sorted_edit");
  EXPECT_TRUE(any_says(found, "done to another one")) << testing::report_texts(found);
}

/// tests/data/sim/trails.lua with these bugs.
std::vector<Report> found_on_trails(const std::string& bugs) {
  return found_in("sim:" NORN_SOURCE_DIR "/tests/data/sim/trails.lua?bugs=" + bugs, "neutral", 10800);
}

TEST(Pairs, TrailsWithoutBugsAreLeftAlone) {
  const auto found = found_on_trails("none");
  EXPECT_TRUE(found.empty()) << testing::report_texts(found);
}

TEST(Pairs, WhatIsDoneToOneThingIsNotDoneToAll) {
  const auto found = found_on_trails("one_pace");
  EXPECT_TRUE(any_says(found, "changes another")) << testing::report_texts(found);
}

TEST(Pairs, SavingOneFieldClearsNoOther) {
  const auto found = found_on_trails("place_cleared");
  EXPECT_TRUE(any_says(found, "changes something else in it")) << testing::report_texts(found);
}

TEST(Pairs, WhatWasChosenIsStillChosenAfterLookingElsewhere) {
  const auto found = found_on_trails("day_forgotten");
  EXPECT_TRUE(any_says(found, "coming back undoes")) << testing::report_texts(found);
}

TEST(Pairs, WhatIsUndoneIsAllThereWhenItIsOpened) {
  const auto found = found_on_trails("undone_in_part");
  EXPECT_TRUE(any_says(found, "is not all there")) << testing::report_texts(found);
}

TEST(Pairs, AFormThatIsLeftKeepsAllOrNothing) {
  const auto found = found_on_trails("steep_at_once");
  EXPECT_TRUE(any_says(found, "although the form was left")) << testing::report_texts(found);
}

TEST(Pairs, ScreensAreAlikeWhateverHasTheFocus) {
  Screen a;
  a.widgets.emplace_back();
  a.widgets[0].cls = "android.widget.Button", a.widgets[0].text = "OK";
  Screen b = a;
  b.widgets[0].set(Flag::focused);
  EXPECT_TRUE(alike(a, b));
  b.widgets[0].text = "Cancel";
  EXPECT_FALSE(alike(a, b));
}

}  // namespace
}  // namespace norn
