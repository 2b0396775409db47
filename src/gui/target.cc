// resolve() narrows the widgets down in the order the header states; make_target() asks the same narrowing
// which words single a widget out, so the two cannot disagree. Linear in the screen, no allocation while
// nothing is ambiguous.
#include "gui/target.h"

#include <algorithm>
#include <charconv>

namespace norn {
namespace {

bool class_fits(const Target& t, const Widget& w) { return t.cls.empty() || t.cls == w.cls; }

template <class Keep>
std::vector<std::size_t> matching(const Screen& screen, Keep keep) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if (keep(i)) out.push_back(i);
  return out;
}

std::vector<std::size_t> by_id(const Target& t, const Screen& screen) {
  auto out = matching(screen, [&](std::size_t i) {
    return screen.widgets[i].id == t.id && class_fits(t, screen.widgets[i]);
  });
  if (out.size() > 1 && !t.label.empty())
    std::erase_if(out, [&](std::size_t i) { return label_view(screen, i) != t.label; });
  return out;
}

std::vector<std::size_t> by_label(const Target& t, const Screen& screen) {
  return matching(screen, [&](std::size_t i) {
    if (!class_fits(t, screen.widgets[i])) return false;
    return (t.cls.empty() ? own_label(screen.widgets[i]) : label_view(screen, i)) == t.label;
  });
}

/// The next "/12" of a path, or nothing where it is no path.
std::optional<std::size_t> take_position(std::string_view& path) {
  std::size_t n = 0;
  if (path.empty() || path.front() != '/') return std::nullopt;
  const auto [end, error] = std::from_chars(path.data() + 1, path.data() + path.size(), n);
  if (error != std::errc()) return std::nullopt;
  path.remove_prefix(static_cast<std::size_t>(end - path.data()));
  return n;
}

std::optional<std::size_t> at_path(std::string_view path, const Screen& screen) {
  std::size_t begin = 0, end = screen.widgets.size();
  std::optional<std::size_t> here;
  while (!path.empty()) {
    std::optional<std::size_t> n = take_position(path);
    if (!n) return std::nullopt;
    while (*n > 0 && begin < end) {
      begin += static_cast<std::size_t>(std::max(1, screen.widgets[begin].subtree));
      --*n;
    }
    if (begin >= end) return std::nullopt;
    here = begin;
    end = begin + static_cast<std::size_t>(std::max(1, screen.widgets[begin].subtree));
    ++begin;
  }
  return here;
}

std::vector<std::size_t> by_path(const Target& t, const Screen& screen) {
  const std::optional<std::size_t> at = at_path(t.path, screen);
  if (!at || !class_fits(t, screen.widgets[*at])) return {};
  return {*at};
}

std::vector<std::size_t> by_class(const Target& t, const Screen& screen) {
  return matching(screen, [&](std::size_t i) { return screen.widgets[i].cls == t.cls; });
}

std::vector<std::size_t> candidates(const Target& t, const Screen& screen) {
  if (!t.id.empty()) return by_id(t, screen);
  if (!t.label.empty()) return by_label(t, screen);
  if (!t.path.empty()) return by_path(t, screen);
  return by_class(t, screen);
}

/// What to call the widget by; a scrollable one only by its own label, since the first text below it scrolls
/// away.
std::string_view lasting_label(const Screen& screen, std::size_t widget) {
  const Widget& w = screen.widgets[widget];
  return w.is(Flag::scrollable) ? own_label(w) : label_view(screen, widget);
}

bool can_receive(const Widget& w) {
  constexpr auto touchable =
      static_cast<std::uint16_t>(Flag::clickable) | static_cast<std::uint16_t>(Flag::long_clickable) |
      static_cast<std::uint16_t>(Flag::checkable) | static_cast<std::uint16_t>(Flag::scrollable) |
      static_cast<std::uint16_t>(Flag::editable);
  return (w.flags & touchable) != 0 && w.is(Flag::enabled) && w.is(Flag::visible);
}

}  // namespace

Resolution resolve(const Target& target, const Screen& screen) {
  std::vector<std::size_t> found = candidates(target, screen);
  if (found.empty()) return NotThere{};
  if (found.size() == 1) return Found{found.front()};
  if (!target.ordinal) return Ambiguous{std::move(found)};
  if (*target.ordinal < 0 || static_cast<std::size_t>(*target.ordinal) >= found.size()) return NotThere{};
  return Found{found[static_cast<std::size_t>(*target.ordinal)]};
}

Target make_target(const Screen& screen, std::size_t widget) {
  const Widget& w = screen.widgets[widget];
  Target t{.cls = w.cls,
           .id = w.id,
           .label = std::string(lasting_label(screen, widget)),
           .path = {},
           .ordinal = {}};
  if (!t.id.empty() || !t.label.empty()) {
    const std::vector<std::size_t> equal = candidates(t, screen);
    const auto at = std::ranges::find(equal, widget);
    if (at != equal.end()) {
      if (equal.size() > 1) t.ordinal = static_cast<std::int32_t>(at - equal.begin());
      return t;
    }
  }
  return {.cls = w.cls, .id = {}, .label = {}, .path = path_of(screen, widget), .ordinal = {}};
}

std::optional<std::size_t> widget_at(const Screen& screen, Point point) {
  for (std::size_t i = screen.widgets.size(), best = i; i-- > 0;) {
    const Widget& w = screen.widgets[i];
    if (best == screen.widgets.size() && w.bounds.contains(point) && can_receive(w)) best = i;
    if (w.parent >= 0) continue;
    if (w.bounds.contains(point)) return best < screen.widgets.size() ? std::optional(best) : std::nullopt;
    best = screen.widgets.size();  // the window is not at the point: what sticks out of it is not either
  }
  return std::nullopt;
}

}  // namespace norn
