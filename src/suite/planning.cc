// Phase 3, planning. Devices are slow and computing is not: from all that was executed a guess is made at the states behind
// the screens (fold.h), the cheapest suite is sought on that guess (plan.h), and then asked. Where it does not go as
// planned, more is known, and a better plan is made.
#include <algorithm>
#include <limits>

#include "suite/making.h"
#include "suite/plan.h"

namespace norn {
namespace {

constexpr double plan_runs = 40;                    ///< runs of the suite that it may take
constexpr std::uint32_t rounds = 300;               ///< of one plan
constexpr std::uint32_t most_gains = 64;            ///< of one plan, while plans go as hoped
constexpr std::uint32_t most_in_vain = 4;           ///< plans in a row that would save nothing
constexpr std::uint32_t most_mends = 4;             ///< of a plan that did not go as hoped
constexpr std::uint64_t most_work = 1'000'000'000;  ///< of guessing and planning, whatever it takes

/// A path as roads, as far as the model goes along.
RoadWalk along(const Path& path, const Folding& model, const std::vector<std::uint32_t>& first) {
  RoadWalk out;
  std::uint32_t at = 0;
  for (const Link& link : path) {
    const auto ways = model.ways(at);
    const auto way = std::find_if(ways.begin(), ways.end(),
                                  [&](const Folding::Way& w) { return w.link->key == link.key; });
    if (way == ways.end()) break;
    out.push_back(first[at] + static_cast<std::uint32_t>(way - ways.begin()));
    if (way->link->expect != link.expect) break;
    at = way->to;
  }
  return out;
}

}  // namespace

std::vector<Path> Making::planned(const Folding& model, const std::vector<Path>& from, const ItemSet& wanted,
                                  std::uint32_t gains, Rng& rng) {
  const auto ids = wanted.ids();
  std::vector<Road> roads;
  std::vector<const Link*> links;
  std::vector<std::uint32_t> first;
  for (std::uint32_t state = 0; state < model.size(); ++state) {
    first.push_back(static_cast<std::uint32_t>(roads.size()));
    for (const auto& [to, link] : model.ways(state)) {
      Road& road = roads.emplace_back(state, to);
      for (const std::uint32_t item : (known_.set(link->items) & wanted).ids())
        road.hits.push_back(
            static_cast<std::uint32_t>(std::lower_bound(ids.begin(), ids.end(), item) - ids.begin()));
      links.push_back(link);
    }
  }
  std::vector<RoadWalk> walks;
  for (const Path& path : from) walks.push_back(along(path, model, first));
  Planning planning(std::move(roads), static_cast<std::uint32_t>(model.size()),
                    static_cast<std::uint32_t>(ids.size()), options_.prices);
  std::vector<Path> out;
  for (const RoadWalk& walk : planning.improve(std::move(walks), rounds, gains, rng)) {
    Path& path = out.emplace_back();
    for (const std::uint32_t road : walk) path.push_back(*links[road]);
  }
  planned_work_ += planning.work();
  return out;
}

/// What a plan does is a fact once it was run, whether it went as hoped or not. So a plan that lacks something is mended from
/// there a few times; and after one that came to nothing the next changes less.
void Making::plan() {
  if (!replay_.assumed_deterministic()) return;
  const double until = spare(plan_runs);
  Folding model(replay_.history(), material_);
  for (const Input& input : inputs_) model.add(input.node);
  std::vector<Member> kept;
  for (const Member& m : members_)
    if (m.keep) kept.push_back(m);
  const ItemSet wanted = missing(kept);
  std::vector<Path> hoped;
  std::size_t learnt = 0;
  std::uint32_t mends = 0, gains = most_gains;
  Rng rng(options_.seed);
  for (std::uint32_t in_vain = 0; in_vain < most_in_vain && !enough(until) && planned_work_ < most_work;) {
    for (; learnt < trials_.seen().size(); ++learnt) model.add(trials_.seen()[learnt]);
    model.fold();
    planned_work_ += model.work();
    const bool fresh = hoped.empty();
    if (fresh) mends = 0, hoped = free_paths();
    hoped = planned(model, hoped, wanted, fresh ? gains : 0, rng);
    const double price = std::accumulate(hoped.begin(), hoped.end(), cost(kept),
                                         [&](double sum, const Path& path) { return sum + seconds(path); });
    say("planning: a run takes {:.0f} s and may take {:.0f}, {} candidates replayed of {}", cost(members_),
        price, trials_.replayed(), trials_.tried());
    if (price >= cost(members_) - 1e-9 || mends++ == most_mends) {
      in_vain = fresh ? in_vain + 1 : 0;
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
  for (const Member& m : members_)
    if (!m.keep) out.push_back(m.path);
  return out;
}

std::vector<Member> Making::carried_out(std::vector<Path>& hoped, const std::vector<Member>& kept) {
  std::vector<Member> made = kept;
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
