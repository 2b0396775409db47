// Regular expressions over what apps show.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace norn {

/// A regular expression that cannot hang or overflow on app-controlled text: matching is linear in the text,
/// of which the first 2000 bytes are looked at.
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
