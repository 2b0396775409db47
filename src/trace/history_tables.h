// The tree's tables. Ids are indices into chunked arrays that never move; three hash indices, read without
// locks, make every step of append() and of a walk O(1):
//
//   edges     (parent, event key)                   -> the oldest outcome of that edge; the others follow it
//   outcomes  (parent, event key, observation key)  -> the outcome's home
//   samples   (node, screen, coverage, crash)       -> the sample
//
// Order of publication, which is all the synchronisation there is: a sample and what it names are complete
// before its node, a node before any link or index entry that leads to it, and each of those is a release
// store that readers load with acquire. Counts are relaxed: a reader may be some steps behind, never wrong.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <vector>

#include "trace/chunked.h"
#include "trace/hash_index.h"
#include "trace/history.h"
#include "trace/history_rows.h"

namespace norn {

struct History::Tables {
  Chunked<tree::Node> nodes;
  std::atomic<std::size_t> shown = 1;  ///< nodes that readers can reach: a new one counts once it is linked
  Chunked<tree::SampleRow> samples;
  Chunked<tree::ScreenRow> screens;
  Chunked<tree::EventRow> events;
  Chunked<tree::CoverageRow> coverages;
  Chunked<tree::CrashRow> crashes;
  HashIndex edges, outcomes, sample_index, screen_index, event_index, coverage_index, crash_index;
  std::vector<std::unique_ptr<const Mask>> masks;  ///< all versions: a reader may still look at an old one
  std::atomic<const Mask*> mask{nullptr};
  std::atomic<std::uint64_t> edge_count{0}, outcome_count{0}, step_count{0};
  std::uint32_t root_samples = 0;

  Tables() {
    publish(Mask{});
    nodes.emplace(tree::none, tree::none, 0U, std::uint64_t{0}, tree::none);
  }

  // ---- finding ----

  EventKey event_key_of(const tree::Node& node) const { return events[node.event].key; }
  std::uint32_t head(std::uint32_t parent, EventKey event) const {
    return edges.find(tree::edge_hash(parent, event), [&](std::uint32_t id) {
      return nodes[id].parent == parent && event_key_of(nodes[id]) == event;
    });
  }
  std::uint32_t home(std::uint32_t parent, EventKey event, std::uint64_t key) const {
    return outcomes.find(tree::outcome_hash(parent, event, key),
                         [&](std::uint32_t id) { return is_outcome(id, parent, event, key); });
  }
  bool is_outcome(std::uint32_t id, std::uint32_t parent, EventKey event, std::uint64_t key) const {
    const tree::Node& node = nodes[id];
    return node.parent == parent && node.key.load(tree::relaxed) == key && event_key_of(node) == event;
  }
  std::uint32_t find_sample(std::uint32_t node, const Sample& s) const {
    return sample_index.find(tree::sample_hash(node, s),
                             [&](std::uint32_t id) { return samples[id].is(node, s); });
  }
  std::uint64_t key_of_sample(const Sample& s) const {
    if (s.crash) return crashes[s.crash.value].key;
    return s.screen ? screens[s.screen.value].key.load(tree::relaxed) : 0;
  }
  const tree::SampleRow* best(std::uint32_t node) const {
    const std::uint32_t id = nodes[node].best_sample.load(tree::acquire);
    return id == tree::none ? nullptr : &samples[id];
  }
  /// Every node that is an outcome of the edge, oldest first.
  template <class F>
  void each_outcome(std::uint32_t parent, EventKey event, F f) const {
    for (std::uint32_t id = head(parent, event); id != tree::none;
         id = nodes[id].next_outcome.load(tree::acquire))
      f(id);
  }

  // ---- growing ----

  ScreenId add_screen(const Screen& screen, std::string packed, std::uint64_t hash);

  std::uint32_t add_sample(std::uint32_t node, const Sample& s, std::uint32_t next) {
    const std::uint32_t id = samples.emplace(node, s, next);
    sample_index.insert(tree::sample_hash(node, s), id);
    return id;
  }
  /// Finds or makes the sample of a node that is there already.
  std::uint32_t sample_of(std::uint32_t node, const Sample& s, bool& made) {
    std::uint32_t id = find_sample(node, s);
    made = id == tree::none;
    if (made) {
      id = add_sample(node, s, nodes[node].first_sample.load(tree::relaxed));
      nodes[node].first_sample.store(id, tree::release);
    }
    return id;
  }
  void count_sample(std::uint32_t node, std::uint32_t sample, std::uint32_t times) {
    tree::add(samples[sample].count, times);
    tree::Link& best_of = nodes[node].best_sample;
    const std::uint32_t before = best_of.load(tree::relaxed);
    if (before == tree::none ||
        samples[sample].count.load(tree::relaxed) > samples[before].count.load(tree::relaxed))
      best_of.store(sample, tree::release);
  }
  void count_node(std::uint32_t node, Counts counts) {
    tree::add(nodes[node].cold, counts.cold);
    tree::add(nodes[node].warm, counts.warm);
    if (node != 0) tree::add(step_count, std::uint64_t{counts.cold} + counts.warm);
  }

  void count(std::uint32_t node, std::uint32_t sample, Heat heat) {
    count_sample(node, sample, 1);
    count_node(node, heat == Heat::cold ? Counts{1, 0} : Counts{0, 1});
  }

  /// Makes a node that is not linked yet; `sample`: its first, where there is one already.
  std::uint32_t make_node(std::uint32_t parent, std::uint32_t event, std::uint64_t key,
                          std::uint32_t sample) {
    return nodes.emplace(parent, event, nodes[parent].depth + 1, key, sample);
  }
  /// Links a complete node under its parent; `head_id`: the edge's oldest outcome, or none.
  void link(std::uint32_t id, std::uint32_t head_id, bool new_outcome);

  // ---- the mask (history_tables.cc) ----

  void publish(Mask next);
  /// Learns from the outcomes of an edge, or from what was seen at the root, if it is time to: cheap otherwise.
  bool maybe_learn(std::uint32_t parent, EventKey event);
  bool maybe_learn_root();
  /// Computes keys anew: of the screens of these activities, or of all.
  void rekey(const std::set<std::uint64_t>* activities);

 private:
  bool learn(const std::vector<Screen>& seen);
  /// Unless an older sibling is the home of the same outcome.
  void become_home(std::uint32_t id);
};

}  // namespace norn
