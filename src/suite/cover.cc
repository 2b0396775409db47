#include "suite/cover.h"

#include <algorithm>
#include <numeric>
#include <queue>

namespace norn {
namespace {

/// Items to sets and back, both as flat rows.
struct Index {
  std::vector<std::uint32_t> item_rows, sets_of;  ///< sets_of[item_rows[i] .. item_rows[i + 1])
  std::vector<std::uint32_t> set_rows, items_of;

  Index(std::span<const Coverage> sets, const Coverage& covered) {
    set_rows.push_back(0);
    for (const Coverage& set : sets) {
      const auto ids = covered.empty() ? set.ids() : (set - covered).ids();
      items_of.insert(items_of.end(), ids.begin(), ids.end());
      set_rows.push_back(static_cast<std::uint32_t>(items_of.size()));
    }
    const std::uint32_t items =
        items_of.empty() ? 0 : *std::max_element(items_of.begin(), items_of.end()) + 1;
    item_rows.assign(items + 1U, 0);
    for (const std::uint32_t item : items_of) ++item_rows[item + 1];
    std::partial_sum(item_rows.begin(), item_rows.end(), item_rows.begin());
    sets_of.resize(items_of.size());
    auto fill = item_rows;
    for (std::uint32_t s = 0; s + 1 < set_rows.size(); ++s)
      for (std::uint32_t i = set_rows[s]; i < set_rows[s + 1]; ++i) sets_of[fill[items_of[i]]++] = s;
  }
  std::uint32_t items() const { return static_cast<std::uint32_t>(item_rows.size()) - 1; }
  std::uint32_t size(std::uint32_t set) const { return set_rows[set + 1] - set_rows[set]; }
  std::span<const std::uint32_t> items_in(std::uint32_t set) const {
    return std::span(items_of).subspan(set_rows[set], size(set));
  }
  std::span<const std::uint32_t> sets_with(std::uint32_t item) const {
    return std::span(sets_of).subspan(item_rows[item], item_rows[item + 1] - item_rows[item]);
  }
};

/// Gains that fall as items get covered.
class Gains {
 public:
  explicit Gains(const Index& index) : index_(index), done_(index.items(), 0) {
    for (std::uint32_t s = 0; s + 1 < index.set_rows.size(); ++s) gain_.push_back(index.size(s));
  }
  std::uint32_t operator[](std::uint32_t set) const { return gain_[set]; }
  void take(std::uint32_t set) {
    for (const std::uint32_t item : index_.items_in(set)) {
      if (done_[item]) continue;
      done_[item] = 1;
      for (const std::uint32_t other : index_.sets_with(item)) --gain_[other];
    }
  }

 private:
  const Index& index_;
  std::vector<char> done_;
  std::vector<std::uint32_t> gain_;
};

}  // namespace

std::vector<std::uint32_t> greedy_cover(std::span<const Coverage> sets, const Coverage& covered,
                                        std::span<const double> costs) {
  const Index index(sets, covered);
  Gains gains(index);
  std::uint32_t most = 0;
  for (std::uint32_t s = 0; s < sets.size(); ++s) most = std::max(most, gains[s]);
  // A set lies in the bucket of a gain it once had; when its turn comes it is taken or moved down.
  std::vector<std::vector<std::uint32_t>> buckets(most + 1U);
  for (std::uint32_t s = 0; s < sets.size(); ++s) buckets[gains[s]].push_back(s);
  const auto cheaper = [&](std::uint32_t a, std::uint32_t b) {
    if (!costs.empty() && costs[a] != costs[b]) return costs[a] < costs[b];
    return a < b;
  };
  std::vector<std::uint32_t> taken;
  for (std::uint32_t gain = most; gain > 0; --gain) {
    auto waiting = std::move(buckets[gain]);
    std::sort(waiting.begin(), waiting.end(), cheaper);
    for (const std::uint32_t s : waiting) {
      if (gains[s] < gain) {
        buckets[gains[s]].push_back(s);
        continue;
      }
      taken.push_back(s);
      gains.take(s);
    }
  }
  return taken;
}

std::vector<std::uint32_t> early_order(std::span<const Coverage> sets, std::span<const double> costs) {
  const Index index(sets, {});
  Gains gains(index);
  struct Waiting {
    double rate;
    std::uint32_t set;
    bool operator<(const Waiting& o) const { return rate != o.rate ? rate < o.rate : set > o.set; }
  };
  const auto rate = [&](std::uint32_t s) { return gains[s] / std::max(costs[s], 1e-9); };
  std::priority_queue<Waiting> queue;
  for (std::uint32_t s = 0; s < sets.size(); ++s) queue.push({rate(s), s});
  std::vector<std::uint32_t> order;
  while (!queue.empty()) {
    Waiting top = queue.top();
    queue.pop();
    if (const double now = rate(top.set); now < top.rate) {
      queue.push({now, top.set});
      continue;
    }
    order.push_back(top.set);
    gains.take(top.set);
  }
  return order;
}

}  // namespace norn
