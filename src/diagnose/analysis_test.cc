#include "diagnose/analysis.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "diagnose/learn/testing.h"
#include "diagnose/reference.h"

namespace norn {
namespace {

std::vector<RunResult> analyse(const Bug& bug, const std::vector<Label>& codes) {
  Analyser analyser(bug);
  analyser.feed({codes, {}});
  return analyser.finish();
}
RunResult run_of(const Bug& bug, std::string_view labels) {
  std::vector<Label> codes;
  for (const char c : labels) {
    if (c == '!')
      codes.push_back(signal::crash);
    else if (c == 'r')
      codes.push_back(signal::relaunch);
    else if (c == 'c')
      codes.push_back(signal::clean_start);
    else
      codes.push_back(bug.dfa.find(std::string_view(&c, 1)).value_or(signal::unknown));
  }
  return analyse(bug, codes).at(0);
}
std::string name(const Bug& bug, std::optional<Label> label) {
  return label ? bug.dfa.labels[*label] : "none";
}

TEST(Analysis, ThePapersExampleByHand) {
  const Bug bug = make_bug("notes", testing::scarlet()).value();
  EXPECT_EQ(bug.start_distance(), 5U);
  EXPECT_EQ(bug.labels(), 5U);

  const RunResult two = run_of(bug, "1212");  // only creates and opens notebooks
  EXPECT_EQ(two.ec, 2U);
  EXPECT_EQ(two.md, 3U);
  EXPECT_EQ(name(bug, two.first_missed), "3");
  EXPECT_FALSE(two.found);

  const RunResult all = run_of(bug,
                               "1"
                               "25"
                               "3423"
                               "4");  // leaves the notebook, but never with Locked chosen
  EXPECT_EQ(all.ec, 5U);
  EXPECT_EQ(all.md, 1U);
  EXPECT_EQ(name(bug, all.first_missed), "5");
  const std::size_t k = bug.labels();
  EXPECT_EQ(all.pair_counts[3 * k + 4], 0U);  // (4,5) is the missed pair
  EXPECT_EQ(all.pair_counts[2 * k + 3], 2U);  // (3,4) ran twice

  const RunResult found = run_of(bug, "12345!");
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.md, 0U);
  EXPECT_EQ(found.found_at, 5U);
  EXPECT_EQ(name(bug, found.first_missed), "none");
  EXPECT_EQ(found.ec, 5U);
}

TEST(Analysis, TheSimpleAnalysesBlameTheFirstDifference) {
  const Bug bug = make_bug("notes", testing::scarlet()).value();
  const RunResult run = run_of(bug, "1125");
  ASSERT_TRUE(run.simple_tc);  // 1 2 ... was expected, the second event was 1
  EXPECT_EQ(run.simple_tc->at, 1U);
  EXPECT_EQ(name(bug, run.simple_tc->seen), "1");
  EXPECT_EQ(name(bug, run.simple_tc->expected), "2");
  EXPECT_FALSE(run.simple_rv);  // the automaton takes all of it
  const RunResult dies = run_of(bug, "124");
  ASSERT_TRUE(dies.simple_rv);
  EXPECT_EQ(dies.simple_rv->at, 2U);
  EXPECT_EQ(name(bug, dies.simple_rv->seen), "4");
  EXPECT_EQ(name(bug, dies.simple_rv->expected), "3");
  EXPECT_EQ(run_of(bug, "12").simple_tc->seen, std::nullopt);
  EXPECT_FALSE(run_of(bug, "12345").simple_tc);
}

TEST(Analysis, PairsAfterAResetAreForgottenByDdroidsRulesOnly) {
  // 1 2 is the bug; 2 1 is an adjacent pair through the loop on 0.
  const Nfa nfa{{{"a", true, false}, {"b"}, {"c", false, true}}, {{0, 1, "1"}, {1, 2, "2"}, {0, 0, "2"}}, {}};
  const Bug norn = make_bug("x", nfa).value(),
            ddroid = make_bug("x", nfa, {.rules = Semantics::ddroid, .restart = {}}).value();
  EXPECT_EQ(run_of(norn, "11").pair_counts[0], 1U);  // by the log
  EXPECT_EQ(run_of(ddroid, "11").pair_counts[0],
            0U);  // the second 1 died, was fed again, and begins a new pair
  EXPECT_EQ(run_of(ddroid, "11").event_counts[0], 2U);
  EXPECT_EQ(run_of(norn, "122").pair_counts[3], 1U);    // (2,2)
  EXPECT_EQ(run_of(ddroid, "122").pair_counts[3], 0U);  // the crash was reached in between
  EXPECT_EQ(run_of(ddroid, "112").pair_counts[1], 1U);
}

TEST(Analysis, RelaunchKeepsWhatMayStillHold) {
  const Nfa chain{
      {{"a", true, false}, {"b"}, {"c"}, {"d", false, true}}, {{0, 1, "1"}, {1, 2, "2"}, {2, 3, "3"}}, {}};
  const auto md = [&](OnRelaunch restart, std::string_view log) {
    const Bug bug = make_bug("x", chain, {.rules = Semantics::norn, .restart = restart}).value();
    const RunResult run = run_of(bug, log);
    return std::pair(*run.md, run.md_after_relaunch);
  };
  EXPECT_EQ(md(OnRelaunch::automatic, "1r2"), std::pair(1U, true));
  EXPECT_EQ(md(OnRelaunch::join, "1r2"), std::pair(1U, true));
  EXPECT_EQ(md(OnRelaunch::keep, "1r2"), std::pair(1U, false));
  EXPECT_EQ(md(OnRelaunch::reset, "1r2"), std::pair(2U, false));
  EXPECT_EQ(md(OnRelaunch::automatic, "1r212"), std::pair(1U, false));  // and again without a relaunch
  EXPECT_EQ(md(OnRelaunch::automatic, "1c2"), std::pair(2U, false));
}

TEST(Analysis, FirstMissedEventBreaksTiesInTraceOrder) {
  // From a, both 2 and 1 lead one nearer; the trace (least labels first) goes by 1.
  const Nfa nfa{{{"a", true, false}, {"b"}, {"c", false, true}}, {{0, 1, "2"}, {0, 1, "1"}, {1, 2, "3"}}, {}};
  const Bug bug = make_bug("x", nfa).value();
  EXPECT_EQ(name(bug, run_of(bug, "").first_missed), "1");
}

TEST(Analysis, AnAutomatonThatAcceptsNothingMatchesNothing) {
  for (const Nfa& nfa :
       {Nfa{}, Nfa{{{"a", true, false}}, {{0, 0, "1"}}, {}}, Nfa{{{"a", false, true}}, {{0, 0, "1"}}, {}}}) {
    const Bug bug = make_bug("x", nfa).value();
    const RunResult run = run_of(bug, "1r1c1!");
    EXPECT_FALSE(run.md);
    EXPECT_FALSE(bug.start_distance());
    EXPECT_TRUE(run.found);
    EXPECT_EQ(run.ec, bug.labels());
  }
}

TEST(Analysis, TooManyUnionsAreSaidAndNotMade) {
  // Two permutations of forty states: unions grow to any set of them.
  Nfa nfa;
  for (std::uint32_t i = 0; i < 40; ++i) {
    nfa.states.push_back({"q", i == 0, i == 39});
    nfa.transitions.push_back({i, (i + 1) % 40, "a"});
    nfa.transitions.push_back({i, (i * 7 + 3) % 40, "b"});
  }
  const Bug bug = make_bug("x", nfa).value();
  EXPECT_EQ(bug.dfa.live(), reference::live_sets(nfa).size());
  ASSERT_EQ(bug.remarks.size(), 1U);
  EXPECT_NE(bug.remarks[0].find("--restart keep"), std::string::npos);
  EXPECT_FALSE(run_of(bug, "arb").md_after_relaunch);
}

TEST(Analysis, RunsInOneLogAreApart) {
  const Bug bug = make_bug("notes", testing::scarlet()).value();
  const auto runs = analyse(bug, {0, 1, signal::next_run, 0, signal::crash, signal::next_run});
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].md, 3U);
  EXPECT_EQ(runs[1].md, 4U);
  EXPECT_TRUE(runs[1].found);
  EXPECT_EQ(runs[2].events, 0U);
  EXPECT_EQ(runs[2].md, 5U);
  const RunResult all = unite(bug, {&runs[0], &runs[1], &runs[2]});
  EXPECT_EQ(all.md, 3U);
  EXPECT_TRUE(all.found);
  EXPECT_EQ(all.events, 3U);
  EXPECT_EQ(all.event_counts[0], 2U);
  EXPECT_EQ(all.runs, 3U);
}

