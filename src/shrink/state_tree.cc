#include "shrink/state_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace norn {

StateTree::StateTree(std::span<const StateId> states) {
  std::vector<std::uint32_t> way;                   // from the first level to the previous node
  std::unordered_map<StateId, std::size_t> on_way;  // state -> its place in `way`
  parent_.reserve(states.size());
  depth_.reserve(states.size());
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    if (i > 0 && states[i] == states[i - 1]) {  // mostly nothing moves: the next sibling
      parent_.push_back(parent_.back());
      depth_.push_back(depth_.back());
      way.back() = i;
      continue;
    }
    if (auto known = on_way.find(states[i]); known != on_way.end()) {
      std::size_t level = known->second;
      for (; way.size() > level; way.pop_back()) on_way.erase(states[way.back()]);
    }
    parent_.push_back(way.empty() ? root : way.back());
    on_way.emplace(states[i], way.size());
    way.push_back(i);
    depth_.push_back(static_cast<std::uint32_t>(way.size()));
  }
  weight_.assign(states.size(), 1);
  for (std::size_t i = states.size(); i-- > 0;)
    if (parent_[i] != root) weight_[parent_[i]] += weight_[i];
}

std::vector<std::uint32_t> StateTree::children(std::uint32_t node) const {
  std::vector<std::uint32_t> found;
  std::uint32_t end = node == root ? size() : node + weight_[node];
  for (std::uint32_t child = node + 1; child < end; child += weight_[child]) found.push_back(child);
  return found;
}

std::vector<std::uint32_t> StateTree::path(std::uint32_t node) const {
  std::vector<std::uint32_t> nodes;
  for (; node != root; node = parent_[node]) nodes.push_back(node);
  std::ranges::reverse(nodes);
  return nodes;
}

std::string outline(const StateTree& tree, const std::function<std::string(std::uint32_t)>& label) {
  constexpr std::uint32_t kDeepest = 30;
  std::string text;
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    std::uint32_t depth = tree.depth(node);
    text.append(2 * static_cast<std::size_t>(std::min(depth, kDeepest) - 1), ' ');
    if (depth > kDeepest) text += fmt::format("[level {}] ", depth);
    text += label(node);
    text += '\n';
  }
  return text;
}

}  // namespace norn
