// "Never touch Delete account": what the user said must be left alone, by text, id or activity.
#pragma once

#include <memory>
#include <regex>
#include <string>

#include "base/error.h"
#include "gui/event.h"
#include "gui/screen.h"

namespace norn {

class Avoid {
 public:
  Avoid() = default;
  /// An ECMAScript regular expression, matched anywhere, case ignored; empty: nothing is avoided.
  static Result<Avoid> parse(const std::string& pattern);

  bool any() const { return some_; }
  /// Would this event touch something to avoid: the widget it is aimed at or that lies under its point, or
  /// what it says?
  bool touches(const Event& event, const Screen& screen) const;

 private:
  bool matches(const std::string& text) const;
  bool widget(const Screen& screen, std::size_t i) const;

  std::regex pattern_;
  bool some_ = false;
};

}  // namespace norn