// The table against the rules told word for word, on thousands of random automata and logs.
TEST(Analysis, AgreesWithTheReference) {
  Rng rng(21);
  std::size_t marked = 0, zero = 0;
  for (int round = 0; round < 12000; ++round) {
    Nfa nfa;
    const std::size_t states = 1 + rng.below(5), labels = 1 + rng.below(4);
    for (std::size_t i = 0; i < states; ++i)
      nfa.states.push_back({"q", rng.chance(i == 0 ? 0.95 : 0.1), rng.chance(i + 1 == states ? 0.9 : 0.1)});
    for (std::size_t i = rng.below(states * 3 + 1); i > 0; --i)
      nfa.transitions.push_back({static_cast<std::uint32_t>(rng.below(states)),
                                 static_cast<std::uint32_t>(rng.below(states)),
                                 rng.chance(0.1) ? "" : std::to_string(rng.below(labels))});
    for (std::uint32_t i = 1; round % 2 == 0 && i < states; ++i)  // half of them can crash by a chain
      nfa.transitions.push_back({i - 1, i, std::to_string(rng.below(labels))});
    const MatchOptions options{rng.chance(0.3) ? Semantics::ddroid : Semantics::norn,
                               static_cast<OnRelaunch>(rng.below(4))};
    const Bug bug = make_bug("x", nfa, options).value();
    std::vector<Label> codes;
    for (std::size_t i = rng.below(30); i > 0; --i) {
      constexpr Label signals[] = {signal::relaunch, signal::clean_start, signal::crash, signal::unknown};
      codes.push_back(rng.chance(0.15) ? signals[rng.below(4)]
                                       : static_cast<Label>(rng.below(bug.labels() + 1)));
      if (codes.back() == bug.labels()) codes.back() = signal::relaunch;
    }
    const RunResult run = analyse(bug, codes).at(0);
    const auto expected = reference::match(nfa, bug.dfa.labels, options, codes);
    ASSERT_EQ(run.ec, expected.events.size()) << "round " << round;
    ASSERT_EQ(run.epc, expected.pairs.size()) << "round " << round;
    for (const auto& [pair, count] : expected.pairs)
      ASSERT_EQ(run.pair_counts[*bug.dfa.find(pair.first) * bug.labels() + *bug.dfa.find(pair.second)], count)
          << round;
    ASSERT_EQ(run.md, expected.md) << "round " << round;
    ASSERT_EQ(run.md_after_relaunch, expected.md && expected.marked) << "round " << round;
    ASSERT_EQ(run.first_missed.has_value(), run.md.value_or(0) > 0) << "round " << round;
    marked += run.md_after_relaunch;
    zero += run.md == 0U;
    ASSERT_EQ(bug.dfa.live(), reference::live_sets(nfa).size());
    ASSERT_EQ(bug.pairs.size(), reference::pairs(nfa).size());
    ASSERT_EQ(bug.start_distance(), reference::distance(nfa, reference::initial(nfa)));
  }
  EXPECT_GT(marked, 20U);
  EXPECT_GT(zero, 200U);
}

