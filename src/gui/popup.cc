#include "gui/popup.h"

namespace norn {

bool is_popup(const Screen& screen) {
  if (screen.widgets.empty() || screen.width == 0) return false;
  const Rect& root = screen.widgets.front().bounds;
  const std::int64_t area = std::int64_t{root.right - root.left} * (root.bottom - root.top);
  return area * 2 < std::int64_t{screen.width} * screen.height;
}

}  // namespace norn
