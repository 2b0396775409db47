// Tree edit distance: how one screen becomes another with the fewest insertions, deletions and changes of
// single widgets (Zhang and Shasha), and which widget corresponds to which.
//
// Three facts make it quick on screens, which mostly agree. With a metric cost
//   * an equal first (or last) subtree on both sides may be matched and cut off,
//   * two single trees with equal roots may have their roots matched and be entered,
// both without losing the optimum (induction over the cut-off part with the triangle inequality), so only the
// part that really differs reaches the dynamic program; and
//   * the program runs over left or right decompositions, whichever has less to do.
//
// Costs are composite: every operation counts 2^16, and a change adds 4 for another class, 2 for another id,
// 1 for anything else. The fewest operations therefore always win, and among equally short scripts the one
// that keeps classes, then ids. What is still equal is settled by a fixed order of preference: the answer
// depends on the two trees alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace norn {

/// A widget as far as it is compared: hashes, equal hash is taken as equal.
struct TedNode {
  std::uint64_t content = 0;  ///< of everything that counts, class and id among it
  std::uint64_t cls = 0, id = 0;
  std::int32_t subtree = 1;  ///< pre-order, as in Screen
};

/// A forest in pre-order with a hash per subtree. Its trees hang below a root of their own that is not listed.
class TedTree {
 public:
  TedTree() = default;
  explicit TedTree(std::vector<TedNode> nodes);

  std::span<const TedNode> nodes() const { return nodes_; }
  std::uint64_t subtree_hash(std::size_t i) const { return hashes_[i]; }
  std::uint64_t hash() const { return hash_; }
  std::size_t size() const { return nodes_.size(); }

 private:
  std::vector<TedNode> nodes_;
  std::vector<std::uint64_t> hashes_;
  std::uint64_t hash_ = 0;
};

struct TedMapping {
  std::vector<std::int32_t> to;    ///< for each node of the first: its counterpart in the second, or -1
  std::vector<std::int32_t> from;  ///< the other way round
  std::uint32_t operations = 0;    ///< the distance
  bool exact = true;  ///< false: what differs is beyond ted_cells, equal parts alone were matched
};

/// More cells than this are not worked through: 64 MB.
inline constexpr std::size_t ted_cells = std::size_t{1} << 24;

/// The least-cost mapping. ted_map(a, b) and ted_map(b, a) need not be mirror images where several are
/// equally good.
TedMapping ted_map(const TedTree& a, const TedTree& b);

/// The number of operations; nothing if there are more than `limit`, which is often seen at a glance.
std::optional<std::uint32_t> ted_distance(const TedTree& a, const TedTree& b,
                                          std::uint32_t limit = 0xffffffff);
/// What a glance gives: the distance is at least this.
std::uint32_t ted_at_least(const TedTree& a, const TedTree& b);

}  // namespace norn
