// Building what a suite lacks: again and again the step that adds most for the seconds of the way to it.
//
// Onward from the end of one of the last traces, over steps between abstract states as the traces made them,
// or from a fresh start, or along a way that is known to replay already. Rare things are worth more; steps
// that have misled before are trusted less. Every question shares its prefix with one before: a snapshot pays
// for it.
#include <algorithm>
#include <limits>
#include <unordered_set>

#include "suite/making.h"

namespace norn {
namespace {

constexpr std::size_t looked_at =
    24;  ///< ways on that are weighed once more with what is known of their steps
constexpr std::size_t tries_at_once = 5;  ///< of which so many are asked
constexpr std::size_t most_ends = 8;      ///< traces that may go on: the last ones made
constexpr std::uint32_t longest_repair = 12;
constexpr double repair_noise = 0.4;

/// What steps are worth, given what is wanted still. The sums are kept; what is taken away spoils those that
/// had it.
class Worth {
 public:
  Worth(const Knowledge& known, const ItemSet& wanted, const std::vector<double>& weights)
      : known_(known), first_(wanted), wanted_(wanted) {
    want_.assign(weights.size(), 0);
    seen_.assign(weights.size(), 0);
    holders_.resize(weights.size());
    for (const std::uint32_t item : wanted.ids()) want_[item] = weights[item];
  }
  void take(const ItemSet& had) {
    for (const std::uint32_t item : (wanted_ & had).ids()) {
      want_[item] = 0;
      for (const ItemSetId id : holders_[item]) sums_[id] = spoilt;
    }
    wanted_ -= had;
  }
  const ItemSet& wanted() const { return wanted_; }

  double of(ItemSetId id) {
    const auto& items = ids(id);
    if (sums_[id] == spoilt) {
      sums_[id] = 0;
      for (const std::uint32_t item : items) sums_[id] += want_[item];
    }
    return sums_[id];
  }
  /// A walk over steps: what each adds to those before.
  void begin() { ++stamp_; }
  double more(ItemSetId id) {
    if (of(id) <= 0) return 0;
    double sum = 0;
    for (const std::uint32_t item : ids(id)) {
      if (seen_[item] == stamp_) continue;
      seen_[item] = stamp_;
      sum += want_[item];
    }
    return sum;
  }

 private:
  static constexpr double spoilt = -1, unknown = -2;

  const std::vector<std::uint32_t>& ids(ItemSetId id) {
    if (id >= ids_.size()) ids_.resize(id + 1U), sums_.resize(id + 1U, unknown);
    if (sums_[id] == unknown) {
      sums_[id] = spoilt;
      ids_[id] = (known_.set(id) & first_).ids();
      for (const std::uint32_t item : ids_[id]) holders_[item].push_back(id);
    }
    return ids_[id];
  }

  const Knowledge& known_;
  ItemSet first_, wanted_;
  std::vector<double> want_, sums_;
  std::vector<std::uint64_t> seen_;
  std::vector<std::vector<std::uint32_t>> ids_;  ///< of a set: what was wanted at first
  std::vector<std::vector<ItemSetId>> holders_;  ///< of an item
  std::uint64_t stamp_ = 0;
};

/// Rare things are worth more: one over the number of different steps that have it.
std::vector<double> weights_of(const std::vector<Input>& inputs, const Knowledge& known,
                               const ItemSet& wanted) {
  std::vector<double> out;
  std::unordered_set<std::uint64_t> seen;
  for (const std::uint32_t item : wanted.ids()) out.resize(item + 1U, 0);
  for (const Input& input : inputs) {
    Joint at = 0;
    for (const Link& link : input.path) {
      const bool fresh = seen.insert(Hasher().add(at).add(link.key).add(link.items).finish()).second;
      at = link.loose;
      if (!fresh) continue;
      for (const std::uint32_t item : (known.set(link.items) & wanted).ids()) ++out[item];
    }
  }
  for (double& w : out) w = w > 0 ? 1 / w : 1;
  return out;
}

/// A way on, or a fresh start.
struct Onward {
  double score = 0;
  std::size_t end = 0;  ///< which trace; their number: a new one
  Joint from = 0;
  Bridges::Hit hit{};
  Path path{};
  bool operator<(const Onward& o) const {
    if (score != o.score) return score > o.score;
    if (end != o.end) return end < o.end;
    if (hit.link->key != o.hit.link->key) return hit.link->key < o.hit.link->key;
    return std::pair(hit.at, hit.link->items) < std::pair(o.hit.at, o.hit.link->items);
  }
};

class Repairing {
 public:
  Repairing(const Bridges& bridges, const Knowledge& known, Worth& worth, const Prices& prices, Rng& rng,
            std::vector<Path> good, std::vector<NodeId> ends, Joint start)
      : bridges_(bridges),
        known_(known),
        worth_(worth),
        prices_(prices),
        rng_(rng),
        good_(std::move(good)),
        good_ends_(std::move(ends)),
        start_(start) {}

