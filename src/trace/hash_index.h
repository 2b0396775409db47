// From a 64-bit hash to an id, read without locks beside one writer.
//
// Open addressing over atomic words: the upper half is a tag (the hash's upper half, never 0), the lower half
// the id. A word is stored once and never changed, so a reader sees it whole or not at all. When two thirds
// are used, the writer fills a table twice as large and publishes it; tables that were replaced stay until
// the end, because a reader may still be in one (together they are smaller than the one in use).
//
// Tags can collide: the caller says, with a predicate on the id, whether it is the one meant.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace norn {

class HashIndex {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  HashIndex() { publish(std::make_unique<Table>(std::size_t{64})); }
  HashIndex(const HashIndex&) = delete;
  HashIndex& operator=(const HashIndex&) = delete;

  /// The id stored first under `hash` for which `is_it(id)` holds, or none.
  template <class Predicate>
  std::uint32_t find(std::uint64_t hash, Predicate is_it) const {
    const Table& table = *current_.load(std::memory_order_acquire);
    const std::uint64_t tag = tag_of(hash);
    for (std::size_t i = tag & table.mask;; i = (i + 1) & table.mask) {
      const std::uint64_t word = table.words[i].load(std::memory_order_acquire);
      if (word == 0) return none;
      if (word >> 32 == tag && is_it(static_cast<std::uint32_t>(word)))
        return static_cast<std::uint32_t>(word);
    }
  }

  /// REQUIRES: the one writer; what the id names is complete.
  void insert(std::uint64_t hash, std::uint32_t id) {
    if ((used_ + 1) * 3 > (latest().mask + 1) * 2) grow();
    put(latest(), tag_of(hash) << 32 | id);
    ++used_;
  }

  std::size_t size() const { return used_; }

 private:
  struct Table {
    explicit Table(std::size_t size) : mask(size - 1), words(new std::atomic<std::uint64_t>[size]()) {}
    std::size_t mask;
    std::unique_ptr<std::atomic<std::uint64_t>[]> words;
  };

  static std::uint64_t tag_of(std::uint64_t hash) {
    const std::uint64_t tag = hash >> 32;
    return tag == 0 ? 1 : tag;
  }
  static void put(Table& table, std::uint64_t word) {
    std::size_t i = (word >> 32) & table.mask;
    while (table.words[i].load(std::memory_order_relaxed) != 0) i = (i + 1) & table.mask;
    table.words[i].store(word, std::memory_order_release);
  }
  Table& latest() { return *tables_.back(); }
  void publish(std::unique_ptr<Table> table) {
    tables_.push_back(std::move(table));
    current_.store(tables_.back().get(), std::memory_order_release);
  }
  // Ids of equal tags keep their order only if each run of used words is taken from its beginning: so the
  // scan starts just behind an empty word.
  void grow() {
    const Table& old = latest();
    auto table = std::make_unique<Table>((old.mask + 1) * 2);
    std::size_t start = 0;
    while (old.words[start].load(std::memory_order_relaxed) != 0) ++start;
    for (std::size_t i = 1; i <= old.mask + 1; ++i)
      if (const std::uint64_t word = old.words[(start + i) & old.mask].load(std::memory_order_relaxed))
        put(*table, word);
    publish(std::move(table));
  }

  std::vector<std::unique_ptr<Table>> tables_;
  std::atomic<const Table*> current_{nullptr};
  std::size_t used_ = 0;
};

}  // namespace norn
