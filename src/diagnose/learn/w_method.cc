#include "diagnose/learn/w_method.h"

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

/// Whether the automaton says how the word ends from this state (nothing: out of the crash's reach), see
/// foretold().
bool is_told(const BugAutomaton& bug, const Ways& ways, std::optional<std::uint32_t> state,
             const Word& word) {
  for (const Input input : word) {
    const auto to = ways.next(state, input);
    if (bug.inputs[input].is_move() && (!state || to == state)) return false;
    if (to && ways.is_final(*to)) return true;
    state = to;
  }
  return true;
}

/// By state, and last for "out of the crash's reach": the endings that tell it from every other. Two states
/// have one ending in common that tells them from each other ("harmonised"), so that fewer endings find the
/// same mistakes.
class Identifiers {
 public:
  Identifiers(const BugAutomaton& bug, const Ways& ways)
      : states_(static_cast<std::uint32_t>(bug.nfa.states.size())), own_(states_ + 1) {
    const std::set<Word> all = endings(bug, ways);
    words_.assign(all.begin(), all.end());
    for (std::uint32_t s = 0; s <= states_; ++s)
      for (const Word& word : words_) {
        const bool live = s < states_;
        crash_.push_back(live ? crash_after(ways, s, word) : 0);
        told_.push_back(is_told(bug, ways, live ? std::optional(s) : std::nullopt, word));
      }
    for (std::uint32_t a = 0; a <= states_; ++a)
      for (std::uint32_t b = 0; b < a; ++b)
        if (!ways.is_final(b) && (a == states_ || !ways.is_final(a))) tell_apart(a, b);
  }

  /// The endings for where the automaton is then.
  std::vector<Word> of(std::optional<std::uint32_t> state) const {
    std::vector<Word> out;
    for (const std::size_t w : own_[state.value_or(states_)]) out.push_back(words_[w]);
    return out;
  }

 private:
  /// The same word for both where there is one that is told of both, rather one that they have already.
  void tell_apart(std::uint32_t a, std::uint32_t b) {
    std::optional<std::size_t> best;
    int most = -1;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      if (crash_[at(a, w)] == crash_[at(b, w)]) continue;
      const int worth = 4 * (told_[at(a, w)] + told_[at(b, w)]) + static_cast<int>(own_[a].contains(w)) +
                        static_cast<int>(own_[b].contains(w));
      if (worth > most) most = worth, best = w;
    }
    if (best) own_[a].insert(*best), own_[b].insert(*best);
  }
  std::size_t at(std::uint32_t state, std::size_t word) const { return state * words_.size() + word; }

  std::uint32_t states_;
  std::vector<Word> words_;
  std::vector<std::size_t> crash_;          ///< by state and word
  std::vector<std::uint8_t> told_;          ///< by state and word
  std::vector<std::set<std::size_t>> own_;  ///< by state: words
};

std::vector<Word> up_to_two_inputs(std::size_t inputs) {
  std::vector<Word> out{{}};
  for (std::size_t a = 0; a < inputs; ++a) {
    out.push_back({static_cast<Input>(a)});
    for (std::size_t b = 0; b < inputs; ++b) out.push_back({static_cast<Input>(a), static_cast<Input>(b)});
  }
  return out;
}

}  // namespace

std::vector<Word> w_tests(const BugAutomaton& bug, const Ways& ways) {
  std::set<Word> all;
  const std::vector<Word> middles = up_to_two_inputs(bug.inputs.size());
  const Identifiers endings(bug, ways);
  const auto add = [&](Word word, const Word& more) {
    word.insert(word.end(), more.begin(), more.end());
    if (all.size() < most_w_tests && !word.empty() && foretold(bug, ways, word)) all.insert(std::move(word));
  };
  for (std::uint32_t s = 0; s < bug.nfa.states.size(); ++s) {
    if (!ways.access(s) || ways.is_final(s)) continue;
    for (const Word& middle : middles) {
      Word word = *ways.access(s);
      std::optional<std::uint32_t> end = s;
      for (const Input input : middle) {
        if (end && ways.is_final(*end)) break;
        word.push_back(input);
        end = ways.next(end, input);
      }
      const bool crashed = end && ways.is_final(*end);
      if (crashed) add(word, {});
      for (const Word& ending : crashed ? std::vector<Word>() : endings.of(end)) add(word, ending);
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
