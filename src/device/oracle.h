// A recorded crash trace as a device: its events are taps whose points say which event they are, its screens
// show the state, and which events the crash needs is known. For measuring reducers under the real service.
//
// Events and states are numbered from 1 as in the files; event 1, the launch, belongs to the restart. With
// `machine` an event has an effect only if the app is in the state in which it was recorded; its effect: the
// app moves to the state of the next event, the event is done, and what it undoes is done no more. The run
// crashes when the last event takes effect while all of `need` and enough of each of `any` are done; with
// `rate` < 1 only that often.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "device/device.h"

namespace norn {

struct OracleCase {
  struct AtLeast {
    std::uint32_t count = 0;
    std::vector<std::uint32_t> of;
  };
  std::string kind;  ///< for tables only
  std::int32_t seed = 0;
  bool machine = false;
  std::vector<std::uint32_t> need;
  std::vector<AtLeast> any;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> undo;  ///< the first undoes the second
  double rate = 1;
};

struct Oracle {
  std::string trace;
  std::vector<std::int32_t> states;  ///< states[i - 1]: in which event i was received
  std::vector<OracleCase> cases;

  std::uint32_t events() const { return static_cast<std::uint32_t>(states.size()); }
};

/// Refuses what is no oracle: fewer than two events, numbers beyond the last event, a rate outside 0..1.
Result<Oracle> read_oracle(const std::filesystem::path& file);

/// One run of one case: small enough to copy as a snapshot. The oracle must outlive it.
class OracleRun {
 public:
  OracleRun(const Oracle& oracle, const OracleCase& the_case);

  /// True: all that the crash needs is there; whether it crashes is for the rate to say.
  bool perform(std::uint32_t event);
  std::int32_t state() const { return state_; }

 private:
  bool complete() const;

  const Oracle* oracle_;
  const OracleCase* case_;
  std::int32_t state_;
  std::vector<bool> done_;  ///< by event number
};

/// Events 2..n as taps without target: ask with Missing::point.
std::vector<Event> oracle_events(const Oracle& oracle);
/// What to hand to start() and to the replay service.
App oracle_app(const Oracle& oracle, std::size_t case_index);

/// The device: virtual time by `costs`; a start puts the app in the state of event 2.
/// REQUIRES: case_index < oracle.cases.size().
std::unique_ptr<Device> oracle_device(Oracle oracle, std::size_t case_index, const Costs& costs,
                                      bool snapshots);
Result<std::unique_ptr<Device>> open_oracle(const std::filesystem::path& file, std::size_t case_index,
                                            const Costs& costs, bool snapshots);

}  // namespace norn
