#include "base/hash.h"

#include <fmt/core.h>
#include <xxhash.h>

namespace norn {

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::string hex(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace norn
