// How long a reduction will still take: a guess from how it went so far.
#pragma once

#include <cstddef>
#include <optional>

namespace norn {

struct SoFar {
  std::size_t original = 0, best = 0;  ///< events
  std::size_t asked = 0;               ///< questions
  double seconds = 0;                  ///< that they took
  double certificate = 0;              ///< seconds it will take
};

/// So many questions as it took to halve the list so far, until the usual size of a result; one for each
/// event that stays; each as dear as the questions so far were; then the certificate. Nothing: no telling
/// before the first success.
std::optional<double> seconds_left(const SoFar& so_far);

inline constexpr double usual_size = 5;  ///< of a result

}  // namespace norn
