// Where a set-up must end: on the screen on which it ended when it was recorded. A login whose password has
// changed since performs every event and stays outside; what is run from there answers no question.
#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "gui/abstraction.h"

namespace norn {

class SetupEnd {
 public:
  /// `recorded`: the last screen of the record. Nothing, or a screen that was not looked at: every end will
  /// do. Where only its activity is known, that is compared; else the activity and the widgets' ids; where there
  /// are none, the observation key.
  explicit SetupEnd(std::optional<Screen> recorded);

  /// Error: it ended elsewhere; what is in front, and what was recorded. Texts that were another one each time
  /// (a clock) are seen to be such at the third of them, so that a rig that tries again goes on.
  Status check(const Screen& seen, const Mask& mask);

 private:
  bool equal(const Screen& seen, const Mask& mask) const;

  std::vector<Screen> ends_;  ///< the recorded one, and others that were seen; empty: every end will do
};

}  // namespace norn
