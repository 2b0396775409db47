#include "gui/popup.h"

namespace norn {

bool is_popup(const Screen& screen) {
  if (screen.widgets.empty() || screen.width == 0) return false;
  const Rect& root = screen.widgets.front().bounds;
  const std::int64_t area = std::int64_t{root.right - root.left} * (root.bottom - root.top);
  // A page reaches both sides of the screen, or one where the system's bar takes the other; a dialog may be
  // tall.
  return area * 2 < std::int64_t{screen.width} * screen.height ||
         (root.left > 0 && root.right < screen.width);
}

}  // namespace norn
