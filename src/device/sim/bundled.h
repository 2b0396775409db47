// The apps that norn brings along (apps/*.lua), compiled in: cmake/apps.cmake writes the table. The ground
// truth about their bugs is compiled in too, but only truth.cc knows where.
#pragma once

#include <span>
#include <string_view>

namespace norn::sim {

struct BundledFile {
  std::string_view name;  ///< notes.lua
  std::string_view text;
};

/// apps/*.lua, sorted by name.
std::span<const BundledFile> bundled_sources();

}  // namespace norn::sim
