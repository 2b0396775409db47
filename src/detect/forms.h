// Forms in the tree: a page or a question with fields, the page below it from which it was opened, and the events that did so (maybe through a menu).
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "detect/data.h"

namespace norn {

struct OpenedForm {
  NodeId page, form;           ///< the page below, and the form as it was when it was opened
  std::vector<Event> opening;  ///< from the one to the other
};

/// Those that need fewest events first. All of them upright, without a keyboard, and opened from a page as it usually stands.
std::vector<OpenedForm> opened_forms(const History& tree, DataCache& data);

using Texts = std::array<std::string_view, 3>;
/// Types these into its fields, one after the other.
std::vector<Event> filled_in(const Screen& form, const Texts& texts);

/// Taps the widget.
Event tap_on(const Screen& screen, std::size_t widget);

}  // namespace norn
