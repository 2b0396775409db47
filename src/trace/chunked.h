// An array that grows and never moves: one writer appends, readers on other threads keep plain references.
//
// Chunk k holds 1024 << k elements, so that 23 chunk pointers reach past four thousand million and an index
// finds its chunk with one bit scan. Memory of a chunk is touched only where elements were made.
//
// A reader may look at element i once it knows, through a release/acquire pair (size(), or an id read from an
// atomic that was stored after the element was made), that i exists.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace norn {

template <class T>
class Chunked {
 public:
  Chunked() = default;
  Chunked(const Chunked&) = delete;
  Chunked& operator=(const Chunked&) = delete;
  ~Chunked() {
    for (std::uint32_t i = size(); i-- > 0;) std::destroy_at(&(*this)[i]);
    for (std::size_t k = 0; k < chunks_.size(); ++k)
      if (T* chunk = chunks_[k].load(std::memory_order_relaxed))
        std::allocator<T>().deallocate(chunk, first_size << k);
  }

  /// Appends; the element is complete before size() counts it. REQUIRES: the one writer; fewer than 2^32 - 1.
  template <class... Args>
  std::uint32_t emplace(Args&&... args) {
    const std::uint32_t index = size_.load(std::memory_order_relaxed);
    const auto [chunk, offset] = place(index);
    T* memory = chunks_[chunk].load(std::memory_order_relaxed);
    if (!memory) {
      memory = std::allocator<T>().allocate(first_size << chunk);
      chunks_[chunk].store(memory, std::memory_order_release);
    }
    std::construct_at(memory + offset, std::forward<Args>(args)...);
    size_.store(index + 1, std::memory_order_release);
    return index;
  }

  T& operator[](std::uint32_t index) { return *at(index); }
  const T& operator[](std::uint32_t index) const { return *at(index); }
  std::uint32_t size() const { return size_.load(std::memory_order_acquire); }

 private:
  static constexpr std::size_t first_size = 1024;
  struct Place {
    std::size_t chunk, offset;
  };
  static Place place(std::uint32_t index) {
    const std::uint64_t shifted = std::uint64_t{index} + first_size;
    const auto chunk = static_cast<std::size_t>(std::bit_width(shifted) - std::bit_width(first_size));
    return {chunk, static_cast<std::size_t>(shifted - (std::uint64_t{first_size} << chunk))};
  }
  T* at(std::uint32_t index) const {
    const auto [chunk, offset] = place(index);
    return chunks_[chunk].load(std::memory_order_acquire) + offset;
  }

  std::array<std::atomic<T*>, 23> chunks_{};
  std::atomic<std::uint32_t> size_{0};
};

}  // namespace norn
