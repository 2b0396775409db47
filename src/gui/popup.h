// Whether what is in front is a window of its own, over the page it belongs to.
#pragma once

#include "gui/screen.h"

namespace norn {

/// A dialog or a menu: it does not fill the screen, and what lies under it comes back when it closes.
bool is_popup(const Screen& screen);

}  // namespace norn
