// Which activity is in front, out of `dumpsys activity` or `dumpsys window`. The line that says so changed
// its name with almost every Android version; this is the one place that knows them all.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace norn {

/// "org.app/.ui.Main" taken apart; a name that begins with a dot is completed with the package.
struct Component {
  std::string package, activity;
  bool operator==(const Component&) const = default;
};
/// Nothing where the text is no component.
std::optional<Component> parse_component(std::string_view text);

/// The focused activity. Best evidence first: the resumed or focused activity of the whole device, of a stack
/// or display, the focused app, the focused window, the window the keyboard types into. Where several
/// displays differ, the one that also holds the focused window. Error not_found: the text says that nothing
/// has the focus; bad_input: it does not tell.
Result<Component> focused_activity(std::string_view bytes, std::string_view file);

}  // namespace norn