TEST(Analysis, BatchesMayBeCutAnywhere) {
  const Bug bug = make_bug("notes", testing::scarlet()).value();
  Rng rng(22);
  std::vector<Label> codes;
  for (int i = 0; i < 2000; ++i)
    codes.push_back(rng.chance(0.01) ? signal::relaunch : static_cast<Label>(rng.below(5)));
  const RunResult whole = analyse(bug, codes).at(0);
  Analyser pieces(bug);
  for (std::size_t at = 0; at < codes.size();) {
    const std::size_t n = std::min(codes.size() - at, rng.below(40));
    pieces.feed({std::span(codes).subspan(at, n), {}});
    at += n;
  }
  const RunResult cut = pieces.finish().at(0);
  EXPECT_EQ(cut.moves, whole.moves);
  EXPECT_EQ(cut.pair_counts, whole.pair_counts);
  EXPECT_EQ(cut.md, whole.md);
  EXPECT_EQ(cut.simple_tc->at, whole.simple_tc->at);
  ASSERT_EQ(cut.reached.size(), whole.reached.size());
  for (std::size_t i = 0; i < cut.reached.size(); ++i) EXPECT_EQ(cut.reached[i].at, whole.reached[i].at);
}

TEST(Analysis, StatesReachedOverTimeCarryTheirTimes) {
  const Bug bug = make_bug("notes", testing::scarlet()).value();
  Analyser analyser(bug);
  const std::vector<Label> codes{0, 0, 1};
  const std::vector<double> seconds{1.5, 2, 9};
  analyser.feed({codes, seconds});
  const RunResult run = analyser.finish().at(0);
  ASSERT_EQ(run.reached.size(), 3U);
  EXPECT_EQ(run.reached[1].at, 1U);
  EXPECT_EQ(run.reached[1].seconds, 1.5);
  EXPECT_EQ(run.reached[2].at, 3U);
  EXPECT_EQ(run.reached[2].seconds, 9);
  EXPECT_EQ(visits(bug, run)[bug.plain(run.reached[1].state)], 2U);
}

