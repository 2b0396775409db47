// uiautomator dumps: the XML that `uiautomator dump` writes on every Android since 4.1, with the variations
// of versions and wrappers (docs/formats.md, "Screens").
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "gui/screen.h"

namespace norn {

/// The screen of a dump. `file` is only for errors, which say file, line and what the bytes look like.
/// The activity is not in a dump, nor is whether the app under test is in front: kind is `app` wherever there
/// is a widget, else `nothing`.
Result<Screen> parse_uiautomator(std::string_view bytes, std::string_view file);

/// The dump a device would write for this screen: its attributes in its order, its quoting, characters that
/// XML does not allow replaced by a dot. parse_uiautomator() of it keeps rotation and, of every widget, all
/// but what the format derives (editable: from the class) and cannot hold (activity, keyboard, screen size).
std::string write_uiautomator(const Screen& screen);

}  // namespace norn
