#include "shrink/state_tree.h"

#include <gtest/gtest.h>

#include <set>

#include "base/rng.h"

namespace norn {
namespace {

std::vector<StateId> states(std::string_view letters) {
  std::vector<StateId> ids;
  for (char c : letters) ids.push_back({static_cast<std::uint64_t>(c)});
  return ids;
}

/// "0(1) 2(3 4)": the tree as text, by its children().
std::string shape(const StateTree& tree, std::uint32_t node = StateTree::root) {
  std::string text;
  for (std::uint32_t child : tree.children(node)) {
    text += (text.empty() ? "" : " ") + std::to_string(child);
    if (std::string inner = shape(tree, child); !inner.empty()) text += "(" + inner + ")";
  }
  return text;
}

TEST(StateTree, HandWorked) {
  EXPECT_EQ(shape(StateTree(states(""))), "");
  EXPECT_EQ(shape(StateTree(states("A"))), "0");
  EXPECT_EQ(shape(StateTree(states("AAA"))), "0 1 2");
  EXPECT_EQ(shape(StateTree(states("ABC"))), "0(1(2))");
  // There and back again: the detour hangs under the event that began it.
  EXPECT_EQ(shape(StateTree(states("AABCBAB"))), "0 1(2(3) 4) 5(6)");
  // Back over two levels at once.
  EXPECT_EQ(shape(StateTree(states("ABCDA"))), "0(1(2(3))) 4");
  // A state seen before, but not on the way from here, is new: the second C is a child of B's second event.
  EXPECT_EQ(shape(StateTree(states("ABCBDC"))), "0(1(2) 3(4(5)))");
  // The root is never compared: nothing is a sibling of the launch.
  EXPECT_EQ(shape(StateTree(states("LML"))), "0(1) 2");
}

TEST(StateTree, KnowsDepthWeightAndPath) {
  StateTree tree(states("AABCBAB"));
  EXPECT_EQ(tree.depth(0), 1u);
  EXPECT_EQ(tree.depth(3), 3u);
  EXPECT_EQ(tree.weight(1), 4u);
  EXPECT_EQ(tree.weight(6), 1u);
  EXPECT_EQ(tree.parent(6), 5u);
  EXPECT_EQ(tree.parent(5), StateTree::root);
  EXPECT_EQ(tree.path(3), (std::vector<std::uint32_t>{1, 2, 3}));
}

TEST(StateTree, KeepsItsPromisesOnRandomTraces) {
  Rng rng(11);
  for (int round = 0; round < 500; ++round) {
    std::vector<StateId> list(1 + rng.below(60));
    for (StateId& s : list) s = {rng.below(1 + rng.below(8))};
    StateTree tree(list);
    std::uint32_t last = tree.size() - 1;
    for (std::uint32_t i = 0; i <= last; ++i) {
      // The rule, said once more: walk up from the previous node.
      std::uint32_t at = i == 0 ? StateTree::root : i - 1;
      while (at != StateTree::root && list[at] != list[i]) at = tree.parent(at);
      std::uint32_t parent = at != StateTree::root ? tree.parent(at) : i == 0 ? StateTree::root : i - 1;
      ASSERT_EQ(tree.parent(i), parent);
      std::set<StateId> on_path;
      for (std::uint32_t node : tree.path(i)) ASSERT_TRUE(on_path.insert(list[node]).second);
    }
    std::vector<std::uint32_t> way = tree.path(last);
    for (std::uint32_t node : way)
      for (std::uint32_t i = node + 1; i <= last; ++i) ASSERT_NE(tree.depth(i), tree.depth(node));
  }
}

TEST(StateTree, OutlineIndentsAndStaysNarrow) {
  auto number = [](std::uint32_t i) { return std::to_string(i); };
  EXPECT_EQ(outline(StateTree(states("ABA")), number), "0\n  1\n2\n");
  std::vector<StateId> deep(2000);
  for (std::size_t i = 0; i < deep.size(); ++i) deep[i] = {i};
  std::string text = outline(StateTree(deep), number);
  EXPECT_NE(text.find("[level 2000] 1999\n"), std::string::npos);
  EXPECT_LT(text.size(), 2000u * 90);
}

}  // namespace
}  // namespace norn
