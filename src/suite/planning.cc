// Phase 3, planning. Devices are slow and computing is not: from all that was executed a guess is made at the
// states behind the screens (fold.h), the cheapest suite is sought on that guess (plan.h), and then asked.
// Where it does not go as planned, more is known, and a better plan is made.
//
// A guess is worth as much as it is likely. Along what was run before a plan risks nothing; any other step
// costs, besides its event, what it would cost on the average to be led elsewhere. How much that is
// experience tells: after a plan that came to nothing the next is made as if it were twice as much, and half
// as much where such a plan saves nothing.
#include <algorithm>
#include <limits>

#include "suite/making.h"
#include "suite/plan.h"

namespace norn {
namespace {

constexpr double plan_runs = 30;            ///< runs of the suite that one search may take
constexpr double plans_share = 3;           ///< of what was asked before, that all together may ask
constexpr double plans_of_given = 2.5;      ///< runs of what was given, the same
constexpr double vain_of_given = 0.5;       ///< runs of what was given, until one in vain is the last
constexpr int most_replans = 8;             ///< searches
constexpr std::uint32_t plan_rounds = 300;  ///< of one plan
constexpr std::uint32_t most_gains = 64;    ///< of one plan, while plans go as hoped
constexpr std::uint32_t plans_in_vain = 4;  ///< in a row that would save nothing
constexpr std::uint32_t most_mends = 30;    ///< of a plan that did not go as hoped
constexpr double first_risk = 5;            ///< events that a step costs which surely leads elsewhere
constexpr double most_risk = 160;           ///< the same, however often plans come to nothing
constexpr std::uint64_t all_plans_work = 4'000'000'000;  ///< of guessing and planning, whatever it takes

constexpr std::uint32_t off_model = UINT32_MAX;

/// The guess as a network of roads.
class RoadMap {
 public:
  RoadMap(const Folding& model, const Knowledge& known, const ItemSet& wanted, double risk)
      : model_(model), ids_(wanted.ids()) {
    for (std::uint32_t state = 0; state < model.size(); ++state) {
      first_.push_back(static_cast<std::uint32_t>(roads_.size()));
      for (const auto& [to, link, trust] : model.ways(state)) {
        roads_.push_back(
            {state, to, numbers(known.set(link->items) & wanted), risk * (1 - trust), link->more});
        links_.push_back(link);
      }
    }
  }

  /// A path as roads, as far as the model goes along.
  RoadWalk along(const Path& path) const {
    RoadWalk out;
    std::uint32_t at = 0;
    for (const Link& link : path) {
      const std::uint32_t road = road_at(at, link.key);
      if (road == off_model) break;
      out.push_back(road);
      if (links_[road]->expect != link.expect) break;
      at = roads_[road].to;
    }
    return out;
  }
  Path path(const RoadWalk& walk) const {
    Path out;
    for (const std::uint32_t road : walk) out.push_back(*links_[road]);
    return out;
  }
  /// What was run, as roads.
  std::vector<Fact> facts() const {
    std::vector<Fact> out;
    std::vector<std::uint32_t> number(model_.moments(), 0);
    for (std::uint32_t m = 1; m < model_.moments(); ++m) {
      const auto [before, state, link] = model_.step(m);
      const std::uint32_t road = number[before] == off_model ? off_model : road_at(state, link->key);
      number[m] = off_model;
      if (road == off_model || links_[road]->expect != link->expect) continue;
      out.push_back({number[before], road});
      number[m] = static_cast<std::uint32_t>(out.size());
    }
    return out;
  }
  Planning planning(const Prices& prices) const {
    return {roads_, static_cast<std::uint32_t>(model_.size()), static_cast<std::uint32_t>(ids_.size()),
            prices, facts()};
  }

 private:
  std::vector<std::uint32_t> numbers(const ItemSet& items) const {
    std::vector<std::uint32_t> out = items.ids();
    for (auto& item : out)
      item = static_cast<std::uint32_t>(std::lower_bound(ids_.begin(), ids_.end(), item) - ids_.begin());
    return out;
  }
  std::uint32_t road_at(std::uint32_t state, EventKey key) const {
    const auto ways = model_.ways(state);
    const auto way =
        std::find_if(ways.begin(), ways.end(), [&](const Folding::Way& w) { return w.link->key == key; });
    return way == ways.end() ? off_model : first_[state] + static_cast<std::uint32_t>(way - ways.begin());
  }

