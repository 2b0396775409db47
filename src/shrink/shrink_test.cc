// What every reducer promises, checked against brute force over all subsets; hand-worked counts; the memory.
#include "shrink/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "shrink/fakes.h"
#include "shrink/level.h"

namespace norn {
namespace {

/// A random yes/no for every subset of `size` things; the whole set works, the empty set does not.
struct Predicate {
  std::uint32_t size;
  std::vector<bool> works;
  bool operator()(Bits set) const { return works[set]; }
};

Predicate random_predicate(Rng& rng, bool monotone) {
  std::uint32_t size = 1 + static_cast<std::uint32_t>(rng.below(12));
  Predicate p{size, std::vector<bool>(std::size_t{1} << size)};
  if (monotone) {
    std::vector<Bits> clauses(1 + rng.below(3));
    for (Bits& c : clauses) c = (rng.next() & rng.next() & all_bits(size)) | Bits{1} << rng.below(size);
    for (Bits s = 1; s < p.works.size(); ++s)
      for (Bits c : clauses) p.works[s] = p.works[s] || (s & c) == c;
  } else {
    double share = rng.unit();
    for (Bits s = 1; s < p.works.size(); ++s) p.works[s] = rng.chance(share);
  }
  p.works[all_bits(size)] = true;
  return p;
}

Problem random_problem(Rng& rng, std::uint32_t size) {
  Problem problem{size, std::vector<StateId>(size)};
  std::size_t kinds = 1 + rng.below(5);
  for (StateId& s : problem.states) s = {rng.below(kinds)};
  return problem;
}

bool truly_one_minimal(const Predicate& p, Bits kept) {
  for (Bits rest = kept; rest != 0; rest &= rest - 1)
    if (p(kept & ~(rest & -rest))) return false;
  return true;
}

TEST(Shrink, ReturnsOnlyWhatWasConfirmedOnRandomPredicates) {
  Rng rng(3);
  for (int round = 0; round < 4000; ++round) {
    Predicate p = random_predicate(rng, round % 2 == 0);
    Problem problem = random_problem(rng, p.size);
    for (const std::string& name : algorithm_names()) {
      Fake fake(p);
      std::size_t favour = rng.below(4);
      fake.arrives = [&](Bits s, StateId state) {
        return (s ^ state.value) % 4 <= favour ? Verdict::yes : Verdict::no;
      };
      Remembering question(fake);
      Shrunk shrunk = (*algorithm_by_name(name))(problem, question);
      Bits kept = bits(shrunk.kept);
      ASSERT_TRUE(p(kept)) << name;
      ASSERT_EQ(shrunk.confirmed, fake.confirmed.contains(kept)) << name;
      ASSERT_TRUE(shrunk.confirmed || kept == all_bits(p.size)) << name;
      ASSERT_TRUE(fake.hashes_right) << name;
      ASSERT_FALSE(shrunk.stopped);
      ASSERT_TRUE(!(shrunk.one_minimal) || truly_one_minimal(p, kept)) << name;
      ASSERT_TRUE(!(name == "dd") || truly_one_minimal(p, kept));
      ASSERT_TRUE(!(name == "dd" && shrunk.kept.size() > 1) || shrunk.one_minimal);
      ASSERT_EQ(std::set<Bits>(fake.asked.begin(), fake.asked.end()).size(), fake.asked.size())
          << name << " asked something twice";

      Shrunk minimal = minimal_pass(shrunk.kept, question);
      ASSERT_TRUE(minimal.one_minimal && truly_one_minimal(p, bits(minimal.kept))) << name;
      ASSERT_EQ(minimal.without, std::vector<Verdict>(minimal.kept.size(), Verdict::no));
    }
  }
}

TEST(Shrink, MonotoneResultsOfDdAndProbddAreOneMinimal) {
  Rng rng(5);
  for (int round = 0; round < 500; ++round) {
    Predicate p = random_predicate(rng, true);
    for (Algorithm algorithm : {dd, probdd, cdd}) {
      Fake fake(p);
      ASSERT_TRUE(truly_one_minimal(p, bits(algorithm({p.size, {}}, fake).kept)));
    }
  }
}

TEST(Shrink, UnresolvedAnswersNeverGiveAWrongResult) {
  Rng rng(8);
  for (int round = 0; round < 1500; ++round) {
    Predicate p = random_predicate(rng, round % 2 == 0);
    Problem problem = random_problem(rng, p.size);
    for (const std::string& name : algorithm_names()) {
      Fake fake(p);
      fake.spoil = rng.unit();
      fake.rng = Rng(rng.next());
      fake.arrives = [&](Bits s, StateId) { return static_cast<Verdict>(s % 3); };
      Remembering question(fake);
      Shrunk shrunk = (*algorithm_by_name(name))(problem, question);
      ASSERT_TRUE(p(bits(shrunk.kept))) << name;
      ASSERT_TRUE(!(shrunk.one_minimal) || truly_one_minimal(p, bits(shrunk.kept))) << name;
      Shrunk minimal = minimal_pass(shrunk.kept, question);
      ASSERT_TRUE(p(bits(minimal.kept)));
      ASSERT_TRUE(!(minimal.one_minimal) || truly_one_minimal(p, bits(minimal.kept)));
    }
  }
}

TEST(Shrink, StoppedAnywhereGivesTheBestConfirmed) {
  Rng rng(9);
  for (int round = 0; round < 60; ++round) {
    Predicate p = random_predicate(rng, round % 2 == 0);
    Problem problem = random_problem(rng, p.size);
    for (const std::string& name : algorithm_names()) {
      std::size_t total = 1;
      for (std::size_t stop = 0; stop <= total; ++stop) {
        Fake fake(p);
        fake.arrives = [](Bits, StateId) { return Verdict::yes; };
        if (stop < total) fake.stop_after = stop;
        Remembering question(fake);
        Shrunk shrunk = (*algorithm_by_name(name))(problem, question);
        if (stop == 0) {
          Fake whole(p);
          whole.arrives = fake.arrives;
          Remembering memory(whole);
          (*algorithm_by_name(name))(problem, memory);
          total = whole.asked.size();
        }
        ASSERT_LE(fake.asked.size(), stop < total ? stop : total) << name;
        ASSERT_EQ(shrunk.stopped, fake.stopped()) << name;
        Bits best = all_bits(p.size);
        for (Bits c : fake.confirmed)
          if (std::popcount(c) < std::popcount(best)) best = c;
        ASSERT_TRUE(p(bits(shrunk.kept))) << name;
        ASSERT_EQ(std::popcount(best), std::popcount(bits(shrunk.kept))) << name << " stopped after " << stop;
      }
    }
  }
}

/// Which sets were run, as lists of positions: "01 23 0 1".
std::string questions(const Fake& fake) {
  std::string text;
  for (Bits set : fake.asked) {
    if (!text.empty()) text += ' ';
    if (set == 0) text += '-';
    for (int i = 0; i < 64; ++i)
      if ((set >> i & 1) != 0) text += static_cast<char>('0' + i);
  }
  return text;
}

std::string run(Algorithm algorithm, const std::string& states, Bits need,
                std::function<Verdict(Bits, StateId)> arrives = {}) {
  Problem problem{static_cast<std::uint32_t>(states.size()), {}};
  for (char c : states) problem.states.push_back({static_cast<std::uint64_t>(c)});
  Fake fake([need](Bits set) { return (set & need) == need; });
  fake.arrives = std::move(arrives);
  Remembering question(fake);
  algorithm(problem, question);
  return questions(fake);
}

TEST(Shrink, DdByHand) {
  // 8 things, 2 and 7 needed. Halves fail; quarters 01 23 45 67 fail; without 01 works (n 3): its chunks are
  // remembered as a no, and so is 4567, without 23; without 45 works (n 2): halves remembered, so n 4: 2, 3,
  // 6, 7 fail, without 2 fails, without 3 works (n 3): 2, 6, 7 and 67 are remembered; without 6 works: 27.
  EXPECT_EQ(run(dd, "AAAAAAAA", 0x84), "0123 4567 01 23 45 67 234567 2367 2 3 6 7 367 267 27");
  EXPECT_EQ(run(dd, "A", 1), "");
  EXPECT_EQ(run(dd, "AA", 2), "0 1");
}

TEST(Shrink, HddByHand) {
  // 0 1(2(3) 4) 5(6): level 0 1 5, level below.
  // n 2: chunks [0] [1 5]: the last alone works. n 2: [1] [5]: 5 with its subtree works. Level {6}: one node.
  EXPECT_EQ(run(hdd, "AABCBAB", 0x60), "123456 56");
  // 4 is needed too: [1] [5]: 5 alone fails, n is the level's size: stop. Level 2 4 6: [2] [4 6] works,
  // [4] [6]: 6 alone fails.
  EXPECT_EQ(run(hdd, "AABCBAB", 0x70), "123456 56 1456 156");
  // bhdd weighs 0, 1, 5 as 1, 4, 2: [0 1] [5].
  EXPECT_EQ(run(bhdd, "AABCBAB", 0x60), "56");
}

TEST(Shrink, LhddByHand) {
  auto always = [](Bits, StateId) { return Verdict::yes; };
  // Local: 5 alone arrives where 6 was received; then 5 6 is a level of one: the final run.
  EXPECT_EQ(run(lhdd, "AABCBAB", 0x60, always), "56");
  // The crash needs 0 as well: 56 fails, bhdd starts over, and 56 is not run again.
  EXPECT_EQ(run(lhdd, "AABCBAB", 0x61, always), "56 056");
  // No local check works: the level is reduced with whole subtrees and the crash.
  auto never = [](Bits, StateId) { return Verdict::no; };
  EXPECT_EQ(run(lhdd, "AABCBAB", 0x60, never), "56");
  EXPECT_EQ(run(lhdd, "AABCBAB", 0x61, never), "56 056");
}

TEST(Shrink, LhddPreselectsOneTwoFourThenAll) {
  std::vector<Bits> local;
  auto third = [&](Bits set, StateId state) {
    local.push_back(set);
    EXPECT_EQ(state.value, static_cast<std::uint64_t>('B'));
    return local.size() < 4 ? Verdict::no : Verdict::yes;
  };
  // Level 0..5 above the crash: 5, 45, 2345, then all six, which works. Within them: 345 works; cut into 34
  // and 5, and 5 is remembered as a no; finer: without 4 works. The crash's level is one node: only the final
  // run.
  EXPECT_EQ(run(lhdd, "AAAAAAB", 0x60, third), "356");
  EXPECT_EQ(local, (std::vector<Bits>{0x20, 0x30, 0x3c, 0x3f, 0x38, 0x28}));
}

TEST(Shrink, ProbddTakesTheLargestOfEqualGains) {
  // 9 * 0.9^9 = 10 * 0.9^10: ten of thirty at once.
  std::vector<std::size_t> sizes;
  Fake fake([](Bits set) { return (set >> 29 & 1) != 0; });
  probdd({30, {}}, fake);
  for (Bits set : fake.asked) sizes.push_back(static_cast<std::size_t>(std::popcount(set)));
  // 30 -> 20 -> 10; all ten fail and their p becomes 0.1535; then 6 of ten, 4 of four fail, ...
  EXPECT_EQ(sizes[0], 20u);
  EXPECT_EQ(sizes[1], 10u);
  EXPECT_EQ(sizes[2], 0u);
  EXPECT_EQ(sizes[3], 4u);
}

TEST(Shrink, BalancedChunksAreExactlyNAndNeverEmpty) {
  Rng rng(4);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Member> members(1 + rng.below(40));
    for (Member& m : members)
      m.events = static_cast<std::uint32_t>(1 + (rng.chance(0.2) ? rng.below(500) : 0));
    std::size_t n = 1 + rng.below(members.size());
    for (Cut cut : {Cut::nodes, Cut::events}) {
      std::vector<std::size_t> b = borders(members, n, cut);
      ASSERT_EQ(b.size(), n + 1);
      ASSERT_EQ(b.front(), 0u);
      ASSERT_EQ(b.back(), members.size());
      for (std::size_t i = 0; i < n; ++i) ASSERT_LT(b[i], b[i + 1]);
      for (std::size_t i = 0; i <= n && cut == Cut::nodes; ++i) ASSERT_EQ(b[i], i * members.size() / n);
    }
  }
  // The chunk size floor((size+1)/n) would leave the tail of 5 in 4 chunks out.
  EXPECT_EQ(borders(std::vector<Member>(5), 4, Cut::nodes), (std::vector<std::size_t>{0, 1, 2, 3, 5}));
}

TEST(Row, HolesMoveAnywhere) {
  Rng rng(6);
  for (int round = 0; round < 300; ++round) {
    Row row(everything(1 + static_cast<std::uint32_t>(rng.below(30))));
    for (int i = 0; i < 20; ++i) {
      std::size_t begin = rng.below(row.size() + 1), end = begin + rng.below(row.size() - begin + 1);
      Candidate c = row.without({begin, end});
      Indices expected = row.list();
      expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(begin),
                     expected.begin() + static_cast<std::ptrdiff_t>(end));
      ASSERT_TRUE(std::ranges::equal(c.kept, expected));
      ASSERT_EQ(c.hash, set_hash(expected));
    }
  }
}

