// The construction against a brute force that knows nothing of sets: a word is accepted iff some path through
// the Nfa reads it, searched path by path.
#include "diagnose/automaton.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>
#include <set>

#include "base/rng.h"

namespace norn {
namespace {

Nfa random_nfa(Rng& rng) {
  Nfa nfa;
  const std::size_t states = 1 + rng.below(6), labels = 1 + rng.below(3);
  for (std::size_t i = 0; i < states; ++i)
    nfa.states.push_back({"q" + std::to_string(i), rng.chance(i == 0 ? 0.9 : 0.15), rng.chance(0.3)});
  for (std::size_t i = rng.below(states * 3 + 1); i > 0; --i)
    nfa.transitions.push_back(
        {static_cast<std::uint32_t>(rng.below(states)), static_cast<std::uint32_t>(rng.below(states)),
         rng.chance(0.25) ? "" : std::string(1, static_cast<char>('a' + rng.below(labels)))});
  return nfa;
}

/// Depth-first over (state, letters read), with the visited ones remembered.
bool accepts_by_search(const Nfa& nfa, const std::vector<std::string>& word) {
  std::set<std::pair<std::uint32_t, std::size_t>> seen;
  std::vector<std::pair<std::uint32_t, std::size_t>> todo;
  for (std::uint32_t i = 0; i < nfa.states.size(); ++i)
    if (nfa.states[i].initial) todo.emplace_back(i, 0);
  while (!todo.empty()) {
    const auto [state, read] = todo.back();
    todo.pop_back();
    if (!seen.insert({state, read}).second) continue;
    if (read == word.size() && nfa.states[state].final) return true;
    for (const Nfa::Transition& t : nfa.transitions) {
      if (t.from != state) continue;
      if (t.label.empty()) todo.emplace_back(t.to, read);
      if (read < word.size() && t.label == word[read]) todo.emplace_back(t.to, read + 1);
    }
  }
  return false;
}

/// Calls `visit` with every word over `labels` letters up to `length`.
void all_words(std::size_t labels, std::size_t length,
               const std::function<void(const std::vector<Label>&)>& visit) {
  std::vector<Label> word;
  visit(word);
  if (labels == 0) return;
  for (std::size_t n = 1; n <= length; ++n) {
    word.assign(n, 0);
    for (bool more = true; more;) {
      visit(word);
      more = false;
      for (std::size_t i = n; i-- > 0 && !more;) {
        more = ++word[i] < labels;
        if (!more) word[i] = 0;
      }
    }
  }
}

std::vector<std::string> spelled(const std::vector<Label>& word, const std::vector<std::string>& labels) {
  std::vector<std::string> out;
  for (const Label a : word) out.push_back(labels[a]);
  return out;
}

/// Two states of a Dfa differ iff some word of at most size() letters tells them apart: the table-filling
/// way.
bool every_two_states_differ(const Dfa& dfa) {
  const std::size_t n = dfa.size();
  std::vector<std::vector<bool>> apart(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) apart[i][j] = dfa.final[i] != dfa.final[j];
  for (bool changed = true; changed;) {
    changed = false;
    for (DfaState i = 0; i < n; ++i)
      for (DfaState j = 0; j < n; ++j)
        for (Label a = 0; a < dfa.labels.size() && !apart[i][j]; ++a)
          if (apart[dfa.step(i, a)][dfa.step(j, a)]) changed = apart[i][j] = true;
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!apart[i][j]) return false;
  return true;
}

TEST(Automaton, AllWordsUpToSixOnRandomAutomata) {
  Rng rng(11);
  std::size_t accepted = 0, rejected = 0;
  for (int round = 0; round < 4000; ++round) {
    const Nfa nfa = random_nfa(rng);
    const auto dfa = determinise(nfa);
    ASSERT_TRUE(dfa);
    const Dfa small = minimise(*dfa);
    const auto plain = determinise(without_epsilon(nfa));
    ASSERT_TRUE(plain);
    ASSERT_TRUE(every_two_states_differ(small)) << "round " << round;
    ASSERT_LE(small.size(), dfa->size());
    std::optional<std::size_t> shortest;
    all_words(dfa->labels.size(), 6, [&](const std::vector<Label>& word) {
      const bool expected = accepts_by_search(nfa, spelled(word, dfa->labels));
      ASSERT_EQ(dfa->accepts(word), expected) << "round " << round;
      ASSERT_EQ(small.accepts(word), expected) << "round " << round;
      ASSERT_TRUE(plain->labels != dfa->labels || plain->accepts(word) == expected) << "round " << round;
      ++(expected ? accepted : rejected);
      if (expected && !shortest) shortest = word.size();
    });
    const auto distance = distances(*dfa)[dfa->start];
    ASSERT_TRUE(!shortest || distance == shortest);
    ASSERT_TRUE(!distance || *distance > 6 || shortest == distance);
    ASSERT_EQ(distances(small)[small.start], distance);
  }
  EXPECT_GT(accepted, 50'000U);
  EXPECT_GT(rejected, 50'000U);
}

TEST(Automaton, PairsAreThoseOfAcceptedWords) {
  Rng rng(12);
  for (int round = 0; round < 400; ++round) {
    const Nfa nfa = random_nfa(rng);
    const auto dfa = determinise(nfa);
    ASSERT_TRUE(dfa);
    if (dfa->labels.size() > 2 || dfa->size() > 4) continue;  // words of length 8 are then enough
    std::set<std::pair<Label, Label>> seen;
    all_words(dfa->labels.size(), 9, [&](const std::vector<Label>& word) {
      if (!dfa->accepts(word)) return;
      for (std::size_t i = 1; i < word.size(); ++i) seen.insert({word[i - 1], word[i]});
    });
    const auto pairs = adjacent_pairs(*dfa);
    EXPECT_EQ(std::vector(seen.begin(), seen.end()), pairs) << "round " << round;
    EXPECT_EQ(adjacent_pairs(minimise(*dfa)), pairs);
  }
}

TEST(Automaton, EveryStateButTheDeadOneIsLive) {
  Rng rng(13);
  for (int round = 0; round < 1000; ++round) {
    const auto dfa = determinise(random_nfa(rng));
    ASSERT_TRUE(dfa);
    const auto distance = distances(*dfa);
    EXPECT_FALSE(distance[dead]);
    for (DfaState s = 1; s < dfa->size(); ++s) {
      ASSERT_TRUE(distance[s]);
      const auto word = shortest_word(*dfa, s);
      ASSERT_TRUE(word);
      EXPECT_EQ(word->size(), *distance[s]);
      DfaState end = s;
      for (const Label a : *word) end = dfa->step(end, a);
      EXPECT_TRUE(dfa->final[end]);
      const auto way = shortest_word_to(*dfa, s);
      ASSERT_TRUE(way) << "unreachable state";
      end = dfa->start;
      for (const Label a : *way) end = dfa->step(end, a);
      EXPECT_EQ(end, s);
    }
  }
}

TEST(Automaton, RelaunchLeadsWhereTheRuleSays) {
  // 0 -1-> 1 -2-> 2 -3-> 3(final), epsilon from 2 to 1
  const Nfa nfa{{{"s0", true, false}, {"s1"}, {"s2"}, {"s3", false, true}},
                {{0, 1, "1"}, {1, 2, "2"}, {2, 3, "3"}, {2, 1, ""}},
                {}};
  const auto at = [&](OnRelaunch restart, const std::vector<Label>& before) {
    const auto all = determinise(nfa, restart).value();
    DfaState s = all.dfa.start;
    for (const Label a : before) s = all.dfa.step(s, a);
    return std::pair(all.dfa.members[all.relaunch[s]], all.widened[s] != 0);
  };
  using Set = std::vector<std::uint32_t>;
  EXPECT_EQ(at(OnRelaunch::reset, {0}), std::pair(Set{0}, false));
  EXPECT_EQ(at(OnRelaunch::keep, {0}), std::pair(Set{1}, false));
  EXPECT_EQ(at(OnRelaunch::join, {0}), std::pair(Set({0, 1}), true));
  EXPECT_EQ(at(OnRelaunch::automatic, {0}), std::pair(Set({0, 1}), true));
  EXPECT_EQ(at(OnRelaunch::automatic, {0, 1}),
            std::pair(Set({1, 2}), false));  // the epsilon move is the relaunch
  EXPECT_EQ(at(OnRelaunch::join, {0, 1}), std::pair(Set({0, 1, 2}), true));
}

TEST(Automaton, LabelsStandInNaturalOrder) {
  Nfa nfa{{{"q", true, true}}, {}, {}};
  for (const char* label : {"b", "10", "2", "a", "1", ""}) nfa.transitions.push_back({0, 0, label});
  EXPECT_EQ(labels_of(nfa), (std::vector<std::string>{"1", "2", "10", "a", "b"}));
}

TEST(Automaton, RefusesToExplode) {
  // "the 30th letter from the end is an a": 2^30 sets.
  Nfa nfa{{{"q", true, false}}, {{0, 0, "a"}, {0, 0, "b"}, {0, 1, "a"}}, {}};
  for (std::uint32_t i = 1; i <= 30; ++i) {
    nfa.states.push_back({"q", false, i == 30});
    if (i < 30) nfa.transitions.insert(nfa.transitions.end(), {{i, i + 1, "a"}, {i, i + 1, "b"}});
  }
  const auto dfa = determinise(nfa, DfaLimits{.cells = 10'000});
  ASSERT_FALSE(dfa);
  EXPECT_NE(dfa.error().what.find("states"), std::string::npos);
}

TEST(Automaton, ALongChainIsQuick) {
  Nfa nfa;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    nfa.states.push_back({"q", i == 0, i == 99'999});
    if (i > 0) nfa.transitions.push_back({i - 1, i, i % 2 ? "a" : "b"});
  }
  const auto dfa = determinise(nfa);
  ASSERT_TRUE(dfa);
  EXPECT_EQ(dfa->live(), 100'000U);
  EXPECT_EQ(distances(*dfa)[dfa->start], 99'999U);
  EXPECT_EQ(minimise(*dfa).live(), 100'000U);
}

}  // namespace
}  // namespace norn
