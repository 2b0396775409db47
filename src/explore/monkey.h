// Monkey's events: the mix of the stock program at its defaults, at raw coordinates, without looking at the
// screen.
//
//   touch 15 %  motion 10 %  trackball 15 %  rotation 0 %  navigation 25 %  major navigation 15 %  system keys 2 %
//   app switch 2 %  flip 1 %  any key 13 %  pinch 2 %
//
// What norn's vocabulary does not have is the nearest thing it has: a trackball roll is an arrow key (one in
// ten a press), a flip of the hardware keyboard is a rotation (to an app both are a change of configuration).
//
// System events in the manner of Stoat, one every 60 to 90 seconds of device time: broadcasts, SMS, calls,
// rotation, volume, a declared activity.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "gui/event.h"

namespace norn {

enum class MonkeyKind : std::uint8_t {
  touch,
  motion,
  trackball,
  rotation,
  nav,
  major_nav,
  syskeys,
  app_switch,
  flip,
  any_key,
  pinch
};
struct MonkeyShare {
  MonkeyKind kind;
  std::string_view name;
  double percent;
};
inline constexpr std::array<MonkeyShare, 11> monkey_mix = {{
    {MonkeyKind::touch, "touch", 15},
    {MonkeyKind::motion, "motion", 10},
    {MonkeyKind::trackball, "trackball", 15},
    {MonkeyKind::rotation, "rotation", 0},
    {MonkeyKind::nav, "nav", 25},
    {MonkeyKind::major_nav, "majornav", 15},
    {MonkeyKind::syskeys, "syskeys", 2},
    {MonkeyKind::app_switch, "appswitch", 2},
    {MonkeyKind::flip, "flip", 1},
    {MonkeyKind::any_key, "anyevent", 13},
    {MonkeyKind::pinch, "pinchzoom", 2},
}};

class MonkeyEvents {
 public:
  explicit MonkeyEvents(std::uint64_t seed) : rng_(seed) {}
  struct Drawn {
    MonkeyKind kind;
    Event event;
  };
  Drawn draw(std::int32_t width, std::int32_t height);

 private:
  Event make(MonkeyKind kind, std::int32_t width, std::int32_t height);
  Point point(std::int32_t width, std::int32_t height);
  Key any_of(std::initializer_list<std::int32_t> codes);

  Rng rng_;
  bool turned_ = false;
};

class SystemEvents {
 public:
  SystemEvents(std::uint64_t seed, std::vector<std::string> activities)
      : rng_(seed), activities_(std::move(activities)) {}
  /// Is one due at this moment of device time? The first after 60 to 90 seconds.
  bool due(double seconds);
  Event draw();

 private:
  Rng rng_;
  std::vector<std::string> activities_;
  double next_ = -1;
  bool online_ = true, turned_ = false;
};

}  // namespace norn
