#include "diagnose/learn/w_method.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace norn {
namespace {

using lsharp::Input;
using lsharp::Word;

/// States in a ring of pivots with a way out; `targets[state][pivot]`, -1: not possible.
BugAutomaton automaton(const std::vector<std::vector<int>>& targets) {
  BugAutomaton out;
  for (std::size_t s = 0; s < targets.size(); ++s)
    out.nfa.states.push_back({"q" + std::to_string(s), s == 0, s + 1 == targets.size()});
  for (std::size_t i = 0; i < targets[0].size(); ++i)
    out.inputs.push_back({std::to_string(i + 1), Key{static_cast<std::int32_t>(i)}});
  for (std::uint32_t s = 0; s < targets.size(); ++s)
    for (std::uint32_t i = 0; i < out.inputs.size(); ++i)
      if (targets[s][i] >= 0) {
        out.nfa.transitions.push_back({s, static_cast<std::uint32_t>(targets[s][i]), out.inputs[i].label});
        out.input_of.push_back(i), out.unproven.push_back(0);
      }
  return out;
}

/// What another automaton does with a word of the first: after how many inputs it crashes, 0 for never.
std::size_t run(const BugAutomaton& app, const Word& word) {
  std::uint32_t state = 0;
  for (std::size_t k = 0; k < word.size(); ++k) {
    std::optional<std::uint32_t> to;
    for (std::size_t t = 0; t < app.nfa.transitions.size(); ++t)
      if (app.nfa.transitions[t].from == state && app.input_of[t] == word[k]) to = app.nfa.transitions[t].to;
    if (!to) return 0;
    if (app.nfa.states[*to].final) return k + 1;
    state = *to;
  }
  return 0;
}

/// The shortest word the two disagree on, by trying all up to a length.
bool differ(const BugAutomaton& a, const BugAutomaton& b, std::size_t longest) {
  std::vector<Word> words{{}};
  for (std::size_t length = 1; length <= longest; ++length) {
    std::vector<Word> longer;
    for (const Word& word : words)
      for (std::size_t i = 0; i < a.inputs.size(); ++i) {
        longer.push_back(word);
        longer.back().push_back(static_cast<Input>(i));
        if (run(a, longer.back()) != run(b, longer.back())) return true;
      }
    words = std::move(longer);
  }
  return false;
}

constexpr std::size_t pivots = 2;

/// Where each pivot event leads, by state: the first one along the trace, the second one anywhere or nowhere.
std::vector<std::vector<int>> some_machine(Rng& rng) {
  const std::size_t states = 3 + rng.below(3);
  std::vector<std::vector<int>> out(states, std::vector<int>(pivots, -1));
  for (std::size_t s = 0; s + 1 < states; ++s) {
    out[s][0] = static_cast<int>(s + 1);
    out[s][1] = static_cast<int>(rng.below(states + 1)) - 1;
  }
  return out;
}

TEST(WMethod, FindsEveryWrongEdge) {
  Rng rng(7);
  std::size_t wrong = 0;
  for (int round = 0; round < 400; ++round) {
    const auto right = some_machine(rng);
    const std::size_t states = right.size();
    auto broken = right;
    broken[rng.below(states - 1)][rng.below(pivots)] = static_cast<int>(rng.below(states + 1)) - 1;
    const BugAutomaton learned = automaton(right), app = automaton(broken);
    const Ways ways(learned);
    const auto tests = w_tests(learned, ways);
    const bool found = std::ranges::any_of(
        tests, [&](const Word& word) { return foretold(learned, ways, word) != run(app, word); });
    EXPECT_EQ(found, differ(learned, app, 2 * states)) << round;
    wrong += found;
    for (const Word& word : tests) EXPECT_EQ(foretold(learned, ways, word), run(learned, word));
  }
  EXPECT_GT(wrong, 100U);
}

// Depth 1: an app with one state more, which looks like another until some word is run from it.
TEST(WMethod, FindsOneStateTooMany) {
  Rng rng(8);
  std::size_t wrong = 0;
  for (int round = 0; round < 400; ++round) {
    const auto right = some_machine(rng);
    const std::size_t states = right.size();
    const int last = static_cast<int>(states) - 1;  // the crash; the new state takes its number
    auto more = right;
    for (auto& row : more)
      for (int& to : row) to += to == last;
    more.insert(more.end() - 1, more[rng.below(states - 1)]);
    more[rng.below(states - 1)][rng.below(pivots)] = last;
    more[static_cast<std::size_t>(last)][rng.below(pivots)] = static_cast<int>(rng.below(states + 2)) - 1;
    const BugAutomaton learned = automaton(right), app = automaton(more);
    const Ways ways(learned);
    const auto tests = w_tests(learned, ways);
    const bool found = std::ranges::any_of(
        tests, [&](const Word& word) { return foretold(learned, ways, word) != run(app, word); });
    EXPECT_EQ(found, differ(learned, app, 2 * states + 1)) << round;
    wrong += found;
  }
  EXPECT_GT(wrong, 100U);
}

TEST(WMethod, ASampleIsInOrderAndHasNoRepeats) {
  std::vector<Word> tests;
  for (Input i = 0; i < 50; ++i) tests.push_back({i});
  const auto all = tests;
  Rng rng(1);
  sample(tests, 60, rng);
  EXPECT_EQ(tests, all);
  sample(tests, 10, rng);
  ASSERT_EQ(tests.size(), 10U);
  EXPECT_TRUE(std::ranges::is_sorted(tests));
  EXPECT_EQ(std::ranges::adjacent_find(tests), tests.end());
}

TEST(PivotUse, TellsWhatDoesTheSameAndWhatDoesNothing) {
  // 0 -a-> 1 -a-> crash; b does as a; c stays where it is; d leads out of reach in state 1.
  using lsharp::Edge;
  lsharp::Machine m;
  m.pivots = m.inputs = 4;
  m.out.assign(3, {lsharp::Output::Kind::alive, 0b1111});
  const Edge crash{Edge::Kind::crash, 0, true};
  const auto to = [](std::uint32_t s) { return Edge{Edge::Kind::state, s, true}; };
  m.edges = {to(1), to(1), to(0), to(0), crash, crash, to(1), to(2), to(2), to(2), to(2), to(2)};
  const PivotUse use = pivot_use(m);
  EXPECT_EQ(use.like, (std::vector<std::uint32_t>{0, 0, 2, 3}));
  EXPECT_EQ(use.matters, (std::vector<std::uint8_t>{1, 1, 0, 1}));
  const lsharp::Machine less = without_pivots(m, {1, 0, 0, 1});
  EXPECT_EQ(less.inputs, 2U);
  EXPECT_EQ(less.edge(0, 0), to(1));
  EXPECT_EQ(less.edge(1, 1), to(2));
  EXPECT_EQ(less.out[0].enabled, 0b11U);
}

}  // namespace
}  // namespace norn