TEST(Analysis, GuardsAreMatchedAndNotCounted) {
  // 1 then 2 crashes; g between them prevents it until h.
  const Nfa nfa{{{"0", true, false}, {"1"}, {"2"}, {"x", false, true}},
                {{0, 1, "1"}, {1, 3, "2"}, {1, 2, "g"}, {2, 1, "h"}, {2, 2, "2"}},
                {}};
  const Bug bug = make_bug("guarded", nfa, {}, {"g", "h"}).value();
  EXPECT_EQ(bug.pivots(), 2U);
  EXPECT_EQ(bug.pairs.size(), 2U) << "1 2, and 2 2 over g";
  const RunResult prevented = run_of(bug, "1g2");
  EXPECT_EQ(prevented.ec, 2U);
  EXPECT_EQ(prevented.epc, 1U);
  EXPECT_EQ(prevented.md, 1U) << "the run stands behind the guard: h, or 1 again";
  EXPECT_EQ(run_of(bug, "1g22").epc, 2U);
  EXPECT_EQ(run_of(bug, "gh").ec, 0U);
  for (DfaState s = 1; s < bug.states(); ++s)
    if (bug.walk.dfa.members[s] == std::vector<std::uint32_t>{2}) {
      EXPECT_EQ(bug.distance[s], 1U) << "h is no pivot event";
      EXPECT_TRUE(bug.leads_on(s, *bug.dfa.find("h")));
      EXPECT_FALSE(bug.leads_on(s, *bug.dfa.find("2")));
    }
}

/// The other way: the same automaton with guards as epsilon, and a log without them.
TEST(Analysis, FiguresAreThoseOfTheLanguageWithoutGuards) {
  Rng rng(11);
  for (int round = 0; round < 500; ++round) {
    Nfa nfa;
    const std::size_t n = 3 + rng.below(4);
    for (std::size_t s = 0; s < n; ++s) nfa.states.push_back({std::to_string(s), s == 0, s + 1 == n});
    for (std::size_t t = 0; t < 2 * n; ++t)
      nfa.transitions.push_back({static_cast<std::uint32_t>(rng.below(n)),
                                 static_cast<std::uint32_t>(rng.below(n)),
                                 std::string(1, "12g"[rng.below(3)])});
    Nfa plain = nfa;
    for (auto& t : plain.transitions)
      if (t.label == "g") t.label.clear();
    const Bug guarded = make_bug("a", nfa, {}, {"g"}).value(), without = make_bug("b", plain).value();
    if (guarded.pivots() != without.labels()) continue;  // a label that only leads nowhere
    std::string log, bare;
    for (int k = 0; k < 20; ++k) {
      log += "12g"[rng.below(3)];
      if (log.back() != 'g') bare += log.back();
    }
    const RunResult a = run_of(guarded, log), b = run_of(without, bare);
    EXPECT_EQ(a.ec, b.ec) << log;
    EXPECT_EQ(a.epc, b.epc) << log;
    EXPECT_EQ(guarded.pairs.size(), without.pairs.size());
    const bool crashes = std::ranges::any_of(
        nfa.transitions, [&](const auto& t) { return t.label == "g" && t.to + 1 == n && t.from + 1 != n; });
    if (!crashes) {
      EXPECT_EQ(guarded.start_distance(), without.start_distance()) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace norn
