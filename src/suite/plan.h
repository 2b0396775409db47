// The cheapest walks over a known network that hit everything: a walk costs a restart and its steps. That is
// a travelling salesman's problem, and is searched as such: a part of the walks is thrown away, what is
// missing then is built anew, again and again the step that adds most for the way to it, with a little
// chance; what is cheaper is kept. No device is asked: a thousand rounds take a second.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "base/rng.h"
#include "shrink/shrink.h"

namespace norn {

/// A step between two places with what it hits, numbered from 0.
struct Road {
  std::uint32_t from = 0, to = 0;
  std::vector<std::uint32_t> hits{};
  double risk = 0;  ///< seconds that it costs besides, on the average, because it may lead elsewhere
  double more = 0;  ///< seconds that it takes beyond an event's price
};
/// Walks that are known to go as the roads say, as one tree: node i + 1 is this road taken at node `before`;
/// 0 is the start.
struct Fact {
  std::uint32_t before = 0, road = 0;
};
/// Roads by their numbers, from place 0 on.
using RoadWalk = std::vector<std::uint32_t>;

class Planning {
 public:
  /// `items`: how many there are to hit. Along facts nothing is risked. REQUIRES: a fact comes after the one
  /// before it.
  Planning(std::vector<Road> roads, std::uint32_t places, std::uint32_t items, const Prices& prices,
           std::vector<Fact> facts = {});

  /// Cheaper walks that hit what these do and whatever else can be hit. What is missing is added first; then
  /// up to so many rounds, until so many of them have gained something: few gains change little, many may
  /// change all. Large networks and long walks get fewer rounds; asked to stop, it gives the best so far.
  std::vector<RoadWalk> improve(std::vector<RoadWalk> walks, std::uint32_t rounds, std::uint32_t gains,
                                Rng& rng, const std::stop_token& stop = {});
  /// Seconds, with what is risked.
  double cost(std::span<const RoadWalk> walks) const;
  /// Roads that were looked at or gone along so far: what it took, the same on every machine.
  std::uint64_t work() const { return work_ + walked_; }

 private:
  struct Reached {
    std::uint32_t place, by;  ///< `by`: the last road of the cheapest way there
    double seconds;
  };
  struct Reach {
    /// The nearest first; of those with equal distance the one with the lower number.
    std::vector<Reached> places;
    std::vector<std::uint32_t> by_number;  ///< the same, as indices; empty until a way is sought
  };
  struct Offer {
    double score = 0;
    std::size_t walk = 0;  ///< their number: a new one
    std::uint32_t road = 0;
    std::uint32_t fact = 0;  ///< not 0: along the facts to this node
  };

  /// Seconds, without the risk.
  double price(std::uint32_t road) const { return prices_.event + roads_[road].more; }
  double price(std::span<const std::uint32_t> roads) const;
  void set_facts();
  /// Where a walk from that node on ends in the tree of facts, or no_fact where it has left it.
  std::uint32_t fact_of(const RoadWalk& walk, std::uint32_t from = 0) const;
  RoadWalk known_way(std::uint32_t from, std::uint32_t to) const;
  /// Places within reach.
  Reach& reach(std::uint32_t place);
  /// The shortest way, or nothing where it is too long.
  std::optional<RoadWalk> way(std::uint32_t from, std::uint32_t to);
  std::uint32_t end(const RoadWalk& walk) const { return walk.empty() ? 0 : roads_[walk.back()].to; }

  void own(std::span<const std::uint32_t> walk, int by);
  bool alone(std::uint32_t road) const;
  void set_owners(std::span<const RoadWalk> walks);
  void destroy(std::vector<RoadWalk>& walks, Rng& rng);
  void open_up(RoadWalk& walk, Rng& rng);
  void build(std::vector<RoadWalk>& walks, Rng& rng, const std::stop_token& stop);
  void weigh(std::uint32_t from, std::size_t walk, double more, Offer& best, Rng& rng);
  void weigh_facts(std::uint32_t fact, std::size_t walk, Offer& best, Rng& rng);
  void weigh_known_starts(std::size_t walk, Offer& best, Rng& rng);
  /// Ends that add nothing are dropped, and detours of walks that are not among `old`.
  void tighten(std::vector<RoadWalk>& walks, std::span<const RoadWalk> old);
  void drop_end(RoadWalk& walk);
  /// Stretches that hit nothing alone are replaced by quicker ways, the longest from each place on. Costs what
  /// the walk's length costs.
  void drop_detours(RoadWalk& walk);

  static constexpr std::uint32_t no_fact = UINT32_MAX;

  std::vector<Road> roads_;
  Prices prices_;
  std::vector<Fact> facts_;
  std::unordered_map<std::uint64_t, std::uint32_t> next_fact_;  ///< (node, road)
  std::vector<std::vector<std::uint32_t>> facts_after_;
  struct Nearest {
    std::uint32_t node = no_fact, depth = 0;
    double more = 0;  ///< seconds of the way there beyond the events' prices
  };
  std::vector<Nearest> first_fact_;               ///< of each road
  std::vector<std::vector<std::uint32_t>> from_;  ///< roads by where they begin
  std::vector<std::vector<std::uint32_t>> with_;  ///< roads by what they hit
  std::vector<std::uint32_t> owners_;             ///< of each item: how often it is hit
  std::vector<double> worth_;                     ///< of each item: rare ones more
  std::vector<double> gain_;                      ///< of each road: what it would add
  std::size_t missing_ = 0;
  std::uint64_t work_ = 0, walked_ = 0;
  std::unordered_map<std::uint32_t, Reach> reached_;
};

}  // namespace norn
