// Finding a widget again. Order of preference, stated once and used everywhere:
//   1. id (and class): the only widget with that id is it, whatever its text says now;
//   2. several share the id (rows of a list): the label decides among them;
//   3. no id: class and label;
//   4. neither: class and path.
// Where several are still equal the recorded ordinal decides; without one, or beyond the last, nothing is
// chosen.
#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "gui/event.h"
#include "gui/screen.h"

namespace norn {

struct Found {
  std::size_t widget;
};
struct NotThere {};
struct Ambiguous {
  std::vector<std::size_t> widgets;
};
using Resolution = std::variant<Found, NotThere, Ambiguous>;

/// Pure. REQUIRES: !target.empty().
Resolution resolve(const Target& target, const Screen& screen);

/// A target that resolves to exactly this widget on this screen.
Target make_target(const Screen& screen, std::size_t widget);

/// The innermost (last in pre-order, topmost window last) enabled widget at the point that can receive it;
/// none if nothing is there.
std::optional<std::size_t> widget_at(const Screen& screen, Point point);

}  // namespace norn
