// Faithfulness: the same questions in the same order as src/shrink/reference.py, an independent program, on
// random problems.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/text.h"
#include "shrink/fakes.h"

namespace norn {
namespace {

struct Example {
  std::string algorithm;
  Problem problem;
  std::vector<Bits> clauses;
  std::vector<std::pair<int, int>> pairs;
  std::uint64_t local = 5;
};

Example random_example(Rng& rng, const std::string& algorithm) {
  Example e{algorithm, {}, {}, {}, 0};
  e.problem.size = static_cast<std::uint32_t>(1 + rng.below(rng.chance(0.2) ? 60 : 25));
  std::size_t kinds = 1 + rng.below(6);
  std::uint64_t state = 0;
  for (std::uint32_t i = 0; i < e.problem.size; ++i) {
    if (rng.chance(0.4)) state = rng.below(kinds);
    e.problem.states.push_back({state});
  }
  std::uint32_t last = e.problem.size - 1;
  for (std::size_t i = 1 + rng.below(2); i-- > 0;) {
    Bits clause = Bits{1} << last;
    for (std::size_t k = rng.below(4); k-- > 0;) clause |= Bits{1} << rng.below(e.problem.size);
    e.clauses.push_back(clause);
  }
  for (std::size_t i = rng.chance(0.5) ? rng.below(4) : 0; i-- > 0;)
    e.pairs.emplace_back(rng.below(e.problem.size), rng.below(e.problem.size));
  e.local = rng.chance(0.5) ? 5 : rng.below(6);
  return e;
}

std::string line_of(const Example& e) {
  std::string states, clauses, pairs;
  for (StateId s : e.problem.states) states += fmt::format("{}{}", states.empty() ? "" : ",", s.value);
  for (Bits c : e.clauses) clauses += fmt::format("{}{:x}", clauses.empty() ? "" : ",", c);
  for (auto [a, b] : e.pairs) pairs += fmt::format("{}{}:{}", pairs.empty() ? "" : ";", a, b);
  return fmt::format("{} {} {} {} {}\n", e.algorithm, states, clauses, pairs.empty() ? "-" : pairs, e.local);
}

/// Logs what is run as reference.py does.
class Logged final : public Question {
 public:
  explicit Logged(const Example& e) : e_(e) {}
  Verdict ask(const Candidate& candidate) override {
    Bits set = bits(candidate.kept);
    log += fmt::format("a{:x} ", set);
    bool yes = false;
    for (Bits c : e_.clauses) yes = yes || (set & c) == c;
    for (auto [a, b] : e_.pairs) yes = yes && ((set >> a & 1) == 0 || (set >> b & 1) != 0);
    return yes ? Verdict::yes : Verdict::no;
  }
  Verdict reaches(const Candidate& candidate, StateId state) override {
    log += fmt::format("r{:x}:{} ", bits(candidate.kept), state.value);
    std::uint64_t sum = 3 * state.value + candidate.kept.size();
    for (std::uint32_t p : candidate.kept) sum += p;
    return sum % 5 < e_.local ? Verdict::yes : Verdict::no;
  }
  std::string log;

 private:
  const Example& e_;
};

std::string ours(const Example& e) {
  Logged logged(e);
  Remembering question(logged);
  Shrunk shrunk = (*algorithm_by_name(e.algorithm))(e.problem, question);
  return logged.log + fmt::format("= {:x}", bits(shrunk.kept));
}

TEST(Reference, SameQuestionsInTheSameOrder) {
  if (std::system("python3 -c pass >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no python3 here";
  Rng rng(2017);
  std::vector<Example> examples;
  for (int i = 0; i < 1000; ++i)
    for (const std::string& name : kPublished) examples.push_back(random_example(rng, name));
  std::filesystem::path in =
      std::filesystem::path(testing::TempDir()) / fmt::format("shrink-{}.txt", getpid());
  std::ofstream file(in);
  for (const Example& e : examples) file << line_of(e);
  file.close();
  std::string command =
      fmt::format("python3 '{}/src/shrink/reference.py' < '{}'", NORN_SOURCE_DIR, in.string());
  FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string theirs;
  char buffer[4096];
  while (std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) theirs.append(buffer, n);
  ASSERT_EQ(pclose(pipe), 0);
  std::filesystem::remove(in);
  std::vector<std::string_view> answers = lines(theirs);
  ASSERT_GE(answers.size(), examples.size());
  std::size_t questions = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    ASSERT_EQ(ours(examples[i]), answers[i]) << line_of(examples[i]);
    questions += static_cast<std::size_t>(std::ranges::count(answers[i], ' ')) - 1;
  }
  EXPECT_GT(questions, 50'000u);
}

}  // namespace
}  // namespace norn
