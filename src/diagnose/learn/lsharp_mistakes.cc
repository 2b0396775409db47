// Where is the hypothesis wrong? What the tree shows already costs nothing; then one way over each edge; then
// words at random. A mistake that was found is halved until a rule turns it into a state.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "diagnose/learn/lsharp.h"

namespace norn::lsharp {
namespace {

/// What the machine predicts after a word, stepped along.
struct Prediction {
  Edge at{Edge::Kind::state, 0, true};

  bool alive() const { return at.kind == Edge::Kind::state; }
  void step(const Machine& h, Input i) {
    if (alive()) at = h.edge(at.to, i);
  }
};

bool agrees(const Machine& h, const Prediction& predicted, const Output& seen, std::uint64_t pivots) {
  switch (predicted.at.kind) {
    case Edge::Kind::state:
      return seen.kind == Output::Kind::alive &&
             (h.out[predicted.at.to].enabled & pivots) == (seen.enabled & pivots);
    case Edge::Kind::crash:
      return seen.kind == Output::Kind::crash;
    case Edge::Kind::ended:
      return seen.kind == Output::Kind::ended;
    case Edge::Kind::none:
      return !predicted.at.proven;  // never run: nothing was predicted
  }
  return true;
}

}  // namespace

/// A word of the tree after which the hypothesis is wrong: costs nothing.
std::optional<Word> Learner::inconsistency(const Machine& h) const {
  struct At {
    NodeIndex node;
    Prediction predicted;
    std::size_t from;
    Input input;
  };
  const std::uint64_t pivots = sight({Output::Kind::alive, ~std::uint64_t{0}});
  std::vector<At> todo{{0, {}, 0, 0}};
  const auto pair = [](NodeIndex node, std::uint32_t state) { return std::uint64_t{node} << 32U | state; };
  std::unordered_set<std::uint64_t> seen{pair(0, 0)};
  for (std::size_t k = 0; k < todo.size(); ++k) {
    const At here = todo[k];
    if (!agrees(h, here.predicted, tree_[here.node].out, pivots)) {
      Word word;
      for (std::size_t at = k; at != 0; at = todo[at].from) word.push_back(todo[at].input);
      std::ranges::reverse(word);
      return word;
    }
    for (std::size_t i = 0; i < options_.inputs && here.predicted.alive(); ++i) {
      const auto input = static_cast<Input>(i);
      const NodeIndex to = step(here.node, input);
      if (to == nowhere) continue;
      At next{to, here.predicted, k, input};
      next.predicted.step(h, input);
      if (seen.insert(pair(to, next.predicted.alive() ? next.predicted.at.to : 0xffffffffU)).second)
        todo.push_back(next);
    }
  }
  return std::nullopt;
}

Word Learner::test_word(const Machine& h, const std::vector<Word>& to_crash) {
  std::size_t state = rng_.chance(0.3) ? 0 : rng_.below(h.size());
  Word word = h.access[state];
  // Short ways lead into places that a long walk leaves again before anything is tried there.
  const std::size_t longest =
      rng_.chance(0.5) ? std::min<std::size_t>(3, options_.test_length) : options_.test_length;
  for (std::size_t left = 1 + rng_.below(longest); left > 0; --left) {
    std::vector<Input> possible;
    for (std::size_t i = 0; i < h.inputs; ++i) {
      const Edge& edge = h.edge(state, static_cast<Input>(i));
      // A move that was not possible where the state was first seen may be where it is seen next.
      const bool likely = h.out[state].can(static_cast<Input>(i)) || rng_.chance(0.15);
      if (edge.kind == Edge::Kind::state && likely) possible.push_back(static_cast<Input>(i));
    }
    if (possible.empty()) break;
    word.push_back(possible[rng_.below(possible.size())]);
    state = h.edge(state, word.back()).to;
  }
  if (rng_.chance(0.7)) return concat(std::move(word), to_crash[state]);
  std::vector<Input> last;
  for (std::size_t i = 0; i < h.inputs; ++i)
    if (h.out[state].can(static_cast<Input>(i))) last.push_back(static_cast<Input>(i));
  if (!last.empty()) word.push_back(last[rng_.below(last.size())]);
  return word;
}

/// One way to the crash over each edge that leads towards it: what the automaton says first of all.
Result<std::optional<Word>> Learner::mistake_over_edges(const Machine& h, const std::vector<Word>& to_crash) {
  std::vector<Word> words;
  const auto run = [&]() -> Result<std::optional<Word>> {
    NORN_CHECK(ask(words));
    tests_ += words.size();
    words.clear();
    return inconsistency(h);
  };
  for (std::size_t s = 0; s < h.size(); ++s)
    for (std::size_t i = 0; i < h.inputs; ++i) {
      const Edge& edge = h.edge(s, static_cast<Input>(i));
      if (edge.kind != Edge::Kind::state || to_crash[edge.to].empty()) continue;
      Word word = concat(concat(h.access[s], {{static_cast<Input>(i)}}), to_crash[edge.to]);
      if (!unknown_part(0, word)) continue;
      words.push_back(std::move(word));
      if (words.size() < options_.batch) continue;
      NORN_TRY(auto mistake, run());
      if (mistake) return mistake;
    }
  return run();
}

Result<std::optional<Word>> Learner::find_mistake(const Machine& h) {
  if (auto word = inconsistency(h)) return word;
  const std::vector<Word> to_crash = ways_to_crash(h);
  NORN_TRY(auto over, mistake_over_edges(h, to_crash));
  if (over) return over;
  std::size_t done = 0, drawn = 0;
  while (done < options_.tests && drawn < 20 * options_.tests) {
    std::vector<Word> words;  // what the tree knows already tests nothing
    for (; words.size() < options_.batch && drawn < 20 * options_.tests; ++drawn)
      if (Word word = test_word(h, to_crash); unknown_part(0, word)) words.push_back(std::move(word));
    NORN_CHECK(ask(words));
    done += words.size(), tests_ += words.size();
    if (say_)
      say_(fmt::format("{} states, {} of {} tests agree, {} words run", h.size(), done, options_.tests,
                       words_));
    if (auto word = inconsistency(h)) return word;
  }
  return std::optional<Word>();
}

/// Halves the mistake until it lies in the frontier: then a rule turns it into a state.
Status Learner::digest(const Machine& h, Word mistake) {
  const auto state_of = [&](std::span<const Input> word) {
    Prediction p;
    for (const Input i : word) p.step(h, i);
    return p;
  };
  if (mistake.empty()) return {};
  mistake.pop_back();  // before its last input the tree and the machine are apart by that input
  const std::set<NodeIndex> basis(basis_.begin(), basis_.end());
  for (;;) {
    const std::span<const Input> all(mistake);
    std::size_t inside = 0;  // the longest beginning that stays in the basis
    for (NodeIndex n = 0; inside < all.size(); ++inside) {
      n = step(n, all[inside]);
      if (!basis.contains(n)) break;
    }
    if (inside + 1 >= all.size()) return {};
    const std::size_t half = (inside + 1 + all.size()) / 2;
    const Prediction at_half = state_of(all.first(half)), at_end = state_of(all);
    const NodeIndex end = walk(0, all);
    if (!at_half.alive() || !at_end.alive() || end == nowhere) return {};
    const auto difference = witness(end, basis_[at_end.at.to]);
    if (!difference) return {};
    const Word shorter = concat(word_of(basis_[at_half.at.to]), all.subspan(half));
    NORN_CHECK(ask({concat(shorter, *difference)}));
    const NodeIndex there = walk(0, shorter);
    if (there != nowhere && witness(there, basis_[at_end.at.to]))
      mistake = shorter;
    else
      mistake.resize(half);
  }
}

std::vector<Word> ways_to_crash(const Machine& machine) {
  std::vector<Word> out(machine.size());
  std::vector<bool> done(machine.size(), false);
  // Backwards in rounds: a state's way is one input and the way of a state that had one the round before.
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<std::pair<std::size_t, Word>> found;
    for (std::size_t s = 0; s < machine.size(); ++s) {
      if (done[s]) continue;
      for (std::size_t i = 0; i < machine.inputs; ++i) {
        const auto input = static_cast<Input>(i);
        const Edge& edge = machine.edge(s, input);
        const bool crash = edge.kind == Edge::Kind::crash;
        const bool leads_on = edge.kind == Edge::Kind::state && done[edge.to];
        if (!crash && !leads_on) continue;
        found.emplace_back(s, crash ? Word{input} : concat({input}, out[edge.to]));
        if (crash) break;
      }
    }
    for (auto& [s, word] : found)
      if (!done[s] || word.size() < out[s].size()) out[s] = std::move(word), done[s] = changed = true;
  }
  return out;
}

}  // namespace norn::lsharp
