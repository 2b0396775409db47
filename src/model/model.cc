#include "model/model.h"

#include <algorithm>
#include <deque>
#include <numeric>

#include "base/hash.h"

namespace norn {

/// What a merge did, in order, so that it can be taken back.
struct Model::Undo {
  struct Join {
    std::uint32_t child, root;
    bool was_red;
  };
  struct Put {
    std::uint32_t block;
    EventKey event;
  };
  struct Mark {
    std::uint32_t block;
    EventKey event;
    std::uint32_t old;
  };
  std::vector<Join> joins;
  std::vector<Put> puts;
  std::vector<Mark> marks;
};

Model::Model(const History& tree, SimilarOptions options) : tree_(tree), layouts_(options) {}

std::uint32_t Model::find(std::uint32_t node) const {
  while (nodes_[node].block != node) node = nodes_[node].block;
  return node;
}

void Model::add(NodeId end) {
  if (index_.empty() && tree_.size() > 0) put(tree_.root());
  for (const NodeId id : tree_.path(end))
    if (!index_.contains(id)) put(id);
}

void Model::put(NodeId id) {
  const auto at = static_cast<std::uint32_t>(nodes_.size());
  index_.emplace(id, at);
  nodes_.push_back({.id = id, .block = at, .layout = {}, .next = {}});
  const NodeId parent = tree_.parent(id);
  if (parent && layouts_.saw(tree_.event(tree_.event_id(id)), tree_.screen(parent))) stale_ = true;
}

void Model::label(Node& node) {
  if (const Crash* crash = tree_.crash(node.id)) {
    // A crash ends the path: a layout of its own that no screen has.
    node.layout = {static_cast<std::uint32_t>(signature(*crash, Sameness::frames) | 0x80000000U)};
    if (!node.layout) node.layout.value -= 1;
    return;
  }
  const ScreenId screen = tree_.samples(node.id).front().screen;
  node.layout = layouts_.of(tree_.screen(screen), tree_.hash(screen));
}

void Model::rebuild() {
  layouts_.reset();
  reds_.clear(), state_.clear();
  linked_ = 0;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    Node& n = nodes_[i];
    n.block = i, n.size = 1, n.red = false;
    n.next.clear();
  }
  for (Node& n : nodes_) label(n);
  for (std::uint32_t i = 1; i < nodes_.size(); ++i) {  // the tree itself, before anything is merged
    const NodeId id = nodes_[i].id;
    auto& next = nodes_[index_.at(tree_.parent(id))].next;
    const auto [at, fresh] = next.emplace(tree_.event_key(tree_.event_id(id)), i);
    if (!fresh && nodes_[at->second & ~flaky_mark].layout != nodes_[i].layout) at->second |= flaky_mark;
  }
  std::vector<std::uint32_t> order(nodes_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return tree_.depth(nodes_[i].id); });
  for (const std::uint32_t i : order) settle(i);
  linked_ = nodes_.size();
  stale_ = false;
  ++mined_;
}

/// A node whose predecessors are all red: merged into the first red block that takes it, or red itself.
void Model::settle(std::uint32_t blue) {
  if (nodes_[find(blue)].red) return;
  for (const std::uint32_t red : reds_)
    if (nodes_[red].layout == nodes_[blue].layout && merge(red, blue)) return;
  nodes_[find(blue)].red = true;
  reds_.push_back(blue);
}

