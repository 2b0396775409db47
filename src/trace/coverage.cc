// A coverage set on disk is a list of runs: LEB128 numbers, in turn how many ids are skipped and how many
// follow (less one). Code is covered in blocks, so a run costs two bytes where a list of ids costs four an
// id. The bytes depend on the set alone (not on the bitmap library's choice of containers), so they also
// serve as its hash; and unlike the library's own format every byte string is either checked through or
// refused.
#include "trace/coverage.h"

#include <optional>
#include <roaring/roaring.hh>

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

/// What a missing set stands for.
const Roaring& value(const std::unique_ptr<Roaring>& set) {
  static const Roaring none;
  return set ? *set : none;
}

}  // namespace

Coverage::Coverage() = default;
Coverage::Coverage(std::span<const std::uint32_t> ids) {
  if (!ids.empty()) own().addMany(ids.size(), ids.data());
}
Coverage::Coverage(const Coverage& other)
    : set_(other.set_ ? std::make_unique<Roaring>(*other.set_) : nullptr) {}
Coverage::Coverage(Coverage&& other) noexcept = default;
Coverage& Coverage::operator=(const Coverage& other) { return *this = Coverage(other); }
Coverage& Coverage::operator=(Coverage&& other) noexcept = default;
Coverage::~Coverage() = default;

Roaring& Coverage::own() {
  if (!set_) set_ = std::make_unique<Roaring>();
  return *set_;
}

void Coverage::add(std::uint32_t id) { own().add(id); }
bool Coverage::contains(std::uint32_t id) const { return set_ && set_->contains(id); }
std::uint64_t Coverage::count() const { return set_ ? set_->cardinality() : 0; }
std::uint64_t Coverage::count_below(std::uint32_t id) const {
  return set_ && id > 0 ? set_->rank(id - 1) : 0;
}
bool Coverage::empty() const { return !set_ || set_->isEmpty(); }
bool Coverage::within(const Coverage& other) const { return value(set_).isSubset(value(other.set_)); }
bool Coverage::operator==(const Coverage& o) const { return value(set_) == value(o.set_); }

Coverage& Coverage::operator|=(const Coverage& o) {
  if (o.set_) own() |= *o.set_;
  return *this;
}
Coverage& Coverage::operator&=(const Coverage& o) {
  if (set_) *set_ &= value(o.set_);
  return *this;
}
Coverage& Coverage::operator-=(const Coverage& o) {
  if (set_ && o.set_) *set_ -= *o.set_;
  return *this;
}
std::uint64_t Coverage::count_beyond(const Coverage& other) const {
  return set_ ? count() - set_->and_cardinality(value(other.set_)) : 0;
}

std::vector<std::uint32_t> Coverage::ids() const {
  std::vector<std::uint32_t> out(count());
  if (!out.empty()) set_->toUint32Array(out.data());
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
    if (more) total += *more + 1;
    if (!more || free + *skip + *more >= id_space || total > most_ids)
      return fail(Error::Kind::bad_input, "these bytes are no coverage set");
    const std::uint64_t first = free + *skip;
    free = first + *more + 1;
    out.own().addRange(first, free);
  }
  return out;
}

}  // namespace norn
