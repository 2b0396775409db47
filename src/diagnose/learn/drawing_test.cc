// Drawings against brute force: every word up to length 6, path by path, on random machines; and with
// relaunches between the events, which a log may have. What is marked as unproven has no proven word over it.
#include "diagnose/learn/drawing.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "base/rng.h"
#include "diagnose/automaton.h"

namespace norn {
namespace {

using Text = std::vector<std::string>;
using Places = std::set<std::uint32_t>;

/// Only transitions that lead on to the final state.
void leave_out_dead_ends(std::set<Nfa::Transition>& edges, std::uint32_t final) {
  Places useful{final};
  for (std::size_t before = 0; before != useful.size();) {
    before = useful.size();
    for (const Nfa::Transition& edge : edges)
      if (useful.contains(edge.to)) useful.insert(edge.from);
  }
  std::erase_if(edges, [&](const Nfa::Transition& edge) { return !useful.contains(edge.to); });
}

/// One initial state, one final one that nothing leaves, moves among the rest, no dead ends: what learn makes.
BugAutomaton random_bug(Rng& rng) {
  BugAutomaton bug;
  const std::size_t states = 2 + rng.below(7), labels = 1 + rng.below(3);
  for (std::size_t i = 0; i < states; ++i)
    bug.nfa.states.push_back({"m" + std::to_string(i), i == 0, i + 1 == states});
  std::set<Nfa::Transition> edges;
  for (std::size_t i = 1 + rng.below(3 * states); i > 0; --i)
    edges.insert({static_cast<std::uint32_t>(rng.below(states - 1)),
                  static_cast<std::uint32_t>(rng.below(states)),
                  rng.chance(0.3) ? "" : std::to_string(1 + rng.below(labels))});
  leave_out_dead_ends(edges, static_cast<std::uint32_t>(states - 1));
  for (const Nfa::Transition& edge : edges) {
    bug.nfa.transitions.push_back(edge);
    bug.unproven.push_back(rng.chance(0.2));
  }
  return bug;
}

Places with_moves(const Nfa& nfa, Places places) {
  for (std::size_t before = 0; before != places.size();) {
    before = places.size();
    for (const Nfa::Transition& t : nfa.transitions)
      if (t.label.empty() && places.contains(t.from)) places.insert(t.to);
  }
  return places;
}

bool has_moves(const Nfa& nfa, const Places& places) {
  return std::ranges::any_of(nfa.transitions,
                             [&](const auto& t) { return t.label.empty() && places.contains(t.from); });
}

/// Whether it accepts a log: labels, and "" for a relaunch, which is a move where there is one and else may
/// lead to the start.
bool accepts_log(const Nfa& nfa, const Text& log) {
  const Places start = with_moves(nfa, {0});
  Places here = start;
  for (const std::string& event : log) {
    Places next;
    if (event.empty()) {
      next = here.empty() ? start : here;
      if (!has_moves(nfa, next)) next.insert(start.begin(), start.end());
    }
    for (const Nfa::Transition& t : nfa.transitions)
      if (!event.empty() && t.label == event && here.contains(t.from)) next.insert(t.to);
    here = with_moves(nfa, std::move(next));
  }
  return std::ranges::any_of(here, [&](std::uint32_t s) { return nfa.states[s].final; });
}

void all_logs(const std::vector<std::string>& events, std::size_t length,
              const std::function<void(const Text&)>& visit) {
  std::vector<Text> last{{}};
  visit({});
  for (std::size_t n = 1; n <= length; ++n) {
    std::vector<Text> next;
    for (const Text& log : last)
      for (const std::string& event : events) {
        next.push_back(log);
        next.back().push_back(event);
        visit(next.back());
      }
    last = std::move(next);
  }
}

TEST(Drawing, HasTheWordsOfItsMachine) {
  Rng rng(3);
  std::size_t accepted = 0, smaller = 0, larger = 0;
  for (int round = 0; round < 600; ++round) {
    const BugAutomaton bug = random_bug(rng);
    const auto drawing = drawing_of(bug);
    ASSERT_TRUE(drawing) << round << ": " << drawing.error().message();
    all_logs({"1", "2", "3"}, 6, [&](const Text& word) {
      const bool expected = accepts_log(bug.nfa, word);
      accepted += expected;
      ASSERT_EQ(accepts_log(*drawing, word), expected) << round;
    });
    smaller += drawing->states.size() < bug.nfa.states.size();
    larger += drawing->states.size() > bug.nfa.states.size();
  }
  EXPECT_GT(accepted, 10'000U);
  EXPECT_GT(smaller, 200U);
  EXPECT_EQ(larger, 0U) << "a machine is a drawing too";
}

TEST(Drawing, IsNoLargerThanTheSmallestDeterministicOneNeeds) {
  // One of two rows that look alike was touched k events ago: deterministic that is 2^k states.
  Nfa rows{{{"q0", true, false}}, {{0, 0, "1"}, {0, 0, "2"}}, {}};
  for (std::uint32_t k = 1; k <= 6; ++k) {
    rows.states.push_back({"q" + std::to_string(k), false, k == 6});
    rows.transitions.push_back({k - 1, k, "1"});
    if (k > 1) rows.transitions.push_back({k - 1, k, "2"});
  }
  EXPECT_EQ(drawing_of(rows).states.size(), 7U);
  // A menu that only Back leaves.
  const Nfa menu{
      {{"page", true, false}, {"menu"}, {"x", false, true}}, {{0, 1, ""}, {1, 0, ""}, {0, 2, "1"}}, {}};
  EXPECT_EQ(drawing_of(menu).states.size(), 2U);
  const Nfa nothing{{{"page", true, false}, {"x", false, true}}, {{0, 0, "1"}}, {}};
  EXPECT_EQ(drawing_of(nothing).states.size(), 1U);
}

TEST(Drawing, JudgesLogsWithRelaunchesAlike) {
  Rng rng(7);
  std::size_t by_relaunch = 0;
  for (int round = 0; round < 6000; ++round) {
    const BugAutomaton bug = random_bug(rng);
    const Nfa drawing = drawing_of(bug.nfa);
    const auto log = difference(bug.nfa, drawing, OnRelaunch::automatic);
    ASSERT_TRUE(log && !*log) << round;
    Nfa bare = drawing;
    std::erase_if(bare.transitions, [](const auto& t) { return t.label.empty(); });
    ASSERT_FALSE(*difference(bug.nfa, bare)) << round << ": loops of epsilon change no word";
    by_relaunch += difference(bug.nfa, bare, OnRelaunch::automatic)->has_value();
  }
  EXPECT_GT(by_relaunch, 50U) << "but what a relaunch does";
}

/// Whether some way of the drawing over this transition has the word.
bool goes_over(const Nfa& nfa, std::size_t transition, const Text& word) {
  std::set<std::pair<std::uint32_t, bool>> here{{0, false}};
  for (const std::string& label : word) {
    std::set<std::pair<std::uint32_t, bool>> next;
    for (std::size_t t = 0; t < nfa.transitions.size(); ++t)
      for (const auto& [state, over] : here)
        if (nfa.transitions[t].from == state && nfa.transitions[t].label == label)
          next.emplace(nfa.transitions[t].to, over || t == transition);
    here = std::move(next);
  }
  return std::ranges::any_of(here, [&](const auto& at) { return at.second && nfa.states[at.first].final; });
}

TEST(Drawing, MarksWhatNoProvenWayGoesOver) {
  Rng rng(5);
  std::size_t marked = 0, shown = 0, open = 0;
  for (int round = 0; round < 300; ++round) {
    const BugAutomaton bug = random_bug(rng);
    Nfa proven = bug.nfa;
    proven.transitions.clear();
    for (std::size_t t = 0; t < bug.nfa.transitions.size(); ++t)
      if (bug.unproven[t] == 0) proven.transitions.push_back(bug.nfa.transitions[t]);
    const auto drawing = drawing_of(bug);
    ASSERT_TRUE(drawing);
    for (std::size_t t = 0; t < drawing->transitions.size(); ++t) {
      const Nfa::Transition& edge = drawing->transitions[t];
      if (edge.label.empty()) continue;
      const std::string note = "unproven: " + drawing->states[edge.from].name + " -" + edge.label + "-> " +
                               drawing->states[edge.to].name;
      const bool is_marked = std::ranges::find(drawing->notes, note) != drawing->notes.end();
      bool is_proven = false;
      all_logs({"1", "2", "3"}, 5, [&](const Text& word) {
        is_proven = is_proven || (goes_over(*drawing, t, word) && accepts_log(proven, word));
      });
      EXPECT_FALSE(is_marked && is_proven) << round << ": " << note;
      marked += is_marked, shown += !is_marked && is_proven, open += !is_marked && !is_proven;
    }
  }
  EXPECT_GT(marked, 50U);
  EXPECT_GT(shown, 200U);
  EXPECT_LT(10 * open, shown) << "whose proven words are longer than those tried";
}

TEST(Difference, IsAShortestWord) {
  const Nfa one{{{"a", true, false}, {"x", false, true}}, {{0, 0, "1"}, {0, 1, "2"}}, {}};
  Nfa two = one;
  EXPECT_FALSE(*difference(one, two));
  two.states.push_back({"b"});
  two.transitions = {{0, 2, "1"}, {0, 1, "2"}, {2, 1, "2"}};
  EXPECT_EQ(**difference(one, two), (Text{"1", "1", "2"}));
  two.transitions.push_back({0, 1, "3"});
  EXPECT_EQ(**difference(one, two), Text{"3"});
  EXPECT_FALSE(difference(one, two, {}, {.labels = 1}));
}

}  // namespace
}  // namespace norn
