#include "explore/events.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::int32_t surface_share = 20;  ///< a surface takes at least a twentieth of the screen

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_row_container(const Widget& w) {
  return contains(w.cls, "ListView") || contains(w.cls, "GridView") || contains(w.cls, "RecyclerView");
}

/// Collects the events of one screen.
class Collector {
 public:
  Collector(const Screen& screen, const EventRules& rules) : screen_(screen), rules_(rules) {
    for (const Widget& w : screen.widgets) windows_ += w.parent < 0 ? 1 : 0;
  }

  std::vector<Possible> all() {
    for (std::size_t i = 0; i < screen_.widgets.size(); ++i) widget(i);
    keys();
    return std::move(out_);
  }

 private:
  void widget(std::size_t i) {
    const Widget& w = screen_.widgets[i];
    if (!w.is(Flag::enabled) || !w.is(Flag::visible) || w.bounds.empty()) return;
    const bool touchable = w.is(Flag::clickable) || w.is(Flag::checkable);
    const bool surface = rules_.surfaces && is_surface(w);
    if (!touchable && !surface && !w.is(Flag::long_clickable) && !w.is(Flag::scrollable) &&
        !w.is(Flag::editable))
      return;
    if (covered(i)) return;
    if (surface) return points_of(i);
    const Target target = make_target(screen_, i);
    const Point at = w.bounds.center();
    if (w.is(Flag::editable))
      add(Type{target, at, {}}, i);
    else if (touchable)
      add(Tap{target, at}, i);
    if (w.is(Flag::long_clickable)) add(LongPress{target, at}, i);
    if (w.is(Flag::scrollable)) swipes(target, i);
  }

  void swipes(const Target& target, std::size_t i) {
    const Widget& w = screen_.widgets[i];
    const bool sideways = contains(w.cls, "Horizontal") || contains(w.cls, "Pager");
    for (const Direction d : sideways ? std::array{Direction::left, Direction::right}
                                      : std::array{Direction::up, Direction::down})
      add(Swipe{target, d, {}, {}}, i, static_cast<std::uint64_t>(d) + 1);
    if (is_row_container(w)) row_swipe(i);
  }

  /// Rows can often be swiped away: the first stands for all.
  void row_swipe(std::size_t list) {
    if (screen_.widgets[list].subtree < 2) return;
    const std::size_t row = list + 1;
    if (screen_.widgets[row].bounds.empty()) return;
    for (const Direction d : {Direction::left, Direction::right})
      add(Swipe{make_target(screen_, row), d, {}, {}}, row, static_cast<std::uint64_t>(d) + 1);
  }

  bool is_surface(const Widget& w) const {
    if (w.subtree > 1 || w.is(Flag::editable) || w.is(Flag::checkable) || w.is(Flag::scrollable))
      return false;
    const bool plain = w.cls.ends_with(".View") || contains(w.cls, "SurfaceView") ||
                       contains(w.cls, "TextureView") || contains(w.cls, "MapView");
    const auto area = [](std::int64_t x, std::int64_t y) { return x * y; };
    return plain && area(w.bounds.right - w.bounds.left, w.bounds.bottom - w.bounds.top) * surface_share >=
                        area(std::max(screen_.width, 1), std::max(screen_.height, 1));
  }

  void points_of(std::size_t i) {
    const Rect r = screen_.widgets[i].bounds;
    const auto x = [&](int part, int of) { return r.left + (r.right - r.left) * part / of; };
    const auto y = [&](int part, int of) { return r.top + (r.bottom - r.top) * part / of; };
    for (int row = 0; row < 4; ++row)
      for (int column = 0; column < 5; ++column)
        add(Tap{{}, {x(2 * column + 1, 10), y(2 * row + 1, 8)}}, i,
            static_cast<std::uint64_t>(row * 5 + column + 1));
    const std::array ends{std::pair{Point{x(1, 50), y(1, 2)}, Point{x(4, 5), y(1, 2)}},
                          std::pair{Point{x(49, 50), y(1, 2)}, Point{x(1, 5), y(1, 2)}},
                          std::pair{Point{x(1, 2), y(4, 5)}, Point{x(1, 2), y(1, 5)}},
                          std::pair{Point{x(1, 2), y(1, 5)}, Point{x(1, 2), y(4, 5)}}};
    for (std::size_t e = 0; e < ends.size(); ++e) add(Drag{{}, ends[e].first, ends[e].second}, i, 40 + e);
    const std::int32_t wide = std::max(20, std::min(r.right - r.left, r.bottom - r.top) / 2);
    add(Pinch{{}, r.center(), wide / 4, wide}, i, 50);
    add(Pinch{{}, r.center(), wide, wide / 4}, i, 51);
    add(LongPress{{}, r.center()}, i, 52);
  }

  void keys() {
    if (rules_.keys)
      for (const std::int32_t code : {key::back, key::menu})
        add_key(Key{code}, static_cast<std::uint64_t>(code));
    if (rules_.rotate) add_key(Rotate{screen_.rotation % 2 == 0 ? 1 : 0}, 1);
    if (rules_.shade && screen_.width > 0)
      add_key(Drag{{}, {screen_.width / 2, 1}, {screen_.width / 2, screen_.height * 5 / 8}}, 60);
  }

  /// With several windows: does somebody else get the touch?
  bool covered(std::size_t i) const {
    if (windows_ < 2) return false;
    const auto hit = widget_at(screen_, screen_.widgets[i].bounds.center());
    return !hit || *hit < i || *hit >= i + static_cast<std::size_t>(screen_.widgets[i].subtree);
  }

  void add(Event event, std::size_t widget, std::uint64_t part = 0) {
    Hasher h;
    h.add(screen_.activity).add(event.index()).add(part).add(name_of(widget));
    out_.push_back({std::move(event), static_cast<std::int32_t>(widget), h.finish()});
  }
  void add_key(Event event, std::uint64_t part) {
    Hasher h;
    h.add(screen_.activity).add(event.index()).add(part);
    out_.push_back({std::move(event), -1, h.finish()});
  }

  /// Id where there is one; a row of a list without an id by the list; else class and label.
  std::uint64_t name_of(std::size_t i) const {
    const Widget& w = screen_.widgets[i];
    Hasher h;
    if (!w.id.empty()) {
      h.add(w.cls).add(w.id);
      // Buttons of dialogs share their ids everywhere: there the words tell what they do.
      if (w.id.starts_with("android:")) h.add(label_view(screen_, i));
      return h.finish();
    }
    for (std::int32_t p = w.parent, up = 0; p >= 0 && up < 4;
         p = screen_.widgets[static_cast<std::size_t>(p)].parent, ++up)
      if (const Widget& above = screen_.widgets[static_cast<std::size_t>(p)]; is_row_container(above))
        return h.add(w.cls).add(above.cls).add(above.id).finish();
    return h.add(w.cls).add(label_view(screen_, i)).finish();
  }

  const Screen& screen_;
  EventRules rules_;
  int windows_ = 0;
  std::vector<Possible> out_;
};

}  // namespace

std::vector<Possible> possible_events(const Screen& screen, const EventRules& rules) {
  return Collector(screen, rules).all();
}

}  // namespace norn
