// The tree of everything ever executed for one app on one kind of device.
//
// The root is the app just started (and set up). An edge is an event; a child is one *distinct outcome* of
// that event: (event key, observation key). The same events may end differently, so an event list labels a
// sub-tree, not a path; each node counts how often it was reached, cold (the run began with a clean start)
// and warm (it began with a snapshot) apart. Exact screens hang on the node as samples; questions are
// evaluated on samples, never on keys.
//
// Append-only, ids stable. One writer; readers on other threads never block it and never see half a node:
// nodes lie in chunks that do not move, links and counts are atomics, and a child is linked only when it is
// complete. Screens are kept packed and unpacked when first looked at.
//
// Volatile texts (clocks, feeds) are learnt while appending: once repeats of one edge have shown three
// distinct values of a widget's text or description on screens that are otherwise alike, the mask grows and
// all keys are computed anew. Nodes keep their ids. Siblings whose keys became equal are one outcome from
// then on: the oldest is its home, where later runs are appended and counted; the others stay as they are,
// and walks() goes through all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "gui/abstraction.h"
#include "gui/event.h"
#include "gui/screen.h"
#include "trace/coverage.h"
#include "trace/crash.h"
#include "trace/step.h"

namespace norn {

using NodeId = Id<struct NodeTag>;
using ScreenId = Id<struct ScreenTag>;
using EventId = Id<struct EventTag>;
using CoverageId = Id<struct CoverageTag>;
using CrashId = Id<struct CrashTag>;

enum class Heat : std::uint8_t { cold, warm };

struct Counts {
  std::uint32_t cold = 0, warm = 0;
  std::uint32_t all() const { return cold + warm; }
  Counts& operator+=(const Counts& o) {
    cold += o.cold;
    warm += o.warm;
    return *this;
  }
  bool operator==(const Counts&) const = default;
};

/// One distinct thing seen at a node.
struct Sample {
  ScreenId screen;
  CoverageId hit;
  CrashId crash;  ///< none unless the step crashed
  std::uint32_t count = 0;

  bool operator==(const Sample&) const = default;
};

/// What append() did, for the journal: enough to repeat it (sample.count: after this step).
struct Appended {
  NodeId node;
  bool new_node = false;
  bool new_sample = false;
  Sample sample;
  bool disagreed = false;  ///< the same event from the same node had an outcome other than this one
  bool repeated = false;   ///< the same event had been run from this node before
  bool new_mask = false;   ///< this step made the mask grow: see mask()
  EventId event;           ///< the event as it was given, its points included; none for the root
  Heat heat = Heat::cold;

  bool operator==(const Appended&) const = default;
};

/// One way an event list went.
struct Walk {
  NodeId end;
  std::size_t used = 0;  ///< events taken; fewer than given where it crashed or the tree ends
  Counts counts;         ///< of `end`

  bool operator==(const Walk&) const = default;
};

class History {
 public:
  History();
  ~History();
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // ---- writing: one thread at a time ----

  /// A run reached the root and saw this.
  Appended append_root(const Observation& seen, Heat heat);
  /// A run at `parent` performed `event` and saw this. Restoring a snapshot appends nothing: the steps after
  /// it are warm, that is all. REQUIRES: parent exists and is no crash.
  Appended append(NodeId parent, const Event& event, const Observation& seen, Heat heat);
  /// The same with parts that are interned already (put_...): what a caller uses that knows the screen is
  /// the one it had before. `seen.count` is not looked at.
  Appended append(NodeId parent, EventId event, const Sample& seen, Heat heat);
  Appended append_root(const Sample& seen, Heat heat);

  /// Interns by content: the id of an equal one, or the next id. A store puts back what it kept in the order
  /// the ids were given. `hash` is content_hash(screen), where the caller has it.
  ScreenId put_screen(const Screen& screen);
  ScreenId put_screen(const Screen& screen, std::uint64_t hash);
  EventId put_event(const Event& event);
  CoverageId put_coverage(const Coverage& hit);
  CrashId put_crash(const Crash& crash);

