// Making a short trace plain: each change is kept only if the trace still does what it did.
#pragma once

#include <stop_token>
#include <vector>

#include "replay/replay.h"

namespace norn {

class Polisher {
 public:
  /// `like`: everything of the requests but the events.
  Polisher(Replay& replay, Request like, std::stop_token stop)
      : replay_(replay), like_(std::move(like)), stop_(std::move(stop)) {}

  /// Coordinates become widgets (`tap 540,1210` -> `tap "Save"`), waits and texts become short. The number of events stays.
  /// False: nothing was changed.
  bool make_plain(std::vector<Event>& events);
  /// Puts waits where they raise the rate, greedily from the back, until it is 0.9; each step compares fresh cold samples.
  std::vector<Event> amplify(std::vector<Event> events, std::uint32_t sample);

 private:
  bool works(const std::vector<Event>& events);
  bool lift(std::vector<Event>& events);
  bool shorten_wait(std::vector<Event>& events, std::size_t i);
  bool shorten_text(std::vector<Event>& events, std::size_t i);
  double rate(const std::vector<Event>& events, std::uint32_t sample);

  Replay& replay_;
  Request like_;
  std::stop_token stop_;
};

}  // namespace norn
