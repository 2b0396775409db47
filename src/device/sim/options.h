// What `sim:NAME?key=value&...` asks for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "device/device.h"
#include "device/sim/source.h"

namespace norn::sim {

struct Options {
  std::string name;  ///< bundled name or path
  Costs costs;
  bool snapshots = true;
  bool instant = false;
  double flaky = 0;
  bool random_timing = false, random_content = false;
  std::uint64_t seed = 1;
  std::string bugs = "all";
  std::int64_t mutant = -1;
  std::int32_t width = 1080, height = 1920;
  std::string locale = "en_US";
  std::vector<std::pair<std::string, std::string>> generator;  ///< for sim:generated

  /// Is that bug switched on?
  bool has_bug(std::string_view id) const;
  /// What changes behaviour, in canonical order: App::options.
  std::string behaviour() const;
};

/// `spec` with or without "sim:". Unknown keys and values are errors that suggest.
Result<Options> parse_options(std::string_view spec);

/// The app's source: bundled, from a file, generated; mutated if asked.
Result<Source> find_source(const Options& options);

/// Names of the bundled apps, sorted.
std::vector<std::string> bundled_apps();

}  // namespace norn::sim
