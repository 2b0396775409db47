// Numbers of the command line that have bounds: what lies outside is refused by the option's name, never
// brought inside in silence.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace norn::cli {

/// The value, if it is no less than `least` and no more than `most`.
Result<std::uint32_t> within(std::string_view option, std::uint64_t value, std::uint32_t least,
                             std::uint32_t most);
Result<double> within(std::string_view option, double value, double least, double most);

}  // namespace norn::cli