  const Folding& model_;
  std::vector<std::uint32_t> ids_;  ///< items by their numbers
  std::vector<Road> roads_;
  std::vector<const Link*> links_;    ///< of each road
  std::vector<std::uint32_t> first_;  ///< of each state: its first road
};

}  // namespace

std::vector<Path> Making::planned(const Folding& model, const std::vector<Path>& from, const ItemSet& wanted,
                                  std::uint32_t gains, double risk, Rng& rng) {
  const RoadMap map(model, known_, wanted, options_.prices.event * risk);
  std::vector<RoadWalk> walks;
  for (const Path& path : from) walks.push_back(map.along(path));
  Planning planning = map.planning(options_.prices);
  std::vector<Path> out;
  for (const RoadWalk& walk : planning.improve(std::move(walks), plan_rounds, gains, rng, trials_.stop()))
    out.push_back(map.path(walk));
  planned_work_ += planning.work();
  return out;
}

/// A search that saved nothing is made again with other chances, if what was given was long enough for that
/// to be little.
void Making::replan() {
  const double until = std::min((1 + plans_share) * trials_.asked_seconds(),
                                spare(std::numeric_limits<double>::infinity(), plans_of_given));
  const double patient = trials_.asked_seconds() + vain_of_given * given_seconds_;
  std::uint64_t in_vain = 0;
  for (int round = 0; round < most_replans && !trials_.over(); ++round) {
    const double before = cost(members_);
    if (options_.k > 0) plan(std::min(until, spare(plan_runs, plans_of_given)), options_.seed + in_vain);
    settle();
    in_vain += cost(members_) > before - 1e-9 ? 1 : 0;
    if (in_vain > 0 && enough(patient)) break;
  }
}

/// What a plan does is a fact once it was run, whether it went as hoped or not. So a plan that lacks
/// something is mended from there; and after one that came to nothing the next changes less and dares less.
void Making::plan(double until, std::uint64_t seed) {
  if (!replay_.assumed_deterministic()) return;
  Folding model(replay_.history(), material_);
  for (const Input& input : inputs_) model.add(input.node);
  std::vector<SuiteMember> kept;
  for (const SuiteMember& m : members_)
    if (m.keep) kept.push_back(m);
  const ItemSet wanted = missing(kept);
  std::vector<Path> hoped;
  std::size_t learnt = 0;
  std::uint32_t mends = 0, gains = most_gains;
  double risk = first_risk;
  Rng rng(seed);
  for (std::uint32_t in_vain = 0;
       in_vain < plans_in_vain && !enough(until) && planned_work_ < all_plans_work;) {
    for (; learnt < trials_.seen().size(); ++learnt) model.add(trials_.seen()[learnt]);
    model.fold();
    planned_work_ += model.work();
    const bool fresh = hoped.empty();
    if (fresh) mends = 0, hoped = free_paths();
    hoped = planned(model, hoped, wanted, fresh ? gains : 0, risk, rng);
    const double price = std::accumulate(hoped.begin(), hoped.end(), cost(kept),
                                         [&](double sum, const Path& path) { return sum + seconds(path); });
    say("planning: a run takes {:.0f} s and may take {:.0f}, {} candidates replayed of {}", cost(members_),
        price, trials_.replayed(), trials_.tried());
    if (price >= cost(members_) - 1e-9 || mends++ == most_mends) {
      in_vain = fresh ? in_vain + 1 : 0;
      risk = fresh ? risk / 2 : std::min(2 * risk, most_risk);
      gains = std::max(1U, gains / 4);
      hoped.clear();
      continue;
    }
    auto made = carried_out(hoped, kept);
    if (!missing(made).empty() || cost(made) >= cost(members_) - 1e-9) continue;
    members_ = std::move(made);
    in_vain = 0;
    gains = std::min(2 * gains, most_gains);
    hoped.clear();
  }
}

std::vector<Path> Making::free_paths() const {
  std::vector<Path> out;
  for (const SuiteMember& m : members_)
    if (!m.keep) out.push_back(m.path);
  return out;
}

std::vector<SuiteMember> Making::carried_out(std::vector<Path>& hoped, const std::vector<SuiteMember>& kept) {
  std::vector<SuiteMember> made = kept;
  const auto ends = trials_.run(hoped);
  hoped.clear();
  for (const auto& end : ends) {
    if (!end || *end == replay_.history().root()) continue;
    made.push_back(ran(*end, std::numeric_limits<std::size_t>::max()));
    hoped.push_back(made.back().path);
  }
  trim(made);
  return made;
}

}  // namespace norn
