// Appium page sources of Android (UiAutomator2 and its predecessors): like a uiautomator dump, but the
// element's name is the widget's class, and the outermost <hierarchy> tells the screen's size.
#pragma once

#include <string_view>

#include "base/error.h"
#include "gui/screen.h"

namespace norn {

/// The screen of a page source; refused input as in parse_uiautomator(). `showing-hint` turns a text into the
/// hint it is; `displayed="false"` clears Flag::visible.
Result<Screen> parse_appium(std::string_view bytes, std::string_view file);

}  // namespace norn
