// Finding a widget again. Order of preference, stated once and used everywhere:
//   1. id (and class): the only widget with that id is it, whatever its text says now;
//   2. several share the id (rows of a list): the label decides among them;
//   3. no id: class and label;
//   4. neither: class and path.
// Where several are still equal the recorded ordinal decides; without one, or beyond the last, nothing is
// chosen. A label without a class means a widget's own label only: every container inherits the first label
// below it, and "Save" would name them all.
#pragma once

#include <cstddef>
#include <optional>
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

/// A target that resolves to exactly this widget on this screen. The ordinal is set only where several are
/// equal. A scrollable widget is not named after what it shows at the moment.
Target make_target(const Screen& screen, std::size_t widget);

/// The innermost (last in pre-order) visible, enabled widget at the point that can receive a touch
/// (clickable, checkable, scrollable or a text field), in the topmost (last) window whose root is there: what
/// lies under a dialog gets nothing. None if nothing is there.
std::optional<std::size_t> widget_at(const Screen& screen, Point point);

}  // namespace norn
