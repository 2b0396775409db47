// Does a known bug happen as its truth says? The least driving loop that can tell; the real one lives a layer
// above. For tests and benches, like truth.h: a bench drops the bugs of a generated app that do not hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/sim/truth.h"
#include "gui/abstraction.h"

namespace norn::sim {

/// What a device is told to do this event on this screen; nothing: its target is not there.
std::optional<Action> action_for(const Event& event, const Screen& screen);

/// How a run ended: in a crash at its `steps`-th event, or on a screen.
struct Ending {
  std::optional<std::uint64_t> crash;  ///< signature
  std::string headline;
  std::size_t steps = 0, skipped = 0;
  StateId screen;

  bool operator==(const Ending& o) const { return crash == o.crash && (crash || screen == o.screen); }
};

/// A device with the app it runs.
struct Opened {
  std::unique_ptr<Device> device;
  App app;
};
Result<Opened> open_with(const std::string& spec);

/// Runs the events from a clean start, settled; those whose target is not there, and number `without`, are
/// left out.
Result<Ending> run_events(Opened& on, const std::vector<Event>& events,
                          std::optional<std::size_t> without = {}, Nonce nonce = 1);

/// The same app with other bugs switched on: `spec` without a bugs= of its own, opened once for many bugs.
class Verifier {
 public:
  static Result<Verifier> open(std::string spec);

  /// What does not hold, or nothing: a crash comes with the last event, with this bug alone as well as with
  /// all, not without it, and with no event left out; a functional bug ends on another screen, with no event
  /// left out. Flaky bugs are not judged.
  Result<std::string> problem(const KnownBug& bug);

 private:
  std::string spec_;
  Opened all_, none_;
};

}  // namespace norn::sim
