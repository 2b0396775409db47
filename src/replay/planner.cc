#include "replay/planner.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace norn {
namespace {

constexpr std::size_t max_depths = 128;  ///< what the placement looks at exactly
constexpr std::size_t max_recent = 64;   ///< branch points remembered
constexpr double guess_discount = 0.5;   ///< a guess of future use, against a hint
constexpr double overdraft = 0.04;       ///< share of all seconds that guessed saves may be behind

/// Prefix sums over depths: what runs starting in [from, to) cost beyond their start at depth `from`.
class Segments {
 public:
  Segments(std::span<const double> uses, double event)
      : event_(event), count_(uses.size() + 1), weight_(uses.size() + 1) {
    for (std::size_t d = 0; d < uses.size(); ++d) {
      count_[d + 1] = count_[d] + uses[d];
      weight_[d + 1] = weight_[d] + uses[d] * static_cast<double>(d);
    }
  }
  double uses(std::size_t from, std::size_t to) const { return count_[to] - count_[from]; }
  double replayed(std::size_t from, std::size_t to) const {
    return event_ * (weight_[to] - weight_[from] - static_cast<double>(from) * uses(from, to));
  }

 private:
  double event_;
  std::vector<double> count_, weight_;
};

/// Candidate depths: those in use, thinned evenly where there are too many.
std::vector<std::uint32_t> candidate_depths(std::span<const double> uses) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t d = 0; d < uses.size(); ++d)
    if (uses[d] > 0) all.push_back(d);
  if (all.size() <= max_depths) return all;
  std::vector<std::uint32_t> thin;
  for (std::size_t i = 0; i < max_depths; ++i) thin.push_back(all[i * all.size() / max_depths]);
  return thin;
}

}  // namespace

// Dynamic programming over start points in order of depth: best[k][j] is the least cost of all runs starting
// before stop j if the last start point is j's and k new snapshots were taken. The clean start is stop 0.
std::vector<std::uint32_t> place_snapshots(std::span<const double> uses,
                                           std::span<const std::uint32_t> existing, std::size_t budget,
                                           const Costs& costs) {
  struct Stop {
    std::uint32_t depth;
    bool held, clean;
  };
  std::vector<Stop> stops;
  for (const auto d : candidate_depths(uses)) stops.push_back({d, false, false});
  for (const auto d : existing)
    if (d < uses.size()) stops.push_back({d, true, false});
  // Only a snapshot that beats the clean start is a start point at all.
  std::erase_if(stops, [&](const Stop& s) { return costs.load >= costs.restart + costs.event * s.depth; });
  std::stable_sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) {
    return a.depth != b.depth ? a.depth < b.depth : a.held > b.held;
  });
  stops.erase(std::unique(stops.begin(), stops.end(),
                          [](const Stop& a, const Stop& b) { return a.depth == b.depth; }),
              stops.end());
  stops.insert(stops.begin(), Stop{0, true, true});

  const Segments segments(uses, costs.event);
  const auto from_stop = [&](std::size_t j, std::size_t end) {
    const double begin = stops[j].clean ? costs.restart : costs.load;
    return segments.uses(stops[j].depth, end) * begin + segments.replayed(stops[j].depth, end);
  };
  const double never = std::numeric_limits<double>::infinity();
  const std::size_t n = stops.size(), most = std::min(budget, n);
  std::vector<std::vector<double>> best(most + 1, std::vector<double>(n, never));
  std::vector<std::vector<std::uint32_t>> before(most + 1, std::vector<std::uint32_t>(n, 0));
  best[0][0] = 0;
  std::size_t last_held = 0;  // start points that are there anyway cannot be jumped over
  for (std::size_t j = 1; j < n; ++j) {
    const std::size_t price = stops[j].held ? 0 : 1;
    for (std::size_t k = price; k <= most; ++k)
      for (std::size_t i = last_held; i < j; ++i) {
        const double c =
            best[k - price][i] + from_stop(i, stops[j].depth) + static_cast<double>(price) * costs.save;
        if (c < best[k][j]) best[k][j] = c, before[k][j] = static_cast<std::uint32_t>(i);
      }
    if (stops[j].held) last_held = j;
  }
  double least = never;
  std::size_t k = 0, j = 0;
  for (std::size_t kk = 0; kk <= most; ++kk)
    for (std::size_t i = last_held; i < n; ++i)
      if (const double c = best[kk][i] + from_stop(i, uses.size()); c < least - 1e-9)
        least = c, k = kk, j = i;
  std::vector<std::uint32_t> answer;
  while (j > 0) {
    if (!stops[j].held) answer.push_back(stops[j].depth);
    const std::size_t previous = before[k][j];
    k -= stops[j].held ? 0 : 1;
    j = previous;
  }
  std::reverse(answer.begin(), answer.end());
  return answer;
}

