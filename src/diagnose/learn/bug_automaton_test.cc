#include "diagnose/learn/bug_automaton.h"

#include <gtest/gtest.h>

#include "diagnose/analysis.h"

namespace norn {
namespace {

/// 1 2 3 crashes, and so do 4 2 3, 1 back 5 3 and 1 6 2 2 3, with any number of 7 before them; 4 to 7 were
/// learned as guards.
BugAutomaton with_guards() {
  BugAutomaton bug;
  bug.nfa = {{{"q0", true, false}, {"q1"}, {"q2"}, {"crash", false, true}, {"side"}, {"long"}},
             {{0, 1, "1"},
              {1, 2, "2"},
              {2, 3, "3"},
              {0, 1, "4"},
              {1, 4, ""},
              {4, 2, "5"},
              {1, 5, "6"},
              {5, 1, "2"},
              {0, 0, "7"}},
             {}};
  for (int i = 1; i <= 7; ++i) bug.inputs.push_back({std::to_string(i), Wait{i}});
  for (const std::size_t guard : {3U, 4U, 5U, 6U}) bug.inputs[guard].guard = true;
  bug.inputs.push_back({{}, Key{key::back}});
  bug.input_of = {0, 1, 2, 3, 7, 4, 5, 1, 6}, bug.unproven.resize(9);
  return bug;
}

std::set<std::string> guards_of(const BugAutomaton& bug) {
  std::set<std::string> out;
  for (const LearnInput& input : bug.inputs)
    if (input.guard) out.insert(input.label);
  return out;
}

TEST(Guards, OfAShortestWayArePivotEvents) {
  BugAutomaton bug = with_guards();
  ASSERT_TRUE(bug.check()) << bug.check().error().message();
  EXPECT_EQ(make_bug("x", bug.nfa, {}, guards_of(bug))->start_distance(), 1U)
      << "4 back 5 3: no run comes that near";
  count_guards_on_shortest_ways(bug);
  EXPECT_EQ(guards_of(bug), (std::set<std::string>{"6", "7"}));
  EXPECT_EQ(make_bug("x", bug.nfa, {}, guards_of(bug))->start_distance(), 3U);
  EXPECT_EQ(pivots_to_crash(bug)[0], 3U);
}

}  // namespace
}  // namespace norn
