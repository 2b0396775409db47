// Regular expressions over what apps show.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace norn {

/// A regular expression (RE2's: no look-ahead, no back references) over characters, not bytes. It cannot hang
/// or overflow on app-controlled text: matching is linear in the text.
class TextPattern {
 public:
  static Result<TextPattern> make(const std::string& pattern);
  bool matches(std::string_view text) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled>
      compiled_;  // shared: patterns are copied with their matchers, never changed
};

}  // namespace norn
