// Paths and walks: what one can ask of the tree beyond one node, on its public face alone.
#include <algorithm>

#include "trace/history.h"

namespace norn {
namespace {

std::vector<EventKey> keys_of(std::span<const Event> events) {
  std::vector<EventKey> keys;
  keys.reserve(events.size());
  for (const Event& event : events) keys.push_back(event_key(event));
  return keys;
}

}  // namespace

std::vector<NodeId> History::path(NodeId node) const {
  std::vector<NodeId> out;
  for (; node.value != 0; node = parent(node)) out.push_back(node);
  std::reverse(out.begin(), out.end());
  return out;
}

std::vector<Event> History::events_to(NodeId node) const {
  std::vector<Event> out;
  for (const NodeId n : path(node)) out.push_back(event(event_id(n)));
  return out;
}

Trace History::trace(NodeId node) const {
  const auto seen = [this](const Sample& sample) {
    Observation o;
    if (sample.screen) o.screen = copy_screen(sample.screen);
    if (sample.hit) o.hit = coverage(sample.hit);
    if (sample.crash) o.crash = crash(sample.crash);
    return o;
  };
  Trace trace;
  if (const auto start = samples(root()); !start.empty()) trace.start = seen(start.front());
  for (const NodeId n : path(node)) {
    const auto all = samples(n);
    trace.steps.push_back({event(event_id(n)), all.empty() ? Observation{} : seen(all.front())});
  }
  return trace;
}

std::vector<Walk> History::walks(NodeId from, std::span<const Event> events) const {
  return walks(from, keys_of(events));
}

std::vector<Walk> History::walks(NodeId from, std::span<const EventKey> events) const {
  std::vector<Walk> out;
  std::vector<std::pair<NodeId, std::size_t>> open{{from, 0}};
  while (!open.empty()) {
    const auto [node, used] = open.back();
    open.pop_back();
    const std::size_t before = open.size();
    if (used < events.size())
      for (const NodeId id : children(node, events[used])) open.emplace_back(id, used + 1);
    if (open.size() == before) out.push_back({node, used, counts(node)});
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(before), open.end());
  }
  return out;
}

Walk History::longest_prefix(NodeId from, std::span<const Event> events) const {
  return longest_prefix(from, keys_of(events));
}

namespace {

/// Nodes that are one outcome of an event list, with how often it was seen.
struct Outcome {
  std::uint64_t key = 0, count = 0;
  std::vector<NodeId> nodes;
};

void add_to(std::vector<Outcome>& outcomes, const History& history, NodeId node) {
  const std::uint64_t key = history.key(node);
  auto it = std::ranges::find(outcomes, key, &Outcome::key);
  if (it == outcomes.end()) it = outcomes.insert(it, Outcome{key, 0, {}});
  it->count += history.counts(node).all();
  it->nodes.push_back(node);
}

}  // namespace

// Siblings that a grown mask made one outcome are followed together: each may know a part of what follows.
Walk History::longest_prefix(NodeId from, std::span<const EventKey> events) const {
  std::vector<NodeId> here{from};
  std::size_t used = 0;
  for (; used < events.size(); ++used) {
    std::vector<Outcome> outcomes;
    for (const NodeId node : here)
      for (const NodeId child : children(node, events[used])) add_to(outcomes, *this, child);
    if (outcomes.empty()) break;
    here = std::move(std::ranges::max_element(outcomes, {}, &Outcome::count)->nodes);
  }
  const NodeId end = *std::ranges::max_element(here, {}, [this](NodeId n) { return counts(n).all(); });
  return {end, used, counts(end)};
}

}  // namespace norn
