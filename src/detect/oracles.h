// Other expectations, asked of the same service:
//   values       what is shown agrees with itself, with what was entered, and with what was touched
//   neutral      what should change nothing changes nothing: rotate and back, Home and return, the process
//                dying, any switch or choice there and back, an action and its Undo (Thor, SetDroid)
//   hidden       a page that looks the same shows the same, unless the data differ
//   independent  two actions that stay on one screen and do not touch each other commute (Genie)
//   a file       when / then / expect, a user's own
#pragma once

#include <cmath>
#include <stop_token>
#include <string>

#include "detect/detect.h"
#include "detect/odin/groups.h"

namespace norn {

struct OracleContext {
  Replay& replay;
  Groups& groups;
  const DetectOptions& options;
  std::stop_token stop;
  Detection& out;
  double until =
      0;  ///< seconds of the budget that trying must leave; confirming may go on until nothing is left

  bool left() const { return !stop.stop_requested() && replay.left() > until; }
  /// The same, to spend no more than this part of the time that is left.
  OracleContext part(double share) const {
    OracleContext out{replay, groups, options, stop, this->out, until};
    if (std::isfinite(replay.left())) out.until += (1 - share) * (replay.left() - until);
    return out;
  }
};

/// Of the time of what first finds out what can be done, and then does it.
constexpr double looking_share = 0.5;

/// Inputs like a person's (users.h), for all oracles.
Status ordinary_use(OracleContext& context);
Status neutral_oracle(OracleContext& context);
Status hidden_oracle(OracleContext& context);
Status values_oracle(OracleContext& context);
Status independent_oracle(OracleContext& context);
/// `text` is the file's content; errors name its line.
Status property_oracle(OracleContext& context, const std::string& name, const std::string& text);

}  // namespace norn
