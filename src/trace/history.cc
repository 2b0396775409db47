// The public face of the tree; history_tables.h has what is behind it.
#include "trace/history.h"

#include <algorithm>
#include <string>

#include "base/hash.h"
#include "trace/codec.h"
#include "trace/history_tables.h"

namespace norn {

using namespace tree;

namespace {

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

History::History() : tables_(std::make_unique<Tables>()) {}
History::~History() = default;

// ---- interning ----

ScreenId History::put_screen(const Screen& screen) { return put_screen(screen, content_hash(screen)); }

ScreenId History::put_screen(const Screen& screen, std::uint64_t hash) {
  const ScreenId known = find_screen(hash);
  return known ? known : tables_->add_screen(screen, encode(screen), hash);
}

Result<ScreenId> History::put_packed_screen(std::string bytes, std::uint64_t hash) {
  if (const ScreenId known = find_screen(hash)) return known;
  NORN_TRY(const Screen screen, decode_screen(bytes));
  return tables_->add_screen(screen, std::move(bytes), hash);
}

ScreenId History::find_screen(std::uint64_t hash) const {
  return ScreenId{
      tables_->screen_index.find(hash, [&](std::uint32_t i) { return tables_->screens[i].hash == hash; })};
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
  if (done.new_sample && !seen.crash) {
    ++t.root_samples;
    done.new_mask = t.maybe_learn_root();
  }
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
    t.count(id, sample, heat);
    t.link(id, head, true);
    done.new_sample = true;
    done.sample = t.samples[sample].value();
  } else {
    const std::uint32_t sample = t.sample_of(id, seen, done.new_sample);
    t.count(id, sample, heat);
    done.sample = t.samples[sample].value();
  }
  done.node = NodeId{id};
  if (done.new_node && done.repeated && !seen.crash) done.new_mask = t.maybe_learn(parent.value, event_key);
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
  if (tables_->screens.size() > 0) tables_->rekey(nullptr);
}

// ---- reading ----

std::size_t History::size() const { return tables_->shown.load(acquire); }
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

ScreenId History::screen_id(NodeId node) const {
  const SampleRow* sample = tables_->best(node.value);
  return sample ? sample->screen : ScreenId{};
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
Screen History::copy_screen(ScreenId id) const { return tables_->screens[id.value].copy(); }
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
