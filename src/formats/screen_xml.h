// The two XML dialects of Android screens share everything but the element's name: uiautomator writes
// <node class="android.widget.Button" .../>, Appium writes <android.widget.Button .../>. This is their common
// reader; formats/uiautomator.h and formats/appium.h are its faces.
#pragma once

#include <optional>
#include <string_view>

#include "base/error.h"
#include "gui/screen.h"

namespace norn {

enum class ScreenDialect : std::uint8_t { uiautomator, appium };

/// Reads either dialect, or only the wanted one. Tolerates log lines before the XML and text after it, a
/// missing <hierarchy>, several windows, missing attributes, any encoding to_utf8() understands. The Error of
/// what it refuses names file and line and says what the bytes look like.
Result<Screen> parse_screen_xml(std::string_view bytes, std::string_view file,
                                std::optional<ScreenDialect> wanted = {});

}  // namespace norn
