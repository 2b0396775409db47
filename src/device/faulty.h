// Rigs fail. faulty() wraps any device and makes it fail on purpose, at chosen calls or by chance,
// repeatably: what a technique is worth shows when its device lies. Most faults are honest (an Error); two
// are not (a wrong restore, which shows by its screen, and a dropped event, which does not): the run then
// simply goes another way, as on a real rig.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "device/device.h"

namespace norn {

enum class Fault : std::uint8_t {
  lost,            ///< any call: Error::device, and every call after it until the next start() or restore()
  timeout,         ///< any call: Error::timeout; the call was not done
  failed_restore,  ///< restore(): Error::device
  wrong_restore,   ///< restore(): says yes, but a snapshot of another screen came back (if there is one)
  dropped_event,   ///< perform(): says yes, but nothing reached the app
  garbled_dump,    ///< observe(): Error::device, or a screen cut off in the middle
  count_,
};
std::string_view name_of(Fault fault);

struct FaultPlan {
  std::uint64_t seed = 1;
  std::map<Fault, double> chance;                        ///< per call that can suffer it
  std::map<Fault, std::vector<std::uint64_t>> at_calls;  ///< the n-th call (from 0) that can suffer it
};

/// Takes the device over. The meter runs on: failing takes time too.
std::unique_ptr<Device> faulty(std::unique_ptr<Device> inner, FaultPlan plan);

}  // namespace norn