// ---- the memory ----

TEST(Remembering, NeverRemembersUnresolved) {
  int calls = 0;
  struct Flaky : Question {
    int& calls;
    explicit Flaky(int& c) : calls(c) {}
    Verdict ask(const Candidate&) override { return ++calls == 1 ? Verdict::unresolved : Verdict::no; }
  } flaky(calls);
  Remembering memory(flaky);
  Indices set{1, 5};
  EXPECT_EQ(memory.ask(Candidate(set)), Verdict::unresolved);
  EXPECT_EQ(memory.ask(Candidate(set)), Verdict::no);
  EXPECT_EQ(memory.ask(Candidate(set)), Verdict::no);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(memory.asked(), 2u);
  EXPECT_EQ(memory.from_memory(), 1u);
  EXPECT_EQ(memory.unresolved(), 1u);
}

TEST(Remembering, KeepsManyAndTheLocalChecksApart) {
  Fake fake([](Bits set) { return std::popcount(set) % 2 == 1; });
  fake.arrives = [](Bits, StateId s) { return s.value == 1 ? Verdict::yes : Verdict::no; };
  Remembering memory(fake);
  for (int turn = 0; turn < 2; ++turn)
    for (Bits set = 0; set < 5000; ++set) {
      Indices list;
      for (std::uint32_t i = 0; i < 13; ++i)
        if ((set >> i & 1) != 0) list.push_back(i);
      Candidate candidate(list);
      ASSERT_EQ(memory.ask(candidate), std::popcount(set) % 2 == 1 ? Verdict::yes : Verdict::no);
      ASSERT_EQ(memory.reaches(candidate, StateId{1}), Verdict::yes);
      ASSERT_EQ(memory.reaches(candidate, StateId{2}), Verdict::no);
    }
  EXPECT_EQ(memory.asked(), 15000u);
  EXPECT_EQ(memory.from_memory(), 15000u);
}

