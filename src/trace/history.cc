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
#include "trace/history.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <string>

#include "base/hash.h"
#include "trace/chunked.h"
#include "trace/codec.h"
#include "trace/hash_index.h"
#include "trace/volatile.h"

namespace norn {
namespace {

constexpr std::uint32_t none = HashIndex::none;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
using Link = std::atomic<std::uint32_t>;

/// Only the one writer changes counts: no locked instruction is needed.
template <class T>
void add(std::atomic<T>& counter, T n) {
  counter.store(counter.load(relaxed) + n, relaxed);
}

struct Node {
  Node(std::uint32_t parent_, std::uint32_t event_, std::uint32_t depth_, std::uint64_t key_,
       std::uint32_t sample)
      : key(key_), parent(parent_), event(event_), depth(depth_), first_sample(sample), best_sample(sample) {}

  std::atomic<std::uint64_t> key;
  const std::uint32_t parent, event, depth;
  std::uint32_t last_child = none, last_outcome = none,
                outcomes = 0;  ///< the writer's; the last two: of a head
  Link first_child{none}, next_child{none}, next_outcome{none}, first_sample, best_sample;
  Link cold{0}, warm{0};
};

struct SampleRow {
  SampleRow(std::uint32_t node_, const Sample& s, std::uint32_t next_)
      : node(node_), screen(s.screen), hit(s.hit), crash(s.crash), next(next_) {}
  bool is(std::uint32_t n, const Sample& s) const {
    return node == n && screen == s.screen && hit == s.hit && crash == s.crash;
  }
  Sample value() const { return {screen, hit, crash, count.load(relaxed)}; }

  const std::uint32_t node;
  const ScreenId screen;
  const CoverageId hit;
  const CrashId crash;
  const std::uint32_t next;
  Link count{0};
};

struct ScreenRow {
  ScreenRow(std::string bytes, std::uint64_t hash_, std::uint64_t key_)
      : packed(std::move(bytes)), hash(hash_), key(key_) {}
  ~ScreenRow() { delete unpacked.load(relaxed); }

  /// Two readers may unpack at once; one result stays.
  const Screen& look() const {
    if (const Screen* known = unpacked.load(acquire)) return *known;
    const auto* made = new Screen(decode_screen(packed).value_or(Screen{}));
    const Screen* expected = nullptr;
    if (unpacked.compare_exchange_strong(expected, made, std::memory_order_acq_rel, acquire)) return *made;
    delete made;
    return *expected;
  }

  const std::string packed;
  const std::uint64_t hash;
  std::atomic<std::uint64_t> key;
  mutable std::atomic<const Screen*> unpacked{nullptr};
};

struct EventRow {
  Event event;
  EventKey key;
};
struct CoverageRow {
  Coverage set;
};
struct CrashRow {
  Crash crash;
  std::uint64_t key;
};

enum class Tag : std::uint64_t { crash = 1, screen = 2 };

std::uint64_t key_of(const Crash& crash) {
  return Hasher()
      .add(static_cast<std::uint64_t>(Tag::crash))
      .add(signature(crash, Sameness::frames))
      .finish();
}
std::uint64_t key_of(const Screen& screen, const Mask& mask) {
  return Hasher()
      .add(static_cast<std::uint64_t>(Tag::screen))
      .add(static_cast<std::uint64_t>(screen.kind))
      .add(masked_structure(screen, mask).value)
      .finish();
}

std::uint64_t edge_hash(std::uint32_t parent, EventKey event) {
  return Hasher().add(parent).add(event).finish();
}
std::uint64_t outcome_hash(std::uint32_t parent, EventKey event, std::uint64_t key) {
  return Hasher().add(parent).add(event).add(key).finish();
}
std::uint64_t sample_hash(std::uint32_t node, const Sample& s) {
  return Hasher().add(node).add(s.screen.value).add(s.hit.value).add(s.crash.value).finish();
}

/// Looking for volatile places costs as much as there are outcomes: at every one of the first 32, then
/// whenever their number has doubled, so that a chaotic edge stays O(1) a step.
bool worth_learning(std::uint32_t outcomes) {
  return outcomes >= volatile_values && (outcomes <= 32 || std::has_single_bit(outcomes));
}

const Screen& no_screen() {
  static const Screen unseen{.kind = Screen::Kind::unseen,
                             .package = {},
                             .activity = {},
                             .rotation = 0,
                             .keyboard = false,
                             .width = 0,
                             .height = 0,
                             .widgets = {}};
  return unseen;
}
const Coverage& no_coverage() {
  static const Coverage empty;
  return empty;
}

}  // namespace

struct History::Tables {
  Chunked<Node> nodes;
  Chunked<SampleRow> samples;
  Chunked<ScreenRow> screens;
  Chunked<EventRow> events;
  Chunked<CoverageRow> coverages;
  Chunked<CrashRow> crashes;
  HashIndex edges, outcomes, sample_index, screen_index, event_index, coverage_index, crash_index;
  std::vector<std::unique_ptr<const Mask>> masks;  ///< all versions: a reader may still look at an old one
  std::atomic<const Mask*> mask{nullptr};
  std::atomic<std::uint64_t> edge_count{0}, outcome_count{0}, step_count{0};
  std::uint32_t root_samples = 0;

