// Narrow down first (see the header), then Zhang-Shasha on what is left. The program fills td[i][j], the
// distance of the subtrees rooted at i and j in post-order, keyroot pair by keyroot pair; the mapping is read
// back from it by filling the forest table of one subtree pair again and walking it from its corner: a pair
// of subtrees found on the way is put on a stack. Nothing recurses.
#include "gui/ted.h"

#include <algorithm>

#include "base/hash.h"

namespace norn {
namespace {

constexpr std::int32_t operation = 1 << 16;

struct Range {
  std::int32_t begin, end;
  std::int32_t size() const { return end - begin; }
  bool empty() const { return begin >= end; }
};
struct Forests {
  Range a, b;
};

std::int32_t change_cost(const TedNode& a, const TedNode& b) {
  if (a.content == b.content) return 0;
  return operation + (a.cls != b.cls ? 4 : 0) + (a.id != b.id ? 2 : 0) + 1;
}

/// The part of two forests that differs after everything equal around it was matched.
class Narrowing {
 public:
  Narrowing(const TedTree& a, const TedTree& b, TedMapping& out) : a_(a), b_(b), out_(out) {}

  Forests run() {
    Forests f{{0, static_cast<std::int32_t>(a_.size())}, {0, static_cast<std::int32_t>(b_.size())}};
    do {
      cut_front(f);
      cut_back(f);
    } while (enter(f));
    return f;
  }

 private:
  std::uint64_t hash_a(std::int32_t i) const { return a_.subtree_hash(static_cast<std::size_t>(i)); }
  std::uint64_t hash_b(std::int32_t j) const { return b_.subtree_hash(static_cast<std::size_t>(j)); }
  std::int32_t size_a(std::int32_t i) const { return a_.nodes()[static_cast<std::size_t>(i)].subtree; }
  std::int32_t size_b(std::int32_t j) const { return b_.nodes()[static_cast<std::size_t>(j)].subtree; }

  void match(std::int32_t i, std::int32_t j, std::int32_t count) {
    for (std::int32_t k = 0; k < count; ++k) {
      out_.to[static_cast<std::size_t>(i + k)] = j + k;
      out_.from[static_cast<std::size_t>(j + k)] = i + k;
    }
  }
  void cut_front(Forests& f) {
    while (!f.a.empty() && !f.b.empty() && hash_a(f.a.begin) == hash_b(f.b.begin)) {
      const std::int32_t size = size_a(f.a.begin);
      match(f.a.begin, f.b.begin, size);
      f.a.begin += size, f.b.begin += size;
    }
  }
  void cut_back(Forests& f) {
    std::vector<std::int32_t> tops_a = tops(a_, f.a), tops_b = tops(b_, f.b);
    while (!tops_a.empty() && !tops_b.empty() && hash_a(tops_a.back()) == hash_b(tops_b.back())) {
      match(tops_a.back(), tops_b.back(), size_a(tops_a.back()));
      f.a.end = tops_a.back(), f.b.end = tops_b.back();
      tops_a.pop_back(), tops_b.pop_back();
    }
  }
  /// Two single trees with equal roots: match them, go on with their children.
  bool enter(Forests& f) {
    if (f.a.empty() || f.b.empty() || size_a(f.a.begin) != f.a.size() || size_b(f.b.begin) != f.b.size())
      return false;
    const auto& a = a_.nodes()[static_cast<std::size_t>(f.a.begin)];
    const auto& b = b_.nodes()[static_cast<std::size_t>(f.b.begin)];
    if (a.content != b.content) return false;
    match(f.a.begin, f.b.begin, 1);
    ++f.a.begin, ++f.b.begin;
    return true;
  }
  static std::vector<std::int32_t> tops(const TedTree& tree, Range r) {
    std::vector<std::int32_t> out;
    for (std::int32_t at = r.begin; at < r.end; at += tree.nodes()[static_cast<std::size_t>(at)].subtree)
      out.push_back(at);
    return out;
  }

