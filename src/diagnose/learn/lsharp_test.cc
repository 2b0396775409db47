#include "diagnose/learn/lsharp.h"

#include <gtest/gtest.h>

namespace norn::lsharp {
namespace {

/// A machine made of chance: some inputs impossible, some crash, some end in another crash.
Machine random_machine(Rng& rng, std::size_t states, std::size_t pivots, std::size_t moves) {
  Machine m;
  m.pivots = pivots, m.inputs = pivots + moves;
  for (std::size_t s = 0; s < states; ++s) {
    Output out;
    for (std::size_t i = 0; i < m.inputs; ++i) {
      const bool possible = rng.chance(0.6);
      if (possible) out.enabled |= std::uint64_t{1} << i;
      Edge edge{Edge::Kind::state, static_cast<std::uint32_t>(rng.below(states)), true};
      if (i < pivots && rng.chance(0.08)) edge.kind = Edge::Kind::crash;
      if (i < pivots && rng.chance(0.02)) edge.kind = Edge::Kind::ended;
      if (!possible)
        edge = i < pivots ? Edge{} : Edge{Edge::Kind::state, static_cast<std::uint32_t>(s), true};
      m.edges.push_back(edge);
    }
    m.out.push_back(out);
  }
  return m;
}

class Knows final : public Teacher {
 public:
  explicit Knows(const Machine& m) : m_(m) {}
  Result<Output> start() override { return m_.out[0]; }
  Result<std::vector<std::vector<Output>>> run(std::span<const Word> words) override {
    std::vector<std::vector<Output>> out;
    for (const Word& word : words) {
      out.emplace_back();
      std::uint32_t state = 0;
      for (const Input i : word) {
        if (!m_.out[state].can(i)) break;
        const Edge& edge = m_.edge(state, i);
        if (edge.kind == Edge::Kind::state) {
          out.back().push_back(m_.out[state = edge.to]);
          continue;
        }
        out.back().push_back({edge.kind == Edge::Kind::crash ? Output::Kind::crash : Output::Kind::ended, 0});
        break;
      }
      asked += 1;
    }
    return out;
  }
  std::size_t asked = 0;

