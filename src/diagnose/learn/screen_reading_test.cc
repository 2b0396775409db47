#include "diagnose/learn/screen_reading.h"

#include <gtest/gtest.h>

#include "diagnose/automaton.h"
#include "diagnose/learn/learn.h"
#include "diagnose/learn/replay_teacher.h"
#include "diagnose/learn/testing.h"

namespace norn {
namespace {

using testing::AutomatonDevice;
using testing::scarlet;
using testing::Service;

Screen page_with(const std::vector<std::string>& ids) {
  Screen out;
  out.kind = Screen::Kind::app;
  Widget root;
  root.cls = "Frame", root.bounds = {0, 0, 100, 1000};
  out.widgets.push_back(root);
  for (const std::string& id : ids) {
    Widget button;
    button.cls = "Button", button.id = id, button.parent = 0;
    button.set(Flag::clickable), button.set(Flag::enabled), button.set(Flag::visible);
    ++out.widgets[0].subtree;
    const auto y = static_cast<std::int32_t>(100 * out.widgets.size());
    button.bounds = {0, y, 100, y + 90};
    out.widgets.push_back(button);
  }
  return out;
}

Event tap_id(const std::string& id) {
  return Tap{Target{.cls = {}, .id = id, .label = {}, .path = {}, .ordinal = {}}, {}};
}

/// home -1-> list -2-> item -3-> crash, with Back from the list to home. `drop` (4) on the home page leads
/// out of the crash's reach.
BugAutomaton bug_chain() {
  BugAutomaton bug;
  bug.nfa = {{{"home", true, false}, {"list"}, {"item"}, {"crash", false, true}},
             {{0, 1, "1"}, {1, 2, "2"}, {2, 3, "3"}, {1, 0, ""}},
             {}};
  bug.inputs = {
      {"1", tap_id("1")}, {"2", tap_id("2")}, {"3", tap_id("3")}, {"4", tap_id("4")}, {"", Key{key::back}}};
  bug.input_of = {0, 1, 2, 4};
  bug.unproven = {0, 0, 0, 0};
  bug.possible = {{0b1001}, {0b0010}, {0b0100}, {}};
  bug.open = {0, 0, 0, 0};
  return bug;
}

const Screen home_page = page_with({"1", "4", "x"}), list_page = page_with({"2", "x"}),
             item_page = page_with({"3", "x"}), strange_page = page_with({"x"});

struct Did {
  std::string what;  ///< an id, or "back"
  const Screen& then;
};

RunRead reading(const BugAutomaton& bug, const std::vector<Did>& run, bool crash = true) {
  Trace trace;
  trace.start = Observation{};
  trace.start->screen = home_page;
  for (const Did& did : run) {
    Step step;
    step.event = did.what == "back" ? Event(Key{key::back}) : tap_id(did.what);
    step.seen.screen = did.then;
    trace.steps.push_back(std::move(step));
  }
  if (crash) trace.steps.back().seen.crash = Crash{};
  return read_run(ScreenReader(bug), trace);
}

bool is_read(const BugAutomaton& bug, const std::vector<Did>& run, bool crash = true) {
  return reading(bug, run, crash).crash;
}

TEST(ScreenReading, ReadsKnownWaysAsTheirLabelsSay) {
  const BugAutomaton bug = bug_chain();
  EXPECT_TRUE(is_read(bug, {{"1", list_page}, {"2", item_page}, {"3", strange_page}}));
  EXPECT_TRUE(is_read(
      bug, {{"1", list_page}, {"back", home_page}, {"1", list_page}, {"2", item_page}, {"3", strange_page}}));
  EXPECT_FALSE(is_read(bug, {{"1", list_page}, {"2", item_page}}, false)) << "not there yet";
  EXPECT_FALSE(is_read(bug, {{"1", list_page}}, false));
}

TEST(ScreenReading, AnEventWithoutALabelLeadsToAPlaceThatIsKnown) {
  const BugAutomaton bug = bug_chain();
  EXPECT_TRUE(is_read(bug, {{"x", item_page}, {"3", strange_page}})) << "a search's result";
  EXPECT_TRUE(is_read(bug, {{"x", strange_page}, {"x", list_page}, {"2", item_page}, {"3", strange_page}}))
      << "by a strange_page page";
  EXPECT_TRUE(is_read(
      bug,
      {{"1", list_page}, {"2", item_page}, {"x", strange_page}, {"back", item_page}, {"3", strange_page}}));
  EXPECT_FALSE(is_read(bug, {{"x", list_page}, {"x", strange_page}}, false));
}

/// home -1-> player -2-> harmless, home -3-> settings, where 4 switches something off, -5-> home; then -1->
/// player -2-> crash. Back leads from the player home.
BugAutomaton bug_with_settings() {
  BugAutomaton bug;
  bug.nfa = {{{"home", true, false},
              {"player"},
              {"settings"},
              {"off"},
              {"home, off"},
              {"player, off"},
              {"crash", false, true}},
             {{0, 1, "1"},
              {0, 2, "3"},
              {2, 3, "4"},
              {2, 0, "5"},
              {3, 4, "5"},
              {4, 5, "1"},
              {5, 6, "2"},
              {1, 1, "2"},
              {1, 0, ""},
              {5, 4, ""}},
             {}};
  for (const char* label : {"1", "2", "3", "4", "5"}) bug.inputs.push_back({label, tap_id(label)});
  bug.inputs.push_back({"", Key{key::back}});
  bug.input_of = {0, 2, 3, 4, 4, 0, 1, 1, 5, 5};
  bug.unproven.assign(10, 0);
  bug.possible = {{0b00101}, {0b00010}, {0b11000}, {0b11000}, {0b00101}, {0b00010}, {}};
  bug.open.assign(7, 0);
  return bug;
}

TEST(ScreenReading, WhatIsDoneOnAPageThatWasReachedOtherwiseIsDone) {
  const BugAutomaton bug = bug_with_settings();
  ASSERT_TRUE(bug.check());
  const Screen home = page_with({"1", "3", "x"}), player = page_with({"2", "x"}),
               settings = page_with({"4", "5", "x"});
  const auto read = [&](const std::vector<Did>& run) {
    Trace trace;
    trace.start = Observation{};
    trace.start->screen = home;
    for (const Did& did : run) {
      trace.steps.emplace_back();
      trace.steps.back().event = did.what == "back" ? Event(Key{key::back}) : tap_id(did.what);
      trace.steps.back().seen.screen = did.then;
    }
    trace.steps.back().seen.crash = Crash{};
    return read_run(ScreenReader(bug), trace).crash;
  };
  EXPECT_TRUE(read({{"3", settings}, {"4", settings}, {"5", home}, {"1", player}, {"2", player}}))
      << "as it is known";
  EXPECT_TRUE(read({{"1", player}, {"x", settings}, {"4", settings}, {"back", player}, {"2", player}}))
      << "from the player to the settings, and back";
  EXPECT_FALSE(read({{"1", player}, {"x", settings}, {"back", player}, {"2", player}}))
      << "nothing was switched off";
}

TEST(ScreenReading, WhatWasLeftByAnEventWithoutALabelMayComeBack) {
  BugAutomaton bug = bug_chain();
  // Another list, which 4 leads to; only that one has an item, and Back leads from there to the empty one.
  bug.nfa.states.push_back({"full list"});
  bug.possible.push_back({0b0010}), bug.open.push_back(0);
  bug.nfa.transitions[1].from = 4;
  for (const Nfa::Transition& more : {Nfa::Transition{0, 4, "4"}, Nfa::Transition{2, 1, ""}}) {
    bug.nfa.transitions.push_back(more);
    bug.input_of.push_back(more.label.empty() ? 4 : 3), bug.unproven.push_back(0);
  }
  ASSERT_TRUE(bug.check());
  EXPECT_FALSE(is_read(bug, {{"1", list_page}, {"2", item_page}, {"3", strange_page}})) << "the empty list";
  EXPECT_TRUE(is_read(
      bug, {{"4", list_page}, {"x", item_page}, {"x", list_page}, {"2", item_page}, {"3", strange_page}}))
      << "it may still be the full list";
  EXPECT_FALSE(is_read(
      bug, {{"4", list_page}, {"2", item_page}, {"back", list_page}, {"2", item_page}, {"3", strange_page}}))
      << "labels and moves leave nothing behind";
}

TEST(ScreenReading, OutOfReachIsOutOfReach) {
  BugAutomaton bug = bug_chain();
  const std::vector<Did> run{{"4", home_page}, {"1", list_page}, {"2", item_page}, {"3", strange_page}};
  EXPECT_FALSE(is_read(bug, run));
  EXPECT_TRUE(is_read(
      bug,
      {{"4", home_page}, {"x", strange_page}, {"back", list_page}, {"2", item_page}, {"3", strange_page}}))
      << "by known events; another may lead back";
  bug.open[0] = 0b1000;  // nobody knows where 4 leads
  EXPECT_TRUE(is_read(bug, run));
}

TEST(ScreenReading, AnEventWithoutALabelMayDoWhatOneWithALabelDoes) {
  // Only what was put in the queue (4) before the list is opened has an item that crashes.
  BugAutomaton bug = bug_chain();
  bug.nfa.states.insert(bug.nfa.states.end(), {{"queued"}, {"list of queued"}, {"queued item"}});
  bug.possible.insert(bug.possible.end(), {{0b1001}, {0b0010}, {0b0100}}), bug.open.resize(7);
  bug.nfa.transitions = {{0, 1, "1"}, {1, 2, "2"}, {0, 4, "4"}, {4, 5, "1"},
                         {5, 6, "2"}, {6, 3, "3"}, {2, 0, ""}};
  bug.input_of = {0, 1, 3, 0, 1, 2, 4}, bug.unproven.assign(7, 0);
  ASSERT_TRUE(bug.check());
  EXPECT_TRUE(is_read(bug, {{"x", item_page}, {"3", strange_page}})) << "one more than to the nearest item";
  EXPECT_FALSE(is_read(bug, {{"1", list_page}, {"2", item_page}, {"3", strange_page}}))
      << "what is known is known";
  // Two more is too much to read into one event.
  bug.nfa.states.push_back({"asked"}), bug.possible.push_back({0b1000}), bug.open.push_back(0);
  bug.nfa.transitions[2] = {0, 7, "4"};
  bug.nfa.transitions.push_back({7, 4, "4"}), bug.input_of.push_back(3), bug.unproven.push_back(0);
  EXPECT_FALSE(is_read(bug, {{"x", item_page}, {"3", strange_page}}));
}

TEST(ScreenReading, WhatIsNotProvenMayLeadToAnyOfItsStates) {
  BugAutomaton bug = bug_chain();
  bug.nfa.states.push_back({"other list"}), bug.possible.push_back({0b0010}), bug.open.push_back(0);
  bug.nfa.transitions[1].from = 4;  // only from there to the item, and nothing leads there
  const std::vector<Did> run{{"1", list_page}, {"2", item_page}, {"3", strange_page}};
  EXPECT_FALSE(is_read(bug, run));
  bug.guesses = {{0, 4, 0}};
  EXPECT_TRUE(is_read(bug, run));
  bug.guesses = {{1, 4, 4}};
  EXPECT_TRUE(is_read(bug, run)) << "a move, too";
  bug.possible[4] = {0b0110};
  EXPECT_FALSE(is_read(bug, run)) << "the screen decides";
  bug.guesses = {{0, 2, 0}};
  EXPECT_FALSE(accepts(bug.nfa, std::vector<std::string>{"1", "3"})) << "no word of the automaton";
}

/// home -1-> list -2-> item -3-> crash only after `4` on the home page; without it the item has no `3`.
/// Nearer to the list is a harmless item, whose `3` leads home.
BugAutomaton bug_of_two_lists() {
  BugAutomaton bug = bug_chain();
  bug.nfa.states.insert(bug.nfa.states.end(), {{"armed"}, {"armed list"}, {"armed item"}, {"harmless item"}});
  bug.nfa.transitions = {{0, 1, "1"}, {1, 2, "2"}, {0, 4, "4"}, {4, 5, "1"}, {5, 6, "2"}, {6, 3, "3"},
                         {1, 0, ""},  {2, 1, ""},  {5, 4, ""},  {6, 5, ""},  {1, 7, "4"}, {7, 0, "3"}};
  bug.input_of = {0, 1, 3, 0, 1, 2, 4, 4, 4, 4, 3, 2}, bug.unproven.assign(12, 0);
  bug.possible = {{0b1001}, {0b0010}, {0b0000}, {}, {0b1001}, {0b0010}, {0b0100}, {0b0100}};
  bug.open.assign(8, 0);
  return bug;
}

TEST(ScreenReading, ScreensMayShowThatAnEventWithoutALabelDidMore) {
  const BugAutomaton bug = bug_of_two_lists();
  ASSERT_TRUE(bug.check());
  EXPECT_TRUE(is_read(bug, {{"x", home_page}, {"1", list_page}, {"2", item_page}, {"3", strange_page}}))
      << "2 leads to an item with 3 from the armed list alone: x must have done what 4 does";
  EXPECT_FALSE(is_read(bug, {{"x", home_page}, {"1", list_page}, {"2", strange_page}, {"3", strange_page}}))
      << "nothing contradicts that it did nothing";
  EXPECT_TRUE(is_read(bug, {{"x", home_page},
                            {"1", list_page},
                            {"2", item_page},
                            {"back", list_page},
                            {"2", item_page},
                            {"3", strange_page}}))
      << "and it stays done";
}

TEST(ScreenReading, BackLeadsBackWhereTheAutomatonIsNotWhole) {
  BugAutomaton bug = bug_of_two_lists();
  bug.nfa.transitions[8].to = 0;  // Back from the armed list, to the home page that is not armed
  const std::vector<Did> run{{"4", home_page}, {"1", list_page}, {"back", home_page},
                             {"1", list_page}, {"2", item_page}, {"3", strange_page}};
  EXPECT_FALSE(is_read(bug, run)) << "proven is proven";
  bug.unproven[11] = 1;
  EXPECT_TRUE(is_read(bug, run)) << "it may be the page it came from";
  const std::vector<Did> away{{"4", home_page}, {"1", list_page},    {"x", strange_page}, {"x", home_page},
                              {"1", list_page}, {"2", strange_page}, {"3", strange_page}};
  EXPECT_FALSE(is_read(bug, away)) << "only moves lead back";
  const std::vector<Did> twice{{"1", list_page}, {"back", home_page}, {"back", home_page},
                               {"1", list_page}, {"2", item_page},    {"3", strange_page}};
  EXPECT_FALSE(is_read(bug, twice)) << "it never was where 3 crashes";
}

/// home -1-> list -2-> item, where a wait crashes; so it does after one Back more, to the list.
BugAutomaton bug_that_ticks() {
  BugAutomaton bug = bug_chain();
  bug.nfa.states.insert(bug.nfa.states.end(), {{"ticking list"}});
  bug.inputs.push_back({"", Wait{3000}});
  bug.nfa.transitions = {{0, 1, "1"}, {1, 2, "2"}, {2, 3, ""}, {2, 4, ""},
                         {4, 3, ""},  {2, 1, "3"}, {1, 0, ""}};
  bug.input_of = {0, 1, 5, 4, 5, 2, 4}, bug.unproven.assign(7, 0);
  bug.possible = {{0b1001}, {0b0010}, {0b0100}, {}, {0b0010}}, bug.open.assign(5, 0);
  return bug;
}

TEST(ScreenReading, TimePassesWhateverIsDone) {
  const BugAutomaton bug = bug_that_ticks();
  ASSERT_TRUE(bug.check());
  EXPECT_TRUE(is_read(bug, {{"1", list_page}, {"2", item_page}, {"back", home_page}, {"1", list_page}}))
      << "Back is not known to lead home from there, so it stopped nothing";
  EXPECT_TRUE(is_read(bug, {{"1", list_page}, {"2", item_page}, {"x", home_page}, {"1", list_page}}));
  EXPECT_FALSE(is_read(
      bug, {{"1", list_page}, {"2", item_page}, {"back", home_page}, {"4", home_page}, {"1", list_page}}))
      << "the crash should have come before";
  EXPECT_FALSE(is_read(bug, {{"1", list_page}, {"2", item_page}, {"3", list_page}, {"back", home_page}}))
      << "3 is known to stop it";
}

TEST(ScreenReading, SaysHowNearItCame) {
  BugAutomaton bug = bug_chain();
  EXPECT_EQ(reading(bug, {{"x", strange_page}}, false).nearest, 3U);
  EXPECT_EQ(reading(bug, {{"x", item_page}, {"x", home_page}}, false).nearest, 1U);
  EXPECT_EQ(reading(bug, {{"x", item_page}, {"3", strange_page}}).nearest, 0U);
  bug.inputs[1].guard = true;  // does not count
  EXPECT_EQ(reading(bug, {{"1", list_page}}, false).nearest, 1U);
}

TEST(ScreenReading, RowsOfOneLabelAreOneEvent) {
  BugAutomaton bug = bug_chain();
  bug.inputs[3].label = "2", bug.inputs[3].event = tap_id("row");  // another row of the list
  EXPECT_TRUE(is_read(bug, {{"1", page_with({"row"})}, {"row", item_page}, {"3", strange_page}}));
}

TEST(ScreenReading, WhatDidNotCrashWasNotThere) {
  const BugAutomaton bug = bug_chain();
  EXPECT_FALSE(is_read(bug, {{"x", item_page}, {"3", item_page}, {"3", strange_page}}))
      << "the first 3 should have crashed, so it was no state that is known";
}

TEST(ScreenReading, ADrawingIsReadByItsLabels) {
  BugAutomaton bug = bug_chain();
  bug.possible.clear(), bug.open.clear();
  EXPECT_TRUE(is_read(bug, {{"1", list_page}, {"x", strange_page}, {"2", item_page}, {"3", strange_page}}));
  EXPECT_FALSE(is_read(bug, {{"x", item_page}, {"3", strange_page}}));
}

/// On a device that is the automaton nothing is without a label: what crashes is accepted, and nothing that
/// its labels do not accept.
TEST(ScreenReading, AgreesWithTheDevice) {
  const auto device = testing::one_way(scarlet());
  ASSERT_TRUE(device);
  Service on(std::make_unique<AutomatonDevice>(device->nfa), {});
  Quiet quiet;
  LearnOptions options;
  options.joins = 0;
  const auto learned = learn(*on.replay, testing::traces_of(device->nfa), options, quiet);
  ASSERT_TRUE(learned && learned->complete);
  const BugAutomaton& bug = learned->bug;
  ASSERT_EQ(bug.possible.size(), bug.nfa.states.size());
  const Ways ways(bug);
  ReplayTeacher teacher(*on.replay, bug.inputs, [](const Crash&) { return true; }, {});
  ASSERT_TRUE(teacher.start());
  TreeReading reading(bug, on.tree);
  Rng rng(5);
  std::size_t crashed = 0, harmless = 0;
  for (int i = 0; i < 300; ++i) {
    const lsharp::Word word = i % 2 == 0 ? ways.crashing(rng, 20) : ways.harmless(rng, 20);
    const auto runs = teacher.run({{word}});
    ASSERT_TRUE(runs);
    const lsharp::Word done(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(runs->front().size()));
    const auto end = teacher.node(done);
    if (!end) continue;
    const bool crash = on.tree.crash(*end) != nullptr, read = reading.at(*end).crash;
    EXPECT_TRUE(read || !crash) << i;
    EXPECT_TRUE(!read || accepts(bug.nfa, ways.pivot_word(done))) << i;
    ++(crash ? crashed : harmless);
  }
  EXPECT_GE(crashed, 100U);
  EXPECT_GE(harmless, 50U);
}

}  // namespace
}  // namespace norn
