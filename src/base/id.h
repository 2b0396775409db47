// Ids instead of pointers: an index into the table that owns the thing, with a type so that two kinds never
// mix.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace norn {

template <class Tag>
struct Id {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t value = none;

  explicit operator bool() const { return value != none; }
  auto operator<=>(const Id&) const = default;
};

}  // namespace norn

template <class Tag>
struct std::hash<norn::Id<Tag>> {
  std::size_t operator()(norn::Id<Tag> id) const noexcept { return id.value * 0x9e3779b97f4a7c15ULL; }
};
