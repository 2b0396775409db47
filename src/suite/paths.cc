#include "suite/paths.h"

#include <numeric>

namespace norn {

PrefixHash hash_of(std::span<const Link> path) {
  PrefixHash hash = empty_prefix;
  for (const Link& link : path) hash = extend(hash, link);
  return hash;
}

double more_of(std::span<const Link> path) {
  return std::accumulate(path.begin(), path.end(), 0.0,
                         [](double sum, const Link& link) { return sum + link.more; });
}

double seconds_of(std::span<const Link> path, const Prices& prices) {
  return prices.restart + prices.event * static_cast<double>(path.size()) + more_of(path);
}

ItemSetId Knowledge::intern(const ItemSet& items) {
  const std::uint64_t hash = items.hash();
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto at = begin; at != end; ++at)
    if (sets_[at->second] == items) return at->second;
  const auto id = static_cast<ItemSetId>(sets_.size());
  sets_.push_back(items);
  by_hash_.emplace(hash, id);
  return id;
}

ItemSet items_of(std::span<const Link> path, const Knowledge& known) {
  ItemSet all;
  PrefixHash prefix = empty_prefix;
  for (const Link& link : path) {
    prefix = extend(prefix, link);
    all |= known.items(prefix, link);
  }
  return all;
}

}  // namespace norn
