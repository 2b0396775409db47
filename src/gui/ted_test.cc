#include "gui/ted.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "gui/ted_reference.h"

namespace norn {
namespace {

using testing::PlainNode;
using testing::PlainTree;
using testing::textbook_distance;

TedTree ted_tree(const PlainTree& plain) {
  std::vector<TedNode> nodes;
  for (const PlainNode& n : plain) nodes.push_back({std::hash<std::string>{}(n.label), 1, 1, n.subtree});
  return TedTree(std::move(nodes));
}

/// All forests with `n` nodes over the labels, each node written in pre-order.
std::vector<PlainTree> all_forests(int n, const std::vector<std::string>& labels) {
  if (n == 0) return {{}};
  std::vector<PlainTree> out;
  for (int first = 1; first <= n; ++first)  // size of the first tree
    for (const PlainTree& below : all_forests(first - 1, labels))
      for (const PlainTree& rest : all_forests(n - first, labels))
        for (const std::string& label : labels) {
          PlainTree tree{{label, first}};
          tree.insert(tree.end(), below.begin(), below.end());
          tree.insert(tree.end(), rest.begin(), rest.end());
          out.push_back(std::move(tree));
        }
  return out;
}

bool is_ancestor(const PlainTree& t, std::size_t x, std::size_t y) {
  return x < y && y < x + static_cast<std::size_t>(t[x].subtree);
}
/// Whether two pairs may be in one mapping.
bool fit(const PlainTree& a, const PlainTree& b, std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
  return (i < k) == (j < l) && is_ancestor(a, i, k) == is_ancestor(b, j, l) &&
         is_ancestor(a, k, i) == is_ancestor(b, l, j);
}

/// The least number of operations over every mapping there is.
int brute_force(const PlainTree& a, const PlainTree& b) {
  int best = static_cast<int>(a.size() + b.size());
  std::vector<std::pair<std::size_t, std::size_t>> chosen;
  const std::function<void(std::size_t, int)> go = [&](std::size_t i, int saved) {
    best = std::min(best, static_cast<int>(a.size() + b.size()) - saved);
    for (; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) {
        bool ok = true;
        for (auto [k, l] : chosen) ok = ok && j != l && fit(a, b, i, j, k, l);
        if (!ok) continue;
        chosen.emplace_back(i, j);
        go(i + 1, saved + (a[i].label == b[j].label ? 2 : 1));
        chosen.pop_back();
      }
  };
  go(0, 0);
  return best;
}

void expect_valid(const PlainTree& a, const PlainTree& b, const TedMapping& m) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (m.to[i] < 0) continue;
    ASSERT_EQ(m.from[static_cast<std::size_t>(m.to[i])], static_cast<std::int32_t>(i));
    for (std::size_t k = 0; k < i; ++k)
      ASSERT_TRUE(m.to[k] < 0 ||
                  fit(a, b, i, static_cast<std::size_t>(m.to[i]), k, static_cast<std::size_t>(m.to[k])));
  }
}

TEST(Ted, EqualsBruteForceOnAllSmallForests) {
  std::vector<PlainTree> all;
  for (int n = 0; n <= 4; ++n)
    for (auto& t : all_forests(n, {"a", "b"})) all.push_back(t);
  std::size_t checked = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i % 3; j < all.size(); j += 3) {
      const TedTree a = ted_tree(all[i]), b = ted_tree(all[j]);
      const TedMapping m = ted_map(a, b);
      ASSERT_EQ(static_cast<int>(m.operations), brute_force(all[i], all[j])) << i << " " << j;
      expect_valid(all[i], all[j], m);
      ASSERT_LE(ted_at_least(a, b), m.operations);
      ++checked;
    }
  EXPECT_GT(checked, 20000U);
}

rc::Gen<PlainTree> forests(int most) {
  return rc::gen::map(rc::gen::container<std::vector<std::pair<int, int>>>(
                          rc::gen::pair(rc::gen::inRange(0, 3), rc::gen::inRange(0, 50))),
                      [most](const std::vector<std::pair<int, int>>& given) {
                        PlainTree out;
                        std::vector<int> depth;
                        for (auto [label, rise] : given) {
                          if (static_cast<int>(out.size()) >= most) break;
                          depth.push_back(depth.empty() ? 0 : rise % (depth.back() + 2));
                          out.push_back({std::string(1, static_cast<char>('a' + label)), 1});
                        }
                        for (std::size_t i = out.size(); i-- > 0;)
                          for (std::size_t j = i + 1; j < out.size() && depth[j] > depth[i]; ++j)
                            ++out[i].subtree;
                        return out;
                      });
}

RC_GTEST_PROP(Ted, EqualsTheTextbook, ()) {
  const PlainTree a = *forests(40), b = *forests(40);
  const TedMapping m = ted_map(ted_tree(a), ted_tree(b));
  RC_ASSERT(static_cast<int>(m.operations) == textbook_distance(a, b));
  expect_valid(a, b, m);
  RC_ASSERT(ted_map(ted_tree(b), ted_tree(a)).operations == m.operations);
}

RC_GTEST_PROP(Ted, IsAMetric, ()) {
  const TedTree a = ted_tree(*forests(15)), b = ted_tree(*forests(15)), c = ted_tree(*forests(15));
  RC_ASSERT(*ted_distance(a, c) <= *ted_distance(a, b) + *ted_distance(b, c));
  RC_ASSERT((*ted_distance(a, b) == 0) == (a.hash() == b.hash()));
}

TEST(Ted, TheLimitOnlyHidesWhatIsAboveIt) {
  const TedTree a = ted_tree({{"a", 3}, {"b", 1}, {"c", 1}}), b = ted_tree({{"a", 2}, {"x", 1}});
  ASSERT_EQ(*ted_distance(a, b), 2U);
  EXPECT_EQ(ted_distance(a, b, 2), 2U);
  EXPECT_EQ(ted_distance(a, b, 1), std::nullopt);
}

TEST(Ted, AmongEquallyShortOnesClassesAreKept) {
  // Two to one: the counterpart is the one of the same class, not the one at the same place.
  const TedTree a(std::vector<TedNode>{{10, 1, 0, 1}, {20, 2, 0, 1}});
  const TedTree b(std::vector<TedNode>{{21, 2, 0, 1}});
  const TedMapping m = ted_map(a, b);
  EXPECT_EQ(m.operations, 2U);
  EXPECT_EQ(m.to, (std::vector<std::int32_t>{-1, 0}));
}

TEST(Ted, DeepAndHugeTreesNeitherRecurseNorHang) {
  std::vector<TedNode> chain(100000), other(100000);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    chain[i] = {i % 7, 1, 1, static_cast<std::int32_t>(chain.size() - i)};
    other[i] = {i % 7 + (i == 50000), 1, 1, static_cast<std::int32_t>(chain.size() - i)};
  }
  EXPECT_FALSE(ted_map(TedTree(chain), TedTree(other)).exact);
  EXPECT_EQ(ted_distance(TedTree(chain), TedTree(chain)), 0U);
}

}  // namespace
}  // namespace norn
