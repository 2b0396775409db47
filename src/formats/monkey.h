// Android's Monkey: scripts for `monkey -f`, both ways, and what stock Monkey prints.
//
// A script says what to inject; norn reads it as what was meant (down and up at one place is a tap). Where
// norn has no word for a line it is kept as a Raw event, never dropped. A log says what was injected, in
// coordinates, with the activity where Monkey tells it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "gui/event.h"
#include "trace/step.h"

namespace norn {

// ---- scripts ----

struct MonkeyScript {
  std::vector<Event> events;
  std::vector<std::string> skipped;  ///< lines that are no command: Monkey skips them too
};
bool is_monkey_script(std::string_view bytes);
Result<MonkeyScript> parse_monkey_script(std::string_view bytes, std::string_view file);

struct MonkeyExport {
  std::string text;
  std::vector<std::string> skipped;  ///< events that Monkey has no command for, described
};
/// Coordinates are those recorded beside the targets: an event without a point cannot be written.
/// Reading the text gives the events back as coordinates; a Type with a point becomes a tap and the text.
MonkeyExport write_monkey_script(std::span<const Event> events);

/// "KEYCODE_BACK", "BACK" or "4".
std::optional<std::int32_t> key_code(std::string_view name);

// ---- output ----

/// One `:Monkey: seed=...` and what follows it.
struct MonkeyRun {
  std::optional<std::uint64_t> seed;
  std::int64_t asked = 0;                ///< events
  std::optional<std::int64_t> injected;  ///< by its own count, where it got so far
  std::vector<std::string> packages;     ///< allowed ones
  Trace trace;                           ///< a crash stands on the step after which it was printed
  std::vector<Crash> more;               ///< those that came with another one, before any further event
  std::size_t crashes = 0;               ///< all of them
  std::map<std::string, std::int64_t> left_out;  ///< what became no event, and how often: trackball, flip ...
  std::map<std::string, std::int64_t> dropped;   ///< Monkey's own `:Dropped:` line
  bool aborted = false, finished = false;
};
bool is_monkey_log(std::string_view bytes);
/// All runs in the file; an Error if there is none, or (cancelled) once it was asked to stop.
Result<std::vector<MonkeyRun>> parse_monkey_log(std::string_view bytes, std::string_view file,
                                                const std::stop_token& stop = {});

}  // namespace norn
