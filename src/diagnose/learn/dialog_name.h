// By what a dialog is known, whichever row it is about: its title with the row's name left open ("Delete
// *?"), or, where it is titled with nothing else, the first widget of the app's own in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gui/screen.h"

namespace norn {

/// Of the dialog on this screen, after events that named these rows and texts; empty: there is none.
std::string dialog_name(const Screen& screen, const std::vector<std::string>& names);

/// Whether the dialog on this screen is the one of that name.
bool is_dialog(std::string_view name, const Screen& screen);

}  // namespace norn
