// Events: what was *meant*, not what was sent. A closed set: a new kind is a compile error at every place
// that forgot it. The point beside a target is where it was that time; it is kept for coordinate replay and
// never part of the identity.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gui/screen.h"

namespace norn {

/// How an event finds its widget again. An empty target means: the recorded point itself.
struct Target {
  std::string cls;    ///< required to match when given
  std::string id;     ///< resource id
  std::string label;  ///< see label() in gui/screen.h
  std::string path;   ///< see path_of(); used only when neither id nor label tells
  std::optional<std::int32_t>
      ordinal;  ///< which of several equal ones, in pre-order; none: there was only one

  bool empty() const { return cls.empty() && id.empty() && label.empty() && path.empty(); }
  auto operator<=>(const Target&) const = default;
};

enum class Direction : std::uint8_t { up, down, left, right };  ///< where the finger moves

struct Tap {
  Target target;
  Point at;
  bool operator==(const Tap&) const = default;
};
struct LongPress {
  Target target;
  Point at;
  bool operator==(const LongPress&) const = default;
};
/// A fling over the target (a list, a pager) or between two points.
struct Swipe {
  Target target;
  Direction direction{};
  Point from, to;
  bool operator==(const Swipe&) const = default;
};
/// A slow move from point to point: canvases, maps, sliders. With a target the points are relative to
/// nothing: only hints.
struct Drag {
  Target target;
  Point from, to;
  bool operator==(const Drag&) const = default;
};
/// Two fingers from `from` apart to `to` apart (pixels) around the middle of the target or `at`.
struct Pinch {
  Target target;
  Point at;
  std::int32_t from = 0, to = 0;
  bool operator==(const Pinch&) const = default;
};
/// Replaces the field's text; without a target, types into what has the focus.
struct Type {
  Target target;
  Point at;
  std::string text;
  bool operator==(const Type&) const = default;
};
/// An Android key code.
struct Key {
  std::int32_t code = 0;
  bool operator==(const Key&) const = default;
};
/// Brings the app (or one of its activities) to the front; data is kept. A clean start is not an event.
struct Launch {
  std::string package, activity;
  bool operator==(const Launch&) const = default;
};
struct Rotate {
  std::int32_t rotation = 0;
  bool operator==(const Rotate&) const = default;
};
/// What the system does to the app: "broadcast", "sms", "call", "kill" (process death), "trim-memory",
/// "network-off" ...
struct System {
  std::string name;
  std::map<std::string, std::string> extras;
  bool operator==(const System&) const = default;
};
struct Wait {
  std::int32_t ms = 0;
  bool operator==(const Wait&) const = default;
};
/// Something a foreign format holds and norn only carries along: never executed silently.
struct Raw {
  std::string format, text;
  bool operator==(const Raw&) const = default;
};

using Event = std::variant<Tap, LongPress, Swipe, Drag, Pinch, Type, Key, Launch, Rotate, System, Wait, Raw>;

namespace key {
inline constexpr std::int32_t home = 3, back = 4, call = 5, end_call = 6, dpad_up = 19, dpad_down = 20,
                              dpad_left = 21, dpad_right = 22, dpad_center = 23, volume_up = 24,
                              volume_down = 25, power = 26, camera = 27, enter = 66, del = 67, menu = 82,
                              search = 84, app_switch = 187;
}  // namespace key

/// Identity of an event: kind, target and text; the recorded point only where there is no target.
using EventKey = std::uint64_t;
EventKey event_key(const Event& event);

/// The target inside, or null for kinds that have none.
const Target* target_of(const Event& event);
Target* target_of(Event& event);

/// Where the finger goes down, or null for kinds that have no point. A hint where there is a target.
const Point* point_of(const Event& event);
Point* point_of(Event& event);
/// Where a swipe or drag ends, or null for other kinds.
const Point* end_of(const Event& event);
Point* end_of(Event& event);

/// "tap", "long-press", "swipe", "type", "key" ...: stable names, used in JSON and --avoid.
std::string_view kind_name(const Event& event);
/// A line a person can follow: `tap "Save"`, `type "milk" into id/title`, `back`. Safe to print.
std::string describe(const Event& event);
std::string key_name(std::int32_t code);

}  // namespace norn
