#include "trace/history_tables.h"

#include <bit>

#include "gui/abstraction.h"
#include "trace/volatile.h"

namespace norn {

using namespace tree;

void History::Tables::link(std::uint32_t id, std::uint32_t head_id, bool new_outcome) {
  Node& node = nodes[id];
  Node& parent = nodes[node.parent];
  (parent.last_child == none ? parent.first_child : nodes[parent.last_child].next_child).store(id, release);
  parent.last_child = id;
  const EventKey event = event_key_of(node);
  Node& head_node = head_id == none ? node : nodes[head_id];
  if (head_id == none) {
    edges.insert(edge_hash(node.parent, event), id);
    add(edge_count, std::uint64_t{1});
  } else {
    nodes[head_node.last_outcome].next_outcome.store(id, release);
  }
  head_node.last_outcome = id;
  if (new_outcome) {
    ++head_node.outcomes;
    add(outcome_count, std::uint64_t{1});
    outcomes.insert(outcome_hash(node.parent, event, node.key.load(relaxed)), id);
  }
  shown.store(nodes.size(), release);
}

ScreenId History::Tables::add_screen(const Screen& screen, std::string packed, std::uint64_t hash) {
  const std::uint32_t id =
      screens.emplace(std::move(packed), hash, abstract(screen, Abstraction::activity).value,
                      key_of(screen, *mask.load(relaxed)));
  screen_index.insert(hash, id);
  return ScreenId{id};
}

// ---- the mask ----

namespace {

/// Looking for volatile places costs as much as there are outcomes: at every one of the first 32, then
/// whenever their number has doubled, so that a chaotic edge stays O(1) a step.
bool worth_learning(std::uint32_t outcomes) {
  return outcomes >= volatile_values && (outcomes <= 32 || std::has_single_bit(outcomes));
}

}  // namespace

void History::Tables::publish(Mask next) {
  masks.push_back(std::make_unique<const Mask>(std::move(next)));
  mask.store(masks.back().get(), release);
}

bool History::Tables::maybe_learn(std::uint32_t parent, EventKey event) {
  if (!worth_learning(nodes[head(parent, event)].outcomes)) return false;
  std::vector<Screen> seen;
  each_outcome(parent, event, [&](std::uint32_t id) {
    const SampleRow* sample = best(id);
    if (sample && !sample->crash && sample->screen) seen.push_back(screens[sample->screen.value].copy());
  });
  return learn(seen);
}

bool History::Tables::maybe_learn_root() {
  if (!worth_learning(root_samples)) return false;
  std::vector<Screen> seen;
  for (std::uint32_t id = nodes[0].first_sample.load(relaxed); id != none; id = samples[id].next)
    if (!samples[id].crash && samples[id].screen) seen.push_back(screens[samples[id].screen.value].copy());
  return learn(seen);
}

bool History::Tables::learn(const std::vector<Screen>& seen) {
  std::set<std::uint64_t> places = volatile_places(seen);
  Mask next = *mask.load(relaxed);
  const std::size_t before = next.places.size();
  next.places.merge(places);
  if (next.places.size() == before) return false;
  ++next.version;
  publish(std::move(next));
  std::set<std::uint64_t> activities;  // a place belongs to an activity: no other screen can change its key
  for (const Screen& screen : seen) activities.insert(abstract(screen, Abstraction::activity).value);
  rekey(&activities);
  return true;
}

// A grown mask is coarser, so the samples of one node still agree. Index entries under old keys stay: they lead
// to nodes whose key is another now, and are passed over. Of the siblings that have become one outcome the
// oldest comes first, and is its home.
void History::Tables::rekey(const std::set<std::uint64_t>* activities) {
  const Mask& now = *mask.load(relaxed);
  for (std::uint32_t i = 0; i < screens.size(); ++i)
    if (!activities || activities->contains(screens[i].activity))
      screens[i].key.store(key_of(screens[i].copy(), now), relaxed);

  std::vector<std::uint32_t> changed;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const SampleRow* sample = best(i);
    const std::uint64_t key = nodes[i].key.load(relaxed);
    if (!sample || key_of_sample(sample->value()) == key) continue;
    changed.push_back(i);
    if (i == 0 || home(nodes[i].parent, event_key_of(nodes[i]), key) != i) continue;
    --nodes[head(nodes[i].parent, event_key_of(nodes[i]))].outcomes;
    outcome_count.store(outcome_count.load(relaxed) - 1, relaxed);
  }
  for (const std::uint32_t i : changed) nodes[i].key.store(key_of_sample(best(i)->value()), relaxed);
  for (const std::uint32_t i : changed)
    if (i != 0) become_home(i);
}

void History::Tables::become_home(std::uint32_t id) {
  const Node& node = nodes[id];
  const EventKey event = event_key_of(node);
  const std::uint64_t key = node.key.load(relaxed);
  if (home(node.parent, event, key) != none) return;
  outcomes.insert(outcome_hash(node.parent, event, key), id);
  ++nodes[head(node.parent, event)].outcomes;
  add(outcome_count, std::uint64_t{1});
}

}  // namespace norn
