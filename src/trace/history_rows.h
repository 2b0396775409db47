// The rows of the tree's tables: what one node, one sample, one screen takes in memory.
#pragma once

#include <atomic>
#include <string>

#include "base/hash.h"
#include "trace/codec.h"
#include "trace/hash_index.h"
#include "trace/history.h"

namespace norn::tree {

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
  ScreenRow(std::string bytes, std::uint64_t hash_, std::uint64_t activity_, std::uint64_t key_)
      : packed(std::move(bytes)), hash(hash_), activity(activity_), key(key_) {}
  ~ScreenRow() { delete unpacked.load(relaxed); }

  Screen copy() const { return decode_screen(packed).value_or(Screen{}); }
  /// Two readers may unpack at once; one result stays.
  const Screen& look() const {
    if (const Screen* known = unpacked.load(acquire)) return *known;
    const auto* made = new Screen(copy());
    const Screen* expected = nullptr;
    if (unpacked.compare_exchange_strong(expected, made, std::memory_order_acq_rel, acquire)) return *made;
    delete made;
    return *expected;
  }

  const std::string packed;
  const std::uint64_t hash, activity;
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

/// A crash and a screen never have the same key.
enum class Tag : std::uint64_t { crash = 1, screen = 2 };

inline std::uint64_t key_of(const Crash& crash) {
  return Hasher()
      .add(static_cast<std::uint64_t>(Tag::crash))
      .add(signature(crash, Sameness::frames))
      .finish();
}
inline std::uint64_t key_of(const Screen& screen, const Mask& mask) {
  return Hasher()
      .add(static_cast<std::uint64_t>(Tag::screen))
      .add(static_cast<std::uint64_t>(screen.kind))
      .add(masked_structure(screen, mask).value)
      .finish();
}

inline std::uint64_t edge_hash(std::uint32_t parent, EventKey event) {
  return Hasher().add(parent).add(event).finish();
}
inline std::uint64_t outcome_hash(std::uint32_t parent, EventKey event, std::uint64_t key) {
  return Hasher().add(parent).add(event).add(key).finish();
}
inline std::uint64_t sample_hash(std::uint32_t node, const Sample& s) {
  return Hasher().add(node).add(s.screen.value).add(s.hit.value).add(s.crash.value).finish();
}

}  // namespace norn::tree
