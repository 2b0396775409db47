// Screens as data: names that stay, tables with cells, numbers in texts.
#include "detect/reading/data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "detect/reading/aggregates.h"
#include "detect/reading/phrases.h"
#include "detect/testing.h"

namespace norn {
namespace {

Widget shown_widget(const std::string& cls, const std::string& id, const std::string& text) {
  Widget w;
  w.cls = "android.widget." + cls, w.id = id, w.text = text;
  w.set(Flag::visible), w.set(Flag::enabled);
  return w;
}

/// A title, a count and a list of names, each row touchable.
Screen list_page(const std::string& title, const std::vector<std::string>& rows) {
  Screen s;
  s.activity = "Main", s.width = 100, s.height = 100;
  s.widgets = {shown_widget("LinearLayout", "", ""), shown_widget("TextView", "title", title),
               shown_widget("ListView", "list", "")};
  s.widgets[0].bounds = {0, 0, 100, 100};
  std::vector<std::int32_t> depths{0, 1, 1};
  for (const std::string& row : rows) {
    s.widgets.push_back(shown_widget("LinearLayout", "row", ""));
    s.widgets.back().set(Flag::clickable);
    s.widgets.push_back(shown_widget("TextView", "name", row));
    depths.insert(depths.end(), {2, 3});
  }
  link_by_depth(s.widgets, depths);
  return s;
}

TEST(Data, ValuesKeepTheirNamesWhateverTheySay) {
  const ScreenData a = data_of(list_page("3 left", {"ink"})),
                   b = data_of(list_page("2 left", {"pen", "map"}));
  ASSERT_EQ(a.values.size(), 1U);
  EXPECT_EQ(a.values[0].name, b.values[0].name);
  EXPECT_EQ(a.page, b.page);
  EXPECT_EQ(a.mode, b.mode);
}

TEST(Data, ListsAreTablesWithCells) {
  const ScreenData d = data_of(list_page("x", {"pen", "map"}));
  ASSERT_EQ(d.tables.size(), 1U);
  ASSERT_EQ(d.tables[0].rows.size(), 2U);
  EXPECT_EQ(d.tables[0].rows[1].title(), "map");
  EXPECT_EQ(d.tables[0].rows[0].cells[0].name, d.tables[0].rows[1].cells[0].name);
  EXPECT_NE(d.tables[0].rows[0].content, d.tables[0].rows[1].content);
  EXPECT_EQ(row_of(d, 6).row, &d.tables[0].rows[1]);
  EXPECT_EQ(row_of(d, 1).row, nullptr);
  EXPECT_TRUE(d.says("pen") && !d.says("ink"));
}

TEST(Data, ACheckInARowHasALabelAndAState) {
  Screen s = list_page("x", {"pen", "map"});
  for (const std::size_t i : {4U, 6U})
    s.widgets[i].cls = "android.widget.CheckBox", s.widgets[i].set(Flag::checkable);
  s.widgets[6].set(Flag::checked);
  const ScreenData d = data_of(s);
  EXPECT_EQ(d.tables[0].rows[1].title(), "map");
  EXPECT_TRUE(d.says("map") && d.says("on"));
  EXPECT_NE(d.tables[0].rows[0].content, d.tables[0].rows[1].content);
}

/// What DataCache says of pages that lie open, step by step from the beginning.
struct PagesOpen {
  std::vector<std::pair<std::uint64_t, NodeId>> open;  ///< each with the node at which it was opened
  PagesOpen(const History& tree, DataCache& data, NodeId node)
      : open{{data.of(tree.root()).page, tree.root()}} {
    for (const NodeId n : tree.path(node)) {
      const std::uint64_t page = data.of(n).page;
      const auto known = std::ranges::find(open, page, &std::pair<std::uint64_t, NodeId>::first);
      if (known != open.end())
        open.erase(known + 1, open.end());
      else
        open.emplace_back(page, n);
    }
  }
};

TEST(DataCache, KnowsWhichPagesLieOpenAtEveryNode) {
  FleetOptions fleet;
  fleet.budget = 1200;
  const auto service = testing::serve("sim:notes", fleet).value();
  testing::explore_until(*service->replay, 0, 7);
  const History& tree = service->tree;
  ASSERT_GT(tree.size(), 300U);
  DataCache data(tree);
  std::set<std::uint64_t> pages;
  for (std::uint32_t n = 0; n < tree.size(); ++n) pages.insert(data.of({n}).page);
  ASSERT_GT(pages.size(), 5U);
  for (auto n = static_cast<std::uint32_t>(tree.size());
       n-- > 0;) {  // from the leaves: what is not known yet is found on the way
    const PagesOpen slow(tree, data, {n});
    EXPECT_EQ(data.opened({n}), slow.open.back().second);
    for (const std::uint64_t page : pages)
      EXPECT_EQ(data.below({n}, page),
                std::ranges::count(slow.open, page, &std::pair<std::uint64_t, NodeId>::first) == 1);
  }
}

TEST(Data, AListThatMayShowAPartIsNotWhole) {
  Screen s = list_page("x", {"Nothing yet"});
  EXPECT_TRUE(data_of(s).tables[0].whole);
  s.widgets[3].set(Flag::clickable, false);  // a single row that cannot be touched may be a notice
  EXPECT_FALSE(data_of(s).tables[0].whole);
  s = list_page("x", {"pen", "map"});
  s.widgets[2].set(Flag::scrollable);
  EXPECT_FALSE(data_of(s).tables[0].whole);
}

TEST(Data, WhatAPersonSetsIsItsMode) {
  Screen s = list_page("x", {"pen"});
  s.widgets.push_back(shown_widget("EditText", "search", ""));
  s.widgets.back().set(Flag::editable);
  link_by_depth(s.widgets, {0, 1, 1, 2, 3, 1});
  const ScreenData plain = data_of(s);
  s.widgets.back().text = "pe";
  const ScreenData searched = data_of(s);
  EXPECT_FALSE(plain.filtered());
  EXPECT_TRUE(searched.filtered());
  EXPECT_NE(plain.mode, searched.mode);
}

TEST(Data, RowsOfTwoKindsAreNotCountedTogether) {
  Screen s = list_page("2 things", {"pen", "map"});
  EXPECT_FALSE(data_of(s).tables[0].mixed);
  EXPECT_NE(data_of(s).tables[0].row_kind, 0U);
  const std::uint64_t name = data_of(s).tables[0].rows[0].cells[0].name;
  s.widgets[3].id = "box_row";
  const ScreenData mixed = data_of(s);
  EXPECT_TRUE(mixed.tables[0].mixed);
  EXPECT_EQ(mixed.tables[0].row_kind, 0U);
  EXPECT_NE(mixed.tables[0].rows[0].cells[0].name, name);
  for (const Aggregate& a : aggregates_of(mixed.tables[0], {})) EXPECT_FALSE(a.expected) << a.words;
  s.widgets[4].id = "heading";  // it says something else than the rows do
  EXPECT_FALSE(data_of(s).tables[0].mixed);
}

TEST(Data, WhatSaysThatItIsLeftOutMayBeLeftOut) {
  EXPECT_TRUE(says_left_out("Savings · not in the total") && says_left_out("Excluded"));
  EXPECT_FALSE(says_left_out("Notes") || says_left_out("Another"));
  const ScreenData d = data_of(list_page("Total 5", {"2 kg", "3 kg", "7 kg, not weighed"}));
  const auto all = aggregates_of(d.tables[0], {});
  EXPECT_TRUE(std::ranges::any_of(all, [](const Aggregate& a) { return a.is == 12 && a.expected; }));
  EXPECT_TRUE(std::ranges::any_of(all, [](const Aggregate& a) { return a.is == 5 && !a.expected; }));
}

TEST(Data, NumbersInTexts) {
  EXPECT_EQ(numbers_in("3 of 12, 4.50 left"), (std::vector<double>{3, 12, 4.5}));
  EXPECT_EQ(numbers_in("-2 items, 5-7"), (std::vector<double>{-2, 5, 7}));
  EXPECT_EQ(numbers_in("-$2.50 and -€3, $4-$5"), (std::vector<double>{-2.5, -3, 4, 5}));
  EXPECT_EQ(numbers_in("Total 11:01, 1:00:30, 7:5"), (std::vector<double>{661, 3630, 7, 5}));
  EXPECT_TRUE(numbers_in("none").empty());
  EXPECT_TRUE(amounts_in("3 rounds, 1:30").empty());
  EXPECT_EQ(amounts_in("Total: 30"), std::vector<double>{30});
  EXPECT_EQ(words_beside_numbers("3 entries"), words_beside_numbers("1 entry"));
  EXPECT_EQ(words_beside_numbers("Total 12.50"), words_beside_numbers("Total -3"));
  EXPECT_NE(words_beside_numbers("2.50 a litre"), words_beside_numbers("9.50 a gallon"));
  EXPECT_EQ(words_beside_numbers("$12"), words_beside_numbers("$7.50"));
  EXPECT_NE(words_beside_numbers("$12"), words_beside_numbers("€12"));
}

TEST(Phrases, StandBetweenCommasBracketsAndDots) {
  EXPECT_EQ(phrases_of("Next: 6 Mar 2024 (in 5 days)"),
            (std::vector<std::string>{"Next", "6 Mar 2024", "in 5 days"}));
  EXPECT_EQ(phrases_of("Kitchen · 14:20"), (std::vector<std::string>{"Kitchen", "14:20"}));
  EXPECT_EQ(phrases_of("1,250.00"), (std::vector<std::string>{"1,250.00"}));
  EXPECT_EQ(phrases_of("Garage · •••"), (std::vector<std::string>{"Garage", "•••"}));
  EXPECT_TRUE(phrases_of("").empty());
  EXPECT_TRUE(phrases_of(" · ").empty());
}

TEST(Phrases, AreWrittenInSomeWay) {
  EXPECT_EQ(shape_of("Thu 29 Feb"), shape_of("Tue 1 Mar"));
  EXPECT_NE(shape_of("15:30"), shape_of("3:30 pm"));
  EXPECT_NE(shape_of("€4.00"), shape_of("4.00"));
}

TEST(Phrases, HaveNumbersInUnits) {
  EXPECT_EQ(units_in("2 bottles (210 ml)"), (std::set<std::string>{"bottles", "ml"}));
  EXPECT_EQ(units_in("-€4.00"), (std::set<std::string>{"€"}));
  EXPECT_EQ(units_in("20 Feb 2024 · Personal"), (std::set<std::string>{"Feb"}));
  EXPECT_TRUE(units_in("no number, €").empty());
}

}  // namespace
}  // namespace norn
