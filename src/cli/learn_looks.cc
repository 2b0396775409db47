#include "cli/learn_looks.h"

#include <array>

#include "explore/explore.h"

namespace norn::cli {
namespace {

/// One that goes by chance, one that looks for what is new, one that travels back.
constexpr std::array<const char*, 3> lookers{"random", "norn", "timemachine"};

}  // namespace

Look look_by_tools(std::string package) {
  return [package = std::move(package)](Replay& replay, std::uint64_t seed, double seconds,
                                        std::stop_token stop) -> Status {
    Quiet quiet;
    for (const char* strategy : lookers) {
      ExploreOptions options;
      options.strategy = strategy, options.seed = seed, options.package = package, options.confirm = 0;
      options.seconds = seconds / static_cast<double>(lookers.size());
      if (const auto done = explore(replay, options, quiet, stop); !done)
        return std::unexpected(done.error());
    }
    return {};
  };
}

}  // namespace norn::cli