  Tables() {
    publish(Mask{});
    nodes.emplace(none, none, 0U, std::uint64_t{0}, none);
  }

  // ---- finding ----

  EventKey event_key_of(const Node& node) const { return events[node.event].key; }
  std::uint32_t head(std::uint32_t parent, EventKey event) const {
    return edges.find(edge_hash(parent, event), [&](std::uint32_t id) {
      return nodes[id].parent == parent && event_key_of(nodes[id]) == event;
    });
  }
  std::uint32_t home(std::uint32_t parent, EventKey event, std::uint64_t key) const {
    return outcomes.find(outcome_hash(parent, event, key),
                         [&](std::uint32_t id) { return is_outcome(id, parent, event, key); });
  }
  bool is_outcome(std::uint32_t id, std::uint32_t parent, EventKey event, std::uint64_t key) const {
    const Node& node = nodes[id];
    return node.parent == parent && node.key.load(relaxed) == key && event_key_of(node) == event;
  }
  std::uint32_t find_sample(std::uint32_t node, const Sample& s) const {
    return sample_index.find(sample_hash(node, s), [&](std::uint32_t id) { return samples[id].is(node, s); });
  }
  std::uint64_t key_of_sample(const Sample& s) const {
    if (s.crash) return crashes[s.crash.value].key;
    return s.screen ? screens[s.screen.value].key.load(relaxed) : 0;
  }
  const SampleRow* best(std::uint32_t node) const {
    const std::uint32_t id = nodes[node].best_sample.load(acquire);
    return id == none ? nullptr : &samples[id];
  }
  /// Every node that is an outcome of the edge, oldest first.
  template <class F>
  void each_outcome(std::uint32_t parent, EventKey event, F f) const {
    for (std::uint32_t id = head(parent, event); id != none; id = nodes[id].next_outcome.load(acquire)) f(id);
  }

  // ---- growing ----

