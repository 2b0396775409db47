#include "diagnose/w_method.h"

#include <algorithm>
#include <deque>
#include <set>

namespace norn {

using lsharp::Input;
using lsharp::Word;

namespace {

/// After how many inputs of the word a run from this state crashes, 0 for never.
std::size_t crash_after(const Ways& ways, std::uint32_t from, const Word& word) {
  std::optional<std::uint32_t> state = from;
  for (std::size_t k = 0; k < word.size() && state; ++k) {
    state = ways.next(state, word[k]);
    if (state && ways.is_final(*state)) return k + 1;
  }
  return 0;
}

/// A shortest word that crashes from one of the states and does not from the other.
std::optional<Word> witness(const BugAutomaton& bug, const Ways& ways, std::uint32_t a, std::uint32_t b) {
  using Maybe = std::optional<std::uint32_t>;
  struct At {
    Maybe a, b;
    Word word;
  };
  std::set<std::pair<Maybe, Maybe>> seen{{a, b}};
  for (std::deque<At> todo{{a, b, {}}}; !todo.empty(); todo.pop_front()) {
    const At here = todo.front();
    for (std::size_t i = 0; i < bug.inputs.size(); ++i) {
      const auto input = static_cast<Input>(i);
      At next{ways.next(here.a, input), ways.next(here.b, input), here.word};
      next.word.push_back(input);
      const auto crash = [&](const Maybe& state) { return state && ways.is_final(*state); };
      if (crash(next.a) != crash(next.b)) return next.word;
      if (!crash(next.a) && next.a != next.b && seen.emplace(next.a, next.b).second)
        todo.push_back(std::move(next));
    }
  }
  return std::nullopt;
}

/// The shortest way to the crash from each state, and whatever else it takes to tell any two states apart.
std::set<Word> endings(const BugAutomaton& bug, const Ways& ways) {
  std::set<Word> out;
  const auto states = static_cast<std::uint32_t>(bug.nfa.states.size());
  for (std::uint32_t s = 0; s < states; ++s)
    if (const auto& way = ways.to_crash(s); way && !way->empty()) out.insert(*way);
  for (std::uint32_t a = 0; a < states; ++a)
    for (std::uint32_t b = 0; b < a; ++b) {
      const bool told = std::ranges::any_of(
          out, [&](const Word& word) { return crash_after(ways, a, word) != crash_after(ways, b, word); });
      if (told || ways.is_final(a) || ways.is_final(b)) continue;
      if (auto word = witness(bug, ways, a, b)) out.insert(std::move(*word));
    }
  return out;
}

std::vector<Word> one_or_two_inputs(std::size_t inputs) {
  std::vector<Word> out;
  for (std::size_t a = 0; a < inputs; ++a) {
    out.push_back({static_cast<Input>(a)});
    for (std::size_t b = 0; b < inputs; ++b) out.push_back({static_cast<Input>(a), static_cast<Input>(b)});
  }
  return out;
}

}  // namespace

std::vector<Word> w_tests(const BugAutomaton& bug, const Ways& ways) {
  std::set<Word> all;
  const std::vector<Word> middles = one_or_two_inputs(bug.inputs.size());
  const std::set<Word> ends = endings(bug, ways);
  for (std::size_t s = 0; s < bug.nfa.states.size(); ++s) {
    if (!ways.access(s) || ways.is_final(static_cast<std::uint32_t>(s))) continue;
    for (const Word& middle : middles)
      for (const Word& ending : ends) {
        Word word = *ways.access(s);
        word.insert(word.end(), middle.begin(), middle.end());
        word.insert(word.end(), ending.begin(), ending.end());
        if (all.size() < most_w_tests && foretold(bug, ways, word)) all.insert(std::move(word));
      }
  }
  return {all.begin(), all.end()};
}

void sample(std::vector<Word>& tests, std::size_t most, Rng& rng) {
  if (tests.size() <= most) return;
  for (std::size_t i = 0; i < most; ++i) std::swap(tests[i], tests[i + rng.below(tests.size() - i)]);
  tests.resize(most);
  std::ranges::sort(tests);
}

std::optional<std::size_t> foretold(const BugAutomaton& bug, const Ways& ways, const Word& word) {
  std::optional<std::uint32_t> state = 0;
  for (std::size_t k = 0; k < word.size(); ++k) {
    const auto to = ways.next(state, word[k]);
    if (bug.inputs[word[k]].is_move() && (!state || to == state)) return std::nullopt;
    if (to && ways.is_final(*to)) return k + 1;
    state = to;
  }
  return 0;
}

}  // namespace norn
