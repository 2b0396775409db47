// A coverage set on disk is a list of runs: LEB128 numbers, in turn how many ids are skipped and how many
// follow (less one). Code is covered in blocks, so a run costs two bytes where a list of ids costs four an
// id. The bytes depend on the set alone (not on the bitmap library's choice of containers), so they also
// serve as its hash; and unlike the library's own format every byte string is either checked through or
// refused.
#include "trace/coverage.h"

#include <optional>

#include "base/hash.h"

namespace norn {
namespace {

constexpr std::uint64_t id_space = std::uint64_t{1} << 32;
constexpr std::uint64_t most_ids = std::uint64_t{1}
                                   << 26;  ///< far beyond any app: 67 million lines or probes

void put_number(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(0x80 | (value & 0x7f));
  out += static_cast<char>(value);
}

/// Takes one number off the head of `bytes`; none if it is cut off or larger than any id.
std::optional<std::uint64_t> take_number(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 35 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::uint32_t> Coverage::ids() const {
  std::vector<std::uint32_t> out(count());
  if (!out.empty()) set_.toUint32Array(out.data());
  return out;
}

std::string Coverage::serialise() const {
  std::string out;
  const std::vector<std::uint32_t> all = ids();
  std::uint64_t free = 0;  // first id not yet written
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + 1;
    while (end < all.size() && all[end] == all[end - 1] + 1) ++end;
    put_number(out, all[i] - free);
    put_number(out, end - i - 1);
    free = std::uint64_t{all[end - 1]} + 1;
    i = end;
  }
  return out;
}

std::uint64_t Coverage::hash() const { return hash_bytes(serialise()); }

Result<Coverage> Coverage::parse(std::string_view bytes) {
  Coverage out;
  std::uint64_t free = 0, total = 0;
  while (!bytes.empty()) {
    const auto skip = take_number(bytes);
    const auto more = skip ? take_number(bytes) : std::nullopt;
    if (!more || free + *skip + *more >= id_space || (total += *more + 1) > most_ids)
      return fail(Error::Kind::bad_input, "these bytes are no coverage set");
    const std::uint64_t first = free + *skip;
    free = first + *more + 1;
    out.set_.addRange(first, free);
  }
  return out;
}

}  // namespace norn
