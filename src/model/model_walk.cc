// Walks over the model and its pictures.
#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <map>

#include "base/dot.h"
#include "base/text.h"
#include "model/model.h"

namespace norn {

std::vector<std::int32_t> Model::distances(ModelState target) const {
  std::vector<std::vector<std::uint32_t>> into(states());
  for (std::uint32_t s = 0; s < states(); ++s)
    for (const ModelEdge& e : edges({s}))
      if (!e.flaky && e.to) into[e.to.value].push_back(s);
  std::vector<std::int32_t> out(states(), -1);
  std::deque<std::uint32_t> queue{target.value};
  out[target.value] = 0;
  while (!queue.empty()) {
    const std::uint32_t at = queue.front();
    queue.pop_front();
    for (const std::uint32_t from : into[at])
      if (out[from] < 0) out[from] = out[at] + 1, queue.push_back(from);
  }
  return out;
}

std::vector<ModelEdge> Model::random_walk(ModelState target, std::size_t most, Rng& rng) const {
  const std::vector<std::int32_t> far = distances(target);
  std::vector<ModelEdge> out;
  ModelState at = initial();
  if (!at || far[at.value] < 0 || static_cast<std::size_t>(far[at.value]) > most) return {};
  for (;;) {
    std::map<ModelState, std::vector<ModelEdge>> ways;
    const std::size_t left = most - out.size();
    for (const ModelEdge& e : edges(at))
      if (!e.flaky && e.to && far[e.to.value] >= 0 && static_cast<std::size_t>(far[e.to.value]) < left)
        ways[e.to].push_back(e);
    const bool may_stop = at == target;
    const std::size_t choices = ways.size() + (may_stop ? 1 : 0);
    const std::size_t chosen = choices == 0 ? 0 : rng.below(choices);
    if (chosen >= ways.size()) return out;
    const auto& events = std::next(ways.begin(), static_cast<std::ptrdiff_t>(chosen))->second;
    out.push_back(events[rng.below(events.size())]);
    at = out.back().to;
  }
}

namespace {

std::string place(const History& tree, NodeId node) {
  if (const Crash* crash = tree.crash(node))
    return "crash " + std::string(crash->chain.empty() ? "?" : crash->chain[0].type);
  const Screen& s = tree.screen(node);
  if (s.kind == Screen::Kind::app) return s.activity.empty() ? s.package : s.activity;
  return s.kind == Screen::Kind::outside ? "outside: " + s.package : "no window";
}

}  // namespace

std::string Model::text() const {
  std::string out = fmt::format("{} states, {} transitions, {} layouts, from {} nodes\n", states(),
                                transitions(), layouts_.size(), nodes());
  for (std::uint32_t s = 0; s < states(); ++s) {
    const Node& red = nodes_[reds_[s]];
    out += fmt::format("state {}  {} ({} inputs)\n", s, printable(place(tree_, red.id)),
                       nodes_[find(reds_[s])].size);
    for (const ModelEdge& e : edges({s}))
      out += fmt::format("  {} -> {}{}\n", describe(tree_.event(e.event)),
                         e.to ? fmt::format("{}", e.to.value) : "?", e.flaky ? " (flaky)" : "");
  }
  return out;
}

std::string Model::dot() const {
  std::string out = "digraph model {\n  rankdir=LR;\n  node [shape=box];\n";
  for (std::uint32_t s = 0; s < states(); ++s)
    out += fmt::format("  s{} [label={}];\n", s,
                       dot_quoted(fmt::format("{} {}\n{} inputs", s, place(tree_, nodes_[reds_[s]].id),
                                              nodes_[find(reds_[s])].size)));
  for (std::uint32_t s = 0; s < states(); ++s)
    for (const ModelEdge& e : edges({s}))
      if (e.to)
        out += fmt::format("  s{} -> s{} [label={}{}];\n", s, e.to.value,
                           dot_quoted(describe(tree_.event(e.event))), e.flaky ? ", style=dashed" : "");
  return out + "}\n";
}

}  // namespace norn