  const TedTree& a_;
  const TedTree& b_;
  TedMapping& out_;
};

/// One side in post-order, perhaps mirrored, with a root of its own at the end.
struct Side {
  std::vector<std::int32_t> pre;   ///< position in the tree; -1: the root added
  std::vector<std::int32_t> left;  ///< leftmost leaf below, in post-order
  std::vector<std::int32_t> keyroots;
  std::vector<TedNode> node;

  std::int32_t size() const { return static_cast<std::int32_t>(pre.size()); }
};

/// How much there is to do: the sum of the keyroots' subtree sizes, keyroots being the root and every node
/// that has a sibling before it (mirrored: after it).
std::int64_t work_of(const TedTree& tree, Range r, bool mirrored) {
  std::int64_t work = r.size() + 1;
  std::vector<std::int32_t> open{r.end};  // where the enclosing subtrees end
  bool first = true;
  for (std::int32_t i = r.begin; i < r.end; ++i) {
    while (open.back() <= i) open.pop_back(), first = false;
    const std::int32_t end = i + tree.nodes()[static_cast<std::size_t>(i)].subtree;
    if (mirrored ? end < open.back() : !first) work += end - i;
    open.push_back(end);
    first = true;
  }
  return work;
}

/// In post-order a node stands at its pre-order place plus its subtree minus one minus its depth, and its
/// subtree is the run that ends there. The mirror image's post-order is the pre-order backwards.
Side make_side(const TedTree& tree, Range r, bool mirrored) {
  const auto n = static_cast<std::size_t>(r.size());
  Side side;
  side.pre.assign(n + 1, -1), side.left.assign(n + 1, 0), side.node.assign(n + 1, TedNode{});
  std::vector<std::int32_t> open;
  for (std::int32_t i = r.begin; i < r.end; ++i) {
    const TedNode& node = tree.nodes()[static_cast<std::size_t>(i)];
    while (!open.empty() && open.back() <= i) open.pop_back();
    const std::int32_t at =
        mirrored ? r.end - 1 - i : i - r.begin + node.subtree - 1 - static_cast<std::int32_t>(open.size());
    side.pre[static_cast<std::size_t>(at)] = i;
    side.left[static_cast<std::size_t>(at)] = at - node.subtree + 1;
    side.node[static_cast<std::size_t>(at)] = node;
    open.push_back(i + node.subtree);
  }
  std::vector<char> seen(n + 1, 0);
  for (std::int32_t i = side.size(); i-- > 0;)
    if (auto& s = seen[static_cast<std::size_t>(side.left[static_cast<std::size_t>(i)])]; !s) {
      s = 1;
      side.keyroots.push_back(i);
    }
  std::ranges::reverse(side.keyroots);
  return side;
}

class Program {
 public:
  Program(Side a, Side b) : a_(std::move(a)), b_(std::move(b)) {
    const auto n = static_cast<std::size_t>(a_.size()), m = static_cast<std::size_t>(b_.size());
    width_ = m + 1;
    td_.assign(n * m, 0);
    fd_.assign((n + 1) * width_, 0);
  }

  void fill() {
    for (const std::int32_t i : a_.keyroots)
      for (const std::int32_t j : b_.keyroots) forest(i, j, true);
  }

  /// The pairs of the mapping, as positions in the trees; the added roots are left out.
  template <class Pair>
  void pairs(Pair pair) {
    std::vector<std::pair<std::int32_t, std::int32_t>> stack{{a_.size() - 1, b_.size() - 1}};
    while (!stack.empty()) {
      const auto [i, j] = stack.back();
      stack.pop_back();
      forest(i, j, false);
      trace(i, j, stack, pair);
    }
  }

 private:
  std::int32_t& td(std::int32_t i, std::int32_t j) {
    return td_[static_cast<std::size_t>(i) * (width_ - 1) + static_cast<std::size_t>(j)];
  }
  /// Row and column are counted from the leftmost leaves of the subtree pair at hand.
  std::int32_t* row(std::int32_t i) { return fd_.data() + static_cast<std::size_t>(i) * width_; }

