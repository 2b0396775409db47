// The fields of DroidBot's JSON that its states, its events and its graph share. What is missing or of
// another kind reads as nothing.
#pragma once

#include "formats/json_values.h"
#include "gui/screen.h"

namespace norn {

std::string droidbot_text(const JsonIn& object, const char* name);
/// A number of any JSON kind, within what a coordinate can be; 0 for anything else.
std::int32_t droidbot_pixels(const JsonIn& value);
/// The view's [[left, top], [right, bottom]], in whichever order the corners are.
Rect droidbot_bounds(const JsonIn& view);

}  // namespace norn
