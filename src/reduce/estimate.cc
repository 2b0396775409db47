#include "reduce/estimate.h"

#include <algorithm>
#include <cmath>

namespace norn {

std::optional<double> seconds_left(const SoFar& so_far) {
  if (so_far.asked == 0 || so_far.best == 0 || so_far.best >= so_far.original) return std::nullopt;
  const auto asked = static_cast<double>(so_far.asked), length = static_cast<double>(so_far.best);
  const double halved = std::log2(static_cast<double>(so_far.original) / length);
  const double still = std::max(0.0, std::log2(length / usual_size));
  const double questions = asked / halved * still + std::min(length, 2 * usual_size);
  return questions * so_far.seconds / asked + so_far.certificate;
}

}  // namespace norn
