#include "diagnose/taken.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "diagnose/learn/learn_input.h"
#include "gui/popup.h"
#include "gui/target.h"

namespace norn {
namespace {

Widget widget(std::string id, std::string text, Rect bounds, std::initializer_list<Flag> flags) {
  Widget w;
  w.cls = "android.widget.TextView";
  w.id = std::move(id), w.text = std::move(text), w.bounds = bounds;
  w.set(Flag::enabled), w.set(Flag::visible);
  for (const Flag flag : flags) w.set(flag);
  return w;
}

/// A list of two rows without ids, each with a name that has one; the second takes long presses.
Screen list() {
  Screen s;
  s.activity = "Main", s.width = 100, s.height = 100;
  s.widgets = {widget("", "", {0, 0, 100, 100}, {}), widget("", "", {0, 0, 100, 10}, {Flag::clickable}),
               widget("app:id/name", "Ann", {0, 0, 50, 10}, {}),
               widget("", "", {0, 10, 100, 20}, {Flag::clickable, Flag::long_clickable}),
               widget("app:id/name", "Bob", {0, 10, 50, 20}, {})};
  link_by_depth(s.widgets, {0, 1, 2, 1, 2});
  return s;
}

/// The same page under a menu.
Screen menu() {
  Screen s = list();
  s.widgets = {widget("", "", {50, 0, 100, 30}, {}),
               widget("app:id/settings", "Settings", {50, 0, 100, 30}, {Flag::clickable})};
  link_by_depth(s.widgets, {0, 1});
  return s;
}

TEST(Taken, ARowIsKnownByTheIdInIt) {
  const Screen s = list();
  const Event row = Tap{make_target(s, 1), {}}, name = Tap{make_target(s, 2), {}};
  EXPECT_EQ(event_key(as_taken(row, s)), event_key(name));
  EXPECT_EQ(event_key(as_taken(name, s)), event_key(name));
  EXPECT_EQ(event_key(as_taken(Tap{{}, {5, 15}}, s)), event_key(Tap{make_target(s, 4), {}}));
  EXPECT_TRUE(is_taken(name, s, 2));
  EXPECT_FALSE(is_taken(name, s, 0));
}

TEST(Taken, ALongPressThatNobodyTakesIsATap) {
  const Screen s = list();
  EXPECT_TRUE(std::holds_alternative<Tap>(as_taken(LongPress{make_target(s, 1), {}}, s)));
  EXPECT_TRUE(std::holds_alternative<LongPress>(as_taken(LongPress{make_target(s, 3), {}}, s)));
  EXPECT_TRUE(std::holds_alternative<LongPress>(as_taken(LongPress{make_target(s, 4), {}}, s)))
      << "the row around the name takes it";
}

TEST(LearnInput, AKeyBelongsToItsPageAndNotToAMenuOverIt) {
  std::vector<LearnInput> pivots;
  const Screen page = list(), over = menu();
  add_pivots({{Key{key::back}, &page}}, {}, pivots);
  ASSERT_EQ(pivots.size(), 1U);
  EXPECT_TRUE(is_input(pivots[0], Key{key::back}, page));
  EXPECT_FALSE(is_input(pivots[0], Key{key::back}, over));
  EXPECT_FALSE(event_on(pivots[0], over));

  const std::vector<std::vector<Performed>> traces{{{Key{key::back}, &page}}};
  const auto moves = moves_of(traces, pivots, 0);
  ASSERT_FALSE(moves.empty());
  EXPECT_FALSE(event_on(moves[0], page)) << "there it is a pivot";
  EXPECT_TRUE(event_on(moves[0], over)) << "here it only closes the menu";
}

/// The page under a dialog with this title.
Screen dialog(std::string title) {
  Screen s = list();
  s.widgets = {widget("android:id/alertTitle", std::move(title), {0, 0, 100, 20}, {}),
               widget("android:id/button1", "Delete", {0, 20, 50, 40}, {Flag::clickable})};
  link_by_depth(s.widgets, {0, 0});
  return s;
}

TEST(LearnInput, ADialogAboutAnotherRowIsTheSameDialog) {
  const Screen page = list(), ann = dialog("Delete Ann?"), bob = dialog("Delete Bob?"),
               all = dialog("Empty it?");
  std::vector<LearnInput> pivots;
  add_pivots({{Tap{make_target(page, 2), {}}, &page}, {Tap{make_target(ann, 1), {}}, &ann}}, {}, pivots);
  ASSERT_EQ(pivots.size(), 2U);
  EXPECT_EQ(pivots[1].dialog, "Delete *?");
  EXPECT_TRUE(is_input(pivots[1], Tap{make_target(bob, 1), {}}, bob));
  EXPECT_FALSE(is_input(pivots[1], Tap{make_target(all, 1), {}}, all));

  // A name goes to the end of its word: what follows belongs to that row, too.
  const Screen file = dialog("Delete Ann.mp3?"), other = dialog("Delete map.png?");
  std::vector<LearnInput> files;
  add_pivots({{Tap{make_target(page, 2), {}}, &page}, {Tap{make_target(file, 1), {}}, &file}}, {}, files);
  EXPECT_TRUE(is_input(files[1], Tap{make_target(other, 1), {}}, other));
}

/// Titled with nothing but the row's name, a dialog is known by what is the app's own in it.
TEST(LearnInput, ADialogThatIsCalledAsItsRowIsKnownByItsField) {
  const auto with_field = [](const std::string& title, const std::string& id) {
    Screen s = dialog(title);
    s.widgets.push_back(widget(id, "", {0, 30, 100, 40}, {Flag::editable}));
    link_by_depth(s.widgets, {0, 1, 1, 1});
    return s;
  };
  const Screen page = list(), ann = with_field("Ann", "app:id/pieces"),
               bob = with_field("Bob", "app:id/pieces"), coupon = with_field("Coupon", "app:id/code");
  ASSERT_TRUE(is_popup(ann));
  std::vector<LearnInput> pivots;
  add_pivots({{Tap{make_target(page, 2), {}}, &page}, {Tap{make_target(ann, 1), {}}, &ann}}, {}, pivots);
  ASSERT_EQ(pivots.size(), 2U);
  EXPECT_EQ(pivots[1].dialog, "app:id/pieces");
  EXPECT_TRUE(is_input(pivots[1], Tap{make_target(bob, 1), {}}, bob));
  EXPECT_FALSE(is_input(pivots[1], Tap{make_target(coupon, 1), {}}, coupon));
}

TEST(LearnInput, WhatMakesAPageAnewIsOneEventWhateverItIsChangedTo) {
  const Screen page = list();
  const LearnInput turn{.label = "1", .event = Rotate{1}, .also = {System{"locale", {}}}};
  EXPECT_TRUE(is_input(turn, Rotate{1}, page));
  EXPECT_TRUE(is_input(turn, System{"locale", {{"value", "de_DE"}}}, page));
  EXPECT_FALSE(is_input(turn, System{"dark-mode", {}}, page)) << "not tried, or it does not crash";
}

TEST(LearnInput, ALaunchIsOneWithOrWithoutTheAppsName) {
  const Screen page = list();
  std::vector<LearnInput> pivots;
  add_pivots({{Launch{"org.app", {}}, &page}}, {}, pivots);
  ASSERT_EQ(pivots.size(), 1U);
  EXPECT_TRUE(is_input(pivots[0], Launch{}, page));
  EXPECT_FALSE(is_input(pivots[0], Launch{"org.other", {}}, page));
  EXPECT_FALSE(is_input(pivots[0], Launch{"org.app", "Settings"}, page)) << "one of its pages, by name";
  const auto moves = moves_of({}, pivots, 0);
  EXPECT_TRUE(
      std::ranges::none_of(moves, [](const auto& m) { return std::holds_alternative<Launch>(m.event); }));
}

TEST(LearnInput, TwoExamplesMakeALabelWide) {
  const Screen s = list();
  const auto type = [&](const char* text) { return Event(Type{make_target(s, 2), {}, text}); };
  std::vector<LearnInput> one{{"1", type("Ann"), "Main"}};
  one[0].also = {type("Bob")};
  widen_by_example(one, 0);
  EXPECT_EQ(one[0].typed, Typed::exact) << "one is not enough";
  one[0].also.push_back(type("12"));
  widen_by_example(one, 0);
  EXPECT_EQ(one[0].typed, Typed::filled);
  EXPECT_TRUE(is_input(one[0], type("x y"), s));
  EXPECT_FALSE(is_input(one[0], type(""), s));

  LearnInput row{"1", Tap{make_target(s, 2), {}}, "Main"};
  row.also = {Tap{make_target(s, 4), {}}, Tap{make_target(s, 4), {}}};
  std::vector<LearnInput> rows{row, {"2", Tap{make_target(s, 4), {}}, "Main"}};
  rows[1].any_row = true;
  widen_by_example(rows, 0);
  EXPECT_FALSE(rows[0].any_row) << "another label stands for the others";
  rows[1].any_row = false;
  widen_by_example(rows, 0);
  EXPECT_TRUE(rows[0].any_row);
}

// A number field takes no letters: words leave it empty, and say nothing of numbers.
TEST(LearnInput, ExamplesWidenToTheirOwnKindOfText) {
  const Screen s = list();
  const auto type = [&](const char* text) { return Event(Type{make_target(s, 2), {}, text}); };
  std::vector<LearnInput> none{{"1", type(""), "Main"}};
  none[0].also = {type("test"), type("Ann")};
  widen_by_example(none, 0);
  EXPECT_TRUE(is_input(none[0], type("other words"), s));
  EXPECT_FALSE(is_input(none[0], type("5"), s));
  EXPECT_EQ(describe(none[0]).find("any text"), std::string::npos) << describe(none[0]);
  none[0].also.push_back(type("7"));
  widen_by_example(none, 0);
  EXPECT_EQ(none[0].typed, Typed::any);

  std::vector<LearnInput> words{{"1", type("Ann"), "Main"}};
  words[0].also = {type(""), type("Bob")};
  widen_by_example(words, 0);
  EXPECT_FALSE(is_input(words[0], type("5"), s));
  EXPECT_TRUE(is_input(words[0], type("x y"), s));
  EXPECT_TRUE(is_input(words[0], type(""), s));
}

// Of two labels for texts the one with more examples stands for all other texts; the other keeps those it
// names.
TEST(LearnInput, TheTextsWithMoreExamplesAreTheRule) {
  const Screen s = list();
  const auto type = [&](const char* text) { return Event(Type{make_target(s, 2), {}, text}); };
  std::vector<LearnInput> both{{"1", type("Ann"), "Main"}, {"2", type("x"), "Main"}};
  both[0].typed = Typed::filled;
  both[1].also = {type("y")};
  widen_by_example(both, 1);
  EXPECT_EQ(input_of(both, type("z"), s), 0U) << "one example more is chance";
  both[1].also.push_back(type("12"));
  widen_by_example(both, 1);
  EXPECT_EQ(input_of(both, type("z"), s), 1U);
  EXPECT_EQ(input_of(both, type("Ann"), s), 0U);
  widen_by_example(both, 0);
  EXPECT_EQ(input_of(both, type("z"), s), 1U) << "it stays so";
}

// A row that is not there is replaced by the one in its place of the list, never by one that was seen to do
// something else.
TEST(LearnInput, ARowThatIsGoneIsReplacedByTheOneInItsPlace) {
  const Screen s = list();
  const Event ann = Tap{make_target(s, 2), {}}, bob = Tap{make_target(s, 4), {}};
  EXPECT_EQ(place_of(ann, s), 0U);
  EXPECT_EQ(place_of(bob, s), 1U);
  Target gone = make_target(s, 2);
  gone.label = "Cid";
  EXPECT_FALSE(place_of(Tap{gone, {}}, s));
  LearnInput row{"1", Tap{gone, {}}, "Main"};
  EXPECT_FALSE(event_on(row, s)) << "this very row only";
  row.place = 1;
  ASSERT_TRUE(event_on(row, s));
  EXPECT_TRUE(same_event(*event_on(row, s), bob, s));
  row.place = 2;
  EXPECT_FALSE(event_on(row, s)) << "the list is shorter than that";
  row.any_row = true;
  EXPECT_TRUE(same_event(*event_on(row, s), bob, s)) << "any row: the last";
  row.unlike = {bob};
  EXPECT_TRUE(same_event(*event_on(row, s), ann, s));
  row.unlike = {ann, bob};
  EXPECT_FALSE(event_on(row, s));
  row.unlike = {bob}, row.place = std::nullopt;
  EXPECT_FALSE(event_on(row, s)) << "nobody knows what others do";
}

// Time passes whatever is done, and the device is turned wherever one is.
TEST(LearnInput, ToWaitIsNoPivotEventAndToTurnBelongsToNoPage) {
  const Screen page = list();
  const std::vector<Performed> trace{{Rotate{1}, &page}, {Wait{2500}, &page}};
  std::vector<LearnInput> pivots;
  add_pivots(trace, {}, pivots);
  ASSERT_EQ(pivots.size(), 1U);
  EXPECT_EQ(pivots[0].activity, "");
  const auto moves = moves_of(std::vector<std::vector<Performed>>{trace}, pivots, 0);
  EXPECT_TRUE(std::ranges::any_of(moves, [](const auto& m) { return m.event == Event(Wait{2500}); }));
}

TEST(LearnInput, APointStandsForTheAreaThatDoesTheSame) {
  const Screen page = list();
  LearnInput spot{"1", Tap{{}, {500, 500}}, "Main"};
  spot.area = {480, 460, 541, 521};
  EXPECT_TRUE(is_input(spot, Tap{{}, {540, 470}}, page));
  EXPECT_FALSE(is_input(spot, Tap{{}, {541, 470}}, page));
  spot.area = {0, 0, 541, 521};
  EXPECT_FALSE(is_input(spot, Tap{{}, page.widgets[2].bounds.center()}, page)) << "a row lies over it";
}

TEST(LearnInput, ADragStandsForWhereItMayBeginAndEnd) {
  Screen page;
  page.width = page.height = 1000;
  LearnInput drag{"1", Drag{{}, {100, 500}, {800, 500}}, ""};
  drag.area = {80, 480, 141, 521}, drag.ends_in = {480, 480, 961, 521};
  EXPECT_TRUE(is_input(drag, Drag{{}, {140, 480}, {960, 520}}, page));
  EXPECT_FALSE(is_input(drag, Drag{{}, {140, 480}, {961, 520}}, page));
  EXPECT_FALSE(is_input(drag, Drag{{}, {141, 480}, {960, 520}}, page));
  EXPECT_FALSE(is_input(drag, Swipe{{}, Direction::right, {140, 480}, {960, 520}}, page));
}

TEST(LearnInput, LabelsAreJoinedOnlyWhereOneCanSayBoth) {
  const Screen s = list();
  LearnInput menu_key{"1", Key{key::menu}, "Main"}, more{"2", Tap{make_target(s, 2), {}}, "Main"};
  ASSERT_TRUE(absorb(menu_key, more));
  EXPECT_TRUE(is_input(menu_key, more.event, s));
  EXPECT_TRUE(is_input(menu_key, Key{key::menu}, s));

  LearnInput number{"1", Type{make_target(s, 2), {}, "40"}, "Main"}, words = number, elsewhere = number;
  words.event = Type{make_target(s, 2), {}, "x"}, words.typed = Typed::same_class;
  EXPECT_FALSE(absorb(number, words)) << "any words cannot be listed";
  elsewhere.activity = "Other";
  EXPECT_FALSE(absorb(number, elsewhere));
}

TEST(LearnInput, NumbersStayTogether) {
  std::vector<LearnInput> pivots{{"3", Key{1}}, {"7", Key{2}}, {"3", Key{3}}};
  EXPECT_EQ(next_label(pivots), "4");
  renumber(pivots);
  EXPECT_EQ(pivots[0].label, "1");
  EXPECT_EQ(pivots[1].label, "2");
  EXPECT_EQ(pivots[2].label, "1");
  EXPECT_EQ(next_label(pivots), "3");
}

}  // namespace
}  // namespace norn
