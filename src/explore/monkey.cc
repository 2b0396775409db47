#include "explore/monkey.h"

#include <algorithm>

namespace norn {
namespace {

constexpr std::int32_t last_key_code = 288;
constexpr double system_every = 60, system_spread = 30;

}  // namespace

MonkeyEvents::Drawn MonkeyEvents::draw(std::int32_t width, std::int32_t height) {
  double at = rng_.unit() * 100;
  MonkeyKind kind = MonkeyKind::touch;
  for (const auto& share : monkey_mix) {
    kind = share.kind;
    at -= share.percent;
    if (at < 0) break;
  }
  return {kind, make(kind, std::max(width, 1), std::max(height, 1))};
}

Point MonkeyEvents::point(std::int32_t width, std::int32_t height) {
  return {static_cast<std::int32_t>(rng_.below(static_cast<std::size_t>(width))),
          static_cast<std::int32_t>(rng_.below(static_cast<std::size_t>(height)))};
}

Key MonkeyEvents::any_of(std::initializer_list<std::int32_t> codes) {
  return Key{codes.begin()[rng_.below(codes.size())]};
}

Event MonkeyEvents::make(MonkeyKind kind, std::int32_t width, std::int32_t height) {
  constexpr std::int32_t mute = 91, volume_mute = 164, sleep = 223;
  switch (kind) {
    case MonkeyKind::touch:
      return Tap{{}, point(width, height)};
    case MonkeyKind::motion: {
      const Point from = point(width, height);
      return Drag{{}, from, point(width, height)};
    }
    case MonkeyKind::trackball:
      if (rng_.chance(0.1)) return Key{key::dpad_center};
      [[fallthrough]];
    case MonkeyKind::nav:
      return any_of({key::dpad_up, key::dpad_down, key::dpad_left, key::dpad_right});
    case MonkeyKind::major_nav:
      return any_of({key::menu, key::dpad_center});
    case MonkeyKind::syskeys:
      return any_of({key::home, key::back, key::call, key::end_call, key::volume_up, key::volume_down,
                     volume_mute, mute});
    case MonkeyKind::app_switch:
      return Launch{};
    case MonkeyKind::rotation:
    case MonkeyKind::flip:
      turned_ = !turned_;
      return Rotate{turned_ ? 1 : 0};
    case MonkeyKind::any_key:
      for (;;) {
        const auto code = static_cast<std::int32_t>(1 + rng_.below(last_key_code));
        if (code != key::power && code != key::end_call && code != sleep) return Key{code};
      }
    case MonkeyKind::pinch: {
      const Point at = point(width, height);
      const auto span = [&] {
        return static_cast<std::int32_t>(20 + rng_.below(static_cast<std::size_t>(width / 2 + 1)));
      };
      const std::int32_t from = span();
      return Pinch{{}, at, from, span()};
    }
  }
  return Tap{{}, point(width, height)};
}

bool SystemEvents::due(double seconds) {
  const auto later = [&] { return seconds + system_every + system_spread * rng_.unit(); };
  if (next_ < 0) next_ = later();
  if (seconds < next_) return false;
  next_ = later();
  return true;
}

Event SystemEvents::draw() {
  const std::size_t kinds = activities_.empty() ? 10 : 12;
  switch (rng_.below(kinds)) {
    case 0:
      return System{"sms", {{"from", "5551234"}, {"text", "hello"}}};
    case 1:
      return System{"call", {{"from", "5551234"}}};
    case 2:
      online_ = !online_;
      return System{online_ ? "network-on" : "network-off", {}};
    case 3:
      return System{"battery", {{"level", rng_.chance(0.5) ? "5" : "90"}}};
    case 4:
      return System{"trim-memory", {}};
    case 5:
      return System{"time-zone", {}};
    case 6:
      return System{"locale", {}};
    case 7:
      return System{"dark-mode", {}};
    case 8:
      return Key{rng_.chance(0.5) ? key::volume_up : key::volume_down};
    case 9:
      turned_ = !turned_;
      return Rotate{turned_ ? 1 : 0};
    default:
      return Launch{{}, activities_[rng_.below(activities_.size())]};
  }
}

}  // namespace norn
