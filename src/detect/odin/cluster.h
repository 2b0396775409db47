// Clusters of behaviours. A behaviour is the pair of screens before and after one event; at first every pair
// is its own cluster, then rules (gui/difference.h) are added one a round, each time the unused one that
// merges fewest clusters, and clusters with equal fingerprints are merged. After each round the sizes are
// judged; the first round with an anomaly ends it.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "detect/odin/anomaly.h"
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
  /// Compare everything, as the paper has it. By default data is forgotten from the beginning, because what
  /// is rare about it is nearly always the data: texts, what a list holds, the focus, the way the device is
  /// held; and, where an event leads to another page, the state that page happens to be in.
  bool texts = false;
};

/// Fingerprints, computed once.
///
/// Where an event changes the page it is on, the fingerprint is its edit script. Where it leads to another
/// page, that page's data is not the event's doing: what counts is which page it is, and what its fixtures
/// have more or less than when this input last saw it (else than when anybody first did). Coming back to a
/// page as one left it is always the same behaviour.
class Prints {
 public:
  Prints(const History& tree, bool texts) : tree_(tree), texts_(texts) {}
  std::uint64_t of(const Behaviour& behaviour, Rules rules);
  /// Where it ended, whatever it was before: the page and its fixtures. An input that ends where usual ones
  /// end does not deviate, even if there was less to do: pressing Copy twice adds no second Paste button.
  std::uint64_t ending(NodeId after);

 private:
  struct Page {
    std::uint64_t place = 0;  ///< kind, package, activity
    std::vector<std::uint64_t> fixtures;
  };
  struct Seen {
    std::uint32_t page = 0;  ///< of pages_
    std::vector<std::uint64_t> fixtures;
  };
  const HashedScreen& screen(NodeId node, Rules rules);
  const Seen& seen(NodeId node);
  std::uint64_t arrival(const Behaviour& behaviour);

  const History& tree_;
  bool texts_;
  std::unordered_map<std::uint64_t, HashedScreen> screens_;
  std::unordered_map<std::uint64_t, std::uint64_t> known_;
  std::deque<Page> pages_;  ///< each as it was first seen, and where it was then
  std::unordered_map<ScreenId, Seen> seen_;
};

/// The rules a clustering begins with.
Rules first_rules(const ClusterOptions& options);
Clustering cluster(std::span<const Behaviour> behaviours, Prints& prints, const ClusterOptions& options);

}  // namespace norn
