#include "diagnose/learn/lsharp.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace norn::lsharp {

Learner::Learner(Teacher& teacher, Options options)
    : teacher_(teacher), options_(options), rng_(options.seed) {}

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

/// The states of a trace that cannot be shortened are all different: where one of its ends is run from an
/// earlier place it does not crash. So they come first, and a search that must stop early has seen what
/// matters.
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

std::vector<std::uint32_t> Learner::most_like(NodeIndex node) const {
  std::vector<std::uint32_t> out;
  std::size_t longest = 1;  // what is possible there is the same at least
  for (std::uint32_t b = 0; b < basis_.size(); ++b) {
    const auto word = witness(node, basis_[b]);
    if (!word || word->size() < longest) continue;
    if (word->size() > longest) out.clear();
    longest = word->size();
    out.push_back(b);
  }
  return out;
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
        if (!edge.proven) edge.maybe = f->second->candidates;
      } else {
        edge.proven = false;
        edge.maybe = most_like(to);
      }
      h.edges.push_back(edge);
    }
  }
  return h;
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

}  // namespace norn::lsharp
