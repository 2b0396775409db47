// What is known about the bugs of a bundled app: apps/NAME.bugs.json, compiled in beside the apps. Only `norn
// apps`, tests and benches may include this: a technique that can look is judged by nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "device/sim/truth_event.h"
#include "gui/event.h"

namespace norn::sim {

struct KnownBug {
  enum class Kind : std::uint8_t { crash, functional, flaky };

  std::string id;  ///< what the app's bug() is asked
  Kind kind = Kind::crash;
  std::string what;               ///< a sentence for people
  std::string device;             ///< options it needs, such as "timing=random"; mostly empty
  std::vector<std::string> text;  ///< the events as written
  std::vector<Event>
      events;  ///< a short triggering sequence from a clean start: none of them can be left out

  /// Another way into the same crash: its events cannot do with one less either, and are not those of another
  /// way.
  struct Way {
    std::vector<std::string> text;
    std::vector<Event> events;
  };
  std::vector<Way> others;  ///< some of them; of crashes only
};
std::string_view name_of(KnownBug::Kind kind);

struct Truth {
  std::string app;   ///< notes
  std::string what;  ///< what the app is, in a sentence
  std::vector<KnownBug> bugs;
};

/// The truth about a bundled app. Error::not_found: no such app, or nothing is known about it.
Result<Truth> load_truth(std::string_view name);

/// The same from a file's text; ids without ':' belong to `package`. `where` names the file in errors.
Result<Truth> parse_truth(std::string_view json, std::string_view package, std::string_view where);

}  // namespace norn::sim
