// Clusters of behaviours. A behaviour is the pair of screens before and after one event; at first every pair is its own
// cluster, then rules (gui/difference.h) are added one a round, each time the unused one that merges fewest clusters, and
// clusters with equal fingerprints are merged. After each round the sizes are judged; the first round with an anomaly ends it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "detect/anomaly.h"
#include "gui/difference.h"
#include "trace/history.h"

namespace norn {

/// One input of a group and what the event did after it.
struct Behaviour {
  NodeId before, after;
};

struct Cluster {
  std::uint64_t print = 0;
  std::vector<std::uint32_t> members;  ///< indices of behaviours
  Judged judged;
};

struct Clustering {
  Rules rules;                    ///< those of the last round
  std::vector<Cluster> clusters;  ///< largest first
  bool any(Finding finding) const;
  /// Of the largest cluster.
  std::uint64_t usual() const { return clusters.empty() ? 0 : clusters.front().print; }
};

struct ClusterOptions {
  AnomalyOptions anomaly{};
  bool simple = false;  ///< one fixed abstraction: drop what is silent, keep only the class
  /// Compare everything, as the paper has it. By default data is forgotten from the beginning, because what is rare about
  /// it is nearly always the data: texts, and, where an event leads to another page, the state that page happens to be in (rows,
  /// checks); on the same page, what the event added, removed or switched still counts.
  bool texts = false;
};

/// Fingerprints by screens and rules, computed once.
class Prints {
 public:
  Prints(const History& tree, bool texts) : tree_(tree), texts_(texts) {}
  std::uint64_t of(const Behaviour& behaviour, Rules rules);

 private:
  const HashedScreen& screen(NodeId node, Rules rules);

  const History& tree_;
  bool texts_;
  std::unordered_map<std::uint64_t, HashedScreen> screens_;
  std::unordered_map<std::uint64_t, std::uint64_t> known_;
};

/// The rules a clustering begins with.
Rules first_rules(const ClusterOptions& options);
Clustering cluster(std::span<const Behaviour> behaviours, Prints& prints, const ClusterOptions& options);

}  // namespace norn
