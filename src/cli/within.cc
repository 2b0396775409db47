#include "cli/within.h"

#include <fmt/core.h>

namespace norn::cli {
namespace {

template <class Value, class Bound>
Result<Bound> checked(std::string_view option, Value value, Bound least, Bound most) {
  if (value >= least && value <= most) return static_cast<Bound>(value);
  return fail(Error::Kind::bad_input, fmt::format("{} takes {} to {}", option, least, most));
}

}  // namespace

Result<std::uint32_t> within(std::string_view option, std::uint64_t value, std::uint32_t least,
                             std::uint32_t most) {
  return checked(option, value, least, most);
}
Result<double> within(std::string_view option, double value, double least, double most) {
  return checked(option, value, least, most);
}

}  // namespace norn::cli