bool Model::merge(std::uint32_t a, std::uint32_t b) {
  Undo undo;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> todo{{a, b}};
  bool ok = true;
  while (ok && !todo.empty()) {
    auto [x, y] = todo.back();
    todo.pop_back();
    x = find(x), y = find(y);
    if (x == y) continue;
    if (nodes_[x].layout != nodes_[y].layout) {
      ok = false;
      break;
    }
    if (nodes_[x].next.size() < nodes_[y].next.size()) std::swap(x, y);
    undo.joins.push_back({y, x, nodes_[x].red});
    nodes_[y].block = x;
    nodes_[x].size += nodes_[y].size;
    nodes_[x].red = nodes_[x].red || nodes_[y].red;
    for (const auto& [event, child] : nodes_[y].next) {
      const auto [at, fresh] = nodes_[x].next.emplace(event, child);
      if (fresh) {
        undo.puts.push_back({x, event});
      } else if (((at->second | child) & flaky_mark) != 0) {
        undo.marks.push_back({x, event, at->second});
        at->second |= flaky_mark;
      } else {
        todo.emplace_back(at->second, child);
      }
    }
  }
  if (ok) return true;
  for (auto it = undo.marks.rbegin(); it != undo.marks.rend(); ++it)
    nodes_[it->block].next[it->event] = it->old;
  for (auto it = undo.puts.rbegin(); it != undo.puts.rend(); ++it) nodes_[it->block].next.erase(it->event);
  for (auto it = undo.joins.rbegin(); it != undo.joins.rend(); ++it) {
    nodes_[it->child].block = it->child;
    nodes_[it->root].size -= nodes_[it->child].size;
    nodes_[it->root].red = it->was_red;
  }
  return false;
}

/// Hangs a new node below its parent's state. False: it contradicts the model.
bool Model::link(std::uint32_t node, std::vector<std::uint32_t>& blue) {
  label(nodes_[node]);
  const NodeId id = nodes_[node].id, parent = tree_.parent(id);
  const EventKey event = tree_.event_key(tree_.event_id(id));
  const std::uint32_t above = find(index_.at(parent));
  const auto [at, fresh] = nodes_[above].next.emplace(event, node);
  if (fresh || (at->second & flaky_mark) != 0) {
    blue.push_back(node);
    return true;
  }
  const std::uint32_t there = at->second;
  if (merge(there, node)) return true;
  const bool same_node = tree_.parent(nodes_[there].id) == parent;
  if (same_node) at->second |= flaky_mark, blue.push_back(node);
  return same_node;
}

void Model::mine() {
  if (linked_ == nodes_.size() && !stale_) return;
  bool fits = !stale_;
  std::vector<std::uint32_t> blue;
  for (std::size_t i = linked_; fits && i < nodes_.size(); ++i) {
    fits = link(static_cast<std::uint32_t>(i), blue);
    // The chain below a new node is settled in order: a parent always has the smaller index.
    while (fits && !blue.empty()) settle(blue.back()), blue.pop_back();
  }
  if (!fits) rebuild();
  linked_ = nodes_.size();
  state_.clear();
  for (std::uint32_t s = 0; s < reds_.size(); ++s) state_.emplace(find(reds_[s]), s);
}

ModelState Model::state_of(NodeId node) const {
  const auto at = index_.find(node);
  if (at == index_.end()) return {};
  const auto state = state_.find(find(at->second));
  return state == state_.end() ? ModelState{} : ModelState{state->second};
}

LayoutId Model::layout_of(NodeId node) const {
  const auto at = index_.find(node);
  return at == index_.end() ? LayoutId{} : nodes_[at->second].layout;
}

LayoutId Model::layout(ModelState state) const { return nodes_[reds_[state.value]].layout; }

std::vector<NodeId> Model::members(ModelState state) const {
  std::vector<NodeId> out;
  const std::uint32_t block = find(reds_[state.value]);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (find(i) == block) out.push_back(nodes_[i].id);
  return out;
}

std::vector<ModelEdge> Model::edges(ModelState state) const {
  std::vector<ModelEdge> out;
  for (const auto& [event, child] : nodes_[find(reds_[state.value])].next) {
    const std::uint32_t node = child & ~flaky_mark;
    out.push_back({tree_.event_id(nodes_[node].id), state_of(nodes_[node].id), (child & flaky_mark) != 0});
  }
  std::ranges::sort(out, {}, [](const ModelEdge& e) { return e.event.value; });
  return out;
}

std::size_t Model::transitions() const {
  std::size_t n = 0;
  for (const std::uint32_t red : reds_) n += nodes_[find(red)].next.size();
  return n;
}

}  // namespace norn