  /// For a store that loads: a screen as encode() made it; refused where it is damaged.
  Result<ScreenId> put_packed_screen(std::string bytes, std::uint64_t hash);
  /// The next node; for the root, `parent` and `event` are none. Its key follows from its first sample.
  NodeId put_node(NodeId parent, EventId event, const Sample& first);
  /// Adds to a node: a sample seen `sample.count` times, and how often the node was reached.
  void put_sample(NodeId node, const Sample& sample, Counts counts);
  /// REQUIRES: before any screen is put, or a larger version than the present one.
  void set_mask(const Mask& mask);

  // ---- reading: any thread ----

  std::size_t size() const;  ///< nodes, the root (id 0) included
  NodeId root() const { return NodeId{0}; }
  bool contains(NodeId node) const { return node.value < size(); }

  NodeId parent(NodeId node) const;
  EventId event_id(NodeId node) const;  ///< of the edge into it; none for the root
  std::uint64_t key(NodeId node) const;
  std::uint32_t depth(NodeId node) const;
  Counts counts(NodeId node) const;
  const Crash* crash(NodeId node) const;            ///< the crash that ended the path here, or null
  std::vector<Sample> samples(NodeId node) const;   ///< most frequent first; never empty once counted
  const Screen& screen(NodeId node) const;          ///< of the most frequent sample
  ScreenId screen_id(NodeId node) const;            ///< likewise; none: it has no screen
  const Coverage& hit(NodeId node) const;           ///< likewise
  std::vector<NodeId> children(NodeId node) const;  ///< oldest first
  std::vector<NodeId> children(NodeId node, EventKey event) const;  ///< the distinct outcomes of one event
  /// The child with that outcome, or none: O(1).
  NodeId child(NodeId node, EventKey event, std::uint64_t observation_key) const;

  std::size_t screens() const;
  std::size_t crashes() const;
  std::size_t events() const;
  std::size_t coverages() const;
  const Screen& screen(ScreenId id) const;         ///< unpacked once, then kept: 10 times the memory
  Screen copy_screen(ScreenId id) const;           ///< for those who look at very many
  std::string_view packed(ScreenId id) const;      ///< as encode() made it
  ScreenId find_screen(std::uint64_t hash) const;  ///< by content_hash; none where it was never seen
  std::uint64_t hash(ScreenId id) const;           ///< content_hash
  std::uint64_t key(ScreenId id) const;            ///< observation key under the present mask
  const Event& event(EventId id) const;
  EventKey event_key(EventId id) const;
  const Coverage& coverage(CoverageId id) const;
  const Crash& crash(CrashId id) const;

  /// The key an observation gets under the present mask: crash signature (`frames`), or the screen's kind and
  /// masked structure.
  std::uint64_t observation_key(const Observation& seen) const;
  Mask mask() const;
  std::uint32_t mask_version() const;

  /// Nodes, or events, from the root down to `node` (the root is not in the list).
  std::vector<NodeId> path(NodeId node) const;
  std::vector<Event> events_to(NodeId node) const;
  Trace trace(NodeId node) const;

  /// All ways the event list went from `from`: every walk that takes the events in order as far as the tree
  /// knows, each ended by a crash, by the list's end, or because nothing was executed beyond. O(length) where
  /// outcomes are unique.
  std::vector<Walk> walks(NodeId from, std::span<const Event> events) const;
  std::vector<Walk> walks(NodeId from, std::span<const EventKey> events) const;
  /// The deepest node reached by the list through the most frequent outcomes (the oldest of equally frequent
  /// ones). O(length) where outcomes are unique.
  Walk longest_prefix(NodeId from, std::span<const Event> events) const;
  Walk longest_prefix(NodeId from, std::span<const EventKey> events) const;

  /// How often an edge was run again in this app, and how often the outcome differed from all seen before
  /// (under the present mask).
  struct Agreement {
    std::uint64_t repeats = 0, disagreed = 0;
  };
  Agreement agreement() const;

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace norn