Planner::Planner(const DeviceInfo& info, SnapshotLimits limits)
    : costs_(info.guess),
      limits_(limits),
      bytes_each_(info.snapshot_bytes),
      enabled_(info.snapshots && limits.number > 0) {}

void Planner::smooth(double& value, double seconds, std::uint64_t count) {
  const double weight = count == 0 ? 1.0 : std::max(0.1, 1.0 / static_cast<double>(count + 1));
  value += weight * (seconds - value);
}

void Planner::measured_save(double seconds) {
  smooth(costs_.save, seconds, saves_++);
  invested_ += seconds;
}

std::optional<std::size_t> Planner::best_start(std::span<const NodeId> path) const {
  if (!enabled_ || held_.empty()) return std::nullopt;
  for (std::size_t i = path.size(); i-- > 0;) {
    if (!held_.contains(path[i])) continue;
    if (costs_.load >= costs_.restart + costs_.event * static_cast<double>(i)) return std::nullopt;
    return i;  // the deepest is the cheapest: every one costs the same load
  }
  return std::nullopt;
}

void Planner::wish(std::vector<Hint> hints, const std::vector<NodeId>& pins) {
  hints_ = std::move(hints);
  pins_ = {pins.begin(), pins.end()};
}

void Planner::branched_at(NodeId node) {
  ++runs_;
  recent_.push_back(node);
  if (recent_.size() > max_recent) recent_.pop_front();
}

/// Where on the path the coming runs will start: a wanted node off the path counts at its last ancestor on
/// it.
std::vector<double> Planner::demand(const History& tree, std::span<const NodeId> path, bool guessed) const {
  std::unordered_map<NodeId, std::uint32_t> on_path;
  for (std::uint32_t i = 0; i < path.size(); ++i) on_path.emplace(path[i], i);
  std::vector<double> uses(path.size());
  const auto add = [&](NodeId node, double weight) {
    while (node) {
      if (const auto at = on_path.find(node); at != on_path.end()) {
        uses[at->second] += weight;
        return;
      }
      node = tree.parent(node);
    }
  };
  for (const auto& hint : hints_) add(hint.node, hint.uses);
  if (guessed)
    for (const NodeId node : recent_) add(node, guess_discount);
  return uses;
}

std::vector<NodeId> Planner::plan(const History& tree, std::span<const NodeId> path) {
  if (!enabled_ || path.empty()) return {};
  const bool guessed = invested_ + costs_.save <= gained_ + overdraft * total_;
  if (!guessed && hints_.empty()) return {};
  const auto uses = demand(tree, path, guessed && hints_.empty());
  std::vector<std::uint32_t> existing;
  for (std::uint32_t i = 0; i < path.size(); ++i)
    if (held_.contains(path[i])) existing.push_back(i);
  const std::size_t room = limits_.number - std::min(limits_.number, pins_.size() + existing.size());
  auto depths = place_snapshots(uses, existing, room, costs_);
  if (hints_.empty() && depths.size() > 1) depths.resize(1);  // a guess is tried one at a time
  std::vector<NodeId> nodes;
  for (const auto d : depths) nodes.push_back(path[d]);
  return nodes;
}

void Planner::saved(NodeId node, SnapshotId id) { held_[node] = {id, runs_}; }

void Planner::loaded(std::span<const NodeId> path, std::size_t index) {
  held_.at(path[index]).used_at = runs_;
  const auto other = best_start(path.first(index));
  const double otherwise = other ? costs_.load + costs_.event * static_cast<double>(index - *other)
                                 : costs_.restart + costs_.event * static_cast<double>(index);
  gained_ += std::max(0.0, otherwise - costs_.load);
}

bool Planner::full() const {
  const auto over_bytes = bytes_each_ > 0 && (held_.size() + 1) * bytes_each_ > limits_.bytes;
  return held_.size() + 1 > limits_.number || over_bytes;
}

std::optional<std::pair<NodeId, SnapshotId>> Planner::to_evict(const History& tree) const {
  if (!full()) return std::nullopt;
  const auto worth = [&](NodeId node, const Held& held) {
    double wanted = 0;
    for (const auto& hint : hints_) wanted += hint.node == node ? hint.uses : 0;
    for (const NodeId recent : recent_) wanted += recent == node ? guess_discount : 0;
    const double age = static_cast<double>(runs_ - held.used_at);
    const double deep = costs_.event * tree.depth(node) + costs_.restart - costs_.load;
    return (wanted + 1 / (1 + age)) * deep;
  };
  std::optional<std::pair<NodeId, SnapshotId>> least;
  double least_worth = std::numeric_limits<double>::infinity();
  for (const auto& [node, held] : held_) {
    if (pins_.contains(node)) continue;
    const double w = worth(node, held);
    if (w < least_worth || (w == least_worth && least && node < least->first))
      least_worth = w, least = {node, held.id};
  }
  return least;
}

}  // namespace norn