  std::uint32_t add_sample(std::uint32_t node, const Sample& s, std::uint32_t next) {
    const std::uint32_t id = samples.emplace(node, s, next);
    sample_index.insert(sample_hash(node, s), id);
    return id;
  }
  /// Finds or makes the sample of a node that is there already.
  std::uint32_t sample_of(std::uint32_t node, const Sample& s, bool& made) {
    std::uint32_t id = find_sample(node, s);
    made = id == none;
    if (made) {
      id = add_sample(node, s, nodes[node].first_sample.load(relaxed));
      nodes[node].first_sample.store(id, release);
    }
    return id;
  }
  void count_sample(std::uint32_t node, std::uint32_t sample, std::uint32_t times) {
    add(samples[sample].count, times);
    Link& best_of = nodes[node].best_sample;
    const std::uint32_t before = best_of.load(relaxed);
    if (before == none || samples[sample].count.load(relaxed) > samples[before].count.load(relaxed))
      best_of.store(sample, release);
  }
  void count_node(std::uint32_t node, Counts counts) {
    add(nodes[node].cold, counts.cold);
    add(nodes[node].warm, counts.warm);
    if (node != 0) add(step_count, std::uint64_t{counts.cold} + counts.warm);
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
  void link(std::uint32_t id, std::uint32_t head_id, bool new_outcome) {
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
    if (!new_outcome) return;
    ++head_node.outcomes;
    add(outcome_count, std::uint64_t{1});
    outcomes.insert(outcome_hash(node.parent, event, node.key.load(relaxed)), id);
  }

  // ---- the mask ----

  void publish(Mask next) {
    masks.push_back(std::make_unique<const Mask>(std::move(next)));
    mask.store(masks.back().get(), release);
  }
  bool learn(const std::vector<Screen>& outcomes_seen) {
    std::set<std::uint64_t> places = volatile_places(outcomes_seen);
    Mask next = *mask.load(relaxed);
    const std::size_t before = next.places.size();
    next.places.merge(places);
    if (next.places.size() == before) return false;
    ++next.version;
    publish(std::move(next));
    rekey();
    return true;
  }
  bool learn_edge(std::uint32_t parent, EventKey event) {
    std::vector<Screen> seen;
    each_outcome(parent, event, [&](std::uint32_t id) {
      const SampleRow* sample = best(id);
      if (sample && !sample->crash && sample->screen) seen.push_back(copy(sample->screen));
    });
    return learn(seen);
  }
  bool learn_root() {
    std::vector<Screen> seen;
    for (std::uint32_t id = nodes[0].first_sample.load(relaxed); id != none; id = samples[id].next)
      if (!samples[id].crash && samples[id].screen) seen.push_back(copy(samples[id].screen));
    return learn(seen);
  }
  Screen copy(ScreenId id) const { return decode_screen(screens[id.value].packed).value_or(Screen{}); }

  /// All keys anew. A grown mask is coarser, so the samples of one node still agree.
  void rekey() {
    const Mask& now = *mask.load(relaxed);
    for (std::uint32_t i = 0; i < screens.size(); ++i)
      screens[i].key.store(key_of(copy(ScreenId{i}), now), relaxed);
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
      if (const SampleRow* sample = best(i)) nodes[i].key.store(key_of_sample(sample->value()), relaxed);
    find_homes();
  }
  /// The oldest of the siblings that are one outcome is its home.
  void find_homes() {
    HashIndex seen;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> homes;
    for (std::uint32_t i = 1; i < nodes.size(); ++i) {
      const Node& node = nodes[i];
      const EventKey event = event_key_of(node);
      const std::uint64_t key = node.key.load(relaxed), hash = outcome_hash(node.parent, event, key);
      Node& head_node = nodes[head(node.parent, event)];
      if (&head_node == &node) head_node.outcomes = 0;
      if (seen.find(hash, [&](std::uint32_t id) { return is_outcome(id, node.parent, event, key); }) != none)
        continue;
      seen.insert(hash, i);
      homes.emplace_back(hash, i);
      ++head_node.outcomes;
    }
    outcomes.replace(homes);
    outcome_count.store(homes.size(), relaxed);
  }
};

History::History() : tables_(std::make_unique<Tables>()) {}
History::~History() = default;

// ---- interning ----

ScreenId History::put_screen(const Screen& screen) { return put_screen(screen, content_hash(screen)); }

ScreenId History::put_screen(const Screen& screen, std::uint64_t hash) {
  Tables& t = *tables_;
  std::uint32_t id = t.screen_index.find(hash, [&](std::uint32_t i) { return t.screens[i].hash == hash; });
  if (id == none) {
    id = t.screens.emplace(encode(screen), hash, key_of(screen, *t.mask.load(relaxed)));
    t.screen_index.insert(hash, id);
  }
  return ScreenId{id};
}

ScreenId History::put_packed_screen(PackedScreen p) {
  Tables& t = *tables_;
  std::uint32_t id =
      t.screen_index.find(p.hash, [&](std::uint32_t i) { return t.screens[i].hash == p.hash; });
  if (id != none) return ScreenId{id};
  const Mask& mask = *t.mask.load(relaxed);
  if (p.mask_version != mask.version) p.key = key_of(decode_screen(p.bytes).value_or(Screen{}), mask);
  id = t.screens.emplace(std::move(p.bytes), p.hash, p.key);
  t.screen_index.insert(p.hash, id);
  return ScreenId{id};
}

EventId History::put_event(const Event& event) {
  Tables& t = *tables_;
  const std::uint64_t hash = hash_bytes(encode(event));
  std::uint32_t id = t.event_index.find(hash, [&](std::uint32_t i) { return t.events[i].event == event; });
  if (id == none) {
    id = t.events.emplace(event, norn::event_key(event));
    t.event_index.insert(hash, id);
  }
  return EventId{id};
}

CoverageId History::put_coverage(const Coverage& hit) {
  Tables& t = *tables_;
  const std::uint64_t hash = hit.hash();
  std::uint32_t id = t.coverage_index.find(hash, [&](std::uint32_t i) { return t.coverages[i].set == hit; });
  if (id == none) {
    id = t.coverages.emplace(hit);
    t.coverage_index.insert(hash, id);
  }
  return CoverageId{id};
}

CrashId History::put_crash(const Crash& crash) {
  Tables& t = *tables_;
  const std::uint64_t hash = hash_bytes(encode(crash));
  std::uint32_t id = t.crash_index.find(hash, [&](std::uint32_t i) { return t.crashes[i].crash == crash; });
  if (id == none) {
    id = t.crashes.emplace(crash, key_of(crash));
    t.crash_index.insert(hash, id);
  }
  return CrashId{id};
}

// ---- appending ----

namespace {

Sample intern(History& history, const Observation& seen) {
  return {.screen = history.put_screen(seen.screen),
          .hit = history.put_coverage(seen.hit),
          .crash = seen.crash ? history.put_crash(*seen.crash) : CrashId{},
          .count = 0};
}

}  // namespace

Appended History::append_root(const Observation& seen, Heat heat) {
  return append_root(intern(*this, seen), heat);
}

Appended History::append(NodeId parent, const Event& event, const Observation& seen, Heat heat) {
  return append(parent, put_event(event), intern(*this, seen), heat);
}

Appended History::append_root(const Sample& seen, Heat heat) {
  Tables& t = *tables_;
  Node& root = t.nodes[0];
  Appended done;
  done.node = NodeId{0};
  done.heat = heat;
  done.repeated = root.first_sample.load(relaxed) != none;
  done.new_node = !done.repeated;
  const std::uint64_t key = t.key_of_sample(seen);
  if (!done.repeated) root.key.store(key, relaxed);
  done.disagreed = done.repeated && root.key.load(relaxed) != key;
  const std::uint32_t sample = t.sample_of(0, seen, done.new_sample);
  t.count(0, sample, heat);
  done.sample = t.samples[sample].value();
  if (done.new_sample && !seen.crash && worth_learning(++t.root_samples)) done.new_mask = t.learn_root();
  return done;
}

Appended History::append(NodeId parent, EventId event, const Sample& seen, Heat heat) {
  Tables& t = *tables_;
  const EventKey event_key = t.events[event.value].key;
  const std::uint64_t key = t.key_of_sample(seen);
  const std::uint32_t head = t.head(parent.value, event_key);
  std::uint32_t id = head == none ? none : t.home(parent.value, event_key, key);
  Appended done;
  done.event = event;
  done.heat = heat;
  done.repeated = head != none;
  done.new_node = id == none;
  done.disagreed = done.repeated && (done.new_node || t.nodes[head].outcomes > 1);
  if (done.new_node) {
    const std::uint32_t sample = t.add_sample(t.nodes.size(), seen, none);
    id = t.make_node(parent.value, event.value, key, sample);
    t.link(id, head, true);
    done.new_sample = true;
    t.count(id, sample, heat);
    done.sample = t.samples[sample].value();
  } else {
    const std::uint32_t sample = t.sample_of(id, seen, done.new_sample);
    t.count(id, sample, heat);
    done.sample = t.samples[sample].value();
  }
  done.node = NodeId{id};
  if (done.new_node && done.repeated && !seen.crash && worth_learning(t.nodes[head].outcomes))
    done.new_mask = t.learn_edge(parent.value, event_key);
  return done;
}

// ---- putting back ----

NodeId History::put_node(NodeId parent, EventId event, const Sample& first) {
  Tables& t = *tables_;
  const std::uint64_t key = t.key_of_sample(first);
  if (!parent) {
    t.nodes[0].key.store(key, relaxed);
    return NodeId{0};
  }
  const EventKey event_key = t.events[event.value].key;
  const std::uint32_t head = t.head(parent.value, event_key);
  const bool new_outcome = head == none || t.home(parent.value, event_key, key) == none;
  const std::uint32_t id = t.make_node(parent.value, event.value, key, none);
  t.link(id, head, new_outcome);
  return NodeId{id};
}

void History::put_sample(NodeId node, const Sample& sample, Counts counts) {
  bool made = false;
  const std::uint32_t id = tables_->sample_of(node.value, sample, made);
  if (made && node.value == 0) ++tables_->root_samples;
  tables_->count_sample(node.value, id, sample.count);
  tables_->count_node(node.value, counts);
}

void History::set_mask(const Mask& mask) {
  tables_->publish(mask);
  if (tables_->screens.size() > 0) tables_->rekey();
}

// ---- reading ----

std::size_t History::size() const { return tables_->nodes.size(); }
NodeId History::parent(NodeId node) const { return NodeId{tables_->nodes[node.value].parent}; }
EventId History::event_id(NodeId node) const { return EventId{tables_->nodes[node.value].event}; }
std::uint64_t History::key(NodeId node) const { return tables_->nodes[node.value].key.load(relaxed); }
std::uint32_t History::depth(NodeId node) const { return tables_->nodes[node.value].depth; }

Counts History::counts(NodeId node) const {
  const Node& n = tables_->nodes[node.value];
  return {n.cold.load(relaxed), n.warm.load(relaxed)};
}

const Crash* History::crash(NodeId node) const {
  const SampleRow* sample = tables_->best(node.value);
  return sample && sample->crash ? &crash(sample->crash) : nullptr;
}

std::vector<Sample> History::samples(NodeId node) const {
  std::vector<Sample> out;
  for (std::uint32_t id = tables_->nodes[node.value].first_sample.load(acquire); id != none;
       id = tables_->samples[id].next)
    out.push_back(tables_->samples[id].value());
  std::reverse(out.begin(), out.end());
  std::stable_sort(out.begin(), out.end(),
                   [](const Sample& a, const Sample& b) { return a.count > b.count; });
  return out;
}

const Screen& History::screen(NodeId node) const {
  const SampleRow* sample = tables_->best(node.value);
  return sample && sample->screen ? screen(sample->screen) : no_screen();
}

const Coverage& History::hit(NodeId node) const {
  const SampleRow* sample = tables_->best(node.value);
  return sample && sample->hit ? coverage(sample->hit) : no_coverage();
}

std::vector<NodeId> History::children(NodeId node) const {
  const Tables& t = *tables_;
  std::vector<NodeId> out;
  for (std::uint32_t id = t.nodes[node.value].first_child.load(acquire); id != none;
       id = t.nodes[id].next_child.load(acquire))
    out.push_back(NodeId{id});
  return out;
}

std::vector<NodeId> History::children(NodeId node, EventKey event) const {
  std::vector<NodeId> out;
  tables_->each_outcome(node.value, event, [&](std::uint32_t id) { out.push_back(NodeId{id}); });
  return out;
}

NodeId History::child(NodeId node, EventKey event, std::uint64_t observation_key) const {
  return NodeId{tables_->home(node.value, event, observation_key)};
}

std::size_t History::screens() const { return tables_->screens.size(); }
std::size_t History::crashes() const { return tables_->crashes.size(); }
std::size_t History::events() const { return tables_->events.size(); }
std::size_t History::coverages() const { return tables_->coverages.size(); }
const Screen& History::screen(ScreenId id) const { return tables_->screens[id.value].look(); }
Screen History::copy_screen(ScreenId id) const { return tables_->copy(id); }
std::string_view History::packed(ScreenId id) const { return tables_->screens[id.value].packed; }
std::uint64_t History::hash(ScreenId id) const { return tables_->screens[id.value].hash; }
std::uint64_t History::key(ScreenId id) const { return tables_->screens[id.value].key.load(relaxed); }
const Event& History::event(EventId id) const { return tables_->events[id.value].event; }
EventKey History::event_key(EventId id) const { return tables_->events[id.value].key; }
const Coverage& History::coverage(CoverageId id) const { return tables_->coverages[id.value].set; }
const Crash& History::crash(CrashId id) const { return tables_->crashes[id.value].crash; }

std::uint64_t History::observation_key(const Observation& seen) const {
  return seen.crash ? key_of(*seen.crash) : key_of(seen.screen, *tables_->mask.load(acquire));
}
Mask History::mask() const { return *tables_->mask.load(acquire); }
std::uint32_t History::mask_version() const { return tables_->mask.load(acquire)->version; }

History::Agreement History::agreement() const {
  const Tables& t = *tables_;
  const std::uint64_t edges = t.edge_count.load(relaxed);
  const auto beyond = [&](const std::atomic<std::uint64_t>& n) {
    return std::max(n.load(relaxed), edges) - edges;
  };
  return {.repeats = beyond(t.step_count), .disagreed = beyond(t.outcome_count)};
}

}  // namespace norn
