// The textbook, for tests and benchmarks: Zhang and Shasha as printed, with labels as texts and tables of
// tables; and, for very small trees, every mapping there is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace norn::testing {

/// A forest in pre-order.
struct PlainNode {
  std::string label;
  int subtree = 1;
};
using PlainTree = std::vector<PlainNode>;

/// Post-order labels and leftmost leaves, below an added root.
struct PostOrder {
  std::vector<std::string> label;
  std::vector<int> left;

  explicit PostOrder(const PlainTree& tree) {
    place(tree, 0, static_cast<int>(tree.size()));
    label.push_back("the root");
    left.push_back(0);
  }
  int place(const PlainTree& tree, int begin, int end) {
    int first = -1;
    for (int at = begin; at < end; at += tree[static_cast<std::size_t>(at)].subtree) {
      int leaf = place(tree, at + 1, at + tree[static_cast<std::size_t>(at)].subtree);
      if (leaf < 0) leaf = static_cast<int>(label.size());
      label.push_back(tree[static_cast<std::size_t>(at)].label);
      left.push_back(leaf);
      if (first < 0) first = leaf;
    }
    return first;
  }
};

inline std::vector<int> keyroots(const PostOrder& t) {
  std::vector<int> out;
  for (std::size_t i = 0; i < t.left.size(); ++i) {
    bool later = false;
    for (std::size_t j = i + 1; j < t.left.size(); ++j) later = later || t.left[j] == t.left[i];
    if (!later) out.push_back(static_cast<int>(i));
  }
  return out;
}

inline int textbook_distance(const PlainTree& first, const PlainTree& second) {
  const PostOrder a(first), b(second);
  const std::size_t n = a.label.size(), m = b.label.size();
  std::vector<std::vector<int>> td(n, std::vector<int>(m));
  for (int ki : keyroots(a))
    for (int kj : keyroots(b)) {
      const int li = a.left[static_cast<std::size_t>(ki)], lj = b.left[static_cast<std::size_t>(kj)];
      std::vector<std::vector<int>> fd(static_cast<std::size_t>(ki - li + 2),
                                       std::vector<int>(static_cast<std::size_t>(kj - lj + 2)));
      for (std::size_t x = 1; x < fd.size(); ++x) fd[x][0] = fd[x - 1][0] + 1;
      for (std::size_t y = 1; y < fd[0].size(); ++y) fd[0][y] = fd[0][y - 1] + 1;
      for (std::size_t x = 1; x < fd.size(); ++x)
        for (std::size_t y = 1; y < fd[0].size(); ++y) {
          const std::size_t i = static_cast<std::size_t>(li) + x - 1,
                            j = static_cast<std::size_t>(lj) + y - 1;
          const int one = std::min(fd[x - 1][y], fd[x][y - 1]) + 1;
          if (a.left[i] == li && b.left[j] == lj) {
            fd[x][y] = std::min(one, fd[x - 1][y - 1] + (a.label[i] == b.label[j] ? 0 : 1));
            td[i][j] = fd[x][y];
          } else {
            fd[x][y] = std::min(
                one, fd[static_cast<std::size_t>(a.left[i] - li)][static_cast<std::size_t>(b.left[j] - lj)] +
                         td[i][j]);
          }
        }
    }
  return td[n - 1][m - 1];
}

}  // namespace norn::testing
