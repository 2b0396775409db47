// Pointer down, moves, up: which gesture was meant?
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include "gui/event.h"

namespace norn {

inline std::int32_t to_pixel(double value) {
  return static_cast<std::int32_t>(std::lround(std::fmin(std::fmax(value, -1e9), 1e9)));
}

/// Collects one gesture. Two fingers at any time make a pinch.
class PointerGesture {
 public:
  static constexpr std::int32_t slop = 24;            ///< Monkey itself shakes a tap by up to 10 pixels
  static constexpr std::int64_t long_press_ms = 500;  ///< Android's default

  bool is_down() const { return down_; }
  void down(Point p) {
    *this = {};
    down_ = true;
    from_ = to_ = p;
  }
  void move(Point p) { to_ = p; }
  void wait(std::int64_t ms) { held_ms_ += ms; }
  void two(Point a, Point b) {
    const auto apart = to_pixel(std::hypot(static_cast<double>(a.x) - b.x, static_cast<double>(a.y) - b.y));
    if (!first_apart_) {
      first_apart_ = apart;
      middle_ = {a.x + (b.x - a.x) / 2, a.y + (b.y - a.y) / 2};
    }
    last_apart_ = apart;
  }
  Event up() {
    down_ = false;
    if (first_apart_) return Pinch{{}, middle_, *first_apart_, last_apart_};
    const bool still =
        std::abs(std::int64_t{from_.x} - to_.x) <= slop && std::abs(std::int64_t{from_.y} - to_.y) <= slop;
    if (!still) return Drag{{}, from_, to_};
    if (held_ms_ >= long_press_ms) return LongPress{{}, from_};
    return Tap{{}, from_};
  }

 private:
  bool down_ = false;
  Point from_, to_, middle_;
  std::int64_t held_ms_ = 0;
  std::optional<std::int32_t> first_apart_;
  std::int32_t last_apart_ = 0;
};

}  // namespace norn
