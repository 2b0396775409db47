// A trace as the suite sees it: links, each an event with what is expected of it. Links of different traces
// may be put together wherever their joints are equal; whether the result replays is for a device to say.
//
//     start --event, items--> (expect, joint) --event, items--> (expect, joint) ...
//
// A path is known by a hash of its events and expected states, and so is each of its prefixes: what was
// learnt about a prefix (it does not replay; its last step hits less than recorded) holds for every path that
// begins with it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "gui/abstraction.h"
#include "gui/event.h"
#include "shrink/shrink.h"
#include "trace/coverage.h"
#include "trace/history.h"

namespace norn {

/// Items are what a suite must not lose: lines, screens, crashes, numbered by Material.
using ItemSet = Coverage;
using ItemSetId = std::uint32_t;
/// Where paths may be cut and joined: equal values, equal looks.
using Joint = std::uint64_t;
/// As a number of links: there is no way. Two of them can be added.
inline constexpr std::uint32_t never = 0x3fffffff;

struct Link {
  EventId event;
  EventKey key = 0;
  StateId expect;       ///< the abstract screen after it; of a crash: its signature
  Joint joint = 0;      ///< the place after it
  Joint loose = 0;      ///< the same by the abstract state alone
  ItemSetId items = 0;  ///< what it was seen to hit: Knowledge::set()
  bool crash = false;
  double more = 0;  ///< seconds it takes beyond an event's price: see Material
};
using Path = std::vector<Link>;
/// Seconds beyond the events' prices.
double more_of(std::span<const Link> path);
/// Seconds of a run from a clean start.
double seconds_of(std::span<const Link> path, const Prices& prices);

using PrefixHash = std::uint64_t;
inline constexpr PrefixHash empty_prefix = 0x5115;
inline PrefixHash extend(PrefixHash prefix, const Link& link) {
  return Hasher().add(prefix).add(link.key).add(link.expect.value).add(link.crash ? 1 : 0).finish();
}
PrefixHash hash_of(std::span<const Link> path);

/// What trials have taught about prefixes, and the table of item sets.
class Knowledge {
 public:
  ItemSetId intern(const ItemSet& items);
  const ItemSet& set(ItemSetId id) const { return sets_[id]; }

  /// No path that begins so replays.
  void fail(PrefixHash prefix) { failing_.insert(prefix); }
  bool fails(PrefixHash prefix) const { return failing_.contains(prefix); }
  std::size_t failures() const { return failing_.size(); }

  /// The last step of this prefix hits only this.
  void observed(PrefixHash prefix, const ItemSet& items) { seen_[prefix] = intern(items); }
  const ItemSet& items(PrefixHash prefix, const Link& link) const {
    if (seen_.empty()) return set(link.items);
    const auto at = seen_.find(prefix);
    return set(at == seen_.end() ? link.items : at->second);
  }
  bool anything_observed() const { return !seen_.empty(); }
  /// Null where nothing special is known.
  const ItemSet* special(PrefixHash prefix) const {
    const auto at = seen_.find(prefix);
    return at == seen_.end() ? nullptr : &set(at->second);
  }

  /// A step that did not lead where it was expected to: it is trusted less from then on.
  void doubt(Joint from, const Link& link) { ++doubts_[step(from, link)]; }
  double trust(Joint from, const Link& link) const {
    const auto at = doubts_.find(step(from, link));
    return at == doubts_.end() ? 1 : 1.0 / (1 + at->second);
  }

  /// The rig could not say: not to be asked again, and no answer.
  void set_aside(PrefixHash path) { aside_.insert(path); }
  void take_back(PrefixHash path) { aside_.erase(path); }
  bool is_aside(PrefixHash path) const { return aside_.contains(path); }

 private:
  static std::uint64_t step(Joint from, const Link& link) {
    return Hasher().add(from).add(link.key).add(link.expect.value).finish();
  }
  std::unordered_map<std::uint64_t, std::uint32_t> doubts_;
  std::vector<ItemSet> sets_{ItemSet{}};
  std::unordered_multimap<std::uint64_t, ItemSetId> by_hash_;
  std::unordered_set<PrefixHash> failing_, aside_;
  std::unordered_map<PrefixHash, ItemSetId> seen_;
};

/// Everything a path is expected to hit.
ItemSet items_of(std::span<const Link> path, const Knowledge& known);

}  // namespace norn