  /// The forest table of subtrees i and j; `store` also writes td for the pairs of whole trees.
  void forest(std::int32_t i, std::int32_t j, bool store) {
    const std::int32_t li = a_.left[static_cast<std::size_t>(i)], lj = b_.left[static_cast<std::size_t>(j)];
    const std::int32_t rows = i - li + 1, columns = j - lj + 1;
    std::int32_t* first = row(0);
    for (std::int32_t y = 0; y <= columns; ++y) first[y] = y * operation;
    for (std::int32_t x = 1; x <= rows; ++x) {
      const std::int32_t p = li + x - 1, lp = a_.left[static_cast<std::size_t>(p)];
      std::int32_t* now = row(x);
      now[0] = x * operation;
      if (lp == li)
        tree_row(p, x, columns, lj, store);
      else
        forest_row(p, lp - li, x, columns, lj);
    }
  }
  void tree_row(std::int32_t p, std::int32_t x, std::int32_t columns, std::int32_t lj, bool store) {
    const std::int32_t* above = row(x - 1);
    const std::int32_t* bottom = row(0);
    std::int32_t* now = row(x);
    std::int32_t* trees = &td(p, 0);
    const TedNode& mine = a_.node[static_cast<std::size_t>(p)];
    const std::int32_t* left = b_.left.data() + lj;
    const TedNode* theirs = b_.node.data() + lj;
    std::int32_t before = now[0];
    for (std::int32_t y = 1; y <= columns; ++y) {
      std::int32_t best = std::min(above[y], before) + operation;
      if (left[y - 1] == lj) {
        best = std::min(best, above[y - 1] + change_cost(mine, theirs[y - 1]));
        if (store) trees[lj + y - 1] = best;
      } else {
        best = std::min(best, bottom[left[y - 1] - lj] + trees[lj + y - 1]);
      }
      now[y] = before = best;
    }
  }
  void forest_row(std::int32_t p, std::int32_t skip, std::int32_t x, std::int32_t columns, std::int32_t lj) {
    const std::int32_t* above = row(x - 1);
    const std::int32_t* without = row(skip);
    std::int32_t* now = row(x);
    const std::int32_t* trees = &td(p, 0) + lj;
    const std::int32_t* left = b_.left.data() + lj;
    std::int32_t before = now[0];
    for (std::int32_t y = 1; y <= columns; ++y) {
      const std::int32_t both = without[left[y - 1] - lj] + trees[y - 1];
      now[y] = before = std::min(std::min(above[y], before) + operation, both);
    }
  }

  /// Walks the table of (i, j) back from its corner. Preference: keep a pair, delete, insert.
  template <class Pair>
  void trace(std::int32_t i, std::int32_t j, std::vector<std::pair<std::int32_t, std::int32_t>>& stack,
             Pair& pair) {
    const std::int32_t li = a_.left[static_cast<std::size_t>(i)], lj = b_.left[static_cast<std::size_t>(j)];
    std::int32_t x = i - li + 1, y = j - lj + 1;
    while (x > 0 && y > 0) {
      const std::int32_t p = li + x - 1, q = lj + y - 1;
      const std::int32_t lp = a_.left[static_cast<std::size_t>(p)] - li;
      const std::int32_t lq = b_.left[static_cast<std::size_t>(q)] - lj;
      const std::int32_t here = row(x)[y];
      const bool trees = lp == 0 && lq == 0;
      if (trees && here == row(x - 1)[y - 1] + change_cost(a_.node[static_cast<std::size_t>(p)],
                                                           b_.node[static_cast<std::size_t>(q)])) {
        pair(a_.pre[static_cast<std::size_t>(p)], b_.pre[static_cast<std::size_t>(q)]);
        --x, --y;
      } else if (!trees && here == row(lp)[lq] + td(p, q)) {
        stack.emplace_back(p, q);
        x = lp, y = lq;
      } else if (here == row(x - 1)[y] + operation) {
        --x;
      } else {
        --y;
      }
    }
  }