  /// The best ways on from the ends of `made`, and from the start, best first.
  std::vector<Onward> onward(const std::vector<SuiteMember>& made) {
    std::vector<Onward> all;
    for (std::size_t e = made.size() - std::min(made.size(), most_ends); e < made.size(); ++e)
      if (!made[e].keep && !made[e].path.empty() && !made[e].path.back().crash)
        add(all, e, made[e].path.back().loose, 0);
    add(all, made.size(), start_, prices_.restart);
    const std::size_t most = std::min(all.size(), looked_at);
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most), all.end());
    all.resize(most);
    for (Onward& one : all) {
      if (one.end < made.size()) one.path = made[one.end].path;
      one.score *= trust(one);
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  struct Known {
    double score = 0;
    NodeId end{};
    std::size_t length = 0;
  };
  /// The best beginning of what replayed before: nothing to ask.
  Known known() {
    Known best;
    upper_.resize(good_.size(), std::numeric_limits<double>::infinity());
    for (std::size_t g = 0; g < good_.size(); ++g) {
      if (upper_[g] <= best.score) continue;  // what a path is worth only falls
      upper_[g] = 0;
      worth_.begin();
      double gain = 0, beyond = 0;
      for (std::size_t i = 0; i < good_[g].size(); ++i) {
        const double more = worth_.more(good_[g][i].items);
        beyond += good_[g][i].more;
        if (more <= 0) continue;
        gain += more;
        const double score = gain / (prices_.restart + prices_.event * static_cast<double>(i + 1) + beyond);
        upper_[g] = std::max(upper_[g], score);
        if (score > best.score) best = {score, good_ends_[g], i + 1};
      }
    }
    return best;
  }

 private:
  void add(std::vector<Onward>& all, std::size_t end, Joint from, double more_seconds) {
    for (const Bridges::Hit& hit : bridges_.within(from, longest_repair)) {
      const double gain = worth_.of(hit.link->items);
      if (gain <= 0) continue;
      const double chance = 1 - repair_noise * static_cast<double>(mixed(end, hit) >> 40) * 0x1p-24;
      all.push_back(
          {chance * gain / (more_seconds + prices_.event * hit.steps + hit.more), end, from, hit, {}});
    }
    salt_ = rng_.next();
  }
  /// Chance that does not depend on the order in which ways are looked at.
  std::uint64_t mixed(std::size_t end, const Bridges::Hit& hit) const {
    return Hasher().add(salt_).add(end).add(hit.at).add(hit.link->key).add(hit.link->items).finish();
  }
  double trust(Onward& one) const {
    double out = 1;
    Joint at = one.from;
    for (const Link& link : bridges_.way(one.from, one.hit)) {
      out *= known_.trust(at, link);
      at = link.loose;
      one.path.push_back(link);
    }
    return out;
  }

  const Bridges& bridges_;
  const Knowledge& known_;
  Worth& worth_;
  Prices prices_;
  Rng& rng_;
  std::vector<Path> good_;
  std::vector<NodeId> good_ends_;
  std::vector<double> upper_;  ///< of each: what it was worth when last looked at
  Joint start_;
  std::uint64_t salt_ = 0;
};

}  // namespace

void Making::repair(std::vector<SuiteMember>& made, const ItemSet& wanted, const Bridges& bridges,
                    double dearest, Rng& rng) {
  if (weights_.empty()) weights_ = weights_of(inputs_, known_, promised_);
  Worth worth(known_, wanted, weights_);
  const auto ends = pool();
  std::vector<Path> good;
  for (const NodeId end : ends) good.push_back(material_.path(end));
  Repairing search(bridges, known_, worth, options_.prices, rng, std::move(good), ends,
                   material_.loose_start());
  while (!worth.wanted().empty() && !trials_.over() && cost(made) < dearest) {
    const auto known = search.known();
    std::vector<Path> paths;
    std::vector<std::size_t> from;
    for (const Onward& one : search.onward(made)) {
      if (one.score <= known.score || paths.size() == tries_at_once) break;
      if (fails(one.path) || known_.is_aside(hash_of(one.path))) continue;
      paths.push_back(one.path);
      from.push_back(one.end);
    }
    const auto gains = [&](const Tried& t) {
      return t.verdict == Verdict::yes && !(t.confirmed & worth.wanted()).empty();
    };
    const auto tried = trials_.ask(paths, Until::lowest_yes);
    std::size_t yes = 0;
    for (; yes < tried.size() && !gains(tried[yes]); ++yes)
      if (tried[yes].verdict != Verdict::no &&
          !(tried[yes].verdict == Verdict::unresolved && tried[yes].why.empty()))
        known_.set_aside(hash_of(paths[yes]));  // the rig cannot say, or it adds nothing
    if (yes < tried.size()) {
      SuiteMember next = ran(tried[yes].end, paths[yes].size());
      worth.take(next.confirmed);
      if (from[yes] == made.size())
        made.push_back(std::move(next));
      else
        made[from[yes]] = std::move(next);
    } else if (!paths.empty()) {
      continue;  // what failed is known now
    } else if (known.length > 0) {
      made.push_back(ran(known.end, known.length));
      worth.take(made.back().confirmed);
    } else {
      break;
    }
  }
}

}  // namespace norn
