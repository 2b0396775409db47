// The observation tree of the learner: what was run, what is not known yet, and which of its nodes are apart.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/learn/lsharp.h"

namespace norn::lsharp {

Word concat(Word a, std::span<const Input> b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Learner::NodeIndex Learner::child(NodeIndex node, Input i) const {
  for (const auto& [input, to] : tree_[node].children)
    if (input == i) return to;
  return nowhere;
}

Learner::NodeIndex Learner::step(NodeIndex node, Input i) const {
  const Output& out = tree_[node].out;
  if (out.kind != Output::Kind::alive) return nowhere;
  if (!out.can(i)) return is_move(i) ? node : nowhere;
  return child(node, i);
}

Learner::NodeIndex Learner::walk(NodeIndex node, std::span<const Input> word) const {
  for (const Input i : word)
    if (node != nowhere) node = step(node, i);
  return node;
}

Word Learner::word_of(NodeIndex node) const {
  Word out;
  for (; tree_[node].parent != nowhere; node = tree_[node].parent) out.push_back(tree_[node].input);
  std::ranges::reverse(out);
  return out;
}

std::optional<Word> Learner::unknown_part(NodeIndex from, std::span<const Input> word) const {
  NodeIndex node = from;
  for (std::size_t k = 0; k < word.size(); ++k) {
    const Output& out = tree_[node].out;
    if (out.kind != Output::Kind::alive) return std::nullopt;
    if (!out.can(word[k])) {
      if (is_move(word[k])) continue;
      return std::nullopt;
    }
    const NodeIndex next = child(node, word[k]);
    if (next == nowhere) return concat(word_of(node), word.subspan(k));
    node = next;
  }
  return std::nullopt;
}

void Learner::add(const Word& word, std::span<const Output> outputs) {
  NodeIndex node = 0;
  for (std::size_t k = 0; k < outputs.size() && k < word.size(); ++k) {
    NodeIndex next = child(node, word[k]);
    if (next == nowhere) {
      next = static_cast<NodeIndex>(tree_.size());
      tree_.push_back({outputs[k], node, word[k]});
      tree_[node].children.emplace_back(word[k], next);
    }
    node = next;  // a run that went another way than the first adds nothing
    if (tree_[node].out != outputs[k]) return;
  }
}

Status Learner::ask(const std::vector<Word>& words) {
  std::size_t longest = 0;
  for (const Word& word : words) longest = std::max(longest, word.size());
  // A move that turns out impossible ends a run; what follows it is asked in the next round.
  for (std::size_t round = 0; round <= longest; ++round) {
    std::set<Word> distinct;
    for (const Word& word : words)
      if (auto part = unknown_part(0, word)) distinct.insert(std::move(*part));
    if (distinct.empty()) return {};
    if (words_ + distinct.size() > options_.words)
      return fail(Error::Kind::budget, fmt::format("asked the {} words that were allowed", options_.words));
    const std::vector<Word> parts(distinct.begin(), distinct.end());
    words_ += parts.size();
    NORN_TRY(const auto outputs, teacher_.run(parts));
    const std::size_t before = tree_.size();
    for (std::size_t i = 0; i < parts.size(); ++i) add(parts[i], outputs[i]);
    if (tree_.size() == before)
      return fail(Error::Kind::device, "the same events did not do the same again", {},
                  "the app is not deterministic enough to be learned from single runs");
  }
  return {};
}

// ---- apartness ----

std::uint64_t Learner::sight(const Output& out) const {
  const std::uint64_t pivots =
      options_.pivots >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << options_.pivots) - 1;
  return out.enabled & pivots;
}

/// A shortest word that was run from both and showed something different. Breadth first over pairs of nodes.
std::optional<Word> Learner::witness(NodeIndex a, NodeIndex b) const {
  struct Pair {
    NodeIndex a, b;
    std::size_t from;
    Input input;
  };
  std::vector<Pair> pairs{{a, b, 0, 0}};
  std::set<std::pair<NodeIndex, NodeIndex>> seen{{a, b}};
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Pair here = pairs[k];
    const Output &x = tree_[here.a].out, &y = tree_[here.b].out;
    if (x.kind != y.kind || sight(x) != sight(y)) {
      Word word;
      for (std::size_t at = k; at != 0; at = pairs[at].from) word.push_back(pairs[at].input);
      std::ranges::reverse(word);
      return word;
    }
    const auto go = [&](Input input) {
      const NodeIndex p = step(here.a, input), q = step(here.b, input);
      if (p == nowhere || q == nowhere || p == q) return;
      // Below a pair of nodes each pair is met once, but for moves that one of them cannot make.
      if ((p != here.a && q != here.b) || seen.emplace(p, q).second) pairs.push_back({p, q, k, input});
    };
    for (const auto& [input, to] : tree_[here.a].children) go(input);
    for (const auto& [input, to] : tree_[here.b].children)
      if (child(here.a, input) == nowhere) go(input);
  }
  return std::nullopt;
}

bool Learner::apart(NodeIndex a, NodeIndex b) {
  if (a == b) return false;
  if (tree_[a].out.kind != tree_[b].out.kind || sight(tree_[a].out) != sight(tree_[b].out)) return true;
  const auto key = std::minmax(a, b);
  if (known_apart_.contains(key)) return true;
  if (!witness(a, b)) return false;
  known_apart_.insert(key);
  return true;
}

}  // namespace norn::lsharp
