// What an answer cost, and what made it: every result carries both.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace norn {

/// What was asked of devices, whether or not they could do it: an event, a restart, a save or a load that failed
/// has taken its time as well.
struct Effort {
  std::uint64_t runs = 0, events = 0, restarts = 0, snapshot_saves = 0, snapshot_loads = 0, from_memory = 0,
                unresolved = 0;
  double device_seconds = 0;    ///< summed over devices
  double makespan_seconds = 0;  ///< from first to last on the devices' clocks
  double wall_seconds = 0;

  Effort& operator+=(const Effort& other);
  friend Effort operator-(Effort a, const Effort& b);
};

struct MadeBy {
  std::string norn_version, app, app_hash, device;
  std::map<std::string, std::string> options;  ///< seeds among them
};

}  // namespace norn