  Side a_, b_;
  std::size_t width_;
  std::vector<std::int32_t> td_, fd_;
};

/// Beyond the limit: nothing more is matched than what was equal.
bool beyond(const Forests& f) {
  constexpr std::int32_t most = 30000;  // so many operations fit into 32 bits
  return f.a.size() + f.b.size() > most ||
         static_cast<std::size_t>(f.a.size() + 1) * static_cast<std::size_t>(f.b.size() + 1) > ted_cells;
}

void map_rest(const TedTree& a, const TedTree& b, const Forests& f, TedMapping& out) {
  const bool mirrored =
      work_of(a, f.a, true) * work_of(b, f.b, true) < work_of(a, f.a, false) * work_of(b, f.b, false);
  Program program(make_side(a, f.a, mirrored), make_side(b, f.b, mirrored));
  program.fill();
  program.pairs([&](std::int32_t i, std::int32_t j) {
    if (i < 0 || j < 0) return;
    out.to[static_cast<std::size_t>(i)] = j;
    out.from[static_cast<std::size_t>(j)] = i;
  });
}

std::uint32_t count_operations(const TedTree& a, const TedTree& b, const TedMapping& mapping) {
  auto n = static_cast<std::uint32_t>(std::ranges::count(mapping.from, -1));
  for (std::size_t i = 0; i < mapping.to.size(); ++i)
    n += mapping.to[i] < 0 ||
         a.nodes()[i].content != b.nodes()[static_cast<std::size_t>(mapping.to[i])].content;
  return n;
}

}  // namespace

TedTree::TedTree(std::vector<TedNode> nodes) : nodes_(std::move(nodes)), hashes_(nodes_.size()) {
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Hasher h;
    h.add(nodes_[i].content);
    const std::size_t end = i + static_cast<std::size_t>(nodes_[i].subtree);
    for (std::size_t j = i + 1; j < end; j += static_cast<std::size_t>(nodes_[j].subtree)) h.add(hashes_[j]);
    hashes_[i] = h.finish();
  }
  Hasher h;
  for (std::size_t i = 0; i < nodes_.size(); i += static_cast<std::size_t>(nodes_[i].subtree))
    h.add(hashes_[i]);
  hash_ = h.finish();
}

TedMapping ted_map(const TedTree& a, const TedTree& b) {
  TedMapping out;
  out.to.assign(a.size(), -1);
  out.from.assign(b.size(), -1);
  const Forests rest = Narrowing(a, b, out).run();
  if (!rest.a.empty() && !rest.b.empty()) {
    out.exact = !beyond(rest);
    if (out.exact) map_rest(a, b, rest, out);
  }
  out.operations = count_operations(a, b, out);
  return out;
}

std::uint32_t ted_at_least(const TedTree& a, const TedTree& b) {
  std::vector<std::uint64_t> x(a.size()), y(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) x[i] = a.nodes()[i].content;
  for (std::size_t j = 0; j < b.size(); ++j) y[j] = b.nodes()[j].content;
  std::ranges::sort(x), std::ranges::sort(y);
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();)
    if (x[i] == y[j])
      ++common, ++i, ++j;
    else
      ++(x[i] < y[j] ? i : j);
  return static_cast<std::uint32_t>(std::max(x.size(), y.size()) - common);
}

std::optional<std::uint32_t> ted_distance(const TedTree& a, const TedTree& b, std::uint32_t limit) {
  if (a.hash() == b.hash()) return 0;
  if (ted_at_least(a, b) > limit) return std::nullopt;
  const std::uint32_t n = ted_map(a, b).operations;
  return n <= limit ? std::optional(n) : std::nullopt;
}

}  // namespace norn
