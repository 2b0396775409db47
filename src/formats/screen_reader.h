// A screen is looked at again and again, and most times nothing has changed. The reader remembers the bytes
// of the last dump and compares before it parses, which costs a small part of parsing.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "gui/screen.h"

namespace norn {

/// A screen in whichever format the bytes are: uiautomator, Appium, or a DroidBot state.
Result<Screen> parse_screen(std::string_view bytes, std::string_view file);

/// One thread at a time.
class ScreenReader {
 public:
  /// Takes a dump. True: screen() is new; false: the bytes are those of the last good dump, and so is
  /// screen(). After an Error the last good dump stays.
  Result<bool> read(std::string_view bytes, std::string_view file);
  const Screen& screen() const { return screen_; }

 private:
  std::string last_;
  bool any_ = false;
  Screen screen_;
};

}  // namespace norn
