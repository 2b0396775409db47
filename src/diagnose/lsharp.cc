#include "diagnose/lsharp.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

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

Word concat(Word a, std::span<const Input> b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

Learner::Learner(Teacher& teacher, Options options)
    : teacher_(teacher), options_(options), rng_(options.seed) {}

// ---- the tree ----

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

// ---- the rules ----

void Learner::prune(Frontier& f) {
  std::erase_if(f.candidates, [&](std::uint32_t b) { return apart(f.node, basis_[b]); });
}

/// Candidates only ever drop out, so those of the last time are where this one begins.
void Learner::gather_frontier() {
  std::map<NodeIndex, Frontier> last;
  for (Frontier& f : frontier_) last.emplace(f.node, std::move(f));
  frontier_.clear();
  const std::set<NodeIndex> basis(basis_.begin(), basis_.end());
  for (std::uint32_t b = 0; b < basis_.size(); ++b)
    for (const auto& [input, node] : tree_[basis_[b]].children) {
      if (basis.contains(node) || tree_[node].out.kind != Output::Kind::alive) continue;
      Frontier f{node, b, {}, 0};
      if (const auto at = last.find(node); at != last.end()) f = std::move(at->second);
      for (; f.seen < basis_.size(); ++f.seen) f.candidates.push_back(f.seen);
      prune(f);
      frontier_.push_back(std::move(f));
    }
}

/// Rule 1: every possible input from every basis node. False: nothing was left to run.
Result<bool> Learner::complete_basis() {
  std::vector<Word> words;
  for (const NodeIndex b : basis_)
    for (std::size_t i = 0; i < options_.inputs; ++i) {
      const auto input = static_cast<Input>(i);
      if (tree_[b].out.can(input) && child(b, input) == nowhere)
        words.push_back(concat(word_of(b), {{input}}));
    }
  if (words.empty()) return false;
  NORN_CHECK(ask(words));
  return true;
}

/// Rules 2 and 3. False: every frontier node is like exactly one of the basis (at the cap: like one at most).
Result<bool> Learner::identify() {
  gather_frontier();
  for (const Frontier& f : frontier_)
    if (f.candidates.empty()) {
      capped_ = basis_.size() >= options_.states;
      if (capped_) break;  // what leads there stays open; the rest can still be told apart
      basis_.push_back(f.node);
      return true;
    }
  std::vector<Word> words;
  for (const Frontier& f : frontier_)
    if (f.candidates.size() > 1)
      words.push_back(concat(word_of(f.node), *witness(basis_[f.candidates[0]], basis_[f.candidates[1]])));
  if (words.empty()) return false;
  NORN_CHECK(ask(words));
  return true;
}

Status Learner::saturate() {
  for (;;) {
    if (say_)
      say_(fmt::format(
          "{} states, {} open, {} words run, {} seen", basis_.size(),
          std::ranges::count_if(frontier_, [](const auto& f) { return f.candidates.size() != 1; }), words_,
          tree_.size()));
    NORN_TRY(const bool ran, complete_basis());
    if (ran) continue;
    NORN_TRY(const bool changed, identify());
    if (!changed) return {};
  }
}

/// The states of a trace that cannot be shortened are all different: where one of its ends is run from an earlier place it does
/// not crash. So they come first, and a search that must stop early has seen what matters.
Status Learner::grow_trace(const Word& trace) {
  NORN_CHECK(ask({trace}));
  for (std::size_t j = 1; j < trace.size(); ++j) {
    const std::span<const Input> all(trace);
    const NodeIndex node = walk(0, all.first(j));
    if (node == nowhere || tree_[node].out.kind != Output::Kind::alive) return {};
    if (std::ranges::find(basis_, node) != basis_.end()) continue;
    std::vector<Word> words;
    for (const NodeIndex b : basis_)
      if (!apart(node, b)) words.push_back(concat(word_of(b), all.subspan(j)));
    NORN_CHECK(ask(words));
    const bool like_another = std::ranges::any_of(basis_, [&](NodeIndex b) { return !apart(node, b); });
    const bool grows_here = std::ranges::find(basis_, tree_[node].parent) != basis_.end();
    if (like_another || !grows_here || basis_.size() >= options_.states) return {};
    basis_.push_back(node);
  }
  return {};
}

Machine Learner::hypothesis() const {
  Machine h;
  h.pivots = options_.pivots, h.inputs = options_.inputs;
  std::map<NodeIndex, std::uint32_t> place;
  for (const NodeIndex b : basis_) place.emplace(b, static_cast<std::uint32_t>(place.size()));
  std::map<NodeIndex, const Frontier*> open;
  for (const Frontier& f : frontier_) open.emplace(f.node, &f);
  for (const NodeIndex b : basis_) {
    h.out.push_back(tree_[b].out);
    h.access.push_back(word_of(b));
    for (std::size_t i = 0; i < options_.inputs; ++i) {
      const auto input = static_cast<Input>(i);
      Edge edge;
      const NodeIndex to = step(b, input);
      if (to == nowhere) {
        edge.proven = !tree_[b].out.can(input);
      } else if (tree_[to].out.kind != Output::Kind::alive) {
        edge.kind = tree_[to].out.kind == Output::Kind::crash ? Edge::Kind::crash : Edge::Kind::ended;
      } else if (const auto known = place.find(to); known != place.end()) {
        edge = {Edge::Kind::state, known->second, true};
      } else if (const auto f = open.find(to); f != open.end() && !f->second->candidates.empty()) {
        edge = {Edge::Kind::state, f->second->candidates.front(), f->second->candidates.size() == 1};
      } else {
        edge.proven = false;
      }
      h.edges.push_back(edge);
    }
  }
  return h;
}

// ---- looking for mistakes ----

namespace {

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
  std::set<std::pair<NodeIndex, std::uint32_t>> seen{{0, 0}};
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
      if (seen.emplace(to, next.predicted.alive() ? next.predicted.at.to : 0xffffffffU).second)
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

Result<Report> Learner::learn(std::span<const Word> traces, std::span<const Word> known,
                              const std::function<void(const std::string&)>& say) {
  say_ = say;
  NORN_TRY(const Output start, teacher_.start());
  tree_.assign(1, Node{start});
  basis_.assign(1, 0);
  frontier_.clear();
  const auto all = [&]() -> Status {
    for (const Word& trace : traces) NORN_CHECK(grow_trace(trace));
    NORN_CHECK(ask({known.begin(), known.end()}));
    const auto strangers = [&] {
      return std::ranges::count_if(frontier_, [](const auto& f) { return f.candidates.empty(); });
    };
    for (;;) {
      NORN_CHECK(saturate());
      const Machine h = hypothesis();
      NORN_TRY(const std::optional<Word> mistake, find_mistake(h));
      if (!mistake) return {};
      ++mistakes_;
      const std::size_t nodes = tree_.size();
      const auto before = strangers();
      NORN_CHECK(digest(h, *mistake));
      gather_frontier();
      if (strangers() == before && tree_.size() == nodes)
        return fail(Error::Kind::device, "a mistake was found that single runs cannot explain", {},
                    "the app is not deterministic enough to be learned from single runs");
    }
  };
  Status status = all();
  gather_frontier();
  if (status && capped_)
    status =
        fail(Error::Kind::budget, fmt::format("more than the {} states that were allowed", options_.states));
  Report report{hypothesis(), status.has_value(), status ? "" : status.error().message()};
  report.words = words_, report.tests = tests_, report.mistakes = mistakes_, report.nodes = tree_.size();
  return report;
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
        if (!crash && !(edge.kind == Edge::Kind::state && done[edge.to])) continue;
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
