// Making a short trace plain: each change is kept only if the trace still does what it did.
#pragma once

#include <stop_token>
#include <vector>

#include "replay/replay.h"

namespace norn {

/// What looking for waits came to. The rate afterwards is the certificate's to say: this search chose by its
/// samples.
struct Amplified {
  double before = 0;      ///< rate without the waits
  std::size_t tried = 0;  ///< waits tried
  std::size_t waits = 0;  ///< waits put in
};

class Polisher {
 public:
  /// `like`: everything of the requests but the events.
  Polisher(Replay& replay, Request like, std::stop_token stop)
      : replay_(replay), like_(std::move(like)), stop_(std::move(stop)) {}

  /// Coordinates become widgets (`tap 540,1210` -> `tap "Save"`), waits and texts become short. The number of
  /// events stays. False: nothing was changed.
  bool make_plain(std::vector<Event>& events);
  /// Puts waits where they raise the rate beyond chance, greedily from the back, until it is loud_enough. A
  /// wait that looks good in `runs` cold runs is judged by twice as many others; none of them is a
  /// certificate's.
  Amplified amplify(std::vector<Event>& events, std::uint32_t runs);
  static constexpr double loud_enough = 0.9;

 private:
  bool works(const std::vector<Event>& events);
  bool lift(std::vector<Event>& events);
  bool shorten_wait(std::vector<Event>& events, std::size_t i);
  bool shorten_text(std::vector<Event>& events, std::size_t i);
  struct Seen {
    std::uint32_t yes = 0, all = 0;
    double rate() const { return all == 0 ? 0 : yes / static_cast<double>(all); }
  };
  /// Cold runs, numbered from `first` on: other numbers, other chance.
  Seen sample(const std::vector<Event>& events, std::uint32_t runs, std::uint32_t first);
  static double by_chance(Seen before, Seen after);

  Replay& replay_;
  Request like_;
  std::stop_token stop_;
};

}  // namespace norn
