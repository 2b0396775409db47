// What an app takes an event for. Tools record what they touched; two records of the same deed may name it
// differently: a row without an id, or the text inside it that has one.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "gui/event.h"
#include "gui/screen.h"

namespace norn {

/// A long press that neither the widget nor what it is in takes is a tap. A touch on a widget without an id
/// is one on the first widget below it that has an id and takes no touches itself: they end in the same
/// place.
Event as_taken(const Event& event, const Screen& before);

/// Whether an event on this widget is taken by it or by what it is in.
bool is_taken(const Event& event, const Screen& screen, std::size_t widget);

/// What the system does that makes a page anew, as turning the device does.
inline constexpr std::array<std::string_view, 2> remaking_signals{"dark-mode", "locale"};

/// How an event is done, apart from the widget it goes to and the text it types. Parts that its kind does not
/// have are empty.
struct Manner {
  std::string kind = {}, key = {};
  std::string direction = {};  ///< of a swipe: left, right, up, down; of a pinch: open, close
  std::string name = {};       ///< what the system does; how long a wait is, what a foreign event says
  std::map<std::string, std::string> extras = {};  ///< of what the system does
  std::optional<std::string> page = {};            ///< that a launch starts; "": the app itself
  bool operator==(const Manner&) const = default;
};

/// Another language, another brightness: what it is changed to is no matter.
Manner manner_of(const Event& event);

/// The same event but for widget and text. An app is started whether its name is said or not.
bool same_manner(const Event& a, const Event& b);

/// Whether it is done as was asked. Parts that are empty ask for nothing.
bool is_done_so(const Manner& asked, const Manner& done);

}  // namespace norn
