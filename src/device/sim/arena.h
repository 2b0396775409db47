// One app's memory as one contiguous image. Lua allocates from it and from nowhere else, and the allocator's
// own book-keeping lies inside too, so the bytes [base, base + used) *are* the state of the program:
// closures, upvalues, tables, all of it. Copying them away is a snapshot; copying them back to the same
// address undoes everything that happened since. The cost depends on the size of the heap, never on how long
// the run was.
//
// Allocation is by size classes (four per doubling) with a free list each and a bump pointer; blocks are never
// split or merged, so it is fast, deterministic, and wastes at most a quarter of a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace norn::sim {

/// A copy of the used part of an arena. Only the arena it was taken from can take it back.
struct Image {
  std::unique_ptr<std::byte[]> bytes;
  std::size_t size = 0;
};

class Arena {
 public:
  /// Reserves `reach` bytes of address space, of which at most `limit` may be in use at a time (what lies
  /// between, free blocks of sizes nobody wants, costs only address space); pages are taken as they are
  /// touched.
  Arena(std::size_t limit, std::size_t reach);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  bool ok() const { return base_ != nullptr; }
  /// Null when the limit is reached. Blocks are aligned to 16.
  void* allocate(std::size_t size);
  void release(void* block, std::size_t size);
  /// Like realloc: keeps the block where its class already fits.
  void* resize(void* block, std::size_t old_size, std::size_t new_size);

  /// One block may be told apart from all others: the Lua stack. Images keep that, too.
  struct Marked {
    void* block;
    std::size_t size;
  };
  void mark(Marked block);
  Marked marked() const;

  std::size_t used() const;
  Image save() const;
  /// REQUIRES: the image came from this arena, and no code runs on memory inside it.
  void restore(const Image& image);

 private:
  struct Header;
  Header& header() const;

  std::byte* base_ = nullptr;
  std::size_t limit_, reach_;
  std::size_t high_ = 0;  ///< the most that was ever touched since pages were last given back
};

}  // namespace norn::sim