/// Looks `ahead` candidates ahead, answers them in whatever order, and reports up to the first yes: a pool.
class Pool final : public Question {
 public:
  Pool(Question& inner, std::size_t ahead) : inner_(inner), ahead_(ahead) {}
  Verdict ask(const Candidate& candidate) override { return inner_.ask(candidate); }
  Verdict reaches(const Candidate& c, StateId s) override { return inner_.reaches(c, s); }
  std::vector<Verdict> ask_in_order(Batch& batch) override {
    std::vector<Verdict> answers;
    for (bool more = true; more;) {
      std::vector<Indices> window;
      while (window.size() < ahead_ && more) {
        std::optional<Candidate> c = batch.next();
        more = c.has_value();
        if (c) window.emplace_back(c->kept.begin(), c->kept.end());
      }
      for (const Indices& list : window) {
        answers.push_back(inner_.ask(Candidate(list)));
        if (answers.back() == Verdict::yes) return answers;
      }
    }
    return answers;
  }

 private:
  Question& inner_;
  std::size_t ahead_;
};

TEST(Remembering, ResultsAreEqualForEveryPoolSize) {
  Rng rng(12);
  for (int round = 0; round < 300; ++round) {
    Predicate p = random_predicate(rng, round % 2 == 0);
    Problem problem = random_problem(rng, p.size);
    for (const std::string& name : algorithm_names()) {
      std::optional<Indices> first;
      for (const std::size_t ahead : {1UL, 2UL, 5UL, 64UL}) {
        Fake fake(p);
        fake.arrives = [](Bits s, StateId) { return s % 3 != 0 ? Verdict::yes : Verdict::no; };
        Pool pool(fake, ahead);
        Remembering question(pool);
        Shrunk shrunk = (*algorithm_by_name(name))(problem, question);
        shrunk = minimal_pass(shrunk.kept, question);
        if (!first) first = shrunk.kept;
        ASSERT_EQ(*first, shrunk.kept) << name << " with " << ahead;
      }
    }
  }
}

TEST(Shrink, NamesAreComplete) {
  for (const std::string& name : algorithm_names()) EXPECT_TRUE(algorithm_by_name(name).has_value());
  EXPECT_FALSE(algorithm_by_name("ddmin").has_value());
}

TEST(Shrink, NothingToShrink) {
  for (const std::string& name : algorithm_names()) {
    Fake fake([](Bits) { return true; });
    EXPECT_TRUE((*algorithm_by_name(name))({}, fake).kept.empty()) << name;
    EXPECT_TRUE(fake.asked.empty()) << name;
  }
  Fake fake([](Bits) { return true; });
  EXPECT_TRUE(minimal_pass({}, fake).one_minimal);
}

}  // namespace
}  // namespace norn
