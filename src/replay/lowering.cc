#include "replay/lowering.h"

#include <algorithm>

#include "gui/target.h"

namespace norn {
namespace {

constexpr std::int32_t long_press_ms = 800, fling_ms = 150, drag_ms = 600;

/// Where the event's widget is now: its bounds, nothing where it is missing; an empty target has no bounds at
/// all.
enum class Where : std::uint8_t { here, gone, pointed };
struct Located {
  Where where;
  Rect bounds;
};

Located locate(const Target& target, const Screen& screen) {
  if (target.empty()) return {Where::pointed, {}};
  const auto found = resolve(target, screen);
  if (const auto* f = std::get_if<Found>(&found)) return {Where::here, screen.widgets[f->widget].bounds};
  return {Where::gone, {}};
}

/// A fling across most of the widget.
std::pair<Point, Point> across(const Rect& r, Direction direction) {
  const Point c = r.center();
  const std::int32_t dx = (r.right - r.left) * 2 / 5, dy = (r.bottom - r.top) * 2 / 5;
  switch (direction) {
    case Direction::up:
      return {{c.x, c.y + dy}, {c.x, c.y - dy}};
    case Direction::down:
      return {{c.x, c.y - dy}, {c.x, c.y + dy}};
    case Direction::left:
      return {{c.x + dx, c.y}, {c.x - dx, c.y}};
    case Direction::right:
      return {{c.x - dx, c.y}, {c.x + dx, c.y}};
  }
  return {c, c};
}

struct Lower {
  const Screen& screen;
  Missing missing;

  /// Calls make(event with its point of today) where the target is here or a point may stand for it.
  template <class E, class Make>
  std::optional<Lowered> aimed(E event, Make make) const {
    const Located at = locate(event.target, screen);
    if (at.where == Where::gone) {
      if (missing != Missing::point) return std::nullopt;
      event.target = {};
    } else if (at.where == Where::here) {
      place(event, at.bounds);
    }
    const Action action = make(event);
    return Lowered{action, std::move(event)};
  }
  static void place(Swipe& e, const Rect& r) { std::tie(e.from, e.to) = across(r, e.direction); }
  static void place(Drag&, const Rect&) {}
  template <class E>
  static void place(E& e, const Rect& r) {
    e.at = r.center();
  }

  std::optional<Lowered> operator()(const Tap& e) const {
    return aimed(e, [](const Tap& t) -> Action { return Touch{t.at}; });
  }
  std::optional<Lowered> operator()(const LongPress& e) const {
    return aimed(e, [](const LongPress& t) -> Action { return Touch{t.at, long_press_ms}; });
  }
  std::optional<Lowered> operator()(const Swipe& e) const {
    return aimed(e, [](const Swipe& t) -> Action { return Move{t.from, t.to, fling_ms}; });
  }
  std::optional<Lowered> operator()(const Drag& e) const {
    return aimed(e, [](const Drag& t) -> Action { return Move{t.from, t.to, drag_ms}; });
  }
  std::optional<Lowered> operator()(const Pinch& e) const {
    return aimed(e, [](const Pinch& t) -> Action { return TwoFingers{t.at, t.from, t.to}; });
  }
  std::optional<Lowered> operator()(const Type& e) const {
    const bool focused = e.target.empty() && e.at == Point{};
    return aimed(e, [focused](const Type& t) -> Action {
      return Text{t.text, focused ? std::nullopt : std::optional(t.at)};
    });
  }
  std::optional<Lowered> operator()(const Key& e) const { return Lowered{Press{e.code}, e}; }
  std::optional<Lowered> operator()(const Launch& e) const { return Lowered{Open{e.package, e.activity}, e}; }
  std::optional<Lowered> operator()(const Rotate& e) const { return Lowered{Turn{e.rotation}, e}; }
  std::optional<Lowered> operator()(const System& e) const { return Lowered{Signal{e}, e}; }
  std::optional<Lowered> operator()(const Wait& e) const { return Lowered{Sleep{std::max(e.ms, 0)}, e}; }
  std::optional<Lowered> operator()(const Raw&) const { return std::nullopt; }
};

}  // namespace

std::optional<Lowered> lower(const Event& event, const Screen& screen, Missing missing) {
  return std::visit(Lower{screen, missing}, event);
}

}  // namespace norn
