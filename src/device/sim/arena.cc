#include "device/sim/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace norn::sim {
namespace {

constexpr std::size_t kSmallest = 16;
constexpr std::size_t kClasses = 96;
constexpr std::size_t kSlack = std::size_t{4} << 20;  // pages kept beyond an image that is restored

/// Class sizes are 16, 20->32 ... : 2^k * {4,5,6,7} / 4, rounded up to multiples of 16.
std::size_t class_of(std::size_t size) {
  if (size <= kSmallest) return 0;
  const auto exponent = static_cast<std::size_t>(std::bit_width(size - 1)) - 1;  // 2^exponent < size
  const std::size_t quarter = std::size_t{1} << (exponent - 2);
  const std::size_t step = (size - (std::size_t{1} << exponent) + quarter - 1) / quarter;  // 1..4
  return (exponent - 4) * 4 + step;
}

std::size_t size_of_class(std::size_t index) {
  if (index == 0) return kSmallest;
  const std::size_t exponent = (index - 1) / 4 + 4, step = (index - 1) % 4 + 1;
  const std::size_t size = (std::size_t{1} << exponent) + step * (std::size_t{1} << (exponent - 2));
  return (size + 15) & ~std::size_t{15};
}

/// Tables hash objects by the lower half of their addresses, so every arena begins where that half is 0: the
/// same program then makes the same tables in every process.
constexpr std::size_t kAlign = std::size_t{1} << 32;

std::byte* map_aligned(std::size_t size) {
  void* wide = mmap(nullptr, size + kAlign, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (wide == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(wide);
  const std::size_t before = (kAlign - reinterpret_cast<std::uintptr_t>(begin) % kAlign) % kAlign;
  if (before > 0) munmap(begin, before);
  if (before < kAlign) munmap(begin + before + size, kAlign - before);
  if (mprotect(begin + before, size, PROT_READ | PROT_WRITE) == 0) return begin + before;
  munmap(begin + before, size);
  return nullptr;
}

}  // namespace

struct Arena::Header {
  struct FreeBlock {
    FreeBlock* next;
  };
  std::size_t used;  // up to here blocks were ever given out
  std::size_t live;  // bytes in blocks that are in use
  Marked marked;
  std::array<FreeBlock*, kClasses> free;
};

Arena::Arena(std::size_t limit, std::size_t reach) : limit_(limit), reach_(reach) {
  base_ = map_aligned(reach);
  if (base_ == nullptr) return;
  header().used = (sizeof(Header) + 15) & ~std::size_t{15};
}

Arena::~Arena() {
  if (base_ != nullptr) munmap(base_, reach_);
}

Arena::Header& Arena::header() const { return *reinterpret_cast<Header*>(base_); }

void Arena::mark(Marked block) { header().marked = block; }
Arena::Marked Arena::marked() const { return header().marked; }

std::size_t Arena::used() const { return header().used; }

void* Arena::allocate(std::size_t size) {
  if (size > limit_) return nullptr;
  Header& h = header();
  const std::size_t index = class_of(size), bytes = size_of_class(index);
  if (bytes > limit_ - h.live) return nullptr;
  if (Header::FreeBlock* block = h.free[index]; block != nullptr) {
    h.free[index] = block->next;
    h.live += bytes;
    return block;
  }
  if (bytes > reach_ - h.used) return nullptr;
  h.live += bytes;
  void* block = base_ + h.used;
  h.used += bytes;
  high_ = std::max(high_, h.used);
  return block;
}

void Arena::release(void* block, std::size_t size) {
  if (block == nullptr) return;
  const std::size_t index = class_of(size);
  Header::FreeBlock*& list = header().free[index];
  list = new (block) Header::FreeBlock{list};
  header().live -= size_of_class(index);
}

void* Arena::resize(void* block, std::size_t old_size, std::size_t new_size) {
  if (class_of(old_size) == class_of(new_size)) return block;
  void* fresh = allocate(new_size);
  if (fresh == nullptr) return new_size <= old_size ? block : nullptr;  // shrinking never fails
  std::memcpy(fresh, block, std::min(old_size, new_size));
  release(block, old_size);
  return fresh;
}

Image Arena::save() const {
  Image image{std::make_unique_for_overwrite<std::byte[]>(used()), used()};
  std::memcpy(image.bytes.get(), base_, image.size);
  return image;
}

void Arena::restore(const Image& image) {
  std::memcpy(base_, image.bytes.get(), image.size);
  const std::size_t keep = (image.size + kSlack) & ~std::size_t{4095};
  if (high_ > keep + kSlack) {
    madvise(base_ + keep, reach_ - keep, MADV_DONTNEED);
    high_ = keep;
  }
}

}  // namespace norn::sim