 private:
  const Machine& m_;
};

/// Whether no word tells them apart: all pairs of states reached together show the same.
bool same(const Machine& a, const Machine& b) {
  const std::uint64_t pivots = (std::uint64_t{1} << a.pivots) - 1;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen{{0, 0}};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> todo{{0, 0}};
  while (!todo.empty()) {
    const auto [x, y] = todo.back();
    todo.pop_back();
    if ((a.out[x].enabled & pivots) != (b.out[y].enabled & pivots)) return false;
    for (std::size_t i = 0; i < a.inputs; ++i) {
      const Edge &p = a.edge(x, static_cast<Input>(i)), &q = b.edge(y, static_cast<Input>(i));
      if (p.kind != q.kind) return false;
      if (p.kind == Edge::Kind::state && seen.emplace(p.to, q.to).second) todo.emplace_back(p.to, q.to);
    }
  }
  return true;
}

TEST(LSharp, LearnsRandomMachines) {
  Rng rng(7);
  std::size_t right = 0, states = 0, reached = 0;
  constexpr std::size_t machines = 120;
  for (std::size_t k = 0; k < machines; ++k) {
    const Machine truth = random_machine(rng, 1 + rng.below(9), 2 + rng.below(4), rng.below(3));
    Knows teacher(truth);
    Learner learner(teacher, {.pivots = truth.pivots, .inputs = truth.inputs, .tests = 400, .seed = k + 1});
    const auto report = learner.learn({});
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->complete) << report->why;
    right += same(truth, report->machine);
    states += report->machine.size(), reached += truth.size();
    EXPECT_LE(report->machine.size(), truth.size());
    EXPECT_EQ(teacher.asked, report->words);
  }
  EXPECT_EQ(right, machines);
  EXPECT_LT(states, reached);  // unreachable and equal states are not invented
}

/// Equal-looking states that differ only after a long way: a counter, and a crash at its end.
Machine counter(std::size_t n) {
  Machine m;
  m.pivots = m.inputs = 2;
  for (std::size_t s = 0; s < n; ++s) {
    m.out.push_back({Output::Kind::alive, 3});
    m.edges.push_back(s + 1 < n ? Edge{Edge::Kind::state, static_cast<std::uint32_t>(s + 1), true}
                                : Edge{Edge::Kind::crash, 0, true});
    m.edges.push_back({Edge::Kind::state, 0, true});  // the other input starts again
  }
  return m;
}

TEST(LSharp, TracesShowWhatChanceWouldNotFind) {
  const Machine truth = counter(12);
  Knows blind(truth), told(truth);
  Learner without(blind, {.pivots = 2, .inputs = 2, .tests = 20, .test_length = 8});
  EXPECT_FALSE(same(truth, without.learn({})->machine));
  Learner with(told, {.pivots = 2, .inputs = 2, .tests = 20, .test_length = 8});
  const Word trace(12, 0);
  const auto report = with.learn(std::span(&trace, 1));
  EXPECT_TRUE(same(truth, report->machine));
  EXPECT_EQ(report->mistakes, 0U);
}

// Beyond the cap of states it is said which of the known ones the next is most like.
TEST(LSharp, WhatLiesBeyondTheCapIsLikeSomething) {
  Machine truth = counter(4);
  for (std::uint32_t s = 1; s < 4; ++s) truth.edges[s * 2 + 1].to = s;  // the other input does nothing but
  truth.edges[1] = {Edge::Kind::crash, 0, true};                        // at the start, where it crashes
  const Word trace(4, 0);
  Knows teacher(truth);
  Learner learner(teacher, {.pivots = 2, .inputs = 2, .states = 2});
  const Word known{0, 0, 1};  // nothing that leads on from beyond the cap is asked
  const auto report = learner.learn(std::span(&trace, 1), std::span(&known, 1));
  ASSERT_TRUE(report && report->machine.size() == 2);
  const Edge& beyond = report->machine.edge(1, 0);
  EXPECT_EQ(beyond.kind, Edge::Kind::none);
  EXPECT_FALSE(beyond.proven);
  EXPECT_EQ(beyond.maybe, std::vector<std::uint32_t>{1});
  EXPECT_TRUE(report->machine.edge(1, 1).proven && report->machine.edge(1, 1).maybe.empty());
}

TEST(LSharp, CapsGiveWhatWasLearned) {
  const Machine truth = counter(12);
  const Word trace(12, 0);
  Knows teacher(truth);
  Learner few_states(teacher, {.pivots = 2, .inputs = 2, .states = 5});
  const auto report = few_states.learn(std::span(&trace, 1));
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->complete);
  EXPECT_NE(report->why.find("states"), std::string::npos);
  EXPECT_EQ(report->machine.size(), 5U);
  Learner few_words(teacher, {.pivots = 2, .inputs = 2, .words = 3});
  const auto second = few_words.learn(std::span(&trace, 1));
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->complete);
  EXPECT_LE(second->words, 3U);
  bool unproven = false;
  for (const Edge& edge : second->machine.edges) unproven = unproven || !edge.proven;
  EXPECT_TRUE(unproven);
}

/// A teacher that does not answer alike twice is noticed, not believed and not asked for ever.
class Fickle final : public Teacher {
 public:
  Result<Output> start() override { return Output{Output::Kind::alive, 3}; }
  Result<std::vector<std::vector<Output>>> run(std::span<const Word> words) override {
    std::vector<std::vector<Output>> out;
    for (const Word& word : words) {
      out.emplace_back();
      for (std::size_t i = 0; i < word.size(); ++i)
        out.back().push_back({Output::Kind::alive, rng_.below(2) == 0 ? 3U : 1U});
    }
    return out;
  }

 private:
  Rng rng_{3};
};
TEST(LSharp, EndsOnATeacherThatContradictsItself) {
  Fickle teacher;
  Learner learner(teacher, {.pivots = 2, .inputs = 2, .states = 30, .words = 500});
  const auto report = learner.learn({});
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->complete);
}

TEST(LSharp, AnErrorOfTheTeacherKeepsWhatWasLearned) {
  class Dies final : public Teacher {
   public:
    explicit Dies(const Machine& m) : inner_(m) {}
    Result<Output> start() override { return inner_.start(); }
    Result<std::vector<std::vector<Output>>> run(std::span<const Word> words) override {
      if (++calls_ > 2) return fail(Error::Kind::device, "lost");
      return inner_.run(words);
    }

   private:
    Knows inner_;
    int calls_ = 0;
  };
  const Machine truth = counter(6);
  Dies teacher(truth);
  Learner learner(teacher, {.pivots = 2, .inputs = 2});
  const auto report = learner.learn({});
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->complete);
  EXPECT_NE(report->why.find("lost"), std::string::npos);
}

}  // namespace
}  // namespace norn::lsharp
